//! Writes sections with their headers and footers, and the table of contents. Writes no inline content.

use super::context::Rtf;
use crate::error::Result;
use convertd_office::wordprocessing::{
    Use,
    write::{Dialect, within},
};
use convertd_tree::{Block, Margins, PageSetup, SectionStart, contents::Entry};

impl<'a> Rtf<'a> {
    /// Ends the open paragraph.
    pub(super) fn end_paragraph(&mut self) {
        if std::mem::take(&mut self.open) {
            self.out.push_str("\\par\n");
        }
    }

    /// Writes a table of contents: links to the headings.
    pub(super) fn contents(&mut self, entries: &[Entry], level: i64) {
        for entry in entries {
            self.end_paragraph();
            self.open = true;
            self.out.push_str("\\pard\\plain\\ql");
            // 11 points per level.
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
            self.end_paragraph();
            self.out.push_str("\\sect\n");
        }
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
        if page.headers.first.is_some() || page.footers.first.is_some() {
            self.word("titlepg");
        }
        self.out.push('\n');
        self.margins("header", &page.headers, Use::Header)?;
        self.margins("footer", &page.footers, Use::Footer)
    }

    /// Writes headers or footers: those of all pages, of first pages and of left pages.
    fn margins(&mut self, word: &str, margins: &'a Margins, place: Use) -> Result<()> {
        let all: [(&str, Option<&'a [Block]>); 3] = [
            ("", Some(&margins.all)),
            ("f", margins.first.as_deref()),
            ("l", margins.even.as_deref()),
        ];
        for (suffix, blocks) in all {
            let Some(blocks) = blocks.filter(|blocks| !blocks.is_empty()) else {
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
