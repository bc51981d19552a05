//! Globals of a workbook (MS-XLS 2.1.7.20.3) for sheets with styles: formats, names, targets of references, fonts of
//! parts of shared strings, and the store of pictures. Reads no sheets.

use super::{
    super::{records::Records, sheet::Context, strings},
    margin_art,
    names::Names,
    styles::{Fonts, Styles},
};
use crate::{
    biff::{Link, Record, Scope, rich},
    error::Result,
    formats::xls::strings::Texts,
    shown::book::{Book, MAX_LIST, Value},
};
use std::collections::HashMap;

// Types of records.
/// End of the substream (`EOF`).
const END: u16 = 0x0a;
/// Sheets to which formulas refer (`ExternSheet`).
const EXTERNAL_SHEETS: u16 = 0x17;
/// A defined name (`Lbl`).
const NAME: u16 = 0x18;
/// A name in another workbook, or an add-in function (`ExternName`).
const EXTERNAL_NAME: u16 = 0x23;
/// Name and position of a sheet (`BoundSheet8`).
const SHEET: u16 = 0x85;
/// Pictures of the workbook (`MsoDrawingGroup`).
const ART: u16 = 0xeb;
/// Shared strings (`SST`).
const STRINGS: u16 = 0xfc;
/// A workbook to which formulas refer (`SupBook`).
const SUPPORTING_BOOK: u16 = 0x1ae;

/// Value in place of the length of a supporting workbook's name (`SupBook`, 2.4.271) that stands for this workbook
/// itself.
const NAMELESS_BOOK: u16 = 0x401;
/// Value in the same field that stands for a list of add-in functions.
const FUNCTIONS: u16 = 0x3a01;

/// Tables of the workbook that its sheets refer to.
pub(super) struct Globals {
    /// Defined names.
    pub(super) names: Names,
    /// Sheets and names to which formulas refer by number.
    pub(super) scope: Scope,
    /// Fonts, in the order of the file.
    pub(super) fonts: Fonts,
    /// Shared strings with several fonts, by index.
    pub(super) rich: HashMap<u32, Value>,
    /// OfficeArt record of all drawings, with the store of their pictures.
    pub(super) art: Vec<u8>,
    /// Store of the pictures in headers and footers.
    pub(super) margins: margin_art::Art,
}

/// Tables while the records are read.
#[derive(Default)]
struct Reading {
    /// Names of all sheets.
    sheets: Vec<String>,
    /// Field of each supporting workbook with the length of its name, or with a value for its type.
    books: Vec<u16>,
    /// Each reference target: supporting workbook, first and last sheet.
    links: Vec<(u16, i32, i32)>,
    /// Formatting runs of shared strings, by index.
    runs: Vec<(u32, strings::Runs)>,
}

/// Approximate memory of a formatted part of a text, in bytes.
const PART: u64 = 64;

/// Reads the globals from the current position. Formats go to `book`. Calls `reserve` with the memory that is needed
/// beyond the size of the file.
pub(super) fn read(
    records: &mut Records<'_>,
    context: &Context,
    book: &mut Book,
    reserve: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<Globals> {
    let is_unicode = context.texts == Texts::Unicode;
    let (mut names, mut scope, mut styles) =
        (Names::default(), Scope::default(), Styles::default());
    let (mut reading, mut art) = (Reading::default(), Vec::new());
    let mut margins = margin_art::Art::default();
    let mut in_art = false;
    while let Some(record) = records.next()? {
        let kind = record.kind;
        let continues = kind == strings::CONTINUE && in_art;
        match kind {
            END => break,
            ART => art.extend_from_slice(record.data),
            margin_art::KIND => margins.take(record),
            _ if continues => art.extend_from_slice(record.data),
            NAME if is_unicode => names.add(record, &mut scope),
            STRINGS if is_unicode => {
                let data = record.data.to_vec();
                reading.strings(records, &data)?;
            }
            _ => {
                styles.take(record, context, book);
                reading.take(record, context, &mut scope);
            }
        }
        in_art = kind == ART || continues;
    }
    // Fonts are complete only now, and rich strings refer to them.
    let fonts = styles.finish(is_unicode, book);
    let parts: usize = reading.runs.iter().map(|(_, runs)| runs.len() + 1).sum();
    reserve(parts as u64 * PART + 2 * art.len() as u64 + 2 * margins.store.len() as u64)?;
    let rich = reading.runs.iter().filter_map(|(number, runs)| {
        let text = context.tables.strings.get(*number as usize)?;
        Some((*number, rich(text, runs, &|font| fonts.get(font))))
    });
    let rich = rich.collect();
    scope.links = reading.links();
    Ok(Globals {
        names,
        scope,
        fonts,
        rich,
        art,
        margins,
    })
}

impl Reading {
    /// Reads a record: a sheet, a supporting workbook, a name in it, or the targets of references.
    fn take(&mut self, record: Record<'_>, context: &Context, scope: &mut Scope) {
        match record.kind {
            SHEET if self.sheets.len() < MAX_LIST => {
                let mut name = String::new();
                let text = record.data.get(6..).unwrap_or_default();
                context.texts.read(text, true, &mut name);
                self.sheets.push(name);
            }
            SUPPORTING_BOOK if self.books.len() < MAX_LIST => {
                self.books.push(record.u16(2));
                scope.outer.push(Vec::new());
            }
            EXTERNAL_NAME => {
                let mut name = String::new();
                let text = record.data.get(6..).unwrap_or_default();
                context.texts.read(text, true, &mut name);
                if let Some(names) = scope.outer.last_mut().filter(|all| all.len() < MAX_LIST) {
                    names.push(name.into());
                }
            }
            EXTERNAL_SHEETS => {
                let links = record.data.get(2..).unwrap_or_default().chunks_exact(6);
                let count = usize::from(record.u16(0));
                self.links = links
                    .take(count)
                    .map(|six| {
                        let one = Record {
                            kind: EXTERNAL_SHEETS,
                            data: six,
                        };
                        let sheet = |at| i32::from(one.u16(at).cast_signed());
                        (one.u16(0), sheet(2), sheet(4))
                    })
                    .collect();
            }
            _ => {}
        }
    }

    /// Keeps the formatting runs of the shared strings that have some.
    fn strings(&mut self, records: &mut Records<'_>, data: &[u8]) -> Result<()> {
        let mut number = 0;
        strings::read_table(records, data, &mut |_, runs| {
            if !runs.is_empty() {
                self.runs.push((number, runs.clone()));
            }
            number += 1;
            true
        })
    }

    /// Resolves the targets of references.
    fn links(&self) -> Vec<Link> {
        let links = self.links.iter();
        let links = links.map(|(book, first, last)| {
            let book = usize::from(*book);
            match self.books.get(book) {
                Some(&NAMELESS_BOOK) => Link::sheets(*first, *last, &self.sheets),
                Some(&FUNCTIONS) => Link::Functions(book),
                _ => Link::Elsewhere,
            }
        });
        links.collect()
    }
}
