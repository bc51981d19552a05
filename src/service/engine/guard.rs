//! Readers and writers that stop a converter from outside: they check the job's gate before each read and each write.
//! They have no buffers.
//!
//! No decoder can be cancelled, but every one stops when its input or its output fails. The trap is that codecs wrap,
//! replace or drop the I/O errors that they meet, so the true reason is kept in a [`StopReason`] and replaces the
//! converter's result.

use crate::error::{Error, Result};
use crate::job::{Gate, Input, Output, too_large};
use std::{
    io::{self, BufRead, Read, Seek, SeekFrom, Write},
    sync::{Mutex, PoisonError},
};

/// Reason for which a job was stopped, if it was. It is kept here because codecs wrap or drop the errors of their
/// readers.
#[derive(Debug, Default)]
pub(crate) struct StopReason(Mutex<Option<Error>>);

impl StopReason {
    /// Returns the reason for which the job was stopped or, if it was not, the job's own `result`.
    pub(crate) fn or<T>(self, result: Result<T>) -> Result<T> {
        match self.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => result,
        }
    }

    /// Keeps the first reason, and returns an error for the codec, which may wrap or drop it.
    fn stop(&self, error: Error) -> io::Error {
        let text = error.message().to_owned();
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(error);
        io::Error::other(text)
    }
}

/// An input that fails as soon as the job's gate demands the end of the job.
pub(crate) struct GuardedInput<'a, I> {
    inner: I,
    gate: &'a dyn Gate,
    verdict: &'a StopReason,
}

impl<'a, I: Input> GuardedInput<'a, I> {
    pub(crate) fn new(inner: I, gate: &'a dyn Gate, verdict: &'a StopReason) -> Self {
        Self {
            inner,
            gate,
            verdict,
        }
    }

    /// Checks the gate. Called before every access to the file.
    fn check(&self) -> io::Result<()> {
        self.gate.check().map_err(|error| self.verdict.stop(error))
    }
}

impl<I: Input> Read for GuardedInput<'_, I> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        self.inner.read(out)
    }
}

impl<I: Input> BufRead for GuardedInput<'_, I> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        self.inner.consume(len);
    }
}

impl<I: Input> Seek for GuardedInput<'_, I> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.check()?;
        self.inner.seek(to)
    }
}

/// An output that fails as soon as the job's gate demands the end of the job, or when a write would reach beyond the
/// position `limit`.
pub(crate) struct GuardedOutput<'a, O> {
    inner: O,
    gate: &'a dyn Gate,
    verdict: &'a StopReason,
    /// Position of the next byte. The limit applies to positions, because a format may write its header last.
    position: u64,
    limit: u64,
}

impl<'a, O: Output> GuardedOutput<'a, O> {
    pub(crate) fn new(inner: O, limit: u64, gate: &'a dyn Gate, verdict: &'a StopReason) -> Self {
        Self {
            inner,
            gate,
            verdict,
            position: 0,
            limit,
        }
    }
}

impl<O: Output> Write for GuardedOutput<'_, O> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.gate
            .check()
            .map_err(|error| self.verdict.stop(error))?;
        if self.position + bytes.len() as u64 > self.limit {
            return Err(self.verdict.stop(too_large(self.limit)));
        }
        let written = self.inner.write(bytes).map_err(|err| match err.kind() {
            io::ErrorKind::Interrupted => err,
            _ => self.verdict.stop(Error::unwritten(err)),
        })?;
        self.position += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<O: Output> Seek for GuardedOutput<'_, O> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.inner.seek(to)?;
        Ok(self.position)
    }
}

impl<O: Output> Output for GuardedOutput<'_, O> {
    fn clear(&mut self) -> io::Result<()> {
        self.position = 0;
        self.inner.clear()
    }
}
