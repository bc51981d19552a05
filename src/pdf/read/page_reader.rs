//! Reads the pages of a PDF one after another into lines, tables and figures, for documents, plain text and
//! spreadsheets. Recognises no blocks.

use super::{
    file,
    structure::Structure,
    text::{
        block::{Page, Table},
        figures::{self, Figures},
        letters::{self, Cache},
        lines::{self, Line},
        links::Links,
        marked::Marked,
        styles::Styles,
        tables,
        unmapped::Unmapped,
        widgets,
    },
};
#[cfg(feature = "ocr")]
use crate::read::{
    scanner::{Outcome, Scanner},
    text::{page_text::Letters, recognised},
};
use crate::{
    error::{Error, Kind as ErrorKind, Result},
    job::{Job, Lease, Notes, Progress, Unit},
};
#[cfg(feature = "ocr")]
use convertd_scan::options::Mode;
#[cfg(feature = "ocr")]
use hayro::hayro_syntax::page::Page as HayroPage;
use hayro::{hayro_interpret::InterpreterCache, hayro_syntax::Pdf};

/// Memory for lines and blocks, in bytes per byte of text. While blocks are recognised, several copies of the text are
/// in memory.
const MEMORY_PER_BYTE: u64 = 6;

/// Number of pages that share a font cache. If all pages shared one cache, all fonts of a long file would be in memory
/// at the same time.
const PAGES_PER_CACHE: usize = 64;

/// Limit on the page numbers in a note.
const MAX_NAMED: usize = 20;

/// Memory, in bytes, of a page that stays in memory until all pages are read.
pub(super) fn page_memory(page: &Page) -> u64 {
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

/// Returns whether the target is a format for editing, in which fonts and colours are kept.
pub(super) fn keeps_appearance(job: &Job<'_>) -> bool {
    matches!(job.to.name, "docx" | "odt" | "rtf")
}

/// Reads the pages of a file.
pub(super) struct PageReader<'a> {
    job: &'a Job<'a>,
    pdf: &'a Pdf,
    pub(super) styles: Styles,
    unmapped: Unmapped,
    /// Collected pictures; `None` for plain text, which has neither pictures nor tables.
    pub(super) figures: Option<Figures<'a>>,
    /// Structure tree, if it is used.
    pub(super) structure: Option<Structure>,
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
    pub(super) fn each(
        &mut self,
        notes: &mut Notes,
        mut take: impl FnMut(Page) -> Result<()>,
    ) -> Result<()> {
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
