//! What all parts of a drawing share while it is written: the file, what it holds already, memory and time. Draws nothing
//! itself.

use super::{sheet::Sheet, texts::Fonts};
use crate::{
    containers::pdf::{self, File},
    error::{Error, Kind, Result},
    image::vector::{self, Drawing},
    job::{Job, Notes},
};
use pdf_writer::{Ref, types::BlendMode as Mode, types::MaskType, writers::ExtGraphicsState};
use resvg::usvg::{BlendMode, Group, Node, Rect, Transform};
use std::{collections::HashMap, sync::Arc};

/// The most bytes of operators in one drawing.
const MAX_WRITTEN: u64 = 1 << 30;
/// What is asked for beyond what is needed, so that not every shape asks.
const STEP: u64 = 4 << 20;
/// What the font and the tables of the program take beside the drawing.
const BASE: u64 = 12 << 20;
/// Bytes that writing takes for each byte of operators: as they grow in memory, and packed.
const FACTOR: u64 = 3;

/// What a group or a shape is laid over what is below it with: opacity of areas and of lines, in thousandths, and a blend mode.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Over {
    pub(super) fill: u16,
    pub(super) stroke: u16,
    pub(super) blend: u8,
}

/// Those that are seen as they are.
pub(super) const PLAIN: Over = Over {
    fill: 1000,
    stroke: 1000,
    blend: 0,
};

/// See the module.
pub(super) struct Painter<'p, 'o> {
    pub(super) job: &'p Job<'p>,
    pub(super) drawing: &'p Drawing,
    pub(super) file: &'p mut File<'o>,
    /// The page in points.
    pub(super) page: Rect,
    /// Whether anything is laid over with other than the normal blend mode.
    pub(super) blends: bool,
    /// Pixels a point of what becomes pixels.
    pub(super) fine: f32,
    pub(super) fonts: Fonts<'p>,
    pub(super) pictures: HashMap<Arc<Vec<u8>>, Option<Ref>>,
    /// Gradients and patterns, by the place of each in memory and by how it is turned.
    pub(super) paints: HashMap<(usize, [u32; 6]), Ref>,
    graphics: HashMap<Over, Ref>,
    /// Bytes of the streams around the one that is written.
    around: Vec<u64>,
    /// Bytes of all that is complete, before it is packed.
    pub(super) written: u64,
    pub(super) reserved: u64,
    steps: u32,
    /// Pictures that cannot be decoded.
    pub(super) damaged: usize,
    /// Groups that became pixels.
    pub(super) filtered: usize,
    /// Groups that PDF has no blend mode for.
    pub(super) unblended: usize,
}

impl<'p, 'o> Painter<'p, 'o> {
    /// `page` brings the drawing's coordinates to the page.
    pub(super) fn new(
        job: &'p Job<'p>,
        drawing: &'p Drawing,
        file: &'p mut File<'o>,
        page: Transform,
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
            fonts: Fonts::default(),
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

    /// The whole drawing.
    pub(super) fn all(&mut self, sheet: &mut Sheet) -> Result<()> {
        let root = self.drawing.tree.root();
        if !self.blends {
            return self.children(sheet, root, 0);
        }
        // What is blended sees the drawing below it, and not the paper, as it would in a browser.
        let mut inner = self.enter(sheet);
        self.children(&mut inner, root, 0)?;
        let size = self.drawing.tree.size();
        if let Some(within) = size.to_rect(0.0, 0.0) {
            let form = self.form(inner, within);
            sheet.object(form);
        }
        Ok(())
    }

    /// Writes the fonts, and says what was lost.
    pub(super) fn finish(self, notes: &mut Notes) -> Result<()> {
        let groups = |count: usize| match count {
            1 => "A group of the drawing".to_owned(),
            count => format!("{count} groups of the drawing"),
        };
        match self.damaged {
            0 => {}
            1 => notes.add("A picture within the drawing is damaged, and left out."),
            count => notes.add(format!(
                "{count} pictures within the drawing are damaged, and left out."
            )),
        }
        if self.filtered > 0 {
            let (are, have) = match self.filtered {
                1 => ("is", "it has"),
                _ => ("are", "they have"),
            };
            notes.add(format!(
                "{} {are} pixels now, as {have} filters, which a PDF does not know.",
                groups(self.filtered)
            ));
        }
        if self.unblended > 0 {
            notes.add(format!(
                "Of {} the blend mode plus-lighter is screen now, as a PDF does not know it.",
                groups(self.unblended).to_lowercase()
            ));
        }
        self.fonts.write(self.file)
    }

    /// Begins a stream within another one.
    pub(super) fn enter(&mut self, sheet: &Sheet) -> Sheet {
        self.around.push(sheet.content.len() as u64);
        sheet.inner()
    }

    /// The same for a tile of a pattern, whose coordinates are brought to the page by `total`.
    pub(super) fn enter_tile(&mut self, sheet: &Sheet, total: Transform) -> Sheet {
        self.around.push(sheet.content.len() as u64);
        let mut inner = Sheet::new(total);
        inner.tiled = true;
        inner
    }

    /// How many streams there are around the one that is written.
    pub(super) fn depth(&self) -> usize {
        self.around.len()
    }

    /// Ends a stream that was begun by [`enter`](Self::enter), as a form.
    pub(super) fn form(&mut self, inner: Sheet, within: Rect) -> Ref {
        self.form_of(inner, within, b"DeviceRGB")
    }

    /// The same, with a colour space of its own.
    pub(super) fn form_of(&mut self, inner: Sheet, within: Rect, space: &[u8]) -> Ref {
        self.leave(&inner);
        let id = self.file.next();
        inner.write_form(self.file, id, within, space);
        id
    }

    /// Ends a stream that was begun by [`enter`](Self::enter), before it is written.
    pub(super) fn leave(&mut self, inner: &Sheet) {
        self.around.pop();
        self.written += inner.content.len() as u64;
    }

    /// Called for every node.
    ///
    /// Errors: the job has ended, or there is not enough memory.
    pub(super) fn step(&mut self, sheet: &Sheet) -> Result<()> {
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

    fn reserve(&mut self, open: u64) -> Result<()> {
        let need = BASE + self.drawing.memory + self.file.memory() + FACTOR * open;
        if need > self.reserved {
            self.reserved = need + STEP;
            self.job.reserve(self.reserved)?;
        }
        Ok(())
    }

    /// Reserves what was reserved before something else was.
    pub(super) fn settle(&self) -> Result<()> {
        self.job.reserve(self.reserved)
    }

    /// The object that sets opacity and blend mode. `None` where they are as at the beginning of a stream.
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

    /// The object that sets a soft mask.
    pub(super) fn soft_mask(&mut self, form: Ref, kind: MaskType) -> Ref {
        let id = self.file.next();
        pdf::small(self.file, id, |object| {
            let mut state: ExtGraphicsState<'_> = object.start();
            state.soft_mask().subtype(kind).group(form);
        });
        id
    }
}

/// Thousandths of an opacity.
pub(super) fn thousandths(opacity: f32) -> u16 {
    (opacity * 1000.0).round().clamp(0.0, 1000.0) as u16
}

/// PDF's blend modes (11.3.5), in the order of [`number`].
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

/// The place of a blend mode among [`MODES`].
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

/// Whether any group has a blend mode. Masks and patterns are drawn apart anyway.
fn blends(group: &Group, depth: usize) -> bool {
    depth < super::groups::MAX_DEPTH
        && group.children().iter().any(|child| match child {
            Node::Group(group) => {
                group.blend_mode() != BlendMode::Normal || blends(group, depth + 1)
            }
            Node::Path(_) | Node::Image(_) | Node::Text(_) => false,
        })
}
