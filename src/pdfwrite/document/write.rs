//! From a tree to a PDF. Knows the order of things, and nothing about how any of them looks.

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

/// Memory for everything that every document needs: fonts, tables of Unicode, buffers.
const BASE: u64 = 24 << 20;

/// Fills pages, and returns the label of each.
type Fill<'f> = dyn FnMut(&mut Layout<'_>, &mut dyn Medium) -> Result<Vec<PageLabel>> + 'f;

/// Writes a document.
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
            &mut Nowhere,
            &mut |layout, medium| sections::set(layout, medium, &Known::default()),
            &mut Notes::default(),
        )?;
    }
    let fill = &mut |layout: &mut Layout<'_>, medium: &mut dyn Medium| {
        sections::set(layout, medium, &known)
    };
    pages(job, document, output, fill, notes)
}

/// Writes a PDF whose pages `fill` sets, for categories that know where things stand. The pictures, styles and metadata are those of
/// `document`, whose sections are not set.
///
/// Errors: those of `fill`, and what cannot be written.
pub fn pages(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    fill: &mut Fill<'_>,
    notes: &mut Notes,
) -> Result<()> {
    run(job, document, output, fill, notes).map(drop)
}

/// Takes everything and keeps nothing.
struct Nowhere;

impl io::Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for Nowhere {
    fn seek(&mut self, _: io::SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}

impl Output for Nowhere {
    fn clear(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lays out and writes the document in one pass. Pages are finished one by one, and the rest of the file is written at the end.
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
    losses.tell(notes);
    Ok(known)
}
