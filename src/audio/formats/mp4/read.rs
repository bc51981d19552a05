//! Reads MP4, M4A and QuickTime files with Symphonia's demultiplexer. Takes one audio track, and plays only what its edit
//! list says.

use super::boxes::{self, Edit};
use crate::{
    audio::{
        codecs::is_lossy,
        damage::header_error,
        source::Opened,
        sources::demuxed::{media, pick, unopened},
        stream::Stream,
    },
    error::Result,
};
use std::io::{Seek, SeekFrom};
use symphonia::{
    core::{
        codecs::audio::{
            AudioCodecParameters,
            well_known::{
                CODEC_ID_PCM_S24BE, CODEC_ID_PCM_S24LE, CODEC_ID_PCM_S32BE, CODEC_ID_PCM_S32LE,
            },
        },
        formats::{FormatOptions, Track as SymphoniaTrack},
    },
    default::formats::IsoMp4Reader,
};

/// Opens the first audio track of an MP4, M4A or QuickTime file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let facts = boxes::facts(&mut stream)?;
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    // Symphonia first goes back four bytes, because it assumes that its own recogniser has read them. At byte 0 that has no
    // effect.
    let reader = IsoMp4Reader::try_new(media(stream), FormatOptions::default())
        .map_err(|err| unopened(err, &facts.loss))?;
    let edit_of = |id| facts.edits.iter().find(|edit: &&Edit| edit.track == id);
    let codec = |found: &SymphoniaTrack, params: &mut AudioCodecParameters| {
        // Symphonia assumes a byte order for QuickTime's integers of 24 and 32 bits.
        let big = edit_of(found.id).is_some_and(|edit| edit.big_endian);
        params.codec = match params.codec {
            CODEC_ID_PCM_S24LE if big => CODEC_ID_PCM_S24BE,
            CODEC_ID_PCM_S32LE if big => CODEC_ID_PCM_S32BE,
            codec => codec,
        };
    };
    let opened = pick(Box::new(reader), codec, |found, demuxed, params| {
        let track = &mut demuxed.track;
        let Some(edit) = edit_of(found.id) else {
            return;
        };
        let rate = u64::from(track.spec().rate);
        let scale = |ticks: u64| ticks.saturating_mul(rate) / u64::from(edit.timescale.max(1));
        let skip = scale(edit.skip);
        let total = (edit.length > 0).then(|| scale(edit.length));
        track.cut(skip, total);
        if !is_lossy(params.codec) {
            track.be_strict();
        }
    })?;
    Ok(opened.with_losses(facts.loss))
}
