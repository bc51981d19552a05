//! An open Word document: its streams, and what everything in it is looked up in. Reads no story.

use super::{
    characters::Run,
    fib::{Fib, Part, Table},
    fonts::Fonts,
    formatting::{Kind, Pages},
    lists,
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
use convertd_tree::Typesetter;
use std::ops::Range;

/// The streams of a document. One that is missing is empty.
pub(super) struct Files {
    text: Vec<u8>,
    tables: Option<Vec<u8>>,
    data: Option<Vec<u8>>,
    /// Summary information of the document.
    pub(super) summary: Option<Vec<u8>>,
}

impl Files {
    /// Reads the streams.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if there is no text.
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
                // Some programs name the wrong one of the two.
                None => stream(if name == "0Table" { "1Table" } else { "0Table" })?,
            },
        };
        Ok(Self {
            tables,
            // Damage outside of the text does not prevent reading it.
            data: stream("Data").unwrap_or_default(),
            summary: stream(SUMMARY).unwrap_or_default(),
            text,
        })
    }
}

/// A document that is open: what everything in it is looked up in.
pub(super) struct Doc<'a> {
    pub(super) job: &'a Job<'a>,
    files: &'a Files,
    pub(super) fib: Fib<'a>,
    pub(super) text: Text<'a>,
    characters: Pages<'a>,
    paragraphs: Pages<'a>,
    pub(super) fonts: Fonts,
    styles: Styles,
    /// The ends of sections, ascending.
    pub(super) sections: Vec<Section>,
    /// The code page of bytes. In Word 6, that of the font comes first.
    page: CodePage,
}

impl<'a> Doc<'a> {
    /// Reads the definitions.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is encrypted, or of Word 2 or before.
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
            fib.part(Part::Main).end,
            is_old,
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
            characters: pages(Kind::Characters, Table::CharacterPages),
            paragraphs: pages(Kind::Paragraphs, Table::ParagraphPages),
            styles: Styles::read(table(Table::Styles), &fonts, is_old),
            fonts,
            sections,
            page,
            fib,
        })
    }

    /// Tells the story the lists, the styles and other definitions.
    pub(super) fn define(&self, story: &mut Story<'_>) {
        if !self.fib.is_old {
            let tables = self.files.tables.as_deref().unwrap_or_default();
            let definitions = self.table(Table::Lists);
            // The levels are behind the table.
            let start = match definitions.len() {
                0 => tables.len(),
                len => tables.len() - self.fib.behind(Table::Lists, tables).len() - len,
            };
            story.lists = lists::read(
                Fields(tables).from(start),
                self.table(Table::Overrides),
                &self.fonts,
            );
        }
        // Since Word 2000, the larger of two spaces counts, as in HTML, unless the document says otherwise (2.7.5, 2.7.16).
        let properties = self.table(Table::Properties);
        story.build.typesetter = Typesetter::Word;
        story.build.spaces_overlap = properties.len() > 512 && properties.u8(512) & 4 == 0;
        story.set_default_text(&self.styles.paragraph(0));
    }

    /// The stream of the text.
    pub(super) fn stream(&self) -> Fields<'a> {
        Fields(&self.files.text)
    }

    /// The stream of data: pictures, and properties that are too long for a page. In Word 6 it is that of the text.
    pub(super) fn data(&self) -> Fields<'a> {
        match self.fib.is_old {
            true => self.stream(),
            false => Fields(self.files.data.as_deref().unwrap_or_default()),
        }
    }

    /// The bytes of a table.
    pub(super) fn table(&self, table: Table) -> Fields<'a> {
        let files = self.files;
        let tables = files.tables.as_ref().unwrap_or(&files.text);
        self.fib.table(table, tables)
    }

    /// The CP behind the paragraph that begins at `from`, and ends at `limit` at the latest.
    pub(super) fn paragraph_end(&self, from: u32, limit: u32) -> u32 {
        let units = self.text.units(from, limit);
        let ends = |at: usize, unit: u16| match unit {
            0x0d | 0x07 => true,
            // The mark of a section, or a page break.
            0x0c => {
                let end = from + at as u32 + 1;
                let found = self
                    .sections
                    .binary_search_by_key(&end, |section| section.end);
                found.is_ok() && self.fib.part(Part::Main).contains(&from)
            }
            _ => false,
        };
        let mut marks = units.iter().enumerate();
        let mark = marks.find(|(at, unit)| ends(*at, **unit));
        mark.map_or(limit, |(at, _)| from + at as u32 + 1)
    }

    /// Passes on the modifications of the paragraph whose last character is at this CP, and returns the number of its style.
    fn modifications(&self, at: u32, take: &mut dyn FnMut(Sprm<'_>)) -> u16 {
        let is_old = self.fib.is_old;
        let found = self.paragraphs.find(self.text.place(at));
        let mut elsewhere = None;
        for sprm in Sprms::new(found.properties, is_old) {
            // Lists that are too long for a page are in the stream of data.
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

    /// Properties of the paragraph whose last character is at this CP.
    pub(super) fn paragraph(&self, at: u32) -> Paragraph {
        let mut paragraph = Paragraph::default();
        let mut named = false;
        let style = self.modifications(at, &mut |sprm| {
            named |= sprm.code == 0x4600;
            paragraph.apply(sprm);
        });
        if !named {
            paragraph.style = style;
        }
        paragraph
    }

    /// The shape of the row whose mark is at this CP.
    pub(super) fn row(&self, at: u32) -> RowShape {
        let mut row = RowShape::default();
        self.modifications(at, &mut |sprm| row.apply(sprm));
        row.settle()
    }

    /// The style of a paragraph.
    pub(super) fn style(&self, number: u16) -> std::rc::Rc<Resolved> {
        self.styles.paragraph(number)
    }

    /// Properties of the character at a CP, in a paragraph of this style, and the CP up to which they hold.
    pub(super) fn run(&self, at: u32, style: &Resolved) -> (Run, u32) {
        let is_old = self.fib.is_old;
        let found = self.characters.find(self.text.place(at));
        let mut run = Run::default();
        let sprms = || Sprms::new(found.properties, is_old);
        // The style comes first, wherever its number stands.
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

    /// Decodes characters of a run.
    pub(super) fn decode(&self, units: &[u16], run: &Run) -> String {
        if !self.fib.is_old || self.fib.is_wide {
            return String::from_utf16_lossy(units);
        }
        let face = run.font.and_then(|font| self.fonts.face(font));
        let page = face.and_then(|face| face.page).unwrap_or(self.page);
        let bytes: Vec<u8> = units.iter().map(|unit| *unit as u8).collect();
        page.decode(&bytes)
    }

    /// The CPs of a text in a part, by its place in the part.
    pub(super) fn within(&self, part: Part, from: u32, to: u32) -> Range<u32> {
        let part = self.fib.part(part);
        let at = |position: u32| part.start.saturating_add(position).min(part.end);
        at(from)..at(to).min(self.text.len())
    }
}

/// Combined properties of a paragraph's style and a run's style.
fn base(style: &Resolved, run: &RunProperties) -> RunProperties {
    let mut base = style.run.clone();
    base.apply(run);
    base
}
