//! The optional fields of conversions from PDF. Decides nothing about pages or pictures.

use crate::{
    image::drawing::SIZES,
    job::{OptionKind, OptionSpec, Options},
};

/// Which page becomes a picture.
static PAGE: OptionSpec = OptionSpec {
    name: "page",
    kind: OptionKind::Integer(1..=u32::MAX),
    default: Some("1"),
    help: "which page of a pdf becomes the picture",
};

/// How finely pages are drawn.
static DPI: OptionSpec = OptionSpec {
    name: "dpi",
    kind: OptionKind::Integer(36..=600),
    default: Some("150"),
    help: "pixels an inch in which a page of a pdf is drawn, unless width or height say otherwise",
};

/// The fields of conversions to pictures.
pub(super) static PICTURES: &[&OptionSpec] = &[&PAGE, &DPI, SIZES[0], SIZES[1], SIZES[2]];

/// The page that is asked for, counted from 1.
pub(super) fn page(options: &Options) -> Option<u32> {
    options.integer(PAGE.name)
}

/// Pixels an inch.
pub(super) fn dpi(options: &Options) -> u32 {
    options.integer(DPI.name).unwrap_or(150)
}
