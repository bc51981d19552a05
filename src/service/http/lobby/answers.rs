//! Sends answers, until the connection is free for the next request or can be closed. Never touches a disk: files are
//! sent by the quick lane.
//!
//! The end of an answer is the hard part. After a file, the connection waits until the client's kernel has acknowledged
//! every byte, because only then does the file count as delivered. After an answer that ends the connection, the
//! sending side is closed, and the client's remaining input is dropped for a while ("lingering"). If a socket were
//! closed with unread input, the kernel would send a reset, and the client would lose the answer that tells it why it
//! was refused.

use super::{Lobby, Phase, Resident, Slot, log_exchange};
use crate::http::{
    body::Unread,
    connection::{Fill, Pace},
    handler::Handler,
    head::{Framing, Head},
    outgoing::Progress,
    pool::{Lane, Returned, WorkerTask},
    refusal::Refusal,
    socket,
    status::Status,
};
use mio::{Interest, Token, unix::SourceFd};
use std::{
    io,
    os::fd::AsRawFd,
    time::{Duration, Instant},
};

/// Limit on the bytes of an unwanted body that are dropped in one turn.
const LINGER_TURN: u64 = 128 << 10;
/// Limit on input beyond the announced body that is dropped after an answer, in bytes. Such input is the beginning of
/// pipelined requests.
const LINGER_EXTRA: u64 = 64 << 10;
/// The longest pause between two checks of an outstanding acknowledgement.
const MAX_ACK_PAUSE: Duration = Duration::from_millis(50);

impl<H: Handler> Lobby<H> {
    pub(super) fn refuse(&mut self, key: usize, head: &Head, refusal: &Refusal, now: Instant) {
        let (response, date) = (self.handler.refuse(refusal, Some(head)), self.clock.date());
        if let Some(resident) = self.resident(key) {
            let keep = head.keep_alive
                && head.framing == Framing::None
                && refusal.status != Status::SERVICE_UNAVAILABLE;
            resident.connection.answer(response, Some(head), keep, date);
            self.send_and_go_on(key, now);
        }
    }

    /// Answers a head that cannot be parsed, and closes the connection afterwards, because it is unknown where the next
    /// request begins.
    pub(super) fn refuse_unreadable(&mut self, key: usize, refusal: &Refusal, now: Instant) {
        let (response, request_id) = (self.handler.refuse(refusal, None), self.ids.next());
        let date = self.clock.date();
        if let Some(resident) = self.resident(key) {
            resident.connection.begin_unreadable(request_id, now);
            resident.connection.answer(response, None, false, date);
            self.send_and_go_on(key, now);
        }
    }

    /// Sends the part of the answer that is in memory, and passes a file to a worker. Returns whether the next request
    /// can be read now.
    pub(super) fn send(&mut self, key: usize, now: Instant) -> bool {
        let Some(resident) = self.resident(key) else {
            return false;
        };
        let progress = resident.connection.pump_bytes();
        self.after(key, progress, now)
    }

    /// Like [`send`](Self::send), for callers that do not read the next request themselves: the connection is listed
    /// for a turn, because input that has arrived in the meantime raises no further event.
    pub(super) fn send_and_go_on(&mut self, key: usize, now: Instant) {
        if self.send(key, now) {
            self.go_on_later(key);
        }
    }

    /// Chooses what follows one step of sending. Returns whether the next request can be read now.
    fn after(&mut self, key: usize, progress: io::Result<Progress>, now: Instant) -> bool {
        let Some(resident) = self.resident(key) else {
            return false;
        };
        resident.connection.pace.get_or_insert(Pace {
            began: now,
            since: now,
            acknowledged: 0,
        });
        match progress {
            Ok(Progress::Done) => return self.finish(key, now),
            Ok(Progress::Blocked) => {
                resident.phase = Phase::Sending;
                self.weigh(key);
            }
            Ok(Progress::Yielded) => self.resume(key, now),
            Ok(Progress::Unacknowledged) => {
                let pause = Duration::from_millis(1);
                resident.phase = Phase::Unacknowledged {
                    next: now + pause,
                    pause,
                };
                self.unacknowledged.push(key);
                // If the acknowledgement came while a worker had the connection, no further event will report it, so it
                // is checked now.
                self.look_for_acknowledgement(key, now);
            }
            Err(err) => {
                log::debug!("an answer could not be sent: {err}");
                self.close(key);
            }
        }
        false
    }

    /// Passes the connection to a worker that continues with its file, now or when the quick lane accepts another task.
    pub(super) fn resume(&mut self, key: usize, now: Instant) {
        self.work(key, WorkerTask::Resume, now);
    }

    /// Ends an exchange whose answer has been sent. Returns whether the next request can be read now.
    fn finish(&mut self, key: usize, now: Instant) -> bool {
        let Some(Slot::Here(resident)) = self.slots.get_mut(key) else {
            return false;
        };
        log_exchange(&*self.handler, &mut resident.connection, true, now);
        resident.since = now;
        resident.connection.shrink();
        if resident.connection.keep {
            resident.phase = Phase::Idle;
            return true;
        }
        let max = self.settings.max_drain;
        let announced = match resident.connection.unread {
            Unread::Announced(len) => len.min(max),
            Unread::Unknown => max,
        };
        resident.phase = Phase::Lingering {
            last_byte: now,
            left: announced.saturating_add(LINGER_EXTRA),
        };
        resident.connection.finish_sending();
        self.go_on_later(key);
        false
    }

    /// Reads and drops input that arrives after the answer. Closing the connection immediately would reset it, and the
    /// client could lose the answer.
    pub(super) fn linger(&mut self, key: usize, now: Instant) {
        let Self {
            slots,
            scratch,
            held,
            ..
        } = self;
        let Some(Slot::Here(resident)) = slots.get_mut(key) else {
            return;
        };
        let Phase::Lingering { last_byte, left } = &mut resident.phase else {
            return;
        };
        let mut dropped = 0;
        loop {
            let filled = resident.connection.fill(scratch);
            resident.connection.input = Vec::new();
            *held -= std::mem::take(&mut resident.held);
            match filled {
                Ok(Fill::Some(len)) if len as u64 <= *left => {
                    dropped += len as u64;
                    *left -= len as u64;
                    *last_byte = now;
                    if dropped >= LINGER_TURN {
                        return self.go_on_later(key);
                    }
                }
                Ok(Fill::Nothing) => return,
                Ok(Fill::Some(_) | Fill::End) | Err(_) => return self.close(key),
            }
        }
    }

    /// Takes back a connection from a worker, and continues with its answer.
    pub(super) fn take_back(&mut self, returned: Returned, now: Instant) {
        let Returned {
            key,
            connection,
            progress,
            lane,
        } = returned;
        if lane == Lane::Upload
            && let Some(Slot::Away(client)) = self.slots.get_mut(key)
        {
            self.uploads.give_back(*client);
        }
        let held = connection.weight();
        self.held += held;
        let blocked = matches!(progress, Ok(Progress::Blocked));
        let fd = connection.stream.as_raw_fd();
        if let Some(slot) = self.slots.get_mut(key) {
            *slot = Slot::Here(Resident {
                connection,
                phase: Phase::Sending,
                since: now,
                held,
                listed: false,
            });
        }
        let free = match (lane, progress) {
            (Lane::Upload, Ok(_)) => self.send(key, now),
            (Lane::Quick, progress) | (Lane::Upload, progress @ Err(_)) => {
                self.after(key, progress, now)
            }
        };
        if free {
            self.go_on_later(key);
        }
        if blocked {
            // The socket may have become writable while the worker had the connection, and that event is gone.
            // Registering the socket again makes the poll report its current state.
            let interest = Interest::READABLE | Interest::WRITABLE;
            if self
                .poll
                .registry()
                .reregister(&mut SourceFd(&fd), Token(key), interest)
                .is_err()
            {
                self.close(key);
            }
        }
        match lane {
            Lane::Upload => self.serve_queue(now),
            Lane::Quick => self.serve_waiting(now),
        }
    }

    /// Continues with an answer that has been acknowledged, and gives up one that can no longer be acknowledged. Also
    /// called for every event of a connection that waits for an acknowledgement: a reset is an event, and so is an
    /// acknowledgement if the kernel reports it.
    pub(super) fn look_for_acknowledgement(&mut self, key: usize, now: Instant) {
        let Some(resident) = self.resident(key) else {
            return;
        };
        let stream = &resident.connection.stream;
        match socket::unacknowledged(stream) {
            // After a reset, the kernel still reports the bytes that were outstanding before it.
            Ok(1..) if socket::is_broken(stream) => {
                log::debug!("a client disconnected before it had received its whole answer");
                self.close(key);
            }
            Ok(1..) => {}
            // Everything has been acknowledged, or the call failed. The next step of sending distinguishes the two.
            Ok(0) | Err(_) => self.resume(key, now),
        }
    }

    /// Checks outstanding acknowledgements from time to time, for kernels that do not report them.
    pub(super) fn check_acknowledgements(&mut self, now: Instant) {
        let mut keys = std::mem::take(&mut self.unacknowledged);
        keys.retain(|&key| {
            let Some(resident) = self.resident(key) else {
                return false;
            };
            let Phase::Unacknowledged { next, pause, .. } = &mut resident.phase else {
                return false;
            };
            if now < *next {
                return true;
            }
            *pause = (*pause * 2).min(MAX_ACK_PAUSE);
            *next = now + *pause;
            self.look_for_acknowledgement(key, now);
            let still =
                |resident: &mut Resident| matches!(resident.phase, Phase::Unacknowledged { .. });
            self.resident(key).is_some_and(still)
        });
        self.unacknowledged.append(&mut keys);
    }
}
