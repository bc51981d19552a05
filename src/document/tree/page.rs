//! The paper that a part of a document is set on. Says nothing about what stands on it.

use super::{Block, Length, Numeral};

/// A part of a document with a paper of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The paper. The writer's choice, if nobody said.
    pub page: Option<Box<PageSetup>>,
    /// What stands in the part.
    pub blocks: Vec<Block>,
}

/// The paper.
#[derive(Clone, Debug, PartialEq)]
pub struct PageSetup {
    /// As it lies in front of a reader: in a landscape section it is more than the height.
    pub width: Length,
    /// See `width`.
    pub height: Length,
    /// Between the upper edge and the text.
    pub top: Length,
    /// Between the lower edge and the text.
    pub bottom: Length,
    /// Between the left edge and the text.
    pub left: Length,
    /// Between the right edge and the text.
    pub right: Length,
    /// Between the upper edge and the header.
    pub header_distance: Length,
    /// Between the lower edge and the footer.
    pub footer_distance: Length,
    /// Columns of text, at least 1.
    pub columns: u8,
    /// Room between columns.
    pub column_gap: Length,
    /// Where the part begins.
    pub begins: SectionStart,
    /// The number of its first page. Without one, counting goes on.
    pub first_number: Option<u32>,
    /// How the numbers of its pages are written.
    pub numeral: Numeral,
    /// What stands above the text of its pages.
    pub headers: Margins,
    /// What stands below.
    pub footers: Margins,
}

impl Default for PageSetup {
    /// A4 upright with margins of an inch.
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
            begins: SectionStart::NewPage,
            first_number: None,
            numeral: Numeral::Decimal,
            headers: Margins::default(),
            footers: Margins::default(),
        }
    }
}

/// Where a part of a document begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionStart {
    /// On the next page.
    NewPage,
    /// Below what stands before it.
    SamePage,
    /// On the next page with an odd number.
    OddPage,
    /// On the next page with an even number.
    EvenPage,
}

/// Headers or footers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Margins {
    /// On every page that has none of its own below. Empty for none.
    pub all: Vec<Block>,
    /// On the first page of the part; `Some` of nothing leaves it empty there.
    pub first: Option<Vec<Block>>,
    /// On pages with even numbers.
    pub even: Option<Vec<Block>>,
}
