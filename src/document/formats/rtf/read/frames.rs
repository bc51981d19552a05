//! Frames (1.9.1, "Positioned Objects and Frames" and "Word 97 through Word 2007 RTF for Drawing Objects"): paragraphs that stand at
//! a place of their own, large first letters, and the text boxes of shapes. Reads no text.

use super::{frame::Shape, reader::Reader, state::Destination, text::Text};
use crate::{document::office::Within, error::Result};

impl Reader<'_> {
    /// Goes into the frame of the paragraph that begins, or out of that of the one before.
    pub(super) fn go_to_frame(&mut self) -> Result<()> {
        let can_begin = self.texts.len() == 1
            && self.open().tables.is_empty()
            && self.depth() == 0
            && self.story.line().is_blank();
        if !can_begin {
            return Ok(());
        }
        let frame = self.state().frame.frame();
        if self.framed == frame {
            return Ok(());
        }
        self.leave_frame()?;
        if let Some(frame) = frame.filter(|_| self.story.within() == Within::Main) {
            self.story.open_frame(Box::new(frame.clone()))?;
            self.framed = Some(frame);
        }
        Ok(())
    }

    /// Ends the frame of the last paragraph.
    pub(super) fn leave_frame(&mut self) -> Result<()> {
        if self.framed.take().is_some() {
            self.story.close_text()?;
        }
        Ok(())
    }

    /// Handles a control word of a shape, and the beginning of its text, which becomes a text of its own where its place is known.
    pub(super) fn shape_word(&mut self, word: &str, number: Option<i32>) -> Result<bool> {
        match word {
            "shpinst" => self.shape = Some(Shape::default()),
            "shptxt" => return self.begin_shape_text(),
            _ => {
                return Ok(self
                    .shape
                    .as_mut()
                    .is_some_and(|shape| shape.word(word, number)));
            }
        }
        Ok(false)
    }

    fn begin_shape_text(&mut self) -> Result<bool> {
        let frame = self.shape.take().and_then(|shape| shape.frame());
        let is_main = self.texts.len() == 1
            && self.open().tables.is_empty()
            && self.framed.is_none()
            && self.story.within() == Within::Main
            && self.state().destination == Destination::Text;
        let Some(frame) = frame.filter(|_| is_main) else {
            return Ok(false);
        };
        self.story.open_frame(Box::new(frame))?;
        self.texts.push(Text {
            group: self.states.len(),
            ..Text::default()
        });
        let state = self.state();
        state.plain();
        state.plain_paragraph();
        Ok(true)
    }
}
