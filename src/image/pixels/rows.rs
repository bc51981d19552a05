//! Pictures as a sequence of rows, either in memory or still being decoded. Never changes a pixel.

use super::layout::Layout;
use convertd_core::{error::Result, job::Job};

/// Number of rows between two checks for cancellation.
pub(crate) const ROWS_BETWEEN_CHECKS: u32 = 64;

/// Checks for cancellation of the job, once in [`ROWS_BETWEEN_CHECKS`] rows.
pub(crate) fn check_row(job: &Job<'_>, y: u32) -> Result<()> {
    if y.is_multiple_of(ROWS_BETWEEN_CHECKS) {
        job.check()?;
    }
    Ok(())
}

/// A picture that is read from top to bottom, once.
pub(crate) trait Rows: Send {
    /// The layout of the rows.
    fn layout(&self) -> Layout;

    /// Fills `row`, which has [`Layout::row_bytes`] bytes, with the next row. Called exactly [`Layout::height`] times;
    /// the last call also checks the data after the pixels in the file.
    fn next_row(&mut self, row: &mut [u8]) -> Result<()>;

    /// Returns whether reading a row is only a copy.
    fn in_memory(&self) -> bool {
        false
    }

    /// Returns whether decoding can go on after a row that could not be decoded.
    fn goes_on(&self) -> bool {
        false
    }

    /// Returns whether the last row has lost detail because the file is damaged.
    fn is_coarse(&self) -> bool {
        false
    }

    /// All rows in memory. Called instead of [`next_row`](Self::next_row), not after it.
    fn into_frame(mut self: Box<Self>) -> Result<Frame> {
        let layout = self.layout();
        let mut frame = Frame::new(layout);
        for row in frame.pixels.chunks_exact_mut(layout.row_bytes()) {
            self.next_row(row)?;
        }
        Ok(frame)
    }
}

/// A picture in memory.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) layout: Layout,
    /// The samples, [`Layout::bytes`] bytes.
    pub(crate) pixels: Vec<u8>,
    /// Number of the row that [`next_row`](Rows::next_row) returns next.
    next: u32,
}

impl Frame {
    /// A black frame, or a transparent one where the layout has alpha.
    pub(crate) fn new(layout: Layout) -> Self {
        Self::from_pixels(layout, vec![0; layout.bytes() as usize])
    }

    /// A frame with these samples, whose number must fit the layout.
    pub(crate) fn from_pixels(layout: Layout, pixels: Vec<u8>) -> Self {
        debug_assert_eq!(pixels.len() as u64, layout.bytes());
        Self {
            layout,
            pixels,
            next: 0,
        }
    }

    /// The samples of a row.
    pub(crate) fn row(&self, y: u32) -> &[u8] {
        let len = self.layout.row_bytes();
        &self.pixels[y as usize * len..][..len]
    }
}

impl Rows for Frame {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        row.copy_from_slice(self.row(self.next));
        self.next += 1;
        Ok(())
    }

    fn in_memory(&self) -> bool {
        true
    }

    fn into_frame(self: Box<Self>) -> Result<Frame> {
        Ok(*self)
    }
}
