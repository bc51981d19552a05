//! Writing pictures: what a format says it can hold, and what its writer gets. Decides nothing about colour or size, and
//! knows no format.

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
use crate::{
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

/// Adds a picture to a file of several. The number is the format's own, for the place where it stands: 0 at the beginning of
/// a file.
pub(crate) type Append =
    fn(&Job<'_>, Box<dyn Rows + '_>, Extras, &mut dyn Output, &mut u64) -> Result<()>;

/// What a writer gets beside the pixels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extras {
    /// What the samples are indices into, if they are, for a target that [has](Target::palettes) palettes.
    pub(crate) colours: Option<Colours>,
    /// A colour profile that fits the pixels, for a target that [carries](Target::carries_icc) one.
    pub(crate) icc: Option<Vec<u8>>,
    /// For a target that [keeps](Target::keeps_metadata) it.
    pub(crate) metadata: Metadata,
    /// See [`Header::lossless`](super::source::Header::lossless).
    pub(crate) lossless: bool,
    /// How the picture is to be turned, for a target that does [that](Target::turns): a page of a document.
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    pub(crate) orientation: Option<Orientation>,
}

/// Which palettes a format has, as far as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palettes {
    None,
    Opaque,
    /// With an alpha for each colour.
    Any,
}

/// Whether there is work to do on rows as they come, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Streams {
    /// The whole picture has to be there first.
    No,
    /// As much as the first stage of decoding, or more, as a rule: see [`Stages`](super::pixels::stages::Stages).
    Slowly,
    /// So much less that the second stage can be added to it.
    Quickly,
}

/// Takes EXIF and XMP out of a finished file.
pub(crate) type WithoutMetadata = fn(&[u8]) -> io::Result<Vec<u8>>;

/// How files of a format are written.
pub(crate) struct Target {
    /// What low, medium and high mean, for people.
    pub(crate) quality: &'static str,
    /// Whether quality makes results smaller, by numbers from 1 to 100, too.
    pub(crate) has_scale: bool,
    /// The pixel type that comes closest to one that is given.
    pub(crate) accepts: fn(Channels, Depth) -> (Channels, Depth),
    /// Largest width and height in pixels.
    pub(crate) max_side: u32,
    /// Larger pictures are scaled down to this side rather than refused.
    pub(crate) scales_to: Option<u32>,
    pub(crate) streams: fn(Quality) -> Streams,
    pub(crate) palettes: Palettes,
    /// Whether a colour profile can be stored.
    pub(crate) carries_icc: bool,
    /// Most bytes of EXIF, and of XMP, that can be stored; 0 if none can.
    pub(crate) keeps_metadata: usize,
    /// Takes EXIF and XMP out of a finished file. Where it cannot be done, no file is taken over as it is.
    pub(crate) without_metadata: Option<WithoutMetadata>,
    /// Whether the picture is turned upright by whoever shows the result: [`Extras::orientation`] says how.
    pub(crate) turns: bool,
    /// Bytes that encoding takes at its peak, beside one row of pixels.
    /// The last argument tells whether the picture comes from a lossless source.
    pub(crate) memory: fn(Layout, Quality, bool) -> u64,
    pub(crate) write: Write,
    /// Adds a picture to those that a file has, where the format has pages.
    pub(crate) append: Option<Append>,
    /// Writes animations, where the format has them.
    pub(crate) write_moving: Option<WriteMoving>,
}

impl Target {
    /// A format that stores rows as they come, of integers of up to 16 bits with any channels, and nothing beside them.
    pub(crate) const fn of(write: Write) -> Self {
        Self {
            quality: LOSSLESS,
            has_scale: false,
            accepts: |channels, depth| (channels, depth.min(Depth::Sixteen)),
            max_side: limits::MAX_SIDE,
            scales_to: None,
            streams: |_| Streams::Quickly,
            palettes: Palettes::None,
            carries_icc: false,
            keeps_metadata: 0,
            without_metadata: None,
            turns: false,
            memory: by_rows,
            write,
            append: None,
            write_moving: None,
        }
    }
}

/// What quality means where it means nothing.
const LOSSLESS: &str = "makes no difference: the picture is stored as it is";

/// What memory a writer takes that goes row by row.
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
            job.gate.progress(Progress {
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
