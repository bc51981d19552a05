//! Writes inlines as HTML. Collects the notes that they refer to, which `Writer::notes` writes.

use super::{
    Writer, again, drawing, escape,
    look::{direction, text_css, underline_css},
};
use crate::{
    error::Result,
    html::{marks::mark_tags, mathml},
};
use convertd_tree::{
    Inline, Link, Mark, Math, NoteId, Picture, PictureSource, TextStyleId, Underline, math,
};
use std::fmt::Write as _;

impl Writer<'_> {
    pub(super) fn inlines(&mut self, content: &[Inline]) -> Result<()> {
        for inline in content {
            self.inline(inline)?;
        }
        Ok(())
    }

    /// Writes an inline of the tree.
    fn inline(&mut self, inline: &Inline) -> Result<()> {
        match inline {
            Inline::Text(text) => escape::text(text, &mut self.out),
            Inline::Marked(Mark::Underline, content) => self.underlined(content)?,
            Inline::Marked(mark, content) => {
                let (open, close) = mark_tags(*mark);
                self.out.push_str(open);
                self.inlines(content)?;
                self.out.push_str(close);
            }
            Inline::Span(style, content) => self.span(*style, content)?,
            Inline::Code(code) => {
                self.out.push_str("<code>");
                escape::text(code, &mut self.out);
                self.out.push_str("</code>");
            }
            Inline::Link(link) => self.link(link)?,
            Inline::Picture(picture) => self.picture(picture),
            Inline::Note(id) => self.reference(*id),
            Inline::LineBreak => self.out.push_str("<br />\n"),
            Inline::SoftBreak => self.out.push('\n'),
            Inline::Math(math) => self.math(math),
            Inline::Bookmark(name) => {
                self.out.push_str("<span id=\"");
                escape::attribute(name, &mut self.out);
                self.out.push_str("\"></span>");
            }
            // Fields such as page numbers are left out, because HTML has no pages.
            Inline::Field(_) => {}
            Inline::Ruby(ruby) => {
                self.out.push_str("<ruby>");
                escape::text(&ruby.base, &mut self.out);
                self.out.push_str("<rp>(</rp><rt>");
                escape::text(&ruby.above, &mut self.out);
                self.out.push_str("</rt><rp>)</rp></ruby>");
            }
            Inline::RawHtml(html) => self.out.push_str(html),
        }
        Ok(())
    }

    /// Writes underlined text. Neighbours with the same look of the line share a `u` element. Different looks get
    /// elements side by side, because the line of an inner element would be added to that of the outer one.
    fn underlined(&mut self, content: &[Inline]) -> Result<()> {
        let line = |inline: &Inline| self.line_of(inline);
        let same = |one: &Inline, other: &Inline| line(one) == line(other);
        let groups: Vec<(Option<Underline>, &[Inline])> = content
            .chunk_by(same)
            .map(|group| (group.first().and_then(line), group))
            .collect();
        for (line, group) in groups {
            self.out.push_str("<u");
            if let Some(line) = line {
                let mut css = String::new();
                underline_css(line, &mut css);
                self.style(&css);
            }
            self.out.push('>');
            self.inlines(group)?;
            self.out.push_str("</u>");
        }
        Ok(())
    }

    /// Look of the underline of an inline, from its own style or else from that of its first content.
    fn line_of(&self, inline: &Inline) -> Option<Underline> {
        match inline {
            Inline::Span(id, content) => {
                let own = self.document.text_style(*id).underline;
                own.or_else(|| self.line_of(content.first()?))
            }
            Inline::Marked(_, content) => self.line_of(content.first()?),
            Inline::Link(link) => self.line_of(link.content.first()?),
            _ => None,
        }
    }

    fn span(&mut self, id: TextStyleId, content: &[Inline]) -> Result<()> {
        let style = self.document.text_style(id);
        self.out.push_str("<span");
        if let Some(language) = &style.language {
            self.out.push_str(" lang=\"");
            escape::attribute(language, &mut self.out);
            self.out.push('"');
        }
        direction(style.direction, &mut self.out);
        let mut css = String::new();
        text_css(style, &mut css);
        self.style(&css);
        self.out.push('>');
        self.inlines(content)?;
        self.out.push_str("</span>");
        Ok(())
    }

    fn link(&mut self, link: &Link) -> Result<()> {
        let Some(address) = self.around.link(&link.target) else {
            return self.inlines(&link.content);
        };
        self.out.push_str("<a href=\"");
        escape::href(&address, &mut self.out);
        self.out.push('"');
        self.title(&link.title);
        self.out.push('>');
        self.in_link = true;
        self.inlines(&link.content)?;
        self.in_link = false;
        self.out.push_str("</a>");
        Ok(())
    }

    fn title(&mut self, title: &str) {
        if !title.is_empty() {
            self.out.push_str(" title=\"");
            escape::attribute(title, &mut self.out);
            self.out.push('"');
        }
    }

    /// Writes a picture, or its text alternative if the surroundings cannot show the picture.
    fn picture(&mut self, picture: &Picture) {
        let shown = match &picture.source {
            PictureSource::Resource(id) => self.around.shows(self.document, *id),
            PictureSource::Address(_) => self.around.shows_remote(),
        };
        if !shown {
            // An external picture without a text alternative is mostly an ornament, and leaves no text. A picture of
            // the document is content, so a word replaces it.
            let words = match (&*picture.alternative, &picture.source) {
                ("", PictureSource::Resource(_)) => "[picture]",
                (words, _) => words,
            };
            escape::text(words, &mut self.out);
            return;
        }
        if let PictureSource::Resource(id) = &picture.source
            && self.around.draws()
            && self.document.resource(*id).drawn
        {
            let drawn = &self.document.resource(*id).bytes;
            let (words, title) = (&picture.alternative, &picture.title);
            let number = self.drawings;
            self.drawings += 1;
            if drawing::write(drawn, number, words, title, &mut self.out) {
                return;
            }
        }
        self.out.push_str("<img src=\"");
        match &picture.source {
            PictureSource::Resource(id) => {
                self.around.picture(self.document, *id, &mut self.out);
            }
            PictureSource::Address(address) => escape::href(address, &mut self.out),
        }
        self.out.push_str("\" alt=\"");
        escape::attribute(&picture.alternative, &mut self.out);
        self.out.push('"');
        self.title(&picture.title);
        for (name, length) in [("width", picture.width), ("height", picture.height)] {
            if let Some(length) = length {
                let pixels = length.to_pixels().round().max(1.0);
                write!(self.out, " {name}=\"{pixels}\"").unwrap_or_default();
            }
        }
        self.out.push_str(" />");
    }

    /// Writes the reference to a note. The first reference gives the note its number, and adds the note to those that
    /// have to be written.
    fn reference(&mut self, id: NoteId) {
        let next = self.numbers.len() + 1;
        let (number, times) = self.numbers.entry(id).or_insert((next, 0));
        *times += 1;
        let (number, times) = (*number, *times);
        if times == 1 {
            self.pending.push(id);
        }
        let mut label = String::new();
        escape::text(self.document.note_label(id), &mut label);
        if self.in_link {
            write!(self.out, "<sup>{label}</sup>").unwrap_or_default();
            return;
        }
        let again = again(times);
        write!(
            self.out,
            "<a href=\"#fn.{number}\" id=\"fnref.{number}{again}\" role=\"doc-noteref\"><sup>{label}</sup></a>"
        )
        .unwrap_or_default();
    }

    fn math(&mut self, math: &Math) {
        if !mathml::write(&math.tex, math.display, &mut self.out) {
            self.losses.add(&math::FORMULAS_AS_TEX);
        }
    }
}
