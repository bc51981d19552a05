//! Reads frames and drawing shapes: pictures, text boxes and formulas (part 3, 10). Vector shapes are left out, except for
//! the text in them.

use super::{
    super::NAMESPACES,
    context::{Context, Story},
};
use crate::{
    containers::xml::{Element, Reader},
    document::{
        math::mathml,
        office::{Look, ParagraphRole, RunProperties, losses},
        tree::{Builder, Length, Node, ParagraphStyleId, Picture, PictureSource},
    },
    error::Result,
};
use base64::{Engine, engine::general_purpose::STANDARD};

/// The content of a frame. It offers the same content in several forms, of which the first supported one is used.
#[derive(Default)]
struct Frame {
    width: Option<Length>,
    height: Option<Length>,
    source: Option<PictureSource>,
    /// Whether the frame refers to a picture that is not in the file.
    missing: bool,
    object: bool,
    alternative: Box<str>,
    title: Box<str>,
}

impl Context<'_> {
    /// Reads a frame or shape, which is the innermost open element.
    pub(super) fn drawing<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        element: &Element<'x>,
        story: &mut Story<'x>,
        look: Look,
    ) -> Result<()> {
        match element.name {
            "frame" => self.frame(build, xml, element, story, look),
            "g" => {
                let level = xml.level();
                while let Some(child) = xml.next_element(level)? {
                    self.deeper(build, xml, story, |this, build, xml, story| {
                        this.drawing(build, xml, &child, story, look)
                    })?;
                }
                Ok(())
            }
            _ => self.shape(build, xml, story),
        }
    }

    /// Reads the text in a shape.
    fn shape<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
    ) -> Result<()> {
        let whole = xml.clone();
        let level = xml.level();
        let mut text = false;
        while let Some(child) = xml.next_element(level)? {
            if matches!(child.name, "p" | "list") {
                text |= !xml.text()?.trim().is_empty();
            }
        }
        if text {
            story.boxes.push(whole);
        } else {
            build.lost(&losses::DRAWINGS);
        }
        Ok(())
    }

    fn frame<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        element: &Element<'x>,
        story: &mut Story<'x>,
        look: Look,
    ) -> Result<()> {
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
        let mut formula = None;
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            match (child.space, child.name) {
                ("draw", "text-box") => {
                    story.boxes.push(xml.clone());
                }
                ("draw", "object") if formula.is_none() => {
                    formula = self.formula(build, xml, &child)?;
                    frame.object |= formula.is_none();
                }
                ("draw", "object-ole" | "plugin" | "applet") => frame.object = true,
                ("draw", "image") if frame.source.is_none() => {
                    frame.source = self.source(build, xml, &child)?;
                    frame.missing |= frame.source.is_none();
                }
                ("svg", "title") => frame.title = xml.text()?.into(),
                ("svg", "desc") => frame.alternative = xml.text()?.into(),
                ("table", "table") => self.table(build, xml, &child, story)?,
                _ => {}
            }
        }
        if let Some(tex) = formula {
            story.line.math(tex, false);
            story.space = false;
            return Ok(());
        }
        self.show(build, story, look, frame);
        Ok(())
    }

    /// Adds a text box with a picture and a caption as a figure. Returns false, and adds nothing, if it contains anything
    /// else.
    pub(super) fn figure<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
    ) -> Result<bool> {
        let level = xml.level();
        let Some(first) = xml.next_element(level)? else {
            return Ok(false);
        };
        let style = self
            .styles
            .paragraph(first.attribute("style-name").as_deref());
        if first.name != "p" || style.role != ParagraphRole::Caption {
            return Ok(false);
        }
        let mut story = Story::new();
        self.inlines(build, xml, &mut story, &style, &RunProperties::default())?;
        if xml.next_element(level)?.is_some() || !story.boxes.is_empty() {
            return Ok(false);
        }
        let Some(picture) = story.line.take_picture() else {
            return Ok(false);
        };
        build.open(Node::Figure { id: None })?;
        build.open(Node::Paragraph(ParagraphStyleId::default()))?;
        build.picture(picture)?;
        build.close()?;
        build.open(Node::Caption)?;
        let look = build.paragraph_style(self.styles.look(&style, false))?;
        story
            .line
            .write(build, |build| build.open(Node::Paragraph(look)))?;
        build.close()?;
        build.close()?;
        Ok(true)
    }

    fn show(&mut self, build: &mut Builder<'_>, story: &mut Story<'_>, look: Look, frame: Frame) {
        if frame.object {
            build.lost(if frame.source.is_some() {
                &losses::OBJECTS
            } else {
                &losses::DRAWINGS
            });
        } else if frame.missing && frame.source.is_none() {
            build.lost(&losses::MISSING);
        }
        let Some(source) = frame.source else { return };
        // Many programs write only a title, which then serves as the alternative text.
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
        };
        story.line.picture(look, picture);
        story.space = false;
    }

    /// The source of a `draw:image`, which is the innermost open element. `None` if the picture is not in the file.
    fn source(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
    ) -> Result<Option<PictureSource>> {
        let level = xml.level();
        let address = element.attribute("href").unwrap_or_default();
        while let Some(child) = xml.next_element(level)? {
            if child.name == "binary-data" {
                let mut data = xml.text()?.into_bytes();
                data.retain(|byte| !byte.is_ascii_whitespace());
                let Ok(bytes) = STANDARD.decode(&data) else {
                    return Ok(None);
                };
                let id = build.resource(bytes, "", None)?;
                return Ok(Some(PictureSource::Resource(id)));
            }
        }
        if address.is_empty() {
            return Ok(None);
        }
        let name = address.strip_prefix("./").unwrap_or(&address);
        if let Some(known) = self.resources.get(name) {
            return Ok(known.map(PictureSource::Resource));
        }
        let outside =
            address.starts_with("../") || address.contains(':') || address.starts_with('/');
        if outside {
            return Ok(Some(PictureSource::Address(address.as_ref().into())));
        }
        let id = match self.bytes(build, name)? {
            Some(bytes) => Some(build.resource(bytes, name, None)?),
            None => None,
        };
        self.resources.insert(name.into(), id);
        Ok(id.map(PictureSource::Resource))
    }

    /// The formula in a `draw:object`, which is the innermost open element, or in the part that it refers to. `None` for any
    /// other object.
    fn formula(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
    ) -> Result<Option<String>> {
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            if child.space == "math" && child.name == "math" {
                return formula(xml).map(Some);
            }
        }
        let address = element.attribute("href").unwrap_or_default();
        let name = address.strip_prefix("./").unwrap_or(&address);
        let Some(part) = self.bytes(
            build,
            &format!("{}/content.xml", name.trim_end_matches('/')),
        )?
        else {
            return Ok(None);
        };
        let text = crate::containers::xml::decode_owned(part);
        let mut xml = Reader::new(self.job, &text, NAMESPACES);
        let root = xml.root()?;
        if root.space != "math" {
            return Ok(None);
        }
        formula(&mut xml).map(Some)
    }
}

fn formula(xml: &mut Reader<'_>) -> Result<String> {
    Ok(mathml::Gather::new().read_xml(xml)?.finish(None))
}
