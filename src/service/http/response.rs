//! A handler's answer. States nothing about the connection: the server decides whether it stays open.

use super::{head::Head, status::Status};
use std::{borrow::Cow, fmt, fs::File, io, ops::Range, time::SystemTime};

/// Learns whether the client has read a file that its kernel acknowledged, as far as this can be known. Dropping the
/// receipt without a call of [`lost`](Self::lost) means that the file was read: the client sent another request, closed
/// the connection properly, or some time has passed.
pub trait Receipt: Send {
    /// The client's kernel has reset the connection, as it does if a program ends with unread bytes. Must not block.
    fn lost(self: Box<Self>);
}

/// A piece of content that is produced while the answer is sent.
pub enum Piece {
    /// Bytes in memory.
    Bytes(Vec<u8>),
    /// A part of a file. It is read at explicit offsets, and must not change meanwhile.
    File(File, Range<u64>),
}

/// Content that is produced while it is sent, piece by piece. The server reports to the stream whether the content
/// reached the client. All calls come from workers, so it may read files. Dropping the stream without a call of
/// [`acknowledged`](Self::acknowledged) means that the content did not arrive.
pub trait Stream: Send {
    /// The next piece; `None` after the last one. An error breaks the connection.
    fn next(&mut self) -> io::Result<Option<Piece>>;

    /// Called when the last bytes are about to be written to the socket. From now on the client may have received
    /// everything before the server knows it.
    fn completing(&mut self);

    /// Called when the last bytes could not be written, because the send buffer is full.
    /// [`completing`](Self::completing) will be called again.
    fn held_up(&mut self);

    /// Returns whether more of the content may be sent. The server asks before each part. If the answer is false, the
    /// server resets the connection, and the kernel drops the bytes that it has not sent yet.
    fn may_go_on(&self) -> bool {
        true
    }

    /// Called when the client's kernel has acknowledged every byte. Called on a worker. May block.
    ///
    /// The client's program may still end before it reads the bytes that its kernel has. To learn of that, return a
    /// receipt.
    fn acknowledged(self: Box<Self>) -> Option<Box<dyn Receipt>>;
}

/// The content of an answer.
pub enum Payload {
    /// Bytes in memory.
    Bytes(Cow<'static, [u8]>),
    /// Content of this many bytes, produced while it is sent.
    Stream(u64, Box<dyn Stream>),
    /// Only the length in bytes, for the answer to a HEAD request.
    Length(u64),
}

/// An answer.
pub struct Response {
    status: Status,
    fields: Vec<(&'static str, String)>,
    payload: Payload,
    /// Reason why the request failed, for the log.
    reason: Option<String>,
}

impl Response {
    /// An answer without content and without fields.
    pub fn new(status: Status) -> Self {
        Self {
            status,
            fields: Vec::new(),
            payload: Payload::Bytes(Cow::Borrowed(b"")),
            reason: None,
        }
    }

    /// Adds a header field. Control characters in `value` are dropped, so that a value cannot add fields of its own.
    /// The server adds `Content-Length`, `Date`, `Connection` and `X-Request-Id` itself.
    #[must_use]
    pub fn field(mut self, name: &'static str, value: impl Into<String>) -> Self {
        let mut value = value.into();
        value.retain(|c| !c.is_control());
        self.fields.push((name, value));
        self
    }

    /// Sets the content.
    #[must_use]
    pub fn payload(mut self, payload: Payload) -> Self {
        self.payload = payload;
        self
    }

    /// Sets the reason why the request failed. It is logged, and not sent to the client.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Takes the reason for the log.
    pub(super) fn take_reason(&mut self) -> Option<String> {
        self.reason.take()
    }

    /// The status code.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Splits the answer into the bytes that are sent first (its head and content in memory) and the content that
    /// follows them.
    pub(super) fn into_parts(
        self,
        head: Option<&Head>,
        request_id: &str,
        keep: bool,
        now: SystemTime,
    ) -> Parts {
        use std::io::Write;
        let len = match &self.payload {
            Payload::Bytes(bytes) => bytes.len() as u64,
            Payload::Length(len) | Payload::Stream(len, _) => *len,
        };
        let mut bytes = Vec::with_capacity(512);
        // Writing to a vector cannot fail.
        let _ = write!(
            bytes,
            "HTTP/1.1 {}\r\nDate: {}\r\n",
            self.status,
            httpdate::fmt_http_date(now)
        );
        for (name, value) in &self.fields {
            let _ = write!(bytes, "{name}: {value}\r\n");
        }
        if !matches!(self.status, Status::NO_CONTENT | Status::NOT_MODIFIED) {
            let _ = write!(bytes, "Content-Length: {len}\r\n");
        }
        let _ = write!(bytes, "X-Request-Id: {request_id}\r\n");
        if !keep {
            bytes.extend_from_slice(b"Connection: close\r\n");
        } else if head.is_some_and(|head| head.http_1_0) {
            bytes.extend_from_slice(b"Connection: keep-alive\r\n");
        }
        bytes.extend_from_slice(b"\r\n");
        let head_len = bytes.len();
        let mut streamed = None;
        if !head.is_some_and(Head::is_head) {
            match self.payload {
                Payload::Bytes(content) => bytes.extend_from_slice(&content),
                Payload::Stream(len, stream) => streamed = Some((len, stream)),
                Payload::Length(_) => {}
            }
        }
        Parts {
            status: self.status,
            bytes,
            head_len,
            streamed,
        }
    }
}

/// An answer as it is written to the socket.
pub(super) struct Parts {
    pub(super) status: Status,
    pub(super) bytes: Vec<u8>,
    pub(super) head_len: usize,
    /// Content that follows these bytes, with its length in bytes.
    pub(super) streamed: Option<(u64, Box<dyn Stream>)>,
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("fields", &self.fields)
            .finish_non_exhaustive()
    }
}
