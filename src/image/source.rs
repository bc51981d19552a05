//! The interface for reading pictures: the functions of a format, and the properties in a header. Does not depend on a
//! format.

use super::{
    animation::Animation,
    codec_errors,
    hdr_colour::HdrColour,
    metadata::Metadata,
    pages::Pages,
    pixels::{Layout, Rows, palette::Colours, stages::Stages},
};
use convertd_core::{
    error::{Error, Kind, Result},
    format::Format,
    job::{Input, Job},
};
use image::metadata::Orientation;
use std::io::{self, SeekFrom};

/// Reads the header of a file in the job's source format. The file is at its start.
///
/// Errors: [`Kind::BadInput`] if the file is of another format, damaged, or uses a feature that is not supported.
pub(crate) type Open =
    for<'a> fn(&'a Job<'a>, &'a mut dyn Input) -> Result<Box<dyn Source<'a> + 'a>>;

/// Opens the animation in a file that is at its start. `None` for a still picture.
pub(crate) type OpenMoving =
    for<'a> fn(&'a Job<'a>, &'a mut dyn Input) -> Result<Option<Animation<'a>>>;

/// Recognises a file by its first bytes, its content and the extension of its name.
pub(crate) type Recognise = fn(&[u8], &mut dyn Input, Option<&str>) -> bool;

/// Finds the pictures of a file. `None` if it has only one.
pub(crate) type FindPages = fn(&mut dyn Input) -> io::Result<Option<Pages>>;

/// Adds the metadata of a file to those found so far.
pub(crate) type FindMetadata = fn(&mut dyn Input, &mut Metadata) -> io::Result<()>;

/// Finds the layers of a picture, from below. Empty if it has only one.
#[cfg(feature = "document")]
pub(crate) type FindLayers = fn(&mut dyn Input) -> io::Result<Vec<super::pages::Layer>>;

/// Reads the outline of a file with several pages. Empty if absent.
#[cfg(feature = "document")]
pub(crate) type FindOutline = fn(&Job<'_>, &mut dyn Input) -> Result<Vec<super::pages::Bookmark>>;

/// Reads the text that a file stores beside the picture. `None` if the file has no text, or if the text is damaged. All
/// positions are in pixels of the stored picture, before it is turned upright.
#[cfg(feature = "ocr")]
pub(crate) type FindText =
    for<'j> fn(&Job<'j>, &mut dyn Input) -> Result<Option<super::words::OwnText<'j>>>;

/// The reader of a format. All functions get the file at its start, and may leave it at any position.
pub(crate) struct Reader {
    /// Recognises a format without magic bytes. Must not trust the content or the name.
    pub(crate) recognise: Option<Recognise>,
    /// Opens the picture, or the first one of several; with a [patch](super::pages::Patch), another one.
    pub(crate) open: Open,
    /// Opens all frames of an animation, if the format has animations.
    pub(crate) open_moving: Option<OpenMoving>,
    /// Finds the pictures of a file that may have several. Frames of an animation do not count.
    pub(crate) pages: Option<FindPages>,
    /// Finds EXIF, XMP, and a resolution outside of EXIF. Ignores damaged metadata.
    pub(crate) metadata: Option<FindMetadata>,
    /// Finds the layers of a page that is best stored as several pictures.
    #[cfg(feature = "document")]
    pub(crate) layers: Option<FindLayers>,
    /// Reads the outline of the file, if the format can store one.
    #[cfg(feature = "document")]
    pub(crate) outline: Option<FindOutline>,
    /// Reads the text beside the picture, if the format can store one.
    #[cfg(feature = "ocr")]
    pub(crate) text: Option<FindText>,
}

impl Reader {
    /// The reader of a format with magic bytes, one picture in a file, and no metadata.
    pub(crate) const fn of(open: Open) -> Self {
        Self {
            recognise: None,
            open,
            open_moving: None,
            pages: None,
            metadata: None,
            #[cfg(feature = "document")]
            layers: None,
            #[cfg(feature = "document")]
            outline: None,
            #[cfg(feature = "ocr")]
            text: None,
        }
    }
}

/// Properties from a header.
#[derive(Debug)]
pub(crate) struct Header {
    /// The layout of the rows from [`Source::decode`].
    pub(crate) layout: Layout,
    pub(crate) orientation: Orientation,
    /// The embedded ICC profile, unchanged.
    pub(crate) icc: Option<Vec<u8>>,
    /// Peak memory in bytes from the start of decoding until all rows have been delivered.
    pub(crate) memory: u64,
    /// Whether the file is an animation.
    pub(crate) animated: bool,
    /// Whether the pixels were stored without loss, and so have no compression artefacts.
    pub(crate) lossless: bool,
}

/// A picture whose header has been read.
pub(crate) trait Source<'a> {
    /// The properties from the header, which the caller may change.
    fn header(&mut self) -> &mut Header;

    /// Notes for the user about the result, such as losses, as whole sentences.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// The colour space of an HDR picture. `None` for other pictures.
    fn hdr(&self) -> Option<HdrColour> {
        None
    }

    /// Announces that the picture will be scaled down by at least `ratio` in both directions. A source that can decode
    /// at a smaller size with less effort does so, and changes its header.
    fn reduce(&mut self, _ratio: f64) {}

    /// Switches to palette indices instead of colours, if the picture has a palette. From then on, the source delivers
    /// rows of 8-bit grey, whose samples are the indices. Palettes with transparent colours are offered only if the
    /// target supports `transparency`.
    fn index(&mut self, _transparency: bool) -> Option<Colours> {
        None
    }

    /// Renders at exactly this size, and changes the header. Returns whether the source can do so; only vector drawings
    /// can.
    fn draw_at(&mut self, _width: u32, _height: u32) -> bool {
        false
    }

    /// The file in the format `to` that this file was made from, if it can be restored byte for byte (JPEG XL can
    /// contain a JPEG). Unless `with_metadata` is set, the caller will remove the metadata from the restored file, so a
    /// file that would look different without metadata counts as [lost](Original::Lost). Reserves memory for the
    /// restored file.
    fn original(&mut self, _to: &Format, _with_metadata: bool) -> Result<Original> {
        Ok(Original::None)
    }

    /// The bytes of the file, with or without EXIF and XMP, if the file has one picture and a target can store the file
    /// completely; this is possible for JPEG only. Removing the metadata must not change the orientation of the
    /// displayed picture. The caller has reserved memory.
    fn whole_file(&mut self, _with_metadata: bool) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    /// The file reduced to its picture, without metadata, if decoders get the same picture and colours from the reduced
    /// file. `None` if they would not, or if the format cannot provide such a file.
    fn bare_file(&mut self) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    /// Starts decoding. The format decides whether rows are decoded one by one or all at once.
    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>>;

    /// Starts decoding in two stages, if the decoder can be split.
    fn decode_in_stages(self: Box<Self>) -> Result<Decoding<'a>> {
        self.decode().map(Decoding::Rows)
    }
}

/// The file that another file was made from. Only JPEG XL can restore one.
#[cfg_attr(not(feature = "jxl"), allow(dead_code))]
pub(crate) enum Original {
    /// The file was not made from a file in that format.
    None,
    /// The file was made from a file in that format, which cannot be restored. The text is the reason, as the end of a
    /// sentence.
    Lost(&'static str),
    /// The restored file.
    File(Vec<u8>),
}

/// A picture during decoding.
pub(crate) enum Decoding<'a> {
    /// Rows from a single stage.
    Rows(Box<dyn Rows + 'a>),
    /// A decoder that is split into two stages.
    Stages(Stages<'a>),
}

/// Seeks to the start of the file.
pub(crate) fn rewind(input: &mut dyn Input) -> Result<()> {
    input.seek(SeekFrom::Start(0)).map(|_| ()).map_err(lost)
}

/// The error for an upload that cannot be read.
pub(crate) fn lost(err: io::Error) -> Error {
    Error::storage("the upload could not be read", err)
}

/// The error for a decoder that failed, or the job's own error if the job was stopped meanwhile.
pub(crate) fn failed(
    job: &Job<'_>,
    cause: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> Error {
    let cause = cause.into();
    match job.check() {
        Ok(()) => job
            .unreadable(codec_errors::explain(&cause.to_string()))
            .caused_by(cause),
        Err(stopped) => stopped,
    }
}

/// The error for a valid file that uses an unsupported feature.
pub(crate) fn unsupported(job: &Job<'_>, what: &str) -> Error {
    Error::new(
        Kind::BadInput,
        format!(
            "the {} file uses {what}, which is not supported",
            job.from.name
        ),
    )
}

/// Reads the next `N` bytes of the file.
///
/// Errors: [`Kind::BadInput`] if the file is shorter.
pub(crate) fn head<const N: usize>(job: &Job<'_>, input: &mut dyn Input) -> Result<[u8; N]> {
    let mut head = [0; N];
    input
        .read_exact(&mut head)
        .map_err(|err| failed(job, err))?;
    Ok(head)
}
/// The note about a gain map, which makes a picture brighter on HDR screens (ISO 21496-1).
pub(crate) const GAIN_MAP: &str =
    "The gain map, which makes the picture brighter on HDR screens, was left out.";

/// The note about the video that phones append to a picture.
pub(crate) const FILM: &str = "The file also has a short video (motion photo), which was left out.";
