//! Splits decoding into two stages, each of which may run on a thread of its own. Starts no thread.
//!
//! Encoding often takes less time than decoding, and then the encoding thread waits. A format whose decoder consists of
//! two passes over each row can let the encoding thread do the second pass.

use super::{layout::Layout, rows::Rows};
use convertd_core::error::Result;

/// The first stage: fills the next line, whose length is fixed.
pub(crate) type First<'a> = Box<dyn FnMut(&mut [u8]) -> Result<()> + Send + 'a>;

/// The second stage: converts a line to a row. It receives all lines in order.
pub(crate) type Second = Box<dyn FnMut(&[u8], &mut [u8]) + Send>;

/// The two stages of a decoder. The first fills lines, whose content only the second understands, and the second
/// converts them to rows.
pub(crate) struct Stages<'a> {
    /// Layout of the rows.
    pub(crate) layout: Layout,
    /// The length of a line in bytes.
    pub(crate) line_bytes: usize,
    pub(crate) first: First<'a>,
    pub(crate) second: Second,
}

impl<'a> Stages<'a> {
    /// Makes stages of which the second only copies: the lines of the first are the rows.
    pub(crate) fn of(mut rows: Box<dyn Rows + 'a>) -> Self {
        let layout = rows.layout();
        Self {
            layout,
            line_bytes: layout.row_bytes(),
            first: Box::new(move |line| rows.next_row(line)),
            second: Box::new(|line, row| row.copy_from_slice(line)),
        }
    }
}
