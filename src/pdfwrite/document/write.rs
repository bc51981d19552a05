//! Writes a document as PDF. Decides the order of the steps, and leaves the appearance to the layout.

use super::{file::File, finish, paint::Painter, pictures::Pictures};
use crate::{
    error::Result,
    job::{Job, Notes, Output},
};
use convertd_layout::{
    context::Layout,
    medium::Medium,
    memory::Memory,
    sections::{self, Known, PageLabel},
    structure::Structure,
};
use convertd_tree::Document;
use std::{cell::RefCell, io};

/// Memory that every document needs, in bytes: fonts, Unicode tables and buffers.
const BASE: u64 = 24 << 20;

/// Function that fills pages, and returns the label of each.
type Fill<'f> = dyn FnMut(&mut Layout<'_>, &mut dyn Medium) -> Result<Vec<PageLabel>> + 'f;

/// Writes a document. If its text shows page numbers, it is laid out twice: the first pass only finds the numbers.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut known = Known::default();
    if sections::shows_pages(job, document) {
        known = run(
            job,
            document,
            &mut NullOutput,
            &mut |layout, medium| sections::set(layout, medium, &Known::default()),
            &mut Notes::default(),
        )?;
    }
    let fill = &mut |layout: &mut Layout<'_>, medium: &mut dyn Medium| {
        sections::set(layout, medium, &known)
    };
    pages(job, document, output, fill, notes)
}

/// Writes a PDF whose pages `fill` lays out, for categories that position their content themselves. The pictures,
/// styles and metadata come from `document`, whose sections are ignored.
///
/// Errors: those of `fill`, and of writing.
pub fn pages(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    fill: &mut Fill<'_>,
    notes: &mut Notes,
) -> Result<()> {
    run(job, document, output, fill, notes).map(drop)
}

/// Output that discards everything, for the first pass.
struct NullOutput;

impl io::Write for NullOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for NullOutput {
    fn seek(&mut self, _: io::SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}

impl Output for NullOutput {
    fn clear(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lays out and writes the document in one pass. Each page is written when it is full, and the rest of the file at the
/// end.
fn run(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    fill: &mut Fill<'_>,
    notes: &mut Notes,
) -> Result<Known> {
    document.hold(job)?;
    let memory = Memory::new(job, BASE)?;
    let structure = Structure::new();
    let file = RefCell::new(File::new(output));
    let mut painter = Painter::new(&file, &structure);
    let pictures = Pictures::new(job, &file);
    let mut layout = Layout::new(job, document, &structure, &pictures, &memory);
    let labels = fill(&mut layout, &mut painter)?;
    let mut known = Known {
        pages: labels.len(),
        sections: std::mem::take(&mut layout.section_pages),
        notes: std::mem::take(&mut layout.note_pages),
        ..Known::default()
    };
    for (name, spot) in &painter.anchors {
        let label = labels.get(spot.page).map(|label| label.text());
        known
            .headings
            .insert(name.clone(), label.unwrap_or_default());
    }
    let Layout {
        faces,
        links,
        outline,
        mut losses,
        hyphenator,
        ..
    } = layout;
    finish::Finish {
        job,
        document,
        painter,
        faces: &faces,
        pictures: &pictures,
        links: &links,
        outline: &outline,
        labels: &labels,
    }
    .write(&file, &structure, &mut losses, notes)?;
    losses.add_notes(notes);
    hyphenator.add_notes(notes);
    Ok(known)
}
