//! Relatively and absolutely positioned boxes (CSS 2.2, 9.4.3, 10.3.7 and 10.6.4; CSS Positioned Layout 3). Repeats no
//! fixed box on pages.
//!
//! An absolutely positioned box is met in the flow, which only determines its static position. It is laid out later,
//! when the size of its containing block is known: fragments pass pending boxes on to their parents until then.

use super::{
    engine::{Containing, Engine, LayoutInput},
    fragment::{Child, Fragment, FragmentContent as Made, Pending, Role, Sides},
    sizing::margins,
    tree::BoxContent,
};
use crate::error::Result;
use convertd_markup::css::style::{BOTTOM, LEFT, Position, RIGHT, Size, Style, TOP};
use std::rc::Rc;

/// Offset of a relatively positioned box from its position in the flow, in px (CSS 2.2, 9.4.3). If two opposite sides
/// are given, the start side wins horizontally, and `top` wins vertically.
pub(crate) fn relative_offset(style: &Style, containing: Containing) -> (f32, f32) {
    if !matches!(style.position, Position::Relative) {
        return (0.0, 0.0);
    }
    // Percentages need the size of the containing block; without it they count as `auto`.
    let of = |side: usize, base: Option<f32>| match &style.inset[side] {
        Size::Length(length) => length.definite(base),
        _ => None,
    };
    let (left, right) = (
        of(LEFT, Some(containing.width)),
        of(RIGHT, Some(containing.width)),
    );
    let (top, bottom) = (of(TOP, containing.height), of(BOTTOM, containing.height));
    let x = match (left, right) {
        (Some(_), Some(right)) if style.is_rtl() => -right,
        (Some(left), _) => left,
        (None, Some(right)) => -right,
        (None, None) => 0.0,
    };
    let y = top.or(bottom.map(|bottom| -bottom)).unwrap_or(0.0);
    (x, y)
}

impl Engine<'_, '_> {
    /// Lays out the pending boxes of a fragment if its box is their containing block.
    pub(crate) fn settle(&mut self, fragment: &mut Fragment, style: &Style) -> Result<()> {
        if fragment.pending.is_empty() || !style.is_positioned() && !style.is_in_space() {
            return Ok(());
        }
        let border = match &fragment.kind {
            Made::Box { border, .. } => *border,
            _ => [0.0; 4],
        };
        let all = style.is_in_space();
        self.place_pending(fragment, border, all)
    }

    /// Lays out pending boxes in the padding box of a fragment. Fixed boxes stay pending unless `all` is set.
    pub(super) fn place_pending(
        &mut self,
        fragment: &mut Fragment,
        border: Sides,
        all: bool,
    ) -> Result<()> {
        let mut later = Vec::new();
        // Boxes that are found while others are laid out join the queue.
        let mut queue = std::mem::take(&mut fragment.pending);
        while let Some(pending) = queue.pop() {
            let style = self.style(pending.id).clone();
            if style.position == Position::Fixed && !all {
                later.push(pending);
                continue;
            }
            // The padding box is the containing block (CSS 2.2, 10.1).
            let room = Containing {
                width: fragment.width - border[LEFT] - border[RIGHT],
                height: Some(fragment.height - border[TOP] - border[BOTTOM]),
            };
            let static_position = (pending.x - border[LEFT], pending.y - border[TOP]);
            let (x, y, mut made) = self.absolute(&pending, &style, room, static_position)?;
            let (x, y) = (x + border[LEFT], y + border[TOP]);
            // Boxes that are pending inside this box are fixed, or have the same containing block.
            for inner in std::mem::take(&mut Rc::make_mut(&mut made).pending) {
                let inner = Pending {
                    id: inner.id,
                    x: inner.x + x,
                    y: inner.y + y,
                };
                queue.push(inner);
            }
            fragment.children.push(Child {
                x,
                y,
                fragment: made,
            });
        }
        later.reverse();
        fragment.pending = later;
        Ok(())
    }

    /// Lays out one absolutely positioned box in its containing block. `static_position` is its static
    /// position. Returns the corner of its border box and its fragment.
    ///
    /// An `auto` width or height stretches between opposite insets, unless the box is replaced or a table. Any other
    /// `auto` width is shrink-to-fit. Two `auto` margins between two insets share the free space, which centres the
    /// box.
    pub(crate) fn absolute(
        &mut self,
        pending: &Pending,
        style: &Style,
        room: Containing,
        static_position: (f32, f32),
    ) -> Result<(f32, f32, Rc<Fragment>)> {
        self.step()?;
        let id = pending.id;
        let height = room.height.unwrap_or(0.0);
        // The insets; `None` for `auto`.
        let inset = |side: usize, base: f32| match &style.inset[side] {
            Size::Length(length) => Some(length.of(base)),
            _ => None,
        };
        let (left, right) = (inset(LEFT, room.width), inset(RIGHT, room.width));
        let (top, bottom) = (inset(TOP, height), inset(BOTTOM, height));
        let margin = margins(style, room.width);
        let zero = |side: usize| margin[side].unwrap_or(0.0);
        let taken = zero(LEFT) + zero(RIGHT) + left.unwrap_or(0.0) + right.unwrap_or(0.0);
        let is_replaced = matches!(self.boxes.get(id).kind, BoxContent::Replaced(_));
        // The width of a replaced element is its used width. Any other `auto` width is the width between the insets, or
        // shrink-to-fit in the remaining width.
        let (width, mut fixed_height) = if is_replaced {
            let (width, height) = self.replaced_size(id, room, false)?;
            (width, Some(height))
        } else {
            let stretches = left.is_some()
                && right.is_some()
                && !matches!(self.boxes.get(id).kind, BoxContent::Table(_));
            let available = match (left, right) {
                (None, None) => {
                    (room.width - static_position.0 - zero(LEFT) - zero(RIGHT)).max(0.0)
                }
                _ => (room.width - taken).max(0.0),
            };
            let width = self.width(id, room.width, available, !stretches)?;
            (width, self.height_at(id, width, room))
        };
        // An `auto` height between two insets stretches as well.
        if fixed_height.is_none()
            && style.height == Size::Auto
            && let (Some(top), Some(bottom)) = (top, bottom)
            && !matches!(self.boxes.get(id).kind, BoxContent::Table(_))
        {
            let stretched = (height - top - bottom - zero(TOP) - zero(BOTTOM)).max(0.0);
            fixed_height = Some(self.bounded_height(id, stretched, room));
        }
        let input = LayoutInput {
            id,
            width,
            height: fixed_height,
            containing: room,
        };
        let fragment = self.independent(input, Role::Absolute)?;
        // Free space, which `auto` margins share.
        let free = (
            room.width - fragment.width - left.unwrap_or(0.0) - right.unwrap_or(0.0),
            height - fragment.height - top.unwrap_or(0.0) - bottom.unwrap_or(0.0),
        );
        // The position follows from the insets, or is the static position if both are `auto`.
        let x = match (left, right) {
            (Some(left), Some(_)) => {
                left + match (margin[LEFT], margin[RIGHT]) {
                    (None, None) => (free.0 / 2.0).max(0.0),
                    (None, Some(right)) => free.0 - right,
                    (Some(left), _) => left,
                }
            }
            (Some(left), None) => left + zero(LEFT),
            (None, Some(right)) => room.width - right - zero(RIGHT) - fragment.width,
            (None, None) => static_position.0 + zero(LEFT),
        };
        let y = match (top, bottom) {
            (Some(top), Some(_)) => {
                top + match (margin[TOP], margin[BOTTOM]) {
                    (None, None) => free.1 / 2.0,
                    (None, Some(bottom)) => free.1 - bottom,
                    (Some(top), _) => top,
                }
            }
            (Some(top), None) => top + zero(TOP),
            (None, Some(bottom)) => height - bottom - zero(BOTTOM) - fragment.height,
            (None, None) => static_position.1 + zero(TOP),
        };
        Ok((x, y, fragment))
    }
}
