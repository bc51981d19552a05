//! Sheet part (MS-XLSB 2.1.7.61): cells with formulas and formats, sizes, merged cells, links, data validation and
//! page setup. Computes no formulas.

use super::{
    super::{
        cells::{self, CELL_EMPTY, CELL_RICH, FORMULA_ERROR, FORMULA_TEXT, ROW},
        records::Records,
    },
    Common,
    conditions::Rules,
    ranges::{LAST, MAX_RANGES, range},
    setup, strings,
};
use crate::{
    biff::{Formula, Record, Shared, validation},
    error::Result,
    job::Job,
    ooxml::Reference,
    shown::{
        book::{Cell, FORMULAS, Grid, Line, Link, MAX_LIST, Range},
        measure,
    },
    stored::Losses,
    time::Epoch,
};
use std::io::BufRead;

// Types of records.
/// Data validation (`BrtDVal`).
const RULE: u16 = 64;
/// Range with an automatic filter (`BrtBeginAFilter`).
const FILTER: u16 = 161;
/// A merged range (`BrtMergeCell`).
const MERGED: u16 = 176;
/// Formula that several cells share (`BrtShrFmla`).
const SHARED_FORMULA: u16 = 427;
/// Hyperlink (`BrtHLink`).
const LINK: u16 = 494;
/// Protection of the sheet (`BrtSheetProtection`).
const PROTECTION: u16 = 535;
/// Part with the drawings (`BrtDrawing`).
const DRAWING: u16 = 550;
/// Part with the pictures of headers and footers (`BrtLegacyDrawingHF`).
const MARGIN_DRAWING: u16 = 552;

/// A sheet that is being read.
pub(super) struct Sheet<'s> {
    /// State that all sheets share.
    pub(super) common: &'s Common,
    /// Rows and cells so far.
    pub(super) grid: &'s mut Grid,
    /// Relationships of the sheet with the addresses of links.
    pub(super) addresses: &'s [Reference],
    /// Number of cells that may still be read.
    pub(super) left: &'s mut usize,
    pub(super) losses: &'s mut Losses,
    /// Shared formulas of the sheet.
    pub(super) shared: &'s mut Shared,
    /// Identifier of the relationship to its drawing.
    pub(super) drawing: Option<String>,
    /// Identifier of the relationship to the pictures of its headers and footers.
    pub(super) margins: Option<String>,
    /// Whether the formula of the last cell is unknown, unless the next record is a shared formula.
    pub(super) lacks_formula: bool,
    /// Whether the sheet is scaled to a number of pages.
    pub(super) fits: bool,
    /// Conditional formats.
    pub(super) rules: Rules,
}

impl Sheet<'_> {
    /// Reads the part. Returns false if it has too many cells.
    pub(super) fn read<R: BufRead>(&mut self, records: &mut Records<'_, R>) -> Result<bool> {
        let (job, mut text) = (records.job, String::new());
        self.grid.shows_lines = true;
        self.grid.default_width = measure::default_width(8.0, self.common.digit);
        while let Some(record) = records.next()? {
            if record.kind != SHARED_FORMULA {
                self.note_lost_formula();
            }
            match record.kind {
                // The reader of values without styles, which is tried next, refuses a row beyond the last one.
                ROW if record.u32(0) > LAST.0 => return Ok(false),
                ROW => self.row(record),
                CELL_EMPTY..=FORMULA_ERROR | CELL_RICH => {
                    let Some(left) = self.left.checked_sub(1) else {
                        return Ok(false);
                    };
                    *self.left = left;
                    self.cell(job, record, &mut text)?;
                }
                SHARED_FORMULA => self.shared_formula(record),
                MERGED => {
                    let range = range(record, 0);
                    self.grid
                        .merged
                        .extend(range.filter(|_| self.grid.merged.len() < MAX_LIST));
                }
                LINK if self.grid.links.len() < MAX_LIST => {
                    let link = self.link(record);
                    self.grid.links.extend(link);
                }
                RULE if self.grid.validations.len() < MAX_LIST => self.rule(record),
                FILTER => _ = self.grid.unread.insert("filters"),
                // The record also exists in sheets without protection.
                PROTECTION if record.u32(2) != 0 => _ = self.grid.unread.insert("protection"),
                kind if Rules::are_in(kind) => self.rules.take(record, self.common),
                DRAWING | MARGIN_DRAWING => {
                    let mut id = String::new();
                    record.text(0, &mut id);
                    match record.kind {
                        DRAWING => self.drawing = Some(id),
                        _ => self.margins = Some(id),
                    }
                }
                _ => setup::take(record, self.grid, self.common.digit, &mut self.fits),
            }
        }
        self.note_lost_formula();
        self.grid.sort_columns();
        self.grid.sort_rows();
        Ok(true)
    }

    /// Begins a row.
    fn row(&mut self, record: Record<'_>) {
        let number = record.u32(0);
        let flags = record.u8(11);
        self.grid.rows.push(Line {
            number,
            height: Some(f32::from(record.u16(8)) / 20.0),
            hidden: flags & 0x10 != 0,
            style: (flags & 0x40 != 0).then(|| record.u32(4)),
            cells: Vec::new(),
        });
    }

    /// Adds the cell of a record to the current row; `text` is a buffer for its text.
    fn cell(&mut self, job: &Job<'_>, record: Record<'_>, text: &mut String) -> Result<()> {
        let (Some(line), common) = (self.grid.rows.last_mut(), self.common) else {
            return Ok(());
        };
        let Some(cell) = cells::cell(job, line.number, record, text, self.losses)? else {
            return Ok(());
        };
        let value = match record.kind {
            CELL_RICH => strings::string(record, 8, &common.styles),
            _ => (cell.value).in_book(Epoch::default(), self.losses, |shared| {
                common.strings.get(shared).cloned()
            }),
        };
        let mut formula = None;
        if (FORMULA_TEXT..=FORMULA_ERROR).contains(&record.kind) {
            // Two bytes of flags precede the formula.
            let tokens = Formula::wide(record.data, cell.end + 2).map(|(formula, _)| formula);
            let (place, most) = ((line.number, cell.column), common.most_formulas);
            formula = tokens.and_then(|own| self.shared.text(own, &common.scope, place, most));
            // The record of a shared formula follows the first cell of its group, and sets the formula of that cell.
            self.lacks_formula = formula.is_none();
        }
        line.cells.push(Cell {
            column: cell.column,
            style: cell.style,
            value,
            shown: None,
            formula: formula.map(Into::into),
        });
        Ok(())
    }

    /// Reads a shared formula, and sets it for the cell before it.
    fn shared_formula(&mut self, record: Record<'_>) {
        let (Some((formula, _)), Some(line)) =
            (Formula::wide(record.data, 16), self.grid.rows.last_mut())
        else {
            return;
        };
        let Some(cell) = line.cells.last_mut() else {
            return;
        };
        let place = (line.number, cell.column);
        self.shared.add(place, formula);
        let (common, most) = (self.common, self.common.most_formulas);
        let text = self.shared.text(formula, &common.scope, place, most);
        self.lacks_formula = text.is_none();
        cell.formula = text.map(Into::into);
    }

    /// Adds a note if the formula of the last cell was lost.
    fn note_lost_formula(&mut self) {
        if std::mem::take(&mut self.lacks_formula) {
            self.grid.unread.insert(FORMULAS);
        }
    }

    /// Reads a hyperlink (BrtHLink): a relationship for the address, and a location within it.
    fn link(&self, record: Record<'_>) -> Option<Link> {
        let range = range(record, 0)?;
        let mut texts = [const { String::new() }; 3];
        let mut at = 16;
        for text in &mut texts {
            at = record.text(at, text)?;
        }
        let [id, location, title] = texts;
        let address = self.addresses.iter().find(|one| one.id == id);
        let target = match (address, location.is_empty()) {
            (Some(address), true) => address.target.clone(),
            (Some(address), false) => format!("{}#{location}", address.target),
            (None, false) => format!("#{location}"),
            (None, true) => return None,
        };
        Some(Link {
            range,
            target: target.into(),
            title: title.into(),
        })
    }

    /// Reads a data validation (BrtDVal): ranges, titles and texts of both messages, and up to two formulas.
    fn rule(&mut self, record: Record<'_>) {
        let count = (record.u32(4) as usize).min(MAX_RANGES);
        let ranges = (0..count).map_while(|number| range(record, 8 + 16 * number));
        let ranges: Vec<Range> = ranges.collect();
        let mut at = 8 + 16 * ranges.len();
        let mut texts = [const { String::new() }; 4];
        for text in &mut texts {
            let Some(end) = record.text(at, text) else {
                return;
            };
            at = end;
        }
        let cell = ranges.first().map_or((0, 0), |range| range.first);
        let formulas = [(); 2].map(|()| {
            let (formula, end) = Formula::wide(record.data, at)?;
            at = end;
            formula.text(&self.common.scope, cell)
        });
        let [error_title, error, prompt_title, prompt] = texts;
        let messages = [(prompt_title, prompt), (error_title, error)];
        let rule = validation(record.u32(0), ranges, messages, formulas);
        self.grid.validations.extend(rule);
    }
}
