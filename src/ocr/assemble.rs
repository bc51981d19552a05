//! Assembles the words of a page from the symbols on its lines: drops spurious symbols, puts spaces where the ink has
//! gaps, orders the words of right-to-left scripts, and converts positions back to those on the input page.

use crate::{
    Baseline, Direction, Line, Page, Reading, Rect, Symbol, Text, Turn, Word, confidence,
    layout::{Area, Found, Layout, Tick, words},
};

/// A line that was read.
pub(crate) struct Placed<'m> {
    /// The index of the line in the layout.
    pub(crate) line: usize,
    /// Left edge of the picture of the line on the working picture, in pixels.
    pub(crate) left: f32,
    pub(crate) reading: Reading<'m>,
}

/// Largest number of symbols of a short line.
const FEW_SYMBOLS: usize = 3;
/// Mean certainty below which a short line with letters or digits counts as noise.
const LEAST_OF_FEW: f32 = -2.2;
/// Mean certainty below which a line without letters and digits counts as noise.
const LEAST_OF_SIGNS: f32 = -0.8;
/// Mean certainty below which any other line counts as noise.
const LEAST: f32 = -4.0;
/// Divisor of the three limits above for doubtful lines ([`Found::doubtful`]). As the limits are negative, it makes
/// them stricter.
const DOUBTFUL: f32 = 3.0;
/// Confidence that is reported for every check box, in per cent.
const BOX: f32 = 90.0;

/// Returns whether a line is text and not noise.
pub(crate) fn is_readable(placed: &Placed<'_>, line: &Found) -> bool {
    let symbols = &placed.reading.symbols;
    if symbols.is_empty() {
        return false;
    }
    let mean = symbols.iter().map(|s| s.certainty).sum::<f32>() / symbols.len() as f32;
    let strict = if line.doubtful { DOUBTFUL } else { 1.0 };
    let is_alphanumeric = |s: &Symbol<'_>| s.text.chars().any(char::is_alphanumeric);
    let least = match symbols.iter().any(is_alphanumeric) {
        false => LEAST_OF_SIGNS,
        true if symbols.len() <= FEW_SYMBOLS => LEAST_OF_FEW,
        true => LEAST,
    };
    mean >= least / strict
}

/// Makes the text of a page from the readings `placed`, which contain only readable lines.
pub(crate) fn text(
    layout: &Layout<'_, '_>,
    placed: Vec<Placed<'_>>,
    page: &Page<'_>,
    turn: Turn,
) -> Text {
    let to_page = ToPage { layout, page, turn };
    let mut readings: Vec<Option<Placed<'_>>> = layout.lines.iter().map(|_| None).collect();
    for one in placed {
        let at = one.line;
        readings[at] = Some(one);
    }
    let mut lines: Vec<Line> = Vec::new();
    let mut initial: Option<Line> = None;
    for (found, reading) in layout.lines.iter().zip(readings) {
        let Some(mut line) = to_page.line(found, reading) else {
            continue;
        };
        if found.initial {
            lines.extend(initial.replace(line));
            continue;
        }
        if let Some(initial) = initial.take() {
            match joined(&initial, &line) {
                Some(whole) => line = whole,
                None => lines.push(initial),
            }
        }
        lines.push(line);
    }
    lines.extend(initial);
    Text {
        lines,
        turn,
        skew: layout.map.degrees as f32,
        rules: layout.rules().map(|area| to_page.rect(area)).collect(),
        pictures: layout
            .pictures
            .iter()
            .map(|area| to_page.rect(area))
            .collect(),
    }
}

/// Adds a drop capital to the first word of the line that it begins. `None` unless `initial` is a single word of at
/// most two characters in the same block.
fn joined(initial: &Line, line: &Line) -> Option<Line> {
    let [Word { text, bounds, .. }] = initial.words.as_slice() else {
        return None;
    };
    let mut line = line.clone();
    let first = line.words.first_mut()?;
    if text.chars().count() > 2 || line.block != initial.block {
        return None;
    }
    first.text.insert_str(0, text);
    first.bounds = first.bounds.with(bounds);
    line.bounds = line.bounds.with(bounds);
    Some(line)
}

/// Converts positions on the working picture back to the page.
struct ToPage<'l, 'a, 'p> {
    layout: &'l Layout<'a, 'p>,
    page: &'l Page<'l>,
    turn: Turn,
}

impl ToPage<'_, '_, '_> {
    fn point(&self, x: f32, y: f32) -> (f32, f32) {
        let (x, y) = self.layout.map.back((x, y));
        let (width, height) = (self.page.width as f32, self.page.height as f32);
        match self.turn {
            Turn::Upright => (x, y),
            Turn::UpsideDown => (width - x, height - y),
            Turn::Clockwise => (y, height - x),
            Turn::CounterClockwise => (width - y, x),
        }
    }

    fn rect(&self, area: &Area) -> Rect {
        let (left, right) = (area.left as f32, area.right as f32);
        let (top, bottom) = (area.top as f32, area.bottom as f32);
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
            .map(|(x, y)| self.point(x, y));
        let most = (self.page.width as f32, self.page.height as f32);
        let x = corners.map(|(x, _)| x.clamp(0.0, most.0));
        let y = corners.map(|(_, y)| y.clamp(0.0, most.1));
        Rect {
            left: x.into_iter().fold(f32::MAX, f32::min),
            top: y.into_iter().fold(f32::MAX, f32::min),
            right: x.into_iter().fold(0.0, f32::max),
            bottom: y.into_iter().fold(0.0, f32::max),
        }
    }

    /// Makes a line with its words. `None` if it has neither symbols nor check boxes.
    fn line(&self, found: &Found, placed: Option<Placed<'_>>) -> Option<Line> {
        let symbols = match &placed {
            Some(placed) => within_margins(placed, found),
            None => &[],
        };
        let left = placed.as_ref().map_or(0.0, |placed| placed.left);
        let right_to_left = is_right_to_left(symbols);
        let mut words: Vec<(i32, Word)> = self.words(found, symbols, left, right_to_left);
        for (area, tick) in &found.ticks {
            let text = match tick {
                Tick::Empty => "☐",
                Tick::Ticked => "☑",
                Tick::Crossed => "☒",
            };
            let word = Word {
                text: text.into(),
                bounds: self.rect(area),
                confidence: BOX,
            };
            words.push((area.left, word));
        }
        words.sort_by_key(|(left, _)| *left);
        let mut words: Vec<Word> = words.into_iter().map(|(_, word)| word).collect();
        if right_to_left {
            order(&mut words);
        }
        let bounds = words
            .iter()
            .map(|word| word.bounds)
            .reduce(|a, b| a.with(&b))?;
        let (from, to, ascent) = words::baseline(found, self.layout.x_height);
        Some(Line {
            words,
            bounds,
            baseline: Baseline {
                from: self.point(found.area.left as f32, from),
                to: self.point(found.area.right as f32, to),
            },
            ascent: ascent / self.layout.map.scale as f32,
            block: found.block,
            right_to_left,
        })
    }

    /// The words of a line from left to right, each with its left edge on the working picture.
    fn words(
        &self,
        found: &Found,
        symbols: &[Symbol<'_>],
        left: f32,
        right_to_left: bool,
    ) -> Vec<(i32, Word)> {
        if symbols.is_empty() {
            return Vec::new();
        }
        let mut parts: Vec<&[Symbol<'_>]> = Vec::new();
        let mut spaces = Vec::new();
        let mut begin = 0;
        for at in 1..symbols.len() {
            if symbols[at].space.is_some() {
                parts.push(&symbols[begin..at]);
                spaces.push(left + (symbols[at - 1].to + symbols[at].from) / 2.0);
                begin = at;
            }
        }
        parts.push(&symbols[begin..]);
        let areas = words::boxes(found, &spaces);
        let ends: Vec<Option<f32>> = parts.iter().skip(1).map(|part| part[0].space).collect();
        parts
            .iter()
            .zip(areas)
            .enumerate()
            .map(|(at, (part, area))| {
                let before = at.checked_sub(1).and_then(|at| ends[at]);
                let after = ends.get(at).copied().flatten();
                let certainty = part
                    .iter()
                    .map(|symbol| symbol.certainty)
                    .chain(before)
                    .chain(after)
                    .fold(0.0, f32::min);
                let word = Word {
                    text: spelled(part, right_to_left),
                    bounds: self.rect(&area),
                    confidence: confidence(certainty),
                };
                (area.left, word)
            })
            .collect()
    }
}

/// The symbols of a line without quotation marks, dots and strokes at its ends that the network has read in the
/// margins, beside the ink. At least one symbol is kept.
fn within_margins<'s, 'm>(placed: &'s Placed<'m>, found: &Found) -> &'s [Symbol<'m>] {
    let mut symbols = placed.reading.symbols.as_slice();
    let ink = |symbol: &Symbol<'_>| {
        let height = found.height_of_letters() as f32 / 4.0;
        let (from, to) = (placed.left + symbol.from, placed.left + symbol.to);
        to > found.area.left as f32 + height / 2.0 && from < found.area.right as f32 - height / 2.0
    };
    let margin =
        |symbol: &Symbol<'_>| matches!(symbol.text, "‘" | "'" | "`" | "|" | "." | "_" | "-" | "“");
    while let [first, rest @ ..] = symbols
        && !rest.is_empty()
        && margin(first)
        && !ink(first)
    {
        symbols = rest;
    }
    while let [rest @ .., last] = symbols
        && !rest.is_empty()
        && margin(last)
        && !ink(last)
    {
        symbols = rest;
    }
    symbols
}

/// Returns whether a line has more symbols that are written from right to left than from left to right.
fn is_right_to_left(symbols: &[Symbol<'_>]) -> bool {
    let count = |direction| symbols.iter().filter(|s| s.direction == direction).count();
    count(Direction::RightToLeft) > count(Direction::LeftToRight)
}

/// Spells a word in reading order. The symbols are given from left to right.
fn spelled(symbols: &[Symbol<'_>], right_to_left: bool) -> String {
    let backwards = symbols
        .iter()
        .any(|s| s.direction == Direction::RightToLeft);
    let digits = symbols.iter().any(|s| s.direction == Direction::Number);
    let is_neutral = || symbols.iter().all(|s| s.direction == Direction::Neutral);
    let turns = backwards || right_to_left && !digits && is_neutral();
    if !turns {
        return symbols.iter().map(|symbol| symbol.text).collect();
    }
    let mut text = String::new();
    let mut end = symbols.len();
    while end > 0 {
        let symbol = &symbols[end - 1];
        let forwards =
            |s: &Symbol<'_>| matches!(s.direction, Direction::Number | Direction::LeftToRight);
        if !forwards(symbol) {
            text.push_str(mirrored(symbol.text));
            end -= 1;
            continue;
        }
        // Numbers and Latin words within a right-to-left word keep their direction, including the points and commas
        // inside them.
        let mut begin = end - 1;
        let mut at = begin;
        while at > 0 {
            at -= 1;
            match symbols[at].direction {
                Direction::RightToLeft => break,
                Direction::Neutral => {}
                _ => begin = at,
            }
        }
        text.extend(symbols[begin..end].iter().map(|symbol| symbol.text));
        end = begin;
    }
    text
}

/// The mirrored form of a bracket, for text that is read from right to left.
fn mirrored(text: &str) -> &str {
    match text {
        "(" => ")",
        ")" => "(",
        "[" => "]",
        "]" => "[",
        "{" => "}",
        "}" => "{",
        "<" => ">",
        ">" => "<",
        "«" => "»",
        "»" => "«",
        other => other,
    }
}

/// Puts the words of a line in reading order: from right to left, except within stretches of words that begin with a
/// letter of another script.
fn order(words: &mut [Word]) {
    words.reverse();
    let forwards = |word: &Word| {
        let mut characters = word.text.chars().filter(|c| c.is_alphabetic());
        characters
            .next()
            .is_some_and(|c| !is_right_to_left_letter(c))
    };
    let mut begin = 0;
    while begin < words.len() {
        let count = words[begin..]
            .iter()
            .take_while(|word| forwards(word))
            .count();
        words[begin..begin + count].reverse();
        begin += count.max(1);
    }
}

/// Returns whether a letter is of a block of Unicode whose scripts are written from right to left.
fn is_right_to_left_letter(character: char) -> bool {
    matches!(u32::from(character), 0x590..=0x8ff | 0xfb1d..=0xfdff | 0xfe70..=0xfeff | 0x10800..=0x10fff | 0x1e800..=0x1efff)
}
