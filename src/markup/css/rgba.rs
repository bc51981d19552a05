//! sRGB colours, and conversion from other colour spaces (CSS Color 4). Parses nothing.

use convertd_tree::colours;

/// A colour in sRGB, not premultiplied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rgba {
    pub rgb: [u8; 3],
    /// Opacity, from 0 (transparent) to 1.
    pub alpha: f32,
}

impl Rgba {
    /// Opaque black, the initial colour of text.
    pub const BLACK: Self = Self::opaque(0, 0, 0);
    /// The colour `transparent` (CSS Color 4, 6.3).
    pub const CLEAR: Self = Self {
        rgb: [0, 0, 0],
        alpha: 0.0,
    };

    /// Colour with full opacity.
    pub const fn opaque(red: u8, green: u8, blue: u8) -> Self {
        Self {
            rgb: [red, green, blue],
            alpha: 1.0,
        }
    }

    /// Returns whether the colour paints nothing.
    pub fn is_clear(self) -> bool {
        self.alpha <= 0.0
    }

    /// Colour from components and alpha of 0 to 1; values out of range are clamped.
    pub(super) fn of(rgb: [f32; 3], alpha: f32) -> Self {
        Self {
            rgb: rgb.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8),
            alpha: alpha.clamp(0.0, 1.0),
        }
    }
}

/// Converts hue in degrees, and saturation and lightness from 0 to 1, to sRGB (CSS Color 4, 7.1).
pub(super) fn hsl(hue: f32, saturation: f32, lightness: f32) -> [f32; 3] {
    let [hue, saturation, lightness] = [hue, saturation, lightness].map(f64::from);
    colours::from_hsl([hue / 360.0, saturation, lightness]).map(|part| part as f32)
}

/// Converts sRGB to hue in degrees, saturation and lightness in percent (CSS Color 4, 7).
pub(super) fn to_hsl(rgb: [f32; 3]) -> [f32; 3] {
    let [hue, saturation, lightness] = colours::to_hsl(rgb.map(f64::from));
    [hue * 360.0, saturation * 100.0, lightness * 100.0].map(|part| part as f32)
}

/// Decodes a component to linear light.
pub(super) fn decoded(part: f32) -> f32 {
    colours::decoded(part.into()) as f32
}

/// Encodes a linear component with the transfer function of sRGB (IEC 61966-2-1).
pub(super) fn encoded(part: f32) -> f32 {
    colours::encoded(part.into()) as f32
}

/// Converts Oklab to sRGB (CSS Color 4, 9 and 18): to cone responses, and from these to linear and
/// encoded components.
pub(super) fn oklab(lightness: f32, a: f32, b: f32) -> [f32; 3] {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(encoded)
}

/// Converts CIE Lab (D50) to sRGB (CSS Color 4, 9 and 18). The matrix includes the Bradford
/// adaptation from D50 to D65.
pub(super) fn lab(lightness: f32, a: f32, b: f32) -> [f32; 3] {
    let y = (lightness + 16.0) / 116.0;
    // The inverse of the cube root, with a straight line near black.
    let back = |t: f32| {
        if t.powi(3) > 216.0 / 24389.0 {
            t.powi(3)
        } else {
            (116.0 * t - 16.0) * 27.0 / 24389.0
        }
    };
    // The white point of D50 is (0.96422, 1, 0.82521).
    let (x, y, z) = (
        back(y + a / 500.0) * 0.964_22,
        back(y),
        back(y - b / 200.0) * 0.825_21,
    );
    // From XYZ with the white point D50 to linear sRGB.
    [
        3.133_856 * x - 1.616_867 * y - 0.490_615 * z,
        -0.978_768 * x + 1.916_142 * y + 0.033_454 * z,
        0.071_945 * x - 0.228_991 * y + 1.405_243 * z,
    ]
    .map(encoded)
}
