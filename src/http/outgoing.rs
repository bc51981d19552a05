//! Sending an answer and learning whether it arrived. Never waits for the client: it stops where the socket would block.
//!
//! A file may be deleted after it has been delivered, so "delivered" must not mean that the kernel has taken the bytes. It
//! means that the client's kernel has acknowledged all of them, which SIOCOUTQ tells. Files go out by sendfile(2), in turns of
//! 4 MiB, so that one download does not keep a worker from the others.

use super::{
    response::{FilePart, Parts, Receipt, Status},
    socket,
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
    file: Option<FilePart>,
    /// The number of bytes of the file part that have been written.
    file_written: u64,
    completing: bool,
    receipt: Option<Box<dyn Receipt>>,
}

/// How far a call of [`Outgoing::pump`] has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Everything has been sent and, if it is a file, acknowledged.
    Done,
    /// The socket takes no more for now.
    Blocked,
    /// There is more to send, but the turn is over, or a worker has to send the rest.
    Yielded,
    /// Everything has been sent, and the acknowledgement is outstanding.
    Unacknowledged,
}

/// How much of a file is sent in one turn, in bytes.
const TURN: u64 = 4 << 20;

impl Outgoing {
    pub(super) fn new(parts: Parts) -> Self {
        let Parts {
            status,
            bytes,
            head_len,
            file,
        } = parts;
        Self {
            status,
            bytes,
            head_len,
            written: 0,
            file,
            file_written: 0,
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
        self.written.saturating_sub(self.head_len) as u64 + self.file_written
    }

    /// The length of the whole answer in bytes, with its head.
    pub(super) fn total_len(&self) -> u64 {
        let file = self
            .file
            .as_ref()
            .map_or(0, |part| part.range.end - part.range.start);
        self.bytes.len() as u64 + file
    }

    /// The number of bytes written so far, with the head.
    pub(super) fn total_written(&self) -> u64 {
        self.written as u64 + self.file_written
    }

    /// The receipt that has to learn whether an acknowledged file was read, if there is one.
    pub(super) fn into_receipt(self) -> Option<Box<dyn Receipt>> {
        self.receipt
    }

    /// The memory that it holds, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.bytes.capacity()
    }

    /// Whether a worker has to send the rest, because it is a file and reading a disk may block.
    pub(super) fn has_file(&self) -> bool {
        self.file.is_some()
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

    /// Writes everything including the file, and reports the delivery once the client's kernel has acknowledged all of it.
    pub(super) fn pump(&mut self, stream: &TcpStream) -> io::Result<Progress> {
        let progress = self.pump_bytes(stream)?;
        let Some(part) = &mut self.file else {
            return Ok(progress);
        };
        if progress == Progress::Blocked {
            return Ok(progress);
        }
        let turn_ends = self.file_written + TURN;
        let len = part.range.end - part.range.start;
        while self.file_written < len {
            if self.file_written >= turn_ends {
                return Ok(Progress::Yielded);
            }
            let mut offset = part.range.start + self.file_written;
            let room = usize::try_from(len - self.file_written)
                .unwrap_or(usize::MAX)
                .min(1 << 20);
            if len - self.file_written == room as u64
                && !std::mem::replace(&mut self.completing, true)
            {
                // This comes before the call because the client may have read everything when the call returns.
                part.delivery.completing();
                socket::report_acknowledgements(stream, true);
            }
            match rustix::fs::sendfile(stream, &part.file, Some(&mut offset), room) {
                Ok(0) => {
                    return Err(io::Error::new(
                        io::ErrorKind::UnexpectedEof,
                        "the file is shorter than announced",
                    ));
                }
                Ok(sent) => self.file_written += sent as u64,
                Err(rustix::io::Errno::AGAIN) => {
                    if std::mem::take(&mut self.completing) {
                        part.delivery.held_up();
                    }
                    return Ok(Progress::Blocked);
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(err) => return Err(err.into()),
            }
        }
        if socket::unacknowledged(stream)? > 0 {
            return Ok(Progress::Unacknowledged);
        }
        if let Some(part) = self.file.take() {
            self.receipt = part.delivery.acknowledged();
            socket::report_acknowledgements(stream, false);
        }
        Ok(Progress::Done)
    }
}
