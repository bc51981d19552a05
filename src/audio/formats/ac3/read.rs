//! Reads frames of AC-3 (ATSC A/52, section 5.2) and of Enhanced AC-3 (annex E) that follow one another.

use crate::{
    codecs::ac3::{
        decoder::{Ac3, spec},
        enhanced::header::{Enhanced, StreamType},
        header::{FRAME_SAMPLES, Header},
    },
    damage::bad,
    row::Frame,
    source::Opened,
    sources::{frames::Frames, track::Track},
    stream::Stream,
};
use convertd_core::error::Result;

/// Parses the header of a frame of AC-3. A frame with other channels still counts as part of the stream.
pub(crate) fn frame(bytes: &[u8]) -> Option<Frame> {
    let header = Header::read(bytes)?;
    Some(Frame {
        length: header.bytes,
        kind: header.rate,
    })
}

/// Parses the header of a frame of Enhanced AC-3. Dependent frames and frames of other programs count as frames of
/// their own.
pub(crate) fn enhanced(bytes: &[u8]) -> Option<Frame> {
    let header = Enhanced::read(bytes)?.common;
    Some(Frame {
        length: header.bytes,
        kind: header.rate,
    })
}

/// The length of a frame that plays at the same time as the frame before it: a dependent frame or another program.
fn joined(bytes: &[u8]) -> Option<usize> {
    let header = Enhanced::read(bytes)?;
    (header.kind != StreamType::Independent(0)).then_some(header.common.bytes)
}

/// Opens a stream of AC-3.
pub(crate) fn open(stream: Stream<'_>) -> Result<Opened<'_>> {
    of("AC-3", frame).open(stream)
}

/// Opens a stream of Enhanced AC-3.
pub(crate) fn open_enhanced(stream: Stream<'_>) -> Result<Opened<'_>> {
    of("Enhanced AC-3", enhanced).open(stream)
}

fn of(name: &'static str, parse: fn(&[u8]) -> Option<Frame>) -> Frames {
    Frames {
        name,
        samples: FRAME_SAMPLES,
        parse,
        joined,
        content: |frame| frame,
        track,
    }
}

fn track(frame: &[u8]) -> Result<Track> {
    let spec = spec(frame).ok_or_else(|| bad("it does not begin with a frame of AC-3"))?;
    Ok(Track::new(Box::new(Ac3::new()), spec?, true))
}
