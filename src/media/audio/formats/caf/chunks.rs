//! Walks the chunks of a Core Audio file to tell whether all of it is there. Reads no sound.

use crate::{
    audio::{
        damage::{cut_bytes, header_error},
        stream::Stream,
    },
    error::Result,
};
use std::io::{Seek, SeekFrom};

/// The number of chunks that are read at most.
const MAX_CHUNKS: usize = 1000;

/// Describes what is missing if the file is shorter than its chunks claim. Leaves the stream at its beginning.
pub(crate) fn loss(stream: &mut Stream<'_>) -> Result<Option<String>> {
    let mut loss = None;
    stream.seek(SeekFrom::Start(8)).map_err(header_error)?;
    for _ in 0..MAX_CHUNKS {
        if stream.left() < 12 {
            break;
        }
        let head = stream.array::<12>().map_err(header_error)?;
        let size = head
            .last_chunk()
            .map_or(0, |size| i64::from_be_bytes(*size));
        // Only the chunk with the sound may leave its size open, by −1, and only if it is the last chunk.
        let Ok(size) = u64::try_from(size) else {
            break;
        };
        let end = stream.position().saturating_add(size);
        loss = cut_bytes(end, stream.len());
        stream.seek(SeekFrom::Start(end)).map_err(header_error)?;
    }
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    Ok(loss)
}
