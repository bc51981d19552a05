//! Paints pages: writes the result of layout to content streams, connects it with structure elements (ISO 32000-1, 14.7
//! and 14.8), and records the positions of links and destinations. A page is written as soon as it is full. Headers and
//! footers follow in separate content streams when all pages are known, since they may show the number of pages.

use super::{
    canvas::{Artifact, Canvas, Open, round},
    drawn::{Drawn, Kid},
    file::{self, File},
};
use crate::error::Result;
use convertd_layout::{
    item::{Area, Item, Owner},
    medium::{Margin, Medium, Placed},
    structure::{Node, NodeId, Structure},
};
use pdf_writer::{Finish, Name, Ref};
use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

/// A page whose content is written. The page object follows at the end of the file.
pub(super) struct Page {
    pub object: Ref,
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// Content streams, in painting order.
    pub contents: Vec<Ref>,
    /// Structure element of each marked-content identifier (MCID).
    pub marks: Vec<NodeId>,
    /// Links of the page: their active areas and numbers.
    pub links: Vec<(Area, usize)>,
}

/// Position on a page: the page's index from 0, and the distance from its lower edge in points.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub page: usize,
    pub y: f32,
}

/// Paints the pages of one document.
pub(super) struct Painter<'a> {
    file: &'a RefCell<File<'a>>,
    structure: &'a Structure,
    // Results, which the end of the file needs.
    pub pages: Vec<Page>,
    /// First position of each anchor.
    pub anchors: HashMap<Rc<str>, Spot>,
    /// Destination of each outline item.
    pub outline: HashMap<usize, Spot>,
    /// Number of annotations so far.
    annotations: u32,
    /// Painted part of the structure.
    pub drawn: Drawn,
    /// Opacities in use, in hundredths.
    pub(crate) fades: BTreeSet<u8>,
    /// Content stream of the current page.
    content: Option<Canvas>,
}

impl Medium for Painter<'_> {
    fn begin_page(&mut self, width: f32, height: f32) -> Result<()> {
        self.end_page();
        self.file.borrow_mut().check()?;
        let object = self.file.borrow_mut().next();
        self.pages.push(Page {
            object,
            width,
            height,
            contents: Vec::new(),
            marks: Vec::new(),
            links: Vec::new(),
        });
        self.content = Some(Canvas::new(height));
        Ok(())
    }

    fn end_page(&mut self) {
        if let Some(canvas) = self.content.take() {
            let number = self.pages.len() - 1;
            self.write(number, canvas);
        }
    }

    fn margin(&mut self, page: usize, margin: Margin, placed: &[Placed]) {
        let artifact = match margin {
            Margin::Header => Artifact::Header,
            Margin::Footer => Artifact::Footer,
        };
        let mut canvas = Canvas::new(self.pages[page].height);
        for Placed { x, y, items } in placed {
            for draw in items {
                self.paint(&mut canvas, page, draw, (*x, *y), artifact);
            }
        }
        self.write(page, canvas);
    }

    fn draw_background(&mut self, page: usize, margin: Option<Margin>, placed: &[Placed]) {
        let artifact = match margin {
            None => Artifact::Layout,
            Some(Margin::Header) => Artifact::Header,
            Some(Margin::Footer) => Artifact::Footer,
        };
        let mut canvas = Canvas::new(self.pages[page].height);
        for Placed { x, y, items } in placed {
            for draw in items {
                self.paint(&mut canvas, page, draw, (*x, *y), artifact);
            }
        }
        let before = self.pages[page].contents.len();
        self.write(page, canvas);
        // The background has to be painted first, so its stream moves to the front.
        let contents = &mut self.pages[page].contents;
        if contents.len() > before {
            contents.rotate_right(1);
        }
    }

    fn draw(&mut self, draw: &Item, x: f32, y: f32) {
        let Some(mut canvas) = self.content.take() else {
            return;
        };
        let page = self.pages.len() - 1;
        self.paint(&mut canvas, page, draw, (x, y), Artifact::Layout);
        self.content = Some(canvas);
    }

    // An estimate: every page is counted with the size of the last one, because an exact sum at each page would take
    // quadratic time for the whole document.
    fn memory(&self) -> u64 {
        let page = |page: &Page| {
            size_of::<Page>()
                + page.marks.len() * size_of::<NodeId>()
                + page.links.len() * size_of::<(Area, usize)>()
                + 32
        };
        let pages: usize = self.pages.last().map_or(0, page) * self.pages.len();
        let structure = self.structure.len() * (size_of::<Node>() + 48);
        (pages + structure + (self.anchors.len() + self.outline.len()) * 64) as u64
            + self.file.borrow().memory()
    }
}

impl<'a> Painter<'a> {
    pub(super) fn new(file: &'a RefCell<File<'a>>, structure: &'a Structure) -> Self {
        Self {
            file,
            structure,
            pages: Vec::new(),
            anchors: HashMap::new(),
            outline: HashMap::new(),
            annotations: 0,
            drawn: Drawn::default(),
            fades: BTreeSet::new(),
            content: None,
        }
    }

    /// Writes the content stream of a finished canvas, and adds it to its page. An empty stream is left out.
    fn write(&mut self, page: usize, mut canvas: Canvas) {
        canvas.flush();
        canvas.close();
        let data = canvas.content.finish();
        if data.is_empty() {
            return;
        }
        let mut file = self.file.borrow_mut();
        let id = file.next();
        file.stream(id, &data, |_| ());
        self.pages[page].contents.push(id);
    }

    /// Paints an item of the layout, moved by `x` and `y`. Items that contain others open a graphics state around them.
    fn paint(
        &mut self,
        canvas: &mut Canvas,
        page: usize,
        draw: &Item,
        (x, y): (f32, f32),
        artifact: Artifact,
    ) {
        match draw {
            Item::Fill { area, colour } => canvas.fill(moved(*area, x, y), *colour, artifact),
            Item::Line { from, to, border } => {
                canvas.line(
                    (from.0 + x, from.1 + y),
                    (to.0 + x, to.1 + y),
                    *border,
                    artifact,
                );
            }
            Item::Dashes(dashes) => {
                let mut dashes = *dashes;
                for end in [&mut dashes.from, &mut dashes.to] {
                    *end = (end.0 + x, end.1 + y);
                }
                canvas.dashes(&dashes, artifact);
            }
            Item::Text {
                pen,
                y: base,
                words,
                belongs,
            } => {
                self.open(canvas, page, *belongs, artifact);
                canvas.text(*pen, x, base + y, words);
            }
            Item::Picture {
                area,
                number,
                belongs,
            } => {
                self.open(canvas, page, *belongs, artifact);
                canvas.picture(moved(*area, x, y), *number);
            }
            Item::Link { area, link } => self.pages[page].links.push((moved(*area, x, y), *link)),
            Item::Anchor { name, y: at } => {
                let y = self.pages[page].height - at - y;
                self.anchors.entry(name.clone()).or_insert(Spot { page, y });
            }
            Item::Moved { matrix, items } => {
                let [a, b, c, d, e, f] = *matrix;
                // The matrix is for coordinates relative to the item's container; it is moved to the corner of the
                // page: `T(x, y) * M * T(-x, -y)`.
                let e = e + x - a * x - c * y;
                let f = f + y - b * x - d * y;
                canvas.begin_moved([a, b, c, d, e, f]);
                for item in items {
                    self.paint(canvas, page, item, (x, y), artifact);
                }
                canvas.end_moved();
            }
            Item::Cut { area, items } => {
                canvas.begin_cut(moved(*area, x, y));
                for item in items {
                    self.paint(canvas, page, item, (x, y), artifact);
                }
                canvas.end_moved();
            }
            Item::Path { path, colour } => canvas.path(path, x, y, *colour, artifact),
            Item::Clipped { path, items } => {
                canvas.begin_clipped(path, x, y);
                for item in items {
                    self.paint(canvas, page, item, (x, y), artifact);
                }
                canvas.end_moved();
            }
            Item::Faded { opacity, items } => {
                let hundredths = (opacity.clamp(0.0, 1.0) * 100.0).round() as u8;
                self.fades.insert(hundredths);
                canvas.begin_faded(hundredths);
                for item in items {
                    self.paint(canvas, page, item, (x, y), artifact);
                }
                canvas.end_moved();
            }
            Item::Outline { entry, y: at } => {
                let y = self.pages[page].height - at - y;
                self.outline.insert(*entry, Spot { page, y });
            }
        }
    }

    /// Adds the annotation of a link to the structure, and returns its number in the document.
    pub(super) fn annotation(&mut self, page: usize, node: NodeId) -> u32 {
        let number = self.annotations;
        self.annotations += 1;
        self.drawn.draw(
            self.structure,
            node,
            Kid::Annotation {
                page: page as u32,
                number,
            },
        );
        number
    }

    /// Opens the marked-content sequence that the next content belongs to, unless it is open already. A sequence of a
    /// structure element has an identifier (MCID) that is unique on its page; content of headers and footers is always
    /// an artifact.
    fn open(&mut self, canvas: &mut Canvas, page: usize, belongs: Owner, artifact: Artifact) {
        canvas.flush();
        match belongs {
            Owner::To(node) if artifact == Artifact::Layout => {
                if canvas.open == Some(Open::Node(node)) {
                    return;
                }
                canvas.close();
                let marks = &mut self.pages[page].marks;
                let mark = marks.len();
                marks.push(node);
                self.drawn.draw(
                    self.structure,
                    node,
                    Kid::Content {
                        page: page as u32,
                        mark: mark as u32,
                    },
                );
                let mut marked = canvas
                    .content
                    .begin_marked_content_with_properties(Name(b"Span"));
                marked.properties().identify(mark as i32);
                marked.finish();
                canvas.open = Some(Open::Node(node));
            }
            _ => canvas.open_artifact(artifact),
        }
    }
}

/// Moves an area by a distance.
fn moved(area: Area, x: f32, y: f32) -> Area {
    Area {
        x: area.x + x,
        y: area.y + y,
        ..area
    }
}

/// Writes the page objects and the page tree (ISO 32000-1, 7.7.3), and returns its root.
pub(crate) fn write_pages(
    file: &mut File<'_>,
    pages: &[Page],
    resources: Ref,
    annotations: &[Vec<Ref>],
) -> Ref {
    // A viewer would have to read a flat list of many thousands completely to find one page. So the tree has two
    // levels, with up to 64 pages in each node of the second.
    const TOGETHER: usize = 64;
    let root = file.next();
    let mut groups = Vec::new();
    for (nth, group) in pages.chunks(TOGETHER).enumerate() {
        // If all pages fit into one group, the group is the root itself.
        let id = if pages.len() <= TOGETHER {
            root
        } else {
            file.next()
        };
        groups.push((id, group.len()));
        for (at, page) in group.iter().enumerate() {
            let number = nth * TOGETHER + at;
            file::small(file, page.object, |object| {
                let mut dictionary: pdf_writer::writers::Page<'_> = object.start();
                dictionary.parent(id);
                dictionary.media_box(pdf_writer::Rect::new(
                    0.0,
                    0.0,
                    round(page.width),
                    round(page.height),
                ));
                dictionary.pair(Name(b"Resources"), resources);
                match page.contents.as_slice() {
                    [one] => {
                        dictionary.contents(*one);
                    }
                    many => {
                        dictionary.contents_array(many.iter().copied());
                    }
                }
                dictionary.struct_parents(number as i32);
                dictionary.tab_order(pdf_writer::types::TabOrder::StructureOrder);
                if !annotations[number].is_empty() {
                    dictionary.annotations(annotations[number].iter().copied());
                }
            });
        }
        file::small(file, id, |object| {
            let mut dictionary: pdf_writer::writers::Pages<'_> = object.start();
            if id != root {
                dictionary.parent(root);
            }
            dictionary.count(group.len() as i32);
            dictionary.kids(group.iter().map(|page| page.object));
        });
    }
    if pages.len() > TOGETHER {
        file::small(file, root, |object| {
            let mut dictionary: pdf_writer::writers::Pages<'_> = object.start();
            dictionary.count(pages.len() as i32);
            dictionary.kids(groups.iter().map(|(id, _)| *id));
        });
    }
    root
}
