//! Stores the headers and footers of a document with the pages that each applies to (RTF 1.9.1, "Headers and
//! Footers"). Does not read their content.

use convertd_tree::{Block, Margins};

/// Pages of a section that a header or footer applies to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AppliesTo {
    All,
    Odd,
    Even,
    First,
}

/// Kind of a header or footer, as its control word states it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Margin {
    is_header: bool,
    on: AppliesTo,
}

/// Headers and footers so far. A section inherits the headers and footers that it does not replace.
#[derive(Debug, Default)]
pub(super) struct HeadersFooters {
    pub(super) headers: Margins,
    pub(super) footers: Margins,
    /// Size of the source text of each, in bytes: all pages, even pages and the first page, of footers and then of
    /// headers.
    sizes: [[u64; 3]; 2],
    /// Whether left pages have a header and footer of their own (`\facingp`).
    pub(super) facing: bool,
    /// Whether the first page of this section has a header and footer of its own (`\titlepg`).
    pub(super) title: bool,
}

impl Margin {
    /// Parses a control word. `None` for other words.
    pub(super) fn of(word: &str) -> Option<Self> {
        let (is_header, on) = match word.strip_prefix("header") {
            Some(on) => (true, on),
            None => (false, word.strip_prefix("footer")?),
        };
        let on = match on {
            "" => AppliesTo::All,
            "r" => AppliesTo::Odd,
            "l" => AppliesTo::Even,
            "f" => AppliesTo::First,
            _ => return None,
        };
        Some(Self { is_header, on })
    }
}

impl HeadersFooters {
    /// Stores a header or footer. A header for right pages is stored for all pages; a header for left pages overrides
    /// it on left pages. The same holds for footers. `size` is the size of its source text, in bytes.
    pub(super) fn set(&mut self, margin: Margin, blocks: Vec<Block>, size: u64) {
        let margins = match margin.is_header {
            true => &mut self.headers,
            false => &mut self.footers,
        };
        let at = match margin.on {
            AppliesTo::All | AppliesTo::Odd => {
                margins.all = blocks;
                0
            }
            AppliesTo::Even => {
                margins.even = Some(blocks);
                1
            }
            AppliesTo::First => {
                margins.first = Some(blocks);
                2
            }
        };
        self.sizes[usize::from(margin.is_header)][at] = size;
    }

    /// Size of the source text of all headers and footers in force, in bytes.
    pub(super) fn size(&self) -> u64 {
        let sizes = self.sizes.iter().flatten();
        sizes.fold(0, |sum, size| sum.saturating_add(*size))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.headers == Margins::default() && self.footers == Margins::default()
    }

    /// Headers (or footers) that the pages of the section show.
    pub(super) fn shown(&self, margins: &Margins) -> Margins {
        let own = |margins: &Option<Vec<Block>>| margins.clone().unwrap_or_default();
        Margins {
            all: margins.all.clone(),
            first: self.title.then(|| own(&margins.first)),
            even: self.facing.then(|| own(&margins.even)),
        }
    }
}
