//! The limits of the server, as plain values. Does not read any configuration.

use std::time::Duration;

/// The limits of the HTTP layer that its user may choose.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of threads of the upload lane.
    pub workers: usize,
    /// The number of uploads that may wait for a worker.
    pub queue: usize,
    /// The number of threads of the quick lane.
    pub quick_workers: usize,
    /// The maximum number of open connections. Beyond it, the one that has been idle longest is closed.
    pub max_connections: usize,
    /// The maximum number of open connections of one address (with IPv6, of one /64 network); 0 for no limit.
    pub max_connections_per_address: usize,
    /// Whether the limit for one address also applies to the loopback interface.
    pub limit_loopback: bool,
    /// The memory for all waiting connections together, in bytes: for unfinished heads, for requests that wait, and for
    /// answers that are not read.
    pub max_held: usize,
    /// The time from the first byte of a head to its last.
    pub head_timeout: Duration,
    /// Time for which a connection may stay open without a request.
    pub idle_timeout: Duration,
    /// The minimum rate at which a client must send a body or receive an answer, in bytes per second, as an average
    /// over [`pace_window`](Self::pace_window).
    pub min_rate: u64,
    /// The time over which the rate is measured, and so the longest silence within a body or an answer.
    pub pace_window: Duration,
    /// The time that a whole body or a whole answer may take, in addition to what its length allows. See
    /// [`transfer_limit`](Self::transfer_limit).
    pub transfer_time: Duration,
    /// The maximum length of a body, in bytes of content.
    pub max_body: u64,
    /// Time for which input is read and dropped after an answer that ends the connection, if the client keeps sending.
    pub linger_timeout: Duration,
    /// Limit on the bytes of an unwanted body that are read and dropped after an answer that ends the connection. At
    /// most the announced length is dropped.
    pub max_drain: u64,
    /// Time for which running requests may continue after a shutdown has begun.
    pub grace: Duration,
}

impl Settings {
    /// The minimum number of bytes that a client has to send or receive within a window. It is at least 1: even without
    /// a minimum rate, complete silence is too slow.
    pub(super) fn least_in_window(&self) -> u64 {
        let seconds = self.pace_window.as_secs().max(1);
        self.min_rate.saturating_mul(seconds).max(1)
    }

    /// Time limit for a whole body or a whole answer of `len` bytes: [`transfer_time`](Self::transfer_time) plus the
    /// time that `len` bytes take at twice the minimum rate. So a client may drop to the minimum rate for a while, but
    /// its average over a long transfer must be better. Without a minimum rate there is no limit.
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
