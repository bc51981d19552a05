//! Cuts a form into its parts (RFC 2046, section 5.1; RFC 7578) in one pass. Copies no content, and stores none.
//!
//! Content goes from the socket into one buffer, and from that buffer to whoever asked for it. A delimiter is a line break,
//! two hyphens and the boundary that the client chose; it may begin anywhere, and the end of the buffer may fall into the
//! middle of it. So what a buffer ends with is held back if it could be the beginning of a delimiter, and moves to the front
//! before the next read. A delimiter begins with CR and holds no other, which leaves one place to look at: the last CR.
//!
//! The parser is strict about what ends a part and lenient about the rest. A line that begins with the boundary and goes on
//! is content, a preamble and an epilogue are skipped (section 5.1.1), and a part without content may leave out the empty line
//! behind its head.

use super::head::{self, PartHead};
use memchr::{memmem, memrchr};
use std::io::{self, Read};

/// The longest head of a part, in bytes.
const MAX_HEAD: usize = 16 << 10;
/// The buffer, in bytes: a head, with its delimiters, has to fit. Larger ones make an upload no faster.
const BUFFER: usize = 64 << 10;

/// The parts of a form, one after the other.
pub(super) struct Parts<R> {
    form: R,
    /// Ends a part: CRLF, two hyphens, and the boundary.
    delimiter: memmem::Finder<'static>,
    buffer: Box<[u8]>,
    /// What has been read and not been used is `buffer[start..end]`.
    start: usize,
    end: usize,
    /// Whether `form` has nothing more to give.
    ended: bool,
    place: Place,
}

/// What the unread bytes belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Preamble,
    Head,
    Content,
    /// Behind the last part.
    Epilogue,
}

/// What stands behind the boundary of something that looks like a delimiter.
enum Delimiter {
    /// Another part follows. So many bytes belong to the delimiter.
    Next(usize),
    /// Two hyphens: that was the last part.
    Last,
    /// It is no delimiter but content.
    Not,
    /// The bytes that decide it have not arrived.
    Unknown,
}

impl<R: Read> Parts<R> {
    /// Reads `form`, whose parts are separated by `boundary` (without the hyphens).
    pub(super) fn new(form: R, boundary: &str) -> Self {
        let mut buffer = vec![0; BUFFER].into_boxed_slice();
        // The first boundary may stand at the very beginning: as if a line had ended there.
        buffer[..2].copy_from_slice(b"\r\n");
        let delimiter = format!("\r\n--{boundary}");
        Self {
            form,
            delimiter: memmem::Finder::new(&delimiter).into_owned(),
            buffer,
            start: 0,
            end: 2,
            ended: false,
            place: Place::Preamble,
        }
    }

    /// Skips what is left of the current part, and reads the head of the next one. `None` behind the last.
    ///
    /// Errors: `UnexpectedEof` if the form ends before its closing delimiter, `InvalidData` for a head that cannot be
    /// understood, and those of the reader.
    pub(super) fn next(&mut self) -> io::Result<Option<PartHead>> {
        while !self.content()?.is_empty() {}
        if self.place == Place::Epilogue {
            return Ok(None);
        }
        let len = self.head_len()?;
        let head = head::parse(&String::from_utf8_lossy(&self.unread()[..len]))?;
        self.start += len;
        self.place = Place::Content;
        // What ends the head may be the line break that a delimiter begins with: then there is neither an empty line nor content.
        if !matches!(self.delimiter_here()?, Delimiter::Next(_) | Delimiter::Last) {
            self.start += b"\r\n".len();
        }
        Ok(Some(head))
    }

    /// The next piece of the current part's content; empty at its end.
    ///
    /// Errors: `UnexpectedEof` if the form ends before the part does, and those of the reader.
    pub(super) fn content(&mut self) -> io::Result<&[u8]> {
        while matches!(self.place, Place::Preamble | Place::Content) {
            let unread = &self.buffer[self.start..self.end];
            let len = match self.delimiter.find(unread) {
                Some(0) => match self.delimiter_here()? {
                    Delimiter::Next(len) => {
                        self.start += len;
                        self.place = Place::Head;
                        break;
                    }
                    Delimiter::Last => {
                        self.place = Place::Epilogue;
                        break;
                    }
                    Delimiter::Not | Delimiter::Unknown => self.delimiter.needle().len(),
                },
                Some(at) => at,
                None => unread.len() - self.held_back(unread),
            };
            if len == 0 {
                self.fill()?;
                continue;
            }
            let piece = self.start..self.start + len;
            self.start = piece.end;
            if self.place == Place::Content {
                return Ok(&self.buffer[piece]);
            }
        }
        Ok(&[])
    }

    fn unread(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// How many of the last bytes could be the beginning of a delimiter.
    fn held_back(&self, unread: &[u8]) -> usize {
        let delimiter = self.delimiter.needle();
        let tail = &unread[unread.len().saturating_sub(delimiter.len() - 1)..];
        match memrchr(b'\r', tail) {
            Some(at) if delimiter.starts_with(&tail[at..]) => tail.len() - at,
            Some(_) | None => 0,
        }
    }

    /// What begins with the next byte. Reads on as far as it takes to tell.
    fn delimiter_here(&mut self) -> io::Result<Delimiter> {
        loop {
            match self.classify() {
                Delimiter::Unknown if !self.ended => self.try_fill()?,
                told => return Ok(told),
            }
        }
    }

    fn classify(&self) -> Delimiter {
        let (unread, delimiter) = (self.unread(), self.delimiter.needle());
        let Some(behind) = unread.strip_prefix(delimiter) else {
            return if delimiter.starts_with(unread) {
                Delimiter::Unknown
            } else {
                Delimiter::Not
            };
        };
        if behind.starts_with(b"--") {
            return Delimiter::Last;
        }
        // White space may stand behind a boundary (RFC 2046, section 5.1.1, "transport-padding").
        let padding = behind.iter().take_while(|&&b| b == b' ' || b == b'\t');
        let padding = padding.count();
        match &behind[padding..] {
            [b'\r', b'\n', ..] => Delimiter::Next(delimiter.len() + padding + 2),
            [] | [b'\r'] if padding < MAX_HEAD => Delimiter::Unknown,
            [b'-'] if padding == 0 => Delimiter::Unknown,
            _ => Delimiter::Not,
        }
    }

    /// The length of the head that begins with the next byte, without the empty line behind it.
    fn head_len(&mut self) -> io::Result<usize> {
        loop {
            let unread = self.unread();
            if unread.starts_with(b"\r\n") {
                return Ok(0);
            }
            match memmem::find(unread, b"\r\n\r\n") {
                Some(len) if len <= MAX_HEAD => return Ok(len + 2),
                None if unread.len() <= MAX_HEAD => self.fill()?,
                Some(_) | None => {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        format!("it is longer than {MAX_HEAD} bytes"),
                    ));
                }
            }
        }
    }

    /// Reads more. Errors: `UnexpectedEof` if there is no more.
    fn fill(&mut self) -> io::Result<()> {
        if !self.ended {
            self.try_fill()?;
        }
        if self.ended {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// Reads more, or takes note that there is no more.
    fn try_fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        let len = loop {
            match self.form.read(&mut self.buffer[self.end..]) {
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.end += len;
        self.ended = len == 0;
        Ok(())
    }
}
