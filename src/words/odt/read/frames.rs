//! Reads frames and their content: pictures, charts, text boxes and formulas (OpenDocument 1.3, part 3, 10). The
//! module `shapes` draws shapes without a frame.

use super::{super::NAMESPACES, body::Body, places};
use crate::{
    coding::base64,
    containers::xml::{Element, Node, Reader},
    error::Result,
};
use convertd_office::{
    drawing::{Chart, Theme, draw_chart},
    wordprocessing::{ParagraphRole, charts, losses},
};
use convertd_tree::{self as tree, Extent, Length, Picture, PictureSource, math::mathml};

/// Content of a frame. A frame may hold the same content in several formats, in order of preference; the first
/// supported one is used (part 3, 10.4.2).
#[derive(Default)]
struct Frame {
    width: Option<Length>,
    height: Option<Length>,
    /// Picture, or the drawing of a chart.
    source: Option<PictureSource>,
    /// Whether the frame refers to a picture that is not in the file.
    missing: bool,
    /// Whether the frame holds an object of unknown kind, or a chart that cannot be drawn.
    object: bool,
    alternative: Box<str>,
    title: Box<str>,
    /// Position of a frame that is not inline.
    place: Option<Box<tree::Frame>>,
}

impl<'x> Body<'_, '_, 'x> {
    /// Reads a frame or shape, which is the innermost open element.
    pub(super) fn drawing(&mut self, element: &Element<'x>) -> Result<()> {
        // A drawing that is hidden, or is shown on screens but not printed, is left out (`draw:display`, 19.161).
        if matches!(
            element.attribute("display").as_deref(),
            Some("none" | "screen")
        ) {
            return Ok(());
        }
        match element.name {
            "frame" => self.frame(element),
            // A group, whose members share its anchor. Nested groups belong to the outermost group.
            "g" => {
                #[cfg(feature = "presentation")]
                if self.state.group.is_none() {
                    let graphic = self.graphic(element);
                    self.state.group = super::places::Grouped::of(element, graphic);
                    let read = self.members();
                    self.state.group = None;
                    return read;
                }
                self.members()
            }
            // These elements are parts of the shape around them.
            "enhanced-geometry" | "glue-point" => Ok(()),
            _ => self.shape(element),
        }
    }

    /// Reads the members of a group, which is the innermost open element.
    fn members(&mut self) -> Result<()> {
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            self.deeper(|body| body.drawing(&child))?;
        }
        Ok(())
    }

    /// Reads a shape and its text, if it has any.
    fn shape(&mut self, element: &Element<'_>) -> Result<()> {
        let whole = self.xml.clone();
        let level = self.xml.level();
        let mut text = false;
        while let Some(child) = self.xml.next_element(level)? {
            if matches!(child.name, "p" | "list") {
                text |= !self.xml.text()?.trim().is_empty();
            }
        }
        let end = std::mem::replace(&mut self.xml, whole.clone());
        let shown = self.show_shape(element, text.then_some(whole));
        self.xml = end;
        shown
    }

    /// Draws a shape. If it has text, the drawing becomes the background of a text box, unless the shape is inline.
    #[cfg(feature = "presentation")]
    fn show_shape(&mut self, element: &Element<'_>, text: Option<Reader<'x>>) -> Result<()> {
        let graphic = self.graphic(element);
        self.note_shadow(&graphic);
        let drawn = match charts::shows_drawings(self.context.job) {
            true => self.drawn(element, &graphic)?,
            false => None,
        };
        let frame = self.frame_of(element, &graphic);
        match (text, frame) {
            (None, frame) => self.show_drawn(drawn, frame),
            (Some(text), Some(mut frame)) => {
                match drawn {
                    Some(drawn) => {
                        drawn.into_background_of(&mut frame);
                        if element.name == "custom-shape" {
                            places::fit(&mut frame, &graphic);
                        }
                    }
                    None => places::back(&mut frame, &graphic, &mut self.story.build)?,
                }
                self.anchor(text, Some(Box::new(frame)));
            }
            (Some(text), None) => {
                if drawn.is_some() {
                    self.show_drawn(drawn, None);
                }
                self.anchor(text, None);
            }
        }
        Ok(())
    }

    /// Adds only the text of a shape, in a program without drawings.
    #[cfg(not(feature = "presentation"))]
    fn show_shape(&mut self, element: &Element<'_>, text: Option<Reader<'x>>) -> Result<()> {
        match text {
            Some(text) => {
                let place = self.place_of_text(element, None)?;
                self.anchor(text, place);
            }
            None => self.story.build.lost(&losses::DRAWINGS),
        }
        Ok(())
    }

    /// Stores a text box until the end of the paragraph that it is anchored in.
    fn anchor(&mut self, text: Reader<'x>, place: Option<Box<tree::Frame>>) {
        self.state.boxes.push((text, place));
        self.story.anchor();
    }

    /// Position of a frame or a shape with these graphic properties. Members of a group have the anchor of the group.
    fn frame_of(&self, element: &Element<'_>, graphic: &places::Graphic) -> Option<tree::Frame> {
        #[cfg(feature = "presentation")]
        if let Some(group) = &self.state.group {
            return group.frame(element, graphic);
        }
        places::frame(element, graphic)
    }

    /// Graphic properties of an element's style.
    fn graphic(&self, element: &Element<'_>) -> places::Graphic {
        let name = element.attribute("style-name");
        self.context.styles.graphic(name.as_deref())
    }

    /// Notes the loss of a shadow.
    fn note_shadow(&mut self, graphic: &places::Graphic) {
        let shadow = graphic.get("shadow").map(|shadow| &**shadow);
        if !matches!(shadow, None | Some("none" | "hidden")) {
            self.story.build.lost(&losses::EFFECTS);
        }
    }

    /// Position of a text box or shape, with its background. `text` is the element of a text box, which may have a
    /// minimum height.
    fn place_of_text(
        &mut self,
        element: &Element<'_>,
        text: Option<&Element<'_>>,
    ) -> Result<Option<Box<tree::Frame>>> {
        let graphic = self.graphic(element);
        let Some(mut frame) = self.frame_of(element, &graphic) else {
            return Ok(None);
        };
        let least = text.and_then(|text| Length::parse(&text.attribute("min-height")?));
        if let Some(least) = least.filter(|least| *least > Length::ZERO) {
            frame.height = Extent::AtLeast(least);
            frame.fits = true;
        }
        self.note_shadow(&graphic);
        places::back(&mut frame, &graphic, &mut self.story.build)?;
        Ok(Some(Box::new(frame)))
    }

    /// Reads a `draw:frame`, and adds its content to the paragraph. The formats are read in order, so a chart or
    /// formula takes precedence over the picture that replaces it.
    fn frame(&mut self, element: &Element<'x>) -> Result<()> {
        let length = |name| {
            let length = element
                .attribute(name)
                .and_then(|value| Length::parse(&value));
            length.filter(|length| *length > Length::ZERO)
        };
        let mut frame = Frame {
            width: length("width"),
            height: length("height"),
            ..Frame::default()
        };
        let (mut formula, mut is_chart) = (None, false);
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            match (child.space, child.name) {
                ("draw", "text-box") => {
                    let place = self.place_of_text(element, Some(&child))?;
                    self.anchor(self.xml.clone(), place);
                }
                ("draw", "object") if formula.is_none() => match self.object(&child)? {
                    Some(Object::Formula(tex)) => formula = Some(tex),
                    Some(Object::Chart(chart)) => is_chart |= self.chart(*chart, &mut frame)?,
                    None => frame.object = true,
                },
                // The replacement picture of a chart that is shown already.
                ("draw", "image") if is_chart => {}
                ("draw", "object-ole" | "plugin" | "applet") => frame.object = true,
                ("draw", "image") if frame.source.is_none() => {
                    frame.source = self.source(&child)?;
                    frame.missing |= frame.source.is_none();
                }
                ("svg", "title") => frame.title = self.xml.text()?.into(),
                ("svg", "desc") => frame.alternative = self.xml.text()?.into(),
                ("table", "table") => self.table(&child)?,
                _ => {}
            }
        }
        match formula {
            Some(tex) => {
                self.story.formula(tex, false);
                self.space = false;
            }
            None => {
                if frame.source.is_some() {
                    let graphic = self.graphic(element);
                    frame.place = self.frame_of(element, &graphic).map(Box::new);
                }
                self.show(frame);
            }
        }
        Ok(())
    }

    /// Adds a text box with a picture and a caption as a figure. Returns false, and adds nothing, if the text box
    /// contains anything else. The reader keeps its position.
    pub(super) fn figure(&mut self) -> Result<bool> {
        let mut xml = self.xml.clone();
        let level = xml.level();
        let Some(first) = xml.next_element(level)? else {
            return Ok(false);
        };
        let name = first.attribute("style-name");
        let formatting = self.context.styles.paragraph(name.as_deref());
        if first.name != "p" || formatting.style.role != ParagraphRole::Caption {
            return Ok(false);
        }
        let mut caption = self.caption(name.as_deref(), xml.clone())?;
        if xml.next_element(level)?.is_some() || caption.has_boxes {
            return Ok(false);
        }
        match caption.line.take_picture() {
            Some(picture) => self.story.add_figure(picture, caption).map(|()| true),
            None => Ok(false),
        }
    }

    /// Adds the picture of a frame, and notes losses.
    fn show(&mut self, frame: Frame) {
        if frame.object {
            self.story.build.lost(if frame.source.is_some() {
                &losses::OBJECTS
            } else {
                &losses::DRAWINGS
            });
        } else if frame.missing && frame.source.is_none() {
            self.story.build.lost(&losses::MISSING);
        }
        let Some(source) = frame.source else { return };
        // Many programs write only a title, which then serves as the description.
        let (alternative, title) = if frame.alternative.is_empty() {
            (frame.title, Box::default())
        } else {
            (frame.alternative, frame.title)
        };
        let picture = Picture {
            source,
            alternative,
            title,
            width: frame.width,
            height: frame.height,
            frame: frame.place,
        };
        self.story.picture(picture);
        self.space = false;
    }

    /// Source of a `draw:image`, which is the innermost open element: data in the element, a file of the package, or an
    /// address. `None` if the picture is missing or its data are damaged.
    fn source(&mut self, element: &Element<'_>) -> Result<Option<PictureSource>> {
        let level = self.xml.level();
        let address = element.attribute("href").unwrap_or_default();
        while let Some(child) = self.xml.next_element(level)? {
            if child.name == "binary-data" {
                let Some(bytes) = base64::decode(self.xml.text()?) else {
                    return Ok(None);
                };
                let id = self.story.build.resource(bytes, "", None)?;
                return Ok(Some(PictureSource::Resource(id)));
            }
        }
        if address.is_empty() {
            return Ok(None);
        }
        let name = address.strip_prefix("./").unwrap_or(&address);
        if let Some(known) = self.story.known_picture(name) {
            return Ok(known);
        }
        let outside =
            address.starts_with("../") || address.contains(':') || address.starts_with('/');
        if outside {
            return Ok(Some(PictureSource::Address(address.as_ref().into())));
        }
        let bytes = self.context.bytes(self.story, name)?;
        self.story.add_picture(name, bytes)
    }

    /// Draws a chart into its frame, or stores it to become a table after its paragraph. Returns false if it cannot
    /// be drawn.
    fn chart(&mut self, chart: Chart, frame: &mut Frame) -> Result<bool> {
        if charts::shows_drawings(self.context.job) {
            // The default size is 5 by 3 inches, in points.
            let side = |length: Option<Length>, default| length.map_or(default, Length::to_points);
            let size = (side(frame.width, 360.0), side(frame.height, 216.0));
            let theme = Theme::default();
            let Some(drawing) = draw_chart(&chart, &theme, &theme.palette, size) else {
                frame.object = true;
                return Ok(false);
            };
            frame.source = Some(self.story.charted(drawing)?);
            frame.title = charts::alternative(&chart, None);
        } else {
            self.state.charts.push(chart);
        }
        Ok(true)
    }

    /// Reads a `draw:object`, which is the innermost open element, or the part that it refers to. `None` if it is
    /// neither a formula nor a chart.
    fn object(&mut self, element: &Element<'_>) -> Result<Option<Object>> {
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            match (child.space, child.name) {
                ("math", "math") => {
                    return Ok(Some(Object::Formula(formula(&mut self.xml)?)));
                }
                ("office", "document") => {
                    let document = Node::read(&mut self.xml, child)?;
                    return Ok(Chart::of_odf(&document).map(Box::new).map(Object::Chart));
                }
                _ => {}
            }
        }
        let address = element.attribute("href").unwrap_or_default();
        let name = address.strip_prefix("./").unwrap_or(&address);
        let part = format!("{}/content.xml", name.trim_end_matches('/'));
        let Some(part) = self.context.bytes(self.story, &part)? else {
            return Ok(None);
        };
        let text = crate::containers::xml::decode_owned(part);
        let mut xml = Reader::new(self.context.job, &text, NAMESPACES);
        let root = xml.root()?;
        match root.space {
            "math" => Ok(Some(Object::Formula(formula(&mut xml)?))),
            "office" => {
                // Four times the size, for the parsed document.
                self.story.make_room(4 * text.len() as u64)?;
                // A damaged chart counts as an unknown object, so that the document can still be read.
                let mut xml = Reader::new(self.context.job, &text, NAMESPACES);
                let chart = Chart::read_odf(&mut xml, &|_| None);
                self.story.make_room(0)?;
                Ok(chart.ok().flatten().map(Box::new).map(Object::Chart))
            }
            _ => Ok(None),
        }
    }
}

/// Supported kinds of objects.
enum Object {
    /// Formula in TeX.
    Formula(String),
    Chart(Box<Chart>),
}

/// Reads MathML, in the innermost open element, as TeX.
fn formula(xml: &mut Reader<'_>) -> Result<String> {
    Ok(mathml::Gather::new().read_xml(xml)?.finish(None))
}
