//! Outlines of shapes, from the points or the size that the file states. Reads neither fills nor lines.

use super::{
    lengths::number,
    objects::Parts,
    shapes::{EMU, original},
};
use crate::containers::xml::{Element, Node};
use convertd_office::drawing::{Command, Path, Shade};

/// Maximum number of points of an outline.
const MAX_POINTS: usize = 100_000;

/// Outline of a shape in a place of this size, in English Metric Units.
pub(super) fn outline(
    element: &Element<'_>,
    parts: &Parts<'_>,
    (width, height): (f64, f64),
) -> Vec<Path> {
    // Points are stored for the original size of the shape, and scaled to its present size.
    let (own_width, own_height) = original(parts).unwrap_or((0.0, 0.0));
    let fit = |side: f64, own: f64| if own > 0.0 { side / own } else { EMU };
    let scale = (fit(width, own_width), fit(height, own_height));
    let at = |x: i64, y: i64| (x as f64 * scale.0, y as f64 * scale.1);
    let point = |node: &Node<'_>| {
        let own = |name| number(&node.element, name).unwrap_or(0);
        at(own("x"), own("y"))
    };
    let named = |name: &str| parts.named(name).map(point);
    let mut commands = Vec::new();
    let mut is_area = true;
    match element.name {
        "ellipse" => ellipse(&mut commands, (width, height)),
        "line" | "connectLine" => {
            is_area = false;
            if let (Some(from), Some(to)) = (named("startPt"), named("endPt")) {
                commands.push(Command::Move(from.0, from.1));
                commands.push(Command::Line(to.0, to.1));
            }
        }
        "arc" => {
            if let (Some(centre), Some(begin), Some(end)) =
                (named("center"), named("ax1"), named("ax2"))
            {
                // A quarter of an ellipse between the ends of two axes, as a Bézier curve.
                let control = |from: (f64, f64), to: (f64, f64)| {
                    (
                        from.0 + (to.0 - centre.0) * ROUND,
                        from.1 + (to.1 - centre.1) * ROUND,
                    )
                };
                let (a, b) = (control(begin, end), control(end, begin));
                commands.push(Command::Move(begin.0, begin.1));
                commands.push(Command::Curve([a.0, a.1, b.0, b.1, end.0, end.1]));
                match element.attribute("type").as_deref() {
                    Some("PIE") => {
                        commands.push(Command::Line(centre.0, centre.1));
                        commands.push(Command::Close);
                    }
                    Some("CHORD") => commands.push(Command::Close),
                    _ => is_area = false,
                }
            }
        }
        "polygon" => {
            let points = parts.all_named("pt").take(MAX_POINTS).map(point);
            for (number, (x, y)) in points.enumerate() {
                commands.push(match number {
                    0 => Command::Move(x, y),
                    _ => Command::Line(x, y),
                });
            }
            commands.push(Command::Close);
        }
        "curve" => curve(&mut commands, parts, &at),
        _ => {
            commands.extend([
                Command::Move(0.0, 0.0),
                Command::Line(width, 0.0),
                Command::Line(width, height),
                Command::Line(0.0, height),
                Command::Close,
            ]);
        }
    }
    vec![Path {
        commands,
        shade: is_area.then_some(Shade::Plain),
        stroked: true,
    }]
}

/// Distance of the control points of a quarter circle from its ends, in radii: 4/3 · (√2 - 1). With this distance, a
/// Bézier curve touches the quarter circle at its ends and in its middle.
const ROUND: f64 = 0.5523;

fn ellipse(commands: &mut Vec<Command>, (width, height): (f64, f64)) {
    let (x, y) = (width / 2.0, height / 2.0);
    let (across, down) = (x * ROUND, y * ROUND);
    commands.extend([
        Command::Move(width, y),
        Command::Curve([width, y + down, x + across, height, x, height]),
        Command::Curve([x - across, height, 0.0, y + down, 0.0, y]),
        Command::Curve([0.0, y - down, x - across, 0.0, x, 0.0]),
        Command::Curve([x + across, 0.0, width, y - down, width, y]),
        Command::Close,
    ]);
}

/// Adds a smooth curve through points (a Catmull-Rom spline): at each point, it has the direction from the previous
/// point to the next point.
fn curve(commands: &mut Vec<Command>, parts: &Parts<'_>, at: &dyn Fn(i64, i64) -> (f64, f64)) {
    let mut points = Vec::new();
    for segment in parts.all_named("seg").take(MAX_POINTS) {
        let own = |name| number(&segment.element, name).unwrap_or(0);
        if points.is_empty() {
            points.push(at(own("x1"), own("y1")));
        }
        points.push(at(own("x2"), own("y2")));
    }
    let Some(first) = points.first().copied() else {
        return;
    };
    let is_closed = points.last() == Some(&first);
    commands.push(Command::Move(first.0, first.1));
    let count = points.len();
    // Beyond its ends, a closed curve continues at the other end, and an open curve stays at its end.
    let point = |number: isize| {
        let last = count as isize - 1;
        let number = match is_closed && last > 0 {
            true => number.rem_euclid(last),
            false => number.clamp(0, last),
        };
        points[number as usize]
    };
    for number in 1..count as isize {
        let around = [number - 2, number - 1, number, number + 1].map(point);
        // Offset of a Bézier control point: a third of the direction at its point, which is half of the way from the
        // previous point to the next one.
        let third =
            |from: (f64, f64), to: (f64, f64)| ((to.0 - from.0) / 6.0, (to.1 - from.1) / 6.0);
        let (from_offset, to_offset) = (third(around[0], around[2]), third(around[1], around[3]));
        let (from, to) = (around[1], around[2]);
        commands.push(Command::Curve([
            from.0 + from_offset.0,
            from.1 + from_offset.1,
            to.0 - to_offset.0,
            to.1 - to_offset.1,
            to.0,
            to.1,
        ]));
    }
    if is_closed {
        commands.push(Command::Close);
    }
}
