//! The main loop of a converter child: it waits for jobs and runs them one after another in its main thread. It has
//! access only to the two files of the current job, and to fonts and models of languages, which the service sends on
//! request.

use super::{
    allocator,
    channel::{Channel, Command, Outcome, Report},
    crashed,
    fonts::imp::{Source, come_from},
    sandbox,
    thread::{Assignment, perform},
};
use crate::{
    error::{Error, Kind, Result},
    job::{Gate, Need, Notes, Progress},
    registry,
};
#[cfg(feature = "ocr")]
use convertd_ocr::languages;
use std::{
    fs::File,
    io,
    os::fd::{AsFd, AsRawFd, OwnedFd},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The minimum time between two progress reports.
const PROGRESS_PAUSE: Duration = Duration::from_millis(200);
/// The maximum length of a text in a report, in characters.
const MAX_TEXT: usize = 500;
/// A child whose memory has grown by more than this since its start, in bytes, is replaced after its job.
const MAX_GROWTH: u64 = 12 << 20;

/// The program's `main` when it runs as a child. Standard input is the child's end of the channel.
pub fn main() -> ExitCode {
    // Panics are reported over the channel instead of being printed.
    std::panic::set_hook(Box::new(|_| {}));
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Confines the process, and runs jobs until the service closes the channel, or until a job has panicked or has left
/// the process too large.
fn run() -> io::Result<()> {
    let channel = Channel::from_fd(io::stdin().as_fd().try_clone_to_owned()?);
    let service = Arc::new(Service {
        channel,
        asking: Mutex::new(()),
    });
    let channel = &service.channel;
    allocator::report_to(io::stdin().as_raw_fd());
    // From here on the process cannot open files, if the kernel supports Landlock or seccomp.
    let sandbox = sandbox::enter()?;
    come_from(service.clone());
    #[cfg(feature = "ocr")]
    languages::come_from(service.clone());
    let idle = sandbox.memory();
    channel.send(&Report::Ready {
        confinement: sandbox.confinement().to_owned(),
        idle,
    })?;
    while let Some((command, files)) = channel.receive_command()? {
        let result = catch_unwind(AssertUnwindSafe(|| convert(&service, command, files)));
        // A panic may have left the codecs in any state, and only the end of the process is certain to free the memory
        // of a large job.
        let retires = result.is_err() || sandbox.memory() > idle + MAX_GROWTH;
        let outcome = match result.unwrap_or_else(|panic| Err(crashed(panic_text(&*panic)))) {
            Ok(notes) => Outcome::Done { notes },
            Err(error) => Outcome::Failed {
                kind: error.kind(),
                reason: error.reason(),
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

/// Connection to the service. Several threads of a job may ask questions; the lock `asking` lets one thread at a time
/// send a question and receive the answer.
struct Service {
    channel: Channel,
    asking: Mutex<()>,
}

impl Service {
    /// Sends a question, and waits for the answer.
    fn ask(&self, question: &Report) -> io::Result<(Command, Vec<OwnedFd>)> {
        let _turn = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        self.channel.send(question)?;
        let answer = self.channel.receive_command()?;
        answer.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// Asks for a file. `None` if it does not exist, or if the service has ended.
    fn file(&self, question: &Report) -> Option<File> {
        match self.ask(question).ok()? {
            (Command::File, files) => files.into_iter().next().map(File::from),
            (Command::Convert { .. } | Command::Granted | Command::Languages { .. }, _) => None,
        }
    }
}

impl Source for Service {
    fn list(&self) -> Option<File> {
        self.file(&Report::Fonts)
    }

    fn file(&self, number: u16) -> Option<File> {
        self.file(&Report::Font { number })
    }
}

#[cfg(feature = "ocr")]
impl languages::Source for Service {
    fn available(&self) -> languages::Available {
        match self.ask(&Report::Languages) {
            Ok((Command::Languages { installed, default }, _)) => {
                languages::Available { installed, default }
            }
            // Without a valid answer, the service has ended, and the next request to it fails with an error. So no
            // languages are reported here.
            Ok(_) | Err(_) => languages::Available::default(),
        }
    }

    fn file(&self, name: &str) -> Option<File> {
        let name = name.to_owned();
        self.file(&Report::Language { name })
    }
}

/// Runs one job on the two files that came with its command.
fn convert(service: &Service, command: Command, files: Vec<OwnedFd>) -> Result<Notes> {
    let unexpected = || Error::new(Kind::Internal, "the converter got an unknown request");
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
        service,
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

/// Cuts a text to [`MAX_TEXT`] characters. Some codecs quote the file in their errors, and a message has a maximum
/// length.
fn shorten(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

/// Message of a panic, for the log.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panic: {}", text.unwrap_or("without a message"))
}

/// Gate of a job in a child. [`check`](Gate::check) always succeeds here: the service watches the deadline and kills
/// the child when the job must end.
struct ChildGate<'a> {
    service: &'a Service,
    max_output: u64,
    max_memory: u64,
    reported: Mutex<Instant>,
}

impl Gate for ChildGate<'_> {
    fn reserve(&self, need: Need) -> Result<()> {
        let lost = |err: io::Error| Error::internal("the service has gone", err);
        let question = Report::Need {
            memory: need.memory,
        };
        match self.service.ask(&question).map_err(lost)? {
            (Command::Granted, _) => Ok(()),
            (Command::Convert { .. } | Command::File | Command::Languages { .. }, _) => {
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
            // If sending fails, the service has ended, and nobody needs the progress.
            let _ = self.service.channel.send(&Report::Progress(progress));
        }
    }
}
