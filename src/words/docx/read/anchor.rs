//! Positions of floating drawings (ECMA-376 part 1, 20.4.2) and floating tables (17.4.57). Reads no content.

use super::lengths::twips;
use crate::containers::xml::{Element, Node};
use convertd_office::drawing::{flag, number};
use convertd_tree::{
    Anchor, At, Base, Column, Edges, Extent, Frame, Length, Position, Side, Width, Wrap,
};
use std::borrow::Cow;

/// Reads a `wp:anchor` or a `wp:inline`. The node need not include the drawing itself. Lengths are in English Metric
/// Units (EMU).
pub(super) fn frame(node: &Node<'_>) -> Frame {
    let distance = |name| Length::emu(number(node, name).unwrap_or(0).max(0));
    let extent = node.child("wp", "extent");
    let side = |name| extent.and_then(|extent| number(extent, name));
    let mut frame = Frame {
        width: side("cx").map_or(Extent::Content, |emu| Extent::Exactly(Length::emu(emu))),
        height: side("cy").map_or(Extent::Content, |emu| Extent::Exactly(Length::emu(emu))),
        distances: Edges {
            top: distance("distT"),
            right: distance("distR"),
            bottom: distance("distB"),
            left: distance("distL"),
        },
        apart: true,
        ..Frame::default()
    };
    if node.element.name == "inline" {
        frame.anchor = Anchor::Letter;
        return frame;
    }
    frame.behind = flag(node, "behindDoc").unwrap_or(false);
    frame.order = number(node, "relativeHeight").unwrap_or(0);
    frame.horizontal = position(node, "positionH", Base::Column);
    frame.vertical = position(node, "positionV", Base::Paragraph);
    // A "simple position" is an offset from the upper left corner of the page.
    if flag(node, "simplePos") == Some(true)
        && let Some(place) = node.child("wp", "simplePos")
    {
        let at = |name| Position {
            base: Base::Page,
            at: At::Offset(Length::emu(number(place, name).unwrap_or(0))),
        };
        (frame.horizontal, frame.vertical) = (at("x"), at("y"));
    }
    frame.wrap = node.children.iter().find_map(wrap).unwrap_or_default();
    if let Some(share) = share(node, "sizeRelH", "pctWidth") {
        frame.width = share;
    }
    if let Some(share) = share(node, "sizeRelV", "pctHeight") {
        frame.height = share;
    }
    frame
}

/// Reads `wp:positionH` or `wp:positionV` (20.4.2.10, 20.4.2.11): an offset, a share of the reference area, or an
/// alignment. `default` is the reference area if the element is missing.
fn position(anchor: &Node<'_>, name: &str, default: Base) -> Position {
    let mut all = anchor.children.iter().flat_map(preferred);
    let Some(node) = all.find(|node| node.element.name == name) else {
        return Position {
            base: default,
            at: At::default(),
        };
    };
    let base = base(&node.attribute("relativeFrom").unwrap_or_default());
    let mut at = At::default();
    for child in &node.children {
        let text = child.text.trim();
        at = match child.element.name {
            "posOffset" => At::Offset(Length::emu(text.parse::<f64>().unwrap_or(0.0) as i64)),
            "pctPosHOffset" | "pctPosVOffset" => {
                // The share is in thousandths of a percent.
                At::Share((text.parse::<f64>().unwrap_or(0.0) / 100_000.0) as f32)
            }
            "align" => match text {
                "right" | "bottom" => At::End,
                "center" => At::Middle,
                "inside" => At::Inside,
                "outside" => At::Outside,
                _ => At::Start,
            },
            _ => at,
        };
    }
    Position {
        base: base.unwrap_or(default),
        at,
    }
}

/// Returns the children of the first choice of an `mc:AlternateContent`, or the element itself.
fn preferred<'n, 'x>(node: &'n Node<'x>) -> &'n [Node<'x>] {
    match node.element.name {
        "AlternateContent" => node
            .children
            .first()
            .map(|choice| choice.children.as_slice())
            .unwrap_or_default(),
        _ => std::slice::from_ref(node),
    }
}

/// Reference area of a position (ST_RelFromH and ST_RelFromV, 20.4.3.4 and 20.4.3.5).
pub(super) fn base(name: &str) -> Option<Base> {
    Some(match name {
        "page" => Base::Page,
        "margin" => Base::Margin,
        "column" => Base::Column,
        "character" => Base::Character,
        "leftMargin" | "topMargin" | "insideMargin" => Base::StartMargin,
        "rightMargin" | "bottomMargin" | "outsideMargin" => Base::EndMargin,
        "paragraph" => Base::Paragraph,
        "line" => Base::Line,
        _ => return None,
    })
}

/// Reads the wrapping of text around a drawing (20.4.2.15 to 20.4.2.20). Contours are simplified to rectangles.
fn wrap(node: &Node<'_>) -> Option<Wrap> {
    let side = || match node.attribute("wrapText").as_deref() {
        Some("left") => Side::Left,
        Some("right") => Side::Right,
        Some("largest") => Side::Larger,
        _ => Side::Both,
    };
    Some(match node.element.name {
        "wrapNone" => Wrap::None,
        "wrapTopAndBottom" => Wrap::TopAndBottom,
        "wrapSquare" | "wrapTight" | "wrapThrough" => Wrap::Around(side()),
        _ => return None,
    })
}

/// Reads a size that is a share of a reference area (MS-ODRAWXML, 2.3.1.1). A share of 0 means that the size in the
/// extent applies.
fn share(anchor: &Node<'_>, name: &str, value: &str) -> Option<Extent> {
    let mut all = anchor.children.iter().flat_map(preferred);
    let node = all.find(|node| node.element.name == name)?;
    let share = node.named(value)?;
    let share = share.text.trim().parse::<f64>().ok()? / 100_000.0;
    let base = base(&node.attribute("relativeFrom").unwrap_or_default());
    (share > 0.0).then(|| Extent::Share(share.min(10.0) as f32, base.unwrap_or(Base::Page)))
}

/// Reads the frame of a floating table from its `w:tblpPr`, except for the width.
pub(super) fn table(element: &Element<'_>) -> Frame {
    let attribute = |name: &str| element.attribute(name);
    let distance = |name| {
        let length = attribute(name).and_then(|value| twips(&value));
        length.unwrap_or_default()
    };
    Frame {
        anchor: Anchor::Next,
        horizontal: position_of_attributes(&attribute, ["horzAnchor", "tblpXSpec", "tblpX"]),
        vertical: position_of_attributes(&attribute, ["vertAnchor", "tblpYSpec", "tblpY"]),
        wrap: Wrap::Around(Side::Both),
        distances: Edges {
            top: distance("topFromText"),
            right: distance("rightFromText"),
            bottom: distance("bottomFromText"),
            left: distance("leftFromText"),
        },
        ..Frame::default()
    }
}

/// Width of a floating table: the stated width if it is a length, or else the sum of its columns if all of their widths
/// are lengths.
pub(super) fn width(width: Option<Width>, columns: &[Column]) -> Extent {
    if let Some(Width::Fixed(width)) = width {
        return Extent::Exactly(width);
    }
    let mut whole = Length::ZERO;
    for column in columns {
        match column.width {
            Some(Width::Fixed(width)) => whole = whole + width,
            _ => return Extent::Content,
        }
    }
    match whole > Length::ZERO {
        true => Extent::Exactly(whole),
        false => Extent::Content,
    }
}

/// Reads a position from three attributes: its reference area, its alignment and its offset. Frames and floating tables
/// share this notation.
pub(super) fn position_of_attributes<'a>(
    attribute: &dyn Fn(&str) -> Option<Cow<'a, str>>,
    [relative, aligned, offset]: [&str; 3],
) -> Position {
    // The name of the offset attribute states the direction: x is horizontal.
    let across = offset.ends_with(['x', 'X']);
    let base = match attribute(relative).as_deref() {
        Some("page") => Base::Page,
        Some("margin") => Base::Margin,
        Some(_) if across => Base::Column,
        Some(_) => Base::Paragraph,
        None if across => Base::Column,
        None => Base::Margin,
    };
    let at = match attribute(aligned).as_deref() {
        Some("left" | "top") => At::Start,
        Some("center") => At::Middle,
        Some("right" | "bottom") => At::End,
        Some("inside") => At::Inside,
        Some("outside") => At::Outside,
        _ => {
            let length = attribute(offset).and_then(|value| twips(&value));
            At::Offset(length.unwrap_or_default())
        }
    };
    // A vertical alignment relative to the text applies to a single line. It is not a position on the page, so it is
    // ignored.
    match (base, at) {
        (Base::Paragraph, At::Start | At::Middle | At::End) => Position::default(),
        _ => Position { base, at },
    }
}
