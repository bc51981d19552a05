//! Compresses rows to a zlib stream, piece by piece, with PNG's filters or without. Holds only the current piece in
//! memory.

use crate::{formats::Filters, pixels::Layout};
use convertd_core::{coding::deflate::Compressor, error::Result};

/// A compressor of rows.
pub(super) struct Squeezer {
    /// The filters; `None` stores rows as they are.
    filters: Option<Filters>,
    compressor: Compressor,
    /// Rows that have not been compressed yet.
    part: Vec<u8>,
    /// Buffer for compressed data.
    stream: Vec<u8>,
    /// The number of rows that have not been added yet.
    left: u32,
}

impl Squeezer {
    /// A compressor with filters, for rows of samples: rows are stored as differences from neighbouring samples. If
    /// `searches`, takes longer and makes a smaller stream.
    pub(super) fn filtered(layout: Layout, searches: bool) -> Self {
        let filters = Filters::new(layout.row_bytes(), layout.pixel_bytes(), searches);
        Self::new(Some(filters), searches, layout)
    }

    /// A compressor without filters, for rows in which only repetitions can be exploited.
    pub(super) fn plain(layout: Layout) -> Self {
        Self::new(None, true, layout)
    }

    fn new(filters: Option<Filters>, searches: bool, layout: Layout) -> Self {
        Self {
            filters,
            compressor: Compressor::new(searches, layout.bytes()),
            part: Vec::new(),
            stream: Vec::new(),
            left: layout.height,
        }
    }

    /// Adds the next row. When a piece or the picture is complete, compresses the piece, and passes the compressed data
    /// to `put`.
    pub(super) fn row(
        &mut self,
        row: &[u8],
        mut put: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        match &mut self.filters {
            Some(filters) => filters.filter(row, &mut self.part),
            None => self.part.extend_from_slice(row),
        }
        self.left = self.left.saturating_sub(1);
        if self.left > 0 && self.part.len() + 1 + row.len() <= self.compressor.part_len() {
            return Ok(());
        }
        self.compressor.part(&self.part, self.left == 0);
        self.part.clear();
        self.compressor.take(&mut self.stream);
        put(&self.stream)
    }
}
