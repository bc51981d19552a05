//! AAC in ADTS frames (ISO 13818-7, section 6.2), as broadcasters and `.aac` files have it. Keeps no state between
//! frames but the decoder's.

use super::{
    super::{
        id3,
        pcm::{Block, Channels, Depth},
        stream::Stream,
    },
    Opened, Source, Spec,
    aac::Aac,
    bad,
    decoder::packet,
    header_error,
    track::Track,
};
use crate::error::Result;
use std::io::{BufReader, Read};

const RATES: [u32; 13] = [
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];

/// Bytes that it takes to recognise a tag; a frame has more.
const TAG_HEAD: usize = 10;

/// A frame's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    object: u8,
    rate_index: u8,
    channels: u8,
    /// Bytes of the frame, header included.
    pub(crate) length: usize,
    /// Bytes of the header.
    head: usize,
}

impl Header {
    /// Reads one from the first seven bytes of a frame.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let &[a, b, c, d, e, f, _, ..] = bytes else {
            return None;
        };
        let header = Self {
            object: (c >> 6) + 1,
            rate_index: c >> 2 & 0xf,
            channels: (c & 1) << 2 | d >> 6,
            length: usize::from(d & 3) << 11 | usize::from(e) << 3 | usize::from(f >> 5),
            head: if b & 1 == 0 { 9 } else { 7 },
        };
        let valid = a == 0xff && b & 0xf6 == 0xf0 && usize::from(header.rate_index) < RATES.len();
        (valid && header.length > header.head).then_some(header)
    }

    /// What does not change within a stream.
    pub(crate) fn kind(&self) -> u32 {
        u32::from(self.object) << 16 | u32::from(self.rate_index) << 8 | u32::from(self.channels)
    }

    /// The `AudioSpecificConfig` that says the same.
    fn setup(&self) -> [u8; 2] {
        [
            self.object << 3 | self.rate_index >> 1,
            self.rate_index << 7 | self.channels << 3,
        ]
    }
}

struct Adts<'a> {
    input: BufReader<Stream<'a>>,
    header: Header,
    track: Track,
    frame: Vec<u8>,
    /// The block that told what the sound is.
    first: Option<Block>,
    /// Bytes between frames that are neither one nor a tag.
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
        .ok_or_else(|| bad("no AAC frame was found in the file"))?;
    let rate = RATES[usize::from(header.rate_index)];
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

/// Reads the next frame into `frame`; passes over what is none, and counts it in `gaps` if it is no tag either.
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
        // Segments of broadcasts begin with a tag each.
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
                // The last frame may be cut off: half a frame is no sound.
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
                    self.losses
                        .push(format!("{} bytes between its frames are none", self.gaps));
                }
                Ok(false)
            }
        }
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_and_nothing_else_is_one() {
        let header = Header::parse(&[0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc]).unwrap();
        assert_eq!((header.length, header.head, header.channels), (16, 7, 2));
        assert_eq!(header.setup(), [0x12, 0x10]);
        for bytes in [
            &b"\xff\xfb\x90\x64\0\0\0"[..],
            b"\xff\xf1\x7c\x80\x02\x1f\xfc",
            b"\xff\xf1",
        ] {
            assert_eq!(Header::parse(bytes), None);
        }
    }
}
