//! `POST /`: the form of the page, as a browser without scripts sends it. The conversion is that of `POST
//! /api/v1/convert`; only the answer differs: a page with the link instead of JSON. The form is sent to a path of its
//! own, because no header field reliably distinguishes such a form from other clients: Java's client, for example,
//! sends `Accept: text/html` with every request.

use super::{
    convert,
    endpoint::Call,
    failures::{log_error, retry_after, status_of},
    page,
    state::Api,
};
use crate::{
    base_path::BasePath,
    coding::escape::escaped,
    error::Error,
    http::{Body, Response, Status},
    store::Record,
};
use std::fmt::Write;

/// Refuses a form by its head alone, if the head rules out a conversion.
pub(super) fn admit(api: &Api, call: &Call<'_>) -> Result<(), Response> {
    convert::check(api, call.head).map_err(|error| failure(api, call, &error))
}

pub(super) fn answer(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Response {
    match convert::convert(api, call, body) {
        Ok(record) => success(&record, &call.prefix(api)),
        Err(error) => failure(api, call, &error),
    }
}

fn failure(api: &Api, call: &Call<'_>, error: &Error) -> Response {
    log_error(error, &call.head.request_id);
    let status = status_of(error.kind());
    retry_after(error, refusal(api, call, status, error.message()))
}

/// Refuses a form without a valid API key, if keys are set. A browser without scripts cannot send one.
pub(super) fn locked(api: &Api, call: &Call<'_>) -> Response {
    let sentence =
        "This service asks for an API key, and without JavaScript the page cannot send one.";
    refusal(api, call, Status::UNAUTHORIZED, sentence).field("WWW-Authenticate", "Bearer")
}

fn refusal(api: &Api, call: &Call<'_>, status: Status, sentence: &str) -> Response {
    let content = format!("<p class=\"failure\">{}.</p>", escaped(sentence));
    let prefix = call.prefix(api);
    page::written(status, &prefix, "That did not work", &content).reason(sentence)
}

/// The page that a browser without scripts shows after a conversion.
fn success(record: &Record, prefix: &BasePath) -> Response {
    let (name, target) = (
        escaped(&record.original_filename),
        escaped(record.extension()),
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
        let _ = write!(content, "<p class=\"note\">{}</p>", escaped(note));
    }
    page::written(Status::OK, prefix, "Converted", &content)
}
