//! Reads WAV in RIFF, RF64 and BW64 files. Never believes a chunk that claims to be longer than the file.
//!
//! Programs that write into a pipe leave a length of 0 or of nearly 4 GiB in the header; the samples then go to the end of
//! the file. Any other length that the file does not have is damage. RF64 keeps lengths that do not fit into 32 bits in the
//! chunk `ds64`.

use crate::{
    audio::{
        damage::{bad, cut_bytes, header_error, promised},
        sound::pcm::{Channels, Depth, Spec},
        source::Opened,
        sources::{
            adpcm::{Blocks, Layout},
            linear::{Encoding, Linear},
            mpeg,
        },
        stream::Stream,
        tags::{Key, Tags, id3},
    },
    containers::riff::{Head, Walk},
    error::Result,
};
use symphonia::core::codecs::audio::well_known::{CODEC_ID_ADPCM_IMA_WAV, CODEC_ID_ADPCM_MS};

/// The number of chunks that are read at most.
const MAX_CHUNKS: usize = 1000;
/// Bytes of a `LIST` chunk that are read at most.
const MAX_LIST: u32 = 1 << 16;

/// The names of texts in a `LIST` chunk of type `INFO`.
const INFO: [(Key, &[u8; 4]); 8] = [
    (Key::Title, b"INAM"),
    (Key::Artist, b"IART"),
    (Key::Album, b"IPRD"),
    (Key::Track, b"ITRK"),
    // As ffmpeg writes it.
    (Key::Track, b"IPRT"),
    (Key::Date, b"ICRD"),
    (Key::Genre, b"IGNR"),
    (Key::Comment, b"ICMT"),
];

struct Format {
    tag: u16,
    channels: u32,
    rate: u32,
    block: u32,
    bits: u32,
    mask: u32,
    frames_per_block: u32,
}

/// Opens the sound of a WAV file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let mut tags = Tags::default();
    let (mut format, mut data, mut samples) = (None, None, None);
    let mut length64 = None;
    let mut walk = Walk::new(&mut stream).map_err(header_error)?;
    for _ in 0..MAX_CHUNKS {
        let Some(Head { name, len }) = walk.next().map_err(header_error)? else {
            break;
        };
        match &name {
            b"fmt " => {
                format = Some(read_format(
                    &walk.up_to(len.min(64)).map_err(header_error)?,
                )?)
            }
            b"ds64" => {
                let sizes = walk.data(16).map_err(header_error)?;
                length64 = sizes.last_chunk().map(|length| u64::from_le_bytes(*length));
            }
            b"fact" if len >= 4 => {
                let count = walk.data(4).map_err(header_error)?;
                samples = count.first_chunk().map(|count| u32::from_le_bytes(*count));
            }
            b"LIST" => read_info(
                &walk.up_to(len.min(MAX_LIST)).map_err(header_error)?,
                &mut tags,
            ),
            b"id3 " | b"ID3 " if len > 10 => {
                if let Ok(more) = id3::read(walk.input()) {
                    tags.merge(more);
                }
            }
            b"data" if data.is_none() => {
                let length = match (len, length64) {
                    (0xffff_ffff, Some(length)) => {
                        Some(length).filter(|n| !matches!(n, 0 | &u64::MAX))
                    }
                    (len, _) => promised(len.into(), walk.input().left()),
                };
                data = Some((walk.start(), length));
                walk.set_len(length.unwrap_or(u64::MAX));
            }
            _ => {}
        }
    }
    let format = format.ok_or_else(|| {
        bad("the WAV file has no \"fmt \" chunk, which says what its samples are")
    })?;
    let (start, length) =
        data.ok_or_else(|| bad("the WAV file has no \"data\" chunk, which holds the samples"))?;
    open_data(stream, &format, start, length, samples.map(u64::from), tags)
}

fn open_data<'a>(
    mut stream: Stream<'a>,
    format: &Format,
    start: u64,
    length: Option<u64>,
    samples: Option<u64>,
    tags: Tags,
) -> Result<Opened<'a>> {
    let channels = Channels::with_mask(format.channels, format.mask)?;
    let bytes = format.bits.div_ceil(8);
    let end = length.map_or(u64::MAX, |length| start.saturating_add(length));
    let encoding = match (format.tag, bytes) {
        (1, 1) => Encoding::Unsigned8,
        (1, 2..=4) => Encoding::Signed { bytes, big: false },
        (3, 4) => Encoding::Float32 { big: false },
        (3, 8) => Encoding::Float64 { big: false },
        (6, _) => Encoding::ALaw,
        (7, _) => Encoding::MuLaw,
        (0x02 | 0x11, _) => {
            let id = if format.tag == 2 {
                CODEC_ID_ADPCM_MS
            } else {
                CODEC_ID_ADPCM_IMA_WAV
            };
            let spec = Spec::new(format.rate, channels, Depth::Int(16))?;
            let layout = Layout {
                codec: id,
                bytes: format.block,
                frames: format.frames_per_block,
            };
            stream.narrow(start, end).map_err(header_error)?;
            let blocks = Blocks::new(stream, spec, layout, length, samples)?;
            let losses = blocks.missing();
            return Ok(Opened::new(blocks, tags).with_losses(losses));
        }
        (0x50 | 0x55, _) => {
            stream.narrow(start, end).map_err(header_error)?;
            let loss = cut_bytes(length.unwrap_or(0), stream.len());
            let mut opened = mpeg::open(stream)?;
            opened.tags.merge(tags);
            return Ok(opened.with_losses(loss));
        }
        (tag, _) => {
            return Err(bad(format!(
                "the WAV file's codec is not supported: format tag {tag:#06x}, {} bits a sample",
                format.bits
            )));
        }
    };
    let spec = Spec::new(format.rate, channels, encoding.depth())?;
    if format.block != encoding.bytes() * format.channels {
        return Err(bad(format!(
            "the WAV file's \"fmt \" chunk contradicts itself: {} channels of {} bits in frames of {} bytes",
            format.channels, format.bits, format.block
        )));
    }
    let source = Linear::new(stream, spec, encoding, start, length)?;
    let losses = source.losses();
    Ok(Opened::new(source, tags).with_losses(losses))
}

fn read_format(chunk: &[u8]) -> Result<Format> {
    let short = |at: usize| -> Option<u32> {
        let bytes = chunk.get(at..at + 2)?;
        Some(u32::from(u16::from_le_bytes([bytes[0], bytes[1]])))
    };
    let long = |at: usize| Some(short(at)? | short(at + 2)? << 16);
    let read = || {
        let mut format = Format {
            tag: short(0)? as u16,
            channels: short(2)?,
            rate: long(4)?,
            block: short(12)?,
            bits: short(14)?,
            mask: 0,
            frames_per_block: short(18).unwrap_or(0),
        };
        if format.tag == 0xfffe {
            format.mask = long(20)?;
            // The format tag is the first two bytes of the sub-format's GUID.
            format.tag = short(24)? as u16;
        }
        Some(format)
    };
    read().ok_or_else(|| bad("the WAV file's \"fmt \" chunk is too short"))
}

fn read_info(list: &[u8], tags: &mut Tags) {
    let Some(mut rest) = list.strip_prefix(b"INFO") else {
        return;
    };
    while let Some((head, body)) = rest.split_first_chunk::<8>() {
        let size = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let Some(text) = body.get(..size) else {
            return;
        };
        if let Some((key, _)) = INFO.iter().find(|(_, name)| head[..4] == name[..]) {
            tags.add(*key, &String::from_utf8_lossy(text));
        }
        rest = body.get(size + size % 2..).unwrap_or_default();
    }
}
