//! Pictures within a drawing: which of them are drawn, and what that takes. Opens no file and no address.

use resvg::usvg::{
    Group, Image, ImageHrefResolver, ImageKind, Node,
    roxmltree::{Document, Node as Element},
};
use std::sync::Arc;

/// Most pixels of one picture.
pub(super) const MAX_PIXELS: u64 = 1 << 26;

/// Resolves what is embedded; what stands elsewhere is left out.
pub(super) fn resolver() -> ImageHrefResolver<'static> {
    ImageHrefResolver {
        resolve_data: Box::new(|_, data, _| kind(data)),
        resolve_string: Box::new(|_, _| None),
    }
}

/// A picture as its content says, if it is of a kind that is drawn.
fn kind(data: Arc<Vec<u8>>) -> Option<ImageKind> {
    match data[..] {
        [0x89, b'P', b'N', b'G', ..] => Some(ImageKind::PNG(data)),
        [0xff, 0xd8, 0xff, ..] => Some(ImageKind::JPEG(data)),
        [b'G', b'I', b'F', b'8', ..] => Some(ImageKind::GIF(data)),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some(ImageKind::WEBP(data)),
        _ => None,
    }
}

/// The reference of an element that shows a picture.
pub(super) fn reference<'a>(element: Element<'a, '_>) -> Option<&'a str> {
    if !matches!(element.tag_name().name(), "image" | "feImage") {
        return None;
    }
    let mut attributes = element.attributes();
    let href = attributes.find(|attribute| attribute.name() == "href")?;
    // A reference to a part of the drawing itself shows no picture.
    let reference = href.value().trim_start();
    (!reference.starts_with('#')).then_some(reference)
}

/// Bytes of a drawing that are pictures, in base 64.
pub(super) fn embedded_bytes(text: &str) -> u64 {
    let starts = text.match_indices("data:image/");
    let lengths = starts.map(|(at, _)| {
        let data = &text.as_bytes()[at..];
        let end = memchr::memchr2(b'"', b'\'', data).unwrap_or(0);
        end as u64
    });
    lengths.sum()
}

/// Pixels of a picture itself, whatever the size it is shown in.
pub(super) fn pixels(image: &Image) -> u64 {
    (f64::from(image.size().width()) * f64::from(image.size().height())) as u64
}

/// How many elements show a picture.
pub(super) fn referenced(document: &Document<'_>) -> usize {
    document.descendants().filter_map(reference).count()
}

/// Pictures of a drawing that are drawn.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// How many there are. One that is used again counts again.
    pub(super) count: usize,
    /// Pixels of the largest.
    pub(super) most_pixels: u64,
}

impl Drawn {
    /// What is drawn of `group`, as far as groups are looked at.
    pub(super) fn of(group: &Group) -> Self {
        let mut drawn = Self::default();
        drawn.add(group, &mut 100_000);
        drawn
    }

    fn add(&mut self, group: &Group, left: &mut usize) {
        if *left == 0 {
            return;
        }
        *left -= 1;
        for child in group.children() {
            match child {
                Node::Group(group) => self.add(group, left),
                Node::Image(image) => {
                    self.count += 1;
                    self.most_pixels = self.most_pixels.max(pixels(image));
                }
                Node::Path(_) | Node::Text(_) => {}
            }
            // Masks, clip paths, patterns and what filters draw.
            child.subroots(|group| self.add(group, left));
        }
    }
}
