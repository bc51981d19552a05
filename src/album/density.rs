//! The pixel density of a picture as stated in its file: in JFIF, PNG's `pHYs`, the tags of TIFF and EXIF, or the header of
//! BMP. A value without a unit is ignored. Decodes no pixels.

use crate::{
    containers::ifd::{Directory, Numbers},
    document::media,
    error::Result,
    image::plate,
    job::{Input, Job, read_head},
};
use std::io::{self, Cursor};
use tiff::tags::Tag;

/// How much of the beginning of a JPEG or PNG file is searched, in bytes.
const HEAD: usize = 64 << 10;
/// The limit on the entries of a TIFF directory.
const MOST_ENTRIES: usize = 512;
/// The limit on the TIFF directories that are skipped to reach a page.
const MOST_PAGES: u32 = 10_000;

/// The horizontal and vertical density of a page, in dots per inch. Pages count from 1. `None` if the file states none, or
/// is damaged.
pub(super) fn of(job: &Job<'_>, input: &mut dyn Input, page: u32) -> Result<Option<(f64, f64)>> {
    let failed = |err| crate::error::Error::storage("the upload could not be read", err);
    if job.from.name == "tiff" {
        // A damaged file is reported by the decoder, not here.
        return Ok(tiff(input, page).ok().flatten());
    }
    let head = read_head(input, HEAD).map_err(failed)?;
    if let Some(density) = media::size(&head).and_then(|size| size.density) {
        return Ok(Some(density));
    }
    if head.starts_with(b"BM") {
        return Ok(bmp(&head));
    }
    let exif = plate::exif(job.from, input)?;
    Ok(exif.and_then(|exif| tiff(&mut Cursor::new(exif), 1).ok().flatten()))
}

/// The resolution and its unit (TIFF 6.0, section 8, `ResolutionUnit`): 2 is inches, 3 is centimetres.
fn tiff(input: &mut dyn Input, page: u32) -> io::Result<Option<(f64, f64)>> {
    let Some((numbers, mut place)) = Numbers::of(input)? else {
        return Ok(None);
    };
    let mut directory = Directory::read(input, numbers, place, MOST_ENTRIES)?;
    for _ in 1..page.min(MOST_PAGES) {
        place = crate::containers::ifd::Entries::of(input, numbers, place)?.next_directory()?;
        directory = Directory::read(input, numbers, place, MOST_ENTRIES)?;
    }
    let inches = match directory.value(input, Tag::ResolutionUnit)? {
        None | Some(2) => 1.0,
        Some(3) => 2.54,
        Some(_) => return Ok(None),
    };
    let mut dots = |tag| -> io::Result<Option<f64>> {
        let found = directory.fractions::<1>(input, tag)?;
        Ok(found.map(|[dots]| f64::from(dots) * inches))
    };
    let (across, down) = (dots(Tag::XResolution)?, dots(Tag::YResolution)?);
    Ok(across.zip(down))
}

/// The resolution in pixels per metre, which the OS/2 variant of the header lacks.
fn bmp(head: &[u8]) -> Option<(f64, f64)> {
    let number = |at: usize| Some(u32::from_le_bytes(*head.get(at..)?.first_chunk()?));
    if number(14)? < 40 {
        return None;
    }
    let dots = |at| number(at).map(|dots| f64::from(dots) * 0.0254);
    dots(38)
        .zip(dots(42))
        .filter(|(across, down)| *across >= 1.0 && *down >= 1.0)
}
