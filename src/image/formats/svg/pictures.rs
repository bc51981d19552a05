//! Embedded pictures of a drawing: selects those that can be drawn (png, jpg, gif, webp, and svg), and counts their cost. Opens
//! no file and no address.

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

/// Most pixels of one picture.
pub(crate) const MAX_PIXELS: u64 = 1 << 26;

/// Most bytes of all pictures. One that is used again counts again: it is taken out of its base 64 each time. A drawing counts
/// with what it is parsed into.
const MAX_BYTES: usize = 32 << 20;

/// Bytes that pictures take while the drawing is read, if there are any: one more of them than are kept.
pub(crate) const MEMORY: u64 = 2 * MAX_BYTES as u64;

/// Limit on the nesting of drawings. Each is parsed and drawn within the other.
const MAX_DEPTH: usize = 4;

/// Panic payload that unwinds the parser where too much is embedded. It is caught where the parser is called.
pub(crate) struct TooMuch;

/// Results of the references to pictures.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    bytes: AtomicUsize,
    /// Elements of all drawings within the drawing.
    elements: AtomicU64,
    /// Cost of laying out their text.
    letters: AtomicU64,
    /// Number of drawings around the current one.
    depth: AtomicUsize,
    /// Number of pictures that are not drawn.
    pub(crate) left_out: AtomicUsize,
    /// Number of pictures that are cut off; they are drawn as far as they go, or not at all.
    pub(crate) cut: AtomicUsize,
}

impl Resolved {
    /// Resolves embedded pictures. Unwinds if they exceed a limit, because the parser cannot be stopped in another way.
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
                        // The trailer is the last byte; some programs add a few.
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

    fn leave_out(&self) -> Option<ImageKind> {
        self.left_out.fetch_add(1, Relaxed);
        None
    }

    /// Unwinds if all pictures together exceed the limit.
    fn count(&self, bytes: usize) {
        if self.bytes.fetch_add(bytes, Relaxed).saturating_add(bytes) > MAX_BYTES {
            resume_unwind(Box::new(TooMuch));
        }
    }

    /// Reads a drawing within the drawing, by the same limits. `None` if it is damaged or not a drawing.
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
        if elements > xml::MAX_ELEMENTS || matches > xml::MAX_MATCHES || letters > xml::LETTERS {
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
        // The parser offers no other way to parse a nested drawing.
        let parse = ImageHrefResolver::default_data_resolver();
        let drawing = parse("image/svg+xml", unpacked, options);
        self.depth.fetch_sub(1, Relaxed);
        drawing
    }
}

/// Returns whether there are pictures in the drawing, or may be.
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
    each_group(group, &mut |group, _| {
        let raster = shown(group).filter(|image| !matches!(image.kind(), ImageKind::SVG(_)));
        most = raster.map(pixels).fold(most, u64::max);
        true
    });
    most
}
