//! Arranges lines in reading order, and groups them in blocks. Uses only the rectangles of lines and rules, and the
//! heights of letters.
//!
//! The page is cut recursively. First, the page is searched for a vertical cut with columns on both sides. Lines that
//! cross the cut, such as headings, divide the columns into sections, which are read one after another. Blocks that the
//! columns flow around are read after the columns. Without columns, rows are read from top to bottom, and the blocks in
//! a row from left to right.

use super::area::{Area, median};
use convertd_core::{error::Result, job::Job};

/// Largest depth of nested cuts. Deeper parts are read row by row.
const DEPTH: usize = 24;
/// Smallest number of rows in a column.
const COLUMN_LINES: usize = 4;
/// Minimum median width of the lines of a column, in x-heights: a narrower column belongs to a table.
const COLUMN_WIDTH: i32 = 9;

/// The rectangle of a line, and the other facts on which the order depends.
#[derive(Clone, Copy)]
pub(super) struct LineBox {
    pub(super) area: Area,
    /// Median height of the letters.
    pub(super) height: i32,
    /// Index of the line.
    pub(super) line: usize,
}

/// Rules that show where tables are.
pub(super) struct Frames<'a> {
    /// Horizontal rules.
    pub(super) across: &'a [Area],
    pub(super) x_height: i32,
}

/// Puts lines into reading order.
pub(super) fn arrange(
    job: &Job<'_>,
    boxes: Vec<LineBox>,
    frames: &Frames<'_>,
) -> Result<Vec<LineBox>> {
    let mut out = Vec::with_capacity(boxes.len());
    cut(job, boxes, frames, 0, &mut out)?;
    Ok(out)
}

/// Returns the number of each line's block. `boxes` must be in reading order.
pub(super) fn blocks(boxes: &[LineBox]) -> Vec<usize> {
    let mut numbers = Vec::with_capacity(boxes.len());
    let mut number = 0;
    for (at, line_box) in boxes.iter().enumerate() {
        if let Some(before) = at.checked_sub(1).map(|at| &boxes[at]) {
            let (a, b) = (&before.area, &line_box.area);
            let height = before.height.max(line_box.height);
            let alike = 10 * height < 16 * before.height.min(line_box.height).max(1);
            let same_row = a.shared_height(b) > 0.5;
            let follows = b.top > a.top - height
                && a.gap_down(b) * 10 < 13 * height
                && (same_row || a.gap_across(b) < 0);
            if !follows || !alike && !same_row {
                number += 1;
            }
        }
        numbers.push(number);
    }
    numbers
}

/// Puts lines into reading order by recursive cuts: into columns at a white channel, otherwise above and below the
/// largest white stretch between rows, otherwise row by row.
fn cut(
    job: &Job<'_>,
    boxes: Vec<LineBox>,
    frames: &Frames<'_>,
    depth: usize,
    out: &mut Vec<LineBox>,
) -> Result<()> {
    job.check()?;
    if boxes.len() < 2 * COLUMN_LINES || depth == DEPTH {
        rows(boxes, out);
        return Ok(());
    }
    if let Some(x) = column_cut(&boxes, frames) {
        return columns(job, boxes, x, frames, depth, out);
    }
    // A tall white space may separate a part with columns from one without columns, so the two are arranged separately.
    match row_cut(&boxes) {
        Some(y) => {
            let (above, below) = boxes
                .into_iter()
                .partition(|line_box| line_box.area.bottom <= y);
            cut(job, above, frames, depth + 1, out)?;
            cut(job, below, frames, depth + 1, out)
        }
        None => {
            rows(boxes, out);
            Ok(())
        }
    }
}

/// Position of a channel with columns on both sides, which at most a quarter of the lines cross.
fn column_cut(boxes: &[LineBox], frames: &Frames<'_>) -> Option<i32> {
    // Counts how many lines cover each interval between two edges.
    let mut edges: Vec<(i32, i32)> = Vec::with_capacity(2 * boxes.len());
    for line_box in boxes {
        edges.push((line_box.area.left, 1));
        edges.push((line_box.area.right, -1));
    }
    edges.sort_unstable();
    let most = boxes.len() / 4;
    let (mut over, mut candidates) = (0, Vec::new());
    for pair in edges.windows(2) {
        over += pair[0].1;
        let width = pair[1].0 - pair[0].0;
        if width >= frames.x_height * 7 / 10 && over as usize <= most {
            candidates.push((over, -width, pair[0].0 + width / 2));
        }
    }
    candidates.sort_unstable();
    candidates
        .into_iter()
        .take(12)
        .map(|(_, _, x)| x)
        .find(|&x| parts_columns(boxes, x, frames))
}

/// Returns whether the text on both sides of a cut is arranged in columns.
fn parts_columns(boxes: &[LineBox], x: i32, frames: &Frames<'_>) -> bool {
    let side = |keep: fn(&Area, i32) -> bool| -> Vec<Area> {
        boxes
            .iter()
            .map(|line_box| line_box.area)
            .filter(|area| keep(area, x))
            .collect()
    };
    let left = side(|area, x| area.right <= x);
    let right = side(|area, x| area.left >= x);
    let (Some(left_area), Some(right_area)) = (
        super::area::around(left.iter().copied()),
        super::area::around(right.iter().copied()),
    ) else {
        return false;
    };
    let wide = |areas: &[Area]| {
        let mut widths: Vec<i32> = areas.iter().map(Area::width).collect();
        rows_of(areas) >= COLUMN_LINES && median(&mut widths) > COLUMN_WIDTH * frames.x_height
    };
    if !wide(&left) || !wide(&right) || left_area.gap_down(&right_area) >= 0 {
        return false;
    }
    // A table's rules go through all of its columns. Two or more rules across the cut, and at least one for six rows,
    // show that the text is a table.
    let (top, bottom) = (
        left_area.top.max(right_area.top),
        left_area.bottom.min(right_area.bottom),
    );
    let crossing = frames
        .across
        .iter()
        .filter(|rule| {
            rule.left < x - frames.x_height
                && rule.right > x + frames.x_height
                && rule.top >= top
                && rule.bottom <= bottom
        })
        .count();
    crossing < 2 || crossing * 6 < rows_of(&left).min(rows_of(&right))
}

/// Number of rows that the rectangles form.
fn rows_of(areas: &[Area]) -> usize {
    let mut areas = areas.to_vec();
    areas.sort_unstable_by_key(|area| area.top + area.bottom);
    let mut count = 0;
    let mut last: Option<Area> = None;
    for area in areas {
        if last.is_none_or(|last| last.shared_height(&area) < 0.5) {
            count += 1;
        }
        last = Some(area);
    }
    count
}

/// Reads columns one after another, separately in each section between lines that cross the cut.
fn columns(
    job: &Job<'_>,
    boxes: Vec<LineBox>,
    x: i32,
    frames: &Frames<'_>,
    depth: usize,
    out: &mut Vec<LineBox>,
) -> Result<()> {
    let (across, mut aside): (Vec<LineBox>, Vec<LineBox>) = boxes
        .into_iter()
        .partition(|line_box| line_box.area.left < x && line_box.area.right > x);
    // A heading has its rows to itself. Lines around which columns run are read after the columns.
    let is_beside = |line: &LineBox| {
        aside
            .iter()
            .any(|line_box| line_box.area.shared_height(&line.area) > 0.15)
    };
    let (insets, mut across): (Vec<LineBox>, Vec<LineBox>) =
        across.into_iter().partition(is_beside);
    across.sort_unstable_by_key(|line_box| (line_box.area.top, line_box.area.left));
    aside.extend(insets);
    let mut stretches: Vec<[Vec<LineBox>; 3]> = Vec::new();
    stretches.resize_with(across.len() + 1, Default::default);
    let middle = |area: &Area| area.top + area.bottom;
    for line_box in aside {
        let at = across.partition_point(|line| middle(&line.area) <= middle(&line_box.area));
        let side = match line_box.area {
            area if area.right <= x => 0,
            area if area.left >= x => 1,
            _ => 2,
        };
        stretches[at][side].push(line_box);
    }
    let mut across = across.into_iter();
    for [left, right, insets] in stretches {
        // If a section has text on only one side of the cut, that text is not a column.
        match left.len().min(right.len()) {
            0 => {
                let both = left.into_iter().chain(right).collect();
                cut(job, both, frames, depth + 1, out)?;
            }
            _ => {
                cut(job, left, frames, depth + 1, out)?;
                cut(job, right, frames, depth + 1, out)?;
            }
        }
        cut(job, insets, frames, depth + 1, out)?;
        out.extend(across.next());
    }
    Ok(())
}

/// The middle of the largest white stretch between rows.
fn row_cut(boxes: &[LineBox]) -> Option<i32> {
    let mut spans: Vec<(i32, i32)> = boxes.iter().map(|p| (p.area.top, p.area.bottom)).collect();
    spans.sort_unstable();
    let mut bottom = spans.first()?.1;
    let mut best: Option<(i32, i32)> = None;
    for (top, next) in spans {
        let gap = top - bottom;
        if gap >= 0 && best.is_none_or(|(most, _)| gap > most) {
            best = Some((gap, bottom + gap / 2));
        }
        bottom = bottom.max(next);
    }
    best.map(|(_, y)| y)
}

/// Appends the lines to `out` row by row: from top to bottom, and within a row from left to right.
fn rows(mut boxes: Vec<LineBox>, out: &mut Vec<LineBox>) {
    boxes.sort_unstable_by_key(|line_box| {
        (
            line_box.area.top + line_box.area.bottom,
            line_box.area.left,
            line_box.line,
        )
    });
    let mut row: Vec<LineBox> = Vec::new();
    let mut flush = |row: &mut Vec<LineBox>| {
        row.sort_unstable_by_key(|line_box| (line_box.area.left, line_box.area.top, line_box.line));
        out.append(row);
    };
    for line_box in boxes {
        // A line belongs to the row if it shares at least half of the height with the row's tallest line, and hardly
        // overlaps any line of the row horizontally.
        let same = row
            .iter()
            .max_by_key(|other| other.area.height())
            .is_some_and(|other| {
                other.area.shared_height(&line_box.area) >= 0.5
                    && row
                        .iter()
                        .all(|other| other.area.gap_across(&line_box.area) > -line_box.height)
            });
        if !same {
            flush(&mut row);
        }
        row.push(line_box);
    }
    flush(&mut row);
}
