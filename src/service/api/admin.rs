//! Listener for operators: serves the metrics and nothing else. Requires no API key.

use super::{
    endpoint::Call,
    failures::{nothing_at, refused},
    log_path::shorten,
    metrics::Metrics,
    routes::{API, METRICS},
    wall::Wall,
};
use crate::http::{Admission, Exchange, Handler, Head, Refusal, Request, Response};
use std::{net::IpAddr, sync::Arc};

/// The server of the metrics.
pub struct Admin {
    /// Counters for `/metrics`.
    pub metrics: Arc<Metrics>,
    /// Rules that refuse requests from foreign web pages.
    pub wall: Wall,
}

impl Handler for Admin {
    fn admit(&self, head: &Head, peer: IpAddr) -> Admission {
        if let Err(refusal) = self.wall.check(head, peer, &[]) {
            return Admission::Answer(refused(&refusal));
        }
        let answer = if head.path == METRICS.template {
            let call = Call {
                interface: &API,
                endpoint: &METRICS,
                head,
                peer,
                rest: "",
            };
            call.operation().map(|_| self.metrics.answer())
        } else {
            Err(nothing_at(&head.path, "this address serves only /metrics"))
        };
        // This server has no workers: the thread that polls the connections answers, because the metrics take less than
        // a millisecond.
        Admission::Answer(answer.unwrap_or_else(|response| response))
    }

    fn handle(&self, _: Request<'_, '_>) -> Response {
        self.metrics.answer()
    }

    fn refuse(&self, refusal: &Refusal, _: Option<&Head>) -> Response {
        refused(refusal)
    }

    fn finished(&self, exchange: &Exchange<'_>) {
        log::debug!(
            "admin: {} {} {}",
            exchange.method,
            shorten(exchange.path),
            exchange.status.code()
        );
    }
}
