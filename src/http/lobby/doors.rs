//! Connections come and go. Decides who gets in, and who has to leave when it is too full; reads nothing.

use super::{Lobby, Phase, Resident, Slot, log_exchange};
use crate::http::{Handler, connection::Connection, network};
use mio::{Interest, Token, unix::SourceFd};
use std::{
    io,
    net::{SocketAddr, TcpStream},
    os::fd::AsRawFd,
    time::{Duration, Instant},
};

/// How many connections are taken in a row.
const TURN: usize = 64;
/// How long a connection that says nothing is taken to be about to speak.
const FRESH: Duration = Duration::from_secs(1);

impl<H: Handler> Lobby<H> {
    pub(super) fn accept(&mut self, now: Instant) {
        self.more_to_accept = false;
        let mut made_room = false;
        for _ in 0..TURN {
            match self.listener.accept() {
                Ok((stream, peer)) => {
                    made_room = false;
                    if let Err(err) = self.welcome(stream, peer, now) {
                        log::warn!("a connection could not be set up: {err}");
                    }
                }
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => return,
                Err(err)
                    if matches!(
                        err.kind(),
                        io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted
                    ) => {}
                Err(err) => {
                    // Descriptors or memory have run out. If making room does not help, it is tried again a little later.
                    if !std::mem::replace(&mut self.accept_again, true) {
                        log::warn!("accepting a connection failed: {err}");
                    }
                    if made_room || !self.evict(now) {
                        return;
                    }
                    made_room = true;
                }
            }
        }
        self.more_to_accept = true;
    }

    pub(super) fn welcome(
        &mut self,
        stream: TcpStream,
        peer: SocketAddr,
        now: Instant,
    ) -> io::Result<()> {
        let address = network(peer.ip());
        let limit = self.settings.max_connections_per_address;
        let counts =
            limit > 0 && (self.settings.limit_loopback || !peer.ip().to_canonical().is_loopback());
        if counts
            && self
                .addresses
                .get(&address)
                .is_some_and(|&open| open >= limit)
        {
            log::debug!("{} has {limit} connections already", peer.ip());
            return Ok(());
        }
        if self.slots.len() >= self.settings.max_connections && !self.evict(now) {
            return Ok(());
        }
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let fd = stream.as_raw_fd();
        self.accepted += 1;
        let resident = Resident {
            connection: Box::new(Connection::new(stream, peer, self.accepted)),
            phase: Phase::Idle,
            since: now,
            held: 0,
            listed: false,
        };
        let key = self.slots.insert(Slot::Here(resident));
        *self.addresses.entry(address).or_default() += 1;
        let interest = Interest::READABLE | Interest::WRITABLE;
        let registered = self
            .poll
            .registry()
            .register(&mut SourceFd(&fd), Token(key), interest);
        if registered.is_err() {
            self.close(key);
        }
        registered
    }

    /// Ends a connection that is here.
    pub(super) fn close(&mut self, key: usize) {
        drop(self.stop_listening(key));
        if let Some(Slot::Here(mut resident)) = self.slots.remove(key) {
            self.held -= resident.held;
            if matches!(resident.phase, Phase::Queued(_)) {
                self.queued -= 1;
                // Or connections that come, queue and go would fill it.
                self.queue.retain(|&queued| queued != key);
            }
            log_exchange(
                &*self.handler,
                &mut resident.connection,
                false,
                Instant::now(),
            );
            let address = network(resident.connection.peer.ip());
            if let Some(open) = self.addresses.get_mut(&address) {
                *open -= 1;
                if *open == 0 {
                    self.addresses.remove(&address);
                }
            }
            // Closing the descriptor takes it out of the poll.
        }
    }

    /// Closes the connection that has been idle for the longest time, or else the one that has been sending its head, or
    /// not reading an answer from memory, for the longest time. A download is left alone. Whether there was one.
    ///
    /// Who has only just come, or has only just been answered, counts as being about to send a head. As an idle one it would have
    /// to go before any of those who drip theirs, and under a flood of these nobody would have the time to send a request.
    pub(super) fn evict(&mut self, now: Instant) -> bool {
        let rank = |(key, slot): (usize, &Slot)| {
            let Slot::Here(resident) = slot else {
                return None;
            };
            let class = match &resident.phase {
                Phase::Idle if now.saturating_duration_since(resident.since) < FRESH => 2,
                Phase::Idle => 0,
                Phase::Lingering { .. } => 1,
                Phase::Head { .. } => 2,
                Phase::Sending if !resident.connection.sends_file() => 3,
                Phase::Sending
                | Phase::Queued(_)
                | Phase::Waiting(_)
                | Phase::Listening { .. }
                | Phase::Unacknowledged { .. } => return None,
            };
            // Many come at the same moment: of those, the first to come is the first to go.
            Some((class, resident.since, resident.connection.number, key))
        };
        let oldest = self.slots.iter().filter_map(rank).min();
        if let Some((_, _, _, key)) = oldest {
            self.close(key);
        }
        oldest.is_some()
    }

    /// Closes the connection whose buffers hold most, if it is one that [`evict`](Self::evict) could close.
    pub(super) fn evict_largest(&mut self) {
        let buffers = self.slots.iter().filter_map(|(key, slot)| match slot {
            Slot::Here(Resident {
                phase: Phase::Head { .. },
                held,
                ..
            }) => Some((*held, key)),
            Slot::Here(Resident {
                phase: Phase::Sending,
                held,
                connection,
                ..
            }) if !connection.sends_file() => Some((*held, key)),
            Slot::Here(_) | Slot::Away => None,
        });
        if let Some((_, key)) = buffers.max() {
            self.close(key);
        }
    }
}
