//! Writes the SVG of a metafile. Limits its length, and opens and closes groups for clips. Reads no records.

use super::objects::Rgb;
use std::fmt::Write as _;

/// Largest length of the SVG in bytes.
const MAX_LEN: usize = 7 << 20;

/// Largest number of elements. Each becomes an object in the tree of the SVG renderer.
const MAX_ELEMENTS: usize = 150_000;

/// An affine transform: the numbers a to f of `matrix` in SVG.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// The transform that applies `self` first, and then `other`.
    pub(super) fn then(self, other: Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [g, h, i, j, k, l] = other.0;
        Self([
            a * g + b * i,
            a * h + b * j,
            c * g + d * i,
            c * h + d * j,
            e * g + f * i + k,
            e * h + f * j + l,
        ])
    }

    /// Transforms a point.
    pub(super) fn apply(self, (x, y): (f64, f64)) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// Mean factor by which lengths are scaled.
    pub(super) fn scale(self) -> f64 {
        let [a, b, c, d, ..] = self.0;
        (a * d - b * c).abs().sqrt()
    }

    /// The attribute `transform` for this transform.
    pub(super) fn attribute(self) -> String {
        let [a, b, c, d, e, f] = self.0.map(round);
        format!(" transform=\"matrix({a} {b} {c} {d} {e} {f})\"")
    }
}

/// An SVG drawing under construction.
pub(super) struct Page {
    svg: String,
    elements: usize,
    /// Number of the latest definition.
    next: usize,
    /// Number of the clip whose group is open.
    open: Option<usize>,
    /// Bounding box of everything that has been drawn: left, top, right, bottom.
    pub(super) inked: Option<[f64; 4]>,
    /// Whether something has been left out.
    pub(super) cut: bool,
}

impl Page {
    pub(super) fn new() -> Self {
        Self {
            svg: String::new(),
            elements: 0,
            next: 0,
            open: None,
            inked: None,
            cut: false,
        }
    }

    /// Returns whether another element of `len` bytes fits. If not, marks the drawing as incomplete.
    pub(super) fn has_room(&mut self, len: usize) -> bool {
        let has = self.elements < MAX_ELEMENTS && self.svg.len().saturating_add(len) < MAX_LEN;
        self.cut |= !has;
        has
    }

    /// Adds an element that is clipped to `clip`. Elements with the same clip share a group.
    pub(super) fn add(&mut self, clip: Option<usize>, element: &str) {
        if !self.has_room(element.len()) {
            return;
        }
        self.elements += 1;
        if self.open != clip {
            self.close();
            if let Some(clip) = clip {
                let _ = write!(self.svg, "<g clip-path=\"url(#c{clip})\">");
            }
            self.open = clip;
        }
        self.svg.push_str(element);
    }

    /// Adds a definition, such as a pattern, unless it would exceed the limits. Returns its number, which `make`
    /// receives, too.
    pub(super) fn define(&mut self, make: impl FnOnce(usize) -> String) -> usize {
        self.close();
        self.next += 1;
        let definition = make(self.next);
        if self.has_room(definition.len()) {
            self.elements += 1;
            self.svg.push_str(&definition);
        }
        self.next
    }

    /// Defines a clip path, intersected with `outer`, and returns its number.
    pub(super) fn clip(&mut self, outer: Option<usize>, data: &str, even_odd: bool) -> usize {
        let rule = if even_odd {
            " clip-rule=\"evenodd\""
        } else {
            ""
        };
        let outer = outer
            .map(|outer| format!(" clip-path=\"url(#c{outer})\""))
            .unwrap_or_default();
        self.define(|id| {
            format!("<clipPath id=\"c{id}\"{outer}><path d=\"{data}\"{rule}/></clipPath>")
        })
    }

    /// Extends the bounding box to a point.
    pub(super) fn ink(&mut self, (x, y): (f64, f64)) {
        if !x.is_finite() || !y.is_finite() {
            return;
        }
        let [left, top, right, bottom] = self.inked.unwrap_or([x, y, x, y]);
        self.inked = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }

    /// Closes the group of the current clip.
    fn close(&mut self) {
        if self.open.take().is_some() {
            self.svg.push_str("</g>");
        }
    }

    /// Completes the SVG file. `view` is the displayed rectangle of the device, and `size` its size in points. `None`
    /// if nothing has been drawn, or the size is impossible.
    pub(super) fn finish(mut self, view: [f64; 4], size: (f64, f64)) -> Option<Vec<u8>> {
        self.close();
        let [left, top, right, bottom] = view;
        let (width, height) = (right - left, bottom - top);
        let sound = |side: f64| side.is_finite() && side > 0.0;
        if self.elements == 0 || ![width, height, size.0, size.1].into_iter().all(sound) {
            return None;
        }
        // Coordinates are scaled to 1,000, because the renderer loses precision with larger ones. The size is limited
        // to 14,400 points (5 metres).
        let scale = 1000.0 / width.max(height);
        let [left, top, width, height] = [left, top, width, height].map(|at| round(at * scale));
        let [across, down] = [size.0, size.1].map(|side| round(side.clamp(0.75, 14_400.0)));
        let file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{across}pt\" \
             height=\"{down}pt\" viewBox=\"{left} {top} {width} {height}\" preserveAspectRatio=\"none\">\
             <g transform=\"scale({})\">{}</g></svg>",
            scale, self.svg
        );
        Some(file.into_bytes())
    }
}

/// A colour in SVG notation.
pub(super) fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Rounds to thousandths, and limits a number to the range of a drawing.
pub(super) fn round(number: f64) -> f64 {
    let number = if number.is_finite() { number } else { 0.0 };
    (number.clamp(-1e7, 1e7) * 1000.0).round() / 1000.0
}
