//! Parses the supported paths of docling-serve. Handles no request.

use crate::http::Method;

/// A request, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum Route {
    Health,
    /// A file in a form.
    File,
    /// A file in JSON, as base64.
    Source,
    Nothing,
}

impl Route {
    pub(in crate::api::compat) fn parse(path: &str) -> Option<Self> {
        Some(match path {
            "/health" | "/ready" => Self::Health,
            "/v1/convert/file" | "/v1alpha/convert/file" => Self::File,
            "/v1/convert/source" | "/v1alpha/convert/source" => Self::Source,
            _ if path.starts_with("/v1/") || path.starts_with("/v1alpha/") => Self::Nothing,
            _ => return None,
        })
    }

    pub(super) fn allows(self, method: Method) -> bool {
        match self {
            Self::Health => matches!(method, Method::Get | Method::Head),
            Self::File | Self::Source => method == Method::Post,
            Self::Nothing => true,
        }
    }
}
