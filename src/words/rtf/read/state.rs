//! Formatting state of a group (RTF 1.9.1, "Formatting"). A group begins with a copy of the state of the group around
//! it. Changes inside of a group end with the group. Reads no tokens.

use super::{borders::Lines, frame};
use crate::coding::code_page::CodePage;
use convertd_office::wordprocessing::{
    self as office, Font, Item, ListPlace, ParagraphProperties, Raised, RunProperties,
    emphasis_of_word, underline_of_word,
};
use convertd_tree::{
    Alignment, Colour, Length, LineHeight, ListKind, ListLook, Numbering, Underline,
};

/// Destination of a group: the purpose of its text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Destination {
    /// Text of the document.
    #[default]
    Text,
    /// Text that is ignored.
    Skip,
    Fonts,
    Colours,
    Styles,
    Lists,
    /// Pattern of a list level.
    ListText,
    /// List override table.
    Overrides,
    /// Document information.
    Info,
    Picture,
    /// Properties of a picture or shape. Each is a group with a name and a value.
    Properties,
    PropertyName,
    PropertyValue,
    /// A field. Its parts are separate groups.
    Field,
    Instruction,
    Bookmark,
    /// Paragraph number of Word 95.
    OldNumber,
    /// Label of a list item as text, for readers that cannot number.
    Label,
}

/// Formatting state of a group.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Purpose of the text in the group.
    pub(super) destination: Destination,
    // Formatting.
    pub(super) run: RunProperties,
    /// Paragraph properties.
    pub(super) paragraph: ParagraphProperties,
    /// Number of the paragraph style.
    pub(super) style: Option<i32>,
    /// Number of the character style.
    pub(super) character_style: Option<i32>,
    /// Number of the font.
    pub(super) font: Option<i32>,
    /// Code page of the font.
    pub(super) page: Option<CodePage>,
    /// Number of characters that replace each `\u` for old readers (`\uc`).
    pub(super) skips: usize,
    /// Whether a tracked change deleted the text.
    pub(super) deleted: bool,
    /// Whether the paragraph is in a table (`\intbl`).
    pub(super) in_table: bool,
    /// Whether the group defines a list or a list override.
    pub(super) in_list: bool,
    /// Number of tables around the paragraph (`\itap`). It counts only with `\intbl`.
    pub(super) depth: i32,
    /// Destination of the Unicode text, if the group is a `\upr`. Such a group contains the same text twice, and its
    /// version in a code page is skipped.
    pub(super) unicode: Option<Destination>,
    /// Whether a field ends with the group.
    pub(super) is_field: bool,
    /// Number or bullet of Word 95.
    pub(super) old_number: Option<OldNumber>,
    /// Alignment of the next tab stop.
    pub(super) tab: Option<Alignment>,
    /// Leader of the next tab stop.
    pub(super) leader: Option<char>,
    /// Value of `\sl`. Its meaning depends on `\slmult`, which may follow.
    pub(super) line: Option<i32>,
    /// Whether the line height is a multiple (`\slmult1`).
    pub(super) multiple: bool,
    /// Frame of the paragraph.
    pub(super) frame: frame::Stated,
    /// Borders of the paragraph.
    pub(super) lines: Lines,
    /// Borders of the text (`\chbrdr`).
    pub(super) text_lines: Lines,
}

/// Label of a paragraph in the notation of Word 95.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OldNumber {
    /// Whether the label is a bullet.
    pub(super) bullet: bool,
    /// First number of the list.
    pub(super) start: u32,
}

impl OldNumber {
    /// Returns the list item that the label begins. All items of a kind belong to one list.
    pub(super) fn item(self) -> Item {
        let kind = match self.bullet {
            true => ListKind::Bullet,
            false => ListKind::Ordered(Numbering {
                start: self.start.max(1),
                ..Numbering::default()
            }),
        };
        Item {
            place: ListPlace {
                list: u32::MAX - 2 - u32::from(self.bullet),
                level: 0,
            },
            kind,
            task: None,
            label: None,
            tight: false,
            look: ListLook::default(),
        }
    }
}

impl State {
    /// Resets character properties (`\plain`), except the language and tracked deletions.
    pub(super) fn plain(&mut self) {
        self.run = RunProperties {
            language: self.run.language.clone(),
            ..RunProperties::default()
        };
        self.text_lines = Lines::default();
        self.font = None;
        self.page = None;
        self.character_style = None;
    }

    /// Resets paragraph properties (`\pard`).
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
        self.frame = frame::Stated::default();
        self.lines = Lines::default();
    }

    /// Handles a character property. Returns false for any other word.
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
            "ulnone" => run.underlined(None),
            "ulc" => {
                let line = run.underline_look.get_or_insert_default();
                line.colour = colour(number.unwrap_or(0));
            }
            "accnone" => run.emphasis = Some(None),
            "strike" | "striked" => run.strike = on,
            "scaps" => run.small_caps = on,
            "caps" => run.capitals = on,
            "outl" => run.outlined = on,
            // Letter spacing in twips (`\expndtw`). Old programs also state it in quarters of a point (`\expnd`).
            "expndtw" => run.spacing = Some(Length::twips(number.unwrap_or(0).into())),
            "expnd" => run.spacing = Some(Length::twips(i64::from(number.unwrap_or(0)) * 5)),
            "charscalex" => {
                let percent = number.and_then(|percent| percent.try_into().ok());
                run.scale = percent.filter(|percent| (1..=600).contains(percent));
            }
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
            // Font size in half points; the default is 12 points.
            "fs" => {
                let halves = number.unwrap_or(24);
                run.size = (1..4000)
                    .contains(&halves)
                    .then(|| Length::points(f64::from(halves) / 2.0));
            }
            "cf" => run.colour = Some(colour(number.unwrap_or(0))),
            "highlight" => match number.unwrap_or(0) {
                0 => run.highlight = Some(false),
                pen => run.highlighted(colour(pen)),
            },
            "cb" | "chcbpat" => run.shaded(colour(number.unwrap_or(0))),
            "rtlch" => run.right_to_left = Some(true),
            "ltrch" => run.right_to_left = Some(false),
            "lang" => {
                let tag = office::language(number.unwrap_or(0));
                run.language = tag.map(Into::into);
            }
            "deleted" => self.deleted = on == Some(true),
            "chbrdr" => {
                self.lines.forget();
                self.text_lines.word("box", None);
            }
            _ if self.text_lines.look(word, number) => {
                let lines = self.text_lines.borders(colours);
                run.border = Some(lines.and_then(|lines| lines.top));
            }
            // These words select another border. The line properties after them do not belong to the border of the
            // text.
            word if word == "box"
                || ["brdr", "clbrdr", "trbrdr", "pgbrdr"]
                    .iter()
                    .any(|own| word.starts_with(own)) =>
            {
                self.text_lines.forget();
                return false;
            }
            _ => {
                if let Some(mark) = emphasis_of_word(word) {
                    run.emphasis = Some((number != Some(0)).then_some(mark));
                    return true;
                }
                let Some(line) = underline_of_word(word) else {
                    return false;
                };
                let colour = run.underline_look.and_then(|line| line.colour);
                let line = Underline { colour, ..line };
                run.underlined((number != Some(0)).then_some(line));
            }
        }
        true
    }

    /// Handles a paragraph property. Returns false for any other word.
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
            "ql" | "qr" => {
                own.is_physical = true;
                own.alignment = Some(match word {
                    "ql" => Alignment::Start,
                    _ => Alignment::End,
                });
            }
            "qc" => own.alignment = Some(Alignment::Centre),
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
            "noline" => own.uncounted = Some(true),
            "hyphpar" => own.hyphenated = on,
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
            // In a tab stop of the tree, `Justify` aligns numbers at their decimal point.
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
            // These words select a border of a cell or row. The line properties after them do not belong to a border of
            // the paragraph.
            word if word.starts_with("clbrdr") || word.starts_with("trbrdr") => {
                self.lines.forget();
            }
            _ if self.lines.word(word, number) => own.borders = self.lines.borders(colours),
            _ => return self.frame.word(word, number),
        }
        true
    }

    /// Interprets `\sl`: a minimum in twips, or an exact height if negative. With `\slmult1`, it is in 240ths of a
    /// line.
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

    /// Sets the font, with its name and code page.
    pub(super) fn set_font(&mut self, number: i32, name: Option<&str>, page: Option<CodePage>) {
        self.font = Some(number);
        self.page = page;
        self.run.latin = name.map(|name| Font::Named(name.into()));
    }
}
