//! Frames of paragraphs (`w:framePr`, ECMA-376 part 1, 17.3.1.11). Each attribute is inherited separately: a paragraph
//! may state its position, and its style the width.

use super::{anchor::position_of_attributes, lengths::twips};
use crate::containers::xml::Element;
use convertd_tree::{Alignment, Anchor, DropCap, Edges, Extent, Frame, Length, Side, Wrap};
use std::borrow::Cow;

/// Names of the attributes in use.
const NAMES: [&str; 14] = [
    "dropCap", "lines", "w", "h", "hRule", "hSpace", "vSpace", "wrap", "hAnchor", "vAnchor",
    "xAlign", "x", "yAlign", "y",
];

/// Values of the attributes in [`NAMES`], as a paragraph or a style states them.
#[derive(Clone, Debug, Default)]
pub(super) struct Framing([Option<Box<str>>; NAMES.len()]);

/// Meaning of the frame properties of a paragraph.
#[derive(Default)]
pub(super) struct Framed {
    /// The frame. Consecutive paragraphs with equal frames share it.
    pub(super) frame: Option<Frame>,
    /// Drop cap: the paragraph is the large first letter of the next paragraph.
    pub(super) drop_cap: Option<DropCap>,
    /// Alignment of text in a frame that is as wide as its text.
    pub(super) alignment: Option<Alignment>,
}

impl Framing {
    pub(super) fn read(element: &Element<'_>) -> Self {
        Self(NAMES.map(|name| element.attribute(name).map(Into::into)))
    }

    /// Overrides these attributes with those that `other` states.
    pub(super) fn apply(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            if other.is_some() {
                own.clone_from(other);
            }
        }
    }

    /// Value of an attribute.
    fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        let at = NAMES.iter().position(|known| *known == name)?;
        self.0[at].as_deref().map(Cow::Borrowed)
    }

    /// Interprets the attributes: as a drop cap, or as a frame with the alignment of its text.
    pub(super) fn place(&self) -> Framed {
        let drop_cap = self.drop_cap();
        // A frame without a width, such as one around a page number, is as wide as its text. Its alignment becomes the
        // alignment of the text.
        let alignment = match self.attribute("xAlign").as_deref() {
            _ if self.attribute("w").is_some() => None,
            Some("center") => Some(Alignment::Centre),
            Some("right" | "outside") => Some(Alignment::End),
            _ => None,
        };
        Framed {
            frame: drop_cap.is_none().then(|| self.frame()),
            drop_cap,
            alignment,
        }
    }

    /// The frame that `w:framePr` describes (17.3.1.11). Without a width or height, it fits its content.
    fn frame(&self) -> Frame {
        let attribute = |name: &str| self.attribute(name);
        let length = |name| attribute(name).and_then(|value| twips(&value));
        let width = length("w").filter(|width| *width > Length::ZERO);
        let height = length("h").filter(|height| *height > Length::ZERO);
        let (beside, above) = (length("hSpace"), length("vSpace"));
        Frame {
            anchor: Anchor::Next,
            horizontal: position_of_attributes(&attribute, ["hAnchor", "xAlign", "x"]),
            vertical: position_of_attributes(&attribute, ["vAnchor", "yAlign", "y"]),
            width: width.map_or(Extent::Content, Extent::Exactly),
            height: match (height, attribute("hRule").as_deref()) {
                (None, _) | (_, Some("auto")) => Extent::Content,
                (Some(height), Some("exact")) => Extent::Exactly(height),
                (Some(height), _) => Extent::AtLeast(height),
            },
            wrap: match attribute("wrap").as_deref() {
                Some("notBeside" | "none") => Wrap::TopAndBottom,
                _ => Wrap::Around(Side::Both),
            },
            distances: Edges {
                top: above.unwrap_or_default(),
                right: beside.unwrap_or_default(),
                bottom: above.unwrap_or_default(),
                left: beside.unwrap_or_default(),
            },
            ..Frame::default()
        }
    }

    /// Returns the drop cap, if the attributes describe one. The default height is three lines.
    fn drop_cap(&self) -> Option<DropCap> {
        let kind = self.attribute("dropCap")?;
        let distance = self.attribute("hSpace");
        (kind != "none").then(|| DropCap {
            lines: self
                .attribute("lines")
                .and_then(|lines| lines.parse::<u8>().ok())
                .map_or(3, |lines| lines.clamp(1, 10)),
            letters: 1,
            in_margin: kind == "margin",
            distance: distance
                .and_then(|distance| twips(&distance))
                .unwrap_or_default(),
        })
    }
}
