//! The tables of a PDF as the sheets of a workbook. A PDF holds texts, so that numbers are told by how they are written: with
//! the decimal comma or point of the rest of the file. Reads no text outside of tables.

use super::{
    cells::{Cells, Value},
    formats::ROWS,
    options,
    sheet::{MEMORY, Rows, Sheet, View, Workbook},
    types,
};
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, Lease, Notes, OptionSpec, PASSWORD, Pair},
    pdf::read::tables::{self, Table},
};
use std::sync::LazyLock;

/// Bytes that a cell takes beside its text.
const CELL: u64 = 64;

/// Languages that write a comma before decimals.
const COMMA: [&str; 26] = [
    "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv", "nb",
    "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "uk",
];

/// Each target with its fields.
static FIELDS: LazyLock<Vec<Vec<&OptionSpec>>> = LazyLock::new(|| {
    let targets = ROWS.iter().filter_map(|row| row.write.as_ref());
    let fields = targets.map(|target| {
        // A PDF has no number formats that values could be shown in.
        let own = target
            .options
            .iter()
            .copied()
            .filter(|option| option.name != options::VALUES.name);
        own.chain([&PASSWORD]).collect()
    });
    fields.collect()
});

/// The conversions of a PDF to sheets.
pub(crate) fn pairs() -> Vec<Pair> {
    let targets = ROWS
        .iter()
        .filter_map(|row| Some((row, row.write.as_ref()?)));
    let pairs = targets
        .zip(FIELDS.iter())
        .map(|((row, target), options)| Pair {
            from: tables::format(),
            to: &row.format,
            quality: target.quality,
            options,
        });
    pairs.collect()
}

/// Whether a file is read here.
pub(crate) fn is_source(format: &Format) -> bool {
    format == tables::format()
}

/// Reads the tables of a file.
///
/// Errors: as those of [`tables::read`].
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    _: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let mut notes = Notes::default();
    let (tables, language) = tables::read(job, input, &mut notes)?;
    let texts = tables.iter().flat_map(|table| &table.rows).flatten();
    let bytes: u64 = texts.map(|(_, text)| CELL + text.len() as u64).sum();
    let lease = job.lease(4 * bytes)?;
    // In place of the PDF, which is closed. Behind the lease, so that there is never less than what is in memory.
    job.reserve(MEMORY)?;
    match tables.len() {
        0 => notes.add("No table was found in the PDF, so that the result is empty."),
        1 => notes.add("1 table was found by rules and by how text is aligned; text outside of it was left out."),
        count => notes.add(format!(
            "{count} tables were found by rules and by how text is aligned, and are a sheet each; text outside of them was left out."
        )),
    }
    let sheets = (1..).zip(&tables).map(|(number, table)| Sheet {
        title: Some(format!("Table {number}, page {}", table.page)),
        hidden: false,
        chart: false,
    });
    let mut sheets: Vec<Sheet> = sheets.collect();
    if sheets.is_empty() {
        sheets.push(Sheet::default());
    }
    let style = Style::of(&tables, language.as_deref());
    Ok(Box::new(Tables {
        tables,
        sheets,
        style,
        notes,
        _lease: lease,
    }))
}

struct Tables<'a> {
    tables: Vec<Table>,
    sheets: Vec<Sheet>,
    style: Style,
    notes: Notes,
    _lease: Lease<'a>,
}

impl Workbook for Tables<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let Some(table) = self.tables.get(sheet) else {
            return Ok(());
        };
        let mut cells = Cells::default();
        for (number, row) in (0..).zip(&table.rows) {
            cells.begin(number);
            for (column, text) in row {
                let plain = self.style.plain(text);
                let number = plain.as_deref().and_then(types::number);
                cells.push(*column, number.map_or(Value::Text(text), Value::Number))?;
            }
            rows(&cells)?;
        }
        Ok(())
    }

    fn tell(&mut self, notes: &mut Notes) {
        for note in std::mem::take(&mut self.notes).0 {
            notes.add(note);
        }
    }
}

/// How numbers are written: what stands before decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Point,
    Comma,
}

impl Style {
    /// The style of most numbers that can be of one style alone; else that of the language, or the point.
    fn of(tables: &[Table], language: Option<&str>) -> Self {
        let texts = tables.iter().flat_map(|table| &table.rows).flatten();
        let (mut points, mut commas) = (0, 0);
        for (_, text) in texts {
            match (
                Self::Point.plain(text).is_some(),
                Self::Comma.plain(text).is_some(),
            ) {
                (true, false) => points += 1,
                (false, true) => commas += 1,
                _ => {}
            }
        }
        let has_comma = language.is_some_and(|language| {
            let main = language.split(['-', '_']).next().unwrap_or_default();
            COMMA.contains(&main.to_lowercase().as_str())
        });
        match points.cmp(&commas) {
            std::cmp::Ordering::Greater => Self::Point,
            std::cmp::Ordering::Less => Self::Comma,
            std::cmp::Ordering::Equal if has_comma => Self::Comma,
            std::cmp::Ordering::Equal => Self::Point,
        }
    }

    /// A number without separators of groups, and with a point before its decimals. `None` for what is no number in this style.
    fn plain(self, text: &str) -> Option<String> {
        let (point, group) = match self {
            Self::Point => ('.', ','),
            Self::Comma => (',', '.'),
        };
        let text = text.trim();
        let (sign, unsigned) = match text.strip_prefix(['-', '\u{2212}', '\u{2013}']) {
            Some(rest) => ("-", rest),
            None => ("", text),
        };
        let (number, percent) = match unsigned.strip_suffix('%') {
            Some(number) => (number.trim_end(), "%"),
            None => (unsigned, ""),
        };
        let (whole, fraction) = match number.split_once(point) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (number, None),
        };
        let is_space = |c: char| {
            matches!(
                c,
                ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\'' | '\u{2019}'
            )
        };
        let separator = whole.chars().find(|c| *c == group || is_space(*c));
        let digits = match separator {
            None => whole.to_owned(),
            Some(separator) => {
                let mut groups = whole.split(separator);
                let first = groups.next()?;
                let is_first = (1..=3).contains(&first.len());
                if !is_first || !groups.all(|group| group.len() == 3) {
                    return None;
                }
                whole.replace(separator, "")
            }
        };
        let are_digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !are_digits(&digits) || fraction.is_some_and(|fraction| !are_digits(fraction)) {
            return None;
        }
        let fraction = fraction
            .map(|fraction| format!(".{fraction}"))
            .unwrap_or_default();
        Some(format!("{sign}{digits}{fraction}{percent}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(texts: &[&str]) -> Vec<Table> {
        let row = texts.iter().map(|text| (0, (*text).to_owned())).collect();
        vec![Table {
            page: 1,
            rows: vec![row],
        }]
    }

    #[test]
    fn numbers_are_told_by_the_separators_of_their_file() {
        #[track_caller]
        fn check(texts: &[&str], language: Option<&str>, expected: &[Option<&str>]) {
            let style = Style::of(&table(texts), language);
            let found: Vec<Option<String>> = texts.iter().map(|text| style.plain(text)).collect();
            let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
            assert_eq!(found, expected);
        }
        check(&["1,234", "5.6"], None, &[Some("1234"), Some("5.6")]);
        check(&["1.234", "5,6"], None, &[Some("1234"), Some("5.6")]);
        check(&["1.234"], None, &[Some("1.234")]);
        check(&["1.234"], Some("de-AT"), &[Some("1234")]);
        check(&["1\u{a0}234\u{a0}567,5"], None, &[Some("1234567.5")]);
        check(
            &["\u{2212}3", "12 %", "-0.5%"],
            None,
            &[Some("-3"), Some("12%"), Some("-0.5%")],
        );
        check(
            &["12 34", "1,23,4", "$5", "(3)", "3*", "", "n/a"],
            None,
            &[None; 7],
        );
    }
}
