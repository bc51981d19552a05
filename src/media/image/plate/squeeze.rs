//! Rows into a zlib stream, part by part, with PNG's filters or without. Holds one part.

use crate::{
    coding::deflate::Compressor,
    error::Result,
    image::{formats::Filters, pixels::Layout},
};

/// See the module.
pub(super) struct Squeezer {
    filters: Option<Filters>,
    compressor: Compressor,
    part: Vec<u8>,
    stream: Vec<u8>,
    /// Rows to come.
    left: u32,
}

impl Squeezer {
    /// For rows of samples, each of which is stored as its differences from its neighbours.
    pub(super) fn filtered(layout: Layout, searches: bool) -> Self {
        let filters = Filters::new(layout.row_bytes(), layout.pixel_bytes(), searches);
        Self::new(Some(filters), searches, layout)
    }

    /// For rows as they are, in which only repetitions help.
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

    /// Adds the next row, and hands on what is ready of the stream.
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
