//! The optional fields of conversions from PDF. Decides nothing about pages or pictures.

use crate::{
    image::drawing::PLACES,
    job::{MAX_SIZE, OptionKind, OptionSpec, Options},
};

/// Every page.
const ALL: &str = "all";

/// Which page becomes a picture.
static PAGE: OptionSpec = OptionSpec {
    name: "page",
    kind: OptionKind::NumberOr(ALL),
    default: Some("1"),
    help: "which page of a pdf becomes the picture; all gives a tiff of all pages, or a zip of pictures in other formats",
};

/// The resolution in which pages are drawn.
static DPI: OptionSpec = OptionSpec {
    name: "dpi",
    kind: OptionKind::Integer(36..=600),
    default: Some("150"),
    help: "pixels an inch in which a page of a pdf is drawn, unless width or height say otherwise",
};

/// The fields of conversions to pictures: for formats whose quality is also a number, and for others.
pub(super) fn of_pictures(has_scale: bool) -> &'static [&'static OptionSpec] {
    static ALL: [&OptionSpec; 8] = {
        let [width, height, fit, crop, rotate] = PLACES;
        [&PAGE, &DPI, width, height, fit, crop, rotate, &MAX_SIZE]
    };
    if has_scale { &ALL } else { &ALL[..7] }
}

/// Whether all pages are requested.
pub(super) fn all_pages(options: &Options) -> bool {
    options.word(PAGE.name) == Some(ALL)
}

/// The requested page, counted from 1.
pub(super) fn page(options: &Options) -> Option<u32> {
    options.integer(PAGE.name)
}

/// Pixels per inch.
pub(super) fn dpi(options: &Options) -> u32 {
    options.integer(DPI.name).unwrap_or(150)
}
