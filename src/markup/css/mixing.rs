//! Colour interpolation: `color-mix()` and relative colours (CSS Color 5, 2 and 4). Parses nothing.

use super::rgba::{Rgba, decoded, encoded, hsl, lab, oklab, to_hsl};

/// Colour space for interpolation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Space {
    Srgb,
    Linear,
    Hsl,
    Hwb,
    Lab,
    Lch,
    Oklab,
    Oklch,
}

impl Space {
    /// Colour space by name. Wide-gamut spaces are approximated by sRGB, encoded or linear.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "srgb" | "rgb" | "rgba" | "display-p3" | "a98-rgb" => Self::Srgb,
            "srgb-linear" | "xyz" | "xyz-d50" | "xyz-d65" | "rec2020" | "prophoto-rgb" => {
                Self::Linear
            }
            "hsl" | "hsla" => Self::Hsl,
            "hwb" => Self::Hwb,
            "lab" => Self::Lab,
            "lch" => Self::Lch,
            "oklab" => Self::Oklab,
            "oklch" => Self::Oklch,
            _ => return None,
        })
    }

    /// Index of the hue component.
    fn hue(self) -> Option<usize> {
        match self {
            Self::Hsl | Self::Hwb => Some(0),
            Self::Lch | Self::Oklch => Some(2),
            Self::Srgb | Self::Linear | Self::Lab | Self::Oklab => None,
        }
    }

    /// Value of each component at 100 %. The components of `rgb()` are 255 times as large.
    pub(super) fn wholes(self) -> [f32; 3] {
        match self {
            Self::Srgb | Self::Linear => [1.0; 3],
            Self::Hsl | Self::Hwb => [360.0, 100.0, 100.0],
            Self::Lab => [100.0, 125.0, 125.0],
            Self::Lch => [100.0, 150.0, 360.0],
            Self::Oklab => [1.0, 0.4, 0.4],
            Self::Oklch => [1.0, 0.4, 360.0],
        }
    }

    /// Components of a colour, in the units of this space's function (CSS Color 4, 5 to 10).
    pub(super) fn parts(self, colour: Rgba) -> [f32; 3] {
        let rgb = colour.rgb.map(|part| f32::from(part) / 255.0);
        match self {
            Self::Srgb => rgb,
            Self::Linear => rgb.map(decoded),
            Self::Hsl => to_hsl(rgb),
            Self::Hwb => {
                // Whiteness is the smallest component, blackness the complement of the largest.
                let [hue, ..] = to_hsl(rgb);
                let (least, most) = ends(rgb);
                [hue, least * 100.0, (1.0 - most) * 100.0]
            }
            Self::Lab => to_lab(rgb),
            Self::Lch => polar(to_lab(rgb)),
            Self::Oklab => to_oklab(rgb),
            Self::Oklch => polar(to_oklab(rgb)),
        }
    }

    /// Colour with these components, the inverse of `parts`. LCH and Oklch are converted to rectangular coordinates
    /// first.
    pub(super) fn colour(self, parts: [f32; 3], alpha: f32) -> Rgba {
        let [a, b, c] = parts;
        let rectangular = || {
            let (sin, cos) = c.to_radians().sin_cos();
            (b * cos, b * sin)
        };
        let rgb = match self {
            Self::Srgb => parts,
            Self::Linear => parts.map(encoded),
            Self::Hsl => hsl(a, b / 100.0, c / 100.0),
            Self::Hwb => {
                let (white, black) = (b / 100.0, c / 100.0);
                // White and black that exceed 100 % together are scaled to a grey.
                let sum = (white + black).max(1.0);
                hsl(a, 1.0, 0.5).map(|part| part * (1.0 - (white + black) / sum) + white / sum)
            }
            Self::Lab => lab(a, b, c),
            Self::Lch => {
                let (x, y) = rectangular();
                lab(a, x, y)
            }
            Self::Oklab => oklab(a, b, c),
            Self::Oklch => {
                let (x, y) = rectangular();
                oklab(a, x, y)
            }
        };
        Rgba::of(rgb, alpha)
    }
}

/// Interpolates two colours with premultiplied alpha (CSS Color 4, 12). `part` is the weight of the
/// second one, from 0 to 1.
pub(super) fn mixed(space: Space, one: Rgba, other: Rgba, part: f32) -> Rgba {
    // The weight of the first colour is 1 - `part`. Alpha is interpolated first, because the other components are
    // divided by it.
    let alpha = one.alpha + (other.alpha - one.alpha) * part;
    if alpha <= 0.0 {
        return Rgba::CLEAR;
    }
    let (from, to) = (space.parts(one), space.parts(other));
    let hue = space.hue();
    // Greys have no hue, and take the hue of the other colour.
    let is_grey = |colour: Rgba| colour.rgb.windows(2).all(|pair| pair[0] == pair[1]);
    let parts = std::array::from_fn(|index| {
        let (a, b) = (from[index], to[index]);
        if hue == Some(index) {
            if is_grey(one) {
                return b;
            }
            if is_grey(other) {
                return a;
            }
            // Hue takes the shorter arc (CSS Color 4, 12.4).
            let turn = (b - a + 180.0).rem_euclid(360.0) - 180.0;
            return a + turn * part;
        }
        // Components other than the hue are premultiplied, and divided by the new alpha.
        let (a, b) = (a * one.alpha, b * other.alpha);
        (a + (b - a) * part) / alpha
    });
    space.colour(parts, alpha)
}

/// Returns the smallest and the largest of three components.
fn ends(rgb: [f32; 3]) -> (f32, f32) {
    let most = rgb.iter().copied().fold(0.0, f32::max);
    let least = rgb.iter().copied().fold(1.0, f32::min);
    (least, most)
}

/// Converts rectangular coordinates to lightness, chroma and hue in degrees.
fn polar([lightness, a, b]: [f32; 3]) -> [f32; 3] {
    [lightness, a.hypot(b), b.atan2(a).to_degrees()]
}

/// Converts sRGB to Oklab (CSS Color 4, 9 and 18): to cone responses, their cube roots, and then to
/// lightness and two opponent axes.
fn to_oklab(rgb: [f32; 3]) -> [f32; 3] {
    let [red, green, blue] = rgb.map(decoded);
    let l = (0.412_221_46 * red + 0.536_332_55 * green + 0.051_445_995 * blue).cbrt();
    let m = (0.211_903_5 * red + 0.680_699_5 * green + 0.107_396_96 * blue).cbrt();
    let s = (0.088_302_46 * red + 0.281_718_85 * green + 0.629_978_7 * blue).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

/// Converts sRGB to CIE Lab with the D50 white point (CSS Color 4, 9 and 18). The matrix includes
/// the Bradford adaptation from D65, the white of sRGB.
fn to_lab(rgb: [f32; 3]) -> [f32; 3] {
    let [red, green, blue] = rgb.map(decoded);
    let x = 0.436_065_75 * red + 0.385_151_5 * green + 0.143_078_42 * blue;
    let y = 0.222_493_18 * red + 0.716_887 * green + 0.060_616_15 * blue;
    let z = 0.013_923_92 * red + 0.097_081_24 * green + 0.714_098_5 * blue;
    // ε = 216 / 24389 and κ = 24389 / 27 of CIE, the exact forms of 0.008856 and 903.3.
    let f = |t: f32| match t > 216.0 / 24389.0 {
        true => t.cbrt(),
        false => (24389.0 / 27.0 * t + 16.0) / 116.0,
    };
    // The white point D50 has the tristimulus values 0.96422, 1 and 0.82521.
    let (x, y, z) = (f(x / 0.964_22), f(y), f(z / 0.825_21));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_space_round_trips() {
        let colour = Rgba::opaque(200, 80, 30);
        for space in [
            Space::Srgb,
            Space::Linear,
            Space::Hsl,
            Space::Hwb,
            Space::Lab,
            Space::Lch,
            Space::Oklab,
            Space::Oklch,
        ] {
            let back = space.colour(space.parts(colour), 1.0);
            let off = back.rgb.iter().zip(colour.rgb).map(|(a, b)| a.abs_diff(b));
            assert!(off.max() <= Some(1), "{space:?} {back:?}");
        }
    }

    #[test]
    fn colours_are_mixed() {
        let (red, blue) = (Rgba::opaque(255, 0, 0), Rgba::opaque(0, 0, 255));
        assert_eq!(mixed(Space::Srgb, red, blue, 0.5).rgb, [128, 0, 128]);
        let clear = Rgba { alpha: 0.0, ..blue };
        let half = mixed(Space::Srgb, red, clear, 0.5);
        assert_eq!((half.rgb, half.alpha), ([255, 0, 0], 0.5));
    }
}
