//! Reads the rows of a table. Does not depend on the sheet that contains the table.
//!
//! The cells of a table are stored in tiles, which usually have 256 rows. A row is a byte string with a list of the
//! offsets of its cells. The texts of all cells are in a separate list, by key.

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

/// Number of rows of a tile, if the table states none.
const TILE_ROWS: u64 = 256;

/// Memory of an entry of a list and of its entry in the hash map, in bytes.
const ENTRY: u64 = 128;

/// Text of a cell whose formula has no result.
pub const ERROR: &str = "#ERROR!";

/// A table, with the texts that its cells refer to by key.
pub struct Table<'o> {
    pub(super) job: &'o Job<'o>,
    pub(super) objects: &'o Objects<'o>,
    pub(super) store: Message<'o>,
    size: Size,
    /// Styles of the regions, in the order of [`Region`].
    styles: [RegionStyles; 4],
    strings: HashMap<u32, &'o str>,
    rich: HashMap<u32, u64>,
    /// Rows in ascending order, with their numbers.
    rows: Vec<(u32, Message<'o>)>,
    /// Memory of the lists and of the rows.
    lease: Lease<'o>,
}

/// Size of a table in rows and columns, with their default height and width.
struct Size {
    /// Number of all rows.
    rows: u64,
    /// Number of all columns.
    columns: u64,
    /// Number of header rows.
    header_rows: u64,
    /// Number of footer rows.
    footer_rows: u64,
    /// Number of header columns.
    header_columns: u64,
    /// Height of rows that state no height, in points.
    row_height: f64,
    /// Width of columns that state no width, in points.
    column_width: f64,
}

impl Size {
    fn read(model: Message<'_>) -> Self {
        let count = |field| model.number(field).unwrap_or(0);
        let length = |field| model.double(field).unwrap_or(0.0).max(0.0);
        Self {
            rows: count(6),
            columns: count(7),
            header_rows: count(9),
            footer_rows: count(11),
            header_columns: count(10),
            row_height: length(16).min(2000.0),
            column_width: length(17),
        }
    }

    /// Returns whether a row is a footer row.
    fn has_footer(&self, row: u64) -> bool {
        self.footer_rows > 0 && row.saturating_add(self.footer_rows) >= self.rows
    }
}

/// Part of a table whose cells have the same styles.
#[derive(Clone, Copy, Debug)]
pub enum Region {
    Body,
    HeaderRows,
    HeaderColumns,
    FooterRows,
}

impl Region {
    pub const ALL: [Self; 4] = [
        Self::Body,
        Self::HeaderRows,
        Self::HeaderColumns,
        Self::FooterRows,
    ];
}

/// Numbers of the styles of the cells in a region, and of their text.
#[derive(Clone, Copy)]
struct RegionStyles {
    cell: Option<u64>,
    text: Option<u64>,
}

impl RegionStyles {
    fn read(model: Message<'_>, region: Region) -> Self {
        let (cell, text) = match region {
            Region::Body => (18, 24),
            Region::HeaderRows => (19, 25),
            Region::HeaderColumns => (20, 26),
            Region::FooterRows => (21, 27),
        };
        Self {
            cell: model.reference(cell),
            text: model.reference(text),
        }
    }
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
    /// Number of the object with a formatted text.
    Rich(u64),
    /// A value that cannot be read.
    Damaged,
}

impl<'o> Value<'o> {
    /// Returns the value as text, without its number format. Empty for formatted texts and damaged values. `buffer`
    /// must be empty; numbers, dates and durations are written to it.
    pub fn text<'r>(self, buffer: &'r mut String) -> &'r str
    where
        'o: 'r,
    {
        use std::fmt::Write as _;
        match self {
            Self::Number(number) => drop(write!(buffer, "{number}")),
            Self::Moment(moment) => moment.write(buffer),
            Self::Boolean(true) => return "TRUE",
            Self::Boolean(false) => return "FALSE",
            Self::Error => return ERROR,
            Self::Text(text) => return text,
            Self::Rich(_) | Self::Damaged => {}
        }
        buffer
    }
}

impl<'o> Table<'o> {
    /// Opens the table with this number. Rows with the number `most` and above are left out. `None` if no table has the
    /// number.
    pub fn open(
        job: &'o Job<'o>,
        objects: &'o Objects<'o>,
        number: u64,
        most: u32,
    ) -> Result<Option<Self>> {
        let Some(model) = objects.of(number, &[kind::TABLE]) else {
            return Ok(None);
        };
        let mut table = Self {
            job,
            objects,
            size: Size::read(model),
            styles: Region::ALL.map(|region| RegionStyles::read(model, region)),
            store: model.message(4).unwrap_or(Message(&[])),
            strings: HashMap::new(),
            rich: HashMap::new(),
            rows: Vec::new(),
            lease: job.empty_lease(),
        };
        table.read_strings()?;
        table.read_rich()?;
        table.read_rows(most)?;
        Ok(Some(table))
    }

    /// Returns the number of the table that a drawable shows.
    pub fn shown_by(objects: &Objects<'_>, drawable: Message<'_>) -> Option<u64> {
        let number = drawable.reference(2)?;
        objects.of(number, &[kind::TABLE]).map(|_| number)
    }

    /// Returns the number of columns.
    pub fn width(&self) -> u64 {
        self.size.columns
    }

    /// Returns the number of rows.
    pub fn height(&self) -> u64 {
        self.size.rows
    }

    /// Returns the number of rows at the beginning that are headers.
    pub fn header_rows(&self) -> u64 {
        self.size.header_rows
    }

    /// Returns the number of columns at the beginning that are headers.
    pub fn header_columns(&self) -> u64 {
        self.size.header_columns
    }

    /// Returns the height of rows that state no height of their own, in points.
    pub fn row_height(&self) -> f64 {
        self.size.row_height
    }

    /// Returns the region of a cell.
    pub fn region(&self, row: u32, column: u32) -> Region {
        let size = &self.size;
        match (u64::from(row), u64::from(column)) {
            (row, _) if row < size.header_rows => Region::HeaderRows,
            (row, _) if size.has_footer(row) => Region::FooterRows,
            (_, column) if column < size.header_columns => Region::HeaderColumns,
            _ => Region::Body,
        }
    }

    /// Returns the number of the style of the text in the cells of a region.
    pub fn text_style(&self, region: Region) -> Option<u64> {
        self.styles[region as usize].text
    }

    /// Returns the number of the style of the cells of a region.
    pub fn cell_style(&self, region: Region) -> Option<u64> {
        self.styles[region as usize].cell
    }

    /// Returns the widths of the first `columns` columns, in points.
    pub fn widths(&self, columns: usize) -> Vec<f64> {
        let mut widths = vec![self.size.column_width; columns];
        let bucket = self.objects.of(self.store.reference(2), &[kind::HEADERS]);
        for header in bucket.iter().flat_map(|bucket| bucket.all(2)) {
            let place = header.number(1).and_then(|at| usize::try_from(at).ok());
            let size = header.single(2).filter(|size| *size > 0.0);
            if let (Some(place), Some(size)) = (place.and_then(|at| widths.get_mut(at)), size) {
                *place = size;
            }
        }
        widths
    }

    /// Returns the stored rows with their numbers, in ascending order. Rows without cells may be missing.
    pub fn rows(&self) -> impl Iterator<Item = (u32, Message<'o>)> {
        self.rows.iter().copied()
    }

    /// Returns the cells of a row that [`rows`](Self::rows) returned, with their columns. Empty cells are left out.
    /// Columns with the number `width` and above are left out.
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
        self.lease.grow(ENTRY)?;
        list.push(entry);
        Ok(())
    }

    /// Reads the entries of the list that a field of the store refers to. A long list has further entries in its
    /// segments.
    fn entries(&self, field: u32) -> Result<Vec<(u32, Message<'o>)>> {
        let mut entries = Vec::new();
        let Some(list) = self.objects.of(self.store.reference(field), kind::LISTS) else {
            return Ok(entries);
        };
        let segments = list.references(4);
        let segments = segments.filter_map(|segment| self.objects.of(segment, &[kind::SEGMENT]));
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

    /// Reads the numbers of the formatted texts of cells, by their keys.
    fn read_rich(&mut self) -> Result<()> {
        for (key, entry) in self.entries(17)? {
            self.job.check()?;
            let payload = self.objects.of(entry.reference(9), &[kind::RICH_TEXT]);
            let storage = payload.and_then(|payload| payload.reference(1));
            self.rich.extend(storage.map(|storage| (key, storage)));
        }
        Ok(())
    }

    /// Reads the rows with a number below `most`. All tiles have the same number of rows.
    fn read_rows(&mut self, most: u32) -> Result<()> {
        let mut rows = Vec::new();
        let Some(tiles) = self.store.message(3) else {
            return Ok(());
        };
        let height = tiles.number(2).filter(|rows| *rows > 0);
        let height = height.unwrap_or(TILE_ROWS);
        for place in tiles.all(1) {
            self.job.check()?;
            let Some(tile) = self.objects.of(place.reference(2), &[kind::TILE]) else {
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

/// Returns the column of each cell of a row, with the bytes of the row from the beginning of the cell on. An offset of
/// 0xffff stands for a missing cell.
fn stored(info: Message<'_>, width: u32) -> impl Iterator<Item = (u32, &[u8])> {
    // Since 2017 a row is stored twice, in the layout of older versions and in that of cell version 5. The newer
    // layout takes precedence.
    let (bytes, offsets) = match (info.bytes(6), info.bytes(7)) {
        (Some(bytes), Some(offsets)) => (bytes, offsets),
        _ => (
            info.bytes(3).unwrap_or_default(),
            info.bytes(4).unwrap_or_default(),
        ),
    };
    // If field 8 is set, offsets are in units of four bytes.
    let unit = match info.number(8) {
        Some(1) => 4,
        _ => 1,
    };
    let offsets = offsets.chunks_exact(2).take(width as usize);
    let offsets = offsets.map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    offsets.enumerate().filter_map(move |(column, offset)| {
        let begin = usize::from(offset) * unit;
        let has_cell = offset != u16::MAX;
        let bytes = bytes.get(begin..).filter(|_| has_cell)?;
        Some((column as u32, bytes))
    })
}
