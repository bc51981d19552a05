//! Writes section properties (ECMA-376 part 1, 17.6) and the header and footer parts. Writes no main text.

use super::{
    context::Docx,
    notes::note_setup,
    properties::{self, value},
};
use crate::{containers::xml::Writer, error::Result};
use convertd_office::wordprocessing::{
    Use,
    write::{Containers, Relationships},
};
use convertd_tree::{
    Block, BorderedPages, Length, LineCount, LineNumbers, Margins, NoteKind, Numeral, PageBorders,
    PageSetup, SectionStart,
};

/// Header and footer parts written so far.
#[derive(Default)]
pub(super) struct MarginParts<'a> {
    /// Name, content and relationships of each part.
    pub(super) parts: Vec<(String, String, Relationships)>,
    /// For each part so far: whether it is a header, its blocks, and its name. Equal headers share a part, and so do
    /// equal footers.
    known: Vec<(bool, &'a [Block], String)>,
    /// Whether any section has different headers or footers on even pages.
    pub(super) even_and_odd: bool,
}

impl<'a> Docx<'a> {
    /// Returns the properties of a section (`w:sectPr`), and writes its headers and footers.
    pub(super) fn section(
        &mut self,
        page: &'a PageSetup,
        margins: &mut MarginParts<'a>,
    ) -> Result<String> {
        let mut xml = Writer::fragment();
        xml.start("w:sectPr");
        let mut first_differs = false;
        for (header, all) in [(true, &page.headers), (false, &page.footers)] {
            first_differs |= all.first.is_some();
            margins.even_and_odd |= all.even.is_some();
            self.references(&mut xml, header, all, margins)?;
        }
        let begins = match page.begins {
            SectionStart::NewPage => "nextPage",
            SectionStart::SamePage => "continuous",
            SectionStart::OddPage => "oddPage",
            SectionStart::EvenPage => "evenPage",
        };
        if let Some(setups) = &page.notes {
            note_setup(
                &mut xml,
                "w:footnotePr",
                &setups.footnotes,
                NoteKind::Footnote,
            );
            note_setup(&mut xml, "w:endnotePr", &setups.endnotes, NoteKind::Endnote);
        }
        value(&mut xml, "w:type", begins);
        xml.start("w:pgSz")
            .number("w:w", page.width.to_twips())
            .number("w:h", page.height.to_twips());
        if page.width > page.height {
            xml.attribute("w:orient", "landscape");
        }
        xml.end().start("w:pgMar");
        let sides = [
            ("w:top", page.top),
            ("w:right", page.right),
            ("w:bottom", page.bottom),
            ("w:left", page.left),
            ("w:header", page.header_distance),
            ("w:footer", page.footer_distance),
            ("w:gutter", Length::ZERO),
        ];
        for (name, length) in sides {
            xml.number(name, length.to_twips().max(0));
        }
        xml.end();
        if let Some(borders) = &page.borders {
            page_borders(&mut xml, &borders.as_in_word(page));
        }
        if let Some(numbers) = page.line_numbers {
            line_numbers(&mut xml, numbers);
        }
        if page.first_number.is_some() || page.numeral != Numeral::Decimal {
            xml.start("w:pgNumType");
            let format = match page.numeral {
                Numeral::Decimal => "decimal",
                Numeral::LowerAlpha => "lowerLetter",
                Numeral::UpperAlpha => "upperLetter",
                Numeral::LowerRoman => "lowerRoman",
                Numeral::UpperRoman => "upperRoman",
            };
            xml.attribute("w:fmt", format);
            if let Some(first) = page.first_number {
                xml.number("w:start", first);
            }
            xml.end();
        }
        if page.columns > 1 {
            columns(&mut xml, page);
        }
        if first_differs {
            xml.start("w:titlePg").end();
        }
        if let Some(pitch) = page.grid {
            xml.start("w:docGrid")
                .attribute("w:type", "lines")
                .number("w:linePitch", pitch.to_twips().max(1))
                .end();
        }
        Ok(xml.finish())
    }

    /// Writes references to the headers or footers that a section has. Without a reference, a section inherits from the
    /// section before. So an empty header also gets a reference, unless no section before it has a header.
    fn references(
        &mut self,
        xml: &mut Writer,
        header: bool,
        all: &'a Margins,
        margins: &mut MarginParts<'a>,
    ) -> Result<()> {
        let any_before = margins.known.iter().any(|(known, ..)| *known == header);
        let kinds = [
            ("default", Some(all.all.as_slice())),
            ("first", all.first.as_deref()),
            ("even", all.even.as_deref()),
        ];
        for (kind, blocks) in kinds {
            let Some(blocks) = blocks else { continue };
            if blocks.is_empty() && !any_before {
                continue;
            }
            let part = self.margin(header, blocks, margins)?;
            let relationship = if header { "header" } else { "footer" };
            let id = self.relationships.add(relationship, &part, false);
            xml.start(if header {
                "w:headerReference"
            } else {
                "w:footerReference"
            });
            xml.attribute("w:type", kind).attribute("r:id", id).end();
        }
        Ok(())
    }

    /// Writes a header or footer part, and returns its name. Sections with equal blocks share a part.
    fn margin(
        &mut self,
        header: bool,
        blocks: &'a [Block],
        margins: &mut MarginParts<'a>,
    ) -> Result<String> {
        let known = margins
            .known
            .iter()
            .find(|(kind, known, _)| *kind == header && *known == blocks);
        if let Some((.., name)) = known {
            return Ok(name.clone());
        }
        let (element, kind, place) = if header {
            ("w:hdr", "header", Use::Header)
        } else {
            ("w:ftr", "footer", Use::Footer)
        };
        let name = format!("{kind}{}.xml", margins.parts.len() + 1);
        let xml = std::mem::replace(&mut self.xml, super::part(element));
        let relationships = std::mem::take(&mut self.relationships);
        let around = std::mem::replace(&mut self.context.place, Containers::of(place));
        self.blocks_with_end(blocks)?;
        self.context.place = around;
        let own = std::mem::replace(&mut self.relationships, relationships);
        let xml = std::mem::replace(&mut self.xml, xml);
        margins.parts.push((name.clone(), xml.finish(), own));
        margins.known.push((header, blocks, name.clone()));
        Ok(name)
    }
}

/// Writes the columns of a section (17.6.4).
fn columns(xml: &mut Writer, page: &PageSetup) {
    xml.start("w:cols").number("w:num", page.columns);
    if page.column_line {
        xml.attribute("w:sep", "1");
    }
    if page.column_widths.len() == usize::from(page.columns) {
        xml.attribute("w:equalWidth", "0");
        for (width, gap) in &page.column_widths {
            xml.start("w:col")
                .number("w:w", width.to_twips().max(0))
                .number("w:space", gap.to_twips().max(0))
                .end();
        }
    } else {
        xml.number("w:space", page.column_gap.to_twips().max(0));
    }
    xml.end();
}

/// Writes the borders of pages (17.6.10).
fn page_borders(xml: &mut Writer, borders: &PageBorders) {
    xml.start("w:pgBorders");
    match borders.on {
        BorderedPages::All => {}
        BorderedPages::First => {
            xml.attribute("w:display", "firstPage");
        }
        BorderedPages::Others => {
            xml.attribute("w:display", "notFirstPage");
        }
    }
    let place = if borders.from_page { "page" } else { "text" };
    xml.attribute("w:offsetFrom", place);
    let names = ["w:top", "w:left", "w:bottom", "w:right"];
    properties::borders(xml, &borders.lines, names);
    xml.end();
}

/// Writes line numbers (17.6.8). The stored start is one less than the first number.
fn line_numbers(xml: &mut Writer, numbers: LineNumbers) {
    xml.start("w:lnNumType").number("w:countBy", numbers.every);
    if numbers.first > 1 {
        xml.number("w:start", numbers.first - 1);
    }
    if let Some(distance) = numbers.distance {
        xml.number("w:distance", distance.to_twips().max(0));
    }
    let restart = match numbers.restart {
        LineCount::Page => "newPage",
        LineCount::Section => "newSection",
        LineCount::Document => "continuous",
    };
    xml.attribute("w:restart", restart).end();
}
