//! SVG 1.1, with the parts of SVG 2 that resvg supports: the row in the table of formats. It is read, not written.

mod backing;
mod cost;
mod filters;
mod fonts;
mod groups;
mod lettering;
mod paint;
mod parse;
mod pictures;
mod read;
mod recognise;
mod styles;
mod text;
mod xml;

#[cfg(feature = "document")]
pub(crate) use filters::{are_too_slow_apart, cost, outside};
#[cfg(feature = "document")]
pub use fonts::faces;
#[cfg(feature = "document")]
pub use parse::Parsed;
#[cfg(feature = "document")]
pub use read::draw;
pub(super) use read::open;
#[cfg(feature = "document")]
pub use styles::{Resolved, Resolver, resolve_with};
#[cfg(feature = "document")]
pub use text::{is_packed, unpack, unpacked_len};

use crate::{row::Row, source::Reader};
use convertd_core::format::{Category, Format};

/// The first bytes, at most `most`, of the content of a compressed file that begins with `head`. `None` if the file is
/// not compressed, or its header is damaged.
pub(super) fn unpacked_head(head: &[u8], most: usize) -> Option<Vec<u8>> {
    let packed = text::is_packed(head);
    packed.then(|| text::unpack_head(head, most)).flatten()
}

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "svg",
        aliases: &["svgz"],
        category: Category::Image,
        description: "Scalable Vector Graphics",
        media_type: "image/svg+xml",
        magic: &[],
    },
    read: Some(Reader {
        recognise: Some(|head, input, _| recognise::is_svg(head, input)),
        ..Reader::of(read::open)
    }),
    write: None,
};
