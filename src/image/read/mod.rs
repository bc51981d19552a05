//! Opening pictures: what the header says first, the pixels when asked. Reserves nothing itself.

pub(crate) mod animation;
mod apng;
mod associated;
#[cfg(feature = "avif")]
mod avif;
mod bmp;
mod dds;
mod gif;
mod jpeg;
mod other;
mod pages;
mod pcx;
mod png;
mod png_lines;
mod pnm;
mod psd;
#[cfg(feature = "svg")]
mod svg;
#[cfg(feature = "svg")]
mod svg_filters;
#[cfg(feature = "svg")]
mod svg_groups;
#[cfg(feature = "svg")]
mod svg_pictures;
mod tga;
mod tiff;
mod tiff_numbers;
mod tiff_packed;
mod tiff_tags;
mod unfilter;
#[cfg(feature = "libwebp")]
mod webp;

pub(crate) use pages::Paged;

use super::{
    layout::Layout,
    palette::Colours,
    rows::{Rows, check_row},
};
use crate::{
    error::{Error, Kind, Result},
    job::{Input, Job},
};
use image::metadata::Orientation;
use std::{
    io::SeekFrom,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What a header tells.
#[derive(Debug)]
pub(crate) struct Header {
    /// What [`Source::decode`] gives.
    pub(crate) layout: Layout,
    pub(crate) orientation: Orientation,
    /// The colour profile as it stands in the file.
    pub(crate) icc: Option<Vec<u8>>,
    /// Bytes that decoding takes at its peak, with everything that the rows keep afterwards.
    pub(crate) memory: u64,
    /// Whether there is more to see than the one picture.
    pub(crate) animated: bool,
    /// Whether the pixels are as somebody made them, without the marks of a lossy codec.
    pub(crate) lossless: bool,
}

/// A picture of which only the header has been read.
pub(crate) trait Source<'a> {
    fn header(&mut self) -> &mut Header;

    /// What a person should know about the result, such as what is going to be lost, in whole sentences.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Tells that the picture is to become smaller by `ratio`, in either direction at least. It may be decoded at a
    /// smaller size, if that is any easier. Changes the header if it is.
    fn reduce(&mut self, _ratio: f64) {}

    /// Asks for indices instead of colours, where the picture is made of them. From then on it looks like one in 8-bit
    /// grey. Colours that are not opaque are given only where `transparency` is of use.
    fn index(&mut self, _transparency: bool) -> Option<Colours> {
        None
    }

    /// Asks for a picture of exactly this size, which drawings can give. Changes the header if it does.
    fn draw_at(&mut self, _width: u32, _height: u32) -> bool {
        false
    }

    /// Starts decoding. Whether it streams or decodes everything at once is up to the format.
    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>>;
}

/// Reads the header of `input`, which is what `job` says it is.
///
/// Errors: [`Kind::BadInput`] if it is not, or uses what no decoder here understands.
fn open<'a>(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Box<dyn Source<'a> + 'a>> {
    guarded(job, || match job.from.name {
        "jpg" => jpeg::open(job, input),
        "png" | "apng" => png::open(job, input),
        "gif" => gif::open(job, input),
        "bmp" => bmp::open(job, input),
        "pbm" | "pgm" | "ppm" | "pam" => pnm::open(job, input),
        "psd" => psd::open(job, input),
        "pcx" => pcx::open(job, input),
        "dds" => dds::open(job, input),
        #[cfg(feature = "avif")]
        "avif" => avif::open(job, input),
        #[cfg(feature = "svg")]
        "svg" => svg::open(job, input),
        #[cfg(feature = "libwebp")]
        "webp" => webp::open(job, input),
        "tiff" => tiff::open(job, input),
        _ => other::open(job, input),
    })
}

/// Finds pictures that have no signature at their beginning.
pub(crate) fn recognise(
    head: &[u8],
    input: &mut dyn Input,
    extension: Option<&str>,
) -> Option<&'static str> {
    #[cfg(feature = "svg")]
    if let Some(name) = svg::recognise(head) {
        return Some(name);
    }
    tga::recognise(head, input, extension)
}

/// Runs a decoder of another crate. All of them are known to have panicked on some file.
pub(crate) fn guarded<T>(job: &Job<'_>, run: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Err(job.unreadable("its decoder gave up")))
}

/// Goes back to the beginning of the file.
pub(crate) fn rewind(input: &mut dyn Input) -> Result<()> {
    input
        .seek(SeekFrom::Start(0))
        .map(|_| ())
        .map_err(|err| Error::storage("the upload could not be read", err))
}

/// The first bytes of the file.
fn head<const N: usize>(job: &Job<'_>, input: &mut dyn Input) -> Result<[u8; N]> {
    rewind(input)?;
    let mut head = [0; N];
    input
        .read_exact(&mut head)
        .map_err(|err| failed(job, err))?;
    Ok(head)
}

/// The error for a decoder that failed: the job's own, if it was the gate that stopped the reader.
pub(crate) fn failed(
    job: &Job<'_>,
    cause: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> Error {
    match job.check() {
        Ok(()) => job.unreadable(cause),
        Err(stopped) => stopped,
    }
}

/// The error for a file that is all right as far as one can tell, but of a kind that is not supported.
pub(crate) fn unsupported(job: &Job<'_>, what: &str) -> Error {
    Error::new(
        Kind::BadInput,
        format!(
            "the {} file uses {what}, which is not supported",
            job.from.name
        ),
    )
}
