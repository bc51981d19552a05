//! Division of sheets into pages: print areas, scale, page breaks, and the order of pages. Draws nothing.

use super::axis::Axis;
use crate::{
    error::{Error, Kind, Result},
    shown::{
        book::{Book, Grid, Link, Range},
        merged::Merged,
        print::{Scale, Setup},
    },
};
use std::{collections::HashMap, ops};

/// Maximum number of pages of a sheet.
const MAX_PAGES: usize = 20_000;

/// Maximum number of tiles of a print area: possible pages, of which most may be empty and are left out.
const MAX_TILES: usize = 1 << 21;

/// Maximum distance of a cell on the left of a page whose text may run over into the page, in columns.
const RUNS_OVER: u32 = 8;

/// Smallest and largest scale in percent (ECMA-376 part 1, 18.3.1.63).
const SCALES: ops::RangeInclusive<u16> = 10..=400;

/// A sheet with everything that is needed to print it.
pub(super) struct Printed<'a> {
    /// The sheet.
    pub(super) grid: &'a Grid,
    /// Page setup, with the options of the conversion applied.
    pub(super) setup: Setup,
    /// Visible columns.
    pub(super) columns: Axis,
    /// Visible rows.
    pub(super) rows: Axis,
    /// Width of row headings and height of column headings in points at scale 1; 0 if they are not printed.
    pub(super) headings: (f32, f32),
    /// Number of columns, including those that contain nothing but text running over from other columns.
    pub(super) reached: u32,
    /// Links by their cells.
    links: LinkIndex,
    /// Merged ranges by their cells.
    pub(super) merged: Merged,
}

/// Links of a sheet by their cells.
#[derive(Default)]
pub(super) struct LinkIndex {
    /// Indices of links on a single cell.
    single: HashMap<(u32, u32), usize>,
    /// Indices of links on several cells, which are searched one by one.
    wide: Vec<usize>,
}

/// Maximum number of links that cover several cells.
const MAX_WIDE: usize = 256;

impl LinkIndex {
    /// Indexes the links of a sheet.
    pub(super) fn new(links: &[Link]) -> Self {
        let mut index = Self::default();
        for (number, link) in links.iter().enumerate() {
            if link.range.first == link.range.last {
                index.single.entry(link.range.first).or_insert(number);
            } else if index.wide.len() < MAX_WIDE {
                index.wide.push(number);
            }
        }
        index
    }
}

/// A page: a rectangle of visible rows and columns of a sheet.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Index of the sheet among those that are printed.
    pub(super) printed: usize,
    /// Scale of the cells, 1 for the original size.
    pub(super) scale: f32,
    /// Indices of the rows on their axis.
    pub(super) rows: ops::Range<usize>,
    /// Indices of the columns on their axis.
    pub(super) columns: ops::Range<usize>,
    /// Indices, on the axis of rows, of the print titles above the rows.
    pub(super) top: ops::Range<usize>,
    /// Indices, on the axis of columns, of the print titles on the left of the columns.
    pub(super) left: ops::Range<usize>,
    /// Printed page number.
    pub(super) number: u32,
}

impl<'a> Printed<'a> {
    /// Creates a printed sheet from its merged ranges, and its measured rows and columns.
    pub(super) fn new(
        (grid, merged): (&'a Grid, Merged),
        setup: Setup,
        (rows, columns): (Axis, Axis),
        headings: (f32, f32),
    ) -> Self {
        Self {
            links: LinkIndex::new(&grid.links),
            merged,
            grid,
            setup,
            columns,
            rows,
            headings,
            reached: 0,
        }
    }

    /// Returns the links that cover a cell: the first one on this cell alone, and those on several cells.
    pub(super) fn links(&self, row: u32, column: u32) -> impl Iterator<Item = &'a Link> {
        let single = self.links.single.get(&(row, column));
        let all = single.into_iter().chain(&self.links.wide);
        let all = all.filter_map(|number| self.grid.links.get(*number));
        all.filter(move |link| link.range.contains(row, column))
    }

    /// Range that is printed without a print area: from the first cell of the sheet to the last row and column with
    /// something visible, pictures and overflowing text included. `None` for an empty sheet.
    fn used_range(&self, book: &Book) -> Option<Range> {
        let (mut rows, mut columns) = self.grid.used(book);
        columns = columns.max(self.reached.min(1 << 14));
        for picture in &self.grid.pictures {
            let last = picture.last();
            rows = rows.max(last.0 + 1);
            columns = columns.max(last.1 + 1);
        }
        (rows > 0 && columns > 0).then(|| Range {
            first: (0, 0),
            last: (rows - 1, columns - 1),
        })
    }

    /// Divides the sheet into pages. Their numbers are assigned later.
    pub(super) fn leaves(&self, printed: usize, book: &Book) -> Result<Vec<Leaf>> {
        let mut leaves = Vec::new();
        let used = self.used_range(book);
        let areas = match self.setup.areas.is_empty() {
            true => used.into_iter().collect(),
            false => self.setup.areas.clone(),
        };
        let is_whole = self.setup.areas.is_empty();
        for area in areas {
            self.area(area, printed, is_whole, book, &mut leaves)?;
        }
        Ok(leaves)
    }

    /// Divides a print area into pages, at page breaks and where no further column or row fits. Print titles take space
    /// on each page that repeats them.
    ///
    /// The horizontal and vertical divisions are independent, so the pages are tiles of a grid.
    fn area(
        &self,
        area: Range,
        printed: usize,
        is_whole: bool,
        book: &Book,
        leaves: &mut Vec<Leaf>,
    ) -> Result<()> {
        let columns = self.columns.places(area.first.1, area.last.1);
        let rows = self.rows.places(area.first.0, area.last.0);
        let repeated = |axis: &Axis, range: Option<(u32, u32)>| match range {
            Some((first, last)) => axis.places(first, last),
            None => 0..0,
        };
        let top = repeated(&self.rows, self.setup.repeated_rows);
        let left = repeated(&self.columns, self.setup.repeated_columns);
        let divide = |percent: u16| {
            let (width, height) = self.setup.room();
            let scale = f32::from(percent) / 100.0;
            let (width, height) = (
                width / scale - self.headings.0,
                height / scale - self.headings.1,
            );
            let fits = matches!(self.setup.scale, Scale::Fit(..));
            // With "fit to pages", Excel ignores manual page breaks.
            let none = Default::default();
            let breaks = |own| if fits { &none } else { own };
            let across = self.columns.divide(
                columns.clone(),
                width,
                breaks(&self.setup.column_breaks),
                &left,
            );
            let down = self
                .rows
                .divide(rows.clone(), height, breaks(&self.setup.row_breaks), &top);
            (across, down)
        };
        let percent = match self.setup.scale {
            Scale::By(percent) => percent.clamp(*SCALES.start(), *SCALES.end()),
            Scale::Fit(wide, tall) => {
                let fits = |percent: u16| {
                    let (across, down) = divide(percent);
                    (wide == 0 || across.len() <= usize::from(wide))
                        && (tall == 0 || down.len() <= usize::from(tall))
                };
                largest_scale(&fits)
            }
        };
        let (across, down) = divide(percent);
        let too_many = || {
            Error::new(
                Kind::BadInput,
                format!(
                    "the sheet {:?} takes more than {MAX_PAGES} pages; set a print area, or send fit=width",
                    self.grid.sheet.name()
                ),
            )
        };
        let tiles = across.len().saturating_mul(down.len());
        if tiles > MAX_TILES {
            return Err(too_many());
        }
        for tile in 0..tiles {
            let (column, row) = match self.setup.over_first {
                true => (tile % across.len(), tile / across.len()),
                false => (tile / down.len(), tile % down.len()),
            };
            let (columns, rows) = (&across[column], &down[row]);
            // An empty page would only waste paper. Within an explicit print area, Excel prints it anyway.
            if is_whole && !self.is_seen(columns, rows, book) {
                continue;
            }
            if leaves.len() >= MAX_PAGES {
                return Err(too_many());
            }
            // Print titles are repeated only on pages that begin after them.
            let before = |repeated: &ops::Range<usize>, start| match start >= repeated.end {
                true => repeated.clone(),
                false => 0..0,
            };
            leaves.push(Leaf {
                printed,
                scale: f32::from(percent) / 100.0,
                rows: rows.clone(),
                columns: columns.clone(),
                top: before(&top, rows.start),
                left: before(&left, columns.start),
                number: 0,
            });
        }
        Ok(())
    }

    /// Returns whether a page shows anything, text that runs over from the left included. If the sheet has overlays
    /// (conditional formats or table styles) or pictures, every page counts as visible.
    fn is_seen(&self, columns: &ops::Range<usize>, rows: &ops::Range<usize>, book: &Book) -> bool {
        if !self.grid.overlays.is_empty() || !self.grid.pictures.is_empty() {
            return true;
        }
        let (first, last) = (self.rows.number(rows.start), self.rows.number(rows.end - 1));
        let left = self.columns.number(columns.start);
        let right = self.columns.number(columns.end - 1);
        let from = self.grid.rows.partition_point(|line| line.number < first);
        let lines = self.grid.rows[from..].iter();
        let mut lines = lines.take_while(|line| line.number <= last);
        lines.any(|line| {
            let from = line.cells.partition_point(|cell| cell.column < left);
            let may_overflow = from.checked_sub(1).and_then(|at| line.cells.get(at));
            let may_overflow = may_overflow
                .is_some_and(|cell| !cell.value.is_empty() && left - cell.column <= RUNS_OVER);
            let cells = line.cells[from..].iter();
            let mut cells = cells.take_while(|cell| cell.column <= right);
            may_overflow
                || cells.any(|cell| !cell.value.is_empty() || book.style(cell.style).is_visible())
        })
    }
}

/// Finds the largest scale up to 100 percent that fits, by bisection. The smallest scale if no scale fits.
fn largest_scale(fits: &dyn Fn(u16) -> bool) -> u16 {
    let (mut low, mut high) = (*SCALES.start(), 100);
    if fits(high) {
        return high;
    }
    while high - low > 1 {
        let middle = (low + high) / 2;
        match fits(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// Numbers the pages. The numbers continue from sheet to sheet, unless a sheet states its first number.
pub(super) fn number(leaves: &mut [Leaf], printed: &[Printed<'_>]) {
    let (mut next, mut before) = (1_u32, None);
    for leaf in leaves {
        if before != Some(leaf.printed) {
            next = printed[leaf.printed].setup.first_page.unwrap_or(next);
            before = Some(leaf.printed);
        }
        leaf.number = next;
        next = next.saturating_add(1);
    }
}
