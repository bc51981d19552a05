//! Number formats: from codes of Excel to number styles (OpenDocument 1.3, part 3, 16.29) and back. Formats no value.
//!
//! A code has sections for positive numbers, negative ones, zero and text. A number style has one body and refers to others by
//! conditions, so that the last section is the style, and the ones in front of it are reached by a map.

mod read;
mod write;

pub(super) use read::Codes;
pub(super) use write::to_xml;

/// The limit on the length of a code. Excel's own is 255.
const MAX_LENGTH: usize = 512;

/// The attribute, in a namespace of our own, that keeps a code as it was written: number styles cannot tell `#,##0_)` from `#,##0 `.
/// Programs that change a number style drop it, as foreign attributes of extended documents may be (part 3, 22.2).
const CODE: &str = "format-code";

/// The same for the number of one that is built in.
const BUILT_IN: &str = "built-in-format";

const COLOURS: [(&str, &str); 8] = [
    ("black", "#000000"),
    ("blue", "#0000ff"),
    ("cyan", "#00ffff"),
    ("green", "#00ff00"),
    ("magenta", "#ff00ff"),
    ("red", "#ff0000"),
    ("white", "#ffffff"),
    ("yellow", "#ffff00"),
];
