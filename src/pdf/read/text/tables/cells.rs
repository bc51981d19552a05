//! Cells of tables recognised by text: groups lines into rows, and phrases into cells.

use super::{
    super::rules::Rule,
    aligned::median_size,
    candidate::Aligned,
    columns::Placed,
    grid::{Grid, GridCell},
    words::Content,
};

/// Largest line spacing in a header cell, in multiples of the font size.
const HEAD_LEADING: f32 = 1.7;

/// Largest ratio of the line spacing inside a cell to the row spacing.
const CLOSER: f32 = 0.88;

/// Largest fraction of the table's width for a rule under a part of the header.
const PARTIAL: f32 = 0.9;

/// Tolerance for the ends of rules, in points.
const NEAR: f32 = 3.0;

/// Limit on the distance of a line from the lines above and below, for a line that belongs to the rows of both, in
/// multiples of the font size.
const HALF_WAY: f32 = 0.85;

/// A cell under construction.
struct Open {
    /// First column.
    first: usize,
    /// Last column.
    last: usize,
    /// First row.
    row: usize,
    /// Number of rows spanned.
    rows: usize,
    /// Baseline of the cell's last line in the header, or of its first line in the body.
    base: f32,
    letters: Vec<u32>,
}

/// Grid of a table: places phrases in columns, separates the header, and groups lines into rows.
pub(super) fn grid(table: &Aligned) -> Grid {
    let mut rows: Vec<Vec<Placed>> = table
        .rows
        .iter()
        .map(|row| table.gutters.place(row))
        .collect();
    let heads = heads(table, &rows);
    for (at, row) in rows.iter_mut().enumerate().take(heads) {
        widen(table, at, row);
    }
    let mut cells = head(table, &rows[..heads]);
    let head_rows = cells.iter().map(|cell| cell.row + 1).max().unwrap_or(0);
    body(table, &rows, heads, head_rows, &mut cells);
    tiled(table, cells, head_rows)
}

/// Number of header lines: those above the rule under the header, or above the first line with
/// mostly values.
fn heads(table: &Aligned, rows: &[Vec<Placed>]) -> usize {
    // The body begins with a line whose phrases after the first column are mostly values.
    let is_body = |row: &Vec<Placed>| {
        let after = row.iter().filter(|placed| placed.first > 0);
        let values = after
            .clone()
            .filter(|placed| placed.phrase.content() == Content::Value)
            .count();
        2 * values > after.count()
    };
    let first_body = rows.iter().position(is_body).unwrap_or(0);
    // For each rule at which a header may end, the number of lines above the rule: at most half of all lines.
    let after = |at: &f32| table.rows.partition_point(|row| row.base <= *at);
    let ends: Vec<usize> = table
        .rules
        .iter()
        .map(after)
        .filter(|at| *at > 0 && 2 * at <= rows.len())
        .collect();
    // The header ends at the lowest of these rules above the body, or else at the highest of them.
    let above_body = ends.iter().rev().find(|at| **at <= first_body);
    match above_body.or(ends.first()) {
        Some(at) => *at,
        None => first_body.min(rows.len() / 2),
    }
}

/// Extends phrases of a header line to the columns that a rule under them covers.
fn widen(table: &Aligned, at: usize, row: &mut [Placed]) {
    let line = &table.rows[at];
    let end = table.rows.get(at + 1).map_or(line.base, |next| next.base);
    let width = table.x.1 - table.x.0;
    let below = table.parts.iter().filter(|rule| {
        rule.at > line.base && rule.at < end && rule.to - rule.from < PARTIAL * width
    });
    let below: Vec<_> = below.collect();
    for at in 0..row.len() {
        let (x, next) = (row[at].phrase.x, row.get(at + 1).map(|next| next.first));
        let before = at.checked_sub(1).map(|before| row[before].last);
        let is_below = |rule: &&&Rule| rule.from < x.0 + NEAR && rule.to > x.1 - NEAR;
        let Some(rule) = below.iter().find(is_below) else {
            continue;
        };
        // The columns above this rule, up to those of the neighbouring phrases.
        let first = table
            .gutters
            .column(rule.from + NEAR)
            .max(before.map_or(0, |before| before + 1));
        let last = table.gutters.column(rule.to - NEAR);
        let last = next.map_or(last, |next| last.min(next - 1));
        let placed = &mut row[at];
        placed.first = placed.first.min(first);
        placed.last = placed.last.max(last);
    }
}

/// Cells of the header. Close lines in one column form one cell, unless a rule separates them or the cell above spans
/// more columns.
fn head(table: &Aligned, rows: &[Vec<Placed>]) -> Vec<Open> {
    let mut cells: Vec<Open> = Vec::new();
    for (row, line) in rows.iter().zip(&table.rows) {
        for placed in row {
            let above = cells
                .iter_mut()
                .rev()
                .find(|cell| cell.first <= placed.last && cell.last >= placed.first);
            let letters = placed
                .phrase
                .words
                .iter()
                .flat_map(|word| &word.letters)
                .copied();
            if let Some(cell) = above {
                let is_ruled = table.is_ruled((cell.base, placed.phrase.base), placed.phrase.x);
                let is_near = placed.phrase.base - cell.base < HEAD_LEADING * line.size;
                // The phrase continues the cell if it is within the cell's columns. If the cell spans several columns,
                // the phrase must cover all of them.
                let is_same = cell.first <= placed.first
                    && cell.last >= placed.last
                    && (cell.first == cell.last
                        || (cell.first, cell.last) == (placed.first, placed.last));
                if is_same && is_near && !is_ruled {
                    cell.letters.extend(letters);
                    cell.base = placed.phrase.base;
                    continue;
                }
            }
            // A new cell is below all cells with which it shares a column.
            let level = cells
                .iter()
                .filter(|cell| cell.first <= placed.last && cell.last >= placed.first)
                .map(|cell| cell.row + 1)
                .max();
            cells.push(Open {
                first: placed.first,
                last: placed.last,
                row: level.unwrap_or(0),
                rows: 1,
                base: placed.phrase.base,
                letters: letters.collect(),
            });
        }
    }
    // A cell without cells below it moves to the last header row.
    let last = cells.iter().map(|cell| cell.row).max().unwrap_or(0);
    for at in 0..cells.len() {
        let (first, end, row) = (cells[at].first, cells[at].last, cells[at].row);
        let is_lowest = cells
            .iter()
            .all(|cell| cell.row <= row || cell.first > end || cell.last < first);
        if is_lowest {
            cells[at].row = last;
        }
    }
    cells
}

/// Adds the cells below the header. A line continues the row above it, or begins a new row.
fn body(
    table: &Aligned,
    rows: &[Vec<Placed>],
    heads: usize,
    head_rows: usize,
    cells: &mut Vec<Open>,
) {
    let size = median_size(&table.rows);
    let lines = &table.rows;
    let mut gaps: Vec<f32> = (heads + 1..rows.len())
        .map(|at| lines[at].base - lines[at - 1].base)
        .collect();
    gaps.sort_by(|a, b| super::super::compare::by(*a, *b));
    // Median distance between lines, for comparison in `continues`.
    let median_gap = gaps.get(gaps.len() / 2).copied().unwrap_or(size);
    let mut row = head_rows;
    let mut is_first = true;
    for at in heads..rows.len() {
        let spans = at > heads && is_between(table, rows, at);
        let is_continuation = spans || at > heads && continues(table, rows, at, median_gap);
        if !is_continuation && !is_first {
            row += 1;
        }
        is_first = false;
        for placed in &rows[at] {
            let letters = placed
                .phrase
                .words
                .iter()
                .flat_map(|word| &word.letters)
                .copied();
            // A phrase that is alone on its line and begins in the first column stays in this column.
            let last = if placed.first == 0 && rows[at].len() == 1 {
                0
            } else {
                placed.last
            };
            // Phrases of one row in the same column share a cell. Only the last cells can belong to this row.
            let own =
                cells.iter_mut().rev().take(64).find(|cell| {
                    cell.row == row && cell.first <= last && cell.last >= placed.first
                });
            match own {
                Some(cell) => {
                    cell.letters.extend(letters);
                    cell.last = cell.last.max(last);
                }
                None => cells.push(Open {
                    first: placed.first,
                    last,
                    row,
                    rows: if spans { 2 } else { 1 },
                    base: placed.phrase.base,
                    letters: letters.collect(),
                }),
            }
        }
    }
}

/// Returns whether a line is half-way between two rows, in columns that are empty in both rows. The line must also have
/// fewer phrases than either row. Its text then belongs to both rows.
fn is_between(table: &Aligned, rows: &[Vec<Placed>], at: usize) -> bool {
    let Some(next) = rows.get(at + 1) else {
        return false;
    };
    let (above, own, below) = (&table.rows[at - 1], &table.rows[at], &table.rows[at + 1]);
    let is_half_way =
        own.base - above.base < HALF_WAY * own.size && below.base - own.base < HALF_WAY * own.size;
    let is_empty = |row: &Vec<Placed>, placed: &Placed| {
        row.iter()
            .all(|other| other.last < placed.first || other.first > placed.last)
    };
    let is_own = |placed: &Placed| is_empty(&rows[at - 1], placed) && is_empty(next, placed);
    let has_fewer = rows[at].len() < rows[at - 1].len().min(next.len());
    is_half_way && has_fewer && rows[at].iter().all(is_own)
}

/// Returns whether a line continues the cells of the line above it, by the distance, the values and the wording of both
/// lines.
fn continues(table: &Aligned, rows: &[Vec<Placed>], at: usize, median_gap: f32) -> bool {
    let (above, own) = (&rows[at - 1], &rows[at]);
    let (line, before) = (&table.rows[at], &table.rows[at - 1]);
    let gap = line.base - before.base;
    // A rule between two lines separates rows.
    if table
        .rules
        .iter()
        .any(|rule| (before.base..line.base).contains(rule))
    {
        return false;
    }
    let is_value = |placed: &Placed| placed.phrase.content() == Content::Value;
    if own
        .iter()
        .any(|placed| placed.first > 0 && is_value(placed))
    {
        // A line with values begins a row, unless the line above has only a label and the values are on the last line
        // of this label.
        let is_label = above.len() == 1 && above[0].first == 0 && own[0].first == 0;
        return is_label && at >= 1 && gap < CLOSER * median_gap && !own[0].phrase.is_bold();
    }
    let is_close = gap < CLOSER * median_gap;
    let begins_within = own[0].first > 0;
    let text = own[0].phrase.text();
    let begins_lower = text.starts_with(|c: char| c.is_lowercase() || matches!(c, '(' | '/'));
    let last = above.iter().find(|placed| placed.first == own[0].first);
    let is_open =
        last.is_some_and(|placed| placed.phrase.text().ends_with(['-', '/', ',', '\u{2010}']));
    // A close line continues the cells. A distant line continues them if it begins after the first column and fills few
    // columns, or if its wording depends on the text above.
    is_close
        || (begins_within && own.len() < above.len().max(2))
        || (last.is_some() && (begins_lower || is_open))
}

/// Completes the cells to a grid without gaps or overlaps.
fn tiled(table: &Aligned, cells: Vec<Open>, heads: usize) -> Grid {
    let columns = table.gutters.columns();
    let rows = cells.iter().map(|cell| cell.row + 1).max().unwrap_or(0);
    let mut is_occupied = vec![false; rows * columns];
    let mut done: Vec<GridCell> = Vec::new();
    for cell in cells {
        // A cell covers only free slots, so that it does not overlap an earlier cell.
        let mut last = cell.first;
        while last < cell.last && !is_occupied[cell.row * columns + last + 1] {
            last += 1;
        }
        if is_occupied[cell.row * columns + cell.first] {
            // If the first slot is taken, the letters go to the cell that covers the slot.
            if let Some(other) = done.iter_mut().find(|other| {
                other.row == cell.row
                    && other.column <= cell.first
                    && other.column + other.columns > cell.first
            }) {
                other.letters.extend(cell.letters);
            }
            continue;
        }
        let places = |row: usize| row * columns + cell.first..=row * columns + last;
        let is_free = |row: &usize| *row < rows && !is_occupied[places(*row)].contains(&true);
        let below = (cell.row + 1..cell.row + cell.rows)
            .take_while(is_free)
            .count();
        for row in cell.row..=cell.row + below {
            is_occupied[places(row)].fill(true);
        }
        done.push(GridCell {
            row: cell.row,
            column: cell.first,
            rows: 1 + below,
            columns: last + 1 - cell.first,
            letters: cell.letters,
        });
    }
    // Slots without text become empty cells.
    for at in (0..is_occupied.len()).filter(|at| !is_occupied[*at]) {
        done.push(GridCell {
            row: at / columns,
            column: at % columns,
            rows: 1,
            columns: 1,
            letters: Vec::new(),
        });
    }
    done.sort_by_key(|cell| (cell.row, cell.column));
    Grid {
        x: table.x,
        y: table.y,
        rows,
        columns,
        cells: done,
        heads,
    }
}
