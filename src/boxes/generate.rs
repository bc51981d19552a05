//! From elements and their styles to boxes (CSS Display 3; CSS 2.2, 9.2): anonymous boxes, generated content, markers. Gives nothing a
//! place.

use super::{
    counters::Counters,
    tables,
    tree::{BoxId, Boxes, Inlines, Kind, Piece, Span, is_space, keeps_spaces},
};
use crate::error::Result;
use convertd_markup::{
    css::{
        cascade::Cascade,
        rgba::Rgba,
        selectors::Pseudo,
        style::{Display, Image, ListPosition, Overflow, Position, Style, Writing, made},
        writing::Turn,
    },
    html::dom::{Data, Dom, NodeId},
};
use convertd_tree::ResourceId;
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// Source of pictures: an address, and the picture if it is here.
pub(crate) trait Gallery {
    fn picture(&mut self, address: &str) -> Result<Option<ResourceId>>;
    /// A drawing in the page.
    fn drawing(&mut self, file: &str) -> Result<ResourceId>;
}

/// The most that generated content adds to a page beyond a few words for each element, in bytes: a style sheet may give a long text to
/// all of them.
const MOST_GENERATED: usize = 2 << 20;
/// So much of each counts for nothing.
const FEW_WORDS: usize = 64;

/// The most boxes of a page.
const MOST_BOXES: usize = 1_000_000;

/// A style whose box hides nothing that hangs out of it.
#[inline(never)]
fn uncut(style: &Rc<Style>) -> Rc<Style> {
    let mut own = style.clone();
    if own.overflow != Overflow::Visible {
        Rc::make_mut(&mut own).overflow = Overflow::Visible;
    }
    own
}

/// The style of what is in a turned box, and that of the box around it.
type Turned = (Rc<Style>, Rc<Style>);

/// Styles of a box whose content alone is turned.
fn content_alone(style: &Rc<Style>, turn: Turn) -> Turned {
    (made(|| style.within_turned(turn)), style.clone())
}

/// Styles of a box that is turned with its borders.
#[inline(never)]
pub(crate) fn whole(style: &Rc<Style>, turn: Turn) -> Turned {
    let (inside, around) = style.turned_whole(turn);
    (Rc::new(inside), Rc::new(around))
}

/// Placeholder of an empty form control.
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

/// Makes the boxes of a page.
pub(crate) struct Generator<'d, 'c> {
    pub dom: &'d Dom,
    pub cascade: &'c mut Cascade<'d>,
    pub gallery: &'c mut dyn Gallery,
    pub boxes: Boxes,
    pub counters: Counters,
    /// The size of the font of the root element, but for its zoom.
    pub root_size: f32,
    /// Too many boxes.
    pub full: bool,
    /// The pictures of backgrounds, by their addresses.
    pub(crate) backdrops: HashMap<Rc<str>, usize>,
    /// The drawings of form controls, by their text.
    pub drawn: HashMap<String, ResourceId>,
    /// The names that links lead to.
    pub targets: HashSet<Box<str>>,
    /// Whether overflow of the body is treated as its style says; otherwise the page takes that over (CSS Overflow 3, 3.3).
    pub(crate) body_scrolls: bool,
    /// Writing mode of the boxes around, and whether boxes are turned for it: not where the whole page is vertical.
    pub writing: Writing,
    pub turns: bool,
    /// Pages may be turned as a whole.
    pub(crate) turns_pages: bool,
    /// Something asks for an effect that is not drawn here.
    pub unsupported: bool,
    /// Number of embedded objects that are missing.
    pub blank: usize,
    /// Length of all generated content beyond a few words each.
    generated: usize,
}

/// Content of a block container that is being generated.
pub(crate) struct Flow {
    pub style: Rc<Style>,
    pub blocks: Vec<BoxId>,
    pub spans: Vec<Span>,
    pub pieces: Vec<Piece>,
    /// The spans that are open.
    pub open: Vec<usize>,
}

impl Flow {
    pub(crate) fn new(style: Rc<Style>) -> Self {
        let mut flow = Self {
            style,
            blocks: Vec::new(),
            spans: Vec::new(),
            pieces: Vec::new(),
            open: Vec::new(),
        };
        flow.begin();
        flow
    }

    /// Takes the lines that were collected. There are many short ones, so none has room to spare.
    fn inlines(&mut self) -> Inlines {
        let mut inlines = Inlines {
            spans: std::mem::take(&mut self.spans),
            pieces: std::mem::take(&mut self.pieces),
            first: None,
        };
        inlines.spans.shrink_to_fit();
        inlines.pieces.shrink_to_fit();
        inlines
    }

    pub(crate) fn begin(&mut self) {
        self.spans = vec![Span {
            style: self.style.clone(),
            parent: None,
            dom: None,
            node: convertd_layout::structure::NodeId::DOCUMENT,
            link: None,
            begins: false,
            ends: false,
        }];
    }

    pub(crate) fn current(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    pub(crate) fn open(&mut self, style: Rc<Style>, dom: Option<NodeId>, begins: bool) {
        let parent = Some(self.current());
        self.spans.push(Span {
            style,
            parent,
            dom,
            node: convertd_layout::structure::NodeId::DOCUMENT,
            link: None,
            begins,
            ends: true,
        });
        let span = self.spans.len() - 1;
        self.pieces.push(Piece::Open(span));
        self.open.push(span);
    }

    pub(crate) fn close(&mut self) {
        if let Some(span) = self.open.pop() {
            self.pieces.push(Piece::Close(span));
        }
    }

    pub(crate) fn text(&mut self, text: String) {
        if !text.is_empty() {
            let span = self.current();
            self.pieces.push(Piece::Text(text, span));
        }
    }
}

impl<'d, 'c> Generator<'d, 'c> {
    pub(crate) fn new(
        dom: &'d Dom,
        cascade: &'c mut Cascade<'d>,
        gallery: &'c mut dyn Gallery,
    ) -> Self {
        let counters = Counters::new(cascade.sheets().counter_styles.clone());
        Self {
            dom,
            cascade,
            gallery,
            boxes: Boxes::default(),
            counters,
            root_size: 16.0,
            full: false,
            backdrops: HashMap::new(),
            drawn: HashMap::new(),
            targets: HashSet::new(),
            body_scrolls: false,
            writing: Writing::Horizontal,
            turns: true,
            turns_pages: true,
            unsupported: false,
            blank: 0,
            generated: 0,
        }
    }

    /// Takes the pictures of a background.
    pub(crate) fn backdrop(&mut self, style: &Style) -> Result<()> {
        self.unsupported |= style.unsupported;
        let layers = style.layers.iter().map(|layer| &layer.image);
        for image in layers.chain([&style.border_image.source]) {
            if let Image::Url(address) = image
                && let Some(id) = self.gallery.picture(address)?
            {
                self.backdrops.insert(address.clone(), id.index());
            }
        }
        Ok(())
    }

    /// The box of the root element.
    pub(crate) fn root(&mut self) -> Result<Option<BoxId>> {
        let Some(html) = self
            .dom
            .children(NodeId::DOCUMENT)
            .find(|id| self.dom.element(*id).is_some())
        else {
            return Ok(None);
        };
        let initial = Rc::new(Style::default());
        let style = self.cascade.style(html, &initial, None);
        self.root_size = style.text.size / style.text.zoom;
        if style.display == Display::None {
            return Ok(None);
        }
        let mut style = style;
        let writing = self.page_writing(html, &style);
        if self.turns_pages && writing != Writing::Horizontal {
            self.writing = writing;
            let own = Rc::make_mut(&mut style);
            Rc::make_mut(&mut own.text).writing = writing;
            style = made(|| style.turned(Turn::of(writing)));
        } else {
            self.turns = writing == Writing::Horizontal;
            self.unsupported |= !self.turns;
        }
        self.body_scrolls = style.overflow != Overflow::Visible;
        self.block_box(html, &uncut(&style)).map(Some)
    }

    /// Principal writing mode: that of the body, or else of the root element (CSS Writing Modes 4, 8).
    fn page_writing(&mut self, html: NodeId, style: &Rc<Style>) -> Writing {
        let dom = self.dom;
        let body = dom.children(html).find(|id| dom.tag(*id) == "body");
        let own = body.map(|body| self.cascade.style(body, style, Some(self.root_size)));
        own.as_ref().unwrap_or(style).text.writing
    }

    /// The style of an element, for the way in which text runs in the box around it.
    pub(crate) fn style(&mut self, id: NodeId, parent: &Rc<Style>) -> Rc<Style> {
        let mut style = self.cascade.style(id, parent, Some(self.root_size));
        if self.turns && style.text.writing != self.writing && style.display == Display::Inline {
            Rc::make_mut(&mut style).display = Display::InlineBlock;
        }
        match self.writing {
            Writing::Horizontal => style,
            writing => made(|| style.turned(Turn::of(writing))),
        }
    }

    /// Makes a box, and another one around it if its text runs in another way; `styles` are those of both.
    pub(crate) fn turning(
        &mut self,
        dom: NodeId,
        style: &Rc<Style>,
        styles: fn(&Rc<Style>, Turn) -> Turned,
        make: impl FnOnce(&mut Self, &Rc<Style>) -> Result<BoxId>,
    ) -> Result<BoxId> {
        let writing = style.text.writing;
        if writing == self.writing || !self.turns {
            return make(self, style);
        }
        let turn = Turn::of(writing).within(Turn::of(self.writing));
        let (inside, around) = styles(style, turn);
        let before = std::mem::replace(&mut self.writing, writing);
        let inner = make(self, &inside);
        self.writing = before;
        let kind = Kind::Turned(inner?, turn);
        Ok(self.boxes.add(around, kind, Some(dom)))
    }

    /// Counts the length of generated content. A page with too much of it is refused.
    pub(super) fn count_generated(&mut self, len: usize) {
        self.generated += len.saturating_sub(FEW_WORDS);
        self.full |= self.generated > MOST_GENERATED;
    }

    fn room(&mut self) -> bool {
        self.full |= self.boxes.len() > MOST_BOXES || self.cascade.is_exhausted();
        !self.full
    }

    /// A box for an element that is a block to the outside.
    pub(super) fn block_box(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
        let number = |name: &str| self.dom.attribute(dom, name)?.trim().parse::<i32>().ok();
        match self.dom.tag(dom) {
            "ol" if self.dom.attribute(dom, "reversed").is_some() => {
                let items: Vec<NodeId> = self.dom.children(dom).collect();
                let items = items.into_iter().filter(|item| self.dom.tag(*item) == "li");
                let items: Vec<NodeId> = items.collect();
                let mut number = number("start").unwrap_or(items.len() as i32);
                for item in items {
                    self.counters.begin_at(item, number);
                    number = number.saturating_sub(1);
                }
            }
            "ol" => {
                if let Some(start) = number("start") {
                    self.counters.begin_at(dom, start.saturating_sub(1));
                }
            }
            "li" => {
                if let Some(value) = number("value") {
                    self.counters.begin_at(dom, value);
                }
            }
            _ => {}
        }
        self.backdrop(style)?;
        self.counters.enter(dom, style);
        let id = self.inside(dom, style)?;
        self.counters.leave(dom);
        Ok(id)
    }

    fn inside(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
        let is_body = self.dom.tag(dom) == "body";
        let shown = (is_body && !self.body_scrolls).then(|| uncut(style));
        let style = shown.as_ref().unwrap_or(style);
        if let Some(replaced) = self.replaced(dom, style)? {
            return Ok(self.replaced_box(dom, style, replaced));
        }
        if matches!(style.display, Display::Table | Display::InlineTable) {
            return self.turning(dom, style, whole, |generator, style| {
                tables::table(generator, dom, style)
            });
        }
        self.turning(dom, style, content_alone, |generator, style| {
            generator.container(dom, style)
        })
    }

    /// A container of blocks or lines.
    fn container(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
        let mut flow = Flow::new(style.clone());
        let mut beside = None;
        match self.marker(dom, style)? {
            Some((marker, own)) if style.text.list_position == ListPosition::Inside => {
                self.inside_marker(marker, own, &mut flow);
            }
            marker => beside = marker,
        }
        self.content(dom, style, &mut flow)?;
        let id = self.finish(flow, Some(dom));
        self.set_legend_apart(dom, id);
        self.begin_lines(dom, style, id)?;
        self.boxes.get_mut(id).marker = beside;
        Ok(id)
    }

    /// Ends a block container.
    pub(crate) fn finish(&mut self, mut flow: Flow, dom: Option<NodeId>) -> BoxId {
        let items = flow.style.has_items();
        if flow.blocks.is_empty() && !items {
            let inlines = flow.inlines();
            // A container of nothing but floats is one of blocks, so that their place is found in the flow.
            return self
                .boxes
                .add(flow.style, Kind::Lines(Rc::new(inlines)), dom);
        }
        self.wrap_lines(&mut flow, false);
        if items {
            let order = |id: &BoxId| self.boxes.get(*id).style.order;
            flow.blocks.sort_by_key(order);
        }
        if flow.style.column_count.is_some() || flow.style.column_width.is_some() {
            flow.blocks = self.spanners_out(flow.blocks, 0);
        }
        self.boxes.add(flow.style, Kind::Blocks(flow.blocks), dom)
    }

    /// Puts the lines that were collected into an anonymous block.
    pub(super) fn wrap_lines(&mut self, flow: &mut Flow, continues: bool) {
        let open: Vec<(Rc<Style>, Option<NodeId>)> = flow
            .open
            .iter()
            .map(|span| (flow.spans[*span].style.clone(), flow.spans[*span].dom))
            .collect();
        if continues {
            for span in flow.open.clone() {
                flow.spans[span].ends = false;
            }
        }
        while !flow.open.is_empty() {
            flow.close();
        }
        let inlines = flow.inlines();
        flow.begin();
        let out_of_flow = inlines
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Float(_) | Piece::Absolute(_)));
        if !inlines.is_empty() {
            let style = made(|| flow.style.inherited(Display::Block));
            let id = self.boxes.add(style, Kind::Lines(Rc::new(inlines)), None);
            flow.blocks.push(id);
        } else if out_of_flow {
            for piece in inlines.pieces {
                if let Piece::Float(id) | Piece::Absolute(id) = piece {
                    flow.blocks.push(id);
                }
            }
        }
        for (style, dom) in open {
            flow.open(style, dom, false);
        }
    }

    /// Generates the content of an element, with `::before` and `::after`.
    fn content(&mut self, dom: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        self.generated(dom, style, Pseudo::Before, flow)?;
        let is_closed = self.dom.tag(dom) == "details" && self.dom.attribute(dom, "open").is_none();
        if let Some(text) = self.shown_value(dom) {
            match self.dom.attribute(dom, "placeholder") == Some(&text) {
                true => hint(text, style, flow),
                false => flow.text(text),
            }
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

    /// Text of a form control.
    fn shown_value(&self, dom: NodeId) -> Option<String> {
        let element = self.dom.element(dom)?;
        let value = || element.get("value").map(str::to_owned);
        let shown = || {
            let value = value().filter(|text| !text.is_empty());
            let hint = || element.get("placeholder").map(str::to_owned);
            value.or_else(hint).filter(|text| !text.is_empty())
        };
        match self.dom.tag(dom) {
            "input" => Some(
                match element.get("type").map(str::to_ascii_lowercase).as_deref() {
                    Some("checkbox" | "radio" | "range" | "color" | "hidden") => String::new(),
                    Some("file") => "Choose File  No file chosen".to_owned(),
                    Some("submit") => value().unwrap_or_else(|| "Submit".to_owned()),
                    Some("reset") => value().unwrap_or_else(|| "Reset".to_owned()),
                    Some("password") => {
                        let hidden: String =
                            value().unwrap_or_default().chars().map(|_| '•').collect();
                        match hidden.is_empty() {
                            true => shown().unwrap_or_else(|| "\u{a0}".to_owned()),
                            false => hidden,
                        }
                    }
                    Some("date") => value().filter(|text| !text.is_empty()).map_or_else(
                        || "mm/dd/yyyy".to_owned(),
                        |date| match date.split('-').collect::<Vec<_>>()[..] {
                            [year, month, day] => format!("{month}/{day}/{year}"),
                            _ => date,
                        },
                    ),
                    Some("time") => shown().unwrap_or_else(|| "--:-- --".to_owned()),
                    // An empty one is as high as a line, too.
                    _ => shown().unwrap_or_else(|| "\u{a0}".to_owned()),
                },
            ),
            "textarea" => {
                let text = self.dom.text(dom);
                let hint = || element.get("placeholder").unwrap_or_default().to_owned();
                Some(if text.is_empty() { hint() } else { text })
            }
            _ => None,
        }
    }

    fn child(&mut self, id: NodeId, parent: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        match &self.dom.node(id).data {
            Data::Document => Ok(()),
            Data::Text(text) => {
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

    fn element(&mut self, id: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        match style.display {
            Display::None => return Ok(()),
            Display::Contents => {
                self.counters.enter(id, style);
                // It has no box, but its text looks as it says.
                flow.open(made(|| style.inherited(Display::Inline)), None, true);
                self.content(id, style, flow)?;
                flow.close();
                self.counters.leave(id);
                return Ok(());
            }
            _ => {}
        }
        if self.dom.tag(id) == "br" {
            let span = flow.current();
            flow.pieces.push(Piece::Break(span));
            return Ok(());
        }
        if self.dom.tag(id) == "wbr" {
            flow.text("\u{200b}".to_owned());
            return Ok(());
        }
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

    /// The element in front of another one with nothing between them that is seen.
    fn beside(&self, id: NodeId) -> Option<NodeId> {
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

    /// A part of a table without the table around it.
    fn table_part(&mut self, id: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        if matches!(style.display, Display::Column | Display::ColumnGroup) {
            return Ok(());
        }
        // Consecutive parts stand in one table: the first makes it, the others are in it already.
        if let Some(before) = self.beside(id) {
            let parent = flow.style.clone();
            let style = self.style(before, &parent);
            if tables::is_part(&style) {
                return Ok(());
            }
        }
        let around = flow.style.clone();
        // Within an element on a line, the table stands on that line, too (CSS 2.2, 17.2.1).
        let on_line = flow.open.iter().any(|span| flow.spans[*span].dom.is_some());
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

    /// A place that links lead to.
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

    /// Blocks and lines of the children of an element, for parts of tables.
    pub(super) fn children_of(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
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

    /// A block container in an anonymous cell, with these nodes; each with the style of the element around it.
    pub(super) fn some_children(
        &mut self,
        children: &[tables::Inner],
        style: &Rc<Style>,
    ) -> Result<BoxId> {
        let mut flow = Flow::new(style.clone());
        for child in children {
            let parent = &child.around;
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

/// Whether a box is fixed to the page.
pub(crate) fn is_fixed(style: &Style) -> bool {
    style.position == Position::Fixed
}
