//! Sections and their page layout. Does not depend on the content of the pages.

use super::{Block, Border, Borders, Colour, Edges, Length, NoteSetups, Numeral};
use crate::POINT;

/// A part of a document with a page layout of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The page layout. `None` leaves it to the writer.
    pub page: Option<Box<PageSetup>>,
    /// The content.
    pub blocks: Vec<Block>,
}

/// A page layout.
#[derive(Clone, Debug, PartialEq)]
pub struct PageSetup {
    /// The width of the page. In a landscape section it is larger than the height.
    pub width: Length,
    /// The height of the page.
    pub height: Length,
    /// Distance from the top edge of the page to the text.
    pub top: Length,
    /// Distance from the bottom edge of the page to the text.
    pub bottom: Length,
    /// Distance from the left edge of the page to the text.
    pub left: Length,
    /// Distance from the right edge of the page to the text.
    pub right: Length,
    /// Distance from the top edge of the page to the header.
    pub header_distance: Length,
    /// Distance from the bottom edge of the page to the footer.
    pub footer_distance: Length,
    /// The number of text columns, at least 1.
    pub columns: u8,
    /// The space between columns.
    pub column_gap: Length,
    /// The width of each column and the space after it, with one entry for each column. Empty if all columns have the
    /// same width.
    pub column_widths: Vec<(Length, Length)>,
    /// Whether there is a line between columns.
    pub column_line: bool,
    /// The numbers beside the lines of text.
    pub line_numbers: Option<LineNumbers>,
    /// The numbering of the notes. `None` if notes have the numbering of the document.
    pub notes: Option<NoteSetups>,
    /// The colour of the pages. `None` if the pages have the colour of the paper.
    pub background: Option<Colour>,
    /// The lines around the text or along the edges of the page.
    pub borders: Option<Box<PageBorders>>,
    /// Pitch of the line grid. If it is set, the height of lines is rounded up to a multiple of the pitch, except in
    /// paragraphs that opt out.
    pub grid: Option<Length>,
    /// Start of the section, for example on a new page.
    pub begins: SectionStart,
    /// The number of the first page. `None` to continue the count of the previous section.
    pub first_number: Option<u32>,
    /// The kind of numeral of the page numbers.
    pub numeral: Numeral,
    /// The headers of the pages.
    pub headers: Margins,
    /// The footers of the pages.
    pub footers: Margins,
}

impl Default for PageSetup {
    /// A4, portrait, with margins of an inch.
    fn default() -> Self {
        let inch = Length::inches(1.0);
        Self {
            width: Length::millimetres(210.0),
            height: Length::millimetres(297.0),
            top: inch,
            bottom: inch,
            left: inch,
            right: inch,
            header_distance: Length::inches(0.5),
            footer_distance: Length::inches(0.5),
            columns: 1,
            column_gap: Length::inches(0.5),
            column_widths: Vec::new(),
            column_line: false,
            line_numbers: None,
            notes: None,
            background: None,
            borders: None,
            grid: None,
            begins: SectionStart::NewPage,
            first_number: None,
            numeral: Numeral::Decimal,
            headers: Margins::default(),
            footers: Margins::default(),
        }
    }
}

/// Numbers beside the lines of text. Lines in tables, frames and notes have no numbers, and are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineNumbers {
    /// Interval of the numbers, at least 1: with 5, every fifth line shows its number.
    pub every: u32,
    /// The number of the first line.
    pub first: u32,
    /// The space between the numbers and the text. `None` if the writer chooses it.
    pub distance: Option<Length>,
    /// Range after which the count of lines starts again.
    pub restart: LineCount,
}

/// Range after which the count of lines starts again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineCount {
    /// Each page.
    #[default]
    Page,
    /// Each section.
    Section,
    /// The whole document.
    Document,
}

/// The lines around pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageBorders {
    /// The lines on the four sides.
    pub lines: Borders,
    /// Distances of the lines, from the edges of the page or from its text.
    pub distances: Edges,
    /// Whether `distances` are from the edges of the page, otherwise from the text.
    pub from_page: bool,
    /// The pages of the section that have borders.
    pub on: BorderedPages,
}

impl PageBorders {
    /// Largest distance that the formats of Word allow: 31 points.
    pub const MAX: Length = Length::emu(31 * POINT as i64);

    /// Returns the borders with distances that Word allows. Each line also gets its distance as [`Border::space`]. If
    /// a distance from the edge of the page is too long for Word, all distances are measured from the text instead.
    pub fn as_in_word(&self, page: &PageSetup) -> Self {
        let distances = &self.distances;
        let all = [
            distances.top,
            distances.right,
            distances.bottom,
            distances.left,
        ];
        let turns = self.from_page && all.iter().any(|distance| *distance > Self::MAX);
        let distance = |line: Option<Border>, own: Length, margin: Length| {
            let width = line.map_or(Length::ZERO, |line| line.width);
            // The distance from the text is the rest of the margin.
            let own = if turns { margin - own - width } else { own };
            own.clamp(Length::ZERO, Self::MAX)
        };
        let lines = &self.lines;
        let distances = Edges {
            top: distance(lines.top, distances.top, page.top),
            right: distance(lines.end, distances.right, page.right),
            bottom: distance(lines.bottom, distances.bottom, page.bottom),
            left: distance(lines.start, distances.left, page.left),
        };
        let spaced = |line: Option<Border>, space| {
            line.map(|line| Border {
                space: Some(space),
                ..line
            })
        };
        Self {
            lines: Borders {
                top: spaced(lines.top, distances.top),
                end: spaced(lines.end, distances.right),
                bottom: spaced(lines.bottom, distances.bottom),
                start: spaced(lines.start, distances.left),
            },
            distances,
            from_page: self.from_page && !turns,
            on: self.on,
        }
    }
}

/// The pages of a section that have borders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BorderedPages {
    /// All pages.
    #[default]
    All,
    /// The first page.
    First,
    /// All pages but the first.
    Others,
}

/// Page on which a section starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionStart {
    /// A new page.
    NewPage,
    /// The same page, below the previous section.
    SamePage,
    /// The next page with an odd number.
    OddPage,
    /// The next page with an even number.
    EvenPage,
}

/// The headers or the footers of a section.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Margins {
    /// Blocks for all pages to which neither `first` nor `even` applies. Empty if these pages have no header or
    /// footer.
    pub all: Vec<Block>,
    /// Blocks for the first page of the section. An empty list leaves this page without a header or footer; `None`
    /// uses `all`.
    pub first: Option<Vec<Block>>,
    /// Blocks for pages with even numbers. `None` uses `all`.
    pub even: Option<Vec<Block>>,
}
