//! State of a Rich Text document that is being written: fonts, colours, and the beginning of the next paragraph. Also
//! writes control words and escaped text.

use crate::job::Job;
use convertd_office::wordprocessing::write::Context;
use convertd_tree::{Colour, Document, Mark, PageSetup, losses::Loss};

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
pub(super) struct Rtf<'a> {
    // Source and target.
    pub(super) context: Context<'a>,
    pub(super) out: String,
    // Font table and colour table of the header, which is generated after the body.
    pub(super) fonts: Vec<String>,
    pub(super) colours: Vec<Colour>,
    /// Page setup of the first section, which is also that of the document.
    pub(super) page: Option<&'a PageSetup>,
    /// Whether any section has different headers or footers on even pages.
    pub(super) facing: bool,
    /// Whether a paragraph is open. Its end is written only when the next paragraph begins.
    pub(super) open: bool,
    /// Label of the next paragraph as text (`\listtext`), for programs that do not support lists.
    pub(super) label_pending: Option<String>,
    /// Reference mark of a note, which is written at the beginning of the next paragraph.
    pub(super) note_mark: Option<String>,
    /// Marks around the current text.
    pub(super) marks: Vec<Mark>,
}

impl<'a> Rtf<'a> {
    pub(super) fn new(job: &'a Job<'a>, document: &'a Document) -> Self {
        let mut context = Context::new(job, document);
        // Heading numbers are part of the text, because many programs drop the numbers of lists.
        context.heading_numbers = None;
        let font = context.styles.text.font.as_deref().unwrap_or("Calibri");
        Self {
            // Font 1 is the font of code, and colour 1 the colour of links.
            fonts: vec![plain_font(font).to_owned(), "Consolas".to_owned()],
            context,
            out: String::new(),
            colours: vec![Colour(0x05, 0x63, 0xc1)],
            page: None,
            facing: document.sections().iter().any(|section| {
                let page = section.page.as_deref();
                page.is_some_and(|page| page.headers.even.is_some() || page.footers.even.is_some())
            }),
            open: false,
            label_pending: None,
            note_mark: None,
            marks: Vec::new(),
        }
    }

    /// Returns the number of a font in the font table.
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

    /// Returns the number of a colour in the colour table. Number 0 is the automatic colour.
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

    /// Writes text, escaped for RTF.
    pub(super) fn plain(&mut self, text: &str) {
        escape(&mut self.out, text);
    }
}

/// Returns the first font of a list that is separated by commas, without quotation marks. The default is Calibri.
fn plain_font(names: &str) -> &str {
    let first = names.split(',').next().unwrap_or_default();
    let name = first.trim().trim_matches(['"', '\'']);
    if name.is_empty() { "Calibri" } else { name }
}

/// Appends text, escaped for RTF. Control characters except tabs and line breaks are left out.
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
                    // The space ends the number. Without it, some readers would take a following digit as part of the
                    // number. The question mark is for readers without Unicode.
                    out.push_str(&format!("\\u{} ?", *unit as i16));
                }
            }
        }
    }
}
