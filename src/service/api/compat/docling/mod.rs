//! Answers clients of docling-serve 1: a file becomes Markdown, HTML, text or a DoclingDocument, inside JSON or in an
//! archive. Fetches nothing: a source that is a URL is refused.
//!
//! A body or an answer may be larger than the memory: the file in a JSON body is decoded while it arrives, and the
//! answer is written to a file first. Only the Markdown of a document is in memory as a whole.

mod answer;
mod options;

use super::{
    KEY, all_methods,
    base64_json::Base64Json,
    detail::{self, failed, json_of, refused},
    detect::{self, File},
    form,
    item::Item,
    keyed, pages,
    work::{self, Work, client_of},
};
use crate::{
    api::{
        endpoint::{Call, Dispatch, Endpoint, Interface, Operation},
        file_name, plain_body,
        state::Api,
    },
    error::{Error, Kind, Result},
    format::ARCHIVE_MEDIA_TYPE,
    http::{Body, Head, Method, Response, Status},
};
use answer::{Answer, Content};
use options::Options;
use serde_json::json;
use std::{net::IpAddr, time::Instant};

/// Member of the JSON that holds the file.
const MEMBER: &str = "\"base64_string\"";
/// Last part of the path for a file in a form.
const FORM: &str = "file";
/// Last part of the path for a file in JSON, as base64.
const JSON: &str = "source";

/// The supported paths of docling-serve, under both of its prefixes.
pub(super) static INTERFACE: Interface = Interface {
    label: Some("docling"),
    endpoints: &[
        Endpoint {
            template: "/health",
            has: str::is_empty,
            operations: HEALTH,
        },
        Endpoint {
            template: "/ready",
            has: str::is_empty,
            operations: HEALTH,
        },
        Endpoint {
            template: "/v1/convert/{kind}",
            has: is_kind,
            operations: CONVERT,
        },
        Endpoint {
            template: "/v1alpha/convert/{kind}",
            has: is_kind,
            operations: CONVERT,
        },
        Endpoint {
            template: "/v1/{path}",
            has: |_| true,
            operations: UNKNOWN,
        },
        Endpoint {
            template: "/v1alpha/{path}",
            has: |_| true,
            operations: UNKNOWN,
        },
    ],
    refuse: |_, status, reason| refused(status, reason),
};

const HEALTH: &[Operation] = &[Operation::open(
    Method::Get,
    Dispatch::AtOnce(|api, _| health(api)),
)];
const CONVERT: &[Operation] = &[keyed(
    Method::Post,
    Dispatch::Upload {
        admit: detail::admit,
        answer,
    },
)];
const UNKNOWN: &[Operation] = &all_methods(
    KEY,
    Dispatch::AtOnce(|_, _| {
        let text = "unknown path; use /v1/convert/file or /v1/convert/source";
        refused(Status::NOT_FOUND, text)
    }),
);

/// Returns whether a path ends with one of the two ways to send a file.
fn is_kind(name: &str) -> bool {
    matches!(name, FORM | JSON)
}

fn health(api: &Api) -> Response {
    match api.store.reachable() {
        Ok(()) => json_of(Status::OK, &json!({ "status": "ok" })),
        Err(_) => refused(Status::SERVICE_UNAVAILABLE, "the store cannot be reached"),
    }
}

fn answer(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Response {
    respond(api, call, body).unwrap_or_else(|error| failed(&error, &call.head.request_id))
}

/// Handles a request: receives the file, converts it, and answers with docling's JSON.
fn respond(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Result<Response> {
    let head = call.head;
    let client = client_of(api, head, call.peer);
    // The request counts towards the client's limit until the answer is complete.
    let _turn = api.fairness.enter(client)?;
    let (item, options) = match call.rest {
        JSON => of_json(api, head, client, body)?,
        _ => of_form(api, head, client, body)?,
    };
    let is_archive = options.wants_zip()?;
    let begun = Instant::now();
    let work = Work::new(api, client, body);
    let file = detect::detect(&item, head)?;
    let mut errors: Vec<String> = options
        .unsupported
        .iter()
        .map(|name| format!("the format {name} is not supported; use md, html, text or json"))
        .collect();
    let contents = contents(&work, &file, &options)?;
    for (name, content) in options::OUTPUT_FORMATS.iter().zip(&contents) {
        if options.wants(name) && matches!(content, Content::None) {
            errors.push(format!("this file cannot become {name}"));
        }
    }
    let answer = Answer {
        item: &item,
        media_type: file.format.media_type,
        contents,
        errors,
    };
    if is_archive {
        return Ok(Response::new(Status::OK)
            .field("Content-Type", ARCHIVE_MEDIA_TYPE)
            .field(
                "Content-Disposition",
                file_name::attachment("converted_docs.zip"),
            )
            .field("Cache-Control", "no-store")
            .payload(answer.pack(&work)?.payload()?));
    }
    let written = work.write("", |to| answer.write(to, begun.elapsed()))?;
    Ok(Response::new(Status::OK)
        .field("Content-Type", "application/json")
        .field("Cache-Control", "no-store")
        .payload(written.payload()?))
}

/// Receives a form, and returns its file and its options.
fn of_form(
    api: &Api,
    head: &Head,
    client: Option<IpAddr>,
    body: &mut Body<'_>,
) -> Result<(Item, Options)> {
    let received = form::receive(api, head, client, &mut *body, |_| false);
    let mut sent = received.map_err(|error| form::failed(api, body, error))?;
    let mut options = Options::default();
    for (name, value) in &sent.fields {
        options.set(name, value);
    }
    match sent.files.len() {
        1 => Ok((sent.files.swap_remove(0).item, options)),
        0 => Err(Error::new(
            Kind::BadInput,
            "the form has no file in the field files",
        )),
        count => {
            let text = format!("the form has {count} files; send each in a request of its own");
            Err(Error::new(Kind::BadInput, text))
        }
    }
}

/// Receives a JSON body, and returns its file and its options.
fn of_json(
    api: &Api,
    head: &Head,
    client: Option<IpAddr>,
    body: &mut Body<'_>,
) -> Result<(Item, Options)> {
    let mut spool = work::upload(api, head, client)?;
    let mut file = Base64Json::new(&mut *body, MEMBER);
    let stored = plain_body::store(&mut file, &mut spool, api.max_upload);
    let has_begun = file.has_begun();
    let around = file.into_around();
    let request = match stored {
        Ok(_) => options::JsonRequest::read(&around)?,
        Err(error) if error.kind() == Kind::BadInput && body.failure().is_none() => {
            // If no file was found, parsing the JSON yields a more precise error.
            if !has_begun {
                options::JsonRequest::read(&around)?;
            }
            let text = "base64_string is empty, or not valid base64";
            return Err(Error::new(Kind::BadInput, text).caused_by(error));
        }
        Err(error) => return Err(form::failed(api, body, error)),
    };
    let item = Item::uploaded(file_name::sanitise(&request.name), spool)?;
    Ok((item, request.options))
}

/// Returns the content in the formats of [`options::OUTPUT_FORMATS`], in their order. [`Content::None`] for a format
/// that the client does not want, or that the file cannot become.
fn contents(
    work: &Work<'_, '_>,
    file: &File,
    options: &Options,
) -> Result<[Content; options::OUTPUT_FORMATS.len()]> {
    let wanted = |name| options.wants(name);
    let whole = |name, target| match wanted(name) {
        true => Ok(pages::whole(work, file, target)?.map_or(Content::None, Content::File)),
        false => Ok(Content::None),
    };
    let markdown = match wanted("md") {
        true => {
            let pages = pages::markdown(work, file)?;
            let texts: Vec<String> = pages.into_iter().map(|page| page.text).collect();
            Content::Text(options.placed(&texts.join(options.page_break())))
        }
        false => Content::None,
    };
    let (html, text) = (whole("html", "html")?, whole("text", "txt")?);
    let json = match wanted("json") {
        true => document(work, &file.item, options.embeds)?.map_or(Content::None, Content::Json),
        false => Content::None,
    };
    Ok([markdown, html, text, json])
}

#[cfg(feature = "document")]
fn document(work: &Work<'_, '_>, item: &Item, embeds: bool) -> Result<Option<Item>> {
    work.docling(item, embeds)
}

#[cfg(not(feature = "document"))]
fn document(_: &Work<'_, '_>, _: &Item, _: bool) -> Result<Option<Item>> {
    Ok(None)
}
