//! The state of layout of boxes: what is known of each, and how much was done. Lays out nothing itself.

use super::{
    fragment::{Fragment, Sides},
    kerning::Pair,
    runs::Prepared,
    tree::{BoxId, Boxes},
};
use crate::error::{Error, Kind, Result};
use convertd_layout::context::Layout;
use convertd_markup::{
    css::style::{Border, Style, Text},
    html::dom::Quirks,
};
use std::{collections::HashMap, rc::Rc};

/// Limit on the steps of a page: about three seconds. Steps are boxes that are laid out, lines, and cells.
pub(crate) const MOST_STEPS: u64 = 3_000_000;
/// The most layouts that are kept.
const MOST_KEPT: usize = 20_000;

/// The box around, as far as sizes refer to it: the width and the height of its content in px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Containing {
    pub width: f32,
    /// `None` if it follows from the content.
    pub height: Option<f32>,
}

/// The measures of a font at a size, in px.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Metrics {
    /// Whole px above and below the base line.
    pub ascent: f32,
    pub descent: f32,
    /// The height of a line that asks for `normal`.
    pub normal: f32,
    pub(super) x_height: f32,
}

/// Margins that collapse: the largest of those above zero, and the least of those below.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Margin {
    above: f32,
    below: f32,
}

impl Margin {
    pub(crate) fn of(margin: f32) -> Self {
        Self {
            above: margin.max(0.0),
            below: margin.min(0.0),
        }
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            above: self.above.max(other.above),
            below: self.below.min(other.below),
        }
    }

    pub(crate) fn sum(self) -> f32 {
        self.above + self.below
    }
}

/// Margins of a box that collapse with those around it.
#[derive(Clone, Copy)]
pub(super) struct Collapsing {
    /// The margin above it that collapses with what is above: its own, and those of first children.
    pub top: Margin,
    /// Nothing of it has a height, so that the margins above and below it meet.
    pub through: bool,
    /// It follows the width of the container.
    pub relative: bool,
}

/// Widths that a column asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Column {
    pub least: f32,
    pub most: f32,
    pub percent: Option<f32>,
    /// Somebody said how wide it is.
    pub fixed: bool,
}

/// Lays out boxes.
pub(crate) struct Engine<'e, 'l> {
    pub boxes: &'e Boxes,
    pub layout: &'e mut Layout<'l>,
    pub quirks: Quirks,
    /// The least and the largest useful width of boxes, with border and padding.
    pub extents: HashMap<BoxId, (f32, f32)>,
    /// Measured text, with that of first lines, which may have styles of their own.
    pub prepared: HashMap<(BoxId, bool), Rc<Prepared>>,
    /// Collapsed margins of boxes, where they do not depend on a width.
    pub(super) collapsing: HashMap<BoxId, Collapsing>,
    /// The measures of fonts, by the address of the style of text, which is kept.
    pub metrics: HashMap<usize, (Rc<Text>, Metrics)>,
    /// Layouts of boxes that stand by themselves, by their width and height.
    kept: HashMap<(BoxId, u32, u32), Rc<Fragment>>,
    /// Number of absolutely positioned boxes that are being laid out, one within another.
    pub around: usize,
    /// The borders of cells in tables whose borders collapse.
    pub borders: HashMap<BoxId, Sides>,
    /// Collapsed borders of cells.
    pub collapsed: HashMap<BoxId, Box<[Option<Border>; 4]>>,
    pub(super) columns_of: HashMap<BoxId, Rc<[Column]>>,
    /// Kerning of spaces beside letters.
    pub(super) kerns: HashMap<Pair, i32>,
    /// Size of the page's content, or of the window.
    pub viewport: (f32, f32),
    /// Number of multi-column containers around the current box.
    pub(super) columns_around: usize,
    /// The page is not laid out if it is higher than so many px, and how many boxes are around what is laid out whose height does not
    /// follow from it.
    pub(super) tallest: Option<f32>,
    pub(super) bounds_around: usize,
    pub steps: u64,
    /// There was more to do than is done for a page.
    pub refused: bool,
}

impl<'e, 'l> Engine<'e, 'l> {
    pub(crate) fn new(
        boxes: &'e Boxes,
        layout: &'e mut Layout<'l>,
        quirks: Quirks,
        viewport: (f32, f32),
    ) -> Self {
        Self {
            boxes,
            layout,
            quirks,
            extents: HashMap::new(),
            collapsing: HashMap::new(),
            prepared: HashMap::new(),
            metrics: HashMap::new(),
            kept: HashMap::new(),
            around: 0,
            borders: HashMap::new(),
            collapsed: HashMap::new(),
            columns_of: HashMap::new(),
            kerns: HashMap::new(),
            viewport,
            columns_around: 0,
            tallest: None,
            bounds_around: 0,
            steps: 0,
            refused: false,
        }
    }

    /// Begins anew for a page of another size.
    pub(crate) fn begin(&mut self, viewport: (f32, f32)) {
        self.viewport = viewport;
        self.around = 0;
        self.forget();
    }

    /// Whether what is laid out stands in the flow of the page alone. It is laid out once, so that nothing has to be kept for a
    /// second time.
    pub(super) fn is_outermost(&self) -> bool {
        self.around <= 1
    }

    /// Gives back what was kept for boxes that are measured before they are placed.
    pub(crate) fn forget(&mut self) {
        self.kept.clear();
        self.prepared.clear();
    }

    pub(crate) fn style(&self, id: BoxId) -> &'e Rc<Style> {
        &self.boxes.get(id).style
    }

    /// Counts something that is done.
    ///
    /// Errors: it was too much, or the job is over.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.count(1)
    }

    fn count(&mut self, steps: u64) -> Result<()> {
        let before = self.steps;
        self.steps = before.saturating_add(steps);
        if before / 1024 != self.steps / 1024 {
            self.layout.job.check()?;
        }
        if self.steps > MOST_STEPS {
            self.refused = true;
            return Err(Error::new(
                Kind::BadInput,
                "the styles of the page are too intricate to be laid out",
            ));
        }
        Ok(())
    }

    /// Refuses what reaches so far down that the page is higher than it may be.
    ///
    /// Errors: it does.
    pub(crate) fn reaches(&self, y: f32) -> Result<()> {
        match self.tallest {
            Some(most) if self.bounds_around == 0 && y > most => Err(Error::new(
                Kind::BadInput,
                format!(
                    "the page is higher than {most} px, the most that a picture of it can be at this resolution: ask for \
                     less dpi, or for a wider window"
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Counts what is done among so many.
    pub(crate) fn steps(&mut self, among: usize) -> Result<()> {
        self.count(among as u64 / 8 + 1)
    }

    pub(crate) fn kept(&self, id: BoxId, width: f32, height: Option<f32>) -> Option<Rc<Fragment>> {
        self.kept.get(&key(id, width, height)).cloned()
    }

    pub(crate) fn keep(
        &mut self,
        id: BoxId,
        width: f32,
        height: Option<f32>,
        fragment: &Rc<Fragment>,
    ) {
        if self.kept.len() > MOST_KEPT {
            self.kept.clear();
        }
        self.kept.insert(key(id, width, height), fragment.clone());
    }
}

fn key(id: BoxId, width: f32, height: Option<f32>) -> (BoxId, u32, u32) {
    (id, width.to_bits(), height.map_or(u32::MAX, f32::to_bits))
}
