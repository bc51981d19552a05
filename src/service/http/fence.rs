//! A panic guard around calls of the application: a panic ends one request, but does not end the thread. Logs nothing,
//! because the panic hook does.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work` and returns its result; `None` if it panics.
pub(super) fn fenced<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
