//! Assembly of lines from letters: letters without gaps form pieces, and pieces side by side form
//! lines. [`order`] determines the order of lines.

use super::{
    bidi,
    compare::by,
    order::{self, ABOVE, BELOW, Piece},
    page_text::{Letter, Letters, PageObject},
    spaces,
    styles::{Shift, Style},
    tables::Grid,
    vertical,
};
use convertd_tree::Region;

/// Smallest gap between pieces of a line, such as table cells, in multiples of the font size.
const PIECE_GAP: f32 = 1.0;

/// Number of pieces of a line that a candidate is compared with.
const MAX_COMPARED: usize = 16;

/// Largest offset between copies of a letter that is drawn twice to look bold, as a fraction of the font size.
const COPY_OFFSET: f32 = 0.15;
/// Largest horizontal offset between copies of a letter that is drawn twice, as a fraction of the width of the letter.
const COPY_OFFSET_OF_WIDTH: f32 = 0.5;

/// Largest size of super- and subscripts, as a fraction of the font size of their line.
const SMALLER: f32 = 0.85;
/// Smallest distance of a superscript above the baseline, as a fraction of the font size of its line.
const RAISED: f32 = 0.2;
/// Smallest distance of a subscript below the baseline, as a fraction of the font size of its line.
const LOWERED: f32 = 0.07;

/// Smallest overlap of heights for two pieces on one line, as a fraction of the smaller height.
const SHARED: f32 = 0.5;
/// Smallest overlap of the heights of a sub- or superscript and its base, as a fraction of the smaller height.
const SHARED_BY_SCRIPT: f32 = 0.3;
/// Largest distance of a sub- or superscript from its base, as a fraction of the font size.
const BESIDE: f32 = 0.3;

/// Largest line spacing of code, in multiples of the font size.
const CODE_GAP: f32 = 3.6;

/// A line of text on a page, or a table or picture instead of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// Runs of one style each, in order.
    pub(crate) runs: Vec<Run>,
    /// Left and right edge, in points along the writing direction.
    pub(crate) x: (f32, f32),
    /// Baseline, in points across the writing direction.
    pub(crate) y: f32,
    /// Median font size of its letters, in points.
    pub(crate) size: f32,
    /// Number of its column on the page.
    pub(crate) block: usize,
    /// Whether the file marks the whole line as an artifact, such as a page number.
    pub(crate) artifact: bool,
    /// Writing direction in degrees, clockwise from the right.
    pub(crate) angle: i16,
    /// Table or picture instead of text.
    pub(crate) object: Option<PageObject>,
}

impl Line {
    /// Position on a page with this number. The height is computed from the font size.
    pub(crate) fn region(&self, page: usize) -> Region {
        let (top, bottom) = (self.y - ABOVE * self.size, self.y + BELOW * self.size);
        let (sin, cos) = f32::from(self.angle).to_radians().sin_cos();
        let corners = [
            (self.x.0, top),
            (self.x.1, top),
            (self.x.0, bottom),
            (self.x.1, bottom),
        ];
        let corners = corners.map(|(x, y)| (x * cos - y * sin, x * sin + y * cos));
        let least =
            |side: fn((f32, f32)) -> f32| corners.map(side).into_iter().fold(f32::MAX, f32::min);
        let most =
            |side: fn((f32, f32)) -> f32| corners.map(side).into_iter().fold(f32::MIN, f32::max);
        Region {
            page: page as u32,
            left: least(|corner| corner.0),
            top: least(|corner| corner.1),
            right: most(|corner| corner.0),
            bottom: most(|corner| corner.1),
            characters: self.text.chars().count() as u32,
        }
    }
}

#[cfg(test)]
impl Line {
    /// An upright line with this text, 100 points wide, at the upper edge of a page.
    pub(crate) fn with(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            runs: Vec::new(),
            x: (0.0, 100.0),
            y: 0.0,
            size: 10.0,
            block: 0,
            artifact: false,
            angle: 0,
            object: None,
        }
    }
}

/// Part of a line in one style.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    /// End of the run in the text, in bytes.
    pub(crate) end: usize,
    pub(crate) style: Style,
    pub(crate) link: Option<u16>,
}

/// Lines of a page in reading order; rotated text follows upright text, unless the page is written vertically. A table
/// or picture becomes a line without text, and is ordered like one large letter. Pictures with text on them come first.
pub(crate) fn of(letters: &mut Letters, grids: &[Grid]) -> Vec<Line> {
    // 1. Letters outside of tables.
    let mut is_within = vec![false; letters.all.len()];
    for index in grids
        .iter()
        .flat_map(|grid| &grid.cells)
        .flat_map(|cell| &cell.letters)
    {
        is_within[*index as usize] = true;
    }
    let mut these: Vec<u32> = (0..)
        .zip(&is_within)
        .filter(|(_, is)| !**is)
        .map(|(index, _)| index)
        .collect();
    // 2. Tables and pictures become letters of their size, so that they are ordered like text.
    let tables = (0..).map(PageObject::Table);
    let tables = tables.zip(grids.iter().map(|grid| (grid.x, grid.y)));
    let figures = (0..).map(PageObject::Figure).zip(&letters.figures);
    // 3. Pictures behind text precede all lines.
    let (backgrounds, figures): (Vec<_>, Vec<_>) =
        figures.partition(|(_, figure)| figure.is_background);
    let backgrounds = backgrounds.into_iter().map(|(object, figure)| Line {
        text: String::new(),
        runs: Vec::new(),
        x: figure.x,
        y: figure.y.1,
        size: 0.0,
        block: 0,
        artifact: false,
        angle: 0,
        object: Some(object),
    });
    let mut lines: Vec<Line> = backgrounds.collect();
    let figures = figures
        .into_iter()
        .map(|(object, figure)| (object, (figure.x, figure.y)));
    let objects: Vec<_> = tables.chain(figures).collect();
    for (object, (x, y)) in objects {
        let size = (y.1 - y.0) / (ABOVE + BELOW);
        these.push(letters.all.len() as u32);
        letters.all.push(Letter {
            text: 0..0,
            x,
            y: y.0 + ABOVE * size,
            size,
            angle: 0,
            style: Style::default(),
            link: None,
            spaced: false,
            artifact: false,
            mark: None,
            object: Some(object),
        });
    }
    lines.extend(of_some(letters, &these));
    lines
}

/// Lines of the letters with these indexes. At most 64 directions are distinguished.
pub(crate) fn of_some(letters: &Letters, these: &[u32]) -> Vec<Line> {
    // Directions of the letters. Letters in further directions are left out, because text in more than 64 directions is
    // a drawing.
    let mut angles: Vec<i16> = Vec::new();
    for letter in these.iter().map(|index| &letters.all[*index as usize]) {
        if !angles.contains(&letter.angle) {
            angles.push(letter.angle);
        }
        if angles.len() == 64 {
            break;
        }
    }
    // Upright text comes first, except that text running downwards precedes it on a page that is written vertically.
    let downwards = runs_down(letters, these);
    angles.sort_by_key(|angle| match *angle {
        0 => 1,
        vertical::DOWN if downwards => 0,
        _ => 2,
    });
    let mut lines = Vec::new();
    let mut block = 0;
    for angle in angles {
        // Pieces, then columns of pieces in reading order, then lines.
        let pieces = pieces(letters, these, angle);
        let reversed = is_reversed(letters, these, angle);
        for column in order::columns(pieces, reversed) {
            block += 1;
            join(letters, column, block, &mut lines);
        }
    }
    lines
}

/// Returns whether the page is written vertically: more Chinese, Japanese or Korean characters run downwards than
/// letters run to the right.
fn runs_down(letters: &Letters, these: &[u32]) -> bool {
    let these = || these.iter().map(|index| &letters.all[*index as usize]);
    let is_sign = |letter: &&Letter| letters.text(letter).chars().all(vertical::is_sign);
    let down = these().filter(|letter| letter.angle == vertical::DOWN);
    let level = these().filter(|letter| letter.angle == 0).count();
    down.filter(is_sign).count() > level
}

/// Pieces of one direction: letters that are consecutive both in drawing order and on the page.
fn pieces(letters: &Letters, these: &[u32], angle: i16) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for &index in these {
        let letter = &letters.all[index as usize];
        if letter.angle != angle {
            continue;
        }
        let is_object = letter.object.is_some();
        if let Some(last) = pieces
            .last_mut()
            .filter(|last| !last.is_object && !is_object)
        {
            // A letter continues the last piece if the letter is near and on the baseline of the piece.
            let gap = letter.x.0 - last.x.1;
            let size = last.size.max(letter.size);
            let runs_on = (letter.y - last.y).abs() < 0.1 * size
                && (-0.5 * size..PIECE_GAP * size).contains(&gap);
            if runs_on {
                last.letters.push(index);
                last.x.1 = last.x.1.max(letter.x.1);
                last.size = size;
                continue;
            }
        }
        pieces.push(Piece {
            letters: vec![index],
            is_object,
            x: letter.x,
            reach: letter.x,
            y: letter.y,
            size: letter.size,
        });
    }
    for piece in &mut pieces {
        piece.reach = piece.x;
    }
    reach_over_indents(letters, &mut pieces);
    pieces
}

/// Extends lines of code to the left edge of the leftmost line in their listing, so that indents are not mistaken for
/// gaps between columns. Does nothing on pages that are mostly monospaced.
fn reach_over_indents(letters: &Letters, pieces: &mut [Piece]) {
    let is_fixed = |index: &u32| letters.all[*index as usize].style.fixed;
    let is_code = |piece: &Piece| !piece.is_object && piece.letters.iter().all(is_fixed);
    let count = pieces.iter().filter(|piece| is_code(piece)).count();
    if count == 0 || 2 * count > pieces.len() {
        return;
    }
    let mut start = 0;
    while start < pieces.len() {
        // Listings are runs of code pieces one below another.
        let mut end = start + 1;
        let follows = |at: usize| {
            let (last, next) = (&pieces[at - 1], &pieces[at]);
            let gap = next.y - last.y;
            is_code(next) && gap > -0.1 * last.size && gap < CODE_GAP * last.size
        };
        if is_code(&pieces[start]) {
            while end < pieces.len() && follows(end) {
                end += 1;
            }
        }
        let left = pieces[start..end].iter().map(|piece| piece.x.0);
        let left = left.fold(f32::MAX, f32::min);
        if end > start + 1 {
            for piece in &mut pieces[start..end] {
                piece.reach.0 = left;
            }
        }
        start = end;
    }
}

/// Returns whether most letters with this writing direction belong to right-to-left scripts.
fn is_reversed(letters: &Letters, these: &[u32], angle: i16) -> bool {
    let these = these.iter().map(|index| &letters.all[*index as usize]);
    let of_angle = these.filter(|letter| letter.angle == angle);
    let (mut reversed, mut all) = (0, 0);
    for c in of_angle.flat_map(|letter| letters.text(letter).chars()) {
        if c.is_alphabetic() {
            all += 1;
            reversed += usize::from(bidi::runs_left(c));
        }
    }
    2 * reversed > all
}

/// Joins the pieces of a column into lines.
fn join(letters: &Letters, mut pieces: Vec<Piece>, block: usize, lines: &mut Vec<Line>) {
    // From top to bottom; each piece joins one of the last lines, or begins a new one.
    pieces.sort_by(|a, b| by(a.y, b.y));
    let mut open: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        // Only the last few lines can match; a superscript may come before its line.
        let fits = |line: &Vec<Piece>| {
            let last = || line.iter().rev().take(MAX_COMPARED);
            // With tight rows, a table cell may be beside cells of two rows. The cell does not join the row in which a
            // cell is above it.
            last().any(|other| are_beside(other, &piece))
                && !last().any(|other| is_another_row(other, &piece))
        };
        match open.iter().rev().take(3).position(fits) {
            Some(back) => {
                let at = open.len() - 1 - back;
                open[at].push(piece);
            }
            None => open.push(vec![piece]),
        }
    }
    // The baseline of a line is that of its longest piece.
    let baseline = |line: &Vec<Piece>| {
        let longest = line.iter().max_by_key(|piece| piece.letters.len());
        longest.map_or(0.0, |piece| piece.y)
    };
    open.sort_by(|a, b| by(baseline(a), baseline(b)));
    lines.extend(open.into_iter().map(|line| {
        let y = baseline(&line);
        finish(letters, line, y, block)
    }));
}

/// Returns whether two pieces are on one line: their heights overlap enough, and they are side by side or on one
/// baseline, or one is a single letter within the height of the other.
fn are_beside(a: &Piece, b: &Piece) -> bool {
    if a.is_object || b.is_object {
        return false;
    }
    // Heights that the pieces share, and their overlap along the line.
    let ((top_a, bottom_a), (top_b, bottom_b)) = (a.height(), b.height());
    let shared = bottom_a.min(bottom_b) - top_a.max(top_b);
    let smaller = (bottom_a - top_a).min(bottom_b - top_b);
    let larger = (bottom_a - top_a).max(bottom_b - top_b);
    let overlap = a.x.1.min(b.x.1) - a.x.0.max(b.x.0);
    // Pieces above each other with different baselines are on different lines. The exception is a single letter within
    // the height of the other piece, such as the raised A in LaTeX.
    let is_letter = a.letters.len().min(b.letters.len()) == 1;
    let is_within = is_letter && shared > 0.9 * smaller && smaller < 0.9 * larger;
    let is_beside = overlap < 0.5 * (a.x.1 - a.x.0).min(b.x.1 - b.x.0)
        || (a.y - b.y).abs() < 0.1 * a.size
        || is_within;
    // A sub- or superscript overlaps less with its base, but is close beside it.
    let (small, large) = (a.size.min(b.size), a.size.max(b.size));
    let is_script = small < SMALLER * large && (-BESIDE..BESIDE).contains(&(-overlap / large));
    let least = if is_script { SHARED_BY_SCRIPT } else { SHARED };
    shared > least * smaller && is_beside
}

/// Returns whether two pieces are rows of one column: of several letters each, of about equal size, on different
/// baselines, one above the other.
fn is_another_row(a: &Piece, b: &Piece) -> bool {
    let overlap = a.x.1.min(b.x.1) - a.x.0.max(b.x.0);
    let shorter = (a.x.1 - a.x.0).min(b.x.1 - b.x.0);
    let (small, large) = (a.size.min(b.size), a.size.max(b.size));
    let are_words = a.letters.len().min(b.letters.len()) > 1;
    are_words && overlap > 0.5 * shorter && small > 0.9 * large && (a.y - b.y).abs() > 0.2 * large
}

/// Orders the letters of a line, drops duplicates, and adds spaces.
fn finish(letters: &Letters, mut pieces: Vec<Piece>, y: f32, block: usize) -> Line {
    pieces.sort_by(|a, b| by(a.x.0, b.x.0));
    // If pieces overlap, all letters of the line are sorted by their centres.
    let overlap = pieces
        .windows(2)
        .any(|pair| pair[1].x.0 < pair[0].x.1 - 0.3 * pair[0].size);
    let mut all: Vec<&Letter> = Vec::new();
    for index in pieces.iter().flat_map(|piece| &piece.letters) {
        all.push(&letters.all[*index as usize]);
    }
    if overlap {
        all.sort_by(|a, b| by(a.x.0 + a.x.1, b.x.0 + b.x.1));
    }
    // Letters drawn twice at nearly the same position are one bold letter.
    let mut kept: Vec<&Letter> = Vec::with_capacity(all.len());
    for letter in all {
        let tolerance =
            (COPY_OFFSET * letter.size).min(COPY_OFFSET_OF_WIDTH * (letter.x.1 - letter.x.0));
        let is_drawn_twice = kept.iter().rev().take(3).any(|other| {
            (other.x.0 - letter.x.0).abs() < tolerance
                && (other.y - letter.y).abs() < COPY_OFFSET * letter.size
                && letters.text(other) == letters.text(letter)
        });
        if !is_drawn_twice {
            kept.push(letter);
        }
    }
    // Spaces follow from gaps. If the line has letters of right-to-left scripts, all its letters are put into logical
    // order.
    let gaps = spaces::before(letters, &kept);
    let turned = kept
        .iter()
        .any(|letter| letters.text(letter).chars().any(bidi::runs_left));
    let sequence = if turned {
        bidi::logical(letters, &kept, &gaps)
    } else {
        (0..kept.len()).map(|at| (at, at > 0 && gaps[at])).collect()
    };
    let mut line = Line {
        text: String::new(),
        runs: Vec::new(),
        x: (f32::MAX, f32::MIN),
        y,
        size: median_size(&kept),
        block,
        artifact: kept.iter().all(|letter| letter.artifact),
        angle: kept.first().map_or(0, |letter| letter.angle),
        object: kept.first().and_then(|letter| letter.object),
    };
    // The text, and its runs of letters with one style and link.
    for (at, spaced) in sequence {
        let letter = kept[at];
        if spaced && !line.text.ends_with(' ') {
            line.text.push(' ');
        }
        line.text.push_str(letters.text(letter));
        line.x = (line.x.0.min(letter.x.0), line.x.1.max(letter.x.1));
        let end = line.text.len();
        let style = Style {
            shift: shift(letter, line.y, line.size),
            ..letter.style
        };
        match line.runs.last_mut() {
            Some(run) if run.style == style && run.link == letter.link => run.end = end,
            _ => line.runs.push(Run {
                end,
                style,
                link: letter.link,
            }),
        }
    }
    line
}

/// Vertical shift of a letter relative to its line: super- or subscript.
fn shift(letter: &Letter, y: f32, size: f32) -> Shift {
    let above = (y - letter.y) / size.max(0.1);
    if letter.size > SMALLER * size {
        Shift::None
    } else if above > RAISED {
        Shift::Raised
    } else if above < -LOWERED {
        Shift::Lowered
    } else {
        Shift::None
    }
}

/// Median font size.
fn median_size(letters: &[&Letter]) -> f32 {
    let mut sizes: Vec<f32> = letters.iter().map(|letter| letter.size).collect();
    sizes.sort_by(|a, b| by(*a, *b));
    sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}
