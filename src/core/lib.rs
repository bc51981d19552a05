//! Types and tools that every converter shares.
//!
//! - [`error`], [`format`](mod@format): the types that everything else uses.
//! - [`job`]: a conversion as its converter sees it. [`random`]: keys and identifiers. [`clock`]: times such as
//!   `01:02:03`.
//! - [`containers`]: RIFF, the boxes of MP4, the directories of TIFF, ZIP, XML and others; the code for each is in one
//!   module. [`coding`]: Deflate, bits, character sets. [`fonts`]: compiled-in fonts, and the widths of fonts that
//!   documents only name. [`litter`]: names of files that nobody wants converted. [`numbered`]: numbers that make a
//!   name unique.
//!
//! Never: a converter, or a crate that decodes pictures or sound (`image`, `symphonia`).

pub mod clock;
pub mod coding;
pub mod containers;
pub mod error;
pub mod fonts;
pub mod format;
pub mod job;
pub mod litter;
pub mod numbered;
pub mod random;
