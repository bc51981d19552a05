//! A decoder for sequential JPEG (ITU-T T.81, processes with Huffman coding and 8 bits), row by row and at reduced size.
//! Never holds the picture, never guesses at missing data, and leaves progressive files to others.

mod bits;
mod colour;
mod halves;
mod huffman;
mod idct;
mod rows;
mod structure;

pub(crate) use colour::to_inks;
pub(crate) use rows::Decoder;
pub(crate) use structure::{Coding, Fault, MAX_SCANS, Structure};
