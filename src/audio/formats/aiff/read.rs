//! Reads AIFF and AIFF-C. The length of a chunk is checked against the length of the file.
//!
//! The sample rate is an 80-bit floating-point number. The chunk `COMM` states the number of sample frames and `SSND`
//! holds them. The number in `COMM` and the length of `SSND` are zero or huge if the file was written into a pipe.

use super::layout;
use crate::{
    codecs::raw::Encoding,
    damage::{bad, header_error, promised},
    sound::{
        channels::Channels,
        pcm::{Depth, Spec},
    },
    source::Opened,
    sources::{
        adpcm::{Blocks, Layout},
        linear::Linear,
    },
    stream::Stream,
    tags::{self, Key, Tags, id3},
};
use convertd_core::{
    containers::riff::{Head, Walk},
    error::Result,
};
use symphonia::core::codecs::audio::well_known::CODEC_ID_ADPCM_IMA_QT;

/// Largest number of chunks that are read.
const MAX_CHUNKS: usize = 1000;
/// Largest number of bytes that are read of a text chunk. One byte more than a tag holds shows that a text is too long.
const MAX_TEXT: u32 = tags::MAX_TEXT as u32 + 1;

struct Common {
    channels: u32,
    frames: u32,
    bits: u32,
    rate: u32,
    compression: [u8; 4],
}

impl Common {
    /// Encoding of the samples, unless they are compressed in blocks.
    ///
    /// Errors: the codec is not supported.
    fn encoding(&self) -> Result<Encoding> {
        let bytes = self.bits.div_ceil(8);
        Ok(match (&self.compression, bytes) {
            (b"NONE" | b"twos", 1..=4) => Encoding::Signed { bytes, big: true },
            (b"sowt", 1..=4) => Encoding::Signed { bytes, big: false },
            (b"in24", _) => Encoding::Signed {
                bytes: 3,
                big: true,
            },
            (b"in32", _) => Encoding::Signed {
                bytes: 4,
                big: true,
            },
            (b"raw ", _) => Encoding::Unsigned8,
            (b"fl32" | b"FL32", _) => Encoding::Float32 { big: true },
            (b"fl64" | b"FL64", _) => Encoding::Float64 { big: true },
            (b"alaw" | b"ALAW", _) => Encoding::ALaw,
            (b"ulaw" | b"ULAW", _) => Encoding::MuLaw,
            (other, _) => {
                return Err(bad(format!(
                    "the AIFF file's codec is not supported: compression type {:?}, {} bits a sample",
                    String::from_utf8_lossy(other),
                    self.bits
                )));
            }
        })
    }
}

/// Opens the sound of an AIFF file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let mut tags = Tags::default();
    let (mut common, mut data, mut speakers) = (None, None, 0);
    let form = stream.array::<12>().map_err(header_error)?;
    let compressed = form[8..] == *b"AIFC";
    let mut walk = Walk::iff(&mut stream).map_err(header_error)?;
    for _ in 0..MAX_CHUNKS {
        let Some(Head { name, len }) = walk.next_chunk().map_err(header_error)? else {
            break;
        };
        match &name {
            b"COMM" => {
                let chunk = walk.up_to(len.min(64)).map_err(header_error)?;
                common = Some(read_common(&chunk, compressed)?);
            }
            b"SSND" => {
                // The samples are preceded by an offset and a block size.
                let offset = walk.data(4).map_err(header_error)?;
                let offset = offset.first_chunk().map_or(0, |n| u32::from_be_bytes(*n));
                let head = 8 + u64::from(offset);
                let start = walk.start() + head;
                let left = walk.input().len().saturating_sub(start);
                data = Some((start, promised(u64::from(len).saturating_sub(head), left)));
            }
            b"CHAN" => {
                speakers = layout::mask(&walk.up_to(len.min(12)).map_err(header_error)?);
            }
            b"NAME" | b"AUTH" | b"ANNO" => {
                let text = walk.up_to(len.min(MAX_TEXT)).map_err(header_error)?;
                let key = match &name {
                    b"NAME" => Key::Title,
                    b"AUTH" => Key::Artist,
                    _ => Key::Comment,
                };
                tags.add_if_missing(key, &String::from_utf8_lossy(&text));
            }
            b"(c) " => {
                let text = walk.up_to(len.min(MAX_TEXT)).map_err(header_error)?;
                tags.add_own("COPYRIGHT", &String::from_utf8_lossy(&text));
            }
            b"MARK" => tags.leave_out("The markers in the sound were left out."),
            b"INST" => {
                tags.leave_out("The loops and the key of a sampler's sound were left out.");
            }
            b"COMT" => tags.leave_out("The remarks in the sound were left out."),
            b"ID3 " | b"id3 " if len > 10 => {
                if let Ok(mut better) = id3::read(walk.input()) {
                    better.merge(tags);
                    tags = better;
                }
            }
            _ => {}
        }
    }
    let common = common
        .ok_or_else(|| bad("the AIFF file has no \"COMM\" chunk, which describes its samples"))?;
    let (start, length) =
        data.ok_or_else(|| bad("the AIFF file has no \"SSND\" chunk, which holds the samples"))?;
    let channels = Channels::with_mask(common.channels, speakers)?;
    if &common.compression == b"ima4" {
        let spec = Spec::new(common.rate, channels, Depth::Int(16))?;
        let layout = Layout {
            codec: CODEC_ID_ADPCM_IMA_QT,
            bytes: 34 * common.channels,
            frames: 64,
        };
        let end = length.map_or(u64::MAX, |length| start.saturating_add(length));
        stream.narrow(start, end).map_err(header_error)?;
        let source = Blocks::new(stream, spec, layout, length, None)?;
        let losses = source.missing();
        return Ok(Opened::new(source, tags).with_losses(losses));
    }
    let encoding = common.encoding()?;
    let spec = Spec::new(common.rate, channels, encoding.depth())?;
    // The number of sample frames in `COMM` decides unless it is 0; surplus data in `SSND` is padding.
    let frame = u64::from(encoding.bytes() * common.channels);
    let length = match (length, u64::from(common.frames) * frame) {
        (Some(length), counted) if counted > length => {
            return Err(bad(format!(
                "the AIFF file contradicts itself: its \"SSND\" chunk has {length} bytes of samples, and its \"COMM\" chunk counts {counted}"
            )));
        }
        (Some(_), counted) if counted > 0 => Some(counted),
        (length, _) => length,
    };
    let source = Linear::new(stream, spec, encoding, start, length)?;
    let losses = source.losses();
    Ok(Opened::new(source, tags).with_losses(losses))
}

fn read_common(chunk: &[u8], compressed: bool) -> Result<Common> {
    let read = || {
        let (fixed, rest) = chunk.split_first_chunk::<18>()?;
        Some(Common {
            channels: u32::from(u16::from_be_bytes([fixed[0], fixed[1]])),
            frames: u32::from_be_bytes([fixed[2], fixed[3], fixed[4], fixed[5]]),
            bits: u32::from(u16::from_be_bytes([fixed[6], fixed[7]])),
            rate: extended(fixed.last_chunk()?),
            compression: match compressed {
                true => *rest.first_chunk()?,
                false => *b"NONE",
            },
        })
    };
    read().ok_or_else(|| bad("the AIFF file's \"COMM\" chunk is too short"))
}

/// Converts an 80-bit floating-point number (IEEE 754 extended precision) to the nearest integer; 0 if it does not fit.
fn extended(bytes: &[u8; 10]) -> u32 {
    let exponent = i32::from(u16::from_be_bytes([bytes[0], bytes[1]])) - 16383;
    let mantissa = bytes
        .last_chunk()
        .map_or(0, |mantissa| u64::from_be_bytes(*mantissa));
    match exponent {
        0..=31 => ((mantissa >> (62 - exponent)).div_ceil(2)) as u32,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_from_80_bits() {
        #[track_caller]
        fn check(bytes: [u8; 10], rate: u32) {
            assert_eq!(extended(&bytes), rate);
        }
        check([0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0], 44100);
        check([0x40, 0x0b, 0xfa, 0, 0, 0, 0, 0, 0, 0], 8000);
        check([0x40, 0x0d, 0xad, 0x9c, 0x80, 0, 0, 0, 0, 0], 22222);
        check([0xff; 10], 0);
        check([0; 10], 0);
    }
}
