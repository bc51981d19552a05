//! Reads AU. The sound ends where the header says, or with the file if the header states no length.

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
    tags::{Key, Tags},
};
use convertd_core::error::Result;

/// Opens the sound of an AU file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let head = stream.array::<24>().map_err(header_error)?;
    let word = |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (start, size, kind, rate, channels) = (word(4), word(8), word(12), word(16), word(20));
    let encoding = match kind {
        23 | 25 | 26 => {
            let bits = [4, 0, 3, 5][kind as usize - 23];
            return open_adpcm(stream, (start, size), rate, channels, bits);
        }
        1 => Encoding::MuLaw,
        2..=5 => Encoding::Signed {
            bytes: kind - 1,
            big: true,
        },
        6 => Encoding::Float32 { big: true },
        7 => Encoding::Float64 { big: true },
        27 => Encoding::ALaw,
        other => {
            let name = match other {
                8 => "fragmented samples",
                10..=14 | 17 | 18 | 20 => "a format of NeXT's signal processor",
                24 => "G.722",
                _ => "unknown",
            };
            return Err(bad(format!(
                "the AU file's codec is not supported: it is {name} (encoding {other})"
            )));
        }
    };
    let tags = text(&mut stream, start)?;
    let spec = Spec::new(rate, Channels::of(channels)?, encoding.depth())?;
    let length = promised(size.into(), stream.len().saturating_sub(start.into()));
    let source = Linear::new(stream, spec, encoding, u64::from(start), length)?;
    let losses = source.losses();
    Ok(Opened::new(source, tags).with_losses(losses))
}

/// Reads the text between the header and the samples, at most 4096 bytes of it, as a comment.
fn text(stream: &mut Stream<'_>, start: u32) -> Result<Tags> {
    if start < 24 {
        return Err(bad(
            "the AU file's header is invalid: its samples would begin inside the header",
        ));
    }
    let mut tags = Tags::default();
    let text = stream
        .up_to(u64::from(start - 24).min(4096))
        .map_err(header_error)?;
    tags.add(Key::Comment, &String::from_utf8_lossy(&text));
    Ok(tags)
}

/// Opens G.721 (4 bits) and G.723 (3 and 5).
fn open_adpcm(
    mut stream: Stream<'_>,
    (start, size): (u32, u32),
    rate: u32,
    channels: u32,
    bits: u32,
) -> Result<Opened<'_>> {
    let tags = text(&mut stream, start)?;
    let spec = Spec::new(rate, Channels::of(channels)?, Depth::Int(16))?;
    let start = u64::from(start);
    let length = promised(size.into(), stream.len().saturating_sub(start));
    let end = length.map_or(u64::MAX, |length| start.saturating_add(length));
    stream.narrow(start, end).map_err(header_error)?;
    let blocks = Blocks::new(stream, spec, Layout::g726(bits, true), length, None)?;
    let losses = blocks.missing();
    Ok(Opened::new(blocks, tags).with_losses(losses))
}
