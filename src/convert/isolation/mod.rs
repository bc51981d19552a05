//! What stands between a codec and the service: a fence around panics, or a process of its own.
//! Knows nothing of queues and budgets; those are behind the gate.

mod thread;

use super::{Gate, Notes, engine::Order};
use crate::error::Result;
use std::{io, process::ExitCode, str::FromStr};

/// How conversions are kept apart from the service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// In the converter's own thread. A panic ends one job; an abort or a stack overflow ends the service.
    #[default]
    Thread,
}

impl FromStr for Isolation {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "thread" => Ok(Self::Thread),
            _ => Err(()),
        }
    }
}

/// The command with which the program starts itself as a child.
pub const CHILD_COMMAND: &str = "converter-child";

/// What that child runs.
pub fn child_main() -> ExitCode {
    ExitCode::FAILURE
}

/// Runs the jobs of one converter thread, one after another.
#[derive(Debug)]
pub(super) enum Executor {
    Thread,
}

impl Executor {
    pub(super) fn new(isolation: &Isolation) -> io::Result<Self> {
        match isolation {
            Isolation::Thread => Ok(Self::Thread),
        }
    }

    pub(super) fn run(
        &mut self,
        order: &Order,
        spare_threads: usize,
        max_output: u64,
        gate: &dyn Gate,
    ) -> Result<Notes> {
        match self {
            Self::Thread => thread::run(order, spare_threads, max_output, gate),
        }
    }
}
