//! Converts blocks and inlines to lines, tables and pictures, without placing them.

use super::runs::{push, trim, with_mark};
use super::{
    Grid, GridCell, GridPlace, Label, Line, LineKind, Link, Run, Shown, Words, page::GridRow,
};
use convertd_tree::{
    Alignment, Block, Document, Group, GroupKind, Inline, List, ListKind, NoteId, Picture,
    PictureSource, Slot, Table,
    losses::{Loss, Losses},
};
use std::collections::HashSet;

static FORMULAS: Loss = Loss {
    one: "A formula became its text in TeX.",
    many: "{} formulas became their texts in TeX.",
};

static ELSEWHERE: Loss = Loss {
    one: "A picture that is not in the file was replaced by its alternative text.",
    many: "{} pictures that are not in the file were replaced by their alternative texts.",
};

/// Deepest level of a line on a slide, counted from 0.
const DEEPEST: u8 = 4;

/// Content of a slide. Items are placed below each other.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Line(Line),
    Table(Grid),
    Picture(Shown),
}

/// Converter of blocks.
pub(super) struct Lines<'d> {
    pub(super) document: &'d Document,
    /// Contents that were left out.
    pub(super) losses: &'d mut Losses,
    /// Content of the current slide.
    pub(super) items: Vec<Item>,
    /// Speaker notes of the current slide.
    pub(super) notes: Vec<Line>,
    /// Names of anchors on the slide.
    pub(super) names: Vec<Box<str>>,
    /// Footnotes to which the slide refers.
    foot: Vec<NoteId>,
    /// Number of the last list.
    lists: u32,
}

/// Context of blocks.
#[derive(Clone, Copy, Default)]
pub(super) struct BlockContext {
    pub(super) kind: LineKind,
    /// Level of the lines.
    pub(super) level: u8,
}

impl<'d> Lines<'d> {
    pub(super) fn new(document: &'d Document, losses: &'d mut Losses) -> Self {
        Self {
            document,
            losses,
            items: Vec::new(),
            notes: Vec::new(),
            names: Vec::new(),
            foot: Vec::new(),
            lists: 0,
        }
    }

    /// Adds blocks.
    pub(super) fn blocks(&mut self, blocks: &[Block], within: BlockContext) {
        for block in blocks {
            self.block(block, within);
        }
    }

    /// Adds a block. Structures that slides lack become levels, kinds of lines, or plain text.
    pub(super) fn block(&mut self, block: &Block, within: BlockContext) {
        match block {
            Block::Paragraph(paragraph) => self.line(
                &paragraph.content,
                Line {
                    kind: within.kind,
                    level: within.level,
                    alignment: self.document.paragraph_style(paragraph.style).alignment,
                    ..Line::default()
                },
            ),
            Block::Heading(heading) => {
                self.names.push(heading.id.clone());
                let label = heading.label.as_ref().map(|label| Run {
                    words: Words::Text(format!("{label} ")),
                    bold: true,
                    ..Run::default()
                });
                let line = Line {
                    kind: LineKind::Heading,
                    level: within.level,
                    runs: label.into_iter().collect(),
                    ..Line::default()
                };
                self.line(&heading.content, line);
            }
            Block::List(list) => self.list(list, within),
            Block::Definitions(all) => {
                for definition in all {
                    let term = Line {
                        kind: LineKind::Heading,
                        level: within.level,
                        ..Line::default()
                    };
                    self.line(&definition.term, term);
                    for details in &definition.details {
                        self.blocks(details, next_level(within));
                    }
                }
            }
            Block::Table(table) => {
                let small = BlockContext {
                    kind: LineKind::Small,
                    ..within
                };
                self.blocks(&table.caption, small);
                let grid = self.grid(table);
                self.items.push(Item::Table(grid));
            }
            Block::Code(code) => {
                // Each line of code is a paragraph.
                for line in code.text.split('\n') {
                    let run = Run {
                        words: Words::Text(line.to_owned()),
                        code: true,
                        ..Run::default()
                    };
                    self.items.push(Item::Line(Line {
                        kind: LineKind::Code,
                        level: within.level,
                        runs: vec![run],
                        ..Line::default()
                    }));
                }
            }
            Block::Quote(blocks) => {
                let within = BlockContext {
                    kind: LineKind::Quote,
                    ..next_level(within)
                };
                self.blocks(blocks, within);
            }
            Block::Group(group) => self.group(group, within),
            Block::Rule | Block::PageBreak | Block::ColumnBreak | Block::RawHtml(_) => {}
        }
    }

    /// Adds a group: speaker notes are collected separately, and captions follow their figure as small, centred text.
    fn group(&mut self, group: &Group, within: BlockContext) {
        self.names.extend(group.id.clone());
        match &group.kind {
            GroupKind::Speaker => {
                let items = std::mem::take(&mut self.items);
                self.blocks(&group.blocks, BlockContext::default());
                let notes = std::mem::replace(&mut self.items, items);
                self.notes.extend(notes.into_iter().flat_map(lines_of));
            }
            GroupKind::Figure { caption } => {
                self.blocks(&group.blocks, within);
                let small = BlockContext {
                    kind: LineKind::Small,
                    ..within
                };
                let first = self.items.len();
                self.blocks(caption, small);
                for item in &mut self.items[first..] {
                    if let Item::Line(line) = item {
                        line.alignment = Some(Alignment::Centre);
                    }
                }
            }
            GroupKind::Aside
            | GroupKind::Frame(_)
            | GroupKind::Language(_)
            | GroupKind::Regions(_) => {
                self.blocks(&group.blocks, within);
            }
        }
    }

    /// Adds a list. The label belongs to the first paragraph of an item. Blocks other than paragraphs are indented by a
    /// level.
    fn list(&mut self, list: &List, within: BlockContext) {
        self.lists += 1;
        let number = self.lists;
        for (nth, item) in (0..).zip(&list.items) {
            let label = match &list.kind {
                ListKind::Bullet => Label::Bullet,
                ListKind::Ordered(numbering) => Label::Number {
                    numbering: *numbering,
                    list: number,
                    number: numbering.start.saturating_add(nth),
                },
            };
            let mut label = Some(label);
            for block in &item.blocks {
                match block {
                    Block::Paragraph(paragraph) => {
                        let mut line = Line {
                            kind: within.kind,
                            level: within.level,
                            label: label.take().unwrap_or_default(),
                            ..Line::default()
                        };
                        if let (Some(done), Label::Bullet) = (item.task, line.label) {
                            let sign = if done { "☑ " } else { "☐ " };
                            line.runs.push(Run {
                                words: Words::Text(sign.to_owned()),
                                ..Run::default()
                            });
                        }
                        self.line(&paragraph.content, line);
                    }
                    other => self.block(other, next_level(within)),
                }
            }
        }
    }

    /// Adds a line, followed by the pictures within it.
    fn line(&mut self, content: &[Inline], mut line: Line) {
        let mut pictures = Vec::new();
        let look = Run {
            italic: line.kind == LineKind::Quote,
            bold: line.kind == LineKind::Heading,
            ..Run::default()
        };
        let own = line.runs.len();
        self.inlines(content, &look, &mut line.runs, &mut pictures);
        trim(&mut line.runs, own);
        if !line.runs.is_empty() {
            self.items.push(Item::Line(line));
        }
        self.items.extend(pictures.into_iter().map(Item::Picture));
    }

    /// Converts a title to runs. Its pictures become items of the slide.
    pub(super) fn title(&mut self, content: &[Inline]) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut pictures = Vec::new();
        self.inlines(content, &Run::default(), &mut runs, &mut pictures);
        trim(&mut runs, 0);
        self.items.extend(pictures.into_iter().map(Item::Picture));
        runs
    }

    /// Adds inlines as runs. Pictures are collected separately.
    fn inlines(
        &mut self,
        content: &[Inline],
        look: &Run,
        runs: &mut Vec<Run>,
        pictures: &mut Vec<Shown>,
    ) {
        for inline in content {
            match inline {
                Inline::Text(text) => push(runs, text, look),
                Inline::Code(text) => push(
                    runs,
                    text,
                    &Run {
                        code: true,
                        ..look.clone()
                    },
                ),
                Inline::SoftBreak => push(runs, " ", look),
                Inline::LineBreak => runs.push(Run {
                    words: Words::Break,
                    ..look.clone()
                }),
                Inline::Marked(mark, content) => {
                    let look = with_mark(look.clone(), *mark);
                    self.inlines(content, &look, runs, pictures);
                }
                Inline::Span(_, content) => self.inlines(content, look, runs, pictures),
                Inline::Link(link) => {
                    let target = match link.bookmark() {
                        Some(name) => Link::Name(name.into()),
                        None => Link::Address(link.target.clone()),
                    };
                    let look = Run {
                        link: Some(target),
                        ..look.clone()
                    };
                    self.inlines(&link.content, &look, runs, pictures);
                }
                Inline::Picture(picture) => self.picture(picture, look, runs, pictures),
                Inline::Note(id) => {
                    self.foot.push(*id);
                    let number = self.document.note_label(*id).to_owned();
                    let look = Run {
                        raised: 1,
                        ..look.clone()
                    };
                    push(runs, &number, &look);
                }
                Inline::Math(math) => {
                    self.losses.add(&FORMULAS);
                    let look = Run {
                        italic: true,
                        ..look.clone()
                    };
                    push(runs, &math.tex, &look);
                }
                Inline::Ruby(ruby) => push(runs, &ruby.spelled(), look),
                Inline::Bookmark(name) => self.names.push(name.clone()),
                Inline::Field(_) | Inline::RawHtml(_) => {}
            }
        }
    }

    /// Collects a picture with its size in English Metric Units. A picture that is not in the file is replaced by its
    /// alternative text, or by its address if it has none.
    fn picture(
        &mut self,
        picture: &Picture,
        look: &Run,
        runs: &mut Vec<Run>,
        pictures: &mut Vec<Shown>,
    ) {
        let side = |side: Option<convertd_tree::Length>| {
            side.map(|side| side.to_emu()).filter(|side| *side > 0)
        };
        match &picture.source {
            PictureSource::Resource(id) => pictures.push(Shown {
                id: *id,
                alternative: picture.alternative.clone(),
                link: look.link.clone(),
                size: (side(picture.width), side(picture.height)),
            }),
            PictureSource::Address(address) => {
                self.losses.add(&ELSEWHERE);
                let words = match &*picture.alternative {
                    "" => address,
                    words => words,
                };
                push(runs, words, look);
            }
        }
    }

    /// Adds the footnotes of a slide below its content, each once.
    pub(super) fn end(&mut self) {
        let mut known = HashSet::new();
        for id in std::mem::take(&mut self.foot) {
            if !known.insert(id) {
                continue;
            }
            let at = self.items.len();
            let small = BlockContext {
                kind: LineKind::Small,
                level: 0,
            };
            let document = self.document;
            self.blocks(&document.note(id).blocks, small);
            if let Some(Item::Line(line)) = self.items.get_mut(at) {
                let number = Run {
                    words: Words::Text(format!("{} ", self.document.note_label(id))),
                    raised: 1,
                    ..Run::default()
                };
                line.runs.insert(0, number);
            }
        }
    }

    /// Converts a table to rows of equal length.
    fn grid(&mut self, table: &Table) -> Grid {
        let mut rows = Vec::new();
        for part in [&table.head, &table.body, &table.foot] {
            for (_, places) in table.grid(part) {
                rows.push(self.row(places));
            }
        }
        Grid {
            columns: vec![0; table.columns.len()],
            rows,
            head: table.head.len(),
        }
    }

    /// Converts a row of the grid. All rows have one entry for each column: a cell, a mark for a covered position, or
    /// an empty cell if the row is too short.
    fn row(&mut self, places: Vec<Slot<'_>>) -> GridRow {
        let mut row = GridRow::default();
        for place in places {
            let (first, columns) = match place {
                Slot::Cell { cell, .. } => {
                    let items = std::mem::take(&mut self.items);
                    self.blocks(&cell.blocks, BlockContext::default());
                    let own = std::mem::replace(&mut self.items, items);
                    let lines = own.into_iter().flat_map(lines_of).map(|line| Line {
                        alignment: line.alignment.or(cell.alignment),
                        ..line
                    });
                    let cell = GridCell {
                        rows: cell.rows.max(1),
                        columns: cell.columns.max(1),
                        lines: lines.collect(),
                    };
                    let columns = cell.columns;
                    (GridPlace::Cell(cell), columns)
                }
                Slot::Covered { cell, .. } => {
                    let above = GridPlace::Covered {
                        left: false,
                        above: true,
                    };
                    (above, cell.columns.max(1))
                }
                Slot::Missing { .. } => {
                    let cell = GridCell {
                        rows: 1,
                        columns: 1,
                        lines: Vec::new(),
                    };
                    (GridPlace::Cell(cell), 1)
                }
            };
            let above = matches!(first, GridPlace::Covered { .. });
            row.places.push(first);
            let rest = (1..columns).map(|_| GridPlace::Covered { left: true, above });
            row.places.extend(rest);
        }
        row
    }
}

/// Returns the context of the next level.
fn next_level(within: BlockContext) -> BlockContext {
    BlockContext {
        level: (within.level + 1).min(DEEPEST),
        ..within
    }
}

/// Converts an item to lines: a table to the texts of its cells, and a picture to its alternative text.
fn lines_of(item: Item) -> Vec<Line> {
    match item {
        Item::Line(line) => vec![line],
        Item::Table(grid) => {
            let places = grid.rows.into_iter().flat_map(|row| row.places);
            let lines = places.flat_map(|place| match place {
                GridPlace::Cell(cell) => cell.lines,
                GridPlace::Covered { .. } => Vec::new(),
            });
            lines.collect()
        }
        Item::Picture(picture) if picture.alternative.is_empty() => Vec::new(),
        Item::Picture(picture) => vec![Line {
            runs: vec![Run {
                words: Words::Text(picture.alternative.into()),
                italic: true,
                ..Run::default()
            }],
            ..Line::default()
        }],
    }
}
