//! `POST /api/v1/convert`. Holds no file itself: whatever happens, the spool cleans up after it.

use super::{
    Api, envelope, failure, file_name,
    records::{RecordData, StatusData},
    upload,
};
use crate::{
    engine::{Cancel, Engine, Finished, Order},
    error::{Error, Kind, Result},
    format,
    http::{Body, Framing, Head, Request, Response, Status},
    job::{Options, Quality},
    registry::{self, Plan},
    store::{self, Failure, Outcome, Spool},
};
use crossbeam_channel::{RecvTimeoutError, bounded};
use std::{
    io::BufReader,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// How often it is looked whether the client still waits.
const CLIENT_CHECK: Duration = Duration::from_millis(100);
/// An accepted conversion in the middle of which the service has ended so often has failed.
const MAX_ATTEMPTS: u32 = 3;

/// What can be refused before the body is read.
pub(super) fn admit(api: &Api, head: &Head) -> Result<(), Response> {
    let refuse = |error: Error| failure(&error, &head.request_id);
    upload::boundary(head.field("content-type")).map_err(refuse)?;
    let coding = head.field("content-encoding").unwrap_or("identity");
    if !coding.eq_ignore_ascii_case("identity") {
        let text =
            format!("the form is sent with Content-Encoding {coding:?}; it must be sent as it is");
        return Err(refuse(Error::new(Kind::BadInput, text)));
    }
    if let Framing::Length(len) = head.framing
        && len > Api::max_body(api.max_upload)
    {
        let text = format!(
            "the request has {len} bytes, and a file may have {} at the most",
            api.max_upload
        );
        return Err(refuse(Error::new(Kind::TooLarge, text)));
    }
    if api.engine.is_full() {
        return Err(refuse(Error::new(
            Kind::Busy,
            "too many conversions are waiting already",
        )));
    }
    Ok(())
}

pub(super) fn answer(api: &Api, request: Request<'_, '_>) -> Response {
    let Request { head, peer, body } = request;
    convert(api, head, peer, body).unwrap_or_else(|error| failure(&error, &head.request_id))
}

fn convert(api: &Api, head: &Head, peer: IpAddr, body: &mut Body<'_>) -> Result<Response> {
    let boundary = upload::boundary(head.field("content-type"))?;
    let turn = api.fairness.enter(peer)?;
    make_room(api, head)?;
    let spool = api.store.spool()?;
    let mut check = |name: &str, value: &str| match name {
        "target_format" => registry::target(value.trim()).map(drop),
        "quality" => value.trim().parse::<Quality>().map(drop),
        _ => Ok(()),
    };
    let form = upload::receive(body, &boundary, spool.upload(), api.max_upload, &mut check)?;
    let wish = Wish::new(&form, &spool)?;
    if wants_asynchronous(head) {
        let accepted = accept(api, spool, wish, turn)?;
        return Ok(accepted);
    }
    let request = wish.request.clone();
    let finished = run(api, &spool, wish, form.file_len, body)?;
    let record = spool.commit(request, outcome(&finished), SystemTime::now())?;
    Ok(envelope::success(
        Status::OK,
        "File converted",
        RecordData::new(&record),
    ))
}

/// Refuses an upload that the disk has no room for, before it is read.
fn make_room(api: &Api, head: &Head) -> Result<()> {
    let len = match head.framing {
        Framing::Length(len) => len,
        Framing::None | Framing::Chunked => 0,
    };
    api.store.room_for(len).map_err(|error| match error.kind() {
        Kind::StorageFull => Error::new(
            Kind::Busy,
            "the disk has no room for the upload at the moment",
        )
        .caused_by(error),
        _ => error,
    })
}

/// RFC 7240: whether `respond-async` is among the preferences.
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

/// What the form asks for, checked.
struct Wish {
    plan: Plan,
    quality: Quality,
    options: Options,
    request: store::Request,
}

impl Wish {
    fn new(form: &upload::Form, spool: &Spool) -> Result<Self> {
        let target_name = form
            .single("target_format")?
            .ok_or_else(|| {
                let text = "the field \"target_format\" is missing from the form; it names one of the formats that \
                            /api/v1/formats lists";
                Error::new(Kind::BadInput, text)
            })?;
        let to = registry::target(target_name.trim())?;
        let quality = form
            .single("quality")?
            .map_or(Ok(Quality::default()), |text| text.trim().parse())?;
        let original_filename = file_name::sanitise(&form.file_name);
        let extension = format::extension(&original_filename);
        let mut upload = BufReader::with_capacity(format::HEAD_LEN, spool.open_upload()?);
        let from = registry::identify(&mut upload, extension.as_deref())?;
        let plan = registry::plan(from, to)?;
        let mut options = Options::default();
        for option in plan.converter.options {
            let value = form.single(option.name)?.map(str::trim);
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                options.insert(option.name, option.accept(value)?);
            }
        }
        let request = store::Request {
            original_format: from.name_like(extension.as_deref()).to_owned(),
            target_format: format::normalise(target_name),
            quality: quality.to_string(),
            options: serde_json::to_value(&options).unwrap_or_default(),
            media_type: to.media_type.to_owned(),
            original_filename,
        };
        Ok(Self {
            plan,
            quality,
            options,
            request,
        })
    }

    /// What an earlier run of the service accepted.
    fn again(request: &store::Request) -> Result<Self> {
        let from = registry::target(&request.original_format)
            .or_else(|_| source(&request.original_format))?;
        let plan = registry::plan(from, registry::target(&request.target_format)?)?;
        let options = serde_json::from_value(request.options.clone())
            .map_err(|err| Error::internal("the record of the conversion is damaged", err))?;
        Ok(Self {
            plan,
            quality: request.quality.parse()?,
            options,
            request: request.clone(),
        })
    }

    fn order(self, spool: &Spool, input_len: u64, cancel: Cancel) -> Result<Order> {
        Ok(Order {
            plan: self.plan,
            to_name: self.request.target_format,
            quality: self.quality,
            options: self.options,
            input: spool.open_upload()?,
            input_len,
            output: spool.create_output()?,
            cancel,
            began: Box::new(|| {}),
            progress: Box::new(|_, _| {}),
            done: Box::new(|_| {}),
        })
    }
}

fn source(name: &str) -> Result<&'static format::Format> {
    format::by_name(name).ok_or_else(|| {
        Error::new(
            Kind::BadInput,
            format!("{name} files are not supported any more"),
        )
    })
}

fn outcome(finished: &Finished) -> Outcome {
    Outcome {
        conversion_time: finished.duration.as_secs_f64(),
        notes: finished.notes.0.clone(),
    }
}

/// Runs a conversion that the client waits for.
fn run(api: &Api, spool: &Spool, wish: Wish, input_len: u64, body: &Body<'_>) -> Result<Finished> {
    let cancel = Cancel::default();
    let (sender, result) = bounded(1);
    let mut order = wish.order(spool, input_len, cancel.clone())?;
    // The receiver has gone only if the client has, too.
    order.done = Box::new(move |result| drop(sender.send(result)));
    api.engine.submit(order)?;
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

/// Accepts a conversion that goes on without the client.
fn accept(
    api: &Api,
    mut spool: Spool,
    wish: Wish,
    turn: Option<super::fairness::Turn>,
) -> Result<Response> {
    spool.accept(wish.request.clone(), SystemTime::now())?;
    let id = spool.id().to_string();
    let input_len = spool
        .upload()
        .metadata()
        .map_err(|err| Error::storage("the upload cannot be read", err))?
        .len();
    if let Err((spool, error)) = dispatch(&api.engine, spool, wish, input_len, turn) {
        spool.fail(failure_of(&error), SystemTime::now());
        return Err(error);
    }
    let location = format!("/api/v1/status/{id}");
    Ok(envelope::success(
        Status::ACCEPTED,
        "Conversion accepted",
        StatusData::processing(id),
    )
    .field("Location", location)
    .field("Preference-Applied", "respond-async"))
}

/// Queues an accepted conversion, or gives it back with the reason why not.
fn dispatch(
    engine: &Engine,
    spool: Spool,
    wish: Wish,
    input_len: u64,
    turn: Option<super::fairness::Turn>,
) -> Result<(), (Spool, Error)> {
    let request = wish.request.clone();
    let mut order = match wish.order(&spool, input_len, Cancel::default()) {
        Ok(order) => order,
        Err(error) => return Err((spool, error)),
    };
    let spool = Arc::new(Mutex::new(Some(spool)));
    let take =
        |spool: &Mutex<Option<Spool>>| spool.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (begun, watched, finished) = (spool.clone(), spool.clone(), spool.clone());
    order.began = Box::new(move || {
        if let Some(spool) = &mut *begun.lock().unwrap_or_else(PoisonError::into_inner) {
            spool.begin();
        }
    });
    order.progress = Box::new(move |done, total| {
        if let Some(spool) = &*watched.lock().unwrap_or_else(PoisonError::into_inner) {
            spool.progress(done, total);
        }
    });
    order.done = Box::new(move |result| {
        let _turn = turn;
        if let Some(spool) = take(&finished) {
            conclude(spool, request, result);
        }
    });
    match engine.submit(order) {
        Ok(()) => Ok(()),
        // What was not queued is not concluded either: the spool is still here.
        Err(error) => match take(&spool) {
            Some(spool) => Err((spool, error)),
            None => Ok(()),
        },
    }
}

/// Stores how an accepted conversion ended.
fn conclude(spool: Spool, request: store::Request, result: Result<Finished>) {
    let id = spool.id();
    match result {
        Ok(finished) => match spool.commit(request, outcome(&finished), SystemTime::now()) {
            Ok(record) => log::info!("{id:?} is ready, {} B", record.file_size),
            Err(error) => log::error!("{id:?}: {error}"),
        },
        // Left as it is, it is taken up again by the next start.
        Err(error) if error.kind() == Kind::Busy => log::info!("{id:?} waits for the next start"),
        Err(error) => {
            log::info!("{id:?} failed: {error}");
            spool.fail(failure_of(&error), SystemTime::now());
        }
    }
}

fn failure_of(error: &Error) -> Failure {
    let client_fault = match error.kind() {
        Kind::BadInput | Kind::TooLarge | Kind::NotFound | Kind::TooSlow | Kind::Disconnected => {
            true
        }
        Kind::Busy | Kind::StorageFull | Kind::Internal => false,
    };
    Failure {
        client_fault,
        message: error.message().to_owned(),
    }
}

/// Takes up a conversion that an earlier run of the service had accepted. Waits as long as the queue has no room; once
/// `stopping` says so, leaves the conversion to the next start.
pub fn resume(engine: &Engine, mut spool: Spool, stopping: impl Fn() -> bool) {
    let Some(request) = spool.request().cloned() else {
        return;
    };
    let give_up = |spool: Spool, message: &str| {
        let failure = Failure {
            client_fault: false,
            message: message.to_owned(),
        };
        spool.fail(failure, SystemTime::now());
    };
    if spool.attempts() >= MAX_ATTEMPTS {
        return give_up(
            spool,
            "the service ended each time it tried this conversion",
        );
    }
    while !stopping() {
        if engine.is_full() {
            std::thread::sleep(CLIENT_CHECK);
            continue;
        }
        let (wish, len) = match (Wish::again(&request), spool.upload().metadata()) {
            (Ok(wish), Ok(upload)) => (wish, upload.len()),
            (Err(error), _) => return give_up(spool, error.message()),
            (_, Err(err)) => {
                log::error!("an accepted upload cannot be read: {err}");
                return give_up(spool, "the upload cannot be read");
            }
        };
        match dispatch(engine, spool, wish, len, None) {
            Ok(()) => return,
            // Somebody else was quicker, or the service stops.
            Err((rejected, error)) if error.kind() == Kind::Busy => {
                spool = rejected;
                std::thread::sleep(CLIENT_CHECK);
            }
            Err((spool, error)) => {
                log::error!("an accepted conversion could not be taken up: {error}");
                return give_up(spool, error.message());
            }
        }
    }
}
