//! Parses Gotenberg's paths. Handles no request.

use crate::http::Method;

/// A path of Gotenberg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum Route {
    Health,
    Version,
    /// A form with files to convert or to read.
    Form(Form),
    /// `/favicon.ico`, which is empty.
    Icon,
    /// A route that needs a browser or fetches a URL, and will never be supported.
    Never,
    /// An unknown path below `/forms/`.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum Form {
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
pub(in crate::api) enum Task {
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
static FORMS: &[(&str, Route)] = &[
    ("libreoffice/convert", Route::Form(Form::Office)),
    (
        "chromium/convert/html",
        Route::Form(Form::Page { is_markdown: false }),
    ),
    (
        "chromium/convert/markdown",
        Route::Form(Form::Page { is_markdown: true }),
    ),
    ("pdfengines/merge", Route::Form(Form::Engine(Task::Merge))),
    ("pdfengines/split", Route::Form(Form::Engine(Task::Split))),
    (
        "pdfengines/flatten",
        Route::Form(Form::Engine(Task::Flatten)),
    ),
    ("pdfengines/rotate", Route::Form(Form::Engine(Task::Rotate))),
    (
        "pdfengines/encrypt",
        Route::Form(Form::Engine(Task::Encrypt)),
    ),
    (
        "pdfengines/convert",
        Route::Form(Form::Engine(Task::Convert)),
    ),
    ("pdfengines/embed", Route::Form(Form::Engine(Task::Embed))),
    (
        "pdfengines/watermark",
        Route::Form(Form::Engine(Task::Watermark)),
    ),
    ("pdf/pipe", Route::Form(Form::Stages(None))),
    ("pdf/merge", Route::Form(Form::Stages(Some("merge")))),
    ("pdf/split", Route::Form(Form::Stages(Some("split")))),
    ("pdf/select", Route::Form(Form::Stages(Some("select")))),
    ("pdf/rotate", Route::Form(Form::Stages(Some("rotate")))),
    ("pdf/encrypt", Route::Form(Form::Stages(Some("encrypt")))),
    ("pdf/optimize", Route::Form(Form::Stages(Some("optimize")))),
    (
        "pdf/remediate",
        Route::Form(Form::Stages(Some("remediate"))),
    ),
    (
        "pdf/flatten-form",
        Route::Form(Form::Stages(Some("flatten-form"))),
    ),
    (
        "pdf/set-metadata",
        Route::Form(Form::Stages(Some("set-metadata"))),
    ),
    ("pdf/metadata", Route::Form(Form::Metadata)),
    ("pdfengines/stamp", Route::Form(Form::Engine(Task::Stamp))),
    (
        "pdfengines/optimize",
        Route::Form(Form::Engine(Task::Optimize)),
    ),
    ("pdfengines/metadata/read", Route::Form(Form::ReadMetadata)),
    (
        "pdfengines/metadata/write",
        Route::Form(Form::Engine(Task::WriteMetadata)),
    ),
    (
        "pdfengines/bookmarks/read",
        Route::Form(Form::ReadBookmarks),
    ),
    (
        "pdfengines/bookmarks/write",
        Route::Form(Form::Engine(Task::WriteBookmarks)),
    ),
    ("chromium/convert/url", Route::Never),
    ("chromium/screenshot/url", Route::Never),
    ("chromium/screenshot/html", Route::Never),
    ("chromium/screenshot/markdown", Route::Never),
];

impl Route {
    pub(in crate::api::compat) fn parse(path: &str) -> Option<Self> {
        match path {
            "/health" => Some(Self::Health),
            "/version" => Some(Self::Version),
            "/favicon.ico" => Some(Self::Icon),
            _ => {
                let rest = path.strip_prefix("/forms/")?;
                let known = FORMS.iter().find(|(name, _)| *name == rest);
                Some(known.map_or(Self::Nothing, |(_, route)| *route))
            }
        }
    }

    /// Returns whether the path may be used without an API key.
    pub(in crate::api::compat) fn is_open(self) -> bool {
        self == Self::Health
    }

    pub(super) fn allows(self, method: Method) -> bool {
        match self {
            Self::Health | Self::Version | Self::Icon => {
                matches!(method, Method::Get | Method::Head)
            }
            Self::Form(_) => method == Method::Post,
            Self::Never | Self::Nothing => true,
        }
    }
}
