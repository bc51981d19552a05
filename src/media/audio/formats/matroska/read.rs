//! Reads Matroska and WebM files with Symphonia's demultiplexer. Takes one audio track, and drops its delay and padding.

use super::facts;
use crate::{
    audio::{
        damage::header_error,
        sound::pcm::frames_in,
        source::Opened,
        sources::{
            demuxed::{pick, unopened},
            overlay::Overlay,
        },
        stream::Stream,
    },
    error::Result,
};
use symphonia::{
    core::{
        codecs::audio::well_known::{
            CODEC_ID_AAC, CODEC_ID_MP1, CODEC_ID_MP2, CODEC_ID_MP3, CODEC_ID_OPUS,
        },
        formats::FormatOptions,
        io::MediaSourceStream,
    },
    default::formats::MkvReader,
};

/// Opens the first audio track of a Matroska or WebM file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let file = facts::scan(&mut stream)?;
    let source = Overlay::new(stream, file.replaced.clone(), &[]).map_err(header_error)?;
    let media = MediaSourceStream::new(Box::new(source), Default::default());
    let reader = MkvReader::try_new(media, FormatOptions::default())
        .map_err(|err| unopened(err, &file.loss))?;
    let opened = pick(
        Box::new(reader),
        |_, _| {},
        |found, demuxed, params| {
            let Some(track) = file.track(u64::from(found.id)) else {
                return;
            };
            demuxed.padding.clone_from(&track.padding);
            demuxed.stored.clone_from(&track.stored);
            let rate = demuxed.track.spec().rate;
            match params.codec {
                // The delay of Opus is in the codec's own header (pre-skip; RFC 7845, section 5.1).
                CODEC_ID_OPUS => {
                    let setup = params.extra_data.as_deref().unwrap_or_default();
                    let delay = setup.get(10..12).map_or([0; 2], |b| [b[0], b[1]]);
                    let skip = u64::from(u16::from_le_bytes(delay));
                    let total = track.opus_frames().map(|all| all.saturating_sub(skip));
                    demuxed.track.cut(skip, total);
                    // The total does not include the padding at the end, so that padding need not be dropped again.
                    if total.is_some() {
                        demuxed.padding.pop_if(|(at, _)| *at == track.packets);
                    }
                }
                // The decoders of these codecs do not know their delay.
                CODEC_ID_AAC | CODEC_ID_MP1 | CODEC_ID_MP2 | CODEC_ID_MP3 => {
                    demuxed.track.cut(frames_in(track.delay, rate), None);
                }
                _ => {}
            }
        },
    )?;
    Ok(opened.with_losses(file.loss))
}
