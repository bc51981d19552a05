//! The text of a PDF as a document. Pages are read one after another and become either plain text in a file, or blocks of a
//! tree for the document writers.

use super::{
    file,
    text::{
        blocks::{self, Block, Kind, Page, Span, Table},
        figures::{self, Figures},
        letters::{self, Cache},
        lines::{self, Line},
        links::Links,
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
            Builder, CellShape, Delimiter, Document, Length, ListKind, ListLook, Mark, Node,
            Numbering, ParagraphStyleId, Part, Picture, PictureSource, ResourceId,
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

/// Writes the text of all pages.
pub(crate) fn convert(
    job: &Job<'_>,
    pdf: &Pdf,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut reader = Reader::new(job, pdf)?;
    if job.to.name == "txt" {
        let mut is_first = true;
        reader.each(notes, |page| {
            let mut text = String::new();
            if !std::mem::take(&mut is_first) {
                text.push('\u{c}');
            }
            plain::write(&page.lines, &mut text);
            output
                .write_all(text.as_bytes())
                .map_err(Error::unwritten)?;
            Ok(0)
        })?;
        return Ok(());
    }
    let mut pages = Vec::new();
    let (mut held, mut tables) = (0, 0);
    reader.each(notes, |page| {
        let lines = page
            .lines
            .iter()
            .map(|line| line.text.len() + size_of::<Line>());
        let cells = page.tables.iter().flat_map(|table| &table.rows).flatten();
        let spans = cells.flat_map(|cell| &cell.paragraphs).flatten();
        let spans = spans.map(|span| span.text.len() + 2 * size_of::<Line>());
        let len = lines.chain(spans).sum::<usize>();
        held += KEPT * len as u64;
        tables += page.tables.len();
        pages.push(page);
        Ok(held)
    })?;
    let figures = reader.figures.take().unwrap_or_default();
    let (blocks, left_out) = blocks::of(pages);
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
    let document = build(builder, &blocks, figures.files, notes)?;
    document::write(job, document, output, notes)
}

fn memory(job: &Job<'_>) -> u64 {
    file::memory(job) + letters::MEMORY
}

/// Reads the pages one after another.
struct Reader<'a> {
    job: &'a Job<'a>,
    pdf: &'a Pdf,
    styles: Styles,
    unmapped: Unmapped,
    /// Pictures and tables, if they are wanted.
    figures: Option<Figures>,
}

impl<'a> Reader<'a> {
    fn new(job: &'a Job<'a>, pdf: &'a Pdf) -> Result<Self> {
        job.reserve(memory(job))?;
        Ok(Self {
            job,
            pdf,
            styles: Styles::default(),
            unmapped: Unmapped::default(),
            figures: (job.to.name != "txt").then(|| Figures::new(memory(job))),
        })
    }

    /// Passes each page to `take`, which returns the bytes that all pages hold so far, pictures excluded. Notes what could not
    /// be read.
    ///
    /// Errors: [`ErrorKind::BadInput`] if there is no text, only pictures that are not wanted or cannot be read.
    fn each(&mut self, notes: &mut Notes, mut take: impl FnMut(Page) -> Result<u64>) -> Result<()> {
        let pages = self.pdf.pages();
        let (mut known, mut unknown, mut scans) = (0, 0, 0);
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
            scans += usize::from(letters.all.is_empty() && letters.pictures);
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
                })?;
            let pictures = self.figures.as_mut().map_or(0, |figures| {
                figures.base = base;
                figures.memory()
            });
            self.job.reserve(base + pictures)?;
        }
        let has_pictures = |figures: &Figures| !figures.files.is_empty();
        if known == 0 && scans > 0 && !self.figures.as_ref().is_some_and(has_pictures) {
            return Err(Error::new(
                ErrorKind::BadInput,
                "the pages of the PDF are pictures without text, as a scanner makes them; they can become pictures, such as png",
            ));
        }
        match (known, scans) {
            (0, 1..) => notes.add("There is no text in the PDF: its pages are pictures."),
            (0, 0) => notes.add("There is no text in the PDF."),
            (_, 0) => {}
            (_, 1) => notes.add("A page is a picture without text."),
            (_, scans) => notes.add(format!("{scans} pages are pictures without text.")),
        }
        if unknown > 0 {
            notes.add(format!(
                "Letters were left out, because their fonts do not tell what they mean: {unknown}."
            ));
        }
        Ok(())
    }
}

/// Makes a tree of blocks.
fn build(
    mut builder: Builder<'_>,
    blocks: &[Block],
    mut files: Vec<Vec<u8>>,
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
                    builder.open(Node::Heading {
                        level,
                        id: None,
                        label: None,
                        style: ParagraphStyleId::DEFAULT,
                    })?;
                    inlines(&mut builder, &block.spans)?;
                    builder.close()?;
                }
                Kind::Code => {
                    let text: String = block.spans.iter().map(|span| &span.text[..]).collect();
                    builder.code_block("", text)?;
                }
                Kind::Table(ref of) => table(&mut builder, of)?,
                Kind::Figure(file, size) => figure(&mut builder, pictures[&file], size)?,
                Kind::Text | Kind::Item(..) => paragraph(&mut builder, &block.spans)?,
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
        paragraph(&mut builder, &block.spans)?;
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

fn table(builder: &mut Builder<'_>, table: &Table) -> Result<()> {
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
                paragraph(builder, spans)?;
            }
            builder.close()?;
        }
        builder.close()?;
    }
    builder.close()
}

fn paragraph(builder: &mut Builder<'_>, spans: &[Span]) -> Result<()> {
    builder.open(Node::Paragraph(ParagraphStyleId::DEFAULT))?;
    inlines(builder, spans)?;
    builder.close()
}

fn inlines(builder: &mut Builder<'_>, spans: &[Span]) -> Result<()> {
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
