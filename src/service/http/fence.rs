//! A fence around the application: a panic in it ends one request, but neither the thread nor the connection. Logs
//! nothing, because the panic hook does.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work` and returns its result; `None` if it panics.
pub(super) fn fenced<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
