//! Text of a file as a document: its pages are read one after another, and go as plain text to a file, or as blocks to a
//! tree that the documents' writers take.

use super::{
    file,
    text::{
        blocks::{self, Block, Kind, Page, Span, Table},
        grids,
        letters::{self, Cache},
        lines::{self, Line},
        links::Links,
        plain, strings,
        styles::Styles,
        unmapped::Unmapped,
    },
};
use crate::{
    document::{
        self,
        tree::{
            Builder, CellShape, Delimiter, Document, ListKind, ListLook, Mark, Node, Numbering,
            ParagraphStyleId, Part,
        },
    },
    error::{Error, Kind as ErrorKind, Result},
    job::{Job, Notes, Output, Progress, Unit},
};
use hayro::hayro_syntax::Pdf;

/// Bytes for each byte of text, in lines and blocks.
const KEPT: u64 = 6;

/// How much the indents of items of one list may differ, in points.
const SAME: f32 = 4.0;

/// Writes the text of all pages.
pub(super) fn convert(
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
            output.write_all(text.as_bytes()).map_err(Error::unwritten)
        })?;
        return Ok(());
    }
    let mut pages = Vec::new();
    let (mut held, mut tables) = (0, 0);
    reader.tables = true;
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
        job.reserve(memory(job) + held)?;
        pages.push(page);
        Ok(())
    })?;
    let (blocks, left_out) = blocks::of(pages);
    notes.add("Headings, paragraphs and lists were guessed from the layout.");
    if tables > 0 {
        let count = match tables {
            1 => "1 table was".to_owned(),
            count => format!("{count} tables were"),
        };
        notes.add(format!(
            "{count} found by rules around all cells; a first row in bold, or on a ground of its own, is taken for the head."
        ));
    }
    if left_out > 0 {
        notes.add("Lines at the edges of pages that repeat from page to page were left out.");
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
    let document = build(builder, &blocks, notes)?;
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
    /// Whether tables are looked for.
    tables: bool,
}

impl<'a> Reader<'a> {
    fn new(job: &'a Job<'a>, pdf: &'a Pdf) -> Result<Self> {
        job.reserve(memory(job))?;
        Ok(Self {
            job,
            pdf,
            styles: Styles::default(),
            unmapped: Unmapped::default(),
            tables: false,
        })
    }

    /// Hands each page to `take`. Says what could not be read.
    ///
    /// Errors: [`ErrorKind::BadInput`] if there is no text, but pictures.
    fn each(&mut self, notes: &mut Notes, mut take: impl FnMut(Page) -> Result<()>) -> Result<()> {
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
                styles: &self.styles,
                unmapped: &mut self.unmapped,
            };
            let mut letters = letters::read(self.job, page, number, &mut cache, &links)?;
            known += letters.all.len();
            unknown += letters.unknown;
            scans += usize::from(letters.all.is_empty() && letters.pictures);
            let rules = std::mem::take(&mut letters.rules);
            let grids = match self.tables {
                true => grids::find(rules, &letters),
                false => Vec::new(),
            };
            let table = |grid| Table::of(grid, &letters, &links.targets);
            let tables = grids.iter().map(table).collect();
            take(Page {
                lines: lines::of(&mut letters, &grids),
                links: links.targets,
                tables,
            })?;
        }
        if known == 0 && scans > 0 {
            return Err(Error::new(
                ErrorKind::BadInput,
                "the pages of the PDF are pictures without text, as a scanner makes them; they can become pictures, such as png",
            ));
        }
        match (known, scans) {
            (0, _) => notes.add("There is no text in the PDF."),
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
fn build(mut builder: Builder<'_>, blocks: &[Block], notes: &mut Notes) -> Result<Document> {
    // The indents of the lists that are open, and whether they have numbers.
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
                Kind::Text | Kind::Item(..) => paragraph(&mut builder, &block.spans)?,
            }
            continue;
        };
        // Items that are less indented end the lists within them.
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

fn table(builder: &mut Builder<'_>, table: &Table) -> Result<()> {
    builder.open(Node::Table {
        columns: Vec::new(),
        width: None,
        alignment: None,
    })?;
    for (nth, row) in table.rows.iter().enumerate() {
        let is_head = table.head && nth == 0;
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
