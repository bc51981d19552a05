//! Turns paths into routes. Identifiers are parsed here once, so that no later code uses an unchecked one as a path.

use super::page;
use crate::id::ConversionId;

/// The endpoint that a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// The page for people.
    Page,
    /// A file that the page is made of, by its name.
    Asset(&'static str),
    Health,
    Formats,
    Convert,
    Download(Named),
    Status(Named),
}

/// An identifier as a client wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Id(ConversionId),
    /// Not an identifier of this service. Kept only to be repeated in the answer.
    Malformed(String),
}

/// How much of a malformed identifier is repeated in the answer, in characters.
const MAX_ECHO: usize = 256;

/// The route that `path` names. `None` if there is none.
pub(super) fn parse(path: &str) -> Option<Route> {
    if path == "/" {
        return Some(Route::Page);
    }
    if let Some(name) = path.strip_prefix("/web/") {
        return page::asset_name(name).map(Route::Asset);
    }
    let rest = path.strip_prefix("/api/v1/")?;
    match rest.split_once('/') {
        None => match rest {
            "health" => Some(Route::Health),
            "formats" => Some(Route::Formats),
            "convert" => Some(Route::Convert),
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

/// Decodes percent-encoding (RFC 3986, section 2.1). Bytes that are then not UTF-8 are replaced.
fn percent_decode(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        let digit = |at: usize| tail.get(at).and_then(|&digit| (digit as char).to_digit(16));
        rest = match (byte, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high << 4 | low) as u8);
                &tail[2..]
            }
            _ => {
                decoded.push(*byte);
                tail
            }
        };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        check("/web/../page.js", None);
        check("/web/", None);
        check("/index.html", None);
        check("*", None);
    }
}
