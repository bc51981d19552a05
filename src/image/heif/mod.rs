//! The container of HEIC and AVIF files (HEIF, ISO/IEC 23008-12): images as items in a file of boxes. Contains no
//! codec: each of the two formats provides its own, and they share everything else.
//!
//! A HEIF file has one box `meta` with tables of *items*: coded images, and images that are derived from others, such
//! as a grid of tiles, an overlay of layers, or a rotated image. [`items`] reads the tables, [`tree`] finds the images
//! that the primary item is made of, [`open`] computes the memory, and [`render`] makes rows of pixels. It decodes a
//! grid, such as a photograph from a phone, one row of tiles at a time, so that only these tiles are in memory.

mod checked;
pub(crate) mod codec;
mod derived;
mod fault;
mod items;
mod layers;
pub(crate) mod metadata;
// The decoder for HEIC does not support sequences.
#[cfg_attr(not(feature = "avif"), allow(dead_code))]
pub(crate) mod moving;
pub(crate) mod open;
#[cfg_attr(not(feature = "heic"), allow(dead_code))]
pub(crate) mod pages;
mod placement;
pub(crate) mod planes;
mod recognise;
mod render;
mod rows;
mod track;
mod tree;

#[cfg_attr(not(feature = "heic"), allow(unused_imports))]
pub(crate) use recognise::{is_of, is_of_another};
