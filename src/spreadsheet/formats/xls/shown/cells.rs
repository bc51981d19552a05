//! Rows and cells of a sheet, with the formats that they refer to (MS-XLS 2.1.7.20.5). Embedded charts are passed over.

use super::{
    super::{
        records::Records,
        sheet::{self, Context},
    },
    links, print,
};
use crate::{
    error::Result,
    spreadsheet::{
        biff::{self, Record},
        shown::book::{CONDITIONS, Cell, DRAWINGS, Grid, Line, MAX_LIST, Value},
    },
};
use std::collections::BTreeMap;

const END: u16 = 0x0a;
const OBJECT: u16 = 0x5d;
const CONDITION: u16 = 0x1b0;
const RULE: u16 = 0x1be;
const LATE_CONDITION: u16 = 0x879;
const MANY_EMPTY: u16 = 0xbe;
const LINK: u16 = 0x1b8;
const EMPTY: u16 = 0x201;
const ROW: u16 = 0x208;

/// A sheet that is being read.
pub(super) struct Sheet<'s> {
    pub(super) context: &'s Context,
    pub(super) digit: f32,
    pub(super) grid: &'s mut Grid,
    /// How many cells may still be read.
    pub(super) left: &'s mut usize,
}

impl Sheet<'_> {
    /// Reads the sheet that begins here. False if there are too many cells.
    pub(super) fn read(&mut self, records: &mut Records<'_>) -> Result<bool> {
        let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
        let (mut depth, mut fits) = (0_u32, false);
        let mut text = String::new();
        // The first record is the beginning of the sheet.
        records.next()?;
        while let Some(record) = records.next()? {
            if depth == 0 {
                self.grid.unread.extend(unread(record));
            }
            match record.kind {
                sheet::BEGIN => depth += 1,
                END if depth == 0 => break,
                END => depth -= 1,
                _ if depth > 0 => {}
                ROW => {
                    let number = u32::from(record.u16(0));
                    let line = lines.entry(number).or_default();
                    row(record, line);
                }
                LINK => {
                    if let Some(link) = links::read(record)
                        && self.grid.links.len() < MAX_LIST
                    {
                        self.grid.links.push(link);
                    }
                }
                EMPTY | MANY_EMPTY => {
                    let (number, column) = (record.u16(0), u32::from(record.u16(2)));
                    let styles: Vec<u16> = match record.kind {
                        EMPTY => vec![record.u16(4)],
                        _ => {
                            let end = record.data.len().max(6) - 2;
                            let styles = record.data.get(4..end).unwrap_or_default();
                            let pairs = styles.chunks_exact(2);
                            pairs
                                .map(|two| u16::from_le_bytes([two[0], two[1]]))
                                .collect()
                        }
                    };
                    for (column, style) in (column..).zip(styles) {
                        let line = lines.entry(number.into()).or_default();
                        if !self.put(line, column, style, Value::Empty) {
                            return Ok(false);
                        }
                    }
                }
                kind if sheet::CELLS.contains(&kind) => {
                    let number = u32::from(record.u16(0));
                    let cells = values(record, self.context);
                    let waits =
                        kind == sheet::FORMULA && record.u16(12) == 0xffff && record.u8(6) == 0;
                    let (column, style) = (u32::from(record.u16(2)), record.u16(4));
                    if waits {
                        text.clear();
                        sheet::read_text(records, self.context, &mut text)?;
                        let value = plain(&text);
                        let line = lines.entry(number).or_default();
                        if !self.put(line, column, style, value) {
                            return Ok(false);
                        }
                        continue;
                    }
                    for (column, style, value) in cells {
                        let line = lines.entry(number).or_default();
                        if !self.put(line, column, style, value) {
                            return Ok(false);
                        }
                    }
                }
                _ => print::take(record, self.grid, self.digit, self.context.texts, &mut fits),
            }
        }
        if self.grid.frozen.0 == u32::MAX {
            self.grid.frozen = (0, 0);
        }
        self.grid.rows = lines
            .into_iter()
            .map(|(number, mut line)| {
                line.number = number;
                if !line.cells.is_sorted_by(|a, b| a.column < b.column) {
                    line.cells.sort_by_key(|cell| cell.column);
                    line.cells.dedup_by_key(|cell| cell.column);
                }
                line
            })
            .collect();
        Ok(true)
    }

    fn put(&mut self, line: &mut Line, column: u32, style: u16, value: Value) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        *self.left = left;
        line.cells.push(Cell {
            column,
            style: style.into(),
            value,
            shown: None,
            formula: None,
        });
        true
    }
}

/// What a record says that is not read.
fn unread(record: Record<'_>) -> Option<&'static str> {
    match record.kind {
        sheet::FORMULA => Some("formulas, whose values are kept"),
        CONDITION | LATE_CONDITION => Some(CONDITIONS),
        RULE => Some("rules for what may be entered"),
        // Its type (2.5.143) tells a comment, and the arrow of a filter or a rule, from what is drawn.
        OBJECT => match record.u16(4) {
            0x19 => Some("comments"),
            0x14 => None,
            _ => Some(DRAWINGS),
        },
        _ => None,
    }
}

fn row(record: Record<'_>, line: &mut Line) {
    let height = record.u16(6);
    let flags = record.u16(12);
    line.height = (height & 0x8000 == 0).then(|| f32::from(height & 0x7fff) / 20.0);
    line.hidden = flags & 0x20 != 0;
    line.style = (flags & 0x80 != 0).then(|| u32::from(record.u16(14) & 0xfff));
}

/// A text, or nothing.
fn plain(text: &str) -> Value {
    match text.is_empty() {
        true => Value::Empty,
        false => Value::Text(text.into()),
    }
}

/// The cells of a record with their columns and formats. A formula whose result is a text in another record is empty here.
fn values(record: Record<'_>, context: &Context) -> Vec<(u32, u16, Value)> {
    let (column, style) = (u32::from(record.u16(2)), record.u16(4));
    let value = match record.kind {
        sheet::NUMBER => Value::Number(record.f64(6)),
        sheet::COMPRESSED => Value::Number(biff::compressed(record.u32(6))),
        sheet::SHARED => {
            let text = context.strings.get(record.u32(6) as usize);
            plain(text.unwrap_or_default())
        }
        sheet::BOOLEAN_OR_ERROR if record.u8(7) == 0 => Value::Boolean(record.u8(6) != 0),
        sheet::BOOLEAN_OR_ERROR => Value::Error(biff::error(record.u8(6)).into()),
        sheet::LABEL | sheet::RICH => {
            let mut text = String::new();
            let data = record.data.get(6..).unwrap_or_default();
            context.texts.read(data, false, &mut text);
            plain(&text)
        }
        sheet::FORMULA => match (record.u16(12), record.u8(6)) {
            (0xffff, 1) => Value::Boolean(record.u8(8) != 0),
            (0xffff, 2) => Value::Error(biff::error(record.u8(8)).into()),
            (0xffff, _) => Value::Empty,
            _ => Value::Number(record.f64(6)),
        },
        sheet::MANY_COMPRESSED => {
            let end = record.data.len().max(6) - 2;
            let numbers = record.data.get(4..end).unwrap_or_default();
            let all = (column..).zip(numbers.chunks_exact(6));
            return all
                .map(|(column, six)| {
                    let one = Record {
                        kind: record.kind,
                        data: six,
                    };
                    let value = Value::Number(biff::compressed(one.u32(2)));
                    (column, one.u16(0), value)
                })
                .collect();
        }
        _ => Value::Empty,
    };
    vec![(column, style, value)]
}
