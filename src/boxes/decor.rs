//! Geometry of borders, outlines, rounded corners, list markers and text decoration lines (CSS Backgrounds 3, 3 and 4;
//! CSS Basic User Interface 4, 3). Paints nothing, and does not depend on pages.
//!
//! Everything becomes filled outlines or rows of dashes, in px of the box's coordinates. An outline
//! inside another leaves a hole (even-odd), so a ring is two outlines.

mod borders;

use super::{
    fragment::Sides,
    gradient,
    outlines::{rectangle, rounded},
    tree::Marker,
};
pub(crate) use borders::{Dashes, borders, collapsed};
use convertd_layout::item::{Area, Segment};
use convertd_markup::css::{
    rgba::Rgba,
    style::{BOTTOM, BackgroundBox, LEFT, LineStyle, RIGHT, Shape, Style, TOP},
};
use std::rc::Rc;

/// Border box of an element, with its used border and padding widths in px.
pub(crate) struct Frame {
    pub area: Area,
    pub style: Rc<Style>,
    pub border: Sides,
    pub padding: Sides,
}

impl Frame {
    /// Rectangle of the border, padding or content box; `text` counts as the content box.
    pub(crate) fn part(&self, part: BackgroundBox) -> Area {
        match part {
            BackgroundBox::Border => self.area,
            BackgroundBox::Padding => within(self.area, &self.border),
            BackgroundBox::Content | BackgroundBox::Text => {
                let padding = within(self.area, &self.border);
                within(padding, &self.padding)
            }
        }
    }

    /// Painting area of the background (`background-clip`).
    pub(crate) fn clip(&self) -> Area {
        self.part(self.style.background_clip)
    }

    /// Returns whether at least one corner is rounded.
    pub(crate) fn is_round(&self) -> bool {
        self.style.is_round()
    }

    /// Radii of the four corners of the border box, clockwise from the top left. All are scaled down by one factor if
    /// the two radii along a side overlap (4.5).
    pub(crate) fn radii(&self) -> [(f32, f32); 4] {
        let Area { width, height, .. } = self.area;
        let mut radii: [(f32, f32); 4] = std::array::from_fn(|corner| {
            let (x, y) = &self.style.radius[corner];
            (x.of(width).max(0.0), y.of(height).max(0.0))
        });
        // The two radii along each side, with the length of the side.
        let sums = [
            (width, radii[0].0 + radii[1].0),
            (width, radii[3].0 + radii[2].0),
            (height, radii[0].1 + radii[3].1),
            (height, radii[1].1 + radii[2].1),
        ];
        let fits = |(side, sum): &(f32, f32)| if *sum > 0.0 { side / sum } else { 1.0 };
        let scale = sums.iter().map(fits).fold(1.0, f32::min);
        radii
            .iter_mut()
            .for_each(|radius| *radius = (radius.0 * scale, radius.1 * scale));
        radii
    }

    /// Radii of the corners of an area within the border box: the outer radii minus the distance of the edges (4.2).
    pub(super) fn radii_within(&self, area: Area) -> [(f32, f32); 4] {
        // Distances between the edges of both boxes, in the order of sides.
        let insets = [
            area.y - self.area.y,
            self.area.x + self.area.width - area.x - area.width,
            self.area.y + self.area.height - area.y - area.height,
            area.x - self.area.x,
        ];
        let radii = self.radii();
        let sides = [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM)];
        std::array::from_fn(|corner| {
            let (across, down) = sides[corner];
            (
                (radii[corner].0 - insets[across]).max(0.0),
                (radii[corner].1 - insets[down]).max(0.0),
            )
        })
    }

    /// Outline of an area within the border box, with corners concentric to the outer ones.
    pub(crate) fn outline(&self, area: Area) -> Vec<Segment> {
        match self.is_round() {
            true => rounded(area, self.radii_within(area)),
            false => rectangle(area),
        }
    }
}

/// Outline of a basic shape (`clip-path`, CSS Shapes 1, 3) in its reference box.
pub(crate) fn shape(shape: &Shape, area: Area) -> Vec<Segment> {
    match shape {
        Shape::Round { circle, extent, at } => {
            let at = gradient::placed(at, area);
            let radius = gradient::reach(*circle, extent, at, area);
            let around = Area {
                x: at.0 - radius.0,
                y: at.1 - radius.1,
                width: 2.0 * radius.0,
                height: 2.0 * radius.1,
            };
            rounded(around, [radius; 4])
        }
        // All corners have the same radius, which is at most half the shorter side.
        Shape::Inset { sides, radius } => {
            let of = |side: usize| match side {
                LEFT | RIGHT => sides[side].of(area.width),
                _ => sides[side].of(area.height),
            };
            let inner = Area {
                x: area.x + of(LEFT),
                y: area.y + of(TOP),
                width: (area.width - of(LEFT) - of(RIGHT)).max(0.0),
                height: (area.height - of(TOP) - of(BOTTOM)).max(0.0),
            };
            let most = inner.width.min(inner.height) / 2.0;
            let radius = radius.of(area.width).clamp(0.0, most);
            rounded(inner, [(radius, radius); 4])
        }
        Shape::Polygon(corners) => {
            let corners = corners.iter().map(|at| gradient::placed(at, area));
            let mut path: Vec<Segment> = corners.map(Segment::Line).collect();
            if let Some(Segment::Line(first)) = path.first().copied() {
                path[0] = Segment::Move(first);
                path.push(Segment::Close);
            }
            path
        }
    }
}

/// Returns whether `bounds` is within a rounded area and does not touch its corners, so that a rectangle suffices as
/// clip.
pub(super) fn is_clear_of_corners(bounds: Area, area: Area, radii: [(f32, f32); 4]) -> bool {
    // The corners are in bands along the sides. A rectangle that is outside of these bands on one axis touches no
    // corner.
    let most = radii.iter().fold((0.0_f32, 0.0_f32), |most, radius| {
        (most.0.max(radius.0), most.1.max(radius.1))
    });
    let is_in = |by: (f32, f32)| {
        bounds.x >= area.x + by.0
            && bounds.y >= area.y + by.1
            && bounds.x + bounds.width <= area.x + area.width - by.0
            && bounds.y + bounds.height <= area.y + area.height - by.1
    };
    is_in((most.0, 0.0)) || is_in((0.0, most.1))
}

/// Intersection of two areas.
pub(crate) fn common(one: Area, other: Area) -> Area {
    let x = one.x.max(other.x);
    let y = one.y.max(other.y);
    Area {
        x,
        y,
        width: ((one.x + one.width).min(other.x + other.width) - x).max(0.0),
        height: ((one.y + one.height).min(other.y + other.height) - y).max(0.0),
    }
}

/// Insets an area by these widths of its sides.
pub(crate) fn within(area: Area, sides: &Sides) -> Area {
    Area {
        x: area.x + sides[LEFT],
        y: area.y + sides[TOP],
        width: (area.width - sides[LEFT] - sides[RIGHT]).max(0.0),
        height: (area.height - sides[TOP] - sides[BOTTOM]).max(0.0),
    }
}

/// Expands an area by `by` px on all sides; a negative value shrinks it.
pub(crate) fn grown(area: Area, by: f32) -> Area {
    Area {
        x: area.x - by,
        y: area.y - by,
        width: (area.width + 2.0 * by).max(0.0),
        height: (area.height + 2.0 * by).max(0.0),
    }
}

/// Bounding box of an outline. Control points of curves are not counted.
pub(crate) fn bounds(path: &[Segment]) -> Area {
    let points = path.iter().filter_map(|segment| match segment {
        Segment::Move(to) | Segment::Line(to) | Segment::Curve(_, _, to) => Some(*to),
        Segment::Close => None,
    });
    let (mut least, mut most) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
    for (x, y) in points {
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
    }
    if most.0 < least.0 {
        return Area::default();
    }
    Area {
        x: least.0,
        y: least.1,
        width: most.0 - least.0,
        height: most.1 - least.1,
    }
}

/// A painted part of a border or of a text decoration.
pub(crate) enum Painted {
    Area(Area),
    Filled(Vec<Segment>),
    Dashed(Dashes),
}

/// Outline around a box, drawn like a border outside of the box. Only solid outlines follow rounded corners.
pub(crate) fn outline(frame: &Frame) -> Vec<(Painted, Rgba)> {
    let own = frame.style.outline;
    let outer = grown(frame.area, frame.style.outline_offset + own.width());
    let mut style = (*frame.style).clone();
    style.border = [own; 4];
    if !frame.is_round() || own.style != LineStyle::Solid {
        style.radius = Style::default().radius;
    }
    borders(&Frame {
        area: outer,
        style: Rc::new(style),
        border: [own.width(); 4],
        padding: [0.0; 4],
    })
}

/// Parts of a text decoration line in this style. `area` is the line, as high as the line is thick. `double` adds a
/// second line below.
pub(crate) fn line(area: Area, style: LineStyle) -> Vec<Painted> {
    match style {
        LineStyle::Double => {
            let other = Area {
                y: area.y + 2.0 * area.height,
                ..area
            };
            vec![Painted::Area(area), Painted::Area(other)]
        }
        LineStyle::Dotted | LineStyle::Dashed => {
            let dash = match style {
                LineStyle::Dotted => area.height,
                _ => 3.0 * area.height,
            };
            let y = area.y + area.height / 2.0;
            vec![Painted::Dashed(Dashes {
                from: (area.x, y),
                to: (area.x + area.width, y),
                width: area.height,
                dash,
                gap: dash,
                round: false,
            })]
        }
        _ => vec![Painted::Area(area)],
    }
}

/// Outline of a list marker: a square, circle (ring) or disc.
pub(crate) fn marker(area: Area, marker: &Marker) -> Vec<Segment> {
    let radius = (area.width / 2.0, area.height / 2.0);
    match marker {
        Marker::Square => rectangle(area),
        Marker::Circle => {
            let mut ring = rounded(area, [radius; 4]);
            let inner = grown(area, -1.0);
            ring.extend(rounded(inner, [(inner.width / 2.0, inner.height / 2.0); 4]));
            ring
        }
        Marker::Disc | Marker::Text(_) | Marker::Picture(_) => rounded(area, [radius; 4]),
    }
}

/// Frame that is drawn instead of a missing picture: a grey line of 1 px.
pub(crate) fn missing(area: Area) -> Vec<(Vec<Segment>, Rgba)> {
    let grey = Rgba::opaque(0xc0, 0xc0, 0xc0);
    let mut ring = rectangle(area);
    ring.extend(rectangle(grown(area, -1.0)));
    vec![(ring, grey)]
}

/// Returns whether a border style draws anything.
pub(crate) fn is_drawn(style: LineStyle) -> bool {
    !matches!(style, LineStyle::None | LineStyle::Hidden)
}
