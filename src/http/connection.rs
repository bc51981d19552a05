//! One connection: its socket, the bytes that arrived ahead, and the answer that is on its way. Never blocks.

use super::{
    Head, Response, Settings,
    body::Unread,
    outgoing::{Outgoing, Progress},
    response::Receipt,
    socket,
};
use std::{
    io::{self, Read},
    net::{Shutdown, SocketAddr, TcpStream},
    time::{Duration, Instant, SystemTime},
};

/// A connection, wherever it is: in the lobby or with a worker.
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    /// How many had come when it came, itself included.
    pub(super) number: u64,
    /// Bytes that were read and not yet understood.
    pub(super) input: Vec<u8>,
    /// The request that is being answered.
    pub(super) exchange: Option<Pending>,
    pub(super) outgoing: Option<Outgoing>,
    /// Whether another request may follow the answer.
    pub(super) keep: bool,
    /// How much of the body of the current request nobody has read.
    pub(super) unread: Unread,
    /// How far the client had come with the answer when that was last looked at. It stays with the connection: whoever
    /// goes back and forth between the lobby and the workers gets no more time by it.
    pub(super) pace: Option<Pace>,
    /// Of the answer before, until it is known that the client lived to read it.
    pub(super) receipt: Option<Box<dyn Receipt>>,
}

/// How much of an answer the client's side had acknowledged, and when.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// When the answer began to go out.
    pub(super) began: Instant,
    pub(super) since: Instant,
    pub(super) acknowledged: u64,
}

/// What the log needs to know when the answer has gone.
pub(super) struct Pending {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) request_id: String,
    pub(super) started: Instant,
    /// Bytes of its content that were read.
    pub(super) received: u64,
}

/// How much one call of [`Connection::fill`] read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// So many bytes, and there may be more.
    Some(usize),
    /// Nothing for now.
    Nothing,
    /// The client has sent all it will.
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

    /// Reads once, through `scratch`, so that an idle connection needs no buffer. What comes, or does not, also tells what
    /// became of the answer before.
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

    /// Begins an exchange, for the log.
    pub(super) fn begin(&mut self, head: &Head, now: Instant) {
        let (method, path) = (head.method.as_str(), head.path.clone());
        self.exchange = Some(Pending {
            method,
            path,
            request_id: head.request_id.clone(),
            started: now,
            received: 0,
        });
    }

    /// Begins an exchange about a head that could not be understood.
    pub(super) fn begin_unreadable(&mut self, request_id: String, now: Instant) {
        self.unread = Unread::Unknown;
        self.exchange = Some(Pending {
            method: "-",
            path: "-".into(),
            request_id,
            started: now,
            received: 0,
        });
    }

    /// Takes the answer to the current exchange. `keep` is whether another request may follow it.
    pub(super) fn answer(
        &mut self,
        response: Response,
        head: Option<&Head>,
        keep: bool,
        now: SystemTime,
    ) {
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

    /// Sends as much of the answer as goes. See [`Outgoing::pump`].
    pub(super) fn pump(&mut self) -> io::Result<Progress> {
        match &mut self.outgoing {
            Some(outgoing) => outgoing.pump(&self.stream),
            None => Ok(Progress::Done),
        }
    }

    /// Like [`pump`](Self::pump), without touching a disk.
    pub(super) fn pump_bytes(&mut self) -> io::Result<Progress> {
        match &mut self.outgoing {
            Some(outgoing) => outgoing.pump_bytes(&self.stream),
            None => Ok(Progress::Done),
        }
    }

    /// Whether the current answer is a file, or a part of one.
    pub(super) fn sends_file(&self) -> bool {
        self.outgoing.as_ref().is_some_and(Outgoing::has_file)
    }

    /// Bytes of the current answer that the client's side has acknowledged.
    pub(super) fn acknowledged(&self) -> u64 {
        let written = self.outgoing.as_ref().map_or(0, Outgoing::total_written);
        written.saturating_sub(socket::unacknowledged(&self.stream).unwrap_or(0))
    }

    /// When the current answer has to have been sent.
    pub(super) fn answer_deadline(&self, settings: &Settings) -> Option<Instant> {
        let len = self.outgoing.as_ref().map_or(0, Outgoing::total_len);
        self.pace?.began.checked_add(settings.transfer_limit(len))
    }

    /// Gives unused memory back; an idle connection keeps none.
    pub(super) fn shrink(&mut self) {
        if self.input.capacity() > 4 * self.input.len() {
            self.input.shrink_to_fit();
        }
    }

    /// Bytes of memory that it holds for what has arrived and for what has not gone out.
    pub(super) fn weight(&self) -> usize {
        self.input.capacity() + self.outgoing.as_ref().map_or(0, Outgoing::memory)
    }

    /// Tells the client that nothing more will come, while what it still sends can be read and dropped.
    pub(super) fn finish_sending(&self) {
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Time since the current exchange began.
    pub(super) fn elapsed(&self, now: Instant) -> Duration {
        self.exchange.as_ref().map_or(Duration::ZERO, |exchange| {
            now.saturating_duration_since(exchange.started)
        })
    }
}
