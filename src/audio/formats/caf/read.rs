//! Reads Core Audio files: samples without packets, and packets of the common codecs. A Core Audio file has one track.
//!
//! Symphonia's demultiplexer, which was used before, refuses samples of eight bits, and supports neither Opus nor
//! packets of different lengths.

use super::chunks::{self, Sound, Table};
use crate::{
    codecs::{opus, raw::Encoding, symphonic::positions, unsupported},
    damage::{bad, header_error},
    sound::pcm::Spec,
    source::Opened,
    sources::{
        demuxed::{Candidate, Packet, Packets, choose},
        linear::Linear,
    },
    stream::Stream,
};
use convertd_core::{containers::bmff::Content, error::Result};
use std::io::{Seek, SeekFrom};
use symphonia::core::codecs::audio::{AudioCodecId, AudioCodecParameters, well_known::*};

/// Flag of the sample format: samples are floating-point numbers.
const FLOAT: u32 = 1;
/// Flag of the sample format: the least significant byte of a sample comes first.
const LITTLE: u32 = 2;
/// The longest packet that is read, in bytes.
const MAX_PACKET: u64 = 1 << 20;
/// The codecs whose packets are read, with their identifiers in the file.
const CODECS: [(&[u8; 4], AudioCodecId); 10] = [
    (b"aac ", CODEC_ID_AAC),
    (b"aach", CODEC_ID_AAC),
    (b"alac", CODEC_ID_ALAC),
    (b"ima4", CODEC_ID_ADPCM_IMA_QT),
    (b".mp1", CODEC_ID_MP1),
    (b".mp2", CODEC_ID_MP2),
    (b".mp3", CODEC_ID_MP3),
    (b"ac-3", CODEC_ID_AC3),
    (b"ec-3", CODEC_ID_EAC3),
    (b"flac", CODEC_ID_FLAC),
];

/// Opens a Core Audio file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let mut sound = chunks::sound(&mut stream)?;
    let (start, length) = sound
        .data
        .ok_or_else(|| bad("the Core Audio file has no chunk \"data\", which holds the sound"))?;
    let loss = sound.loss.take();
    let tags = std::mem::take(&mut sound.tags);
    if let Some(encoding) = encoding(&sound)? {
        let spec = Spec::new(sound.rate.round() as u32, sound.layout()?, encoding.depth())?;
        let source = Linear::new(stream, spec, encoding, start, length)?;
        let losses = if loss.is_some() {
            Vec::new()
        } else {
            source.losses()
        };
        return Ok(Opened::new(source, tags)
            .with_losses(loss)
            .with_losses(losses));
    }
    let end = length.map_or(stream.len(), |length| start.saturating_add(length));
    stream.seek(SeekFrom::Start(start)).map_err(header_error)?;
    let mut packets = Listed {
        stream,
        end,
        bytes: sound.bytes.into(),
        frames: sound.frames.into(),
        table: sound.table.take(),
        first: None,
    };
    let total = packets
        .table
        .as_ref()
        .map(|table| (table.priming, table.valid));
    packets.first = packets.next().ok().flatten();
    let params = parameters(&sound, &packets);
    let choice = choose(vec![Candidate { id: 0, params }], false)?;
    let opened = choice.open(packets, tags, |_, demuxed| {
        let (priming, valid) = total.unwrap_or_default();
        // Fewer frames are not a loss, because some writers count a shorter last packet as whole.
        demuxed.track.cut(priming, (valid > 0).then_some(valid));
    })?;
    Ok(opened.with_losses(loss))
}

/// Encoding of samples without packets; `None` for other codecs.
fn encoding(sound: &Sound) -> Result<Option<Encoding>> {
    let big = sound.flags & LITTLE == 0;
    let bytes = sound.bytes.checked_div(sound.channels).unwrap_or(0);
    Ok(match (&sound.codec, bytes, sound.flags & FLOAT != 0) {
        (b"lpcm", 4, true) => Some(Encoding::Float32 { big }),
        (b"lpcm", 8, true) => Some(Encoding::Float64 { big }),
        (b"lpcm", 1..=4, false) => Some(Encoding::Signed { bytes, big }),
        (b"lpcm", ..) => {
            return Err(bad(format!(
                "the Core Audio file's sample format is invalid: {} bits in {bytes} bytes",
                sound.bits
            )));
        }
        (b"alaw", ..) => Some(Encoding::ALaw),
        (b"ulaw", ..) => Some(Encoding::MuLaw),
        _ => None,
    })
}

/// Codec parameters of the packets.
fn parameters(
    sound: &Sound,
    packets: &Listed<'_>,
) -> std::result::Result<AudioCodecParameters, String> {
    let mut params = AudioCodecParameters::new();
    let mut rate = sound.rate.round() as u32;
    let mut setup = sound.cookie.clone();
    params.codec = match &sound.codec {
        b"opus" => {
            if !setup.starts_with(b"OpusHead") {
                // Apple's cookie for Opus has another format, and many files have no cookie.
                setup = opus::header(sound.channels, 0);
            }
            // If the file counts sample frames at the decoder's rate, 48 kHz, that rate replaces the original's, which
            // the file states.
            let first = packets
                .first
                .as_ref()
                .map_or(0, |first| opus::frames(&first.data));
            if first == u64::from(sound.frames) {
                rate = opus::RATE;
            }
            CODEC_ID_OPUS
        }
        kind => {
            let known = CODECS.iter().find(|(known, _)| *known == kind);
            let (_, codec) = known.ok_or_else(|| {
                unsupported(match kind {
                    b"MAC3" | b"MAC6" => "MACE",
                    b"ilbc" => "iLBC",
                    b"QDM2" | b"QDMC" => "QDesign Music",
                    b"agsm" => "GSM 06.10",
                    _ => str::from_utf8(kind).unwrap_or("unknown").trim(),
                })
            })?;
            *codec
        }
    };
    if params.codec == CODEC_ID_AAC {
        // The cookie is a descriptor of MPEG-4 that contains the configuration.
        setup = specific(&setup).unwrap_or(&setup).to_vec();
    }
    params.with_sample_rate(rate);
    let layout = sound.layout().map_err(|err| err.message().to_owned())?;
    params.with_channels(positions(layout));
    if sound.frames > 0 {
        params.with_max_frames_per_packet(sound.frames.into());
    }
    if !setup.is_empty() {
        params.with_extra_data(setup.into());
    }
    Ok(params)
}

/// The configuration within an elementary stream's descriptor (ISO 14496-1, section 7.2.6.5). It is in a descriptor
/// with tag 5, within tag 4, within tag 3.
fn specific(cookie: &[u8]) -> Option<&[u8]> {
    let mut content = Content(cookie);
    for (tag, skipped) in [(3, 3), (4, 13)] {
        (descriptor(&mut content)?.0 == tag).then_some(())?;
        content.take(skipped)?;
    }
    let (tag, length) = descriptor(&mut content)?;
    (tag == 5).then(|| content.0.get(..length)).flatten()
}

/// The tag and the length at the beginning of a descriptor.
fn descriptor(content: &mut Content<'_>) -> Option<(u8, usize)> {
    let tag = content.number(1)? as u8;
    let mut length = 0;
    for _ in 0..4 {
        let byte = content.number(1)? as usize;
        length = length << 7 | byte & 0x7f;
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some((tag, length))
}

/// Packets of constant size or of the sizes that a table lists.
struct Listed<'a> {
    stream: Stream<'a>,
    /// Offset of the end of the sound in the file, in bytes.
    end: u64,
    /// Bytes of each packet; 0 if the table lists them.
    bytes: u64,
    /// Sample frames of each packet; 0 if the table lists them.
    frames: u64,
    table: Option<Table>,
    /// A packet that was read ahead.
    first: Option<Packet>,
}

impl Packets for Listed<'_> {
    fn next(&mut self) -> std::result::Result<Option<Packet>, String> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        let left = self.end.saturating_sub(self.stream.position());
        if left == 0 {
            let listed = self.table.as_mut().filter(|_| self.bytes == 0);
            return match listed.and_then(Table::next) {
                Some(size) if size > 0 => {
                    Err("it ends early: its last packets are missing".to_owned())
                }
                _ => Ok(None),
            };
        }
        let mut listed = |known: u64| match known {
            0 => self.table.as_mut().and_then(Table::next),
            known => Some(known),
        };
        let (Some(size), Some(frames)) = (listed(self.bytes), listed(self.frames)) else {
            // The table ends. Bytes after the packets that it lists are not part of the sound.
            return match self.table.is_some() {
                true => Ok(None),
                false => Err("it has no table of its packets".to_owned()),
            };
        };
        if size > MAX_PACKET {
            return Err(format!("one of its packets has {size} bytes"));
        }
        let data = self.stream.up_to(size.min(left));
        let data = data.map_err(|err| format!("its packets cannot be read ({err})"))?;
        if (data.len() as u64) < size {
            return Err("it ends early: within a packet".to_owned());
        }
        Ok(Some(Packet { data, frames }))
    }
}
