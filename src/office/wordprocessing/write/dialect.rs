//! Interface of a format's writer. Each method writes one element of the document. The functions in `walk` determine
//! the order.

use super::Context;
use crate::{error::Result, wordprocessing::styles::Use};
use convertd_tree::{
    Cell, Code, Field, Frame, Item, Length, List, Mark, NoteId, ParagraphStyleId, Part, Picture,
    ResourceId, Row, Ruby, Slot, Table, TextStyle, losses::Loss,
};

/// Table row that is being written.
pub struct TableRow<'r, 'a> {
    /// Row in the tree.
    pub row: &'r Row,
    /// Part of the table that contains the row.
    pub part: Part,
    /// Cells and gaps by columns.
    pub places: &'r [Slot<'a>],
    /// Widths of the table's columns.
    pub widths: &'r [Length],
    /// Whether the columns run from right to left.
    pub backwards: bool,
}

impl TableRow<'_, '_> {
    /// Returns the width of this number of columns, of which `column` is the first.
    pub(super) fn width(&self, column: usize, columns: u16) -> Length {
        let end = (column + usize::from(columns)).min(self.widths.len());
        let own = &self.widths[column.min(end)..end];
        own.iter().fold(Length::ZERO, |sum, width| sum + *width)
    }
}

/// A word processor format.
pub trait Dialect<'a>: Sized {
    /// Text between the number of a heading and its content, if the number is written as text.
    const AFTER_LABEL: &'static str = "\t";

    /// Whether frames are written, either around their paragraphs or as properties of them.
    const FRAMES: bool = false;

    /// Max. depth of nested tables, and the note about deeper tables, which become paragraphs. `None` for any depth.
    const NESTED_TABLES: Option<(usize, &'static Loss)> = None;

    /// Returns the state of the writer.
    fn context(&mut self) -> &mut Context<'a>;

    /// Returns the memory of the output so far, in bytes.
    fn written(&self) -> u64;

    /// Begins a paragraph. With `takes_number`, it shows the number of its item, unless an earlier paragraph showed
    /// it.
    fn open_paragraph(&mut self, place: Use, style: ParagraphStyleId, takes_number: bool);
    /// Ends a paragraph.
    fn close_paragraph(&mut self);

    /// Writes a line of the title block.
    fn title_line(&mut self, place: Use, line: &str);
    /// Writes a code block.
    fn code_block(&mut self, code: &Code);
    /// Writes a horizontal rule.
    fn rule(&mut self);

    /// Writes a pending page break in a separate paragraph.
    fn end_page(&mut self);

    /// Adds a list, and returns its number.
    fn add_list(&mut self, list: &List) -> u32 {
        let context = self.context();
        let around = context.place.list.map(|(list, _)| list);
        context.lists.add(list, context.place.depth, around)
    }

    /// Begins a list with this number.
    fn open_list(&mut self, _number: u32) {}

    /// Returns the number of the list for an item. `list` is the number of the enclosing list.
    fn list_of(&self, list: u32, _item: &Item) -> u32 {
        list
    }

    /// Begins an item. The first item has the index 0.
    fn open_item(&mut self, list: &'a List, item: &'a Item, index: u32) -> Result<()>;
    /// Ends an item.
    fn close_item(&mut self, _item: &'a Item) -> Result<()> {
        Ok(())
    }
    /// Ends a list.
    fn close_list(&mut self) {}

    /// Begins the text of a frame, before the paragraph that anchors it.
    fn open_frame(&mut self, _frame: &Frame) {}
    /// Ends a frame.
    fn close_frame(&mut self) {}

    /// Ends a sequence of blocks.
    fn end_blocks(&mut self) {}

    /// Prepares for a table and its caption.
    fn before_table(&mut self) {}
    /// Begins a table. `lists` is the number of enclosing lists.
    fn open_table(&mut self, table: &'a Table, widths: &[Length], lists: usize);
    /// Begins the head, body or foot of a table.
    fn open_part(&mut self, _part: Part) {}
    /// Begins a row.
    fn open_row(&mut self, row: &TableRow<'_, 'a>);
    /// Begins a cell of this width.
    fn open_cell(&mut self, cell: &'a Cell, width: Length);
    /// Ends a cell.
    fn close_cell(&mut self, cell: &'a Cell) -> Result<()>;

    /// Writes the gap in a row that a cell of a row above covers.
    fn covered(&mut self, cell: &'a Cell, width: Length);

    /// Writes a gap without a cell.
    fn missing(&mut self, width: Length);
    /// Ends a row.
    fn close_row(&mut self, row: &TableRow<'_, 'a>);
    /// Ends the head, body or foot of a table.
    fn close_part(&mut self, _part: Part) {}
    /// Ends a table.
    fn close_table(&mut self);
    /// Ends the preparations of `before_table`.
    fn after_table(&mut self) {}

    /// Separates adjacent tables, which programs would combine.
    fn between_tables(&mut self) {}

    /// Writes text in the current formatting. `\t` is a tab.
    fn text(&mut self, text: &str);
    /// Begins text with a mark.
    fn open_mark(&mut self, mark: Mark);
    /// Ends text with a mark.
    fn close_mark(&mut self);
    /// Begins text with a text style.
    fn open_span(&mut self, style: &TextStyle);
    /// Ends text with a text style.
    fn close_span(&mut self);
    /// Writes inline code.
    fn code(&mut self, code: &str);
    /// Writes a line break.
    fn line_break(&mut self);
    /// Begins a link.
    fn open_link(&mut self, target: &str, title: &str);
    /// Ends a link.
    fn close_link(&mut self);

    /// Writes a picture of the document, or `words` if the format cannot contain the picture.
    fn picture(&mut self, id: ResourceId, picture: &'a Picture, words: &str) -> Result<()>;
    /// Writes a note and its reference.
    fn note(&mut self, note: NoteId) -> Result<()>;

    /// Writes a formula. Returns false, and writes nothing, if that is not possible.
    fn formula(&mut self, _tex: &str, _display: bool) -> bool {
        false
    }
    /// Writes a word with a text above it.
    fn ruby(&mut self, ruby: &Ruby);
    /// Writes a field.
    fn field(&mut self, field: &Field);

    /// Begins a bookmark in a paragraph. Returns its number, with which [`Self::close_bookmark`] ends it.
    fn open_bookmark(&mut self, name: &str) -> u32;
    /// Ends a bookmark.
    fn close_bookmark(&mut self, _bookmark: u32) {}

    /// Begins a bookmark around blocks. Returns its number, or `None` in formats without such bookmarks, where the next
    /// paragraph begins with the bookmark.
    fn open_block_bookmark(&mut self, name: &'a str) -> Option<u32> {
        self.context().bookmarks_pending.push(name);
        None
    }
}
