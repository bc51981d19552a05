//! Geometry of tables (RTF 1.9.1, "Table Definitions").
//!
//! RTF has rows, but no tables. A row states the right edges of its cells. The columns of a table follow from the edges
//! of all its rows. The number of rows that a merged cell spans is known only after the rows below it. The tree needs
//! the columns and these numbers at the beginning of a table, so this module scans the whole file in advance. Reads no
//! text.

use super::{
    borders::{CellLook, Looks},
    tokens::{Token, Tokens},
};
use crate::{error::Result, job::Job};
use convertd_office::wordprocessing::{GridCell, GridRow, cells};
use convertd_tree::{Column, Length, Part};

/// Max. number of cells in a row. Further cells are added without geometry.
const MAX_CELLS: usize = 1000;
/// Max. number of rows in a file. Further rows are added without geometry.
const MAX_ROWS: usize = 1 << 19;

/// Number of tokens between two checks of the deadline.
const TOKENS_PER_CHECK: usize = 1 << 16;

/// Row of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) grid: GridRow,
    /// Height, in twips: a minimum, or exact if negative; 0 if none is stated.
    height: i32,
    /// Whether the row is a header row.
    pub(super) is_head: bool,
    /// Whether the cells run from right to left.
    pub(super) backwards: bool,
    /// Whether the row is the last row of its table.
    pub(super) last: bool,
    /// Columns of the table. Only the first row has them.
    columns: Option<Box<[Column]>>,
    /// Number of the formatting of each cell, for [`Looks::get`].
    looks: Vec<u16>,
    /// Half of the distance between the texts of adjacent cells, in twips.
    gap: u16,
}

impl Row {
    /// Stated height.
    pub(super) fn height(&self) -> Option<Length> {
        (self.height != 0).then(|| Length::twips(i64::from(self.height).abs()))
    }

    /// Part of the table that the row belongs to.
    pub(super) fn part(&self) -> Part {
        if self.is_head { Part::Head } else { Part::Body }
    }

    /// Returns whether the height of the row is exact. Otherwise the height is a minimum.
    pub(super) fn is_exact(&self) -> bool {
        self.height < 0
    }

    /// Columns of the table that begins with this row. Empty for any other row.
    pub(super) fn columns(&self) -> Vec<Column> {
        self.columns.as_deref().unwrap_or_default().to_vec()
    }

    /// Number of the formatting of the cell at this index. A missing cell has the number of the default formatting.
    pub(super) fn look(&self, at: usize) -> u16 {
        self.looks.get(at).copied().unwrap_or(u16::MAX)
    }
}

impl AsMut<GridRow> for Row {
    fn as_mut(&mut self) -> &mut GridRow {
        &mut self.grid
    }
}

/// Max. nesting depth of tables. The content of a deeper table is added to the table at this depth.
pub(super) const MAX_DEPTH: usize = 8;

/// Rows of all tables, for each nesting depth (0 is outermost). The rows of a depth are in the order in which they end
/// in the file.
pub(super) type Rows = [Vec<Row>; MAX_DEPTH];

/// Definition of a row that is being read. The definition of a row of a nested table is in a group of its own
/// (`\nesttableprops`).
#[derive(Default)]
struct Definition {
    row: Row,
    /// Whether the next cell begins (true) or continues (false) a vertically merged cell. `None` if it is not merged.
    above: Option<bool>,
    /// The same for a horizontally merged cell.
    left: Option<bool>,
    /// Formatting of the next cell.
    look: CellLook,
}

impl Definition {
    /// Handles a control word. Returns false if it is not part of the definition of a row.
    fn word(&mut self, word: &str, number: Option<i32>, looks: &mut Looks) -> bool {
        match word {
            "trowd" => {
                self.row = Row::default();
                self.look = CellLook::default();
            }
            "trgaph" => self.row.gap = number.unwrap_or(0).clamp(0, 1440) as u16,
            // Word repeats the borders of a row in its cells. So the properties after these words are ignored, because
            // they belong to the borders of the row.
            "trbrdrt" | "trbrdrl" | "trbrdrb" | "trbrdrr" | "trbrdrh" | "trbrdrv" => {
                self.look.forget();
            }
            "trhdr" => self.row.grid.is_head = true,
            "rtlrow" => self.row.backwards = true,
            "ltrrow" => self.row.backwards = false,
            "trleft" => self.row.grid.left = number.unwrap_or(0),
            "trrh" => self.row.height = number.unwrap_or(0),
            "clvmgf" => self.above = Some(true),
            "clvmrg" => self.above = Some(false),
            "clmgf" => self.left = Some(true),
            "clmrg" => self.left = Some(false),
            // `\cellx` ends the definition of a cell.
            "cellx" => {
                let cell = GridCell {
                    edge: number.unwrap_or(0),
                    columns: u16::from(self.left.take() != Some(false)),
                    rows: u16::from(self.above.take() != Some(false)),
                };
                let look = looks.number(self.look.take(self.row.gap));
                if self.row.grid.cells.len() < MAX_CELLS {
                    self.row.grid.cells.push(cell);
                    self.row.looks.push(look);
                }
            }
            _ => return self.look.word(word, number),
        }
        true
    }
}

/// Rows found so far.
struct Found {
    rows: Rows,
    /// Index of the first row of the open table at each depth.
    begun: [usize; MAX_DEPTH],
    /// Number of cells that may still be added. Each `\row` adds the cells of the last definition again, so a few bytes
    /// could add a thousand cells.
    remaining_cells: usize,
    /// Number of rows at all depths.
    count: usize,
}

impl Found {
    /// Ends a row of a table at this depth. A row that exceeds a limit has no geometry.
    fn row(&mut self, depth: usize, row: &Row) {
        self.settle(depth + 1);
        if self.count == MAX_ROWS {
            return;
        }
        self.count += 1;
        let cells = row.grid.cells.len();
        if cells <= self.remaining_cells {
            self.remaining_cells -= cells;
            self.rows[depth].push(row.clone());
        } else {
            self.rows[depth].push(Row::default());
        }
    }

    /// Ends the tables at this depth, and the tables inside them.
    fn settle(&mut self, depth: usize) {
        for depth in depth..MAX_DEPTH {
            settle(&mut self.rows[depth][self.begun[depth]..]);
            self.begun[depth] = self.rows[depth].len();
        }
    }
}

/// Number of tables around a paragraph: 0 without `\intbl`, or else the value of `\itap` (`stated`), which is limited
/// to the range from 1 to [`MAX_DEPTH`].
pub(super) fn depth(in_table: bool, stated: i32) -> usize {
    match in_table {
        true => usize::try_from(stated).unwrap_or(0).clamp(1, MAX_DEPTH),
        false => 0,
    }
}

/// Finds the rows of all tables in a file, and the formatting of their cells.
pub(super) fn rows(job: &Job<'_>, file: &[u8]) -> Result<(Rows, Looks)> {
    let mut looks = Looks::default();
    let mut found = Found {
        rows: Rows::default(),
        begun: [0; MAX_DEPTH],
        remaining_cells: file.len() / 4 + 16,
        count: 0,
    };
    let (mut outer, mut inner) = (Definition::default(), Definition::default());
    // For each group, the table properties of the current paragraph: `\intbl` and `\itap`.
    let mut within = vec![(false, 0)];
    // Nesting depth of the group whose content is skipped (such as a note), and of the group that defines the row of a
    // nested table.
    let (mut note_depth, mut nested) = (None, None);
    for (number, token) in Tokens::new(file).enumerate() {
        if number % TOKENS_PER_CHECK == 0 {
            job.check()?;
        }
        let last = within.last().copied().unwrap_or_default();
        // Tables of the main text do not continue in notes, so the content of notes is skipped.
        if note_depth.is_some_and(|depth| within.len() >= depth)
            && !matches!(token, Token::Open | Token::Close)
        {
            continue;
        }
        match token {
            Token::Open if within.len() < 1000 => within.push(last),
            Token::Close if within.len() > 1 => {
                within.pop();
                note_depth = note_depth.filter(|depth| within.len() >= *depth);
                nested = nested.filter(|depth| within.len() >= *depth);
            }
            Token::Word(word, number) => {
                let definition = if nested.is_some() {
                    &mut inner
                } else {
                    &mut outer
                };
                if definition.word(word, number, &mut looks) {
                    continue;
                }
                let depth = depth(last.0, last.1);
                match word {
                    "footnote" | "annotation" | "nonesttables" => {
                        note_depth = Some(within.len());
                    }
                    "nesttableprops" => nested = Some(within.len()),
                    "row" => found.row(0, &outer.row),
                    "nestrow" => found.row(depth.max(2) - 1, &inner.row),
                    "cell" => found.settle(1),
                    "nestcell" => found.settle(depth.max(2)),
                    // A paragraph ends all tables that are not around it. The next row begins a new table.
                    "par" | "sect" => found.settle(depth),
                    // These words select a border of the paragraph, so the line properties after them do not belong to
                    // a cell.
                    "brdrt" | "brdrb" | "brdrl" | "brdrr" | "box" => {
                        outer.look.forget();
                        inner.look.forget();
                    }
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
    Ok((found.rows, looks))
}

/// Computes the geometry of a table from its rows.
fn settle(rows: &mut [Row]) {
    let columns = cells::columns(rows);
    cells::join(rows);
    let head = cells::head(rows, 0);
    for row in &mut rows[..head] {
        row.is_head = true;
    }
    if let Some(first) = rows.first_mut() {
        first.columns = Some(columns.into());
    }
    if let Some(last) = rows.last_mut() {
        last.last = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::testing::with_job;

    #[test]
    fn cell_edges_give_the_spans() {
        #[track_caller]
        fn check(file: &str, expected: &[&[(u16, u16)]]) {
            let rows = with_job(|job| rows(job, file.as_bytes())).expect("rows").0;
            let shapes = rows.iter().flatten().map(|row| {
                let cells = row.grid.cells.iter().map(|cell| (cell.columns, cell.rows));
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
        // The rows of a nested table follow after the outermost rows in the result, with edges of their own.
        check(
            "\\intbl\\itap2 a\\nestcell{\\*\\nesttableprops\\trowd\\clvmgf\\cellx50\\nestrow}{\\nonesttables\\par}b\\nestcell{\\*\\nesttableprops\\trowd\\clvmrg\\cellx50\\nestrow}\\itap1\\cell\\trowd\\cellx100\\row",
            &[&[(1, 1)], &[(1, 2)], &[(1, 0)]],
        );
    }
}
