//! Reads the rows of a table. Knows no sheet.
//!
//! The cells of a table are stored in tiles of 256 rows. A row is a byte string with a list of the offsets of its cells.
//! The texts of all cells are in a separate list, by key.

use super::{
    cell::{self, Cell},
    kind,
};
use crate::{
    containers::iwa::{Message, Objects},
    error::Result,
    job::{Job, Lease},
    time::Moment,
};
use std::collections::HashMap;

/// Number of rows of a tile, if its table does not state it.
const TILE_ROWS: u64 = 256;

/// Memory of an entry of a list and of its entry in the hash map, in bytes.
const ENTRY: u64 = 128;

/// Shown in a cell whose formula has no result.
pub const ERROR: &str = "#ERROR!";

/// Limit on the number of merged ranges.
const MAX_MERGED: usize = 100_000;

/// A table.
pub struct Table<'o> {
    job: &'o Job<'o>,
    objects: &'o Objects<'o>,
    model: Message<'o>,
    store: Message<'o>,
    strings: HashMap<u32, &'o str>,
    rich: HashMap<u32, u64>,
    /// Rows in their order, with their numbers.
    rows: Vec<(u32, Message<'o>)>,
    /// Memory of the lists and of the rows.
    _lease: Lease<'o>,
}

/// The value of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'o> {
    Number(f64),
    Boolean(bool),
    Moment(Moment),
    /// A formula without a result.
    Error,
    Text(&'o str),
    /// The number of an object that is a text with looks in it.
    Rich(u64),
    /// A value that cannot be read.
    Damaged,
}

impl Value<'_> {
    /// Appends the value as text, without its format. Texts with looks are left out.
    pub fn write(self, out: &mut String) {
        use std::fmt::Write as _;
        match self {
            Self::Number(number) => drop(write!(out, "{number}")),
            Self::Boolean(true) => out.push_str("TRUE"),
            Self::Boolean(false) => out.push_str("FALSE"),
            Self::Moment(moment) => moment.write(out),
            Self::Error => out.push_str(ERROR),
            Self::Text(text) => out.push_str(text),
            Self::Rich(_) | Self::Damaged => {}
        }
    }
}

impl<'o> Table<'o> {
    /// Opens the table of the object with this number. `None` if it is no table.
    ///
    /// Rows from `most` on are left out.
    pub fn open(
        job: &'o Job<'o>,
        objects: &'o Objects<'o>,
        number: u64,
        most: u32,
    ) -> Result<Option<Self>> {
        let Some((kind::TABLE, model)) = objects.get(number) else {
            return Ok(None);
        };
        let mut table = Self {
            job,
            objects,
            model,
            store: model.message(4).unwrap_or(Message(&[])),
            strings: HashMap::new(),
            rich: HashMap::new(),
            rows: Vec::new(),
            _lease: job.empty_lease(),
        };
        table.read_strings()?;
        table.read_rich()?;
        table.read_rows(most)?;
        Ok(Some(table))
    }

    /// The number of the table that a drawable shows.
    pub fn shown_by(objects: &Objects<'_>, drawable: Message<'_>) -> Option<u64> {
        let (number, _) = objects.named(drawable.message(2)?, &[kind::TABLE])?;
        Some(number)
    }

    /// Name of the table.
    pub fn name(&self) -> &'o str {
        self.model.text(8).unwrap_or_default()
    }

    /// Number of columns.
    pub fn width(&self) -> u64 {
        self.model.number(7).unwrap_or(0)
    }

    /// Number of rows.
    pub fn height(&self) -> u64 {
        self.model.number(6).unwrap_or(0)
    }

    /// Number of rows at the beginning that are headers.
    pub fn head(&self) -> u64 {
        self.model.number(9).unwrap_or(0)
    }

    /// Number of columns at the beginning that are headers.
    pub fn head_columns(&self) -> u64 {
        self.model.number(10).unwrap_or(0)
    }

    /// Height of rows that state no other, in points.
    pub fn row_height(&self) -> f64 {
        self.model.double(16).unwrap_or(0.0).clamp(0.0, 2000.0)
    }

    /// Number of the style of the text in a cell.
    pub fn text_style(&self, row: u32, column: u32) -> Option<u64> {
        self.style(row, column, [24, 25, 26, 27])
    }

    /// Number of the style of a cell.
    pub fn cell_style(&self, row: u32, column: u32) -> Option<u64> {
        self.style(row, column, [18, 19, 20, 21])
    }

    /// The style of a cell, in the field for the body, header rows, header columns or footer rows.
    fn style(&self, row: u32, column: u32, fields: [u32; 4]) -> Option<u64> {
        let [body, head, side, foot] = fields;
        let footers = self.model.number(11).unwrap_or(0);
        let field = match (u64::from(row), u64::from(column)) {
            (row, _) if row < self.head() => head,
            (row, _) if footers > 0 && row + footers >= self.height() => foot,
            (_, column) if column < self.head_columns() => side,
            _ => body,
        };
        self.model.message(field)?.number(1)
    }

    /// Widths of this many columns, in points.
    pub fn widths(&self, columns: usize) -> Vec<f64> {
        let usual = self.model.double(17).unwrap_or(0.0).max(0.0);
        let mut widths = vec![usual; columns];
        let bucket = self.objects.referred(self.store, 2, &[kind::HEADERS]);
        for header in bucket.iter().flat_map(|bucket| bucket.all(2)) {
            let place = header.number(1).and_then(|at| usize::try_from(at).ok());
            let size = header.single(2).filter(|size| *size > 0.0);
            if let (Some(place), Some(size)) = (place.and_then(|at| widths.get_mut(at)), size) {
                *place = size;
            }
        }
        widths
    }

    /// Merged cells: row and column of the first one, and numbers of rows and columns.
    pub fn merged(&self) -> Vec<[u32; 4]> {
        let Some(map) = self.objects.referred(self.store, 13, &[kind::MERGED]) else {
            return Vec::new();
        };
        let ranges = map.all(1).take(MAX_MERGED).filter_map(|range| {
            let packed = |field| range.message(field)?.number(1);
            let (origin, size) = (packed(1)?, packed(2)?);
            let parts = |packed: u64| ((packed & 0xffff) as u32, (packed >> 16 & 0xffff) as u32);
            let ((row, column), (rows, columns)) = (parts(origin), parts(size));
            Some([row, column, rows, columns])
        });
        ranges.collect()
    }

    /// Numbers of the rows that have cells, in their order.
    pub fn rows(&self) -> impl Iterator<Item = (u32, Message<'o>)> {
        self.rows.iter().copied()
    }

    /// Cells of a row that [`rows`](Self::rows) returned, with their columns. Columns from `width` on are left out.
    pub fn cells(&self, row: Message<'o>, width: u32) -> impl Iterator<Item = (u32, Value<'o>)> {
        let read = |(column, bytes)| {
            let value = match cell::read(bytes) {
                None => Value::Damaged,
                Some(Cell::Empty) => return None,
                Some(Cell::Number(number)) => Value::Number(number),
                Some(Cell::Boolean(is)) => Value::Boolean(is),
                Some(Cell::Moment(moment)) => Value::Moment(moment),
                Some(Cell::Error) => Value::Error,
                Some(Cell::Text(key)) => Value::Text(self.strings.get(&key).copied()?),
                Some(Cell::Rich(key)) => Value::Rich(*self.rich.get(&key)?),
            };
            Some((column, value))
        };
        stored(row, width).filter_map(read)
    }

    fn add<T>(&self, list: &mut Vec<T>, entry: T) -> Result<()> {
        self.job.check()?;
        self._lease.grow(ENTRY)?;
        list.push(entry);
        Ok(())
    }

    /// Reads the entries of the list that a field of the store refers to. A long list has further entries in its
    /// segments.
    fn entries(&self, field: u32) -> Result<Vec<(u32, Message<'o>)>> {
        let mut entries = Vec::new();
        let Some(list) = self.objects.referred(self.store, field, kind::LISTS) else {
            return Ok(entries);
        };
        let segments = list.all(4).filter_map(|segment| {
            let (_, segment) = self.objects.named(segment, &[kind::SEGMENT])?;
            Some(segment)
        });
        for part in std::iter::once(list).chain(segments) {
            self.job.check()?;
            for entry in part.all(3) {
                if let Some(key) = entry.number(1).and_then(|key| u32::try_from(key).ok()) {
                    self.add(&mut entries, (key, entry))?;
                }
            }
        }
        Ok(entries)
    }

    fn read_strings(&mut self) -> Result<()> {
        let entries = self.entries(4)?;
        let text = |(key, entry): (u32, Message<'o>)| Some((key, entry.text(3)?));
        self.strings = entries.into_iter().filter_map(text).collect();
        Ok(())
    }

    fn read_rich(&mut self) -> Result<()> {
        for (key, entry) in self.entries(17)? {
            self.job.check()?;
            let payload = self.objects.referred(entry, 9, &[kind::RICH_TEXT]);
            let storage = payload.and_then(|payload| payload.message(1)?.number(1));
            self.rich.extend(storage.map(|storage| (key, storage)));
        }
        Ok(())
    }

    fn read_rows(&mut self, most: u32) -> Result<()> {
        let mut rows = Vec::new();
        let Some(tiles) = self.store.message(3) else {
            return Ok(());
        };
        let height = tiles.number(2).filter(|rows| *rows > 0);
        let height = height.unwrap_or(TILE_ROWS);
        for place in tiles.all(1) {
            self.job.check()?;
            let Some(tile) = self.objects.referred(place, 2, &[kind::TILE]) else {
                continue;
            };
            let first = place.number(1).unwrap_or(0).saturating_mul(height);
            for info in tile.all(5) {
                let row = first.saturating_add(info.number(1).unwrap_or(0));
                if row < most.into() {
                    self.add(&mut rows, (row as u32, info))?;
                }
            }
        }
        rows.sort_by_key(|(row, _)| *row);
        rows.dedup_by_key(|(row, _)| *row);
        self.rows = rows;
        Ok(())
    }
}

/// Bytes of the cells of a row, with their columns. An offset of 0xffff stands for a missing cell.
fn stored(info: Message<'_>, width: u32) -> impl Iterator<Item = (u32, &[u8])> {
    // Since 2017 a row is stored twice, in the layout of older versions and in that of cell version 5. The newer one
    // wins.
    let (bytes, offsets) = match (info.bytes(6), info.bytes(7)) {
        (Some(bytes), Some(offsets)) => (bytes, offsets),
        _ => (
            info.bytes(3).unwrap_or_default(),
            info.bytes(4).unwrap_or_default(),
        ),
    };
    let unit = match info.number(8) {
        Some(1) => 4,
        _ => 1,
    };
    let offsets = offsets.chunks_exact(2).take(width as usize);
    let offsets = offsets.map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    offsets.enumerate().filter_map(move |(column, offset)| {
        let begin = usize::from(offset) * unit;
        let is_there = offset != u16::MAX;
        let bytes = bytes.get(begin..).filter(|_| is_there)?;
        Some((column as u32, bytes))
    })
}
