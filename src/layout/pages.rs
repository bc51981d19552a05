//! Pages and their columns: where each begins and ends, and what is put into them. Sets no text.

mod balancing;
mod foot;
mod placing;

use super::{
    around::Taken,
    context::Sink,
    counting::Counting,
    float::Ground,
    geometry::Geometry,
    item::Float,
    item::{Area, Begins, Item, Strip},
    layers::{Layers, Spot},
    medium::Medium,
    memory::{Memory, Part},
    rows::{TOLERANCE, notes_of},
};
use crate::{error::Result, job::Job};
use convertd_tree::Colour;

/// The largest number of strips that are kept together, because a document may ask for everything to be kept together.
const MAX_CHAIN: usize = 400;
/// The most strips of columns that are made equally high.
const MAX_BALANCED: usize = 4000;

/// Properties of a page, apart from its content.
#[derive(Clone, Copy, Debug)]
pub struct PageInfo {
    pub section: usize,
    /// The first of its section.
    pub first: bool,
    /// Its label.
    pub number: u32,
}

/// Fills pages.
pub struct Pages<'p, 'a> {
    job: &'p Job<'p>,
    medium: &'p mut dyn Medium,
    memory: &'a Memory<'a>,
    geometry: Geometry,
    section: usize,
    pub pages: Vec<PageInfo>,
    /// The number of the next page.
    next_number: u32,
    /// The next page is the first of its section.
    section_begins: bool,
    column: usize,
    /// The upper edge of the text on this page.
    top: f32,
    /// Top of the columns on this page: lower for a section that begins in the middle of a page.
    column_top: f32,
    /// The lowest place that a column of this page reached.
    deepest: f32,
    y: f32,
    bottom: f32,
    /// Floats on this page.
    layers: Layers,
    /// The column is empty.
    fresh: bool,
    /// Reduction of the room above the first strip of the column; `None` if it gets no room there.
    less_above: Option<f32>,
    /// There is no page yet.
    closed: bool,
    /// Strips that keep together.
    chain: Vec<Strip>,
    chain_height: f32,
    /// Empty lines that have no room on this page. They go to the next one if anything follows them there: by themselves they
    /// would make a page that is empty.
    held: Vec<Strip>,
    /// The notes of this column, and how high they are.
    notes: Vec<Strip>,
    notes_height: f32,
    /// Strips of columns that are to be equally high.
    balanced: Option<Vec<Strip>>,
    /// The lower edge of the page, while columns end higher.
    real_bottom: Option<f32>,
    /// Footnotes that continue on the next page.
    carried: Vec<Strip>,
    /// The numbers beside lines.
    pub counting: Option<Counting>,
}

impl Sink for Pages<'_, '_> {
    fn put(&mut self, strip: Strip) -> Result<()> {
        let Some(balanced) = &mut self.balanced else {
            return self.add(strip);
        };
        // What says itself where it stands cannot be moved, nor can what is put beside it.
        let is_free = strip.begins == Begins::Anywhere
            && strip.floats.is_empty()
            && notes_of(&strip).next().is_none();
        if is_free && balanced.len() < MAX_BALANCED {
            balanced.push(strip);
            return Ok(());
        }
        for before in self.balanced.take().into_iter().flatten() {
            self.add(before)?;
        }
        self.add(strip)
    }

    fn spot(&self, begins: Begins, before: f32, height: f32) -> Spot {
        // Kept together with what comes before.
        let mut chain = self.chain.iter();
        let mut above = chain.next().map_or(0.0, |first| first.height);
        above += chain.map(|strip| strip.before + strip.height).sum::<f32>();
        let first = self.chain.first().map_or(before, |strip| strip.before);
        let rest = if self.chain.is_empty() { 0.0 } else { before };
        let y = self.y + if self.fresh { 0.0 } else { first } + above + rest;
        if !self.closed && begins == Begins::Anywhere {
            let ends = y + height > self.bottom - self.notes_height + TOLERANCE;
            if !ends {
                return self.spot_at(self.pages.len().saturating_sub(1), self.column, y);
            }
            if self.column + 1 < self.geometry.count() {
                let mut spot = self.spot_at(
                    self.pages.len().saturating_sub(1),
                    self.column + 1,
                    self.column_top + above + rest,
                );
                spot.is_ahead = true;
                return spot;
            }
        }
        let (top, bottom) = self.edges(self.next_number, self.section_begins);
        let mut spot = self.spot_at(self.pages.len(), 0, top + above + rest);
        spot.bottom = bottom;
        spot.ground = self.ground(self.next_number, (top, bottom), 0, spot.y);
        spot.is_ahead = !self.closed;
        spot
    }

    fn claim(&mut self, floats: &[Float], spot: &Spot) -> Vec<Taken> {
        self.layers.claim_all(floats, spot)
    }

    fn is_crowded(&self) -> bool {
        self.layers.is_crowded() || self.geometry.is_uneven()
    }
}

impl<'p, 'a> Pages<'p, 'a> {
    fn add(&mut self, mut strip: Strip) -> Result<()> {
        if strip.begins != Begins::Anywhere {
            self.flush()?;
            self.held.clear();
            let is_empty = self.fresh && self.column == 0;
            if strip.begins == Begins::Column && !self.closed {
                self.next_column()?;
            } else if !self.closed && !is_empty {
                self.close_page();
            }
            self.less_above = (strip.begins == Begins::PageWithSpace).then_some(0.0);
            strip.begins = Begins::Anywhere;
        }
        let keep = strip.keep;
        self.chain_height += strip.before + strip.height;
        self.chain.push(strip);
        let room = self.geometry.other.1 - self.geometry.other.0;
        if !keep || self.chain.len() > MAX_CHAIN || self.chain_height > room {
            self.flush()?;
        }
        Ok(())
    }

    fn spot_at(&self, page: usize, column: usize, y: f32) -> Spot {
        Spot {
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
            ground: self.ground(
                self.next_number.saturating_sub(1),
                (self.top, self.bottom),
                column,
                y,
            ),
        }
    }

    /// Reference areas for positions on a page.
    fn ground(
        &self,
        number: u32,
        (top, bottom): (f32, f32),
        column: usize,
        paragraph: f32,
    ) -> Ground {
        let geometry = &self.geometry;
        Ground {
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

    /// The upper and the lower edge of the text of a page.
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

    fn left_of(&self, column: usize) -> f32 {
        self.geometry.column(column).0
    }

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
            counting: None,
        }
    }

    /// Begins a section: on a page of its own, or below what stands there, and returns whether it is the latter. `even` is whether its
    /// first page has to have an even number, or an odd one; `less_above` is as in the fields.
    pub fn begin_section(
        &mut self,
        section: usize,
        geometry: Geometry,
        same_page: bool,
        number: Option<u32>,
        even: Option<bool>,
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
        if let Some(number) = number {
            self.next_number = number;
        }
        if even.is_some_and(|even| even != self.next_number.is_multiple_of(2)) {
            // A page that is left empty, so that the next one is on the right side.
            self.open_page()?;
            self.close_page();
        }
        self.less_above = less_above;
        Ok(false)
    }

    /// Ends the last page.
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

    fn begin_column(&mut self) {
        self.y = self.column_top;
        self.fresh = true;
        let carried = std::mem::take(&mut self.carried);
        if !carried.is_empty() {
            // Some of the page stays for text.
            let room = (self.bottom - self.y) * 0.6;
            self.add_notes(carried, room);
        }
    }

    fn close_page(&mut self) {
        if self.closed {
            return;
        }
        self.close_column();
        self.column_lines(&self.geometry.clone());
        // What they took is free again.
        let _ = self.memory.set(Part::Frames, 0);
        self.layers
            .paint(self.pages.len().saturating_sub(1), self.medium);
        self.medium.end_page();
        self.closed = true;
    }

    /// Draws the lines between columns that have text, as long as the longest of them.
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
        // What comes next on the page has its own.
        self.column_top = bottom;
    }

    fn next_column(&mut self) -> Result<()> {
        self.less_above = None;
        if !self.closed && self.column + 1 < self.geometry.count() {
            self.close_column();
            self.column += 1;
            if self.column + 1 == self.geometry.count() {
                // What is left has to stand in the last one.
                self.bottom = self.real_bottom.take().unwrap_or(self.bottom);
            }
            self.begin_column();
            return Ok(());
        }
        self.close_page();
        self.open_page()
    }

    fn x(&self) -> f32 {
        self.left_of(self.column)
    }

    fn room(&self) -> f32 {
        self.bottom - self.y - self.notes_height
    }
}
