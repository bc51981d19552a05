//! Writes inline content: text, spans, bookmarks and pictures (OpenDocument 1.3, part 3, 6). Writes no paragraphs.

use super::{
    automatic::StyleFamily, context::Odt, frames::least, properties::points, styles::GRAPHICS,
};
use convertd_office::wordprocessing as office;
use convertd_tree::{Anchor, Length, Picture, ResourceId};

impl<'a> Odt<'a> {
    /// Writes text. Tabs, spaces at the beginning and repeated spaces become elements, because readers collapse white
    /// space (6.1.3).
    pub(super) fn plain_text(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('\t') {
                self.xml.start("text:tab").end();
                self.space = false;
                rest = after;
            } else if rest.starts_with(' ') && self.space {
                let spaces = rest.len() - rest.trim_start_matches(' ').len();
                self.xml
                    .start("text:s")
                    .number("text:c", spaces as i64)
                    .end();
                self.space = false;
                rest = &rest[spaces..];
            } else {
                // Text up to the next tab, or up to the second of two spaces.
                let tab = rest.find('\t').unwrap_or(rest.len());
                let end = rest[..tab].find("  ").map_or(tab, |at| at + 1);
                self.xml.text(&rest[..end]);
                self.space = rest[..end].ends_with(' ');
                rest = &rest[end..];
            }
        }
    }

    /// Opens a span with these properties. Without properties, it has no element.
    pub(super) fn start_span(&mut self, properties: &str) {
        self.spans.push(!properties.is_empty());
        if !properties.is_empty() {
            let style = self.automatic.name(StyleFamily::Text, &[], properties);
            let xml = self.xml.start("text:span");
            xml.attribute("text:style-name", style);
        }
    }

    /// Closes a span.
    pub(super) fn end_span(&mut self) {
        if self.spans.pop() == Some(true) {
            self.xml.end();
        }
    }

    /// Writes a bookmark.
    pub(super) fn bookmark(&mut self, name: &str) {
        self.xml
            .start("text:bookmark")
            .attribute("text:name", name)
            .end();
    }

    /// Opens an inline frame. `size` is `None` for a formula, whose size the program that shows it computes.
    pub(super) fn frame(&mut self, size: Option<(Length, Length)>) {
        self.space = false;
        self.frames.count += 1;
        let xml = &mut self.xml;
        xml.start("draw:frame")
            .attribute("draw:name", format!("Frame{}", self.frames.count))
            .attribute("text:anchor-type", "as-char");
        if let Some(size) = size {
            self.frame_size(size);
        }
    }

    /// Writes the size of a frame.
    fn frame_size(&mut self, (width, height): (Length, Length)) {
        self.xml
            .attribute("svg:width", points(least(width)))
            .attribute("svg:height", points(least(height)));
    }

    /// Writes a picture of the document.
    pub(super) fn show(&mut self, id: ResourceId, picture: &'a Picture) {
        let name = self.file(id);
        let bytes = &self.context.document.resource(id).bytes;
        let size = office::extent(picture, bytes, self.context.text_width);
        match picture.frame.as_deref() {
            Some(frame) if frame.anchor == Anchor::Text => {
                self.start_frame(frame, GRAPHICS);
                self.frame_size(size);
            }
            _ => self.frame(Some(size)),
        }
        let xml = &mut self.xml;
        xml.start("draw:image")
            .attribute("xlink:href", name)
            .attribute("xlink:type", "simple")
            .attribute("xlink:show", "embed")
            .attribute("xlink:actuate", "onLoad");
        xml.end();
        if !picture.title.is_empty() {
            xml.leaf("svg:title", &picture.title);
        }
        if !picture.alternative.is_empty() {
            xml.leaf("svg:desc", &picture.alternative);
        }
        xml.end();
    }
}
