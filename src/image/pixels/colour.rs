//! Colour profiles: converts colours from the profile of a file to sRGB or to Display P3. Never guesses a profile.

use super::{
    layout::{Channels, Depth, Layout},
    rows::{Frame, Rows},
};
use convertd_core::error::{Error, Result};
use moxcms::{
    ColorProfile, DataColorSpace, Layout as Samples, Transform8BitExecutor, Transform16BitExecutor,
    TransformOptions,
};
use std::sync::Arc;

/// Largest profile that is used, in bytes.
const MAX_PROFILE: usize = 4 << 20;

/// Returns whether a profile describes pixels of this kind (ICC.1:2022, 7.2.6: data colour space).
pub(crate) fn fits(icc: &[u8], channels: Channels) -> bool {
    let space: &[u8] = if channels.is_grey() { b"GRAY" } else { b"RGB " };
    icc.get(16..20) == Some(space)
}

/// Returns whether a profile is shorter than a header, or than the length that its header states (ICC.1:2022, 7.2.2).
pub(crate) fn is_cut(icc: &[u8]) -> bool {
    /// The length of a profile's header in bytes.
    const HEADER: usize = 128;
    // The first field of the header is the length of the profile.
    let stated = icc
        .first_chunk()
        .map(|len| u32::from_be_bytes(*len) as usize);
    icc.len() < HEADER || stated.is_none_or(|stated| stated > icc.len())
}

/// Returns whether a conversion from this profile to sRGB is unnecessary, because it changes no tested colour by more
/// than one step of 8 bits, or impossible. The profile's name is not a criterion: profiles of linear light or of wider
/// primaries also have "sRGB" in their names.
pub(crate) fn is_srgb(icc: &[u8]) -> bool {
    // Levels of red, green and blue at which colours are compared; a grey profile is compared at all 256 levels. The
    // levels are closer together where the tone curve is steep.
    const LEVELS: [u8; 14] = [0, 1, 2, 5, 10, 20, 40, 64, 96, 128, 160, 192, 224, 255];
    let grey = fits(icc, Channels::Grey);
    let (channels, colours): (_, Vec<u8>) = if grey {
        (Channels::Grey, (0..=255).collect())
    } else {
        let squares = LEVELS.iter().flat_map(|r| LEVELS.map(|g| [*r, g]));
        let cubes = squares.flat_map(|[r, g]| LEVELS.map(|b| [r, g, b]));
        (Channels::Rgb, cubes.flatten().collect())
    };
    let layout = Layout {
        width: (colours.len() / channels.count()) as u32,
        height: 1,
        channels,
        depth: Depth::Eight,
    };
    let Some(transform) = Conversion::to_srgb(icc, layout) else {
        return true;
    };
    let before = Frame::from_pixels(layout, colours.clone());
    let after = transform.rows(Box::new(before)).into_frame();
    after.is_ok_and(|after| {
        let mut pairs = colours.iter().zip(&after.pixels);
        pairs.all(|(before, after)| before.abs_diff(*after) <= 1)
    })
}

/// Returns whether a profile is for linear light, by its first tone curve for red or grey (ICC.1, 10.6 and 10.18).
#[cfg_attr(not(feature = "jxl"), allow(dead_code))]
pub(crate) fn is_linear(icc: &[u8]) -> bool {
    // The header and the number of tags are followed by the tags, of 12 bytes each: signature, offset and length.
    let tags = icc.get(132..).unwrap_or_default().as_chunks::<12>().0;
    let mut curves = tags.iter().filter_map(|tag| {
        let start = u32::from_be_bytes(*tag[4..].first_chunk()?) as usize;
        let is_curve = matches!(&tag[..4], b"rTRC" | b"kTRC");
        icc.get(start..).filter(|_| is_curve)
    });
    curves.next().is_some_and(|curve| {
        // A curve is linear if it has no entries, or the exponent 1 in one of two notations.
        curve.starts_with(b"curv\0\0\0\0\0\0\0\0")
            || curve.starts_with(b"curv\0\0\0\0\0\0\0\x01\x01\0")
            || curve.starts_with(b"para\0\0\0\0\0\0\0\0\0\x01\0\0")
    })
}

/// Converts rows to sRGB if `icc` is usable for them; otherwise returns them unchanged.
pub(crate) fn to_srgb<'a>(rows: Box<dyn Rows + 'a>, icc: &[u8]) -> Box<dyn Rows + 'a> {
    match Conversion::to_srgb(icc, rows.layout()) {
        Some(transform) => transform.rows(rows),
        None => rows,
    }
}

/// A conversion for pixels of one type. Several pictures can share it.
#[derive(Clone)]
pub(crate) enum Conversion {
    /// A transform of red, green and blue.
    Colours(Transform),
    /// A lookup table for each sample except alpha, with 16-bit values.
    Tones(Arc<[u16]>),
}

/// A transform for samples of one depth.
#[derive(Clone)]
pub(crate) enum Transform {
    Eight(Arc<Transform8BitExecutor>),
    Sixteen(Arc<Transform16BitExecutor>),
}

impl Conversion {
    /// Prepares the conversion to sRGB. `None` for pixels in linear light, and if `icc` is not usable for the pixels. A
    /// grey profile is also usable for RGB pixels; their colours are then treated as greys.
    pub(crate) fn to_srgb(icc: &[u8], layout: Layout) -> Option<Self> {
        Self::between(icc, layout, &ColorProfile::new_srgb())
    }

    /// Prepares the conversion to Display P3, the primaries of most screens and phones. It has the tone curve of sRGB,
    /// so grey is the same in sRGB and in Display P3.
    #[cfg(feature = "jxl")]
    pub(crate) fn to_display_p3(icc: &[u8], layout: Layout) -> Option<Self> {
        Self::between(icc, layout, &ColorProfile::new_display_p3())
    }

    /// The conversion from a profile to another one. `None` for floats, and if the profile does not match the pixels. A
    /// grey profile is always converted to the tone curve of sRGB, which all targets here have.
    fn between(icc: &[u8], layout: Layout, to: &ColorProfile) -> Option<Self> {
        let samples = match layout.channels {
            _ if fits(icc, Channels::Grey) => return Self::tones(icc, layout.depth),
            Channels::Rgb => Samples::Rgb,
            Channels::Rgba => Samples::Rgba,
            Channels::Grey | Channels::GreyAlpha => return None,
        };
        let profile = profile(icc, DataColorSpace::Rgb)?;
        let options = TransformOptions::default();
        let transform = match layout.depth {
            Depth::Eight => profile
                .create_transform_8bit(samples, to, samples, options)
                .map(Transform::Eight),
            Depth::Sixteen => profile
                .create_transform_16bit(samples, to, samples, options)
                .map(Transform::Sixteen),
            Depth::Float => return None,
        };
        transform.map(Self::Colours).ok()
    }

    /// The conversion of grey to sRGB by the tone curve of `icc`, as a table with an entry for each sample value.
    fn tones(icc: &[u8], depth: Depth) -> Option<Self> {
        let (count, step) = match depth {
            Depth::Eight => (256, 257),
            Depth::Sixteen => (65_536, 1),
            Depth::Float => return None,
        };
        let ramp: Vec<u16> = (0..count).map(|grey| (grey * step) as u16).collect();
        let mut light = vec![0; 3 * ramp.len()];
        let (srgb, options) = (ColorProfile::new_srgb(), TransformOptions::default());
        let transform = profile(icc, DataColorSpace::Gray)?
            .create_transform_16bit(Samples::Gray, &srgb, Samples::Rgb, options)
            .ok()?;
        transform.transform(&ramp, &mut light).ok()?;
        let light = light.as_chunks::<3>().0.iter();
        Some(Self::Tones(light.map(|&[_, g, _]| g).collect()))
    }

    /// The converted rows. Their layout must be the one for which the conversion was prepared.
    pub(crate) fn rows<'a>(&self, rows: Box<dyn Rows + 'a>) -> Box<dyn Rows + 'a> {
        match self {
            Self::Tones(table) => Box::new(Toned {
                rows,
                table: table.clone(),
            }),
            Self::Colours(transform) => Box::new(Converted {
                row: vec![0; rows.layout().row_bytes()],
                rows,
                transform: transform.clone(),
                wide: (Vec::new(), Vec::new()),
            }),
        }
    }
}

/// Rows whose samples, except alpha, are converted by a lookup table.
struct Toned<'a> {
    rows: Box<dyn Rows + 'a>,
    table: Arc<[u16]>,
}

impl Rows for Toned<'_> {
    fn layout(&self) -> Layout {
        self.rows.layout()
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.rows.next_row(row)?;
        let layout = self.rows.layout();
        let colours = layout.channels.without_alpha().count() * layout.depth.bytes();
        for pixel in row.chunks_exact_mut(layout.pixel_bytes()) {
            let pixel = &mut pixel[..colours];
            if layout.depth == Depth::Sixteen {
                for sample in pixel.as_chunks_mut().0 {
                    let grey = u16::from_ne_bytes(*sample);
                    *sample = self.table[usize::from(grey)].to_ne_bytes();
                }
                continue;
            }
            for sample in pixel {
                let toned = u32::from(self.table[usize::from(*sample)]);
                *sample = ((toned * 255 + 32_895) >> 16) as u8;
            }
        }
        Ok(())
    }
}

/// Parses a profile, if it is for this colour space and not too large.
fn profile(icc: &[u8], space: DataColorSpace) -> Option<ColorProfile> {
    let icc = Some(icc).filter(|icc| icc.len() <= MAX_PROFILE)?;
    let profile = ColorProfile::new_from_slice(icc).ok()?;
    (profile.color_space == space).then_some(profile)
}

/// Rows whose colours are converted.
struct Converted<'a> {
    rows: Box<dyn Rows + 'a>,
    transform: Transform,
    /// A row before it is converted.
    row: Vec<u8>,
    /// The same row as 16-bit samples, before and after the transform.
    wide: (Vec<u16>, Vec<u16>),
}

impl Rows for Converted<'_> {
    fn layout(&self) -> Layout {
        self.rows.layout()
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.rows.next_row(&mut self.row)?;
        // A transform of 16-bit samples needs slices of `u16`, but rows are bytes, so the samples are copied.
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

/// The profile for the colour primaries with this number (ITU-T H.273, table 2). `None` except for 12, Display P3.
pub(crate) fn of_primaries(primaries: u16) -> Option<Vec<u8>> {
    bytes((primaries == 12).then(ColorProfile::new_display_p3)?)
}

/// The profile of Adobe RGB (1998).
pub(crate) fn adobe_rgb() -> Option<Vec<u8>> {
    bytes(ColorProfile::new_adobe_rgb())
}

/// Encodes a profile that this program made, with a fixed time of creation, so that the same input gives the same
/// bytes.
#[cfg_attr(
    not(any(feature = "avif", feature = "heic", feature = "document")),
    expect(
        unreachable_pub,
        reason = "another package needs it with these features"
    )
)]
pub fn bytes(profile: ColorProfile) -> Option<Vec<u8>> {
    let mut icc = profile.encode().ok()?;
    // The length must be a multiple of four (ICC.1:2022, 7.2.2); otherwise libpng ignores the profile.
    icc.resize(icc.len().next_multiple_of(4), 0);
    let len = u32::try_from(icc.len()).ok()?;
    icc.get_mut(..4)?.copy_from_slice(&len.to_be_bytes());
    // moxcms writes the current time into the header (7.2.8). This time is replaced by 1 January 2000, 0:00.
    icc.get_mut(24..36)?
        .copy_from_slice(b"\x07\xd0\0\x01\0\x01\0\0\0\0\0\0");
    // Strict readers insist on the exact numbers of D50 as the illuminant (7.2.16).
    icc.get_mut(68..80)?
        .copy_from_slice(b"\0\0\xf6\xd6\0\x01\0\0\0\0\xd3\x2d");
    Some(icc)
}

/// A conversion from CMYK to RGB.
pub(crate) enum Inks {
    /// Conversion by a profile, with a buffer for a row.
    Profile(Arc<Transform8BitExecutor>, Vec<u8>),
    /// Multiplication of each ink with black.
    Naive,
}

impl Inks {
    /// The conversion by the CMYK profile of the file, or the naive one if the file has no usable CMYK profile.
    pub(crate) fn of(icc: Option<&[u8]>) -> Self {
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

    /// Converts a row of CMYK, as Adobe stores it (255 is no ink), to RGB.
    pub(crate) fn convert(&mut self, inks: &[u8], row: &mut [u8]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use moxcms::{ToneReprCurve, curve_from_gamma};

    /// The profile of sRGB, with its name, but with another tone curve.
    fn with_curve(curve: ToneReprCurve) -> Vec<u8> {
        let mut profile = ColorProfile::new_srgb();
        profile.cicp = None;
        profile.red_trc = Some(curve.clone());
        profile.green_trc = Some(curve.clone());
        profile.blue_trc = Some(curve);
        profile.encode().unwrap()
    }

    #[cfg(feature = "avif")]
    #[test]
    fn made_profiles_are_valid() {
        let icc = of_primaries(12).unwrap();
        assert_eq!(icc.len() % 4, 0);
        // The fixed time of creation, not the moment at which the test runs.
        assert_eq!(icc[24..36], *b"\x07\xd0\0\x01\0\x01\0\0\0\0\0\0");
        assert_eq!(icc[..4], (icc.len() as u32).to_be_bytes());
        assert!(ColorProfile::new_from_slice(&icc).is_ok());
        assert_eq!(of_primaries(1), None);
    }

    #[test]
    fn srgb_is_recognised_by_its_curves() {
        #[track_caller]
        fn check(icc: &[u8], expected: bool) {
            assert_eq!(is_srgb(icc), expected);
        }
        check(&ColorProfile::new_srgb().encode().unwrap(), true);
        // The curve as a table of 1024 numbers, as in the profiles of most cameras.
        let table = (0..1024u32)
            .map(|at| {
                let light = super::super::convert::to_linear(at as f32 / 1023.0);
                (light * 65535.0 + 0.5) as u16
            })
            .collect();
        check(&with_curve(ToneReprCurve::Lut(table)), true);
        check(&with_curve(curve_from_gamma(1.0)), false);
        check(&with_curve(curve_from_gamma(2.2)), false);
        check(&ColorProfile::new_display_p3().encode().unwrap(), false);
        let mut wide = ColorProfile::new_adobe_rgb();
        wide.description = ColorProfile::new_srgb().description;
        check(&wide.encode().unwrap(), false);
        let grey = ColorProfile::new_gray_with_gamma(1.8);
        check(&grey.encode().unwrap(), false);
        // A conversion from an unusable profile is impossible, so it counts as unnecessary.
        check(b"", true);
        check(b"sRGB", true);
    }
}
