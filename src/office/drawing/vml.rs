//! Outlines of VML (ECMA-376 part 4, 19.1.2.19 and 14.2.1.13 of its annex): paths that consist of commands (letters)
//! and numbers (which may be results of formulas). The paths are converted to the same commands as outlines of
//! DrawingML. Reads no elements.

use super::{Command, Path, pen::Pen};

/// Max. number of formulas. Shapes of Office have up to 130.
const MAX_FORMULAS: usize = 1024;
/// Max. number of commands of an outline. A path may exceed it, because the limit is checked before each command of the
/// file, which may have any number of operands.
const MAX_STEPS: usize = 100_000;

/// Number of angle units in a degree.
const DEGREE: f64 = 65_536.0;

/// Outline of a shape, as stated in the file.
#[derive(Clone, Debug, Default)]
pub struct VmlOutline {
    /// Commands and numbers.
    pub path: Box<str>,
    /// Formulas, in the order in which they are computed.
    pub formulas: Vec<Box<str>>,
    /// Adjustable values. `None` for those that the file does not state.
    pub adjusts: Vec<Option<f64>>,
    /// Origin of the shape's coordinates.
    pub origin: (f64, f64),
    /// Extent of the shape's coordinates.
    pub extent: (f64, f64),
}

impl VmlOutline {
    /// Computes the paths in a rectangle of this size.
    pub fn paths(&self, width: f64, height: f64) -> Vec<Path> {
        let values = self.values();
        let scale = |own: f64, whole: f64| if own == 0.0 { 0.0 } else { whole / own };
        let scale = (scale(self.extent.0, width), scale(self.extent.1, height));
        let mut pen = Pen::new(self.origin, scale);
        let mut tokens = Tokens {
            rest: &self.path,
            values: &values,
        };
        pen.draw(&mut tokens);
        pen.end();
        pen.paths
    }

    /// Computes the values of the formulas.
    fn values(&self) -> Vec<f64> {
        let mut values = Vec::new();
        for formula in self.formulas.iter().take(MAX_FORMULAS) {
            let mut words = formula.split_whitespace();
            let operator = words.next().unwrap_or_default();
            let mut next = || self.operand(words.next().unwrap_or("0"), &values);
            let (a, b, c) = (next(), next(), next());
            let value = apply(operator, a, b, c);
            values.push(if value.is_finite() { value } else { 0.0 });
        }
        values
    }

    /// Returns the value of an operand: a number, an adjustable value (`#n`), the result of an earlier formula (`@n`),
    /// or a name.
    fn operand(&self, word: &str, values: &[f64]) -> f64 {
        let nth = |digits: &str| digits.parse::<usize>().ok();
        if let Some(digits) = word.strip_prefix('#') {
            let value = nth(digits).and_then(|nth| self.adjusts.get(nth).copied().flatten());
            return value.unwrap_or(0.0);
        }
        if let Some(digits) = word.strip_prefix('@') {
            let value = nth(digits).and_then(|nth| values.get(nth));
            return value.copied().unwrap_or(0.0);
        }
        match word {
            "width" | "xrange" => self.extent.0,
            "height" | "yrange" => self.extent.1,
            "xcenter" => self.origin.0 + self.extent.0 / 2.0,
            "ycenter" => self.origin.1 + self.extent.1 / 2.0,
            "xlimo" | "ylimo" => 0.0,
            "lineDrawn" | "linedrawn" => 1.0,
            _ => word.parse().unwrap_or(0.0),
        }
    }
}

/// Applies the operator of a formula. Angles are in 65536ths of a degree, except for `b` and `c` of `sumangle`, which
/// are in degrees.
fn apply(operator: &str, a: f64, b: f64, c: f64) -> f64 {
    let radians = |angle: f64| (angle / DEGREE).to_radians();
    let angle = |radians: f64| radians.to_degrees() * DEGREE;
    match operator {
        "val" => a,
        "sum" => a + b - c,
        "prod" | "product" => a * b / if c == 0.0 { 1.0 } else { c },
        "mid" => (a + b) / 2.0,
        "abs" => a.abs(),
        "min" => a.min(b),
        "max" => a.max(b),
        "if" if a > 0.0 => b,
        "if" => c,
        "mod" => (a * a + b * b + c * c).sqrt(),
        "atan2" => angle(b.atan2(a)),
        "sin" => a * radians(b).sin(),
        "cos" => a * radians(b).cos(),
        "tan" => a * radians(b).tan(),
        "cosatan2" => a * c.atan2(b).cos(),
        "sinatan2" => a * c.atan2(b).sin(),
        "sqrt" => a.max(0.0).sqrt(),
        "sumangle" => a + b * DEGREE - c * DEGREE,
        "ellipse" => c * (1.0 - (a / b) * (a / b)).max(0.0).sqrt(),
        _ => 0.0,
    }
}

/// Commands and numbers of a path.
struct Tokens<'t> {
    /// Part of the path that is not read yet.
    rest: &'t str,
    /// Results of formulas.
    values: &'t [f64],
}

impl Tokens<'_> {
    /// Returns the next command. It is empty if a number follows, which is skipped.
    fn command(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start_matches([' ', ',', '\n', '\r', '\t']);
        let first = self.rest.chars().next()?;
        if !first.is_ascii_alphabetic() {
            // Numbers without a command are skipped.
            self.number();
            return Some(String::new());
        }
        // Commands of two letters. Each other letter is a command of its own.
        let two = [
            "nf", "ns", "ae", "al", "at", "ar", "wa", "wr", "qx", "qy", "qb",
        ];
        let len = two
            .iter()
            .find(|two| self.rest.starts_with(**two))
            .map_or(1, |two| two.len());
        let (command, rest) = self.rest.split_at(len);
        self.rest = rest;
        Some(command.to_owned())
    }

    /// Returns the next number. A missing number before a comma is 0. `None` if no number follows.
    fn number(&mut self) -> Option<f64> {
        let rest = self.rest.trim_start();
        if let Some(rest) = rest.strip_prefix(',') {
            self.rest = rest;
            return Some(0.0);
        }
        let formula = rest.strip_prefix('@');
        let body = formula.unwrap_or(rest);
        let sign = usize::from(body.starts_with(['-', '+']));
        let len = body[sign..]
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(body.len() - sign);
        if len == 0 {
            // Skip one unknown character.
            if rest
                .chars()
                .next()
                .is_some_and(|c| !c.is_ascii_alphabetic())
            {
                let mut chars = rest.chars();
                chars.next();
                self.rest = chars.as_str();
            }
            return None;
        }
        let (digits, after) = body.split_at(sign + len);
        let after = after.trim_start();
        self.rest = after.strip_prefix(',').unwrap_or(after);
        let number: f64 = digits.parse().unwrap_or(0.0);
        Some(match formula {
            Some(_) => self.values.get(number as usize).copied().unwrap_or(0.0),
            None => number,
        })
    }

    /// Returns the next `N` numbers. `None` if no number follows. Missing numbers at the end are 0.
    fn numbers<const N: usize>(&mut self) -> Option<[f64; N]> {
        let rest = self.rest.trim_start();
        if rest.starts_with(|c: char| c.is_ascii_alphabetic()) || rest.is_empty() {
            return None;
        }
        let mut all = [0.0; N];
        for (at, slot) in all.iter_mut().enumerate() {
            match self.number() {
                Some(number) => *slot = number,
                None if at == 0 => return None,
                None => break,
            }
        }
        Some(all)
    }
}

impl Pen {
    /// Draws a path. Commands apply to all numbers that follow, but `m` and `t` only to the first two. `t`, `r` and `v`
    /// are relative to the current position.
    fn draw(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(command) = tokens.command() {
            if self.steps > MAX_STEPS {
                return;
            }
            match command.as_str() {
                "m" | "t" => {
                    if let Some([x, y]) = tokens.numbers() {
                        self.at = match command == "t" {
                            true => (self.at.0 + x, self.at.1 + y),
                            false => (x, y),
                        };
                        let (x, y) = self.point(self.at);
                        self.push(Command::Move(x, y));
                    }
                }
                "l" | "r" => {
                    while let Some([x, y]) = tokens.numbers() {
                        let to = match command == "r" {
                            true => (self.at.0 + x, self.at.1 + y),
                            false => (x, y),
                        };
                        self.line(to);
                    }
                }
                "c" | "v" => {
                    while let Some(numbers) = tokens.numbers::<6>() {
                        let [a, b, c, d, x, y] = numbers;
                        let (dx, dy) = if command == "v" { self.at } else { (0.0, 0.0) };
                        self.curve((a + dx, b + dy), (c + dx, d + dy), (x + dx, y + dy));
                    }
                }
                // `x` closes the path. `e` ends it and begins another path.
                "x" => self.push(Command::Close),
                "e" => self.end(),
                // No fill, or no line.
                "nf" => self.current.shade = None,
                "ns" => self.current.stroked = false,
                // Arcs of an ellipse around a point, by their angles. A positive start angle is clockwise, and a
                // positive sweep is counterclockwise. `al` begins a new subpath.
                "ae" | "al" => {
                    while let Some([x, y, width, height, start, sweep]) = tokens.numbers() {
                        let begin = (start / DEGREE).to_radians();
                        self.arc(
                            (x, y),
                            (width, height),
                            begin,
                            -(sweep / DEGREE).to_radians(),
                            command == "al",
                        );
                    }
                }
                // Arcs of the ellipse in a rectangle, by two points: a leading `w` means clockwise, a trailing `r`
                // begins a new subpath.
                "at" | "ar" | "wa" | "wr" => {
                    while let Some(numbers) = tokens.numbers::<8>() {
                        self.bounded_arc(numbers, command.starts_with('w'), command.ends_with('r'));
                    }
                }
                // Quarters of ellipses, alternately starting horizontally and vertically.
                "qx" | "qy" => {
                    let mut across = command == "qx";
                    while let Some([x, y]) = tokens.numbers() {
                        self.quarter((x, y), across);
                        across = !across;
                    }
                }
                "qb" => {
                    while let Some([a, b, x, y]) = tokens.numbers() {
                        self.quadratic((a, b), (x, y));
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, formulas: &[&str], expected: &[Command]) {
        let outline = VmlOutline {
            path: path.into(),
            formulas: formulas.iter().map(|formula| (*formula).into()).collect(),
            adjusts: vec![Some(5400.0)],
            origin: (0.0, 0.0),
            extent: (21600.0, 21600.0),
        };
        let paths = outline.paths(216.0, 216.0);
        let commands: Vec<Command> = paths.into_iter().flat_map(|path| path.commands).collect();
        assert_eq!(commands, expected, "{path}");
    }

    #[test]
    fn path_commands_are_drawn() {
        use Command::{Close, Line, Move};
        check(
            "m,l,21600r21600,l21600,xe",
            &[],
            &[
                Move(0.0, 0.0),
                Line(0.0, 216.0),
                Line(216.0, 216.0),
                Line(216.0, 0.0),
                Close,
            ],
        );
        check(
            "m@0,0l@1,100xe",
            &["val #0", "sum width 0 #0"],
            &[Move(54.0, 0.0), Line(162.0, 1.0), Close],
        );
        // Formulas refer only to formulas before them.
        check("m@0,@1e", &["val @1", "val 2160"], &[Move(0.0, 21.6)]);
        check("m l q ; @99999999999 -", &[], &[]);
    }
}
