//! Answers clients of Apache Tika 3: text, metadata and embedded files, selected by the path and by `Accept`. Where
//! Tika 4 differs, the answers are those of version 3, because existing clients use it.
//!
//! ```text
//! body or form ──► upload ──► extract (conversions) ──► metadata, text ──► answer (JSON, CSV, text)
//! ```

mod answer;
mod extract;
mod language;
mod metadata;
mod names;
pub(super) mod route;
mod unpack;

use super::{
    detect, form,
    gunzip::Gunzip,
    item::Item,
    work::{self, Work, client_of},
};
use crate::{
    api::{
        failures::{log_error, retry_after, status_of},
        file_name,
        form::file_name as disposition_name,
        plain_body,
        state::Api,
    },
    error::{Error, Kind, Reason, Result},
    http::{Body, Head, Method, Payload, Request, Response, Status},
    registry,
};
use answer::{Shape, empty, plain};
use route::{Content, Route, Sent};
use std::{io::Read, net::IpAddr};

/// The version of Tika that is reported.
const VERSION: &str = "Apache Tika 3.3.0";
/// Name of the form part with settings.
const CONFIG: &str = "config";
/// Length of the beginning of a text that is used for language detection, in bytes.
const MAX_WORDS: u64 = 64 << 10;
/// The answer to a `GET` request of `/tika`, which expects a file, as Tika gives it.
const GREETING: &str = "This is Tika Server (Apache Tika 3.3.0). Please PUT\n";

/// Answers or refuses a request by its head alone. `None` if its body must be read.
pub(super) fn admit(api: &Api, head: &Head, route: Route) -> Option<Response> {
    if !route.allows(head.method) {
        return Some(empty(Status::METHOD_NOT_ALLOWED).field("Allow", "GET, HEAD, PUT, POST"));
    }
    match route {
        Route::Tika(None, Sent::Body) if matches!(head.method, Method::Get | Method::Head) => {
            Some(text(GREETING))
        }
        Route::Version => Some(text(VERSION)),
        Route::Types => Some(types(head)),
        Route::Parsers => Some(text("org.apache.tika.parser.DefaultParser\n")),
        Route::Config => Some(no_settings()),
        Route::Unknown => Some(empty(Status::BAD_REQUEST)),
        Route::Nothing => Some(empty(Status::NOT_FOUND)),
        Route::Tika(..)
        | Route::Json(_)
        | Route::Recursive(..)
        | Route::Meta(_)
        | Route::Field
        | Route::Language
        | Route::Unpack { .. }
        | Route::Detect => {
            let error = work::refuse_upload(api, head).err()?;
            Some(failed(&error, &head.request_id))
        }
    }
}

pub(super) fn answer(api: &Api, request: Request<'_, '_>, route: Route) -> Response {
    let head = request.head;
    respond(api, request, route).unwrap_or_else(|error| failed(&error, &head.request_id))
}

/// Handles a request: receives the file from the body or a form, and answers by its path.
fn respond(api: &Api, request: Request<'_, '_>, route: Route) -> Result<Response> {
    let Request { head, peer, body } = request;
    let client = client_of(api, head, peer);
    // The request counts towards the client's limit until the answer is complete.
    let _turn = api.fairness.enter(client)?;
    let sent = match route {
        Route::Tika(_, sent) | Route::Recursive(_, sent) | Route::Meta(sent) => sent,
        // In Tika 4, forms are sent to the same path.
        Route::Unpack { sent, .. } => match form::is_form(head) {
            true => Sent::Form,
            false => sent,
        },
        Route::Field
        | Route::Json(_)
        | Route::Language
        | Route::Unknown
        | Route::Detect
        | Route::Version
        | Route::Types
        | Route::Parsers
        | Route::Config
        | Route::Nothing => Sent::Body,
    };
    let Some(item) = receive(api, head, client, body, sent)? else {
        return Ok(no_settings());
    };
    let work = Work::new(api, client, body);
    if route == Route::Language {
        return Ok(text(language::language(&words(&work, &item, head)?)));
    }
    let file = detect::detect(&item, head)?;
    let accepted = answer::accepted(head);
    match route {
        Route::Detect => Ok(text(file.media_type)),
        Route::Tika(None, _) => {
            let (content, shape) = match accepted {
                Some(Shape::Json) => (Content::Html, Shape::Json),
                Some(Shape::Text) => (Content::Text, Shape::Text),
                Some(Shape::Csv | Shape::Xmp) | None => (Content::Html, Shape::Html),
                Some(shape @ (Shape::Html | Shape::Markdown)) => (Content::Html, shape),
            };
            content_of(&work, &file, content, shape)
        }
        Route::Tika(Some(Content::Markdown), _) => {
            content_of(&work, &file, Content::Markdown, Shape::Markdown)
        }
        Route::Tika(Some(content), _) => content_of(&work, &file, content, Shape::Json),
        Route::Json(content) => content_of(&work, &file, content, Shape::Json),
        Route::Unpack { all, .. } => unpack::respond(&work, &file, all),
        Route::Recursive(content, _) => {
            let about = metadata::of(&work, &file)?;
            let made = extract::content(&work, &file, content)?;
            answer::json(&work, &about, made.as_ref(), true)
        }
        Route::Meta(_) => answer::metadata(&metadata::of(&work, &file)?, accepted),
        Route::Field => {
            let name = head.path.rsplit('/').next().unwrap_or_default();
            let about = metadata::of(&work, &file)?;
            Ok(answer::field(&about, name, accepted).unwrap_or_else(|| empty(Status::NOT_FOUND)))
        }
        Route::Language
        | Route::Version
        | Route::Types
        | Route::Parsers
        | Route::Config
        | Route::Unknown
        | Route::Nothing => Ok(empty(Status::NOT_FOUND)),
    }
}

/// Answers with the content of a file in the format `shape`: JSON with the metadata, or the content alone.
fn content_of(
    work: &Work<'_, '_>,
    file: &detect::File,
    content: Content,
    shape: Shape,
) -> Result<Response> {
    if shape == Shape::Json {
        let about = metadata::of(work, file)?;
        let made = extract::content(work, file, content)?;
        return answer::json(work, &about, made.as_ref(), false);
    }
    let made = extract::content(work, file, content)?;
    let payload = match made {
        Some(item) => item.payload()?,
        None => Payload::Bytes(b"".as_slice().into()),
    };
    Ok(plain(Status::OK)
        .field("Content-Type", shape.media_type())
        .payload(payload))
}

/// Returns the beginning of the text of a file. A file of unknown format, or without text, counts as text itself.
fn words(work: &Work<'_, '_>, item: &Item, head: &Head) -> Result<String> {
    let made = match detect::detect(item, head) {
        Ok(file) => extract::content(work, &file, Content::Text)?,
        Err(error) if error.reason() == Some(Reason::UnknownFormat) => None,
        Err(error) => return Err(error),
    };
    let text = made.as_ref().unwrap_or(item);
    let bytes = text
        .part(String::new(), 0..text.len().min(MAX_WORDS))
        .bytes(MAX_WORDS)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Stores the uploaded file: the body, or the first file of a form. `None` if a form has settings as well, which are
/// refused.
fn receive(
    api: &Api,
    head: &Head,
    client: Option<IpAddr>,
    body: &mut Body<'_>,
    sent: Sent,
) -> Result<Option<Item>> {
    let coding = head.field("content-encoding").unwrap_or("identity").trim();
    let is_packed = match coding.to_ascii_lowercase().as_str() {
        "identity" | "" => false,
        "gzip" | "x-gzip" => true,
        _ => {
            return Err(Error::new(
                Kind::BadInput,
                "Content-Encoding must be gzip or identity",
            ));
        }
    };
    if sent == Sent::Form {
        let mut received = match is_packed {
            true => unpacked(api, body, |body| {
                form::receive(api, head, client, body, |_| false)
            })?,
            false => form::receive(api, head, client, &mut *body, |_| false)
                .map_err(|error| form::failed(api, body, error))?,
        };
        if received.has(CONFIG) {
            return Ok(None);
        }
        let named = head.field("content-disposition").and_then(disposition_name);
        return match received.files.is_empty() {
            true => Err(Error::new(Kind::BadInput, "the form has no file")),
            false => {
                let mut item = received.files.swap_remove(0).item;
                if let Some(name) = named.filter(|_| item.name == file_name::NAMELESS) {
                    item.name = file_name::sanitise(&name);
                }
                Ok(Some(item))
            }
        };
    }
    let mut spool = work::upload(api, head, client)?;
    let most = api.max_upload;
    match is_packed {
        true => unpacked(api, body, |mut body| {
            plain_body::store(&mut body, &mut spool, most)
        })?,
        false => plain_body::store(&mut *body, &mut spool, most)
            .map_err(|error| form::failed(api, body, error))?,
    };
    let named = head.field("content-disposition").and_then(disposition_name);
    let named = named.or_else(|| head.field("file-name").map(str::to_owned));
    let name = named
        .map(|name| file_name::sanitise(&name))
        .unwrap_or_default();
    Item::uploaded(name, spool).map(Some)
}

/// Reads a body that is compressed with gzip.
///
/// Errors: those of `read`, and [`Kind::BadInput`] for invalid gzip, or bytes after its end.
fn unpacked<T>(
    api: &Api,
    body: &mut Body<'_>,
    read: impl FnOnce(&mut dyn Read) -> Result<T>,
) -> Result<T> {
    let mut packed = Gunzip::new(&mut *body);
    let result = read(&mut packed);
    let has_failed = packed.has_failed();
    // Damage of the gzip data takes precedence over an error of `read`, because the damage may have caused that error.
    // An error of the connection takes precedence over both.
    match (result, body.failure()) {
        (_, None) if has_failed => {
            let text =
                "the body is not valid gzip: it is damaged, cut short, or followed by other bytes";
            Err(Error::new(Kind::BadInput, text).because(Reason::Coding))
        }
        (Err(error), _) => Err(form::failed(api, body, error)),
        (Ok(done), _) => Ok(done),
    }
}

/// Returns the error answer: a status without a text, as Tika sends it.
fn failed(error: &Error, request_id: &str) -> Response {
    log_error(error, request_id);
    let status = match error.kind() {
        Kind::BadInput | Kind::OutOfMemory => match error.reason() {
            Some(Reason::UnknownFormat) => Status::UNSUPPORTED_MEDIA_TYPE,
            Some(Reason::Coding) => Status::BAD_REQUEST,
            _ => Status::UNPROCESSABLE,
        },
        kind => status_of(kind),
    };
    retry_after(error, refused(status, error.message()))
}

/// Returns a refusal, with the reason in a header field for people.
pub(super) fn refused(status: Status, why: &str) -> Response {
    let ascii: String = why
        .chars()
        .map(|c| if c.is_ascii() { c } else { '?' })
        .take(500)
        .collect();
    empty(status).field("X-Reason", ascii).reason(why)
}

fn no_settings() -> Response {
    let body = Payload::Bytes(
        b"settings in a request are disabled; this service has no switch for them"
            .as_slice()
            .into(),
    );
    empty(Status::FORBIDDEN).payload(body)
}

fn text(text: impl Into<String>) -> Response {
    empty(Status::OK).payload(Payload::Bytes(text.into().into_bytes().into()))
}

/// Answers with the media types of all formats that can be read.
fn types(head: &Head) -> Response {
    let mut types: Vec<&str> = registry::formats()
        .filter(|format| registry::targets_of(format).next().is_some())
        .map(|format| format.media_type)
        .collect();
    types.sort_unstable();
    types.dedup();
    match answer::accepted(head) {
        Some(Shape::Json) => {
            let map: serde_json::Map<_, _> = types
                .into_iter()
                .map(|name| (name.to_owned(), serde_json::json!({})))
                .collect();
            plain(Status::OK)
                .field("Content-Type", "application/json")
                .payload(Payload::Bytes(
                    serde_json::Value::Object(map)
                        .to_string()
                        .into_bytes()
                        .into(),
                ))
        }
        _ => text(types.join("\n") + "\n"),
    }
}
