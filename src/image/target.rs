//! The interface for writing pictures: the capabilities of a format, the input of its writer, and functions that
//! several writers share. Does not decide about colour or size.

use super::{
    animation::Animation,
    hdr_colour::HdrColour,
    limits,
    metadata::Metadata,
    pixels::{
        Channels, Depth, Layout, Rows,
        palette::Colours,
        rows::{ROWS_BETWEEN_CHECKS, check_row},
    },
    whole::{Packer, Whole},
};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output, Progress, Quality, Unit},
};
use image::metadata::Orientation;
use std::io::{self, BufWriter, Write as _};

/// Writes a still picture.
pub(crate) type Write =
    fn(&Job<'_>, Box<dyn Rows + '_>, Extras, &mut dyn Output, &mut Notes) -> Result<()>;

/// Writes an animation, frame by frame.
pub(crate) type WriteMoving =
    fn(&Job<'_>, Animation<'_>, &mut dyn Output, &mut Notes) -> Result<()>;

/// Adds a picture to a file with several pictures. The `u64` is private to the format, for example a position in the
/// file; it is 0 at the beginning.
pub(crate) type Append =
    fn(&Job<'_>, Box<dyn Rows + '_>, Extras, &mut dyn Output, &mut u64) -> Result<()>;

/// Input of a writer besides the pixels.
#[derive(Clone, Default)]
pub(crate) struct Extras {
    /// The palette, if samples are indices; only for targets with [palettes](Target::palettes).
    pub(crate) colours: Option<Colours>,
    /// A colour profile for the pixels; only for targets that can [embed](Target::carries_icc) one.
    pub(crate) icc: Option<Vec<u8>>,
    /// The colour space, if the picture is HDR; only for targets that can [store](Target::carries_hdr) it. It takes
    /// precedence over a profile.
    pub(crate) hdr: Option<HdrColour>,
    /// The metadata to write, limited to what the target can [store](Target::keeps_metadata).
    pub(crate) metadata: Metadata,
    /// See [`Header::lossless`](super::source::Header::lossless).
    pub(crate) lossless: bool,
    /// The orientation to apply; only for targets that [turn](Target::turns) pictures themselves, such as pages of a
    /// document.
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    pub(crate) orientation: Option<Orientation>,
    /// The file of the source. The writer packs it, and returns the packed file unless its own result is smaller.
    #[cfg_attr(not(feature = "jxl"), allow(dead_code))]
    pub(crate) whole: Option<Whole>,
    /// The file of the source without its metadata. This file is the result unless the writer makes a smaller one.
    pub(crate) bare: Option<Vec<u8>>,
    /// Whether the memory for a smaller file has been reserved: [`Target::memory_for_less`].
    pub(crate) has_memory: bool,
    /// Whether the memory for encoding at several [levels](super::levels) has been reserved.
    pub(crate) has_levels: bool,
}

/// Kinds of palettes that a format supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palettes {
    /// The format has no palettes.
    None,
    /// All colours are opaque.
    Opaque,
    /// Each colour may have an alpha value.
    Any,
}

/// Speed at which a writer consumes rows. It decides which stages of decoding share its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Streams {
    /// The writer starts when it has the whole picture.
    No,
    /// The writer streams, and takes at least about as long as the first stage of decoding: see
    /// [`Stages`](super::pixels::stages::Stages).
    Slowly,
    /// The writer streams, and takes so little time that the second stage of decoding can share its thread.
    Quickly,
}

/// Settings of a writer besides the three levels of quality.
#[allow(unreachable_pub)] // Used outside of this package only with the feature `pdf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tuning {
    /// No further settings.
    None,
    /// A quality from 1 to 100, and the [largest size](convertd_core::job::MAX_SIZE) of the result.
    Scale,
    /// A quality from 1 to 100, the largest size, or coding without loss.
    ScaleOrLossless,
}

/// Removes EXIF and XMP from a finished file.
pub(crate) type WithoutMetadata = fn(&[u8]) -> io::Result<Vec<u8>>;

/// The writer of a format.
pub(crate) struct Target {
    /// The meaning of low, medium and high, in the words of the manual.
    pub(crate) quality: &'static str,
    /// Settings besides the three levels of quality.
    pub(crate) tuning: Tuning,
    /// The pixel type of this format that is closest to the given one.
    pub(crate) accepts: fn(Channels, Depth) -> (Channels, Depth),
    /// Largest width and height in pixels.
    pub(crate) max_side: u32,
    /// Side in pixels to which larger pictures are scaled down, instead of being rejected.
    pub(crate) scales_to: Option<u32>,
    pub(crate) streams: fn(Quality) -> Streams,
    pub(crate) palettes: Palettes,
    /// Whether a colour profile can be stored.
    pub(crate) carries_icc: bool,
    /// Whether the colour space of an HDR picture can be stored.
    pub(crate) carries_hdr: bool,
    /// Largest size of EXIF, and of XMP, that can be stored, in bytes; 0 if neither can be stored.
    pub(crate) keeps_metadata: usize,
    /// Stores whole files of another format.
    pub(crate) packs: Option<&'static Packer>,
    /// Removes EXIF and XMP from a finished file. It is needed if the source contains, packed, the file it was made
    /// from, and the client wants that file without metadata. If the function is absent, such a file is restored only
    /// if the client keeps metadata; otherwise the result is made from the pixels.
    pub(crate) without_metadata: Option<WithoutMetadata>,
    /// Whether the writer applies the orientation itself: [`Extras::orientation`].
    pub(crate) turns: bool,
    /// Peak memory of encoding in bytes, in addition to one row of pixels. The last argument is true if the picture
    /// comes from a lossless source, or if the client allows no pixel to change. In the latter case the quality is 100.
    pub(crate) memory: fn(Layout, Quality, bool) -> u64,
    /// Additional memory in bytes with which the writer can make a smaller file; `None` if it cannot make one. If that
    /// much is not available, the writer does without it. The arguments are those of [`Target::memory`].
    pub(crate) memory_for_less: fn(Layout, Quality, bool) -> Option<u64>,
    pub(crate) write: Write,
    /// Adds a picture to those of a file; only for formats with pages.
    #[cfg_attr(not(feature = "pdf"), allow(dead_code))]
    pub(crate) append: Option<Append>,
    /// Writes animations; only for formats that have them.
    pub(crate) write_moving: Option<WriteMoving>,
}

impl Target {
    /// The writer of a simple format, which stores rows as they come, with integer samples of up to 16 bits and any
    /// channels, but no metadata.
    pub(crate) const fn of(write: Write) -> Self {
        Self {
            quality: LOSSLESS,
            tuning: Tuning::None,
            accepts: |channels, depth| (channels, depth.min(Depth::Sixteen)),
            max_side: limits::MAX_SIDE,
            scales_to: None,
            streams: |_| Streams::Quickly,
            palettes: Palettes::None,
            carries_icc: false,
            carries_hdr: false,
            keeps_metadata: 0,
            packs: None,
            without_metadata: None,
            turns: false,
            memory: by_rows,
            memory_for_less: |_, _, _| None,
            write,
            append: None,
            write_moving: None,
        }
    }
}

/// Description of the quality levels for formats without quality.
const LOSSLESS: &str = "no effect: the picture is stored as it is";

/// Memory of a writer that works row by row, in bytes.
pub(crate) fn by_rows(layout: Layout, _: Quality, _: bool) -> u64 {
    64 * layout.row_bytes() as u64
}

/// Passes every row of a picture to `put`, and reports progress.
pub(crate) fn each_row(
    job: &Job<'_>,
    mut rows: Box<dyn Rows + '_>,
    mut put: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let layout = rows.layout();
    let mut row = vec![0; layout.row_bytes()];
    for y in 0..layout.height {
        check_row(job, y)?;
        if y.is_multiple_of(ROWS_BETWEEN_CHECKS) {
            job.progress(Progress {
                done: u64::from(y),
                total: u64::from(layout.height),
                unit: Unit::Rows,
            });
        }
        rows.next_row(&mut row)?;
        put(&row)?;
    }
    Ok(())
}

/// Writes a header, then all rows with big-endian samples.
pub(crate) fn write_big_endian(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    output: &mut dyn Output,
    header: &[u8],
) -> Result<()> {
    let depth = rows.layout().depth;
    let mut output = BufWriter::with_capacity(1 << 16, output);
    output.write_all(header).map_err(Error::unwritten)?;
    let mut swapped = Vec::new();
    each_row(job, rows, |row| {
        let bytes = match depth {
            Depth::Eight => row,
            Depth::Sixteen | Depth::Float => {
                swapped.clear();
                swapped.extend(
                    row.as_chunks::<2>()
                        .0
                        .iter()
                        .flat_map(|&sample| u16::from_ne_bytes(sample).to_be_bytes()),
                );
                &swapped
            }
        };
        output.write_all(bytes).map_err(Error::unwritten)
    })?;
    output.flush().map_err(Error::unwritten)
}
