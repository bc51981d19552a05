//! Writes inlines with the calls of a dialect.

use super::Dialect;
use crate::{error::Result, wordprocessing::losses};
use convertd_tree::{Inline, Picture, PictureSource, math};

/// Writes inlines in order.
pub(super) fn inlines<'a, D: Dialect<'a>>(to: &mut D, content: &'a [Inline]) -> Result<()> {
    for part in content {
        inline(to, part)?;
    }
    Ok(())
}

/// Writes an inline.
fn inline<'a, D: Dialect<'a>>(to: &mut D, inline: &'a Inline) -> Result<()> {
    match inline {
        Inline::Text(words) => to.text(words),
        Inline::Marked(mark, content) => {
            to.open_mark(*mark);
            inlines(to, content)?;
            to.close_mark();
        }
        Inline::Span(style, content) => {
            let document = to.context().document;
            to.open_span(document.text_style(*style));
            inlines(to, content)?;
            to.close_span();
        }
        Inline::Code(code) => to.code(code),
        Inline::Link(link) => {
            to.open_link(&link.target, &link.title);
            to.context().in_link = true;
            inlines(to, &link.content)?;
            to.context().in_link = false;
            to.close_link();
        }
        Inline::Picture(picture) => show(to, picture)?,
        // Notes may contain links, even if the reference is in a link.
        Inline::Note(note) => {
            let in_link = std::mem::take(&mut to.context().in_link);
            to.note(*note)?;
            to.context().in_link = in_link;
        }
        Inline::LineBreak => to.line_break(),
        Inline::SoftBreak => to.text(" "),
        // Formulas that cannot be written become their TeX.
        Inline::Math(formula) => {
            if !to.formula(&formula.tex, formula.display) {
                to.context().losses.add(&math::FORMULAS_AS_TEX);
                to.text(&formula.tex);
            }
        }
        Inline::Bookmark(name) => {
            let bookmark = to.open_bookmark(name);
            to.close_bookmark(bookmark);
        }
        Inline::Field(field) => to.field(field),
        Inline::Ruby(ruby) => to.ruby(ruby),
        Inline::RawHtml(_) => {}
    }
    Ok(())
}

/// Writes a picture. A picture outside the document becomes a link.
fn show<'a, D: Dialect<'a>>(to: &mut D, picture: &'a Picture) -> Result<()> {
    let words = match &*picture.alternative {
        "" => "[picture]",
        words => words,
    };
    match &picture.source {
        PictureSource::Resource(id) => to.picture(*id, picture, words),
        PictureSource::Address(address) => {
            to.context().losses.add(&losses::ADDRESSES);
            let in_link = to.context().in_link;
            if !in_link {
                to.open_link(address, "");
            }
            to.text(words);
            if !in_link {
                to.close_link();
            }
            Ok(())
        }
    }
}
