//! Rows and cells of a sheet, with their formulas and formats (MS-XLS 2.1.7.20.5). Embedded charts are skipped, but
//! their positions are kept for later.

use super::{
    super::{
        cells::{self, MANY_EMPTY, RICH, VALUES},
        records::{FORMULA, Records},
        sheet::{self, BEGIN, Context, END, ROW},
        strings::Texts,
    },
    conditions::Rules,
    globals::Globals,
    links, margin_art,
    objects::Objects,
    print, validations,
};
use crate::{
    biff::{Formula, Record, Shared, rich},
    error::Result,
    shown::book::{Cell, FORMULAS, Grid, Line, MAX_LIST, Value},
    stored::{Losses, Stored},
};
use std::collections::BTreeMap;

// Types of records.
/// Data validation (`Dv`).
const RULE: u16 = 0x1be;
/// Hyperlink (`HLink`).
const LINK: u16 = 0x1b8;
/// Cell with a style only (`Blank`).
const EMPTY: u16 = 0x201;
/// Formula that several cells share (`ShrFmla`).
const SHARED_FORMULA: u16 = 0x4bc;

/// A sheet that is being read.
pub(super) struct Sheet<'s> {
    /// Data that the cells of all sheets need.
    pub(super) context: &'s Context,
    /// Names, fonts and drawings of the workbook.
    pub(super) globals: &'s Globals,
    /// Width of a digit in pixels, the unit of column widths.
    pub(super) digit: f32,
    /// Rows and cells so far.
    pub(super) grid: &'s mut Grid,
    /// Number of cells that may still be read.
    pub(super) left: &'s mut usize,
    pub(super) losses: &'s mut Losses,
    /// Shared formulas of the sheet.
    pub(super) shared: &'s mut Shared,
    /// Maximum total length of all formulas as text, in bytes.
    pub(super) most_formulas: u64,
    /// Drawings and comments.
    pub(super) objects: Objects,
    /// Conditional formats.
    pub(super) rules: Rules,
}

impl Sheet<'_> {
    /// Reads the sheet at the current position. Returns false if there are too many cells.
    pub(super) fn read(&mut self, records: &mut Records<'_>) -> Result<bool> {
        let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
        let (mut depth, mut fits) = (0_u32, false);
        let (job, texts, mut text) = (records.job, self.context.texts, String::new());
        sheet::begin(records)?;
        loop {
            let place = records.position();
            let Some(record) = records.next()? else {
                break;
            };
            match record.kind {
                BEGIN => {
                    if depth == 0 {
                        self.objects.chart(place);
                    }
                    depth += 1;
                }
                END if depth == 0 => break,
                END => depth -= 1,
                _ if depth > 0 => {}
                ROW => {
                    let number = u32::from(record.u16(0));
                    let line = lines.entry(number).or_default();
                    row(record, line);
                }
                kind if Rules::are_in(kind) => self.rules.take(record),
                RULE => {
                    let rule = validations::read(record.data, &self.globals.scope);
                    if self.grid.validations.len() < MAX_LIST {
                        self.grid.validations.extend(rule);
                    }
                }
                LINK => {
                    if let Some(link) = links::read(record)
                        && self.grid.links.len() < MAX_LIST
                    {
                        self.grid.links.push(link);
                    }
                }
                FORMULA => {
                    let data = record.data.to_vec();
                    let line = lines.entry(record.u16(0).into()).or_default();
                    if !self.formula(&data, records, line)? {
                        return Ok(false);
                    }
                }
                kind if kind == EMPTY || kind == MANY_EMPTY || VALUES.contains(&kind) => {
                    let number = record.u16(0);
                    let line = lines.entry(number.into()).or_default();
                    for cell in cells::cells(record) {
                        let value = match cell.value(job, number, texts, &mut text)? {
                            Stored::Text(text) if kind == RICH => self.label(cell.value.data, text),
                            value => self.value(value),
                        };
                        if !self.put(line, cell.column, cell.style, value, None) {
                            return Ok(false);
                        }
                    }
                }
                margin_art::KIND => self.objects.margins.take(record),
                kind if Objects::KINDS.contains(&kind) => {
                    let data = record.data.to_vec();
                    self.objects
                        .take(kind, &data, records, self.context.texts)?;
                }
                _ => print::take(record, self.grid, self.digit, self.context.texts, &mut fits),
            }
        }
        // If the window is frozen but no record states a pane, no rows and columns are frozen.
        if self.grid.frozen.0 == u32::MAX {
            self.grid.frozen = (0, 0);
        }
        self.grid.rows = lines
            .into_iter()
            .map(|(number, mut line)| {
                line.number = number;
                // Some programs write a row of empty cells, and its contents afterwards.
                line.sort_by_last();
                line
            })
            .collect();
        Ok(true)
    }

    /// Reads a formula from its record and those after it: the shared formula that it introduces, and its text
    /// result. Returns false if there are too many cells.
    fn formula(&mut self, data: &[u8], records: &mut Records<'_>, line: &mut Line) -> Result<bool> {
        let record = Record {
            kind: FORMULA,
            data,
        };
        let (row, column) = (u32::from(record.u16(0)), u32::from(record.u16(2)));
        if records.peek()? == SHARED_FORMULA
            && let Some(shared) = records.next()?
        {
            let formula = Formula::narrow(shared.data, 10, shared.u16(8).into());
            self.shared.add((row, column), formula);
        }
        let mut text = String::new();
        let value = cells::result(record.field(6), records, self.context.texts, &mut text)?;
        let value = self.value(value);
        let formula = Formula::narrow(data, 22, record.u16(20).into());
        // Formulas of Excel 5 and 95, whose tokens have another layout, are not translated.
        let text = (self.context.texts == Texts::Unicode)
            .then(|| {
                let scope = &self.globals.scope;
                let cell = (row, column);
                self.shared.text(formula, scope, cell, self.most_formulas)
            })
            .flatten();
        if text.is_none() {
            self.grid.unread.insert(FORMULAS);
        }
        Ok(self.put(line, column, record.u16(4), value, text))
    }

    /// Adds a cell. Returns false if the limit on cells is reached.
    fn put(
        &mut self,
        line: &mut Line,
        column: u32,
        style: u16,
        value: Value,
        formula: Option<String>,
    ) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        *self.left = left;
        line.cells.push(Cell {
            column,
            style: style.into(),
            value,
            shown: None,
            formula: formula.map(Into::into),
        });
        true
    }

    /// Value of a cell in the workbook.
    fn value(&mut self, value: Stored<'_>) -> Value {
        let (tables, rich) = (&self.context.tables, &self.globals.rich);
        value.in_book(tables.epoch, self.losses, |number| {
            let plain = |text: &str| match text.is_empty() {
                true => Value::Empty,
                false => Value::Text(text.into()),
            };
            let rich = rich.get(&u32::try_from(number).ok()?).cloned();
            rich.or_else(|| tables.strings.get(number).map(plain))
        })
    }

    /// Value of a text cell that holds its own text, with the fonts of its parts.
    fn label(&self, data: &[u8], text: &str) -> Value {
        let runs = Record { kind: 0, data };
        let len = usize::from(runs.u16(0));
        let runs = match self.context.texts {
            Texts::Unicode => {
                let end = 3 + len * (1 + usize::from(runs.u8(2) & 1));
                let pairs = data.get(end + 2..).unwrap_or_default().chunks_exact(4);
                let pairs = pairs.map(|four| Record {
                    kind: 0,
                    data: four,
                });
                pairs.map(|run| (run.u16(0), run.u16(2))).collect()
            }
            Texts::Encoded(_) => {
                let pairs = data.get(2 + len + 1..).unwrap_or_default().chunks_exact(2);
                let pairs = pairs.map(|two| (two[0].into(), two[1].into()));
                pairs.collect::<Vec<_>>()
            }
        };
        rich(text, &runs, &|font| self.globals.fonts.get(font))
    }
}

/// Reads the properties of a row: its height, which is stored in twentieths of a point, its visibility and its style.
fn row(record: Record<'_>, line: &mut Line) {
    let height = record.u16(6);
    let flags = record.u16(12);
    line.height = (height & 0x8000 == 0).then(|| f32::from(height & 0x7fff) / 20.0);
    line.hidden = flags & 0x20 != 0;
    line.style = (flags & 0x80 != 0).then(|| u32::from(record.u16(14) & 0xfff));
}
