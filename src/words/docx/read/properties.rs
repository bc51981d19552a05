//! Paragraph properties (ECMA-376 part 1, 17.3.1) and run properties (17.3.2), in styles and as direct formatting.
//! Resolves no styles.

use super::{
    framing::Framing,
    lengths::{half_points, twips},
};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::{
    Font, ParagraphProperties, Raised, RunProperties, emphasis_of_name, highlight, patterned,
    underline_of_name,
};
use convertd_tree::{Alignment, Border, Borders, Colour, Length, LineHeight, LineKind, Underline};

/// Direct formatting of a paragraph.
#[derive(Default)]
pub(super) struct DirectProperties<'a> {
    /// Properties of the paragraph.
    pub(super) paragraph: ParagraphProperties,
    /// Whether a tracked change deleted the paragraph mark, so that the next paragraph continues it.
    pub(super) joined: bool,
    /// Frame properties.
    pub(super) framing: Option<Framing>,
    /// Section properties, if the paragraph ends a section, as a reader at their content.
    pub(super) section: Option<Reader<'a>>,
}

/// Reads `w:rPr`, which is the innermost open element.
pub(super) fn run(xml: &mut Reader<'_>) -> Result<RunProperties> {
    let mut run = RunProperties::default();
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        add_to_run(&mut run, &element);
    }
    Ok(run)
}

/// Adds a run property (17.3.2). An unknown property changes nothing.
fn add_to_run(run: &mut RunProperties, element: &Element<'_>) {
    let value = || element.attribute("val").unwrap_or_default();
    // Elements of other namespaces are ignored, except for ligatures.
    match (element.space, element.name) {
        ("w", _) => {}
        // The element is defined in MS-DOCX, 2.6.1.3.
        ("w14", "ligatures") => return run.ligatures = Some(&*value() != "none"),
        _ => return,
    }
    match element.name {
        "rStyle" => run.style = Some(value().into()),
        // Elements whose names end with `Cs` apply to complex scripts.
        "b" => run.bold = Some(on(element)),
        "i" => run.italic = Some(on(element)),
        "bCs" => run.complex_bold = Some(on(element)),
        "iCs" => run.complex_italic = Some(on(element)),
        "szCs" => run.complex_size = half_points(&value()),
        "u" => match &*value() {
            "none" | "0" | "" => run.underlined(None),
            kind => {
                let colour = element.attribute("color");
                run.underlined(Some(Underline {
                    colour: colour.and_then(|colour| Colour::parse(&colour)),
                    ..underline_of_name(kind)
                }));
            }
        },
        "em" => run.emphasis = Some(emphasis_of_name(&value())),
        "bdr" => run.border = Some(border(element)),
        // Two elements set one property; `dstrike` cannot turn off the line that `strike` has set.
        "strike" | "dstrike" => {
            run.strike =
                Some(on(element) || (run.strike == Some(true) && element.name == "dstrike"));
        }
        "smallCaps" => run.small_caps = Some(on(element)),
        "caps" => run.capitals = Some(on(element)),
        "outline" => run.outlined = Some(on(element)),
        "vanish" => run.hidden = Some(on(element)),
        "vertAlign" => {
            run.raised = Some(match &*value() {
                "superscript" => Raised::Above,
                "subscript" => Raised::Below,
                _ => Raised::Not,
            });
        }
        "highlight" => match &*value() {
            "none" => run.highlight = Some(false),
            pen => run.highlighted(highlight(pen)),
        },
        // Space between letters.
        "spacing" => run.spacing = twips(&value()),
        "w" => {
            let percent = value().trim_end_matches('%').parse::<u16>().ok();
            // Word allows 1 to 600 percent.
            run.scale = percent.filter(|percent| (1..=600).contains(percent));
        }
        "position" => run.position = signed_half_points(&value()),
        // `w:kern` states the smallest font size with kerning; 0 turns kerning off (17.3.2.19). In the tree, -1 point
        // turns it off.
        "kern" => {
            let from = signed_half_points(&value()).filter(|from| *from > Length::ZERO);
            run.kerned_from = Some(from.unwrap_or(Length::points(-1.0)));
        }
        "sz" => run.size = half_points(&value()),
        "color" => run.colour = Some(Colour::parse(&value())),
        "shd" => run.shaded(shading(element)),
        "rtl" => run.right_to_left = Some(on(element)),
        "lang" => {
            let language = |name: &str| {
                let tag = element.attribute(name);
                // Tags of less than 2 or more than 35 bytes are damage, and are ignored.
                tag.filter(|tag| tag.len() >= 2 && tag.len() < 36)
                    .map(Into::into)
            };
            run.language = language("val");
            run.east_asian_language = language("eastAsia");
        }
        "rFonts" => {
            // Fonts for each group of scripts.
            for (name, value) in element.attributes() {
                let font = match name {
                    "ascii" | "asciiTheme" => &mut run.latin,
                    "eastAsia" | "eastAsiaTheme" => &mut run.east_asian,
                    "cs" | "cstheme" => &mut run.complex,
                    _ => continue,
                };
                // A theme font takes precedence over a font name in the same element (17.3.2.26).
                if name.to_ascii_lowercase().ends_with("theme") {
                    *font = Some(Font::Theme(value.into()));
                } else if !matches!(font, Some(Font::Theme(_))) {
                    *font = Some(Font::Named(value.into()));
                }
            }
        }
        _ => {}
    }
}

/// Reads `w:pPr`, which is the innermost open element, in a style or in a level of a list. Frame properties, section
/// properties and tracked changes are dropped.
pub(super) fn paragraph(xml: &mut Reader<'_>) -> Result<ParagraphProperties> {
    Ok(DirectProperties::read(xml)?.paragraph)
}

/// Adds a paragraph property (17.3.1), which may have elements of its own.
fn add_to_paragraph(
    paragraph: &mut ParagraphProperties,
    xml: &mut Reader<'_>,
    element: &Element<'_>,
) -> Result<()> {
    let value = || element.attribute("val").unwrap_or_default();
    match element.name {
        "pStyle" => paragraph.style = Some(value().into()),
        "numPr" => {
            let level = xml.level();
            while let Some(child) = xml.next_element(level)? {
                let number = child.attribute("val").and_then(|value| value.parse().ok());
                // Lists have nine levels, so a deeper level counts as the ninth.
                match child.name {
                    "numId" => paragraph.list = number,
                    "ilvl" => paragraph.list_level = number.map(|level: u32| level.min(8) as u8),
                    _ => {}
                }
            }
        }
        "outlineLvl" => paragraph.outline = value().parse().ok(),
        "jc" => {
            paragraph.alignment = Some(alignment(&value()));
        }
        "ind" => {
            for (name, value) in element.attributes() {
                let Some(length) = twips(&value) else {
                    continue;
                };
                match name {
                    // The start and the end are relative to the writing direction.
                    "left" | "start" => paragraph.indent_start = Some(length),
                    "right" | "end" => paragraph.indent_end = Some(length),
                    // `hanging` takes precedence over `firstLine` in the same element (17.3.1.12).
                    "firstLine" => {
                        paragraph.first_line = paragraph
                            .first_line
                            .filter(|own| *own < Length::ZERO)
                            .or(Some(length))
                    }
                    "hanging" => paragraph.first_line = Some(Length::ZERO - length),
                    _ => {}
                }
            }
        }
        "spacing" => add_spacing(paragraph, element),
        "contextualSpacing" => paragraph.contextual_spacing = Some(on(element)),
        "snapToGrid" => paragraph.snap_to_grid = Some(on(element)),
        "keepNext" => paragraph.keep_with_next = Some(on(element)),
        "keepLines" => paragraph.keep_together = Some(on(element)),
        "suppressLineNumbers" => paragraph.uncounted = Some(on(element)),
        "suppressAutoHyphens" => paragraph.hyphenated = Some(!on(element)),
        "pageBreakBefore" => paragraph.page_break_before = Some(on(element)),
        "bidi" => paragraph.right_to_left = Some(on(element)),
        "shd" => paragraph.background = Some(shading(element)),
        "pBdr" => {
            let level = xml.level();
            let mut borders = Borders::default();
            while let Some(child) = xml.next_element(level)? {
                set_border(&mut borders, &child);
            }
            paragraph.borders = Some(borders);
        }
        "tabs" => {
            let level = xml.level();
            while let Some(child) = xml.next_element(level)? {
                add_tab(paragraph, &child);
            }
        }
        _ => {}
    }
    Ok(())
}

/// Reads `w:spacing` (17.3.1.33): distances in twips, and the line height, which is in 240ths of a line or in twips,
/// depending on its rule.
fn add_spacing(paragraph: &mut ParagraphProperties, element: &Element<'_>) {
    let mut line = None;
    let mut rule = None;
    // "Auto" spacing takes precedence over the distance, and a rule changes the line height. Either may come before or
    // after the attribute that it applies to, so both are applied after all attributes.
    let (mut auto_before, mut auto_after) = (false, false);
    for (name, value) in element.attributes() {
        match name {
            "before" => paragraph.space_before = twips(&value),
            "after" => paragraph.space_after = twips(&value),
            "beforeAutospacing" => auto_before = is_on(&value),
            "afterAutospacing" => auto_after = is_on(&value),
            "line" => line = twips(&value),
            "lineRule" => rule = Some(value),
            _ => {}
        }
    }
    // "Auto" spacing imitates HTML, with 14 points between paragraphs.
    if auto_before {
        paragraph.space_before = Some(Length::points(14.0));
    }
    if auto_after {
        paragraph.space_after = Some(Length::points(14.0));
    }
    let Some(line) = line else { return };
    paragraph.line_height = Some(match rule.as_deref() {
        Some("exact") => LineHeight::Exactly(line),
        Some("atLeast") => LineHeight::AtLeast(line),
        // With any other rule, and without a rule, the value is in 240ths of a line.
        _ => LineHeight::Percent((line.to_twips() * 100 / 240).clamp(1, 10_000) as u16),
    });
}

/// Reads a tab stop (17.3.1.37). The alignment `clear` removes an inherited tab stop at the same position.
fn add_tab(paragraph: &mut ParagraphProperties, element: &Element<'_>) {
    let Some(at) = element.attribute("pos").and_then(|value| twips(&value)) else {
        return;
    };
    let alignment = match element.attribute("val").as_deref() {
        Some("clear") => None,
        Some("center") => Some(Alignment::Centre),
        Some("right" | "end") => Some(Alignment::End),
        // For tab stops, `Justify` means alignment at the decimal point.
        Some("decimal") => Some(Alignment::Justify),
        _ => Some(Alignment::Start),
    };
    let leader = match element.attribute("leader").as_deref() {
        Some("dot" | "middleDot") => Some('.'),
        Some("hyphen") => Some('-'),
        Some("underscore" | "heavy") => Some('_'),
        _ => None,
    };
    // Word allows 64 tab stops. Further ones are ignored.
    if paragraph.tabs.len() < 64 {
        paragraph.tabs.push((at, alignment, leader));
    }
}

impl<'a> DirectProperties<'a> {
    /// Reads `w:pPr`, which is the innermost open element, as direct formatting.
    pub(super) fn read(xml: &mut Reader<'a>) -> Result<Self> {
        let mut direct = Self::default();
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match (element.space, element.name) {
                ("w", "framePr") => direct.framing = Some(Framing::read(&element)),
                ("w", "sectPr") => direct.section = Some(xml.clone()),
                ("w", "rPr") => {
                    // Tracked changes of the paragraph mark.
                    let level = xml.level();
                    while let Some(child) = xml.next_element(level)? {
                        direct.joined |=
                            child.space == "w" && matches!(child.name, "del" | "moveFrom");
                    }
                }
                ("w", _) => add_to_paragraph(&mut direct.paragraph, xml, &element)?,
                _ => {}
            }
        }
        Ok(direct)
    }
}

/// Value of a toggle property. It is on if the element has no value (17.17.4).
pub(super) fn on(element: &Element<'_>) -> bool {
    element.attribute("val").is_none_or(|value| is_on(&value))
}

/// Parses a boolean (ST_OnOff).
pub(super) fn is_on(value: &str) -> bool {
    !matches!(value, "0" | "false" | "off" | "none")
}

/// Parses a signed measure in half points.
fn signed_half_points(value: &str) -> Option<Length> {
    let halves = value.parse::<f64>().ok();
    // Numbers from 4000 on are damage.
    let halves = halves.filter(|halves| halves.abs() < 4000.0);
    halves.map_or_else(
        || Length::parse(value),
        |halves| Some(Length::points(halves / 2.0)),
    )
}

/// Colour of a shading (17.3.5): the colour of the fill, mixed with the colour of the pattern.
pub(super) fn shading(element: &Element<'_>) -> Option<Colour> {
    let fill = element
        .attribute("fill")
        .and_then(|fill| Colour::parse(&fill));
    let colour = element.attribute("color");
    let colour = colour.and_then(|colour| Colour::parse(&colour));
    let pattern = element.attribute("val");
    patterned(colour, fill, pattern.as_deref().map_or(0, share))
}

/// Returns the share of the area that the lines or dots of a pattern cover, in thousandths (ST_Shd, 17.18.78).
/// Hatchings cover about a third, and thin hatchings about a sixth.
fn share(pattern: &str) -> u32 {
    let percent = pattern.strip_prefix("pct");
    match percent.and_then(|percent| percent.parse::<u32>().ok()) {
        // The names `pct12`, `pct37`, `pct62` and `pct87` are rounded down, for example from 12.5 percent.
        Some(12) => 125,
        Some(37) => 375,
        Some(62) => 625,
        Some(87) => 875,
        Some(percent) => percent.min(100) * 10,
        None if pattern == "solid" => 1000,
        None if pattern.starts_with("thin") => 166,
        None if pattern.ends_with("Stripe") || pattern.ends_with("Cross") => 333,
        None => 0,
    }
}

/// Parses an alignment (ST_Jc).
pub(super) fn alignment(value: &str) -> Alignment {
    match value {
        "center" => Alignment::Centre,
        "right" | "end" => Alignment::End,
        "both" | "distribute" => Alignment::Justify,
        _ => Alignment::Start,
    }
}

/// Sets the border of the side that the element is named after.
pub(super) fn set_border(borders: &mut Borders, element: &Element<'_>) {
    let side = match element.name {
        "top" => &mut borders.top,
        "bottom" => &mut borders.bottom,
        "left" | "start" => &mut borders.start,
        "right" | "end" => &mut borders.end,
        _ => return,
    };
    *side = border(element);
}

/// Reads a border (17.3.4). `None` if the kind of line is missing, `nil` or `none`.
pub(super) fn border(element: &Element<'_>) -> Option<Border> {
    let kind = match element.attribute("val").as_deref() {
        None | Some("nil" | "none") => return None,
        // Kinds of lines that have no equivalent are replaced by the most similar kind.
        Some("double" | "triple") => LineKind::Double,
        Some(dashed) if dashed.starts_with("dash") || dashed.starts_with("dotD") => {
            LineKind::Dashed
        }
        Some("dotted") => LineKind::Dotted,
        Some(_) => LineKind::Solid,
    };
    // The width is in eighths of a point.
    let eighths = element
        .attribute("sz")
        .and_then(|size| size.parse::<f64>().ok());
    Some(Border {
        width: Length::points(eighths.unwrap_or(4.0).clamp(0.0, 96.0) / 8.0),
        colour: element
            .attribute("color")
            .and_then(|colour| Colour::parse(&colour)),
        kind,
        // The distance to the text is in points, at most 31 (17.3.4).
        space: element
            .attribute("space")
            .and_then(|space| space.parse::<f64>().ok())
            .map(|space| Length::points(space.clamp(0.0, 31.0))),
    })
}

#[cfg(test)]
mod tests {
    use super::{super::super::NAMESPACES, *};
    use crate::job::testing::with_job;

    #[test]
    fn shading_patterns_mix_both_colours() {
        #[track_caller]
        fn check(pattern: &str, expected: [u8; 3]) {
            let (front, back) = (Colour(0, 0, 0), Colour(200, 100, 0));
            let [red, green, blue] = expected;
            let mixed = patterned(Some(front), Some(back), share(pattern));
            assert_eq!(mixed, Some(Colour(red, green, blue)), "{pattern}");
        }
        check("clear", [200, 100, 0]);
        check("nil", [200, 100, 0]);
        check("solid", [0, 0, 0]);
        check("pct25", [150, 75, 0]);
        check("pct12", [175, 87, 0]);
        check("diagStripe", [133, 66, 0]);
        check("thinHorzCross", [166, 83, 0]);
        // Grey, without stated colours.
        assert_eq!(
            patterned(None, None, share("pct50")),
            Some(Colour(127, 127, 127))
        );
    }

    #[test]
    fn automatic_spacing_takes_precedence_in_any_order() {
        for attributes in [
            "w:before='40' w:beforeAutospacing='1' w:afterAutospacing='0' w:after='60'",
            "w:beforeAutospacing='1' w:before='40' w:after='60' w:afterAutospacing='0'",
        ] {
            let text = format!(
                "<w:pPr xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:spacing {attributes}/></w:pPr>"
            );
            let read = with_job(|job| {
                let mut xml = Reader::new(job, &text, NAMESPACES);
                xml.root()?;
                paragraph(&mut xml)
            });
            let read = read.expect("properties");
            assert_eq!(
                read.space_before,
                Some(Length::points(14.0)),
                "{attributes}"
            );
            assert_eq!(read.space_after, Some(Length::points(3.0)), "{attributes}");
        }
    }
}
