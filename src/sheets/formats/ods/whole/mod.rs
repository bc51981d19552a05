//! Writes a spreadsheet with its styles: cell formats, sizes, merged cells, links, page styles, and formulas with
//! their stored values (OpenDocument 1.3, part 3). A workbook that is too large for this is [streamed](super::write)
//! without styles.

mod bands;
mod cells;
mod pages;
mod pictures;
mod styles;
mod text;

pub(super) use pictures::ACCEPTED;
pub(super) use styles::INDENT;

use super::{
    validations,
    write::{NAMESPACES_OF_CONTENT, manifest},
};
use crate::{
    containers::zip::{self, Packing},
    error::Result,
    job::{Job, Notes, Output},
    shown::{book::Book, inserted::Pictures},
};

/// Number of bytes that are compressed at a time.
const BUFFER: usize = 1 << 16;

/// Writes a workbook.
pub(super) fn write(
    job: &Job<'_>,
    book: &Book,
    inserted: &Pictures,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut zip = zip::Writer::new(job, output);
    manifest(job, &mut zip, Some(&pictures::entries(book, inserted)))?;
    zip.add(
        "styles.xml",
        pages::part(book).as_bytes(),
        Packing::Deflated,
    )?;
    let settings = super::settings::part(book);
    zip.add(
        super::settings::NAME,
        settings.as_bytes(),
        Packing::Deflated,
    )?;
    zip.begin("content.xml", Some(job.quality().pick(1, 4, 9)))?;
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document-content {NAMESPACES_OF_CONTENT} office:version=\"1.3\"><office:automatic-styles>"
    );
    let names = styles::write(book, &mut out);
    out += "</office:automatic-styles><office:body><office:spreadsheet>";
    let mut untranslated = 0;
    if book.grids.iter().any(|grid| !grid.validations.is_empty()) {
        out += "<table:content-validations>";
        for (number, grid) in book.grids.iter().enumerate() {
            let sheet = format!("${}", super::names::quoted(grid.sheet.name()));
            untranslated += validations::write(grid, number, &sheet, &mut out);
        }
        out += "</table:content-validations>";
    }
    for (number, grid) in book.grids.iter().enumerate() {
        job.check()?;
        untranslated += cells::table(book, (grid, number), inserted, &names, &mut zip, &mut out)?;
    }
    untranslated += super::names::write(book, None, &mut out);
    out += "</office:spreadsheet></office:body></office:document-content>";
    zip.append(out.as_bytes())?;
    zip.end()?;
    inserted.write(book, pictures::PREFIX, &mut zip)?;
    if untranslated > 0 {
        notes.add(format!(
            "{untranslated} formulas cannot be written to ods: cells keep their values instead."
        ));
    }
    zip.finish()
}
