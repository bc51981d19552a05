//! Metafiles: drawings that are stored as lists of drawing calls. EMF (MS-EMF) and WMF (MS-WMF) have calls of Windows,
//! PICT has those of the Macintosh. The calls are played on a model of a Windows device, which writes SVG; that SVG is
//! then drawn.
//!
//! ```text
//! emf ──┐                      ┌─► path ─┐
//! wmf ──┼─► device (state) ────┼─► text ─┼─► page (SVG)
//! pict ─┘                      └─► dib  ─┘
//! ```
//! The formats express the same calls with different records, so each has a reader of records that makes calls on the
//! device. The traps: handles of objects are reused; a window may be upside down; the size of an EMF is that of its
//! frame, not of its bounds; letters have explicit positions, which were measured in another font.
//!
//! Never: a picture file other than a metafile, a document, or a page (`convertd_image`, `convertd_tree`); the pixels of
//! the drawing (`resvg`).

mod bytes;
mod clip;
mod device;
mod dib;
mod emf;
mod objects;
mod page;
mod path;
mod pict;
mod picture;
#[cfg(test)]
mod tests;
mod text;
mod wmf;

use convertd_core::{error::Result, job::Job};

/// A metafile as a drawing.
pub struct Drawn {
    /// The drawing, as an SVG file.
    pub svg: Vec<u8>,
    /// Whether anything was left out, because it cannot be drawn or a limit was reached.
    pub cut: bool,
}

/// Memory in bytes for playing a metafile, besides its own bytes: three copies of the drawing, and two of the largest
/// bitmap in it.
pub const MEMORY: u64 = (3 * (7 << 20)) + 2 * (64 << 20);

/// The kinds of metafiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetafileFormat {
    /// EMF, of Windows NT and later, perhaps with records of EMF+.
    Emf,
    /// WMF, of Windows 3, with or without a header that states its size.
    Wmf,
    /// PICT, of QuickDraw on the Macintosh.
    Pict,
}

/// Length of the beginning of a file from which its kind is recognised, in bytes.
pub const HEAD_LEN: u64 = pict::HEADER_LEN as u64 + 16;

/// Converts a file to SVG if it is a metafile; any other file is returned as it is. `None` if the metafile draws
/// nothing.
///
/// Errors: the same as for [`Job::lease`] and [`Job::check`].
pub fn replaced(job: &Job<'_>, file: Vec<u8>) -> Result<Option<Vec<u8>>> {
    if kind(&file).is_none() {
        return Ok(Some(file));
    }
    let _lease = job.lease(2 * file.len() as u64 + MEMORY)?;
    let drawn = draw(job, &file)?;
    Ok(drawn.map(|drawn| drawn.svg))
}

/// Kind of metafile that begins with these bytes.
pub fn kind(head: &[u8]) -> Option<MetafileFormat> {
    let at = |position: usize, magic: &[u8]| {
        head.get(position..)
            .is_some_and(|rest| rest.starts_with(magic))
    };
    match () {
        () if at(0, b"\x01\0\0\0") && at(40, b" EMF") => Some(MetafileFormat::Emf),
        () if at(0, b"\xd7\xcd\xc6\x9a") => Some(MetafileFormat::Wmf),
        // A header of nine words, with the type of a metafile in memory (1) or on disk (2), and version 1 or 3.
        () if (at(0, b"\x01\0\x09\0") || at(0, b"\x02\0\x09\0"))
            && (at(4, b"\0\x03") || at(4, b"\0\x01")) =>
        {
            Some(MetafileFormat::Wmf)
        }
        () if pict::is_picture(head) => Some(MetafileFormat::Pict),
        () => None,
    }
}

/// Draws a metafile. `None` if it is not a metafile or draws nothing.
///
/// Errors: the same as for [`Job::check`].
pub fn draw(job: &Job<'_>, bytes: &[u8]) -> Result<Option<Drawn>> {
    match kind(bytes) {
        Some(MetafileFormat::Emf) => emf::draw(job, bytes),
        Some(MetafileFormat::Wmf) => wmf::draw(job, bytes),
        Some(MetafileFormat::Pict) => pict::draw(job, bytes),
        None => Ok(None),
    }
}
