//! Groups the flat paragraphs of a word processor into blocks: lists, block quotations, code blocks, definition lists
//! and figures.
//!
//! Two things cannot be decided when a paragraph is read. An empty paragraph belongs to a list only if the list
//! continues behind it, and a caption is kept back until the table or picture after it shows what it belongs to.
//! [`Flow`] therefore holds such paragraphs until the next one arrives. Derives no role from properties itself; its
//! callers do.

use super::{
    line::Line,
    role::{Item, ListPlace, Role},
};
use crate::error::Result;
use convertd_tree::{Builder, Length, Node, ParagraphStyleId};

/// The depth to which lists are nested. Items of deeper lists are added to the innermost one.
const MAX_LISTS: usize = 16;

/// The blocks that are open in one flow of paragraphs: the main text, a table cell, or a note.
#[derive(Debug, Default)]
pub struct Flow {
    lists: Vec<OpenList>,
    open: Option<Group>,
    code: Option<String>,
    /// Empty paragraphs. They go into the open block if the next paragraph continues it, and behind it otherwise.
    blank: Vec<ParagraphStyleId>,
    /// A caption whose table or picture has not been read yet.
    caption: Option<(ParagraphStyleId, Line)>,
    /// A picture whose caption has not been read yet.
    figure: Option<(ParagraphStyleId, Line)>,
}

/// A list that is open in the tree.
#[derive(Clone, Copy, Debug)]
struct OpenList {
    place: ListPlace,
    /// Indent of its items' text, from the margin.
    indent: Option<Length>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Group {
    Quote,
    Definitions,
    Details,
}

impl Flow {
    /// Adds a paragraph to the tree, or keeps it back. Leaves `line` empty.
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
        // Code is plain text, so a paragraph that leads somewhere or shows something stays a paragraph.
        let role = match role {
            Role::Code if !line.fits_code() => Role::Body,
            Role::ItemCode(level) if !line.fits_code() => Role::ItemText(level),
            role => role,
        };
        self.place_blank(build, &role)?;
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
                self.go_on_at(build, level)?;
                paragraph(build, style, line)
            }
            Role::Body | Role::ItemText(_) => {
                self.leave(build)?;
                paragraph(build, style, line)
            }
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
                        self.go_on_at(build, level)?;
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

    /// Closes the blocks that a table, or another block that is not a paragraph, does not continue. With `in_item`, the
    /// block becomes part of the current list item.
    pub fn block(&mut self, build: &mut Builder<'_>, in_item: bool) -> Result<()> {
        self.flush_pending(build)?;
        self.end_code(build)?;
        if !in_item {
            self.place_blank(build, &Role::Body)?;
        }
        if in_item && !self.lists.is_empty() {
            self.leave_group(build)
        } else {
            self.leave(build)
        }
    }

    /// Removes the caption that was kept back, for the table that has just been opened.
    pub fn take_caption(&mut self) -> Option<(ParagraphStyleId, Line)> {
        self.caption.take()
    }

    /// Closes all blocks at the end of the flow.
    pub fn end(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.block(build, false)
    }

    /// Returns whether a list is open, so that the next item could continue it.
    pub fn in_list(&self) -> bool {
        !self.lists.is_empty()
    }

    /// The level of the list item that an unnumbered paragraph with this indent continues: the innermost one whose text
    /// begins at the indent or to its left. Returns `None` if the paragraph begins to the left of all items.
    pub fn item_at(&self, indent: Length) -> Option<u8> {
        // Allow for rounding, since programs convert between units.
        let reach = indent + Length::points(1.0);
        let mut open = self.lists.iter().rev();
        let found = open.find(|open| open.indent.is_some_and(|text| text <= reach));
        found
            .filter(|_| indent > Length::ZERO)
            .map(|open| open.place.level)
    }

    /// Combines the picture that was kept back and its caption, in `line`, into a figure.
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

    /// Adds the empty paragraphs that were kept back, inside or behind the open block depending on what comes next.
    fn place_blank(&mut self, build: &mut Builder<'_>, next: &Role) -> Result<()> {
        if self.blank.is_empty() {
            return Ok(());
        }
        let goes_on = match next {
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
        if !goes_on || self.figure.is_some() || self.caption.is_some() || self.code.is_some() {
            self.flush_pending(build)?;
            self.end_code(build)?;
            self.leave(build)?;
        }
        for style in std::mem::take(&mut self.blank) {
            build.open(Node::Paragraph(style))?;
            build.close()?;
        }
        Ok(())
    }

    fn flush_pending(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let waiting = [self.figure.take(), self.caption.take()];
        for (style, mut line) in waiting.into_iter().flatten() {
            paragraph(build, style, &mut line)?;
        }
        Ok(())
    }

    /// Opens a list item. Lists that the item is not in are closed first; a list that already has this place goes on
    /// with a new item.
    fn open_item(&mut self, build: &mut Builder<'_>, item: Item, line: &mut Line) -> Result<()> {
        let place = item.place;
        while let Some(OpenList { place: last, .. }) = self.lists.last()
            && (last.level > place.level || (last.level == place.level && last.list != place.list))
        {
            self.close_list(build)?;
        }
        let goes_on = self.lists.last().is_some_and(|last| last.place == place);
        if goes_on || self.lists.len() == MAX_LISTS {
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

    fn close_list(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.lists.pop();
        build.close()?;
        build.close()
    }

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

    fn leave(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.leave_group(build)?;
        while !self.lists.is_empty() {
            self.close_list(build)?;
        }
        Ok(())
    }

    /// Closes the lists below this level, so that the innermost item can go on.
    fn go_on_at(&mut self, build: &mut Builder<'_>, level: u8) -> Result<()> {
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

    fn end_code(&mut self, build: &mut Builder<'_>) -> Result<()> {
        match self.code.take() {
            Some(code) => build.code_block("", code),
            None => Ok(()),
        }
    }
}

fn paragraph(build: &mut Builder<'_>, style: ParagraphStyleId, line: &mut Line) -> Result<()> {
    line.write(build, |build| build.open(Node::Paragraph(style)))
}
