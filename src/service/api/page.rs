//! `GET /`: the page for people, its static files, and a text of ten lines for clients such as curl. Converts nothing.
//!
//! The page uses the interface like any other client. All that it loads comes from this service: its
//! Content-Security-Policy allows no other origin, no inline script and no inline style.

use super::{
    assets::{Asset, accepts},
    endpoint::Call,
    site,
    state::Api,
    static_files::ASSETS,
};
use crate::{
    base_path::BasePath,
    coding::escape::escaped,
    format::{Category, Format},
    http::{Head, Payload, Response, Status},
    registry,
};
use serde_json::json;
use std::{fmt::Write, net::IpAddr};

/// The Content-Security-Policy. Blobs are results that the page has fetched, and files that the user has put into it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; frame-src blob:; \
                      connect-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'";
pub(super) const HTML: &str = "text/html; charset=utf-8";

/// `GET /`.
pub(super) fn answer(api: &Api, call: &Call<'_>) -> Response {
    let Call { head, peer, .. } = *call;
    if !accepts(head, "accept", &["text/html", "application/xhtml+xml"]) {
        return shell(api, head, peer);
    }
    let prefix = call.prefix(api);
    let response = if prefix == api.base_path {
        let page = api.page.0.get_or_init(|| index(&prefix, api.max_upload));
        page.answer(head)
    } else {
        index(&prefix, api.max_upload).answer(head)
    };
    guard(response.field("Vary", "Accept"))
}

/// A page for one answer: the result of a form that a browser without scripts has sent.
pub(super) fn written(status: Status, prefix: &BasePath, title: &str, content: &str) -> Response {
    let page = include_str!("../web/answer.html")
        .replace("{{base}}", &base(prefix))
        .replace("{{title}}", &escaped(title))
        .replace("{{content}}", content);
    let response = Response::new(status)
        .field("Content-Type", HTML)
        .field("Cache-Control", "no-store")
        .field("X-Content-Type-Options", "nosniff");
    guard(response.payload(Payload::Bytes(page.into_bytes().into())))
}

/// `GET /web/NAME`.
pub(super) fn asset(_: &Api, call: &Call<'_>) -> Response {
    let found = ASSETS.iter().find(|(known, _)| *known == call.rest);
    match found {
        Some((_, asset)) => guard(asset.answer(call.head)),
        None => Response::new(Status::NOT_FOUND),
    }
}

/// Adds the header fields that restrict what the page may load, and to whom the browser reveals its address.
pub(super) fn guard(response: Response) -> Response {
    response
        .field("Content-Security-Policy", POLICY)
        // With "no-referrer" instead, a form of this page would have the origin "null".
        .field("Referrer-Policy", "same-origin")
}

fn index(prefix: &BasePath, max_upload: u64) -> Asset {
    let page = include_str!("../web/index.html")
        .replace("{{base}}", &base(prefix))
        .replace("{{formats}}", &choices())
        .replace("{{kinds}}", &kinds())
        .replace("{{max_upload}}", &max_upload.to_string())
        .replace("{{max_size}}", &megabytes(max_upload))
        .replace("{{version}}", env!("CARGO_PKG_VERSION"));
    Asset::new(HTML, page.into_bytes())
}

/// The element that sets the base of the page's relative URLs. Without a prefix the result is empty, so the page also
/// works behind a proxy that removes a prefix silently.
pub(super) fn base(prefix: &BasePath) -> String {
    match *prefix == BasePath::default() {
        true => String::new(),
        false => format!("<base href=\"{prefix}/\">"),
    }
}

/// The formats that can be written, as options of a `select` element, so that the form works without scripts.
fn choices() -> String {
    let mut html = String::new();
    for category in Category::ALL {
        let is_target = |format: &&Format| {
            format.category == category && registry::routes_to(format).next().is_some()
        };
        let mut targets = registry::formats().filter(is_target).peekable();
        if targets.peek().is_none() {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = write!(
            html,
            "<optgroup label=\"{}\" data-t=\"c.{}\">",
            category.title(),
            json!(category).as_str().unwrap_or_default()
        );
        for format in targets {
            let description = escaped(format.description);
            let _ = write!(
                html,
                "<option label=\"{0} – {description}\">{0}</option>",
                format.name
            );
        }
        html.push_str("</optgroup>");
    }
    html
}

/// The titles of all categories with a format that can be converted, as one list for people.
fn kinds() -> String {
    let is_there = |category: &Category| {
        let mut formats = registry::formats().filter(|format| format.category == *category);
        formats.any(|format| registry::targets_of(format).next().is_some())
    };
    let kinds = Category::ALL.into_iter().filter(is_there);
    kinds.map(Category::title).collect::<Vec<_>>().join(", ")
}

/// A size limit for people: in megabytes, or in bytes if it is less than a million. A whole number of mebibytes is
/// shown as that number of megabytes, which is slightly less.
fn megabytes(limit: u64) -> String {
    match limit {
        0..1_000_000 => format!("{limit} bytes"),
        _ if limit.is_multiple_of(1 << 20) => format!("{} MB", limit >> 20),
        _ => format!("{} MB", limit / 1_000_000),
    }
}

/// The answer to a program that does not accept HTML: a text with commands to copy.
fn shell(api: &Api, head: &Head, peer: IpAddr) -> Response {
    let at = site::address(api, head, peer);
    let key = match api.keys.is_empty() {
        true => "No key is needed.",
        false => "Every call but health needs a key: -H 'X-API-Key: KEY'",
    };
    let text = format!(
        "convertd {}: upload a file, name a format, download the result once.\n\
         \n\
         Convert:   curl -F file=@photo.jpg -F target_format=png {at}/api/v1/convert\n\
         Download:  curl -OJ {at}/api/v1/download/CONVERSION_ID\n\
         Formats:   curl {at}/api/v1/formats\n\
         \n\
         More form fields: quality=low, medium or high, and those that /formats lists, such as width=800.\n\
         Large files: -H 'Prefer: respond-async' answers at once; then ask {at}/api/v1/status/CONVERSION_ID\n\
         {key}\n\
         The manual: curl {at}/manual  In a browser this address is a page that does the same.\n",
        env!("CARGO_PKG_VERSION"),
    );
    Response::new(Status::OK)
        .field("Content-Type", "text/plain; charset=utf-8")
        .field("Cache-Control", "no-cache")
        .field("Vary", "Accept")
        .field("X-Content-Type-Options", "nosniff")
        .payload(Payload::Bytes(text.into_bytes().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The script of the page reads its list of formats from these choices, so both offer the same formats.
    #[test]
    fn every_target_format_can_be_chosen() {
        let html = choices();
        for format in registry::formats() {
            let is_written = registry::routes_to(format).next().is_some();
            let option = format!(">{}</option>", format.name);
            assert_eq!(html.contains(&option), is_written, "{}", format.name);
        }
        assert_eq!(
            html.matches("<optgroup").count(),
            html.matches("</optgroup>").count()
        );
    }
}
