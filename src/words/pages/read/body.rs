//! Reads texts: the main text as well as those of cells, boxes, notes and headers. The modules `objects` and `table`
//! read the objects in them.

use super::pages::Pages;
use crate::{
    containers::iwa::{Message, Objects},
    error::Result,
    job::{Job, Lease},
};
use convertd_office::{
    iwork::{Media, Piece, Styles, Text, has_words},
    wordprocessing::{Paragraph, ParagraphProperties, RunProperties, Story, losses},
};
use convertd_tree::{Alignment, NoteId, losses::Loss};
use std::rc::Rc;

/// Limit on the nesting of texts.
const MAX_DEPTH: usize = 32;

/// Memory of an object that is read after its paragraph, in bytes. The factor 2 is for the spare capacity of a
/// growing list.
const DEFERRED: u64 = 2 * size_of::<Deferred>() as u64;

static DEEP: Loss = Loss {
    one: "A part that is nested more than 32 levels deep was left out.",
    many: "{} parts that are nested more than 32 levels deep were left out.",
};

/// A document that is being read.
pub(super) struct Body<'a, 'o> {
    pub(super) job: &'o Job<'o>,
    pub(super) objects: &'o Objects<'o>,
    pub(super) media: Media<'o>,
    pub(super) styles: Styles<'o>,
    pub(super) story: Story<'a>,
    /// Memory that is reserved for the lists of objects that are read later.
    pub(super) lease: Lease<'o>,
    pub(super) pages: Pages,
    pub(super) state: TextState,
    /// Number of texts around the current position.
    pub(super) depth: usize,
}

/// State of a paragraph. A text inside the paragraph has its own state.
#[derive(Default)]
pub(super) struct TextState {
    own: ParagraphProperties,
    /// The properties of its text without those of character styles.
    run: RunProperties,
    /// Alignment of paragraphs that state none, or state the start.
    alignment: Option<Alignment>,
    /// Objects to be read after the paragraph.
    deferred: Vec<Deferred>,
    /// Whether a link is open.
    is_linked: bool,
}

/// An object that is read after its paragraph.
pub(super) enum Deferred {
    Table(u64),
    /// A text box, by the number of its text.
    Box(u64),
    Note(NoteId, u64),
}

impl Body<'_, '_> {
    /// Reads the whole document.
    pub(super) fn document(&mut self, document: Message<'_>) -> Result<()> {
        self.story.set_default_text(&Default::default());
        let text = document.reference(4);
        let pages = self.floating(document.reference(3))?;
        match text.filter(|text| has_words(self.objects, *text)) {
            Some(text) => {
                self.first_page(&pages)?;
                self.text(text)?;
                self.later_pages(&pages)?;
            }
            None => self.all_pages(&pages)?,
        }
        self.end_document()
    }

    /// Reads the text of the object with this number.
    pub(super) fn text(&mut self, number: u64) -> Result<()> {
        self.aligned_text(number, None)
    }

    /// Reads a text whose paragraphs have this alignment, unless they state an alignment other than the start.
    pub(super) fn aligned_text(&mut self, number: u64, side: Option<Alignment>) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            self.story.build.lost(&DEEP);
            return Ok(());
        }
        let Some(text) = Text::open(self.job, self.objects, number)? else {
            return Ok(());
        };
        self.depth += 1;
        let fresh = TextState {
            alignment: side,
            ..TextState::default()
        };
        let around = std::mem::replace(&mut self.state, fresh);
        let read = text.walk(&mut |piece| self.piece(piece));
        self.state = around;
        self.depth -= 1;
        read
    }

    /// Adds an object to those that are read after the paragraph.
    pub(super) fn defer(&mut self, object: Deferred) -> Result<()> {
        self.lease.grow(DEFERRED)?;
        self.state.deferred.push(object);
        Ok(())
    }

    /// Adds a piece of a text to the story.
    fn piece(&mut self, piece: Piece<'_>) -> Result<()> {
        match piece {
            Piece::Begin {
                style,
                list,
                level,
                start,
            } => self.begin(style, list, level, start)?,
            Piece::End => self.end()?,
            Piece::Characters(text, look) => {
                let look = self.styles.characters(look)?;
                let mut run = self.state.run.clone();
                run.apply(&look);
                self.story.set_run(run);
                self.story.text(text)?;
            }
            Piece::LineBreak => self.story.line_break()?,
            Piece::PageBreak => self.story.page_break(),
            Piece::ColumnBreak => self.story.column_break()?,
            Piece::Section(section) => self.begin_section(section)?,
            Piece::Object(object) => self.object(object)?,
            Piece::Note(note) => self.note(note)?,
            Piece::Link(Some(target)) => {
                self.story.open_link(target, "");
                self.state.is_linked = true;
            }
            Piece::Link(None) => {
                if std::mem::take(&mut self.state.is_linked) {
                    self.story.close_link();
                }
            }
            Piece::Deleted => self.story.build.lost(&losses::CHANGES),
        }
        Ok(())
    }

    fn begin(
        &mut self,
        style: Option<u64>,
        list: Option<u64>,
        level: u8,
        start: Option<u32>,
    ) -> Result<()> {
        let styled = self.styles.paragraph(style)?;
        let mut own = styled.own.clone();
        let lists = &mut self.story.lists;
        own.list = match (list, start) {
            (Some(list), Some(start)) => self.styles.restart(lists, list, level, start)?,
            (list, _) => self.styles.list(lists, list)?,
        };
        own.list_level = own.list.map(|_| level);
        let aligns = own.alignment.or(styled.style.paragraph.alignment);
        if aligns.is_none_or(|side| side == Alignment::Start) && self.state.alignment.is_some() {
            own.alignment = self.state.alignment;
        }
        self.state.own = own;
        self.state.run.clone_from(&styled.run);
        self.story.open_paragraph(Rc::clone(&styled.style));
        self.story.set_run(styled.run.clone());
        Ok(())
    }

    pub(super) fn end(&mut self) -> Result<()> {
        let deferred = std::mem::take(&mut self.state.deferred);
        // A paragraph that contains only a table becomes that table.
        let is_table = !deferred.is_empty() && self.story.is_blank();
        if is_table {
            self.story.take_line();
        } else {
            let own = std::mem::take(&mut self.state.own);
            self.story.close_paragraph(Paragraph {
                own,
                ..Paragraph::default()
            })?;
        }
        for object in deferred {
            match object {
                Deferred::Table(number) => self.table(number)?,
                Deferred::Box(text) => {
                    self.story.open_box()?;
                    self.text(text)?;
                    self.story.close_text()?;
                }
                Deferred::Note(note, text) => {
                    self.story.open_note(note)?;
                    self.text(text)?;
                    self.story.close_text()?;
                }
            }
        }
        Ok(())
    }
}
