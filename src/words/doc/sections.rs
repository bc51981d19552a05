//! Sections (MS-DOC 2.8.26, 2.6.4): their ends, and their page setup. Reads no headers.

use super::{notes, plex::Plex, sprm::Sprms};
use crate::containers::fields::Fields;
use convertd_tree::{
    Block, Length, NoteSetups, Numeral, PageSetup, SectionStart, numerals::Format,
};

/// Number of header and footer texts of a section: headers of even and odd pages, footers of even and odd pages, and
/// the header and footer of the first page.
pub(super) const TEXTS: usize = 6;

/// A section.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// Character position (CP) after the section.
    pub(super) end: u32,
    pub(super) page: PageSetup,
    /// Whether the first page has its own header and footer.
    pub(super) first_differs: bool,
}

/// Headers and footers of the previous section, which the next section inherits.
#[derive(Default)]
pub(super) struct Inherited {
    pub(super) texts: [Vec<Block>; TEXTS],
    /// Length of each text in characters, for the accounting of memory.
    pub(super) characters: [u64; TEXTS],
}

/// Reads the sections of a document, at least one. The PLC (array of positions with records) refers to property lists
/// (SEPX) in the stream of the text. `end_of_text` is the CP where the main text ends; the last section reaches to
/// it. Sections inherit the numbering of notes from the document.
pub(super) fn read(
    plex: Plex<'_>,
    stream: Fields<'_>,
    end_of_text: u32,
    is_old: bool,
    notes: NoteSetups,
) -> Vec<Section> {
    let mut sections = Vec::new();
    for at in 0..plex.len() {
        let place = plex.record(at).u32(2) as usize;
        let list = match plex.record(at).u32(2) {
            u32::MAX => Default::default(),
            _ => stream.part(place + 2, stream.from(place).u16(0).into()),
        };
        let end = plex.position(at + 1).min(end_of_text);
        let before = sections.last().map_or(0, |last: &Section| last.end);
        if end > before {
            sections.push(section(list.0, is_old, end, notes));
        }
    }
    match sections.last_mut() {
        Some(last) => last.end = end_of_text,
        None => sections.push(section(&[], is_old, end_of_text, notes)),
    }
    sections
}

/// Applies the property modifiers of a section (MS-DOC 2.6.4): page size, margins, columns, page numbers, and whether
/// the first page differs.
fn section(list: &[u8], is_old: bool, end: u32, mut notes: NoteSetups) -> Section {
    // Defaults (MS-DOC 2.9.242): Letter, in twips.
    let mut page = PageSetup {
        width: Length::twips(12_240),
        height: Length::twips(15_840),
        left: Length::twips(1800),
        right: Length::twips(1800),
        ..PageSetup::default()
    };
    let (mut first_differs, mut restarts, mut number) = (false, false, 1);
    let mut gutter = Length::ZERO;
    for sprm in Sprms::new(list, is_old) {
        let value = sprm.value;
        let word = value.u16(0);
        let side = |own: Length| match Length::twips(word.into()) {
            // A width or height of half an inch or less counts as damage, and is ignored.
            length if length > Length::inches(0.5) => length,
            _ => own,
        };
        // A negative margin has the same size, but lets the header overlap the text. The overlap is ignored.
        let margin = Length::twips(i64::from(value.i16(0)).abs());
        match sprm.code {
            // sprmSBkc: the page on which the section begins.
            0x3009 => {
                page.begins = match value.u8(0) {
                    0 | 1 => SectionStart::SamePage,
                    3 => SectionStart::EvenPage,
                    4 => SectionStart::OddPage,
                    _ => SectionStart::NewPage,
                }
            }
            // sprmSFTitlePage: the first page has a header and footer of its own.
            0x300a => first_differs = sprm.is_on(),
            // The operand of sprmSCcolumns is the number of columns less one, and sprmSDxaColumns is the gap.
            0x500b => page.columns = word.saturating_add(1).clamp(1, 45) as u8,
            0x900c => page.column_gap = margin,
            // Page numbers: sprmSNfcPgn, sprmSFPgnRestart, sprmSPgnStart97 and sprmSPgnStart.
            0x300e => {
                let format = Format::of_code(value.u8(0));
                page.numeral = format.map_or(Numeral::Decimal, Format::numeral);
            }
            0x3011 => restarts = sprm.is_on(),
            0x501c => number = word.into(),
            0x7044 => number = value.u32(0),
            // Distances of header and footer from the edges: sprmSDyaHdrTop and sprmSDyaHdrBottom.
            0xb017 => page.header_distance = margin,
            0xb018 => page.footer_distance = margin,
            // Page size and margins. The gutter is sprmSDzaGutter.
            0xb01f => page.width = side(page.width),
            0xb020 => page.height = side(page.height),
            0xb021 => page.left = margin,
            0xb022 => page.right = margin,
            0x9023 => page.top = margin,
            0x9024 => page.bottom = margin,
            0xb025 => gutter = margin,
            code => notes::change(code, value, &mut notes),
        }
    }
    // The gutter is in addition to the left margin, which may be stated after it.
    page.left = page.left + gutter;
    page.notes = Some(notes);
    page.first_number = restarts.then_some(number);
    Section {
        end,
        page,
        first_differs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gutters_add_to_the_left_margin_in_any_order() {
        let gutter = [0x25, 0xb0, 0x2c, 0x01];
        let margin = [0x21, 0xb0, 0xe8, 0x03];
        for list in [[gutter, margin], [margin, gutter]] {
            let section = section(list.as_flattened(), false, 1, NoteSetups::default());
            assert_eq!(section.page.left.to_twips(), 1300);
        }
    }
}
