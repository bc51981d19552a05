//! A job together with its files and with whoever waits for it. Data, but for the three calls back.

use crate::error::Result;
use crate::{
    job::{Notes, Options, Quality},
    registry::Plan,
};
use std::{
    fs::File,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Ends a job from outside. Clones act on the same job.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Nobody waits for the result any more.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// A job together with what it works on and who hears of it.
pub struct Order {
    /// What to do.
    pub plan: Plan,
    /// The target's name as it was asked for.
    pub to_name: String,
    /// The tier.
    pub quality: Quality,
    /// Optional fields.
    pub options: Options,
    /// The upload, read from its beginning.
    pub input: File,
    /// Length of the upload in bytes.
    pub input_len: u64,
    /// An empty file.
    pub output: File,
    /// Ends it early.
    pub cancel: Cancel,
    /// Told that the job begins, on the converter's thread.
    pub began: Box<dyn FnOnce() + Send>,
    /// Told how far the job is.
    pub progress: Box<dyn Fn(u64, u64) + Send + Sync>,
    /// Told how it ended, on the converter's thread.
    pub done: Box<dyn FnOnce(Result<Finished>) + Send>,
}

/// A conversion that succeeded.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Remarks for the person who asked.
    pub notes: Notes,
    /// The conversion alone: without waiting for a thread or for memory.
    pub duration: Duration,
}
