//! Headers and footers in the margins of pages. The codes of their texts are parsed in [`header`].

use super::{
    drawing,
    plan::{Leaf, Printed},
};
use crate::shown::{
    book::MarginPicture,
    header::{self, Facts, Piece, Saved},
    measure,
    style::Font,
};
use convertd_layout::{
    atoms::Atoms,
    context::Layout,
    item::Item,
    lines,
    medium::{Margin, Medium, Placed},
    shape::Shape,
    spans::Spans,
    structure::NodeId,
};
use convertd_tree::Alignment;
use std::rc::Rc;

/// Context that the headers and footers of all pages share.
pub(super) struct Margins<'a> {
    /// Number of pages.
    pub(super) pages: u32,
    /// Name of the file, for the code `&F`.
    pub(super) file: &'a str,
    /// Font with which each section begins.
    pub(super) normal: &'a Font,
    /// Time of the last save.
    pub(super) saved: Option<&'a Saved>,
    /// Whether a date or time of the last save was inserted.
    pub(super) dated: bool,
    /// Whether an unknown date or time, or a missing picture, was left out.
    pub(super) left_out: bool,
}

impl Margins<'_> {
    /// Draws the header and the footer of a page that is already finished.
    pub(super) fn draw(
        &mut self,
        layout: &mut Layout<'_>,
        medium: &mut dyn Medium,
        page: usize,
        leaf: &Leaf,
        printed: &Printed<'_>,
        is_first: bool,
    ) {
        let texts = &printed.setup.margin_texts;
        let even = leaf.number.is_multiple_of(2);
        // `pages` is the suffix of `MarginPicture::place` for the pictures that this page shows.
        let ([above, below], pages) = match (&texts.first, &texts.even) {
            (Some(first), _) if is_first => (first, "FIRST"),
            (_, Some(own)) if even => (own, "EVEN"),
            _ => (&texts.odd, ""),
        };
        let margins = [(above, Margin::Header, "H"), (below, Margin::Footer, "F")];
        for (codes, margin, letter) in margins {
            if codes.is_empty() {
                continue;
            }
            let facts = Facts {
                page: leaf.number,
                pages: self.pages,
                sheet: printed.grid.sheet.name(),
                file: self.file,
                saved: self.saved,
            };
            let sections = header::read(codes, &facts, self.normal);
            self.left_out |= sections.left_out;
            self.dated |= sections.dated;
            let (width, height) = printed.setup.page();
            let [left, right, ..] = printed.setup.margins;
            let available = (width - left - right).max(36.0);
            let mut items = Vec::new();
            let sides = [
                (Alignment::Start, "L"),
                (Alignment::Centre, "C"),
                (Alignment::End, "R"),
            ];
            for (pieces, (side, own)) in sections.pieces.iter().zip(sides) {
                let place = format!("{own}{letter}{pages}");
                let mut pictures = printed.grid.margin_pictures.iter();
                let picture = pictures.find(|picture| *picture.place == *place);
                let has_none = pieces.iter().any(|piece| piece.picture) && picture.is_none();
                self.left_out |= has_none;
                let (mut set, high) = set(layout, (pieces, picture), available, side, self.normal);
                // `footer_at` is the distance from the lower edge of the footer to the edge of the paper.
                let y = match margin {
                    Margin::Header => printed.setup.header_at,
                    Margin::Footer => height - printed.setup.footer_at - high,
                };
                set.iter_mut().for_each(|item| item.shift(0.0, y));
                items.append(&mut set);
            }
            if !items.is_empty() {
                let placed = Placed {
                    x: left,
                    y: 0.0,
                    items,
                };
                medium.margin(page, margin, &[placed]);
            }
        }
    }
}

/// Lays out the pieces of a section. Returns the items and their height in points.
fn set(
    layout: &mut Layout<'_>,
    (pieces, picture): (&[Piece], Option<&MarginPicture>),
    width: f32,
    alignment: Alignment,
    normal: &Font,
) -> (Vec<Item>, f32) {
    if pieces.is_empty() {
        return (Vec::new(), 0.0);
    }
    let mut spans = Spans::default();
    for piece in pieces {
        let look = Rc::new(measure::look(&piece.font, &mut layout.faces));
        if let Some(placed) = picture.filter(|_| piece.picture) {
            if let Some(kind) = drawing::letter(layout, placed.picture, placed.size) {
                spans.object(&look, NodeId::DOCUMENT, None, kind);
            }
            continue;
        }
        for (number, line) in piece.text.split('\n').enumerate() {
            if number > 0 {
                spans.line_break(&look, NodeId::DOCUMENT);
            }
            spans.push(line, &look, NodeId::DOCUMENT, None);
        }
    }
    let atoms = Atoms::of(&spans, None, &mut layout.faces);
    let look = measure::look(normal, &mut layout.faces);
    let shape = Shape {
        alignment,
        ..Shape::new(&look, width)
    };
    let mut items = Vec::new();
    let mut y = 0.0;
    for line in lines::set(spans, atoms, &shape, &mut layout.faces) {
        for mut item in line.items {
            item.shift(0.0, y);
            item.silence();
            items.push(item);
        }
        y += line.height;
    }
    (items, y)
}
