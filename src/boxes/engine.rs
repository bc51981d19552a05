//! State of box layout: the box tree, caches, and the limits on work. The algorithms are in other files, as further
//! `impl Engine` blocks.
//!
//! Layout of nested flex containers and tables measures boxes again and again, which is exponential
//! in their depth without the caches here. Steps are counted because a page of a few kilobytes can
//! still ask for hours of work.

use super::{
    fragment::{Fragment, Sides},
    runs::Prepared,
    tree::{BoxId, Boxes},
};
use crate::error::{Error, Kind, Result};
use convertd_layout::context::Layout;
use convertd_markup::{
    css::style::{Border, Style, Text},
    dom::Quirks,
};
use std::{collections::HashMap, rc::Rc};

/// Limit on the steps of a page. A step is a box, line or cell that is laid out. This number of steps takes about three
/// seconds.
pub(crate) const MAX_STEPS: u64 = 3_000_000;
/// Limit on cached layouts; beyond it the cache is emptied.
const MAX_LAYOUTS: usize = 20_000;

/// Containing block (CSS 2.2, 10.1): the size that percentages refer to, in px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Containing {
    pub width: f32,
    /// `None` if the height depends on the content; percentages of it are then `auto`.
    pub height: Option<f32>,
}

/// Box to lay out, with the size that its parent gave it.
#[derive(Clone, Copy)]
pub(super) struct LayoutInput {
    pub id: BoxId,
    /// Width of the border box in px.
    pub width: f32,
    /// Height of the border box in px; `None` if it is `auto`.
    pub height: Option<f32>,
    pub containing: Containing,
}

/// Side of a letter on which a space is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    Before,
    Behind,
}

/// Cache key of the kerning between a space and a letter: the face, the index of the measures of the face, the letter,
/// and the side of the letter on which the space is.
pub(crate) type KerningKey = (u16, u16, char, Side);

/// Font metrics at a size, in px. Ascent and descent are whole px, as in browsers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Metrics {
    /// Extent above the baseline.
    pub ascent: f32,
    /// Extent below the baseline.
    pub descent: f32,
    /// Line height for `line-height: normal`.
    pub normal: f32,
    pub(super) x_height: f32,
}

/// A set of collapsed margins (CSS 2.2, 8.3.1): the largest positive and the most negative of them,
/// whose sum is the margin used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Margin {
    /// Largest positive margin, or 0.
    above: f32,
    /// Most negative margin, or 0.
    below: f32,
}

impl Margin {
    /// A single margin.
    pub(crate) fn of(margin: f32) -> Self {
        Self {
            above: margin.max(0.0),
            below: margin.min(0.0),
        }
    }

    /// Union of two sets of adjoining margins.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            above: self.above.max(other.above),
            below: self.below.min(other.below),
        }
    }

    /// The margin that is used, in px.
    pub(crate) fn sum(self) -> f32 {
        self.above + self.below
    }
}

/// Margin above a box, collapsed with those of its first descendants.
#[derive(Clone, Copy)]
pub(super) struct Collapsing {
    /// The collapsed margin itself.
    pub top: Margin,
    /// Whether the box has no height, lines, border or padding, so that its top and bottom margins collapse.
    pub through: bool,
    /// Whether a percentage makes the result valid for one container width only.
    pub relative: bool,
}

/// Width constraints of a table column (CSS 2.2, 17.5.2.2), in px.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Column {
    /// Min-content width.
    pub least: f32,
    /// Max-content width.
    pub most: f32,
    /// Percentage width, in percent.
    pub percent: Option<f32>,
    /// Whether a style or an attribute gives the column a length.
    pub fixed: bool,
}

/// Lays out the boxes of one document. The fields are the input, caches, and the state of the walk.
pub(crate) struct Engine<'e, 'l> {
    // The input.
    pub boxes: &'e Boxes,
    pub layout: &'e mut Layout<'l>,
    /// Compatibility mode of the document.
    pub quirks: Quirks,
    // The caches.
    /// Min-content and max-content widths of border boxes, in px.
    pub extents: HashMap<BoxId, (f32, f32)>,
    /// Shaped text of inline formatting contexts. The key contains `true` for the first line with the style of
    /// `::first-line`.
    pub prepared: HashMap<(BoxId, bool), Rc<Prepared>>,
    /// Collapsed margins of boxes where they do not depend on a width.
    pub(super) collapsing: HashMap<BoxId, Collapsing>,
    /// Font metrics by the address of a text style. The entry holds the style, so that its address is not reused.
    pub metrics: HashMap<usize, (Rc<Text>, Metrics)>,
    /// Layouts of boxes with independent formatting contexts, by their width and height.
    layouts: HashMap<(BoxId, u32, u32), Rc<Fragment>>,
    // The state of the walk, and further caches.
    /// Number of independent formatting contexts around the current box; 1 in the outermost context.
    pub contexts_around: usize,
    /// Halved border widths of cells in the collapsing border model.
    pub borders: HashMap<BoxId, Sides>,
    /// Winning borders of cells in the collapsing border model (CSS 2.2, 17.6.2.1).
    pub collapsed: HashMap<BoxId, Box<[Option<Border>; 4]>>,
    /// Width constraints of the columns of each table.
    pub(super) columns_of: HashMap<BoxId, Rc<[Column]>>,
    /// Kerning between spaces and letters, in font units.
    pub(super) kerns: HashMap<KerningKey, i32>,
    /// Size of the viewport or of the page area, in px: the base of `vw` and `vh`.
    pub viewport: (f32, f32),
    /// Number of multi-column containers around the current box.
    pub(super) columns_around: usize,
    /// Limit on the height of a page that becomes one picture, in px; `None` for paper.
    pub(super) tallest: Option<f32>,
    /// Number of boxes around the current one whose own height is bounded, so that their content
    /// does not make the page taller.
    pub(super) bounds_around: usize,
    /// Number of steps so far.
    pub steps: u64,
    /// Whether the limit on steps was exceeded.
    pub refused: bool,
}

impl<'e, 'l> Engine<'e, 'l> {
    /// Creates the state for the layout of a document's boxes, with empty caches.
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
            layouts: HashMap::new(),
            contexts_around: 0,
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

    /// Begins layout for a viewport of another size.
    pub(crate) fn begin(&mut self, viewport: (f32, f32)) {
        self.viewport = viewport;
        self.contexts_around = 0;
        self.forget();
    }

    /// Returns whether the current context is the outermost one. That context is laid out once, so its results need not
    /// be cached.
    pub(super) fn is_outermost(&self) -> bool {
        self.contexts_around <= 1
    }

    /// Empties the caches for boxes that are measured before they are placed.
    pub(crate) fn forget(&mut self) {
        self.layouts.clear();
        self.prepared.clear();
    }

    /// Computed style of a box.
    pub(crate) fn style(&self, id: BoxId) -> &'e Rc<Style> {
        &self.boxes.get(id).style
    }

    /// Counts one step.
    ///
    /// Errors: the limit on steps is exceeded, or the job was cancelled.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.count(1)
    }

    // Cancellation is checked every 1024 steps: a check costs more than a step.
    fn count(&mut self, steps: u64) -> Result<()> {
        let before = self.steps;
        self.steps = before.saturating_add(steps);
        if before / 1024 != self.steps / 1024 {
            self.layout.job.check()?;
        }
        if self.steps > MAX_STEPS {
            self.refused = true;
            return Err(Error::new(
                Kind::BadInput,
                "the styles of the page are too complex for a layout",
            ));
        }
        Ok(())
    }

    /// Checks that a box ending at `y` does not make the page higher than its picture may be.
    ///
    /// Errors: the page would be higher.
    pub(crate) fn reaches(&self, y: f32) -> Result<()> {
        match self.tallest {
            Some(most) if self.bounds_around == 0 && y > most => Err(Error::new(
                Kind::BadInput,
                format!(
                    "the page is higher than {most} px, the limit for a picture at this resolution: choose a lower dpi, or a larger width"
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Counts the steps of a search among this number of items; eight items cost one step.
    pub(crate) fn steps(&mut self, among: usize) -> Result<()> {
        self.count(among as u64 / 8 + 1)
    }

    /// The cached layout of a box at this size, if the cache has one.
    pub(super) fn cached_layout(&self, input: LayoutInput) -> Option<Rc<Fragment>> {
        self.layouts.get(&key(input)).cloned()
    }

    /// Adds the layout of a box for this size to the cache.
    pub(super) fn cache_layout(&mut self, input: LayoutInput, fragment: &Rc<Fragment>) {
        if self.layouts.len() > MAX_LAYOUTS {
            self.layouts.clear();
        }
        self.layouts.insert(key(input), fragment.clone());
    }
}

/// Cache key. The bits `u32::MAX` (a NaN) stand for `auto`, because no real height has them.
fn key(input: LayoutInput) -> (BoxId, u32, u32) {
    let height = input.height.map_or(u32::MAX, f32::to_bits);
    (input.id, input.width.to_bits(), height)
}
