//! Finds white channels between columns. Letters on both sides of a channel are not linked, even if it is narrow.
//!
//! The page is divided into a coarse grid. A channel consists of cells without ink, one below another over many lines,
//! within the region of the text. The region consists of the letters and the space between them; so the white margins
//! of the page are not channels. Lines that end early leave holes in the region, and a channel continues through them.

use super::area::Area;
use convertd_core::{error::Result, job::Job};

/// Number of grid cells in an x-height, horizontally.
const ACROSS: i32 = 6;
/// Number of grid cells in an x-height, vertically.
const DOWN: i32 = 2;
/// Least height of a channel in x-heights.
const TALL: f32 = 9.0;
/// Least width of a channel in x-heights.
const WIDE: f32 = 0.8;
/// Largest horizontal gap that is closed to obtain the region of the text, in x-heights.
const CLOSED_ACROSS: f32 = 4.0;
/// Largest vertical gap that is closed to obtain the region of the text, in x-heights.
const CLOSED_DOWN: f32 = 2.5;
/// Largest height, in x-heights, of a hole in the region through which a channel continues: a line that ends early, and
/// the gaps around it.
const HOLE: f32 = 4.5;

/// Vertical white channels of a page.
pub(super) struct Gutters {
    /// Width and height of a cell in pixels.
    cell: (i32, i32),
    columns: usize,
    rows: usize,
    /// For each cell, the number of channel cells to its left in the row (prefix sums).
    counts: Vec<u32>,
}

impl Gutters {
    /// The channels between letters; `x_height` in pixels.
    pub(super) fn find(
        job: &Job<'_>,
        letters: impl Iterator<Item = Area>,
        (width, height): (usize, usize),
        x_height: i32,
    ) -> Result<Self> {
        let cell = ((x_height / ACROSS).max(2), (x_height / DOWN).max(4));
        let columns = width / cell.0 as usize + 1;
        let rows = height / cell.1 as usize + 1;
        let _lease = job.lease((columns * rows * 7) as u64)?;
        let mut grid = Grid {
            columns,
            rows,
            cells: vec![false; columns * rows],
        };
        for area in letters {
            // Cells that ink only just reaches stay white: otherwise a channel would have to be wider by two cells.
            let left = ((area.left + cell.0 / 2) / cell.0).max(0) as usize;
            let right = ((area.right - cell.0 / 2) / cell.0).max(0) as usize;
            for row in area.top / cell.1..=(area.bottom - 1) / cell.1 {
                let from = row.max(0) as usize * columns;
                for column in left..=right.max(left).min(columns - 1) {
                    if let Some(cell) = grid.cells.get_mut(from + column) {
                        *cell = true;
                    }
                }
            }
        }
        job.check()?;
        let mut region = grid.clone();
        let cells = |heights: f32, cell: i32| (heights * x_height as f32 / cell as f32) as usize;
        region.close_across(cells(CLOSED_ACROSS, cell.0));
        region.close_down(cells(CLOSED_DOWN, cell.1));
        region.keep_channels(&grid, cells(TALL, cell.1), cells(HOLE, cell.1));
        let wide = (WIDE * x_height as f32 / cell.0 as f32).ceil() as usize;
        region.keep_wide(wide);
        let mut counts = Vec::with_capacity((columns + 1) * rows);
        for row in region.cells.chunks_exact(columns) {
            let mut sum = 0;
            counts.push(0);
            for &cell in row {
                sum += u32::from(cell);
                counts.push(sum);
            }
        }
        Ok(Self {
            cell,
            columns,
            rows,
            counts,
        })
    }

    /// Returns whether a channel is between two positions at the same height.
    pub(super) fn between(&self, left: i32, right: i32, y: i32) -> bool {
        if right <= left {
            return false;
        }
        let row = ((y / self.cell.1).max(0) as usize).min(self.rows - 1) * (self.columns + 1);
        let at = |x: i32| ((x / self.cell.0).max(0) as usize).min(self.columns);
        self.counts[row + at(right)] > self.counts[row + at(left)]
    }
}

#[derive(Clone)]
struct Grid {
    columns: usize,
    rows: usize,
    cells: Vec<bool>,
}

impl Grid {
    /// Fills gaps of at most this many cells between two filled cells of a row.
    fn close_across(&mut self, most: usize) {
        for row in self.cells.chunks_exact_mut(self.columns) {
            let mut last: Option<usize> = None;
            for at in 0..row.len() {
                if row[at] {
                    if let Some(last) = last.filter(|last| at - last <= most + 1) {
                        row[last..at].fill(true);
                    }
                    last = Some(at);
                }
            }
        }
    }

    /// Fills gaps of at most this many cells between two filled cells of a column.
    fn close_down(&mut self, most: usize) {
        let mut last = vec![usize::MAX; self.columns];
        for row in 0..self.rows {
            for (column, last) in last.iter_mut().enumerate() {
                if self.cells[row * self.columns + column] {
                    if *last != usize::MAX && row - *last <= most + 1 {
                        for between in *last..row {
                            self.cells[between * self.columns + column] = true;
                        }
                    }
                    *last = row;
                }
            }
        }
    }

    /// Reduces the region to its channels: vertical runs of at least `least` cells without ink. A run begins and ends
    /// in the region, at least half of its cells are in the region, and no gap between those is larger than `hole`.
    fn keep_channels(&mut self, ink: &Self, least: usize, hole: usize) {
        let mut channels = vec![false; self.cells.len()];
        for column in 0..self.columns {
            // First and last row of the run within the region, and the number of its rows there.
            let mut run: Option<(usize, usize, usize)> = None;
            for row in 0..=self.rows {
                let at = row * self.columns + column;
                let is_ground = row < self.rows && !ink.cells[at];
                if let Some((first, last, count)) = run
                    && (!is_ground || row - last > hole)
                {
                    let height = last + 1 - first;
                    if height >= least && 2 * count >= height {
                        for row in first..=last {
                            channels[row * self.columns + column] = true;
                        }
                    }
                    run = None;
                }
                if is_ground && self.cells[at] {
                    let (first, count) = run.map_or((row, 0), |(first, _, count)| (first, count));
                    run = Some((first, row, count + 1));
                }
            }
        }
        self.cells = channels;
    }

    /// Keeps only runs of at least this many cells in a row.
    fn keep_wide(&mut self, least: usize) {
        for row in self.cells.chunks_exact_mut(self.columns) {
            let mut begin = 0;
            for at in 0..=row.len() {
                if at < row.len() && row[at] {
                    continue;
                }
                if at - begin < least {
                    row[begin..at].fill(false);
                }
                begin = at + 1;
            }
        }
    }
}
