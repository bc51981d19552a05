//! How paragraphs, text and cells look. Every field that is `None` leaves the choice to the writer; nothing here says
//! what a piece of text means (that is what [`Mark`](super::Mark) and the kinds of blocks are for).

use super::Length;
use std::{collections::HashMap, hash::Hash};

/// A colour, as red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// From `#rrggbb`, `rrggbb`, `#rgb`. Names and `auto` are none.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim();
        let short = digits.starts_with('#');
        let digits = digits.strip_prefix('#').unwrap_or(digits).as_bytes();
        let nibble = |at: usize| {
            let digit = char::from(digits[at]).to_digit(16)?;
            u8::try_from(digit).ok()
        };
        match digits.len() {
            6 => Some(Self(
                nibble(0)? << 4 | nibble(1)?,
                nibble(2)? << 4 | nibble(3)?,
                nibble(4)? << 4 | nibble(5)?,
            )),
            3 if short => Some(Self(nibble(0)? * 17, nibble(1)? * 17, nibble(2)? * 17)),
            _ => None,
        }
    }

    /// As six digits, lower case, without a sign in front.
    pub fn hex(self) -> String {
        format!("{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Where lines begin and where they end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alignment {
    /// At the side where reading begins: left, in text from left to right.
    Start,
    /// In the middle.
    Centre,
    /// At the side where reading ends.
    End,
    /// At both sides.
    Justify,
}

/// Which way text runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// As in Latin.
    LeftToRight,
    /// As in Arabic and Hebrew.
    RightToLeft,
}

/// How far the base lines of a paragraph are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineHeight {
    /// In hundredths of what the font asks for: 100 is single, 150 one and a half.
    Percent(u16),
    /// Exactly this much, whatever stands in the line.
    Exactly(Length),
    /// At least this much.
    AtLeast(Length),
}

/// A position that a tab character (`\t` in a text) goes to, from the start side of the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TabStop {
    /// How far in.
    pub at: Length,
    /// What of the text behind the tab stands there. `Justify` means its decimal point.
    pub alignment: Alignment,
    /// What fills the gap, such as `.` in a table of contents.
    pub leader: Option<char>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// Without gaps.
    Solid,
    /// Two lines.
    Double,
    /// In dashes.
    Dashed,
    /// In dots.
    Dotted,
}

/// One side of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Border {
    /// How thick.
    pub width: Length,
    /// Black, if there is none.
    pub colour: Option<Colour>,
    /// How it is drawn.
    pub kind: LineKind,
}

/// The four sides of a frame. `None` is no line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Borders {
    /// Above.
    pub top: Option<Border>,
    /// Where reading ends.
    pub end: Option<Border>,
    /// Below.
    pub bottom: Option<Border>,
    /// Where reading begins.
    pub start: Option<Border>,
}

impl Borders {
    /// The same line on every side.
    pub fn all(border: Border) -> Self {
        let side = Some(border);
        Self {
            top: side,
            end: side,
            bottom: side,
            start: side,
        }
    }
}

/// How a piece of text looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextStyle {
    /// The font's family, as the source names it; several are separated by commas, the first is preferred.
    pub font: Option<Box<str>>,
    /// The font's size.
    pub size: Option<Length>,
    /// Of the letters.
    pub colour: Option<Colour>,
    /// Behind the letters.
    pub background: Option<Colour>,
    /// A BCP 47 tag, such as `de-CH`.
    pub language: Option<Box<str>>,
    /// Which way it runs, where characters alone do not settle it.
    pub direction: Option<Direction>,
    /// Letters are shown as capitals.
    pub capitals: bool,
    /// Drawn bold. Only in the text style of a paragraph, whose look it is (a heading's, say): text that is bold to mean
    /// something is [`Mark::Strong`](super::Mark::Strong).
    pub bold: Option<bool>,
    /// Drawn slanted. The same holds as for `bold`.
    pub italic: Option<bool>,
}

/// How a paragraph or heading looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ParagraphStyle {
    /// What the source calls it, for people: `Body Text`, `Verse`.
    pub name: Option<Box<str>>,
    /// Where lines begin and end.
    pub alignment: Option<Alignment>,
    /// Room at the side where reading begins.
    pub indent_start: Option<Length>,
    /// Room at the other side.
    pub indent_end: Option<Length>,
    /// Further room in front of the first line; less than zero for a line that hangs out.
    pub first_line: Option<Length>,
    /// Room above. The larger of one paragraph's `after` and the next one's `before` counts in HTML, their sum elsewhere.
    pub space_before: Option<Length>,
    /// Room below.
    pub space_after: Option<Length>,
    /// How far its lines are apart.
    pub line_height: Option<LineHeight>,
    /// Stands on the same page as what follows.
    pub keep_with_next: bool,
    /// All its lines stand on one page.
    pub keep_together: bool,
    /// Begins a page.
    pub page_break_before: bool,
    /// Which way it runs.
    pub direction: Option<Direction>,
    /// Behind the whole paragraph.
    pub background: Option<Colour>,
    /// Around it.
    pub borders: Borders,
    /// In the order of their positions.
    pub tabs: Vec<TabStop>,
    /// How its text looks where nothing in it says otherwise.
    pub text: TextStyle,
}

/// Where the content of a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VerticalAlignment {
    /// At its upper edge.
    Top,
    /// In the middle.
    Middle,
    /// At its lower edge.
    Bottom,
}

/// How a cell of a table looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CellStyle {
    /// Behind its content.
    pub background: Option<Colour>,
    /// Around it.
    pub borders: Borders,
    /// Where its content stands.
    pub vertical: Option<VerticalAlignment>,
    /// Room between its edges and its content, on every side.
    pub padding: Option<Length>,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub(super) u32);

        impl $name {
            /// The number of the style that leaves everything to the writer.
            pub const DEFAULT: Self = Self(0);
        }
    )*};
}
ids! {
    /// Which [`ParagraphStyle`] of a document. The default one leaves everything to the writer.
    ParagraphStyleId
    /// Which [`TextStyle`] of a document. The default one leaves everything to the writer.
    TextStyleId
    /// Which [`CellStyle`] of a document. The default one leaves everything to the writer.
    CellStyleId
}

/// The different styles of one kind that a document has, each once. The first is the default of the kind.
#[derive(Debug)]
pub(super) struct Styles<T> {
    all: Vec<T>,
    known: HashMap<T, u32>,
}

impl<T: Default> Default for Styles<T> {
    fn default() -> Self {
        Self {
            all: vec![T::default()],
            known: HashMap::new(),
        }
    }
}

impl<T: Clone + Default + Eq + Hash> Styles<T> {
    /// The number of this style, and whether it is a new one.
    pub(super) fn number(&mut self, style: T) -> (u32, bool) {
        if style == self.all[0] {
            return (0, false);
        }
        if let Some(number) = self.known.get(&style) {
            return (*number, false);
        }
        let number = u32::try_from(self.all.len()).unwrap_or(0);
        self.all.push(style.clone());
        self.known.insert(style, number);
        (number, true)
    }

    pub(super) fn all(&self) -> &[T] {
        &self.all
    }

    pub(super) fn get(&self, number: u32) -> &T {
        self.all.get(number as usize).unwrap_or(&self.all[0])
    }
}
