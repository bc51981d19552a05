//! Reads the numbering of notes (OpenDocument 1.3, part 3, 16.29.3 and 19.880). Reads no notes.

use crate::containers::xml::Element;
use convertd_tree::{NoteCount, NoteKind, NotePosition, NoteSetups, numerals::Format};

/// Reads `text:notes-configuration`.
pub(super) fn setup(element: &Element<'_>, setups: &mut NoteSetups) {
    let value = |name| element.attribute(name);
    let setup = setups.of_mut(match value("note-class").as_deref() {
        Some("endnote") => NoteKind::Endnote,
        _ => NoteKind::Footnote,
    });
    if let Some(format) = value("num-format").and_then(|format| Format::of_example(&format)) {
        setup.format = format;
    }
    // The attribute counts from 0.
    let before: Option<u32> = value("start-value").and_then(|start| start.parse().ok());
    setup.start = before.map_or(setup.start, |before| before.saturating_add(1));
    setup.restart = match value("start-numbering-at").as_deref() {
        Some("page") => NoteCount::Page,
        Some("chapter") => NoteCount::Chapter,
        _ => NoteCount::Document,
    };
    setup.position = match value("footnotes-position").as_deref() {
        Some("page") => NotePosition::PageEnd,
        Some("text") => NotePosition::TextEnd,
        Some("section") => NotePosition::SectionEnd,
        Some("document") => NotePosition::DocumentEnd,
        _ => setup.position,
    };
}
