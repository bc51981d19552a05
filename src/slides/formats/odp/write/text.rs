//! Paragraphs, lists and runs (OpenDocument 1.3, part 3, 5 and 6). Each list paragraph becomes a list of its own with
//! its number as the start, as office programs write it in frames. Does no layout.

use super::automatic::Automatic;
use crate::{
    containers::xml::Writer,
    write::{Label, Line, LineKind, Link, Run, Words},
};
use convertd_office::wordprocessing::uri_reference;

/// Kind of frame that contains the paragraphs. It decides which properties are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    /// A title, subtitle, notes or a cell, whose style states all properties.
    Plain,
    /// The outline of a slide, or a text frame without a style.
    Body,
    /// The title of a title slide or section slide, which is larger than others.
    Large,
}

/// Writes paragraphs.
pub(super) fn lines(
    xml: &mut Writer,
    automatic: &mut Automatic,
    lines: &[Line],
    container: Container,
) {
    for line in lines {
        let size = match container {
            Container::Plain => None,
            Container::Body => Some(line.size()),
            Container::Large => Some(54.0),
        };
        let lists = match line.label {
            Label::None => 0,
            _ => line.level + 1,
        };
        for depth in 0..lists {
            xml.start("text:list");
            if depth == 0 {
                let style = match &line.label {
                    Label::Number { numbering, .. } => automatic.numbering(numbering),
                    Label::Bullet | Label::None => "L0".to_owned(),
                };
                xml.attribute("text:style-name", style);
            }
            xml.start("text:list-item");
            if let Label::Number { number, .. } = line.label
                && depth + 1 == lists
            {
                xml.number("text:start-value", number);
            }
        }
        xml.start("text:p");
        if let Some(style) = automatic.paragraph(line, lists == 0 && container == Container::Body) {
            xml.attribute("text:style-name", style);
        }
        for run in &line.runs {
            self::run(xml, automatic, run, size, line.kind);
        }
        xml.end();
        for _ in 0..lists {
            xml.end().end();
        }
    }
    if lines.is_empty() {
        xml.start("text:p").end();
    }
}

/// Writes a run: a span, with a link inside.
fn run(xml: &mut Writer, automatic: &mut Automatic, run: &Run, size: Option<f64>, kind: LineKind) {
    let Words::Text(words) = &run.words else {
        xml.start("text:line-break").end();
        return;
    };
    let style = automatic.text(run, size);
    if let Some(style) = &style {
        xml.start("text:span").attribute("text:style-name", style);
    }
    // The link is inside the span, because office programs lose a span inside a link.
    let link = run.link.as_ref().and_then(address);
    if let Some(link) = &link {
        xml.start("text:a")
            .attribute("xlink:type", "simple")
            .attribute("xlink:href", link);
    }
    self::words(xml, words, kind == LineKind::Code);
    if link.is_some() {
        xml.end();
    }
    if style.is_some() {
        xml.end();
    }
}

/// URL of a link. `None` for an anchor that is not on a slide.
pub(super) fn address(link: &Link) -> Option<String> {
    match link {
        Link::Address(address) => Some(uri_reference(address).into()),
        Link::Slide(slide) => Some(format!("#{}", name(*slide))),
        Link::Name(_) => None,
    }
}

/// Name of a slide.
pub(super) fn name(index: usize) -> String {
    format!("page{}", index + 1)
}

/// Writes text. Tabs, and spaces after a space or tab, become elements (part 3, 6.1.3). `spaced` makes a leading space
/// an element, too.
pub(super) fn words(xml: &mut Writer, text: &str, mut spaced: bool) {
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            ' ' if spaced => {
                xml.text(&std::mem::take(&mut plain));
                xml.start("text:s").end();
            }
            '\t' => {
                xml.text(&std::mem::take(&mut plain));
                xml.start("text:tab").end();
            }
            c => plain.push(c),
        }
        spaced = c == ' ' || c == '\t';
    }
    xml.text(&plain);
}
