//! Divides a document into slides, as pandoc does. Pandoc's slide level is the smallest level number of a heading
//! that is followed by something other than a heading. Each heading of that level begins a slide, and each heading
//! with a smaller level number becomes a section slide. A rule begins a slide, too. The metadata become a title slide.
//! [`fit`] lays out the slides.

use super::{
    Layout, Line, Link, Page, Run, Words,
    fit::{self, Draft},
    lines::{BlockContext, Lines},
};
use crate::{error::Result, job::Job};
use convertd_tree::{Block, Document, Group, GroupKind, Heading, losses::Losses};
use std::collections::HashMap;

/// Divides a document into slides.
///
/// Errors: those of [`Job::check`].
pub(crate) fn pages(job: &Job<'_>, document: &Document, losses: &mut Losses) -> Result<Vec<Page>> {
    let mut blocks = Vec::new();
    flatten(document.blocks(), &mut blocks);
    let mut cutter = Cutter {
        level: level(&blocks),
        lines: Lines::new(document, losses),
        draft: None,
        pages: Vec::new(),
        names: HashMap::new(),
    };
    cutter.begin(document);
    for block in blocks {
        job.check()?;
        cutter.block(block, document);
    }
    cutter.end(document);
    // Links can be resolved only when all slides are known.
    let Cutter {
        mut pages, names, ..
    } = cutter;
    if pages.is_empty() {
        pages.push(Page::default());
    }
    pages.iter_mut().for_each(|page| resolve(page, &names));
    Ok(pages)
}

/// Collects the blocks of a document, including those within groups that have no effect on slides.
fn flatten<'d>(all: impl Iterator<Item = &'d Block>, blocks: &mut Vec<&'d Block>) {
    for block in all {
        match block {
            Block::Group(group) if is_transparent(group) => flatten(group.blocks.iter(), blocks),
            block => blocks.push(block),
        }
    }
}

/// Returns whether a group has no effect on slides.
fn is_transparent(group: &Group) -> bool {
    let plain = match &group.kind {
        GroupKind::Language(_) | GroupKind::Regions(_) => true,
        GroupKind::Frame(frame) => !frame.apart,
        GroupKind::Aside | GroupKind::Speaker | GroupKind::Figure { .. } => false,
    };
    plain && group.id.is_none()
}

/// Returns the level of headings that begin a slide: the smallest level number of a heading that is followed by
/// something other than a heading. 1 if there is no such heading.
fn level(blocks: &[&Block]) -> u8 {
    let pairs = blocks.windows(2).filter_map(|pair| match pair {
        [Block::Heading(heading), next] if !matches!(next, Block::Heading(_)) => {
            Some(heading.level)
        }
        _ => None,
    });
    pairs.min().unwrap_or(1)
}

/// Divides the blocks of a document into slides.
struct Cutter<'d> {
    /// Level of headings that begin a slide.
    level: u8,
    /// Converter of blocks.
    lines: Lines<'d>,
    /// Current slide.
    draft: Option<Draft>,
    /// Finished slides.
    pages: Vec<Page>,
    /// Slide indices by the names of anchors on the slides.
    names: HashMap<Box<str>, usize>,
}

impl Cutter<'_> {
    /// Begins the title slide, if the metadata contain a title that the document shows.
    fn begin(&mut self, document: &Document) {
        let metadata = &document.metadata;
        let title = metadata.title.as_deref().filter(|_| metadata.title_block);
        let Some(title) = title.filter(|title| !title.trim().is_empty()) else {
            return;
        };
        let plain = |text: &str| Run {
            words: Words::Text(text.trim().to_owned()),
            ..Run::default()
        };
        let authors = metadata.authors.join(", ");
        let below = [
            metadata.subtitle.as_deref(),
            Some(&*authors),
            metadata.date.as_deref(),
        ];
        let below = below
            .into_iter()
            .flatten()
            .filter(|text| !text.trim().is_empty());
        self.draft = Some(Draft {
            layout: Layout::Title,
            title: vec![plain(title)],
            subtitle: below
                .map(|text| Line {
                    runs: vec![plain(text)],
                    ..Line::default()
                })
                .collect(),
            ..Draft::default()
        });
    }

    /// Adds a block to the current slide. A slide begins at a rule and at each heading whose level number is at most
    /// [`Cutter::level`].
    fn block(&mut self, block: &Block, document: &Document) {
        match block {
            Block::Heading(heading) if heading.level <= self.level => {
                self.heading(heading, document);
            }
            Block::Rule => {
                self.end(document);
                self.draft = Some(Draft::default());
            }
            block => {
                // Speaker notes stay with a title slide or section slide. Any other block begins a new slide after
                // such a slide, and at the beginning of the document.
                let is_notes =
                    matches!(block, Block::Group(group) if group.kind == GroupKind::Speaker);
                let layout = self.draft.as_ref().map(|draft| draft.layout);
                if !is_notes && !matches!(layout, Some(Layout::Content)) {
                    self.end(document);
                    self.draft = Some(Draft::default());
                }
                self.lines.block(block, BlockContext::default());
            }
        }
    }

    /// Begins a slide with a heading as its title. Headings with a level number below [`Cutter::level`] begin section
    /// slides.
    fn heading(&mut self, heading: &Heading, document: &Document) {
        self.end(document);
        self.lines.names.push(heading.id.clone());
        let mut title = self.lines.title(&heading.content);
        if let Some(label) = &heading.label {
            let label = Run {
                words: Words::Text(format!("{label} ")),
                ..Run::default()
            };
            title.insert(0, label);
        }
        self.draft = Some(Draft {
            layout: match heading.level < self.level {
                true => Layout::Section,
                false => Layout::Content,
            },
            title,
            ..Draft::default()
        });
    }

    /// Ends the current slide and lays it out.
    fn end(&mut self, document: &Document) {
        self.lines.end();
        let items = std::mem::take(&mut self.lines.items);
        let notes = std::mem::take(&mut self.lines.notes);
        let names = std::mem::take(&mut self.lines.names);
        let mut draft = match self.draft.take() {
            Some(draft) => draft,
            None if items.is_empty() && notes.is_empty() => return,
            None => Draft::default(),
        };
        let first = self.pages.len();
        for name in names {
            self.names.entry(name).or_insert(first);
        }
        // A section slide with content, such as a picture in its heading, becomes a normal slide.
        if !items.is_empty() && draft.layout == Layout::Section {
            draft.layout = Layout::Content;
        }
        draft.items = items;
        draft.notes = notes;
        fit::pages(draft, document, &mut self.pages);
    }
}

/// Resolves links to anchors as links to slides. Links with unknown targets are removed.
fn resolve(page: &mut Page, names: &HashMap<Box<str>, usize>) {
    let resolve_link = |link: &mut Option<Link>| {
        if let Some(Link::Name(name)) = link {
            *link = names.get(name).map(|number| Link::Slide(*number));
        }
    };
    let of_lines = |lines: &mut Vec<Line>| {
        let runs = lines.iter_mut().flat_map(|line| &mut line.runs);
        runs.for_each(|run| resolve_link(&mut run.link));
    };
    page.title
        .iter_mut()
        .for_each(|run| resolve_link(&mut run.link));
    of_lines(&mut page.subtitle);
    of_lines(&mut page.notes);
    for placed in &mut page.parts {
        match &mut placed.part {
            super::SlideObject::Text(lines) => of_lines(lines),
            super::SlideObject::Picture(picture) => resolve_link(&mut picture.link),
            super::SlideObject::Table(grid) => {
                for place in grid.rows.iter_mut().flat_map(|row| &mut row.places) {
                    if let super::GridPlace::Cell(cell) = place {
                        of_lines(&mut cell.lines);
                    }
                }
            }
        }
    }
}
