//! Composes the layers of a Photoshop file that was saved without a flattened picture. Effects and adjustment layers
//! are left out, with a note.
//!
//! Memory holds the canvas with 16 bits per sample, and the uncompressed channels of one layer at a time, with their
//! stored depth.

use super::{
    blend,
    layers::{ALPHA, Channel, Layer, Layers, MASK, Mask, Rectangle},
    planes::{invalid, row_bytes, unpack},
    structure::{Mode, Structure, bytes},
};
use crate::{
    limits,
    pixels::{Channels, Depth, Frame, Layout, Rows, convert::convert},
    source::{Header, Source, failed, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::metadata::Orientation;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::io::{self, Read as _, SeekFrom};

/// A file whose layers are composed when its rows are read.
struct Composed<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    structure: Structure,
    layers: Layers,
}

/// Reads the layer records, without pixels.
pub(crate) fn layers(
    job: &Job<'_>,
    input: &mut dyn Input,
    structure: &Structure,
) -> Result<Layers> {
    match structure.layers {
        Some(at) => Layers::read(input, at, structure).map_err(|err| failed(job, err)),
        None => Ok(Layers::default()),
    }
}

/// Opens a file with at least one visible layer that has pixels. Supports only RGB and grey with 8 or 16 bits.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    structure: Structure,
    mode: &Mode,
    layers: Layers,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let channels = match (mode, structure.depth) {
        (Mode::Rgb, 8 | 16) => Channels::Rgba,
        (Mode::Grey, 8 | 16) => Channels::GreyAlpha,
        _ => {
            let what = "layers in other colours than RGB and grey of 8 or 16 bits, without a flattened picture (save it with \"maximise compatibility\")";
            return Err(unsupported(job, what));
        }
    };
    let sample = u64::from(structure.depth / 8);
    // Memory of the largest layer: its channels, its mask, and the packed bytes of its longest channel.
    let mut most = 0;
    for layer in &layers.seen {
        let mask = layer.mask.map_or(0, |mask| mask.rectangle.pixels());
        for rectangle in [Some(layer.rectangle), layer.mask.map(|mask| mask.rectangle)] {
            if let Some(rectangle) = rectangle.filter(|rectangle| rectangle.pixels() > 0) {
                limits::check(
                    job,
                    rectangle.width,
                    rectangle.height,
                    Some(limits::PIXELS_PER_BYTE),
                )?;
            }
        }
        let planes = channels.count() as u64 * layer.rectangle.pixels() + mask;
        let packed = layer
            .channels
            .iter()
            .map(|channel| channel.len)
            .max()
            .unwrap_or(0);
        most = most.max(sample * planes + packed.min(job.input_len));
    }
    let layout = Layout {
        width: structure.width,
        height: structure.height,
        channels,
        depth: Depth::Sixteen,
    };
    let output = layout.with(
        channels,
        if structure.depth == 16 {
            Depth::Sixteen
        } else {
            Depth::Eight
        },
    );
    Ok(Box::new(Composed {
        job,
        header: Header {
            layout: output,
            orientation: Orientation::NoTransforms,
            icc: structure.icc.clone(),
            memory: layout.bytes() + most,
            animated: false,
            lossless: true,
        },
        input,
        structure,
        layers,
    }))
}

impl<'a> Source<'a> for Composed<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        let Layers {
            seen,
            hidden,
            adjusting,
            effects,
            clipped,
        } = &self.layers;
        let unknown = seen
            .iter()
            .filter(|layer| blend::mode(layer.blend).is_none())
            .count();
        let counted = |count: u32, what: &str| (count > 0).then(|| format!("{what}: {count}"));
        let left_out: Vec<String> = [
            counted(*hidden, "hidden layers"),
            counted(*adjusting, "adjustment and fill layers"),
            counted(*effects, "layers without their effects"),
            counted(*clipped, "clipped layers shown unclipped"),
            counted(
                unknown as u32,
                "layers with unusual blend modes that are treated as normal",
            ),
        ]
        .into_iter()
        .flatten()
        .collect();
        let mut note = format!(
            "The psd file has no flattened picture; it was composed of {} of its layers",
            seen.len()
        );
        if !left_out.is_empty() {
            note += &format!(
                ", and may look different from Photoshop ({})",
                left_out.join(", ")
            );
        }
        vec![note + "."]
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self {
            job,
            header,
            input,
            structure,
            layers,
        } = *self;
        let Layout {
            channels, depth, ..
        } = header.layout;
        let mut canvas = Frame::new(header.layout.with(channels, Depth::Sixteen));
        for layer in &layers.seen {
            compose_layer(job, input, &structure, layer, &mut canvas)?;
        }
        Ok(convert(Box::new(canvas), channels, depth, [0; 3]))
    }
}

/// Composes one layer with the canvas.
fn compose_layer(
    job: &Job<'_>,
    input: &mut dyn Input,
    structure: &Structure,
    layer: &Layer,
    canvas: &mut Frame,
) -> Result<()> {
    let Layout {
        width,
        height,
        channels,
        ..
    } = canvas.layout;
    let count = channels.count();
    let sample = usize::from(structure.depth / 8);
    let mut read = |id: i16, rectangle: Rectangle| -> Result<Option<Vec<u8>>> {
        job.check()?;
        let stored = layer.channels.iter().find(|channel| channel.id == id);
        let Some(stored) = stored.filter(|_| rectangle.pixels() > 0) else {
            return Ok(None);
        };
        let plane = plane(input, *stored, rectangle, structure).map_err(|err| failed(job, err))?;
        Ok(Some(plane))
    };
    let mut planes = Vec::new();
    // Colour channels have the IDs from 0 on, alpha has the ID −1.
    for id in (0..count as i16 - 1).chain([ALPHA]) {
        planes.push(read(id, layer.rectangle)?);
    }
    let mask = match layer.mask {
        Some(mask) => read(MASK, mask.rectangle)?.map(|plane| (mask, plane)),
        None => None,
    };
    let blend = blend::mode(layer.blend).unwrap_or(|_, above| above);
    // A sample of a plane from 0 to 1. The file is big-endian.
    let of = |plane: &[u8], at: usize| match plane.get(at * sample..(at + 1) * sample) {
        Some(&[high, low]) => f32::from(u16::from_be_bytes([high, low])) / 65_535.0,
        Some(&[byte]) => f32::from(byte) / 255.0,
        _ => 0.0,
    };
    let mut above = vec![0.0; count];
    let row_bytes = canvas.layout.row_bytes();
    let mut line = vec![0; width as usize * count];
    let Rectangle { left, top, .. } = layer.rectangle;
    for row in 0..layer.rectangle.height {
        let y = i64::from(top) + i64::from(row);
        if y < 0 || y >= i64::from(height) {
            continue;
        }
        if row.is_multiple_of(64) {
            job.check()?;
        }
        let stored = &mut canvas.pixels[y as usize * row_bytes..][..row_bytes];
        for (sample, &bytes) in line.iter_mut().zip(stored.as_chunks().0) {
            *sample = u16::from_ne_bytes(bytes);
        }
        // Only the columns of the layer that are on the canvas are composed.
        let from = (-i64::from(left)).clamp(0, i64::from(layer.rectangle.width)) as u32;
        let to =
            (i64::from(width) - i64::from(left)).clamp(0, i64::from(layer.rectangle.width)) as u32;
        for column in from..to.max(from) {
            let x = (i64::from(left) + i64::from(column)) as usize;
            let at = row as usize * layer.rectangle.width as usize + column as usize;
            for (number, (above, plane)) in above.iter_mut().zip(&planes).enumerate() {
                let is_alpha = number + 1 == count;
                // A missing colour channel is black, and missing alpha is opaque.
                let default = if is_alpha { 1.0 } else { 0.0 };
                *above = plane.as_deref().map_or(default, |plane| of(plane, at));
            }
            let hidden = mask.as_ref().map_or(1.0, |(mask, plane)| {
                within(*mask, x as i64, y)
                    .map_or(f32::from(mask.beyond) / 255.0, |at| of(plane, at))
            });
            above[count - 1] *= layer.opacity * hidden;
            blend::pixel(&mut line[x * count..][..count], &above, blend);
        }
        for (bytes, sample) in stored.as_chunks_mut().0.iter_mut().zip(&line) {
            *bytes = sample.to_ne_bytes();
        }
    }
    Ok(())
}

/// The index of a pixel of the canvas in the rectangle of a mask. `None` outside of it.
fn within(mask: Mask, x: i64, y: i64) -> Option<usize> {
    let column = x - i64::from(mask.rectangle.left);
    let row = y - i64::from(mask.rectangle.top);
    let is_there = (0..i64::from(mask.rectangle.width)).contains(&column)
        && (0..i64::from(mask.rectangle.height)).contains(&row);
    is_there.then(|| row as usize * mask.rectangle.width as usize + column as usize)
}

/// The uncompressed samples of a channel, row by row.
fn plane(
    input: &mut dyn Input,
    channel: Channel,
    rectangle: Rectangle,
    structure: &Structure,
) -> io::Result<Vec<u8>> {
    let row = row_bytes(rectangle.width, structure.depth);
    let rows = rectangle.height as usize;
    let mut packed = Vec::new();
    input.seek(SeekFrom::Start(channel.at))?;
    let compression = u16::from_be_bytes(bytes(input)?);
    let len = channel.len.saturating_sub(2);
    (&mut *input).take(len).read_to_end(&mut packed)?;
    let short = || invalid("a channel of a layer is cut");
    match compression {
        // Raw data.
        0 => {
            packed.truncate(row * rows);
            Some(packed)
                .filter(|plain| plain.len() == row * rows)
                .ok_or_else(short)
        }
        // PackBits: the lengths of all rows come first, with 32 bits each in PSB files.
        1 => {
            let width = if structure.wide { 4 } else { 2 };
            let (lengths, mut rest) = packed.split_at_checked(width * rows).ok_or_else(short)?;
            let mut plain = vec![0; row * rows];
            for (len, row) in lengths.chunks_exact(width).zip(plain.chunks_exact_mut(row)) {
                let len = len
                    .iter()
                    .fold(0, |len, &byte| len << 8 | usize::from(byte));
                let (packed, after) = rest.split_at_checked(len).ok_or_else(short)?;
                unpack(packed, row)?;
                rest = after;
            }
            Ok(plain)
        }
        // zlib, without and with prediction.
        2 | 3 => {
            let plain = decompress_to_vec_zlib_with_limit(&packed, row * rows);
            let mut plain = plain.map_err(|_| invalid("a channel of a layer is damaged"))?;
            if plain.len() < row * rows {
                return Err(short());
            }
            if compression == 3 {
                for row in plain.chunks_exact_mut(row) {
                    add_up(row, structure.depth);
                }
            }
            Ok(plain)
        }
        _ => Err(invalid("a channel of a layer has an unknown compression")),
    }
}

/// Undoes the prediction: each sample is stored as the difference from its left neighbour.
fn add_up(row: &mut [u8], depth: u16) {
    if depth == 16 {
        let mut sum = 0_u16;
        for bytes in row.as_chunks_mut().0 {
            sum = sum.wrapping_add(u16::from_be_bytes(*bytes));
            *bytes = sum.to_be_bytes();
        }
    } else {
        let mut sum = 0_u8;
        for byte in row {
            sum = sum.wrapping_add(*byte);
            *byte = sum;
        }
    }
}
