//! Rows of a single image: as decoded, combined with an alpha image, or cropped.

use super::planes::{Code, Converter, Planes};
use crate::pixels::{
    Layout,
    rows::{Rows, check_row},
};
use convertd_core::{error::Result, job::Job};

/// A coded picture that has been decoded.
pub(super) struct Decoded<'a> {
    /// The job, which may be cancelled between two rows.
    pub(super) job: &'a Job<'a>,
    pub(super) layout: Layout,
    /// The decoded luma and chroma planes.
    pub(super) planes: Box<dyn Planes>,
    pub(super) converter: Converter,
    /// The code points of the colour space; `None` if the file has none.
    pub(super) code: Option<Code>,
    /// For an alpha image, whether it uses the sample range that it states; `None` for an image with colours.
    pub(super) alpha: Option<bool>,
    /// Number of the next row.
    pub(super) next: u32,
}

impl Rows for Decoded<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.job, self.next)?;
        let (planes, y) = (&*self.planes, self.next);
        match self.alpha {
            Some(is_ranged) => self.converter.alpha(planes, is_ranged, y, row, self.layout),
            None => self
                .converter
                .colours(planes, self.code, y, row, self.layout),
        }
        self.next += 1;
        Ok(())
    }
}

/// An image with its alpha image.
pub(super) struct Transparent<'a> {
    pub(super) layout: Layout,
    pub(super) colours: Box<dyn Rows + 'a>,
    /// A row of colours.
    pub(super) colour: Vec<u8>,
    pub(super) alphas: Box<dyn Rows + 'a>,
    /// A row of alpha.
    pub(super) alpha: Vec<u8>,
}

impl Rows for Transparent<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.colours.next_row(&mut self.colour)?;
        self.alphas.next_row(&mut self.alpha)?;
        let sample = self.layout.depth.bytes();
        let colour = self.layout.pixel_bytes() - sample;
        let parts = self
            .colour
            .chunks_exact(colour)
            .zip(self.alpha.chunks_exact(sample));
        for (pixel, (colours, alpha)) in row.chunks_exact_mut(colour + sample).zip(parts) {
            let (to_colours, to_alpha) = pixel.split_at_mut(colour);
            to_colours.copy_from_slice(colours);
            to_alpha.copy_from_slice(alpha);
        }
        Ok(())
    }
}

/// A rectangle of a picture.
pub(super) struct CroppedRows<'a> {
    pub(super) layout: Layout,
    pub(super) rows: Box<dyn Rows + 'a>,
    pub(super) row: Vec<u8>,
    /// The number of bytes of a row to the left of the rectangle.
    pub(super) left: usize,
    /// The number of rows above the rectangle that have not been read yet.
    pub(super) above: u32,
}

impl Rows for CroppedRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        for _ in 0..std::mem::take(&mut self.above) {
            self.rows.next_row(&mut self.row)?;
        }
        self.rows.next_row(&mut self.row)?;
        row.copy_from_slice(&self.row[self.left..][..row.len()]);
        Ok(())
    }
}
