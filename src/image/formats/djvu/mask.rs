//! Masks of a page, which mark the pixels of the foreground. Does not handle colours.

use super::{
    chunks::{Chunk, File, Form},
    invalid,
};
use crate::source::{failed, unsupported};
use convertd_core::{
    coding::fax::{self, Coding},
    error::Result,
    job::{Input, Job, Lease},
};
use djvu_jb2::Jb2Dict;

/// Limit on the parts that a page includes, directly or indirectly. Usually these are a dictionary of shapes, and
/// annotations.
const MAX_PARTS: usize = 16;

/// Memory of decoded shapes, in bytes for each byte of the dictionary.
const SHAPES: u64 = 64;

/// The pixels of the foreground.
pub(super) struct Mask {
    width: u32,
    height: u32,
    /// Rows of bits from the top, the highest bit first, each padded to whole bytes. A set bit is foreground.
    bits: Vec<u8>,
    /// For each pixel, the number of its shape from 0; negative for the background. `None` if the shapes were not
    /// requested, or the mask is in fax coding.
    shapes: Option<Vec<i32>>,
}

impl Mask {
    pub(super) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Calls `visit` with each column of a row that is foreground, and with the number of its shape if that is known.
    pub(super) fn row(&self, y: u32, mut visit: impl FnMut(usize, Option<usize>)) {
        let width = self.width as usize;
        let bytes = width.div_ceil(8);
        let bits = &self.bits[y as usize * bytes..][..bytes];
        let shapes = self.shapes.as_ref();
        let shapes = shapes.map(|shapes| &shapes[y as usize * width..][..width]);
        for (at, &byte) in bits.iter().enumerate() {
            let mut left = byte;
            while left != 0 {
                let bit = left.leading_zeros() as usize;
                left &= !(0x80 >> bit);
                let x = 8 * at + bit;
                if x < width {
                    let shape = shapes.and_then(|shapes| usize::try_from(shapes[x]).ok());
                    visit(x, shape);
                }
            }
        }
    }
}

/// The chunk of a page that is its mask.
pub(super) fn find(page: &Form) -> Option<Chunk> {
    page.chunk(b"Sjbz").or(page.chunk(b"Smmr"))
}

/// Decodes a mask, on request with the shape of each pixel. Masks in fax coding have no shapes.
pub(super) fn read(
    job: &Job<'_>,
    input: &mut dyn Input,
    file: &File,
    chunk: Chunk,
    with_shapes: bool,
) -> Result<Mask> {
    let data = chunk.data(input).map_err(|err| failed(job, err))?;
    if &chunk.name == b"Smmr" {
        return by_fax(job, &data);
    }
    let (dictionary, _lease) = dictionary(job, input, file)?;
    job.check()?;
    let decoded = match with_shapes {
        true => djvu_jb2::decode_indexed(&data, dictionary.as_ref())
            .map(|(bitmap, shapes)| (bitmap, Some(shapes))),
        false => djvu_jb2::decode(&data, dictionary.as_ref()).map(|bitmap| (bitmap, None)),
    };
    let (bitmap, shapes) = decoded.map_err(|err| failed(job, err))?;
    Ok(Mask {
        width: bitmap.width,
        height: bitmap.height,
        bits: bitmap.data,
        shapes,
    })
}

/// Reads the shapes that the mask of a page refers to: from the page's own dictionary, or from a dictionary that the
/// page includes. An included dictionary may include another. `None` if there is no dictionary. The memory lease is for
/// the decoded shapes.
///
/// Errors: the file is damaged, or does not contain an included part.
fn dictionary<'j>(
    job: &Job<'j>,
    input: &mut dyn Input,
    file: &File,
) -> Result<(Option<Jb2Dict>, Lease<'j>)> {
    let damaged = |err| failed(job, err);
    // The dictionary of the page, and then the dictionaries that it includes. Each refers to the next one, so they are
    // decoded in reverse order.
    let mut found: Vec<Chunk> = file.page.chunk(b"Djbz").into_iter().collect();
    let mut includes = includes(&file.page);
    let mut count = 0;
    while let Some(chunk) = includes.pop() {
        count += 1;
        if count > MAX_PARTS {
            return Err(job.unreadable("the parts that its page includes form a cycle"));
        }
        let part = file.included(input, chunk).map_err(damaged)?;
        found.extend(part.chunk(b"Djbz"));
        includes.extend(self::includes(&part));
    }
    let packed: u64 = found.iter().map(|chunk| chunk.len).sum();
    let lease = job.lease(SHAPES.saturating_mul(packed))?;
    let mut dictionary = None;
    for chunk in found.into_iter().rev() {
        job.check()?;
        let data = chunk.data(input).map_err(damaged)?;
        let next = djvu_jb2::decode_dict(&data, dictionary.as_ref());
        dictionary = Some(next.map_err(|err| failed(job, err))?);
    }
    Ok((dictionary, lease))
}

fn includes(part: &Form) -> Vec<Chunk> {
    part.all(b"INCL").collect()
}

/// Decodes a mask in the coding of fax machines: the letters `MMR`, flags, width and height, and rows of ITU-T T.6.
fn by_fax(job: &Job<'_>, data: &[u8]) -> Result<Mask> {
    const INVERTED: u8 = 1;
    const STRIPS: u8 = 2;
    let damaged = || failed(job, invalid("its mask is damaged"));
    let (head, rows) = data.split_first_chunk::<8>().ok_or_else(damaged)?;
    let &[b'M', b'M', b'R', flags, a, b, c, d] = head else {
        return Err(damaged());
    };
    if flags & STRIPS != 0 {
        return Err(unsupported(job, "a mask that is divided into strips"));
    }
    let width = u32::from(u16::from_be_bytes([a, b]));
    let height = u32::from(u16::from_be_bytes([c, d]));
    let bytes = width.div_ceil(8) as usize * height as usize;
    let _lease = job.lease(bytes as u64)?;
    let mut bits = vec![0; bytes];
    fax::unpack(rows, Coding::Four, width, &mut bits).ok_or_else(damaged)?;
    if flags & INVERTED != 0 {
        bits.iter_mut().for_each(|byte| *byte = !*byte);
    }
    Ok(Mask {
        width,
        height,
        bits,
        shapes: None,
    })
}
