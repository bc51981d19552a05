//! Lines of text from the letters of a page: pieces that run on without a gap, and pieces side by side as lines. Which lines
//! follow one another is decided by [`order`](super::order).

use super::{
    grids::Grid,
    letters::{Letter, Letters, Thing},
    order,
    styles::Style,
};
use std::cmp::Ordering;

/// The least gap between two words, as a share of the size of the font.
const WORD_GAP: f32 = 0.1;

/// The least gap between two pieces of a line, such as cells of a table, as a share of the size.
const PIECE_GAP: f32 = 1.0;

/// How far letters reach above and below their baseline, as a share of the size, but for the rare ones that reach further.
const ABOVE: f32 = 0.7;
const BELOW: f32 = 0.15;

/// How many pieces of a line are compared with one that may belong to it.
const LOOKED_AT: usize = 16;

/// How far two letters may be apart that are one, drawn twice to look bold, as a share of the size.
const TWICE: f32 = 0.15;

/// Letters that follow one another on a baseline.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Indices of letters, from left to right unless the text runs the other way.
    pub(super) letters: Vec<u32>,
    /// Whether it stands for something else than letters.
    pub(super) is_thing: bool,
    pub(super) x: (f32, f32),
    pub(super) y: f32,
    pub(super) size: f32,
}

impl Piece {
    /// The upper and lower edge of letters without the rare ones that reach further.
    pub(super) fn height(&self) -> (f32, f32) {
        (self.y - ABOVE * self.size, self.y + BELOW * self.size)
    }
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// Parts of the text of one look each, by where they end.
    pub(crate) runs: Vec<Run>,
    pub(crate) x: (f32, f32),
    pub(crate) y: f32,
    /// The size of most of its letters.
    pub(crate) size: f32,
    /// The number of its column or block on the page.
    pub(crate) block: usize,
    pub(crate) artifact: bool,
    /// What stands here instead of text.
    pub(crate) thing: Option<Thing>,
}

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    /// Where it ends in the text of the line, in bytes.
    pub(crate) end: usize,
    pub(crate) style: Style,
    pub(crate) link: Option<u16>,
}

/// The lines of a page in the order in which they are read. Text that is turned comes after what is upright. A table or a
/// picture is a line without text: it takes part as one large letter, so that it finds its place as words do. A picture that
/// text stands on comes first.
pub(crate) fn of(letters: &mut Letters, grids: &[Grid]) -> Vec<Line> {
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
    let tables = (0..).map(Thing::Table);
    let tables = tables.zip(grids.iter().map(|grid| (grid.x, grid.y)));
    let figures = (0..).map(Thing::Figure).zip(&letters.figures);
    let (backgrounds, figures): (Vec<_>, Vec<_>) =
        figures.partition(|(_, figure)| figure.is_background);
    let backgrounds = backgrounds.into_iter().map(|(thing, figure)| Line {
        text: String::new(),
        runs: Vec::new(),
        x: figure.x,
        y: figure.y.1,
        size: 0.0,
        block: 0,
        artifact: false,
        thing: Some(thing),
    });
    let mut lines: Vec<Line> = backgrounds.collect();
    let figures = figures
        .into_iter()
        .map(|(thing, figure)| (thing, (figure.x, figure.y)));
    let things: Vec<_> = tables.chain(figures).collect();
    for (thing, (x, y)) in things {
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
            thing: Some(thing),
        });
    }
    lines.extend(of_some(letters, &these));
    lines
}

/// The lines of some letters.
pub(crate) fn of_some(letters: &Letters, these: &[u32]) -> Vec<Line> {
    let mut angles: Vec<i16> = Vec::new();
    for letter in these.iter().map(|index| &letters.all[*index as usize]) {
        if !angles.contains(&letter.angle) {
            angles.push(letter.angle);
        }
        if angles.len() == 64 {
            break;
        }
    }
    angles.sort_by_key(|angle| *angle != 0);
    let mut lines = Vec::new();
    let mut block = 0;
    for angle in angles {
        let pieces = pieces(letters, these, angle);
        let reversed = is_reversed(letters, these, angle);
        for column in order::columns(pieces, reversed) {
            block += 1;
            join(letters, column, block, &mut lines);
        }
    }
    lines
}

/// Letters that were drawn one after another and stand so.
fn pieces(letters: &Letters, these: &[u32], angle: i16) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for &index in these {
        let letter = &letters.all[index as usize];
        if letter.angle != angle {
            continue;
        }
        let is_thing = letter.thing.is_some();
        if let Some(last) = pieces.last_mut().filter(|last| !last.is_thing && !is_thing) {
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
            is_thing,
            x: letter.x,
            y: letter.y,
            size: letter.size,
        });
    }
    pieces
}

/// Whether most letters belong to scripts that run from right to left.
fn is_reversed(letters: &Letters, these: &[u32], angle: i16) -> bool {
    let these = these.iter().map(|index| &letters.all[*index as usize]);
    let of_angle = these.filter(|letter| letter.angle == angle);
    let (mut reversed, mut all) = (0, 0);
    for c in of_angle.flat_map(|letter| letters.text(letter).chars()) {
        if c.is_alphabetic() {
            all += 1;
            reversed += usize::from(runs_left(c));
        }
    }
    2 * reversed > all
}

/// Whether a character belongs to Hebrew, Arabic or another script that runs from right to left.
pub(super) fn runs_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// By a number, with those that are none anywhere.
pub(super) fn by(a: f32, b: f32) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Makes lines of the pieces of a column.
fn join(letters: &Letters, mut pieces: Vec<Piece>, block: usize, lines: &mut Vec<Line>) {
    pieces.sort_by(|a, b| by(a.y, b.y));
    let mut open: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        // The lines that it may be part of are the last few: one that is raised stands before its line.
        let fits = |line: &Vec<Piece>| {
            let mut last = line.iter().rev().take(LOOKED_AT);
            last.any(|other| are_beside(other, &piece))
        };
        match open.iter().rev().take(3).position(fits) {
            Some(back) => {
                let at = open.len() - 1 - back;
                open[at].push(piece);
            }
            None => open.push(vec![piece]),
        }
    }
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

/// Whether two pieces stand on one line: on the same baseline, or raised or lowered by less than half of a letter.
fn are_beside(a: &Piece, b: &Piece) -> bool {
    if a.is_thing || b.is_thing {
        return false;
    }
    let ((top_a, bottom_a), (top_b, bottom_b)) = (a.height(), b.height());
    let shared = bottom_a.min(bottom_b) - top_a.max(top_b);
    let smaller = (bottom_a - top_a).min(bottom_b - top_b);
    let overlap = a.x.1.min(b.x.1) - a.x.0.max(b.x.0);
    // What stands over something else is on another line.
    let is_beside =
        overlap < 0.5 * (a.x.1 - a.x.0).min(b.x.1 - b.x.0) || (a.y - b.y).abs() < 0.1 * a.size;
    shared > 0.5 * smaller && is_beside
}

/// Puts the letters of a line in their order.
fn finish(letters: &Letters, mut pieces: Vec<Piece>, y: f32, block: usize) -> Line {
    pieces.sort_by(|a, b| by(a.x.0, b.x.0));
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
    let mut kept: Vec<&Letter> = Vec::with_capacity(all.len());
    for letter in all {
        let is_twice = kept.iter().rev().take(3).any(|other| {
            (other.x.0 - letter.x.0).abs() < TWICE * letter.size
                && (other.y - letter.y).abs() < TWICE * letter.size
                && letters.text(other) == letters.text(letter)
        });
        if !is_twice {
            kept.push(letter);
        }
    }
    let gaps = gaps(&kept);
    let turned = kept
        .iter()
        .any(|letter| letters.text(letter).chars().any(runs_left));
    let sequence = if turned {
        logical(letters, &kept, &gaps)
    } else {
        (0..kept.len()).map(|at| (at, at > 0 && gaps[at])).collect()
    };
    let mut line = Line {
        text: String::new(),
        runs: Vec::new(),
        x: (f32::MAX, f32::MIN),
        y,
        size: usual_size(&kept),
        block,
        artifact: kept.iter().all(|letter| letter.artifact),
        thing: kept.first().and_then(|letter| letter.thing),
    };
    for (at, spaced) in sequence {
        let letter = kept[at];
        if spaced && !line.text.ends_with(' ') {
            line.text.push(' ');
        }
        line.text.push_str(letters.text(letter));
        line.x = (line.x.0.min(letter.x.0), line.x.1.max(letter.x.1));
        let end = line.text.len();
        match line.runs.last_mut() {
            Some(run) if run.style == letter.style && run.link == letter.link => run.end = end,
            _ => line.runs.push(Run {
                end,
                style: letter.style,
                link: letter.link,
            }),
        }
    }
    line
}

/// For each letter: whether there is a space between it and the one to its left.
fn gaps(letters: &[&Letter]) -> Vec<bool> {
    let mut end = f32::MIN;
    let mut gaps = Vec::with_capacity(letters.len());
    for letter in letters {
        let gap = letter.x.0 - end;
        let close = gap < 0.02 * letter.size;
        gaps.push(end > f32::MIN && ((letter.spaced && !close) || gap > WORD_GAP * letter.size));
        end = end.max(letter.x.1);
    }
    gaps
}

/// The size of most letters.
fn usual_size(letters: &[&Letter]) -> f32 {
    let mut sizes: Vec<f32> = letters.iter().map(|letter| letter.size).collect();
    sizes.sort_by(|a, b| by(*a, *b));
    sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}

/// The order of reading of a line that runs from right to left, with what runs the other way in it, as indices, each with
/// whether a space comes before it: the reverse of Unicode's bidirectional algorithm (UAX #9), for two levels.
fn logical(letters: &Letters, line: &[&Letter], gaps: &[bool]) -> Vec<(usize, bool)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Class {
        Left,
        Right,
        Number,
        Neutral,
    }
    let class = |letter: &&Letter| {
        let mut classes = letters.text(letter).chars().map(|c| match c {
            _ if runs_left(c) => Class::Left,
            _ if c.is_numeric() => Class::Number,
            _ if c.is_alphabetic() => Class::Right,
            _ => Class::Neutral,
        });
        classes
            .find(|class| *class != Class::Neutral)
            .unwrap_or(Class::Neutral)
    };
    let mut classes: Vec<Class> = line.iter().map(class).collect();
    let count = |class| classes.iter().filter(|other| **other == class).count();
    let base = if count(Class::Left) >= count(Class::Right) {
        Class::Left
    } else {
        Class::Right
    };
    // Numbers run to the right, with the signs within them; other signs go with what is around them.
    for at in 0..classes.len() {
        if classes[at] != Class::Neutral {
            continue;
        }
        let before = classes[..at]
            .iter()
            .rev()
            .find(|class| **class != Class::Neutral);
        let after = classes[at..].iter().find(|class| **class != Class::Neutral);
        let is_tight = !gaps[at] && gaps.get(at + 1) == Some(&false);
        classes[at] = match (before, after) {
            (Some(Class::Number), Some(Class::Number)) if is_tight => Class::Number,
            (Some(a), Some(b)) if a == b && *a != Class::Number => *a,
            _ => base,
        };
    }
    let goes_left = |class: Class| class == Class::Left;
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in 0..classes.len() {
        match runs.last_mut() {
            Some((_, end)) if goes_left(classes[*end - 1]) == goes_left(classes[at]) => {
                *end = at + 1
            }
            _ => runs.push((at, at + 1)),
        }
    }
    if base == Class::Left {
        runs.reverse();
    }
    let mut sequence = Vec::with_capacity(line.len());
    for (start, end) in runs {
        let mut run: Vec<usize> = (start..end).collect();
        if goes_left(classes[start]) {
            run.reverse();
        }
        for at in run {
            let spaced = match sequence.last() {
                None => false,
                // A gap is to the left of a letter; who comes from there finds it before, who comes from the right behind.
                Some(&(last, _)) if last + 1 == at => gaps[at],
                Some(&(last, _)) if last == at + 1 => gaps[last],
                // From one end of a run to the other: what is between the runs.
                Some(_) => {
                    let edge = if base == Class::Left { end } else { start };
                    gaps.get(edge).copied().unwrap_or(false)
                }
            };
            sequence.push((at, spaced));
        }
    }
    sequence
}
