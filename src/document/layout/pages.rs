//! Places strips on pages: decides where pages end, keeps strips together, and places footnotes. Sets no text.

use super::{
    around::Taken,
    balance,
    context::Sink,
    float::{Float, Ground},
    item::{Area, Begins, Item, Strip, height},
    layers::{Layers, Spot},
    look::HAIR,
    medium::Medium,
    memory::{Memory, Part},
    rows::{TOLERANCE, notes_of, row_items, split},
};
use crate::{document::tree::Colour, error::Result, job::Job};

/// The space above the rule between text and footnotes, in points.
const NOTES_GAP: f32 = 8.0;
/// The space between the rule and the first footnote.
const NOTES_RULE: f32 = 5.0;
/// The largest number of strips that are kept together, because a document may ask for everything to be kept together.
const MAX_CHAIN: usize = 400;
/// The most strips of columns that are made equally high.
const MAX_BALANCED: usize = 4000;
/// The most empty lines that are held back at the end of a page.
const MAX_HELD: usize = 50;

/// The positions on the pages of a section, in points from the upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Geometry {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) left: f32,
    /// Upper and lower edge of the text, on the first page, pages with even numbers, and all others.
    pub(crate) first: (f32, f32),
    pub(crate) even: (f32, f32),
    pub(crate) other: (f32, f32),
    pub(crate) columns: usize,
    pub(crate) column_width: f32,
    pub(crate) column_gap: f32,
    pub(crate) column_line: bool,
}

/// What is known of a page, apart from its content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageInfo {
    pub(crate) section: usize,
    /// The first of its section.
    pub(crate) first: bool,
    /// Its label.
    pub(crate) number: u32,
}

/// Fills pages.
pub(crate) struct Pages<'p, 'a> {
    job: &'p Job<'p>,
    medium: &'p mut dyn Medium,
    memory: &'a Memory<'a>,
    geometry: Geometry,
    section: usize,
    pub(crate) pages: Vec<PageInfo>,
    /// The number of the next page.
    next_number: u32,
    /// The next page is the first of its section.
    section_begins: bool,
    column: usize,
    /// The upper edge of the text on this page.
    top: f32,
    /// Where columns begin on this page: below what stands above a section that begins in the middle.
    column_top: f32,
    /// The lowest place that a column of this page reached.
    deepest: f32,
    y: f32,
    bottom: f32,
    /// What stands at places of its own on this page.
    layers: Layers,
    /// The column is empty.
    fresh: bool,
    /// How much less room than it wants above itself the first strip of the column gets; none, if it gets no room there.
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
    /// What stands in columns that are to be equally high.
    balanced: Option<Vec<Strip>>,
    /// The lower edge of the page, while columns end higher.
    real_bottom: Option<f32>,
    /// Footnotes that continue on the next page.
    carried: Vec<Strip>,
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
            if self.column + 1 < self.geometry.columns {
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
        self.layers.is_crowded()
    }
}

impl<'p, 'a> Pages<'p, 'a> {
    /// Puts what comes next into columns that are equally high, up to [`balance`](Self::balance).
    pub(crate) fn hold_back(&mut self) {
        self.balanced = Some(Vec::new());
    }

    /// Places what was held back.
    pub(crate) fn balance(&mut self) -> Result<()> {
        let mut strips = self.balanced.take().unwrap_or_default();
        if strips.is_empty() {
            return Ok(());
        }
        if self.closed {
            self.open_page()?;
        }
        let columns = self.geometry.columns;
        // Pages that it fills all of come first.
        let (mut full, mut pages, mut fresh) = (0, self.pages.len(), self.fresh);
        let mut room = self.room();
        loop {
            let taken = balance::taken(&strips[full..], columns, room, fresh);
            if taken == 0 || full + taken == strips.len() {
                break;
            }
            (full, pages, fresh) = (full + taken, pages + 1, true);
            room = self.geometry.other.1 - self.geometry.other.0;
        }
        let rest = strips.split_off(full);
        for strip in strips {
            self.add(strip)?;
        }
        self.flush()?;
        if full > 0 {
            self.next_page_of_columns()?;
        }
        let is_as_expected = self.pages.len() == pages && self.column == 0;
        let height = balance::height(&rest, columns, self.room(), self.fresh);
        if let Some(height) = height.filter(|_| is_as_expected) {
            self.real_bottom = Some(self.bottom);
            self.bottom = self.y + height;
        }
        for strip in rest {
            self.add(strip)?;
        }
        self.flush()?;
        self.bottom = self.real_bottom.take().unwrap_or(self.bottom);
        Ok(())
    }

    /// Begins another page, unless this one is empty.
    fn next_page_of_columns(&mut self) -> Result<()> {
        if !self.fresh || self.column > 0 {
            self.close_page();
        }
        if self.closed {
            self.open_page()?;
        }
        Ok(())
    }

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
            ground: self.ground(
                self.next_number.saturating_sub(1),
                (self.top, self.bottom),
                column,
                y,
            ),
        }
    }

    /// What positions on a page are measured from.
    fn ground(
        &self,
        number: u32,
        (top, bottom): (f32, f32),
        column: usize,
        paragraph: f32,
    ) -> Ground {
        let geometry = &self.geometry;
        let columns = geometry.columns as f32;
        Ground {
            origin: (0.0, 0.0),
            page: (geometry.width, geometry.height),
            margin: Area {
                x: geometry.left,
                y: top,
                width: columns * (geometry.column_width + geometry.column_gap)
                    - geometry.column_gap,
                height: bottom - top,
            },
            column: (self.left_of(column), geometry.column_width),
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
        let geometry = &self.geometry;
        geometry.left + column as f32 * (geometry.column_width + geometry.column_gap)
    }

    pub(crate) fn new(
        job: &'p Job<'p>,
        medium: &'p mut dyn Medium,
        memory: &'a Memory<'a>,
    ) -> Self {
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
        }
    }

    /// Begins a section: on a page of its own, or below what stands there, and returns whether it is the latter. `even` is whether its
    /// first page has to have an even number, or an odd one; `less_above` is as in the fields.
    pub(crate) fn begin_section(
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
        let before = std::mem::replace(&mut self.geometry, geometry);
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
    pub(crate) fn finish(&mut self) -> Result<()> {
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
        let geometry = self.geometry;
        let number = self.next_number;
        self.next_number = number.saturating_add(1);
        let first = std::mem::take(&mut self.section_begins);
        let (top, bottom) = self.edges(number, first);
        self.medium.begin_page(geometry.width, geometry.height)?;
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

    /// Draws the notes of the column.
    fn close_column(&mut self) {
        self.deepest = self.deepest.max(self.y);
        if self.notes.is_empty() {
            return;
        }
        let x = self.x();
        let top = self.bottom - self.notes_height + NOTES_GAP;
        let width = (self.geometry.column_width * 0.33).min(144.0);
        let rule = Item::Fill {
            area: Area {
                x: 0.0,
                y: 0.0,
                width,
                height: 0.5,
            },
            colour: HAIR,
        };
        self.medium.draw(&rule, x, top);
        let mut y = top + NOTES_RULE;
        let notes = std::mem::take(&mut self.notes);
        for (at, strip) in notes.iter().enumerate() {
            y += if at == 0 { 0.0 } else { strip.before };
            self.paint(strip, y, strip.height, 0.0);
            y += strip.height;
        }
        self.notes_height = 0.0;
    }

    /// Draws the lines between columns that have text, as long as the longest of them.
    fn column_lines(&mut self, geometry: &Geometry) {
        let (top, bottom) = (self.column_top, self.deepest.max(self.y));
        if !geometry.column_line || bottom <= top {
            return;
        }
        for column in 1..=self.column {
            let whole = geometry.column_width + geometry.column_gap;
            let x = geometry.left + column as f32 * whole - geometry.column_gap / 2.0;
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
        if !self.closed && self.column + 1 < self.geometry.columns {
            self.close_column();
            self.column += 1;
            if self.column + 1 == self.geometry.columns {
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

    /// The room above a strip where it would stand now.
    fn before(&self, strip: &Strip) -> f32 {
        match self.less_above {
            _ if !self.fresh => strip.before,
            Some(less) => (strip.before - less).max(0.0),
            None => 0.0,
        }
    }

    fn room(&self) -> f32 {
        self.bottom - self.y - self.notes_height
    }

    /// What the notes of a strip need at least, so that the strip may stand here.
    fn notes_need(&self, strip: &Strip) -> f32 {
        let mut need = 0.0;
        for note in notes_of(strip) {
            need += note
                .iter()
                .take(2)
                .map(|line| line.before + line.height)
                .sum::<f32>();
        }
        if need > 0.0 && self.notes.is_empty() {
            need += NOTES_GAP + NOTES_RULE;
        }
        need
    }

    /// Places the strips that are kept together.
    fn flush(&mut self) -> Result<()> {
        if self.chain.is_empty() {
            return Ok(());
        }
        self.chain_height = 0.0;
        let mut chain = std::mem::take(&mut self.chain);
        if self.closed {
            self.open_page()?;
        }
        let is_blank = chain.iter().all(Strip::is_blank);
        if !self.held.is_empty() {
            self.held.append(&mut chain);
            chain = std::mem::take(&mut self.held);
        }
        if self.place_together(&chain)? {
            return Ok(());
        }
        // A row at the end may go on on the next page, if something of it stands here.
        if let [.., last] = chain.as_slice()
            && last.row.is_some()
            && self.breaks_within(&chain)
        {
            return self.place_each(chain);
        }
        if is_blank && !self.fresh && chain.len() <= MAX_HELD {
            self.held = chain;
            return Ok(());
        }
        if !self.fresh {
            self.next_column()?;
            if self.place_together(&chain)? {
                return Ok(());
            }
        }
        self.place_each(chain)
    }

    /// Places strips if all of them have room.
    fn place_together(&mut self, chain: &[Strip]) -> Result<bool> {
        let mut need = -chain
            .first()
            .map_or(0.0, |strip| strip.before - self.before(strip));
        for strip in chain {
            need += strip.before + strip.height + self.notes_need(strip);
        }
        if self.fresh {
            need += chain.first().map_or(0.0, |strip| self.head_height(strip));
        }
        if need > self.room() + TOLERANCE {
            return Ok(false);
        }
        for strip in chain {
            self.place(strip);
        }
        Ok(true)
    }

    /// Whether the last strip of a chain, a row, can be broken so that all others and a part of it stand here.
    fn breaks_within(&self, chain: &[Strip]) -> bool {
        let (Some(last), others) = (chain.last(), &chain[..chain.len() - 1]) else {
            return false;
        };
        let mut need = 0.0;
        for (at, strip) in others.iter().enumerate() {
            let before = if at == 0 {
                self.before(strip)
            } else {
                strip.before
            };
            need += before + strip.height + self.notes_need(strip);
        }
        let before = if others.is_empty() {
            self.before(last)
        } else {
            last.before
        };
        let room = self.room() - need - before;
        last.row
            .as_ref()
            .is_some_and(|row| split(row, room).is_some())
    }

    /// Places strips one by one, each where it has room.
    fn place_each(&mut self, chain: Vec<Strip>) -> Result<()> {
        for mut strip in chain {
            loop {
                let head = if self.fresh {
                    self.head_height(&strip)
                } else {
                    0.0
                };
                let need = self.before(&strip) + strip.height + self.notes_need(&strip) + head;
                if need <= self.room() + TOLERANCE {
                    self.place(&strip);
                    break;
                }
                let room = self.room() - self.before(&strip) - head;
                let parts = strip.row.as_ref().and_then(|row| split(row, room));
                if let Some((here, there)) = parts {
                    let (first, rest) = strip.cut(here, there);
                    self.place(&first);
                    strip = rest;
                    self.next_column()?;
                } else if self.fresh {
                    // Higher than a page.
                    self.place(&strip);
                    break;
                } else {
                    self.next_column()?;
                }
            }
        }
        Ok(())
    }

    /// The height of the rows that are repeated above a strip.
    fn head_height(&self, strip: &Strip) -> f32 {
        let room = self.bottom - self.column_top;
        let heights = strip.head.as_ref().map_or(0.0, |head| height(head));
        // A head that takes half the page would leave little for what it is about.
        if heights > 0.5 * room { 0.0 } else { heights }
    }

    fn place(&mut self, strip: &Strip) {
        if self.fresh
            && self.head_height(strip) > 0.0
            && let Some(head) = strip.head.clone()
        {
            for row in head.iter() {
                self.y += self.before(row);
                self.paint(row, self.y, row.height, 0.0);
                self.y += row.height;
                self.fresh = false;
            }
        }
        let before = self.before(strip);
        self.y += before;
        self.paint(strip, self.y, strip.height, before);
        self.put_floats(strip);
        self.y += strip.height;
        self.fresh = false;
        let notes: Vec<Vec<Strip>> = notes_of(strip).map(<[Strip]>::to_vec).collect();
        for note in notes {
            let room = self.bottom - self.y;
            self.add_notes(note, room);
        }
    }

    /// Puts the frames that are anchored in a strip on the page, at whose place it stands.
    fn put_floats(&mut self, strip: &Strip) {
        if strip.floats.is_empty() {
            return;
        }
        let page = self.pages.len().saturating_sub(1);
        let number = self.next_number.saturating_sub(1);
        let ground = self.ground(number, (self.top, self.bottom), self.column, self.y);
        for float in &strip.floats {
            let corner = float.corner(&ground);
            self.layers.put(float.clone(), page, corner);
        }
    }

    /// Adds notes at the foot, as many lines as there is room for; the others go to the next page.
    fn add_notes(&mut self, strips: Vec<Strip>, room: f32) {
        for strip in strips {
            let gap = if self.notes.is_empty() {
                NOTES_GAP + NOTES_RULE
            } else {
                strip.before
            };
            let higher = self.notes_height + gap + strip.height;
            let goes = self.carried.is_empty()
                && (higher <= room + TOLERANCE || self.fresh && self.notes.is_empty());
            if goes {
                self.notes_height = higher;
                self.notes.push(strip);
            } else {
                self.carried.push(strip);
            }
        }
    }

    /// Paints a strip whose upper edge is at `y`, with so much room above.
    fn paint(&mut self, strip: &Strip, y: f32, height: f32, before: f32) {
        let x = self.x();
        for frame in &strip.frames {
            self.medium.draw(&frame.draw(0.0, height, before), x, y);
        }
        for draw in &strip.items {
            self.medium.draw(draw, x, y);
        }
        if let Some(row) = &strip.row {
            let items = row_items(row, height);
            for draw in &items {
                self.medium.draw(draw, x, y);
            }
        }
    }
}
