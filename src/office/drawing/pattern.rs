//! Patterns of two colours (ECMA-376 part 1, 20.1.8.47 and 20.1.10.51). Reads no elements.
//!
//! The standard names the patterns, and shows only small pictures of them. Their dots are those of GDI+, the graphics
//! library of Windows: eight rows of eight dots, which repeat in both directions. Each row is a byte, whose highest bit
//! is the leftmost dot. A dot is a pixel of a screen with 96 dots per inch, at any zoom. A pattern does not scale with
//! its shape.

use super::Rgba;
use std::fmt::Write as _;

/// Side of a dot, in points.
const DOT: f64 = 0.75;

/// Number of dots on each side of a pattern.
const SIDE: u32 = 8;

/// Pattern of two colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern<C> {
    /// Rows from top to bottom. Bits that are set have the foreground colour.
    pub rows: [u8; 8],
    pub fore: C,
    pub back: C,
}

impl<C> Pattern<C> {
    /// Returns the pattern with converted colours.
    pub fn map<D>(&self, colour: impl Fn(&C) -> D) -> Pattern<D> {
        Pattern {
            rows: self.rows,
            fore: colour(&self.fore),
            back: colour(&self.back),
        }
    }
}

impl Pattern<Rgba> {
    /// Returns the name of the preset with these dots. `None` for other patterns.
    pub fn name(&self) -> Option<&'static str> {
        let known = PRESETS.iter().find(|(_, rows)| *rows == self.rows);
        known.map(|(name, _)| *name)
    }

    /// Returns the average colour, for uses that allow only one.
    pub fn mean(&self) -> Rgba {
        // Share of the foreground.
        let ink = self.rows.iter().map(|row| row.count_ones()).sum::<u32>();
        let ink = f64::from(ink) / f64::from(SIDE * SIDE);
        let mix = |fore: f64, back: f64| fore * ink + back * (1.0 - ink);
        let part = |at: usize| {
            let [fore, back] = [self.fore, self.back].map(|colour| f64::from(colour.rgb[at]));
            mix(fore, back).round() as u8
        };
        Rgba {
            rgb: [part(0), part(1), part(2)],
            alpha: mix(self.fore.alpha.into(), self.back.alpha.into()) as f32,
        }
    }

    /// Writes the pattern's SVG definition with this identifier, for coordinates in points.
    pub(super) fn define(&self, svg: &mut String, id: &str) {
        let side = DOT * f64::from(SIDE);
        let _ = write!(
            svg,
            "<pattern id=\"{id}\" width=\"{side}\" height=\"{side}\" patternUnits=\"userSpaceOnUse\">"
        );
        let mut layer = |colour: Rgba, outline: &str| {
            if colour.alpha > 0.0 {
                let _ = write!(
                    svg,
                    "<path d=\"{outline}\" fill=\"{}\" fill-opacity=\"{}\"/>",
                    colour.hex(),
                    colour.alpha
                );
            }
        };
        layer(self.back, &format!("M0 0H{side}V{side}H0Z"));
        layer(self.fore, &self.outline());
        svg.push_str("</pattern>");
    }

    /// Returns the foreground as SVG path data of rectangles. Each rectangle covers a run of dots in a row, and the
    /// same dots in the rows directly below as long as all of them are foreground that no rectangle covers yet.
    fn outline(&self) -> String {
        let mut outline = String::new();
        // Dots that no rectangle covers yet.
        let mut left = self.rows;
        for top in 0..left.len() {
            while left[top] != 0 {
                let from = left[top].leading_zeros();
                let length = (left[top] << from).leading_ones();
                let run = (0xff_u8 << (SIDE - length)) >> from;
                let rows = left[top..].iter().take_while(|row| **row & run == run);
                let height = rows.count();
                left[top..top + height]
                    .iter_mut()
                    .for_each(|row| *row &= !run);
                let [x, y] = [f64::from(from), top as f64].map(|at| at * DOT);
                let [width, height] = [f64::from(length), height as f64].map(|of| of * DOT);
                let _ = write!(outline, "M{x} {y}h{width}v{height}h-{width}z");
            }
        }
        outline
    }
}

/// Returns the rows of a preset. Unknown names result in a pattern of 50 %.
pub(super) fn preset(name: &str) -> [u8; 8] {
    let known = PRESETS.iter().find(|(own, _)| *own == name);
    known.map_or(
        [0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55],
        |(_, rows)| *rows,
    )
}

/// All presets of the standard, with their rows.
#[rustfmt::skip]
const PRESETS: [(&str, [u8; 8]); 54] = [
    ("pct5", [0x80, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00]),
    ("pct10", [0x80, 0x00, 0x08, 0x00, 0x80, 0x00, 0x08, 0x00]),
    ("pct20", [0x88, 0x00, 0x22, 0x00, 0x88, 0x00, 0x22, 0x00]),
    ("pct25", [0x88, 0x22, 0x88, 0x22, 0x88, 0x22, 0x88, 0x22]),
    ("pct30", [0xaa, 0x44, 0xaa, 0x11, 0xaa, 0x44, 0xaa, 0x11]),
    ("pct40", [0xaa, 0x55, 0xaa, 0x51, 0xaa, 0x55, 0xaa, 0x15]),
    ("pct50", [0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55]),
    ("pct60", [0xee, 0x55, 0xbb, 0x55, 0xee, 0x55, 0xbb, 0x55]),
    ("pct70", [0x77, 0xdd, 0x77, 0xdd, 0x77, 0xdd, 0x77, 0xdd]),
    ("pct75", [0x77, 0xff, 0xdd, 0xff, 0x77, 0xff, 0xdd, 0xff]),
    ("pct80", [0xef, 0xff, 0xfe, 0xff, 0xef, 0xff, 0xfe, 0xff]),
    ("pct90", [0xff, 0xff, 0xff, 0xf7, 0xff, 0xff, 0xff, 0x7f]),
    ("horz", [0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00]),
    ("vert", [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]),
    ("ltHorz", [0xff, 0x00, 0x00, 0x00, 0xff, 0x00, 0x00, 0x00]),
    ("ltVert", [0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88]),
    ("dkHorz", [0xff, 0xff, 0x00, 0x00, 0xff, 0xff, 0x00, 0x00]),
    ("dkVert", [0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc]),
    ("narHorz", [0xff, 0x00, 0xff, 0x00, 0xff, 0x00, 0xff, 0x00]),
    ("narVert", [0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa]),
    ("dashHorz", [0xf0, 0x00, 0x00, 0x00, 0x0f, 0x00, 0x00, 0x00]),
    ("dashVert", [0x80, 0x80, 0x80, 0x80, 0x08, 0x08, 0x08, 0x08]),
    ("cross", [0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]),
    ("dnDiag", [0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01]),
    ("upDiag", [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80]),
    ("ltDnDiag", [0x88, 0x44, 0x22, 0x11, 0x88, 0x44, 0x22, 0x11]),
    ("ltUpDiag", [0x11, 0x22, 0x44, 0x88, 0x11, 0x22, 0x44, 0x88]),
    ("dkDnDiag", [0xcc, 0x66, 0x33, 0x99, 0xcc, 0x66, 0x33, 0x99]),
    ("dkUpDiag", [0x33, 0x66, 0xcc, 0x99, 0x33, 0x66, 0xcc, 0x99]),
    ("wdDnDiag", [0xc1, 0xe0, 0x70, 0x38, 0x1c, 0x0e, 0x07, 0x83]),
    ("wdUpDiag", [0xc1, 0x83, 0x07, 0x0e, 0x1c, 0x38, 0x70, 0xe0]),
    ("dashDnDiag", [0x00, 0x00, 0x88, 0x44, 0x22, 0x11, 0x00, 0x00]),
    ("dashUpDiag", [0x00, 0x00, 0x11, 0x22, 0x44, 0x88, 0x00, 0x00]),
    ("diagCross", [0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81]),
    ("smCheck", [0x99, 0x66, 0x66, 0x99, 0x99, 0x66, 0x66, 0x99]),
    ("lgCheck", [0xf0, 0xf0, 0xf0, 0xf0, 0x0f, 0x0f, 0x0f, 0x0f]),
    ("smGrid", [0xff, 0x88, 0x88, 0x88, 0xff, 0x88, 0x88, 0x88]),
    ("lgGrid", [0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]),
    ("dotGrid", [0xaa, 0x00, 0x80, 0x00, 0x80, 0x00, 0x80, 0x00]),
    ("smConfetti", [0x80, 0x10, 0x02, 0x40, 0x08, 0x01, 0x20, 0x04]),
    ("lgConfetti", [0xb1, 0x30, 0x03, 0x1b, 0xd8, 0xc0, 0x0c, 0x8d]),
    ("horzBrick", [0xff, 0x80, 0x80, 0x80, 0xff, 0x08, 0x08, 0x08]),
    ("diagBrick", [0x01, 0x02, 0x04, 0x08, 0x18, 0x24, 0x42, 0x81]),
    ("solidDmnd", [0x10, 0x38, 0x7c, 0xfe, 0x7c, 0x38, 0x10, 0x00]),
    ("openDmnd", [0x82, 0x44, 0x28, 0x10, 0x28, 0x44, 0x82, 0x01]),
    ("dotDmnd", [0x80, 0x00, 0x22, 0x00, 0x08, 0x00, 0x22, 0x00]),
    ("plaid", [0xaa, 0x55, 0xaa, 0x55, 0xf0, 0xf0, 0xf0, 0xf0]),
    ("sphere", [0x77, 0x89, 0x8f, 0x8f, 0x77, 0x98, 0xf8, 0xf8]),
    ("weave", [0x88, 0x54, 0x22, 0x45, 0x88, 0x14, 0x22, 0x51]),
    ("divot", [0x00, 0x10, 0x08, 0x10, 0x00, 0x01, 0x80, 0x01]),
    ("shingle", [0x03, 0x84, 0x48, 0x30, 0x0c, 0x02, 0x01, 0x01]),
    ("wave", [0x00, 0x18, 0x25, 0xc0, 0x00, 0x18, 0x25, 0xc0]),
    ("trellis", [0xff, 0x66, 0xff, 0x99, 0xff, 0x66, 0xff, 0x99]),
    ("zigZag", [0x81, 0x42, 0x24, 0x18, 0x81, 0x42, 0x24, 0x18]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(name: &str) -> Pattern<Rgba> {
        Pattern {
            rows: preset(name),
            fore: Rgba::BLACK,
            back: Rgba::opaque([255; 3]),
        }
    }

    #[test]
    fn percentage_patterns_darken_in_order() {
        let greys: Vec<u8> = [5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90]
            .map(|percent| pattern(&format!("pct{percent}")).mean().rgb[0])
            .into();
        assert!(greys.is_sorted_by(|one, other| one > other), "{greys:?}");
    }

    #[test]
    fn runs_of_dots_are_merged_into_rectangles() {
        #[track_caller]
        fn check(name: &str, expected: &str) {
            assert_eq!(pattern(name).outline(), expected);
        }
        check("vert", "M0 0h0.75v6h-0.75z");
        check("dkHorz", "M0 0h6v1.5h-6zM0 3h6v1.5h-6z");
        check("lgCheck", "M0 0h3v3h-3zM3 3h3v3h-3z");
    }

    #[test]
    fn every_dot_is_in_one_rectangle() {
        for (name, rows) in PRESETS {
            let outline = pattern(name).outline();
            let area: f64 = outline
                .split('M')
                .skip(1)
                .map(|rectangle| {
                    let size = |from: char, to: char| {
                        let (_, rest) = rectangle.split_once(from).unwrap();
                        rest.split(to).next().unwrap().parse::<f64>().unwrap()
                    };
                    size('h', 'v') * size('v', 'h') / (DOT * DOT)
                })
                .sum();
            let dots: u32 = rows.iter().map(|row| row.count_ones()).sum();
            assert_eq!(area, f64::from(dots), "{name}");
        }
    }
}
