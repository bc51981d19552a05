//! Converts sound between all common formats, block by block. Memory does not depend on the length of the sound: no
//! file is ever in memory as a whole.
//!
//! ```text
//! a row's open ──► Source ──► Adapter (mix, resample, quantise) ──► Sink ──► output
//!   one folder a format          only what has to change          of the target's row
//! ```
//! Integer samples stay integers from end to end if the target stores integers, and the rate and the channels stay the
//! same.
//!
//! In reading order:
//! - `sound`: samples in blocks, and operations on them. `tags`: title, artist, cover picture and the like.
//! - `source`, `sink`: the interfaces of a file that is read, and of one that is written. `row`: the description of one
//!   format.
//! - `codecs`: packets into samples and back. `sources`: sources that several formats share.
//! - `formats`: one folder a format, and the list of them. Nothing else names a format.
//! - `recognise`, `options`, `convert`, `fitting`: what the program does with that list.
//! - `ogg`: pages of the container that two formats share.
//!
//! Never: decoding pictures (`convertd_image`, `image`); a cover is copied as bytes.

mod about;
mod codecs;
mod convert;
mod damage;
mod fitting;
mod formats;
mod ogg;
mod options;
mod out;
mod probe;
mod recognise;
mod row;
mod sink;
mod sound;
mod source;
mod sources;
mod stream;
mod tags;

pub use self::about::about;
use self::formats::ROWS;
use convertd_core::job::{Converter, Pair};

/// The converter for sound.
pub static CONVERTER: Converter = Converter {
    name: "audio",
    formats: || ROWS.iter().map(|row| &row.format).collect(),
    pairs,
    recognise: |_, input, extension| recognise::recognise(input, extension).map(|row| &row.format),
    convert: fitting::convert,
};

/// Returns all pairs of a source and a target format. A format that is written may also be converted to itself.
fn pairs() -> Vec<Pair> {
    let targets = || {
        ROWS.iter()
            .filter_map(|row| Some((row, row.write.as_ref()?)))
    };
    let to_all = |from: &'static row::Row| {
        targets().map(move |(to, writer)| Pair {
            from: &from.format,
            to: &to.format,
            quality: writer.quality,
            options: options::of_target(writer.is_lossy, writer.has_bit_rate),
        })
    };
    ROWS.iter().flat_map(|from| to_all(from)).collect()
}
