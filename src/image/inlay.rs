//! Pictures inside other files, such as those in a document: recognises them, finds their displayed size, and draws
//! them on a canvas or converts them to another format. Does not read the files that contain them.

use super::{
    formats::ROWS,
    limits,
    metadata::Resolution,
    open,
    pixels::orient::swaps_sides,
    plate::{self, Canvas},
    row,
};
use convertd_core::{
    error::{Error, Result},
    format::{Format, HEAD_LEN},
    job::{Job, Notes, Options, Task},
};
use image::metadata::Orientation;
use std::io::Cursor;

/// Largest number of pixels of a picture.
pub const MAX_PIXELS: u64 = limits::MAX_PIXELS;

/// Recognises the format of a picture by its content. `None` for anything else, and for vector drawings, which would
/// lose their lines as pixels.
pub fn format(file: &[u8]) -> Option<&'static Format> {
    let head = &file[..file.len().min(HEAD_LEN)];
    let by_magic = ROWS.iter().find(|row| row.format.matches(head));
    let found = by_magic.or_else(|| {
        let recognise = |row: &&&super::Row| row.read.as_ref()?.recognise;
        ROWS.iter().find(|row| {
            recognise(row).is_some_and(|recognise| recognise(head, &mut Cursor::new(file), None))
        })
    })?;
    (found.read.is_some() && !matches!(found.format.name, "svg" | "emf" | "wmf" | "pict"))
        .then_some(&found.format)
}

/// Properties of a picture from its header.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Width in pixels, as stored.
    pub width: u32,
    /// Height in pixels, as stored.
    pub height: u32,
    /// Orientation for display, from its metadata.
    pub orientation: Orientation,
    /// Resolution in pixels per inch, horizontally and vertically, as stored.
    pub density: Option<(f64, f64)>,
    /// Whether it is an animation.
    pub animated: bool,
}

impl Seen {
    /// Width and height in pixels after `orientation` has been applied.
    pub fn shown(&self, orientation: Orientation) -> (u32, u32) {
        match swaps_sides(orientation) {
            true => (self.height, self.width),
            false => (self.width, self.height),
        }
    }
}

/// Reads the header of a picture.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if it cannot be read, or is too large.
pub fn header(job: &Job<'_>, file: &[u8]) -> Result<Seen> {
    let from = known(file)?;
    within(job, from, job.to, file.len() as u64, &[], |job| {
        let reader = row(from).and_then(|row| row.read.as_ref());
        let reader = reader.ok_or_else(|| Error::internal("no such picture", from.name))?;
        let mut input = Cursor::new(file);
        let mut still = open::Still::new(reader, &mut input, None, &mut Notes::default())?;
        let density = still.metadata(false)?.resolution;
        let mut source = still.open(job)?;
        let header = source.header();
        Ok(Seen {
            width: header.layout.width,
            height: header.layout.height,
            orientation: header.orientation,
            density: density.and_then(Resolution::inches),
            animated: header.animated,
        })
    })
}

/// Draws a picture on a canvas. If `most` is set, the picture is reduced to at most that many pixels horizontally and
/// vertically, as displayed.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if it cannot be decoded. By then, the canvas may
/// have received a part of the picture.
pub fn transcribe(
    job: &Job<'_>,
    file: &[u8],
    most: Option<(u32, u32)>,
    canvas: &mut dyn Canvas,
) -> Result<()> {
    let options = most.map(|(width, height)| {
        let side = |name: &'static str, side: u32| (name, side.to_string());
        [side("width", width), side("height", height)]
    });
    let options = options.as_ref().map_or(&[][..], |options| options);
    let from = known(file)?;
    within(job, from, job.to, file.len() as u64, options, |job| {
        // Notes about pictures inside another file are not reported.
        let mut notes = Notes::default();
        plate::transcribe(job, &mut Cursor::new(file), None, canvas, &mut notes)
    })
}

/// Converts a picture to another format with these options, and turns it upright.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if it cannot be decoded.
pub fn convert(
    job: &Job<'_>,
    file: &[u8],
    to: &'static Format,
    options: &[(&'static str, String)],
) -> Result<Vec<u8>> {
    let from = known(file)?;
    within(job, from, to, file.len() as u64, options, |job| {
        let mut made = Cursor::new(Vec::new());
        super::convert(job, &mut Cursor::new(file), &mut made)?;
        Ok(made.into_inner())
    })
}

/// The picture format with this name.
pub fn named(name: &str) -> Option<&'static Format> {
    let mut formats = ROWS.iter().map(|row| &row.format);
    formats.find(|format| format.name == name)
}

/// The format of a picture, which the caller has already recognised.
fn known(file: &[u8]) -> Result<&'static Format> {
    format(file).ok_or_else(|| Error::internal("an embedded picture of no known format", ""))
}

/// Runs `work` with a job for a part of a file. That job has only these options, and not those of the client.
pub(crate) fn within<T>(
    job: &Job<'_>,
    from: &'static Format,
    to: &'static Format,
    len: u64,
    options: &[(&'static str, String)],
    work: impl FnOnce(&Job<'_>) -> T,
) -> T {
    let mut own = Options::default();
    for (name, value) in options {
        own.insert(*name, value);
    }
    let task = Task {
        from: from.name.to_owned(),
        options: own,
        ..job.task.clone()
    };
    job.part(&task, (from, to), len, work)
}
