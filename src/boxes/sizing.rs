//! Widths and heights of boxes (CSS 2.2, 10; CSS Sizing 3). Places nothing.
//!
//! Unless stated otherwise, sizes are those of border boxes in px: [`outer`] converts a specified size where it is
//! read, so that other code does not need `box-sizing`.

mod replaced;

use super::{
    column_sizes,
    engine::{Containing, Engine, LayoutInput},
    fragment::Sides,
    tree::{BoxContent, BoxId},
};
use crate::error::Result;
use convertd_markup::css::style::{
    BOTTOM, BoxSizing, Display, LEFT, Overflow, RIGHT, Size, Style, TOP,
};

/// Sum of the left and right side.
pub(crate) fn across(sides: &Sides) -> f32 {
    sides[LEFT] + sides[RIGHT]
}

/// Sum of the top and bottom side.
pub(crate) fn down(sides: &Sides) -> f32 {
    sides[TOP] + sides[BOTTOM]
}

/// Padding in px. All four sides refer to the width of the containing block (CSS 2.2, 8.4).
pub(crate) fn padding(style: &Style, width: f32) -> Sides {
    std::array::from_fn(|side| style.padding[side].of(width).max(0.0))
}

/// Margins in px; `None` for `auto`. Percentages refer to the width of the containing block on all
/// sides (CSS 2.2, 8.3).
pub(crate) fn margins(style: &Style, width: f32) -> [Option<f32>; 4] {
    std::array::from_fn(|side| match &style.margin[side] {
        Size::Length(length) => Some(length.of(width)),
        _ => None,
    })
}

/// Border-box size for a specified size and the total of border and padding (`box-sizing`, CSS
/// Sizing 3, 3.3).
fn outer(style: &Style, size: f32, edges: f32) -> f32 {
    match style.sizing {
        BoxSizing::Content => size.max(0.0) + edges,
        BoxSizing::Border => size.max(edges),
    }
}

/// Returns whether a box establishes an independent formatting context: it contains its floats, and
/// its margins do not collapse with its children's (CSS 2.2, 9.4.1).
pub(super) fn stands_alone(style: &Style, kind: &BoxContent) -> bool {
    style.is_absolute()
        || style.floats()
        || !matches!(kind, BoxContent::Blocks(_) | BoxContent::Lines(_))
        || !matches!(
            style.display,
            Display::Block | Display::ListItem | Display::Inline
        )
        || !matches!(style.overflow, Overflow::Visible | Overflow::Clip)
        || column_sizes::has_columns(style)
        || style.column_span
}

/// Geometry of the content box within a border box.
pub(crate) struct Content {
    pub border: Sides,
    pub padding: Sides,
    /// Total height of border and padding, in px.
    pub edges: f32,
    /// Corner of the content box, relative to the corner of the border box.
    pub corner: (f32, f32),
    /// Size of the content box, the containing block of its children.
    pub inner: Containing,
}

impl Engine<'_, '_> {
    /// Border widths: the computed ones, or halves of collapsed borders, which tables compute.
    pub(crate) fn border(&self, id: BoxId) -> Sides {
        if let Some(border) = self.borders.get(&id) {
            return *border;
        }
        let style = self.style(id);
        std::array::from_fn(|side| style.border[side].width())
    }

    /// Border and padding widths, for a containing block of this width.
    pub(crate) fn edges(&self, id: BoxId, width: f32) -> (Sides, Sides) {
        (self.border(id), padding(self.style(id), width))
    }

    /// Geometry of the content box of a box.
    pub(super) fn content(&self, input: LayoutInput) -> Content {
        let (border, padding) = self.edges(input.id, input.containing.width);
        let edges = down(&border) + down(&padding);
        Content {
            corner: (border[LEFT] + padding[LEFT], border[TOP] + padding[TOP]),
            edges,
            inner: Containing {
                width: (input.width - across(&border) - across(&padding)).max(0.0),
                height: input.height.map(|height| (height - edges).max(0.0)),
            },
            border,
            padding,
        }
    }

    /// Specified height; `None` if it is `auto`, or a percentage of an `auto` height (CSS 2.2,
    /// 10.5).
    pub(super) fn fixed_height(&self, id: BoxId, containing: Containing) -> Option<f32> {
        let style = self.style(id);
        let Size::Length(length) = &style.height else {
            return None;
        };
        let height = length.definite(containing.height)?;
        let (border, padding) = self.edges(id, containing.width);
        Some(outer(style, height, down(&border) + down(&padding)))
    }

    /// Height limited by `min-height` and `max-height` (CSS 2.2, 10.7). The minimum has
    /// priority, and the result is never less than padding and borders.
    pub(super) fn bounded_height(&self, id: BoxId, height: f32, containing: Containing) -> f32 {
        let style = self.style(id);
        let (border, padding) = self.edges(id, containing.width);
        let edges = down(&border) + down(&padding);
        let of = |size: &Size| match size {
            Size::Length(length) => length
                .definite(containing.height)
                .map(|height| outer(style, height, edges)),
            _ => None,
        };
        let height = of(&style.max_height).map_or(height, |most| height.min(most));
        of(&style.min_height)
            .map_or(height, |least| height.max(least))
            .max(edges)
    }

    /// Width limited by `min-width` and `max-width` (CSS 2.2, 10.4). The minimum has
    /// priority, and the result is never less than padding and borders.
    pub(super) fn bounded_width(&mut self, id: BoxId, width: f32, containing: f32) -> Result<f32> {
        let style = self.style(id).clone();
        let (border, padding) = self.edges(id, containing);
        let edges = across(&border) + across(&padding);
        let mut width = width;
        if let Some(most) = self.asked_width(id, &style.max_width, containing, edges)? {
            width = width.min(most);
        }
        if let Some(least) = self.asked_width(id, &style.min_width, containing, edges)? {
            width = width.max(least);
        }
        Ok(width.max(edges))
    }

    /// Width for a value of `width`, `min-width` or `max-width`; `None` for `auto`.
    fn asked_width(
        &mut self,
        id: BoxId,
        size: &Size,
        containing: f32,
        edges: f32,
    ) -> Result<Option<f32>> {
        let style = self.style(id);
        Ok(match size {
            Size::Auto => None,
            Size::Length(length) => Some(outer(style, length.of(containing), edges)),
            Size::MinContent => Some(self.content_extent(id)?.0),
            Size::MaxContent => Some(self.content_extent(id)?.1),
            // `fit-content` is the container's width within the limits of the content.
            Size::FitContent => {
                let (least, most) = self.content_extent(id)?;
                Some(most.min(containing.max(least)))
            }
        })
    }

    /// Used width in the available width: the specified width, or the width by an aspect ratio, or shrink-to-fit if
    /// `shrinks` (CSS 2.2, 10.3.5), or the available width.
    pub(crate) fn width(
        &mut self,
        id: BoxId,
        containing: f32,
        room: f32,
        shrinks: bool,
    ) -> Result<f32> {
        let style = self.style(id).clone();
        let (border, padding) = self.edges(id, containing);
        let edges = across(&border) + across(&padding);
        let asked = self.asked_width(id, &style.width, containing, edges)?;
        let width = match asked.or_else(|| self.ratio_width(id, containing)) {
            Some(width) => width,
            None if shrinks => {
                let (least, most) = self.content_extent(id)?;
                most.min(room.max(least))
            }
            None => room,
        };
        self.bounded_width(id, width, containing)
    }

    /// Min-content and max-content contribution of a box to its container, with margins (CSS Sizing
    /// 3, 5.2).
    pub(super) fn contribution(&mut self, id: BoxId) -> Result<(f32, f32)> {
        let style = self.style(id).clone();
        let (border, padding) = self.edges(id, 0.0);
        let edges = across(&border) + across(&padding);
        // This is the size of the box itself, before its limits.
        let (mut least, mut most) = match &style.width {
            Size::Length(length) if !length.has_percentage() => {
                let width = outer(&style, length.of(0.0), edges);
                match self.boxes.get(id).kind {
                    // A table is never narrower than its content.
                    BoxContent::Table(_) => {
                        let own = self.content_extent(id)?.0;
                        (width.max(own), width.max(own))
                    }
                    _ => (width, width),
                }
            }
            Size::MinContent => {
                let least = self.content_extent(id)?.0;
                (least, least)
            }
            Size::MaxContent => {
                let most = self.content_extent(id)?.1;
                (most, most)
            }
            // The content of a replaced element with a percentage can shrink to nothing (CSS Sizing 3, 5.2.2).
            Size::Length(_) if matches!(self.boxes.get(id).kind, BoxContent::Replaced(_)) => {
                (edges, self.content_extent(id)?.1)
            }
            _ => self.content_extent(id)?,
        };
        // The limits are in px. Percentages of an unknown width have no effect, but with such a `max-width` the content
        // of a replaced element can shrink to nothing.
        let fixed = |size: &Size| match size {
            Size::Length(length) if !length.has_percentage() => {
                Some(outer(&style, length.of(0.0), edges))
            }
            _ => None,
        };
        if let Some(limit) = fixed(&style.max_width) {
            (least, most) = (least.min(limit), most.min(limit));
        } else if matches!(style.max_width, Size::Length(_))
            && matches!(self.boxes.get(id).kind, BoxContent::Replaced(_))
        {
            least = edges;
        }
        if let Some(limit) = fixed(&style.min_width) {
            (least, most) = (least.max(limit), most.max(limit));
        }
        let margin = |side: usize| match &style.margin[side] {
            Size::Length(length) if !length.has_percentage() => length.of(0.0),
            _ => 0.0,
        };
        let margin = margin(LEFT) + margin(RIGHT);
        Ok(((least + margin).max(0.0), (most + margin).max(0.0)))
    }

    /// Min-content and max-content width of the border box (CSS Sizing 3, 4). Results are cached, because nested
    /// containers ask for them again and again.
    pub(super) fn content_extent(&mut self, id: BoxId) -> Result<(f32, f32)> {
        if let Some(known) = self.extents.get(&id) {
            return Ok(*known);
        }
        self.step()?;
        let (border, padding) = self.edges(id, 0.0);
        let edges = across(&border) + across(&padding);
        let boxes = self.boxes;
        let (least, most) = match &boxes.get(id).kind {
            // This is the width of the content box, which depends on the kind. The edges are added below.
            BoxContent::Replaced(_) => {
                let size = self.replaced_size(
                    id,
                    Containing {
                        width: 0.0,
                        height: None,
                    },
                    true,
                )?;
                (size.0 - edges, size.0 - edges)
            }
            BoxContent::Table(_) => {
                let (least, most) = self.table_extent(id)?;
                (least - edges, most - edges)
            }
            BoxContent::Turned(inner, _) => {
                let wide = self.turned_width(id, *inner, None)? - edges;
                (wide, wide)
            }
            BoxContent::Lines(_) => self.lines_extent(id)?,
            BoxContent::Blocks(children) => {
                let own = self.blocks_extent(id, children)?;
                // A legend is not among the children of its fieldset.
                match boxes.get(id).legend {
                    Some(legend) => {
                        let wide = self.contribution(legend)?;
                        (own.0.max(wide.0), own.1.max(wide.1))
                    }
                    None => own,
                }
            }
        };
        let (least, most) = column_sizes::extent(self.style(id), (least, most));
        let extent = (least + edges, most.max(least) + edges);
        self.extents.insert(id, extent);
        Ok(extent)
    }

    /// Min-content and max-content width of a container's children. Floats are placed side by side, blocks below each
    /// other, and flex items in a row or column.
    fn blocks_extent(&mut self, id: BoxId, children: &[BoxId]) -> Result<(f32, f32)> {
        let style = self.style(id).clone();
        let (mut least, mut most) = (0.0_f32, 0.0_f32);
        // Total width of consecutive floats, and widths of a row of flex items.
        let (mut floats, mut row) = (0.0_f32, (0.0_f32, 0.0_f32));
        let in_row = matches!(style.display, Display::Flex | Display::InlineFlex)
            && matches!(
                style.flex_direction,
                convertd_markup::css::style::FlexDirection::Row
                    | convertd_markup::css::style::FlexDirection::RowReverse
            );
        if matches!(style.display, Display::Grid | Display::InlineGrid) {
            return self.grid_extent(id);
        }
        let mut count = 0;
        for child in children {
            let own = self.style(*child).clone();
            if own.is_absolute() {
                continue;
            }
            let (narrow, wide) = self.contribution(*child)?;
            count += 1;
            // The widths of items in a row are added. If the items may wrap, the minimum is that of the widest item
            // alone.
            if in_row {
                let wraps = style.flex_wrap != convertd_markup::css::style::FlexWrap::Nowrap;
                row.0 = if wraps {
                    row.0.max(narrow)
                } else {
                    row.0 + narrow
                };
                row.1 += wide;
                // Floats are placed side by side, and a box with its own formatting context beside them.
            } else if own.floats() {
                floats += wide;
                least = least.max(narrow);
                most = most.max(floats);
            } else {
                least = least.max(narrow);
                most = most.max(
                    wide + if stands_alone(&own, &self.boxes.get(*child).kind) {
                        floats
                    } else {
                        0.0
                    },
                );
                floats = 0.0;
            }
        }
        if in_row {
            let gap = convertd_markup::css::grids::gap(style.column_gap.as_ref(), 0.0)
                * (count as f32 - 1.0).max(0.0);
            return Ok((row.0 + gap, row.1 + gap));
        }
        Ok((least, most))
    }
}
