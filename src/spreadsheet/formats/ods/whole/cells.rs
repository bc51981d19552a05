//! Tables of a spreadsheet that is written with its looks (part 3, 9): columns, rows, cells, and the ranges that are printed.

use super::{
    BUFFER,
    styles::{self, Names},
    text,
};
use crate::{
    containers::zip,
    error::Result,
    spreadsheet::{
        cells::letters,
        sheet::View,
        shown::{
            book::{Book, Cell, Grid, Line, Link, Value},
            formula,
            text::Shown,
        },
    },
};
use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
};

/// What is looked up by cells.
struct Index<'g> {
    spans: HashMap<(u32, u32), (u32, u32)>,
    covered: HashSet<(u32, u32)>,
    links: HashMap<(u32, u32), &'g Link>,
}

/// The limit on cells that others cover.
const MAX_COVERED: usize = 1 << 20;

/// Writes a table. Returns how many formulas could not be translated.
pub(super) fn table(
    book: &Book,
    grid: &Grid,
    number: usize,
    names: &Names,
    zip: &mut zip::Writer<'_>,
    out: &mut String,
) -> Result<usize> {
    let _ = write!(
        out,
        "<table:table table:name=\"{}\" table:style-name=\"ta{number}\"{}>",
        text(grid.sheet.name()),
        print_ranges(grid)
    );
    columns(grid, out);
    let index = index(grid);
    let mut lost = 0;
    let mut next = 0;
    let header = grid.print.repeated_rows;
    for line in &grid.rows {
        gap(grid, next, line.number, out);
        let begins = header.is_some_and(|(first, _)| line.number == first);
        // Rows that are repeated are in an element of their own, if they all are there.
        let whole =
            header.is_some_and(|(first, last)| (first..=last).all(|row| grid.row(row).is_some()));
        if begins && whole {
            out.push_str("<table:table-header-rows>");
        }
        lost += row(book, grid, line, &index, names, out);
        if whole && header.is_some_and(|(_, last)| line.number == last) {
            out.push_str("</table:table-header-rows>");
        }
        if out.len() > BUFFER {
            zip.append(out.as_bytes())?;
            out.clear();
        }
        next = line.number + 1;
    }
    if grid.rows.is_empty() {
        out.push_str("<table:table-row><table:table-cell/></table:table-row>");
    }
    out.push_str("</table:table>");
    Ok(lost)
}

fn print_ranges(grid: &Grid) -> String {
    if grid.print.areas.is_empty() {
        return String::new();
    }
    let sheet = quoted(grid.sheet.name());
    let areas = grid.print.areas.iter().map(|area| {
        format!(
            "{sheet}.{}{}:{sheet}.{}{}",
            letters(area.first.1),
            area.first.0 + 1,
            letters(area.last.1),
            area.last.0 + 1
        )
    });
    format!(
        " table:print-ranges=\"{}\"",
        text(&areas.collect::<Vec<_>>().join(" "))
    )
}

fn quoted(sheet: &str) -> String {
    match sheet.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => sheet.to_owned(),
        false => format!("'{}'", sheet.replace('\'', "''")),
    }
}

fn columns(grid: &Grid, out: &mut String) {
    let mut next = 0;
    let mut put = |first: u32, last: u32, width: f32, style: u32, hidden: bool, breaks: bool| {
        let hidden = if hidden {
            " table:visibility=\"collapse\""
        } else {
            ""
        };
        let _ = write!(
            out,
            "<table:table-column table:style-name=\"{}\" table:number-columns-repeated=\"{}\" table:default-cell-style-name=\"ce{style}\"{hidden}/>",
            styles::column(width, breaks),
            last - first + 1
        );
    };
    let usual = grid.usual_width * 0.75;
    for column in &grid.columns {
        if column.first > next {
            put(next, column.first - 1, usual, 0, false, false);
        }
        let width = column.width.map_or(usual, |width| width * 0.75);
        let breaks = grid.print.column_breaks.contains(&column.first);
        if breaks && column.last > column.first {
            put(
                column.first,
                column.first,
                width,
                column.style,
                column.hidden,
                true,
            );
            put(
                column.first + 1,
                column.last,
                width,
                column.style,
                column.hidden,
                false,
            );
        } else {
            put(
                column.first,
                column.last,
                width,
                column.style,
                column.hidden,
                breaks,
            );
        }
        next = column.last + 1;
    }
    if next < 16_384 {
        put(next, 16_383, usual, 0, false, false);
    }
}

fn index(grid: &Grid) -> Index<'_> {
    let mut index = Index {
        spans: HashMap::new(),
        covered: HashSet::new(),
        links: grid
            .links
            .iter()
            .map(|link| (link.range.first, link))
            .collect(),
    };
    for range in &grid.merged {
        let rows = range.last.0 - range.first.0 + 1;
        let columns = range.last.1 - range.first.1 + 1;
        index.spans.insert(range.first, (rows, columns));
        if index.covered.len() + (rows as usize).saturating_mul(columns as usize) > MAX_COVERED {
            continue;
        }
        for row in range.first.0..=range.last.0 {
            index
                .covered
                .extend((range.first.1..=range.last.1).map(|column| (row, column)));
        }
        index.covered.remove(&range.first);
    }
    index
}

/// Rows that say nothing.
fn gap(grid: &Grid, from: u32, to: u32, out: &mut String) {
    if to > from {
        let hidden = if grid.hides_rows {
            " table:visibility=\"collapse\""
        } else {
            ""
        };
        let _ = write!(
            out,
            "<table:table-row table:style-name=\"{}\" table:number-rows-repeated=\"{}\"{hidden}><table:table-cell/></table:table-row>",
            styles::row(grid.usual_height, false),
            to - from
        );
    }
}

fn row(
    book: &Book,
    grid: &Grid,
    line: &Line,
    index: &Index<'_>,
    names: &Names,
    out: &mut String,
) -> usize {
    let hidden = if line.hidden {
        " table:visibility=\"collapse\""
    } else {
        ""
    };
    let breaks = grid.print.row_breaks.contains(&line.number);
    let height = line.height.or(grid.usual_height);
    let _ = write!(
        out,
        "<table:table-row table:style-name=\"{}\"{hidden}>",
        styles::row(height, breaks)
    );
    let mut next = 0;
    let mut lost = 0;
    for cell in &line.cells {
        if cell.column > next {
            let _ = write!(
                out,
                "<table:table-cell table:number-columns-repeated=\"{}\"/>",
                cell.column - next
            );
        }
        lost += usize::from(!self::cell(book, line.number, cell, index, names, out));
        next = cell.column + 1;
    }
    if line.cells.is_empty() {
        out.push_str("<table:table-cell/>");
    }
    out.push_str("</table:table-row>");
    lost
}

/// False if its formula could not be translated.
fn cell(
    book: &Book,
    row: u32,
    cell: &Cell,
    index: &Index<'_>,
    names: &Names,
    out: &mut String,
) -> bool {
    let place = (row, cell.column);
    let covered = index.covered.contains(&place);
    let element = if covered {
        "covered-table-cell"
    } else {
        "table-cell"
    };
    let _ = write!(
        out,
        "<table:{element} table:style-name=\"ce{}\"",
        cell.style
    );
    if let Some((rows, columns)) = index.spans.get(&place) {
        let _ = write!(
            out,
            " table:number-rows-spanned=\"{rows}\" table:number-columns-spanned=\"{columns}\""
        );
    }
    let mut translated = true;
    if let Some(own) = &cell.formula {
        match formula::to_open(own) {
            Some(open) => {
                let _ = write!(out, " table:formula=\"of:={}\"", text(&open));
            }
            None => translated = false,
        }
    }
    let style = book.style(cell.style);
    let shown = Shown::of(cell, &style, book, View::Shown);
    let _ = match &cell.value {
        Value::Number(number) if number.is_finite() => {
            // A date is a number here as well; what makes it one is its number format.
            let kind = match style.format.code.contains('%') {
                true => "percentage",
                false => "float",
            };
            write!(
                out,
                " office:value-type=\"{kind}\" office:value=\"{number}\""
            )
        }
        Value::Boolean(is) => {
            write!(
                out,
                " office:value-type=\"boolean\" office:boolean-value=\"{is}\""
            )
        }
        Value::Empty => write!(out, ""),
        _ => write!(out, " office:value-type=\"string\""),
    };
    if cell.value.is_empty() {
        out.push_str("/>");
        return translated;
    }
    out.push('>');
    let link = index.links.get(&place);
    let mut words = String::new();
    for run in &shown.runs {
        let look = run.font.as_ref().map(|font| names.run(font));
        for (number, line) in run.text.split('\n').enumerate() {
            if number > 0 {
                words.push_str("</text:p><text:p>");
            }
            if let Some(look) = &look {
                let _ = write!(words, "<text:span text:style-name=\"{look}\">");
            }
            super::super::write::paragraphs(line, &mut words);
            if look.is_some() {
                words.push_str("</text:span>");
            }
        }
    }
    match link {
        Some(link) if !words.contains("</text:p>") => {
            let _ = write!(
                out,
                "<text:p><text:a xlink:type=\"simple\" xlink:href=\"{}\">{words}</text:a></text:p>",
                text(&link.target)
            );
        }
        _ => {
            let _ = write!(out, "<text:p>{words}</text:p>");
        }
    }
    let _ = write!(out, "</table:{element}>");
    translated
}
