//! Elements with `column-span: all` deeper inside a multi-column container (CSS Multi-column Layout
//! 1, 6.1). Lays out nothing.
//!
//! Column layout handles only spanning children of the container itself. So each block around a deeper spanning element
//! is split here into parts, with the spanning element between them.

use super::{
    generate::Generator,
    tree::{BoxContent, BoxId},
};
use convertd_markup::css::style::{BOTTOM, Border, Display, Size, Style, TOP};
use convertd_markup::css::value::Length;
use std::rc::Rc;

/// Limit on the depth in which spanning elements are found, against deep recursion.
const DEEPEST: usize = 32;

impl Generator<'_, '_> {
    /// Children of a multi-column container, with blocks split around spanning elements.
    pub(super) fn spanners_out(&mut self, blocks: Vec<BoxId>, depth: usize) -> Vec<BoxId> {
        let mut all = Vec::with_capacity(blocks.len());
        for id in blocks {
            match depth < DEEPEST && self.has_spanner(id, depth) {
                true => self.divided(id, depth, &mut all),
                false => all.push(id),
            }
        }
        all
    }

    /// Returns whether a block contains a spanning element that splits it.
    fn has_spanner(&self, id: BoxId, depth: usize) -> bool {
        let node = self.boxes.get(id);
        let BoxContent::Blocks(children) = &node.kind else {
            return false;
        };
        depth < DEEPEST
            && is_divided(&node.style)
            && children.iter().any(|child| {
                spans(&self.boxes.get(*child).style) || self.has_spanner(*child, depth + 1)
            })
    }

    /// Splits a block, and adds its parts and spanning elements to `all`.
    fn divided(&mut self, id: BoxId, depth: usize, all: &mut Vec<BoxId>) {
        let node = self.boxes.get_mut(id);
        let (style, dom) = (node.style.clone(), node.dom);
        let BoxContent::Blocks(children) = &mut node.kind else {
            return all.push(id);
        };
        // Deeper spanning elements are moved out of the children first. Then the block is split around all of them.
        let children = std::mem::take(children);
        let children = self.spanners_out(children, depth + 1);
        let mut parts: Vec<Vec<BoxId>> = vec![Vec::new()];
        let mut between = Vec::new();
        for child in children {
            if spans(&self.boxes.get(child).style) {
                between.push(child);
                parts.push(Vec::new());
            } else if let Some(part) = parts.last_mut() {
                part.push(child);
            }
        }
        let last = parts.len() - 1;
        let mut between = between.into_iter();
        for (number, part) in parts.into_iter().enumerate() {
            let own = Rc::new(cut(&style, number == 0, number == last));
            // The first part keeps the box with its marker and anchor.
            if number == 0 {
                let node = self.boxes.get_mut(id);
                (node.style, node.kind) = (own, BoxContent::Blocks(part));
                all.push(id);
            } else {
                all.push(self.boxes.add(own, BoxContent::Blocks(part), dom));
            }
            all.extend(between.next());
        }
    }
}

/// Returns whether a box spans all columns.
fn spans(style: &Style) -> bool {
    style.column_span && !style.is_absolute() && !style.floats()
}

/// Returns whether spanning elements may split a box: only plain blocks in the flow.
fn is_divided(style: &Style) -> bool {
    matches!(style.display, Display::Block | Display::ListItem)
        && !style.is_absolute()
        && !style.floats()
        && !spans(style)
        && style.column_count.is_none()
        && style.column_width.is_none()
}

/// Style for a part of a split block, with margin, border and padding only at the outer ends.
fn cut(style: &Style, begins: bool, ends: bool) -> Style {
    let mut own = style.clone();
    for (side, keeps) in [(TOP, begins), (BOTTOM, ends)] {
        if !keeps {
            own.margin[side] = Size::Length(Length::ZERO);
            own.padding[side] = Length::ZERO;
            own.border[side] = Border::NONE;
        }
    }
    // A fixed height would repeat in every part, so it is dropped.
    if !(begins && ends) {
        own.height = Size::Auto;
    }
    own
}
