//! Recognition of tables, by frames of rules and by the alignment of text. Does not interpret the
//! text of cells.

mod aligned;
mod candidate;
mod cells;
mod columns;
mod doubts;
mod frames;
mod grid;
mod regions;
mod rows;
mod words;

use super::{
    compare::by,
    page_text::Letters,
    rules::{Rules, joined},
};
pub(crate) use grid::Grid;
use std::collections::HashMap;
use words::{Content, Phrase};

/// Tolerance for rules that meet, in points.
const NEAR: f32 = 2.0;

/// Fraction of phrases in coarse cells from which the rules of a frame do not count as separators of rows and columns.
const COARSE: f32 = 0.35;

/// Finds the tables of a page: framed tables, and aligned tables in the remaining text. They are sorted from top to
/// bottom.
pub(crate) fn find(rules: Rules, letters: &Letters) -> Vec<Grid> {
    let (across, down) = (joined(rules.across, NEAR), joined(rules.down, NEAR));
    let mut rest = words::phrases(letters, &down);
    let mut grids = Vec::new();
    // The phrases in a frame belong to its table, so they are not searched again.
    for grid in frames::find(&across, &down, &rules.grounds, letters, &rest) {
        let (within, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|phrase| is_in(phrase, &grid));
        rest = others;
        let aligned = is_coarse(&grid, &within).then(|| aligned::within(within, &across, &down));
        match aligned.flatten() {
            Some(table) => grids.push(cells::grid(&table)),
            None => grids.push(grid),
        }
    }
    // The other phrases may be tables without rules, but aligned code resembles such a table.
    let has_code = has_code(letters);
    for cluster in regions::clusters(rest) {
        for table in aligned::find(cluster, &across, &down) {
            let grid = cells::grid(&table);
            if !(has_code && is_code(&grid, letters)) {
                grids.push(grid);
            }
        }
    }
    grids.sort_by(|a, b| by(a.y.0, b.y.0).then(by(a.x.0, b.x.0)));
    grids
}

/// Returns whether some, but less than half of the letters of a page are monospaced.
fn has_code(letters: &Letters) -> bool {
    let fixed = letters.all.iter().filter(|letter| letter.style.fixed);
    let count = fixed.count();
    count > 0 && 2 * count < letters.all.len()
}

/// Returns whether all letters of a table are monospaced. On a page with other text, such a table is aligned code.
fn is_code(grid: &Grid, letters: &Letters) -> bool {
    let mut within = grid.cells.iter().flat_map(|cell| &cell.letters);
    within.all(|letter| letters.all[*letter as usize].style.fixed)
}

/// Returns whether a phrase is between the top and bottom of a grid and overlaps the grid horizontally.
fn is_in(phrase: &Phrase, grid: &Grid) -> bool {
    let y = phrase.base - 0.3 * phrase.size;
    phrase.x.0 < grid.x.1 && phrase.x.1 > grid.x.0 && grid.y.0 < y && y < grid.y.1
}

/// Returns whether the rules of a frame separate its rows or columns only partly: many phrases are
/// in cells with several lines of values, or with several phrases side by side.
fn is_coarse(grid: &Grid, phrases: &[Phrase]) -> bool {
    let mut owner: HashMap<u32, usize> = HashMap::new();
    for (at, cell) in grid.cells.iter().enumerate() {
        owner.extend(cell.letters.iter().map(|letter| (*letter, at)));
    }
    let mut within: Vec<Vec<Phrase>> = vec![Vec::new(); grid.cells.len()];
    for phrase in phrases {
        let first = phrase.words.first().and_then(|word| word.letters.first());
        if let Some(at) = first.and_then(|letter| owner.get(letter)) {
            within[*at].push(phrase.clone());
        }
    }
    let (mut coarse, mut all) = (0, 0);
    for cell in within {
        let rows = rows::rows(cell);
        let is_value = |row: &&rows::Row| {
            row.phrases
                .iter()
                .all(|phrase| phrase.content() == Content::Value)
        };
        let values = rows.iter().filter(is_value).count();
        let several = rows.iter().filter(|row| row.phrases.len() > 1).count();
        let phrases: usize = rows.iter().map(|row| row.phrases.len()).sum();
        // Several values below each other in a cell are separate rows, and phrases side by side are separate columns.
        let is_coarse = (rows.len() > 1 && values == rows.len())
            || (several > 0 && phrases > 2 && 2 * several >= rows.len());
        all += phrases;
        coarse += if is_coarse { phrases } else { 0 };
    }
    coarse as f32 > COARSE * all as f32
}
