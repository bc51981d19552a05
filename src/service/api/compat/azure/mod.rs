//! Azure's Read model (Document Intelligence, API 2024-11-30), for clients such as paperless-ngx. The client sends a
//! file, and requests the state of the analysis until it has ended. Then it fetches the words with their positions, and
//! the document as a searchable PDF.
//!
//! An analysis is a conversion that no client waits for. Its result is the JSON or, if the client also wants a PDF,
//! that PDF. In the second case the JSON is made from the PDF on request, so that each page is recognised only once.
//! Unlike a download, reading the result does not end its link; the result expires with the link.

mod answer;
mod paths;

use crate::{
    api::{
        auth, background,
        compat::{all_methods, base64_json::Base64Json, locked, work},
        convert,
        endpoint::{Call, Dispatch, Endpoint, Interface, Lock},
        engine_order::Files,
        file_name, plain_body, query, site,
        state::Api,
    },
    error::{Error, Kind, Result},
    format,
    http::{self, Body, Head, Method, Payload, Piece, Response, Status, Stream},
    id::ConversionId,
    job::Task,
    registry::{self, Question, Route as Conversion, TargetRequest, Terms},
    scan::analysis,
    store::{self, Claim, Record},
};
use answer::{code_of, error_json, error_of, failed, gone, json_of, refused, state, unavailable};
use paths::MODEL;
use std::{
    collections::VecDeque,
    fs::File,
    io::{self, BufReader},
    time::{Duration, SystemTime},
};

/// API version in answers if the request names none.
const VERSION: &str = "2024-11-30";
/// Member of the JSON that holds the file.
const MEMBER: &str = "\"base64Source\"";
/// Length of base64 for three bytes of a file, in bytes.
const BASE64_THIRDS: u64 = 4;
/// Max. length of the JSON around the base64, in bytes.
const JSON_ROOM: u64 = 64 << 10;
/// Time limit of the wait for another request that is reading the same result.
const PATIENCE: Duration = Duration::from_secs(5);

/// The paths of Azure's Document Intelligence.
pub(in crate::api::compat) static INTERFACE: Interface = Interface {
    label: Some("azure"),
    endpoints: &[
        Endpoint {
            template: "/documentintelligence/documentModels/{model}",
            has: paths::is_analyze,
            operations: &[locked(
                KEY,
                Method::Post,
                Dispatch::Upload {
                    admit,
                    answer: analyze,
                },
            )],
        },
        Endpoint {
            template: "/documentintelligence/documentModels/{model}",
            has: paths::is_unknown_model,
            operations: &[locked(KEY, Method::Post, Dispatch::AtOnce(unknown_model))],
        },
        Endpoint {
            template: "/documentintelligence/documentModels/{result}",
            has: |path| paths::result(path).is_some(),
            operations: &[
                locked(KEY, Method::Get, Dispatch::Quick(result)),
                locked(
                    KEY,
                    Method::Delete,
                    Dispatch::Quick(|api, call, _| delete(api, call)),
                ),
            ],
        },
        Endpoint {
            template: "/documentintelligence/documentModels/{pdf}",
            has: |path| paths::pdf(path).is_some(),
            operations: &[locked(
                KEY,
                Method::Get,
                Dispatch::Quick(|api, call, _| pdf(api, call)),
            )],
        },
        Endpoint {
            template: "/documentintelligence/{path}",
            has: |_| true,
            operations: &all_methods(KEY, UNKNOWN),
        },
    ],
    refuse: |_, status, reason| refused(status, reason),
};

const UNKNOWN: Dispatch =
    Dispatch::AtOnce(|_, _| refused(Status::NOT_FOUND, "unknown path or analysis"));

/// The check for a key, which Azure's clients send in a field of their own.
const KEY: Lock = Lock {
    admits: |api, head| auth::admits(&api.keys, head) || admits_key(api, head),
    refuse: |_, _| {
        let text = "the key is missing or wrong: send it as Ocp-Apim-Subscription-Key";
        refused(Status::UNAUTHORIZED, text)
    },
};

fn unknown_model(_: &Api, _: &Call<'_>) -> Response {
    let text = format!("the only supported model is {MODEL}");
    error_of(Status::NOT_FOUND, "ModelNotFound", &text)
}

/// Returns whether a request has a valid key in the field that Azure's clients use.
fn admits_key(api: &Api, head: &Head) -> bool {
    head.field("ocp-apim-subscription-key")
        .is_some_and(|key| api.keys.contains(key.trim()))
}

/// Refuses an upload that is too long, or that the service cannot accept now.
fn admit(api: &Api, call: &Call<'_>) -> Result<(), Response> {
    let most = api.max_upload / 3 * BASE64_THIRDS + JSON_ROOM;
    convert::refuse_long(api, call.head, most)
        .and_then(|()| convert::refuse_busy(api))
        .map_err(|error| failed(&error, &call.head.request_id))
}

/// Returns the answer with a result, or with an error.
fn answer_of(call: &Call<'_>, answered: Result<Response>) -> Response {
    answered.unwrap_or_else(|error| failed(&error, &call.head.request_id))
}

/// Receives a file, and starts its analysis.
fn analyze(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Response {
    answer_of(call, start(api, call, body))
}

fn start(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Result<Response> {
    let (head, peer) = (call.head, call.peer);
    // Everything that may fail comes before the analysis is accepted. After that the answer must be a success, because
    // it tells the client the address of the analysis.
    let version = version(head)?;
    let client = work::client_of(api, head, peer);
    let turn = api.fairness.enter(client)?;
    let mut spool = work::upload(api, head, client)?;
    let is_json = head
        .field("content-type")
        .is_some_and(|kind| kind.trim_start().starts_with("application/json"));
    let stored = match is_json {
        true => plain_body::store(
            &mut Base64Json::new(&mut *body, MEMBER),
            &mut spool,
            api.max_upload,
        ),
        false => plain_body::store(&mut *body, &mut spool, api.max_upload),
    };
    stored.map_err(|error| match body.failure() {
        None if is_json && error.kind() != Kind::TooLarge => Error::new(
            Kind::BadInput,
            "the JSON must hold the file as base64 in \"base64Source\"; a \"urlSource\" is not fetched, as this service makes no \
             connections of its own",
        ),
        _ => super::form::failed(api, body, error),
    })?;
    let wants_pdf = query::parameters(head)
        .any(|(name, value)| name == "output" && value.split(',').any(|one| one == "pdf"));
    let mut upload = BufReader::with_capacity(format::HEAD_LEN, spool.open_upload()?);
    let (task, conversion) = plan(head, &mut upload, wants_pdf)?;
    let request = store::Request {
        original_filename: file_name::NAMELESS.to_owned(),
        original_format: None,
        media_type: conversion.pair.to.media_type.to_owned(),
        task,
        remarks: Vec::new(),
        repeat: None,
    };
    let id = spool.id();
    background::accept(api, spool, request, conversion, turn)?;
    let location = format!(
        "{}/documentintelligence/documentModels/{MODEL}/analyzeResults/{id}?api-version={version}",
        site::address(api, head, peer)
    );
    Ok(Response::new(Status::ACCEPTED)
        .field("Operation-Location", location)
        .field("Retry-After", "1"))
}

/// Plans the conversion for an analysis.
///
/// Errors: [`Kind::BadInput`] for files that are neither pictures nor PDF.
fn plan(
    head: &Head,
    upload: &mut BufReader<File>,
    wants_pdf: bool,
) -> Result<(Task, &'static Conversion)> {
    let language = language(head)?;
    if wants_pdf {
        let request = TargetRequest {
            target: "pdf",
            quality: None,
            file_name: None,
            field: &|name| {
                Ok(match name {
                    "ocr" => Some("auto".to_owned()),
                    "language" => language.clone(),
                    _ => None,
                })
            },
            terms: Terms::Form,
        };
        return request.plan(upload);
    }
    let Some((mut task, conversion)) = registry::ask(Question::Analysis, upload, None)? else {
        return Err(Error::new(
            Kind::BadInput,
            "the file is neither a picture nor a PDF",
        ));
    };
    if let Some(language) = language {
        task.options.insert("language", language);
    }
    count_as_asked(head, &mut task)?;
    Ok((task, conversion))
}

/// Sets the unit of text offsets that the client asks for: Azure counts code points, or UTF-16 code units on request.
fn count_as_asked(head: &Head, task: &mut Task) -> Result<()> {
    if query::parameter(head, "stringIndexType")?.as_deref() == Some("utf16CodeUnit") {
        task.options.insert(analysis::UTF_16, "true");
    }
    Ok(())
}

/// Returns the language that the client names, as a value of the option `language`. Azure uses tags such as `de-DE`, of
/// which the first part is used.
fn language(head: &Head) -> Result<Option<String>> {
    let locale = query::parameter(head, "locale")?;
    let first = |tag: String| tag.split(['-', '_']).next().unwrap_or_default().to_owned();
    Ok(locale.map(first).filter(|language| !language.is_empty()))
}

/// Returns the version of the API that the client names, which answers repeat. [`VERSION`] if the client names none, or
/// one that is too long or has characters other than letters, digits and dashes.
fn version(head: &Head) -> Result<String> {
    let named = query::parameter(head, "api-version")?;
    let is_plain = |text: &String| {
        !text.is_empty()
            && text.len() <= 32
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    Ok(named.filter(is_plain).unwrap_or_else(|| VERSION.to_owned()))
}

/// Answers with the state of an analysis, and with its result if it has ended.
fn result(api: &Api, call: &Call<'_>, body: &Body<'_>) -> Response {
    let state = paths::result(call.rest).map(|id| state_of(api, call, body, &id));
    answer_of(call, state.unwrap_or_else(|| Ok(gone())))
}

fn state_of(api: &Api, call: &Call<'_>, body: &Body<'_>, id: &ConversionId) -> Result<Response> {
    let now = SystemTime::now();
    match api.store.status(id, now, Duration::ZERO) {
        store::Status::Processing { .. } => {
            let state = state("running", now);
            Ok(json_of(Status::OK, &state).field("Retry-After", "1"))
        }
        store::Status::Ready(record) => ready(api, call, body, &record),
        store::Status::Failed(failure) => {
            let mut state = state("failed", now);
            let code = code_of(failure.kind);
            state["error"] = error_json(code, &failure.message)["error"].take();
            Ok(json_of(Status::OK, &state))
        }
        store::Status::NotFound | store::Status::Expired { .. } => Ok(gone()),
        store::Status::Unreachable => Err(store::unreachable()),
    }
}

/// Answers with the JSON of a finished analysis. If the stored result is a PDF, the JSON is made from it.
fn ready(api: &Api, call: &Call<'_>, body: &Body<'_>, record: &Record) -> Result<Response> {
    let is_pdf = record.target_format == "pdf";
    // The identifier of any other conversion must not give access to its result.
    if !is_pdf && record.target_format != analysis::FORMAT.name {
        return Ok(gone());
    }
    let claim = match claim(api, &record.id) {
        Ok(claim) => claim,
        Err(response) => return Ok(response),
    };
    let mut file = claim.open()?;
    let mut len = record.file_size;
    let mut held = Some(claim);
    if is_pdf {
        file = analysis_of(api, call, body, file)?;
        len = file
            .metadata()
            .map_err(|err| Error::storage("the result cannot be read", err))?
            .len();
        // The JSON is a file of its own, so the claim is released, and other requests may read the PDF meanwhile.
        held = None;
    }
    let mut begin = state("succeeded", record.created_at()).to_string();
    // The closing brace is written after the result.
    begin.pop();
    let version = version(call.head)?;
    begin.push_str(&format!(
        ",\"analyzeResult\":{{\"apiVersion\":\"{version}\",\"modelId\":\"{MODEL}\","
    ));
    // The file holds a JSON object, whose opening brace has been written.
    let pieces = [
        Piece::Bytes(begin.into_bytes()),
        Piece::File(file, 1..len),
        Piece::Bytes(b"}".to_vec()),
    ];
    Ok(Response::new(Status::OK)
        .field("Content-Type", "application/json")
        .payload(stream(held, pieces)))
}

/// Makes the JSON from the searchable PDF, as a conversion of its own.
fn analysis_of(api: &Api, call: &Call<'_>, body: &Body<'_>, pdf: File) -> Result<File> {
    let reopened = || {
        pdf.try_clone()
            .map_err(|err| Error::storage("the result cannot be read", err))
    };
    let mut upload = BufReader::with_capacity(format::HEAD_LEN, reopened()?);
    let Some((mut task, conversion)) = registry::ask(Question::Analysis, &mut upload, Some("pdf"))?
    else {
        return Err(Error::internal("no such conversion", analysis::FORMAT.name));
    };
    // The text is in the PDF already.
    task.options.insert("ocr", "off");
    count_as_asked(call.head, &mut task)?;
    let output = api.store.scratch_file()?;
    let made = output
        .try_clone()
        .map_err(|err| Error::storage("the result cannot be read", err))?;
    convert::run(
        api,
        Files::between(reopened()?, output)?,
        work::client_of(api, call.head, call.peer),
        &task,
        conversion,
        body,
    )?;
    Ok(made)
}

/// Answers with the searchable PDF.
fn pdf(api: &Api, call: &Call<'_>) -> Response {
    let pdf = paths::pdf(call.rest).map(|id| pdf_of(api, &id));
    answer_of(call, pdf.unwrap_or_else(|| Ok(gone())))
}

fn pdf_of(api: &Api, id: &ConversionId) -> Result<Response> {
    let now = SystemTime::now();
    let record = match api.store.peek(id, now) {
        Ok(record) if record.target_format == "pdf" => record,
        Ok(_) => {
            let text = "the analysis was begun without output=pdf";
            return Ok(refused(Status::NOT_FOUND, text));
        }
        Err(why) => return Ok(unavailable(&why)),
    };
    let claim = match claim(api, id) {
        Ok(claim) => claim,
        Err(response) => return Ok(response),
    };
    let file = claim.open()?;
    let pieces = [Piece::File(file, 0..record.file_size)];
    Ok(Response::new(Status::OK)
        .field("Content-Type", "application/pdf")
        .field("Cache-Control", "no-store")
        .field("X-Content-Type-Options", "nosniff")
        .payload(stream(Some(claim), pieces)))
}

/// Deletes an analysis before it expires.
fn delete(api: &Api, call: &Call<'_>) -> Response {
    let Some(id) = paths::result(call.rest) else {
        return gone();
    };
    match claim(api, &id) {
        Ok(claim) => {
            drop(claim.delivered());
            Response::new(Status::NO_CONTENT)
        }
        Err(response) => response,
    }
}

fn claim(api: &Api, id: &ConversionId) -> Result<Claim, Response> {
    let claim = api.store.claim(id, None, SystemTime::now(), PATIENCE);
    claim.map_err(|why| unavailable(&why))
}

/// A result that is being sent. The claim is released at the end, so that the result can be read again.
struct Reading {
    claim: Option<Claim>,
    pieces: VecDeque<Piece>,
}

impl Stream for Reading {
    fn next(&mut self) -> io::Result<Option<Piece>> {
        Ok(self.pieces.pop_front())
    }

    fn completing(&mut self) {}

    fn held_up(&mut self) {}

    fn may_go_on(&self) -> bool {
        self.claim.as_ref().is_none_or(Claim::holds)
    }

    fn acknowledged(self: Box<Self>) -> Option<Box<dyn http::Receipt>> {
        None
    }
}

/// Returns a payload of these pieces in order.
fn stream(claim: Option<Claim>, pieces: impl IntoIterator<Item = Piece>) -> Payload {
    let pieces: VecDeque<Piece> = pieces.into_iter().collect();
    let len = pieces.iter().map(|piece| match piece {
        Piece::Bytes(bytes) => bytes.len() as u64,
        Piece::File(_, range) => range.end - range.start,
    });
    Payload::Stream(len.sum(), Box::new(Reading { claim, pieces }))
}
