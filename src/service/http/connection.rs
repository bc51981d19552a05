//! A connection: its socket, the bytes that have been read ahead, and the answer that is being sent. Never waits for
//! the client.

use super::{
    body::Unread,
    head::Head,
    outgoing::{Outgoing, Progress},
    response::{Receipt, Response},
    settings::Settings,
    socket,
};
use std::{
    io::{self, Read},
    net::{Shutdown, SocketAddr, TcpStream},
    time::{Duration, Instant, SystemTime},
};

/// A connection. It belongs either to the lobby or to a worker, and is moved between them.
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    /// The number of this connection, counted from 1 in the order of arrival.
    pub(super) number: u64,
    /// Bytes that have been read and not yet been parsed.
    pub(super) input: Vec<u8>,
    /// The request that is being answered.
    pub(super) exchange: Option<Pending>,
    pub(super) outgoing: Option<Outgoing>,
    /// Whether another request may follow the answer.
    pub(super) keep: bool,
    /// Unread part of the current request's body, which must be dropped before the connection is closed.
    pub(super) unread: Unread,
    /// Progress of the answer at the last check of the client's pace. It stays with the connection, so that moving
    /// between the lobby and the workers does not give the client more time.
    pub(super) pace: Option<Pace>,
    /// Receipt of the previous answer, kept until it is known whether the client could still read it.
    pub(super) receipt: Option<Box<dyn Receipt>>,
}

/// Progress of an answer: the bytes that the client's kernel had acknowledged at a certain time.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// Time at which sending began.
    pub(super) began: Instant,
    /// Time at which the bytes were counted.
    pub(super) since: Instant,
    /// Number of acknowledged bytes at that time.
    pub(super) acknowledged: u64,
}

/// Facts of a request for the log line after its answer.
pub(super) struct Pending {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) request_id: String,
    pub(super) started: Instant,
    /// Bytes of the request's content that were read.
    pub(super) received: u64,
    /// Addresses in the `X-Forwarded-For` fields of the request, as they were sent.
    pub(super) forwarded: Option<String>,
    /// The reason why the request failed, as its answer states it.
    pub(super) reason: Option<String>,
}

/// Result of [`Connection::fill`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// This many bytes, and there may be more.
    Some(usize),
    /// Nothing has arrived yet.
    Nothing,
    /// The client has closed its side: nothing more will arrive.
    End,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, peer: SocketAddr, number: u64) -> Self {
        Self {
            stream,
            peer,
            number,
            input: Vec::new(),
            exchange: None,
            outgoing: None,
            keep: true,
            unread: Unread::Unknown,
            pace: None,
            receipt: None,
        }
    }

    /// Reads once. The bytes go through the shared buffer `scratch`, so that an idle connection needs no buffer of its
    /// own. The result also settles the receipt of the previous answer: a reset means that the client never read it.
    pub(super) fn fill(&mut self, scratch: &mut [u8]) -> io::Result<Fill> {
        loop {
            return match (&self.stream).read(scratch) {
                Ok(0) => Ok(Fill::End),
                Ok(len) => {
                    self.receipt = None;
                    self.input.extend_from_slice(&scratch[..len]);
                    Ok(Fill::Some(len))
                }
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => Ok(Fill::Nothing),
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Err(err) => {
                    if let Some(receipt) = self.receipt.take() {
                        receipt.lost();
                    }
                    Err(err)
                }
            };
        }
    }

    /// Records the start of a request with this head, for the log.
    pub(super) fn begin(&mut self, head: &Head, now: Instant) {
        let forwarded = head.fields("x-forwarded-for");
        self.exchange = Some(Pending {
            method: head.method.as_str(),
            path: head.path.clone(),
            request_id: head.request_id.clone(),
            started: now,
            received: 0,
            forwarded: forwarded
                .map(str::to_owned)
                .reduce(|list, next| format!("{list}, {next}")),
            reason: None,
        });
    }

    /// Records the start of a request with an invalid head, for the log.
    pub(super) fn begin_unreadable(&mut self, request_id: String, now: Instant) {
        self.unread = Unread::Unknown;
        self.exchange = Some(Pending {
            method: "-",
            path: "-".into(),
            request_id,
            started: now,
            received: 0,
            forwarded: None,
            reason: None,
        });
    }

    /// Sets the answer to the current request. `keep` states whether another request may follow on this connection.
    pub(super) fn answer(
        &mut self,
        mut response: Response,
        head: Option<&Head>,
        keep: bool,
        now: SystemTime,
    ) {
        if let Some(exchange) = &mut self.exchange {
            exchange.reason = response.take_reason();
        }
        let request_id = self
            .exchange
            .as_ref()
            .map_or("-", |exchange| &exchange.request_id);
        self.keep = keep;
        self.pace = None;
        self.outgoing = Some(Outgoing::new(
            response.into_parts(head, request_id, keep, now),
        ));
    }

    /// Sends as much of the answer as the socket takes. See [`Outgoing::pump`].
    pub(super) fn pump(&mut self) -> io::Result<Progress> {
        match &mut self.outgoing {
            Some(outgoing) => outgoing.pump(&self.stream),
            None => Ok(Progress::Done),
        }
    }

    /// Like [`pump`](Self::pump), but sends only the part of an answer that is in memory.
    pub(super) fn pump_bytes(&mut self) -> io::Result<Progress> {
        match &mut self.outgoing {
            Some(outgoing) => outgoing.pump_bytes(&self.stream),
            None => Ok(Progress::Done),
        }
    }

    /// Returns whether the current answer has content that a worker must send, such as a file.
    pub(super) fn sends_file(&self) -> bool {
        self.outgoing.as_ref().is_some_and(Outgoing::has_file)
    }

    /// The number of bytes of the current answer that the client's kernel has acknowledged.
    pub(super) fn acknowledged(&self) -> u64 {
        let written = self.outgoing.as_ref().map_or(0, Outgoing::total_written);
        written.saturating_sub(socket::unacknowledged(&self.stream).unwrap_or(0))
    }

    /// The time by which the current answer must have been sent.
    pub(super) fn answer_deadline(&self, settings: &Settings) -> Option<Instant> {
        let len = self.outgoing.as_ref().map_or(0, Outgoing::total_len);
        self.pace?.began.checked_add(settings.transfer_limit(len))
    }

    /// Frees unused memory, so that an idle connection occupies no buffer.
    pub(super) fn shrink(&mut self) {
        if self.input.capacity() > 4 * self.input.len() {
            self.input.shrink_to_fit();
        }
    }

    /// Memory of the connection's buffers in bytes: input that has not been parsed, and an answer that has not been
    /// sent.
    pub(super) fn weight(&self) -> usize {
        self.input.capacity() + self.outgoing.as_ref().map_or(0, Outgoing::memory)
    }

    /// Closes the sending side. The client learns that the answer is complete, and whatever it still sends can be read
    /// and dropped.
    pub(super) fn finish_sending(&self) {
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// The time since the current exchange began.
    pub(super) fn elapsed(&self, now: Instant) -> Duration {
        self.exchange.as_ref().map_or(Duration::ZERO, |exchange| {
            now.saturating_duration_since(exchange.started)
        })
    }
}
