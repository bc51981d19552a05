//! Grammars of the properties of SVG, as data. Parses no values.

use Grammar::{Across, Address, Both, Colour, Dashes, Down, Number, Part, Path, Plain, Word};

/// Grammar of a property.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Grammar {
    /// Paint: a colour, `none`, or the URL of a gradient or pattern.
    Paint,
    Colour,
    /// A number or percentage from 0 to 1.
    Part,
    Number,
    /// Length or percentage, relative to the width of the viewport (SVG 2, 8.9).
    Across,
    /// Length or percentage, relative to the height of the viewport.
    Down,
    /// Length or percentage, relative to the normalized diagonal of the viewport.
    Both,
    /// List of lengths.
    Dashes,
    /// A keyword from this list.
    Word(&'static [&'static str]),
    /// `none` or the URL of an element.
    Address,
    /// Path data.
    Path,
    /// Any value; usvg validates it.
    Plain,
}

/// Properties in alphabetical order, but for the last two, which HTML text and the root element need. Lengths are among
/// them because their attributes may have units that usvg does not know.
const PROPERTIES: [(&str, Grammar); 68] = [
    ("alignment-baseline", Plain),
    ("baseline-shift", Plain),
    ("clip-path", Address),
    ("clip-rule", Word(&["nonzero", "evenodd"])),
    ("color", Colour),
    ("color-interpolation", Plain),
    ("color-interpolation-filters", Plain),
    ("cx", Across),
    ("cy", Down),
    ("d", Path),
    ("direction", Word(&["ltr", "rtl"])),
    ("display", Plain),
    ("dominant-baseline", Plain),
    ("fill", Grammar::Paint),
    ("fill-opacity", Part),
    ("fill-rule", Word(&["nonzero", "evenodd"])),
    ("filter", Plain),
    ("flood-color", Colour),
    ("flood-opacity", Part),
    ("font-family", Plain),
    ("font-kerning", Word(&["auto", "normal", "none"])),
    ("font-size", Both),
    ("font-stretch", Plain),
    ("font-style", Plain),
    ("font-variant", Plain),
    ("font-weight", Plain),
    ("height", Down),
    ("image-rendering", Plain),
    ("isolation", Word(&["auto", "isolate"])),
    ("letter-spacing", Across),
    ("lighting-color", Colour),
    ("marker-end", Address),
    ("marker-mid", Address),
    ("marker-start", Address),
    ("mask", Address),
    ("mask-type", Word(&["luminance", "alpha"])),
    ("mix-blend-mode", Plain),
    ("opacity", Part),
    (
        "overflow",
        Word(&["visible", "hidden", "scroll", "auto", "clip"]),
    ),
    ("paint-order", Plain),
    ("r", Both),
    ("rx", Across),
    ("ry", Down),
    ("shape-rendering", Plain),
    ("stop-color", Colour),
    ("stop-opacity", Part),
    ("stroke", Grammar::Paint),
    ("stroke-dasharray", Dashes),
    ("stroke-dashoffset", Both),
    ("stroke-linecap", Word(&["butt", "round", "square"])),
    (
        "stroke-linejoin",
        Word(&["miter", "miter-clip", "round", "bevel", "arcs"]),
    ),
    ("stroke-miterlimit", Number),
    ("stroke-opacity", Part),
    ("stroke-width", Both),
    ("text-anchor", Word(&["start", "middle", "end"])),
    ("text-decoration", Plain),
    ("text-rendering", Plain),
    ("unicode-bidi", Plain),
    ("vector-effect", Plain),
    ("visibility", Word(&["visible", "hidden", "collapse"])),
    ("white-space", Plain),
    ("width", Across),
    ("word-spacing", Across),
    ("writing-mode", Plain),
    ("x", Across),
    ("y", Down),
    ("background-color", Colour),
    ("max-width", Across),
];

/// Elements whose geometry attributes are properties (SVG 2, 7); on others, the same names are
/// plain attributes.
pub(super) const SHAPES: [&str; 10] = [
    "svg",
    "rect",
    "circle",
    "ellipse",
    "image",
    "foreignObject",
    "use",
    "path",
    "symbol",
    "mask",
];
/// Geometry properties.
pub(super) const GEOMETRY: [&str; 10] = [
    "cx", "cy", "d", "height", "r", "rx", "ry", "width", "x", "y",
];
/// Attributes that hold lengths and are not properties.
const LENGTHS: [(&str, Grammar); 9] = [
    ("x1", Across),
    ("x2", Across),
    ("y1", Down),
    ("y2", Down),
    ("fx", Across),
    ("fy", Down),
    ("fr", Both),
    ("markerWidth", Across),
    ("markerHeight", Down),
];

/// System colours, in a light theme (CSS Color 4, 6.2).
pub(super) const SYSTEM: [(&str, [u8; 3]); 8] = [
    ("canvas", [255; 3]),
    ("canvastext", [0; 3]),
    ("linktext", [0, 0, 238]),
    ("visitedtext", [85, 26, 139]),
    ("buttonface", [240; 3]),
    ("buttontext", [0; 3]),
    ("field", [255; 3]),
    ("fieldtext", [0; 3]),
];

/// Grammar of a property or length attribute; `None` if unknown.
pub(super) fn kind(name: &str) -> Option<Grammar> {
    let mut all = PROPERTIES.iter().chain(&LENGTHS);
    all.find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

/// Returns whether an attribute is treated as a property.
pub(in crate::css::drawing) fn is_property(name: &str) -> bool {
    kind(name).is_some() || matches!(name, "transform" | "transform-origin")
}
