//! Reads WAV in RIFF, RIFX, RF64 and BW64 files. The length of a chunk is checked against that of the file.
//!
//! Programs that write into a pipe leave a length of 0 or of nearly 4 GiB in the header; the samples then extend to the
//! end of the file. Any other length beyond the end of the file is damage. RF64 keeps lengths that do not fit into 32
//! bits in the chunk `ds64`.

use super::recorder::{MAX_EXTENSION, MAX_MARKERS, Markers, read_extension};
use crate::{
    codecs::{
        gsm::{self, CODEC_ID_GSM_MS},
        raw::Encoding,
    },
    damage::{bad, cut_bytes, header_error, promised},
    sound::{
        channels::Channels,
        pcm::{Depth, Spec},
    },
    source::Opened,
    sources::{
        adpcm::{Blocks, Layout},
        linear::Linear,
        mpeg,
    },
    stream::Stream,
    tags::{Key, Tags, id3},
};
use convertd_core::{
    containers::riff::{Head, Walk},
    error::Result,
};
use symphonia::core::codecs::audio::well_known::{CODEC_ID_ADPCM_IMA_WAV, CODEC_ID_ADPCM_MS};

/// Largest number of chunks that are read.
const MAX_CHUNKS: usize = 1000;
/// Largest number of bytes that are read of a `LIST` chunk.
const MAX_LIST: u32 = MAX_MARKERS;

/// The names of texts in a `LIST` chunk of type `INFO`.
const INFO: [(Key, &[u8; 4]); 10] = [
    (Key::Title, b"INAM"),
    (Key::Artist, b"IART"),
    (Key::Album, b"IPRD"),
    (Key::Track, b"ITRK"),
    // FFmpeg writes this name.
    (Key::Track, b"IPRT"),
    (Key::Date, b"ICRD"),
    (Key::Genre, b"IGNR"),
    (Key::Comment, b"ICMT"),
    (Key::Composer, b"IMUS"),
    // Some programs write the name of ID3's frame.
    (Key::Track, b"TRCK"),
];

/// More names of texts, and the names of the tags that they become.
const MORE: [(&[u8; 4], &str); 12] = [
    (b"ICOP", "COPYRIGHT"),
    (b"ILNG", "LANGUAGE"),
    (b"IENG", "ENGINEER"),
    (b"IPRO", "PRODUCER"),
    (b"IWRI", "LYRICIST"),
    (b"IMED", "MEDIA"),
    (b"IKEY", "KEYWORDS"),
    (b"ISBJ", "SUBJECT"),
    (b"ISRC", "SOURCE"),
    (b"ITCH", "TECHNICIAN"),
    (b"ICMS", "COMMISSIONED"),
    (b"IARL", "ARCHIVAL LOCATION"),
];

/// The description of the samples in the chunk `fmt `.
struct Format {
    /// The format tag, which identifies the codec.
    tag: u16,
    channels: u32,
    /// Sample frames per second.
    rate: u32,
    /// Bytes of a sample frame, or of a block of a codec that has blocks.
    block: u32,
    /// Bits of a sample.
    bits: u32,
    /// The speaker mask; 0 without one.
    mask: u32,
    /// Sample frames in a block of a codec that has blocks.
    frames_per_block: u32,
    /// Whether numbers have the most significant byte first, as in RIFX.
    big: bool,
}

impl Format {
    /// Returns the size of a sample in bytes. If the block size means at most 3 bytes per sample, it decides, because
    /// 16 or 20 bits may be the upper bits of 3 bytes; otherwise `bits` decides. Fewer than 32 bits in 4 bytes are
    /// ambiguous, because Cool Edit stores floating point in this way, so [`open_data`] refuses them. In an extensible
    /// header, `bits` is the size of the container, and so is not ambiguous.
    fn sample_bytes(&self) -> u32 {
        let least = self.bits.div_ceil(8);
        match self.block.checked_div(self.channels) {
            Some(bytes)
                if self.block.is_multiple_of(self.channels) && (least..=3).contains(&bytes) =>
            {
                bytes
            }
            _ => least,
        }
    }
}

/// Names of codecs that are not supported, by their format tags.
const CODECS: [(u16, &str); 22] = [
    (0x08, "DTS"),
    (0x10, "OKI ADPCM"),
    (0x17, "Dialogic ADPCM"),
    (0x20, "Yamaha ADPCM"),
    (0x22, "TrueSpeech"),
    (0x42, "G.723.1"),
    (0x49, "GSM 6.10"),
    (0x57, "AMR (narrowband)"),
    (0x58, "AMR (wideband)"),
    (0x61, "Duck ADPCM"),
    (0x65, "G.722"),
    (0x75, "Voxware"),
    (0x83, "G.729"),
    (0x92, "Dolby Digital (AC-3)"),
    (0xff, "AAC"),
    (0x160, "Windows Media Audio"),
    (0x161, "Windows Media Audio"),
    (0x162, "Windows Media Audio"),
    (0x163, "Windows Media Audio"),
    (0x270, "ATRAC3"),
    (0x2000, "Dolby Digital (AC-3)"),
    (0x674f, "Vorbis"),
];

/// Returns the name of the unsupported codec with a format tag; `None` if it is not known.
pub(crate) fn codec_name(tag: u16) -> Option<&'static str> {
    let known = CODECS.iter().find(|(known, _)| *known == tag);
    known.map(|(_, name)| *name)
}

/// Opens the sound of a WAV file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let mut tags = Tags::default();
    let (mut extension, mut markers) = (Tags::default(), Markers::default());
    let (mut format, mut data, mut samples) = (None, None, None);
    let mut length64 = None;
    let big = stream.array().map_err(header_error)? == *b"RIFX";
    let walk = if big { Walk::iff } else { Walk::new };
    let mut walk = walk(&mut stream).map_err(header_error)?;
    for _ in 0..MAX_CHUNKS {
        let Some(Head { name, len }) = walk.next_chunk().map_err(header_error)? else {
            break;
        };
        match &name {
            b"fmt " => {
                format = Some(read_format(
                    &walk.up_to(len.min(64)).map_err(header_error)?,
                    big,
                )?)
            }
            b"ds64" => {
                let sizes = walk.data(16).map_err(header_error)?;
                length64 = sizes.last_chunk().map(|length| u64::from_le_bytes(*length));
            }
            b"fact" if len >= 4 => {
                let count = walk.data(4).map_err(header_error)?;
                let read = if big {
                    u32::from_be_bytes
                } else {
                    u32::from_le_bytes
                };
                samples = count.first_chunk().map(|count| read(*count));
            }
            // The lengths in the list would be in the other byte order. No program is known to write such a file, so
            // the list is skipped.
            b"LIST" if big => {}
            b"LIST" => {
                let list = walk.up_to(len.min(MAX_LIST)).map_err(header_error)?;
                if let Some(names) = list.strip_prefix(b"adtl") {
                    markers.read_list(names);
                }
                let mut info = Tags::default();
                read_info(&list, &mut info);
                tags.merge(info);
            }
            b"bext" if !big => {
                let chunk = walk.up_to(len.min(MAX_EXTENSION)).map_err(header_error)?;
                read_extension(&chunk, &mut extension);
            }
            b"cue " if !big => {
                let chunk = walk.up_to(len.min(MAX_MARKERS)).map_err(header_error)?;
                markers.read_cues(&chunk);
            }
            b"bext" | b"iXML" | b"axml" => {
                tags.leave_out("The metadata that a recorder wrote (iXML, axml) was left out.");
            }
            b"cue " => tags.leave_out("The markers in the sound were left out."),
            b"smpl" | b"inst" => {
                tags.leave_out("The loops and the key of a sampler's sound were left out.");
            }
            b"id3 " | b"ID3 " if len > 10 => {
                // Taggers change ID3 and leave the list of type INFO as a recorder wrote it, without a character set.
                // Players that read ID3 and `INFO` (TagLib, foobar2000) show ID3.
                if let Ok(mut id3) = id3::read(walk.input()) {
                    id3.merge(tags);
                    tags = id3;
                }
            }
            b"data" if data.is_none() => {
                let length = match (len, length64) {
                    // A length of all ones means that the true length is in the chunk `ds64`.
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
    let format = format
        .ok_or_else(|| bad("the WAV file has no \"fmt \" chunk, which describes its samples"))?;
    // Texts that taggers write take precedence over those of recorders.
    tags.merge(extension);
    markers.add_to(&mut tags, format.rate);
    let (start, length) =
        data.ok_or_else(|| bad("the WAV file has no \"data\" chunk, which holds the samples"))?;
    open_data(stream, &format, start, length, samples.map(u64::from), tags)
}

/// Opens the samples according to the format tag and their size: PCM, floating point, A-law or μ-law, or a codec with
/// blocks.
fn open_data<'a>(
    mut stream: Stream<'a>,
    format: &Format,
    start: u64,
    length: Option<u64>,
    samples: Option<u64>,
    tags: Tags,
) -> Result<Opened<'a>> {
    let channels = Channels::with_mask(format.channels, format.mask)?;
    let (bytes, big) = (format.sample_bytes(), format.big);
    let end = length.map_or(u64::MAX, |length| start.saturating_add(length));
    let encoding = match (format.tag, bytes) {
        (1, 1) => Encoding::Unsigned8,
        (1, 2..=4) => Encoding::Signed { bytes, big },
        (3, 4) => Encoding::Float32 { big },
        (3, 8) => Encoding::Float64 { big },
        (6, _) => Encoding::ALaw,
        (7, _) => Encoding::MuLaw,
        // ADPCM of Microsoft and IMA, GSM 6.10, G.723, G.721, and two format tags of G.726.
        (0x02 | 0x11 | 0x31 | 0x14 | 0x40 | 0x45 | 0x64, _) => {
            let spec = Spec::new(format.rate, channels, Depth::Int(16))?;
            let of_header = |codec| Layout {
                codec,
                bytes: format.block,
                frames: format.frames_per_block,
            };
            let layout = match format.tag {
                0x02 => of_header(CODEC_ID_ADPCM_MS),
                0x11 => of_header(CODEC_ID_ADPCM_IMA_WAV),
                0x14 | 0x40 | 0x45 | 0x64 => Layout::g726(format.bits, false),
                _ => Layout {
                    codec: CODEC_ID_GSM_MS,
                    bytes: gsm::BYTES,
                    frames: gsm::FRAMES,
                },
            };
            stream.narrow(start, end).map_err(header_error)?;
            let blocks = Blocks::new(stream, spec, layout, length, samples)?;
            let losses = blocks.missing();
            return Ok(Opened::new(blocks, tags).with_losses(losses));
        }
        // MPEG audio, whose frames describe the sound themselves.
        (0x50 | 0x55, _) => {
            stream.narrow(start, end).map_err(header_error)?;
            let loss = cut_bytes(length.unwrap_or(0), stream.len());
            let mut opened = mpeg::open(stream)?;
            opened.tags.merge(tags);
            return Ok(opened.with_losses(loss));
        }
        (tag, _) => {
            let name = codec_name(tag).unwrap_or("unknown");
            return Err(bad(format!(
                "the WAV file's codec is not supported: it is {name} (format tag {tag:#06x}), {} bits a sample",
                format.bits
            )));
        }
    };
    let spec = Spec::new(format.rate, channels, encoding.depth())?;
    if format.block != 0 && format.block != encoding.bytes() * format.channels {
        return Err(bad(format!(
            "the WAV file's \"fmt \" chunk contradicts itself: {} channels of {} bits in frames of {} bytes",
            format.channels, format.bits, format.block
        )));
    }
    let source = Linear::new(stream, spec, encoding, start, length)?;
    let losses = source.losses();
    Ok(Opened::new(source, tags).with_losses(losses))
}

/// Reads the chunk `fmt `, plain or extensible, in either byte order.
fn read_format(chunk: &[u8], big: bool) -> Result<Format> {
    let short = |at: usize| -> Option<u32> {
        let bytes = chunk.get(at..at + 2)?;
        let read = if big {
            u16::from_be_bytes
        } else {
            u16::from_le_bytes
        };
        Some(u32::from(read([bytes[0], bytes[1]])))
    };
    let long = |at: usize| {
        let (low, high) = if big { (at + 2, at) } else { (at, at + 2) };
        Some(short(low)? | short(high)? << 16)
    };
    let read = || {
        let mut format = Format {
            tag: short(0)? as u16,
            channels: short(2)?,
            rate: long(4)?,
            block: short(12)?,
            bits: short(14)?,
            mask: 0,
            frames_per_block: short(18).unwrap_or(0),
            big,
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

/// Reads the texts of a `LIST` chunk of type `INFO`. Stops at a text that is cut short.
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
        } else if let Some((_, name)) = MORE.iter().find(|(name, _)| head[..4] == name[..]) {
            tags.add_own(name, &String::from_utf8_lossy(text));
        }
        rest = body.get(size + size % 2..).unwrap_or_default();
    }
}
