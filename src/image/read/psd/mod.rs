//! Photoshop files: the flattened picture that they hold beside their layers (Adobe Photoshop File Formats
//! Specification, 2019). Never looks into a layer: a file that was saved without its flattened picture is refused.

mod planes;

use super::{Header, Source, check_row, failed, unsupported};
use crate::{
    error::Result,
    image::{
        colour::Inks,
        layout::{Channels, Depth, Layout},
        limits,
        rows::Rows,
    },
    job::{Input, Job},
};
use image::metadata::Orientation;
use planes::Planes;
use std::io::{self, Read, SeekFrom};

/// Largest image resource that is read.
const MOST_RESOURCE: u32 = 4 << 20;

/// Numbers of image resources.
const PROFILE: u16 = 1039;
const TRANSPARENT: u16 = 1047;
const VERSION: u16 = 1057;
const EXIF: u16 = 1058;

/// What the samples of a pixel are.
#[derive(Clone, Debug)]
enum Mode {
    /// One bit, where 1 is black.
    Bitmap,
    Grey,
    /// Red, green and blue of each number, and the number that is transparent.
    Indexed(Vec<[u8; 3]>, Option<u8>),
    Rgb,
    Cmyk,
}

/// What stands before the picture.
#[derive(Debug, Default)]
struct Structure {
    /// The variant for large documents, PSB, with wider lengths.
    wide: bool,
    channels: u16,
    width: u32,
    height: u32,
    depth: u16,
    mode: u16,
    palette: Vec<u8>,
    transparent: Option<u8>,
    icc: Option<Vec<u8>>,
    exif: Option<Vec<u8>>,
    /// Whether there is a flattened picture.
    flattened: bool,
    /// Whether the first channel after the colours is the transparency of the flattened picture.
    alpha: bool,
    /// Where the flattened picture begins.
    data: u64,
}

impl Structure {
    fn read(input: &mut dyn Input) -> io::Result<Self> {
        let mut found = Self {
            flattened: true,
            ..Self::default()
        };
        input.seek(SeekFrom::Start(4))?;
        found.wide = u16::from_be_bytes(bytes(input)?) == 2;
        input.seek_relative(6)?;
        found.channels = u16::from_be_bytes(bytes(input)?);
        found.height = u32::from_be_bytes(bytes(input)?);
        found.width = u32::from_be_bytes(bytes(input)?);
        found.depth = u16::from_be_bytes(bytes(input)?);
        found.mode = u16::from_be_bytes(bytes(input)?);
        let len = u32::from_be_bytes(bytes(input)?);
        let end = input.stream_position()? + u64::from(len);
        if found.mode == 2 {
            found.palette = bytes::<768>(input)?.to_vec();
        }
        input.seek(SeekFrom::Start(end))?;
        let len = u32::from_be_bytes(bytes(input)?);
        let end = input.stream_position()? + u64::from(len);
        found.resources(input, end)?;
        input.seek(SeekFrom::Start(end))?;
        let len = found.length(input)?;
        let start = input.stream_position()?;
        let end = start.checked_add(len).ok_or(io::ErrorKind::InvalidData)?;
        if len > 0 {
            found.layers(input, end)?;
        }
        found.data = end;
        Ok(found)
    }

    /// A length that is wider in large documents.
    fn length(&self, input: &mut dyn Input) -> io::Result<u64> {
        Ok(if self.wide {
            u64::from_be_bytes(bytes(input)?)
        } else {
            u32::from_be_bytes(bytes(input)?).into()
        })
    }

    fn resources(&mut self, input: &mut dyn Input, end: u64) -> io::Result<()> {
        while input.stream_position()? + 12 <= end {
            if &bytes(input)? != b"8BIM" {
                return Ok(());
            }
            let number = u16::from_be_bytes(bytes(input)?);
            // A name: its length and itself, padded to an even number of bytes.
            let [name] = bytes(input)?;
            input.seek_relative(i64::from(name | 1))?;
            let len = u32::from_be_bytes(bytes(input)?);
            let wanted = matches!(number, PROFILE | TRANSPARENT | VERSION | EXIF);
            if !wanted || len > MOST_RESOURCE {
                input.seek_relative(i64::from(len) + i64::from(len & 1))?;
                continue;
            }
            let mut data = Vec::new();
            (&mut *input).take(len.into()).read_to_end(&mut data)?;
            input.seek_relative(i64::from(len & 1))?;
            match (number, data.as_slice()) {
                (PROFILE, _) => self.icc = Some(data),
                (EXIF, _) => self.exif = Some(data),
                (TRANSPARENT, [high, low, ..]) => {
                    let index = u16::from_be_bytes([*high, *low]);
                    self.transparent = u8::try_from(index).ok();
                }
                (VERSION, [_, _, _, _, real, ..]) => self.flattened = *real != 0,
                _ => {}
            }
        }
        Ok(())
    }

    /// Finds out whether the flattened picture is transparent: a negative number of layers says so.
    fn layers(&mut self, input: &mut dyn Input, end: u64) -> io::Result<()> {
        let len = self.length(input)?;
        let after = input.stream_position()?.saturating_add(len);
        if len > 0 {
            self.alpha = i16::from_be_bytes(bytes(input)?) < 0;
            return Ok(());
        }
        // With more than 8 bits the layers stand in a block of their own, behind the global mask.
        if after + 4 > end {
            return Ok(());
        }
        let len = u32::from_be_bytes(bytes(input)?);
        input.seek_relative(len.into())?;
        while input.stream_position()? + 12 <= end {
            let signature: [u8; 4] = bytes(input)?;
            let key: [u8; 4] = bytes(input)?;
            if !matches!(&signature, b"8BIM" | b"8B64") {
                return Ok(());
            }
            let long = matches!(
                &key,
                b"LMsk" | b"Lr16" | b"Lr32" | b"Layr" | b"Mt16" | b"Mt32" | b"Mtrn" | b"Alph"
            );
            let len = if self.wide && long {
                u64::from_be_bytes(bytes(input)?)
            } else {
                u32::from_be_bytes(bytes(input)?).into()
            };
            match &key {
                b"Mt16" | b"Mt32" | b"Mtrn" => self.alpha = true,
                b"Lr16" | b"Lr32" | b"Layr" if len >= 2 => {
                    self.alpha = i16::from_be_bytes(bytes(input)?) < 0;
                    return Ok(());
                }
                _ => {}
            }
            let len = i64::try_from(len).map_err(|_| io::ErrorKind::InvalidData)?;
            input.seek_relative(len)?;
        }
        Ok(())
    }

    fn mode(&self) -> Result<Mode, &'static str> {
        Ok(match (self.mode, self.depth) {
            (0, 1) => Mode::Bitmap,
            // Duotone is stored as grey; what its inks look like is not documented.
            (1 | 8, 8 | 16) => Mode::Grey,
            (2, 8) => {
                let (reds, rest) = self.palette.split_at(256);
                let (greens, blues) = rest.split_at(256);
                let palette = reds.iter().zip(greens).zip(blues);
                let palette = palette.map(|((r, g), b)| [*r, *g, *b]).collect();
                Mode::Indexed(palette, self.transparent)
            }
            (3, 8 | 16) => Mode::Rgb,
            (4, 8 | 16) => Mode::Cmyk,
            (7, _) => return Err("many channels without a colour (multichannel)"),
            (9, _) => return Err("Lab colour"),
            (_, 32) => return Err("32 bits a channel"),
            _ => return Err("an unknown kind of colour"),
        })
    }
}

struct Psd<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    structure: Structure,
    mode: Mode,
    /// How many channels are read: the colours, and transparency.
    used: usize,
}

pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut structure = Structure::read(input).map_err(|err| failed(job, err))?;
    limits::check(job, structure.width, structure.height)?;
    let mode = structure.mode().map_err(|what| unsupported(job, what))?;
    if !structure.flattened {
        let what = "layers without a flattened picture (save it with \"maximise compatibility\")";
        return Err(unsupported(job, what));
    }
    let (colours, channels) = match &mode {
        Mode::Bitmap | Mode::Grey => (1, Channels::Grey),
        Mode::Indexed(_, None) => (1, Channels::Rgb),
        Mode::Indexed(_, Some(_)) => (1, Channels::Rgba),
        Mode::Rgb => (3, Channels::Rgb),
        Mode::Cmyk => (4, Channels::Rgb),
    };
    let alpha = structure.alpha
        && usize::from(structure.channels) > colours
        && matches!(mode, Mode::Grey | Mode::Rgb | Mode::Cmyk);
    let channels = match (channels, alpha) {
        (Channels::Grey, true) => Channels::GreyAlpha,
        (Channels::Rgb, true) => Channels::Rgba,
        _ => channels,
    };
    let used = colours + usize::from(alpha);
    if usize::from(structure.channels) < used {
        return Err(job.unreadable("it has fewer channels than its colours need"));
    }
    let layout = Layout {
        width: structure.width,
        height: structure.height,
        channels,
        depth: match (&mode, structure.depth) {
            (Mode::Grey | Mode::Rgb, 16) => Depth::Sixteen,
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
            icc: structure.icc.clone(),
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

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let job = self.job;
        let planes = Planes::open(self.input, &self.structure, self.used)
            .map_err(|err| failed(job, err))?
            .ok_or_else(|| unsupported(job, "a compression that flattened pictures do not have"))?;
        Ok(Box::new(PsdRows {
            job,
            layout: self.header.layout,
            deep: self.structure.depth == 16,
            inks: match self.mode {
                Mode::Cmyk => {
                    let width = self.structure.width as usize;
                    let inks = Inks::of(self.structure.icc.as_deref());
                    Some((inks, vec![0; 4 * width], vec![0; 3 * width]))
                }
                Mode::Bitmap | Mode::Grey | Mode::Indexed(..) | Mode::Rgb => None,
            },
            mode: self.mode,
            planes,
            next: 0,
        }))
    }
}

struct PsdRows<'a> {
    job: &'a Job<'a>,
    layout: Layout,
    /// Whether samples have 16 bits in the file.
    deep: bool,
    mode: Mode,
    /// What makes light of ink, with a row of both.
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
                // The high byte of deeper samples is as much as the conversion takes.
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
                        lift(pixel, u16::from_ne_bytes, u16::to_ne_bytes, u16::MAX.into());
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
                        lift(pixel, |[byte]| byte.into(), |sample| [sample as u8], 255);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Mode {
    /// Whether transparent pixels have been laid over white in the flattened picture.
    fn is_over_white(&self) -> bool {
        matches!(self, Self::Rgb)
    }
}

/// Takes away the white that a pixel was laid over.
fn lift<const N: usize>(
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

fn bytes<const N: usize>(input: &mut dyn Input) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}
