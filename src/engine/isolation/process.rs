//! The service's side of a converter child: starts it, gives it jobs, kills it. Never waits for it without checking the gate.
//!
//! A child asks for memory before it allocates, and the service lowers or raises the kernel's limit accordingly
//! (`RLIMIT_DATA`). What a job asks for is an estimate from the file's headers, which may say too little. If the limit stops a
//! job, its child is replaced and the job starts over with twice as much memory or enough for the allocation that failed,
//! whichever is more, up to the whole budget. The hard part is to tell a job that lacked memory from a damaged file: a damaged
//! header can make a decoder ask for an absurd amount and then refuse the file properly. Such a refusal stands unless the next
//! attempt would fit into the budget.

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
    path::{Path, PathBuf},
    process::{Child, Stdio},
    sync::Arc,
    time::Duration,
};

/// How often the gate is checked while a child works.
const GATE_CHECK: Duration = Duration::from_millis(50);
/// Half of the memory that the second attempt gets if the first had reserved nothing, in bytes.
const LEAST: u64 = 32 << 20;
/// How long a child may take to get ready. Generous, for a slow board under load.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A child that is started when it is first needed and then kept for the next job.
pub(crate) struct Warm {
    program: PathBuf,
    fonts: Option<PathBuf>,
    child: Option<Worker>,
    meter: Arc<Meter>,
}

/// One child process. Killed when dropped.
pub(crate) struct Worker {
    process: Child,
    channel: Channel,
    /// Memory that it used before its first job, in bytes.
    idle: u64,
}

impl Warm {
    pub(crate) fn new(program: PathBuf, fonts: Option<PathBuf>, meter: Arc<Meter>) -> Self {
        Self {
            program,
            fonts,
            child: None,
            meter,
        }
    }

    /// The child. A new one is started if there is none or if the last one has died.
    pub(crate) fn child(&mut self) -> Result<&mut Worker> {
        if self.child.as_mut().is_some_and(Worker::has_died) {
            self.replace(Replaced::Died);
        }
        match &mut self.child {
            Some(child) => Ok(child),
            empty @ None => Ok(empty.insert(Worker::start(&self.program, self.fonts.as_deref())?)),
        }
    }

    /// Ends the child; the next job has another one.
    fn replace(&mut self, why: Replaced) {
        self.child = None;
        self.meter.replaced(why);
    }

    /// Runs one job. A job that has to be stopped takes its child with it.
    ///
    /// A job that needs more memory than it has reserved is run again with more, until it has had the whole budget.
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
                "a conversion from {} needs more than {} MiB and is run again with {} MiB",
                order.route.pair.from.name,
                exhausted.granted >> 20,
                memory >> 20
            );
            order
                .output
                .set_len(0)
                .and_then(|()| (&order.output).rewind())
                .map_err(Error::unwritten)?;
        }
    }

    /// Runs one job once, with at least `memory` bytes.
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
            max_memory: limits.memory,
        };
        let mut use_of_memory = Memory {
            granted: memory,
            wanted: None,
        };
        let ended = sandbox::limit_output(child.pid(), limits.max_output)
            .and_then(|()| child.converse(&command, order, gate, limits, &mut use_of_memory));
        // Code in C does not use our allocator, so its failed allocations are not reported; only the error's kind tells.
        if let Ok((Err(error), _)) = &ended
            && error.kind() == Kind::OutOfMemory
        {
            use_of_memory.wanted.get_or_insert(0);
        }
        // A decoder that survived and refused the file may have been misled by a damaged header to ask for too much. Its
        // refusal stands if the next attempt would exceed the budget.
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
                // If the gate has closed meanwhile, its reason takes precedence over the lack of memory.
                gate.check()?;
                Ok(End::Exhausted(exhausted))
            }
            (Err(err), None) => {
                let fate = child.fate();
                self.replace(Replaced::Crashed);
                log::warn!(
                    "a converter child ended while it converted from {}: {fate} ({err})",
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

/// The memory of one attempt, in bytes.
struct Memory {
    granted: u64,
    /// The largest allocation that failed; 0 if its size is unknown, `None` if none failed.
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

/// A job that lacked memory: what it had been granted, and the allocation that failed, in bytes.
#[derive(Clone, Copy)]
struct Exhausted {
    granted: u64,
    wanted: u64,
}

impl Exhausted {
    /// The memory for the next attempt in bytes: twice as much, or enough for the allocation that failed if that is more.
    fn next(self) -> u64 {
        (2 * self.granted.max(LEAST)).max(self.granted.saturating_add(self.wanted))
    }

    fn error(self, allowed: u64) -> Error {
        let text = format!(
            "the conversion needs more memory than the {} MiB allowed for all (--memory)",
            allowed >> 20
        );
        Error::new(Kind::BadInput, text)
    }
}

impl Worker {
    fn start(program: &Path, fonts: Option<&Path>) -> Result<Self> {
        let failed = |err| Error::internal("a converter cannot be started", err);
        let (channel, theirs) = Channel::pair().map_err(failed)?;
        let process = std::process::Command::new(program)
            .arg(CHILD_COMMAND)
            .args(fonts)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A process group of its own: Ctrl-C in a terminal must reach the service alone.
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
                // This fails where limits cannot be set. The service must not run without them.
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

    /// Lets the child use `memory` bytes from now on.
    fn allow(&self, memory: u64) -> io::Result<()> {
        sandbox::limit_memory(self.pid(), self.idle, memory)
    }

    fn has_died(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// How the child died, for the log. A child that has not died yet is killed first.
    fn fate(&mut self) -> String {
        // An error means that it is dead already.
        let _ = self.process.kill();
        self.process
            .wait()
            .map_or_else(|err| err.to_string(), |status| status.to_string())
    }

    /// Gives a job to the child and answers its reports until the job has ended. Returns the job's result, and the reason why the
    /// child cannot take another job, if there is one.
    ///
    /// Errors: the child has died, or sent a message that makes no sense.
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
            // Checked before every message: a child that keeps sending must not get past the deadline.
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
                    // A repeated attempt keeps the larger amount that it was started with. Jobs estimate their need for the
                    // worst case, so a need of up to twice the whole budget is tried with the whole budget. That is safe because
                    // the kernel enforces the limit.
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
