//! Options of OCR. Decides nothing about pages.

use crate::job::{Job, OptionKind, OptionSpec, Options};

/// Values of `ocr`. Programs that only switch OCR on or off send true and false.
const WORDS: [&str; 6] = ["auto", "off", "redo", "force", "true", "false"];

/// Option that selects the pages of a PDF for OCR.
pub static OCR: OptionSpec = OptionSpec {
    name: "ocr",
    kind: OptionKind::OneOf(&WORDS),
    default: Some("auto"),
    help: "pages to read by OCR: those without usable text (auto, true), also those whose text comes from another OCR program (redo), all (force), or none (off, false)",
};

/// Option with the same name for pages that keep their appearance. For pictures that become pages, every value except
/// `off` and `false` turns OCR on.
pub static OCR_LAYER: OptionSpec = OptionSpec {
    name: "ocr",
    kind: OptionKind::OneOf(&WORDS),
    default: Some("off"),
    help: "pages to read by OCR, so that their text can be searched and copied: those without usable text (auto, true), also those whose text comes from another OCR program, which is replaced (redo), all (force), or none (off, false). Pictures are kept byte for byte, unless quality is low",
};

/// Option for the languages of the text to recognise.
pub static LANGUAGE: OptionSpec = OptionSpec {
    name: "language",
    kind: OptionKind::Text(1000),
    default: None,
    help: "languages of the text for OCR, such as deu+eng or de+en; by default English or all languages in Latin letters, whichever suits the page",
};

/// Option to straighten pages.
pub static DESKEW: OptionSpec = OptionSpec {
    name: "deskew",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "straighten the content of crooked pages that OCR reads, by up to 5 degrees",
};

/// Option to rotate pages upright.
pub static UPRIGHT: OptionSpec = OptionSpec {
    name: "upright",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "turn pages that OCR reads so that their text is upright",
};

/// Options for the attachments of a mail that become pages after the mail.
pub static ATTACHMENT_OPTIONS: [&OptionSpec; 4] = [&OCR_LAYER, &LANGUAGE, &DESKEW, &UPRIGHT];

/// Choice of the pages of a PDF for OCR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Off,
    Auto,
    Redo,
    Force,
}

impl Mode {
    /// The mode that the client set, or else `default`.
    pub fn of(options: &Options, default: Self) -> Self {
        match options.word(OCR.name) {
            Some("auto" | "true") => Self::Auto,
            Some("redo") => Self::Redo,
            Some("force") => Self::Force,
            Some(_) => Self::Off,
            None => default,
        }
    }
}

/// Returns whether pages are rotated upright. OCRmyPDF's name for the option is accepted as well.
pub fn turns_upright(job: &Job<'_>) -> bool {
    job.options().flag(UPRIGHT.name) || job.options().flag("rotate_pages")
}

/// Returns whether pages are straightened.
pub fn deskews(job: &Job<'_>) -> bool {
    job.options().flag(DESKEW.name)
}

/// Returns whether text in pictures is recognised: as the client set, or else only for formats that hold nothing but
/// recognised text.
pub fn reads_pictures(job: &Job<'_>) -> bool {
    let default = match job.to.name {
        "alto" | "hocr" => Mode::Auto,
        _ => Mode::Off,
    };
    Mode::of(job.options(), default) != Mode::Off
}
