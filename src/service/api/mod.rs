//! The REST interface: its endpoints as rows, the JSON envelope, and the handlers of the endpoints.

mod admin;
mod archive;
mod assets;
mod auth;
mod background;
mod bundle;
mod client;
mod compat;
mod contents;
mod convert;
mod cors;
mod download;
mod endpoint;
mod engine_order;
mod envelope;
mod failures;
mod fairness;
pub(crate) mod file_name;
mod form;
mod formats;
mod health;
mod idempotency;
mod item;
mod log_path;
mod manual;
mod metrics;
mod openapi;
mod page;
mod path_id;
mod plain_body;
mod plain_form;
mod precondition;
mod preview;
mod query;
mod range;
mod records;
mod routes;
mod several;
mod site;
mod state;
mod static_files;
mod status;
mod waiters;
mod wall;

pub use admin::Admin;
pub use background::resume;
pub use compat::Compat;
pub use fairness::Fairness;
pub use health::Health;
pub use metrics::Metrics;
pub use state::Api;
pub use static_files::{Manual, Page};
pub use wall::Wall;

use crate::{
    base_path::BasePath,
    engine::{Engine, Language},
    http::{Admission, Exchange, Handler, Head, Method, Refusal, Request, Response, Status},
    keys::Keys,
    logging,
    store::Store,
};
use endpoint::{Call, Endpoint, Interface, Operation};
use failures::{nothing_at, refused, when_to_repeat};
use routes::{API, ENDPOINTS};
use std::{net::IpAddr, sync::Arc};
use waiters::Waiters;

/// The JSON of `/formats` for a service that recognises text in these languages.
pub fn formats_json(languages: &[Language]) -> Vec<u8> {
    formats::body(languages)
}

/// The JSON of `/openapi.json`.
pub fn openapi_json() -> &'static [u8] {
    openapi::body(ENDPOINTS)
}

impl Api {
    /// An API with the default of every option: without API keys, CORS, a base path, drop-in services, or limits on
    /// each client.
    pub fn new(store: Store, engine: Arc<Engine>, health: Arc<Health>, max_upload: u64) -> Self {
        let templates = ENDPOINTS.iter().map(|endpoint| endpoint.template);
        let labels = templates.chain([metrics::OTHER]).chain(compat::labels());
        let metrics = Metrics::new(store.clone(), engine.clone(), labels);
        // The answer never changes, so it is made once and kept for the life of the process.
        let formats = formats::body(engine.languages()).leak();
        Self {
            store,
            engine,
            health,
            keys: Keys::default(),
            cors_origins: Vec::new(),
            max_upload,
            waiters: Waiters::default(),
            fairness: Fairness::new(0),
            trusted_proxies: Vec::new(),
            wall: Wall::default(),
            metrics: Arc::new(metrics),
            shows_metrics: true,
            base_path: BasePath::default(),
            compat: Compat::default(),
            page: Page::default(),
            manual: Manual::default(),
            formats,
        }
    }

    /// Finds the endpoint of a path among those of drop-in services and those of the API. Also returns its interface,
    /// and the part of the path in the place of the braces. `None` for an unknown path.
    fn endpoint<'p>(
        &self,
        path: &'p str,
    ) -> Option<(&'static Interface, &'static Endpoint, &'p str)> {
        let mut interfaces = self.compat.interfaces().chain([&API]);
        let found = interfaces.find_map(|interface| {
            let (endpoint, rest) = interface.find(path)?;
            Some((interface, endpoint, rest))
        });
        found.filter(|(_, endpoint, _)| {
            self.shows_metrics || endpoint.template != routes::METRICS.template
        })
    }

    /// Finds the endpoint and the operation of a request. If there is no such operation, the error is the answer: 404,
    /// 405, or 204 to `OPTIONS`.
    fn find<'h>(
        &self,
        head: &'h Head,
        peer: IpAddr,
    ) -> Result<(Call<'h>, &'static Operation), Response> {
        if head.path == "*" && head.method == Method::Options {
            // `OPTIONS *` asks about the service as a whole (RFC 9110, section 9.3.7).
            return Err(Response::new(Status::NO_CONTENT)
                .field("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS"));
        }
        let (interface, endpoint, rest) = self
            .endpoint(site::path(self, head))
            .ok_or_else(|| nothing_at(&head.path, "the API is below /api/v1"))?;
        let call = Call {
            interface,
            endpoint,
            head,
            peer,
            rest,
        };
        let operation = call.operation()?;
        Ok((call, operation))
    }

    /// Decides about a request by its head: first the host and the origin, then the path, the method and the key.
    fn admission(&self, head: &Head, peer: IpAddr) -> Result<Admission, Response> {
        if let Err(refusal) = self.wall.check(head, peer, &self.trusted_proxies) {
            return Err(self.refuse(&refusal, Some(head)));
        }
        let (call, operation) = self.find(head, peer)?;
        match &operation.lock {
            Some(lock) if !(lock.admits)(self, head) => Err((lock.refuse)(self, &call)),
            Some(_) | None => operation.work.admit(self, &call),
        }
    }
}

impl Handler for Api {
    fn admit(&self, head: &Head, peer: IpAddr) -> Admission {
        match self.admission(head, peer).unwrap_or_else(Admission::Answer) {
            Admission::Answer(response) => {
                Admission::Answer(cors::decorate(&self.cors_origins, head, response))
            }
            other @ (Admission::Quick | Admission::Upload | Admission::Wait(_)) => other,
        }
    }

    fn client(&self, head: &Head, peer: IpAddr) -> Option<IpAddr> {
        client::of(head, peer, &self.trusted_proxies)
    }

    fn awaited(&self, head: &Head, peer: IpAddr) -> Option<Response> {
        let (call, operation) = self.find(head, peer).ok()?;
        let response = operation.work.known(self, &call)?;
        Some(cors::decorate(&self.cors_origins, head, response))
    }

    fn handle(&self, request: Request<'_, '_>) -> Response {
        let Request { head, peer, body } = request;
        let response = match self.find(head, peer) {
            Ok((call, operation)) => operation.work.answer(self, &call, body),
            Err(response) => response,
        };
        cors::decorate(&self.cors_origins, head, response)
    }

    fn refuse(&self, refusal: &Refusal, head: Option<&Head>) -> Response {
        let Some(head) = head else {
            return refused(refusal);
        };
        let found = self.endpoint(site::path(self, head));
        let interface = found.map_or(&API, |(interface, ..)| interface);
        let response = (interface.refuse)(head, refusal.status, &refusal.detail);
        cors::decorate(&self.cors_origins, head, when_to_repeat(refusal, response))
    }

    fn is_busy(&self) -> bool {
        self.engine.is_busy()
    }

    fn finished(&self, exchange: &Exchange<'_>) {
        let path = self.base_path.strip(exchange.path);
        let path = path.unwrap_or(exchange.path);
        let label = self
            .endpoint(path)
            .map_or(metrics::OTHER, |(interface, endpoint, _)| {
                interface.label.unwrap_or(endpoint.template)
            });
        self.metrics.answered(exchange, label);
        logging::request(&logging::AccessEntry {
            method: exchange.method,
            path: &log_path::shorten(exchange.path),
            status: exchange.status.code(),
            bytes: exchange.bytes,
            ms: exchange.duration.as_secs_f64() * 1e3,
            request_id: exchange.request_id,
            complete: exchange.complete,
            failure: (exchange.status.code() >= 400).then(|| logging::Failure {
                client: client::address_of(
                    exchange.peer,
                    exchange.forwarded,
                    &self.trusted_proxies,
                ),
                reason: log_path::shorten_reason(exchange.reason.unwrap_or_default()),
            }),
        });
    }
}
