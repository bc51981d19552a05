//! Places, types and values of cells (ECMA-376 part 1, 18.3.1.73 and 18.3.1.4), for rows and for whole workbooks. Reads
//! no formulas.
//!
//! References of rows and cells (`r="B7"`) are optional: without one, a cell follows the previous one directly.

use crate::{
    cells::{COLUMNS, MAX_ROWS, TOO_MANY_ROWS, reference},
    containers::xml::Element,
    ooxml::unescape,
    stored::Stored,
    time::Moment,
};
use std::borrow::Cow;

/// Attributes of a cell.
#[derive(Default)]
pub(super) struct Cell {
    /// Column, from 0. At least [`COLUMNS`] for a cell beyond the last one.
    pub(super) column: u32,
    /// Type of the value (`t`).
    pub(super) kind: Kind,
    /// Index of the cell format (`s`).
    pub(super) style: usize,
    /// Number of the cell's entry in the metadata part (`vm`); empty if it has no entry.
    pub(super) metadata: String,
}

/// Type of a cell's value (18.18.11).
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number, or a date as a serial number.
    #[default]
    Number,
    /// Index of a shared string.
    Shared,
    /// Text result of a formula.
    Text,
    /// Text in the cell itself.
    Inline,
    Boolean,
    /// Name of an error value.
    Error,
    /// Date in ISO 8601, which only the strict variant has.
    Date,
}

/// Number of a row, from 0, and whether it is hidden. `next` is its number if it states none.
///
/// Errors: the reason if there is no such row.
pub(super) fn row(element: &Element<'_>, next: u32) -> Result<(u32, bool), String> {
    let (mut number, mut hidden) = (next, false);
    for (name, value) in element.attributes() {
        match name {
            "r" => {
                let stated = value.trim().parse::<u32>().ok();
                number = (stated.and_then(|number| number.checked_sub(1))).ok_or_else(|| {
                    format!("a row has the number {value:.20}; rows are numbered from 1")
                })?;
            }
            "hidden" => hidden = matches!(&*value, "1" | "true"),
            _ => {}
        }
    }
    match number < MAX_ROWS {
        true => Ok((number, hidden)),
        false => Err(TOO_MANY_ROWS.to_owned()),
    }
}

impl Cell {
    /// Reads the attributes of the next cell.
    pub(super) fn begin(&mut self, element: &Element<'_>, next: u32) {
        self.column = next;
        self.kind = Kind::Number;
        self.style = 0;
        self.metadata.clear();
        for (name, value) in element.attributes() {
            match name {
                "r" => self.column = column(&value).unwrap_or(next),
                "s" => self.style = value.trim().parse().unwrap_or(0),
                "vm" => self.metadata.push_str(&value),
                "t" => {
                    self.kind = match &*value {
                        "s" => Kind::Shared,
                        "str" => Kind::Text,
                        "inlineStr" => Kind::Inline,
                        "b" => Kind::Boolean,
                        "e" => Kind::Error,
                        "d" => Kind::Date,
                        _ => Kind::Number,
                    }
                }
                _ => {}
            }
        }
    }
}

/// Column of a reference. A reference beyond the last column becomes [`COLUMNS`], which is counted as a loss; if it
/// were ignored, the following cells would move to wrong columns.
fn column(text: &str) -> Option<u32> {
    if let Some((column, _)) = reference(text) {
        return Some(column);
    }
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let looks_like_one = digits.len() < text.len()
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    looks_like_one.then_some(COLUMNS)
}

impl Kind {
    /// Text of a value without escapes, or without white space around it.
    pub(super) fn text(self, written: &str) -> Cow<'_, str> {
        match self {
            Self::Text | Self::Inline => unescape(written),
            _ => Cow::Borrowed(written.trim()),
        }
    }

    /// Value of a cell of this type. A value that contradicts its type is text.
    pub(super) fn value(self, text: &str) -> Stored<'_> {
        match self {
            // Texts may be empty.
            Self::Text | Self::Inline => Stored::Text(text),
            _ if text.is_empty() => Stored::Empty,
            // Any number that is no index is that of a missing string.
            Self::Shared => Stored::Shared(text.parse().unwrap_or(usize::MAX)),
            Self::Boolean => Stored::Boolean(matches!(text, "1" | "true")),
            Self::Error => Stored::Error(text),
            Self::Date => date(text).map_or(Stored::Text(text), Stored::Moment),
            Self::Number => match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Stored::Number(number),
                _ => Stored::Text(text),
            },
        }
    }
}

/// Parses a date of the strict variant, which may end in `Z` and in zeros.
fn date(text: &str) -> Option<Moment> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    };
    Moment::parse(text).or_else(|| {
        let (whole, fraction) = text.split_once('.')?;
        Moment::parse(&format!("{whole}.{:0<3.3}", fraction))
    })
}
