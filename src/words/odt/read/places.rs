//! Positions of frames (OpenDocument 1.3, part 3, 20.258 to 20.400), and their backgrounds. Reads no content.

use crate::{containers::xml::Element, error::Result};
use convertd_tree::{
    Anchor, At, Base, Builder, Colour, Edges, Extent, Frame, Length, Picture, PictureSource,
    Position, Side, Wrap,
};
use std::collections::HashMap;

/// Graphic properties of a style and its base styles, by name.
pub(super) type Graphic = HashMap<Box<str>, Box<str>>;

/// Returns whether a graphic property matters for positions, backgrounds or shapes.
pub(super) fn is_known(name: &str) -> bool {
    ["margin", "padding", "border", "horizontal-", "vertical-"]
        .iter()
        .any(|begin| name.starts_with(begin))
        || matches!(
            name,
            "wrap"
                | "run-through"
                | "background-color"
                | "fill"
                | "fill-color"
                | "fill-gradient-name"
                | "fill-hatch-name"
                | "fill-image-name"
                | "marker-end"
                | "marker-start"
                | "auto-grow-height"
                | "min-height"
                | "opacity"
                | "shadow"
                | "stroke"
                | "stroke-dash"
                | "stroke-width"
                | "stroke-color"
                | "stroke-opacity"
                | "textarea-vertical-align"
        )
}

/// Position of a `draw:frame` or a shape. `None` unless it is anchored to a paragraph, a character or a page.
pub(super) fn frame(element: &Element<'_>, graphic: &Graphic) -> Option<Frame> {
    anchored(element, graphic, &element.attribute("anchor-type")?)
}

/// Position for this kind of anchor. Members of a group have the anchor of the group.
pub(super) fn anchored(element: &Element<'_>, graphic: &Graphic, kind: &str) -> Option<Frame> {
    // A length in an attribute.
    let length = |name: &str| {
        let value = element.attribute(name);
        value.and_then(|value| Length::parse(&value))
    };
    let size = |name: &str| length(name).filter(|length| *length > Length::ZERO);
    if !matches!(kind, "paragraph" | "char" | "page") {
        return None;
    }
    // A share of the reference area. More than twice the area is damage, and is ignored.
    let share = |name: &str, base| {
        let value = element.attribute(name)?;
        let percent: f32 = value.strip_suffix('%')?.parse().ok()?;
        (percent > 0.0 && percent <= 200.0).then_some(Extent::Share(percent / 100.0, base))
    };
    let property = |name: &str| graphic.get(name).map(|value| &**value);
    // A margin or padding of one side, or else the value for all sides.
    let edge = |kind: &str, side: &str| {
        let own = property(&format!("{kind}-{side}")).or(property(kind));
        own.and_then(Length::parse).unwrap_or_default()
    };
    let edges = |kind: &str| Edges {
        top: edge(kind, "top"),
        right: edge(kind, "right"),
        bottom: edge(kind, "bottom"),
        left: edge(kind, "left"),
    };
    // The alignment in the reference area, or the offset.
    let at = |aligned: Option<&str>, offset: &str| match aligned {
        Some("left" | "top") => At::Start,
        Some("center" | "middle") => At::Middle,
        Some("right" | "bottom") => At::End,
        Some("inside") => At::Inside,
        Some("outside") => At::Outside,
        _ => At::Offset(length(offset).unwrap_or_default()),
    };
    // The default reference area depends on the anchor.
    let default = |paragraph| {
        if kind == "page" {
            Base::Page
        } else {
            paragraph
        }
    };
    let order = element.attribute("z-index");
    // Wrapping of text around the frame.
    let wrap = match property("wrap") {
        Some("none") => Wrap::TopAndBottom,
        Some("run-through") => Wrap::None,
        Some("left") => Wrap::Around(Side::Left),
        Some("right") => Wrap::Around(Side::Right),
        Some("dynamic" | "biggest") => Wrap::Around(Side::Larger),
        _ => Wrap::Around(Side::Both),
    };
    Some(Frame {
        horizontal: Position {
            base: base(property("horizontal-rel")).unwrap_or(default(Base::Column)),
            at: at(property("horizontal-pos"), "x"),
        },
        vertical: Position {
            base: base(property("vertical-rel")).unwrap_or(default(Base::Paragraph)),
            at: at(property("vertical-pos"), "y"),
        },
        width: share("rel-width", Base::Column)
            .or(size("width").map(Extent::Exactly))
            .unwrap_or_default(),
        height: size("height").map(Extent::Exactly).unwrap_or_default(),
        wrap,
        behind: wrap == Wrap::None && property("run-through") == Some("background"),
        order: order.and_then(|order| order.parse().ok()).unwrap_or(0),
        distances: edges("margin"),
        insets: edges("padding"),
        anchor: Anchor::Text,
        apart: true,
        ..Frame::default()
    })
}

/// Makes a frame as high as its text, if its shape grows with it (`draw:auto-grow-height`). Its least height is
/// that of the shape, if the shape states at least this height for its text. Rotated shapes keep their size.
#[cfg(feature = "presentation")]
pub(super) fn fit(frame: &mut Frame, graphic: &Graphic) {
    let is_true = |name: &str| graphic.get(name).is_some_and(|value| &**value == "true");
    frame.fits = frame.turn == 0.0 && is_true("auto-grow-height");
    let least = graphic.get("min-height");
    if let (Some(least), Extent::Exactly(height)) =
        (least.and_then(|least| Length::parse(least)), frame.height)
        && frame.fits
        && least + frame.insets.top + frame.insets.bottom >= height
    {
        frame.height = Extent::AtLeast(height);
    }
}

/// Reference area of a position (20.300, 20.399).
fn base(name: Option<&str>) -> Option<Base> {
    Some(match name? {
        "page" => Base::Page,
        "page-content" => Base::Margin,
        "page-start-margin" => Base::StartMargin,
        "page-end-margin" => Base::EndMargin,
        "frame" | "frame-content" | "paragraph" | "paragraph-content" | "text" => Base::Paragraph,
        "char" => Base::Character,
        "line" | "baseline" => Base::Line,
        _ => return None,
    })
}

/// Sets the background colour of a frame. Also draws the background and the border as a picture behind the frame, if
/// the size of the frame is known. All sides get the same border.
pub(super) fn back(frame: &mut Frame, graphic: &Graphic, build: &mut Builder<'_>) -> Result<()> {
    let property = |name: &str| graphic.get(name).map(|value| &**value);
    let fill = property("background-color").and_then(Colour::parse);
    frame.ground = fill;
    // A frame that is as large as its content, or a share of its reference area, has no known size.
    let size = |extent| match extent {
        Extent::Exactly(length) | Extent::AtLeast(length) => Some(length),
        Extent::Content | Extent::Share(..) => None,
    };
    let (Some(width), Some(height)) = (size(frame.width), size(frame.height)) else {
        return Ok(());
    };
    // A border states its width, style and colour in any order.
    let border = property("border").or(property("border-top"));
    let border = border.filter(|border| !border.contains("none"));
    let line = border.and_then(|border| border.split_whitespace().find_map(Length::parse));
    let colour = border.and_then(|border| border.split_whitespace().find_map(Colour::parse));
    if fill.is_none() && line.is_none() {
        return Ok(());
    }
    let hex = |colour: Option<Colour>, other: &str| {
        colour.map_or(other.to_owned(), |colour| format!("#{}", colour.hex()))
    };
    // The border is inside the frame.
    let (wide, high) = (width.to_points(), height.to_points());
    let thick = line.map_or(0.0, |line| line.to_points().clamp(0.0, 50.0));
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}pt\" height=\"{high}pt\" viewBox=\"0 0 {wide} {high}\"><rect x=\"{x}\" y=\"{x}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{thick}\"/></svg>",
        (wide - thick).max(0.0),
        (high - thick).max(0.0),
        hex(fill, "none"),
        if thick > 0.0 {
            hex(colour, "#000000")
        } else {
            "none".to_owned()
        },
        x = thick / 2.0,
    );
    frame.backdrop = Some(Box::new(Picture {
        source: PictureSource::Resource(build.drawing(svg.into_bytes())?),
        alternative: Box::default(),
        title: Box::default(),
        width: Some(width),
        height: Some(height),
        frame: None,
    }));
    Ok(())
}

/// Properties that the members of a group inherit from it: their anchor, the reference areas of their positions, and
/// the wrapping of text around them.
#[cfg(feature = "presentation")]
#[derive(Clone, Debug)]
pub(super) struct Grouped {
    /// Kind of anchor of the group.
    anchor: Box<str>,
    /// Graphic properties of the group.
    graphic: Graphic,
    /// Stacking order of the group, which is that of its members.
    order: i64,
}

#[cfg(feature = "presentation")]
impl Grouped {
    pub(super) fn of(element: &Element<'_>, graphic: Graphic) -> Option<Self> {
        let anchor = element.attribute("anchor-type")?;
        let order = element.attribute("z-index");
        Some(Self {
            anchor: anchor.as_ref().into(),
            graphic,
            order: order.and_then(|order| order.parse().ok()).unwrap_or(0),
        })
    }

    /// Position of a member, relative to the anchor of the group.
    pub(super) fn frame(&self, element: &Element<'_>, own: &Graphic) -> Option<Frame> {
        let mut graphic = own.clone();
        graphic.retain(|name, _| !name.ends_with("-pos") && !name.ends_with("-rel"));
        for (name, value) in &self.graphic {
            if name.ends_with("-rel") || matches!(&**name, "wrap" | "run-through") {
                graphic.insert(name.clone(), value.clone());
            }
        }
        let frame = anchored(element, &graphic, &self.anchor)?;
        Some(Frame {
            order: self.order,
            ..frame
        })
    }
}
