//! Groups the paragraphs of a word processor into blocks: lists, block quotations, code blocks, definition lists and
//! figures.
//!
//! Two decisions need the next paragraph. An empty paragraph belongs to a list only if the list continues after it. A
//! caption may belong to the table or picture after it, and a picture to the caption after it. [`Flow`] therefore holds
//! these paragraphs until the next paragraph arrives. Derives no roles from properties; this is the task of its
//! callers.

use super::{
    line::Line,
    role::{Item, ListPlace, Role},
};
use crate::error::Result;
use convertd_tree::{Builder, Length, Node, ParagraphStyleId};

/// Max. depth of nested lists. Deeper items are added to the innermost list.
const MAX_LISTS: usize = 16;

/// Open blocks of a sequence of paragraphs: the main text, a table cell, or a note.
#[derive(Debug, Default)]
pub struct Flow {
    /// Open lists, the innermost last.
    lists: Vec<OpenList>,
    /// Open block other than a list.
    open: Option<Group>,
    /// Lines of a code block.
    code: Option<String>,
    /// Empty paragraphs. They are added to the open block if the next paragraph continues it, otherwise after it.
    blank: Vec<ParagraphStyleId>,
    /// Caption whose table or picture is not read yet.
    caption: Option<(ParagraphStyleId, Line)>,
    /// Picture whose caption is not read yet.
    figure: Option<(ParagraphStyleId, Line)>,
}

/// List that is open in the tree.
#[derive(Clone, Copy, Debug)]
struct OpenList {
    /// Number of the list, and level of its items.
    place: ListPlace,
    /// Indent of the text of its items, from the margin.
    indent: Option<Length>,
}

/// Blocks that consist of several paragraphs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Group {
    /// Block quotation.
    Quote,
    /// Definition list, after a term.
    Definitions,
    /// Definition list, in the description of a term.
    Details,
}

impl Flow {
    /// Adds a paragraph to the tree, or holds it until the next paragraph arrives. `line` is empty afterwards.
    pub fn paragraph(
        &mut self,
        build: &mut Builder<'_>,
        role: Role,
        style: ParagraphStyleId,
        line: &mut Line,
    ) -> Result<()> {
        if role == Role::Body && line.is_empty() {
            self.blank.push(style);
            return Ok(());
        }
        // Code is plain text. A paragraph with links or pictures therefore stays a paragraph.
        let role = match role {
            Role::Code if !line.fits_code() => Role::Body,
            Role::ItemCode(level) if !line.fits_code() => Role::ItemText(level),
            role => role,
        };
        self.place_blank(build, &role)?;
        // A picture and a caption, in either order, become a figure.
        if role == Role::Caption && self.figure.is_some() {
            return self.end_figure(build, style, line);
        }
        if role == Role::Figure && self.caption.is_some() {
            self.figure = Some((style, std::mem::take(line)));
            let caption = self.caption.take();
            return caption.map_or(Ok(()), |(style, mut line)| {
                self.end_figure(build, style, &mut line)
            });
        }
        self.flush_pending(build)?;
        if !matches!(role, Role::Code | Role::ItemCode(_)) {
            self.end_code(build)?;
        }
        match role {
            Role::Item(item) => {
                self.leave_group(build)?;
                self.open_item(build, item, line)?;
                paragraph(build, style, line)
            }
            Role::ItemText(level) if !self.lists.is_empty() => {
                self.continue_item_at(build, level)?;
                paragraph(build, style, line)
            }
            Role::Body | Role::ItemText(_) => {
                self.leave(build)?;
                paragraph(build, style, line)
            }
            // Headings without visible text are paragraphs.
            Role::Heading { level, id, label } => {
                self.leave(build)?;
                if line.is_blank() {
                    return paragraph(build, style, line);
                }
                line.write(build, |build| {
                    build.open(Node::Heading {
                        level,
                        id: id.clone(),
                        label: label.clone(),
                        style,
                    })
                })
            }
            Role::Quote => {
                if self.open != Some(Group::Quote) {
                    self.leave(build)?;
                    build.open(Node::Quote)?;
                    self.open = Some(Group::Quote);
                }
                paragraph(build, style, line)
            }
            Role::Code | Role::ItemCode(_) => {
                match role {
                    _ if self.code.is_some() => {}
                    Role::ItemCode(level) if !self.lists.is_empty() => {
                        self.continue_item_at(build, level)?;
                    }
                    _ => self.leave(build)?,
                }
                let code = self.code.get_or_insert_default();
                if !code.is_empty() {
                    code.push('\n');
                }
                code.push_str(&line.lines());
                *line = Line::default();
                Ok(())
            }
            Role::Caption | Role::Figure => {
                self.leave(build)?;
                let waiting = Some((style, std::mem::take(line)));
                if role == Role::Figure {
                    self.figure = waiting;
                } else {
                    self.caption = waiting;
                }
                Ok(())
            }
            Role::Term => {
                if self.open == Some(Group::Details) {
                    build.close()?;
                    self.open = Some(Group::Definitions);
                }
                if self.open != Some(Group::Definitions) {
                    self.leave(build)?;
                    build.open(Node::Definitions)?;
                    self.open = Some(Group::Definitions);
                }
                line.write(build, |build| build.open(Node::Term))
            }
            Role::Details => {
                if self.open != Some(Group::Details) {
                    if self.open != Some(Group::Definitions) {
                        self.leave(build)?;
                        build.open(Node::Definitions)?;
                    }
                    build.open(Node::Details)?;
                    self.open = Some(Group::Details);
                }
                paragraph(build, style, line)
            }
        }
    }

    /// Closes open blocks before a table, or before another block that is not a paragraph. With `in_item`, the new
    /// block becomes part of the current list item. Empty paragraphs precede the new block: a frame may be anchored
    /// in the last of them.
    pub fn block(&mut self, build: &mut Builder<'_>, in_item: bool) -> Result<()> {
        self.flush_pending(build)?;
        self.end_code(build)?;
        if in_item && !self.lists.is_empty() {
            self.leave_group(build)?;
            self.add_blank(build)
        } else {
            self.place_blank(build, &Role::Body)?;
            self.leave(build)
        }
    }

    /// Removes and returns the pending caption, for a table that was just opened.
    pub fn take_caption(&mut self) -> Option<(ParagraphStyleId, Line)> {
        self.caption.take()
    }

    /// Closes all blocks at the end.
    pub fn end(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.block(build, false)
    }

    /// Returns whether a list is open, which the next item could continue.
    pub fn in_list(&self) -> bool {
        !self.lists.is_empty()
    }

    /// Returns the level of the list item that an unnumbered paragraph with this indent continues. It is the innermost
    /// item whose text begins at the indent or left of it. `None` if the paragraph has no indent, or begins left of all
    /// items.
    pub fn item_at(&self, indent: Length) -> Option<u8> {
        // Indents may differ by rounding, because programs convert units.
        let reach = indent + Length::points(1.0);
        let mut open = self.lists.iter().rev();
        let found = open.find(|open| open.indent.is_some_and(|text| text <= reach));
        found
            .filter(|_| indent > Length::ZERO)
            .map(|open| open.place.level)
    }

    /// Adds the pending picture, with its caption in `line`, as a figure.
    fn end_figure(
        &mut self,
        build: &mut Builder<'_>,
        style: ParagraphStyleId,
        line: &mut Line,
    ) -> Result<()> {
        build.open(Node::Figure { id: None })?;
        if let Some((style, mut picture)) = self.figure.take() {
            paragraph(build, style, &mut picture)?;
        }
        build.open(Node::Caption)?;
        paragraph(build, style, line)?;
        build.close()?;
        build.close()
    }

    /// Adds the pending empty paragraphs inside or after the open block, depending on the next paragraph.
    fn place_blank(&mut self, build: &mut Builder<'_>, next: &Role) -> Result<()> {
        if self.blank.is_empty() {
            return Ok(());
        }
        // Whether the next paragraph continues the open block.
        let continues = match next {
            Role::Item(Item { place, .. }) => {
                let above = self
                    .lists
                    .last()
                    .is_some_and(|last| last.place.level < place.level);
                above || self.lists.iter().any(|open| open.place == *place)
            }
            Role::ItemText(_) | Role::ItemCode(_) => !self.lists.is_empty(),
            Role::Quote => self.open == Some(Group::Quote),
            Role::Details => self.open == Some(Group::Details),
            _ => false,
        };
        if !continues || self.figure.is_some() || self.caption.is_some() || self.code.is_some() {
            self.flush_pending(build)?;
            self.end_code(build)?;
            self.leave(build)?;
        }
        self.add_blank(build)
    }

    /// Adds the pending empty paragraphs inside the open block.
    fn add_blank(&mut self, build: &mut Builder<'_>) -> Result<()> {
        for style in std::mem::take(&mut self.blank) {
            build.open(Node::Paragraph(style))?;
            build.close()?;
        }
        Ok(())
    }

    /// Adds the pending picture and caption as paragraphs.
    fn flush_pending(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let waiting = [self.figure.take(), self.caption.take()];
        for (style, mut line) in waiting.into_iter().flatten() {
            paragraph(build, style, &mut line)?;
        }
        Ok(())
    }

    /// Opens a list item, and first closes the open lists that cannot contain it. If its list is open, the item is
    /// added to this list; if lists are nested [`MAX_LISTS`] deep, to the innermost list. Otherwise a new list is
    /// opened.
    fn open_item(&mut self, build: &mut Builder<'_>, item: Item, line: &mut Line) -> Result<()> {
        let place = item.place;
        while let Some(OpenList { place: last, .. }) = self.lists.last()
            && (last.level > place.level || (last.level == place.level && last.list != place.list))
        {
            self.close_list(build)?;
        }
        let continues = self.lists.last().is_some_and(|last| last.place == place);
        if continues || self.lists.len() == MAX_LISTS {
            build.close()?;
        } else {
            build.open(Node::List {
                kind: item.kind,
                tight: item.tight,
                look: item.look,
            })?;
            let indent = item.look.indent;
            self.lists.push(OpenList { place, indent });
        }
        let task = item.task.or_else(|| line.take_task());
        let label = item.label;
        build.open(Node::Item { task, label })
    }

    /// Closes the innermost list and its item.
    fn close_list(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.lists.pop();
        build.close()?;
        build.close()
    }

    /// Closes the open block other than a list.
    fn leave_group(&mut self, build: &mut Builder<'_>) -> Result<()> {
        match self.open.take() {
            None => Ok(()),
            Some(Group::Details) => {
                build.close()?;
                build.close()
            }
            Some(Group::Quote | Group::Definitions) => build.close(),
        }
    }

    /// Closes all open blocks except code.
    fn leave(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.leave_group(build)?;
        while !self.lists.is_empty() {
            self.close_list(build)?;
        }
        Ok(())
    }

    /// Closes the lists with a level deeper than this, but never the outermost list. The next block then continues the
    /// innermost item of the remaining lists.
    fn continue_item_at(&mut self, build: &mut Builder<'_>, level: u8) -> Result<()> {
        self.leave_group(build)?;
        while self.lists.len() > 1
            && self
                .lists
                .last()
                .is_some_and(|open| open.place.level > level)
        {
            self.close_list(build)?;
        }
        Ok(())
    }

    /// Adds the code block, if there is one.
    fn end_code(&mut self, build: &mut Builder<'_>) -> Result<()> {
        match self.code.take() {
            Some(code) => build.code_block("", code),
            None => Ok(()),
        }
    }
}

/// Adds a paragraph.
fn paragraph(build: &mut Builder<'_>, style: ParagraphStyleId, line: &mut Line) -> Result<()> {
    line.write(build, |build| build.open(Node::Paragraph(style)))
}
