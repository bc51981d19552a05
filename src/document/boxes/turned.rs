//! Boxes whose text runs in another way than that around them (CSS Writing Modes 4, 7.3): what is in them is laid out as if it ran
//! to the right, and seen turned. Whole pages are not turned.

use super::{
    engine::{Containing, Engine},
    fragment::{Child, Fragment, Kind as Made, Role},
    paint::{Node, Painter},
    sizing::Content,
    tree::{BoxId, Kind},
};
use crate::{
    document::{
        css::{
            style::{BOTTOM, TOP},
            writing::Turn,
        },
        layout::item::{Area, Item},
    },
    error::Result,
};
use std::rc::Rc;

/// How far from its edge a turned box is painted, in px: what hangs out of it is seen, too.
const AROUND: f32 = 10_000.0;

impl Engine<'_, '_> {
    /// Lays out a box with turned content in a border box of this width, and of this height if it is known.
    pub(super) fn turned(
        &mut self,
        id: BoxId,
        (inner, turn): (BoxId, Turn),
        width: f32,
        height: Option<f32>,
        containing: Containing,
        role: Role,
    ) -> Result<Fragment> {
        let Content {
            border,
            padding,
            edges,
            corner,
            inner: room,
        } = self.content(id, width, height, containing);
        let inside = self.sideways(inner, room.height)?;
        let natural = inside.width + edges;
        let used = self.bounded_height(id, height.unwrap_or(natural), containing);
        let style = self.style(id).clone();
        let made = Made::Box {
            id,
            style: style.clone(),
            border,
            padding,
            role,
        };
        let mut fragment = Fragment::new(made, width, used);
        let size = (inside.height, inside.width);
        // Its lines begin on one side.
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

    /// The width of turned content: how far its lines reach.
    pub(super) fn turned_width(&mut self, id: BoxId, inner: BoxId) -> Result<f32> {
        let nobody = Containing {
            width: 0.0,
            height: None,
        };
        let height = self.fixed_height(id, nobody);
        let room = self.content(id, 0.0, height, nobody).inner;
        Ok(self.sideways(inner, room.height)?.height)
    }

    /// Lays out turned content whose lines are so long, or as long as they need to be and the page allows.
    fn sideways(&mut self, inner: BoxId, length: Option<f32>) -> Result<Rc<Fragment>> {
        if matches!(self.boxes.get(inner).kind, Kind::Replaced(_)) {
            let page = Containing {
                width: self.viewport.0,
                height: Some(self.viewport.1),
            };
            let (width, height) = self.replaced_size(inner, page, false)?;
            return self.independent(inner, width, Some(height), page, Role::Atomic);
        }
        let width = match length {
            Some(length) => length,
            None => {
                let (least, most) = self.content_extent(inner)?;
                most.min(self.viewport.1.max(least))
            }
        };
        let containing = Containing {
            width,
            height: None,
        };
        self.bounds_around += 1;
        let mut made = self.independent(inner, width, None, containing, Role::Flow)?;
        self.bounds_around -= 1;
        if !made.pending.is_empty() {
            self.place_pending(Rc::make_mut(&mut made), [0.0; 4], true)?;
        }
        Ok(made)
    }
}

/// A fragment whose lines follow one another upwards.
fn upside_down(fragment: &Fragment) -> Fragment {
    let mut own = fragment.clone();
    let is_line = matches!(own.kind, Made::Line);
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
        // What is on a line stands in it as it does elsewhere.
        if !is_line {
            *y = own.height - *y - fragment.height;
        }
        if matches!(fragment.kind, Made::Box { .. } | Made::Repeated) {
            *fragment = Rc::new(upside_down(fragment));
        }
    }
    own
}

impl Painter<'_> {
    /// Paints what is turned.
    pub(super) fn turned(&mut self, node: &Node<'_>, inside: &Rc<Fragment>, turn: Turn) {
        let (inside, turn) = match turn.mirrors() {
            true => {
                let (x, y) = turn.down;
                let back = Turn {
                    down: (-x, -y),
                    ..turn
                };
                (Rc::new(upside_down(inside)), back)
            }
            false => (inside.clone(), turn),
        };
        let mut painter = Painter {
            height: 2.0 * AROUND,
            origin: (0.0, -AROUND * self.scale),
            right: f32::MAX,
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
        // The corner that comes to lie farthest to the left and at the top is that of the box.
        let far = turn.outward((inside.width, inside.height));
        let corner = (node.x - far.0.min(0.0), node.y - far.1.min(0.0));
        let (x, y) = self.point(corner.0, corner.1);
        let (across, down) = (turn.outward((1.0, 0.0)), turn.outward((0.0, 1.0)));
        let matrix = [across.0, across.1, down.0, down.1, x, y];
        let (links, mut shown): (Vec<Item>, Vec<Item>) =
            painter.items.into_iter().partition(|item| {
                matches!(
                    item,
                    Item::Link { .. } | Item::Anchor { .. } | Item::Outline { .. }
                )
            });
        self.items.extend(
            links
                .into_iter()
                .map(|item| turned_link(item, turn, (x, y))),
        );
        if shown.is_empty() {
            return;
        }
        shown = vec![Item::Moved {
            matrix,
            items: shown,
        }];
        for path in node.clip.iter().flat_map(|clip| clip.outlines()) {
            shown = vec![Item::Clipped {
                path: self.path(&path),
                items: shown,
            }];
        }
        self.items.append(&mut shown);
    }
}

/// A link, or a place that links lead to, where it is seen.
fn turned_link(item: Item, turn: Turn, (x, y): (f32, f32)) -> Item {
    match item {
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
