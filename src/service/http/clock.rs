//! The clock. Only this file of the server asks the operating system for the time, so a test can make hours pass in a
//! moment.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

/// A clock that every part of a server shares.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// Milliseconds by which this clock is ahead of the machine's. Always 0 outside tests.
    ahead: Arc<AtomicU64>,
}

impl Clock {
    /// The time for deadlines and durations. It never goes back.
    pub(super) fn now(&self) -> Instant {
        Instant::now() + self.ahead()
    }

    /// The time of day, for people and for the `Date` field.
    pub(super) fn date(&self) -> SystemTime {
        SystemTime::now() + self.ahead()
    }

    /// Lets time pass.
    #[cfg(test)]
    pub(super) fn advance(&self, time: Duration) {
        let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.ahead.fetch_add(time, Ordering::Relaxed);
    }

    fn ahead(&self) -> Duration {
        Duration::from_millis(self.ahead.load(Ordering::Relaxed))
    }
}
