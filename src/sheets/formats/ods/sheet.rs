//! Reads the cells of a sheet (part 3, 9.1), row by row while the part is being decompressed.
//!
//! The trap is repetition. Rows and cells have a repeat count, which programs use to fill a sheet to its last row and
//! column, so a file of some hundred bytes may stand for a billion cells. Empty cells cost nothing here, and the
//! repetition of other cells is limited. Computes no formulas.

use super::styles::Styles;
use crate::{
    cells::{COLUMNS, Cells, MAX_ROWS, MAX_TEXT, Value},
    containers::xml::{Element, Stream, Token},
    error::{Error, Kind, Result},
    job::Job,
    number::{Number, NumberStyle},
    sheet::Rows,
    time::Moment,
};
use std::io::BufRead;

/// Maximum number of cells that repeated rows add to a sheet.
const MAX_REPEATED: u64 = 10_000_000;

/// Maximum number of spaces in one `text:s` element.
pub(super) const MAX_SPACES: u32 = 1 << 15;

/// Finder of sheets: `table:table` elements directly inside `office:spreadsheet`. Tables inside cells or in the list
/// of tracked changes do not count.
#[derive(Default)]
pub(super) struct Tables {
    /// Depth below `office:spreadsheet`, once that element has begun.
    depth: Option<usize>,
}

impl Tables {
    /// Returns whether `office:spreadsheet` has begun.
    pub(super) fn begun(&self) -> bool {
        self.depth.is_some()
    }

    /// Returns the element of the sheet that this token begins. `None` for all other tokens.
    pub(super) fn next<'t>(&mut self, token: &Token<'t>) -> Option<Element<'t>> {
        match token {
            Token::Start(element) => match &mut self.depth {
                Some(depth) => {
                    *depth += 1;
                    let table = element.space == "table" && element.name == "table";
                    (*depth == 1 && table).then_some(*element)
                }
                None => {
                    let all = element.space == "office" && element.name == "spreadsheet";
                    self.depth = all.then_some(0);
                    None
                }
            },
            Token::End(..) => {
                self.depth = self.depth.and_then(|depth| depth.checked_sub(1));
                None
            }
            Token::Text(_) => None,
        }
    }
}

/// The cell that is being read.
#[derive(Default)]
struct Open {
    /// Type of the value (`office:value-type`).
    kind: Type,
    /// Value from its attributes.
    value: Option<String>,
    /// Number format.
    look: NumberStyle,
    /// Number of columns that the cell is repeated in.
    repeated: u32,
    /// Displayed text.
    text: String,
    /// Number of paragraphs so far.
    paragraphs: u32,
    /// Whether the cell is hidden behind a merged cell.
    covered: bool,
    /// Whether the cell has a formula. LibreOffice stores a truth value as a number then, and shows it as a word.
    formula: bool,
}

/// Type of the value.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Type {
    #[default]
    Text,
    /// A number, or an amount of money.
    Number,
    Percent,
    Boolean,
    Date,
    Time,
    Error,
}

/// Content of a sheet that is not among its rows.
#[derive(Default)]
pub(super) struct LeftOut {
    /// Number of cells beyond the last column.
    pub(super) beyond: u64,
    /// Whether it has charts, pictures or shapes.
    pub(super) has_drawings: bool,
}

/// Reads the rows of the sheet whose start tag was just read.
pub(super) fn read<R: BufRead>(
    job: &Job<'_>,
    xml: &mut Stream<'_, R>,
    styles: &Styles,
    rows: &mut Rows<'_>,
) -> Result<LeftOut> {
    let mut cells = Cells::default();
    let mut open = Open::default();
    let (mut row, mut row_repeated, mut column) = (0_u32, 1, 0_u32);
    let (mut repeated_cells, mut left_out) = (0_u64, LeftOut::default());
    let (mut in_cell, mut in_paragraph) = (false, 0_u32);
    // Depth within an element that is skipped, or 0.
    let mut skipped = 0_u32;
    while let Some(token) = xml.next()? {
        if skipped > 0 {
            match token {
                Token::Start(_) => skipped += 1,
                Token::End(..) => skipped -= 1,
                Token::Text(_) => {}
            }
            continue;
        }
        match token {
            Token::Text(text) if in_paragraph > 0 => open.add(job, text)?,
            Token::Text(_) => {}
            Token::Start(element) => match (element.space, element.name) {
                ("table", "table-row") => {
                    row_repeated = number(&element, "number-rows-repeated").max(1);
                    column = 0;
                    cells.begin(row);
                    let visibility = element.attribute("visibility");
                    cells.hidden = matches!(visibility.as_deref(), Some("collapse" | "filter"));
                }
                ("table", "table-cell" | "covered-table-cell") if !in_cell => {
                    open.begin(&element, styles);
                    in_cell = true;
                }
                ("text", "p" | "h") if in_cell => {
                    if open.paragraphs > 0 {
                        open.text.push('\n');
                    }
                    open.paragraphs += 1;
                    in_paragraph += 1;
                }
                ("text", "s") if in_paragraph > 0 => {
                    let count = number(&element, "c").clamp(1, MAX_SPACES);
                    open.add_plain(job, &" ".repeat(count as usize))?;
                }
                ("text", "tab") if in_paragraph > 0 => open.add_plain(job, "\t")?,
                ("text", "line-break") if in_paragraph > 0 => open.add_plain(job, "\n")?,
                // Spans and links contain text of the cell. Notes, drawings and nested tables do not.
                ("text", _) if in_paragraph > 0 => {}
                ("table", "table-row-group" | "table-rows" | "table-header-rows") => {}
                (space, name) => {
                    // Shapes are in cells, or in front of the rows if they are anchored to the sheet.
                    left_out.has_drawings |=
                        space == "draw" || (space, name) == ("table", "shapes");
                    skipped = 1;
                }
            },
            Token::End(space, name) => match (space, name) {
                ("text", "p" | "h") => in_paragraph = in_paragraph.saturating_sub(1),
                ("table", "table-cell" | "covered-table-cell") if in_cell => {
                    in_cell = false;
                    left_out.beyond += open.push(column, styles.shown(), &mut cells)?;
                    column = column.saturating_add(open.repeated);
                }
                ("table", "table-row") => {
                    if !cells.is_empty() {
                        let more = u64::from(row_repeated - 1) * cells.iter().count() as u64;
                        repeated_cells = repeated_cells.saturating_add(more);
                        if repeated_cells > MAX_REPEATED
                            || row.saturating_add(row_repeated) > MAX_ROWS
                        {
                            return Err(Error::new(
                                Kind::BadInput,
                                "a sheet repeats a row too often: it has more than 10 million cells or 1,048,576 rows, the limits",
                            ));
                        }
                        for _ in 0..row_repeated {
                            rows(&cells)?;
                            cells.row += 1;
                        }
                    }
                    row = row.saturating_add(row_repeated);
                }
                ("table", "table") => return Ok(left_out),
                _ => {}
            },
        }
    }
    Ok(left_out)
}

fn number(element: &Element<'_>, name: &str) -> u32 {
    let value = element.attribute(name);
    value
        .and_then(|value| value.trim().parse().ok())
        .unwrap_or(0)
}

impl Open {
    /// Begins a cell with its attributes: type, value, style and number of repetitions. Its text follows in
    /// paragraphs.
    fn begin(&mut self, element: &Element<'_>, styles: &Styles) {
        self.kind = Type::Text;
        self.value = None;
        self.look = NumberStyle::General;
        self.repeated = 1;
        self.text.clear();
        self.paragraphs = 0;
        self.covered = element.name != "table-cell";
        self.formula = false;
        let (mut style, mut error) = (None, false);
        for (name, value) in element.attributes() {
            match name {
                "number-columns-repeated" => {
                    self.repeated = value.trim().parse().unwrap_or(1).max(1)
                }
                "style-name" => style = Some(value),
                "formula" => self.formula = true,
                // LibreOffice repeats the value type in its own namespace (`calcext`), where the type "error" exists,
                // too.
                "value-type" if value == "error" => error = true,
                "value-type" => {
                    self.kind = match &*value {
                        "float" | "currency" => Type::Number,
                        "percentage" => Type::Percent,
                        "boolean" => Type::Boolean,
                        "date" => Type::Date,
                        "time" => Type::Time,
                        _ => Type::Text,
                    }
                }
                "value" | "date-value" | "time-value" | "boolean-value" | "string-value" => {
                    self.value = Some(value.into_owned());
                }
                _ => {}
            }
        }
        if error {
            self.kind = Type::Error;
        }
        if matches!(self.kind, Type::Number | Type::Percent) {
            self.look = styles.style(style.as_deref());
        }
    }

    /// Appends text. Runs of white space collapse to one space (part 3, 6.1.2).
    fn add(&mut self, job: &Job<'_>, text: &str) -> Result<()> {
        let space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
        let at_start = self.text.is_empty() || self.text.ends_with('\n');
        if !text.contains("  ") && !text.contains(['\t', '\n', '\r']) && !text.starts_with(' ') {
            return self.add_plain(job, text);
        }
        // A leading space has to be an element (`text:s`), but LibreOffice writes a plain one, so it is kept.
        // Leading tabs and line ends are indentation of the XML and are dropped.
        let text = match at_start && text.starts_with(['\t', '\n', '\r']) {
            true => text.trim_start_matches(space),
            false => text,
        };
        for piece in text.split_inclusive(space) {
            let word = piece.trim_end_matches(space);
            self.add_plain(job, word)?;
            if word.len() < piece.len() && !self.text.ends_with([' ', '\t']) {
                self.add_plain(job, " ")?;
            }
        }
        Ok(())
    }

    /// Appends text as it is.
    fn add_plain(&mut self, job: &Job<'_>, text: &str) -> Result<()> {
        if self.text.len() + text.len() > MAX_TEXT {
            return Err(job.unreadable("a cell holds more than 8 MiB of text"));
        }
        self.text.push_str(text);
        Ok(())
    }

    /// Adds the cell to the row as often as it is repeated: its displayed text if `wants_shown`, or else its value.
    /// Returns the number of repetitions beyond the last column.
    fn push(&mut self, column: u32, wants_shown: bool, cells: &mut Cells) -> Result<u64> {
        if self.covered {
            return Ok(0);
        }
        let shown = &*self.text;
        let stated = self.value.as_deref();
        let number = |look| {
            let value: f64 = stated?.trim().parse().ok()?;
            value
                .is_finite()
                .then_some(Value::Number(Number { value, look }))
        };
        let value = match self.kind {
            Type::Text => None,
            Type::Error if !shown.is_empty() => Some(Value::Error(shown)),
            Type::Error => None,
            _ if wants_shown && self.paragraphs > 0 => Some(Value::Shown(shown)),
            Type::Number if self.formula && shown == "TRUE" && stated == Some("1") => {
                Some(Value::Boolean(true))
            }
            Type::Number if self.formula && shown == "FALSE" && stated == Some("0") => {
                Some(Value::Boolean(false))
            }
            Type::Number => number(self.look),
            Type::Percent => number(match self.look {
                NumberStyle::Percent(decimals) => NumberStyle::Percent(decimals),
                _ => NumberStyle::Percent(0),
            }),
            Type::Boolean => stated.map(|value| Value::Boolean(value == "true")),
            Type::Date => stated.and_then(date).map(Value::Moment),
            Type::Time => stated.and_then(time).map(Value::Moment),
        };
        let text = match self.kind {
            Type::Text if self.paragraphs == 0 => stated.unwrap_or(shown),
            Type::Text | Type::Error => shown,
            // The value is declared as a number but is not one, so it is kept as text.
            _ => stated.unwrap_or(shown),
        };
        let value = value.unwrap_or(Value::Text(text));
        if matches!(value, Value::Text("") | Value::Shown("")) {
            return Ok(0);
        }
        let all = column.saturating_add(self.repeated);
        for column in column..all.min(COLUMNS) {
            cells.push(column, value)?;
        }
        Ok(u64::from(all - all.min(COLUMNS.max(column))))
    }
}

/// Parses a date, or a date and time, to the millisecond (part 3, 18.3.7).
pub(super) fn date(text: &str) -> Option<Moment> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let Some((whole, fraction)) = text.split_once('.') else {
        return Moment::parse(text);
    };
    let digits = fraction.trim_end_matches('0');
    match digits {
        "" => Moment::parse(whole),
        _ => Moment::parse(&format!("{whole}.{digits:0<3.3}")),
    }
}

/// Parses a time of day, which is a duration since midnight (part 3, 18.3.9), such as `PT12H30M00.5S`. Longer and
/// negative ones are durations.
pub(super) fn time(text: &str) -> Option<Moment> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let mut millis = 0.0;
    let mut rest = text.strip_prefix('P')?;
    let mut in_time = false;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('T') {
            (in_time, rest) = (true, after);
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')?;
        let value: f64 = rest[..end].replace(',', ".").parse().ok()?;
        let unit = match (rest.as_bytes()[end], in_time) {
            (b'D', false) => 86_400_000.0,
            (b'H', true) => 3_600_000.0,
            (b'M', true) => 60_000.0,
            (b'S', true) => 1000.0,
            _ => return None,
        };
        millis += value * unit;
        rest = &rest[end + 1..];
    }
    if !(0.0..1e15).contains(&millis) {
        return None;
    }
    let millis = millis.round() as i64;
    Some(match (negative, millis) {
        (false, 0..86_400_000) => Moment::Time(millis),
        (false, _) => Moment::Duration(millis),
        (true, _) => Moment::Duration(-millis),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_lengths_of_time() {
        assert_eq!(time("PT12H30M00.5S"), Some(Moment::Time(45_000_500)));
        assert_eq!(time("PT26H"), Some(Moment::Duration(93_600_000)));
        assert_eq!(time("-PT1M"), Some(Moment::Duration(-60_000)));
        assert_eq!(time("P1DT1S"), Some(Moment::Duration(86_401_000)));
        for wrong in [
            "",
            "12:30",
            "PT1X",
            "P1M",
            "PTH",
            "PT1é",
            "PT99999999999999999999H",
        ] {
            assert_eq!(time(wrong), None, "{wrong}");
        }
    }
}
