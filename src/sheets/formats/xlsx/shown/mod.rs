//! Reads workbooks with their styles, sizes, page setups and pictures (ECMA-376 part 1, 18 and 20.5). Conversions
//! that need only values use [`sheet`](super::sheet) instead.

mod cells;
pub(in crate::formats) mod colours;
mod comments;
mod conditions;
pub(in crate::formats) mod drawing;
mod in_cells;
pub(in crate::formats) mod margins;
mod names;
pub(in crate::formats) mod series;
mod sheet;
mod strings;
mod styles;
mod tables;
mod validations;

use super::rich::Pictures;
use crate::{
    containers::xml::Reader,
    error::Result,
    job::{Job, Notes},
    ooxml::{NAMESPACES, Package, Reference},
    sheet::Sheet,
    shown::{
        book::{Book, FORMULAS, Grid, MAX_CELLS, Value},
        compute,
        conditions::{add_notes as note_conditions, apply as apply_conditions},
        formula::columns,
        measure,
    },
};
use convertd_layout::faces::Faces;
use convertd_office::{drawing::Theme, time::Epoch};
use convertd_tree::Builder;
use in_cells::InCell;
use std::collections::HashMap;

/// Maximum size of a part, in bytes. Parts are read as a whole, and a sheet with at most [`MAX_CELLS`] cells is
/// smaller.
const MAX_PART: u64 = 96 << 20;

/// Parts of a workbook.
pub(super) struct Parts<'p> {
    /// Name of the workbook part.
    pub(super) workbook: &'p str,
    /// Sheets to read, with the names of their parts.
    pub(super) sheets: Vec<(Sheet, &'p str)>,
    /// All sheets, which formulas may refer to.
    pub(super) all: &'p [(Sheet, String)],
    /// Epoch of dates.
    pub(super) epoch: Epoch,
    pub(super) pictures: &'p Pictures,
}

/// State that all sheets share while they are read.
struct Shared<'p> {
    /// Shared strings.
    strings: Vec<Value>,
    /// Epoch of dates.
    epoch: Epoch,
    /// Width of a digit in pixels, the unit of column widths.
    digit: f32,
    /// Colours and differential formats.
    styles: styles::Styles,
    /// Pictures in cells.
    pictures: Option<&'p Pictures>,
}

/// Reads the sheets of a workbook. `None` if it has too many cells, or if one of the parts is larger than [`MAX_PART`].
pub(super) fn read(
    package: &mut Package<'_>,
    parts: &Parts<'_>,
    build: &mut Builder<'_>,
    notes: &mut Notes,
) -> Result<Option<Book>> {
    let references = package.references(parts.workbook)?;
    let theme = theme(package, &references)?;
    let mut book = Book {
        epoch: parts.epoch,
        ..Book::default()
    };
    let Some(shared) = shared(package, &references, &theme, &mut book)? else {
        return Ok(None);
    };
    let shared = Shared {
        pictures: Some(parts.pictures),
        ..shared
    };
    let Some(text) = package.text(parts.workbook, MAX_PART)? else {
        return Ok(None);
    };
    let names = names::read(&mut Reader::new(package.job, &text, NAMESPACES))?;
    let mut sheets = Sheets {
        shared: &shared,
        parts,
        computed: None,
        left: MAX_CELLS,
        found: cells::Findings::default(),
        left_out: 0,
        grids: Vec::new(),
        drawings: Vec::new(),
        in_cells: Vec::new(),
        tables: Vec::new(),
    };
    for (sheet, part) in &parts.sheets {
        if !sheets.add(package, sheet, part, &book, &names, build)? {
            return Ok(None);
        }
    }
    let mut grids = sheets.grids;
    // Charts may show the cells of any sheet, so drawings come last.
    for drawing in sheets.drawings {
        let mut context = drawing::DrawingContext {
            theme: &theme,
            build: &mut *build,
            notes: &mut *notes,
        };
        let placed = drawing::read(package, &drawing, &grids, &mut context)?;
        grids[drawing.at].pictures = placed;
    }
    for (grid, found) in grids.iter_mut().zip(sheets.in_cells) {
        in_cells::place(package, found, grid, build)?;
    }
    book.grids = grids;
    book.names = names.defined(&book.grids);
    resolve(package.job, &mut book, &sheets.tables)?;
    note_conditions(sheets.left_out, notes);
    super::sheet::note_unknown(sheets.found.unknown, notes);
    sheets.found.losses.tell(notes);
    Ok(Some(book))
}

/// Reads styles and shared strings. `None` if the part of the shared strings is larger than [`MAX_PART`].
fn shared(
    package: &mut Package<'_>,
    references: &[Reference],
    theme: &Theme,
    book: &mut Book,
) -> Result<Option<Shared<'static>>> {
    let mut styles = styles::Styles::default();
    if let Some((part, _)) = package.part("styles", references)
        && let Some(text) = package.text(&part, MAX_PART)?
    {
        let mut xml = Reader::new(package.job, &text, NAMESPACES);
        styles = styles::read(&mut xml, &theme.palette, book)?;
    }
    book.saved = margins::saved(package)?;
    let digit = measure::digit_width(&book.normal, &mut Faces::new());
    let strings = strings(package, references, &styles.colours, MAX_PART)?;
    Ok(strings.map(|strings| Shared {
        strings,
        epoch: book.epoch,
        digit,
        styles,
        pictures: None,
    }))
}

/// Reads the shared strings, if the workbook has any. `None` if their part is longer than `most` bytes.
fn strings(
    package: &mut Package<'_>,
    references: &[Reference],
    colours: &colours::Colours,
    most: u64,
) -> Result<Option<Vec<Value>>> {
    let Some((part, _)) = package.part("sharedStrings", references) else {
        return Ok(Some(Vec::new()));
    };
    let Some(text) = package.text(&part, most)? else {
        return Ok(None);
    };
    package.grow(4 * text.len() as u64)?;
    let mut xml = Reader::new(package.job, &text, NAMESPACES);
    strings::read(&mut xml, colours).map(Some)
}

/// Sheets that are read so far, and their parts that are read after all sheets.
struct Sheets<'p> {
    /// State that all sheets share.
    shared: &'p Shared<'p>,
    parts: &'p Parts<'p>,
    /// Computed values of formulas, once there is a formula without a stored value.
    computed: Option<Computed>,
    /// Number of cells that may still be read.
    left: usize,
    /// Losses in cells, and pictures in cells.
    found: cells::Findings,
    /// Number of conditional formats that were left out.
    left_out: usize,
    /// Sheets so far.
    grids: Vec<Grid>,
    /// Drawings of the sheets so far.
    drawings: Vec<drawing::Drawing<'p>>,
    /// Pictures in the cells of each sheet.
    in_cells: Vec<Vec<InCell>>,
    /// Tables of all sheets, which formulas may refer to.
    tables: Vec<columns::Table>,
}

impl<'p> Sheets<'p> {
    /// Reads a sheet. Returns false if there are too many cells.
    fn add(
        &mut self,
        package: &mut Package<'_>,
        sheet: &Sheet,
        part: &'p str,
        book: &Book,
        names: &names::Names,
        build: &mut Builder<'_>,
    ) -> Result<bool> {
        let Some(text) = package.text(part, MAX_PART)? else {
            return Ok(false);
        };
        package.grow(3 * text.len() as u64)?;
        let mut grid = Grid {
            sheet: sheet.clone(),
            ..Grid::default()
        };
        // The default orientation of a chart sheet is landscape.
        grid.print.landscape = sheet.chart;
        let mut xml = Reader::new(package.job, &text, NAMESPACES);
        let addresses = package.addresses(part)?;
        let mut reader = sheet::Sheet {
            shared: self.shared,
            grid: &mut grid,
            addresses: &addresses,
            left: &mut self.left,
            found: &mut self.found,
            drawing: None,
            margins: None,
            fits: false,
            rules: conditions::Rules::default(),
        };
        if !reader.read(&mut xml)? {
            return Ok(false);
        }
        let (drawing, margins, rules) = (reader.drawing, reader.margins, reader.rules);
        if compute::is_incomplete(&grid) {
            let computed = match self.computed.take() {
                Some(computed) => computed,
                None => computed(package, self.parts.workbook, self.parts.all, book.epoch)?,
            };
            let nothing = compute::Values::new();
            self.found.unknown += compute::fill(&mut grid, computed.get(part).unwrap_or(&nothing));
            self.computed = Some(computed);
        }
        let references = package.references(part)?;
        let styles = &self.shared.styles;
        let tables = &mut self.tables;
        tables::read(package, &references, styles, &mut grid, book, tables)?;
        self.left_out += rules.left_out + apply_conditions(rules.rules, &mut grid, book);
        comments::read(package, &references, &mut grid)?;
        if let Some(id) = margins {
            margins::read(package, part, &id, &mut grid, build)?;
        }
        grid.add_anchors();
        names.apply(sheet.name(), &mut grid);
        let place = sheet.chart.then(|| grid.fill_page());
        self.drawings.extend(drawing.map(|id| drawing::Drawing {
            at: self.grids.len(),
            part,
            id,
            place,
        }));
        self.in_cells.push(std::mem::take(&mut self.found.pictures));
        self.grids.push(grid);
        Ok(true)
    }
}

/// Computed values of formulas, by the part of their sheet.
pub(super) type Computed = HashMap<String, compute::Values>;

/// Maximum size of a sheet part whose formulas are computed, in bytes.
const MAX_COMPUTED: u64 = 32 << 20;

/// Computes those formulas of a workbook that have no stored value. Reads all sheets, because each formula may refer to
/// any of them. Returns an empty map for a workbook that is too large.
pub(super) fn computed(
    package: &mut Package<'_>,
    workbook: &str,
    sheets: &[(Sheet, String)],
    epoch: Epoch,
) -> Result<Computed> {
    let references = package.references(workbook)?;
    let mut book = Book {
        epoch,
        ..Book::default()
    };
    // Values depend neither on styles nor on column widths, so these are not read.
    let styles = styles::Styles::default();
    let Some(strings) = strings(package, &references, &styles.colours, MAX_COMPUTED)? else {
        return Ok(Computed::new());
    };
    let shared = Shared {
        strings,
        epoch,
        digit: 7.0,
        styles,
        pictures: None,
    };
    let Some(text) = package.text(workbook, MAX_COMPUTED)? else {
        return Ok(Computed::new());
    };
    let names = names::read(&mut Reader::new(package.job, &text, NAMESPACES))?;
    let (mut left, mut tables) = (MAX_CELLS, Vec::new());
    for (sheet, part) in sheets {
        let Some(text) = package.text(part, MAX_COMPUTED)? else {
            return Ok(Computed::new());
        };
        package.grow(3 * text.len() as u64)?;
        let mut grid = Grid {
            sheet: sheet.clone(),
            ..Grid::default()
        };
        let mut xml = Reader::new(package.job, &text, NAMESPACES);
        if !cells::alone(&mut xml, &shared, &mut grid, &mut left)? {
            return Ok(Computed::new());
        }
        let references = package.references(part)?;
        tables::add_names(package, &references, &grid, &mut tables)?;
        book.grids.push(grid);
    }
    book.names = names.defined(&book.grids);
    resolve(package.job, &mut book, &tables)?;
    let values = compute::values(package.job, &book.grids, &book.names, epoch)?;
    let parts = sheets.iter().map(|(_, part)| part.clone());
    Ok(parts.zip(values).collect())
}

/// Replaces structured references by ranges in all formulas. A formula with an unknown table is dropped, but its
/// value is kept.
fn resolve(job: &Job<'_>, book: &mut Book, tables: &[columns::Table]) -> Result<()> {
    if tables.is_empty() {
        return Ok(());
    }
    for grid in &mut book.grids {
        let sheet = grid.sheet.name().to_owned();
        let mut left_out = false;
        for line in &mut grid.rows {
            for cell in &mut line.cells {
                let Some(formula) = &cell.formula else {
                    continue;
                };
                // Each formula may refer to many columns of large tables, so the deadline is checked for each.
                job.check()?;
                let place = (&*sheet, (line.number, cell.column));
                match columns::resolved(formula, tables, Some(place)) {
                    Ok(Some(resolved)) => cell.formula = Some(resolved.into()),
                    Ok(None) => {}
                    Err(()) => (cell.formula, left_out) = (None, true),
                }
            }
        }
        if left_out {
            grid.unread.insert(FORMULAS);
        }
    }
    book.names.retain_mut(|name| {
        let resolved = columns::resolved(&name.formula, tables, None);
        if let Ok(Some(formula)) = &resolved {
            name.formula = formula.as_str().into();
        }
        resolved.is_ok()
    });
    Ok(())
}

/// Reads the theme of a workbook, or returns the default theme.
pub(in crate::formats) fn theme(
    package: &mut Package<'_>,
    references: &[Reference],
) -> Result<Theme> {
    let Some((part, _)) = package.part("theme", references) else {
        return Ok(Theme::default());
    };
    let Some(text) = package.text(&part, MAX_PART)? else {
        return Ok(Theme::default());
    };
    let mut xml = Reader::new(package.job, &text, NAMESPACES);
    Theme::read(&mut xml)
}
