//! What the lobby, the workers and the handles of a server tell one another without waiting. Knows no connection.

use super::handler::Topic;
use std::{
    mem,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize},
    },
};

/// Topics that may have news at once, before all that wait are asked about.
const MAX_NEWS: usize = 1024;

/// What the lobby and the handles of its server tell one another.
#[derive(Debug, Default)]
pub(super) struct Signals {
    pub(super) stopping: AtomicBool,
    /// The number of open connections.
    pub(super) open: AtomicUsize,
    pub(super) news: News,
}

/// What has happened and the lobby has not heard of yet.
#[derive(Debug, Default)]
pub(super) struct News(Mutex<Topics>);

/// Which topics have news.
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
