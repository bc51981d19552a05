//! The formatting of paragraphs, text and cells. A field that is `None` leaves the choice to the writer. Styles never
//! carry meaning; [`Mark`](super::Mark) and the kinds of blocks do.

use super::{EmphasisMark, Length, Underline};
use std::{collections::HashMap, hash::Hash};

/// A colour, as red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Parses `#rrggbb`, `rrggbb` or `#rgb`. Colour names and `auto` give `None`.
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

    /// Returns whether black letters would be hard to read on this colour: its luminance is at most a third of that of
    /// white.
    pub fn is_dark(self) -> bool {
        let Self(red, green, blue) = self;
        let luminance = 76 * u32::from(red) + 151 * u32::from(green) + 29 * u32::from(blue);
        luminance / 256 <= 85
    }

    /// The colour as six lower-case hexadecimal digits, without `#`.
    pub fn hex(self) -> String {
        format!("{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The alignment of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alignment {
    /// Aligned with the side where reading begins: the left side for text that runs from left to right.
    Start,
    /// Centred between both sides.
    Centre,
    /// Aligned with the side where reading ends.
    End,
    /// Aligned with both sides.
    Justify,
}

/// The direction of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Left to right, as Latin text.
    LeftToRight,
    /// Right to left, as Arabic and Hebrew text.
    RightToLeft,
}

impl Direction {
    /// The direction of a letter by its script: that of Hebrew, Arabic and their neighbours, or that of all others (UAX
    /// #9, table 4). `None` for characters without a direction of their own, such as digits.
    pub fn of_letter(c: char) -> Option<Self> {
        let is_backwards = matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}');
        c.is_alphabetic().then_some(match is_backwards {
            true => Self::RightToLeft,
            false => Self::LeftToRight,
        })
    }
}

/// Program whose layout rules apply. Programs differ in the height of lines, in the position of text within the height
/// of its line, in kerning, and in the space above a paragraph at the top of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Typesetter {
    /// The writer's own choice: the source has no pages.
    #[default]
    Own,
    /// The rules of Word.
    Word,
    /// The rules of LibreOffice Writer, for its own format.
    Writer,
}

/// Formatting of links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkLook {
    /// The writer's own style of links.
    #[default]
    Own,
    /// The formatting of the text around them.
    Plain,
    /// Underlined, and in this colour. `None` leaves the colour of the text.
    Underlined(Option<Colour>),
}

/// The distance between the baselines of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineHeight {
    /// A percentage of the font's own line height: 100 is single spacing, and 150 one and a half.
    Percent(u16),
    /// Exactly this distance, even if the content needs more.
    Exactly(Length),
    /// The distance that the content needs, but at least this distance.
    AtLeast(Length),
}

/// A position to which a tab character (`\t` in a text) advances, measured from the start side of the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TabStop {
    /// The position.
    pub at: Length,
    /// Alignment of the text after the tab to the position. `Justify` aligns the decimal point of the text.
    pub alignment: Alignment,
    /// The character that fills the gap, such as `.` in a table of contents.
    pub leader: Option<char>,
}

/// The kind of a border's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// A solid line.
    Solid,
    /// Two parallel lines, each as thick as the border, with a gap of the same width.
    Double,
    /// Dashes.
    Dashed,
    /// Dots.
    Dotted,
}

/// Border at one side of a paragraph, a cell, a page or a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Border {
    /// The thickness.
    pub width: Length,
    /// The colour; `None` for black.
    pub colour: Option<Colour>,
    /// The kind of line.
    pub kind: LineKind,
    /// Distance from the text of a paragraph to the line, if stated.
    pub space: Option<Length>,
}

impl Border {
    /// Returns the sum of the line's width and its distance from the text. `None` if the document does not state the
    /// distance.
    pub fn room(&self) -> Option<Length> {
        self.space.map(|space| space + self.width)
    }
}

/// The borders at the four sides of a paragraph, a cell or a page. `None` for a side without a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Borders {
    /// The top.
    pub top: Option<Border>,
    /// The side where reading ends.
    pub end: Option<Border>,
    /// The bottom.
    pub bottom: Option<Border>,
    /// The side where reading begins.
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

/// The formatting of text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextStyle {
    /// The font family as in the source. Several families are separated by commas, the preferred one first.
    pub font: Option<Box<str>>,
    /// The font size.
    pub size: Option<Length>,
    /// The colour of the letters.
    pub colour: Option<Colour>,
    /// The background of the letters.
    pub background: Option<Colour>,
    /// The language as a BCP 47 tag, such as `de-CH`.
    pub language: Option<Box<str>>,
    /// The direction, where the characters alone do not determine it.
    pub direction: Option<Direction>,
    /// Whether letters are shown as capitals.
    pub capitals: bool,
    /// Additional space after each letter. Negative if letters are closer together.
    pub spacing: Option<Length>,
    /// The width of letters in percent of their normal width.
    pub scale: Option<u16>,
    /// Whether only the edges of letters are drawn.
    pub outlined: bool,
    /// The lines of the underline of text with [`Mark::Underline`](super::Mark::Underline). `None` for the default
    /// underline.
    pub underline: Option<Underline>,
    /// The mark at each letter.
    pub emphasis: Option<EmphasisMark>,
    /// The lines around the text.
    pub border: Option<Border>,
    /// Rise of the baseline; negative for subscripts.
    pub raised: Option<Length>,
    /// Smallest font size at which pairs of letters are kerned; negative if they never are.
    pub kerned_from: Option<Length>,
    /// Whether ligatures are also used in scripts that do not require them.
    pub ligatures: Option<bool>,
    /// Whether the text is bold. Used only in the text style of a paragraph, such as a heading. Text that is bold to
    /// express something has [`Mark::Strong`](super::Mark::Strong).
    pub bold: Option<bool>,
    /// Whether the text is italic, with the same restriction as for `bold`.
    pub italic: Option<bool>,
}

/// The formatting of a paragraph or heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ParagraphStyle {
    /// The name that the source shows to people: `Body Text`, `Verse`.
    pub name: Option<Box<str>>,
    /// The alignment of lines.
    pub alignment: Option<Alignment>,
    /// The indent at the side where reading begins.
    pub indent_start: Option<Length>,
    /// The indent at the side where reading ends.
    pub indent_end: Option<Length>,
    /// The additional indent of the first line; negative for a hanging indent.
    pub first_line: Option<Length>,
    /// The space above. [`Document::spaces_overlap`](super::Document::spaces_overlap) states how it is combined with
    /// the space below the paragraph before.
    pub space_before: Option<Length>,
    /// The space below.
    pub space_after: Option<Length>,
    /// Whether there is no space between this paragraph and a neighbour with a style of the same name.
    pub contextual_spacing: bool,
    /// The distance between the lines.
    pub line_height: Option<LineHeight>,
    /// Whether the heights of the lines follow from the text alone, and not from the grid of the page.
    pub off_grid: bool,
    /// Whether the paragraph has to be on the same page as the next block.
    pub keep_with_next: bool,
    /// Whether all lines of the paragraph have to be on one page.
    pub keep_together: bool,
    /// Whether the paragraph begins on a new page.
    pub page_break_before: bool,
    /// The large letter at the beginning of the paragraph.
    pub drop_cap: Option<DropCap>,
    /// Whether the lines of the paragraph are not counted where lines are numbered.
    pub uncounted: bool,
    /// Whether the words of the paragraph are hyphenated. `None` for the setting of the document.
    pub hyphenated: Option<bool>,
    /// Whether the paragraph has separate borders even if a neighbour has the same ones. Otherwise, one box surrounds
    /// both.
    pub boxed_apart: bool,
    /// The direction of the text.
    pub direction: Option<Direction>,
    /// The background of the whole paragraph.
    pub background: Option<Colour>,
    /// The borders of the paragraph.
    pub borders: Borders,
    /// The tab stops, in the order of their positions.
    pub tabs: Vec<TabStop>,
    /// The formatting of the text. Styles inside of the paragraph take precedence.
    pub text: TextStyle,
}

/// A large letter at the beginning of a paragraph, beside its first lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DropCap {
    /// Height in lines.
    pub lines: u8,
    /// Number of letters, at least 1.
    pub letters: u8,
    /// Whether the drop cap is in the margin, with no text below it.
    pub in_margin: bool,
    /// The space between the drop cap and the text.
    pub distance: Length,
}

/// The vertical position of the content of a cell or a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VerticalAlignment {
    /// Content at the top.
    #[default]
    Top,
    /// Content in the middle.
    Middle,
    /// Content at the bottom.
    Bottom,
}

/// Rotation of lines that do not run across the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// Lines run downwards, the first line at the right.
    Down,
    /// Lines run upwards, the first line at the left.
    Up,
}

/// The formatting of a table cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CellStyle {
    /// The background of the content.
    pub background: Option<Colour>,
    /// The borders of the cell.
    pub borders: Borders,
    /// The vertical position of the content.
    pub vertical: Option<VerticalAlignment>,
    /// Rotation of the lines.
    pub turn: Option<Turn>,
    /// Padding on every side that is not stated separately.
    pub padding: Option<Length>,
    /// Padding at the side where reading ends.
    pub padding_end: Option<Length>,
    /// Padding above the content.
    pub padding_top: Option<Length>,
    /// Padding below the content.
    pub padding_bottom: Option<Length>,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub(super) u32);

        impl $name {
            /// The number of the default style, which leaves everything to the writer.
            pub const DEFAULT: Self = Self(0);
        }
    )*};
}
ids! {
    /// The number of a [`ParagraphStyle`] in a document. The default style leaves everything to the writer.
    ParagraphStyleId
    /// The number of a [`TextStyle`] in a document. The default style leaves everything to the writer.
    TextStyleId
    /// The number of a [`CellStyle`] in a document. The default style leaves everything to the writer.
    CellStyleId
}

/// The different styles of one kind in a document. The first is the default.
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
    /// The number of this style, and whether it is new.
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
