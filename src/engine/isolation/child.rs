//! A converter child: waits for jobs, runs them one by one in its main thread, and has nothing but their files.

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

/// How often progress is reported, at the most.
const PROGRESS_PAUSE: Duration = Duration::from_millis(200);
/// The longest text in a report, in characters.
const MAX_TEXT: usize = 500;
/// Memory that may stay in use between two jobs, in bytes; a child with more makes room for a new one.
const KEPT: u64 = 12 << 20;

/// The program's `main` when it is started as a child, with its end of the channel as standard input, and perhaps with a
/// directory of fonts.
pub fn main(fonts: Option<&Path>) -> ExitCode {
    // Panics are reported over the channel.
    std::panic::set_hook(Box::new(|_| {}));
    match run(fonts) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

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
        // What a panic has left behind nobody knows, and what a large job has left behind is better given back.
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
    } = command
    else {
        return Err(unexpected());
    };
    let [input, output] = <[OwnedFd; 2]>::try_from(files).map_err(|_| unexpected())?;
    let gate = ChildGate {
        channel,
        max_output,
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

/// Some codecs quote the file in their errors; a message has its limits.
fn shorten(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panic: {}", text.unwrap_or("without a message"))
}

/// The gate as a child sees it: the service decides, and does not ask before it kills.
struct ChildGate<'a> {
    channel: &'a Channel,
    max_output: u64,
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

    fn progress(&self, progress: Progress) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.elapsed() >= PROGRESS_PAUSE {
            *reported = Instant::now();
            // If the service has gone, so has the reason to report.
            let _ = self.channel.send(&Report::Progress(progress));
        }
    }
}
