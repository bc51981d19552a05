//! Look of a shape by its properties (1.9.1, "Word 97 through Word 2007 RTF for Drawing Objects"; their meaning is that
//! of MS-ODRAW, 2.3), and a drawing of it. Groups of shapes and outlines by points are not drawn.

use convertd_office::{
    art::preset,
    drawing::{Fill, Geometry, Line, Place, Rgba, Sketch, Sketched},
};

/// The kind of frames around pictures, and the thickness of a line, in English Metric Units, where nothing is said.
const PICTURE: u16 = 75;
const LINE: i64 = 9_525;

/// The whole of a fixed number, which opacities and angles are.
const ONE: f64 = 65_536.0;

/// The look of a shape, as far as it was stated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// The number of its kind (MS-ODRAW 2.4.24).
    kind: u16,
    fill: Option<Rgba>,
    line: Option<Rgba>,
    width: i64,
    /// Clockwise, in degrees.
    turn: f64,
    flips: (bool, bool),
}

impl Default for Look {
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

impl Look {
    /// Handles a property. Values that are no numbers are ignored.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let Ok(number) = value.trim().parse::<i64>() else {
            return;
        };
        let is = number != 0;
        let white = Rgba::opaque([255; 3]);
        match name.trim() {
            "shapeType" => self.kind = u16::try_from(number).unwrap_or(0),
            "fFilled" => self.fill = is.then_some(self.fill.unwrap_or(white)),
            "fillColor" => colour(&mut self.fill, number),
            "fillOpacity" => opacity(&mut self.fill, number),
            "fLine" => self.line = is.then_some(self.line.unwrap_or(Rgba::BLACK)),
            "lineColor" => colour(&mut self.line, number),
            "lineOpacity" => opacity(&mut self.line, number),
            "lineWidth" => self.width = number.clamp(0, 20_116_800),
            "rotation" => self.turn = (number as f64 / ONE).rem_euclid(360.0),
            "fFlipH" => self.flips.0 = is,
            "fFlipV" => self.flips.1 = is,
            _ => {}
        }
    }

    /// A drawing of the shape in this width and height in English Metric Units. `None` if nothing of it would be seen.
    pub(super) fn drawing(&self, (width, height): (f64, f64)) -> Option<Sketched> {
        let name = preset(self.kind).filter(|_| self.kind != PICTURE)?;
        let geometry = match name {
            "rect" => Geometry::Rectangle,
            name => Geometry::Preset(name.into(), Vec::new()),
        };
        let place = Place {
            width,
            height,
            turn: self.turn,
            flips: self.flips,
            ..Place::default()
        };
        let fill = self.fill.map_or(Fill::None, Fill::Solid);
        let line = self.line.map(|colour| Line {
            width: self.width,
            colour,
            dashes: &[],
            round: false,
            ends: Default::default(),
        });
        let mut sketch = Sketch::new(width, height);
        let outline = geometry.outline(width, height);
        sketch.shape(&place, &outline.paths, &fill, line.as_ref(), None);
        (!sketch.is_empty()).then(|| sketch.finish())
    }
}

/// Colours are red, green and blue from the lowest byte on.
fn colour(of: &mut Option<Rgba>, number: i64) {
    let [red, green, blue, ..] = number.to_le_bytes();
    if let Some(of) = of {
        of.rgb = [red, green, blue];
    }
}

fn opacity(of: &mut Option<Rgba>, number: i64) {
    if let Some(of) = of {
        of.alpha = (number as f64 / ONE).clamp(0.0, 1.0) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_say_how_a_shape_looks() {
        #[track_caller]
        fn check(properties: &[(&str, &str)], expected: &[&str]) {
            let mut look = Look::default();
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
