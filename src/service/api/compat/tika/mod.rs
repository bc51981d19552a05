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
mod paths;
mod unpack;

use super::{
    KEY, all_methods, detect, form,
    gunzip::Gunzip,
    item::Item,
    keyed,
    work::{self, Work, client_of},
};
use crate::{
    api::{
        endpoint::{Answer, Call, Dispatch, Endpoint, Interface, Operation},
        failures::{log_error, retry_after, status_of},
        file_name,
        form::file_name as disposition_name,
        plain_body, site,
        state::Api,
    },
    error::{Error, Kind, Reason, Result},
    http::{Body, Head, Method, Payload, Response, Status},
    registry,
};
use answer::{Shape, empty, plain};
use paths::{Content, Extraction, Sent};
use std::{io::Read, net::IpAddr};

/// The version of Tika that is reported.
const VERSION: &str = "Apache Tika 3.3.0";
/// Name of the form part with settings.
const CONFIG: &str = "config";
/// Length of the beginning of a text that is used for language detection, in bytes.
const MAX_WORDS: u64 = 64 << 10;
/// Tika's answer to `GET /tika`: the path expects a file.
const GREETING: &str = "This is Tika Server (Apache Tika 3.3.0). Please PUT\n";

/// The paths of Tika's server, versions 3 and 4.
pub(super) static INTERFACE: Interface = Interface {
    label: Some("tika"),
    endpoints: &[
        Endpoint {
            template: "/tika",
            has: str::is_empty,
            operations: &[
                keyed(Method::Get, Dispatch::AtOnce(|_, _| text(GREETING))),
                keyed(Method::Put, EXTRACT),
                keyed(Method::Post, EXTRACT),
            ],
        },
        Endpoint {
            template: "/version",
            has: str::is_empty,
            operations: &[information(|_, _| text(VERSION))],
        },
        Endpoint {
            template: "/mime-types",
            has: str::is_empty,
            operations: &[information(|_, call| types(call.head))],
        },
        Endpoint {
            template: "/parsers",
            has: str::is_empty,
            operations: &[information(|_, _| parsers())],
        },
        Endpoint {
            template: "/detectors",
            has: str::is_empty,
            operations: &[information(|_, _| parsers())],
        },
        Endpoint {
            template: "/{path}",
            has: paths::is_config,
            operations: &all_methods(KEY, Dispatch::AtOnce(|_, _| no_settings())),
        },
        Endpoint {
            template: "/{path}",
            has: |path| is_sent(path, Sent::Body),
            operations: &[keyed(Method::Put, EXTRACT), keyed(Method::Post, EXTRACT)],
        },
        Endpoint {
            template: "/{path}",
            has: |path| is_sent(path, Sent::Form),
            operations: &[keyed(Method::Post, EXTRACT)],
        },
        Endpoint {
            template: "/{path}",
            has: paths::is_unknown_json,
            operations: &all_methods(KEY, Dispatch::AtOnce(|_, _| empty(Status::BAD_REQUEST))),
        },
        Endpoint {
            template: "/{path}",
            has: paths::is_tikas,
            operations: &all_methods(KEY, Dispatch::AtOnce(|_, _| empty(Status::NOT_FOUND))),
        },
    ],
    refuse: |_, status, reason| refused(status, reason),
};

const EXTRACT: Dispatch = Dispatch::Upload { admit, answer };

/// An operation that tells about the server.
const fn information(answer: Answer) -> Operation {
    keyed(Method::Get, Dispatch::AtOnce(answer))
}

fn is_sent(path: &str, sent: Sent) -> bool {
    Extraction::parse(path).is_some_and(|wanted| wanted.sent() == sent)
}

fn admit(api: &Api, call: &Call<'_>) -> Result<(), Response> {
    work::refuse_upload(api, call.head).map_err(|error| failed(&error, &call.head.request_id))
}

fn answer(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Response {
    respond(api, call, body).unwrap_or_else(|error| failed(&error, &call.head.request_id))
}

/// Handles a request: receives the file from the body or a form, and answers by its path.
fn respond(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Result<Response> {
    let head = call.head;
    let path = site::path(api, head);
    let Some(wanted) = path.strip_prefix('/').and_then(Extraction::parse) else {
        return Ok(empty(Status::NOT_FOUND));
    };
    let client = client_of(api, head, call.peer);
    // The request counts towards the client's limit until the answer is complete.
    let _turn = api.fairness.enter(client)?;
    let sent = match wanted {
        // In Tika 4, forms are sent to the same path.
        Extraction::Unpack { .. } if form::is_form(head) => Sent::Form,
        _ => wanted.sent(),
    };
    let Some(item) = receive(api, head, client, body, sent)? else {
        return Ok(no_settings());
    };
    let work = Work::new(api, client, body);
    let file = || detect::detect(&item, head);
    let accepted = answer::accepted(head);
    match wanted {
        Extraction::Detect => Ok(text(file()?.media_type)),
        Extraction::Tika(None, _) => {
            let (content, shape) = match accepted {
                Some(Shape::Json) => (Content::Html, Shape::Json),
                Some(Shape::Text) => (Content::Text, Shape::Text),
                Some(Shape::Csv | Shape::Xmp) | None => (Content::Html, Shape::Html),
                Some(shape @ (Shape::Html | Shape::Markdown)) => (Content::Html, shape),
            };
            content_of(&work, &file()?, content, shape)
        }
        Extraction::Tika(Some(Content::Markdown), _) => {
            content_of(&work, &file()?, Content::Markdown, Shape::Markdown)
        }
        Extraction::Tika(Some(content), _) => content_of(&work, &file()?, content, Shape::Json),
        Extraction::Json(content) => content_of(&work, &file()?, content, Shape::Json),
        Extraction::Unpack { all, .. } => unpack::respond(&work, &file()?, all),
        Extraction::Recursive(content, _) => {
            let file = file()?;
            let about = metadata::of(&work, &file)?;
            let made = extract::content(&work, &file, content)?;
            answer::json(&work, &about, made.as_ref(), true)
        }
        Extraction::Meta(_) => answer::metadata(&metadata::of(&work, &file()?)?, accepted),
        Extraction::Field => {
            let name = head.path.rsplit('/').next().unwrap_or_default();
            let about = metadata::of(&work, &file()?)?;
            Ok(answer::field(&about, name, accepted).unwrap_or_else(|| empty(Status::NOT_FOUND)))
        }
        Extraction::Language => Ok(text(language::language(&words(&work, &item, head)?))),
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

/// Returns the beginning of the text of a file. A file of unknown format counts as text itself, and so does a file from
/// which no text is extracted, unless it is binary, such as a picture.
fn words(work: &Work<'_, '_>, item: &Item, head: &Head) -> Result<String> {
    let (made, is_known) = match detect::detect(item, head) {
        Ok(file) => (extract::content(work, &file, Content::Text)?, true),
        Err(error) if error.reason() == Some(Reason::UnknownFormat) => (None, false),
        Err(error) => return Err(error),
    };
    let text = made.as_ref().unwrap_or(item);
    let bytes = text
        .part(String::new(), 0..text.len().min(MAX_WORDS))
        .bytes(MAX_WORDS)?;
    // The end of the part may cut a character.
    let is_binary = std::str::from_utf8(&bytes).is_err_and(|err| err.error_len().is_some());
    if made.is_none() && is_known && is_binary {
        return Ok(String::new());
    }
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
fn refused(status: Status, why: &str) -> Response {
    let ascii: String = why
        .chars()
        .map(|c| if c.is_ascii() { c } else { '?' })
        .take(500)
        .collect();
    empty(status).field("X-Reason", ascii).reason(why)
}

fn parsers() -> Response {
    text("org.apache.tika.parser.DefaultParser\n")
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
