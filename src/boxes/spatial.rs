//! Projection of transformed boxes on the page (CSS Transforms 2): flat, in perspective, from behind, or not at all. Gives
//! nothing a place.
//!
//! A plain transformation is a matrix of PDF. Of one in perspective, outlines are drawn through it, point by point, and each word and
//! each picture by the plain one that is nearest to it. Boxes in space are not sorted by their depth.

use super::{
    outlines::rectangle,
    paint::{Around, Clip, Node, Painter},
};
use convertd_layout::item::{Item, Segment};
use convertd_markup::css::{
    space::{Seen, Space},
    style::{Backface, Overflow, Style, Transform, TransformStyle},
};
use std::rc::Rc;

/// View of a box.
pub(crate) enum View {
    Plain([f32; 6]),
    Deep(Seen),
    /// From behind or from the side: not at all.
    Hidden,
}

/// The matrix of a box of this size, from its upper left corner in px.
fn own(style: &Style, (width, height): (f32, f32)) -> Space {
    let (x, y, z) = &style.transform_origin;
    let (x, y) = (x.of(width), y.of(height));
    let mut all = Space::moved(x, y, *z);
    for one in style.transforms.iter() {
        let next = match one {
            Transform::Translate(x, y, z) => Space::moved(x.of(width), y.of(height), *z),
            Transform::Matrix(matrix) => *matrix,
        };
        all = all.after(&next);
    }
    all.after(&Space::moved(-x, -y, -z))
}

/// Right edge of a transformed box whose content reaches to `right` before.
pub(crate) fn right(style: &Style, size: (f32, f32), right: f32) -> f32 {
    if style.transforms.is_empty() {
        return right;
    }
    let seen = own(style, size).seen();
    let corners = [(0.0, 0.0), (right, 0.0), (0.0, size.1), (right, size.1)];
    let corners = corners.into_iter().filter_map(|(x, y)| seen.point(x, y));
    corners.map(|(x, _)| x).fold(0.0, f32::max)
}

impl Painter<'_> {
    /// The matrix of a box for points of the page, if it or a box around it is in space.
    fn space(&self, style: &Style, node: &Node<'_>) -> Option<Space> {
        if style.transforms.is_empty() {
            return node.around.space;
        }
        let size = (node.fragment.width, node.fragment.height);
        let (x, y) = self.origin;
        let page =
            Space::moved(x, y, 0.0).after(&Space::scaled(self.scale, self.scale, self.scale));
        let back = 1.0 / self.scale.max(1e-6);
        let from_page = Space::scaled(back, back, back).after(&Space::moved(-x, -y, 0.0));
        let mut all = page;
        if let Some(eye) = &node.around.eye {
            all = all.after(eye);
        }
        all = all
            .after(&Space::moved(node.x, node.y, 0.0))
            .after(&own(style, size))
            .after(&Space::moved(-node.x, -node.y, 0.0))
            .after(&from_page);
        Some(match &node.around.space {
            Some(around) => around.after(&all),
            None => all,
        })
    }

    /// View of a box; `None` if it is not transformed.
    pub(crate) fn view(&self, style: &Style, node: &Node<'_>) -> Option<View> {
        if style.transforms.is_empty() {
            return None;
        }
        let space = self.space(style, node)?;
        if style.backface == Backface::Hidden && space.shows_back() {
            return Some(View::Hidden);
        }
        let mut seen = space.seen();
        if let Some(around) = &node.around.space {
            // What is around is painted through its own matrix, so this one begins there.
            match around.seen().back() {
                Some(back) => seen = back.after(&seen),
                None => return Some(View::Hidden),
            }
        }
        Some(match seen.plain() {
            Some(matrix) => View::Plain(matrix),
            None => View::Deep(seen),
        })
    }

    /// Projection that a box imposes on its children.
    pub(crate) fn around(&self, style: &Style, node: &Node<'_>) -> Around {
        let (width, height) = (node.fragment.width, node.fragment.height);
        let eye = style.perspective.map(|distance| {
            let (x, y) = &style.perspective_origin;
            let (x, y) = (node.x + x.of(width), node.y + y.of(height));
            Space::moved(x, y, 0.0)
                .after(&Space::perspective(distance))
                .after(&Space::moved(-x, -y, 0.0))
        });
        let keeps = style.transform_style == TransformStyle::Space
            && style.opacity >= 1.0
            && style.overflow == Overflow::Visible
            && style.clip_path.is_none();
        Around {
            eye,
            space: self.space(style, node).filter(|_| keeps),
        }
    }

    /// Adds items as they are seen. Links stay where they are.
    pub(super) fn seen_as(&mut self, view: View, items: Vec<Item>, clip: Option<Clip>) {
        let is_place = |item: &Item| {
            matches!(
                item,
                Item::Link { .. } | Item::Anchor { .. } | Item::Outline { .. }
            )
        };
        let (links, shown): (Vec<Item>, Vec<Item>) = items.into_iter().partition(is_place);
        self.items.extend(links);
        let mut shown = match view {
            View::Plain(matrix) => vec![Item::Moved {
                matrix,
                items: shown,
            }],
            View::Deep(seen) => {
                let mut all = Vec::new();
                project(shown, &seen, &mut all);
                all
            }
            View::Hidden => return,
        };
        // What is seen of a box that is transformed is said where it was, not where it comes to.
        for path in clip.iter().flat_map(Clip::outlines) {
            shown = vec![Item::Clipped {
                path: self.path(&path),
                items: shown,
            }];
        }
        self.items.append(&mut shown);
    }
}

/// Items as they are seen in perspective.
fn project(items: Vec<Item>, seen: &Seen, all: &mut Vec<Item>) {
    for item in items {
        match item {
            Item::Fill { area, colour } => {
                if let Some(path) = through(&rectangle(area), seen) {
                    all.push(Item::Path { path, colour });
                }
            }
            Item::Path { path, colour } => {
                if let Some(path) = through(&path, seen) {
                    all.push(Item::Path { path, colour });
                }
            }
            Item::Dashes(dashes) => {
                let path = dashes.outline();
                if let Some(path) = through(&path, seen) {
                    let colour = dashes.colour;
                    all.push(Item::Path { path, colour });
                }
            }
            Item::Clipped { path, items } => {
                if let Some(path) = through(&path, seen) {
                    let mut inside = Vec::new();
                    project(items, seen, &mut inside);
                    all.push(Item::Clipped {
                        path,
                        items: inside,
                    });
                }
            }
            Item::Faded { opacity, items } => {
                let mut inside = Vec::new();
                project(items, seen, &mut inside);
                all.push(Item::Faded {
                    opacity,
                    items: inside,
                });
            }
            Item::Moved { matrix, items } => project(items, &seen.after(&matrix.into()), all),
            Item::Text {
                pen,
                y,
                words,
                belongs,
            } => {
                for (x, word) in words {
                    let width = pen.width(&word);
                    let item = Item::Text {
                        pen,
                        y,
                        words: vec![(x, word)],
                        belongs,
                    };
                    near(item, (x + width / 2.0, y - pen.size * 0.3), seen, all);
                }
            }
            Item::Picture { area, .. } => {
                let middle = (area.x + area.width / 2.0, area.y + area.height / 2.0);
                near(item, middle, seen, all);
            }
            Item::Line { from, .. } => near(item, from, seen, all),
            Item::Cut { area, .. } => near(item, (area.x, area.y), seen, all),
            Item::Link { .. } | Item::Anchor { .. } | Item::Outline { .. } => all.push(item),
        }
    }
}

/// An item by the plain transformation that is nearest at a point.
fn near(item: Item, at: (f32, f32), seen: &Seen, all: &mut Vec<Item>) {
    if let Some(matrix) = seen.near(at.0, at.1) {
        all.push(Item::Moved {
            matrix,
            items: vec![item],
        });
    }
}

/// An outline as it is seen; nothing if a part of it is behind the eye.
fn through(path: &[Segment], seen: &Seen) -> Option<Rc<[Segment]>> {
    let at = |point: &(f32, f32)| seen.point(point.0, point.1);
    let segment = |segment: &Segment| {
        Some(match segment {
            Segment::Move(to) => Segment::Move(at(to)?),
            Segment::Line(to) => Segment::Line(at(to)?),
            Segment::Curve(one, other, to) => Segment::Curve(at(one)?, at(other)?, at(to)?),
            Segment::Close => Segment::Close,
        })
    };
    path.iter().map(segment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_moved_to_the_right_makes_a_page_wider() {
        let moved = Style {
            transforms: Rc::from([Transform::Matrix(Space::moved(30.0, 0.0, 0.0))]),
            ..Style::default()
        };
        assert_eq!(right(&moved, (100.0, 20.0), 120.0), 150.0);
        assert_eq!(right(&Style::default(), (100.0, 20.0), 120.0), 120.0);
        let turned = Style {
            transforms: Rc::from([Transform::Matrix(Space::turned([0.0, 0.0, 1.0], 90.0))]),
            ..Style::default()
        };
        assert_eq!(right(&turned, (100.0, 20.0), 100.0).round(), 60.0);
    }
}
