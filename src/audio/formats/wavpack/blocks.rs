//! Finds the blocks of a WavPack file, one after another, and skips bytes between them. Decodes nothing.

use crate::{
    codecs::wavpack::{self, Flags, HEADER, Header, MAGIC},
    damage::{bad, header_error},
    sound::{channels::MAX_CHANNELS, pcm::Spec},
    stream::Stream,
};
use convertd_core::error::Result;
use memchr::memmem;
use std::io::{Read, Seek, SeekFrom};

/// Sizes in bytes of the first and of the largest window that is searched for a header; the size doubles in between.
const WINDOWS: [u64; 2] = [256, 64 << 10];

/// Reads the body of the next block with sound. `None` at the end of the file, also if the file ends within the block.
pub(super) fn next(stream: &mut Stream<'_>, body: &mut Vec<u8>) -> Result<Option<Header>> {
    loop {
        let begin = stream.position();
        let head = stream.up_to(HEADER as u64).map_err(header_error)?;
        let Some(header) = head.first_chunk().and_then(Header::read) else {
            seek(stream, begin + 1)?;
            if !find(stream)? {
                return Ok(None);
            }
            continue;
        };
        if header.frames == 0 {
            stream.skip(header.bytes.into()).map_err(header_error)?;
            continue;
        }
        body.clear();
        let mut rest = stream.take(header.bytes.into());
        rest.read_to_end(body).map_err(header_error)?;
        let is_whole = body.len() == header.bytes as usize;
        return Ok(is_whole.then_some(header));
    }
}

/// Goes to the next header. Returns false at the end of the file.
fn find(stream: &mut Stream<'_>) -> Result<bool> {
    let [mut length, most] = WINDOWS;
    loop {
        let begin = stream.position();
        let window = stream.up_to(length).map_err(header_error)?;
        let is_header = |at: &usize| {
            let head = window[*at..].first_chunk();
            head.and_then(Header::read).is_some()
        };
        if let Some(at) = memmem::find_iter(&window, MAGIC).find(is_header) {
            seek(stream, begin + at as u64)?;
            return Ok(true);
        }
        if (window.len() as u64) < length {
            return Ok(false);
        }
        // A header may begin in this window and end in the next one.
        seek(stream, begin + length - HEADER as u64 + 1)?;
        length = most.min(2 * length);
    }
}

fn seek(stream: &mut Stream<'_>, to: u64) -> Result<()> {
    let result = stream.seek(SeekFrom::Start(to));
    result.map(drop).map_err(header_error)
}

/// Properties of a file by its first blocks.
pub(super) struct Facts {
    pub(super) spec: Spec,
    /// Number of the first sample frame of the file.
    pub(super) begin: u64,
    /// Number of sample frames, if the encoder knew it.
    pub(super) total: Option<u64>,
    pub(super) is_lossy: bool,
}

impl Facts {
    /// Reads the first blocks, which together have all channels, and returns to the former position.
    pub(super) fn find(stream: &mut Stream<'_>) -> Result<Self> {
        let begin = stream.position();
        let head = stream.up_to(10).map_err(header_error)?;
        if let [b'w', b'v', b'p', b'k', .., low, high] = head[..]
            && !matches!([low, high], [2..=0x10, 4])
        {
            return Err(bad(format!(
                "the file's blocks are of version {high:x}.{low:02x} of WavPack; 4.02 to 4.10 are supported"
            )));
        }
        seek(stream, begin)?;
        let none = || bad("the file has no complete WavPack block with sound");
        let mut body = Vec::new();
        let first = next(stream, &mut body)?.ok_or_else(none)?;
        if first.flags.has(Flags::DSD) {
            return Err(bad(
                "the file contains DSD (Direct Stream Digital), which is not supported; convert it to PCM first",
            ));
        }
        if wavpack::is_correction(&body) {
            return Err(bad(
                "the file contains only corrections (.wvc); convert the .wv file that it belongs to",
            ));
        }
        let mut channels = first.flags.channels();
        let (mut last, mut other) = (first, Vec::new());
        while !last.flags.has(Flags::LAST) && channels <= usize::from(MAX_CHANNELS) {
            last = next(stream, &mut other)?.ok_or_else(none)?;
            if last.flags.has(Flags::FIRST) {
                break;
            }
            channels += last.flags.channels();
        }
        seek(stream, begin)?;
        let spec = wavpack::spec(first.flags, channels, &body)
            .map_err(|cause| bad(format!("the file's first block is damaged: {cause}")))?;
        Ok(Self {
            spec,
            begin: first.index,
            total: first.total.map(|total| total.saturating_sub(first.index)),
            is_lossy: first.flags.has(Flags::HYBRID),
        })
    }
}
