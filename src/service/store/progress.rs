//! Progress of an accepted conversion, as its converter reports it and others ask for it.

use crate::job;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Progress of a conversion; empty until the converter reports it.
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
