//! Interprets control words (RTF 1.9.1, "Contents of an RTF File"): destinations, special characters and properties.
//! Unknown words are ignored, and an unknown destination that is marked with `\*` is skipped with its group.

use super::{
    margin::Margin,
    paged::Paged,
    pictures::Picture,
    reader::RtfReader,
    state::{Destination, OldNumber},
};
use crate::{coding::code_page::CodePage, error::Result};
use convertd_office::wordprocessing::{self as office, Within, losses};
use convertd_tree::{
    Field, Length, LineCount, LineNumbers, NoteKind, Numeral, PageSetup, SectionStart,
};

impl RtfReader<'_> {
    /// Handles a control word. `began` means that it is the first in its group, and `optional` that `\*` precedes it.
    /// The order of the handlers matters, since words have different meanings in different destinations.
    pub(super) fn word(
        &mut self,
        word: &str,
        number: Option<i32>,
        began: bool,
        optional: bool,
    ) -> Result<()> {
        // The Unicode version of the text in `\upr` replaces the version in a code page.
        if began
            && word == "ud"
            && let Some(around) = self.state().unicode.take()
        {
            self.state().destination = around;
            self.begins = true;
            return Ok(());
        }
        // Words in groups that are skipped are ignored.
        if self.state().destination == Destination::Skip {
            return Ok(());
        }
        if began && self.begin_destination(word)? {
            return Ok(());
        }
        if optional && !is_known(word) {
            self.state().destination = Destination::Skip;
            return Ok(());
        }
        if self.header_word(word, number) || self.font_word(word, number) {
            return Ok(());
        }
        let destination = self.state().destination;
        if destination == Destination::Text && self.shape_word(word, number)? {
            return Ok(());
        }
        match destination {
            Destination::Picture => {
                self.picture.word(word, number);
                return Ok(());
            }
            Destination::OldNumber => {
                self.old_number(word, number);
                return Ok(());
            }
            _ => {}
        }
        // Properties of the text and the paragraph.
        let Self {
            states, colours, ..
        } = self;
        // Properties of lines belong to the page border that was selected last, unless other words have followed that
        // border.
        if self.paged.line_word(word, number) {
            return Ok(());
        }
        self.paged.forget();
        if let Some(state) = states.last_mut()
            && (state.text_word(word, number, colours)
                || state.paragraph_word(word, number, colours))
        {
            return Ok(());
        }
        match word {
            "plain" => self.state().plain(),
            "pard" => self.state().plain_paragraph(),
            "s" => self.state().style = number,
            "cs" => self.state().character_style = number,
            "uc" => self.state().skips = number.unwrap_or(1).clamp(0, 100) as usize,
            // Character sets of the whole document.
            "ansi" => self.page = CodePage::DEFAULT,
            "mac" => self.page = CodePage::by_number(10000).unwrap_or(self.page),
            "pc" => self.page = CodePage::by_number(437).unwrap_or(self.page),
            "pca" => self.page = CodePage::by_number(850).unwrap_or(self.page),
            "ansicpg" => {
                self.page = CodePage::by_number(number.unwrap_or(0)).unwrap_or(self.page);
            }
            // Defaults of the document.
            "deff" => self.default_font = number,
            "deflang" => {
                let metadata = &mut self.story.build.metadata;
                let stated = office::language(number.unwrap_or(0)).map(str::to_owned);
                metadata.language = metadata.language.take().or(stated);
            }
            "htmautsp" => self.story.build.spaces_overlap = true,
            "hyphauto" => self.story.build.hyphenation.automatic = number != Some(0),
            "hyphcaps" => self.story.build.hyphenation.capitals = number != Some(0),
            "hyphconsec" => {
                let most = number.and_then(|most| most.try_into().ok());
                self.story.build.hyphenation.ladder = most.filter(|most| *most > 0);
            }
            "hyphhotz" => {
                let zone = Length::twips(number.unwrap_or(0).into());
                self.story.build.hyphenation.zone = zone;
            }
            "ftnalt" => {}
            "bullet" if destination == Destination::Label => self.gathered.push('\u{2022}'),
            _ if destination == Destination::Text => return self.text_control(word, number),
            _ => {}
        }
        Ok(())
    }

    /// Handles a control word that begins a destination. Returns false for any other word.
    pub(super) fn begin_destination(&mut self, word: &str) -> Result<bool> {
        let destination = match word {
            "fonttbl" => Destination::Fonts,
            "colortbl" => Destination::Colours,
            "stylesheet" => Destination::Styles,
            "listtable" => Destination::Lists,
            "listoverridetable" => Destination::Overrides,
            "info" => Destination::Info,
            "field" => {
                self.story.begin_field();
                self.state().is_field = true;
                Destination::Field
            }
            "fldinst" => Destination::Instruction,
            // `\upr` contains the same text twice: in a code page, and in Unicode (`\ud`).
            "upr" => {
                let state = self.state();
                state.unicode = Some(state.destination);
                Destination::Skip
            }
            "bkmkstart" => Destination::Bookmark,
            "pict" => {
                // A picture may be the value of a property, so the name of the property is kept.
                let property = std::mem::take(&mut self.picture.property);
                self.picture = Picture::new();
                self.picture.property = property;
                Destination::Picture
            }
            // Properties of pictures and shapes consist of a name and a value.
            "picprop" if self.state().destination == Destination::Picture => {
                Destination::Properties
            }
            "sp" if (self.shape.is_some() || self.group.is_some())
                && self.state().destination == Destination::Text =>
            {
                Destination::Properties
            }
            "sp" | "sn" | "sv" if self.state().destination == Destination::Properties => match word
            {
                "sn" => Destination::PropertyName,
                "sv" => Destination::PropertyValue,
                _ => Destination::Properties,
            },
            "pn" => {
                self.state().old_number = None;
                Destination::OldNumber
            }
            "listtext" | "pntext" => Destination::Label,
            "fldrslt" => {
                self.state().destination = Destination::Text;
                self.begin_run();
                self.story.begin_result()?;
                return Ok(true);
            }
            "footnote" => {
                // An endnote is a footnote with the control word `\ftnalt` after it.
                let mut ahead = self.tokens.clone();
                let endnote = matches!(ahead.next(), Some(super::tokens::Token::Word("ftnalt", _)));
                let kind = if endnote {
                    NoteKind::Endnote
                } else {
                    NoteKind::Footnote
                };
                // At most four texts are open inside each other, the main text included. The content of a deeper note
                // becomes part of the text around it.
                if self.texts.len() < 4 && self.state().destination == Destination::Text {
                    self.begin_note(kind)?;
                }
                return Ok(true);
            }
            // Headers and footers are read only in the main text.
            "header" | "footer" | "headerl" | "headerr" | "headerf" | "footerl" | "footerr"
            | "footerf" => {
                let is_main = self.texts.len() == 1;
                let margin = Margin::of(word)
                    .filter(|_| is_main && self.state().destination == Destination::Text);
                if let Some(margin) = margin {
                    self.leave_frame()?;
                    self.begin_margin(margin);
                    return Ok(true);
                }
                self.story.build.lost(&losses::HEADERS);
                Destination::Skip
            }
            "annotation" => {
                self.story.build.lost(&losses::COMMENTS);
                Destination::Skip
            }
            // Objects are replaced by the picture of their result.
            "object" => {
                self.story.build.lost(&losses::OBJECTS);
                return Ok(true);
            }
            // Destinations that are not read. Most repeat text or a picture for older readers, or have no visible
            // content.
            "nonshppict" | "shprslt" | "objdata" | "objclass" | "themedata"
            | "colorschememapping" | "datastore" | "xmlnstbl" | "generator" | "bkmkend"
            | "atnid" | "atnauthor" | "atnref" | "atndate" | "rsidtbl" | "filetbl" | "revtbl"
            | "sp" | "picprop" | "tc" | "xe" | "txe" | "rxe" | "pgdsctbl" | "mmath"
            | "latentstyles" | "userprops" | "ftnsep" | "ftnsepc" | "aftnsep" | "aftnsepc"
            | "pnseclvl" | "background" | "falt" | "nonesttables" | "operator" | "mmathPr"
            | "panose" | "fontemb" | "datafield" | "formfield" | "blipuid" | "fchars"
            | "lchars" => Destination::Skip,
            // A list definition outside of the list table is damage. Its label pattern and its name are not text.
            "list" | "listlevel" | "leveltext" | "levelnumbers" | "listname"
                if self.state().destination == Destination::Text =>
            {
                Destination::Skip
            }
            // The cells are known from the first pass. In this group, only the end of the row matters.
            "nesttableprops" => return Ok(true),
            _ => return Ok(false),
        };
        // Ignored destinations do not end a name or an instruction: Word puts binary data into the instructions of
        // links.
        if destination != Destination::Skip {
            self.gathered.clear();
        }
        self.state().destination = destination;
        Ok(true)
    }

    /// Handles `\f`. Returns false for any other word.
    fn font_word(&mut self, word: &str, number: Option<i32>) -> bool {
        if word != "f" {
            return false;
        }
        let number = number.unwrap_or(0);
        let face = self.fonts.get(&number).cloned();
        let name = face.as_ref().map(|face| &*face.name);
        // An unnamed font carries no information.
        let name = name.filter(|name| !name.is_empty());
        let page = face.as_ref().and_then(|face| face.page);
        self.state().set_font(number, name, page);
        true
    }

    /// Handles a control word of a paragraph number of Word 95. The number belongs to the paragraph around the group.
    fn old_number(&mut self, word: &str, number: Option<i32>) {
        let at = self.states.len();
        let own = self.state().old_number.unwrap_or(OldNumber {
            bullet: false,
            start: 1,
        });
        let own = match word {
            "pnlvlblt" => OldNumber {
                bullet: true,
                ..own
            },
            "pnlvlbody" | "pnlvlcont" | "pndec" => own,
            "pnstart" => OldNumber {
                start: number.and_then(|start| start.try_into().ok()).unwrap_or(1),
                ..own
            },
            _ => return,
        };
        self.state().old_number = Some(own);
        if let Some(around) = at.checked_sub(2).and_then(|at| self.states.get_mut(at)) {
            around.old_number = Some(own);
        }
    }

    /// Handles a control word in text: breaks, ends of paragraphs and cells, and special characters.
    fn text_control(&mut self, word: &str, number: Option<i32>) -> Result<()> {
        let text = match word {
            // Breaks, and ends of paragraphs, cells and rows.
            "par" => return self.end_paragraph(),
            "sect" => {
                self.end_paragraph()?;
                return self.end_section();
            }
            "page" => {
                self.begin_run();
                self.story.page_break();
                return Ok(());
            }
            "line" => {
                self.begin_run();
                return self.story.line_break();
            }
            "cell" => return self.end_cell(0),
            // Nested cells belong to the innermost table.
            "nestcell" => {
                let depth = self.depth().max(2) - 1;
                return self.end_cell(depth);
            }
            "row" => return self.end_row(0),
            "nestrow" => {
                let depth = self.depth().max(2) - 1;
                return self.end_row(depth);
            }
            "chpgn" => {
                self.begin_run();
                return self.story.layout_field(Field::Page);
            }
            "revised" => {
                if number != Some(0) {
                    self.story.build.lost(&losses::CHANGES);
                }
                return Ok(());
            }
            // Outside of a note, `\chftn` is the number of the note that follows. Inside of a note, it repeats the
            // number of this note, and is ignored.
            "chftn" => {
                self.is_numbered |= self.story.within() != Within::Note;
                return Ok(());
            }
            // Special characters.
            "tab" => "\t",
            "emdash" => "\u{2014}",
            "endash" => "\u{2013}",
            "lquote" => "\u{2018}",
            "rquote" => "\u{2019}",
            "ldblquote" => "\u{201c}",
            "rdblquote" => "\u{201d}",
            "bullet" => "\u{2022}",
            "emspace" => "\u{2003}",
            "enspace" => "\u{2002}",
            "qmspace" => "\u{2005}",
            "zwj" => "\u{200d}",
            "zwnj" => "\u{200c}",
            "ltrmark" => "\u{200e}",
            "rtlmark" => "\u{200f}",
            _ => {
                self.page_word(word, number);
                return Ok(());
            }
        };
        self.add_text(text)
    }

    /// Handles a page property: the numbering of notes, then words without a number, then words with a number.
    fn page_word(&mut self, word: &str, number: Option<i32>) {
        let document = &mut self.story.build.note_setups;
        if self.notes.word(word, number, document) {
            return;
        }
        let Some(length) = number.map(|number| Length::twips(number.into())) else {
            match word {
                "sbknone" => self.paper.begins = SectionStart::SamePage,
                "sbkodd" => self.paper.begins = SectionStart::OddPage,
                "sbkeven" => self.paper.begins = SectionStart::EvenPage,
                "sbkpage" | "sbkcol" => self.paper.begins = SectionStart::NewPage,
                "titlepg" => self.headers_footers.title = true,
                "facingp" => self.headers_footers.facing = true,
                // The section properties return to their defaults, which the document states for paper size and
                // margins.
                "sectd" => {
                    self.headers_footers.title = false;
                    self.paper = PageSetup::default();
                    self.dimensions = self.document_dimensions;
                    self.paged = Paged::default();
                    self.notes.clear();
                }
                "pgndec" => self.paper.numeral = Numeral::Decimal,
                "pgnucrm" => self.paper.numeral = Numeral::UpperRoman,
                "pgnlcrm" => self.paper.numeral = Numeral::LowerRoman,
                "pgnucltr" => self.paper.numeral = Numeral::UpperAlpha,
                "pgnlcltr" => self.paper.numeral = Numeral::LowerAlpha,
                "sectspecifyl" | "sectspecifycl" => self.paper.grid = self.paged.pitch,
                _ if self.binding_word(word) => self.states_paper = true,
                _ if self.paged.word(word, None) => {}
                "linebetcol" => self.paper.column_line = true,
                "linerestart" | "lineppage" | "linecont" => count_lines(&mut self.paper, word, 0),
                _ => {}
            }
            return;
        };
        if self.dimension_word(word, length) {
            self.states_paper = true;
            return;
        }
        let paper = &mut self.paper;
        let margin = |own: &mut Length| {
            if length >= Length::ZERO {
                *own = length;
            }
        };
        match word {
            "colsx" => margin(&mut paper.column_gap),
            // `\colno` begins the definition of a column.
            "colno" => {
                if paper.column_widths.len() < 45 {
                    paper.column_widths.push((Length::ZERO, Length::ZERO));
                }
            }
            "colw" | "colsr" => {
                if let Some((width, gap)) = paper.column_widths.last_mut() {
                    *(if word == "colw" { width } else { gap }) = length;
                }
            }
            "linemod" | "linestarts" | "linex" => {
                count_lines(paper, word, number.unwrap_or(0));
            }
            "headery" => margin(&mut paper.header_distance),
            "footery" => margin(&mut paper.footer_distance),
            "cols" => paper.columns = number.unwrap_or(1).clamp(1, 45) as u8,
            _ => {
                self.paged.word(word, number);
                return;
            }
        }
        self.states_paper = true;
    }
}

/// Applies a word of the line numbers. `\linemod` is the interval of the numbers that are shown; without it, lines
/// have no numbers.
fn count_lines(paper: &mut PageSetup, word: &str, number: i32) {
    let positive = u32::try_from(number).ok().filter(|number| *number > 0);
    if word == "linemod" {
        paper.line_numbers = positive.map(|every| LineNumbers {
            every,
            first: 1,
            distance: None,
            restart: LineCount::Section,
        });
    }
    let Some(numbers) = &mut paper.line_numbers else {
        return;
    };
    match word {
        "linestarts" => numbers.first = positive.unwrap_or(1),
        "linex" => numbers.distance = positive.map(|twips| Length::twips(twips.into())),
        "linerestart" => numbers.restart = LineCount::Section,
        "lineppage" => numbers.restart = LineCount::Page,
        "linecont" => numbers.restart = LineCount::Document,
        _ => {}
    }
}

/// Returns whether a group that begins with `\*` and this word is read.
fn is_known(word: &str) -> bool {
    matches!(
        word,
        "shppict" | "cs" | "ts" | "listlevel" | "shpinst" | "shptxt" | "pn" | "do"
    )
}
