//! Print settings of a sheet: paper, margins, scale, breaks, headers and footers. Knows no file format, and lays out nothing.

use super::range::Range;
use std::collections::BTreeSet;

/// Print settings of a sheet. Lengths are in points.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setup {
    /// Upright, whatever the orientation.
    pub(crate) paper: (f32, f32),
    pub(crate) landscape: bool,
    /// Left, right, top, bottom.
    pub(crate) margins: [f32; 4],
    /// From the edge of the paper to the header and to the footer.
    pub(crate) header_at: f32,
    pub(crate) footer_at: f32,
    pub(crate) scale: Scale,
    /// Pages run from left to right before they run down.
    pub(crate) over_first: bool,
    pub(crate) grid_lines: bool,
    pub(crate) headings: bool,
    /// Across and down.
    pub(crate) centred: (bool, bool),
    pub(crate) first_page: Option<u32>,
    pub(crate) without_colours: bool,
    /// The comments on cells are printed behind them.
    pub(crate) comments_at_end: bool,
    /// Each on pages of its own; none for all that is used.
    pub(crate) areas: Vec<Range>,
    /// First and last, from 0.
    pub(crate) repeated_rows: Option<(u32, u32)>,
    pub(crate) repeated_columns: Option<(u32, u32)>,
    /// The rows and columns in front of which a page ends.
    pub(crate) row_breaks: BTreeSet<u32>,
    pub(crate) column_breaks: BTreeSet<u32>,
    pub(crate) margin_texts: MarginTexts,
}

/// Scale of printed cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    /// In percent.
    By(u16),
    /// As large as they can be on this many pages across and down, 0 for as many as it takes; never enlarged.
    Fit(u16, u16),
}

/// Headers and footers, as codes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MarginTexts {
    /// Header and footer of all pages that have none of their own.
    pub(crate) odd: [Box<str>; 2],
    pub(crate) even: Option<[Box<str>; 2]>,
    pub(crate) first: Option<[Box<str>; 2]>,
    /// They stand in the paper's own margins, and not in the sheet's.
    pub(crate) own_margins: bool,
}

/// ISO A4, on which sheets are printed that say nothing.
pub(crate) const A4: (f32, f32) = (595.28, 841.89);

impl Default for Setup {
    fn default() -> Self {
        let inch = |inches: f32| inches * 72.0;
        Self {
            paper: A4,
            landscape: false,
            margins: [inch(0.7), inch(0.7), inch(0.75), inch(0.75)],
            header_at: inch(0.3),
            footer_at: inch(0.3),
            scale: Scale::By(100),
            over_first: false,
            grid_lines: false,
            headings: false,
            centred: (false, false),
            first_page: None,
            without_colours: false,
            comments_at_end: false,
            areas: Vec::new(),
            repeated_rows: None,
            repeated_columns: None,
            row_breaks: BTreeSet::new(),
            column_breaks: BTreeSet::new(),
            margin_texts: MarginTexts::default(),
        }
    }
}

impl Setup {
    /// The room between the margins, in points.
    pub(crate) fn room(&self) -> (f32, f32) {
        let (width, height) = self.page();
        let [left, right, top, bottom] = self.margins;
        (
            (width - left - right).max(36.0),
            (height - top - bottom).max(36.0),
        )
    }

    /// The paper as it lies.
    pub(crate) fn page(&self) -> (f32, f32) {
        let (width, height) = self.paper;
        match self.landscape {
            true => (height, width),
            false => (width, height),
        }
    }
}

/// The scale in percent that a file states. One that no program offers (18.3.1.63) counts as none, as in Excel: some write 0.
pub(crate) fn scale(stated: Option<i64>) -> u16 {
    let known = stated.filter(|percent| (10..=400).contains(percent));
    known.map_or(100, |percent| percent as u16)
}

/// The paper with this number (18.3.1.63; the numbers are those of Windows' printers), upright, in points.
pub(crate) fn paper(number: i64) -> Option<(f32, f32)> {
    let millimetres = |width: f32, height: f32| Some((width * 72.0 / 25.4, height * 72.0 / 25.4));
    let inches = |width: f32, height: f32| Some((width * 72.0, height * 72.0));
    match number {
        1 | 2 | 18 => inches(8.5, 11.0),
        3 => inches(11.0, 17.0),
        4 => inches(17.0, 11.0),
        5 => inches(8.5, 14.0),
        6 => inches(5.5, 8.5),
        7 => inches(7.25, 10.5),
        8 => millimetres(297.0, 420.0),
        9 | 10 => Some(A4),
        11 => millimetres(148.0, 210.0),
        12 => millimetres(250.0, 353.0),
        13 => millimetres(176.0, 250.0),
        14 => inches(8.5, 13.0),
        15 => millimetres(215.0, 275.0),
        16 => inches(10.0, 14.0),
        17 => inches(11.0, 17.0),
        19 => inches(3.875, 8.875),
        20 => inches(4.125, 9.5),
        21 => inches(4.5, 10.375),
        27 => millimetres(110.0, 220.0),
        28 => millimetres(162.0, 229.0),
        30 => millimetres(229.0, 324.0),
        34 => millimetres(176.0, 250.0),
        66 => millimetres(420.0, 594.0),
        70 => millimetres(105.0, 148.0),
        _ => None,
    }
}
