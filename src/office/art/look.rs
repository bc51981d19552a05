//! Fill, line and text style of shapes (MS-ODRAW 2.3.7, 2.3.8, 2.3.21). A shape's own properties take precedence over
//! those of the master shape that it inherits from. Does not resolve colour schemes; the reader of the file does.

use super::shapes::{Properties, property};
use crate::drawing::{Arrow, Crop, Fill, Gradient, GradientPath, Line, PictureFill, Place, Rgba};

/// The number 1 in 16.16 fixed point.
const ONE: f64 = 65_536.0;

/// Max. number of stops of a gradient.
const MAX_STOPS: usize = 256;

/// Resolves the colours of a file.
pub trait Colours {
    /// Default colour values: of a fill, of the end of its gradient, and of a line.
    const DEFAULT: [u32; 3];

    /// Resolves a colour value: red, green and blue, or an index in a scheme.
    fn of(&self, value: u32) -> Rgba;
}

/// Vertical position of a shape's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VerticalAnchor {
    #[default]
    AtTop,
    InMiddle,
    AtBottom,
}

/// Properties of a shape, and those of the master shape that it inherits from.
pub struct Look<'a> {
    pub own: Properties<'a>,
    pub master: Properties<'a>,
}

impl Look<'_> {
    /// Value of a property.
    pub fn value(&self, number: u16) -> Option<u32> {
        self.own.value(number).or_else(|| self.master.value(number))
    }

    /// Boolean property. A second bit states whether the property is set; `None` if it is not set.
    pub fn flag(&self, number: u16, bit: u32) -> Option<bool> {
        let own = self.own.flag(number, bit);
        own.or_else(|| self.master.flag(number, bit))
    }

    /// Value of a property in 16.16 fixed point. 0 if the property is not set.
    pub fn fixed(&self, number: u16) -> f64 {
        f64::from(self.value(number).unwrap_or(0).cast_signed()) / ONE
    }

    /// Signed value, with a default.
    fn length(&self, number: u16, default: i32) -> f64 {
        let value = self.value(number).map(u32::cast_signed);
        f64::from(value.unwrap_or(default))
    }

    /// Cropping of the shape's picture, as shares of its size.
    pub fn crop(&self) -> Crop {
        Crop {
            left: self.fixed(property::CROP_LEFT),
            top: self.fixed(property::CROP_TOP),
            right: self.fixed(property::CROP_RIGHT),
            bottom: self.fixed(property::CROP_BOTTOM),
        }
    }

    /// Fill of the shape. A picture is named by its index in the store.
    pub fn fill<C: Colours>(&self, colours: &C) -> Fill {
        /// Fill type of pictures (MSOFILLTYPE). 0 is a solid fill, 2 a texture, and 4 to 8 are gradients.
        const PICTURE: u32 = 3;
        if !self.flag(property::FILL_FLAGS, 4).unwrap_or(true) {
            return Fill::None;
        }
        let opacity = self.value(property::FILL_OPACITY);
        let foreground = Rgba {
            alpha: opacity.map_or(1.0, |share| (f64::from(share) / ONE).min(1.0) as f32),
            ..self.foreground(colours)
        };
        match self.value(property::FILL_KIND).unwrap_or(0) {
            2..=PICTURE if self.value(property::FILL_PICTURE).is_some() => {
                let number = self.value(property::FILL_PICTURE).unwrap_or(0);
                Fill::Picture(PictureFill {
                    id: number.to_string().into(),
                    crop: Crop::default(),
                    tiled: false,
                    alpha: 1.0,
                })
            }
            kind @ 4..=8 => Fill::Gradient(self.gradient(kind, foreground, colours)),
            _ => Fill::Solid(foreground),
        }
    }

    /// Foreground colour of the fill.
    fn foreground<C: Colours>(&self, colours: &C) -> Rgba {
        colours.of(self.value(property::FILL_COLOUR).unwrap_or(C::DEFAULT[0]))
    }

    /// Reads a gradient. Without a list of stops, it runs from the foreground to the background colour. The focus (−100
    /// to 100 percent, of which the sign is ignored) is the point at which the gradient turns back.
    fn gradient<C: Colours>(&self, kind: u32, foreground: Rgba, colours: &C) -> Gradient<Rgba> {
        let background = self.value(property::FILL_BACK).unwrap_or(C::DEFAULT[1]);
        let background = derived(background, foreground).unwrap_or_else(|| colours.of(background));
        let mut stops = self.stops(colours);
        if stops.is_empty() {
            stops = vec![(0.0, foreground), (1.0, background)];
        }
        let focus = self.length(property::FILL_FOCUS, 0).clamp(-100.0, 100.0) / 100.0;
        // After the focus, the gradient runs back to its beginning.
        let turns = focus.abs();
        if turns > 0.0 && turns < 1.0 {
            let forward = stops
                .iter()
                .map(|(at, colour)| (at * turns as f32, *colour));
            let reversed = stops.iter().rev();
            let reversed = reversed.map(|(at, colour)| (1.0 - at * (1.0 - turns as f32), *colour));
            stops = forward.chain(reversed).collect();
        }
        let path = match kind {
            5 | 6 => GradientPath::Point(0.5, 0.5),
            _ => GradientPath::Line(90.0 - self.fixed(property::FILL_ANGLE)),
        };
        Gradient { stops, path }
    }

    /// Colours and positions of a gradient with a list of stops. The array has a header of 6 bytes, and 8 bytes per
    /// stop.
    fn stops<C: Colours>(&self, colours: &C) -> Vec<(f32, Rgba)> {
        let array = [&self.own, &self.master]
            .into_iter()
            .find_map(|properties| properties.longer(property::FILL_STOPS));
        let array = array.unwrap_or_default();
        let count = usize::from(array.u16(0)).min(MAX_STOPS);
        let count = count.min(array.len().saturating_sub(6) / 8);
        let stops = (0..count).map(|at| {
            let (colour, place) = (array.u32(6 + at * 8), array.u32(10 + at * 8));
            let place = (f64::from(place) / ONE).clamp(0.0, 1.0) as f32;
            (place, colours.of(colour))
        });
        let mut stops: Vec<_> = stops.collect();
        stops.sort_by(|one, other| one.0.total_cmp(&other.0));
        stops
    }

    /// Line of the shape. `None` if it has none. Dashes are in units of the line width, like the presets of DrawingML.
    pub fn line<C: Colours>(&self, colours: &C) -> Option<Line> {
        if !self.flag(property::LINE_FLAGS, 3).unwrap_or(true) {
            return None;
        }
        let dashes: &[f32] = match self.value(property::LINE_DASH).unwrap_or(0) {
            1 | 2 | 5 => &[1.0, 1.0],
            3 | 6 => &[4.0, 3.0],
            4 | 8..=10 => &[4.0, 3.0, 1.0, 3.0],
            7 => &[8.0, 3.0],
            _ => &[],
        };
        let end = |number: u16| match self.value(number).unwrap_or(0) {
            1 => Arrow::Triangle,
            2 => Arrow::Stealth,
            3 => Arrow::Diamond,
            4 => Arrow::Oval,
            5 => Arrow::Open,
            _ => Arrow::None,
        };
        let colour = self.value(property::LINE_COLOUR).unwrap_or(C::DEFAULT[2]);
        let colour =
            derived(colour, self.foreground(colours)).unwrap_or_else(|| colours.of(colour));
        Some(Line {
            // The default is 0.75 points, in English Metric Units (EMU).
            width: self
                .value(property::LINE_WIDTH)
                .unwrap_or(9525)
                .min(20_000_000)
                .into(),
            colour,
            dashes,
            round: false,
            ends: property::LINE_ENDS.map(end),
        })
    }

    /// Distances from the edges of the shape to its text: left, top, right, bottom, in EMU.
    pub fn insets(&self) -> [f64; 4] {
        [
            self.length(property::LEFT_INSET, 91_440),
            self.length(property::TOP_INSET, 45_720),
            self.length(property::RIGHT_INSET, 91_440),
            self.length(property::BOTTOM_INSET, 45_720),
        ]
    }

    /// Vertical position of the text.
    pub fn stands(&self) -> VerticalAnchor {
        match self.value(property::ANCHOR).unwrap_or(0) {
            1 | 4 => VerticalAnchor::InMiddle,
            2 | 5 => VerticalAnchor::AtBottom,
            _ => VerticalAnchor::AtTop,
        }
    }

    /// Rotation of the text within the shape, clockwise in degrees.
    pub fn flow(&self) -> f64 {
        match self.value(property::FLOW).unwrap_or(0) {
            1 | 3 | 5 => 90.0,
            2 => 270.0,
            _ => 0.0,
        }
    }
}

/// Returns the place with the rotation and the flips of its shape. For rotations nearer to a quarter turn than to a
/// half or full turn, the file states the rectangle after a quarter turn. So width and height are exchanged.
pub fn turned(place: Place, turn: f64, flags: u32) -> Place {
    let turn = turn.rem_euclid(360.0);
    let mut place = Place {
        turn,
        flips: (flags & 0x40 != 0, flags & 0x80 != 0),
        ..place
    };
    if (45.0..135.0).contains(&(turn % 180.0)) {
        let (width, height) = (place.height, place.width);
        place.x += (place.width - width) / 2.0;
        place.y += (place.height - height) / 2.0;
        (place.width, place.height) = (width, height);
    }
    place
}

/// Resolves a colour that is derived from the fill, darker or lighter (2.2.2, fSysIndex). `None` for any other colour.
fn derived(value: u32, foreground: Rgba) -> Option<Rgba> {
    /// Flag of system colours.
    const SYSTEM: u8 = 0x10;
    /// System colour that stands for the fill.
    const FILL: u8 = 0xf0;
    let [of, how, share, flags] = value.to_le_bytes();
    if flags & SYSTEM == 0 || of != FILL {
        return None;
    }
    let share = f64::from(share) / 255.0;
    let mixed = |part: u8| match how & 15 {
        1 => f64::from(part) * share,
        2 => 255.0 - (255.0 - f64::from(part)) * share,
        _ => f64::from(part),
    };
    Some(Rgba {
        rgb: foreground.rgb.map(|part| mixed(part).round() as u8),
        ..foreground
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_colours_darken_or_lighten_the_fill() {
        #[track_caller]
        fn check(value: u32, expected: Option<[u8; 3]>) {
            let found = derived(value, Rgba::opaque([200, 100, 0]));
            assert_eq!(found.map(|colour| colour.rgb), expected);
        }
        check(0x1080_01f0, Some([100, 50, 0]));
        check(0x10ff_02f0, Some([200, 100, 0]));
        check(0x1000_02f0, Some([255, 255, 255]));
        check(0x0800_0004, None);
        check(0x1000_0005, None);
    }
}
