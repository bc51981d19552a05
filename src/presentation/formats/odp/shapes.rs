//! What is on a page of drawings (part 3, 10): makes a frame of each shape, with the text, the picture or the table in it. Shapes are
//! read one after another, and none of them as a whole.

use super::{
    NAMESPACES,
    look::picture,
    page::Kind,
    place::{UNIT, between, length, place},
    properties::{Properties, ShapeStyle},
    sheet::Family,
    table,
    text::{Base, Texts, link_to},
};
use crate::{
    containers::xml::{Element, Reader, decode_owned},
    document::{Loss, Losses, media, office::losses, tree::Alignment},
    error::Result,
    job::Job,
    office::drawing::{
        Chart, Crop, Enhanced, Geometry, Outline, Theme, View, outline_of_points, outline_of_svg,
    },
    presentation::deck::{Body, Charted, Content, Frame, Paragraph, Picture, Place, Role, Shape},
};
use std::rc::Rc;

pub(super) static MEDIA: Loss = Loss {
    one: "A sound or film was left out.",
    many: "{} sounds and films were left out.",
};

static OBJECTS: Loss = Loss {
    one: "An embedded object was replaced by its picture.",
    many: "{} embedded objects were replaced by their pictures.",
};

/// The distances from a frame's edges to its text where nothing says them: left, top, right and bottom.
const INSETS: [f64; 4] = [90_000.0, 45_000.0, 90_000.0, 45_000.0];

/// The longest part of a chart, in bytes.
const MAX_CHART: usize = 4 << 20;

/// The number of formulas and of modifiers of a shape that are read.
const MAX_FORMULAS: usize = 4096;

/// What is needed to read shapes.
pub(super) struct Shapes<'s> {
    pub(super) texts: Texts<'s>,
    /// What is read: a slide shows what is no prompt, a master what no slide replaces.
    pub(super) kind: Kind,
    /// How much further in the file things are than in what is read.
    pub(super) offset: usize,
    pub(super) job: &'s Job<'s>,
    /// The bytes of a picture or another part.
    pub(super) file: &'s mut dyn FnMut(&str) -> Option<Vec<u8>>,
    pub(super) losses: &'s mut Losses,
}

/// What the elements in a shape say.
#[derive(Default)]
struct Inside {
    paragraphs: Vec<Paragraph>,
    title: String,
    description: String,
    link: Option<Box<str>>,
    geometry: Option<Geometry>,
    flips: (bool, bool),
    picture: Option<Box<str>>,
    table: Option<crate::presentation::deck::Table>,
    is_object: bool,
    chart: Option<Chart>,
    is_media: bool,
}

/// The names of the styles of a shape.
struct Names<'n> {
    family: Family,
    name: &'n str,
    paragraph: Option<&'n str>,
    outline: bool,
}

impl Shapes<'_> {
    /// Reads the shapes in the innermost open element.
    pub(super) fn all(&mut self, xml: &mut Reader<'_>) -> Result<Vec<Frame>> {
        let level = xml.level();
        let mut frames = Vec::new();
        while let Some(element) = xml.next_element(level)? {
            self.element(xml, &element, &mut frames)?;
        }
        Ok(frames)
    }

    /// Reads a shape, which is the innermost open element, or passes over anything else.
    pub(super) fn element(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        frames: &mut Vec<Frame>,
    ) -> Result<()> {
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
        // The style of a placeholder is one of presentations, whatever its own attributes are called.
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
        let mut inside = Inside::default();
        self.inside(xml, element, &names, &mut inside)?;
        let mut place = self.place(element);
        if let Some(place) = &mut place {
            place.flips.0 ^= inside.flips.0;
            place.flips.1 ^= inside.flips.1;
        }
        if inside.is_media {
            self.losses.add(&MEDIA);
        }
        let words = match inside.description.trim() {
            "" => inside.title.trim(),
            words => words,
        };
        let alternative = words.into();
        let link = inside.link.take();
        let Some(content) = self.content(element, is_frame, &style, inside, place.as_ref()) else {
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

    fn place(&self, element: &Element<'_>) -> Option<Place> {
        match element.name {
            "line" | "connector" | "measure" => {
                let side = |name| length(element, name);
                let from = (side("x1")?, side("y1")?);
                Some(between(from, (side("x2")?, side("y2")?)))
            }
            _ => place(element),
        }
    }

    /// Reads what is in a shape, which is the innermost open element.
    fn inside(
        &mut self,
        xml: &mut Reader<'_>,
        shape: &Element<'_>,
        names: &Names<'_>,
        inside: &mut Inside,
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
                ("draw", "text-box") => inside.paragraphs.extend(self.texts.read(xml, &base)?),
                ("text", _) => {
                    self.texts
                        .block(xml, &child, &base, &mut inside.paragraphs)?;
                }
                ("table", "table") => inside.table = Some(table::read(self, xml, &child)?),
                ("draw", "image") if inside.picture.is_none() => {
                    let name = picture(xml, &child)?.map(|name| self.in_file(name));
                    // StarView's own metafiles stand beside pictures that everybody knows.
                    inside.picture = name.filter(|name| !name.ends_with(".svm"));
                }
                ("draw", "object" | "object-ole") => {
                    inside.is_object = true;
                    let address = child.attribute("href").unwrap_or_default();
                    inside.chart = inside.chart.take().or_else(|| self.chart(&address));
                }
                ("draw", "plugin" | "applet" | "floating-frame") => inside.is_media = true,
                ("draw", "enhanced-geometry") => {
                    inside.flips = ["mirror-horizontal", "mirror-vertical"]
                        .map(|name| child.attribute(name).as_deref() == Some("true"))
                        .into();
                    inside.geometry = enhanced(xml, &child, shape)?;
                }
                ("svg", "title") => inside.title = xml.text()?,
                ("svg", "desc") => inside.description = xml.text()?,
                ("office", "event-listeners") => {
                    while let Some(event) = xml.next_element(level + 1)? {
                        let target = event.attribute("href");
                        let link = target.and_then(|target| link_to(&target, self.texts.numbers));
                        inside.link = inside.link.take().or(link.map(|link| (*link).into()));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The chart that an address within the file names. `None` for other objects, and for what is damaged.
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

    /// The width and height of a picture in English Metric Units.
    fn measure(&mut self, name: &str) -> Option<(f64, f64)> {
        let bytes = (self.file)(name)?;
        let size = media::size(&bytes).or_else(|| media::units(&bytes))?;
        let (across, down) = size.density.unwrap_or((96.0, 96.0));
        let side = |pixels: u32, density: f64| f64::from(pixels) / density * 914_400.0;
        Some((side(size.width, across), side(size.height, down)))
    }

    /// The name of a picture whose bytes are in what is read, in the file.
    fn in_file(&self, name: Box<str>) -> Box<str> {
        match name
            .strip_prefix('#')
            .and_then(|at| at.parse::<usize>().ok())
        {
            Some(at) => format!("#{}", at.wrapping_add(self.offset)).into(),
            None => name,
        }
    }

    fn content(
        &mut self,
        element: &Element<'_>,
        is_frame: bool,
        style: &Properties,
        inside: Inside,
        place: Option<&Place>,
    ) -> Option<Content> {
        let sheet = self.texts.sheet;
        let paints = &sheet.paints;
        if let Some(table) = inside.table {
            return Some(Content::Table(Box::new(table)));
        }
        if let Some(chart) = inside.chart {
            let theme = Rc::<Theme>::default();
            return Some(Content::Chart(Box::new(Charted {
                chart,
                palette: theme.palette.clone(),
                theme,
            })));
        }
        if let Some(name) = inside.picture {
            if inside.is_object {
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
                line: paints.line(&style.shape),
            })));
        }
        if inside.is_object {
            self.losses.add(&losses::DRAWINGS);
            return None;
        }
        let text = body(&style.shape, inside.paragraphs);
        let fill = paints.fill(&style.shape);
        let line = paints.line(&style.shape);
        let geometry = match (is_frame, inside.geometry) {
            (true, _) => Geometry::Rectangle,
            (false, Some(own)) => own,
            (false, None) => geometry(element, place),
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

/// The text of a shape. `None` if there is none.
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
    })
}

/// What a frame is for, by the class of its placeholder (19.389).
fn role(class: Option<&str>) -> Role {
    match class {
        Some("title") => Role::Title,
        Some("subtitle") => Role::Subtitle,
        Some("header" | "footer" | "date-time" | "page-number") => Role::Furniture,
        Some("outline" | "text" | "notes" | "object" | "table" | "graphic") => Role::Body,
        _ => Role::Other,
    }
}

/// Coordinates of its own that an element states.
fn view(element: &Element<'_>) -> View {
    let view = element.attribute("viewBox").unwrap_or_default();
    let mut numbers = view
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter_map(|number| number.parse::<f64>().ok())
        .filter(|number| number.is_finite());
    std::array::from_fn(|_| numbers.next().unwrap_or(0.0))
}

/// Reads a `draw:enhanced-geometry`, which is the innermost open element.
fn enhanced(
    xml: &mut Reader<'_>,
    element: &Element<'_>,
    shape: &Element<'_>,
) -> Result<Option<Geometry>> {
    let value = |name| element.attribute(name).unwrap_or_default();
    let mut own = Enhanced {
        path: value("enhanced-path").into(),
        modifiers: value("modifiers")
            .split_whitespace()
            .take(MAX_FORMULAS)
            .map(|value| value.parse().unwrap_or(0.0))
            .collect(),
        view: view(element),
        text: value("text-areas").into(),
        ..Enhanced::default()
    };
    let level = xml.level();
    while let Some(equation) = xml.next_element(level)? {
        let (name, formula) = (equation.attribute("name"), equation.attribute("formula"));
        if let (Some(name), Some(formula)) = (name, formula)
            && own.formulas.len() < MAX_FORMULAS
        {
            own.formulas.push((name.into(), formula.into()));
        }
    }
    if own.path.is_empty() {
        return Ok(preset(&value("type")));
    }
    let side = |name| length(shape, name).unwrap_or(0.0).abs() / UNIT;
    let (width, height) = (side("width"), side("height"));
    Ok(Some(drawn(own.outline(width, height), width, height)))
}

/// The shape of the standard that a shape without a path is like.
fn preset(kind: &str) -> Option<Geometry> {
    let name = match kind {
        "round-rectangle" => "roundRect",
        "ellipse" => "ellipse",
        "isosceles-triangle" => "triangle",
        "right-triangle" => "rtTriangle",
        "right-arrow" => "rightArrow",
        "left-arrow" => "leftArrow",
        "up-arrow" => "upArrow",
        "down-arrow" => "downArrow",
        "diamond" | "hexagon" | "octagon" | "parallelogram" | "trapezoid" | "can" | "cube"
        | "heart" | "sun" | "moon" | "chevron" => kind,
        kind => kind.strip_prefix("ooxml-")?,
    };
    Some(Geometry::Preset(name.into(), Vec::new()))
}

fn drawn(outline: Outline, width: f64, height: f64) -> Geometry {
    Geometry::Drawn(Rc::new(outline), (width, height))
}

/// The outline of a shape by its element.
fn geometry(element: &Element<'_>, place: Option<&Place>) -> Geometry {
    let place = place.copied().unwrap_or_default();
    let (width, height) = (place.width / UNIT, place.height / UNIT);
    let value = |name| element.attribute(name).unwrap_or_default();
    let named = |name: &str, values: &[(&str, f64)]| {
        let values = values.iter().map(|(name, value)| ((*name).into(), *value));
        Geometry::Preset(name.into(), values.collect())
    };
    match element.name {
        "rect" => match length(element, "corner-radius").filter(|radius| *radius > 0.0) {
            Some(radius) => {
                let share = radius / place.width.min(place.height).max(1.0);
                named("roundRect", &[("adj", (share * 100_000.0).min(50_000.0))])
            }
            None => Geometry::Rectangle,
        },
        "ellipse" | "circle" => {
            let name = match &*value("kind") {
                "section" => "pie",
                "cut" => "chord",
                "arc" => "arc",
                _ => return named("ellipse", &[]),
            };
            // Angles here run against the clock, those of presets with it.
            let angle = |name| {
                let degrees: f64 = value(name).parse().unwrap_or(0.0);
                (360.0 - degrees).rem_euclid(360.0) * 60_000.0
            };
            let values = [("adj1", angle("end-angle")), ("adj2", angle("start-angle"))];
            named(name, &values)
        }
        "line" | "measure" => named("line", &[]),
        "connector" => connector(element, width, height),
        "polyline" | "polygon" => {
            let closed = element.name == "polygon";
            let outline = outline_of_points(&value("points"), closed, view(element), width, height);
            drawn(outline, width, height)
        }
        "path" => {
            let outline = outline_of_svg(&value("d"), view(element), width, height);
            drawn(outline, width, height)
        }
        _ => Geometry::Rectangle,
    }
}

/// A connector: what its path draws, which begins where it begins, or a line.
fn connector(element: &Element<'_>, width: f64, height: f64) -> Geometry {
    let straight = || Geometry::Preset("line".into(), Vec::new());
    let kind = element.attribute("type");
    let Some(path) = element
        .attribute("d")
        .filter(|_| kind.as_deref() != Some("line"))
    else {
        return straight();
    };
    let side = |name| length(element, name).unwrap_or(0.0) / UNIT;
    let (from, to) = ((side("x1"), side("y1")), (side("x2"), side("y2")));
    let corner = (from.0.min(to.0), from.1.min(to.1));
    let Some((x, y)) = begins(&path) else {
        return straight();
    };
    // Older files count from the corner of the slide, newer ones from anywhere.
    let origin = (x - (from.0 - corner.0), y - (from.1 - corner.1));
    let mut outline = outline_of_svg(&path, [origin.0, origin.1, 0.0, 0.0], width, height);
    // The place is flipped, but its path is drawn as it is.
    outline.mirror(to.0 < from.0, to.1 < from.1, (width, height));
    drawn(outline, width, height)
}

/// The first point of a path.
fn begins(path: &str) -> Option<(f64, f64)> {
    let path = path.trim_start().strip_prefix(['M', 'm'])?.trim_start();
    let mut words = path
        .split(|c: char| c.is_whitespace() || c == ',' || c.is_ascii_alphabetic())
        .filter(|word| !word.is_empty());
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}
