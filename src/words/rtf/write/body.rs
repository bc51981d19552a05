//! Writes sections with their headers and footers, and the table of contents.

use super::{context::Rtf, notes};
use crate::error::Result;
use convertd_office::wordprocessing::{
    Use, losses,
    write::{Dialect, within},
};
use convertd_tree::{
    Block, BorderedPages, Length, LineCount, LineNumbers, Margins, Numeral, PageBorders, PageSetup,
    SectionStart, contents::Entry,
};

impl<'a> Rtf<'a> {
    /// Ends the open paragraph.
    pub(super) fn end_paragraph(&mut self) {
        if std::mem::take(&mut self.open) {
            self.out.push_str("\\par\n");
        }
    }

    /// Writes a table of contents: links to the headings. `level` is the level of these entries, counted from 1.
    pub(super) fn contents(&mut self, entries: &[Entry], level: i64) {
        for entry in entries {
            self.end_paragraph();
            self.open = true;
            self.out.push_str("\\pard\\plain\\ql");
            // Each level is indented by 220 twips (11 points).
            self.number("li", 220 * (level - 1));
            self.out.push(' ');
            self.open_link(&format!("#{}", entry.id), "");
            self.plain(&entry.text);
            self.close_link();
            self.contents(&entry.below, level + 1);
        }
    }

    /// Begins a section with its page setup, headers and footers.
    pub(super) fn begin_section(&mut self, page: Option<&'a PageSetup>, first: bool) -> Result<()> {
        if !first {
            // `\sect` ends the last paragraph together with its section. After a table, an empty paragraph is written
            // first, because `\sect` needs a paragraph to end.
            if !std::mem::take(&mut self.open) {
                self.out.push_str("\\pard\\plain");
            }
            self.out.push_str("\\sect\n");
        }
        // The title block or the table of contents may have left a paragraph open before the first section.
        self.end_paragraph();
        let Some(page) = page else { return Ok(()) };
        self.context.text_width = page.width - page.left - page.right;
        if first {
            self.page = Some(page);
        }
        self.word("sectd");
        self.word(match page.begins {
            SectionStart::NewPage => "sbkpage",
            SectionStart::SamePage => "sbknone",
            SectionStart::OddPage => "sbkodd",
            SectionStart::EvenPage => "sbkeven",
        });
        for (word, length) in [
            ("pgwsxn", page.width),
            ("pghsxn", page.height),
            ("marglsxn", page.left),
            ("margrsxn", page.right),
            ("margtsxn", page.top),
            ("margbsxn", page.bottom),
            ("headery", page.header_distance),
            ("footery", page.footer_distance),
        ] {
            self.number(word, length.to_twips());
        }
        if page.columns > 1 {
            self.number("cols", page.columns.into());
            self.number("colsx", page.column_gap.to_twips());
            if page.column_line {
                self.word("linebetcol");
            }
            for (at, (width, gap)) in (1..).zip(&page.column_widths) {
                self.number("colno", at);
                self.number("colw", width.to_twips());
                self.number("colsr", gap.to_twips());
            }
        }
        if let Some(borders) = &page.borders {
            self.page_borders(&borders.as_in_word(page));
        }
        if let Some(numbers) = page.line_numbers {
            self.line_numbers(numbers);
        }
        if let Some(setups) = page.notes {
            notes::of_section(&mut self.out, setups);
        }
        if let Some(first) = page.first_number {
            self.number("pgnstarts", first.into());
            self.word("pgnrestart");
        }
        self.word(match page.numeral {
            Numeral::Decimal => "pgndec",
            Numeral::LowerAlpha => "pgnlcltr",
            Numeral::UpperAlpha => "pgnucltr",
            Numeral::LowerRoman => "pgnlcrm",
            Numeral::UpperRoman => "pgnucrm",
        });
        if let Some(pitch) = page.grid {
            self.number("sectlinegrid", pitch.to_twips());
            self.word("sectspecifyl");
        }
        if page.background.is_some() {
            self.context.losses.add(&losses::PAGE_COLOURS);
        }
        if page.headers.first.is_some() || page.footers.first.is_some() {
            self.word("titlepg");
        }
        self.out.push('\n');
        self.margins("header", &page.headers, Use::Header, first)?;
        self.margins("footer", &page.footers, Use::Footer, first)
    }

    /// Writes the borders of pages (RTF 1.9.1, "Page Borders").
    fn page_borders(&mut self, borders: &PageBorders) {
        // Bits 0 to 2 state the pages. Bit 5 is set if distances are measured from the edge of the page, and not from
        // the text.
        let pages = match borders.on {
            BorderedPages::All => 0,
            BorderedPages::First => 1,
            BorderedPages::Others => 2,
        };
        let place = if borders.from_page { 1 << 5 } else { 0 };
        self.number("pgbrdropt", pages | place);
        let lines = &borders.lines;
        self.lines(
            "pgbrdr",
            [
                ("t", lines.top),
                ("b", lines.bottom),
                ("l", lines.start),
                ("r", lines.end),
            ],
        );
    }

    /// Writes line numbers (RTF 1.9.1, "Section Formatting Properties").
    fn line_numbers(&mut self, numbers: LineNumbers) {
        self.number("linemod", numbers.every.into());
        self.number("linestarts", numbers.first.into());
        // 0 is the automatic distance.
        let distance = numbers.distance.map_or(0, Length::to_twips);
        self.number("linex", distance);
        self.word(match numbers.restart {
            LineCount::Page => "lineppage",
            LineCount::Section => "linerestart",
            LineCount::Document => "linecont",
        });
    }

    /// Writes headers or footers: those of all pages, of first pages and of left pages. With `\facingp`, all sections
    /// have separate headers for left and for right pages.
    fn margins(&mut self, word: &str, margins: &'a Margins, place: Use, first: bool) -> Result<()> {
        let all = margins.all.as_slice();
        let even = margins.even.as_deref().unwrap_or(all);
        let all: [(&str, Option<&'a [Block]>); 3] = [
            (if self.facing { "r" } else { "" }, Some(all)),
            ("f", margins.first.as_deref()),
            ("l", Some(even).filter(|_| self.facing)),
        ];
        for (suffix, blocks) in all {
            // A section without a header of its own inherits the header of the previous section. So an empty header has
            // to be written, except in the first section.
            let Some(blocks) = blocks.filter(|blocks| !blocks.is_empty() || !first) else {
                continue;
            };
            self.out.push('{');
            self.word(&format!("{word}{suffix}"));
            within(self, place, blocks)?;
            self.end_paragraph();
            self.out.push_str("}\n");
        }
        Ok(())
    }
}
