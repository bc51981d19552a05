//! A task together with its files and with whoever waits for it.

use crate::{
    error::Result,
    job::{Notes, Progress, Task},
    registry::Route,
};
use std::{
    fs::File,
    net::IpAddr,
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

/// Who hears of a conversion, on the converter's thread. What is done here holds up the next conversion.
pub trait Watcher: Send + Sync {
    /// The converter takes it up now.
    fn began(&mut self) {}

    /// How far it is.
    fn progress(&self, _progress: Progress) {}

    /// It has ended. Its files are closed. An order that is dropped with a queue ends with
    /// [`Kind::Busy`](crate::error::Kind::Busy), without having begun.
    fn ended(self: Box<Self>, result: Result<Finished>);
}

/// A task together with what it works on and who hears of it.
pub struct Order {
    /// What to do.
    pub task: Task,
    /// How: the [`route`](crate::registry::route) of the task.
    pub route: &'static Route,
    /// The upload, read from its beginning.
    pub input: File,
    /// Length of the upload in bytes.
    pub input_len: u64,
    /// An empty file.
    pub output: File,
    /// Who asked for it. Conversions of different clients take turns; those of nobody in particular are of one.
    pub client: Option<IpAddr>,
    /// Ends it early.
    pub cancel: Cancel,
    /// Who hears of it.
    pub watcher: Box<dyn Watcher>,
}

/// A conversion that succeeded.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Remarks for the person who asked.
    pub notes: Notes,
    /// The conversion alone: without waiting for a thread or for memory.
    pub duration: Duration,
}
