//! Pages as PDF content (ISO 32000-1, 8 and 9): puts what layout drew on paper, and notes where everything came to stand. A
//! page goes to the file as soon as it is full; headers and footers follow in a stream of their own, when all pages are known.

use super::{
    draw::{Area, Belongs, Draw, Pen},
    faces::{FaceId, Word},
    file::{self, File},
    structure::{Kid, NodeId, Structure},
};
use crate::document::tree::{Border, Colour, LineKind};
use pdf_writer::{
    Content, Finish, Name, Ref, Settings, Str, TextStr,
    types::{ArtifactSubtype, ArtifactType, LineCapStyle, TextRenderingMode},
};
use std::{cell::RefCell, collections::HashMap, rc::Rc};

/// How far synthetic italics lean: the tangent of 12 degrees.
const SLANT: f32 = 0.2126;

/// What belongs to no element, and why it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Artifact {
    Layout,
    Header,
    Footer,
}

/// A page that was painted.
pub(super) struct Page {
    pub(super) object: Ref,
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) contents: Vec<Ref>,
    /// The element of each piece of marked content.
    pub(super) marks: Vec<NodeId>,
    /// Links on it: where they react, and their numbers.
    pub(super) links: Vec<(Area, usize)>,
}

/// A place on a page, in the PDF's coordinates.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) page: usize,
    pub(super) y: f32,
}

/// Paints pages.
pub(super) struct Painter<'a> {
    file: &'a RefCell<File<'a>>,
    structure: &'a Structure,
    pub(super) pages: Vec<Page>,
    pub(super) anchors: HashMap<Rc<str>, Spot>,
    /// Where each entry of the outline is.
    pub(super) outline: HashMap<usize, Spot>,
    /// How many annotations there are.
    annotations: u32,
    content: Option<Canvas>,
}

/// The content of the page that is being painted.
struct Canvas {
    content: Content,
    height: f32,
    /// What the marked content belongs to that is open now.
    open: Option<Open>,
    colour: Option<Colour>,
    /// A rectangle that may go on below.
    pending: Option<(Area, Colour)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Open {
    Node(NodeId),
    Artifact(Artifact),
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
            content: None,
        }
    }

    /// Begins a page of this size, in points.
    pub(super) fn begin_page(&mut self, width: f32, height: f32) {
        self.end_page();
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
    }

    /// Ends the page that was begun last, if it is not ended.
    pub(super) fn end_page(&mut self) {
        if let Some(canvas) = self.content.take() {
            let number = self.pages.len() - 1;
            self.write(number, canvas);
        }
    }

    /// Paints on a page that was ended: its header or footer.
    pub(super) fn margin(
        &mut self,
        page: usize,
        artifact: Artifact,
        draws: &[(f32, f32, Vec<Draw>)],
    ) {
        let mut canvas = Canvas::new(self.pages[page].height);
        for (x, y, draws) in draws {
            for draw in draws {
                self.paint(&mut canvas, page, draw, *x, *y, artifact);
            }
        }
        self.write(page, canvas);
    }

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

    /// Paints on the page that was begun last. Points count from its upper left corner.
    pub(super) fn draw(&mut self, draw: &Draw, x: f32, y: f32) {
        let Some(mut canvas) = self.content.take() else {
            return;
        };
        let page = self.pages.len() - 1;
        self.paint(&mut canvas, page, draw, x, y, Artifact::Layout);
        self.content = Some(canvas);
    }

    #[allow(clippy::too_many_arguments)]
    fn paint(
        &mut self,
        canvas: &mut Canvas,
        page: usize,
        draw: &Draw,
        x: f32,
        y: f32,
        artifact: Artifact,
    ) {
        match draw {
            Draw::Fill { area, colour } => canvas.fill(moved(*area, x, y), *colour, artifact),
            Draw::Line { from, to, border } => {
                canvas.line(
                    (from.0 + x, from.1 + y),
                    (to.0 + x, to.1 + y),
                    *border,
                    artifact,
                );
            }
            Draw::Text {
                pen,
                y: base,
                words,
                belongs,
            } => {
                self.open(canvas, page, *belongs, artifact);
                canvas.text(*pen, x, base + y, words);
            }
            Draw::Picture {
                area,
                number,
                belongs,
            } => {
                self.open(canvas, page, *belongs, artifact);
                canvas.picture(moved(*area, x, y), *number);
            }
            Draw::Link { area, link } => self.pages[page].links.push((moved(*area, x, y), *link)),
            Draw::Anchor { name, y: at } => {
                let y = self.pages[page].height - at - y;
                self.anchors.entry(name.clone()).or_insert(Spot { page, y });
            }
            Draw::Outline { entry, y: at } => {
                let y = self.pages[page].height - at - y;
                self.outline.insert(*entry, Spot { page, y });
            }
        }
    }

    /// Adds a link's annotation to the structure, and says which it is.
    pub(super) fn annotation(&mut self, page: usize, node: NodeId) -> u32 {
        let number = self.annotations;
        self.annotations += 1;
        self.structure.draw(
            node,
            Kid::Annotation {
                page: page as u32,
                number,
            },
        );
        number
    }

    /// Sees to it that what is painted next belongs where it should.
    fn open(&mut self, canvas: &mut Canvas, page: usize, belongs: Belongs, artifact: Artifact) {
        canvas.flush();
        match belongs {
            Belongs::To(node) if artifact == Artifact::Layout => {
                if canvas.open == Some(Open::Node(node)) {
                    return;
                }
                canvas.close();
                let marks = &mut self.pages[page].marks;
                let mark = marks.len();
                marks.push(node);
                self.structure.draw(
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

    /// Memory that is kept, in bytes.
    pub(super) fn memory(&self) -> u64 {
        let page = |page: &Page| {
            size_of::<Page>()
                + page.marks.len() * size_of::<NodeId>()
                + page.links.len() * size_of::<(Area, usize)>()
                + 32
        };
        let pages: usize = self.pages.last().map_or(0, page) * self.pages.len();
        let structure = self.structure.len() * (size_of::<super::structure::Node>() + 48);
        (pages + structure + (self.anchors.len() + self.outline.len()) * 64) as u64
    }
}

fn moved(area: Area, x: f32, y: f32) -> Area {
    Area {
        x: area.x + x,
        y: area.y + y,
        ..area
    }
}

/// Hundredths of a point are finer than any printer.
fn round(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

impl Canvas {
    fn new(height: f32) -> Self {
        Self {
            content: Content::with_settings(Settings { pretty: false }),
            height,
            open: None,
            colour: None,
            pending: None,
        }
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.content.end_marked_content();
        }
    }

    fn open_artifact(&mut self, artifact: Artifact) {
        if self.open == Some(Open::Artifact(artifact)) {
            return;
        }
        self.close();
        let mut marked = self
            .content
            .begin_marked_content_with_properties(Name(b"Artifact"));
        let mut properties = marked.properties().artifact();
        match artifact {
            Artifact::Layout => {
                properties.kind(ArtifactType::Layout);
            }
            Artifact::Header => {
                properties
                    .kind(ArtifactType::Pagination)
                    .subtype(ArtifactSubtype::Header);
            }
            Artifact::Footer => {
                properties
                    .kind(ArtifactType::Pagination)
                    .subtype(ArtifactSubtype::Footer);
            }
        }
        properties.finish();
        self.open = Some(Open::Artifact(artifact));
    }

    fn set_colour(&mut self, colour: Colour) {
        if self.colour == Some(colour) {
            return;
        }
        self.colour = Some(colour);
        let part = |byte: u8| (f32::from(byte) / 255.0 * 1000.0).round() / 1000.0;
        self.content
            .set_fill_rgb(part(colour.0), part(colour.1), part(colour.2));
    }

    /// Fills a rectangle. One that goes on below, as the background of a box does from line to line, is filled once: programs
    /// that draw each by itself would show a fine line in between.
    fn fill(&mut self, area: Area, colour: Colour, artifact: Artifact) {
        if area.width <= 0.0 || area.height <= 0.0 {
            return;
        }
        if let Some((before, known)) = &mut self.pending
            && *known == colour
            && (before.x - area.x).abs() < 0.01
            && (before.width - area.width).abs() < 0.01
            && (before.y + before.height - area.y).abs() < 0.02
        {
            before.height += area.height;
            return;
        }
        self.flush();
        self.open_artifact(artifact);
        self.pending = Some((area, colour));
    }

    fn flush(&mut self) {
        let Some((area, colour)) = self.pending.take() else {
            return;
        };
        self.set_colour(colour);
        let y = self.height - area.y - area.height;
        self.content.rect(
            round(area.x),
            round(y),
            round(area.width),
            round(area.height),
        );
        self.content.fill_nonzero();
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32), border: Border, artifact: Artifact) {
        self.flush();
        self.open_artifact(artifact);
        let width = super::draw::points(border.width).clamp(0.1, 50.0);
        let colour = border.colour.unwrap_or(Colour(0, 0, 0));
        let part = |byte: u8| (f32::from(byte) / 255.0 * 1000.0).round() / 1000.0;
        self.content.save_state();
        self.content
            .set_stroke_rgb(part(colour.0), part(colour.1), part(colour.2));
        let (along, across) = if from.1 == to.1 {
            (true, 1.0)
        } else {
            (false, 1.0)
        };
        let strokes: &[(f32, f32)] = match border.kind {
            LineKind::Solid => &[(0.0, 1.0)],
            LineKind::Double => &[(-1.0, 1.0), (1.0, 1.0)],
            LineKind::Dashed => {
                self.content
                    .set_dash_pattern([3.0 * width, 2.0 * width], 0.0);
                &[(0.0, 1.0)]
            }
            LineKind::Dotted => {
                self.content.set_line_cap(LineCapStyle::RoundCap);
                self.content.set_dash_pattern([0.0, 2.0 * width], 0.0);
                &[(0.0, 1.0)]
            }
        };
        self.content.set_line_width(round(width * across));
        for (shift, _) in strokes {
            let shift = shift * width;
            let (dx, dy) = if along { (0.0, shift) } else { (shift, 0.0) };
            self.content
                .move_to(round(from.0 + dx), round(self.height - from.1 - dy));
            self.content
                .line_to(round(to.0 + dx), round(self.height - to.1 - dy));
            self.content.stroke();
        }
        self.content.restore_state();
    }

    fn picture(&mut self, area: Area, number: usize) {
        let y = self.height - area.y - area.height;
        self.content.save_state();
        self.content.transform([
            round(area.width),
            0.0,
            0.0,
            round(area.height),
            round(area.x),
            round(y),
        ]);
        self.content.x_object(Name(format!("P{number}").as_bytes()));
        self.content.restore_state();
    }

    fn text(&mut self, pen: Pen, x: f32, y: f32, words: &[(f32, Rc<Word>)]) {
        if words.iter().all(|(_, word)| word.glyphs.is_empty()) {
            return;
        }
        self.set_colour(pen.colour);
        let units = pen.units;
        let scale = pen.size / units;
        if pen.chosen.embolden {
            let part = |byte: u8| (f32::from(byte) / 255.0 * 1000.0).round() / 1000.0;
            self.content.save_state();
            self.content
                .set_stroke_rgb(part(pen.colour.0), part(pen.colour.1), part(pen.colour.2));
            self.content.set_line_width(round(pen.size / 32.0));
        }
        self.content.begin_text();
        if pen.chosen.embolden {
            self.content
                .set_text_rendering_mode(TextRenderingMode::FillStroke);
        }
        self.content
            .set_font(Name(&font_name(pen.chosen.face)), round(pen.size));
        let slant = if pen.chosen.slant { SLANT } else { 0.0 };
        let start = words.first().map_or(0.0, |(at, _)| *at) + x;
        let base = round(self.height - y);
        self.content
            .set_text_matrix([1.0, 0.0, slant, 1.0, round(start), base]);
        let mut line = Shown {
            content: &mut self.content,
            bytes: Vec::new(),
            items: Vec::new(),
            // Where a viewer's pen is, and where it should be, in points.
            pen: round(start),
            scale,
            size: pen.size,
            units,
            rise: 0,
        };
        for (at, word) in words {
            if word.opaque {
                line.show();
                let mut marked = line
                    .content
                    .begin_marked_content_with_properties(Name(b"Span"));
                marked.properties().actual_text(TextStr(&word.text));
                marked.finish();
            }
            line.word(at + x, word);
            if word.opaque {
                line.show();
                line.content.end_marked_content();
            }
        }
        line.show();
        self.content.end_text();
        if pen.chosen.embolden {
            self.content.restore_state();
        }
    }
}

/// The name of a face among the resources of pages.
pub(super) fn font_name(face: FaceId) -> Vec<u8> {
    format!("F{}", face.0).into_bytes()
}

/// Glyphs that are shown by one operator: strings, and how far the pen goes back between them.
struct Shown<'c> {
    content: &'c mut Content,
    bytes: Vec<u8>,
    items: Vec<(Vec<u8>, f32)>,
    pen: f32,
    scale: f32,
    size: f32,
    units: f32,
    /// How far glyphs are raised now, in units of the font.
    rise: i16,
}

impl Shown<'_> {
    fn word(&mut self, mut x: f32, word: &Word) {
        for glyph in &word.glyphs {
            if glyph.dy != self.rise {
                self.show();
                self.rise = glyph.dy;
                self.content
                    .set_rise(round(f32::from(glyph.dy) * self.scale));
            }
            self.glyph(x + f32::from(glyph.dx) * self.scale, glyph.cid, glyph.own);
            x += glyph.advance as f32 * self.scale;
        }
    }

    fn glyph(&mut self, x: f32, cid: u16, own: u16) {
        // In thousandths of the size, which is what the operator counts in.
        let off = ((self.pen - x) * 1000.0 / self.size).round();
        if off != 0.0 {
            let bytes = std::mem::take(&mut self.bytes);
            self.items.push((bytes, off));
            self.pen -= off * self.size / 1000.0;
        }
        self.bytes.extend_from_slice(&cid.to_be_bytes());
        // The width that the file states, which viewers go by.
        self.pen += width(own, self.units) * self.size / 1000.0;
    }

    fn show(&mut self) {
        if self.bytes.is_empty() && self.items.is_empty() {
            return;
        }
        if self.items.is_empty() {
            self.content.show(Str(&self.bytes));
        } else {
            let mut positioned = self.content.show_positioned();
            let mut items = positioned.items();
            for (bytes, off) in &self.items {
                if !bytes.is_empty() {
                    items.show(Str(bytes));
                }
                items.adjust(*off);
            }
            if !self.bytes.is_empty() {
                items.show(Str(&self.bytes));
            }
        }
        self.items.clear();
        self.bytes.clear();
    }
}

/// The width of a glyph as the file states it, in thousandths of the size.
pub(super) fn width(advance: u16, units: f32) -> f32 {
    (f32::from(advance) * 1000.0 / units).round()
}

/// Writes the dictionary of every page, and says which object stands around them.
pub(super) fn write_pages(
    file: &mut File<'_>,
    pages: &[Page],
    resources: Ref,
    annotations: &[Vec<Ref>],
) -> Ref {
    // A flat list of many thousands would have to be read as a whole to find one page: a tree of two levels, 64 in each.
    const TOGETHER: usize = 64;
    let root = file.next();
    let mut groups = Vec::new();
    for (nth, group) in pages.chunks(TOGETHER).enumerate() {
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
