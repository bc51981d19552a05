//! Reads MP4, M4A and QuickTime files. Reads one audio track, and plays only the part that its edit list states.
//!
//! In files without fragments, [`stored`] reads uncompressed sound, G.711, `ima4` and AMR. Symphonia's demultiplexer
//! reads all other tracks. It refuses files without a box `ftyp`, which QuickTime did not write before 2000. So it
//! reads such a file through an overlay that appends the box at the end.

use super::{
    boxes::{self, Description},
    stored::{self, Stored},
    tags,
};
use crate::{
    codecs::{is_lossy, opus, unsupported},
    damage::{bad, header_error},
    source::Opened,
    sources::{
        demuxed::{Candidate, Packet, Packets, choose},
        overlay::Overlay,
    },
    stream::Stream,
    tags::Tags,
};
use convertd_core::error::{Error, Result};
use std::io::{Read, Seek, SeekFrom};
use symphonia::{
    core::{
        codecs::{
            CodecParameters,
            audio::{
                AudioCodecParameters,
                well_known::{
                    CODEC_ID_AC3, CODEC_ID_ALAC, CODEC_ID_EAC3, CODEC_ID_OPUS, CODEC_ID_PCM_S24BE,
                    CODEC_ID_PCM_S24LE, CODEC_ID_PCM_S32BE, CODEC_ID_PCM_S32LE,
                },
            },
        },
        errors::Error as SymphoniaError,
        formats::{FormatOptions, FormatReader, Track as SymphoniaTrack, TrackType},
        io::MediaSourceStream,
    },
    default::formats::IsoMp4Reader,
};

/// The box that states the type of a file: QuickTime, version 0.
static TYPE: [u8; 16] = *b"\0\0\0\x10ftypqt  \0\0\0\0";

/// Length of the configuration of Apple Lossless in bytes, without the optional channel layout after it.
const COOKIE: usize = 24;

/// Maximum number of packets of other tracks before a packet of the chosen track: more than a minute of video.
/// After more of them, the chosen track counts as ended.
const MAX_FOREIGN: usize = 1 << 16;

/// Opens the first audio track of an MP4, M4A or QuickTime file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let facts = boxes::facts(&mut stream)?;
    let tags = tags::read(&mut stream, &facts)?;
    stream.seek(SeekFrom::Start(0)).map_err(header_error)?;
    let of = |handler: &'static [u8; 4]| {
        let tracks = facts.tracks.iter();
        tracks.filter(move |track: &&Description| track.handler == *handler)
    };
    let sounds: Vec<_> = of(b"soun").collect();
    if let (false, Some(sound)) = (facts.fragmented, sounds.first())
        && let Some(entry) = sound
            .entry
            .as_ref()
            .filter(|entry| stored::is_stored(entry))
    {
        let mut opened = Opened::new(Stored::new(stream, sound, entry)?, tags);
        if of(b"vide").next().is_some() {
            let remark = "The file is a video; the result is its first audio track.";
            opened.remarks.push(remark.to_owned());
        } else if sounds.len() > 1 {
            opened.remarks.push(format!(
                "The file has {} audio tracks; the result is the first one.",
                sounds.len()
            ));
        }
        return Ok(opened.with_losses(facts.loss));
    }
    demultiplexed(stream, &facts, tags).map_err(|err| {
        let entry = sounds.first().and_then(|sound| sound.entry.as_ref());
        match entry.and_then(|entry| entry.unsupported()) {
            Some(name) => bad(unsupported(name)),
            None => err,
        }
    })
}

fn reader<'s>(
    stream: impl Read + Seek + Send + Sync + 's,
    facts: &boxes::Facts,
) -> std::result::Result<IsoMp4Reader<'s>, SymphoniaError> {
    let tail: &[u8] = if facts.has_type { &[] } else { &TYPE };
    let source = Overlay::new(stream, facts.replaced.clone(), tail)?;
    let media = MediaSourceStream::new(Box::new(source), Default::default());
    // Symphonia first goes back four bytes, because it assumes that its own recogniser has read them. At byte 0 that
    // has no effect.
    IsoMp4Reader::try_new(media, FormatOptions::default())
}

/// The packets of one track, which are interleaved with those of other tracks.
struct Interleaved<'a> {
    reader: IsoMp4Reader<'a>,
    id: u32,
}

impl Packets for Interleaved<'_> {
    fn next(&mut self) -> std::result::Result<Option<Packet>, String> {
        for _ in 0..MAX_FOREIGN {
            return match self.reader.next_packet() {
                Ok(Some(packet)) if packet.track_id == self.id => Ok(Some(Packet {
                    frames: packet.dur.get(),
                    data: packet.data.into_vec(),
                })),
                Ok(Some(_)) => continue,
                Ok(None) => Ok(None),
                Err(SymphoniaError::IoError(err))
                    if err.kind() == std::io::ErrorKind::UnexpectedEof =>
                {
                    Err("it ends early: within a packet".to_owned())
                }
                Err(err) => Err(format!("the rest of its packets cannot be read ({err})")),
            };
        }
        Ok(None)
    }
}

/// Returns the error for a container that cannot be read. If a part of the file is missing, the message gives that as
/// the reason.
fn unopened(err: SymphoniaError, loss: &Option<String>) -> Error {
    let message = match loss {
        Some(loss) => format!("the file is damaged: {loss}"),
        None => format!("the container cannot be read: {err}"),
    };
    bad(message).caused_by(err)
}

/// Opens the first audio track that can be decoded, by Symphonia's demultiplexer, with corrections from the boxes.
fn demultiplexed<'a>(stream: Stream<'a>, facts: &boxes::Facts, tags: Tags) -> Result<Opened<'a>> {
    let reader = reader(stream, facts).map_err(|err| unopened(err, &facts.loss))?;
    let track_of = |id| facts.tracks.iter().find(|track| track.edit.track == id);
    let is = |track: &SymphoniaTrack, kind| track.track_type() == Some(kind);
    let has_video = reader.tracks().iter().any(|t| is(t, TrackType::Video));
    let sounds = reader.tracks().iter().filter(|t| is(t, TrackType::Audio));
    let listed = sounds.map(|found| Candidate {
        id: found.id.into(),
        params: match &found.codec_params {
            Some(CodecParameters::Audio(params)) => {
                let mut params = params.clone();
                if let Some(track) = track_of(found.id) {
                    correct(&mut params, track);
                }
                Ok(params)
            }
            _ => Err(unsupported("unknown")),
        },
    });
    let mut candidates: Vec<_> = listed.collect();
    if candidates.is_empty() {
        // Symphonia does not list tracks of unknown codecs.
        let sounds = facts.tracks.iter().filter(|t| t.handler == *b"soun");
        let entries = sounds.filter_map(|track| track.entry.as_ref());
        candidates.extend(entries.map(|entry| Candidate {
            id: 0,
            params: Err(unsupported(&String::from_utf8_lossy(&entry.kind))),
        }));
    }
    let choice = choose(candidates, has_video)?;
    let id = choice.id as u32;
    let packets = Interleaved { reader, id };
    let opened = choice.open(packets, tags, |params, demuxed| {
        let track = &mut demuxed.track;
        let Some(edit) = track_of(id).map(|track| track.edit) else {
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
    Ok(opened.with_losses(facts.loss.clone()))
}

/// Corrects properties of QuickTime that Symphonia does not support.
fn correct(params: &mut AudioCodecParameters, track: &Description) {
    // Symphonia does not find the configuration of Apple Lossless in QuickTime files.
    if let Some(entry) = &track.entry
        && entry.kind == *b"alac"
        && let Some(cookie) = entry
            .cookie
            .as_ref()
            .and_then(|cookie| cookie.get(..COOKIE))
    {
        params.codec = CODEC_ID_ALAC;
        params.extra_data = Some(cookie.into());
    }
    // For these codecs, QuickTime files lack the configuration, so the name of the entry determines the codec.
    match track.entry.as_ref().map(|entry| &entry.kind) {
        Some(b"ac-3") => params.codec = CODEC_ID_AC3,
        Some(b"ec-3") => params.codec = CODEC_ID_EAC3,
        _ => {}
    }
    // A rate of 64 kHz or more does not fit into the field of the sample entry; the field is 0 then, and the
    // timescale of the track replaces it. Opus is always decoded at 48 kHz.
    let rate = params.sample_rate.filter(|rate| *rate > 0);
    params.sample_rate = match params.codec {
        CODEC_ID_OPUS => Some(opus::RATE),
        _ => rate.or(Some(track.edit.timescale)),
    };
    // Symphonia assumes that QuickTime's integers of 24 and 32 bits are little-endian.
    params.codec = match params.codec {
        CODEC_ID_PCM_S24LE if track.edit.big_endian => CODEC_ID_PCM_S24BE,
        CODEC_ID_PCM_S32LE if track.edit.big_endian => CODEC_ID_PCM_S32BE,
        codec => codec,
    };
}
