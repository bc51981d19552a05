//! Redis's report about itself: its free memory, and whether its settings are safe for stored data.

use super::{connection::field, pool::Link};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Share of Redis's memory, in per cent, beyond which uploads are refused.
const NEARLY_FULL: u64 = 95;

/// Limit on remembered conversions that have ended.
const MAX_ENDED: u64 = 1_000_000;
/// Divisor of Redis's memory limit: remembered conversions may take a sixteenth of it.
const SHARE_OF_ENDED: u64 = 16;
/// Memory of a remembered conversion in bytes: an entry of a sorted set, by the growth of `used_memory`.
const ENDED_BYTES: u64 = 160;

/// Redis's last report about itself.
#[derive(Default)]
pub(super) struct ServerInfo {
    /// Memory that Redis uses, in bytes.
    pub(super) memory: AtomicU64,
    /// Redis's memory limit in bytes; 0 for no limit.
    pub(super) limit: AtomicU64,
    /// Conversions that wait or run, on all instances.
    pub(super) processing: AtomicU64,
    /// Conversions that have not ended, on all instances.
    pub(super) live: AtomicU64,
    /// Capacity for results and uploads, in bytes, including the space that is already used; 0 without a limit, or
    /// before the first report.
    room: AtomicU64,
    was_warned: AtomicBool,
}

impl ServerInfo {
    /// Returns whether Redis has so little memory left that uploads must be refused.
    pub(super) fn is_nearly_full(&self) -> bool {
        let limit = self.limit.load(Ordering::Acquire);
        let memory = self.memory.load(Ordering::Acquire);
        limit > 0 && memory > limit / 100 * NEARLY_FULL
    }

    /// Number of ended conversions that may be remembered.
    pub(super) fn most_ended(&self) -> u64 {
        match self.limit.load(Ordering::Acquire) {
            0 => MAX_ENDED,
            limit => (limit / SHARE_OF_ENDED / ENDED_BYTES).min(MAX_ENDED),
        }
    }

    /// Capacity for results and uploads in bytes, including the space that is already used. `None` without a limit, or
    /// before the first report.
    pub(super) fn room(&self) -> Option<u64> {
        Some(self.room.load(Ordering::Acquire)).filter(|&room| room > 0)
    }

    /// Asks Redis for its memory. The first time, also warns of settings under which it could lose stored data or use
    /// up the memory of its host.
    pub(super) fn ask(&self, link: &Link) {
        // Memory and stored bytes are requested together, because the capacity is computed from both: they must be of
        // the same moment.
        let ask = |section: &[u8]| {
            let replies = link.run(|batch| {
                batch.add(&[b"INFO", section]);
                batch.add(&[b"HGET", super::BYTES.as_bytes(), b"all"]);
            });
            let texts = replies.unwrap_or_default();
            let mut texts = texts.iter().map(|reply| reply.text().unwrap_or_default());
            [texts.next(), texts.next()].map(Option::unwrap_or_default)
        };
        let [memory, stored] = ask(b"memory");
        let number = |name: &str| field(&memory, name).and_then(|value| value.parse().ok());
        let (Some(used), Some(limit)) = (number("used_memory"), number("maxmemory")) else {
            return;
        };
        self.memory.store(used, Ordering::Release);
        self.limit.store(limit, Ordering::Release);
        let free = (limit / 100 * NEARLY_FULL).saturating_sub(used);
        let room = match limit {
            0 => 0,
            _ => stored.parse().unwrap_or(0) + free,
        };
        self.room.store(room, Ordering::Release);
        if self.was_warned.swap(true, Ordering::AcqRel) {
            return;
        }
        if field(&ask(b"persistence")[0], "aof_enabled") == Some("0") {
            log::warn!(
                "the shared store keeps no append-only file: if it restarts, every link is lost; set appendonly yes there"
            );
        }
        if limit == 0 {
            log::warn!(
                "the shared store has no limit on its memory: set maxmemory there, to at most half of the memory of its host"
            );
        }
        let policy = field(&memory, "maxmemory_policy").unwrap_or("noeviction");
        if policy != "noeviction" {
            log::warn!(
                "the shared store may evict results ({policy}): set maxmemory-policy noeviction there"
            );
        }
    }
}
