//! Blocks as strips: where paragraphs, lists, code, quotations stand in their column. Knows no pages: strips go to a [`Sink`].

use super::{
    atoms::Atoms,
    draw::{Area, Begins, Belongs, Draw, Frame, Pen, Strip, points},
    faces::{Faces, Word},
    lines::{self, Shape},
    links::Links,
    look::{self, Look},
    memory::{Memory, Part},
    notes::NoteNumbers,
    outline::Outline,
    pictures::Pictures,
    spans::Spans,
    structure::{ListLabels, NodeId, Role, Structure},
};
use crate::{
    document::{
        Losses, numbering,
        tree::{
            Alignment, Block, Border, Borders, Code, Colour, Definition, Direction, Document,
            Group, GroupKind, Heading, Inline, Length, List, ListKind, Numeral, Paragraph,
            ParagraphStyle, ParagraphStyleId, TabStop, TextStyle,
        },
    },
    error::{Error, Result},
    fonts::Family,
    job::Job,
};
use std::{cell::Cell, rc::Rc};

/// Room below paragraphs without a style, in points.
const AFTER: f32 = 7.0;
/// Room below the items of a tight list.
const AFTER_TIGHT: f32 = 2.0;
/// How far the items of a list are indented, by this writer's taste, and on a document's own paper: that of office programs.
pub(super) const LIST_INDENT: f32 = 20.0;
pub(super) const OFFICE_INDENT: f32 = 36.0;
/// Between the label of an item and its text, at least.
const LABEL_GAP: f32 = 5.0;
/// How far quotations and details of definitions are indented.
const INDENT: f32 = 16.0;
/// Size, room above and below of headings without a style, by level, in points.
const HEADINGS: [(f32, f32, f32); 6] = [
    (20.0, 20.0, 8.0),
    (15.5, 17.0, 6.0),
    (13.0, 14.0, 5.0),
    (11.5, 12.0, 4.0),
    (11.0, 10.0, 3.0),
    (11.0, 10.0, 3.0),
];

/// Takes strips, one below the other.
pub(super) trait Sink {
    fn put(&mut self, strip: Strip) -> Result<()>;
}

/// Keeps strips, for whoever has to see all of them before any is placed.
pub(super) struct Kept<'a> {
    pub(super) strips: Vec<Strip>,
    memory: &'a Memory<'a>,
}

impl<'a> Kept<'a> {
    pub(super) fn new(memory: &'a Memory<'a>) -> Self {
        Self {
            strips: Vec::new(),
            memory,
        }
    }
}

impl Sink for Kept<'_> {
    fn put(&mut self, strip: Strip) -> Result<()> {
        self.strips.push(strip);
        // A strip with its words, about.
        const STRIP: u64 = 1024;
        self.memory
            .set(Part::Cells, self.memory.get(Part::Cells) + STRIP)
    }
}

/// Sets blocks. What belongs to the whole document is kept here.
pub(super) struct Layout<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) document: &'a Document,
    pub(super) structure: &'a Structure,
    pub(super) faces: Faces,
    pub(super) pictures: Pictures<'a>,
    pub(super) links: Links,
    pub(super) outline: Outline,
    pub(super) notes: NoteNumbers,
    pub(super) losses: Losses,
    /// The number of the page and of all pages, where somebody asks for them.
    pub(super) page: (String, String),
    /// The room that pictures may take, in points.
    pub(super) picture_room: (f32, f32),
    /// The level of the last heading, as it is tagged.
    pub(super) last_level: u8,
    /// Where footnotes are set; nowhere in headers, footers and notes.
    pub(super) note_place: Option<Place>,
    /// What went wrong where nothing could be said about it.
    pub(super) failed: Option<Error>,
    pub(super) memory: &'a Memory<'a>,
}

/// Where blocks stand, and what they inherit.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) left: f32,
    pub(super) width: f32,
    pub(super) look: Rc<Look>,
    /// The element around.
    pub(super) node: NodeId,
    /// Room below paragraphs without a style.
    pub(super) after: f32,
    /// Of paragraphs that say nothing about it.
    pub(super) alignment: Alignment,
    pub(super) direction: Option<Direction>,
    /// Bars and backgrounds of the boxes around.
    pub(super) bars: Vec<Bar>,
    /// How far the items of a list are indented.
    pub(super) list_indent: f32,
    /// How many lists stand around.
    pub(super) lists: usize,
    /// The numbers of the items around, for numbering such as 2.1.3.
    pub(super) numbers: Vec<String>,
    /// Nothing of it is read aloud, and nothing refers to notes: headers and footers.
    pub(super) silent: bool,
}

/// See [`Frame`].
#[derive(Clone)]
pub(super) struct Bar {
    x: f32,
    width: f32,
    colour: Colour,
    /// A strip of the box was set.
    begun: Rc<Cell<bool>>,
}

/// What goes on from block to block.
pub(super) struct Flow<'s> {
    sink: &'s mut dyn Sink,
    /// Room that the last block wants below itself.
    after: f32,
    /// The label of an item, for its first line.
    label: Option<Label>,
    begins: Begins,
}

struct Label {
    /// Its left edge, from the left edge of the column.
    x: f32,
    pen: Pen,
    word: Rc<Word>,
    node: NodeId,
}

impl<'s> Flow<'s> {
    pub(super) fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            after: 0.0,
            label: None,
            begins: Begins::Anywhere,
        }
    }

    pub(super) fn begin_page(&mut self) {
        self.begins = Begins::Page;
    }

    /// More room below what was set.
    pub(super) fn space(&mut self, room: f32) {
        self.after = self.after.max(room);
    }

    pub(super) fn put(&mut self, place: &Place, mut strip: Strip) -> Result<()> {
        strip.before += std::mem::take(&mut self.after);
        if std::mem::take(&mut self.begins) == Begins::Page {
            strip.begins = Begins::Page;
        }
        for bar in &place.bars {
            strip.frames.push(Frame {
                x: bar.x,
                width: bar.width,
                colour: bar.colour,
                above: if bar.begun.replace(true) {
                    strip.before
                } else {
                    0.0
                },
            });
        }
        self.sink.put(strip)
    }
}

/// A paragraph's style, or what stands for it.
struct Manner {
    look: Look,
    alignment: Alignment,
    direction: Option<Direction>,
    start: f32,
    end: f32,
    first_line: f32,
    before: f32,
    after: f32,
    line_height: Option<crate::document::tree::LineHeight>,
    keep_with_next: bool,
    keep_together: bool,
    begins: Begins,
    background: Option<Colour>,
    borders: Borders,
}

impl Layout<'_> {
    /// Sets blocks, one below the other.
    pub(super) fn blocks(
        &mut self,
        blocks: &[Block],
        place: &Place,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        for block in blocks {
            self.job.check()?;
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            match block {
                Block::Paragraph(paragraph) => self.paragraph(paragraph, place, flow)?,
                Block::Heading(heading) => self.heading(heading, place, flow)?,
                Block::List(list) => self.list(list, place, flow)?,
                Block::Definitions(all) => self.definitions(all, place, flow)?,
                Block::Table(table) => self.table(table, place, flow)?,
                Block::Code(code) => self.code(code, place, flow)?,
                Block::Quote(blocks) => self.quote(blocks, place, flow)?,
                Block::Group(group) => self.group(group, place, flow)?,
                Block::Rule => {
                    let line = lines::rule(place.left, place.width, look::HAIR);
                    let strip = Strip {
                        height: line.height,
                        draws: line.draws,
                        ..Strip::default()
                    };
                    flow.put(place, strip)?;
                    flow.after = place.after;
                }
                Block::PageBreak => flow.begin_page(),
                Block::RawHtml(_) => {}
            }
        }
        Ok(())
    }

    fn manner(&mut self, id: ParagraphStyleId, place: &Place, otherwise: Manner) -> Manner {
        let style: &ParagraphStyle = self.document.paragraph_style(id);
        let mut manner = otherwise;
        manner.look = self.look(&manner.look, &style.text);
        manner.alignment = style.alignment.unwrap_or(manner.alignment);
        manner.direction = style
            .direction
            .or(manner.look.direction)
            .or(place.direction);
        // In lists, the indent of the list counts.
        if place.lists == 0 {
            manner.start = style.indent_start.map_or(manner.start, points);
            manner.end = style.indent_end.map_or(manner.end, points);
            manner.first_line = style.first_line.map_or(manner.first_line, points);
        }
        manner.before = style
            .space_before
            .map_or(manner.before, points)
            .clamp(0.0, 2000.0);
        manner.after = style
            .space_after
            .map_or(manner.after, points)
            .clamp(0.0, 2000.0);
        manner.line_height = style.line_height.or(manner.line_height);
        manner.keep_with_next |= style.keep_with_next;
        manner.keep_together |= style.keep_together;
        if style.page_break_before {
            manner.begins = Begins::Page;
        }
        manner.background = style.background;
        manner.borders = style.borders;
        // Whatever the indents say, there is room for some letters.
        let room = place.width - manner.start - manner.end;
        if room < 24.0 {
            manner.start = 0.0;
            manner.end = 0.0;
        }
        manner.first_line = manner
            .first_line
            .clamp(-place.left - manner.start - 200.0, room.max(0.0) * 0.8);
        manner
    }

    /// How text in a style looks.
    pub(super) fn look(&mut self, look: &Look, style: &TextStyle) -> Look {
        let faces = &mut self.faces;
        look.styled(style, &mut |names, other| faces.family(names, other))
    }

    fn plain(&self, place: &Place) -> Manner {
        Manner {
            look: (*place.look).clone(),
            alignment: place.alignment,
            direction: place.direction,
            start: 0.0,
            end: 0.0,
            first_line: 0.0,
            before: 0.0,
            after: place.after,
            line_height: Some(lines::airy()),
            keep_with_next: false,
            keep_together: false,
            begins: Begins::Anywhere,
            background: None,
            borders: Borders::default(),
        }
    }

    fn paragraph(
        &mut self,
        paragraph: &Paragraph,
        place: &Place,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        self.paragraph_after(&[], paragraph, place, flow)
    }

    /// Sets a paragraph with something in front.
    pub(super) fn paragraph_after(
        &mut self,
        front: &[Inline],
        paragraph: &Paragraph,
        place: &Place,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let plain = self.plain(place);
        let manner = self.manner(paragraph.style, place, plain);
        let node = self.structure.add(place.node, Role::Paragraph);
        let tabs = &self.document.paragraph_style(paragraph.style).tabs;
        self.set(&paragraph.content, front, manner, tabs, node, place, flow)
    }

    /// A line of a list of contents: what stands behind a tab is at the other edge.
    pub(super) fn contents_line(
        &mut self,
        content: Vec<Inline>,
        place: &Place,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let manner = self.plain(place);
        let node = self.structure.add(place.node, Role::Paragraph);
        let tab = TabStop {
            at: Length::points(f64::from(place.left + place.width)),
            alignment: Alignment::End,
            leader: Some('.'),
        };
        self.set(&content, &[], manner, &[tab], node, place, flow)
    }

    /// Asks for the memory of a paragraph with this much text, where that matters.
    fn reserve_paragraph(&mut self, len: usize) -> Result<()> {
        // An atom for every few letters, then words on lines.
        const MATTERS: usize = 1 << 16;
        let bytes = if len < MATTERS { 0 } else { 100 * len as u64 };
        self.memory.set(Part::Paragraph, bytes)
    }

    fn heading(&mut self, heading: &Heading, place: &Place, flow: &mut Flow<'_>) -> Result<()> {
        let level = heading.level.max(1);
        let (size, before, after) = HEADINGS[usize::from(level - 1).min(HEADINGS.len() - 1)];
        let mut manner = self.plain(place);
        manner.look.size = size;
        manner.look.bold = true;
        manner.alignment = Alignment::Start;
        manner.before = before;
        manner.after = after;
        manner.keep_with_next = true;
        manner.keep_together = true;
        manner.line_height = None;
        let manner = self.manner(heading.style, place, manner);
        // PDF/UA wants no level to be left out on the way down.
        self.last_level = level.min(self.last_level + 1);
        let node = self
            .structure
            .add(place.node, Role::Heading(self.last_level));
        let mut text = crate::document::tree::plain_text(&heading.content);
        let mut front = vec![Inline::Bookmark(heading.id.clone())];
        if let Some(label) = &heading.label {
            front.push(Inline::Text(format!("{label}\u{2002}")));
            text = format!("{label} {text}");
        }
        let entry = self.outline.add(level, text);
        let tabs = &self.document.paragraph_style(heading.style).tabs;
        let mut marked = Marked {
            flow,
            entry: Some(entry),
        };
        self.set_in(
            &heading.content,
            &front,
            manner,
            tabs,
            node,
            place,
            &mut marked,
        )
    }

    fn set(
        &mut self,
        content: &[Inline],
        front: &[Inline],
        manner: Manner,
        tabs: &[crate::document::tree::TabStop],
        node: NodeId,
        place: &Place,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        self.set_in(
            content,
            front,
            manner,
            tabs,
            node,
            place,
            &mut Marked { flow, entry: None },
        )
    }

    /// Sets a paragraph.
    #[allow(clippy::too_many_arguments)]
    fn set_in(
        &mut self,
        content: &[Inline],
        front: &[Inline],
        manner: Manner,
        tabs: &[crate::document::tree::TabStop],
        node: NodeId,
        place: &Place,
        marked: &mut Marked<'_, '_>,
    ) -> Result<()> {
        let room = (place.width - manner.start - manner.end).max(1.0);
        self.picture_room.0 = room;
        let mut spans = Spans::of(front, &manner.look, node, self);
        spans.append(content, &manner.look, node, self);
        self.reserve_paragraph(spans.text.len())?;
        let atoms = Atoms::of(&spans, manner.direction, &mut self.faces);
        let backwards = atoms.backwards;
        let shape = Shape {
            left: place.left + if backwards { manner.end } else { manner.start },
            width: room,
            first_line: manner.first_line,
            alignment: manner.alignment,
            line_height: manner.line_height,
            tabs,
            look: &manner.look,
        };
        let lines = lines::set(spans, atoms, &shape, &mut self.faces);
        let flow = &mut *marked.flow;
        if manner.begins == Begins::Page {
            flow.begin_page();
        }
        let edge = |border: Option<Border>| border.map_or(0.0, |border| points(border.width) + 3.0);
        let boxed = manner.background.is_some() || manner.borders != Borders::default();
        let count = lines.len();
        for (at, line) in lines.into_iter().enumerate() {
            let (first, last) = (at == 0, at + 1 == count);
            let top = if first { edge(manner.borders.top) } else { 0.0 };
            let bottom = if last {
                edge(manner.borders.bottom)
            } else {
                0.0
            };
            let height = line.height + top + bottom;
            let mut draws = Vec::with_capacity(line.draws.len() + 2);
            if first && let Some(label) = flow.label.take() {
                draws.push(Draw::Text {
                    pen: label.pen,
                    y: line.baseline,
                    words: vec![(label.x, label.word)],
                    belongs: Belongs::To(label.node),
                });
            }
            if first && let Some(entry) = marked.entry.take() {
                draws.push(Draw::Outline { entry, y: 0.0 });
            }
            draws.extend(line.draws);
            if top > 0.0 {
                lower(&mut draws, top);
            }
            if boxed {
                draw_box(&mut draws, &manner, &shape, height, first, last, backwards);
            }
            let orphan = first && count > 1;
            let widow = at + 2 == count;
            let strip = Strip {
                before: if first { manner.before } else { 0.0 },
                height,
                draws,
                notes: line.notes,
                keep: !last && (orphan || widow || manner.keep_together)
                    || last && manner.keep_with_next,
                ..Strip::default()
            };
            flow.put(place, strip)?;
            if at % 256 == 255 {
                self.job.check()?;
            }
        }
        flow.after = manner.after;
        Ok(())
    }

    fn list(&mut self, list: &List, place: &Place, flow: &mut Flow<'_>) -> Result<()> {
        let labels = match list.kind {
            _ if list.items.iter().any(|item| item.task.is_some()) => ListLabels::None,
            ListKind::Bullet => match place.lists % 3 {
                0 => ListLabels::Disc,
                1 => ListLabels::Circle,
                _ => ListLabels::Square,
            },
            ListKind::Ordered(numbering) => match numbering.numeral {
                Numeral::Decimal => ListLabels::Decimal,
                Numeral::LowerAlpha => ListLabels::LowerAlpha,
                Numeral::UpperAlpha => ListLabels::UpperAlpha,
                Numeral::LowerRoman => ListLabels::LowerRoman,
                Numeral::UpperRoman => ListLabels::UpperRoman,
            },
        };
        let node = self.structure.add(place.node, Role::List(labels));
        let words = self.labels(list, place);
        let widest = words
            .iter()
            .map(|(_, _, width, _)| *width)
            .fold(0.0, f32::max);
        let indent = (widest + LABEL_GAP)
            .max(place.list_indent)
            .min(place.width * 0.5);
        let mut within = place.clone();
        within.lists += 1;
        within.alignment = place.alignment;
        within.after = if list.tight { AFTER_TIGHT } else { place.after };
        let backwards = place.direction == Some(Direction::RightToLeft);
        if !backwards {
            within.left += indent;
        }
        within.width = (place.width - indent).max(1.0);
        for (item, (pen, word, width, written)) in list.items.iter().zip(words) {
            let item_node = self.structure.add(node, Role::ListItem);
            let label = self.structure.add(item_node, Role::Label);
            within.node = self.structure.add(item_node, Role::ListBody);
            within.numbers = place.numbers.clone();
            within.numbers.push(written);
            let x = if backwards {
                within.left + within.width + LABEL_GAP
            } else {
                // Bullets stand near their text, numbers where the indent begins.
                match list.kind {
                    _ if place.list_indent == OFFICE_INDENT => {
                        (within.left - (widest + LABEL_GAP).max(18.0)).max(place.left)
                    }
                    ListKind::Bullet => (within.left - width - LABEL_GAP).max(place.left),
                    ListKind::Ordered(_) => {
                        place.left + (LIST_INDENT - LABEL_GAP - widest).max(0.0) + widest - width
                    }
                }
            };
            flow.label = Some(Label {
                x,
                pen,
                word,
                node: label,
            });
            self.blocks(&item.blocks, &within, flow)?;
            self.lone_label(&within, flow)?;
        }
        flow.after = flow.after.max(place.after);
        Ok(())
    }

    /// A line for the label of an item that has none of its own.
    fn lone_label(&mut self, place: &Place, flow: &mut Flow<'_>) -> Result<()> {
        if flow.label.is_none() {
            return Ok(());
        }
        let mut manner = self.plain(place);
        manner.after = place.after;
        self.set(&[], &[], manner, &[], place.node, place, flow)
    }

    /// The label of each item: how it is drawn, its glyphs, their width, and its number as it is written.
    fn labels(&mut self, list: &List, place: &Place) -> Vec<(Pen, Rc<Word>, f32, String)> {
        let mut labels = Vec::with_capacity(list.items.len());
        let mut number = match list.kind {
            ListKind::Ordered(numbering) => numbering.start,
            ListKind::Bullet => 0,
        };
        for item in &list.items {
            let (text, written) = match (item.task, list.kind) {
                (Some(done), _) => (
                    if done { "\u{2611}" } else { "\u{2610}" }.to_owned(),
                    String::new(),
                ),
                (None, ListKind::Bullet) => (
                    ["\u{2022}", "\u{25e6}", "\u{25aa}"][place.lists % 3].to_owned(),
                    String::new(),
                ),
                (None, ListKind::Ordered(numbering)) => (
                    numbering::label(number, numbering, &place.numbers),
                    numbering::write(number, numbering.numeral),
                ),
            };
            number = number.saturating_add(1);
            let look = &place.look;
            let sign = matches!(list.kind, ListKind::Bullet) || item.task.is_some();
            let family = if sign { Family::Signs } else { look.family };
            let Some(chosen) = self.faces.choose(family, false, false) else {
                continue;
            };
            let word = self.faces.word(chosen.face, &text, false, None);
            let units = self.faces.face(chosen.face).units();
            let pen = Pen {
                chosen,
                size: look.size,
                colour: look.colour,
                units,
            };
            let width = pen.width(&word);
            labels.push((pen, word, width, written));
        }
        labels
    }

    fn definitions(
        &mut self,
        all: &[Definition],
        place: &Place,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let node = self.structure.add(place.node, Role::List(ListLabels::None));
        for definition in all {
            let item = self.structure.add(node, Role::ListItem);
            let term = self.structure.add(item, Role::Label);
            let mut manner = self.plain(place);
            manner.look.bold = true;
            manner.after = AFTER_TIGHT;
            manner.keep_with_next = true;
            self.set(&definition.term, &[], manner, &[], term, place, flow)?;
            let mut within = place.clone();
            within.left += INDENT;
            within.width = (place.width - INDENT).max(1.0);
            within.node = self.structure.add(item, Role::ListBody);
            for blocks in &definition.details {
                self.blocks(blocks, &within, flow)?;
            }
        }
        flow.after = flow.after.max(place.after);
        Ok(())
    }

    fn code(&mut self, code: &Code, place: &Place, flow: &mut Flow<'_>) -> Result<()> {
        const PADDING: f32 = 7.0;
        let paragraph = self.structure.add(place.node, Role::Paragraph);
        let node = self.structure.add(paragraph, Role::Code);
        let mut within = place.clone();
        within.left += PADDING;
        within.width = (place.width - 2.0 * PADDING).max(1.0);
        within.bars.push(Bar {
            x: place.left,
            width: place.width,
            colour: look::SHADE,
            begun: Rc::new(Cell::new(false)),
        });
        let mut look = place.look.code();
        look.size = (place.look.size * 0.84).min(place.look.size);
        self.pad(&within, flow, PADDING - 1.5, true)?;
        let count = code.text.split('\n').count();
        for (at, line) in code.text.split('\n').enumerate() {
            let mut manner = self.plain(place);
            manner.look = look.clone();
            manner.after = 0.0;
            manner.alignment = Alignment::Start;
            manner.line_height = Some(lines::airy());
            manner.direction = Some(Direction::LeftToRight);
            manner.keep_with_next = at == 0 && count > 1 || at + 2 == count || at + 1 == count;
            let text = expand(line);
            let content = if text.is_empty() {
                Vec::new()
            } else {
                vec![Inline::Text(text)]
            };
            self.set(&content, &[], manner, &[], node, &within, flow)?;
        }
        self.pad(&within, flow, PADDING - 1.5, false)?;
        flow.after = place.after + 2.0;
        Ok(())
    }

    /// Room at the upper or lower edge of a box.
    fn pad(&mut self, place: &Place, flow: &mut Flow<'_>, height: f32, keep: bool) -> Result<()> {
        let strip = Strip {
            height,
            keep,
            ..Strip::default()
        };
        flow.put(place, strip)
    }

    fn quote(&mut self, blocks: &[Block], place: &Place, flow: &mut Flow<'_>) -> Result<()> {
        let mut within = place.clone();
        within.node = self.structure.add(place.node, Role::Quote);
        // What is set in by its own style is not set in once more.
        let own = |block: &Block| matches!(block, Block::Paragraph(paragraph) if self.document.paragraph_style(paragraph.style).indent_start.is_some());
        if blocks.iter().any(own) {
            return self.blocks(blocks, &within, flow);
        }
        within.width = (place.width - INDENT).max(1.0);
        let backwards = place.direction == Some(Direction::RightToLeft);
        if !backwards {
            within.left += INDENT;
        }
        within.bars.push(Bar {
            x: if backwards {
                place.left + place.width - 2.5
            } else {
                place.left
            },
            width: 2.5,
            colour: look::HAIR,
            begun: Rc::new(Cell::new(false)),
        });
        self.blocks(blocks, &within, flow)?;
        flow.after = flow.after.max(place.after);
        Ok(())
    }

    fn group(&mut self, group: &Group, place: &Place, flow: &mut Flow<'_>) -> Result<()> {
        let mut within = place.clone();
        if let Some(id) = &group.id {
            flow_anchor(flow, place, id)?;
        }
        match &group.kind {
            GroupKind::Figure { caption } => {
                within.node = self.structure.add(place.node, Role::Division);
                within.alignment = Alignment::Centre;
                within.after = 4.0;
                self.blocks(&group.blocks, &within, flow)?;
                let mut look = (*place.look).clone();
                look.size *= 0.92;
                look.colour = look::QUIET;
                within.look = Rc::new(look);
                within.node = self.structure.add(within.node, Role::Caption);
                self.blocks(caption, &within, flow)?;
                flow.after = flow.after.max(place.after);
            }
            GroupKind::Aside => {
                const PADDING: f32 = 9.0;
                within.node = self.structure.add(place.node, Role::Division);
                within.left += PADDING;
                within.width = (place.width - 2.0 * PADDING).max(1.0);
                within.bars.push(Bar {
                    x: place.left,
                    width: place.width,
                    colour: look::SHADE,
                    begun: Rc::new(Cell::new(false)),
                });
                self.pad(&within, flow, PADDING - 2.0, true)?;
                self.blocks(&group.blocks, &within, flow)?;
                flow.after = 0.0;
                self.pad(&within, flow, PADDING - 2.0, false)?;
                flow.after = place.after;
            }
            GroupKind::Language(language) => {
                let mut look = (*place.look).clone();
                look.language = Some(Rc::from(&**language));
                within.look = Rc::new(look);
                let node = self.structure.add_with(
                    place.node,
                    Role::Division,
                    None,
                    Some(language.clone()),
                );
                within.node = node;
                self.blocks(&group.blocks, &within, flow)?;
            }
        }
        Ok(())
    }
}

/// A flow, and the entry of the outline that its next line is the place of.
struct Marked<'f, 's> {
    flow: &'f mut Flow<'s>,
    entry: Option<usize>,
}

/// A place that links lead to, in front of the next block.
fn flow_anchor(flow: &mut Flow<'_>, place: &Place, name: &str) -> Result<()> {
    let strip = Strip {
        draws: vec![Draw::Anchor {
            name: name.into(),
            y: 0.0,
        }],
        keep: true,
        ..Strip::default()
    };
    let after = flow.after;
    flow.put(
        &Place {
            bars: Vec::new(),
            ..place.clone()
        },
        strip,
    )?;
    // The next block has the room above it anew, less what this one took.
    flow.after = after - after;
    Ok(())
}

/// Moves everything down.
pub(super) fn lower(draws: &mut [Draw], by: f32) {
    for draw in draws {
        match draw {
            Draw::Text { y, .. } | Draw::Anchor { y, .. } | Draw::Outline { y, .. } => *y += by,
            Draw::Fill { area, .. } | Draw::Picture { area, .. } | Draw::Link { area, .. } => {
                area.y += by
            }
            Draw::Line { from, to, .. } => {
                from.1 += by;
                to.1 += by;
            }
        }
    }
}

/// The background and the borders of a paragraph, as far as they stand on one line of it.
fn draw_box(
    draws: &mut Vec<Draw>,
    manner: &Manner,
    shape: &Shape<'_>,
    height: f32,
    first: bool,
    last: bool,
    backwards: bool,
) {
    let (side, borders) = (4.0, &manner.borders);
    let (left, right) = if backwards {
        (borders.end, borders.start)
    } else {
        (borders.start, borders.end)
    };
    let margin = |border: Option<Border>| if border.is_some() { side } else { 0.0 };
    // A line that hangs out is within.
    let from = shape.left + shape.first_line.min(0.0) - margin(left);
    let to = shape.left + shape.width + margin(right);
    if let Some(colour) = manner.background {
        let area = Area {
            x: from,
            y: 0.0,
            width: to - from,
            height,
        };
        draws.insert(0, Draw::Fill { area, colour });
    }
    let mut line = |border: Option<Border>, from: (f32, f32), to: (f32, f32)| {
        if let Some(border) = border {
            draws.push(Draw::Line { from, to, border });
        }
    };
    line(left, (from, 0.0), (from, height));
    line(right, (to, 0.0), (to, height));
    if first {
        line(borders.top, (from, 0.0), (to, 0.0));
    }
    if last {
        line(borders.bottom, (from, height), (to, height));
    }
}

/// Tabs in code lead to the next multiple of four columns.
fn expand(line: &str) -> String {
    if !line.contains('\t') {
        return line.to_owned();
    }
    let mut text = String::with_capacity(line.len() + 16);
    let mut column = 0;
    for character in line.chars() {
        let wide = if character == '\t' { 4 - column % 4 } else { 1 };
        if character == '\t' {
            text.extend(std::iter::repeat_n(' ', wide));
        } else {
            text.push(character);
        }
        column += wide;
    }
    text
}
