//! A progress line at the bottom of the terminal. Prints nothing without a terminal, and nothing about short work.

use crate::{cli::terminal::harmless, job::Progress};
use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

/// Duration of work before a progress line appears.
const PATIENCE: Duration = Duration::from_secs(1);
/// Minimum time between two changes of the line.
pub(super) const PAUSE: Duration = Duration::from_millis(200);
/// The longest line, in characters: it fits into 80 columns, so that it never wraps and can be cleared.
const WIDTH: usize = 76;

/// The progress line; see the module.
pub(super) struct Line {
    shows: bool,
    began: Instant,
    /// Time at which the line was last written; `None` if it is not on the screen.
    shown: Option<Instant>,
}

impl Line {
    /// A line for work that begins now.
    pub(super) fn new() -> Self {
        Self {
            shows: io::stderr().is_terminal(),
            began: Instant::now(),
            shown: None,
        }
    }

    /// The moment at which the work began.
    pub(super) fn began(&self) -> Instant {
        self.began
    }

    /// Shows the progress on a terminal, but not in the first second of the work, and not more often than [`PAUSE`]
    /// allows.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        let early = self.began.elapsed() < PATIENCE;
        let recent = self.shown.is_some_and(|shown| shown.elapsed() < PAUSE);
        if !self.shows || early || recent {
            return;
        }
        self.shown = Some(Instant::now());
        let text: String = harmless(&text()).chars().take(WIDTH).collect();
        // `\r` returns to the beginning of the line, and `ESC [ K` erases it to its end (ECMA-48, 8.3.41).
        write(&format!("\r\x1b[K{text}"));
    }

    /// Clears the line, so that something else can be printed.
    pub(super) fn clear(&mut self) {
        if self.shown.take().is_some() {
            write("\r\x1b[K");
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.clear();
    }
}

fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    // A failed write means that the terminal is gone.
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

/// Estimated time left, from the share of the work done so far: `, about 5 s left`. Empty while too little is done for
/// an estimate, and when all is done.
pub(super) fn left(elapsed: Duration, done: u64, all: u64) -> String {
    /// Minimum share of the work, in per cent, at which the estimate is shown.
    const ENOUGH: u64 = 5;
    if done == 0 || done >= all || done.saturating_mul(100) / all < ENOUGH {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * (all - done) as f64 / done as f64;
    format!(", about {} s left", seconds.ceil())
}

/// Progress of a conversion in per cent. `None` while it is unknown.
pub(super) fn per_cent(progress: Progress) -> Option<u64> {
    let Progress { done, total, .. } = progress;
    (total > 0).then(|| done.min(total).saturating_mul(100) / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_shown_once_it_can_be_estimated() {
        let elapsed = Duration::from_secs(10);
        assert_eq!(left(elapsed, 0, 100), "");
        assert_eq!(left(elapsed, 4, 100), "");
        assert_eq!(left(elapsed, 25, 100), ", about 30 s left");
        assert_eq!(left(elapsed, 1, 3), ", about 20 s left");
        assert_eq!(left(elapsed, 3, 3), "");
    }
}
