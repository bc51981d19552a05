//! Turns bytes into requests and passes requests to workers. Makes no answers of its own except refusals.
//!
//! Short work goes to the quick lane. If this lane is full, the work waits, provided that there is memory for its head.
//! Uploads go to the upload lane. If all its workers are busy, or its client has its share of them, they wait in a
//! queue of limited length. Beyond that they are refused immediately with 503, so that a client learns early that it
//! has to come back.

use super::{Lobby, Phase, Resident, Slot};
use crate::http::{
    body::Unread,
    connection::Fill,
    fence::fenced,
    handler::{Admission, Handler},
    head::{self, Framing, Head},
    pool::{Lane, Task, WorkerTask},
    refusal::Refusal,
};
use std::{net::IpAddr, time::Instant};

/// Limit on the requests of one connection that are served in one turn. Other connections wait during the turn, so the
/// limit is low.
const TURN: usize = 16;

impl<H: Handler> Lobby<H> {
    /// Reads and serves requests until the client has to send more or read its answer, or a worker has the connection.
    pub(super) fn read_requests(&mut self, key: usize, now: Instant) {
        for _ in 0..TURN {
            let Self { slots, scratch, .. } = self;
            let Some(Slot::Here(resident)) = slots.get_mut(key) else {
                return;
            };
            let scanned = match resident.phase {
                Phase::Idle => 0,
                Phase::Head { scanned } => scanned,
                _ => return,
            };
            let input = &resident.connection.input;
            match head::find_end(input, scanned) {
                Ok(Some(end)) => {
                    if !self.request(key, end, now) {
                        return;
                    }
                    continue;
                }
                Ok(None) => {
                    let scanned = input.len();
                    if scanned > 0 {
                        // The head begins now, unless it follows the last answer closely. Without this, the time since
                        // the last answer would count as time for the head.
                        if matches!(resident.phase, Phase::Idle) && !resident.is_fresh(now) {
                            resident.since = now;
                        }
                        resident.phase = Phase::Head { scanned };
                    }
                }
                Err(refusal) => return self.refuse_unreadable(key, &refusal, now),
            }
            // At most one head is read at a time, because input that is read ahead stays in memory for as long as the
            // client does not read the answers before it.
            match resident.connection.fill(&mut scratch[..head::MAX_HEAD]) {
                Ok(Fill::Some(_)) => {}
                Ok(Fill::Nothing) => return self.weigh(key),
                Ok(Fill::End) | Err(_) => return self.close(key),
            }
        }
        self.go_on_later(key);
    }

    /// Serves the request whose head is the first `end` bytes of the input. Returns whether the next request can be
    /// read now.
    pub(super) fn request(&mut self, key: usize, end: usize, now: Instant) -> bool {
        let draining = self.draining_since.is_some();
        let Self {
            slots,
            ids,
            handler,
            ..
        } = self;
        let Some(Slot::Here(resident)) = slots.get_mut(key) else {
            return false;
        };
        let connection = &mut resident.connection;
        let parsed = head::parse(&connection.input[..end], || ids.next());
        connection.input.drain(..end);
        let head = match parsed {
            Ok(head) => head,
            Err(refusal) => {
                self.refuse_unreadable(key, &refusal, now);
                return false;
            }
        };
        connection.begin(&head, now);
        connection.unread = Unread::whole(head.framing);
        if draining {
            self.refuse(
                key,
                &head,
                &Refusal::busy("the service is shutting down"),
                now,
            );
            return false;
        }
        let peer = connection.peer.ip();
        let admission = fenced(|| handler.admit(&head, peer));
        let Some(admission) = admission else {
            self.refuse(key, &head, &Refusal::fault(), now);
            return false;
        };
        self.dispatch(key, head, admission, now)
    }

    /// Carries out the handler's decision about a request. Returns whether the next request can be read now.
    pub(super) fn dispatch(
        &mut self,
        key: usize,
        head: Head,
        admission: Admission,
        now: Instant,
    ) -> bool {
        match admission {
            Admission::Answer(response) => {
                let date = self.clock.date();
                let ends = self.draining_since.is_some();
                let Some(resident) = self.resident(key) else {
                    return false;
                };
                // The body is not read. If the connection stayed open, the body would be parsed as the next request.
                let has_body = !matches!(head.framing, Framing::None | Framing::Length(0));
                let keep = head.keep_alive && !has_body && !ends;
                resident
                    .connection
                    .answer(response, Some(&head), keep, date);
                self.send(key, now)
            }
            Admission::Quick => {
                self.work(key, WorkerTask::Request(Box::new(head)), now);
                false
            }
            Admission::Upload => {
                self.admit_upload(key, Box::new(head), now);
                false
            }
            Admission::Wait(wait) => self.listen(key, head, wait, now),
        }
    }

    /// Gives the connection to a worker of the quick lane, now or when its turn comes. Refuses the request if there is
    /// no memory to keep its head until then.
    pub(super) fn work(&mut self, key: usize, work: WorkerTask, now: Instant) {
        let work = if self.waiting.is_empty() {
            match self.leave(key, Lane::Quick, work, None) {
                Ok(()) => return,
                Err(work) => work,
            }
        } else {
            work
        };
        let room = self.settings.max_held.saturating_sub(self.held);
        let work = match work {
            WorkerTask::Request(head) if head.weight() > room => {
                let busy = Refusal::busy("too many requests at once");
                return self.refuse(key, &head, &busy, now);
            }
            work => work,
        };
        let Some(resident) = self.resident(key) else {
            return;
        };
        resident.phase = Phase::Waiting(work);
        resident.since = now;
        let number = resident.connection.number;
        self.weigh(key);
        self.waiting.push_back((key, number));
        // The queue still has the entries of connections that were closed. They are removed before they make up most of
        // it.
        if self.waiting.len() > 2 * self.slots.len() + 64 {
            let mut waiting = std::mem::take(&mut self.waiting);
            waiting.retain(|&(key, number)| self.waits(key, number));
            self.waiting = waiting;
        }
    }

    fn waits(&mut self, key: usize, number: u64) -> bool {
        self.resident(key).is_some_and(|resident| {
            resident.connection.number == number && matches!(resident.phase, Phase::Waiting(_))
        })
    }

    /// Takes the work out of a waiting connection, which then counts as sending its answer. `None` if it does not wait.
    fn stop_waiting(&mut self, key: usize, now: Instant) -> Option<WorkerTask> {
        let resident = self.resident(key)?;
        match std::mem::replace(&mut resident.phase, Phase::Sending) {
            Phase::Waiting(work) => {
                resident.since = now;
                Some(work)
            }
            phase => {
                resident.phase = phase;
                None
            }
        }
    }

    /// Gives free places in the quick lane to the connections that have waited longest.
    pub(super) fn serve_waiting(&mut self, now: Instant) {
        while let Some(&(key, number)) = self.waiting.front() {
            if self.waits(key, number)
                && let Some(work) = self.stop_waiting(key, now)
                // If the lane is full again, the connection keeps its place at the front.
                && let Err(work) = self.leave(key, Lane::Quick, work, None)
            {
                if let Some(resident) = self.resident(key) {
                    resident.phase = Phase::Waiting(work);
                }
                return;
            }
            self.waiting.pop_front();
        }
    }

    /// Gives the connection to a worker of the upload lane, or returns the head if the lane is full. The worker counts
    /// against the share of `client`.
    pub(super) fn hand_over(
        &mut self,
        key: usize,
        head: Box<Head>,
        client: Option<IpAddr>,
    ) -> Result<(), Box<Head>> {
        match self.leave(key, Lane::Upload, WorkerTask::Request(head), client) {
            Ok(()) | Err(WorkerTask::Resume) => Ok(()),
            Err(WorkerTask::Request(head)) => Err(head),
        }
    }

    /// Moves a connection out of the lobby to a lane. If the lane is full, the connection stays in its phase and the
    /// work is returned. In the upload lane, the worker counts against the share of `client`.
    pub(super) fn leave(
        &mut self,
        key: usize,
        lane: Lane,
        work: WorkerTask,
        client: Option<IpAddr>,
    ) -> Result<(), WorkerTask> {
        let Some(Slot::Here(resident)) = self.slots.get_mut(key) else {
            return Ok(());
        };
        let (since, held, listed) = (resident.since, resident.held, resident.listed);
        let Some(slot) = self.slots.get_mut(key) else {
            return Ok(());
        };
        let Slot::Here(resident) = std::mem::replace(slot, Slot::Away(client)) else {
            return Ok(());
        };
        match self.pools.send(
            lane,
            Task {
                key,
                connection: resident.connection,
                work,
            },
        ) {
            Ok(()) => {
                self.held -= held;
                if lane == Lane::Upload {
                    self.uploads.take(client);
                }
                Ok(())
            }
            Err(Task {
                connection, work, ..
            }) => {
                if let Some(slot) = self.slots.get_mut(key) {
                    *slot = Slot::Here(Resident {
                        connection,
                        phase: resident.phase,
                        since,
                        held,
                        listed,
                    });
                }
                Err(work)
            }
        }
    }

    /// Passes an upload to a free worker, queues it, or refuses it.
    pub(super) fn admit_upload(&mut self, key: usize, head: Box<Head>, now: Instant) {
        let busy = Refusal::busy("too many uploads at once");
        let Some(resident) = self.resident(key) else {
            return;
        };
        let peer = resident.connection.peer.ip();
        let client = fenced(|| self.handler.client(&head, peer)).flatten();
        if self.uploads.admit(client) {
            if let Err(head) = self.hand_over(key, head, client) {
                self.refuse(key, &head, &busy, now);
            }
        } else if !self.queued.admit(client) || self.pools.is_stalled(now) {
            self.refuse(key, &head, &busy, now);
        } else if let Some(resident) = self.resident(key) {
            resident.phase = Phase::Queued(head, client);
            resident.since = now;
            self.queue.push_back(key);
            self.queued.take(client);
            self.weigh(key);
        }
    }

    /// Takes the head and the client out of a connection that is queued.
    pub(super) fn unqueue(
        &mut self,
        key: usize,
        now: Instant,
    ) -> Option<(Box<Head>, Option<IpAddr>)> {
        let resident = self.resident(key)?;
        if !matches!(resident.phase, Phase::Queued(..)) {
            return None;
        }
        resident.since = now;
        match std::mem::replace(&mut resident.phase, Phase::Idle) {
            Phase::Queued(head, client) => {
                self.queued.give_back(client);
                Some((head, client))
            }
            _ => None,
        }
    }

    /// Gives free workers to the uploads that have waited longest, except those whose clients have their share already.
    pub(super) fn serve_queue(&mut self, now: Instant) {
        while let Some(next) = self.queue.iter().position(|&key| self.may_leave(key)) {
            let Some(key) = self.queue.remove(next) else {
                return;
            };
            if let Some((head, client)) = self.unqueue(key, now)
                && let Err(head) = self.hand_over(key, head, client)
            {
                self.refuse(key, &head, &Refusal::busy("too many uploads at once"), now);
            }
        }
    }

    /// Returns whether a connection leaves the queue: a worker is free for its client, or it no longer waits there.
    fn may_leave(&self, key: usize) -> bool {
        match self.slots.get(key) {
            Some(Slot::Here(resident)) => match resident.phase {
                Phase::Queued(_, client) => self.uploads.admit(client),
                _ => true,
            },
            _ => true,
        }
    }

    /// Refuses all queued uploads.
    pub(super) fn refuse_queue(&mut self, refusal: &Refusal, now: Instant) {
        while let Some(key) = self.queue.pop_front() {
            if let Some((head, _)) = self.unqueue(key, now) {
                self.refuse(key, &head, refusal, now);
            }
        }
    }
}
