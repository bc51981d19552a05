//! Vorbis packets (Vorbis I): into samples by `rusty_vorbis`, and back by an encoder of our own on its tables. Knows no
//! pages.

pub(crate) mod block;
pub(crate) mod decode;
mod mask;
mod residue;
pub(crate) mod setup;
