//! Tables and their captions. A caption may be above its table, or below. The paragraph of a caption above is read
//! before the table.

use super::{paragraphs::Paragraph, state::Story, text::Within};
use crate::{error::Result, wordprocessing::line::Line};
use convertd_tree::{
    Alignment, CellShape, Column, Length, Node, ParagraphStyleId, Part, Picture, Width,
};

/// A caption that has been read, but whose table or figure is not yet in the tree.
#[derive(Debug)]
pub struct Caption {
    /// Formatting of the paragraph.
    pub look: ParagraphStyleId,
    /// Content of the paragraph.
    pub line: Line,
    /// Whether text boxes are anchored in the caption.
    pub has_boxes: bool,
}

impl Story<'_> {
    /// Begins the paragraph of a caption that is read in advance.
    pub fn open_caption(&mut self) {
        self.open_text(Within::Box);
    }

    /// Ends the paragraph of a caption that is read in advance, and returns the caption.
    pub fn close_caption(&mut self, paragraph: &Paragraph) -> Result<Caption> {
        let style = self.style.clone();
        let look = self.paragraph_look(&style, &paragraph.own, false)?;
        let (text, _) = self.text_and_build();
        let has_boxes = text.boxes > 0;
        let line = std::mem::take(&mut text.line);
        self.leave_text()?;
        Ok(Caption {
            look,
            line,
            has_boxes,
        })
    }

    /// Removes and returns the caption above the next table.
    pub fn take_caption(&mut self) -> Option<Caption> {
        let (look, line) = self.text_and_build().0.flow.take_caption()?;
        Some(Caption {
            look,
            line,
            has_boxes: false,
        })
    }

    /// Begins a table. Its rows follow.
    pub fn open_table(
        &mut self,
        columns: Vec<Column>,
        width: Option<Width>,
        alignment: Option<Alignment>,
        caption: Option<Caption>,
    ) -> Result<()> {
        self.at_title &= self.within() != Within::Main;
        self.end_block(false)?;
        self.build.open(Node::Table {
            columns,
            width,
            alignment,
        })?;
        match caption {
            Some(caption) => self.add_caption(caption),
            None => Ok(()),
        }
    }

    /// Adds a figure, which consists of a picture and its caption.
    pub fn add_figure(&mut self, picture: Picture, caption: Caption) -> Result<()> {
        self.end_block(true)?;
        let build = &mut self.build;
        build.open(Node::Figure { id: None })?;
        build.open(Node::Paragraph(ParagraphStyleId::default()))?;
        build.picture(picture)?;
        build.close()?;
        self.add_caption(caption)?;
        self.build.close()
    }

    /// Adds a caption to the open table or figure.
    fn add_caption(&mut self, mut caption: Caption) -> Result<()> {
        self.build.open(Node::Caption)?;
        let open = Node::Paragraph(caption.look);
        let build = &mut self.build;
        caption
            .line
            .write(build, |build| build.open(open.clone()))?;
        self.build.close()
    }

    /// Ends a table.
    pub fn close_table(&mut self) -> Result<()> {
        self.build.close()
    }

    /// Begins a row. Its cells follow.
    pub fn open_row(&mut self, part: Part, height: Option<Length>) -> Result<()> {
        self.build.open(Node::Row { part, height })
    }

    /// Ends a row.
    pub fn close_row(&mut self) -> Result<()> {
        self.build.close()
    }

    /// Begins a cell, which contains a text.
    pub fn open_cell(&mut self, shape: CellShape) -> Result<()> {
        self.build.open(Node::Cell(shape))?;
        self.open_text(Within::Cell);
        Ok(())
    }
}
