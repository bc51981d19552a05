//! Objects of a sheet (MS-XLS 2.4.181): records with the type, text and chart of objects. They are separate from the
//! OfficeArt record with all shapes, but in the same order. Comments are objects, too. Draws nothing.

use super::{
    super::{
        records::Records,
        sheet::{COMMENT, OBJECT},
        strings::{CONTINUE, Texts},
    },
    margin_art,
};
use crate::{
    biff::Record,
    error::Result,
    shown::book::{Anchor, Comment, Extent, Grid, MAX_LIST},
};

// Types of records.
/// Position and author of a comment (`Note`).
const NOTE: u16 = 0x1c;
/// Shapes of the sheet (`MsoDrawing`).
const ART: u16 = 0xec;
/// Text of a shape (`TxO`).
const TEXT: u16 = 0x1b6;

/// Type of an object that is a chart (2.5.143).
pub(super) const CHART: u16 = 0x05;

/// Maximum length of a text, in characters.
const MAX_TEXT: usize = 32_767;

/// Objects of a sheet.
#[derive(Default)]
pub(super) struct Objects {
    /// OfficeArt record with all shapes of the sheet.
    pub(super) art: Vec<u8>,
    /// Objects in the order of their shapes.
    pub(super) all: Vec<Object>,
    /// Cells and authors of the comments.
    notes: Vec<Note>,
    /// Chart of a chart sheet: its position in the stream, and its place.
    pub(super) chart: Option<(u64, Place)>,
    /// Drawing of headers and footers.
    pub(super) margins: margin_art::Art,
}

/// Place of an object on a sheet: anchor and extent.
pub(super) type Place = (Anchor, Extent);

/// An object.
#[derive(Default)]
pub(super) struct Object {
    /// Type of the object.
    pub(super) kind: u16,
    /// Identifier, which comments refer to.
    number: u16,
    /// Text of the shape.
    pub(super) text: Text,
    /// Position of its chart in the stream.
    pub(super) chart: Option<u64>,
}

/// The text of an object.
#[derive(Default)]
pub(super) struct Text {
    pub(super) words: String,
    /// Horizontal and vertical alignment: 1 for left or top, 2 for centre, 3 for right or bottom.
    pub(super) place: (u16, u16),
    /// Index of its first font.
    pub(super) font: Option<u16>,
}

/// Cell and author of a comment.
struct Note {
    /// Row of the cell, counted from 0.
    row: u16,
    /// Column of the cell, counted from 0.
    column: u16,
    /// Identifier of the object with the text.
    object: u16,
    author: Box<str>,
}

impl Objects {
    /// Types of records that [`take`](Self::take) reads.
    pub(super) const KINDS: [u16; 4] = [NOTE, OBJECT, ART, TEXT];

    /// Creates the objects of a chart sheet.
    pub(super) fn of_chart(begin: u64, place: Place) -> Self {
        Self {
            chart: Some((begin, place)),
            ..Self::default()
        }
    }

    /// Reads a record and its Continue records, which come next in `records`.
    pub(super) fn take(
        &mut self,
        kind: u16,
        data: &[u8],
        records: &mut Records<'_>,
        texts: Texts,
    ) -> Result<()> {
        let record = Record { kind, data };
        match kind {
            ART => self.art.extend_from_slice(data),
            OBJECT if self.all.len() < MAX_LIST => self.all.push(Object {
                kind: record.u16(4),
                number: record.u16(6),
                ..Object::default()
            }),
            TEXT => {
                let text = text(record, records)?;
                if let Some(object) = self.all.last_mut() {
                    object.text = text;
                }
            }
            NOTE if texts == Texts::Unicode && self.notes.len() < MAX_LIST => {
                let mut author = String::new();
                texts.read(data.get(8..).unwrap_or_default(), false, &mut author);
                self.notes.push(Note {
                    row: record.u16(0),
                    column: record.u16(2),
                    object: record.u16(6),
                    author: author.chars().take(255).collect(),
                });
            }
            _ => {}
        }
        // A Continue record always continues the shapes here, because the text of an object is read to its end.
        while kind != NOTE && records.peek()? == CONTINUE {
            if let Some(more) = records.next()? {
                self.art.extend_from_slice(more.data);
            }
        }
        Ok(())
    }

    /// Sets the position of the chart of the last object.
    pub(super) fn chart(&mut self, place: u64) {
        if let Some(object) = self.all.last_mut().filter(|one| one.kind == CHART) {
            object.chart = Some(place);
        }
    }

    /// Adds the comments to a sheet.
    pub(super) fn comment(&self, grid: &mut Grid) {
        let texts: std::collections::HashMap<u16, &str> = self
            .all
            .iter()
            .filter(|object| object.kind == COMMENT)
            .map(|object| (object.number, &*object.text.words))
            .collect();
        let comments = self.notes.iter().filter_map(|note| {
            let text = texts.get(&note.object)?;
            Some(Comment {
                row: note.row.into(),
                column: note.column.into(),
                author: note.author.clone(),
                text: (*text).into(),
            })
        });
        grid.comments.extend(comments);
    }
}

/// Reads the text of an object from the Continue records after its record (2.4.329). Each begins with a flag that
/// states the width of its characters. Formatting runs follow the text.
fn text(record: Record<'_>, records: &mut Records<'_>) -> Result<Text> {
    let (mut left, has_fonts) = (usize::from(record.u16(10)), record.u16(12) > 0);
    let mut text = String::new();
    while left > 0 && records.peek()? == CONTINUE {
        let Some(part) = records.next()? else {
            break;
        };
        let Some((flags, bytes)) = part.data.split_first() else {
            continue;
        };
        let units: Vec<u16> = match flags & 1 {
            0 => bytes.iter().map(|byte| u16::from(*byte)).collect(),
            _ => {
                let (units, _) = bytes.as_chunks::<2>();
                units.iter().map(|unit| u16::from_le_bytes(*unit)).collect()
            }
        };
        let count = units.len().min(left);
        text.push_str(&String::from_utf16_lossy(&units[..count]));
        left -= count;
        if count == 0 {
            break;
        }
    }
    let mut font = None;
    if has_fonts && records.peek()? == CONTINUE {
        font = records.next()?.map(|runs| runs.u16(2));
    }
    let flags = record.u16(0);
    let words = text.replace(['\r', '\0'], "");
    Ok(Text {
        words: words.chars().take(MAX_TEXT).collect(),
        place: (flags >> 1 & 7, flags >> 4 & 7),
        font,
    })
}
