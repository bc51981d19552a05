//! Pictures as items of a file of boxes (HEIF, ISO/IEC 23008-12), which HEIC and AVIF files are. Knows no codec: each format
//! brings its own, and everything else is the same for all of them.
//!
//! Such a file has one box `meta` with tables of *items*: coded pictures, and pictures that are made of others, as a grid of
//! tiles, as an overlay of layers, or by a turn. [`items`] reads the tables, [`tree`] finds out what the main picture is made
//! of, [`open`] says what that takes, and [`render`] makes rows of it: a grid one row of tiles at a time, so that a picture
//! of a phone never is in memory as a whole.

pub(crate) mod codec;
mod derived;
mod fault;
mod items;
pub(crate) mod metadata;
pub(crate) mod open;
mod placement;
pub(crate) mod planes;
mod recognise;
mod render;
mod track;
mod tree;

pub(crate) use recognise::is_of;
