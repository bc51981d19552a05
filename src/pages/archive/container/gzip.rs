//! Files that are packed with gzip (RFC 1952), in one member or in several, which are one file in pieces. The name of the file may
//! stand in the header of the first.

use super::unpacked::Unpacked;
use crate::{
    error::Result,
    job::{Input, Job},
};
use flate2::bufread::GzDecoder;
use std::io::{self, ErrorKind, Read as _};

/// Its signature, and Deflate as the method.
pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Bytes that are unpacked at once.
const STEP: usize = 64 << 10;

/// Memory of the decoder, at most: the window and the tables of Deflate, and three fields of a header with 64 KiB each.
const DECODER: usize = 256 << 10;

/// Unpacks a file, and returns its name, which may be empty.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it is cut off or damaged, or becomes too large.
pub(super) fn unpack<'a>(
    job: &'a Job<'a>,
    input: &mut dyn Input,
) -> Result<(String, Unpacked<'a>)> {
    let failed = |err: io::Error| match err.kind() {
        ErrorKind::UnexpectedEof => job.unreadable("it is cut off"),
        _ => job.unreadable(err),
    };
    input.rewind().map_err(failed)?;
    let _lease = job.lease((STEP + DECODER) as u64)?;
    let mut buffer = vec![0; STEP];
    let mut out = Unpacked::new(job);
    let mut name = String::new();
    if !begins_member(input).map_err(failed)? {
        return Err(job.unreadable("its first member has no header"));
    }
    loop {
        let mut member = GzDecoder::new(&mut *input);
        if name.is_empty() {
            let title = member.header().and_then(|header| header.filename());
            name = String::from_utf8_lossy(title.unwrap_or_default()).into_owned();
        }
        loop {
            match member.read(&mut buffer).map_err(failed)? {
                0 => break,
                len => out.append(&buffer[..len])?,
            }
        }
        // What follows the last member is padding, which gzip passes over as well.
        if !begins_member(input).map_err(failed)? {
            return Ok((name, out));
        }
    }
}

/// Returns whether a member begins at the position of the input, which stays where it is.
fn begins_member(input: &mut dyn Input) -> io::Result<bool> {
    let ready = input.fill_buf()?;
    if ready.is_empty() || ready.len() >= MAGIC.len() {
        return Ok(ready.starts_with(&MAGIC));
    }
    // The buffer ends within what may be a signature.
    let mut head = Vec::new();
    (&mut *input)
        .take(MAGIC.len() as u64)
        .read_to_end(&mut head)?;
    input.seek_relative(-(head.len() as i64))?;
    Ok(head == MAGIC)
}
