//! Writes ZIP archives. Never stores the current time: every entry has the same date, so that equal entries give equal
//! archives.

use super::{
    DEFLATED, STORED,
    parts::{Member, NO_DATE, directory_end},
};
use crate::{
    error::{Error, Result},
    job::{Job, Output},
};
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};
use std::io::SeekFrom;

/// Deflate level, from 0 to 9. The next level saves 1 % on text and takes half as long again.
const LEVEL: i32 = 6;

/// Bytes that are packed between two checks of the job's deadline.
const STEP: usize = 1 << 18;

/// How an entry is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Not compressed: for pictures, which are compressed already, and for entries that others recognise by their raw bytes.
    Stored,
    /// Compressed with Deflate.
    Deflated,
}

/// An archive that is being written.
pub(crate) struct Writer<'a> {
    job: &'a Job<'a>,
    output: &'a mut dyn Output,
    directory: Vec<u8>,
    entries: u64,
}

impl<'a> Writer<'a> {
    /// Begins an empty archive.
    pub(crate) fn new(job: &'a Job<'a>, output: &'a mut dyn Output) -> Self {
        Self {
            job,
            output,
            directory: Vec::new(),
            entries: 0,
        }
    }

    /// Adds an entry. Takes some hundred KiB of memory besides `bytes`.
    pub(crate) fn add(&mut self, name: &str, bytes: &[u8], packing: Packing) -> Result<()> {
        let start = self.position()?;
        let mut member = Member {
            name: name.into(),
            method: match packing {
                Packing::Stored => STORED,
                Packing::Deflated => DEFLATED,
            },
            modified: NO_DATE,
            crc: crc32fast::hash(bytes),
            packed: bytes.len() as u64,
            size: bytes.len() as u64,
            start,
        };
        self.write(&member.local_header())?;
        match packing {
            Packing::Stored => self.write(bytes)?,
            Packing::Deflated => {
                self.deflate(bytes)?;
                let end = self.position()?;
                member.packed = end - start - member.local_header_len();
                self.seek(start)?;
                self.write(&member.local_header())?;
                self.seek(end)?;
            }
        }
        self.entries += 1;
        self.directory.extend(member.directory_entry());
        Ok(())
    }

    /// Writes the directory, which completes the archive.
    pub(crate) fn finish(mut self) -> Result<()> {
        let start = self.position()?;
        let directory = std::mem::take(&mut self.directory);
        self.write(&directory)?;
        self.write(&directory_end(self.entries, directory.len() as u64, start))
    }

    fn deflate(&mut self, bytes: &[u8]) -> Result<()> {
        let flags = create_comp_flags_from_zip_params(LEVEL, 0, 0);
        let mut state = Box::new(CompressorOxide::new(flags));
        let mut failed = None;
        let mut rest = bytes;
        loop {
            self.job.check()?;
            let step = &rest[..rest.len().min(STEP)];
            rest = &rest[step.len()..];
            let flush = if rest.is_empty() {
                TDEFLFlush::Finish
            } else {
                TDEFLFlush::None
            };
            let output = &mut *self.output;
            let (status, _) = compress_to_output(&mut state, step, flush, |packed| {
                output
                    .write_all(packed)
                    .map_err(|err| failed = Some(err))
                    .is_ok()
            });
            match status {
                TDEFLStatus::Okay => {}
                TDEFLStatus::Done => return Ok(()),
                _ => {
                    let cause = failed.unwrap_or_else(|| std::io::Error::other("Deflate failed"));
                    return Err(Error::storage("the result could not be written", cause));
                }
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.output.write_all(bytes).map_err(unwritten)
    }

    fn seek(&mut self, position: u64) -> Result<()> {
        self.output
            .seek(SeekFrom::Start(position))
            .map_err(unwritten)?;
        Ok(())
    }

    fn position(&mut self) -> Result<u64> {
        self.output.stream_position().map_err(unwritten)
    }
}

fn unwritten(err: std::io::Error) -> Error {
    Error::storage("the result could not be written", err)
}
