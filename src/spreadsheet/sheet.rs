//! What readers and writers of sheets have in common: a workbook hands its rows, one after another, to a writer. Nobody keeps
//! more than one.

use super::cells::{Cells, Value};
use crate::{
    error::{Error, Result},
    job::{Notes, Output},
};

/// Memory of a conversion in bytes, whatever the number of rows: a row, a window of Deflate on either side, buffers.
pub(crate) const MEMORY: u64 = 20 << 20;

/// The most sheets of a workbook.
pub(crate) const MAX_SHEETS: usize = 10_000;

/// A sheet of a workbook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sheet {
    /// The name that somebody gave it. The table of a text file has none.
    pub(crate) title: Option<String>,
    /// Whether programs show it only on demand.
    pub(crate) hidden: bool,
}

impl Sheet {
    /// Its name, or that which programs give to the first sheet.
    pub(crate) fn name(&self) -> &str {
        self.title.as_deref().unwrap_or("Sheet1")
    }
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

/// Bytes that a writer of text writes at a time.
pub(crate) const BUFFER: usize = 1 << 16;

/// Writes what is in the buffer and empties it, if it is at least so many bytes.
pub(crate) fn flush(buffer: &mut Vec<u8>, least: usize, output: &mut dyn Output) -> Result<()> {
    if buffer.len() >= least {
        output.write_all(buffer).map_err(Error::unwritten)?;
        buffer.clear();
    }
    Ok(())
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
