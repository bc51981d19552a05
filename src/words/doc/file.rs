//! An open Word document: its streams and definitions, and access to text and properties by character position (CP).
//! Reads no text into the tree.

use super::{
    characters::Run,
    fib::{DocumentPart, Fib, Table},
    fonts::Fonts,
    formatting::{PageContent, Pages},
    lists, notes,
    paragraphs::Paragraph,
    pieces::{Characters, Text},
    plex::Plex,
    recognise::STREAM,
    row_shape::RowShape,
    sections::{self, Section},
    sprm::{Sprm, Sprms, each_modification},
    styles::Styles,
};
use crate::{
    coding::code_page::CodePage,
    containers::{cfb::Compound, fields::Fields, property_set::SUMMARY},
    error::Result,
    job::{Input, Job},
};
use convertd_office::wordprocessing::{Resolved, RunProperties, Story, TextRole};
use convertd_tree::{Hyphenation, Length, Typesetter};
use std::ops::Range;

/// Streams of the compound file.
pub(super) struct Files {
    /// Stream `WordDocument`: text and formatting pages.
    text: Vec<u8>,
    /// Stream `0Table` or `1Table`; Word 6 has none.
    tables: Option<Vec<u8>>,
    /// Stream `Data`: pictures and long property lists.
    data: Option<Vec<u8>>,
    /// Summary information.
    pub(super) summary: Option<Vec<u8>>,
}

impl Files {
    /// Reads the streams.
    ///
    /// Errors: [`PageContent::BadInput`](crate::error::Kind::BadInput) if the file is damaged or has no text.
    pub(super) fn read(job: &Job<'_>, input: &mut dyn Input) -> Result<Self> {
        let file = Compound::open(input).map_err(|err| job.unreadable(err))?;
        let mut stream = |name: &str| {
            let found = file.read(input, name);
            found.map_err(|err| job.unreadable(err))
        };
        let text = stream(STREAM)?;
        let text = text.ok_or_else(|| job.unreadable("it has no text"))?;
        let tables = match Fib::read(job, &text)?.table_stream() {
            None => None,
            Some(name) => match stream(name)? {
                Some(tables) => Some(tables),
                // In some files, the file information block (FIB) names the wrong one of the two table streams.
                None => stream(if name == "0Table" { "1Table" } else { "0Table" })?,
            },
        };
        Ok(Self {
            tables,
            // The text can be read without these streams, so a damaged stream counts as missing.
            data: stream("Data").unwrap_or_default(),
            summary: stream(SUMMARY).unwrap_or_default(),
            text,
        })
    }
}

/// Document with its definitions.
pub(super) struct Doc<'a> {
    // Source.
    pub(super) job: &'a Job<'a>,
    files: &'a Files,
    pub(super) fib: Fib<'a>,
    // Text, and the formatting pages of characters and paragraphs.
    pub(super) text: Text<'a>,
    characters: Pages<'a>,
    paragraphs: Pages<'a>,
    // Definitions.
    pub(super) fonts: Fonts,
    styles: Styles,
    /// Sections in ascending order of their ends.
    pub(super) sections: Vec<Section>,
    /// Code page of one-byte characters. In Word 6, the code page of the font takes precedence.
    page: CodePage,
}

impl<'a> Doc<'a> {
    /// Reads the definitions: the FIB, fonts, styles and sections. The order matters, since styles refer to fonts.
    ///
    /// Errors: [`PageContent::BadInput`](crate::error::Kind::BadInput) if the file is encrypted, or of Word 2 or before.
    pub(super) fn read(job: &'a Job<'a>, files: &'a Files) -> Result<Self> {
        let fib = Fib::read(job, &files.text)?;
        let is_old = fib.is_old;
        let tables = files.tables.as_ref().unwrap_or(&files.text);
        let table = |table| fib.table(table, tables);
        let pages = |kind, which| Pages::new(&files.text, table(which), kind, is_old);
        let page = match fib.is_macintosh {
            true => CodePage::MACINTOSH,
            false if is_old => CodePage::by_language(fib.language).unwrap_or(CodePage::DEFAULT),
            false => CodePage::DEFAULT,
        };
        let fonts = Fonts::read(table(Table::Fonts), is_old);
        let sections = sections::read(
            Plex::new(table(Table::Sections), 12),
            Fields(&files.text),
            fib.part(DocumentPart::Main).end,
            is_old,
            notes::of_document(table(Table::Properties)),
        );
        Ok(Self {
            job,
            files,
            text: Text::read(
                &files.text,
                table(Table::Pieces),
                fib.start,
                fib.characters(),
                match (is_old, fib.is_wide) {
                    (true, true) => Characters::Wide,
                    (true, false) => Characters::Bytes,
                    (false, _) => Characters::Mixed(page),
                },
            ),
            characters: pages(PageContent::Characters, Table::CharacterPages),
            paragraphs: pages(PageContent::Paragraphs, Table::ParagraphPages),
            styles: Styles::read(table(Table::Styles), &fonts, is_old),
            fonts,
            sections,
            page,
            fib,
        })
    }

    /// Passes lists, styles and layout settings on to the story.
    pub(super) fn define(&self, story: &mut Story<'_>) {
        if !self.fib.is_old {
            let tables = self.files.tables.as_deref().unwrap_or_default();
            let definitions = self.table(Table::Lists);
            // The levels of the lists follow the table of definitions, so `lists::read` gets the rest of the stream.
            let start = match definitions.len() {
                0 => tables.len(),
                len => tables.len() - self.fib.after_table(Table::Lists, tables).len() - len,
            };
            story.lists = lists::read(
                Fields(tables).from(start),
                self.table(Table::Overrides),
                &self.fonts,
            );
        }
        let properties = self.table(Table::Properties);
        story.build.typesetter = Typesetter::Word;
        story.build.note_setups = notes::of_document(properties);
        story.build.hyphenation = hyphenation(properties);
        // Since Word 2000, the distance between two paragraphs is the larger of the two adjacent spaces, as in HTML,
        // unless the document turns that off (MS-DOC 2.7.5, 2.7.16).
        story.build.spaces_overlap = properties.len() > 512 && properties.u8(512) & 4 == 0;
        story.set_default_text(&self.styles.paragraph(0));
    }

    /// The stream of the text.
    pub(super) fn stream(&self) -> Fields<'a> {
        Fields(&self.files.text)
    }

    /// The data stream: pictures, and property lists that are too long for a formatting page. In Word 6, it is the
    /// stream of the text.
    pub(super) fn data(&self) -> Fields<'a> {
        match self.fib.is_old {
            true => self.stream(),
            false => Fields(self.files.data.as_deref().unwrap_or_default()),
        }
    }

    /// Bytes of a table.
    pub(super) fn table(&self, table: Table) -> Fields<'a> {
        let files = self.files;
        let tables = files.tables.as_ref().unwrap_or(&files.text);
        self.fib.table(table, tables)
    }

    /// Returns the CP after the paragraph that begins at `from`, at most `limit`.
    pub(super) fn paragraph_end(&self, from: u32, limit: u32) -> u32 {
        let units = self.text.units(from, limit);
        let ends = |at: usize, unit: u16| match unit {
            0x0d | 0x07 => true,
            // 0x0c is a section mark if a section of the main text ends here, and a page break within the paragraph
            // otherwise.
            0x0c => {
                let end = from + at as u32 + 1;
                let found = self
                    .sections
                    .binary_search_by_key(&end, |section| section.end);
                found.is_ok() && self.fib.part(DocumentPart::Main).contains(&from)
            }
            _ => false,
        };
        let mut marks = units.iter().enumerate();
        let mark = marks.find(|(at, unit)| ends(*at, **unit));
        mark.map_or(limit, |(at, _)| from + at as u32 + 1)
    }

    /// Passes on the property modifiers of the paragraph whose mark is at this CP, and returns the number of its
    /// style. The modifiers come from three places: a formatting page, the data stream, and the piece (of a fast
    /// save).
    fn modifications(&self, at: u32, take: &mut dyn FnMut(Sprm<'_>)) -> u16 {
        let is_old = self.fib.is_old;
        let found = self.paragraphs.find(self.text.place(at));
        let mut elsewhere = None;
        for sprm in Sprms::new(found.properties, is_old) {
            // sprmPHugePapx: a list that is too long for a page is in the data stream.
            if matches!(sprm.code, 0x6645 | 0x6646) {
                elsewhere = Some(sprm.value.u32(0) as usize);
            }
            take(sprm);
        }
        if let Some(place) = elsewhere {
            let data = self.data().from(place);
            let list = data.part(2, data.u16(0).into());
            Sprms::new(list.0, is_old).for_each(&mut *take);
        }
        each_modification(self.text.modifier(at), is_old, take);
        found.style
    }

    /// Properties of the paragraph whose mark is at this CP.
    pub(super) fn paragraph(&self, at: u32) -> Paragraph {
        let mut paragraph = Paragraph::default();
        let mut named = false;
        let style = self.modifications(at, &mut |sprm| {
            named |= sprm.code == 0x4600;
            paragraph.apply(sprm);
        });
        // Without sprmPIstd, the style that the formatting page states applies.
        if !named {
            paragraph.style = style;
        }
        paragraph
    }

    /// Geometry and formatting of the row whose mark is at this CP.
    pub(super) fn row(&self, at: u32) -> RowShape {
        let mut row = RowShape::default();
        self.modifications(at, &mut |sprm| row.apply(sprm));
        row.settle()
    }

    /// Resolved paragraph style with this number.
    pub(super) fn style(&self, number: u16) -> std::rc::Rc<Resolved> {
        self.styles.paragraph(number)
    }

    /// Properties of the character at a CP in a paragraph of this style, and the CP where they end.
    pub(super) fn run(&self, at: u32, style: &Resolved) -> (Run, u32) {
        let is_old = self.fib.is_old;
        let found = self.characters.find(self.text.place(at));
        let mut run = Run::default();
        let sprms = || Sprms::new(found.properties, is_old);
        // The character style (the last sprmCIstd) is applied first, wherever it is in the list.
        let number = sprms().filter(|sprm| sprm.code == 0x4a30).last();
        let number = number.map(|sprm| sprm.value.u16(0));
        let text = number.and_then(|number| self.styles.text(number));
        if let Some(text) = text {
            run.look.clone_from(&text.run);
            if text.role == Some(TextRole::Code) {
                run.look.code = Some(true);
            }
        }
        let base = base(style, &run.look);
        for sprm in sprms() {
            run.apply(sprm, &base, &self.fonts);
        }
        each_modification(self.text.modifier(at), is_old, &mut |sprm| {
            run.apply(sprm, &base, &self.fonts);
        });
        (run, self.text.end(at, found.end))
    }

    /// Decodes characters of a run. Word 6 stores bytes in the code page of the font, except for files with two bytes
    /// per character.
    pub(super) fn decode(&self, units: &[u16], run: &Run) -> String {
        if !self.fib.is_old || self.fib.is_wide {
            return String::from_utf16_lossy(units);
        }
        let face = run.font.and_then(|font| self.fonts.face(font));
        let page = face.and_then(|face| face.page).unwrap_or(self.page);
        let bytes: Vec<u8> = units.iter().map(|unit| *unit as u8).collect();
        page.decode(&bytes)
    }

    /// Converts positions relative to a part to a range of CPs.
    pub(super) fn within(&self, part: DocumentPart, from: u32, to: u32) -> Range<u32> {
        let part = self.fib.part(part);
        let at = |position: u32| part.start.saturating_add(position).min(part.end);
        at(from)..at(to).min(self.text.len())
    }
}

/// Combined properties of a paragraph style and a character style. Modifiers of toggle properties keep or invert these
/// values.
fn base(style: &Resolved, run: &RunProperties) -> RunProperties {
    let mut base = style.run.clone();
    base.apply(run);
    base
}

/// Reads the hyphenation of the document (DopBase, MS-DOC 2.7.2).
fn hyphenation(properties: Fields<'_>) -> Hyphenation {
    let mut own = Hyphenation::WORD;
    if properties.len() < 18 {
        return own;
    }
    // fHyphCapitals and fAutoHyphen, dxaHotZ, and cConsecHypLim.
    own.capitals = properties.u8(5) & 8 != 0;
    own.automatic = properties.u8(5) & 16 != 0;
    own.zone = Length::twips(properties.u16(14).into());
    own.ladder = Some(properties.u16(16)).filter(|most| *most > 0);
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_properties_give_the_hyphenation() {
        let mut properties = [0; 20];
        assert!(!hyphenation(Fields(&properties)).automatic);
        properties[5] = 0x10;
        properties[14..18].copy_from_slice(&[0xd0, 2, 3, 0]);
        let own = hyphenation(Fields(&properties));
        assert!(own.automatic && !own.capitals);
        assert_eq!((own.zone.to_twips(), own.ladder), (720, Some(3)));
        properties[5] = 0x18;
        assert!(hyphenation(Fields(&properties)).capitals);
        assert_eq!(hyphenation(Fields(&properties[..17])), Hyphenation::WORD);
    }
}
