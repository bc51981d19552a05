//! The service's side of a converter child. Starts it, feeds it, kills it; never waits for it without looking at the gate.

use super::{
    CHILD_COMMAND,
    channel::{Channel, Command, Outcome, Report},
    crashed,
};
use crate::{
    engine::Order,
    error::{Error, Result},
    job::{Gate, Need, Notes},
};
use std::{
    io,
    os::{fd::AsFd, unix::process::CommandExt},
    path::PathBuf,
    process::{Child, Stdio},
    time::Duration,
};

/// How often the gate is looked at while a child works.
const GATE_CHECK: Duration = Duration::from_millis(50);
/// How long a child may take to get ready, on a slow board under load.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A child that is started when it is needed, and kept.
pub(crate) struct Warm {
    program: PathBuf,
    child: Option<Worker>,
}

/// One child. Killed when dropped.
pub(crate) struct Worker {
    process: Child,
    channel: Channel,
}

impl Warm {
    pub(crate) fn new(program: PathBuf) -> Self {
        Self {
            program,
            child: None,
        }
    }

    /// The child, started if there is none.
    pub(crate) fn child(&mut self) -> Result<&mut Worker> {
        if self.child.as_mut().is_some_and(Worker::has_died) {
            self.child = None;
        }
        match &mut self.child {
            Some(child) => Ok(child),
            empty @ None => Ok(empty.insert(Worker::start(&self.program)?)),
        }
    }

    /// Runs one job. If it does not end well and by itself, the child does not survive it.
    pub(crate) fn run(
        &mut self,
        order: &Order,
        spare_threads: usize,
        max_output: u64,
        gate: &dyn Gate,
    ) -> Result<Notes> {
        let child = self.child()?;
        let command = Command::Convert {
            task: order.task.clone(),
            input_len: order.input_len,
            spare_threads,
            max_output,
        };
        match child.converse(&command, order, gate) {
            Ok((result, stays)) => {
                if !stays {
                    self.child = None;
                }
                result
            }
            Err(err) => {
                let fate = child.fate();
                self.child = None;
                log::warn!(
                    "a converter child ended in the middle of a {} file: {fate} ({err})",
                    order.route.pair.from.name
                );
                Err(crashed(fate))
            }
        }
    }
}

impl Worker {
    fn start(program: &PathBuf) -> Result<Self> {
        let failed = |err| Error::internal("a converter cannot be started", err);
        let (channel, theirs) = Channel::pair().map_err(failed)?;
        let process = std::process::Command::new(program)
            .arg(CHILD_COMMAND)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Signals from a terminal are for the service alone.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let worker = Self { process, channel };
        let ready = worker.channel.wait(START_TIMEOUT).map_err(failed)?;
        match if ready {
            worker.channel.receive::<Report>().map_err(failed)?
        } else {
            None
        } {
            Some((Report::Ready { confinement }, _)) => {
                log::debug!(
                    "converter child {} is ready, confined by {confinement}",
                    worker.process.id()
                );
                Ok(worker)
            }
            _ => Err(failed(io::Error::other("the child did not get ready"))),
        }
    }

    fn has_died(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// How it died; it is dying if it has not yet.
    fn fate(&mut self) -> String {
        // It has closed its end, or is told to end now.
        let _ = self.process.kill();
        self.process
            .wait()
            .map_or_else(|err| err.to_string(), |status| status.to_string())
    }

    /// Talks a job through: its result, and whether the child can take another one.
    ///
    /// Errors: the child has died, or says what makes no sense.
    fn converse(
        &self,
        command: &Command,
        order: &Order,
        gate: &dyn Gate,
    ) -> io::Result<(Result<Notes>, bool)> {
        self.channel
            .send_with_files(command, &[order.input.as_fd(), order.output.as_fd()])?;
        loop {
            // Also if one message follows the other: a child must not talk its way past the deadline.
            if let Err(error) = gate.check() {
                return Ok((Err(error), false));
            }
            if !self.channel.wait(GATE_CHECK)? {
                continue;
            }
            let Some((report, _)) = self.channel.receive::<Report>()? else {
                return Err(io::ErrorKind::UnexpectedEof.into());
            };
            match report {
                Report::Need { memory } => match gate.reserve(Need { memory }) {
                    Ok(()) => self.channel.send(&Command::Granted)?,
                    Err(error) => return Ok((Err(error), false)),
                },
                Report::Progress(progress) => gate.progress(progress),
                Report::Ended { outcome, retires } => {
                    let result = match outcome {
                        Outcome::Done { notes } => Ok(notes),
                        Outcome::Failed {
                            kind,
                            message,
                            detail,
                        } => Err(Error::new(kind, message).caused_by(detail)),
                    };
                    return Ok((result, !retires));
                }
                Report::Ready { .. } => return Err(io::Error::other("the child started anew")),
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // An error means that it is dead already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
