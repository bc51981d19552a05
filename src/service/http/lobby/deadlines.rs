//! Deadlines of connections that wait, and the orderly shutdown. Checks every connection four times a second instead of
//! keeping timers, so deadlines may be late by a quarter of a second.

use super::{Lobby, Phase, Slot};
use crate::http::{
    connection::{Connection, Pace},
    handler::Handler,
    refusal::Refusal,
    settings::Settings,
    status::Status,
};
use std::time::{Duration, Instant};

/// Time after which a lingering connection is closed if the client sends nothing more.
const LINGER_SILENCE: Duration = Duration::from_secs(5);
/// Time by which a lingering connection may delay the shutdown.
const LINGER_AT_END: Duration = Duration::from_secs(1);
/// Period after an acknowledgement within which a reset means that the client ended before it read its answer.
const RECEIPT: Duration = Duration::from_secs(1);

impl<H: Handler> Lobby<H> {
    /// Does the periodic work: accepts connections again after a failure, opens spare descriptors, refuses queued
    /// uploads if all workers are stalled, and checks all deadlines.
    pub(super) fn tick(&mut self, now: Instant) {
        if std::mem::take(&mut self.accept_again) {
            self.accept(now);
        }
        self.keep_spares();
        if self.queued.taken() > 0 && self.pools.is_stalled(now) {
            self.refuse_queue(&Refusal::busy("too many uploads at once"), now);
        }
        let due: Vec<usize> = self
            .slots
            .iter()
            .filter(|(_, slot)| self.is_due(slot, now))
            .map(|(key, _)| key)
            .collect();
        for key in due {
            self.act_on_time(key, now);
        }
    }

    /// Returns whether a deadline of this connection has passed, so that [`act_on_time`](Self::act_on_time) has to be
    /// called.
    pub(super) fn is_due(&self, slot: &Slot, now: Instant) -> bool {
        let Slot::Here(resident) = slot else {
            return false;
        };
        let age = now.saturating_duration_since(resident.since);
        // The receipt has its own deadline. After it, the client has had enough time to reset the connection.
        if resident.connection.receipt.is_some() && age >= RECEIPT {
            return true;
        }
        match &resident.phase {
            Phase::Idle => age >= self.settings.idle_timeout,
            Phase::Head { .. } => age >= self.settings.head_timeout,
            // Connections in these phases wait for the service, not for the client, so they have no deadline.
            Phase::Queued(..) | Phase::Waiting(_) => false,
            Phase::Listening { until, .. } => now >= *until,
            Phase::Sending | Phase::Unacknowledged { .. } => {
                let looked = resident.connection.pace.map_or(now, |pace| pace.since);
                now.saturating_duration_since(looked) >= self.settings.pace_window
                    || is_late(&resident.connection, &self.settings, now)
            }
            Phase::Lingering { last_byte, .. } => {
                age >= self.settings.linger_timeout
                    || now.saturating_duration_since(*last_byte) >= LINGER_SILENCE
            }
        }
    }

    /// Acts on a connection whose deadline has passed, by its phase.
    pub(super) fn act_on_time(&mut self, key: usize, now: Instant) {
        let Some(Slot::Here(resident)) = self.slots.get_mut(key) else {
            return;
        };
        if resident.connection.receipt.take().is_some() {
            return;
        }
        match &mut resident.phase {
            Phase::Idle | Phase::Lingering { .. } => self.close(key),
            Phase::Queued(..) | Phase::Waiting(_) => {}
            Phase::Listening { .. } => self.end_wait(key, now),
            Phase::Head { .. } => {
                let detail = "the request head did not arrive in time";
                self.refuse_unreadable(key, &Refusal::new(Status::REQUEST_TIMEOUT, detail), now);
            }
            Phase::Sending | Phase::Unacknowledged { .. } => {
                let acknowledged = resident.connection.acknowledged();
                let before = resident.connection.pace.map_or(0, |pace| pace.acknowledged);
                if is_late(&resident.connection, &self.settings, now) {
                    log::debug!("a client takes too long to read its answer");
                    self.close(key);
                } else if acknowledged.saturating_sub(before) < self.settings.least_in_window() {
                    log::debug!("a client reads its answer too slowly");
                    self.close(key);
                } else {
                    let began = resident.connection.pace.map_or(now, |pace| pace.began);
                    resident.connection.pace = Some(Pace {
                        began,
                        since: now,
                        acknowledged,
                    });
                }
            }
        }
    }

    /// Takes a step of the shutdown: the first call refuses queued uploads and ends all waits for news, and every call
    /// checks whether work remains. Returns `None` while work remains. At the end, returns whether everything was
    /// finished, rather than cut off by the end of the grace period.
    pub(super) fn drain(&mut self, now: Instant) -> Option<bool> {
        if self.draining_since.is_none() {
            self.draining_since = Some(now);
            self.refuse_queue(&Refusal::busy("the service is shutting down"), now);
            self.end_all_waits(now);
        }
        let unfinished = self.slots.iter().any(|(_, slot)| match slot {
            Slot::Away(_) => true,
            Slot::Here(resident) => match resident.phase {
                Phase::Idle | Phase::Head { .. } => false,
                Phase::Lingering { .. } => {
                    now.saturating_duration_since(resident.since) < LINGER_AT_END
                }
                Phase::Queued(..)
                | Phase::Waiting(_)
                | Phase::Listening { .. }
                | Phase::Sending
                | Phase::Unacknowledged { .. } => true,
            },
        });
        let unfinished = unfinished || self.handler.is_busy();
        let late = self
            .draining_since
            .is_some_and(|since| now.saturating_duration_since(since) >= self.settings.grace);
        if !unfinished {
            Some(true)
        } else {
            late.then_some(false)
        }
    }
}

/// Returns whether the deadline for the whole answer has passed.
fn is_late(connection: &Connection, settings: &Settings, now: Instant) -> bool {
    connection
        .answer_deadline(settings)
        .is_some_and(|deadline| now >= deadline)
}
