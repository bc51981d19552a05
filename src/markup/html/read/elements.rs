//! Dispatches the beginnings and ends of elements, and the text between them: to the open capture, or to the handlers
//! of the other files.

use super::{
    attributes::collapsed,
    blocks,
    controls::Select,
    ruby::Ruby,
    state::{CLOSED, Capture, MEDIA, PageReader},
};
use crate::{dom::Start, error::Result, html::mathml, syntax::tag::Tag};
use convertd_tree::scripts::SCRIPTS;

impl PageReader<'_, '_, '_> {
    /// Takes text. While an element such as `title`, `pre` or `math` is captured, its text goes to the capture.
    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        match &mut self.capture {
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
        // Pages that browsers have saved contain the markup in `noscript` as text, which is hidden here.
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

    /// Takes the beginning of an element. While an element is captured, most elements inside it go to the capture.
    pub(super) fn start(&mut self, start: &Start<'_>) -> Result<()> {
        let tag = start.tag;
        self.heights.push(self.stack.len());
        match &mut self.capture {
            Some(Capture::Title(_) | Capture::Subtitle(_) | Capture::Textarea(_)) => return Ok(()),
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
                    // The ruby continues after the element. An `rt` that then has no base is added in parentheses.
                    if self.capture.is_none() {
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
                math.start(start);
                return Ok(());
            }
            None => {}
        }
        self.element(start)
    }

    /// Handles the beginning of an element that is not captured.
    pub(super) fn element(&mut self, start: &Start<'_>) -> Result<()> {
        let tag = start.tag;
        if tag != Tag::Summary {
            self.close_details();
        }
        match tag {
            Tag::Html | Tag::Body => {
                self.root(start);
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
                // Scripts of other types are data, and no loss.
                let kind = start.get("type").unwrap_or_default().trim();
                if kind.is_empty() || kind == "module" || kind.contains("javascript") {
                    self.build.lost(&SCRIPTS);
                }
                self.skips = true;
                Ok(())
            }
            Tag::Style | Tag::Template | Tag::Noframes | Tag::Noembed => {
                self.skips = true;
                Ok(())
            }
            Tag::Textarea | Tag::Select if self.look(start).hidden => {
                self.skips = true;
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
                self.skips = true;
                Ok(())
            }
            Tag::Ruby if self.hidden == 0 && !self.look(start).hidden => {
                self.place(start);
                self.begin()?;
                self.flush_code()?;
                self.line.begun = true;
                self.capture = Some(Capture::Ruby(Ruby::default()));
                Ok(())
            }
            Tag::Math => {
                self.capture = Some(Capture::Math(mathml::MathReader::new(start)));
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
                self.skips = self.switched || space.trim() != "http://www.w3.org/1998/Math/MathML";
                self.switched |= !self.skips;
                Ok(())
            }
            Tag::EpubDefault => {
                self.skips = self.switched;
                Ok(())
            }
            Tag::Table => self.table_start(start),
            _ if tag.is_table_part() => self.table_part(start),
            _ if tag.is_block() => self.block(start),
            _ => self.inline_element(start),
        }
    }

    /// Takes the language, direction and hyphenation of the document from `html` or `body`.
    fn root(&mut self, start: &Start<'_>) {
        if let Some(language) = start.get("lang").or_else(|| start.get("xml:lang"))
            && self.build.metadata.language.is_none()
            && !language.trim().is_empty()
        {
            self.build.metadata.language = Some(language.trim().to_owned());
        }
        let look = self.look(start);
        if self.build.text.direction.is_none() {
            self.build.text.direction = look.direction;
        }
        if let Some(automatic) = look.hyphenated {
            self.build.hyphenation.automatic = automatic;
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

    /// Ends a ruby before content that is not a part of it.
    fn end_ruby(&mut self) -> Result<()> {
        match self.capture.take() {
            Some(Capture::Ruby(ruby)) => ruby.close(self.build),
            other => {
                self.capture = other;
                Ok(())
            }
        }
    }

    /// Takes the end of an element, which may complete a capture.
    pub(super) fn end(&mut self, tag: Tag) -> Result<()> {
        let height = self.heights.pop().unwrap_or_default();
        match self.capture.take() {
            Some(Capture::Title(title)) if tag == Tag::Title => self.title(&title),
            Some(Capture::Subtitle(text)) if tag == Tag::P => {
                self.build.metadata.subtitle = Some(collapsed(&text));
            }
            Some(Capture::Select(mut select)) if tag != Tag::Select => {
                select.end(tag);
                self.capture = Some(Capture::Select(select));
            }
            Some(Capture::Ruby(ruby)) if tag == Tag::Ruby => ruby.close(self.build)?,
            Some(Capture::Ruby(mut ruby)) => {
                ruby.end(tag, self.build)?;
                self.capture = Some(Capture::Ruby(ruby));
            }
            Some(Capture::Math(math)) if tag == Tag::Math => self.math(math)?,
            Some(Capture::Math(mut math)) => {
                math.end(tag);
                self.capture = Some(Capture::Math(math));
            }
            capture => {
                self.capture = capture;
                if matches!(tag, Tag::Select | Tag::Textarea) {
                    self.end_control()?;
                }
            }
        }
        if tag == Tag::EpubSwitch {
            self.switched = false;
        }
        self.pop_to(height)
    }
}
