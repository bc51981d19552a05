//! Memory as a quantity that jobs reserve before they allocate. Measures nothing itself.

use crate::error::{Error, Kind, Result};
use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// A number of bytes that all running jobs share. Whoever asks first is served first, so that a large job
/// cannot be starved by small ones.
#[derive(Debug)]
pub(super) struct Budget {
    total: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    free: u64,
    /// Tickets of those who wait, in order.
    waiting: VecDeque<u64>,
    next_ticket: u64,
}

/// Reserved bytes; given back when dropped.
#[derive(Debug)]
pub(super) struct Permit<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Budget {
    /// A budget of `total` bytes.
    pub(super) fn new(total: u64) -> Self {
        let state = State {
            free: total,
            waiting: VecDeque::new(),
            next_ticket: 0,
        };
        Self {
            total,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// All bytes, reserved or not.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Waits until `bytes` are free and everybody who asked earlier has been served. `check` is
    /// asked some times a second whether waiting still makes sense.
    ///
    /// Errors: [`Kind::BadInput`] if `bytes` is more than there is in all, and whatever `check` says.
    pub(super) fn reserve(&self, bytes: u64, check: impl Fn() -> Result<()>) -> Result<Permit<'_>> {
        if bytes > self.total {
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "the conversion needs {} MiB of memory, and this service allows {} MiB",
                    bytes.div_ceil(1 << 20),
                    self.total >> 20
                ),
            ));
        }
        let mut state = self.lock();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.waiting.push_back(ticket);
        loop {
            if state.waiting.front() == Some(&ticket) && state.free >= bytes {
                state.waiting.pop_front();
                state.free -= bytes;
                self.changed.notify_all();
                return Ok(Permit {
                    budget: self,
                    bytes,
                });
            }
            if let Err(err) = check() {
                state.waiting.retain(|&waiting| waiting != ticket);
                self.changed.notify_all();
                return Err(err);
            }
            let wait = Duration::from_millis(100);
            state = self
                .changed
                .wait_timeout(state, wait)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.budget.lock().free += self.bytes;
        self.budget.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc, thread};

    #[test]
    fn serves_in_order_and_takes_back() {
        let budget = Budget::new(10);
        let (sender, order) = mpsc::channel();
        thread::scope(|scope| {
            let held = budget.reserve(6, || Ok(())).unwrap();
            // The small one would fit beside what is held, but not beside the large one: what they say comes in order.
            for (name, bytes) in [("large", 8), ("small", 3)] {
                let (sender, budget) = (sender.clone(), &budget);
                scope.spawn(move || {
                    let _permit = budget.reserve(bytes, || Ok(())).unwrap();
                    sender.send(name).unwrap();
                });
                let queued = if name == "large" { 1 } else { 2 };
                while budget.lock().waiting.len() < queued {
                    thread::yield_now();
                }
            }
            assert!(order.try_recv().is_err(), "small overtook large");
            drop(held);
            assert_eq!(order.recv().unwrap(), "large");
            assert_eq!(order.recv().unwrap(), "small");
        });
        assert_eq!(budget.lock().free, 10);
    }

    #[test]
    fn refuses_what_can_never_be_granted_and_what_is_no_longer_wanted() {
        let budget = Budget::new(10);
        assert_eq!(
            budget.reserve(11, || Ok(())).unwrap_err().kind(),
            Kind::BadInput
        );
        let _all = budget.reserve(10, || Ok(())).unwrap();
        let gone = || Err(Error::new(Kind::Disconnected, "gone"));
        assert_eq!(
            budget.reserve(1, gone).unwrap_err().kind(),
            Kind::Disconnected
        );
        assert!(budget.lock().waiting.is_empty());
    }
}
