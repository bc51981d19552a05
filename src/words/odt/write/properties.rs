//! Writes formatting properties as attributes (OpenDocument 1.3, part 3, 20), if they differ from those of the base
//! style. Does not decide which properties a style has.

use super::super::ornaments;
use crate::containers::xml::Writer;
use convertd_office::wordprocessing::{
    Script, language_and_country, script_of_language, write::open_tab_stops,
};
use convertd_tree::{
    Alignment, Border, Borders, CellStyle, Direction, Hyphenation, Length, LineHeight, LineKind,
    Mark, ParagraphStyle, TextStyle, Turn, Underline, VerticalAlignment,
};

/// Formats a length in points, which all programs understand.
pub(super) fn points(length: Length) -> String {
    let text = format!("{:.3}", length.to_points());
    format!("{}pt", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Returns `style:paragraph-properties` with the attributes `more` and the properties in which `own` differs from
/// `base`. An empty string if there are no attributes and no properties.
pub(super) fn paragraph(
    own: &ParagraphStyle,
    base: &ParagraphStyle,
    more: &[(&str, String)],
) -> String {
    let mut xml = Writer::fragment();
    xml.start("style:paragraph-properties");
    let empty = xml.len();
    for (name, value) in more {
        xml.attribute(name, value);
    }
    /// Returns a property, if it differs from the same property of the base style.
    fn differs<T: PartialEq + Copy>(own: Option<T>, base: Option<T>) -> Option<T> {
        own.filter(|_| own != base)
    }
    // OpenDocument measures an indent to the border of the paragraph, not to its text.
    let start = |style: &ParagraphStyle| to_border(style.indent_start, style.borders.start);
    let end = |style: &ParagraphStyle| to_border(style.indent_end, style.borders.end);
    let lengths = [
        ("fo:margin-left", differs(start(own), start(base))),
        ("fo:margin-right", differs(end(own), end(base))),
        (
            "fo:margin-top",
            differs(own.space_before, base.space_before),
        ),
        (
            "fo:margin-bottom",
            differs(own.space_after, base.space_after),
        ),
        ("fo:text-indent", differs(own.first_line, base.first_line)),
    ];
    for (name, length) in lengths {
        if let Some(length) = length {
            xml.attribute(name, points(length));
        }
    }
    // LibreOffice takes `start` for left and `end` for right in text from right to left, too.
    let backwards = own.direction == Some(Direction::RightToLeft);
    let turns = backwards && own.direction != base.direction;
    let alignment = differs(own.alignment, base.alignment);
    let first = || own.alignment.unwrap_or(Alignment::Start);
    if let Some(alignment) = alignment.or_else(|| turns.then(first)) {
        let side = match alignment {
            Alignment::Start if backwards => "right",
            Alignment::End if backwards => "left",
            alignment => side(alignment),
        };
        xml.attribute("fo:text-align", side);
    }
    if own.contextual_spacing != base.contextual_spacing {
        let is_contextual = own.contextual_spacing;
        xml.attribute("style:contextual-spacing", is_contextual.to_string());
    }
    if let Some(height) = differs(own.line_height, base.line_height) {
        write_line_height(&mut xml, height);
    }
    // These properties are only switched on. If the base style switches one on, it stays on.
    for (name, is, was) in [
        ("fo:keep-with-next", own.keep_with_next, base.keep_with_next),
        ("fo:keep-together", own.keep_together, base.keep_together),
    ] {
        if is && !was {
            xml.attribute(name, "always");
        }
    }
    if own.page_break_before && !base.page_break_before {
        xml.attribute("fo:break-before", "page");
    }
    if let Some(background) = differs(own.background, base.background) {
        xml.attribute("fo:background-color", format!("#{}", background.hex()));
    }
    if let Some(direction) = differs(own.direction, base.direction) {
        xml.attribute("style:writing-mode", mode(direction));
    }
    // If the borders differ, those of all four sides are written, with their distances from the text if stated.
    if own.borders != base.borders {
        borders(&mut xml, &own.borders);
        paddings(&mut xml, &own.borders);
    }
    if own.uncounted && !base.uncounted {
        xml.attribute("text:number-lines", "false");
    }
    if own.boxed_apart && !base.boxed_apart {
        xml.attribute("style:join-border", "false");
    }
    // Tab stops replace those of the base style.
    if own.tabs != base.tabs {
        open_tab_stops(&mut xml, &own.tabs, points);
    }
    if xml.len() == empty {
        return String::new();
    }
    xml.finish()
}

/// Adds the attribute for the height of lines. Percentages and exact heights share an attribute.
fn write_line_height(xml: &mut Writer, height: LineHeight) {
    match height {
        LineHeight::Percent(percent) => {
            xml.attribute("fo:line-height", format!("{percent}%"));
        }
        LineHeight::Exactly(length) => {
            xml.attribute("fo:line-height", points(length));
        }
        LineHeight::AtLeast(length) => {
            xml.attribute("style:line-height-at-least", points(length));
        }
    }
}

/// Returns `style:text-properties`, or an empty string if there are no properties. A mark adds the property that shows
/// it, such as bold. A document has one font for all scripts, so family, size, weight and slant are also written for
/// Asian and complex scripts.
pub(super) fn text(text: &TextStyle, mark: Option<Mark>) -> String {
    text_of_paragraph(text, mark, None)
}

/// Like [`text`]. `hyphenation` states whether paragraphs are hyphenated, and with which limits. `None` leaves that to
/// their base style.
pub(super) fn text_of_paragraph(
    text: &TextStyle,
    mark: Option<Mark>,
    hyphenation: Option<Hyphenation>,
) -> String {
    let mut xml = Writer::fragment();
    xml.start("style:text-properties");
    let empty = xml.len();
    if let Some(own) = hyphenation {
        xml.attribute("fo:hyphenate", own.automatic.to_string());
        if own.automatic {
            xml.attribute("fo:hyphenation-remain-char-count", own.before.to_string())
                .attribute("fo:hyphenation-push-char-count", own.after.to_string());
        }
    }
    write_font(&mut xml, text, mark);
    if text.capitals {
        xml.attribute("fo:text-transform", "uppercase");
    }
    if text.outlined {
        xml.attribute("style:text-outline", "true");
    }
    if let Some(spacing) = text.spacing {
        xml.attribute("fo:letter-spacing", points(spacing));
    }
    if let Some(percent) = text.scale {
        xml.attribute("style:text-scale", format!("{percent}%"));
    }
    if let Some(colour) = text.colour {
        xml.attribute("fo:color", format!("#{}", colour.hex()));
    }
    if let Some(background) = text.background {
        xml.attribute("fo:background-color", format!("#{}", background.hex()));
    }
    if let Some(underline) = text.underline {
        ornaments::write_underline(&mut xml, underline);
    }
    if let Some(emphasis) = text.emphasis {
        ornaments::write_emphasis(&mut xml, emphasis);
    }
    if let Some(border) = text.border {
        xml.attribute("fo:border", line(border));
        if let Some(space) = border.space {
            xml.attribute("fo:padding", points(space));
        }
    }
    write_mark(&mut xml, text, mark);
    if let Some(tag) = text.language.as_deref() {
        write_language(&mut xml, tag);
    }
    if xml.len() == empty {
        return String::new();
    }
    xml.finish()
}

/// Adds the attributes for family, size, weight and slant, for all scripts. Marks take precedence over the text style.
fn write_font(xml: &mut Writer, text: &TextStyle, mark: Option<Mark>) {
    // The first font name in the list that is not empty.
    let mut fonts = text.font.iter().flat_map(|fonts| fonts.split(','));
    let family = fonts.find_map(|name| {
        let name = name.trim().trim_matches(['"', '\'']);
        (!name.is_empty()).then_some(name)
    });
    if let Some(family) = family {
        let quoted = if family.contains(' ') {
            format!("'{}'", family.replace('\'', ""))
        } else {
            family.to_owned()
        };
        for name in [
            "fo:font-family",
            "style:font-family-asian",
            "style:font-family-complex",
        ] {
            xml.attribute(name, &quoted);
        }
    }
    if let Some(size) = text.size.filter(|size| *size > Length::ZERO) {
        for name in [
            "fo:font-size",
            "style:font-size-asian",
            "style:font-size-complex",
        ] {
            xml.attribute(name, points(size));
        }
    }
    let bold = (mark == Some(Mark::Strong)).then_some(true).or(text.bold);
    if let Some(bold) = bold {
        let weight = if bold { "bold" } else { "normal" };
        for name in [
            "fo:font-weight",
            "style:font-weight-asian",
            "style:font-weight-complex",
        ] {
            xml.attribute(name, weight);
        }
    }
    let italic = (mark == Some(Mark::Emphasis))
        .then_some(true)
        .or(text.italic);
    if let Some(italic) = italic {
        let style = if italic { "italic" } else { "normal" };
        for name in [
            "fo:font-style",
            "style:font-style-asian",
            "style:font-style-complex",
        ] {
            xml.attribute(name, style);
        }
    }
}

/// Adds the attributes for a mark other than bold and italic text.
fn write_mark(xml: &mut Writer, text: &TextStyle, mark: Option<Mark>) {
    match mark {
        Some(Mark::Underline) => ornaments::write_underline(xml, Underline::default()),
        Some(Mark::Strikethrough) => {
            xml.attribute("style:text-line-through-style", "solid")
                .attribute("style:text-line-through-type", "single");
        }
        Some(Mark::SmallCaps) => {
            xml.attribute("fo:font-variant", "small-caps");
        }
        Some(Mark::Superscript) => {
            xml.attribute("style:text-position", "super 58%");
        }
        Some(Mark::Subscript) => {
            xml.attribute("style:text-position", "sub 58%");
        }
        // The reader recognises a highlight by this colour.
        Some(Mark::Highlight) if text.background.is_none() => {
            xml.attribute("fo:background-color", "#ffff00");
        }
        Some(Mark::Strong | Mark::Emphasis | Mark::Highlight) | None => {}
    }
}

/// Adds the language. East Asian and complex scripts have attributes of their own for it.
fn write_language(xml: &mut Writer, tag: &str) {
    let (language, country) = language_and_country(tag);
    let (first, second) = match script_of_language(tag) {
        Script::EastAsian => ("style:language-asian", "style:country-asian"),
        Script::Complex => ("style:language-complex", "style:country-complex"),
        Script::Latin => ("fo:language", "fo:country"),
    };
    xml.attribute(first, language).attribute(second, country);
}

/// Returns `style:table-cell-properties`.
pub(super) fn cell(style: &CellStyle) -> String {
    let mut xml = Writer::fragment();
    xml.start("style:table-cell-properties");
    if let Some(background) = style.background {
        xml.attribute("fo:background-color", format!("#{}", background.hex()));
    }
    if let Some(padding) = style.padding {
        xml.attribute("fo:padding", points(padding));
    }
    // The start has the padding of `fo:padding`.
    for (name, padding) in [
        ("fo:padding-right", style.padding_end),
        ("fo:padding-top", style.padding_top),
        ("fo:padding-bottom", style.padding_bottom),
    ] {
        if let Some(padding) = padding {
            xml.attribute(name, points(padding));
        }
    }
    if let Some(vertical) = style.vertical {
        let name = match vertical {
            VerticalAlignment::Top => "top",
            VerticalAlignment::Middle => "middle",
            VerticalAlignment::Bottom => "bottom",
        };
        xml.attribute("style:vertical-align", name);
    }
    // Text from top to bottom is a writing mode, and text from bottom to top a rotation.
    if let Some(turn) = style.turn {
        match turn {
            Turn::Down => xml.attribute("style:writing-mode", "tb-rl"),
            Turn::Up => xml.attribute("style:rotation-angle", "90"),
        };
    }
    borders(&mut xml, &style.borders);
    xml.finish()
}

/// Writes the borders of all four sides.
pub(super) fn borders(xml: &mut Writer, borders: &Borders) {
    for (name, border) in [
        ("fo:border-top", borders.top),
        ("fo:border-bottom", borders.bottom),
        ("fo:border-left", borders.start),
        ("fo:border-right", borders.end),
    ] {
        xml.attribute(name, border.map_or("none".to_owned(), line));
    }
}

/// Writes the distances from the text to the borders.
fn paddings(xml: &mut Writer, borders: &Borders) {
    for (name, border) in [
        ("fo:padding-top", borders.top),
        ("fo:padding-bottom", borders.bottom),
        ("fo:padding-left", borders.start),
        ("fo:padding-right", borders.end),
    ] {
        if let Some(space) = border.and_then(|border| border.space) {
            xml.attribute(name, points(space));
        }
    }
}

/// Converts the indent of text to the indent of its border. OpenDocument measures the indent to the border, and Word
/// to the text.
fn to_border(indent: Option<Length>, border: Option<Border>) -> Option<Length> {
    let distance = border.and_then(|border| border.room());
    distance.map_or(indent, |distance| {
        Some(indent.unwrap_or_default() - distance)
    })
}

/// Formats a border in the notation of CSS.
fn line(border: Border) -> String {
    let kind = match border.kind {
        LineKind::Solid => "solid",
        LineKind::Double => "double",
        LineKind::Dashed => "dashed",
        LineKind::Dotted => "dotted",
    };
    let colour = border
        .colour
        .map_or("000000".to_owned(), |colour| colour.hex());
    let width = match border.kind {
        // The width includes both lines and the gap between them.
        LineKind::Double => border.width.scaled(3.0),
        LineKind::Solid | LineKind::Dashed | LineKind::Dotted => border.width,
    };
    format!("{} {kind} #{colour}", points(width))
}

/// Value of `fo:text-align`.
pub(super) fn side(alignment: Alignment) -> &'static str {
    match alignment {
        Alignment::Start => "start",
        Alignment::Centre => "center",
        Alignment::End => "end",
        Alignment::Justify => "justify",
    }
}

/// Value of `style:writing-mode`.
fn mode(direction: Direction) -> &'static str {
    match direction {
        Direction::LeftToRight => "lr-tb",
        Direction::RightToLeft => "rl-tb",
    }
}
