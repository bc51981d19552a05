//! Records with the column widths, the view and the page setup of a sheet (MS-XLSB 2.4). Reads no cells.

use crate::{
    biff::Record,
    shown::{
        book::{Column, Grid, MAX_LIST},
        measure,
        print::{self, Scale},
    },
};

// Types of records.
/// Width and style of columns (`BrtColInfo`).
const COLUMN: u16 = 60;
/// Options of the view, such as grid lines (`BrtBeginWsView`).
const VIEW: u16 = 137;
/// Options of the sheet, such as fitting to pages (`BrtWsProp`).
const PROPERTIES: u16 = 147;
/// Frozen or split panes (`BrtPane`).
const PANE: u16 = 151;
/// Beginning of the page breaks before rows (`BrtBeginRwBrk`).
const ROW_BREAKS: u16 = 392;
/// End of the page breaks before rows (`BrtEndRwBrk`).
const ROW_BREAKS_END: u16 = 393;
/// A page break (`BrtBrk`).
const BREAK: u16 = 396;
/// Page margins (`BrtMargins`).
const MARGINS: u16 = 476;
/// Centring on the page, grid lines and headings (`BrtPrintOptions`).
const PRINT_OPTIONS: u16 = 477;
/// Paper, orientation and scale (`BrtPageSetup`).
const PAGE: u16 = 478;
/// Headers and footers (`BrtBeginHeaderFooter`).
const MARGIN_TEXTS: u16 = 479;
/// Default column width and row height (`BrtWsFmtInfo`).
const DEFAULT: u16 = 485;

/// Reads a record. `fits` states whether the sheet is scaled to a number of pages. The file stores this flag before
/// that number.
pub(super) fn take(record: Record<'_>, grid: &mut Grid, digit: f32, fits: &mut bool) {
    match record.kind {
        PROPERTIES => *fits = record.u16(0) & 0x100 != 0,
        COLUMN if grid.columns.len() < MAX_LIST => grid.columns.extend(column(record, digit)),
        DEFAULT => {
            grid.default_width = match record.u32(0) {
                u32::MAX => measure::default_width(record.u16(4).into(), digit),
                width => measure::column_width(f64::from(width) / 256.0, digit),
            };
            grid.default_height = Some(f32::from(record.u16(6)) / 20.0);
            grid.hides_rows = record.u16(8) & 2 != 0;
        }
        VIEW => {
            grid.shows_lines = record.u16(0) & 4 != 0;
            grid.backwards = record.u16(0) & 0x20 != 0;
        }
        PANE if record.u8(28) & 3 != 0 => {
            let split = |at| record.f64(at).clamp(0.0, 1e6) as u32;
            grid.frozen = (split(8), split(0));
        }
        // The record of a break does not state its direction. All breaks are collected as column breaks. The list of
        // row breaks comes first; at its end, its breaks are moved.
        ROW_BREAKS => grid.print.row_breaks.clear(),
        ROW_BREAKS_END => {
            let all = std::mem::take(&mut grid.print.column_breaks);
            grid.print.row_breaks = all;
        }
        BREAK if grid.print.column_breaks.len() < MAX_LIST => {
            grid.print.column_breaks.insert(record.u32(0));
        }
        MARGINS => {
            let points = |at| {
                let points = record.f64(at) * 72.0;
                points.is_finite().then(|| points.clamp(0.0, 3600.0) as f32)
            };
            let setup = &mut grid.print;
            for (number, slot) in setup.margins.iter_mut().enumerate() {
                *slot = points(8 * number).unwrap_or(*slot);
            }
            setup.header_at = points(32).unwrap_or(setup.header_at);
            setup.footer_at = points(40).unwrap_or(setup.footer_at);
        }
        PRINT_OPTIONS => {
            let flags = record.u16(0);
            grid.print.centred = (flags & 1 != 0, flags & 2 != 0);
            grid.print.headings = flags & 4 != 0;
            grid.print.grid_lines = flags & 8 != 0;
        }
        PAGE => page(record, grid, *fits),
        MARGIN_TEXTS => margin_texts(record, grid),
        _ => {}
    }
}

/// Reads the properties of a column or a run of columns.
fn column(record: Record<'_>, digit: f32) -> Option<Column> {
    let width = f64::from(record.u32(8)) / 256.0;
    let (first, last) = (record.u32(0), record.u32(4).min((1 << 14) - 1));
    (first <= last).then(|| Column {
        first,
        last,
        width: Some(measure::column_width(width, digit)),
        hidden: record.u16(16) & 1 != 0,
        style: record.u32(12),
    })
}

/// Reads the page setup (BrtPageSetup).
fn page(record: Record<'_>, grid: &mut Grid, fits: bool) {
    let setup = &mut grid.print;
    let flags = record.u16(32);
    // Reads a number of pages. 0 stands for any number.
    let number = |at, most: u32| record.u32(at).min(most) as u16;
    if let Some(paper) = print::paper(i64::from(record.u32(0)).max(1)) {
        setup.paper = paper;
    }
    setup.landscape = flags & 2 != 0;
    setup.over_first = flags & 1 != 0;
    setup.without_colours = flags & 8 != 0;
    // Bit 5: comments are printed. Bit 8: at the end.
    setup.comments_at_end = flags & 0x120 == 0x120;
    setup.first_page = (flags & 0x80 != 0).then(|| record.u32(20));
    setup.scale = match fits {
        true => Scale::Fit(number(24, 32_767), number(28, 32_767)),
        false => Scale::By(print::scale(Some(record.u32(4).into()))),
    };
}

/// Reads headers and footers of odd, even and first pages.
fn margin_texts(record: Record<'_>, grid: &mut Grid) {
    let flags = record.u16(0);
    let mut at = Some(2);
    let mut texts = [const { String::new() }; 6];
    for text in &mut texts {
        at = at.and_then(|at| record.text(at, text));
    }
    let [odd, even, first] = [0, 2, 4].map(|pair| {
        [0, 1].map(|place| texts[pair + place].chars().take(1024).collect::<Box<str>>())
    });
    let setup = &mut grid.print.margin_texts;
    setup.odd = odd;
    setup.even = (flags & 1 != 0).then_some(even);
    setup.first = (flags & 2 != 0).then_some(first);
    setup.own_margins = flags & 8 == 0;
}
