//! From elements and their styles to boxes (CSS Display 3; CSS 2.2, 9.2): anonymous boxes, generated content, markers. Gives nothing a
//! place.

use super::{
    counters::Counters,
    tables,
    tree::{BoxId, Boxes, Inlines, Kind, Marker, Piece, Replaced, Span, is_space, keeps_spaces},
};
use crate::{
    document::{
        css::{
            cascade::Cascade,
            colour::{Paint, Rgba},
            selectors::Pseudo,
            style::{
                Border, BoxSizing, Content, Display, Image, LineStyle, ListPosition, ListStyle,
                Overflow, Position, Size, Style,
            },
            value::Length,
        },
        html::dom::{Data, Dom, NodeId, Quirks},
        tree::ResourceId,
    },
    error::Result,
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// Where pictures come from: an address, and the picture if it is here.
pub(crate) trait Gallery {
    fn picture(&mut self, address: &str) -> Result<Option<ResourceId>>;
    /// A drawing in the page.
    fn drawing(&mut self, file: &str) -> Result<ResourceId>;
}

/// The most boxes of a page.
const MOST_BOXES: usize = 1_000_000;

/// Makes the boxes of a page.
pub(crate) struct Generator<'d, 'c> {
    pub(crate) dom: &'d Dom,
    pub(crate) cascade: &'c mut Cascade<'d>,
    pub(crate) gallery: &'c mut dyn Gallery,
    pub(crate) boxes: Boxes,
    pub(crate) counters: Counters,
    /// The size of the font of the root element.
    pub(crate) root_size: f32,
    /// Too many boxes.
    pub(crate) full: bool,
    /// The pictures of backgrounds, by their addresses.
    pub(crate) backdrops: HashMap<Rc<str>, usize>,
    /// The names that links lead to.
    pub(crate) targets: HashSet<Box<str>>,
    /// Something asks for an effect that is not drawn here.
    pub(crate) unsupported: bool,
}

/// What a block container will hold.
pub(super) struct Flow {
    style: Rc<Style>,
    blocks: Vec<BoxId>,
    spans: Vec<Span>,
    pieces: Vec<Piece>,
    /// The spans that are open.
    open: Vec<usize>,
}

impl Flow {
    fn new(style: Rc<Style>) -> Self {
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

    fn begin(&mut self) {
        self.spans = vec![Span {
            style: self.style.clone(),
            parent: None,
            dom: None,
            node: crate::document::layout::structure::NodeId::DOCUMENT,
            link: None,
            begins: false,
            ends: false,
        }];
    }

    fn current(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    fn open(&mut self, style: Rc<Style>, dom: Option<NodeId>, begins: bool) {
        let parent = Some(self.current());
        self.spans.push(Span {
            style,
            parent,
            dom,
            node: crate::document::layout::structure::NodeId::DOCUMENT,
            link: None,
            begins,
            ends: true,
        });
        let span = self.spans.len() - 1;
        self.pieces.push(Piece::Open(span));
        self.open.push(span);
    }

    fn close(&mut self) {
        if let Some(span) = self.open.pop() {
            self.pieces.push(Piece::Close(span));
        }
    }

    fn text(&mut self, text: String) {
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
        Self {
            dom,
            cascade,
            gallery,
            boxes: Boxes::default(),
            counters: Counters::default(),
            root_size: 16.0,
            full: false,
            backdrops: HashMap::new(),
            targets: HashSet::new(),
            unsupported: false,
        }
    }

    /// Takes the pictures of a background.
    pub(super) fn backdrop(&mut self, style: &Style) -> Result<()> {
        self.unsupported |= style.unsupported;
        for layer in style.layers.iter() {
            if let Image::Url(address) = &layer.image
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
        self.root_size = style.text.size;
        if style.display == Display::None {
            return Ok(None);
        }
        self.block_box(html, &style).map(Some)
    }

    fn room(&mut self) -> bool {
        self.full |= self.boxes.len() > MOST_BOXES || self.cascade.is_exhausted();
        !self.full
    }

    /// A box for an element that is a block to the outside.
    pub(super) fn block_box(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
        let number = |name: &str| self.dom.attribute(dom, name)?.trim().parse::<i32>().ok();
        match self.dom.tag(dom) {
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
        if let Some(replaced) = self.replaced(dom, style)? {
            return Ok(self
                .boxes
                .add(style.clone(), Kind::Replaced(replaced), Some(dom)));
        }
        if matches!(style.display, Display::Table | Display::InlineTable) {
            return tables::table(self, dom, style);
        }
        let marker = self.marker(dom, style);
        let mut flow = Flow::new(style.clone());
        let mut beside = None;
        if let Some(marker) = marker {
            match (&marker, style.text.list_position) {
                (_, ListPosition::Outside) => beside = Some(marker),
                (Marker::Text(text), ListPosition::Inside) => flow.text(text.to_string()),
                (Marker::Disc, _) => flow.text("• ".to_owned()),
                (Marker::Circle, _) => flow.text("◦ ".to_owned()),
                (Marker::Square, _) => flow.text("▪ ".to_owned()),
            }
        }
        self.content(dom, style, &mut flow)?;
        let id = self.finish(flow, Some(dom));
        self.begin_lines(dom, style, id)?;
        self.boxes.get_mut(id).marker = beside;
        Ok(id)
    }

    /// Ends a block container.
    pub(super) fn finish(&mut self, mut flow: Flow, dom: Option<NodeId>) -> BoxId {
        let items = matches!(
            flow.style.display,
            Display::Flex | Display::InlineFlex | Display::Grid | Display::InlineGrid
        );
        if flow.blocks.is_empty() && !items {
            let inlines = Inlines {
                spans: std::mem::take(&mut flow.spans),
                pieces: std::mem::take(&mut flow.pieces),
                first: None,
            };
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
        self.boxes.add(flow.style, Kind::Blocks(flow.blocks), dom)
    }

    /// Puts the lines that were collected into an anonymous block.
    fn wrap_lines(&mut self, flow: &mut Flow, continues: bool) {
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
        let inlines = Inlines {
            spans: std::mem::take(&mut flow.spans),
            pieces: std::mem::take(&mut flow.pieces),
            first: None,
        };
        flow.begin();
        let out_of_flow = inlines
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Float(_) | Piece::Absolute(_)));
        if !inlines.is_empty() {
            let style = Rc::new(flow.style.inherited(Display::Block));
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

    /// What is in an element, with what stands before and after it.
    fn content(&mut self, dom: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        self.generated(dom, style, Pseudo::Before, flow)?;
        if let Some(text) = self.shown_value(dom) {
            flow.text(text);
        } else {
            for child in self.dom.children(dom) {
                if !self.room() {
                    break;
                }
                self.child(child, style, flow)?;
            }
        }
        self.generated(dom, style, Pseudo::After, flow)
    }

    /// What a form control shows.
    fn shown_value(&self, dom: NodeId) -> Option<String> {
        let element = self.dom.element(dom)?;
        let value = || element.get("value").map(str::to_owned);
        match self.dom.tag(dom) {
            "input" => Some(
                match element.get("type").map(str::to_ascii_lowercase).as_deref() {
                    Some("checkbox" | "radio" | "range" | "color" | "file" | "hidden") => {
                        String::new()
                    }
                    Some("submit") => value().unwrap_or_else(|| "Submit".to_owned()),
                    Some("reset") => value().unwrap_or_else(|| "Reset".to_owned()),
                    Some("password") => value().unwrap_or_default().chars().map(|_| '•').collect(),
                    _ => value()
                        .or_else(|| element.get("placeholder").map(str::to_owned))
                        .unwrap_or_default(),
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
                let lays_out = matches!(
                    flow.style.display,
                    Display::Flex | Display::InlineFlex | Display::Grid | Display::InlineGrid
                );
                if lays_out && !keeps_spaces(&flow.style) && text.chars().all(is_space) {
                    return Ok(());
                }
                flow.text(text.clone());
                Ok(())
            }
            Data::Element(_) | Data::Drawing(..) => {
                let style = self.cascade.style(id, parent, Some(self.root_size));
                self.element(id, &style, flow)
            }
        }
    }

    fn element(&mut self, id: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        match style.display {
            Display::None => return Ok(()),
            Display::Contents => {
                self.counters.enter(id, style);
                self.content(id, style, flow)?;
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
                    let span = flow.current();
                    let replaced = Replaced {
                        picture: None,
                        words: "".into(),
                        natural: (Some(16.0), Some(16.0)),
                        missing: true,
                    };
                    let icon = Rc::new(style.inherited(Display::InlineBlock));
                    let icon = self.boxes.add(icon, Kind::Replaced(replaced), None);
                    flow.pieces.push(Piece::Atomic(icon, span));
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

    /// A part of a table without the table around it.
    fn table_part(&mut self, id: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        if matches!(style.display, Display::Column | Display::ColumnGroup) {
            return Ok(());
        }
        // Consecutive parts stand in one table: the first makes it, the others are in it already.
        let before = self.dom.element_before(id);
        if let Some(before) = before {
            let parent = flow.style.clone();
            let style = self.cascade.style(before, &parent, Some(self.root_size));
            let is_part = matches!(
                style.display,
                Display::RowGroup
                    | Display::HeadGroup
                    | Display::FootGroup
                    | Display::Row
                    | Display::Cell
                    | Display::Caption
            );
            if is_part && self.dom.parent(id) == flow_element(self.dom, id) {
                return Ok(());
            }
        }
        let around = flow.style.clone();
        // Within an element on a line, the table stands on that line, too (CSS 2.2, 17.2.1).
        let on_line = !flow.open.is_empty();
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

    /// A picture that is not here, with words that stand for it: a sign and the words, as browsers show it.
    fn missing(
        &mut self,
        dom: NodeId,
        style: &Rc<Style>,
        words: String,
        flow: &mut Flow,
    ) -> Result<()> {
        // Old pages: a picture whose width and height are known keeps its box, with the words in it.
        let sized = |size: &Size| *size != Size::Auto;
        if self.dom.quirks == Quirks::Full && sized(&style.width) && sized(&style.height) {
            let grey = Paint::Rgba(Rgba::opaque(0xc0, 0xc0, 0xc0));
            let mut own = (**style).clone();
            own.display = if own.display == Display::Inline {
                Display::InlineBlock
            } else {
                own.display
            };
            own.border = [Border {
                thickness: 1.0,
                style: LineStyle::Solid,
                colour: grey,
            }; 4];
            own.padding = std::array::from_fn(|_| Length::px(1.0));
            own.sizing = BoxSizing::Border;
            own.overflow = Overflow::Hidden;
            let own = Rc::new(own);
            let mut inner = Flow::new(own.clone());
            self.missing_sign(&own, &mut inner);
            inner.text(words);
            let id = self.finish(inner, Some(dom));
            if own.is_inline_level() {
                let span = flow.current();
                flow.pieces.push(Piece::Atomic(id, span));
            } else {
                self.wrap_lines(flow, true);
                flow.blocks.push(id);
            }
            return Ok(());
        }
        self.missing_sign(style, flow);
        flow.open(Rc::new(style.inherited(Display::Inline)), Some(dom), true);
        flow.text(words);
        flow.close();
        Ok(())
    }

    /// The sign for a picture that is not here.
    fn missing_sign(&mut self, style: &Style, flow: &mut Flow) {
        let span = flow.current();
        let replaced = Replaced {
            picture: None,
            words: "".into(),
            natural: (Some(16.0), Some(16.0)),
            missing: true,
        };
        let icon = Rc::new(style.inherited(Display::InlineBlock));
        let icon = self.boxes.add(icon, Kind::Replaced(replaced), None);
        flow.pieces.push(Piece::Atomic(icon, span));
    }

    /// The words for a picture that is not here.
    fn missing_picture(&mut self, dom: NodeId) -> Option<String> {
        if self.dom.tag(dom) != "img" {
            return None;
        }
        let words = self
            .dom
            .attribute(dom, "alt")
            .filter(|words| !words.is_empty())?
            .to_owned();
        let address = self
            .dom
            .attribute(dom, "src")
            .unwrap_or_default()
            .trim()
            .to_owned();
        let here = self.gallery.picture(&address).ok().flatten();
        here.is_none().then_some(words)
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

    fn is_replaced(&self, dom: NodeId) -> bool {
        matches!(self.dom.node(dom).data, Data::Drawing(..))
            || matches!(
                self.dom.tag(dom),
                "img" | "video" | "canvas" | "iframe" | "embed" | "object"
            ) && self.dom.attribute(dom, "alt").is_none_or(str::is_empty)
    }

    /// The picture that an element shows instead of its content.
    fn replaced(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<Option<Replaced>> {
        let attribute = |name: &str| {
            let value = self.dom.attribute(dom, name)?.trim();
            value
                .trim_end_matches("px")
                .parse::<f32>()
                .ok()
                .filter(|px| *px >= 0.0)
        };
        if let Data::Drawing(_, file, words) = &self.dom.node(dom).data {
            let (mut width, mut height) = (attribute("width"), attribute("height"));
            let ratio = self.dom.attribute(dom, "viewbox").and_then(ratio);
            match (width, height, ratio) {
                (Some(own), None, Some(ratio)) => height = Some(own / ratio),
                (None, Some(own), Some(ratio)) => width = Some(own * ratio),
                (None, None, Some(ratio)) => (width, height) = (Some(300.0), Some(300.0 / ratio)),
                _ => {}
            }
            let fixed = |size: &Size| match size {
                Size::Length(length) if !length.has_percentage() => Some(length.of(0.0)),
                _ => None,
            };
            let content = style.sizing == BoxSizing::Content;
            let asked = (fixed(&style.width), fixed(&style.height));
            if let (true, None) = (content, ratio) {
                // Nothing says how its content would be made larger or smaller: the style says how much of it is seen.
                width = asked.0.or(width).or(Some(300.0));
                height = asked.1.or(height).or(Some(150.0));
            }
            let natural = (width.or(Some(300.0)), height.or(Some(150.0)));
            let size = match (ratio, asked) {
                (None, _) => natural.0.zip(natural.1),
                // The content is as large as fits into the box, whatever the ratio of that.
                (Some(_), (Some(width), Some(height))) if content => Some((width, height)),
                _ => None,
            };
            let file = file.as_deref().map(|file| match size {
                Some(size) => sized(file, size),
                None => file.to_owned(),
            });
            let picture = file.map(|file| self.gallery.drawing(&file)).transpose()?;
            return Ok(Some(Replaced {
                picture,
                words: words.as_str().into(),
                natural,
                missing: false,
            }));
        }
        match self.dom.tag(dom) {
            "img" => {
                let address = self
                    .dom
                    .attribute(dom, "src")
                    .unwrap_or_default()
                    .trim()
                    .to_owned();
                let picture = self.gallery.picture(&address)?;
                let words = self.dom.attribute(dom, "alt");
                let (has_words, gone) = (words.is_some(), picture.is_none());
                let natural = match (gone, has_words) {
                    (false, _) => (None, None),
                    (true, true) => (Some(0.0), Some(0.0)),
                    (true, false) => (Some(16.0), Some(16.0)),
                };
                Ok(Some(Replaced {
                    picture,
                    words: words.unwrap_or_default().into(),
                    natural,
                    missing: gone && !has_words,
                }))
            }
            "video" | "canvas" | "iframe" | "embed" | "object"
                if self.dom.node(dom).first.is_none() || self.dom.tag(dom) != "object" =>
            {
                Ok(Some(Replaced {
                    picture: None,
                    words: "".into(),
                    natural: (Some(300.0), Some(150.0)),
                    missing: false,
                }))
            }
            _ => Ok(None),
        }
    }

    fn marker(&mut self, dom: NodeId, style: &Rc<Style>) -> Option<Marker> {
        if style.display != Display::ListItem {
            return None;
        }
        let own = self
            .cascade
            .part(dom, Pseudo::Marker, style, self.root_size);
        if let Some(content) = own.as_ref().and_then(|own| own.content.clone()) {
            let text = self.words(dom, &content, style);
            return Some(Marker::Text(text.into()));
        }
        match &style.text.list_style {
            ListStyle::None => None,
            ListStyle::Text(text) => Some(Marker::Text(text.clone())),
            ListStyle::Named(name) => Some(match &**name {
                "disc" => Marker::Disc,
                "circle" => Marker::Circle,
                "square" => Marker::Square,
                name => {
                    let number = self.counters.value("list-item");
                    Marker::Text(format!("{}. ", super::counters::written(number, name)).into())
                }
            }),
        }
    }

    /// `::before` and `::after`.
    fn generated(
        &mut self,
        dom: NodeId,
        style: &Rc<Style>,
        part: Pseudo,
        flow: &mut Flow,
    ) -> Result<()> {
        let Some(own) = self.cascade.part(dom, part, style, self.root_size) else {
            return Ok(());
        };
        let Some(content) = own.content.clone() else {
            return Ok(());
        };
        if own.display == Display::None {
            return Ok(());
        }
        self.counters.enter(dom, &own);
        let text = self.words(dom, &content, &own);
        let picture = content.iter().find_map(|part| match part {
            Content::Url(url) => Some(url.clone()),
            _ => None,
        });
        let picture = match picture {
            Some(address) => self.gallery.picture(&address)?,
            None => None,
        };
        self.counters.leave(dom);
        let inline = own.display == Display::Inline && !own.is_absolute() && !own.floats();
        if inline {
            flow.open(own.clone(), None, true);
            flow.text(text);
            if let Some(picture) = picture {
                self.add_picture(picture, &own, flow);
            }
            flow.close();
            return Ok(());
        }
        let mut inner = Flow::new(own.clone());
        inner.text(text);
        if let Some(picture) = picture {
            self.add_picture(picture, &own, &mut inner);
        }
        let id = self.finish(inner, None);
        let span = flow.current();
        match () {
            () if own.is_absolute() => flow.pieces.push(Piece::Absolute(id)),
            () if own.floats() => flow.pieces.push(Piece::Float(id)),
            () if own.is_inline_level() => flow.pieces.push(Piece::Atomic(id, span)),
            () => {
                self.wrap_lines(flow, true);
                flow.blocks.push(id);
            }
        }
        Ok(())
    }

    fn add_picture(&mut self, picture: ResourceId, style: &Style, flow: &mut Flow) {
        let replaced = Replaced {
            picture: Some(picture),
            words: "".into(),
            natural: (None, None),
            missing: false,
        };
        let style = Rc::new(style.inherited(Display::InlineBlock));
        let id = self.boxes.add(style, Kind::Replaced(replaced), None);
        let span = flow.current();
        flow.pieces.push(Piece::Atomic(id, span));
    }

    /// The text of generated content.
    fn words(&mut self, dom: NodeId, content: &[Content], style: &Style) -> String {
        let mut text = String::new();
        for part in content {
            match part {
                Content::Text(own) => text.push_str(own),
                Content::Attribute(name) => {
                    text.push_str(self.dom.attribute(dom, name).unwrap_or_default())
                }
                Content::Counter(name, named, between) => {
                    text.push_str(&self.counters.text(name, named, between.as_deref()));
                }
                Content::Url(_) => {}
                Content::Quote { opens, shown } => {
                    let quote = self.counters.quote(*opens, style);
                    if *shown {
                        text.push_str(&quote);
                    }
                }
            }
        }
        text
    }

    /// Blocks and lines of the children of an element, for parts of tables.
    pub(super) fn children_of(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
        self.backdrop(style)?;
        self.counters.enter(dom, style);
        let mut flow = Flow::new(style.clone());
        self.content(dom, style, &mut flow)?;
        let id = self.finish(flow, Some(dom));
        self.begin_lines(dom, style, id)?;
        self.counters.leave(dom);
        Ok(id)
    }

    /// A block container in an anonymous cell, with these children of an element.
    pub(super) fn some_children(
        &mut self,
        children: &[NodeId],
        style: &Rc<Style>,
        parent: &Rc<Style>,
    ) -> Result<BoxId> {
        let mut flow = Flow::new(style.clone());
        for child in children {
            self.child(*child, parent, &mut flow)?;
        }
        Ok(self.finish(flow, None))
    }
}

fn flow_element(dom: &Dom, id: NodeId) -> Option<NodeId> {
    dom.parent(id)
}

/// The file of a drawing with another width and height, in px.
fn sized(file: &str, (width, height): (f32, f32)) -> String {
    let Some(root) = file.find("<svg") else {
        return file.to_owned();
    };
    let (before, mut rest) = file.split_at(root + 4);
    let mut out = format!("{before} width=\"{width}\" height=\"{height}\"");
    // The other attributes; their values are in quotation marks of one kind.
    while let Some(equals) = rest.find(['=', '>'])
        && rest[equals..].starts_with("=\"")
        && let Some(length) = rest[equals + 2..].find('"')
    {
        let (attribute, others) = rest.split_at(equals + 2 + length + 1);
        if !matches!(attribute[..equals].trim(), "width" | "height") {
            out.push_str(attribute);
        }
        rest = others;
    }
    out + rest
}

/// Width through height of a drawing, by its `viewBox`.
fn ratio(text: &str) -> Option<f32> {
    let numbers: Vec<f32> = text
        .split([' ', ',', '\t', '\n'])
        .filter(|part| !part.is_empty())
        .map_while(|number| number.parse().ok())
        .collect();
    let [_, _, width, height] = numbers.as_slice() else {
        return None;
    };
    let ratio = width / height;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

/// Whether a box is fixed to the page.
pub(crate) fn is_fixed(style: &Style) -> bool {
    style.position == Position::Fixed
}
