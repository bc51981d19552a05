//! Prepares pictures for files that contain pictures among other things, such as PDF. Their samples get one of the two
//! codings that such files accept: JPEG, or Flate with PNG predictors (ISO 32000-1, 7.4.4 and 7.4.8), row by row as
//! they are decoded. Does not write the files themselves.
//!
//! A JPEG that needs no change is copied without decoding ([`as_is`]). A picture of another lossy codec becomes a JPEG,
//! because lossless coding would be ten times as large. Other pictures are stored without loss, with their palette if
//! they have one. Transparency is a second picture in grey, which follows the first.

mod paint;
#[cfg(feature = "pdf")]
pub mod reduced;
mod split;
mod squeeze;

use super::{
    edited_input::EditedInput,
    formats::{as_is, write_jpeg},
    limits,
    metadata::Resolution,
    open,
    options::{self, Wishes},
    pages::Pages,
    pixels::{Depth, Layout, orient, resize::Bounds},
    row,
    source::{lost, rewind},
    still::{self, Goal, Made},
    target::{Palettes, Target, by_rows},
};
use convertd_core::{
    coding::deflate,
    error::{Error, Result},
    format::Format,
    job::{DAMAGED, Input, Job, Notes, OptionSpec},
};
use image::metadata::Orientation;
use std::io::{self, Read, SeekFrom};

/// Receiver of a picture, which arrives piece by piece.
pub trait Canvas: Send {
    /// Starts the picture.
    fn begin(&mut self, plate: Plate) -> Result<()>;

    /// Takes a piece of the picture's coded samples.
    fn data(&mut self, bytes: &[u8]) -> Result<()>;

    /// Ends the picture. `mask` is the transparency of the picture, if the plate announced one.
    fn end(&mut self, mask: Option<Mask>) -> Result<()>;
}

/// Header of a picture, which is known before its samples.
#[derive(Debug)]
pub struct Plate {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Bits of a sample, or of a palette index.
    pub bits: u8,
    /// Colour space of the samples.
    pub space: Space,
    /// A colour profile for [`space`](Self::space). For indices, it is the profile of the palette.
    pub icc: Option<Vec<u8>>,
    /// Coding of the samples.
    pub coding: Coding,
    /// Whether a mask follows.
    pub has_mask: bool,
    /// Orientation for display.
    pub orientation: Orientation,
}

pub use super::pages::{Bookmark, Layer};

pub(super) use self::paint::paint;

/// Colour space of samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Space {
    /// A single sample per pixel; 0 is black.
    Grey,
    /// Red, green and blue.
    Rgb,
    /// Cyan, magenta, yellow and black. Adobe programs store them inverted.
    Cmyk {
        /// Whether 0 stands for full ink.
        inverted: bool,
    },
    /// Indices into a palette of red, green and blue.
    Indexed(Vec<[u8; 3]>),
}

impl Space {
    /// Number of samples of a pixel.
    pub fn samples(&self) -> u8 {
        match self {
            Self::Grey | Self::Indexed(_) => 1,
            Self::Rgb => 3,
            Self::Cmyk { .. } => 4,
        }
    }
}

/// Coding of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// A complete JPEG file.
    Jpeg,
    /// A zlib stream of rows. Each row begins with the number of its PNG filter, except rows of indices, which are not
    /// filtered.
    Flate,
}

/// Transparency: grey samples in the coding [`Coding::Flate`].
#[derive(Debug)]
pub struct Mask {
    /// Bits of a sample: 8 for a picture with a palette, otherwise as many as in the picture.
    pub bits: u8,
    /// A coded sample for each pixel; 0 is transparent.
    pub data: Vec<u8>,
}

/// The options of pictures that apply to pictures within other files.
pub const OPTIONS: [&OptionSpec; 8] = [
    &options::WIDTH,
    &options::HEIGHT,
    &options::FIT,
    &options::CROP,
    &options::ROTATE,
    &options::STRIP,
    &options::PAGE,
    &DAMAGED,
];

/// The formats from which pictures can be prepared. SVG is excluded, because drawings would lose their lines.
pub fn sources() -> impl Iterator<Item = &'static Format> {
    super::formats::ROWS
        .iter()
        .filter(|row| row.read.is_some() && row.format.name != "svg")
        .map(|row| &row.format)
}

/// The target that stands for a canvas: its pixel types, palettes and memory. It writes no file.
static TARGET: Target = Target {
    accepts: |channels, depth| (channels, depth.min(Depth::Sixteen)),
    palettes: Palettes::Any,
    carries_icc: true,
    turns: true,
    memory: |layout, quality, lossless| {
        let mask = if layout.channels.has_alpha() {
            layout.pixels() * layout.depth.bytes() as u64
        } else {
            0
        };
        by_rows(layout, quality, lossless)
            + mask
            + 2 * deflate::memory(true)
            + write_jpeg::memory(layout, quality, lossless)
    },
    ..Target::of(|_, _, _, _, _| Err(Error::internal("a plate has no file of its own", "")))
};

/// Number of pages in a file, at least 1. Different sizes of one picture do not count as pages.
pub fn pages(format: &Format, input: &mut dyn Input) -> Result<u32> {
    let find = row(format).and_then(|row| row.read.as_ref()?.pages);
    let Some(find) = find else {
        return Ok(1);
    };
    rewind(input)?;
    let found = find(input).ok().flatten();
    let pages = found.filter(|pages: &Pages| pages.others_are_lost);
    Ok(pages.map_or(1, |pages| pages.patches.len() as u32).max(1))
}

/// Resolution of a page in pixels per inch, horizontally and vertically, as stored. `None` if the file states none.
pub fn density(
    format: &Format,
    input: &mut dyn Input,
    page: Option<u32>,
) -> Result<Option<(f64, f64)>> {
    let Some(reader) = row(format).and_then(|row| row.read.as_ref()) else {
        return Ok(None);
    };
    let mut file = open::Still::new(reader, input, page, &mut Notes::default())?;
    let metadata = file.metadata(false)?;
    Ok(metadata.resolution.and_then(Resolution::inches))
}

/// The layers of a page, from below. Empty if the picture has only one layer, or if the job resizes or crops the
/// picture.
pub fn layers(job: &Job<'_>, input: &mut dyn Input, page: Option<u32>) -> Result<Vec<Layer>> {
    let wishes = Wishes::of(job.options());
    let is_changed = wishes.bounds != Bounds::default() || wishes.crop.is_some();
    let reader = row(job.from).and_then(|row| row.read.as_ref());
    match reader.filter(|reader| reader.layers.is_some() && !is_changed) {
        Some(reader) => open::Still::new(reader, input, page, &mut Notes::default())?.layers(),
        None => Ok(Vec::new()),
    }
}

/// The outline of a file with several pages. Empty if it has none, or if the job selects a page.
///
/// Errors: those of [`Job::lease`].
pub fn outline(job: &Job<'_>, input: &mut dyn Input) -> Result<Vec<Bookmark>> {
    let reader = row(job.from).and_then(|row| row.read.as_ref());
    let Some(read) = reader.and_then(|reader| reader.outline) else {
        return Ok(Vec::new());
    };
    if job.options().integer("page").is_some() {
        return Ok(Vec::new());
    }
    rewind(input)?;
    read(job, input)
}

/// Draws a layer onto a canvas.
///
/// Errors: the same as for [`transcribe`].
pub fn transcribe_layer(
    job: &Job<'_>,
    input: &mut dyn Input,
    layer: &Layer,
    canvas: &mut dyn Canvas,
    notes: &mut Notes,
) -> Result<()> {
    rewind(input)?;
    let mut view = EditedInput::new(input, layer.patch.clone());
    transcribe(job, &mut view, None, canvas, notes)
}

/// Passes a picture of the file to a canvas: the given page, or the default one.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if it cannot be decoded. By then, the canvas may
/// have received a part of the picture.
pub fn transcribe(
    job: &Job<'_>,
    input: &mut dyn Input,
    page: Option<u32>,
    canvas: &mut dyn Canvas,
    notes: &mut Notes,
) -> Result<()> {
    let Some(reader) = row(job.from).and_then(|row| row.read.as_ref()) else {
        return Err(Error::internal("no such picture", job.from.name));
    };
    let wishes = Wishes {
        page,
        keep_metadata: false,
        ..Wishes::of(job.options())
    };
    let changes =
        wishes.bounds != Bounds::default() || wishes.crop.is_some() || wishes.strip_profile;
    // The samples of a JPEG are copied if no option changes them. Rotation does not change them, as it is a property of
    // the plate.
    if !changes && page.is_none_or(|page| page == 1) && as_is::is_of(job.from) {
        let (orientation, layout) = {
            let mut file = open::Still::new(reader, input, None, notes)?;
            let mut source = file.open(job)?;
            let header = source.header();
            (orient::then(header.orientation, wishes.turn), header.layout)
        };
        if take_over(job, input, layout, orientation, canvas)? {
            return Ok(());
        }
    }
    let mut put = |made: Made<'_>, _: &mut Notes| match made {
        Made::Rows(rows, extras) => paint(job, rows, *extras, canvas),
        Made::File(_) => Err(Error::internal("a plate is not a file", job.from.name)),
    };
    let goal = Goal {
        job,
        target: &TARGET,
        wishes: &wishes,
    };
    still::make(goal, reader, input, notes, &mut put)
}

/// Copies a JPEG to the canvas unchanged. Returns `false` if the JPEG is cut short, has a coding that other programs
/// may not read, or does not have the size of `layout`. The caller must then decode the JPEG.
fn take_over(
    job: &Job<'_>,
    input: &mut dyn Input,
    layout: Layout,
    orientation: Orientation,
    canvas: &mut dyn Canvas,
) -> Result<bool> {
    rewind(input)?;
    let Some(found) = as_is::survey(input).map_err(lost)? else {
        return Ok(false);
    };
    if (found.width, found.height) != (layout.width, layout.height) {
        return Ok(false);
    }
    let profile_len: u64 = found.icc.as_ref().map_or(0, |icc| icc.len() as u64);
    job.reserve(limits::BASE + 2 * profile_len)?;
    canvas.begin(Plate {
        width: found.width,
        height: found.height,
        bits: 8,
        space: match found.components {
            1 => Space::Grey,
            4 => Space::Cmyk {
                inverted: found.is_adobe,
            },
            _ => Space::Rgb,
        },
        icc: found.icc,
        coding: Coding::Jpeg,
        has_mask: false,
        orientation,
    })?;
    let mut buffer = vec![0; 1 << 16];
    for (start, end) in found.kept_ranges {
        input.seek(SeekFrom::Start(start)).map_err(lost)?;
        let mut rest = Read::take(&mut *input, end - start);
        loop {
            job.check()?;
            match rest.read(&mut buffer) {
                Ok(0) => break,
                Ok(len) => canvas.data(&buffer[..len])?,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) => return Err(lost(err)),
            }
        }
    }
    canvas.end(None)?;
    Ok(true)
}
