//! Reads PICT, the pictures of QuickDraw, which was the drawing library of the Macintosh until 2001 (Inside Macintosh:
//! Imaging With QuickDraw, appendix A), and turns its opcodes into calls on the device, which writes SVG.
//!
//! A picture is a frame in points and a list of opcodes: one byte each in version 1, two bytes at even offsets in
//! version 2. Most opcodes do not state their length, so the reader has to know it, and a bitmap that cannot be decoded
//! ends the picture. A file begins with 512 bytes without meaning; pictures in office files lack them. Traps: the
//! vertical coordinate comes first; the pen extends below and to the right of its point; a picture of version 2
//! may use units other than points, and its header then states the frame in these units.

mod bits;
mod input;
mod port;
mod region;
mod shapes;
#[cfg(test)]
mod tests;

use self::{input::Input, port::Port};
use super::Drawn;
use convertd_core::{error::Result, job::Job};

/// The largest number of opcodes that are read of a picture.
const MAX_CALLS: usize = 2_000_000;

/// The number of opcodes between two checks of the deadline.
const CHECKED: usize = 2048;

/// The length in bytes of the header of a PICT file. The content of the header has no meaning.
pub(crate) const HEADER_LEN: usize = 512;

/// Opcode of the header of version 2.
const HEADER: u16 = 0x0c00;
/// Opcode of a picture that QuickTime compressed (CompressedQuickTime).
const QUICK_TIME: u16 = 0x8200;
/// Opcode at the end of a picture.
const END: u16 = 0xff;

/// Returns whether these bytes begin with a picture, without the header of a file.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    let mut input = Input::new(bytes);
    let frame = input.take(2).and_then(|_| input.rectangle());
    let Some([left, top, right, bottom]) = frame else {
        return false;
    };
    let calls = input.rest();
    // Version 1 is stated in only two bytes (`11 01`), which are not a sufficient signature. So the next opcode must be
    // a rectangular clip region (`01`, 10 bytes long) or a comment (`a0` or `a1`).
    let first = [&b"\x11\x01\x01\0\x0a"[..], b"\x11\x01\xa0", b"\x11\x01\xa1"];
    let known = calls.starts_with(b"\0\x11\x02\xff\x0c\0")
        || first.iter().any(|first| calls.starts_with(first));
    left < right && top < bottom && known
}

/// Returns whether these bytes begin with a picture, with or without the header of a file.
pub(super) fn is_picture(bytes: &[u8]) -> bool {
    begins(bytes) || bytes.get(HEADER_LEN..).is_some_and(begins)
}

/// Draws a picture, with or without the header of a file. `None` if it has no frame, or draws nothing.
pub(crate) fn draw(job: &Job<'_>, bytes: &[u8]) -> Result<Option<Drawn>> {
    let ahead = if begins(bytes) { 0 } else { HEADER_LEN };
    let mut input = Input::new(bytes.get(ahead..).unwrap_or_default());
    let Some(frame) = input.take(2).and_then(|_| input.rectangle()) else {
        return Ok(None);
    };
    let is_wide = input.rest().starts_with(b"\0");
    let mut port = Port::new(frame);
    for number in 0..MAX_CALLS {
        if is_wide {
            input.align();
        }
        let opcode = match is_wide {
            true => input.u16(),
            false => input.u8().map(u16::from),
        };
        // A bitmap may take as long as thousands of other opcodes, so the deadline is also checked before each bitmap
        // and each colour pattern (0x12 to 0x14), which may contain a bitmap.
        if number % CHECKED == 0 || matches!(opcode, Some(0x12..=0x14 | 0x90..=0x9b)) {
            job.check()?;
        }
        match opcode {
            None | Some(END) => break,
            Some(opcode) if call(&mut port, opcode, &mut input).is_none() => {
                port.device.page.cut = true;
                break;
            }
            Some(_) => {}
        }
    }
    Ok(port.finish())
}

/// Reads the data of an opcode, and makes the calls for it. `None` if the picture ends within the data, or a bitmap
/// cannot be decoded.
fn call(port: &mut Port, opcode: u16, input: &mut Input<'_>) -> Option<()> {
    match opcode {
        0x20..=0x23 => shapes::line(port, opcode, input),
        0x28..=0x2b => text(port, opcode, input),
        0x2c => font(port, input),
        0x30..=0x8f => shapes::shape(port, opcode, input),
        0x90 | 0x91 | 0x98..=0x9b => bitmap(port, opcode, input),
        HEADER => header(port, input),
        QUICK_TIME => {
            let len = input.u32()? as usize;
            let picture = input.take(len)?;
            port.device.page.cut |= quick_time(port, Input::new(picture)).is_none();
            Some(())
        }
        _ => setting(port, opcode, input),
    }
}

/// Reads the header of version 2. Its extended variant (−2) states the frame in the units of the coordinates, so this
/// frame becomes the window. `None` if the picture ends within the header.
fn header(port: &mut Port, input: &mut Input<'_>) -> Option<()> {
    let mut header = Input::new(input.take(24)?);
    let kind = header.i16()?;
    header.take(10)?;
    let [left, top, right, bottom] = header.rectangle()?;
    if kind == -2 && left < right && top < bottom {
        port.device.state.window = ((left, top), (right - left, bottom - top));
    }
    Some(())
}

/// Handles opcodes that change the state of the port, and skips all others. `None` if the picture ends within the data,
/// or the bitmap of a colour pattern cannot be decoded.
fn setting(port: &mut Port, opcode: u16, input: &mut Input<'_>) -> Option<()> {
    match opcode {
        0x01 => port.clip(input.counted()?),
        0x02 => port.ground = port::Ink::read(input)?,
        0x03 => port.text.font = input.u16()?,
        0x04 => port.text.face = input.u8()?,
        0x07 => port.pen_size = input.point()?,
        0x08 => port.mode = input.u16()?,
        0x09 => port.pen = port::Ink::read(input)?,
        0x0a => port.fill = port::Ink::read(input)?,
        0x0b => port.oval = input.point()?,
        0x0c => {
            let (x, y) = (input.i16()?, input.i16()?);
            let origin = &mut port.device.state.window.0;
            *origin = (origin.0 + f64::from(x), origin.1 + f64::from(y));
        }
        0x0d => port.text.size = input.u16()?.into(),
        0x0e => port.front = port::old_colour(input.u32()?),
        0x0f => port.back = port::old_colour(input.u32()?),
        0x12 => port.ground = port::Ink::read_coloured(input)?,
        0x13 => port.pen = port::Ink::read_coloured(input)?,
        0x14 => port.fill = port::Ink::read_coloured(input)?,
        0x1a => port.front = input.colour()?,
        0x1b => port.back = input.colour()?,
        _ => return skip(opcode, input),
    }
    Some(())
}

/// Skips the data of an opcode that has no effect here. `None` if the picture ends within this data.
fn skip(opcode: u16, input: &mut Input<'_>) -> Option<()> {
    let len = match opcode {
        0x11 => 1,
        0x05 | 0x15 | 0x16 | 0xa0 => 2,
        0x06 => 4,
        0x1d | 0x1f => 6,
        0x10 => 8,
        0x24..=0x27 | 0x2d..=0x2f | 0x92..=0x97 | 0x9c..=0x9f | 0xa2..=0xaf => input.u16()?.into(),
        0xa1 => {
            input.take(2)?;
            input.u16()?.into()
        }
        0xd0..=0xfe | 0x8100..=0xffff => input.u32()? as usize,
        0x100..=0x7fff => usize::from(opcode >> 8) * 2,
        _ => 0,
    };
    input.take(len).map(|_| ())
}

/// Reads the name of a font, and stores it for the number of the font.
fn font(port: &mut Port, input: &mut Input<'_>) -> Option<()> {
    let len = input.u16()?;
    let mut data = Input::new(input.take(len.into())?);
    let mut named = || {
        let (number, len) = (data.u16()?, data.u8()?);
        let name = encoding_rs::MACINTOSH.decode_without_bom_handling(data.take(len.into())?);
        Some((number, name.0.into_owned()))
    };
    if let Some((number, name)) = named() {
        port.name(number, name);
    }
    Some(())
}

/// Draws text at a point, or at a distance to the right of the previous text, below it, or both.
fn text(port: &mut Port, opcode: u16, input: &mut Input<'_>) -> Option<()> {
    let (x, y) = port.text.at;
    let at = match opcode {
        0x28 => input.point()?,
        0x29 => (x + f64::from(input.u8()?), y),
        0x2a => (x, y + f64::from(input.u8()?)),
        _ => (x + f64::from(input.u8()?), y + f64::from(input.u8()?)),
    };
    let len = input.u8()?;
    port.write(at, input.take(len.into())?);
    Some(())
}

/// Draws a bitmap, stretched over a rectangle and perhaps restricted to a region.
fn bitmap(port: &mut Port, opcode: u16, input: &mut Input<'_>) -> Option<()> {
    let (packed, masked) = (opcode & 8 != 0, opcode & 1 != 0);
    let header = bits::Header::read(input, matches!(opcode, 0x9a | 0x9b))?;
    let (part, destination) = (input.rectangle()?, input.rectangle()?);
    let mode = input.u16()?;
    let mask = match masked {
        true => Some(input.counted()?),
        false => None,
    };
    // If the bitmap cannot be decoded, its end is unknown, so the picture ends here.
    let pixels = header.pixels(input, packed, (port.front, port.back))?;
    port.show(&header, pixels, (part, destination), mode, mask);
    Some(())
}

/// Draws a picture that QuickTime compressed (Inside Macintosh: QuickTime, 3). `None` if it is not a JPEG, or the data
/// ends early.
fn quick_time(port: &mut Port, mut input: Input<'_>) -> Option<()> {
    input.take(2)?;
    let mut matrix = [0.0; 9];
    for number in &mut matrix {
        *number = f64::from(input.u32()?.cast_signed()) / 65_536.0;
    }
    let matte = input.u32()? as usize;
    input.take(8 + 2)?;
    let [left, top, right, bottom] = input.rectangle()?;
    input.take(4)?;
    let mask = input.u32()? as usize;
    if matte > 0 {
        let description = (input.u32()? as usize).checked_sub(4)?;
        input.take(description)?;
        input.take(matte)?;
    }
    input.take(mask)?;
    let description = (input.u32()? as usize).checked_sub(8)?;
    let is_jpeg = input.take(4)? == b"jpeg";
    input.take(description)?;
    let [a, _, _, _, d, _, x, y, _] = matrix;
    let destination = [left * a + x, top * d + y, right * a + x, bottom * d + y];
    is_jpeg.then(|| port.device.embed("jpeg", input.rest(), destination, 1.0))
}
