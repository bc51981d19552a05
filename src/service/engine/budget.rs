//! The memory budget: a number of bytes from which jobs reserve before they allocate. Measures nothing itself.
//!
//! Jobs are served in the order of their requests, so that small ones cannot starve a large one. A job that already
//! holds memory and asks for more goes to the front, because it cannot give back what it is using: if it waited behind
//! jobs that wait for its memory, none of them could continue.
//!
//! The trap: if all jobs hold memory and all wait for more, they would wait for one another for ever. So when every
//! holder waits, the first of them gives up its reservation, though not the memory itself, and goes to the end of the
//! queue. The budget is then exceeded for a while, which is better than a deadlock.
//!
//! Small uploads borrow unused memory ([`Budget::lend`]), a sixteenth of the budget at most. A loan is repaid after the
//! conversion of its upload, and that conversion may itself wait for memory. So if no running job will give back
//! memory, a waiting job does not wait for loans, and the budget is exceeded by up to that sixteenth.
//!
//! A small job does not wait behind jobs that hold or want the whole budget, because the conversion of an icon must not
//! wait a minute for the memory of another client's panorama. Another sixteenth, beyond the budget, is reserved for
//! small jobs. If that is less than one icon needs, the reserve is the need of one icon. But if an icon needs more than
//! an eighth of the budget, the reserve stays a sixteenth.

use crate::error::{Error, Kind, Result};
use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Memory for the conversion of an icon, in bytes.
const ICON: u64 = 6 << 20;

/// A number of bytes that all running jobs share. Requests are served in order, so that small jobs cannot starve a
/// large one.
#[derive(Debug)]
pub(crate) struct Budget {
    total: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    free: u64,
    /// The tickets of waiting permits, in the order in which they are served.
    waiting: VecDeque<u64>,
    next_ticket: u64,
    /// Number of permits that hold memory of the budget.
    holders: usize,
    /// Number of those permits that wait for more memory.
    growing: usize,
    /// Memory lent to uploads, in bytes. It is not subtracted from `free`.
    lent: u64,
    /// Memory of small jobs beyond the budget, in bytes.
    small: u64,
}

/// Borrowed bytes. Dropping this value gives them back.
#[derive(Debug)]
pub struct Loan {
    budget: Arc<Budget>,
    bytes: u64,
}

/// Reserved bytes. Dropping this value gives them back.
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    budget: &'a Budget,
    bytes: u64,
    /// Memory beyond the budget, in bytes, for a job that needs little. It is given back when the job gets memory from
    /// the budget.
    small: u64,
}

impl Budget {
    /// A budget of `total` bytes.
    pub(crate) fn new(total: u64) -> Self {
        let state = State {
            free: total,
            ..State::default()
        };
        Self {
            total,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// A permit that holds nothing yet.
    pub(crate) fn permit(&self) -> Permit<'_> {
        Permit {
            budget: self,
            bytes: 0,
            small: 0,
        }
    }

    /// Lends `bytes` of unused memory. Never waits: returns `None` if too little memory is free, if jobs wait for
    /// memory, or if more than a sixteenth of the budget would be lent.
    pub(crate) fn lend(self: &Arc<Self>, bytes: u64) -> Option<Loan> {
        let mut state = self.lock();
        let lent = state.lent + bytes;
        if lent > self.total / 16 || lent > state.free || !state.waiting.is_empty() {
            return None;
        }
        state.lent = lent;
        Some(Loan {
            budget: self.clone(),
            bytes,
        })
    }

    /// Bytes that are held or lent.
    pub(crate) fn reserved(&self) -> u64 {
        let state = self.lock();
        self.total - state.free.min(self.total) + state.lent + state.small
    }

    /// Returns whether a job of `bytes` may take its memory from the reserve for small jobs. Other jobs hold `small`
    /// bytes of that reserve.
    fn is_small(&self, bytes: u64, small: u64) -> bool {
        let icon = if self.total / 8 < ICON { 0 } else { ICON };
        // Except for an icon, a small job may have at most a quarter of the reserve, so that several fit into it.
        bytes <= icon.max(self.total / 64) && small + bytes <= icon.max(self.total / 16)
    }

    /// Locks the state, also after a panic of another thread: every change to it is completed under one lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit<'_> {
    /// Changes the reservation to `bytes`. Waits until they are free and every earlier request has been served. A
    /// request that lowers the reservation does not wait, nor does a small job that fits into the reserve for small
    /// jobs. During the wait, `check` is called about every 100 ms and after every change; its error ends the wait.
    ///
    /// The permit keeps what it holds while it waits, because that memory is in use. So permits that hold something are
    /// served before those that hold nothing. If all holders wait for more, the first of them gives up its reservation
    /// and goes to the end of the queue: exceeding the budget for a while is better than a deadlock.
    ///
    /// Errors: [`Kind::BadInput`] if `bytes` exceeds the whole budget, and any error of `check`.
    pub(crate) fn resize(&mut self, bytes: u64, check: impl Fn() -> Result<()>) -> Result<()> {
        let budget = self.budget;
        if bytes > budget.total {
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "the conversion needs {} MiB of memory, and {} MiB are allowed (--memory)",
                    bytes.div_ceil(1 << 20),
                    budget.total >> 20
                ),
            ));
        }
        if bytes <= self.small {
            return Ok(());
        }
        let mut state = budget.lock();
        let has_to_wait =
            !state.waiting.is_empty() || state.free.saturating_sub(state.lent) < bytes;
        if self.bytes == 0 && has_to_wait && budget.is_small(bytes, state.small - self.small) {
            state.small += bytes - self.small;
            self.small = bytes;
            return Ok(());
        }
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        if self.bytes > 0 {
            state.waiting.push_front(ticket);
            state.growing += 1;
        } else {
            state.waiting.push_back(ticket);
        }
        let result = loop {
            let more = bytes.saturating_sub(self.bytes);
            let is_first = state.waiting.front() == Some(&ticket);
            // Loans are repaid by conversions that may themselves wait for memory. So this job leaves the lent memory
            // free only while another job runs, which will give back memory.
            let others_run = state.holders > state.growing;
            let lent = if others_run { state.lent } else { 0 };
            if more == 0 || is_first && state.free.saturating_sub(lent) >= more {
                break Ok(());
            }
            if is_first && self.bytes > 0 && state.growing == state.holders {
                state.growing -= 1;
                self.hold(&mut state, 0);
                state.waiting.rotate_left(1);
                budget.changed.notify_all();
                continue;
            }
            if let Err(error) = check() {
                break Err(error);
            }
            let wait = Duration::from_millis(100);
            state = budget
                .changed
                .wait_timeout(state, wait)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        };
        state.waiting.retain(|&waiting| waiting != ticket);
        if self.bytes > 0 {
            state.growing -= 1;
        }
        if result.is_ok() {
            state.small -= std::mem::take(&mut self.small);
            self.hold(&mut state, bytes);
        }
        budget.changed.notify_all();
        result
    }

    /// Changes the amount that a permit holds, and updates the free memory and the number of holders. The free memory
    /// must suffice.
    fn hold(&mut self, state: &mut State, bytes: u64) {
        state.holders -= usize::from(self.bytes > 0);
        state.holders += usize::from(bytes > 0);
        state.free = state.free + self.bytes - bytes;
        self.bytes = bytes;
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.budget.lock().lent -= self.bytes;
        self.budget.changed.notify_all();
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let budget = self.budget;
        let mut state = budget.lock();
        state.small -= self.small;
        self.hold(&mut state, 0);
        drop(state);
        budget.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc, thread};

    fn holding(budget: &Budget, bytes: u64) -> Permit<'_> {
        let mut permit = budget.permit();
        permit.resize(bytes, || Ok(())).unwrap();
        permit
    }

    fn until(budget: &Budget, is_so: impl Fn(&State) -> bool) {
        while !is_so(&budget.lock()) {
            thread::yield_now();
        }
    }

    #[test]
    fn memory_is_granted_in_order_and_returned() {
        let budget = Budget::new(10);
        let (sender, order) = mpsc::channel();
        thread::scope(|scope| {
            let held = holding(&budget, 6);
            // The small request would fit into the memory that is free now, but not in addition to the large one. So
            // the messages arrive in order.
            for (name, bytes) in [("large", 8), ("small", 3)] {
                let (sender, budget) = (sender.clone(), &budget);
                scope.spawn(move || {
                    let _permit = holding(budget, bytes);
                    sender.send(name).unwrap();
                });
                let queued = if name == "large" { 1 } else { 2 };
                until(budget, |state| state.waiting.len() == queued);
            }
            assert!(order.try_recv().is_err(), "small overtook large");
            drop(held);
            assert_eq!(order.recv().unwrap(), "large");
            assert_eq!(order.recv().unwrap(), "small");
        });
        assert_eq!(budget.lock().free, 10);
        assert_eq!(budget.lock().holders, 0);
    }

    #[test]
    fn only_unused_memory_is_lent_and_loans_delay_no_job() {
        let budget = Arc::new(Budget::new(160));
        assert!(budget.lend(11).is_none(), "more than a sixteenth");
        let running = holding(&budget, 155);
        assert!(budget.lend(6).is_none(), "it is in use");
        let loan = budget.lend(5).unwrap();
        assert_eq!(budget.reserved(), 160);
        thread::scope(|scope| {
            let next = scope.spawn(|| drop(holding(&budget, 5)));
            until(&budget, |state| state.waiting.len() == 1);
            assert!(budget.lend(0).is_none(), "somebody waits");
            drop(loan);
            next.join().unwrap();
        });
        drop(running);
        // A job that waited for the memory of its own upload would wait for ever.
        let loan = budget.lend(10).unwrap();
        drop(holding(&budget, 160));
        drop(loan);
        assert_eq!(budget.reserved(), 0);
    }

    #[test]
    fn a_job_keeps_its_memory_while_it_waits_for_more() {
        let budget = Budget::new(10);
        let (sender, order) = mpsc::channel();
        thread::scope(|scope| {
            let other = holding(&budget, 5);
            let mut growing = holding(&budget, 4);
            let (newcomer, shared) = (sender.clone(), &budget);
            scope.spawn(move || {
                let _permit = holding(shared, 2);
                newcomer.send("newcomer").unwrap();
            });
            until(&budget, |state| state.waiting.len() == 1);
            let grown = sender.clone();
            scope.spawn(move || {
                growing.resize(9, || Ok(())).unwrap();
                grown.send("grown").unwrap();
            });
            until(&budget, |state| state.waiting.len() == 2);
            assert_eq!(budget.lock().free, 1, "something was given away");
            drop(other);
            assert_eq!(order.recv().unwrap(), "grown");
            assert_eq!(order.recv().unwrap(), "newcomer");
        });
        assert_eq!(budget.lock().free, 10);
        assert_eq!(budget.lock().growing, 0);
    }

    #[test]
    fn jobs_that_wait_for_one_another_continue() {
        let budget = Budget::new(10);
        thread::scope(|scope| {
            let permits = [holding(&budget, 4), holding(&budget, 4)];
            for mut permit in permits {
                scope.spawn(move || permit.resize(8, || Ok(())).unwrap());
            }
        });
        assert_eq!(budget.lock().free, 10);
        assert_eq!(budget.lock().holders, 0);
    }

    #[test]
    fn small_jobs_do_not_wait_for_large_ones() {
        let budget = Budget::new(640);
        let all = holding(&budget, 640);
        let icons: Vec<_> = (0..4).map(|_| holding(&budget, 10)).collect();
        assert_eq!((budget.reserved(), budget.lock().free), (680, 0));
        let no = || Err(Error::new(Kind::Disconnected, "has to wait"));
        assert!(budget.permit().resize(10, no).is_err(), "a fifth one");
        assert!(budget.permit().resize(11, no).is_err(), "it is not small");
        drop(all);
        let mut grown = icons;
        for icon in &mut grown {
            icon.resize(7, no).unwrap();
            icon.resize(160, no).unwrap();
        }
        let state = budget.lock();
        assert_eq!((state.small, state.free), (0, 0));
        drop(state);
        drop(grown);
        assert_eq!(budget.reserved(), 0);
    }

    #[test]
    fn an_icon_counts_as_small_if_an_eighth_of_the_budget_is_enough() {
        let no = || Err(Error::new(Kind::Disconnected, "has to wait"));
        let check = |total: u64, is_small: bool| {
            let budget = Budget::new(total << 20);
            let _all = holding(&budget, total << 20);
            let mut icon = budget.permit();
            assert_eq!(icon.resize(5 << 20, no).is_ok(), is_small, "{total}");
            assert!(budget.permit().resize(5 << 20, no).is_err(), "one alone");
        };
        check(64, true);
        check(48, true);
        check(47, false);
    }

    #[test]
    fn a_smaller_size_is_granted_at_once() {
        let budget = Budget::new(10);
        let mut permit = holding(&budget, 10);
        permit.resize(3, || Ok(())).unwrap();
        assert_eq!(budget.lock().free, 7);
    }

    #[test]
    fn impossible_and_cancelled_requests_are_refused() {
        let budget = Budget::new(10);
        let mut permit = budget.permit();
        assert_eq!(
            permit.resize(11, || Ok(())).unwrap_err().kind(),
            Kind::BadInput
        );
        let _all = holding(&budget, 10);
        let gone = || Err(Error::new(Kind::Disconnected, "gone"));
        assert_eq!(
            permit.resize(1, gone).unwrap_err().kind(),
            Kind::Disconnected
        );
        assert!(budget.lock().waiting.is_empty());
    }
}
