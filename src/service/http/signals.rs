//! Signals between the lobby, the workers and the handles of a server. Sending one never blocks. Does not use
//! connections.

use super::handler::Topic;
use std::{
    mem,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize},
    },
};

/// Limit on topics with pending news. Beyond it, all waiting requests are checked again.
const MAX_NEWS: usize = 1024;

/// The signals of one server.
#[derive(Debug, Default)]
pub(super) struct Signals {
    pub(super) stopping: AtomicBool,
    /// The number of open connections.
    pub(super) open: AtomicUsize,
    pub(super) news: News,
}

/// Topics with news that the lobby has not handled yet.
#[derive(Debug, Default)]
pub(super) struct News(Mutex<Topics>);

/// A set of topics.
#[derive(Debug)]
pub(super) enum Topics {
    These(Vec<Topic>),
    All,
}

impl Default for Topics {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

impl News {
    pub(super) fn add(&self, topic: Topic) {
        let mut topics = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *topics {
            Topics::These(list) if list.len() < MAX_NEWS => list.push(topic),
            Topics::These(_) | Topics::All => *topics = Topics::All,
        }
    }

    pub(super) fn take(&self) -> Topics {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
