//! Writes lists as HTML. Counts no items.

use super::Writer;
use crate::error::Result;
use convertd_tree::{Block, Definition, Inline, Item, List, ListKind, Numeral};
use std::fmt::Write as _;

impl Writer<'_> {
    /// Writes a list with its numbering.
    pub(super) fn list(&mut self, list: &List) -> Result<()> {
        self.line_start();
        let name = match list.kind {
            ListKind::Bullet => "ul",
            ListKind::Ordered(_) => "ol",
        };
        self.out.push('<');
        self.out.push_str(name);
        if let ListKind::Ordered(numbering) = list.kind {
            if numbering.start != 1 {
                write!(self.out, " start=\"{}\"", numbering.start).unwrap_or_default();
            }
            self.out.push_str(match numbering.numeral {
                Numeral::Decimal => "",
                Numeral::LowerAlpha => " type=\"a\"",
                Numeral::UpperAlpha => " type=\"A\"",
                Numeral::LowerRoman => " type=\"i\"",
                Numeral::UpperRoman => " type=\"I\"",
            });
        }
        self.out.push_str(">\n");
        for item in &list.items {
            // Labels are written as text. CSS could generate them, but then they could not be copied or searched.
            self.out.push_str(match item.label {
                None => "<li>",
                Some(_) => "<li style=\"list-style-type: none\">",
            });
            self.item(&item.labelled(), list.tight)?;
            self.out.push_str("</li>\n");
        }
        writeln!(self.out, "</{name}>").unwrap_or_default();
        Ok(())
    }

    /// Writes an item. In a tight list, paragraphs have no element of their own.
    fn item(&mut self, item: &Item, tight: bool) -> Result<()> {
        let mut task = item.task.map(|done| match done {
            true => "<input type=\"checkbox\" disabled=\"\" checked=\"\" /> ",
            false => "<input type=\"checkbox\" disabled=\"\" /> ",
        });
        for block in &item.blocks {
            match block {
                Block::Paragraph(paragraph) if !paragraph.content.is_empty() => {
                    if !tight {
                        self.line_start();
                        self.out.push_str("<p");
                        self.paragraph_style(paragraph.style);
                        self.out.push('>');
                    } else if self.out.ends_with("</p>") {
                        self.out.push('\n');
                    }
                    self.out.push_str(task.take().unwrap_or_default());
                    self.inlines(&paragraph.content)?;
                    if !tight {
                        self.out.push_str("</p>\n");
                    }
                }
                _ => {
                    self.out.push_str(task.take().unwrap_or_default());
                    self.block(block)?;
                }
            }
        }
        self.out.push_str(task.take().unwrap_or_default());
        Ok(())
    }

    /// Writes a definition list. Each line of a term is a term of its own.
    pub(super) fn definitions(&mut self, all: &[Definition]) -> Result<()> {
        self.line_start();
        self.out.push_str("<dl>\n");
        for definition in all {
            for term in definition.term.split(|one| *one == Inline::LineBreak) {
                self.out.push_str("<dt>");
                self.inlines(term)?;
                self.out.push_str("</dt>\n");
            }
            if definition.details.is_empty() {
                self.out.push_str("<dd></dd>\n");
            }
            for details in &definition.details {
                self.out.push_str("<dd>");
                self.loosely(details)?;
                self.out.push_str("</dd>\n");
            }
        }
        self.out.push_str("</dl>\n");
        Ok(())
    }
}
