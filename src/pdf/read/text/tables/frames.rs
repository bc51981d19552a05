//! Tables with rules around their cells. [`aligned`](super::aligned) finds tables with rules only above and below rows,
//! because such rules may also be around headings.
//!
//! Rules that touch form a grid if they also surround it. Cells without a rule between them are merged if they form a
//! rectangle. A grid with few words is a chart, and a grid with a single row or column is a box. Neither counts as a
//! table.

use super::{
    super::{
        compare::by,
        page_text::Letters,
        rules::{Ground, Rule, joined},
    },
    NEAR,
    grid::{Grid, GridCell},
    words::Phrase,
};

/// Limit on the horizontal, and on the vertical, rules that are compared.
const MAX_RULES: usize = 1000;

/// Limit on the rows of a table.
const MAX_ROWS: usize = 300;
/// Limit on the columns of a table.
const MAX_COLUMNS: usize = 60;

/// Smallest side of a cell, in points.
const NARROWEST: f32 = 5.0;

/// Largest gap between a frame and labels beside it, in multiples of the font size.
const BESIDE: f32 = 20.0;

/// Limit on the length of a label beside a frame, in letters.
const LONGEST_LABEL: usize = 40;

/// Minimum number of rules that must end at a side that is not drawn.
const OPEN: usize = 3;

/// Largest gap between backgrounds of adjacent cells, in points.
const BACKGROUND_GAP: f32 = 3.5;

/// Limit on the tables of a page.
const MAX_TABLES: usize = 100;

/// Finds the framed tables of a page.
pub(super) fn find(
    across: &[Rule],
    down: &[Rule],
    grounds: &[Ground],
    letters: &Letters,
    phrases: &[Phrase],
) -> Vec<Grid> {
    let mut kept = Vec::new();
    add(frames(across, down, phrases), letters, grounds, &mut kept);
    // Cells may be shown by backgrounds instead of rules. With at least four backgrounds, a second search adds their
    // edges to the rules.
    if (4..MAX_RULES).contains(&grounds.len()) {
        let (above, beside) = edges(grounds);
        let across = joined([across, &above].concat(), BACKGROUND_GAP);
        let down = joined([down, &beside].concat(), BACKGROUND_GAP);
        add(frames(&across, &down, phrases), letters, grounds, &mut kept);
    }
    kept
}

/// Finds the frames among rules, and extends them to labels beside them.
fn frames(across: &[Rule], down: &[Rule], phrases: &[Phrase]) -> Vec<Frame> {
    if across.len() < 2 || down.is_empty() || across.len().max(down.len()) > MAX_RULES {
        return Vec::new();
    }
    let groups = group_touching(across, down).into_iter();
    let frames = groups.filter_map(|(across, down)| {
        let across = with_outer_sides(&across, &down);
        let down = with_outer_sides(&down, &across);
        Frame::of(&across, &down)
    });
    let mut frames: Vec<Frame> = frames.take(MAX_TABLES).collect();
    let outside: Vec<&Phrase> = phrases
        .iter()
        .filter(|phrase| !frames.iter().any(|frame| frame.has(phrase)))
        .collect();
    for frame in &mut frames {
        frame.widen(&outside, phrases);
    }
    frames
}

/// Adds the tables of frames that do not overlap earlier ones.
fn add(frames: Vec<Frame>, letters: &Letters, grounds: &[Ground], kept: &mut Vec<Grid>) {
    let grids = frames
        .iter()
        .filter_map(|frame| frame.grid(letters, grounds));
    let mut grids: Vec<Grid> = grids.collect();
    // Larger tables come first, because a table inside a cell is part of that cell.
    grids.sort_by(|a, b| by(area(b), area(a)));
    for grid in grids {
        let is_apart = |other: &Grid| {
            grid.x.1 <= other.x.0 + NEAR
                || grid.x.0 >= other.x.1 - NEAR
                || grid.y.1 <= other.y.0 + NEAR
                || grid.y.0 >= other.y.1 - NEAR
        };
        if kept.iter().all(is_apart) {
            kept.push(grid);
        }
    }
}

/// Horizontal and vertical edges of backgrounds.
fn edges(grounds: &[Ground]) -> (Vec<Rule>, Vec<Rule>) {
    let (mut across, mut down) = (Vec::new(), Vec::new());
    for Ground { x, y } in grounds {
        let rule = |at: f32, (from, to): (f32, f32)| Rule { at, from, to };
        across.extend([rule(y.0, *x), rule(y.1, *x)]);
        down.extend([rule(x.0, *y), rule(x.1, *y)]);
    }
    (across, down)
}

/// Adds the undrawn outer sides of a table to the rules of one direction. Such a side is at a position where most rules
/// of the other direction end.
fn with_outer_sides(rules: &[Rule], crossing: &[Rule]) -> Vec<Rule> {
    let mut all = rules.to_vec();
    let places = || crossing.iter().map(|rule| rule.at);
    let (from, to) = (
        places().fold(f32::MAX, f32::min),
        places().fold(f32::MIN, f32::max),
    );
    // An undrawn side is at a position where two thirds of the crossing rules end, and at least three of them.
    let ends_at = |at: f32, end: fn(&Rule) -> f32| {
        let ending = crossing
            .iter()
            .filter(|rule| (end(rule) - at).abs() <= NEAR);
        let (ending, all) = (ending.count(), crossing.len());
        ending >= OPEN && 3 * ending >= 2 * all
    };
    let start = crossing
        .iter()
        .map(|rule| rule.from)
        .fold(f32::MAX, f32::min);
    let end = crossing.iter().map(|rule| rule.to).fold(f32::MIN, f32::max);
    let outermost = || rules.iter().map(|rule| rule.at);
    if ends_at(start, |rule| rule.from) && outermost().all(|at| at >= start + NARROWEST) {
        all.push(Rule {
            at: start,
            from,
            to,
        });
    }
    if ends_at(end, |rule| rule.to) && outermost().all(|at| at <= end - NARROWEST) {
        all.push(Rule { at: end, from, to });
    }
    all
}

/// Area of a grid, in square points.
fn area(grid: &Grid) -> f32 {
    (grid.x.1 - grid.x.0) * (grid.y.1 - grid.y.0)
}

/// Groups of rules that touch, directly or through others (union-find).
fn group_touching(across: &[Rule], down: &[Rule]) -> Vec<(Vec<Rule>, Vec<Rule>)> {
    let mut group: Vec<usize> = (0..across.len() + down.len()).collect();
    fn root(group: &mut [usize], mut at: usize) -> usize {
        while group[at] != at {
            group[at] = group[group[at]];
            at = group[at];
        }
        at
    }
    for (a, one) in across.iter().enumerate() {
        for (d, other) in (across.len()..).zip(down) {
            // Rules meet if each reaches the position of the other.
            let meets = |rule: &Rule, at: f32| rule.from - NEAR <= at && at <= rule.to + NEAR;
            if meets(one, other.at) && meets(other, one.at) {
                let (one, other) = (root(&mut group, a), root(&mut group, d));
                group[one.max(other)] = one.min(other);
            }
        }
    }
    let mut found: Vec<(usize, Vec<Rule>, Vec<Rule>)> = Vec::new();
    for at in 0..group.len() {
        let own = root(&mut group, at);
        let place = match found.iter().position(|(known, ..)| *known == own) {
            Some(place) => place,
            None => {
                found.push((own, Vec::new(), Vec::new()));
                found.len() - 1
            }
        };
        match at.checked_sub(across.len()) {
            None => found[place].1.push(across[at]),
            Some(at) => found[place].2.push(down[at]),
        }
    }
    found
        .into_iter()
        .map(|(_, across, down)| (across, down))
        .collect()
}

/// A grid of rules: edges of rows and columns, and which rules between cells exist.
struct Frame {
    /// Edges of the columns, left to right.
    xs: Vec<f32>,
    /// Edges of the rows, top to bottom.
    ys: Vec<f32>,
    /// For each cell, row by row, whether a rule is above it; `false` in the first row.
    above: Vec<bool>,
    /// For each cell, row by row, whether a rule is on its left; `false` in the first column.
    left: Vec<bool>,
}

impl Frame {
    /// Makes a grid of rules. `None` if it has fewer than two or too many rows or columns, if one of them is too
    /// narrow, or if rules do not surround the grid.
    fn of(across: &[Rule], down: &[Rule]) -> Option<Self> {
        let (xs, ys) = (places(down), places(across));
        let (columns, rows) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
        let is_table = (2..=MAX_ROWS).contains(&rows) && (2..=MAX_COLUMNS).contains(&columns);
        if !is_table {
            return None;
        }
        let is_ruled = |rules: &[Rule], at: f32, from: f32, to: f32| {
            rules.iter().any(|rule| {
                (rule.at - at).abs() <= NEAR && rule.from <= from + NEAR && rule.to >= to - NEAR
            })
        };
        let (right, bottom) = (xs[columns], ys[rows]);
        // Each side of the frame needs a rule along its whole length.
        let is_framed = is_ruled(across, ys[0], xs[0], right)
            && is_ruled(across, bottom, xs[0], right)
            && is_ruled(down, xs[0], ys[0], bottom)
            && is_ruled(down, right, ys[0], bottom);
        let is_wide = |places: &[f32]| places.windows(2).all(|pair| pair[1] - pair[0] >= NARROWEST);
        if !is_framed || !is_wide(&xs) || !is_wide(&ys) {
            return None;
        }
        let (mut above, mut left) = (Vec::new(), Vec::new());
        for row in 0..rows {
            for column in 0..columns {
                above.push(row > 0 && is_ruled(across, ys[row], xs[column], xs[column + 1]));
                left.push(column > 0 && is_ruled(down, xs[column], ys[row], ys[row + 1]));
            }
        }
        Some(Self {
            xs,
            ys,
            above,
            left,
        })
    }

    /// Returns whether the middle of a phrase is inside the frame.
    fn has(&self, phrase: &Phrase) -> bool {
        let is_in = |at: f32, places: &[f32]| places[0] < at && at < places[places.len() - 1];
        is_in(phrase.middle(), &self.xs) && is_in(phrase.base - 0.3 * phrase.size, &self.ys)
    }

    /// Adds a first column for labels that are to the left of most rows, outside of the rules.
    fn widen(&mut self, outside: &[&Phrase], phrases: &[Phrase]) {
        let (rows, left) = (self.rows(), self.xs[0]);
        let within: Vec<&Phrase> = phrases.iter().filter(|phrase| self.has(phrase)).collect();
        let is_on_level = |label: &Phrase| {
            let index =
                within.partition_point(|phrase| phrase.base < label.base - 0.3 * label.size);
            within
                .get(index)
                .is_some_and(|phrase| phrase.base < label.base + 0.3 * label.size)
        };
        let mut has_label = vec![false; rows];
        let (mut edge, mut strays) = (left, 0);
        let first = outside.partition_point(|phrase| phrase.base < self.ys[0]);
        for label in outside[first..]
            .iter()
            .take_while(|phrase| phrase.base < self.ys[rows])
        {
            if label.x.1 > left + NEAR || left - label.x.1 > BESIDE * label.size {
                continue;
            }
            if !is_on_level(label) || label.len() > LONGEST_LABEL {
                strays += 1;
                continue;
            }
            let row = self
                .ys
                .partition_point(|y| *y <= label.base - 0.3 * label.size);
            has_label[row.clamp(1, rows) - 1] = true;
            edge = edge.min(label.x.0 - NEAR);
        }
        let labelled = has_label.iter().filter(|has| **has).count();
        // Three quarters of the rows need a label. For each five labels, one other text beside the rules is tolerated.
        if rows < 3
            || 4 * labelled < 3 * rows
            || 5 * strays > labelled
            || self.columns() == MAX_COLUMNS
        {
            return;
        }
        self.xs.insert(0, edge);
        let columns = self.columns();
        // The labels get cells of their own. Rules are added between their rows, and between them and the former first
        // column.
        for row in 0..rows {
            self.above.insert(row * columns, row > 0);
            self.left.insert(row * columns, false);
            self.left[row * columns + 1] = true;
        }
    }

    /// Number of rows.
    fn rows(&self) -> usize {
        self.ys.len() - 1
    }

    /// Number of columns.
    fn columns(&self) -> usize {
        self.xs.len() - 1
    }

    /// Cells of the grid: for each slot the index of its cell, and for each cell its first row, its first column, and
    /// its numbers of rows and columns. Merged cells that are not rectangles are divided.
    fn cells(&self) -> (Vec<usize>, Vec<[usize; 4]>) {
        let (rows, columns) = (self.rows(), self.columns());
        let mut owner = vec![usize::MAX; rows * columns];
        let mut cells = Vec::new();
        for at in 0..rows * columns {
            if owner[at] != usize::MAX {
                continue;
            }
            let (row, column) = (at / columns, at % columns);
            let is_open_right = |at: usize| at < columns && !self.left[row * columns + at];
            let width = (column + 1..).take_while(|at| is_open_right(*at)).count() + 1;
            let is_open_below = |at: usize| at < rows && !self.above[at * columns + column];
            let height = (row + 1..).take_while(|at| is_open_below(*at)).count() + 1;
            let is_cell = |(height, width): &(usize, usize)| {
                self.is_cell(&owner, [row, column, *height, *width])
            };
            // The first choice is the largest block of slots without rules inside. If this block is not a cell, its
            // first row or column may be one. Otherwise, the slot alone is a cell.
            let shapes = [(height, width), (1, width), (height, 1)];
            let (height, width) = shapes.into_iter().find(is_cell).unwrap_or((1, 1));
            for row in row..row + height {
                owner[row * columns + column..row * columns + column + width].fill(cells.len());
            }
            cells.push([row, column, height, width]);
        }
        (owner, cells)
    }

    /// Returns whether slots form a cell: they are free, rules surround them, and no rule is between them.
    fn is_cell(&self, owner: &[usize], [row, column, height, width]: [usize; 4]) -> bool {
        let (rows, columns) = (self.rows(), self.columns());
        let mut places =
            (row..row + height).flat_map(|r| (column..column + width).map(move |c| (r, c)));
        places.all(|(r, c)| {
            let at = r * columns + c;
            let is_within = (c == column || !self.left[at]) && (r == row || !self.above[at]);
            let ends = (c > column || c == 0 || self.left[at])
                && (r > row || r == 0 || self.above[at])
                && (c + 1 < column + width || c + 1 == columns || self.left[at + 1])
                && (r + 1 < row + height || r + 1 == rows || self.above[at + columns]);
            owner[at] == usize::MAX && is_within && ends
        })
    }

    /// Table with the letters in its cells. `None` if the grid is not a table.
    fn grid(&self, letters: &Letters, grounds: &[Ground]) -> Option<Grid> {
        let (owner, cells) = self.cells();
        let (columns, rows) = (self.columns(), self.rows());
        let mut within: Vec<Vec<u32>> = vec![Vec::new(); cells.len()];
        // The middle of a letter decides which cell it is in.
        for (index, letter) in (0..).zip(&letters.all) {
            let (x, y) = (
                0.5 * (letter.x.0 + letter.x.1),
                letter.y - 0.3 * letter.size,
            );
            let column = self.xs.partition_point(|place| *place <= x);
            let row = self.ys.partition_point(|place| *place <= y);
            let is_within =
                letter.angle == 0 && (1..=columns).contains(&column) && (1..=rows).contains(&row);
            if is_within {
                within[owner[(row - 1) * columns + column - 1]].push(index);
            }
        }
        let filled = within.iter().filter(|letters| !letters.is_empty()).count();
        let in_rows = cells
            .iter()
            .map(|cell| cell[0])
            .collect::<std::collections::BTreeSet<_>>();
        // The labels of a chart are beside the rules, so most cells of a chart are empty.
        if filled < 2 || 3 * filled < cells.len() || in_rows.len() < 2 || cells.len() < 4 {
            return None;
        }
        let is_ground = |ground: &&Ground, row: usize| {
            let (top, bottom) = (self.ys[row], self.ys[row + 1]);
            let covers_down = ground.y.0 <= top + 3.0 && ground.y.1 >= bottom - 3.0;
            let is_of_table = ground.y.0 >= self.ys[0] - 6.0;
            covers_down && is_of_table && ground.x.0 < self.xs[columns] && ground.x.1 > self.xs[0]
        };
        // A row counts as shaded if its shaded areas together have at least nine tenths of its width.
        let shaded = |row: usize| {
            let of_row = grounds.iter().filter(|ground| is_ground(ground, row));
            let len: f32 = of_row
                .map(|ground| ground.x.1.min(self.xs[columns]) - ground.x.0.max(self.xs[0]))
                .sum();
            len >= 0.9 * (self.xs[columns] - self.xs[0])
        };
        // If the first row is shaded and the second is not, the first row is a header.
        let head = shaded(0) && !shaded(1);
        let cells = cells.into_iter().zip(within);
        Some(Grid {
            x: (self.xs[0], self.xs[columns]),
            y: (self.ys[0], self.ys[rows]),
            rows,
            columns,
            cells: cells
                .map(|([row, column, rows, columns], letters)| GridCell {
                    row,
                    column,
                    rows,
                    columns,
                    letters,
                })
                .collect(),
            heads: usize::from(head),
        })
    }
}

/// Distinct positions of rules, in order.
fn places(rules: &[Rule]) -> Vec<f32> {
    let mut all: Vec<f32> = rules.iter().map(|rule| rule.at).collect();
    all.sort_by(|a, b| by(*a, *b));
    let mut places: Vec<f32> = Vec::new();
    for at in all {
        if places.last().is_none_or(|last| at > last + NEAR) {
            places.push(at);
        }
    }
    places
}
