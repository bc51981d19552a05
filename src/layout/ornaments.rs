//! Lines and marks at letters: underlines of all kinds, lines around text, and emphasis marks. Does not depend on the
//! letters.
//!
//! As in CSS, the lengths of dashes and waves are multiples of the thickness of the line.

use super::item::{Area, Dashes, Item, Segment};
use convertd_tree::{Border, Colour, EmphasisMark, EmphasisShape, Stroke, Underline};
use std::rc::Rc;

/// Height of an emphasis mark's middle above the baseline, in ems, if the mark is above the letter.
pub const ABOVE: f32 = 1.02;
/// Depth of an emphasis mark's middle below the baseline, in ems, if the mark is below the letter.
pub const BELOW: f32 = 0.3;
/// Height above the baseline that a letter with an emphasis mark needs, in ems.
pub const ROOM_ABOVE: f32 = 1.16;
/// Depth below the baseline that a letter with an emphasis mark needs, in ems.
pub const ROOM_BELOW: f32 = 0.44;

/// The underline of a stretch of text. `area` is the area of a single line of normal thickness.
pub fn underline(area: Area, text_format: Underline, colour: Colour) -> Vec<Item> {
    let colour = text_format.colour.unwrap_or(colour);
    let thick = match text_format.thick {
        true => 2.0 * area.height,
        false => area.height,
    };
    let area = Area {
        height: thick,
        ..area
    };
    let mut items = stroke(area, text_format.stroke, colour);
    if text_format.double {
        let down = match text_format.stroke {
            Stroke::Wavy => 3.0 * thick,
            _ => 2.0 * thick,
        };
        let other = Area {
            y: area.y + down,
            ..area
        };
        items.extend(stroke(other, text_format.stroke, colour));
    }
    items
}

fn stroke(area: Area, stroke: Stroke, colour: Colour) -> Vec<Item> {
    // Lengths of dashes and gaps alternate, as multiples of the thickness.
    let pattern: &[f32] = match stroke {
        Stroke::Solid => return vec![Item::Fill { area, colour }],
        Stroke::Wavy => {
            let path = Rc::from(wave(area));
            return vec![Item::Path { path, colour }];
        }
        Stroke::Dotted => &[1.0, 1.5],
        Stroke::Dashed => &[4.0, 2.5],
        Stroke::LongDashed => &[8.0, 3.0],
        Stroke::DotDashed => &[4.0, 2.0, 1.0, 2.0],
        Stroke::DotDotDashed => &[4.0, 2.0, 1.0, 2.0, 1.0, 2.0],
    };
    let thick = area.height.max(0.1);
    let y = area.y + area.height / 2.0;
    let end = area.x + area.width;
    let period: f32 = pattern.iter().sum();
    // Each dash of the pattern is a row of its own, so that the item of a long line is as small as that of a short one.
    // The number of lines in a document is not limited, and outlines would need a hundred times the memory of rows.
    let mut rows = Vec::new();
    let mut x = area.x;
    for pair in pattern.chunks(2) {
        if x < end {
            rows.push(Item::Dashes(Dashes {
                from: (x, y),
                to: (end, y),
                width: area.height,
                dash: pair[0] * thick,
                gap: (period - pair[0]) * thick,
                round: false,
                colour,
            }));
        }
        x += (pair[0] + pair[1]) * thick;
    }
    rows
}

/// Wavy text decoration line along an area, as thick as the area is high. The path is its upper edge from left to
/// right, then its lower edge back.
pub fn wave(area: Area) -> Vec<Segment> {
    // This limits the number of curves of one line, and so the memory of the line. A longer line gets longer waves. A
    // line of text across a page has about this many waves.
    const MAX_WAVES: usize = 200;
    // A wave is a point longer than twice the thickness of the line. The control points of its curve are half a point
    // more than the thickness above or below the edge of the line.
    let thick = area.height;
    let (step, swing) = (2.0 * thick + 1.0, thick + 0.5);
    let count = ((area.width / step).ceil() as usize).clamp(1, MAX_WAVES);
    let step = area.width / count as f32;
    let middle = area.y + thick;
    // Waves alternately point up and down.
    let side = |index: usize| {
        if index.is_multiple_of(2) {
            swing
        } else {
            -swing
        }
    };
    let at = |index: usize| area.x + index as f32 * step;
    // The upper edge forwards, then the lower edge backwards, so that the outline closes.
    let mut path = vec![Segment::Move((area.x, middle - thick / 2.0))];
    for index in 0..count {
        let y = middle - thick / 2.0;
        let (from, to, by) = (at(index), at(index + 1), side(index));
        path.push(Segment::Curve(
            (from + step / 2.0, y + by),
            (to - step / 2.0, y + by),
            (to, y),
        ));
    }
    path.push(Segment::Line((at(count), middle + thick / 2.0)));
    for index in (0..count).rev() {
        let y = middle + thick / 2.0;
        let (from, to, by) = (at(index + 1), at(index), side(index));
        path.push(Segment::Curve(
            (from - step / 2.0, y + by),
            (to + step / 2.0, y + by),
            (to, y),
        ));
    }
    path.push(Segment::Close);
    path
}

/// The borders around a stretch of text, whose box is `area`.
pub fn frame(area: Area, border: Border) -> Vec<Item> {
    let away = super::units::points(border.space.unwrap_or_default() + border.width.scaled(0.5));
    let (left, top) = (area.x - away, area.y - away);
    let (right, bottom) = (area.x + area.width + away, area.y + area.height + away);
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
    let sides = corners.into_iter().zip(corners.into_iter().cycle().skip(1));
    let line = |(from, to)| Item::Line { from, to, border };
    sides.map(line).collect()
}

/// The emphasis mark of a letter whose middle is at `x`, on a baseline at `y`, in text of this size in points.
pub fn emphasis(mark: EmphasisMark, (x, y): (f32, f32), size: f32, colour: Colour) -> Item {
    let y = match mark.below {
        true => y + BELOW * size,
        false => y - ABOVE * size,
    };
    let mut path = Vec::new();
    let around = |across: f32, along: f32, path: &mut Vec<Segment>| {
        ellipse((x, y), (across * size, along * size), path);
    };
    match mark.shape {
        EmphasisShape::Dot => around(0.08, 0.08, &mut path),
        EmphasisShape::Disc => around(0.12, 0.12, &mut path),
        // By the even-odd rule, the inner circle becomes a hole.
        EmphasisShape::Circle => {
            around(0.12, 0.12, &mut path);
            around(0.08, 0.08, &mut path);
        }
        EmphasisShape::Comma => {
            around(0.07, 0.13, &mut path);
            turn(&mut path, (x, y));
        }
    }
    let path = Rc::from(path);
    Item::Path { path, colour }
}

/// Adds an ellipse to a path.
fn ellipse((x, y): (f32, f32), (across, along): (f32, f32), path: &mut Vec<Segment>) {
    // With this distance of the control points, the curve is closest to an arc.
    const CONTROL: f32 = 0.5523;
    let (cx, cy) = (CONTROL * across, CONTROL * along);
    path.extend([
        Segment::Move((x + across, y)),
        Segment::Curve((x + across, y + cy), (x + cx, y + along), (x, y + along)),
        Segment::Curve((x - cx, y + along), (x - across, y + cy), (x - across, y)),
        Segment::Curve((x - across, y - cy), (x - cx, y - along), (x, y - along)),
        Segment::Curve((x + cx, y - along), (x + across, y - cy), (x + across, y)),
        Segment::Close,
    ]);
}

/// Turns a path about a point by 35 degrees, so that its lower end points to the right, as in a sesame dot.
fn turn(path: &mut [Segment], (x, y): (f32, f32)) {
    let (sin, cos) = (-35.0_f32).to_radians().sin_cos();
    let at = |(px, py): (f32, f32)| {
        let (dx, dy) = (px - x, py - y);
        (x + dx * cos - dy * sin, y + dx * sin + dy * cos)
    };
    for segment in path {
        *segment = match *segment {
            Segment::Move(to) => Segment::Move(at(to)),
            Segment::Line(to) => Segment::Line(at(to)),
            Segment::Curve(one, other, to) => Segment::Curve(at(one), at(other), at(to)),
            Segment::Close => Segment::Close,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_end_at_the_end_of_the_text() {
        let area = Area {
            x: 10.0,
            y: 0.0,
            width: 20.0,
            height: 1.0,
        };
        let text_format = Underline {
            stroke: Stroke::Dashed,
            ..Underline::default()
        };
        let items = underline(area, text_format, Colour(0, 0, 0));
        let [Item::Dashes(row)] = items.as_slice() else {
            panic!("{items:?}");
        };
        assert_eq!((row.from, row.to), ((10.0, 0.5), (30.0, 0.5)));
        // 4 points of line and 2.5 of gap.
        assert_eq!((row.dash, row.gap), (4.0, 2.5));
        let closes = |segment: &&Segment| **segment == Segment::Close;
        assert_eq!(row.outline().iter().filter(closes).count(), 4);
        let double = Underline {
            double: true,
            ..Underline::default()
        };
        assert_eq!(underline(area, double, Colour(0, 0, 0)).len(), 2);
    }

    #[test]
    fn the_memory_of_a_line_does_not_grow_with_its_length() {
        #[track_caller]
        fn check(stroke: Stroke, most: usize) {
            let area = Area {
                width: 1e6,
                height: 0.5,
                ..Area::default()
            };
            let text_format = Underline {
                stroke,
                ..Underline::default()
            };
            let items = underline(area, text_format, Colour(0, 0, 0));
            let size = |item: &Item| match item {
                Item::Path { path, .. } => path.len(),
                _ => 1,
            };
            assert!(items.iter().map(size).sum::<usize>() <= most, "{stroke:?}");
        }
        check(Stroke::Dotted, 1);
        check(Stroke::DotDotDashed, 3);
        check(Stroke::Wavy, 403);
    }
}
