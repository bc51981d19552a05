//! Fill, line and rotation of a shape from its properties (RTF 1.9.1, "Word 97 through Word 2007 RTF for Drawing
//! Objects"; MS-ODRAW, 2.3, defines their meaning), and a drawing of it. Outlines made of points are not drawn.

use convertd_office::{
    art::preset,
    drawing::{Fill, Geometry, Line, Place, Rgba, Sketch, Sketched},
};
use convertd_tree::Colour;

/// Shape type of pictures, which have no outline.
const PICTURE: u16 = 75;
/// Default width of a line, in English Metric Units (EMU).
const LINE: i64 = 9_525;

/// The number 1 in 16.16 fixed point, the notation of opacities and angles.
const ONE: f64 = 65_536.0;

/// Type, fill, line, rotation and flips of a shape. Properties that the file does not state have their defaults.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShapeStyle {
    /// Shape type (MS-ODRAW 2.4.24).
    kind: u16,
    /// Fill. `None` means that there is no fill.
    fill: Option<Rgba>,
    /// Colour of the line. `None` means that there is no line.
    line: Option<Rgba>,
    /// Width of the line, in EMU.
    width: i64,
    /// Rotation, clockwise in degrees.
    turn: f64,
    /// Whether the shape is flipped horizontally, and vertically.
    flips: (bool, bool),
}

impl Default for ShapeStyle {
    fn default() -> Self {
        Self {
            kind: 0,
            fill: Some(Rgba::opaque([255; 3])),
            line: Some(Rgba::BLACK),
            width: LINE,
            turn: 0.0,
            flips: (false, false),
        }
    }
}

impl ShapeStyle {
    /// Sets a property. Unknown names are ignored, and so are values that are not integers.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let Ok(number) = value.trim().parse::<i64>() else {
            return;
        };
        let is_true = number != 0;
        let white = Rgba::opaque([255; 3]);
        match name.trim() {
            "shapeType" => self.kind = u16::try_from(number).unwrap_or(0),
            "fFilled" => self.fill = is_true.then_some(self.fill.unwrap_or(white)),
            "fillColor" => colour(&mut self.fill, number),
            "fillOpacity" => opacity(&mut self.fill, number),
            "fLine" => self.line = is_true.then_some(self.line.unwrap_or(Rgba::BLACK)),
            "lineColor" => colour(&mut self.line, number),
            "lineOpacity" => opacity(&mut self.line, number),
            "lineWidth" => self.width = number.clamp(0, 20_116_800),
            "rotation" => self.turn = (number as f64 / ONE).rem_euclid(360.0),
            "fFlipH" => self.flips.0 = is_true,
            "fFlipV" => self.flips.1 = is_true,
            _ => {}
        }
    }

    /// Colour behind the text.
    pub(super) fn ground(&self) -> Option<Colour> {
        self.fill.map(Fill::Solid).and_then(|fill| fill.ground())
    }

    /// Rotation and flips of the shape, at no place.
    pub(super) fn turned(&self) -> Place {
        Place {
            turn: self.turn,
            flips: self.flips,
            ..Place::default()
        }
    }

    /// Draws the shape in this width and height, in EMU. `None` if it is invisible.
    pub(super) fn drawing(&self, (width, height): (f64, f64)) -> Option<Sketched> {
        let place = Place {
            width,
            height,
            ..self.turned()
        };
        let mut sketch = Sketch::new(width, height);
        self.draw(&place, &mut sketch);
        (!sketch.is_empty()).then(|| sketch.finish())
    }

    /// Adds the shape at a place to a drawing, unless it is invisible.
    pub(super) fn draw(&self, place: &Place, sketch: &mut Sketch) {
        let Some(name) = preset(self.kind).filter(|_| self.kind != PICTURE) else {
            return;
        };
        let geometry = match name {
            "rect" => Geometry::Rectangle,
            name => Geometry::Preset(name.into(), Vec::new()),
        };
        let fill = self.fill.map_or(Fill::None, Fill::Solid);
        let line = self.line.map(|colour| Line {
            width: self.width,
            colour,
            dashes: &[],
            round: false,
            ends: Default::default(),
        });
        let outline = geometry.outline(place.width, place.height);
        sketch.shape(place, &outline.paths, &fill, line.as_ref(), None);
    }
}

/// Sets red, green and blue of the colour `of` from a number whose lowest byte is red. Does nothing without a colour.
fn colour(of: &mut Option<Rgba>, number: i64) {
    let [red, green, blue, ..] = number.to_le_bytes();
    if let Some(of) = of {
        of.rgb = [red, green, blue];
    }
}

/// Sets the opacity of the colour `of` from a number in 16.16 fixed point. Does nothing without a colour.
fn opacity(of: &mut Option<Rgba>, number: i64) {
    if let Some(of) = of {
        of.alpha = (number as f64 / ONE).clamp(0.0, 1.0) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_properties_are_drawn() {
        #[track_caller]
        fn check(properties: &[(&str, &str)], expected: &[&str]) {
            let mut look = ShapeStyle::default();
            for (name, value) in properties {
                look.set(name, value);
            }
            let drawn = look.drawing((1_270_000.0, 635_000.0));
            let svg = drawn.map(|drawn| String::from_utf8(drawn.svg).unwrap());
            let svg = svg.unwrap_or_default();
            for part in expected {
                assert!(svg.contains(part), "{part}: {svg}");
            }
            assert_eq!(svg.is_empty(), expected.is_empty(), "{svg}");
        }
        check(
            &[
                ("shapeType", "1"),
                ("fillColor", "255"),
                ("lineWidth", "25400"),
            ],
            &["fill=\"#ff0000\"", "stroke-width=\"2\"", "M0 0"],
        );
        check(
            &[
                ("shapeType", "3"),
                ("fFilled", "0"),
                ("rotation", "5898240"),
            ],
            &["fill=\"none\"", "rotate(90)"],
        );
        check(&[("shapeType", "1"), ("fFilled", "0"), ("fLine", "0")], &[]);
        check(&[("shapeType", "75")], &[]);
        check(&[("shapeType", "-9"), ("lineColor", "x")], &[]);
    }
}
