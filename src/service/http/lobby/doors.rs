//! Accepts and closes connections. Decides which are accepted, and which is closed when there are too many. Never reads
//! from a connection.

use super::{Lobby, Phase, Resident, Slot, log_exchange};
use crate::http::{clients::network, connection::Connection, handler::Handler};
use mio::{Interest, Token, unix::SourceFd};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::{
    io,
    net::{SocketAddr, TcpStream},
    os::fd::AsRawFd,
    time::Instant,
};

/// Limit on the connections that are accepted in one turn.
const TURN: usize = 64;
/// Number of spare file descriptors, with which health checks are answered when all other descriptors are used up.
const SPARES: usize = 4;

impl<H: Handler> Lobby<H> {
    /// Accepts waiting connections, a limited number at a time. If descriptors run out, one is freed by closing a
    /// connection or, if that is not possible or did not help, a spare descriptor.
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
                // The kernel reserves a descriptor before it looks for a connection, so this error may come although no
                // connection waits.
                Err(_) if !self.somebody_waits() => return,
                Err(err) => {
                    // File descriptors or memory have run out. If closing a connection does not help, the next tick
                    // tries again.
                    if !std::mem::replace(&mut self.accept_again, true) {
                        log::warn!("accepting a connection failed: {err}");
                    }
                    if made_room || !self.evict(now) {
                        match self.spares.pop() {
                            Some(spare) => drop(spare),
                            None => return,
                        }
                    }
                    made_room = true;
                }
            }
        }
        self.more_to_accept = true;
    }

    /// Returns whether a connection waits to be accepted. If the kernel cannot tell, it returns true.
    fn somebody_waits(&self) -> bool {
        let mut fds = [PollFd::new(&self.listener, PollFlags::IN)];
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        rustix::event::poll(&mut fds, Some(&now)) != Ok(0)
    }

    /// Opens spare file descriptors up to [`SPARES`], as far as the process may open more.
    pub(super) fn keep_spares(&mut self) {
        while self.spares.len() < SPARES
            && let Ok(spare) = rustix::io::fcntl_dupfd_cloexec(&self.listener, 0)
        {
            self.spares.push(spare);
        }
    }

    /// Admits a connection, unless its address has too many already, or the server has too many and can close none.
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

    /// Closes a connection that is in the lobby.
    pub(super) fn close(&mut self, key: usize) {
        drop(self.stop_listening(key));
        if let Some(Slot::Here(mut resident)) = self.slots.remove(key) {
            self.held -= resident.held;
            if let Phase::Queued(_, client) = resident.phase {
                self.queued.give_back(client);
                // The connection also leaves the queue: otherwise, clients that connect, queue an upload and leave
                // would fill it.
                self.queue.retain(|&queued| queued != key);
            }
            let now = self.clock.now();
            log_exchange(&*self.handler, &mut resident.connection, false, now);
            let address = network(resident.connection.peer.ip());
            if let Some(open) = self.addresses.get_mut(&address) {
                *open -= 1;
                if *open == 0 {
                    self.addresses.remove(&address);
                }
            }
            // Closing the file descriptor removes it from the poll.
        }
    }

    /// Closes one connection to free its descriptor. The candidates are, in this order: connections that are idle, that
    /// linger, that are sending their heads, and that do not read an answer from memory. Of several connections in the
    /// same state, closes the one that has been in it longest. Downloads are never closed. Returns whether a connection
    /// was closed.
    ///
    /// A connection that is new or has just been answered counts as sending a head, not as idle. Otherwise, if many
    /// clients sent their heads byte by byte, every newcomer would be closed before any of them, and nobody could send
    /// a request in time.
    pub(super) fn evict(&mut self, now: Instant) -> bool {
        let rank = |(key, slot): (usize, &Slot)| {
            let Slot::Here(resident) = slot else {
                return None;
            };
            let class = match &resident.phase {
                Phase::Idle if resident.is_fresh(now) => 2,
                Phase::Idle => 0,
                Phase::Lingering { .. } => 1,
                Phase::Head { .. } => 2,
                Phase::Sending if !resident.connection.sends_file() => 3,
                Phase::Sending
                | Phase::Queued(..)
                | Phase::Waiting(_)
                | Phase::Listening { .. }
                | Phase::Unacknowledged { .. } => return None,
            };
            // Among connections whose phases began at the same moment, the first accepted is closed first.
            Some((class, resident.since, resident.connection.number, key))
        };
        let oldest = self.slots.iter().filter_map(rank).min();
        if let Some((_, _, _, key)) = oldest {
            self.close(key);
        }
        oldest.is_some()
    }

    /// Closes the connection with the largest buffers among those that send a head or do not read an answer from
    /// memory.
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
            Slot::Here(_) | Slot::Away(_) => None,
        });
        if let Some((_, key)) = buffers.max() {
            self.close(key);
        }
    }
}
