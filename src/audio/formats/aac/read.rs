//! Reads AAC in ADTS frames (ISO 13818-7, section 6.2), with tags between them. Keeps no state between frames except the
//! decoder's.
//!
//! Nothing in such a file states its length. So a file that was cut short loses the frame at the cut, and nobody can notice;
//! bytes that belong to no frame are reported.

use super::header::Header;
use crate::{
    audio::{
        codecs::{aac::Aac, decoder::packet},
        damage::{bad, header_error},
        sound::{
            channels::Channels,
            pcm::{Block, Depth, Spec},
        },
        source::{Opened, Source},
        sources::track::Track,
        stream::Stream,
        tags::id3,
    },
    error::Result,
};
use std::io::{BufReader, Read};

/// Bytes that it takes to recognise a tag. Every frame has more.
const TAG_HEAD: usize = 10;

struct Adts<'a> {
    input: BufReader<Stream<'a>>,
    header: Header,
    track: Track,
    frame: Vec<u8>,
    /// The first block, which was decoded when the file was opened, to learn the rate and the channels.
    first: Option<Block>,
    /// The number of bytes that belong to neither a frame nor a tag.
    gaps: u64,
    losses: Vec<String>,
}

/// Opens an ADTS stream.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let tags = id3::strip(&mut stream).map_err(header_error)?;
    let mut input = BufReader::with_capacity(1 << 15, stream);
    let mut frame = Vec::new();
    let mut before = 0;
    let header = next_frame(&mut input, None, &mut frame, &mut before)?
        .ok_or_else(|| bad("the file holds no complete ADTS frame"))?;
    let rate = header.rate();
    let layout = Channels::of(u32::from(header.channels).clamp(1, 8))?;
    let decoder = Aac::new(&header.setup())?;
    let track = Track::new(
        Box::new(decoder),
        Spec::new(rate, layout, Depth::Float)?,
        true,
    );
    let mut adts = Adts {
        input,
        header,
        track,
        frame,
        first: None,
        gaps: 0,
        losses: Vec::new(),
    };
    let mut block = Block::new(adts.track.spec());
    adts.decode(&mut block);
    adts.first = Some(block);
    Ok(Opened::new(adts, tags))
}

impl Adts<'_> {
    fn decode(&mut self, block: &mut Block) {
        let data = &self.frame[self.header.head.min(self.frame.len())..];
        self.track.push(&packet(data, 1024), block);
    }
}

/// Reads the next frame into `frame`. Passes over tags, and over bytes that are no frame, which it counts in `gaps`.
fn next_frame(
    input: &mut BufReader<Stream<'_>>,
    like: Option<&Header>,
    frame: &mut Vec<u8>,
    gaps: &mut u64,
) -> Result<Option<Header>> {
    frame.clear();
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
        // Each segment of an HTTP live stream begins with a tag.
        let tag = id3::length(frame);
        if tag > 0 {
            let rest = tag.saturating_sub(frame.len() as u64);
            input
                .seek_relative(i64::try_from(rest).unwrap_or(i64::MAX))
                .map_err(header_error)?;
            frame.clear();
            continue;
        }
        match Header::parse(frame) {
            Some(header) if like.is_none_or(|like| like.kind() == header.kind()) => {
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
                return Ok(Some(header));
            }
            _ => {
                frame.remove(0);
                gap += 1;
            }
        }
    }
}

impl Source for Adts<'_> {
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
        let like = self.header;
        match next_frame(
            &mut self.input,
            Some(&like),
            &mut self.frame,
            &mut self.gaps,
        )? {
            Some(header) => {
                self.header = header;
                self.decode(block);
                Ok(true)
            }
            None => {
                self.losses = self.track.finish()?;
                if self.gaps > 0 {
                    self.losses.push(format!(
                        "{} bytes between its frames belong to no frame",
                        self.gaps
                    ));
                }
                Ok(false)
            }
        }
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}
