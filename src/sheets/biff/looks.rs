//! Numeric codes of borders, patterns and alignments in xls and xlsb (MS-XLS 2.5.11, 2.5.125, 2.5.127, 2.5.276).

use crate::shown::style::{Down, HorizontalAlignment, Stroke, Underline};

/// Line styles of borders by their number. Numbers begin with 1, because 0 is a border without a line.
pub(crate) const STROKES: [Stroke; 13] = [
    Stroke::Thin,
    Stroke::Medium,
    Stroke::Dashed,
    Stroke::Dotted,
    Stroke::Thick,
    Stroke::Double,
    Stroke::Hair,
    Stroke::MediumDashed,
    Stroke::DashDot,
    Stroke::MediumDashDot,
    Stroke::DashDotDot,
    Stroke::MediumDashDotDot,
    Stroke::SlantDashDot,
];

/// Names of fill patterns by their number.
pub(crate) const PATTERNS: [&str; 19] = [
    "none",
    "solid",
    "mediumGray",
    "darkGray",
    "lightGray",
    "darkHorizontal",
    "darkVertical",
    "darkDown",
    "darkUp",
    "darkGrid",
    "darkTrellis",
    "lightHorizontal",
    "lightVertical",
    "lightDown",
    "lightUp",
    "lightGrid",
    "lightTrellis",
    "gray125",
    "gray0625",
];

/// Kind of underline. The accounting variants, which span the cell, count as normal ones.
pub(crate) fn underline(number: u16) -> Underline {
    match number {
        0 => Underline::None,
        0x02 | 0x22 => Underline::Double,
        _ => Underline::Single,
    }
}

/// Horizontal alignment in the lowest three bits.
pub(crate) fn across(number: u32) -> HorizontalAlignment {
    match number & 7 {
        1 => HorizontalAlignment::Left,
        2 => HorizontalAlignment::Centre,
        3 => HorizontalAlignment::Right,
        4 => HorizontalAlignment::Fill,
        5 => HorizontalAlignment::Justify,
        6 => HorizontalAlignment::CentreContinuous,
        7 => HorizontalAlignment::Distributed,
        _ => HorizontalAlignment::General,
    }
}

/// Vertical alignment in the lowest three bits.
pub(crate) fn down(number: u32) -> Down {
    match number & 7 {
        0 => Down::Top,
        1 => Down::Centre,
        3 => Down::Justify,
        4 => Down::Distributed,
        _ => Down::Bottom,
    }
}
