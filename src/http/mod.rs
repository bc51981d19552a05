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
//! A connection that waits costs a small buffer in the [lobby](lobby) and no thread. It leaves the lobby only
//! with a whole, well-formed [`Head`] that the [`Handler`] has admitted, and comes back with a [`Response`].
//!
//! The crate `tiny_http` was the plan. Of 0.12.0, its last release, this was seen: a `Content-Length` of 99999999999999 and three
//! bytes end the process; a header line without an end is buffered without a limit; a silent client holds a thread for ever; a
//! thousand pipelined requests are queued; once descriptors run out, its accept loop ends for good; a client that hangs up
//! during a download is reported as served, so that a file to be had once would be deleted undelivered; odd values of
//! `Transfer-Encoding` pass (CVE-2026-66752). None of it can be mended from outside. Heads are parsed by `httparse`, as in hyper.
//!
//! In reading order: [`head`] decides what a request is and how its body is framed, [`body`] reads it within limits of time,
//! [`response`] is what a handler answers, [`outgoing`] sends it and learns whether it arrived, [`connection`] holds the
//! two ends together, [`lobby`] and [`pool`] move connections, [`server`] starts and stops them.

mod body;
mod chunked;
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
pub use response::{Delivery, FilePart, Payload, Receipt, Response, Status};
pub use server::{End, Handle, Server};
pub use settings::Settings;

use std::{
    borrow::Cow,
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};

/// What an application does with requests.
pub trait Handler: Send + Sync + 'static {
    /// Called in the lobby for every whole head: must not block, not even on a disk.
    fn admit(&self, head: &Head, peer: IpAddr) -> Admission;

    /// Called in the lobby about a request that [`admit`](Self::admit) had [wait](Admission::Wait): there is news, or the time is
    /// up, or too many wait. The answer; without one, a worker of the quick lane finds it. Must not block.
    fn awaited(&self, _head: &Head) -> Option<Response> {
        None
    }

    /// Called on a worker of the lane that [`admit`](Self::admit) chose. May block.
    fn handle(&self, request: Request<'_, '_>) -> Response;

    /// Words a refusal that the server itself decided on; without a head if there is none that can be understood. Must not
    /// block.
    fn refuse(&self, refusal: &Refusal, head: Option<&Head>) -> Response;

    /// Whether work goes on that no request waits for. A server that stops goes on refusing new requests meanwhile.
    fn is_busy(&self) -> bool {
        false
    }

    /// Called once for every answer, when it has been sent or has failed. Must not block.
    fn finished(&self, exchange: &Exchange<'_>);
}

/// Where a request goes.
#[derive(Debug)]
pub enum Admission {
    /// The answer is already known. A body is not read, and the connection ends after the answer if there is one.
    Answer(Response),
    /// Short work without a body worth waiting for: never behind an upload.
    Quick,
    /// Reads the body and may take long.
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

/// A request on its worker.
pub struct Request<'a, 'c> {
    /// Method, target and fields.
    pub head: &'a Head,
    /// The other end's address.
    pub peer: IpAddr,
    /// The content, not yet read.
    pub body: &'a mut Body<'c>,
}

/// Why the server itself does not pass a request on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status code that says it to a program.
    pub status: Status,
    /// The sentence that says it to a person.
    pub detail: Cow<'static, str>,
    /// When the same request may succeed.
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
    /// Bytes of the answer's content that were handed to the operating system.
    pub bytes: u64,
    /// From the end of the head to the end of the answer.
    pub duration: Duration,
    /// As in the `X-Request-Id` field of the answer.
    pub request_id: &'a str,
    /// Whether the answer was sent whole.
    pub complete: bool,
}

/// What shares a limit: an IPv4 address, or an IPv6 network of 64 bits.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !0 << 64)),
        v4 @ IpAddr::V4(_) => v4,
    }
}
