//! XML 1.0 with namespaces, as the formats of documents use it. Never expands an entity of its own and never fetches anything:
//! a document type declaration is passed over.

mod decode;
mod node;
mod read;
mod write;

pub(crate) use decode::{decode, decode_owned};
pub(crate) use node::Node;
pub(crate) use read::{Element, Namespaces, Piece, Reader};
pub(crate) use write::Writer;

#[cfg(test)]
mod tests;
