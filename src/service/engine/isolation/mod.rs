//! Isolation of codecs from the service: a process of their own, or only a guard that catches panics.
//!
//! Decoders of hostile files have been made to abort, to overflow the stack and to allocate without end, and no decoder
//! can be cancelled from outside. So each converter thread owns a child process of the same program and passes jobs to
//! it (`process`, `worker`). The child waits for jobs (`child`, over `channel`). It gives up every right that it does
//! not need (`sandbox`), and may use only the memory that its job was granted. It is killed and replaced when a job
//! crashes, must be stopped, or needs more memory. Conversion in the service's own process (`thread`) remains for tests
//! and for `--isolation thread`. Does not depend on queues and budgets, which are behind the job's gate.

mod allocator;
mod channel;
mod child;
mod fate;
mod fonts;
mod languages;
mod process;
mod sandbox;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "arm",
    target_arch = "riscv64"
))]
mod seccomp;
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "arm",
    target_arch = "riscv64"
)))]
mod seccomp {
    //! The library for seccomp filters does not support this architecture.

    pub(super) fn enter() -> bool {
        false
    }

    #[cfg(test)]
    pub(super) fn knows(_: std::ffi::c_long) -> bool {
        true
    }
}
mod thread;
mod worker;
mod writeback;

pub use allocator::Allocator;
pub use child::main as child_main;
pub use fonts::Fonts;
pub(crate) use fonts::SharedFonts;
pub(crate) use languages::Models;
pub use languages::{Language, Languages};

use super::{Order, Settings, meter::Meter};
use crate::error::{Error, Result};
use crate::job::{Gate, Notes};
use process::Warm;
use std::{path::PathBuf, str::FromStr, sync::Arc};

/// The command-line argument with which the program starts itself as a child.
pub const CHILD_COMMAND: &str = "converter-child";

/// Kind of isolation between conversions and the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Each converter thread has a child process that runs this program with [`CHILD_COMMAND`]. It is kept between
    /// jobs, confined to the two files of its job, killed when a job has to be stopped, and replaced when it dies.
    Process {
        /// The program to run. Its `main` must call [`crate::cli::main`].
        program: PathBuf,
    },
    /// Conversions run in the converter thread itself. A panic ends one job; an abort or a stack overflow ends the
    /// service.
    Thread,
}

impl Isolation {
    /// Isolation in children that run the program of this process.
    pub fn process() -> Self {
        // The running program by its link in /proc and not by its path: an upgrade may have replaced that file.
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

/// Files of the machine that children cannot open themselves and request from the service.
#[derive(Clone)]
pub(crate) struct Shelves {
    /// Fonts besides those compiled in.
    pub(crate) fonts: SharedFonts,
    /// Models of languages besides those compiled in.
    pub(crate) models: Models,
}

impl Shelves {
    pub(crate) fn new(fonts: &Fonts, languages: &Languages) -> Self {
        Self {
            fonts: SharedFonts::new(fonts),
            models: Models::new(languages),
        }
    }

    /// Makes these files available to conversions in this process.
    pub(crate) fn use_here(self) {
        self.fonts.use_here();
        self.models.use_here();
    }
}

/// Runs the jobs of one converter thread one after another.
pub(crate) enum Executor {
    Process(Warm),
    Thread,
}

impl Executor {
    pub(crate) fn new(settings: &Settings, shelves: &Shelves, meter: &Arc<Meter>) -> Self {
        match &settings.isolation {
            Isolation::Process { program } => {
                Self::Process(Warm::new(program.clone(), shelves.clone(), meter.clone()))
            }
            Isolation::Thread => Self::Thread,
        }
    }

    /// Starts the child in advance, so that the next job need not wait for it. Call this on the thread that will run
    /// the jobs: the kernel kills a child when the thread that started it ends (`PR_SET_PDEATHSIG`).
    pub(crate) fn warm_up(&mut self) -> Result<()> {
        match self {
            Self::Process(warm) => warm.child().map(drop),
            Self::Thread => Ok(()),
        }
    }

    /// Ends the child, if there is one. The next job starts another one.
    pub(crate) fn cool_down(&mut self) {
        match self {
            Self::Process(warm) => warm.end(),
            Self::Thread => {}
        }
    }

    pub(crate) fn run(&mut self, order: &Order, limits: Limits, gate: &dyn Paced) -> Result<Notes> {
        match self {
            Self::Process(warm) => warm.run(order, limits, gate),
            Self::Thread => thread::run(order, limits, gate),
        }
    }
}

/// Gate of a job that may have to give its converter to other jobs while it runs. Only a job in a child can be paused.
pub(crate) trait Paced: Gate {
    /// Returns whether another job has taken over the converter of this job. If so, the child must be paused until [it
    /// may go on](Self::wait_for_turn). Takes little time.
    fn makes_room(&self) -> bool;

    /// Waits until the job has a converter again.
    ///
    /// Errors: the job must end, because it was cancelled, the engine was stopped, or it waited too long; or this
    /// attempt must end because another client needs its place. The engine then puts the job back into the queue.
    fn wait_for_turn(&self) -> Result<()>;
}

/// Limits on the resources of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Number of threads that the job may use in addition to its own.
    pub(crate) spare_threads: usize,
    /// The maximum length of the result in bytes.
    pub(crate) max_output: u64,
    /// The whole memory budget in bytes, which the gate could grant if no other job held memory.
    pub(crate) memory: u64,
}

/// The error for a codec that panicked or whose process died.
pub(crate) fn crashed(cause: impl Into<String>) -> Error {
    let text =
        "the file crashed its decoder; it is damaged, or uses features that are not supported";
    Error::new(crate::error::Kind::BadInput, text).caused_by(cause.into())
}
