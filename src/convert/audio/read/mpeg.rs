//! MPEG audio, layers 1 to 3 (ISO 11172-3, 13818-3), with the tags around it. Takes no sound for granted: what
//! looks like a frame has to be followed by another.

use super::{
    super::{id3, pcm::Depth, stream::Stream},
    Opened, Spec, bad,
    demuxed::Demuxed,
    header_error,
    symphonic::{Symphonic, Track, channels},
};
use crate::error::Result;
use symphonia::{
    core::{
        codecs::CodecParameters,
        formats::{FormatOptions, FormatReader},
        io::MediaSourceStream,
    },
    default::formats::MpaReader,
};

/// Opens the sound of an MP3, MP2 or MP1 file.
pub(super) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let tags = id3::strip(&mut stream).map_err(header_error)?;
    let input = MediaSourceStream::new(Box::new(stream), Default::default());
    let reader = MpaReader::try_new(input, FormatOptions::default())
        .map_err(|err| bad(format!("no MPEG audio was found in the file: {err}")).caused_by(err))?;
    let Some(track) = reader.tracks().first() else {
        return Err(bad("no MPEG audio was found in the file"));
    };
    let Some(CodecParameters::Audio(params)) = &track.codec_params else {
        return Err(bad("no MPEG audio was found in the file"));
    };
    let spec = Spec::new(
        params.sample_rate.unwrap_or(0),
        match &params.channels {
            Some(layout) => channels(layout)?,
            None => return Err(bad("the MPEG audio in the file has no channels")),
        },
        Depth::Float,
    )?;
    let id = track.id;
    // Without the encoder's own tag the number of frames is an estimate.
    let exact = track.delay.is_some_and(|delay| delay > 0);
    let total = track.num_frames.filter(|_| exact);
    let decoder = Symphonic::new(params)?;
    let mut track = Track::new(Box::new(decoder), spec, true);
    track.cut(0, total);
    if exact {
        track.be_strict();
    }
    Ok(Opened::new(Demuxed::new(Box::new(reader), id, track), tags))
}
