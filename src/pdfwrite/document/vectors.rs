//! Vector drawings (SVG, EMF, WMF, PICT) in a document: each is written once, as a form XObject with paths and text,
//! however often it is shown.

use super::metadata;
use crate::{
    draw::{self as drawing, Fonts, Set},
    error::Result,
    image::vector,
    job::{Job, Notes},
    object::File,
};
use convertd_tree::{drawings::Budget, losses::Loss};
use pdf_writer::Ref;

/// Points per CSS px: an inch has 72 points and 96 px.
const POINTS: f32 = 72.0 / 96.0;
/// Number of the first font of drawings. The fonts of the document have smaller numbers.
const FIRST_FONT: u16 = 0x8000;

static INTRICATE: Loss = Loss {
    one: "A drawing (SVG, EMF or WMF) is too complicated, or damaged: its description is shown instead.",
    many: "{} drawings (SVG, EMF or WMF) are too complicated, or damaged: their descriptions are shown instead.",
};

/// State that the drawings of a document share.
#[derive(Default)]
pub(super) struct Drawings {
    /// Time and memory that all drawings together may use.
    budget: Budget,
    fonts: Fonts,
    notes: Notes,
}

impl Drawings {
    /// Writes a drawing. Returns the object, and the natural size of the drawing in points. `shown` computes the
    /// displayed size from the natural one.
    pub(super) fn draw(
        &mut self,
        job: &Job<'_>,
        file: &mut File<'_>,
        bytes: &[u8],
        shown: impl Fn((f32, f32)) -> (f32, f32),
    ) -> Result<(Ref, (f32, f32)), &'static Loss> {
        let drawn = self.form(job, file, bytes, shown);
        // All errors count as a drawing that is too complicated. If the job has ended, its next check returns the error
        // again.
        drawn.unwrap_or(None).ok_or(&INTRICATE)
    }

    /// Writes a drawing as a form XObject. `None` if it is damaged or would take too long.
    fn form(
        &mut self,
        job: &Job<'_>,
        file: &mut File<'_>,
        bytes: &[u8],
        shown: impl Fn((f32, f32)) -> (f32, f32),
    ) -> Result<Option<(Ref, (f32, f32))>> {
        let Some(drawing) = self.budget.read(job, bytes)? else {
            return Ok(None);
        };
        let size = drawing.tree.size();
        let own = (size.width() * POINTS, size.height() * POINTS);
        let shown = shown(own);
        // Filters and embedded pictures take the most time, so the budget is checked for their highest resolution, 288
        // dpi.
        if !self
            .budget
            .allows(&drawing, f64::from(shown.0) * 288.0 / 72.0)
        {
            return Ok(None);
        }
        let mut notes = Notes::default();
        for note in drawing.notes() {
            notes.add(note);
        }
        let set = Set {
            fonts: &mut self.fonts,
            smooth: metadata::archive(job.options()).is_none(),
        };
        let object = vector::within(job, bytes.len() as u64, |job| {
            drawing::form(job, &drawing, file, shown, set, &mut notes)
        })?;
        notes.move_into(&mut self.notes);
        Ok(Some((object, own)))
    }

    /// Writes the fonts of all drawings, and notes the losses.
    pub(super) fn write(&mut self, file: &mut File<'_>, notes: &mut Notes) -> Result<()> {
        std::mem::take(&mut self.notes).move_into(notes);
        self.fonts.write(file, FIRST_FONT)
    }
}
