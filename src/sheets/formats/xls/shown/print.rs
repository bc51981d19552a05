//! Records with the page setup, column widths and merged ranges of a sheet (MS-XLS 2.4.257 and others). Reads no
//! cells.

use super::super::{records::Records, sheet, strings::Texts};
use crate::{
    biff::Record,
    error::Result,
    shown::{
        book::{Column, Grid, MAX_LIST, Range},
        measure,
        print::{self, Scale},
    },
};

// Types of records.
/// End of the substream (`EOF`).
const END: u16 = 0x0a;

/// Page header (`Header`).
const HEADER: u16 = 0x14;
/// Page footer (`Footer`).
const FOOTER: u16 = 0x15;
/// Page breaks before columns (`VerticalPageBreaks`).
const COLUMN_BREAKS: u16 = 0x1a;
/// Page breaks before rows (`HorizontalPageBreaks`).
const ROW_BREAKS: u16 = 0x1b;
/// First of the four margins (`LeftMargin`).
const LEFT: u16 = 0x26;
/// Last of the four margins (`BottomMargin`).
const BOTTOM: u16 = 0x29;
/// Whether row and column headings are printed (`PrintRowCol`).
const HEADINGS: u16 = 0x2a;
/// Whether grid lines are printed (`PrintGrid`).
const GRID_LINES: u16 = 0x2b;
/// Frozen or split panes (`Pane`).
const PANE: u16 = 0x41;
/// Default column width (`DefColWidth`).
const DEFAULT_WIDTH: u16 = 0x55;
/// Width and style of columns (`ColInfo`).
const COLUMNS: u16 = 0x7d;
/// Options of the sheet, such as fitting to pages (`WsBool`).
const OPTIONS: u16 = 0x81;
/// Whether the sheet is centred horizontally on the page (`HCenter`).
const CENTRED_ACROSS: u16 = 0x83;
/// Whether the sheet is centred vertically on the page (`VCenter`).
const CENTRED_DOWN: u16 = 0x84;
/// Paper, orientation and scale (`Setup`).
const SETUP: u16 = 0xa1;
/// Merged cells (`MergeCells`).
const MERGED: u16 = 0xe5;
/// Default row height (`DefaultRowHeight`).
const DEFAULT_HEIGHT: u16 = 0x225;
/// Options of the view, such as grid lines (`Window2`).
const WINDOW: u16 = 0x23e;

/// Sets the defaults of a sheet. Margins are those of Excel 2003: 0.75 and 1 inch, and 0.5 inch for header and
/// footer.
pub(super) fn begin(grid: &mut Grid, digit: f32) {
    grid.default_width = measure::default_width(8.0, digit);
    grid.shows_lines = true;
    grid.print.margins = [54.0, 54.0, 72.0, 72.0];
    grid.print.header_at = 36.0;
    grid.print.footer_at = 36.0;
}

/// Reads the page setup of a chart sheet from the current position. Its default orientation is landscape.
pub(super) fn of_chart(records: &mut Records<'_>, grid: &mut Grid, texts: Texts) -> Result<()> {
    grid.print.landscape = true;
    let mut fits = false;
    records.next()?;
    while let Some(record) = records.next()? {
        if matches!(record.kind, END | sheet::BEGIN) {
            break;
        }
        take(record, grid, 0.0, texts, &mut fits);
    }
    Ok(())
}

/// Reads a record. `fits` is whether the sheet is scaled to a number of pages; it is stated before that number.
pub(super) fn take(record: Record<'_>, grid: &mut Grid, digit: f32, texts: Texts, fits: &mut bool) {
    let is_set = record.u16(0) != 0;
    let setup = &mut grid.print;
    match record.kind {
        HEADER | FOOTER => {
            let short = texts != Texts::Unicode;
            let mut text = String::new();
            if !record.data.is_empty() {
                texts.read(record.data, short, &mut text);
            }
            let place = usize::from(record.kind == FOOTER);
            setup.margin_texts.odd[place] = text.chars().take(1024).collect();
        }
        ROW_BREAKS | COLUMN_BREAKS => {
            // The records of Excel 97 also state the columns or rows that a break spans.
            let size = if texts == Texts::Unicode { 6 } else { 2 };
            let breaks = record.data.get(2..).unwrap_or_default().chunks_exact(size);
            let breaks = breaks.map(|one| u32::from(u16::from_le_bytes([one[0], one[1]])));
            match record.kind {
                ROW_BREAKS => setup.row_breaks.extend(breaks),
                _ => setup.column_breaks.extend(breaks),
            }
        }
        LEFT..=BOTTOM => {
            let inches = record.f64(0);
            if inches.is_finite() {
                setup.margins[usize::from(record.kind - LEFT)] =
                    (inches * 72.0).clamp(0.0, 3600.0) as f32;
            }
        }
        HEADINGS => setup.headings = is_set,
        GRID_LINES => setup.grid_lines = is_set,
        CENTRED_ACROSS => setup.centred.0 = is_set,
        CENTRED_DOWN => setup.centred.1 = is_set,
        OPTIONS => *fits = record.u16(0) & 0x100 != 0,
        SETUP => self::setup(record, grid, *fits),
        DEFAULT_WIDTH => grid.default_width = measure::default_width(record.u16(0).into(), digit),
        DEFAULT_HEIGHT => {
            grid.default_height = Some(f32::from(record.u16(2)) / 20.0);
            grid.hides_rows = record.u16(0) & 2 != 0;
        }
        COLUMNS if grid.columns.len() < MAX_LIST => {
            let width = f64::from(record.u16(4)) / 256.0;
            let column = Column {
                first: record.u16(0).into(),
                last: u32::from(record.u16(2)).min(0xff),
                width: Some(measure::column_width(width, digit)),
                hidden: record.u16(8) & 1 != 0,
                style: u32::from(record.u16(6)),
            };
            let after = grid
                .columns
                .last()
                .is_none_or(|last| last.last < column.first);
            if after && column.first <= column.last {
                grid.columns.push(column);
            }
        }
        MERGED => {
            for eight in record.data.get(2..).unwrap_or_default().chunks_exact(8) {
                let one = Record {
                    kind: MERGED,
                    data: eight,
                };
                let range = Range {
                    first: (one.u16(0).into(), one.u16(4).into()),
                    last: (one.u16(2).into(), one.u16(6).into()),
                };
                let ordered = range.first.0 <= range.last.0 && range.first.1 <= range.last.1;
                if ordered && grid.merged.len() < MAX_LIST {
                    grid.merged.push(range);
                }
            }
        }
        WINDOW => {
            grid.shows_lines = record.u16(0) & 2 != 0;
            grid.backwards = record.u16(0) & 0x40 != 0;
            // `u32::MAX` marks a frozen window until the record of its pane states the number of frozen rows and
            // columns.
            if record.u16(0) & 8 != 0 {
                grid.frozen = (u32::MAX, u32::MAX);
            }
        }
        PANE if grid.frozen.0 == u32::MAX => {
            grid.frozen = (record.u16(2).into(), record.u16(0).into());
        }
        _ => {}
    }
}

/// Reads the record Setup (MS-XLS 2.4.257): margins of header and footer, paper, orientation and scale.
fn setup(record: Record<'_>, grid: &mut Grid, fits: bool) {
    let setup = &mut grid.print;
    let flags = record.u16(10);
    let inches = |at| Some(record.f64(at) * 72.0).filter(|points| points.is_finite());
    let points = |points: f64| points.clamp(0.0, 3600.0) as f32;
    setup.header_at = inches(16).map_or(setup.header_at, points);
    setup.footer_at = inches(24).map_or(setup.footer_at, points);
    setup.over_first = flags & 1 != 0;
    setup.without_colours = flags & 8 != 0;
    // Bit 5: comments are printed. Bit 9: at the end.
    setup.comments_at_end = flags & 0x220 == 0x220;
    setup.first_page = (flags & 0x80 != 0).then(|| record.u16(4).into());
    // Bit 2: paper, scale and orientation were never set.
    let is_set = flags & 4 == 0;
    setup.scale = match fits {
        true => Scale::Fit(record.u16(6), record.u16(8)),
        false if is_set => Scale::By(print::scale(Some(record.u16(2).into()))),
        false => Scale::By(100),
    };
    if is_set {
        setup.paper = print::paper(record.u16(0).into()).unwrap_or(setup.paper);
        setup.landscape = flags & 2 == 0 && flags & 0x40 == 0;
    }
}
