//! Classifies the end of a child in the middle of a job: its decoder failed, or another process killed it. Waits for
//! nothing.

use rustix::process::{Resource, Signal, getrlimit};
use std::{fmt, os::unix::process::ExitStatusExt, process::ExitStatus};

/// End of a child process.
pub(super) enum ChildEnd {
    /// The child had already ended, with this status.
    Ended(ExitStatus),
    /// The child had not ended, so this process killed it.
    Killed,
}

/// Cause of a child's end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The decoder, or this process because the child had sent an invalid message.
    Itself,
    /// The child aborted: its decoder failed, or a thread could not be started for lack of memory.
    Aborted,
    /// The limit on the size of files that the service was started with (`ulimit -f`).
    LimitOnFiles,
    /// The kernel, for lack of memory, or an operator.
    Others,
}

impl ChildEnd {
    /// Decides on the cause. `max_output` is the service's own limit on the size of files, in bytes.
    pub(super) fn cause(&self, max_output: u64) -> Cause {
        let Self::Ended(status) = self else {
            return Cause::Itself;
        };
        let inherited = getrlimit(Resource::Fsize).maximum;
        match status.signal().and_then(Signal::from_named_raw) {
            // A decoder that is under an attacker's control may end in any way, and so may a decoder that overflows
            // its stack.
            None
            | Some(
                Signal::SEGV | Signal::BUS | Signal::ILL | Signal::FPE | Signal::TRAP | Signal::SYS,
            ) => Cause::Itself,
            Some(Signal::ABORT) => Cause::Aborted,
            Some(Signal::XFSZ) if inherited.is_some_and(|most| most < max_output) => {
                Cause::LimitOnFiles
            }
            Some(Signal::XFSZ) => Cause::Itself,
            Some(_) => Cause::Others,
        }
    }
}

impl fmt::Display for ChildEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended(status) => status.fmt(f),
            Self::Killed => f.write_str("it had not ended, and was killed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signal_tells_why_a_child_ended() {
        #[track_caller]
        fn check(status: i32, expected: Cause) {
            let fate = ChildEnd::Ended(ExitStatus::from_raw(status));
            assert_eq!(fate.cause(u64::MAX), expected, "{status}");
        }
        let by = |signal: Signal| signal.as_raw();
        for signal in [Signal::SEGV, Signal::BUS, Signal::SYS] {
            check(by(signal), Cause::Itself);
        }
        check(by(Signal::ABORT), Cause::Aborted);
        for signal in [Signal::KILL, Signal::HUP, Signal::QUIT, Signal::XCPU] {
            check(by(signal), Cause::Others);
        }
        // Exit codes are in the second byte.
        check(0, Cause::Itself);
        check(101 << 8, Cause::Itself);
        assert_eq!(ChildEnd::Killed.cause(u64::MAX), Cause::Itself);
    }
}
