//! Shapes of VML (ECMA-376 part 4, 19.1), which Word wrote before 2010, and still writes for watermarks: their
//! positions, outlines, fills and lines. Drawing is shared with the shapes of DrawingML.

mod positions;

use super::{
    body::Body,
    context::VmlKind,
    drawing::Shown,
    shapes::{Group, Words},
};
use crate::{
    containers::xml::{Element, Node},
    error::Result,
};
use convertd_office::{
    drawing::{
        self, Arrow, Crop, Fill, Geometry, Gradient, GradientPath, Line, Path, Place, Rgba, Sketch,
        Space, VmlOutline, dashes, named_colour,
    },
    wordprocessing::losses,
};
use convertd_tree::{self as tree, Anchor, At, Length, Position, VerticalAlignment, Wrap};
use positions::{css, ends, fits, flow, frame, insets, length, measure, pair, place, wrapped};
pub(super) use positions::{picture_frame, turn};
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
                middle: place.pivot(),
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
