//! Positions of VML shapes: their places in groups, and their frames (ECMA-376 part 4, 19.1.2.19). Draws nothing.

use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::drawing::{Place, Space};
use convertd_tree::{Anchor, At, Base, Edges, Extent, Frame, Length, Position, Side, Wrap};

/// Place of a shape: in a group by its coordinates, or filling a frame of this size (in EMU).
pub(super) fn place(
    element: &Element<'_>,
    style: &str,
    size: (f64, f64),
    space: Option<&Space>,
) -> Place {
    let number = |name| css(style, name).and_then(|value| value.parse::<f64>().ok());
    let flip = css(style, "flip").unwrap_or_default();
    let mut place = Place {
        turn: turn(style),
        flips: (flip.contains('x'), flip.contains('y')),
        ..Place::default()
    };
    // A line states two ends instead of a size.
    if element.name == "line" {
        let ((a, b), (c, d)) = match space {
            Some(_) => (
                pair(element, "from").unwrap_or_default(),
                pair(element, "to").unwrap_or_default(),
            ),
            None => ends(element),
        };
        (place.x, place.y) = (a.min(c), b.min(d));
        (place.width, place.height) = ((c - a).abs(), (d - b).abs());
        // The direction of a line is expressed by flips.
        place.flips = (place.flips.0 != (c < a), place.flips.1 != (d < b));
        if space.is_none() {
            (place.x, place.y) = (0.0, 0.0);
        }
    } else if space.is_some() {
        place.x = number("left").unwrap_or(0.0);
        place.y = number("top").unwrap_or(0.0);
        place.width = number("width").unwrap_or(0.0).abs();
        place.height = number("height").unwrap_or(0.0).abs();
    } else {
        (place.width, place.height) = size;
    }
    match space {
        Some(space) => space.on_sheet(place),
        None => place,
    }
}

/// Rotation of a shape, clockwise in degrees from 0 to 360. The unit `fd` is 1/65536 of a degree.
pub(in crate::docx::read) fn turn(style: &str) -> f64 {
    let degrees = css(style, "rotation").and_then(|turn| match turn.strip_suffix("fd") {
        Some(parts) => parts
            .trim()
            .parse::<f64>()
            .ok()
            .map(|parts| parts / 65_536.0),
        None => turn.parse().ok(),
    });
    degrees
        .filter(|degrees| degrees.is_finite())
        .unwrap_or(0.0)
        .rem_euclid(360.0)
}

/// Frame of a floating picture, whose shape is the innermost open element of `xml`. `None` for an inline picture.
pub(in crate::docx::read) fn picture_frame(
    style: &str,
    xml: &mut Reader<'_>,
) -> Result<Option<Frame>> {
    if css(style, "position") != Some("absolute") {
        return Ok(None);
    }
    let mut wrap = None;
    let level = xml.level();
    while let Some(child) = xml.next_element(level)? {
        if child.name == "wrap" {
            wrap = Some(wrapped(&child));
        }
    }
    let side = |name| length(style, name).unwrap_or(0.0);
    Ok(Some(frame(style, (side("width"), side("height")), wrap)))
}

/// Frame of a shape of this size, from the properties in its `style`.
pub(super) fn frame(style: &str, (width, height): (f64, f64), wrap: Option<Wrap>) -> Frame {
    let exactly = |emu: f64| Extent::Exactly(Length::emu(emu as i64));
    let mut frame = Frame {
        width: exactly(width),
        height: exactly(height),
        apart: true,
        ..Frame::default()
    };
    if css(style, "position") != Some("absolute") {
        frame.anchor = Anchor::Letter;
        return frame;
    }
    // A position is relative to an area, and either aligned to it or given by offsets.
    let position = |relative, aligned, offsets: [&str; 2], default| {
        let base = match css(style, relative) {
            Some("page") => Base::Page,
            Some("margin") => Base::Margin,
            Some("char") => Base::Character,
            Some("line") => Base::Line,
            Some("left-margin-area" | "top-margin-area") => Base::StartMargin,
            Some("right-margin-area" | "bottom-margin-area") => Base::EndMargin,
            _ => default,
        };
        let at = match css(style, aligned) {
            Some("left" | "top") => At::Start,
            Some("center") => At::Middle,
            Some("right" | "bottom") => At::End,
            Some("inside") => At::Inside,
            Some("outside") => At::Outside,
            _ => {
                let all = offsets.iter().filter_map(|name| length(style, name));
                At::Offset(Length::emu(all.sum::<f64>() as i64))
            }
        };
        Position { base, at }
    };
    frame.horizontal = position(
        "mso-position-horizontal-relative",
        "mso-position-horizontal",
        ["margin-left", "left"],
        Base::Column,
    );
    frame.vertical = position(
        "mso-position-vertical-relative",
        "mso-position-vertical",
        ["margin-top", "top"],
        Base::Paragraph,
    );
    let order = css(style, "z-index").and_then(|order| order.parse::<i64>().ok());
    frame.order = order.unwrap_or(0);
    // A shape with a negative order is behind the text.
    frame.behind = frame.order < 0;
    frame.wrap = wrap.unwrap_or_default();
    // Distances in EMU. The default is 1/8 inch on the left and right, and 0 above and below.
    let distance = |name, default: f64| Length::emu(length(style, name).unwrap_or(default) as i64);
    frame.distances = Edges {
        top: distance("mso-wrap-distance-top", 0.0),
        right: distance("mso-wrap-distance-right", 114_300.0),
        bottom: distance("mso-wrap-distance-bottom", 0.0),
        left: distance("mso-wrap-distance-left", 114_300.0),
    };
    frame
}

/// Reads the wrapping of text around a shape (`w10:wrap`).
pub(super) fn wrapped(element: &Element<'_>) -> Wrap {
    let side = match element.attribute("side").as_deref() {
        Some("left") => Side::Left,
        Some("right") => Side::Right,
        Some("largest") => Side::Larger,
        _ => Side::Both,
    };
    match element.attribute("type").as_deref() {
        Some("square" | "tight" | "through") => Wrap::Around(side),
        Some("topAndBottom") => Wrap::TopAndBottom,
        _ => Wrap::None,
    }
}

/// Returns whether the shape around this `v:textbox` is as high as its text.
pub(super) fn fits(element: &Element<'_>) -> bool {
    let style = element.attribute("style").unwrap_or_default();
    css(&style, "mso-fit-shape-to-text").is_some_and(|value| matches!(value, "t" | "true"))
}

/// Distances from the edges of the frame to the text of a shape. The defaults are 0.1 inches on the left and right, and
/// 0.05 inches above and below, in EMU.
pub(super) fn insets(element: &Element<'_>, place: &Place, size: (f64, f64)) -> Edges {
    let attribute = element.attribute("inset").unwrap_or_default();
    let mut sides = [91_440.0, 45_720.0, 91_440.0, 45_720.0];
    for (side, value) in sides.iter_mut().zip(attribute.split(',')) {
        *side = measure(value).unwrap_or(*side);
    }
    let emu = |length: f64| Length::emu(length as i64);
    let [left, top, right, bottom] = sides;
    Edges {
        left: emu(place.x + left),
        top: emu(place.y + top),
        right: emu(size.0 - place.x - place.width + right),
        bottom: emu(size.1 - place.y - place.height + bottom),
    }
}

/// Rotation of text whose lines run up or down, in degrees. `None` for horizontal lines.
pub(super) fn flow(textbox: &Element<'_>) -> Option<f64> {
    let style = textbox.attribute("style")?;
    if !css(&style, "layout-flow")?.starts_with("vertical") {
        return None;
    }
    Some(match css(&style, "mso-layout-flow-alt") {
        Some("bottom-to-top") => 270.0,
        _ => 90.0,
    })
}

/// Ends of a `v:line`, in EMU.
pub(super) fn ends(element: &Element<'_>) -> ((f64, f64), (f64, f64)) {
    let end = |name| {
        let value = element.attribute(name).unwrap_or_default();
        let mut parts = value.split(',').map(|part| measure(part).unwrap_or(0.0));
        (parts.next().unwrap_or(0.0), parts.next().unwrap_or(0.0))
    };
    (end("from"), end("to"))
}

/// Parses an attribute with two numbers, separated by a comma or a space.
pub(super) fn pair(element: &Element<'_>, name: &str) -> Option<(f64, f64)> {
    let value = element.attribute(name)?;
    let mut parts = value.split([',', ' ']).filter(|part| !part.is_empty());
    let mut next = || {
        parts
            .next()?
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|n| n.is_finite())
    };
    Some((next()?, next()?))
}

/// Parses a length in EMU. Numbers without a unit are pixels.
pub(super) fn measure(value: &str) -> Option<f64> {
    let plain = || value.trim().parse().ok().map(Length::pixels);
    let length = Length::parse(value).or_else(plain)?;
    Some(length.to_emu() as f64)
}

/// Length of a property in `style`, in EMU.
pub(super) fn length(style: &str, name: &str) -> Option<f64> {
    css(style, name).and_then(measure)
}

/// Value of a property in a list like that of CSS.
pub(super) fn css<'s>(style: &'s str, name: &str) -> Option<&'s str> {
    let mut all = style
        .split(';')
        .filter_map(|declaration| declaration.split_once(':'));
    let (_, value) = all.find(|(known, _)| known.trim() == name)?;
    Some(value.trim())
}
