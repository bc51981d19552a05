//! Writes a deck with its design: a master page for each design, and pages whose frames have their own places and
//! formatting.

mod frames;
mod looks;
mod styles;
mod words;

use super::{archive, part, text};
use crate::{
    containers::xml::Writer,
    deck::{Deck, Place, Slide},
    deck_material::{GrowingLease, Material, Sheet},
    error::Result,
    job::{Job, Notes, Output, Progress, Unit},
};
use convertd_office::drawing::Fill;
use convertd_tree::losses::{Loss, Losses};
use frames::Writing;
use std::collections::BTreeSet;
use styles::Styles;

static DIRECTIONS: Loss = Loss {
    one: "A text is no longer rotated within its shape: OpenDocument has no rotation of text within a shape.",
    many: "{} texts are no longer rotated within their shapes: OpenDocument has no rotation of text within a shape.",
};

static PATTERNS: Loss = Loss {
    one: "A pattern was replaced by its average colour: OpenDocument does not have this pattern.",
    many: "{} patterns were replaced by their average colours: OpenDocument does not have these patterns.",
};

/// Name of the master for slides without a design.
const PLAIN: &str = "Plain";

/// Writes a presentation.
///
/// Errors: those of [`Deck::slide`], and of writing.
pub(in crate::formats::odp) fn write(
    job: &Job<'_>,
    deck: &mut dyn Deck,
    material: &Material,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let size = deck.facts().size;
    let size = (size.0.to_emu() as f64, size.1.to_emu() as f64);
    let mut styles = Styles::default();
    let mut pictures = BTreeSet::new();
    let mut writing = Writing {
        material,
        styles: &mut styles,
        pictures: &mut pictures,
        sheet: Sheet::Design(0),
        charts: 0,
        titled: false,
        losses: Losses::default(),
        lease: GrowingLease::new(job)?,
    };
    let mut masters = Writer::fragment();
    for (number, design) in material.designs.iter().enumerate() {
        writing.sheet = Sheet::Design(number);
        writing.charts = 0;
        master(&mut masters, &format!("Design{}", number + 1));
        for frames in &design.frames {
            writing.frames(&mut masters, frames)?;
        }
        masters.end();
    }
    master(&mut masters, PLAIN);
    masters.end();
    let automatic = writing.styles.end_part();
    let mut body = Writer::fragment();
    let all = material.slides.len();
    for (nth, number) in material.slides.iter().enumerate() {
        job.check()?;
        job.progress(Progress {
            done: (all + nth) as u64,
            total: 2 * all as u64,
            unit: Unit::Pages,
        });
        let slide = deck.slide(*number)?;
        writing.sheet = Sheet::Slide(*number);
        writing.charts = 0;
        writing.titled = false;
        page(&mut writing, &mut body, nth, &slide, material.noted[nth])?;
    }
    let own = writing.styles.end_part();
    let Writing {
        losses,
        lease: _lease,
        ..
    } = writing;
    losses.add_notes(notes);
    let mut content = part("office:document-content");
    content.start("office:automatic-styles");
    content.raw(&own).end();
    content.start("office:body").start("office:presentation");
    content.raw(&body.finish());
    let masters = masters.finish();
    let styles = super::styles::part_with(size, styles.commons(), &automatic, &masters);
    let content = content.finish();
    archive(job, &material.document, content, styles, &pictures, output)
}

/// Begins a master page.
fn master(xml: &mut Writer, name: &str) {
    xml.start("style:master-page")
        .attribute("style:name", name)
        .attribute("style:page-layout-name", "PM1")
        .attribute("draw:style-name", "Mdp1");
}

/// Writes a page with its background, its frames and its notes.
fn page(
    writing: &mut Writing<'_, '_>,
    xml: &mut Writer,
    index: usize,
    slide: &Slide,
    has_notes: bool,
) -> Result<()> {
    let mut look = Writer::fragment();
    look.start("style:drawing-page-properties")
        .attribute("presentation:background-visible", "true")
        .attribute("presentation:background-objects-visible", "true")
        .attribute("presentation:display-page-number", "true")
        .attribute("presentation:display-footer", "true")
        .attribute("presentation:display-date-time", "true");
    if slide.hidden {
        look.attribute("presentation:visibility", "hidden");
    }
    if slide.background != Fill::None {
        writing.fill(&mut look, &slide.background);
    }
    look.end();
    let look = writing.styles.automatic("drawing-page", look);
    let design = writing.material.design(slide);
    let master = match design {
        Some(design) => format!("Design{}", design + 1),
        None => PLAIN.to_owned(),
    };
    xml.start("draw:page")
        .attribute("draw:name", text::name(index))
        .attribute("draw:style-name", look)
        .attribute("draw:master-page-name", master);
    if design.is_none() {
        for frames in &slide.master_frames {
            writing.frames(xml, frames)?;
        }
    }
    writing.frames(xml, &slide.frames)?;
    if has_notes {
        let frame = |[x, y, width, height]: [i64; 4]| Place {
            x: x as f64,
            y: y as f64,
            width: width as f64,
            height: height as f64,
            ..Place::default()
        };
        xml.start("presentation:notes").start("draw:page-thumbnail");
        looks::position(xml, &frame(super::pages::THUMBNAIL));
        xml.number("draw:page-number", index as i64 + 1)
            .attribute("presentation:class", "page")
            .end();
        xml.start("draw:frame")
            .attribute("presentation:style-name", "Plain-notes")
            .attribute("draw:layer", "layout");
        looks::position(xml, &frame(super::pages::NOTES));
        xml.attribute("presentation:class", "notes");
        xml.start("draw:text-box");
        writing.paragraphs(xml, &slide.notes)?;
        xml.end().end().end();
    }
    xml.end();
    Ok(())
}

/// Formats a length in centimetres, to the micrometre, because the dashes of a line depend on its exact width.
fn length(emu: f64) -> String {
    format!("{:.4}cm", emu / 360_000.0)
}
