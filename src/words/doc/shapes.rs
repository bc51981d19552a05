//! Drawings of shapes (MS-DOC 2.9.253; MS-ODRAW 2.2). All shapes of one frame become one picture; the texts in them
//! follow after the paragraph as text boxes. Does not position frames on the page.

use super::{
    body::Body,
    drawings::{ATOM, Drawing, GROUP, SHAPE},
};
use crate::{containers::fields::Fields, error::Result};
use convertd_office::{
    art::{
        Colours, Look, Properties, Record, VerticalAnchor, geometry, is_line, is_words, property,
        turned,
    },
    drawing::{Crop, Fill, Place, Rgba, Shown, Sketch, Space},
    wordprocessing::losses,
};
use convertd_tree::{Colour, Edges, Frame, Length, Picture, VerticalAlignment, Wrap};
use std::ops::Range;

/// Record type of the coordinate system of a group (MS-ODRAW 2.2).
const SPACE: u16 = 0xf009;
/// Record type of a shape's position in its group.
const CHILD_ANCHOR: u16 = 0xf00f;

/// Shape type of pictures and canvases, which have no outline.
const PICTURE: u16 = 75;

/// Limit on the nesting of groups.
const MAX_DEPTH: usize = 32;
/// Max. number of shapes that are drawn in a frame.
const MAX_SHAPES: usize = 20_000;

/// Colours of Word, which has no colour scheme.
struct Plain;

impl Colours for Plain {
    /// Default fill, background and line: white, white and black.
    const DEFAULT: [u32; 3] = [0xff_ffff, 0xff_ffff, 0];

    fn of(&self, value: u32) -> Rgba {
        /// Flag of system colours.
        const SYSTEM: u8 = 0x10;
        /// Number of the system colour of window backgrounds, which is white. All other system colours count as
        /// black.
        const WINDOW: u8 = 5;
        let [red, green, blue, flags] = value.to_le_bytes();
        match flags & SYSTEM {
            0 => Rgba::opaque([red, green, blue]),
            _ if red == WINDOW => Rgba::opaque([255; 3]),
            _ => Rgba::BLACK,
        }
    }
}

/// Shapes of a frame while they are drawn.
struct Group {
    sketch: Sketch,
    /// Width and height, in English Metric Units (EMU).
    size: (f64, f64),
    texts: Vec<Words>,
    /// Number of shapes so far.
    shapes: usize,
}

/// Text in a shape.
struct Words {
    text: Range<u32>,
    /// Distances from the edges of the frame to the text.
    insets: Edges,
    /// Vertical position in the frame.
    vertical: VerticalAlignment,
    /// Rotation of the text, in degrees.
    turn: f64,
    /// Whether the text runs up or down.
    sideways: bool,
    /// Colour behind the text.
    ground: Option<Colour>,
}

impl Group {
    fn new(size: (f64, f64)) -> Self {
        Self {
            sketch: Sketch::new(size.0, size.1),
            size,
            texts: Vec::new(),
            shapes: 0,
        }
    }

    /// Place that fills the frame.
    fn whole(&self) -> Place {
        Place {
            width: self.size.0,
            height: self.size.1,
            ..Place::default()
        }
    }
}

impl Body<'_, '_> {
    /// Adds the shapes of a drawing as a picture, and stores their texts until the end of the paragraph. If there is
    /// exactly one text, the picture becomes the background of its text box.
    pub(super) fn placed_shapes(&mut self, drawing: &Drawing<'_>) -> Result<()> {
        let (width, height) = drawing.size();
        let mut group = Group::new((width.to_emu() as f64, height.to_emu() as f64));
        let whole = group.whole();
        self.draw(&mut group, drawing.record, whole, MAX_DEPTH)?;
        // A shape that was not drawn may still have a text, which then fills the frame.
        if let Some(text) = self.drawings.text(drawing.number()) {
            group.texts.push(Words::filling(text));
        }
        let frame = drawing.frame();
        let mut picture = self.sketched(group.sketch)?;
        let wrap = match group.texts.len() {
            1 => frame.wrap,
            _ => Wrap::None,
        };
        if group.texts.len() != 1
            && let Some(picture) = picture.take()
        {
            self.story.picture(Picture {
                frame: Some(Box::new(frame.clone())),
                ..*picture
            });
        }
        for words in group.texts {
            let frame = Frame {
                wrap,
                insets: words.insets,
                text: words.vertical,
                turn: words.turn as f32,
                sideways: words.sideways,
                ground: words.ground,
                backdrop: picture.take(),
                apart: true,
                // The text is in front of the shapes.
                order: frame.order + 1,
                ..frame.clone()
            };
            self.story.anchor();
            self.anchored.push((words.text, Box::new(frame)));
        }
        Ok(())
    }

    /// Adds an inline shape.
    pub(super) fn inline_shape(
        &mut self,
        shape: Record<'_>,
        (width, height): (Option<Length>, Option<Length>),
    ) -> Result<()> {
        let side = |length: Option<Length>| length.map_or(0.0, |length| length.to_emu() as f64);
        let mut group = Group::new((side(width), side(height)));
        let whole = group.whole();
        self.draw(&mut group, shape, whole, MAX_DEPTH)?;
        // Even an empty frame becomes a picture, because it reserves space for shapes that are anchored beside it.
        let picture = self.drawn(group.sketch)?;
        self.story.picture(picture);
        Ok(())
    }

    /// Converts a drawing to a picture. `None` if it is empty.
    fn sketched(&mut self, sketch: Sketch) -> Result<Option<Box<Picture>>> {
        match sketch.is_empty() {
            true => Ok(None),
            false => Ok(Some(Box::new(self.drawn(sketch)?))),
        }
    }

    /// Converts a drawing to a picture, and adds a note if the drawing was cut off.
    fn drawn(&mut self, sketch: Sketch) -> Result<Picture> {
        if sketch.is_cut {
            self.story.build.lost(&losses::LONG_DRAWINGS);
        }
        self.story.sketched(sketch.finish())
    }

    /// Draws a shape or a group at a place. The children of a group have coordinates of their own, which are mapped to
    /// the place of the group.
    fn draw(
        &mut self,
        group: &mut Group,
        record: Record<'_>,
        place: Place,
        depth: usize,
    ) -> Result<()> {
        group.shapes += 1;
        match record.kind {
            _ if group.shapes > MAX_SHAPES => Ok(()),
            SHAPE => self.shape(group, record, place),
            GROUP if depth > 0 => {
                let first = record.child(SHAPE).unwrap_or_default();
                let place = rotated_and_flipped(first, place);
                let own = first.child(SPACE).map(|space| corners(space.data));
                let own = own.unwrap_or_default();
                let corner = (own.x, own.y);
                let space = Space::SHEET.inside(place, corner, (own.width, own.height));
                for inner in record.records().skip(1) {
                    let shape = match inner.kind {
                        GROUP => inner.child(SHAPE).unwrap_or_default(),
                        _ => inner,
                    };
                    let Some(anchor) = shape.child(CHILD_ANCHOR) else {
                        continue;
                    };
                    // The call of `draw` applies the rotation of the child.
                    let place = space.on_sheet(corners(anchor.data));
                    self.draw(group, inner, place, depth - 1)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Draws a shape: WordArt, a picture, or an outline with its fill and line. Its text is stored until the end of
    /// the paragraph.
    fn shape(&mut self, group: &mut Group, shape: Record<'_>, place: Place) -> Result<()> {
        /// Flag of a deleted shape.
        const DELETED: u32 = 8;
        let atom = shape.child(ATOM).unwrap_or_default();
        if atom.data.u32(4) & DELETED != 0 {
            return Ok(());
        }
        let place = rotated_and_flipped(shape, place);
        let look = Look {
            own: Properties::of(shape),
            master: Properties::default(),
        };
        let fill = look.fill(&Plain);
        // A picture is either the content of the shape or its fill.
        let own = look.value(property::PICTURE).filter(|number| *number > 0);
        let number = match &fill {
            Fill::Picture(picture) => picture.id.parse().ok(),
            _ => None,
        };
        let bytes = match own.or(number) {
            Some(number) => self.stored_picture(number)?,
            None => None,
        };
        let shown = bytes.as_deref().and_then(|bytes| {
            let crop = match own {
                Some(_) => look.crop(),
                None => Crop::default(),
            };
            Shown::of(bytes, crop, 1.0)
        });
        let mut rectangle = [0.0, 0.0, place.width, place.height];
        if is_words(atom.instance) {
            let words = look.own.text(property::WORDS).unwrap_or_default();
            let colour = match fill {
                Fill::Solid(colour) => colour,
                _ => Rgba::BLACK,
            };
            group.sketch.words(&place, &words, colour);
        } else if own.is_some() || atom.instance == PICTURE {
            if let Some(shown) = &shown {
                group.sketch.picture(&place, shown);
            }
        } else if let Some(geometry) =
            geometry(atom.instance, &look.own, (place.width, place.height))
        {
            let outline = geometry.outline(place.width, place.height);
            let fill = if is_line(atom.instance) {
                Fill::None
            } else {
                fill
            };
            let line = look.line(&Plain);
            rectangle = outline.text;
            group
                .sketch
                .shape(&place, &outline.paths, &fill, line.as_ref(), shown);
        }
        if let Some(text) = self.drawings.text(atom.data.u32(0)) {
            group
                .texts
                .push(Words::of(text, &look, &place, rectangle, group.size));
        }
        Ok(())
    }
}

impl Words {
    /// Creates a text that fills the frame.
    fn filling(text: Range<u32>) -> Self {
        Self {
            text,
            insets: Edges::default(),
            vertical: VerticalAlignment::Top,
            turn: 0.0,
            sideways: false,
            ground: None,
        }
    }

    /// Creates a text in a shape. The array is the rectangle of the text within the shape (left, top, right, bottom),
    /// and the last pair is the size of the frame, all in EMU.
    fn of(
        text: Range<u32>,
        look: &Look<'_>,
        place: &Place,
        [left, top, right, bottom]: [f64; 4],
        (width, height): (f64, f64),
    ) -> Self {
        let insets = look.insets();
        let emu = |length: f64| Length::emu(length.clamp(-1e9, 1e9) as i64);
        Self {
            text,
            insets: Edges {
                left: emu(place.x + left + insets[0]),
                top: emu(place.y + top + insets[1]),
                right: emu(width - place.x - right + insets[2]),
                bottom: emu(height - place.y - bottom + insets[3]),
            },
            vertical: match look.stands() {
                VerticalAnchor::AtTop => VerticalAlignment::Top,
                VerticalAnchor::InMiddle => VerticalAlignment::Middle,
                VerticalAnchor::AtBottom => VerticalAlignment::Bottom,
            },
            // Word does not rotate text with its shape, but can let it run up or down.
            turn: look.flow(),
            sideways: look.flow() != 0.0,
            ground: look.fill(&Plain).ground(),
        }
    }
}

/// Adds the rotation and the flips of a shape to its place.
fn rotated_and_flipped(shape: Record<'_>, place: Place) -> Place {
    let flags = shape.child(ATOM).unwrap_or_default().data.u32(4);
    let look = Look {
        own: Properties::of(shape),
        master: Properties::default(),
    };
    let own = turned(place, look.fixed(property::ROTATION), flags);
    Place {
        turn: place.turn + own.turn,
        flips: (own.flips.0 != place.flips.0, own.flips.1 != place.flips.1),
        ..own
    }
}

/// Rectangle from its left, top, right and bottom edge.
fn corners(data: Fields<'_>) -> Place {
    let [left, top, right, bottom] = [0, 4, 8, 12].map(|at| f64::from(data.i32(at)));
    Place {
        x: left.min(right),
        y: top.min(bottom),
        width: (right - left).abs(),
        height: (bottom - top).abs(),
        ..Place::default()
    }
}
