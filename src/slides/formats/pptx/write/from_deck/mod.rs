//! Writes a deck with its design: a layout for each design, and slides whose frames have their own places and
//! formatting. The frames inherit nothing from the master, which is the same in all presentations, apart from its list
//! of layouts.

mod frames;
mod looks;
mod words;

use super::{
    FIXED, begin, package,
    package::Media,
    part,
    slide::{NOTES_SHAPES, begin_notes, end, tree},
};
use crate::{
    containers::{xml::Writer, zip},
    deck::{Deck, Paragraph, Slide},
    deck_material::{GrowingLease, Material, Sheet},
    error::Result,
    job::{Job, Notes, Output, Progress, Unit},
};
use convertd_office::drawing::Fill;
use convertd_office::wordprocessing::write::Relationships;
use frames::Writing;

/// Element of the master that lists its layouts, as in the template.
const LAYOUTS: [&str; 2] = ["<p:sldLayoutIdLst>", "</p:sldLayoutIdLst>"];

/// Identifier of the first layout. Identifiers are at least 2³¹, and the master has the identifier 2³¹ (19.7.8).
const FIRST_LAYOUT: i64 = 2_147_483_649;

/// Writes a presentation.
///
/// Errors: those of [`Deck::slide`], and of writing.
pub(in crate::formats::pptx) fn write(
    job: &Job<'_>,
    deck: &mut dyn Deck,
    material: &Material,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut archive = zip::Writer::new(job, output);
    let mut media = Media::new(&material.document);
    let size = deck.facts().size;
    let size = (size.0.to_emu(), size.1.to_emu());
    // The parts of notes pages are also in the list of content types, which comes first in the archive.
    let with_notes = &material.noted;
    // Slides without a design need a layout, too.
    let layouts = material.designs.len() + 1;
    begin(&mut archive, &material.document, with_notes, layouts, size)?;
    for (name, text) in FIXED {
        match name.split('/').next() {
            Some("slideLayouts") => {}
            Some("slideMasters") => {
                let text = master(text, layouts);
                part(&mut archive, name, &text, &package::fixed(name, layouts))?;
            }
            _ => part(&mut archive, name, text, &package::fixed(name, layouts))?,
        }
    }
    for number in 0..layouts {
        let sheet = Sheet::Design(number);
        let mut writing = Writing::new(
            material,
            &mut media,
            sheet,
            "../slides/",
            GrowingLease::new(job)?,
        );
        let master = "../slideMasters/slideMaster1.xml";
        writing.relationships.add("slideMaster", master, false);
        let mut xml = package::part("p:sldLayout");
        xml.attribute("preserve", "1").attribute("userDrawn", "1");
        xml.start("p:cSld")
            .attribute("name", format!("Design {}", number + 1));
        tree(&mut xml);
        let frames = material.designs.get(number).into_iter();
        for frames in frames.flat_map(|design| &design.frames) {
            writing.frames(&mut xml, frames)?;
        }
        let relationships = std::mem::take(&mut writing.relationships);
        let name = format!("slideLayouts/slideLayout{}.xml", number + 1);
        part(&mut archive, &name, &end(xml), &relationships)?;
    }
    let all = material.slides.len();
    for (nth, number) in material.slides.iter().enumerate() {
        job.check()?;
        job.progress(Progress {
            done: (all + nth) as u64,
            total: 2 * all as u64,
            unit: Unit::Pages,
        });
        let slide = deck.slide(*number)?;
        let design = material.design(&slide).unwrap_or(material.designs.len());
        let mut writing = Writing::new(
            material,
            &mut media,
            Sheet::Slide(*number),
            "",
            GrowingLease::new(job)?,
        );
        let layout = format!("../slideLayouts/slideLayout{}.xml", design + 1);
        writing.relationships.add("slideLayout", &layout, false);
        if with_notes[nth] {
            let target = format!("../notesSlides/notesSlide{}.xml", nth + 1);
            writing.relationships.add("notesSlide", &target, false);
        }
        let text = self::slide(&mut writing, &slide, design == material.designs.len())?;
        let Writing {
            relationships,
            lease: _lease,
            ..
        } = writing;
        let name = format!("slides/slide{}.xml", nth + 1);
        part(&mut archive, &name, &text, &relationships)?;
        if with_notes[nth] {
            let writing = Writing::new(
                material,
                &mut media,
                Sheet::Slide(*number),
                "../slides/",
                GrowingLease::new(job)?,
            );
            let (text, relationships) = notes_page(writing, nth, &slide.notes)?;
            let name = format!("notesSlides/notesSlide{}.xml", nth + 1);
            part(&mut archive, &name, &text, &relationships)?;
        }
    }
    media.write(&mut archive)?;
    archive.finish()?;
    media.losses.add_notes(notes);
    Ok(())
}

/// Replaces the list of layouts in the text of the template's master.
fn master(template: &str, layouts: usize) -> String {
    let [start, end] = LAYOUTS;
    let (before, rest) = template.split_once(start).unwrap_or((template, end));
    let (_, after) = rest.split_once(end).unwrap_or_default();
    let mut list = Writer::fragment();
    list.start("p:sldLayoutIdLst");
    for number in 0..layouts {
        list.start("p:sldLayoutId")
            .number("id", FIRST_LAYOUT + number as i64)
            .attribute("r:id", format!("rId{}", number + 1))
            .end();
    }
    format!("{before}{}{after}", list.finish())
}

/// Writes a slide. `alone` states whether the slide contains the frames of its design, because it has no layout with
/// them.
fn slide(writing: &mut Writing<'_, '_, '_>, slide: &Slide, alone: bool) -> Result<String> {
    let mut xml = package::part("p:sld");
    if slide.hidden {
        xml.attribute("show", "0");
    }
    xml.start("p:cSld");
    if slide.background != Fill::None {
        xml.start("p:bg").start("p:bgPr");
        writing.fill(&mut xml, &slide.background);
        xml.start("a:effectLst").end().end().end();
    }
    tree(&mut xml);
    if alone {
        for frames in &slide.master_frames {
            writing.frames(&mut xml, frames)?;
        }
    }
    writing.frames(&mut xml, &slide.frames)?;
    Ok(end(xml))
}

/// Writes the notes page of the slide with this index.
fn notes_page(
    mut writing: Writing<'_, '_, '_>,
    index: usize,
    paragraphs: &[Paragraph],
) -> Result<(String, Relationships)> {
    let mut xml = begin_notes(index, &mut writing.relationships);
    xml.start("p:sp").start("p:nvSpPr").start("p:cNvPr");
    xml.number("id", NOTES_SHAPES + 1)
        .attribute("name", "Notes 3")
        .end();
    xml.raw("<p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr><p:nvPr><p:ph type=\"body\" idx=\"1\"/></p:nvPr>");
    xml.end().start("p:spPr").end();
    xml.start("p:txBody");
    xml.raw("<a:bodyPr/><a:lstStyle/>");
    writing.paragraphs(&mut xml, paragraphs)?;
    xml.end().end();
    Ok((end(xml), writing.relationships))
}
