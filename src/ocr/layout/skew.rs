//! Measures the angle of the lines of text. Does not rotate the page.
//!
//! The lower ends of most letters lie on the baseline. These points are sheared by each angle and counted by rows. At
//! the angle of the lines, they fall into few rows, and the score is greatest: the sum of the squares of the counts,
//! and of the differences between the counts of adjacent rows.

use super::bits::Bits;
use convertd_core::{error::Result, job::Job};

/// The largest angle that is looked for, in degrees.
const MAX: f64 = 5.0;
/// Number of points that suffice to find an angle.
const POINTS: usize = 60_000;
/// Angles in degrees below which a page is straight.
const STRAIGHT: f64 = 0.1;
/// Factor by which the score of the best angle must exceed the median score. Otherwise the page has no lines of text.
const CLEAR: f64 = 1.1;

/// Angle in degrees by which the page must be rotated clockwise. 0 if the page is straight or has no lines, or if the
/// best angle is not below [`MAX`].
pub(super) fn measure(job: &Job<'_>, bits: &Bits<'_>, x_height: i32) -> Result<f64> {
    let points = points(job, bits)?;
    if points.len() < 100 {
        return Ok(0.0);
    }
    let bin = f64::from(x_height) / 20.0;
    let bin = bin.max(1.0);
    let mut counts = Vec::new();
    let mut score = |degrees: f64| score(&points, degrees, bin, bits, &mut counts);
    let mut coarse_scores = Vec::new();
    for step in -20..=20 {
        job.check()?;
        let degrees = f64::from(step) * MAX / 20.0;
        coarse_scores.push((score(degrees), degrees));
    }
    let best = |list: &[(f64, f64)]| {
        list.iter().copied().fold(
            (0.0, 0.0),
            |best, this| if this.0 > best.0 { this } else { best },
        )
    };
    let (_, middle) = best(&coarse_scores);
    let mut fine_scores: Vec<(f64, f64)> = Vec::new();
    for step in -5..=5 {
        let degrees = middle + f64::from(step) * 0.05;
        fine_scores.push((score(degrees), degrees));
    }
    let (_, middle) = best(&fine_scores);
    for step in -2..=2 {
        let degrees = middle + f64::from(step) * 0.02;
        fine_scores.push((score(degrees), degrees));
    }
    let (found, degrees) = best(&fine_scores);
    coarse_scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = coarse_scores[coarse_scores.len() / 2].0;
    let is_certain = found > median * CLEAR && degrees.abs() < MAX;
    Ok(match is_certain && degrees.abs() >= STRAIGHT {
        // Lines that fall to the right are lifted by turning the page counter-clockwise.
        true => -(degrees * 100.0).round() / 100.0,
        false => 0.0,
    })
}

/// Positions of at most [`POINTS`] pixels with ink that have none below them, from all over the page.
fn points(job: &Job<'_>, bits: &Bits<'_>) -> Result<Vec<(u16, u16)>> {
    let ends = |y: usize| {
        let below = (y + 1 < bits.height).then(|| bits.row(y + 1));
        bits.row(y)
            .iter()
            .enumerate()
            .map(move |(i, word)| (i, word & !below.map_or(0, |row| row[i])))
    };
    let mut total = 0;
    for y in 0..bits.height {
        if y % 256 == 0 {
            job.check()?;
        }
        total += ends(y).map(|(_, w)| w.count_ones() as usize).sum::<usize>();
    }
    let each = total.div_ceil(POINTS).max(1);
    let mut points = Vec::with_capacity(total / each + 1);
    let mut count = 0;
    for y in 0..bits.height {
        for (i, mut word) in ends(y) {
            while word != 0 {
                if count % each == 0 {
                    points.push(((i * 64) as u16 + word.trailing_zeros() as u16, y as u16));
                }
                count += 1;
                word &= word - 1;
            }
        }
    }
    Ok(points)
}

/// Score of an angle: it is high if the points form rows with this slope.
fn score(
    points: &[(u16, u16)],
    degrees: f64,
    bin: f64,
    bits: &Bits<'_>,
    counts: &mut Vec<u32>,
) -> f64 {
    let slope = degrees * std::f64::consts::PI / 180.0;
    // Approximates the tangent of a small angle.
    let slope = slope + slope * slope * slope / 3.0;
    let margin = slope.abs() * bits.width as f64;
    counts.clear();
    counts.resize(((bits.height as f64 + 2.0 * margin) / bin) as usize + 2, 0);
    for &(x, y) in points {
        let row = (f64::from(y) - slope * f64::from(x) + margin) / bin;
        counts[row as usize] += 1;
    }
    let squares: f64 = counts.iter().map(|&c| f64::from(c) * f64::from(c)).sum();
    let changes: f64 = counts
        .windows(2)
        .map(|two| f64::from(two[0]) - f64::from(two[1]))
        .map(|difference| difference * difference)
        .sum();
    squares + changes
}
