//! Maps shape types (MS-ODRAW 2.4.24) to the presets of DrawingML, with their adjustments. Draws nothing.
//!
//! Both notations have nearly the same shapes, but different adjustments: a value of OfficeArt is a coordinate in a
//! square of 21,600 units that is stretched to the shape. A value of DrawingML is a share of the shorter side, and
//! often measures the part that remains instead of the part that is cut off.

use super::{
    outline::{arc, outline},
    shapes::{Properties, property},
};
use crate::drawing::Geometry;

/// Default size of a shape's coordinate system in both directions.
const WHOLE: f64 = 21_600.0;

/// Value of a DrawingML adjustment that stands for the full length of the shorter side.
const SHARE: f64 = 100_000.0;

/// Shape type of arcs.
const ARC: u16 = 19;

/// Geometry of a shape of this type and size. `None` for a freeform shape without points.
pub fn geometry(kind: u16, properties: &Properties<'_>, size: (f64, f64)) -> Option<Geometry> {
    if kind == ARC {
        return Some(arc(properties));
    }
    outline(properties).or_else(|| {
        Some(match preset(kind)? {
            "rect" => Geometry::Rectangle,
            name => Geometry::Preset(name.into(), adjusts(kind, properties, size)),
        })
    })
}

/// DrawingML preset for a shape type, or a rectangle if DrawingML has none. `None` for freeform shapes.
pub fn preset(kind: u16) -> Option<&'static str> {
    Some(match kind {
        0 | 100 => return None,
        2 => "roundRect",
        3 => "ellipse",
        4 => "diamond",
        5 => "triangle",
        6 => "rtTriangle",
        7 => "parallelogram",
        // The trapezoid of OfficeArt has its shorter side at the bottom.
        8 => "flowChartManualOperation",
        9 => "hexagon",
        10 => "octagon",
        11 => "plus",
        12 => "star5",
        13 | 14 => "rightArrow",
        15 => "homePlate",
        16 => "cube",
        19 => "arc",
        20 | 32 => "line",
        21 => "plaque",
        22 => "can",
        23 => "donut",
        33 => "bentConnector2",
        34 => "bentConnector3",
        35 => "bentConnector4",
        36 => "bentConnector5",
        37 => "curvedConnector2",
        38 => "curvedConnector3",
        39 => "curvedConnector4",
        40 => "curvedConnector5",
        41 | 178 => "callout1",
        42 => "callout2",
        43 => "callout3",
        44 | 179 => "accentCallout1",
        45 => "accentCallout2",
        46 => "accentCallout3",
        47 | 180 => "borderCallout1",
        48 => "borderCallout2",
        49 => "borderCallout3",
        50 | 181 => "accentBorderCallout1",
        51 => "accentBorderCallout2",
        52 => "accentBorderCallout3",
        53 => "ribbon",
        54 => "ribbon2",
        55 => "chevron",
        56 => "pentagon",
        57 => "noSmoking",
        58 => "star8",
        59 => "star16",
        60 => "star32",
        61 => "wedgeRectCallout",
        62 => "wedgeRoundRectCallout",
        63 => "wedgeEllipseCallout",
        64 => "wave",
        65 => "foldedCorner",
        66 => "leftArrow",
        67 => "downArrow",
        68 => "upArrow",
        69 => "leftRightArrow",
        70 => "upDownArrow",
        71 => "irregularSeal1",
        72 => "irregularSeal2",
        73 => "lightningBolt",
        74 => "heart",
        76 => "quadArrow",
        77 => "leftArrowCallout",
        78 => "rightArrowCallout",
        79 => "upArrowCallout",
        80 => "downArrowCallout",
        81 => "leftRightArrowCallout",
        82 => "upDownArrowCallout",
        83 => "quadArrowCallout",
        84 => "bevel",
        85 => "leftBracket",
        86 => "rightBracket",
        87 => "leftBrace",
        88 => "rightBrace",
        89 => "leftUpArrow",
        90 => "bentUpArrow",
        91 => "bentArrow",
        92 => "star24",
        93 => "stripedRightArrow",
        94 => "notchedRightArrow",
        95 => "blockArc",
        96 => "smileyFace",
        97 => "verticalScroll",
        98 => "horizontalScroll",
        99 => "circularArrow",
        101 => "uturnArrow",
        102 => "curvedRightArrow",
        103 => "curvedLeftArrow",
        104 => "curvedUpArrow",
        105 => "curvedDownArrow",
        106 => "cloudCallout",
        107 => "ellipseRibbon",
        108 => "ellipseRibbon2",
        109 => "flowChartProcess",
        110 => "flowChartDecision",
        111 => "flowChartInputOutput",
        112 => "flowChartPredefinedProcess",
        113 => "flowChartInternalStorage",
        114 => "flowChartDocument",
        115 => "flowChartMultidocument",
        116 => "flowChartTerminator",
        117 => "flowChartPreparation",
        118 => "flowChartManualInput",
        119 => "flowChartManualOperation",
        120 => "flowChartConnector",
        121 => "flowChartPunchedCard",
        122 => "flowChartPunchedTape",
        123 => "flowChartSummingJunction",
        124 => "flowChartOr",
        125 => "flowChartCollate",
        126 => "flowChartSort",
        127 => "flowChartExtract",
        128 => "flowChartMerge",
        129 => "flowChartOfflineStorage",
        130 => "flowChartOnlineStorage",
        131 => "flowChartMagneticTape",
        132 => "flowChartMagneticDisk",
        133 => "flowChartMagneticDrum",
        134 => "flowChartDisplay",
        135 => "flowChartDelay",
        176 => "flowChartAlternateProcess",
        177 => "flowChartOffpageConnector",
        182 => "leftRightUpArrow",
        183 => "sun",
        184 => "moon",
        185 => "bracketPair",
        186 => "bracePair",
        187 => "star4",
        188 => "doubleWave",
        189 => "actionButtonBlank",
        190 => "actionButtonHome",
        191 => "actionButtonHelp",
        192 => "actionButtonInformation",
        193 => "actionButtonForwardNext",
        194 => "actionButtonBackPrevious",
        195 => "actionButtonEnd",
        196 => "actionButtonBeginning",
        197 => "actionButtonReturn",
        198 => "actionButtonDocument",
        199 => "actionButtonSound",
        200 => "actionButtonMovie",
        _ => "rect",
    })
}

/// Returns whether this shape type is a line or a connector, which is never filled.
pub fn is_line(kind: u16) -> bool {
    matches!(kind, 20 | 32..=40)
}

/// Returns whether this shape type is WordArt: text that is stretched to fill the shape.
pub fn is_words(kind: u16) -> bool {
    matches!(kind, 24..=31 | 136..=175)
}

/// Converts the adjustments of a shape to those of its preset.
fn adjusts(
    kind: u16,
    properties: &Properties<'_>,
    (width, height): (f64, f64),
) -> Vec<(Box<str>, f64)> {
    let stated = |number: u16| {
        let value = properties.value(property::ADJUST + number - 1)?;
        Some(f64::from(value.cast_signed()))
    };
    // Lengths along a side are shares of the shorter side.
    let shorter = width.min(height).max(1.0);
    let (across, down) = (width / shorter, height / shorter);
    // These functions return, in this order: the part that is cut off, the remaining part, the distance from the
    // centre, and the remaining part if both ends are cut.
    let share = |number: u16, times: f64| stated(number).map(|value| value / WHOLE * SHARE * times);
    let left = |number: u16, times: f64| {
        stated(number).map(|value| (WHOLE - value) / WHOLE * SHARE * times)
    };
    let centred = |number: u16| stated(number).map(|value| (value - WHOLE / 2.0) / WHOLE * SHARE);
    let between = |number: u16| stated(number).map(|value| (WHOLE - 2.0 * value) / WHOLE * SHARE);
    let named = |values: [Option<f64>; 2]| {
        let values = values.into_iter().zip(["adj1", "adj2"]);
        let values = values.filter_map(|(value, name)| Some((name.into(), value?)));
        values.collect()
    };
    let only = |value: Option<f64>| {
        value
            .map(|value| ("adj".into(), value))
            .into_iter()
            .collect()
    };
    match kind {
        2 | 5 | 10 | 11 | 16 | 21 | 84 | 97 | 98 | 183..=186 => only(share(1, 1.0)),
        7 | 9 | 23 | 57 => only(share(1, across)),
        22 | 85 | 86 => only(share(1, down)),
        15 | 55 => only(left(1, across)),
        65 => only(left(1, 1.0)),
        58..=60 | 92 | 187 => only(between(1).map(|value| value / 2.0)),
        34 | 38 => named([share(1, 1.0), None]),
        13 | 14 | 93 | 94 => named([between(2), left(1, across)]),
        66 | 69 => named([between(2), share(1, across)]),
        67 => named([between(2), left(1, down)]),
        68 => named([between(2), share(1, down)]),
        70 => named([between(1), share(2, down)]),
        61..=63 | 106 => named([centred(1), centred(2)]),
        87 | 88 => named([share(1, down), share(2, 1.0)]),
        41..=52 => {
            // OfficeArt lists the points of a callout line from its end to the shape, x before y. DrawingML has the
            // opposite order: from the shape to the end, y before x.
            let count = 4 + (kind - 41) % 3 * 2;
            let values = (1..=count).filter_map(|number| {
                Some((
                    format!("adj{number}").into(),
                    share(count + 1 - number, 1.0)?,
                ))
            });
            values.collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{art::Record, containers::fields::Fields};

    /// Builds the property table of a shape.
    fn table(properties: &[(u16, i32)]) -> Vec<u8> {
        let values = properties.iter().flat_map(|(number, value)| {
            let mut bytes = number.to_le_bytes().to_vec();
            bytes.extend(value.to_le_bytes());
            bytes
        });
        let values: Vec<u8> = values.collect();
        let mut record = ((properties.len() as u16) << 4 | 3).to_le_bytes().to_vec();
        record.extend(0xf00b_u16.to_le_bytes());
        record.extend((values.len() as u32).to_le_bytes());
        record.extend(values);
        record
    }

    #[test]
    fn adjustments_are_converted_to_drawingml() {
        #[track_caller]
        fn check(kind: u16, stated: &[(u16, i32)], name: &str, expected: &[(&str, f64)]) {
            let table = table(stated);
            let shape = Record {
                data: Fields(&table),
                ..Record::default()
            };
            let found = geometry(kind, &Properties::of(shape), (200.0, 100.0));
            let Some(Geometry::Preset(found, values)) = found else {
                panic!("{found:?}");
            };
            let values: Vec<_> = values
                .iter()
                .map(|(name, value)| (&**name, *value))
                .collect();
            assert_eq!((&*found, &values[..]), (name, expected));
        }
        check(2, &[], "roundRect", &[]);
        check(2, &[(327, 5400)], "roundRect", &[("adj", 25_000.0)]);
        // The head of the arrow begins at three quarters of its width, and its shaft has half of its height.
        let arrow = [("adj1", 50_000.0), ("adj2", 50_000.0)];
        check(13, &[(327, 16_200), (328, 5400)], "rightArrow", &arrow);
        check(
            61,
            &[(327, 10_800), (328, 32_400)],
            "wedgeRectCallout",
            &[("adj1", 0.0), ("adj2", 100_000.0)],
        );
        let line = [
            ("adj1", 25_000.0),
            ("adj2", 50_000.0),
            ("adj3", 75_000.0),
            ("adj4", 100_000.0),
        ];
        check(
            47,
            &[(327, 21_600), (328, 16_200), (329, 10_800), (330, 5400)],
            "borderCallout1",
            &line,
        );
    }
}
