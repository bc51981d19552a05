//! Runs jobs in a child that is kept running, replaces the child when it dies, and repeats a job that needs another
//! attempt. The messages to and from one child are handled in `worker`.
//!
//! A child asks for memory before it allocates, and the service sets the kernel's limit accordingly (`RLIMIT_DATA`). A
//! job's request is an estimate from the file's headers, which may be too low. If the limit stops a job, its child is
//! replaced, and the job starts over with more memory: twice as much, or enough for the failed allocation if that is
//! more, but never more than the whole budget. The hard part is to distinguish a job that lacked memory from a damaged
//! file: a damaged header can make a decoder ask for an absurd amount and then refuse the file properly. So a refusal
//! is final if the next attempt would exceed the budget.

use super::{
    Limits, Paced, Shelves,
    channel::Command,
    crashed,
    fate::{Cause, ChildEnd},
    sandbox,
    worker::{Memory, Worker},
};
use crate::{
    engine::{
        meter::{Meter, Replaced},
        order::Order,
    },
    error::{Error, Kind, Result},
    job::{Need, Notes},
};
use std::{io, path::PathBuf, sync::Arc};

/// The next attempt gets twice the memory that the job had reserved, which counts as at least this many bytes.
const MIN_BASE: u64 = 32 << 20;

/// Limit on repeated attempts after a child aborted. Each has at least twice the memory of the previous one, so at
/// least 64, 128 and 256 MiB, unless the whole budget is less.
const MAX_ABORTS: u32 = 3;

/// A child that is started on first use and then kept for the next job.
pub(crate) struct Warm {
    program: PathBuf,
    shelves: Shelves,
    child: Option<Worker>,
    meter: Arc<Meter>,
}

impl Warm {
    pub(crate) fn new(program: PathBuf, shelves: Shelves, meter: Arc<Meter>) -> Self {
        Self {
            program,
            shelves,
            child: None,
            meter,
        }
    }

    /// Returns the child. A new one is started if none runs or the last one has died.
    pub(super) fn child(&mut self) -> Result<&mut Worker> {
        if self.child.as_mut().is_some_and(Worker::has_died) {
            self.replace(Replaced::Died);
        }
        match &mut self.child {
            Some(child) => Ok(child),
            empty @ None => Ok(empty.insert(Worker::start(&self.program, self.shelves.clone())?)),
        }
    }

    /// Ends the child, if there is one.
    pub(crate) fn end(&mut self) {
        self.child = None;
    }

    /// Ends the child, and counts the reason. The next job gets a new child.
    fn replace(&mut self, why: Replaced) {
        self.child = None;
        self.meter.replaced(why);
    }

    /// Runs one job. Stopping a job kills its child.
    ///
    /// If a job needs more memory than it has reserved, it is run again with more, until it has had the whole budget.
    /// If another process killed its child, it is run once more. If its child aborted, it is run again with more
    /// memory, at most [`MAX_ABORTS`] times, because lack of memory may be the reason: the standard library aborts
    /// without a report if a new thread gets no stack for its signals.
    pub(crate) fn run(&mut self, order: &Order, limits: Limits, gate: &dyn Paced) -> Result<Notes> {
        let (mut memory, mut was_killed, mut aborts) = (0, false, 0);
        loop {
            let exhausted = match self.attempt(order, limits, memory, gate)? {
                End::Finished(result) => return result,
                End::Killed if was_killed => return Err(killed()),
                End::Killed => {
                    was_killed = true;
                    order.start_over()?;
                    continue;
                }
                End::Aborted(exhausted, fate) => {
                    if aborts == MAX_ABORTS || exhausted.granted >= limits.memory {
                        return Err(crashed(fate.to_string()));
                    }
                    aborts += 1;
                    exhausted
                }
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
            order.start_over()?;
        }
    }

    /// Runs one job once, with at least `memory` bytes.
    fn attempt(
        &mut self,
        order: &Order,
        limits: Limits,
        memory: u64,
        gate: &dyn Paced,
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
        // Code in C does not use our allocator, so its failed allocations are not reported; only the kind of its error
        // shows them. Their size is then recorded as 0, for unknown.
        if let Ok((Err(error), _)) = &ended
            && error.kind() == Kind::OutOfMemory
        {
            use_of_memory.wanted.get_or_insert(0);
        }
        // If the decoder survived and refused the file, a damaged header may have made it ask for too much. So its
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
                // If the gate demands the end of the job by now, its reason takes precedence over the lack of memory.
                gate.check()?;
                Ok(End::Exhausted(exhausted))
            }
            (Err(err), None) => {
                let fate = child.fate(&err);
                self.replace(Replaced::Crashed);
                log::warn!(
                    "a converter child ended while it converted from {}: {fate} ({err})",
                    order.route.pair.from.name
                );
                // If the gate demands the end of the job by now, its reason takes precedence.
                gate.check()?;
                Ok(match fate.cause(limits.max_output) {
                    Cause::Itself => End::Finished(Err(crashed(fate.to_string()))),
                    Cause::Aborted => End::Aborted(
                        Exhausted {
                            granted: use_of_memory.granted,
                            wanted: 0,
                        },
                        fate,
                    ),
                    Cause::LimitOnFiles => {
                        End::Finished(Err(Error::unwritten(io::ErrorKind::FileTooLarge.into())))
                    }
                    Cause::Others => End::Killed,
                })
            }
        }
    }
}

/// The error of a job whose child was killed twice.
fn killed() -> Error {
    let text = "the conversion was ended from outside, perhaps because the machine has no memory left; try again later";
    Error::new(Kind::Unavailable, text)
}

/// End of one attempt at a job.
enum End {
    Finished(Result<Notes>),
    Exhausted(Exhausted),
    /// The child aborted with this memory. If no further attempt follows, the error of the job describes the
    /// [`ChildEnd`].
    Aborted(Exhausted, ChildEnd),
    /// Another process or the kernel killed the child.
    Killed,
}

impl Memory {
    /// The missing memory, if an allocation failed.
    fn exhausted(&self) -> Option<Exhausted> {
        self.wanted.map(|wanted| Exhausted {
            granted: self.granted,
            wanted,
        })
    }
}

/// An attempt at a job that lacked memory.
#[derive(Clone, Copy)]
struct Exhausted {
    /// Memory that the job had been granted, in bytes.
    granted: u64,
    /// Size of the allocation that failed, in bytes; 0 if it is unknown.
    wanted: u64,
}

impl Exhausted {
    /// The memory for the next attempt in bytes, before the limit of the budget: twice as much, counted from at least
    /// [`MIN_BASE`], or enough for the allocation that failed if that is more.
    fn next(self) -> u64 {
        (2 * self.granted.max(MIN_BASE)).max(self.granted.saturating_add(self.wanted))
    }

    /// The error of a job that lacked memory even with the whole budget.
    fn error(self, allowed: u64) -> Error {
        let text = format!(
            "the conversion needs more than the {} MiB of memory that all conversions together may use (--memory)",
            allowed >> 20
        );
        Error::new(Kind::BadInput, text)
    }
}
