//! Reads the text of a PDF as a document, or writes it as plain text. Reads pages one after another. Knows no format of
//! documents: the caller writes the tree.
//!
//! The tree comes from the structure tree of a tagged PDF if this tree is plausible, and otherwise from recognition of
//! the layout ([`add_guessed_blocks`]).

use super::{
    compose::{Composer, page_mark},
    file, options, outline,
    structure::{self, Structure},
    text::{
        block::{Block, BlockKind, Page, Table},
        blocks::{self, Content},
        document_styles::DocumentStyles,
        figures::{self, Figures},
        headings::Title,
        letters::{self, Cache},
        lines::{self, Line},
        links::Links,
        marked::Marked,
        plain, strings,
        styles::Styles,
        tables,
        unmapped::Unmapped,
        widgets,
    },
};
use crate::{
    error::{Error, Kind as ErrorKind, Result},
    job::{Job, Lease, Notes, Output, Progress, Unit},
};
#[cfg(feature = "ocr")]
use crate::{
    image::plate::Bookmark,
    read::{
        scanner::{Outcome, Scanner},
        text::{page_text::Letters, recognised},
    },
};
#[cfg(feature = "ocr")]
use convertd_ocr::page::Text;
#[cfg(feature = "ocr")]
use convertd_scan::options::Mode;
use convertd_tree::{Builder, Document, Length, PageSetup};
#[cfg(feature = "ocr")]
use hayro::hayro_syntax::page::Page as HayroPage;
/// The matrix from pixels to points of a recognised page.
#[cfg(feature = "ocr")]
pub use hayro::kurbo::Affine;
use hayro::{hayro_interpret::InterpreterCache, hayro_syntax::Pdf};

/// Memory for lines and blocks, in bytes per byte of text. While blocks are recognised, several copies of the text are
/// in memory.
const MEMORY_PER_BYTE: u64 = 6;

/// Minimum of the page margins, in points. The margins are computed from the positions of the text.
const LEAST_MARGIN: f32 = 28.0;
/// Limit on the page margins, in points.
const MAX_MARGIN: f32 = 100.0;

/// Number of pages that share a font cache. If all pages shared one cache, all fonts of a long file would be in memory
/// at the same time.
const PAGES_PER_CACHE: usize = 64;

/// Name of the only target that stores the positions of blocks.
const STORES_PLACES: &str = "docling";

/// Limit on the page numbers in a note.
const MAX_NAMED: usize = 20;

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

/// Memory, in bytes, of a page that stays in memory until all pages are read.
fn page_memory(page: &Page) -> u64 {
    // An estimate by the length of texts, plus the size of the structures around them.
    let marked = page.marked.parts.iter().flat_map(|part| &part.lines);
    let lines = page
        .lines
        .iter()
        .chain(marked)
        .map(|line| line.text.len() + size_of::<Line>());
    let cells = page.tables.iter().flat_map(|table| &table.rows).flatten();
    let spans = cells.flat_map(|cell| &cell.paragraphs).flatten();
    let spans = spans.map(|span| span.text.len() + 2 * size_of::<Line>());
    MEMORY_PER_BYTE * lines.chain(spans).sum::<usize>() as u64
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

/// Returns whether the target is a format for editing, in which fonts and colours are kept.
fn keeps_appearance(job: &Job<'_>) -> bool {
    matches!(job.to.name, "docx" | "odt" | "rtf")
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

/// Reads the pages of a file.
pub(super) struct PageReader<'a> {
    job: &'a Job<'a>,
    pdf: &'a Pdf,
    styles: Styles,
    unmapped: Unmapped,
    /// Collected pictures; `None` for plain text, which has neither pictures nor tables.
    figures: Option<Figures<'a>>,
    /// Structure tree, if it is used.
    structure: Option<Structure>,
    /// Recognises pages that are pictures.
    #[cfg(feature = "ocr")]
    scanner: Scanner<'a>,
}

impl<'a> PageReader<'a> {
    /// Prepares reading for the target of the job.
    pub(super) fn new(job: &'a Job<'a>, pdf: &'a Pdf) -> Result<Self> {
        // Memory for the file and the letters of one page; parts of pages that stay in memory are leased in addition.
        job.reserve(file::memory(job) + letters::MEMORY)?;
        let is_plain = job.to.name == "txt";
        Ok(Self {
            job,
            pdf,
            styles: match is_plain {
                true => Styles::only_fixed(),
                false => Styles::new(keeps_appearance(job)),
            },
            unmapped: Unmapped::default(),
            figures: (!is_plain).then(|| Figures::new(job)),
            structure: None,
            #[cfg(feature = "ocr")]
            scanner: Scanner::new(job, Mode::of(job.options(), Mode::Auto)),
        })
    }

    /// Reads all pages. Returns them with a lease of the memory that they and the structure tree
    /// take, pictures excluded.
    ///
    /// Errors: those of [`Self::each`].
    pub(super) fn pages(&mut self, notes: &mut Notes) -> Result<(Vec<Page>, Lease<'a>)> {
        let mut pages = Vec::new();
        let of_structure = self.structure.as_ref().map_or(0, Structure::memory);
        let lease = self.job.lease(of_structure)?;
        self.each(notes, |page| {
            let bytes = page_memory(&page);
            pages.push(page);
            lease.grow_exactly(bytes)
        })?;
        Ok((pages, lease))
    }

    /// Reads each page and passes it to `take`. Adds notes about content that could not be read.
    ///
    /// Steps for each page: turn text and graphics into letters and rules, add form fields, recognise the page (OCR) if
    /// it has no usable text, find tables by rules and by alignment, and join the remaining letters to lines.
    ///
    /// Errors: [`ErrorKind::BadInput`] if no page has text, some pages are pictures, and no picture is converted; those
    /// of `take`; there is not enough memory; or the job is to end.
    fn each(&mut self, notes: &mut Notes, mut take: impl FnMut(Page) -> Result<()>) -> Result<()> {
        let pages = self.pdf.pages();
        let (mut known, mut unknown, mut scans, mut drawn) = (0, 0, Vec::new(), Vec::new());
        let mut readings = 0;
        let mut interpreter = InterpreterCache::new();
        for (number, page) in (1..).zip(pages.iter()) {
            self.job.check()?;
            if number % PAGES_PER_CACHE == 0 {
                interpreter = InterpreterCache::new();
            }
            self.job.progress(Progress {
                done: number as u64 - 1,
                total: pages.len() as u64,
                unit: Unit::Pages,
            });
            // Fonts of the page, and its links unless the target is plain text.
            self.styles.add(page);
            let links = match self.figures {
                Some(_) => Links::of(page),
                None => Links::default(),
            };
            let mut cache = Cache {
                figures: self.figures.as_mut(),
                styles: &self.styles,
                unmapped: &mut self.unmapped,
                skips_hidden: false,
                interpreter: &interpreter,
            };
            let mut letters = letters::read(self.job, page, number, &mut cache, &links)?;
            widgets::settle(page, &mut letters);
            #[cfg(feature = "ocr")]
            let recognised = self.recognise(page, number, &mut letters, &interpreter, &links)?;
            #[cfg(not(feature = "ocr"))]
            let recognised = Option::<(f32, f32)>::default();
            // Counts for the notes at the end: letters that were read, unreadable letters, and readings (furigana);
            // then lists of scanned pages and of pages with drawings.
            known += letters.all.len();
            unknown += letters.unknown;
            readings += letters.readings;
            if letters.all.is_empty() && letters.pictures && recognised.is_none() {
                scans.push(number);
            }
            if letters.drawn.is_drawing() && recognised.is_none() {
                drawn.push(number);
            }
            // Tables are found before lines, so that their letters do not become lines of the running text.
            let rules = std::mem::take(&mut letters.rules);
            let grids = match self.figures {
                Some(_) => tables::find(rules, &letters),
                None => Vec::new(),
            };
            figures::mark_backgrounds(&mut letters);
            let table = |grid| Table::of(grid, &letters, &links.targets);
            let tables = grids.iter().map(table).collect();
            // With a structure tree, letters are also collected by their marked content.
            let marks = self.structure.as_ref().and_then(|structure| {
                Some((structure.texts(number - 1)?, structure.fields(number - 1)?))
            });
            let marked = marks.map(|(texts, fields)| Marked::of(&letters, texts, fields));
            let lines = lines::of(&mut letters, &grids);
            take(Page {
                lines,
                links: links.targets,
                tables,
                figures: letters.figures,
                marked: marked.unwrap_or_default(),
                size: recognised.unwrap_or(page.render_dimensions()),
            })?;
        }
        #[cfg(feature = "ocr")]
        self.scanner.report.add_notes(notes);
        let has_pictures = |figures: &Figures| !figures.files.is_empty();
        // If some pages are pictures, but there is neither text nor a converted picture, the conversion is refused.
        if known == 0 && !scans.is_empty() && !self.figures.as_ref().is_some_and(has_pictures) {
            let text = format!(
                "the pages of the PDF are pictures without text, such as scans; {}",
                remedy(self.job)
            );
            return Err(Error::new(ErrorKind::BadInput, text));
        }
        match (known, &scans[..]) {
            (0, [_, ..]) => notes.add("The PDF contains no text: its pages are pictures."),
            (0, []) => notes.add("The PDF contains no text."),
            (_, []) => {}
            (_, [page]) => notes.add(format!("Page {page} is a picture without text.")),
            (_, scans) => notes.add(format!(
                "Pages {} are pictures without text.",
                listed(scans)
            )),
        }
        match &drawn[..] {
            [] => {}
            [page] => notes.add(format!(
                "The drawing on page {page} was left out: only pictures made of pixels are kept."
            )),
            pages => notes.add(format!(
                "The drawings on pages {} were left out: only pictures made of pixels are kept.",
                listed(pages)
            )),
        }
        if readings > 0 {
            notes.add(format!(
                "Readings above or beside characters (furigana) were left out: {readings}."
            ));
        }
        if unknown > 0 {
            notes.add(format!(
                "Letters of these fonts were left out, because the fonts do not say which characters their letters are: {unknown}."
            ));
        }
        Ok(())
    }

    /// If the letters of a page are missing or useless, recognises the picture of the page, and adds the words found.
    /// Returns the size of the upright page if the page was recognised or is blank.
    #[cfg(feature = "ocr")]
    fn recognise(
        &mut self,
        page: &'a HayroPage<'a>,
        number: usize,
        letters: &mut Letters,
        interpreter: &InterpreterCache<'a>,
        links: &Links,
    ) -> Result<Option<(f32, f32)>> {
        // A page with enough readable letters is not recognised.
        if self
            .scanner
            .takes_for_text(letters.all.len(), letters.unread())
        {
            return Ok(None);
        }
        let scan = match self.scanner.page(page, number)? {
            Outcome::Kept => return Ok(None),
            Outcome::Blank => return Ok(Some(page.render_dimensions())),
            Outcome::Read(scan) => scan,
        };
        // If the letters are useless, the recognised words replace them. Otherwise, if some letters are hidden, the
        // page is read again without them.
        if scan.is_instead {
            letters.all.clear();
            letters.text.clear();
            letters.unknown = 0;
        } else if scan.has_hidden {
            let mut cache = Cache {
                figures: None,
                styles: &self.styles,
                unmapped: &mut self.unmapped,
                skips_hidden: true,
                interpreter,
            };
            let seen = letters::read(self.job, page, number, &mut cache, links)?;
            (letters.all, letters.text, letters.unknown) = (seen.all, seen.text, seen.unknown);
        }
        let (to_page, size) = (scan.to_upright, page.render_dimensions());
        let keeps_appearance = self.styles.families().is_some();
        Ok(Some(recognised::put(
            letters,
            &scan.text,
            to_page,
            size,
            keeps_appearance,
        )))
    }
}

/// Advice for a PDF whose pages are pictures without text.
#[cfg_attr(not(feature = "ocr"), expect(unused_variables))]
#[cfg_attr(not(feature = "ocr"), allow(unused_variables))]
fn remedy(job: &Job<'_>) -> &'static str {
    #[cfg(feature = "ocr")]
    if matches!(Mode::of(job.options(), Mode::Auto), Mode::Off) {
        return "set the field ocr to auto";
    }
    "convert the PDF to a picture, such as png"
}

/// Lists page numbers for a note, up to the limit.
fn listed(numbers: &[usize]) -> String {
    let (named, others) = numbers.split_at(numbers.len().min(MAX_NAMED));
    let named: Vec<String> = named.iter().map(usize::to_string).collect();
    match (others.len(), &named[..]) {
        (0, [first @ .., last]) => format!("{} and {last}", first.join(", ")),
        (count, _) => format!("{} and {count} others", named.join(", ")),
    }
}
