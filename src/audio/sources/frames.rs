//! Reads frames that follow one another without a container, each with a header that states its length, and tags
//! between them. Frames share no state except that of the decoder.
//!
//! A file without a container does not state its length. So a file that was cut short loses the frame at the cut
//! without a report; bytes that belong to no frame are reported.

use crate::{
    codecs::decoder::packet,
    damage::{bad, header_error},
    row::Frame,
    sound::pcm::{Block, Spec},
    source::{Opened, Source},
    sources::track::Track,
    stream::Stream,
    tags::id3,
};
use convertd_core::error::Result;
use std::io::{self, BufReader, Read};

/// Bytes that are needed to recognise a tag. Every frame is longer.
const TAG_HEAD: usize = 10;

/// A kind of frames.
#[derive(Clone, Copy)]
pub(crate) struct Frames {
    /// Name of a frame.
    pub(crate) name: &'static str,
    /// Sample frames in a frame.
    pub(crate) samples: u64,
    /// Reads the header of a frame.
    pub(crate) parse: fn(&[u8]) -> Option<Frame>,
    /// Returns the length of a frame that belongs to the frame before it and is decoded with it. `None` for others.
    pub(crate) joined: fn(&[u8]) -> Option<usize>,
    /// Returns the part of a frame that is passed to the decoder.
    pub(crate) content: fn(&[u8]) -> &[u8],
    /// Makes the decoder for a stream from its first frame.
    pub(crate) track: fn(&[u8]) -> Result<Track>,
}

struct File<'a> {
    input: BufReader<Stream<'a>>,
    kind: Frames,
    /// Properties of the first frame that all frames must share; see [`Frame::kind`].
    like: u32,
    track: Track,
    frame: Vec<u8>,
    /// Bytes of the next frame that have been read.
    ahead: Vec<u8>,
    /// The first block, which was decoded when the file was opened, to learn the rate and the channels.
    first: Option<Block>,
    /// The number of bytes that belong to neither a frame nor a tag.
    gaps: u64,
    losses: Vec<String>,
}

impl Frames {
    /// Opens a stream of frames of this kind.
    pub(crate) fn open(self, mut stream: Stream<'_>) -> Result<Opened<'_>> {
        let tags = id3::strip(&mut stream).map_err(header_error)?;
        let mut input = BufReader::with_capacity(1 << 15, stream);
        let (mut frame, mut ahead) = (Vec::new(), Vec::new());
        let mut before = 0;
        let like = self
            .next(&mut input, None, &mut frame, &mut ahead, &mut before)?
            .ok_or_else(|| bad(format!("the file holds no complete {} frame", self.name)))?;
        let mut file = File {
            input,
            kind: self,
            like,
            track: (self.track)(&frame)?,
            frame,
            ahead,
            first: None,
            gaps: 0,
            losses: Vec::new(),
        };
        let mut block = Block::new(file.track.spec());
        file.decode(&mut block);
        file.first = Some(block);
        let remark = file.track.remark();
        let mut opened = Opened::new(file, tags);
        opened.remarks.extend(remark.map(str::to_owned));
        Ok(opened)
    }

    /// Reads the next frame into `frame`, and returns its [kind](Frame::kind), which is `like` unless that is `None`.
    /// Passes over tags, and over bytes that belong to no frame, which it counts in `gaps`. `None` at the end.
    fn next(
        self,
        input: &mut BufReader<Stream<'_>>,
        like: Option<u32>,
        frame: &mut Vec<u8>,
        ahead: &mut Vec<u8>,
        gaps: &mut u64,
    ) -> Result<Option<u32>> {
        frame.clear();
        frame.append(ahead);
        let mut gap = 0;
        loop {
            let missing = TAG_HEAD.saturating_sub(frame.len());
            let wanted = frame.len() + missing;
            input
                .by_ref()
                .take(missing as u64)
                .read_to_end(frame)
                .map_err(header_error)?;
            if frame.len() < wanted {
                return Ok(None);
            }
            // Each segment of an HTTP live stream begins with a tag, so tags may come between frames.
            let tag = id3::length(frame);
            if tag > 0 {
                let rest = tag.saturating_sub(frame.len() as u64);
                input
                    .seek_relative(i64::try_from(rest).unwrap_or(i64::MAX))
                    .map_err(header_error)?;
                frame.clear();
                continue;
            }
            match (self.parse)(frame) {
                Some(header) if like.is_none_or(|like| like == header.kind) => {
                    let rest = (header.length - frame.len().min(header.length)) as u64;
                    input
                        .by_ref()
                        .take(rest)
                        .read_to_end(frame)
                        .map_err(header_error)?;
                    // A last frame that is cut short is left out.
                    if frame.len() < header.length {
                        return Ok(None);
                    }
                    *gaps += gap;
                    self.join(input, frame, ahead).map_err(header_error)?;
                    return Ok(Some(header.kind));
                }
                _ => {
                    frame.remove(0);
                    gap += 1;
                }
            }
        }
    }
}

impl Frames {
    /// Appends to `frame` the frames that belong to it. Stores in `ahead` the bytes that were read of the frame after
    /// them.
    fn join(
        self,
        input: &mut BufReader<Stream<'_>>,
        frame: &mut Vec<u8>,
        ahead: &mut Vec<u8>,
    ) -> io::Result<()> {
        loop {
            input.by_ref().take(TAG_HEAD as u64).read_to_end(ahead)?;
            let Some(length) = (self.joined)(ahead) else {
                return Ok(());
            };
            let rest = length.saturating_sub(ahead.len()) as u64;
            input.by_ref().take(rest).read_to_end(ahead)?;
            // A last frame that is cut short is left out.
            if ahead.len() < length {
                ahead.clear();
                return Ok(());
            }
            frame.append(ahead);
        }
    }
}

impl File<'_> {
    fn decode(&mut self, block: &mut Block) {
        let data = (self.kind.content)(&self.frame);
        self.track.push(&packet(data, self.kind.samples), block);
    }
}

impl Source for File<'_> {
    fn spec(&self) -> Spec {
        self.track.spec()
    }

    fn frames(&self) -> Option<u64> {
        None
    }

    fn lossy(&self) -> bool {
        true
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        if let Some(first) = self.first.take() {
            *block = first;
            return Ok(true);
        }
        let kind = self.kind;
        let (input, frame, ahead) = (&mut self.input, &mut self.frame, &mut self.ahead);
        if kind
            .next(input, Some(self.like), frame, ahead, &mut self.gaps)?
            .is_some()
        {
            self.decode(block);
            return Ok(true);
        }
        self.losses = self.track.finish()?;
        if self.gaps > 0 {
            self.losses.push(format!(
                "{} bytes between its frames belong to no frame",
                self.gaps
            ));
        }
        Ok(false)
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}
