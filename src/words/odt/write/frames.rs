//! Floating frames (OpenDocument 1.3, part 3, 10.4.2): text boxes and pictures. Writes no content of frames.
//!
//! In OpenDocument, a frame is an element of the paragraph that it is anchored to. In the tree, the content of a
//! frame comes before that paragraph. So the frame is written separately, and stored until a paragraph begins.

use super::{automatic::StyleFamily, context::Odt, properties::points, styles::FRAME};
use crate::containers::xml::Writer;
use convertd_tree::{At, Base, Edges, Extent, Frame, Length, Side, VerticalAlignment, Wrap};

impl Odt<'_> {
    /// Begins a frame. The text that was written so far is set aside.
    pub(super) fn begin_frame(&mut self, frame: &Frame) {
        self.reopen_lists();
        let outer = std::mem::replace(&mut self.xml, Writer::fragment());
        let breaks = std::mem::take(&mut self.context.break_pending);
        self.frames.around = Some((outer, breaks, self.master_pending.take()));
        self.start_frame(frame, FRAME);
        if let Extent::Exactly(width) = frame.width {
            self.xml.attribute("svg:width", points(least(width)));
        }
        if let Extent::Share(share, _) = frame.width {
            self.xml
                .attribute("style:rel-width", format!("{}%", (share * 100.0).round()));
        }
        if let Extent::Exactly(height) = frame.height {
            self.xml.attribute("svg:height", points(least(height)));
        }
        self.xml.start("draw:text-box");
        if let Extent::AtLeast(height) = frame.height {
            self.xml.attribute("fo:min-height", points(least(height)));
        }
        if frame.width == Extent::Content {
            self.xml
                .attribute("fo:min-width", points(least(Length::ZERO)));
        }
    }

    /// Ends the frame, and stores it for the next paragraph.
    pub(super) fn end_frame(&mut self) {
        let Some((outer, breaks, master)) = self.frames.around.take() else {
            return;
        };
        self.xml.end().end();
        let frame = std::mem::replace(&mut self.xml, outer);
        self.frames.waiting.push(frame.finish());
        self.context.break_pending |= breaks;
        self.master_pending = master.or(self.master_pending.take());
    }

    /// Writes the waiting frames into the paragraph that has just begun. Within a frame, they continue to wait.
    pub(super) fn settle_frames(&mut self) {
        if self.frames.around.is_none() {
            for frame in std::mem::take(&mut self.frames.waiting) {
                self.xml.raw(&frame);
            }
        }
    }

    /// Returns whether frames wait for a paragraph. False within a frame, because waiting frames belong to the text
    /// around it.
    pub(super) fn frames_wait(&self) -> bool {
        self.frames.around.is_none() && !self.frames.waiting.is_empty()
    }

    /// Opens a `draw:frame` at its position. `parent` is the name of the base style. The caller adds the size.
    pub(super) fn start_frame(&mut self, frame: &Frame, parent: &str) {
        let properties = properties(frame);
        let parent = [("style:parent-style-name", parent)];
        let style = self
            .automatic
            .name(StyleFamily::Graphic, &parent, &properties);
        self.frames.count += 1;
        let anchor = match (frame.horizontal.base, frame.vertical.base) {
            (Base::Character, _) | (_, Base::Character | Base::Line) => "char",
            _ => "paragraph",
        };
        let xml = &mut self.xml;
        xml.start("draw:frame")
            .attribute("draw:style-name", style)
            .attribute("draw:name", format!("Frame{}", self.frames.count))
            .attribute("text:anchor-type", anchor)
            .number("draw:z-index", frame.order.clamp(0, i32::MAX.into()));
        for (name, at) in [("svg:x", frame.horizontal.at), ("svg:y", frame.vertical.at)] {
            if let At::Offset(offset) = at {
                xml.attribute(name, points(offset));
            }
        }
    }
}

/// Limits a length to at least a point, because programs do not show a frame without size.
pub(super) fn least(length: Length) -> Length {
    length.max(Length::points(1.0))
}

/// Returns the `style:graphic-properties` of a frame (20.258 to 20.400).
fn properties(frame: &Frame) -> String {
    let mut xml = Writer::fragment();
    xml.start("style:graphic-properties");
    let (wrap, through) = match frame.wrap {
        Wrap::None if frame.behind => ("run-through", Some("background")),
        Wrap::None => ("run-through", Some("foreground")),
        Wrap::TopAndBottom => ("none", None),
        Wrap::Around(Side::Both) => ("parallel", None),
        Wrap::Around(Side::Left) => ("left", None),
        Wrap::Around(Side::Right) => ("right", None),
        Wrap::Around(Side::Larger) => ("biggest", None),
    };
    xml.attribute("style:wrap", wrap);
    if let Some(through) = through {
        xml.attribute("style:run-through", through);
    }
    xml.attribute("style:number-wrapped-paragraphs", "no-limit")
        .attribute("style:horizontal-pos", across(frame.horizontal.at))
        .attribute("style:horizontal-rel", base(frame.horizontal.base))
        .attribute("style:vertical-pos", down(frame.vertical.at))
        .attribute("style:vertical-rel", base(frame.vertical.base));
    edges(&mut xml, "fo:margin", &frame.distances);
    edges(&mut xml, "fo:padding", &frame.insets);
    xml.attribute("fo:border", "none");
    if frame.text != VerticalAlignment::Top {
        let middle = frame.text == VerticalAlignment::Middle;
        let place = if middle { "middle" } else { "bottom" };
        xml.attribute("draw:textarea-vertical-align", place);
    }
    xml.end();
    xml.finish()
}

/// Value of `style:horizontal-pos`.
fn across(at: At) -> &'static str {
    match at {
        At::Offset(_) | At::Share(_) => "from-left",
        At::Start => "left",
        At::Middle => "center",
        At::End => "right",
        At::Inside => "inside",
        At::Outside => "outside",
    }
}

/// Value of `style:vertical-pos`.
fn down(at: At) -> &'static str {
    match at {
        At::Offset(_) | At::Share(_) => "from-top",
        At::Start | At::Inside => "top",
        At::Middle => "middle",
        At::End | At::Outside => "bottom",
    }
}

/// Name of a reference area.
fn base(base: Base) -> &'static str {
    match base {
        Base::Page => "page",
        Base::Margin => "page-content",
        Base::StartMargin => "page-start-margin",
        Base::EndMargin => "page-end-margin",
        Base::Column | Base::Paragraph => "paragraph",
        Base::Character => "char",
        Base::Line => "line",
    }
}

/// Writes the distances of all four sides.
fn edges(xml: &mut Writer, name: &str, edges: &Edges) {
    for (side, length) in [
        ("top", edges.top),
        ("right", edges.right),
        ("bottom", edges.bottom),
        ("left", edges.left),
    ] {
        // Zeros are written, too, since the base style may have other values.
        xml.attribute(&format!("{name}-{side}"), points(length.max(Length::ZERO)));
    }
}
