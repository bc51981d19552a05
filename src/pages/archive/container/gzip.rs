//! Files that are packed with gzip (RFC 1952), in one member or in several, which are one file in pieces. The name of the file may
//! stand in the header of the first.

use super::unpacked::Unpacked;
use crate::{
    error::Result,
    job::{Input, Job},
};
use miniz_oxide::{
    DataFormat, MZError, MZFlush, MZStatus,
    inflate::stream::{InflateState, inflate},
};
use std::io::{self, BufRead as _, Read as _};

/// Its signature, and Deflate as the method.
pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Flags of the header (2.3.1).
const CHECKSUM: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

/// The longest name or comment, in bytes.
const LONGEST: u64 = 1 << 16;

/// Bytes that are unpacked at once.
const STEP: usize = 64 << 10;

/// Unpacks a file, and returns its name, which may be empty.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it is cut off or damaged, or becomes too large.
pub(super) fn unpack<'a>(
    job: &'a Job<'a>,
    input: &mut dyn Input,
) -> Result<(String, Unpacked<'a>)> {
    let cut_off = |_: io::Error| job.unreadable("it is cut off");
    input.rewind().map_err(cut_off)?;
    let _lease = job.lease((STEP + size_of::<InflateState>()) as u64)?;
    let mut out = Unpacked::new(job);
    let mut name = String::new();
    loop {
        let title = header(input).map_err(cut_off)?;
        let Some(title) = title else {
            // What follows the last member is padding, which gzip passes over as well.
            if out.len() == 0 {
                return Err(job.unreadable("its first member has no header"));
            }
            return Ok((name, out));
        };
        if name.is_empty() {
            name = title;
        }
        member(job, input, &mut out)?;
        if input.fill_buf().map_err(cut_off)?.is_empty() {
            return Ok((name, out));
        }
    }
}

/// Reads the header of a member, and returns the name in it. `None` if there is no header.
fn header(input: &mut dyn Input) -> io::Result<Option<String>> {
    let mut fixed = [0; 10];
    let mut len = 0;
    while len < fixed.len() {
        match input.read(&mut fixed[len..])? {
            0 => return Ok(None),
            read => len += read,
        }
    }
    if !fixed.starts_with(&MAGIC) {
        return Ok(None);
    }
    let flags = fixed[3];
    if flags & EXTRA != 0 {
        let mut len = [0; 2];
        input.read_exact(&mut len)?;
        input.seek_relative(u16::from_le_bytes(len).into())?;
    }
    let mut name = Vec::new();
    if flags & NAME != 0 {
        (&mut *input).take(LONGEST).read_until(0, &mut name)?;
        name.pop();
    }
    if flags & COMMENT != 0 {
        (&mut *input).take(LONGEST).read_until(0, &mut Vec::new())?;
    }
    if flags & CHECKSUM != 0 {
        input.read_exact(&mut [0; 2])?;
    }
    Ok(Some(String::from_utf8_lossy(&name).into_owned()))
}

/// Unpacks the data of a member, and compares its checksum and its length.
fn member(job: &Job<'_>, input: &mut dyn Input, out: &mut Unpacked<'_>) -> Result<()> {
    let cut_off = |_: io::Error| job.unreadable("it is cut off");
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let mut buffer = vec![0; STEP];
    let mut checksum = crc32fast::Hasher::new();
    let mut len = 0_u32;
    loop {
        let ready = input.fill_buf().map_err(cut_off)?;
        let is_over = ready.is_empty();
        let done = inflate(&mut state, ready, &mut buffer, MZFlush::None);
        input.consume(done.bytes_consumed);
        let made = &buffer[..done.bytes_written];
        checksum.update(made);
        len = len.wrapping_add(made.len() as u32);
        out.append(made)?;
        match done.status {
            Ok(MZStatus::StreamEnd) => break,
            Ok(_) | Err(MZError::Buf) if is_over && made.is_empty() => {
                return Err(job.unreadable("it is cut off"));
            }
            Ok(_) | Err(MZError::Buf) => {}
            Err(_) => return Err(job.unreadable("its data is damaged")),
        }
    }
    let mut trailer = [0; 8];
    input.read_exact(&mut trailer).map_err(cut_off)?;
    let expected = [checksum.finalize().to_le_bytes(), len.to_le_bytes()].concat();
    if trailer[..] != expected[..] {
        return Err(job.unreadable("its data is damaged: the checksum is wrong"));
    }
    Ok(())
}
