//! Conversion of recognised words (OCR) to letters of a page, so that lines, columns and tables are
//! found as in other pages. Recognises nothing.
//!
//! A page without letters of its own is first rotated upright and deskewed, because sloping lines would count as
//! another writing direction. The characters of a word get equal shares of its width, which is exact enough for lines,
//! columns and tables. Font sizes derive from the ascent of lines, which is inexact in lines with few tall letters. So
//! sizes near the usual size are set to the usual size; otherwise every other line would become a heading.

use super::{
    bidi,
    page_text::{Letter, Letters},
    places::Places,
    rules::Rule,
    styles::{Appearance, Style},
};
use convertd_ocr::page::{Line, Rect, Text, Turn};
use convertd_scan::layer;
use hayro::kurbo::{Affine, Point, Vec2};

/// Height of ascenders, as a fraction of the font size.
const ASCENT: f64 = 0.72;
/// Tolerance for equal font sizes, as a fraction.
const SIZE_TOLERANCE: f32 = 0.2;
/// Largest slope of a level line, as a tangent.
const LEVEL: f64 = 0.06;
/// Minimum number of recognised words on a picture that counts as the source of these words.
const WORDS_ON_FIGURE: usize = 5;

/// Adds recognised words to the letters of a page. `to_page` maps pixels to points of the displayed
/// page, whose size in points is `size`. Returns the size of the upright page. A page that has
/// letters of its own keeps its orientation. With `keeps_appearance`, the styles of the letters
/// state their font size.
pub(crate) fn put(
    letters: &mut Letters,
    text: &Text,
    to_page: Affine,
    size: (f32, f32),
    keeps_appearance: bool,
) -> (f32, f32) {
    let (turned, size) = match letters.all.is_empty() {
        true => straight(text, size),
        false => (Affine::IDENTITY, size),
    };
    let to_page = turned * to_page;
    let sizes = sizes(text, to_page);
    let mut places = Places::default();
    for (line, size) in text.lines.iter().zip(sizes) {
        let appearance = Appearance {
            size: (2.0 * size).round() as u16,
            ..Appearance::default()
        };
        let style = Style {
            appearance: if keeps_appearance {
                appearance
            } else {
                Appearance::default()
            },
            ..Style::default()
        };
        let (from, to) = layer::left_to_right(line, text.turn);
        put_line(
            letters,
            line,
            (from, to),
            (size, style),
            to_page,
            &mut places,
        );
    }
    for rule in &text.rules {
        put_rule(letters, *rule, to_page);
    }
    // A page that was rotated by quarter turns loses its pictures, because they are not rotated with it.
    if turned != Affine::IDENTITY && text.turn != Turn::Upright {
        letters.figures.clear();
    }
    // Pictures of a deskewed page move with their centres.
    for figure in &mut letters.figures {
        let middle = Point::new(
            f64::from(figure.x.0 + figure.x.1) / 2.0,
            f64::from(figure.y.0 + figure.y.1) / 2.0,
        );
        let by = turned * middle - middle;
        let (x, y) = (by.x as f32, by.y as f32);
        figure.x = (figure.x.0 + x, figure.x.1 + x);
        figure.y = (figure.y.0 + y, figure.y.1 + y);
    }
    // Pictures in which the words were recognised are dropped.
    let centres: Vec<Point> = words(text).map(|bounds| to_page * centre(bounds)).collect();
    letters.figures.retain(|figure| {
        let is_on = |point: &&Point| {
            (figure.x.0..figure.x.1).contains(&(point.x as f32))
                && (figure.y.0..figure.y.1).contains(&(point.y as f32))
        };
        centres.iter().filter(is_on).take(WORDS_ON_FIGURE).count() < WORDS_ON_FIGURE
    });
    size
}

/// Bounds of all words.
fn words(text: &Text) -> impl Iterator<Item = Rect> {
    let words = text.lines.iter().flat_map(|line| &line.words);
    words.map(|word| word.bounds)
}

/// Transform from the displayed page to the upright and deskewed page, and the size of the upright page.
fn straight(text: &Text, (width, height): (f32, f32)) -> (Affine, (f32, f32)) {
    let (w, h) = (f64::from(width), f64::from(height));
    let (turn, size) = match text.turn {
        Turn::Upright => (Affine::IDENTITY, (width, height)),
        Turn::Clockwise => (Affine::new([0.0, 1.0, -1.0, 0.0, h, 0.0]), (height, width)),
        Turn::UpsideDown => (Affine::new([-1.0, 0.0, 0.0, -1.0, w, h]), (width, height)),
        Turn::CounterClockwise => (Affine::new([0.0, -1.0, 1.0, 0.0, 0.0, w]), (height, width)),
    };
    let middle = Point::new(f64::from(size.0) / 2.0, f64::from(size.1) / 2.0);
    let skew = Affine::rotate_about(f64::from(text.skew).to_radians(), middle);
    (skew * turn, size)
}

/// Font sizes of the lines in points. A size close to the usual size of the page or of the block is replaced by the
/// usual size.
fn sizes(text: &Text, to_page: Affine) -> Vec<f32> {
    // The determinant of a transform is the square of its scale.
    let [a, b, c, d, ..] = to_page.as_coeffs();
    let scale = (a * d - b * c).abs().sqrt();
    let own = |line: &Line| (f64::from(line.ascent) * scale / ASCENT) as f32;
    let letters = |line: &Line| {
        line.words
            .iter()
            .map(|word| word.text.chars().count())
            .sum()
    };
    let all: Vec<(f32, usize)> = text
        .lines
        .iter()
        .map(|line| (own(line), letters(line)))
        .collect();
    let body_size = layer::middle(all.clone()).unwrap_or(0.0);
    let mut blocks: Vec<Vec<(f32, usize)>> = Vec::new();
    for (line, size) in text.lines.iter().zip(&all) {
        if blocks.len() <= line.block {
            blocks.resize(line.block.min(text.lines.len()) + 1, Vec::new());
        }
        if let Some(block) = blocks.get_mut(line.block) {
            block.push(*size);
        }
    }
    let blocks: Vec<f32> = blocks
        .into_iter()
        .map(|sizes| layer::middle(sizes).unwrap_or(0.0))
        .collect();
    let sizes = text.lines.iter().zip(all).map(|(line, (own, _))| {
        let block = blocks.get(line.block).copied().unwrap_or(own);
        let is_near = |to: f32| to > 0.0 && (own / to - 1.0).abs() < SIZE_TOLERANCE;
        let size = if is_near(body_size) {
            body_size
        } else if is_near(block) {
            block
        } else {
            own
        };
        (2.0 * size).round().max(2.0) / 2.0
    });
    sizes.collect()
}

/// Adds the words of a line as letters. `from` and `to` are the ends of the baseline at the left and right side of the
/// letters, in pixels.
fn put_line(
    letters: &mut Letters,
    line: &Line,
    (from, to): ((f32, f32), (f32, f32)),
    (size, style): (f32, Style),
    to_page: Affine,
    places: &mut Places,
) {
    let point = |(x, y): (f32, f32)| to_page * Point::new(x.into(), y.into());
    let (from, to) = (point(from), point(to));
    let mut along = to - from;
    if along.hypot() < 1e-6 {
        along = Vec2::new(1.0, 0.0);
    }
    // Nearly level lines become exactly level, so that all have one writing direction.
    if along.y.abs() < LEVEL * along.x.abs() {
        along = Vec2::new(along.x.signum(), 0.0);
    }
    let turn = places.turn(along);
    let (_, y) = turn.place(from.midpoint(to));
    let mut is_first = true;
    for word in &line.words {
        let (start, end) = layer::extent(word.bounds, |side| {
            turn.place(to_page * Point::from(side)).0
        });
        // Combining marks have no width of their own; the other characters get equal shares.
        let count = word.text.chars().filter(|c| !is_mark(*c)).count().max(1);
        let share = (end - start) / count as f64;
        let runs_left = word.text.chars().any(bidi::runs_left);
        let mut nth = 0;
        let mut characters = word.text.chars().peekable();
        while let Some(first) = characters.next() {
            let text = letters.text.len() as u32;
            letters.text.push(first);
            while let Some(mark) = characters.next_if(|c| is_mark(*c)) {
                letters.text.push(mark);
            }
            // A right-to-left word begins at its right end.
            let nth_from_left = if runs_left {
                count - 1 - nth.min(count - 1)
            } else {
                nth
            };
            let left = start + share * nth_from_left as f64;
            letters.all.push(Letter {
                text: text..letters.text.len() as u32,
                x: (left as f32, (left + share) as f32),
                y: y as f32,
                size,
                angle: turn.angle,
                style,
                link: None,
                spaced: nth == 0 && !is_first,
                artifact: false,
                mark: None,
                object: None,
            });
            nth += 1;
        }
        is_first = false;
    }
}

/// Returns whether a character is a combining mark (general, Hebrew, Arabic, Devanagari or Thai).
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{64b}'..='\u{65f}' | '\u{93a}'..='\u{94f}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}')
        && c != '\u{93d}'
}

/// Centre of a rectangle.
fn centre(bounds: Rect) -> Point {
    let middle = |a: f32, b: f32| f64::from(a + b) / 2.0;
    Point::new(
        middle(bounds.left, bounds.right),
        middle(bounds.top, bounds.bottom),
    )
}

/// Adds a recognised rule.
fn put_rule(letters: &mut Letters, rule: Rect, to_page: Affine) {
    let corner = |x: f32, y: f32| to_page * Point::new(x.into(), y.into());
    let middle = centre(rule);
    let is_across = rule.right - rule.left >= rule.bottom - rule.top;
    let (from, to) = match is_across {
        true => (
            corner(rule.left, middle.y as f32),
            corner(rule.right, middle.y as f32),
        ),
        false => (
            corner(middle.x as f32, rule.top),
            corner(middle.x as f32, rule.bottom),
        ),
    };
    let of = |at: f64, from: f64, to: f64| Rule {
        at: at as f32,
        from: from.min(to) as f32,
        to: from.max(to) as f32,
    };
    let middle = from.midpoint(to);
    // The transform may turn the page, so the direction is decided after it.
    match (to.x - from.x).abs() >= (to.y - from.y).abs() {
        true => letters.rules.across.push(of(middle.y, from.x, to.x)),
        false => letters.rules.down.push(of(middle.x, from.y, to.y)),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{lines, page_text::Figure, plain, tables},
        *,
    };
    use convertd_ocr::page::{Baseline, Word};

    /// A word of letters ten pixels wide.
    fn word(text: &str, left: f32, base: f32) -> Word {
        Word {
            text: text.into(),
            bounds: Rect {
                left,
                top: base - 14.0,
                right: left + 10.0 * text.chars().count() as f32,
                bottom: base,
            },
            confidence: 90.0,
        }
    }

    fn line(words: Vec<Word>, base: f32, ascent: f32) -> Line {
        let (left, right) = (words[0].bounds.left, words[words.len() - 1].bounds.right);
        Line {
            bounds: words[0].bounds,
            words,
            baseline: Baseline {
                from: (left, base),
                to: (right, base),
            },
            ascent,
            block: 0,
            right_to_left: false,
        }
    }

    fn read(text: &Text, to_page: Affine, size: (f32, f32)) -> (Letters, String, (f32, f32)) {
        let mut letters = Letters::default();
        let size = put(&mut letters, text, to_page, size, false);
        let lines = lines::of(&mut letters, &[]);
        let mut plain = String::new();
        plain::write(&lines, &mut plain);
        (letters, plain, size)
    }

    #[test]
    fn words_become_lines_of_the_usual_size() {
        let text = Text {
            lines: vec![
                line(
                    vec![word("Two", 10.0, 50.0), word("words", 46.0, 50.0)],
                    50.0,
                    14.4,
                ),
                line(vec![word("more", 10.0, 70.0)], 70.0, 13.0),
                line(vec![word("Title", 10.0, 100.0)], 100.0, 28.8),
            ],
            ..Text::default()
        };
        let (letters, plain, _) = read(&text, Affine::scale(0.5), (200.0, 300.0));
        assert_eq!(plain.trim(), "Two words\nmore\nTitle");
        let mut sizes: Vec<f32> = letters.all.iter().map(|letter| letter.size).collect();
        sizes.dedup();
        assert_eq!(sizes, [10.0, 20.0]);
        assert_eq!(letters.all[0].x, (5.0, 10.0));
    }

    #[test]
    fn pages_are_turned_upright() {
        // The text reads from bottom to top, so the page must be turned clockwise.
        let mut up = line(vec![word("up", 0.0, 0.0)], 0.0, 14.4);
        up.words[0].bounds = Rect {
            left: 86.0,
            top: 130.0,
            right: 100.0,
            bottom: 150.0,
        };
        up.baseline = Baseline {
            from: (100.0, 150.0),
            to: (100.0, 130.0),
        };
        let text = Text {
            lines: vec![up],
            turn: Turn::Clockwise,
            ..Text::default()
        };
        let (letters, plain, size) = read(&text, Affine::IDENTITY, (200.0, 300.0));
        assert_eq!((plain.trim(), size), ("up", (300.0, 200.0)));
        let first = &letters.all[0];
        assert_eq!((first.angle, first.x, first.y), (0, (150.0, 160.0), 100.0));
    }

    #[test]
    fn pictures_of_a_deskewed_page_are_kept() {
        let figures = |turn: Turn, skew: f32| {
            let mut letters = Letters::default();
            letters.figures.push(Figure {
                x: (140.0, 160.0),
                y: (90.0, 110.0),
                file: 0,
                is_background: false,
                mark: None,
                fills_page: false,
            });
            let text = Text {
                lines: vec![line(vec![word("Two", 10.0, 50.0)], 50.0, 14.4)],
                turn,
                skew,
                ..Text::default()
            };
            put(&mut letters, &text, Affine::IDENTITY, (200.0, 200.0), false);
            letters.figures
        };
        assert!(figures(Turn::Clockwise, 0.0).is_empty());
        let figures = figures(Turn::Upright, 2.0);
        let [figure] = &figures[..] else {
            panic!("{figures:?}")
        };
        // The middle of the picture turns about the middle of the page.
        assert_eq!(figure.x.0.round(), 140.0);
        assert_eq!((figure.y.0 * 10.0).round(), 917.0);
    }

    #[test]
    fn letters_from_right_to_left_are_in_reading_order() {
        let mut line = line(
            vec![word("שלום", 100.0, 50.0), word("עולם", 40.0, 50.0)],
            50.0,
            14.4,
        );
        line.right_to_left = true;
        line.baseline = Baseline {
            from: (140.0, 50.0),
            to: (40.0, 50.0),
        };
        let text = Text {
            lines: vec![line],
            ..Text::default()
        };
        let (_, plain, _) = read(&text, Affine::IDENTITY, (200.0, 300.0));
        assert_eq!(plain.trim(), "שלום עולם");
    }

    #[test]
    fn rules_frame_tables() {
        let rows = [
            ("Item", "Price", 120.0),
            ("Tea", "2", 160.0),
            ("Milk", "1", 200.0),
        ];
        let lines = rows.map(|(a, b, y)| line(vec![word(a, 110.0, y), word(b, 310.0, y)], y, 14.4));
        let across = [95.0, 135.0, 175.0, 215.0].map(|y| Rect {
            left: 100.0,
            top: y - 1.0,
            right: 500.0,
            bottom: y + 1.0,
        });
        let down = [100.0, 300.0, 500.0].map(|x| Rect {
            left: x - 1.0,
            top: 95.0,
            right: x + 1.0,
            bottom: 215.0,
        });
        let text = Text {
            lines: lines.into(),
            rules: across.into_iter().chain(down).collect(),
            ..Text::default()
        };
        let mut letters = Letters::default();
        put(
            &mut letters,
            &text,
            Affine::scale(0.5),
            (300.0, 300.0),
            false,
        );
        let rules = std::mem::take(&mut letters.rules);
        let grids = tables::find(rules, &letters);
        assert_eq!(grids.len(), 1);
        assert_eq!(grids[0].cells.len(), 6);
    }
}
