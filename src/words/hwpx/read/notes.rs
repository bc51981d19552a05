//! Numbering and position of notes (`footNotePr`, `endNotePr` of a section). Reads no notes.

use super::{lengths::number, numbering::number_format};
use crate::containers::xml::Node;
use convertd_tree::{NoteCount, NoteKind, NotePosition, NoteSetup, NoteSetups};

/// Reads the numbering and position of notes in a section. `None` if the section states neither kind of notes.
pub(super) fn setups(section: &Node<'_>) -> Option<NoteSetups> {
    let mut setups = None;
    for (name, kind) in [
        ("footNotePr", NoteKind::Footnote),
        ("endNotePr", NoteKind::Endnote),
    ] {
        if let Some(own) = section.named(name) {
            let all: &mut NoteSetups = setups.get_or_insert_default();
            set(all.of_mut(kind), own);
        }
    }
    setups
}

/// Applies the properties of one kind of notes.
fn set(setup: &mut NoteSetup, own: &Node<'_>) {
    if let Some(format) = own.named("autoNumFormat") {
        setup.format = number_format(&format.attribute("type").unwrap_or_default());
    }
    if let Some(numbering) = own.named("numbering") {
        setup.restart = match numbering.attribute("type").as_deref() {
            Some("ON_SECTION") => NoteCount::Section,
            Some("ON_PAGE") => NoteCount::Page,
            _ => NoteCount::Document,
        };
        let start = number(&numbering.element, "newNum");
        let start = start.and_then(|start| u32::try_from(start).ok());
        setup.start = start.map_or(setup.start, |start| start.max(1));
    }
    if let Some(place) = own.named("placement") {
        let is_beneath = place.attribute("beneathText").as_deref() == Some("1");
        setup.position = match place.attribute("place").as_deref() {
            Some("END_OF_DOCUMENT") => NotePosition::DocumentEnd,
            Some("END_OF_SECTION") => NotePosition::SectionEnd,
            _ if is_beneath => NotePosition::TextEnd,
            Some(_) => NotePosition::PageEnd,
            None => setup.position,
        };
    }
}
