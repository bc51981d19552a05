//! Formatting properties: attributes with values in the notation of CSS and XSL (OpenDocument 1.3, part 3, 20).
//! Resolves no styles.

use super::super::ornaments;
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::{Font, ParagraphProperties, Raised, RunProperties};
use convertd_tree::{
    Alignment, Border, Borders, CellStyle, Colour, DropCap, Edges, Hyphenation, Length, LineHeight,
    LineKind, Turn, VerticalAlignment, Width,
};
use std::collections::HashMap;

/// Font families by the names of font faces in the document.
pub(super) type FontFaces = HashMap<Box<str>, Box<str>>;

/// Background colour that is read as a highlight.
const MARKER: Colour = Colour(0xff, 0xff, 0);

/// Reads `style:text-properties`.
pub(super) fn text(run: &mut RunProperties, element: &Element<'_>, fonts: &FontFaces) {
    // Language and country.
    let mut tag = (None, None);
    for (name, value) in element.attributes() {
        let value = &*value;
        // Names of font faces are replaced by their families.
        let family = |value: &str| match fonts.get(value) {
            Some(family) => Some(Font::Named(family.clone())),
            None => plain_family(value).map(Font::Named),
        };
        match name {
            "font-weight" => {
                // 600 and above are bold, as in CSS.
                let heavy = value.parse().is_ok_and(|weight: u32| weight >= 600);
                run.bold = Some(value == "bold" || heavy);
            }
            // Properties of complex scripts.
            "font-weight-complex" => run.complex_bold = Some(value == "bold"),
            "font-style-complex" => run.complex_italic = Some(value != "normal"),
            "font-size-complex" => run.complex_size = Length::parse(value).or(run.complex_size),
            "font-style" => run.italic = Some(value != "normal"),
            "text-emphasize" => run.emphasis = Some(ornaments::emphasis(value)),
            "border" => run.border = Some(border(value)),
            "text-line-through-style" | "text-line-through-type" => {
                run.strike = Some(value != "none");
            }
            "text-position" => run.raised = Some(position(value)),
            "font-variant" => run.small_caps = Some(value == "small-caps"),
            "text-transform" => run.capitals = Some(value == "uppercase"),
            "letter-spacing" => {
                let normal = (value == "normal").then_some(Length::ZERO);
                run.spacing = Length::parse(value).or(normal).or(run.spacing);
            }
            "text-scale" => {
                let percent = value.strip_suffix('%').and_then(|value| value.parse().ok());
                let percent = percent.filter(|percent| (1..=600).contains(percent));
                run.scale = percent.or(run.scale);
            }
            "text-outline" => run.outlined = Some(value == "true"),
            "display" => run.hidden = Some(value == "none"),
            "color" => run.colour = Some(Colour::parse(value)),
            "use-window-font-color" if value == "true" => run.colour = Some(None),
            // The background colour of the marker is a highlight, as written by this converter.
            "background-color" => {
                let colour = Colour::parse(value);
                run.highlight = Some(colour == Some(MARKER));
                run.background = Some(colour.filter(|colour| *colour != MARKER));
            }
            "font-size" => run.size = Length::parse(value).or(run.size),
            // The name of a font face takes precedence over a family.
            "font-name" => run.latin = family(value),
            "font-family" if run.latin.is_none() => {
                run.latin = plain_family(value).map(Font::Named);
            }
            "font-name-asian" => run.east_asian = family(value),
            "font-name-complex" => run.complex = family(value),
            "language" => tag.0 = Some(value.to_owned()),
            "country" => tag.1 = Some(value.to_owned()),
            _ => {}
        }
    }
    ornaments::underline(run, element);
    if let Some(Some(line)) = &mut run.border {
        let padding = element.attribute("padding");
        line.space = padding
            .and_then(|padding| Length::parse(&padding))
            .or(line.space);
    }
    // `zxx` and `none` stand for text without a language.
    if let (Some(language), country) = tag
        && (2..9).contains(&language.len())
        && language != "none"
        && language != "zxx"
    {
        let country = country.filter(|country| country.len() == 2);
        run.language = Some(match country {
            Some(country) => format!("{language}-{country}").into(),
            None => language.into(),
        });
    }
}

/// Reads whether the words of a paragraph are hyphenated. If they are, the limits of `style:text-properties` become
/// those of the document, which has one set of them.
pub(super) fn hyphenated(element: &Element<'_>, limits: &mut Hyphenation) -> Option<bool> {
    let is = element.attribute("hyphenate")? == "true";
    if is {
        let count = |name: &str| element.attribute(name).and_then(|count| count.parse().ok());
        limits.before = count("hyphenation-remain-char-count").unwrap_or(limits.before);
        limits.after = count("hyphenation-push-char-count").unwrap_or(limits.after);
        // Extensions of LibreOffice.
        limits.word = count("hyphenation-word-char-count").unwrap_or(limits.word);
        limits.capitals = element.attribute("hyphenation-no-caps").as_deref() != Some("true");
        let zone = element.attribute("hyphenation-zone");
        limits.zone = zone
            .and_then(|zone| Length::parse(&zone))
            .unwrap_or_default();
    }
    Some(is)
}

/// Font family without quotation marks.
pub(super) fn plain_family(value: &str) -> Option<Box<str>> {
    let name = value.trim().trim_matches(['\'', '"']).trim();
    (!name.is_empty()).then(|| name.into())
}

/// Parses the position of text: `super 58%`, `sub 58%`, or a shift in percent of the font size (20.384).
fn position(value: &str) -> Raised {
    let raised = value.split_whitespace().next().unwrap_or_default();
    match raised {
        "super" => Raised::Above,
        "sub" => Raised::Below,
        _ => match raised.trim_end_matches('%').parse::<f32>() {
            Ok(percent) if percent > 0.0 => Raised::Above,
            Ok(percent) if percent < 0.0 => Raised::Below,
            _ => Raised::Not,
        },
    }
}

/// Paragraph properties, including page breaks and page numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Paragraph {
    /// Paragraph properties.
    pub(super) properties: ParagraphProperties,
    /// Whether a page break follows.
    pub(super) break_after: Option<bool>,
    /// Page number that begins with the paragraph.
    pub(super) page_number: Option<u32>,
}

/// Reads `style:paragraph-properties`, which is the innermost open element of `xml`.
pub(super) fn paragraph(
    all: &mut Paragraph,
    xml: &mut Reader<'_>,
    element: &Element<'_>,
) -> Result<()> {
    let own = &mut all.properties;
    // Distances from the text to the borders.
    let mut padding = Edges::default();
    for (name, value) in element.attributes() {
        let value = &*value;
        let length = Length::parse(value);
        match name {
            "text-align" => {
                // `left` and `right` do not depend on the direction of text.
                own.is_physical = matches!(value, "left" | "right");
                own.alignment = alignment(value).or(own.alignment);
            }
            "margin" => {
                for side in [
                    &mut own.indent_start,
                    &mut own.indent_end,
                    &mut own.space_before,
                    &mut own.space_after,
                ] {
                    *side = length.or(*side);
                }
            }
            "margin-left" => own.indent_start = length.or(own.indent_start),
            "margin-right" => own.indent_end = length.or(own.indent_end),
            "margin-top" => own.space_before = length.or(own.space_before),
            "margin-bottom" => own.space_after = length.or(own.space_after),
            "text-indent" => own.first_line = length.or(own.first_line),
            "line-height" => own.line_height = line_height(value),
            "line-height-at-least" => own.line_height = length.map(LineHeight::AtLeast),
            "keep-with-next" => own.keep_with_next = Some(value == "always"),
            "keep-together" => own.keep_together = Some(value == "always"),
            "contextual-spacing" => own.contextual_spacing = Some(value == "true"),
            "number-lines" => own.uncounted = Some(value == "false"),
            "break-before" => own.page_break_before = Some(value == "page"),
            "break-after" => all.break_after = Some(value == "page"),
            "page-number" => all.page_number = value.parse().ok(),
            "background-color" => own.background = Some(Colour::parse(value)),
            "writing-mode" if value != "page" => own.right_to_left = Some(value.starts_with("rl")),
            "join-border" => own.boxed_apart = Some(value == "false"),
            // Borders and distances of one side or all sides.
            name if name.starts_with("border") => {
                border_attribute(own.borders.get_or_insert_default(), name, value);
            }
            name => pad(&mut padding, name, length),
        }
    }
    // Padding is the distance from the text to a border, so it matters only on sides with a border.
    if let Some(borders) = &mut own.borders {
        let sides = [
            (&mut borders.top, padding.top),
            (&mut borders.end, padding.right),
            (&mut borders.bottom, padding.bottom),
            (&mut borders.start, padding.left),
        ];
        for (border, padding) in sides {
            if let Some(border) = border {
                border.space = Some(padding);
            }
        }
    }
    // Drop caps and tab stops are child elements.
    let level = xml.level();
    while let Some(child) = xml.next_element(level)? {
        if child.name == "drop-cap" {
            own.drop_cap = drop_cap(&child);
        }
        if child.name != "tab-stops" {
            continue;
        }
        while let Some(stop) = xml.next_element(level + 1)? {
            let at = stop.attribute("position").and_then(|at| Length::parse(&at));
            let Some(at) = at.filter(|_| own.tabs.len() < 64) else {
                continue;
            };
            // `char` aligns numbers at their decimal point, which is `Justify` in a tab stop of the tree.
            let alignment = match stop.attribute("type").as_deref() {
                Some("center") => Alignment::Centre,
                Some("right") => Alignment::End,
                Some("char") => Alignment::Justify,
                _ => Alignment::Start,
            };
            let leader = stop.attribute("leader-text");
            let leader = leader.and_then(|text| text.chars().find(|c| !c.is_whitespace()));
            own.tabs.push((at, Some(alignment), leader));
        }
    }
    Ok(())
}

/// Reads a drop cap (17.9). For a whole word, one letter is assumed, since the word is not known here.
fn drop_cap(element: &Element<'_>) -> Option<DropCap> {
    let number = |name| {
        let value = element.attribute(name);
        value.and_then(|value| value.parse::<u8>().ok())
    };
    // One line is not a drop cap.
    let lines = number("lines").filter(|lines| *lines > 1)?;
    let distance = element.attribute("distance");
    Some(DropCap {
        lines: lines.min(10),
        letters: number("length").unwrap_or(1).clamp(1, 20),
        in_margin: false,
        distance: distance
            .and_then(|distance| Length::parse(&distance))
            .unwrap_or_default(),
    })
}

/// Parses an alignment. `None` if it is unknown.
pub(super) fn alignment(value: &str) -> Option<Alignment> {
    Some(match value {
        "start" | "left" => Alignment::Start,
        "end" | "right" => Alignment::End,
        "center" => Alignment::Centre,
        "justify" => Alignment::Justify,
        _ => return None,
    })
}

/// Parses a line height: a percentage or a length.
fn line_height(value: &str) -> Option<LineHeight> {
    if let Some(percent) = value.strip_suffix('%') {
        let percent: f32 = percent.trim().parse().ok()?;
        return Some(LineHeight::Percent(percent.clamp(1.0, 10_000.0) as u16));
    }
    Length::parse(value).map(LineHeight::Exactly)
}

/// Sets the distances from the text to the borders on the sides that an attribute is named after (20.210).
/// Ignores all other attributes.
pub(super) fn pad(padding: &mut Edges, name: &str, length: Option<Length>) {
    let Some(length) = length else {
        return;
    };
    match name {
        "padding" => {
            *padding = Edges {
                top: length,
                right: length,
                bottom: length,
                left: length,
            };
        }
        "padding-top" => padding.top = length,
        "padding-right" => padding.right = length,
        "padding-bottom" => padding.bottom = length,
        "padding-left" => padding.left = length,
        _ => {}
    }
}

/// Sets the borders of the sides that an attribute is named after. Ignores all other attributes.
pub(super) fn border_attribute(borders: &mut Borders, name: &str, value: &str) {
    let line = border(value);
    match name {
        "border" => {
            *borders = Borders {
                top: line,
                end: line,
                bottom: line,
                start: line,
            }
        }
        "border-top" => borders.top = line,
        "border-bottom" => borders.bottom = line,
        "border-left" => borders.start = line,
        "border-right" => borders.end = line,
        _ => {}
    }
}

/// Parses a border such as `0.5pt solid #000000` (20.183).
fn border(value: &str) -> Option<Border> {
    // The default border has the width of a thin border.
    let mut border = Border {
        width: Length::points(0.5),
        colour: None,
        kind: LineKind::Solid,
        space: None,
    };
    for word in value.split_whitespace() {
        match word {
            "none" | "hidden" => return None,
            "solid" => {}
            "double" | "double-thin" | "groove" | "ridge" => border.kind = LineKind::Double,
            "dashed" | "dash-dot" | "dash-dot-dot" | "fine-dashed" => {
                border.kind = LineKind::Dashed;
            }
            "dotted" => border.kind = LineKind::Dotted,
            "thin" => border.width = Length::points(0.5),
            "medium" => border.width = Length::points(1.5),
            "thick" => border.width = Length::points(3.0),
            word if word.starts_with('#') => border.colour = Colour::parse(word),
            word => border.width = Length::parse(word).unwrap_or(border.width),
        }
    }
    if border.kind == LineKind::Double {
        // The width in the file includes both lines and the gap between them, the width in the tree only one line.
        border.width = border.width.scaled(1.0 / 3.0);
    }
    (border.width > Length::ZERO).then_some(border)
}

/// Reads `style:table-cell-properties`.
pub(super) fn cell(cell: &mut CellStyle, element: &Element<'_>) {
    for (name, value) in element.attributes() {
        match name {
            "background-color" => cell.background = Colour::parse(&value),
            // In the tree, `padding` is the left padding, which also applies to sides that state no padding.
            "padding" | "padding-left" => cell.padding = Length::parse(&value).or(cell.padding),
            "padding-right" => cell.padding_end = Length::parse(&value),
            "padding-top" => cell.padding_top = Length::parse(&value),
            "padding-bottom" => cell.padding_bottom = Length::parse(&value),
            "vertical-align" => {
                cell.vertical = match &*value {
                    "top" => Some(VerticalAlignment::Top),
                    "middle" => Some(VerticalAlignment::Middle),
                    "bottom" => Some(VerticalAlignment::Bottom),
                    _ => None,
                }
            }
            // Text from top to bottom.
            "writing-mode" => cell.turn = (&*value == "tb-rl").then_some(Turn::Down),
            // Angles are anticlockwise, in degrees.
            "rotation-angle" => {
                cell.turn = match value.trim_end_matches("deg") {
                    "90" => Some(Turn::Up),
                    "270" => Some(Turn::Down),
                    _ => None,
                }
            }
            name => border_attribute(&mut cell.borders, name, &value),
        }
    }
}

/// Parses a percentage such as `50%`, from above 0 up to 100.
pub(super) fn share(value: &str) -> Option<Width> {
    let percent: f32 = value.strip_suffix('%')?.trim().parse().ok()?;
    (percent > 0.0 && percent <= 100.0).then_some(Width::Share(percent / 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_are_read_in_css_syntax() {
        #[track_caller]
        fn check(value: &str, expected: Option<(f64, LineKind)>) {
            let border = border(value);
            let shape = border.map(|border| (border.width.to_points(), border.kind));
            assert_eq!(shape, expected, "{value}");
        }
        check("0.5pt solid #000000", Some((0.5, LineKind::Solid)));
        check("double 3pt", Some((1.0, LineKind::Double)));
        check("thin dotted #ff0000", Some((0.5, LineKind::Dotted)));
        check("none", None);
        check("0pt solid", None);
    }

    #[test]
    fn text_position_is_a_keyword_or_a_percentage() {
        #[track_caller]
        fn check(value: &str, expected: Raised) {
            assert_eq!(position(value), expected, "{value}");
        }
        check("super 58%", Raised::Above);
        check("sub", Raised::Below);
        check("33% 58%", Raised::Above);
        check("-33% 58%", Raised::Below);
        check("0% 100%", Raised::Not);
        check("", Raised::Not);
    }
}
