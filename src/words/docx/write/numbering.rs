//! Writes the numbering definitions part (ECMA-376 part 1, 17.9). The crate `convertd_office` decides which definitions
//! exist.

use super::properties::value;
use crate::containers::xml::Writer;
use convertd_office::wordprocessing::{WrittenLabel, WrittenLevel, WrittenLists};
use convertd_tree::{Delimiter, Numbering, Numeral};

/// Returns the part `numbering.xml`: definitions of nine levels each, and the lists that refer to them.
pub(super) fn write(lists: &WrittenLists) -> String {
    let mut xml = Writer::new();
    xml.start("w:numbering").attribute("xmlns:w", super::W);
    let headings = lists
        .headings
        .map(|(list, _)| lists.lists[list as usize - 1].0);
    for (number, levels) in lists.definitions.iter().enumerate() {
        xml.start("w:abstractNum")
            .number("w:abstractNumId", number as i64);
        value(&mut xml, "w:multiLevelType", "multilevel");
        for (level, written) in levels.iter().enumerate() {
            write_level(&mut xml, level, *written, headings == Some(number));
        }
        xml.end();
    }
    for (number, (definition, start)) in (1_u32..).zip(&lists.lists) {
        xml.start("w:num").number("w:numId", number);
        value(&mut xml, "w:abstractNumId", &definition.to_string());
        if let Some((level, start)) = start {
            xml.start("w:lvlOverride").number("w:ilvl", *level as i64);
            value(&mut xml, "w:startOverride", &start.to_string());
            xml.end();
        }
        xml.end();
    }
    xml.finish()
}

/// Writes a level: its start value, number format, label and indents, and the linked style if it numbers headings.
fn write_level(xml: &mut Writer, level: usize, written: WrittenLevel, heading: bool) {
    let mut start = 1;
    let (format, text) = match written.label {
        WrittenLabel::Nothing | WrittenLabel::Bullet(_) | WrittenLabel::Bullets => {
            ("bullet", String::from_iter(written.bullet(level)))
        }
        WrittenLabel::Number(numbering) => {
            start = numbering.start;
            (numeral(numbering.numeral), number_text(level, numbering))
        }
    };
    xml.start("w:lvl").number("w:ilvl", level as i64);
    value(xml, "w:start", &start.to_string());
    value(xml, "w:numFmt", format);
    if heading {
        value(xml, "w:pStyle", &format!("Heading{}", level + 1));
    }
    value(xml, "w:lvlText", &text);
    value(xml, "w:lvlJc", "left");
    xml.start("w:pPr").start("w:ind");
    if heading {
        xml.number("w:left", 0).number("w:firstLine", 0);
    } else {
        let first_line = written.first_line.to_twips();
        xml.number("w:left", written.indent.to_twips());
        if first_line > 0 {
            xml.number("w:firstLine", first_line);
        } else {
            xml.number("w:hanging", -first_line);
        }
    }
    xml.end().end().end();
}

/// Name of a numeral system (ST_NumberFormat, 17.18.59).
fn numeral(numeral: Numeral) -> &'static str {
    match numeral {
        Numeral::Decimal => "decimal",
        Numeral::LowerAlpha => "lowerLetter",
        Numeral::UpperAlpha => "upperLetter",
        Numeral::LowerRoman => "lowerRoman",
        Numeral::UpperRoman => "upperRoman",
    }
}

/// Pattern of a level's label, such as `%1.%2.` for nested numbers.
fn number_text(level: usize, numbering: Numbering) -> String {
    let first = if numbering.nested { 0 } else { level };
    let numbers: Vec<String> = (first..=level)
        .map(|level| format!("%{}", level + 1))
        .collect();
    let numbers = numbers.join(".");
    match numbering.delimiter {
        Delimiter::Period => numbers + ".",
        Delimiter::Parenthesis => numbers + ")",
        Delimiter::Parentheses => format!("({numbers})"),
        Delimiter::None => numbers,
    }
}
