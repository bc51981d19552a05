//! PLCs (MS-DOC 2.2.2): arrays of positions in the text, each with a data record of fixed size. Does not interpret the
//! records.

use crate::containers::fields::Fields;

/// A PLC: `count` + 1 ascending positions, and then `count` records. A record applies from its position to the next
/// position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plex<'a> {
    bytes: Fields<'a>,
    /// Size of a record, in bytes.
    size: usize,
    count: usize,
}

impl<'a> Plex<'a> {
    /// Creates a PLC with records of `size` bytes. The number of records follows from the length.
    pub(super) fn new(bytes: Fields<'a>, size: usize) -> Self {
        Self {
            bytes,
            size,
            count: bytes.len().saturating_sub(4) / (4 + size),
        }
    }

    /// Number of records.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Position where the record with this index begins and the previous record ends.
    pub(super) fn position(&self, at: usize) -> u32 {
        self.bytes.u32(at * 4)
    }

    /// Record with this index.
    pub(super) fn record(&self, at: usize) -> Fields<'a> {
        self.bytes
            .part((self.count + 1) * 4 + at * self.size, self.size)
    }

    /// Finds the record that a position belongs to, by binary search. If the positions of a damaged file do not ascend,
    /// the result is arbitrary.
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
