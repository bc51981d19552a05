//! Cuts a form into its parts (RFC 2046, section 5.1; RFC 7578) in one pass. Stores no content.
//!
//! Content goes from the socket into one buffer, and the caller gets slices of that buffer. A delimiter is a line
//! break, two hyphens and the boundary that the client chose. It may begin anywhere, so the end of the buffer may fall
//! into the middle of it. The last bytes of the buffer are therefore held back if they could be the beginning of a
//! delimiter, and move to the front before the next read. A delimiter begins with CR and contains no other CR, so only
//! the last CR has to be checked.
//!
//! The parser is strict about the end of a part, and lenient otherwise. A line that begins with the boundary but
//! continues after it is content. A preamble and an epilogue are ignored (section 5.1.1). A part without content may
//! leave out the empty line after its head.

use super::head::{self, PartHead};
use memchr::{memmem, memrchr};
use std::io::{self, Read};

/// The maximum length of a part's head in bytes.
const MAX_HEAD: usize = 16 << 10;
/// Size of the buffer in bytes. A head with its delimiters must fit. Larger buffers did not make uploads faster.
const BUFFER: usize = 64 << 10;

/// The parts of a form, read one after another.
pub(in crate::api) struct Parts<R> {
    form: R,
    /// The delimiter that ends a part: CRLF, two hyphens, and the boundary.
    delimiter: memmem::Finder<'static>,
    buffer: Box<[u8]>,
    /// The beginning in `buffer` of the bytes that have been read but not used yet.
    start: usize,
    /// The end in `buffer` of the bytes that have been read.
    end: usize,
    /// Whether `form` has been read to its end.
    ended: bool,
    section: FormSection,
}

/// Section of the form that the next unread byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormSection {
    Preamble,
    Head,
    Content,
    /// After the last part.
    Epilogue,
}

/// Result of comparing the next bytes with the delimiter.
enum Delimiter {
    /// A delimiter of this many bytes, after which another part follows.
    Next(usize),
    /// The closing delimiter: two hyphens follow.
    Last,
    /// Not a delimiter but content.
    Not,
    /// Unknown, because the bytes that decide it have not arrived.
    Unknown,
}

impl<R: Read> Parts<R> {
    /// Reads `form`, whose parts are separated by `boundary` (without the hyphens).
    pub(in crate::api) fn new(form: R, boundary: &str) -> Self {
        let mut buffer = vec![0; BUFFER].into_boxed_slice();
        // The first boundary may be at the very beginning of the form. A line break in front turns it into a normal
        // delimiter.
        buffer[..2].copy_from_slice(b"\r\n");
        let delimiter = format!("\r\n--{boundary}");
        Self {
            form,
            delimiter: memmem::Finder::new(&delimiter).into_owned(),
            buffer,
            start: 0,
            end: 2,
            ended: false,
            section: FormSection::Preamble,
        }
    }

    /// Skips the rest of the current part, and reads the head of the next one. `None` after the last part.
    ///
    /// Errors: `UnexpectedEof` if the form ends before its closing delimiter, `InvalidData` for a head that cannot be
    /// understood, and those of the reader.
    pub(in crate::api) fn next(&mut self) -> io::Result<Option<PartHead>> {
        while !self.content()?.is_empty() {}
        if self.section == FormSection::Epilogue {
            return Ok(None);
        }
        let len = self.head_len()?;
        let head = head::parse(&String::from_utf8_lossy(&self.unread()[..len]))?;
        self.start += len;
        self.section = FormSection::Content;
        // The next line break may be the beginning of a delimiter. Then the part has no empty line and no content.
        // Otherwise the line break is the empty line, and is skipped.
        if !matches!(self.delimiter_here()?, Delimiter::Next(_) | Delimiter::Last) {
            self.start += b"\r\n".len();
        }
        Ok(Some(head))
    }

    /// Returns the next piece of the current part's content, or an empty slice at the end of the part.
    ///
    /// Errors: `UnexpectedEof` if the form ends before the part does, and those of the reader.
    pub(in crate::api) fn content(&mut self) -> io::Result<&[u8]> {
        while matches!(self.section, FormSection::Preamble | FormSection::Content) {
            let unread = &self.buffer[self.start..self.end];
            let len = match self.delimiter.find(unread) {
                Some(0) => match self.delimiter_here()? {
                    Delimiter::Next(len) => {
                        self.start += len;
                        self.section = FormSection::Head;
                        break;
                    }
                    Delimiter::Last => {
                        self.section = FormSection::Epilogue;
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
            if self.section == FormSection::Content {
                return Ok(&self.buffer[piece]);
            }
        }
        Ok(&[])
    }

    fn unread(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The number of bytes at the end of `unread` that may be the beginning of a delimiter.
    fn held_back(&self, unread: &[u8]) -> usize {
        let delimiter = self.delimiter.needle();
        let tail = &unread[unread.len().saturating_sub(delimiter.len() - 1)..];
        match memrchr(b'\r', tail) {
            Some(at) if delimiter.starts_with(&tail[at..]) => tail.len() - at,
            Some(_) | None => 0,
        }
    }

    /// Compares the next bytes with the delimiter, and reads more bytes until the result is certain or the form has
    /// ended.
    fn delimiter_here(&mut self) -> io::Result<Delimiter> {
        loop {
            match self.classify() {
                Delimiter::Unknown if !self.ended => self.try_fill()?,
                known => return Ok(known),
            }
        }
    }

    /// Compares the unread bytes with the delimiter.
    fn classify(&self) -> Delimiter {
        let (unread, delimiter) = (self.unread(), self.delimiter.needle());
        let Some(after) = unread.strip_prefix(delimiter) else {
            return if delimiter.starts_with(unread) {
                Delimiter::Unknown
            } else {
                Delimiter::Not
            };
        };
        if after.starts_with(b"--") {
            return Delimiter::Last;
        }
        // White space may follow a boundary (RFC 2046, section 5.1.1, "transport-padding").
        let padding = after.iter().take_while(|&&b| b == b' ' || b == b'\t');
        let padding = padding.count();
        match &after[padding..] {
            [b'\r', b'\n', ..] => Delimiter::Next(delimiter.len() + padding + 2),
            [] | [b'\r'] if padding < MAX_HEAD => Delimiter::Unknown,
            [b'-'] if padding == 0 => Delimiter::Unknown,
            _ => Delimiter::Not,
        }
    }

    /// The length in bytes of the head that begins at the next byte, without the empty line after it.
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

    /// Reads more bytes.
    ///
    /// Errors: `UnexpectedEof` if the form has ended, and those of the reader.
    fn fill(&mut self) -> io::Result<()> {
        if !self.ended {
            self.try_fill()?;
        }
        if self.ended {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// Reads more bytes, or sets `ended` if there are no more.
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
