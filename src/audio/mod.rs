//! Sound: from and to every common format, in blocks, in memory that does not depend on the length.
//!
//! ```text
//! a row's open ──► Source ──► Adapter (mix, resample, quantise) ──► Sink ──► output
//!   one folder a format          only what has to change          of the target's row
//! ```
//! Integers stay integers from end to end where nothing has to change. Never holds a whole file.
//!
//! In reading order:
//! - `sound`: samples in blocks, and what is done to them. `tags`: title, artist and the like.
//! - `source`, `sink`: what a file is to the rest, on either side. `row`: what a format is.
//! - `codecs`: packets into samples and back. `sources`: sources that several formats share.
//! - `formats`: a folder a format, and the list of them. Nothing else names a format.
//! - `recognise`, `convert`: what is done with the list.

mod codecs;
mod convert;
mod damage;
mod formats;
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

use self::formats::ROWS;
use crate::job::{Converter, Pair};

/// All sound.
pub static CONVERTER: Converter = Converter {
    name: "audio",
    formats: || ROWS.iter().map(|row| &row.format).collect(),
    pairs,
    recognise: |_, input, extension| recognise::recognise(input, extension).map(|row| &row.format),
    convert: convert::convert,
};

/// From every format to every one that is written, to itself as well.
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
            options: options::SPECS,
        })
    };
    ROWS.iter().flat_map(|from| to_all(from)).collect()
}
