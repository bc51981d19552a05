//! Finds ruling lines, with which tables, forms and underlines are drawn, and removes them from the ink, so that cells
//! and letters are no longer joined. Does not interpret cells.
//!
//! A rule is a long run of ink that is thin and has background on both sides. Ink that continues above and below it is
//! a stroke of a letter that crosses the rule, and stays.

use super::{area::Area, bits::Bits};
use convertd_core::{error::Result, job::Job};

/// Limit on the runs in each direction. A page with more runs is hatched, and no rules in that direction are found.
const MAX_RUNS: usize = 400_000;
/// Share of a rule's length that must have background on each side.
const FREE: f32 = 0.7;

/// Rules of a page in the working picture.
#[derive(Default)]
pub(super) struct Rules {
    /// Horizontal rules.
    pub(super) across: Vec<Area>,
    /// Vertical rules.
    pub(super) down: Vec<Area>,
}

/// A run of ink along a rule: its position across the rule, and its start and end along the rule.
#[derive(Clone, Copy)]
struct Run {
    at: i32,
    from: i32,
    to: i32,
}

/// Finds the rules, and takes them out of the ink.
pub(super) fn take_out(job: &Job<'_>, bits: &mut Bits<'_>, x_height: i32) -> Result<Rules> {
    let least = (3 * x_height).max(30);
    let across = group(across(job, bits, least)?, x_height);
    let across: Vec<Area> = across
        .into_iter()
        .map(|(at, along)| Area {
            left: along.0,
            top: at.0,
            right: along.1,
            bottom: at.1,
        })
        .filter(|area| is_free(bits, area, true))
        .collect();
    let down = group(down(job, bits, least)?, x_height);
    let down: Vec<Area> = down
        .into_iter()
        .map(|(at, along)| Area {
            left: at.0,
            top: along.0,
            right: at.1,
            bottom: along.1,
        })
        .filter(|area| is_free(bits, area, false))
        .collect();
    // The pixels of all rules: where two rules cross, neither may count as a stroke of a letter.
    let mut ruled = Bits::blank(job, bits.width, bits.height)?;
    for area in across.iter().chain(&down) {
        let area = area.grown(1, 1).within(bits.width, bits.height);
        for y in area.top..area.bottom {
            for x in area.left..area.right {
                ruled.set(x as usize, y as usize, true);
            }
        }
    }
    let mut cleared = Vec::new();
    for area in &across {
        crossings(bits, &ruled, area, true, &mut cleared);
    }
    for area in &down {
        crossings(bits, &ruled, area, false, &mut cleared);
    }
    for (x, y) in cleared {
        bits.set(x, y, false);
    }
    Ok(Rules {
        across: join(across, x_height, true),
        down: join(down, x_height, false),
    })
}

/// Long runs in rows. Holes of up to two pixels do not end a run.
fn across(job: &Job<'_>, bits: &Bits<'_>, least: i32) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for y in 0..bits.height {
        if y % 256 == 0 {
            job.check()?;
        }
        let mut open: Option<(usize, usize)> = None;
        let mut keep = |(from, to): (usize, usize)| {
            if (to - from) as i32 >= least {
                runs.push(Run {
                    at: y as i32,
                    from: from as i32,
                    to: to as i32,
                });
            }
        };
        for (from, to) in bits.runs(y) {
            open = match open {
                Some((begin, end)) if from <= end + 2 => Some((begin, to)),
                Some(done) => {
                    keep(done);
                    Some((from, to))
                }
                None => Some((from, to)),
            };
        }
        open.map(&mut keep);
        if runs.len() > MAX_RUNS {
            return Ok(Vec::new());
        }
    }
    Ok(runs)
}

/// Long runs in columns. A hole of one pixel does not end a run.
fn down(job: &Job<'_>, bits: &Bits<'_>, least: i32) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    let mut begins = vec![0_i32; bits.width];
    let stride = bits.width.div_ceil(64);
    let empty = vec![0_u64; stride];
    let mut before = empty.clone();
    for y in 0..=bits.height {
        if y % 256 == 0 {
            job.check()?;
        }
        let row = |at: usize| {
            if at < bits.height {
                bits.row(at)
            } else {
                &empty
            }
        };
        let above = if y == 0 { &empty } else { row(y - 1) };
        for i in 0..stride {
            let ink = row(y)[i] | (above[i] & row(y + 1)[i]);
            let mut changes = ink ^ before[i];
            while changes != 0 {
                let bit = changes.trailing_zeros() as usize;
                changes &= changes - 1;
                let x = i * 64 + bit;
                if ink >> bit & 1 == 1 {
                    begins[x] = y as i32;
                } else if y as i32 - begins[x] >= least {
                    runs.push(Run {
                        at: x as i32,
                        from: begins[x],
                        to: y as i32,
                    });
                }
            }
            before[i] = ink;
        }
        if runs.len() > MAX_RUNS {
            return Ok(Vec::new());
        }
    }
    runs.sort_unstable_by_key(|run| (run.at, run.from));
    Ok(runs)
}

/// Groups runs that lie side by side. Returns the extents of thin groups across the rule and along it. Runs must be in
/// the order of their positions.
fn group(runs: Vec<Run>, x_height: i32) -> Vec<((i32, i32), (i32, i32))> {
    struct Group {
        first: i32,
        last: Run,
        from: i32,
        to: i32,
        ink: i64,
    }
    let max_thickness = |length: i32| {
        let thin = (x_height * 7 / 20).max(4);
        thin.max((length * 3 / 100).min(x_height * 6 / 10))
    };
    let mut open: Vec<Group> = Vec::new();
    let mut done = Vec::new();
    let mut close = |group: Group| {
        let length = group.to - group.from;
        let extent = group.last.at + 1 - group.first;
        let thickness = (group.ink / i64::from(length.max(1))) as i32;
        // A rule that slopes a little extends over more rows than its own thickness.
        if thickness <= max_thickness(length) && extent <= max_thickness(length) + length / 40 {
            done.push(((group.first, group.last.at + 1), (group.from, group.to)));
        }
    };
    let mut at = 0;
    while at < runs.len() {
        let here = runs[at].at;
        let (near, far): (Vec<Group>, Vec<Group>) = open
            .into_iter()
            .partition(|group| group.last.at + 2 >= here);
        far.into_iter().for_each(&mut close);
        open = near;
        open.sort_unstable_by_key(|group| group.last.from);
        let mut next: Vec<Group> = Vec::new();
        let mut seek = 0;
        while at < runs.len() && runs[at].at == here {
            let run = runs[at];
            at += 1;
            while seek < open.len() && open[seek].last.to < run.from {
                seek += 1;
            }
            match open.get_mut(seek) {
                Some(group) if group.last.at < here && group.last.from <= run.to => {
                    group.last = run;
                    group.from = group.from.min(run.from);
                    group.to = group.to.max(run.to);
                    group.ink += i64::from(run.to - run.from);
                }
                _ => next.push(Group {
                    first: here,
                    last: run,
                    from: run.from,
                    to: run.to,
                    ink: i64::from(run.to - run.from),
                }),
            }
        }
        open.append(&mut next);
    }
    open.into_iter().for_each(&mut close);
    done
}

/// Returns whether there is background on both sides of a rule.
fn is_free(bits: &Bits<'_>, area: &Area, across: bool) -> bool {
    let (from, to, low, high) = match across {
        true => (area.left, area.right, area.top, area.bottom),
        false => (area.top, area.bottom, area.left, area.right),
    };
    let ink = |along: i32, at: i32| match across {
        true => bits.get(along, at),
        false => bits.get(at, along),
    };
    let free = |at: i32| {
        let count = (from..to).filter(|&along| !ink(along, at)).count();
        count as f32 >= FREE * (to - from) as f32
    };
    // The first pixel beside the rule may be its soft edge, so only the second and the third one are tested.
    (free(low - 2) || free(low - 3)) && (free(high + 1) || free(high + 2))
}

/// Adds to `cleared` the ink of a rule and of its edge, except where a stroke of a letter crosses the rule.
fn crossings(
    bits: &Bits<'_>,
    ruled: &Bits<'_>,
    area: &Area,
    across: bool,
    cleared: &mut Vec<(usize, usize)>,
) {
    let (from, to, low, high) = match across {
        true => (area.left, area.right, area.top, area.bottom),
        false => (area.top, area.bottom, area.left, area.right),
    };
    let ink = |along: i32, at: i32| match across {
        true => bits.get(along, at),
        false => bits.get(at, along),
    };
    let stroke = |along: i32, at: i32| {
        let (x, y) = if across { (along, at) } else { (at, along) };
        bits.get(x, y) && !ruled.get(x, y)
    };
    for along in from - 1..to + 1 {
        let crossed = (-1..=1).any(|aside| stroke(along + aside, low - 2))
            && (-1..=1).any(|aside| stroke(along + aside, high + 1));
        if crossed {
            continue;
        }
        for at in low - 1..high + 1 {
            if ink(along, at) {
                let (x, y) = if across { (along, at) } else { (at, along) };
                cleared.push((x as usize, y as usize));
            }
        }
    }
}

/// Joins pieces of the same rule, which lie in one line with small gaps.
fn join(mut pieces: Vec<Area>, x_height: i32, across: bool) -> Vec<Area> {
    let turn = |area: &Area| match across {
        true => *area,
        false => Area {
            left: area.top,
            top: area.left,
            right: area.bottom,
            bottom: area.right,
        },
    };
    for piece in &mut pieces {
        *piece = turn(piece);
    }
    pieces.sort_unstable_by_key(|area| (area.left, area.top));
    let mut out: Vec<Area> = Vec::new();
    for piece in pieces {
        let near =
            |other: &&mut Area| piece.gap_across(other) <= x_height && piece.gap_down(other) <= 3;
        match out.iter_mut().rev().take(200).find(near) {
            Some(other) => *other = other.with(&piece),
            None => out.push(piece),
        }
    }
    out.iter().map(turn).collect()
}
