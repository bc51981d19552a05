//! Request bodies: read on a worker, within limits of size and time. Bytes past the end of the body, where the next
//! request begins, stay with the connection.
//!
//! A body is read only as fast as the handler asks for it, so TCP's flow control holds back a client that sends faster
//! than the disk can write. The socket is non-blocking, and every wait is counted: a client must keep a minimum rate
//! over each window and finish the whole body by a deadline that depends on its length. Only time spent waiting for the
//! client counts, so a slow disk never makes a client look slow. The trap is the chunked coding: only content counts
//! towards the rate, because a client could otherwise keep a worker busy with chunk extensions alone.

use super::{
    chunked::{self, Malformed},
    clock::Clock,
    head::{Framing, Head},
    settings::Settings,
    socket,
};
use std::{
    io::{self, Read, Write},
    net::TcpStream,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// A reader of the content of a request.
///
/// Errors of `read`: `TimedOut` if the client is too slow, `UnexpectedEof` or `ConnectionReset` if it has left,
/// `InvalidData` if the chunked coding is malformed, `FileTooLarge` past [`Settings::max_body`].
pub struct Body<'c> {
    stream: &'c TcpStream,
    /// Bytes that have been read from the socket and follow the head: those that came with it, and pieces of a chunked
    /// body. The first `start` of them have been consumed.
    ahead: &'c mut Vec<u8>,
    start: usize,
    decoder: Decoder,
    owes_continue: bool,
    pace: Pace<'c>,
    clock: &'c Clock,
    received: u64,
    max: u64,
    failed: Option<io::ErrorKind>,
    activity: &'c Activity,
}

/// Time at which a worker began to receive a body, in milliseconds of a clock that the lobby shares; 0 if the worker is
/// not receiving. The lobby uses it to recognise a stalled pool.
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

/// Unread part of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// Number of bytes that are left of the length in `Content-Length`.
    Announced(u64),
    /// The number is unknown, because the body is chunked or the head could not be parsed.
    Unknown,
}

impl Unread {
    /// State of a body before the first read.
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
    /// Makes a body. `now_ms` is the time of the clock that [`Activity`] uses, in milliseconds and at least 1.
    pub(super) fn new(
        stream: &'c TcpStream,
        ahead: &'c mut Vec<u8>,
        head: &Head,
        settings: &'c Settings,
        clock: &'c Clock,
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
            clock,
            received: 0,
            max: settings.max_body,
            failed: None,
            activity,
        }
    }

    /// Returns whether the body has been read to its end, so that the connection can be used for another request.
    pub fn is_complete(&self) -> bool {
        self.decoder.is_done()
    }

    /// Bytes of content that were read.
    pub(super) fn received(&self) -> u64 {
        self.received
    }

    /// The error with which reading failed, if it did.
    pub fn failure(&self) -> Option<io::ErrorKind> {
        self.failed
    }

    /// Unread part of the body. It is unknown until the end of a chunked body, whose length the client does not
    /// announce.
    pub(super) fn unread(&self) -> Unread {
        match &self.decoder {
            Decoder::Length(left) => Unread::Announced(*left),
            Decoder::Chunked(decoder) if decoder.is_done() => Unread::Announced(0),
            Decoder::Chunked(_) => Unread::Unknown,
        }
    }

    /// Returns whether the client has closed the connection. Only meaningful after the body has been read.
    ///
    /// Some old clients send an empty line after a body. If that line stayed unread, it would hide that the client has
    /// left. So it is dropped here, as is an empty line before the next request (RFC 9112, section 2.2).
    pub fn client_has_left(&self) -> bool {
        let mut after = self.ahead[self.start..].iter();
        after.all(|byte| matches!(byte, b'\r' | b'\n')) && {
            socket::drop_empty_lines(self.stream);
            socket::is_closed(self.stream)
        }
    }

    /// Reads content, first from the bytes that came with the head, then from the socket.
    fn read_content(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.is_done() || out.is_empty() {
                return Ok(0);
            }
            if self.start == self.ahead.len() {
                self.ahead.clear();
                self.start = 0;
                if let Decoder::Length(left) = &self.decoder {
                    // Without chunks, the content is read straight into the caller's buffer, without a copy.
                    let most = out.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                    let len = self.receive(&mut out[..most])?;
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
        // Only content counts, not the framing: a chunk of one byte may carry a kilobyte of extensions.
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

    /// Waits for the client to send. Fails if the client is too slow.
    fn wait(&mut self) -> io::Result<()> {
        let started = self.clock.now();
        socket::wait_readable(self.stream, self.pace.left())?;
        let waited = self.clock.now().saturating_duration_since(started);
        self.pace.waited(waited)
    }

    /// Reads at least one byte from the socket.
    fn receive(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.owes_continue) {
            // These 25 bytes always fit into the send buffer, which is empty between two answers.
            self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        loop {
            match self.stream.read(out) {
                Ok(0) => {
                    let what = "the connection was closed before the end of the request body";
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
                }
                Ok(len) => return Ok(len),
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => self.wait()?,
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

/// Enforces a minimum rate, and a deadline for the whole body. Counts only content, and only time spent waiting for the
/// client.
#[derive(Debug)]
struct Pace<'c> {
    settings: &'c Settings,
    /// Length of the body in bytes, if the client has announced it. Without it, the deadline moves on with the content
    /// received.
    length: Option<u64>,
    /// Time spent waiting for the client since the body began.
    waited: Duration,
    /// Content received since the body began, in bytes.
    moved: u64,
    /// Time spent waiting for the client within the current window.
    waited_lately: Duration,
    /// Content received within the current window, in bytes.
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

    /// Longest wait for the client before [`waited`](Self::waited) must check its pace again.
    fn left(&self) -> Duration {
        let window = self.settings.pace_window;
        window
            .saturating_sub(self.waited_lately)
            .min(self.allowed().saturating_sub(self.waited))
    }

    /// The time that may be spent waiting for the announced length or, without one, for the content so far.
    fn allowed(&self) -> Duration {
        self.settings
            .transfer_limit(self.length.unwrap_or(self.moved))
    }

    /// Counts time that was spent waiting for the client. Errors: `TimedOut` if the client is too slow.
    fn waited(&mut self, time: Duration) -> io::Result<()> {
        self.waited += time;
        self.waited_lately += time;
        let too_slow = |what: &str| Err(io::Error::new(io::ErrorKind::TimedOut, what));
        if self.waited >= self.allowed() {
            return too_slow("the request body takes too long");
        }
        if self.waited_lately < self.settings.pace_window {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates a client that sends `piece` bytes ten times a second, and checks after how many tenths of a second it
    /// is found too slow.
    #[track_caller]
    fn check(settings: &Settings, length: Option<u64>, piece: usize, expected: Option<u32>) {
        let mut pace = Pace::new(settings, length);
        let all = length.unwrap_or(100_000);
        let too_slow = (1..).find_map(|tenths| {
            let failed = pace.waited(Duration::from_millis(100)).is_err();
            pace.moved(piece);
            let end = failed || pace.moved >= all;
            end.then_some(failed.then_some(tenths))
        });
        assert_eq!(too_slow, Some(expected), "{length:?}, {piece} bytes a time");
    }

    #[test]
    fn a_whole_body_has_a_deadline_by_its_length() {
        let settings = Settings {
            min_rate: 100,
            pace_window: Duration::from_secs(60),
            transfer_time: Duration::from_secs(1),
            ..Settings::default()
        };
        // 400 bytes are allowed 1 + 2 s. At 10 bytes per second they would take 40 s.
        check(&settings, Some(400), 1, Some(30));
        check(&settings, Some(10), 1, None);
        // Without a length, every 200 bytes received extend the deadline by a second. 10 bytes per second are too slow
        // for that, 1000 are enough.
        check(&settings, None, 1, Some(11));
        check(&settings, None, 100, None);
    }

    #[test]
    fn a_body_has_a_minimum_rate() {
        let settings = Settings {
            min_rate: 100,
            pace_window: Duration::from_secs(10),
            transfer_time: Duration::from_secs(1000),
            ..Settings::default()
        };
        check(&settings, Some(10_000), 9, Some(100));
        check(&settings, Some(10_000), 11, None);
    }
}
