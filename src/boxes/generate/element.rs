//! Box generation for the content of an element, by the outer display type of each child (CSS Display 3, 2).

use super::{Flow, Generator, content_alone, tables};
use crate::{
    error::Result,
    tree::{BoxId, Piece, is_space, keeps_spaces},
};
use convertd_markup::{
    css::{
        rgba::Rgba,
        selectors::Pseudo,
        style::{Display, Style, made},
    },
    dom::{Data, NodeId},
    html,
};
use convertd_tree::{Colour, code};
use std::{collections::HashMap, rc::Rc};

/// Adds the placeholder of an empty form control, in the grey of Chromium.
fn hint(text: String, style: &Style, flow: &mut Flow) {
    const GREY: Rgba = Rgba::opaque(0x75, 0x75, 0x75);
    let own = made(|| {
        let mut own = style.inherited(Display::Inline);
        Rc::make_mut(&mut own.text).colour = GREY;
        own
    });
    flow.open(own, None, true);
    flow.text(text);
    flow.close();
}

/// Adds a block of code in the colours of its language. Pieces of one meaning share a style.
fn coloured(language: &str, text: &str, style: &Style, flow: &mut Flow) {
    let mut styles: HashMap<code::TokenKind, Rc<Style>> = HashMap::new();
    let make = |kind: code::TokenKind| {
        let Colour(red, green, blue) = kind.colour();
        made(|| {
            let mut own = style.inherited(Display::Inline);
            Rc::make_mut(&mut own.text).colour = Rgba::opaque(red, green, blue);
            own
        })
    };
    for (kind, text) in code::pieces(language, text) {
        if let Some(kind) = kind {
            let own = styles.entry(kind).or_insert_with(|| make(kind));
            flow.open(own.clone(), None, true);
        }
        flow.text(text.to_owned());
        if kind.is_some() {
            flow.close();
        }
    }
}

impl<'d> Generator<'d, '_> {
    /// Language and text of a block of code that a script of its page would colour: a `code` in a `pre`, either of
    /// which has the class of a language, with text but no elements inside. `None` for all other elements, and if the
    /// page gives the code a light colour, because its background is probably dark.
    fn code(&self, dom: NodeId, style: &Style) -> Option<(&'d str, &'d str)> {
        let tree = self.dom;
        if !self.colours_code || tree.tag(dom) != "code" {
            return None;
        }
        let pre = tree.parent(dom).filter(|id| tree.tag(*id) == "pre")?;
        let mut children = tree.children(dom);
        let Data::Text(text) = &tree.node(children.next()?).data else {
            return None;
        };
        let mut classes = [dom, pre].into_iter();
        // Either element may have the class, such as `language-rust`.
        let language = classes.find_map(|id| {
            let name = html::language_of_class(tree.attribute(id, "class")?);
            (!name.is_empty()).then_some(name)
        })?;
        let [red, green, blue] = style.text.colour.rgb;
        let is_dark = Colour(red, green, blue).is_dark();
        (is_dark && children.next().is_none()).then_some((language, text))
    }
}

impl Generator<'_, '_> {
    /// Generates the children of an element between `::before` and `::after` (CSS 2.2, 12.1). A
    /// closed `details` shows its `summary` only (HTML, 4.11.1).
    pub(super) fn content(
        &mut self,
        dom: NodeId,
        style: &Rc<Style>,
        flow: &mut Flow,
    ) -> Result<()> {
        self.generated(dom, style, Pseudo::Before, flow)?;
        let is_closed = self.dom.tag(dom) == "details" && self.dom.attribute(dom, "open").is_none();
        // A form control shows its value instead of its children.
        if let Some(text) = self.shown_value(dom) {
            match self.dom.attribute(dom, "placeholder") == Some(&text) {
                true => hint(text, style, flow),
                false => flow.text(text),
            }
        } else if self.dom.tag(dom) == "ruby" {
            self.ruby(dom, style, flow)?;
        } else if let Some((language, text)) = self.code(dom, style) {
            coloured(language, text, style, flow);
        } else {
            for child in self.dom.children(dom) {
                if is_closed && self.dom.tag(child) != "summary" {
                    continue;
                }
                if !self.room() {
                    break;
                }
                self.child(child, style, flow)?;
            }
        }
        self.generated(dom, style, Pseudo::After, flow)
    }

    /// Generates a child node.
    pub(super) fn child(&mut self, id: NodeId, parent: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        match &self.dom.node(id).data {
            Data::Document => Ok(()),
            Data::Text(text) => {
                // White space between flex or grid items makes no anonymous item (CSS Flexbox 1,
                // 4).
                let lays_out = flow.style.has_items();
                if lays_out && !keeps_spaces(&flow.style) && text.chars().all(is_space) {
                    return Ok(());
                }
                flow.text(text.clone());
                Ok(())
            }
            Data::Element(_) | Data::Drawing(..) => {
                let style = self.style(id, parent);
                self.element(id, &style, flow)
            }
        }
    }

    /// Generates an element by its outer display type (CSS Display 3, 2). Elements in lines become
    /// pieces; block-level elements end the lines collected so far.
    fn element(&mut self, id: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        match style.display {
            Display::None => return Ok(()),
            Display::Contents => {
                self.counters.enter(id, style);
                // An element with `display: contents` has no box, but its text inherits from the element (CSS Display
                // 3, 2.5).
                flow.open(made(|| style.inherited(Display::Inline)), None, true);
                self.content(id, style, flow)?;
                flow.close();
                self.counters.leave(id);
                return Ok(());
            }
            _ => {}
        }
        // Line breaks and break opportunities have no box.
        if self.dom.tag(id) == "br" {
            let span = flow.current();
            flow.pieces.push(Piece::Break(span));
            return Ok(());
        }
        if self.dom.tag(id) == "wbr" {
            flow.text("\u{200b}".to_owned());
            return Ok(());
        }
        // An out-of-flow box leaves a piece at its position in the flow, which is its static position.
        if style.is_absolute() {
            let id = self.block_box(id, style)?;
            flow.pieces.push(Piece::Absolute(id));
            return Ok(());
        }
        if style.floats() {
            let id = self.block_box(id, style)?;
            flow.pieces.push(Piece::Float(id));
            return Ok(());
        }
        match style.display {
            Display::Inline if self.is_replaced(id) => {
                let span = flow.current();
                let id = self.block_box(id, style)?;
                flow.pieces.push(Piece::Atomic(id, span));
            }
            // An inline element that is a missing picture becomes an icon and its alternative text.
            Display::Inline => {
                if let Some(words) = self.missing_picture(id) {
                    self.missing_sign(style, flow);
                    flow.text(words);
                    return Ok(());
                }
                self.backdrop(style)?;
                self.counters.enter(id, style);
                self.target(id, flow);
                flow.open(style.clone(), Some(id), true);
                self.content(id, style, flow)?;
                flow.close();
                self.counters.leave(id);
            }
            Display::InlineBlock
            | Display::InlineFlex
            | Display::InlineGrid
            | Display::InlineTable => {
                if let Some(words) = self.missing_picture(id) {
                    return self.missing(id, style, words, flow);
                }
                let span = flow.current();
                let id = self.block_box(id, style)?;
                flow.pieces.push(Piece::Atomic(id, span));
            }
            // A table part outside of a table gets an anonymous table.
            Display::RowGroup
            | Display::HeadGroup
            | Display::FootGroup
            | Display::Row
            | Display::Cell
            | Display::Caption
            | Display::Column
            | Display::ColumnGroup => {
                self.table_part(id, style, flow)?;
            }
            // All other elements are block-level boxes.
            _ => {
                if let Some(words) = self.missing_picture(id) {
                    return self.missing(id, style, words, flow);
                }
                self.wrap_lines(flow, true);
                let id = self.block_box(id, style)?;
                flow.blocks.push(id);
            }
        }
        Ok(())
    }

    /// Previous sibling element, if only white space is between them.
    fn beside(&self, id: NodeId) -> Option<NodeId> {
        // Comments are not in the tree, so only text can be between elements.
        let mut before = self.dom.node(id).before;
        while let Some(at) = before {
            match &self.dom.node(at).data {
                Data::Text(text) if text.chars().all(is_space) => before = self.dom.node(at).before,
                Data::Element(_) => return Some(at),
                Data::Text(_) | Data::Document | Data::Drawing(..) => return None,
            }
        }
        None
    }

    /// Wraps a misplaced table part, with the parts that follow it, in an anonymous table (CSS 2.2, 17.2.1).
    fn table_part(&mut self, id: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        // Columns outside of a table have no effect (CSS 2.2, 17.2.1).
        if matches!(style.display, Display::Column | Display::ColumnGroup) {
            return Ok(());
        }
        // Consecutive parts share one table. If this part is not the first of them, the first has made the table
        // already.
        if let Some(before) = self.beside(id) {
            let parent = flow.style.clone();
            let style = self.style(before, &parent);
            if tables::is_part(&style) {
                return Ok(());
            }
        }
        let around = flow.style.clone();
        // Within an inline element the anonymous table is inline-level.
        let on_line = flow.is_in_element();
        let display = match on_line {
            true => Display::InlineTable,
            false => Display::Table,
        };
        let table = tables::anonymous(self, id, &around, display)?;
        if on_line {
            let span = flow.current();
            flow.pieces.push(Piece::Atomic(table, span));
        } else {
            self.wrap_lines(flow, true);
            flow.blocks.push(table);
        }
        Ok(())
    }

    /// Adds anchors for the names of an element, if links refer to them.
    fn target(&self, dom: NodeId, flow: &mut Flow) {
        let names = [
            self.dom.attribute(dom, "id"),
            self.dom.attribute(dom, "name"),
        ];
        for name in names.into_iter().flatten() {
            if self.targets.contains(name) {
                flow.pieces.push(Piece::Anchor(name.into()));
            }
        }
    }

    /// Generates the children of a cell or caption as a block container, rotated if its writing
    /// mode differs.
    pub(crate) fn children_of(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
        self.backdrop(style)?;
        self.counters.enter(dom, style);
        let id = self.turning(dom, style, content_alone, |generator, style| {
            let mut flow = Flow::new(style.clone());
            generator.content(dom, style, &mut flow)?;
            let id = generator.finish(flow, Some(dom));
            generator.begin_lines(dom, style, id)?;
            Ok(id)
        })?;
        self.counters.leave(dom);
        Ok(id)
    }

    /// Generates a block container for an anonymous cell from these nodes. Each node inherits from its own parent.
    pub(super) fn some_children(
        &mut self,
        children: &[tables::Inner],
        style: &Rc<Style>,
    ) -> Result<BoxId> {
        let mut flow = Flow::new(style.clone());
        for child in children {
            let parent = &child.around;
            // A node whose parent has no box of its own inherits through an anonymous inline box.
            let is_other = !Rc::ptr_eq(&parent.text, &style.text);
            if is_other {
                flow.open(made(|| parent.inherited(Display::Inline)), None, true);
            }
            self.child(child.node, parent, &mut flow)?;
            if is_other {
                flow.close();
            }
        }
        Ok(self.finish(flow, None))
    }
}
