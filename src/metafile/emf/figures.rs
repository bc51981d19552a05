//! Records of EMF that draw figures: lines, curves, arcs, paths, single pixels and gradients (MS-EMF 2.3.5). Does not
//! choose among the records.

use super::super::{
    bytes::Bytes,
    clip,
    device::Device,
    objects::colour,
    page::{hex, round},
    path::{Outline, angles},
};

/// Handles records of straight lines and polygons (MS-EMF 2.3.5).
pub(super) fn lines(device: &mut Device, kind: u32, record: Bytes<'_>) -> Option<()> {
    // EMR_LINETO.
    if kind == 54 {
        let point = record.point(8, true)?;
        device.onwards(
            |outline, matrix| outline.line_to(matrix, point),
            Some(point),
        );
        return Some(());
    }
    let wide = kind < 80;
    // The types of records with 16-bit coordinates follow those with 32-bit ones in the same order, 83 numbers higher.
    let kind = if wide { kind } else { kind - 83 };
    let count = record.u32(24)? as usize;
    // EMR_POLYPOLYLINE and EMR_POLYPOLYGON: the numbers of points of all parts come first, then the points of all
    // parts.
    if matches!(kind, 7 | 8) {
        let (filled, all) = (kind == 8, record.u32(28)? as usize);
        let first = 32 + count.min(record.len()) * 4;
        let mut points = record.points(first, all, wide).into_iter();
        let counts: Vec<usize> = (0..count)
            .map_while(|nth| record.u32(32 + nth * 4))
            .map(|one| one as usize)
            .collect();
        device.outline(
            |outline, matrix| {
                for count in counts {
                    let own: Vec<_> = points.by_ref().take(count).collect();
                    outline.polyline(matrix, &own, filled);
                }
            },
            filled,
            true,
        );
        return Some(());
    }
    let points = record.points(28, count, wide);
    let last = points.last().copied();
    match kind {
        // EMR_POLYBEZIER: the first point is the start, then three for each curve.
        2 => device.outline(
            |outline, matrix| {
                outline.polyline(matrix, points.get(..1).unwrap_or_default(), false);
                outline.curves(matrix, points.get(1..).unwrap_or_default());
            },
            false,
            true,
        ),
        // EMR_POLYGON, and EMR_POLYLINE, which stays open.
        3 => device.outline(
            |outline, matrix| outline.polyline(matrix, &points, true),
            true,
            true,
        ),
        4 => device.outline(
            |outline, matrix| outline.polyline(matrix, &points, false),
            false,
            true,
        ),
        // EMR_POLYBEZIERTO, and EMR_POLYLINETO: these begin at the current position and move it.
        5 => device.onwards(|outline, matrix| outline.curves(matrix, &points), last),
        _ => device.onwards(
            |outline, matrix| {
                points
                    .iter()
                    .for_each(|point| outline.line_to(matrix, *point))
            },
            last,
        ),
    }
    Some(())
}

/// Handles records of arcs, ellipses and rounded rectangles (MS-EMF 2.3.5).
pub(super) fn curved(device: &mut Device, kind: u32, record: Bytes<'_>) -> Option<()> {
    use std::f64::consts::TAU;
    // EMR_ANGLEARC: a line to the start of the arc, then the arc. Its angles are counter-clockwise; the angles of
    // outlines are clockwise.
    if kind == 41 {
        let ((x, y), radius) = (record.point(8, true)?, f64::from(record.u32(16)?));
        let (start, sweep) = (record.f32(20)?.to_radians(), record.f32(24)?.to_radians());
        let around = [x - radius, y - radius, x + radius, y + radius];
        let end = start + sweep;
        let end = (x + radius * end.cos(), y - radius * end.sin());
        device.onwards(
            |outline, matrix| outline.arc(matrix, around, -start, -sweep.clamp(-TAU, TAU), true),
            Some(end),
        );
        return Some(());
    }
    let around = record.rectangle(8)?;
    match kind {
        // EMR_ELLIPSE, EMR_RECTANGLE and EMR_ROUNDRECT.
        42 => device.outline(
            |outline, matrix| {
                outline.arc(matrix, around, 0.0, TAU, false);
                outline.close();
            },
            true,
            true,
        ),
        43 => device.outline(
            |outline, matrix| outline.rectangle(matrix, around),
            true,
            true,
        ),
        44 => {
            let corner = record.point(24, true)?;
            device.outline(
                |outline, matrix| outline.round_rectangle(matrix, around, corner),
                true,
                true,
            );
        }
        // EMR_ARC, EMR_CHORD, EMR_PIE and EMR_ARCTO: from the ray through one point to the ray through another.
        _ => {
            let (from, to) = (record.point(24, true)?, record.point(32, true)?);
            let clockwise = device.state.clockwise;
            let (start, sweep) = angles(around, from, to, clockwise);
            arc(device, kind, around, (start, sweep));
        }
    }
    Some(())
}

/// Draws a part of an ellipse by the type of its record: an open arc, a chord, a pie, or an arc that continues a line.
fn arc(device: &mut Device, kind: u32, around: [f64; 4], (start, sweep): (f64, f64)) {
    let [left, top, right, bottom] = around;
    let centre = ((left + right) / 2.0, (top + bottom) / 2.0);
    match kind {
        45 => device.outline(
            |outline, matrix| outline.arc(matrix, around, start, sweep, false),
            false,
            true,
        ),
        46 => device.outline(
            |outline, matrix| {
                outline.arc(matrix, around, start, sweep, false);
                outline.close();
            },
            true,
            true,
        ),
        47 => device.outline(
            |outline, matrix| {
                outline.move_to(matrix, centre);
                outline.arc(matrix, around, start, sweep, true);
                outline.close();
            },
            true,
            true,
        ),
        // EMR_ARCTO: the current position moves to the end of the arc.
        _ => {
            let end = start + sweep;
            let (rx, ry) = ((right - left) / 2.0, (bottom - top) / 2.0);
            let end = (centre.0 + rx * end.cos(), centre.1 + ry * end.sin());
            device.onwards(
                |outline, matrix| outline.arc(matrix, around, start, sweep, true),
                Some(end),
            );
        }
    }
}

/// Handles records that move the current position, clip, build or paint a path, or paint a region (MS-EMF 2.3.2, 2.3.5
/// and 2.3.10).
pub(super) fn outline(device: &mut Device, kind: u32, record: Bytes<'_>) -> Option<()> {
    match kind {
        // EMR_MOVETOEX; EMR_EXCLUDECLIPRECT and EMR_INTERSECTCLIPRECT.
        27 => device.move_to(record.point(8, true)?),
        29 | 30 => device.clip_rectangle(record.rectangle(8)?, kind == 30),
        // EMR_BEGINPATH, EMR_ENDPATH and EMR_CLOSEFIGURE.
        59 => {
            device.path = Some(Outline::default());
            device.in_path = true;
        }
        60 => device.in_path = false,
        61 => {
            if let Some(path) = &mut device.path {
                path.close();
            }
        }
        // EMR_FILLPATH, EMR_STROKEANDFILLPATH and EMR_STROKEPATH.
        62..=64 => {
            device.in_path = false;
            if let Some(path) = device.path.take() {
                device.paint(&path, kind != 64, kind != 62);
            }
        }
        // EMR_SELECTCLIPPATH.
        67 => {
            device.in_path = false;
            let even_odd = !device.state.winding;
            if let Some(path) = device.path.take() {
                device.clip_outline(&path, record.u32(8)?, even_odd);
            }
        }
        // EMR_ABORTPATH.
        68 => {
            device.in_path = false;
            device.path = None;
        }
        // EMR_FILLRGN, which has a brush of its own, and EMR_PAINTRGN.
        71 | 74 => {
            let data = record.rest(if kind == 71 { 32 } else { 28 });
            let before = device.state.brush.clone();
            if kind == 71 {
                device.select(record.u32(28)?);
            }
            let region = clip::region(data, device.matrix());
            device.paint(&region, true, false);
            device.state.brush = before;
        }
        // EMR_EXTSELECTCLIPRGN. Without a region, RGN_COPY removes the clip.
        75 => {
            let len = record.u32(8)? as usize;
            let region = (len >= 32).then(|| record.rest(16));
            device.clip_region(region, record.u32(12)?);
        }
        _ => {}
    }
    Some(())
}

/// Draws a pixel (EMR_SETPIXELV) as a square of one logical unit.
pub(super) fn pixel(device: &mut Device, record: Bytes<'_>) -> Option<()> {
    let ((x, y), colour) = (record.point(8, true)?, colour(record.u32(16)?));
    let before = device.state.forced.replace(colour);
    let mut outline = Outline::default();
    outline.rectangle(device.matrix(), [x, y, x + 1.0, y + 1.0]);
    device.paint(&outline, true, false);
    device.state.forced = before;
    Some(())
}

/// Fills rectangles with horizontal or vertical gradients between the colours of two opposite corners, and triangles
/// with the mean of the colours of their corners (2.3.5.12).
pub(super) fn gradient(device: &mut Device, record: Bytes<'_>) -> Option<()> {
    let (vertices, shapes, mode) = (
        record.u32(24)? as usize,
        record.u32(28)? as usize,
        record.u32(32)?,
    );
    let vertex = |nth: u32| {
        let at = 36 + nth as usize * 16;
        // A TriVertex object (MS-EMF 2.2.26): a point, and four channels of 16 bits, of which the high byte is used.
        let part = |at: usize| Some((record.u16(at)? >> 8) as u8);
        Some((
            record.point(at, true)?,
            [part(at + 8)?, part(at + 10)?, part(at + 12)?],
        ))
    };
    let first = 36_usize.checked_add(vertices.checked_mul(16)?)?;
    let matrix = device.matrix();
    // Mode 2 is GRADIENT_FILL_TRIANGLE; 0 and 1 are rectangles with a horizontal and with a vertical gradient.
    for nth in 0..shapes.min(20_000) {
        let corners = if mode == 2 { 3 } else { 2 };
        let at = first + nth * corners * 4;
        let (from, to) = (vertex(record.u32(at)?)?, vertex(record.u32(at + 4)?)?);
        let mut outline = Outline::default();
        let fill = if mode == 2 {
            let other = vertex(record.u32(at + 8)?)?;
            outline.polyline(matrix, &[from.0, to.0, other.0], true);
            let middle = |part: usize| {
                ((u32::from(from.1[part]) + u32::from(to.1[part]) + u32::from(other.1[part])) / 3)
                    as u8
            };
            hex([middle(0), middle(1), middle(2)])
        } else {
            outline.rectangle(matrix, [from.0.0, from.0.1, to.0.0, to.0.1]);
            let end = if mode == 0 {
                (to.0.0, from.0.1)
            } else {
                (from.0.0, to.0.1)
            };
            let ((x1, y1), (x2, y2)) = (matrix.apply(from.0), matrix.apply(end));
            let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(round);
            let (one, other) = (hex(from.1), hex(to.1));
            let number = device.page.define(|id| {
                format!(
                    "<linearGradient id=\"g{id}\" gradientUnits=\"userSpaceOnUse\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\">\
                     <stop offset=\"0\" stop-color=\"{one}\"/><stop offset=\"1\" stop-color=\"{other}\"/></linearGradient>"
                )
            });
            format!("url(#g{number})")
        };
        let [left, top, right, bottom] = outline.bounds?;
        device.page.ink((left, top));
        device.page.ink((right, bottom));
        let element = format!("<path d=\"{}\" fill=\"{fill}\"/>", outline.data);
        device.page.add(device.state.clip, &element);
    }
    Some(())
}
