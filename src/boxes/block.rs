//! Block formatting contexts (CSS 2.2, 9.4.1): block-level boxes one below another, with collapsing
//! margins and floats beside them. Does not fragment: the whole document becomes one tall fragment,
//! which [`pages`](super::pages) breaks later.
//!
//! Margin collapsing (8.3.1) needs two directions. The margin above a box can include the margins of its first
//! descendants. The collapsed margin decides where the box starts, so `collapse` computes it from styles before layout.
//! The margin below a box is known only after its last child was laid out, so [`Engine::block`] returns it, and the
//! parent carries it into the next sibling.
//!
//! Each formatting context has one [`Floats`]. Their coordinates are those of the context's root, so each nested block
//! passes on its origin in these coordinates.

mod floating;

use super::{
    column_sizes::has_columns,
    engine::{Containing, Engine, LayoutInput, Margin},
    floats::Floats,
    fragment::{Child, Fragment, FragmentContent as Made, Pending, Role},
    inline::LineBoxes,
    positioned::relative_offset,
    runs::Room,
    sizing::{across, down, margins, stands_alone},
    tree::{BoxContent, BoxId},
};
use crate::error::Result;
use convertd_markup::css::style::{
    BOTTOM, Display, LEFT, Overflow, RIGHT, Size, Style, TOP, TextAlign,
};
use std::rc::Rc;

/// Tolerance for rounding when a block is fitted beside floats, in px. The sum of widths in percent may exceed the
/// containing block by this much.
const TOLERANCE: f32 = 0.02;

/// Returns whether a box with `height: auto` may be lower than its content, or is out of flow or transformed. The
/// content of such a box need not make the page taller, so [`Engine::reaches`] does not count it.
fn is_bounded(style: &Style) -> bool {
    style.max_height != Size::Auto
        || style.overflow != Overflow::Visible
        || style.is_absolute()
        || style.is_in_space()
}

/// Result of laying out the content of a block container. Positions are relative to its content box, in px.
#[derive(Default)]
struct Flowed {
    /// Placed children: boxes, lines and floats, in order.
    children: Vec<Child>,
    /// Static positions of absolutely positioned descendants.
    pending: Vec<Pending>,
    /// Height of the in-flow content, without the margin below the last child.
    height: f32,
    /// Margin below the last child; it collapses with the parent's margin if nothing separates them.
    end: Margin,
    /// First and last baseline, from the top of the content box.
    baselines: Option<(f32, f32)>,
}

impl Flowed {
    /// Moves the content into a fragment of this size, whose content box has its corner at `(left, top)`.
    fn into_fragment(
        self,
        made: Made,
        (width, height): (f32, f32),
        (left, top): (f32, f32),
    ) -> Fragment {
        let mut fragment = Fragment::new(made, width, height);
        fragment.children = self.children;
        fragment.pending = self.pending;
        for child in &mut fragment.children {
            child.x += left;
            child.y += top;
        }
        for pending in &mut fragment.pending {
            pending.x += left;
            pending.y += top;
        }
        let baselines = self.baselines;
        fragment.baselines = baselines.map(|(first, last)| (first + top, last + top));
        fragment
    }
}

impl From<LineBoxes> for Flowed {
    fn from(lines: LineBoxes) -> Self {
        Self {
            children: lines.children,
            pending: lines.pending,
            height: lines.height,
            end: Margin::default(),
            baselines: lines.baselines,
        }
    }
}

impl Engine<'_, '_> {
    /// Lays out a box that establishes an independent formatting context: a table, replaced
    /// element, flex or grid container, multi-column container, or block container.
    ///
    /// Flex, grid and tables lay out the same box several times at the same size, so results are cached by size.
    pub(super) fn independent(&mut self, input: LayoutInput, role: Role) -> Result<Rc<Fragment>> {
        if let Some(known) = self.cached_layout(input) {
            return Ok(known);
        }
        // The number of contexts around this one decides below whether the caches are emptied.
        self.step()?;
        self.contexts_around += 1;
        let style = self.style(input.id);
        let boxes = self.boxes;
        // The box type decides which algorithm lays out the content.
        let fragment = match &boxes.get(input.id).kind {
            BoxContent::Table(table) => self.table(input, table, role)?,
            BoxContent::Turned(inner, turn) => self.turned(input, (*inner, *turn), role)?,
            BoxContent::Replaced(replaced) => self.replaced(input, replaced, role)?,
            BoxContent::Blocks(children) if style.has_items() => {
                self.items(input, children, role)?
            }
            BoxContent::Blocks(_) | BoxContent::Lines(_) if has_columns(style) => {
                self.columns(input, role)?
            }
            BoxContent::Blocks(_) | BoxContent::Lines(_) => {
                let floats = (&mut Floats::default(), (0.0, 0.0));
                self.block(input, floats, (true, role))?.0
            }
        };
        let fragment = Rc::new(fragment);
        self.contexts_around -= 1;
        if self.is_outermost() {
            self.forget();
        }
        self.cache_layout(input, &fragment);
        Ok(fragment)
    }

    /// Lays out a block container whose border box has its corner at `at`, in the coordinates of `floats`. With
    /// `alone`, the box establishes a formatting context with floats of its own. Its margins then do not collapse with
    /// those of its children, and its height includes its floats (CSS 2.2, 10.6.7). Returns the fragment and the margin
    /// below it, collapsed with the margin of its last child.
    pub(crate) fn block(
        &mut self,
        input: LayoutInput,
        (floats, at): (&mut Floats, (f32, f32)),
        (alone, role): (bool, Role),
    ) -> Result<(Fragment, Margin)> {
        self.step()?;
        let LayoutInput {
            id,
            width,
            height,
            containing,
        } = input;
        let style = self.style(id).clone();
        let (mut border, padding) = self.edges(id, containing.width);
        let inner = Containing {
            width: (width - across(&border) - across(&padding)).max(0.0),
            height: None,
        };
        let legend = self.legend(id, inner)?;
        // A legend is in the top border, which grows to hold it (HTML, 15.3.13).
        if let Some(legend) = &legend {
            border[TOP] = border[TOP].max(legend.height);
        }
        let edges = down(&border) + down(&padding);
        let left = border[LEFT] + padding[LEFT];
        let top = border[TOP] + padding[TOP];
        let room = Room {
            origin: (at.0 + left, at.1 + top),
            width: inner.width,
            height: height.map(|height| (height - edges).max(0.0)),
        };
        // The margin above the first child collapses with that of the box, unless a border, padding or a new formatting
        // context separates them.
        let joins_top = !alone && top == 0.0;
        // Content of a box of bounded height cannot make the page taller; see `is_bounded`.
        let bounded = usize::from(height.is_some() || is_bounded(&style));
        self.bounds_around += bounded;
        let mut flowed = self.flowed(id, room, floats, joins_top)?;
        self.bounds_around -= bounded;
        // The margin below the last child collapses with that of the box, unless a border, padding, a given height or a
        // new formatting context separates them (8.3.1).
        let auto = height.is_none();
        let joins_bottom = !alone && border[BOTTOM] == 0.0 && padding[BOTTOM] == 0.0 && auto;
        let mut natural = flowed.height;
        if !joins_bottom {
            natural += flowed.end.sum();
            flowed.end = Margin::default();
        }
        // A formatting context grows around its floats (10.6.7).
        if alone && let Some(bottom) = floats.bottom() {
            natural = natural.max(bottom - room.origin.1);
        }
        // A list item without lines is still as high as the line of its marker.
        let marker = &self.boxes.get(id).marker;
        if marker.is_some() && flowed.baselines.is_none() {
            natural = natural.max(self.strut(&style).1);
        }
        let natural = natural.max(0.0) + edges;
        let used = self.used_height(input, natural);
        // If the minimum height ends below the last child, the child's margin no longer meets the parent's (8.3.1).
        if used > natural && joins_bottom {
            flowed.end = Margin::default();
        }
        let end = flowed.end;
        let made = Made::Box {
            id,
            style: style.clone(),
            border,
            padding,
            role,
        };
        let mut fragment = flowed.into_fragment(made, (width, used), (left, top));
        if let Some(legend) = legend {
            legend.add_to(&mut fragment, left);
        }
        if let Some((marker, own)) = marker {
            self.mark(&mut fragment, marker, own, top, left);
        }
        // The box's own margin and the margin of its last child collapse, also with the margin of the next sibling.
        let own = Margin::of(margins(&style, containing.width)[BOTTOM].unwrap_or(0.0));
        self.settle(&mut fragment, &style)?;
        Ok((fragment, end.with(own)))
    }

    /// Lays out the content of a block container: its block-level children, or its lines.
    fn flowed(
        &mut self,
        id: BoxId,
        room: Room,
        floats: &mut Floats,
        joins_top: bool,
    ) -> Result<Flowed> {
        let boxes = self.boxes;
        match &boxes.get(id).kind {
            BoxContent::Blocks(children) => {
                self.flow(self.style(id), children, room, floats, joins_top)
            }
            BoxContent::Lines(lines) => Ok(self.lines(id, lines, room, floats)?.into()),
            // These kinds are laid out by `independent` and have no flow of their own.
            BoxContent::Table(_) | BoxContent::Replaced(_) | BoxContent::Turned(..) => {
                Ok(Flowed::default())
            }
        }
    }

    /// Used height of a border box: the specified or the natural one, within the minimum and the maximum (CSS 2.2,
    /// 10.7).
    fn used_height(&self, input: LayoutInput, natural: f32) -> f32 {
        let wanted = input.height.unwrap_or(natural);
        // A height from `aspect-ratio` is a minimum that the content may exceed (CSS Sizing 4,
        // 6.2).
        let wanted = match self.grows(input.id) {
            true => wanted.max(natural),
            false => wanted,
        };
        self.bounded_height(input.id, wanted, input.containing)
    }

    /// Lays out the content of a multi-column container as one fragment as wide as a column. The content is these
    /// children, or the lines of a container that has no block children.
    pub(crate) fn column_flow(
        &mut self,
        id: BoxId,
        style: &Rc<Style>,
        children: &[BoxId],
        inner: Containing,
    ) -> Result<Fragment> {
        let mut floats = Floats::default();
        let boxes = self.boxes;
        self.bounds_around += 1;
        let room = Room {
            origin: (0.0, 0.0),
            width: inner.width,
            height: inner.height,
        };
        let flowed = match &boxes.get(id).kind {
            BoxContent::Lines(lines) => self.lines(id, lines, room, &mut floats)?.into(),
            _ => self.flow(style, children, room, &mut floats, false)?,
        };
        self.bounds_around -= 1;
        // The margin below the last child does not collapse with a margin outside of the columns, so it is part of the
        // height.
        let natural = flowed.height + flowed.end.sum();
        let height = floats.bottom().map_or(natural, |end| natural.max(end));
        let made = Made::Box {
            id: BoxId::NOBODY,
            style: Rc::new(style.inherited(Display::Block)),
            border: [0.0; 4],
            padding: [0.0; 4],
            role: Role::Flow,
        };
        Ok(flowed.into_fragment(made, (room.width, height.max(0.0)), (0.0, 0.0)))
    }

    /// Lays out block-level children one below another.
    ///
    /// `y` is the bottom edge of the last in-flow child, and `before` the margin below it, which can still collapse
    /// with the next one. A child whose own margins collapse through it (`Collapsing::through`) has no height and only
    /// adds to `before`. If `joins_top`, `at_top` is true up to the first other child: until then, the margin above was
    /// already applied outside the parent, and must not be applied again. Clearance (9.5.2) replaces the collapsed
    /// margin.
    fn flow(
        &mut self,
        parent: &Style,
        children: &[BoxId],
        room: Room,
        floats: &mut Floats,
        joins_top: bool,
    ) -> Result<Flowed> {
        let inner = room.containing();
        let mut made = Flowed::default();
        let (mut y, mut before, mut at_top) = (0.0_f32, Margin::default(), joins_top);
        for child in children.iter().copied() {
            let style = self.style(child).clone();
            // Only the static position of an out-of-flow box is recorded.
            if style.is_absolute() {
                let start = if at_top { y } else { y + before.sum() };
                made.pending.push(Pending {
                    id: child,
                    x: 0.0,
                    y: start,
                });
                continue;
            }
            if style.floats() {
                // A float begins at the current position, as if `before` could not collapse any more.
                let start = if at_top { y } else { y + before.sum() };
                let (x, top, fragment) = self.float(child, room, floats, start)?;
                push(&mut made, x, top, fragment);
                continue;
            }
            // The margin above an in-flow box collapses with `before`.
            let collapsing = self.collapsing(child, inner.width)?;
            let joined = before.with(collapsing.top);
            let mut top = if at_top { y } else { y + joined.sum() };
            let mut cleared = false;
            // Clearance pushes the box below floats, if it is not below them already (9.5.2).
            if let Some(clear) = floats.clear(style.clear) {
                let clear = clear - room.origin.1;
                if clear > top {
                    top = clear;
                    cleared = true;
                }
            }
            // A box without height between its margins is placed below the joined margin, which can still collapse with
            // the next one.
            if !cleared && collapsing.through {
                let own = margins(&style, inner.width)[BOTTOM].unwrap_or(0.0);
                before = joined.with(Margin::of(own));
                let (x, fragment, _) = self.in_flow(parent, child, room, floats, top)?;
                let (dx, dy) = relative_offset(&style, inner);
                push(&mut made, x + dx, top + dy, fragment);
                continue;
            }
            // Boxes with their own formatting context must not overlap floats (9.5).
            let is_beside = !floats.is_empty() && stands_alone(&style, &self.boxes.get(child).kind);
            let (x, top, fragment, end) = if is_beside {
                let (x, top, fragment) = self.beside(parent, child, room, floats, top)?;
                let own = margins(&style, inner.width)[BOTTOM].unwrap_or(0.0);
                (x, top, fragment, Margin::of(own))
            } else {
                let (x, fragment, end) = self.in_flow(parent, child, room, floats, top)?;
                (x, top, fragment, end)
            };
            let bottom = top + fragment.height;
            // The block takes its first baseline from the first child that has baselines, and its last from the last
            // such child.
            if let Some((first, last)) = fragment.baselines {
                let first = made.baselines.map_or(top + first, |known| known.0);
                made.baselines = Some((first, top + last));
            }
            let (dx, dy) = relative_offset(&style, inner);
            // The holder collects the child and its pending boxes, which then move to the result.
            let mut holder = Fragment::new(Made::Line, 0.0, 0.0);
            holder.add(x + dx, top + dy, fragment);
            made.pending.append(&mut holder.pending);
            made.children.append(&mut holder.children);
            y = bottom;
            self.reaches(y)?;
            before = end;
            at_top = false;
            // Floats that end above `y` are skipped by all later searches.
            floats.pass(room.origin.1 + y);
        }
        made.height = y;
        made.end = if at_top { Margin::default() } else { before };
        Ok(made)
    }

    /// Lays out a block-level box in the flow, with its border box starting at `top`. Returns its
    /// left edge, its fragment, and the margin below it.
    fn in_flow(
        &mut self,
        parent: &Style,
        id: BoxId,
        room: Room,
        floats: &mut Floats,
        top: f32,
    ) -> Result<(f32, Rc<Fragment>, Margin)> {
        let inner = room.containing();
        let node = self.boxes.get(id);
        let style = node.style.clone();
        let margin = margins(&style, inner.width);
        let fixed = margin[LEFT].unwrap_or(0.0) + margin[RIGHT].unwrap_or(0.0);
        if stands_alone(&style, &node.kind) {
            let fragment = self.formatting_root(id, inner, inner.width - fixed)?;
            let end = Margin::of(margin[BOTTOM].unwrap_or(0.0));
            let x = left_edge(parent, margin, inner.width, fragment.width);
            return Ok((x, fragment, end));
        }
        // The available width is the part of the containing block that the fixed margins leave (10.3.3).
        let width = self.width(id, inner.width, (inner.width - fixed).max(0.0), false)?;
        let input = LayoutInput {
            id,
            width,
            height: self.height_at(id, width, inner),
            containing: inner,
        };
        let x = left_edge(parent, margin, inner.width, width);
        let at = (room.origin.0 + x, room.origin.1 + top);
        let (fragment, end) = self.block(input, (floats, at), (false, Role::Flow))?;
        Ok((x, Rc::new(fragment), end))
    }

    /// Lays out a block-level box with a formatting context of its own, in the width `room` between its margins. If its
    /// width is `auto`, a table or rotated box shrinks to fit, and a box that is not replaced is as wide as `room`.
    fn formatting_root(&mut self, id: BoxId, inner: Containing, room: f32) -> Result<Rc<Fragment>> {
        let shrinks = matches!(
            self.boxes.get(id).kind,
            BoxContent::Table(_) | BoxContent::Turned(..)
        );
        self.sized_alone(id, inner, room, (shrinks, Role::Flow))
    }

    /// Lays out a box with a formatting context of its own at its used size. If its width is `auto`, a box that is
    /// neither replaced nor rotated shrinks to fit if `shrinks`, and otherwise is as wide as `room`.
    fn sized_alone(
        &mut self,
        id: BoxId,
        inner: Containing,
        room: f32,
        (shrinks, role): (bool, Role),
    ) -> Result<Rc<Fragment>> {
        let (width, height) = match self.boxes.get(id).kind {
            BoxContent::Replaced(_) => {
                let (width, height) = self.replaced_size(id, inner, false)?;
                (width, Some(height))
            }
            BoxContent::Turned(content, _) if self.style(id).width == Size::Auto => {
                let width = self.turned_width(id, content, inner.height)?;
                let width = self.bounded_width(id, width, inner.width)?;
                (width, self.fixed_height(id, inner))
            }
            _ => {
                let width = self.width(id, inner.width, room.max(0.0), shrinks)?;
                (width, self.height_at(id, width, inner))
            }
        };
        let input = LayoutInput {
            id,
            width,
            height,
            containing: inner,
        };
        self.independent(input, role)
    }
}

/// Adds a child at this position, and passes its pending absolutely positioned boxes on to `made`.
fn push(made: &mut Flowed, x: f32, y: f32, fragment: Rc<Fragment>) {
    made.pending
        .extend(fragment.pending.iter().map(|pending| Pending {
            id: pending.id,
            x: pending.x + x,
            y: pending.y + y,
        }));
    made.children.push(Child { x, y, fragment });
}

/// Left edge of a block's border box in its container (CSS 2.2, 10.3.3): `auto` margins share the space that is left.
/// If both margins are fixed, the container's `align` attribute decides, which in HTML also aligns blocks (HTML,
/// 15.3.3), or else its direction.
fn left_edge(parent: &Style, margin: [Option<f32>; 4], room: f32, width: f32) -> f32 {
    let left_over = room - width - margin[LEFT].unwrap_or(0.0) - margin[RIGHT].unwrap_or(0.0);
    match (margin[LEFT], margin[RIGHT]) {
        (None, None) => (left_over / 2.0).max(0.0),
        (None, Some(_)) => left_over.max(0.0),
        (Some(left), None) => left,
        (Some(left), Some(_)) => {
            left + match parent.text.align {
                TextAlign::BlockCenter => (left_over / 2.0).max(0.0),
                TextAlign::BlockRight => left_over.max(0.0),
                _ if parent.is_rtl() => left_over,
                _ => 0.0,
            }
        }
    }
}
