//! Writes the numbering and position of notes (RTF 1.9.1, "Document Formatting Properties" and "Section Formatting
//! Properties"). Writes no notes.

use super::super::notes::FORMATS;
use convertd_tree::{Document, NoteCount, NoteKind, NotePosition, NoteSetup, NoteSetups};
use std::fmt::Write as _;

/// Writes the numbering of the document, if it differs from the default.
pub(super) fn of_document(out: &mut String, setups: NoteSetups) {
    if setups != NoteSetups::default() {
        words(out, "", setups);
        out.push('\n');
    }
}

/// Writes the numbering of a section.
pub(super) fn of_section(out: &mut String, setups: NoteSetups) {
    words(out, "s", setups);
}

fn words(out: &mut String, prefix: &str, setups: NoteSetups) {
    for (kind, prefix) in [
        (NoteKind::Footnote, prefix.to_owned()),
        (NoteKind::Endnote, format!("{prefix}a")),
    ] {
        let setup = setups.of(kind);
        position(out, &prefix, setup);
        let restart = match setup.restart {
            NoteCount::Document => "ftnrstcont",
            NoteCount::Section | NoteCount::Chapter => "ftnrestart",
            // Endnotes are not on the page of their reference, so they cannot restart on each page.
            NoteCount::Page if kind == NoteKind::Endnote => "ftnrstcont",
            NoteCount::Page => "ftnrstpg",
        };
        let format = format_name(setup);
        let start = setup.first();
        write!(
            out,
            "\\{prefix}{restart}\\{prefix}ftnstart{start}\\{prefix}ftnn{format}"
        )
        .unwrap_or_default();
    }
}

/// Writes the position of the notes. The ends of sections and the end of the document can be stated only for the whole
/// document, so a section does not state them.
fn position(out: &mut String, prefix: &str, setup: &NoteSetup) {
    let word = match setup.position {
        NotePosition::PageEnd => "ftnbj",
        NotePosition::TextEnd => "ftntj",
        _ if prefix.starts_with('s') => return,
        NotePosition::SectionEnd => "endnotes",
        NotePosition::DocumentEnd => "enddoc",
    };
    write!(out, "\\{prefix}{word}").unwrap_or_default();
}

/// Name of the number format. Formats without a name become digits.
fn format_name(setup: &NoteSetup) -> &'static str {
    let known = |(_, code): &&(&str, u8)| Some(*code) == setup.format.code();
    FORMATS.iter().find(known).map_or("ar", |(name, _)| name)
}

/// Returns whether RTF cannot number the notes of a document as they are. RTF does not number by chapter, and has fewer
/// number formats.
pub(super) fn changes_notes(document: &Document) -> bool {
    document.sections().iter().any(|section| {
        let setups = document.note_setups_in(section);
        [NoteKind::Footnote, NoteKind::Endnote].iter().any(|kind| {
            let setup = setups.of(*kind);
            let is_known = |code: u8| FORMATS.iter().any(|(_, known)| *known == code);
            let is_used = document.notes().iter().any(|note| note.kind == *kind);
            let is_lost =
                setup.restart == NoteCount::Chapter || !setup.format.code().is_some_and(is_known);
            is_used && is_lost
        })
    })
}
