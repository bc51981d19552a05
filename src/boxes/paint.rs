//! Paints a page of the strip of fragments, as items of [`layout`](convertd_layout): what stands in front of what (CSS 2.2,
//! appendix E). Gives nothing a place.

use super::{
    backdrop::Album,
    decor::{self, Frame},
    extents::Extents,
    fragment::{Child, Fragment, Kind, Role},
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

/// Limit on the nesting of stacking contexts.
const DEEPEST: usize = 400;

/// Visible area of a box's content.
#[derive(Clone, Copy)]
pub(crate) struct Clip {
    pub area: Area,
    /// An area with round corners, the innermost one if there are several.
    round: Option<(Area, [(f32, f32); 4])>,
}

impl Clip {
    /// The outlines that all of it is within.
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

/// A fragment, where it stands on the page in px.
#[derive(Clone, Copy)]
pub(crate) struct Node<'f> {
    pub fragment: &'f Fragment,
    pub x: f32,
    pub y: f32,
    pub clip: Option<Clip>,
    pub silent: bool,
    pub around: Around,
}

impl Node<'_> {
    /// The box with its border.
    pub(crate) fn area(&self) -> Area {
        Area {
            x: self.x,
            y: self.y,
            width: self.fragment.width,
            height: self.fragment.height,
        }
    }
}

/// Content of a stacking context, by painting order.
#[derive(Default)]
struct Layers<'f> {
    blocks: Vec<Node<'f>>,
    floats: Vec<Node<'f>>,
    inlines: Vec<Node<'f>>,
    /// Boxes that are positioned, with their `z-index`.
    placed: Vec<((i32, BoxId), Node<'f>)>,
}

/// Clips and transforms that boxes around impose on a box.
#[derive(Clone, Copy, Default)]
pub(crate) struct Around {
    /// The matrix of the eye of the box around, in px of the page.
    pub(super) eye: Option<Space>,
    /// The matrix of the box around, if that keeps its content in space, in points of the page.
    pub space: Option<Space>,
}

/// Paints pages.
pub(crate) struct Painter<'p> {
    pub boxes: &'p Boxes,
    pub faces: &'p Faces<'p>,
    pub extents: &'p Extents,
    /// The height of the page's content in px.
    pub height: f32,
    /// Origin of the content on the page, in points.
    pub origin: (f32, f32),
    /// Points of a px.
    pub scale: f32,
    pub backgrounds: bool,
    /// Left edge of the page from the start of its content, in px, if content beyond it is hidden.
    pub left: Option<f32>,
    /// Right edge of the page from the start of its content, in px.
    pub right: f32,
    /// Something stands beyond that.
    pub cut: bool,
    /// The fragment whose background is painted behind the page.
    pub canvas: Option<*const Fragment>,
    pub album: Album<'p>,
    pub items: Vec<Item>,
    pub depth: usize,
}

impl<'p> Painter<'p> {
    /// Paints a fragment and all that is in it; its upper left corner stands at this place of the page's content.
    pub(crate) fn paint(&mut self, fragment: &Fragment, x: f32, y: f32) {
        let node = Node {
            fragment,
            x,
            y,
            clip: None,
            silent: false,
            around: Around::default(),
        };
        self.context(node);
    }

    fn is_on_page(&self, node: &Node<'_>) -> bool {
        let known = self.extents.of(node.fragment);
        known.is_none_or(|(top, bottom)| node.y + bottom >= 0.0 && node.y + top <= self.height)
    }

    /// The children of a fragment, without those far from the page.
    fn seen<'f>(&self, node: &Node<'f>) -> impl Iterator<Item = &'f Child> {
        self.extents
            .seen(node.fragment, -node.y, self.height - node.y)
    }

    /// Paints a stacking context, or what is painted like one.
    pub(crate) fn context(&mut self, node: Node<'_>) {
        if self.depth > DEEPEST || !self.is_on_page(&node) {
            return;
        }
        let is_box = matches!(node.fragment.kind, Kind::Box { .. });
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
        let view = self.view(&style, &node);
        let outside = std::mem::take(&mut self.items);
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

    /// Groups the items of a box that is painted as a whole: with opacity, and clipped to a shape.
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

    fn layers<'f>(&mut self, node: Node<'f>) {
        let mut layers = Layers::default();
        if !matches!(node.fragment.kind, Kind::Box { .. }) {
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
        // Boxes are numbered in the order of the page, and one that was placed by itself comes here later than its turn.
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

    /// The node for what is in a box: what hangs out of it may not be seen.
    fn inside<'f>(&self, node: &Node<'f>) -> Node<'f> {
        let mut inside = *node;
        if let Kind::Box { style, border, .. } = &node.fragment.kind {
            inside.around = match style.is_in_space() {
                true => self.around(style, node),
                false => Around::default(),
            };
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
        inside.silent |= matches!(node.fragment.kind, Kind::Repeated);
        inside
    }

    /// Puts a fragment and what is in it where it belongs.
    fn sort<'f>(&self, node: Node<'f>, layers: &mut Layers<'f>) {
        if !self.is_on_page(&node) {
            return;
        }
        match &node.fragment.kind {
            Kind::Box {
                id, style, role, ..
            } => {
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
            Kind::Line | Kind::Repeated | Kind::Columns(_) => {}
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

    pub(crate) fn point(&self, x: f32, y: f32) -> (f32, f32) {
        (
            self.origin.0 + x * self.scale,
            self.origin.1 + y * self.scale,
        )
    }

    pub(crate) fn area(&self, area: Area) -> Area {
        let (x, y) = self.point(area.x, area.y);
        Area {
            x,
            y,
            width: area.width * self.scale,
            height: area.height * self.scale,
        }
    }

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

    /// Adds items that are seen within the clip and the page alone.
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
        let page = Area {
            x: -1e5,
            y: 0.0,
            width: 2e5,
            height: self.height,
        };
        let room = clip.map_or(page, |clip| decor::common(clip.area, page));
        let seen = decor::common(bounds, room);
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

/// The area that the shape of a box is measured in.
fn shape_area(style: &Style, node: &Node<'_>) -> Area {
    let area = node.area();
    let Kind::Box {
        border, padding, ..
    } = &node.fragment.kind
    else {
        return area;
    };
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

/// A colour without its opacity.
pub(crate) fn opaque(colour: Rgba) -> Colour {
    let [red, green, blue] = colour.rgb;
    Colour(red, green, blue)
}

/// Whether a fragment is fixed to the page.
pub(crate) fn fixed(fragment: &Fragment) -> bool {
    fragment.style().is_some_and(|style| is_fixed(style))
}
