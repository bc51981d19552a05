//! Decodes a stream of text to UTF-8 while it is read. Holds one buffer in memory, never the whole text.

use super::encoding::{guess, guess_utf16};
use crate::job::Input;
use crate::job::read_buffered;
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::{
    io::{self, BufRead, Read},
    ops::Range,
};

/// Bytes that are decoded at a time.
const BUFFER: usize = 1 << 16;

/// Number of bytes from which an encoding is guessed. At most a quarter of them is before the first byte that is not
/// valid UTF-8.
const GUESSED: u64 = 1 << 18;

/// A reader that returns UTF-8, whatever the encoding of its source is. A byte order mark is left out.
pub struct Utf8<R> {
    inner: R,
    /// Converts the source to UTF-8; `None` if the source is passed on unchanged.
    decoder: Option<Decoder>,
    buffer: Vec<u8>,
    /// Decoded part of `buffer` that has not been read.
    ready: Range<usize>,
    /// Whether the source has been decoded to its end.
    done: bool,
}

impl<R: BufRead> Utf8<R> {
    /// Decodes by this encoding, unless a byte order mark states another one. Invalid bytes become U+FFFD.
    pub fn new(inner: R, encoding: &'static Encoding) -> Self {
        Self {
            inner,
            decoder: Some(encoding.new_decoder()),
            buffer: vec![0; BUFFER],
            ready: 0..0,
            done: false,
        }
    }

    /// Decodes an XML file by its byte order mark, by a zero byte before or after its first `<`, or by its declaration
    /// (XML 1.0, appendix F). UTF-8 is passed on unchecked.
    pub fn xml(mut inner: R) -> io::Result<Self> {
        let head = inner.fill_buf()?;
        let encoding = match head {
            [0xfe, 0xff, ..] | [0, b'<', ..] => UTF_16BE,
            [0xff, 0xfe, ..] | [b'<', 0, ..] => UTF_16LE,
            _ => declared(head).unwrap_or(UTF_8),
        };
        if encoding != UTF_8 {
            return Ok(Self::new(inner, encoding));
        }
        if head.starts_with(b"\xef\xbb\xbf") {
            inner.consume(3);
        }
        Ok(Self {
            inner,
            decoder: None,
            buffer: Vec::new(),
            ready: 0..0,
            done: false,
        })
    }

    fn decode(&mut self, decoder: &mut Decoder) -> io::Result<()> {
        loop {
            let source = match self.inner.fill_buf() {
                Ok(source) => source,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Err(err) => return Err(err),
            };
            let last = source.is_empty();
            let (result, read, written, _) = decoder.decode_to_utf8(source, &mut self.buffer, last);
            self.inner.consume(read);
            self.done = last && result == CoderResult::InputEmpty;
            self.ready = 0..written;
            if written > 0 || self.done {
                return Ok(());
            }
        }
    }
}

/// The encoding that an XML declaration names. `None` for an encoding such as UTF-16, because a declaration in it would
/// not have been readable as ASCII.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let rest = head.strip_prefix(b"<?xml")?;
    let declaration = &rest[..memchr::memchr(b'>', &rest[..rest.len().min(256)])?];
    let at = memchr::memmem::find(declaration, b"encoding")? + 8;
    let mut quoted = declaration[at..].split(|byte| matches!(byte, b'"' | b'\''));
    let label = quoted.nth(1)?;
    Encoding::for_label(label).filter(|encoding| encoding.is_ascii_compatible())
}

impl<R: BufRead> BufRead for Utf8<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Some(mut decoder) = self.decoder.take() else {
            return self.inner.fill_buf();
        };
        let decoded = match self.ready.is_empty() && !self.done {
            true => self.decode(&mut decoder),
            false => Ok(()),
        };
        self.decoder = Some(decoder);
        decoded?;
        Ok(&self.buffer[self.ready.clone()])
    }

    fn consume(&mut self, len: usize) {
        match self.decoder {
            Some(_) => self.ready.start = (self.ready.start + len).min(self.ready.end),
            None => self.inner.consume(len),
        }
    }
}

impl<R: BufRead> Read for Utf8<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, out)
    }
}

/// Detects the encoding of a text file. A byte order mark decides. Without a byte order mark, UTF-16 is recognised by
/// its zero bytes, and a file counts as UTF-8 if all of it is valid UTF-8. Otherwise the encoding is guessed from the
/// text around the first invalid byte, because the beginning of the file may be only ASCII. Leaves the input at its
/// beginning.
pub fn encoding_of(input: &mut dyn Input) -> io::Result<&'static Encoding> {
    input.rewind()?;
    let mut buffer = vec![0; BUFFER];
    let (mut carried, mut position) = (0, 0_u64);
    let mut at_start = true;
    let found = loop {
        let read = match input.read(&mut buffer[carried..]) {
            Ok(read) => read,
            Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
            Err(err) => return Err(err),
        };
        let text = &buffer[..carried + read];
        if at_start {
            at_start = false;
            if let Some((encoding, _)) = Encoding::for_bom(text) {
                break encoding;
            }
            if let Some(encoding) = guess_utf16(text) {
                break encoding;
            }
        }
        let len = text.len();
        let valid = match std::str::from_utf8(text) {
            Ok(_) => len,
            // A character that the end of the buffer cuts in two may still be valid.
            Err(err) if err.error_len().is_none() && read > 0 => err.valid_up_to(),
            Err(err) => {
                let first = position + err.valid_up_to() as u64;
                input.seek(io::SeekFrom::Start(first.saturating_sub(GUESSED / 4)))?;
                let mut sample = Vec::new();
                Read::take(&mut *input, GUESSED).read_to_end(&mut sample)?;
                break guess(&sample);
            }
        };
        if read == 0 {
            break UTF_8;
        }
        buffer.copy_within(valid..len, 0);
        carried = len - valid;
        position += valid as u64;
    };
    input.rewind()?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn the_whole_file_decides_on_the_encoding() {
        #[track_caller]
        fn check(bytes: &[u8], expected: &str) {
            let mut input = Cursor::new(bytes);
            let encoding = encoding_of(&mut input).unwrap();
            let mut text = String::new();
            Utf8::new(input, encoding)
                .read_to_string(&mut text)
                .unwrap();
            assert!(text == expected, "{encoding:?}: {text:.80}");
        }
        check(b"", "");
        check("größer, 日本".as_bytes(), "größer, 日本");
        check(b"\xef\xbb\xbfa", "a");
        check(b"\xff\xfea\0\xfc\0", "aü");
        check(b"\xfe\xff\0a\0\xfc", "aü");
        check(b"a\0;\0\xfc\0;\0b\0c\0", "a;ü;bc");
        let long = "Gruss an alle;".repeat(20_000);
        check(
            &[long.as_bytes(), b"Gr\xfc\xdfe aus M\xfcnchen"].concat(),
            &(long.clone() + "Grüße aus München"),
        );
        // A character of two bytes extends across the end of a buffer.
        let odd = format!("a{}", "ü".repeat(60_000));
        check(odd.as_bytes(), &odd);
    }
}
