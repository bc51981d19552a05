//! Signals that end the program: the first SIGTERM or SIGINT in good order, and a second one immediately.

use crate::error::{Error, Result};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    iterator::Signals,
};
use std::thread;

/// Calls a function, in a thread of its own, when the first signal arrives. A second signal ends the process.
///
/// Errors: those of the registration of a handler and of the start of a thread.
pub(super) fn on_first(first: impl FnOnce() + Send + 'static) -> Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGINT])
        .map_err(|err| Error::internal("signals cannot be received", err))?;
    let wait = move || {
        let mut received = signals.forever();
        if received.next().is_some() {
            first();
        }
        if let Some(signal) = received.next() {
            // The exit code that a shell reports for a program that a signal ended.
            std::process::exit(128 + signal);
        }
    };
    // Nobody joins this thread, because it may wait for a signal that never comes.
    thread::Builder::new()
        .name("signals".into())
        .stack_size(64 << 10)
        .spawn(wait)
        .map_err(|err| Error::internal("a thread cannot be started", err))?;
    Ok(())
}
