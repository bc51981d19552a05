//! Translation of number formats between codes of Excel and number styles (OpenDocument 1.3, part 3, 16.29). Formats
//! no values.
//!
//! A code has sections for positive numbers, negative numbers, zero and text. A number style has one body, and maps
//! that refer to other styles under conditions. Therefore the last section becomes the style itself, and the sections
//! before it become styles that it maps to.

mod elements;
mod read;
mod write;

pub(super) use read::Codes;
pub(super) use write::to_xml;

/// Maximum length of a code, in bytes. Excel's own limit is 255 characters.
const MAX_LENGTH: usize = 512;

/// Attribute in a namespace of our own with the code as it was read: number styles cannot distinguish `#,##0_)` from
/// `#,##0 `. Programs that change a number style drop the attribute, as they may with foreign attributes in extended
/// documents (part 3, 22.2).
const CODE: &str = "format-code";

/// Attribute in the same namespace with the index of a built-in format.
const BUILT_IN: &str = "built-in-format";

/// Colours of format codes, in lower case, with their values in CSS notation.
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
