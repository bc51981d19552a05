//! Accounts for the memory of a job as leases, which add up and are given back when they are dropped. Frees no memory
//! itself.
//!
//! The [`Gate`] grants the memory. It receives only the sum, so code that takes a lease need not know the leases of its
//! callers. A job within another job (for a file of an archive, or a picture of a document) has its own ledger, whose
//! sum is one lease of the outer ledger.
//!
//! A dropped lease is not reported to the gate immediately; a later request reports the smaller sum. Otherwise a
//! destructor would talk to another process, perhaps before the memory is really free.
//!
//! A refusal by the gate ends the whole job, although perhaps only one part of it is too large. So the ledger itself
//! refuses a lease that could never be granted.

use super::{Gate, Need, Progress};
use crate::error::{Error, Kind, Result};
use std::{
    cell::Cell,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Smallest surplus that a growing lease requests beyond its need, in bytes, so that small steps cause few requests.
const STEP: u64 = 1 << 20;
/// Largest surplus of a growing lease, in bytes: unused memory keeps other jobs waiting.
const MAX_ROOM: u64 = 4 << 20;

/// The sum of a job's leases, and the way to its gate.
pub struct Ledger<'a> {
    over: Over<'a>,
    state: Mutex<State>,
}

/// Recipient of the sum: the gate, or the ledger of the outer job.
#[derive(Clone, Copy)]
enum Over<'a> {
    Gate(&'a dyn Gate),
    Job(&'a Ledger<'a>),
}

#[derive(Clone, Copy, Default)]
struct State {
    /// Memory that the job reserves for itself, in bytes.
    own: u64,
    /// Memory of the job's leases, in bytes.
    leased: u64,
    /// Memory that was granted last, in bytes: at least `own` plus `leased`.
    granted: u64,
    /// Progress that was reported last.
    progress: Option<Progress>,
}

/// Memory that a job may use; given back when dropped.
pub struct Lease<'a> {
    ledger: &'a Ledger<'a>,
    bytes: Cell<u64>,
}

impl<'a> Ledger<'a> {
    /// The ledger of a whole job.
    pub fn new(gate: &'a dyn Gate) -> Self {
        Self::over(Over::Gate(gate))
    }

    /// The ledger of a job within another.
    pub(super) fn within(outer: &'a Ledger<'a>) -> Self {
        Self::over(Over::Job(outer))
    }

    fn over(over: Over<'a>) -> Self {
        Self {
            over,
            state: Mutex::default(),
        }
    }

    /// A lease of this many bytes. Blocks until they can be granted.
    ///
    /// Errors: [`Kind::BadInput`] if they are more than could ever be granted, and those of [`Gate::reserve`].
    pub(super) fn lease(&'a self, bytes: u64) -> Result<Lease<'a>> {
        let lease = self.empty_lease();
        lease.set_exactly(bytes)?;
        Ok(lease)
    }

    /// A lease of zero bytes.
    pub(super) fn empty_lease(&'a self) -> Lease<'a> {
        Lease {
            ledger: self,
            bytes: Cell::new(0),
        }
    }

    /// Changes a lease from `before` to `now` bytes. If that exceeds the grant, requests `extra` bytes more than
    /// needed.
    fn change(&self, before: u64, now: u64, extra: u64) -> Result<()> {
        let mut state = self.state();
        let mut after = *state;
        after.leased = after.leased.saturating_sub(before).saturating_add(now);
        let held = after.held();
        let spare = state.granted.saturating_sub(held);
        // A smaller sum is reported only if the difference is large enough to be worth a message. For a lease that may
        // soon grow again (`extra` is not 0), it is not reported.
        if held > state.granted || extra == 0 && spare > STEP.max(state.granted / 4) {
            after.granted = held.saturating_add(extra);
            self.lease_more(state.granted, after.granted)?;
        }
        *state = after;
        Ok(())
    }

    /// Reports a changed sum. Refuses a larger sum that could never be granted.
    fn lease_more(&self, before: u64, now: u64) -> Result<()> {
        let most = self.max_memory();
        // Requests are worst-case estimates. So a request of up to twice the budget is passed on, and the service then
        // grants the whole budget.
        if now > before && now / 2 > most {
            let text = format!(
                "it needs {} MiB of memory, more than the {} MiB that all conversions together may use (--memory)",
                now >> 20,
                most >> 20
            );
            return Err(Error::new(Kind::BadInput, text));
        }
        self.report(before, now)
    }

    /// Reports a new sum to the gate or to the outer ledger.
    fn report(&self, before: u64, now: u64) -> Result<()> {
        match self.over {
            Over::Job(outer) => outer.change(before, now, 0),
            Over::Gate(gate) => gate.reserve(Need { memory: now }),
        }
    }

    /// See [`Gate::max_memory`].
    pub fn max_memory(&self) -> u64 {
        self.gate().max_memory()
    }

    /// Reports progress, unless it goes backwards because the job repeats its work. Progress of a part is not progress
    /// of the whole and is dropped.
    pub fn progress(&self, progress: Progress) {
        let Over::Gate(gate) = self.over else {
            return;
        };
        let before = self.state().progress;
        let goes_back = |before: Progress| {
            (before.unit, before.total) == (progress.unit, progress.total)
                && progress.done < before.done
        };
        if !before.is_some_and(goes_back) {
            self.state().progress = Some(progress);
            gate.progress(progress);
        }
    }

    /// The gate of the whole job.
    fn gate(&self) -> &dyn Gate {
        match self.over {
            Over::Gate(gate) => gate,
            Over::Job(outer) => outer.gate(),
        }
    }

    /// Locks the state. A poisoned lock is ignored, because no panic can leave the state half changed.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn held(&self) -> u64 {
        self.own.saturating_add(self.leased)
    }
}

impl Gate for Ledger<'_> {
    /// Sets the memory of the job itself, in addition to its leases.
    fn reserve(&self, need: Need) -> Result<()> {
        let mut state = self.state();
        let mut after = *state;
        after.own = need.memory;
        after.granted = after.held();
        if after.granted != state.granted {
            self.report(state.granted, after.granted)?;
        }
        *state = after;
        Ok(())
    }

    fn max_output(&self) -> u64 {
        self.gate().max_output()
    }

    fn max_memory(&self) -> u64 {
        Ledger::max_memory(self)
    }

    fn check(&self) -> Result<()> {
        self.gate().check()
    }

    fn progress(&self, progress: Progress) {
        Ledger::progress(self, progress);
    }
}

impl Drop for Ledger<'_> {
    fn drop(&mut self) {
        if let Over::Job(outer) = self.over {
            let granted = self.state().granted;
            outer.give_back(granted);
        }
    }
}

impl Ledger<'_> {
    fn give_back(&self, bytes: u64) {
        let mut state = self.state();
        state.leased = state.leased.saturating_sub(bytes);
    }
}

impl Lease<'_> {
    /// Size in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Enlarges the lease by this many bytes.
    ///
    /// Errors: those of [`Job::lease`](super::Job::lease). The lease then keeps its size.
    pub fn grow(&self, more: u64) -> Result<()> {
        self.set(self.bytes().saturating_add(more))
    }

    /// Adds exactly this many bytes, without a surplus, for data whose final size is known.
    ///
    /// Errors: as of [`grow`](Self::grow).
    pub fn grow_exactly(&self, more: u64) -> Result<()> {
        self.set_exactly(self.bytes().saturating_add(more))
    }

    /// Changes the lease to this many bytes. Growth is requested with a surplus, so this may be called after every
    /// small step.
    ///
    /// Errors: as of [`grow`](Self::grow).
    pub fn set(&self, bytes: u64) -> Result<()> {
        self.change(bytes, (bytes / 4).clamp(STEP, MAX_ROOM))
    }

    /// Changes the lease to exactly this many bytes, without a surplus, for data whose final size is known.
    ///
    /// Errors: as of [`grow`](Self::grow).
    pub fn set_exactly(&self, bytes: u64) -> Result<()> {
        self.change(bytes, 0)
    }

    fn change(&self, bytes: u64, extra: u64) -> Result<()> {
        self.ledger.change(self.bytes(), bytes, extra)?;
        self.bytes.set(bytes);
        Ok(())
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.ledger.give_back(self.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gate that records the requested amounts.
    #[derive(Default)]
    struct Asked(Mutex<Vec<u64>>);

    impl Gate for Asked {
        fn reserve(&self, need: Need) -> Result<()> {
            self.0.lock().unwrap().push(need.memory);
            Ok(())
        }

        fn max_memory(&self) -> u64 {
            100 << 20
        }

        fn check(&self) -> Result<()> {
            Ok(())
        }

        fn progress(&self, _: Progress) {}
    }

    #[track_caller]
    fn check(expected: &[u64], work: impl FnOnce(&Ledger<'_>)) {
        let gate = Asked::default();
        work(&Ledger::new(&gate));
        let asked: Vec<_> = gate.0.lock().unwrap().iter().map(|n| n >> 20).collect();
        assert_eq!(asked, expected);
    }

    const MIB: u64 = 1 << 20;

    #[test]
    fn leases_add_up_and_are_given_back() {
        check(&[10, 30, 15], |ledger| {
            ledger.reserve(Need { memory: 10 * MIB }).unwrap();
            drop(ledger.lease(20 * MIB).unwrap());
            let _kept = ledger.lease(5 * MIB).unwrap();
        });
    }

    #[test]
    fn a_growing_lease_makes_few_requests() {
        check(&[8, 11, 15], |ledger| {
            let lease = ledger.lease(8 * MIB).unwrap();
            for _ in 0..3 {
                lease.grow(MIB).unwrap();
            }
            assert_eq!(lease.bytes(), 11 * MIB);
            lease.set(12 * MIB).unwrap();
        });
    }

    #[test]
    fn a_known_size_is_requested_exactly() {
        check(&[40, 60, 84], |ledger| {
            let lease = ledger.lease(40 * MIB).unwrap();
            lease.set_exactly(60 * MIB).unwrap();
            // A growing lease requests a surplus in advance, but less than a quarter of a large amount.
            lease.grow(20 * MIB).unwrap();
            lease.grow(4 * MIB).unwrap();
        });
    }

    #[test]
    fn a_part_adds_to_the_job_and_is_refused_alone() {
        check(&[10, 40, 15], |ledger| {
            ledger.reserve(Need { memory: 10 * MIB }).unwrap();
            let part = Ledger::within(ledger);
            part.reserve(Need { memory: 30 * MIB }).unwrap();
            let error = part.lease(200 * MIB).err().unwrap();
            assert_eq!(error.kind(), Kind::BadInput);
            drop(part);
            let _kept = ledger.lease(5 * MIB).unwrap();
        });
    }
}
