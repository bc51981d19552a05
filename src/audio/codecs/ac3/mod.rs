//! AC-3 (Dolby Digital, ATSC A/52:2012), the sound of DVDs and of much television. `crate::formats` reads the
//! containers.
//!
//! A frame has 1536 samples of up to five full-bandwidth channels and a low-frequency channel, in six blocks. A block
//! is a spectrum: exponents, and mantissas whose numbers of bits follow from a model of hearing that the decoder
//! computes exactly as the encoder did. At high frequencies channels may share one spectrum (coupling), and
//! coefficients without bits become noise.
//!
//! `oxideav-ac3` 0.0.11 leaves out that noise in coupled channels: their high bands have holes, and the noise that
//! remains has at most half the level that it has in ffmpeg's output. Apart from the noise, which is random, this
//! decoder returns the same samples as ffmpeg: for ten streams from ffmpeg's encoder, the two outputs differ only as
//! much as two independent noises of the same level. The encoder of ffmpeg makes no blocks of two short transforms, so
//! a test compares such blocks with the definition of the transform.

mod allocation;
mod blocks;
mod channel;
mod coupling;
pub(crate) mod decoder;
pub(crate) mod enhanced;
pub(crate) mod header;
mod mantissas;
mod speakers;
mod spectrum;
mod transform;
