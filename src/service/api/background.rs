//! Conversions that no client waits for: those accepted with 202, and those that an earlier run of the service
//! accepted. Their results are stored for a later download.

use super::{
    engine_order::{Files, outcome},
    envelope,
    fairness::Turn,
    records::StatusData,
    state::Api,
};
use crate::{
    base_path::BasePath,
    engine::{Cancel, Engine, Finished, Reservation, Watcher},
    error::{Kind, Result},
    http::{Response, Status},
    job::Progress,
    registry::{self, Route},
    store::{self, Failure, Spool},
};
use std::time::SystemTime;

/// Accepts a conversion: the client gets an answer immediately, and requests the status later.
pub(super) fn accept(
    api: &Api,
    spool: Spool,
    request: store::Request,
    route: &'static Route,
    turn: Option<Turn>,
) -> Result<()> {
    // The place in the queue is taken first, because a conversion that was accepted must not fail because of a full
    // queue.
    let reservation = api.engine.reserve(spool.owner())?;
    if let Some(spool) = spool.accept(request.clone(), SystemTime::now())? {
        dispatch(&api.engine, reservation, spool, request, route, turn)?;
    }
    Ok(())
}

/// Answer to the client of an accepted conversion: 202 with its status.
pub(super) fn answer(id: String, prefix: &BasePath) -> Response {
    let location = format!("{prefix}/api/v1/status/{id}");
    envelope::success(
        Status::ACCEPTED,
        "Conversion accepted",
        StatusData::processing(id, prefix),
    )
    .field("Location", location)
    .field("Preference-Applied", "respond-async")
}

/// Watches a conversion that no client waits for, and stores its result.
struct Accepted {
    spool: Spool,
    request: store::Request,
    _turn: Option<Turn>,
}

impl Watcher for Accepted {
    fn began(&mut self) {
        self.spool.begin();
    }

    fn progress(&self, progress: Progress) {
        self.spool.progress(progress);
    }

    fn ended(self: Box<Self>, result: Result<Finished>) {
        conclude(self.spool, self.request, result);
    }
}

/// Submits an accepted conversion. If its files cannot be opened, the conversion fails.
fn dispatch(
    engine: &Engine,
    reservation: Reservation,
    spool: Spool,
    request: store::Request,
    route: &'static Route,
    turn: Option<Turn>,
) -> Result<()> {
    let files = match Files::of(&spool) {
        Ok(files) => files,
        Err(error) => {
            spool.fail(Failure::of(&error), SystemTime::now());
            return Err(error);
        }
    };
    let (task, client) = (request.task.clone(), spool.owner());
    let cancel = Cancel::default();
    let lost = cancel.clone();
    // Another instance may take the conversion over (`store`). This instance then stops working on it.
    spool.when_lost(move || lost.cancel());
    let watcher = Box::new(Accepted {
        spool,
        request,
        _turn: turn,
    });
    let order = files.order(task, route, client, cancel, watcher);
    engine.submit(reservation, order);
    Ok(())
}

/// Stores the outcome of an accepted conversion.
fn conclude(spool: Spool, request: store::Request, result: Result<Finished>) {
    let id = spool.id();
    match result {
        Ok(finished) => {
            let outcome = outcome(&request, &finished);
            match spool.commit(request, outcome, SystemTime::now()) {
                Ok(record) => log::info!("{id:?} is ready, {} B", record.file_size),
                Err(error) => log::error!("{id:?}: {error}"),
            }
        }
        // `Busy` means that the engine was stopped. The conversion stays accepted, and the next start of the service,
        // or another instance, runs it.
        Err(error) if error.kind() == Kind::Busy => log::info!("{id:?} waits to be run again"),
        Err(error) => {
            let level = match error.kind() {
                Kind::Internal | Kind::Unavailable | Kind::StorageFull => log::Level::Error,
                _ => log::Level::Info,
            };
            log::log!(level, "{id:?} failed: {error}");
            spool.fail(Failure::of(&error), SystemTime::now());
        }
    }
}

/// Waits until the queue has a free place, and submits a conversion that an earlier run of the service has accepted. If
/// the engine has been stopped, the conversion is left to the next start.
pub fn resume(engine: &Engine, spool: Spool) {
    let Some(request) = spool.request().cloned() else {
        return;
    };
    // A conversion during which the service has died several times would probably kill it again.
    if spool.attempts() >= store::MAX_ATTEMPTS {
        return spool.fail(Failure::tried_too_often(), SystemTime::now());
    }
    // This build may support fewer formats than the build that accepted the conversion. If no converter is left for the
    // formats, the conversion fails.
    let route = match registry::route(&request.task) {
        Ok(route) => route,
        Err(error) => return spool.fail(Failure::of(&error), SystemTime::now()),
    };
    if let Ok(reservation) = engine.wait_and_reserve(spool.owner())
        && let Err(error) = dispatch(engine, reservation, spool, request, route, None)
    {
        log::error!("an accepted conversion could not be run again: {error}");
    }
}
