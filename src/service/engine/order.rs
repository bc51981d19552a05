//! An order to the engine for one conversion: the task, its open files, and a watcher for the result. Contains no
//! paths.

use crate::{
    error::{Error, Kind, Result},
    job::{Notes, Progress, Task},
    registry::Route,
};
use std::{
    fs::File,
    io::Seek,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Cancels a job from outside. Clones act on the same job.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Makes the job end early, because no client waits for the result. Does not wait for the end.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Returns whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Receives the events of a conversion. The converter's thread calls the methods, so slow code in them delays the next
/// conversion. Only if an order is refused because the engine has been stopped, [`ended`](Self::ended) is called on
/// another thread.
pub trait Watcher: Send + Sync {
    /// A converter begins the conversion now.
    fn began(&mut self) {}

    /// Called with the conversion's progress.
    fn progress(&self, _progress: Progress) {}

    /// The conversion has ended, and its files are closed. If the engine is stopped before an order has begun, the
    /// order ends with [`Kind::Busy`].
    fn ended(self: Box<Self>, result: Result<Finished>);
}

/// A conversion for the engine: a task, its files, and a watcher.
pub struct Order {
    /// The requested conversion.
    pub task: Task,
    /// The task's [`route`](crate::registry::route): the converter and the pair of formats.
    pub route: &'static Route,
    /// The uploaded file. It is read from its beginning, regardless of its position.
    pub input: File,
    /// The length of the input in bytes.
    pub input_len: u64,
    /// An empty file for the result.
    pub output: File,
    /// The client of the order. Clients take turns; all orders without a client share one turn.
    pub client: Option<IpAddr>,
    /// Cancels the conversion.
    pub cancel: Cancel,
    /// Receives the events of the conversion.
    pub watcher: Box<dyn Watcher>,
}

impl Order {
    /// Empties the output, so that the conversion can be run from its beginning again.
    pub(super) fn start_over(&self) -> Result<()> {
        self.output
            .set_len(0)
            .and_then(|()| (&self.output).rewind())
            .map_err(Error::unwritten)
    }
}

/// A conversion that succeeded.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Remarks for the person who requested the conversion.
    pub notes: Notes,
    /// The duration of the conversion itself, without waiting for a converter or for memory.
    pub duration: Duration,
}

/// The error of orders that end because the engine has been stopped.
pub(super) fn shutting_down() -> Error {
    Error::new(Kind::Busy, "the service is shutting down")
}
