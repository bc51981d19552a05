//! Outlines of OpenDocument shapes (OASIS OpenDocument 1.3, part 3, 10.3 and 10.6) in texts and on slides. Reads
//! neither their fills nor their text.

pub mod paints;
pub mod place;

use self::place::{UNIT, between, length};
use super::{Enhanced, Geometry, Outline, Place, View, outline_of_points, outline_of_svg};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use std::rc::Rc;

/// Max. number of formulas and of adjustable values of a shape.
const MAX_FORMULAS: usize = 4096;

/// Returns the place of a shape, in English Metric Units. `None` if a coordinate of a line, or the width of another
/// shape, is missing.
pub fn place_of(element: &Element<'_>) -> Option<Place> {
    match element.name {
        "line" | "connector" | "measure" => {
            let side = |name| length(element, name);
            let from = (side("x1")?, side("y1")?);
            Some(between(from, (side("x2")?, side("y2")?)))
        }
        _ => place::place(element),
    }
}

/// Returns whether an enhanced geometry is flipped horizontally and vertically (10.6.2).
pub fn flips(element: &Element<'_>) -> (bool, bool) {
    let is_true = |name| element.attribute(name).as_deref() == Some("true");
    (is_true("mirror-horizontal"), is_true("mirror-vertical"))
}

/// Reads the coordinate system of an element. All numbers are 0 if it has none.
fn view(element: &Element<'_>) -> View {
    let view = element.attribute("viewBox").unwrap_or_default();
    let mut numbers = view
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter_map(|number| number.parse::<f64>().ok())
        .filter(|number| number.is_finite());
    std::array::from_fn(|_| numbers.next().unwrap_or(0.0))
}

/// Reads a `draw:enhanced-geometry`, which is the innermost open element. `shape` is the element around it. `None` if
/// the geometry has neither a path nor a known type.
pub fn enhanced(
    xml: &mut Reader<'_>,
    element: &Element<'_>,
    shape: &Element<'_>,
) -> Result<Option<Geometry>> {
    let value = |name| element.attribute(name).unwrap_or_default();
    let mut own = Enhanced {
        path: value("enhanced-path").into(),
        modifiers: value("modifiers")
            .split_whitespace()
            .take(MAX_FORMULAS)
            .map(|value| value.parse().unwrap_or(0.0))
            .collect(),
        view: view(element),
        text: value("text-areas").into(),
        ..Enhanced::default()
    };
    let level = xml.level();
    while let Some(equation) = xml.next_element(level)? {
        let (name, formula) = (equation.attribute("name"), equation.attribute("formula"));
        if let (Some(name), Some(formula)) = (name, formula)
            && own.formulas.len() < MAX_FORMULAS
        {
            own.formulas.push((name.into(), formula.into()));
        }
    }
    if own.path.is_empty() {
        return Ok(preset(&value("type")));
    }
    let side = |name| length(shape, name).unwrap_or(0.0).abs() / UNIT;
    let (width, height) = (side("width"), side("height"));
    Ok(Some(drawn(own.outline(width, height), width, height)))
}

/// Returns the preset for the type of a shape without a path.
fn preset(kind: &str) -> Option<Geometry> {
    let name = match kind {
        "round-rectangle" => "roundRect",
        "ellipse" => "ellipse",
        "isosceles-triangle" => "triangle",
        "right-triangle" => "rtTriangle",
        "right-arrow" => "rightArrow",
        "left-arrow" => "leftArrow",
        "up-arrow" => "upArrow",
        "down-arrow" => "downArrow",
        "diamond" | "hexagon" | "octagon" | "parallelogram" | "trapezoid" | "can" | "cube"
        | "heart" | "sun" | "moon" | "chevron" => kind,
        kind => kind.strip_prefix("ooxml-")?,
    };
    Some(Geometry::Preset(name.into(), Vec::new()))
}

/// Returns a geometry whose outline is known for this size only.
fn drawn(outline: Outline, width: f64, height: f64) -> Geometry {
    Geometry::Drawn(Rc::new(outline), (width, height))
}

/// Returns the geometry of a shape without an enhanced geometry.
pub fn geometry(element: &Element<'_>, place: Option<&Place>) -> Geometry {
    let place = place.copied().unwrap_or_default();
    let (width, height) = (place.width / UNIT, place.height / UNIT);
    let value = |name| element.attribute(name).unwrap_or_default();
    let named = |name: &str, values: &[(&str, f64)]| {
        let values = values.iter().map(|(name, value)| ((*name).into(), *value));
        Geometry::Preset(name.into(), values.collect())
    };
    match element.name {
        "rect" => match length(element, "corner-radius").filter(|radius| *radius > 0.0) {
            Some(radius) => {
                // The preset takes the radius relative to the shorter side, in 100000ths.
                let share = radius / place.width.min(place.height).max(1.0);
                named("roundRect", &[("adj", (share * 100_000.0).min(50_000.0))])
            }
            None => Geometry::Rectangle,
        },
        "ellipse" | "circle" => {
            let name = match &*value("kind") {
                "section" => "pie",
                "cut" => "chord",
                "arc" => "arc",
                _ => return named("ellipse", &[]),
            };
            // Angles are counterclockwise in OpenDocument, and clockwise in presets.
            let angle = |name| {
                let degrees: f64 = value(name).parse().unwrap_or(0.0);
                (360.0 - degrees).rem_euclid(360.0) * 60_000.0
            };
            let values = [("adj1", angle("end-angle")), ("adj2", angle("start-angle"))];
            named(name, &values)
        }
        "line" | "measure" => named("line", &[]),
        "connector" => connector(element, width, height),
        "polyline" | "polygon" => {
            let closed = element.name == "polygon";
            let outline = outline_of_points(&value("points"), closed, view(element), width, height);
            drawn(outline, width, height)
        }
        "path" => {
            let outline = outline_of_svg(&value("d"), view(element), width, height);
            drawn(outline, width, height)
        }
        _ => Geometry::Rectangle,
    }
}

/// Returns the path of a connector, moved so that it begins where the connector begins. A connector of the type `line`,
/// or without a valid path, is a straight line.
fn connector(element: &Element<'_>, width: f64, height: f64) -> Geometry {
    let straight = || Geometry::Preset("line".into(), Vec::new());
    let kind = element.attribute("type");
    let Some(path) = element
        .attribute("d")
        .filter(|_| kind.as_deref() != Some("line"))
    else {
        return straight();
    };
    let side = |name| length(element, name).unwrap_or(0.0) / UNIT;
    let (from, to) = ((side("x1"), side("y1")), (side("x2"), side("y2")));
    let corner = (from.0.min(to.0), from.1.min(to.1));
    let Some((x, y)) = begins(&path) else {
        return straight();
    };
    // Paths of older files have their origin in the corner of the slide, and paths of newer files have it anywhere. The
    // first point of the path therefore determines the origin.
    let origin = (x - (from.0 - corner.0), y - (from.1 - corner.1));
    let mut outline = outline_of_svg(&path, [origin.0, origin.1, 0.0, 0.0], width, height);
    // The place of a line is flipped to express its direction, and would flip the path, too. So the path is flipped
    // in advance.
    outline.mirror(to.0 < from.0, to.1 < from.1, (width, height));
    drawn(outline, width, height)
}

/// Returns the first point of an SVG path. `None` if the path does not begin with `M` or `m` and a point.
fn begins(path: &str) -> Option<(f64, f64)> {
    let path = path.trim_start().strip_prefix(['M', 'm'])?.trim_start();
    let mut words = path
        .split(|c: char| c.is_whitespace() || c == ',' || c.is_ascii_alphabetic())
        .filter(|word| !word.is_empty());
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}
