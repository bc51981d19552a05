//! SVG names: those with capital letters, and the elements that a drawing treats specially. An HTML tokenizer returns
//! names in lower case, so a tree builder has to restore the capitals (HTML, 13.2.6.1, "adjust SVG attributes", and
//! 13.2.6.5 for the elements).

static ELEMENTS: &[&str] = &[
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
];

static ATTRIBUTES: &[&str] = &[
    "attributeName",
    "attributeType",
    "baseFrequency",
    "baseProfile",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "glyphRef",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "requiredExtensions",
    "requiredFeatures",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "viewTarget",
    "xChannelSelector",
    "yChannelSelector",
    "zoomAndPan",
];

/// The name of an element as SVG writes it.
pub(crate) fn element(lower: &str) -> &str {
    find(ELEMENTS, lower)
}

/// The name of an attribute as SVG writes it.
pub(crate) fn attribute(lower: &str) -> &str {
    find(ATTRIBUTES, lower)
}

fn find<'n>(names: &[&'static str], lower: &'n str) -> &'n str {
    let found = names.iter().find(|name| name.eq_ignore_ascii_case(lower));
    found.copied().unwrap_or(lower)
}

/// Returns whether an element paints something itself.
pub(crate) fn paints(name: &str) -> bool {
    matches!(
        name,
        "circle"
            | "ellipse"
            | "foreignObject"
            | "image"
            | "line"
            | "path"
            | "polygon"
            | "polyline"
            | "rect"
            | "text"
    )
}

/// Returns whether an element's content is painted only by reference.
pub(crate) fn defines(name: &str) -> bool {
    matches!(
        name,
        "clipPath" | "defs" | "marker" | "mask" | "pattern" | "symbol"
    )
}

/// Returns whether an element is left out with its content: it runs a script, needs another file, or holds metadata or
/// foreign content.
pub(crate) fn is_left_out(name: &str) -> bool {
    matches!(
        name,
        "audio" | "embed" | "iframe" | "metadata" | "object" | "script" | "video"
    )
}
