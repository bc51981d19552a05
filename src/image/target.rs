//! The interface for writing pictures: the abilities of a format, and the input of its writer. Does not decide about colour or
//! size, and knows no format.

use super::{
    animation::Animation,
    limits,
    metadata::Metadata,
    pixels::{
        Channels, Depth, Layout, Rows,
        palette::Colours,
        rows::{ROWS_BETWEEN_CHECKS, check_row},
    },
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

/// Adds a picture to a file with several. The number is the format's own note of its position in the file; it is 0 at the
/// beginning.
pub(crate) type Append =
    fn(&Job<'_>, Box<dyn Rows + '_>, Extras, &mut dyn Output, &mut u64) -> Result<()>;

/// Metadata that a writer receives in addition to the pixels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extras {
    /// The palette, if the samples are indices; only for targets that have [palettes](Target::palettes).
    pub(crate) colours: Option<Colours>,
    /// A colour profile that fits the pixels; only for targets that can [embed](Target::carries_icc) one.
    pub(crate) icc: Option<Vec<u8>>,
    /// The metadata to write, as far as the target can [store](Target::keeps_metadata) them.
    pub(crate) metadata: Metadata,
    /// See [`Header::lossless`](super::source::Header::lossless).
    pub(crate) lossless: bool,
    /// The orientation to apply; only for targets that [turn](Target::turns) pictures themselves, such as pages of a document.
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    pub(crate) orientation: Option<Orientation>,
    /// Whether the memory for a smaller file has been reserved: [`Target::memory_for_less`].
    pub(crate) has_memory: bool,
}

/// The kinds of palettes that the writer of a format supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palettes {
    None,
    Opaque,
    /// Each colour has an alpha value.
    Any,
}

/// Consumption of rows by a writer, which decides the stages that share a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Streams {
    /// It starts only when it has the whole picture.
    No,
    /// It streams, and takes at least about as long as the first stage of decoding: see [`Stages`](super::pixels::stages::Stages).
    Slowly,
    /// It streams, and takes so little time that the second stage of decoding can share its thread.
    Quickly,
}

/// Settings of a writer beside the three levels of quality.
#[allow(unreachable_pub)] // Without PDF nobody outside of pictures asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tuning {
    /// No further settings.
    None,
    /// A quality from 1 to 100, and the [largest size](convertd_core::job::MAX_SIZE) of the result.
    Scale,
    /// A quality from 1 to 100, the largest size, or coding without loss.
    ScaleOrLossless,
}

/// Packs a file. Returns `None` if it could not be restored exactly.
type Pack = fn(&Job<'_>, &[u8]) -> Result<Option<Vec<u8>>>;

/// Stores a whole file of another format, so that it comes back byte for byte.
pub(crate) struct Packer {
    /// The format of such files, by its name.
    pub(crate) of: &'static str,
    /// Peak memory in bytes, for a picture of that layout in a file of that length.
    pub(crate) memory: fn(Layout, u64) -> u64,
    pub(crate) pack: Pack,
}

/// Takes EXIF and XMP out of a finished file.
pub(crate) type WithoutMetadata = fn(&[u8]) -> io::Result<Vec<u8>>;

/// A format's writer.
pub(crate) struct Target {
    /// The meaning of low, medium and high, in the words of the manual.
    pub(crate) quality: &'static str,
    /// Settings beside the three levels of quality.
    pub(crate) tuning: Tuning,
    /// The pixel type of this format that is closest to a given one.
    pub(crate) accepts: fn(Channels, Depth) -> (Channels, Depth),
    /// Largest width and height in pixels.
    pub(crate) max_side: u32,
    /// Larger pictures are scaled down to this side instead of being refused.
    pub(crate) scales_to: Option<u32>,
    pub(crate) streams: fn(Quality) -> Streams,
    pub(crate) palettes: Palettes,
    /// Whether a colour profile can be stored.
    pub(crate) carries_icc: bool,
    /// The largest EXIF and XMP blocks that can be stored, in bytes; 0 if none can.
    pub(crate) keeps_metadata: usize,
    /// Stores whole files of another format.
    pub(crate) packs: Option<&'static Packer>,
    /// Removes EXIF and XMP from a finished file. Without this function, no file is copied as it is.
    pub(crate) without_metadata: Option<WithoutMetadata>,
    /// Whether the writer applies the orientation itself: [`Extras::orientation`].
    pub(crate) turns: bool,
    /// Peak memory of encoding in bytes, in addition to one row of pixels. The last argument tells whether the picture comes from a
    /// lossless source, or no pixel may change; then the quality is 100.
    pub(crate) memory: fn(Layout, Quality, bool) -> u64,
    /// The additional memory in bytes with which the writer makes a smaller file, if it can. If that much is not available, the
    /// writer does without it. The arguments are those of [`Target::memory`].
    pub(crate) memory_for_less: fn(Layout, Quality, bool) -> Option<u64>,
    pub(crate) write: Write,
    /// Adds a picture to those that a file has, where the format has pages.
    #[cfg_attr(not(feature = "pdf"), allow(dead_code))]
    pub(crate) append: Option<Append>,
    /// Writes animations, where the format has them.
    pub(crate) write_moving: Option<WriteMoving>,
}

impl Target {
    /// A simple format: it stores rows as they come, with integer samples of up to 16 bits and any channels, and no metadata.
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

/// The text for formats in which quality has no effect.
const LOSSLESS: &str = "no effect: the picture is stored as it is";

/// The memory of a writer that works row by row.
pub(crate) fn by_rows(layout: Layout, _: Quality, _: bool) -> u64 {
    64 * layout.row_bytes() as u64
}

/// Hands every row of a picture to `put`.
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

/// Writes a header, then all rows with the high byte of each sample first.
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
