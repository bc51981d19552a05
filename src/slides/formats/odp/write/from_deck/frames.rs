//! Writes the frames of a page (OpenDocument 1.3, part 3, 10.3 and 10.4): shapes, pictures, tables and groups.

use super::{
    length,
    looks::{enhanced, position, straight, turned},
    styles::Styles,
    words::{anchor, paddings},
};
use crate::{
    containers::xml::Writer,
    deck::{Cell, Content, Frame, Picture, Place, Role, Shape, Table},
    deck_material::{GrowingLease, Material, Sheet},
    error::Result,
    formats::odp::write,
    plan::table_of,
};
use convertd_office::drawing::{Crop, Fill, Geometry};
use convertd_tree::{ResourceId, losses::Losses, media};
use std::collections::BTreeSet;

/// Namespace of LibreOffice's extensions. LibreOffice reads the fill of a cell only from an element in this namespace,
/// which the schema does not permit.
const LOEXT: &str = "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0";

/// Writer of the frames of one page.
pub(super) struct Writing<'j, 'w> {
    pub(super) material: &'w Material,
    pub(super) styles: &'w mut Styles,
    /// Indexes of the pictures in use.
    pub(super) pictures: &'w mut BTreeSet<usize>,
    pub(super) sheet: Sheet,
    /// Number of charts so far.
    pub(super) charts: usize,
    /// Whether the page has a title. Only the first title is marked.
    pub(super) titled: bool,
    pub(super) losses: Losses,
    /// Lease for the memory of the part and the styles.
    pub(super) lease: GrowingLease<'j>,
}

impl Writing<'_, '_> {
    /// Returns the address of a picture of the deck within the package. `None` if the deck lacks it.
    pub(super) fn picture(&mut self, name: &str) -> Option<String> {
        let id = self.material.picture(name)?;
        Some(self.resource(id))
    }

    fn resource(&mut self, id: ResourceId) -> String {
        self.pictures.insert(id.index());
        write::picture(&self.material.document, id.index())
    }

    /// Writes frames from back to front. Frames without a place are left out, except for the frames within a group.
    pub(super) fn frames(&mut self, xml: &mut Writer, frames: &[Frame]) -> Result<()> {
        for frame in frames {
            self.hold(xml)?;
            let Some(place) = frame.place else {
                self.charts += usize::from(matches!(frame.content, Content::Chart(_)));
                if let Content::Group(frames) = &frame.content {
                    self.frames(xml, frames)?;
                }
                continue;
            };
            let link = frame.link.as_deref().and_then(|link| self.address(link));
            if let Some(link) = &link {
                xml.start("draw:a")
                    .attribute("xlink:type", "simple")
                    .attribute("xlink:href", link);
            }
            self.frame(xml, frame, &place)?;
            if link.is_some() {
                xml.end();
            }
        }
        Ok(())
    }

    /// Leases memory for the XML that has been written.
    pub(super) fn hold(&mut self, xml: &Writer) -> Result<()> {
        self.lease.hold(xml.len() + 2 * self.styles.len())
    }

    fn frame(&mut self, xml: &mut Writer, frame: &Frame, place: &Place) -> Result<()> {
        match &frame.content {
            Content::Group(frames) => {
                xml.start("draw:g");
                write_alternative_text(xml, frame);
                self.frames(xml, frames)?;
                xml.end();
            }
            Content::Shape(shape) => self.shape(xml, frame, shape, place)?,
            Content::Picture(picture) => {
                let id = self.material.picture(&picture.name);
                self.shown(xml, frame, id, picture, place)?;
            }
            Content::Table(table) => self.table(xml, frame, table, place)?,
            Content::Chart(chart) => {
                let drawing = self.material.chart(self.sheet, self.charts);
                self.charts += 1;
                match drawing {
                    Some(id) => self.shown(xml, frame, Some(id), &Picture::default(), place)?,
                    // Charts without a drawing become a table.
                    None => self.table(xml, frame, &table_of(&chart.chart, *place), place)?,
                }
            }
        }
        Ok(())
    }

    /// Returns the style of a frame.
    fn style(
        &mut self,
        family: &'static str,
        fill: &Fill,
        shape: &Shape,
        clip: Option<String>,
    ) -> String {
        let mut xml = Writer::fragment();
        xml.start("style:graphic-properties");
        self.fill(&mut xml, fill);
        self.line(&mut xml, shape.line.as_ref());
        if let Some(body) = &shape.text {
            self.body(&mut xml, body);
        }
        if let Some(clip) = clip {
            xml.attribute("fo:clip", clip);
        }
        // Elements come after all attributes.
        if let Some(body) = &shape.text
            && body.columns.count > 1
        {
            xml.start("style:columns")
                .number("fo:column-count", body.columns.count)
                .attribute("fo:column-gap", length(body.columns.gap))
                .end();
        }
        xml.end();
        self.styles.automatic(family, xml)
    }

    /// Writes a shape with its text: a rectangle with text as a text box, a single straight line as a line, and all
    /// others as custom shapes.
    fn shape(
        &mut self,
        xml: &mut Writer,
        frame: &Frame,
        shape: &Shape,
        place: &Place,
    ) -> Result<()> {
        let is_box = matches!(shape.geometry, Geometry::Rectangle);
        let is_title = is_box
            && frame.role == Role::Title
            && shape.text.is_some()
            && !std::mem::replace(&mut self.titled, true);
        let family = if is_title { "presentation" } else { "graphic" };
        let style = self.style(family, &shape.fill, shape, None);
        let outline = shape.geometry.outline(place.width, place.height);
        let paragraphs = shape.text.as_ref().map(|text| &text.paragraphs[..]);
        if let Some(paragraphs) = paragraphs.filter(|_| is_box) {
            xml.start("draw:frame");
            match is_title {
                true => xml
                    .attribute("presentation:style-name", style)
                    .attribute("presentation:class", "title"),
                false => xml.attribute("draw:style-name", style),
            };
            xml.attribute("draw:layer", "layout");
            position(xml, place);
            xml.start("draw:text-box");
            self.paragraphs(xml, paragraphs)?;
            xml.end();
            write_alternative_text(xml, frame);
            xml.end();
        } else if let Some(ends) = straight(&outline) {
            let mut flipped = outline;
            flipped.mirror(place.flips.0, place.flips.1, (place.width, place.height));
            let [from, to] = straight(&flipped)
                .unwrap_or(ends)
                .map(|(x, y)| turned(place, x, y));
            xml.start("draw:line")
                .attribute("draw:style-name", style)
                .attribute("draw:layer", "layout");
            for (name, at) in [
                ("svg:x1", from.0),
                ("svg:y1", from.1),
                ("svg:x2", to.0),
                ("svg:y2", to.1),
            ] {
                xml.attribute(name, length(at));
            }
            write_alternative_text(xml, frame);
            if let Some(paragraphs) = paragraphs {
                self.paragraphs(xml, paragraphs)?;
            }
            xml.end();
        } else {
            xml.start("draw:custom-shape")
                .attribute("draw:style-name", style)
                .attribute("draw:layer", "layout");
            position(xml, place);
            write_alternative_text(xml, frame);
            self.paragraphs(xml, paragraphs.unwrap_or_default())?;
            enhanced(xml, &outline, place);
            xml.end();
        }
        Ok(())
    }

    /// Writes a picture. A missing picture becomes a rectangle with its alternative text.
    fn shown(
        &mut self,
        xml: &mut Writer,
        frame: &Frame,
        id: Option<ResourceId>,
        picture: &Picture,
        place: &Place,
    ) -> Result<()> {
        let shape = Shape {
            line: picture.line.clone(),
            ..Shape::default()
        };
        let Some(id) = id else {
            return self.shape(xml, frame, &shape, place);
        };
        let clip = self.clip(id, picture.crop);
        let style = self.style("graphic", &Fill::None, &shape, clip);
        let address = self.resource(id);
        xml.start("draw:frame")
            .attribute("draw:style-name", style)
            .attribute("draw:layer", "layout");
        position(xml, place);
        xml.start("draw:image")
            .attribute("xlink:href", address)
            .attribute("xlink:type", "simple")
            .attribute("xlink:show", "embed")
            .attribute("xlink:actuate", "onLoad")
            .end();
        write_alternative_text(xml, frame);
        xml.end();
        Ok(())
    }

    /// Returns the crop of a picture (part 3, 20.179): lengths in the original size of the picture.
    fn clip(&self, id: ResourceId, crop: Crop) -> Option<String> {
        if crop == Crop::default() {
            return None;
        }
        let bytes = &self.material.document.resource(id).bytes;
        let size = media::size(bytes)?;
        let (across, down) = size.density.unwrap_or((96.0, 96.0));
        let side = |pixels: u32, density: f64| f64::from(pixels) / density * 914_400.0;
        let (width, height) = (side(size.width, across), side(size.height, down));
        let sides = [
            crop.top * height,
            crop.right * width,
            crop.bottom * height,
            crop.left * width,
        ];
        Some(format!("rect({})", sides.map(length).join(", ")))
    }

    /// Writes a table. The cells state their own formatting.
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
        xml.start("draw:frame").attribute("draw:layer", "layout");
        position(xml, place);
        xml.start("table:table");
        if table.headed {
            xml.attribute("table:use-first-row-styles", "true");
        }
        let extent = |element: &'static str, attribute: &str, size: f64| {
            let mut xml = Writer::fragment();
            xml.start(element).attribute(attribute, length(size)).end();
            xml
        };
        for width in &table.columns {
            let properties = extent(
                "style:table-column-properties",
                "style:column-width",
                *width,
            );
            let style = self.styles.automatic("table-column", properties);
            xml.start("table:table-column")
                .attribute("table:style-name", style)
                .end();
        }
        for row in &table.rows {
            let properties = extent("style:table-row-properties", "style:row-height", row.height);
            let style = self.styles.automatic("table-row", properties);
            xml.start("table:table-row")
                .attribute("table:style-name", style);
            let nothing = Cell::default();
            for column in 0..table.columns.len() {
                let cell = row.cells.get(column).unwrap_or(&nothing);
                if cell.spans.0 == 0 {
                    xml.start("table:covered-table-cell").end();
                    continue;
                }
                let style = self.cell_style(cell);
                xml.start("table:table-cell")
                    .attribute("table:style-name", style);
                for (name, span) in [
                    ("table:number-rows-spanned", cell.spans.0),
                    ("table:number-columns-spanned", cell.spans.1),
                ] {
                    if span > 1 {
                        xml.number(name, span);
                    }
                }
                self.paragraphs(xml, &cell.text.paragraphs)?;
                xml.end();
            }
            xml.end();
        }
        xml.end();
        write_alternative_text(xml, frame);
        xml.end();
        Ok(())
    }

    /// Returns the style of a cell.
    fn cell_style(&mut self, cell: &Cell) -> String {
        let mut xml = Writer::fragment();
        xml.start("loext:graphic-properties")
            .attribute("xmlns:loext", LOEXT);
        self.fill(&mut xml, &cell.fill);
        xml.attribute("draw:textarea-vertical-align", anchor(cell.text.anchor));
        paddings(&mut xml, &cell.text);
        xml.end();
        xml.start("style:table-cell-properties");
        if let Some(colour) = cell.fill.colour().filter(|colour| colour.alpha > 0.0) {
            xml.attribute("fo:background-color", colour.hex());
        }
        xml.attribute("style:vertical-align", anchor(cell.text.anchor));
        paddings(&mut xml, &cell.text);
        xml.end();
        xml.start("style:paragraph-properties");
        for (side, line) in ["left", "top", "right", "bottom"]
            .into_iter()
            .zip(&cell.borders)
        {
            let value = match line {
                Some(line) if line.colour.alpha > 0.0 => {
                    format!("{} solid {}", length(line.width as f64), line.colour.hex())
                }
                _ => "none".to_owned(),
            };
            xml.attribute(&format!("fo:border-{side}"), value);
        }
        xml.end();
        self.styles.automatic("table-cell", xml)
    }
}

/// Writes the alternative text of a frame.
fn write_alternative_text(xml: &mut Writer, frame: &Frame) {
    if !frame.alternative.is_empty() {
        xml.leaf("svg:desc", &frame.alternative);
    }
}
