//! Bytes in the engine: files in pieces, one hash for each file, so that a file appears, expires and goes as a whole. Decides nothing.
//!
//! A piece has 131,008 bytes, 64 less than 128 KiB: with the engine's own header it then fits the allocator's class of 128 KiB, where
//! a whole 128 KiB would take 160. Of the sizes from 64 KiB to 1 MiB it is also among the fastest.

use super::{
    link::{Fault, Link},
    wire::Reply,
};
use std::{fs::File, io, ops::Range, os::unix::fs::FileExt};

/// The length of a piece, in bytes.
pub(super) const PIECE: u64 = 131_008;
/// How many pieces are on the way at once. Each worker may have so many in memory, twice.
const AT_ONCE: u64 = 4;
/// How long an unfinished file is kept, in seconds. Counted anew with every batch of pieces.
const UNFINISHED: &[u8] = b"60";

/// What can go wrong.
#[derive(Debug)]
pub(super) enum Trouble {
    Engine(Fault),
    Disk(io::Error),
    /// A piece is not there (any more).
    Gone,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Engine(fault)
    }
}

/// What has been stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    /// The number of pieces.
    pub(super) pieces: u64,
    /// The CRC-32 of all bytes.
    pub(super) checksum: u32,
}

/// Stores the first `len` bytes of a file. If that fails, what was stored of it is removed.
pub(super) fn put(link: &Link, key: &str, file: &File, len: u64) -> Result<Stored, Trouble> {
    let pieces = len.div_ceil(PIECE);
    let mut checksum = crc32fast::Hasher::new();
    let mut bytes = Vec::new();
    let mut first = 0;
    while first < pieces {
        let last = (first + AT_ONCE).min(pieces);
        let (from, to) = (first * PIECE, (last * PIECE).min(len));
        bytes.resize((to - from) as usize, 0);
        file.read_exact_at(&mut bytes, from)
            .map_err(Trouble::Disk)?;
        checksum.update(&bytes);
        let sent = link.run(|batch| {
            for (at, piece) in bytes.chunks(PIECE as usize).enumerate() {
                let name = (first + at as u64).to_string();
                batch.add(&[b"HSET", key.as_bytes(), name.as_bytes(), piece]);
            }
            batch.add(&[b"EXPIRE", key.as_bytes(), UNFINISHED]);
        });
        if let Err(fault) = sent {
            // If this fails, too, it expires.
            let _ = link.run(|batch| batch.add(&[b"UNLINK", key.as_bytes()]));
            return Err(fault.into());
        }
        first = last;
    }
    Ok(Stored {
        pieces,
        checksum: checksum.finalize(),
    })
}

/// The number of the piece that holds all of `range`, if one does.
pub(super) fn only_piece(range: &Range<u64>) -> Option<u64> {
    let first = range.start / PIECE;
    (!range.is_empty() && (range.end - 1) / PIECE == first).then_some(first)
}

/// Writes the one piece that holds all of `range` to where it belongs in a file.
pub(super) fn put_piece(bytes: &[u8], range: &Range<u64>, into: &File) -> io::Result<()> {
    into.write_all_at(bytes, range.start / PIECE * PIECE)
}

/// Fetches the pieces that hold `range`, and writes them to where they belong in a file.
pub(super) fn get(link: &Link, key: &str, range: &Range<u64>, into: &File) -> Result<(), Trouble> {
    let mut first = range.start / PIECE;
    let end = range.end.div_ceil(PIECE);
    while first < end {
        let last = (first + AT_ONCE).min(end);
        let pieces = link.run(|batch| {
            for at in first..last {
                batch.add(&[b"HGET", key.as_bytes(), at.to_string().as_bytes()]);
            }
        })?;
        for (at, piece) in (first..).zip(pieces) {
            let Reply::Text(bytes) = piece else {
                return Err(Trouble::Gone);
            };
            into.write_all_at(&bytes, at * PIECE)
                .map_err(Trouble::Disk)?;
        }
        first = last;
    }
    Ok(())
}
