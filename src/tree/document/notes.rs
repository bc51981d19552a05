//! Numbers of footnotes and endnotes: their format, first number, restarts and position (ECMA-376 part 1, 17.11). Sets
//! no text.
//!
//! Notes are counted in the order of their first references. A note with a mark of its own has no number, and is not
//! counted. Only a layout knows pages, so in formats without pages the numbers continue where the document asks for a
//! restart on every page.

use super::{
    Block, Document, Inline, Note, NoteId, NoteKind, Numeral, Section,
    walk::{self, Step},
};
use crate::numerals::Format;
use std::collections::HashMap;

/// Numbering and position of the footnotes or the endnotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteSetup {
    /// The format of the numbers.
    pub format: Format,
    /// The first number.
    pub start: u32,
    /// Range after which the numbers start again.
    pub restart: NoteCount,
    /// Position of the texts.
    pub position: NotePosition,
}

impl NoteSetup {
    /// The first number in formats of word processors, which refuse a file with a number outside of this range.
    pub fn first(&self) -> u32 {
        self.start.clamp(1, 16_383)
    }
}

/// Range after which the numbers of notes start again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoteCount {
    /// The whole document.
    #[default]
    Document,
    /// Each section.
    Section,
    /// Each chapter: the numbers start again at headings of the highest level.
    Chapter,
    /// Each page.
    Page,
}

/// Position of the texts of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotePosition {
    /// At the foot of the page.
    PageEnd,
    /// Directly below the last line of the page.
    TextEnd,
    /// At the end of the section.
    SectionEnd,
    /// At the end of the document.
    DocumentEnd,
}

/// Numbering of the footnotes and the endnotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteSetups {
    /// Footnotes.
    pub footnotes: NoteSetup,
    /// Endnotes.
    pub endnotes: NoteSetup,
}

impl Default for NoteSetups {
    /// Footnotes 1, 2, 3 at the foot of the page, and endnotes i, ii, iii at the end of the document.
    fn default() -> Self {
        let setup = |numeral, position| NoteSetup {
            format: Format::Plain(numeral),
            start: 1,
            restart: NoteCount::Document,
            position,
        };
        Self {
            footnotes: setup(Numeral::Decimal, NotePosition::PageEnd),
            endnotes: setup(Numeral::LowerRoman, NotePosition::DocumentEnd),
        }
    }
}

impl NoteSetups {
    /// The numbering of notes of this kind.
    pub fn of(&self, kind: NoteKind) -> &NoteSetup {
        match kind {
            NoteKind::Footnote => &self.footnotes,
            NoteKind::Endnote => &self.endnotes,
        }
    }

    /// The numbering of notes of this kind, to change it.
    pub fn of_mut(&mut self, kind: NoteKind) -> &mut NoteSetup {
        match kind {
            NoteKind::Footnote => &mut self.footnotes,
            NoteKind::Endnote => &mut self.endnotes,
        }
    }
}

/// The reference mark of each note of a document.
#[derive(Clone, Debug, Default)]
pub struct NoteLabels(Vec<Box<str>>);

impl NoteLabels {
    /// The reference mark of a note. Empty for a note without references.
    pub fn of(&self, id: NoteId) -> &str {
        self.0.get(id.index()).map_or("", |label| label)
    }
}

impl Document {
    /// The numbering of notes in a section: its own, or that of the document.
    pub fn note_setups_in(&self, section: &Section) -> NoteSetups {
        let own = section.page.as_ref().and_then(|page| page.notes);
        own.unwrap_or(self.note_setups)
    }

    /// The numbering of notes for formats that have a single numbering for the whole document: that of the first
    /// section. The second value is whether the document has notes and its sections have different numberings.
    pub fn common_note_setups(&self) -> (NoteSetups, bool) {
        let mut setups = (self.sections().iter()).map(|section| self.note_setups_in(section));
        let first = setups.next().unwrap_or(self.note_setups);
        let differs = !self.notes().is_empty() && setups.any(|setups| setups != first);
        (first, differs)
    }

    /// The reference mark of a note in formats without pages. Empty for a note without references.
    pub fn note_label(&self, id: NoteId) -> &str {
        let labels = || self.note_labels(&HashMap::new());
        self.labels.get_or_init(labels).of(id)
    }

    /// The reference marks of all notes. `pages` contains the page of each note whose page a layout has determined.
    pub fn note_labels(&self, pages: &HashMap<NoteId, usize>) -> NoteLabels {
        if self.notes().is_empty() {
            return NoteLabels::default();
        }
        let mut counter = Counter {
            document: self,
            pages,
            labels: vec![Box::default(); self.notes().len()],
            setups: self.note_setups,
            counts: [Count::default(); 2],
        };
        for (at, section) in self.sections().iter().enumerate() {
            counter.begin_section(at, section);
            walk::each_step(&section.blocks, false, &mut |step, _| counter.step(step));
        }
        NoteLabels(counter.labels)
    }
}

/// Counts notes in reading order.
struct Counter<'d> {
    document: &'d Document,
    pages: &'d HashMap<NoteId, usize>,
    labels: Vec<Box<str>>,
    setups: NoteSetups,
    /// Counts of footnotes and of endnotes.
    counts: [Count; 2],
}

/// Count of one kind of notes.
#[derive(Clone, Copy, Default)]
struct Count {
    /// Number of the next note.
    next: u32,
    /// Page of the last note whose page is known, if the count restarts on every page.
    page: Option<usize>,
}

impl Counter<'_> {
    fn begin_section(&mut self, at: usize, section: &Section) {
        self.setups = self.document.note_setups_in(section);
        self.restart(|restart| at == 0 || restart == NoteCount::Section);
    }

    /// Restarts the counts whose range ends here.
    fn restart(&mut self, ends: impl Fn(NoteCount) -> bool) {
        let setups = [self.setups.footnotes, self.setups.endnotes];
        for (count, setup) in self.counts.iter_mut().zip(setups) {
            if ends(setup.restart) {
                count.next = setup.start;
            }
        }
    }

    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Block(Block::Paragraph(paragraph)) => self.line(&paragraph.content),
            Step::Block(Block::Heading(heading)) => {
                if heading.level == 1 {
                    self.restart(|restart| restart == NoteCount::Chapter);
                }
                self.line(&heading.content);
            }
            Step::Term(term) => self.line(term),
            Step::Block(_) => {}
        }
    }

    fn line(&mut self, content: &[Inline]) {
        walk::each_in_line(content, &mut |inline| {
            if let Inline::Note(id) = inline {
                self.note(*id);
            }
        });
    }

    fn note(&mut self, id: NoteId) {
        let Note { kind, mark, .. } = self.document.note(id);
        let setup = *self.setups.of(*kind);
        let label = &mut self.labels[id.index()];
        if !label.is_empty() {
            return;
        }
        let count = &mut self.counts[*kind as usize];
        // A note whose page is unknown does not restart the count.
        let page = self.pages.get(&id).copied();
        if setup.restart == NoteCount::Page && page.is_some() && page != count.page {
            count.next = setup.start;
            count.page = page;
        }
        *label = match mark {
            Some(mark) => mark.clone(),
            None => {
                let number = count.next;
                count.next = number.saturating_add(1);
                setup.format.write(number).into()
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        document::{Builder, Node, PageSetup, ParagraphStyleId},
        job::{Notes, testing::with_job},
    };

    /// The marks of footnotes in a document. Each word begins a section (`section`) or a chapter (`chapter`), or is a
    /// note: a number is the page of the note, and any other word is its own mark.
    fn labels(setup: NoteSetup, words: &str) -> String {
        with_job(|job| {
            let mut build = Builder::new(job);
            build.note_setups.footnotes = setup;
            let (mut ids, mut pages) = (Vec::new(), HashMap::new());
            for word in words.split(' ') {
                if word == "section" {
                    build.set_page(PageSetup::default());
                    build.begin_section().expect("a section");
                    continue;
                }
                let node = match word {
                    "chapter" => Node::Heading {
                        level: 1,
                        id: None,
                        label: None,
                        style: ParagraphStyleId::DEFAULT,
                    },
                    _ => Node::Paragraph(ParagraphStyleId::DEFAULT),
                };
                build.open(node).expect("a block");
                if word != "chapter" {
                    let id = build.reserve_note(NoteKind::Footnote).expect("a note");
                    build.note(id).expect("a reference");
                    match word.parse() {
                        Ok(page) => drop(pages.insert(id, page)),
                        Err(_) => build.mark_note(id, word),
                    }
                    ids.push(id);
                }
                build.close().expect("the block");
            }
            let document = build.finish(&mut Notes::default()).expect("a document");
            let labels = document.note_labels(&pages);
            let all: Vec<&str> = ids.iter().map(|id| labels.of(*id)).collect();
            all.join(" ")
        })
    }

    #[test]
    fn note_numbers_follow_format_start_and_restart() {
        #[track_caller]
        fn check(restart: NoteCount, words: &str, expected: &str) {
            let setup = NoteSetup {
                format: Format::Plain(Numeral::LowerAlpha),
                start: 2,
                restart,
                position: NotePosition::PageEnd,
            };
            assert_eq!(labels(setup, words), expected, "{restart:?}");
        }
        check(NoteCount::Document, "1 1 section 2 chapter 3", "b c d e");
        check(NoteCount::Section, "1 1 section 2 chapter 3", "b c b c");
        check(NoteCount::Chapter, "1 1 section 2 chapter 3", "b c d b");
        check(NoteCount::Page, "1 1 section 2 chapter 3", "b c b b");
        check(NoteCount::Document, "1 * 1 ** 2", "b * c ** d");
        check(NoteCount::Page, "1 * 2 2", "b * b c");
        let long = "*".repeat(21);
        check(NoteCount::Document, &long, &long[..20]);
    }

    #[test]
    fn each_section_has_its_own_note_format() {
        let document = with_job(|job| {
            let mut build = Builder::new(job);
            for format in ["chicago", "upperRoman"] {
                let mut notes = NoteSetups::default();
                notes.endnotes.format = Format::of_word(format, None).expect("a format");
                let id = build.reserve_note(NoteKind::Endnote).expect("a note");
                build.note(id).expect("a reference");
                build.set_page(PageSetup {
                    notes: Some(notes),
                    ..PageSetup::default()
                });
                build.begin_section().expect("a section");
            }
            build.finish(&mut Notes::default()).expect("a document")
        });
        let labels = document.note_labels(&HashMap::new());
        assert_eq!(labels.0, ["*".into(), "II".into()] as [Box<str>; 2]);
    }

    #[test]
    fn terms_and_their_definitions_are_counted_in_turn() {
        let document = with_job(|job| {
            let mut build = Builder::new(job);
            let ids: Vec<NoteId> = (0..4)
                .map(|_| build.reserve_note(NoteKind::Footnote).expect("a note"))
                .collect();
            build.open(Node::Definitions).expect("a list");
            for pair in ids.chunks(2) {
                build.open(Node::Term).expect("a term");
                build.note(pair[0]).expect("a reference");
                build.close().expect("the term");
                build.open(Node::Details).expect("a definition");
                build
                    .open(Node::Paragraph(ParagraphStyleId::DEFAULT))
                    .expect("a paragraph");
                build.note(pair[1]).expect("a reference");
                build.close().expect("the paragraph");
                build.close().expect("the definition");
            }
            build.close().expect("the list");
            build.finish(&mut Notes::default()).expect("a document")
        });
        let labels = document.note_labels(&HashMap::new());
        assert_eq!(labels.0, ["1", "2", "3", "4"].map(Box::from));
    }

    #[test]
    fn word_processors_get_first_numbers_in_their_range() {
        #[track_caller]
        fn check(start: u32, expected: u32) {
            let setup = NoteSetup {
                start,
                ..NoteSetups::default().footnotes
            };
            assert_eq!(setup.first(), expected);
        }
        check(0, 1);
        check(7, 7);
        check(u32::MAX, 16_383);
    }
}
