//! Properties of pages that several control words state together (RTF 1.9.1, "Section Formatting Properties"):
//! borders, the number of the first page, and the line grid. Handles neither paper sizes nor headers.

use super::borders::Lines;
use convertd_tree::{Border, BorderedPages, Borders, Colour, Edges, Length, PageBorders};

/// Properties of the pages of the current section.
#[derive(Debug, Default)]
pub(super) struct Paged {
    lines: Lines,
    /// `\pgbrdropt`: bits 0 to 2 state the pages with borders. Bits 5 to 7 are 1 if distances are measured from the
    /// edges of the page.
    options: i32,
    /// Whether page numbers begin again (`\pgnrestart`).
    restarts: bool,
    /// Number of the first page, if page numbers begin again (`\pgnstarts`).
    start: Option<u32>,
    /// Pitch of the line grid. It applies only to sections with `\sectspecifyl`.
    pub(super) pitch: Option<Length>,
}

impl Paged {
    /// Handles a control word. Returns false for any other word.
    pub(super) fn word(&mut self, word: &str, number: Option<i32>) -> bool {
        match word {
            "pgbrdropt" => self.options = number.unwrap_or(0),
            "pgbrdrt" | "pgbrdrb" | "pgbrdrl" | "pgbrdrr" => {
                let side = word.strip_prefix("pg").unwrap_or(word);
                self.lines.word(side, None);
            }
            "pgnrestart" => self.restarts = true,
            "pgncont" => self.restarts = false,
            "pgnstarts" => self.start = number.and_then(|number| number.try_into().ok()),
            "sectlinegrid" => {
                let pitch = number.filter(|twips| *twips > 0);
                self.pitch = pitch.map(|twips| Length::twips(twips.into()));
            }
            _ => return false,
        }
        true
    }

    /// Handles a control word for a property of the border that was selected last. Returns false for any other word.
    pub(super) fn line_word(&mut self, word: &str, number: Option<i32>) -> bool {
        self.lines.look(word, number)
    }

    /// Ends the properties of a border.
    pub(super) fn forget(&mut self) {
        self.lines.forget();
    }

    /// Number of the first page, if numbers begin again.
    pub(super) fn first_number(&self) -> Option<u32> {
        self.restarts.then_some(self.start.unwrap_or(1))
    }

    /// Borders of the pages, if there are any.
    pub(super) fn borders(&self, colours: &[Option<Colour>]) -> Option<Box<PageBorders>> {
        let lines = self.lines.borders(colours)?;
        let space = |line: Option<Border>| line.and_then(|line| line.space).unwrap_or_default();
        (lines != Borders::default()).then(|| {
            Box::new(PageBorders {
                distances: Edges {
                    top: space(lines.top),
                    right: space(lines.end),
                    bottom: space(lines.bottom),
                    left: space(lines.start),
                },
                from_page: self.options >> 5 & 7 == 1,
                on: match self.options & 7 {
                    1 => BorderedPages::First,
                    2 => BorderedPages::Others,
                    _ => BorderedPages::All,
                },
                lines,
            })
        })
    }
}
