//! Boxes in another writing mode than their parent (CSS Writing Modes 4, 7.3). They are laid out as horizontal text,
//! and rotated when they are painted. Whole pages are rotated by the same functions ([`print`](super::print)).

use super::{
    engine::{Containing, Engine, LayoutInput},
    fragment::{Child, Fragment, FragmentContent as Made, Role},
    paint::{Node, Painter},
    sizing::{Content, across, margins},
    tree::{BoxContent, BoxId},
};
use crate::error::Result;
use convertd_layout::item::{Area, Item};
use convertd_markup::css::{
    style::{BOTTOM, TOP},
    writing::Turn,
};
use std::rc::Rc;

/// Distance above and below the top edge of rotated content up to which the content is painted, in px (about 2.6 m).
const AROUND: f32 = 10_000.0;

impl Engine<'_, '_> {
    /// Lays out a box with rotated content. Without a height, the content decides it.
    pub(super) fn turned(
        &mut self,
        input: LayoutInput,
        (inner, turn): (BoxId, Turn),
        role: Role,
    ) -> Result<Fragment> {
        let LayoutInput { id, containing, .. } = input;
        let Content {
            border,
            padding,
            edges,
            corner,
            inner: room,
        } = self.content(input);
        // The lines are as long as the specified height, or as long as the content needs within the available length.
        let free = self.free_length(id, edges, containing.height);
        let inside = self.sideways(inner, room.height, free)?;
        let natural = inside.width + edges;
        let used = self.bounded_height(id, input.height.unwrap_or(natural), containing);
        let style = self.style(id).clone();
        let made = Made::Box {
            id,
            style: style.clone(),
            border,
            padding,
            role,
        };
        let mut fragment = Fragment::new(made, input.width, used);
        // Inside the rotated box, the inline size is a width. Outside, it is a height.
        let size = (inside.height, inside.width);
        // In some writing modes the first line is at the right edge, or the lines start at the bottom edge.
        let x = if turn.down.0 < 0 {
            room.width - size.0
        } else {
            0.0
        };
        let y = if turn.across.1 < 0 {
            used - edges - size.1
        } else {
            0.0
        };
        let turned = Fragment::new(Made::Turned(inside, turn), size.0, size.1);
        fragment.add(corner.0 + x, corner.1 + y, turned);
        self.settle(&mut fragment, &style)?;
        Ok(fragment)
    }

    /// Width of a box with rotated content, which is the block size of that content. `around` is the height of the
    /// containing block.
    pub(super) fn turned_width(
        &mut self,
        id: BoxId,
        inner: BoxId,
        around: Option<f32>,
    ) -> Result<f32> {
        // The width is not known yet, so it counts as 0. Only percentages of padding refer to it.
        let containing = Containing {
            width: 0.0,
            height: around,
        };
        let own = self.content(LayoutInput {
            id,
            width: 0.0,
            height: self.fixed_height(id, containing),
            containing,
        });
        let edges = across(&own.border) + across(&own.padding);
        let free = self.free_length(id, own.edges, around);
        Ok(self.sideways(inner, own.inner.height, free)?.height + edges)
    }

    /// Available line length: the height of the containing block or viewport, less margins, border
    /// and padding.
    fn free_length(&self, id: BoxId, edges: f32, around: Option<f32>) -> f32 {
        let margin = margins(self.style(id), 0.0).map(Option::unwrap_or_default);
        let room = around.unwrap_or(self.viewport.1);
        (room - edges - margin[TOP] - margin[BOTTOM]).max(0.0)
    }

    /// Lays out rotated content with lines of this length in px. Without a length, the lines shrink to fit the content
    /// within `room` px.
    fn sideways(&mut self, inner: BoxId, length: Option<f32>, room: f32) -> Result<Rc<Fragment>> {
        // Replaced boxes keep their own size. Everything else is laid out as horizontal text with lines of this length.
        if matches!(self.boxes.get(inner).kind, BoxContent::Replaced(_)) {
            let page = Containing {
                width: room,
                height: Some(self.viewport.0),
            };
            let (width, height) = self.replaced_size(inner, page, false)?;
            let input = LayoutInput {
                id: inner,
                width,
                height: Some(height),
                containing: page,
            };
            return self.independent(input, Role::Atomic);
        }
        let width = match length {
            Some(length) => length,
            None => self.width(inner, room, room, true)?,
        };
        let input = LayoutInput {
            id: inner,
            width,
            height: None,
            containing: Containing {
                width,
                height: None,
            },
        };
        self.bounds_around += 1;
        let mut made = self.independent(input, Role::Flow)?;
        self.bounds_around -= 1;
        // Absolutely positioned boxes are placed inside the rotated content, because their coordinates are rotated,
        // too.
        if !made.pending.is_empty() {
            self.place_pending(Rc::make_mut(&mut made), [0.0; 4], true)?;
        }
        Ok(made)
    }
}

/// Mirrors a fragment vertically, so that its lines follow each other upwards.
pub(crate) fn upside_down(fragment: &Fragment) -> Fragment {
    let mut own = fragment.clone();
    let is_line = matches!(own.kind, Made::Line);
    if let Made::Turned(_, turn) = &mut own.kind {
        *turn = turn.upside_down();
    }
    // The top and bottom edges are exchanged, and with them the upper and lower corner radii.
    if let Made::Box {
        style,
        border,
        padding,
        ..
    } = &mut own.kind
    {
        border.swap(TOP, BOTTOM);
        padding.swap(TOP, BOTTOM);
        let style = Rc::make_mut(style);
        style.border.swap(TOP, BOTTOM);
        style.radius.swap(0, 3);
        style.radius.swap(1, 2);
    }
    for Child { y, fragment, .. } in &mut own.children {
        // Content of a line keeps its position in the line.
        if !is_line {
            *y = own.height - *y - fragment.height;
        }
        match &fragment.kind {
            Made::Box { .. } | Made::Line | Made::Repeated | Made::Turned(..) => {
                *fragment = Rc::new(upside_down(fragment));
            }
            _ => {}
        }
    }
    own
}

impl Painter<'_> {
    /// Paints rotated content.
    pub(crate) fn turned(&mut self, node: &Node<'_>, inside: &Rc<Fragment>, turn: Turn) {
        let inside = match turn.mirrors() {
            true => Rc::new(upside_down(inside)),
            false => inside.clone(),
        };
        let turn = turn.upright();
        // Place the rotated bounding box at the corner of the node.
        let far = turn.outward((inside.width, inside.height));
        let corner = (node.x - far.0.min(0.0), node.y - far.1.min(0.0));
        // The rotated lines run over the page from top to bottom, or from bottom to top. `left` and `right` are the
        // limits of the page along these lines.
        let (left, right) = match turn.across.1 {
            1 => (Some(-corner.1), self.height - corner.1),
            -1 => (Some(corner.1 - self.height), corner.1),
            _ => (None, f32::MAX),
        };
        // The rotated content has a painter of its own, whose page extends by `AROUND` above and below the top edge of
        // the content.
        let mut painter = Painter {
            height: 2.0 * AROUND,
            origin: (0.0, -AROUND * self.scale),
            left,
            right,
            cut: false,
            canvas: None,
            items: Vec::new(),
            depth: self.depth + 1,
            boxes: self.boxes,
            faces: self.faces,
            extents: self.extents,
            scale: self.scale,
            backgrounds: self.backgrounds,
            album: self.album,
        };
        painter.paint(&inside, 0.0, AROUND);
        let corner = self.point(corner.0, corner.1);
        // The clip of ancestors applies outside of the rotation.
        for item in turned_items(painter.items, turn, corner) {
            let Item::Moved { .. } = &item else {
                self.items.push(item);
                continue;
            };
            let clips = node.clip.iter().flat_map(|clip| clip.outlines());
            let clipped = clips.fold(item, |item, path| Item::Clipped {
                path: self.path(&path),
                items: vec![item],
            });
            self.items.push(clipped);
        }
    }
}

/// Rotates items around the origin and moves them to a point. The rectangles of links are rotated, too; anchors and
/// outline entries move to the y coordinate of the point.
pub(super) fn turned_items(items: Vec<Item>, turn: Turn, (x, y): (f32, f32)) -> Vec<Item> {
    // The matrix consists of the rotated axes.
    let (across, down) = (turn.outward((1.0, 0.0)), turn.outward((0.0, 1.0)));
    let is_place = |item: &Item| {
        matches!(
            item,
            Item::Link { .. } | Item::Anchor { .. } | Item::Outline { .. }
        )
    };
    let (links, items): (Vec<Item>, Vec<Item>) = items.into_iter().partition(is_place);
    let links = links
        .into_iter()
        .map(|item| turned_link(item, turn, (x, y)));
    let mut all: Vec<Item> = links.collect();
    if !items.is_empty() {
        let matrix = [across.0, across.1, down.0, down.1, x, y];
        all.push(Item::Moved { matrix, items });
    }
    all
}

/// Rotates the rectangle of a link, or moves an anchor or outline entry to `y`.
fn turned_link(item: Item, turn: Turn, (x, y): (f32, f32)) -> Item {
    match item {
        // A rotation by a quarter turn maps opposite corners to opposite corners.
        Item::Link { area, link } => {
            let one = turn.outward((area.x, area.y));
            let other = turn.outward((area.x + area.width, area.y + area.height));
            let area = Area {
                x: x + one.0.min(other.0),
                y: y + one.1.min(other.1),
                width: (one.0 - other.0).abs(),
                height: (one.1 - other.1).abs(),
            };
            Item::Link { area, link }
        }
        Item::Anchor { name, .. } => Item::Anchor { name, y },
        Item::Outline { entry, .. } => Item::Outline { entry, y },
        other => other,
    }
}
