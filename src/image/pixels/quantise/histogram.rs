//! Histogram of a picture's colours, and the choice of colours that represent them best. Ignores the positions of
//! pixels in the picture.
//!
//! The choice follows Xiaolin Wu, "Efficient statistical computations for optimal color quantization" (Graphics Gems
//! II, 1991): boxes of a 32×32×32 histogram are cut where that reduces the variance most. Sums over a box take eight
//! lookups, because each cell is first replaced by the sum of all cells from the origin to it.

/// Number of cells along a side: 32, and a border of zeros before them.
const SIDE: usize = 33;

/// Moments of each cell. The colours in a cell have the upper 5 bits of each channel in common.
pub(crate) struct Histogram(Vec<Moments>);

impl Default for Histogram {
    fn default() -> Self {
        Self(vec![Moments::default(); SIDE * SIDE * SIDE])
    }
}

impl Histogram {
    /// Counts a colour in the cell that it belongs to.
    pub(crate) fn count(&mut self, colour: [u8; 3]) {
        let [r, g, b] = colour.map(|sample| usize::from(sample >> 3) + 1);
        let cell = &mut self.0[(r * SIDE + g) * SIDE + b];
        let [r, g, b] = colour.map(i64::from);
        cell.count += 1;
        cell.sum[0] += r;
        cell.sum[1] += g;
        cell.sum[2] += b;
        cell.squares += r * r + g * g + b * b;
    }

    /// The cells that have colours, as 32 × 32 numbers: one for each green of the first red, then for each green of the
    /// next red, and so on. Each number has a bit for each blue, the lowest one for the least blue.
    pub(crate) fn used(&self) -> Vec<u32> {
        let lines = (0..32 * 32).map(|line| ((line / 32 + 1) * SIDE + line % 32 + 1) * SIDE + 1);
        lines
            .map(|line| {
                (0..32).fold(0, |bits, blue| {
                    bits | u32::from(self.0[line + blue].count > 0) << blue
                })
            })
            .collect()
    }

    /// Chooses at most `max_colours` colours that represent the counted ones. Cuts the box with the largest variance
    /// until there are enough boxes, or no box can be cut.
    pub(crate) fn choose(self, max_colours: usize) -> Vec<[u8; 3]> {
        let mut cells = self.0;
        accumulate(&mut cells);
        let mut cubes = vec![Cube {
            low: [0; 3],
            high: [SIDE - 1; 3],
        }];
        let mut variances = vec![f64::INFINITY];
        while cubes.len() < max_colours {
            let Some((widest, &variance)) = variances
                .iter()
                .enumerate()
                .max_by(|a, b| a.1.total_cmp(b.1))
            else {
                break;
            };
            if variance <= 0.0 {
                break;
            }
            match cut(&cells, cubes[widest]) {
                Some((left, right)) => {
                    cubes[widest] = left;
                    variances[widest] = variance_of(&cells, left);
                    cubes.push(right);
                    variances.push(variance_of(&cells, right));
                }
                None => variances[widest] = 0.0,
            }
        }
        cubes
            .into_iter()
            .map(|cube| sums(&cells, cube))
            .filter(|sums| sums.count > 0)
            .map(|sums| {
                sums.sum
                    .map(|sum| ((sum + sums.count / 2) / sums.count) as u8)
            })
            .collect()
    }
}

/// Number of pixels, sum of their colours by channel, and sum of the squares of all channels, over one cell or over all
/// cells from the origin to it.
#[derive(Clone, Copy, Default)]
struct Moments {
    count: i64,
    sum: [i64; 3],
    squares: i64,
}

/// A box of cells: on each axis those above `low`, up to and including `high`.
#[derive(Clone, Copy)]
struct Cube {
    low: [usize; 3],
    high: [usize; 3],
}

/// Replaces each cell by the sum of all cells from the origin to it, one axis after another.
fn accumulate(cells: &mut [Moments]) {
    for stride in [1, SIDE, SIDE * SIDE] {
        for at in stride..cells.len() {
            // A border cell, with the coordinate 0 on this axis, is left out: the cell before it in memory belongs to
            // another line.
            if at / stride % SIDE != 0 {
                let before = cells[at - stride];
                cells[at].add(before, 1);
            }
        }
    }
}

impl Moments {
    /// Adds other moments, or subtracts them if `sign` is −1.
    fn add(&mut self, other: Self, sign: i64) {
        self.count += sign * other.count;
        for (sum, other) in self.sum.iter_mut().zip(other.sum) {
            *sum += sign * other;
        }
        self.squares += sign * other.squares;
    }

    /// Squares of the sums of the three channels, added and divided by the count. The best cut makes the total of this
    /// value over the two halves as large as possible.
    fn weight(&self) -> f64 {
        let sums: f64 = self.sum.iter().map(|&sum| (sum as f64).powi(2)).sum();
        sums / self.count as f64
    }
}

/// Moments of a box, by inclusion and exclusion of its eight corners.
fn sums(cells: &[Moments], cube: Cube) -> Moments {
    let mut total = Moments::default();
    for corner in 0..8usize {
        let mut sign = 1;
        let mut at = 0;
        for axis in 0..3 {
            let side = if corner >> axis & 1 == 0 {
                cube.high[axis]
            } else {
                sign = -sign;
                cube.low[axis]
            };
            at = at * SIDE + side;
        }
        total.add(cells[at], sign);
    }
    total
}

/// Variance of a box, times its count. A single cell cannot be cut, so it counts as 0.
fn variance_of(cells: &[Moments], cube: Cube) -> f64 {
    let single = (0..3).all(|axis| cube.high[axis] - cube.low[axis] == 1);
    let sums = sums(cells, cube);
    if single || sums.count == 0 {
        return 0.0;
    }
    sums.squares as f64 - sums.weight()
}

/// The halves of a box at the best cut along any axis. `None` if no cut has colours on both sides.
fn cut(cells: &[Moments], cube: Cube) -> Option<(Cube, Cube)> {
    let whole = sums(cells, cube);
    let mut best: Option<(f64, Cube, Cube)> = None;
    for axis in 0..3 {
        for at in cube.low[axis] + 1..cube.high[axis] {
            let (mut left, mut right) = (cube, cube);
            left.high[axis] = at;
            right.low[axis] = at;
            let left_sums = sums(cells, left);
            let mut right_sums = whole;
            right_sums.add(left_sums, -1);
            if left_sums.count == 0 || right_sums.count == 0 {
                continue;
            }
            let weight = left_sums.weight() + right_sums.weight();
            if best.is_none_or(|(most, ..)| weight > most) {
                best = Some((weight, left, right));
            }
        }
    }
    best.map(|(_, left, right)| (left, right))
}
