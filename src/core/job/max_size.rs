//! The optional form field that limits the size of a result, the same for sound and pictures. Does not search for the
//! quality.

use crate::job::{OptionKind, OptionSpec};

/// The field, as `/formats` and the command line describe it.
pub static MAX_SIZE: OptionSpec = OptionSpec {
    name: "max_size",
    kind: OptionKind::Integer(1..=u32::MAX),
    default: None,
    help: "largest size of the result in bytes; the best quality that fits is chosen, and the field quality is ignored; for still pictures as jpg, webp and avif, and for sound as mp3, m4a, ogg and opus",
};

/// The search for a quality stops at a result of at least this share of the limit, because each further step costs a
/// whole encoding.
pub const NEAR: f64 = 0.92;
