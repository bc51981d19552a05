//! Vorbis packets (Vorbis I): decoded by `rusty_vorbis`, and encoded by our own encoder, which uses that crate's
//! transform, floor and codebooks. `crate::formats` reads and writes Ogg pages.
//!
//! The crate's own encoder is not used, for four reasons. It holds the whole stream in memory. It has only long blocks,
//! which smear every attack over 40 ms, so on transients its noise is 12 dB above the masking threshold. It couples
//! channels in a way that fast decoders, ffmpeg's among them, undo differently. And it takes five times as long as our
//! encoder, and writes nearly twice as many bits.

pub(crate) mod block;
pub(crate) mod decode;
mod mask;
mod residue;
pub(crate) mod setup;
