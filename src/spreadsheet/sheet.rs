//! What readers and writers of sheets have in common: a workbook hands its rows, one after another, to a writer. Nobody keeps
//! more than one.

use super::cells::{Cells, Value};
use crate::{error::Result, job::Notes};

/// Memory of a conversion in bytes, whatever the number of rows: a row, a window of Deflate on either side, buffers.
pub(crate) const MEMORY: u64 = 20 << 20;

/// A sheet of a workbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sheet {
    /// Its name.
    pub(crate) name: String,
    /// Whether programs show it only on demand.
    pub(crate) hidden: bool,
}

/// Takes the rows of a sheet, those that are not empty, from top to bottom.
pub(crate) type Rows<'w> = dyn FnMut(&Cells) -> Result<()> + 'w;

/// A file that is being read.
pub(crate) trait Workbook {
    /// Its sheets, in their order, at least one.
    fn sheets(&self) -> &[Sheet];

    /// Reads the sheet with this index, and hands over its rows.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a damaged file, and those of `rows`.
    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()>;

    /// The memory that it has reserved, in bytes, for what is made of it beside that.
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    fn memory(&self) -> u64 {
        MEMORY
    }

    /// Says what was lost or guessed in all that was read.
    fn tell(&mut self, notes: &mut Notes);
}

/// A file that is being written.
pub(crate) trait Writer {
    /// Begins the next of the sheets that the writer was created for.
    fn begin(&mut self, sheet: &Sheet) -> Result<()>;

    /// Writes a row, which lies below those before.
    fn row(&mut self, cells: &Cells) -> Result<()>;

    /// Ends the sheet that was begun.
    fn end(&mut self) -> Result<()>;

    /// Completes the file, and says what it could not hold.
    fn finish(self: Box<Self>, notes: &mut Notes) -> Result<()>;
}

impl Value<'_> {
    /// Appends the value as text. Booleans are `TRUE` and `FALSE`, as programs for sheets write them.
    pub(crate) fn write(self, out: &mut String) {
        match self {
            Self::Written(text) | Self::Text(text) | Self::Digits(text) | Self::Error(text) => {
                out.push_str(text);
            }
            Self::Number(number) => number.write(out),
            Self::Boolean(is) => out.push_str(if is { "TRUE" } else { "FALSE" }),
            Self::Moment(moment) => moment.write(out),
        }
    }
}
