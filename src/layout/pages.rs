//! Fills pages and their columns: decides where each of them ends, and places slices in them. Sets no text.

mod balancing;
mod foot;
mod placing;

use super::{
    around::Exclusion,
    context::Sink,
    counting::Counting,
    float::ReferenceAreas,
    geometry::Geometry,
    item::Float,
    item::{Area, BreakBefore, Item, Slice},
    layers::{Layers, SlicePosition},
    medium::Medium,
    memory::{Memory, Part},
    rows::{TOLERANCE, notes_of},
};
use crate::{error::Result, job::Job};
use convertd_tree::{Colour, NoteId};
use std::{collections::HashMap, rc::Rc};

/// Limit on the slices in a chain. A document may demand that all of its paragraphs stay together.
const MAX_CHAIN: usize = 400;
/// Limit on the slices in balanced columns.
const MAX_BALANCED: usize = 4000;

/// Properties of a page, apart from its content.
#[derive(Clone, Debug)]
pub struct PageInfo {
    /// Index of its section.
    pub section: usize,
    /// Whether it is the first page of its section.
    pub first: bool,
    /// Style and text of the page's paragraphs that headers and footers may repeat.
    pub running: Vec<Rc<(Box<str>, String)>>,
    /// Whether the page is empty, and was inserted so that the next section begins on an even or odd page.
    pub inserted: bool,
    /// Page number.
    pub number: u32,
}

/// Demands on the number of the first page of a section.
pub struct FirstPage {
    /// Number of the page. `None` continues the numbers of the previous section.
    pub number: Option<u32>,
    /// Whether the number must be even, or must be odd. An empty page may be inserted for that.
    pub even: Option<bool>,
}

/// Fills pages with slices.
///
/// Slices that must stay together collect in `chain`, and are placed when the chain ends. Footnotes reduce the height
/// of their column. Positions are in points from the upper left corner of the page.
pub struct Pages<'p, 'a> {
    job: &'p Job<'p>,
    medium: &'p mut dyn Medium,
    memory: &'a Memory<'a>,
    /// Text areas of the current section.
    geometry: Geometry,
    /// Index of the current section.
    section: usize,
    /// All pages until now.
    pub pages: Vec<PageInfo>,
    /// Number of the next page.
    next_number: u32,
    /// Whether the next page will be the first of its section.
    section_begins: bool,
    /// Index of the current column.
    column: usize,
    /// Upper edge of the text on this page.
    top: f32,
    /// Upper edge of the columns: below `top` if a section begins in the middle of the page.
    column_top: f32,
    /// Lower end of the longest column on this page so far.
    deepest: f32,
    /// Lower end of the column's content.
    y: f32,
    /// Lower edge of the column.
    bottom: f32,
    /// Floats of this page and later ones.
    layers: Layers,
    /// Whether the column is still empty.
    fresh: bool,
    /// Reduction of the space above the first slice of the column. `None` omits the space.
    less_above: Option<f32>,
    /// Whether no page is open.
    closed: bool,
    /// Slices that must stay together, before they are placed.
    chain: Vec<Slice>,
    chain_height: f32,
    /// Empty lines that do not fit on this page. If content follows them, they go to the next page. Otherwise, they are
    /// dropped, so that they do not make an empty page.
    held: Vec<Slice>,
    /// Footnotes of this column.
    notes: Vec<Slice>,
    /// Total height of the footnotes, with the space above them.
    notes_height: f32,
    /// Slices that are held back for balanced columns.
    balanced: Option<Vec<Slice>>,
    /// Lower edge that the column has without balancing. `None` if the columns are not balanced.
    real_bottom: Option<f32>,
    /// Footnotes that did not fit into earlier columns, and go to the next one.
    carried: Vec<Slice>,
    /// Whether footnotes are directly below the text, instead of at the foot of the page.
    pub notes_below_text: bool,
    /// The page of the first reference to each footnote.
    pub note_pages: HashMap<NoteId, usize>,
    /// State of line numbers, if the section has them.
    pub counting: Option<Counting>,
}

impl Sink for Pages<'_, '_> {
    fn put(&mut self, slice: Slice) -> Result<()> {
        let Some(balanced) = &mut self.balanced else {
            return self.add(slice);
        };
        // Slices that begin pages, have floats or have footnotes cannot be balanced. The slices before them are placed
        // without balancing.
        let is_free = slice.begins == BreakBefore::Anywhere
            && slice.floats.is_empty()
            && notes_of(&slice).next().is_none();
        if is_free && balanced.len() < MAX_BALANCED {
            balanced.push(slice);
            return Ok(());
        }
        for before in self.balanced.take().into_iter().flatten() {
            self.add(before)?;
        }
        self.add(slice)
    }

    /// Predicts the position of the next slice: below the chain in this column, at the top of the next column, or on
    /// the next page.
    fn position(&self, begins: BreakBefore, before: f32, height: f32) -> SlicePosition {
        // The slice will follow the chain, which is not placed yet.
        let mut chain = self.chain.iter();
        let mut above = chain.next().map_or(0.0, |first| first.height);
        above += chain.map(|slice| slice.before + slice.height).sum::<f32>();
        let first = self.chain.first().map_or(before, |slice| slice.before);
        let rest = if self.chain.is_empty() { 0.0 } else { before };
        let y = self.y + if self.fresh { 0.0 } else { first } + above + rest;
        // The slice fits into this column, or begins at the top of the page's next one.
        if !self.closed && begins == BreakBefore::Anywhere {
            let ends = y + height > self.bottom - self.notes_height + TOLERANCE;
            if !ends {
                return self.position_at(self.pages.len().saturating_sub(1), self.column, y);
            }
            if self.column + 1 < self.geometry.count() {
                let mut position = self.position_at(
                    self.pages.len().saturating_sub(1),
                    self.column + 1,
                    self.column_top + above + rest,
                );
                position.is_ahead = true;
                return position;
            }
        }
        // The slice begins at the top of the next page.
        let (top, bottom) = self.edges(self.next_number, self.section_begins);
        let mut position = self.position_at(self.pages.len(), 0, top + above + rest);
        position.bottom = bottom;
        position.areas = self.areas(self.next_number, (top, bottom), 0, position.y);
        position.is_ahead = !self.closed;
        position
    }

    fn reserve(&mut self, floats: &[Float], position: &SlicePosition) -> Vec<Exclusion> {
        self.layers.reserve_all(floats, position)
    }

    fn is_crowded(&self) -> bool {
        self.layers.is_crowded() || self.geometry.is_uneven()
    }
}

impl<'p, 'a> Pages<'p, 'a> {
    /// Takes a slice. If the slice begins a page or column, begins this first. Adds the slice to the chain, and places
    /// the chain if it ends with this slice or grows too long.
    fn add(&mut self, mut slice: Slice) -> Result<()> {
        if slice.begins != BreakBefore::Anywhere {
            self.flush()?;
            self.held.clear();
            // An empty page satisfies a page break.
            let is_empty = self.fresh && self.column == 0;
            if slice.begins == BreakBefore::Column && !self.closed {
                self.next_column()?;
            } else if !self.closed && !is_empty {
                self.close_page();
            }
            self.less_above = (slice.begins == BreakBefore::PageWithSpace).then_some(0.0);
            slice.begins = BreakBefore::Anywhere;
        }
        let keep = slice.keep;
        self.chain_height += slice.before + slice.height;
        self.chain.push(slice);
        // A chain that is higher than a page cannot stay together.
        let room = self.geometry.other.1 - self.geometry.other.0;
        if !keep || self.chain.len() > MAX_CHAIN || self.chain_height > room {
            self.flush()?;
        }
        Ok(())
    }

    /// A position on an existing page, or on the next page if it has the same edges.
    fn position_at(&self, page: usize, column: usize, y: f32) -> SlicePosition {
        SlicePosition {
            page,
            is_ahead: false,
            x: self.left_of(column),
            y,
            bottom: self.bottom - self.notes_height,
            less: (
                self.geometry.less(column),
                self.geometry
                    .less((column + 1) % self.geometry.count().max(1)),
            ),
            areas: self.areas(
                self.next_number.saturating_sub(1),
                (self.top, self.bottom),
                column,
                y,
            ),
        }
    }

    /// Reference areas of floats on page `number`, in a column, for a paragraph whose upper edge is at `paragraph`.
    fn areas(
        &self,
        number: u32,
        (top, bottom): (f32, f32),
        column: usize,
        paragraph: f32,
    ) -> ReferenceAreas {
        let geometry = &self.geometry;
        ReferenceAreas {
            origin: (0.0, 0.0),
            page: (geometry.width, geometry.height),
            margin: Area {
                x: geometry.left,
                y: top,
                width: geometry.text(),
                height: bottom - top,
            },
            column: geometry.column(column),
            paragraph,
            even: number.is_multiple_of(2),
        }
    }

    /// Upper and lower edge of the text on a page with this number.
    fn edges(&self, number: u32, first: bool) -> (f32, f32) {
        let geometry = &self.geometry;
        if first {
            geometry.first
        } else if number.is_multiple_of(2) {
            geometry.even
        } else {
            geometry.other
        }
    }

    /// Left edge of a column.
    fn left_of(&self, column: usize) -> f32 {
        self.geometry.column(column).0
    }

    /// Prepares to fill pages. No page is open yet.
    pub fn new(job: &'p Job<'p>, medium: &'p mut dyn Medium, memory: &'a Memory<'a>) -> Self {
        Self {
            job,
            medium,
            memory,
            geometry: Geometry::default(),
            section: 0,
            pages: Vec::new(),
            next_number: 1,
            section_begins: true,
            column: 0,
            top: 0.0,
            column_top: 0.0,
            deepest: 0.0,
            y: 0.0,
            bottom: 0.0,
            layers: Layers::default(),
            fresh: true,
            less_above: None,
            closed: true,
            chain: Vec::new(),
            chain_height: 0.0,
            held: Vec::new(),
            notes: Vec::new(),
            notes_height: 0.0,
            balanced: None,
            real_bottom: None,
            carried: Vec::new(),
            notes_below_text: false,
            note_pages: HashMap::new(),
            counting: None,
        }
    }

    /// Begins a section, and returns whether the section continues on the current page. `less_above` is the reduction
    /// of the space above the first slice.
    pub fn begin_section(
        &mut self,
        section: usize,
        geometry: Geometry,
        same_page: bool,
        first: FirstPage,
        less_above: Option<f32>,
    ) -> Result<bool> {
        self.flush()?;
        self.held.clear();
        let before = std::mem::replace(&mut self.geometry, geometry.clone());
        self.section = section;
        self.section_begins = true;
        if !self.closed {
            self.column_lines(&before);
        }
        // A section that may begin on the same page begins below the longest column of the page, if the paper size is
        // the same.
        let same_paper = (before.width, before.height) == (geometry.width, geometry.height);
        if same_page && same_paper && !self.closed {
            self.section_begins = false;
            self.column = 0;
            self.column_top = self.deepest.max(self.y);
            self.y = self.column_top;
            self.fresh = false;
            return Ok(true);
        }
        self.close_page();
        if let Some(number) = first.number {
            self.next_number = number;
        }
        if first
            .even
            .is_some_and(|even| even != self.next_number.is_multiple_of(2))
        {
            // The inserted page stays empty.
            self.open_page()?;
            if let Some(page) = self.pages.last_mut() {
                page.inserted = true;
                page.first = false;
            }
            self.section_begins = true;
            self.close_page();
        }
        self.less_above = less_above;
        Ok(false)
    }

    /// Ends the last page, and adds pages for footnotes that did not fit. Every document gets at least one page.
    pub fn finish(&mut self) -> Result<()> {
        self.flush()?;
        if self.closed && self.pages.is_empty() {
            self.open_page()?;
        }
        self.close_page();
        while !self.carried.is_empty() {
            self.open_page()?;
            self.close_page();
        }
        Ok(())
    }

    /// Begins a page. Line numbers and footnotes may continue on the page.
    fn open_page(&mut self) -> Result<()> {
        self.job.check()?;
        self.memory.set(Part::Pages, self.medium.memory())?;
        let (width, height) = (self.geometry.width, self.geometry.height);
        let number = self.next_number;
        self.next_number = number.saturating_add(1);
        let first = std::mem::take(&mut self.section_begins);
        let (top, bottom) = self.edges(number, first);
        self.medium.begin_page(width, height)?;
        self.counting.iter_mut().for_each(Counting::begin_page);
        self.pages.push(PageInfo {
            section: self.section,
            first,
            running: Vec::new(),
            inserted: false,
            number,
        });
        self.closed = false;
        self.column = 0;
        self.top = top;
        self.column_top = top;
        self.deepest = top;
        self.bottom = bottom;
        self.begin_column();
        Ok(())
    }

    /// Begins a column with the footnotes that did not fit into the previous column.
    fn begin_column(&mut self) {
        self.y = self.column_top;
        self.fresh = true;
        let carried = std::mem::take(&mut self.carried);
        if !carried.is_empty() {
            // These footnotes take at most 60 % of the column, so that some text fits above them.
            let room = (self.bottom - self.y) * 0.6;
            self.add_notes(carried, room);
        }
    }

    /// Ends a page: draws its footnotes, column lines and floats.
    fn close_page(&mut self) {
        if self.closed {
            return;
        }
        self.close_column();
        self.column_lines(&self.geometry.clone());
        // The floats of the page are painted next, and then dropped, so their lease becomes empty.
        let _ = self.memory.set(Part::Frames, 0);
        self.layers
            .paint(self.pages.len().saturating_sub(1), self.medium);
        self.medium.end_page();
        self.closed = true;
    }

    /// Draws the lines between columns with text, as long as the longest column.
    fn column_lines(&mut self, geometry: &Geometry) {
        let (top, bottom) = (self.column_top, self.deepest.max(self.y));
        if !geometry.column_line || bottom <= top {
            return;
        }
        for column in 1..=self.column {
            let (left, width) = geometry.column(column - 1);
            let x = (left + width + geometry.column(column).0) / 2.0;
            let area = Area {
                x: -0.25,
                y: 0.0,
                width: 0.5,
                height: bottom - top,
            };
            let colour = Colour(0, 0, 0);
            self.medium.draw(&Item::Fill { area, colour }, x, top);
        }
        // The next section on the page draws its own column lines, from here on.
        self.column_top = bottom;
    }

    /// Continues in the next column, or in the first column of the next page.
    fn next_column(&mut self) -> Result<()> {
        self.less_above = None;
        if !self.closed && self.column + 1 < self.geometry.count() {
            self.close_column();
            self.column += 1;
            if self.column + 1 == self.geometry.count() {
                // The last balanced column takes all remaining slices.
                self.bottom = self.real_bottom.take().unwrap_or(self.bottom);
            }
            self.begin_column();
            return Ok(());
        }
        self.close_page();
        self.open_page()
    }

    /// Left edge of the current column.
    fn x(&self) -> f32 {
        self.left_of(self.column)
    }

    /// Free height of the current column.
    fn room(&self) -> f32 {
        self.bottom - self.y - self.notes_height
    }
}
