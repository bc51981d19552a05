//! 2D and 3D transforms (CSS Transforms 1 and 2) when boxes are painted. Places nothing.
//!
//! A 2D transform becomes a matrix of the PDF. Under perspective, outlines are projected point by point, and each word,
//! picture and line is drawn with the affine transform that is nearest to the projection at its position. Boxes in a 3D
//! scene are not sorted by depth.

use super::{
    outlines::rectangle,
    paint::{Clip, Node, Painter, SurroundingTransforms},
};
use convertd_layout::item::{Item, Segment};
use convertd_markup::css::{
    space::{Projection, Space},
    style::{Backface, Overflow, Style, Transform, TransformStyle},
};
use std::rc::Rc;

/// The transform that a box is painted with.
pub(crate) enum View {
    /// An affine matrix.
    Plain([f32; 6]),
    /// A projection that is not affine.
    Deep(Projection),
    /// Invisible: seen edge-on, or from behind with `backface-visibility: hidden`.
    Hidden,
}

/// Transform of a box of this size around its `transform-origin`. Coordinates are in px from the top left corner of the
/// box.
fn own(style: &Style, (width, height): (f32, f32)) -> Space {
    // The transform origin is moved to the corner before the transforms, and back after them (CSS Transforms 1).
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

/// Right edge of a box after its transform, if its content reaches to `right` before.
pub(crate) fn right(style: &Style, size: (f32, f32), right: f32) -> f32 {
    if style.transforms.is_empty() {
        return right;
    }
    let seen = own(style, size).seen();
    // The right edge of an affine or projected box is that of one of its corners.
    let corners = [(0.0, 0.0), (right, 0.0), (0.0, size.1), (right, size.1)];
    let corners = corners.into_iter().filter_map(|(x, y)| seen.point(x, y));
    corners.map(|(x, _)| x).fold(0.0, f32::max)
}

impl Painter<'_> {
    /// Transform of a box in points of the page, accumulated over ancestors with `preserve-3d`. `None` if neither the
    /// box nor such an ancestor is transformed.
    fn space(&self, style: &Style, node: &Node<'_>) -> Option<Space> {
        if style.transforms.is_empty() {
            return node.around.space;
        }
        // The transform is in px, so points of the page are converted to px before it, and back after it.
        let size = (node.fragment.width, node.fragment.height);
        let (x, y) = self.origin;
        let page =
            Space::moved(x, y, 0.0).after(&Space::scaled(self.scale, self.scale, self.scale));
        let back = 1.0 / self.scale.max(1e-6);
        let from_page = Space::scaled(back, back, back).after(&Space::moved(-x, -y, 0.0));
        // The matrices apply from right to left: to px, to the box's corner, the transform, back, the perspective, to
        // points.
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

    /// Painted transform of a box; `None` if it is not transformed.
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
            // Ancestors are painted through their own transform, so only the remaining part of the transform applies
            // here.
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

    /// Perspective and 3D scene that a box imposes on its children. Grouping effects such as
    /// opacity flatten the scene (CSS Transforms 2).
    pub(crate) fn around(&self, style: &Style, node: &Node<'_>) -> SurroundingTransforms {
        let (width, height) = (node.fragment.width, node.fragment.height);
        let eye = style.perspective.map(|distance| {
            let (x, y) = &style.perspective_origin;
            // The perspective is centred on the vanishing point, `perspective-origin`.
            let (x, y) = (node.x + x.of(width), node.y + y.of(height));
            Space::moved(x, y, 0.0)
                .after(&Space::perspective(distance))
                .after(&Space::moved(-x, -y, 0.0))
        });
        let keeps = style.transform_style == TransformStyle::Space
            && style.opacity >= 1.0
            && style.overflow == Overflow::Visible
            && style.clip_path.is_none();
        SurroundingTransforms {
            eye,
            space: self.space(style, node).filter(|_| keeps),
        }
    }

    /// Adds items under a transform, or drops them if the view is hidden. Links, anchors and outline entries are added
    /// in either case, and without the transform, because PDF stores their positions upright.
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
        // The clip of ancestors applies after the transform.
        for path in clip.iter().flat_map(Clip::outlines) {
            shown = vec![Item::Clipped {
                path: self.path(&path),
                items: shown,
            }];
        }
        self.items.append(&mut shown);
    }
}

/// Projects items under perspective. Outlines are projected point by point; links, anchors and outline entries are kept
/// as they are. All other items are drawn with an affine approximation: words and pictures around their middle, lines
/// around their start, and `Cut` around its corner.
fn project(items: Vec<Item>, seen: &Projection, all: &mut Vec<Item>) {
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
                // Each word is projected by itself, so that a long line follows the perspective.
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

/// Draws an item with the affine transform that is nearest to the projection at a point.
fn near(item: Item, at: (f32, f32), seen: &Projection, all: &mut Vec<Item>) {
    if let Some(matrix) = seen.near(at.0, at.1) {
        all.push(Item::Moved {
            matrix,
            items: vec![item],
        });
    }
}

/// Projects an outline; `None` if part of it is behind the viewer.
fn through(path: &[Segment], seen: &Projection) -> Option<Rc<[Segment]>> {
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
    fn transforms_to_the_right_widen_the_page() {
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
