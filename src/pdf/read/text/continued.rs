//! Joins a table at the end of a page to its continuation at the start of the next page, if both have the same number
//! of columns and a common left or right edge. The lines above the continuation are dropped.

use super::{
    block::{Cell, Page, Table},
    lines::Line,
    page_text::PageObject,
};
use crate::job::Notes;

/// Tolerance for the edges of two parts of a table, in points.
const EDGE_TOLERANCE: f32 = 12.0;

/// Limit on the lines between a table and the end of its page, or between the start of a page and the continuation: a
/// repeated title, or a note.
const LINES: usize = 2;

/// Phrases that announce a continuation, in lower case. If other lines lie between a part and the edge of its page, at
/// least one of them must contain a phrase.
const ANNOUNCEMENTS: [&str; 9] = [
    "continued",
    "cont'd",
    "cont’d",
    "cont.",
    "fortsetzung",
    "suite",
    "continuación",
    "segue",
    "see notes at end",
];

/// Joins the parts of tables and adds a note. A repeated header is dropped.
pub(super) fn join(pages: &mut [Page], notes: &mut Notes) {
    let mut joined = 0;
    // Page and index of a table that may continue.
    let mut open: Option<(usize, usize)> = None;
    for at in 0..pages.len() {
        // The open table ends on the previous page.
        if let Some((first, table)) = open
            && let Some((line, part)) = first_table(&pages[at].lines)
            && may_continue(&pages[first].tables[table], &pages[at].tables[part])
        {
            let part = std::mem::take(&mut pages[at].tables[part].rows);
            append(&mut pages[first].tables[table], part);
            pages[at].lines.drain(..=line);
            joined += 1;
            // If the page contains nothing else, the table may also continue on the next page.
            if pages[at].lines.is_empty() {
                continue;
            }
        }
        // Only a table at the end of this page may continue on the next page.
        open = last_table(&pages[at].lines).map(|table| (at, table));
    }
    match joined {
        0 => {}
        1 => notes.add("A table that continues on the next page was joined."),
        _ => notes.add(format!(
            "Tables that continue on the next page were joined, in {joined} places."
        )),
    }
}

/// Index of the table that a line represents.
fn table_of(line: &Line) -> Option<usize> {
    match line.object {
        Some(PageObject::Table(table)) => Some(usize::from(table)),
        _ => None,
    }
}

/// Indexes of the line and of the table at the start of a page.
fn first_table(lines: &[Line]) -> Option<(usize, usize)> {
    let (at, table) = lines
        .iter()
        .enumerate()
        .find_map(|(at, line)| Some((at, table_of(line)?)))?;
    // Few lines may precede the table, and one of them must announce the continuation.
    (at <= LINES && (at == 0 || lines[..at].iter().any(announces_continuation)))
        .then_some((at, table))
}

/// Index of the table at the end of a page.
fn last_table(lines: &[Line]) -> Option<usize> {
    let (at, table) = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, table_of(line)?)))?;
    let after = &lines[at + 1..];
    (after.len() <= LINES && (after.is_empty() || after.iter().any(announces_continuation)))
        .then_some(table)
}

/// Returns whether a line announces a continuation.
fn announces_continuation(line: &Line) -> bool {
    let text = line.text.to_lowercase();
    ANNOUNCEMENTS.iter().any(|word| text.contains(word))
}

/// Returns whether `part` may be a continuation of a table: it has as many columns, and the same left or right edge.
fn may_continue(table: &Table, part: &Table) -> bool {
    let is_near = |a: f32, b: f32| (a - b).abs() < EDGE_TOLERANCE;
    table.columns == part.columns && (is_near(table.x.0, part.x.0) || is_near(table.x.1, part.x.1))
}

/// Appends rows, without a repeated header.
fn append(table: &mut Table, rows: Vec<Vec<Cell>>) {
    // Headers are equal if all of their cells have equal texts.
    let texts = |row: &[Cell]| -> Vec<String> { row.iter().map(Cell::text).collect() };
    let head = table.heads.max(1).min(table.rows.len()).min(rows.len());
    let repeats = (0..head).all(|at| texts(&table.rows[at]) == texts(&rows[at]));
    table
        .rows
        .extend(rows.into_iter().skip(if repeats { head } else { 0 }));
}
