//! The memory gate for one file of an archive. What its converter reserves is added to what the archive holds already, and
//! its result stays in memory until it is complete. Grants nothing itself; it asks the job's gate.
//!
//! A request for more memory than the service has in total would end the whole job. Such a request is refused here instead,
//! so that only this file is left out.

use crate::{
    error::{Error, Kind, Result},
    job::{Gate, Job, Need, Pair, Progress, Task, too_large},
};
use std::{
    io::{self, Cursor, Seek, SeekFrom, Write},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The step, in bytes, in which memory for a growing result is reserved.
const STEP: u64 = 4 << 20;

/// The gate of one file, which passes requests on to the job's gate.
pub(crate) struct Share<'a> {
    outer: &'a dyn Gate,
    held: Mutex<Held>,
}

/// The memory in use, in bytes.
#[derive(Clone, Copy)]
struct Held {
    /// The directory of the archive and the decompressed file.
    before: u64,
    /// The converter's current request.
    need: u64,
    /// The memory reserved for the result.
    result: u64,
}

impl Held {
    fn sum(self) -> u64 {
        // A growing buffer is copied, so for a moment it needs twice its size.
        self.before
            .saturating_add(self.need)
            .saturating_add(self.result.saturating_mul(2))
    }
}

impl<'a> Share<'a> {
    /// Creates a share that holds `before` bytes.
    pub(crate) fn new(outer: &'a dyn Gate, before: u64) -> Result<Self> {
        let share = Self {
            outer,
            held: Mutex::new(Held {
                before,
                need: 0,
                result: 0,
            }),
        };
        share.ask(|_| {})?;
        Ok(share)
    }

    /// The job of converting one file of `input_len` bytes, behind this gate.
    pub(crate) fn job<'j>(
        &'j self,
        whole: &Job<'_>,
        task: &'j Task,
        pair: &Pair,
        input_len: u64,
    ) -> Job<'j> {
        Job {
            task,
            from: pair.from,
            to: pair.to,
            input_len,
            spare_threads: whole.spare_threads,
            gate: self,
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, change: impl FnOnce(&mut Held)) -> Result<()> {
        let memory = {
            let mut held = self.held();
            change(&mut held);
            held.sum()
        };
        let most = self.outer.max_memory();
        // Requests are estimates for the worst case. The job's gate attempts those of up to twice the budget, so this one
        // lets them pass.
        if memory / 2 > most {
            let text = format!(
                "it needs {} MiB of memory, more than the {} MiB allowed for all (--memory)",
                memory >> 20,
                most >> 20
            );
            return Err(Error::new(Kind::BadInput, text));
        }
        self.outer.reserve(Need { memory })
    }
}

impl Gate for Share<'_> {
    fn reserve(&self, need: Need) -> Result<()> {
        self.ask(|held| held.need = need.memory)
    }

    fn max_output(&self) -> u64 {
        self.outer.max_output()
    }

    fn max_memory(&self) -> u64 {
        self.outer.max_memory()
    }

    fn check(&self) -> Result<()> {
        self.outer.check()
    }

    fn progress(&self, _: Progress) {
        // The progress within a file is not progress of the job, which counts files.
    }
}

/// An output file in memory.
pub(crate) struct InMemory<'s> {
    share: &'s Share<'s>,
    bytes: Cursor<Vec<u8>>,
    asked: u64,
    failed: Option<Error>,
}

impl<'s> InMemory<'s> {
    pub(crate) fn new(share: &'s Share<'s>) -> Self {
        Self {
            share,
            bytes: Cursor::new(Vec::new()),
            asked: 0,
            failed: None,
        }
    }

    /// The bytes, or the error that stopped the output.
    pub(crate) fn finish(self) -> Result<Vec<u8>> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.bytes.into_inner()),
        }
    }

    fn grow(&mut self, len: u64) -> Result<()> {
        let most = self.share.max_output();
        if len > most {
            return Err(too_large(most));
        }
        if len > self.asked {
            self.asked = len.next_multiple_of(STEP).max(self.asked.saturating_mul(2));
            let asked = self.asked;
            self.share.ask(|held| held.result = asked)?;
        }
        Ok(())
    }
}

impl Write for InMemory<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = self.bytes.position().saturating_add(bytes.len() as u64);
        if let Err(error) = self.grow(end) {
            let text = error.message().to_owned();
            self.failed.get_or_insert(error);
            return Err(io::Error::other(text));
        }
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for InMemory<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}
