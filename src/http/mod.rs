//! An HTTP/1.1 server (RFC 9110, RFC 9112) on blocking threads. Knows nothing of conversions, and could be a crate of its own.
//!
//! ```text
//!              ┌────────── lobby (1 thread) ──────────┐        quick lane (fixed pool)
//! sockets ───► │ accepts, reads heads, refuses,       │ ─────► short work; files are sent from here
//!              │ writes short answers, waits for      │        upload lane (fixed pool)
//!              │ everything that a client is slow at  │ ─────► reads bodies, waits for results
//!              └──────────────────▲───────────────────┘              │
//!                                 └─────────── connection + answer ──┘
//! ```
//!
//! A connection that waits costs a small buffer in the [lobby](lobby) and no thread. It leaves the lobby only with a complete,
//! well-formed [`Head`] that the [`Handler`] has admitted, and comes back with a [`Response`].
//!
//! The crate `tiny_http` is not used. In 0.12.0, its last release, a `Content-Length` of 99999999999999 and three bytes of
//! body end the process; a header line without an end is buffered without a limit; a silent client holds a thread for ever; a
//! thousand pipelined requests are queued; once file descriptors run out, the accept loop ends for good; a client that hangs
//! up during a download is reported as served, so that a one-time download would be deleted undelivered; odd values of
//! `Transfer-Encoding` pass (CVE-2026-66752). None of this can be fixed from outside the crate. Heads are parsed by
//! `httparse`, the parser of hyper.
//!
//! In reading order: [`clock`] tells the time, [`head`] decides what a request is and how its body is framed, [`body`] reads it within limits of size
//! and time, [`response`] is what a handler answers, [`outgoing`] sends it and learns whether it arrived, [`connection`] holds
//! the socket and both directions together, [`lobby`] and [`pool`] move connections, [`server`] starts and stops everything.

mod body;
mod chunk_extension;
mod chunked;
mod clock;
mod connection;
mod head;
mod lobby;
mod outgoing;
mod pool;
mod response;
mod server;
mod settings;
mod slots;
mod socket;
#[cfg(test)]
mod tests;

pub use body::Body;
pub use head::{Framing, Head, Method};
pub use response::{Payload, Piece, Receipt, Response, Status, Stream};
pub use server::{End, Handle, Server};
pub use settings::Settings;

use std::{
    borrow::Cow,
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};

/// What an application does with requests.
pub trait Handler: Send + Sync + 'static {
    /// Called for every complete head, on the lobby's thread. Must not block, not even on a disk.
    fn admit(&self, head: &Head, peer: IpAddr) -> Admission;

    /// Called in the lobby about a request that [`admit`](Self::admit) had [wait](Admission::Wait): there is news, or the time is
    /// up, or too many wait. The answer; without one, a worker of the quick lane finds it. Must not block.
    fn awaited(&self, _head: &Head, _peer: IpAddr) -> Option<Response> {
        None
    }

    /// Called on a worker of the lane that [`admit`](Self::admit) chose. May block.
    fn handle(&self, request: Request<'_, '_>) -> Response;

    /// Turns a refusal by the server itself into a response. `head` is `None` if the head could not be understood. Must not
    /// block.
    fn refuse(&self, refusal: &Refusal, head: Option<&Head>) -> Response;

    /// Whether work is going on that no request waits for. A server that is stopping waits for it, and refuses new requests
    /// meanwhile.
    fn is_busy(&self) -> bool {
        false
    }

    /// Called once for every answer, when it has been sent or sending it has failed. Must not block.
    fn finished(&self, exchange: &Exchange<'_>);
}

/// What to do with a request.
#[derive(Debug)]
pub enum Admission {
    /// Send this answer now. If the request has a body, it is not read, and the connection is closed after the answer.
    Answer(Response),
    /// Pass the request to the quick lane: short work that needs no body and never waits behind an upload.
    Quick,
    /// Pass the request to the upload lane: it reads the body and may take long.
    Upload,
    /// Nothing is to be said yet. The connection stays in the lobby until there is news, or the time is up: then
    /// [`Handler::awaited`] is asked. The request must have no body.
    Wait(Wait),
}

/// What a request waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// What [`Handle::changed`] says when there is news.
    pub topic: Topic,
    /// How long, at the most. It is looked at a few times a second.
    pub limit: Duration,
}

/// Something that there can be news about, by whatever the application numbers it with.
pub type Topic = u128;

/// A request as its worker sees it.
pub struct Request<'a, 'c> {
    /// Method, target and fields.
    pub head: &'a Head,
    /// The address of the client, or of the proxy in front of it.
    pub peer: IpAddr,
    /// The content, not yet read.
    pub body: &'a mut Body<'c>,
}

/// Why the server itself refuses a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status code, for programs.
    pub status: Status,
    /// The reason, for people.
    pub detail: Cow<'static, str>,
    /// After what time the same request may succeed; `None` if it never will.
    pub retry_after: Option<Duration>,
}

impl Refusal {
    fn new(status: Status, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            detail: detail.into(),
            retry_after: None,
        }
    }

    fn busy(detail: &'static str) -> Self {
        Self {
            retry_after: Some(Duration::from_secs(1)),
            ..Self::new(Status::SERVICE_UNAVAILABLE, detail)
        }
    }
}

/// One request and its answer, for the log.
#[derive(Debug)]
pub struct Exchange<'a> {
    /// The method, `-` if the head was unreadable.
    pub method: &'a str,
    /// The path without the query, `-` if the head was unreadable.
    pub path: &'a str,
    /// The status code of the answer.
    pub status: Status,
    /// Bytes of the request's content that were read.
    pub received: u64,
    /// The number of bytes of the answer's content that were handed to the operating system.
    pub bytes: u64,
    /// The time from the end of the request's head to the end of the answer.
    pub duration: Duration,
    /// The `X-Request-Id` field of the answer.
    pub request_id: &'a str,
    /// Whether the whole answer was sent.
    pub complete: bool,
}

/// The network whose clients share a limit: a single IPv4 address, or an IPv6 network with a 64-bit prefix, because one IPv6
/// client usually has a whole such network to itself.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !0 << 64)),
        v4 @ IpAddr::V4(_) => v4,
    }
}
