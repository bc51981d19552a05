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
    left: i32,
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

/// The rows of all tables, in the order of their ends.
pub(super) fn rows(job: &Job<'_>, file: &[u8]) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    let mut row = Row::default();
    // Whether the next cell is merged with the one above, and with the one to the left: begins or goes on.
    let (mut above, mut left) = (None, None);
    let mut table = 0;
    // Whether the paragraph belongs to a table, for each group.
    let mut within = vec![false];
    let mut apart = None;
    let mut room = file.len() / 4 + 16;
    for (number, token) in Tokens::new(file).enumerate() {
        if number % TOKENS_PER_CHECK == 0 {
            job.check()?;
        }
        let in_table = within.last().copied().unwrap_or(false);
        // Notes and headers are texts of their own.
        if apart.is_some_and(|depth| within.len() >= depth)
            && !matches!(token, Token::Open | Token::Close)
        {
            continue;
        }
        match token {
            Token::Open if within.len() < 1000 => within.push(in_table),
            Token::Close if within.len() > 1 => {
                within.pop();
                apart = apart.filter(|depth| within.len() >= *depth);
            }
            Token::Word(
                "footnote" | "header" | "footer" | "headerl" | "headerr" | "headerf" | "footerl"
                | "footerr" | "footerf" | "annotation" | "nesttableprops",
                _,
            ) => apart = Some(within.len()),
            Token::Word("trowd", _) => row = Row::default(),
            Token::Word("trleft", Some(at)) => row.left = at,
            Token::Word("trhdr", _) => row.header = true,
            Token::Word("clvmgf", _) => above = Some(true),
            Token::Word("clvmrg", _) => above = Some(false),
            Token::Word("clmgf", _) => left = Some(true),
            Token::Word("clmrg", _) => left = Some(false),
            Token::Word("cellx", edge) => {
                let cell = Cell {
                    edge: edge.unwrap_or(0),
                    columns: u16::from(left.take() != Some(false)),
                    rows: u16::from(above.take() != Some(false)),
                };
                if row.cells.len() < MAX_CELLS {
                    row.cells.push(cell);
                }
            }
            Token::Word("row", _) if rows.len() < MAX_ROWS => {
                // Every cell that there is has an end of its own in the file: what is beyond is made up.
                if row.cells.len() <= room {
                    room -= row.cells.len();
                    rows.push(row.clone());
                } else {
                    rows.push(Row::default());
                }
            }
            Token::Word("intbl", _) => {
                if let Some(is) = within.last_mut() {
                    *is = true;
                }
            }
            Token::Word("pard", _) => {
                if let Some(is) = within.last_mut() {
                    *is = false;
                }
            }
            // A paragraph between two tables parts them.
            Token::Word("par" | "sect", _) if !in_table => {
                settle(&mut rows[table..]);
                table = rows.len();
            }
            _ => {}
        }
    }
    settle(&mut rows[table..]);
    Ok(rows)
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
        let mut from = column(rows[number].left + 2 * SAME).min(edges.len());
        // Where a row begins further in than others, its first cell takes the room.
        from = from.min(0);
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
            let shapes = rows.iter().map(|row| {
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
    }
}
