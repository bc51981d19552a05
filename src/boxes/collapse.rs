//! Margins above boxes that collapse (CSS 2.2, 8.3.1). Lays out nothing.
//!
//! Whether the margin of a first child is also that of its parent follows from styles alone, so it is known before a box is laid out:
//! [`Engine::collapsing`] goes down the first children.

use super::{
    engine::{Collapsing, Engine, Margin},
    sizing::{down, margins, stands_alone},
    tree::{BoxId, Kind},
};
use crate::error::Result;
use convertd_markup::css::style::{BOTTOM, Clear, Size, Style, TOP};

/// Whether the style of a box asks for no height.
fn has_no_height(style: &Style) -> bool {
    [&style.height, &style.min_height]
        .into_iter()
        .all(|size| match size {
            Size::Auto => true,
            Size::Length(length) => length.of(0.0) == 0.0,
            _ => false,
        })
}

/// Whether margins or padding above or below a box follow a width.
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
    /// Collapsed margins of a box and those around it, in a container of this width.
    ///
    /// Every box around asks this of all that it begins with, so an answer that no percentage changes is kept.
    ///
    /// Errors: too much was asked, or the job is over.
    pub(super) fn collapsing(&mut self, id: BoxId, width: f32) -> Result<Collapsing> {
        if let Some(known) = self.collapsing.get(&id) {
            return Ok(*known);
        }
        let boxes = self.boxes;
        let node = boxes.get(id);
        let style = &node.style;
        let (border, padding) = self.edges(id, width);
        let alone = stands_alone(style, &node.kind);
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
            Kind::Blocks(children) => {
                for child in children {
                    let own = self.style(*child);
                    if own.is_absolute() || own.floats() {
                        continue;
                    }
                    joins &= own.clear == Clear::None;
                    if !joins && !found.through {
                        break;
                    }
                    let inside = self.collapsing(*child, width)?;
                    found.relative |= inside.relative;
                    found.through &= inside.through;
                    if joins {
                        found.top = found.top.with(inside.top);
                        joins = inside.through;
                    }
                    if joins {
                        let below = margins(own, width)[BOTTOM].unwrap_or(0.0);
                        found.top = found.top.with(Margin::of(below));
                    }
                }
            }
            Kind::Lines(lines) => found.through &= lines.is_empty(),
            Kind::Table(_) | Kind::Replaced(_) | Kind::Turned(..) => found.through = false,
        }
        if found.relative {
            self.step()?;
        } else {
            self.collapsing.insert(id, found);
        }
        Ok(found)
    }
}
