//! From a tree to a PDF. Knows the order of things, and nothing about how any of them looks.

use super::{canvas::Artifact, file::File, finish, paint::Painter, pictures::Pictures};
use crate::document::layout::{
    context::{Flow, Kept, LIST_INDENT, Layout, OFFICE_INDENT, Place},
    faces::Faces,
    item::{Draw, Strip, height},
    links::Links,
    look::{self, Look},
    memory::{Memory, Part},
    notes::NoteNumbers,
    outline::Outline,
    pages::{Geometry, PageInfo, Pages},
    paper,
    rows::row_draws,
    structure::{NodeId, Structure},
};
use crate::{
    document::{
        Losses, contents, numbering,
        tree::{
            Alignment, Block, Document, Field, Inline, Length, Margins, PageSetup, Paragraph,
            SectionStart, each_inline,
        },
    },
    error::Result,
    job::{Job, Notes, Output, Progress, Unit},
};
use std::{cell::RefCell, collections::HashMap, io, rc::Rc};

/// Memory for everything that every document needs: fonts, tables of Unicode, buffers.
const BASE: u64 = 24 << 20;

/// Writes a document.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut known = Known::default();
    // Numbers of pages that stand in the text itself are known after the text was set once.
    if job.options().flag(crate::document::options::TOC.name) || shows_pages(document) {
        let mut losses = Losses::default();
        run(
            job,
            document,
            &mut Nowhere,
            &mut known,
            &mut losses,
            &mut Notes::default(),
        )?;
    }
    let mut losses = Losses::default();
    run(job, document, output, &mut known, &mut losses, notes)?;
    losses.tell(notes);
    Ok(())
}

/// What one run learns for the next one.
#[derive(Default)]
pub(super) struct Known {
    pages: usize,
    /// The number of the page that a heading stands on, by its id.
    headings: HashMap<Rc<str>, String>,
}

/// Whether the text refers to page numbers.
fn shows_pages(document: &Document) -> bool {
    let mut any = false;
    for section in document.sections() {
        each_inline(&section.blocks, &mut |inline| {
            any |= matches!(inline, Inline::Field(_))
        });
    }
    any
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

fn run(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    known: &mut Known,
    losses: &mut Losses,
    notes: &mut Notes,
) -> Result<()> {
    let memory = Memory::new(job, document.memory() + BASE)?;
    let structure = Structure::new();
    let file = RefCell::new(File::new(output));
    let mut painter = Painter::new(&file, &structure);
    let mut layout = Layout {
        job,
        document,
        structure: &structure,
        faces: Faces::new(),
        pictures: Pictures::new(document, job, &file, &memory),
        links: Links::default(),
        outline: Outline::default(),
        notes: NoteNumbers::default(),
        losses: std::mem::take(losses),
        page: ("1".to_owned(), known.pages.max(1).to_string()),
        picture_room: (0.0, 0.0),
        last_level: 0,
        note_place: None,
        failed: None,
        memory: &memory,
    };
    let setups: Vec<Sheet> = document
        .sections()
        .iter()
        .map(|section| Sheet::of(job, section.page.as_deref()))
        .collect();
    let pages = {
        let mut pages = Pages::new(job, &mut painter, &file, &memory);
        body(&mut layout, &mut pages, &setups, known)?;
        pages.finish()?;
        pages.pages
    };
    margins(&mut layout, &mut painter, &setups, &pages)?;
    known.pages = pages.len();
    for (name, spot) in &painter.anchors {
        let number = pages
            .get(spot.page)
            .map(|page| setups[page.section].number(page.number));
        known
            .headings
            .insert(name.clone(), number.unwrap_or_default());
    }
    let Layout {
        faces,
        pictures,
        links,
        outline,
        losses: lost,
        ..
    } = layout;
    *losses = lost;
    finish::Finish {
        job,
        document,
        painter,
        faces: &faces,
        pictures: &pictures,
        links: &links,
        outline: &outline,
        numbers: &pages
            .iter()
            .map(|page| (page.number, setups[page.section].setup.numeral))
            .collect::<Vec<_>>(),
    }
    .write(&file, &structure, losses, notes)
}

/// The paper of a section, with what stands in its margins.
struct Sheet {
    setup: PageSetup,
}

impl Sheet {
    fn of(job: &Job<'_>, own: Option<&PageSetup>) -> Self {
        let mut setup = paper::setup(job, own);
        // Where the document knows no paper, pages get numbers.
        if own.is_none() {
            let number = Paragraph {
                content: vec![Inline::Field(Field::Page)],
                ..Paragraph::default()
            };
            setup.footers = Margins {
                all: vec![Block::Paragraph(number)],
                ..Margins::default()
            };
            setup.footer_distance = setup.bottom.scaled(0.45).min(Length::points(36.0));
        }
        Self { setup }
    }

    /// The number of a page as it is written.
    fn number(&self, number: u32) -> String {
        numbering::write(number, self.setup.numeral)
    }

    fn variant(margins: &Margins, first: bool, number: u32) -> &[Block] {
        match (&margins.first, &margins.even) {
            (Some(blocks), _) if first => blocks,
            (_, Some(blocks)) if number.is_multiple_of(2) => blocks,
            _ => &margins.all,
        }
    }
}

/// Text where nobody says otherwise.
fn base(layout: &mut Layout<'_>) -> Rc<Look> {
    let mut look = Look::plain();
    look.language = layout.document.metadata.language.as_deref().map(Rc::from);
    Rc::new(layout.look(&look, &layout.document.text))
}

fn place(document: &Document, look: Rc<Look>, width: f32) -> Place {
    Place {
        left: 0.0,
        width,
        after: look.size * 0.64,
        overlap: document.spaces_overlap,
        direction: look.direction,
        look,
        node: NodeId::DOCUMENT,
        alignment: Alignment::Start,
        list_indent: LIST_INDENT,
        list_left: None,
        bars: Vec::new(),
        lists: 0,
        numbers: Vec::new(),
        silent: false,
    }
}

fn body(
    layout: &mut Layout<'_>,
    pages: &mut Pages<'_, '_>,
    sheets: &[Sheet],
    known: &Known,
) -> Result<()> {
    let document = layout.document;
    let look = base(layout);
    let mut last = None;
    for (at, (section, sheet)) in document.sections().iter().zip(sheets).enumerate() {
        let geometry = geometry(layout, sheet, &look)?;
        let setup = &sheet.setup;
        let same_page = at > 0 && setup.begins == SectionStart::SamePage;
        let even = match setup.begins {
            SectionStart::OddPage => Some(false),
            SectionStart::EvenPage => Some(true),
            SectionStart::NewPage | SectionStart::SamePage => None,
        };
        pages.begin_section(at, geometry, same_page, setup.first_number, even)?;
        let mut place = place(document, look.clone(), geometry.column_width);
        if section.page.is_some() {
            place.list_indent = OFFICE_INDENT;
        }
        let text_height = geometry.other.1 - geometry.other.0;
        layout.picture_room = (geometry.column_width, text_height * 0.95);
        layout.note_place = Some(place.clone());
        let mut flow = Flow::new(pages);
        if at == 0 {
            crate::document::layout::front::title(layout, &place, &mut flow)?;
            if layout
                .job
                .options()
                .flag(crate::document::options::TOC.name)
            {
                crate::document::layout::front::contents(
                    layout,
                    &contents::of(document),
                    &known.headings,
                    &place,
                    &mut flow,
                )?;
            }
        }
        layout.blocks(&section.blocks, &place, &mut flow)?;
        last = Some(place);
    }
    let Some(place) = last else {
        return Ok(());
    };
    layout.note_place = None;
    let endnotes = layout.notes.endnotes.clone();
    if endnotes.is_empty() {
        return Ok(());
    }
    let mut flow = Flow::new(pages);
    flow.space(10.0);
    layout.blocks(&[Block::Rule], &place, &mut flow)?;
    for id in endnotes {
        let label = layout.notes.peek(id).to_owned();
        for strip in layout.set_note(id, &label, &place, NodeId::DOCUMENT)? {
            flow.put(&place, strip)?;
        }
    }
    Ok(())
}

/// Where text stands on the pages of a section: below its headers and above its footers.
fn geometry(layout: &mut Layout<'_>, sheet: &Sheet, look: &Rc<Look>) -> Result<Geometry> {
    let setup = &sheet.setup;
    let mut heights = |first, number| -> Result<paper::Margins> {
        let header = Sheet::variant(&setup.headers, first, number);
        let footer = Sheet::variant(&setup.footers, first, number);
        let header = height(&margin(layout, sheet, header, look)?);
        Ok((header, height(&margin(layout, sheet, footer, look)?)))
    };
    let (first, even, other) = (heights(true, 1)?, heights(false, 2)?, heights(false, 1)?);
    Ok(paper::geometry(setup, first, even, other))
}

/// Sets a header or footer.
fn margin(
    layout: &mut Layout<'_>,
    sheet: &Sheet,
    blocks: &[Block],
    look: &Rc<Look>,
) -> Result<Vec<Strip>> {
    if blocks.is_empty() {
        return Ok(Vec::new());
    }
    let none = (0.0, 0.0);
    let geometry = paper::geometry(&sheet.setup, none, none, none);
    let text = geometry.column_width * geometry.columns as f32
        + geometry.column_gap * (geometry.columns - 1) as f32;
    let mut place = place(layout.document, look.clone(), text);
    place.after = 0.0;
    place.silent = true;
    let own = sheet.setup.headers.all.is_empty()
        && matches!(blocks, [Block::Paragraph(Paragraph { content, .. })] if content.len() == 1);
    if own {
        place.alignment = Alignment::Centre;
        let mut small = (**look).clone();
        small.size *= 0.85;
        small.colour = look::QUIET;
        place.look = Rc::new(small);
    }
    let mut kept = Kept::new(layout.memory);
    let notes = layout.note_place.take();
    layout.picture_room = (text, geometry.height * 0.4);
    layout.blocks(blocks, &place, &mut Flow::new(&mut kept))?;
    layout.note_place = notes;
    layout.memory.set(Part::Cells, 0)?;
    Ok(kept.strips)
}

/// Sets and paints the headers and footers of all pages.
fn margins(
    layout: &mut Layout<'_>,
    painter: &mut Painter<'_>,
    sheets: &[Sheet],
    pages: &[PageInfo],
) -> Result<()> {
    let look = base(layout);
    layout.page.1 = pages.len().to_string();
    for (at, page) in pages.iter().enumerate() {
        layout.job.check()?;
        if at % 16 == 0 {
            layout.job.gate.progress(Progress {
                done: at as u64,
                total: pages.len() as u64,
                unit: Unit::Pages,
            });
        }
        let sheet = &sheets[page.section];
        layout.page.0 = sheet.number(page.number);
        let setup = &sheet.setup;
        let left = paper::geometry(setup, (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)).left;
        let header = margin(
            layout,
            sheet,
            Sheet::variant(&setup.headers, page.first, page.number),
            &look,
        )?;
        let footer = margin(
            layout,
            sheet,
            Sheet::variant(&setup.footers, page.first, page.number),
            &look,
        )?;
        let top = crate::document::layout::item::points(setup.header_distance);
        let bottom = painter.pages[at].height
            - crate::document::layout::item::points(setup.footer_distance)
            - height(&footer);
        for (strips, y, artifact) in [
            (header, top, Artifact::Header),
            (footer, bottom, Artifact::Footer),
        ] {
            if !strips.is_empty() {
                painter.margin(at, artifact, &stacked(strips, left, y));
            }
        }
    }
    Ok(())
}

/// Strips one below the other: where each stands, and what is drawn.
fn stacked(strips: Vec<Strip>, x: f32, mut y: f32) -> Vec<(f32, f32, Vec<Draw>)> {
    let mut stacked = Vec::with_capacity(strips.len());
    for (at, strip) in strips.into_iter().enumerate() {
        y += if at == 0 { 0.0 } else { strip.before };
        let mut draws = strip.draws;
        if let Some(row) = &strip.row {
            draws.extend(row_draws(row, strip.height));
        }
        stacked.push((x, y, draws));
        y += strip.height;
    }
    stacked
}
