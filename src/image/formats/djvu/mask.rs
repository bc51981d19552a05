//! Masks of a page: which pixels are of the foreground. Knows no colours.

use super::{
    chunks::{Chunk, File, Form},
    invalid,
};
use crate::source::{failed, unsupported};
use convertd_core::{
    coding::fax::{self, Coding},
    error::Result,
    job::{Input, Job},
};
use djvu_jb2::Jb2Dict;

/// Most parts that a page includes, directly and by one another: usually a dictionary of shapes, and notes.
const MOST_PARTS: usize = 16;

/// Pixels of the foreground.
pub(super) struct Mask {
    width: u32,
    height: u32,
    /// Rows of bits, the highest first, each from a byte on. A set bit is foreground.
    bits: Vec<u8>,
    /// For each pixel of the foreground, the shape that it belongs to, counted from 0.
    shapes: Option<Vec<i32>>,
}

impl Mask {
    pub(super) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Visits the foreground of a row: the column, and the number of the shape, if it is known.
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

/// Decodes a mask, if asked with the shape that each pixel belongs to.
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
    let dictionary = dictionary(job, input, file)?;
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

/// Shapes that the mask of a page takes from elsewhere: from its own dictionary, or from one that it includes and that
/// may include another. `None` without any.
///
/// Errors: the file is damaged, or does not have what it includes.
fn dictionary(job: &Job<'_>, input: &mut dyn Input, file: &File) -> Result<Option<Jb2Dict>> {
    let damaged = |err| failed(job, err);
    // From that of the page to the innermost one.
    let mut found: Vec<Chunk> = file.page.chunk(b"Djbz").into_iter().collect();
    let mut includes = includes(&file.page);
    let mut count = 0;
    while let Some(chunk) = includes.pop() {
        count += 1;
        if count > MOST_PARTS {
            return Err(job.unreadable("the parts that its page includes include one another"));
        }
        let part = file.included(input, chunk).map_err(damaged)?;
        found.extend(part.chunk(b"Djbz"));
        includes.extend(self::includes(&part));
    }
    let mut dictionary = None;
    for chunk in found.into_iter().rev() {
        job.check()?;
        let data = chunk.data(input).map_err(damaged)?;
        let next = djvu_jb2::decode_dict(&data, dictionary.as_ref());
        dictionary = Some(next.map_err(|err| failed(job, err))?);
    }
    Ok(dictionary)
}

fn includes(part: &Form) -> Vec<Chunk> {
    part.all(b"INCL").collect()
}

/// Decodes a mask as fax machines send it: `MMR`, flags, width and height, and rows of ITU-T T.6.
fn by_fax(job: &Job<'_>, data: &[u8]) -> Result<Mask> {
    const INVERTED: u8 = 1;
    const STRIPS: u8 = 2;
    let damaged = || failed(job, invalid("its mask is damaged"));
    let (head, rows) = data.split_first_chunk::<8>().ok_or_else(damaged)?;
    let &[b'M', b'M', b'R', flags, a, b, c, d] = head else {
        return Err(damaged());
    };
    if flags & STRIPS != 0 {
        return Err(unsupported(job, "a mask in strips"));
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
