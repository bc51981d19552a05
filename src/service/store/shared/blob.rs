//! Bytes in Redis: files in pieces, one hash for each file, so that all pieces of a file expire and are removed
//! together. Makes no decisions about conversions.
//!
//! A piece has 131,008 bytes, 64 less than 128 KiB: with Redis's own header it then fits the allocator's class of 128
//! KiB, while a piece of a full 128 KiB would occupy 160 KiB. Among sizes from 64 KiB to 1 MiB it is also one of the
//! fastest.

use super::{
    connection::Batch,
    pool::{Fault, Link},
    wire::Reply,
};
use std::{fs::File, io, ops::Range, os::unix::fs::FileExt};

/// The length of a piece, in bytes.
pub(super) const PIECE: u64 = 131_008;
/// Lifetime of an unfinished file, in seconds.
const UNFINISHED: &[u8] = b"60";
/// Number of pieces after which the lifetime of an unfinished file starts again.
const RENEWED: u64 = 8;

/// Reasons why a file cannot be written or read.
#[derive(Debug)]
pub(super) enum Trouble {
    Redis(Fault),
    Disk(io::Error),
    /// A piece is missing: removed, or never stored.
    Gone,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Redis(fault)
    }
}

/// A stored file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    /// The number of pieces.
    pub(super) pieces: u64,
    /// The CRC-32 of all bytes.
    pub(super) checksum: u32,
}

/// Stores the first `len` bytes of a file, followed by the step that `then` adds. That step records what the bytes are
/// for, and is sent before Redis has answered for the last piece. Returns the reply to that step. If Redis refuses a
/// request, or the file cannot be read, the stored pieces are removed.
///
/// A broken connection can make everything be sent a second time, even after the step was done. So the step must be
/// harmless when it is repeated, and must set the expiry of the file again.
pub(super) fn put(
    link: &Link,
    key: &str,
    file: &File,
    len: u64,
    then: impl Fn(Stored, &mut Batch),
) -> Result<Reply, Trouble> {
    let pieces = len.div_ceil(PIECE);
    let mut checksum = crc32fast::Hasher::new();
    let mut piece = Vec::new();
    let mut reply = Reply::Nothing;
    let done = link.stream(
        pieces.max(1),
        |at, batch| {
            if at == 0 {
                checksum.reset();
            }
            let from = at * PIECE;
            if at == 0 && pieces > 0 {
                // The file gets its time to live together with its first field and before its bytes, so that an
                // instance that is killed while it sends them leaves nothing permanent.
                batch.add(&[b"HSET", key.as_bytes(), b"0", b""]);
                batch.add(&[b"EXPIRE", key.as_bytes(), UNFINISHED]);
            }
            if at < pieces {
                piece.resize(PIECE.min(len - from) as usize, 0);
                file.read_exact_at(&mut piece, from)
                    .map_err(Trouble::Disk)?;
                checksum.update(&piece);
                let name = at.to_string();
                batch.add(&[b"HSET", key.as_bytes(), name.as_bytes(), &piece]);
                if at > 0 && at % RENEWED == 0 {
                    batch.add(&[b"EXPIRE", key.as_bytes(), UNFINISHED]);
                }
            }
            if at + 1 >= pieces {
                let checksum = checksum.clone().finalize();
                then(Stored { pieces, checksum }, batch);
            }
            Ok(())
        },
        |_, mut replies| {
            reply = replies.pop().unwrap_or(Reply::Nothing);
            Ok(())
        },
    );
    if let Err(trouble) = done {
        // If Redis fell silent, it may have done the step, and the pieces must stay. If this removal fails, they
        // expire.
        if !matches!(trouble, Trouble::Redis(Fault::Away(_))) {
            let _ = link.run(|batch| batch.add(&[b"UNLINK", key.as_bytes()]));
        }
        return Err(trouble);
    }
    Ok(reply)
}

/// Returns whether one piece holds all of `range`. The step `claim` of the script decides it by the same rule.
pub(super) fn is_one_piece(range: &Range<u64>) -> bool {
    !range.is_empty() && piece_at(range.start) == piece_at(range.end - 1)
}

/// The number of the piece that holds this byte.
pub(super) fn piece_at(byte: u64) -> u64 {
    byte / PIECE
}

/// Writes `bytes`, the piece in which `range` begins, to its position in a file. Returns the start of the rest of
/// `range`, at most `range.end`.
pub(super) fn put_piece(bytes: &[u8], range: &Range<u64>, into: &File) -> io::Result<u64> {
    let start = piece_at(range.start) * PIECE;
    into.write_all_at(bytes, start)?;
    Ok((start + bytes.len() as u64).min(range.end))
}

/// Fetches the pieces that hold `range`, and writes them to their positions in a file.
pub(super) fn get(link: &Link, key: &str, range: &Range<u64>, into: &File) -> Result<(), Trouble> {
    if range.is_empty() {
        return Ok(());
    }
    let first = piece_at(range.start);
    let end = range.end.div_ceil(PIECE);
    link.stream(
        end.saturating_sub(first),
        |at, batch| {
            let name = (first + at).to_string();
            batch.add(&[b"HGET", key.as_bytes(), name.as_bytes()]);
            Ok(())
        },
        |at, mut replies| match replies.pop() {
            Some(Reply::Text(bytes)) => into
                .write_all_at(&bytes, (first + at) * PIECE)
                .map_err(Trouble::Disk),
            Some(_) | None => Err(Trouble::Gone),
        },
    )
}
