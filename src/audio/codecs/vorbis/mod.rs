//! Vorbis packets (Vorbis I): into samples by `rusty_vorbis`, and back by an encoder of our own on that crate's transform,
//! floor and codebooks. Knows no pages.
//!
//! Why not that crate's encoder, too: it holds the whole stream in memory and knows long blocks only, which smear every
//! attack over 40 ms (on transients its noise is 12 dB above the masking threshold); it couples channels in a way that
//! players with fast decoders, ffmpeg's among them, undo differently; and it takes five times as long for nearly twice
//! the bits.

pub(crate) mod block;
pub(crate) mod decode;
mod mask;
mod residue;
pub(crate) mod setup;
