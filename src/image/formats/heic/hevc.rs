//! Decodes HEVC pictures by the crate heifer, which supports only still pictures. Never decodes a second picture in the
//! data of an item, nor enhancement layers.
//!
//! The decoder takes a byte stream as in broadcasts (ITU-T H.265, annex B), in which a start code precedes each NAL
//! unit. In a file, the length of each unit precedes it instead (ISO/IEC 14496-15, 8.3), and parameter sets are in the
//! configuration record.

use crate::{
    heif::{
        codec::{Codec, Coded, Shape, coded_pixels},
        planes::{Code, Planes, Sampling},
    },
    source::failed,
};
use convertd_core::{containers::bmff::Content, error::Result, job::Job};
use heifer_hevc_dec::{
    Error,
    decoder::{DecodeOptions, decode_picture},
    nal::unescape_rbsp,
    params::Sps,
    recon::Frame,
};

pub(crate) static CODEC: Codec = Codec {
    kind: *b"hvc1",
    config: *b"hvcC",
    shape: |config| Some(Config::parse(config)?.shape()),
    memory,
    has_ranged_alpha: false,
    decode,
    // The decoder supports still pictures only.
    follow: None,
};

/// Start code before a NAL unit in a byte stream.
const START: [u8; 4] = [0, 0, 0, 1];

/// Type of the NAL unit for a sequence parameter set (ITU-T H.265, table 7-1).
const SEQUENCE_PARAMETERS: u8 = 33;

/// A decoder configuration record (ISO/IEC 14496-15, 8.3.2).
struct Config<'a> {
    /// Chroma format: 0 for no chroma, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
    chroma: u8,
    /// Bits per sample of luma and of chroma.
    bits: [u32; 2],
    /// Number of bytes of the length before each unit.
    length: usize,
    /// NAL units with the parameter sets.
    units: Vec<&'a [u8]>,
}

impl<'a> Config<'a> {
    /// Parses a decoder configuration record (ISO/IEC 14496-15, 8.3.3.1): chroma format, bit depths, the size of length
    /// fields, and the parameter sets.
    fn parse(config: &'a [u8]) -> Option<Self> {
        let mut content = Content(config);
        // Version, profile, tier, level, segmentation and parallelism.
        content.take(16)?;
        let chroma = content.number(1)? as u8 & 3;
        let mut bits = || Some(8 + (content.number(1)? as u32 & 7));
        let bits = [bits()?, bits()?];
        content.take(2)?;
        let length = content.number(1)? as usize % 4 + 1;
        let mut units = Vec::new();
        for _ in 0..content.number(1)? {
            content.take(1)?;
            for _ in 0..content.number(2)? {
                let len = content.number(2)? as usize;
                units.push(content.take(len)?);
            }
        }
        Some(Self {
            chroma,
            bits,
            length,
            units,
        })
    }

    /// The sample format from the sequence parameter set, or else from the record itself.
    fn shape(&self) -> Shape {
        let sequence = self
            .units
            .iter()
            .filter(|unit| kind(unit) == Some(SEQUENCE_PARAMETERS))
            .find_map(|unit| Sps::parse(&unescape_rbsp(&unit[2..])).ok());
        let (chroma, bits) = match &sequence {
            Some(sps) => (
                sps.chroma_format_idc,
                [sps.bit_depth_luma.into(), sps.bit_depth_chroma.into()],
            ),
            None => (self.chroma, self.bits),
        };
        let code = sequence.and_then(|sps| sps.vui).map(|vui| Code {
            primaries: vui.colour_primaries.into(),
            transfer: vui.transfer_characteristics.into(),
            matrix: vui.matrix_coeffs.into(),
            full: vui.video_full_range_flag,
        });
        Shape {
            bits: bits[0].max(bits[1]),
            grey: chroma == 0,
            chroma: match chroma {
                0 => 0,
                1 => 50,
                2 => 100,
                _ => 200,
            },
            code: code.unwrap_or(Code::UNSPECIFIED),
        }
    }
}

/// Type of a NAL unit of the base layer. `None` for other layers.
fn kind(unit: &[u8]) -> Option<u8> {
    let &[first, second, ..] = unit else {
        return None;
    };
    let layer = (first & 1) << 5 | second >> 3;
    (layer == 0).then_some(first >> 1 & 0x3f)
}

/// Memory in bytes: samples of 16 bits twice, because the in-loop filter needs them before and after; the state of each
/// block of 4 × 4 pixels; and the data in three forms: as stored, as a byte stream, and without emulation prevention
/// bytes.
fn memory(shape: Shape, pixels: u64, data: u64) -> u64 {
    let samples = pixels + pixels * shape.chroma / 100;
    4 * samples + 2 * pixels + 3 * data + (1 << 20)
}

/// Converts data to a byte stream, which begins with the parameter sets. Leaves out the units of other layers. `None`
/// if the data is cut short.
fn stream(config: &Config<'_>, data: &[u8]) -> Option<Vec<u8>> {
    let mut stream = Vec::with_capacity(data.len() + data.len() / 8 + 4096);
    let mut put = |unit: &[u8]| {
        if kind(unit).is_some() {
            stream.extend(START);
            stream.extend(unit);
        }
    };
    config.units.iter().for_each(|unit| put(unit));
    let mut content = Content(data);
    while !content.0.is_empty() {
        let len = content.number(config.length)? as usize;
        put(content.take(len)?);
    }
    Some(stream)
}

fn decode(job: &Job<'_>, coded: &Coded<'_>, data: Vec<u8>) -> Result<Box<dyn Planes>> {
    let stream = Config::parse(coded.config)
        .and_then(|config| stream(&config, &data))
        .ok_or_else(|| job.unreadable("its coded picture is cut short"))?;
    drop(data);
    let options = DecodeOptions {
        max_pixels: coded_pixels(coded.width, coded.height),
        ..DecodeOptions::default()
    };
    let frame = decode_picture(&stream, options).map_err(|err| match err {
        Error::Unimplemented(what) => job.unreadable(format!("{what} is not supported")),
        err => failed(job, err),
    })?;
    Ok(Box::new(Picture(frame)))
}

/// A decoded picture.
struct Picture(Frame);

impl Planes for Picture {
    fn sampling(&self) -> Sampling {
        let frame = &self.0;
        let halved = match frame.chroma_format {
            0 => None,
            1 => Some([true, true]),
            2 => Some([true, false]),
            _ => Some([false, false]),
        };
        Sampling {
            width: frame.widths[0] as usize,
            height: frame.heights[0] as usize,
            bits: frame.bit_depth.map(u32::from),
            halved: halved.filter(|_| frame.widths[1] > 0),
            code: Code {
                matrix: frame.matrix_coeffs.into(),
                full: frame.full_range,
                ..Code::UNSPECIFIED
            },
        }
    }

    fn row(&self, plane: usize, y: usize, samples: &mut [f32]) {
        let width = self.0.widths[plane] as usize;
        let row = &self.0.planes[plane][y * width..][..samples.len()];
        for (sample, stored) in samples.iter_mut().zip(row) {
            *sample = f32::from(*stored);
        }
    }
}
