//! Reads MPEG audio, layers 1 to 3 (ISO 11172-3, 13818-3): frames, with tags around and between them. At the
//! beginning and after a gap, a header counts as a frame only if another frame or the end of the file follows, because
//! its bytes may occur by chance.
//!
//! The file is walked twice. The first walk reads only headers. It determines the exact length of the sound, the number
//! of frames that are missing according to the encoder's tag, and the number of bytes that belong to no frame.

use super::track::Track;
use crate::{
    codecs::{
        decoder::packet,
        decoder_for,
        mpeg::{Header, Info},
        symphonic::positions,
    },
    damage::{bad, cut_short, header_error},
    sound::{
        channels::Channels,
        pcm::{Block, Depth, Spec},
    },
    source::{Opened, Source},
    stream::Stream,
    tags::id3,
};
use convertd_core::error::Result;
use std::io::{BufReader, Read, Seek, SeekFrom};
use symphonia::core::codecs::audio::{
    AudioCodecParameters,
    well_known::{CODEC_ID_MP1, CODEC_ID_MP2, CODEC_ID_MP3},
};

/// Opens the sound of an MP3, MP2 or MP1 file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let tags = id3::strip(&mut stream).map_err(header_error)?;
    let mut frames = Frames::new(stream);
    let Survey {
        first,
        info,
        count,
        bytes,
    } = frames.survey()?;
    let layout = match first.mono {
        true => Channels::MONO,
        false => Channels::STEREO,
    };
    let spec = Spec::new(first.rate(), layout, Depth::Float)?;
    let codec = [CODEC_ID_MP1, CODEC_ID_MP2, CODEC_ID_MP3];
    let mut params = AudioCodecParameters::new();
    params
        .for_codec(codec[usize::from(first.layer - 1).min(2)])
        .with_sample_rate(spec.rate)
        .with_channels(positions(spec.channels));
    let mut track = Track::new(decoder_for(&params)?, spec, true);
    let samples = |frames: u64| frames * u64::from(first.frames());
    // Joined files have more frames than the tag of the first file counts. The padding of the first file is then in the
    // middle of the sound, and is not cut.
    let padding = if count <= info.frames {
        info.padding
    } else {
        0
    };
    track.cut(
        info.delay,
        Some(samples(count).saturating_sub(info.delay + padding)),
    );
    let mut losses = Vec::new();
    // Some encoders also count the frame with their tag. The number of bytes then shows that nothing is missing.
    let whole = count + 1 == info.frames && info.bytes > 0 && info.bytes <= bytes;
    if !whole {
        losses.extend(cut_short(spec.rate, samples(info.frames), samples(count)));
    }
    if frames.gaps > 0 {
        losses.push(format!(
            "{} bytes between its frames belong to no frame",
            frames.gaps
        ));
    }
    let source = Mpeg {
        frames,
        track,
        frame: Vec::new(),
        losses: Vec::new(),
    };
    Ok(Opened::new(source, tags).with_losses(losses))
}

/// Bytes that are needed to recognise an ID3 tag or a header.
const TAG_HEAD: usize = 10;

/// The sound of a file.
struct Mpeg<'a> {
    frames: Frames<'a>,
    track: Track,
    /// Memory for the current frame.
    frame: Vec<u8>,
    /// Parts that the decoder could not decode.
    losses: Vec<String>,
}

impl Source for Mpeg<'_> {
    fn spec(&self) -> Spec {
        self.track.spec()
    }

    fn frames(&self) -> Option<u64> {
        self.track.total()
    }

    fn lossy(&self) -> bool {
        true
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        while !self.track.is_complete()
            && let Some(header) = self.frames.next(&mut self.frame)?
        {
            if Info::parse(&header, &self.frame).is_none() {
                header.state_rate(&mut self.frame);
                let length = u64::from(header.frames());
                self.track.push(&packet(&self.frame, length), block);
                return Ok(true);
            }
        }
        self.losses = self.track.finish()?;
        Ok(false)
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}

/// The frames of a file, in order.
struct Frames<'a> {
    input: BufReader<Stream<'a>>,
    /// The last header; all others must be of the same kind.
    like: Option<Header>,
    /// Length of a frame of free format without its padding, once it is known.
    free: Option<usize>,
    /// Expected position of the next frame, in bytes from the beginning of the stream.
    position: u64,
    /// Position of the first frame, in bytes from the beginning of the stream.
    start: u64,
    /// The number of bytes that belong to neither a frame nor a tag.
    gaps: u64,
}

/// The result of the first walk.
struct Survey {
    /// The first frame.
    first: Header,
    /// The encoder's tag; empty without one.
    info: Info,
    /// The number of frames that hold sound.
    count: u64,
    /// Bytes from the beginning of the first frame to the end of the last.
    bytes: u64,
}

impl<'a> Frames<'a> {
    fn new(stream: Stream<'a>) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 16, stream),
            like: None,
            free: None,
            position: 0,
            start: 0,
            gaps: 0,
        }
    }

    /// Walks over the whole file, and returns to the first frame.
    fn survey(&mut self) -> Result<Survey> {
        let mut frame = Vec::new();
        let first = self
            .next(&mut frame)?
            .ok_or_else(|| bad("the file holds no complete MPEG audio frame"))?;
        self.start = self.position - first.length as u64;
        let info = Info::parse(&first, &frame);
        let mut count = u64::from(info.is_none());
        while let Some(header) = self.next(&mut frame)? {
            count += u64::from(Info::parse(&header, &frame).is_none());
        }
        let bytes = self.position - self.start;
        self.position = self.start;
        self.input
            .seek(SeekFrom::Start(self.start))
            .map_err(header_error)?;
        Ok(Survey {
            first,
            info: info.unwrap_or_default(),
            count,
            bytes,
        })
    }

    /// Reads the next complete frame. A last frame that is cut short is left out.
    fn next(&mut self, frame: &mut Vec<u8>) -> Result<Option<Header>> {
        let mut gap = 0;
        loop {
            let head = self.peek(0, TAG_HEAD)?;
            if head.len() < Header::SIZE {
                return Ok(None);
            }
            // Joined files have tags in the middle, which are skipped.
            let tag = id3::length(&head).max(if head.starts_with(b"TAG") { 128 } else { 0 });
            if tag > 0 {
                self.skip(tag)?;
                continue;
            }
            match self.header(&head)? {
                Some(header) if self.is_consistent(&header, gap == 0)? => {
                    frame.clear();
                    self.input
                        .by_ref()
                        .take(header.length as u64)
                        .read_to_end(frame)
                        .map_err(header_error)?;
                    if frame.len() < header.length {
                        return Ok(None);
                    }
                    self.position += header.length as u64;
                    self.gaps += if self.like.is_some() { gap } else { 0 };
                    self.like = Some(header);
                    if header.is_free() {
                        self.free = Some(header.length - header.padding);
                    }
                    return Ok(Some(header));
                }
                _ => {
                    self.skip(1)?;
                    gap += 1;
                }
            }
        }
    }

    /// Parses the header at the beginning of `head`, the bytes at the position.
    fn header(&mut self, head: &[u8]) -> Result<Option<Header>> {
        let Some(header) = Header::read(head) else {
            return Ok(None);
        };
        if !header.is_free() {
            return Ok(Some(header));
        }
        if let Some(length) = self.free {
            return Ok(Some(header.with_length(length)));
        }
        // Without a known length, the next headers are searched for.
        let ahead = self.peek(0, 2 * (Header::MAX_FREE + Header::SIZE))?;
        Ok(Header::parse(&ahead))
    }

    /// Returns whether a header belongs to this stream. It has to agree with the last header. Another frame or
    /// the end of the file has to follow it, unless it comes directly after a frame.
    fn is_consistent(&mut self, header: &Header, behind_a_frame: bool) -> Result<bool> {
        if self.like.is_some_and(|like| like.kind() != header.kind()) {
            return Ok(false);
        }
        if behind_a_frame && self.like.is_some() {
            return Ok(true);
        }
        let next = self.peek(header.length as i64, Header::SIZE)?;
        let alike = Header::read(&next).is_some_and(|next| next.kind() == header.kind());
        Ok(alike || next.is_empty())
    }

    /// Reads up to `count` bytes that begin `ahead` bytes after the position, and returns to the position.
    fn peek(&mut self, ahead: i64, count: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(count);
        self.input.seek_relative(ahead).map_err(header_error)?;
        let read = self
            .input
            .by_ref()
            .take(count as u64)
            .read_to_end(&mut bytes);
        read.map_err(header_error)?;
        let back = ahead + bytes.len() as i64;
        self.input.seek_relative(-back).map_err(header_error)?;
        Ok(bytes)
    }

    /// Moves the position forwards.
    fn skip(&mut self, bytes: u64) -> Result<()> {
        let ahead = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.position = self.position.saturating_add(bytes);
        self.input.seek_relative(ahead).map_err(header_error)
    }
}
