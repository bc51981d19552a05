//! Writes the parts around the main document: content types (ECMA-376 part 2) and settings. Writes no content.

use super::{notes::note_setup, properties::value};
use crate::containers::xml::Writer;
use convertd_tree::{Hyphenation, NoteKind, NoteSetups, media};
use std::collections::BTreeSet;

/// Common beginning of the media types of WordprocessingML.
const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.";

/// Returns `[Content_Types].xml`, which declares the type of every part. `parts` are the names of files in the folder
/// `word`, and `pictures` the media types of images.
pub(super) fn content_types<'a>(
    parts: &[String],
    pictures: impl Iterator<Item = &'a str>,
) -> String {
    let mut xml = Writer::new();
    xml.start("Types");
    xml.attribute(
        "xmlns",
        "http://schemas.openxmlformats.org/package/2006/content-types",
    );
    let mut default = |extension: &str, kind: &str| {
        xml.start("Default")
            .attribute("Extension", extension)
            .attribute("ContentType", kind)
            .end();
    };
    default(
        "rels",
        "application/vnd.openxmlformats-package.relationships+xml",
    );
    default("xml", "application/xml");
    let pictures: BTreeSet<&str> = pictures.collect();
    for kind in pictures {
        default(media::extension(kind), kind);
    }
    let mut part = |name: &str, kind: &str| {
        xml.start("Override")
            .attribute("PartName", name)
            .attribute("ContentType", kind)
            .end();
    };
    part(
        "/docProps/core.xml",
        "application/vnd.openxmlformats-package.core-properties+xml",
    );
    for name in parts {
        // The name of a part without its number is the end of its media type, except for the main part.
        let kind = name
            .trim_end_matches(".xml")
            .trim_end_matches(|c: char| c.is_ascii_digit());
        let kind = if kind == "document" {
            "document.main"
        } else {
            kind
        };
        part(&format!("/word/{name}"), &format!("{WORD}{kind}+xml"));
    }
    xml.finish()
}

/// Returns `word/settings.xml`.
pub(super) fn settings(
    even_and_odd: bool,
    coloured: bool,
    notes: NoteSetups,
    hyphenation: Option<Hyphenation>,
) -> String {
    let mut xml = super::part("w:settings");
    if coloured {
        xml.start("w:displayBackgroundShape").end();
    }
    xml.start("w:defaultTabStop")
        .attribute("w:val", "720")
        .end();
    if let Some(own) = hyphenation {
        xml.start("w:autoHyphenation").end();
        if let Some(most) = own.ladder {
            value(&mut xml, "w:consecutiveHyphenLimit", &most.to_string());
        }
        value(
            &mut xml,
            "w:hyphenationZone",
            &own.zone.to_twips().to_string(),
        );
        if !own.capitals {
            xml.start("w:doNotHyphenateCaps").end();
        }
    }
    if even_and_odd {
        xml.start("w:evenAndOddHeaders").end();
    }
    if notes != NoteSetups::default() {
        note_setup(
            &mut xml,
            "w:footnotePr",
            &notes.footnotes,
            NoteKind::Footnote,
        );
        note_setup(&mut xml, "w:endnotePr", &notes.endnotes, NoteKind::Endnote);
    }
    // The value 15 selects the layout of Word 2013 and later. Without it, Word opens the document in compatibility mode
    // (MS-DOCX, 2.3.5).
    xml.start("w:compat").start("w:compatSetting");
    xml.attribute("w:name", "compatibilityMode");
    xml.attribute("w:uri", "http://schemas.microsoft.com/office/word")
        .attribute("w:val", "15");
    xml.end().end();
    xml.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_follow_the_schema_order() {
        let mut notes = NoteSetups::default();
        notes.footnotes.start = 3;
        let hyphenation = Hyphenation {
            ladder: Some(2),
            capitals: false,
            ..Hyphenation::WORD
        };
        let settings = settings(true, true, notes, Some(hyphenation));
        let names = [
            "displayBackgroundShape",
            "defaultTabStop",
            "autoHyphenation",
            "consecutiveHyphenLimit",
            "hyphenationZone w:val=\"360\"",
            "doNotHyphenateCaps",
            "evenAndOddHeaders",
            "footnotePr",
            "endnotePr",
            "compat>",
        ];
        let places = names.map(|name| settings.find(name).expect(name));
        assert!(places.is_sorted(), "{settings}");
    }
}
