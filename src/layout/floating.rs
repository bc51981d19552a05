//! Sets frames of the tree: computes the size of each, and the items in it. Does not place them on a page.

use super::{
    context::{BlockContext, Flow, Layout, SliceCollector},
    float::{MAX, ReferenceAreas},
    frame::stacked,
    item::Float,
    item::{Area, Item, Owner, SetNote, height},
    memory::Part,
    rows::notes_of,
    structure::{NodeId, Role},
    units::points,
};
use crate::error::Result;
use convertd_tree::{Block, Extent, Frame, Length, Picture, PictureSource, VerticalAlignment};
use std::rc::Rc;

/// Memory of a frame until its page is painted, in bytes, beside its content: an estimate.
const FLOAT: u64 = 1024;

/// Heights count as equal if they differ by less than this, in points.
const NEARLY: f32 = 0.1;
/// Overlap of the parts of a stretched drawing, in points. It hides the seams between the parts.
const SEAM: f32 = 0.25;

impl Layout<'_> {
    /// Sets the blocks of a frame that is anchored at this position.
    ///
    /// The width is that of the frame, or the longest line of its content. Then the blocks are set in this width, as in
    /// a cell, and their total height becomes the height of the frame if the frame does not state one. Finally, the
    /// text is aligned vertically, and turned about its pivot.
    pub fn float(
        &mut self,
        frame: &Frame,
        blocks: &[Block],
        context: &BlockContext,
    ) -> Result<Float> {
        self.memory
            .set(Part::Frames, self.memory.get(Part::Frames) + FLOAT)?;
        let insets = &frame.insets;
        let [top, right, bottom, left] =
            [insets.top, insets.right, insets.bottom, insets.left].map(points);
        let wide = self.areas.width(frame.width);
        let width = match wide {
            Some(width) => width,
            None => {
                let (_, most) = self.blocks_extent(blocks, context);
                (most + left + right).clamp(1.0, context.width)
            }
        };
        // In text turned by 90 degrees, the lines are as long as the frame is high.
        let upright = !frame.sideways;
        let high = self.areas.height(frame.height, 0.0);
        let room = match upright {
            true => width - left - right,
            false => high - top - bottom,
        };
        let mut text_format = self.base();
        if let Some(colour) = frame.colour {
            let text_format = Rc::make_mut(&mut text_format);
            text_format.colour = colour;
            text_format.automatic = false;
        }
        let mut within = BlockContext::new(self.document, text_format, room.max(1.0));
        within.node = self.structure.add(context.node, Role::Division);
        within.background = frame.ground;
        within.list_indent = context.list_indent;
        // Limits pictures in the frame to the width of the frame. The limits of the surrounding paragraph are restored
        // below.
        let outer = self.picture_room;
        self.picture_room = (room.max(1.0), MAX);
        let floats = std::mem::take(&mut self.floats);
        let mut collector =
            SliceCollector::new(self.memory, ReferenceAreas::within(0.0, within.width));
        let mut flow = Flow::new(&mut collector);
        self.blocks(blocks, &within, &mut flow)?;
        // The height includes the space below the last paragraph, as in cells.
        let after = flow.after;
        let slices = collector.finish();
        self.floats = floats;
        self.picture_room = outer;
        let deep = height(&slices) + after;
        let notes: Vec<SetNote> = slices.iter().flat_map(notes_of).map(SetNote::of).collect();
        let tall = match upright {
            true if frame.fits && least_height(frame).is_none() => deep + top + bottom,
            true => self.areas.height(frame.height, deep + top + bottom),
            false => high,
        };
        let mut items = self.backdrop(frame, (width, tall), within.node);
        let (inner_width, inner_height) = (width - left - right, tall - top - bottom);
        // Height that the text leaves free, for its vertical alignment.
        let free = match upright {
            true => inner_height - deep,
            false => inner_width - deep,
        };
        let lowered: f32 = match frame.text {
            VerticalAlignment::Top => 0.0,
            VerticalAlignment::Middle => free / 2.0,
            VerticalAlignment::Bottom => free,
        };
        // Text that is higher than its frame begins at the top of the frame.
        let lowered = lowered.max(0.0);
        // Sideways text is set in an upright box with the same centre as its room, and turned about that centre below.
        let (x, y) = match upright {
            true => (left, top + lowered),
            false => (
                left + (inner_width - inner_height) / 2.0,
                top + (inner_height - inner_width) / 2.0 + lowered,
            ),
        };
        let mut text = Vec::new();
        for placed in stacked(slices, x, y) {
            for mut item in placed.items {
                item.shift(placed.x, placed.y);
                text.push(item);
            }
        }
        if frame.turn.rem_euclid(360.0) == 0.0 {
            items.append(&mut text);
        } else if !text.is_empty() {
            let pivot = match frame.pivot {
                _ if frame.sideways => (left + inner_width / 2.0, top + inner_height / 2.0),
                Some((x, y)) => (points(x), points(y)),
                None => (width / 2.0, tall / 2.0),
            };
            items.push(turned(text, frame.turn, pivot));
        }
        let mut float = self.numbered(frame, (width, tall), items);
        float.notes = notes;
        Ok(float)
    }

    /// The picture behind the text of a frame of this size.
    fn backdrop(&mut self, frame: &Frame, (width, tall): (f32, f32), node: NodeId) -> Vec<Item> {
        let mut items = Vec::new();
        if let Some(backdrop) = &frame.backdrop {
            // The picture was made for the height that the text has in the program that wrote the document. If the
            // frame fits its text, the picture is stretched to the height that the text has in this layout.
            let stored =
                least_height(frame).map_or_else(|| self.areas.height(frame.height, tall), points);
            if let Some((item, _)) = self.centred(backdrop, (width, stored), node) {
                match item {
                    Item::Picture {
                        area,
                        number,
                        belongs,
                    } if frame.fits => {
                        stretch(&mut items, (area, number, belongs), stored, tall);
                    }
                    item => items.push(item),
                }
            }
        }
        items
    }

    /// Sets a picture as a float, with the area of its link. `None` if the picture cannot be shown.
    pub(crate) fn float_picture(
        &mut self,
        frame: &Frame,
        picture: &Picture,
        parent: NodeId,
        link: Option<usize>,
    ) -> Option<Float> {
        let (_, own) = self.centred(picture, (0.0, 0.0), parent)?;
        let width = self.areas.width(frame.width).unwrap_or(own.0);
        let height = match frame.height {
            Extent::Content | Extent::AtLeast(_) => own.1,
            extent => self.areas.height(extent, own.1),
        };
        let (item, _) = self.centred(picture, (width, height), parent)?;
        let mut items = vec![item];
        if let Some(link) = link {
            let area = Area {
                x: 0.0,
                y: 0.0,
                width,
                height,
            };
            items.push(Item::Link { area, link });
        }
        Some(self.numbered(frame, (width, height), items))
    }

    /// A float with the next number.
    fn numbered(&mut self, frame: &Frame, size: (f32, f32), items: Vec<Item>) -> Float {
        self.count += 1;
        Float::new(self.count, frame, size, items)
    }

    /// A picture centred in a frame of this size, and the size of the picture. `None` if the picture cannot be shown.
    fn centred(
        &mut self,
        picture: &Picture,
        (width, height): (f32, f32),
        parent: NodeId,
    ) -> Option<(Item, (f32, f32))> {
        let PictureSource::Resource(id) = picture.source else {
            return None;
        };
        let number = id.index();
        let room = (MAX, MAX);
        let own = self
            .pictures
            .size(number, picture, room, &mut self.losses)?;
        let words = match picture.alternative.is_empty() {
            true => &picture.title,
            false => &picture.alternative,
        };
        // Pictures without alternative text are artifacts.
        let belongs = match words.is_empty() {
            true => Owner::Layout,
            false => {
                let words = Some(words.clone());
                Owner::To(self.structure.add_with(parent, Role::Figure, words, None))
            }
        };
        let area = Area {
            x: (width - own.0) / 2.0,
            y: (height - own.1) / 2.0,
            width: own.0,
            height: own.1,
        };
        let item = Item::Picture {
            area,
            number,
            belongs,
        };
        Some((item, own))
    }
}

/// The least height of a frame that fits its text.
fn least_height(frame: &Frame) -> Option<Length> {
    match frame.height {
        Extent::AtLeast(least) if frame.fits => Some(least),
        _ => None,
    }
}

/// Adds the drawing of a box that is `tall` points high, although the drawing was made for a height of `stored` points.
/// Outlines and corners keep their size. In a higher box, the upper and the lower half of the drawing move apart, and a
/// slice from the middle of the drawing is stretched to fill the gap. In a lower box, each half is cut at the middle of
/// the box.
fn stretch(
    items: &mut Vec<Item>,
    (area, number, belongs): (Area, usize, Owner),
    stored: f32,
    tall: f32,
) {
    let picture = |y: f32, height: f32, belongs: Owner| Item::Picture {
        area: Area { y, height, ..area },
        number,
        belongs,
    };
    let gap = tall - stored;
    if gap.abs() < NEARLY {
        items.push(picture(area.y, area.height, belongs));
        return;
    }
    let mut part = |from: f32, to: f32, picture: Item| {
        let area = Area {
            y: from,
            height: to - from,
            ..area
        };
        items.push(Item::Cut {
            area,
            items: vec![picture],
        });
    };
    let middle = stored.min(tall) / 2.0;
    let end = area.y + area.height + gap;
    if gap > 0.0 {
        // Height of the slice that is stretched to fill the gap. The halves are drawn over its edges, and so hide the
        // seams.
        let slice = (stored / 8.0).clamp(0.01, 1.0);
        let factor = (gap + 2.0 * SEAM) / slice;
        let y = middle + gap / 2.0 - (stored / 2.0 - area.y) * factor;
        let stretched = picture(y, area.height * factor, Owner::Layout);
        part(middle - SEAM, middle + gap + SEAM, stretched);
    }
    part(area.y, middle, picture(area.y, area.height, belongs));
    let below = picture(area.y + gap, area.height, Owner::Layout);
    part(middle + gap.max(0.0), end, below);
}

/// Turns items clockwise about a point by this many degrees (y runs downwards).
fn turned(items: Vec<Item>, degrees: f32, (x, y): (f32, f32)) -> Item {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let matrix = [
        cos,
        sin,
        -sin,
        cos,
        x - cos * x + sin * y,
        y - sin * x - cos * y,
    ];
    Item::Moved { matrix, items }
}
