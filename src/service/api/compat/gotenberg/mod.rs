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
mod merge;
mod names;
mod office;
mod page;
mod post_process;
mod refusal;
pub(super) mod route;
mod sequence;
mod stages;

use super::{
    form::{self, Sent},
    work::{Work, client_of, refuse_upload},
};
use crate::{
    api::{envelope::rfc3339, fairness::Turn, form::boundary, state::Api},
    error::Kind,
    http::{Head, Payload, Request, Response, Status},
    id::ConversionId,
};
use answer::Reply;
use refusal::{Refusal, plain};
use route::{Form, Route};
use std::time::SystemTime;

/// The version of Gotenberg that is reported.
const VERSION: &str = "8.36.0";

/// Answers or refuses a request by its head alone. `None` if its body must be read.
pub(super) fn admit(api: &Api, head: &Head, route: Route) -> Option<Response> {
    let response = match route {
        _ if !route.allows(head.method) => {
            let status = Status::METHOD_NOT_ALLOWED;
            let allowed = match route {
                Route::Form(_) => "POST",
                Route::Health | Route::Version | Route::Icon | Route::Never | Route::Nothing => {
                    "GET, HEAD"
                }
            };
            plain(status, status.reason()).field("Allow", allowed)
        }
        Route::Health => health(api),
        Route::Version => plain(Status::OK, VERSION),
        Route::Icon => Response::new(Status::NO_CONTENT),
        Route::Never => plain(
            Status::NOT_FOUND,
            "Not Found: this server has no browser and fetches nothing. Send the page itself to /forms/chromium/convert/html",
        ),
        Route::Nothing => plain(Status::NOT_FOUND, Status::NOT_FOUND.reason()),
        Route::Form(_) => return refuse_form(api, head).map(|response| traced(head, response)),
    };
    Some(traced(head, response))
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

pub(super) fn answer(api: &Api, request: Request<'_, '_>, form: Form) -> Response {
    let head = request.head;
    let response =
        respond(api, request, form).unwrap_or_else(|refusal| refusal.answer(&head.request_id));
    traced(head, response)
}

/// Handles a form: receives it, unpacks archives in it, and runs the task of its path.
fn respond(api: &Api, request: Request<'_, '_>, form: Form) -> Result<Response, Refusal> {
    let Request { head, peer, body } = request;
    let client = client_of(api, head, peer);
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
pub(super) fn traced(head: &Head, response: Response) -> Response {
    let given = head.field("gotenberg-trace").map(str::trim);
    let trace = match given.filter(|trace| !trace.is_empty() && trace.len() <= 200) {
        Some(trace) => trace.to_owned(),
        None => {
            ConversionId::random().map_or_else(|_| head.request_id.clone(), |id| id.to_string())
        }
    };
    response.field("Gotenberg-Trace", trace)
}

/// Returns the answer to a request that the HTTP server refuses, or that has no valid key.
pub(super) fn refused(head: &Head, status: Status, text: &str) -> Response {
    traced(head, plain(status, text))
}

/// Reports the same state for both of Gotenberg's engines, because this service takes the place of both.
fn health(api: &Api) -> Response {
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
    Response::new(status)
        .field("Content-Type", "application/json; charset=utf-8")
        .field("Cache-Control", "no-store")
        .payload(Payload::Bytes(body.to_string().into_bytes().into()))
}
