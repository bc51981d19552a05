//! Box generation (CSS Display 3; CSS 2.2, 9.2): from elements and their computed styles to the box
//! tree, with anonymous boxes, generated content and list markers. Places nothing.
//!
//! A block container has either only block-level children or only lines. While an element is walked, its inline content
//! is collected as flat `pieces` in a [`Flow`]; when a block-level child appears, the pieces so far become an anonymous
//! block. The open inline elements are closed before the child and opened again after it (9.2.1.1).
//!
//! Vertical writing modes are handled by rotation: a box whose writing mode differs from its
//! parent's is generated with rotated styles, laid out horizontally, and wrapped in
//! [`BoxContent::Turned`].

mod element;
mod flow;
mod ruby;
mod tables;

pub(crate) use flow::Flow;
pub(crate) use tables::{is_of_table, of_content as table_of_content};

use crate::{
    error::Result,
    tree::{BoxContent, BoxId, Boxes},
};
use convertd_markup::{
    css::{
        cascade::Cascade,
        counters::Counters,
        style::{Display, Image, ListPosition, Overflow, Position, Style, Writing, made},
        writing::Turn,
    },
    dom::{Dom, NodeId},
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

/// Limit on generated content, in bytes. The first [`FEW_WORDS`] bytes of each element do not count. A style sheet can
/// give each of many elements a long text.
const MAX_GENERATED: usize = 2 << 20;
/// Generated content per element that does not count towards the limit, in bytes.
const FEW_WORDS: usize = 64;

/// Limit on the boxes of a page.
const MAX_BOXES: usize = 1_000_000;

/// Returns a copy of the style with `overflow: visible`. Not inlined, as [`made`] explains.
#[inline(never)]
fn uncut(style: &Rc<Style>) -> Rc<Style> {
    let mut own = style.clone();
    if own.overflow != Overflow::Visible {
        Rc::make_mut(&mut own).overflow = Overflow::Visible;
    }
    own
}

/// Style of the content of a rotated box, and style of the box around it.
type Turned = (Rc<Style>, Rc<Style>);

/// Styles for rotating only the content. The outer box keeps its borders.
fn content_alone(style: &Rc<Style>, turn: Turn) -> Turned {
    (made(|| style.within_turned(turn)), style.clone())
}

/// Styles for rotating a box together with its borders.
#[inline(never)]
pub(crate) fn whole(style: &Rc<Style>, turn: Turn) -> Turned {
    let (inside, around) = style.turned_whole(turn);
    (Rc::new(inside), Rc::new(around))
}

/// State of box generation for one document.
///
/// The fields are the input, the result, the state of the walk, and facts for the notes.
pub(crate) struct Generator<'d, 'c> {
    // The input.
    pub dom: &'d Dom,
    pub cascade: &'c mut Cascade<'d>,
    pub gallery: &'c mut dyn Gallery,
    // The result.
    pub boxes: Boxes,
    pub counters: Counters,
    /// Font size of the root element without zoom, in px: the base of `rem`.
    pub root_size: f32,
    /// Whether a limit, such as that on boxes or generated content, was exceeded. Generation then stops, and the page
    /// is laid out without its styles.
    pub full: bool,
    // Tables by URL, SVG text and name, and an option.
    /// Loaded pictures of backgrounds and border images, by URL.
    pub(crate) backdrops: HashMap<Rc<str>, usize>,
    /// Drawings of form controls by their SVG text, so that equal controls share a drawing.
    pub drawn: HashMap<String, ResourceId>,
    /// Names that links of the document refer to; only these become anchors.
    pub targets: HashSet<Box<str>>,
    /// Whether blocks of code are coloured by their language.
    pub colours_code: bool,
    // The state of the walk.
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
    // Facts for the notes.
    /// Whether a style asks for an effect that is not supported.
    pub unsupported: bool,
    /// Number of embedded objects that are missing.
    pub blank: usize,
    /// Length of the generated content that counts towards [`MAX_GENERATED`], in bytes.
    generated: usize,
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
            colours_code: false,
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
        self.unsupported |= style.unsupported.contains(&true);
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

    /// Generates the box of the root element, and thereby of the whole document. `None` if the document has no root
    /// element, or if the root element is not displayed.
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
        // `overflow` of the root applies to the viewport. If the root has none, `overflow` of the body applies to the
        // viewport.
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

    /// Generates a box. If its writing mode differs from that of the enclosing boxes, and boxes are rotated at all
    /// (`turns`), it is generated rotated and wrapped in a second box. `styles` makes the styles of both boxes.
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
        // Rotation from the writing mode of the enclosing box to that of this box.
        let turn = Turn::of(writing).within(Turn::of(self.writing));
        let (inside, around) = styles(style, turn);
        let before = std::mem::replace(&mut self.writing, writing);
        let inner = make(self, &inside);
        self.writing = before;
        let kind = BoxContent::Turned(inner?, turn);
        Ok(self.boxes.add(around, kind, Some(dom)))
    }

    /// Counts generated content, and sets `full` beyond the limit.
    pub(crate) fn count_generated(&mut self, len: usize) {
        self.generated += len.saturating_sub(FEW_WORDS);
        self.full |= self.generated > MAX_GENERATED;
    }

    /// Returns whether more boxes may be generated.
    fn room(&mut self) -> bool {
        self.full |= self.boxes.len() > MAX_BOXES || self.cascade.is_exhausted();
        !self.full
    }

    /// Generates a block-level (or blockified) box. Numbers of lists and items come from `start`,
    /// `value` and `reversed` (HTML, 4.4.5).
    pub(crate) fn block_box(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<BoxId> {
        let number = |name: &str| self.dom.attribute(dom, name)?.trim().parse::<i32>().ok();
        // A reversed list counts down from `start`, or else from the number of its items to 1. Each item gets its
        // number.
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
            // The first item increments the counter, so the counter is set to one less.
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
        // An inside marker is the first inline box of the content; an outside marker is placed
        // beside the box.
        let mut beside = None;
        match self.marker(dom, style)? {
            Some((marker, own)) if style.text.list_position == ListPosition::Inside => {
                self.inside_marker(marker, own, &mut flow);
            }
            marker => beside = marker,
        }
        self.content(dom, style, &mut flow)?;
        let id = self.finish(flow, Some(dom));
        // These two steps need the finished content: the legend is taken out of the flow of its fieldset, and
        // `::first-letter` applies to the first inline content.
        self.set_legend_apart(dom, id);
        self.begin_lines(dom, style, id)?;
        self.boxes.get_mut(id).marker = beside;
        Ok(id)
    }
}

/// Returns whether a box is fixed to the page.
pub(crate) fn is_fixed(style: &Style) -> bool {
    style.position == Position::Fixed
}
