//! Writes ZIP archives. Never stores the current time: every entry has the same date, so that equal entries give equal
//! archives.

use super::{DEFLATED, DIRECTORY_END, DIRECTORY_ENTRY, LOCAL_HEADER, STORED};
use crate::{
    error::{Error, Kind, Result},
    job::{Job, Output},
};
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};
use std::io::SeekFrom;

/// 1 January 1980, the earliest date that an entry can have (4.4.6).
const DATE: u16 = 1 << 5 | 1;

/// Deflate level, from 0 to 9. The next level saves 1 % on text and takes half as long again.
const LEVEL: i32 = 6;

/// Bytes that are packed between two checks of the job's deadline.
const STEP: usize = 1 << 18;

/// The flag for names in UTF-8 (4.4.4, bit 11).
const UTF8: u16 = 1 << 11;

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
    entries: u16,
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
    ///
    /// Errors: [`Kind::BadInput`] for more than 65,534 entries or more than 4 GiB, either of which would need ZIP64.
    pub(crate) fn add(&mut self, name: &str, bytes: &[u8], packing: Packing) -> Result<()> {
        let method = match packing {
            Packing::Stored => STORED,
            Packing::Deflated => DEFLATED,
        };
        let start = self.position()?;
        let mut header = Vec::with_capacity(30 + name.len());
        header.extend(LOCAL_HEADER);
        let common = |packed: u32| -> Result<Vec<u8>> {
            let mut fields = Vec::with_capacity(26);
            for field in [20, UTF8, method, 0, DATE] {
                fields.extend(u16::to_le_bytes(field));
            }
            fields.extend(crc32fast::hash(bytes).to_le_bytes());
            fields.extend(packed.to_le_bytes());
            fields.extend(small(bytes.len() as u64)?.to_le_bytes());
            fields.extend((name.len() as u16).to_le_bytes());
            fields.extend([0; 2]);
            Ok(fields)
        };
        header.extend(common(0)?);
        header.extend(name.as_bytes());
        self.write(&header)?;
        match packing {
            Packing::Stored => self.write(bytes)?,
            Packing::Deflated => self.deflate(bytes)?,
        }
        let end = self.position()?;
        let packed = small(end - start - header.len() as u64)?;
        self.seek(start + 18)?;
        self.write(&packed.to_le_bytes())?;
        self.seek(end)?;

        self.entries = self
            .entries
            .checked_add(1)
            .filter(|all| *all < u16::MAX)
            .ok_or_else(too_large)?;
        self.directory.extend(DIRECTORY_ENTRY);
        self.directory.extend(20_u16.to_le_bytes());
        self.directory.extend(common(packed)?);
        // Lengths of the extra field and the comment, disk number, and attributes: all 0.
        self.directory.extend([0; 10]);
        self.directory.extend(small(start)?.to_le_bytes());
        self.directory.extend(name.as_bytes());
        Ok(())
    }

    /// Writes the directory, which completes the archive.
    pub(crate) fn finish(mut self) -> Result<()> {
        let start = small(self.position()?)?;
        let directory = std::mem::take(&mut self.directory);
        self.write(&directory)?;
        let mut end = Vec::with_capacity(22);
        end.extend(DIRECTORY_END);
        end.extend([0; 4]);
        end.extend(self.entries.to_le_bytes());
        end.extend(self.entries.to_le_bytes());
        end.extend((directory.len() as u32).to_le_bytes());
        end.extend(start.to_le_bytes());
        end.extend([0; 2]);
        self.write(&end)
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

fn small(number: u64) -> Result<u32> {
    u32::try_from(number).map_err(|_| too_large())
}

fn too_large() -> Error {
    Error::new(
        Kind::BadInput,
        "the result would have more than 65,534 parts or more than 4 GiB, the most that its ZIP archive can hold; convert the document in parts",
    )
}
