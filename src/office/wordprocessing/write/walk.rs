//! Writes blocks with the calls of a dialect. A row of a table is a sequence of entries from the first column to the
//! last: cells that begin in the row, cells of a row above that extend into it, and gaps without a cell.

use super::{Containers, Dialect, TableRow, inlines::inlines};
use crate::{
    error::Result,
    wordprocessing::{
        language::script_of_language, losses, measure::column_widths, script::Script, styles::Use,
    },
};
use convertd_tree::{
    Anchor, Block, Definition, Frame, Group, GroupKind, Heading, Inline, List, ParagraphStyleId,
    Part, Slot as At, Table,
};
use std::rc::Rc;

/// Writes blocks in order.
pub fn blocks<'a, D: Dialect<'a>>(to: &mut D, blocks: &'a [Block]) -> Result<()> {
    let mut after_table = false;
    // Index of the first block that is not written yet.
    let mut ahead = 0;
    for (at, block) in blocks.iter().enumerate() {
        // In a dialect with frames, the frames that follow a block and are anchored in the text are written before that
        // block. They are skipped here.
        if at < ahead {
            continue;
        }
        ahead = at + 1;
        while D::FRAMES
            && let Some(next) = blocks.get(ahead)
            && frame(next).is_some_and(|frame| frame.anchor == Anchor::Text)
            && frame(block).is_none()
        {
            self::block(to, next)?;
            ahead += 1;
        }
        let written = to.written();
        to.context().grow(written)?;
        let is_table = matches!(block, Block::Table(_));
        if is_table && after_table {
            to.between_tables();
        }
        after_table = is_table;
        self::block(to, block)?;
    }
    to.end_blocks();
    Ok(())
}

/// Returns the frame of a block. `None` if it is not a frame.
fn frame(block: &Block) -> Option<&Frame> {
    match block {
        Block::Group(group) => match &group.kind {
            GroupKind::Frame(frame) => Some(frame),
            _ => None,
        },
        _ => None,
    }
}

/// Writes a block.
fn block<'a, D: Dialect<'a>>(to: &mut D, block: &'a Block) -> Result<()> {
    match block {
        Block::Paragraph(text) => {
            let place = to.context().place.text();
            paragraph(to, place, text.style, &text.content)
        }
        Block::Heading(one) => heading(to, one),
        Block::List(one) => list(to, one),
        Block::Definitions(all) => definitions(to, all),
        Block::Table(one) => table(to, one),
        Block::Code(code) => {
            to.code_block(code);
            Ok(())
        }
        Block::Quote(quoted) => within(to, Use::Quote, quoted),
        Block::Group(one) => group(to, one),
        Block::Rule => {
            to.rule();
            Ok(())
        }
        Block::PageBreak => {
            to.end_page();
            to.context().break_pending = true;
            Ok(())
        }
        // The program that opens the file determines where columns end. Raw HTML has no equivalent in the formats.
        Block::ColumnBreak | Block::RawHtml(_) => Ok(()),
    }
}

/// Writes blocks in which paragraphs without a style have the style for this use.
pub fn within<'a, D: Dialect<'a>>(to: &mut D, place: Use, all: &'a [Block]) -> Result<()> {
    let before = to.context().place.within.replace(place);
    let written = blocks(to, all);
    to.context().place.within = before;
    written
}

/// Writes a paragraph.
pub fn paragraph<'a, D: Dialect<'a>>(
    to: &mut D,
    place: Use,
    style: ParagraphStyleId,
    content: &'a [Inline],
) -> Result<()> {
    to.open_paragraph(place, style, true);
    inlines(to, content)?;
    to.close_paragraph();
    Ok(())
}

/// Writes a heading.
fn heading<'a, D: Dialect<'a>>(to: &mut D, heading: &'a Heading) -> Result<()> {
    to.open_paragraph(Use::Heading(heading.level), heading.style, true);
    let named = to.context().targets.contains(&*heading.id);
    let bookmark = named.then(|| to.open_bookmark(&heading.id));
    // If headings are not numbered automatically, the number is text.
    if let Some(label) = &heading.label
        && to.context().heading_numbers.is_none()
    {
        to.text(label);
        to.text(D::AFTER_LABEL);
    }
    inlines(to, &heading.content)?;
    if let Some(bookmark) = bookmark {
        to.close_bookmark(bookmark);
    }
    to.close_paragraph();
    Ok(())
}

/// Writes a list.
fn list<'a, D: Dialect<'a>>(to: &mut D, list: &'a List) -> Result<()> {
    let number = to.add_list(list);
    to.open_list(number);
    let around = to.context().place.clone();
    for (index, item) in (0..).zip(&list.items) {
        let number = to.list_of(number, item);
        to.context().place = Containers {
            within: None,
            list: Some((number, around.depth)),
            numbered: false,
            depth: around.depth + 1,
            ..around.clone()
        };
        if item.label.is_some() {
            to.context().losses.add(&losses::LABELS);
        }
        to.open_item(list, item, index)?;
        blocks(to, &item.blocks)?;
        to.close_item(item)?;
    }
    to.context().place = Containers {
        // Text after a nested list continues the enclosing item, whose number was already written.
        numbered: true,
        ..around
    };
    to.close_list();
    Ok(())
}

/// Writes a definition list.
fn definitions<'a, D: Dialect<'a>>(to: &mut D, all: &'a [Definition]) -> Result<()> {
    for definition in all {
        let plain = ParagraphStyleId::default();
        paragraph(to, Use::Term, plain, &definition.term)?;
        for details in &definition.details {
            within(to, Use::Details, details)?;
        }
    }
    Ok(())
}

/// Writes a group of blocks.
fn group<'a, D: Dialect<'a>>(to: &mut D, group: &'a Group) -> Result<()> {
    let name = group.id.as_deref();
    let name = name.filter(|name| to.context().targets.contains(name));
    let bookmark = name.and_then(|name| to.open_block_bookmark(name));
    match &group.kind {
        GroupKind::Figure { caption } => {
            within(to, Use::Figure, &group.blocks)?;
            within(to, Use::FigureCaption, caption)?;
        }
        GroupKind::Frame(frame)
            if D::FRAMES && matches!(frame.anchor, Anchor::Text | Anchor::Next) =>
        {
            let place = &mut to.context().place;
            // Frames in other frames, lists and tables become part of the surrounding text.
            let is_free = place.tables == 0 && place.list.is_none() && place.frame.is_none();
            let outer = place.frame.clone();
            if is_free {
                place.frame = Some(Rc::new((**frame).clone()));
                to.open_frame(frame);
            } else if frame.apart {
                to.context().losses.add(&losses::TEXT_BOXES);
            }
            blocks(to, &group.blocks)?;
            if is_free {
                to.close_frame();
            }
            to.context().place.frame = outer;
        }
        GroupKind::Aside | GroupKind::Speaker | GroupKind::Frame(_) | GroupKind::Regions(_) => {
            blocks(to, &group.blocks)?
        }
        GroupKind::Language(tag) => {
            let place = &mut to.context().place;
            let is_right_to_left = script_of_language(tag) == Script::Complex;
            let language = place.language.replace(tag.clone());
            let direction = std::mem::replace(&mut place.right_to_left, is_right_to_left);
            blocks(to, &group.blocks)?;
            let place = &mut to.context().place;
            place.language = language;
            place.right_to_left = direction;
        }
    }
    if let Some(bookmark) = bookmark {
        to.close_bookmark(bookmark);
    }
    Ok(())
}

/// Writes a table and its caption.
fn table<'a, D: Dialect<'a>>(to: &mut D, table: &'a Table) -> Result<()> {
    to.before_table();
    let around = to.context().place.clone();
    to.context().place = Containers {
        tables: around.tables,
        language: around.language.clone(),
        right_to_left: around.right_to_left,
        ..Containers::of(Use::TableCaption)
    };
    blocks(to, &table.caption)?;
    let place = &mut to.context().place;
    place.within = Some(Use::TableText);
    match D::NESTED_TABLES {
        Some((most, loss)) if around.tables >= most => {
            // A table that is nested too deeply becomes the content of its cells.
            to.context().losses.add(loss);
            for cell in table.rows().flat_map(|row| &row.cells) {
                blocks(to, &cell.blocks)?;
            }
        }
        _ => {
            place.tables += 1;
            let text_width = to.context().text_width;
            let widths = column_widths(table, text_width);
            to.open_table(table, &widths, around.depth);
            for (rows, part) in [
                (&table.head, Part::Head),
                (&table.body, Part::Body),
                (&table.foot, Part::Foot),
            ] {
                if rows.is_empty() {
                    continue;
                }
                to.open_part(part);
                for (row, places) in table.grid(rows) {
                    let written = to.written();
                    to.context().grow(written)?;
                    let row = TableRow {
                        backwards: table.direction.is_some(),
                        row,
                        part,
                        places: &places,
                        widths: &widths,
                    };
                    self::row(to, table, &row)?;
                }
                to.close_part(part);
            }
            to.context().text_width = text_width;
            to.close_table();
        }
    }
    to.context().place = around;
    to.after_table();
    Ok(())
}

/// Writes a row.
fn row<'a, D: Dialect<'a>>(to: &mut D, table: &'a Table, row: &TableRow<'_, 'a>) -> Result<()> {
    to.open_row(row);
    for place in row.places {
        match place {
            At::Cell { column, cell } => {
                let width = row.width(*column, cell.columns);
                // The alignment of a cell is its own, or that of its column.
                let of_column = table.columns.get(*column);
                let of_column = of_column.and_then(|column| column.alignment);
                let context = to.context();
                context.text_width = width;
                context.place.within = Some(Use::TableText);
                context.place.alignment = cell.alignment.or(of_column);
                to.open_cell(cell, width);
                blocks(to, &cell.blocks)?;
                to.close_cell(cell)?;
                to.context().place.alignment = None;
            }
            At::Covered { column, cell } => to.covered(cell, row.width(*column, cell.columns)),
            At::Missing { column } => to.missing(row.width(*column, 1)),
        }
    }
    to.close_row(row);
    Ok(())
}

/// Writes the title block, if the metadata contains one.
pub fn title<'a, D: Dialect<'a>>(to: &mut D) {
    let metadata = &to.context().document.metadata;
    if !metadata.title_block {
        return;
    }
    let lines = metadata.title.iter().map(|line| (Use::Title, line));
    let lines = lines.chain(metadata.subtitle.iter().map(|line| (Use::Subtitle, line)));
    let lines = lines.chain(metadata.authors.iter().map(|line| (Use::Author, line)));
    for (place, line) in lines.chain(metadata.date.iter().map(|line| (Use::Date, line))) {
        to.title_line(place, line);
    }
}
