//! State of the API that all endpoints share. Handles no request.

use super::{
    compat::Compat,
    fairness::Fairness,
    health::Health,
    metrics::Metrics,
    static_files::{Manual, Page},
    waiters::Waiters,
    wall::Wall,
};
use crate::{base_path::BasePath, engine::Engine, keys::Keys, network::Network, store::Store};
use std::sync::Arc;

/// The REST interface: the parts that it uses, and its own limits.
pub struct Api {
    /// Stores uploads and results.
    pub store: Store,
    /// Runs conversions.
    pub engine: Arc<Engine>,
    /// State that the health check reports.
    pub health: Arc<Health>,
    /// The API keys that clients may use; without keys, the API is open to everybody.
    pub keys: Keys,
    /// The web origins whose pages may call the API.
    pub cors_origins: Vec<String>,
    /// The maximum length of all files of a request together, in bytes.
    pub max_upload: u64,
    /// Limit on the requests that wait for the end of another download.
    pub waiters: Waiters,
    /// Limit on the unfinished conversions of each client.
    pub fairness: Fairness,
    /// The proxies whose header fields about the client are trusted, such as `X-Forwarded-For`.
    pub trusted_proxies: Vec<Network>,
    /// Rules that refuse requests from foreign web pages.
    pub wall: Wall,
    /// Counters for `/metrics`.
    pub metrics: Arc<Metrics>,
    /// Whether this API serves the metrics. Otherwise only the [`Admin`](super::admin::Admin) listener serves them.
    pub shows_metrics: bool,
    /// Prefix of all paths, if a proxy serves other services, too: empty, or a path such as `/convert`.
    pub base_path: BasePath,
    /// The services for whose clients drop-in answers are enabled.
    pub compat: Compat,
    /// The page for people at `/`.
    pub page: Page,
    /// The manual at `/manual`.
    pub manual: Manual,
    /// The JSON of `/formats`, which never changes.
    pub formats: &'static [u8],
}

/// Allowance for the other parts of a form, in bytes: its fields and the framing.
const FORM_OVERHEAD: u64 = 1 << 20;

impl Api {
    /// The maximum length of a request body in bytes, if files may have `max_upload` bytes.
    pub fn max_body(max_upload: u64) -> u64 {
        max_upload.saturating_add(FORM_OVERHEAD)
    }
}
