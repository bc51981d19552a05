//! Conversion of pictures. A conversion first reads the header, then reserves the memory that the header requires, and
//! only then decodes, row by row if both formats allow that.
//!
//! Each format declares in its [row](formats) how it is read and written: a [source] states the size and pixel type of
//! a picture, and a [target] what the result can contain. Between them are the [pixels], which do not depend on a
//! format.
//!
//! Never: documents, sheets or pages, and the crates that read and write them (`pdf_writer`, `html5gum`, `hayro`); no
//! sound (`convertd_audio`).

mod about;
mod adapter;
mod animation;
mod associated;
mod codec_errors;
mod cropped;
mod delays;
#[cfg(feature = "pdf")]
pub mod drawing;
mod edited_input;
mod fitting;
mod formats;
#[cfg(feature = "ocr")]
pub mod grey;
mod hdr_colour;
#[cfg(any(feature = "avif", feature = "heic"))]
mod heif;
mod icons;
#[cfg(feature = "document")]
pub mod inlay;
mod levels;
mod limits;
mod metadata;
mod moving;
mod open;
mod options;
mod original;
#[cfg(feature = "ocr")]
pub mod own_text;
mod pages;
mod pixels;
mod plan;
#[cfg(feature = "document")]
pub mod plate;
mod row;
mod salvage;
mod source;
mod still;
mod target;
#[cfg(test)]
mod tests;
#[cfg(all(feature = "document", feature = "svg"))]
pub mod vector;
mod whole;
#[cfg(feature = "ocr")]
mod words;

pub use about::about;
use convertd_core::{
    error::{Error, Result},
    format::Format,
    job::{Converter, Input, Job, Notes, Output, Pair},
};
use formats::ROWS;
pub use options::LOSSLESS;
use options::Wishes;
#[cfg(any(feature = "avif", feature = "heic", feature = "document"))]
pub use pixels::colour::bytes as profile_bytes;
pub use pixels::orient::swaps_sides;
use row::Row;
use source::rewind;

/// The converter of pictures.
pub static CONVERTER: Converter = Converter {
    name: "image",
    formats: || ROWS.iter().map(|row| &row.format).collect(),
    pairs,
    recognise,
    convert,
};

/// The row of a format of this category.
fn row(format: &Format) -> Option<&'static Row> {
    ROWS.iter().copied().find(|row| row.format == *format)
}

/// The pairs: every format that can be read, into every format that can be written.
fn pairs() -> Vec<Pair> {
    let readable = ROWS.iter().filter(|row| row.read.is_some());
    readable
        .flat_map(|from| {
            ROWS.iter().filter_map(|to| {
                Some(Pair {
                    from: &from.format,
                    to: &to.format,
                    quality: to.write.as_ref()?.quality,
                    options: options::specs(to.write.as_ref()?.tuning),
                })
            })
        })
        .collect()
}

/// Recognises files of formats without magic bytes by their content.
fn recognise(
    head: &[u8],
    input: &mut dyn Input,
    extension: Option<&str>,
) -> Option<&'static Format> {
    let found = ROWS.iter().find(|row| {
        let recognise = row.read.as_ref().and_then(|reader| reader.recognise);
        recognise.is_some_and(|recognise| recognise(head, input, extension))
    });
    // The next recogniser reads the file from the beginning, too.
    rewind(input).ok()?;
    found.map(|row| &row.format)
}

fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let reader = row(job.from).and_then(|row| row.read.as_ref());
    let target = row(job.to).and_then(|row| row.write.as_ref());
    let (Some(reader), Some(target)) = (reader, target) else {
        return Err(Error::internal("no such conversion", job.to.name));
    };
    let wishes = Wishes::of(job.options());
    if let Some(write) = target.write_moving
        && wishes.page.is_none()
        && let Some(animation) = open::moving(job, reader, input)?
    {
        return moving::convert(job, target, write, animation, &wishes, output);
    }
    still::convert(job, reader, target, &wishes, input, output)
}
