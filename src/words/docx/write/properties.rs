//! Writes paragraph and run properties in the order of the schema (ECMA-376 part 1, 17.3.1 and 17.3.2). The order
//! matters: Word reports a file with another order as corrupt. Resolves no styles.

use super::frames;
use crate::containers::xml::Writer;
use convertd_office::wordprocessing::{
    Script, emphasis_names, pen, script_of_language, underline_names, usual_tag,
};
use convertd_tree::{
    Alignment, Border, Borders, Colour, Direction, Frame, Length, LineHeight, LineKind, Mark,
    ParagraphStyle, TextStyle,
};

/// Run properties.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// Marks such as bold text.
    pub(super) marks: Vec<Mark>,
    /// Text style.
    pub(super) text: TextStyle,
    /// Whether the run is inline code.
    pub(super) code: bool,
    /// Whether the run is in a link.
    pub(super) link: bool,
}

impl Run {
    /// Returns whether the run has a mark.
    fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    /// Writes `w:rPr`, unless it would be empty.
    pub(super) fn write(&self, xml: &mut Writer) {
        let has_properties = self.code || self.link || !self.marks.is_empty();
        if !has_properties && self.text == TextStyle::default() {
            return;
        }
        xml.start("w:rPr");
        if self.code {
            value(xml, "w:rStyle", "VerbatimChar");
        } else if self.link {
            value(xml, "w:rStyle", "Hyperlink");
        }
        // Bold and italic marks take precedence over the text style.
        let text = TextStyle {
            bold: self.has(Mark::Strong).then_some(true).or(self.text.bold),
            italic: self
                .has(Mark::Emphasis)
                .then_some(true)
                .or(self.text.italic),
            ..self.text.clone()
        };
        text_properties(xml, &text, &self.marks);
        xml.end();
    }
}

/// Writes the properties of a text style and of marks, without an enclosing element.
pub(super) fn text_properties(xml: &mut Writer, text: &TextStyle, marks: &[Mark]) {
    let marked = |mark| marks.contains(&mark);
    if let Some(fonts) = &text.font {
        font(xml, fonts);
    }
    // The second element of each pair applies to complex scripts.
    for (names, is) in [
        (["w:b", "w:bCs"], text.bold),
        (["w:i", "w:iCs"], text.italic),
    ] {
        if let Some(is) = is {
            for name in names {
                flag(xml, name, is);
            }
        }
    }
    if text.capitals {
        flag(xml, "w:caps", true);
    }
    if marked(Mark::SmallCaps) {
        flag(xml, "w:smallCaps", true);
    }
    if marked(Mark::Strikethrough) {
        flag(xml, "w:strike", true);
    }
    if text.outlined {
        flag(xml, "w:outline", true);
    }
    if let Some(colour) = text.colour {
        value(xml, "w:color", &hex(colour));
    }
    // Space between letters, in twentieths of a point.
    if let Some(spacing) = text.spacing {
        value(xml, "w:spacing", &spacing.to_twips().to_string());
    }
    if let Some(percent) = text.scale {
        value(xml, "w:w", &percent.to_string());
    }
    // Converts a length to half points.
    let halves = |length: Length| (length.to_points() * 2.0).round().to_string();
    if let Some(from) = text.kerned_from {
        value(xml, "w:kern", &halves(from.max(Length::ZERO)));
    }
    if let Some(raised) = text.raised {
        value(xml, "w:position", &halves(raised));
    }
    // Limits of Word: 1 to 1638 points.
    if let Some(size) = text.size {
        let halves = (size.to_points() * 2.0)
            .round()
            .clamp(2.0, 3276.0)
            .to_string();
        value(xml, "w:sz", &halves);
        value(xml, "w:szCs", &halves);
    }
    // Highlights have one of 16 colours.
    if marked(Mark::Highlight) {
        value(xml, "w:highlight", pen(text.background));
    }
    if marked(Mark::Underline) {
        let look = text.underline.unwrap_or_default();
        xml.start("w:u").attribute("w:val", underline_names(look).0);
        if let Some(colour) = look.colour {
            xml.attribute("w:color", hex(colour));
        }
        xml.end();
    }
    if let Some(line) = text.border {
        border(xml, "w:bdr", line);
    }
    if let Some(background) = text.background {
        shading(xml, background);
    }
    if marked(Mark::Superscript) {
        value(xml, "w:vertAlign", "superscript");
    } else if marked(Mark::Subscript) {
        value(xml, "w:vertAlign", "subscript");
    }
    if text.direction == Some(Direction::RightToLeft) {
        flag(xml, "w:rtl", true);
    }
    if let Some(mark) = text.emphasis {
        value(xml, "w:em", emphasis_names(mark).0);
    }
    if let Some(language) = &text.language {
        self::language(xml, language);
    }
}

/// Writes the font of all scripts.
fn font(xml: &mut Writer, fonts: &str) {
    // Word has no lists of alternative fonts, so only the first name is written.
    let mut families = fonts
        .split(',')
        .map(|name| name.trim().trim_matches(['"', '\'']));
    if let Some(family) = families.find(|family| !family.is_empty()) {
        xml.start("w:rFonts");
        for name in ["w:ascii", "w:hAnsi", "w:eastAsia", "w:cs"] {
            xml.attribute(name, family);
        }
        xml.end();
    }
}

/// Writes the language of a text.
fn language(xml: &mut Writer, language: &str) {
    xml.start("w:lang");
    // `w:lang` has an attribute for each group of scripts. A language that is neither East Asian nor right-to-left
    // belongs in `w:val`.
    let name = match script_of_language(language) {
        Script::EastAsian => "w:eastAsia",
        Script::Complex => "w:bidi",
        Script::Latin => "w:val",
    };
    xml.attribute(name, usual_tag(language)).end();
}

/// Identifier of the style of a paragraph, and properties that follow from its position.
#[derive(Debug, Default)]
pub(super) struct PositionProperties<'a> {
    /// Identifier of the paragraph style.
    pub(super) style: Option<&'a str>,
    /// List number and level.
    pub(super) list: Option<(u32, usize)>,
    /// Whether the paragraph must be on the same page as the next paragraph.
    pub(super) keep_with_next: bool,
    /// Alignment of the enclosing table cell.
    pub(super) alignment: Option<Alignment>,
    /// Whether text is written from right to left.
    pub(super) right_to_left: bool,
    /// Section properties, if the paragraph ends a section.
    pub(super) section: Option<&'a str>,
    /// The enclosing frame.
    pub(super) frame: Option<&'a Frame>,
}

/// Writes `w:pPr`, unless it would be empty: the properties of `place`, and those properties of `own` that differ from
/// `base`, the formatting of the paragraph's style.
pub(super) fn paragraph(
    xml: &mut Writer,
    place: &PositionProperties<'_>,
    own: &ParagraphStyle,
    base: &ParagraphStyle,
) {
    let mut inner = Writer::fragment();
    if let Some(style) = place.style {
        value(&mut inner, "w:pStyle", style);
    }
    look(&mut inner, place, own, base);
    if let Some(section) = place.section {
        inner.raw(section);
    }
    if !inner.is_empty() {
        xml.start("w:pPr").raw(&inner.finish()).end();
    }
}

/// Writes the content of `w:pPr` without the identifier of the style and the section properties.
pub(super) fn look(
    xml: &mut Writer,
    place: &PositionProperties<'_>,
    own: &ParagraphStyle,
    base: &ParagraphStyle,
) {
    // The order of the following properties is that of the schema.
    if place.keep_with_next || own.keep_with_next != base.keep_with_next {
        flag(
            xml,
            "w:keepNext",
            place.keep_with_next || own.keep_with_next,
        );
    }
    if own.keep_together != base.keep_together {
        flag(xml, "w:keepLines", own.keep_together);
    }
    if own.page_break_before != base.page_break_before {
        flag(xml, "w:pageBreakBefore", own.page_break_before);
    }
    if let Some(frame) = place.frame {
        frames::of_paragraph(xml, frame);
    }
    // `w:numPr` overrides the list of the style.
    if let Some((list, level)) = place.list {
        xml.start("w:numPr");
        value(xml, "w:ilvl", &level.to_string());
        value(xml, "w:numId", &list.to_string());
        xml.end();
    }
    if own.uncounted != base.uncounted {
        flag(xml, "w:suppressLineNumbers", own.uncounted);
    }
    if own.borders != base.borders {
        xml.start("w:pBdr");
        borders(
            xml,
            &own.borders,
            ["w:top", "w:left", "w:bottom", "w:right"],
        );
        xml.end();
    }
    // `auto` removes the background of the style.
    if own.background != base.background {
        match own.background {
            Some(colour) => shading(xml, colour),
            None => {
                xml.start("w:shd")
                    .attribute("w:val", "clear")
                    .attribute("w:fill", "auto")
                    .end();
            }
        }
    }
    tabs(xml, own, base);
    if own.hyphenated != base.hyphenated {
        // If only the style states whether to hyphenate, the opposite restores the default of the document.
        let is = own.hyphenated.or(base.hyphenated.map(|was| !was));
        flag(xml, "w:suppressAutoHyphens", is == Some(false));
    }
    let direction = |style: &ParagraphStyle| style.direction == Some(Direction::RightToLeft);
    if place.right_to_left || direction(own) != direction(base) {
        flag(xml, "w:bidi", place.right_to_left || direction(own));
    }
    spacing(xml, own, base);
    indents(xml, own, base);
    if own.contextual_spacing != base.contextual_spacing {
        flag(xml, "w:contextualSpacing", own.contextual_spacing);
    }
    // The alignment of a table cell applies to paragraphs that state no alignment.
    let alignment = own.alignment.or(place.alignment);
    if alignment != base.alignment {
        value(xml, "w:jc", side(alignment.unwrap_or(Alignment::Start)));
    }
}

/// Writes the tab stops, if they differ from those of the style. Stops that only the style has are cleared.
fn tabs(xml: &mut Writer, own: &ParagraphStyle, base: &ParagraphStyle) {
    if own.tabs == base.tabs {
        return;
    }
    xml.start("w:tabs");
    let mut all: Vec<(Length, Option<_>)> =
        own.tabs.iter().map(|tab| (tab.at, Some(tab))).collect();
    // Tab stops of the style must be removed explicitly.
    for gone in &base.tabs {
        if !own.tabs.iter().any(|tab| tab.at == gone.at) {
            all.push((gone.at, None));
        }
    }
    all.sort_by_key(|(at, _)| *at);
    for (at, tab) in all {
        xml.start("w:tab");
        let kind = match tab.map(|tab| tab.alignment) {
            None => "clear",
            Some(Alignment::Start) => "left",
            Some(Alignment::Centre) => "center",
            Some(Alignment::End) => "right",
            Some(Alignment::Justify) => "decimal",
        };
        xml.attribute("w:val", kind);
        let leader = match tab.and_then(|tab| tab.leader) {
            Some('.') => Some("dot"),
            Some('-') => Some("hyphen"),
            Some('_') => Some("underscore"),
            _ => None,
        };
        if let Some(leader) = leader {
            xml.attribute("w:leader", leader);
        }
        xml.number("w:pos", at.to_twips()).end();
    }
    xml.end();
}

/// Writes spacing and line height, where they differ from those of the style. A percentage is written in 240ths of a
/// line.
fn spacing(xml: &mut Writer, own: &ParagraphStyle, base: &ParagraphStyle) {
    let differs = |own: Option<Length>, base: Option<Length>| own.filter(|_| own != base);
    let before = differs(own.space_before, base.space_before);
    let after = differs(own.space_after, base.space_after);
    let line = own
        .line_height
        .filter(|line| Some(*line) != base.line_height);
    if before.is_none() && after.is_none() && line.is_none() {
        return;
    }
    xml.start("w:spacing");
    if let Some(before) = before {
        xml.number("w:before", before.to_twips().max(0));
    }
    if let Some(after) = after {
        xml.number("w:after", after.to_twips().max(0));
    }
    if let Some(line) = line {
        let (height, rule) = match line {
            LineHeight::Percent(percent) => (i64::from(percent) * 240 / 100, "auto"),
            LineHeight::Exactly(height) => (height.to_twips(), "exact"),
            LineHeight::AtLeast(height) => (height.to_twips(), "atLeast"),
        };
        xml.number("w:line", height).attribute("w:lineRule", rule);
    }
    xml.end();
}

/// Writes indents, where they differ from those of the style. A negative first-line indent is written as `hanging`.
fn indents(xml: &mut Writer, own: &ParagraphStyle, base: &ParagraphStyle) {
    let differs = |own: Option<Length>, base: Option<Length>| {
        (own.unwrap_or_default() != base.unwrap_or_default())
            .then(|| own.unwrap_or_default().to_twips())
    };
    let start = differs(own.indent_start, base.indent_start);
    let end = differs(own.indent_end, base.indent_end);
    let first = differs(own.first_line, base.first_line);
    if start.is_none() && end.is_none() && first.is_none() {
        return;
    }
    xml.start("w:ind");
    if let Some(start) = start {
        xml.number("w:left", start);
    }
    if let Some(end) = end {
        xml.number("w:right", end);
    }
    match first {
        Some(first @ ..0) => {
            xml.number("w:hanging", -first);
        }
        Some(first) => {
            xml.number("w:firstLine", first);
        }
        None => {}
    }
    xml.end();
}

/// Writes borders. `names` are the element names in the order top, start, bottom, end.
pub(super) fn borders(xml: &mut Writer, borders: &Borders, names: [&'static str; 4]) {
    let sides = [borders.top, borders.start, borders.bottom, borders.end];
    for (name, side) in names.into_iter().zip(sides) {
        if let Some(side) = side {
            border(xml, name, side);
        }
    }
}

/// Writes a border. Its width is in eighths of a point, and its distance in points.
fn border(xml: &mut Writer, name: &'static str, border: Border) {
    let kind = match border.kind {
        LineKind::Solid => "single",
        LineKind::Double => "double",
        LineKind::Dashed => "dashed",
        LineKind::Dotted => "dotted",
    };
    // The limits are those of Word.
    let eighths = (border.width.to_points() * 8.0).round().clamp(2.0, 96.0) as i64;
    xml.start(name)
        .attribute("w:val", kind)
        .number("w:sz", eighths);
    let colour = border.colour.map_or_else(|| "auto".to_owned(), hex);
    let space = border.space.map_or(0.0, Length::to_points).round();
    xml.number("w:space", space.clamp(0.0, 31.0) as i64)
        .attribute("w:color", colour)
        .end();
}

/// Writes shading of a single colour.
pub(super) fn shading(xml: &mut Writer, colour: Colour) {
    xml.start("w:shd")
        .attribute("w:val", "clear")
        .attribute("w:color", "auto");
    xml.attribute("w:fill", hex(colour)).end();
}

/// Writes an element with the attribute `w:val`.
pub(super) fn value(xml: &mut Writer, name: &'static str, value: &str) {
    xml.start(name).attribute("w:val", value).end();
}

/// Writes a toggle property.
pub(super) fn flag(xml: &mut Writer, name: &'static str, on: bool) {
    xml.start(name);
    if !on {
        xml.attribute("w:val", "0");
    }
    xml.end();
}

/// Value of `w:jc`. In right-to-left paragraphs, "left" means the start, which is on the right.
pub(super) fn side(alignment: Alignment) -> &'static str {
    match alignment {
        Alignment::Start => "left",
        Alignment::Centre => "center",
        Alignment::End => "right",
        Alignment::Justify => "both",
    }
}

/// Colour in hexadecimal, as Word writes it.
fn hex(colour: Colour) -> String {
    colour.hex().to_ascii_uppercase()
}
