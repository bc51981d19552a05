//! Files that are compressed as one stream, or as several streams one after another, whose contents are joined: gzip
//! (RFC 1952) and bzip2. The header of a gzip stream may contain the name of the file.

use super::unpacked::Unpacked;
use crate::{
    error::Result,
    job::{Input, Job},
};
use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use std::io::{self, ErrorKind, Read};

/// Signature of gzip, and Deflate as the method.
pub(super) const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// Signature of bzip2 with the letter of its method. A digit with the block size follows.
const BZIP2: &[u8] = b"BZh";

/// Signatures that may follow the digit: that of a block, or that of the end of an empty file.
const BZIP2_NEXT: [&[u8]; 2] = [b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"];

/// Number of bytes that are decompressed at a time.
const STEP: usize = 64 << 10;

/// Limit on the memory of the gzip decoder, in bytes: the window and the tables of Deflate, and three header fields of
/// up to 64 KiB each.
const GZIP_DECODER: usize = 256 << 10;

/// Limit on the memory of the bzip2 decoder, in bytes: four bytes for each byte of a block of 900 kB, and tables.
const BZIP2_DECODER: usize = 4 << 20;

/// Decompresses a gzip file. Also returns the first name in the headers of its streams, or an empty string.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is cut off or damaged, or becomes too large.
pub(super) fn gunzip<'a>(
    job: &'a Job<'a>,
    input: &mut dyn Input,
) -> Result<(String, Unpacked<'a>)> {
    let mut name = String::new();
    let out = unpack(job, input, GZIP, GZIP_DECODER, &mut |input, read| {
        let mut stream = GzDecoder::new(input);
        if name.is_empty() {
            let title = stream.header().and_then(|header| header.filename());
            name = String::from_utf8_lossy(title.unwrap_or_default()).into_owned();
        }
        read(&mut stream)
    })?;
    Ok((name, out))
}

/// Decompresses a bzip2 file.
///
/// Errors: those of [`gunzip`].
pub(super) fn bunzip2<'a>(job: &'a Job<'a>, input: &mut dyn Input) -> Result<Unpacked<'a>> {
    unpack(job, input, BZIP2, BZIP2_DECODER, &mut |input, read| {
        read(&mut BzDecoder::new(input))
    })
}

/// Returns whether a file begins like bzip2. The three letters alone could be text, so the next signature is compared,
/// too.
pub(super) fn is_bzip2(head: &[u8]) -> bool {
    let next = head.strip_prefix(BZIP2).and_then(|rest| rest.get(1..));
    next.is_some_and(|next| BZIP2_NEXT.iter().any(|magic| next.starts_with(magic)))
}

/// Function that reads a stream to its end.
type ReadAll<'r> = &'r mut dyn FnMut(&mut dyn Read) -> Result<()>;

/// Decompresses streams as long as the next one begins with the signature `magic`. `decode` makes a decoder for the
/// next stream, and passes it to the given function, which reads it to its end. The decoder takes at most `memory`
/// bytes.
fn unpack<'a>(
    job: &'a Job<'a>,
    input: &mut dyn Input,
    magic: &[u8],
    memory: usize,
    decode: &mut dyn FnMut(&mut dyn Input, ReadAll<'_>) -> Result<()>,
) -> Result<Unpacked<'a>> {
    let failed = |err: io::Error| match err.kind() {
        ErrorKind::UnexpectedEof => job.unreadable("it is cut off"),
        _ => job.unreadable(err),
    };
    input.rewind().map_err(failed)?;
    let _lease = job.lease((STEP + memory) as u64)?;
    let mut buffer = vec![0; STEP];
    let mut out = Unpacked::new(job);
    if !begins_stream(input, magic).map_err(failed)? {
        return Err(job.unreadable("its first member has no header"));
    }
    loop {
        decode(input, &mut |stream| {
            loop {
                match stream.read(&mut buffer).map_err(failed)? {
                    0 => return Ok(()),
                    len => out.append(&buffer[..len])?,
                }
            }
        })?;
        if !begins_stream(input, magic).map_err(failed)? {
            // Other bytes after the last stream are ignored, as by the programs gzip and bzip2. They are counted, but
            // if all of them are zeros, they are padding and count as 0.
            let mut left = 0;
            let mut is_padding = true;
            loop {
                job.check()?;
                match input.read(&mut buffer).map_err(failed)? {
                    0 => break,
                    len => {
                        left += len as u64;
                        is_padding &= buffer[..len].iter().all(|byte| *byte == 0);
                    }
                }
            }
            out.ignored = if is_padding { 0 } else { left };
            return Ok(out);
        }
    }
}

/// Returns whether a stream begins at the position of the input. The position stays the same.
fn begins_stream(input: &mut dyn Input, magic: &[u8]) -> io::Result<bool> {
    let ready = input.fill_buf()?;
    if ready.is_empty() || ready.len() >= magic.len() {
        return Ok(ready.starts_with(magic));
    }
    // The buffer is shorter than the signature, so more bytes are read, and the position is restored afterwards.
    let mut head = Vec::new();
    (&mut *input)
        .take(magic.len() as u64)
        .read_to_end(&mut head)?;
    input.seek_relative(-(head.len() as i64))?;
    Ok(head == magic)
}
