//! The properties of shapes (MS-ODRAW 2.2.9, 2.3): numbers, each with a value of four bytes, and longer values behind them.
//! Interprets none.

use super::records::Record;
use crate::containers::fields::Fields;

/// The numbers of properties (2.3) that are asked for.
pub(crate) mod property {
    #[cfg(any(feature = "presentation", feature = "spreadsheet"))]
    pub(crate) const ROTATION: u16 = 4;
    #[cfg(feature = "presentation")]
    pub(crate) const CROP_TOP: u16 = 256;
    #[cfg(feature = "presentation")]
    pub(crate) const CROP_BOTTOM: u16 = 257;
    #[cfg(feature = "presentation")]
    pub(crate) const CROP_LEFT: u16 = 258;
    #[cfg(feature = "presentation")]
    pub(crate) const CROP_RIGHT: u16 = 259;
    pub(crate) const PICTURE: u16 = 260;
    pub(crate) const DESCRIPTION: u16 = 897;
    /// The edges of a shape's own space, and its points and steps in it.
    #[cfg(feature = "spreadsheet")]
    pub(crate) const SPACE: [u16; 4] = [320, 321, 322, 323];
    #[cfg(feature = "spreadsheet")]
    pub(crate) const POINTS: u16 = 325;
    #[cfg(feature = "spreadsheet")]
    pub(crate) const STEPS: u16 = 326;
    #[cfg(feature = "spreadsheet")]
    pub(crate) const FILL_KIND: u16 = 384;
    #[cfg(feature = "spreadsheet")]
    pub(crate) const FILL_COLOUR: u16 = 385;
    #[cfg(feature = "spreadsheet")]
    pub(crate) const FILL_OPACITY: u16 = 386;
    #[cfg(feature = "spreadsheet")]
    pub(crate) const FILL_BACK: u16 = 387;
    #[cfg(feature = "spreadsheet")]
    pub(crate) const FILL_FLAGS: u16 = 447;
    #[cfg(feature = "spreadsheet")]
    pub(crate) const LINE_COLOUR: u16 = 448;
    #[cfg(feature = "spreadsheet")]
    pub(crate) const LINE_WIDTH: u16 = 459;
    #[cfg(feature = "spreadsheet")]
    pub(crate) const LINE_DASH: u16 = 462;
    #[cfg(feature = "spreadsheet")]
    pub(crate) const LINE_ENDS: [u16; 2] = [464, 465];
    #[cfg(feature = "spreadsheet")]
    pub(crate) const LINE_FLAGS: u16 = 511;
}

/// The preset of DrawingML for a kind of shapes (2.4.24); a rectangle for one that has none. `None` for one that is drawn point by point.
#[cfg(any(feature = "presentation", feature = "spreadsheet"))]
pub(crate) fn preset(kind: u16) -> Option<&'static str> {
    Some(match kind {
        0 | 100 => return None,
        2 => "roundRect",
        3 => "ellipse",
        4 => "diamond",
        5 => "triangle",
        6 => "rtTriangle",
        7 => "parallelogram",
        8 => "trapezoid",
        9 => "hexagon",
        10 => "octagon",
        11 => "plus",
        12 => "star5",
        13 => "rightArrow",
        15 => "homePlate",
        16 => "cube",
        20 | 32 => "line",
        21 => "plaque",
        22 => "can",
        23 => "donut",
        33 => "bentConnector2",
        34 => "bentConnector3",
        37 => "curvedConnector2",
        38 => "curvedConnector3",
        55 => "chevron",
        56 => "pentagon",
        57 => "noSmoking",
        58 => "star8",
        59 => "star16",
        60 => "star32",
        61 => "wedgeRectCallout",
        62 => "wedgeRoundRectCallout",
        63 => "wedgeEllipseCallout",
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
        84 => "bevel",
        85 => "leftBracket",
        86 => "rightBracket",
        87 => "leftBrace",
        88 => "rightBrace",
        92 => "star24",
        93 => "stripedRightArrow",
        94 => "notchedRightArrow",
        95 => "blockArc",
        96 => "smileyFace",
        97 => "verticalScroll",
        98 => "horizontalScroll",
        106 => "cloudCallout",
        109 => "flowChartProcess",
        110 => "flowChartDecision",
        111 => "flowChartInputOutput",
        112 => "flowChartPredefinedProcess",
        114 => "flowChartDocument",
        116 => "flowChartTerminator",
        120 => "flowChartConnector",
        132 => "flowChartMagneticDisk",
        183 => "sun",
        184 => "moon",
        185 => "bracketPair",
        186 => "bracePair",
        187 => "star4",
        _ => "rect",
    })
}

/// Tables of properties: the first, the second and the third one of a shape.
const TABLES: [u16; 3] = [0xf00b, 0xf121, 0xf122];

/// Bytes of a property.
const SIZE: usize = 6;

/// The properties of a shape.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Properties<'a> {
    tables: [Record<'a>; 3],
}

impl<'a> Properties<'a> {
    /// The properties of a shape, which is a container of records.
    pub(crate) fn of(shape: Record<'a>) -> Self {
        Self {
            tables: TABLES.map(|kind| shape.child(kind).unwrap_or_default()),
        }
    }

    /// The value of a property.
    pub(crate) fn value(&self, number: u16) -> Option<u32> {
        self.find(number).map(|(value, _)| value)
    }

    /// A flag, which counts only where another one says that it does.
    #[cfg(feature = "spreadsheet")]
    pub(crate) fn flag(&self, number: u16, bit: u32) -> Option<bool> {
        let flags = self.value(number)?;
        (flags & 1 << (bit + 16) != 0).then_some(flags & 1 << bit != 0)
    }

    /// The longer value of a property.
    #[cfg(feature = "spreadsheet")]
    pub(crate) fn longer(&self, number: u16) -> Option<Fields<'a>> {
        self.find(number).map(|(_, longer)| longer)
    }

    /// The text of a property, whose value is its length.
    pub(crate) fn text(&self, number: u16) -> Option<String> {
        let (len, place) = self.find(number)?;
        let text = place.utf16(0, len as usize / 2);
        Some(text.trim_end_matches('\0').to_owned())
    }

    /// The value of a property, and the longer value that is behind all of its table.
    fn find(&self, number: u16) -> Option<(u32, Fields<'a>)> {
        self.tables.iter().find_map(|table| {
            let count = usize::from(table.instance).min(table.data.len() / SIZE);
            let mut behind = count * SIZE;
            for at in 0..count {
                let kind = table.data.u16(at * SIZE);
                let value = table.data.u32(at * SIZE + 2);
                // Bit 15 says that there is a longer value, and the 14 lowest are the number.
                let len = if kind & 0x8000 == 0 {
                    0
                } else {
                    value as usize
                };
                if kind & 0x3fff == number {
                    return Some((value, table.data.part(behind, len)));
                }
                behind = behind.saturating_add(len);
            }
            None
        })
    }
}
