//! The shapes of tables (1.9.1, "Table Definitions").
//!
//! RTF stores no table as such, only rows. A row states the positions of its cells' right edges; columns follow from the
//! edges of all rows, and how many rows a merged cell spans is known only after the rows below it. The tree needs both at
//! the beginning of a table, so this module scans the whole file in advance. Reads no text.

use super::tokens::{Token, Tokens};
use crate::{error::Result, job::Job};

/// The limits on the cells of a row, and on the rows. Cells beyond them are added without a shape.
const MAX_CELLS: usize = 1000;
const MAX_ROWS: usize = 1 << 20;

/// The number of tokens between two checks of the deadline.
const TOKENS_PER_CHECK: usize = 1 << 16;

/// The tolerance for edges of the same column, in twips. Programs round them differently in each row.
const SAME: i32 = 30;

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) header: bool,
    pub(super) cells: Vec<Cell>,
    /// Whether it is the last row of its table.
    pub(super) last: bool,
}

/// A cell of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cell {
    /// The position of its right edge, in twips.
    edge: i32,
    /// The number of columns and rows that it spans. No columns if it continues the cell to its left, no rows if it
    /// continues the cell above.
    pub(super) columns: u16,
    pub(super) rows: u16,
}

/// The limit on nested tables. Deeper ones are added to the innermost.
pub(super) const MAX_DEPTH: usize = 8;

/// The rows of all tables by nesting depth, from 0, in the order of their ends.
pub(super) type Rows = [Vec<Row>; MAX_DEPTH];

/// A row definition. Those of nested tables are in groups of their own, `\nesttableprops`.
#[derive(Default)]
struct Definition {
    row: Row,
    /// Whether the next cell begins (true) or continues (false) a cell that is merged vertically, and horizontally.
    above: Option<bool>,
    left: Option<bool>,
}

impl Definition {
    /// Handles a control word. Returns false if it is not part of a row definition.
    fn word(&mut self, word: &str, number: Option<i32>) -> bool {
        match word {
            "trowd" => self.row = Row::default(),
            "trhdr" => self.row.header = true,
            "clvmgf" => self.above = Some(true),
            "clvmrg" => self.above = Some(false),
            "clmgf" => self.left = Some(true),
            "clmrg" => self.left = Some(false),
            "cellx" => {
                let cell = Cell {
                    edge: number.unwrap_or(0),
                    columns: u16::from(self.left.take() != Some(false)),
                    rows: u16::from(self.above.take() != Some(false)),
                };
                if self.row.cells.len() < MAX_CELLS {
                    self.row.cells.push(cell);
                }
            }
            _ => return false,
        }
        true
    }
}

/// The rows found so far, and for each depth the first row of the open table.
struct Found {
    rows: Rows,
    begun: [usize; MAX_DEPTH],
    /// The number of cells that may still be added. Each cell takes some bytes in the file, so more of them would be an
    /// attack.
    room: usize,
    count: usize,
}

impl Found {
    /// Ends a row of a table at this depth.
    fn row(&mut self, depth: usize, row: &Row) {
        self.settle(depth + 1);
        if self.count == MAX_ROWS {
            return;
        }
        self.count += 1;
        if row.cells.len() <= self.room {
            self.room -= row.cells.len();
            self.rows[depth].push(row.clone());
        } else {
            self.rows[depth].push(Row::default());
        }
    }

    /// Ends the tables at this depth and below.
    fn settle(&mut self, depth: usize) {
        for depth in depth..MAX_DEPTH {
            settle(&mut self.rows[depth][self.begun[depth]..]);
            self.begun[depth] = self.rows[depth].len();
        }
    }
}

/// The number of tables around a paragraph: 1 for `\intbl`, or the value of `\itap`.
pub(super) fn depth(in_table: bool, said: i32) -> usize {
    match in_table {
        true => usize::try_from(said).unwrap_or(0).clamp(1, MAX_DEPTH),
        false => 0,
    }
}

/// Finds the shapes of all tables in a file.
pub(super) fn rows(job: &Job<'_>, file: &[u8]) -> Result<Rows> {
    let mut found = Found {
        rows: Rows::default(),
        begun: [0; MAX_DEPTH],
        room: file.len() / 4 + 16,
        count: 0,
    };
    let (mut outer, mut inner) = (Definition::default(), Definition::default());
    // For each group, the table properties of the current paragraph.
    let mut within = vec![(false, 0)];
    let (mut apart, mut nested) = (None, None);
    for (number, token) in Tokens::new(file).enumerate() {
        if number % TOKENS_PER_CHECK == 0 {
            job.check()?;
        }
        let last = within.last().copied().unwrap_or_default();
        // The content of notes and headers is separate from the main text.
        if apart.is_some_and(|depth| within.len() >= depth)
            && !matches!(token, Token::Open | Token::Close)
        {
            continue;
        }
        match token {
            Token::Open if within.len() < 1000 => within.push(last),
            Token::Close if within.len() > 1 => {
                within.pop();
                apart = apart.filter(|depth| within.len() >= *depth);
                nested = nested.filter(|depth| within.len() >= *depth);
            }
            Token::Word(word, number) => {
                let definition = if nested.is_some() {
                    &mut inner
                } else {
                    &mut outer
                };
                if definition.word(word, number) {
                    continue;
                }
                let depth = depth(last.0, last.1);
                match word {
                    "footnote" | "header" | "footer" | "headerl" | "headerr" | "headerf"
                    | "footerl" | "footerr" | "footerf" | "annotation" | "nonesttables" => {
                        apart = Some(within.len());
                    }
                    "nesttableprops" => nested = Some(within.len()),
                    "row" => found.row(0, &outer.row),
                    "nestrow" => found.row(depth.max(2) - 1, &inner.row),
                    "cell" => found.settle(1),
                    "nestcell" => found.settle(depth.max(2)),
                    // A paragraph outside of the table separates it from the next one.
                    "par" | "sect" => found.settle(depth),
                    "intbl" | "itap" | "pard" => {
                        if let Some(last) = within.last_mut() {
                            match word {
                                "intbl" => last.0 = true,
                                "itap" => last.1 = number.unwrap_or(0),
                                _ => *last = (false, 0),
                            }
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    found.settle(0);
    Ok(found.rows)
}

/// Computes how many columns and rows each cell of a table spans.
fn settle(rows: &mut [Row]) {
    let Some(last) = rows.last_mut() else { return };
    last.last = true;
    let mut edges: Vec<i32> = rows
        .iter()
        .flat_map(|row| row.cells.iter().map(|cell| cell.edge))
        .collect();
    edges.sort_unstable();
    edges.dedup_by(|next, before| *next - *before < SAME);
    let column = |edge: i32| edges.partition_point(|known| *known < edge - SAME);
    // For each column, the row and index of the cell that can be continued below.
    let mut open: Vec<Option<(usize, usize)>> = vec![None; edges.len() + 1];
    for number in 0..rows.len() {
        // If a row begins further to the right than others, its first cell takes the space.
        let mut from = 0;
        let mut begins: Option<usize> = None;
        for at in 0..rows[number].cells.len() {
            let cell = rows[number].cells[at];
            let to = column(cell.edge) + 1;
            let wide = to.saturating_sub(from).max(1) as u16;
            if cell.columns == 0
                && let Some(first) = begins
            {
                rows[number].cells[first].columns += wide;
            } else {
                let goes_on = (cell.rows == 0)
                    .then(|| open[from.min(edges.len())])
                    .flatten();
                rows[number].cells[at].columns = wide;
                match goes_on {
                    Some((row, above)) => {
                        let above = &mut rows[row].cells[above];
                        above.rows = above.rows.saturating_add(1);
                    }
                    None => {
                        rows[number].cells[at].rows = 1;
                        open[from.min(edges.len())] = Some((number, at));
                    }
                }
                begins = Some(at);
            }
            from = to.max(from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::testing::with_job;

    #[test]
    fn cells_cover_what_their_edges_say() {
        #[track_caller]
        fn check(file: &str, expected: &[&[(u16, u16)]]) {
            let rows = with_job(|job| rows(job, file.as_bytes())).expect("rows");
            let shapes = rows.iter().flatten().map(|row| {
                let cells = row.cells.iter().map(|cell| (cell.columns, cell.rows));
                cells.collect::<Vec<_>>()
            });
            assert_eq!(shapes.collect::<Vec<_>>(), expected, "{file}");
        }
        check("\\trowd\\cellx100\\cellx200\\row", &[&[(1, 1), (1, 1)]]);
        check(
            "\\trowd\\cellx100\\cellx200\\row\\trowd\\cellx200\\row",
            &[&[(1, 1), (1, 1)], &[(2, 1)]],
        );
        check(
            "\\trowd\\clvmgf\\cellx100\\cellx200\\row\\trowd\\clvmrg\\cellx100\\cellx200\\row",
            &[&[(1, 2), (1, 1)], &[(1, 0), (1, 1)]],
        );
        check(
            "\\trowd\\clmgf\\cellx100\\clmrg\\cellx200\\row",
            &[&[(2, 1), (0, 1)]],
        );
        check(
            "\\trowd\\cellx100\\row\\pard a\\par\\trowd\\cellx50\\cellx100\\row",
            &[&[(1, 1)], &[(1, 1), (1, 1)]],
        );
        check("\\trowd\\clvmrg\\cellx100\\row", &[&[(1, 1)]]);
        // A table in a cell of another comes behind it, with edges of its own.
        check(
            "\\intbl\\itap2 a\\nestcell{\\*\\nesttableprops\\trowd\\clvmgf\\cellx50\\nestrow}{\\nonesttables\\par}b\\nestcell{\\*\\nesttableprops\\trowd\\clvmrg\\cellx50\\nestrow}\\itap1\\cell\\trowd\\cellx100\\row",
            &[&[(1, 1)], &[(1, 2)], &[(1, 0)]],
        );
    }
}
