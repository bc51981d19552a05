//! Reads the records of a WMF (MS-WMF 2.3) and turns them into calls on the device, which writes SVG.
//!
//! A WMF does not describe a device, so its window is the whole picture. Placeable files begin with a header that
//! states the size; in all others, the first window determines it, or else the area that is drawn on. A record begins
//! with its length in 16-bit words (4 bytes) and its function (2 bytes). Parameters are stored in reverse order of the
//! call, so the vertical coordinate comes first.

use super::{
    Drawn,
    bytes::Bytes,
    device::Device,
    dib,
    objects::{Brush, Font, Object, Pen, colour},
    path::{Outline, angles},
    picture::Blit,
    text::{Text, advances},
};
use convertd_core::{error::Result, job::Job};
use std::f64::consts::TAU;

/// Largest number of records that are read.
const MAX_RECORDS: usize = 2_000_000;

/// Number of records between two checks of the deadline.
const CHECKED: usize = 2048;

/// Units of the device in a point: twentieths, so that rounding is invisible.
const DOTS: f64 = 20.0;

/// Longer side in points (6 inches) of a picture that does not state its size and has more than 960 units.
const DEFAULT: f64 = 432.0;

/// The record META_SETWINDOWORG, the origin of the window.
const WINDOW_ORIGIN: u16 = 0x020b;

/// The record META_SETWINDOWEXT, the size of the window.
const WINDOW_EXTENT: u16 = 0x020c;

/// Draws a file as SVG. `None` if its header is invalid, or nothing is drawn.
pub(crate) fn draw(job: &Job<'_>, bytes: &[u8]) -> Result<Option<Drawn>> {
    let file = Bytes(bytes);
    // A placeable header (2.3.2.3) begins with this key, and has 22 bytes. The header after it states its own length,
    // in words, in its second field.
    let placeable = file.u32(0) == Some(0x9ac6_cdd7);
    let start = if placeable { 22 } else { 0 };
    let words = file.u16(start + 2).unwrap_or(9).clamp(9, 64);
    let first = start + usize::from(words) * 2;
    let (box_of, size) = match placeable {
        true => match placed(file) {
            Some((corners, size)) => (Some(corners), size),
            None => return Ok(None),
        },
        false => window(file, first),
    };
    let whole = (size.0 * DOTS, size.1 * DOTS);
    let dots = DOTS * 72.0 / 25.4;
    let mut device = Device::new(whole, (dots, dots));
    // MM_ANISOTROPIC: the window is always scaled to the whole picture, whatever mapping mode the file sets.
    device.state.mode = 8;
    if let Some([left, top, right, bottom]) = box_of {
        device.state.window = ((left, top), (right - left, bottom - top));
    } else {
        device.state.viewport.1 = Some((1.0, 1.0));
    }
    let mut at = first;
    for number in 0..MAX_RECORDS {
        if number % CHECKED == 0 {
            job.check()?;
        }
        let Some((function, record)) = record(file, at) else {
            break;
        };
        call(&mut device, function, record);
        at += record.len();
    }
    device.flush_mask();
    let (view, size) = match (box_of, device.page.inked) {
        (Some(_), _) => ([0.0, 0.0, whole.0, whole.1], size),
        (None, Some([left, top, right, bottom])) => {
            let view = [left, top, right.max(left + 1.0), bottom.max(top + 1.0)];
            (view, default_size(view[2] - view[0], view[3] - view[1]))
        }
        (None, None) => return Ok(None),
    };
    let cut = device.page.cut;
    Ok(device.page.finish(view, size).map(|svg| Drawn { svg, cut }))
}

/// The function and the bytes of the record at `at`. `None` at the end: a record is at least 6 bytes long, and function
/// 0 is META_EOF.
fn record(file: Bytes<'_>, at: usize) -> Option<(u16, Bytes<'_>)> {
    let len = (file.u32(at)? as usize).checked_mul(2)?;
    let function = file.u16(at + 4)?;
    if len < 6 || function == 0 {
        return None;
    }
    let record = file.part(at, len).unwrap_or(file.rest(at));
    Some((function, record))
}

/// Reads the header of a placeable WMF (2.3.2.3): left, top, right and bottom edge of the picture, and its size in
/// points. `None` if the picture is empty.
fn placed(file: Bytes<'_>) -> Option<([f64; 4], (f64, f64))> {
    let side = |at: usize| file.i16(at).map(f64::from);
    let corners = [side(6)?, side(8)?, side(10)?, side(12)?];
    let inch = f64::from(file.u16(14)?);
    // If the number of units in an inch is 0, it counts as 1440 (twips), the usual value.
    let inch = if inch > 0.0 { inch } else { 1440.0 };
    let [left, top, right, bottom] = corners;
    if left == right || top == bottom {
        return None;
    }
    let size = (
        (right - left).abs() / inch * 72.0,
        (bottom - top).abs() / inch * 72.0,
    );
    Some((corners, size))
}

/// Finds the first window of a file: left, top, right and bottom edge. Also computes the size of the picture in points.
/// Reads only the first 200 records, because programs set the window before they draw.
fn window(file: Bytes<'_>, first: usize) -> (Option<[f64; 4]>, (f64, f64)) {
    let (mut origin, mut extent) = ((0.0, 0.0), None);
    let mut at = first;
    for _ in 0..200 {
        let Some((function, record)) = record(file, at) else {
            break;
        };
        match (function, record.point(6, false)) {
            (WINDOW_ORIGIN, Some((y, x))) if extent.is_none() => origin = (x, y),
            (WINDOW_EXTENT, Some((y, x))) if extent.is_none() && x != 0.0 && y != 0.0 => {
                extent = Some((x, y))
            }
            // The origin may also follow after the extent; it counts unless the origin is already known and not (0, 0).
            (WINDOW_ORIGIN, Some((y, x))) if origin == (0.0, 0.0) => origin = (x, y),
            _ => {}
        }
        at += record.len();
    }
    match extent {
        Some((width, height)) => {
            let (x, y) = origin;
            (
                Some([x, y, x + width, y + height]),
                default_size(width.abs(), height.abs()),
            )
        }
        None => (None, (DEFAULT, DEFAULT)),
    }
}

/// The size in points of a picture that is this many units wide and high. Up to 960 units count as pixels of a screen
/// with 96 dots per inch. The longer side of a larger picture becomes [`DEFAULT`], because its units are unknown.
fn default_size(width: f64, height: f64) -> (f64, f64) {
    let larger = width.max(height).max(1.0);
    let scale = if larger <= 960.0 {
        0.75
    } else {
        DEFAULT / larger
    };
    (width * scale, height * scale)
}

/// Passes a record to the function of its group. A record that is too short for its fixed parameters has no effect,
/// except that a record that creates an object still takes a handle.
fn call(device: &mut Device, function: u16, record: Bytes<'_>) {
    let done = match function {
        // META_LINETO, META_MOVETO, META_POLYGON, META_POLYLINE, META_ELLIPSE, META_RECTANGLE, META_POLYPOLYGON,
        // META_ROUNDRECT, META_ARC, META_PIE and META_CHORD.
        0x0213 | 0x0214 | 0x0324 | 0x0325 | 0x0418 | 0x041b | 0x0538 | 0x061c | 0x0817 | 0x081a
        | 0x0830 => shape(device, function, record),
        // META_SELECTOBJECT, META_DELETEOBJECT, and all records that create objects.
        0x012d | 0x01f0 | 0x00f7 | 0x0142 | 0x01f9 | 0x02fa..=0x02fc | 0x06ff => {
            object(device, function, record)
        }
        // META_TEXTOUT and META_EXTTEXTOUT.
        0x0521 | 0x0a32 => text(device, function, record),
        // META_PATBLT, META_BITBLT, META_DIBBITBLT, META_STRETCHBLT, META_DIBSTRETCHBLT, META_SETDIBTODEV and
        // META_STRETCHDIB.
        0x061d | 0x0922 | 0x0940 | 0x0b23 | 0x0b41 | 0x0d33 | 0x0f43 => {
            picture(device, function, record)
        }
        _ => setting(device, function, record),
    };
    let _ = done;
}

/// Handles records that change the state (MS-WMF 2.3.5).
fn setting(device: &mut Device, function: u16, record: Bytes<'_>) -> Option<()> {
    let word = || record.u16(6).map(u32::from);
    // The vertical coordinate of a point comes first.
    let point = || record.point(6, false).map(|(y, x)| (x, y));
    let state = &mut device.state;
    match function {
        // META_SETBKCOLOR, META_SETTEXTCOLOR, META_SETBKMODE (2 is OPAQUE), META_SETROP2, META_SETPOLYFILLMODE (2 is
        // WINDING) and META_SETTEXTALIGN.
        0x0201 => state.back = colour(record.u32(6)?),
        0x0209 => state.text = colour(record.u32(6)?),
        0x0102 => state.opaque = word()? == 2,
        0x0104 => device.operation(word()?),
        0x0106 => state.winding = word()? == 2,
        0x012e => state.align = word()?,
        WINDOW_ORIGIN => state.window.0 = point()?,
        WINDOW_EXTENT => {
            let (width, height) = point()?;
            if width != 0.0 && height != 0.0 {
                state.window.1 = (width, height);
                state.viewport.1 = None;
            }
        }
        // META_OFFSETWINDOWORG.
        0x020f => {
            let (x, y) = point()?;
            state.window.0 = (state.window.0.0 + x, state.window.0.1 + y);
        }
        // META_EXCLUDECLIPRECT and META_INTERSECTCLIPRECT; META_SELECTCLIPREGION, which only removes the clip, because
        // regions are not read; META_SAVEDC and META_RESTOREDC.
        0x0415 | 0x0416 => device.clip_rectangle(corners(record, 6)?, function == 0x0416),
        0x012c => state.clip = None,
        0x001e => device.save(),
        0x0127 => device.restore(record.i16(6)?.into()),
        // META_SETPIXEL: drawn as a square of one logical unit.
        0x041f => {
            let (y, x) = record.point(10, false)?;
            let before = device.state.forced.replace(colour(record.u32(6)?));
            let mut outline = Outline::default();
            outline.rectangle(device.matrix(), [x, y, x + 1.0, y + 1.0]);
            device.paint(&outline, true, false);
            device.state.forced = before;
        }
        _ => {}
    }
    Some(())
}

/// Reads a rectangle, which is stored as bottom, right, top, left.
fn corners(record: Bytes<'_>, at: usize) -> Option<[f64; 4]> {
    let ((bottom, right), (top, left)) = (record.point(at, false)?, record.point(at + 4, false)?);
    Some([left, top, right, bottom])
}

/// Handles records of lines, areas and curves (MS-WMF 2.3.3).
fn shape(device: &mut Device, function: u16, record: Bytes<'_>) -> Option<()> {
    let point = |at: usize| record.point(at, false).map(|(y, x)| (x, y));
    match function {
        // META_LINETO and META_MOVETO.
        0x0213 => {
            let to = point(6)?;
            device.onwards(|outline, matrix| outline.line_to(matrix, to), Some(to));
        }
        0x0214 => device.move_to(point(6)?),
        // META_POLYGON and META_POLYLINE.
        0x0324 | 0x0325 => {
            let closed = function == 0x0324;
            let points = record.points(8, record.u16(6)?.into(), false);
            device.outline(
                |outline, matrix| outline.polyline(matrix, &points, closed),
                closed,
                true,
            );
        }
        // META_POLYPOLYGON: the numbers of points of all polygons come first, then all points.
        0x0538 => {
            let count = usize::from(record.u16(6)?);
            let counts: Vec<usize> = (0..count)
                .map_while(|nth| record.u16(8 + nth * 2))
                .map(usize::from)
                .collect();
            let mut points = record
                .points(8 + count * 2, counts.iter().sum(), false)
                .into_iter();
            device.outline(
                |outline, matrix| {
                    for count in counts {
                        let own: Vec<_> = points.by_ref().take(count).collect();
                        outline.polyline(matrix, &own, true);
                    }
                },
                true,
                true,
            );
        }
        // META_ELLIPSE, META_RECTANGLE and META_ROUNDRECT.
        0x0418 => {
            let around = corners(record, 6)?;
            device.outline(
                |outline, matrix| {
                    outline.arc(matrix, around, 0.0, TAU, false);
                    outline.close();
                },
                true,
                true,
            );
        }
        0x041b => {
            let around = corners(record, 6)?;
            device.outline(
                |outline, matrix| outline.rectangle(matrix, around),
                true,
                true,
            );
        }
        0x061c => {
            let (corner, around) = (point(6)?, corners(record, 10)?);
            device.outline(
                |outline, matrix| outline.round_rectangle(matrix, around, corner),
                true,
                true,
            );
        }
        // META_ARC, META_PIE (0x081a) and META_CHORD. Arcs always run counter-clockwise.
        _ => {
            let (to, from, around) = (point(6)?, point(10)?, corners(record, 14)?);
            let (start, sweep) = angles(around, from, to, false);
            let [left, top, right, bottom] = around;
            let closed = function != 0x0817;
            device.outline(
                |outline, matrix| {
                    if function == 0x081a {
                        outline.move_to(matrix, ((left + right) / 2.0, (top + bottom) / 2.0));
                    }
                    outline.arc(matrix, around, start, sweep, function == 0x081a);
                    if closed {
                        outline.close();
                    }
                },
                closed,
                true,
            );
        }
    }
    Some(())
}

/// Handles records that select, delete or create an object. A record that creates an object does not state a handle:
/// the object takes the lowest free one.
fn object(device: &mut Device, function: u16, record: Bytes<'_>) -> Option<()> {
    match function {
        0x012d => {
            device.select(record.u16(6)?.into());
            return Some(());
        }
        0x01f0 => {
            device.delete(record.u16(6)?.into());
            return Some(());
        }
        _ => {}
    }
    // Every new object takes a handle, even if it cannot be read.
    let object = made(device, function, record).unwrap_or(Object::Other);
    device.create_next(object);
    Some(())
}

/// The object that a record creates (MS-WMF 2.3.4). `None` if the record is too short.
fn made(device: &mut Device, function: u16, record: Bytes<'_>) -> Option<Object> {
    Some(match function {
        // META_CREATEPENINDIRECT.
        0x02fa => {
            let width = f64::from(record.i16(8)?);
            Object::Pen(Pen::new(
                record.u16(6)?.into(),
                width,
                colour(record.u32(12)?),
                false,
            ))
        }
        // META_CREATEFONTINDIRECT; META_CREATEBRUSHINDIRECT with the styles BS_SOLID and BS_HATCHED.
        0x02fb => Object::Font(Font::read(record.rest(6), false)?),
        0x02fc => Object::Brush(match record.u16(6)? {
            0 => Brush::Solid(colour(record.u32(8)?)),
            2 => Brush::Hatch(record.u16(12)?.into(), colour(record.u32(8)?)),
            _ => Brush::None,
        }),
        // META_DIBCREATEPATTERNBRUSH.
        0x0142 => {
            let header = record.rest(10);
            let bits = header.rest(dib::offset(header)?);
            let pattern = device.pattern(header, bits);
            Object::Brush(pattern.map_or(Brush::Solid([128; 3]), Brush::Pattern))
        }
        _ => Object::Other,
    })
}

/// Handles records with bitmaps (MS-WMF 2.3.1). The vertical part of a point or size comes first.
fn picture(device: &mut Device, function: u16, record: Bytes<'_>) -> Option<()> {
    let operation = record.u32(6)?;
    let pair = |at: usize| record.point(at, false).map(|(down, across)| (across, down));
    // A record without a bitmap has as many words of parameters as the high byte of its function says, after the three
    // words for its length and function.
    let bare = record.len() / 2 == usize::from(function >> 8) + 3;
    // Position and size of the source rectangle, position and size of the destination, and offset of the bitmap in the
    // record.
    let (part, of, to, size, bits) = match function {
        0x061d => (None, None, pair(14)?, pair(10)?, None),
        0x0922 | 0x0940 if bare => (None, None, pair(20)?, pair(16)?, None),
        0x0940 => (
            Some(pair(10)?),
            Some(pair(14)?),
            pair(18)?,
            pair(14)?,
            Some(22),
        ),
        0x0b41 if bare => (None, None, pair(24)?, pair(20)?, None),
        0x0b41 => (
            Some(pair(14)?),
            Some(pair(10)?),
            pair(22)?,
            pair(18)?,
            Some(26),
        ),
        0x0f43 => (
            Some(pair(16)?),
            Some(pair(12)?),
            pair(24)?,
            pair(20)?,
            Some(28),
        ),
        0x0d33 => (None, None, pair(20)?, pair(16)?, Some(24)),
        // META_BITBLT with a device-dependent bitmap, which only its own device can draw, and all forms of
        // META_STRETCHBLT, which usually has such a bitmap, too.
        _ => {
            device.page.cut = true;
            return None;
        }
    };
    // META_SETDIBTODEV states no raster operation, and always copies the source (SRCCOPY).
    let operation = if function == 0x0d33 {
        0x00cc_0020
    } else {
        operation
    };
    let destination = [to.0, to.1, to.0 + size.0, to.1 + size.1];
    let source = bits.map(|at| record.rest(at));
    let source = match source {
        Some(header) => Some((header, header.rest(dib::offset(header)?))),
        None => None,
    };
    let part = part
        .zip(of)
        .map(|((left, top), (width, height))| [left, top, width.abs(), height.abs()]);
    device.blit(Blit::new(destination, operation, source, part));
    Some(())
}

/// Handles records with text (MS-WMF 2.3.3).
fn text(device: &mut Device, function: u16, record: Bytes<'_>) -> Option<()> {
    let text = if function == 0x0521 {
        // META_TEXTOUT: the text, padded to whole words, and then the position.
        let count = usize::from(record.u16(6)?);
        let (words, _) = device.decoded(record.part(8, count)?.0);
        let (y, x) = record.point(8 + count + count % 2, false)?;
        Text {
            at: (x, y),
            words,
            advances: Vec::new(),
            within: None,
            filled: false,
            clipped: false,
        }
    } else {
        // META_EXTTEXTOUT: a rectangle precedes the text if ETO_OPAQUE (2) or ETO_CLIPPED (4) is set.
        let (y, x) = record.point(6, false)?;
        let (count, options) = (usize::from(record.u16(10)?), record.u16(12)?);
        let has_corners = options & 6 != 0;
        let start = if has_corners { 22 } else { 14 };
        let (words, lens) =
            device.decoded(record.part(start, count).unwrap_or(record.rest(start)).0);
        let spaces = start + count + count % 2;
        let spacing: Vec<f64> = (0..count)
            .map_while(|nth| record.i16(spaces + nth * 2))
            .map(f64::from)
            .collect();
        let within = match has_corners {
            true => {
                let ((left, top), (right, bottom)) =
                    (record.point(14, false)?, record.point(18, false)?);
                Some([left, top, right, bottom])
            }
            false => None,
        };
        Text {
            at: (x, y),
            advances: advances(&spacing, &lens),
            words,
            within,
            filled: options & 2 != 0,
            clipped: options & 4 != 0,
        }
    };
    device.write(text);
    Some(())
}
