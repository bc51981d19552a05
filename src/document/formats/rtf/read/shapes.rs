//! The shapes of tables (1.9.1, "Table Definitions"). A row says at its end where its cells end, and cells that go on in the rows
//! below are known as such only when these have been seen. So the file is gone through for them before its text is read.

use super::tokens::{Token, Tokens};
use crate::{error::Result, job::Job};

/// Most cells of a row, and most rows, that are looked at; what is beyond becomes cells as they come.
const MAX_CELLS: usize = 1000;
const MAX_ROWS: usize = 1 << 20;

/// How many tokens are read between two looks at the clock.
const TOKENS_PER_CHECK: usize = 1 << 16;

/// Edges that are this near to one another are the same, in twips.
const SAME: i32 = 30;

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) header: bool,
    pub(super) cells: Vec<Cell>,
    /// It is the last of its table.
    pub(super) last: bool,
}

/// A cell of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cell {
    /// Where it ends, in twips.
    edge: i32,
    /// How many columns and rows it covers. Of no row, if it goes on from above; of no column, if it goes on from the left.
    pub(super) columns: u16,
    pub(super) rows: u16,
}

/// Tables within tables, at most. What is deeper stands in the innermost.
pub(super) const MAX_DEPTH: usize = 8;

/// The rows of all tables, for each depth (0 for tables that stand in no other) in the order of their ends.
pub(super) type Rows = [Vec<Row>; MAX_DEPTH];

/// A row whose definition is read. A table within another has its definitions in groups of their own, `\nesttableprops`.
#[derive(Default)]
struct Definition {
    row: Row,
    /// Whether the next cell is merged with the one above, and with the one to the left: begins or goes on.
    above: Option<bool>,
    left: Option<bool>,
}

impl Definition {
    /// A control word. False if it is none of a definition.
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

/// The rows that have been found, and where the tables begin that are open.
struct Found {
    rows: Rows,
    begun: [usize; MAX_DEPTH],
    /// How many more cells there can be: every cell has an end of its own in the file, what is beyond is made up.
    room: usize,
    count: usize,
}

impl Found {
    /// A row of a table at this depth ends.
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

    /// The tables at this depth and below end.
    fn settle(&mut self, depth: usize) {
        for depth in depth..MAX_DEPTH {
            settle(&mut self.rows[depth][self.begun[depth]..]);
            self.begun[depth] = self.rows[depth].len();
        }
    }
}

/// How many tables a paragraph says that it stands in: `\intbl`, and `\itap` if it is more than one.
pub(super) fn depth(in_table: bool, said: i32) -> usize {
    match in_table {
        true => usize::try_from(said).unwrap_or(0).clamp(1, MAX_DEPTH),
        false => 0,
    }
}

/// Reads the shapes of all tables.
pub(super) fn rows(job: &Job<'_>, file: &[u8]) -> Result<Rows> {
    let mut found = Found {
        rows: Rows::default(),
        begun: [0; MAX_DEPTH],
        room: file.len() / 4 + 16,
        count: 0,
    };
    let (mut outer, mut inner) = (Definition::default(), Definition::default());
    // What paragraphs say of tables, for each group.
    let mut within = vec![(false, 0)];
    let (mut apart, mut nested) = (None, None);
    for (number, token) in Tokens::new(file).enumerate() {
        if number % TOKENS_PER_CHECK == 0 {
            job.check()?;
        }
        let last = within.last().copied().unwrap_or_default();
        // Notes and headers are texts of their own.
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
                    // A paragraph between two tables parts them.
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

/// Finds out how many columns and rows each cell of a table covers.
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
    // For each column: the cell that may go on below, by its row and number.
    let mut open: Vec<Option<(usize, usize)>> = vec![None; edges.len() + 1];
    for number in 0..rows.len() {
        // Where a row begins further in than others, its first cell takes the room.
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
