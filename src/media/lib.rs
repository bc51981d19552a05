//! Converters of pictures and sound, and the parts that every converter shares.
//!
//! - [`error`], [`format`](mod@format): the types that everything else uses.
//! - [`job`]: a conversion as its converter sees it. [`random`]: keys and identifiers. [`clock`]: times such as `01:02:03`.
//! - [`containers`]: RIFF, boxes, directories, ZIP, XML and others, each walked once. [`coding`]: Deflate, bits, character sets.
//!   [`fonts`]: faces, and the widths of fonts that are only named. [`litter`]: names of files that nobody wants converted.
//! - [`image`], [`audio`]: the converters.
//!
//! Never: a document, a sheet or a page of one, nor what writes them (`pdf_writer`, `html5gum`, `hayro`).

#[cfg(feature = "audio")]
pub mod audio;
pub mod clock;
pub mod coding;
pub mod containers;
pub mod error;
#[cfg(any(feature = "document", feature = "svg"))]
pub mod fonts;
pub mod format;
pub mod image;
pub mod job;
pub mod litter;
pub mod random;
