//! Number formats of cell styles, which turn numbers into typed values or displayed texts. Ignores everything else in
//! a style.

use crate::{
    cells::{Cells, Value},
    containers::xml::{Stream, Token},
    error::Result,
    meaning::Meaning,
    number::Number,
    number_format::NumberFormat,
    sheet::View,
    time::{Epoch, Moment},
};
use std::{collections::HashMap, io::BufRead};

/// Maximum number of number formats and of cell styles. Excel itself allows 64,000.
const MAX: usize = 1 << 17;

/// Maximum number of number formats that are kept for displayed texts, at 10 KiB each. Excel itself allows about 250.
const MAX_FORMATS: usize = 1 << 10;

/// Number formats by cell style.
#[derive(Debug, Default)]
pub(crate) struct Styles {
    /// Meaning of custom number formats, by identifier.
    codes: HashMap<u32, Meaning>,
    /// Meaning of each cell style's number format.
    cells: Vec<Meaning>,
    /// Formatter of displayed texts, if these are wanted.
    shown: Option<Shown>,
}

/// Number formats for displayed texts.
#[derive(Debug, Default)]
struct Shown {
    /// Number formats by identifier. Built-in ones are added when a style uses them.
    formats: HashMap<u32, NumberFormat>,
    /// Identifier of each cell style's number format.
    cells: Vec<u32>,
    /// Format of cells without a valid style.
    general: NumberFormat,
}

impl Styles {
    /// Creates an empty list. `view` is the notation that the client asks for.
    pub(crate) fn new(view: View) -> Self {
        Self {
            shown: (view == View::Shown).then(Shown::default),
            ..Self::default()
        }
    }

    /// Reads the styles part of an xlsx.
    pub(crate) fn read<R: BufRead>(xml: &mut Stream<'_, R>, view: View) -> Result<Self> {
        let mut styles = Self::new(view);
        let mut in_cells = false;
        while let Some(token) = xml.next()? {
            match token {
                Token::Start(element) if element.space == "s" => {
                    let number = || element.attribute("numFmtId")?.trim().parse().ok();
                    match element.name {
                        "numFmt" => {
                            let code = element.attribute("formatCode").unwrap_or_default();
                            if let Some(number) = number() {
                                styles.add_code(number, &code);
                            }
                        }
                        "cellXfs" => in_cells = true,
                        "xf" if in_cells => styles.add_cell(number().unwrap_or(0)),
                        _ => {}
                    }
                }
                Token::End("s", "cellXfs") => in_cells = false,
                _ => {}
            }
        }
        Ok(styles)
    }

    /// Adds a custom number format.
    pub(crate) fn add_code(&mut self, number: u32, code: &str) {
        if self.codes.len() < MAX {
            self.codes.insert(number, Meaning::of(code));
        }
        if let Some(shown) = &mut self.shown
            && shown.formats.len() < MAX_FORMATS
        {
            shown.formats.insert(number, NumberFormat::parse(code));
        }
    }

    /// Adds the next cell style, with the identifier of its number format.
    pub(crate) fn add_cell(&mut self, format: u32) {
        if self.cells.len() >= MAX {
            return;
        }
        let code = self.codes.get(&format).copied();
        self.cells
            .push(code.unwrap_or_else(|| Meaning::built_in(format)));
        if let Some(shown) = &mut self.shown {
            shown.cells.push(format);
            if shown.formats.len() < MAX_FORMATS {
                let built_in = || NumberFormat::built_in(format);
                shown.formats.entry(format).or_insert_with(built_in);
            }
        }
    }

    /// Value of a number in a cell with this style: its displayed text, which is written to `text`, or else a number
    /// or date. Infinity and NaN are `#NUM!`, as in Excel.
    pub(crate) fn number<'t>(
        &self,
        style: usize,
        value: f64,
        epoch: Epoch,
        text: &'t mut String,
    ) -> Value<'t> {
        if !value.is_finite() {
            return Value::Error("#NUM!");
        }
        if let Some(shown) = &self.shown {
            text.clear();
            shown.format(style).number(value, epoch, text);
            return Value::Shown(text);
        }
        match self.cells.get(style).copied().unwrap_or_default() {
            Meaning::Number(look) => Value::Number(Number { value, look }),
            Meaning::Moment(clock) => match epoch.moment(value, clock) {
                Some(moment) => Value::Moment(moment),
                None => Value::Number(Number::general(value)),
            },
        }
    }

    /// Adds a cell with this style. If displayed texts are wanted, a text goes through the text section of its number
    /// format.
    pub(crate) fn push(
        &self,
        style: usize,
        column: u32,
        value: Value<'_>,
        cells: &mut Cells,
    ) -> Result<()> {
        match (&self.shown, value) {
            (Some(shown), Value::Text(text)) => match shown.format(style).text(text) {
                Some(text) => cells.push(column, Value::Text(&text)),
                None => cells.push(column, value),
            },
            _ => cells.push(column, value),
        }
    }

    /// Value of a date that the file stores as a date, in a cell with this style. Such a file states date and time; the
    /// number format decides which of them counts. See [`Self::number`].
    pub(crate) fn moment<'t>(
        &self,
        style: usize,
        moment: Moment,
        text: &'t mut String,
    ) -> Value<'t> {
        let serial = moment.serial();
        match serial.map(|serial| self.number(style, serial, Epoch::From1900, text)) {
            None | Some(Value::Number(_)) => Value::Moment(moment),
            Some(value) => value,
        }
    }
}

impl Shown {
    /// Number format of a cell style.
    fn format(&self, style: usize) -> &NumberFormat {
        let number = self.cells.get(style);
        number
            .and_then(|number| self.formats.get(number))
            .unwrap_or(&self.general)
    }
}
