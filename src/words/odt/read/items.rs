//! Reads lists and their items (OpenDocument 1.3, part 3, 5.3.1 to 5.3.4), and distinguishes them from headings that
//! are numbered by a list. The module `lists` computes the labels.

use super::{
    body::Body,
    context::ListPlace,
    lists::{self, ListStyle},
};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::{LEVELS, Within};
use convertd_tree::{Builder, ListKind, Node, Numbering};
use std::rc::Rc;

impl<'x> Body<'_, '_, 'x> {
    /// Reads a list, which is the innermost open element. The numbers of its items follow from its style, from explicit
    /// values, and from lists that it continues.
    pub(super) fn list(&mut self, element: &Element<'x>) -> Result<()> {
        let is_main = self.story.within() == Within::Main;
        let outer = self.state.list.clone();
        // A list without a style has the style of the list around it, or else the list style of its first paragraph.
        let named = element.attribute("style-name").map(Into::into);
        let named = named.or_else(|| outer.as_ref().map(|outer| outer.style.clone()));
        let named = match named {
            Some(named) => named,
            None => self
                .list_of_paragraph(&mut self.xml.clone())?
                .unwrap_or_default(),
        };
        let bare = outer.as_ref().map(|outer| outer.bare);
        let place = ListPlace {
            style: named,
            level: outer.map_or(0, |outer| outer.level + 1),
            bare: false,
        };
        let style = self.context.styles.list(&place.style).unwrap_or_default();
        if is_main && has_headings_alone(&mut self.xml.clone())? {
            return self.numbered_headings(&style, &mut [0; LEVELS], place.level);
        }
        let continued = element.attribute("continue-list");
        // A list in an item that begins with a list may continue the previous numbers (`bare`). In any other item it
        // starts again, because LibreOffice ignores `text:continue-numbering` there.
        let continues = bare
            .unwrap_or_else(|| element.attribute("continue-numbering").as_deref() == Some("true"));
        let continues = continues || continued.is_some();
        let next = continues
            .then(|| {
                self.context
                    .counted
                    .next(continued.as_deref(), &place.style, place.level)
            })
            .flatten();
        let mut items = Items {
            continues: next.is_some(),
            next: next.unwrap_or_else(|| style.start(place.level)),
            style,
            other: None,
            place,
            kind: None,
            open: None,
        };
        if is_main && std::mem::take(&mut self.page_break) {
            self.story.break_page()?;
        }
        self.story.begin_list()?;
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            if child.space != "text" || !matches!(child.name, "list-item" | "list-header") {
                continue;
            }
            if child.name == "list-item" {
                let start = child
                    .attribute("start-value")
                    .and_then(|start| start.parse().ok());
                let bare = begins_with_list(&mut self.xml.clone())?;
                if !bare {
                    self.context
                        .counted
                        .begin(&items.place.style, items.place.level);
                }
                let other = child.attribute("style-override");
                items.other =
                    other.and_then(|name| Some((self.context.styles.list(&name)?, name.into())));
                items.begin(&mut self.story.build, start, bare)?;
            }
            let mut place = items.place.clone();
            if let Some((_, name)) = &items.other {
                place.style.clone_from(name);
            }
            self.story.open_item();
            self.text(Some(place))?;
            self.story.close_item()?;
        }
        items.end(&mut self.story.build)?;
        let last = items.next.saturating_sub(1);
        let id = element.attribute("id");
        self.context
            .counted
            .end(id.as_deref(), &items.place.style, items.place.level, last);
        Ok(())
    }

    /// List style of the first paragraph in the list, which is the innermost open element. Lists without a style of
    /// their own use it.
    fn list_of_paragraph(&mut self, xml: &mut Reader<'_>) -> Result<Option<Box<str>>> {
        let level = xml.level();
        while let Some(item) = xml.next_element(level)? {
            while let Some(element) = xml.next_element(level + 1)? {
                if matches!(element.name, "p" | "h") {
                    let name = element.attribute("style-name");
                    return Ok(self.context.styles.paragraph(name.as_deref()).list.clone());
                }
            }
            if item.name == "list-item" {
                break;
            }
        }
        Ok(None)
    }

    /// Reads a list that only numbers headings. Its headings are added without a list.
    fn numbered_headings(
        &mut self,
        style: &Rc<ListStyle>,
        counts: &mut [u32; LEVELS],
        at: usize,
    ) -> Result<()> {
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            match (element.space, element.name) {
                ("text", "h") => {
                    let level = element.attribute("outline-level");
                    let level = level.and_then(|level| level.parse().ok()).unwrap_or(1_u8);
                    let look = self.open_paragraph(element.attribute("style-name").as_deref());
                    self.begin_page(look.page.as_deref(), look.page_number)?;
                    self.space = true;
                    self.inlines()?;
                    let label = if self.story.line().is_blank() {
                        String::new()
                    } else {
                        lists::count(style, counts, at.min(LEVELS - 1), None)
                    };
                    self.close_paragraph(look.direct.clone(), Some((level.clamp(1, 9), label)))?;
                }
                ("text", "list") => {
                    self.deeper(|body| body.numbered_headings(style, counts, at + 1))?;
                }
                ("text", "list-item" | "list-header") => {
                    self.deeper(|body| body.numbered_headings(style, counts, at))?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Items of a list that is being read.
struct Items {
    style: Rc<ListStyle>,
    /// List style of the open item and its name, if the item overrides the style of the list.
    other: Option<(Rc<ListStyle>, Box<str>)>,
    /// Style and level of the list.
    place: ListPlace,
    /// Number of the next item.
    next: u32,
    /// Whether the list continues another list.
    continues: bool,
    /// Kind of the open list in the tree. The start number is left out, so that kinds can be compared.
    kind: Option<ListKind>,
    /// Whether the open item is in a list of the tree. An item whose style shows no label is outside of lists. `None`
    /// if no item is open.
    open: Option<bool>,
}

impl Items {
    /// Begins an item. `start` is its explicit number. A new list begins in the tree if the number is out of sequence,
    /// or if the label is of another kind. An item that begins with a list (`bare`) and has no explicit number is
    /// not counted: its content belongs to the previous item. If it is the first item, it has a label, but a list that
    /// continues another one repeats its last number.
    fn begin(&mut self, build: &mut Builder<'_>, start: Option<u32>, bare: bool) -> Result<()> {
        // The inner list continues a list of a previous item, if there is one.
        self.place.bare = bare && (self.continues || self.open.is_some());
        if bare && start.is_none() {
            if self.open.is_some() {
                return Ok(());
            }
            if self.continues {
                self.next = self.next.saturating_sub(1);
            }
        }
        let restarts = start.is_some_and(|start| start != self.next);
        if restarts {
            self.end(build)?;
        }
        self.next = start.unwrap_or(self.next);
        let mut numbers = [1; LEVELS];
        numbers[self.place.level.min(LEVELS - 1)] = self.next;
        let style = self.other.as_ref().map_or(&self.style, |(style, _)| style);
        let label = style.label(self.place.level, &numbers);
        let look = style.look(self.place.level);
        // Consecutive items are in one list, so their numbers are not compared.
        let unnumbered = label.kind.map(|kind| match kind {
            ListKind::Ordered(numbers) => ListKind::Ordered(Numbering {
                start: 0,
                ..numbers
            }),
            ListKind::Bullet => ListKind::Bullet,
        });
        if self.open.is_some() && self.kind != unnumbered {
            self.end(build)?;
        }
        self.kind = unnumbered;
        if self.open == Some(true) {
            build.close()?;
        } else if let Some(kind) = label.kind {
            build.open(Node::List {
                kind,
                tight: true,
                look,
            })?;
            self.open = Some(true);
        } else {
            self.open = Some(false);
        }
        if self.open == Some(true) {
            let text = label.simplified.then(|| label.text.as_str().into());
            build.open(Node::Item {
                task: label.task,
                label: text,
            })?;
        }
        self.next = self.next.saturating_add(1);
        Ok(())
    }

    /// Ends the open item and its list.
    fn end(&mut self, build: &mut Builder<'_>) -> Result<()> {
        if self.open.take() == Some(true) {
            build.close()?;
            build.close()?;
        }
        Ok(())
    }
}

/// Returns whether an item, which is the innermost open element, begins with a list.
fn begins_with_list(xml: &mut Reader<'_>) -> Result<bool> {
    let level = xml.level();
    let first = xml.next_element(level)?;
    Ok(first.is_some_and(|first| first.space == "text" && first.name == "list"))
}

/// Returns whether a list, which is the innermost open element, contains only headings.
fn has_headings_alone(xml: &mut Reader<'_>) -> Result<bool> {
    let outer = xml.level();
    let mut headings = false;
    // Nesting level of the innermost open list or item.
    let mut level = outer;
    loop {
        match xml.next_element(level)? {
            Some(element) => match (element.space, element.name) {
                ("text", "h") => headings = true,
                ("text", "list" | "list-item" | "list-header") => level = xml.level(),
                _ => return Ok(false),
            },
            None if level == outer => return Ok(headings),
            None => level -= 1,
        }
    }
}
