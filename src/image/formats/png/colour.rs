//! Determines the colour space of a PNG file (W3C PNG, third edition, 4.3): the first of the chunks cICP, iCCP, sRGB,
//! and cHRM with gAMA decides. cICP, and cHRM with gAMA, are converted to a profile; sRGB needs none.

use crate::{hdr_colour::HdrColour, pixels::colour};
use moxcms::{
    Chromaticity, CicpProfile, ColorPrimaries, ColorProfile, LocalizableString, MatrixCoefficients,
    ProfileText, ToneReprCurve, TransferCharacteristics, XyY,
};
use png::Info;

/// Code points of sRGB's primaries and transfer function (ITU-T H.273, tables 2 and 3).
const SRGB: (u8, u8) = (1, 13);
/// White point and primaries of sRGB, as x and y.
const SRGB_PRIMARIES: [f32; 8] = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];
/// Exponent of the transfer function of sRGB, as gAMA states it.
const SRGB_GAMMA: f32 = 0.45455;
/// Tolerance for rounding of the primaries and of the exponent.
const CLOSE: f32 = 0.002;

/// The profile of a picture. `None` if the colour space is sRGB, if the file does not state it, or if the values in the
/// file are unknown or impossible.
pub(super) fn profile(info: &Info<'_>) -> Option<Vec<u8>> {
    if let Some(code) = &info.coding_independent_code_points {
        let (primaries, transfer) = (code.color_primaries, code.transfer_function);
        if (primaries, transfer) == SRGB {
            return None;
        }
        return match hdr(info) {
            Some(_) => colour::of_primaries(primaries.into()),
            None => colour::bytes(coded(primaries, transfer)?),
        };
    }
    if let Some(icc) = info.icc_profile.as_deref() {
        return Some(icc.to_vec());
    }
    if info.srgb.is_some() {
        return None;
    }
    colour::bytes(measured(info)?)
}

/// The colour space, if the chunk cICP states one of HDR.
pub(super) fn hdr(info: &Info<'_>) -> Option<HdrColour> {
    let code = info.coding_independent_code_points.as_ref()?;
    HdrColour::of(code.color_primaries.into(), code.transfer_function.into())
}

/// Makes a profile from code points of ITU-T H.273. `None` if they are not supported.
fn coded(primaries: u8, transfer: u8) -> Option<ColorProfile> {
    let color_primaries = primaries.try_into().ok()?;
    let transfer_characteristics = TransferCharacteristics::try_from(transfer).ok()?;
    let mut profile = ColorProfile::new_srgb();
    profile.red_trc = None;
    // The return value is always false, so the curve, which is set last, shows whether the code points are supported.
    profile.update_rgb_colorimetry_from_cicp(CicpProfile {
        color_primaries,
        transfer_characteristics,
        matrix_coefficients: MatrixCoefficients::Identity,
        full_range: true,
    });
    profile.description = named();
    profile.red_trc.is_some().then_some(profile)
}

/// Makes a profile from the chunks cHRM and gAMA: chromaticities and an exponent. `None` if a chunk is missing, for
/// sRGB, and for values that are impossible.
fn measured(info: &Info<'_>) -> Option<ColorProfile> {
    let (gamma, chromaticities) = (info.gama_chunk?.into_value(), info.chrm_chunk?);
    let pairs = [
        chromaticities.white,
        chromaticities.red,
        chromaticities.green,
        chromaticities.blue,
    ];
    let chromaticities: Vec<f32> = pairs
        .iter()
        .flat_map(|(x, y)| [x.into_value(), y.into_value()])
        .collect();
    let near = |one: f32, other: f32| (one - other).abs() < CLOSE;
    let is_srgb = near(gamma, SRGB_GAMMA)
        && chromaticities
            .iter()
            .zip(SRGB_PRIMARIES)
            .all(|(one, other)| near(*one, other));
    let is_possible = chromaticities.iter().all(|part| (0.0..=1.0).contains(part))
        && chromaticities.iter().skip(1).step_by(2).all(|y| *y > 0.0)
        && (0.1..=10.0).contains(&gamma);
    if is_srgb || !is_possible {
        return None;
    }
    let point = |at: usize| Chromaticity {
        x: chromaticities[at],
        y: chromaticities[at + 1],
    };
    let mut profile = ColorProfile::new_srgb();
    let white = XyY {
        x: chromaticities[0].into(),
        y: chromaticities[1].into(),
        yb: 1.0,
    };
    profile.update_rgb_colorimetry(
        white,
        ColorPrimaries {
            red: point(2),
            green: point(4),
            blue: point(6),
        },
    );
    let curve = ToneReprCurve::Parametric(vec![1.0 / gamma]);
    profile.red_trc = Some(curve.clone());
    profile.green_trc = Some(curve.clone());
    profile.blue_trc = Some(curve);
    profile.description = named();
    let matrix = profile.colorant_matrix().v;
    let is_finite = matrix.iter().flatten().all(|part| part.is_finite());
    is_finite.then_some(profile)
}

/// Name of the profiles that are made here.
fn named() -> Option<ProfileText> {
    let name = LocalizableString::new("en".into(), "US".into(), "Colours of a PNG file".into());
    Some(ProfileText::Localizable(vec![name]))
}
