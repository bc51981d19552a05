//! Numbering of notes, as the document properties (MS-DOC 2.7.2, 2.7.4) and the sections (2.6.4) state it. Reads no
//! notes.

use crate::containers::fields::Fields;
use convertd_tree::{NoteCount, NotePosition, NoteSetup, NoteSetups, numerals::Format};

/// Length of the document properties of Word 97, in bytes. Since that version, each number format has a field of its
/// own.
const WORD_97: usize = 500;

/// Reads the numbering of notes from the document's properties.
pub(super) fn of_document(properties: Fields<'_>) -> NoteSetups {
    let mut setups = NoteSetups::default();
    if properties.len() < 56 {
        return setups;
    }
    let (footnotes, endnotes) = (properties.u16(2), properties.u16(52));
    let places = properties.u16(54);
    for (setup, count, position) in [
        (&mut setups.footnotes, footnotes, properties.u8(0) >> 5 & 3),
        (&mut setups.endnotes, endnotes, (places & 3) as u8),
    ] {
        restart(setup, (count & 3) as u8);
        setup.start = u32::from(count >> 2).max(1);
        set_position(setup, position);
    }
    let formats = match properties.len() >= WORD_97 {
        true => (properties.u16(492) as u8, properties.u16(494) as u8),
        false => ((places >> 2 & 15) as u8, (places >> 6 & 15) as u8),
    };
    format(&mut setups.footnotes, formats.0);
    format(&mut setups.endnotes, formats.1);
    setups
}

/// Applies the property modifier of a section. Modifiers of other properties are ignored.
pub(super) fn change(code: u16, value: Fields<'_>, setups: &mut NoteSetups) {
    let NoteSetups {
        footnotes,
        endnotes,
    } = setups;
    match code {
        // Position and restart: sprmSFpc, sprmSRncFtn, sprmSRncEdn.
        0x303b => set_position(footnotes, value.u8(0)),
        0x303c => restart(footnotes, value.u8(0)),
        0x303e => restart(endnotes, value.u8(0)),
        // First number and format: sprmSNFtn, sprmSNfcFtnRef, sprmSNEdn, sprmSNfcEdnRef.
        0x503f => footnotes.start = u32::from(value.u16(0)).max(1),
        0x5040 => format(footnotes, value.u16(0) as u8),
        0x5041 => endnotes.start = u32::from(value.u16(0)).max(1),
        0x5042 => format(endnotes, value.u16(0) as u8),
        _ => {}
    }
}

fn restart(setup: &mut NoteSetup, code: u8) {
    setup.restart = match code {
        1 => NoteCount::Section,
        2 => NoteCount::Page,
        _ => NoteCount::Document,
    };
}

fn set_position(setup: &mut NoteSetup, code: u8) {
    setup.position = match code {
        0 => NotePosition::SectionEnd,
        1 => NotePosition::PageEnd,
        2 => NotePosition::TextEnd,
        _ => NotePosition::DocumentEnd,
    };
}

fn format(setup: &mut NoteSetup, code: u8) {
    setup.format = Format::of_code(code).unwrap_or(setup.format);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn section_setups_override_the_document() {
        let mut properties = vec![0; WORD_97];
        // Footnotes below the text, from 3 on each page; endnotes at the end of the document.
        properties[0] = 2 << 5;
        properties[2] = 3 << 2 | 2;
        properties[52] = 1 << 2;
        properties[54] = 3;
        // Lower-case letters, and upper-case Roman numerals.
        properties[492] = 4;
        properties[494] = 1;
        let mut setups = of_document(Fields(&properties));
        let NoteSetup {
            format,
            start,
            restart,
            position,
        } = setups.footnotes;
        assert_eq!((format.write(2).as_str(), start), ("b", 3));
        assert_eq!(
            (restart, position),
            (NoteCount::Page, NotePosition::TextEnd)
        );
        assert_eq!(setups.endnotes.format.write(4), "IV");
        assert_eq!(setups.endnotes.position, NotePosition::DocumentEnd);
        change(0x5040, Fields(&[9, 0]), &mut setups);
        change(0x303c, Fields(&[1]), &mut setups);
        assert_eq!(setups.footnotes.format.write(2), "†");
        assert_eq!(setups.footnotes.restart, NoteCount::Section);
    }
}
