//! Dispatches tokens: what each start and end tag does (HTML, 13.2.6.4), and what happens to text outside of
//! paragraphs. Knows no details of elements.

use super::{
    attributes::collapsed,
    blocks,
    controls::Select,
    ruby::Ruby,
    state::{CLOSED, Capture, MEDIA, Reader},
};
use crate::{
    css::look as css,
    error::Result,
    html::mathml,
    syntax::{element::Start, tag::Tag, tokens::Syntax},
};
use convertd_tree::scripts::SCRIPTS;

impl Reader<'_, '_, '_> {
    pub(super) fn finish(&mut self) -> Result<()> {
        self.end_control()?;
        match self.capture.take() {
            Some(Capture::Math(math)) => self.math(math)?,
            Some(Capture::Ruby(ruby)) => ruby.close(self.build)?,
            Some(Capture::Title(title)) => self.title(&title),
            Some(code @ Capture::Code { .. }) => self.capture = Some(code),
            _ => {}
        }
        while !self.stack.is_empty() {
            self.pop()?;
        }
        self.end_line()
    }

    /// Takes text. While an element such as `title`, `pre` or `math` is captured, its text goes to the capture.
    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        match &mut self.capture {
            Some(Capture::Skip(..)) => return Ok(()),
            Some(
                Capture::Title(held) | Capture::Subtitle(held) | Capture::Code { text: held, .. },
            ) => {
                held.push_str(text);
                return Ok(());
            }
            Some(Capture::Math(math)) => {
                math.text(text);
                return Ok(());
            }
            Some(Capture::Select(select)) => {
                select.text(text);
                return Ok(());
            }
            Some(Capture::Textarea(held)) => {
                held.push_str(text);
                return Ok(());
            }
            Some(Capture::Ruby(ruby)) => {
                ruby.text(text);
                return Ok(());
            }
            None => {}
        }
        if !text.trim().is_empty() {
            self.close_details();
        }
        // Pages that browsers have saved contain the markup in `noscript` as text.
        if let Some(open) = self.stack.last_mut()
            && open.tag == Tag::Noscript
            && !open.hidden
            && text.trim_start().starts_with('<')
        {
            open.hidden = true;
            self.hidden += 1;
        }
        if self.hidden > 0 {
            return Ok(());
        }
        self.flow(text)
    }

    /// Takes a start tag. While an element is captured or skipped, the tags inside it are handled by the capture.
    pub(super) fn start(&mut self, start: &Start) -> Result<()> {
        let tag = start.tag;
        let closed = self.syntax == Syntax::Xhtml && start.closes_itself;
        match &mut self.capture {
            Some(Capture::Skip(skipped, depth)) => {
                if *skipped == tag && !closed {
                    *depth += 1;
                }
                return Ok(());
            }
            Some(Capture::Title(_) | Capture::Subtitle(_) | Capture::Textarea(_)) => return Ok(()),
            // Another control ends a list of options (13.2.6.4.16).
            Some(Capture::Select(_)) if matches!(tag, Tag::Select | Tag::Input | Tag::Textarea) => {
                self.end_control()?;
                if tag == Tag::Select {
                    return Ok(());
                }
            }
            Some(Capture::Select(select)) => {
                select.start(start);
                return Ok(());
            }
            Some(Capture::Ruby(ruby)) => {
                let ends = match tag {
                    Tag::Img | Tag::Image | Tag::Input | Tag::Math => true,
                    Tag::Textarea | Tag::Select => true,
                    Tag::A => super::notes::is_reference(start),
                    _ => tag.is_block(),
                };
                if !ends {
                    return ruby.start(tag, self.build);
                }
                // A block ends a ruby that was never closed. Other elements, such as pictures, are added after the
                // ruby, because a ruby of the document tree contains only text.
                self.end_ruby()?;
                if !tag.is_block() {
                    self.element(start)?;
                    // The ruby continues. If its next `rt` has no base, it is written in parentheses.
                    if self.capture.is_none() && (!closed || tag.is_void()) {
                        self.capture = Some(Capture::Ruby(Ruby::default()));
                    }
                    return Ok(());
                }
            }
            Some(Capture::Code { text, info }) => {
                if tag == Tag::Br {
                    text.push('\n');
                } else if tag == Tag::Code && info.is_empty() {
                    *info = blocks::language(start);
                }
                if !tag.is_table_part() && tag != Tag::Table {
                    return Ok(());
                }
            }
            Some(Capture::Math(math)) => {
                if !tag.is_block() {
                    math.start(start, closed || start.closes_itself);
                    return Ok(());
                }
                if let Some(Capture::Math(math)) = self.capture.take() {
                    self.math(math)?;
                }
            }
            None => {}
        }
        self.element(start)?;
        if closed && !tag.is_void() {
            self.end(tag)?;
        }
        Ok(())
    }

    /// Handles the start tag of an element.
    pub(super) fn element(&mut self, start: &Start) -> Result<()> {
        let tag = start.tag;
        if tag != Tag::Summary {
            self.close_details();
        }
        match tag {
            Tag::Html | Tag::Body => {
                if let Some(language) = start.get("lang").or_else(|| start.get("xml:lang"))
                    && self.build.metadata.language.is_none()
                    && !language.trim().is_empty()
                {
                    self.build.metadata.language = Some(language.trim().to_owned());
                }
                if let Some(direction) = start.get("dir").and_then(css::direction)
                    && self.build.text.direction.is_none()
                {
                    self.build.text.direction = Some(direction);
                }
                Ok(())
            }
            Tag::Head
            | Tag::Frameset
            | Tag::Base
            | Tag::Link
            | Tag::Param
            | Tag::Source
            | Tag::Track => Ok(()),
            Tag::Meta => {
                self.meta(start);
                Ok(())
            }
            Tag::Title => {
                self.capture = Some(Capture::Title(String::new()));
                Ok(())
            }
            Tag::Script => {
                // Scripts of other types are data.
                let kind = start.get("type").unwrap_or_default().trim();
                if kind.is_empty() || kind == "module" || kind.contains("javascript") {
                    self.build.lost(&SCRIPTS);
                }
                self.skip(tag);
                Ok(())
            }
            Tag::Style | Tag::Template | Tag::Noframes | Tag::Noembed => {
                self.skip(tag);
                Ok(())
            }
            Tag::Textarea | Tag::Select if self.look(start).hidden => {
                self.skip(tag);
                Ok(())
            }
            Tag::Textarea => {
                self.capture = Some(Capture::Textarea(String::new()));
                Ok(())
            }
            Tag::Select => {
                self.capture = Some(Capture::Select(Select::new(start)));
                Ok(())
            }
            Tag::Iframe | Tag::Embed => {
                self.build.lost(&MEDIA);
                if tag == Tag::Iframe {
                    self.skip(tag);
                }
                Ok(())
            }
            Tag::Ruby if self.hidden == 0 && !self.look(start).hidden => {
                self.place(start);
                self.reconstruct()?;
                self.begin()?;
                self.flush_code()?;
                self.line.begun = true;
                self.capture = Some(Capture::Ruby(Ruby::default()));
                Ok(())
            }
            Tag::Math if start.closes_itself => Ok(()),
            Tag::Math => {
                self.reconstruct()?;
                self.capture = Some(Capture::Math(mathml::Reader::new(start)));
                Ok(())
            }
            // An `epub:switch` has alternatives (EPUB 3.0 Content Documents, 2.2.10): the first supported case is used,
            // or else the default.
            Tag::EpubSwitch => {
                self.switched = false;
                Ok(())
            }
            Tag::EpubCase => {
                let space = start.get("required-namespace").unwrap_or_default();
                if self.switched || space.trim() != "http://www.w3.org/1998/Math/MathML" {
                    self.skip(tag);
                }
                self.switched |= self.capture.is_none();
                Ok(())
            }
            Tag::EpubDefault => {
                if self.switched {
                    self.skip(tag);
                }
                Ok(())
            }
            Tag::Table => self.table_start(start),
            _ if tag.is_table_part() => self.table_part(start),
            _ if tag.is_block() => self.block(start),
            _ => self.inline_element(start),
        }
    }

    /// Hides the content after the summary of a closed `details` element.
    fn close_details(&mut self) {
        if let Some(open) = self.stack.last_mut()
            && open.closed
            && !open.hidden
        {
            open.hidden = true;
            self.hidden += 1;
            self.build.lost(&CLOSED);
        }
    }

    /// Ends a ruby whose end tag is missing.
    fn end_ruby(&mut self) -> Result<()> {
        match self.capture.take() {
            Some(Capture::Ruby(ruby)) => ruby.close(self.build),
            other => {
                self.capture = other;
                Ok(())
            }
        }
    }

    pub(super) fn skip(&mut self, tag: Tag) {
        self.capture = Some(Capture::Skip(tag, 1));
    }

    /// Takes an end tag, which may complete a captured or skipped element.
    pub(super) fn end(&mut self, tag: Tag) -> Result<()> {
        match self.capture.take() {
            Some(Capture::Skip(skipped, depth)) => {
                let depth = depth - usize::from(skipped == tag);
                if depth > 0 {
                    self.capture = Some(Capture::Skip(skipped, depth));
                }
                return Ok(());
            }
            Some(Capture::Title(title)) => {
                if tag == Tag::Title {
                    self.title(&title);
                } else {
                    self.capture = Some(Capture::Title(title));
                }
                return Ok(());
            }
            Some(Capture::Subtitle(text)) => {
                if tag == Tag::P {
                    self.build.metadata.subtitle = Some(collapsed(&text));
                    return self.end_element(tag);
                }
                self.capture = Some(Capture::Subtitle(text));
                return Ok(());
            }
            Some(Capture::Select(mut select)) => {
                select.end(tag);
                self.capture = Some(Capture::Select(select));
                return match tag {
                    Tag::Select => self.end_control(),
                    _ => Ok(()),
                };
            }
            Some(Capture::Textarea(text)) => {
                self.capture = Some(Capture::Textarea(text));
                return match tag {
                    Tag::Textarea => self.end_control(),
                    _ => Ok(()),
                };
            }
            Some(Capture::Ruby(mut ruby)) => {
                if tag == Tag::Ruby || tag.is_block() {
                    ruby.close(self.build)?;
                    return match tag.is_block() {
                        true => self.end_element(tag),
                        false => Ok(()),
                    };
                }
                ruby.end(tag, self.build)?;
                self.capture = Some(Capture::Ruby(ruby));
                return Ok(());
            }
            Some(Capture::Math(mut math)) => {
                if tag == Tag::Math {
                    return self.math(math);
                }
                math.end(tag);
                self.capture = Some(Capture::Math(math));
                return Ok(());
            }
            Some(code @ Capture::Code { .. }) => {
                self.capture = Some(code);
                // Only the end of a block element ends a code block; elements inside it, such as highlighting spans, do
                // not.
                if !tag.is_block() {
                    return Ok(());
                }
            }
            None => {}
        }
        self.end_element(tag)
    }

    /// Ends an element of the tree, by the rules for its kind.
    pub(super) fn end_element(&mut self, tag: Tag) -> Result<()> {
        if tag == Tag::Table || tag.is_table_part() {
            return self.table_end(tag);
        }
        if tag.is_formatting() {
            return self.end_formatting(tag);
        }
        if tag == Tag::Br {
            return self.line_break();
        }
        if tag == Tag::EpubSwitch {
            self.switched = false;
            return Ok(());
        }
        if tag.level().is_some() {
            let open = self.find(|open| open.level().is_some());
            return match open {
                Some(at) => self.pop_to(at),
                None => Ok(()),
            };
        }
        if tag.is_block() || matches!(tag, Tag::Button | Tag::Object | Tag::Marquee) {
            return match self.find(|open| open == tag) {
                Some(at) => self.pop_to(at),
                None if tag == Tag::P => self.end_line(),
                None => Ok(()),
            };
        }
        // "Any other end tag" in the standard: closes the element of this name, unless a special element is in between.
        for at in (0..self.stack.len()).rev() {
            let open = self.stack[at].tag;
            if open == tag {
                return self.pop_to(at);
            }
            if open.is_special() {
                break;
            }
        }
        Ok(())
    }
}
