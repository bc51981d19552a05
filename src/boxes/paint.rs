//! Painting: turns a slice of the fragment tree into the items of a page, in the painting order of
//! CSS 2.2, appendix E. Places nothing.
//!
//! The descendants of a stacking context are sorted into layers (negative `z-index`, blocks,
//! floats, inlines, positioned), which are then painted in turn. Fragments outside of the page are
//! skipped early by their extents.

use super::{
    backdrop::Album,
    decor::{self, Frame},
    extents::Extents,
    fragment::{Child, Fragment, FragmentContent, Role},
    generate::is_fixed,
    outlines::{rectangle, rounded},
    tree::{BoxId, Boxes},
};
use convertd_layout::{
    faces::Faces,
    item::{Area, Item, Segment},
};
use convertd_markup::css::{
    rgba::Rgba,
    space::Space,
    style::{Overflow, ShapeBox, Size, Style},
};
use convertd_tree::Colour;
use std::rc::Rc;

/// Limit on nested stacking contexts, against deep recursion. Deeper contexts are left out.
const DEEPEST: usize = 400;

/// Clip that enclosing boxes with `overflow` impose, in px of the page.
#[derive(Clone, Copy)]
pub(crate) struct Clip {
    /// Intersection of all clipping rectangles.
    pub area: Area,
    /// Rounded clip of the innermost box that has a rounded clip.
    round: Option<(Area, [(f32, f32); 4])>,
}

impl Clip {
    /// Outlines whose intersection is the clip.
    pub(crate) fn outlines(&self) -> Vec<Vec<Segment>> {
        let round = self.round.map(|(area, radii)| rounded(area, radii));
        [rectangle(self.area)].into_iter().chain(round).collect()
    }

    /// Intersects a clip with an area.
    pub(crate) fn within(clip: Option<Self>, area: Area) -> Self {
        Self {
            area: clip.map_or(area, |clip| decor::common(clip.area, area)),
            round: clip.and_then(|clip| clip.round),
        }
    }
}

/// A fragment to be painted, with its position on the page in px.
#[derive(Clone, Copy)]
pub(crate) struct Node<'f> {
    pub fragment: &'f Fragment,
    pub x: f32,
    pub y: f32,
    /// Clip for this fragment.
    pub clip: Option<Clip>,
    /// Whether the text belongs to no structure element, because it is in a copy of a repeated table header.
    pub silent: bool,
    /// 3D transforms of enclosing boxes.
    pub around: SurroundingTransforms,
}

impl Node<'_> {
    /// Border box.
    pub(crate) fn area(&self) -> Area {
        Area {
            x: self.x,
            y: self.y,
            width: self.fragment.width,
            height: self.fragment.height,
        }
    }
}

/// Descendants of a stacking context by painting layer.
#[derive(Default)]
struct Layers<'f> {
    blocks: Vec<Node<'f>>,
    floats: Vec<Node<'f>>,
    inlines: Vec<Node<'f>>,
    /// Positioned boxes and stacking contexts, with `z-index` and box number.
    placed: Vec<((i32, BoxId), Node<'f>)>,
}

/// 3D transforms that enclosing boxes impose.
#[derive(Clone, Copy, Default)]
pub(crate) struct SurroundingTransforms {
    /// Perspective of the parent box, in px of the page.
    pub(super) eye: Option<Space>,
    /// Accumulated transform of the parent box if it has `transform-style: preserve-3d`, in points
    /// of the page.
    pub space: Option<Space>,
}

/// State of painting one page: the input, the geometry of the page, and the items so far.
pub(crate) struct Painter<'p> {
    // The input.
    pub boxes: &'p Boxes,
    pub faces: &'p Faces<'p>,
    pub extents: &'p Extents,
    // The geometry of the page.
    /// Height of the page's content area, in px; the width is unlimited.
    pub height: f32,
    /// Origin of the content on the page, in points.
    pub origin: (f32, f32),
    /// Points per px, for instance 0.75 at 100 %.
    pub scale: f32,
    /// Whether backgrounds and shadows are painted.
    pub backgrounds: bool,
    /// Left edge of the page, in px from the origin. Only set if lines may begin to the left of the page.
    pub left: Option<f32>,
    /// Right edge of the page, in px from the origin.
    pub right: f32,
    /// Whether content lies beyond the right edge.
    pub cut: bool,
    // Fragments that are painted elsewhere, and the progress of painting.
    /// Fragment whose background is propagated to the canvas, and not painted in place.
    pub canvas: Option<*const Fragment>,
    pub album: Album<'p>,
    pub items: Vec<Item>,
    /// Depth of stacking contexts.
    pub depth: usize,
}

impl<'p> Painter<'p> {
    /// Paints a fragment tree with its corner at this position in the page's content area, in px.
    pub(crate) fn paint(&mut self, fragment: &Fragment, x: f32, y: f32) {
        let node = Node {
            fragment,
            x,
            y,
            clip: None,
            silent: false,
            around: SurroundingTransforms::default(),
        };
        self.context(node);
    }

    /// Returns whether a fragment may be visible on the page.
    fn is_on_page(&self, node: &Node<'_>) -> bool {
        let known = self.extents.of(node.fragment);
        known.is_none_or(|(top, bottom)| node.y + bottom >= 0.0 && node.y + top <= self.height)
    }

    /// Children of a fragment that may be visible on the page.
    fn seen<'f>(&self, node: &Node<'f>) -> impl Iterator<Item = &'f Child> {
        self.extents
            .seen(node.fragment, -node.y, self.height - node.y)
    }

    /// Paints a stacking context, or a box that is painted like one, with its transform, opacity
    /// and clip path.
    pub(crate) fn context(&mut self, node: Node<'_>) {
        if self.depth > DEEPEST || !self.is_on_page(&node) {
            return;
        }
        let is_box = matches!(node.fragment.kind, FragmentContent::Box { .. });
        // A fragment without a box of its own has no effects.
        let Some(style) = node.fragment.style().cloned().filter(|_| is_box) else {
            self.depth += 1;
            self.layers(node);
            self.depth -= 1;
            return;
        };
        if style.opacity <= 0.0 {
            return;
        }
        self.depth += 1;
        // The items of the context are collected separately, so that its effects apply to them as a group.
        let view = self.view(&style, &node);
        let outside = std::mem::take(&mut self.items);
        // A transformed box is clipped outside of its transform; see `seen_as`.
        let clip = node.clip.filter(|_| view.is_some());
        self.layers(Node {
            clip: if clip.is_some() { None } else { node.clip },
            ..node
        });
        let inside = std::mem::replace(&mut self.items, outside);
        let mut inside = self.grouped(inside, &style, &node);
        match view {
            Some(view) if !inside.is_empty() => self.seen_as(view, inside, clip),
            _ => self.items.append(&mut inside),
        }
        self.depth -= 1;
    }

    /// Applies opacity and `clip-path`, which affect a box with its descendants as a whole.
    fn grouped(&self, mut items: Vec<Item>, style: &Style, node: &Node<'_>) -> Vec<Item> {
        if items.is_empty() {
            return items;
        }
        if style.opacity < 1.0 {
            items = vec![Item::Faded {
                opacity: style.opacity,
                items,
            }];
        }
        if let Some(shape) = &style.clip_path {
            let path = self.path(&decor::shape(shape, shape_area(style, node)));
            items = vec![Item::Clipped { path, items }];
        }
        items
    }

    /// Paints the layers of a stacking context, back to front (CSS 2.2, appendix E): its own
    /// background, negative `z-index`, blocks, floats, inlines, then `z-index` 0 and above.
    fn layers<'f>(&mut self, node: Node<'f>) {
        let mut layers = Layers::default();
        if !matches!(node.fragment.kind, FragmentContent::Box { .. }) {
            self.sort(node, &mut layers);
        } else {
            let inside = self.inside(&node);
            for child in self.seen(&node) {
                self.sort(
                    Node {
                        fragment: &child.fragment,
                        x: node.x + child.x,
                        y: node.y + child.y,
                        ..inside
                    },
                    &mut layers,
                );
            }
            self.block(&node);
        }
        // Boxes with the same `z-index` are painted in tree order, which is the order of their numbers. They must be
        // sorted, because absolutely positioned boxes were added in another order.
        layers.placed.sort_by_key(|(order, _)| *order);
        let split = layers.placed.partition_point(|((z, _), _)| *z < 0);
        let above = layers.placed.split_off(split);
        layers
            .placed
            .iter()
            .for_each(|(_, node)| self.context(*node));
        layers.blocks.iter().for_each(|node| self.block(node));
        layers.floats.iter().for_each(|node| self.context(*node));
        layers.inlines.iter().for_each(|node| self.inline(node));
        above.iter().for_each(|(_, node)| self.context(*node));
    }

    /// Node for the children of a box: adds its clip if it hides overflow, and its perspective.
    fn inside<'f>(&self, node: &Node<'f>) -> Node<'f> {
        let mut inside = *node;
        if let FragmentContent::Box { style, border, .. } = &node.fragment.kind {
            // The perspective of a box applies only to its direct children.
            inside.around = match style.is_in_space() {
                true => self.around(style, node),
                false => SurroundingTransforms::default(),
            };
            // Overflow is clipped to the padding box, with its inner radii (CSS Overflow 3, 3).
            if style.overflow != Overflow::Visible {
                let area = node.area();
                let own = decor::within(area, border);
                let mut clip = Clip::within(node.clip, own);
                let frame = Frame {
                    area,
                    style: style.clone(),
                    border: *border,
                    padding: [0.0; 4],
                };
                if frame.is_round() {
                    clip.round = Some((own, frame.radii_within(own)));
                }
                inside.clip = Some(clip);
            }
        }
        inside.silent |= matches!(node.fragment.kind, FragmentContent::Repeated);
        inside
    }

    /// Sorts a fragment and its descendants into the layers of the current stacking context.
    ///
    /// Positioned boxes and nested contexts are sorted as a whole; they paint their descendants
    /// themselves. Floats and inlines do the same, as if they were contexts (appendix E, 2).
    fn sort<'f>(&self, node: Node<'f>, layers: &mut Layers<'f>) {
        if !self.is_on_page(&node) {
            return;
        }
        match &node.fragment.kind {
            FragmentContent::Box {
                id, style, role, ..
            } => {
                // Boxes with the same `z-index` are painted in tree order, which is that of their numbers.
                if style.is_positioned() || style.is_stacking_context() {
                    let order = (style.z_index.unwrap_or(0), *id);
                    return layers.placed.push((order, node));
                }
                match role {
                    Role::Float => return layers.floats.push(node),
                    Role::Atomic => return layers.inlines.push(node),
                    _ => layers.blocks.push(node),
                }
            }
            // These fragments paint nothing themselves.
            FragmentContent::Line | FragmentContent::Repeated | FragmentContent::Columns(_) => {}
            _ => return layers.inlines.push(node),
        }
        let inside = self.inside(&node);
        for child in self.seen(&node) {
            let child = Node {
                fragment: &child.fragment,
                x: node.x + child.x,
                y: node.y + child.y,
                ..inside
            };
            self.sort(child, layers);
        }
    }

    /// Converts a point from px of the content area to points of the page.
    pub(crate) fn point(&self, x: f32, y: f32) -> (f32, f32) {
        (
            self.origin.0 + x * self.scale,
            self.origin.1 + y * self.scale,
        )
    }

    /// Converts a rectangle in the same way.
    pub(crate) fn area(&self, area: Area) -> Area {
        let (x, y) = self.point(area.x, area.y);
        Area {
            x,
            y,
            width: area.width * self.scale,
            height: area.height * self.scale,
        }
    }

    /// Converts an outline in the same way.
    pub(crate) fn path(&self, path: &[Segment]) -> Rc<[Segment]> {
        let at = |point: (f32, f32)| self.point(point.0, point.1);
        let of = |segment: &Segment| match *segment {
            Segment::Move(to) => Segment::Move(at(to)),
            Segment::Line(to) => Segment::Line(at(to)),
            Segment::Curve(one, other, to) => Segment::Curve(at(one), at(other), at(to)),
            Segment::Close => Segment::Close,
        };
        path.iter().map(of).collect()
    }

    /// Adds items with their bounds in px. Invisible items are dropped, and items that extend beyond the page or the
    /// clip are clipped. `colour` gives their opacity.
    pub(crate) fn show(
        &mut self,
        items: Vec<Item>,
        bounds: Area,
        clip: Option<Clip>,
        colour: Rgba,
    ) {
        if items.is_empty() || colour.alpha <= 0.0 {
            return;
        }
        // The page has no limit at the sides, because the paper itself cuts content off.
        let page = Area {
            x: -1e5,
            y: 0.0,
            width: 2e5,
            height: self.height,
        };
        let room = clip.map_or(page, |clip| decor::common(clip.area, page));
        let seen = decor::common(bounds, room);
        // An item without width or height is painted, because it may be a line.
        if seen.width <= 0.0 && bounds.width > 0.0 || seen.height <= 0.0 && bounds.height > 0.0 {
            return;
        }
        let mut items = items;
        if colour.alpha < 1.0 {
            items = vec![Item::Faded {
                opacity: colour.alpha,
                items,
            }];
        }
        // Items within `room` need no clip. The tolerance hides rounding.
        let inside = bounds.x >= room.x - 0.1
            && bounds.y >= room.y - 0.1
            && bounds.x + bounds.width <= room.x + room.width + 0.1
            && bounds.y + bounds.height <= room.y + room.height + 0.1;
        if !inside {
            let outline = rectangle(decor::common(room, decor::grown(bounds, 2.0)));
            items = vec![Item::Clipped {
                path: self.path(&outline),
                items,
            }];
        }
        if let Some((area, radii)) = clip.and_then(|clip| clip.round)
            && !decor::is_clear_of_corners(bounds, area, radii)
        {
            let path = self.path(&rounded(area, radii));
            items = vec![Item::Clipped { path, items }];
        }
        self.items.extend(items);
    }
}

/// Reference box of `clip-path` (CSS Masking 1, 5.1).
fn shape_area(style: &Style, node: &Node<'_>) -> Area {
    let area = node.area();
    let FragmentContent::Box {
        border, padding, ..
    } = &node.fragment.kind
    else {
        return area;
    };
    // Distances of the reference box from the border box. The margin box is outside of it.
    let inset: [f32; 4] = std::array::from_fn(|side| match style.clip_box {
        ShapeBox::Border => 0.0,
        ShapeBox::Padding => border[side],
        ShapeBox::Content => border[side] + padding[side],
        ShapeBox::Margin => match &style.margin[side] {
            Size::Length(length) => -length.of(0.0),
            _ => 0.0,
        },
    });
    decor::within(area, &inset)
}

/// Colour without its alpha, which is applied separately.
pub(crate) fn opaque(colour: Rgba) -> Colour {
    let [red, green, blue] = colour.rgb;
    Colour(red, green, blue)
}

/// Returns whether a fragment is fixed to the page.
pub(crate) fn fixed(fragment: &Fragment) -> bool {
    fragment.style().is_some_and(|style| is_fixed(style))
}
