//! Generated content: list markers, `::before` and `::after` (CSS Content 3; CSS Lists 3). Places
//! nothing.

use super::{
    generate::{Flow, Generator, is_of_table, table_of_content},
    tree::{BoxId, Marker, Piece, Replaced},
};
use crate::error::Result;
use convertd_markup::{
    css::{
        counter_style::CounterStyle,
        selectors::Pseudo,
        style::{Content, Display, Image, ListPosition, ListStyle, Style, made},
    },
    dom::NodeId,
};
use convertd_tree::ResourceId;
use std::rc::Rc;

impl Generator<'_, '_> {
    /// Marker of a list item with its style (CSS Lists 3, 3): the content of `::marker`, else
    /// `list-style-image`, else `list-style-type`. `None` without a marker.
    pub(crate) fn marker(
        &mut self,
        dom: NodeId,
        style: &Rc<Style>,
    ) -> Result<Option<(Marker, Rc<Style>)>> {
        if style.display != Display::ListItem {
            return Ok(None);
        }
        // The style of `::marker` inherits from the item.
        let own = self
            .cascade
            .part(dom, Pseudo::Marker, style, self.root_size);
        let content = own.as_ref().and_then(|own| own.content.clone());
        let own = own.unwrap_or_else(|| style.clone());
        if let Some(content) = content {
            let text = self.words(dom, &content, style);
            return Ok(Some((Marker::Text(text.into()), own)));
        }
        Ok(self.listed(style)?.map(|marker| (marker, own)))
    }

    /// Marker by `list-style-image` or `list-style-type`. `None` without a marker.
    fn listed(&mut self, style: &Style) -> Result<Option<Marker>> {
        if let Image::Url(address) = &style.text.list_image
            && let Some(picture) = self.gallery.picture(address)?
        {
            return Ok(Some(Marker::Picture(picture)));
        }
        let marker = match &style.text.list_style {
            ListStyle::None => return Ok(None),
            ListStyle::Text(text) => Marker::Text(text.clone()),
            // Disc, circle and square are drawn; all other styles are text.
            ListStyle::Named(name) => match &**name {
                "disc" => Marker::Disc,
                "circle" => Marker::Circle,
                "square" => Marker::Square,
                name => self.numbered(&self.counters.styles.named(name)),
            },
            ListStyle::Own(named) => self.numbered(named),
        };
        Ok(Some(marker))
    }

    /// Marker text for the item's number in a counter style.
    fn numbered(&self, style: &CounterStyle) -> Marker {
        let number = self.counters.value("list-item");
        Marker::Text(self.counters.styles.marker(number, style).into())
    }

    /// Adds an inside marker as text, or as a picture, at the start of the first line (`list-style-position: inside`).
    pub(super) fn inside_marker(&mut self, marker: Marker, own: Rc<Style>, flow: &mut Flow) {
        let style = made(|| own.inherited(Display::Inline));
        flow.open(style.clone(), None, true);
        match marker {
            Marker::Text(text) => flow.text(text.to_string()),
            Marker::Disc => flow.text("• ".to_owned()),
            Marker::Circle => flow.text("◦ ".to_owned()),
            Marker::Square => flow.text("▪ ".to_owned()),
            Marker::Picture(picture) => {
                self.add_picture(picture, &style, flow);
                flow.text(" ".to_owned());
            }
        }
        flow.close();
    }

    /// Generates `::before` or `::after`, inline or as a box of its own. Nothing happens if the pseudo-element has no
    /// `content`.
    pub(crate) fn generated(
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
        // These display types generate no box for the content.
        if matches!(
            own.display,
            Display::None | Display::Column | Display::ColumnGroup
        ) {
            return Ok(());
        }
        // A pseudo-element changes counters like an element, before its own content is generated.
        self.backdrop(&own)?;
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
        let marker = match own.display {
            Display::ListItem => self.listed(&own)?,
            _ => None,
        };
        self.counters.leave(dom);
        let own = match own.display {
            // With `display: contents`, the pseudo-element has no box, so its content is inline.
            Display::Contents => made(|| own.inherited(Display::Inline)),
            _ => own,
        };
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
        // The content gets a box of its own, placed like an element of its display type.
        let on_line = flow.is_in_element();
        let id = self.content_box(&own, style, marker, on_line, |generator, inner| {
            inner.text(text);
            if let Some(picture) = picture {
                generator.add_picture(picture, &own, inner);
            }
        });
        let is_inline = self.boxes.get(id).style.is_inline_level();
        let span = flow.current();
        match () {
            () if own.is_absolute() => flow.pieces.push(Piece::Absolute(id)),
            () if own.floats() => flow.pieces.push(Piece::Float(id)),
            () if is_inline => flow.pieces.push(Piece::Atomic(id, span)),
            () => {
                self.wrap_lines(flow, true);
                flow.blocks.push(id);
            }
        }
        Ok(())
    }

    /// Box of generated content with the style `own`: a block container, or a table around the content if it is displayed
    /// as a table or as a part of one (CSS 2.2, 17.2.1). `around` is the style of its element, and `on_line` is whether
    /// the content is in an inline element.
    fn content_box(
        &mut self,
        own: &Rc<Style>,
        around: &Rc<Style>,
        marker: Option<Marker>,
        on_line: bool,
        fill: impl FnOnce(&mut Self, &mut Flow),
    ) -> BoxId {
        let is_table = is_of_table(own);
        let inside = match own.display {
            Display::Cell | Display::Caption => own.clone(),
            _ if is_table => made(|| own.inherited(Display::Cell)),
            _ => own.clone(),
        };
        let mut inner = Flow::new(inside);
        let mut beside = None;
        match marker {
            Some(marker) if own.text.list_position == ListPosition::Inside => {
                self.inside_marker(marker, own.clone(), &mut inner);
            }
            marker => beside = marker,
        }
        fill(self, &mut inner);
        let id = self.finish(inner, None);
        self.boxes.get_mut(id).marker = beside.map(|marker| (marker, own.clone()));
        match is_table {
            true => table_of_content(self, id, own, around, on_line),
            false => id,
        }
    }

    /// Adds a picture of generated content as an atomic inline.
    pub(crate) fn add_picture(&mut self, picture: ResourceId, style: &Style, flow: &mut Flow) {
        let replaced = Replaced {
            picture: Some(picture),
            words: "".into(),
            natural: (None, None),
            missing: false,
        };
        self.add_replaced(
            replaced,
            made(|| style.inherited(Display::InlineBlock)),
            flow,
        );
    }

    /// Text of a `content` list: strings, attributes, counters and quotation marks.
    pub(crate) fn words(&mut self, dom: NodeId, content: &[Content], style: &Style) -> String {
        let tree = self.dom;
        let attribute = |name: &str| tree.attribute(dom, name);
        let text = self.counters.words(content, style, attribute);
        self.count_generated(text.len());
        text
    }
}
