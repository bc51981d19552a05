//! The service's side of a converter child. Starts it, feeds it, kills it; never waits for it without looking at the gate.

use super::{
    CHILD_COMMAND, Limits,
    channel::{Channel, Command, Outcome, Report},
    crashed, sandbox,
};
use crate::{
    engine::{Order, Replaced, meter::Meter},
    error::{Error, Kind, Result},
    job::{Gate, Need, Notes},
};
use rustix::process::Pid;
use std::{
    io::{self, Seek},
    os::{fd::AsFd, unix::process::CommandExt},
    path::PathBuf,
    process::{Child, Stdio},
    sync::Arc,
    time::Duration,
};

/// How often the gate is looked at while a child works.
const GATE_CHECK: Duration = Duration::from_millis(50);
/// What a job that has reserved nothing is given at its second attempt, half of it in bytes.
const LEAST: u64 = 32 << 20;
/// How long a child may take to get ready, on a slow board under load.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A child that is started when it is needed, and kept.
pub(crate) struct Warm {
    program: PathBuf,
    child: Option<Worker>,
    meter: Arc<Meter>,
}

/// One child. Killed when dropped.
pub(crate) struct Worker {
    process: Child,
    channel: Channel,
    /// Bytes of memory that it took before its first job.
    idle: u64,
}

impl Warm {
    pub(crate) fn new(program: PathBuf, meter: Arc<Meter>) -> Self {
        Self {
            program,
            child: None,
            meter,
        }
    }

    /// The child, started if there is none.
    pub(crate) fn child(&mut self) -> Result<&mut Worker> {
        if self.child.as_mut().is_some_and(Worker::has_died) {
            self.replace(Replaced::Died);
        }
        match &mut self.child {
            Some(child) => Ok(child),
            empty @ None => Ok(empty.insert(Worker::start(&self.program)?)),
        }
    }

    /// Ends the child; the next job has another one.
    fn replace(&mut self, why: Replaced) {
        self.child = None;
        self.meter.replaced(why);
    }

    /// Runs one job. If it does not end well and by itself, the child does not survive it.
    ///
    /// Headers tell less than everything, so that a job may need more memory than it has reserved. It is run again with
    /// more then, as often as that is any use.
    pub(crate) fn run(&mut self, order: &Order, limits: Limits, gate: &dyn Gate) -> Result<Notes> {
        let mut memory = 0;
        loop {
            let exhausted = match self.attempt(order, limits, memory, gate)? {
                End::Finished(result) => return result,
                End::Exhausted(exhausted) => exhausted,
            };
            if exhausted.granted >= limits.memory {
                return Err(exhausted.error(limits.memory));
            }
            memory = exhausted.next().min(limits.memory);
            log::debug!(
                "a conversion of a {} file needs more than {} MiB and is run again with {} MiB",
                order.route.pair.from.name,
                exhausted.granted >> 20,
                memory >> 20
            );
            order
                .output
                .set_len(0)
                .and_then(|()| (&order.output).rewind())
                .map_err(|err| Error::storage("the result could not be written", err))?;
        }
    }

    /// Runs one job once, with at least so many bytes of memory.
    fn attempt(
        &mut self,
        order: &Order,
        limits: Limits,
        memory: u64,
        gate: &dyn Gate,
    ) -> Result<End> {
        if memory > 0 {
            gate.reserve(Need { memory })?;
        }
        let child = self.child()?;
        let command = Command::Convert {
            task: order.task.clone(),
            input_len: order.input_len,
            spare_threads: limits.spare_threads,
            max_output: limits.max_output,
        };
        let mut use_of_memory = Memory {
            granted: memory,
            wanted: None,
        };
        let ended = sandbox::limit_output(child.pid(), limits.max_output)
            .and_then(|()| child.converse(&command, order, gate, limits, &mut use_of_memory));
        // What is allocated by C is not reported on the way.
        if let Ok((Err(error), _)) = &ended
            && error.kind() == Kind::OutOfMemory
        {
            use_of_memory.wanted.get_or_insert(0);
        }
        // A decoder that lived to refuse the file may have asked for what a damaged header made it ask for.
        let exhausted = use_of_memory
            .exhausted()
            .filter(|exhausted| ended.is_err() || exhausted.next() <= limits.memory);
        match (ended, exhausted) {
            (Ok((result @ Ok(_), leaves)), _) | (Ok((result @ Err(_), leaves)), None) => {
                if let Some(why) = leaves {
                    self.replace(why);
                }
                Ok(End::Finished(result))
            }
            (Ok((Err(_), _)) | Err(_), Some(exhausted)) => {
                self.replace(Replaced::OutOfMemory);
                // What closed the gate counts for more than what the job lacked.
                gate.check()?;
                Ok(End::Exhausted(exhausted))
            }
            (Err(err), None) => {
                let fate = child.fate();
                self.replace(Replaced::Crashed);
                log::warn!(
                    "a converter child ended in the middle of a {} file: {fate} ({err})",
                    order.route.pair.from.name
                );
                Ok(End::Finished(Err(crashed(fate))))
            }
        }
    }
}

/// How an attempt ended.
enum End {
    Finished(Result<Notes>),
    Exhausted(Exhausted),
}

/// The memory of a job, in bytes.
struct Memory {
    granted: u64,
    /// The largest piece that could not be had.
    wanted: Option<u64>,
}

impl Memory {
    fn exhausted(&self) -> Option<Exhausted> {
        self.wanted.map(|wanted| Exhausted {
            granted: self.granted,
            wanted,
        })
    }
}

/// A job that lacked memory: what it had, and the piece that was too much, in bytes.
#[derive(Clone, Copy)]
struct Exhausted {
    granted: u64,
    wanted: u64,
}

impl Exhausted {
    /// What to try next: twice as much, and enough for the piece.
    fn next(self) -> u64 {
        (2 * self.granted.max(LEAST)).max(self.granted.saturating_add(self.wanted))
    }

    fn error(self, allowed: u64) -> Error {
        let text = format!(
            "the conversion needs more memory than the {} MiB that this service has for all (--memory)",
            allowed >> 20
        );
        Error::new(Kind::BadInput, text)
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
        let mut worker = Self {
            process,
            channel,
            idle: 0,
        };
        let ready = worker.channel.wait(START_TIMEOUT).map_err(failed)?;
        match if ready {
            worker.channel.receive::<Report>().map_err(failed)?
        } else {
            None
        } {
            Some((Report::Ready { confinement, idle }, _)) => {
                worker.idle = idle;
                // Rather no service than one whose children have no limits.
                worker.allow(0).map_err(failed)?;
                log::debug!(
                    "converter child {} is ready, confined by {confinement}",
                    worker.process.id()
                );
                Ok(worker)
            }
            _ => Err(failed(io::Error::other("the child did not get ready"))),
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.process)
    }

    /// Lets it use so many bytes, as long as the next job does not ask for others.
    fn allow(&self, memory: u64) -> io::Result<()> {
        sandbox::limit_memory(self.pid(), self.idle, memory)
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

    /// Talks a job through: its result, and why the child cannot take another one, if so.
    ///
    /// Errors: the child has died, or says what makes no sense.
    fn converse(
        &self,
        command: &Command,
        order: &Order,
        gate: &dyn Gate,
        limits: Limits,
        memory: &mut Memory,
    ) -> io::Result<(Result<Notes>, Option<Replaced>)> {
        let at_least = memory.granted;
        self.allow(at_least)?;
        self.channel
            .send_with_files(command, &[order.input.as_fd(), order.output.as_fd()])?;
        loop {
            // Also if one message follows the other: a child must not talk its way past the deadline.
            if let Err(error) = gate.check() {
                return Ok((Err(error), Some(Replaced::Stopped)));
            }
            if !self.channel.wait(GATE_CHECK)? {
                continue;
            }
            let Some((report, _)) = self.channel.receive::<Report>()? else {
                return Err(io::ErrorKind::UnexpectedEof.into());
            };
            match report {
                Report::Need { memory: need } => {
                    // What an attempt before this one was not enough for is not taken back. Needs are told for the worst
                    // case, so that one that is not far beyond what there is at all is worth a try with all of it: the
                    // kernel holds the child to it.
                    let need = match need.max(at_least) {
                        need if need / 2 <= limits.memory => need.min(limits.memory),
                        need => need,
                    };
                    if let Err(error) = gate.reserve(Need { memory: need }) {
                        return Ok((Err(error), Some(Replaced::Stopped)));
                    }
                    memory.granted = need;
                    self.allow(need)?;
                    self.channel.send(&Command::Granted)?;
                }
                Report::Exhausted { wanted } => {
                    memory.wanted = Some(memory.wanted.unwrap_or(0).max(wanted));
                }
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
                    return Ok((result, retires.then_some(Replaced::Retired)));
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
