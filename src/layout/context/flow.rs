//! The position in a column at which blocks are put, with the space between them. Sets no blocks.

use super::super::{
    around::Exclusions,
    item::{BreakBefore, Float, Frame, Slice},
    paragraph_format::ParagraphFormat,
};
use super::{BlockContext, Flow, JoinedBorders, Sink};
use crate::error::Result;
use std::borrow::Cow;

impl<'s> Flow<'s> {
    /// The state at the start of a text, with nothing above.
    pub fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            after: 0.0,
            label: None,
            run_in: None,
            floats: Vec::new(),
            begins: BreakBefore::Anywhere,
            last: (None, false),
            joins: JoinedBorders::default(),
        }
    }

    /// Begins a paragraph, and returns the space above it. Contextual spacing removes the spaces
    /// between neighbours of the same style.
    pub fn meet(&mut self, format: &ParagraphFormat) -> f32 {
        let (name, contextual) = &self.last;
        let same = name.is_some() && *name == format.name;
        if same && *contextual {
            self.after = 0.0;
        }
        if same && format.contextual {
            return 0.0;
        }
        format.spaces.before
    }

    /// Forgets the last paragraph, because a block of another kind follows.
    pub fn forget(&mut self) {
        self.last = (None, false);
    }

    /// Ends a paragraph. Stores its style and the space below it, on which the space above the next paragraph depends.
    pub fn leave(&mut self, format: &ParagraphFormat) {
        self.after = format.spaces.after;
        self.last = (format.name.clone(), format.contextual);
    }

    /// Lets the next slice begin a page or column. If there are several demands, the first one holds.
    pub fn begin_page(&mut self, begins: BreakBefore) {
        if self.begins == BreakBefore::Anywhere {
            self.begins = begins;
        }
    }

    /// Raises the space below the last block to at least `room`, in points.
    pub fn space(&mut self, room: f32) {
        self.after = self.after.max(room);
    }

    /// Space above the next slice, from its own space above and the space below the last block.
    pub(super) fn before(&self, context: &BlockContext, before: f32) -> f32 {
        match context.overlap {
            true => before.max(self.after),
            false => before + self.after,
        }
    }

    /// Exclusions for the lines of the next paragraph, whose first line is `height` high. `None` if nothing narrows
    /// them.
    ///
    /// Reserves the areas of the paragraph's frames at the expected position of its first line. If the frames do not
    /// fit on this page, the paragraph begins on the next one.
    pub fn around(
        &mut self,
        context: &BlockContext,
        before: f32,
        height: impl FnOnce() -> f32,
    ) -> Option<Exclusions> {
        if self.floats.is_empty() && !self.sink.is_crowded() {
            return None;
        }
        let before = self.before(context, before);
        let height = height();
        // Height of the first line, or of the highest frame that must be on the page of the paragraph.
        let need = self.floats.iter().map(Float::need).fold(height, f32::max);
        let position = self.sink.position(self.begins, before, need);
        if position.is_ahead && need > height {
            self.begin_page(BreakBefore::Page);
        }
        let taken = self.sink.reserve(&self.floats, &position);
        (!taken.is_empty() || position.less != (0.0, 0.0)).then_some(Exclusions {
            taken,
            bottom: position.bottom - position.y,
            less: position.less,
        })
    }

    /// The context of a table or box, reduced to the width of the current column where columns differ
    /// in width.
    pub fn narrowed<'p>(&self, context: &'p BlockContext) -> Cow<'p, BlockContext> {
        if !self.sink.is_crowded() {
            return Cow::Borrowed(context);
        }
        let position = self.sink.position(self.begins, self.after, 0.0);
        if position.less.0 == 0.0 {
            return Cow::Borrowed(context);
        }
        let width = (context.width - position.less.0).max(1.0);
        Cow::Owned(BlockContext {
            width,
            ..context.clone()
        })
    }

    /// Passes a slice to the sink, with the spaces, frames, notes and bars that were collected for the slice.
    pub fn put(&mut self, context: &BlockContext, mut slice: Slice) -> Result<()> {
        slice.before = self.before(context, slice.before);
        self.after = 0.0;
        // Notes of a float belong to the page of the slice that carries the float.
        for float in &mut self.floats {
            slice.notes.append(&mut float.notes);
        }
        slice.floats.append(&mut self.floats);
        let begins = std::mem::take(&mut self.begins);
        if begins != BreakBefore::Anywhere {
            slice.begins = begins;
        }
        // All slices of a box except the first one also colour the space above themselves, so that the box has no gaps.
        for bar in &context.bars {
            slice.frames.push(Frame {
                x: bar.x,
                width: bar.width,
                colour: bar.colour,
                above: if bar.begun.replace(true) {
                    slice.before
                } else {
                    0.0
                },
            });
        }
        self.sink.put(slice)
    }
}
