//! Parses Tika's paths. Handles no request.

use crate::http::Method;

/// A request, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum Route {
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
    Version,
    Types,
    /// List of parsers.
    Parsers,
    /// Settings for a single request, which are always refused.
    Config,
    /// An unknown format below `/tika/json`.
    Unknown,
    Nothing,
}

/// Format of the extracted content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum Content {
    Text,
    Html,
    Markdown,
    /// No content: only the metadata is wanted.
    Ignore,
}

/// Way in which the file is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum Sent {
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

impl Route {
    /// Parses a path of Tika's server, versions 3 and 4. `None` for other paths.
    pub(in crate::api::compat) fn parse(path: &str) -> Option<Self> {
        let mut parts = path.strip_prefix('/')?.split('/');
        let first = parts.next()?;
        let rest: Vec<&str> = parts.collect();
        let handler = |name: &str| Content::parse(name).ok_or(());
        let route = match (first, &rest[..]) {
            (_, [.., "config"]) if ["tika", "rmeta", "meta", "unpack"].contains(&first) => {
                Ok(Self::Config)
            }
            ("tika", []) => Ok(Self::Tika(None, Sent::Body)),
            ("tika", ["form"]) => Ok(Self::Tika(None, Sent::Form)),
            ("tika", ["form", name]) => handler(name).map(|it| Self::Tika(Some(it), Sent::Form)),
            ("tika", ["json"]) => Ok(Self::Json(Content::Markdown)),
            ("tika", ["json", name]) => Ok(Content::parse(name).map_or(Self::Unknown, Self::Json)),
            ("tika", [name]) => handler(name).map(|it| Self::Tika(Some(it), Sent::Body)),
            ("rmeta", []) => Ok(Self::Recursive(Content::Html, Sent::Body)),
            ("rmeta", ["form"]) => Ok(Self::Recursive(Content::Html, Sent::Form)),
            ("rmeta", ["form", name]) => handler(name).map(|it| Self::Recursive(it, Sent::Form)),
            ("rmeta", [name]) => handler(name).map(|it| Self::Recursive(it, Sent::Body)),
            ("meta", []) => Ok(Self::Meta(Sent::Body)),
            ("meta", ["form"]) => Ok(Self::Meta(Sent::Form)),
            ("meta", [_]) => Ok(Self::Field),
            ("detect", ["stream"] | []) => Ok(Self::Detect),
            ("language", [] | ["stream" | "string"]) => Ok(Self::Language),
            ("unpack", [] | ["all"]) => Ok(Self::Unpack {
                all: !rest.is_empty(),
                sent: Sent::Body,
            }),
            ("unpack", ["form"] | ["all", "form"]) => Ok(Self::Unpack {
                all: rest.len() == 2,
                sent: Sent::Form,
            }),
            ("version", []) => Ok(Self::Version),
            ("mime-types", []) => Ok(Self::Types),
            ("parsers" | "detectors", []) => Ok(Self::Parsers),
            ("tika" | "rmeta" | "meta" | "detect" | "unpack" | "translate" | "language", _) => {
                Err(())
            }
            _ => return None,
        };
        Some(route.unwrap_or(Self::Nothing))
    }

    /// Returns whether a path allows a method.
    pub(super) fn allows(self, method: Method) -> bool {
        let reads = matches!(method, Method::Get | Method::Head);
        match self {
            Self::Tika(None, Sent::Body) if reads => true,
            Self::Tika(_, Sent::Body)
            | Self::Recursive(_, Sent::Body)
            | Self::Meta(Sent::Body)
            | Self::Field
            | Self::Json(_)
            | Self::Language
            | Self::Unpack { .. }
            | Self::Detect => {
                matches!(method, Method::Put | Method::Post)
            }
            Self::Tika(_, Sent::Form) | Self::Recursive(_, Sent::Form) | Self::Meta(Sent::Form) => {
                method == Method::Post
            }
            Self::Version | Self::Types | Self::Parsers => reads,
            Self::Config | Self::Unknown | Self::Nothing => true,
        }
    }
}
