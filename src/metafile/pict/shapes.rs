//! Lines and shapes of QuickDraw, and the verbs that draw them. Handles neither text nor bitmaps.

use super::{
    super::{
        objects::{Brush, Pen, Rgb},
        page::Matrix,
        path::Outline,
    },
    input::Input,
    port::{Port, Shape},
    region,
};

/// The verb that draws the border of a shape.
const FRAME: u16 = 0;
/// The verb that fills a shape with the pattern of the pen.
const PAINT: u16 = 1;
/// The verb that fills a shape with the pattern of the background. (Verb 3, invert, is not supported.)
const ERASE: u16 = 2;
/// The verb that fills a shape with the fill pattern.
const FILL: u16 = 4;

/// Draws a line from the current position or a given point, to a point or by a short distance.
pub(super) fn line(port: &mut Port, opcode: u16, input: &mut Input<'_>) -> Option<()> {
    let from = match opcode {
        0x20 | 0x22 => input.point()?,
        _ => port.device.state.at,
    };
    let to = match opcode {
        0x20 | 0x21 => input.point()?,
        _ => {
            let (across, down) = (input.i8()?, input.i8()?);
            (from.0 + f64::from(across), from.1 + f64::from(down))
        }
    };
    port.device.state.at = to;
    let outline = pen_line(port, &[from, to], port.device.matrix());
    stroke(port, &outline);
    Some(())
}

/// Draws a shape, or repeats the last one of its kind, with the verb of the opcode.
pub(super) fn shape(port: &mut Port, opcode: u16, input: &mut Input<'_>) -> Option<()> {
    let (family, verb) = (opcode >> 4, opcode & 7);
    let at = usize::from(family.clamp(3, 8) - 3);
    let shape = match opcode & 8 {
        0 => {
            let read = read(port, family, input)?;
            port.last[at] = Some(read.clone());
            Some(read)
        }
        _ => match (&port.last[at], family) {
            // Repeats the oval with another sector; without an oval to repeat, only skips the angles.
            (Some(Shape::Arc(around, ..)), 6) => Some(Shape::Arc(
                *around,
                input.i16()?.into(),
                input.i16()?.into(),
            )),
            (None, 6) => input.take(4).and(None),
            (last, _) => last.clone(),
        },
    };
    if let Some(shape) = shape {
        draw(port, &shape, verb);
    }
    Some(())
}

/// Reads a shape. The family is the kind of shape: the opcode without its last hexadecimal digit.
fn read(port: &Port, family: u16, input: &mut Input<'_>) -> Option<Shape> {
    Some(match family {
        3 => Shape::Rectangle(input.rectangle()?),
        4 => Shape::Round(input.rectangle()?, port.oval),
        5 => Shape::Oval(input.rectangle()?),
        6 => Shape::Arc(input.rectangle()?, input.i16()?.into(), input.i16()?.into()),
        7 => {
            let mut polygon = input.counted()?;
            polygon.take(8)?;
            let points = std::iter::from_fn(|| polygon.point());
            Shape::Polygon(points.collect())
        }
        _ => Shape::Region(region::rectangles(input.counted()?)?),
    })
}

/// Draws a shape with a verb: its border, or its area in the pattern of the pen, the background or the fill.
fn draw(port: &mut Port, shape: &Shape, verb: u16) {
    let ink = match verb {
        FRAME => return frame(port, shape),
        PAINT => port.pen,
        ERASE => port.ground,
        FILL => port.fill,
        // SVG cannot invert pixels.
        _ => {
            port.device.page.cut = true;
            return;
        }
    };
    let Some(colour) = port.colour(ink) else {
        return;
    };
    let mut outline = Outline::default();
    trace(&mut outline, port.device.matrix(), shape, (0.0, 0.0), true);
    port.device.state.brush = Brush::Solid(colour);
    port.device.paint(&outline, true, false);
}

/// Draws the border of a shape, which lies inside of the shape; the border of a polygon extends below and to the right
/// of its points. A region of several rectangles gets no border, and marks the drawing as incomplete.
fn frame(port: &mut Port, shape: &Shape) {
    let (width, height) = port.pen_size;
    let matrix = port.device.matrix();
    let outline = match shape {
        Shape::Polygon(points) => pen_line(port, points, matrix),
        Shape::Region(parts) if parts.len() > 1 => {
            port.device.page.cut = true;
            return;
        }
        shape => {
            let mut outline = Outline::default();
            trace(
                &mut outline,
                matrix,
                shape,
                (width / 2.0, height / 2.0),
                false,
            );
            outline
        }
    };
    stroke(port, &outline);
}

/// A line through points, moved by half the size of the pen, because the pen extends below and to the right of them.
fn pen_line(port: &Port, points: &[(f64, f64)], matrix: Matrix) -> Outline {
    let (width, height) = port.pen_size;
    let moved = points
        .iter()
        .map(|(x, y)| (x + width / 2.0, y + height / 2.0));
    let moved: Vec<_> = moved.collect();
    let mut outline = Outline::default();
    outline.polyline(matrix, &moved, false);
    outline
}

/// Strokes an outline with the pen.
fn stroke(port: &mut Port, outline: &Outline) {
    let (width, height) = port.pen_size;
    // A pen without width or height draws nothing.
    if width <= 0.0 || height <= 0.0 {
        return;
    }
    if let Some(colour) = port.colour(port.pen) {
        port.device.state.pen = pen(colour, width.max(height));
        port.device.paint(outline, false, true);
    }
}

/// A pen with square ends and mitred corners, like the rectangular pen of QuickDraw.
fn pen(colour: Rgb, width: f64) -> Pen {
    Pen {
        colour,
        width,
        cap: "square",
        join: "miter",
        ..Pen::default()
    }
}

/// Adds the outline of a shape to `outline`, inset from the edges of its rectangles by `across` and `down`; a polygon
/// is not inset. The outline of a filled sector includes the centre of the oval.
fn trace(
    outline: &mut Outline,
    matrix: Matrix,
    shape: &Shape,
    (across, down): (f64, f64),
    filled: bool,
) {
    let within = |[left, top, right, bottom]: [f64; 4]| {
        [left + across, top + down, right - across, bottom - down]
    };
    match shape {
        Shape::Rectangle(corners) => outline.rectangle(matrix, within(*corners)),
        Shape::Round(corners, size) => outline.round_rectangle(matrix, within(*corners), *size),
        Shape::Oval(corners) => {
            outline.arc(matrix, within(*corners), 0.0, std::f64::consts::TAU, false);
            outline.close();
        }
        Shape::Arc(corners, start, sweep) => {
            let around @ [left, top, right, bottom] = within(*corners);
            let (start, sweep) = ((start - 90.0).to_radians(), sweep.clamp(-360.0, 360.0));
            if filled {
                outline.move_to(matrix, ((left + right) / 2.0, (top + bottom) / 2.0));
            }
            outline.arc(matrix, around, start, sweep.to_radians(), filled);
            if filled {
                outline.close();
            }
        }
        Shape::Polygon(points) => outline.polyline(matrix, points, true),
        Shape::Region(parts) => {
            for part in parts {
                outline.rectangle(matrix, within(*part));
            }
        }
    }
}
