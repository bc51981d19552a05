//! Reads an array of objects, arrays or single values with `serde_json`, item by item. The columns are the union of the
//! names in all objects, in order of first occurrence, so a file is read twice.
//!
//! Numbers are kept as they are written, because no numeric type of Rust holds every JSON number. A nested value
//! becomes its JSON text. `RawValue` provides both, and skips nested values without recursion.

use crate::{
    cells::{Cells, MAX_COLUMNS, MAX_TEXT, Value},
    coding::utf8::{Utf8, encoding_of},
    data,
    error::{Error, Kind, Result},
    job::{Input, Job, Notes},
    json::{Fields, Values, each, parse},
    sheet::{Rows, Sheet, View, Workbook},
};
use encoding_rs::Encoding;
use std::{
    borrow::Cow,
    collections::HashMap,
    io::{self, Read},
};

/// An open JSON file.
struct Array<'a> {
    job: &'a Job<'a>,
    input: Box<dyn Input + 'a>,
    encoding: &'static Encoding,
    /// The only sheet of the file.
    sheets: [Sheet; 1],
    /// Columns that were found so far.
    names: Names,
    /// Number of nested values that became text.
    nested: u64,
    /// Whether the items follow one another without an array around them.
    is_bare: bool,
    /// Notes and memory of the input, if it was converted from another format or taken out of an object.
    made: Option<data::Table<'a>>,
}

/// Names of the columns with their numbers.
#[derive(Default)]
struct Names {
    /// Column number of each name. Columns are in the order of first occurrence.
    numbers: HashMap<Box<str>, u32>,
    /// Total length of the names, in bytes.
    len: usize,
}

/// Type of the array's items. All items must have the same type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// An object with a field for each column.
    Object,
    /// An array with an item for each column.
    Array,
    /// A single value.
    Value,
}

/// Opens a JSON file: an array, or an object that contains a table.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    _: View,
) -> Result<Box<dyn Workbook + 'a>> {
    if is_object(input).map_err(|err| job.unreadable(err))? {
        return open_made(job, data::table(job, input)?);
    }
    open_as(job, Box::new(input), false, None)
}

/// Returns whether a JSON file is an object, by its first character. A byte order mark and the zero bytes of UTF-16 do
/// not count.
pub(super) fn is_object(input: &mut dyn Input) -> io::Result<bool> {
    input.rewind()?;
    for byte in input.bytes() {
        match byte? {
            b' ' | b'\t' | b'\n' | b'\r' | 0 | 0xef | 0xbb | 0xbf | 0xfe | 0xff => {}
            byte => return Ok(byte == b'{'),
        }
    }
    Ok(false)
}

/// Opens JSON Lines.
pub(super) fn open_lines<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    _: View,
) -> Result<Box<dyn Workbook + 'a>> {
    open_as(job, Box::new(input), true, None)
}

/// Opens a list of rows that was taken out of a file of data.
pub(crate) fn open_made<'a>(
    job: &'a Job<'a>,
    mut made: data::Table<'a>,
) -> Result<Box<dyn Workbook + 'a>> {
    let json = std::mem::take(&mut made.json);
    open_as(job, Box::new(json), false, Some(made))
}

/// Opens an array, or JSON Lines if `is_bare`. A first pass collects the names in all objects, which become the
/// columns.
fn open_as<'a>(
    job: &'a Job<'a>,
    mut input: Box<dyn Input + 'a>,
    is_bare: bool,
    made: Option<data::Table<'a>>,
) -> Result<Box<dyn Workbook + 'a>> {
    let encoding = encoding_of(&mut *input).map_err(|err| job.unreadable(err))?;
    let mut array = Array {
        job,
        input,
        encoding,
        sheets: [Sheet::default()],
        names: Names::default(),
        nested: 0,
        is_bare,
        made,
    };
    let mut names = Names::default();
    array.items(&mut |number, shape, item| match shape {
        Shape::Object => {
            let add = &mut |name: &str, _: &str| names.add(name);
            parse(item, Fields(add)).map_err(|err| job.unreadable(item_error(number, &err)))?
        }
        Shape::Array | Shape::Value => Ok(()),
    })?;
    array.names = names;
    Ok(Box::new(array))
}

impl Array<'_> {
    /// Calls `take` with each item: its number from 1, its type, and its JSON text.
    fn items(&mut self, take: &mut dyn FnMut(u32, Shape, &str) -> Result<()>) -> Result<()> {
        let job = self.job;
        self.input.rewind().map_err(|err| job.unreadable(err))?;
        let (mut number, mut first_shape, mut failed) = (0_u32, None, None);
        let text = Utf8::new(&mut *self.input, self.encoding);
        let read = each(text, self.is_bare, &mut |text| {
            number = number.saturating_add(1);
            let shape = match text.as_bytes().first() {
                Some(b'{') => Shape::Object,
                Some(b'[') => Shape::Array,
                _ => Shape::Value,
            };
            let result = match *first_shape.get_or_insert(shape) == shape {
                true => job.check().and_then(|()| take(number, shape, text)),
                false => Err(job.unreadable(format!(
                    "item {number} of its array has another type than the items before it; all items must be objects, or all must be arrays"
                ))),
            };
            result.map_err(|err| failed = Some(err)).is_ok()
        });
        match (failed, read) {
            (Some(err), _) => Err(err),
            (None, Err(err)) => Err(job.unreadable(err)),
            (None, Ok(())) => Ok(()),
        }
    }
}

impl Workbook for Array<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, _: usize, rows: &mut Rows<'_>) -> Result<()> {
        let job = self.job;
        let names = std::mem::take(&mut self.names);
        let mut cells = Cells::default();
        // Objects have names, which become the first row.
        let mut first = 0;
        if !names.numbers.is_empty() {
            let mut sorted: Vec<_> = names.numbers.iter().collect();
            sorted.sort_unstable_by_key(|(_, number)| **number);
            cells.width = u32::try_from(sorted.len()).ok();
            for (name, number) in sorted {
                cells.push(*number, Value::Text(name))?;
            }
            rows(&cells)?;
            first = 1;
        }
        let mut nested = 0;
        let is_untyped = self.made.as_ref().is_some_and(|made| made.is_untyped);
        self.items(&mut |number, shape, item| {
            cells.begin(first + number - 1);
            let mut add = |column: u32, text: &str| {
                let value = value(text, &mut nested)
                    .map_err(|err| job.unreadable(item_error(number, &err)))?;
                cells.push(column, value.as_value(is_untyped))
            };
            let failed = |err: serde_json::Error| job.unreadable(item_error(number, &err));
            match shape {
                Shape::Object => {
                    let add = &mut |name: &str, text: &str| match names.numbers.get(name) {
                        Some(column) => add(*column, text),
                        None => Ok(()),
                    };
                    parse(item, Fields(add)).map_err(failed)??;
                    cells.width = u32::try_from(names.numbers.len()).ok();
                }
                Shape::Array => {
                    let mut column = 0;
                    let add = &mut |text: &str| {
                        column += 1;
                        add(column - 1, text)
                    };
                    parse(item, Values(add)).map_err(failed)??;
                    cells.width = Some(column);
                }
                Shape::Value => {
                    add(0, item)?;
                    cells.width = Some(1);
                }
            }
            cells.sort();
            rows(&cells)
        })?;
        self.nested = nested;
        self.names = names;
        Ok(())
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        if let Some(made) = &self.made {
            notes.0.extend(made.notes.0.iter().cloned());
        }
        match self.nested {
            0 => {}
            1 => notes.add("A nested object or array was converted to text."),
            many => notes.add(format!(
                "{many} nested objects and arrays were converted to text."
            )),
        }
    }
}

impl Names {
    /// Adds a name, unless it is known. Names are numbered by column.
    fn add(&mut self, name: &str) -> Result<()> {
        if self.numbers.contains_key(name) {
            return Ok(());
        }
        self.len += name.len();
        let number = self.numbers.len() as u32;
        if self.len > MAX_TEXT / 2 || number >= MAX_COLUMNS / 4 {
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "the objects have too many names for columns: more than {}, or more than 4 MiB",
                    MAX_COLUMNS / 4
                ),
            ));
        }
        self.numbers.insert(name.into(), number);
        Ok(())
    }
}

/// Value of a field by its type.
enum FieldValue<'t> {
    /// The null value.
    Nothing,
    Boolean(bool),
    /// A number as the file spells it.
    Digits(&'t str),
    /// A string, or a nested value as JSON.
    Text(Cow<'t, str>),
}

impl FieldValue<'_> {
    /// Returns the value of the cell. A text in a file without types may be a number.
    fn as_value(&self, is_untyped: bool) -> Value<'_> {
        match self {
            Self::Text(text) if is_untyped => Value::Written(text),
            Self::Nothing => Value::Text(""),
            Self::Boolean(is) => Value::Boolean(*is),
            Self::Digits(text) => Value::Digits(text),
            Self::Text(text) => Value::Text(text),
        }
    }
}

/// Value of a field, whose type is determined by its first byte. A text without escapes is borrowed.
fn value<'t>(text: &'t str, nested: &mut u64) -> serde_json::Result<FieldValue<'t>> {
    Ok(match text.as_bytes().first() {
        Some(b'n') | None => FieldValue::Nothing,
        Some(b't') => FieldValue::Boolean(true),
        Some(b'f') => FieldValue::Boolean(false),
        Some(b'"') => {
            let inner = text.get(1..text.len() - 1).unwrap_or_default();
            match memchr::memchr(b'\\', inner.as_bytes()) {
                None => FieldValue::Text(Cow::Borrowed(inner)),
                Some(_) => FieldValue::Text(Cow::Owned(serde_json::from_str(text)?)),
            }
        }
        Some(b'{' | b'[') => {
            *nested += 1;
            FieldValue::Text(Cow::Borrowed(text))
        }
        Some(_) => FieldValue::Digits(text),
    })
}

/// Error message with the number of the item.
fn item_error(number: u32, err: &serde_json::Error) -> String {
    format!("item {number} of its array: {err}")
}
