//! The service's side of one child: starts it, gives it a job, stops it during the turns of other jobs, kills it. While
//! a job runs, checks the gate between short waits for the child. Does not decide whether a job is repeated when the
//! child dies.

use super::{
    CHILD_COMMAND, Limits, Paced, Shelves,
    channel::{Channel, Command, Outcome, Report},
    fate::ChildEnd,
    sandbox,
};
use crate::{
    engine::{meter::Replaced, order::Order},
    error::{Error, Result},
    job::{Need, Notes},
};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open},
};
use std::{
    fs::File,
    io,
    os::{fd::AsFd, unix::process::CommandExt},
    path::Path,
    process::{Child, Stdio},
    time::Duration,
};

/// Interval between two checks of the gate while a child works.
const GATE_CHECK: Duration = Duration::from_millis(20);
/// Time limit for a child's start. It is long enough for a slow machine under load.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A child process. Killed when dropped.
pub(super) struct Worker {
    process: Child,
    channel: Channel,
    /// Memory that the child used before its first job, in bytes.
    idle: u64,
    shelves: Shelves,
}

/// The memory of one attempt at a job, in bytes.
pub(super) struct Memory {
    /// The memory that the gate has granted last.
    pub(super) granted: u64,
    /// The largest allocation that failed; 0 if its size is unknown, `None` if none failed.
    pub(super) wanted: Option<u64>,
}

impl Worker {
    /// Starts a child process, which gets its end of the channel as standard input and nothing else of the service.
    pub(super) fn start(program: &Path, shelves: Shelves) -> Result<Self> {
        let failed = |err| Error::internal("a converter cannot be started", err);
        let (channel, theirs) = Channel::pair().map_err(failed)?;
        let process = std::process::Command::new(program)
            .arg(CHILD_COMMAND)
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
            shelves,
        };
        let ready = worker.channel.wait(START_TIMEOUT).map_err(failed)?;
        match if ready {
            worker.channel.receive::<Report>().map_err(failed)?
        } else {
            None
        } {
            Some((Report::Ready { confinement, idle }, _)) => {
                worker.idle = idle;
                // Some systems cannot set limits of another process. The service must not run without them.
                worker.allow(0).map_err(failed)?;
                log::debug!(
                    "converter child {} is ready, confined by {confinement}",
                    worker.process.id()
                );
                Ok(worker)
            }
            _ => Err(failed(io::Error::other("the child did not become ready"))),
        }
    }

    pub(super) fn pid(&self) -> Pid {
        Pid::from_child(&self.process)
    }

    /// Lets the child use `memory` bytes from now on.
    fn allow(&self, memory: u64) -> io::Result<()> {
        sandbox::limit_memory(self.pid(), self.idle, memory)
    }

    pub(super) fn has_died(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Determines how the child ended after the channel to it failed with `error`. Kills a child that is still running.
    pub(super) fn fate(&mut self, error: &io::Error) -> ChildEnd {
        // A dying process closes the channel a moment before it ends. Without a wait, the process would be killed here,
        // and that kill would be mistaken for the cause.
        let is_closed = [io::ErrorKind::UnexpectedEof, io::ErrorKind::BrokenPipe];
        if is_closed.contains(&error.kind()) {
            let handle = pidfd_open(self.pid(), PidfdFlags::empty());
            let moment = Timespec {
                tv_sec: 1,
                tv_nsec: 0,
            };
            // Kernels before 5.3 lack pidfd_open(2). There a child that was killed from outside may be mistaken for one
            // that crashed.
            let _ = handle
                .and_then(|handle| poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&moment)));
        }
        if let Ok(Some(status)) = self.process.try_wait() {
            return ChildEnd::Ended(status);
        }
        // An error means that the child has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        ChildEnd::Killed
    }

    /// Passes a job to the child and answers its reports until the job has ended. Returns the job's result, and the
    /// reason why the child cannot take another job, if there is one.
    ///
    /// Errors: the child has died, or has sent an invalid message.
    pub(super) fn converse(
        &self,
        command: &Command,
        order: &Order,
        gate: &dyn Paced,
        limits: Limits,
        memory: &mut Memory,
    ) -> io::Result<(Result<Notes>, Option<Replaced>)> {
        let at_least = memory.granted;
        self.allow(at_least)?;
        self.channel
            .send_command(command, &[order.input.as_fd(), order.output.as_fd()])?;
        loop {
            // Checked before every message: a child that keeps sending must not get past the deadline.
            if let Err(error) = gate.check() {
                return Ok((Err(error), Some(Replaced::Stopped)));
            }
            if gate.makes_room()
                && let Err(error) = self.stand_still(gate)?
            {
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
                    // A repeated attempt keeps at least the amount with which it was started. Jobs estimate their need
                    // for the worst case, so a need of up to twice the whole budget is tried with the whole budget.
                    // That is safe because the kernel enforces the limit.
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
                Report::Fonts => self.send_file(self.shelves.fonts.list())?,
                Report::Font { number } => self.send_file(self.shelves.fonts.file(number))?,
                Report::Languages => {
                    let (installed, default) = self.shelves.models.available();
                    self.channel
                        .send(&Command::Languages { installed, default })?;
                }
                Report::Language { name } => self.send_file(self.shelves.models.file(&name))?,
                Report::Ended { outcome, retires } => {
                    let result = match outcome {
                        Outcome::Done { notes } => Ok(notes),
                        Outcome::Failed {
                            kind,
                            reason,
                            message,
                            detail,
                        } => Err(Error::new(kind, message).because(reason).caused_by(detail)),
                    };
                    return Ok((result, retires.then_some(Replaced::Retired)));
                }
                Report::Ready { .. } => return Err(io::Error::other("the child started anew")),
            }
        }
    }

    /// Sends the child a file to read, or tells it that the file does not exist.
    fn send_file(&self, file: Option<File>) -> io::Result<()> {
        let files: Vec<_> = file.iter().map(|file| file.as_fd()).collect();
        self.channel.send_with_files(&Command::File, &files)
    }

    /// Stops the child until the job's next turn. The inner error is the gate's.
    fn stand_still(&self, gate: &dyn Paced) -> io::Result<Result<()>> {
        // A child that has died can still be signalled until it has been waited for, so this does not fail.
        kill_process(self.pid(), Signal::STOP)?;
        let turn = gate.wait_for_turn();
        kill_process(self.pid(), Signal::CONT)?;
        Ok(turn)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // An error means that the child has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
