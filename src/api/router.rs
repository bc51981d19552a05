//! Turns paths into routes. Identifiers are parsed here once, so that no later code uses an unchecked one as a path.

use super::{files, query::percent_decode};
use crate::{
    http::Method,
    id::ConversionId,
    manual::{self, Chapter},
};

/// The endpoint that a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// The page for people.
    Page,
    /// A file that the page is made of, by its name.
    Asset(&'static str),
    /// The contents of the manual, or one of its chapters.
    Manual(Option<&'static Chapter>),
    Health,
    Formats,
    Convert,
    Bundle,
    Download(Named),
    Status(Named),
    OpenApi,
    Metrics,
}

/// An identifier as a client wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Id(ConversionId),
    /// Not an identifier of this service. Kept only to be repeated in the answer.
    Malformed(String),
}

/// What all paths have in common that belong to the same kind of thing.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Endpoint {
    /// The path, with the name of what varies in braces.
    pub(super) template: &'static str,
    /// What can be done there. `HEAD` goes without saying where there is `GET`, and `OPTIONS` everywhere.
    pub(super) methods: &'static [Method],
}

pub(super) const PAGE: &Endpoint = &endpoint("/", &[Method::Get, Method::Post]);
pub(super) const ASSET: &Endpoint = &endpoint("/web/{name}", &[Method::Get]);
pub(super) const MANUAL: &Endpoint = &endpoint("/manual", &[Method::Get]);
pub(super) const CHAPTER: &Endpoint = &endpoint("/manual/{chapter}", &[Method::Get]);
pub(super) const HEALTH: &Endpoint = &endpoint("/api/v1/health", &[Method::Get]);
pub(super) const FORMATS: &Endpoint = &endpoint("/api/v1/formats", &[Method::Get]);
pub(super) const CONVERT: &Endpoint = &endpoint("/api/v1/convert", &[Method::Post, Method::Put]);
pub(super) const BUNDLE: &Endpoint = &endpoint("/api/v1/bundle", &[Method::Post]);
pub(super) const DOWNLOAD: &Endpoint = &endpoint(
    "/api/v1/download/{conversion_id}",
    &[Method::Get, Method::Delete],
);
pub(super) const STATUS: &Endpoint = &endpoint("/api/v1/status/{conversion_id}", &[Method::Get]);
pub(super) const OPENAPI: &Endpoint = &endpoint("/api/v1/openapi.json", &[Method::Get]);
pub(super) const METRICS: &Endpoint = &endpoint("/metrics", &[Method::Get]);

/// All there are.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    PAGE, ASSET, MANUAL, CHAPTER, HEALTH, FORMATS, CONVERT, BUNDLE, DOWNLOAD, STATUS, OPENAPI,
    METRICS,
];

const fn endpoint(template: &'static str, methods: &'static [Method]) -> Endpoint {
    Endpoint { template, methods }
}

impl Endpoint {
    /// Whether this can be done there.
    pub(super) fn allows(&self, method: Method) -> bool {
        match method {
            Method::Head => self.methods.contains(&Method::Get),
            Method::Options => true,
            method => self.methods.contains(&method),
        }
    }

    /// The value of `Allow`.
    pub(super) fn allowed(&self) -> String {
        let methods = Method::ALL.into_iter();
        let methods = methods.filter(|method| self.allows(*method));
        methods.map(Method::as_str).collect::<Vec<_>>().join(", ")
    }
}

impl Route {
    /// The endpoint that it belongs to.
    pub(super) fn endpoint(&self) -> &'static Endpoint {
        match self {
            Self::Page => PAGE,
            Self::Asset(_) => ASSET,
            Self::Manual(None) => MANUAL,
            Self::Manual(Some(_)) => CHAPTER,
            Self::Health => HEALTH,
            Self::Formats => FORMATS,
            Self::Convert => CONVERT,
            Self::Bundle => BUNDLE,
            Self::Download(_) => DOWNLOAD,
            Self::Status(_) => STATUS,
            Self::OpenApi => OPENAPI,
            Self::Metrics => METRICS,
        }
    }
}

/// How much of a malformed identifier is repeated in the answer, in characters.
const MAX_ECHO: usize = 256;

/// The route that `path` names. `None` if there is none.
pub(super) fn parse(path: &str) -> Option<Route> {
    if path == METRICS.template {
        return Some(Route::Metrics);
    }
    if path == "/" {
        return Some(Route::Page);
    }
    if let Some(name) = path.strip_prefix("/web/") {
        return files::asset_name(name).map(Route::Asset);
    }
    if path == MANUAL.template {
        return Some(Route::Manual(None));
    }
    if let Some(name) = path.strip_prefix("/manual/") {
        return manual::chapter(name).map(|chapter| Route::Manual(Some(chapter)));
    }
    let rest = path.strip_prefix("/api/v1/")?;
    match rest.split_once('/') {
        None => match rest {
            "health" => Some(Route::Health),
            "formats" => Some(Route::Formats),
            "convert" => Some(Route::Convert),
            "bundle" => Some(Route::Bundle),
            "openapi.json" => Some(Route::OpenApi),
            _ => None,
        },
        Some(("download", id)) => Some(Route::Download(named(id)?)),
        Some(("status", id)) => Some(Route::Status(named(id)?)),
        Some(_) => None,
    }
}

fn named(segment: &str) -> Option<Named> {
    if segment.contains('/') {
        return None;
    }
    Some(match segment.parse() {
        Ok(id) => Named::Id(id),
        Err(_) => Named::Malformed(percent_decode(segment).chars().take(MAX_ECHO).collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_leads_to_its_endpoint() {
        // The page's files and the chapters have names of their own.
        let named = [ASSET, CHAPTER];
        for endpoint in ENDPOINTS
            .iter()
            .filter(|endpoint| !named.contains(endpoint))
        {
            let route = parse(endpoint.template).unwrap();
            assert_eq!(route.endpoint(), *endpoint);
        }
        assert_eq!(DOWNLOAD.allowed(), "GET, HEAD, DELETE, OPTIONS");
        assert_eq!(STATUS.allowed(), "GET, HEAD, OPTIONS");
        assert_eq!(CONVERT.allowed(), "POST, PUT, OPTIONS");
    }

    #[test]
    fn paths_name_routes() {
        #[track_caller]
        fn check(path: &str, route: Option<Route>) {
            assert_eq!(parse(path), route, "{path}");
        }
        let malformed = |text: &str| Named::Malformed(text.into());
        let id = "a5f0c1de-0b7c-4f0e-9a3b-0123456789ab";
        check("/api/v1/health", Some(Route::Health));
        check("/api/v1/convert", Some(Route::Convert));
        check("/api/v1/bundle", Some(Route::Bundle));
        check(
            &format!("/api/v1/status/{id}"),
            Some(Route::Status(Named::Id(id.parse().unwrap()))),
        );
        check("/api/v1/status/", Some(Route::Status(malformed(""))));
        check(
            "/api/v1/download/%2e%2E",
            Some(Route::Download(malformed(".."))),
        );
        check(
            "/api/v1/download/%zz%",
            Some(Route::Download(malformed("%zz%"))),
        );
        check("/api/v1/download/../x", None);
        check("/api/v1/status", None);
        check("/api/v1/health/", None);
        check("/api/v2/health", None);
        check("/", Some(Route::Page));
        check("/web/page.js", Some(Route::Asset("page.js")));
        check("/manual", Some(Route::Manual(None)));
        check(
            "/manual/limits",
            Some(Route::Manual(manual::chapter("limits"))),
        );
        check("/manual/", None);
        check("/manual/limits.md", None);
        check("/web/../page.js", None);
        check("/web/", None);
        check("/index.html", None);
        check("*", None);
    }
}
