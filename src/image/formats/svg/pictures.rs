//! Pictures within a drawing: which of them are drawn (png and jpg), and what that takes. Opens no file and
//! no address.

use super::groups::each_group;
use memchr::memmem;
use resvg::usvg::{Group, Image, ImageHrefResolver, ImageKind, Node, roxmltree::Document};
use std::{
    panic::resume_unwind,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Most pixels of one picture.
pub(crate) const MAX_PIXELS: u64 = 1 << 26;

/// Most bytes of all pictures. One that is used again counts again: it is taken out of its base 64 each time.
const MAX_BYTES: usize = 32 << 20;

/// Bytes that pictures take while the drawing is read, if there are any: one more of them than are kept.
pub(crate) const MEMORY: u64 = 2 * MAX_BYTES as u64;

/// What the parser is unwound with where there is too much to embed. It is caught where the parser is called.
pub(crate) struct TooMuch;

/// What became of the references to pictures.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    bytes: AtomicUsize,
    /// How many are not drawn.
    pub(crate) left_out: AtomicUsize,
    /// How many are cut off; they are drawn as far as they go, or not at all.
    pub(crate) cut: AtomicUsize,
}

impl Resolved {
    /// Takes what is embedded. Unwinds where that is too much: the parser knows no other way to be stopped.
    pub(crate) fn resolver(&self) -> ImageHrefResolver<'_> {
        let left_out = || {
            self.left_out.fetch_add(1, Relaxed);
            None
        };
        ImageHrefResolver {
            resolve_data: Box::new(move |_, data, _| {
                if self.bytes.fetch_add(data.len(), Relaxed) + data.len() > MAX_BYTES {
                    resume_unwind(Box::new(TooMuch));
                }
                let (kind, ended) = match data[..] {
                    [0x89, b'P', b'N', b'G', ..] => {
                        let ended = memmem::find(&data, b"IEND").is_some();
                        (ImageKind::PNG(data), ended)
                    }
                    [0xff, 0xd8, 0xff, ..] => {
                        let ended = memmem::rfind(&data, &[0xff, 0xd9]).is_some();
                        (ImageKind::JPEG(data), ended)
                    }
                    _ => return left_out(),
                };
                if !ended {
                    self.cut.fetch_add(1, Relaxed);
                }
                Some(kind)
            }),
            resolve_string: Box::new(move |_, _| left_out()),
        }
    }
}

/// Whether there are pictures in the drawing, or may be.
pub(crate) fn any(document: &Document<'_>) -> bool {
    let mut elements = document.descendants();
    elements.any(|element| matches!(element.tag_name().name(), "image" | "feImage"))
}

/// Pixels of a picture itself, whatever the size it is shown in.
pub(crate) fn pixels(image: &Image) -> u64 {
    (f64::from(image.size().width()) * f64::from(image.size().height())) as u64
}

/// The pictures that stand in a group itself.
pub(crate) fn shown(group: &Group) -> impl Iterator<Item = &Image> {
    group.children().iter().filter_map(|child| match child {
        Node::Image(image) => Some(&**image),
        Node::Group(_) | Node::Path(_) | Node::Text(_) => None,
    })
}

/// Pixels of the largest picture that is drawn, as far as groups are looked at.
pub(crate) fn largest(group: &Group) -> u64 {
    let mut most = 0;
    each_group(group, &mut |group| {
        most = shown(group).map(pixels).fold(most, u64::max);
        true
    });
    most
}
