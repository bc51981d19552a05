//! Limits on requests that wait for another download to end: their number and their time.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// Limit on the time that a request waits until another client has acknowledged the last bytes of its download.
const MAX_WAIT: Duration = Duration::from_millis(500);

/// Limits the number of workers that wait at the same time for other downloads to end. The limit is smaller than the
/// number of workers in the quick lane, so that waiting requests cannot occupy all of them.
#[derive(Debug, Default)]
pub struct Waiters(AtomicUsize);

const MAX_WAITERS: usize = 6;

impl Waiters {
    /// Calls `ask` with the time that it may wait: zero if too many requests are waiting already.
    pub(super) fn with<T>(&self, ask: impl FnOnce(Duration) -> T) -> T {
        let before = self.0.fetch_add(1, Ordering::AcqRel);
        let _waiting = Waiting(&self.0);
        ask(if before < MAX_WAITERS {
            MAX_WAIT
        } else {
            Duration::ZERO
        })
    }
}

/// A waiting request. It counts until it is dropped, even by a panic.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_panic_frees_its_place() {
        let waiters = Waiters::default();
        for _ in 0..=MAX_WAITERS {
            let ask = AssertUnwindSafe(|| waiters.with(|_| -> () { panic!("as a test") }));
            assert!(catch_unwind(ask).is_err());
        }
        assert_eq!(waiters.with(|wait| wait), MAX_WAIT);
    }
}
