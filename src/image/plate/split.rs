//! Separates colours and alpha of a picture: the reader of the rows gets the colours, while alpha is compressed
//! separately.

use super::squeeze::Squeezer;
use crate::pixels::{Channels, Depth, Layout, Rows};
use convertd_core::error::Result;

/// The alpha channel as far as it has been compressed.
pub(super) struct Alpha {
    squeezer: Squeezer,
    /// Alpha of the current row.
    row: Vec<u8>,
    /// The compressed stream so far.
    packed: Vec<u8>,
}

impl Alpha {
    /// Prepares to compress the alpha of a picture with this layout.
    pub(super) fn new(layout: Layout) -> Self {
        let grey = layout.with(Channels::Grey, layout.depth);
        Self {
            squeezer: Squeezer::filtered(grey, true),
            row: Vec::with_capacity(grey.row_bytes()),
            packed: Vec::new(),
        }
    }

    /// The complete stream, after all rows have been read.
    pub(super) fn finish(self) -> Vec<u8> {
        self.packed
    }
}

/// Rows without their alpha. The alpha is passed to an [`Alpha`].
pub(super) struct Split<'r> {
    rows: Box<dyn Rows + 'r>,
    alpha: &'r mut Alpha,
    /// The current row with alpha.
    whole: Vec<u8>,
}

impl<'r> Split<'r> {
    /// The colours of `rows`, which must have alpha.
    pub(super) fn new(rows: Box<dyn Rows + 'r>, alpha: &'r mut Alpha) -> Self {
        let whole = vec![0; rows.layout().row_bytes()];
        Self { rows, alpha, whole }
    }
}

impl Rows for Split<'_> {
    fn layout(&self) -> Layout {
        let layout = self.rows.layout();
        layout.with(layout.channels.without_alpha(), layout.depth)
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let layout = self.rows.layout();
        self.rows.next_row(&mut self.whole)?;
        let sample = layout.depth.bytes();
        let colours = layout.pixel_bytes() - sample;
        let Alpha {
            squeezer,
            row: alphas,
            packed,
        } = &mut *self.alpha;
        alphas.clear();
        let pixels = self.whole.chunks_exact(layout.pixel_bytes());
        for (pixel, out) in pixels.zip(row.chunks_exact_mut(colours)) {
            let (colour, alpha) = pixel.split_at(colours);
            out.copy_from_slice(colour);
            alphas.extend_from_slice(alpha);
        }
        if layout.depth == Depth::Sixteen {
            big_endian(alphas);
        }
        squeezer.row(alphas, |data| {
            packed.extend_from_slice(data);
            Ok(())
        })
    }
}

/// Converts samples of 16 bits from the byte order of the machine to most significant byte first.
pub(super) fn big_endian(row: &mut [u8]) {
    for sample in row.as_chunks_mut::<2>().0 {
        *sample = u16::from_ne_bytes(*sample).to_be_bytes();
    }
}
