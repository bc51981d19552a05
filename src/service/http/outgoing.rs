//! Sending an answer and learning whether it arrived. Never waits for the client: sending stops where the socket would
//! block.
//!
//! A file may be deleted after it has been delivered, so "delivered" must not mean that the kernel of this machine has
//! taken the bytes. It means that the client's kernel has acknowledged all of them, which SIOCOUTQ reports. Files are
//! sent by sendfile(2), in turns of 4 MiB, so that one download does not keep a worker from the others.

use super::{
    response::{Parts, Piece, Receipt, Stream},
    socket,
    status::Status,
};
use std::{
    io::{self, Write},
    net::TcpStream,
};

/// An answer that is being sent.
pub(super) struct Outgoing {
    status: Status,
    bytes: Vec<u8>,
    head_len: usize,
    /// The number of bytes of `bytes` that have been written.
    written: usize,
    streamed: Option<Streamed>,
    /// Number of streamed bytes that were written.
    stream_written: u64,
    completing: bool,
    receipt: Option<Box<dyn Receipt>>,
}

/// Content after the bytes in memory: files, and pieces that are made while they are sent.
struct Streamed {
    len: u64,
    stream: Box<dyn Stream>,
    /// The piece that is being sent.
    piece: Option<Piece>,
}

/// Result of [`Outgoing::pump`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Everything has been sent and, if the answer has a file, acknowledged.
    Done,
    /// The socket takes no more for now.
    Blocked,
    /// There is more to send, but the turn is over, or a worker has to send the rest.
    Yielded,
    /// Everything has been sent, and the acknowledgement is outstanding.
    Unacknowledged,
}

/// Number of streamed bytes after which a turn of sending ends.
const TURN: u64 = 4 << 20;

impl Outgoing {
    /// Prepares an answer, of which nothing has been written yet.
    pub(super) fn new(parts: Parts) -> Self {
        let Parts {
            status,
            bytes,
            head_len,
            streamed,
        } = parts;
        Self {
            status,
            bytes,
            head_len,
            written: 0,
            streamed: streamed.map(|(len, stream)| Streamed {
                len,
                stream,
                piece: None,
            }),
            stream_written: 0,
            completing: false,
            receipt: None,
        }
    }

    /// The status code of the answer.
    pub(super) fn status(&self) -> Status {
        self.status
    }

    /// The number of content bytes written so far.
    pub(super) fn content_written(&self) -> u64 {
        self.written.saturating_sub(self.head_len) as u64 + self.stream_written
    }

    /// The length of the whole answer in bytes, with its head.
    pub(super) fn total_len(&self) -> u64 {
        let streamed = self.streamed.as_ref().map_or(0, |streamed| streamed.len);
        self.bytes.len() as u64 + streamed
    }

    /// The number of bytes written so far, with the head.
    pub(super) fn total_written(&self) -> u64 {
        self.written as u64 + self.stream_written
    }

    /// The receipt that the stream of the answer returned when all bytes were acknowledged, if it returned one.
    pub(super) fn into_receipt(self) -> Option<Box<dyn Receipt>> {
        self.receipt
    }

    /// The memory that the answer occupies, in bytes, without pieces of a stream.
    pub(super) fn memory(&self) -> usize {
        self.bytes.capacity()
    }

    /// Returns whether the answer has streamed content, such as a file. A worker has to send it, because reading a disk
    /// may block.
    pub(super) fn has_file(&self) -> bool {
        self.streamed.is_some()
    }

    /// Writes the part that is in memory.
    pub(super) fn pump_bytes(&mut self, mut stream: &TcpStream) -> io::Result<Progress> {
        while self.written < self.bytes.len() {
            match stream.write(&self.bytes[self.written..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(len) => self.written += len,
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(Progress::Blocked);
                }
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) => return Err(err),
            }
        }
        Ok(if self.has_file() {
            Progress::Yielded
        } else {
            Progress::Done
        })
    }

    /// Writes everything including files, and reports the delivery once the client's kernel has acknowledged all of it.
    pub(super) fn pump(&mut self, stream: &TcpStream) -> io::Result<Progress> {
        let progress = self.pump_bytes(stream)?;
        let Some(streamed) = &mut self.streamed else {
            return Ok(progress);
        };
        if progress == Progress::Blocked {
            return Ok(progress);
        }
        let turn_ends = self.stream_written + TURN;
        while self.stream_written < streamed.len {
            if self.stream_written >= turn_ends {
                return Ok(Progress::Yielded);
            }
            if !streamed.stream.may_go_on() {
                socket::reset_on_close(stream);
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            let left = streamed.len - self.stream_written;
            let piece = match &mut streamed.piece {
                Some(piece) if piece.len() > 0 => piece,
                Some(_) | None => match streamed.stream.next()? {
                    Some(piece) => {
                        streamed.piece = Some(piece);
                        continue;
                    }
                    None => return Err(too_short()),
                },
            };
            let most = piece.len().min(left).min(1 << 20);
            if left == most && !std::mem::replace(&mut self.completing, true) {
                // The call comes before the last write, because the client may have read everything when the write
                // returns.
                streamed.stream.completing();
                socket::report_acknowledgements(stream, true);
            }
            match piece.send(stream, most as usize) {
                Ok(0) => return Err(too_short()),
                Ok(sent) => self.stream_written += sent as u64,
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => {
                    if std::mem::take(&mut self.completing) {
                        streamed.stream.held_up();
                    }
                    return Ok(Progress::Blocked);
                }
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) => return Err(err),
            }
        }
        if socket::unacknowledged(stream)? > 0 {
            return Ok(Progress::Unacknowledged);
        }
        if let Some(streamed) = self.streamed.take() {
            self.receipt = streamed.stream.acknowledged();
            socket::report_acknowledgements(stream, false);
        }
        Ok(Progress::Done)
    }
}

fn too_short() -> io::Error {
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        "the content is shorter than announced",
    )
}

impl Piece {
    /// Remaining length in bytes.
    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(_, range) => range.end.saturating_sub(range.start),
        }
    }

    /// Sends up to `most` of the remaining bytes, and returns their number.
    fn send(&mut self, mut stream: &TcpStream, most: usize) -> io::Result<usize> {
        match self {
            Self::Bytes(bytes) => {
                let sent = stream.write(&bytes[..most.min(bytes.len())])?;
                bytes.drain(..sent);
                Ok(sent)
            }
            Self::File(file, range) => {
                let sent = rustix::fs::sendfile(stream, &*file, Some(&mut range.start), most)?;
                Ok(sent)
            }
        }
    }
}
