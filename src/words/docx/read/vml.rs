//! Shapes of VML (ECMA-376 part 4, 19.1), which Word wrote before 2010, and still writes for watermarks: their
//! positions, outlines, fills and lines. Drawing is shared with the shapes of DrawingML.

use super::{
    body::Body,
    context::VmlKind,
    drawing::Shown,
    shapes::{Group, Words},
};
use crate::{
    containers::xml::{Element, Node, Reader},
    error::Result,
};
use convertd_office::{
    drawing::{
        self, Arrow, Crop, Fill, Geometry, Gradient, GradientPath, Line, Path, Place, Rgba, Sketch,
        Space, VmlOutline, dashes, named_colour,
    },
    wordprocessing::losses,
};
use convertd_tree::{
    self as tree, Anchor, At, Base, Edges, Extent, Frame, Length, Position, Side,
    VerticalAlignment, Wrap,
};
use std::{borrow::Cow, rc::Rc};

/// Limit on the nesting of groups. Deeper groups are left out.
const MAX_GROUPS: usize = 32;

/// Max. number of shape types that are stored.
const MAX_TYPES: usize = 1000;

/// Shape without the text in it.
struct Read<'x> {
    /// Element with its children, except for text.
    node: Node<'x>,
    /// Shape type that the shape refers to.
    kind: Option<Rc<VmlKind>>,
}

impl<'x> Body<'_, '_, 'x> {
    /// Reads a shape that is not a picture, or a group. It is the innermost open element.
    pub(super) fn vml(&mut self, element: Element<'x>, shown: &mut Shown) -> Result<()> {
        let style = element.attribute("style").unwrap_or_default();
        let (mut width, mut height) = (length(&style, "width"), length(&style, "height"));
        if element.name == "line" {
            let ((a, b), (c, d)) = ends(&element);
            // A line states two ends instead of a size.
            (width, height) = (Some((c - a).abs()), Some((d - b).abs()));
        }
        let size = (width.unwrap_or(0.0), height.unwrap_or(0.0));
        let mut group = Group {
            sketch: Sketch::new(size.0, size.1),
            size,
            words: Vec::new(),
            depth: 0,
        };
        if let Some(words) = element.attribute("alt").filter(|words| !words.is_empty()) {
            shown.alternative = words.into();
        }
        let mut wrap = None;
        self.vml_shape(&mut group, element, None, &mut wrap)?;
        let mut frame = frame(&style, size, wrap);
        // The position of a line results from its ends.
        if element.name == "line" && frame.anchor != Anchor::Letter {
            let ((a, b), (c, d)) = ends(&element);
            let at = |base, one: f64, other: f64| Position {
                base,
                at: At::Offset(Length::emu(one.min(other) as i64)),
            };
            (frame.horizontal, frame.vertical) = (
                at(frame.horizontal.base, a, c),
                at(frame.vertical.base, b, d),
            );
        }
        // Inline shapes are ordered by their position in the text.
        if frame.anchor == Anchor::Letter {
            self.context.letters += 1;
            frame.order = self.context.letters;
        }
        shown.frame = Some(frame);
        self.show(group, shown)
    }

    /// Stores a `v:shapetype`, the innermost open element, for the shapes that refer to it.
    pub(super) fn vml_kind(&mut self, element: Element<'x>) -> Result<()> {
        let node = Node::read(&mut self.xml, element)?;
        let kind = VmlKind {
            outline: outline(&node, None),
            filled: truth(&node, "filled").unwrap_or(true),
            stroked: truth(&node, "stroked").unwrap_or(true),
        };
        if let Some(id) = node.attribute("id")
            && self.context.vml_kinds.len() < MAX_TYPES
        {
            self.context.vml_kinds.insert(id.into(), Rc::new(kind));
        }
        Ok(())
    }

    /// Reads a shape in a group, or the only shape of a frame (`space` is `None`).
    fn vml_shape(
        &mut self,
        group: &mut Group<'x>,
        element: Element<'x>,
        space: Option<&Space>,
        wrap: &mut Option<Wrap>,
    ) -> Result<()> {
        let style = element.attribute("style").unwrap_or_default();
        let place = place(&element, &style, group.size, space);
        // The default coordinate system has 1000 units in each direction.
        if element.name == "group" {
            let origin = pair(&element, "coordorigin").unwrap_or((0.0, 0.0));
            let extent = pair(&element, "coordsize").unwrap_or((1000.0, 1000.0));
            let space = Space::SHEET.inside(place, origin, extent);
            return self.vml_group(group, &space, wrap);
        }
        let mut node = Node {
            element,
            children: Vec::new(),
            text: Cow::Borrowed(""),
        };
        let mut text = None;
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            match child.name {
                // The text is read later, from a copy of the reader at its beginning.
                "textbox" => {
                    let level = self.xml.level();
                    while let Some(inner) = self.xml.next_element(level)? {
                        if inner.name == "txbxContent" {
                            text = Some((child, self.xml.clone()));
                        }
                    }
                }
                "wrap" => *wrap = Some(wrapped(&child)),
                _ => node.children.push(Node::read(&mut self.xml, child)?),
            }
        }
        let named = element.attribute("type").unwrap_or_default();
        let kind = self
            .context
            .vml_kinds
            .get(named.trim_start_matches('#'))
            .cloned();
        let read = Read { node, kind };
        let paths = read.paths(&place);
        let (fill, line) = (read.fill(), read.line());
        // Text along a path, such as a watermark, replaces the shape.
        match read
            .node
            .child("v", "textpath")
            .and_then(|path| path.attribute("string"))
        {
            Some(words) => {
                let colour = match fill {
                    Fill::Solid(colour) => colour,
                    _ => Rgba::BLACK,
                };
                group.sketch.words(&place, &words, colour);
            }
            None => match read.node.child("v", "imagedata") {
                Some(data) => self.vml_picture(group, data, (&place, &paths), (&fill, line))?,
                None => group
                    .sketch
                    .shape(&place, &paths, &fill, line.as_ref(), None),
            },
        }
        if let Some((element, content)) = text {
            group.words.push(Words {
                content,
                insets: insets(&element, &place, group.size),
                anchor: match css(&style, "v-text-anchor") {
                    Some("middle" | "middle-center") => VerticalAlignment::Middle,
                    Some("bottom" | "bottom-center") => VerticalAlignment::Bottom,
                    _ => VerticalAlignment::Top,
                },
                // Rotation of the shape, plus a quarter turn for text whose lines run up or down.
                turn: place.turn + flow(&element).unwrap_or(0.0),
                sideways: flow(&element).is_some(),
                colour: None,
                ground: fill.colour(),
                fits: fits(&element),
            });
        }
        Ok(())
    }

    /// Draws a shape that shows a picture: its fill, the picture, and its line.
    fn vml_picture(
        &mut self,
        group: &mut Group<'x>,
        data: &Node<'_>,
        (place, paths): (&Place, &[Path]),
        (fill, line): (&Fill, Option<Line>),
    ) -> Result<()> {
        let id = data.attribute("id").unwrap_or_default();
        let bytes = self.picture_bytes(&id)?;
        let side = |name| data.attribute(name).and_then(|part| fraction(&part));
        let [left, top, right, bottom] = ["cropleft", "croptop", "cropright", "cropbottom"]
            .map(|name| side(name).unwrap_or(0.0));
        let crop = Crop {
            left,
            top,
            right,
            bottom,
        };
        let picture = bytes
            .as_ref()
            .and_then(|bytes| drawing::Shown::of(bytes, crop, 1.0));
        group.sketch.shape(place, paths, fill, None, None);
        match picture {
            Some(picture) => group.sketch.picture(place, &picture),
            None => self.story.build.lost(&losses::MISSING),
        }
        let outline = line.as_ref();
        group.sketch.shape(place, paths, &Fill::None, outline, None);
        Ok(())
    }

    /// Reads a group of shapes, which may be nested.
    fn vml_group(
        &mut self,
        group: &mut Group<'x>,
        space: &Space,
        wrap: &mut Option<Wrap>,
    ) -> Result<()> {
        group.depth += 1;
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            match child.name {
                "wrap" => *wrap = Some(wrapped(&child)),
                "shapetype" => self.vml_kind(child)?,
                "shape" | "rect" | "roundrect" | "oval" | "line" | "image" | "group"
                    if group.depth <= MAX_GROUPS =>
                {
                    self.vml_shape(group, child, Some(space), wrap)?;
                }
                _ => {}
            }
        }
        group.depth -= 1;
        Ok(())
    }
}

impl Read<'_> {
    /// Outline of a shape: a preset for ovals, lines and rounded rectangles, the path of a `v:shape`, and a rectangle
    /// for all others.
    fn paths(&self, place: &Place) -> Vec<Path> {
        let geometry = match self.node.element.name {
            "oval" => Geometry::Preset("ellipse".into(), Vec::new()),
            "line" => Geometry::Preset("line".into(), Vec::new()),
            "roundrect" => {
                // The default radius is a fifth of the shorter side.
                let size = self.node.attribute("arcsize");
                let size = size.and_then(|size| fraction(&size)).unwrap_or(0.2);
                let adjust = ("adj".into(), (size * 100_000.0).clamp(0.0, 50_000.0));
                Geometry::Preset("roundRect".into(), vec![adjust])
            }
            "shape" => {
                let own = outline(&self.node, self.kind.as_deref());
                if !own.path.is_empty() {
                    return own.paths(place.width, place.height);
                }
                Geometry::Rectangle
            }
            _ => Geometry::Rectangle,
        };
        geometry.outline(place.width, place.height).paths
    }

    /// Fill of a shape: none, solid or a gradient. The element `v:fill` overrides attributes of the shape. Whether
    /// shapes are filled by default depends on the shape type.
    fn fill(&self) -> Fill {
        let element = self.node.child("v", "fill");
        let on = element.and_then(|fill| truth(fill, "on"));
        let default = self.kind.as_ref().is_none_or(|kind| kind.filled);
        let filled = on.or(truth(&self.node, "filled")).unwrap_or(default);
        if !filled || self.node.element.name == "line" {
            return Fill::None;
        }
        let parsed = |value: Option<Cow<'_, str>>| value.and_then(|value| colour(&value));
        let main = element.and_then(|fill| parsed(fill.attribute("color")));
        // The default fill is white.
        let main = main
            .or(parsed(self.node.attribute("fillcolor")))
            .unwrap_or([255; 3]);
        let opacity = element.and_then(|fill| fill.attribute("opacity"));
        let alpha = opacity
            .and_then(|opacity| fraction(&opacity))
            .unwrap_or(1.0) as f32;
        let kind = element.and_then(|fill| fill.attribute("type"));
        let other = element.and_then(|fill| parsed(fill.attribute("color2")));
        let paint = |rgb| Rgba {
            rgb,
            alpha: alpha.clamp(0.0, 1.0),
        };
        // A gradient without a second colour becomes a solid fill.
        match (kind.as_deref(), other) {
            (Some("gradient" | "gradientradial"), Some(other)) => {
                let angle = element.and_then(|fill| fill.attribute("angle"));
                let angle = angle.and_then(|angle| angle.trim().parse::<f64>().ok());
                // VML measures angles anticlockwise from the upward direction.
                let path = match kind.as_deref() {
                    Some("gradientradial") => GradientPath::Point(0.5, 0.5),
                    _ => GradientPath::Line(270.0 - angle.unwrap_or(0.0)),
                };
                Fill::Gradient(Gradient {
                    stops: vec![(0.0, paint(main)), (1.0, paint(other))],
                    path,
                })
            }
            _ => Fill::Solid(paint(main)),
        }
    }

    /// Line of a shape. `None` if the shape has no line. The element `v:stroke` overrides attributes of the shape.
    fn line(&self) -> Option<Line> {
        let element = self.node.child("v", "stroke");
        let on = element.and_then(|stroke| truth(stroke, "on"));
        let default = self.kind.as_ref().is_none_or(|kind| kind.stroked);
        if !on.or(truth(&self.node, "stroked")).unwrap_or(default) {
            return None;
        }
        // Value of the attribute `name` of the element, or else of the attribute `own` of the shape.
        let attribute = |name: &str, own: &str| {
            let value = element.and_then(|stroke| stroke.attribute(name));
            value.or_else(|| self.node.attribute(own))
        };
        let rgb = attribute("color", "strokecolor").and_then(|value| colour(&value));
        let weight = attribute("weight", "strokeweight").and_then(|value| measure(&value));
        let dashed = element.and_then(|stroke| stroke.attribute("dashstyle"));
        let arrow = |name| {
            let arrow = element.and_then(|stroke| stroke.attribute(name));
            match arrow.as_deref() {
                Some("block") => Arrow::Triangle,
                Some("classic") => Arrow::Stealth,
                Some("diamond") => Arrow::Diamond,
                Some("oval") => Arrow::Oval,
                Some("open") => Arrow::Open,
                _ => Arrow::None,
            }
        };
        Some(Line {
            // The default width is 0.75 points, in English Metric Units (EMU).
            width: weight.unwrap_or(9_525.0).clamp(0.0, 20_116_800.0) as i64,
            colour: Rgba::opaque(rgb.unwrap_or([0; 3])),
            // The file states a name, or the lengths of dashes and gaps. Other styles are drawn as solid lines.
            dashes: dashes(match dashed.as_deref() {
                Some("shortdot" | "1 1") => "sysDot",
                Some("dot") => "dot",
                Some("shortdash" | "3 1") => "sysDash",
                Some("longdash") => "lgDash",
                Some("dashdot" | "shortdashdot") => "dashDot",
                Some("longdashdot") => "lgDashDot",
                Some("longdashdotdot" | "shortdashdotdot") => "lgDashDotDot",
                Some("dash") => "dash",
                _ => "",
            }),
            round: false,
            ends: [arrow("startarrow"), arrow("endarrow")],
        })
    }
}

/// Outline of a shape, based on that of its shape type: path, formulas, adjustments and coordinate system.
fn outline(node: &Node<'_>, kind: Option<&VmlKind>) -> VmlOutline {
    let mut outline = kind.map(|kind| kind.outline.clone()).unwrap_or_default();
    if let Some(path) = node.attribute("path") {
        outline.path = path.into();
    }
    if let Some(formulas) = node.child("v", "formulas") {
        let all = formulas.children.iter().take(1024);
        let all = all.map(|formula| formula.attribute("eqn").unwrap_or_default().into());
        outline.formulas = all.collect();
    }
    // Values that are missing or not numbers keep the defaults of the shape type.
    if let Some(values) = node.attribute("adj") {
        let own = values
            .split(',')
            .take(16)
            .map(|value| value.trim().parse().ok());
        for (at, value) in own.enumerate() {
            match outline.adjusts.get_mut(at) {
                Some(known) => *known = value.or(*known),
                None => outline.adjusts.push(value),
            }
        }
    }
    // Without a coordinate system, and without a shape type that has one, 1000 units in each direction are the default.
    if let Some(extent) = pair(&node.element, "coordsize") {
        outline.extent = extent;
    } else if kind.is_none() {
        outline.extent = (1000.0, 1000.0);
    }
    if let Some(origin) = pair(&node.element, "coordorigin") {
        outline.origin = origin;
    }
    outline
}

/// Place of a shape: in a group by its coordinates, or filling a frame of this size (in EMU).
fn place(element: &Element<'_>, style: &str, size: (f64, f64), space: Option<&Space>) -> Place {
    let number = |name| css(style, name).and_then(|value| value.parse::<f64>().ok());
    let flip = css(style, "flip").unwrap_or_default();
    let mut place = Place {
        turn: turn(style),
        flips: (flip.contains('x'), flip.contains('y')),
        ..Place::default()
    };
    // A line states two ends instead of a size.
    if element.name == "line" {
        let ((a, b), (c, d)) = match space {
            Some(_) => (
                pair(element, "from").unwrap_or_default(),
                pair(element, "to").unwrap_or_default(),
            ),
            None => ends(element),
        };
        (place.x, place.y) = (a.min(c), b.min(d));
        (place.width, place.height) = ((c - a).abs(), (d - b).abs());
        // The direction of a line is expressed by flips.
        place.flips = (place.flips.0 != (c < a), place.flips.1 != (d < b));
        if space.is_none() {
            (place.x, place.y) = (0.0, 0.0);
        }
    } else if space.is_some() {
        place.x = number("left").unwrap_or(0.0);
        place.y = number("top").unwrap_or(0.0);
        place.width = number("width").unwrap_or(0.0).abs();
        place.height = number("height").unwrap_or(0.0).abs();
    } else {
        (place.width, place.height) = size;
    }
    match space {
        Some(space) => space.on_sheet(place),
        None => place,
    }
}

/// Rotation of a shape, clockwise in degrees from 0 to 360. The unit `fd` is 1/65536 of a degree.
pub(super) fn turn(style: &str) -> f64 {
    let degrees = css(style, "rotation").and_then(|turn| match turn.strip_suffix("fd") {
        Some(parts) => parts
            .trim()
            .parse::<f64>()
            .ok()
            .map(|parts| parts / 65_536.0),
        None => turn.parse().ok(),
    });
    degrees
        .filter(|degrees| degrees.is_finite())
        .unwrap_or(0.0)
        .rem_euclid(360.0)
}

/// Frame of a floating picture, whose shape is the innermost open element of `xml`. `None` for an inline picture.
pub(super) fn picture_frame(style: &str, xml: &mut Reader<'_>) -> Result<Option<Frame>> {
    if css(style, "position") != Some("absolute") {
        return Ok(None);
    }
    let mut wrap = None;
    let level = xml.level();
    while let Some(child) = xml.next_element(level)? {
        if child.name == "wrap" {
            wrap = Some(wrapped(&child));
        }
    }
    let side = |name| length(style, name).unwrap_or(0.0);
    Ok(Some(frame(style, (side("width"), side("height")), wrap)))
}

/// Frame of a shape of this size, from the properties in its `style`.
fn frame(style: &str, (width, height): (f64, f64), wrap: Option<Wrap>) -> Frame {
    let exactly = |emu: f64| Extent::Exactly(Length::emu(emu as i64));
    let mut frame = Frame {
        width: exactly(width),
        height: exactly(height),
        apart: true,
        ..Frame::default()
    };
    if css(style, "position") != Some("absolute") {
        frame.anchor = Anchor::Letter;
        return frame;
    }
    // A position is relative to an area, and either aligned to it or given by offsets.
    let position = |relative, aligned, offsets: [&str; 2], default| {
        let base = match css(style, relative) {
            Some("page") => Base::Page,
            Some("margin") => Base::Margin,
            Some("char") => Base::Character,
            Some("line") => Base::Line,
            Some("left-margin-area" | "top-margin-area") => Base::StartMargin,
            Some("right-margin-area" | "bottom-margin-area") => Base::EndMargin,
            _ => default,
        };
        let at = match css(style, aligned) {
            Some("left" | "top") => At::Start,
            Some("center") => At::Middle,
            Some("right" | "bottom") => At::End,
            Some("inside") => At::Inside,
            Some("outside") => At::Outside,
            _ => {
                let all = offsets.iter().filter_map(|name| length(style, name));
                At::Offset(Length::emu(all.sum::<f64>() as i64))
            }
        };
        Position { base, at }
    };
    frame.horizontal = position(
        "mso-position-horizontal-relative",
        "mso-position-horizontal",
        ["margin-left", "left"],
        Base::Column,
    );
    frame.vertical = position(
        "mso-position-vertical-relative",
        "mso-position-vertical",
        ["margin-top", "top"],
        Base::Paragraph,
    );
    let order = css(style, "z-index").and_then(|order| order.parse::<i64>().ok());
    frame.order = order.unwrap_or(0);
    // A shape with a negative order is behind the text.
    frame.behind = frame.order < 0;
    frame.wrap = wrap.unwrap_or_default();
    // Distances in EMU. The default is 1/8 inch on the left and right, and 0 above and below.
    let distance = |name, default: f64| Length::emu(length(style, name).unwrap_or(default) as i64);
    frame.distances = Edges {
        top: distance("mso-wrap-distance-top", 0.0),
        right: distance("mso-wrap-distance-right", 114_300.0),
        bottom: distance("mso-wrap-distance-bottom", 0.0),
        left: distance("mso-wrap-distance-left", 114_300.0),
    };
    frame
}

/// Reads the wrapping of text around a shape (`w10:wrap`).
fn wrapped(element: &Element<'_>) -> Wrap {
    let side = match element.attribute("side").as_deref() {
        Some("left") => Side::Left,
        Some("right") => Side::Right,
        Some("largest") => Side::Larger,
        _ => Side::Both,
    };
    match element.attribute("type").as_deref() {
        Some("square" | "tight" | "through") => Wrap::Around(side),
        Some("topAndBottom") => Wrap::TopAndBottom,
        _ => Wrap::None,
    }
}

/// Returns whether the shape around this `v:textbox` is as high as its text.
fn fits(element: &Element<'_>) -> bool {
    let style = element.attribute("style").unwrap_or_default();
    css(&style, "mso-fit-shape-to-text").is_some_and(|value| matches!(value, "t" | "true"))
}

/// Distances from the edges of the frame to the text of a shape. The defaults are 0.1 inches on the left and right, and
/// 0.05 inches above and below, in EMU.
fn insets(element: &Element<'_>, place: &Place, size: (f64, f64)) -> Edges {
    let attribute = element.attribute("inset").unwrap_or_default();
    let mut sides = [91_440.0, 45_720.0, 91_440.0, 45_720.0];
    for (side, value) in sides.iter_mut().zip(attribute.split(',')) {
        *side = measure(value).unwrap_or(*side);
    }
    let emu = |length: f64| Length::emu(length as i64);
    let [left, top, right, bottom] = sides;
    Edges {
        left: emu(place.x + left),
        top: emu(place.y + top),
        right: emu(size.0 - place.x - place.width + right),
        bottom: emu(size.1 - place.y - place.height + bottom),
    }
}

/// Rotation of text whose lines run up or down, in degrees. `None` for horizontal lines.
fn flow(textbox: &Element<'_>) -> Option<f64> {
    let style = textbox.attribute("style")?;
    if !css(&style, "layout-flow")?.starts_with("vertical") {
        return None;
    }
    Some(match css(&style, "mso-layout-flow-alt") {
        Some("bottom-to-top") => 270.0,
        _ => 90.0,
    })
}

/// Ends of a `v:line`, in EMU.
fn ends(element: &Element<'_>) -> ((f64, f64), (f64, f64)) {
    let end = |name| {
        let value = element.attribute(name).unwrap_or_default();
        let mut parts = value.split(',').map(|part| measure(part).unwrap_or(0.0));
        (parts.next().unwrap_or(0.0), parts.next().unwrap_or(0.0))
    };
    (end("from"), end("to"))
}

/// Parses an attribute with two numbers, separated by a comma or a space.
fn pair(element: &Element<'_>, name: &str) -> Option<(f64, f64)> {
    let value = element.attribute(name)?;
    let mut parts = value.split([',', ' ']).filter(|part| !part.is_empty());
    let mut next = || {
        parts
            .next()?
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|n| n.is_finite())
    };
    Some((next()?, next()?))
}

/// Parses a boolean attribute.
fn truth(node: &Node<'_>, name: &str) -> Option<bool> {
    Some(matches!(&*node.attribute(name)?, "t" | "true" | "1"))
}

/// Parses a fraction: `.5`, `50%` or `32768f` (in 1/65536).
fn fraction(value: &str) -> Option<f64> {
    let value = value.trim();
    let (digits, of) = match (value.strip_suffix('f'), value.strip_suffix('%')) {
        (Some(digits), _) => (digits, 65_536.0),
        (_, Some(digits)) => (digits, 100.0),
        _ => (value, 1.0),
    };
    let number = digits.parse::<f64>().ok()? / of;
    number.is_finite().then_some(number)
}

/// Parses a colour. Word may add the index of the colour in brackets, which is ignored.
fn colour(value: &str) -> Option<[u8; 3]> {
    let word = value.split_whitespace().next()?;
    if !word.starts_with('#') {
        return named_colour(word);
    }
    let tree::Colour(red, green, blue) = tree::Colour::parse(word)?;
    Some([red, green, blue])
}

/// Parses a length in EMU. Numbers without a unit are pixels.
fn measure(value: &str) -> Option<f64> {
    let plain = || value.trim().parse().ok().map(Length::pixels);
    let length = Length::parse(value).or_else(plain)?;
    Some(length.to_emu() as f64)
}

/// Length of a property in `style`, in EMU.
fn length(style: &str, name: &str) -> Option<f64> {
    css(style, name).and_then(measure)
}

/// Value of a property in a list like that of CSS.
fn css<'s>(style: &'s str, name: &str) -> Option<&'s str> {
    let mut all = style
        .split(';')
        .filter_map(|declaration| declaration.split_once(':'));
    let (_, value) = all.find(|(known, _)| known.trim() == name)?;
    Some(value.trim())
}
