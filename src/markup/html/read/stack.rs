//! The stack of open elements (HTML, 13.2.4.2): scopes, and the effects of closing an element. Reads no tags.

use super::state::{Capture, Line, Open, Reader};
use crate::{error::Result, syntax::tag::Tag};

/// The limit on open elements.
const DEEPEST: usize = 512;

impl Reader<'_, '_, '_> {
    /// The index of the innermost matching element, if it is in scope.
    pub(super) fn find(&self, is: impl Fn(Tag) -> bool) -> Option<usize> {
        for at in (0..self.stack.len()).rev() {
            let tag = self.stack[at].tag;
            if is(tag) {
                return Some(at);
            }
            if tag.bounds_scope() {
                return None;
            }
        }
        None
    }

    /// Closes the open paragraph, if it is in button scope.
    pub(super) fn close_paragraph(&mut self) -> Result<()> {
        if self.paragraphs == 0 {
            return Ok(());
        }
        for at in (0..self.stack.len()).rev() {
            let tag = self.stack[at].tag;
            if tag == Tag::P {
                return self.pop_to(at);
            }
            if tag.bounds_scope() || tag == Tag::Button {
                break;
            }
        }
        Ok(())
    }

    /// Closes the element at this index, and all those inside it.
    pub(super) fn pop_to(&mut self, at: usize) -> Result<()> {
        while self.stack.len() > at {
            self.pop()?;
        }
        Ok(())
    }

    pub(super) fn push(&mut self, open: Open) -> Result<()> {
        // Deeper elements become siblings.
        if self.stack.len() >= DEEPEST {
            self.pop()?;
        }
        self.hidden += usize::from(open.hidden);
        self.paragraphs += usize::from(open.tag == Tag::P);
        self.line.stale |= !open.wraps.is_empty();
        self.stack.push(open);
        let before = self.stack.last_mut().and_then(|open| open.before.take());
        self.generated(before)
    }

    /// Adds a text that style sheets put into an element.
    fn generated(&mut self, text: Option<Box<str>>) -> Result<()> {
        match text.filter(|_| self.hidden == 0 && self.capture.is_none()) {
            Some(text) => self.flow(&text),
            None => Ok(()),
        }
    }

    /// Closes the innermost element, and restores the state from before it.
    pub(super) fn pop(&mut self) -> Result<()> {
        let after = self.stack.last_mut().and_then(|open| open.after.take());
        let has_after = after.is_some();
        self.generated(after)?;
        let Some(open) = self.stack.pop() else {
            return Ok(());
        };
        self.hidden -= usize::from(open.hidden);
        self.paragraphs -= usize::from(open.tag == Tag::P);
        self.line.stale |= !open.wraps.is_empty();
        if open.formatting > 0 {
            let mut active = self.active.iter_mut().rev();
            if let Some(active) = active.find(|active| active.number == open.formatting) {
                active.open = false;
            }
        }
        if matches!(
            open.tag,
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext
        ) && let Some(Capture::Code { info, text }) = self.capture.take()
        {
            // A line break directly after the start tag is not part of the text.
            let text = text.strip_prefix('\n').unwrap_or(&text);
            self.build.code_block(info, text)?;
        }
        if matches!(open.tag, Tag::Td | Tag::Th | Tag::Caption) {
            self.clear_active();
        }
        if open.tag == Tag::Button {
            // Text after a button is separated from it.
            self.line.space = true;
        }
        if self.hidden == 0 && !open.hidden {
            self.part(open.parted)?;
        }
        if open.tag == Tag::Q && !has_after && self.hidden == 0 && !open.hidden {
            self.end_quotation()?;
        }
        if open.tag.is_block() {
            self.end_line()?;
        }
        if open.tag.level().is_some() || open.tag == Tag::Dt {
            self.line = Line::default();
            self.line.stale = true;
        }
        for _ in 0..open.nodes {
            self.build.close()?;
        }
        if open.tag == Tag::Table {
            self.tables.pop();
        }
        if open.breaks_after {
            self.build.page_break()?;
        }
        Ok(())
    }
}
