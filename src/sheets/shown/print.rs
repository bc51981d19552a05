//! Page setup of a sheet: paper, margins, scale, breaks, headers and footers. Does not depend on a file format, and
//! does no layout.

use super::range::Range;
use std::collections::BTreeSet;

/// Page setup of a sheet. Lengths are in points.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setup {
    /// Width and height of the paper before `landscape` turns it.
    pub(crate) paper: (f32, f32),
    /// Whether the paper is turned to landscape orientation.
    pub(crate) landscape: bool,
    /// Margins: left, right, top, bottom.
    pub(crate) margins: [f32; 4],
    /// Distance of the header from the upper edge of the paper.
    pub(crate) header_at: f32,
    /// Distance of the footer from the lower edge of the paper.
    pub(crate) footer_at: f32,
    /// Scale, or maximum number of pages.
    pub(crate) scale: Scale,
    /// Whether pages run from left to right before they run down.
    pub(crate) over_first: bool,
    /// Whether grid lines are printed.
    pub(crate) grid_lines: bool,
    /// Whether column letters and row numbers are printed.
    pub(crate) headings: bool,
    /// Whether the cells are centred horizontally and vertically.
    pub(crate) centred: (bool, bool),
    /// Number of the first page. `None` if the sheet continues the page numbers of the previous sheet.
    pub(crate) first_page: Option<u32>,
    /// Whether fills and text colours are left out ("black and white").
    pub(crate) without_colours: bool,
    /// Whether comments are printed on pages after the sheet.
    pub(crate) comments_at_end: bool,
    /// Print areas, each on pages of its own. An empty list means all used cells.
    pub(crate) areas: Vec<Range>,
    /// First and last row of the print titles, from 0.
    pub(crate) repeated_rows: Option<(u32, u32)>,
    /// First and last column of the print titles, from 0.
    pub(crate) repeated_columns: Option<(u32, u32)>,
    /// Rows that begin a new page.
    pub(crate) row_breaks: BTreeSet<u32>,
    /// Columns that begin a new page.
    pub(crate) column_breaks: BTreeSet<u32>,
    /// Headers and footers.
    pub(crate) margin_texts: MarginTexts,
}

/// Scale of the printed cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    /// Fixed scale in percent.
    By(u16),
    /// Largest scale up to 100 % at which the cells fit on this many pages across and down. 0 stands for any number.
    Fit(u16, u16),
}

/// Texts of headers and footers, as codes (see [`header`](super::header)).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MarginTexts {
    /// Header and footer of all pages without a special one.
    pub(crate) odd: [Box<str>; 2],
    /// Header and footer of even pages, if they differ.
    pub(crate) even: Option<[Box<str>; 2]>,
    /// Header and footer of the first page, if they differ.
    pub(crate) first: Option<[Box<str>; 2]>,
    /// Whether headers and footers have fixed margins of their own instead of the margins of the sheet.
    pub(crate) own_margins: bool,
}

impl MarginTexts {
    /// Returns whether any page has a header (0) or a footer (1).
    pub(crate) fn any(&self, at: usize) -> bool {
        let all = [Some(&self.odd), self.even.as_ref(), self.first.as_ref()];
        all.into_iter().flatten().any(|texts| !texts[at].is_empty())
    }
}

/// Width and height of ISO A4 in points, the default paper.
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
    /// Width and height between the margins, in points. Each is at least half an inch, however large the margins are.
    pub(crate) fn room(&self) -> (f32, f32) {
        let (width, height) = self.page();
        let [left, right, top, bottom] = self.margins;
        (
            (width - left - right).max(36.0),
            (height - top - bottom).max(36.0),
        )
    }

    /// Width and height of the page in its orientation, in points.
    pub(crate) fn page(&self) -> (f32, f32) {
        let (width, height) = self.paper;
        match self.landscape {
            true => (height, width),
            false => (width, height),
        }
    }
}

/// Scale in percent from a file. Values outside of the permitted range (18.3.1.63) mean 100, as in Excel, because
/// some programs write 0.
pub(crate) fn scale(stated: Option<i64>) -> u16 {
    let known = stated.filter(|percent| (10..=400).contains(percent));
    known.map_or(100, |percent| percent as u16)
}

/// Width and height of a paper size by its number, in points. The numbers are those of Windows printer drivers
/// (18.3.1.63). `None` for an unknown number.
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
