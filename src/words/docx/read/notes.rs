//! Reads the smaller parts: footnotes and endnotes (ECMA-376 part 1, 17.11), document settings (17.15), and core
//! properties (part 2, 8.3). Reads no paragraphs itself.

use super::{super::NAMESPACES, body::Body, context::Context, properties::on};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::{self as office, Story};
use convertd_tree::{
    Hyphenation, Length, NoteCount, NoteKind, NotePosition, NoteSetup, NoteSetups, numerals::Format,
};

impl<'a> Context<'a> {
    /// Reads a footnotes or endnotes part, as far as the main text refers to its notes.
    pub(super) fn read_notes(
        &mut self,
        story: &mut Story<'a>,
        part: &str,
        text: &str,
    ) -> Result<()> {
        self.relationships = self.package.relationships(part)?;
        let mut xml = Reader::new(self.job, text, NAMESPACES);
        xml.root()?;
        let mut body = Body::new(self, story, xml);
        while let Some(element) = body.xml.next_element(1)? {
            let kind = match element.name {
                "footnote" => NoteKind::Footnote,
                "endnote" => NoteKind::Endnote,
                _ => continue,
            };
            let id = element.attribute("id").and_then(|id| id.parse().ok());
            if let Some(note) = id.and_then(|id| body.story.take_note(kind, id)) {
                body.story.open_note(note)?;
                body.blocks()?;
                body.story.close_text()?;
            }
        }
        Ok(())
    }

    /// Reads the settings that affect the layout. The setting `doNotUseHTMLParagraphAutoSpacing` (17.15.3.21) makes
    /// the spaces between paragraphs add up. Without this setting, the distance is the larger of the two spaces, as
    /// in HTML.
    pub(super) fn read_settings(&mut self, story: &mut Story<'_>, text: &str) -> Result<()> {
        let mut xml = Reader::new(self.job, text, NAMESPACES);
        xml.root()?;
        let mut hyphenation = Hyphenation::WORD;
        while let Some(element) = xml.next_element(1)? {
            match (element.space, element.name) {
                ("w", "evenAndOddHeaders") => self.even_and_odd = on(&element),
                ("w", "gutterAtTop") => self.gutter_at_top = on(&element),
                ("w", "autoHyphenation") => hyphenation.automatic = on(&element),
                ("w", "doNotHyphenateCaps") => hyphenation.capitals = !on(&element),
                ("w", "consecutiveHyphenLimit") => {
                    let most = element.attribute("val").and_then(|most| most.parse().ok());
                    hyphenation.ladder = most.filter(|most| *most > 0);
                }
                ("w", "hyphenationZone") => {
                    let zone = element.attribute("val").and_then(|zone| zone.parse().ok());
                    hyphenation.zone = zone.map_or(hyphenation.zone, Length::twips);
                }
                ("w", "footnotePr" | "endnotePr") => {
                    note_setup(&mut xml, &element, &mut story.build.note_setups)?;
                }
                ("w", "compat") => {
                    while let Some(element) = xml.next_element(2)? {
                        let name = element.attribute("name");
                        let value = element.attribute("val");
                        // The setting is defined in MS-DOCX, 2.3.5.
                        if name.as_deref() == Some("compatibilityMode") {
                            self.mode = value.and_then(|mode| mode.parse().ok()).unwrap_or(12);
                        }
                        if element.name == "doNotUseHTMLParagraphAutoSpacing" {
                            story.build.spaces_overlap = !on(&element);
                        }
                    }
                }
                _ => {}
            }
        }
        story.build.hyphenation = hyphenation;
        Ok(())
    }

    /// Reads the core properties as metadata.
    pub(super) fn read_properties(&mut self, story: &mut Story<'_>) -> Result<()> {
        let parts = self.package.relationships("")?;
        let Some(name) = parts.part("core-properties") else {
            return Ok(());
        };
        let Some(text) = self.part(story, name)? else {
            return Ok(());
        };
        office::read_core_properties(self.job, &text, &mut story.build.metadata)
    }
}

/// Reads `w:footnotePr` or `w:endnotePr` (17.11.11, 17.11.4), which is the innermost open element: the numbering and
/// the position of the notes of the document or of a section. A section changes only the properties that it states.
pub(super) fn note_setup(
    xml: &mut Reader<'_>,
    element: &Element<'_>,
    setups: &mut NoteSetups,
) -> Result<()> {
    let setup = setups.of_mut(match element.name {
        "footnotePr" => NoteKind::Footnote,
        _ => NoteKind::Endnote,
    });
    let level = xml.level();
    while let Some(property) = xml.next_element(level)? {
        let value = property.attribute("val").unwrap_or_default();
        let NoteSetup {
            format,
            start,
            restart,
            position,
        } = &mut *setup;
        match property.name {
            "numFmt" => {
                let custom = property.attribute("format");
                *format = Format::of_word(&value, custom.as_deref()).unwrap_or(*format);
            }
            "numStart" => *start = value.parse().unwrap_or(*start),
            "numRestart" => {
                *restart = match &*value {
                    "eachPage" => NoteCount::Page,
                    "eachSect" => NoteCount::Section,
                    _ => NoteCount::Document,
                }
            }
            "pos" => {
                *position = match &*value {
                    "pageBottom" => NotePosition::PageEnd,
                    "beneathText" => NotePosition::TextEnd,
                    "sectEnd" => NotePosition::SectionEnd,
                    "docEnd" => NotePosition::DocumentEnd,
                    _ => *position,
                }
            }
            _ => {}
        }
    }
    Ok(())
}
