//! Writes fills, lines and outlines of shapes (OpenDocument 1.3, part 3, 19.145 and 20.110 to 20.180).

use super::{PATTERNS, frames::Writing, length};
use crate::{containers::xml::Writer, deck::Place};
use convertd_office::drawing::{
    Arrow, Command, Fill, Gradient, GradientPath, Line, Outline, Path, Rgba,
};
use std::fmt::Write as _;

/// Returns a share as a percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

impl Writing<'_, '_> {
    /// Writes the attributes of a fill.
    pub(super) fn fill(&mut self, xml: &mut Writer, fill: &Fill) {
        match fill {
            Fill::None => _ = xml.attribute("draw:fill", "none"),
            Fill::Solid(colour) => solid(xml, *colour),
            // OpenDocument has no pixel patterns, so the average colour of the pattern is written.
            Fill::Pattern(pattern) => {
                self.losses.add(&PATTERNS);
                solid(xml, pattern.mean());
            }
            Fill::Gradient(gradient) => {
                let name =
                    self.styles
                        .common("Gradient", "draw:gradient", self::gradient(gradient));
                xml.attribute("draw:fill", "gradient")
                    .attribute("draw:fill-gradient-name", name);
                let alpha = gradient.stops.iter().map(|(_, stop)| stop.alpha);
                let alpha = alpha.fold(0.0_f32, f32::max);
                if alpha < 1.0 {
                    xml.attribute("draw:opacity", percent(alpha.into()));
                }
            }
            Fill::Picture(picture) => {
                let Some(address) = self.picture(&picture.id) else {
                    xml.attribute("draw:fill", "none");
                    return;
                };
                let attributes = format!(
                    "xlink:href=\"{address}\" xlink:type=\"simple\" xlink:show=\"embed\" xlink:actuate=\"onLoad\""
                );
                let name = self.styles.common("Bitmap", "draw:fill-image", attributes);
                let repeat = if picture.tiled { "repeat" } else { "stretch" };
                xml.attribute("draw:fill", "bitmap")
                    .attribute("draw:fill-image-name", name)
                    .attribute("style:repeat", repeat);
                if picture.alpha < 1.0 {
                    xml.attribute("draw:opacity", percent(picture.alpha.into()));
                }
            }
        }
    }

    /// Writes the attributes of a line.
    pub(super) fn line(&mut self, xml: &mut Writer, line: Option<&Line>) {
        let Some(line) = line.filter(|line| line.colour.alpha > 0.0) else {
            xml.attribute("draw:stroke", "none");
            return;
        };
        match line.dashes {
            [] => _ = xml.attribute("draw:stroke", "solid"),
            dashes => {
                let name = self
                    .styles
                    .common("Dash", "draw:stroke-dash", self::dashes(dashes));
                xml.attribute("draw:stroke", "dash")
                    .attribute("draw:stroke-dash", name);
            }
        }
        xml.attribute("svg:stroke-width", length(line.width as f64))
            .attribute("svg:stroke-color", line.colour.hex());
        if line.colour.alpha < 1.0 {
            xml.attribute("svg:stroke-opacity", percent(line.colour.alpha.into()));
        }
        if line.round {
            xml.attribute("svg:stroke-linecap", "round");
        }
        // Markers are three times as wide as the line, as in PowerPoint.
        let width = length((3 * line.width).max(60_000) as f64);
        for (end, side) in line.ends.into_iter().zip(["start", "end"]) {
            let Some((name, shape)) = marker(end) else {
                continue;
            };
            let name = self.styles.common(name, "draw:marker", shape.to_owned());
            xml.attribute(&format!("draw:marker-{side}"), name)
                .attribute(&format!("draw:marker-{side}-width"), &width);
        }
    }
}

/// Writes the attributes of a fill of one colour.
fn solid(xml: &mut Writer, colour: Rgba) {
    if colour.alpha <= 0.0 {
        xml.attribute("draw:fill", "none");
        return;
    }
    xml.attribute("draw:fill", "solid")
        .attribute("draw:fill-color", colour.hex());
    if colour.alpha < 1.0 {
        xml.attribute("draw:opacity", percent(colour.alpha.into()));
    }
}

/// Returns the attributes of a gradient. The format has only two colours, those of the first and the last stop. A
/// gradient along a line is axial if these two colours are equal and other stops lie between them; an axial gradient
/// begins in the middle. A gradient around a point begins outside.
fn gradient(gradient: &Gradient<Rgba>) -> String {
    let stop = |at: usize| {
        gradient
            .stops
            .get(at)
            .map_or(Rgba::BLACK, |(_, stop)| *stop)
    };
    let last = gradient.stops.len().saturating_sub(1);
    let (first, end) = (stop(0), stop(last));
    let is_axial = last >= 2 && first == end;
    let (start, end) = match gradient.path {
        // In the deck, the first stop of such a gradient is at the point.
        GradientPath::Point(..) => (end, first),
        GradientPath::Line(_) if is_axial => (stop(last / 2), first),
        GradientPath::Line(_) => (first, end),
    };
    let colours = format!(
        "draw:start-color=\"{}\" draw:end-color=\"{}\" draw:start-intensity=\"100%\" draw:end-intensity=\"100%\" \
         draw:border=\"0%\"",
        start.hex(),
        end.hex()
    );
    match gradient.path {
        GradientPath::Line(degrees) => {
            let style = if is_axial { "axial" } else { "linear" };
            // Angles are in tenths of a degree, counterclockwise; 0 points down.
            let angle = ((90.0 - degrees).rem_euclid(360.0) * 10.0).round();
            format!("draw:style=\"{style}\" {colours} draw:angle=\"{angle}\"")
        }
        GradientPath::Point(x, y) => format!(
            "draw:style=\"rectangular\" draw:cx=\"{}\" draw:cy=\"{}\" {colours}",
            percent(x),
            percent(y)
        ),
    }
}

/// Returns the attributes of dashes, whose lengths are relative to the width of the line. The format has two kinds of
/// dashes, but only one length of gaps.
fn dashes(dashes: &[f32]) -> String {
    let length = |at: usize| dashes.get(at).map(|length| percent((*length).into()));
    let mut attributes = "draw:style=\"rect\" draw:dots1=\"1\"".to_owned();
    for (name, value) in [
        ("draw:dots1-length", length(0)),
        ("draw:dots2-length", length(2)),
        ("draw:distance", length(1)),
    ] {
        if let Some(value) = value {
            let _ = write!(attributes, " {name}=\"{value}\"");
        }
    }
    // Each pair is a dash and a gap. All pairs after the first pair are dots of the second kind.
    match dashes.len() / 2 {
        0 | 1 => {}
        pairs => _ = write!(attributes, " draw:dots2=\"{}\"", pairs - 1),
    }
    attributes
}

/// Returns the name and the shape of a marker. Other programs recognise markers by their names, too.
fn marker(end: Arrow) -> Option<(&'static str, &'static str)> {
    Some(match end {
        Arrow::None => return None,
        Arrow::Triangle => (
            "Triangle",
            "svg:viewBox=\"0 0 20 20\" svg:d=\"M10 0 0 20h20z\"",
        ),
        Arrow::Stealth => (
            "Stealth",
            "svg:viewBox=\"0 0 20 20\" svg:d=\"M10 0 0 20l10-6 10 6z\"",
        ),
        Arrow::Open => (
            "Open",
            "svg:viewBox=\"0 0 20 20\" svg:d=\"M10 0 0 17l3 2 7-12 7 12 3-2z\"",
        ),
        Arrow::Diamond => (
            "Diamond",
            "svg:viewBox=\"0 0 20 20\" svg:d=\"M10 0 0 10l10 10 10-10z\"",
        ),
        Arrow::Oval => (
            "Circle",
            "svg:viewBox=\"0 0 20 20\" svg:d=\"M10 0a10 10 0 1 0 0.01 0z\"",
        ),
    })
}

/// Writes the position of a shape. A rotated shape is turned about the upper left corner of the slide, and then moved.
pub(super) fn position(xml: &mut Writer, place: &Place) {
    xml.attribute("svg:width", length(place.width))
        .attribute("svg:height", length(place.height));
    if place.turn == 0.0 {
        xml.attribute("svg:x", length(place.x))
            .attribute("svg:y", length(place.y));
        return;
    }
    let (x, y) = turned(place, 0.0, 0.0);
    // Positive angles are counterclockwise.
    let angle = -place.turn.to_radians();
    xml.attribute(
        "draw:transform",
        format!(
            "rotate ({angle:.6}) translate ({} {})",
            length(x),
            length(y)
        ),
    );
}

/// Converts a point of a shape to its position on the slide. `x` and `y` are its distances from the upper left corner
/// of the shape before the rotation.
pub(super) fn turned(place: &Place, x: f64, y: f64) -> (f64, f64) {
    let (sin, cos) = place.turn.to_radians().sin_cos();
    let (across, down) = (x - place.width / 2.0, y - place.height / 2.0);
    let (middle, centre) = place.middle();
    (
        middle + across * cos - down * sin,
        centre + across * sin + down * cos,
    )
}

/// Returns the ends of an outline that is a single line without an area.
pub(super) fn straight(outline: &Outline) -> Option<[(f64, f64); 2]> {
    match &outline.paths[..] {
        [path] => match path.commands[..] {
            [Command::Move(x, y), Command::Line(to_x, to_y)] => Some([(x, y), (to_x, to_y)]),
            _ => None,
        },
        _ => None,
    }
}

/// Writes an outline as the geometry of a custom shape, in English Metric Units. The geometry includes the flips.
pub(super) fn enhanced(xml: &mut Writer, outline: &Outline, place: &Place) {
    let emu = |length: f64| length.round() as i64;
    let (width, height) = (emu(place.width), emu(place.height));
    xml.start("draw:enhanced-geometry")
        .attribute("draw:type", "non-primitive")
        .attribute("svg:viewBox", format!("0 0 {width} {height}"))
        .attribute(
            "draw:text-areas",
            outline.text.map(emu).map(|at| at.to_string()).join(" "),
        );
    for (name, is) in [
        ("draw:mirror-horizontal", place.flips.0),
        ("draw:mirror-vertical", place.flips.1),
    ] {
        if is {
            xml.attribute(name, "true");
        }
    }
    let mut all = String::new();
    for path in &outline.paths {
        commands(&mut all, path);
        if path.shade.is_none() {
            all.push_str("F ");
        }
        if !path.stroked {
            all.push_str("S ");
        }
        all.push_str("N ");
    }
    xml.attribute("draw:enhanced-path", all.trim_end()).end();
}

/// Appends the commands of a path (part 3, 19.145).
fn commands(to: &mut String, path: &Path) {
    for command in &path.commands {
        let _ = match command {
            Command::Move(x, y) => write!(to, "M {x:.0} {y:.0} "),
            Command::Line(x, y) => write!(to, "L {x:.0} {y:.0} "),
            Command::Curve([a, b, c, d, x, y]) => {
                write!(to, "C {a:.0} {b:.0} {c:.0} {d:.0} {x:.0} {y:.0} ")
            }
            Command::Close => write!(to, "Z "),
        };
    }
}
