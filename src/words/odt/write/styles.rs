//! Writes the part with common styles, page layouts, headers and footers (OpenDocument 1.3, part 3, 3.15). The crate
//! `convertd_office` decides which styles exist; here they get the names that LibreOffice knows.

use super::{
    context::Odt,
    lists,
    page::{self, Pages},
    properties::{self, points},
};
use crate::containers::xml::Writer;
use convertd_office::wordprocessing::Style;
use convertd_tree::{
    Delimiter, Document, Hyphenation, Length, Mark, NoteCount, NoteKind, NotePosition, NoteSetup,
    Numbering, ParagraphStyle, TextStyle,
};
use std::collections::HashSet;

/// Encoded name of a style, by which elements refer to it.
pub(super) fn name(style: &Style) -> String {
    encoded(&shown(style))
}

/// Display name of a style.
fn shown(style: &Style) -> String {
    let known = match &*style.id {
        "Normal" => "Standard",
        "ListParagraph" => "List Paragraph",
        "Quote" => "Quotations",
        "SourceCode" => "Preformatted Text",
        "TableText" => "Table Contents",
        "TableCaption" => "Table",
        "ImageCaption" => "Figure",
        "FootnoteText" => "Footnote",
        "EndnoteText" => "Endnote",
        "Header" => "Header",
        "Footer" => "Footer",
        "TOC1" => "Contents 1",
        "TOC2" => "Contents 2",
        "TOC3" => "Contents 3",
        id => match id.strip_prefix("Heading").filter(|_| style.built_in) {
            Some(level) => return format!("Heading {level}"),
            None => &style.name,
        },
    };
    known.to_owned()
}

/// Encodes a style name as an XML name: any character other than an ASCII letter, a digit or a hyphen becomes its
/// hexadecimal code between underscores.
fn encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        // An XML name has to begin with a letter.
        if c.is_ascii_alphabetic() || (at > 0 && (c.is_ascii_digit() || c == '-')) {
            encoded.push(c);
        } else {
            encoded.push_str(&format!("_{:x}_", u32::from(c)));
        }
    }
    encoded
}

/// Base style of text frames.
pub(super) const FRAME: &str = "Frame";
/// Base style of pictures.
pub(super) const GRAPHICS: &str = "Graphics";

impl Odt<'_> {
    /// Returns `styles.xml`. `masters` are the master pages as XML.
    pub(super) fn styles_part(&self, pages: &Pages, masters: &str) -> String {
        let mut xml = super::part("office:document-styles");
        // Programs recognise code by its fixed-width font.
        xml.start("office:font-face-decls");
        xml.start("style:font-face")
            .attribute("style:name", "Consolas")
            .attribute("svg:font-family", "Consolas")
            .attribute("style:font-family-generic", "modern")
            .attribute("style:font-pitch", "fixed");
        xml.end().end();
        xml.start("office:styles");
        xml.start("style:default-style")
            .attribute("style:family", "paragraph");
        let text = TextStyle {
            language: self
                .context
                .document
                .metadata
                .language
                .as_deref()
                .map(Into::into)
                .or(self.context.styles.text.language.clone()),
            ..self.context.styles.text.clone()
        };
        let hyphenation = self.context.document.hyphenation;
        if let Some(most) = hyphenation.ladder {
            xml.start("style:paragraph-properties")
                .attribute("fo:hyphenation-ladder-count", most.to_string())
                .end();
        }
        let hyphenation = Some(hyphenation).filter(|own| own.automatic);
        xml.raw(&properties::text_of_paragraph(&text, None, hyphenation))
            .end();
        let mut written = HashSet::new();
        // A built-in style has priority for its name. A style of the document with the same name is left out.
        for built_in in [true, false] {
            for style in self
                .context
                .styles
                .all
                .iter()
                .filter(|style| style.built_in == built_in)
            {
                if written.insert(name(style)) {
                    self.write_style(&mut xml, style);
                }
            }
        }
        xml.raw(&self.others());
        self.outline_style(&mut xml);
        let (setups, _) = self.context.document.common_note_setups();
        note_setup(&mut xml, "footnote", &setups.footnotes);
        note_setup(&mut xml, "endnote", &setups.endnotes);
        page::line_numbers(&mut xml, self.context.document);
        xml.end();
        xml.start("office:automatic-styles");
        xml.raw(&self.automatic.write());
        xml.raw(&pages.layouts());
        xml.end();
        xml.start("office:master-styles").raw(masters).end();
        xml.finish()
    }

    /// Writes a common style with its parent and its properties.
    fn write_style(&self, xml: &mut Writer, style: &Style) {
        xml.start("style:style")
            .attribute("style:name", name(style))
            .attribute("style:display-name", shown(style))
            .attribute("style:family", "paragraph");
        let base = match &*style.id {
            "TableCaption" | "ImageCaption" => Some("Caption".to_owned()),
            _ => style
                .based_on
                .as_deref()
                .filter(|base| *base != &*style.id)
                .map(|base| name(&self.context.styles.all[self.context.styles.built_in(base)])),
        };
        if let Some(base) = base {
            xml.attribute("style:parent-style-name", base);
        }
        if let Some(level) = style.outline {
            xml.number("style:default-outline-level", i64::from(level) + 1);
        }
        let plain = ParagraphStyle::default();
        xml.raw(&properties::paragraph(&style.look, &plain, &[]));
        let hyphenation = self.hyphenation(&style.look, &plain);
        xml.raw(&properties::text_of_paragraph(
            &style.look.text,
            None,
            hyphenation,
        ));
        xml.end();
    }

    /// Returns how a paragraph is hyphenated. `None` if it states the same as its base style.
    pub(super) fn hyphenation(
        &self,
        own: &ParagraphStyle,
        base: &ParagraphStyle,
    ) -> Option<Hyphenation> {
        // If only the base style states something, the opposite undoes it.
        let is = own.hyphenated.or(base.hyphenated.map(|was| !was));
        let automatic = is.filter(|_| own.hyphenated != base.hyphenated)?;
        Some(Hyphenation {
            automatic,
            ..self.context.document.hyphenation
        })
    }

    /// Returns the character styles, the base styles of captions and frames, and the style of horizontal lines.
    fn others(&self) -> String {
        let mut xml = Writer::fragment();
        let mut add = |family: &str, name: &str, properties: &str| {
            let own = match name {
                "Source Text" => CODE.to_owned(),
                _ => encoded(name),
            };
            xml.start("style:style")
                .attribute("style:name", own)
                .attribute("style:display-name", name)
                .attribute("style:family", family);
            xml.raw(properties).end();
        };
        let link = TextStyle {
            colour: Some(convertd_tree::Colour(0x05, 0x63, 0xc1)),
            ..TextStyle::default()
        };
        add(
            "text",
            "Source Text",
            r#"<style:text-properties style:font-name="Consolas"/>"#,
        );
        add(
            "text",
            "Internet link",
            &properties::text(&link, Some(Mark::Underline)),
        );
        add("text", "Footnote Symbol", "");
        let raised = properties::text(&TextStyle::default(), Some(Mark::Superscript));
        add("text", "Footnote anchor", &raised);
        add("paragraph", "Caption", "");
        // Without a base style, LibreOffice treats frames as shapes and fills them.
        add("graphic", FRAME, "");
        add("graphic", GRAPHICS, "");
        let rule = concat!(
            r##"<style:paragraph-properties fo:margin-top="0pt" fo:margin-bottom="14pt" fo:padding="0pt" "##,
            r##"fo:border-bottom="1.5pt solid #808080"/>"##
        );
        add("paragraph", "Horizontal Line", rule);
        xml.finish()
    }

    /// Writes the numbering of headings (16.34).
    fn outline_style(&self, xml: &mut Writer) {
        xml.start("text:outline-style")
            .attribute("style:name", "Outline");
        for level in 0..9 {
            xml.start("text:outline-level-style")
                .number("text:level", level as i64 + 1);
            match self.context.heading_numbers {
                Some(period) => {
                    let numbering = Numbering {
                        delimiter: if period {
                            Delimiter::Period
                        } else {
                            Delimiter::None
                        },
                        nested: true,
                        ..Numbering::default()
                    };
                    lists::number_attributes(xml, level, numbering);
                }
                None => {
                    xml.attribute("style:num-format", "");
                }
            }
            xml.start("style:list-level-properties")
                .attribute("text:min-label-distance", points(Length::points(6.0)));
            xml.end().end();
        }
        xml.end();
    }
}

/// Name of the style for inline code. LibreOffice recognises it by its display name (`Source Text`), and pandoc by this
/// name.
pub(super) const CODE: &str = "Source_Text";

/// Writes the numbering and position of notes (16.29.3).
fn note_setup(xml: &mut Writer, class: &str, setup: &NoteSetup) {
    xml.start("text:notes-configuration")
        .attribute("text:note-class", class)
        .attribute("text:citation-style-name", "Footnote_20_Symbol")
        .attribute("text:citation-body-style-name", "Footnote_20_anchor");
    // A format that LibreOffice does not know, such as some formats of Word, becomes decimal.
    let example = setup.format.example();
    xml.attribute("style:num-format", example.as_deref().unwrap_or("1"))
        // The attribute counts from 0.
        .number("text:start-value", i64::from(setup.first()) - 1);
    if class == "footnote" {
        let position = match setup.position {
            NotePosition::PageEnd => "page",
            NotePosition::TextEnd => "text",
            NotePosition::SectionEnd => "section",
            NotePosition::DocumentEnd => "document",
        };
        let restart = match setup.restart {
            NoteCount::Document | NoteCount::Section => "document",
            NoteCount::Chapter => "chapter",
            NoteCount::Page => "page",
        };
        xml.attribute("text:footnotes-position", position)
            .attribute("text:start-numbering-at", restart);
    }
    xml.end();
}

/// Returns whether OpenDocument cannot number the notes of a document as they are: sections have no numberings of their
/// own, endnotes never start again, and some formats are unknown.
pub(super) fn changes_notes(document: &Document) -> bool {
    let (setups, differs) = document.common_note_setups();
    let has_notes = |kind| document.notes().iter().any(|note| note.kind == kind);
    let is_lost = |kind| {
        let setup = setups.of(kind);
        let restarts = match kind {
            NoteKind::Footnote => setup.restart == NoteCount::Section,
            NoteKind::Endnote => setup.restart != NoteCount::Document,
        };
        let restarts = restarts && document.sections().len() > 1;
        has_notes(kind) && (restarts || setup.format.example().is_none())
    };
    differs || is_lost(NoteKind::Footnote) || is_lost(NoteKind::Endnote)
}
