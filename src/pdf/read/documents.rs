//! The text of a PDF as a document. Pages are read one after another and become either plain text in a file, or blocks of a
//! tree for the document writers.

use super::{
    file, options, outline,
    text::{
        blocks::{self, Block, Kind, Page, Span, Table},
        figures::{self, Figures},
        letters::{self, Cache},
        lines::{self, Line},
        links::Links,
        looks::Looks,
        plain, strings,
        styles::Styles,
        tables,
        unmapped::Unmapped,
    },
};
use crate::{
    document::{
        self,
        tree::{
            Alignment, Builder, CellShape, Delimiter, Document, Length, ListKind, ListLook, Mark,
            Node, Numbering, PageSetup, ParagraphStyleId, Part, Picture, PictureSource, ResourceId,
        },
    },
    error::{Error, Kind as ErrorKind, Result},
    job::{Job, Notes, Output, Progress, Unit},
};
use hayro::hayro_syntax::Pdf;
use std::collections::{HashMap, hash_map::Entry};

/// Memory for lines and blocks, in bytes for each byte of text.
const KEPT: u64 = 6;

/// The largest difference in indent between items of the same list, in points.
const SAME: f32 = 4.0;

/// The margins of a page, in points, whatever its text leaves.
const LEAST_MARGIN: f32 = 28.0;
const MOST_MARGIN: f32 = 100.0;

/// How many pages a note names.
const NAMED: usize = 20;

/// Writes the text of all pages.
pub(crate) fn convert(
    job: &Job<'_>,
    pdf: &Pdf,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut reader = Reader::new(job, pdf)?;
    let marks_pages = options::marks_pages(job.options());
    if job.to.name == "txt" {
        let mut number = 0;
        reader.each(notes, |page| {
            let mut text = String::new();
            if number > 0 {
                text.push('\u{c}');
            }
            number += 1;
            if marks_pages {
                text.push_str(&page_mark(number));
                text.push('\n');
            }
            plain::write(&page.lines, &mut text);
            output
                .write_all(text.as_bytes())
                .map_err(Error::unwritten)?;
            Ok(0)
        })?;
        return Ok(());
    }
    let (pages, held) = reader.pages(notes)?;
    let figures = reader.figures.take().unwrap_or_default();
    let page = keeps_looks(job).then(|| page_setup(&pages)).flatten();
    let outline = outline::titles(pdf);
    let (blocks, left_out) = blocks::of(pages, &outline, marks_pages, notes);
    let is_table = |block: &&Block| matches!(block.kind, Kind::Table(_));
    let tables = blocks.iter().filter(is_table).count();
    notes.add("Headings, paragraphs and lists were guessed from the layout.");
    if tables > 0 {
        let count = match tables {
            1 => "1 table was".to_owned(),
            count => format!("{count} tables were"),
        };
        notes.add(format!(
            "{count} found by rules and by how text is aligned; what a table begins with, above a rule, in bold, or on a ground of its own, is taken for its head."
        ));
    }
    if left_out > 0 {
        notes.add("What repeats from page to page was left out: lines at the edges, and pictures.");
    }
    if blocks
        .iter()
        .any(|block| matches!(block.kind, Kind::Figure(..)))
    {
        notes.add("Pictures stand between the lines; drawings, small pictures, and what is behind all of a page were left out.");
    }
    match figures.left_out {
        0 => {}
        1 => notes.add("A picture was left out: it is askew, damaged or too large."),
        count => notes.add(format!(
            "{count} pictures were left out: they are askew, damaged, too large or too many."
        )),
    }
    let mut builder = Builder::new(job);
    builder.own_memory(memory(job) + held)?;
    let about = pdf.metadata();
    let text = |field: &Option<Box<[u8]>>| {
        let text = strings::decode(field.as_ref()?);
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    builder.metadata.title = text(&about.title);
    builder.metadata.authors = text(&about.author).into_iter().collect();
    builder.metadata.subject = text(&about.subject);
    if let Some(page) = page {
        builder.set_page(page);
    }
    let looks = Looks::new(reader.styles.families().unwrap_or_default());
    let document = build(builder, &blocks, figures.files, looks, notes)?;
    document::write(job, document, output, notes)
}

/// Whether the target is one that a person goes on editing, in which letters keep their looks.
fn keeps_looks(job: &Job<'_>) -> bool {
    matches!(job.to.name, "docx" | "odt" | "rtf")
}

/// The size of the first page, with the margins that its text leaves.
fn page_setup(pages: &[Page]) -> Option<PageSetup> {
    let (width, height) = pages.first()?.size;
    let lines = || {
        pages
            .iter()
            .filter(|page| page.size == (width, height))
            .flat_map(|page| &page.lines)
    };
    let left = lines().map(|line| line.x.0).fold(width, f32::min);
    let right = lines().map(|line| line.x.1).fold(0.0, f32::max);
    let top = lines()
        .map(|line| line.y - line.size)
        .fold(height, f32::min);
    let bottom = lines().map(|line| line.y).fold(0.0, f32::max);
    let points = |side: f32| Length::points(f64::from(side));
    let margin = |side: f32| points(side.clamp(LEAST_MARGIN, MOST_MARGIN));
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

/// What stands where a page begins, if that is asked for.
fn page_mark(number: usize) -> String {
    format!("<!-- page {number} -->")
}

/// What reading a file takes in memory at least, in bytes.
pub(super) fn memory(job: &Job<'_>) -> u64 {
    file::memory(job) + letters::MEMORY
}

/// Reads the pages one after another.
pub(super) struct Reader<'a> {
    job: &'a Job<'a>,
    pdf: &'a Pdf,
    styles: Styles,
    unmapped: Unmapped,
    /// Pictures and tables, if they are wanted.
    figures: Option<Figures>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(job: &'a Job<'a>, pdf: &'a Pdf) -> Result<Self> {
        job.reserve(memory(job))?;
        Ok(Self {
            job,
            pdf,
            styles: Styles::new(keeps_looks(job)),
            unmapped: Unmapped::default(),
            figures: (job.to.name != "txt").then(|| Figures::new(memory(job))),
        })
    }

    /// All pages, and the bytes that they hold, pictures excluded.
    ///
    /// Errors: as those of [`Self::each`].
    pub(super) fn pages(&mut self, notes: &mut Notes) -> Result<(Vec<Page>, u64)> {
        let mut pages = Vec::new();
        let mut held = 0;
        self.each(notes, |page| {
            let lines = page
                .lines
                .iter()
                .map(|line| line.text.len() + size_of::<Line>());
            let cells = page.tables.iter().flat_map(|table| &table.rows).flatten();
            let spans = cells.flat_map(|cell| &cell.paragraphs).flatten();
            let spans = spans.map(|span| span.text.len() + 2 * size_of::<Line>());
            held += KEPT * lines.chain(spans).sum::<usize>() as u64;
            pages.push(page);
            Ok(held)
        })?;
        Ok((pages, held))
    }

    /// Passes each page to `take`, which returns the bytes that all pages hold so far, pictures excluded. Notes what could not
    /// be read.
    ///
    /// Errors: [`ErrorKind::BadInput`] if there is no text, only pictures that are not wanted or cannot be read.
    fn each(&mut self, notes: &mut Notes, mut take: impl FnMut(Page) -> Result<u64>) -> Result<()> {
        let pages = self.pdf.pages();
        let (mut known, mut unknown, mut scans) = (0, 0, Vec::new());
        for (number, page) in (1..).zip(pages.iter()) {
            self.job.check()?;
            self.job.gate.progress(Progress {
                done: number as u64 - 1,
                total: pages.len() as u64,
                unit: Unit::Pages,
            });
            self.styles.add(page);
            let links = Links::of(page);
            let mut cache = Cache {
                figures: self.figures.as_mut(),
                styles: &self.styles,
                unmapped: &mut self.unmapped,
            };
            let mut letters = letters::read(self.job, page, number, &mut cache, &links)?;
            known += letters.all.len();
            unknown += letters.unknown;
            if letters.all.is_empty() && letters.pictures {
                scans.push(number);
            }
            let rules = std::mem::take(&mut letters.rules);
            let grids = match self.figures {
                Some(_) => tables::find(rules, &letters),
                None => Vec::new(),
            };
            figures::tell_backgrounds(&mut letters);
            let table = |grid| Table::of(grid, &letters, &links.targets);
            let tables = grids.iter().map(table).collect();
            let lines = lines::of(&mut letters, &grids);
            let base = memory(self.job)
                + take(Page {
                    lines,
                    links: links.targets,
                    tables,
                    figures: letters.figures,
                    size: page.render_dimensions(),
                })?;
            let pictures = self.figures.as_mut().map_or(0, |figures| {
                figures.base = base;
                figures.memory()
            });
            self.job.reserve(base + pictures)?;
        }
        let has_pictures = |figures: &Figures| !figures.files.is_empty();
        if known == 0 && !scans.is_empty() && !self.figures.as_ref().is_some_and(has_pictures) {
            return Err(Error::new(
                ErrorKind::BadInput,
                "the pages of the PDF are pictures without text, as a scanner makes them; they can become pictures, such as png",
            ));
        }
        match (known, &scans[..]) {
            (0, [_, ..]) => notes.add("There is no text in the PDF: its pages are pictures."),
            (0, []) => notes.add("There is no text in the PDF."),
            (_, []) => {}
            (_, [page]) => notes.add(format!("Page {page} is a picture without text.")),
            (_, scans) => notes.add(format!(
                "Pages {} are pictures without text.",
                listed(scans)
            )),
        }
        if unknown > 0 {
            notes.add(format!(
                "Letters were left out, because their fonts do not tell what they mean: {unknown}."
            ));
        }
        Ok(())
    }
}

/// Numbers in words, as many as a person reads.
fn listed(numbers: &[usize]) -> String {
    let (named, others) = numbers.split_at(numbers.len().min(NAMED));
    let named: Vec<String> = named.iter().map(usize::to_string).collect();
    match (others.len(), &named[..]) {
        (0, [first @ .., last]) => format!("{} and {last}", first.join(", ")),
        (count, _) => format!("{} and {count} others", named.join(", ")),
    }
}

/// Makes a tree of blocks.
fn build(
    mut builder: Builder<'_>,
    blocks: &[Block],
    mut files: Vec<Vec<u8>>,
    mut looks: Looks<'_>,
    notes: &mut Notes,
) -> Result<Document> {
    let mut pictures: HashMap<usize, ResourceId> = HashMap::new();
    for block in blocks {
        if let Kind::Figure(file, _) = block.kind
            && let Entry::Vacant(picture) = pictures.entry(file)
        {
            picture.insert(builder.resource(std::mem::take(&mut files[file]), "", None)?);
        }
    }
    drop(files);
    // The open lists: their indents, and whether they are numbered.
    let mut lists: Vec<(f32, bool)> = Vec::new();
    for block in blocks {
        let Kind::Item(number, indent) = block.kind else {
            while lists.pop().is_some() {
                builder.close()?;
                builder.close()?;
            }
            match block.kind {
                Kind::Heading(level) => {
                    let style = looks.paragraph(&mut builder, block.alignment)?;
                    builder.open(Node::Heading {
                        level,
                        id: None,
                        label: None,
                        style,
                    })?;
                    inlines(&mut builder, &block.spans, &mut looks)?;
                    builder.close()?;
                }
                Kind::Code => {
                    let text: String = block.spans.iter().map(|span| &span.text[..]).collect();
                    builder.code_block("", text)?;
                }
                Kind::Table(ref of) => table(&mut builder, of, &mut looks)?,
                Kind::Figure(file, size) => figure(&mut builder, pictures[&file], size)?,
                Kind::Page(number) => builder.raw_html(&page_mark(number))?,
                Kind::Text | Kind::Item(..) => {
                    paragraph(&mut builder, &block.spans, block.alignment, &mut looks)?;
                }
            }
            continue;
        };
        // An item with a smaller indent ends the lists nested deeper.
        let ends = |lists: &[(f32, bool)]| match lists {
            [] => false,
            [(open, _)] => indent < open + SAME && lists[0].1 != number.is_some(),
            [.., (open, has_numbers)] => {
                indent < open - SAME || (indent < open + SAME && *has_numbers != number.is_some())
            }
        };
        while ends(&lists) {
            lists.pop();
            builder.close()?;
            builder.close()?;
        }
        match lists.last() {
            Some((open, _)) if indent <= open + SAME => builder.close()?,
            _ => {
                lists.push((indent, number.is_some()));
                let kind = number.map_or(ListKind::Bullet, |start| {
                    ListKind::Ordered(Numbering {
                        start,
                        delimiter: Delimiter::Period,
                        ..Numbering::default()
                    })
                });
                builder.open(Node::List {
                    kind,
                    tight: true,
                    look: ListLook::default(),
                })?;
            }
        }
        builder.open(Node::Item { task: None })?;
        paragraph(&mut builder, &block.spans, None, &mut looks)?;
    }
    builder.finish(notes)
}

/// A paragraph that holds a picture of this width and height in points.
fn figure(
    builder: &mut Builder<'_>,
    source: ResourceId,
    (width, height): (f32, f32),
) -> Result<()> {
    let points = |side: f32| Some(Length::points(f64::from(side)));
    builder.open(Node::Paragraph(ParagraphStyleId::DEFAULT))?;
    builder.picture(Picture {
        source: PictureSource::Resource(source),
        alternative: "".into(),
        title: "".into(),
        width: points(width),
        height: points(height),
        frame: None,
    })?;
    builder.close()
}

fn table(builder: &mut Builder<'_>, table: &Table, looks: &mut Looks<'_>) -> Result<()> {
    builder.open(Node::Table {
        columns: Vec::new(),
        width: None,
        alignment: None,
    })?;
    for (nth, row) in table.rows.iter().enumerate() {
        let is_head = nth < table.heads;
        builder.open(Node::Row {
            part: if is_head { Part::Head } else { Part::Body },
            height: None,
        })?;
        for cell in row {
            builder.open(Node::Cell(CellShape {
                rows: cell.rows as u16,
                columns: cell.columns as u16,
                heading: is_head,
                ..CellShape::default()
            }))?;
            for spans in &cell.paragraphs {
                paragraph(builder, spans, None, looks)?;
            }
            builder.close()?;
        }
        builder.close()?;
    }
    builder.close()
}

fn paragraph(
    builder: &mut Builder<'_>,
    spans: &[Span],
    alignment: Option<Alignment>,
    looks: &mut Looks<'_>,
) -> Result<()> {
    let style = looks.paragraph(builder, alignment)?;
    builder.open(Node::Paragraph(style))?;
    inlines(builder, spans, looks)?;
    builder.close()
}

fn inlines(builder: &mut Builder<'_>, spans: &[Span], looks: &mut Looks<'_>) -> Result<()> {
    let last = spans.len().saturating_sub(1);
    for (at, span) in spans.iter().enumerate() {
        let mut text = &span.text[..];
        if at == last {
            text = text.trim_end();
        }
        let word = text.trim_end();
        let marks = [
            (span.style.bold, Mark::Strong),
            (span.style.italic, Mark::Emphasis),
        ];
        let mut open = 0;
        if let Some(target) = &span.link {
            builder.open(Node::Link {
                target: target.clone(),
                title: "".into(),
            })?;
            open += 1;
        }
        if let Some(style) = looks.text(builder, span.style.look)? {
            builder.open(Node::Span(style))?;
            open += 1;
        }
        for (_, mark) in marks.into_iter().filter(|(is_set, _)| *is_set) {
            builder.open(Node::Marked(mark))?;
            open += 1;
        }
        builder.text(word)?;
        for _ in 0..open {
            builder.close()?;
        }
        builder.text(&text[word.len()..])?;
    }
    Ok(())
}
