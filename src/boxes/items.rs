//! Flex and grid containers (CSS Flexbox 1, CSS Grid 2), arranged by `taffy`. Lays out no item
//! itself.
//!
//! Taffy gets a tree of one container and its items as leaves. It calls back for the size of an item, which may be a
//! nested container, a table or text. Each nested container gets a tree of its own, because taffy cannot lay out the
//! other kinds of boxes between them. All sizes given to taffy are border-box sizes in px; percentages and `box-sizing`
//! are resolved first, except for percentages of grid areas, which only taffy can resolve.

mod styles;

use super::{
    engine::{Containing, Engine, LayoutInput},
    fragment::{Fragment, FragmentContent as Made, Pending, Role},
    sizing::Content,
    tree::{BoxContent, BoxId},
};
use crate::error::{Error, Result};
use convertd_markup::css::style::Style;
use styles::container;
use taffy::{
    AvailableSpace, TaffyTree, compute_leaf_layout,
    geometry::Size as Pair,
    style::{self as grid, Dimension, LengthPercentageAuto},
};

/// Steps counted per item of a container, in the unit of [`Engine::steps`]: eight of these make one step. A container
/// measures each item several times, so nested containers take far more time than their number suggests.
const ITEM_STEPS: usize = 24;

impl Engine<'_, '_> {
    /// Lays out a flex or grid container.
    pub(super) fn items(
        &mut self,
        input: LayoutInput,
        children: &[BoxId],
        role: Role,
    ) -> Result<Fragment> {
        let LayoutInput {
            id,
            height,
            containing,
            ..
        } = input;
        let style = self.style(id).clone();
        let Content {
            border,
            padding,
            edges,
            corner: (left, top),
            inner,
        } = self.content(input);
        // The content is at least as high as the minimum height, so that items can stretch to it.
        let least = self.bounded_height(id, height.unwrap_or(0.0), containing) - edges;
        let available = Pair {
            width: AvailableSpace::Definite(inner.width),
            height: inner
                .height
                .map_or(AvailableSpace::MaxContent, AvailableSpace::Definite),
        };
        let mut own = container(&style, inner);
        own.size = Pair {
            width: Dimension::length(inner.width),
            height: inner.height.map_or(Dimension::auto(), Dimension::length),
        };
        own.min_size.height = LengthPercentageAuto::length(least.max(0.0));
        // All sizes and positions are determined first. Then each item is laid out at its final size.
        let (size, placed) = self.arrange(&style, own, children, inner, available)?;
        let natural = size.1 + edges;
        let used = self.bounded_height(id, height.unwrap_or(natural), containing);
        let made = Made::Box {
            id,
            style: style.clone(),
            border,
            padding,
            role,
        };
        let mut fragment = Fragment::new(made, input.width, used);
        for (child, area) in placed {
            let input = LayoutInput {
                id: child,
                width: area.2,
                height: Some(area.3),
                containing: inner,
            };
            let set = self.independent(input, Role::Flow)?;
            let (dx, dy) = super::positioned::relative_offset(self.style(child), inner);
            // The container takes the baselines of its first and last item that have a baseline.
            if let Some((first, last)) = set.baselines {
                let at = top + area.1;
                let first = fragment.baselines.map_or(at + first, |known| known.0);
                fragment.baselines = Some((first, at + last));
            }
            fragment.add(left + area.0 + dx, top + area.1 + dy, set);
        }
        // Absolutely positioned children of a container are not items (CSS Flexbox 1, 4.1).
        for child in children {
            if self.style(*child).is_absolute() {
                fragment.pending.push(Pending {
                    id: *child,
                    x: left,
                    y: top,
                });
            }
        }
        self.settle(&mut fragment, &style)?;
        Ok(fragment)
    }

    /// Min-content and max-content width of a grid's content, in px. The grid is arranged once under each of these
    /// constraints.
    pub(super) fn grid_extent(&mut self, id: BoxId) -> Result<(f32, f32)> {
        let boxes = self.boxes;
        let BoxContent::Blocks(children) = &boxes.get(id).kind else {
            return Ok((0.0, 0.0));
        };
        let style = self.style(id).clone();
        let inner = Containing {
            width: 0.0,
            height: None,
        };
        let mut extent = [0.0; 2];
        // The container has no size of its own, so that taffy chooses its size under the constraint.
        for (extent, width) in extent
            .iter_mut()
            .zip([AvailableSpace::MinContent, AvailableSpace::MaxContent])
        {
            let available = Pair {
                width,
                height: AvailableSpace::MaxContent,
            };
            let mut own = container(&style, inner);
            own.size = Pair {
                width: Dimension::auto(),
                height: Dimension::auto(),
            };
            own.min_size.height = LengthPercentageAuto::length(0.0);
            let (size, _) = self.arrange(&style, own, children, inner, available)?;
            *extent = size.0;
        }
        Ok((extent[0], extent[1]))
    }

    /// Arranges the items of a container, whose content box has the style `own`. Returns the size of its content and
    /// the border boxes (x, y, width, height) of the items, relative to its content box.
    #[allow(clippy::type_complexity)]
    fn arrange(
        &mut self,
        style: &Style,
        own: grid::Style,
        children: &[BoxId],
        inner: Containing,
        available: Pair<AvailableSpace>,
    ) -> Result<((f32, f32), Vec<(BoxId, (f32, f32, f32, f32))>)> {
        let failed = |error| Error::internal("items could not be placed", error);
        self.steps(ITEM_STEPS * (children.len() + 1))?;
        // Trial layouts must not affect the height of the page.
        self.bounds_around += 1;
        let mut tree: TaffyTree<BoxId> = TaffyTree::new();
        // Positions stay fractional, as everywhere in this layout.
        tree.disable_rounding();
        let mut nodes = Vec::new();
        for child in children {
            if self.style(*child).is_absolute() {
                continue;
            }
            let item = self.item(*child, style, inner);
            let node = tree.new_leaf_with_context(item, *child).map_err(failed)?;
            nodes.push((node, *child));
        }
        // The container is the root. Its own edges were subtracted before.
        let ids: Vec<_> = nodes.iter().map(|(node, _)| *node).collect();
        let root = tree.new_with_children(own, &ids).map_err(failed)?;
        // Taffy's callback cannot fail: the first error is stored, and all later sizes are zero.
        let mut wrong = None;
        tree.compute_layout_with_measure(root, available, |inputs, _, context, style| {
            compute_leaf_layout(
                inputs,
                style,
                |_, _| 0.0,
                |known, available| {
                    let Some(id) = context.copied().filter(|_| wrong.is_none()) else {
                        return Pair::ZERO;
                    };
                    match self.measure(id, known, available, inner) {
                        Ok((width, height)) => Pair { width, height },
                        Err(error) => {
                            wrong = Some(error);
                            Pair::ZERO
                        }
                    }
                },
            )
        })
        .map_err(failed)?;
        self.bounds_around -= 1;
        if let Some(error) = wrong {
            return Err(error);
        }
        let whole = tree.layout(root).map_err(failed)?.size;
        let mut placed = Vec::with_capacity(nodes.len());
        for (node, id) in nodes {
            let at = tree.layout(node).map_err(failed)?;
            placed.push((
                id,
                (at.location.x, at.location.y, at.size.width, at.size.height),
            ));
        }
        Ok(((whole.width, whole.height), placed))
    }

    /// Measures an item for taffy: its border-box size. The sides in `known` are given.
    fn measure(
        &mut self,
        id: BoxId,
        known: Pair<Option<f32>>,
        available: Pair<AvailableSpace>,
        inner: Containing,
    ) -> Result<(f32, f32)> {
        // Replaced items keep their ratio if one side is given (CSS Images 3, 5.3).
        if matches!(self.boxes.get(id).kind, BoxContent::Replaced(_)) {
            let own = self.replaced_size(id, inner, false)?;
            let ratio = own.0 / own.1.max(0.01);
            return Ok(match (known.width, known.height) {
                (Some(width), Some(height)) => (width, height),
                (Some(width), None) => (width, width / ratio.max(0.001)),
                (None, Some(height)) => (height * ratio, height),
                (None, None) => own,
            });
        }
        // Without a width, the item gets its min-content, max-content or fit-content width, depending on the available
        // space (CSS Sizing 3, 5.1).
        let width = match (known.width, available.width) {
            (Some(width), _) => width,
            (None, AvailableSpace::MinContent) => self.content_extent(id)?.0,
            (None, AvailableSpace::MaxContent) => self.content_extent(id)?.1,
            (None, AvailableSpace::Definite(room)) => {
                let (least, most) = self.content_extent(id)?;
                most.min(room.max(least))
            }
        };
        // If the height is given, nothing has to be laid out.
        if let Some(height) = known.height {
            return Ok((width, height));
        }
        let height = self.ratio_height(id, width, inner.width);
        let input = LayoutInput {
            id,
            width,
            height,
            containing: inner,
        };
        let fragment = self.independent(input, Role::Flow)?;
        Ok((fragment.width, fragment.height))
    }
}
