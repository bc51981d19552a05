//! A result that can be downloaded, the downloads of it that run, and how far a conversion has come. Decides whether two
//! downloads are in each other's way; keeps no list of links.

use super::{ranges::Ranges, record::Record};
use crate::job;
use std::{
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A result that can be downloaded.
pub(super) struct Link {
    pub(super) record: Arc<Record>,
    pub(super) holds: Vec<Hold>,
    pub(super) delivered: Ranges,
    /// Whether the file of endings still says that this link has ended.
    pub(super) returned: bool,
    /// Whether the file was found by a start and has not been read since.
    pub(super) is_unverified: bool,
}

/// A download that is running.
pub(super) struct Hold {
    /// The claim's number, unique in the store.
    pub(super) number: u64,
    pub(super) range: Range<u64>,
    /// Whether it has sent everything and waits for the peer to acknowledge it.
    pub(super) sent: bool,
}

impl Link {
    pub(super) fn new(record: Arc<Record>) -> Self {
        Self {
            record,
            holds: Vec::new(),
            delivered: Ranges::default(),
            returned: false,
            is_unverified: false,
        }
    }

    /// Whether a download of `range` has to wait for another download. Only one download of the whole runs at a time. Parts
    /// wait only for parts that they overlap. They do not wait for a download of the whole: a client that resumes a broken
    /// download must not have to wait until the server notices that the old connection is dead.
    pub(super) fn is_held(&self, range: &Range<u64>) -> bool {
        let is_whole = |range: &Range<u64>| *range == (0..self.record.file_size);
        self.holds.iter().any(|hold| {
            if is_whole(range) || is_whole(&hold.range) {
                is_whole(range)
            } else {
                hold.range.start < range.end && range.start < hold.range.end
            }
        })
    }

    pub(super) fn hold(&mut self, number: u64) -> Option<&mut Hold> {
        self.holds.iter_mut().find(|hold| hold.number == number)
    }
}

/// How far a conversion has come; nothing until the converter reports it.
#[derive(Default)]
pub(super) struct Progress(Mutex<Option<job::Progress>>);

impl Progress {
    fn last(&self) -> MutexGuard<'_, Option<job::Progress>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, progress: job::Progress) {
        *self.last() = Some(progress);
    }

    pub(super) fn get(&self) -> Option<job::Progress> {
        *self.last()
    }
}
