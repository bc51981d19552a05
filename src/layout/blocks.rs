//! Blocks as slices: the positions of code, quotations and other boxes in their column. Does not depend on pages: a
//! [`Sink`](super::context::Sink) takes the slices.

use super::{
    context::{Bar, BlockContext, Flow, JoinedBorders, Layout},
    item::{BreakBefore, Item, Slice},
    lines,
    paragraphs::Text,
    structure::Role,
    text_format,
};
use crate::error::Result;
use convertd_tree::{
    Alignment, Anchor, Block, Borders, Code, Colour, Direction, Group, GroupKind, ParagraphStyle,
    code::{self, TokenKind},
    options,
};
use std::{borrow::Cow, cell::Cell, rc::Rc};

/// Indent of quotations, in points. The value is this program's own, because no format prescribes an indent.
const INDENT: f32 = 16.0;

impl Layout<'_> {
    /// Sets blocks, one below the other.
    ///
    /// A frame that follows a block in the tree, and has the anchor `Text` or `Letter`, is anchored in that block. The
    /// frame is set before the block, because the block's lines flow around the frame.
    pub fn blocks(
        &mut self,
        blocks: &[Block],
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let mut anchored = 0;
        for (at, block) in blocks.iter().enumerate() {
            flow.joins = JoinedBorders {
                above: at > 0 && self.share_box(&blocks[at - 1], block),
                below: blocks
                    .get(at + 1)
                    .is_some_and(|next| self.share_box(block, next)),
            };
            self.job.check()?;
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            // Skips a frame that has been set together with the earlier block in which it is anchored.
            if at < anchored {
                continue;
            }
            anchored = at + 1;
            // Sets the frames after this block that are anchored in it. Texts of drawings stay in `letters` until their
            // drawing is set.
            let letters = self.letters.len();
            while let Some(Block::Group(group)) = blocks.get(anchored)
                && let GroupKind::Frame(frame) = &group.kind
                && matches!(frame.anchor, Anchor::Text | Anchor::Letter)
            {
                let float = self.float(frame, &group.blocks, context)?;
                match frame.anchor {
                    Anchor::Letter => self.letters.push((frame.order, float)),
                    _ => flow.floats.push(float),
                }
                anchored += 1;
            }
            match block {
                Block::Paragraph(paragraph) => self.paragraph(paragraph, context, flow)?,
                Block::Heading(heading) => self.heading(heading, context, flow)?,
                Block::List(list) => self.list(list, context, flow)?,
                Block::Definitions(all) => self.definitions(all, context, flow)?,
                Block::Table(table) => self.table(table, &flow.narrowed(context), flow)?,
                Block::Code(code) => self.code(code, &flow.narrowed(context), flow)?,
                Block::Quote(blocks) => self.quote(blocks, context, flow)?,
                Block::Group(group) => self.group(group, context, flow)?,
                Block::Rule => {
                    let line = lines::rule(
                        context.left,
                        flow.narrowed(context).width,
                        text_format::HAIR,
                    );
                    let slice = Slice {
                        height: line.height,
                        items: line.items,
                        ..Slice::default()
                    };
                    flow.put(context, slice)?;
                    flow.after = context.after;
                }
                Block::PageBreak => flow.begin_page(BreakBefore::Page),
                Block::ColumnBreak => flow.begin_page(BreakBefore::Column),
                Block::RawHtml(_) => {}
            }
            // Texts whose drawings could not be shown become floats of their own.
            let lost = self.letters.drain(letters.min(self.letters.len())..);
            flow.floats.extend(lost.map(|(_, float)| float));
        }
        if flow.floats.is_empty() {
            return Ok(());
        }
        // If no block with lines follows the frames, they are anchored in an empty slice.
        flow.put(context, Slice::default())
    }

    /// Returns whether two successive blocks are paragraphs in one box (ECMA-376 part 1, 17.3.1.5): with the same
    /// borders and indents, and without a page break between them, unless the first one demands separate borders.
    fn share_box(&self, one: &Block, other: &Block) -> bool {
        let (Block::Paragraph(one), Block::Paragraph(other)) = (one, other) else {
            return false;
        };
        let one = self.document.paragraph_style(one.style);
        if one.borders == Borders::default() || one.boxed_apart {
            return false;
        }
        let other = self.document.paragraph_style(other.style);
        let shape = |style: &ParagraphStyle| (style.borders, style.indent_start, style.indent_end);
        shape(one) == shape(other) && !other.page_break_before
    }

    /// Sets code line by line on a shaded background. The first two and the last two lines stay
    /// together.
    fn code(&mut self, code: &Code, context: &BlockContext, flow: &mut Flow<'_>) -> Result<()> {
        // Distance of the text from the edges of the shaded box, in points.
        const PADDING: f32 = 7.0;
        let paragraph = self.structure.add(context.node, Role::Paragraph);
        let node = self.structure.add(paragraph, Role::Code);
        let mut within = context.clone();
        let padding = context.indent(2.0 * PADDING) / 2.0;
        within.left += padding;
        within.width -= 2.0 * padding;
        within.bars.push(Bar {
            x: context.left,
            width: context.width,
            colour: text_format::SHADE,
            begun: Rc::new(Cell::new(false)),
        });
        // Monospaced fonts look larger than others at the same size, so code is set at 84 % of the size of the text.
        let mut text_format = context.text_format.code();
        text_format.size = (context.text_format.size * 0.84).min(context.text_format.size);
        self.pad(&within, flow, PADDING - 1.5, true)?;
        let language = options::language(self.job, code);
        let count = code.text.split('\n').count();
        for (at, line) in code::lines(language, &code.text).enumerate() {
            let mut format = self.plain(context);
            format.text = text_format.clone();
            format.spaces.after = 0.0;
            format.alignment = Alignment::Start;
            format.line_height = Some(lines::default_line_height());
            format.direction = Some(Direction::LeftToRight);
            // The first two lines stay together, and so do the last two lines and the padding below them.
            format.keeps.with_next = at == 0 && count > 1 || at + 2 == count || at + 1 == count;
            let line = expand(line);
            let mut text = Text::new(&[], format, node);
            text.code = &line;
            self.set(text, &within, flow)?;
        }
        self.pad(&within, flow, PADDING - 1.5, false)?;
        flow.after = context.after + 2.0;
        Ok(())
    }

    /// Adds an empty slice at the upper or lower edge of a shaded box.
    fn pad(
        &mut self,
        context: &BlockContext,
        flow: &mut Flow<'_>,
        height: f32,
        keep: bool,
    ) -> Result<()> {
        let slice = Slice {
            height,
            keep,
            ..Slice::default()
        };
        flow.put(context, slice)
    }

    /// Sets a quotation: indented, with a bar at the side where reading begins.
    fn quote(
        &mut self,
        blocks: &[Block],
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let mut within = context.clone();
        within.node = self.structure.add(context.node, Role::Quote);
        // In documents from Word, and if the style of a paragraph in the quotation has an indent, the layout adds
        // neither an indent nor a bar.
        let own = |block: &Block| matches!(block, Block::Paragraph(paragraph) if self.document.paragraph_style(paragraph.style).indent_start.is_some());
        if self.is_word() || blocks.iter().any(own) {
            return self.blocks(blocks, &within, flow);
        }
        // Lists in the quotation are indented from the left edge of the quotation.
        within.list_left = None;
        let indent = context.indent(INDENT);
        within.width -= indent;
        let backwards = context.direction == Some(Direction::RightToLeft);
        if !backwards {
            within.left += indent;
        }
        within.bars.push(Bar {
            x: if backwards {
                context.left + context.width - 2.5
            } else {
                context.left
            },
            width: 2.5,
            colour: text_format::HAIR,
            begun: Rc::new(Cell::new(false)),
        });
        self.blocks(blocks, &within, flow)?;
        flow.after = flow.after.max(context.after);
        Ok(())
    }

    /// Sets a group of blocks by its kind.
    fn group(&mut self, group: &Group, context: &BlockContext, flow: &mut Flow<'_>) -> Result<()> {
        let mut within = context.clone();
        if let Some(id) = &group.id {
            flow_anchor(flow, context, id)?;
        }
        match &group.kind {
            GroupKind::Figure { caption } => {
                within.node = self.structure.add(context.node, Role::Division);
                // In documents from Word, captions keep the formatting of their paragraphs.
                if self.is_word() {
                    self.blocks(&group.blocks, &within, flow)?;
                    within.node = self.structure.add(within.node, Role::Caption);
                    return self.blocks(caption, &within, flow);
                }
                within.alignment = Alignment::Centre;
                within.after = 4.0;
                self.blocks(&group.blocks, &within, flow)?;
                // Captions are smaller and grey.
                let mut text_format = (*context.text_format).clone();
                text_format.size *= 0.92;
                text_format.colour = text_format::QUIET;
                within.text_format = Rc::new(text_format);
                within.node = self.structure.add(within.node, Role::Caption);
                self.blocks(caption, &within, flow)?;
                flow.after = flow.after.max(context.after);
            }
            GroupKind::Frame(frame) => {
                let float = self.float(frame, &group.blocks, context)?;
                // A frame of main text that is higher than the text area of the page is set as plain blocks, so that
                // the text can continue on the next page.
                match !frame.apart && float.height > self.areas.margin.height {
                    true => self.blocks(&group.blocks, context, flow)?,
                    false => flow.floats.push(float),
                }
            }
            GroupKind::Speaker | GroupKind::Regions(_) => {
                self.blocks(&group.blocks, context, flow)?;
            }
            GroupKind::Aside => {
                // Distance of the text from the edges of the shaded box, in points.
                const PADDING: f32 = 9.0;
                within.node = self.structure.add(context.node, Role::Division);
                within.list_left = None;
                let padding = context.indent(2.0 * PADDING) / 2.0;
                within.left += padding;
                within.width -= 2.0 * padding;
                within.bars.push(Bar {
                    x: context.left,
                    width: context.width,
                    colour: text_format::SHADE,
                    begun: Rc::new(Cell::new(false)),
                });
                self.pad(&within, flow, PADDING - 2.0, true)?;
                self.blocks(&group.blocks, &within, flow)?;
                flow.after = 0.0;
                self.pad(&within, flow, PADDING - 2.0, false)?;
                flow.after = context.after;
            }
            GroupKind::Language(language) => {
                let mut text_format = (*context.text_format).clone();
                text_format.language = Some(Rc::from(&**language));
                within.text_format = Rc::new(text_format);
                let node = self.structure.add_with(
                    context.node,
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

/// Adds the destination of links to `name`, in front of the next block.
fn flow_anchor(flow: &mut Flow<'_>, context: &BlockContext, name: &str) -> Result<()> {
    let slice = Slice {
        items: vec![Item::Anchor {
            name: name.into(),
            y: 0.0,
        }],
        keep: true,
        ..Slice::default()
    };
    // The slice gets no bars. It would otherwise count as the first slice of a shaded box, and the next slice would
    // also colour the space above the box.
    flow.put(
        &BlockContext {
            bars: Vec::new(),
            ..context.clone()
        },
        slice,
    )?;
    Ok(())
}

/// Returns the pieces of a line of code, each with its colour. Replaces tabs by spaces up to the next multiple of four
/// columns.
fn expand(line: Vec<code::Piece<'_>>) -> Vec<(Option<Colour>, Cow<'_, str>)> {
    let mut column = 0;
    let expanded = line.into_iter().map(|(kind, piece)| {
        let mut text = Cow::Borrowed(piece);
        if piece.contains('\t') {
            let mut own = String::with_capacity(piece.len() + 16);
            for character in piece.chars() {
                let wide = if character == '\t' { 4 - column % 4 } else { 1 };
                match character {
                    '\t' => own.extend(std::iter::repeat_n(' ', wide)),
                    _ => own.push(character),
                }
                column += wide;
            }
            text = Cow::Owned(own);
        } else {
            column += piece.chars().count();
        }
        (kind.map(TokenKind::colour), text)
    });
    expanded.collect()
}
