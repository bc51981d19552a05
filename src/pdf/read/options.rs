//! Options of conversions from PDF. Decides nothing about pages or pictures.

use crate::{
    format::Format,
    image::{
        LOSSLESS,
        drawing::{self, PLACES, Tuning},
    },
    job::{MAX_SIZE, OptionKind, OptionSpec, Options, PASSWORD},
};
use std::ops::RangeInclusive;

/// Value of `page` for all pages.
const ALL: &str = "all";

/// Option that marks the starts of pages in text.
pub static PAGES: OptionSpec = OptionSpec {
    name: "pages",
    kind: OptionKind::OneOf(&["plain", "marked"]),
    default: Some("plain"),
    help: "marked inserts a comment with the page number where each page of the pdf begins",
};

/// Option for the page or pages that become pictures.
static PAGE: OptionSpec = OptionSpec {
    name: "page",
    kind: OptionKind::RangeOr(ALL),
    default: Some("1"),
    help: "number of the page to convert; a range or all converts several pages, into one tiff or into a zip of pictures in another format",
};

/// Option for the resolution of drawn pages, in pixels per inch.
static DPI: OptionSpec = OptionSpec {
    name: "dpi",
    kind: OptionKind::Integer(36..=600),
    default: Some("150"),
    help: "resolution of the picture in pixels per inch, unless width or height is given",
};

/// Options of conversions to pictures, according to the settings that the encoder of the format has.
pub fn of_pictures(tuning: Tuning) -> &'static [&'static OptionSpec] {
    // The second to last option is for encoders with a quality scale, the last one for encoders with a lossless mode.
    // The list ends before an option that the encoder does not have.
    static ALL: [&OptionSpec; 10] = {
        let [width, height, fit, crop, rotate] = PLACES;
        [
            &PAGE, &DPI, width, height, fit, crop, rotate, &PASSWORD, &MAX_SIZE, &LOSSLESS,
        ]
    };
    match tuning {
        Tuning::None => &ALL[..8],
        Tuning::Scale => &ALL[..9],
        Tuning::ScaleOrLossless => &ALL,
    }
}

/// The formats of pictures that a page can become, including drawings, with the meaning of quality and the options of
/// each.
pub fn pictures() -> impl Iterator<
    Item = (
        &'static Format,
        &'static str,
        &'static [&'static OptionSpec],
    ),
> {
    let pictures = drawing::targets();
    let pictures = pictures.map(|(to, quality, tuning)| (to, quality, of_pictures(tuning)));
    pictures.chain([
        #[cfg(feature = "svg")]
        (drawing::vector(), QUALITY_OF_VECTORS, &VECTOR_OPTIONS[..]),
    ])
}

/// Meaning of the quality for drawings.
#[cfg(feature = "svg")]
const QUALITY_OF_VECTORS: &str = "no effect: lines stay lines, and pictures keep their pixels";

/// Options of conversions to drawings, which have no pixels.
#[cfg(feature = "svg")]
static VECTOR_OPTIONS: [&OptionSpec; 2] = [&PAGE, &PASSWORD];

/// Returns whether the starts of pages are to be marked.
pub(super) fn marks_pages(options: &Options) -> bool {
    options.word(PAGES.name) == Some("marked")
}

/// Numbers of the pages, from 1, if several are requested.
pub(super) fn several_pages(options: &Options) -> Option<RangeInclusive<u32>> {
    match options.word(PAGE.name) == Some(ALL) {
        true => Some(1..=u32::MAX),
        false => options.range(PAGE.name),
    }
}

/// Number of the requested page, from 1.
pub(super) fn page(options: &Options) -> Option<u32> {
    options.integer(PAGE.name)
}

/// Requested resolution in pixels per inch.
pub(super) fn dpi(options: &Options) -> u32 {
    options.integer(DPI.name).unwrap_or(150)
}
