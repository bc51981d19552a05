//! Frames of paragraphs (`w:framePr`, 17.3.1.11), and floating pictures (`wp:anchor`, 20.4.2.3). Writes no content of
//! frames.

use crate::containers::xml::Writer;
use convertd_tree::{At, Base, Extent, Frame, Length, Position, Side, Wrap};

/// Writes the frame of a paragraph. Lengths are in twips, at most 22 inches.
pub(super) fn of_paragraph(xml: &mut Writer, frame: &Frame) {
    xml.start("w:framePr");
    if let Extent::Exactly(width) = frame.width {
        xml.number("w:w", width.to_twips().clamp(1, 31_680));
    }
    match frame.height {
        Extent::Exactly(height) => {
            xml.number("w:h", height.to_twips().clamp(1, 31_680))
                .attribute("w:hRule", "exact");
        }
        Extent::AtLeast(height) => {
            xml.number("w:h", height.to_twips().clamp(1, 31_680))
                .attribute("w:hRule", "atLeast");
        }
        Extent::Content | Extent::Share(..) => {}
    }
    let distances = &frame.distances;
    let (beside, above) = (
        distances.left.max(distances.right),
        distances.top.max(distances.bottom),
    );
    xml.number("w:hSpace", beside.to_twips().clamp(0, 31_680))
        .number("w:vSpace", above.to_twips().clamp(0, 31_680));
    xml.attribute(
        "w:wrap",
        match frame.wrap {
            Wrap::TopAndBottom => "notBeside",
            Wrap::None | Wrap::Around(_) => "around",
        },
    );
    let anchor = |base| match base {
        Base::Page | Base::StartMargin | Base::EndMargin => "page",
        Base::Margin => "margin",
        Base::Column | Base::Paragraph | Base::Line | Base::Character => "text",
    };
    xml.attribute("w:vAnchor", anchor(frame.vertical.base))
        .attribute("w:hAnchor", anchor(frame.horizontal.base));
    place(
        xml,
        frame.horizontal.at,
        ["w:x", "w:xAlign"],
        ["left", "center", "right"],
    );
    place(
        xml,
        frame.vertical.at,
        ["w:y", "w:yAlign"],
        ["top", "center", "bottom"],
    );
    xml.end();
}

/// Writes a coordinate of a frame: an offset in twips, or an alignment. A share of the reference area is left out.
fn place(xml: &mut Writer, at: At, [offset, aligned]: [&'static str; 2], names: [&str; 3]) {
    let [start, middle, end] = names;
    let name = match at {
        At::Offset(length) => {
            xml.number(offset, length.to_twips().clamp(-31_680, 31_680));
            return;
        }
        At::Share(_) => return,
        At::Start => start,
        At::Middle => middle,
        At::End => end,
        At::Inside => "inside",
        At::Outside => "outside",
    };
    xml.attribute(aligned, name);
}

/// Opens the anchor of a picture, and writes all that precedes the extent. Lengths are in English Metric Units (EMU).
pub(super) fn begin_anchor(xml: &mut Writer, frame: &Frame) {
    xml.start("wp:anchor");
    let distances = &frame.distances;
    for (name, distance) in [
        ("distT", distances.top),
        ("distB", distances.bottom),
        ("distL", distances.left),
        ("distR", distances.right),
    ] {
        xml.number(name, distance.to_emu().max(0));
    }
    xml.number("simplePos", 0)
        .number("relativeHeight", frame.order.clamp(0, u32::MAX.into()))
        .number("behindDoc", u8::from(frame.behind))
        .number("locked", 0)
        .number("layoutInCell", 1)
        .number("allowOverlap", 1);
    xml.start("wp:simplePos")
        .number("x", 0)
        .number("y", 0)
        .end();
    position(
        xml,
        "wp:positionH",
        frame.horizontal,
        "column",
        ["left", "right"],
    );
    position(
        xml,
        "wp:positionV",
        frame.vertical,
        "paragraph",
        ["top", "bottom"],
    );
}

/// Writes the wrapping of text around a picture. The schema requires it after the extent.
pub(super) fn wrap(xml: &mut Writer, frame: &Frame) {
    match frame.wrap {
        Wrap::None => xml.start("wp:wrapNone"),
        Wrap::TopAndBottom => xml.start("wp:wrapTopAndBottom"),
        Wrap::Around(side) => xml.start("wp:wrapSquare").attribute(
            "wrapText",
            match side {
                Side::Both => "bothSides",
                Side::Left => "left",
                Side::Right => "right",
                Side::Larger => "largest",
            },
        ),
    };
    xml.end();
}

/// Writes a coordinate of an anchor (20.4.2.10, 20.4.2.11). Some reference areas exist in one direction only; in the
/// other, `text` replaces them.
fn position(
    xml: &mut Writer,
    name: &'static str,
    position: Position,
    text: &str,
    [first, last]: [&str; 2],
) {
    let across = text == "column";
    let base = match position.base {
        Base::Page => "page",
        Base::Margin => "margin",
        Base::StartMargin if across => "leftMargin",
        Base::StartMargin => "topMargin",
        Base::EndMargin if across => "rightMargin",
        Base::EndMargin => "bottomMargin",
        Base::Character if across => "character",
        Base::Line if !across => "line",
        Base::Column | Base::Paragraph | Base::Line | Base::Character => text,
    };
    xml.start(name).attribute("relativeFrom", base);
    let aligned = match position.at {
        At::Offset(length) => {
            xml.start("wp:posOffset")
                .text(&length.to_emu().to_string())
                .end();
            xml.end();
            return;
        }
        At::Share(_) => {
            // Only an element of Word 2010 can state a share of the reference area. The edge is used instead.
            let none = Length::ZERO.to_emu().to_string();
            xml.start("wp:posOffset").text(&none).end();
            xml.end();
            return;
        }
        At::Start => first,
        At::Middle => "center",
        At::End => last,
        At::Inside => "inside",
        At::Outside => "outside",
    };
    xml.start("wp:align").text(aligned).end();
    xml.end();
}
