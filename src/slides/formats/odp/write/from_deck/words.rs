//! Writes the text of shapes and cells (OpenDocument 1.3, part 3, 5, 6 and 20.183 to 20.400). The styles of paragraphs
//! and runs have no parents.

use super::{DIRECTIONS, frames::Writing, length, looks::percent};
use crate::{
    containers::xml::Writer,
    counters::Counters,
    deck::{Body, Bullet, Caps, ComputedStyle, Paragraph, Run, Spacing, Words},
    error::Result,
    formats::odp::write::text,
};
use convertd_office::wordprocessing::{
    language_and_country, uri_reference,
    write::{open_delimiter, open_numeral, open_tab_stops},
};
use convertd_tree::{Alignment, Numbering, VerticalAlignment};

/// Height of a line as a multiple of the font size.
const LINE: f64 = 1.2;

impl Writing<'_, '_> {
    /// Writes the attributes of a frame that concern its text.
    pub(super) fn body(&mut self, xml: &mut Writer, body: &Body) {
        xml.attribute("draw:textarea-vertical-align", anchor(body.anchor))
            .attribute("draw:auto-grow-height", "false")
            .attribute("draw:auto-grow-width", "false")
            .attribute(
                "fo:wrap-option",
                if body.wraps { "wrap" } else { "no-wrap" },
            );
        paddings(xml, body);
        if body.turn == 90.0 {
            xml.attribute("style:writing-mode", "tb-rl");
        } else if body.turn != 0.0 {
            self.losses.add(&DIRECTIONS);
        }
    }

    /// Writes paragraphs. Each item of a list is a list of its own, with its number as the start.
    pub(super) fn paragraphs(&mut self, xml: &mut Writer, paragraphs: &[Paragraph]) -> Result<()> {
        let mut counters = Counters::default();
        for paragraph in paragraphs {
            self.hold(xml)?;
            let number = counters.count(paragraph);
            let level = usize::from(paragraph.level.min(8));
            let list = self.list(paragraph);
            let depth = list.as_ref().map_or(0, |_| level + 1);
            for nth in 0..depth {
                xml.start("text:list");
                if let (0, Some(style)) = (nth, &list) {
                    xml.attribute("text:style-name", style);
                }
                xml.start("text:list-item");
                if let Some(number) = number.filter(|_| nth == level) {
                    xml.number("text:start-value", number);
                }
            }
            let style = self.paragraph_style(paragraph, list.is_some());
            xml.start("text:p").attribute("text:style-name", style);
            for run in &paragraph.runs {
                self.run(xml, run);
            }
            xml.end();
            for _ in 0..depth {
                xml.end().end();
            }
        }
        if paragraphs.is_empty() {
            xml.start("text:p").end();
        }
        Ok(())
    }

    /// Returns the list style of a paragraph. `None` for a paragraph without a bullet or without text.
    fn list(&mut self, paragraph: &Paragraph) -> Option<String> {
        let element = match &paragraph.bullet {
            _ if paragraph.is_blank() => return None,
            Bullet::None => return None,
            Bullet::Character(bullet) if bullet.trim().is_empty() => return None,
            Bullet::Character(_) | Bullet::Picture(_) => "text:list-level-style-bullet",
            Bullet::Number(_) => "text:list-level-style-number",
        };
        let mut xml = Writer::fragment();
        xml.start(element)
            .attribute("text:level", (paragraph.level.min(8) + 1).to_string());
        match &paragraph.bullet {
            Bullet::Character(bullet) => {
                let first = bullet.chars().next().unwrap_or('•');
                xml.attribute("text:bullet-char", first.to_string());
            }
            Bullet::Number(numbering) => self::numbering(&mut xml, numbering),
            Bullet::None | Bullet::Picture(_) => _ = xml.attribute("text:bullet-char", "•"),
        }
        let (margin, indent) = paragraph.indents;
        xml.start("style:list-level-properties")
            .attribute("text:space-before", length((margin + indent).max(0.0)))
            .attribute("text:min-label-width", length((-indent).max(0.0)))
            .end();
        let look = &paragraph.bullet_look;
        let first = paragraph
            .runs
            .first()
            .map_or(&paragraph.look, |run| &run.look);
        xml.start("style:text-properties");
        if let Some(font) = &look.font {
            xml.attribute("fo:font-family", family(font));
        }
        let size = look
            .scale
            .or(look.size.map(|size| size / first.size.max(1.0)));
        xml.attribute("fo:color", look.colour.unwrap_or(first.colour).hex())
            .attribute("fo:font-size", percent(size.unwrap_or(1.0).clamp(0.1, 4.0)))
            .end();
        Some(self.styles.list(xml))
    }

    /// Returns the style of a paragraph. Items of a list are indented by their list.
    fn paragraph_style(&mut self, paragraph: &Paragraph, is_item: bool) -> String {
        let first = paragraph
            .runs
            .first()
            .map_or(&paragraph.look, |run| &run.look);
        let (margin, indent) = match is_item {
            true => (0.0, 0.0),
            false => paragraph.indents,
        };
        let spacing_length = |spacing: Spacing| match spacing {
            Spacing::Points(points) => format!("{points:.2}pt"),
            Spacing::Lines(lines) => format!("{:.2}pt", lines * LINE * first.size),
        };
        let mut xml = Writer::fragment();
        xml.start("style:paragraph-properties")
            .attribute("fo:margin-left", length(margin))
            .attribute("fo:margin-right", "0cm")
            .attribute("fo:text-indent", length(indent))
            .attribute("fo:margin-top", spacing_length(paragraph.before))
            .attribute("fo:margin-bottom", spacing_length(paragraph.after))
            .attribute(
                "fo:line-height",
                match paragraph.lines {
                    Spacing::Lines(lines) => percent(lines),
                    Spacing::Points(points) => format!("{points:.2}pt"),
                },
            )
            .attribute(
                "fo:text-align",
                match paragraph.alignment {
                    Some(Alignment::Centre) => "center",
                    Some(Alignment::End) => "end",
                    Some(Alignment::Justify) => "justify",
                    Some(Alignment::Start) | None => "start",
                },
            )
            .attribute(
                "style:writing-mode",
                if paragraph.backwards {
                    "rl-tb"
                } else {
                    "lr-tb"
                },
            );
        open_tab_stops(&mut xml, &paragraph.tabs, |at| length(at.to_emu() as f64));
        xml.end();
        // These properties determine the height of a paragraph without text.
        self.text_properties(&mut xml, &paragraph.look);
        self.styles.automatic("paragraph", xml)
    }

    /// Writes a run: a span, with a link inside.
    fn run(&mut self, xml: &mut Writer, run: &Run) {
        if run.text == Words::Break {
            xml.start("text:line-break").end();
            return;
        }
        let mut properties = Writer::fragment();
        self.text_properties(&mut properties, &run.look);
        let style = self.styles.automatic("text", properties);
        xml.start("text:span").attribute("text:style-name", style);
        // The link is inside the span, because office programs lose a span inside a link.
        let link = run.look.link.as_deref().and_then(|link| self.address(link));
        if let Some(link) = &link {
            xml.start("text:a")
                .attribute("xlink:type", "simple")
                .attribute("xlink:href", link);
        }
        match &run.text {
            Words::Text(words) | Words::Formula(words) => text::words(xml, words, false),
            Words::Number => _ = xml.leaf("text:page-number", "<number>"),
            Words::Break => {}
        }
        if link.is_some() {
            xml.end();
        }
        xml.end();
    }

    /// Returns the address of a link: a URL, or the name of a slide. `None` for slides that are left out.
    pub(super) fn address(&self, link: &str) -> Option<String> {
        let Some(number) = link.strip_prefix('#') else {
            return Some(uri_reference(link).into());
        };
        let slide = self.material.written(number.parse().ok()?)?;
        Some(format!("#{}", text::name(slide)))
    }

    /// Writes the properties of text.
    fn text_properties(&mut self, xml: &mut Writer, look: &ComputedStyle) {
        xml.start("style:text-properties");
        if let Some(font) = &look.font {
            let font = family(font);
            for name in [
                "fo:font-family",
                "style:font-family-asian",
                "style:font-family-complex",
            ] {
                xml.attribute(name, &font);
            }
        }
        let size = format!("{:.1}pt", look.size.clamp(1.0, 4000.0));
        let bold = if look.bold { "bold" } else { "normal" };
        let italic = if look.italic { "italic" } else { "normal" };
        // OpenDocument has separate properties for Latin, Asian and complex scripts.
        for script in ["", "-asian", "-complex"] {
            let space = if script.is_empty() { "fo" } else { "style" };
            xml.attribute(&format!("{space}:font-size{script}"), &size)
                .attribute(&format!("{space}:font-weight{script}"), bold)
                .attribute(&format!("{space}:font-style{script}"), italic);
        }
        xml.attribute("fo:color", look.colour.hex());
        for (name, is, value) in [
            ("style:text-underline-style", look.underlined, "solid"),
            ("style:text-line-through-style", look.struck, "solid"),
            ("fo:font-variant", look.caps == Caps::Small, "small-caps"),
            ("fo:text-transform", look.caps == Caps::All, "uppercase"),
        ] {
            if is {
                xml.attribute(name, value);
            }
        }
        if look.raised != 0.0 {
            let position = format!("{} 66%", percent(look.raised));
            xml.attribute("style:text-position", position);
        }
        if look.spacing != 0.0 {
            xml.attribute("fo:letter-spacing", format!("{:.2}pt", look.spacing));
        }
        if look.outlined {
            xml.attribute("style:text-outline", "true");
        }
        if let Some(highlight) = look.highlight {
            xml.attribute("fo:background-color", highlight.hex());
        }
        if let Some(tag) = &look.language {
            let (language, country) = language_and_country(tag);
            xml.attribute("fo:language", language)
                .attribute("fo:country", country);
        }
        xml.end();
    }
}

/// Returns the name of a vertical alignment.
pub(super) fn anchor(anchor: Option<VerticalAlignment>) -> &'static str {
    match anchor {
        Some(VerticalAlignment::Middle) => "middle",
        Some(VerticalAlignment::Bottom) => "bottom",
        Some(VerticalAlignment::Top) | None => "top",
    }
}

/// Writes the distances of text from the edges.
pub(super) fn paddings(xml: &mut Writer, body: &Body) {
    for (side, inset) in ["left", "top", "right", "bottom"]
        .into_iter()
        .zip(body.insets)
    {
        xml.attribute(&format!("fo:padding-{side}"), length(inset));
    }
}

/// Returns font families as a list of CSS, in which names with spaces are quoted.
fn family(families: &str) -> String {
    let names = families.split(',').map(|name| {
        let name = name.trim().trim_matches(['\'', '"']);
        match name.contains(' ') {
            true => format!("'{name}'"),
            false => name.to_owned(),
        }
    });
    names.collect::<Vec<_>>().join(", ")
}

/// Writes the attributes of a numbering.
fn numbering(xml: &mut Writer, numbering: &Numbering) {
    let (before, after) = open_delimiter(numbering.delimiter);
    xml.attribute("style:num-format", open_numeral(numbering.numeral))
        .attribute("style:num-prefix", before)
        .attribute("style:num-suffix", after);
}
