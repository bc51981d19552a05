//! `POST /`: the page's form as a browser without scripts sends it. The same conversion as `POST /api/v1/convert`, and only its answer
//! is another: a page with the link instead of JSON. It has a path of its own because no field of a request tells such a
//! form from other clients for certain: Java's, for one, asks for `text/html` whatever it fetches.

use super::{
    convert,
    failures::{retry_after, status_of, take_down},
    page::{self, escape},
    parts::Api,
    site,
};
use crate::{
    base_path::BasePath,
    error::Error,
    http::{Head, Request, Response, Status},
    store::Record,
};
use std::{fmt::Write, net::IpAddr};

pub(super) fn answer(api: &Api, request: Request<'_, '_>) -> Response {
    let Request { head, peer, body } = request;
    match convert::convert(api, head, peer, body) {
        Ok(record) => success(&record, &site::prefix(api, head, peer)),
        Err(error) => failure(api, head, peer, &error),
    }
}

/// A failed conversion, or one that was refused before its file was read.
pub(super) fn failure(api: &Api, head: &Head, peer: IpAddr, error: &Error) -> Response {
    take_down(error, &head.request_id);
    let status = status_of(error.kind());
    retry_after(error, refusal(api, head, peer, status, error.message()))
}

/// Without scripts a browser cannot send a key in a field of its request.
pub(super) fn locked(api: &Api, head: &Head, peer: IpAddr) -> Response {
    let sentence =
        "This service asks for an API key, and without JavaScript the page cannot send one.";
    refusal(api, head, peer, Status::UNAUTHORIZED, sentence).field("WWW-Authenticate", "Bearer")
}

fn refusal(api: &Api, head: &Head, peer: IpAddr, status: Status, sentence: &str) -> Response {
    let prefix = site::prefix(api, head, peer);
    let content = format!("<p class=\"failure\">{}.</p>", escape(sentence));
    page::written(status, &prefix, "That did not work", &content)
}

fn success(record: &Record, prefix: &BasePath) -> Response {
    let (name, target) = (
        escape(&record.original_filename),
        escape(record.extension()),
    );
    let mut content = format!(
        "<p><b>{name}</b> is now a {target} of {} bytes.</p>\
         <p><a class=\"button\" download href=\"{prefix}/api/v1/download/{}\">Save the {target}</a></p>\
         <p>The link works once, until {} UTC.</p>",
        record.file_size,
        record.id,
        httpdate::fmt_http_date(record.expires_at()).trim_end_matches(" GMT"),
    );
    for note in &record.notes {
        // Writing to a string cannot fail.
        let _ = write!(content, "<p class=\"note\">{}</p>", escape(note));
    }
    page::written(Status::OK, prefix, "Converted", &content)
}
