//! Inline box fragments: the part of an inline box on one line, and absolutely positioned boxes
//! that refer to it (CSS 2.2, 10.1). Places no text.

use super::{
    engine::Engine,
    fragment::{Fragment, FragmentContent as Made, Pending},
    height::Shifts,
    runs::{Room, SpanExtent, SpansOnLine, Text},
    tree::BoxId,
};
use crate::error::Result;
use convertd_markup::css::style::{BOTTOM, LEFT, RIGHT, Style, TOP};
use std::rc::Rc;

/// Border and padding of an inline box on one line. A side where the box continues on another line has the width 0.
fn edges(style: &Style, extent: &SpanExtent, width: f32) -> ([f32; 4], [f32; 4]) {
    let shown = |side: usize| match side {
        LEFT => extent.begins,
        RIGHT => extent.ends,
        _ => true,
    };
    let of = |side: usize, wide: f32| if shown(side) { wide } else { 0.0 };
    (
        std::array::from_fn(|side| of(side, style.border[side].width())),
        std::array::from_fn(|side| of(side, style.padding[side].of(width))),
    )
}

impl Engine<'_, '_> {
    /// Top edge, height with border and padding, and borders of an inline box on a line with this
    /// baseline. The height of its content is that of its font, not of its line (CSS 2.2, 10.6.1).
    pub(crate) fn part(
        &mut self,
        style: &Rc<Style>,
        extent: &SpanExtent,
        baseline: f32,
        room: Room,
    ) -> (f32, f32, [f32; 4]) {
        let metrics = self.metrics(style);
        let (border, padding) = edges(style, extent, room.width);
        let above = metrics.ascent + border[TOP] + padding[TOP];
        let below = metrics.descent + border[BOTTOM] + padding[BOTTOM];
        (baseline - above, above + below, border)
    }

    /// Places an absolutely positioned box whose containing block is an inline box, in the part of
    /// it on this line (CSS 2.2, 10.1). Returns whether such an inline box exists.
    pub(super) fn placed_in_span(
        &mut self,
        line: &mut Fragment,
        (id, span): (BoxId, usize),
        text: Text,
        (extent, shifts): (&SpansOnLine, &Shifts),
        x: f32,
    ) -> Result<bool> {
        let (inlines, styles) = (text.inlines, &text.prepared.styles);
        // The closest positioned inline box around this position is the containing block.
        let around = std::iter::successors(Some(span), |at| inlines.spans[*at].parent);
        let mut around = around.take_while(|at| *at > 0);
        let Some(holder) = around.find(|at| styles[*at].is_positioned()) else {
            return Ok(false);
        };
        let Some(own) = extent.get(&holder).filter(|own| own.any) else {
            return Ok(false);
        };
        let (dx, dy) = shifts.moved(holder);
        let baseline = line.baselines.map_or(0.0, |(first, _)| first);
        let baseline = baseline - shifts.of(holder);
        let (top, height, border) = self.part(&styles[holder], own, baseline, text.room);
        // The part of the inline box on this line serves as the border box of the containing block.
        let mut part = Fragment::new(Made::Line, own.to - own.from, height);
        part.pending.push(Pending {
            id,
            x: x - own.from,
            y: -top,
        });
        self.place_pending(&mut part, border, false)?;
        line.add(own.from + dx, top + dy, part);
        Ok(true)
    }
}
