//! The state of a document that is being written: fonts, colours, styles, and notes about what was lost. Writes no content
//! itself.

use crate::{
    document::{
        Loss, Losses,
        office::{self, Growth, Styles, Use, WrittenLists},
        options,
        tree::{Alignment, Colour, Document, Length, PageSetup},
    },
    error::Result,
    job::Job,
};
use std::collections::HashSet;

pub(super) static FOREIGN: Loss = Loss {
    one: "A picture was replaced by its alternative text: RTF cannot hold its format.",
    many: "{} pictures were replaced by their alternative texts: RTF cannot hold their formats.",
};

pub(super) static DRAWN: Loss = Loss {
    one: "A drawing (SVG) became a picture of pixels.",
    many: "{} drawings (SVG) became pictures of pixels.",
};

pub(super) static NESTED: Loss = Loss {
    one: "A nested table was converted to paragraphs.",
    many: "{} nested tables were converted to paragraphs.",
};

/// A document that is being written.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) document: &'a Document,
    pub(super) out: String,
    pub(super) styles: Styles,
    pub(super) lists: WrittenLists,
    pub(super) losses: Losses,
    pub(super) fonts: Vec<String>,
    pub(super) colours: Vec<Colour>,
    pub(super) targets: HashSet<&'a str>,
    pub(super) page: Option<&'a PageSetup>,
    pub(super) place: Place,
    /// Whether a paragraph is open. Its end is written when the next one begins.
    pub(super) open: bool,
    pub(super) break_pending: bool,
    /// The label of the next paragraph as text (`\\listtext`), for programs that do not support lists.
    pub(super) label_pending: Option<String>,
    /// The state of the check box that the text of the next paragraph begins with.
    pub(super) task_pending: Option<bool>,
    /// Whether the number of the note is to precede the next text.
    pub(super) note_mark: bool,
    pub(super) text_width: Length,
    growth: Growth,
}

/// What encloses a paragraph.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub(super) within: Option<Use>,
    /// The list and level of the current item.
    pub(super) list: Option<(u32, usize)>,
    /// Whether the current item has its number.
    pub(super) numbered: bool,
    pub(super) depth: usize,
    /// The numbers of the item and of those around it, outermost first and without delimiters.
    pub(super) numbers: Vec<String>,
    /// The number of tables around it.
    pub(super) tables: usize,
    pub(super) alignment: Option<Alignment>,
    pub(super) right_to_left: bool,
}

impl<'a> Context<'a> {
    pub(super) fn new(job: &'a Job<'a>, document: &'a Document) -> Self {
        let styles = Styles::new(document);
        let font = styles.text.font.as_deref().unwrap_or("Calibri");
        Self {
            job,
            document,
            out: String::new(),
            fonts: vec![plain_font(font).to_owned(), "Consolas".to_owned()],
            styles,
            lists: WrittenLists::new(),
            losses: Losses::default(),
            colours: vec![Colour(0x05, 0x63, 0xc1)],
            targets: office::targets(document, job.options().flag(options::TOC.name)),
            page: None,
            place: Place::default(),
            open: false,
            break_pending: false,
            label_pending: None,
            task_pending: None,
            note_mark: false,
            text_width: Length::inches(6.5),
            growth: Growth::default(),
        }
    }

    /// Reserves memory for the output as it grows.
    pub(super) fn grow(&mut self) -> Result<()> {
        self.growth
            .to(self.job, self.document, 2 * self.out.len() as u64)
    }

    /// The number of a font in the font table.
    pub(super) fn font(&mut self, names: &str) -> usize {
        let name = plain_font(names);
        match self.fonts.iter().position(|known| known == name) {
            Some(number) => number,
            None => {
                self.fonts.push(name.to_owned());
                self.fonts.len() - 1
            }
        }
    }

    /// The number of a colour in the colour table. Number 0 is the default text colour.
    pub(super) fn colour(&mut self, colour: Colour) -> usize {
        match self.colours.iter().position(|known| *known == colour) {
            Some(number) => number + 1,
            None => {
                self.colours.push(colour);
                self.colours.len()
            }
        }
    }

    /// Writes a control word.
    pub(super) fn word(&mut self, word: &str) {
        self.out.push('\\');
        self.out.push_str(word);
    }

    /// Writes a control word with a parameter.
    pub(super) fn number(&mut self, word: &str, number: i64) {
        self.word(word);
        self.out.push_str(&number.to_string());
    }

    /// Writes text.
    pub(super) fn text(&mut self, text: &str) {
        escape(&mut self.out, text);
    }
}

fn plain_font(names: &str) -> &str {
    let first = names.split(',').next().unwrap_or_default();
    let name = first.trim().trim_matches(['"', '\'']);
    if name.is_empty() { "Calibri" } else { name }
}

/// Appends text in the notation of RTF.
pub(super) fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '\\' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\t' => out.push_str("\\tab "),
            '\n' => out.push_str("\\line "),
            '\0'..='\u{1f}' => {}
            ' '..='~' => out.push(c),
            '\u{a0}' => out.push_str("\\~"),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // A space ends the number, since some readers would take a digit that follows for a part of it.
                    out.push_str(&format!("\\u{} ?", *unit as i16));
                }
            }
        }
    }
}
