//! Writes an object for each row but the first, which contains the names. Every object has all names, so that columns
//! with empty cells do not disappear.

use crate::{
    cells::{Cells, Value, letters},
    data::{self, Lost},
    error::Result,
    job::{Notes, Output},
    number::NumberStyle,
    sheet::{BUFFER, Sheet, Writer, flush},
    types::infer,
};
use std::collections::{HashMap, HashSet};

/// Format of the list of objects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Frame {
    /// An array of objects.
    Array,
    /// An object on each line, with nothing around them.
    Lines,
    /// An item of a YAML list.
    Yaml,
    /// A table in a TOML array of tables with this name.
    Toml(&'static str),
    /// An element of an XML file.
    Xml,
}

/// State of the writer.
struct Objects<'a> {
    output: &'a mut dyn Output,
    frame: Frame,
    /// Output that is not written yet.
    buffer: Vec<u8>,
    /// Names as JSON, each with a colon. `None` before the first row.
    names: Option<Vec<Vec<u8>>>,
    /// Number of objects so far.
    rows: u64,
    /// Buffer for the text of a value.
    text: String,
    lost: Lost,
}

/// Begins a file. The first row contains the names.
pub(crate) fn create<'a>(output: &'a mut dyn Output, frame: Frame) -> Result<Box<dyn Writer + 'a>> {
    Ok(Box::new(Objects {
        output,
        frame,
        buffer: match frame {
            Frame::Array => b"[".to_vec(),
            Frame::Xml => data::xml::ROWS_START.into(),
            Frame::Lines | Frame::Yaml | Frame::Toml(_) => Vec::new(),
        },
        names: None,
        rows: 0,
        text: String::new(),
        lost: Lost::default(),
    }))
}

impl Writer for Objects<'_> {
    fn begin(&mut self, _: &Sheet) -> Result<()> {
        Ok(())
    }

    fn row(&mut self, cells: &Cells) -> Result<()> {
        let Some(names) = &self.names else {
            self.names = Some(names(cells));
            return Ok(());
        };
        let begin = match (self.frame, self.rows) {
            (Frame::Array, 0) => "\n{",
            (Frame::Array, _) => ",\n{",
            (Frame::Lines | Frame::Yaml | Frame::Toml(_) | Frame::Xml, _) => "{",
        };
        let start = self.buffer.len();
        self.buffer.extend(begin.as_bytes());
        self.rows += 1;
        let out = &mut self.buffer;
        let mut next = 0;
        for (column, found) in cells.iter() {
            for empty in next..column {
                name(names, empty, out);
                out.extend(b"null");
            }
            name(names, column, out);
            value(found, &mut self.text, out);
            next = column + 1;
        }
        for empty in next..names.len() as u32 {
            name(names, empty, out);
            out.extend(b"null");
        }
        self.buffer.push(b'}');
        match self.frame {
            Frame::Array => {}
            Frame::Lines => self.buffer.push(b'\n'),
            Frame::Yaml | Frame::Toml(_) | Frame::Xml => self.translate(start),
        }
        flush(&mut self.buffer, BUFFER, self.output)
    }

    fn end(&mut self) -> Result<()> {
        let end = match (self.frame, self.rows) {
            (Frame::Array, 0) => "]\n",
            (Frame::Array, _) => "\n]\n",
            (Frame::Yaml, 0) => "[]\n",
            (Frame::Xml, _) => data::xml::ROWS_END,
            (Frame::Lines | Frame::Yaml | Frame::Toml(_), _) => "",
        };
        self.buffer.extend(end.as_bytes());
        Ok(())
    }

    fn finish(mut self: Box<Self>, notes: &mut Notes) -> Result<()> {
        if self.names.is_some() && self.rows == 0 {
            notes.add("The result is empty, because the sheet has only one row, which names the fields of the other rows.");
        }
        self.lost.of_rows().add_notes(notes);
        flush(&mut self.buffer, 1, self.output)
    }
}

impl Objects<'_> {
    /// Replaces the object after `start` by its translation to YAML, TOML or XML.
    fn translate(&mut self, start: usize) {
        let object = self.buffer.split_off(start);
        let row = data::json::own(&String::from_utf8_lossy(&object));
        let mut text = String::new();
        match self.frame {
            Frame::Toml(name) => {
                if self.rows > 1 {
                    text.push('\n');
                }
                data::toml::row(name, &row, &mut self.lost, &mut text);
            }
            Frame::Xml => data::xml::row(&row, &mut self.lost, &mut text),
            _ => data::yaml::item(&row, &mut text),
        }
        self.buffer.extend(text.into_bytes());
    }
}

/// Appends a name with the punctuation around it.
fn name(names: &[Vec<u8>], column: u32, out: &mut Vec<u8>) {
    if column > 0 {
        out.push(b',');
    }
    match names.get(column as usize) {
        Some(name) => out.extend(name),
        None => out.extend(format!("\"{}\":", letters(column)).as_bytes()),
    }
}

/// Names from the first row. An empty cell gets the letters of its column, and a repeated name gets a number.
fn names(cells: &Cells) -> Vec<Vec<u8>> {
    let mut known = HashSet::new();
    // Next number of each repeated name. Without it, a search for a free number would take quadratic time if many
    // names are equal.
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut all = Vec::new();
    let mut add = |name: String| {
        let mut unique = name.clone();
        while !known.insert(unique.clone()) {
            let number = numbers.entry(name.clone()).or_insert(2);
            unique = format!("{name}_{number}");
            *number += 1;
        }
        let mut json = Vec::new();
        string(&unique, &mut json);
        json.push(b':');
        all.push(json);
    };
    let mut next = 0;
    for (column, value) in cells.iter() {
        (next..column).for_each(|column| add(letters(column)));
        let mut name = String::new();
        value.write(&mut name);
        add(name);
        next = column + 1;
    }
    (next..cells.width.unwrap_or(next)).for_each(|column| add(letters(column)));
    all
}

/// Appends a value with its JSON type. A field without a type becomes a number only if it would be written back
/// identically.
pub(super) fn value(value: Value<'_>, text: &mut String, out: &mut Vec<u8>) {
    text.clear();
    match value {
        Value::Written(written) => match infer(written) {
            Value::Number(_) if !written.ends_with('%') => out.extend(written.as_bytes()),
            Value::Boolean(is) => boolean(is, out),
            _ => string(written, out),
        },
        Value::Text(text) | Value::Shown(text) | Value::Error(text) => string(text, out),
        Value::Digits(digits) => out.extend(digits.as_bytes()),
        Value::Number(number) => {
            match number.look {
                // JSON has no percent sign: 15 % is 0.15.
                NumberStyle::Percent(_) => number.write_plain(text),
                NumberStyle::General | NumberStyle::Fixed(_) | NumberStyle::Scientific(_) => {
                    number.write(text)
                }
            }
            out.extend(text.as_bytes());
        }
        Value::Boolean(is) => boolean(is, out),
        Value::Moment(moment) => {
            moment.write(text);
            string(text, out);
        }
    }
}

/// Writes a boolean.
fn boolean(is: bool, out: &mut Vec<u8>) {
    out.extend(if is { "true" } else { "false" }.as_bytes());
}

/// Writes a string with quotation marks and escape sequences.
fn string(text: &str, out: &mut Vec<u8>) {
    // Writing to memory cannot fail, and any text can be encoded as JSON.
    serde_json::to_writer(&mut *out, text).unwrap_or_default();
}
