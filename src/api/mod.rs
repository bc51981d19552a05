//! The REST interface: routes, the JSON envelope, and a file for each endpoint. The only place that knows both HTTP and
//! conversions.

mod accepted;
mod assets;
mod auth;
mod bare;
mod bundle;
mod client;
mod compat;
mod convert;
mod cors;
mod download;
mod envelope;
mod failures;
mod fairness;
mod file_name;
mod files;
mod form;
mod formats;
mod health;
mod idempotency;
mod manual;
mod metrics;
mod openapi;
mod order;
mod page;
mod parts;
mod plain_form;
mod precondition;
mod query;
mod range;
mod records;
mod router;
mod site;
mod status;
mod waiters;

pub use accepted::resume;
pub use compat::Compat;
pub use fairness::Fairness;
pub use files::{Manual, Page};
pub use health::Health;
pub use metrics::{Admin, Metrics};
pub use parts::Api;

use crate::{
    http::{Admission, Exchange, Handler, Head, Method, Refusal, Request, Response, Status},
    logging,
};
use failures::{allow, failure, nothing_at};
use router::Route;
use std::net::IpAddr;

/// The JSON that `/formats` answers with.
pub fn formats_json() -> &'static [u8] {
    formats::body()
}

/// What `/openapi.json` answers.
pub fn openapi_json() -> &'static [u8] {
    openapi::body()
}

impl Api {
    fn route(&self, head: &Head) -> Result<Route, Response> {
        if head.path == "*" && head.method == Method::Options {
            // `OPTIONS *` asks about the service as a whole (RFC 9110, section 9.3.7).
            return Err(Response::new(Status::NO_CONTENT)
                .field("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS"));
        }
        let route = router::parse(site::path(self, head))
            .filter(|route| self.shows_metrics || *route != Route::Metrics)
            .ok_or_else(|| nothing_at(&head.path, "the API is below /api/v1"))?;
        allow(route.endpoint(), head.method)?;
        if route == Route::Convert && head.method == Method::Put && !bare::has_target(head) {
            let detail = "PUT is for a file alone, and needs a target in the address: ?to=FORMAT";
            let refusal = envelope::error(Status::METHOD_NOT_ALLOWED, detail);
            return Err(refusal.field("Allow", route.endpoint().allowed()));
        }
        Ok(route)
    }

    /// The route of a service that this one answers for.
    fn compat_route(&self, head: &Head) -> Option<compat::Route> {
        self.compat.parse(site::path(self, head))
    }

    fn admit_route(&self, head: &Head, peer: IpAddr) -> Result<Admission, Response> {
        if let Some(route) = self.compat_route(head) {
            return Ok(compat::admit(self, head, route));
        }
        let route = self.route(head)?;
        let is_form = route == Route::Page && head.method == Method::Post;
        let is_open = match route {
            Route::Health | Route::Asset(_) | Route::Manual(_) => true,
            Route::Page => !is_form,
            Route::Formats
            | Route::Convert
            | Route::Bundle
            | Route::Download(_)
            | Route::Status(_)
            | Route::OpenApi
            | Route::Metrics => false,
        };
        if !is_open && !auth::admits(&self.keys, head) {
            return Err(match is_form {
                true => plain_form::locked(self, head, peer),
                false => auth::challenge(),
            });
        }
        Ok(match route {
            Route::Page if is_form => {
                convert::admit(self, head)
                    .map_err(|error| plain_form::failure(self, head, peer, &error))?;
                Admission::Upload
            }
            Route::Page => Admission::Answer(page::answer(self, head, peer)),
            Route::Asset(name) => Admission::Answer(page::asset(head, name)),
            Route::Health => {
                Admission::Answer(health::answer(&self.health, &self.store, &self.engine))
            }
            Route::Formats if head.query.is_none() => {
                Admission::Answer(envelope::json(Status::OK, self.formats))
            }
            Route::Status(named) => {
                let prefix = site::prefix(self, head, peer);
                status::admit(self, head, &named, &prefix)
            }
            Route::Formats
            | Route::Download(_)
            | Route::OpenApi
            | Route::Metrics
            | Route::Manual(_) => Admission::Quick,
            Route::Bundle => {
                bundle::admit(head).map_err(|error| failure(&error, &head.request_id))?;
                Admission::Upload
            }
            Route::Convert => {
                convert::admit(self, head).map_err(|error| failure(&error, &head.request_id))?;
                Admission::Upload
            }
        })
    }
}

impl Handler for Api {
    fn admit(&self, head: &Head, peer: IpAddr) -> Admission {
        match self
            .admit_route(head, peer)
            .unwrap_or_else(Admission::Answer)
        {
            Admission::Answer(response) => {
                Admission::Answer(cors::decorate(&self.cors_origins, head, response))
            }
            other @ (Admission::Quick | Admission::Upload | Admission::Wait(_)) => other,
        }
    }

    fn awaited(&self, head: &Head, peer: IpAddr) -> Option<Response> {
        let Some(Route::Status(named)) = router::parse(site::path(self, head)) else {
            return None;
        };
        let response = status::known(self, &named, &site::prefix(self, head, peer))?;
        Some(cors::decorate(&self.cors_origins, head, response))
    }

    fn handle(&self, request: Request<'_, '_>) -> Response {
        let head = request.head;
        if let Some(route) = self.compat_route(head) {
            return compat::answer(self, request, route);
        }
        let response = match router::parse(site::path(self, head)) {
            Some(Route::Convert) => convert::answer(self, request),
            Some(Route::Bundle) => bundle::answer(self, head, request.body),
            Some(Route::Download(id)) if head.method == Method::Delete => {
                download::delete(self, head, &id, &site::prefix(self, head, request.peer))
            }
            Some(Route::Page) => plain_form::answer(self, request),
            Some(Route::Download(id)) => download::answer(self, head, &id),
            Some(Route::Formats) => formats::answer(head),
            Some(Route::Status(id)) => {
                status::answer(self, &id, &site::prefix(self, head, request.peer))
            }
            Some(Route::OpenApi) => openapi::answer(&site::prefix(self, head, request.peer)),
            Some(Route::Metrics) => self.metrics.answer(),
            Some(Route::Manual(chapter)) => manual::answer(self, head, request.peer, chapter),
            // These have been answered by `admit`, in the lobby.
            Some(Route::Asset(_) | Route::Health) | None => {
                envelope::error(Status::NOT_FOUND, "there is nothing here")
            }
        };
        cors::decorate(&self.cors_origins, head, response)
    }

    fn refuse(&self, refusal: &Refusal, head: Option<&Head>) -> Response {
        if let Some(head) = head
            && let Some(route) = self.compat_route(head)
        {
            return compat::refuse(head, route, refusal);
        }
        let response = refused(refusal);
        match head {
            Some(head) => cors::decorate(&self.cors_origins, head, response),
            None => response,
        }
    }

    fn is_busy(&self) -> bool {
        self.engine.is_busy()
    }

    fn finished(&self, exchange: &Exchange<'_>) {
        let path = self.base_path.strip(exchange.path);
        let path = path.unwrap_or(exchange.path);
        let compat = self.compat.parse(path);
        self.metrics.answered(exchange, path, compat);
        logging::request(&logging::Request {
            method: exchange.method,
            path: &shorten(exchange.path),
            status: exchange.status.code(),
            bytes: exchange.bytes,
            ms: exchange.duration.as_secs_f64() * 1e3,
            request_id: exchange.request_id,
            complete: exchange.complete,
        });
    }
}

/// The answer to what the server itself refuses.
fn refused(refusal: &Refusal) -> Response {
    let response = envelope::error(refusal.status, refusal.detail.clone());
    match refusal.retry_after {
        Some(after) => response.field("Retry-After", after.as_secs().max(1).to_string()),
        None => response,
    }
}

/// Shortens a path for the log. Whoever knows an identifier may download its result, so only the beginning is logged of
/// anything that looks like an identifier or is in the place of one.
fn shorten(path: &str) -> String {
    const MAX: usize = 200;
    const BEGINNING: usize = 8;
    let mut before = "";
    let shown: Vec<&str> = path
        .split('/')
        .map(|segment| {
            let expected = matches!(before, "status" | "download");
            before = segment;
            let digits = segment.bytes().filter(u8::is_ascii_hexdigit).count();
            match segment.char_indices().nth(BEGINNING) {
                Some((at, _)) if expected || digits >= 32 => &segment[..at],
                Some(_) | None => segment,
            }
        })
        .collect();
    let mut shown = shown.join("/");
    if let Some((at, _)) = shown.char_indices().nth(MAX) {
        shown.truncate(at);
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_shows_only_the_beginning_of_an_identifier() {
        #[track_caller]
        fn check(path: &str, expected: &str) {
            assert_eq!(shorten(path), expected);
        }
        let id = "a5f0c1de-0b7c-4f0e-9a3b-0123456789ab";
        check(&format!("/api/v1/status/{id}"), "/api/v1/status/a5f0c1de");
        // These are not identifiers, but would tell a reader of the log the identifier in them.
        check(
            &format!("/api/v1/download/{id}.png"),
            "/api/v1/download/a5f0c1de",
        );
        check(
            &format!("/api/v1/status/{}", id.to_uppercase()),
            "/api/v1/status/A5F0C1DE",
        );
        check(
            &format!("/api/v1/download//{id}"),
            "/api/v1/download//a5f0c1de",
        );
        check(&format!("/{id},"), "/a5f0c1de");
        check(
            "/api/v1/download/é-and-more-than-8",
            "/api/v1/download/é-and-mo",
        );
        check("/api/v1/health", "/api/v1/health");
        assert_eq!(shorten(&"x".repeat(5000)).chars().count(), 201);
    }
}
