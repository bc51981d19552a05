//! Writes paragraphs and runs (ECMA-376 part 1, 21.1.2). Properties that placeholders inherit from their layout are
//! omitted.

use crate::{
    containers::xml::Writer,
    write::{Label, Line, LineKind, Link, Run, Words},
};
use convertd_tree::{Alignment, Delimiter, Numbering, Numeral};

/// Function that returns the relationship and the action of a link. `None` for links whose target does not exist.
pub(super) type LinkResolver<'l> =
    &'l mut dyn FnMut(&Link) -> Option<(String, Option<&'static str>)>;

/// Indent of each level, in English Metric Units.
const INDENT: i64 = 457_200;

/// Hanging indent of bullets, in English Metric Units. That of numbers outside tables is twice as large.
const HANGING: i64 = 228_600;

/// Container of the paragraphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    /// Title, subtitle or notes. Lines without a label at level 0 inherit their indent and the lack of a bullet.
    Plain,
    /// Body of a slide, whose bullets are inherited.
    Body,
    /// Text box, which inherits nothing.
    Box,
}

/// Writes paragraphs. Empty texts get an empty paragraph, which the format requires.
pub(super) fn lines(
    xml: &mut Writer,
    lines: &[Line],
    container: Container,
    resolve_link: LinkResolver<'_>,
) {
    for line in lines {
        let plain = container == Container::Plain && line.label == Label::None && line.level == 0;
        let size = match container {
            Container::Plain => None,
            Container::Body => Some(line.size()).filter(|_| line.kind != LineKind::Text),
            Container::Box => Some(line.size()),
        };
        xml.start("a:p").start("a:pPr");
        properties(xml, line, container == Container::Body, plain);
        xml.end();
        runs(xml, &line.runs, size, resolve_link);
        xml.end();
    }
    if lines.is_empty() {
        xml.start("a:p").end();
    }
}

/// Writes the paragraphs of a table cell, which inherit no bullets.
pub(super) fn cell(xml: &mut Writer, lines: &[Line], resolve_link: LinkResolver<'_>) {
    for line in lines {
        xml.start("a:p").start("a:pPr");
        align(xml, line.alignment);
        if line.level > 0 || line.label != Label::None {
            label(xml, line, false);
        } else {
            xml.end();
        }
        runs(xml, &line.runs, Some(16.0), resolve_link);
        xml.end();
    }
    if lines.is_empty() {
        xml.raw("<a:p><a:endParaRPr sz=\"1600\"/></a:p>");
    }
}

/// Writes the alignment of a paragraph. The default is omitted.
fn align(xml: &mut Writer, alignment: Option<Alignment>) {
    let alignment = match alignment {
        Some(Alignment::Centre) => "ctr",
        Some(Alignment::End) => "r",
        Some(Alignment::Justify) => "just",
        Some(Alignment::Start) | None => return,
    };
    xml.attribute("algn", alignment);
}

/// Writes the properties of a paragraph. The label is handled twice: first its attributes, and after them its child
/// elements.
fn properties(xml: &mut Writer, line: &Line, in_placeholder: bool, plain: bool) {
    let level = i64::from(line.level);
    if !plain {
        match line.label {
            Label::None => {
                xml.number("marL", INDENT * level).attribute("indent", "0");
            }
            Label::Bullet if in_placeholder => {}
            Label::Bullet | Label::Number { .. } => {
                let hanging = match line.label {
                    Label::Number { .. } => 2 * HANGING,
                    _ => HANGING,
                };
                xml.number("marL", INDENT * level + hanging)
                    .number("indent", -hanging);
            }
        }
    }
    if level > 0 {
        xml.number("lvl", level);
    }
    align(xml, line.alignment);
    if line.kind.is_close() {
        xml.raw("<a:spcBef><a:spcPts val=\"0\"/></a:spcBef>");
    }
    match line.label {
        Label::None if plain => {}
        Label::None => {
            xml.start("a:buNone").end();
        }
        Label::Bullet if in_placeholder => {}
        Label::Bullet => {
            xml.raw("<a:buFont typeface=\"Arial\"/><a:buChar char=\"&#8226;\"/>");
        }
        Label::Number { numbering, .. } => numbered(xml, &numbering),
    }
}

/// Writes the indent of a line in a table cell, its bullet or number, and the end of the `a:pPr` element.
fn label(xml: &mut Writer, line: &Line, in_placeholder: bool) {
    let indent = INDENT * i64::from(line.level) + HANGING;
    xml.number("marL", indent).number("indent", -HANGING);
    match line.label {
        Label::Bullet if !in_placeholder => {
            xml.raw("<a:buFont typeface=\"Arial\"/><a:buChar char=\"&#8226;\"/>");
        }
        Label::Number { numbering, .. } => numbered(xml, &numbering),
        Label::None | Label::Bullet => {}
    }
    xml.end();
}

/// Writes automatic numbering in the heading font of the theme.
fn numbered(xml: &mut Writer, numbering: &Numbering) {
    xml.raw("<a:buFont typeface=\"+mj-lt\"/>");
    self::numbering(xml, numbering);
}

/// Writes automatic numbering (21.1.2.4.1). The name of the scheme consists of the numeral and the delimiter.
pub(super) fn numbering(xml: &mut Writer, numbering: &Numbering) {
    let numeral = match numbering.numeral {
        Numeral::Decimal => "arabic",
        Numeral::LowerAlpha => "alphaLc",
        Numeral::UpperAlpha => "alphaUc",
        Numeral::LowerRoman => "romanLc",
        Numeral::UpperRoman => "romanUc",
    };
    // Only Arabic numerals may lack a delimiter (20.1.10.61). The others get a period.
    let delimiter = match (numbering.delimiter, numbering.numeral) {
        (Delimiter::None, Numeral::Decimal) => "Plain",
        (Delimiter::Period | Delimiter::None, _) => "Period",
        (Delimiter::Parenthesis, _) => "ParenR",
        (Delimiter::Parentheses, _) => "ParenBoth",
    };
    xml.start("a:buAutoNum")
        .attribute("type", format!("{numeral}{delimiter}"));
    if numbering.start != 1 {
        xml.number("startAt", i64::from(numbering.start.clamp(1, 32_767)));
    }
    xml.end();
}

/// Writes runs and line breaks.
fn runs(xml: &mut Writer, runs: &[Run], size: Option<f64>, resolve_link: LinkResolver<'_>) {
    for run in runs {
        match &run.words {
            Words::Break => {
                xml.start("a:br").end();
            }
            Words::Text(text) => {
                xml.start("a:r").start("a:rPr");
                run_properties(xml, run, size, resolve_link);
                xml.end().leaf("a:t", text).end();
            }
        }
    }
}

/// Writes the properties of a run.
fn run_properties(xml: &mut Writer, run: &Run, size: Option<f64>, resolve_link: LinkResolver<'_>) {
    if let Some(size) = size {
        xml.number("sz", (size * 100.0) as i64);
    }
    let flags = [
        ("b", run.bold, "1"),
        ("i", run.italic, "1"),
        ("u", run.underlined, "sng"),
        ("strike", run.struck, "sngStrike"),
        ("cap", run.small_caps, "small"),
        ("baseline", run.raised > 0, "30000"),
        ("baseline", run.raised < 0, "-25000"),
    ];
    for (name, is, value) in flags {
        if is {
            xml.attribute(name, value);
        }
    }
    if run.highlighted {
        xml.raw("<a:highlight><a:srgbClr val=\"FFFF00\"/></a:highlight>");
    }
    if run.code {
        xml.raw("<a:latin typeface=\"Courier New\"/><a:cs typeface=\"Courier New\"/>");
    }
    if let Some((id, action)) = run.link.as_ref().and_then(resolve_link) {
        click(xml, &id, action);
    }
}

/// Writes the target of a click.
pub(super) fn click(xml: &mut Writer, id: &str, action: Option<&str>) {
    xml.start("a:hlinkClick").attribute("r:id", id);
    if let Some(action) = action {
        xml.attribute("action", action);
    }
    xml.end();
}
