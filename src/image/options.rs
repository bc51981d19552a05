//! The optional form fields that pictures understand. Parses them once; what they lead to is decided elsewhere.

use super::limits::MAX_SIDE;
use crate::job::{OptionSpec, Options};

/// The fields, as `/formats` and the command line know them.
pub(crate) static SPECS: &[OptionSpec] = &[
    OptionSpec {
        name: "width",
        help: "largest width of the result in pixels, 1 to 100000; without height, the height follows",
        check: |value| side(value).is_some(),
    },
    OptionSpec {
        name: "height",
        help: "largest height of the result in pixels, 1 to 100000; without width, the width follows",
        check: |value| side(value).is_some(),
    },
    OptionSpec {
        name: "fit",
        help: "how width and height are met: contain (default, nothing is cut off), cover (filled, the rest is cut off evenly), fill (stretched)",
        check: |value| fit(value).is_some(),
    },
    OptionSpec {
        name: "background",
        help: "what transparency is laid over where the target has none: white (default), black, or #rrggbb",
        check: |value| colour(value).is_some(),
    },
    OptionSpec {
        name: "strip",
        help: "true drops the colour profile after conversion to sRGB; false (default) keeps it where the target can",
        check: |value| matches!(value, "true" | "false"),
    },
    OptionSpec {
        name: "page",
        help: "which picture of a file with several: a page of a tiff, a frame of an animation, an entry of an icon, from 1. By default the first page, the whole animation (its first frame in a still format), the largest entry",
        check: |value| page(value).is_some(),
    },
    OptionSpec {
        name: "metadata",
        help: "keep carries EXIF and XMP from jpg, png, webp and tiff to the same formats, up to 1 MiB each; drop (default) leaves them out",
        check: |value| matches!(value, "keep" | "drop"),
    },
];

/// How the sides of a box are met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fit {
    #[default]
    Contain,
    Cover,
    Fill,
}

/// What the caller wants beside the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wishes {
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    pub(crate) fit: Fit,
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
            width: options.get("width").and_then(side),
            height: options.get("height").and_then(side),
            fit: options.get("fit").and_then(fit).unwrap_or_default(),
            background: options
                .get("background")
                .and_then(colour)
                .unwrap_or([255; 3]),
            strip_profile: options.get("strip") == Some("true"),
            page: options.get("page").and_then(page),
            keep_metadata: options.get("metadata") == Some("keep"),
        }
    }
}

fn side(value: &str) -> Option<u32> {
    let value = value.parse().ok()?;
    (1..=MAX_SIDE).contains(&value).then_some(value)
}

fn page(value: &str) -> Option<u32> {
    value.parse().ok().filter(|page| *page > 0)
}

fn fit(value: &str) -> Option<Fit> {
    match value {
        "contain" => Some(Fit::Contain),
        "cover" => Some(Fit::Cover),
        "fill" => Some(Fit::Fill),
        _ => None,
    }
}

fn colour(value: &str) -> Option<[u8; 3]> {
    match value {
        "white" => return Some([255; 3]),
        "black" => return Some([0; 3]),
        _ => {}
    }
    let digits = value.strip_prefix('#').unwrap_or(value);
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let [_, r, g, b] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([r, g, b])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, value: &str, accepted: bool) {
        let spec = SPECS.iter().find(|spec| spec.name == name).unwrap();
        assert_eq!((spec.check)(value), accepted, "{name}={value}");
    }

    #[test]
    fn values_are_checked() {
        check("width", "320", true);
        check("width", "0", false);
        check("width", "-1", false);
        check("width", "100001", false);
        check("fit", "cover", true);
        check("fit", "Cover", false);
        check("background", "#ff8000", true);
        check("background", "ff8000", true);
        check("background", "#ff80", false);
        check("background", "#é80000", false);
        check("strip", "yes", false);
        check("page", "1", true);
        check("page", "0", false);
        check("page", "last", false);
        check("metadata", "keep", true);
        check("metadata", "all", false);
    }

    #[test]
    fn wishes_have_defaults() {
        let mut options = Options::default();
        assert_eq!(Wishes::of(&options).background, [255; 3]);
        options.insert("background", "#0a0b0c");
        assert_eq!(Wishes::of(&options).background, [10, 11, 12]);
    }
}
