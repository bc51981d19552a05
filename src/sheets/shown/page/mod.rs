//! PDF of sheets, on the pages that Excel would print. Reads no file.
//!
//! ```text
//! Grid ──► Axis (visible rows, columns) ──► Leaf (cells of a page) ──► items ──► medium
//! ```
//! All sheets are divided into pages before the first page is drawn, because headers contain the number of pages.

mod axis;
mod cell;
mod drawing;
mod edges;
mod heights;
mod leaf;
mod margins;
mod plan;
mod reach;

use super::{
    book::{Book, Grid},
    measure,
    merged::Merged,
    print::{Scale, Setup},
    style::Font,
};
use crate::{
    error::{Error, Kind, Result},
    job::{Job, Notes, Options, Output, Progress, Unit},
    options,
    worksheet::View,
};
use axis::Axis;
use convertd_layout::{
    context::Layout, item::Item, medium::Medium, memory::Part, paper, sections::PageLabel,
};
use convertd_pages::document;
use convertd_tree::{Builder, Numeral};
use margins::Margins;
use plan::{Leaf, Printed};

/// Difference between the last and first row, and between the last and first column, from which a print area counts as
/// whole columns or whole rows: the indices of the last row and column of Excel 97.
const WHOLE: (u32, u32) = (0xffff, 0xff);

/// Writes the sheets of a workbook as a PDF.
///
/// Errors: [`Kind::BadInput`] if the workbook has no sheets, or a sheet takes too many pages.
pub(crate) fn write(
    job: &Job<'_>,
    book: &Book,
    build: Builder<'_>,
    view: View,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut document = build.finish(notes)?;
    if let Some(title) = job.options().word("title") {
        document.metadata.title = Some(title.to_owned());
    }
    convertd_tree::contents::ensure_title(job, &mut document);
    let (mut left_out, mut dated) = (false, false);
    let fill = &mut |layout: &mut Layout<'_>, medium: &mut dyn Medium| {
        let (labels, margins) = pages(job, book, view, layout, medium)?;
        (left_out, dated) = margins;
        Ok(labels)
    };
    document::pdf_pages(job, &document, output, fill, notes)?;
    if left_out {
        notes.add(
            "Unknown dates and times, and missing pictures, were left out of headers and footers."
                .to_owned(),
        );
    }
    if dated {
        notes.add("Dates and times in headers and footers are those of the last save.".to_owned());
    }
    Ok(())
}

/// Draws all pages. Returns their labels, and two flags: whether something was left out of headers and footers, and
/// whether a date or time was inserted there.
fn pages(
    job: &Job<'_>,
    book: &Book,
    view: View,
    layout: &mut Layout<'_>,
    medium: &mut dyn Medium,
) -> Result<(Vec<PageLabel>, (bool, bool))> {
    layout.memory.set(Part::Cells, book.memory())?;
    let normal = book.normal.clone();
    let (mut printed, mut leaves) = (Vec::new(), Vec::new());
    for grid in &book.grids {
        job.check()?;
        let one = prepare(job, book, grid, view, layout)?;
        leaves.extend(one.leaves(printed.len(), book)?);
        printed.push(one);
    }
    if leaves.is_empty() {
        // If no sheet has anything to print, the PDF gets one empty page, because it needs at least one page. A
        // workbook without sheets is an error.
        let Some(one) = printed.first() else {
            return Err(Error::new(
                Kind::BadInput,
                "the workbook has no sheet with cells",
            ));
        };
        let (width, height) = one.setup.page();
        medium.begin_page(width, height)?;
        medium.end_page();
        return Ok((vec![label(1)], (false, false)));
    }
    plan::number(&mut leaves, &printed);
    let mut tables = leaf::Tables::default();
    let total = leaves.len() as u64;
    for (number, leaf) in leaves.iter().enumerate() {
        job.check()?;
        job.progress(Progress {
            done: number as u64,
            total,
            unit: Unit::Pages,
        });
        layout.memory.set(Part::Pages, medium.memory())?;
        let one = &printed[leaf.printed];
        let (width, height) = one.setup.page();
        medium.begin_page(width, height)?;
        let begins = number == 0 || leaves[number - 1].printed != leaf.printed;
        for item in leaf::draw(layout, book, one, leaf, view, begins, &mut tables)? {
            medium.draw(&item, 0.0, 0.0);
        }
        medium.end_page();
    }
    let name = job.task.file_title.as_deref().unwrap_or("");
    let file = format!("{name}.{}", job.from.name);
    let mut margins = Margins {
        pages: leaves.len() as u32,
        file: &file,
        normal: &normal,
        saved: book.saved.as_ref(),
        dated: false,
        left_out: false,
    };
    for (number, leaf) in leaves.iter().enumerate() {
        let begins = number == 0 || leaves[number - 1].printed != leaf.printed;
        let one = &printed[leaf.printed];
        margins.draw(layout, medium, number, leaf, one, begins);
    }
    let labels = leaves.iter().map(|leaf: &Leaf| label(leaf.number));
    Ok((labels.collect(), (margins.left_out, margins.dated)))
}

/// Label of a page in the viewer: its printed number.
fn label(number: u32) -> PageLabel {
    PageLabel {
        number,
        numeral: Numeral::Decimal,
    }
}

/// Applies the page options to a page setup.
fn set_up(chosen: &Options, setup: &mut Setup) {
    let points = |millimetres: f64| (millimetres * 72.0 / 25.4) as f32;
    let size = chosen.word(paper::PAGE_SIZE.name);
    if let Some((width, height)) = size.and_then(paper::size) {
        setup.paper = (points(width), points(height));
    }
    // The paper in the file may be wider than high, and `landscape` turns it. So the flag is set only if the wanted
    // orientation is not that of the paper.
    if let Some(wanted) = paper::is_landscape(chosen) {
        let is_wide = setup.paper.0 > setup.paper.1;
        setup.landscape = wanted != is_wide;
    }
    if let Some(margin) = chosen.integer(paper::MARGIN.name) {
        let margin = points(f64::from(margin));
        setup.margins = [margin; 4];
        // Header and footer stay within the new margin.
        setup.header_at = setup.header_at.min(margin / 2.0);
        setup.footer_at = setup.footer_at.min(margin / 2.0);
    }
    if chosen.word(options::FIT.name) == Some("width") {
        setup.scale = Scale::Fit(1, 0);
    }
}

/// Measures the rows and columns of a sheet and prepares its page setup.
fn prepare<'a>(
    job: &Job<'_>,
    book: &Book,
    grid: &'a Grid,
    view: View,
    layout: &mut Layout<'_>,
) -> Result<Printed<'a>> {
    let mut setup = grid.print.clone();
    set_up(job.options(), &mut setup);
    let (mut rows, mut columns) = grid.used(book);
    let merged = Merged::new(&grid.merged);
    if setup.areas.is_empty() && columns > 0 {
        columns = reach::columns(job, book, (grid, &merged), columns, view, layout)?;
    }
    let reached = columns;
    // A picture may reach a row and a column beyond the estimate.
    for picture in &grid.pictures {
        let last = picture.last();
        rows = rows.max(last.0.saturating_add(2));
        columns = columns.max(last.1.saturating_add(2));
    }
    for area in &mut setup.areas {
        // A print area of whole rows or columns ends at the last row or column in use.
        if area.last.0 - area.first.0 >= WHOLE.0 {
            area.last.0 = area.first.0.max(rows.saturating_sub(1));
        }
        if area.last.1 - area.first.1 >= WHOLE.1 {
            area.last.1 = area.first.1.max(columns.saturating_sub(1));
        }
    }
    for area in &setup.areas {
        rows = rows.max(area.last.0.saturating_add(1));
        columns = columns.max(area.last.1.saturating_add(1));
    }
    for range in &grid.merged {
        // A merged range may reach beyond the used cells. Its rows and columns are measured, too, because its text
        // needs them.
        if range.first.0 < rows && range.first.1 < columns {
            columns = columns.max(range.last.1.saturating_add(1));
            rows = rows.max(range.last.0.saturating_add(1));
        }
    }
    let (rows, columns) = (rows.min(1 << 20), columns.min(1 << 14));
    let columns = Axis::new((0..columns).map(|column| (column, grid.width(column))));
    let rows = heights::rows(job, book, grid, rows, view, layout)?;
    let normal: &Font = &book.normal;
    let headings = match setup.headings {
        true => (
            measure::default_width(4.0, measure::digit_width(normal, &mut layout.faces)) * 0.75,
            measure::row_height(normal, &mut layout.faces),
        ),
        false => (0.0, 0.0),
    };
    if let Scale::By(0) = setup.scale {
        setup.scale = Scale::By(100);
    }
    let mut printed = Printed::new((grid, merged), setup, (rows, columns), headings);
    printed.reached = reached;
    Ok(printed)
}

/// Moves items from the coordinates of the cells to those of the page, and scales them.
fn shifted(mut items: Vec<Item>, x: f32, y: f32, scale: f32) -> Vec<Item> {
    if scale == 1.0 {
        items.iter_mut().for_each(|item| item.shift(x, y));
        return items;
    }
    vec![Item::Moved {
        matrix: [scale, 0.0, 0.0, scale, x, y],
        items,
    }]
}
