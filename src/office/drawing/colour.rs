//! Colours of DrawingML (ECMA-376 part 1, 20.1.2.3), and the modifiers that change them.
//!
//! A colour consists of a base and a list of modifiers that are applied in order. The base may be a theme colour,
//! found through the map of the master (`bg1` is `lt1` or `dk1` of the theme), or the colour of the shape that uses a
//! style (`phClr`). So [`Colour`] stores the notation of the file. It is converted to red, green and blue where
//! theme, map and style are known. Note that `lumMod` and similar modifiers change hue, saturation and luminance of
//! the gamma-encoded values, but `tint` and `shade` act on linear light.

use super::{
    names::{self, hexadecimal},
    share,
};
use crate::containers::xml::Node;
use convertd_tree::colours::{decoded, encoded, from_hsl, to_hsl};

/// Colour that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rgba {
    /// Red, green and blue, gamma-encoded.
    pub rgb: [u8; 3],
    /// Opacity from 0 to 1.
    pub alpha: f32,
}

impl Rgba {
    /// Opaque black.
    pub const BLACK: Self = Self::opaque([0; 3]);

    /// Returns the colour without its opacity in the notation of CSS and SVG, such as `#ff0000`.
    pub fn hex(self) -> String {
        let [red, green, blue] = self.rgb;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Returns an opaque colour.
    pub const fn opaque(rgb: [u8; 3]) -> Self {
        Self { rgb, alpha: 1.0 }
    }

    /// Returns the colour with its luminance multiplied by `by`, and then increased by `plus`.
    pub fn luminance(self, by: f64, plus: f64) -> Self {
        // Hue, saturation and luminance.
        let mut parts = to_hsl(self.rgb.map(|part| f64::from(part) / 255.0));
        parts[2] = (parts[2] * by + plus).clamp(0.0, 1.0);
        Self {
            rgb: from_hsl(parts).map(byte),
            ..self
        }
    }
}

/// Colour in the notation of DrawingML.
#[derive(Clone, Debug, PartialEq)]
pub struct Colour {
    /// Colour before its modification.
    base: Base,
    /// Modifiers with their amounts, in the order in which they are applied.
    modifiers: Box<[(Modifier, f64)]>,
}

/// Kinds of colours before modification.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Base {
    /// Red, green and blue.
    Rgb([u8; 3]),
    /// Index of a theme colour in [`THEME`].
    Theme(usize),
    /// Index of a name in [`MAPPED`], which the map of the master links to a theme colour.
    Mapped(usize),
    /// `phClr`: colour that a shape passes to the style that it uses.
    Placeholder,
}

/// Change of a colour (20.1.2.3). `Mod` modifiers multiply, `Off` modifiers add, `Alpha` sets the opacity, and the
/// others convert the colour.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Modifier {
    Tint,
    Shade,
    HueMod,
    HueOff,
    SatMod,
    SatOff,
    LumMod,
    LumOff,
    Alpha,
    AlphaMod,
    AlphaOff,
    Inverse,
    Grey,
}

/// Names of theme colours, in the order of the theme (20.1.6.2).
pub(super) const THEME: [&str; 12] = [
    "dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
    "hlink", "folHlink",
];

/// Names that the master's map links to theme colours (19.3.1.6), in the order of [`Palette`]'s map.
const MAPPED: [&str; 12] = [
    "bg1", "tx1", "bg2", "tx2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
    "hlink", "folHlink",
];

/// Theme colours and their map, for a slide, page or sheet.
#[derive(Clone, Debug)]
pub struct Palette {
    /// Theme colours in the order of [`THEME`].
    theme: [[u8; 3]; 12],
    /// For each name in [`MAPPED`], the index of a theme colour.
    map: [usize; 12],
}

impl Default for Palette {
    /// Colours of the Office 2007 theme, which applies to files without a theme.
    fn default() -> Self {
        Self::new([
            [0x00, 0x00, 0x00],
            [0xff, 0xff, 0xff],
            [0x1f, 0x49, 0x7d],
            [0xee, 0xec, 0xe1],
            [0x4f, 0x81, 0xbd],
            [0xc0, 0x50, 0x4d],
            [0x9b, 0xbb, 0x59],
            [0x80, 0x64, 0xa2],
            [0x4b, 0xac, 0xc6],
            [0xf7, 0x96, 0x46],
            [0x00, 0x00, 0xff],
            [0x80, 0x00, 0x80],
        ])
    }
}

impl Palette {
    /// Returns a palette of these theme colours, with the map that most masters have.
    pub fn new(theme: [[u8; 3]; 12]) -> Self {
        Self {
            theme,
            map: [1, 0, 3, 2, 4, 5, 6, 7, 8, 9, 10, 11],
        }
    }

    /// Returns the same colours with the map of a `clrMap` or `overrideClrMapping`.
    pub fn mapped(&self, map: &Node<'_>) -> Self {
        let mut own = self.clone();
        for (name, value) in map.element.attributes() {
            let from = MAPPED.iter().position(|known| *known == name);
            let to = THEME.iter().position(|known| **known == *value);
            if let (Some(from), Some(to)) = (from, to) {
                own.map[from] = to;
            }
        }
        own
    }

    /// Returns the colour with a name such as `tx1` or `accent2`. Unknown names result in black.
    pub fn named(&self, name: &str) -> Rgba {
        scheme(name).map_or(Rgba::BLACK, |base| self.base(base, None))
    }

    /// Returns a theme colour by its index.
    pub fn numbered(&self, number: usize) -> Option<[u8; 3]> {
        self.theme.get(number).copied()
    }

    /// Returns the colour of a base. `placeholder` is the colour of `phClr`.
    fn base(&self, base: Base, placeholder: Option<Rgba>) -> Rgba {
        match base {
            Base::Rgb(rgb) => Rgba::opaque(rgb),
            Base::Theme(number) => Rgba::opaque(self.theme[number]),
            Base::Mapped(number) => Rgba::opaque(self.theme[self.map[number]]),
            Base::Placeholder => placeholder.unwrap_or(Rgba::BLACK),
        }
    }
}

/// Parses the name of a `schemeClr`.
fn scheme(name: &str) -> Option<Base> {
    let at = |names: &[&str]| names.iter().position(|known| *known == name);
    match name {
        "phClr" => Some(Base::Placeholder),
        _ => at(&MAPPED)
            .map(Base::Mapped)
            .or_else(|| at(&THEME).map(Base::Theme)),
    }
}

impl Colour {
    /// Returns a colour without modifiers.
    pub fn plain(rgb: [u8; 3]) -> Self {
        Self {
            base: Base::Rgb(rgb),
            modifiers: Box::default(),
        }
    }

    /// Returns a theme colour by name. `tint` is the share of it that remains when it is mixed with white.
    pub fn tinted(name: &str, tint: Option<f64>) -> Self {
        Self::modified(name, tint.map(|tint| (Modifier::Tint, tint)))
    }

    /// Returns a theme colour by name. `shade` is the share of it that remains when it is mixed with black.
    pub fn shaded(name: &str, shade: f64) -> Self {
        Self::modified(name, Some((Modifier::Shade, shade)))
    }

    /// Returns a theme colour by name, with this opacity.
    pub fn translucent(name: &str, opacity: f64) -> Self {
        Self::modified(name, Some((Modifier::Alpha, opacity)))
    }

    fn modified(name: &str, modifier: Option<(Modifier, f64)>) -> Self {
        Self {
            base: scheme(name).unwrap_or(Base::Rgb([0; 3])),
            modifiers: modifier.into_iter().collect(),
        }
    }

    /// Reads the first colour among the children of an element such as `solidFill`.
    pub fn read(parent: &Node<'_>) -> Option<Self> {
        parent.children.iter().find_map(Self::of)
    }

    /// Reads a colour element.
    fn of(node: &Node<'_>) -> Option<Self> {
        let value = || node.attribute("val");
        let base = match node.element.name {
            "srgbClr" => Base::Rgb(hexadecimal(&value()?)?),
            "schemeClr" => scheme(&value()?)?,
            // Colour of the operating system. Programs also write its value when the file was saved.
            "sysClr" => {
                let last = node.attribute("lastClr");
                let last = last.and_then(|last| hexadecimal(&last));
                Base::Rgb(last.unwrap_or_else(|| match value().as_deref() {
                    Some("window") => [255; 3],
                    _ => [0; 3],
                }))
            }
            "prstClr" => Base::Rgb(names::preset(&value()?)?),
            // Shares of linear light.
            "scrgbClr" => {
                let part = |name| Some(byte(encoded(share(node, name)?.clamp(0.0, 1.0))));
                Base::Rgb([part("r")?, part("g")?, part("b")?])
            }
            "hslClr" => {
                // Angles are in 60000ths of a degree.
                let hue = node.attribute("hue")?.parse::<f64>().ok()? / 21_600_000.0;
                Base::Rgb(from_hsl([hue, share(node, "sat")?, share(node, "lum")?]).map(byte))
            }
            _ => return None,
        };
        let modifiers = node.children.iter().filter_map(|child| {
            let kind = match child.element.name {
                "tint" => Modifier::Tint,
                "shade" => Modifier::Shade,
                "hueMod" => Modifier::HueMod,
                "satMod" => Modifier::SatMod,
                "satOff" => Modifier::SatOff,
                "lumMod" => Modifier::LumMod,
                "lumOff" => Modifier::LumOff,
                "alpha" => Modifier::Alpha,
                "alphaMod" => Modifier::AlphaMod,
                "alphaOff" => Modifier::AlphaOff,
                "hueOff" => {
                    let angle = child.attribute("val")?.parse::<f64>().ok()?;
                    return Some((Modifier::HueOff, angle / 21_600_000.0));
                }
                "inv" => return Some((Modifier::Inverse, 0.0)),
                "gray" => return Some((Modifier::Grey, 0.0)),
                _ => return None,
            };
            Some((kind, share(child, "val")?))
        });
        Some(Self {
            base,
            modifiers: modifiers.collect(),
        })
    }

    /// Returns the colour with `phClr` replaced by another colour, whose modifiers are applied first.
    pub(super) fn with_placeholder(&self, own: &Self) -> Self {
        match self.base {
            Base::Placeholder => Self {
                base: own.base,
                modifiers: own
                    .modifiers
                    .iter()
                    .chain(&self.modifiers)
                    .copied()
                    .collect(),
            },
            _ => self.clone(),
        }
    }

    /// Returns the colour after its modification. `placeholder` is the colour of `phClr`.
    pub fn resolve(&self, palette: &Palette, placeholder: Option<Rgba>) -> Rgba {
        let base = palette.base(self.base, placeholder);
        let mut colour = Exact {
            rgb: base.rgb.map(|part| f64::from(part) / 255.0),
            alpha: base.alpha.into(),
        };
        for (modifier, by) in &self.modifiers {
            colour = modify(colour, *modifier, *by);
        }
        Rgba {
            rgb: colour.rgb.map(byte),
            alpha: colour.alpha as f32,
        }
    }
}

/// Colour between two modifiers, with components from 0 to 1. Rounding them to bytes after each modifier would add up
/// the errors: the two modifiers of Word's "lighter 40 %" would give a component that differs by one.
#[derive(Clone, Copy)]
struct Exact {
    rgb: [f64; 3],
    alpha: f64,
}

/// Applies a colour modifier (ECMA-376 part 1, 20.1.2.3). Modifiers of hue, saturation and luminance act on these
/// three, `tint`, `shade` and `inv` on linear light, `gray` on gamma-encoded components, and modifiers of `alpha` on
/// the opacity.
fn modify(colour: Exact, modifier: Modifier, by: f64) -> Exact {
    // Changes hue, saturation and luminance.
    let hsl = |change: fn(&mut [f64; 3], f64)| {
        let mut parts = to_hsl(colour.rgb);
        change(&mut parts, by);
        Exact {
            rgb: from_hsl(parts),
            ..colour
        }
    };
    // Changes the linear components.
    let linear = |change: &dyn Fn(f64) -> f64| Exact {
        rgb: colour
            .rgb
            .map(|part| encoded(change(decoded(part)).clamp(0.0, 1.0))),
        ..colour
    };
    let alpha = |alpha: f64| Exact {
        alpha: alpha.clamp(0.0, 1.0),
        ..colour
    };
    match modifier {
        Modifier::Tint => linear(&|part| part * by + 1.0 - by),
        Modifier::Shade => linear(&|part| part * by),
        Modifier::HueMod => hsl(|[hue, ..], by| *hue *= by),
        Modifier::HueOff => hsl(|[hue, ..], by| *hue += by),
        Modifier::SatMod => hsl(|[_, saturation, _], by| *saturation *= by),
        Modifier::SatOff => hsl(|[_, saturation, _], by| *saturation += by),
        Modifier::LumMod => hsl(|[.., luminance], by| *luminance *= by),
        Modifier::LumOff => hsl(|[.., luminance], by| *luminance += by),
        Modifier::Alpha => alpha(by),
        Modifier::AlphaMod => alpha(colour.alpha * by),
        Modifier::AlphaOff => alpha(colour.alpha + by),
        Modifier::Inverse => linear(&|part| 1.0 - part),
        Modifier::Grey => {
            let [red, green, blue] = colour.rgb;
            Exact {
                rgb: [0.299 * red + 0.587 * green + 0.114 * blue; 3],
                ..colour
            }
        }
    }
}

/// Makes a colour lighter (`tint` up to 1) or darker (down to -1), as spreadsheet styles do (18.8.19).
pub fn lightened(rgb: [u8; 3], tint: f64) -> [u8; 3] {
    let tint = tint.clamp(-1.0, 1.0);
    let [hue, saturation, luminance] = to_hsl(rgb.map(|part| f64::from(part) / 255.0));
    let luminance = match tint < 0.0 {
        true => luminance * (1.0 + tint),
        false => luminance * (1.0 - tint) + tint,
    };
    from_hsl([hue, saturation, luminance]).map(byte)
}

/// Converts a component from 0 to 1 to a byte.
fn byte(part: f64) -> u8 {
    (part * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_act_one_after_another() {
        #[track_caller]
        fn check(modifiers: &[(Modifier, f64)], expected: [u8; 3]) {
            let colour = Colour {
                base: Base::Rgb([0x4f, 0x81, 0xbd]),
                modifiers: modifiers.into(),
            };
            let found = colour.resolve(&Palette::default(), None).rgb;
            // Word rounds hue, saturation and luminance to whole numbers, so its values may differ by one.
            let is_near = found
                .iter()
                .zip(expected)
                .all(|(part, other)| part.abs_diff(other) <= 1);
            assert!(is_near, "{found:?}, not {expected:?}");
        }
        check(&[], [0x4f, 0x81, 0xbd]);
        // Values that Word stores for "lighter 40 %" and "darker 25 %".
        check(
            &[(Modifier::LumMod, 0.6), (Modifier::LumOff, 0.4)],
            [0x95, 0xb3, 0xd7],
        );
        check(&[(Modifier::LumMod, 0.75)], [0x36, 0x5f, 0x91]);
        check(&[(Modifier::Tint, 0.0)], [0xff; 3]);
        check(&[(Modifier::Shade, 0.0)], [0; 3]);
        check(&[(Modifier::Inverse, 0.0), (Modifier::Shade, 0.0)], [0; 3]);
    }

    #[test]
    fn scheme_names_go_through_the_colour_map() {
        let palette = Palette::default();
        assert_eq!(palette.named("tx1").rgb, [0; 3]);
        assert_eq!(palette.named("bg1").rgb, [255; 3]);
        assert_eq!(palette.named("dk2").rgb, [0x1f, 0x49, 0x7d]);
        assert_eq!(palette.named("nothing").rgb, [0; 3]);
    }
}
