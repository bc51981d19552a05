//! Reads AC-3 frames that follow one another (ATSC A/52, section 5.2). Refuses those of Enhanced AC-3 by their name.

use crate::{
    audio::{
        codecs::ac3::{
            decoder::{Ac3, spec},
            header::{FRAME_SAMPLES, Header, enhanced_bytes},
        },
        damage::bad,
        row::Frame,
        source::Opened,
        sources::{frames::Frames, track::Track},
        stream::Stream,
    },
    error::Result,
};

/// The kind of frames of Enhanced AC-3; those of AC-3 have their sample rate.
const ENHANCED: u32 = 0;

/// What the header of a frame says. The channels may change within a stream.
pub(crate) fn frame(bytes: &[u8]) -> Option<Frame> {
    if let Some(length) = enhanced_bytes(bytes) {
        let kind = ENHANCED;
        return Some(Frame { length, kind });
    }
    let header = Header::read(bytes)?;
    Some(Frame {
        length: header.bytes,
        kind: header.rate,
    })
}

/// Opens a stream.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for Enhanced AC-3.
pub(crate) fn open(stream: Stream<'_>) -> Result<Opened<'_>> {
    let frames = Frames {
        name: "AC-3",
        samples: FRAME_SAMPLES,
        parse: frame,
        content: |frame| frame,
        track,
    };
    frames.open(stream)
}

fn track(frame: &[u8]) -> Result<Track> {
    let header = Header::read(frame)
        .ok_or_else(|| bad("it is Dolby Digital Plus (E-AC-3), which is not supported"))?;
    Ok(Track::new(Box::new(Ac3::new()), spec(header)?, true))
}
