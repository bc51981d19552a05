//! Writes slides and notes pages (ECMA-376 part 1, 19.3): placeholders, text boxes, tables and pictures. The module
//! `write::fit` has already computed their positions.

use super::{
    number,
    package::{Media, TABLE_STYLE, part},
    text::{self, Container},
};
use crate::{
    containers::xml::Writer,
    write::{
        Grid, GridCell, GridPlace, Layout, Line, Link, Page, Placed, Run, Shown, SlideObject, Words,
    },
};
use convertd_office::wordprocessing::write::Relationships;

/// Writer of a slide.
pub(super) struct Slide<'s, 'd> {
    /// Collects the pictures that the slides show.
    media: &'s mut Media<'d>,
    pub(super) relationships: Relationships,
    /// Index of the slide.
    index: usize,
    /// Identifier of the last shape.
    last: i64,
}

impl<'s, 'd> Slide<'s, 'd> {
    pub(super) fn new(index: usize, media: &'s mut Media<'d>) -> Self {
        Self {
            media,
            relationships: Relationships::default(),
            index,
            last: 1,
        }
    }

    /// Writes the part of a slide.
    pub(super) fn write(&mut self, page: &Page) -> String {
        let layout = format!("../slideLayouts/slideLayout{}.xml", number(page.layout));
        self.relationships.add("slideLayout", &layout, false);
        if !page.notes.is_empty() {
            let notes = format!("../notesSlides/notesSlide{}.xml", self.index + 1);
            self.relationships.add("notesSlide", &notes, false);
        }
        let mut xml = part("p:sld");
        xml.start("p:cSld");
        tree(&mut xml);
        if !page.title.is_empty() {
            let kind = match page.layout {
                Layout::Title => "ctrTitle",
                _ => "title",
            };
            let title = Line {
                runs: page.title.clone(),
                ..Line::default()
            };
            self.placeholder(&mut xml, "Title", &[("type", kind)], None, &[title]);
        }
        if !page.subtitle.is_empty() {
            let place = [("type", "subTitle"), ("idx", "1")];
            self.placeholder(&mut xml, "Subtitle", &place, None, &page.subtitle);
        }
        // If the body is the only part of the slide besides a title, it keeps the position that the layout states.
        let is_only = page.parts.len() == 1;
        for placed in &page.parts {
            match &placed.part {
                SlideObject::Text(lines) if placed.is_body && page.layout == Layout::Content => {
                    let place = Some(placed).filter(|_| !is_only || page.title.is_empty());
                    self.placeholder(&mut xml, "Content", &[("idx", "1")], place, lines);
                }
                SlideObject::Text(lines) => self.text_box(&mut xml, placed, lines),
                SlideObject::Table(grid) => self.table(&mut xml, placed, grid),
                SlideObject::Picture(picture) => self.picture(&mut xml, placed, picture),
            }
        }
        end(xml)
    }

    /// Begins the non-visual properties of a shape with its identifier and name.
    fn named(&mut self, xml: &mut Writer, name: &str) {
        self.last += 1;
        xml.start("p:cNvPr")
            .number("id", self.last)
            .attribute("name", format!("{name} {}", self.last));
    }

    /// Writes a placeholder, which inherits position and formatting from the layout. `place` is its position, if it
    /// differs from that of the layout.
    fn placeholder(
        &mut self,
        xml: &mut Writer,
        name: &str,
        placeholder: &[(&str, &str)],
        place: Option<&Placed>,
        lines: &[Line],
    ) {
        xml.start("p:sp").start("p:nvSpPr");
        self.named(xml, name);
        xml.end().start("p:cNvSpPr").start("a:spLocks");
        xml.attribute("noGrp", "1").end().end();
        xml.start("p:nvPr").start("p:ph");
        for (name, value) in placeholder {
            xml.attribute(name, value);
        }
        xml.end().end().end();
        xml.start("p:spPr");
        if let Some(place) = place {
            transform(xml, "a:xfrm", place);
        }
        xml.end();
        xml.start("p:txBody").start("a:bodyPr");
        if place.is_some() {
            xml.start("a:normAutofit").end();
        }
        xml.end().start("a:lstStyle").end();
        let container = match name {
            "Content" => Container::Body,
            _ => Container::Plain,
        };
        self.lines(xml, lines, container);
        xml.end().end();
    }

    /// Writes a text box.
    fn text_box(&mut self, xml: &mut Writer, placed: &Placed, lines: &[Line]) {
        xml.start("p:sp").start("p:nvSpPr");
        self.named(xml, "Text");
        xml.end().start("p:cNvSpPr").attribute("txBox", "1").end();
        xml.start("p:nvPr").end().end();
        xml.start("p:spPr");
        transform(xml, "a:xfrm", placed);
        rectangle(xml);
        xml.start("a:noFill").end().end();
        xml.start("p:txBody")
            .start("a:bodyPr")
            .attribute("wrap", "square")
            .start("a:normAutofit")
            .end()
            .end();
        xml.start("a:lstStyle").end();
        self.lines(xml, lines, Container::Box);
        xml.end().end();
    }

    /// Writes the paragraphs of a shape.
    fn lines(&mut self, xml: &mut Writer, lines: &[Line], container: Container) {
        let (relationships, index) = (&mut self.relationships, self.index);
        text::lines(xml, lines, container, &mut |link| {
            link_to(relationships, index, link)
        });
    }

    /// Writes a table as a graphic frame (21.1.3.13). Covered cells are written, too, with a mark for each direction.
    fn table(&mut self, xml: &mut Writer, placed: &Placed, grid: &Grid) {
        xml.start("p:graphicFrame").start("p:nvGraphicFramePr");
        self.named(xml, "Table");
        xml.end()
            .start("p:cNvGraphicFramePr")
            .start("a:graphicFrameLocks");
        xml.attribute("noGrp", "1").end().end();
        xml.start("p:nvPr").end().end();
        transform(xml, "p:xfrm", placed);
        xml.start("a:graphic").start("a:graphicData").attribute(
            "uri",
            "http://schemas.openxmlformats.org/drawingml/2006/table",
        );
        xml.start("a:tbl").start("a:tblPr");
        if grid.head > 0 {
            xml.attribute("firstRow", "1");
        }
        xml.attribute("bandRow", "1")
            .leaf("a:tableStyleId", TABLE_STYLE)
            .end();
        xml.start("a:tblGrid");
        for width in &grid.columns {
            xml.start("a:gridCol").number("w", *width).end();
        }
        xml.end();
        for row in &grid.rows {
            xml.start("a:tr").number("h", row.height);
            for place in &row.places {
                xml.start("a:tc");
                let nothing = GridCell::default();
                let cell = match place {
                    GridPlace::Cell(cell) => {
                        if cell.rows > 1 {
                            xml.number("rowSpan", cell.rows);
                        }
                        if cell.columns > 1 {
                            xml.number("gridSpan", cell.columns);
                        }
                        cell
                    }
                    GridPlace::Covered { left, above } => {
                        if *left {
                            xml.attribute("hMerge", "1");
                        }
                        if *above {
                            xml.attribute("vMerge", "1");
                        }
                        &nothing
                    }
                };
                xml.start("a:txBody").start("a:bodyPr").end();
                xml.start("a:lstStyle").end();
                let (relationships, index) = (&mut self.relationships, self.index);
                text::cell(xml, &cell.lines, &mut |link| {
                    link_to(relationships, index, link)
                });
                xml.end().start("a:tcPr").end().end();
            }
            xml.end();
        }
        xml.end().end().end().end();
    }

    /// Writes a picture. If PowerPoint cannot show its format, the alternative text is written instead.
    fn picture(&mut self, xml: &mut Writer, placed: &Placed, picture: &Shown) {
        let Some(name) = self.media.name(picture.id) else {
            let words = Run {
                words: Words::Text(picture.alternative.to_string()),
                italic: true,
                ..Run::default()
            };
            let line = Line {
                runs: vec![words],
                ..Line::default()
            };
            return self.text_box(xml, placed, &[line]);
        };
        let id = self
            .relationships
            .add("image", &format!("../media/{name}"), false);
        xml.start("p:pic").start("p:nvPicPr");
        self.named(xml, "Picture");
        xml.attribute("descr", &picture.alternative);
        if let Some(link) = &picture.link
            && let Some((id, action)) = link_to(&mut self.relationships, self.index, link)
        {
            text::click(xml, &id, action);
        }
        xml.end().start("p:cNvPicPr").start("a:picLocks");
        xml.attribute("noChangeAspect", "1").end().end();
        xml.start("p:nvPr").end().end();
        xml.start("p:blipFill").start("a:blip");
        xml.attribute("r:embed", id).end();
        xml.start("a:stretch").start("a:fillRect").end().end().end();
        xml.start("p:spPr");
        transform(xml, "a:xfrm", placed);
        rectangle(xml);
        xml.end().end();
    }
}

/// Writes a notes page: the picture of the slide, and the notes.
pub(super) fn notes(index: usize, page: &Page, media: &mut Media<'_>) -> (String, Relationships) {
    let mut slide = Slide::new(index, media);
    let mut xml = begin_notes(index, &mut slide.relationships);
    slide.last = NOTES_SHAPES;
    let place = [("type", "body"), ("idx", "1")];
    slide.placeholder(&mut xml, "Notes", &place, None, &page.notes);
    let relationships = std::mem::take(&mut slide.relationships);
    (end(xml), relationships)
}

/// Identifier of the last shape that [`begin_notes`] writes.
pub(super) const NOTES_SHAPES: i64 = 2;

/// Begins the notes page of a slide, with the picture of the slide.
pub(super) fn begin_notes(index: usize, relationships: &mut Relationships) -> Writer {
    let target = format!("../slides/slide{}.xml", index + 1);
    relationships.add("notesMaster", "../notesMasters/notesMaster1.xml", false);
    relationships.add("slide", &target, false);
    let mut xml = part("p:notes");
    xml.start("p:cSld");
    tree(&mut xml);
    xml.start("p:sp").start("p:nvSpPr");
    xml.raw(
        "<p:cNvPr id=\"2\" name=\"Slide Image 2\"/><p:cNvSpPr><a:spLocks noGrp=\"1\" noRot=\"1\" \
         noChangeAspect=\"1\"/></p:cNvSpPr><p:nvPr><p:ph type=\"sldImg\"/></p:nvPr>",
    );
    xml.end().start("p:spPr").end().end();
    xml
}

/// Adds the relationship of a link. Returns its identifier and, for a link to another slide, the action of a click.
/// `None` for a link to this slide, and for an anchor that is not on a slide.
fn link_to(
    relationships: &mut Relationships,
    index: usize,
    link: &Link,
) -> Option<(String, Option<&'static str>)> {
    match link {
        Link::Address(address) => Some((relationships.add("hyperlink", address, true), None)),
        Link::Slide(slide) if *slide == index => None,
        Link::Slide(slide) => {
            let id = relationships.add("slide", &format!("slide{}.xml", slide + 1), false);
            Some((id, Some("ppaction://hlinksldjump")))
        }
        Link::Name(_) => None,
    }
}

/// Begins the shape tree.
pub(super) fn tree(xml: &mut Writer) {
    xml.start("p:spTree");
    xml.raw(
        "<p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>",
    );
}

/// Ends the shape tree and the part.
pub(super) fn end(mut xml: Writer) -> String {
    xml.end().end();
    xml.raw("<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>");
    xml.finish()
}

/// Writes the place of a shape.
fn transform(xml: &mut Writer, element: &'static str, placed: &Placed) {
    xml.start(element);
    xml.start("a:off")
        .number("x", placed.x)
        .number("y", placed.y)
        .end();
    xml.start("a:ext")
        .number("cx", placed.width)
        .number("cy", placed.height)
        .end();
    xml.end();
}

/// Writes a rectangular outline.
fn rectangle(xml: &mut Writer) {
    xml.raw("<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom>");
}
