//! Decodes a file that is sent as base64 in JSON while it arrives, so that the file never has to fit into memory.
//! Fetches no URL.

use base64::{Engine, engine::general_purpose::STANDARD};
use std::io::{self, Read};

/// Limit on the JSON around the file that is kept, in bytes. The JSON before the file may exceed the limit by the piece
/// that arrives together with the beginning of the file.
pub(super) const MAX_AROUND: usize = 64 << 10;
/// Size of the read buffer, in bytes.
const CHUNK_SIZE: usize = 32 << 10;

/// A reader of the file in the first member with a given name. The JSON may be as large as an upload, so the reader
/// searches it instead of parsing it. It keeps the JSON around the file, up to a limit.
///
/// Errors: [`io::ErrorKind::InvalidData`] if the beginning of the JSON has no such member, if the base64 is invalid, or
/// if the JSON ends within it.
pub(super) struct Base64Json<R> {
    inner: R,
    /// Name of the member, in quotation marks.
    member: &'static str,
    /// The JSON without the content of the member's string.
    around: Vec<u8>,
    buffer: Vec<u8>,
    /// Base64 characters that have not been decoded yet.
    pending: Vec<u8>,
    decoded: Vec<u8>,
    taken: usize,
    state: State,
    /// Escape of JSON that has begun and not ended yet.
    escape: Option<Escape>,
}

/// An escape in a string (RFC 8259, section 7).
#[derive(Clone, Copy)]
enum Escape {
    /// The backslash.
    Begun,
    /// `\u`, the number of hexadecimal digits so far, and their value.
    Code(u8, u32),
}

/// Position of the reader: before, within, or after the string with the file.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Before,
    Within,
    After,
}

impl<R: Read> Base64Json<R> {
    /// Creates a reader of the file in the first member with this name. `member` includes the quotation marks.
    pub(super) fn new(inner: R, member: &'static str) -> Self {
        Self {
            inner,
            member,
            around: Vec::new(),
            buffer: vec![0; CHUNK_SIZE],
            pending: Vec::new(),
            decoded: Vec::new(),
            taken: 0,
            state: State::Before,
            escape: None,
        }
    }

    /// Returns whether the file has begun.
    pub(super) fn has_begun(&self) -> bool {
        self.state != State::Before
    }

    /// Returns the JSON that has arrived, with an empty string in place of the file. It is cut off after about 64 KiB.
    pub(super) fn into_around(self) -> Vec<u8> {
        self.around
    }

    /// Decodes the next part of the file. Returns false at the end of the JSON.
    fn fill(&mut self) -> io::Result<bool> {
        self.decoded.clear();
        self.taken = 0;
        while self.decoded.is_empty() {
            let read = self.inner.read(&mut self.buffer)?;
            if read == 0 {
                return match self.state {
                    State::After => Ok(false),
                    State::Before | State::Within => Err(invalid()),
                };
            }
            match self.state {
                State::After => {
                    let room = MAX_AROUND.saturating_sub(self.around.len());
                    self.around
                        .extend_from_slice(&self.buffer[..read.min(room)]);
                }
                State::Before => {
                    self.around.extend_from_slice(&self.buffer[..read]);
                    let Some(begin) = begin(&self.around, self.member.as_bytes()) else {
                        if self.around.len() > MAX_AROUND {
                            return Err(invalid());
                        }
                        continue;
                    };
                    self.state = State::Within;
                    let rest = self.around.split_off(begin);
                    self.take(&rest)?;
                }
                State::Within => {
                    let piece = self.buffer[..read].to_vec();
                    self.take(&piece)?;
                }
            }
        }
        Ok(true)
    }

    /// Reads the character after a backslash. Some libraries escape the solidus and, as `\u002B`, the plus sign; others
    /// escape line breaks, which are ignored.
    fn begin_escape(&mut self, byte: u8) -> io::Result<()> {
        self.escape = None;
        match byte {
            b'u' => self.escape = Some(Escape::Code(0, 0)),
            b'/' => self.pending.push(byte),
            b'n' | b'r' | b't' => {}
            _ => return Err(invalid()),
        }
        Ok(())
    }

    /// Takes a piece of the string, up to its closing quotation mark, and decodes all complete groups of four
    /// characters.
    fn take(&mut self, piece: &[u8]) -> io::Result<()> {
        let mut end = None;
        for (at, &byte) in piece.iter().enumerate() {
            match self.escape {
                None if byte == b'"' => {
                    end = Some(at);
                    break;
                }
                None if byte == b'\\' => self.escape = Some(Escape::Begun),
                None => self.pending.push(byte),
                Some(Escape::Begun) => self.begin_escape(byte)?,
                Some(Escape::Code(count, code)) => {
                    let digit = char::from(byte).to_digit(16).ok_or_else(invalid)?;
                    let code = code << 4 | digit;
                    self.escape = (count < 3).then_some(Escape::Code(count + 1, code));
                    if count == 3 {
                        self.pending.push(code.try_into().map_err(|_| invalid())?);
                    }
                }
            }
        }
        let whole = match end {
            Some(_) => self.pending.len(),
            None => self.pending.len() / 4 * 4,
        };
        let rest = self.pending.split_off(whole);
        let group = std::mem::replace(&mut self.pending, rest);
        self.decoded = STANDARD.decode(&group).map_err(|_| invalid())?;
        if let Some(end) = end {
            self.state = State::After;
            self.around.extend_from_slice(&piece[end..]);
        }
        Ok(())
    }
}

impl<R: Read> Read for Base64Json<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.decoded.len() && !self.fill()? {
            return Ok(0);
        }
        let len = into.len().min(self.decoded.len() - self.taken);
        into[..len].copy_from_slice(&self.decoded[self.taken..self.taken + len]);
        self.taken += len;
        Ok(len)
    }
}

/// Returns the offset of the first character of the member's string. `None` if its opening quotation mark has not
/// arrived.
fn begin(json: &[u8], member: &[u8]) -> Option<usize> {
    let found = memchr::memmem::find(json, member)?;
    let after = found + member.len();
    let quote = json[after..].iter().position(|&byte| byte == b'"')?;
    Some(after + quote + 1)
}

fn invalid() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns one byte at a time, as a slow connection does.
    struct Slow<'b>(&'b [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let len = self.0.len().min(1).min(into.len());
            into[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }

    #[test]
    fn files_are_decoded_from_json() {
        #[track_caller]
        fn check(json: &str, expected: Option<&[u8]>) {
            for slow in [false, true] {
                let mut file = Vec::new();
                let bytes = json.as_bytes();
                let member = "\"base64Source\"";
                let read = match slow {
                    true => Base64Json::new(Slow(bytes), member).read_to_end(&mut file),
                    false => Base64Json::new(bytes, member).read_to_end(&mut file),
                };
                assert_eq!(read.ok().map(|_| &*file), expected, "{json}");
            }
        }
        check("{\"base64Source\": \"aGVsbG8=\"}", Some(b"hello"));
        check(
            "{\"a\":1,\"base64Source\":\"aGVsbG8hIQ==\",\"b\":2}",
            Some(b"hello!!"),
        );
        check("{\"base64Source\":\"\\/\\/\\/\\/\"}", Some(b"\xff\xff\xff"));
        check(
            "{\"base64Source\":\"\\u002B\\u002b++\"}",
            Some(b"\xfb\xef\xbe"),
        );
        check("{\"base64Source\":\"aGVs\\r\\nbG8=\"}", Some(b"hello"));
        check("{\"base64Source\":\"aGVs\\u00e9\"}", None);
        check("{\"base64Source\":\"aGVs\\x\"}", None);
        check("{\"base64Source\":\"a?b=\"}", None);
        check("{\"base64Source\":\"aGVs", None);
        check("{\"urlSource\":\"http://a\"}", None);
        check("", None);
    }

    #[test]
    fn json_around_a_file_is_kept() {
        #[track_caller]
        fn check(json: &str, expected: &str) {
            let mut reader = Base64Json::new(json.as_bytes(), "\"file\"");
            let _ = reader.read_to_end(&mut Vec::new());
            assert_eq!(String::from_utf8_lossy(&reader.into_around()), expected);
        }
        check(
            r#"{"a":1,"file":"aGVsbG8=","b":"c"}"#,
            r#"{"a":1,"file":"","b":"c"}"#,
        );
        check(r#"{"url":"http://a"}"#, r#"{"url":"http://a"}"#);
        let long = format!(r#"{{"file":"","b":"{}"}}"#, "c".repeat(2 * MAX_AROUND));
        check(&long, &long[..MAX_AROUND]);
    }
}
