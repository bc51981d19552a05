//! Presents a part of the input as a stream of its own. Reading and seeking are limited to that part, and reading fails
//! after the job was cancelled.
//!
//! Symphonia's demultiplexers want to own their input and to be able to read it from any thread, but the job's input is
//! borrowed. This type wraps it for them. It can be narrowed to a smaller part, which hides tags before and after the
//! sound, or the file around a chunk.

use convertd_core::job::{Gate, Input};
use std::{
    io::{self, BufRead, Read, Seek, SeekFrom},
    sync::Mutex,
};
use symphonia::core::io::MediaSource;

/// Bytes `start..end` of the input, which a demultiplexer can own for as long as the conversion lasts.
///
/// The mutex is never locked. It only makes the borrowed input `Sync`, which the trait `MediaSource` requires.
pub(crate) struct Stream<'a> {
    input: Mutex<&'a mut dyn Input>,
    gate: &'a dyn Gate,
    start: u64,
    end: u64,
    position: u64,
}

impl<'a> Stream<'a> {
    /// Makes a stream of the whole input, at its beginning.
    pub(crate) fn new(input: &'a mut dyn Input, gate: &'a dyn Gate) -> io::Result<Self> {
        let end = input.seek(SeekFrom::End(0))?;
        input.seek(SeekFrom::Start(0))?;
        Ok(Self {
            input: Mutex::new(input),
            gate,
            start: 0,
            end,
            position: 0,
        })
    }

    /// Returns the [`Gate`] of the job. Loops over bytes that have been read use it to check whether the job was
    /// cancelled.
    pub(crate) fn gate(&self) -> &'a dyn Gate {
        self.gate
    }

    /// Returns the length of the part in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.end - self.start
    }

    /// Returns the number of bytes between the position and the end of the part.
    pub(crate) fn left(&self) -> u64 {
        self.len().saturating_sub(self.position)
    }

    /// Returns the position in bytes, counted from the beginning of the part.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Narrows the part to its bytes `start..end`, and goes to the beginning of the new part.
    pub(crate) fn narrow(&mut self, start: u64, end: u64) -> io::Result<()> {
        let whole = self.len();
        self.end = self.start + end.min(whole);
        self.start = (self.start + start).min(self.end);
        self.seek(SeekFrom::Start(0))?;
        Ok(())
    }

    /// Skips `bytes` bytes.
    pub(crate) fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let to = self.position.saturating_add(bytes);
        self.seek(SeekFrom::Start(to)).map(drop)
    }

    /// Reads exactly `N` bytes.
    pub(crate) fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads up to `limit` bytes, and fewer only at the end of the part.
    pub(crate) fn up_to(&mut self, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(limit.min(self.left()) as usize);
        self.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn input(&mut self) -> &mut dyn Input {
        match self.input.get_mut() {
            Ok(input) => *input,
            Err(poisoned) => *poisoned.into_inner(),
        }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.gate.check().map_err(io::Error::other)?;
        let wanted = (buffer.len() as u64).min(self.left()) as usize;
        let read = self.input().read(&mut buffer[..wanted])?;
        self.position += read as u64;
        Ok(read)
    }
}

impl BufRead for Stream<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.gate.check().map_err(io::Error::other)?;
        let left = usize::try_from(self.left()).unwrap_or(usize::MAX);
        let bytes = self.input().fill_buf()?;
        Ok(&bytes[..bytes.len().min(left)])
    }

    fn consume(&mut self, amount: usize) {
        self.input().consume(amount);
        self.position += amount as u64;
    }
}

impl Seek for Stream<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => self.len().checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        let target = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        // A position beyond the end is allowed; nothing can be read there.
        let absolute = self.start.saturating_add(target).min(self.end);
        self.input().seek(SeekFrom::Start(absolute))?;
        self.position = target;
        Ok(target)
    }
}

impl MediaSource for Stream<'_> {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_core::{
        error::{Error, Kind, Result},
        job::{Need, Progress, Unlimited},
    };
    use std::io::Cursor;

    struct Closed;

    impl Gate for Closed {
        fn reserve(&self, _: Need) -> Result<()> {
            Ok(())
        }

        fn check(&self) -> Result<()> {
            Err(Error::new(Kind::Busy, "the time is over"))
        }

        fn progress(&self, _: Progress) {}
    }

    #[test]
    fn only_the_part_can_be_read() {
        let mut input = Cursor::new(b"0123456789".to_vec());
        let mut stream = Stream::new(&mut input, &Unlimited).unwrap();
        stream.narrow(2, 8).unwrap();
        stream.narrow(1, 100).unwrap();
        assert_eq!(stream.up_to(100).unwrap(), b"34567");
        stream.seek(SeekFrom::End(-1)).unwrap();
        assert_eq!(stream.array::<1>().unwrap(), *b"7");
        stream.skip(50).unwrap();
        assert_eq!(stream.up_to(1).unwrap(), b"");
        assert!(stream.seek(SeekFrom::End(-6)).is_err());
    }

    #[test]
    fn reading_fails_after_the_job_was_stopped() {
        let mut input = Cursor::new(vec![0; 10]);
        let mut stream = Stream::new(&mut input, &Closed).unwrap();
        assert!(stream.array::<1>().is_err());
    }
}
