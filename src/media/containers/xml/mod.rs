//! XML 1.0 with namespaces, as document formats use it. Never expands entities that a file declares and never fetches
//! anything: document type declarations are passed over.

#[cfg(feature = "document")]
mod decode;
mod element;
#[cfg(feature = "document")]
mod node;
#[cfg(feature = "document")]
mod read;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
mod stream;
#[cfg(feature = "document")]
mod write;

#[cfg(feature = "document")]
pub use decode::{decode, decode_owned};
pub use element::{Element, Namespaces};
#[cfg(feature = "document")]
pub use node::Node;
#[cfg(feature = "document")]
pub use read::{Piece, Reader};
#[cfg(any(feature = "document", feature = "spreadsheet"))]
pub use stream::{Stream, Token};
#[cfg(feature = "document")]
pub use write::Writer;

/// Returns whether a file begins like XML (or HTML): with a tag, after an optional UTF-8 byte order mark and white space.
pub fn begins(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head.trim_ascii_start().starts_with(b"<")
}

#[cfg(all(test, feature = "document"))]
mod tests;
