//! Box generation (CSS Display 3; CSS 2.2, 9.2): from elements and their computed styles to the box
//! tree, with anonymous boxes, generated content and list markers. Places nothing.
//!
//! A block container has either only block-level children or only lines. While an element is
//! walked, its inline content is collected as flat `pieces` in a [`Flow`]; when a block-level child
//! appears, the pieces so far become an anonymous block, the open inline elements are closed, and
//! opened again behind the block (9.2.1.1).
//!
//! Vertical writing modes are handled by rotation: a box whose writing mode differs from its
//! parent's is generated with rotated styles, laid out horizontally, and wrapped in
//! [`Kind::Turned`].

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

/// Source of pictures and drawings.
pub(crate) trait Gallery {
    /// Loads the picture at a URL. `None` if it is missing or unreadable.
    fn picture(&mut self, address: &str) -> Result<Option<ResourceId>>;
    /// Adds a generated SVG document as a picture.
    fn drawing(&mut self, file: &str) -> Result<ResourceId>;
}

/// Limit on generated content, in bytes; the first [`FEW_WORDS`] of each element do not count. A
/// style sheet can give each of many elements a long text.
const MOST_GENERATED: usize = 2 << 20;
/// Generated content per element that does not count towards the limit, in bytes.
const FEW_WORDS: usize = 64;

/// Limit on the boxes of a page.
const MOST_BOXES: usize = 1_000_000;

/// Returns a copy of the style with `overflow: visible`. Not inlined, as [`made`] explains.
#[inline(never)]
fn uncut(style: &Rc<Style>) -> Rc<Style> {
    let mut own = style.clone();
    if own.overflow != Overflow::Visible {
        Rc::make_mut(&mut own).overflow = Overflow::Visible;
    }
    own
}

/// Styles of the content of a rotated box, and of the box around it.
type Turned = (Rc<Style>, Rc<Style>);

/// Styles for rotating the content only: the outer box keeps its borders.
fn content_alone(style: &Rc<Style>, turn: Turn) -> Turned {
    (made(|| style.within_turned(turn)), style.clone())
}

/// Styles for rotating a box together with its borders.
#[inline(never)]
pub(crate) fn whole(style: &Rc<Style>, turn: Turn) -> Turned {
    let (inside, around) = style.turned_whole(turn);
    (Rc::new(inside), Rc::new(around))
}

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

/// State of box generation for one document.
///
/// Fields are the input, the result, the state of the walk, and findings for the notes.
pub(crate) struct Generator<'d, 'c> {
    // Input.
    pub dom: &'d Dom,
    pub cascade: &'c mut Cascade<'d>,
    pub gallery: &'c mut dyn Gallery,
    // Result.
    pub boxes: Boxes,
    pub counters: Counters,
    /// Font size of the root element without zoom, in px: the base of `rem`.
    pub root_size: f32,
    /// Whether the limit on boxes or generated content was exceeded; the rest of the page is left
    /// out.
    pub full: bool,
    // Lookups by URL, by drawing, and by name.
    /// Loaded pictures of backgrounds and border images, by URL.
    pub(crate) backdrops: HashMap<Rc<str>, usize>,
    /// Drawings of form controls, by their SVG text: equal ones are shared.
    pub drawn: HashMap<String, ResourceId>,
    /// Names that links of the document refer to; only these become anchors.
    pub targets: HashSet<Box<str>>,
    // State of the walk.
    /// Whether `overflow` of the body applies to the body itself. Otherwise the viewport takes it
    /// over (CSS Overflow 3, 3.3).
    pub(crate) body_scrolls: bool,
    /// Writing mode of the enclosing boxes.
    pub writing: Writing,
    /// Whether boxes of other writing modes are rotated; `false` on vertical pages that cannot be
    /// rotated as a whole.
    pub turns: bool,
    /// Whether the whole page may be rotated for a vertical principal writing mode.
    pub(crate) turns_pages: bool,
    // Findings for the notes.
    /// Whether a style asks for an effect that is not supported.
    pub unsupported: bool,
    /// Number of embedded objects that are missing.
    pub blank: usize,
    /// Length of generated content that counts towards the limit, in bytes.
    generated: usize,
}

/// A block container under construction.
pub(crate) struct Flow {
    /// Style of the container.
    pub style: Rc<Style>,
    /// Finished block-level children.
    pub blocks: Vec<BoxId>,
    /// Spans and pieces of the inline content since the last of them.
    pub spans: Vec<Span>,
    pub pieces: Vec<Piece>,
    /// Indexes of the open spans, outermost first.
    pub open: Vec<usize>,
}

impl Flow {
    /// Begins an empty container.
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

    /// Takes the collected inline content. Excess capacity is released: documents have many short
    /// lines.
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

    /// Begins inline content with the root inline box, span 0.
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

    /// Innermost open span.
    pub(crate) fn current(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    /// Opens a span; `begins` is `false` for the continuation of an element behind a block.
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

    /// Closes the innermost open span.
    pub(crate) fn close(&mut self) {
        if let Some(span) = self.open.pop() {
            self.pieces.push(Piece::Close(span));
        }
    }

    /// Adds text to the innermost open span.
    pub(crate) fn text(&mut self, text: String) {
        if !text.is_empty() {
            let span = self.current();
            self.pieces.push(Piece::Text(text, span));
        }
    }
}

impl<'d, 'c> Generator<'d, 'c> {
    /// Prepares the generation of a document's boxes.
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

    /// Loads the pictures of a style's background and border image.
    pub(crate) fn backdrop(&mut self, style: &Style) -> Result<()> {
        self.unsupported |= style.unsupported;
        // `none` and gradients need no picture.
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

    /// Generates the box of the root element, and thereby of the whole document. `None` if it is
    /// not displayed.
    pub(crate) fn root(&mut self) -> Result<Option<BoxId>> {
        let Some(html) = self
            .dom
            .children(NodeId::DOCUMENT)
            .find(|id| self.dom.element(*id).is_some())
        else {
            return Ok(None);
        };
        // The root element inherits initial values.
        let initial = Rc::new(Style::default());
        let style = self.cascade.style(html, &initial, None);
        self.root_size = style.text.size / style.text.zoom;
        if style.display == Display::None {
            return Ok(None);
        }
        let mut style = style;
        // A vertical principal writing mode rotates whole pages where that is possible. Otherwise
        // the text stays horizontal, and a note says so.
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
        // `overflow` of the root applies to the viewport; that of the body does if the root has
        // none.
        self.body_scrolls = style.overflow != Overflow::Visible;
        self.block_box(html, &uncut(&style)).map(Some)
    }

    /// Principal writing mode, from the body or else the root element (CSS Writing Modes 4, 8). It
    /// decides the direction in which pages progress.
    fn page_writing(&mut self, html: NodeId, style: &Rc<Style>) -> Writing {
        let dom = self.dom;
        let body = dom.children(html).find(|id| dom.tag(*id) == "body");
        let own = body.map(|body| self.cascade.style(body, style, Some(self.root_size)));
        own.as_ref().unwrap_or(style).text.writing
    }

    /// Computed style of an element, rotated for the writing mode of the enclosing boxes. An inline
    /// element of another writing mode becomes an inline block (CSS Writing Modes 4, 3.2).
    pub(crate) fn style(&mut self, id: NodeId, parent: &Rc<Style>) -> Rc<Style> {
        let mut style = self.cascade.style(id, parent, Some(self.root_size));
        // A box of another writing mode cannot take part in the lines of its parent.
        if self.turns && style.text.writing != self.writing && style.display == Display::Inline {
            Rc::make_mut(&mut style).display = Display::InlineBlock;
        }
        match self.writing {
            Writing::Horizontal => style,
            writing => made(|| style.turned(Turn::of(writing))),
        }
    }

    /// Generates a box; if its writing mode differs from that of the enclosing boxes, it is
    /// generated rotated and wrapped in a second box. `styles` makes the styles of both.
    ///
    /// While `make` runs, the writing mode of the box is the current one, so that its descendants
    /// are rotated relative to it.
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

    /// Counts generated content; beyond the limit the rest of the page is left out.
    pub(super) fn count_generated(&mut self, len: usize) {
        self.generated += len.saturating_sub(FEW_WORDS);
        self.full |= self.generated > MOST_GENERATED;
    }

    /// Returns whether more boxes may be generated.
    fn room(&mut self) -> bool {
        self.full |= self.boxes.len() > MOST_BOXES || self.cascade.is_exhausted();
        !self.full
    }

    /// Generates a block-level (or blockified) box. Numbers of lists and items come from `start`,
    /// `value` and `reversed` (HTML, 4.4.5).
    pub(super) fn block_box(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
        let number = |name: &str| self.dom.attribute(dom, name)?.trim().parse::<i32>().ok();
        // A reversed list counts down to 1, or from `start`; each item gets its number.
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
            // The first item increments the counter, so it is set to one less.
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

    /// Generates the content of a box by its inner display type: replaced element, table, or block
    /// container.
    fn inside(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
        // The body's `overflow` is propagated to the viewport and has no effect on its own box.
        let is_body = self.dom.tag(dom) == "body";
        let shown = (is_body && !self.body_scrolls).then(|| uncut(style));
        let style = shown.as_ref().unwrap_or(style);
        // Replaced elements, tables and all other boxes are rotated in different ways.
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

    /// Generates a block container, with its list marker.
    fn container(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
        let mut flow = Flow::new(style.clone());
        // An inside marker is the first inline box of the content; an outside marker stands beside.
        let mut beside = None;
        match self.marker(dom, style)? {
            Some((marker, own)) if style.text.list_position == ListPosition::Inside => {
                self.inside_marker(marker, own, &mut flow);
            }
            marker => beside = marker,
        }
        self.content(dom, style, &mut flow)?;
        let id = self.finish(flow, Some(dom));
        // A legend leaves the flow of its fieldset; `::first-letter` needs the finished lines.
        self.set_legend_apart(dom, id);
        self.begin_lines(dom, style, id)?;
        self.boxes.get_mut(id).marker = beside;
        Ok(id)
    }

    /// Finishes a block container: lines if it has inline content only, else blocks. Flex and grid
    /// items are sorted by `order`.
    pub(crate) fn finish(&mut self, mut flow: Flow, dom: Option<NodeId>) -> BoxId {
        let items = flow.style.has_items();
        // Inline content only: the box is an inline formatting context.
        if flow.blocks.is_empty() && !items {
            let inlines = flow.inlines();
            // Floats alone do not make lines: `is_empty` content with them becomes blocks, so that
            // the block flow places them.
            return self
                .boxes
                .add(flow.style, Kind::Lines(Rc::new(inlines)), dom);
        }
        self.wrap_lines(&mut flow, false);
        // Items are laid out in the order that `order` gives; equal values keep document order (CSS
        // Flexbox 1, 5.4).
        if items {
            let order = |id: &BoxId| self.boxes.get(*id).style.order;
            flow.blocks.sort_by_key(order);
        }
        // Spanning elements deep in the content move up to the container.
        if flow.style.column_count.is_some() || flow.style.column_width.is_some() {
            flow.blocks = self.spanners_out(flow.blocks, 0);
        }
        self.boxes.add(flow.style, Kind::Blocks(flow.blocks), dom)
    }

    /// Wraps the collected inline content in an anonymous block (CSS 2.2, 9.2.1.1). Elements that
    /// are open go on behind it (`continues`): their end edge is not drawn here, nor their start
    /// edge there.
    pub(super) fn wrap_lines(&mut self, flow: &mut Flow, continues: bool) {
        let open: Vec<(Rc<Style>, Option<NodeId>)> = flow
            .open
            .iter()
            .map(|span| (flow.spans[*span].style.clone(), flow.spans[*span].dom))
            .collect();
        // An element that is broken by a block has no end edge before it.
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
        // Out-of-flow boxes without text need no line: they become children of the block flow.
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

    /// Generates the children of an element between `::before` and `::after` (CSS 2.2, 12.1). A
    /// closed `details` shows its `summary` only (HTML, 4.11.1).
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

    /// Text that a form control shows: its value, its placeholder, or the text browsers show
    /// instead. A space keeps an empty field one line high. `None` for other elements.
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
                    // Drawn controls have no text.
                    Some("checkbox" | "radio" | "range" | "color" | "hidden") => String::new(),
                    Some("file") => "Choose File  No file chosen".to_owned(),
                    Some("submit") => value().unwrap_or_else(|| "Submit".to_owned()),
                    Some("reset") => value().unwrap_or_else(|| "Reset".to_owned()),
                    // A password is shown as bullets, one per character.
                    Some("password") => {
                        let hidden: String =
                            value().unwrap_or_default().chars().map(|_| '•').collect();
                        match hidden.is_empty() {
                            true => shown().unwrap_or_else(|| "\u{a0}".to_owned()),
                            false => hidden,
                        }
                    }
                    // Chromium shows dates in the order of the user's language, here American
                    // English.
                    Some("date") => value().filter(|text| !text.is_empty()).map_or_else(
                        || "mm/dd/yyyy".to_owned(),
                        |date| match date.split('-').collect::<Vec<_>>()[..] {
                            [year, month, day] => format!("{month}/{day}/{year}"),
                            _ => date,
                        },
                    ),
                    Some("time") => shown().unwrap_or_else(|| "--:-- --".to_owned()),
                    // An empty field is as high as a line.
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

    /// Generates a child node.
    fn child(&mut self, id: NodeId, parent: &Rc<Style>, flow: &mut Flow) -> Result<()> {
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
                // `display: contents` has no box, but its text inherits from it (CSS Display 3,
                // 2.5).
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
        // Out-of-flow boxes leave a piece at their place, for their static position.
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
            // Inline boxes: missing pictures show their alternative text instead.
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
            // Table parts outside of a table get an anonymous one.
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
            // Block-level boxes.
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

    /// Previous sibling element, if only white space stands between them.
    fn beside(&self, id: NodeId) -> Option<NodeId> {
        // Comments are not in the tree, so that only text stands between elements.
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

    /// Wraps a misplaced table part (and its siblings) in an anonymous table (CSS 2.2, 17.2.1).
    fn table_part(&mut self, id: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        // Columns outside of a table have no effect (CSS 2.2, 17.2.1).
        if matches!(style.display, Display::Column | Display::ColumnGroup) {
            return Ok(());
        }
        // Consecutive parts share one table, which the first of them has made.
        if let Some(before) = self.beside(id) {
            let parent = flow.style.clone();
            let style = self.style(before, &parent);
            if tables::is_part(&style) {
                return Ok(());
            }
        }
        let around = flow.style.clone();
        // Within an inline element the anonymous table is inline-level.
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

    /// Adds anchors for the names of an element that links refer to.
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

    /// Generates a block container for an anonymous cell from these nodes. Each inherits from its
    /// own parent.
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

/// Returns whether a box is fixed to the page.
pub(crate) fn is_fixed(style: &Style) -> bool {
    style.position == Position::Fixed
}
