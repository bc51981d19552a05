//! Collapsing of margins above boxes (CSS 2.2, 8.3.1). Lays out nothing.
//!
//! A first child's margin collapses with its parent's if no border, padding or clearance separates
//! them. That follows from styles alone, so [`Engine::collapsing`] computes it before layout by
//! descending the first children.

use super::{
    engine::{Collapsing, Engine, Margin},
    sizing::{across, down, margins, stands_alone},
    tree::{BoxContent, BoxId},
};
use crate::error::Result;
use convertd_markup::css::style::{BOTTOM, Clear, Size, Style, TOP};

/// Returns whether neither `height` nor `min-height` gives a box a height, one of the conditions
/// under which its own margins collapse (8.3.1).
fn has_no_height(style: &Style) -> bool {
    [&style.height, &style.min_height]
        .into_iter()
        .all(|size| match size {
            Size::Auto => true,
            Size::Length(length) => length.of(0.0) == 0.0,
            _ => false,
        })
}

/// Returns whether vertical margins or padding of a box are percentages. Percentages refer to the container's width, so
/// the collapsed margin is valid for that width only.
fn is_relative(style: &Style) -> bool {
    [TOP, BOTTOM].into_iter().any(|side| {
        let margin = match &style.margin[side] {
            Size::Length(length) => length.has_percentage(),
            _ => false,
        };
        margin || style.padding[side].has_percentage()
    })
}

impl Engine<'_, '_> {
    /// Computes the margin above a box, collapsed with those of its first descendants, in a
    /// container of this width.
    ///
    /// The walk visits children as long as their margins still reach the top edge, or the box may still turn out to
    /// collapse through. Each ancestor asks for the same descendants again, so a result without percentages is cached.
    /// Otherwise the cost would grow with the square of the depth.
    ///
    /// Errors: the limit on steps is exceeded, or the job was cancelled.
    pub(super) fn collapsing(&mut self, id: BoxId, width: f32) -> Result<Collapsing> {
        if let Some(known) = self.collapsing.get(&id) {
            return Ok(*known);
        }
        let boxes = self.boxes;
        let node = boxes.get(id);
        let style = &node.style;
        let (border, padding) = self.edges(id, width);
        let alone = stands_alone(style, &node.kind);
        // The margin of the first child meets that of the box if neither an edge of the box nor a new formatting
        // context is between them.
        let mut joins = !alone && border[TOP] == 0.0 && padding[TOP] == 0.0;
        let mut found = Collapsing {
            top: Margin::of(margins(style, width)[TOP].unwrap_or(0.0)),
            through: !alone
                && node.marker.is_none()
                && has_no_height(style)
                && down(&border) == 0.0
                && down(&padding) == 0.0,
            relative: is_relative(style),
        };
        match &node.kind {
            BoxContent::Blocks(children) => {
                // Width of the content, to which percentages of the children refer.
                let inner = match joins || found.through {
                    true => {
                        let sides = across(&margins(style, width).map(Option::unwrap_or_default));
                        let whole = self.width(id, width, (width - sides).max(0.0), false)?;
                        (whole - across(&border) - across(&padding)).max(0.0)
                    }
                    false => 0.0,
                };
                // Only in-flow children are visited, because the margins of out-of-flow boxes do not collapse.
                for child in children {
                    let own = self.style(*child);
                    if own.is_absolute() || own.floats() {
                        continue;
                    }
                    // Clearance separates the margins.
                    joins &= own.clear == Clear::None;
                    if !joins && !found.through {
                        break;
                    }
                    let inside = self.collapsing(*child, inner)?;
                    found.relative |= inside.relative;
                    found.through &= inside.through;
                    if joins {
                        found.top = found.top.with(inside.top);
                        joins = inside.through;
                    }
                    // A child that collapses through lets the next child's margin reach the top as
                    // well.
                    if joins {
                        let below = margins(own, inner)[BOTTOM].unwrap_or(0.0);
                        found.top = found.top.with(Margin::of(below));
                    }
                }
            }
            BoxContent::Lines(lines) => found.through &= lines.is_empty(),
            BoxContent::Table(_) | BoxContent::Replaced(_) | BoxContent::Turned(..) => {
                found.through = false
            }
        }
        // A result with percentages is valid for this width only and is not cached, so its cost is counted.
        if found.relative {
            self.step()?;
        } else {
            self.collapsing.insert(id, found);
        }
        Ok(found)
    }
}
