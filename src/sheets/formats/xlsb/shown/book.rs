//! Workbook part (MS-XLSB 2.1.7.62): targets of references, defined names, print areas and print titles. Reads no
//! sheets.

use super::super::records::Records;
use crate::{
    biff::{Formula, Link, Record, Scope},
    cells::span,
    error::Result,
    shown::book::{Grid, MAX_LIST, Name, Range},
};
use std::io::BufRead;

// Types of records.
/// A defined name (`BrtName`).
const NAME: u16 = 39;
/// Name and part of a sheet (`BrtBundleSh`).
const SHEET: u16 = 156;
/// Another workbook to which formulas refer (`BrtSupBookSrc`).
const OTHER_BOOK: u16 = 355;
/// References within this workbook (`BrtSupSelf`).
const OWN_BOOK: u16 = 357;
/// References within the same sheet (`BrtSupSame`).
const SAME_SHEET: u16 = 358;
/// Sheets to which formulas refer (`BrtExternSheet`).
const EXTERNAL_SHEETS: u16 = 362;
/// Functions of add-ins (`BrtSupAddin`).
const FUNCTIONS: u16 = 667;

/// Sheet number of a name that belongs to the whole workbook.
const EVERYWHERE: u32 = u32::MAX;

/// A name as it is stored.
struct StoredName {
    /// Index of the sheet that the name is local to.
    sheet: Option<usize>,
    /// Whether Excel itself defines the name, as it does for print areas.
    is_built_in: bool,
    /// Whether the name is visible and stands for neither a function nor a macro.
    is_plain: bool,
    /// Formula as tokens.
    tokens: Box<[u8]>,
    /// Additional data of the formula.
    extra: Box<[u8]>,
}

/// Names of a workbook in file order, and names of its sheets.
pub(super) struct Names {
    /// Names of all sheets, to which formulas refer by index.
    sheets: Vec<String>,
    /// Names in file order, to which formulas refer by number.
    all: Vec<StoredName>,
    /// Print areas and print titles: index of the sheet, whether it is the area, and the formula as text.
    printed: Vec<(usize, bool, String)>,
}

/// Type of a supporting workbook.
#[derive(Clone, Copy, PartialEq)]
enum Book {
    /// This workbook.
    Own,
    /// Functions of add-ins.
    Functions,
    /// Another workbook.
    Other,
}

/// Reads the workbook part.
pub(super) fn read<R: BufRead>(records: &mut Records<'_, R>) -> Result<(Scope, Names)> {
    let mut scope = Scope {
        is_wide: true,
        ..Scope::default()
    };
    let (mut sheets, mut books, mut links) = (Vec::new(), Vec::new(), Vec::new());
    let mut all: Vec<StoredName> = Vec::new();
    while let Some(record) = records.next()? {
        match record.kind {
            SHEET if sheets.len() < MAX_LIST => {
                let mut name = String::new();
                // The identifier of the relationship precedes the name.
                let end = record.text(8, &mut String::new());
                end.and_then(|end| record.text(end, &mut name));
                sheets.push(name);
            }
            OWN_BOOK | SAME_SHEET => books.push(Book::Own),
            FUNCTIONS => books.push(Book::Functions),
            OTHER_BOOK => books.push(Book::Other),
            EXTERNAL_SHEETS => {
                // Index of the supporting workbook, first sheet and last sheet of each reference.
                let (triples, _) = record.data.get(4..).unwrap_or_default().as_chunks::<12>();
                links = triples
                    .iter()
                    .map(|triple| {
                        let one = Record {
                            kind: EXTERNAL_SHEETS,
                            data: triple,
                        };
                        let sheet = |at| one.u32(at).cast_signed();
                        (one.u32(0), sheet(4), sheet(8))
                    })
                    .collect();
            }
            NAME if all.len() < MAX_LIST => {
                let (name, written) = read_name(record);
                scope.names.push(name.into());
                all.push(written);
            }
            _ => {}
        }
    }
    scope.outer = vec![Vec::new(); books.len()];
    let links = links.into_iter().map(|(book, first, last)| {
        let at = book as usize;
        match books.get(at) {
            Some(Book::Own) => Link::sheets(first, last, &sheets),
            Some(Book::Functions) => Link::Functions(at),
            Some(Book::Other) | None => Link::Elsewhere,
        }
    });
    scope.links = links.collect();
    let printed = all.iter().zip(&scope.names).filter_map(|(one, name)| {
        let is_area = match &**name {
            "_xlnm.Print_Area" => true,
            "_xlnm.Print_Titles" => false,
            _ => return None,
        };
        Some((one.sheet?, is_area, one.text(&scope)?))
    });
    let printed = printed.collect();
    Ok((
        scope,
        Names {
            sheets,
            all,
            printed,
        },
    ))
}

/// Reads a name with its text.
fn read_name(record: Record<'_>) -> (String, StoredName) {
    let flags = record.u32(0);
    let mut name = String::new();
    let end = record.text(9, &mut name).unwrap_or(record.data.len());
    let is_built_in = flags & 0x20 != 0;
    if is_built_in && !name.starts_with("_xlnm.") {
        name.insert_str(0, "_xlnm.");
    }
    let formula = Formula::wide(record.data, end).map(|(formula, _)| formula);
    let parts = formula.map_or((&[][..], &[][..]), |one| (one.tokens, one.extra));
    let sheet = Some(record.u32(5)).filter(|sheet| *sheet != EVERYWHERE);
    let written = StoredName {
        sheet: sheet.map(|sheet| sheet as usize),
        is_built_in,
        is_plain: flags & 0x0b == 0,
        tokens: parts.0.into(),
        extra: parts.1.into(),
    };
    (name, written)
}

impl StoredName {
    /// Formula of the name as text.
    fn text(&self, scope: &Scope) -> Option<String> {
        let formula = Formula {
            tokens: &self.tokens,
            extra: &self.extra,
        };
        formula.text(scope, (0, 0))
    }
}

impl Names {
    /// Names that users defined, with their formulas as text. Names that are local to a sheet outside of `grids` are
    /// left out.
    pub(super) fn defined(&self, scope: &Scope, grids: &[Grid]) -> Vec<Name> {
        let place = |sheet: usize| {
            let name = self.sheets.get(sheet)?;
            grids.iter().position(|grid| grid.sheet.name() == name)
        };
        let all = self.all.iter().zip(&scope.names).filter_map(|(one, name)| {
            if one.is_built_in || !one.is_plain || name.is_empty() {
                return None;
            }
            let sheet = match one.sheet {
                Some(sheet) => Some(place(sheet)?),
                None => None,
            };
            Some(Name {
                name: name.clone(),
                sheet,
                formula: one.text(scope)?.into(),
            })
        });
        all.collect()
    }

    /// Applies print areas and print titles to a sheet, by its name.
    pub(super) fn apply(&self, sheet: &str, grid: &mut Grid) {
        let number = self.sheets.iter().position(|name| name == sheet);
        let own = self.printed.iter().filter(|(at, ..)| Some(*at) == number);
        for (_, is_area, text) in own {
            for (rows, columns) in references(text) {
                match (is_area, rows, columns) {
                    (true, ..) => {
                        let rows = rows.unwrap_or((0, (1 << 20) - 1));
                        let columns = columns.unwrap_or((0, (1 << 14) - 1));
                        grid.print.areas.push(Range {
                            first: (rows.0, columns.0),
                            last: (rows.1, columns.1),
                        });
                    }
                    (false, Some(rows), None) => grid.print.repeated_rows = Some(rows),
                    (false, None, Some(columns)) => grid.print.repeated_columns = Some(columns),
                    (false, ..) => {}
                }
            }
        }
    }
}

/// Rows and columns of a reference, from 0. `None` stands for all rows or all columns.
type Span = (Option<(u32, u32)>, Option<(u32, u32)>);

/// Parses a list of references, such as `Sheet1!$A$1:$C$9,'My sheet'!$1:$2`. Commas in quoted names do not separate.
fn references(text: &str) -> Vec<Span> {
    let (mut quoted, mut starts) = (false, vec![0]);
    for (at, character) in text.char_indices() {
        match character {
            '\'' => quoted = !quoted,
            ',' if !quoted => starts.push(at + 1),
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).map(|start| start - 1);
    let ends = ends.chain([text.len()]);
    let parts = starts.iter().zip(ends).take(256);
    parts
        .filter_map(|(start, end)| {
            let part = &text[*start..end];
            span(part.rsplit_once('!').map_or(part, |(_, place)| place))
        })
        .collect()
}
