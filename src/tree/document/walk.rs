//! Walks over a tree for code that looks for something in it. Writers do not use these walks, because each kind of
//! block is written in its own way.

use super::{Block, GroupKind, Inline};

/// Calls `visit` for every block, each before the blocks inside it.
pub fn each_block<'a>(blocks: &'a [Block], visit: &mut dyn FnMut(&'a Block)) {
    each_block_in(blocks, false, &mut |block, _| visit(block));
}

/// Calls `visit` for every block, like [`each_block`], and also passes whether the block is in a cell of a table.
/// `in_cell` is the value for `blocks` themselves.
pub fn each_block_in<'a>(
    blocks: &'a [Block],
    in_cell: bool,
    visit: &mut dyn FnMut(&'a Block, bool),
) {
    each_step(blocks, in_cell, &mut |step, in_cell| match step {
        Step::Block(block) => visit(block, in_cell),
        Step::Term(_) => {}
    });
}

/// Part of a document in reading order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    /// A block, before the blocks inside it.
    Block(&'a Block),
    /// A term of a list of definitions, before its definitions.
    Term(&'a [Inline]),
}

/// Calls `visit` for every block, like [`each_block_in`], and for every term of a list of definitions, directly
/// before its definitions.
pub(super) fn each_step<'a>(
    blocks: &'a [Block],
    in_cell: bool,
    visit: &mut dyn FnMut(Step<'a>, bool),
) {
    for block in blocks {
        visit(Step::Block(block), in_cell);
        match block {
            Block::Quote(blocks) => each_step(blocks, in_cell, visit),
            Block::Group(group) => {
                if let GroupKind::Figure { caption } = &group.kind {
                    each_step(caption, in_cell, visit);
                }
                each_step(&group.blocks, in_cell, visit);
            }
            Block::List(list) => {
                for item in &list.items {
                    each_step(&item.blocks, in_cell, visit);
                }
            }
            Block::Definitions(definitions) => {
                for definition in definitions {
                    visit(Step::Term(&definition.term), in_cell);
                    for blocks in &definition.details {
                        each_step(blocks, in_cell, visit);
                    }
                }
            }
            Block::Table(table) => {
                each_step(&table.caption, in_cell, visit);
                for cell in table.rows().flat_map(|row| &row.cells) {
                    each_step(&cell.blocks, true, visit);
                }
            }
            Block::Paragraph(_)
            | Block::Heading(_)
            | Block::Code(_)
            | Block::Rule
            | Block::PageBreak
            | Block::ColumnBreak
            | Block::RawHtml(_) => {}
        }
    }
}

/// Calls `visit` for every inline in these blocks, each before the inlines inside it.
pub fn each_inline<'a>(blocks: &'a [Block], visit: &mut dyn FnMut(&'a Inline)) {
    each_block(blocks, &mut |block| match block {
        Block::Paragraph(paragraph) => each_in_line(&paragraph.content, visit),
        Block::Heading(heading) => each_in_line(&heading.content, visit),
        Block::Definitions(definitions) => {
            for definition in definitions {
                each_in_line(&definition.term, visit);
            }
        }
        _ => {}
    });
}

/// Calls `visit` for every inline of a line, each before the inlines inside it.
pub(super) fn each_in_line<'a>(content: &'a [Inline], visit: &mut dyn FnMut(&'a Inline)) {
    for inline in content {
        visit(inline);
        match inline {
            Inline::Marked(_, content) | Inline::Span(_, content) => each_in_line(content, visit),
            Inline::Link(link) => each_in_line(&link.content, visit),
            _ => {}
        }
    }
}

/// Returns the content without formatting: text, code, formulas in TeX, and alternative texts of pictures.
pub fn plain_text(content: &[Inline]) -> String {
    let mut text = String::new();
    each_in_line(content, &mut |inline| match inline {
        Inline::Text(piece) | Inline::Code(piece) => text.push_str(piece),
        Inline::Math(math) => text.push_str(&math.tex),
        Inline::Ruby(ruby) => text.push_str(&ruby.spelled()),
        Inline::Picture(picture) => text.push_str(&picture.alternative),
        Inline::LineBreak | Inline::SoftBreak => text.push(' '),
        _ => {}
    });
    text
}
