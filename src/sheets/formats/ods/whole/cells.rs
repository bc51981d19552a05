//! Tables of a spreadsheet with its formatting (part 3, 9): columns, rows, cells, and print ranges.

use super::{
    super::{
        names::{self, quoted},
        validations,
    },
    BUFFER,
    bands::{Bands, Span, rule},
    styles::{self, Names},
};
use crate::{
    cells::{COLUMNS, MAX_ROWS, letters},
    coding::escape::escaped,
    containers::zip,
    error::Result,
    meaning::Meaning,
    number::{Look, Number},
    sheet::View,
    shown::{
        book::{Book, Cell, Comment, Grid, Line, Link, Run, Value},
        formula,
        text::Shown,
    },
};
use convertd_office::time::Epoch;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fmt::Write as _,
};

/// Properties of cells, indexed by row and column.
struct Index<'g> {
    spans: HashMap<(u32, u32), (u32, u32)>,
    covered: HashSet<(u32, u32)>,
    links: HashMap<(u32, u32), &'g Link>,
    comments: HashMap<(u32, u32), &'g Comment>,
    arrays: &'g HashMap<(u32, u32), (u32, u32)>,
    /// The number of the sheet, which is part of the names of its validation rules.
    sheet: usize,
}

/// Limit on cells covered by merged cells.
const MAX_COVERED: usize = 1 << 20;

/// Writes a table. Returns the number of formulas that could not be translated.
pub(super) fn table(
    book: &Book,
    grid: &Grid,
    number: usize,
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
    let end = bands.end.max(header.rows.map_or(0, |(_, last)| last + 1));
    header.gap(grid, &mut bands, (next, end), number, out);
    if grid.rows.is_empty() && end == 0 {
        out.push_str("<table:table-row><table:table-cell/></table:table-row>");
    }
    lost += names::write(book, Some(number), out);
    out.push_str("</table:table>");
    Ok(lost)
}

/// The attribute value for the ranges that are printed.
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

/// The columns, in groups that end where the formatting changes, at page breaks, and at the edges of repeated columns.
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
                width.unwrap_or(grid.usual_width) * 0.75,
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

/// The rows that are repeated on each page, which are in an element of their own.
struct Header {
    rows: Option<(u32, u32)>,
    open: bool,
}

impl Header {
    fn of(grid: &Grid) -> Self {
        let rows = grid.print.repeated_rows;
        Self {
            rows: rows.filter(|(first, last)| first <= last && *last < MAX_ROWS),
            open: false,
        }
    }

    /// Opens the element if this row is the first repeated one.
    fn begin(&mut self, row: u32, out: &mut String) {
        if self.rows.is_some_and(|(first, _)| first == row) && !self.open {
            out.push_str("<table:table-header-rows>");
            self.open = true;
        }
    }

    /// Closes the element if this row is the first one after it.
    fn end(&mut self, next: u32, out: &mut String) {
        if self.open && self.rows.is_some_and(|(_, last)| last + 1 == next) {
            out.push_str("</table:table-header-rows>");
            self.open = false;
        }
    }

    /// Rows without content or formatting, divided at the edges of repeated rows.
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

/// Empty rows that only have validation rules.
fn gap(grid: &Grid, bands: &mut Bands, (from, to): (u32, u32), sheet: usize, out: &mut String) {
    let hidden = if grid.hides_rows {
        " table:visibility=\"collapse\""
    } else {
        ""
    };
    let style = styles::row(grid.usual_height, false);
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

/// Empty cells, with their validation rules.
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

/// The attribute of a cell that names its validation rule.
fn validation(number: Option<usize>, sheet: usize) -> String {
    number.map_or(String::new(), |number| {
        let name = validations::name(sheet, number);
        format!(" table:content-validation-name=\"{name}\"")
    })
}

/// Writes a row with its cells. Equal neighbours are written once with a count. Returns the number of formulas that could not
/// be translated.
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
    let height = line.height.or(grid.usual_height);
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

/// The attributes of a cell that holds a number. Its number format makes it a date, a time or a percentage.
fn number(number: f64, meaning: Meaning, epoch: Epoch, out: &mut String) {
    if let Meaning::Moment(clock) = meaning
        && let Some(moment) = epoch.moment(number, clock)
    {
        return super::super::write::moment(moment, out);
    }
    let kind = match meaning {
        Meaning::Number(Look::Percent(_)) => "percentage",
        Meaning::Number(_) | Meaning::Moment(_) => "float",
    };
    let _ = write!(out, " office:value-type=\"{kind}\" office:value=\"");
    Number::general(number).write_plain(out);
    out.push('"');
}

/// Writes a cell. Returns false if its formula could not be translated.
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

/// Writes the attributes of a formula. Returns false if it could not be translated.
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

/// The attributes of the value of a cell.
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

/// Tags between two paragraphs.
const BETWEEN: &str = "</text:p><text:p>";

/// The text of a cell, without the first start tag and the last end tag of its paragraphs.
fn words(book: &Book, cell: &Cell, names: &Names) -> String {
    let shown = match &cell.value {
        // A number format may show additional text, but the cell stores only its own.
        Value::Text(own) => Shown {
            runs: vec![Run {
                text: (&**own).into(),
                font: None,
            }],
            ..Shown::default()
        },
        _ => Shown::of(cell, &book.style(cell.style), book, View::Shown),
    };
    let mut words = String::new();
    for run in &shown.runs {
        let look = run.font.as_ref().map(|font| names.run(font));
        for (number, line) in run.text.split('\n').enumerate() {
            if number > 0 {
                words.push_str(BETWEEN);
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
    words
}

/// Text as a link. In several paragraphs, each gets a link of its own.
fn linked(words: &str, link: &Link, out: &mut String) {
    let title = match link.title.is_empty() {
        true => String::new(),
        false => format!(" office:title=\"{}\"", escaped(&link.title)),
    };
    let open = format!(
        "<text:p><text:a xlink:type=\"simple\" xlink:href=\"{}\"{title}>",
        escaped(&target(&link.target))
    );
    let words = words.replace(BETWEEN, &format!("</text:a></text:p>{open}"));
    let _ = write!(out, "{open}{words}</text:a></text:p>");
}

/// A comment of the cell that is open.
fn annotation(comment: &Comment, out: &mut String) {
    out.push_str("<office:annotation office:display=\"false\">");
    if !comment.author.is_empty() {
        let _ = write!(out, "<dc:creator>{}</dc:creator>", escaped(&comment.author));
    }
    out.push_str("<text:p>");
    super::super::write::paragraphs(&comment.text, out);
    out.push_str("</text:p></office:annotation>");
}

/// The target of a link. References within the workbook separate sheet and cell differently than in Excel.
fn target(target: &str) -> String {
    match target
        .strip_prefix('#')
        .and_then(|place| place.rsplit_once('!'))
    {
        Some((sheet, place)) => format!("#{sheet}.{place}"),
        None => target.to_owned(),
    }
}
