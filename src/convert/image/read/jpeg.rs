//! JPEG (ITU-T T.81). Walks all markers before anything is decoded, because the decoder fills what is missing with grey.

use super::{Header, Source, failed, guarded, unsupported};
use crate::{
    convert::{
        Input, Job,
        image::{
            layout::{Channels, Depth, Layout},
            limits,
            rows::{Frame, Rows},
        },
    },
    error::{Error, Result},
};
use image::metadata::Orientation;
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

/// Most scans in a progressive file. libjpeg's own scripts have 10; each one costs a pass over the picture.
const MAX_SCANS: usize = 100;

struct Jpeg<'a> {
    job: &'a Job<'a>,
    header: Header,
    file: Vec<u8>,
}

pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut file = Vec::new();
    input
        .read_to_end(&mut file)
        .map_err(|err| Error::storage("the upload could not be read", err))?;
    let structure = Structure::parse(&file).map_err(|what| match what {
        Fault::Broken(what) => job.unreadable(what),
        Fault::Unsupported(what) => unsupported(job, what),
    })?;
    limits::check(job, structure.width, structure.height)?;
    if structure.scans > MAX_SCANS {
        return Err(unsupported(job, "more than a hundred scans"));
    }
    let channels = if structure.components.len() == 1 {
        Channels::Grey
    } else {
        Channels::Rgb
    };
    let layout = Layout {
        width: structure.width,
        height: structure.height,
        channels,
        depth: Depth::Eight,
    };
    let memory = job.input_len
        + layout.bytes()
        + if structure.buffers_coefficients() {
            structure.coefficients() * 2
        } else {
            0
        };
    Ok(Box::new(Jpeg {
        job,
        header: Header {
            layout,
            orientation: structure
                .exif
                .as_deref()
                .and_then(Orientation::from_exif_chunk)
                .unwrap_or(Orientation::NoTransforms),
            icc: structure.icc(),
            memory,
            animated: false,
            lossless: false,
        },
        file,
    }))
}

impl<'a> Source<'a> for Jpeg<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let layout = self.header.layout;
        let options = DecoderOptions::default()
            .set_strict_mode(false)
            .set_max_width(limits::MAX_SIDE as usize)
            .set_max_height(limits::MAX_SIDE as usize)
            .jpeg_set_max_scans(MAX_SCANS)
            .jpeg_set_out_colorspace(if layout.channels == Channels::Grey {
                ColorSpace::Luma
            } else {
                ColorSpace::RGB
            });
        let mut frame = Frame::new(layout);
        let job = self.job;
        guarded(job, || {
            JpegDecoder::new_with_options(ZCursor::new(self.file.as_slice()), options)
                .decode_into(&mut frame.pixels)
                .map_err(|err| failed(job, format!("{err:?}")))
        })?;
        Ok(Box::new(frame))
    }
}

enum Fault {
    Broken(&'static str),
    Unsupported(&'static str),
}

/// What the markers of a file say.
#[derive(Default)]
struct Structure {
    width: u32,
    height: u32,
    components: Vec<Component>,
    progressive: bool,
    /// Some scan has fewer components than the frame.
    separate: bool,
    scans: usize,
    exif: Option<Vec<u8>>,
    /// Parts of the profile with their numbers.
    icc: Vec<(u8, Vec<u8>)>,
}

/// Sampling factors of a component.
struct Component {
    horizontal: u8,
    vertical: u8,
}

impl Structure {
    /// Walks from marker to marker up to the end of the picture. Fails unless it is there.
    fn parse(file: &[u8]) -> Result<Self, Fault> {
        let mut found = Self::default();
        let mut rest = file.get(2..).unwrap_or_default();
        loop {
            // Entropy-coded data, and fill bytes before a marker.
            let Some(at) = memchr::memchr(0xff, rest) else {
                return Err(Fault::Broken("it ends before the picture does"));
            };
            let Some(&marker) = rest.get(at + 1) else {
                return Err(Fault::Broken("it ends before the picture does"));
            };
            rest = &rest[at + 1..];
            match marker {
                0xff => continue,
                0x00 | 0x01 | 0xd0..=0xd8 => {
                    rest = &rest[1..];
                    continue;
                }
                0xd9 if found.scans > 0 => return found.complete(),
                0xd9 => return Err(Fault::Broken("it holds no picture")),
                _ => {}
            }
            let Some(len) = rest
                .get(1..3)
                .map(|len| usize::from(len[0]) << 8 | usize::from(len[1]))
            else {
                return Err(Fault::Broken("it ends within a marker"));
            };
            let Some(segment) = rest.get(3..1 + len) else {
                return Err(Fault::Broken("it ends within a marker"));
            };
            rest = &rest[1 + len..];
            found.segment(marker, segment)?;
        }
    }

    fn segment(&mut self, marker: u8, segment: &[u8]) -> Result<(), Fault> {
        match marker {
            0xc0..=0xc2 => self.frame(marker, segment)?,
            0xc3 => return Err(Fault::Unsupported("lossless coding")),
            0xc5..=0xc7 => return Err(Fault::Unsupported("hierarchical coding")),
            0xc9..=0xcb | 0xcd..=0xcf => return Err(Fault::Unsupported("arithmetic coding")),
            0xda => {
                self.scans += 1;
                let count = segment.first().copied().map_or(0, usize::from);
                self.separate |= count < self.components.len();
            }
            0xe1 => {
                if let Some(exif) = segment.strip_prefix(b"Exif\0\0") {
                    self.exif.get_or_insert_with(|| exif.to_vec());
                }
            }
            0xe2 => {
                if let Some([number, _, part @ ..]) = segment.strip_prefix(b"ICC_PROFILE\0") {
                    self.icc.push((*number, part.to_vec()));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn frame(&mut self, marker: u8, segment: &[u8]) -> Result<(), Fault> {
        if !self.components.is_empty() {
            return Err(Fault::Broken("it has two frame headers"));
        }
        let [precision, h1, h0, w1, w0, count, components @ ..] = segment else {
            return Err(Fault::Broken("its frame header is cut short"));
        };
        if *precision != 8 {
            return Err(Fault::Unsupported("12-bit samples"));
        }
        self.width = u32::from(*w1) << 8 | u32::from(*w0);
        self.height = u32::from(*h1) << 8 | u32::from(*h0);
        if self.height == 0 {
            return Err(Fault::Unsupported("a height given after the picture"));
        }
        self.progressive = marker == 0xc2;
        self.components = components
            .as_chunks::<3>()
            .0
            .iter()
            .map(|&[_, sampling, _]| Component {
                horizontal: sampling >> 4,
                vertical: sampling & 15,
            })
            .collect();
        if self.components.len() != usize::from(*count) || !matches!(count, 1 | 3 | 4) {
            return Err(Fault::Unsupported("an unusual number of components"));
        }
        if self
            .components
            .iter()
            .any(|c| !matches!(c.horizontal, 1..=4) || !matches!(c.vertical, 1..=4))
        {
            return Err(Fault::Broken("its sampling factors are impossible"));
        }
        Ok(())
    }

    fn complete(self) -> Result<Self, Fault> {
        if self.components.is_empty() {
            return Err(Fault::Broken("it has no frame header"));
        }
        // The decoder gives garbage for these, without an error.
        if !self.progressive
            && self.separate
            && self
                .components
                .iter()
                .any(|c| c.horizontal > 1 || c.vertical > 1)
        {
            return Err(Fault::Unsupported("separate scans with subsampled colour"));
        }
        Ok(self)
    }

    /// Whether the whole picture is held as coefficients before any pixel comes out.
    fn buffers_coefficients(&self) -> bool {
        self.progressive || self.separate
    }

    /// Coefficients of all components, blocks at the edges included.
    fn coefficients(&self) -> u64 {
        let most = |of: fn(&Component) -> u8| self.components.iter().map(of).max().unwrap_or(1);
        let (h_max, v_max) = (
            u64::from(most(|c| c.horizontal)),
            u64::from(most(|c| c.vertical)),
        );
        let units =
            u64::from(self.width).div_ceil(8 * h_max) * u64::from(self.height).div_ceil(8 * v_max);
        let blocks: u64 = self
            .components
            .iter()
            .map(|c| u64::from(c.horizontal) * u64::from(c.vertical))
            .sum();
        units * blocks * 64
    }

    /// The profile, put together (ICC.1:2022, B.4).
    fn icc(mut self) -> Option<Vec<u8>> {
        self.icc.sort_by_key(|(number, _)| *number);
        let profile: Vec<u8> = self.icc.into_iter().flat_map(|(_, part)| part).collect();
        (!profile.is_empty()).then_some(profile)
    }
}
