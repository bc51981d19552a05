//! Joins tables that go on over pages: the last thing on a page and the first on the next, with the same columns. Moves no other
//! text.

use super::{
    block::{Cell, Page, Table},
    lines::Line,
    page_text::Thing,
};
use crate::job::Notes;

/// The largest difference between the edges of two parts, in points.
const SAME: f32 = 12.0;

/// The most lines around the end of a page that say that a table goes on: a title that is repeated, a note below.
const LINES: usize = 2;

/// Texts of such a line.
const GOES_ON: [&str; 9] = [
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

/// Joins the parts of tables, with a note. A repeated head is kept once.
pub(super) fn join(pages: &mut [Page], notes: &mut Notes) {
    let mut joined = 0;
    // The page with the first part of a table that may go on, and its number there.
    let mut open: Option<(usize, usize)> = None;
    for at in 0..pages.len() {
        if let Some((first, table)) = open
            && let Some((line, part)) = first_table(&pages[at].lines)
            && goes_on(&pages[first].tables[table], &pages[at].tables[part])
        {
            let part = std::mem::take(&mut pages[at].tables[part].rows);
            append(&mut pages[first].tables[table], part);
            pages[at].lines.drain(..=line);
            joined += 1;
            if pages[at].lines.is_empty() {
                continue;
            }
        }
        open = last_table(&pages[at].lines).map(|table| (at, table));
    }
    match joined {
        0 => {}
        1 => notes.add("A table that goes on over a page was joined."),
        _ => notes.add(format!(
            "Tables that go on over {joined} pages were joined."
        )),
    }
}

fn table_of(line: &Line) -> Option<usize> {
    match line.thing {
        Some(Thing::Table(table)) => Some(usize::from(table)),
        _ => None,
    }
}

/// The table that a page begins with, and the number of its line.
fn first_table(lines: &[Line]) -> Option<(usize, usize)> {
    let (at, table) = lines
        .iter()
        .enumerate()
        .find_map(|(at, line)| Some((at, table_of(line)?)))?;
    (at <= LINES && (at == 0 || lines[..at].iter().any(says_so))).then_some((at, table))
}

/// The table that a page ends with.
fn last_table(lines: &[Line]) -> Option<usize> {
    let (at, table) = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, table_of(line)?)))?;
    let behind = &lines[at + 1..];
    (behind.len() <= LINES && (behind.is_empty() || behind.iter().any(says_so))).then_some(table)
}

fn says_so(line: &Line) -> bool {
    let text = line.text.to_lowercase();
    GOES_ON.iter().any(|word| text.contains(word))
}

/// Whether a table can be the next part of one.
fn goes_on(table: &Table, part: &Table) -> bool {
    let is_near = |a: f32, b: f32| (a - b).abs() < SAME;
    table.columns == part.columns && (is_near(table.x.0, part.x.0) || is_near(table.x.1, part.x.1))
}

/// Adds rows, without those that repeat the head.
fn append(table: &mut Table, rows: Vec<Vec<Cell>>) {
    let texts = |row: &[Cell]| -> Vec<String> { row.iter().map(Cell::text).collect() };
    let head = table.heads.max(1).min(table.rows.len()).min(rows.len());
    let repeats = (0..head).all(|at| texts(&table.rows[at]) == texts(&rows[at]));
    table
        .rows
        .extend(rows.into_iter().skip(if repeats { head } else { 0 }));
}
