//! What the engine says about itself: how much memory it has left, and whether it is set up so that it keeps what it is given.

use super::link::Link;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Parts of the engine's memory, of 100, from which no upload is let in.
const NEARLY_FULL: u64 = 95;

/// What the engine last said about itself.
#[derive(Default)]
pub(super) struct Vitals {
    pub(super) memory: AtomicU64,
    /// 0 for no limit.
    pub(super) limit: AtomicU64,
    /// Conversions that wait or run, on all instances.
    pub(super) processing: AtomicU64,
    was_warned: AtomicBool,
}

impl Vitals {
    /// Whether the engine has so little memory left that no upload should be let in.
    pub(super) fn is_nearly_full(&self) -> bool {
        let limit = self.limit.load(Ordering::Acquire);
        let memory = self.memory.load(Ordering::Acquire);
        limit > 0 && memory > limit / 100 * NEARLY_FULL
    }

    /// Asks for its memory, and once whether it is set up so that it keeps what it is given.
    pub(super) fn ask(&self, link: &Link) {
        let ask = |section: &[u8]| {
            let replies = link.run(|batch| batch.add(&[b"INFO", section]));
            let text = replies.ok().and_then(|replies| replies.first()?.text());
            text.unwrap_or_default()
        };
        let memory = ask(b"memory");
        let number = |name: &str| field(&memory, name).and_then(|value| value.parse().ok());
        let (Some(used), Some(limit)) = (number("used_memory"), number("maxmemory")) else {
            return;
        };
        self.memory.store(used, Ordering::Release);
        self.limit.store(limit, Ordering::Release);
        if self.was_warned.swap(true, Ordering::AcqRel) {
            return;
        }
        if field(&ask(b"persistence"), "aof_enabled") == Some("0") {
            log::warn!(
                "the shared store keeps no append-only file: if it ends, every link is lost; set appendonly yes there"
            );
        }
        if limit == 0 {
            log::warn!(
                "the shared store has no limit on its memory: set maxmemory there, to half of what its host has at the most"
            );
        }
        let policy = field(&memory, "maxmemory_policy").unwrap_or("noeviction");
        if policy != "noeviction" {
            log::warn!(
                "the shared store may throw results away ({policy}): set maxmemory-policy noeviction there"
            );
        }
    }
}

/// A field of what INFO answers.
fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    info.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        .map(str::trim)
}
