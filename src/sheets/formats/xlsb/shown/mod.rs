//! Reads workbooks with their styles, sizes, page setups and formulas (MS-XLSB 2.1.7). Themes and drawings are parts
//! in XML, as in xlsx. Conversions that need only values use [`read`](super::read) instead.

mod book;
mod changes;
mod comments;
mod conditions;
mod late;
mod ranges;
mod setup;
mod sheet;
mod strings;
mod styles;

use super::records::Records;
use crate::{
    biff::{Scope, Shared},
    error::Result,
    formats::xlsx::shown::{drawing, margins, theme},
    job::Notes,
    ooxml::Package,
    sheet::Sheet,
    shown::{
        self,
        book::{Book, CELL, Grid, MAX_CELLS, Value},
        measure,
    },
    stored::Losses,
};
use convertd_layout::faces::Faces;
use convertd_office::time::Epoch;
use convertd_tree::Builder;

/// Parts of a workbook.
pub(super) struct Parts<'p> {
    /// Name of the workbook part.
    pub(super) workbook: &'p str,
    /// Sheets to read, with the names of their parts.
    pub(super) sheets: Vec<(Sheet, &'p str)>,
    /// Epoch of dates.
    pub(super) epoch: Epoch,
}

/// State that all sheets share while they are read.
struct Common {
    /// Shared strings.
    strings: Vec<Value>,
    /// Sheets and names to which formulas refer by number.
    scope: Scope,
    /// Fonts, colours and differential formats.
    styles: styles::Styles,
    /// Width of a digit in pixels, the unit of column widths.
    digit: f32,
    /// Maximum total length of all formulas as text, in bytes.
    most_formulas: u64,
}

/// Reads the sheets of a workbook. `None` if it has too many cells.
pub(super) fn read(
    package: &mut Package<'_>,
    parts: &Parts<'_>,
    build: &mut Builder<'_>,
    notes: &mut Notes,
) -> Result<Option<Book>> {
    let job = package.job;
    let references = package.references(parts.workbook)?;
    let sizes = parts.sheets.iter().map(|(_, part)| package.size(part));
    let size: u64 = sizes.flatten().fold(0, u64::saturating_add);
    let most_formulas = Shared::memory(size);
    // A cell takes at least twelve bytes in the file.
    package.grow((size / 12).min(MAX_CELLS as u64) * CELL + most_formulas)?;
    let theme = theme(package, &references)?;
    let mut book = Book {
        epoch: parts.epoch,
        ..Book::default()
    };
    book.saved = margins::saved(package)?;
    let mut styles = styles::Styles::new(theme.palette.clone());
    if let Some((part, size)) = package.part("styles", &references) {
        package.grow(8 * size)?;
        let mut records = Records::new(job, package.bytes(&part)?);
        styles.read(&mut records, &mut book)?;
    }
    let mut strings = Vec::new();
    if let Some((part, size)) = package.part("sharedStrings", &references) {
        package.grow(16 * size)?;
        let mut records = Records::new(job, package.bytes(&part)?);
        strings = strings::read(&mut records, &styles)?;
    }
    package.grow(4 * package.size(parts.workbook).unwrap_or(0))?;
    let mut records = Records::new(job, package.bytes(parts.workbook)?);
    let (scope, names) = book::read(&mut records)?;
    let digit = measure::digit_width(&book.normal, &mut Faces::new());
    let common = Common {
        strings,
        scope,
        styles,
        digit,
        most_formulas,
    };
    let (mut left, mut shared) = (MAX_CELLS, Shared::default());
    let (mut drawings, mut left_out, mut losses) = (Vec::new(), 0, Losses::default());
    for (sheet, part) in &parts.sheets {
        let addresses = package.addresses(part)?;
        let references = package.references(part)?;
        let mut grid = Grid {
            sheet: sheet.clone(),
            ..Grid::default()
        };
        // The default orientation of a chart sheet is landscape.
        grid.print.landscape = sheet.chart;
        let mut reader = sheet::Sheet {
            common: &common,
            grid: &mut grid,
            addresses: &addresses,
            left: &mut left,
            losses: &mut losses,
            shared: &mut shared,
            drawing: None,
            margins: None,
            lacks_formula: false,
            fits: false,
            rules: conditions::Rules::default(),
        };
        let mut records = Records::new(job, package.bytes(part)?);
        if !reader.read(&mut records)? {
            return Ok(None);
        }
        let drawing = reader.drawing.take();
        let pictures = reader.margins.take();
        let rules = std::mem::take(&mut reader.rules);
        left_out += rules.apply(&mut grid, &book);
        shared.clear();
        comments::read(package, &references, &mut grid)?;
        if let Some(id) = pictures {
            margins::read(package, part, &id, &mut grid, build)?;
        }
        grid.add_anchors();
        names.apply(sheet.name(), &mut grid);
        let place = sheet.chart.then(|| grid.fill_page());
        drawings.extend(drawing.map(|id| drawing::Drawing {
            at: book.grids.len(),
            part,
            id,
            place,
        }));
        book.grids.push(grid);
    }
    shown::conditions::add_notes(left_out, notes);
    losses.tell(notes);
    // Charts may show the cells of any sheet, so drawings come last.
    for drawing in drawings {
        let mut context = drawing::DrawingContext {
            theme: &theme,
            build: &mut *build,
            notes: &mut *notes,
        };
        let placed = drawing::read(package, &drawing, &book.grids, &mut context)?;
        book.grids[drawing.at].pictures = placed;
    }
    book.names = names.defined(&common.scope, &book.grids);
    Ok(Some(book))
}
