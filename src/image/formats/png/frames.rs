//! Reads the frames of an animated PNG (W3C PNG, third edition, 4.9 and 11.3.6), and composes them on a canvas. Decodes
//! each frame on demand, and holds only that frame, the canvas, and the part of the canvas that will be restored.

use super::{chunks::Walk, hidden::hide, lines, read};
use crate::{
    animation::{Animation, Area},
    pixels::{Channels, Depth, Frame, Layout, convert},
    source::{failed, rewind},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use png::{
    BitDepth, BlendOp, ColorType, Decoder, DisposeOp, FrameControl, Limits, OutputInfo, Reader,
    Transformations,
};
use std::{io, time::Duration};

/// Opens a PNG with several frames. `None` if there is only one.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Option<Animation<'a>>> {
    let control = control(input).map_err(|err| failed(job, err))?;
    let Some((count, plays)) = control.filter(|(count, _)| *count > 1) else {
        return Ok(None);
    };
    rewind(input)?;
    // Opening the still picture checks the size, too.
    let (icc, layout, notes) = {
        let mut still = read::open(job, &mut *input)?;
        let notes = still.notes();
        let header = still.header();
        (header.icc.take(), header.layout, notes)
    };
    // The decoder counts one more row against its limit with every frame, so the limit grows with the number of frames.
    let row = layout.width as usize * 8;
    let rows = (count as usize).saturating_add(4).saturating_mul(row);
    let caps = Limits {
        bytes: lines::ANCILLARY.saturating_add(rows),
    };
    let (input, _) = hide(job, input)?;
    let mut decoder = Decoder::new_with_limits(input, caps);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND);
    let reader = decoder.read_info().map_err(|err| failed(job, err))?;
    let frames = Apng {
        job,
        left: count,
        // A default image without a frame control chunk (fcTL) is not part of the animation.
        skips: reader.info().frame_control.is_none(),
        reader,
        layout: layout.with(Channels::Rgba, Depth::Eight),
        canvas: None,
        disposal: None,
        buffer: Vec::new(),
    };
    let sides = (layout.width, layout.height);
    let mut animation = Animation::new(job, sides, plays, count, Box::new(frames));
    animation.icc = icc;
    animation.notes = notes;
    Ok(Some(animation))
}

/// Number of frames, and how often they play (`None` for endlessly), from the animation control chunk (acTL), which
/// precedes the image data. `None` if there is no such chunk.
fn control(input: &mut dyn Input) -> io::Result<Option<(u32, Option<u32>)>> {
    let mut walk = Walk::new(input)?;
    while let Some(head) = walk.next()? {
        match &head.name {
            b"acTL" => {
                let data = walk.data(8)?;
                let number = |at: usize| Some(u32::from_be_bytes(*data.get(at..)?.first_chunk()?));
                let plays = number(4).filter(|plays| *plays > 0);
                return Ok(number(0).map(|count| (count, plays)));
            }
            b"IDAT" | b"IEND" => break,
            _ => {}
        }
    }
    Ok(None)
}

/// Composes the frames of an animated PNG.
struct Apng<'a> {
    job: &'a Job<'a>,
    reader: Reader<Box<dyn Input + 'a>>,
    /// Number of frames that follow.
    left: u32,
    /// Whether a default image that is not part of the animation comes first.
    skips: bool,
    /// The pixels of the canvas: 8-bit RGBA.
    layout: Layout,
    /// The canvas after the last frame, before its disposal.
    canvas: Option<Frame>,
    /// The area of the last frame, and its content after disposal.
    disposal: Option<(Area, Frame)>,
    /// The current frame as decoded.
    buffer: Vec<u8>,
}

impl Iterator for Apng<'_> {
    type Item = Result<(Frame, Duration)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        Some(self.draw())
    }
}

impl Apng<'_> {
    /// Draws the next frame. Returns the canvas, and how long it is displayed.
    fn draw(&mut self) -> Result<(Frame, Duration)> {
        let job = self.job;
        if self.skips {
            self.skips = false;
            self.read()?;
        }
        let stored = self.read()?;
        let layout = self.layout;
        let control = self.reader.info().frame_control;
        let control = control.unwrap_or(FrameControl {
            width: layout.width,
            height: layout.height,
            ..FrameControl::default()
        });
        let area = Area {
            left: control.x_offset,
            top: control.y_offset,
            width: control.width,
            height: control.height,
        };
        let fits =
            |start: u32, len: u32, side| start.checked_add(len).is_some_and(|end| end <= side);
        if (stored.width, stored.height) != (area.width, area.height)
            || !fits(area.left, area.width, layout.width)
            || !fits(area.top, area.height, layout.height)
        {
            return Err(job.unreadable("a frame reaches beyond the canvas"));
        }
        let part = self.part(&stored)?;
        let first = self.canvas.is_none();
        let canvas = self.canvas.get_or_insert_with(|| Frame::new(layout));
        if let Some((area, before)) = self.disposal.take() {
            put(canvas, area, &before, |_, pixel| pixel);
        }
        self.disposal = match control.dispose_op {
            DisposeOp::None => None,
            // Before the first frame there is nothing to restore, so the area of the first frame is cleared instead.
            DisposeOp::Previous if !first => Some((area, area.cut(canvas))),
            DisposeOp::Previous | DisposeOp::Background => {
                let clear = layout.sized(area.width, area.height);
                Some((area, Frame::new(clear)))
            }
        };
        put(
            canvas,
            area,
            &part,
            match control.blend_op {
                BlendOp::Source => |_, pixel| pixel,
                BlendOp::Over => over,
            },
        );
        // A denominator of 0 means 100 (11.3.6.2).
        let parts = match control.delay_den {
            0 => 100,
            parts => parts,
        };
        let delay = Duration::from_secs(control.delay_num.into()) / u32::from(parts);
        Ok((canvas.clone(), delay))
    }

    /// Decodes the next frame into the buffer.
    fn read(&mut self) -> Result<OutputInfo> {
        let len = self.reader.output_buffer_size();
        let len = len.ok_or_else(|| self.job.unreadable("it is too large to be decoded"))?;
        self.buffer.resize(len, 0);
        self.reader
            .next_frame(&mut self.buffer)
            .map_err(|err| failed(self.job, err))
    }

    /// The frame in the buffer, converted to the pixel type of the canvas.
    fn part(&self, stored: &OutputInfo) -> Result<Frame> {
        let layout = Layout {
            width: stored.width,
            height: stored.height,
            channels: match stored.color_type {
                ColorType::Grayscale => Channels::Grey,
                ColorType::GrayscaleAlpha => Channels::GreyAlpha,
                ColorType::Rgb | ColorType::Indexed => Channels::Rgb,
                ColorType::Rgba => Channels::Rgba,
            },
            depth: match stored.bit_depth {
                BitDepth::Sixteen => Depth::Sixteen,
                BitDepth::One | BitDepth::Two | BitDepth::Four | BitDepth::Eight => Depth::Eight,
            },
        };
        // In an interlaced frame, the decoder gives each row the length of a row of the canvas.
        let apart = match self.reader.info().interlaced {
            true => layout.sized(self.layout.width, 1).row_bytes(),
            false => stored.line_size,
        };
        let rows = self.buffer.chunks(apart).take(stored.height as usize);
        let mut samples: Vec<u8> = rows
            .flat_map(|row| &row[..layout.row_bytes()])
            .copied()
            .collect();
        read::swap_bytes(&mut samples, layout.depth);
        let frame = Box::new(Frame::from_pixels(layout, samples));
        convert::convert(frame, Channels::Rgba, Depth::Eight, [0; 3]).into_frame()
    }
}

/// Draws `part` on an area of the canvas. `mix` combines a pixel of the canvas with the new one.
fn put(canvas: &mut Frame, area: Area, part: &Frame, mix: fn([u8; 4], [u8; 4]) -> [u8; 4]) {
    let canvas_row = canvas.layout.row_bytes();
    let rows = canvas.pixels.chunks_exact_mut(canvas_row);
    for (y, row) in (0..area.height).zip(rows.skip(area.top as usize)) {
        let (row, _) = row.as_chunks_mut::<4>();
        let (new, _) = part.row(y).as_chunks::<4>();
        for (pixel, new) in row[area.left as usize..].iter_mut().zip(new) {
            *pixel = mix(*pixel, *new);
        }
    }
}

/// Composes a pixel with the pixel below it (APNG_BLEND_OP_OVER). The alpha of both is straight.
fn over(below: [u8; 4], above: [u8; 4]) -> [u8; 4] {
    match (above[3], below[3]) {
        (255, _) | (_, 0) => return above,
        (0, _) => return below,
        _ => {}
    }
    // Weights in units of 1 / (255 × 255).
    let upper = u32::from(above[3]) * 255;
    let lower = u32::from(255 - above[3]) * u32::from(below[3]);
    let all = upper + lower;
    let mixed = |at: usize| {
        let sum = u32::from(above[at]) * upper + u32::from(below[at]) * lower;
        ((sum + all / 2) / all) as u8
    };
    [mixed(0), mixed(1), mixed(2), ((all + 127) / 255) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_composed() {
        #[track_caller]
        fn check(below: [u8; 4], above: [u8; 4], expected: [u8; 4]) {
            assert_eq!(over(below, above), expected);
        }
        check([1, 2, 3, 255], [9, 9, 9, 0], [1, 2, 3, 255]);
        check([1, 2, 3, 0], [9, 8, 7, 5], [9, 8, 7, 5]);
        check([1, 2, 3, 255], [9, 8, 7, 255], [9, 8, 7, 255]);
        check([0, 0, 0, 255], [255, 100, 0, 51], [51, 20, 0, 255]);
        // 200 × 0.6675: the upper pixel has 128 of 191.7 parts.
        check([0, 0, 0, 128], [200, 200, 200, 128], [134, 134, 134, 192]);
    }
}
