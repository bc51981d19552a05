//! Paints a page of the strip of fragments, as items of [`layout`](crate::document::layout): what stands in front of what (CSS 2.2,
//! appendix E). Gives nothing a place.

use super::{
    decor::{self, Frame},
    extents::Extents,
    fragment::{Child, Fragment, Kind, Role, TableRole},
    generate::is_fixed,
    tree::{BoxId, Boxes},
};
use crate::document::{
    css::{
        colour::Rgba,
        style::{Overflow, Style, Visibility},
    },
    layout::{
        faces::Faces,
        item::{Area, Belongs, Item, Pen, Segment},
        word::Word,
    },
    tree::Colour,
};
use std::{collections::HashMap, rc::Rc};

/// How deep contexts may stand in one another.
const DEEPEST: usize = 400;

/// A fragment, where it stands on the page in px.
#[derive(Clone, Copy)]
struct Node<'f> {
    fragment: &'f Fragment,
    x: f32,
    y: f32,
    clip: Option<Area>,
    silent: bool,
}

/// What a stacking context holds, by the order in which it is painted.
#[derive(Default)]
struct Layers<'f> {
    blocks: Vec<Node<'f>>,
    floats: Vec<Node<'f>>,
    inlines: Vec<Node<'f>>,
    /// Boxes that are positioned, with their `z-index`.
    placed: Vec<((i32, BoxId), Node<'f>)>,
}

/// Paints pages.
pub(super) struct Painter<'p> {
    pub(super) boxes: &'p Boxes,
    pub(super) faces: &'p Faces<'p>,
    pub(super) extents: &'p Extents,
    /// The height of the page's content in px.
    pub(super) height: f32,
    /// Where the content begins on the page, in points.
    pub(super) origin: (f32, f32),
    /// Points of a px.
    pub(super) scale: f32,
    pub(super) backgrounds: bool,
    /// Where the page ends at the right, from where its content begins, in px.
    pub(super) right: f32,
    /// Something stands beyond that.
    pub(super) cut: bool,
    /// The fragment whose background is painted behind the page.
    pub(super) canvas: Option<*const Fragment>,
    pub(super) sizes: &'p dyn Fn(usize) -> Option<(f32, f32)>,
    pub(super) backdrops: &'p HashMap<Rc<str>, usize>,
    pub(super) items: Vec<Item>,
    pub(super) depth: usize,
}

impl<'p> Painter<'p> {
    /// Paints a fragment and all that is in it; its upper left corner stands at this place of the page's content.
    pub(super) fn paint(&mut self, fragment: &Fragment, x: f32, y: f32) {
        let node = Node {
            fragment,
            x,
            y,
            clip: None,
            silent: false,
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
    fn context(&mut self, node: Node<'_>) {
        if self.depth > DEEPEST || !self.is_on_page(&node) {
            return;
        }
        self.depth += 1;
        let style = node.fragment.style().cloned();
        let is_box = matches!(node.fragment.kind, Kind::Box { .. });
        let opacity = style
            .as_ref()
            .filter(|_| is_box)
            .map_or(1.0, |style| style.opacity);
        let matrix = style
            .as_ref()
            .filter(|_| is_box)
            .and_then(|style| self.matrix(style, &node));
        if opacity <= 0.0 {
            self.depth -= 1;
            return;
        }
        let outside = std::mem::take(&mut self.items);
        self.layers(node);
        let mut inside = std::mem::replace(&mut self.items, outside);
        if opacity < 1.0 && !inside.is_empty() {
            inside = vec![Item::Faded {
                opacity,
                items: inside,
            }];
        }
        match matrix {
            Some(matrix) if !inside.is_empty() => {
                let (links, shown): (Vec<Item>, Vec<Item>) = inside.into_iter().partition(|item| {
                    matches!(
                        item,
                        Item::Link { .. } | Item::Anchor { .. } | Item::Outline { .. }
                    )
                });
                self.items.extend(links);
                self.items.push(Item::Moved {
                    matrix,
                    items: shown,
                });
            }
            _ => self.items.append(&mut inside),
        }
        self.depth -= 1;
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
        if let Kind::Box { style, border, .. } = &node.fragment.kind
            && style.overflow != Overflow::Visible
        {
            let own = Area {
                x: node.x + border[3],
                y: node.y + border[0],
                width: (node.fragment.width - border[1] - border[3]).max(0.0),
                height: (node.fragment.height - border[0] - border[2]).max(0.0),
            };
            inside.clip = Some(node.clip.map_or(own, |clip| decor::common(clip, own)));
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

    fn point(&self, x: f32, y: f32) -> (f32, f32) {
        (
            self.origin.0 + x * self.scale,
            self.origin.1 + y * self.scale,
        )
    }

    fn area(&self, area: Area) -> Area {
        let (x, y) = self.point(area.x, area.y);
        Area {
            x,
            y,
            width: area.width * self.scale,
            height: area.height * self.scale,
        }
    }

    fn path(&self, path: &[Segment]) -> Rc<[Segment]> {
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
    fn show(&mut self, items: Vec<Item>, bounds: Area, clip: Option<Area>, colour: Rgba) {
        if items.is_empty() || colour.alpha <= 0.0 {
            return;
        }
        let page = Area {
            x: -1e5,
            y: 0.0,
            width: 2e5,
            height: self.height,
        };
        let room = clip.map_or(page, |clip| decor::common(clip, page));
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
            let outline = decor::rectangle(decor::common(room, decor::grown(bounds, 2.0)));
            items = vec![Item::Clipped {
                path: self.path(&outline),
                items,
            }];
        }
        self.items.extend(items);
    }

    /// The background and the border of a block.
    fn block(&mut self, node: &Node<'_>) {
        let fragment = node.fragment;
        let Kind::Box {
            id,
            style,
            border,
            padding,
            role,
        } = &fragment.kind
        else {
            return;
        };
        if let Some(own) = self.boxes.find(*id)
            && node.y >= -0.1
            && node.y < self.height
        {
            let y = self.point(0.0, node.y).1;
            if let Some(name) = &own.anchor {
                self.items.push(Item::Anchor {
                    name: name.clone(),
                    y,
                });
            }
            if let Some(entry) = own.outline {
                self.items.push(Item::Outline { entry, y });
            }
        }
        if style.text.visibility != Visibility::Visible {
            return;
        }
        let area = Area {
            x: node.x,
            y: node.y,
            width: fragment.width,
            height: fragment.height,
        };
        let collapses = matches!(role, Role::Table(TableRole::Cell(Some(_))))
            || matches!(role, Role::Table(TableRole::Table))
                && style.text.border_collapse
                    == crate::document::css::style::BorderCollapse::Collapse;
        let frame = Frame {
            area,
            style: style.clone(),
            border: *border,
            padding: *padding,
        };
        let on_canvas = self.canvas == Some(std::ptr::from_ref(fragment));
        if *id == BoxId::NOBODY && matches!(role, Role::Flow | Role::Table(_)) {
            return self.behind_cells(&frame, node);
        }
        if let Some(column) = self.boxes.find(*id).and_then(|own| own.column.clone())
            && self.backgrounds
        {
            let behind = Frame {
                style: column,
                border: [0.0; 4],
                padding: [0.0; 4],
                ..frame
            };
            self.backdrop(&behind, node.clip);
        }
        self.frame(&frame, node, !collapses, !on_canvas);
        if let Role::Table(TableRole::Cell(Some(borders))) = role {
            let shown = decor::collapsed(area, borders, style.text.colour);
            for (path, colour) in shown {
                let item = Item::Path {
                    path: self.path(&path),
                    colour: opaque(colour),
                };
                self.show(vec![item], decor::grown(area, 5.0), node.clip, colour);
            }
        }
    }

    /// The background of a row or of a group of rows, which is seen behind its cells, but not between them (CSS 2.2, 17.5.1).
    fn behind_cells(&mut self, frame: &Frame, node: &Node<'_>) {
        let style = &frame.style;
        if !self.backgrounds
            || style.layers.is_empty() && style.background.or(style.text.colour).is_clear()
        {
            return;
        }
        let mut cells = Vec::new();
        cells_of(node.fragment, node.x, node.y, &mut cells);
        for cell in cells {
            let area = decor::common(cell, frame.area);
            if style.layers.is_empty() {
                let own = Frame {
                    area,
                    style: style.clone(),
                    ..*frame
                };
                self.backdrop(&own, node.clip);
            } else {
                let clip = node.clip.map_or(area, |clip| decor::common(clip, area));
                self.backdrop(frame, Some(clip));
            }
        }
    }

    /// Shadows, background, border and outline of a box.
    fn frame(&mut self, frame: &Frame, node: &Node<'_>, bordered: bool, filled: bool) {
        let style = &frame.style;
        let current = style.text.colour;
        if self.backgrounds {
            for (path, colour) in decor::shadows(frame) {
                let item = Item::Path {
                    path: self.path(&path),
                    colour: opaque(colour),
                };
                let item = Item::Clipped {
                    path: self.path(&decor::outside(frame.area)),
                    items: vec![item],
                };
                self.show(vec![item], decor::bounds(&path), node.clip, colour);
            }
        }
        if self.backgrounds && filled {
            self.backdrop(frame, node.clip);
        }
        if bordered {
            for (path, colour) in decor::borders(frame) {
                let item = Item::Path {
                    path: self.path(&path),
                    colour: opaque(colour),
                };
                self.show(vec![item], decor::bounds(&path), node.clip, colour);
            }
        }
        if style.outline.width() > 0.0 {
            let colour = style.outline.colour.or(current);
            let item = Item::Path {
                path: self.path(&decor::outline(frame)),
                colour: opaque(colour),
            };
            let around = style.outline.width() + style.outline_offset.max(0.0);
            self.show(
                vec![item],
                decor::grown(frame.area, around),
                node.clip,
                colour,
            );
        }
    }

    /// The colour and the pictures behind a box.
    fn backdrop(&mut self, frame: &Frame, clipped: Option<Area>) {
        let style = frame.style.clone();
        let colour = style.background.or(style.text.colour);
        if !colour.is_clear() {
            let clip = frame.clip();
            let item = match frame.is_round() {
                true => Item::Path {
                    path: self.path(&frame.outline(clip)),
                    colour: opaque(colour),
                },
                false => {
                    let page = Area {
                        x: clip.x,
                        y: 0.0,
                        width: clip.width,
                        height: self.height,
                    };
                    Item::Fill {
                        area: self.area(decor::common(clip, page)),
                        colour: opaque(colour),
                    }
                }
            };
            let bounds = match frame.is_round() {
                true => clip,
                false => decor::common(
                    clip,
                    Area {
                        x: clip.x,
                        y: 0.0,
                        width: clip.width,
                        height: self.height,
                    },
                ),
            };
            self.show(vec![item], bounds, clipped, colour);
        }
        for layer in style.layers.iter().rev() {
            let items = decor::layer(frame, layer, self.sizes, self.backdrops);
            let mut shown = Vec::new();
            for item in items {
                shown.push(match item {
                    decor::Drawn::Path(path, colour) => {
                        let item = Item::Path {
                            path: self.path(&path),
                            colour: opaque(colour),
                        };
                        match colour.alpha < 1.0 {
                            true => Item::Faded {
                                opacity: colour.alpha,
                                items: vec![item],
                            },
                            false => item,
                        }
                    }
                    decor::Drawn::Picture(area, number) => Item::Picture {
                        area: self.area(area),
                        number,
                        belongs: Belongs::Layout,
                    },
                });
            }
            if !shown.is_empty() {
                let item = Item::Clipped {
                    path: self.path(&frame.outline(frame.clip())),
                    items: shown,
                };
                self.show(vec![item], frame.clip(), clipped, Rgba::BLACK);
            }
        }
    }

    /// Paints the background of the whole page, so wide in px.
    pub(super) fn canvas(&mut self, style: &Rc<Style>, width: f32) {
        let plain = Style {
            text: style.text.clone(),
            background: style.background,
            layers: style.layers.clone(),
            ..Style::default()
        };
        let frame = Frame {
            area: Area {
                x: 0.0,
                y: 0.0,
                width,
                height: self.height,
            },
            style: Rc::new(plain),
            border: [0.0; 4],
            padding: [0.0; 4],
        };
        if self.backgrounds {
            self.backdrop(&frame, None);
        }
    }

    /// What stands on a line.
    fn inline(&mut self, node: &Node<'_>) {
        let fragment = node.fragment;
        let area = Area {
            x: node.x,
            y: node.y,
            width: fragment.width,
            height: fragment.height,
        };
        match &fragment.kind {
            Kind::Box { .. } => self.context(*node),
            Kind::Text {
                pen,
                words,
                style,
                node: owner,
                link,
            } => {
                if style.text.visibility == Visibility::Visible {
                    let belongs = if node.silent
                        || *owner == crate::document::layout::structure::NodeId::DOCUMENT
                    {
                        Belongs::Layout
                    } else {
                        Belongs::To(*owner)
                    };
                    self.text(node, *pen, words, style, belongs);
                    if let Some(link) = link {
                        let area = Area {
                            x: node.x,
                            y: node.y - pen.size * 0.9,
                            width: fragment.width,
                            height: pen.size * 1.15,
                        };
                        self.link(area, *link);
                    }
                }
            }
            Kind::Inline { style, border } => {
                if style.text.visibility == Visibility::Visible {
                    let frame = Frame {
                        area,
                        style: style.clone(),
                        border: *border,
                        padding: [0.0; 4],
                    };
                    self.frame(&frame, node, true, true);
                }
            }
            Kind::Picture {
                number,
                node: owner,
                link,
            } => {
                let belongs = if node.silent
                    || *owner == crate::document::layout::structure::NodeId::DOCUMENT
                {
                    Belongs::Layout
                } else {
                    Belongs::To(*owner)
                };
                let item = Item::Picture {
                    area: self.area(area),
                    number: *number,
                    belongs,
                };
                self.show(vec![item], area, node.clip, Rgba::BLACK);
                if let Some(link) = link {
                    self.link(area, *link);
                }
            }
            Kind::Missing => {
                for (path, colour) in decor::missing(area) {
                    let item = Item::Path {
                        path: self.path(&path),
                        colour: opaque(colour),
                    };
                    self.show(vec![item], area, node.clip, colour);
                }
            }
            Kind::Marker { marker, style } => {
                let colour = style.text.colour;
                let item = Item::Path {
                    path: self.path(&decor::marker(area, marker)),
                    colour: opaque(colour),
                };
                self.show(vec![item], area, node.clip, colour);
            }
            Kind::Anchor(name) => {
                if node.y >= -0.1 && node.y < self.height {
                    let y = self.point(0.0, node.y).1;
                    self.items.push(Item::Anchor {
                        name: name.clone(),
                        y,
                    });
                }
            }
            Kind::Line | Kind::Repeated | Kind::Columns(_) => {}
        }
    }

    fn link(&mut self, area: Area, link: usize) {
        if area.y + area.height < 0.0 || area.y > self.height || area.width < 0.5 {
            return;
        }
        let area = self.area(area);
        // Words of one link on one line are one area.
        if let Some(Item::Link {
            area: before,
            link: known,
        }) = self
            .items
            .iter_mut()
            .rev()
            .find(|item| matches!(item, Item::Link { .. }))
            && *known == link
            && (before.y - area.y).abs() < 0.5
            && area.x >= before.x
        {
            before.width = area.x + area.width - before.x;
            return;
        }
        self.items.push(Item::Link { area, link });
    }

    fn text(
        &mut self,
        node: &Node<'_>,
        pen: Pen,
        words: &[(f32, Rc<Word>)],
        style: &Style,
        belongs: Belongs,
    ) {
        // Browsers put base lines on whole px.
        let baseline = node.y.round();
        let above = pen.size;
        if baseline < -pen.size * 0.3 || baseline > self.height + pen.size * 0.7 {
            return;
        }
        let bounds = Area {
            x: node.x,
            y: baseline - above,
            width: node.fragment.width,
            height: above * 1.3,
        };
        // A page ends between lines, so nothing of a line is cut.
        let on_page = baseline > 0.0 && baseline <= self.height + 0.5;
        if !on_page {
            return;
        }
        let bounds = Area {
            y: bounds.y.max(0.0),
            height: (bounds.height).min((self.height - bounds.y.max(0.0)).max(0.0)),
            ..bounds
        };
        let face = self.faces.face(pen.chosen.face);
        let per = pen.size / face.units();
        let ascent = (face.font.metrics.ascent * per).round();
        for line in style.text.decorations.iter() {
            let thick = line
                .thickness
                .unwrap_or_else(|| (pen.size / 10.0).round())
                .max(1.0);
            let mut draw = |y: f32| {
                let area = Area {
                    x: node.x,
                    y,
                    width: node.fragment.width,
                    height: thick,
                };
                let lines = decor::line(area, line.style);
                let items = lines.into_iter().map(|area| Item::Fill {
                    area: self.area(area),
                    colour: opaque(line.colour),
                });
                let items: Vec<Item> = items.collect();
                self.show(items, area, node.clip, line.colour);
            };
            if line.under {
                draw(baseline + (thick / 2.0).ceil().max(1.0));
            }
            if line.over {
                draw(baseline - ascent);
            }
            if line.through {
                draw(baseline - ascent + (2.0 * ascent / 3.0).round() - thick / 2.0);
            }
        }
        let colour = style.text.colour;
        let end = words.partition_point(|(x, _)| node.x + x <= self.right);
        self.cut |= end < words.len();
        let seen = &words[..end];
        let item = Item::Text {
            pen: Pen {
                size: pen.size * self.scale,
                colour: opaque(colour),
                ..pen
            },
            y: self.point(0.0, baseline).1,
            words: seen
                .iter()
                .map(|(x, word)| (self.point(node.x + x, 0.0).0, word.clone()))
                .collect(),
            belongs,
        };
        self.show(vec![item], bounds, node.clip, colour);
    }

    /// The matrix of a box that is transformed, for points of the page.
    fn matrix(&self, style: &Style, node: &Node<'_>) -> Option<[f32; 6]> {
        use crate::document::css::style::Transform;
        if style.transforms.is_empty() {
            return None;
        }
        let (width, height) = (node.fragment.width, node.fragment.height);
        let origin = (
            node.x + style.transform_origin.0.of(width),
            node.y + style.transform_origin.1.of(height),
        );
        let (ox, oy) = self.point(origin.0, origin.1);
        let mut all = [1.0, 0.0, 0.0, 1.0, ox, oy];
        for one in style.transforms.iter() {
            let own = match one {
                Transform::Translate(x, y) => [
                    1.0,
                    0.0,
                    0.0,
                    1.0,
                    x.of(width) * self.scale,
                    y.of(height) * self.scale,
                ],
                Transform::Matrix([a, b, c, d, e, f]) => {
                    [*a, *b, *c, *d, e * self.scale, f * self.scale]
                }
            };
            all = times(all, own);
        }
        Some(times(all, [1.0, 0.0, 0.0, 1.0, -ox, -oy]))
    }
}

/// One matrix after the other.
/// Where the cells of a row, or of a group of rows, are on the page.
fn cells_of(fragment: &Fragment, x: f32, y: f32, cells: &mut Vec<Area>) {
    for child in &fragment.children {
        let (x, y) = (x + child.x, y + child.y);
        match child.fragment.role() {
            Some(Role::Table(TableRole::Row)) => cells_of(&child.fragment, x, y, cells),
            Some(Role::Table(TableRole::Cell(_))) => cells.push(Area {
                x,
                y,
                width: child.fragment.width,
                height: child.fragment.height,
            }),
            _ => {}
        }
    }
}

fn times(one: [f32; 6], other: [f32; 6]) -> [f32; 6] {
    let [a, b, c, d, e, f] = one;
    let [p, q, r, s, t, u] = other;
    [
        a * p + c * q,
        b * p + d * q,
        a * r + c * s,
        b * r + d * s,
        a * t + c * u + e,
        b * t + d * u + f,
    ]
}

/// A colour without its opacity.
fn opaque(colour: Rgba) -> Colour {
    let [red, green, blue] = colour.rgb;
    Colour(red, green, blue)
}

/// Whether a fragment is fixed to the page.
pub(super) fn fixed(fragment: &Fragment) -> bool {
    fragment.style().is_some_and(|style| is_fixed(style))
}
