//! Draws shapes, lines and pictures as SVG. Sets no text, except WordArt.
//!
//! A drawing is SVG, from which this program makes paths in a PDF instead of pixels. The size of a drawing is in
//! points; the places of shapes on it are in English Metric Units (EMU), from its upper left corner.

use super::{
    Arrow, Command, Crop, Fill, Gradient, GradientPath, Line, Path, Place, Rgba, Shade,
    svg::{paint, round, stops, stroke},
};
use crate::coding::escape;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use convertd_tree::{POINT, media};
use std::fmt::Write as _;

/// A drawing that is being made.
pub struct Art {
    /// Width and height, in points.
    size: (f64, f64),
    svg: String,
    /// Number of gradients and clip paths so far.
    next: usize,
}

/// Picture in a drawing.
pub struct Shown<'p> {
    pub bytes: &'p [u8],
    /// Media type.
    pub kind: &'p str,
    /// Parts that are cropped off.
    pub crop: Crop,
    /// Opacity from 0 to 1.
    pub alpha: f32,
}

impl<'p> Shown<'p> {
    /// Creates a picture from a file, whose type is recognised by its first bytes. `None` if the type is unknown.
    pub fn of(bytes: &'p [u8], crop: Crop, alpha: f32) -> Option<Self> {
        Some(Self {
            bytes,
            kind: media::sniff(bytes)?,
            crop,
            alpha,
        })
    }
}

impl Art {
    /// Creates an empty drawing of this size in points.
    pub fn new(size: (f64, f64)) -> Self {
        Self {
            size,
            svg: String::new(),
            next: 0,
        }
    }

    /// Returns the drawing as a file, and begins a new drawing. `None` if it is empty.
    pub fn take(&mut self) -> Option<Vec<u8>> {
        (!self.svg.is_empty()).then(|| self.file((0.0, 0.0), self.size))
    }

    /// Returns the part of the drawing in this rectangle (corner and size, in points) as a file, and begins a new
    /// drawing.
    pub(super) fn file(&mut self, (x, y): (f64, f64), (width, height): (f64, f64)) -> Vec<u8> {
        let content = std::mem::take(&mut self.svg);
        let [x, y, width, height] = [x, y, width, height].map(round);
        let file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
             width=\"{width}pt\" height=\"{height}pt\" viewBox=\"{x} {y} {width} {height}\">{content}</svg>"
        );
        self.next = 0;
        file.into_bytes()
    }

    /// Length of the SVG source so far, in bytes.
    #[allow(clippy::len_without_is_empty)] // No caller needs `is_empty`.
    pub fn len(&self) -> usize {
        self.svg.len()
    }

    /// Draws paths, whose coordinates are in EMU relative to the corner of their place. `picture` is the fill, if it is
    /// a picture.
    pub fn paths(
        &mut self,
        place: &Place,
        paths: &[Path],
        fill: &Fill,
        line: Option<&Line>,
        picture: Option<Shown<'_>>,
    ) {
        let (width, height) = (place.width / POINT, place.height / POINT);
        self.open(place);
        if let Some(picture) = picture {
            let clip = self.clip(paths);
            self.image(&picture, (width, height), Some(clip));
        }
        for path in paths {
            let shape = data(path);
            if shape.is_empty() {
                continue;
            }
            // A path of the shape may be lighter or darker than the fill, or have no fill at all.
            let paint = match (path.shade, fill) {
                (None, _) | (_, Fill::None | Fill::Picture(_)) => "fill=\"none\"".to_owned(),
                (Some(shade), Fill::Solid(colour)) => paint("fill", shaded(*colour, shade)),
                (Some(shade), Fill::Gradient(gradient)) => {
                    let id = self.gradient(gradient, shade, (width, height));
                    format!("fill=\"url(#{id})\"")
                }
                (Some(shade), Fill::Pattern(pattern)) => {
                    let id = self.id();
                    let pattern = pattern.map(|colour| shaded(*colour, shade));
                    pattern.define(&mut self.svg, &id);
                    format!("fill=\"url(#{id})\"")
                }
            };
            let stroke = line
                .filter(|_| path.stroked)
                .map(stroke)
                .unwrap_or_default();
            let _ = write!(self.svg, "<path d=\"{shape}\" {paint} {stroke}/>");
            if let Some(line) = line.filter(|_| path.stroked) {
                self.ends(path, line);
            }
        }
        self.svg.push_str("</g>");
    }

    /// Draws a picture.
    pub fn picture(&mut self, place: &Place, picture: &Shown<'_>) {
        self.open(place);
        let size = (place.width / POINT, place.height / POINT);
        let clip = (picture.crop != Crop::default()).then(|| {
            let id = self.id();
            let _ = write!(
                self.svg,
                "<clipPath id=\"{id}\"><path d=\"M0 0H{}V{}H0Z\"/></clipPath>",
                size.0, size.1
            );
            id
        });
        self.image(picture, size, clip);
        self.svg.push_str("</g>");
    }

    /// Draws a line of text that is stretched to fill its place (WordArt).
    pub fn words(&mut self, place: &Place, words: &str, colour: Rgba) {
        /// Font size before stretching.
        const SIZE: f64 = 100.0;
        /// Height of the line.
        const HEIGHT: f64 = 1.17 * SIZE;
        /// Height of the part above the baseline.
        const ABOVE: f64 = 0.93 * SIZE;
        // Approximate widths of sans-serif letters, as shares of the font size.
        let wide = |c: char| match c {
            ' ' | 'I' | 'i' | 'j' | 'l' | '.' | ',' => 0.28,
            'm' | 'w' | 'M' | 'W' => 0.85,
            _ if c.is_uppercase() => 0.69,
            _ if c.is_ascii() => 0.55,
            _ => 0.8,
        };
        let width = words.chars().map(wide).sum::<f64>().max(0.1) * SIZE;
        self.open(place);
        let paint = paint("fill", colour);
        let _ = write!(
            self.svg,
            "<g transform=\"scale({} {})\"><text x=\"0\" y=\"{ABOVE}\" font-family=\"Arial, sans-serif\" \
             font-size=\"{SIZE}\" {paint}>",
            round(place.width / POINT / width),
            round(place.height / POINT / HEIGHT),
        );
        let words: String = words.chars().take(1000).collect();
        escape::text(&words.replace(char::is_control, " "), &mut self.svg);
        self.svg.push_str("</text></g></g>");
    }

    /// Opens the SVG group of a shape. Its origin is the corner of the shape; rotation and flips are around the centre.
    fn open(&mut self, place: &Place) {
        let (x, y) = (place.x / POINT, place.y / POINT);
        let (width, height) = (place.width / POINT, place.height / POINT);
        let (x, y) = (round(x), round(y));
        if place.turn == 0.0 && place.flips == (false, false) {
            let _ = write!(self.svg, "<g transform=\"translate({x} {y})\">");
            return;
        }
        let sign = |flipped: bool| if flipped { -1 } else { 1 };
        let (half_width, half_height) = (round(width / 2.0), round(height / 2.0));
        let _ = write!(
            self.svg,
            "<g transform=\"translate({} {}) rotate({}) scale({} {}) translate({} {})\">",
            round(x + width / 2.0),
            round(y + height / 2.0),
            round(place.turn),
            sign(place.flips.0),
            sign(place.flips.1),
            -half_width,
            -half_height,
        );
    }

    /// Draws a picture that may be cropped: the whole picture is scaled so that its visible part fills the rectangle,
    /// and a clip path hides the rest.
    fn image(&mut self, picture: &Shown<'_>, (width, height): (f64, f64), clip: Option<String>) {
        let kind = picture.kind;
        let crop = picture.crop;
        let shown = (
            (1.0 - crop.left - crop.right).max(0.001),
            (1.0 - crop.top - crop.bottom).max(0.001),
        );
        let (whole_width, whole_height) = (width / shown.0, height / shown.1);
        let clip = clip
            .map(|id| format!("clip-path=\"url(#{id})\""))
            .unwrap_or_default();
        let _ = write!(
            self.svg,
            "<g {clip} opacity=\"{}\"><image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             xlink:href=\"data:{kind};base64,",
            picture.alpha,
            round(-crop.left * whole_width),
            round(-crop.top * whole_height),
            round(whole_width),
            round(whole_height),
        );
        BASE64_STANDARD.encode_string(picture.bytes, &mut self.svg);
        self.svg.push_str("\"/></g>");
    }

    /// Returns a new identifier.
    fn id(&mut self) -> String {
        self.next += 1;
        format!("i{}", self.next)
    }

    /// Defines a clip path of all filled paths, and returns its identifier.
    fn clip(&mut self, paths: &[Path]) -> String {
        let id = self.id();
        let _ = write!(self.svg, "<clipPath id=\"{id}\">");
        for path in paths.iter().filter(|path| path.shade.is_some()) {
            let _ = write!(self.svg, "<path d=\"{}\"/>", data(path));
        }
        self.svg.push_str("</clipPath>");
        id
    }

    /// Defines a gradient for a shape of this size, and returns its identifier. A linear gradient is as long as the
    /// projection of the shape on its direction, so that its end colours meet the corners.
    fn gradient(
        &mut self,
        gradient: &Gradient<Rgba>,
        shade: Shade,
        (width, height): (f64, f64),
    ) -> String {
        let id = self.id();
        let end = match gradient.path {
            GradientPath::Line(angle) => {
                let (sin, cos) = angle.to_radians().sin_cos();
                let half = (width * cos.abs() + height * sin.abs()) / 2.0;
                let (x, y) = (width / 2.0, height / 2.0);
                let _ = write!(
                    self.svg,
                    "<linearGradient id=\"{id}\" gradientUnits=\"userSpaceOnUse\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\">",
                    round(x - half * cos),
                    round(y - half * sin),
                    round(x + half * cos),
                    round(y + half * sin),
                );
                "</linearGradient>"
            }
            GradientPath::Point(x, y) => {
                let (x, y) = (x * width, y * height);
                // The circle reaches the farthest corner.
                let reach = x.max(width - x).hypot(y.max(height - y));
                let _ = write!(
                    self.svg,
                    "<radialGradient id=\"{id}\" gradientUnits=\"userSpaceOnUse\" cx=\"{}\" cy=\"{}\" r=\"{}\">",
                    round(x),
                    round(y),
                    round(reach.max(0.01)),
                );
                "</radialGradient>"
            }
        };
        let colours = gradient.stops.iter();
        stops(
            &mut self.svg,
            colours.map(|(at, colour)| (*at, shaded(*colour, shade))),
        );
        self.svg.push_str(end);
        id
    }

    /// Draws the arrowheads of a path. Only open paths have them.
    fn ends(&mut self, path: &Path, line: &Line) {
        if line.ends == [Arrow::None; 2] || path.commands.contains(&Command::Close) {
            return;
        }
        let (Some(first), Some(last)) = (
            direction(&path.commands, false),
            direction(&path.commands, true),
        ) else {
            return;
        };
        for (arrow, (x, y, dx, dy)) in line.ends.into_iter().zip([first, last]) {
            let length = dx.hypot(dy);
            if arrow == Arrow::None || length <= 0.0 {
                continue;
            }
            // An arrowhead is three times as long and wide as the line is wide. Lines thinner than a point count as one
            // point wide.
            let unit = (line.width as f64 / POINT).max(1.0) * 3.0;
            let (dx, dy) = (dx / length * unit, dy / length * unit);
            // Offsets from the tip of the arrow: backwards along the line, and across it.
            let at = |back: f64, across: f64| {
                (
                    round(x - dx * back - dy * across),
                    round(y - dy * back + dx * across),
                )
            };
            let points: &[(f64, f64)] = match arrow {
                Arrow::None => &[],
                Arrow::Triangle => &[(0.0, 0.0), (1.0, 0.5), (1.0, -0.5)],
                Arrow::Stealth => &[(0.0, 0.0), (1.0, 0.5), (0.7, 0.0), (1.0, -0.5)],
                Arrow::Diamond => &[(-0.5, 0.0), (0.0, 0.5), (0.5, 0.0), (0.0, -0.5)],
                Arrow::Open => &[(1.0, 0.5), (0.0, 0.0), (1.0, -0.5)],
                Arrow::Oval => {
                    let paint = paint("fill", line.colour);
                    let (x, y, radius) = (round(x), round(y), round(unit / 2.0));
                    let _ = write!(
                        self.svg,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>"
                    );
                    continue;
                }
            };
            let points: Vec<String> = points
                .iter()
                .map(|(back, across)| at(*back, *across))
                .map(|(x, y)| format!("{x},{y}"))
                .collect();
            let points = points.join(" ");
            let _ = match arrow {
                Arrow::Open => {
                    let solid = Line {
                        dashes: &[],
                        ..line.clone()
                    };
                    let stroke = stroke(&solid);
                    write!(
                        self.svg,
                        "<polyline points=\"{points}\" fill=\"none\" {stroke}/>"
                    )
                }
                _ => {
                    let paint = paint("fill", line.colour);
                    write!(self.svg, "<polygon points=\"{points}\" {paint}/>")
                }
            };
        }
    }
}

/// Returns the position of the first or last point of a path, and the outward direction there, both in typographic
/// points.
fn direction(commands: &[Command], at_end: bool) -> Option<(f64, f64, f64, f64)> {
    let mut points = Vec::new();
    for command in commands {
        match *command {
            Command::Move(x, y) | Command::Line(x, y) => points.push((x, y)),
            Command::Curve([a, b, c, d, x, y]) => points.extend([(a, b), (c, d), (x, y)]),
            Command::Close => {}
        }
    }
    if at_end {
        points.reverse();
    }
    let (x, y) = *points.first()?;
    let other = points.iter().find(|point| **point != (x, y))?;
    let [x, y, from_x, from_y] = [x, y, other.0, other.1].map(|at| at / POINT);
    Some((x, y, x - from_x, y - from_y))
}

/// Path data in the syntax of SVG, in points.
fn data(path: &Path) -> String {
    let mut data = String::new();
    let point = |x: f64, y: f64| (round(x / POINT), round(y / POINT));
    for command in &path.commands {
        let _ = match *command {
            Command::Move(x, y) => {
                let (x, y) = point(x, y);
                write!(data, "M{x} {y}")
            }
            Command::Line(x, y) => {
                let (x, y) = point(x, y);
                write!(data, "L{x} {y}")
            }
            Command::Curve([a, b, c, d, x, y]) => {
                let ((a, b), (c, d), (x, y)) = (point(a, b), point(c, d), point(x, y));
                write!(data, "C{a} {b} {c} {d} {x} {y}")
            }
            Command::Close => write!(data, "Z"),
        };
    }
    data
}

/// Makes a colour lighter or darker.
fn shaded(colour: Rgba, shade: Shade) -> Rgba {
    let mix = |to: f64, share: f64| Rgba {
        rgb: colour
            .rgb
            .map(|part| (f64::from(part) * (1.0 - share) + to * share).round() as u8),
        ..colour
    };
    match shade {
        Shade::Plain => colour,
        Shade::Lighter(share) => mix(255.0, share),
        Shade::Darker(share) => mix(0.0, share),
    }
}
