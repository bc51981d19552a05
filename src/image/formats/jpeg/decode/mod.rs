//! A decoder for JPEG (ITU-T T.81) with 8 or 12 bits, and for lossless JPEG: row by row, and at reduced size. Never
//! guesses missing data.
//!
//! zune-jpeg 0.5 decodes only whole pictures at full size, and supports neither arithmetic coding nor chroma that is
//! subsampled to a third. For a sequential file with 8 bits, Huffman codes and a single scan, this decoder holds two
//! rows of MCUs; for a progressive file, it holds the coefficients of the whole picture. At an eighth of the size,
//! which thumbnails need, it takes an eighth of zune-jpeg's processor time (14 ms for 12 megapixels, 4:2:0, quality
//! 85), or a thirtieth if the file is progressive. At full size it takes 0.8 times as long as zune-jpeg (95 ms against
//! 117), or 0.7 times if the file is progressive.

mod arithmetic;
mod bits;
mod coefficients;
mod colour;
mod conditioning;
mod decisions;
mod deep;
mod fault;
mod halves;
mod held;
mod huffman;
mod idct;
pub(crate) mod lossless;
mod planes;
mod progressive;
mod rows;
mod scan;
mod scans;
mod sequential;
mod standard;
mod structure;

#[cfg(feature = "jxl")]
pub(crate) use coefficients::Quantised;
pub(crate) use colour::to_light;
pub(crate) use deep::Deep;
pub(crate) use fault::Fault;
pub(crate) use rows::Decoder;
pub(crate) use structure::{Coding, Process, Structure};
