//! Sets a whole document on pages: title and contents, sections with their columns, headers and footers, and endnotes.
//! Determines the order of these parts, not their formatting.

use super::{
    borders,
    context::{BlockContext, Flow, Layout, OFFICE_INDENT, RunningHead, SliceCollector},
    counting::Counting,
    float::ReferenceAreas,
    frame::stacked,
    front,
    geometry::Geometry,
    item::{Area, Float, Item, Slice, height},
    medium::{Margin, Medium, Placed},
    memory::Part,
    notes::{self, NoteNumbers},
    pages::{FirstPage, PageInfo, Pages},
    paper,
    text_format::{self, TextFormat},
    units::points,
};
use crate::{
    error::Result,
    job::{Job, Progress, Unit},
};
use convertd_tree::{
    Alignment, Block, Document, Field, Inline, Length, Margins, NoteId, NotePosition, Numeral,
    PageSetup, Paragraph, SectionStart, Typesetter, contents, each_inline, numbering, options,
};
use std::{collections::HashMap, rc::Rc};

/// Results of a pass over a document, for the next pass. Page numbers in the text are known only after a first pass.
#[derive(Default)]
pub struct Known {
    /// Number of pages; 0 before the first pass.
    pub pages: usize,
    /// The number of pages of each section.
    pub sections: Vec<usize>,
    /// The page of each footnote.
    pub notes: HashMap<NoteId, usize>,
    /// The label of the page on which a heading stands, by the heading's id.
    pub headings: HashMap<Rc<str>, String>,
}

/// The label of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLabel {
    pub number: u32,
    pub numeral: Numeral,
}

impl PageLabel {
    /// The label as text.
    pub fn text(self) -> String {
        numbering::write(self.number, self.numeral)
    }
}

/// Returns whether a document needs two passes: its text contains fields, such as page numbers, or the job asks for a
/// table of contents, or footnotes are numbered anew on each page.
pub fn shows_pages(job: &Job<'_>, document: &Document) -> bool {
    if job.options().flag(options::TOC.name) || notes::restart_on_pages(document) {
        return true;
    }
    let mut any = false;
    for section in document.sections() {
        each_inline(&section.blocks, &mut |inline| {
            any |= matches!(inline, Inline::Field(_))
        });
    }
    any
}

/// Sets a document on pages, and returns the label of each page.
pub fn set(
    layout: &mut Layout<'_>,
    medium: &mut dyn Medium,
    known: &Known,
) -> Result<Vec<PageLabel>> {
    layout.page.count = known.pages.max(1);
    layout.notes = NoteNumbers::new(layout.document, &known.notes);
    let papers: Vec<Paper> = layout
        .document
        .sections()
        .iter()
        .map(|section| Paper::of(layout.job, layout.document, section.page.as_deref()))
        .collect();
    layout.heads = running_heads(&papers);
    let pages = {
        // The body is set before headers and footers, which may show the number of pages.
        let mut pages = Pages::new(layout.job, medium, layout.memory);
        body(layout, &mut pages, &papers, known)?;
        pages.finish()?;
        layout.note_pages = pages.note_pages;
        pages.pages
    };
    margins(layout, medium, &papers, &pages)?;
    let label = |page: &PageInfo| PageLabel {
        number: page.number,
        numeral: papers[page.section].setup.numeral,
    };
    Ok(pages.iter().map(label).collect())
}

/// The paper of a section, with its headers and footers.
struct Paper {
    setup: PageSetup,
}

impl Paper {
    fn of(job: &Job<'_>, document: &Document, own: Option<&PageSetup>) -> Self {
        let mut setup = paper::setup(job, own);
        // A document without page setup gets page numbers in the footer, unless it comes from a word processor.
        if own.is_none() && document.typesetter == Typesetter::Own {
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

    /// Reference areas for sizes of frames.
    fn areas(&self) -> ReferenceAreas {
        let none = (0.0, 0.0);
        let geometry = paper::geometry(&self.setup, none, none, none);
        ReferenceAreas {
            page: (geometry.width, geometry.height),
            margin: Area {
                x: geometry.left,
                y: geometry.other.0,
                width: geometry.text(),
                height: geometry.other.1 - geometry.other.0,
            },
            column: geometry.column(0),
            ..ReferenceAreas::default()
        }
    }

    /// Height of the page, in points.
    fn height(&self) -> f32 {
        paper::geometry(&self.setup, (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)).height
    }

    /// A page number in the format of its section.
    fn number(&self, number: u32) -> String {
        numbering::write(number, self.setup.numeral)
    }

    /// The header or footer of a page. First pages and even pages may have their own ones.
    fn variant(margins: &Margins, first: bool, number: u32) -> &[Block] {
        match (&margins.first, &margins.even) {
            (Some(blocks), _) if first => blocks,
            (_, Some(blocks)) if number.is_multiple_of(2) => blocks,
            _ => &margins.all,
        }
    }
}

/// Sets all sections and the endnotes on pages, without headers and footers.
///
/// Computes the text areas of each section. Begins the section on a new page or below the previous section, and sets
/// its blocks. Balances its columns if the next section begins below them.
fn body(
    layout: &mut Layout<'_>,
    pages: &mut Pages<'_, '_>,
    papers: &[Paper],
    known: &Known,
) -> Result<()> {
    let document = layout.document;
    let text_format = layout.base();
    let mut after = 0.0;
    for (at, (section, paper)) in document.sections().iter().zip(papers).enumerate() {
        let geometry = geometry(layout, paper, &text_format)?;
        let setup = &paper.setup;
        layout.section = (at + 1, known.sections.get(at).copied().unwrap_or(1));
        let same_page = at > 0 && setup.begins == SectionStart::SamePage;
        let even = match setup.begins {
            SectionStart::OddPage => Some(false),
            SectionStart::EvenPage => Some(true),
            SectionStart::NewPage | SectionStart::SamePage => None,
        };
        // Word reduces the space above a section's first paragraph by the space below the last paragraph of the
        // previous section.
        let less_above = layout.is_word().then_some(after);
        let goes_on = pages.begin_section(
            at,
            geometry.clone(),
            same_page,
            FirstPage {
                number: setup.first_number,
                even,
            },
            less_above,
        )?;
        // Line numbers may continue from the previous section.
        let before = pages.counting.take();
        pages.counting = setup
            .line_numbers
            .and_then(|numbers| Counting::new(layout, numbers, geometry.count(), before.as_ref()));
        layout.notes.setups = document.note_setups_in(section);
        let position = layout.notes.setups.footnotes.position;
        pages.notes_below_text = position == NotePosition::TextEnd;
        let mut context = BlockContext::new(document, text_format.clone(), geometry.widest());
        layout.grid = setup.grid.map_or(0.0, points).clamp(0.0, 500.0);
        if section.page.is_some() || document.typesetter != Typesetter::Own {
            context.list_indent = OFFICE_INDENT;
        }
        let text_height = geometry.other.1 - geometry.other.0;
        layout.picture_room = (geometry.widest(), text_height * 0.95);
        layout.areas = paper.areas();
        layout.note_place = Some(context.clone());
        let is_followed = papers.get(at + 1).is_some_and(|next| {
            // The next section can begin on the same page only if both sections have the same paper size.
            next.setup.begins == SectionStart::SamePage
                && (next.setup.width, next.setup.height) == (setup.width, setup.height)
        });
        if is_followed && geometry.count() > 1 && !geometry.is_uneven() {
            pages.hold_back();
        }
        let mut flow = Flow::new(pages);
        if goes_on && layout.is_word() {
            flow.space(after);
        }
        if at == 0 {
            front::title(layout, &context, &mut flow)?;
            if layout.job.options().flag(options::TOC.name) {
                front::contents(
                    layout,
                    &contents::of(document),
                    &known.headings,
                    &context,
                    &mut flow,
                )?;
            }
        }
        layout.blocks(&section.blocks, &context, &mut flow)?;
        after = flow.after;
        pages.balance()?;
        layout.notes_at_end(pages, &context, at + 1 == papers.len())?;
    }
    Ok(())
}

/// The styles that headers and footers refer to in fields.
fn running_heads(papers: &[Paper]) -> Vec<RunningHead> {
    let mut heads: Vec<RunningHead> = Vec::new();
    for paper in papers {
        for margins in [&paper.setup.headers, &paper.setup.footers] {
            let others = [margins.first.as_ref(), margins.even.as_ref()];
            for blocks in [Some(&margins.all)].into_iter().chain(others).flatten() {
                each_inline(blocks, &mut |inline| {
                    if let Inline::Field(Field::Styled(reference)) = inline
                        && !heads.iter().any(|head| head.name == reference.name)
                    {
                        heads.push(RunningHead {
                            name: reference.name.clone(),
                            first: String::new(),
                            last: String::new(),
                        });
                    }
                });
            }
        }
    }
    heads
}

/// Text areas of a section, between its headers and footers, for first, even and other pages.
fn geometry(
    layout: &mut Layout<'_>,
    paper: &Paper,
    text_format: &Rc<TextFormat>,
) -> Result<Geometry> {
    let setup = &paper.setup;
    let mut heights = |first, number| -> Result<paper::Margins> {
        let header = Paper::variant(&setup.headers, first, number);
        let footer = Paper::variant(&setup.footers, first, number);
        let header = height(&margin(layout, paper, header, text_format)?.slices);
        Ok((
            header,
            height(&margin(layout, paper, footer, text_format)?.slices),
        ))
    };
    let (first, even, other) = (heights(true, 1)?, heights(false, 2)?, heights(false, 1)?);
    Ok(paper::geometry(setup, first, even, other))
}

/// Content of a header or footer.
#[derive(Default)]
struct MarginText {
    slices: Vec<Slice>,
    /// Floats, each with the upper edge of the slice that it is anchored in.
    floats: Vec<(Float, f32)>,
}

impl MarginText {
    /// Paints the content with this upper left corner.
    fn paint(
        self,
        medium: &mut dyn Medium,
        page: usize,
        margin: Margin,
        (left, top): (f32, f32),
        areas: &ReferenceAreas,
    ) {
        let (mut behind, mut placed) = (Vec::new(), stacked(self.slices, left, top));
        let mut floats = self.floats;
        floats.sort_by_key(|(float, _)| float.order);
        for (float, paragraph) in floats {
            let (x, y) = float.corner(&ReferenceAreas {
                paragraph: top + paragraph,
                ..*areas
            });
            let layer = match float.behind {
                true => &mut behind,
                false => &mut placed,
            };
            let items = float.items;
            layer.push(Placed { x, y, items });
        }
        if !behind.is_empty() {
            medium.draw_background(page, Some(margin), &behind);
        }
        if !placed.is_empty() {
            medium.margin(page, margin, &placed);
        }
    }
}

/// Sets a header or footer. If the section has no header and its footer is one paragraph of a single inline, such as
/// the page number that this program adds, the footer is small, grey and centred.
fn margin(
    layout: &mut Layout<'_>,
    paper: &Paper,
    blocks: &[Block],
    text_format: &Rc<TextFormat>,
) -> Result<MarginText> {
    if blocks.is_empty() {
        return Ok(MarginText::default());
    }
    let none = (0.0, 0.0);
    let geometry = paper::geometry(&paper.setup, none, none, none);
    let text = geometry.text();
    let mut context = BlockContext::new(layout.document, text_format.clone(), text);
    context.after = 0.0;
    let own = paper.setup.headers.all.is_empty()
        && matches!(blocks, [Block::Paragraph(Paragraph { content, .. })] if content.len() == 1);
    if own {
        context.alignment = Alignment::Centre;
        let mut small = (**text_format).clone();
        small.size *= 0.85;
        small.colour = text_format::QUIET;
        context.text_format = Rc::new(small);
    }
    // Headers and footers have neither notes nor a document grid.
    let notes = layout.note_place.take();
    layout.grid = 0.0;
    layout.picture_room = (text, geometry.height * 0.4);
    layout.areas = paper.areas();
    // The origin is the upper left corner of the page, relative to the content of a header. Footers get the same value.
    let areas = ReferenceAreas {
        origin: (-geometry.left, -points(paper.setup.header_distance)),
        ..ReferenceAreas::within(0.0, text)
    };
    let mut collector = SliceCollector::new(layout.memory, areas);
    collector.floats = Some(Vec::new());
    layout.blocks(blocks, &context, &mut Flow::new(&mut collector))?;
    let floats = collector.floats.take().unwrap_or_default();
    layout.note_place = notes;
    layout.memory.set(Part::Cells, 0)?;
    layout.memory.set(Part::Frames, 0)?;
    Ok(MarginText {
        slices: collector.slices,
        floats,
    })
}

/// Sets and paints headers, footers, page borders and backgrounds of all pages, except for inserted ones.
fn margins(
    layout: &mut Layout<'_>,
    medium: &mut dyn Medium,
    papers: &[Paper],
    pages: &[PageInfo],
) -> Result<()> {
    let text_format = layout.base();
    layout.page.count = pages.len();
    let mut counts = vec![0; papers.len()];
    for page in pages.iter().filter(|page| !page.inserted) {
        counts[page.section] += 1;
    }
    layout.section_pages.clone_from(&counts);
    // Pages before the first paragraph of a style show the text of that paragraph.
    for head in &mut layout.heads {
        let mut all = pages.iter().flat_map(|page| &page.running);
        if let Some(found) = all.find(|running| running.0 == head.name) {
            head.last.clone_from(&found.1);
        }
    }
    for (at, page) in pages.iter().enumerate() {
        layout.job.check()?;
        if at % 16 == 0 {
            layout.job.progress(Progress {
                done: at as u64,
                total: pages.len() as u64,
                unit: Unit::Pages,
            });
        }
        let paper = &papers[page.section];
        layout.section = (page.section + 1, counts[page.section]);
        layout.page.label = paper.number(page.number);
        layout.page.number = page.number;
        let setup = &paper.setup;
        if page.inserted {
            continue;
        }
        // The first and the last text of this style on the page. If the page has none, both are the last text of the
        // style on earlier pages (ECMA-376 part 1, 17.16.5.59).
        for head in &mut layout.heads {
            let mut own = (page.running.iter()).filter(|running| running.0 == head.name);
            let first = own.next();
            let last = own.next_back().or(first);
            head.first
                .clone_from(first.map_or(&head.last, |running| &running.1));
            if let Some(last) = last {
                head.last.clone_from(&last.1);
            }
        }
        let left = paper::geometry(setup, (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)).left;
        let header = margin(
            layout,
            paper,
            Paper::variant(&setup.headers, page.first, page.number),
            &text_format,
        )?;
        let footer = margin(
            layout,
            paper,
            Paper::variant(&setup.footers, page.first, page.number),
            &text_format,
        )?;
        let top = points(setup.header_distance);
        let bottom = paper.height() - points(setup.footer_distance) - height(&footer.slices);
        let areas = ReferenceAreas {
            even: page.number.is_multiple_of(2),
            ..paper.areas()
        };
        if let Some(lines) = setup.borders.as_deref() {
            let none = (0.0, 0.0);
            let geometry = paper::geometry(setup, none, none, none);
            let lines = borders::of_page(lines, &geometry, page.first);
            medium.margin(at, Margin::Header, lines.as_slice());
        }
        header.paint(medium, at, Margin::Header, (left, top), &areas);
        footer.paint(medium, at, Margin::Footer, (left, bottom), &areas);
        // Each call of `draw_background` draws behind the content of all earlier calls, so the page's background is
        // drawn last.
        if let Some(colour) = setup.background {
            let area = Area {
                x: 0.0,
                y: 0.0,
                width: points(setup.width),
                height: points(setup.height),
            };
            let items = vec![Item::Fill { area, colour }];
            let (x, y) = (0.0, 0.0);
            medium.draw_background(at, None, &[Placed { x, y, items }]);
        }
    }
    Ok(())
}
