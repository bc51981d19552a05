//! Answers clients of Gotenberg 8 and 9, which need no change other than the address of the service. Fetches nothing:
//! routes and fields that refer to other hosts are refused. For paths that both versions have, a form may have the
//! fields of either. The reported version is 8, because clients check it.
//!
//! ```text
//! form ──► fields (all problems together) ──► office, page, engines or stages ──► post_process ──► answer
//! ```

mod answer;
mod bookmarks;
mod embeds;
mod engines;
mod fields;
mod forms;
mod merge;
mod names;
mod office;
mod page;
mod post_process;
mod refusal;
mod sequence;
mod stages;

use super::{
    KEY, all_methods,
    form::{self, Sent},
    keyed,
    work::{Work, client_of, refuse_upload},
};
use crate::{
    api::{
        endpoint::{Call, Dispatch, Endpoint, Interface, Operation},
        envelope::rfc3339,
        fairness::Turn,
        form::boundary,
        state::Api,
    },
    error::Kind,
    http::{Body, Head, Method, Payload, Response, Status},
    id::ConversionId,
};
use answer::Reply;
use forms::Form;
use refusal::{Refusal, plain};
use std::time::SystemTime;

/// The version of Gotenberg that is reported.
const VERSION: &str = "8.36.0";

/// Gotenberg's paths.
pub(super) static INTERFACE: Interface = Interface {
    label: Some("gotenberg"),
    endpoints: &[
        Endpoint {
            template: "/health",
            has: str::is_empty,
            operations: &[Operation::open(Method::Get, Dispatch::AtOnce(health))],
        },
        Endpoint {
            template: "/version",
            has: str::is_empty,
            operations: &[keyed(
                Method::Get,
                Dispatch::AtOnce(|_, call| text(call, Status::OK, VERSION)),
            )],
        },
        Endpoint {
            template: "/favicon.ico",
            has: str::is_empty,
            operations: &[keyed(
                Method::Get,
                Dispatch::AtOnce(|_, call| traced(call.head, Response::new(Status::NO_CONTENT))),
            )],
        },
        Endpoint {
            template: "/forms/{form}",
            has: |path| Form::find(path).is_some(),
            operations: &[keyed(Method::Post, Dispatch::Upload { admit, answer })],
        },
        Endpoint {
            template: "/forms/chromium/{form}",
            has: |path| BROWSER_ONLY.contains(&path),
            operations: &all_methods(
                KEY,
                Dispatch::AtOnce(|_, call| text(call, Status::NOT_FOUND, NO_BROWSER)),
            ),
        },
        Endpoint {
            template: "/forms/{form}",
            has: |_| true,
            operations: &all_methods(
                KEY,
                Dispatch::AtOnce(|_, call| {
                    text(call, Status::NOT_FOUND, Status::NOT_FOUND.reason())
                }),
            ),
        },
    ],
    refuse: refused,
};

/// Forms of Gotenberg that need a browser or fetch a URL, which this service will never do.
const BROWSER_ONLY: [&str; 4] = [
    "convert/url",
    "screenshot/url",
    "screenshot/html",
    "screenshot/markdown",
];
const NO_BROWSER: &str = "Not Found: this server has no browser and fetches nothing. Send the page itself to /forms/chromium/convert/html";

/// Refuses a form by its head, before its body is read.
fn admit(api: &Api, call: &Call<'_>) -> Result<(), Response> {
    match refuse_form(api, call.head) {
        Some(response) => Err(traced(call.head, response)),
        None => Ok(()),
    }
}

/// Checks a form by its head, before its body is read. Returns the refusal, if any.
fn refuse_form(api: &Api, head: &Head) -> Option<Response> {
    let content_type = head.field("content-type").unwrap_or_default();
    if !form::is_form(head) {
        let text = "Invalid 'Content-Type' header value: want 'multipart/form-data'";
        return Some(plain(Status::UNSUPPORTED_MEDIA_TYPE, text));
    }
    if boundary(Some(content_type)).is_err() {
        let text = "Invalid 'Content-Type' header value: no boundary";
        return Some(plain(Status::UNSUPPORTED_MEDIA_TYPE, text));
    }
    if head.field("gotenberg-webhook-url").is_some() {
        let text = "Invalid 'Gotenberg-Webhook-Url' header value: this server makes no outgoing connections";
        return Some(plain(Status::BAD_REQUEST, text));
    }
    let error = refuse_upload(api, head).err()?;
    Some(Refusal::from(error).answer(&head.request_id))
}

fn answer(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Response {
    let head = call.head;
    let response =
        respond(api, call, body).unwrap_or_else(|refusal| refusal.answer(&head.request_id));
    traced(head, response)
}

/// Handles a form: receives it, unpacks archives in it, and runs the task of its path.
fn respond(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Result<Response, Refusal> {
    let head = call.head;
    let Some(form) = Form::find(call.rest) else {
        return Ok(plain(Status::NOT_FOUND, Status::NOT_FOUND.reason()));
    };
    let client = client_of(api, head, call.peer);
    // The request counts towards the client's limit until the answer is complete.
    let _turn: Option<Turn> = api.fairness.enter(client)?;
    let received = form::receive(api, head, client, &mut *body, |name| {
        // Some clients send pages as fields without a file name.
        [".html", ".md", ".css"]
            .iter()
            .any(|end| name.ends_with(end))
    });
    let mut sent = received.map_err(|error| form::failed(api, body, error))?;
    let work = Work::new(api, client, body);
    open_archives(&work, &mut sent)?;
    let reply: Reply = match form {
        Form::Office => office::answer(&work, &sent),
        Form::Page { is_markdown } => page::answer(&work, &sent, is_markdown, answer::wanted(head)),
        Form::ReadMetadata => return engines::metadata(&work, &sent),
        Form::ReadBookmarks => return engines::bookmarks(&work, &sent),
        Form::Metadata => return stages::metadata(&work, &sent),
        Form::Stages(op) => stages::answer(&work, &sent, op),
        Form::Engine(task) => engines::answer(&work, &sent, task),
    }
    .inspect_err(|refusal| {
        if let Refusal::Failed(error) = refusal
            && error.kind() == Kind::Busy
        {
            log::info!("{}: {error}", head.request_id);
        }
    })?;
    if !reply.idle.is_empty() {
        let names = reply.idle.join(", ");
        log::info!("{}: fields without effect here: {names}", head.request_id);
    }
    reply.answer(&work, head)
}

/// Replaces archives by the files in them, as Gotenberg 9 does.
fn open_archives(work: &Work<'_, '_>, sent: &mut Sent) -> Result<(), Refusal> {
    const FIELD: &str = "archives";
    let (archives, files) = std::mem::take(&mut sent.files)
        .into_iter()
        .partition::<Vec<_>, _>(|file| file.field == FIELD);
    sent.files = files;
    for archive in archives {
        for item in work.embedded(&archive.item)? {
            let field = "files".to_owned();
            sent.files.push(form::Part { field, item });
        }
    }
    Ok(())
}

/// Adds the identifier of the request to the answer: the client's own, or a new one.
fn traced(head: &Head, response: Response) -> Response {
    let given = head.field("gotenberg-trace").map(str::trim);
    let trace = match given.filter(|trace| !trace.is_empty() && trace.len() <= 200) {
        Some(trace) => trace.to_owned(),
        None => {
            ConversionId::random().map_or_else(|_| head.request_id.clone(), |id| id.to_string())
        }
    };
    response.field("Gotenberg-Trace", trace)
}

fn text(call: &Call<'_>, status: Status, text: &str) -> Response {
    traced(call.head, plain(status, text))
}

/// Returns the answer to a refused request. Gotenberg's own begins with the reason phrase of the status.
fn refused(head: &Head, status: Status, text: &str) -> Response {
    let text = match status {
        Status::METHOD_NOT_ALLOWED => format!("{}: {text}", status.reason()),
        _ => text.to_owned(),
    };
    traced(head, plain(status, &text))
}

/// Reports the same state for both of Gotenberg's engines, because this service takes the place of both.
fn health(api: &Api, call: &Call<'_>) -> Response {
    let is_up = api.store.reachable().is_ok();
    let word = if is_up { "up" } else { "down" };
    let now = rfc3339(SystemTime::now());
    let part = serde_json::json!({"status": word, "timestamp": now});
    let body = serde_json::json!({
        "status": word,
        "details": {"chromium": part.clone(), "libreoffice": part},
    });
    let status = if is_up {
        Status::OK
    } else {
        Status::SERVICE_UNAVAILABLE
    };
    let response = Response::new(status)
        .field("Content-Type", "application/json; charset=utf-8")
        .field("Cache-Control", "no-store")
        .payload(Payload::Bytes(body.to_string().into_bytes().into()));
    traced(call.head, response)
}
