//! Reads objects in a text: their positions, pictures, formulas and charts. The module `shapes` draws shapes.

use super::{
    body::{Anchored, Body},
    equation,
    lengths::{extent, length, number},
    shapes::Group,
    text::is_letter,
};
use crate::{
    containers::xml::{Element, Node, Reader},
    error::Result,
};
use convertd_office::{
    drawing::{Crop, Place, Shown},
    wordprocessing::losses,
};
use convertd_tree::{
    Anchor, At, Base, Edges, Extent, Frame, Length, Picture, PictureSource, Position, Side, Wrap,
    losses::Loss,
};

static OTHERS: Loss = Loss {
    one: "An embedded object or video was left out.",
    many: "{} embedded objects and videos were left out.",
};

/// Child elements of an object. Each text in them is stored as a reader at its beginning.
#[derive(Default)]
pub(super) struct Parts<'x> {
    nodes: Vec<Node<'x>>,
    pub(super) text: Option<Reader<'x>>,
    pub(super) text_list: Option<Element<'x>>,
    pub(super) text_margin: Option<Element<'x>>,
    caption: Option<Reader<'x>>,
    /// Members of a group.
    pub(super) members: Vec<(Element<'x>, Reader<'x>)>,
}

/// Element names of shapes, connectors, groups of shapes (`container`) and word art (`textart`).
const SHAPES: [&str; 9] = [
    "rect",
    "ellipse",
    "line",
    "arc",
    "polygon",
    "curve",
    "connectLine",
    "container",
    "textart",
];

impl<'x> Parts<'x> {
    /// Reads the parts of the object that is the innermost open element.
    pub(super) fn read(xml: &mut Reader<'x>) -> Result<Self> {
        let mut parts = Self::default();
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            match child.name {
                "drawText" => {
                    while let Some(inner) = xml.next_element(level + 1)? {
                        match inner.name {
                            "subList" => {
                                parts.text = Some(xml.clone());
                                parts.text_list = Some(inner);
                            }
                            "textMargin" => parts.text_margin = Some(inner),
                            _ => {}
                        }
                    }
                }
                "caption" => {
                    while let Some(list) = xml.next_element(level + 1)? {
                        if list.name == "subList" {
                            parts.caption = Some(xml.clone());
                        }
                    }
                }
                name if SHAPES.contains(&name) || name == "pic" => {
                    parts.members.push((child, xml.clone()));
                }
                _ => parts.nodes.push(Node::read(xml, child)?),
            }
        }
        Ok(parts)
    }

    /// First child with this name.
    pub(super) fn named(&self, name: &str) -> Option<&Node<'x>> {
        self.nodes.iter().find(|node| node.element.name == name)
    }

    /// All children with this name.
    pub(super) fn all_named(&self, name: &str) -> impl Iterator<Item = &Node<'x>> {
        self.nodes
            .iter()
            .filter(move |node| node.element.name == name)
    }

    fn element(&self, name: &str) -> Option<&Element<'x>> {
        self.named(name).map(|node| &node.element)
    }

    /// Returns whether the object is inline.
    pub(super) fn is_letter(&self) -> bool {
        is_letter(self.element("pos"))
    }

    /// Width and height, if stated.
    pub(super) fn size(&self) -> (Option<Length>, Option<Length>) {
        let side = |name: &str| {
            ["sz", "curSz", "orgSz"]
                .iter()
                .find_map(|own| extent(self.element(own)?, name))
        };
        (side("width"), side("height"))
    }

    /// Frame of an object that is not inline.
    pub(super) fn frame(&self, element: &Element<'_>) -> Frame {
        frame(
            element,
            self.element("pos"),
            self.element("sz"),
            self.element("outMargin"),
        )
    }

    /// Alternative text: the comment of the author. Hangul itself adds sentences about the kind of the object, the name
    /// of its file and the camera of a photograph, which are removed.
    pub(super) fn alternative(&self) -> Box<str> {
        let comment = self.named("shapeComment").map(|node| &*node.text);
        let lines = comment.unwrap_or_default().lines().map(str::trim);
        let lines = lines.take_while(|line| !line.starts_with("원본 그림의"));
        let is_kind = |line: &str| line.ends_with("입니다.") && line.chars().count() < 12;
        let lines: Vec<&str> = lines.filter(|line| !is_kind(line)).collect();
        lines.join(" ").trim().into()
    }
}

impl<'x> Body<'_, '_, 'x> {
    /// Reads an object, which is the innermost open element.
    pub(super) fn object(&mut self, element: &Element<'x>) -> Result<()> {
        if element.name == "tbl" {
            return self.table_in_line(element);
        }
        let is_known = matches!(element.name, "pic" | "ole" | "video" | "equation" | "chart")
            || SHAPES.contains(&element.name);
        if !is_known {
            return Ok(());
        }
        let parts = Parts::read(&mut self.xml)?;
        let caption = parts.caption.clone();
        match element.name {
            "equation" => self.formula(&parts),
            "pic" => self.picture(element, &parts)?,
            "chart" => self.chart(element, &parts)?,
            "video" => self.film(element, &parts)?,
            "ole" => self.story.build.lost(&OTHERS),
            _ => self.shape(element, parts)?,
        }
        if let Some(caption) = caption {
            self.state.anchored.push((Anchored::Caption(caption), None));
            self.story.anchor();
        }
        Ok(())
    }

    fn formula(&mut self, parts: &Parts<'_>) {
        let script = parts.named("script").map(|node| node.text.trim());
        if let Some(script) = script.filter(|script| !script.is_empty()) {
            self.state.has_object = true;
            self.story.formula(equation::tex(script), false);
        }
    }

    fn picture(&mut self, element: &Element<'_>, parts: &Parts<'_>) -> Result<()> {
        let link = element.attribute("href").unwrap_or_default();
        let link = super::controls::target(&link);
        let is_linked = link.is_some();
        if let Some(link) = link {
            self.story.open_link(link, "");
        }
        let shown = self.show_picture(element, parts);
        if is_linked {
            self.story.close_link();
        }
        shown
    }

    /// Shows a picture. If it is cropped or rotated, it is shown in a drawing, unless drawings cannot contain its
    /// format.
    fn show_picture(&mut self, element: &Element<'_>, parts: &Parts<'_>) -> Result<()> {
        let id = parts
            .named("img")
            .and_then(|img| img.attribute("binaryItemIDRef"));
        let id = id.unwrap_or_default();
        let (crop, turn) = (crop(parts), turn(parts));
        if crop != Crop::default() || turn != 0.0 {
            let mut group = Group::new(parts);
            let place = Place {
                width: group.size.0,
                height: group.size.1,
                turn,
                ..Place::default()
            };
            if self.draw_picture(&mut group, parts, place)? {
                return self.show_group(element, parts, group);
            }
        }
        let Some(source) = self.context.picture(self.story, &id)? else {
            self.story.build.lost(&losses::MISSING);
            return Ok(());
        };
        self.place(element, parts, source, parts.alternative());
        Ok(())
    }

    /// Adds a whole picture with this alternative text, inline or in a frame.
    fn place(
        &mut self,
        element: &Element<'_>,
        parts: &Parts<'_>,
        source: PictureSource,
        alternative: Box<str>,
    ) {
        let (width, height) = parts.size();
        let place = (!parts.is_letter()).then(|| Box::new(parts.frame(element)));
        self.state.has_object |= place.is_none();
        self.story.picture(Picture {
            source,
            alternative,
            title: Box::default(),
            width,
            height,
            frame: place,
        });
    }

    /// Draws a picture in a group. Returns false if it is not in the file, or if drawings cannot contain its format.
    pub(super) fn draw_picture(
        &mut self,
        group: &mut Group<'x>,
        parts: &Parts<'_>,
        place: Place,
    ) -> Result<bool> {
        let id = parts
            .named("img")
            .and_then(|img| img.attribute("binaryItemIDRef"));
        let Some(bytes) = self.context.bytes(self.story, &id.unwrap_or_default())? else {
            return Ok(false);
        };
        let Some(shown) = Shown::of(&bytes, crop(parts), 1.0) else {
            return Ok(false);
        };
        group.sketch.picture(&place, &shown);
        Ok(true)
    }

    /// Notes the loss of a video, and adds its preview picture, if there is one.
    fn film(&mut self, element: &Element<'_>, parts: &Parts<'_>) -> Result<()> {
        self.story.build.lost(&OTHERS);
        let id = element.attribute("imageIDRef").unwrap_or_default();
        if let Some(source) = self.context.picture(self.story, &id)? {
            self.place(element, parts, source, parts.alternative());
        }
        Ok(())
    }

    #[cfg(feature = "presentation")]
    fn chart(&mut self, element: &Element<'_>, parts: &Parts<'_>) -> Result<()> {
        use convertd_office::{
            drawing::{Chart, Theme, draw_chart},
            wordprocessing::charts,
        };

        let part = element.attribute("chartIDRef").unwrap_or_default();
        let Some(text) = self.context.part(self.story, &part)? else {
            self.story.build.lost(&losses::DRAWINGS);
            return Ok(());
        };
        // A damaged chart counts as an empty chart, so that the document can still be read.
        let mut xml = Reader::new(self.context.job, &text, super::NAMESPACES);
        let chart = Chart::read(&mut xml).unwrap_or_default();
        if !charts::shows_drawings(self.context.job) {
            self.state.charts.push(chart);
            self.story.anchor();
            return Ok(());
        }
        let (width, height) = parts.size();
        let side = |length: Option<Length>, default: f64| length.map_or(default, Length::to_points);
        let size = (side(width, 360.0), side(height, 216.0));
        let theme = Theme::default();
        let Some(drawing) = draw_chart(&chart, &theme, &theme.palette, size) else {
            self.story.build.lost(&losses::DRAWINGS);
            return Ok(());
        };
        let source = self.story.charted(drawing)?;
        self.place(element, parts, source, charts::alternative(&chart, None));
        Ok(())
    }

    #[cfg(not(feature = "presentation"))]
    fn chart(&mut self, _: &Element<'_>, _: &Parts<'_>) -> Result<()> {
        self.story.build.lost(&losses::DRAWINGS);
        Ok(())
    }
}

/// Rotation of an object, clockwise in degrees.
pub(super) fn turn(parts: &Parts<'_>) -> f64 {
    let angle = parts
        .named("rotationInfo")
        .and_then(|own| number(&own.element, "angle"));
    angle.unwrap_or(0).rem_euclid(360) as f64
}

/// Cropping of a picture. It is ignored if it is invalid, or removes at most a hundredth of the picture at each side.
fn crop(parts: &Parts<'_>) -> Crop {
    let (Some(clip), Some(whole)) = (parts.named("imgClip"), parts.named("imgDim")) else {
        return Crop::default();
    };
    let side = |name| number(&clip.element, name).map(|at| at as f64);
    let whole = |name| {
        let side = number(&whole.element, name)?;
        (side > 0).then_some(side as f64)
    };
    let shares = || {
        let (width, height) = (whole("dimwidth")?, whole("dimheight")?);
        Some(Crop {
            left: side("left")? / width,
            top: side("top")? / height,
            right: 1.0 - side("right")? / width,
            bottom: 1.0 - side("bottom")? / height,
        })
    };
    let Some(crop) = shares() else {
        return Crop::default();
    };
    let sides = [crop.left, crop.top, crop.right, crop.bottom];
    let is_cut = sides.iter().any(|side| *side > 0.01);
    let is_valid = sides.iter().all(|side| (-0.01..1.0).contains(side))
        && crop.left + crop.right < 0.999
        && crop.top + crop.bottom < 0.999;
    match is_cut && is_valid {
        true => crop,
        false => Crop::default(),
    }
}

/// Frame of an object that is not inline.
pub(super) fn frame(
    element: &Element<'_>,
    pos: Option<&Element<'_>>,
    size: Option<&Element<'_>>,
    margin: Option<&Element<'_>>,
) -> Frame {
    let own = |name| pos.and_then(|pos| pos.attribute(name)).unwrap_or_default();
    let side = |name| size.and_then(|size| extent(size, name));
    let exactly = |side: Option<Length>| side.map_or(Extent::Content, Extent::Exactly);
    let distance = |name| {
        let own = margin.and_then(|margin| length(margin, name));
        own.unwrap_or_default().max(Length::ZERO)
    };
    let position = |base, alignment: &str, offset| {
        let offset = pos.and_then(|pos| length(pos, offset)).unwrap_or_default();
        Position {
            base,
            at: match alignment {
                "CENTER" => At::Middle,
                "RIGHT" | "BOTTOM" => At::End,
                "INSIDE" => At::Inside,
                "OUTSIDE" => At::Outside,
                _ => At::Offset(offset),
            },
        }
    };
    let base = |name, default| match &*own(name) {
        "PAPER" => Base::Page,
        "PAGE" => Base::Margin,
        "COLUMN" => Base::Column,
        _ => default,
    };
    let flow = element.attribute("textFlow").unwrap_or_default();
    let wrap = element.attribute("textWrap").unwrap_or_default();
    Frame {
        horizontal: position(
            base("horzRelTo", Base::Column),
            &own("horzAlign"),
            "horzOffset",
        ),
        vertical: position(
            base("vertRelTo", Base::Paragraph),
            &own("vertAlign"),
            "vertOffset",
        ),
        width: exactly(side("width")),
        height: exactly(side("height")),
        wrap: match &*wrap {
            "TOP_AND_BOTTOM" => Wrap::TopAndBottom,
            "SQUARE" | "TIGHT" | "THROUGH" => Wrap::Around(match &*flow {
                "LEFT_ONLY" => Side::Left,
                "RIGHT_ONLY" => Side::Right,
                "LARGEST_ONLY" => Side::Larger,
                _ => Side::Both,
            }),
            _ => Wrap::None,
        },
        behind: wrap == "BEHIND_TEXT",
        order: number(element, "zOrder").unwrap_or(0),
        distances: Edges {
            top: distance("top"),
            right: distance("right"),
            bottom: distance("bottom"),
            left: distance("left"),
        },
        apart: true,
        ..Frame::default()
    }
}

/// Frame of an inline object. The texts in the object refer to it by `order`.
pub(super) fn letter(order: i64, parts: &Parts<'_>) -> Frame {
    let (width, height) = parts.size();
    let exactly = |side: Option<Length>| side.map_or(Extent::Content, Extent::Exactly);
    Frame {
        anchor: Anchor::Letter,
        width: exactly(width),
        height: exactly(height),
        order,
        apart: true,
        ..Frame::default()
    }
}
