//! Paths of an outline: their commands, with the values of guides (ECMA-376 part 1, 20.1.9.15). Computes no guides.

use super::super::definition::PathDefinition;
use super::{CIRCLE, Command, Guides, Path};

impl PathDefinition {
    /// Computes a path in the coordinates of the shape. A path with its own size is scaled to the size of the shape.
    /// Arcs become Bézier curves.
    pub(super) fn drawn(&self, guides: &Guides<'_>) -> Path {
        let scale = |own: Option<f64>, whole: f64| match own {
            Some(own) if own > 0.0 => whole / own,
            _ => 1.0,
        };
        let across = scale(self.width, guides.width);
        let down = scale(self.height, guides.height);
        let mut commands = Vec::with_capacity(self.commands.len());
        let mut at = (0.0, 0.0);
        for (letter, operands) in &self.commands {
            let value = |nth: usize| operands.get(nth).map_or(0.0, |name| guides.value(name));
            let point = |nth: usize| (value(2 * nth) * across, value(2 * nth + 1) * down);
            match letter {
                'm' => {
                    at = point(0);
                    commands.push(Command::Move(at.0, at.1));
                }
                'l' => {
                    at = point(0);
                    commands.push(Command::Line(at.0, at.1));
                }
                'q' => {
                    // A cubic curve has the same shape if its control points are at two thirds of the way from the ends
                    // to the quadratic control point.
                    let (control, end) = (point(0), point(1));
                    let two_thirds = |from: f64, to: f64| from + (to - from) * 2.0 / 3.0;
                    commands.push(Command::Curve([
                        two_thirds(at.0, control.0),
                        two_thirds(at.1, control.1),
                        two_thirds(end.0, control.0),
                        two_thirds(end.1, control.1),
                        end.0,
                        end.1,
                    ]));
                    at = end;
                }
                'c' => {
                    let [first_control, second_control, end] = [point(0), point(1), point(2)];
                    commands.push(Command::Curve([
                        first_control.0,
                        first_control.1,
                        second_control.0,
                        second_control.1,
                        end.0,
                        end.1,
                    ]));
                    at = end;
                }
                'a' => {
                    let radii = (value(0) * across, value(1) * down);
                    at = arc(&mut commands, at, radii, value(2), value(3));
                }
                _ => commands.push(Command::Close),
            }
        }
        Path {
            commands,
            shade: self.shade,
            stroked: self.stroked,
        }
    }
}

/// Draws an arc from a point as Bézier curves of at most a quarter each, and returns the end of the arc. `start` and
/// `sweep` are in 60000ths of a degree, measured on an ellipse with the radii `width` and `height`.
fn arc(
    commands: &mut Vec<Command>,
    from: (f64, f64),
    (width, height): (f64, f64),
    start: f64,
    sweep: f64,
) -> (f64, f64) {
    use std::f64::consts::{FRAC_PI_2, PI, TAU};
    let radians = |angle: f64| angle / CIRCLE * TAU;
    let sweep = radians(sweep.clamp(-CIRCLE, CIRCLE));
    // Converts an angle on the ellipse to the angle on the circle.
    let on_circle = |angle: f64| {
        let turns = (angle / TAU).round() * TAU;
        let rest = angle - turns;
        turns + (width * rest.sin()).atan2(height * rest.cos())
    };
    let first = on_circle(radians(start));
    let mut whole = on_circle(radians(start) + sweep) - first;
    if sweep.abs() >= TAU - 1e-9 {
        whole = TAU.copysign(sweep);
    } else if whole * sweep < 0.0 {
        whole += TAU.copysign(sweep);
    }
    let pieces = (whole.abs() / FRAC_PI_2 - 1e-9).ceil().clamp(1.0, 4.0);
    let step = whole / pieces;
    let centre = (from.0 - width * first.cos(), from.1 - height * first.sin());
    // Distance of the control points from the ends of a piece, relative to the radius. With this distance the curve
    // touches the ellipse in the middle of the piece.
    let reach = 4.0 / 3.0 * (step / 4.0).tan();
    let mut end = from;
    if !whole.is_finite() || whole.abs() > 2.0 * PI + 1e-6 {
        return end;
    }
    for piece in 0..pieces as usize {
        let begin_angle = first + step * piece as f64;
        let end_angle = begin_angle + step;
        let on = |angle: f64| {
            (
                centre.0 + width * angle.cos(),
                centre.1 + height * angle.sin(),
            )
        };
        let (a, b) = (on(begin_angle), on(end_angle));
        commands.push(Command::Curve([
            a.0 - reach * width * begin_angle.sin(),
            a.1 + reach * height * begin_angle.cos(),
            b.0 + reach * width * end_angle.sin(),
            b.1 - reach * height * end_angle.cos(),
            b.0,
            b.1,
        ]));
        end = b;
    }
    end
}
