//! Frames (RTF 1.9.1, "Positioned Objects and Frames" and "Word 97 through Word 2007 RTF for Drawing Objects"):
//! positioned paragraphs, drop caps, and text boxes of shapes. Reads no text.

use super::{frame::Shape, pictures, reader::RtfReader, state::Destination, text::Text};
use crate::error::Result;
use convertd_office::wordprocessing::{Within, charts};
use convertd_tree::{Anchor, Edges, Extent, Frame, Picture};

impl RtfReader<'_> {
    /// Enters the frame of the paragraph that begins, and leaves the frame of the previous paragraph. Consecutive
    /// paragraphs with equal frames share a frame.
    pub(super) fn go_to_frame(&mut self) -> Result<()> {
        let frame = self.state().frame.frame();
        if self.framed == frame {
            return Ok(());
        }
        // `is_blank` is called last, because the line may be long, and this function runs for each of its tabs.
        let can_begin = self.texts.len() == 1
            && self.open().tables.is_empty()
            && self.depth() == 0
            && self.story.line().is_blank();
        if !can_begin {
            return Ok(());
        }
        self.leave_frame()?;
        if let Some(frame) = frame.filter(|_| self.story.within() == Within::Main) {
            self.story.open_frame(Box::new(frame.clone()))?;
            self.framed = Some(frame);
        }
        Ok(())
    }

    /// Leaves the frame of the last paragraph.
    pub(super) fn leave_frame(&mut self) -> Result<()> {
        if self.framed.take().is_some() {
            self.story.close_text()?;
        }
        Ok(())
    }

    /// Handles a control word of a shape, and the beginning of its text. Returns whether the word is handled.
    pub(super) fn shape_word(&mut self, word: &str, number: Option<i32>) -> Result<bool> {
        match word {
            "shpinst" => {
                self.shape = Some(Shape::new(self.states.len()));
            }
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

    /// Begins the text of a shape as a frame. Returns false where a frame is not possible; then the text is read in
    /// place.
    fn begin_shape_text(&mut self) -> Result<bool> {
        let shape = self.shape.take();
        let frame = shape.and_then(|shape| shape.frame());
        let is_main = self.texts.len() == 1
            && self.open().tables.is_empty()
            && self.framed.is_none()
            && self.story.within() == Within::Main
            && self.state().destination == Destination::Text;
        let Some(mut frame) = frame.filter(|_| is_main) else {
            return Ok(false);
        };
        if let Some(shape) = shape {
            frame.ground = shape.look.ground();
            frame.backdrop = self.sketched(&shape)?.map(Box::new);
        }
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

    /// Draws a shape whose group ends here, if it had no text.
    pub(super) fn end_shape(&mut self) -> Result<()> {
        let depth = self.states.len();
        let Some(shape) = self.shape.take_if(|shape| shape.depth == depth) else {
            return Ok(());
        };
        let Some(frame) = shape.frame() else {
            return Ok(());
        };
        if let Some(picture) = self.sketched(&shape)? {
            self.begin_run();
            self.story.picture(in_frame(picture, frame));
        }
        Ok(())
    }

    /// Shows the picture in a property of a shape, if the shape consists of the picture (`pib`). A picture that fills a
    /// shape is ignored.
    pub(super) fn show_in_shape(&mut self, picture: pictures::Picture) -> Result<()> {
        let frame = self.shape.and_then(|shape| shape.frame());
        let Some(frame) = frame.filter(|_| picture.property.trim() == "pib") else {
            return Ok(());
        };
        self.shape = None;
        if let Some(picture) = picture.finish(&mut self.story.build)? {
            self.begin_run();
            self.story.picture(in_frame(picture, frame));
        }
        Ok(())
    }

    /// Draws a shape. `None` if it is invisible, or if the target shows no drawings.
    fn sketched(&mut self, shape: &Shape) -> Result<Option<Picture>> {
        if !charts::shows_drawings(self.job) {
            return Ok(None);
        }
        let Some(drawn) = shape.look.drawing(shape.size()) else {
            return Ok(None);
        };
        self.story.sketched(drawn).map(Some)
    }
}

/// Puts a picture into the frame that the text of its shape would have.
fn in_frame(picture: Picture, frame: Frame) -> Picture {
    let height = match frame.height {
        Extent::AtLeast(height) => Extent::Exactly(height),
        other => other,
    };
    Picture {
        frame: Some(Box::new(Frame {
            anchor: Anchor::Text,
            height,
            insets: Edges::default(),
            ..frame
        })),
        ..picture
    }
}
