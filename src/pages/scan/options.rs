//! The optional fields of reading pages that are pictures. Decides nothing about pages.

use crate::job::{Job, OptionKind, OptionSpec, Options};

/// Values of `ocr`. Programs that know only whether pages are read say true and false.
const WORDS: [&str; 6] = ["auto", "off", "redo", "force", "true", "false"];

/// Choice of the pages of a PDF that are read.
pub static OCR: OptionSpec = OptionSpec {
    name: "ocr",
    kind: OptionKind::OneOf(&WORDS),
    default: Some("auto"),
    help: "pages to read by OCR: those without usable text (auto, true), also those whose text comes from another OCR program (redo), all (force), or none (off, false)",
};

/// The same for pages that stay as they are. Pictures that become pages are read if it is anything but off.
pub(crate) static OCR_LAYER: OptionSpec = OptionSpec {
    name: "ocr",
    kind: OptionKind::OneOf(&WORDS),
    default: Some("off"),
    help: "pages to read by OCR, so that their text can be searched and copied: those without usable text (auto, true), also those whose text comes from another OCR program, which is replaced (redo), all (force), or none (off, false). Pictures are kept byte for byte, unless quality is low",
};

/// The languages of the text to recognise.
pub static LANGUAGE: OptionSpec = OptionSpec {
    name: "language",
    kind: OptionKind::Text(1000),
    default: None,
    help: "languages of the text for OCR, such as deu+eng or de+en; by default English, or any language in Latin letters, as the page suggests",
};

/// Whether pages are made straight.
pub(crate) static DESKEW: OptionSpec = OptionSpec {
    name: "deskew",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "straighten the content of crooked pages that OCR reads, by up to 5 degrees",
};

/// Whether pages are turned upright.
pub(crate) static UPRIGHT: OptionSpec = OptionSpec {
    name: "upright",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "turn pages that OCR reads so that their text is upright",
};

/// The fields for the attachments of a mail that become pages behind it.
pub static OF_ATTACHMENTS: [&OptionSpec; 4] = [&OCR_LAYER, &LANGUAGE, &DESKEW, &UPRIGHT];

/// Choice of the pages of a PDF that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Off,
    Auto,
    Redo,
    Force,
}

impl Mode {
    /// The mode that is asked for, or the usual one.
    pub(crate) fn of(options: &Options, usual: Self) -> Self {
        match options.word(OCR.name) {
            Some("auto" | "true") => Self::Auto,
            Some("redo") => Self::Redo,
            Some("force") => Self::Force,
            Some(_) => Self::Off,
            None => usual,
        }
    }
}

/// Returns whether pages are turned upright. OCRmyPDF's name for it is taken, too.
pub(crate) fn turns_upright(job: &Job<'_>) -> bool {
    job.options().flag(UPRIGHT.name) || job.options().flag("rotate_pages")
}

/// Returns whether pages are made straight.
pub(crate) fn deskews(job: &Job<'_>) -> bool {
    job.options().flag(DESKEW.name)
}

/// Returns whether text in pictures is recognised by default: only for formats that hold nothing but recognised text.
pub(crate) fn reads_pictures(job: &Job<'_>) -> bool {
    let default = match job.to.name {
        "alto" | "hocr" => Mode::Auto,
        _ => Mode::Off,
    };
    Mode::of(job.options(), default) != Mode::Off
}
