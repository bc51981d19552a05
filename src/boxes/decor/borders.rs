//! Borders of a box, by their styles and colours (CSS Backgrounds 3, 3). Paints nothing.

use super::super::outlines::rectangle;
use super::{Frame, Painted, is_drawn, within};
use convertd_layout::item::{Area, Segment};
use convertd_markup::css::{
    rgba::Rgba,
    style::{BOTTOM, Border, LEFT, LineStyle, RIGHT, TOP},
};

/// Colour of a side of an `inset` or `outset` border. Two of the sides are darkened to 70 %, as browsers do.
fn shaded(colour: Rgba, style: LineStyle, side: usize) -> Rgba {
    let lit = matches!(side, TOP | LEFT);
    let dark = match style {
        LineStyle::Inset => lit,
        LineStyle::Outset => !lit,
        _ => return colour,
    };
    if !dark {
        // Black cannot be darkened, so the lighter sides become grey instead.
        return match colour.rgb {
            [0, 0, 0] => Rgba {
                rgb: [76, 76, 76],
                ..colour
            },
            _ => colour,
        };
    }
    Rgba {
        // Browsers multiply by a fixed factor instead of darkening in a colour space.
        rgb: colour.rgb.map(|part| (f32::from(part) * 0.7) as u8),
        ..colour
    }
}

/// Outlines and colours of a box's border (CSS Backgrounds 3, 3.2).
///
/// If all four sides are drawn with one style and colour, and the style is `solid`, or the box is round and the style
/// neither `dashed` nor `dotted`, the border is a ring between two outlines. A thin straight ring becomes four
/// rectangles, and a `double` border two rings. Otherwise each side is a trapezium with mitred corners, or two
/// trapeziums for `double`, `groove` and `ridge`. Dashes and dots are rows along the middle of the side.
pub(crate) fn borders(frame: &Frame) -> Vec<(Painted, Rgba)> {
    let current = frame.style.text.colour;
    let border = &frame.style.border;
    let widths = frame.border;
    if widths.iter().all(|width| *width <= 0.0) {
        return Vec::new();
    }
    let area = frame.area;
    let inner = within(area, &widths);
    let drawn = |side: usize| widths[side] > 0.0 && is_drawn(border[side].style);
    let first = border[TOP];
    // Whether all sides are drawn with one style and colour.
    let alike = (0..4).all(|side| {
        drawn(side) && border[side].style == first.style && border[side].colour == first.colour
    });
    if alike
        && (frame.is_round() || first.style == LineStyle::Solid)
        && !matches!(first.style, LineStyle::Dashed | LineStyle::Dotted)
    {
        // Thin straight borders are four rectangles: viewers widen a rectangle to at least one
        // device pixel, but let a ring vanish.
        let thin = widths.iter().all(|width| *width < 3.0);
        if thin && !frame.is_round() {
            let sides = straight(area, inner).into_iter();
            let colour = first.colour.or(current);
            return sides
                .map(|side| (Painted::Filled(rectangle(side)), colour))
                .collect();
        }
        let ring = |from: Area, to: Area| {
            let mut ring = frame.outline(from);
            ring.extend(frame.outline(to));
            (Painted::Filled(ring), first.colour.or(current))
        };
        // Double borders have a gap of a third, which needs at least 3 px (CSS Backgrounds 3, 3.2).
        if first.style == LineStyle::Double && widths.iter().all(|width| *width >= 3.0) {
            let third = widths.map(|width| (width / 3.0).round());
            let two = widths.map(|width| width - (width / 3.0).round());
            return vec![
                ring(area, within(area, &third)),
                ring(within(area, &two), inner),
            ];
        }
        return vec![ring(area, inner)];
    }
    // In all other cases, the sides are drawn one by one.
    let mut all = Vec::new();
    for side in 0..4 {
        if !drawn(side) {
            continue;
        }
        let colour = shaded(border[side].colour.or(current), border[side].style, side);
        let filled = |outer, inner| Painted::Filled(edge(outer, inner, side));
        match border[side].style {
            LineStyle::Dashed | LineStyle::Dotted => {
                let row = dashes(area, inner, side, widths[side], border[side].style);
                all.push((Painted::Dashed(row), colour));
            }
            LineStyle::Double if widths[side] >= 3.0 => {
                let third = widths.map(|width| (width / 3.0).round());
                let outer = within(area, &third);
                let two = widths.map(|width| width - (width / 3.0).round());
                let inside = within(area, &two);
                all.push((filled(area, outer), colour));
                all.push((filled(inside, inner), colour));
            }
            // Groove and ridge are two borders of half the width, shaded in opposite ways.
            LineStyle::Groove | LineStyle::Ridge => {
                let half = widths.map(|width| width / 2.0);
                let middle = within(area, &half);
                let (one, other) = match border[side].style {
                    LineStyle::Groove => (LineStyle::Inset, LineStyle::Outset),
                    _ => (LineStyle::Outset, LineStyle::Inset),
                };
                let plain = border[side].colour.or(current);
                all.push((filled(area, middle), shaded(plain, one, side)));
                all.push((filled(middle, inner), shaded(plain, other, side)));
            }
            _ => all.push((filled(area, inner), colour)),
        }
    }
    all
}

/// Divides the ring between two rectangles into four rectangles that do not overlap: top, bottom, left and right.
fn straight(outer: Area, inner: Area) -> [Area; 4] {
    let (right, bottom) = (inner.x + inner.width, inner.y + inner.height);
    let beside = |x: f32, end: f32| Area {
        x,
        width: end - x,
        ..inner
    };
    // The corners belong to the horizontal sides, so that nothing is painted twice.
    let across = |y: f32, end: f32| Area {
        y,
        height: end - y,
        ..outer
    };
    [
        across(outer.y, inner.y),
        across(bottom, outer.y + outer.height),
        beside(outer.x, inner.x),
        beside(right, outer.x + outer.width),
    ]
}

/// Trapezium of one side between two rectangles, with mitred ends.
fn edge(outer: Area, inner: Area, side: usize) -> Vec<Segment> {
    let corners = |area: Area| {
        [
            (area.x, area.y),
            (area.x + area.width, area.y),
            (area.x + area.width, area.y + area.height),
            (area.x, area.y + area.height),
        ]
    };
    // Corners are clockwise from the upper left one, and a side connects two of them.
    let (out, within) = (corners(outer), corners(inner));
    let (one, other) = match side {
        TOP => (0, 1),
        RIGHT => (1, 2),
        BOTTOM => (2, 3),
        _ => (3, 0),
    };
    vec![
        Segment::Move(out[one]),
        Segment::Line(out[other]),
        Segment::Line(within[other]),
        Segment::Line(within[one]),
        Segment::Close,
    ]
}

/// Dashes or dots of one side, along the middle of the border.
fn dashes(outer: Area, inner: Area, side: usize, width: f32, style: LineStyle) -> Dashes {
    let along = matches!(side, TOP | BOTTOM);
    let middle = width / 2.0;
    let (x, y) = match side {
        TOP => (outer.x, outer.y + middle),
        BOTTOM => (outer.x, inner.y + inner.height + middle),
        LEFT => (outer.x + middle, outer.y),
        _ => (inner.x + inner.width + middle, outer.y),
    };
    let length = if along { outer.width } else { outer.height };
    row((x, y), along, length, width, style)
}

/// Row of dashes or dots from a point. Their number is the one that fits best, and the gap is adjusted so that the row
/// ends with a dash. Dashes are two or three times as long as the border is wide, and dots as long as it is wide, as in
/// Chromium.
fn row(from: (f32, f32), along: bool, length: f32, width: f32, style: LineStyle) -> Dashes {
    // Lengths are multiples of the width. Thin dashes are longer, so that they can be distinguished.
    let dash = match style {
        LineStyle::Dotted => width,
        _ if width >= 3.0 => 2.0 * width,
        _ => 3.0 * width,
    };
    let gap = match style {
        LineStyle::Dotted => width,
        _ if width >= 3.0 => width,
        _ => 2.0 * width,
    };
    // A row of n dashes has n - 1 gaps.
    let count = ((length + gap) / (dash + gap)).round().max(1.0);
    let gap = match count > 1.0 {
        true => ((length - dash * count) / (count - 1.0)).max(0.0),
        false => 0.0,
    };
    let (x, y) = from;
    Dashes {
        from,
        to: if along {
            (x + length, y)
        } else {
            (x, y + length)
        },
        width,
        dash,
        gap,
        round: style == LineStyle::Dotted && width > 1.5,
    }
}

/// A straight horizontal or vertical row of dashes or dots, in px.
#[derive(Clone, Copy)]
pub(crate) struct Dashes {
    /// Start of the row, on its middle line.
    pub from: (f32, f32),
    /// End of the row, on its middle line.
    pub to: (f32, f32),
    /// Thickness of the row.
    pub width: f32,
    /// Length of a dash.
    pub dash: f32,
    /// Length of the gap between two dashes.
    pub gap: f32,
    /// Whether dashes are circles (`dotted`).
    pub round: bool,
}

impl Dashes {
    /// Reduces the row to the whole dashes that meet an area. A box may be a thousand pages high, and each page shows
    /// only a part of its sides.
    pub(crate) fn within(self, area: Area) -> Self {
        // The axis along which the row runs decides which coordinates are compared.
        let along = self.from.1 == self.to.1;
        let (from, to, first, last) = match along {
            true => (self.from.0, self.to.0, area.x, area.x + area.width),
            false => (self.from.1, self.to.1, area.y, area.y + area.height),
        };
        let step = self.dash + self.gap;
        if step <= 0.0 {
            return self;
        }
        // Dashes before the area are skipped in whole steps, so that the pattern does not move.
        let skipped = ((first - from) / step).floor().max(0.0);
        let begin = from + skipped * step;
        let end = match last < to {
            true => begin + ((last - begin) / step).ceil().max(0.0) * step + self.dash,
            false => to,
        };
        let place = |at: f32| match along {
            true => (at, self.from.1),
            false => (self.from.0, at),
        };
        Self {
            from: place(begin),
            to: place(end.min(to)),
            ..self
        }
    }

    /// Bounding box of the row.
    pub(crate) fn bounds(&self) -> Area {
        let half = self.width / 2.0;
        let (x, y) = (self.from.0.min(self.to.0), self.from.1.min(self.to.1));
        let (along, down) = (self.from.1 == self.to.1, self.from.0 == self.to.0);
        Area {
            x: if down { x - half } else { x },
            y: if along { y - half } else { y },
            width: if down {
                self.width
            } else {
                self.to.0 - self.from.0
            },
            height: if along {
                self.width
            } else {
                self.to.1 - self.from.1
            },
        }
    }
}

/// Borders of a cell in the collapsing border model (CSS 2.2, 17.6.2). They are centred on the grid lines, so half of
/// each border is outside the cell.
pub(crate) fn collapsed(
    area: Area,
    borders: &[Option<Border>; 4],
    current: Rgba,
) -> Vec<(Painted, Rgba)> {
    let mut all = Vec::new();
    // Half the width of a border. Horizontal lines are extended by it, so that corners are filled.
    let half = |side: usize| borders[side].map_or(0.0, |border| border.width() / 2.0);
    for side in [LEFT, RIGHT, TOP, BOTTOM] {
        let Some(border) = borders[side] else {
            continue;
        };
        let width = border.width();
        if width <= 0.0 || !is_drawn(border.style) {
            continue;
        }
        // Horizontal lines include the corners, and vertical lines end at the grid lines.
        let (right, bottom) = (area.x + area.width, area.y + area.height);
        let line = match side {
            TOP => Area {
                x: area.x - half(LEFT),
                y: area.y - width / 2.0,
                width: area.width + half(LEFT) + half(RIGHT),
                height: width,
            },
            BOTTOM => Area {
                x: area.x - half(LEFT),
                y: bottom - width / 2.0,
                width: area.width + half(LEFT) + half(RIGHT),
                height: width,
            },
            LEFT => Area {
                x: area.x - width / 2.0,
                y: area.y,
                width,
                height: area.height,
            },
            _ => Area {
                x: right - width / 2.0,
                y: area.y,
                width,
                height: area.height,
            },
        };
        let colour = border.colour.or(current);
        match border.style {
            LineStyle::Dashed | LineStyle::Dotted => {
                let along = matches!(side, TOP | BOTTOM);
                let (from, length) = match along {
                    true => ((line.x, line.y + width / 2.0), line.width),
                    false => ((line.x + width / 2.0, line.y), line.height),
                };
                let row = row(from, along, length, width, border.style);
                all.push((Painted::Dashed(row), colour));
            }
            _ => all.push((Painted::Filled(rectangle(line)), colour)),
        }
    }
    all
}
