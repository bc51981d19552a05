//! SVG drawing made of paths and texts, in points. Does not depend on a type of chart.
//!
//! The drawing is SVG, from which this program makes paths and searchable text in a PDF.

use crate::{
    coding::escape,
    drawing::{
        Fill, Gradient, GradientPath, Line, Pattern, Rgba,
        svg::{paint, round, stops, stroke},
    },
};
use std::fmt::Write as _;

/// A drawing that is being made.
#[derive(Default)]
pub(super) struct Canvas {
    svg: String,
    /// Number of gradients so far.
    next: usize,
    /// Patterns that are already defined. Many bars may share a pattern.
    patterns: Vec<Pattern<Rgba>>,
}

/// Alignment of text at its point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Anchor {
    #[default]
    Start,
    Middle,
    End,
}

/// Font and colour of text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Type {
    /// Font size, in points.
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) colour: Rgba,
    pub(super) font: Box<str>,
}

/// A path that is being made, in the syntax of SVG.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Outline(String);

impl Outline {
    pub(super) fn move_to(&mut self, (x, y): (f64, f64)) {
        let _ = write!(self.0, "M{} {}", round(x), round(y));
    }

    pub(super) fn line_to(&mut self, (x, y): (f64, f64)) {
        let _ = write!(self.0, "L{} {}", round(x), round(y));
    }

    pub(super) fn curve_to(&mut self, points: [(f64, f64); 3]) {
        let [(a, b), (c, d), (x, y)] = points.map(|(x, y)| (round(x), round(y)));
        let _ = write!(self.0, "C{a} {b} {c} {d} {x} {y}");
    }

    /// Adds an arc of an ellipse to a point.
    pub(super) fn arc_to(
        &mut self,
        radii: (f64, f64),
        large: bool,
        clockwise: bool,
        to: (f64, f64),
    ) {
        let (large, clockwise) = (u8::from(large), u8::from(clockwise));
        let ((rx, ry), (x, y)) = ((round(radii.0), round(radii.1)), (round(to.0), round(to.1)));
        let _ = write!(self.0, "A{rx} {ry} 0 {large} {clockwise} {x} {y}");
    }

    pub(super) fn close(&mut self) {
        self.0.push('Z');
    }

    pub(super) fn rectangle(&mut self, (left, top): (f64, f64), (right, bottom): (f64, f64)) {
        let [left, top, right, bottom] = [left, top, right, bottom].map(round);
        let _ = write!(self.0, "M{left} {top}H{right}V{bottom}H{left}Z");
    }

    pub(super) fn circle(&mut self, (x, y): (f64, f64), radius: f64) {
        self.move_to((x - radius, y));
        self.arc_to((radius, radius), false, true, (x + radius, y));
        self.arc_to((radius, radius), false, true, (x - radius, y));
        self.close();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Canvas {
    pub(super) fn is_empty(&self) -> bool {
        self.svg.is_empty()
    }

    /// Returns the drawing `below`, with this drawing over it, as a file. Without `below`, this drawing becomes a file
    /// of this size in points. `None` if `below` is not an SVG file.
    pub(super) fn over(mut self, below: Option<Vec<u8>>, size: (f64, f64)) -> Option<Vec<u8>> {
        let Some(below) = below else {
            return Some(self.finish(size));
        };
        let mut file = String::from_utf8(below).ok()?;
        file.truncate(file.strip_suffix("</svg>")?.len());
        self.svg.push_str("</svg>");
        file.push_str(&self.svg);
        Some(file.into_bytes())
    }

    /// Returns the drawing as a file of this size, in points.
    pub(super) fn finish(self, (width, height): (f64, f64)) -> Vec<u8> {
        let (width, height) = (round(width), round(height));
        let file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
             width=\"{width}pt\" height=\"{height}pt\" viewBox=\"0 0 {width} {height}\">{}</svg>",
            self.svg
        );
        file.into_bytes()
    }

    /// Draws a path.
    pub(super) fn path(&mut self, outline: &Outline, fill: &Fill, line: Option<&Line>) {
        let is_open = *fill == Fill::None && line.is_none();
        if outline.is_empty() || is_open {
            return;
        }
        let fill = match fill {
            Fill::None => "fill=\"none\"".to_owned(),
            Fill::Solid(colour) => paint("fill", *colour),
            Fill::Gradient(gradient) => format!("fill=\"url(#{})\"", self.gradient(gradient)),
            // Pictures are not supported in charts; they become grey.
            Fill::Picture(_) => "fill=\"#bfbfbf\"".to_owned(),
            Fill::Pattern(pattern) => format!("fill=\"url(#{})\"", self.pattern(pattern)),
        };
        let line = line.map(stroke).unwrap_or_default();
        let _ = write!(self.svg, "<path d=\"{}\" {fill} {line}/>", outline.0);
    }

    /// Writes text. Its baseline goes through the point, and is rotated around it, clockwise in degrees.
    pub(super) fn text(
        &mut self,
        (x, y): (f64, f64),
        anchor: Anchor,
        look: &Type,
        turn: f64,
        words: &str,
    ) {
        if words.trim().is_empty() || look.colour.alpha <= 0.0 {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y) = (round(x), round(y));
        let _ = write!(
            self.svg,
            "<text xml:space=\"preserve\" x=\"{x}\" y=\"{y}\"{anchor} font-size=\"{}\" font-family=\"",
            round(look.size)
        );
        // The name is quoted, so characters that would end it are dropped.
        let quoted: String = look
            .font
            .chars()
            .filter(|c| !matches!(c, '\'' | ','))
            .collect();
        if !quoted.is_empty() {
            let _ = write!(self.svg, "&apos;{}&apos;,", escape::escaped_line(&quoted));
        }
        let _ = write!(self.svg, "sans-serif\" {}", paint("fill", look.colour));
        let traits = [
            (look.bold, " font-weight=\"bold\""),
            (look.italic, " font-style=\"italic\""),
        ];
        for (_, attribute) in traits.iter().filter(|(has, _)| *has) {
            self.svg.push_str(attribute);
        }
        if turn != 0.0 {
            let _ = write!(self.svg, " transform=\"rotate({} {x} {y})\"", round(turn));
        }
        let _ = write!(self.svg, ">{}</text>", escape::escaped_line(words));
    }

    /// Defines a pattern, unless it is defined already, and returns its identifier.
    fn pattern(&mut self, pattern: &Pattern<Rgba>) -> String {
        let known = self.patterns.iter().position(|own| own == pattern);
        let number = known.unwrap_or(self.patterns.len());
        let id = format!("p{number}");
        if known.is_none() {
            pattern.define(&mut self.svg, &id);
            self.patterns.push(pattern.clone());
        }
        id
    }

    /// Defines a gradient, relative to the bounding box of the object that it fills, and returns its identifier.
    fn gradient(&mut self, gradient: &Gradient<Rgba>) -> String {
        self.next += 1;
        let id = format!("g{}", self.next);
        let end = match gradient.path {
            GradientPath::Line(angle) => {
                let (sin, cos) = angle.to_radians().sin_cos();
                let _ = write!(
                    self.svg,
                    "<linearGradient id=\"{id}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\">",
                    round(0.5 - cos / 2.0),
                    round(0.5 - sin / 2.0),
                    round(0.5 + cos / 2.0),
                    round(0.5 + sin / 2.0),
                );
                "</linearGradient>"
            }
            GradientPath::Point(x, y) => {
                let _ = write!(
                    self.svg,
                    "<radialGradient id=\"{id}\" cx=\"{}\" cy=\"{}\" r=\"0.7\">",
                    round(x),
                    round(y)
                );
                "</radialGradient>"
            }
        };
        stops(&mut self.svg, gradient.stops.iter().copied());
        self.svg.push_str(end);
        id
    }
}
