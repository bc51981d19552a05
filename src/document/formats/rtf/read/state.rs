//! What holds for the text of a group, and for those in it (1.9.1, "Formatting"): a group begins with what holds around it, and
//! whatever it changes ends with it.

use super::characters::CodePage;
use crate::document::{
    office::{Font, ParagraphProperties, Raised, RunProperties},
    tree::{Alignment, Colour, Length, LineHeight},
};
use std::rc::Rc;

/// Where the text of a group goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Destination {
    /// Into the document.
    #[default]
    Text,
    /// Nowhere.
    Skip,
    Fonts,
    Colours,
    Styles,
    Lists,
    ListText,
    Overrides,
    Info,
    Picture,
    /// A field, whose parts are groups in it.
    Field,
    Instruction,
    Bookmark,
    /// Numbers of paragraphs, as Word 95 wrote them.
    OldNumber,
}

/// What holds for the text of a group.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) destination: Destination,
    pub(super) run: RunProperties,
    pub(super) paragraph: ParagraphProperties,
    /// The style of paragraphs, by its number.
    pub(super) style: Option<i32>,
    pub(super) character_style: Option<i32>,
    pub(super) font: Option<i32>,
    pub(super) page: Option<CodePage>,
    /// How many characters stand behind each `\u` for readers that do not know it.
    pub(super) skips: usize,
    /// It is deleted, as tracked changes say.
    pub(super) deleted: bool,
    pub(super) in_table: bool,
    /// It is a list of the table of lists.
    pub(super) in_list: bool,
    /// How many tables stand around it.
    pub(super) depth: i32,
    pub(super) link: Option<Rc<str>>,
    /// A number or bullet of Word 95.
    pub(super) old_number: Option<OldNumber>,
    /// The kind of tab that the next position is of.
    pub(super) tab: Option<Alignment>,
    pub(super) leader: Option<char>,
    /// `\sl` without its rule.
    pub(super) line: Option<i32>,
    pub(super) multiple: bool,
}

/// What stands in front of paragraphs that have their numbers from Word 95.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OldNumber {
    pub(super) bullet: bool,
    pub(super) start: u32,
}

impl State {
    /// The look of text is as it is where nothing is said.
    pub(super) fn plain(&mut self) {
        self.run = RunProperties {
            language: self.run.language.clone(),
            ..RunProperties::default()
        };
        self.font = None;
        self.page = None;
        self.character_style = None;
    }

    /// So are paragraphs.
    pub(super) fn plain_paragraph(&mut self) {
        self.paragraph = ParagraphProperties::default();
        self.style = None;
        self.in_table = false;
        self.depth = 0;
        self.old_number = None;
        self.tab = None;
        self.leader = None;
        self.line = None;
        self.multiple = false;
    }

    /// Changes what a control word says about text. False if it says nothing about it.
    pub(super) fn text_word(
        &mut self,
        word: &str,
        number: Option<i32>,
        colours: &[Option<Colour>],
    ) -> bool {
        let on = Some(number != Some(0));
        let colour = |number: i32| {
            let index = usize::try_from(number).ok()?;
            colours.get(index).copied().flatten()
        };
        let run = &mut self.run;
        match word {
            "b" => run.bold = on,
            "i" => run.italic = on,
            "ulnone" => run.underline = Some(false),
            "ul" | "uld" | "uldb" | "ulw" | "uldash" | "uldashd" | "uldashdd" | "ulth"
            | "ulwave" => {
                run.underline = on;
            }
            "strike" | "striked" => run.strike = on,
            "scaps" => run.small_caps = on,
            "caps" => run.capitals = on,
            "v" => run.hidden = on,
            "super" => {
                run.raised = Some(if on == Some(true) {
                    Raised::Above
                } else {
                    Raised::Not
                })
            }
            "sub" => {
                run.raised = Some(if on == Some(true) {
                    Raised::Below
                } else {
                    Raised::Not
                })
            }
            "nosupersub" => run.raised = Some(Raised::Not),
            "fs" => {
                let halves = number.unwrap_or(24);
                run.size = (1..4000)
                    .contains(&halves)
                    .then(|| Length::points(f64::from(halves) / 2.0));
            }
            "cf" => run.colour = Some(colour(number.unwrap_or(0))),
            "highlight" => run.highlight = Some(number.unwrap_or(0) != 0),
            "cb" | "chcbpat" => run.background = Some(colour(number.unwrap_or(0))),
            "rtlch" => run.right_to_left = Some(true),
            "ltrch" => run.right_to_left = Some(false),
            "lang" => {
                let tag = super::characters::language(number.unwrap_or(0));
                run.language = tag.map(Into::into);
            }
            "deleted" => self.deleted = on == Some(true),
            _ => return false,
        }
        true
    }

    /// Changes what a control word says about paragraphs. False if it says nothing about them.
    pub(super) fn paragraph_word(
        &mut self,
        word: &str,
        number: Option<i32>,
        colours: &[Option<Colour>],
    ) -> bool {
        let length = Some(Length::twips(number.unwrap_or(0).into()));
        let on = Some(number != Some(0));
        let own = &mut self.paragraph;
        match word {
            "ql" => own.alignment = Some(Alignment::Start),
            "qc" => own.alignment = Some(Alignment::Centre),
            "qr" => own.alignment = Some(Alignment::End),
            "qj" | "qd" => own.alignment = Some(Alignment::Justify),
            "li" | "lin" => own.indent_start = length,
            "ri" | "rin" => own.indent_end = length,
            "fi" => own.first_line = length,
            "sb" => own.space_before = length,
            "sa" => own.space_after = length,
            "sl" => {
                self.line = number;
                self.set_line_height();
            }
            "slmult" => {
                self.multiple = number == Some(1);
                self.set_line_height();
            }
            "contextualspace" => own.contextual_spacing = on,
            "keepn" => own.keep_with_next = on,
            "keep" => own.keep_together = on,
            "pagebb" => own.page_break_before = on,
            "rtlpar" => own.right_to_left = Some(true),
            "ltrpar" => own.right_to_left = Some(false),
            "cbpat" => {
                let index = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
                own.background = Some(colours.get(index).copied().flatten());
            }
            "outlinelevel" => own.outline = number.and_then(|level| level.try_into().ok()),
            "ls" => own.list = number.and_then(|list| list.try_into().ok()),
            "ilvl" => own.list_level = number.and_then(|level| level.try_into().ok()),
            "intbl" => self.in_table = true,
            "itap" => self.depth = number.unwrap_or(0),
            "tqc" => self.tab = Some(Alignment::Centre),
            "tqr" => self.tab = Some(Alignment::End),
            "tqdec" => self.tab = Some(Alignment::Justify),
            "tldot" | "tlmdot" => self.leader = Some('.'),
            "tlhyph" => self.leader = Some('-'),
            "tlul" | "tlth" => self.leader = Some('_'),
            "tx" => {
                let alignment = self.tab.take().unwrap_or(Alignment::Start);
                let leader = self.leader.take();
                if let Some(at) = length.filter(|_| own.tabs.len() < 64) {
                    own.tabs.push((at, Some(alignment), leader));
                }
            }
            _ => return false,
        }
        true
    }

    /// `\sl`: in twips, at least so many if there is no minus sign; in 240ths of a line with `\slmult1`.
    fn set_line_height(&mut self) {
        self.paragraph.line_height = match self.line {
            None | Some(0) => None,
            Some(line) if self.multiple => Some(LineHeight::Percent(
                (i64::from(line.unsigned_abs()) * 100 / 240).clamp(1, 10_000) as u16,
            )),
            Some(line) if line < 0 => Some(LineHeight::Exactly(Length::twips(-i64::from(line)))),
            Some(line) => Some(LineHeight::AtLeast(Length::twips(line.into()))),
        };
    }

    /// Takes over a font.
    pub(super) fn set_font(&mut self, number: i32, name: Option<&str>, page: Option<CodePage>) {
        self.font = Some(number);
        self.page = page;
        self.run.latin = name.map(|name| Font::Named(name.into()));
    }
}
