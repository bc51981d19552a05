//! Reads the records of an EMF (MS-EMF 2.3) and turns them into calls on the device. Draws nothing itself.
//!
//! A record begins with its type and its length, 4 bytes each. All offsets in this module count from the beginning of
//! the record. The numbers of the types are those of MS-EMF 2.1.1. EMF+ records are skipped, because most files that
//! have them contain the same drawing in plain records, too.

mod figures;

use super::{
    Drawn,
    bytes::Bytes,
    device::Device,
    dib,
    objects::{Brush, Font, Object, Pen, colour},
    page::Matrix,
    picture::Blit,
    text::{Text, advances},
};
use convertd_core::{error::Result, job::Job};
use figures::{curved, gradient, lines, outline, pixel};
use std::rc::Rc;

/// Largest number of records that are read, which limits the time that a hostile file can take.
const MAX_RECORDS: usize = 2_000_000;

/// Records between two checks of the deadline.
const CHECKED: usize = 2048;

/// Draws a file as SVG. `None` if its header is invalid, or nothing is drawn.
pub(crate) fn draw(job: &Job<'_>, bytes: &[u8]) -> Result<Option<Drawn>> {
    let file = Bytes(bytes);
    let Some((mut device, view, size)) = header(file) else {
        return Ok(None);
    };
    let mut at = file.u32(4).unwrap_or(0) as usize;
    for number in 0..MAX_RECORDS {
        if number % CHECKED == 0 {
            job.check()?;
        }
        let (Some(kind), Some(len)) = (file.u32(at), file.u32(at + 4)) else {
            break;
        };
        let len = len as usize;
        // A record is at least as long as its own head; type 14 is EMR_EOF. A record that is cut short is read as far
        // as it goes.
        if len < 8 || kind == 14 {
            break;
        }
        let record = file.part(at, len).unwrap_or(file.rest(at));
        call(&mut device, kind, record);
        let Some(next) = at.checked_add(len) else {
            break;
        };
        at = next;
    }
    device.flush_mask();
    let view = view.or(device.page.inked);
    let cut = device.page.cut;
    let svg = view.and_then(|view| device.page.finish(view, size));
    Ok(svg.map(|svg| Drawn { svg, cut }))
}

/// The device, the rectangle on it that is shown, and the size of the picture in points.
type Head = (Device, Option<[f64; 4]>, (f64, f64));

/// Reads the header (2.3.4.2): the device that the header describes, the rectangle on it that is shown, and the size of
/// the picture in points.
fn header(file: Bytes<'_>) -> Option<Head> {
    let bounds = file.rectangle(8)?;
    let frame = file.rectangle(24)?;
    let (pixels, millimetres) = (file.point(72, true)?, file.point(80, true)?);
    // Pixels of the reference device in a millimetre. If the file does not state the size of that device, 96 pixels in
    // an inch are assumed.
    let dots = |pixels: f64, millimetres: f64| match pixels > 0.0 && millimetres > 0.0 {
        true => pixels / millimetres,
        false => 96.0 / 25.4,
    };
    let dots = (dots(pixels.0, millimetres.0), dots(pixels.1, millimetres.1));
    let [left, top, right, bottom] = frame;
    // The frame is in units of 0.01 mm, the bounds in pixels. The frame is preferred, because it is the size that
    // programs give the picture in a document.
    let view = [
        left / 100.0 * dots.0,
        top / 100.0 * dots.1,
        right / 100.0 * dots.0,
        bottom / 100.0 * dots.1,
    ];
    let has_frame = right > left && bottom > top;
    let [left, top, right, bottom] = bounds;
    let has_bounds = right > left && bottom > top;
    let view = match (has_frame, has_bounds) {
        (true, _) => Some(view),
        (false, true) => Some([left, top, right + 1.0, bottom + 1.0]),
        (false, false) => None,
    };
    let [left, top, right, bottom] = view.unwrap_or([0.0, 0.0, 100.0, 100.0]);
    let whole = (right - left, bottom - top);
    let size = (
        whole.0 / dots.0 / 25.4 * 72.0,
        whole.1 / dots.1 / 25.4 * 72.0,
    );
    Some((Device::new(whole, dots), view, size))
}

/// Passes a record to the function of its group. Fields that a record is too short for have no effect.
fn call(device: &mut Device, kind: u32, record: Bytes<'_>) {
    let done = match kind {
        // EMR_POLYBEZIER to EMR_POLYPOLYGON, EMR_LINETO, and the forms with 16-bit coordinates.
        2..=8 | 54 | 85..=91 => lines(device, kind, record),
        // EMR_ANGLEARC, EMR_ELLIPSE, EMR_RECTANGLE, EMR_ROUNDRECT, EMR_ARC, EMR_CHORD, EMR_PIE and EMR_ARCTO.
        41..=47 | 55 => curved(device, kind, record),
        // Window, viewport, map mode and world transform; EMR_SAVEDC and EMR_RESTOREDC.
        9..=13 | 17 | 31..=36 => mapping(device, kind, record),
        // EMR_SELECTOBJECT, EMR_DELETEOBJECT, and the records that create pens, brushes and fonts.
        37..=40 | 82 | 93..=95 => object(device, kind, record),
        // Clipping, EMR_MOVETOEX, the records of paths, and regions.
        26..=30 | 59..=68 | 71 | 74 | 75 => outline(device, kind, record),
        // EMR_BITBLT to EMR_STRETCHDIBITS, EMR_ALPHABLEND and EMR_TRANSPARENTBLT.
        76..=81 | 114 | 116 => picture(device, kind, record),
        // EMR_EXTTEXTOUTA, EMR_EXTTEXTOUTW and EMR_SMALLTEXTOUT.
        83 | 84 | 108 => text(device, kind, record),
        // EMR_GRADIENTFILL.
        118 => gradient(device, record),
        // EMR_SETPIXELV.
        15 => pixel(device, record),
        _ => setting(device, kind, record),
    };
    let _ = done;
}

/// Handles records that set one value of the state (MS-EMF 2.3.11). Records of types without an effect on the drawing
/// come here, too.
fn setting(device: &mut Device, kind: u32, record: Bytes<'_>) -> Option<()> {
    let value = record.u32(8)?;
    let state = &mut device.state;
    match kind {
        // EMR_SETBKMODE: 2 is OPAQUE.
        18 => state.opaque = value == 2,
        // EMR_SETPOLYFILLMODE: 2 is WINDING.
        19 => state.winding = value == 2,
        // EMR_SETROP2, EMR_SETTEXTALIGN, EMR_SETTEXTCOLOR and EMR_SETBKCOLOR.
        20 => device.operation(value),
        22 => state.align = value,
        24 => state.text = colour(value),
        25 => state.back = colour(value),
        // EMR_SETARCDIRECTION (2 is clockwise) and EMR_SETMITERLIMIT.
        57 => state.clockwise = value == 2,
        58 => state.miter = f64::from(value),
        _ => {}
    }
    Some(())
}

/// Handles records that change the mapping from logical units to the device (MS-EMF 2.3.11).
fn mapping(device: &mut Device, kind: u32, record: Bytes<'_>) -> Option<()> {
    let state = &mut device.state;
    match kind {
        // Extents and origins of the window and of the viewport, and EMR_SETMAPMODE.
        9 => state.window.1 = record.point(8, true)?,
        10 => state.window.0 = record.point(8, true)?,
        11 => state.viewport.1 = Some(record.point(8, true)?),
        12 => state.viewport.0 = record.point(8, true)?,
        17 => state.mode = record.u32(8)?,
        // EMR_SCALEVIEWPORTEXTEX and EMR_SCALEWINDOWEXTEX: a numerator and a denominator for each direction.
        31 | 32 => {
            let part =
                |at| Some(f64::from(record.i32(at)?) / f64::from(record.i32(at + 4)?.max(1)));
            let (across, down) = (part(8)?, part(16)?);
            let scaled = |(x, y): (f64, f64)| (x * across, y * down);
            match kind {
                31 => state.viewport.1 = state.viewport.1.map(scaled),
                _ => state.window.1 = scaled(state.window.1),
            }
        }
        33 => device.save(),
        34 => device.restore(record.i32(8)?),
        // EMR_SETWORLDTRANSFORM, and EMR_MODIFYWORLDTRANSFORM with its modes: identity, left multiply, right multiply,
        // set.
        35 => state.world = matrix(record)?,
        36 => {
            let own = matrix(record).unwrap_or(Matrix::IDENTITY);
            state.world = match record.u32(32)? {
                1 => Matrix::IDENTITY,
                2 => own.then(state.world),
                3 => state.world.then(own),
                _ => own,
            };
        }
        _ => {}
    }
    Some(())
}

/// Reads an XForm object (MS-EMF 2.2.28): M11, M12, M21, M22, Dx, Dy.
fn matrix(record: Bytes<'_>) -> Option<Matrix> {
    let mut all = [0.0; 6];
    for (nth, part) in all.iter_mut().enumerate() {
        *part = record.f32(8 + nth * 4)?;
    }
    Some(Matrix(all))
}

/// Handles records that create, select or delete an object (MS-EMF 2.3.7 and 2.3.8).
fn object(device: &mut Device, kind: u32, record: Bytes<'_>) -> Option<()> {
    let handle = record.u32(8)?;
    let object = match kind {
        // EMR_SELECTOBJECT.
        37 => {
            device.select(handle);
            return Some(());
        }
        // EMR_DELETEOBJECT.
        40 => {
            device.delete(handle);
            return Some(());
        }
        // EMR_CREATEPEN.
        38 => {
            let width = f64::from(record.i32(16)?);
            Object::Pen(Pen::new(
                record.u32(12)?,
                width,
                colour(record.u32(24)?),
                false,
            ))
        }
        // EMR_CREATEBRUSHINDIRECT: styles BS_SOLID and BS_HATCHED; all others draw nothing.
        39 => Object::Brush(match record.u32(12)? {
            0 => Brush::Solid(colour(record.u32(16)?)),
            2 => Brush::Hatch(record.u32(20)?, colour(record.u32(16)?)),
            _ => Brush::None,
        }),
        // EMR_EXTCREATEFONTINDIRECTW.
        82 => Object::Font(Font::read(record.rest(12), true)?),
        // EMR_CREATEMONOBRUSH.
        93 => {
            let (header, bits) = bitmap(record, 16)?;
            // The bitmap is drawn in the two colours of the device, whatever its own palette says.
            let mut own = header.0.get(..40)?.to_vec();
            own[32..36].copy_from_slice(&2_u32.to_le_bytes());
            own.extend([0, 0, 0, 0, 255, 255, 255, 0]);
            let dots = dib::read(Bytes(&own), bits, false);
            Object::Brush(dots.map_or(Brush::Solid([128; 3]), |dots| Brush::Dots(Rc::new(dots))))
        }
        // EMR_CREATEDIBPATTERNBRUSHPT.
        94 => {
            let (header, bits) = bitmap(record, 16)?;
            let pattern = device.pattern(header, bits);
            Object::Brush(pattern.map_or(Brush::Solid([128; 3]), Brush::Pattern))
        }
        // EMR_EXTCREATEPEN.
        _ => {
            let style = record.u32(28)?;
            // A cosmetic pen (PS_COSMETIC) always has the smallest width that the device can draw.
            let width = if style & 0xf_0000 == 0 {
                0
            } else {
                record.u32(32)?
            };
            // Brush style 1 is BS_NULL.
            let hollow = record.u32(36)? == 1;
            let pen = Pen::new(style, f64::from(width), colour(record.u32(40)?), true);
            Object::Pen(Pen {
                shown: pen.shown && !hollow,
                ..pen
            })
        }
    };
    device.create(handle, object);
    Some(())
}

/// The header and the pixels of a bitmap. Their offsets and lengths are four 32-bit fields at `at` of the record.
fn bitmap(record: Bytes<'_>, at: usize) -> Option<(Bytes<'_>, Bytes<'_>)> {
    let number = |nth: usize| Some(record.u32(at + nth * 4)? as usize);
    let header = record.part(number(0)?, number(1)?)?;
    let bits = record.rest(number(2)?);
    let bits = bits.part(0, number(3)?).unwrap_or(bits);
    Some((header, bits))
}

/// Handles records with bitmaps (MS-EMF 2.3.1).
fn picture(device: &mut Device, kind: u32, record: Bytes<'_>) -> Option<()> {
    let number = |at: usize| record.i32(at).map(f64::from);
    let (x, y) = record.point(24, true)?;
    let blit = match kind {
        // EMR_SETDIBITSTODEVICE, which copies without scaling, and EMR_STRETCHDIBITS.
        80 | 81 => {
            let source = bitmap(record, 48)?;
            let (width, height) = (number(40)?, number(44)?);
            let (left, mut top) = (number(32)?, number(36)?);
            let whole = f64::from(source.0.i32(8)?);
            // The rectangle of a bottom-up bitmap counts from its last row.
            if whole > 0.0 {
                top = whole - top - height.abs();
            }
            let (across, down, operation) = match kind {
                81 => (number(72)?, number(76)?, record.u32(68)?),
                // SRCCOPY: the source replaces the destination (MS-WMF 2.1.1.31).
                _ => (width, height, 0x00cc_0020),
            };
            let part = [left, top.max(0.0), width.abs(), height.abs()];
            Blit::new(
                [x, y, x + across, y + down],
                operation,
                Some(source),
                Some(part),
            )
        }
        _ => {
            let (across, down) = (number(32)?, number(36)?);
            let destination = [x, y, x + across, y + down];
            let has_source = record.u32(88)? > 0;
            let source = if has_source {
                Some(bitmap(record, 84)?)
            } else {
                None
            };
            let part = match kind {
                // EMR_STRETCHBLT, EMR_ALPHABLEND and EMR_TRANSPARENTBLT state the size of the source.
                77 | 114 | 116 => Some([
                    number(44)?,
                    number(48)?,
                    number(100)?.abs(),
                    number(104)?.abs(),
                ]),
                _ => Some([number(44)?, number(48)?, across.abs(), down.abs()]),
            };
            let operation = if matches!(kind, 114 | 116) {
                0x00cc_0020
            } else {
                record.u32(40)?
            };
            let blit = Blit::new(destination, operation, source, part);
            // EMR_ALPHABLEND and EMR_TRANSPARENTBLT have a blend function or the transparent colour in place of the
            // raster operation.
            match kind {
                114 => Blit {
                    alpha: record.u8(43)? & 1 != 0,
                    opacity: f64::from(record.u8(42)?) / 255.0,
                    ..blit
                },
                116 => Blit {
                    clear: Some(colour(record.u32(40)?)),
                    ..blit
                },
                _ => blit,
            }
        }
    };
    device.blit(blit);
    Some(())
}

/// Handles records of text (MS-EMF 2.3.5), which, except EMR_SMALLTEXTOUT, state the distances between their
/// characters.
fn text(device: &mut Device, kind: u32, record: Bytes<'_>) -> Option<()> {
    // The fields of the record: the reference point, the text with the length of each character in units, the distances
    // between characters, the options, and the rectangle that belongs to the text.
    let at;
    let (words, lens, spacing, options, within);
    // EMR_SMALLTEXTOUT: a rectangle precedes the text unless ETO_NO_RECT is set; with ETO_SMALL_CHARS, characters are
    // bytes.
    if kind == 108 {
        at = record.point(8, true)?;
        let count = record.u32(16)? as usize;
        options = record.u32(20)?;
        let start = if options & 0x100 != 0 { 36 } else { 52 };
        (words, lens) = match options & 0x200 {
            0 => device.decoded_wide(record, start, count),
            _ => device.decoded(record.part(start, count)?.0),
        };
        spacing = Vec::new();
        within = None;
    } else {
        at = record.point(36, true)?;
        let count = record.u32(44)? as usize;
        let start = record.u32(48)? as usize;
        options = record.u32(52)?;
        // ETO_GLYPH_INDEX: the text consists of glyph indices, which mean nothing without the font, so it is left out.
        if options & 0x10 != 0 {
            device.page.cut = true;
            return None;
        }
        (words, lens) = match kind {
            84 => device.decoded_wide(record, start, count),
            _ => device.decoded(record.part(start, count).unwrap_or(record.rest(start)).0),
        };
        let spaces = record.u32(72)? as usize;
        // With ETO_PDY, each distance has a vertical part, which is ignored.
        let step = if options & 0x2000 != 0 { 8 } else { 4 };
        let count = if spaces == 0 {
            0
        } else {
            count.min(record.len() / 4)
        };
        spacing = (0..count)
            .map_while(|nth| record.u32(spaces + nth * step))
            .map(|one| f64::from(one as i32))
            .collect::<Vec<f64>>();
        within = record.rectangle(56);
    }
    device.write(Text {
        at,
        advances: advances(&spacing, &lens),
        words,
        within,
        // ETO_OPAQUE and ETO_CLIPPED.
        filled: options & 2 != 0,
        clipped: options & 4 != 0,
    });
    Some(())
}
