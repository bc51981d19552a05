//! Requests whose answer is not known yet. Waiting requests occupy no thread, and are not polled: the code that changes
//! a state announces the change through [`Handle::changed`](crate::http::Handle::changed).
//!
//! No news is lost between the handler's decision to wait and the listing of the connection: both happen within one
//! event of the lobby, which handles news between two events.

use super::{Lobby, Phase};
use crate::http::{
    fence::fenced,
    handler::{Admission, Handler, Wait},
    head::Head,
    signals::Topics,
};
use std::{mem, time::Instant};

impl<H: Handler> Lobby<H> {
    /// Makes a request wait, unless too many requests wait already (half of all connections stay free for others),
    /// memory is short, or the server is being stopped. A request that cannot wait is answered now. Returns whether the
    /// next request can be read now.
    pub(super) fn listen(&mut self, key: usize, head: Head, wait: Wait, now: Instant) -> bool {
        let room = self.settings.max_held.saturating_sub(self.held);
        let full =
            self.waiting_requests >= self.settings.max_connections / 2 || head.weight() > room;
        let until = now.checked_add(wait.limit);
        let (Some(until), false) = (until, full || self.draining_since.is_some()) else {
            return self.answer_awaited(key, head, now);
        };
        if let Some(resident) = self.resident(key) {
            resident.phase = Phase::Listening {
                head: Box::new(head),
                topic: wait.topic,
                until,
            };
            resident.since = now;
            self.waiting_requests += 1;
            self.topics.entry(wait.topic).or_default().push(key);
            self.weigh(key);
        }
        false
    }

    /// Answers the requests that wait for topics with news.
    pub(super) fn hear_news(&mut self, now: Instant) {
        let keys: Vec<usize> = match self.signals.news.take() {
            Topics::These(topics) => {
                let listening = topics.iter().filter_map(|topic| self.topics.get(topic));
                listening.flatten().copied().collect()
            }
            Topics::All => self.topics.values().flatten().copied().collect(),
        };
        for key in keys {
            self.end_wait(key, now);
        }
    }

    /// Answers all waiting requests, whether or not there is news.
    pub(super) fn end_all_waits(&mut self, now: Instant) {
        let keys: Vec<usize> = self.topics.values().flatten().copied().collect();
        for key in keys {
            self.end_wait(key, now);
        }
    }

    /// Answers one waiting request.
    pub(super) fn end_wait(&mut self, key: usize, now: Instant) {
        if let Some(head) = self.stop_listening(key) {
            if let Some(resident) = self.resident(key) {
                resident.since = now;
            }
            self.weigh(key);
            if self.answer_awaited(key, *head, now) {
                self.go_on_later(key);
            }
        }
    }

    /// Takes the request out of a connection that waits.
    pub(super) fn stop_listening(&mut self, key: usize) -> Option<Box<Head>> {
        let resident = self.resident(key)?;
        let (head, topic) = match mem::replace(&mut resident.phase, Phase::Sending) {
            Phase::Listening { head, topic, .. } => (head, topic),
            other => {
                resident.phase = other;
                return None;
            }
        };
        self.waiting_requests -= 1;
        if let Some(keys) = self.topics.get_mut(&topic) {
            keys.retain(|&other| other != key);
            if keys.is_empty() {
                self.topics.remove(&topic);
            }
        }
        Some(head)
    }

    /// Answers a request whose wait is over. Returns whether the next request can be read now.
    fn answer_awaited(&mut self, key: usize, head: Head, now: Instant) -> bool {
        let Some(resident) = self.resident(key) else {
            return false;
        };
        let peer = resident.connection.peer.ip();
        let admission = match fenced(|| self.handler.awaited(&head, peer)) {
            Some(Some(response)) => Admission::Answer(response),
            // If the handler has no answer yet or has panicked, a worker handles the request, with a panic guard of its
            // own.
            Some(None) | None => Admission::Quick,
        };
        self.dispatch(key, head, admission, now)
    }
}
