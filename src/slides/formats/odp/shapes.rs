//! Shapes of a drawing page (OpenDocument 1.3, part 3, 10). Each becomes a frame with its text, picture, table or
//! chart. The shapes are parsed as a stream, so that no XML tree is in memory.

use super::{
    NAMESPACES, look,
    page::FrameSelection,
    properties::{Properties, ShapeStyle},
    sheet::Family,
    table,
    text::{Base, Texts, link_to},
};
use crate::{
    containers::xml::{Element, Reader, decode_owned},
    deck::{Body, Charted, Content, Frame, Paragraph, Picture, Role, Shape},
    error::Result,
    job::Job,
};
use convertd_office::{
    drawing::{
        Chart, Crop, Geometry, Place, Theme,
        odf::{self, paints::picture},
    },
    wordprocessing::losses,
};
use convertd_tree::{
    Alignment,
    losses::{Loss, Losses},
    media,
};
use std::rc::Rc;

pub(super) static MEDIA: Loss = Loss {
    one: "A sound or video was left out.",
    many: "{} sounds and videos were left out.",
};

static OBJECTS: Loss = Loss {
    one: "An embedded object was replaced by its picture.",
    many: "{} embedded objects were replaced by their pictures.",
};

/// Default distances of the text from the edges: left, top, right and bottom, in English Metric Units.
const INSETS: [f64; 4] = [90_000.0, 45_000.0, 90_000.0, 45_000.0];

/// Maximum size of a chart's part, in bytes.
const MAX_CHART: usize = 4 << 20;

/// Reader of shapes.
pub(super) struct Shapes<'s> {
    pub(super) texts: Texts<'s>,
    /// Selection of the frames that the page shows.
    pub(super) kind: FrameSelection,
    /// Offset of the parsed piece in the text of the file, in bytes.
    pub(super) offset: usize,
    pub(super) job: &'s Job<'s>,
    /// Reads the bytes of a picture or another part.
    pub(super) file: &'s mut dyn FnMut(&str) -> Option<Vec<u8>>,
    pub(super) losses: &'s mut Losses,
}

/// Content of a shape's child elements.
#[derive(Default)]
struct ShapeContent {
    paragraphs: Vec<Paragraph>,
    /// Title, the second choice for the alternative text.
    title: String,
    /// Description, the first choice for the alternative text.
    description: String,
    link: Option<Box<str>>,
    geometry: Option<Geometry>,
    flips: (bool, bool),
    picture: Option<Box<str>>,
    table: Option<crate::deck::Table>,
    /// Whether the shape contains an embedded object.
    is_object: bool,
    chart: Option<Chart>,
    /// Whether the shape contains a sound, film or applet.
    is_media: bool,
}

/// Styles of a shape.
struct Names<'n> {
    family: Family,
    name: &'n str,
    /// Paragraph style of the shape, which the style of a paragraph overrides.
    paragraph: Option<&'n str>,
    /// Whether each list level has a style of its own.
    outline: bool,
}

impl Shapes<'_> {
    /// Reads the shapes in the open element.
    pub(super) fn all(&mut self, xml: &mut Reader<'_>) -> Result<Vec<Frame>> {
        let level = xml.level();
        let mut frames = Vec::new();
        while let Some(element) = xml.next_element(level)? {
            self.element(xml, &element, &mut frames)?;
        }
        Ok(frames)
    }

    /// Reads a shape, or ignores another element.
    pub(super) fn element(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        frames: &mut Vec<Frame>,
    ) -> Result<()> {
        // The attribute `draw:display` can hide a shape, or show it on screens only (part 3, 19.161). In both cases the
        // shape is left out. LibreOffice writes the attribute in a namespace of its own.
        if matches!(
            element.attribute("display").as_deref(),
            Some("none" | "screen")
        ) {
            return Ok(());
        }
        match (element.space, element.name) {
            ("draw", "g") => {
                let children = self.all(xml)?;
                if !children.is_empty() {
                    frames.push(Frame::group(children));
                }
            }
            ("draw", "a") => {
                let target = element.attribute("href");
                let link = target.and_then(|target| link_to(&target, self.texts.numbers));
                let mut children = self.all(xml)?;
                for frame in &mut children {
                    frame.link = frame.link.take().or(link.as_deref().map(Into::into));
                }
                frames.append(&mut children);
            }
            ("draw", "page-thumbnail" | "control") => {}
            ("dr3d", "scene") => self.losses.add(&losses::DRAWINGS),
            ("draw", "frame") => frames.extend(self.shape(xml, element, true)?),
            (
                "draw",
                "custom-shape" | "rect" | "ellipse" | "circle" | "line" | "connector" | "measure"
                | "polyline" | "polygon" | "regular-polygon" | "path" | "caption",
            ) => frames.extend(self.shape(xml, element, false)?),
            _ => {}
        }
        Ok(())
    }

    /// Reads a shape or a frame with its content. `None` for the prompt of an empty placeholder, for a placeholder that
    /// this page does not show, and for a shape without visible content.
    fn shape(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        is_frame: bool,
    ) -> Result<Option<Frame>> {
        let class = element.attribute("class");
        let class = class.as_deref();
        let is_prompt = element.attribute("placeholder").as_deref() == Some("true");
        if is_prompt || !self.kind.shows(class) {
            return Ok(None);
        }
        let name = element.attribute("style-name").unwrap_or_default();
        let own = element.attribute("text-style-name");
        // The style of a placeholder belongs to the family "presentation", whichever attribute names the style.
        let sheet = self.texts.sheet;
        let family = match class {
            Some(_) => Family::Presentation,
            None => Family::Graphic,
        };
        let names = Names {
            family,
            name: &name,
            paragraph: own.as_deref(),
            outline: class == Some("outline"),
        };
        let style = sheet.style(self.texts.scope, family, &name);
        let mut children = ShapeContent::default();
        self.read_children(xml, element, &names, &mut children)?;
        let mut place = odf::place_of(element);
        if let Some(place) = &mut place {
            place.flips.0 ^= children.flips.0;
            place.flips.1 ^= children.flips.1;
        }
        if children.is_media {
            self.losses.add(&MEDIA);
        }
        let words = match children.description.trim() {
            "" => children.title.trim(),
            words => words,
        };
        let alternative = words.into();
        let link = children.link.take();
        let Some(content) = self.content(element, is_frame, &style, children, place.as_ref())
        else {
            return Ok(None);
        };
        Ok(Some(Frame {
            place,
            role: role(class),
            alternative,
            link,
            content,
        }))
    }

    /// Reads the children of a shape.
    fn read_children(
        &mut self,
        xml: &mut Reader<'_>,
        shape: &Element<'_>,
        names: &Names<'_>,
        children: &mut ShapeContent,
    ) -> Result<()> {
        let base = Base {
            family: names.family,
            name: names.name,
            outline: names.outline,
            paragraph: names.paragraph,
            below: None,
        };
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            match (child.space, child.name) {
                ("draw", "text-box") => children.paragraphs.extend(self.texts.read(xml, &base)?),
                ("text", _) => {
                    self.texts
                        .block(xml, &child, &base, &mut children.paragraphs)?;
                }
                ("table", "table") => children.table = Some(table::read(self.texts, xml, &child)?),
                ("draw", "image") if children.picture.is_none() => {
                    let name = picture(xml, &child)?.map(|name| self.in_file(name));
                    // A StarView metafile is left out. Files contain the picture in a common format, too, and that
                    // picture is used.
                    children.picture = name.filter(|name| !name.ends_with(".svm"));
                }
                ("draw", "object" | "object-ole") => {
                    children.is_object = true;
                    let address = child.attribute("href").unwrap_or_default();
                    children.chart = children.chart.take().or_else(|| self.chart(&address));
                }
                ("draw", "plugin" | "applet" | "floating-frame") => children.is_media = true,
                ("draw", "enhanced-geometry") => {
                    children.flips = odf::flips(&child);
                    children.geometry = odf::enhanced(xml, &child, shape)?;
                }
                ("svg", "title") => children.title = xml.text()?,
                ("svg", "desc") => children.description = xml.text()?,
                ("office", "event-listeners") => {
                    while let Some(event) = xml.next_element(level + 1)? {
                        let target = event.attribute("href");
                        let link = target.and_then(|target| link_to(&target, self.texts.numbers));
                        children.link = children.link.take().or(link.map(|link| (*link).into()));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the chart at an address within the file. `None` for other objects, and for a damaged chart.
    fn chart(&mut self, address: &str) -> Option<Chart> {
        let name = address.trim_start_matches("./").trim_end_matches('/');
        if name.is_empty() {
            return None;
        }
        let bytes = (self.file)(&format!("{name}/content.xml"))?;
        if bytes.len() > MAX_CHART {
            return None;
        }
        let text = decode_owned(bytes);
        let mut xml = Reader::new(self.job, &text, NAMESPACES);
        Chart::read_odf(&mut xml, &|_| None).ok().flatten()
    }

    /// Width and height of a picture, in English Metric Units.
    fn measure(&mut self, name: &str) -> Option<(f64, f64)> {
        let bytes = (self.file)(name)?;
        let size = media::size(&bytes).or_else(|| media::units(&bytes))?;
        let (across, down) = size.density.unwrap_or((96.0, 96.0));
        let side = |pixels: u32, density: f64| f64::from(pixels) / density * 914_400.0;
        Some((side(size.width, across), side(size.height, down)))
    }

    /// Name of a picture in the whole file. A picture in Base64 has its offset as its name. Here that offset counts
    /// from the beginning of the parsed piece, so it is converted to an offset in the file.
    fn in_file(&self, name: Box<str>) -> Box<str> {
        match name
            .strip_prefix('#')
            .and_then(|at| at.parse::<usize>().ok())
        {
            Some(at) => format!("#{}", at.wrapping_add(self.offset)).into(),
            None => name,
        }
    }

    /// Content of a shape, in this order of preference: table, chart, picture, outline with text. `None` for an object
    /// without a picture, and for an outline without fill, line and text.
    fn content(
        &mut self,
        element: &Element<'_>,
        is_frame: bool,
        style: &Properties,
        children: ShapeContent,
        place: Option<&Place>,
    ) -> Option<Content> {
        let sheet = self.texts.sheet;
        let paints = &sheet.paints;
        if let Some(table) = children.table {
            return Some(Content::Table(Box::new(table)));
        }
        if let Some(chart) = children.chart {
            let theme = Rc::<Theme>::default();
            return Some(Content::Chart(Box::new(Charted {
                chart,
                palette: theme.palette.clone(),
                theme,
            })));
        }
        if let Some(name) = children.picture {
            if children.is_object {
                self.losses.add(&OBJECTS);
            }
            let crop = style
                .shape
                .clip
                .filter(|clip| clip.iter().any(|side| *side != 0.0));
            let crop = crop.and_then(|clip| {
                let (width, height) = self.measure(&name)?;
                let [left, top, right, bottom] = clip;
                let side = |cut: f64, whole: f64| (cut / whole).clamp(-10.0, 0.99);
                Some(Crop {
                    left: side(left, width),
                    top: side(top, height),
                    right: side(right, width),
                    bottom: side(bottom, height),
                })
            });
            return Some(Content::Picture(Box::new(Picture {
                name,
                crop: crop.unwrap_or_default(),
                line: look::line(paints, &style.shape),
            })));
        }
        if children.is_object {
            self.losses.add(&losses::DRAWINGS);
            return None;
        }
        let text = body(&style.shape, children.paragraphs);
        let fill = look::fill(paints, &style.shape);
        let line = look::line(paints, &style.shape);
        let geometry = match (is_frame, children.geometry) {
            (true, _) => Geometry::Rectangle,
            (false, Some(own)) => own,
            (false, None) => odf::geometry(element, place),
        };
        let shown = text.is_some() || line.is_some() || fill != Default::default();
        shown.then(|| {
            Content::Shape(Box::new(Shape {
                geometry,
                fill,
                line,
                text,
            }))
        })
    }
}

/// Text of a shape. `None` if all paragraphs are blank.
fn body(style: &ShapeStyle, mut paragraphs: Vec<Paragraph>) -> Option<Body> {
    if paragraphs.iter().all(Paragraph::is_blank) {
        return None;
    }
    let wraps = style.wraps.unwrap_or(style.grows != Some(true));
    if !wraps && style.centred == Some(true) {
        for paragraph in &mut paragraphs {
            let start = matches!(paragraph.alignment, None | Some(Alignment::Start));
            paragraph.alignment = match start {
                true => Some(Alignment::Centre),
                false => paragraph.alignment,
            };
        }
    }
    Some(Body {
        paragraphs,
        insets: std::array::from_fn(|side| {
            style.paddings[side].unwrap_or(INSETS[side]).clamp(0.0, 5e7)
        }),
        anchor: style.anchor,
        wraps,
        turn: if style.turned == Some(true) {
            90.0
        } else {
            0.0
        },
        columns: style.columns.unwrap_or_default(),
    })
}

/// Role of a frame, from the class of its placeholder (19.389).
fn role(class: Option<&str>) -> Role {
    match class {
        Some("title") => Role::Title,
        Some("subtitle") => Role::Subtitle,
        Some("header" | "footer" | "date-time" | "page-number") => Role::Furniture,
        Some("outline" | "text" | "notes" | "object" | "table" | "graphic") => Role::Body,
        _ => Role::Other,
    }
}
