//! XML 1.0 with namespaces, as the formats of documents use it. Never expands an entity of its own and never fetches anything:
//! a document type declaration is passed over.

mod decode;
mod node;
mod read;
mod write;

pub use decode::decode;
pub use node::Node;
pub use read::{Element, Namespaces, Piece, Reader};
pub use write::Writer;

#[cfg(test)]
mod tests;
