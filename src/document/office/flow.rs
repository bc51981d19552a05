//! Puts paragraphs together to what they are parts of: lists, quotations, code, definitions, figures. Paragraphs of a word
//! processor stand side by side, and only their properties say what belongs together. Reads no properties itself.

use super::Line;
use crate::{
    document::tree::{Builder, Length, ListKind, ListLook, Node, ParagraphStyleId},
    error::Result,
};

/// Most lists that are open in one another. What is deeper stands in the innermost.
const MAX_LISTS: usize = 16;

/// What a paragraph is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// Nothing special.
    Body,
    /// A heading.
    Heading {
        /// From 1.
        level: u8,
        /// The name of the place, if the source has one.
        id: Option<Box<str>>,
        /// Its number, if the source shows one.
        label: Option<Box<str>>,
    },
    /// Begins an item of a list.
    Item {
        /// Where it belongs.
        place: ListPlace,
        /// What stands in front of the items, counted from this one, if it begins a list.
        kind: ListKind,
        /// A box to tick stands in front of it, ticked or not.
        task: Option<bool>,
        /// There is no room between its items.
        tight: bool,
        /// Where the items of the list stand, if it begins one.
        look: ListLook,
    },
    /// Goes on with the item of this level, or a lower one, if there is one.
    ItemText(u8),
    /// Said by somebody else.
    Quote,
    /// A line of code.
    Code,
    /// Words about the table that follows, or the picture before.
    Caption,
    /// A picture whose caption follows.
    Figure,
    /// What is defined.
    Term,
    /// What is said about it.
    Details,
}

/// The list and level of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListPlace {
    /// Which list.
    pub(crate) list: u32,
    /// From 0.
    pub(crate) level: u8,
}

/// What is open among the paragraphs of one text: the document's, a cell's, a note's.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    lists: Vec<OpenList>,
    open: Option<Group>,
    code: Option<String>,
    /// Empty paragraphs: they belong to what is open if that goes on behind them.
    blank: Vec<ParagraphStyleId>,
    /// Words that wait for their table or picture.
    caption: Option<(ParagraphStyleId, Line)>,
    /// A picture that waits for its words.
    figure: Option<(ParagraphStyleId, Line)>,
}

/// A list that is open.
#[derive(Clone, Copy, Debug)]
struct OpenList {
    place: ListPlace,
    /// Where the text of its items begins.
    indent: Option<Length>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Group {
    Quote,
    Definitions,
    Details,
}

impl Flow {
    /// Adds a paragraph, and leaves `line` empty.
    pub(crate) fn paragraph(
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
        self.give_up_waiting(build)?;
        if role != Role::Code {
            self.end_code(build)?;
        }
        match role {
            Role::Item {
                place,
                kind,
                task,
                tight,
                look,
            } => {
                self.leave_group(build)?;
                let task = task.or_else(|| line.take_task());
                self.open_item(build, place, Node::List { kind, tight, look }, task)?;
                paragraph(build, style, line)
            }
            Role::ItemText(level) if !self.lists.is_empty() => {
                self.leave_group(build)?;
                while self.lists.len() > 1
                    && self
                        .lists
                        .last()
                        .is_some_and(|open| open.place.level > level)
                {
                    self.close_list(build)?;
                }
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
            Role::Code => {
                if self.code.is_none() {
                    self.leave(build)?;
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

    /// Ends what a table or another block does not belong to. One that belongs to the item of a list before it stays there.
    pub(crate) fn block(&mut self, build: &mut Builder<'_>, in_item: bool) -> Result<()> {
        self.give_up_waiting(build)?;
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

    /// Adds the words that wait for a table to the table that has just been opened.
    pub(crate) fn take_caption(&mut self) -> Option<(ParagraphStyleId, Line)> {
        self.caption.take()
    }

    /// Ends whatever is open.
    pub(crate) fn end(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.block(build, false)
    }

    /// Whether the items of a list go on if the next paragraph is one.
    pub(crate) fn in_list(&self) -> bool {
        !self.lists.is_empty()
    }

    /// The level of the item that a paragraph without a number goes on with if it begins this far in: the innermost whose text
    /// begins there or further out. None if it stands further out than all items.
    pub(crate) fn item_at(&self, indent: Length) -> Option<u8> {
        // Programs round where they change units.
        let reach = indent + Length::points(1.0);
        let mut open = self.lists.iter().rev();
        let found = open.find(|open| open.indent.is_some_and(|text| text <= reach));
        found
            .filter(|_| indent > Length::ZERO)
            .map(|open| open.place.level)
    }

    /// A picture and its words become a figure.
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

    /// Adds the empty paragraphs that have waited for what comes next.
    fn place_blank(&mut self, build: &mut Builder<'_>, next: &Role) -> Result<()> {
        if self.blank.is_empty() {
            return Ok(());
        }
        let goes_on = match next {
            Role::Item { place, .. } => {
                let above = self
                    .lists
                    .last()
                    .is_some_and(|last| last.place.level < place.level);
                above || self.lists.iter().any(|open| open.place == *place)
            }
            Role::ItemText(_) => !self.lists.is_empty(),
            Role::Quote => self.open == Some(Group::Quote),
            Role::Details => self.open == Some(Group::Details),
            _ => false,
        };
        if !goes_on || self.figure.is_some() || self.caption.is_some() || self.code.is_some() {
            self.give_up_waiting(build)?;
            self.end_code(build)?;
            self.leave(build)?;
        }
        for style in std::mem::take(&mut self.blank) {
            build.open(Node::Paragraph(style))?;
            build.close()?;
        }
        Ok(())
    }

    fn give_up_waiting(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let waiting = [self.figure.take(), self.caption.take()];
        for (style, mut line) in waiting.into_iter().flatten() {
            paragraph(build, style, &mut line)?;
        }
        Ok(())
    }

    fn open_item(
        &mut self,
        build: &mut Builder<'_>,
        place: ListPlace,
        list: Node,
        task: Option<bool>,
    ) -> Result<()> {
        while let Some(OpenList { place: last, .. }) = self.lists.last()
            && (last.level > place.level || (last.level == place.level && last.list != place.list))
        {
            self.close_list(build)?;
        }
        let goes_on = self.lists.last().is_some_and(|last| last.place == place);
        if goes_on || self.lists.len() == MAX_LISTS {
            build.close()?;
        } else {
            let indent = match &list {
                Node::List { look, .. } => look.indent,
                _ => None,
            };
            build.open(list)?;
            self.lists.push(OpenList { place, indent });
        }
        build.open(Node::Item { task })
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
