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
    /// What a whole body or a whole answer may take, beside the time that its length is worth. See [`transfer_limit`](Self::transfer_limit).
    pub transfer_time: Duration,
    /// The longest body, in bytes of content.
    pub max_body: u64,
    /// How long an early answer waits for a client that keeps sending.
    pub linger_timeout: Duration,
    /// How much of a body that nobody wants is read behind an early answer, in bytes; never more than was announced.
    pub max_drain: u64,
    /// How long running requests may go on after a shutdown began.
    pub grace: Duration,
}

impl Settings {
    /// The fewest bytes that a client has to send, or to take, within a window. Without a minimum rate, silence is still
    /// too slow.
    pub(super) fn least_in_window(&self) -> u64 {
        let seconds = self.pace_window.as_secs().max(1);
        self.min_rate.saturating_mul(seconds).max(1)
    }

    /// How long a client may take over a whole body, or a whole answer, of `len` bytes: [`transfer_time`](Self::transfer_time)
    /// and what twice the minimum rate takes. Over a while one may be slow; over the whole one has to be better than that.
    /// Without a minimum rate there is no limit.
    pub(super) fn transfer_limit(&self, len: u64) -> Duration {
        let seconds = len as f64 / (2.0 * self.min_rate as f64);
        let by_length = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        self.transfer_time.saturating_add(by_length)
    }
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
            transfer_time: Duration::from_secs(60),
            max_body: u64::MAX,
            linger_timeout: Duration::from_secs(30),
            max_drain: 1 << 30,
            grace: Duration::from_secs(20),
        }
    }
}
