//! Removes salt and pepper noise: single pixels that differ from all their neighbours, as old scanners and fax lines
//! produce them. Pages without such noise are left unchanged. A page of such pixels alone is static, like the picture
//! of an empty television channel.
//!
//! The noise must be removed before a page is enlarged, because a single pixel would then become as large as a decimal
//! point.

use crate::page::Page;
use convertd_core::{error::Result, job::Job};

/// Least difference in value at which a pixel does not belong to its neighbour.
const DIFFERENT: i32 = 60;
/// A page counts as salted if more than one pixel in this many is isolated.
const SALTED: u64 = 300;
/// The largest number of connected pixels that are noise. The dot of a small i has four.
const CLUSTER: usize = 3;
/// Interval of the sampled rows.
const SAMPLED: usize = 7;

/// A page is static if at least this many tenths of its pixels differ from their neighbour before or after. Among
/// independent random values, eight tenths do.
const STATIC: u64 = 7;

/// Returns whether the page is static: its pixels are independent of their neighbours, so any resemblance to letters is
/// chance.
pub(crate) fn is_static(job: &Job<'_>, page: &Page<'_>) -> Result<bool> {
    let (mut differing, mut seen) = (0_u64, 0_u64);
    for row in page.grey.chunks_exact(page.width.max(3)).step_by(SAMPLED) {
        job.check()?;
        let differs = |a: u8, b: u8| i32::from(a.abs_diff(b)) >= DIFFERENT;
        let differs_from_neighbour =
            |three: &&[u8]| differs(three[0], three[1]) || differs(three[1], three[2]);
        differing += row.windows(3).filter(differs_from_neighbour).count() as u64;
        seen += row.len() as u64 - 2;
    }
    Ok(seen > 0 && differing * 10 >= seen * STATIC)
}

/// Returns whether more than one in [`SALTED`] of the sampled pixels is isolated: it resembles none of its neighbours,
/// which all resemble one another.
pub(super) fn is_salted(job: &Job<'_>, page: &Page<'_>) -> Result<bool> {
    let (mut isolated, mut seen) = (0, 0);
    if page.width < 3 || page.height < 3 {
        return Ok(false);
    }
    for y in (1..page.height - 1).step_by(SAMPLED) {
        job.check()?;
        for x in 1..page.width - 1 {
            isolated += u64::from(alike(page, x, y) == 0 && is_even(&around(page, x, y)));
        }
        seen += page.width as u64;
    }
    Ok(isolated * SALTED > seen)
}

/// Replaces pixels that resemble at most one of their neighbours by the median of all neighbours, and then the pixels
/// of the small clusters that are left.
pub(super) fn remove(job: &Job<'_>, page: &Page<'_>, out: &mut [u8]) -> Result<()> {
    remove_isolated(job, page, out)?;
    for y in 1..page.height.saturating_sub(1) {
        if y % 64 == 0 {
            job.check()?;
        }
        for x in 1..page.width - 1 {
            let now = Page { grey: out, ..*page };
            if alike(&now, x, y) >= CLUSTER as u32 {
                continue;
            }
            let Some((pixels, count)) = cluster(&now, x, y) else {
                continue;
            };
            let medians = pixels.map(|(x, y)| median(&now, x, y));
            for ((x, y), value) in pixels.into_iter().zip(medians).take(count) {
                out[y * page.width + x] = value;
            }
        }
    }
    Ok(())
}

/// The pixels that are connected with a pixel and resemble it, and their number. `None` if there are more than
/// [`CLUSTER`], or they reach the edge of the page.
fn cluster(page: &Page<'_>, x: usize, y: usize) -> Option<([(usize, usize); CLUSTER], usize)> {
    let mut pixels = [(x, y); CLUSTER];
    let (mut count, mut at) = (1, 0);
    while at < count {
        let (x, y) = pixels[at];
        if !(1..page.width - 1).contains(&x) || !(1..page.height - 1).contains(&y) {
            return None;
        }
        let value = page.grey[y * page.width + x];
        for (nth, other) in around(page, x, y).into_iter().enumerate() {
            // The pixel itself is not among its neighbours.
            let nth = nth + usize::from(nth > 3);
            let neighbour = (x + nth % 3 - 1, y + nth / 3 - 1);
            let is_like = i32::from(value.abs_diff(other)) < DIFFERENT;
            if is_like && !pixels[..count].contains(&neighbour) {
                *pixels.get_mut(count)? = neighbour;
                count += 1;
            }
        }
        at += 1;
    }
    Some((pixels, count))
}

/// The median of a pixel's neighbours.
fn median(page: &Page<'_>, x: usize, y: usize) -> u8 {
    let mut around = around(page, x, y);
    around.sort_unstable();
    around[4]
}

fn remove_isolated(job: &Job<'_>, page: &Page<'_>, out: &mut [u8]) -> Result<()> {
    for y in 1..page.height.saturating_sub(1) {
        if y % 64 == 0 {
            job.check()?;
        }
        for x in 1..page.width - 1 {
            if alike(page, x, y) <= 1 {
                out[y * page.width + x] = median(page, x, y);
            }
        }
    }
    Ok(())
}

/// Returns whether all neighbours are alike: pixels of thin strokes have some that are dark and some that are light.
fn is_even(around: &[u8; 8]) -> bool {
    let (low, high) = around
        .iter()
        .fold((255, 0), |(low, high), &v| (v.min(low), v.max(high)));
    i32::from(high) - i32::from(low) < DIFFERENT
}

fn around(page: &Page<'_>, x: usize, y: usize) -> [u8; 8] {
    let at = (y - 1) * page.width + x - 1;
    let (a, b, c) = (
        &page.grey[at..at + 3],
        &page.grey[at + page.width..][..3],
        &page.grey[at + 2 * page.width..][..3],
    );
    [a[0], a[1], a[2], b[0], b[2], c[0], c[1], c[2]]
}

/// The number of a pixel's eight neighbours that resemble it; or 2, without a count of the others, if both its left and
/// its right neighbour do.
#[inline]
fn alike(page: &Page<'_>, x: usize, y: usize) -> u32 {
    let value = i32::from(page.grey[y * page.width + x]);
    // Most pixels resemble the pixels before and after them, which spares a look at the others.
    let same = |other: u8| u32::from((i32::from(other) - value).abs() < DIFFERENT);
    let before = same(page.grey[y * page.width + x - 1]);
    if before + same(page.grey[y * page.width + x + 1]) == 2 {
        return 2;
    }
    around(page, x, y).map(same).iter().sum()
}
