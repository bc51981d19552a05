//! Processes a file token by token. Each open group has its formatting, on a stack of states. Each open text (the
//! main text, a note, a header) has its content. Interprets no control words itself.

use super::{
    borders::Looks,
    definitions::{FontFace, Header, StyleSheet},
    dimensions::Dimensions,
    frame::Shape,
    groups::Group,
    margin::HeadersFooters,
    notes::SectionNotes,
    paged::Paged,
    pictures::Picture,
    shapes::{self, MAX_DEPTH, Rows},
    state::{Destination, State},
    text::Text,
    tokens::{Token, Tokens},
};
use crate::{coding::code_page::CodePage, error::Result, job::Job};
use convertd_office::wordprocessing::Story;
use convertd_tree::{Colour, DropCap, Frame, Hyphenation, NoteKind, PageSetup, Typesetter};
use std::collections::HashMap;

/// Limit on the stack of groups. Deeper groups share the state of the last group within the limit.
const MAX_GROUPS: usize = 1000;

/// Replacement for half of a surrogate pair.
const LONE: &str = "\u{fffd}";

/// Number of tokens between two checks of the deadline.
const TOKENS_PER_CHECK: u32 = 1 << 14;

/// State of reading a document.
pub(super) struct RtfReader<'a> {
    // Source, and the groups around the position.
    pub(super) job: &'a Job<'a>,
    /// Rest of the file, as tokens.
    pub(super) tokens: Tokens<'a>,
    /// States of the open groups, outermost first.
    pub(super) states: Vec<State>,
    /// Number of open groups beyond the limit.
    beyond: usize,
    /// Whether a group has just begun, so that a destination may follow.
    pub(super) begins: bool,
    /// Whether `\*` precedes the next control word: an unknown destination is then skipped.
    pub(super) optional: bool,
    /// Bytes of text that are not decoded yet. A character may consist of several tokens.
    pending: Vec<u8>,
    /// First half of a surrogate pair.
    high: Option<u16>,
    /// Number of characters to skip, because they replace a `\u` for old readers.
    pub(super) skipping: usize,
    // Definitions of the header.
    /// Code page of text whose font states none.
    pub(super) page: CodePage,
    /// Number of the default font.
    pub(super) default_font: Option<i32>,
    /// Font table, by numbers.
    pub(super) fonts: HashMap<i32, FontFace>,
    /// Whether the text of the document begins in a fixed-width font. `None` before the first text.
    pub(super) typed: Option<bool>,
    /// Whether the text has begun. The header comes before it.
    pub(super) has_text: bool,
    /// Colour table. `None` is the automatic colour.
    pub(super) colours: Vec<Option<Colour>>,
    /// Style sheet.
    pub(super) styles: StyleSheet,
    // Tables.
    /// Rows of all tables at each depth.
    pub(super) rows: Rows,
    /// Formatting of cells.
    pub(super) looks: Looks,
    /// Index of the next row at each depth.
    pub(super) row: [usize; MAX_DEPTH],
    /// Text collected in the current destination, such as a name.
    pub(super) gathered: String,
    /// Entry of the header that is being read.
    pub(super) header: Header,
    /// Picture that is being read.
    pub(super) picture: Picture,
    // Target.
    pub(super) story: Story<'a>,
    /// Open texts, outermost first.
    pub(super) texts: Vec<Text>,
    /// Page setup of the current section, without its dimensions.
    pub(super) paper: PageSetup,
    /// Dimensions of the pages of the current section.
    pub(super) dimensions: Dimensions,
    /// Dimensions that the document states for all sections.
    pub(super) document_dimensions: Dimensions,
    /// Whether the file states a page size, margins, columns or line numbers.
    pub(super) states_paper: bool,
    /// Properties of pages that several words state together.
    pub(super) paged: Paged,
    /// Changes of the current section to the numbering of notes.
    pub(super) notes: SectionNotes,
    /// Whether the next note has a number: `\chftn` precedes it.
    pub(super) is_numbered: bool,
    /// Headers and footers so far.
    pub(super) headers_footers: HeadersFooters,
    /// Open frame, which contains the last paragraph.
    pub(super) framed: Option<Frame>,
    /// Shape whose group is being read.
    pub(super) shape: Option<Shape>,
    /// Picture of which the shape consists.
    pub(super) shape_picture: Option<Picture>,
    /// Group of shapes that is being read.
    pub(super) group: Option<Group>,
    /// Whether the next shape is a group of shapes (`\shpgrp`).
    pub(super) begins_group: bool,
    /// Drop cap whose letter has been read. It belongs to the next paragraph.
    pub(super) drop_cap: Option<DropCap>,
}

impl<'a> RtfReader<'a> {
    /// Creates a reader. A first pass finds the rows of tables and the targets of links, because both are needed before
    /// they occur.
    pub(super) fn new(job: &'a Job<'a>, file: &'a [u8]) -> Result<Self> {
        let mut story = Story::new(job);
        story.repeats_styles = true;
        story.build.typesetter = Typesetter::Word;
        story.build.hyphenation = Hyphenation::WORD;
        let (rows, looks) = shapes::rows(job, file)?;
        for before in ["\\\\l ", "REF "] {
            story.find_targets(file, before, '}');
        }
        Ok(Self {
            job,
            tokens: Tokens::new(file),
            states: vec![State {
                skips: 1,
                ..State::default()
            }],
            beyond: 0,
            begins: false,
            optional: false,
            pending: Vec::new(),
            high: None,
            skipping: 0,
            page: CodePage::DEFAULT,
            default_font: None,
            fonts: HashMap::new(),
            typed: None,
            has_text: false,
            colours: Vec::new(),
            styles: StyleSheet::default(),
            rows,
            looks,
            row: [0; MAX_DEPTH],
            gathered: String::new(),
            header: Header::default(),
            picture: Picture::default(),
            story,
            texts: vec![Text::default()],
            paper: PageSetup::default(),
            dimensions: Dimensions::default(),
            document_dimensions: Dimensions::default(),
            states_paper: false,
            paged: Paged::default(),
            notes: SectionNotes::default(),
            is_numbered: false,
            headers_footers: HeadersFooters::default(),
            framed: None,
            shape: None,
            shape_picture: None,
            group: None,
            begins_group: false,
            drop_cap: None,
        })
    }

    /// State of the current group.
    pub(super) fn state(&mut self) -> &mut State {
        if self.states.is_empty() {
            self.states.push(State::default());
        }
        let last = self.states.len() - 1;
        &mut self.states[last]
    }

    /// The innermost open text.
    pub(super) fn open(&mut self) -> &mut Text {
        if self.texts.is_empty() {
            self.texts.push(Text::default());
        }
        let last = self.texts.len() - 1;
        &mut self.texts[last]
    }

    /// Reads the document, and returns whether the file is complete. Groups that are open at the end of the file are
    /// closed, as word processors do.
    pub(super) fn document(&mut self) -> Result<bool> {
        let mut count = 0;
        let mut ended = false;
        while let Some(token) = self.tokens.next() {
            count += 1;
            if count == TOKENS_PER_CHECK {
                count = 0;
                self.job.check()?;
            }
            self.token(token)?;
            if self.states.len() == 1 && self.beyond == 0 && token == Token::Close {
                ended = true;
                break;
            }
        }
        if !ended {
            let open = self.states.len().saturating_sub(1) + self.beyond;
            for _ in 0..open {
                self.token(Token::Close)?;
            }
        }
        self.flush()?;
        self.end_document()?;
        Ok(ended)
    }

    /// Handles a token. Groups save and restore the state.
    fn token(&mut self, token: Token<'a>) -> Result<()> {
        let began = std::mem::take(&mut self.begins);
        match token {
            Token::Open => {
                // Some files have spaces between the groups of the header, for readability. These spaces are not text.
                let is_header = !self.has_text && self.states.len() == 2;
                if is_header && self.pending.iter().all(|byte| *byte == b' ') {
                    self.pending.clear();
                }
                self.flush()?;
                self.skipping = 0;
                if self.states.len() > MAX_GROUPS {
                    self.beyond += 1;
                    return Ok(());
                }
                let state = State {
                    is_field: false,
                    ..self.state().clone()
                };
                self.states.push(state);
                self.begins = true;
                self.optional = false;
                Ok(())
            }
            Token::Close => {
                self.flush()?;
                self.skipping = 0;
                if self.beyond > 0 {
                    self.beyond -= 1;
                    return Ok(());
                }
                if self.states.len() == 1 {
                    return Ok(());
                }
                self.end_group()
            }
            // `\*` marks a destination that readers may skip if they do not know it.
            Token::Sign(b'*') if began => {
                self.begins = true;
                self.optional = true;
                Ok(())
            }
            Token::Word("u", Some(number)) => self.unicode(number),
            // The characters after a Unicode character are its replacement for old readers (`\uc`).
            _ if self.skipping > 0 && !matches!(token, Token::Text(_)) => {
                self.skipping -= 1;
                Ok(())
            }
            Token::Word(word, number) => {
                let optional = std::mem::take(&mut self.optional);
                if began && !self.pending.is_empty() {
                    // Spaces before a destination, as in `{ \fonttbl`, are not text.
                    let spaces = std::mem::take(&mut self.pending);
                    let skips = self.state().destination == Destination::Skip;
                    if !skips && !optional {
                        if self.begin_destination(word)? {
                            return Ok(());
                        }
                        self.pending = spaces;
                    }
                }
                self.flush()?;
                self.word(word, number, began, optional)
            }
            Token::Sign(sign) => self.sign(sign),
            Token::Hex(byte) => {
                if self.high.is_some() || self.pending.is_empty() {
                    self.flush()?;
                }
                self.pending.push(byte);
                Ok(())
            }
            Token::Binary(data) => {
                if self.state().destination == Destination::Picture {
                    self.picture.add_binary(data);
                }
                Ok(())
            }
            Token::Text(text) => {
                self.begins = began && self.skipping == 0 && text.iter().all(|byte| *byte == b' ');
                let skipped = self.skipping.min(text.len());
                self.skipping -= skipped;
                self.pending.extend_from_slice(&text[skipped..]);
                // Long texts are decoded in pieces, so that they are not in memory twice. A piece that ends with ASCII
                // cannot end inside a character.
                if self.pending.len() > 1 << 16 && text.is_ascii() {
                    self.flush()?;
                }
                Ok(())
            }
        }
    }

    /// Handles a `\u` character, a UTF-16 code unit. A surrogate pair consists of two code units.
    fn unicode(&mut self, number: i32) -> Result<()> {
        let unit = number as u16;
        self.skipping = self.state().skips;
        let half = self.high.take();
        let is_low = matches!(unit, 0xdc00..=0xdfff);
        let high = half.filter(|_| is_low && self.pending.is_empty());
        if half.is_some() && high.is_none() {
            self.text(LONE)?;
        }
        self.flush_bytes()?;
        if matches!(unit, 0xd800..=0xdbff) {
            self.high = Some(unit);
            return Ok(());
        }
        if is_low {
            let text = high.map(|high| String::from_utf16_lossy(&[high, unit]));
            return self.text(text.as_deref().unwrap_or(LONE));
        }
        match char::from_u32(unit.into()) {
            Some('\0') | None => Ok(()),
            Some(c) => self.text(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// Handles a control symbol.
    fn sign(&mut self, sign: u8) -> Result<()> {
        let text = match sign {
            b'\\' | b'{' | b'}' => {
                // An escaped character is ordinary text.
                self.pending.push(sign);
                return Ok(());
            }
            b'~' => "\u{a0}",
            b'_' => "\u{2011}",
            b'-' => "\u{ad}",
            b'\t' => "\t",
            b'\r' | b'\n' => {
                self.flush()?;
                return self.word("par", None, false, false);
            }
            _ => return Ok(()),
        };
        self.flush()?;
        self.text(text)
    }

    /// Decodes the pending bytes of text. Half of a surrogate pair that waits for the other half is replaced.
    pub(super) fn flush(&mut self) -> Result<()> {
        if self.high.take().is_some() {
            self.text(LONE)?;
        }
        self.flush_bytes()
    }

    /// Decodes the pending bytes in the code page of their font, and adds them as text.
    fn flush_bytes(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.pending);
        let destination = self.state().destination;
        let text = if destination == Destination::Picture || bytes.is_ascii() {
            String::from_utf8(bytes).unwrap_or_default()
        } else {
            let page = self.state().page.unwrap_or(self.page);
            page.decode(&bytes)
        };
        self.text(&text)
    }

    /// Passes decoded text to the current destination.
    fn text(&mut self, text: &str) -> Result<()> {
        match self.state().destination {
            Destination::Text => self.add_text(text),
            Destination::Skip
            | Destination::Field
            | Destination::OldNumber
            | Destination::Properties => Ok(()),
            Destination::Picture => {
                self.picture.add_digits(text);
                Ok(())
            }
            Destination::Instruction => {
                self.story.instruct(text);
                Ok(())
            }
            Destination::Fonts
            | Destination::Colours
            | Destination::Styles
            | Destination::Lists
            | Destination::ListText
            | Destination::Overrides
            | Destination::Info
            | Destination::Bookmark
            | Destination::PropertyName
            | Destination::PropertyValue
            | Destination::Label => {
                self.gathered.push_str(text);
                self.header_text()
            }
        }
    }

    /// Begins a note in the current group.
    pub(super) fn begin_note(&mut self, kind: NoteKind) -> Result<()> {
        // Without a number, the mark is the text before the note.
        let is_numbered = std::mem::take(&mut self.is_numbered);
        let mark = match is_numbered {
            true => None,
            false => self.story.take_mark(),
        };
        let note = self.story.note(kind)?;
        if let Some(mark) = mark {
            self.story.mark_note(note, &mark);
        }
        self.story.open_note(note)?;
        self.texts.push(Text {
            group: self.states.len(),
            is_note: true,
            ..Text::default()
        });
        let state = self.state();
        state.plain();
        state.plain_paragraph();
        state.destination = Destination::Text;
        Ok(())
    }
}
