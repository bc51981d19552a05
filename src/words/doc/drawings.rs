//! Drawings anchored in the text (MS-DOC 2.8.27, 2.8.30, 2.9.253, 2.9.172): their anchors, shapes and texts. Draws
//! nothing.

use super::{
    fib::{DocumentPart, Table},
    file::Doc,
    plex::Plex,
};
use crate::containers::fields::Fields;
use convertd_office::art::{Properties, Record, Records, property};
use convertd_tree::{At, Base, Edges, Extent, Frame, Length, Position, Side, Wrap};
use std::{collections::HashMap, ops::Range, rc::Rc};

/// Size of an anchor record (Spa), in bytes.
const ANCHOR: usize = 26;
/// Size of a record of a text box (FTXBXS), in bytes.
const TEXT: usize = 22;

/// Record type of a drawing with all of its shapes (OfficeArt, MS-ODRAW 2.2).
const SHEET: u16 = 0xf002;
/// Record type of a group of shapes. Its first shape is the group itself.
pub(super) const GROUP: u16 = 0xf003;
/// Record type of a shape with all of its properties.
pub(super) const SHAPE: u16 = 0xf004;
/// Record type of the number and flags of a shape.
pub(super) const ATOM: u16 = 0xf00a;
/// Record type of the store of pictures, which shapes refer to by index.
const STORE: u16 = 0xf001;

/// Max. number of shapes, and of stored pictures, that are read from a document.
const MAX_SHAPES: usize = 100_000;
/// Limit on the nesting of groups.
const MAX_DEPTH: usize = 64;

/// Drawings of a document.
#[derive(Default)]
pub(super) struct Drawings<'a> {
    /// Anchors by their character position (CP).
    anchors: HashMap<u32, Fields<'a>>,
    /// Ranges of CPs of the texts, by the number of the shape that contains the text.
    texts: HashMap<u32, Range<u32>>,
    /// Anchored shapes and groups, by their number.
    shapes: HashMap<u32, Anchored<'a>>,
    /// Entries of the store of pictures.
    store: Vec<Record<'a>>,
}

/// Anchored shape or group.
#[derive(Clone, Default)]
struct Anchored<'a> {
    /// Record of the shape or group.
    record: Record<'a>,
    /// The shape, or all shapes of the group.
    shapes: Rc<[Shape<'a>]>,
    /// Stacking order, from back to front. Only even numbers are used, so that texts fit in between.
    order: i64,
}

/// Drawing at its anchor.
pub(super) struct Drawing<'a> {
    /// Anchor of the drawing.
    anchor: Fields<'a>,
    /// Record of the shape or group.
    pub(super) record: Record<'a>,
    /// The shape, or all shapes of the group.
    pub(super) shapes: Rc<[Shape<'a>]>,
    /// Stacking order.
    order: i64,
}

/// A single shape.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    /// Number of the shape in the document.
    number: u32,
    /// Properties of the shape, such as its fill.
    pub(super) properties: Properties<'a>,
}

impl<'a> Drawings<'a> {
    /// Reads all anchored drawings of a document. The main text and the headers have separate tables for them.
    pub(super) fn read(doc: &Doc<'a>) -> Self {
        let mut drawings = Self::default();
        for (part, anchors, texts, text_part) in [
            (
                DocumentPart::Main,
                Table::Shapes,
                Table::BoxTexts,
                DocumentPart::Boxes,
            ),
            (
                DocumentPart::Headers,
                Table::HeaderShapes,
                Table::HeaderBoxTexts,
                DocumentPart::HeaderBoxes,
            ),
        ] {
            let plex = Plex::new(doc.table(anchors), ANCHOR);
            let start = doc.fib.part(part).start;
            for at in 0..plex.len() {
                let anchor = start.saturating_add(plex.position(at));
                drawings.anchors.insert(anchor, plex.record(at));
            }
            let plex = Plex::new(doc.table(texts), TEXT);
            for at in 0..plex.len() {
                let text = doc.within(text_part, plex.position(at), plex.position(at + 1));
                // The text of an empty box is a single paragraph mark.
                if text.len() > 1 {
                    drawings.texts.insert(plex.record(at).u32(14), text);
                }
            }
        }
        drawings.read_shapes(doc.table(Table::Drawings));
        drawings
    }

    /// Reads the store of pictures, and then the drawings of the main text and of the headers. The byte before each
    /// drawing states whether the drawing belongs to the main text or to the headers (MS-DOC 2.9.172); it is skipped.
    fn read_shapes(&mut self, table: Fields<'a>) {
        let mut rest = Records(table);
        if let Some(store) = rest.next().and_then(|all| all.child(STORE)) {
            self.store = store.records().take(MAX_SHAPES).collect();
        }
        let mut remaining = MAX_SHAPES;
        let mut sheets = rest.rest();
        while let Some(sheet) = Record::first(sheets.from(1)).filter(|record| record.kind == SHEET)
        {
            let groups = sheet.records().filter(|record| record.kind == GROUP);
            // The outermost group represents the drawing as a whole; its children are anchored.
            for top in groups.flat_map(|group| group.records()) {
                let mut shapes = Vec::new();
                add_shapes(top, &mut shapes, &mut remaining, MAX_DEPTH);
                if let Some(first) = shapes.first() {
                    let anchored = Anchored {
                        record: top,
                        order: 2 * self.shapes.len() as i64,
                        shapes: shapes.clone().into(),
                    };
                    self.shapes.insert(first.number, anchored);
                }
            }
            // The next drawing follows this byte, the record header of 8 bytes, and the content.
            sheets = sheets.from(1 + 8 + sheet.data.len());
        }
    }

    /// Returns the drawing anchored at a CP. It is empty if the anchor refers to an unknown shape.
    pub(super) fn at(&self, at: u32) -> Option<Drawing<'a>> {
        let anchor = *self.anchors.get(&at)?;
        let known = self.shapes.get(&anchor.u32(0)).cloned();
        let Anchored {
            record,
            shapes,
            order,
        } = known.unwrap_or_default();
        Some(Drawing {
            anchor,
            record,
            shapes,
            order,
        })
    }

    /// Takes the text of a shape, so that it is shown only once.
    pub(super) fn text(&mut self, number: u32) -> Option<Range<u32>> {
        self.texts.remove(&number)
    }

    /// Returns an entry of the store by its index, which begins with 1.
    pub(super) fn stored(&self, number: u32) -> Option<Record<'a>> {
        let at = (number as usize).checked_sub(1)?;
        self.store.get(at).copied()
    }

    /// Takes the text boxes of the main text that no drawing has taken, in the order of their texts. Word 6 does not
    /// store which drawing a text belongs to, so there the whole part is returned as one text.
    pub(super) fn unanchored_texts(&mut self, doc: &Doc<'_>) -> Vec<Range<u32>> {
        let part = doc.fib.part(DocumentPart::Boxes);
        if doc.fib.is_old {
            let text = doc.within(DocumentPart::Boxes, 0, u32::MAX);
            return if text.len() > 1 {
                vec![text]
            } else {
                Vec::new()
            };
        }
        let texts = std::mem::take(&mut self.texts).into_values();
        let mut texts: Vec<_> = texts.filter(|text| part.contains(&text.start)).collect();
        texts.sort_by_key(|text| text.start);
        texts
    }
}

/// Adds a shape, or all shapes of a group. `remaining` counts down the shapes that may still be added.
fn add_shapes<'a>(
    record: Record<'a>,
    shapes: &mut Vec<Shape<'a>>,
    remaining: &mut usize,
    depth: usize,
) {
    match record.kind {
        GROUP if depth > 0 => {
            for inner in record.records() {
                add_shapes(inner, shapes, remaining, depth - 1);
            }
        }
        SHAPE if *remaining > 0 => {
            *remaining -= 1;
            let number = record.child(ATOM).map(|number| number.data.u32(0));
            shapes.push(Shape {
                number: number.unwrap_or(0),
                properties: Properties::of(record),
            });
        }
        _ => {}
    }
}

impl Drawing<'_> {
    /// Number of the anchored shape.
    pub(super) fn number(&self) -> u32 {
        self.anchor.u32(0)
    }

    /// Returns whether the drawing consists of one picture.
    pub(super) fn is_picture(&self) -> bool {
        match &*self.shapes {
            [only] => only.properties.value(property::PICTURE).is_some(),
            _ => false,
        }
    }

    /// Width and height, from the rectangle of the anchor in twips.
    pub(super) fn size(&self) -> (Length, Length) {
        let side = |from: usize, to: usize| {
            let side = i64::from(self.anchor.i32(to)) - i64::from(self.anchor.i32(from));
            Length::twips(side.clamp(0, 32_000))
        };
        (side(4, 12), side(8, 16))
    }

    /// Position and text wrapping of the drawing. The anchor record states them. Properties of the shape, which later
    /// versions add, override the position and state the distances to the text.
    pub(super) fn frame(&self) -> Frame {
        let flags = self.anchor.u16(20);
        let offset = |at: usize| {
            At::Offset(Length::twips(
                self.anchor.i32(at).clamp(-32_000, 32_000).into(),
            ))
        };
        let (width, height) = self.size();
        let properties = self.shapes.first().map(|first| first.properties);
        let value = |number: u16| properties.and_then(|all| all.value(number));
        // A property of the shape may state an alignment instead of the offset in the anchor.
        let aligned = |how: u16, at: usize| match value(how) {
            Some(1) => At::Start,
            Some(2) => At::Middle,
            Some(3) => At::End,
            Some(4) => At::Inside,
            Some(5) => At::Outside,
            _ => offset(at),
        };
        let based = |how: u16, own: u16| match value(how) {
            Some(base) => base as u16,
            None => own,
        };
        let distance = |number: u16, default: u32| {
            // Distances are in English Metric Units (EMU); the default is 1/8 inch on the left and right, and 0 above
            // and below.
            let emu = value(number).unwrap_or(default);
            Length::emu(i64::from(emu.cast_signed()).clamp(0, 20_000_000))
        };
        Frame {
            horizontal: Position {
                base: match based(property::ACROSS[1], flags >> 1 & 3) {
                    0 => Base::Margin,
                    1 => Base::Page,
                    3 => Base::Character,
                    _ => Base::Column,
                },
                at: aligned(property::ACROSS[0], 4),
            },
            vertical: Position {
                base: match based(property::DOWN[1], flags >> 3 & 3) {
                    0 => Base::Margin,
                    1 => Base::Page,
                    3 => Base::Line,
                    _ => Base::Paragraph,
                },
                at: aligned(property::DOWN[0], 8),
            },
            order: self.order,
            distances: Edges {
                left: distance(property::DISTANCES[0], 114_300),
                top: distance(property::DISTANCES[1], 0),
                right: distance(property::DISTANCES[2], 114_300),
                bottom: distance(property::DISTANCES[3], 0),
            },
            width: Extent::Exactly(width),
            height: Extent::Exactly(height),
            // Wrapping and its side (MS-DOC 2.9.253, `wr` and `wrk`).
            wrap: match flags >> 5 & 15 {
                1 => Wrap::TopAndBottom,
                3 => Wrap::None,
                _ => Wrap::Around(match flags >> 9 & 15 {
                    1 => Side::Left,
                    2 => Side::Right,
                    3 => Side::Larger,
                    _ => Side::Both,
                }),
            },
            behind: flags & 1 << 14 != 0,
            ..Frame::default()
        }
    }
}
