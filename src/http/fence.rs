//! A fence around what an application does: a panic in it ends one request, and neither the thread nor the connection. Says nothing
//! about it, as the panic itself is logged.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work` and returns its result; `None` if it panics.
pub(super) fn fenced<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
