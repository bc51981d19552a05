//! Links letters to lines. Recognises no letters.
//!
//! Each letter is linked to the nearest letter to its right that overlaps it in height, and is neither much larger nor
//! too far away. Letters that are linked, directly or by others, form a line. Small marks are added to the nearest
//! line. A line below a mark counts as nearer than one above it, because accents and dots are more frequent than marks
//! below letters.

use super::{
    area::{Area, around, median},
    components::root,
    gutters::Gutters,
};
use convertd_core::{error::Result, job::Job};

/// Least vertical overlap of two linked letters, as a share of the smaller height.
const SHARED: f32 = 0.5;
/// The largest ratio of the heights of two linked letters, in tenths.
const MAX_HEIGHT_RATIO: i32 = 26;
/// Largest gap between two linked letters, in heights of the taller one.
const GAP: f32 = 1.7;
/// Gap in x-heights across which letters are linked even if it is larger than [`GAP`] allows.
const LEAST_GAP: f32 = 1.2;
/// Gap in x-heights above which a gutter in the gap prevents a link.
const GUTTER_GAP: f32 = 0.7;

/// A component that is a letter or a small mark.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) area: Area,
    /// Index of the component.
    pub(super) component: u32,
}

/// Letters in a line.
pub(super) struct Line {
    /// All marks, also small ones, from left to right.
    pub(super) marks: Vec<Mark>,
    /// The smallest rectangle around all marks.
    pub(super) area: Area,
    /// Rectangle around the letters alone.
    pub(super) letters: Area,
    /// Median height of the letters.
    pub(super) height: i32,
}

/// Barriers between letters.
pub(super) struct Walls<'a> {
    pub(super) gutters: &'a Gutters,
    /// Vertical rules, from left to right.
    pub(super) rules: &'a [Area],
    pub(super) x_height: i32,
}

impl Walls<'_> {
    /// Returns whether a gutter or a rule separates two letters.
    fn between(&self, a: &Area, b: &Area) -> bool {
        let (left, right) = if a.left <= b.left { (a, b) } else { (b, a) };
        let (from, to) = (left.right, right.left);
        if to <= from {
            return false;
        }
        let (top, bottom) = (a.top.max(b.top), a.bottom.min(b.bottom));
        let middle = (top + bottom) / 2;
        let wide = (to - from) as f32 > GUTTER_GAP * self.x_height as f32;
        if wide && self.gutters.between(from, to, middle) {
            return true;
        }
        let first = self.rules.partition_point(|rule| rule.right <= from);
        self.rules[first..]
            .iter()
            .take_while(|rule| rule.left < to)
            .any(|rule| rule.top <= middle && middle < rule.bottom && rule.right <= to + 1)
    }
}

/// Finds the lines of letters. Small marks are added to the nearest line; those that form dashed rules or belong to no
/// line are left out.
pub(super) fn find(
    job: &Job<'_>,
    letters: Vec<Mark>,
    mut small: Vec<Mark>,
    walls: &Walls<'_>,
) -> Result<Vec<Line>> {
    let x_height = walls.x_height;
    drop_dashed(&mut small, x_height);
    let lease = job.lease((letters.len() * 24 + small.len() * 48) as u64)?;
    let groups = link(job, &letters, walls)?;
    let mut lines: Vec<Line> = groups.into_iter().map(Line::of).collect();
    merge(job, &mut lines, walls)?;
    // A comma or a hyphen can be high enough for a letter. If only one or two such marks form a line, they are attached
    // to another line as small marks.
    lines.retain(|line| {
        let tiny = line.marks.len() <= 2 && 10 * line.letters.height() < 8 * x_height;
        if tiny {
            small.extend_from_slice(&line.marks);
        }
        !tiny
    });
    attach(job, &mut lines, small, walls)?;
    for line in &mut lines {
        line.marks
            .sort_unstable_by_key(|mark| (mark.area.left, mark.area.top, mark.component));
    }
    drop(lease);
    Ok(lines)
}

impl Line {
    pub(super) fn of(marks: Vec<Mark>) -> Self {
        let area = around(marks.iter().map(|mark| mark.area)).unwrap_or_default();
        let mut heights: Vec<i32> = marks.iter().map(|mark| mark.area.height()).collect();
        Self {
            height: median(&mut heights),
            marks,
            area,
            letters: area,
        }
    }
}

/// Removes rows of dashes. They are rules, and would make a line of text too high if they were added to it.
fn drop_dashed(small: &mut Vec<Mark>, x_height: i32) {
    /// Smallest number of dashes in a rule.
    const LEAST: usize = 5;
    let mut dashes: Vec<Mark> = small
        .iter()
        .copied()
        .filter(|mark| mark.area.width() >= 2 * mark.area.height())
        .collect();
    let row = |mark: &Mark| (mark.area.top + mark.area.bottom) / 2;
    dashes.sort_unstable_by_key(|mark| (row(mark), mark.area.left));
    let mut dashed: Vec<u32> = Vec::new();
    // The dashes of a sloping row differ a little in their vertical position, but still form one row.
    for rows in dashes.chunk_by_mut(|a, b| row(b) - row(a) <= (x_height / 8).max(1)) {
        rows.sort_unstable_by_key(|mark| (mark.area.left, mark.area.top));
        for chain in rows.chunk_by(|a, b| b.area.left - a.area.right <= 2 * x_height) {
            if chain.len() >= LEAST {
                dashed.extend(chain.iter().map(|mark| mark.component));
            }
        }
    }
    if !dashed.is_empty() {
        dashed.sort_unstable();
        small.retain(|mark| dashed.binary_search(&mark.component).is_err());
    }
}

/// Links each letter to its neighbour, and returns the groups of letters that are linked, directly or by others.
fn link(job: &Job<'_>, letters: &[Mark], walls: &Walls<'_>) -> Result<Vec<Vec<Mark>>> {
    let side = (2 * walls.x_height).max(8);
    let index = Index::of(letters, side);
    let mut parents: Vec<u32> = (0..letters.len() as u32).collect();
    for (at, letter) in letters.iter().enumerate() {
        if at % 1024 == 0 {
            job.check()?;
        }
        if let Some(next) = neighbour(letters, &index, at, &letter.area, walls) {
            let (a, b) = (
                root(&mut parents, at as u32),
                root(&mut parents, next as u32),
            );
            parents[a.max(b) as usize] = a.min(b);
        }
    }
    let mut numbers = vec![u32::MAX; letters.len()];
    let mut groups: Vec<Vec<Mark>> = Vec::new();
    for (at, &letter) in letters.iter().enumerate() {
        let root = root(&mut parents, at as u32) as usize;
        if numbers[root] == u32::MAX {
            numbers[root] = groups.len() as u32;
            groups.push(Vec::new());
        }
        groups[numbers[root] as usize].push(letter);
    }
    Ok(groups)
}

/// Finds the letter to which the letter `at` is linked: the nearest one to its right that is similar in height and
/// position, not too far away, and not separated by a wall.
fn neighbour(
    letters: &[Mark],
    index: &Index,
    at: usize,
    area: &Area,
    walls: &Walls<'_>,
) -> Option<usize> {
    let least_gap = LEAST_GAP * walls.x_height as f32;
    let most = (GAP * area.height() as f32 * MAX_HEIGHT_RATIO as f32 / 10.0).max(least_gap) as i32;
    let mut best: Option<(i32, usize)> = None;
    let columns = index.column(area.left)..=index.column(area.right + most);
    for column in columns {
        let begins = column as i32 * index.side;
        if best.is_some_and(|(gap, _)| begins - area.right > gap) {
            break;
        }
        for row in index.row(area.top)..=index.row(area.bottom - 1) {
            for &other in index.cell(column, row) {
                let other = other as usize;
                let next = &letters[other].area;
                if (next.left, other) <= (area.left, at) {
                    continue;
                }
                let gap = next.left - area.right;
                if best.is_some_and(|(least, _)| gap >= least) {
                    continue;
                }
                let (low, high) = (
                    area.height().min(next.height()),
                    area.height().max(next.height()),
                );
                let far = gap as f32 > (GAP * high as f32).max(least_gap);
                let inside = -gap * 10 > 9 * area.width().min(next.width());
                if far || 10 * high > MAX_HEIGHT_RATIO * low || area.shared_height(next) < SHARED {
                    continue;
                }
                // If the next component lies above or below this one, as another part of the same letter does, it is
                // not the letter that follows.
                if inside && next.right <= area.right && area.shared_height(next) < 0.9 {
                    continue;
                }
                if !walls.between(area, next) {
                    best = Some((gap, other));
                }
            }
        }
    }
    best.map(|(_, other)| other)
}

/// Joins the pieces of lines that a wide space has separated.
fn merge(job: &Job<'_>, lines: &mut Vec<Line>, walls: &Walls<'_>) -> Result<()> {
    const SHARED: f32 = 0.55;
    const GAP: f32 = 1.7;
    const PASSES: usize = 8;
    for _ in 0..PASSES {
        lines.sort_unstable_by_key(|line| (line.letters.top, line.letters.left));
        let mut into: Vec<usize> = (0..lines.len()).collect();
        let mut changed = false;
        for at in 0..lines.len() {
            if at % 256 == 0 {
                job.check()?;
            }
            let line = &lines[at];
            for (other, next) in lines.iter().enumerate().skip(at + 1).take(MAX_NEAR) {
                if next.letters.top >= line.letters.bottom {
                    break;
                }
                let (a, b) = (&line.letters, &next.letters);
                let (low, high) = (line.height.min(next.height), line.height.max(next.height));
                let gap = a.gap_across(b);
                let joined = a.shared_height(b) >= SHARED
                    && high < 3 * low
                    && (gap as f32) < GAP * high as f32
                    // Parts of one line lie side by side, and overlap little. Parts above one another are two lines.
                    && -gap < 2 * high
                    && !walls.between(a, b);
                if joined && into[other] == other {
                    into[other] = into[at];
                    changed = true;
                    break;
                }
            }
        }
        if !changed {
            break;
        }
        let mut whole: Vec<Option<Line>> = std::mem::take(lines).into_iter().map(Some).collect();
        for at in (0..whole.len()).rev() {
            if into[at] == at {
                continue;
            }
            if let Some(line) = whole[at].take()
                && let Some(Some(target)) = whole.get_mut(into[at])
            {
                target.marks.extend(line.marks);
            }
        }
        lines.extend(whole.into_iter().flatten().map(|line| Line::of(line.marks)));
    }
    Ok(())
}

/// Largest number of lines at about the same height that are compared with a line to find its continuation.
const MAX_NEAR: usize = 400;

/// Adds small marks to the nearest line, from left to right and then back, so that each dot of a leader continues the
/// line from the dot before.
fn attach(
    job: &Job<'_>,
    lines: &mut [Line],
    mut small: Vec<Mark>,
    walls: &Walls<'_>,
) -> Result<()> {
    const ACROSS: f32 = 0.3;
    const BELOW: f32 = 1.6;
    const MAX_DOWN: f32 = 0.5;
    const MAX_ACROSS: f32 = 1.3;
    let side = (4 * walls.x_height).max(16);
    let bottom = lines.iter().map(|line| line.area.bottom).max().unwrap_or(0);
    // Lines by their vertical position, including the space above and below for marks that may belong to them.
    let mut bands = vec![Vec::new(); (bottom / side) as usize + 3];
    for (at, line) in lines.iter().enumerate() {
        let reach = line.letters.height();
        let first = ((line.letters.top - reach).max(0) / side) as usize;
        let last = (((line.letters.bottom + reach) / side) as usize).min(bands.len() - 1);
        for band in &mut bands[first..=last] {
            band.push(at as u32);
        }
    }
    small.sort_unstable_by_key(|mark| (mark.area.left, mark.area.top, mark.component));
    for pass in 0..2 {
        let mut left = Vec::new();
        for (count, mark) in small.iter().enumerate() {
            if count % 1024 == 0 {
                job.check()?;
            }
            let area = &mark.area;
            let mut best: Option<(f32, usize)> = None;
            let band = ((area.top + area.bottom) / 2 / side) as usize;
            for &at in bands.get(band).map_or(&[][..], Vec::as_slice) {
                let line = &lines[at as usize];
                // The letters of a line may be few and low, so its height counts as an x-height at least.
                let height = line.letters.height().max(walls.x_height) as f32;
                let across = area.gap_across(&line.area).max(0) as f32 / height;
                let (above, below) = (
                    line.letters.top - area.bottom,
                    area.top - line.letters.bottom,
                );
                let down = (above as f32).max(BELOW * below as f32).max(0.0) / height;
                if down >= MAX_DOWN || across >= MAX_ACROSS {
                    continue;
                }
                let cost = down + ACROSS * across;
                if best.is_none_or(|(least, _)| cost < least)
                    && !(across > 0.0 && walls.between(&line.area, area))
                {
                    best = Some((cost, at as usize));
                }
            }
            match best {
                Some((_, at)) => {
                    let line = &mut lines[at];
                    line.area = line.area.with(area);
                    line.marks.push(*mark);
                }
                None => left.push(*mark),
            }
        }
        small = left;
        if pass == 0 {
            small.reverse();
        }
    }
    Ok(())
}

/// Letters, sorted into a grid of cells: each is in the column of its left edge, in every row of cells that it reaches.
struct Index {
    side: i32,
    columns: usize,
    rows: usize,
    begins: Vec<u32>,
    letters: Vec<u32>,
}

impl Index {
    /// Sorts letters into a grid of squares, so that neighbours are found without comparing all letters.
    fn of(letters: &[Mark], side: i32) -> Self {
        let whole = around(letters.iter().map(|letter| letter.area)).unwrap_or_default();
        let columns = (whole.right / side) as usize + 1;
        let rows = (whole.bottom / side) as usize + 1;
        let mut out = Self {
            side,
            columns,
            rows,
            begins: vec![0; columns * rows + 1],
            letters: Vec::new(),
        };
        let cells = |area: &Area| {
            let column = out.column(area.left);
            (out.row(area.top)..=out.row(area.bottom - 1)).map(move |row| row * columns + column)
        };
        let mut counts = vec![0_u32; columns * rows + 1];
        for letter in letters {
            for cell in cells(&letter.area) {
                counts[cell + 1] += 1;
            }
        }
        for at in 1..counts.len() {
            counts[at] += counts[at - 1];
        }
        let mut next = counts.clone();
        let mut sorted = vec![0; counts.last().map_or(0, |&last| last as usize)];
        for (at, letter) in letters.iter().enumerate() {
            for cell in cells(&letter.area) {
                sorted[next[cell] as usize] = at as u32;
                next[cell] += 1;
            }
        }
        out.begins = counts;
        out.letters = sorted;
        out
    }

    fn column(&self, x: i32) -> usize {
        ((x.max(0) / self.side) as usize).min(self.columns - 1)
    }

    fn row(&self, y: i32) -> usize {
        ((y.max(0) / self.side) as usize).min(self.rows - 1)
    }

    fn cell(&self, column: usize, row: usize) -> &[u32] {
        let cell = row * self.columns + column;
        &self.letters[self.begins[cell] as usize..self.begins[cell + 1] as usize]
    }
}
