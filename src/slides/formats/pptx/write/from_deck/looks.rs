//! Writes outlines, fills and lines (ECMA-376 part 1, 20.1.8 and 20.1.9).

use super::frames::Writing;
use crate::{containers::xml::Writer, deck::Place};
use convertd_office::drawing::{
    Arrow, Command, Crop, Fill, Geometry, Gradient, GradientPath, Line, Pattern, PictureFill, Rgba,
    Shade, dash_name,
};

/// Writes a colour as a child of a fill, with its opacity.
pub(super) fn colour(xml: &mut Writer, colour: Rgba) {
    let [red, green, blue] = colour.rgb;
    xml.start("a:srgbClr")
        .attribute("val", format!("{red:02X}{green:02X}{blue:02X}"));
    if colour.alpha < 1.0 {
        xml.start("a:alpha")
            .number("val", share(colour.alpha.into()))
            .end();
    }
    xml.end();
}

/// Writes a fill of one colour. An invisible colour becomes no fill.
pub(super) fn solid(xml: &mut Writer, fill: Rgba) {
    if fill.alpha <= 0.0 {
        xml.start("a:noFill").end();
        return;
    }
    xml.start("a:solidFill");
    colour(xml, fill);
    xml.end();
}

/// Converts a fraction to thousandths of a percent (22.9.2.9).
pub(super) fn share(share: f64) -> i64 {
    (share * 100_000.0).round() as i64
}

/// Converts an angle to 60000ths of a degree.
fn angle(degrees: f64) -> i64 {
    (degrees.rem_euclid(360.0) * 60_000.0).round() as i64
}

impl Writing<'_, '_, '_> {
    /// Writes a fill. A picture that is missing or that PowerPoint cannot show leaves the area unfilled.
    pub(super) fn fill(&mut self, xml: &mut Writer, fill: &Fill) {
        match fill {
            Fill::None => _ = xml.start("a:noFill").end(),
            Fill::Solid(colour) => solid(xml, *colour),
            Fill::Gradient(one) => gradient(xml, one),
            Fill::Pattern(one) => pattern(xml, one),
            Fill::Picture(picture) => match self.picture(&picture.id) {
                Some(id) => picture_fill(xml, &id, picture),
                None => _ = xml.start("a:noFill").end(),
            },
        }
    }
}

/// Writes a gradient (20.1.8.33).
fn gradient(xml: &mut Writer, gradient: &Gradient<Rgba>) {
    xml.start("a:gradFill")
        .attribute("rotWithShape", "1")
        .start("a:gsLst");
    // The schema requires two stops, so a single stop is written twice.
    let last = gradient.stops.last().filter(|_| gradient.stops.len() == 1);
    for (at, stop) in gradient.stops.iter().chain(last) {
        xml.start("a:gs").number("pos", share((*at).into()));
        colour(xml, *stop);
        xml.end();
    }
    xml.end();
    match gradient.path {
        GradientPath::Line(degrees) => {
            xml.start("a:lin")
                .number("ang", angle(degrees))
                .attribute("scaled", "0")
                .end();
        }
        GradientPath::Point(x, y) => {
            xml.start("a:path").attribute("path", "rect");
            xml.start("a:fillToRect");
            for (side, cut) in [("l", x), ("t", y), ("r", 1.0 - x), ("b", 1.0 - y)] {
                xml.number(side, share(cut));
            }
            xml.end().end();
        }
    }
    xml.end();
}

/// Writes a pattern (20.1.8.47). Patterns that are not among the presets become their average colour.
fn pattern(xml: &mut Writer, pattern: &Pattern<Rgba>) {
    let Some(name) = pattern.name() else {
        return solid(xml, pattern.mean());
    };
    xml.start("a:pattFill").attribute("prst", name);
    xml.start("a:fgClr");
    colour(xml, pattern.fore);
    xml.end().start("a:bgClr");
    colour(xml, pattern.back);
    xml.end().end();
}

/// Writes a fill with the picture of a relationship (20.1.8.14).
fn picture_fill(xml: &mut Writer, id: &str, picture: &PictureFill) {
    xml.start("a:blipFill").attribute("rotWithShape", "1");
    blip(xml, id, picture.alpha, picture.crop);
    if picture.tiled {
        xml.start("a:tile").end();
    } else {
        stretch(xml);
    }
    xml.end();
}

/// Writes the picture of a fill, with its opacity and its crop.
pub(super) fn blip(xml: &mut Writer, id: &str, alpha: f32, crop: Crop) {
    xml.start("a:blip").attribute("r:embed", id);
    if alpha < 1.0 {
        xml.start("a:alphaModFix")
            .number("amt", share(alpha.into()))
            .end();
    }
    xml.end();
    if crop != Crop::default() {
        xml.start("a:srcRect");
        for (side, cut) in [
            ("l", crop.left),
            ("t", crop.top),
            ("r", crop.right),
            ("b", crop.bottom),
        ] {
            if cut != 0.0 {
                xml.number(side, share(cut));
            }
        }
        xml.end();
    }
}

/// Stretches the picture of a fill to the whole area.
pub(super) fn stretch(xml: &mut Writer) {
    xml.raw("<a:stretch><a:fillRect/></a:stretch>");
}

/// Writes a line as an element with this name. For `None`, the element states that there is no line, because some
/// programs draw a line by default.
pub(super) fn line(xml: &mut Writer, element: &'static str, line: Option<&Line>) {
    xml.start(element);
    let Some(line) = line else {
        xml.start("a:noFill").end().end();
        return;
    };
    xml.number("w", line.width.clamp(0, 20_116_800));
    if line.round {
        xml.attribute("cap", "rnd");
    }
    solid(xml, line.colour);
    if let Some(name) = dash_name(line.dashes) {
        xml.start("a:prstDash").attribute("val", name).end();
    }
    if line.round {
        xml.start("a:round").end();
    }
    for (element, end) in [("a:headEnd", line.ends[0]), ("a:tailEnd", line.ends[1])] {
        let kind = match end {
            Arrow::None => continue,
            Arrow::Triangle => "triangle",
            Arrow::Stealth => "stealth",
            Arrow::Diamond => "diamond",
            Arrow::Oval => "oval",
            Arrow::Open => "arrow",
        };
        xml.start(element).attribute("type", kind).end();
    }
    xml.end();
}

/// Writes the position and size of a frame, with its rotation and flips, as an element with this name.
pub(super) fn transform(xml: &mut Writer, element: &'static str, place: &Place) {
    xml.start(element);
    if place.turn != 0.0 {
        xml.number("rot", angle(place.turn));
    }
    for (name, is) in [("flipH", place.flips.0), ("flipV", place.flips.1)] {
        if is {
            xml.attribute(name, "1");
        }
    }
    corners(xml, ["a:off", "a:ext"], place);
    xml.end();
}

/// Writes the upper left corner and the size of a frame.
pub(super) fn corners(xml: &mut Writer, [from, size]: [&'static str; 2], place: &Place) {
    xml.start(from)
        .number("x", place.x.round() as i64)
        .number("y", place.y.round() as i64)
        .end();
    xml.start(size)
        .number("cx", place.width.round().max(0.0) as i64)
        .number("cy", place.height.round().max(0.0) as i64)
        .end();
}

/// Writes the outline of a shape: the name of a preset, or its paths (20.1.9.8).
pub(super) fn geometry(xml: &mut Writer, geometry: &Geometry, place: &Place) {
    if let Some((name, values)) = geometry.preset() {
        xml.start("a:prstGeom").attribute("prst", name);
        xml.start("a:avLst");
        for (name, value) in values {
            xml.start("a:gd")
                .attribute("name", name)
                .attribute("fmla", format!("val {}", value.round() as i64))
                .end();
        }
        xml.end().end();
        return;
    }
    let outline = geometry.outline(place.width, place.height);
    let emu = |length: f64| length.round() as i64;
    xml.start("a:custGeom");
    xml.raw("<a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/>");
    xml.start("a:rect");
    for (side, at) in ["l", "t", "r", "b"].into_iter().zip(outline.text) {
        xml.number(side, emu(at));
    }
    xml.end().start("a:pathLst");
    for path in &outline.paths {
        xml.start("a:path")
            .number("w", emu(place.width))
            .number("h", emu(place.height));
        match path.shade {
            Some(Shade::Plain) => {}
            None => _ = xml.attribute("fill", "none"),
            Some(Shade::Lighter(by)) => {
                xml.attribute("fill", if by > 0.3 { "lighten" } else { "lightenLess" });
            }
            Some(Shade::Darker(by)) => {
                xml.attribute("fill", if by > 0.3 { "darken" } else { "darkenLess" });
            }
        }
        if !path.stroked {
            xml.attribute("stroke", "0");
        }
        for command in &path.commands {
            let (element, points): (_, &[f64]) = match command {
                Command::Move(x, y) => ("a:moveTo", &[*x, *y]),
                Command::Line(x, y) => ("a:lnTo", &[*x, *y]),
                Command::Curve(points) => ("a:cubicBezTo", points),
                Command::Close => ("a:close", &[]),
            };
            xml.start(element);
            for point in points.chunks_exact(2) {
                xml.start("a:pt")
                    .number("x", emu(point[0]))
                    .number("y", emu(point[1]))
                    .end();
            }
            xml.end();
        }
        xml.end();
    }
    xml.end().end();
}
