//! Reads the flattened picture of a Photoshop file (the composite image) row by row. Leaves files without a flattened
//! picture to `compose`.

use super::{
    compose,
    planes::Planes,
    structure::{Mode, Structure},
};
use crate::{
    limits,
    pixels::{Channels, Depth, Layout, Rows, colour::Inks, lab, rows::check_row},
    source::{Header, Source, failed, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::metadata::Orientation;

/// A file whose header has been read.
struct Psd<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    structure: Structure,
    mode: Mode,
    /// Number of channels that are read: the colours, and alpha if there is any.
    used: usize,
}

/// Opens the flattened picture, or composes the layers if the file has no flattened picture.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut structure = Structure::read(input).map_err(|err| failed(job, err))?;
    limits::check(
        job,
        structure.width,
        structure.height,
        Some(limits::PIXELS_PER_BYTE),
    )?;
    let mode = structure.mode().map_err(|what| unsupported(job, what))?;
    if !structure.flattened {
        let layers = compose::layers(job, input, &structure)?;
        if !layers.seen.is_empty() {
            return compose::open(job, input, structure, &mode, layers);
        }
    }
    // Number of channels of the colour mode in the file, and channels of the result.
    let (colours, channels) = match &mode {
        Mode::Bitmap | Mode::Grey => (1, Channels::Grey),
        Mode::Indexed(_, None) => (1, Channels::Rgb),
        Mode::Indexed(_, Some(_)) => (1, Channels::Rgba),
        Mode::Rgb | Mode::Lab => (3, Channels::Rgb),
        Mode::Cmyk => (4, Channels::Rgb),
    };
    let alpha = structure.alpha
        && usize::from(structure.channels) > colours
        && matches!(mode, Mode::Grey | Mode::Rgb | Mode::Cmyk | Mode::Lab);
    let channels = match (channels, alpha) {
        (Channels::Grey, true) => Channels::GreyAlpha,
        (Channels::Rgb, true) => Channels::Rgba,
        _ => channels,
    };
    let used = colours + usize::from(alpha);
    if usize::from(structure.channels) < used {
        return Err(job.unreadable("it has too few channels for its kind of colours"));
    }
    let layout = Layout {
        width: structure.width,
        height: structure.height,
        channels,
        depth: match (&mode, structure.depth) {
            (Mode::Grey | Mode::Rgb | Mode::Lab, 16) => Depth::Sixteen,
            (Mode::Grey | Mode::Rgb, 32) => Depth::Float,
            _ => Depth::Eight,
        },
    };
    let orientation = structure
        .exif
        .take()
        .and_then(|exif| Orientation::from_exif_chunk(&exif))
        .unwrap_or(Orientation::NoTransforms);
    Ok(Box::new(Psd {
        job,
        header: Header {
            layout,
            orientation,
            // A Lab profile does not describe the RGB that Lab is converted to, so it is left out.
            icc: structure.icc.clone().filter(|_| !matches!(mode, Mode::Lab)),
            memory: Planes::memory(layout.width, layout.height, structure.depth, used),
            animated: false,
            lossless: true,
        },
        input,
        structure,
        mode,
        used,
    }))
}

impl<'a> Source<'a> for Psd<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        if !self.structure.flattened {
            let note = "The psd file has no flattened picture, and its layers have no visible pixels; the result is the placeholder in the file.";
            return vec![note.into()];
        }
        if !self.structure.is_multichannel() {
            return Vec::new();
        }
        let inks = match self.structure.channels {
            1 | 2 => "Its first ink was treated as black",
            3 => "Its inks were treated as cyan, magenta and yellow",
            _ => "Its first four inks were treated as cyan, magenta, yellow and black",
        };
        vec![format!(
            "{inks}, because multichannel files do not name their colours."
        )]
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let job = self.job;
        let planes = Planes::open(self.input, &self.structure, self.used)
            .map_err(|err| failed(job, err))?
            .ok_or_else(|| {
                unsupported(job, "a compression that is invalid for flattened pictures")
            })?;
        Ok(Box::new(PsdRows {
            job,
            layout: self.header.layout,
            deep: self.structure.depth == 16,
            floating: self.structure.depth == 32,
            inks: match self.mode {
                Mode::Cmyk => {
                    let width = self.structure.width as usize;
                    let inks = Inks::of(self.structure.icc.as_deref());
                    Some((inks, vec![0; 4 * width], vec![0; 3 * width]))
                }
                Mode::Bitmap | Mode::Grey | Mode::Indexed(..) | Mode::Rgb | Mode::Lab => None,
            },
            mode: self.mode,
            planes,
            next: 0,
        }))
    }
}

/// Rows of the flattened picture.
struct PsdRows<'a> {
    job: &'a Job<'a>,
    layout: Layout,
    /// Whether samples have 16 bits in the file.
    deep: bool,
    /// Whether samples are floating point, in linear light.
    floating: bool,
    mode: Mode,
    /// Conversion from CMYK to RGB, a row of CMYK, and a row of RGB.
    inks: Option<(Inks, Vec<u8>, Vec<u8>)>,
    planes: Planes<'a>,
    next: u32,
}

impl Rows for PsdRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.job, self.next)?;
        self.next += 1;
        let planes = self.planes.next().map_err(|err| failed(self.job, err))?;
        let step = self.layout.pixel_bytes();
        let alpha = self.layout.channels.has_alpha();
        match (&self.mode, &mut self.inks) {
            (Mode::Bitmap, _) => {
                // A set bit is black.
                for (x, pixel) in row.iter_mut().enumerate() {
                    let black = planes[0][x / 8] & (0x80 >> (x % 8)) != 0;
                    *pixel = if black { 0 } else { 255 };
                }
            }
            (Mode::Indexed(palette, transparent), _) => {
                for (pixel, &index) in row.chunks_exact_mut(step).zip(&planes[0]) {
                    pixel[..3].copy_from_slice(&palette[usize::from(index)]);
                    if let Some(alpha) = pixel.get_mut(3) {
                        *alpha = if *transparent == Some(index) { 0 } else { 255 };
                    }
                }
            }
            (Mode::Cmyk, Some((inks, ink, light))) => {
                // The conversion uses only the high byte of deeper samples.
                let width = 1 + usize::from(self.deep);
                for (at, plane) in planes[..4].iter().enumerate() {
                    let samples = plane.iter().step_by(width);
                    for (pixel, sample) in ink.as_chunks_mut::<4>().0.iter_mut().zip(samples) {
                        pixel[at] = *sample;
                    }
                }
                if !alpha {
                    inks.convert(ink, row);
                    return Ok(());
                }
                inks.convert(ink, light);
                let alphas = planes[4].iter().step_by(width);
                let pixels = row.as_chunks_mut::<4>().0.iter_mut();
                for ((pixel, &[r, g, b]), a) in pixels.zip(light.as_chunks().0).zip(alphas) {
                    *pixel = [r, g, b, *a];
                }
            }
            (Mode::Lab, _) => put_lab(planes, self.deep, step, row),
            (Mode::Grey | Mode::Rgb | Mode::Cmyk, _) if self.floating => {
                for (at, plane) in planes.iter().enumerate() {
                    let pixels = row.chunks_exact_mut(step);
                    for (pixel, &sample) in pixels.zip(plane.as_chunks().0) {
                        let sample = f32::from_be_bytes(sample);
                        let sample = if sample.is_finite() { sample } else { 0.0 };
                        pixel[4 * at..4 * at + 4].copy_from_slice(&sample.to_ne_bytes());
                    }
                }
            }
            (Mode::Grey | Mode::Rgb | Mode::Cmyk, _) if self.deep => {
                for (at, plane) in planes.iter().enumerate() {
                    let pixels = row.chunks_exact_mut(step);
                    for (pixel, &sample) in pixels.zip(plane.as_chunks().0) {
                        let sample = u16::from_be_bytes(sample).to_ne_bytes();
                        pixel[2 * at..2 * at + 2].copy_from_slice(&sample);
                    }
                }
                if self.mode.is_over_white() && alpha {
                    for pixel in row.as_chunks_mut::<2>().0.chunks_exact_mut(step / 2) {
                        remove_white(pixel, u16::from_ne_bytes, u16::to_ne_bytes, u16::MAX.into());
                    }
                }
            }
            (Mode::Grey | Mode::Rgb | Mode::Cmyk, _) => {
                for (at, plane) in planes.iter().enumerate() {
                    for (pixel, sample) in row.chunks_exact_mut(step).zip(plane) {
                        pixel[at] = *sample;
                    }
                }
                if self.mode.is_over_white() && alpha {
                    for pixel in row.as_chunks_mut::<1>().0.chunks_exact_mut(step) {
                        remove_white(pixel, |[byte]| byte.into(), |sample| [sample as u8], 255);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Converts a row from CIELAB to RGB, and copies its alpha.
fn put_lab(planes: &[Vec<u8>], deep: bool, step: usize, row: &mut [u8]) {
    let size = 1 + usize::from(deep);
    let sample = |plane: usize, x: usize| {
        let bytes = &planes[plane][x * size..][..size];
        // The result is from 0 to below 256, and has a fraction if samples have 16 bits.
        match *bytes {
            [high, low] => f32::from(u16::from_be_bytes([high, low])) / 256.0,
            _ => f32::from(bytes[0]),
        }
    };
    // The largest sample in the same unit.
    let most = if deep { 65_535.0 / 256.0 } else { 255.0 };
    for (x, pixel) in row.chunks_exact_mut(step).enumerate() {
        let colour = lab::to_srgb([
            // Lightness is stored as 0 to 100 %, a and b with 128 for 0.
            sample(0, x) * 100.0 / most,
            sample(1, x) - 128.0,
            sample(2, x) - 128.0,
        ]);
        let alpha = (step > 3 * size).then(|| sample(3, x) / most);
        let shares = colour.into_iter().chain(alpha);
        for (stored, share) in pixel.chunks_exact_mut(size).zip(shares) {
            if deep {
                stored.copy_from_slice(&((share * 65_535.0 + 0.5) as u16).to_ne_bytes());
            } else {
                stored[0] = (share * 255.0 + 0.5) as u8;
            }
        }
    }
}

/// Removes the white background that a partly transparent pixel was blended with. The flattened picture of a file with
/// alpha contains this background.
fn remove_white<const N: usize>(
    pixel: &mut [[u8; N]],
    read: impl Fn([u8; N]) -> u16,
    write: impl Fn(u16) -> [u8; N],
    most: u32,
) {
    let Some((alpha, colours)) = pixel.split_last_mut() else {
        return;
    };
    let alpha = u32::from(read(*alpha));
    if alpha == 0 || alpha == most {
        return;
    }
    for sample in colours {
        let seen = u64::from(read(*sample)) * u64::from(most);
        let own = seen.saturating_sub(u64::from(most) * u64::from(most - alpha));
        let own = (own + u64::from(alpha) / 2) / u64::from(alpha);
        *sample = write(own.min(most.into()) as u16);
    }
}
