//! Reads the text of a PDF as a document, or writes it as plain text. Reads pages one after another. Knows no format of
//! documents: the caller writes the tree.
//!
//! The tree comes from the structure tree of a tagged PDF if this tree is plausible, and otherwise from recognition of
//! the layout ([`add_guessed_blocks`]).

use super::{
    compose::{Composer, page_mark},
    file, options, outline,
    page_reader::{PageReader, keeps_appearance},
    structure,
    text::{
        block::{Block, BlockKind, Page},
        blocks::{self, Content},
        document_styles::DocumentStyles,
        figures::Figures,
        headings::Title,
        plain, strings,
    },
};
use crate::{
    error::{Error, Result},
    job::{Job, Lease, Notes, Output},
};
#[cfg(feature = "ocr")]
use crate::{
    image::plate::Bookmark,
    read::{
        page_reader::page_memory,
        text::{
            block::Table, lines, marked::Marked, page_text::Letters, recognised, styles::Styles,
            tables,
        },
    },
};
#[cfg(feature = "ocr")]
use convertd_ocr::page::Text;
use convertd_tree::{Builder, Document, Length, PageSetup};
use hayro::hayro_syntax::Pdf;
/// The matrix from pixels to points of a recognised page.
#[cfg(feature = "ocr")]
pub use hayro::kurbo::Affine;

/// Minimum of the page margins, in points. The margins are computed from the positions of the text.
const LEAST_MARGIN: f32 = 28.0;
/// Limit on the page margins, in points.
const MAX_MARGIN: f32 = 100.0;

/// Name of the only target that stores the positions of blocks.
const STORES_PLACES: &str = "docling";

/// Writes the text of all pages as plain text, page by page, so that no page stays in memory.
///
/// Errors: no page has text, the output cannot be written, or those of the job's gate.
pub fn write_plain(
    job: &Job<'_>,
    pdf: &Pdf,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut reader = PageReader::new(job, pdf)?;
    let marks_pages = options::marks_pages(job.options());
    let mut number = 0;
    reader.each(notes, |page| {
        let mut text = String::new();
        if number > 0 {
            // A form feed separates pages.
            text.push('\u{c}');
        }
        number += 1;
        if marks_pages {
            text.push_str(&page_mark(number));
            text.push('\n');
        }
        plain::write(&page.lines, &mut text);
        output.write_all(text.as_bytes()).map_err(Error::unwritten)
    })
}

/// Reads the text of all pages as a document. The document is whole, because headings are ranked by comparison with one
/// another. The lease covers the file, which stays open while the document is written.
///
/// Errors: the pages have neither text nor pictures, or those of the job's gate.
pub fn read<'a>(
    job: &'a Job<'a>,
    pdf: &'a Pdf,
    notes: &mut Notes,
) -> Result<(Document, Lease<'a>)> {
    let mut reader = PageReader::new(job, pdf)?;
    let marks_pages = options::marks_pages(job.options());
    reader.structure = structure::read(job, pdf)?;
    let (pages, lease) = reader.pages(notes)?;
    let (figures, left_out) = reader
        .figures
        .take()
        .map_or_else(Default::default, Figures::finish);
    match left_out {
        0 => {}
        1 => notes.add("A picture was left out: it is tilted, damaged or too large."),
        count => notes.add(format!(
            "{count} pictures were left out: they are tilted, damaged, too large or too many."
        )),
    }
    // The document tree takes over the content of the pages.
    let mut builder = Builder::new(job);
    let tree = reader.structure.take();
    copy_information(pdf, &mut builder);
    keep_places(job, &pages, &mut builder);
    if let Some(page) = keeps_appearance(job).then(|| page_setup(&pages)).flatten() {
        builder.set_page(page);
    }
    let document_styles = DocumentStyles::new(reader.styles.families().unwrap_or_default());
    let composer = Composer::new(builder, document_styles, figures);
    let composer = match tree.filter(|tree| structure::is_sane(tree, &pages)) {
        Some(tree) => {
            notes
                .add("Headings, paragraphs, lists and tables were taken from the tags of the PDF.");
            let composer = structure::write(composer, &tree, &pages, marks_pages)?;
            drop(pages);
            composer
        }
        None => add_guessed_blocks(composer, &outline::titles(pdf), pages, marks_pages, notes)?,
    };
    let document = composer.builder.finish(notes)?;
    // The writer reserves memory only for the document. This lease covers the file, which stays open.
    lease.set_exactly(file::memory(job))?;
    Ok((document, lease))
}

/// Reads pages that were recognised (OCR) in pictures as a document. The outline of the pictures may name headings.
/// `read` passes on each page: its words, the transform from their pixels to points, and the size of the page in
/// points. Returns `None` for plain text, which is written to `output` page by page.
#[cfg(feature = "ocr")]
pub fn of_pictures(
    job: &Job<'_>,
    output: &mut dyn Output,
    notes: &mut Notes,
    outline: &[Bookmark],
    read: impl FnOnce(&mut TakePage<'_>) -> Result<()>,
) -> Result<Option<Document>> {
    let (is_plain, keeps_appearance) = (job.to.name == "txt", keeps_appearance(job));
    let lease = job.empty_lease();
    let mut pages = Vec::new();
    let mut is_first = true;
    read(&mut |text, to_page, size| {
        // The same steps as in `PageReader::each`, with recognised words instead of letters.
        let mut letters = Letters::default();
        let size = recognised::put(&mut letters, text, to_page, size, keeps_appearance);
        let rules = std::mem::take(&mut letters.rules);
        let grids = if is_plain {
            Vec::new()
        } else {
            tables::find(rules, &letters)
        };
        let tables = grids
            .iter()
            .map(|grid| Table::of(grid, &letters, &[]))
            .collect();
        let lines = lines::of(&mut letters, &grids);
        if is_plain {
            let mut text = String::new();
            if !std::mem::take(&mut is_first) {
                text.push('\u{c}');
            }
            plain::write(&lines, &mut text);
            return output.write_all(text.as_bytes()).map_err(Error::unwritten);
        }
        let page = Page {
            lines,
            links: Vec::new(),
            tables,
            figures: Vec::new(),
            marked: Marked::default(),
            size,
        };
        lease.grow_exactly(page_memory(&page))?;
        pages.push(page);
        Ok(())
    })?;
    if is_plain {
        return Ok(None);
    }
    let mut builder = Builder::new(job);
    keep_places(job, &pages, &mut builder);
    if let Some(page) = keeps_appearance.then(|| page_setup(&pages)).flatten() {
        builder.set_page(page);
    }
    let styles = Styles::new(keeps_appearance);
    let document_styles = DocumentStyles::new(styles.families().unwrap_or_default());
    let outline = outline.iter();
    let outline: Vec<Title> = outline
        .map(|entry| Title::new(&entry.title, entry.level))
        .collect();
    let composer = add_guessed_blocks(
        Composer::new(builder, document_styles, Vec::new()),
        &outline,
        pages,
        false,
        notes,
    )?;
    let document = composer.builder.finish(notes)?;
    drop(lease);
    Ok(Some(document))
}

/// Function that takes a recognised page; see [`of_pictures`].
#[cfg(feature = "ocr")]
pub type TakePage<'t> = dyn FnMut(&Text, Affine, (f32, f32)) -> Result<()> + 't;

/// Adds the sizes of the pages to the document, if the target stores positions of blocks.
fn keep_places(job: &Job<'_>, pages: &[Page], builder: &mut Builder<'_>) {
    if job.to.name == STORES_PLACES {
        builder.pages = pages.iter().map(|page| page.size).collect();
    }
}

/// Recognises blocks by the layout of the pages and adds them.
fn add_guessed_blocks<'a>(
    mut composer: Composer<'a>,
    outline: &[Title],
    pages: Vec<Page>,
    marks_pages: bool,
    notes: &mut Notes,
) -> Result<Composer<'a>> {
    let Content {
        blocks,
        notes: footnotes,
        left_out,
    } = blocks::of(pages, outline, marks_pages, notes);
    let is_table = |block: &&Block| matches!(block.kind, BlockKind::Table(_));
    let tables = blocks.iter().filter(is_table).count();
    notes.add("Headings, paragraphs and lists were guessed from the layout.");
    if tables > 0 {
        let count = match tables {
            1 => "1 table was".to_owned(),
            count => format!("{count} tables were"),
        };
        notes.add(format!(
            "{count} recognised by lines and by the alignment of text; a first row above a line, in bold or with its own background is the head of its table."
        ));
    }
    if left_out > 0 {
        notes.add(
            "Content that repeats on every page was left out: lines at the edges, page numbers, watermarks and pictures.",
        );
    }
    if blocks
        .iter()
        .any(|block| matches!(block.kind, BlockKind::Figure(..)))
    {
        notes.add("Pictures were put between the lines of text; drawings, small pictures and page backgrounds were left out.");
    }
    composer.footnotes = footnotes;
    composer.blocks(&blocks)?;
    Ok(composer)
}

/// Copies the document information (title, author, subject).
fn copy_information(pdf: &Pdf, builder: &mut Builder<'_>) {
    let about = pdf.metadata();
    let text = |field: &Option<Box<[u8]>>| {
        let text = strings::decode(field.as_ref()?);
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    builder.metadata.title = text(&about.title);
    builder.metadata.authors = text(&about.author).into_iter().collect();
    builder.metadata.subject = text(&about.subject);
}

/// Page size of the first page, with margins that fit the text of all pages of this size, but within the limits on
/// margins.
fn page_setup(pages: &[Page]) -> Option<PageSetup> {
    let (width, height) = pages.first()?.size;
    let lines = || {
        pages
            .iter()
            .filter(|page| page.size == (width, height))
            .flat_map(|page| &page.lines)
    };
    // The smallest distance of text from an edge of the paper, on all pages of this size, is the margin.
    let left = lines().map(|line| line.x.0).fold(width, f32::min);
    let right = lines().map(|line| line.x.1).fold(0.0, f32::max);
    let top = lines()
        .map(|line| line.y - line.size)
        .fold(height, f32::min);
    let bottom = lines().map(|line| line.y).fold(0.0, f32::max);
    let points = |side: f32| Length::points(f64::from(side));
    let margin = |side: f32| points(side.clamp(LEAST_MARGIN, MAX_MARGIN));
    Some(PageSetup {
        width: points(width),
        height: points(height),
        left: margin(left),
        right: margin(width - right),
        top: margin(top),
        bottom: margin(height - bottom),
        ..PageSetup::default()
    })
}
