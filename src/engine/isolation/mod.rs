//! What stands between a codec and the service: a process of its own, or no more than a fence around panics.
//! Knows nothing of queues and budgets; those are behind the gate.

mod allocator;
mod channel;
mod child;
mod process;
mod sandbox;
mod thread;
mod writeback;

pub use allocator::Allocator;
pub use child::main as child_main;

use super::{Order, meter::Meter};
use crate::error::{Error, Result};
use crate::job::{Gate, Notes};
use process::Warm;
use std::{path::PathBuf, str::FromStr, sync::Arc};

/// The command with which the program starts itself as a child.
pub const CHILD_COMMAND: &str = "converter-child";

/// How conversions are kept apart from the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Each converter thread has a child that runs this program with [`CHILD_COMMAND`]: kept warm, confined to the two
    /// files of its job, killed when a job is to end, replaced when it dies.
    Process {
        /// A program whose `main` calls [`crate::cli::main`].
        program: PathBuf,
    },
    /// In the converter's own thread. A panic ends one job; an abort or a stack overflow ends the service.
    Thread,
}

impl Isolation {
    /// Children of the program that is running.
    pub fn process() -> Self {
        // Not its path: the file may have been replaced since.
        Self::Process {
            program: "/proc/self/exe".into(),
        }
    }
}

impl Default for Isolation {
    fn default() -> Self {
        Self::process()
    }
}

impl FromStr for Isolation {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "process" => Ok(Self::process()),
            "thread" => Ok(Self::Thread),
            _ => Err(()),
        }
    }
}

/// Runs the jobs of one converter thread, one after another.
pub(crate) enum Executor {
    Process(Warm),
    Thread,
}

impl Executor {
    pub(crate) fn new(isolation: &Isolation, meter: &Arc<Meter>) -> Self {
        match isolation {
            Isolation::Process { program } => {
                Self::Process(Warm::new(program.clone(), meter.clone()))
            }
            Isolation::Thread => Self::Thread,
        }
    }

    /// Gets ready for the next job, so that it need not wait. Call it on the thread that will run the jobs: a
    /// child dies with the thread that started it.
    pub(crate) fn warm_up(&mut self) -> Result<()> {
        match self {
            Self::Process(warm) => warm.child().map(drop),
            Self::Thread => Ok(()),
        }
    }

    pub(crate) fn run(&mut self, order: &Order, limits: Limits, gate: &dyn Gate) -> Result<Notes> {
        match self {
            Self::Process(warm) => warm.run(order, limits, gate),
            Self::Thread => thread::run(order, limits, gate),
        }
    }
}

/// What a job may use, beside what it asks its gate for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Threads beside its own.
    pub(crate) spare_threads: usize,
    /// Bytes that it may write.
    pub(crate) max_output: u64,
    /// Bytes of memory that the gate could grant, if nobody else had any.
    pub(crate) memory: u64,
}

/// The error for a codec that panicked or whose process died.
pub(crate) fn crashed(cause: impl Into<String>) -> Error {
    let text =
        "the file made its decoder fail; it is damaged or uses features that are not supported";
    Error::new(crate::error::Kind::BadInput, text).caused_by(cause.into())
}
