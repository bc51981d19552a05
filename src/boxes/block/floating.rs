//! Floats in a block formatting context, and boxes beside them (CSS 2.2, 9.5). Keeps no list of floats.

use super::super::{
    engine::{Containing, Engine},
    floats::Floats,
    fragment::{Fragment, Role},
    positioned::relative_offset,
    runs::Room,
    sizing::{across, down, margins},
    tree::BoxId,
};
use super::{TOLERANCE, left_edge};
use crate::error::Result;
use convertd_markup::css::style::{LEFT, RIGHT, Style, TOP, TextAlign};
use std::rc::Rc;

impl Engine<'_, '_> {
    /// Places a box with a formatting context of its own beside floats (CSS 2.2, 9.5): its border
    /// box must not overlap their margin boxes. Returns its left and top edge and its fragment.
    ///
    /// The box is first laid out at `top`, in the width that the floats leave there, unless its width is fixed. The
    /// resulting height shows which further floats the box meets. If these leave less width, the box is laid out again.
    /// If the box still does not fit, it moves below the next float.
    pub(super) fn beside(
        &mut self,
        parent: &Style,
        id: BoxId,
        room: Room,
        floats: &Floats,
        top: f32,
    ) -> Result<(f32, f32, Rc<Fragment>)> {
        let (inner, origin) = (room.containing(), room.origin);
        let style = self.style(id).clone();
        let margin = margins(&style, inner.width);
        let left = origin.0 + margin[LEFT].unwrap_or(0.0);
        let right = origin.0 + inner.width - margin[RIGHT].unwrap_or(0.0);
        // The first attempt at a position uses the width at the top edge. A second attempt at the same position uses
        // the least width along the height of the attempt before.
        let (mut y, mut reach) = (origin.1 + top, 0.0);
        loop {
            self.steps(floats.len())?;
            let (from, to) = floats.room(y, reach, left, right);
            let fragment = self.formatting_root(id, inner, to - from)?;
            let whole = floats.room(y, fragment.height, left, right);
            let fits = whole.1 - whole.0 + TOLERANCE >= fragment.width;
            let free = whole.0 <= left && whole.1 >= right;
            let next = floats.next_end(y);
            // The search ends when the box fits, meets no float, or has no further float to move below.
            if fits || free || next.is_none() {
                let x = if free {
                    left_edge(parent, margin, inner.width, fragment.width)
                } else {
                    let slack = whole.1 - whole.0 - fragment.width;
                    whole.0 - origin.0
                        + match (margin[LEFT], margin[RIGHT], parent.text.align) {
                            (None, None, _) | (_, _, TextAlign::BlockCenter) => slack / 2.0,
                            (None, Some(_), _) | (_, _, TextAlign::BlockRight) => slack,
                            _ if parent.is_rtl() => slack,
                            _ => 0.0,
                        }
                };
                return Ok((x, y - origin.1, fragment));
            }
            // If the floats leave less width along this height, the box is laid out again in that width. Otherwise it
            // moves below the next float.
            let narrower = whole.1 - whole.0 + TOLERANCE < to - from;
            match next {
                Some(end) if !narrower => (y, reach) = (end, 0.0),
                _ => reach = fragment.height,
            }
        }
    }

    /// Lays out a float and places it (CSS 2.2, 9.5.1), not above `y`. `room` is the content box of its parent. Returns
    /// the corner of its border box within the content box, and its fragment.
    pub(crate) fn float(
        &mut self,
        id: BoxId,
        room: Room,
        floats: &mut Floats,
        y: f32,
    ) -> Result<(f32, f32, Rc<Fragment>)> {
        let (inner, origin) = (room.containing(), room.origin);
        self.steps(floats.len())?;
        let style = self.style(id).clone();
        let margin = margins(&style, inner.width).map(|margin| margin.unwrap_or(0.0));
        let fragment = self.shrunk(
            id,
            inner,
            inner.width - margin[LEFT] - margin[RIGHT],
            Role::Float,
        )?;
        // Size of the margin box, which must not overlap other floats.
        let size = (
            fragment.width + across(&margin),
            fragment.height + down(&margin),
        );
        // `floats` has the coordinates of the formatting context. In these coordinates, `origin` is the corner of the
        // parent's content.
        let mut top = origin.1 + y;
        if let Some(clear) = floats.clear(style.clear) {
            top = top.max(clear);
        }
        let (x, top) = floats.place(size, style.float, top, origin.0, origin.0 + inner.width);
        let (dx, dy) = relative_offset(&style, inner);
        Ok((
            x - origin.0 + margin[LEFT] + dx,
            top - origin.1 + margin[TOP] + dy,
            fragment,
        ))
    }

    /// Lays out a box with shrink-to-fit width (CSS 2.2, 10.3.5).
    pub(crate) fn shrunk(
        &mut self,
        id: BoxId,
        inner: Containing,
        room: f32,
        role: Role,
    ) -> Result<Rc<Fragment>> {
        self.sized_alone(id, inner, room, (true, role))
    }
}
