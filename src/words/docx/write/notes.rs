//! Writes the footnotes and endnotes parts (ECMA-376 part 1, 17.11) and the table of contents. Writes no main text.

use super::{
    context::{Docx, bookmark},
    properties::{Run, value},
};
use crate::{containers::xml::Writer, error::Result};
use convertd_office::wordprocessing::{
    Use,
    write::{Containers, Relationships},
};
use convertd_tree::{
    Block, NoteCount, NoteKind, NotePosition, NoteSetup, NoteSetups, contents::Entry,
};

/// Separator lines above notes: identifier, type and content. Every document has these two separators (17.11.23).
const SEPARATORS: [(&str, &str, &str); 2] = [
    ("-1", "separator", "<w:r><w:separator/></w:r>"),
    (
        "0",
        "continuationSeparator",
        "<w:r><w:continuationSeparator/></w:r>",
    ),
];

impl<'a> Docx<'a> {
    /// Writes the footnotes and endnotes parts. Returns the name, relationships and content of each. A part without
    /// notes is left out.
    pub(super) fn notes_parts(&mut self) -> Result<Vec<(&'static str, Relationships, String)>> {
        let mut parts = Vec::new();
        // Notes are written in the order of their references.
        let mut order: Vec<(usize, usize)> = self
            .context
            .notes
            .iter()
            .map(|(note, number)| (*number, *note))
            .collect();
        order.sort_unstable();
        for (kind, name, outer, inner, style, mark, place) in [
            (
                NoteKind::Footnote,
                "footnotes",
                "w:footnotes",
                "w:footnote",
                "FootnoteReference",
                "<w:footnoteRef/>",
                Use::Footnote,
            ),
            (
                NoteKind::Endnote,
                "endnotes",
                "w:endnotes",
                "w:endnote",
                "EndnoteReference",
                "<w:endnoteRef/>",
                Use::Endnote,
            ),
        ] {
            let document = self.context.document;
            let of_kind = |note: usize| document.notes()[note].kind == kind;
            if !order.iter().any(|(_, note)| of_kind(*note)) {
                continue;
            }
            // The part begins with the separators.
            self.xml = super::part(outer);
            for (id, kind, content) in SEPARATORS {
                let xml = self.xml.start(inner).attribute("w:type", kind);
                xml.attribute("w:id", id);
                xml.start("w:p").raw(content).end().end();
            }
            for (number, note) in &order {
                if !of_kind(*note) {
                    continue;
                }
                self.xml.start(inner).number("w:id", *number as i64);
                self.context.place = Containers::of(place);
                // The first paragraph of a note begins with its number.
                let mut number = Writer::fragment();
                number.start("w:r").start("w:rPr");
                number.start("w:rStyle").attribute("w:val", style).end();
                number.end();
                match &document.notes()[*note].mark {
                    Some(own) => number.leaf("w:t", own),
                    None => number.raw(mark),
                };
                number.end();
                self.note_mark = Some(number.finish());
                let blocks = &document.notes()[*note].blocks;
                // Notes that do not begin with a paragraph have an empty paragraph for their number.
                if !matches!(blocks.first(), Some(Block::Paragraph(_))) {
                    self.mark_paragraph();
                }
                self.blocks_with_end(blocks)?;
                self.note_mark = None;
                self.xml.end();
            }
            let xml = std::mem::take(&mut self.xml);
            parts.push((name, std::mem::take(&mut self.relationships), xml.finish()));
        }
        self.context.place = Containers::default();
        Ok(parts)
    }

    /// Writes a table of contents: a `TOC` field, with a list of links to the headings as its result. Word updates it
    /// on request.
    pub(super) fn contents(&mut self, entries: &[Entry]) {
        if entries.is_empty() {
            return;
        }
        // The table of contents is a building block, so that Word offers to update it.
        let xml = &mut self.xml;
        xml.start("w:sdt").start("w:sdtPr").start("w:docPartObj");
        value(xml, "w:docPartGallery", "Table of Contents");
        xml.start("w:docPartUnique")
            .end()
            .end()
            .end()
            .start("w:sdtContent");
        let mut lines = Vec::new();
        flatten(entries, 1, &mut lines);
        let last = lines.len() - 1;
        for (number, (level, entry)) in lines.into_iter().enumerate() {
            let style = format!("TOC{level}");
            xml.start("w:p").start("w:pPr");
            value(xml, "w:pStyle", &style);
            xml.end();
            // The field begins in the first line, and ends in the last line.
            if number == 0 {
                xml.raw(CONTENTS_BEGIN);
            }
            xml.start("w:hyperlink")
                .attribute("w:anchor", bookmark(&entry.id));
            super::inlines::text(xml, &Run::default(), &entry.text);
            xml.end();
            if number == last {
                xml.raw(CONTENTS_END);
            }
            xml.end();
        }
        xml.end().end();
    }
}

/// Writes `w:footnotePr` or `w:endnotePr`: the numbering and position of notes (17.11.11, 17.11.4).
pub(super) fn note_setup(
    xml: &mut Writer,
    element: &'static str,
    setup: &NoteSetup,
    kind: NoteKind,
) {
    let default = *NoteSetups::default().of(kind);
    xml.start(element);
    if setup.position != default.position {
        let position = match (kind, setup.position) {
            (_, NotePosition::SectionEnd) => Some("sectEnd"),
            (_, NotePosition::DocumentEnd) => Some("docEnd"),
            (NoteKind::Footnote, NotePosition::PageEnd) => Some("pageBottom"),
            (NoteKind::Footnote, NotePosition::TextEnd) => Some("beneathText"),
            // Word has no endnotes on the pages of their references (17.18.22), and refuses a file that asks for them.
            (NoteKind::Endnote, NotePosition::PageEnd | NotePosition::TextEnd) => None,
        };
        position
            .into_iter()
            .for_each(|position| value(xml, "w:pos", position));
    }
    value(xml, "w:numFmt", setup.format.word_name());
    // Default values are written, too, because otherwise a section inherits the values of the document.
    value(xml, "w:numStart", &setup.first().to_string());
    let restart = match setup.restart {
        NoteCount::Document => "continuous",
        // Word has no chapters. A section is the most similar range.
        NoteCount::Section | NoteCount::Chapter => "eachSect",
        NoteCount::Page => "eachPage",
    };
    value(xml, "w:numRestart", restart);
    xml.end();
}

/// Lists the entries of a table of contents with their levels, in document order.
fn flatten<'e>(entries: &'e [Entry], level: u8, lines: &mut Vec<(u8, &'e Entry)>) {
    for entry in entries {
        lines.push((level, entry));
        flatten(&entry.below, level + 1, lines);
    }
}

/// Beginning of the field of the table of contents, up to its result: headings of levels 1 to 3, as links.
const CONTENTS_BEGIN: &str = concat!(
    r#"<w:r><w:fldChar w:fldCharType="begin"/></w:r>"#,
    r#"<w:r><w:instrText xml:space="preserve"> TOC \o "1-3" \h \z \u </w:instrText></w:r>"#,
    r#"<w:r><w:fldChar w:fldCharType="separate"/></w:r>"#,
);
/// End of the field of the table of contents.
const CONTENTS_END: &str = r#"<w:r><w:fldChar w:fldCharType="end"/></w:r>"#;
