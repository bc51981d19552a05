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

/// Whether a file begins as XML does, which HTML does as well: with a tag, behind a byte order mark of UTF-8 and white space.
pub fn begins(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head.trim_ascii_start().starts_with(b"<")
}

#[cfg(all(test, feature = "document"))]
mod tests;
