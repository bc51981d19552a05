//! Groups of shapes (RTF 1.9.1, "Word 97 through Word 2007 RTF for Drawing Objects"). All shapes of a group become one
//! drawing, in their order; each text in it becomes a text box in front of the drawing. Reads no words itself.

use super::{frame::Shape, pictures, reader::RtfReader};
use crate::error::Result;
use convertd_office::{
    drawing::{Crop, Place, Shown, Sketch, Space},
    wordprocessing::{charts, losses},
};
use convertd_tree::{Frame, Length, Wrap};

/// Limit on the nesting of groups. The shapes of deeper groups are those of the group around them.
const MAX_LEVELS: usize = 32;

/// Group of shapes that is being read.
pub(super) struct Group {
    /// The groups around the current shape, outermost first.
    levels: Vec<Shape>,
    /// Drawing of the shapes.
    sketch: Sketch,
}

impl Group {
    /// Creates a group whose outermost level is this shape, which is not read yet.
    fn new(outermost: Shape) -> Self {
        Self {
            levels: vec![outermost],
            sketch: Sketch::new(0.0, 0.0),
        }
    }

    /// Coordinates of the shapes in the innermost group.
    fn space(&self) -> Space {
        let mut space = Space::SHEET;
        for (nth, level) in self.levels.iter().enumerate() {
            let place = match nth {
                0 => level.place(),
                _ => space.on_sheet(level.place_in_group()),
            };
            let (origin, extent) = level.coordinates();
            space = Space::SHEET.inside(place, origin, extent);
        }
        space
    }

    /// Size of the whole group, in English Metric Units (EMU).
    fn size(&self) -> (f64, f64) {
        self.levels.first().map_or((0.0, 0.0), Shape::size)
    }
}

impl RtfReader<'_> {
    /// Begins a group of shapes, which may be in another one.
    pub(super) fn begin_shapes(&mut self) {
        let level = Shape::new(self.states.len());
        match &mut self.group {
            Some(group) if group.levels.len() < MAX_LEVELS => group.levels.push(level),
            Some(_) => {}
            None => self.group = Some(Group::new(level)),
        }
    }

    /// The group whose own properties are read at this depth.
    pub(super) fn group_at(&mut self, depth: usize) -> Option<&mut Shape> {
        let level = self.group.as_mut()?.levels.last_mut()?;
        (level.depth == depth).then_some(level)
    }

    /// Draws a shape of the open group, and returns its place. `None` without an open group.
    pub(super) fn draw_in_group(
        &mut self,
        shape: &Shape,
        picture: Option<pictures::Picture>,
    ) -> Result<Option<Place>> {
        let Some(group) = &mut self.group else {
            return Ok(None);
        };
        if group.sketch.is_empty() {
            let (width, height) = group.size();
            group.sketch = Sketch::new(width, height);
        }
        let place = group.space().on_sheet(shape.place_in_group());
        if !charts::shows_drawings(self.job) {
            if let Some(picture) = picture
                && let Some(picture) = picture.finish(&mut self.story.build)?
            {
                self.begin_run();
                self.story.picture(picture);
            }
            return Ok(Some(place));
        }
        shape.look.draw(&place, &mut group.sketch);
        if let Some(picture) = picture {
            match Shown::of(picture.bytes(), Crop::default(), 1.0) {
                Some(shown) => group.sketch.picture(&place, &shown),
                None => self.story.build.lost(&losses::MISSING),
            }
        }
        Ok(Some(place))
    }

    /// Frame of the text of a shape at a place in the open group: the frame of the group, with distances to the shape.
    pub(super) fn frame_in_group(&self, place: &Place) -> Option<Frame> {
        let group = self.group.as_ref()?;
        let frame = group.levels.first()?.frame()?;
        let (width, height) = group.size();
        let emu = |length: f64| Length::emu(length as i64);
        let mut insets = frame.insets;
        insets.left = insets.left + emu(place.x);
        insets.top = insets.top + emu(place.y);
        insets.right = insets.right + emu(width - place.x - place.width);
        insets.bottom = insets.bottom + emu(height - place.y - place.height);
        Some(Frame {
            insets,
            height: convertd_tree::Extent::Exactly(emu(height)),
            turn: place.turn as f32,
            pivot: Some(place.pivot()),
            wrap: Wrap::None,
            // The texts of a group are in front of its shapes.
            order: frame.order + 1,
            ..frame
        })
    }

    /// Ends the group of shapes whose group in the file ends here. The outermost group is shown.
    pub(super) fn end_shapes(&mut self) -> Result<()> {
        let depth = self.states.len();
        let Some(group) = &mut self.group else {
            return Ok(());
        };
        if group.levels.last().is_none_or(|level| level.depth != depth) {
            return Ok(());
        }
        if group.levels.len() > 1 {
            group.levels.pop();
            return Ok(());
        }
        let Some(group) = self.group.take() else {
            return Ok(());
        };
        if group.sketch.is_cut {
            self.story.build.lost(&losses::LONG_DRAWINGS);
        }
        let frame = group.levels.first().and_then(Shape::frame);
        if let Some(frame) = frame
            && !group.sketch.is_empty()
        {
            let picture = self.story.sketched(group.sketch.finish())?;
            self.begin_run();
            self.story.picture(super::frames::in_frame(picture, frame));
        }
        Ok(())
    }
}
