//! The forms of Gotenberg 8 and 9, by their paths. Handles no request.

/// A form with files to convert or to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Office,
    /// A page in HTML, or in Markdown inside HTML.
    Page {
        is_markdown: bool,
    },
    Engine(Task),
    /// Stages of Gotenberg 9: a single one, or the list in the form (`None`).
    Stages(Option<&'static str>),
    /// Gotenberg 9's route for reading metadata, with other names than those of [`Self::ReadMetadata`].
    Metadata,
    ReadMetadata,
    ReadBookmarks,
}

/// Task of a PDF engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Merge,
    Split,
    Flatten,
    Rotate,
    Encrypt,
    Convert,
    WriteMetadata,
    WriteBookmarks,
    Embed,
    Stamp,
    Watermark,
    Optimize,
}

/// Paths below `/forms/`.
static FORMS: &[(&str, Form)] = &[
    ("libreoffice/convert", Form::Office),
    ("chromium/convert/html", Form::Page { is_markdown: false }),
    (
        "chromium/convert/markdown",
        Form::Page { is_markdown: true },
    ),
    ("pdfengines/merge", Form::Engine(Task::Merge)),
    ("pdfengines/split", Form::Engine(Task::Split)),
    ("pdfengines/flatten", Form::Engine(Task::Flatten)),
    ("pdfengines/rotate", Form::Engine(Task::Rotate)),
    ("pdfengines/encrypt", Form::Engine(Task::Encrypt)),
    ("pdfengines/convert", Form::Engine(Task::Convert)),
    ("pdfengines/embed", Form::Engine(Task::Embed)),
    ("pdfengines/watermark", Form::Engine(Task::Watermark)),
    ("pdf/pipe", Form::Stages(None)),
    ("pdf/merge", Form::Stages(Some("merge"))),
    ("pdf/split", Form::Stages(Some("split"))),
    ("pdf/select", Form::Stages(Some("select"))),
    ("pdf/rotate", Form::Stages(Some("rotate"))),
    ("pdf/encrypt", Form::Stages(Some("encrypt"))),
    ("pdf/optimize", Form::Stages(Some("optimize"))),
    ("pdf/remediate", Form::Stages(Some("remediate"))),
    ("pdf/flatten-form", Form::Stages(Some("flatten-form"))),
    ("pdf/set-metadata", Form::Stages(Some("set-metadata"))),
    ("pdf/metadata", Form::Metadata),
    ("pdfengines/stamp", Form::Engine(Task::Stamp)),
    ("pdfengines/optimize", Form::Engine(Task::Optimize)),
    ("pdfengines/metadata/read", Form::ReadMetadata),
    (
        "pdfengines/metadata/write",
        Form::Engine(Task::WriteMetadata),
    ),
    ("pdfengines/bookmarks/read", Form::ReadBookmarks),
    (
        "pdfengines/bookmarks/write",
        Form::Engine(Task::WriteBookmarks),
    ),
];

impl Form {
    /// Finds the form of a path below `/forms/`.
    pub(super) fn find(path: &str) -> Option<Self> {
        let known = FORMS.iter().find(|(name, _)| *name == path);
        known.map(|(_, form)| *form)
    }
}
