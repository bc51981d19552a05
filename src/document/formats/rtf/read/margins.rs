//! Headers and footers (1.9.1, "Headers and Footers"): which pages each is for, and what a section has of them. Reads no text.

use super::{reader::Reader, state::Destination, text::Text};
use crate::{
    document::tree::{Block, Margins, PageSetup},
    error::Result,
};

/// The pages of a section that a header or footer is for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum On {
    All,
    Odd,
    Even,
    First,
}

/// A header or a footer, by its control word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Margin {
    is_header: bool,
    on: On,
}

/// The headers and footers so far. A section has those of the one before that it does not replace.
#[derive(Debug, Default)]
pub(super) struct Kept {
    headers: Margins,
    footers: Margins,
    /// How much of the file they are, in bytes.
    size: u64,
    /// Whether left pages have their own (`\facingp`), and the first page of this section (`\titlepg`).
    pub(super) facing: bool,
    pub(super) title: bool,
}

impl Margin {
    /// None if the word is another one.
    pub(super) fn of(word: &str) -> Option<Self> {
        let (is_header, on) = match word.strip_prefix("header") {
            Some(on) => (true, on),
            None => (false, word.strip_prefix("footer")?),
        };
        let on = match on {
            "" => On::All,
            "r" => On::Odd,
            "l" => On::Even,
            "f" => On::First,
            _ => return None,
        };
        Some(Self { is_header, on })
    }
}

impl Kept {
    fn set(&mut self, margin: Margin, blocks: Vec<Block>) {
        let margins = match margin.is_header {
            true => &mut self.headers,
            false => &mut self.footers,
        };
        match margin.on {
            On::All | On::Odd => margins.all = blocks,
            On::Even => margins.even = Some(blocks),
            On::First => margins.first = Some(blocks),
        }
    }

    fn is_empty(&self) -> bool {
        self.headers == Margins::default() && self.footers == Margins::default()
    }

    /// Those of one kind that the pages of the section show.
    fn shown(&self, margins: &Margins) -> Margins {
        let own = |margins: &Option<Vec<Block>>| margins.clone().unwrap_or_default();
        Margins {
            all: margins.all.clone(),
            first: self.title.then(|| own(&margins.first)),
            even: self.facing.then(|| own(&margins.even)),
        }
    }
}

impl Reader<'_> {
    /// Begins a header or footer in the current group.
    pub(super) fn begin_margin(&mut self, margin: Margin) {
        self.story.open_margin();
        self.texts.push(Text {
            group: self.states.len(),
            margin: Some((margin, self.tokens.left())),
            ..Text::default()
        });
        let state = self.state();
        state.plain();
        state.plain_paragraph();
        state.destination = Destination::Text;
    }

    /// Ends a header or footer that began so far before the end of the file.
    pub(super) fn end_margin(&mut self, margin: Margin, began: usize) -> Result<()> {
        let blocks = self.story.close_margin()?;
        let size = began.saturating_sub(self.tokens.left()) as u64;
        self.kept.size = self.kept.size.saturating_add(size);
        self.kept.set(margin, blocks);
        Ok(())
    }

    /// The layout of the pages of the section that ends, if the file says anything about it.
    pub(super) fn section_page(&mut self) -> Result<Option<PageSetup>> {
        let kept = &self.kept;
        if !self.paper_said && kept.is_empty() {
            return Ok(None);
        }
        let page = PageSetup {
            headers: kept.shown(&kept.headers),
            footers: kept.shown(&kept.footers),
            ..self.paper.clone()
        };
        // Each section of the tree has copies, which the builder does not count.
        let held = kept.size.saturating_mul(16);
        self.story.hold(held)?;
        Ok(Some(page))
    }
}
