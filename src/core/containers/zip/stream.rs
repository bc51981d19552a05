//! Unpacks an entry piece by piece, in the memory of one window. Checks the checksum at the end, so a reader has
//! already used the data when it learns of damage.

use super::{
    DEFLATED, STORED,
    read::{Archive, PackedData},
};
use crate::{
    error::Result,
    job::{Input, Job, read_buffered},
};
use miniz_oxide::inflate::{TINFLStatus, core};
use std::io::{self, BufRead, Read};

/// Bytes that are unpacked at a time. A power of two, and at least 32 KiB, the largest distance of a match in Deflate
/// (RFC 1951, 2).
const WINDOW: usize = 1 << 17;

/// An entry that is being unpacked. Its errors are sentences that name the entry.
pub struct Stream<'r> {
    job: &'r Job<'r>,
    input: &'r mut dyn Input,
    name: Box<str>,
    data: PackedData,
    state: Box<core::DecompressorOxide>,
    window: Box<[u8]>,
    /// Part of the window that the caller has not consumed.
    ready: std::ops::Range<usize>,
    /// Bytes unpacked so far.
    unpacked: u64,
    checksum: crc32fast::Hasher,
    done: bool,
}

impl<'a> Archive<'a> {
    /// Begins to decompress an entry, which takes 160 KiB of memory, whatever its size.
    ///
    /// Errors: those of [`Archive::read`].
    pub fn stream(&mut self, name: &str) -> Result<Stream<'_>> {
        let (job, data) = (self.job, self.find(name)?);
        if data.method != STORED && data.method != DEFLATED {
            return Err(job.unreadable(format!(
                "the part {name:?} of the ZIP archive is compressed with a method other than Deflate"
            )));
        }
        Ok(Stream {
            job,
            input: &mut *self.input,
            name: name.into(),
            data,
            state: Box::default(),
            window: vec![0; WINDOW].into_boxed_slice(),
            ready: 0..0,
            unpacked: 0,
            checksum: crc32fast::Hasher::new(),
            done: false,
        })
    }
}

impl Stream<'_> {
    fn fail(&self, why: &str) -> io::Error {
        io::Error::other(format!("the part {:?} of the ZIP archive {why}", self.name))
    }

    /// Decompresses the next bytes into the window, after the previous ones.
    fn unpack(&mut self) -> io::Result<()> {
        let start = self.ready.end % WINDOW;
        loop {
            if self.job.check().is_err() {
                return Err(self.fail("could not be read in time"));
            }
            let packed = match self.input.fill_buf() {
                Ok(packed) => packed,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Err(err) => return Err(err),
            };
            let len = usize::try_from(self.data.packed).unwrap_or(usize::MAX);
            let packed = &packed[..packed.len().min(len)];
            let (status, read, written) = match self.data.method {
                STORED => {
                    let len = packed.len().min(WINDOW - start);
                    self.window[start..start + len].copy_from_slice(&packed[..len]);
                    let status = match packed.is_empty() {
                        true if len as u64 == self.data.packed => TINFLStatus::Done,
                        true => TINFLStatus::NeedsMoreInput,
                        false => TINFLStatus::HasMoreOutput,
                    };
                    (status, len, len)
                }
                _ => {
                    let more = packed.len() < len && !packed.is_empty();
                    let flags = match more {
                        true => core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT,
                        false => 0,
                    };
                    core::decompress(&mut self.state, packed, &mut self.window, start, flags)
                }
            };
            let at_end = packed.is_empty();
            self.input.consume(read);
            self.data.packed -= read as u64;
            self.unpacked += written as u64;
            let new = start..start + written;
            self.checksum.update(&self.window[new.clone()]);
            if self.unpacked > self.data.size {
                return Err(self.fail("is larger than the directory says"));
            }
            match status {
                TINFLStatus::Done => self.finish()?,
                TINFLStatus::HasMoreOutput => {}
                TINFLStatus::NeedsMoreInput if !at_end => {}
                TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => {
                    return Err(self.fail("is cut off"));
                }
                _ => return Err(self.fail("is damaged")),
            }
            if written > 0 || self.done {
                self.ready = new;
                return Ok(());
            }
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.done = true;
        let checksum = self.checksum.clone().finalize();
        match checksum == self.data.crc {
            true => Ok(()),
            false => Err(self.fail("is damaged: its checksum is wrong")),
        }
    }
}

impl BufRead for Stream<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.ready.is_empty() && !self.done {
            self.unpack()?;
        }
        Ok(&self.window[self.ready.clone()])
    }

    fn consume(&mut self, len: usize) {
        self.ready.start = (self.ready.start + len).min(self.ready.end);
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, out)
    }
}
