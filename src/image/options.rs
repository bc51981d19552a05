//! The optional form fields of pictures. Parses them once; the [plan](super::plan) and the conversion apply them.

use super::{
    limits::MAX_SIDE,
    pixels::resize::{Bounds, Fit},
    target::Tuning,
};
use convertd_core::job::{DAMAGED, Damage, MAX_SIZE, OptionKind, OptionSpec, Options};
use image::metadata::Orientation;

pub(crate) static WIDTH: OptionSpec = OptionSpec {
    name: "width",
    kind: OptionKind::Integer(1..=MAX_SIDE),
    default: None,
    help: "width of the result in pixels; the picture is enlarged or reduced; without height, the proportions are kept",
};

pub(crate) static HEIGHT: OptionSpec = OptionSpec {
    name: "height",
    kind: OptionKind::Integer(1..=MAX_SIDE),
    default: None,
    help: "height of the result in pixels; the picture is enlarged or reduced; without width, the proportions are kept",
};

pub(crate) static FIT: OptionSpec = OptionSpec {
    name: "fit",
    kind: OptionKind::OneOf(&["contain", "cover", "fill"]),
    default: Some("contain"),
    help: "meaning of width and height if both are given: fit the whole picture into the box (contain), fill the box and cut off the rest evenly (cover), or stretch the picture (fill)",
};

pub(crate) static BACKGROUND: OptionSpec = OptionSpec {
    name: "background",
    kind: OptionKind::Colour,
    default: Some("white"),
    help: "colour behind transparent parts, if the target format has no transparency",
};

pub(crate) static STRIP: OptionSpec = OptionSpec {
    name: "strip",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "convert the colours to sRGB and drop the colour profile; otherwise the profile is kept if the target format can hold it",
};

pub(crate) static PAGE: OptionSpec = OptionSpec {
    name: "page",
    kind: OptionKind::Integer(1..=u32::MAX),
    default: None,
    help: "number of the picture to convert, if the file has several: a page of a tiff or djvu, a frame of an animation, an entry of an icon; by default the first page, the whole animation (its first frame in a still format), or the largest entry",
};

pub(crate) static METADATA: OptionSpec = OptionSpec {
    name: "metadata",
    kind: OptionKind::OneOf(&["drop", "keep"]),
    default: Some("drop"),
    help: "drop or keep EXIF and XMP; they can be kept in conversions among jpg, png, webp and tiff, up to 1 MiB each",
};

pub(crate) static CROP: OptionSpec = OptionSpec {
    name: "crop",
    kind: OptionKind::Area,
    default: None,
    help: "part of the picture to keep, in pixels; cut after the picture is turned (EXIF orientation, rotate) and before it is resized",
};

pub(crate) static ROTATE: OptionSpec = OptionSpec {
    name: "rotate",
    kind: OptionKind::OneOf(&["0", "90", "180", "270"]),
    default: Some("0"),
    help: "degrees to turn the picture clockwise, after its EXIF orientation is applied",
};

/// The field `lossless`, for formats that can be written with and without loss.
pub static LOSSLESS: OptionSpec = OptionSpec {
    name: "lossless",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "keep every pixel exactly; photographs become larger files, drawings often smaller ones",
};

/// Specifications of the fields for a target whose writer has these settings.
pub(crate) fn specs(tuning: Tuning) -> &'static [&'static OptionSpec] {
    match tuning {
        Tuning::None => PLAIN,
        Tuning::Scale => SCALED,
        Tuning::ScaleOrLossless => SCALED_OR_LOSSLESS,
    }
}

static PLAIN: &[&OptionSpec] = &[
    &WIDTH,
    &HEIGHT,
    &FIT,
    &CROP,
    &ROTATE,
    &BACKGROUND,
    &STRIP,
    &PAGE,
    &METADATA,
    &DAMAGED,
];

static SCALED: &[&OptionSpec] = &[
    &WIDTH,
    &HEIGHT,
    &FIT,
    &CROP,
    &ROTATE,
    &MAX_SIZE,
    &BACKGROUND,
    &STRIP,
    &PAGE,
    &METADATA,
    &DAMAGED,
];

static SCALED_OR_LOSSLESS: &[&OptionSpec] = &[
    &WIDTH,
    &HEIGHT,
    &FIT,
    &CROP,
    &ROTATE,
    &MAX_SIZE,
    &LOSSLESS,
    &BACKGROUND,
    &STRIP,
    &PAGE,
    &METADATA,
    &DAMAGED,
];

/// Options of a conversion besides the target format and the quality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wishes {
    /// The requested size.
    pub(crate) bounds: Bounds,
    /// The background for transparency: gamma-encoded red, green and blue.
    pub(crate) background: [u8; 3],
    /// Whether the colours are converted to sRGB and the colour profile is dropped.
    pub(crate) strip_profile: bool,
    /// Number of the requested page, from 1.
    pub(crate) page: Option<u32>,
    /// Whether EXIF and XMP are kept.
    pub(crate) keep_metadata: bool,
    /// The rectangle to crop to: width, height, left and top.
    pub(crate) crop: Option<[u32; 4]>,
    /// Requested clockwise rotation.
    pub(crate) turn: Orientation,
    /// Largest size of the result in bytes.
    pub(crate) max_size: Option<u32>,
    /// Whether no pixel may change.
    pub(crate) lossless: bool,
    /// Treatment of damaged files.
    pub(crate) damage: Damage,
}

impl Wishes {
    /// Reads the fields. Their values have been validated by their specifications.
    pub(crate) fn of(options: &Options) -> Self {
        Self {
            bounds: Bounds {
                width: options.integer("width"),
                height: options.integer("height"),
                fit: match options.word("fit") {
                    Some("cover") => Fit::Cover,
                    Some("fill") => Fit::Fill,
                    _ => Fit::Contain,
                },
            },
            background: options.colour("background").unwrap_or([255; 3]),
            strip_profile: options.flag("strip"),
            page: options.integer("page"),
            keep_metadata: options.word("metadata") == Some("keep"),
            crop: options.area("crop"),
            turn: match options.word("rotate") {
                Some("90") => Orientation::Rotate90,
                Some("180") => Orientation::Rotate180,
                Some("270") => Orientation::Rotate270,
                _ => Orientation::NoTransforms,
            },
            max_size: options.integer(MAX_SIZE.name),
            lossless: options.flag(LOSSLESS.name),
            damage: Damage::of(options),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_options_have_defaults() {
        let mut options = Options::default();
        assert_eq!(Wishes::of(&options).background, [255; 3]);
        options.insert("background", "#0a0b0c");
        assert_eq!(Wishes::of(&options).background, [10, 11, 12]);
    }
}
