//! Boxes that are asked to have a ratio of their sides (CSS Sizing 4, 6): a side that nobody asks for follows from the other one.
//! Not for pictures, which have an intrinsic ratio.

use super::{
    engine::{Containing, Engine},
    sizing::{across, down},
    tree::{BoxId, Kind},
};
use convertd_markup::css::style::{BoxSizing, Overflow, Size};

impl Engine<'_, '_> {
    /// The ratio of width to height that a box is asked to have, if it is one of blocks or lines.
    pub(crate) fn ratio(&self, id: BoxId) -> Option<f32> {
        match self.boxes.get(id).kind {
            Kind::Replaced(_) | Kind::Table(_) | Kind::Turned(..) => None,
            Kind::Blocks(_) | Kind::Lines(_) => {
                let ratio = self.style(id).aspect_ratio;
                ratio.filter(|ratio| ratio.is_finite() && *ratio > 0.0)
            }
        }
    }

    /// The height of a border box of this width: what is asked for, or what follows from the width.
    pub(super) fn height_at(&self, id: BoxId, width: f32, containing: Containing) -> Option<f32> {
        let asked = self.fixed_height(id, containing);
        asked.or_else(|| self.ratio_height(id, width, containing.width))
    }

    /// The height that follows from the width, of border boxes.
    pub(super) fn ratio_height(&self, id: BoxId, width: f32, containing: f32) -> Option<f32> {
        let (ratio, edges) = (self.ratio(id)?, self.both_edges(id, containing));
        Some(match self.style(id).sizing {
            BoxSizing::Border => (width / ratio).max(edges.1),
            BoxSizing::Content => (width - edges.0).max(0.0) / ratio + edges.1,
        })
    }

    /// The width that follows from the height that is asked for, of border boxes.
    pub(super) fn ratio_width(&self, id: BoxId, containing: f32) -> Option<f32> {
        let (ratio, edges) = (self.ratio(id)?, self.both_edges(id, containing));
        let Size::Length(height) = &self.style(id).height else {
            return None;
        };
        let height = height.definite(None)?.max(0.0);
        Some(match self.style(id).sizing {
            BoxSizing::Border => (height * ratio).max(edges.0),
            BoxSizing::Content => height * ratio + edges.0,
        })
    }

    /// Whether a height that follows from a ratio grows with the content: nothing is hidden (6.2).
    pub(crate) fn grows(&self, id: BoxId) -> bool {
        let style = self.style(id);
        style.height == Size::Auto
            && style.overflow == Overflow::Visible
            && self.ratio(id).is_some()
    }

    /// Border and padding, across and down.
    fn both_edges(&self, id: BoxId, containing: f32) -> (f32, f32) {
        let (border, padding) = self.edges(id, containing);
        (
            across(&border) + across(&padding),
            down(&border) + down(&padding),
        )
    }
}
