//! Writes ZIP archives. Never stores the current time: every entry has the same date, so that equal entries give equal
//! archives.

use super::{
    DEFLATED, STORED,
    parts::{Member, NO_DATE, directory_end},
};
use crate::{
    error::{Error, Kind, Result},
    job::{Job, Output},
};
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};
use std::io::{self, SeekFrom};

/// Deflate level, from 0 to 9. Level 7 makes text 1 % smaller and takes 1.5 times as long.
pub const LEVEL: i32 = 6;

/// Bytes that are packed between two checks of the job's deadline.
const STEP: usize = 1 << 18;

/// Storage of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Stored without compression: for pictures, which are compressed already, and for entries that other programs
    /// recognise by their raw bytes.
    Stored,
    /// Compressed with Deflate.
    Deflated,
}

impl Packing {
    /// Packing of a picture in an office package, by its media type.
    pub fn of_picture(media_type: &str) -> Self {
        match media_type {
            "image/png" | "image/jpeg" | "image/gif" | "image/webp" => Self::Stored,
            _ => Self::Deflated,
        }
    }
}

/// An archive that is being written.
pub struct Writer<'a> {
    job: &'a Job<'a>,
    output: &'a mut dyn Output,
    directory: Vec<u8>,
    entries: u64,
    /// Unpacked size of the complete entries, in bytes.
    written: u64,
    open: Option<Open>,
}

/// Writes into the current entry, for code that writes to any [`io::Write`].
impl io::Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.append(bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The entry that is being written.
struct Open {
    /// Fields of the entry's records; `size` grows with each [`append`](Writer::append).
    member: Member,
    /// Length in bytes of the local header, which is already written before the data.
    header_len: u64,
    checksum: crc32fast::Hasher,
    /// Bytes since the last check of the job's deadline.
    unchecked: usize,
    /// Compressor of the entry; `None` if the entry is stored.
    compressor: Option<Box<CompressorOxide>>,
}

impl<'a> Writer<'a> {
    /// Begins an empty archive.
    pub fn new(job: &'a Job<'a>, output: &'a mut dyn Output) -> Self {
        Self {
            job,
            output,
            directory: Vec::new(),
            entries: 0,
            written: 0,
            open: None,
        }
    }

    /// Adds an entry. Takes some hundred KiB of memory besides `bytes`.
    pub fn add(&mut self, name: &str, bytes: &[u8], packing: Packing) -> Result<()> {
        let level = match packing {
            Packing::Stored => None,
            Packing::Deflated => Some(LEVEL),
        };
        self.open(name, level, bytes.len() as u64)?;
        self.append(bytes)?;
        self.end()
    }

    /// Begins an entry whose bytes come piece by piece. `level` (1 to 9) is the level of Deflate; `None` stores the
    /// entry. The entry can have almost 4 GiB.
    pub fn begin(&mut self, name: &str, level: Option<i32>) -> Result<()> {
        self.open(name, level, 0)
    }

    /// Begins an entry of about `size` bytes. The size decides whether the local header needs the longer form of ZIP64.
    fn open(&mut self, name: &str, level: Option<i32>, size: u64) -> Result<()> {
        let mut member = Member {
            name: name.into(),
            method: if level.is_some() { DEFLATED } else { STORED },
            modified: NO_DATE,
            crc: 0,
            packed: size,
            size,
            start: self.position()?,
        };
        let header = member.local_header();
        self.put(&header)?;
        member.size = 0;
        self.open = Some(Open {
            member,
            header_len: header.len() as u64,
            checksum: crc32fast::Hasher::new(),
            unchecked: 0,
            compressor: level.map(|level| {
                let flags = create_comp_flags_from_zip_params(level, 0, 0);
                Box::new(CompressorOxide::new(flags))
            }),
        });
        Ok(())
    }

    /// Appends bytes to the current entry.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        for step in bytes.chunks(STEP) {
            let Some(open) = &mut self.open else {
                return Err(Error::internal("no entry was begun", "ZIP"));
            };
            open.unchecked += step.len();
            if open.unchecked >= STEP {
                open.unchecked = 0;
                self.job.check()?;
                self.job
                    .check_growth(self.written.saturating_add(open.member.size))?;
            }
            open.checksum.update(step);
            open.member.size += step.len() as u64;
            match &mut open.compressor {
                None => self.output.write_all(step).map_err(Error::unwritten)?,
                Some(state) => deflate(state, step, TDEFLFlush::None, self.output)?,
            }
        }
        Ok(())
    }

    /// Ends the current entry.
    ///
    /// Errors: [`Kind::BadInput`] if it has become too large for its local header.
    pub fn end(&mut self) -> Result<()> {
        let Some(mut open) = self.open.take() else {
            return Err(Error::internal("no entry was begun", "ZIP"));
        };
        if let Some(mut state) = open.compressor.take() {
            deflate(&mut state, &[], TDEFLFlush::Finish, self.output)?;
        }
        let end = self.position()?;
        let mut member = open.member;
        member.crc = open.checksum.finalize();
        member.packed = end - member.start - open.header_len;
        let header = member.local_header();
        if header.len() as u64 != open.header_len {
            return Err(too_large());
        }
        self.seek(member.start)?;
        self.put(&header)?;
        self.seek(end)?;
        self.entries += 1;
        self.written = self.written.saturating_add(member.size);
        self.directory.extend(member.directory_entry());
        Ok(())
    }

    /// Writes the directory, which completes the archive.
    pub fn finish(mut self) -> Result<()> {
        let start = self.position()?;
        let directory = std::mem::take(&mut self.directory);
        self.put(&directory)?;
        self.put(&directory_end(self.entries, directory.len() as u64, start))
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.output.write_all(bytes).map_err(Error::unwritten)
    }

    fn seek(&mut self, position: u64) -> Result<()> {
        self.output
            .seek(SeekFrom::Start(position))
            .map_err(Error::unwritten)?;
        Ok(())
    }

    fn position(&mut self) -> Result<u64> {
        self.output.stream_position().map_err(Error::unwritten)
    }
}

/// Compresses bytes to the output, and returns the error of the output rather than that of the compressor.
fn deflate(
    state: &mut CompressorOxide,
    bytes: &[u8],
    flush: TDEFLFlush,
    output: &mut dyn Output,
) -> Result<()> {
    let mut failed = None;
    let (status, _) = compress_to_output(state, bytes, flush, |packed| {
        output
            .write_all(packed)
            .map_err(|err| failed = Some(err))
            .is_ok()
    });
    match status {
        TDEFLStatus::Okay | TDEFLStatus::Done => Ok(()),
        _ => {
            let cause = failed.unwrap_or_else(|| std::io::Error::other("Deflate failed"));
            Err(Error::unwritten(cause))
        }
    }
}

fn too_large() -> Error {
    Error::new(
        Kind::BadInput,
        "a part of the result would be larger than 4 GiB, the limit of a ZIP archive; convert the file in parts",
    )
}
