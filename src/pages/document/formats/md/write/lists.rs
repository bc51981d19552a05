//! Lists and definitions in Markdown (CommonMark, 5.2 and 5.3). Writes no other block.

use super::{NUMERALS, Writer};
use crate::error::Result;
use convertd_tree::{Block, Definition, Delimiter, Item, List, ListKind, Numeral};
use std::mem::discriminant;

impl<'a> Writer<'a> {
    /// Writes a definition list in the syntax of PHP Markdown Extra. Many renderers support it, and the others show it
    /// as readable text.
    pub(super) fn definitions(&mut self, all: &[Definition]) -> Result<()> {
        for definition in all {
            self.lines.begin()?;
            let term = self.inlines(&definition.term);
            let term = term.replace("\\\n", "\n");
            for line in term
                .split('\n')
                .map(str::trim)
                .filter(|line| !line.is_empty())
            {
                self.lines.line(line)?;
            }
            for details in &definition.details {
                self.lines.apart = details.len() > 1;
                self.lines.begin()?;
                // An indent of two, because four spaces are an indented code block for renderers without this
                // extension.
                self.nested(": ".into(), "  ", details, false)?;
            }
            self.lines.apart = true;
        }
        Ok(())
    }

    /// Writes a list. Numerals other than decimal become decimal, because Markdown has no others.
    pub(super) fn list(&mut self, list: &List, before: Option<&Block>) -> Result<()> {
        // Adjacent lists of the same kind would be read as one, unless their markers differ (CommonMark, 5.3).
        self.other_sign = match before {
            Some(Block::List(before)) if discriminant(&before.kind) == discriminant(&list.kind) => {
                !self.other_sign
            }
            _ => false,
        };
        let other_sign = self.other_sign;
        if let ListKind::Ordered(numbering) = list.kind
            && numbering.numeral != Numeral::Decimal
            && list.items.iter().any(|item| item.label.is_none())
        {
            self.losses.add(&NUMERALS);
        }
        self.lists += 1;
        for (index, item) in (0..).zip(&list.items) {
            self.lines.begin()?;
            let marker = match list.kind {
                // Markdown has only bullets and numbers as labels, so any other label becomes text after a bullet.
                _ if item.label.is_some() => if other_sign { "* " } else { "- " }.to_owned(),
                ListKind::Bullet => if other_sign { "* " } else { "- " }.to_owned(),
                ListKind::Ordered(numbering) => {
                    // The number of a list item has at most nine digits (CommonMark, 5.2).
                    let number = numbering.start.saturating_add(index).min(999_999_999);
                    let round = numbering.delimiter == Delimiter::Parenthesis
                        || numbering.delimiter == Delimiter::Parentheses;
                    let sign = if round != other_sign { ')' } else { '.' };
                    format!("{number}{sign} ")
                }
            };
            self.item(&item.labelled(), marker, list.tight)?;
            self.lines.apart = !list.tight;
        }
        self.lists -= 1;
        self.other_sign = other_sign;
        self.lines.apart = true;
        Ok(())
    }

    fn item(&mut self, item: &Item, mut marker: String, tight: bool) -> Result<()> {
        let indent = " ".repeat(marker.len());
        if let Some(done) = item.task {
            marker.push_str(if done { "[x] " } else { "[ ] " });
        }
        self.nested(marker, &indent, &item.blocks, tight)
    }
}
