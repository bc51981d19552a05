//! XML 1.0 with namespaces, as document formats use it. Never expands entities that a file declares and never fetches
//! anything: document type declarations are passed over.

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
