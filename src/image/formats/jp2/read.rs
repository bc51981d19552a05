//! Reads JPEG 2000 by hayro-jpeg2000, as a whole picture: grey, RGB, YCC, palettes and CMYK, of up to 16 bits, with and
//! without alpha. If the result is smaller than the picture, a lower resolution is decoded.

use super::codestream::Codestream;
use crate::{
    limits,
    pixels::{Channels, Depth, Frame, Layout, Rows, colour::Inks},
    source::{Header, Source, failed, lost, rewind, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Damage, Input, Job},
};
use hayro_jpeg2000::{ColorSpace, DecodeError, DecodeSettings, DecoderContext, FormatError, Image};
use image::metadata::Orientation;

/// Largest number of components, which is the limit of the decoder. At most five of them are used.
const MAX_COMPONENTS: usize = 255;

/// A JPEG 2000 file before decoding.
struct Jp2<'a> {
    job: &'a Job<'a>,
    header: Header,
    codestream: Codestream,
    settings: DecodeSettings,
    file: Vec<u8>,
    /// Profile of a CMYK picture. `Some(None)` for a CMYK picture without a profile, `None` for other pictures.
    inks: Option<Option<Vec<u8>>>,
    /// A note about an unknown colour space.
    note: Option<&'static str>,
}

/// Colours of a picture: the channels after decoding, and values of fields of [`Jp2`] and of its header.
struct Colours {
    channels: Channels,
    icc: Option<Vec<u8>>,
    inks: Option<Option<Vec<u8>>>,
    note: Option<&'static str>,
}

impl Colours {
    fn of(image: &Image<'_>) -> Self {
        let (mut icc, mut inks, mut note) = (None, None, None);
        let channels = match image.color_space() {
            ColorSpace::Gray => Channels::Grey,
            ColorSpace::RGB => Channels::Rgb,
            ColorSpace::CMYK => {
                inks = Some(None);
                Channels::Rgb
            }
            ColorSpace::Icc {
                profile,
                num_channels: 4,
            } => {
                inks = Some(Some(profile.clone()));
                Channels::Rgb
            }
            ColorSpace::Icc {
                profile,
                num_channels,
            } => {
                icc = Some(profile.clone());
                if *num_channels < 3 {
                    Channels::Grey
                } else {
                    Channels::Rgb
                }
            }
            ColorSpace::Unknown { num_channels } => {
                note = Some(
                    "The jp2 file has an unknown colour space; its first channels were treated as grey, or as red, green and blue.",
                );
                if *num_channels < 3 {
                    Channels::Grey
                } else {
                    Channels::Rgb
                }
            }
        };
        let channels = match (channels, image.has_alpha()) {
            (Channels::Grey, true) => Channels::GreyAlpha,
            (Channels::Rgb, true) => Channels::Rgba,
            (channels, _) => channels,
        };
        Self {
            channels,
            icc,
            inks,
            note,
        }
    }
}

/// Opens a JPEG 2000 file or a bare codestream. Its headers are checked before the decoder sees them, because they
/// determine how much memory it allocates.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let codestream = Codestream::find(input).map_err(|err| failed(job, err))?;
    limits::check(job, codestream.width, codestream.height, None)?;
    if !codestream.is_sane() {
        return Err(job.unreadable("it claims more tiles than a file can have"));
    }
    if codestream.components.len() > MAX_COMPONENTS {
        return Err(unsupported(job, "more than 255 components"));
    }
    if codestream.is_high_throughput {
        return Err(unsupported(
            job,
            "the faster block coder of part 15 of the standard (HTJ2K)",
        ));
    }
    if codestream.is_cut && Damage::of(job.options()) == Damage::Refuse {
        return Err(job.unreadable("it ends before the picture does"));
    }
    job.reserve(limits::BASE + job.input_len)?;
    let mut file = Vec::with_capacity(job.input_len as usize);
    rewind(input)?;
    input.read_to_end(&mut file).map_err(lost)?;
    let settings = DecodeSettings::default();
    let (layout, icc, inks, note) = {
        let image = Image::new(&file, &settings).map_err(|err| match err {
            DecodeError::Format(FormatError::Unsupported) => {
                unsupported(job, "a colour space of an extension of the standard")
            }
            err => failed(job, err),
        })?;
        let Colours {
            channels,
            icc,
            inks,
            note,
        } = Colours::of(&image);
        let is_deep = inks.is_none() && codestream.components.iter().any(|bits| *bits > 8);
        let layout = Layout {
            width: image.width(),
            height: image.height(),
            channels,
            depth: if is_deep {
                Depth::Sixteen
            } else {
                Depth::Eight
            },
        };
        (layout, icc, inks, note)
    };
    limits::check(job, layout.width, layout.height, None)?;
    Ok(Box::new(Jp2 {
        job,
        header: Header {
            layout,
            orientation: Orientation::NoTransforms,
            icc,
            memory: codestream.memory(1) + layout.bytes(),
            animated: false,
            lossless: false,
        },
        codestream,
        settings,
        file,
        inks,
        note,
    }))
}

impl<'a> Source<'a> for Jp2<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        let cut = self.codestream.is_cut.then_some(
            "The file is damaged: parts of the picture are missing; they are blurred or of one colour.",
        );
        self.note
            .into_iter()
            .chain(cut)
            .map(str::to_owned)
            .collect()
    }

    fn reduce(&mut self, ratio: f64) {
        // The decoded picture is at least 1.5 times as wide and as high as the result, because the filter that then
        // reduces it needs more than one pixel for each pixel of the result.
        let Some(by) = [8, 4, 2]
            .into_iter()
            .find(|&by| ratio >= 1.5 * f64::from(by))
        else {
            return;
        };
        let layout = self.header.layout;
        let settings = DecodeSettings {
            target_resolution: Some((layout.width.div_ceil(by), layout.height.div_ceil(by))),
            ..self.settings
        };
        // Some files have fewer resolutions. Then the decoder fails here, and the full size is decoded.
        let Ok(image) = Image::new(&self.file, &settings) else {
            return;
        };
        let reduced = layout.sized(image.width(), image.height());
        let by = (layout.width / reduced.width.max(1)).max(1);
        self.header.memory = self.codestream.memory(by.into()) + reduced.bytes();
        self.header.layout = reduced;
        self.settings = settings;
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let job = self.job;
        let layout = self.header.layout;
        let image = Image::new(&self.file, &self.settings).map_err(|err| failed(job, err))?;
        let mut context = DecoderContext::default();
        let decoded = image.decode(&mut context).map_err(|err| failed(job, err))?;
        job.check()?;
        let components = decoded.components();
        // Samples of each component, and the largest value that a sample can have.
        let planes: Vec<(&[f32], f32)> = components
            .iter()
            .map(|of| (of.samples(), ((1_u64 << of.bit_depth().min(38)) - 1) as f32))
            .collect();
        let count = layout.channels.count();
        let colours = layout.channels.without_alpha().count();
        // Alpha is the last component.
        let inks = if self.inks.is_some() { 4 } else { colours };
        let alpha = layout
            .channels
            .has_alpha()
            .then(|| planes.len().saturating_sub(1));
        let is_short = planes.len() < inks + usize::from(alpha.is_some());
        if is_short
            || planes
                .iter()
                .any(|(plane, _)| (plane.len() as u64) < layout.pixels())
        {
            return Err(job.unreadable("it has too few channels for its kind of colours"));
        }
        let mut frame = Frame::new(layout);
        let width = layout.width as usize;
        let row_bytes = layout.row_bytes();
        // Scales a component to the depth of the result, and stores it as a channel of the result.
        let mut put = |plane: usize, channel: usize| {
            let (samples, most) = planes[plane];
            match layout.depth {
                Depth::Eight => {
                    let pixels = frame.pixels.chunks_exact_mut(count);
                    for (pixel, sample) in pixels.zip(samples) {
                        pixel[channel] = (sample * (255.0 / most) + 0.5) as u8;
                    }
                }
                Depth::Sixteen | Depth::Float => {
                    let pixels = frame.pixels.chunks_exact_mut(2 * count);
                    for (pixel, sample) in pixels.zip(samples) {
                        let sample = (sample * (65_535.0 / most) + 0.5) as u16;
                        pixel[2 * channel..2 * channel + 2].copy_from_slice(&sample.to_ne_bytes());
                    }
                }
            }
        };
        if let Some(alpha) = alpha {
            put(alpha, colours);
        }
        let Some(profile) = self.inks else {
            for channel in 0..colours {
                put(channel, channel);
            }
            return Ok(Box::new(frame));
        };
        let mut convert = Inks::of(profile.as_deref());
        let (mut line, mut light) = (vec![0; 4 * width], vec![0; 3 * width]);
        for (y, row) in frame.pixels.chunks_exact_mut(row_bytes).enumerate() {
            for (at, &(samples, most)) in planes[..4].iter().enumerate() {
                let samples = &samples[y * width..][..width];
                for (pixel, sample) in line.as_chunks_mut::<4>().0.iter_mut().zip(samples) {
                    // The conversion follows Adobe, for whom the largest value means no ink. In JPEG 2000 it means the
                    // most ink.
                    pixel[at] = 255 - (sample * (255.0 / most) + 0.5) as u8;
                }
            }
            convert.convert(&line, &mut light);
            for (pixel, light) in row.chunks_exact_mut(count).zip(light.as_chunks::<3>().0) {
                pixel[..3].copy_from_slice(light);
            }
        }
        Ok(Box::new(frame))
    }
}
