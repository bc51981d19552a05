//! Decoding in two stages, each of which may run on a thread of its own. Starts no thread.
//!
//! Encoding is often less work than decoding, and then the thread that encodes waits. A format whose decoding falls
//! into two halves of one pass each can give the second one away.

use super::{layout::Layout, rows::Rows};
use crate::error::Result;

/// The first stage: fills the next line, whose length is fixed.
pub(crate) type First<'a> = Box<dyn FnMut(&mut [u8]) -> Result<()> + Send + 'a>;

/// The second stage: makes a row of a line. Is given all lines in order.
pub(crate) type Second = Box<dyn FnMut(&[u8], &mut [u8]) + Send>;

/// Two stages that make rows of lines: the first leaves each line in a form that only the second understands.
pub(crate) struct Stages<'a> {
    /// Layout of the rows.
    pub(crate) layout: Layout,
    /// Bytes of a line.
    pub(crate) line_bytes: usize,
    pub(crate) first: First<'a>,
    pub(crate) second: Second,
}

impl<'a> Stages<'a> {
    /// Rows of which the first stage does all the work: a line is a row.
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
