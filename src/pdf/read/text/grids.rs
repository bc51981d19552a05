//! Tables whose cells are ruled on all sides. Tables with rules only above and below rows stay lines of text: they cannot be
//! told from a heading between two rules.
//!
//! Rules that touch form a grid if they also frame it. Cells with no rule between them are merged, and must then be a
//! rectangle. A grid with few words is a chart, and one with a single row or column is a box.

use super::{
    letters::Letters,
    lines::by,
    rules::{Rule, Rules, joined},
};

/// The largest gap between the ends of rules that meet, in points.
const NEAR: f32 = 2.0;

/// The largest number of horizontal, or vertical, rules that are compared.
const MOST_RULES: usize = 1000;

/// The largest number of rows and of columns.
const MOST_ROWS: usize = 300;
const MOST_COLUMNS: usize = 60;

/// The smallest side of a cell, in points.
const NARROWEST: f32 = 5.0;

/// The largest number of tables on a page.
const MOST_TABLES: usize = 100;

/// The geometry of a table.
#[derive(Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) x: (f32, f32),
    pub(crate) y: (f32, f32),
    /// How many rows there are.
    pub(crate) rows: usize,
    /// Row by row.
    pub(crate) cells: Vec<GridCell>,
    /// Whether the first row has its own background.
    pub(crate) head: bool,
}

/// The geometry of a cell.
#[derive(Debug, PartialEq)]
pub(crate) struct GridCell {
    pub(crate) row: usize,
    /// How many rows and columns it spans.
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// The letters in it, by their indices.
    pub(crate) letters: Vec<u32>,
}

/// The tables of a page.
pub(crate) fn find(rules: Rules, letters: &Letters) -> Vec<Grid> {
    let (across, down) = (joined(rules.across, NEAR), joined(rules.down, NEAR));
    if across.len() < 3 || down.len() < 3 || across.len().max(down.len()) > MOST_RULES {
        return Vec::new();
    }
    let mut grids: Vec<Grid> = together(&across, &down)
        .into_iter()
        .filter_map(|(across, down)| Frame::of(&across, &down))
        .take(MOST_TABLES)
        .filter_map(|frame| frame.grid(letters, &rules.grounds))
        .collect();
    // A table within a cell of another is left to it.
    grids.sort_by(|a, b| by(area(b), area(a)));
    let mut kept: Vec<Grid> = Vec::new();
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
    kept
}

fn area(grid: &Grid) -> f32 {
    (grid.x.1 - grid.x.0) * (grid.y.1 - grid.y.0)
}

/// Groups of rules that touch, directly or through others.
fn together(across: &[Rule], down: &[Rule]) -> Vec<(Vec<Rule>, Vec<Rule>)> {
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

/// A grid of rules: the edges of its rows and columns, and which rules between cells exist.
struct Frame {
    xs: Vec<f32>,
    ys: Vec<f32>,
    /// For each row but the first, and each column: whether there is a rule above the cell.
    above: Vec<bool>,
    /// For each row, and each column but the first: whether there is a rule to the left of the cell.
    left: Vec<bool>,
}

impl Frame {
    /// `None` if there are fewer than two rows and columns, or no frame around them.
    fn of(across: &[Rule], down: &[Rule]) -> Option<Self> {
        let (xs, ys) = (places(down), places(across));
        let (columns, rows) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
        let is_table = (2..=MOST_ROWS).contains(&rows) && (2..=MOST_COLUMNS).contains(&columns);
        if !is_table {
            return None;
        }
        let is_ruled = |rules: &[Rule], at: f32, from: f32, to: f32| {
            rules.iter().any(|rule| {
                (rule.at - at).abs() <= NEAR && rule.from <= from + NEAR && rule.to >= to - NEAR
            })
        };
        let (right, bottom) = (xs[columns], ys[rows]);
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

    fn rows(&self) -> usize {
        self.ys.len() - 1
    }

    fn columns(&self) -> usize {
        self.xs.len() - 1
    }

    /// The cells: for each place of the grid the number of its cell, and for each cell its first row and column and its spans.
    /// `None` if one of them is not a rectangle.
    fn cells(&self) -> Option<(Vec<usize>, Vec<[usize; 4]>)> {
        let (rows, columns) = (self.rows(), self.columns());
        let mut owner = vec![usize::MAX; rows * columns];
        let mut cells = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                if owner[row * columns + column] != usize::MAX {
                    continue;
                }
                let is_open_right = |at: usize| at < columns && !self.left[row * columns + at];
                let wide = (column + 1..).take_while(|at| is_open_right(*at)).count() + 1;
                let is_open_below = |at: usize| at < rows && !self.above[at * columns + column];
                let high = (row + 1..).take_while(|at| is_open_below(*at)).count() + 1;
                for (r, c) in
                    (row..row + high).flat_map(|r| (column..column + wide).map(move |c| (r, c)))
                {
                    let at = r * columns + c;
                    let is_within =
                        (c == column || !self.left[at]) && (r == row || !self.above[at]);
                    let ends = (c > column || c == 0 || self.left[at])
                        && (r > row || r == 0 || self.above[at])
                        && (c + 1 < column + wide || c + 1 == columns || self.left[at + 1])
                        && (r + 1 < row + high || r + 1 == rows || self.above[at + columns]);
                    if owner[at] != usize::MAX || !is_within || !ends {
                        return None;
                    }
                    owner[at] = cells.len();
                }
                cells.push([row, column, high, wide]);
            }
        }
        Some((owner, cells))
    }

    /// The table, with the letters in its cells. `None` if the grid is not a table.
    fn grid(&self, letters: &Letters, grounds: &[hayro::kurbo::Rect]) -> Option<Grid> {
        let (owner, cells) = self.cells()?;
        let (columns, rows) = (self.columns(), self.rows());
        let mut within: Vec<Vec<u32>> = vec![Vec::new(); cells.len()];
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
        // The labels of a chart stand beside its rules.
        if filled < 2 || 3 * filled < cells.len() || in_rows.len() < 2 || cells.len() < 4 {
            return None;
        }
        let is_ground = |ground: &&hayro::kurbo::Rect, row: usize| {
            let (top, bottom) = (f64::from(self.ys[row]), f64::from(self.ys[row + 1]));
            let covers_down = ground.y0 <= top + 3.0 && ground.y1 >= bottom - 3.0;
            let is_of_table = ground.y0 >= f64::from(self.ys[0]) - 6.0;
            covers_down
                && is_of_table
                && ground.x0 < f64::from(self.xs[columns])
                && ground.x1 > f64::from(self.xs[0])
        };
        // Backgrounds of neighbouring cells together make that of a row.
        let shaded = |row: usize| {
            let of_row = grounds.iter().filter(|ground| is_ground(ground, row));
            let len: f64 = of_row
                .map(|ground| {
                    ground.x1.min(f64::from(self.xs[columns]))
                        - ground.x0.max(f64::from(self.xs[0]))
                })
                .sum();
            len >= 0.9 * f64::from(self.xs[columns] - self.xs[0])
        };
        let head = shaded(0) && !shaded(1);
        let cells = cells.into_iter().zip(within);
        Some(Grid {
            x: (self.xs[0], self.xs[columns]),
            y: (self.ys[0], self.ys[rows]),
            rows,
            cells: cells
                .map(|([row, _, rows, columns], letters)| GridCell {
                    row,
                    rows,
                    columns,
                    letters,
                })
                .collect(),
            head,
        })
    }
}

/// The positions of rules, without duplicates.
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
