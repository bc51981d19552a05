//! Drawings that are anchored in the text (MS-DOC 2.8.27, 2.8.30, 2.9.253, 2.9.172): where they are, which shapes they consist of,
//! and which texts are in these. Draws nothing.

use super::{
    fib::{Part, Table},
    plex::Plex,
    read::Doc,
};
use crate::{
    containers::fields::Fields,
    document::tree::{At, Base, Extent, Frame, Length, Position, Side, Wrap},
    office::art::{Properties, Record, Records, property},
};
use std::{collections::HashMap, ops::Range, rc::Rc};

/// Bytes of the records of an anchor and of a text.
const ANCHOR: usize = 26;
const TEXT: usize = 22;

/// The kinds of records (MS-ODRAW 2.2): what is drawn on one sheet, a group, a shape, the number of a shape, the store of pictures.
const SHEET: u16 = 0xf002;
const GROUP: u16 = 0xf003;
const SHAPE: u16 = 0xf004;
const NUMBER: u16 = 0xf00a;
const STORE: u16 = 0xf001;

/// The number of shapes that are read, and how deep groups may be.
const MAX_SHAPES: usize = 100_000;
const MAX_DEPTH: usize = 64;

/// The drawings of a document.
#[derive(Default)]
pub(super) struct Drawings<'a> {
    /// The anchors by their CPs.
    anchors: HashMap<u32, Fields<'a>>,
    /// The texts by the numbers of their shapes.
    texts: HashMap<u32, Range<u32>>,
    /// The shapes in each that is anchored, itself included, by its number.
    shapes: HashMap<u32, Rc<[Shape<'a>]>>,
    /// The entries of the store of pictures.
    store: Vec<Record<'a>>,
}

/// A drawing where it is anchored.
pub(super) struct Drawing<'a> {
    anchor: Fields<'a>,
    pub(super) shapes: Rc<[Shape<'a>]>,
}

/// A shape.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    number: u32,
    pub(super) properties: Properties<'a>,
}

impl<'a> Drawings<'a> {
    /// Reads what is anchored in a document.
    pub(super) fn read(doc: &Doc<'a>) -> Self {
        let mut drawings = Self::default();
        for (part, anchors, texts, text_part) in [
            (Part::Main, Table::Shapes, Table::BoxTexts, Part::Boxes),
            (
                Part::Headers,
                Table::HeaderShapes,
                Table::HeaderBoxTexts,
                Part::HeaderBoxes,
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
                // A text of a mark alone is that of an empty box.
                if text.len() > 1 {
                    drawings.texts.insert(plex.record(at).u32(14), text);
                }
            }
        }
        drawings.read_shapes(doc.table(Table::Drawings));
        drawings
    }

    /// Reads the store of pictures, and then the sheets: that of the main text and that of headers, each behind a byte.
    fn read_shapes(&mut self, table: Fields<'a>) {
        let mut rest = Records(table);
        if let Some(store) = rest.next().and_then(|all| all.child(STORE)) {
            self.store = store.records().take(MAX_SHAPES).collect();
        }
        let mut room = MAX_SHAPES;
        let mut sheets = rest.rest();
        while let Some(sheet) = Record::first(sheets.from(1)).filter(|one| one.kind == SHEET) {
            let groups = sheet.records().filter(|record| record.kind == GROUP);
            // The outermost group stands for the sheet.
            for top in groups.flat_map(|group| group.records()) {
                let mut shapes = Vec::new();
                add_shapes(top, &mut shapes, &mut room, MAX_DEPTH);
                if let Some(first) = shapes.first() {
                    self.shapes.insert(first.number, shapes.into());
                }
            }
            sheets = sheets.from(1 + 8 + sheet.data.len());
        }
    }

    /// The drawing that is anchored at a CP.
    pub(super) fn at(&self, at: u32) -> Option<Drawing<'a>> {
        let anchor = *self.anchors.get(&at)?;
        let shapes = self.shapes.get(&anchor.u32(0)).cloned();
        Some(Drawing {
            anchor,
            shapes: shapes.unwrap_or_default(),
        })
    }

    /// The texts of a drawing, which nothing else has from now on.
    pub(super) fn texts(&mut self, drawing: &Drawing<'_>) -> Vec<Range<u32>> {
        let own = [drawing.anchor.u32(0)];
        let numbers = drawing.shapes.iter().map(|shape| shape.number).chain(own);
        let numbers: Vec<u32> = numbers.collect();
        let texts = numbers
            .iter()
            .filter_map(|number| self.texts.remove(number));
        texts.collect()
    }

    /// The entry of the store that a shape names by its index, from 1.
    pub(super) fn stored(&self, number: u32) -> Option<Record<'a>> {
        let at = (number as usize).checked_sub(1)?;
        self.store.get(at).copied()
    }

    /// The texts of the main text that nothing refers to, in their order. Word 6 does not say which drawing they belong to.
    pub(super) fn left_over(&mut self, doc: &Doc<'_>) -> Vec<Range<u32>> {
        let part = doc.fib.part(Part::Boxes);
        if doc.fib.is_old {
            let text = doc.within(Part::Boxes, 0, u32::MAX);
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

/// Adds a shape, or all shapes of a group.
fn add_shapes<'a>(record: Record<'a>, shapes: &mut Vec<Shape<'a>>, room: &mut usize, depth: usize) {
    match record.kind {
        GROUP if depth > 0 => {
            for inner in record.records() {
                add_shapes(inner, shapes, room, depth - 1);
            }
        }
        SHAPE if *room > 0 => {
            *room -= 1;
            let number = record.child(NUMBER).map(|number| number.data.u32(0));
            shapes.push(Shape {
                number: number.unwrap_or(0),
                properties: Properties::of(record),
            });
        }
        _ => {}
    }
}

impl Drawing<'_> {
    /// Whether any of its shapes is a picture.
    pub(super) fn has_pictures(&self) -> bool {
        let mut shapes = self.shapes.iter();
        shapes.any(|shape| shape.properties.value(property::PICTURE).is_some())
    }

    /// The width and height.
    pub(super) fn size(&self) -> (Length, Length) {
        let side = |from: usize, to: usize| {
            let side = i64::from(self.anchor.i32(to)) - i64::from(self.anchor.i32(from));
            Length::twips(side.clamp(0, 32_000))
        };
        (side(4, 12), side(8, 16))
    }

    /// Where it is on the page.
    pub(super) fn frame(&self) -> Frame {
        let flags = self.anchor.u16(20);
        let offset = |at: usize| {
            At::Offset(Length::twips(
                self.anchor.i32(at).clamp(-32_000, 32_000).into(),
            ))
        };
        let (width, height) = self.size();
        Frame {
            horizontal: Position {
                base: match flags >> 1 & 3 {
                    0 => Base::Margin,
                    1 => Base::Page,
                    _ => Base::Column,
                },
                at: offset(4),
            },
            vertical: Position {
                base: match flags >> 3 & 3 {
                    0 => Base::Margin,
                    1 => Base::Page,
                    _ => Base::Paragraph,
                },
                at: offset(8),
            },
            width: Extent::Exactly(width),
            height: Extent::Exactly(height),
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
