//! Writes the frames of a slide or a layout (ECMA-376 part 1, 19.3.1.45): shapes, pictures, tables and groups.

use super::looks::{blip, corners, geometry, line, stretch, transform};
use super::words::{anchor, direction};
use crate::{
    containers::xml::Writer,
    deck::{Cell, Content, Frame, Picture, Place, Role, Shape, Table},
    deck_material::{GrowingLease, Material, Sheet},
    error::Result,
    formats::pptx::write::{package::Media, text},
    plan::table_of,
};
use convertd_office::{
    drawing::{Fill, Geometry},
    wordprocessing::write::Relationships,
};
use convertd_tree::ResourceId;

/// Identifier of a built-in table style without fills and lines. Each cell states its own fill and lines.
const NO_STYLE: &str = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}";

/// Writer of the frames of one part.
pub(super) struct Writing<'j, 'w, 'd> {
    pub(super) material: &'w Material,
    /// Collects the pictures that are used.
    pub(super) media: &'w mut Media<'d>,
    pub(super) relationships: Relationships,
    pub(super) sheet: Sheet,
    /// Path from the folder of this part to the folder of the slides.
    pub(super) slides: &'static str,
    /// Identifier of the last shape.
    last: i64,
    /// Number of charts so far.
    charts: usize,
    /// Whether the part has a title. Only the first title is marked, because a slide can have only one.
    titled: bool,
    /// Lease for the memory of the part.
    pub(super) lease: GrowingLease<'j>,
}

impl<'j, 'w, 'd> Writing<'j, 'w, 'd> {
    pub(super) fn new(
        material: &'w Material,
        media: &'w mut Media<'d>,
        sheet: Sheet,
        slides: &'static str,
        lease: GrowingLease<'j>,
    ) -> Self {
        Self {
            material,
            media,
            relationships: Relationships::default(),
            sheet,
            slides,
            last: 1,
            charts: 0,
            titled: false,
            lease,
        }
    }

    /// Returns the relationship to a picture of the deck. `None` if the deck lacks the picture, or PowerPoint cannot
    /// show it.
    pub(super) fn picture(&mut self, name: &str) -> Option<String> {
        let id = self.material.picture(name)?;
        self.resource(id)
    }

    fn resource(&mut self, id: ResourceId) -> Option<String> {
        let name = self.media.name(id)?;
        let target = format!("../media/{name}");
        Some(self.relationships.add("image", &target, false))
    }

    /// Writes the target of a click: an address, or `#` and the number of a slide. A link is dropped if its slide is
    /// left out, or is the slide with the link.
    pub(super) fn click(&mut self, xml: &mut Writer, link: &str) {
        let Some(number) = link.strip_prefix('#') else {
            let id = self.relationships.add("hyperlink", link, true);
            return text::click(xml, &id, None);
        };
        let Some(slide) = number
            .parse()
            .ok()
            .and_then(|number| self.material.written(number))
        else {
            return;
        };
        // A part may not refer to itself.
        if self.sheet == Sheet::Slide(self.material.slides[slide]) {
            return;
        }
        let target = format!("{}slide{}.xml", self.slides, slide + 1);
        let id = self.relationships.add("slide", &target, false);
        text::click(xml, &id, Some("ppaction://hlinksldjump"));
    }

    /// Leases memory for the XML that has been written.
    pub(super) fn hold(&mut self, xml: &Writer) -> Result<()> {
        self.lease.hold(xml.len())
    }

    /// Writes frames from back to front. Frames without a place are left out, except groups.
    pub(super) fn frames(&mut self, xml: &mut Writer, frames: &[Frame]) -> Result<()> {
        for frame in frames {
            self.hold(xml)?;
            match (&frame.content, frame.place) {
                (Content::Group(frames), _) => self.group(xml, frame, frames)?,
                (Content::Chart(_), None) => self.charts += 1,
                (_, None) => {}
                (Content::Shape(shape), Some(place)) => self.shape(xml, frame, shape, &place)?,
                (Content::Picture(picture), Some(place)) => {
                    let id = self.picture(&picture.name);
                    self.shown(xml, frame, id, picture, &place)?;
                }
                (Content::Table(table), Some(place)) => self.table(xml, frame, table, &place)?,
                (Content::Chart(chart), Some(place)) => {
                    let drawing = self.material.chart(self.sheet, self.charts);
                    self.charts += 1;
                    match drawing {
                        Some(id) => {
                            let id = self.resource(id);
                            self.shown(xml, frame, id, &Picture::default(), &place)?;
                        }
                        // Charts without a drawing become a table.
                        None => self.table(xml, frame, &table_of(&chart.chart, place), &place)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a group. The frames in the group have the coordinates of the slide.
    fn group(&mut self, xml: &mut Writer, group: &Frame, frames: &[Frame]) -> Result<()> {
        xml.start("p:grpSp").start("p:nvGrpSpPr");
        self.named(xml, "Group", group);
        xml.end();
        xml.raw("<p:cNvGrpSpPr/><p:nvPr/>").end();
        xml.start("p:grpSpPr");
        if let Some(place) = group.place {
            xml.start("a:xfrm");
            corners(xml, ["a:off", "a:ext"], &place);
            corners(xml, ["a:chOff", "a:chExt"], &place);
            xml.end();
        }
        xml.end();
        self.frames(xml, frames)?;
        xml.end();
        Ok(())
    }

    /// Writes the identifier and name of a frame as `p:cNvPr`.
    fn named(&mut self, xml: &mut Writer, name: &str, frame: &Frame) {
        self.last += 1;
        xml.start("p:cNvPr")
            .number("id", self.last)
            .attribute("name", format!("{name} {}", self.last));
        if !frame.alternative.is_empty() {
            xml.attribute("descr", &frame.alternative);
        }
        if let Some(link) = &frame.link {
            self.click(xml, link);
        }
    }

    /// Writes a shape with its text.
    fn shape(
        &mut self,
        xml: &mut Writer,
        frame: &Frame,
        shape: &Shape,
        place: &Place,
    ) -> Result<()> {
        xml.start("p:sp").start("p:nvSpPr");
        let is_title = frame.role == Role::Title && !std::mem::replace(&mut self.titled, true);
        self.named(xml, if is_title { "Title" } else { "Shape" }, frame);
        xml.end().start("p:cNvSpPr");
        let plain = shape.fill == Fill::None && shape.line.is_none();
        if plain && !is_title && matches!(shape.geometry, Geometry::Rectangle) {
            xml.attribute("txBox", "1");
        }
        xml.end().start("p:nvPr");
        if is_title {
            xml.start("p:ph").attribute("type", "title").end();
        }
        xml.end().end();
        xml.start("p:spPr");
        transform(xml, "a:xfrm", place);
        geometry(xml, &shape.geometry, place);
        self.fill(xml, &shape.fill);
        line(xml, "a:ln", shape.line.as_ref());
        xml.end();
        if let Some(body) = &shape.text {
            self.body(xml, body)?;
        }
        xml.end();
        Ok(())
    }

    /// Writes a picture. A picture that is missing or that PowerPoint cannot show becomes an empty rectangle with its
    /// alternative text.
    fn shown(
        &mut self,
        xml: &mut Writer,
        frame: &Frame,
        id: Option<String>,
        picture: &Picture,
        place: &Place,
    ) -> Result<()> {
        let Some(id) = id else {
            let shape = Shape {
                line: picture.line.clone(),
                ..Shape::default()
            };
            return self.shape(xml, frame, &shape, place);
        };
        xml.start("p:pic").start("p:nvPicPr");
        self.named(xml, "Picture", frame);
        xml.end().start("p:cNvPicPr").end();
        xml.start("p:nvPr").end().end();
        xml.start("p:blipFill");
        blip(xml, &id, 1.0, picture.crop);
        stretch(xml);
        xml.end();
        xml.start("p:spPr");
        transform(xml, "a:xfrm", place);
        geometry(xml, &Geometry::Rectangle, place);
        if picture.line.is_some() {
            line(xml, "a:ln", picture.line.as_ref());
        }
        xml.end().end();
        Ok(())
    }

    /// Writes a table (21.1.3.13). Covered cells are written, too, with a mark for each direction.
    fn table(
        &mut self,
        xml: &mut Writer,
        frame: &Frame,
        table: &Table,
        place: &Place,
    ) -> Result<()> {
        if table.rows.is_empty() || table.columns.is_empty() {
            return Ok(());
        }
        xml.start("p:graphicFrame").start("p:nvGraphicFramePr");
        self.named(xml, "Table", frame);
        xml.end();
        xml.raw("<p:cNvGraphicFramePr/><p:nvPr/>").end();
        transform(xml, "p:xfrm", place);
        xml.start("a:graphic").start("a:graphicData").attribute(
            "uri",
            "http://schemas.openxmlformats.org/drawingml/2006/table",
        );
        xml.start("a:tbl").start("a:tblPr");
        if table.headed {
            xml.attribute("firstRow", "1");
        }
        xml.leaf("a:tableStyleId", NO_STYLE).end();
        xml.start("a:tblGrid");
        for width in &table.columns {
            xml.start("a:gridCol")
                .number("w", width.round() as i64)
                .end();
        }
        xml.end();
        // For each column: the number of further rows that its current cell covers, and the width of this cell in
        // columns.
        let mut covered = vec![(0_u16, 1_u16); table.columns.len()];
        for row in &table.rows {
            xml.start("a:tr").number("h", row.height.round() as i64);
            // Number of further columns that the current cell covers, and whether a cell above covers this cell.
            let mut beside = (0_u16, false);
            for (column, above) in covered.iter_mut().enumerate() {
                let nothing = Cell::default();
                let cell = row.cells.get(column).unwrap_or(&nothing);
                xml.start("a:tc");
                if beside.0 > 0 {
                    beside.0 -= 1;
                    xml.attribute("hMerge", "1");
                    if beside.1 {
                        xml.attribute("vMerge", "1");
                    }
                } else {
                    let from_above = above.0 > 0;
                    if from_above {
                        above.0 -= 1;
                        xml.attribute("vMerge", "1");
                    } else {
                        let (rows, columns) = (cell.spans.0.max(1), cell.spans.1.max(1));
                        let columns_left = (table.columns.len() - column).min(1000) as u16;
                        *above = (rows - 1, columns.min(columns_left));
                        if rows > 1 {
                            xml.number("rowSpan", rows);
                        }
                    }
                    if above.1 > 1 {
                        xml.number("gridSpan", above.1);
                    }
                    beside = (above.1 - 1, from_above);
                }
                self.cell(xml, cell)?;
                xml.end();
            }
            xml.end();
        }
        xml.end().end().end().end();
        Ok(())
    }

    /// Writes the text and the properties of a cell (21.1.3.17).
    fn cell(&mut self, xml: &mut Writer, cell: &Cell) -> Result<()> {
        xml.start("a:txBody").start("a:bodyPr").end();
        xml.start("a:lstStyle").end();
        self.paragraphs(xml, &cell.text.paragraphs)?;
        xml.end().start("a:tcPr");
        for (name, inset) in ["marL", "marT", "marR", "marB"]
            .into_iter()
            .zip(cell.text.insets)
        {
            xml.number(name, inset.round() as i64);
        }
        if let Some(direction) = direction(cell.text.turn) {
            xml.attribute("vert", direction);
        }
        xml.attribute("anchor", anchor(cell.text.anchor));
        let [left, top, right, bottom] = &cell.borders;
        for (element, border) in [
            ("a:lnL", left),
            ("a:lnR", right),
            ("a:lnT", top),
            ("a:lnB", bottom),
        ] {
            line(xml, element, border.as_ref());
        }
        self.fill(xml, &cell.fill);
        xml.end();
        Ok(())
    }
}
