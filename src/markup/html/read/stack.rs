//! The stack of open elements, and the effects of closing one.

use super::state::{Capture, Letters, Line, Open, PageReader};
use crate::{error::Result, syntax::tag::Tag};
use convertd_tree::Direction;

/// The limit on open elements.
const DEEPEST: usize = 512;

impl PageReader<'_, '_, '_> {
    /// Closes elements until the stack has this height.
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
        self.overriding += usize::from(open.overrides.is_some());
        if open.isolated {
            self.isolates.push(Letters::default());
        }
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

    /// Ends the innermost element, if its text is isolated. A mark of the direction of the paragraph keeps numbers and
    /// punctuation behind it from continuing its text.
    fn end_isolate(&mut self) -> Result<()> {
        let Some(letters) = self
            .stack
            .last()
            .filter(|open| open.isolated)
            .and_then(|_| self.isolates.pop())
        else {
            return Ok(());
        };
        if let Some(around) = self.isolates.last_mut() {
            around.left_to_right |= letters.left_to_right;
            around.right_to_left |= letters.right_to_left;
        }
        // Nothing follows on the same line.
        if !self.line.begun {
            return Ok(());
        }
        let mut directions = self.stack.iter().rev().skip(1).map(|open| open.direction);
        let direction = directions.find_map(|one| one).or(self.build.text.direction);
        match direction {
            Some(Direction::RightToLeft) if letters.left_to_right => self.sign("\u{200f}"),
            Some(Direction::RightToLeft) => Ok(()),
            _ if letters.right_to_left => self.sign("\u{200e}"),
            _ => Ok(()),
        }
    }

    /// Closes the innermost element, and restores the state from before it.
    pub(super) fn pop(&mut self) -> Result<()> {
        let after = self.stack.last_mut().and_then(|open| open.after.take());
        let has_after = after.is_some();
        self.generated(after)?;
        self.end_isolate()?;
        let Some(open) = self.stack.pop() else {
            return Ok(());
        };
        self.hidden -= usize::from(open.hidden);
        self.overriding -= usize::from(open.overrides.is_some());
        self.line.stale |= !open.wraps.is_empty();
        if matches!(
            open.tag,
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext
        ) && let Some(Capture::Code { info, text }) = self.capture.take()
        {
            self.build.code_block(info, text)?;
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
