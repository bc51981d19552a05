//! `aspect-ratio` of boxes that are not replaced (CSS Sizing 4, 6): the length of an automatic side follows from that
//! of the other side. Replaced elements have a natural ratio; see `sizing`.

use super::{
    engine::{Containing, Engine},
    sizing::{across, down},
    tree::{BoxContent, BoxId},
};
use convertd_markup::css::style::{BoxSizing, Overflow, Size};

impl Engine<'_, '_> {
    /// Preferred aspect ratio (width ÷ height) of a block container, flex or grid box.
    pub(crate) fn ratio(&self, id: BoxId) -> Option<f32> {
        match self.boxes.get(id).kind {
            BoxContent::Replaced(_) | BoxContent::Table(_) | BoxContent::Turned(..) => None,
            BoxContent::Blocks(_) | BoxContent::Lines(_) => {
                let ratio = self.style(id).aspect_ratio;
                ratio.filter(|ratio| ratio.is_finite() && *ratio > 0.0)
            }
        }
    }

    /// Height of the border box at this width: the specified height, or else the height that follows from the ratio.
    pub(super) fn height_at(&self, id: BoxId, width: f32, containing: Containing) -> Option<f32> {
        let asked = self.fixed_height(id, containing);
        asked.or_else(|| self.ratio_height(id, width, containing.width))
    }

    /// Height of the border box by the ratio. `box-sizing` decides which box has the ratio.
    pub(super) fn ratio_height(&self, id: BoxId, width: f32, containing: f32) -> Option<f32> {
        let (ratio, edges) = (self.ratio(id)?, self.both_edges(id, containing));
        Some(match self.style(id).sizing {
            BoxSizing::Border => (width / ratio).max(edges.1),
            BoxSizing::Content => (width - edges.0).max(0.0) / ratio + edges.1,
        })
    }

    /// Width of the border box by the ratio and the specified height.
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

    /// Returns whether a height from the ratio is a minimum that the content may exceed. This is the case for an `auto`
    /// height if overflow is visible (6.2).
    pub(crate) fn grows(&self, id: BoxId) -> bool {
        let style = self.style(id);
        style.height == Size::Auto
            && style.overflow == Overflow::Visible
            && self.ratio(id).is_some()
    }

    /// Total width of border and padding, horizontally and vertically.
    fn both_edges(&self, id: BoxId, containing: f32) -> (f32, f32) {
        let (border, padding) = self.edges(id, containing);
        (
            across(&border) + across(&padding),
            down(&border) + down(&padding),
        )
    }
}
