//! Drawings of DrawingML (ECMA-376 part 1, 20.4) and of the older VML (part 4, 19): finds their pictures and shapes,
//! and their positions. Draws no shape itself.

use super::{anchor, body::Body, vml};
use crate::{
    containers::{
        opc::Relationship,
        xml::{Element, Node, Reader},
    },
    error::Result,
};
use convertd_office::{
    drawing::{is_tilted, quarter_turns},
    wordprocessing::losses,
};
use convertd_tree::{Anchor, Frame, Length, Picture, PictureSource, media};
use std::borrow::Cow;

/// Properties of a drawing that are stated outside of its pictures.
#[derive(Clone, Default)]
pub(super) struct Shown {
    // Size, description and title for the next picture.
    pub(super) width: Option<Length>,
    pub(super) height: Option<Length>,
    /// Text that replaces the picture.
    pub(super) alternative: Box<str>,
    /// Title of the picture.
    pub(super) title: Box<str>,
    /// Position. `None` if it is unknown.
    pub(super) frame: Option<Frame>,
    /// Number of pictures read so far.
    pub(super) pictures: usize,
    /// Rotation of the current picture, in quarter turns clockwise.
    quarters: u8,
}

impl<'x> Body<'_, '_, 'x> {
    /// Reads a `w:drawing`, `w:pict` or `w:object`, which is the innermost open element. An embedded object is shown by
    /// its picture.
    pub(super) fn drawing(&mut self, element: &Element<'x>) -> Result<()> {
        let mut frame = Shown::default();
        self.in_drawing(&mut frame)?;
        if element.name == "object" && frame.pictures > 0 {
            self.story.build.lost(&losses::OBJECTS);
        }
        Ok(())
    }

    /// Reads the content of a drawing: its position, size and description, and its picture, chart, diagram or shapes.
    fn in_drawing(&mut self, frame: &mut Shown) -> Result<()> {
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            let value = |name| element.attribute(name).unwrap_or_default();
            match (element.space, element.name) {
                ("wp", "anchor" | "inline") => {
                    let place = self.placed(element)?;
                    frame.frame = Some(place);
                    self.in_drawing(frame)?;
                }
                ("wps", "wsp") | ("wpg", "wgp") | ("wpc", "wpc") => {
                    self.shapes(&element, frame)?;
                }
                ("wp", "extent") => {
                    frame.width = emu(&value("cx"));
                    frame.height = emu(&value("cy"));
                }
                ("wp", "docPr") => {
                    frame.alternative = value("descr").into();
                    frame.title = value("title").into();
                }
                (_, "pic") => {
                    let (degrees, [width, height]) = transform(&mut self.xml.clone())?;
                    // `wp:extent` is the size of the first picture of a drawing. Later pictures, and those of a drawing
                    // without `wp:extent`, have the extents that they state.
                    if frame.pictures > 0 || frame.width.is_none() {
                        frame.width = width.or(frame.width);
                        frame.height = height.or(frame.height);
                    }
                    // Quarter turns are applied to the picture itself. For any other angle the picture is drawn, or
                    // gets the nearest quarter turn if it cannot be drawn.
                    if is_tilted(degrees)
                        && self.turned_picture(self.xml.clone(), element, degrees, frame)?
                    {
                        continue;
                    }
                    let own = quarter_turns(degrees);
                    let outer = std::mem::replace(&mut frame.quarters, own);
                    self.in_drawing(frame)?;
                    frame.quarters = outer;
                }
                // An embedded picture, or a linked picture.
                ("a", "blip") => {
                    let name = match value("embed") {
                        id if id.is_empty() => value("link"),
                        id => id,
                    };
                    let vectors = vectors(&mut self.xml)?;
                    self.picture(frame, &name, vectors.as_deref())?;
                }
                ("v", "rect") if is_rule(&element) => self.story.rule(),
                ("v", "shapetype") => self.vml_kind(element)?,
                // A group is one drawing, and a picture is turned in one.
                ("v", "group" | "shape" | "rect" | "roundrect" | "oval" | "line" | "image")
                    if element.name == "group"
                        || is_tilted(vml::turn(&value("style")))
                        || !holds_picture(&mut self.xml.clone())? =>
                {
                    self.vml(element, frame)?;
                }
                ("v", "shape" | "rect" | "roundrect" | "oval" | "image") => {
                    let style = value("style");
                    frame.width = css(&style, "width").or(frame.width);
                    frame.height = css(&style, "height").or(frame.height);
                    if frame.frame.is_none() && frame.width.is_some() {
                        frame.frame = vml::picture_frame(&style, &mut self.xml.clone())?;
                    }
                    if !value("alt").is_empty() {
                        frame.alternative = value("alt").into();
                    }
                    let own = quarter_turns(vml::turn(&style));
                    let outer = std::mem::replace(&mut frame.quarters, own);
                    self.in_drawing(frame)?;
                    frame.quarters = outer;
                }
                ("v", "imagedata") => {
                    if frame.alternative.is_empty() {
                        frame.alternative = value("title").into();
                    }
                    let id = value("id");
                    self.picture(frame, &id, None)?;
                }
                ("w", "txbxContent") => {
                    let content = self.xml.clone();
                    // A shape without text has an empty text box, which is skipped.
                    if shows_anything(&mut self.xml)? {
                        self.boxes.push((content, None));
                        self.story.anchor();
                    }
                }
                #[cfg(feature = "presentation")]
                ("chart", "chart") | ("diagram", "relIds") => {
                    let size = (frame.width, frame.height);
                    let drawn = match element.name {
                        "chart" => self.chart(&value("id"), size, &frame.alternative)?,
                        _ => self.diagram(&value("dm"), size, &frame.alternative)?,
                    };
                    if let Some(picture) = drawn {
                        frame.pictures += 1;
                        self.story.picture(picture);
                    }
                }
                #[cfg(not(feature = "presentation"))]
                ("chart", "chart") | ("diagram", "relIds") => {
                    self.story.build.lost(&losses::DRAWINGS);
                }
                ("mc", "AlternateContent") => {
                    let level = self.xml.level();
                    // The first alternative that yields a picture or text is used.
                    let before = self.boxes.len() + frame.pictures;
                    while self.xml.next_element(level)?.is_some() {
                        if self.boxes.len() + frame.pictures == before {
                            self.in_drawing(frame)?;
                        }
                    }
                }
                _ => self.in_drawing(frame)?,
            }
        }
        Ok(())
    }

    /// Reads the position of a `wp:anchor` or `wp:inline`, which is the innermost open element. Parts of the position
    /// may come after the drawing, so a copy of the reader looks ahead.
    fn placed(&mut self, element: Element<'x>) -> Result<Frame> {
        let mut node = Node {
            element,
            children: Vec::new(),
            text: Cow::Borrowed(""),
        };
        let mut xml = self.xml.clone();
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            if child.name != "graphic" {
                node.children.push(Node::read(&mut xml, child)?);
            }
        }
        let mut frame = anchor::frame(&node);
        if frame.anchor == Anchor::Letter {
            // The texts of an inline drawing refer to it by this number.
            self.context.letters += 1;
            frame.order = self.context.letters;
        }
        Ok(frame)
    }

    /// Adds a picture by the relationship to its file. If the file is a rendering of an SVG drawing, `vectors` is the
    /// relationship to that drawing.
    fn picture(&mut self, frame: &mut Shown, id: &str, vectors: Option<&str>) -> Result<()> {
        frame.pictures += 1;
        let relationships = self.context.relationships.clone();
        let vectors = vectors.and_then(|id| relationships.get(id));
        if let Some(vectors) = vectors.filter(|vectors| !vectors.external) {
            self.drawn(&vectors.target, relationships.get(id))?;
        }
        let source = match relationships.get(id) {
            None => None,
            Some(relationship) if relationship.external => {
                Some(PictureSource::Address(relationship.target.clone()))
            }
            Some(relationship) => self.resource(&relationship.target)?,
        };
        let Some(source) = source else {
            self.story.build.lost(&losses::MISSING);
            return Ok(());
        };
        if let (PictureSource::Resource(id), 1..) = (&source, frame.quarters) {
            self.story.build.turn(*id, frame.quarters);
        }
        let place = frame.frame.clone();
        let place = place.filter(|place| place.anchor != Anchor::Letter);
        // A size of 0 counts as not stated.
        let visible = |length: Option<Length>| length.filter(|length| *length > Length::ZERO);
        // The extent belongs to the picture before its rotation.
        let (width, height) = match frame.quarters % 2 {
            0 => (frame.width, frame.height),
            _ => (frame.height, frame.width),
        };
        let picture = Picture {
            source,
            alternative: frame.alternative.clone(),
            title: frame.title.clone(),
            width: visible(width),
            height: visible(height),
            frame: place.map(Box::new),
        };
        self.story.picture(picture);
        Ok(())
    }

    /// Adds the SVG drawing `name` in place of its rendering `pixels`. The rendering is stored with it, for targets
    /// without SVG.
    fn drawn(&mut self, name: &str, pixels: Option<&Relationship>) -> Result<()> {
        let Some(pixels) = pixels.filter(|relationship| !relationship.external) else {
            return Ok(());
        };
        if self.story.known_picture(&pixels.target).is_some() {
            return Ok(());
        }
        let drawing = self.context.bytes(self.story, name)?;
        let is_drawing = |bytes: &Vec<u8>| media::sniff(bytes) == Some("image/svg+xml");
        let Some(drawing) = drawing.filter(is_drawing) else {
            return Ok(());
        };
        let source = self.story.add_picture(&pixels.target, Some(drawing))?;
        if let Some(PictureSource::Resource(id)) = source
            && let Some(png) = self.context.bytes(self.story, &pixels.target)?
        {
            self.story.build.pixels(id, png)?;
        }
        Ok(())
    }

    /// Adds a picture part to the document, only once even if several pictures show it.
    fn resource(&mut self, name: &str) -> Result<Option<PictureSource>> {
        if let Some(known) = self.story.known_picture(name) {
            return Ok(known);
        }
        let bytes = self.context.bytes(self.story, name)?;
        self.story.add_picture(name, bytes)
    }
}

/// Rotation of a `pic:pic`, the innermost open element, clockwise in degrees, and its width and height (ECMA-376 part
/// 1, 20.1.7.6). They come after the file of the picture. Word rotates photographs this way, and ignores the
/// orientation in their own metadata.
fn transform(xml: &mut Reader<'_>) -> Result<(f64, [Option<Length>; 2])> {
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        if element.name != "spPr" {
            continue;
        }
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if element.name != "xfrm" {
                continue;
            }
            let angle = element.attribute("rot").and_then(|rot| rot.parse().ok());
            let mut extent = [None; 2];
            let level = xml.level();
            while let Some(child) = xml.next_element(level)? {
                if child.name == "ext" {
                    extent = ["cx", "cy"].map(|name| emu(&child.attribute(name)?));
                }
            }
            // 60,000 units are a degree (20.1.10.3).
            return Ok((angle.unwrap_or(0.0_f64) / 60_000.0, extent));
        }
    }
    Ok((0.0, [None; 2]))
}

/// Relationship to the SVG drawing in an extension of `a:blip`, the innermost open element (MS-ODRAWXML, 2.3.2.3).
fn vectors(xml: &mut Reader<'_>) -> Result<Option<String>> {
    let level = xml.level();
    let mut found = None;
    while let Some(element) = xml.next_element(level)? {
        if element.name != "extLst" {
            continue;
        }
        let level = xml.level();
        while xml.next_element(level)?.is_some() {
            let level = xml.level();
            while let Some(element) = xml.next_element(level)? {
                if (element.space, element.name) == ("asvg", "svgBlip") {
                    found = element.attribute("embed").map(Into::into);
                }
            }
        }
    }
    Ok(found)
}

/// Returns whether the innermost open element has content other than empty paragraphs.
pub(super) fn shows_anything(xml: &mut Reader<'_>) -> Result<bool> {
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        let is_formatting = matches!(
            element.name,
            "pPr" | "rPr" | "bookmarkStart" | "bookmarkEnd" | "proofErr" | "lastRenderedPageBreak"
        );
        let is_frame = matches!(element.name, "p" | "r" | "ins" | "smartTag");
        if !is_formatting && (!is_frame || shows_anything(xml)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a VML shape, the innermost open element, or a shape nested in it holds a picture. Text boxes are not
/// searched.
fn holds_picture(xml: &mut Reader<'_>) -> Result<bool> {
    let level = xml.level();
    while let Some(child) = xml.next_element(level)? {
        let is_shape = matches!(child.name, "shape" | "rect" | "group" | "textbox");
        if child.name == "imagedata" || (is_shape && child.name != "textbox" && holds_picture(xml)?)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Parses a length in English Metric Units (EMU).
fn emu(value: &str) -> Option<Length> {
    value.parse().ok().map(Length::emu)
}

/// Returns whether a VML rectangle is a horizontal rule (part 4, 19.1.2.16).
fn is_rule(element: &Element<'_>) -> bool {
    matches!(element.attribute("hr").as_deref(), Some("t" | "true"))
}

/// Length from a list of properties in the syntax of CSS, as in VML's attribute `style`. Numbers without a unit are
/// pixels.
fn css(style: &str, name: &str) -> Option<Length> {
    let mut all = style
        .split(';')
        .filter_map(|declaration| declaration.split_once(':'));
    let (_, value) = all.find(|(known, _)| known.trim() == name)?;
    let number = || value.trim().parse().ok().map(Length::pixels);
    Length::parse(value).or_else(number)
}

#[cfg(test)]
mod tests {
    use super::{super::super::NAMESPACES, *};
    use crate::job::testing::with_job;

    #[test]
    fn a_picture_states_its_extent_after_its_file() {
        let text = "<pic:pic xmlns:pic='http://schemas.openxmlformats.org/drawingml/2006/picture' xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'><pic:blipFill><a:blip/></pic:blipFill><pic:spPr><a:xfrm rot='5400000'><a:off x='0' y='0'/><a:ext cx='12700' cy='25400'/></a:xfrm></pic:spPr></pic:pic>";
        let (degrees, extent) = with_job(|job| {
            let mut xml = Reader::new(job, text, NAMESPACES);
            xml.root().expect("an element");
            transform(&mut xml).expect("a transform")
        });
        assert_eq!(degrees, 90.0);
        assert_eq!(
            extent,
            [Some(Length::points(1.0)), Some(Length::points(2.0))]
        );
    }
}
