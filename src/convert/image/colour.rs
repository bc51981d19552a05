//! Colour profiles: from what a file says its numbers mean to sRGB. Never guesses a profile that is not there.

use super::{
    layout::{Channels, Depth, Layout},
    rows::Rows,
};
use crate::error::{Error, Result};
use moxcms::{
    ColorProfile, DataColorSpace, Layout as Samples, Transform8BitExecutor, Transform16BitExecutor,
    TransformOptions,
};
use std::sync::Arc;

/// Largest profile that is read, in bytes.
const MAX_PROFILE: usize = 4 << 20;

/// Whether a profile describes pixels of this kind (ICC.1:2022, 7.2.6: data colour space).
pub(super) fn fits(icc: &[u8], channels: Channels) -> bool {
    let space: &[u8] = if channels.is_grey() { b"GRAY" } else { b"RGB " };
    icc.get(16..20) == Some(space)
}

/// Whether a profile calls itself sRGB, so that there is nothing to convert.
pub(super) fn is_srgb(icc: &[u8]) -> bool {
    let head = &icc[..icc.len().min(4096)];
    let plain = head.windows(4).any(|bytes| bytes == b"sRGB");
    // Descriptions may be in UTF-16.
    plain || head.windows(8).any(|bytes| bytes == b"\0s\0R\0G\0B")
}

/// The rows in sRGB, if `icc` is a profile for them that can be used; otherwise as they are.
/// Rows in linear light have no profile.
pub(super) fn to_srgb<'a>(rows: Box<dyn Rows + 'a>, icc: &[u8]) -> Box<dyn Rows + 'a> {
    let layout = rows.layout();
    let samples = match layout.channels {
        Channels::Rgb => Samples::Rgb,
        Channels::Rgba => Samples::Rgba,
        Channels::Grey | Channels::GreyAlpha => return grey_to_srgb(rows, icc),
    };
    let Some(profile) = profile(icc, DataColorSpace::Rgb) else {
        return rows;
    };
    let (srgb, options) = (ColorProfile::new_srgb(), TransformOptions::default());
    let transform = match layout.depth {
        Depth::Eight => profile
            .create_transform_8bit(samples, &srgb, samples, options)
            .map(Transform::Eight),
        Depth::Sixteen => profile
            .create_transform_16bit(samples, &srgb, samples, options)
            .map(Transform::Sixteen),
        Depth::Float => return rows,
    };
    match transform {
        Ok(transform) => Box::new(Converted {
            row: vec![0; layout.row_bytes()],
            rows,
            transform,
            wide: (Vec::new(), Vec::new()),
        }),
        Err(_) => rows,
    }
}

/// The same for grey, by a table of all its values.
fn grey_to_srgb<'a>(rows: Box<dyn Rows + 'a>, icc: &[u8]) -> Box<dyn Rows + 'a> {
    let (count, step) = match rows.layout().depth {
        Depth::Eight => (256, 257),
        Depth::Sixteen => (65_536, 1),
        Depth::Float => return rows,
    };
    let ramp: Vec<u16> = (0..count).map(|grey| (grey * step) as u16).collect();
    let mut light = vec![0; 3 * ramp.len()];
    let converted = profile(icc, DataColorSpace::Gray).and_then(|profile| {
        let (srgb, options) = (ColorProfile::new_srgb(), TransformOptions::default());
        let transform = profile
            .create_transform_16bit(Samples::Gray, &srgb, Samples::Rgb, options)
            .ok()?;
        transform.transform(&ramp, &mut light).ok()
    });
    if converted.is_none() {
        return rows;
    }
    let table = light
        .as_chunks::<3>()
        .0
        .iter()
        .map(|&[_, g, _]| g)
        .collect();
    Box::new(Toned { rows, table })
}

/// Grey whose samples are looked up.
struct Toned<'a> {
    rows: Box<dyn Rows + 'a>,
    /// What becomes of each value, as a number of 16 bits.
    table: Vec<u16>,
}

impl Rows for Toned<'_> {
    fn layout(&self) -> Layout {
        self.rows.layout()
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.rows.next_row(row)?;
        let layout = self.rows.layout();
        for pixel in row.chunks_exact_mut(layout.pixel_bytes()) {
            match pixel {
                [high, low, ..] if layout.depth == Depth::Sixteen => {
                    let grey = u16::from_ne_bytes([*high, *low]);
                    [*high, *low] = self.table[usize::from(grey)].to_ne_bytes();
                }
                [grey, ..] => {
                    let toned = u32::from(self.table[usize::from(*grey)]);
                    *grey = ((toned * 255 + 32_895) >> 16) as u8;
                }
                [] => {}
            }
        }
        Ok(())
    }
}

fn profile(icc: &[u8], space: DataColorSpace) -> Option<ColorProfile> {
    let icc = Some(icc).filter(|icc| icc.len() <= MAX_PROFILE)?;
    let profile = ColorProfile::new_from_slice(icc).ok()?;
    (profile.color_space == space).then_some(profile)
}

enum Transform {
    Eight(Arc<Transform8BitExecutor>),
    Sixteen(Arc<Transform16BitExecutor>),
}

struct Converted<'a> {
    rows: Box<dyn Rows + 'a>,
    transform: Transform,
    row: Vec<u8>,
    /// The same row as numbers of 16 bits, before and after.
    wide: (Vec<u16>, Vec<u16>),
}

impl Rows for Converted<'_> {
    fn layout(&self) -> Layout {
        self.rows.layout()
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.rows.next_row(&mut self.row)?;
        let done = match &self.transform {
            Transform::Eight(transform) => transform.transform(&self.row, row),
            Transform::Sixteen(transform) => {
                let (before, after) = &mut self.wide;
                before.clear();
                before.extend(
                    self.row
                        .as_chunks()
                        .0
                        .iter()
                        .copied()
                        .map(u16::from_ne_bytes),
                );
                after.resize(before.len(), 0);
                let done = transform.transform(before, after);
                for (bytes, sample) in row.as_chunks_mut().0.iter_mut().zip(after) {
                    *bytes = sample.to_ne_bytes();
                }
                done
            }
        };
        done.map_err(|err| Error::internal("the colours could not be converted", err.to_string()))
    }
}

/// A profile for primaries other than those of sRGB, where it is known (ITU-T H.273, table 2: 12 is Display P3).
#[cfg(feature = "avif")]
pub(super) fn of_primaries(primaries: u16) -> Option<Vec<u8>> {
    (primaries == 12)
        .then(|| ColorProfile::new_display_p3().encode().ok())
        .flatten()
}

/// From ink to light.
pub(super) enum Inks {
    Profile(Arc<Transform8BitExecutor>, Vec<u8>),
    Naive,
}

impl Inks {
    /// By the profile of the file, if it has one for ink.
    pub(super) fn of(icc: Option<&[u8]>) -> Self {
        icc.and_then(|icc| profile(icc, DataColorSpace::Cmyk))
            .and_then(|profile| {
                let srgb = ColorProfile::new_srgb();
                let options = TransformOptions::default();
                profile
                    .create_transform_8bit(Samples::Rgba, &srgb, Samples::Rgb, options)
                    .ok()
            })
            .map_or(Self::Naive, |transform| {
                Self::Profile(transform, Vec::new())
            })
    }

    /// A row of RGB from one of CMYK as Adobe stores it, where 255 is no ink.
    pub(super) fn convert(&mut self, inks: &[u8], row: &mut [u8]) {
        if let Self::Profile(transform, inverted) = self {
            inverted.clear();
            inverted.extend(inks.iter().map(|ink| 255 - ink));
            if transform.transform(inverted, row).is_ok() {
                return;
            }
        }
        let inks = inks.as_chunks::<4>().0;
        for (pixel, &[c, m, y, k]) in row.as_chunks_mut().0.iter_mut().zip(inks) {
            *pixel = [c, m, y].map(|ink| (u16::from(ink) * u16::from(k) / 255) as u8);
        }
    }
}
