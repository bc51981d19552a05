//! Reads Matroska and WebM files. Takes one audio track, and drops its delay and padding.

use super::{codec, facts, packets::Blocks};
use crate::{
    codecs::unsupported,
    sound::pcm::frames_in,
    source::Opened,
    sources::demuxed::{Candidate, choose},
    stream::Stream,
};
use convertd_core::error::Result;
use symphonia::core::codecs::audio::well_known::{
    CODEC_ID_AAC, CODEC_ID_MP1, CODEC_ID_MP2, CODEC_ID_MP3, CODEC_ID_OPUS,
};

/// Opens the first audio track of a Matroska or WebM file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let mut file = facts::scan(&mut stream)?;
    let has_video = file.tracks.iter().any(|track| track.entry.is_video());
    let tags = file.tags(has_video);
    let sounds = file.tracks.iter().filter(|track| track.entry.is_sound());
    let candidates = sounds.map(|track| Candidate {
        id: track.entry.number,
        params: match track.entry.unsupported {
            _ if track.entry.is_encrypted => Err(unsupported("protected against copying")),
            Some(name) => Err(format!(
                "the audio track cannot be decoded: its compression is not supported ({name})"
            )),
            None => codec::parameters(&track.entry),
        },
    });
    let choice = choose(candidates.collect(), has_video).map_err(|err| match &file.loss {
        Some(loss) if file.tracks.is_empty() => {
            crate::damage::bad(format!("the file is damaged: {loss}")).caused_by(err)
        }
        _ => err,
    })?;
    let number = choice.id;
    let blocks = Blocks::new(stream, number, file.stop.take());
    let opened = choice.open(blocks, tags, |params, demuxed| {
        let Some(track) = file.track(number) else {
            return;
        };
        demuxed.padding.clone_from(&track.padding);
        demuxed.stored.clone_from(&track.entry.stored);
        let rate = demuxed.track.spec().rate;
        match params.codec {
            // The delay of Opus is in the codec's own header (pre-skip; RFC 7845, section 5.1).
            CODEC_ID_OPUS => {
                let setup = params.extra_data.as_deref().unwrap_or_default();
                let delay = setup.get(10..12).map_or([0; 2], |b| [b[0], b[1]]);
                let skip = u64::from(u16::from_le_bytes(delay));
                let total = track.opus_frames().map(|all| all.saturating_sub(skip));
                demuxed.track.cut(skip, total);
                // The total does not include the padding at the end, so padding need not be dropped again.
                if total.is_some() {
                    demuxed.padding.pop_if(|(at, _)| *at == track.packets);
                }
            }
            // The decoders of these codecs do not know their delay.
            CODEC_ID_AAC | CODEC_ID_MP1 | CODEC_ID_MP2 | CODEC_ID_MP3 => {
                demuxed.track.cut(frames_in(track.entry.delay, rate), None);
            }
            _ => {}
        }
    })?;
    Ok(opened.with_losses(file.loss))
}
