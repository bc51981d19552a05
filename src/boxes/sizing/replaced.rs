//! Sizes of replaced elements: natural sizes and ratios, and what the style specifies (CSS 2.2, 10.3.2 and 10.6.2).
//! Reads no pictures.

use super::super::{
    engine::{Containing, Engine},
    tree::{BoxContent, BoxId, Replaced},
};
use super::{across, down, margins, outer};
use crate::error::Result;
use convertd_markup::css::style::{LEFT, RIGHT, Size};
use convertd_tree::{Picture, PictureSource};

/// Default width in px of a replaced element without a size (CSS 2.2, 10.3.2).
const DEFAULT_WIDTH: f32 = 300.0;

impl Engine<'_, '_> {
    /// Size of a replaced element's border box (CSS 2.2, 10.3.2, 10.4, 10.6.2). With `intrinsic`, percentages of the
    /// unknown width count as `auto`.
    ///
    /// A missing side follows from the ratio, or else from the natural size. The limits are applied at the end.
    pub(crate) fn replaced_size(
        &mut self,
        id: BoxId,
        containing: Containing,
        intrinsic: bool,
    ) -> Result<(f32, f32)> {
        let boxes = self.boxes;
        let node = boxes.get(id);
        let BoxContent::Replaced(replaced) = &node.kind else {
            return Ok((0.0, 0.0));
        };
        let style = &node.style;
        let (border, padding) = self.edges(id, containing.width);
        let edges = (
            across(&border) + across(&padding),
            down(&border) + down(&padding),
        );
        let (natural, ratio) = self.natural(replaced);
        let zoom = style.text.zoom;
        let natural = (natural.0 * zoom, natural.1 * zoom);
        let ratio = style.aspect_ratio.or(ratio);
        // Converts a specified length to the length of the content box.
        let inner = |length: f32, edges: f32| (outer(style, length, edges) - edges).max(0.0);
        // Drawings with a ratio but no natural size fill the available width.
        let fluid = self.fluid(replaced).map(|ratio| {
            let sides = margins(style, containing.width);
            let sides = sides[LEFT].unwrap_or(0.0) + sides[RIGHT].unwrap_or(0.0);
            let room = (containing.width - sides - edges.0).max(0.0);
            let width = match (intrinsic, &style.width) {
                (false, _) => room,
                (true, Size::Auto) => 0.0,
                // A percentage of an unknown width gets the default width.
                (true, _) => DEFAULT_WIDTH,
            };
            (width, width / ratio)
        });
        let width_of = |size: &Size| match size {
            Size::Length(length) if intrinsic && length.has_percentage() => None,
            Size::Length(length) => Some(inner(length.of(containing.width), edges.0)),
            _ => None,
        };
        let height_of = |size: &Size| match size {
            Size::Length(length) => length
                .definite(containing.height)
                .map(|height| inner(height, edges.1)),
            _ => None,
        };
        let (mut width, mut height) =
            match (width_of(&style.width), height_of(&style.height), ratio) {
                (Some(width), Some(height), _) => (width, height),
                (Some(width), None, Some(ratio)) => (width, width / ratio),
                (None, Some(height), Some(ratio)) => (height * ratio, height),
                (Some(width), None, None) => (width, natural.1),
                (None, Some(height), None) => (natural.0, height),
                (None, None, _) => fluid.unwrap_or(natural),
            };
        // A limit on one side also changes the other side by the ratio, unless the other side is specified.
        let free = (
            width_of(&style.width).is_none(),
            height_of(&style.height).is_none(),
        );
        let limit_width = |width: f32| {
            let most = width_of(&style.max_width).map_or(width, |most| width.min(most));
            width_of(&style.min_width).map_or(most, |least| most.max(least))
        };
        let limit_height = |height: f32| {
            let most = height_of(&style.max_height).map_or(height, |most| height.min(most));
            height_of(&style.min_height).map_or(most, |least| most.max(least))
        };
        let limited = limit_width(width);
        if limited != width {
            if free.1
                && let Some(ratio) = ratio
            {
                height = limited / ratio;
            }
            width = limited;
        }
        let limited = limit_height(height);
        if limited != height {
            if free.0
                && let Some(ratio) = ratio
            {
                width = limit_width(limited * ratio);
            }
            height = limited;
        }
        Ok((width + edges.0, height + edges.1))
    }

    /// Aspect ratio of a drawing without natural width and height: it fills the available width
    /// (CSS 2.2, 10.3.2).
    fn fluid(&self, replaced: &Replaced) -> Option<f32> {
        let (None, None, Some(id)) = (replaced.natural.0, replaced.natural.1, replaced.picture)
        else {
            return None;
        };
        let own = self.layout.pictures.natural(id.index())?;
        match (own.width, own.height) {
            (None, None) => own.ratio.filter(|ratio| *ratio > 0.0),
            _ => None,
        }
    }

    /// Natural size in px, and aspect ratio, of a replaced element. A size of 0 stands for a
    /// missing picture.
    fn natural(&mut self, replaced: &Replaced) -> ((f32, f32), Option<f32>) {
        let known = replaced.natural;
        if let (Some(width), Some(height)) = known {
            let ratio =
                (replaced.picture.is_some() && width > 0.0 && height > 0.0).then(|| width / height);
            return ((width, height), ratio);
        }
        let Some(id) = replaced.picture else {
            return ((0.0, 0.0), None);
        };
        let picture = Picture {
            source: PictureSource::Resource(id),
            alternative: Box::default(),
            title: Box::default(),
            width: None,
            height: None,
            frame: None,
        };
        // The natural size is needed, so there is no limit.
        let room = (f32::MAX, f32::MAX);
        let convertd_layout::context::Layout {
            pictures, losses, ..
        } = &mut *self.layout;
        let Some((width, height)) = pictures.size(id.index(), &picture, room, losses) else {
            return ((0.0, 0.0), None);
        };
        // The size is in points. For bitmaps, one pixel is one px, whatever their resolution.
        let pixels = self.layout.pictures.pixels(id.index());
        let size = pixels.unwrap_or((width * 4.0 / 3.0, height * 4.0 / 3.0));
        let ratio = (size.0 > 0.0 && size.1 > 0.0).then(|| size.0 / size.1);
        (size, ratio)
    }
}
