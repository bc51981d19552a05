//! Interface between readers and writers of sheets: a workbook passes its rows to a writer one by one, so that neither
//! needs to hold more than one row.

use super::cells::{Cells, Value};
pub(crate) use super::worksheet::{Sheet, View};
use crate::{
    error::{Error, Result},
    job::{Notes, Output},
};

/// Memory of a conversion in bytes, regardless of the number of rows: one row, the Deflate windows of reader and
/// writer, and buffers.
pub(crate) const MEMORY: u64 = 20 << 20;

/// Maximum number of sheets in a workbook.
pub(crate) const MAX_SHEETS: usize = 10_000;

/// Result of reading a workbook with its styles.
#[cfg(feature = "document")]
pub(crate) enum Looks {
    /// The format has no styles.
    None,
    /// The workbook has too many cells to be read with its styles.
    TooMany,
    /// The workbook with its styles.
    Read(Box<super::shown::book::Book>),
}

/// Receiver of the non-empty rows of a sheet, from top to bottom.
pub(crate) type Rows<'w> = dyn FnMut(&Cells) -> Result<()> + 'w;

/// A file that is being read.
pub(crate) trait Workbook {
    /// Sheets in order. At least one.
    fn sheets(&self) -> &[Sheet];

    /// Reads the sheet with this index and passes on its rows.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a damaged file, and those of `rows`.
    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()>;

    /// Returns whether the conversion should begin again, because the last [`read`](Self::read) found that it needs a
    /// preparation: rows that are out of order must be sorted, or formulas computed first.
    ///
    /// Returns true at most once for each of these reasons, so that conversions end.
    fn starts_over(&mut self) -> bool {
        false
    }

    /// Reads some sheets with their styles, if the format has any. Pictures go to `build`.
    #[cfg(feature = "document")]
    fn shown(
        &mut self,
        _: &[usize],
        _: &mut convertd_tree::Builder<'_>,
        _: &mut Notes,
    ) -> Result<Looks> {
        Ok(Looks::None)
    }

    /// Returns whether a sheet that was [read](Self::read) has drawings, such as charts and pictures.
    fn has_drawings(&mut self, _: usize) -> Result<bool> {
        Ok(false)
    }

    /// Adds notes about losses and guesses while reading.
    fn add_notes(&mut self, notes: &mut Notes);
}

/// A file that is being written.
pub(crate) trait Writer {
    /// Begins the next of the sheets that the writer was created for.
    fn begin(&mut self, sheet: &Sheet) -> Result<()>;

    /// Writes a row. Rows come in order from top to bottom.
    fn row(&mut self, cells: &Cells) -> Result<()>;

    /// Ends the current sheet.
    fn end(&mut self) -> Result<()>;

    /// Completes the file, and adds notes about everything that it could not hold.
    fn finish(self: Box<Self>, notes: &mut Notes) -> Result<()>;
}

/// Size of the write buffer of text formats, in bytes.
pub(crate) const BUFFER: usize = 1 << 16;

/// Writes and clears the buffer if it holds at least `least` bytes.
pub(crate) fn flush(buffer: &mut Vec<u8>, least: usize, output: &mut dyn Output) -> Result<()> {
    if buffer.len() >= least {
        output.write_all(buffer).map_err(Error::unwritten)?;
        buffer.clear();
    }
    Ok(())
}

impl Value<'_> {
    /// Appends the value as text. Truth values become `TRUE` and `FALSE`, as in spreadsheet programs.
    pub(crate) fn write(self, out: &mut String) {
        match self {
            Self::Written(text)
            | Self::Text(text)
            | Self::Digits(text)
            | Self::Shown(text)
            | Self::Error(text) => out.push_str(text),
            Self::Number(number) => number.write(out),
            Self::Boolean(is) => out.push_str(if is { "TRUE" } else { "FALSE" }),
            Self::Moment(moment) => moment.write(out),
        }
    }
}
