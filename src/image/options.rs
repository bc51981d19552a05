//! The optional form fields that pictures understand. Parses them once; what they lead to is decided elsewhere.

use super::{
    limits::MAX_SIDE,
    pixels::resize::{Bounds, Fit},
};
use crate::job::{OptionKind, OptionSpec, Options};

/// The fields, as `/formats` and the command line know them.
pub(crate) static SPECS: &[&OptionSpec] =
    &[&WIDTH, &HEIGHT, &FIT, &BACKGROUND, &STRIP, &PAGE, &METADATA];

pub(crate) static WIDTH: OptionSpec = OptionSpec {
    name: "width",
    kind: OptionKind::Integer(1..=MAX_SIDE),
    default: None,
    help: "largest width of the result in pixels; without height, the height follows",
};

pub(crate) static HEIGHT: OptionSpec = OptionSpec {
    name: "height",
    kind: OptionKind::Integer(1..=MAX_SIDE),
    default: None,
    help: "largest height of the result in pixels; without width, the width follows",
};

pub(crate) static FIT: OptionSpec = OptionSpec {
    name: "fit",
    kind: OptionKind::OneOf(&["contain", "cover", "fill"]),
    default: Some("contain"),
    help: "how width and height are met when both are given: nothing is cut off (contain), the box is filled and the rest cut off evenly (cover), or the picture is stretched (fill)",
};

pub(crate) static BACKGROUND: OptionSpec = OptionSpec {
    name: "background",
    kind: OptionKind::Colour,
    default: Some("white"),
    help: "what transparency is laid over where the target has none",
};

pub(crate) static STRIP: OptionSpec = OptionSpec {
    name: "strip",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "whether the colour profile is dropped, after conversion to sRGB; else it is kept where the target can hold it",
};

pub(crate) static PAGE: OptionSpec = OptionSpec {
    name: "page",
    kind: OptionKind::Integer(1..=u32::MAX),
    default: None,
    help: "which picture of a file with several: a page of a tiff, a frame of an animation, an entry of an icon. By default the first page, the whole animation (its first frame in a still format), the largest entry",
};

pub(crate) static METADATA: OptionSpec = OptionSpec {
    name: "metadata",
    kind: OptionKind::OneOf(&["drop", "keep"]),
    default: Some("drop"),
    help: "whether EXIF and XMP are carried from jpg, png, webp and tiff to the same formats, up to 1 MiB each",
};

/// What the caller wants beside the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wishes {
    pub(crate) bounds: Bounds,
    /// Gamma-encoded red, green and blue.
    pub(crate) background: [u8; 3],
    pub(crate) strip_profile: bool,
    /// From 1.
    pub(crate) page: Option<u32>,
    pub(crate) keep_metadata: bool,
}

impl Wishes {
    /// Reads the fields, whose values have been checked.
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_have_defaults() {
        let mut options = Options::default();
        assert_eq!(Wishes::of(&options).background, [255; 3]);
        options.insert("background", "#0a0b0c");
        assert_eq!(Wishes::of(&options).background, [10, 11, 12]);
    }
}
