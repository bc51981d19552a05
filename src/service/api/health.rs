//! `GET /api/v1/health`. Answers from memory and never touches the disk; the service's timer checks the disk once a
//! second.

use super::envelope::{rfc3339, timed_success};
use crate::{
    engine::Engine,
    http::{Payload, Response, Status},
    store::Store,
};
use serde::Serialize;
use std::{
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

/// The reason for which the service is degraded, if it is.
#[derive(Debug, Default)]
pub struct Health(Mutex<Option<String>>);

impl Health {
    /// Sets the reason, or `None` if the service is operational. Logs every change.
    pub fn set(&self, reason: Option<String>) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *current != reason {
            match &reason {
                Some(reason) => log::warn!("degraded: {reason}"),
                None => log::info!("operational again"),
            }
            *current = reason;
        }
    }
}

#[derive(Serialize)]
struct Data<'a> {
    version: &'static str,
    timestamp: String,
    status: &'static str,
    /// The languages in which text of scans can be recognised, as values of the option `language`.
    languages: Vec<&'a str>,
}

/// `GET /healthz`: succeeds as long as the process answers. It fails for no other reason, because orchestrators kill a
/// process whose liveness check fails.
pub(super) fn alive() -> Response {
    probe(Status::OK, "ok")
}

/// `GET /readyz`: succeeds if requests should be sent to this instance, and otherwise gives the reason.
pub(super) fn ready(health: &Health, store: &Store, engine: &Engine) -> Response {
    match reason(health, store, engine) {
        None => probe(Status::OK, "ok"),
        Some(reason) => probe(Status::SERVICE_UNAVAILABLE, &reason),
    }
}

fn probe(status: Status, text: &str) -> Response {
    Response::new(status)
        .field("Content-Type", "text/plain; charset=utf-8")
        .field("Cache-Control", "no-store")
        .field("X-Content-Type-Options", "nosniff")
        .payload(Payload::Bytes(format!("{text}\n").into_bytes().into()))
}

/// The reason why the service is degraded, if it is.
fn reason(health: &Health, store: &Store, engine: &Engine) -> Option<String> {
    let known = health
        .0
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    // The timer checks the store only once a second, and never the queue, so both are checked now.
    known
        .or_else(|| Some(store.reachable().err()?.message().to_owned()))
        .or_else(|| {
            let is_full = engine.is_full();
            is_full.then(|| "the queue of conversions is full".into())
        })
}

/// The answer with the state of the service. It is degraded in three cases: the store accepts no more conversions, for
/// example because the disk is full; a shared store is unreachable; or the queue is full.
pub(super) fn answer(health: &Health, store: &Store, engine: &Engine) -> Response {
    let now = SystemTime::now();
    let reason = reason(health, store, engine);
    let status = if reason.is_some() {
        "degraded"
    } else {
        "operational"
    };
    let version = concat!(
        env!("CARGO_PKG_VERSION_MAJOR"),
        ".",
        env!("CARGO_PKG_VERSION_MINOR")
    );
    let languages = engine.languages().iter();
    let languages = languages.map(|language| &*language.name).collect();
    let message = reason.as_deref().unwrap_or("Service is operational");
    timed_success(
        message,
        Data {
            version,
            timestamp: rfc3339(now),
            status,
            languages,
        },
        now,
    )
}
