//! Reads Core Audio files with Symphonia's demultiplexer. They have one track, and that is taken.

use super::chunks;
use crate::{
    audio::{
        codecs::is_lossy,
        source::Opened,
        sources::demuxed::{media, pick, unopened},
        stream::Stream,
    },
    error::Result,
};
use symphonia::{core::formats::FormatOptions, default::formats::CafReader};

/// Opens a Core Audio file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let loss = chunks::loss(&mut stream)?;
    let reader = CafReader::try_new(media(stream), FormatOptions::default())
        .map_err(|err| unopened(err, &loss))?;
    let opened = pick(
        Box::new(reader),
        |_, _| {},
        |found, demuxed, params| {
            let track = &mut demuxed.track;
            if !is_lossy(params.codec) {
                track.cut(0, found.num_frames);
                track.be_strict();
            } else {
                track.cut(u64::from(found.delay.unwrap_or(0)), found.num_frames);
            }
        },
    )?;
    Ok(opened.with_losses(loss))
}
