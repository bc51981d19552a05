//! Decodes AV1 by rav1d: one picture from the data of an item, or one from each sample of a sequence.

use super::point;
use crate::{
    heif::{
        codec::{Codec, Coded, Following, Shape, coded_pixels},
        planes::{Code, Planes, Sampling},
    },
    source::failed,
};
use convertd_core::{error::Result, job::Job};
use re_rav1d::dav1d::{
    Decoder, Picture, PixelLayout, PlanarImageComponent, Plane, Settings,
    pixel::{MatrixCoefficients, YUVRange},
};

pub(crate) static CODEC: Codec = Codec {
    kind: *b"av01",
    config: *b"av1C",
    shape,
    memory,
    has_ranged_alpha: true,
    decode,
    follow: Some(follow),
};

/// Parses the configuration record (AV1 Codec ISO Media File Format Binding, 2.3). Its third byte has flags for tier,
/// bit depth, monochrome and subsampling.
fn shape(config: &[u8]) -> Option<Shape> {
    let flags = *config.get(2)?;
    let grey = flags & 0x10 != 0;
    Some(Shape {
        bits: match flags & 0x60 {
            0x60 => 12,
            0x40 => 10,
            _ => 8,
        },
        grey,
        chroma: match flags & 0x1c {
            _ if grey => 0,
            0x0c => 50,
            0x08 => 100,
            _ => 200,
        },
        code: Code::UNSPECIFIED,
    })
}

/// Largest number of pictures that are decoded from one sample. Only the last one is displayed.
const MAX_PARTS: usize = 64;

/// Returns the peak memory in bytes: the planes of a picture and of its reference, the state of each block, and the
/// data.
fn memory(shape: Shape, pixels: u64, data: u64) -> u64 {
    let codec = if shape.bits > 8 { 18 } else { 10 };
    codec * pixels + 2 * data + (8 << 20)
}

fn decode(job: &Job<'_>, coded: &Coded<'_>, mut data: Vec<u8>) -> Result<Box<dyn Planes>> {
    if coded.point > 0 {
        // If the operating point cannot be found, the first one is used, as in other decoders.
        let _ = point::choose(&mut data, coded.point);
    }
    let mut decoder = decoder(job, coded)?;
    decoder
        .send_data(data, None, None, None)
        .map_err(|err| failed(job, err))?;
    let decoded = decoder.get_picture().map_err(|err| failed(job, err))?;
    planes(job, decoded)
}

/// Creates a decoder, which rejects pictures that are larger than the item states.
fn decoder(job: &Job<'_>, coded: &Coded<'_>) -> Result<Decoder> {
    let mut settings = Settings::new();
    settings.set_n_threads(1 + coded.spare_threads.min(7) as u32);
    settings.set_max_frame_delay(1);
    settings.set_all_layers(false);
    settings.set_frame_size_limit(coded_pixels(coded.width, coded.height) as u32);
    Decoder::with_settings(&settings).map_err(|err| failed(job, err))
}

fn planes(job: &Job<'_>, picture: Picture) -> Result<Box<dyn Planes>> {
    match Decoded::of(picture) {
        Some(decoded) => Ok(Box::new(decoded)),
        None => Err(job.unreadable("its picture has an unknown layout")),
    }
}

fn follow(job: &Job<'_>, coded: &Coded<'_>) -> Result<Box<dyn Following>> {
    Ok(Box::new(Sequence(decoder(job, coded)?)))
}

/// Decodes the samples of a track, each of which displays one picture (AV1 Codec ISO Media File Format Binding, 2.4).
struct Sequence(Decoder);

impl Following for Sequence {
    fn next(&mut self, job: &Job<'_>, data: Vec<u8>) -> Result<Box<dyn Planes>> {
        let mut sent = self.0.send_data(data, None, None, None);
        let mut shown = None;
        for _ in 0..MAX_PARTS {
            match self.0.get_picture() {
                Ok(picture) => shown = Some(picture),
                Err(err) if err.is_again() => {}
                Err(err) => return Err(failed(job, err)),
            }
            match sent {
                Ok(()) => break,
                // The decoder accepts the rest of the data after a picture has been taken from it.
                Err(err) if err.is_again() => sent = self.0.send_pending_data(),
                Err(err) => return Err(failed(job, err)),
            }
        }
        if let Err(err) = sent {
            return Err(failed(job, err));
        }
        let shown = shown.ok_or_else(|| job.unreadable("one of its frames contains no picture"))?;
        planes(job, shown)
    }
}

/// A decoded picture.
struct Decoded {
    planes: Vec<Plane>,
    /// Bytes from one row to the next, for luma and for chroma.
    strides: [usize; 2],
    sampling: Sampling,
}

impl Decoded {
    /// Describes a decoded picture: its chroma subsampling, and the matrix between RGB and YCbCr (ITU-T H.273, table
    /// 4). `None` for an unknown bit depth.
    fn of(picture: Picture) -> Option<Self> {
        let halved = match picture.pixel_layout() {
            PixelLayout::I400 => None,
            PixelLayout::I444 => Some([false, false]),
            PixelLayout::I422 => Some([true, false]),
            PixelLayout::I420 => Some([true, true]),
        };
        let matrix = match picture.matrix_coefficients() {
            MatrixCoefficients::Identity => 0,
            MatrixCoefficients::BT709 => 1,
            MatrixCoefficients::BT470M => 4,
            MatrixCoefficients::ST240M => 7,
            MatrixCoefficients::YCgCo => 8,
            MatrixCoefficients::BT2020NonConstantLuminance => 9,
            // An unspecified matrix and all other values count as BT.601, as in other decoders.
            _ => 6,
        };
        let parts: &[PlanarImageComponent] = match halved {
            None => &[PlanarImageComponent::Y],
            Some(_) => &[
                PlanarImageComponent::Y,
                PlanarImageComponent::U,
                PlanarImageComponent::V,
            ],
        };
        let stride = |part: usize| {
            let part = parts.get(part).copied();
            part.map_or(0, |part| picture.stride(part) as usize)
        };
        let bits = picture.bit_depth() as u32;
        let sampling = Sampling {
            width: picture.width() as usize,
            height: picture.height() as usize,
            bits: [bits; 2],
            halved,
            code: Code {
                matrix,
                full: picture.color_range() == YUVRange::Full,
                ..Code::UNSPECIFIED
            },
        };
        matches!(bits, 8 | 10 | 12).then(|| Self {
            planes: parts.iter().map(|part| picture.plane(*part)).collect(),
            strides: [stride(0), stride(1)],
            sampling,
        })
    }
}

impl Planes for Decoded {
    fn sampling(&self) -> Sampling {
        self.sampling
    }

    fn row(&self, plane: usize, y: usize, samples: &mut [f32]) {
        let stride = self.strides[plane.min(1)];
        let row = &self.planes[plane][y * stride..];
        if self.sampling.bits[0] > 8 {
            for (sample, stored) in samples.iter_mut().zip(row.as_chunks().0) {
                *sample = u16::from_ne_bytes(*stored).into();
            }
        } else {
            for (sample, stored) in samples.iter_mut().zip(row) {
                *sample = (*stored).into();
            }
        }
    }
}
