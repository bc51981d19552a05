//! Reading pictures: what a format offers to whoever opens its files, and what a header tells. Knows no format.

use super::{
    animation::Animation,
    metadata::Metadata,
    pages::Pages,
    pixels::{Layout, Rows, palette::Colours, stages::Stages},
};
use crate::{
    error::{Error, Kind, Result},
    format::Format,
    job::{Input, Job},
};
use image::metadata::Orientation;
use std::io::{self, SeekFrom};

/// Reads the header of a file that is what the job says it is, from its beginning.
///
/// Errors: [`Kind::BadInput`] if it is not, or uses what no decoder here understands.
pub(crate) type Open =
    for<'a> fn(&'a Job<'a>, &'a mut dyn Input) -> Result<Box<dyn Source<'a> + 'a>>;

/// Opens the animation in a file that stands at its beginning. `None` for a still picture.
pub(crate) type OpenMoving =
    for<'a> fn(&'a Job<'a>, &'a mut dyn Input) -> Result<Option<Animation<'a>>>;

/// Tells a file by its first bytes, the file itself and the extension of its name.
pub(crate) type Recognise = fn(&[u8], &mut dyn Input, Option<&str>) -> bool;

/// Finds the pictures of a file. `None` where there is one.
pub(crate) type FindPages = fn(&mut dyn Input) -> io::Result<Option<Pages>>;

/// Adds what a file says about its picture.
pub(crate) type FindMetadata = fn(&mut dyn Input, &mut Metadata) -> io::Result<()>;

/// How files of a format are read. Every function finds the file at its beginning, and leaves it anywhere.
pub(crate) struct Reader {
    /// Tells a file of the format by its content, where there are no magic bytes. Must trust neither that nor its name.
    pub(crate) recognise: Option<Recognise>,
    /// Opens the picture, or the first one.
    pub(crate) open: Open,
    /// Opens all frames of an animation, where the format has them.
    pub(crate) open_moving: Option<OpenMoving>,
    /// Finds the pictures of a file that may have several, other than frames.
    pub(crate) pages: Option<FindPages>,
    /// Finds EXIF and XMP. What is damaged is passed over.
    pub(crate) metadata: Option<FindMetadata>,
}

impl Reader {
    /// A format with magic bytes, one picture a file, and nothing beside it.
    pub(crate) const fn of(open: Open) -> Self {
        Self {
            recognise: None,
            open,
            open_moving: None,
            pages: None,
            metadata: None,
        }
    }
}

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

    /// The file of format `to` that this one was made from, if it holds that to the last bit, and looks as it should
    /// without its metadata, unless it stays `with_metadata`. Reserves what that takes.
    fn original(&mut self, _to: &Format, _with_metadata: bool) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    /// Starts decoding. Whether it streams or decodes everything at once is up to the format.
    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>>;

    /// The same in two stages, if decoding falls into such.
    fn decode_in_stages(self: Box<Self>) -> Result<Decoding<'a>> {
        self.decode().map(Decoding::Rows)
    }
}

/// A picture that is being decoded.
pub(crate) enum Decoding<'a> {
    Rows(Box<dyn Rows + 'a>),
    Stages(Stages<'a>),
}

/// Goes back to the beginning of the file.
pub(crate) fn rewind(input: &mut dyn Input) -> Result<()> {
    input.seek(SeekFrom::Start(0)).map(|_| ()).map_err(lost)
}

/// The error for an upload that could not be read.
pub(crate) fn lost(err: io::Error) -> Error {
    Error::storage("the upload could not be read", err)
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

/// The first bytes of the file.
///
/// Errors: [`Kind::BadInput`] if it has fewer.
pub(crate) fn head<const N: usize>(job: &Job<'_>, input: &mut dyn Input) -> Result<[u8; N]> {
    let mut head = [0; N];
    input
        .read_exact(&mut head)
        .map_err(|err| failed(job, err))?;
    Ok(head)
}
