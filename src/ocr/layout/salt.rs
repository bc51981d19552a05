//! Salt and pepper: single pixels that differ from all around them, as old scanners and fax lines make them. Touches no other page.
//! A page of nothing but such pixels is static, as an empty television channel shows.
//!
//! They must go before a page is made larger: there, a pixel becomes a blot as large as a decimal point.

use crate::page::Page;
use convertd_media::{error::Result, job::Job};

/// Difference in value from which on a pixel does not belong to its neighbour.
const DIFFERENT: i32 = 60;
/// Share of isolated pixels, as a divisor, from which a page counts as salted.
const SALTED: u64 = 300;
/// Number of pixels up to which those that hang together are noise. The dot of a small i has four.
const CLUSTER: usize = 3;
/// Interval of the sampled rows.
const SAMPLED: usize = 7;

/// Share of pixels, in tenths, that differ from the one before or behind them from which on a page is static. Of independent random
/// values, eight of ten do.
const STATIC: u64 = 7;

/// Whether the page is static: neighbours say nothing about each other, and what looks like letters is chance.
pub(crate) fn is_static(job: &Job<'_>, page: &Page<'_>) -> Result<bool> {
    let (mut unlike, mut seen) = (0_u64, 0_u64);
    for row in page.grey.chunks_exact(page.width.max(3)).step_by(SAMPLED) {
        job.check()?;
        let differs = |a: u8, b: u8| i32::from(a.abs_diff(b)) >= DIFFERENT;
        let strewn = |three: &&[u8]| differs(three[0], three[1]) || differs(three[1], three[2]);
        unlike += row.windows(3).filter(strewn).count() as u64;
        seen += row.len() as u64 - 2;
    }
    Ok(seen > 0 && unlike * 10 >= seen * STATIC)
}

/// Whether the page is strewn with lonely pixels.
pub(super) fn is_salted(job: &Job<'_>, page: &Page<'_>) -> Result<bool> {
    let (mut lonely, mut seen) = (0, 0);
    if page.width < 3 || page.height < 3 {
        return Ok(false);
    }
    for y in (1..page.height - 1).step_by(SAMPLED) {
        job.check()?;
        for x in 1..page.width - 1 {
            lonely += u64::from(alike(page, x, y) == 0 && is_even(&around(page, x, y)));
        }
        seen += page.width as u64;
    }
    Ok(lonely * SALTED > seen)
}

/// Gives pixels that at most one neighbour is like the median of all neighbours, and then those of the few small clusters that are left.
pub(super) fn remove(job: &Job<'_>, page: &Page<'_>, out: &mut [u8]) -> Result<()> {
    remove_lonely(job, page, out)?;
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

/// The pixels that hang together with one and are alike, and their number; `None` if there are more than [`CLUSTER`], or they reach the
/// edge of the page.
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
            let place = (x + nth % 3 - 1, y + nth / 3 - 1);
            let is_like = i32::from(value.abs_diff(other)) < DIFFERENT;
            if is_like && !pixels[..count].contains(&place) {
                *pixels.get_mut(count)? = place;
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

fn remove_lonely(job: &Job<'_>, page: &Page<'_>, out: &mut [u8]) -> Result<()> {
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

/// Whether all neighbours are alike: pixels of thin strokes have some that are dark and some that are light.
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

/// Neighbours that are like the pixel, of eight.
#[inline]
fn alike(page: &Page<'_>, x: usize, y: usize) -> u32 {
    let value = i32::from(page.grey[y * page.width + x]);
    // Most pixels are like the one before them.
    let same = |other: u8| u32::from((i32::from(other) - value).abs() < DIFFERENT);
    let before = same(page.grey[y * page.width + x - 1]);
    if before + same(page.grey[y * page.width + x + 1]) == 2 {
        return 2;
    }
    around(page, x, y).map(same).iter().sum()
}
