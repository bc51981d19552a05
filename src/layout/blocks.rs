//! Blocks as strips: the positions of code, quotations and other boxes in their column. Does not depend on pages: a
//! [`Sink`](super::context::Sink) takes the strips.

use super::{
    context::{Bar, Flow, JoinedBorders, Layout, Place},
    item::{BreakBefore, Item, Strip},
    lines, look,
    paragraphs::Text,
    structure::Role,
};
use crate::error::Result;
use convertd_tree::{
    Alignment, Anchor, Block, Borders, Code, Colour, Direction, Group, GroupKind, ParagraphStyle,
    code::{self, Kind},
    options,
};
use std::{borrow::Cow, cell::Cell, rc::Rc};

/// Indent of quotations, in points. The value is this program's own, because no format prescribes an indent.
const INDENT: f32 = 16.0;

impl Layout<'_> {
    /// Sets blocks, one below the other.
    ///
    /// A frame that follows a block in the tree is anchored in that block. The frame is set before the block, because
    /// the block's lines flow around the frame.
    pub fn blocks(&mut self, blocks: &[Block], place: &Place, flow: &mut Flow<'_>) -> Result<()> {
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
            // This frame is anchored in an earlier block, and has been set together with that block.
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
                let float = self.float(frame, &group.blocks, place)?;
                match frame.anchor {
                    Anchor::Letter => self.letters.push((frame.order, float)),
                    _ => flow.floats.push(float),
                }
                anchored += 1;
            }
            match block {
                Block::Paragraph(paragraph) => self.paragraph(paragraph, place, flow)?,
                Block::Heading(heading) => self.heading(heading, place, flow)?,
                Block::List(list) => self.list(list, place, flow)?,
                Block::Definitions(all) => self.definitions(all, place, flow)?,
                Block::Table(table) => self.table(table, &flow.narrowed(place), flow)?,
                Block::Code(code) => self.code(code, &flow.narrowed(place), flow)?,
                Block::Quote(blocks) => self.quote(blocks, place, flow)?,
                Block::Group(group) => self.group(group, place, flow)?,
                Block::Rule => {
                    let line = lines::rule(place.left, flow.narrowed(place).width, look::HAIR);
                    let strip = Strip {
                        height: line.height,
                        items: line.items,
                        ..Strip::default()
                    };
                    flow.put(place, strip)?;
                    flow.after = place.after;
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
        // If no block with lines follows the frames, they are anchored in an empty strip.
        flow.put(place, Strip::default())
    }

    /// Returns whether two blocks are paragraphs in one box: with the same borders and indents
    /// (ECMA-376 part 1, 17.3.1.5).
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
    fn code(&mut self, code: &Code, place: &Place, flow: &mut Flow<'_>) -> Result<()> {
        // Distance of the text from the edges of the shaded box, in points.
        const PADDING: f32 = 7.0;
        let paragraph = self.structure.add(place.node, Role::Paragraph);
        let node = self.structure.add(paragraph, Role::Code);
        let mut within = place.clone();
        let padding = place.indent(2.0 * PADDING) / 2.0;
        within.left += padding;
        within.width -= 2.0 * padding;
        within.bars.push(Bar {
            x: place.left,
            width: place.width,
            colour: look::SHADE,
            begun: Rc::new(Cell::new(false)),
        });
        // Monospaced fonts look larger than others at the same size.
        let mut look = place.look.code();
        look.size = (place.look.size * 0.84).min(place.look.size);
        self.pad(&within, flow, PADDING - 1.5, true)?;
        let language = options::language(self.job, code);
        let count = code.text.split('\n').count();
        for (at, line) in code::lines(language, &code.text).enumerate() {
            let mut manner = self.plain(place);
            manner.look = look.clone();
            manner.after = 0.0;
            manner.alignment = Alignment::Start;
            manner.line_height = Some(lines::default_line_height());
            manner.direction = Some(Direction::LeftToRight);
            // The first two lines stay together, and so do the last two lines and the padding below them.
            manner.keep_with_next = at == 0 && count > 1 || at + 2 == count || at + 1 == count;
            let line = expand(line);
            let mut text = Text::new(&[], manner, node);
            text.code = &line;
            self.set(text, &within, flow)?;
        }
        self.pad(&within, flow, PADDING - 1.5, false)?;
        flow.after = place.after + 2.0;
        Ok(())
    }

    /// Adds an empty strip at the upper or lower edge of a shaded box.
    fn pad(&mut self, place: &Place, flow: &mut Flow<'_>, height: f32, keep: bool) -> Result<()> {
        let strip = Strip {
            height,
            keep,
            ..Strip::default()
        };
        flow.put(place, strip)
    }

    /// Sets a quotation: indented, with a bar at the side where reading begins.
    fn quote(&mut self, blocks: &[Block], place: &Place, flow: &mut Flow<'_>) -> Result<()> {
        let mut within = place.clone();
        within.node = self.structure.add(place.node, Role::Quote);
        // A quotation gets no second indent in documents from Word, or if the style of one of its paragraphs has an
        // indent.
        let own = |block: &Block| matches!(block, Block::Paragraph(paragraph) if self.document.paragraph_style(paragraph.style).indent_start.is_some());
        if self.is_word() || blocks.iter().any(own) {
            return self.blocks(blocks, &within, flow);
        }
        // Lists in the quotation are indented from the left edge of the quotation.
        within.list_left = None;
        let indent = place.indent(INDENT);
        within.width -= indent;
        let backwards = place.direction == Some(Direction::RightToLeft);
        if !backwards {
            within.left += indent;
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

    /// Sets a group of blocks by its kind.
    fn group(&mut self, group: &Group, place: &Place, flow: &mut Flow<'_>) -> Result<()> {
        let mut within = place.clone();
        if let Some(id) = &group.id {
            flow_anchor(flow, place, id)?;
        }
        match &group.kind {
            GroupKind::Figure { caption } => {
                within.node = self.structure.add(place.node, Role::Division);
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
                let mut look = (*place.look).clone();
                look.size *= 0.92;
                look.colour = look::QUIET;
                within.look = Rc::new(look);
                within.node = self.structure.add(within.node, Role::Caption);
                self.blocks(caption, &within, flow)?;
                flow.after = flow.after.max(place.after);
            }
            GroupKind::Frame(frame) => {
                let float = self.float(frame, &group.blocks, place)?;
                // Main text in a frame higher than the page is set as plain blocks, so that it can continue on the next
                // page.
                match !frame.apart && float.height > self.ground.margin.height {
                    true => self.blocks(&group.blocks, place, flow)?,
                    false => flow.floats.push(float),
                }
            }
            GroupKind::Speaker | GroupKind::Regions(_) => {
                self.blocks(&group.blocks, place, flow)?;
            }
            GroupKind::Aside => {
                // Distance of the text from the edges of the shaded box, in points.
                const PADDING: f32 = 9.0;
                within.node = self.structure.add(place.node, Role::Division);
                within.list_left = None;
                let padding = place.indent(2.0 * PADDING) / 2.0;
                within.left += padding;
                within.width -= 2.0 * padding;
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

/// Adds the destination of links to `name`, in front of the next block.
fn flow_anchor(flow: &mut Flow<'_>, place: &Place, name: &str) -> Result<()> {
    let strip = Strip {
        items: vec![Item::Anchor {
            name: name.into(),
            y: 0.0,
        }],
        keep: true,
        ..Strip::default()
    };
    // The strip gets no bars. It would otherwise count as the first strip of a shaded box, and the next strip would
    // also colour the space above the box.
    flow.put(
        &Place {
            bars: Vec::new(),
            ..place.clone()
        },
        strip,
    )?;
    Ok(())
}

/// Pieces of a line of code in their colours. Tabs are replaced by spaces up to the next multiple of four columns.
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
        (kind.map(Kind::colour), text)
    });
    expanded.collect()
}
