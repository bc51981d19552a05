//! Displayed texts of cells. Does no layout.

use super::{
    book::{Book, Cell, Run, Value},
    style::{Font, Style},
};
use crate::{number::Number, worksheet::View};
use convertd_office::number_format::{self, Ink};
use convertd_tree::Colour;
use std::rc::Rc;

/// Displayed text of a cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    /// Text as runs, each in one font.
    pub(crate) runs: Vec<Run>,
    /// Position in the text, in bytes, and character that is repeated there to fill the cell (`*` in a format code).
    pub(crate) fill: Option<(usize, char)>,
    /// Colour from the number format, such as `[Red]`.
    pub(crate) colour: Option<Colour>,
    /// Type of the value.
    pub(crate) kind: Kind,
}

/// Type of a displayed value, which decides its default alignment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Kind {
    /// A text.
    #[default]
    Text,
    /// A number or date. The value is present only if the format is General, which shows fewer digits in a narrow
    /// column.
    Number(Option<f64>),
    /// A truth value or an error.
    Word,
}

impl Shown {
    /// Formats the value of a cell.
    pub(crate) fn of(cell: &Cell, style: &Style, book: &Book, view: View) -> Self {
        if let Some(text) = &cell.shown
            && view == View::Shown
        {
            return Self {
                runs: vec![Run {
                    text: (**text).into(),
                    font: None,
                }],
                kind: Kind::Number(None),
                ..Self::default()
            };
        }
        let value = &cell.value;
        let plain = |text: &str, kind| Self {
            runs: vec![Run {
                text: text.into(),
                font: None,
            }],
            kind,
            ..Self::default()
        };
        match value {
            Value::Empty => Self::default(),
            Value::Number(number) if !number.is_finite() => plain("#NUM!", Kind::Word),
            Value::Number(number) if view == View::Exact => {
                let mut text = String::new();
                Number::general(*number).write(&mut text);
                plain(&text, Kind::Number(None))
            }
            Value::Number(number) => {
                let format = &style.format.number;
                let display = format.show(*number, book.epoch);
                let general = format.is_general().then_some(*number);
                Self {
                    fill: display.fill,
                    colour: display.colour.and_then(|ink| colour(ink, book)),
                    ..plain(&display.text, Kind::Number(general))
                }
            }
            Value::Text(text) => match style.format.number.text(text) {
                Some(text) => plain(&text, Kind::Text),
                None => plain(text, Kind::Text),
            },
            Value::Rich(runs) => Self {
                runs: runs.to_vec(),
                ..Self::default()
            },
            Value::Boolean(is) => plain(if *is { "TRUE" } else { "FALSE" }, Kind::Word),
            Value::Error(error) => plain(error, Kind::Word),
        }
    }

    /// Text of all runs.
    pub(crate) fn text(&self) -> String {
        self.runs.iter().map(|run| &*run.text).collect()
    }

    /// Returns a copy with the text that a column of this many characters shows (see [`narrow`]).
    pub(crate) fn narrowed(&self, characters: usize) -> Self {
        Self {
            runs: vec![Run {
                text: narrow(self.kind, characters).into(),
                font: None,
            }],
            fill: None,
            ..self.clone()
        }
    }

    /// Font of a run, or else that of the cell. A colour of the number format replaces the font's own.
    pub(crate) fn font<'a>(&self, run: &'a Run, own: &'a Rc<Font>) -> Rc<Font> {
        let font = run.font.as_ref().unwrap_or(own);
        match self.colour {
            Some(colour) => Rc::new(Font {
                colour: Some(colour),
                ..(**font).clone()
            }),
            None => font.clone(),
        }
    }
}

/// Text of a value in a column that is too narrow: a number in the format General with fewer digits, otherwise `#`
/// signs.
pub(crate) fn narrow(kind: Kind, characters: usize) -> String {
    let general = match kind {
        Kind::Number(Some(number)) => number_format::general_in(number, characters),
        Kind::Number(None) | Kind::Text | Kind::Word => None,
    };
    general.unwrap_or_else(|| "#".repeat(characters.clamp(1, 255)))
}

/// Resolves a colour of a number format. `[Color 1]` is entry 8 of the palette, after the eight basic colours.
fn colour(ink: Ink, book: &Book) -> Option<Colour> {
    match ink {
        Ink::Named([red, green, blue]) => Some(Colour(red, green, blue)),
        Ink::Indexed(number) => book.palette.get(u32::from(number) + 7),
    }
}
