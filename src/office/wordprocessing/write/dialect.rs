//! Interface of a format's writer. Every method writes one thing; the walk decides when.

use super::Context;
use crate::{error::Result, wordprocessing::styles::Use};
use convertd_tree::{
    Cell, Code, Field, Frame, Item, Length, List, Mark, NoteId, ParagraphStyleId, Part, Picture,
    Place, ResourceId, Row, Table, TextStyle, losses::Loss,
};

/// A row of a table that is being written.
pub struct TableRow<'r, 'a> {
    pub row: &'r Row,
    pub part: Part,
    pub places: &'r [Place<'a>],
    /// The widths of the columns of the table.
    pub widths: &'r [Length],
    /// Whether its columns run from right to left.
    pub backwards: bool,
}

impl TableRow<'_, '_> {
    /// The width of this many columns.
    pub(super) fn width(&self, column: usize, columns: u16) -> Length {
        let end = (column + usize::from(columns)).min(self.widths.len());
        let own = &self.widths[column.min(end)..end];
        own.iter().fold(Length::ZERO, |sum, width| sum + *width)
    }
}

/// A word processor format.
pub trait Dialect<'a>: Sized {
    /// Text between the number of a heading and its words, where the number is written as text.
    const AFTER_LABEL: &'static str = "\t";

    /// Whether frames are written: around their paragraphs, or by paragraphs that say themselves in which one they
    /// stand.
    const FRAMES: bool = false;

    /// Limit on the nesting of tables, and the note about those that become paragraphs.
    const NESTED_TABLES: Option<(usize, &'static Loss)> = None;

    fn context(&mut self) -> &mut Context<'a>;

    /// The memory that the output takes so far, in bytes.
    fn written(&self) -> u64;

    /// Begins a paragraph. With `takes_number`, it is the one that shows the number of its item, if none has before.
    fn open_paragraph(&mut self, place: Use, style: ParagraphStyleId, takes_number: bool);
    fn close_paragraph(&mut self);

    /// Writes a line of the title block.
    fn title_line(&mut self, place: Use, line: &str);
    fn code_block(&mut self, code: &Code);
    fn rule(&mut self);

    /// Writes a page break that is pending in a paragraph of its own.
    fn end_page(&mut self);

    /// Adds a list, and returns its number.
    fn add_list(&mut self, list: &List) -> u32 {
        let context = self.context();
        let around = context.place.list.map(|(list, _)| list);
        context.lists.add(list, context.place.depth, around)
    }

    /// Begins a list with this number.
    fn open_list(&mut self, _number: u32) {}

    /// The number of the list for an item of the list with the number `list`.
    fn list_of(&self, list: u32, _item: &Item) -> u32 {
        list
    }

    /// Begins an item, the first of which has the index 0.
    fn open_item(&mut self, list: &'a List, item: &'a Item, index: u32) -> Result<()>;
    fn close_item(&mut self, _item: &'a Item) -> Result<()> {
        Ok(())
    }
    fn close_list(&mut self) {}

    /// Begins the text of a frame, before the paragraph that it is anchored to.
    fn open_frame(&mut self, _frame: &Frame) {}
    fn close_frame(&mut self) {}

    /// Ends a sequence of blocks.
    fn end_blocks(&mut self) {}

    /// Prepares for a table, and its caption.
    fn before_table(&mut self) {}
    fn open_table(&mut self, table: &'a Table, widths: &[Length], lists: usize);
    fn open_part(&mut self, _part: Part) {}
    fn open_row(&mut self, row: &TableRow<'_, 'a>);
    fn open_cell(&mut self, cell: &'a Cell, width: Length);
    fn close_cell(&mut self, cell: &'a Cell) -> Result<()>;

    /// Writes a place that a cell of a row above covers.
    fn covered(&mut self, cell: &'a Cell, width: Length);

    /// Writes a place without a cell.
    fn missing(&mut self, width: Length);
    fn close_row(&mut self, row: &TableRow<'_, 'a>);
    fn close_part(&mut self, _part: Part) {}
    fn close_table(&mut self);
    fn after_table(&mut self) {}

    /// Keeps two tables apart, which programs would take for one.
    fn between_tables(&mut self) {}

    /// Writes text without marks of its own. `\t` is a tab.
    fn text(&mut self, text: &str);
    fn open_mark(&mut self, mark: Mark);
    fn close_mark(&mut self);
    fn open_span(&mut self, style: &TextStyle);
    fn close_span(&mut self);
    fn code(&mut self, code: &str);
    fn line_break(&mut self);
    fn open_link(&mut self, target: &str, title: &str);
    fn close_link(&mut self);

    /// Writes a picture of the document, or `words` if the format cannot hold it.
    fn picture(&mut self, id: ResourceId, picture: &'a Picture, words: &str) -> Result<()>;
    fn note(&mut self, note: NoteId) -> Result<()>;

    /// Writes a formula. False, and nothing is written, if that is not possible.
    fn formula(&mut self, _tex: &str, _display: bool) -> bool {
        false
    }
    fn field(&mut self, field: &Field);

    /// Begins a bookmark in a paragraph, and returns what ends it.
    fn open_bookmark(&mut self, name: &str) -> u32;
    fn close_bookmark(&mut self, _bookmark: u32) {}

    /// Begins a bookmark around blocks. If the format knows none, the next paragraph begins with it.
    fn open_block_bookmark(&mut self, name: &'a str) -> Option<u32> {
        self.context().bookmarks_pending.push(name);
        None
    }
}
