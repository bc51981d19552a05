//! The list of all converters, and the questions one can ask it. Decides nothing by itself.

#[cfg(feature = "audio")]
use super::audio;
use super::image;
use crate::job::{Converter, Input, read_head};
use crate::{
    error::{Error, Kind, Result},
    format::{self, FORMATS, Format},
};

/// Every converter of this build.
pub static CONVERTERS: &[&Converter] = &[
    &image::CONVERTER,
    #[cfg(feature = "audio")]
    &audio::CONVERTER,
];

/// A registered way from one format to another.
#[derive(Clone, Copy)]
pub struct Plan {
    /// What does it.
    pub converter: &'static Converter,
    /// What the file is.
    pub from: &'static Format,
    /// What it becomes.
    pub to: &'static Format,
}

fn names(formats: &[&str], format: &Format) -> bool {
    formats.contains(&format.name)
}

/// Formats that some converter writes, without duplicates, in the order of [`FORMATS`].
pub fn targets() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(|format| {
        CONVERTERS
            .iter()
            .any(|converter| names(converter.writes, format))
    })
}

/// Formats that some converter reads or writes.
pub fn formats() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(|format| {
        CONVERTERS
            .iter()
            .any(|converter| names(converter.reads, format) || names(converter.writes, format))
    })
}

/// Formats that files of format `from` can become.
pub fn targets_of(from: &Format) -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(move |to| find(from, to).is_some())
}

/// Formats whose files can become format `to`.
pub fn sources_of(to: &Format) -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(move |from| find(from, to).is_some())
}

/// The converter that writes `to`, whatever it reads: it says what quality means for the format.
pub fn writer_of(to: &Format) -> Option<&'static Converter> {
    CONVERTERS
        .iter()
        .copied()
        .find(|converter| names(converter.writes, to))
}

/// The converter for a pair of formats.
pub fn find(from: &Format, to: &Format) -> Option<&'static Converter> {
    CONVERTERS
        .iter()
        .copied()
        .find(|converter| names(converter.reads, from) && names(converter.writes, to))
}

/// The format with this name, if something can be converted to it.
///
/// Errors: [`Kind::BadInput`] with the list of what is possible.
pub fn target(name: &str) -> Result<&'static Format> {
    format::by_name(&format::normalise(name))
        .filter(|format| targets().any(|target| target == *format))
        .ok_or_else(|| {
            Error::new(
                Kind::BadInput,
                format!(
                    "target_format is {name:?}; it must be one of {}",
                    list(targets())
                ),
            )
        })
}

/// The way from one format to another.
///
/// Errors: [`Kind::BadInput`] with the list of what the source can become.
pub fn plan(from: &'static Format, to: &'static Format) -> Result<Plan> {
    find(from, to)
        .map(|converter| Plan {
            converter,
            from,
            to,
        })
        .ok_or_else(|| {
            Error::new(
                Kind::BadInput,
                format!(
                    "target_format is {:?}; a {} file can be converted to {}",
                    to.name,
                    from.name,
                    list(targets_of(from))
                ),
            )
        })
}

/// What the content of a file is. Its extension settles only what content cannot.
///
/// Errors: [`Kind::BadInput`] if nothing here reads such content.
pub fn identify(input: &mut dyn Input, extension: Option<&str>) -> Result<&'static Format> {
    let head = read_head(input, format::HEAD_LEN)
        .map_err(|err| Error::storage("the upload could not be read", err))?;
    if let Some(format) = format::by_magic(&head) {
        return Ok(format);
    }
    let found = CONVERTERS
        .iter()
        .find_map(|converter| converter.recognise?(&head, input, extension));
    found.and_then(format::by_name).ok_or_else(|| {
        Error::new(
            Kind::BadInput,
            format!(
                "the content of the file is of no supported format; supported are {}",
                list(formats().filter(|format| targets_of(format).next().is_some()))
            ),
        )
    })
}

fn list(formats: impl Iterator<Item = &'static Format>) -> String {
    formats
        .map(|format| format.name)
        .collect::<Vec<_>>()
        .join(", ")
}
