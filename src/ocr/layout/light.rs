//! The ground (the background) of the page: whether it is lighter than the letters, whether the light is even, and the
//! threshold between ink and ground. If the letters are lighter, all values are taken as inverted.
//!
//! The page is divided into blocks, about eighty along its longer side. The ground of a block is its ninth decile: nine
//! tenths of its pixels are darker. Blocks that are filled with letters or pictures take the ground of their
//! neighbours. If the ground is uneven, the value of each pixel is divided by that of the ground, which gives the page
//! as in even light: with one threshold for the whole page, a third of the letters on an unevenly lit page would be
//! lost.

use super::area::quantile;
use crate::page::Page;
use convertd_core::{error::Result, job::Job};

/// Blocks along the page's longer side.
const BLOCKS: usize = 80;
/// The least side of a block in pixels.
const LEAST_BLOCK: usize = 8;
/// The ground is uneven if its values in the blocks, from the 3rd to the 97th percentile, differ by at least this much.
const UNEVEN: i32 = 40;
/// Least difference between the 3rd and the 97th percentile of the values in a block that has both ink and ground.
const CONTRAST: u8 = 50;

/// The ground of each block.
pub(super) struct Light {
    side: usize,
    columns: usize,
    rows: usize,
    ground: Vec<u8>,
    /// Whether most blocks with letters have light letters on dark ground.
    pub(super) inverted: bool,
}

impl Light {
    /// Measures the ground of each block, because light falls unevenly on photographed pages.
    pub(super) fn measure(job: &Job<'_>, page: &Page<'_>) -> Result<Self> {
        let side = page
            .width
            .max(page.height)
            .div_ceil(BLOCKS)
            .max(LEAST_BLOCK);
        let (columns, rows) = (page.width.div_ceil(side), page.height.div_ceil(side));
        let mut light = Vec::with_capacity(columns * rows);
        let mut dark = Vec::with_capacity(columns * rows);
        let (mut normal, mut turned) = (0, 0);
        for row in 0..rows {
            job.check()?;
            for column in 0..columns {
                let counts = histogram(page, column * side, row * side, side);
                let total: u32 = counts.iter().sum();
                let at = |share: f64| level(&counts, (f64::from(total) * share) as u32);
                let (low, middle, high) = (at(0.03), at(0.5), at(0.97));
                if high - low >= CONTRAST {
                    match middle - low > high - middle {
                        true => normal += 1,
                        false => turned += 1,
                    }
                }
                light.push(at(0.9));
                dark.push(255 - at(0.1));
            }
        }
        let inverted = turned > normal;
        let mut out = Self {
            side,
            columns,
            rows,
            ground: if inverted { dark } else { light },
            inverted,
        };
        out.spread();
        Ok(out)
    }

    /// Sets the ground of blocks without one from their neighbours, and smooths all grounds.
    fn spread(&mut self) {
        let most = self.ground.iter().copied().max().unwrap_or(0);
        // A ground darker than a quarter of the lightest ground is not paper.
        let least = most / 4;
        for value in &mut self.ground {
            if *value < least {
                *value = 0;
            }
        }
        self.ground = self.neighbours(2, |values| values.iter().copied().max().unwrap_or(0));
        while most > 0 && self.ground.contains(&0) {
            let next = self.neighbours(1, |values| values.iter().copied().max().unwrap_or(0));
            for (value, next) in self.ground.iter_mut().zip(next) {
                if *value == 0 {
                    *value = next;
                }
            }
        }
        for _ in 0..2 {
            self.ground = self.neighbours(1, |values| {
                let sum: usize = values.iter().map(|&v| usize::from(v)).sum();
                ((sum + values.len() / 2) / values.len().max(1)) as u8
            });
        }
    }

    /// Computes a value for each block from the blocks around it.
    fn neighbours(&self, reach: usize, make: impl Fn(&[u8]) -> u8) -> Vec<u8> {
        let mut around = Vec::with_capacity(25);
        let mut out = Vec::with_capacity(self.ground.len());
        for row in 0..self.rows {
            for column in 0..self.columns {
                around.clear();
                for y in row.saturating_sub(reach)..self.rows.min(row + reach + 1) {
                    let from = y * self.columns;
                    let left = column.saturating_sub(reach);
                    let right = self.columns.min(column + reach + 1);
                    around.extend_from_slice(&self.ground[from + left..from + right]);
                }
                out.push(make(&around));
            }
        }
        out
    }

    /// Returns whether the ground is so uneven that [`even_out`](Self::even_out) is needed.
    pub(super) fn uneven(&self) -> bool {
        let mut values: Vec<i32> = self.ground.iter().map(|&v| i32::from(v)).collect();
        quantile(&mut values, 0.97) - quantile(&mut values, 0.03) >= UNEVEN
    }

    /// The median of the grounds of all blocks.
    pub(super) fn median_ground(&self) -> u8 {
        let mut values: Vec<i32> = self.ground.iter().map(|&v| i32::from(v)).collect();
        quantile(&mut values, 0.5) as u8
    }

    /// Divides the value of each pixel by that of the ground at its position, so that the ground becomes white.
    pub(super) fn even_out(&self, job: &Job<'_>, grey: &mut [u8], width: usize) -> Result<()> {
        let side = self.side as f32;
        // The ground of a block is taken as that of its centre. Between centres it is interpolated.
        let position = |at: usize, count: usize| {
            let at = ((at as f32 + 0.5) / side - 0.5).clamp(0.0, (count - 1) as f32);
            let whole = (at as usize).min(count.saturating_sub(2));
            (whole, ((at - whole as f32) * 256.0) as i32)
        };
        let across: Vec<(usize, i32)> = (0..width).map(|x| position(x, self.columns)).collect();
        let ground = |row: usize, column: usize| {
            i32::from(self.ground[row * self.columns + column.min(self.columns - 1)])
        };
        let mut line = vec![0; self.columns];
        for (y, row) in grey.chunks_exact_mut(width).enumerate() {
            if y % 64 == 0 {
                job.check()?;
            }
            let (above, part) = position(y, self.rows);
            let below = (above + 1).min(self.rows - 1);
            for (column, value) in line.iter_mut().enumerate() {
                *value = ground(above, column) * (256 - part) + ground(below, column) * part;
            }
            for (value, &(left, part)) in row.iter_mut().zip(&across) {
                let right = (left + 1).min(self.columns - 1);
                let ground = (line[left] * (256 - part) + line[right] * part) >> 16;
                *value = (i32::from(*value) * 255 / ground.max(1)).min(255) as u8;
            }
        }
        Ok(())
    }
}

/// Counts of the values of a square of the page.
fn histogram(page: &Page<'_>, left: usize, top: usize, side: usize) -> [u32; 256] {
    let mut counts = [0; 256];
    for y in top..page.height.min(top + side) {
        let row = &page.grey[y * page.width..][..page.width];
        for &value in &row[left..page.width.min(left + side)] {
            counts[usize::from(value)] += 1;
        }
    }
    counts
}

/// The smallest value such that more than `pixels` pixels have that value or a lower one.
pub(super) fn level(counts: &[u32; 256], pixels: u32) -> u8 {
    let mut sum = 0;
    for (value, count) in counts.iter().enumerate() {
        sum += count;
        if sum > pixels {
            return value as u8;
        }
    }
    255
}

/// Otsu's threshold: the lightest value that counts as ink, so that ink and ground differ as much as possible.
pub(super) fn threshold(grey: &[u8]) -> u8 {
    let mut counts = [0_u64; 256];
    for &value in grey {
        counts[usize::from(value)] += 1;
    }
    let total: u64 = counts.iter().sum();
    let sum: u64 = (0..).zip(&counts).map(|(value, count)| value * count).sum();
    let (mut below, mut sum_below) = (0, 0);
    let (mut best, mut at) = (0.0, 0_u32);
    let mut ties = 1;
    for (value, count) in (0_u32..).zip(&counts) {
        below += count;
        sum_below += u64::from(value) * count;
        let above = total - below;
        if below == 0 || above == 0 {
            continue;
        }
        let difference = sum_below as f64 / below as f64 - (sum - sum_below) as f64 / above as f64;
        let between = below as f64 * above as f64 * difference * difference;
        if between > best {
            (best, at, ties) = (between, value, 1);
        } else if between == best {
            // If no pixel has a value between ink and ground, several thresholds are equally good, and the middle one
            // is chosen.
            ties += 1;
        }
    }
    (at + (ties - 1) / 2).min(254) as u8
}
