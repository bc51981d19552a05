//! Writes list styles (OpenDocument 1.3, part 3, 16.30), which define the label of each level. The crate
//! `convertd_office` decides which lists exist.

use crate::containers::xml::Writer;
use convertd_office::wordprocessing::{
    WrittenLabel, WrittenLevel, WrittenLists,
    write::{open_delimiter, open_numeral},
};
use convertd_tree::Numbering;

/// Name of a list's style. Lists with the same definition share it.
pub(super) fn name(lists: &WrittenLists, list: u32) -> String {
    format!("L{}", lists.lists[list as usize - 1].0 + 1)
}

/// Writes all list styles.
pub(super) fn write(lists: &WrittenLists) -> String {
    let mut xml = Writer::fragment();
    for (number, levels) in lists.definitions.iter().enumerate() {
        xml.start("text:list-style")
            .attribute("style:name", format!("L{}", number + 1));
        for (level, written) in levels.iter().enumerate() {
            write_level(&mut xml, level, *written);
        }
        xml.end();
    }
    xml.finish()
}

/// Writes a level of a list style (part 3, 16.31 to 16.33).
fn write_level(xml: &mut Writer, level: usize, written: WrittenLevel) {
    match written.label {
        WrittenLabel::Nothing | WrittenLabel::Bullet(_) | WrittenLabel::Bullets => {
            let bullet = String::from_iter(written.bullet(level));
            xml.start("text:list-level-style-bullet")
                .number("text:level", level as i64 + 1)
                .attribute("text:bullet-char", bullet);
        }
        WrittenLabel::Number(numbering) => {
            xml.start("text:list-level-style-number")
                .number("text:level", level as i64 + 1);
            number_attributes(xml, level, numbering);
            if numbering.start != 1 {
                xml.number("text:start-value", numbering.start);
            }
        }
    }
    let text = super::properties::points(written.indent);
    xml.start("style:list-level-properties")
        .attribute("text:list-level-position-and-space-mode", "label-alignment");
    xml.start("style:list-level-label-alignment")
        .attribute("text:label-followed-by", "listtab")
        .attribute("text:list-tab-stop-position", &text)
        .attribute(
            "fo:text-indent",
            super::properties::points(written.first_line),
        )
        .attribute("fo:margin-left", text);
    xml.end().end().end();
}

/// Writes the attributes of a number: its format, the text before and after it, and the number of levels that it shows.
pub(super) fn number_attributes(xml: &mut Writer, level: usize, numbering: Numbering) {
    let (prefix, suffix) = open_delimiter(numbering.delimiter);
    for (name, sign) in [("style:num-prefix", prefix), ("style:num-suffix", suffix)] {
        if !sign.is_empty() {
            xml.attribute(name, sign);
        }
    }
    xml.attribute("style:num-format", open_numeral(numbering.numeral));
    if numbering.nested && level > 0 {
        xml.number("text:display-levels", level as i64 + 1);
    }
}
