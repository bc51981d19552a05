//! An HTTP/1.1 server (RFC 9110, RFC 9112) on blocking threads. Does not depend on conversions, and could be a crate of
//! its own.
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
//! A connection that waits costs a small buffer in the [lobby] and no thread. It leaves the lobby only with a complete,
//! well-formed [`Head`] that the [`Handler`] has admitted, and comes back with a [`Response`].
//!
//! The crate `tiny_http` is not used, because its last release, 0.12.0, has faults that cannot be fixed from outside the
//! crate:
//! - A `Content-Length` of 99999999999999 and three bytes of body end the process.
//! - A header line without an end is buffered without a limit.
//! - A silent client holds a thread for ever, and a thousand pipelined requests are queued.
//! - When file descriptors run out, the accept loop ends for good.
//! - A client that hangs up during a download is reported as served. A one-time download would then be deleted although
//!   it was not delivered.
//! - Unusual values of `Transfer-Encoding` are accepted (CVE-2026-66752).
//!
//! Heads are parsed by `httparse`, the parser of hyper.
//!
//! In reading order:
//! - [`handler`]: the interface of an application.
//! - [`clock`]: tells the time.
//! - [`head`]: parses a request's head, and decides on the framing of its body.
//! - [`body`]: reads the body within limits of size and time.
//! - [`response`]: a handler's answer. [`outgoing`]: sends the answer, and learns whether it arrived.
//! - [`connection`]: holds a socket, and what is read from it and sent to it.
//! - [`lobby`] and [`pool`]: move connections between the threads.
//! - [`server`]: starts and stops everything.

mod body;
mod chunk_extension;
mod chunked;
mod clients;
mod clock;
mod connection;
mod fence;
mod handler;
mod head;
mod lobby;
mod outgoing;
mod pool;
mod refusal;
mod response;
mod server;
mod settings;
mod signals;
mod slots;
mod socket;
mod status;
#[cfg(test)]
mod tests;

pub use body::Body;
pub use clients::network;
pub use handler::{Admission, Exchange, Handler, Request, Topic, Wait};
pub use head::{Framing, Head, Method};
pub use refusal::Refusal;
pub use response::{Payload, Piece, Receipt, Response, Stream};
pub use server::{End, Handle, Server};
pub use settings::Settings;
pub use status::Status;
