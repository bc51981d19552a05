//! Reads and writes underlines (OpenDocument 1.3, part 3, 20.398 to 20.402) and emphasis marks (20.370). Reads no
//! styles.

use crate::containers::xml::{Element, Writer};
use convertd_office::wordprocessing::RunProperties;
use convertd_tree::{Colour, EmphasisMark, EmphasisShape, Stroke, Underline};

/// Names of the strokes of underlines.
const STROKES: [(&str, Stroke); 7] = [
    ("solid", Stroke::Solid),
    ("dotted", Stroke::Dotted),
    ("dash", Stroke::Dashed),
    ("long-dash", Stroke::LongDashed),
    ("dot-dash", Stroke::DotDashed),
    ("dot-dot-dash", Stroke::DotDotDashed),
    ("wave", Stroke::Wavy),
];

/// Names of the shapes of emphasis marks.
const SHAPES: [(&str, EmphasisShape); 4] = [
    ("dot", EmphasisShape::Dot),
    ("disc", EmphasisShape::Disc),
    ("circle", EmphasisShape::Circle),
    ("accent", EmphasisShape::Comma),
];

/// Reads the underline of `style:text-properties`.
pub(super) fn underline(run: &mut RunProperties, element: &Element<'_>) {
    let value = |name| element.attribute(name);
    let (stroke, kind) = (value("text-underline-style"), value("text-underline-type"));
    if stroke.is_none() && kind.is_none() {
        return;
    }
    if stroke.as_deref() == Some("none") || kind.as_deref() == Some("none") {
        return run.underlined(None);
    }
    let known = STROKES.iter();
    let mut known = known.filter(|(name, _)| Some(*name) == stroke.as_deref());
    let colour = value("text-underline-color");
    run.underlined(Some(Underline {
        stroke: known.next().map(|(_, stroke)| *stroke).unwrap_or_default(),
        thick: matches!(
            value("text-underline-width").as_deref(),
            Some("bold" | "thick")
        ),
        double: kind.as_deref() == Some("double"),
        words: value("text-underline-mode").as_deref() == Some("skip-white-space"),
        colour: colour.and_then(|colour| Colour::parse(&colour)),
    }));
}

/// Writes the attributes of an underline.
pub(super) fn write_underline(xml: &mut Writer, line: Underline) {
    let mut known = STROKES.iter().filter(|(_, stroke)| *stroke == line.stroke);
    let stroke = known.next().map_or("solid", |(name, _)| *name);
    let width = if line.thick { "bold" } else { "auto" };
    let colour = line.colour.map(|colour| format!("#{}", colour.hex()));
    xml.attribute("style:text-underline-style", stroke)
        .attribute("style:text-underline-width", width)
        .attribute(
            "style:text-underline-color",
            colour.as_deref().unwrap_or("font-color"),
        );
    if line.double {
        xml.attribute("style:text-underline-type", "double");
    }
    if line.words {
        xml.attribute("style:text-underline-mode", "skip-white-space");
    }
}

/// Parses an emphasis mark, such as `dot above`. `None` for no mark, or an unknown shape.
pub(super) fn emphasis(value: &str) -> Option<EmphasisMark> {
    let mut words = value.split_whitespace();
    let name = words.next()?;
    let (_, shape) = SHAPES.iter().find(|(known, _)| *known == name)?;
    Some(EmphasisMark {
        shape: *shape,
        below: words.next() == Some("below"),
    })
}

/// Writes the attribute of an emphasis mark.
pub(super) fn write_emphasis(xml: &mut Writer, mark: EmphasisMark) {
    let mut known = SHAPES.iter().filter(|(_, shape)| *shape == mark.shape);
    let shape = known.next().map_or("dot", |(name, _)| *name);
    let place = if mark.below { "below" } else { "above" };
    xml.attribute("style:text-emphasize", format!("{shape} {place}"));
}
