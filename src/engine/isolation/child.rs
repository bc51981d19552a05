//! The main loop of a converter child: it waits for jobs and runs them one after another in its main thread. It has access to
//! nothing but the two files of the current job.

use super::{
    allocator,
    channel::{Channel, Command, Outcome, Report},
    crashed, sandbox,
    thread::{Assignment, perform},
};
use crate::{
    error::{Error, Kind, Result},
    job::{Gate, Need, Notes, Progress},
    registry,
};
use std::{
    fs::File,
    io,
    os::fd::{AsFd, AsRawFd, OwnedFd},
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::ExitCode,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The minimum time between two progress reports.
const PROGRESS_PAUSE: Duration = Duration::from_millis(200);
/// The maximum length of a text in a report, in characters.
const MAX_TEXT: usize = 500;
/// Memory that a child may keep between two jobs beyond what it used at its start, in bytes. A child with more is replaced.
const KEPT: u64 = 12 << 20;

/// The program's `main` when it runs as a child. Standard input is the child's end of the channel; `fonts` is the operator's
/// directory of fonts.
pub fn main(fonts: Option<&Path>) -> ExitCode {
    // Panics are reported over the channel instead of being printed.
    std::panic::set_hook(Box::new(|_| {}));
    match run(fonts) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Confines the process, and runs jobs until the service closes the channel or a job has left the process too large.
fn run(fonts: Option<&Path>) -> io::Result<()> {
    let channel = Channel::from_fd(io::stdin().as_fd().try_clone_to_owned()?);
    allocator::report_to(io::stdin().as_raw_fd());
    // Afterwards no file can be opened.
    let files = fonts.map_or(Ok(0), super::open_fonts)?;
    let sandbox = sandbox::enter(files as u64)?;
    let idle = sandbox.memory();
    channel.send(&Report::Ready {
        confinement: sandbox.confinement().to_owned(),
        idle,
    })?;
    while let Some((command, files)) = channel.receive::<Command>()? {
        let result = catch_unwind(AssertUnwindSafe(|| convert(&channel, command, files)));
        // A panic may have left the codecs in any state, and memory that a large job left behind is surely freed only when
        // the process ends.
        let retires = result.is_err() || sandbox.memory() > idle + KEPT;
        let outcome = match result.unwrap_or_else(|panic| Err(crashed(panic_text(&*panic)))) {
            Ok(notes) => Outcome::Done { notes },
            Err(error) => Outcome::Failed {
                kind: error.kind(),
                message: shorten(error.message()),
                detail: std::error::Error::source(&error)
                    .map_or_else(String::new, |cause| shorten(&cause.to_string())),
            },
        };
        channel.send(&Report::Ended { outcome, retires })?;
        if retires {
            break;
        }
    }
    Ok(())
}

/// Runs one job on the two files that came with its command.
fn convert(channel: &Channel, command: Command, files: Vec<OwnedFd>) -> Result<Notes> {
    let unexpected = || {
        Error::new(
            Kind::Internal,
            "the converter was asked for something that it does not know",
        )
    };
    let Command::Convert {
        task,
        input_len,
        spare_threads,
        max_output,
        max_memory,
    } = command
    else {
        return Err(unexpected());
    };
    let [input, output] = <[OwnedFd; 2]>::try_from(files).map_err(|_| unexpected())?;
    let gate = ChildGate {
        channel,
        max_output,
        max_memory,
        reported: Mutex::new(Instant::now()),
    };
    let (input, output) = (File::from(input), File::from(output));
    let assignment = Assignment {
        task: &task,
        route: registry::route(&task)?,
        input: &input,
        input_len,
        output: &output,
        spare_threads,
        max_output,
    };
    perform(&assignment, &gate)
}

/// Cuts a text to [`MAX_TEXT`] characters. Some codecs quote the file in their errors, and a message has a maximum length.
fn shorten(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

/// What a panic said, for the log.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panic: {}", text.unwrap_or("without a message"))
}

/// The gate of a job in a child. [`check`](Gate::check) always succeeds here: the service watches the deadline and kills the
/// child when the job has to end.
struct ChildGate<'a> {
    channel: &'a Channel,
    max_output: u64,
    max_memory: u64,
    reported: Mutex<Instant>,
}

impl Gate for ChildGate<'_> {
    fn reserve(&self, need: Need) -> Result<()> {
        let lost = |err: io::Error| Error::internal("the service has gone", err);
        self.channel
            .send(&Report::Need {
                memory: need.memory,
            })
            .map_err(lost)?;
        match self.channel.receive::<Command>().map_err(lost)? {
            Some((Command::Granted, _)) => Ok(()),
            Some((Command::Convert { .. }, _)) | None => {
                Err(lost(io::ErrorKind::UnexpectedEof.into()))
            }
        }
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn max_output(&self) -> u64 {
        self.max_output
    }

    fn max_memory(&self) -> u64 {
        self.max_memory
    }

    fn progress(&self, progress: Progress) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.elapsed() >= PROGRESS_PAUSE {
            *reported = Instant::now();
            // If the service has gone, nobody is interested in the progress.
            let _ = self.channel.send(&Report::Progress(progress));
        }
    }
}
