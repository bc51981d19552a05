//! A decoder for sequential JPEG (ITU-T T.81, processes with Huffman coding and 8 bits), row by row and at reduced size.
//! Never holds the picture, never guesses at missing data, and leaves progressive files to others.

mod bits;
mod colour;
mod halves;
mod huffman;
mod idct;
mod rows;
mod structure;

/// What a segment of EXIF begins with (Exif 2.32, 4.7.2).
pub(crate) const EXIF: &[u8] = b"Exif\0\0";

/// What a segment of XMP begins with (XMP specification, part 3, 1.1.3).
pub(crate) const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";

/// What a part of a colour profile begins with (ICC.1, B.4).
pub(crate) const ICC: &[u8] = b"ICC_PROFILE\0";

pub(crate) use colour::to_inks;
pub(crate) use huffman::place;
#[cfg(test)]
pub(crate) use idct::cosine;
pub(crate) use idct::{scale, turned};
pub(crate) use rows::Decoder;
pub(crate) use structure::{Coding, Fault, MAX_SCANS, Structure};
