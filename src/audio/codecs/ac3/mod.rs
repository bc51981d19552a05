//! AC-3 (Dolby Digital, ATSC A/52:2012), the sound of DVDs and of much television. The containers are read elsewhere.
//!
//! A frame has 1536 samples of up to five channels, and one for low frequencies, in six blocks. Each block is a
//! spectrum: exponents, then mantissas with as many bits as a model of hearing gives them, which is worked out here as
//! in the encoder. At high frequencies channels may share one spectrum (coupling), and what got no bits becomes noise.
//!
//! `oxideav-ac3` 0.0.11 leaves out that noise where channels are coupled, so that it has half of ffmpeg's level, or
//! less, and high bands have holes. But for the noise, which is random, this decoder gives what ffmpeg does: on ten
//! streams of its encoder their difference is that of two noises of the same level. In blocks of two short transforms,
//! which that encoder does not make, the transform is held against its definition.

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
