//! PLCs (MS-DOC 2.2.2): lists of positions, each with a record of the same size, that say where something is in the text. Knows
//! nothing of what the records mean.

use crate::containers::fields::Fields;

/// A PLC: `count` records, each from its position to the next one, and so one position more.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plex<'a> {
    bytes: Fields<'a>,
    size: usize,
    count: usize,
}

impl<'a> Plex<'a> {
    /// A PLC with records of this many bytes.
    pub(super) fn new(bytes: Fields<'a>, size: usize) -> Self {
        Self {
            bytes,
            size,
            count: bytes.len().saturating_sub(4) / (4 + size),
        }
    }

    /// The number of records.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Start of the record with this index, and end of the one before it.
    pub(super) fn position(&self, at: usize) -> u32 {
        self.bytes.u32(at * 4)
    }

    /// The record with this index.
    pub(super) fn record(&self, at: usize) -> Fields<'a> {
        self.bytes
            .part((self.count + 1) * 4 + at * self.size, self.size)
    }

    /// The index of the record that a position is in. The positions have to ascend; where they do not, any record is found.
    pub(super) fn find(&self, position: u32) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = (low + high) / 2;
            if self.position(middle) <= position {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let at = low.checked_sub(1)?;
        (position < self.position(at + 1)).then_some(at)
    }
}
