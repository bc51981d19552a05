//! Sets paragraphs and headings: each line box becomes a slice.

mod boxes;

use super::{
    atoms::Atoms,
    context::{BlockContext, Flow, Layout},
    item::{BreakBefore, Item, Owner, Slice},
    lines,
    memory::Part,
    paragraph_format::{Indents, Keeps, ParagraphFormat, Spaces},
    shape::Shape,
    spans::Spans,
    structure::{NodeId, Role},
    text_format::TextFormat,
    units::points,
};
use crate::error::Result;
use boxes::Framed;
use convertd_tree::{
    Alignment, Borders, Colour, Direction, Heading, Inline, Length, Paragraph, ParagraphStyle,
    ParagraphStyleId, TabStop, TextStyle, plain_text,
};
use std::{borrow::Cow, rc::Rc};

/// Size, space above and space below of headings without a style, by level, in points.
const HEADINGS: [(f32, f32, f32); 6] = [
    (20.0, 20.0, 8.0),
    (15.5, 17.0, 6.0),
    (13.0, 14.0, 5.0),
    (11.5, 12.0, 4.0),
    (11.0, 10.0, 3.0),
    (11.0, 10.0, 3.0),
];

/// Word's default distance between text and the borders above and below it, in points.
const WORDS_SPACE: f32 = 1.0;

/// A paragraph: its content, formatting and structure element.
pub struct Text<'t> {
    /// Content in front of `content`, such as the number of a heading.
    pub front: &'t [Inline],
    pub content: &'t [Inline],
    /// Pieces of a line of code with their colours, set after `content`.
    pub code: &'t [(Option<Colour>, Cow<'t, str>)],
    pub(crate) format: ParagraphFormat,
    /// Tab stops, by position.
    pub tabs: &'t [TabStop],
    /// Structure element of the paragraph.
    pub node: NodeId,
    /// Index of the outline item that leads to the paragraph.
    pub entry: Option<usize>,
    /// The level of a heading.
    pub level: Option<u8>,
}

impl<'t> Text<'t> {
    /// A paragraph with only this content: `front`, `code` and `tabs` are empty.
    pub fn new(content: &'t [Inline], format: ParagraphFormat, node: NodeId) -> Self {
        Self {
            front: &[],
            content,
            code: &[],
            format,
            tabs: &[],
            node,
            entry: None,
            level: None,
        }
    }
}

impl Layout<'_> {
    /// Formatting of a paragraph with this style. The style's properties override those of
    /// `otherwise`.
    fn format(
        &mut self,
        id: ParagraphStyleId,
        context: &BlockContext,
        otherwise: ParagraphFormat,
    ) -> ParagraphFormat {
        let style: &ParagraphStyle = self.document.paragraph_style(id);
        let mut format = otherwise;
        format.text = self.text_format(&format.text, &style.text);
        format.alignment = style.alignment.unwrap_or(format.alignment);
        format.direction = style
            .direction
            .or(format.text.direction)
            .or(context.direction);
        // In lists, the indents of the list apply instead.
        if context.lists == 0 {
            format.indents.start = style.indent_start.map_or(format.indents.start, points);
            format.indents.end = style.indent_end.map_or(format.indents.end, points);
            format.indents.first_line = style.first_line.map_or(format.indents.first_line, points);
        }
        format.spaces.before = style
            .space_before
            .map_or(format.spaces.before, points)
            .clamp(0.0, 2000.0);
        format.spaces.after = style
            .space_after
            .map_or(format.spaces.after, points)
            .clamp(0.0, 2000.0);
        format.off_grid = style.off_grid;
        format.uncounted = style.uncounted;
        format.hyphenated = style.hyphenated.unwrap_or(format.hyphenated);
        format.drop_cap = style.drop_cap;
        format.contextual = style.contextual_spacing;
        format.name = style.name.as_deref().map(Rc::from);
        format.line_height = style.line_height.or(format.line_height);
        format.keeps.with_next |= style.keep_with_next;
        format.keeps.together |= style.keep_together;
        if style.page_break_before {
            format.begins = BreakBefore::PageWithSpace;
        }
        format.background = style.background;
        format.borders = style.borders;
        // Indents that leave less than 24 points of width are ignored.
        let room = context.width - format.indents.start - format.indents.end;
        if room < 24.0 {
            format.indents.start = 0.0;
            format.indents.end = 0.0;
        }
        // The first line begins at most 200 points to the left of the column, and has at least a fifth of the width.
        format.indents.first_line = format.indents.first_line.clamp(
            -context.left - format.indents.start - 200.0,
            room.max(0.0) * 0.8,
        );
        format
    }

    /// Formatting of text, changed by a style.
    pub fn text_format(&mut self, text_format: &TextFormat, style: &TextStyle) -> TextFormat {
        let faces = &mut self.faces;
        text_format.styled(style, &mut |names, other| faces.family(names, other))
    }

    /// Formatting of a paragraph without a style.
    pub fn plain(&self, context: &BlockContext) -> ParagraphFormat {
        ParagraphFormat {
            text: (*context.text_format).clone(),
            alignment: context.alignment,
            direction: context.direction,
            indents: Indents::default(),
            spaces: Spaces {
                before: 0.0,
                after: context.after,
            },
            name: None,
            contextual: false,
            off_grid: false,
            uncounted: false,
            hyphenated: self.document.hyphenation.automatic,
            drop_cap: None,
            line_height: Some(lines::default_line_height()),
            keeps: Keeps::default(),
            begins: BreakBefore::Anywhere,
            background: None,
            borders: Borders::default(),
        }
    }

    /// Sets a paragraph of the tree.
    pub fn paragraph(
        &mut self,
        paragraph: &Paragraph,
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        self.paragraph_after(&[], paragraph, context, flow)
    }

    /// Sets a paragraph with further content in front, such as a note's number.
    pub(crate) fn paragraph_after(
        &mut self,
        front: &[Inline],
        paragraph: &Paragraph,
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let plain = self.plain(context);
        let format = self.format(paragraph.style, context, plain);
        let node = self.structure.add(context.node, Role::Paragraph);
        let tabs = &self.document.paragraph_style(paragraph.style).tabs;
        let text = Text {
            front,
            tabs,
            ..Text::new(&paragraph.content, format, node)
        };
        self.set(text, context, flow)
    }

    /// Sets a line of the table of contents: text after a tab is right-aligned, with a dotted
    /// leader.
    pub(crate) fn contents_line(
        &mut self,
        content: Vec<Inline>,
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let format = self.plain(context);
        let node = self.structure.add(context.node, Role::Paragraph);
        let tab = TabStop {
            at: Length::points(f64::from(context.left + context.width)),
            alignment: Alignment::End,
            leader: Some('.'),
        };
        let text = Text {
            tabs: &[tab],
            ..Text::new(&content, format, node)
        };
        self.set(text, context, flow)
    }

    /// Leases the memory for a paragraph with `len` bytes of text, if it is long.
    fn reserve_paragraph(&mut self, len: usize) -> Result<()> {
        // Length of text, in bytes, from which a paragraph needs a lease. Atoms take about 100 bytes of memory for each
        // byte of text.
        const MIN_LEASED: usize = 1 << 16;
        let bytes = if len < MIN_LEASED {
            0
        } else {
            100 * len as u64
        };
        self.memory.set(Part::Paragraph, bytes)
    }

    /// Sets a heading, and adds it to the outline. Its anchor and its number precede the text.
    pub fn heading(
        &mut self,
        heading: &Heading,
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let level = heading.level.max(1);
        let (size, before, after) = HEADINGS[usize::from(level - 1).min(HEADINGS.len() - 1)];
        let mut format = self.plain(context);
        if !self.is_word() {
            format.text.size = size;
            format.text.bold = true;
        }
        format.alignment = Alignment::Start;
        format.spaces.before = before;
        format.spaces.after = after;
        format.keeps.with_next = true;
        format.keeps.together = true;
        format.line_height = None;
        let format = self.format(heading.style, context, format);
        // PDF/UA allows a heading to be at most one level deeper than the heading before it (ISO 14289-1, 7.4.2).
        self.last_level = level.min(self.last_level + 1);
        let node = self
            .structure
            .add(context.node, Role::Heading(self.last_level));
        let mut title = plain_text(&heading.content);
        let mut front = vec![Inline::Bookmark(heading.id.clone())];
        if let Some(label) = &heading.label {
            front.push(Inline::Text(format!("{label}\u{2002}")));
            title = format!("{label} {title}");
        }
        let entry = self.outline.add(level, title);
        let text = Text {
            front: &front,
            tabs: &self.document.paragraph_style(heading.style).tabs,
            entry: Some(entry),
            level: Some(level),
            ..Text::new(&heading.content, format, node)
        };
        self.set(text, context, flow)
    }

    /// The style name and the text of a paragraph, if a header or footer repeats the paragraphs of that style.
    fn running(
        &self,
        format: &ParagraphFormat,
        level: Option<u8>,
        content: &[Inline],
    ) -> Option<Rc<(Box<str>, String)>> {
        if self.heads.is_empty() {
            return None;
        }
        let own = format.name.as_deref().map(str::to_lowercase);
        let heading = level.map(|level| format!("heading {level}"));
        let names = [own, heading].into_iter().flatten();
        let mut known = names.filter(|name| self.heads.iter().any(|head| *head.name == **name));
        let name = known.next()?;
        let text = plain_text(content).trim().to_owned();
        (!text.is_empty()).then(|| Rc::new((name.into(), text)))
    }

    /// Sets a paragraph.
    ///
    /// The content becomes runs with one common text, from which a drop cap is taken out. The text is measured as
    /// atoms. Frames and floats beside the paragraph give exclusions, and the atoms are broken into lines between the
    /// exclusions. Each line becomes a slice with its part of the borders. The first two lines stay together, and the
    /// last two lines as well.
    pub fn set(
        &mut self,
        text: Text<'_>,
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let Text {
            front,
            content,
            code,
            mut format,
            tabs,
            node,
            mut entry,
            level,
        } = text;
        // Word sets a formula that is alone in its paragraph in display style, like a formula in `m:oMathPara`.
        let is_alone = front.is_empty() && flow.label.is_none() && flow.run_in.is_none();
        let displayed = match content {
            [Inline::Math(math)] if self.is_word() && is_alone => {
                let mut own = math.clone();
                own.display = true;
                Some([Inline::Math(own)])
            }
            _ => None,
        };
        let content = displayed.as_ref().map_or(content, |own| &own[..]);
        let mut running = self.running(&format, level, content);
        let room = (context.width - format.indents.start - format.indents.end).max(1.0);
        self.picture_room.0 = room;
        // Pictures of this paragraph may become floats, which are separated from those of an outer paragraph.
        let outer = std::mem::take(&mut self.floats);
        let mut spans = Spans {
            hyphenated: true,
            ..Spans::default()
        };
        if let Some(label) = flow.run_in.take() {
            format.indents.first_line += label.first_line;
            spans.push(&label.text, &label.text_format, label.node, None);
        }
        spans.append(front, &format.text, node, self);
        spans.append(content, &format.text, node, self);
        spans.push_code(code, &format.text, node);
        spans.settle(format.background.or(context.background));
        let hyphenation = self.document.hyphenation;
        flow.floats.append(&mut self.floats);
        self.floats = outer;
        // A text that is too long is refused before the work of hyphenation.
        self.reserve_paragraph(spans.text.len())?;
        if format.hyphenated && code.is_empty() {
            let language = self.document.metadata.language.as_deref();
            let limits = |_| Some(hyphenation);
            spans.hyphenate(&limits, language, &mut self.hyphenator, self.job.gate)?;
            self.reserve_paragraph(spans.text.len())?;
        }
        // Drop caps are only supported in text from left to right.
        if let Some(cap) = format.drop_cap
            && format.direction != Some(Direction::RightToLeft)
        {
            let line = Shape {
                line_height: format.line_height,
                typesetter: self.document.typesetter,
                ..Shape::new(&format.text, room)
            };
            let indent = format.indents.start + format.indents.first_line;
            flow.floats
                .extend(self.drop_cap(cap, &mut spans, &line, indent));
        }
        let atoms = Atoms::by(
            self.document.typesetter,
            &spans,
            format.direction,
            &mut self.faces,
        );
        let backwards = atoms.backwards;
        let mut shape = Shape {
            left: context.left
                + if backwards {
                    format.indents.end
                } else {
                    format.indents.start
                },
            first_line: format.indents.first_line,
            alignment: format.alignment,
            line_height: format.line_height,
            tabs,
            label: flow.label.as_ref().map(|label| label.reach),
            typesetter: self.document.typesetter,
            grid: if format.off_grid { 0.0 } else { self.grid },
            ladder: hyphenation.ladder.filter(|_| format.hyphenated),
            zone: match format.hyphenated {
                true => points(hyphenation.zone),
                false => 0.0,
            },
            ..Shape::new(&format.text, room)
        };
        flow.begin_page(format.begins);
        let before = flow.meet(&format);
        // Floats on the page, including those anchored in this paragraph, narrow the lines.
        let around = flow.around(context, before, || shape.plain_height(&mut self.faces));
        shape.around = around.as_ref();
        let lines = lines::set(spans, atoms, &shape, &mut self.faces);
        let framed = Framed {
            joins: std::mem::take(&mut flow.joins),
            space: if self.is_word() { WORDS_SPACE } else { 3.0 },
            format: &format,
            shape: &shape,
            backwards,
        };
        let count = lines.len();
        for (at, mut line) in lines.into_iter().enumerate() {
            let (first, last) = (at == 0, at + 1 == count);
            let mut items = Vec::with_capacity(line.items.len() + 2);
            // The label of a list item shares the baseline of the first line.
            if first && let Some(label) = flow.label.take() {
                items.extend(label.words.into_iter().map(|(x, pen, word)| Item::Text {
                    pen,
                    y: line.baseline,
                    words: vec![(label.x + x, word)],
                    belongs: Owner::To(label.node),
                }));
            }
            if first && let Some(entry) = entry.take() {
                items.push(Item::Outline { entry, y: 0.0 });
            }
            items.append(&mut line.items);
            let between = before.max(flow.after);
            let (top, height) = framed.line(&mut items, line.height, (first, last), between);
            // At least two lines stay together at the start and at the end of a paragraph.
            let orphan = first && count > 1;
            let widow = at + 2 == count;
            let slice = Slice {
                before: if first { before } else { 0.0 },
                height,
                // The box of the paragraph must not overflow the page.
                spare: match framed.is_plain() {
                    true => line.spare,
                    false => 0.0,
                },
                items,
                notes: line.notes,
                line: (!format.uncounted).then_some(line.baseline + top),
                keep: !last && (orphan || widow || format.keeps.together)
                    || last && format.keeps.with_next,
                running: running.take(),
                ..Slice::default()
            };
            flow.put(context, slice)?;
            if at % 256 == 255 {
                self.job.check()?;
            }
        }
        flow.leave(&format);
        Ok(())
    }
}
