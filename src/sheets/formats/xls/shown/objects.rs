//! Objects of a sheet (MS-XLS 2.4.181): records with their kind, their text and their chart beside those with all drawings, in the
//! same order. Comments are such objects, too. Draws nothing.

use super::{
    super::{
        records::Records,
        strings::{CONTINUE, Texts},
    },
    margin_art,
};
use crate::{
    biff::Record,
    error::Result,
    shown::book::{Anchor, Comment, Extent, Grid, MAX_LIST},
};

const NOTE: u16 = 0x1c;
const OBJECT: u16 = 0x5d;
const ART: u16 = 0xec;
const TEXT: u16 = 0x1b6;

/// The kinds of objects (2.5.143).
pub(super) const CHART: u16 = 0x05;
pub(super) const LIST: u16 = 0x14;
pub(super) const COMMENT: u16 = 0x19;

/// The most characters of a text.
const MAX_TEXT: usize = 32_767;

/// The objects of a sheet.
#[derive(Default)]
pub(super) struct Objects {
    /// The record of all drawings of the sheet.
    pub(super) art: Vec<u8>,
    pub(super) all: Vec<Object>,
    notes: Vec<Note>,
    /// Chart of a chart sheet: its offset in the stream, and its place.
    pub(super) chart: Option<(u64, Place)>,
    /// The drawing of headers and footers.
    pub(super) margins: margin_art::Art,
}

/// Place of an object on a sheet.
pub(super) type Place = (Anchor, Extent);

/// An object.
#[derive(Default)]
pub(super) struct Object {
    pub(super) kind: u16,
    number: u16,
    pub(super) text: Text,
    /// Offset of its chart in the stream.
    pub(super) chart: Option<u64>,
}

/// The text of an object.
#[derive(Default)]
pub(super) struct Text {
    pub(super) words: String,
    /// Horizontal and vertical alignment: 1 left or top, 2 middle, 3 right or bottom.
    pub(super) place: (u16, u16),
    /// The number of its first font.
    pub(super) font: Option<u16>,
}

/// Cell of a comment.
struct Note {
    row: u16,
    column: u16,
    /// The number of the object that has its text.
    object: u16,
    author: Box<str>,
}

impl Objects {
    /// The kinds of records that are taken.
    pub(super) const KINDS: [u16; 4] = [NOTE, OBJECT, ART, TEXT];

    /// Objects of a chart sheet.
    pub(super) fn of_chart(begin: u64, place: Place) -> Self {
        Self {
            chart: Some((begin, place)),
            ..Self::default()
        }
    }

    /// Handles a record, which is followed by `records`.
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
        // Whatever of these they continue, it is the drawings: texts are read to their end.
        while kind != NOTE && records.peek()? == CONTINUE {
            if let Some(more) = records.next()? {
                self.art.extend_from_slice(more.data);
            }
        }
        Ok(())
    }

    /// Notes that the last object is a chart, which begins here.
    pub(super) fn chart(&mut self, place: u64) {
        if let Some(object) = self.all.last_mut().filter(|one| one.kind == CHART) {
            object.chart = Some(place);
        }
    }

    /// Puts the comments on their cells.
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

/// The text of an object, which the records behind its own continue (2.4.329): each begins with a byte that says how wide its characters
/// are. What comes then are fonts.
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
