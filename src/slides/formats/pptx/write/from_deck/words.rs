//! Writes the text of shapes and cells (ECMA-376 part 1, 21.1.2). Properties that the source file inherited are stated
//! with each paragraph and run, because the master of the new file has other styles.

use super::{
    frames::Writing,
    looks::{share, solid},
};
use crate::{
    containers::xml::Writer,
    deck::{Body, Bullet, Caps, ComputedStyle, Paragraph, Run, Spacing, Words},
    error::Result,
    formats::pptx::write::text,
};
use convertd_tree::{Alignment, TabStop, VerticalAlignment};

/// Largest indentation (20.1.10.72), in English Metric Units: 56 inches.
const MAX_INDENT: f64 = 51_206_400.0;

/// Identifier of the field with the number of the slide. It may be any GUID.
const NUMBER_FIELD: &str = "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}";

impl Writing<'_, '_, '_> {
    /// Writes the text of a shape.
    pub(super) fn body(&mut self, xml: &mut Writer, body: &Body) -> Result<()> {
        xml.start("p:txBody").start("a:bodyPr");
        // Quarter turns change the direction of the text. Other angles rotate it.
        if let Some(direction) = direction(body.turn) {
            xml.attribute("vert", direction);
        } else if body.turn != 0.0 {
            xml.number("rot", (body.turn * 60_000.0).round() as i64);
        }
        xml.attribute("wrap", if body.wraps { "square" } else { "none" });
        for (name, inset) in ["lIns", "tIns", "rIns", "bIns"]
            .into_iter()
            .zip(body.insets)
        {
            xml.number(name, inset.round() as i64);
        }
        if body.columns.count > 1 {
            xml.number("numCol", body.columns.count)
                .number("spcCol", body.columns.gap.round() as i64);
        }
        xml.attribute("anchor", anchor(body.anchor));
        xml.start("a:noAutofit").end().end();
        xml.start("a:lstStyle").end();
        self.paragraphs(xml, &body.paragraphs)?;
        xml.end();
        Ok(())
    }

    /// Writes paragraphs. The schema requires at least one.
    pub(super) fn paragraphs(&mut self, xml: &mut Writer, paragraphs: &[Paragraph]) -> Result<()> {
        for paragraph in paragraphs {
            self.hold(xml)?;
            xml.start("a:p").start("a:pPr");
            self.properties(xml, paragraph);
            xml.end();
            for run in &paragraph.runs {
                self.run(xml, run);
            }
            xml.start("a:endParaRPr");
            self.run_properties(xml, &paragraph.look);
            xml.end().end();
        }
        if paragraphs.is_empty() {
            xml.start("a:p").end();
        }
        Ok(())
    }

    /// Writes the properties of a paragraph (21.1.2.2.7), in the order of the schema.
    fn properties(&mut self, xml: &mut Writer, paragraph: &Paragraph) {
        let (margin, indent) = paragraph.indents;
        xml.number("marL", margin.clamp(0.0, MAX_INDENT).round() as i64);
        if paragraph.level > 0 {
            xml.number("lvl", paragraph.level.min(8));
        }
        xml.number(
            "indent",
            indent.clamp(-MAX_INDENT, MAX_INDENT).round() as i64,
        );
        // In this format, left and right do not depend on the direction of the text; in the deck, start and end do.
        xml.attribute(
            "algn",
            match (paragraph.alignment, paragraph.backwards) {
                (Some(Alignment::Centre), _) => "ctr",
                (Some(Alignment::Justify), _) => "just",
                (Some(Alignment::End), false) | (Some(Alignment::Start) | None, true) => "r",
                _ => "l",
            },
        );
        xml.attribute("rtl", if paragraph.backwards { "1" } else { "0" });
        for (element, spacing) in [
            ("a:lnSpc", paragraph.lines),
            ("a:spcBef", paragraph.before),
            ("a:spcAft", paragraph.after),
        ] {
            xml.start(element);
            match spacing {
                Spacing::Lines(lines) => {
                    let lines = share(lines).clamp(0, 13_200_000);
                    xml.start("a:spcPct").number("val", lines).end();
                }
                Spacing::Points(points) => {
                    let points = (points * 100.0).round().clamp(0.0, 158_400.0);
                    xml.start("a:spcPts").number("val", points as i64).end();
                }
            }
            xml.end();
        }
        self.bullet(xml, paragraph);
        tabs(xml, &paragraph.tabs);
    }

    /// Writes the bullet of a paragraph with its colour, size and font.
    fn bullet(&mut self, xml: &mut Writer, paragraph: &Paragraph) {
        let look = &paragraph.bullet_look;
        let picture = match &paragraph.bullet {
            Bullet::None => {
                xml.start("a:buNone").end();
                return;
            }
            Bullet::Picture(name) => self.picture(name),
            Bullet::Character(_) | Bullet::Number(_) => None,
        };
        if let Some(colour) = look.colour {
            xml.start("a:buClr");
            super::looks::colour(xml, colour);
            xml.end();
        }
        if let Some(points) = look.size {
            let size = (points * 100.0).round().clamp(100.0, 400_000.0);
            xml.start("a:buSzPts").number("val", size as i64).end();
        } else if let Some(scale) = look.scale.filter(|scale| *scale != 1.0) {
            let scale = share(scale).clamp(25_000, 400_000);
            xml.start("a:buSzPct").number("val", scale).end();
        }
        if let Some(font) = &look.font {
            xml.start("a:buFont")
                .attribute("typeface", first(font))
                .end();
        }
        match &paragraph.bullet {
            Bullet::None => {}
            Bullet::Number(numbering) => text::numbering(xml, numbering),
            Bullet::Character(bullet) => {
                xml.start("a:buChar").attribute("char", bullet).end();
            }
            Bullet::Picture(_) => match picture {
                Some(id) => {
                    xml.start("a:buBlip").start("a:blip");
                    xml.attribute("r:embed", id).end().end();
                }
                None => _ = xml.start("a:buChar").attribute("char", "•").end(),
            },
        }
    }

    /// Writes a run, a line break or a field.
    fn run(&mut self, xml: &mut Writer, run: &Run) {
        let (words, element) = match &run.text {
            Words::Text(text) | Words::Formula(text) => (text.as_str(), "a:r"),
            Words::Number => ("‹#›", "a:fld"),
            Words::Break => ("", "a:br"),
        };
        xml.start(element);
        if run.text == Words::Number {
            xml.attribute("id", NUMBER_FIELD)
                .attribute("type", "slidenum");
        }
        xml.start("a:rPr");
        self.run_properties(xml, &run.look);
        xml.end();
        if run.text != Words::Break {
            xml.leaf("a:t", words);
        }
        xml.end();
    }

    /// Writes the properties of a run (21.1.2.3.9), in the order of the schema.
    fn run_properties(&mut self, xml: &mut Writer, look: &ComputedStyle) {
        if let Some(language) = &look.language {
            xml.attribute("lang", language);
        }
        let size = (look.size * 100.0).round().clamp(100.0, 400_000.0);
        xml.number("sz", size as i64);
        for (name, is, value) in [
            ("b", look.bold, "1"),
            ("i", look.italic, "1"),
            // Programs underline links by default.
            ("u", look.underlined && look.link.is_none(), "sng"),
            ("strike", look.struck, "sngStrike"),
            ("cap", look.caps == Caps::Small, "small"),
            ("cap", look.caps == Caps::All, "all"),
        ] {
            if is {
                xml.attribute(name, value);
            }
        }
        if look.raised != 0.0 {
            xml.number("baseline", share(look.raised));
        }
        if look.spacing != 0.0 {
            let spacing = (look.spacing * 100.0).round().clamp(-400_000.0, 400_000.0);
            xml.number("spc", spacing as i64);
        }
        if look.outlined {
            xml.start("a:ln");
            solid(xml, look.colour);
            xml.end();
            xml.start("a:noFill").end();
        } else {
            solid(xml, look.colour);
        }
        if let Some(highlight) = look.highlight {
            xml.start("a:highlight");
            super::looks::colour(xml, highlight);
            xml.end();
        }
        if let Some(font) = &look.font {
            for element in ["a:latin", "a:ea", "a:cs"] {
                xml.start(element).attribute("typeface", first(font)).end();
            }
        }
        if let Some(link) = &look.link {
            self.click(xml, link);
        }
    }
}

/// Writes tab stops (21.1.2.2.14).
fn tabs(xml: &mut Writer, stops: &[TabStop]) {
    if stops.is_empty() {
        return;
    }
    xml.start("a:tabLst");
    for stop in stops {
        let alignment = match stop.alignment {
            Alignment::Start => "l",
            Alignment::Centre => "ctr",
            Alignment::End => "r",
            Alignment::Justify => "dec",
        };
        xml.start("a:tab").number("pos", stop.at.to_emu());
        xml.attribute("algn", alignment).end();
    }
    xml.end();
}

/// Returns the direction of text that is turned by a quarter (20.1.10.83). `None` for other angles.
pub(super) fn direction(turn: f64) -> Option<&'static str> {
    match turn {
        90.0 => Some("vert"),
        270.0 => Some("vert270"),
        _ => None,
    }
}

/// Returns the name of a vertical alignment (20.1.10.60).
pub(super) fn anchor(anchor: Option<VerticalAlignment>) -> &'static str {
    match anchor {
        Some(VerticalAlignment::Middle) => "ctr",
        Some(VerticalAlignment::Bottom) => "b",
        Some(VerticalAlignment::Top) | None => "t",
    }
}

/// Returns the first font family of a list.
fn first(families: &str) -> &str {
    families.split(',').next().unwrap_or(families).trim()
}
