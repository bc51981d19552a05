//! Texts of a document: the main text, and texts within it that have their own paragraphs.

use super::{
    state::Story,
    text::{Text, Within},
};
use crate::{
    error::Result,
    wordprocessing::{line::Line, losses},
};
use convertd_tree::{Block, Builder, Document, Frame, Node, NoteId};

impl<'a> Story<'a> {
    /// Returns the place of the current text.
    pub fn within(&self) -> Within {
        self.texts.last().map_or(Within::Main, |text| text.within)
    }

    /// Returns the content of the current paragraph.
    pub fn line(&mut self) -> &mut Line {
        &mut self.text_and_build().0.line
    }

    /// Removes and returns the content of the current paragraph, to add it to a text that is opened next.
    pub fn take_line(&mut self) -> Line {
        std::mem::take(self.line())
    }

    /// Returns whether no content of the current paragraph is visible.
    pub fn is_blank(&self) -> bool {
        let text = self.texts.last();
        text.is_none_or(|text| text.line.is_blank() && text.boxes == 0)
    }

    /// Returns the number of pieces and boxes of the current paragraph.
    pub fn pieces(&self) -> usize {
        let text = self.texts.last();
        text.map_or(0, |text| text.line.len() + text.boxes)
    }

    /// Begins a text box at an unknown position. In the tree, it follows the paragraph that was ended last. Readers
    /// limit the depth of nested boxes themselves, because they call themselves for each box.
    pub fn open_box(&mut self) -> Result<()> {
        self.build.lost(&losses::TEXT_BOXES);
        self.open_separate(Node::Aside { id: None })
    }

    /// Begins the text of a frame.
    pub fn open_frame(&mut self, frame: Box<Frame>) -> Result<()> {
        self.open_separate(Node::Frame(frame))
    }

    /// Begins a text that interrupts the current text.
    fn open_separate(&mut self, node: Node) -> Result<()> {
        self.end_block(true)?;
        self.build.open(node)?;
        self.open_text(Within::Box);
        Ok(())
    }

    /// Begins the text of a list item, in formats with elements for items. The reader has already opened the item in
    /// the tree.
    pub fn open_item(&mut self) {
        self.open_text(Within::Item);
    }

    /// Ends the text of a list item.
    pub fn close_item(&mut self) -> Result<()> {
        self.leave_text()
    }

    /// Closes open blocks before the reader opens a list in the tree.
    pub fn begin_list(&mut self) -> Result<()> {
        self.at_title &= self.within() != Within::Main;
        self.end_block(false)
    }

    /// Adds a page break between blocks.
    pub fn break_page(&mut self) -> Result<()> {
        self.end_block(false)?;
        self.build.page_break()
    }

    /// Begins the text of a note.
    pub fn open_note(&mut self, note: NoteId) -> Result<()> {
        self.build.open(Node::NoteBody(note))?;
        self.open_text(Within::Note);
        self.text_and_build().0.mark = self.marks.remove(&note);
        Ok(())
    }

    /// Ends a text box, a frame, a note or a cell.
    pub fn close_text(&mut self) -> Result<()> {
        self.leave_text()?;
        self.build.close()
    }

    /// Begins a header or footer.
    pub fn open_margin(&mut self) {
        self.build.begin_fragment();
        self.open_text(Within::Margin);
    }

    /// Ends a header or footer, and returns its blocks.
    pub fn close_margin(&mut self) -> Result<Vec<Block>> {
        self.leave_text()?;
        self.build.end_fragment()
    }

    /// Begins a text, and stores the state of the surrounding text.
    pub(super) fn open_text(&mut self, within: Within) {
        let mut text = Text::new(within);
        let around = &mut text.around;
        around.style = std::mem::take(&mut self.style);
        around.run = std::mem::take(&mut self.run);
        if matches!(within, Within::Note | Within::Margin) {
            around.hidden_links = std::mem::take(&mut self.links);
            around.hidden_fields = std::mem::take(&mut self.fields);
        }
        around.links = self.links.len();
        around.fields = self.fields.len();
        self.texts.push(text);
    }

    /// Ends the innermost text, and restores the state of the surrounding text. The main text is never ended.
    pub(super) fn leave_text(&mut self) -> Result<()> {
        self.end_blocks()?;
        if self.texts.len() < 2 {
            return Ok(());
        }
        if let Some(Text { around, .. }) = self.texts.pop() {
            self.style = around.style;
            self.run = around.run;
            self.links.truncate(around.links);
            self.fields.truncate(around.fields);
            if !around.hidden_links.is_empty() {
                self.links = around.hidden_links;
            }
            if !around.hidden_fields.is_empty() {
                self.fields = around.hidden_fields;
            }
        }
        Ok(())
    }

    /// Returns the current text and the tree.
    pub(super) fn text_and_build(&mut self) -> (&mut Text, &mut Builder<'a>) {
        if self.texts.is_empty() {
            self.texts.push(Text::new(Within::Main));
        }
        let last = self.texts.len() - 1;
        (&mut self.texts[last], &mut self.build)
    }

    /// Closes open blocks before a block that is not a paragraph. With `in_item`, the new block becomes part of the
    /// current item.
    pub(super) fn end_block(&mut self, in_item: bool) -> Result<()> {
        let (text, build) = self.text_and_build();
        text.flow.block(build, in_item)
    }

    /// Adds all blocks of another document.
    pub fn graft(&mut self, other: &Document) -> Result<()> {
        self.at_title = false;
        self.end_block(false)?;
        self.build.graft(other)
    }

    /// Closes all blocks of the current text.
    pub(super) fn end_blocks(&mut self) -> Result<()> {
        let (text, build) = self.text_and_build();
        text.flow.end(build)
    }
}
