//! Limits of the server, as plain values. Has no opinion on where they come from.

use std::time::Duration;

/// Every limit of the HTTP layer.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads of the upload lane.
    pub workers: usize,
    /// Uploads that may wait for a worker.
    pub queue: usize,
    /// Threads of the quick lane.
    pub quick_workers: usize,
    /// Connections that may be open at once; beyond it the longest idle one is closed.
    pub max_connections: usize,
    /// Connections of one address (of one /64 network with IPv6) that may be open at once; 0 for no limit.
    pub max_connections_per_address: usize,
    /// Whether the limit on addresses holds for the loopback interface, too.
    pub limit_loopback: bool,
    /// Bytes that may be held at once, over all connections that wait: unfinished heads, and answers that are not read.
    pub max_held: usize,
    /// From the first byte of a head to its last.
    pub head_timeout: Duration,
    /// How long a connection may stay open without a request.
    pub idle_timeout: Duration,
    /// Bytes a second that a client must send or take, on average over [`pace_window`](Self::pace_window).
    pub min_rate: u64,
    /// The time over which the rate is measured; also the longest silence within a body or an answer.
    pub pace_window: Duration,
    /// The longest body, in bytes of content.
    pub max_body: u64,
    /// How long an early answer waits for a client that keeps sending.
    pub linger_timeout: Duration,
    /// How long running requests may go on after a shutdown began.
    pub grace: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            workers: 64,
            queue: 64,
            quick_workers: 8,
            max_connections: 16_384,
            max_connections_per_address: 0,
            limit_loopback: false,
            max_held: 16 << 20,
            head_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(30),
            min_rate: 16 << 10,
            pace_window: Duration::from_secs(10),
            max_body: u64::MAX,
            linger_timeout: Duration::from_secs(30),
            grace: Duration::from_secs(20),
        }
    }
}
