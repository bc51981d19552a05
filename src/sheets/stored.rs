//! Values of cells as workbooks store them, and their meaning in a row and in a whole workbook. Reads no files.

#[cfg(feature = "document")]
use crate::shown::book;
use crate::{
    cells::{Cells, Value, tell_beyond},
    error::Result,
    job::Notes,
    ooxml::{Strings, Styles},
    time::{Epoch, Moment},
};

/// Value of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stored<'t> {
    /// The cell has a style only.
    Empty,
    /// A finite number.
    Number(f64),
    Moment(Moment),
    Boolean(bool),
    /// Name of an error value.
    Error(&'t str),
    Text(&'t str),
    /// Index of a shared string.
    Shared(usize),
}

impl<'t> Stored<'t> {
    /// Value of a number. Infinity and NaN are `#NUM!`, as in Excel.
    pub(crate) fn number(value: f64) -> Self {
        match value.is_finite() {
            true => Self::Number(value),
            false => Self::Error("#NUM!"),
        }
    }

    /// Value of a text. An empty text is no value.
    pub(crate) fn text(text: &'t str) -> Self {
        match text.is_empty() {
            true => Self::Empty,
            false => Self::Text(text),
        }
    }

    /// Value in a workbook with this epoch. `shared` finds a shared string; a missing one is counted.
    #[cfg(feature = "document")]
    pub(crate) fn in_book(
        self,
        epoch: Epoch,
        losses: &mut Losses,
        shared: impl Fn(usize) -> Option<book::Value>,
    ) -> book::Value {
        match self {
            Self::Empty => book::Value::Empty,
            Self::Number(number) => book::Value::Number(number),
            Self::Moment(moment) => match epoch.serial(moment) {
                Some(serial) => book::Value::Number(serial),
                None => {
                    let mut text = String::new();
                    moment.write(&mut text);
                    book::Value::Text(text.into())
                }
            },
            Self::Boolean(is) => book::Value::Boolean(is),
            Self::Error(error) => book::Value::Error(error.into()),
            Self::Text(text) => book::Value::Text(text.into()),
            Self::Shared(number) => {
                let found = shared(number);
                losses.missing += u64::from(found.is_none());
                found.unwrap_or_default()
            }
        }
    }
}

/// Numbers of cells without a value in the result, by reason.
#[derive(Default)]
pub(crate) struct Losses {
    /// Cells whose shared string is missing.
    pub(crate) missing: u64,
    /// Cells beyond the last column.
    pub(crate) beyond: u64,
}

impl Losses {
    /// Adds notes about the cells.
    pub(crate) fn tell(&self, notes: &mut Notes) {
        match self.missing {
            0 => {}
            1 => notes.add("A cell is empty, because its shared string is missing.".to_owned()),
            count => notes.add(format!(
                "{count} cells are empty, because their shared strings are missing."
            )),
        }
        tell_beyond(self.beyond, notes);
    }
}

/// Tables that the cells of all sheets refer to, for the reader of rows.
#[derive(Default)]
pub(crate) struct Tables {
    /// Shared strings.
    pub(crate) strings: Strings,
    /// Number formats of the cell styles.
    pub(crate) styles: Styles,
    /// Epoch of dates.
    pub(crate) epoch: Epoch,
    pub(crate) losses: Losses,
    /// Buffer for the displayed text of a cell.
    shown: String,
}

impl Tables {
    pub(crate) fn new(strings: Strings, styles: Styles, epoch: Epoch) -> Self {
        Self {
            strings,
            styles,
            epoch,
            ..Self::default()
        }
    }

    /// Adds a cell to a row. A missing shared string is counted.
    pub(crate) fn push(
        &mut self,
        style: usize,
        column: u32,
        value: Stored<'_>,
        cells: &mut Cells,
    ) -> Result<()> {
        let (styles, shown) = (&self.styles, &mut self.shown);
        let value = match value {
            Stored::Empty => return Ok(()),
            Stored::Number(number) => styles.number(style, number, self.epoch, shown),
            Stored::Moment(moment) => styles.moment(style, moment, shown),
            Stored::Boolean(is) => Value::Boolean(is),
            Stored::Error(error) => Value::Error(error),
            Stored::Text(text) => Value::Text(text),
            Stored::Shared(number) => match self.strings.get(number) {
                Some(text) => Value::Text(text),
                None => {
                    self.losses.missing += 1;
                    return Ok(());
                }
            },
        };
        styles.push(style, column, value, cells)
    }
}
