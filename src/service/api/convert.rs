//! `POST /api/v1/convert`: receives a form or [a file alone](super::plain_body), converts it, and answers with a link
//! or with the result. With `Prefer: respond-async`, it [accepts](super::background) the conversion instead. Never
//! deletes files itself: dropping the [`Spool`], which owns the files of one conversion, does that.

use super::{
    background, client,
    endpoint::Call,
    engine_order::{Files, outcome},
    envelope,
    failures::failure,
    fairness::Turn,
    file_name,
    form::{self, Form},
    idempotency::{self, Attempt},
    plain_body,
    records::RecordData,
    several,
    state::Api,
};
use crate::{
    base_path::BasePath,
    engine::{Cancel, Finished, Order, Watcher},
    error::{Error, Kind, Result, quoted},
    format,
    http::{Body, Framing, Head, Response, Status},
    id::ConversionId,
    job::{Quality, Task},
    registry::{self, Route, TargetRequest, Terms},
    store::{self, Record, Spool},
};
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use std::{
    io::BufReader,
    net::IpAddr,
    sync::Arc,
    time::{Duration, SystemTime},
};

/// Name of the form field with the target format.
const TARGET: &str = Terms::Form.target();
/// Name of the form field with the quality.
const QUALITY: &str = Terms::Form.quality();
/// Largest upload, in bytes, that is stored in memory if the memory budget allows it.
const MAX_IN_MEMORY: u64 = 1 << 20;
/// Max. length of a form without its file, in bytes, if the file is stored in memory.
const FORM_ROOM: u64 = 64 << 10;
/// Interval at which the handler checks whether the client is still connected.
const CLIENT_CHECK: Duration = Duration::from_millis(100);

/// Refuses requests that the head alone rules out, before the body is read.
pub(super) fn admit(api: &Api, call: &Call<'_>) -> Result<(), Response> {
    check(api, call.head).map_err(|error| failure(&error, &call.head.request_id))
}

/// Refuses requests whose body is the file, by the head alone.
pub(super) fn admit_file(api: &Api, call: &Call<'_>) -> Result<(), Response> {
    if !plain_body::has_target(call.head) {
        let detail =
            "the body of PUT is the file itself, so the target must be in the address: ?to=FORMAT";
        return Err(call.not_allowed(detail));
    }
    admit(api, call)
}

/// Checks the head of an upload: target, key, coding and length. Also checks that the service can accept an upload now.
pub(super) fn check(api: &Api, head: &Head) -> Result<()> {
    let most = match plain_body::is_meant(head) {
        true => {
            plain_body::form(head)?;
            api.max_upload
        }
        false => {
            form::boundary(head.field("content-type"))?;
            if plain_body::has_target(head) {
                plain_body::form(head)?;
            }
            Api::max_body(api.max_upload)
        }
    };
    idempotency::key(head)?;
    let coding = head.field("content-encoding").unwrap_or("identity");
    if !coding.eq_ignore_ascii_case("identity") {
        let text = format!(
            "Content-Encoding is {}; send the body without a Content-Encoding",
            quoted(coding)
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    refuse_long(api, head, most)?;
    refuse_busy(api)
}

/// Refuses a request whose `Content-Length` exceeds `most` bytes.
pub(super) fn refuse_long(api: &Api, head: &Head, most: u64) -> Result<()> {
    if let Framing::Length(len) = head.framing
        && len > most
    {
        let text = format!(
            "the request has {len} bytes; a file may have at most {} bytes",
            api.max_upload
        );
        return Err(Error::new(Kind::TooLarge, text));
    }
    Ok(())
}

/// Refuses a request that the service cannot accept at the moment.
pub(super) fn refuse_busy(api: &Api) -> Result<()> {
    api.store.reachable()?;
    if api.engine.is_full() {
        return Err(Error::new(
            Kind::Busy,
            "too many conversions are waiting already",
        ));
    }
    Ok(())
}

pub(super) fn answer(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Response {
    respond(api, call, body).unwrap_or_else(|error| failure(&error, &call.head.request_id))
}

/// Handles a request: receives the upload, looks up its idempotency key, and runs or accepts the conversion.
fn respond(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Result<Response> {
    let (head, prefix) = (call.head, &call.prefix(api));
    let mut received = receive(api, call, body)?;
    let id = received.spool.id();
    let is_file_wanted = plain_body::is_meant(head) && plain_body::is_file_wanted(head);
    let is_asynchronous = wants_asynchronous(head);
    if is_file_wanted && !is_asynchronous {
        // The answer is part of the request's identity: a repeat that wants the file differs from one that wants a
        // record.
        received.form.fields.push(plain_body::ANSWER);
    }
    let key = match idempotency::enter(api, head, &received.form, &received.spool)? {
        Attempt::First(key) => key,
        Attempt::Repeat(id) => return repeat(api, &id, prefix),
    };
    received.request.repeat = key.as_ref().map(|key| Box::new(key.repeat()));
    let response = if is_asynchronous {
        let Received {
            spool,
            request,
            route,
            turn,
            ..
        } = received;
        background::accept(api, spool, request, route, turn)?;
        background::answer(id.to_string(), prefix)
    } else if is_file_wanted {
        // The key is freed without a result, because the file is not stored and a repeat could not get it.
        let Received { spool, request, .. } = &received;
        let files = Files::of(spool)?;
        let finished = run(
            api,
            files,
            spool.owner(),
            &request.task,
            received.route,
            body,
        )?;
        return plain_body::file(spool, request, &finished);
    } else {
        let record = finish(api, received, body)?;
        converted(&record, prefix)
    };
    if let Some(key) = key {
        key.done(id);
    }
    Ok(response)
}

/// Returns the answer for a finished conversion.
fn converted(record: &Record, prefix: &BasePath) -> Response {
    let data = RecordData::new(record, prefix);
    envelope::success(Status::OK, "File converted", data)
}

/// Answers a repeated request with the current state of the first request's conversion.
fn repeat(api: &Api, id: &ConversionId, prefix: &BasePath) -> Result<Response> {
    match api.store.status(id, SystemTime::now(), Duration::ZERO) {
        store::Status::Unreachable => Err(store::unreachable()),
        store::Status::Ready(record) => Ok(converted(&record, prefix)),
        store::Status::Processing { .. } => Ok(background::answer(id.to_string(), prefix)),
        store::Status::Failed(failure) => Err(Error::new(failure.kind, failure.message)),
        // The conversion has expired since the key was looked up.
        store::Status::NotFound | store::Status::Expired { .. } => Err(Error::new(
            Kind::Conflict,
            "the link of the first request with this Idempotency-Key has just expired; repeat the request",
        )),
    }
}

/// Converts while the client waits, and returns the record.
pub(super) fn convert(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Result<Arc<Record>> {
    let received = receive(api, call, body)?;
    finish(api, received, body)
}

/// Runs the conversion while the client waits, and stores its result.
fn finish(api: &Api, received: Received, body: &Body<'_>) -> Result<Arc<Record>> {
    let Received {
        spool,
        request,
        route,
        // The request counts towards the client's limit until the conversion has ended.
        turn: _turn,
        form: _,
    } = received;
    let files = Files::of(&spool)?;
    let finished = run(api, files, spool.owner(), &request.task, route, body)?;
    let outcome = outcome(&request, &finished);
    spool.commit(request, outcome, SystemTime::now())
}

/// A stored upload, and its conversion.
struct Received {
    spool: Spool,
    request: store::Request,
    route: &'static Route,
    turn: Option<Turn>,
    form: Form,
}

/// Receives the form or the file. The request counts towards the client's limit even during the upload, so that the
/// uploads of one client cannot fill the store.
fn receive(api: &Api, call: &Call<'_>, body: &mut Body<'_>) -> Result<Received> {
    let head = call.head;
    let is_bare = plain_body::is_meant(head);
    let client = client::of(head, call.peer, &api.trusted_proxies);
    let turn = api.fairness.enter(client)?;
    make_room(api, head, client)?;
    let mut spool = api.store.spool(client, memory(api, head))?;
    if is_bare {
        let mut form = plain_body::form(head)?;
        form.file_len = plain_body::store(body, &mut spool, api.max_upload)?;
        let (request, route) = plan(&form, &[], &spool, Terms::Query)?;
        return Ok(Received {
            spool,
            request,
            route,
            turn,
            form,
        });
    }
    let boundary = form::boundary(head.field("content-type"))?;
    // A wrong target or quality is reported as soon as its field arrives, before the file has been sent.
    let mut check = |name: &str, value: &str| match name {
        TARGET => registry::target(value.trim(), Terms::Form).map(drop),
        QUALITY => Quality::parse(QUALITY, value.trim()).map(drop),
        _ => Ok(()),
    };
    let expected = form::Expected {
        max_file: api.max_upload,
        is_known: &|name| matches!(name, TARGET | QUALITY) || registry::has_option(name),
        check: &mut check,
    };
    let form = form::receive(body, &boundary, &mut spool, expected)?;
    let form = plain_body::with_query(head, form)?;
    let files = several::names(&form);
    let (request, route) = plan(&form, &files, &spool, Terms::Form)?;
    let spool = match files.is_empty() {
        true => spool,
        false => several::pack(api, head, client, spool, &form, files)?,
    };
    Ok(Received {
        spool,
        request,
        route,
        turn,
        form,
    })
}

/// Refuses an upload before it is read, if the disk has no room for it or the client's share is used up. A body without
/// a length counts as empty here.
pub(super) fn make_room(api: &Api, head: &Head, client: Option<IpAddr>) -> Result<()> {
    let len = match head.framing {
        Framing::Length(len) => len,
        Framing::None | Framing::Chunked => 0,
    };
    api.store.share_for(client, len)?;
    api.store.room_for(len).map_err(|error| match error.kind() {
        Kind::StorageFull => Error::new(
            Kind::Busy,
            "the disk has no space for the upload at the moment",
        )
        .caused_by(error),
        _ => error,
    })
}

/// Returns memory for a small upload, from the budget of conversions. `None` if the upload is large or no memory is
/// left; then the upload goes to the disk.
pub(super) fn memory(api: &Api, head: &Head) -> Option<store::Memory> {
    let len = match head.framing {
        Framing::Length(len) if len > MAX_IN_MEMORY + FORM_ROOM => return None,
        Framing::Length(len) => len.min(MAX_IN_MEMORY),
        Framing::None | Framing::Chunked => MAX_IN_MEMORY,
    };
    let loan = api.engine.lend(len)?;
    Some(store::Memory::new(len, loan))
}

/// Returns whether `respond-async` is among the preferences of the request (RFC 7240, section 4.1).
fn wants_asynchronous(head: &Head) -> bool {
    head.fields("prefer")
        .flat_map(|value| value.split(','))
        .any(|preference| {
            preference
                .split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .eq_ignore_ascii_case("respond-async")
        })
}

/// Checks the requested conversion, and finds its converter. `files` are the names of a page and the files that it
/// refers to; empty for a single file.
fn plan(
    form: &Form,
    files: &[String],
    spool: &Spool,
    terms: Terms,
) -> Result<(store::Request, &'static Route)> {
    let target = form.single(TARGET)?.ok_or_else(|| {
        let text =
            "the field \"target_format\" is missing; set it to a format from /api/v1/formats";
        Error::new(Kind::BadInput, text)
    })?;
    let original_filename = file_name::sanitise(&form.file_name);
    let is_named = original_filename != file_name::NAMELESS;
    let request = TargetRequest {
        target,
        quality: form.single(QUALITY)?,
        file_name: is_named.then_some(original_filename.as_str()),
        field: &|name| Ok(form.single(name)?.map(str::to_owned)),
        terms,
    };
    let (task, route) = match files.is_empty() {
        false => request.plan_site(files)?,
        true => {
            let upload = spool.open_upload()?;
            request.plan(&mut BufReader::with_capacity(format::HEAD_LEN, upload))?
        }
    };
    let page = task
        .options
        .word(registry::INDEX)
        .filter(|_| !files.is_empty());
    let original_format = page.and_then(format::extension).map(String::into_boxed_str);
    let idle = form.idle(|name| {
        let options = route.pair.options.iter();
        matches!(name, TARGET | QUALITY) || options.map(|option| option.name).any(|it| it == name)
    });
    let idle = idle.map(|name| {
        let from = original_format.as_deref().unwrap_or(route.pair.from.name);
        let to = route.pair.to.name;
        format!("The field {name} has no effect on a conversion of {from} to {to}.")
    });
    let remarks = form.remarks().into_iter().chain(idle).collect();
    let request = store::Request {
        original_filename: match page {
            Some(page) => file_name::sanitise(page),
            None => original_filename,
        },
        original_format,
        media_type: route.pair.to.media_type.to_owned(),
        task,
        remarks,
        repeat: None,
    };
    Ok((request, route))
}

/// Passes the result of a conversion to the thread that waits for it.
struct Waiting(Sender<Result<Finished>>);

impl Watcher for Waiting {
    fn ended(self: Box<Self>, result: Result<Finished>) {
        // An error means that the client has left.
        let _ = self.0.send(result);
    }
}

/// Runs a conversion for a client that waits for it. Cancels the conversion if the client leaves.
pub(super) fn run(
    api: &Api,
    files: Files,
    client: Option<IpAddr>,
    task: &Task,
    route: &'static Route,
    body: &Body<'_>,
) -> Result<Finished> {
    let reservation = api.engine.reserve(client)?;
    wait_for(files, client, task, route, body, |order| {
        api.engine.submit(reservation, order);
    })
}

/// Runs a further conversion of a request. Only the first one needed a place in the queue.
pub(super) fn go_on(
    api: &Api,
    files: Files,
    client: Option<IpAddr>,
    task: &Task,
    route: &'static Route,
    body: &Body<'_>,
) -> Result<Finished> {
    wait_for(files, client, task, route, body, |order| {
        api.engine.go_on(order);
    })
}

/// Submits the order, and waits for its result. Checks at intervals whether the client is still connected, and cancels
/// the conversion if it is not.
fn wait_for(
    files: Files,
    client: Option<IpAddr>,
    task: &Task,
    route: &'static Route,
    body: &Body<'_>,
    submit: impl FnOnce(Order),
) -> Result<Finished> {
    let cancel = Cancel::default();
    let (sender, result) = bounded(1);
    let watcher = Box::new(Waiting(sender));
    submit(files.order(task.clone(), route, client, cancel.clone(), watcher));
    loop {
        match result.recv_timeout(CLIENT_CHECK) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) if body.client_has_left() => {
                cancel.cancel();
                return Err(Error::new(
                    Kind::Disconnected,
                    "the client left before the conversion ended",
                ));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::new(
                    Kind::Internal,
                    "the conversion ended without a result",
                ));
            }
        }
    }
}
