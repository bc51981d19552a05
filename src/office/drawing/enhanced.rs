//! Outlines of OpenDocument (OASIS OpenDocument 1.3, part 3, 19.145 and 19.171 to 19.173): enhanced paths (whose
//! numbers may be results of formulas), SVG paths, and lists of points. All three become the same commands as outlines
//! of DrawingML. Reads no elements.
//!
//! Formulas are expressions such as `left+(right-$0)/2`. They may refer to each other in any order, even in a cycle.
//! Each formula is therefore computed when its value is needed, and a reference to a formula that is still being
//! computed counts as 0.

mod formula;

use super::{
    Command, Path, Shade,
    geometry::Outline,
    pen::{Pen, open},
};
use formula::{MAX_STEPS, Values};
use std::cell::RefCell;
use svgtypes::{SimplePathSegment, SimplifyingPathParser};

/// Max. number of formulas.
const MAX_FORMULAS: usize = 4096;
/// Max. number of consecutive commands of an SVG path that close it.
const MAX_CLOSINGS: usize = 200;

/// Coordinate system of a shape: left, top, width and height. All are 0 if the file states none; then the coordinate
/// system is as large as the shape.
pub(super) type View = [f64; 4];

/// Shape with an enhanced path, as stated in the file.
#[derive(Debug, Default)]
pub(crate) struct Enhanced {
    /// Commands of the path (`draw:enhanced-path`).
    pub path: Box<str>,
    /// Names and formulas (`draw:equation`).
    pub formulas: Vec<(Box<str>, Box<str>)>,
    /// Adjustable values (`draw:modifiers`).
    pub modifiers: Vec<f64>,
    /// Coordinate system (`svg:viewBox`).
    pub view: View,
    /// Rectangles of the text (`draw:text-areas`): left, top, right and bottom of each. Only the first rectangle is
    /// used.
    pub text: Box<str>,
}

impl Enhanced {
    /// Computes the outline for a size in hundredths of a millimetre, which is the unit of `logwidth` and `logheight`
    /// in formulas.
    pub(super) fn outline(&self, width: f64, height: f64) -> Outline {
        let [x, y, across, down] = self.view;
        let (across, down) = match across > 0.0 && down > 0.0 {
            true => (across, down),
            false => (width, height),
        };
        let values = Values {
            enhanced: self,
            sides: [x, y, x + across, y + down],
            size: (width, height),
            known: RefCell::default(),
        };
        let ratio = |own: f64, whole: f64| if own > 0.0 { whole / own } else { 1.0 };
        let scale = (ratio(across, width), ratio(down, height));
        let mut pen = Pen::new((x, y), scale);
        draw(&mut pen, &self.path, &values);
        pen.end();
        let text: Vec<f64> = self
            .text
            .split_whitespace()
            .take(4)
            .map(|word| values.word(word))
            .collect();
        let text = match text[..] {
            [left, top, right, bottom] => {
                let ((left, top), (right, bottom)) =
                    (pen.point((left, top)), pen.point((right, bottom)));
                [left, top, right, bottom]
            }
            _ => [0.0, 0.0, width, height],
        };
        Outline {
            paths: pen.paths,
            text,
        }
    }
}

/// Words of a path: commands, which are capital letters, and operands.
struct Words<'w> {
    rest: &'w str,
}

impl<'w> Words<'w> {
    /// Skips white space and commas.
    fn skip(&mut self) {
        self.rest = self
            .rest
            .trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }

    /// Returns the next command, and skips operands before it.
    fn command(&mut self) -> Option<char> {
        loop {
            self.skip();
            let first = self.rest.chars().next()?;
            if first.is_ascii_uppercase() {
                self.rest = &self.rest[1..];
                return Some(first);
            }
            self.operand()?;
        }
    }

    /// Returns the next number or name. `None` if a command follows, or if the path ends.
    fn operand(&mut self) -> Option<&'w str> {
        self.skip();
        let first = self.rest.chars().next()?;
        if first.is_ascii_uppercase() {
            return None;
        }
        let end = self.rest.char_indices().skip(1).find(|(_, c)| {
            c.is_whitespace() || matches!(c, ',' | '-' | '?' | '$') || c.is_ascii_uppercase()
        });
        let (word, rest) = self
            .rest
            .split_at(end.map_or(self.rest.len(), |(at, _)| at));
        self.rest = rest;
        Some(word)
    }

    /// Returns the values of the next `N` operands. `None` if fewer operands follow; these are skipped.
    fn numbers<const N: usize>(&mut self, values: &Values<'_>) -> Option<[f64; N]> {
        let mut all = [values.word(self.operand()?); N];
        for slot in &mut all[1..] {
            *slot = values.word(self.operand()?);
        }
        Some(all)
    }
}

/// Draws an enhanced path (part 3, 19.145).
fn draw(pen: &mut Pen, path: &str, values: &Values<'_>) {
    let mut words = Words { rest: path };
    while let Some(command) = words.command() {
        if pen.steps > MAX_STEPS {
            return;
        }
        // Commands with operands repeat as long as enough operands follow.
        match command {
            'M' => {
                while let Some([x, y]) = words.numbers(values) {
                    pen.at = (x, y);
                    let (x, y) = pen.point(pen.at);
                    pen.push(Command::Move(x, y));
                }
            }
            'L' => {
                while let Some([x, y]) = words.numbers(values) {
                    pen.line((x, y));
                }
            }
            'C' => {
                while let Some([a, b, c, d, x, y]) = words.numbers(values) {
                    pen.curve((a, b), (c, d), (x, y));
                }
            }
            'Q' => {
                while let Some([a, b, x, y]) = words.numbers(values) {
                    pen.quadratic((a, b), (x, y));
                }
            }
            // `Z` closes the path. `N` ends it and begins another path.
            'Z' => pen.push(Command::Close),
            'N' => pen.end(),
            // No fill, no line, and shadings of the fill.
            'F' => pen.current.shade = None,
            'S' => pen.current.stroked = false,
            'H' => pen.current.shade = Shade::of("darken"),
            'I' => pen.current.shade = Shade::of("darkenLess"),
            'J' => pen.current.shade = Shade::of("lighten"),
            'K' => pen.current.shade = Shade::of("lightenLess"),
            // Arcs of an ellipse around a point, by their angles in degrees. `U` begins a new subpath.
            'T' | 'U' => {
                while let Some([x, y, across, down, from, to]) = words.numbers(values) {
                    let mut sweep = to - from;
                    if sweep <= 0.0 {
                        sweep += 360.0;
                    }
                    let (from, sweep) = (from.to_radians(), sweep.to_radians());
                    pen.arc((x, y), (across, down), from, sweep, command == 'U');
                }
            }
            // Arcs of the ellipse in a rectangle, by two points. `W` and `V` are clockwise; `B` and `V` begin a new
            // subpath.
            'A' | 'B' | 'W' | 'V' => {
                while let Some(numbers) = words.numbers::<8>(values) {
                    let clockwise = matches!(command, 'W' | 'V');
                    pen.bounded_arc(numbers, clockwise, matches!(command, 'B' | 'V'));
                }
            }
            // Quarters of ellipses, alternately starting horizontally and vertically.
            'X' | 'Y' => {
                let mut across = command == 'X';
                while let Some([x, y]) = words.numbers(values) {
                    pen.quarter((x, y), across);
                    across = !across;
                }
            }
            // Arc from the current position, by its radii, its first angle and its sweep. Unlike in DrawingML, the
            // angles are those of a circle that is stretched to the ellipse.
            'G' => {
                while let Some([across, down, from, sweep]) = words.numbers(values) {
                    let (from, sweep) = (from.to_radians(), sweep.to_radians());
                    let centre = (pen.at.0 - across * from.cos(), pen.at.1 - down * from.sin());
                    pen.arc(centre, (across, down), from, sweep, false);
                }
            }
            _ => {}
        }
    }
}

/// Returns the outline of an SVG path (SVG 2, 9.3) in a rectangle of this size.
pub(crate) fn outline_of_svg(path: &str, view: View, width: f64, height: f64) -> Outline {
    let mut pen = pen_in(view, width, height);
    // The parser calls itself for each of several consecutive closings, so a long run would exhaust the stack. A path
    // with such a run is not drawn.
    let closings = path.split(|c: char| !matches!(c, 'z' | 'Z' | ',') && !c.is_whitespace());
    let most = closings.map(|run| run.matches(['z', 'Z']).count()).max();
    let path = if most > Some(MAX_CLOSINGS) { "" } else { path };
    // As in browsers, the part before an error is drawn.
    let segments = SimplifyingPathParser::from(path).map_while(Result::ok);
    for segment in segments.take(MAX_STEPS) {
        match segment {
            SimplePathSegment::MoveTo { x, y } => {
                pen.at = (x, y);
                let (x, y) = pen.point(pen.at);
                pen.push(Command::Move(x, y));
            }
            SimplePathSegment::LineTo { x, y } => pen.line((x, y)),
            SimplePathSegment::CurveTo {
                x1,
                y1,
                x2,
                y2,
                x,
                y,
            } => pen.curve((x1, y1), (x2, y2), (x, y)),
            SimplePathSegment::Quadratic { x1, y1, x, y } => pen.quadratic((x1, y1), (x, y)),
            SimplePathSegment::ClosePath => pen.push(Command::Close),
        }
    }
    finished(pen, width, height)
}

/// Returns the outline of a list of points, written as `x,y x,y`.
pub(crate) fn outline_of_points(
    points: &str,
    closed: bool,
    view: View,
    width: f64,
    height: f64,
) -> Outline {
    let mut pen = pen_in(view, width, height);
    let numbers = points.split(|c: char| c.is_whitespace() || c == ',');
    let numbers: Vec<f64> = numbers
        .filter(|word| !word.is_empty())
        .map_while(|word| word.parse().ok())
        .take(2 * MAX_STEPS)
        .collect();
    for (nth, point) in numbers.chunks_exact(2).enumerate() {
        let (x, y) = pen.point((point[0], point[1]));
        pen.push(match nth {
            0 => Command::Move(x, y),
            _ => Command::Line(x, y),
        });
    }
    if closed {
        pen.push(Command::Close);
    }
    finished(pen, width, height)
}

/// Returns a pen that scales a coordinate system to a rectangle of this size. If the width or the height of the
/// coordinate system is not positive, that direction is not scaled.
fn pen_in([x, y, across, down]: View, width: f64, height: f64) -> Pen {
    let ratio = |own: f64, whole: f64| if own > 0.0 { whole / own } else { 1.0 };
    Pen::new((x, y), (ratio(across, width), ratio(down, height)))
}

/// Returns the outline that a pen has drawn. A path without a closing command is not filled.
fn finished(mut pen: Pen, width: f64, height: f64) -> Outline {
    let path = std::mem::replace(&mut pen.current, open());
    let closed = path.commands.contains(&Command::Close);
    Outline {
        paths: vec![Path {
            shade: closed.then_some(Shade::Plain),
            ..path
        }],
        text: [0.0, 0.0, width, height],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Command::{Close, Line, Move};

    #[track_caller]
    fn check(path: &str, formulas: &[(&str, &str)], expected: &[Command]) {
        let formulas = formulas
            .iter()
            .map(|(name, formula)| ((*name).into(), (*formula).into()));
        let enhanced = Enhanced {
            path: path.into(),
            formulas: formulas.collect(),
            modifiers: vec![5400.0],
            view: [0.0, 0.0, 21600.0, 21600.0],
            text: "".into(),
        };
        let outline = enhanced.outline(216.0, 216.0);
        let commands = outline.paths.into_iter().flat_map(|path| path.commands);
        assert_eq!(commands.collect::<Vec<_>>(), expected, "{path}");
    }

    #[test]
    fn path_commands_are_drawn() {
        check(
            "M 0 0 L 21600 0 21600 21600 Z N",
            &[],
            &[Move(0.0, 0.0), Line(216.0, 0.0), Line(216.0, 216.0), Close],
        );
        check(
            "M ?f1 $0 L ?f0 100",
            &[("f1", "?f0*2"), ("f0", "left+($0-1800)/2")],
            &[Move(36.0, 54.0), Line(18.0, 1.0)],
        );
        check(
            "M ?f0 0",
            &[("f0", "if(1,abs(-2160),0)+min(0,7)")],
            &[Move(21.6, 0.0)],
        );
    }

    #[test]
    fn invalid_formulas_and_commands_are_harmless() {
        check(
            "M ?f0 ?f9",
            &[("f0", "?f1+1"), ("f1", "?f0+2159")],
            &[Move(21.6, 0.0)],
        );
        check(
            "M ?f0 0",
            &[("f0", &"(".repeat(100_000))],
            &[Move(0.0, 0.0)],
        );
        check("q ; M", &[], &[]);
    }

    #[test]
    fn lines_are_not_filled() {
        let shade = |closed| {
            let outline = outline_of_points("0,0 10,0 10,10", closed, [0.0; 4], 10.0, 10.0);
            outline.paths[0].shade
        };
        assert_eq!([shade(true), shade(false)], [Some(Shade::Plain), None]);
        let outline = outline_of_svg("M0 0h5v5z", [0.0, 0.0, 10.0, 10.0], 20.0, 20.0);
        let commands = [Move(0.0, 0.0), Line(10.0, 0.0), Line(10.0, 10.0), Close];
        assert_eq!(outline.paths[0].commands, commands);
    }
}
