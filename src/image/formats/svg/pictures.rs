//! Embedded pictures of a drawing: selects those that can be drawn (png, jpg, gif, webp and svg), and counts their
//! cost. Opens no file and no address.

use super::{cost, groups::each_group, recognise, styles, text, xml};
use memchr::memmem;
use resvg::usvg::{Group, Image, ImageHrefResolver, ImageKind, Node, Options, roxmltree::Document};
use std::{
    panic::resume_unwind,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

/// Largest number of pixels of a picture.
pub(crate) const MAX_PIXELS: u64 = 1 << 26;

/// Largest size of all pictures in bytes. A picture that is used several times counts each time, because it is decoded
/// from Base64 each time. A nested drawing counts with its parsed form.
const MAX_BYTES: usize = 32 << 20;

/// Memory in bytes for pictures while a drawing with pictures is parsed: [`MAX_BYTES`] for all of them, and as much
/// again for the picture that is being decoded.
pub(crate) const MEMORY: u64 = 2 * MAX_BYTES as u64;

/// Largest nesting depth of drawings. Each nested drawing is parsed and drawn within the outer one.
const MAX_DEPTH: usize = 4;

/// Panic payload that unwinds the parser if too much is embedded. The caller of the parser catches it.
pub(crate) struct TooMuch;

/// State of resolving the references to pictures.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    /// Size of all pictures so far, in bytes.
    bytes: AtomicUsize,
    /// Number of elements of all nested drawings.
    elements: AtomicU64,
    /// Cost of laying out the text of nested drawings.
    letters: AtomicU64,
    /// Number of drawings around the current one.
    depth: AtomicUsize,
    /// Number of pictures that are not drawn.
    pub(crate) left_out: AtomicUsize,
    /// Number of pictures that are cut off. They are drawn in part, or not at all.
    pub(crate) cut: AtomicUsize,
}

impl Resolved {
    /// Resolves embedded pictures, by their magic bytes. Unwinds if they exceed a limit, because the parser cannot be
    /// stopped otherwise.
    pub(crate) fn resolver(&self) -> ImageHrefResolver<'_> {
        ImageHrefResolver {
            resolve_data: Box::new(move |_, data, options| {
                self.count(data.len());
                let (kind, ended) = match data[..] {
                    [0x89, b'P', b'N', b'G', ..] => {
                        let ended = memmem::find(&data, b"IEND").is_some();
                        (ImageKind::PNG(data), ended)
                    }
                    [0xff, 0xd8, 0xff, ..] => {
                        let ended = memmem::rfind(&data, &[0xff, 0xd9]).is_some();
                        (ImageKind::JPEG(data), ended)
                    }
                    [b'G', b'I', b'F', b'8', ..] => {
                        // The trailer should be the last byte, but some programs append a few more.
                        let ended = data.iter().rev().take(4).any(|byte| *byte == b';');
                        (ImageKind::GIF(data), ended)
                    }
                    [
                        b'R',
                        b'I',
                        b'F',
                        b'F',
                        a,
                        b,
                        c,
                        d,
                        b'W',
                        b'E',
                        b'B',
                        b'P',
                        ..,
                    ] => {
                        // The RIFF header states the length of the rest of the file.
                        let promised = u32::from_le_bytes([a, b, c, d]) as usize;
                        let ended = promised <= data.len() - 8;
                        (ImageKind::WEBP(data), ended)
                    }
                    _ => {
                        let drawing = self.drawing(&data, options);
                        return drawing.or_else(|| self.leave_out());
                    }
                };
                if !ended {
                    self.cut.fetch_add(1, Relaxed);
                }
                Some(kind)
            }),
            resolve_string: Box::new(move |_, _| self.leave_out()),
        }
    }

    /// Counts a picture that cannot be drawn.
    fn leave_out(&self) -> Option<ImageKind> {
        self.left_out.fetch_add(1, Relaxed);
        None
    }

    /// Adds `bytes` to the total size of pictures, and unwinds if the total exceeds the limit.
    fn count(&self, bytes: usize) {
        if self.bytes.fetch_add(bytes, Relaxed).saturating_add(bytes) > MAX_BYTES {
            resume_unwind(Box::new(TooMuch));
        }
    }

    /// Parses a nested drawing. `None` if it is damaged, not in UTF-8, or not a drawing. Unwinds if it is nested too
    /// deeply, or if all nested drawings together exceed the limits on size, elements, CSS rules or text.
    fn drawing(&self, data: &Arc<Vec<u8>>, options: &Options<'_>) -> Option<ImageKind> {
        let unpacked = match text::is_packed(data) {
            true => {
                self.count(usize::try_from(text::unpacked_len(data)).ok()?);
                Arc::new(text::unpack(data, xml::MAX_BYTES)?)
            }
            false => data.clone(),
        };
        let text = std::str::from_utf8(&unpacked).ok()?;
        if !recognise::is_text_of_svg(&unpacked) {
            return None;
        }
        self.count(text.len().saturating_mul(xml::PARSED as usize));
        let is_deep = xml::nesting(text) > xml::MAX_DEPTH;
        if is_deep || self.depth.load(Relaxed) == MAX_DEPTH {
            resume_unwind(Box::new(TooMuch));
        }
        let document = xml::parse(text).ok()?;
        let own = cost::elements(&document, xml::MAX_DEPTH);
        let elements = self.elements.fetch_add(own, Relaxed).saturating_add(own);
        let matches = elements.saturating_mul(cost::selectors(&document));
        let own = cost::letters(&document, xml::MAX_DEPTH);
        let letters = self.letters.fetch_add(own, Relaxed).saturating_add(own);
        if elements > xml::MAX_ELEMENTS
            || matches > xml::MAX_MATCHES
            || letters > xml::LETTERS
            || cost::closes_too_often(&document)
        {
            resume_unwind(Box::new(TooMuch));
        }
        drop(document);
        let unpacked = match styles::resolved(text) {
            Some(resolved) => {
                self.count(resolved.text.len());
                Arc::new(resolved.text.into_bytes())
            }
            None => unpacked,
        };
        self.depth.fetch_add(1, Relaxed);
        // The parser has no other interface for nested drawings.
        let parse = ImageHrefResolver::default_data_resolver();
        let drawing = parse("image/svg+xml", unpacked, options);
        self.depth.fetch_sub(1, Relaxed);
        drawing
    }
}

/// Returns whether the drawing may contain pictures.
pub(crate) fn any(document: &Document<'_>) -> bool {
    let mut elements = document.descendants();
    elements.any(|element| matches!(element.tag_name().name(), "image" | "feImage"))
}

/// Number of pixels of a picture itself, whatever its displayed size is.
pub(crate) fn pixels(image: &Image) -> u64 {
    (f64::from(image.size().width()) * f64::from(image.size().height())) as u64
}

/// The pictures directly inside a group.
pub(crate) fn shown(group: &Group) -> impl Iterator<Item = &Image> {
    group.children().iter().filter_map(|child| match child {
        Node::Image(image) => Some(&**image),
        Node::Group(_) | Node::Path(_) | Node::Text(_) => None,
    })
}

/// Number of pixels of the largest raster picture that is drawn.
pub(crate) fn largest(group: &Group) -> u64 {
    let mut most = 0;
    each_group(group, &mut |group, _| {
        let raster = shown(group).filter(|image| !matches!(image.kind(), ImageKind::SVG(_)));
        most = raster.map(pixels).fold(most, u64::max);
        true
    });
    most
}
