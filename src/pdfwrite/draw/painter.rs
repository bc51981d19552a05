//! State that all parts of a drawing share while it is written: the file, its objects, memory and time.

use super::{
    fonts::{Fonts, Set},
    sheet::Sheet,
};
use crate::{
    error::{Error, Kind, Result},
    image::vector::{self, Drawing},
    job::{Job, Notes},
    object::{self as pdf, File},
};
use pdf_writer::{Ref, types::BlendMode as Mode, types::MaskType, writers::ExtGraphicsState};
use resvg::usvg::{BlendMode, Group, Node, Rect, Transform};
use std::{collections::HashMap, sync::Arc};

/// Max. size of the content streams of a drawing, in bytes, before compression.
const MAX_WRITTEN: u64 = 1 << 30;
/// Memory that is reserved beyond the current need, in bytes, so that not every node has to reserve more.
const STEP: u64 = 4 << 20;
/// Memory for the program's fonts and tables, in bytes.
const BASE: u64 = 12 << 20;
/// Memory for writing, per byte of a content stream: a growing buffer, and its compressed form.
const FACTOR: u64 = 3;

/// Compositing of a group or shape: the opacity of fills and of strokes, in thousandths, and a blend mode by its index
/// in [`MODES`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Over {
    pub(super) fill: u16,
    pub(super) stroke: u16,
    pub(super) blend: u8,
}

/// Opaque, with the normal blend mode: the default of a graphics state.
pub(super) const PLAIN: Over = Over {
    fill: 1000,
    stroke: 1000,
    blend: 0,
};

/// A drawing that is being written.
pub(super) struct Painter<'p, 'o> {
    // The job, its input and its output.
    pub(super) job: &'p Job<'p>,
    pub(super) drawing: &'p Drawing,
    pub(super) file: &'p mut File<'o>,
    /// Page area covered by the drawing, in points.
    pub(super) page: Rect,
    /// Whether a group outside of masks and patterns has a blend mode other than the normal one.
    pub(super) blends: bool,
    /// Resolution of rendered groups, in pixels per point.
    pub(super) fine: f32,
    // Objects in the file, each written once.
    pub(super) fonts: &'p mut Fonts,
    /// See [`Set::smooth`].
    pub(super) smooth: bool,
    pub(super) pictures: HashMap<Arc<Vec<u8>>, Option<Ref>>,
    /// Gradients and patterns in the file, by their address in memory and their transform.
    pub(super) paints: HashMap<(usize, [u32; 6]), Ref>,
    /// Graphics state objects in the file.
    graphics: HashMap<Over, Ref>,
    // Accounting of memory.
    /// Size of each enclosing stream when the nested stream began, in bytes.
    around: Vec<u64>,
    /// Size of all complete streams before compression, and of the functions of gradients, in bytes.
    pub(super) written: u64,
    /// Memory that the job has reserved, in bytes.
    pub(super) reserved: u64,
    // Counters for checks and notes.
    steps: u32,
    /// Number of pictures that could not be decoded.
    pub(super) damaged: usize,
    /// Number of groups that became pixels.
    pub(super) filtered: usize,
    /// Number of groups whose blend mode PDF does not have.
    pub(super) unblended: usize,
}

impl<'p, 'o> Painter<'p, 'o> {
    /// Creates a painter. `page` transforms the drawing's coordinates to those of the page. If filters need too much
    /// memory at the resolution of the option `quality`, they are rendered with 96 dpi.
    pub(super) fn new(
        job: &'p Job<'p>,
        drawing: &'p Drawing,
        file: &'p mut File<'o>,
        page: Transform,
        set: Set<'p>,
    ) -> Result<Self> {
        let size = drawing.tree.size();
        let bounds = size.to_rect(0.0, 0.0).and_then(|rect| rect.transform(page));
        let page_rect =
            bounds.ok_or_else(|| Error::internal("a drawing without a page", job.from.name))?;
        let mut fine = job.quality().pick(96.0, 192.0, 288.0) / 72.0;
        if !drawing.tree.filters().is_empty() {
            let scale = |fine: f32| f64::from(fine) * f64::from(page.get_scale().0);
            if vector::check_filters(job, &drawing.tree, scale(fine)).is_err() {
                fine = 96.0 / 72.0;
                vector::check_filters(job, &drawing.tree, scale(fine))?;
            }
        }
        let mut painter = Self {
            job,
            drawing,
            file,
            page: page_rect,
            blends: blends(drawing.tree.root(), 0),
            fine,
            fonts: set.fonts,
            smooth: set.smooth,
            pictures: HashMap::new(),
            paints: HashMap::new(),
            graphics: HashMap::new(),
            around: Vec::new(),
            written: 0,
            reserved: 0,
            steps: 0,
            damaged: 0,
            filtered: 0,
            unblended: 0,
        };
        painter.reserve(0)?;
        Ok(painter)
    }

    /// Draws the whole drawing.
    pub(super) fn all(&mut self, sheet: &mut Sheet) -> Result<()> {
        let root = self.drawing.tree.root();
        if !self.blends {
            return self.children(sheet, root, 0);
        }
        // Blending affects only the drawing and not the paper, as in a browser, so everything is in one isolated group.
        let mut inner = self.enter(sheet);
        self.children(&mut inner, root, 0)?;
        let size = self.drawing.tree.size();
        if let Some(within) = size.to_rect(0.0, 0.0) {
            let form = self.form(inner, within);
            sheet.object(form);
        }
        Ok(())
    }

    /// Adds notes about losses.
    pub(super) fn add_notes(self, notes: &mut Notes) {
        let groups = |count: usize| match count {
            1 => "A group of the drawing".to_owned(),
            count => format!("{count} groups of the drawing"),
        };
        match self.damaged {
            0 => {}
            1 => notes.add("A damaged picture within the drawing was left out."),
            count => notes.add(format!(
                "{count} damaged pictures within the drawing were left out."
            )),
        }
        if self.filtered > 0 {
            let (are, have) = match self.filtered {
                1 => ("is", "it has"),
                _ => ("are", "they have"),
            };
            notes.add(format!(
                "{} {are} converted to pixels, because {have} filters, which PDF cannot hold.",
                groups(self.filtered)
            ));
        }
        if self.unblended > 0 {
            notes.add(format!(
                "The blend mode plus-lighter of {} became screen, because PDF does not have it.",
                groups(self.unblended).to_lowercase()
            ));
        }
    }

    /// Begins a nested stream.
    pub(super) fn enter(&mut self, sheet: &Sheet) -> Sheet {
        self.around.push(sheet.content.len() as u64);
        sheet.inner()
    }

    /// Begins the stream of a pattern tile. `total` transforms its coordinates to those of the page.
    pub(super) fn enter_tile(&mut self, sheet: &Sheet, total: Transform) -> Sheet {
        self.around.push(sheet.content.len() as u64);
        let mut inner = Sheet::new(total);
        inner.tiled = true;
        inner
    }

    /// Number of enclosing streams.
    pub(super) fn depth(&self) -> usize {
        self.around.len()
    }

    /// Ends a stream from [`enter`](Self::enter), and writes it as a form.
    pub(super) fn form(&mut self, inner: Sheet, within: Rect) -> Ref {
        self.form_of(inner, within, b"DeviceRGB")
    }

    /// Like [`form`](Self::form), with another colour space for its group.
    pub(super) fn form_of(&mut self, inner: Sheet, within: Rect, space: &[u8]) -> Ref {
        self.leave(&inner);
        let id = self.file.next();
        inner.write_form(self.file, id, within, space);
        id
    }

    /// Ends a stream before it is written.
    pub(super) fn leave(&mut self, inner: &Sheet) {
        self.around.pop();
        self.written += inner.content.len() as u64;
    }

    /// Checks time, memory and size. Called for every node, and from time to time within a long path.
    ///
    /// Errors: the job has ended, there is not enough memory, or the PDF would be too large ([`Kind::BadInput`]).
    pub(super) fn step(&mut self, sheet: &Sheet) -> Result<()> {
        // The checks of the job and the file cost more than a small node, so they are made once in 64 calls.
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(64) {
            self.job.check()?;
            self.file.check()?;
        }
        let open = self.around.iter().sum::<u64>() + sheet.content.len() as u64;
        if self.written + open > MAX_WRITTEN {
            return Err(Error::new(
                Kind::BadInput,
                "the drawing would become a PDF of more than a gigabyte",
            ));
        }
        self.reserve(open)
    }

    /// Reserves memory, if the streams that are open need more than what is reserved.
    fn reserve(&mut self, open: u64) -> Result<()> {
        let need = BASE + self.drawing.memory + self.file.memory() + FACTOR * open;
        if need > self.reserved {
            self.reserved = need + STEP;
            self.job.reserve(self.reserved)?;
        }
        Ok(())
    }

    /// Returns the graphics state object with this opacity and blend mode, or `None` for the defaults.
    pub(super) fn over(&mut self, over: Over) -> Option<Ref> {
        if over == PLAIN {
            return None;
        }
        if let Some(known) = self.graphics.get(&over) {
            return Some(*known);
        }
        let id = self.file.next();
        pdf::small(self.file, id, |object| {
            let mut state: ExtGraphicsState<'_> = object.start();
            state.non_stroking_alpha(f32::from(over.fill) / 1000.0);
            state.stroking_alpha(f32::from(over.stroke) / 1000.0);
            if over.blend > 0 {
                state.blend_mode(MODES[usize::from(over.blend)]);
            }
        });
        self.graphics.insert(over, id);
        Some(id)
    }

    /// Returns a new graphics state object with a soft mask.
    pub(super) fn soft_mask(&mut self, form: Ref, kind: MaskType) -> Ref {
        let id = self.file.next();
        pdf::small(self.file, id, |object| {
            let mut state: ExtGraphicsState<'_> = object.start();
            state.soft_mask().subtype(kind).group(form);
        });
        id
    }
}

/// Converts an opacity to thousandths.
pub(super) fn thousandths(opacity: f32) -> u16 {
    (opacity * 1000.0).round().clamp(0.0, 1000.0) as u16
}

/// Blend modes of PDF (ISO 32000-1, 11.3.5), in the order of [`number`].
static MODES: [Mode; 16] = [
    Mode::Normal,
    Mode::Multiply,
    Mode::Screen,
    Mode::Overlay,
    Mode::Darken,
    Mode::Lighten,
    Mode::ColorDodge,
    Mode::ColorBurn,
    Mode::HardLight,
    Mode::SoftLight,
    Mode::Difference,
    Mode::Exclusion,
    Mode::Hue,
    Mode::Saturation,
    Mode::Color,
    Mode::Luminosity,
];

/// Index of a blend mode in [`MODES`]. PDF has no plus-lighter; screen is the most similar mode.
pub(super) fn number(mode: BlendMode) -> u8 {
    match mode {
        BlendMode::Normal => 0,
        BlendMode::Multiply => 1,
        BlendMode::Screen | BlendMode::PlusLighter => 2,
        BlendMode::Overlay => 3,
        BlendMode::Darken => 4,
        BlendMode::Lighten => 5,
        BlendMode::ColorDodge => 6,
        BlendMode::ColorBurn => 7,
        BlendMode::HardLight => 8,
        BlendMode::SoftLight => 9,
        BlendMode::Difference => 10,
        BlendMode::Exclusion => 11,
        BlendMode::Hue => 12,
        BlendMode::Saturation => 13,
        BlendMode::Color => 14,
        BlendMode::Luminosity => 15,
    }
}

/// Returns whether any group has a blend mode other than the normal one. Masks and patterns are composited separately,
/// and do not count.
fn blends(group: &Group, depth: usize) -> bool {
    depth < MAX_DEPTH
        && group.children().iter().any(|child| match child {
            Node::Group(group) => {
                group.blend_mode() != BlendMode::Normal || blends(group, depth + 1)
            }
            Node::Path(_) | Node::Image(_) | Node::Text(_) => false,
        })
}

/// Limit on nested groups. The parser limits the nesting of elements, but each `use` adds to it.
pub(super) const MAX_DEPTH: usize = 512;

/// Error for nesting deeper than in any real drawing.
pub(super) fn too_deep() -> Error {
    Error::new(
        Kind::BadInput,
        format!("the drawing has groups nested more than {MAX_DEPTH} deep"),
    )
}
