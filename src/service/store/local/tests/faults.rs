//! Fault injection for tests: every change to the disk asks here first. Not part of the service.

use std::{cell::Cell, io};

/// Fate of the changes that this thread makes to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// All changes succeed.
    Work,
    /// After this many changes, all fail: the process was killed, or the disk is full or gone.
    DieAfter(usize),
    /// After this many changes, one fails.
    FailOnceAfter(usize),
}

thread_local! {
    static PLAN: Cell<Plan> = const { Cell::new(Plan::Work) };
}

pub(super) fn set(plan: Plan) {
    PLAN.set(plan);
}

pub(super) fn plan() -> Plan {
    PLAN.get()
}

pub(in crate::store::local) fn step() -> io::Result<()> {
    let fault = || Err(io::Error::from(io::ErrorKind::StorageFull));
    let (next, result) = match PLAN.get() {
        Plan::Work => (Plan::Work, Ok(())),
        Plan::DieAfter(0) => (Plan::DieAfter(0), fault()),
        Plan::DieAfter(n) => (Plan::DieAfter(n - 1), Ok(())),
        Plan::FailOnceAfter(0) => (Plan::Work, fault()),
        Plan::FailOnceAfter(n) => (Plan::FailOnceAfter(n - 1), Ok(())),
    };
    PLAN.set(next);
    result
}
