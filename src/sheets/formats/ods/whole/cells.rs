//! Tables of a spreadsheet with its styles (part 3, 9): columns, rows, cells, and print ranges. Computes nothing.

use super::{
    super::{
        names::{self, quoted},
        validations,
    },
    BUFFER,
    bands::{Bands, Span, rule},
    pictures,
    styles::{self, Names},
    text::{annotation, linked, words},
};
use crate::{
    cells::{COLUMNS, MAX_ROWS, letters},
    coding::escape::escaped,
    containers::zip,
    error::Result,
    meaning::Meaning,
    number::{Number, NumberStyle},
    shown::{
        book::{Book, Cell, Comment, Grid, Line, Link, Value},
        formula,
        inserted::Pictures,
    },
};
use convertd_office::time::Epoch;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fmt::Write as _,
};

/// Properties of cells that are stored by sheet, indexed by row and column.
struct Index<'g> {
    /// Numbers of rows and columns of merged ranges, by their first cell.
    spans: HashMap<(u32, u32), (u32, u32)>,
    /// Cells that merged cells cover.
    covered: HashSet<(u32, u32)>,
    /// Links by the first cell of their range.
    links: HashMap<(u32, u32), &'g Link>,
    /// Comments by their cell.
    comments: HashMap<(u32, u32), &'g Comment>,
    /// Last cell of array formulas, by their first cell.
    arrays: &'g HashMap<(u32, u32), (u32, u32)>,
    /// Index of the sheet, which is part of the names of its validation rules.
    sheet: usize,
}

/// Maximum number of covered cells that are indexed.
const MAX_COVERED: usize = 1 << 20;

/// Writes a table. Returns the number of formulas, in cells and defined names, that cannot be translated.
pub(super) fn table(
    book: &Book,
    (grid, number): (&Grid, usize),
    inserted: &Pictures,
    styles: &Names,
    zip: &mut zip::Writer<'_>,
    out: &mut String,
) -> Result<usize> {
    let _ = write!(
        out,
        "<table:table table:name=\"{}\" table:style-name=\"ta{number}\"{}>",
        escaped(grid.sheet.name()),
        print_ranges(grid)
    );
    pictures::frames(grid, inserted, out);
    columns(grid, out);
    let index = index(grid, number);
    let mut bands = Bands::of(grid);
    let mut lost = 0;
    let mut next = 0;
    let mut header = Header::of(grid);
    for line in &grid.rows {
        header.gap(grid, &mut bands, (next, line.number), number, out);
        header.begin(line.number, out);
        let (spans, _) = bands.at(line.number);
        lost += row(book, grid, (line, spans), &index, styles, out);
        next = line.number + 1;
        header.end(next, out);
        if out.len() > BUFFER {
            zip.append(out.as_bytes())?;
            out.clear();
        }
    }
    // Validation rules and print titles may extend below the last row.
    let end = bands.end.max(header.rows.map_or(0, |(_, last)| last + 1));
    header.gap(grid, &mut bands, (next, end), number, out);
    if grid.rows.is_empty() && end == 0 {
        out.push_str("<table:table-row><table:table-cell/></table:table-row>");
    }
    lost += names::write(book, Some(number), out);
    out.push_str("</table:table>");
    Ok(lost)
}

/// Attribute with the print ranges.
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
        escaped(&areas.collect::<Vec<_>>().join(" "))
    )
}

/// Writes the columns. A run of equal columns ends where properties change, at page breaks, and at the edges of print
/// titles.
fn columns(grid: &Grid, out: &mut String) {
    let repeated = grid.print.repeated_columns;
    let repeated = repeated.filter(|(first, last)| first <= last && *last < COLUMNS);
    let breaks = &grid.print.column_breaks;
    let mut edges = BTreeSet::from([0, COLUMNS]);
    edges.extend(breaks.iter().flat_map(|at| [*at, at.saturating_add(1)]));
    edges.extend(repeated.iter().flat_map(|(first, last)| [*first, last + 1]));
    let own = grid.columns.iter();
    edges.extend(own.flat_map(|column| [column.first, column.last.saturating_add(1)]));
    let edges: Vec<u32> = edges.range(..=COLUMNS).copied().collect();
    for edge in edges.windows(2) {
        let (first, end) = (edge[0], edge[1]);
        if repeated.is_some_and(|(begin, _)| begin == first) {
            out.push_str("<table:table-header-columns>");
        }
        let column = grid.column(first);
        let width = column.and_then(|column| column.width);
        let hidden = match column.is_some_and(|column| column.hidden) {
            true => " table:visibility=\"collapse\"",
            false => "",
        };
        let _ = write!(
            out,
            "<table:table-column table:style-name=\"{}\" table:number-columns-repeated=\"{}\" table:default-cell-style-name=\"ce{}\"{hidden}/>",
            styles::column(
                width.unwrap_or(grid.default_width) * 0.75,
                breaks.contains(&first)
            ),
            end - first,
            column.map_or(0, |column| column.style)
        );
        if repeated.is_some_and(|(_, last)| last + 1 == end) {
            out.push_str("</table:table-header-columns>");
        }
    }
}

/// Indexes links, comments and merged cells of a sheet.
fn index(grid: &Grid, sheet: usize) -> Index<'_> {
    let mut index = Index {
        spans: HashMap::new(),
        covered: HashSet::new(),
        links: grid
            .links
            .iter()
            .map(|link| (link.range.first, link))
            .collect(),
        comments: (grid.comments.iter())
            .map(|comment| ((comment.row, comment.column), comment))
            .collect(),
        arrays: &grid.arrays,
        sheet,
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

/// Print titles at the top of each page (`table:table-header-rows`).
struct Header {
    /// First and last row.
    rows: Option<(u32, u32)>,
    /// Whether the element is open.
    open: bool,
}

impl Header {
    /// Reads the print titles of a sheet.
    fn of(grid: &Grid) -> Self {
        let rows = grid.print.repeated_rows;
        Self {
            rows: rows.filter(|(first, last)| first <= last && *last < MAX_ROWS),
            open: false,
        }
    }

    /// Opens the element if `row` is its first row.
    fn begin(&mut self, row: u32, out: &mut String) {
        if self.rows.is_some_and(|(first, _)| first == row) && !self.open {
            out.push_str("<table:table-header-rows>");
            self.open = true;
        }
    }

    /// Closes the element if `next` is the row after it.
    fn end(&mut self, next: u32, out: &mut String) {
        if self.open && self.rows.is_some_and(|(_, last)| last + 1 == next) {
            out.push_str("</table:table-header-rows>");
            self.open = false;
        }
    }

    /// Writes rows without content, split at the edges of the print titles.
    fn gap(
        &mut self,
        grid: &Grid,
        bands: &mut Bands,
        (from, to): (u32, u32),
        sheet: usize,
        out: &mut String,
    ) {
        let mut next = from;
        while next < to {
            self.begin(next, out);
            let edges = self.rows.map_or([to; 2], |(first, last)| [first, last + 1]);
            let edges = edges.into_iter().filter(|edge| *edge > next);
            let end = edges.min().unwrap_or(to).min(to);
            gap(grid, bands, (next, end), sheet, out);
            next = end;
            self.end(next, out);
        }
    }
}

/// Writes rows without content, which may have validation rules.
fn gap(grid: &Grid, bands: &mut Bands, (from, to): (u32, u32), sheet: usize, out: &mut String) {
    let hidden = if grid.hides_rows {
        " table:visibility=\"collapse\""
    } else {
        ""
    };
    let style = styles::row(grid.default_height, false);
    let mut next = from;
    while next < to {
        let (spans, until) = bands.at(next);
        let count = until.min(to) - next;
        next += count;
        let _ = write!(
            out,
            "<table:table-row table:style-name=\"{style}\" table:number-rows-repeated=\"{count}\"{hidden}>"
        );
        match spans.last() {
            Some((_, last, _)) => empty(spans, (0, last + 1), sheet, out),
            None => out.push_str("<table:table-cell/>"),
        }
        out.push_str("</table:table-row>");
    }
}

/// Writes empty cells with their validation rules.
fn empty(spans: &[Span], (from, to): (u32, u32), sheet: usize, out: &mut String) {
    let mut next = from;
    let mut put = |count: u32, number: Option<usize>| {
        let _ = write!(
            out,
            "<table:table-cell table:number-columns-repeated=\"{count}\"{}/>",
            validation(number, sheet)
        );
    };
    let begin = spans.partition_point(|(_, last, _)| *last < from);
    for (first, last, number) in &spans[begin..] {
        let (first, end) = ((*first).max(next), (last + 1).min(to));
        if first >= end {
            break;
        }
        if first > next {
            put(first - next, None);
        }
        put(end - first, Some(*number));
        next = end;
    }
    if to > next {
        put(to - next, None);
    }
}

/// Attribute of a cell with the name of its validation rule.
fn validation(number: Option<usize>, sheet: usize) -> String {
    number.map_or(String::new(), |number| {
        let name = validations::name(sheet, number);
        format!(" table:content-validation-name=\"{name}\"")
    })
}

/// Writes a row with its cells. Returns the number of formulas that cannot be translated.
fn row(
    book: &Book,
    grid: &Grid,
    (line, spans): (&Line, &[Span]),
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
    let height = line.height.or(grid.default_height);
    let _ = write!(
        out,
        "<table:table-row table:style-name=\"{}\"{hidden}>",
        styles::row(height, breaks)
    );
    let mut next = 0;
    let mut lost = 0;
    for cell in &line.cells {
        empty(spans, (next, cell.column), index.sheet, out);
        let place = (line.number, rule(spans, cell.column));
        lost += usize::from(!self::cell(book, place, cell, index, names, out));
        next = cell.column + 1;
    }
    if let Some((_, last, _)) = spans.last() {
        empty(spans, (next, last + 1), index.sheet, out);
    } else if line.cells.is_empty() {
        out.push_str("<table:table-cell/>");
    }
    out.push_str("</table:table-row>");
    lost
}

/// Writes the attributes of a number. Its number format makes it a date, a time or a percentage.
fn number(number: f64, meaning: Meaning, epoch: Epoch, out: &mut String) {
    if let Meaning::Moment(clock) = meaning
        && let Some(moment) = epoch.moment(number, clock)
    {
        return super::super::write::moment(moment, out);
    }
    let kind = match meaning {
        Meaning::Number(NumberStyle::Percent(_)) => "percentage",
        Meaning::Number(_) | Meaning::Moment(_) => "float",
    };
    let _ = write!(out, " office:value-type=\"{kind}\" office:value=\"");
    Number::general(number).write_plain(out);
    out.push('"');
}

/// Writes a cell. Returns false if its formula cannot be translated.
fn cell(
    book: &Book,
    (row, rule): (u32, Option<usize>),
    cell: &Cell,
    index: &Index<'_>,
    names: &Names,
    out: &mut String,
) -> bool {
    let place = (row, cell.column);
    let element = match index.covered.contains(&place) {
        true => "covered-table-cell",
        false => "table-cell",
    };
    let _ = write!(
        out,
        "<table:{element} table:style-name=\"ce{}\"{}",
        cell.style,
        validation(rule, index.sheet)
    );
    if let Some((rows, columns)) = index.spans.get(&place) {
        let _ = write!(
            out,
            " table:number-rows-spanned=\"{rows}\" table:number-columns-spanned=\"{columns}\""
        );
    }
    let own = cell.formula.as_deref();
    let translated = own.is_none_or(|own| formula_of(own, place, index, out));
    value(book, cell, names, out);
    let comment = index.comments.get(&place);
    if cell.value.is_empty() && comment.is_none() {
        out.push_str("/>");
        return translated;
    }
    out.push('>');
    if let Some(comment) = comment {
        annotation(comment, out);
    }
    if !cell.value.is_empty() {
        let words = words(book, cell, names);
        match index.links.get(&place) {
            Some(link) => linked(&words, link, out),
            None => {
                let _ = write!(out, "<text:p>{words}</text:p>");
            }
        }
    }
    let _ = write!(out, "</table:{element}>");
    translated
}

/// Writes the attributes of a formula. Returns false if it cannot be translated.
fn formula_of(own: &str, place: (u32, u32), index: &Index<'_>, out: &mut String) -> bool {
    let Some(open) = formula::to_open(own) else {
        return false;
    };
    let _ = write!(out, " table:formula=\"of:={}\"", escaped(&open));
    if let Some((last_row, last_column)) = index.arrays.get(&place) {
        let _ = write!(
            out,
            " table:number-matrix-columns-spanned=\"{}\" table:number-matrix-rows-spanned=\"{}\"",
            last_column.saturating_sub(place.1) + 1,
            last_row.saturating_sub(place.0) + 1
        );
    }
    true
}

/// Writes the attributes of the value of a cell.
fn value(book: &Book, cell: &Cell, names: &Names, out: &mut String) {
    match &cell.value {
        Value::Number(number) if number.is_finite() => {
            self::number(*number, names.meaning(cell.style), book.epoch, out);
        }
        Value::Boolean(is) => {
            let _ = write!(
                out,
                " office:value-type=\"boolean\" office:boolean-value=\"{is}\""
            );
        }
        Value::Empty => {}
        Value::Error(_) => {
            out.push_str(" office:value-type=\"string\" calcext:value-type=\"error\"");
        }
        _ => out.push_str(" office:value-type=\"string\""),
    }
}
