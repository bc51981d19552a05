//! Invisible text layers with the recognised text of scanned pages. Does not encode pictures again. Does not change the
//! appearance of pages, except that they may be rotated or deskewed.
//!
//! The layer comes after the content of the page. The content is put between `q` and `Q`, because it may leave the
//! graphics state in any condition. The layer is not an artifact, because programs that read a page aloud skip
//! artifacts.

use super::{
    Pages,
    assemble::Assembly,
    hidden, leaves, operators,
    overlay::{self, times},
    store::Store,
    value::{Dict, Id},
};
use crate::{
    error::Result,
    job::{Job, Notes, Progress, Unit},
    read::scanner::{Outcome, Scan, Scanner},
};
use convertd_ocr::page::Turn;
use convertd_pdfwrite::object::File;
use convertd_scan::{
    glyphless::Glyphless,
    layer,
    options::{Mode, deskews, turns_upright},
};
use pdf_writer::Ref;

/// Smallest angle by which a page is deskewed, in degrees.
const LEAST_ANGLE: f32 = 0.1;

/// Limit on the graphics states that are saved before the content of a page for its surplus `Q`, and on those that are
/// restored after it for its surplus `q`.
const MAX_STATES: usize = 1000;

/// Returns whether the job asks for OCR, or for pages to be deskewed or turned upright.
pub(super) fn wanted(job: &Job<'_>) -> bool {
    Mode::of(job.options(), Mode::Off) != Mode::Off || deskews(job) || turns_upright(job)
}

/// Recognises the pages that need it, adds their text as layers, and deskews or turns the pages if the job asks for
/// this.
///
/// Errors: there is not enough memory, or the job is to end.
pub(super) fn layers(
    job: &Job<'_>,
    store: &mut Store<'_>,
    file: &mut File<'_>,
    document: &Assembly,
    pages: &Pages<'_>,
    notes: &mut Notes,
) -> Result<()> {
    if !wanted(job) {
        return Ok(());
    }
    let mode = Mode::of(job.options(), Mode::Off);
    let mut scanner = Scanner::new(job, if mode == Mode::Off { Mode::Auto } else { mode });
    let mut layers = Layers {
        job,
        has_text: mode != Mode::Off,
        font: Glyphless::default(),
        font_id: None,
        turned: 0,
        straightened: 0,
    };
    let total = document.pages.len() as u64;
    for ((number, id), pick) in (1..).zip(&document.pages).zip(pages.picks) {
        store.check()?;
        job.progress(Progress {
            done: number as u64 - 1,
            total,
            unit: Unit::Pages,
        });
        let source = store.sources().get(pick.source as usize).copied();
        let Some(page) = source.and_then(|pdf| pdf.pages().get(pick.index)) else {
            continue;
        };
        if let Outcome::Read(scan) = scanner.page(page, number)? {
            layers.add(store, file, *id, &scan);
        }
    }
    layers.finish(file, notes);
    scanner.report.add_notes(notes);
    Ok(())
}

/// The layers that are added to a file.
struct Layers<'j> {
    job: &'j Job<'j>,
    /// Whether text is added; otherwise pages are only rotated or deskewed.
    has_text: bool,
    font: Glyphless,
    font_id: Option<Ref>,
    /// Number of pages that were turned upright.
    turned: usize,
    /// Number of pages that were deskewed.
    straightened: usize,
}

impl Layers<'_> {
    /// Adds the text layer of a page, and deskews the page or turns it upright if the job asks for this.
    fn add(&mut self, store: &mut Store<'_>, file: &mut File<'_>, id: Id, scan: &Scan) {
        let Some(mut page) = store.dict_of(id) else {
            return;
        };
        if scan.has_hidden && self.has_text {
            hidden::remove(store, &mut page);
        }
        let mut to_user = scan.to_user.as_coeffs();
        let mut before = String::from("q\n");
        let mut is_changed = self.has_text;
        if deskews(self.job) && scan.text.skew.abs() >= LEAST_ANGLE {
            let matrix = straight(leaves::seen(store, &page), scan.text.skew.into());
            let [a, b, c, d, e, f] = matrix.map(|number| layer::rounded(number, 1e6));
            before = format!("q\n{a} {b} {c} {d} {e} {f} cm\n");
            is_changed = true;
            to_user = times(to_user, matrix);
            self.straightened += 1;
        }
        if is_changed {
            // The layer must not depend on the states of the content: content that restores more states than it saved
            // would undo states that were saved before it, and content that saves more than it restores would affect
            // the layer.
            let content = operators::of_page(store, &page);
            let (under, open) = content.map_or((0, 0), |content| operators::balance(&content));
            before.push_str(&"q\n".repeat(under.min(MAX_STATES)));
            let mut after = "Q\n".repeat(1 + open.min(MAX_STATES));
            // Letters that the layer replaces get an empty replacement text (14.9.4), unless the structure tree refers
            // to them.
            if scan.is_instead && scan.has_letters && self.has_text && !page.has("StructParents") {
                before.insert_str(0, "/Span <</ActualText <FEFF>>> BDC\n");
                after.push_str("EMC\n");
            }
            if self.has_text {
                let mut resources = store.dict(page.get("Resources")).unwrap_or_default();
                let mut fonts = store.dict(resources.get("Font")).unwrap_or_default();
                let name = free_name(&fonts);
                after.push_str(&layer::content(&scan.text, to_user, &mut self.font, &name));
                let font = *self.font_id.get_or_insert_with(|| file.next());
                fonts.set(&name, Id::written(font));
                resources.set("Font", fonts);
                page.set("Resources", resources);
            }
            overlay::wrap(store, &mut page, &before, &after);
        }
        if turns_upright(self.job) && scan.text.turn != Turn::Upright {
            let turn = match scan.text.turn {
                Turn::Upright => 0,
                Turn::Clockwise => 90,
                Turn::UpsideDown => 180,
                Turn::CounterClockwise => 270,
            };
            page.set("Rotate", (leaves::rotation(store, &page) + turn) % 360);
            self.turned += 1;
        }
        store.set(id, page);
    }

    /// Writes the font, and makes notes about the pages.
    fn finish(&self, file: &mut File<'_>, notes: &mut Notes) {
        if let Some(id) = self.font_id {
            self.font.write(file, id);
        }
        let pages = |count: usize, what: &str| match count {
            1 => format!("A page was {what}."),
            _ => format!("{count} pages were {what}."),
        };
        if self.turned > 0 {
            notes.add(pages(self.turned, "turned upright"));
        }
        if self.straightened > 0 {
            notes.add(pages(self.straightened, "straightened"));
        }
    }
}

/// The matrix that rotates a page clockwise by this number of degrees about the centre of its visible part. A `Rotate`
/// entry of the page does not change this matrix.
fn straight([left, bottom, right, top]: [f64; 4], degrees: f64) -> [f64; 6] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (x, y) = ((left + right) / 2.0, (bottom + top) / 2.0);
    let away = [1.0, 0.0, 0.0, 1.0, -x, -y];
    let turned = [cos, -sin, sin, cos, x, y];
    times(away, turned)
}

/// A resource name for the font of the layer, which no other font of the page has.
fn free_name(fonts: &Dict) -> String {
    let mut names = (0..).map(|number| match number {
        0 => "Read".to_owned(),
        _ => format!("Read{number}"),
    });
    names.find(|name| !fonts.has(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_straightened_about_their_centre() {
        #[track_caller]
        fn check(from: (f64, f64), degrees: f64, to: (f64, f64)) {
            let [a, b, c, d, e, f] = straight([100.0, 200.0, 300.0, 400.0], degrees);
            let (x, y) = (a * from.0 + c * from.1 + e, b * from.0 + d * from.1 + f);
            assert!(
                (x - to.0).abs() < 1e-6 && (y - to.1).abs() < 1e-6,
                "{x} {y}"
            );
        }
        check((200.0, 300.0), 3.0, (200.0, 300.0));
        // Clockwise: points right of the centre move down.
        check((300.0, 300.0), 90.0, (200.0, 200.0));
    }

    #[test]
    fn the_font_has_a_name_of_its_own() {
        let mut fonts = Dict::default();
        assert_eq!(free_name(&fonts), "Read");
        fonts.set("Read", 1);
        fonts.set("Read1", 1);
        assert_eq!(free_name(&fonts), "Read2");
    }
}
