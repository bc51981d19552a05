//! Reads AAC in ADTS frames (ISO 13818-7, section 6.2): makes a decoder from the header of the first frame.

use super::header::Header;
use crate::{
    codecs::aac::Aac,
    damage::bad,
    row::Frame,
    sound::{
        channels::Channels,
        pcm::{Depth, Spec},
    },
    source::Opened,
    sources::{frames::Frames, track::Track},
    stream::Stream,
};
use convertd_core::error::Result;

/// Parses the header of a frame.
pub(crate) fn frame(bytes: &[u8]) -> Option<Frame> {
    let header = Header::parse(bytes)?;
    Some(Frame {
        length: header.length,
        kind: header.kind(),
    })
}

/// Opens an ADTS stream.
pub(crate) fn open(stream: Stream<'_>) -> Result<Opened<'_>> {
    let frames = Frames {
        name: "ADTS",
        samples: 1024,
        parse: frame,
        joined: |_| None,
        content: |frame| {
            let head = Header::parse(frame).map_or(0, |header| header.head);
            frame.get(head..).unwrap_or_default()
        },
        track,
    };
    frames.open(stream)
}

fn track(frame: &[u8]) -> Result<Track> {
    let header =
        Header::parse(frame).ok_or_else(|| bad("it does not begin with a frame of AAC"))?;
    let layout = Channels::of(u32::from(header.channels).clamp(1, 8))?;
    let spec = Spec::new(header.rate(), layout, Depth::Float)?;
    let decoder = Aac::new(&header.setup())?;
    Ok(Track::new(Box::new(decoder), spec, true))
}
