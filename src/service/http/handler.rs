//! The interface between the server and an application: the application decides from the head of a request how the
//! server treats the request, and answers it. Does not handle sockets.

use super::{body::Body, head::Head, refusal::Refusal, response::Response, status::Status};
use std::{net::IpAddr, time::Duration};

/// An application that answers requests.
pub trait Handler: Send + Sync + 'static {
    /// Called for every well-formed head, unless the server is being stopped. It is called on the thread of the lobby,
    /// which owns all waiting connections. Must not block, not even on a disk.
    fn admit(&self, head: &Head, peer: IpAddr) -> Admission;

    /// The client of a request that goes to the upload lane: clients share its workers fairly. `None`, the default, for
    /// a client without limits. Must not block.
    fn client(&self, _head: &Head, _peer: IpAddr) -> Option<IpAddr> {
        None
    }

    /// Called in the lobby when the [wait](Admission::Wait) for which [`admit`](Self::admit) has decided ends: there is
    /// news, its time is up, too many requests wait, or the server is being stopped. Returns the answer; if it returns
    /// `None`, a worker of the quick lane handles the request. Must not block.
    fn awaited(&self, _head: &Head, _peer: IpAddr) -> Option<Response> {
        None
    }

    /// Called on a worker of the lane that [`admit`](Self::admit) chose. May block.
    fn handle(&self, request: Request<'_, '_>) -> Response;

    /// Turns a refusal by the server itself into a response. `head` is `None` if the head could not be understood. Must
    /// not block.
    fn refuse(&self, refusal: &Refusal, head: Option<&Head>) -> Response;

    /// Returns whether work is under way for which no request waits. A server that is being stopped waits for it, and
    /// refuses new requests meanwhile.
    fn is_busy(&self) -> bool {
        false
    }

    /// Called once for every answer, when it has been sent or sending it has failed. Must not block.
    fn finished(&self, exchange: &Exchange<'_>);
}

/// An application's decision about a request, by its head.
#[derive(Debug)]
pub enum Admission {
    /// Send this answer now. If the request has a body, it is not read, and the connection is closed after the answer.
    Answer(Response),
    /// Pass the request to the quick lane: short work that needs no body and never waits behind an upload.
    Quick,
    /// Pass the request to the upload lane: it reads the body and may take long.
    Upload,
    /// Send no answer yet. The connection stays in the lobby until there is news or the time is up; then
    /// [`Handler::awaited`] is called. The request must have no body.
    Wait(Wait),
}

/// A wait of a request for news: a change that the application announces with
/// [`Handle::changed`](super::Handle::changed).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The topic of the news, as [`Handle::changed`](super::Handle::changed) names it.
    pub topic: Topic,
    /// Longest wait. It is checked a few times a second.
    pub limit: Duration,
}

/// Number of a subject of news, chosen by the application.
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

/// A request and its answer, for the log.
#[derive(Debug)]
pub struct Exchange<'a> {
    /// The method; `-` if the head could not be parsed.
    pub method: &'a str,
    /// The path without the query; `-` if the head could not be parsed.
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
    /// The address from which the connection came.
    pub peer: IpAddr,
    /// Addresses in the `X-Forwarded-For` fields. They can be forged unless a trusted proxy has set them.
    pub forwarded: Option<&'a str>,
    /// Reason why the request failed, if its [`Response`] states one.
    pub reason: Option<&'a str>,
}
