//! Table cells with rotated text (ECMA-376 part 1, 17.4.72). Sets the text upright, and rotates it.

use super::{
    context::{BlockContext, Layout},
    frame::stacked,
    item::{Item, Slice, height},
    rows::notes_of,
};
use crate::error::Result;
use convertd_tree::{Alignment, Block, Cell, Turn, VerticalAlignment};

/// The text of a cell after rotation.
pub(crate) struct TurnedText {
    pub slice: Slice,
    /// Share of the cell's free height above it, as in [`SetCell`](super::item::SetCell).
    pub lowered: f32,
}

impl Layout<'_> {
    /// Sets the text of a cell that is rotated. Lines are as long as the stated height of the row. Without a stated
    /// height, they are as long as the text needs, and at most as long as the page is high. `context` describes the cell
    /// without rotation. The result is one transformation of all items. The horizontal alignment of the text becomes
    /// the vertical alignment in the cell, and vice versa.
    pub(crate) fn turned_cell(
        &mut self,
        cell: &Cell,
        turn: Turn,
        row: (f32, bool),
        context: &BlockContext,
    ) -> Result<TurnedText> {
        let (stated, is_exact) = row;
        let (_, most) = self.blocks_extent(&cell.blocks, context);
        let page = self.areas.margin.height.max(stated).max(72.0);
        let along = match is_exact {
            true => stated,
            false => (most + 1.0).max(stated).min(page),
        }
        .max(1.0);
        let mut upright = context.clone();
        (upright.left, upright.width) = (0.0, along);
        let (mut slices, after) = self.frame_and_after(&cell.blocks, &upright)?;
        // As in upright cells, only Word keeps the spaces above the first and below the last paragraph.
        let before = slices.first().map_or(0.0, |first| first.before);
        let (before, after) = if self.is_word() {
            (before, after)
        } else {
            (0.0, 0.0)
        };
        let deep = before + height(&slices) + after;
        let free = (context.width - deep).max(0.0);
        let vertical = self.document.cell_style(cell.style).vertical;
        let across = before
            + match vertical.unwrap_or_default() {
                VerticalAlignment::Top => 0.0,
                VerticalAlignment::Middle => free / 2.0,
                VerticalAlignment::Bottom => free,
            };
        let notes = slices.iter_mut().flat_map(|slice| {
            let notes: Vec<_> = notes_of(slice).map(super::item::SetNote::of).collect();
            notes
        });
        let notes = notes.collect();
        let mut items = Vec::new();
        for placed in stacked(slices, 0.0, across) {
            for mut item in placed.items {
                item.shift(placed.x, placed.y);
                items.push(item);
            }
        }
        let (left, right) = (context.left, context.left + context.width);
        // Quarter turns: downwards from the upper right corner, or upwards from the lower left one.
        let matrix = match turn {
            Turn::Down => [0.0, 1.0, -1.0, 0.0, right, 0.0],
            Turn::Up => [0.0, -1.0, 1.0, 0.0, left, along],
        };
        let slice = Slice {
            height: along,
            items: vec![Item::Moved { matrix, items }],
            notes,
            ..Slice::default()
        };
        // Text that runs upwards begins at the bottom.
        let start = match turn {
            Turn::Down => 0.0,
            Turn::Up => 1.0,
        };
        let lowered = match self.side_of(&cell.blocks, context.alignment) {
            Alignment::Start | Alignment::Justify => start,
            Alignment::Centre => 0.5,
            Alignment::End => 1.0 - start,
        };
        Ok(TurnedText { slice, lowered })
    }

    /// Alignment of the first block if it is a paragraph that states its alignment, and `otherwise` in all other cases.
    fn side_of(&self, blocks: &[Block], otherwise: Alignment) -> Alignment {
        match blocks.first() {
            Some(Block::Paragraph(first)) => self
                .document
                .paragraph_style(first.style)
                .alignment
                .unwrap_or(otherwise),
            _ => otherwise,
        }
    }
}
