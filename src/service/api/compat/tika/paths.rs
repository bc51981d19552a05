//! Tika's paths for the extraction from files, in versions 3 and 4. Handles no request.

/// Extraction from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extraction {
    /// The content of a file, in the format that `Accept` or the path names.
    Tika(Option<Content>, Sent),
    /// The content as JSON: Tika 4's `/tika/json`.
    Json(Content),
    /// The content with the metadata, as a list with one entry.
    Recursive(Content, Sent),
    Meta(Sent),
    /// A field of the metadata.
    Field,
    Detect,
    /// The language of a text, or of the text of a file.
    Language,
    /// The files within a file, as an archive; with `all`, the text and the metadata of the outer file as well.
    Unpack {
        all: bool,
        sent: Sent,
    },
}

/// Format of the extracted content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Text,
    Html,
    Markdown,
    /// No content: only the metadata is wanted.
    Ignore,
}

/// Way in which the file is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    Body,
    Form,
}

impl Content {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "text" | "body" | "main" => Some(Self::Text),
            "html" | "xml" | "json" => Some(Self::Html),
            "md" | "markdown" => Some(Self::Markdown),
            "ignore" => Some(Self::Ignore),
            _ => None,
        }
    }
}

impl Extraction {
    /// Parses a path without its leading slash. `None` for other paths.
    pub(super) fn parse(path: &str) -> Option<Self> {
        Some(match path {
            "tika" => Self::Tika(None, Sent::Body),
            "tika/form" => Self::Tika(None, Sent::Form),
            "tika/json" => Self::Json(Content::Markdown),
            "rmeta" => Self::Recursive(Content::Html, Sent::Body),
            "rmeta/form" => Self::Recursive(Content::Html, Sent::Form),
            "meta" => Self::Meta(Sent::Body),
            "meta/form" => Self::Meta(Sent::Form),
            "detect" | "detect/stream" => Self::Detect,
            "language" | "language/stream" | "language/string" => Self::Language,
            "unpack" => Self::Unpack {
                all: false,
                sent: Sent::Body,
            },
            "unpack/form" => Self::Unpack {
                all: false,
                sent: Sent::Form,
            },
            "unpack/all" => Self::Unpack {
                all: true,
                sent: Sent::Body,
            },
            "unpack/all/form" => Self::Unpack {
                all: true,
                sent: Sent::Form,
            },
            _ => match path.rsplit_once('/')? {
                ("tika", name) => Self::Tika(Some(Content::parse(name)?), Sent::Body),
                ("tika/form", name) => Self::Tika(Some(Content::parse(name)?), Sent::Form),
                ("tika/json", name) => Self::Json(Content::parse(name)?),
                ("rmeta", name) => Self::Recursive(Content::parse(name)?, Sent::Body),
                ("rmeta/form", name) => Self::Recursive(Content::parse(name)?, Sent::Form),
                ("meta", _) => Self::Field,
                _ => return None,
            },
        })
    }

    /// The way in which the client sends the file.
    pub(super) fn sent(self) -> Sent {
        match self {
            Self::Tika(_, sent)
            | Self::Recursive(_, sent)
            | Self::Meta(sent)
            | Self::Unpack { sent, .. } => sent,
            Self::Json(_) | Self::Field | Self::Detect | Self::Language => Sent::Body,
        }
    }
}

/// Returns whether a path belongs to settings for a single request.
pub(super) fn is_config(path: &str) -> bool {
    let (first, rest) = path.split_once('/').unwrap_or_default();
    ["tika", "rmeta", "meta", "unpack"].contains(&first)
        && rest.rsplit('/').next() == Some("config")
}

/// Returns whether a path asks for JSON in a format that does not exist.
pub(super) fn is_unknown_json(path: &str) -> bool {
    let name = path.strip_prefix("tika/json/");
    name.is_some_and(|name| !name.contains('/') && Content::parse(name).is_none())
}

/// Returns whether all paths with this beginning belong to Tika.
pub(super) fn is_tikas(path: &str) -> bool {
    const FIRST: [&str; 7] = [
        "tika",
        "rmeta",
        "meta",
        "detect",
        "unpack",
        "translate",
        "language",
    ];
    path.split('/')
        .next()
        .is_some_and(|first| FIRST.contains(&first))
}
