//! Request bodies: read on a worker, within limits of size and time. Never reads past the body's end.

use super::{
    Head, Settings,
    chunked::{self, Malformed},
    head::Framing,
    socket,
};
use std::{
    io::{self, Read, Write},
    net::TcpStream,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// A reader of the content of a request.
///
/// Errors of `read`: `TimedOut` for a client that is too slow, `UnexpectedEof` or `ConnectionReset` for one that
/// left, `InvalidData` for chunks that cannot be understood, `FileTooLarge` past [`Settings::max_body`].
pub struct Body<'c> {
    stream: &'c TcpStream,
    /// What the lobby has read beyond the head; begins at `start`.
    ahead: &'c mut Vec<u8>,
    start: usize,
    decoder: Decoder,
    owes_continue: bool,
    pace: Pace<'c>,
    received: u64,
    max: u64,
    failed: Option<io::ErrorKind>,
    activity: &'c Activity,
}

/// Since when a worker has been waiting for a body, for the lobby to see whether a pool is stalled.
/// In milliseconds of a clock that the lobby shares; 0 if it is not waiting.
#[derive(Debug, Default)]
pub(super) struct Activity(AtomicU64);

impl Activity {
    pub(super) fn receiving_since(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed)).filter(|&since| since != 0)
    }

    fn set(&self, since: u64) {
        self.0.store(since, Ordering::Relaxed);
    }
}

/// How much of a body has not been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// So many bytes.
    Announced(u64),
    /// It has no length, or where it begins could not be understood.
    Unknown,
}

impl Unread {
    /// Of a body that nobody has begun to read.
    pub(super) fn whole(framing: Framing) -> Self {
        match framing {
            Framing::None => Self::Announced(0),
            Framing::Length(len) => Self::Announced(len),
            Framing::Chunked => Self::Unknown,
        }
    }
}

#[derive(Debug)]
enum Decoder {
    Length(u64),
    Chunked(chunked::Decoder),
}

impl Decoder {
    fn is_done(&self) -> bool {
        match self {
            Self::Length(left) => *left == 0,
            Self::Chunked(decoder) => decoder.is_done(),
        }
    }
}

impl<'c> Body<'c> {
    /// `now_ms` is the time of the clock that [`Activity`] uses, at least 1.
    pub(super) fn new(
        stream: &'c TcpStream,
        ahead: &'c mut Vec<u8>,
        head: &Head,
        settings: &'c Settings,
        activity: &'c Activity,
        now_ms: u64,
    ) -> Self {
        let decoder = match head.framing {
            Framing::None => Decoder::Length(0),
            Framing::Length(len) => Decoder::Length(len),
            Framing::Chunked => Decoder::Chunked(chunked::Decoder::new()),
        };
        if !decoder.is_done() {
            activity.set(now_ms.max(1));
        }
        Self {
            stream,
            start: 0,
            owes_continue: head.expects_continue && ahead.is_empty(),
            ahead,
            decoder,
            pace: Pace::new(
                settings,
                match head.framing {
                    Framing::Length(len) => Some(len),
                    Framing::None | Framing::Chunked => None,
                },
            ),
            received: 0,
            max: settings.max_body,
            failed: None,
            activity,
        }
    }

    /// Whether the body has been read to its end, so that the next request can follow.
    pub fn is_complete(&self) -> bool {
        self.decoder.is_done()
    }

    /// Bytes of content that were read.
    pub(super) fn received(&self) -> u64 {
        self.received
    }

    /// How reading failed, if it did.
    pub fn failure(&self) -> Option<io::ErrorKind> {
        self.failed
    }

    /// How much of the body is still to come, as far as the client has said; nobody knows it of chunks.
    pub(super) fn unread(&self) -> Unread {
        match &self.decoder {
            Decoder::Length(left) => Unread::Announced(*left),
            Decoder::Chunked(decoder) if decoder.is_done() => Unread::Announced(0),
            Decoder::Chunked(_) => Unread::Unknown,
        }
    }

    /// Whether the client has hung up. Only meaningful after the body has been read.
    ///
    /// Some old clients send an empty line behind a body, which would hide that they have left: it is dropped, as it
    /// would be in front of the next request (RFC 9112, section 2.2).
    pub fn client_has_left(&self) -> bool {
        let mut behind = self.ahead[self.start..].iter();
        behind.all(|byte| matches!(byte, b'\r' | b'\n')) && {
            socket::drop_empty_lines(self.stream);
            socket::is_closed(self.stream)
        }
    }

    fn read_content(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.is_done() || out.is_empty() {
                return Ok(0);
            }
            if self.start == self.ahead.len() {
                self.ahead.clear();
                self.start = 0;
                if let Decoder::Length(left) = &self.decoder {
                    // Straight to the caller: no copy for what is not framed.
                    let room = out.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                    let len = self.receive(&mut out[..room])?;
                    self.advance(len)?;
                    return Ok(len);
                }
                let mut chunk = [0; 16 << 10];
                let len = self.receive(&mut chunk)?;
                self.ahead.extend_from_slice(&chunk[..len]);
            }
            let input = &self.ahead[self.start..];
            let (consumed, produced) = match &mut self.decoder {
                Decoder::Length(left) => {
                    let len = input
                        .len()
                        .min(out.len())
                        .min(usize::try_from(*left).unwrap_or(usize::MAX));
                    out[..len].copy_from_slice(&input[..len]);
                    (len, len)
                }
                Decoder::Chunked(decoder) => {
                    let step = decoder.decode(input, out).map_err(|Malformed(what)| {
                        io::Error::new(io::ErrorKind::InvalidData, what)
                    })?;
                    (step.consumed, step.produced)
                }
            };
            self.start += consumed;
            self.advance(produced)?;
            if produced > 0 {
                return Ok(produced);
            }
        }
    }

    fn advance(&mut self, len: usize) -> io::Result<()> {
        self.received += len as u64;
        // Content, not what frames it: a chunk of one byte may come with a kilobyte of extensions.
        self.pace.moved(len);
        if let Decoder::Length(left) = &mut self.decoder {
            *left -= len as u64;
        }
        if self.received > self.max {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "the request body is too large",
            ));
        }
        Ok(())
    }

    /// At least one byte from the socket.
    fn receive(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.owes_continue) {
            // So short that it always fits into the empty send buffer.
            self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        loop {
            match self.stream.read(out) {
                Ok(0) => {
                    let what = "the connection was closed before the end of the request body";
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
                }
                Ok(len) => return Ok(len),
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => {
                    self.pace.wait(self.stream)?
                }
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) => return Err(err),
            }
        }
    }
}

impl Read for Body<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let Some(kind) = self.failed {
            return Err(kind.into());
        }
        let result = self.read_content(out);
        if let Err(err) = &result {
            self.failed = Some(err.kind());
        }
        if self.is_complete() || result.is_err() {
            self.activity.set(0);
        }
        result
    }
}

impl Drop for Body<'_> {
    fn drop(&mut self) {
        self.activity.set(0);
        self.ahead.drain(..self.start);
    }
}

/// Holds a client to a minimum rate, and the whole body to a deadline. Counts only the time that was spent waiting for the
/// client, and only content.
#[derive(Debug)]
struct Pace<'c> {
    settings: &'c Settings,
    /// The length of the body, if the client has told it. If not, what has come earns the time for what may follow.
    length: Option<u64>,
    waited: Duration,
    moved: u64,
    /// The same two within the current window.
    waited_lately: Duration,
    moved_lately: u64,
}

impl<'c> Pace<'c> {
    fn new(settings: &'c Settings, length: Option<u64>) -> Self {
        Self {
            settings,
            length,
            waited: Duration::ZERO,
            moved: 0,
            waited_lately: Duration::ZERO,
            moved_lately: 0,
        }
    }

    fn moved(&mut self, len: usize) {
        self.moved += len as u64;
        self.moved_lately += len as u64;
    }

    fn wait(&mut self, stream: &TcpStream) -> io::Result<()> {
        let window = self.settings.pace_window;
        let allowed = self
            .settings
            .transfer_limit(self.length.unwrap_or(self.moved));
        let left = window
            .saturating_sub(self.waited_lately)
            .min(allowed.saturating_sub(self.waited));
        let started = Instant::now();
        socket::wait_readable(stream, left)?;
        let waited = started.elapsed();
        self.waited += waited;
        self.waited_lately += waited;
        let too_slow = |what: &str| Err(io::Error::new(io::ErrorKind::TimedOut, what));
        if self.waited >= allowed {
            return too_slow("the request body takes too long");
        }
        if self.waited_lately < window {
            return Ok(());
        }
        if self.moved_lately < self.settings.least_in_window() {
            return too_slow("the request body arrives too slowly");
        }
        self.waited_lately = Duration::ZERO;
        self.moved_lately = 0;
        Ok(())
    }
}
