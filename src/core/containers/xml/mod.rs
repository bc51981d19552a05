//! XML 1.0 with namespaces, as document formats use it. Never expands entities that a file declares and never fetches
//! anything: document type declarations are passed over.

mod decode;
mod element;
mod events;
mod node;
mod read;
mod stream;
mod write;

pub use decode::{decode, decode_owned};
pub use element::{Element, Namespaces};
pub use events::{Event, Events, Tag, is_space};
pub use node::Node;
pub use read::{Piece, Reader};
pub use stream::{Stream, Token};
pub use write::Writer;

/// Returns whether a file begins like XML (or HTML): with a tag, after an optional UTF-8 byte order mark and white
/// space.
pub fn begins(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head.trim_ascii_start().starts_with(b"<")
}

#[cfg(test)]
mod tests;
