//! Finds the tables of a document, and reads their rows. Field numbers and object types are those that `numbers-parser`
//! (MIT) lists.
//!
//! A sheet refers to the objects on it, some of which are tables. The cells of a table are stored in tiles of 256 rows.
//! A row is a byte string with a list of the offsets of its cells. The texts of all cells are in a separate list, by
//! key.

use super::cell::{self, Cell};
use crate::{
    cells::{Cells, MAX_COLUMNS, MAX_ROWS, Value},
    containers::iwa::{Message, Objects},
    error::Result,
    job::{Input, Job, Lease, Notes},
    sheet::{MAX_SHEETS, Rows, Sheet, View, Workbook},
};
use std::collections::HashMap;

/// Types of objects.
mod kind {
    pub(super) const SHEET: u64 = 2;
    pub(super) const TABLE_INFO: u64 = 6000;
    pub(super) const TABLE_MODEL: u64 = 6001;
    pub(super) const TILE: u64 = 6002;
    pub(super) const LISTS: &[u64] = &[6005, 6201];
    pub(super) const SEGMENT: u64 = 6011;
    pub(super) const RICH_TEXT: u64 = 6218;
    pub(super) const STORAGES: &[u64] = &[2001, 2005];
}

/// Number of the object that describes the document.
const DOCUMENT: u64 = 1;

/// Number of rows of a tile, if its table does not state it.
const TILE_ROWS: u64 = 256;

/// Maximum length of a title, in characters.
const MAX_TITLE: usize = 255;

/// Memory of an entry of a list and of its entry in the hash map, in bytes.
const ENTRY: u64 = 128;

struct Document<'a> {
    job: &'a Job<'a>,
    objects: Objects<'a>,
    sheets: Vec<Sheet>,
    /// Object number of each sheet's table.
    tables: Vec<u64>,
    /// Number of cells whose values could not be read.
    unread: u64,
}

/// Opens the document. Each table becomes a sheet.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    _: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let objects = Objects::read(job, input)?;
    let mut sheets = Vec::new();
    let mut tables = Vec::new();
    let Some((_, document)) = objects.get(DOCUMENT) else {
        return Err(job.unreadable("the object that describes the document is missing"));
    };
    for reference in document.all(1).take(MAX_SHEETS) {
        let Some((_, sheet)) = objects.named(reference, &[kind::SHEET]) else {
            continue;
        };
        let name = sheet.text(1).unwrap_or_default();
        let hidden = sheet.number(25) == Some(1);
        let own = tables_on(job, &objects, sheet)?;
        for (id, model) in &own {
            let table = model.text(8).unwrap_or_default();
            let title = match own.len() {
                1 => name.to_owned(),
                _ => format!("{name} - {table}"),
            };
            if sheets.len() < MAX_SHEETS {
                sheets.push(Sheet {
                    title: Some(title.chars().take(MAX_TITLE).collect()),
                    hidden,
                    chart: false,
                });
                tables.push(*id);
            }
        }
    }
    if sheets.is_empty() {
        return Err(job.unreadable("the document has no tables"));
    }
    Ok(Box::new(Document {
        job,
        objects,
        sheets,
        tables,
        unread: 0,
    }))
}

/// Finds the tables on a sheet. Returns them with their object numbers.
fn tables_on<'o>(
    job: &Job<'_>,
    objects: &'o Objects<'_>,
    sheet: Message<'o>,
) -> Result<Vec<(u64, Message<'o>)>> {
    let mut tables = Vec::new();
    for drawn in sheet.all(2) {
        job.check()?;
        let table = || {
            let (_, info) = objects.named(drawn, &[kind::TABLE_INFO])?;
            objects.named(info.message(2)?, &[kind::TABLE_MODEL])
        };
        tables.extend(table());
        if tables.len() == MAX_SHEETS {
            break;
        }
    }
    Ok(tables)
}

impl Workbook for Document<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let table = self.tables.get(sheet).and_then(|id| self.objects.get(*id));
        let Some((_, model)) = table else {
            return Ok(());
        };
        let Some(store) = model.message(4) else {
            return Ok(());
        };
        let width = model.number(7).unwrap_or(0).min(MAX_COLUMNS.into()) as u32;
        let lease = self.job.empty_lease();
        let strings = self.strings(store, &lease)?;
        let rich = self.rich(store, &lease)?;
        let mut found = self.rows(store, &lease)?;
        found.sort_by_key(|(row, _)| *row);
        found.dedup_by_key(|(row, _)| *row);
        let mut cells = Cells::default();
        let mut text = String::new();
        let mut unread = 0;
        for (row, info) in found {
            self.job.check()?;
            cells.begin(row);
            cells.width = Some(width);
            for (column, bytes) in stored(info, width) {
                let Some(cell) = cell::read(bytes) else {
                    unread += 1;
                    continue;
                };
                let value = match cell {
                    Cell::Empty => continue,
                    Cell::Value(value) => value,
                    Cell::Text(key) => Value::Text(strings.get(&key).copied().unwrap_or_default()),
                    Cell::Rich(key) => {
                        text.clear();
                        if let Some(storage) = rich.get(&key) {
                            text.extend(
                                storage.all(3).map(|piece| String::from_utf8_lossy(piece.0)),
                            );
                        }
                        // Texts use the separators of Unicode (U+2028 for lines, U+2029 for paragraphs) or a carriage
                        // return.
                        let text = text.replace(['\u{2028}', '\u{2029}', '\r'], "\n");
                        cells.push(column, Value::Text(&text))?;
                        continue;
                    }
                };
                cells.push(column, value)?;
            }
            rows(&cells)?;
        }
        self.unread += unread;
        Ok(())
    }

    fn tell(&mut self, notes: &mut Notes) {
        notes.add("Only the values of the tables were converted; formats, formulas, charts, pictures and text boxes were left out.");
        if self.unread > 0 {
            notes.add(match self.unread {
                1 => "One cell could not be read.".to_owned(),
                cells => format!("{cells} cells could not be read."),
            });
        }
    }
}

impl Document<'_> {
    fn add<T>(&self, list: &mut Vec<T>, entry: T, lease: &Lease<'_>) -> Result<()> {
        self.job.check()?;
        lease.grow(ENTRY)?;
        list.push(entry);
        Ok(())
    }

    /// Reads the entries of the list that a field of the store refers to. A long list has further entries in its
    /// segments.
    fn entries<'o>(
        &'o self,
        store: Message<'o>,
        field: u32,
        lease: &Lease<'_>,
    ) -> Result<Vec<(u32, Message<'o>)>> {
        let mut entries = Vec::new();
        let Some(list) = self.objects.referred(store, field, kind::LISTS) else {
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
                    self.add(&mut entries, (key, entry), lease)?;
                }
            }
        }
        Ok(entries)
    }

    fn strings<'o>(
        &'o self,
        store: Message<'o>,
        lease: &Lease<'_>,
    ) -> Result<HashMap<u32, &'o str>> {
        let entries = self.entries(store, 4, lease)?;
        let text = |(key, entry): (u32, Message<'o>)| Some((key, entry.text(3)?));
        Ok(entries.into_iter().filter_map(text).collect())
    }

    /// Texts with character styles, by key.
    fn rich<'o>(
        &'o self,
        store: Message<'o>,
        lease: &Lease<'_>,
    ) -> Result<HashMap<u32, Message<'o>>> {
        let mut all = HashMap::new();
        for (key, entry) in self.entries(store, 17, lease)? {
            self.job.check()?;
            let payload = self.objects.referred(entry, 9, &[kind::RICH_TEXT]);
            let storage =
                payload.and_then(|payload| self.objects.referred(payload, 1, kind::STORAGES));
            if let Some(storage) = storage {
                all.insert(key, storage);
            }
        }
        Ok(all)
    }

    /// Rows of all tiles with their row numbers.
    fn rows<'o>(
        &'o self,
        store: Message<'o>,
        lease: &Lease<'_>,
    ) -> Result<Vec<(u32, Message<'o>)>> {
        let mut rows = Vec::new();
        let Some(tiles) = store.message(3) else {
            return Ok(rows);
        };
        let height = tiles
            .number(2)
            .filter(|rows| *rows > 0)
            .unwrap_or(TILE_ROWS);
        for place in tiles.all(1) {
            self.job.check()?;
            let Some(tile) = self.objects.referred(place, 2, &[kind::TILE]) else {
                continue;
            };
            let first = place.number(1).unwrap_or(0).saturating_mul(height);
            for info in tile.all(5) {
                let row = first.saturating_add(info.number(1).unwrap_or(0));
                if row < MAX_ROWS.into() {
                    self.add(&mut rows, (row as u32, info), lease)?;
                }
            }
        }
        Ok(rows)
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
