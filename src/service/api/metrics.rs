//! `GET /metrics`: the counters of the service, for Prometheus. Requests are counted here; other counters are read from
//! the parts of the service.
//!
//! Every label has a limited set of values. A route is an endpoint's template, the name of a drop-in service, or
//! `other`. A status is one that the server can send. Formats are those of the registry, and languages are those of the
//! models that were found at the start. Text from clients is never a label.

use crate::{
    engine::{Engine, Outcome, Replaced},
    http::{Exchange, Handle, Payload, Response, Status},
    metrics::{Counter, Histogram, MetricType, Text, process},
    store::{Shared, Store},
};
use std::{
    sync::{Arc, OnceLock},
    time::SystemTime,
};

/// Label for unknown paths.
pub(super) const OTHER: &str = "other";

/// Counters of the service, and its parts with counters of their own.
pub struct Metrics {
    store: Store,
    engine: Arc<Engine>,
    server: OnceLock<Handle>,
    /// The requests by label: one for each endpoint, one for all unknown paths, and one for each drop-in service.
    routes: Vec<(&'static str, Requests)>,
    received: Counter,
    sent: Counter,
    started: SystemTime,
}

/// Counters of the requests with one label.
#[derive(Default)]
struct Requests {
    /// Number of answers, by the index of the status in [`Status::ALL`].
    statuses: [Counter; Status::ALL.len()],
    durations: Histogram,
}

impl Metrics {
    /// Makes counters for requests under these labels. The other counters are those of `store` and `engine`.
    pub(super) fn new(
        store: Store,
        engine: Arc<Engine>,
        labels: impl Iterator<Item = &'static str>,
    ) -> Self {
        Self {
            store,
            engine,
            server: OnceLock::new(),
            routes: labels.map(|label| (label, Requests::default())).collect(),
            received: Counter::default(),
            sent: Counter::default(),
            started: SystemTime::now(),
        }
    }

    /// Adds the counters of this server's connections. Only the first call has an effect.
    pub fn watch(&self, server: Handle) {
        // A second server is not expected; its connections would be missing in the metrics.
        let _ = self.server.set(server);
    }

    /// Counts one request under a label. Its bytes count even if the label is unknown.
    pub(super) fn answered(&self, exchange: &Exchange<'_>, label: &str) {
        self.received.add(exchange.received);
        self.sent.add(exchange.bytes);
        let Some((_, requests)) = self.routes.iter().find(|(known, _)| *known == label) else {
            return;
        };
        requests.durations.observe(exchange.duration);
        let status = Status::ALL
            .iter()
            .position(|status| *status == exchange.status);
        if let Some(status) = status {
            requests.statuses[status].add(1);
        }
    }

    pub(super) fn answer(&self) -> Response {
        Response::new(Status::OK)
            .field("Content-Type", Text::MEDIA_TYPE)
            .field("Cache-Control", "no-store")
            .field("X-Content-Type-Options", "nosniff")
            .payload(Payload::Bytes(self.page().into_bytes().into()))
    }

    /// All metrics in the text format of Prometheus.
    fn page(&self) -> String {
        let mut text = Text::default();
        self.write_requests(&mut text);
        self.write_conversions(&mut text);
        self.write_load(&mut text);
        self.write_store(&mut text);
        process::write(&mut text, self.started);
        text.metric(
            "convertd_build_info",
            MetricType::Gauge,
            "Always 1; the label is the version of the service.",
        )
        .sample(&[("version", env!("CARGO_PKG_VERSION"))], 1);
        text.metric(
            "convertd_ocr_language_info",
            MetricType::Gauge,
            "Always 1; one series for each language that OCR can read.",
        );
        for language in self.engine.languages() {
            text.sample(&[("language", &language.name)], 1);
        }
        text.finish()
    }

    /// Writes the requests by route and status, their durations, the bytes received and sent, and the open connections.
    fn write_requests(&self, text: &mut Text) {
        text.metric(
            "convertd_http_requests_total",
            MetricType::Counter,
            "Answered requests, by the template of their path and the status.",
        );
        for (route, requests) in &self.routes {
            for (status, count) in Status::ALL.iter().zip(&requests.statuses) {
                if count.get() > 0 {
                    let code = status.code().to_string();
                    text.sample(&[("route", route), ("status", &code)], count.get());
                }
            }
        }
        text.metric(
            "convertd_http_request_seconds",
            MetricType::Histogram,
            "Time from the end of a request's head to the end of its answer.",
        );
        for (route, requests) in &self.routes {
            text.histogram(&[("route", route)], &requests.durations);
        }
        text.metric(
            "convertd_http_received_bytes_total",
            MetricType::Counter,
            "Bytes of request bodies that were read.",
        )
        .sample(&[], self.received.get());
        text.metric(
            "convertd_http_sent_bytes_total",
            MetricType::Counter,
            "Bytes of answers that were sent.",
        )
        .sample(&[], self.sent.get());
        if let Some(server) = self.server.get() {
            text.metric(
                "convertd_open_connections",
                MetricType::Gauge,
                "Open connections, including idle ones.",
            )
            .sample(&[], server.connections());
        }
    }

    /// Writes the conversions by pair of formats and outcome, and their durations.
    fn write_conversions(&self, text: &mut Text) {
        text.metric(
            "convertd_conversions_total",
            MetricType::Counter,
            "Finished conversions by outcome: done, rejected (unsuitable file), abandoned (the client left), failed (fault of the service).",
        );
        self.engine.each_pair(|from, to, meter| {
            for outcome in Outcome::ALL {
                let labels = [("from", from), ("to", to), ("outcome", outcome.word())];
                text.sample(&labels, meter.ended(outcome));
            }
        });
        text.metric(
            "convertd_conversion_seconds",
            MetricType::Histogram,
            "Duration of successful conversions, without waiting time.",
        );
        self.engine.each_pair(|from, to, meter| {
            text.histogram(&[("from", from), ("to", to)], &meter.durations);
        });
    }

    /// Writes the figures of the queue, of running and stopped conversions, of memory, and of converter processes that
    /// were replaced.
    fn write_load(&self, text: &mut Text) {
        text.metric(
            "convertd_queue_wait_seconds",
            MetricType::Histogram,
            "Time that conversions waited for a free converter.",
        );
        text.histogram(&[], self.engine.waiting_times());
        let load = self.engine.load();
        text.metric(
            "convertd_queue_depth",
            MetricType::Gauge,
            "Conversions that are waiting for a free converter.",
        )
        .sample(&[], load.waiting);
        text.metric(
            "convertd_running_conversions",
            MetricType::Gauge,
            "Conversions that are running.",
        )
        .sample(&[], load.running);
        text.metric(
            "convertd_stopped_conversions",
            MetricType::Gauge,
            "Conversions that are paused so that those of other clients get their turn.",
        )
        .sample(&[], load.stopped);
        text.metric(
            "convertd_memory_reserved_bytes",
            MetricType::Gauge,
            "Memory reserved by running conversions, in bytes.",
        )
        .sample(&[], load.memory);
        text.metric(
            "convertd_memory_budget_bytes",
            MetricType::Gauge,
            "Limit on the memory reserved by all conversions together, in bytes.",
        )
        .sample(&[], load.memory_budget);
        text.metric(
            "convertd_children_replaced_total",
            MetricType::Counter,
            "Converter processes that were replaced, by reason: died while idle, crashed in a job, stopped together with its job, ran out of memory, or retired because it had grown.",
        );
        for why in Replaced::ALL {
            text.sample(&[("reason", why.word())], self.engine.replacements(why));
        }
    }

    /// Writes the records by state, and either the size of the results on the disk or the state of the shared store.
    fn write_store(&self, text: &mut Text) {
        let counts = self.store.counts();
        text.metric(
            "convertd_records",
            MetricType::Gauge,
            "Conversions in the store by state: being received, accepted and unfinished, finished with a result or a failure, or over and only remembered.",
        );
        for (state, count) in [
            ("receiving", counts.spools),
            ("processing", counts.processing),
        ] {
            text.sample(&[("state", state)], count);
        }
        if let Some(shared) = counts.shared {
            return Self::write_shared(text, shared);
        }
        for (state, count) in [("live", counts.live), ("ended", counts.tombstones)] {
            text.sample(&[("state", state)], count);
        }
        text.metric(
            "convertd_stored_bytes",
            MetricType::Gauge,
            "Results on the disk that can be downloaded.",
        )
        .sample(&[], counts.bytes);
    }

    /// Writes the figures of a shared store, which reports its memory instead of counting records.
    fn write_shared(text: &mut Text, shared: Shared) {
        text.metric(
            "convertd_store_up",
            MetricType::Gauge,
            "Whether the shared store can be reached.",
        )
        .sample(&[], u64::from(shared.is_up));
        text.metric(
            "convertd_store_memory_bytes",
            MetricType::Gauge,
            "Memory in use by the shared store, in bytes.",
        )
        .sample(&[], shared.memory);
        text.metric(
            "convertd_store_memory_limit_bytes",
            MetricType::Gauge,
            "Memory limit of the shared store in bytes, or 0 without a limit.",
        )
        .sample(&[], shared.limit);
    }
}
