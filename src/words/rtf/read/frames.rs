//! Frames (RTF 1.9.1, "Positioned Objects and Frames" and "Word 97 through Word 2007 RTF for Drawing Objects"):
//! positioned paragraphs, drop caps, and text boxes of shapes. Reads no text.

use super::{frame::Shape, pictures, reader::RtfReader, state::Destination, text::Text};
use crate::error::Result;
use convertd_office::{
    drawing::{Crop, Shown, Sketch, is_tilted, quarter_turns},
    wordprocessing::{Within, charts},
};
use convertd_tree::{Anchor, Edges, Extent, Frame, Length, Picture, PictureSource};

impl RtfReader<'_> {
    /// Enters the frame of the paragraph that begins, and leaves the frame of the previous paragraph. Consecutive
    /// paragraphs with equal frames share a frame. Does nothing inside of tables and of texts such as notes.
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

    /// Handles a control word of a shape, and the beginning of its text. Returns false if other handlers may handle the
    /// word.
    pub(super) fn shape_word(&mut self, word: &str, number: Option<i32>) -> Result<bool> {
        match word {
            "shpgrp" => self.begins_group = true,
            "shpinst" if std::mem::take(&mut self.begins_group) => self.begin_shapes(),
            "shpinst" => {
                self.shape = Some(Shape::new(self.states.len()));
                self.shape_picture = None;
            }
            "shptxt" => return self.begin_shape_text(),
            _ => {
                let depth = self.states.len();
                let shape = match &mut self.shape {
                    Some(shape) => Some(shape),
                    None => self.group_at(depth),
                };
                return Ok(shape.is_some_and(|shape| shape.word(word, number)));
            }
        }
        Ok(false)
    }

    /// Begins the text of a shape as a frame. Returns false where a frame is not possible; then the text is read in
    /// place.
    fn begin_shape_text(&mut self) -> Result<bool> {
        let Some(shape) = self.shape.take() else {
            return Ok(false);
        };
        let picture = self.shape_picture.take();
        let place = self.draw_in_group(&shape, picture)?;
        let frame = match &place {
            Some(place) => self.frame_in_group(place),
            None => shape.frame(),
        };
        let is_main = self.texts.len() == 1
            && self.open().tables.is_empty()
            && self.framed.is_none()
            && self.story.within() == Within::Main
            && self.state().destination == Destination::Text;
        let Some(mut frame) = frame.filter(|_| is_main) else {
            return Ok(false);
        };
        frame.ground = shape.look.ground();
        if place.is_none() {
            frame.turn = shape.look.turned().turn as f32;
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

    /// Draws a shape whose group ends here, if it had no text, and ends a group of shapes.
    pub(super) fn end_shape(&mut self) -> Result<()> {
        let depth = self.states.len();
        if let Some(shape) = self.shape.take_if(|shape| shape.depth == depth) {
            self.show_shape(&shape)?;
        }
        self.end_shapes()
    }

    /// Shows a shape without text: in the drawing of its group, or in a frame of its own.
    fn show_shape(&mut self, shape: &Shape) -> Result<()> {
        let picture = self.shape_picture.take();
        if self.group.is_some() {
            self.draw_in_group(shape, picture)?;
            return Ok(());
        }
        let Some(frame) = shape.frame() else {
            return Ok(());
        };
        let shown = match picture {
            Some(picture) => self.turned(shape, picture)?,
            None => self.sketched(shape)?,
        };
        if let Some(picture) = shown {
            self.begin_run();
            self.story.picture(in_frame(picture, frame));
        }
        Ok(())
    }

    /// Rotates a picture with the shape that consists of it. Quarter turns are properties of the picture; any other
    /// angle needs a drawing.
    fn turned(&mut self, shape: &Shape, picture: pictures::Picture) -> Result<Option<Picture>> {
        let place = shape.place();
        let quarters = quarter_turns(place.turn);
        if is_tilted(place.turn)
            && charts::shows_drawings(self.job)
            && let Some(shown) = Shown::of(picture.bytes(), Crop::default(), 1.0)
        {
            let mut sketch = Sketch::new(place.width, place.height);
            sketch.picture(&place, &shown);
            return self.story.sketched(sketch.finish()).map(Some);
        }
        let mut shown = picture.finish(&mut self.story.build)?;
        if let Some(shown) = &mut shown {
            let side = |length: f64| Some(Length::emu(length as i64));
            // The size of the shape is that before its rotation.
            let (width, height) = match quarters % 2 == 1 {
                true => (place.height, place.width),
                false => (place.width, place.height),
            };
            (shown.width, shown.height) = (side(width), side(height));
            if let PictureSource::Resource(id) = shown.source
                && quarters > 0
            {
                self.story.build.turn(id, quarters);
            }
        }
        Ok(shown)
    }

    /// Keeps the picture in a property of a shape, if the shape consists of the picture (`pib`). A picture that fills a
    /// shape is ignored.
    pub(super) fn keep_for_shape(&mut self, picture: pictures::Picture) {
        if self.shape.is_some() && picture.property.trim() == "pib" {
            self.shape_picture = Some(picture);
        }
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
pub(super) fn in_frame(picture: Picture, frame: Frame) -> Picture {
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
