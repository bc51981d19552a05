//! The part `styles.xml`: the page, the master, and the styles of titles, outlines and notes. Depends on no document.

use super::length;
use crate::{containers::xml::Writer, write::SIZE};

/// Font size in points, and indentation in centimetres, of each outline level.
const LEVELS: [(u32, f64); 9] = [
    (24, 0.635),
    (20, 1.905),
    (18, 3.175),
    (16, 4.445),
    (16, 5.715),
    (16, 6.985),
    (16, 8.255),
    (16, 9.525),
    (16, 10.795),
];

/// Hanging indentation of a bullet, in centimetres.
const HANGING: f64 = 0.635;

/// Writes the part with one master page.
pub(super) fn part() -> String {
    let mut masters = Writer::fragment();
    masters
        .start("style:master-page")
        .attribute("style:name", "Plain")
        .attribute("style:page-layout-name", "PM1")
        .attribute("draw:style-name", "Mdp1");
    let size = (SIZE.0 as f64, SIZE.1 as f64);
    part_with(size, "", "", &masters.finish())
}

/// Writes the part for pages of this size in English Metric Units. `named`, `automatic` and `masters` are the XML
/// elements of further definitions, automatic styles and master pages.
pub(super) fn part_with(
    (width, height): (f64, f64),
    named: &str,
    automatic: &str,
    masters: &str,
) -> String {
    let mut xml = super::part("office:document-styles");
    xml.start("office:styles");
    xml.raw(named);
    xml.start("style:default-style")
        .attribute("style:family", "graphic");
    xml.start("style:graphic-properties")
        .attribute("svg:stroke-color", "#2f6eba")
        .attribute("draw:fill-color", "#2f6eba")
        .attribute("fo:wrap-option", "wrap")
        .end();
    xml.start("style:paragraph-properties")
        .attribute("fo:text-align", "start")
        .end();
    xml.start("style:text-properties")
        .attribute("fo:font-family", "Calibri")
        .attribute("fo:font-size", "18pt")
        .attribute("fo:color", "#000000")
        .end();
    xml.end();
    let mut style =
        |name: &str, parent: &str, anchor: &str, size: u32, lists: &str, centred: bool| {
            xml.start("style:style")
                .attribute("style:name", name)
                .attribute("style:family", "presentation");
            if !parent.is_empty() {
                xml.attribute("style:parent-style-name", parent);
            }
            xml.start("style:graphic-properties")
                .attribute("draw:stroke", "none")
                .attribute("draw:fill", "none")
                .attribute("draw:textarea-vertical-align", anchor)
                .attribute("draw:auto-grow-height", "false");
            xml.raw(lists).end();
            xml.start("style:paragraph-properties")
                .attribute("fo:text-align", if centred { "center" } else { "start" })
                .attribute(
                    "fo:margin-top",
                    if name.contains("outline") {
                        "0.25cm"
                    } else {
                        "0cm"
                    },
                )
                .end();
            xml.start("style:text-properties")
                .attribute("fo:font-size", format!("{size}pt"))
                .end();
            xml.end();
        };
    style("Plain-title", "", "middle", 40, "", false);
    style("Plain-subtitle", "", "top", 24, "", true);
    style("Plain-notes", "", "top", 14, "", false);
    let bullets = bullets("Plain-outline1");
    for (level, (size, _)) in (1..).zip(LEVELS) {
        let (name, parent) = (
            format!("Plain-outline{level}"),
            format!("Plain-outline{}", level - 1),
        );
        match level {
            1 => style(&name, "", "top", size, &bullets, false),
            _ => style(&name, &parent, "top", size, "", false),
        }
    }
    xml.end();
    xml.start("office:automatic-styles");
    let orientation = if width >= height {
        "landscape"
    } else {
        "portrait"
    };
    xml.start("style:page-layout")
        .attribute("style:name", "PM1");
    xml.start("style:page-layout-properties")
        .attribute("fo:margin", "0cm")
        .attribute("fo:page-width", length(width as i64))
        .attribute("fo:page-height", length(height as i64))
        .attribute("style:print-orientation", orientation)
        .end()
        .end();
    xml.raw(
        "<style:style style:name=\"Mdp1\" style:family=\"drawing-page\"><style:drawing-page-properties \
         draw:fill=\"solid\" draw:fill-color=\"#ffffff\"/></style:style>",
    );
    xml.raw(automatic).end();
    xml.start("office:master-styles").raw(masters);
    xml.finish()
}

/// List style with bullets on all levels.
pub(super) fn bullets(name: &str) -> String {
    list(
        name,
        "text:list-level-style-bullet",
        "text:bullet-char=\"•\"",
    )
}

/// List style with the same attributes on all levels.
pub(super) fn list(name: &str, element: &str, attributes: &str) -> String {
    let levels = (1..).zip(LEVELS).map(|(level, (_, indent))| {
        let before = indent - HANGING;
        format!(
            "<{element} text:level=\"{level}\" {attributes}><style:list-level-properties \
             text:space-before=\"{before:.3}cm\" text:min-label-width=\"{HANGING}cm\"/><style:text-properties fo:font-size=\"100%\"/></{element}>"
        )
    });
    let levels: String = levels.collect();
    format!("<text:list-style style:name=\"{name}\">{levels}</text:list-style>")
}
