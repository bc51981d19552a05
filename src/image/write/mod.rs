//! Writing pictures: what each target can hold, and the encoders. Never decides what becomes of colour or size.

#[cfg(feature = "avif")]
mod avif;
mod bmp;
mod deflate;
mod filter;
mod gif;
mod ico;
mod jpeg;
mod lzw;
mod moving;
mod other;
mod png;
mod pnm;
mod prefix_codes;
mod tga;
mod tiff;
mod webp;
mod ycbcr;

use super::{
    animation::Animation,
    layout::{Channels, Depth, Layout},
    limits,
    metadata::{self, Metadata},
    palette::Colours,
    rows::{ROWS_BETWEEN_CHECKS, Rows, check_row},
};
use crate::{
    error::{Error, Result},
    format::Format,
    job::{Job, Notes, Output, Progress, Quality, Unit},
};
use std::io;

/// What a writer gets beside the pixels.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    /// What the samples are indices into, if they are, for a target that [has](Target::palettes) palettes.
    pub(crate) colours: Option<Colours>,
    /// A colour profile that fits the pixels, for a target that [carries](Target::carries_icc) one.
    pub(crate) icc: Option<Vec<u8>>,
    /// For a target that [keeps](Target::keeps_metadata) it.
    pub(crate) metadata: Metadata,
    /// See [`Header::lossless`](super::read::Header::lossless).
    pub(crate) lossless: bool,
}

pub(crate) type WriteMoving =
    fn(&Job<'_>, Animation<'_>, &mut dyn Output, &mut Notes) -> Result<()>;
type Write = fn(&Job<'_>, Box<dyn Rows + '_>, Extras, &mut dyn Output, &mut Notes) -> Result<()>;

/// Which palettes a format has, as far as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palettes {
    None,
    Opaque,
    /// With an alpha for each colour.
    Any,
}

/// Whether there is work to do on rows as they come, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Streams {
    /// The whole picture has to be there first.
    No,
    /// As much as the first half of decoding, or more, as a rule: see [`Rows::postpone`].
    Slowly,
    /// So much less that the second half can be added to it.
    Quickly,
}

/// A format that pictures can be written in.
pub(crate) struct Target {
    /// As in [`crate::format::FORMATS`].
    pub(crate) name: &'static str,
    /// What low, medium and high mean, for people.
    pub(crate) quality: &'static str,
    /// The pixel type that comes closest to one that is given.
    pub(crate) accepts: fn(Channels, Depth) -> (Channels, Depth),
    /// Largest width and height in pixels.
    pub(crate) max_side: u32,
    /// Larger pictures are scaled down to this side rather than refused.
    pub(crate) scales_to: Option<u32>,
    pub(crate) streams: fn(Quality) -> Streams,
    pub(crate) palettes: Palettes,
    /// Whether a colour profile can be stored.
    pub(crate) carries_icc: bool,
    /// Most bytes of EXIF, and of XMP, that can be stored; 0 if none can.
    pub(crate) keeps_metadata: usize,
    /// Bytes that encoding takes at its peak, beside one row of pixels.
    /// The last argument tells whether the picture comes from a lossless source.
    pub(crate) memory: fn(Layout, Quality, bool) -> u64,
    pub(crate) write: Write,
    /// Writes animations, where the format has them.
    pub(crate) write_moving: Option<WriteMoving>,
}

impl Target {
    /// Bytes that writing an animation takes at its peak.
    pub(crate) fn memory_moving(&self, layout: Layout) -> u64 {
        moving::memory(layout)
    }
}

/// What memory a writer takes that goes row by row.
fn by_rows(layout: Layout, _: Quality, _: bool) -> u64 {
    64 * layout.row_bytes() as u64
}

const LOSSLESS: &str = "makes no difference: the picture is stored as it is";

/// Every target, in the order of [`crate::format::FORMATS`].
pub(crate) static TARGETS: &[Target] = &[
    Target {
        name: "jpg",
        quality: jpeg::QUALITY,
        accepts: |channels, _| (channels.without_alpha(), Depth::Eight),
        // The format has 65,535; no program that reads it by libjpeg takes more than this.
        max_side: 65_500,
        scales_to: None,
        streams: |quality| quality.pick(Streams::Quickly, Streams::Quickly, Streams::Slowly),
        palettes: Palettes::None,
        carries_icc: true,
        keeps_metadata: jpeg::MOST_METADATA,
        memory: jpeg::memory,
        write: jpeg::write,
        write_moving: None,
    },
    Target {
        name: "png",
        quality: png::QUALITY,
        accepts: |channels, depth| (channels, depth.min(Depth::Sixteen)),
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::Slowly,
        palettes: Palettes::Any,
        carries_icc: true,
        keeps_metadata: metadata::MOST,
        memory: png::memory,
        write: png::write,
        write_moving: None,
    },
    Target {
        name: "apng",
        quality: png::QUALITY,
        accepts: |channels, depth| (channels, depth.min(Depth::Sixteen)),
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::Slowly,
        // What makes it an APNG stands before anything else, where it is looked for.
        palettes: Palettes::None,
        carries_icc: true,
        keeps_metadata: 0,
        memory: png::memory,
        write: png::write,
        write_moving: Some(moving::write_png),
    },
    Target {
        name: "gif",
        quality: gif::QUALITY,
        accepts: |channels, _| {
            let channels = channels.coloured();
            (channels, Depth::Eight)
        },
        max_side: 65_535,
        scales_to: None,
        streams: |_| Streams::Slowly,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: gif::memory,
        write: gif::write,
        write_moving: Some(moving::write_gif),
    },
    Target {
        name: "webp",
        quality: webp::QUALITY,
        accepts: |channels, _| (channels.coloured(), Depth::Eight),
        max_side: 16_383,
        scales_to: None,
        streams: |_| Streams::No,
        palettes: Palettes::None,
        carries_icc: true,
        keeps_metadata: metadata::MOST,
        memory: webp::memory,
        write: webp::write,
        #[cfg(feature = "libwebp")]
        write_moving: Some(moving::write_webp),
        #[cfg(not(feature = "libwebp"))]
        write_moving: None,
    },
    Target {
        name: "tiff",
        quality: tiff::QUALITY,
        accepts: |channels, depth| (channels, depth.min(Depth::Sixteen)),
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |quality| quality.pick(Streams::Quickly, Streams::Slowly, Streams::Slowly),
        palettes: Palettes::None,
        carries_icc: true,
        keeps_metadata: metadata::MOST,
        memory: tiff::memory,
        write: tiff::write,
        write_moving: None,
    },
    #[cfg(feature = "avif")]
    Target {
        name: "avif",
        quality: avif::QUALITY,
        accepts: |channels, _| (channels, Depth::Eight),
        max_side: avif::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::No,
        carries_icc: false,
        keeps_metadata: 0,
        palettes: Palettes::None,
        memory: avif::memory,
        write: avif::write,
        write_moving: None,
    },
    Target {
        name: "bmp",
        quality: LOSSLESS,
        accepts: |channels, _| match channels {
            Channels::GreyAlpha => (Channels::Rgba, Depth::Eight),
            Channels::Grey | Channels::Rgb | Channels::Rgba => (channels, Depth::Eight),
        },
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::Quickly,
        palettes: Palettes::Opaque,
        carries_icc: false,
        keeps_metadata: 0,
        memory: by_rows,
        write: bmp::write,
        write_moving: None,
    },
    Target {
        name: "ico",
        quality: ico::QUALITY,
        accepts: |_, _| (Channels::Rgba, Depth::Eight),
        max_side: limits::MAX_SIDE,
        scales_to: Some(ico::LARGEST),
        streams: |_| Streams::No,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: |layout, _, _| 4 * layout.bytes() + (4 << 20),
        write: ico::write,
        write_moving: None,
    },
    Target {
        name: "qoi",
        quality: LOSSLESS,
        accepts: |channels, _| (channels.coloured(), Depth::Eight),
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::No,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: |layout, _, _| 3 * layout.bytes(),
        write: other::write_qoi,
        write_moving: None,
    },
    Target {
        name: "hdr",
        quality: LOSSLESS,
        accepts: |_, _| (Channels::Rgb, Depth::Float),
        max_side: 65_535,
        scales_to: None,
        streams: |_| Streams::No,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: |layout, _, _| 2 * layout.bytes(),
        write: other::write_hdr,
        write_moving: None,
    },
    Target {
        name: "exr",
        quality: LOSSLESS,
        accepts: |channels, _| (channels.coloured(), Depth::Float),
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::No,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: |layout, _, _| 3 * layout.bytes(),
        write: other::write_exr,
        write_moving: None,
    },
    Target {
        name: "ff",
        quality: LOSSLESS,
        accepts: |_, _| (Channels::Rgba, Depth::Sixteen),
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::Quickly,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: by_rows,
        write: pnm::write_farbfeld,
        write_moving: None,
    },
    Target {
        name: "pbm",
        quality: pnm::BILEVEL_QUALITY,
        accepts: |_, _| (Channels::Grey, Depth::Eight),
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::Slowly,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: by_rows,
        write: pnm::write_pbm,
        write_moving: None,
    },
    Target {
        name: "pgm",
        quality: LOSSLESS,
        accepts: |_, depth| (Channels::Grey, depth.min(Depth::Sixteen)),
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::Quickly,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: by_rows,
        write: pnm::write_pgm,
        write_moving: None,
    },
    Target {
        name: "ppm",
        quality: LOSSLESS,
        accepts: |_, depth| (Channels::Rgb, depth.min(Depth::Sixteen)),
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::Quickly,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: by_rows,
        write: pnm::write_ppm,
        write_moving: None,
    },
    Target {
        name: "pam",
        quality: LOSSLESS,
        accepts: |channels, depth| (channels, depth.min(Depth::Sixteen)),
        max_side: limits::MAX_SIDE,
        scales_to: None,
        streams: |_| Streams::Quickly,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: by_rows,
        write: pnm::write_pam,
        write_moving: None,
    },
    Target {
        name: "tga",
        quality: tga::QUALITY,
        accepts: |channels, _| match channels {
            Channels::GreyAlpha => (Channels::Rgba, Depth::Eight),
            Channels::Grey | Channels::Rgb | Channels::Rgba => (channels, Depth::Eight),
        },
        max_side: 65_535,
        scales_to: None,
        streams: |_| Streams::Quickly,
        palettes: Palettes::None,
        carries_icc: false,
        keeps_metadata: 0,
        memory: by_rows,
        write: tga::write,
        write_moving: None,
    },
];

/// The target of this name.
pub(crate) fn target(format: &Format) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == format.name)
}

/// The error for a result that could not be stored.
fn unwritable(err: io::Error) -> Error {
    Error::storage("the result could not be written", err)
}

/// Hands every row of a picture to `put`.
fn each_row(
    job: &Job<'_>,
    mut rows: Box<dyn Rows + '_>,
    mut put: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let layout = rows.layout();
    let mut row = vec![0; layout.row_bytes()];
    for y in 0..layout.height {
        check_row(job, y)?;
        if y.is_multiple_of(ROWS_BETWEEN_CHECKS) {
            job.gate.progress(Progress {
                done: u64::from(y),
                total: u64::from(layout.height),
                unit: Unit::Rows,
            });
        }
        rows.next_row(&mut row)?;
        put(&row)?;
    }
    Ok(())
}
