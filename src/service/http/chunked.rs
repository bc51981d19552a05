//! The chunked transfer coding (RFC 9112, section 7.1). Works on bytes in memory and touches no socket.
//!
//! The decoder is a state machine that accepts bytes in pieces of any size. It refuses everything that another parser
//! could read differently, such as a bare CR or LF and white space around sizes, because a difference between two
//! parsers lets a client smuggle a request past a proxy.

use super::{chunk_extension::Extension, head};

/// The maximum length of a chunk-size line with its extensions, in bytes.
const MAX_SIZE_LINE: usize = 1024;
/// The maximum length of all trailer fields together, in bytes. They are read and dropped.
const MAX_TRAILERS: usize = 8 << 10;
/// Length of a size line that counts as normal, in bytes: the digits of a 64-bit size. Each further byte of a line
/// counts as excess.
const SIZE_DIGITS: u64 = 16;
/// Excess that the size lines of a body may have together, in bytes, in addition to one byte for each byte of content.
const MAX_EXCESS: u64 = 64 << 10;

/// Reason why the chunked coding is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) &'static str);

/// Result of one call of [`Decoder::decode`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    /// The number of input bytes that were used up.
    pub(super) consumed: usize,
    /// The number of content bytes that were written to the output.
    pub(super) produced: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The decoder is in the line that holds the size. `size` is `None` before the first digit, and `extension` is
    /// `None` before the first `;`. `line` is the number of bytes of the line so far, and `cr` states whether the last
    /// of them is a CR.
    Size {
        size: Option<u64>,
        extension: Option<Extension>,
        line: usize,
        cr: bool,
    },
    /// The decoder is in the content of a chunk, of which this many bytes are left.
    Data(u64),
    /// The decoder is in the CRLF after the content of a chunk.
    DataEnd {
        cr: bool,
    },
    /// The decoder is in the trailer section. `line` is the length of the current line, `total` that of the whole
    /// section so far, and `named` states whether the colon of the line has been read.
    Trailers {
        line: usize,
        total: usize,
        named: bool,
        cr: bool,
    },
    Done,
}

/// A decoder for one body.
///
/// Chunk extensions and leading zeros are read and dropped. With a kilobyte of them for each byte of content, a client
/// could make the server read gigabytes for a small body (as in CVE-2023-39326 and CVE-2024-22019). So the bytes of
/// size lines beyond [`SIZE_DIGITS`] are counted over the whole body, and may be no more than its content plus
/// [`MAX_EXCESS`].
#[derive(Debug)]
pub(super) struct Decoder {
    state: State,
    /// The number of content bytes so far.
    content: u64,
    /// The number of bytes so far by which size lines were longer than [`SIZE_DIGITS`].
    excess: u64,
}

impl Decoder {
    pub(super) fn new() -> Self {
        Self {
            state: State::SIZE,
            content: 0,
            excess: 0,
        }
    }

    /// Returns whether the last chunk and the trailers have been read.
    pub(super) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// Decodes from `input` to `output` until one of them is used up or the body ends.
    pub(super) fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, Malformed> {
        let mut step = Step::default();
        while step.consumed < input.len() {
            match self.state {
                State::Done => break,
                State::Data(left) => {
                    let room = output.len() - step.produced;
                    let len = (input.len() - step.consumed)
                        .min(room)
                        .min(usize::try_from(left).unwrap_or(usize::MAX));
                    if len == 0 {
                        break;
                    }
                    output[step.produced..step.produced + len]
                        .copy_from_slice(&input[step.consumed..step.consumed + len]);
                    step.consumed += len;
                    step.produced += len;
                    self.content += len as u64;
                    let left = left - len as u64;
                    self.state = if left == 0 {
                        State::DataEnd { cr: false }
                    } else {
                        State::Data(left)
                    };
                }
                // Framing is parsed byte by byte, because a piece of input may end anywhere in it.
                framing => {
                    self.state = framing.after(input[step.consumed])?;
                    step.consumed += 1;
                    if let State::Size { line, .. } = self.state
                        && line as u64 > SIZE_DIGITS
                    {
                        self.excess += 1;
                        if self.excess > MAX_EXCESS + self.content {
                            return Err(Malformed(
                                "the chunk extensions are longer than the content",
                            ));
                        }
                    }
                }
            }
        }
        Ok(step)
    }
}

impl State {
    const SIZE: Self = Self::Size {
        size: None,
        extension: None,
        line: 0,
        cr: false,
    };

    /// The state after one byte of framing.
    fn after(self, byte: u8) -> Result<Self, Malformed> {
        match self {
            Self::Size {
                size: Some(0),
                cr: true,
                ..
            } if byte == b'\n' => Ok(Self::Trailers {
                line: 0,
                total: 0,
                named: false,
                cr: false,
            }),
            Self::Size {
                size: Some(size),
                cr: true,
                ..
            } if byte == b'\n' => Ok(Self::Data(size)),
            Self::Size { cr: true, .. } => Err(Malformed("a chunk-size line holds a bare CR")),
            Self::Size {
                line: MAX_SIZE_LINE,
                ..
            } => Err(Malformed("a chunk-size line is longer than 1 KiB")),
            Self::Size {
                size,
                extension,
                line,
                cr: false,
            } => {
                let next = |size: Option<u64>, extension: Option<Extension>, cr: bool| Self::Size {
                    size,
                    extension,
                    line: line + 1,
                    cr,
                };
                let digit = (byte as char).to_digit(16).map(u64::from);
                match (byte, digit, size, extension) {
                    (b'\n', ..) => Err(Malformed("a chunk-size line ends in a bare LF")),
                    (b'\r', _, Some(_), None) => Ok(next(size, extension, true)),
                    (b'\r', _, Some(_), Some(read)) if read.may_end() => {
                        Ok(next(size, extension, true))
                    }
                    (byte, _, _, Some(read)) => match read.after(byte) {
                        Some(read) => Ok(next(size, Some(read), false)),
                        None => Err(Malformed("a chunk extension is not a name with a value")),
                    },
                    (b';', _, Some(_), None) => Ok(next(size, Some(Extension::Begins), false)),
                    (_, Some(digit), _, None) => {
                        // A size of more than 56 bits is refused, so that neither the arithmetic here nor a limit on
                        // bodies can overflow.
                        let size = size.unwrap_or(0);
                        if size >> 52 != 0 {
                            return Err(Malformed("a chunk is too large"));
                        }
                        Ok(next(Some(size << 4 | digit), None, false))
                    }
                    _ => Err(Malformed("a chunk size is not a hexadecimal number")),
                }
            }
            Self::DataEnd { cr: false } if byte == b'\r' => Ok(Self::DataEnd { cr: true }),
            Self::DataEnd { cr: true } if byte == b'\n' => Ok(Self::SIZE),
            Self::DataEnd { .. } => Err(Malformed("a chunk is longer than its size")),
            Self::Trailers {
                total: MAX_TRAILERS,
                ..
            } => Err(Malformed("the trailers are longer than 8 KiB")),
            Self::Trailers {
                line: 0, cr: true, ..
            } if byte == b'\n' => Ok(Self::Done),
            Self::Trailers {
                total, cr: true, ..
            } if byte == b'\n' => Ok(Self::Trailers {
                line: 0,
                total: total + 1,
                named: false,
                cr: false,
            }),
            Self::Trailers { cr: true, .. } => Err(Malformed("a trailer holds a bare CR")),
            Self::Trailers {
                line,
                total,
                named,
                cr: false,
            } => Self::in_trailer(line, total + 1, named, byte),
            Self::Data(_) | Self::Done => Ok(self),
        }
    }

    /// The state after a byte of a trailer field. `total` counts the byte already.
    fn in_trailer(line: usize, total: usize, named: bool, byte: u8) -> Result<Self, Malformed> {
        match byte {
            b'\r' if named || line == 0 => Ok(Self::Trailers {
                line,
                total,
                named,
                cr: true,
            }),
            b'\t' | 0x20..=0x7e | 0x80.. if named => Ok(Self::Trailers {
                line: line + 1,
                total,
                named,
                cr: false,
            }),
            byte if (byte == b':' && line > 0) || head::is_token(byte) => Ok(Self::Trailers {
                line: line + 1,
                total,
                named: byte == b':',
                cr: false,
            }),
            _ if named => Err(Malformed("a trailer holds a control character")),
            _ => Err(Malformed(
                "a trailer does not begin with the name of a field and a colon",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes in pieces of `piece` bytes. Returns the content, the number of input bytes left, and whether the body
    /// has ended.
    fn decode(text: &[u8], piece: usize) -> Result<(Vec<u8>, usize, bool), Malformed> {
        let mut decoder = Decoder::new();
        let (mut content, mut at) = (Vec::new(), 0);
        while at < text.len() && !decoder.is_done() {
            let mut output = [0; 3];
            let end = (at + piece).min(text.len());
            let step = decoder.decode(&text[at..end], &mut output)?;
            content.extend_from_slice(&output[..step.produced]);
            at += step.consumed;
        }
        Ok((content, text.len() - at, decoder.is_done()))
    }

    #[test]
    fn chunks_are_decoded_wherever_the_bytes_are_cut() {
        let text =
            b"4\r\nWiki\r\n5; a = b;c;d=\"\\\";\xff\"\r\npedia\r\n00E\r\n in\r\n\r\nchunks.\r\n0\r\nX: y\r\n\r\nGET";
        for piece in 1..text.len() {
            let (content, left, done) = decode(text, piece).unwrap();
            assert_eq!(content, b"Wikipedia in\r\n\r\nchunks.");
            assert_eq!((left, done), (3, true));
        }
    }

    #[test]
    fn extensions_may_take_as_much_as_the_content_and_a_little_more() {
        #[track_caller]
        fn check(size_line: &str, len: usize, count: usize, accepted: bool) {
            let chunk = format!("{size_line}\r\n{}\r\n", "x".repeat(len));
            let text = chunk.repeat(count);
            let result = decode(text.as_bytes(), 1000);
            assert_eq!(result.is_ok(), accepted, "{count} times {size_line:?}");
        }
        let extension = "e".repeat(1000);
        check(&format!("1;{extension}"), 1, 60, true);
        check(&format!("1;{extension}"), 1, 70, false);
        // If chunks have as much content as extensions, any number of chunks is accepted.
        check(&format!("400;{extension}"), 1024, 500, true);
        check(&format!("{:0>1000}", 1), 1, 70, false);
        // The smallest chunks have more framing than content, but none of it could be left out.
        check("1", 1, 200_000, true);
        check("1;a=b", 1, 200_000, true);
    }

    #[test]
    fn a_body_is_incomplete_until_its_last_byte() {
        let text = b"4\r\nWiki\r\n0\r\n\r\n";
        for cut in 0..text.len() {
            assert!(!decode(&text[..cut], 7).unwrap().2, "cut at {cut}");
        }
    }

    #[test]
    fn ambiguous_chunks_are_refused() {
        #[track_caller]
        fn check(text: &[u8]) {
            assert!(
                decode(text, 1000).is_err(),
                "{:?} was accepted",
                String::from_utf8_lossy(text)
            );
        }
        check(b"\r\n");
        check(b"x\r\n");
        check(b"-1\r\n");
        check(b"+1\r\na\r\n");
        check(b" 1\r\na\r\n");
        check(b"0x1\r\na\r\n");
        check(b"1 \r\na\r\n");
        check(b"1\na\r\n");
        check(b"1\r\rna\r\n");
        check(b"1;\na\r\n");
        check(b"1;\r\na\r\n");
        check(b"1;a;\r\na\r\n");
        check(b"1;a=\r\na\r\n");
        check(b"1;[=b\r\na\r\n");
        check(b"1;a=\"b\r\na\r\n");
        check(b"1;a=\"b\"c\r\na\r\n");
        check(b"1;a b\r\na\r\n");
        check(b"1\r\nab\r\n");
        check(b"1\r\na\n");
        check(b"ffffffffffffffffff\r\n");
        check(b"0\r\nX: \0\r\n\r\n");
        check(b"0\r\nX: a\n\r\n");
        check(b"0\r\nX : a\r\n\r\n");
        check(b"0\r\nX\r\n\r\n");
        check(b"0\r\n: a\r\n\r\n");
        check(b"0\r\nX: a\r\n b\r\n\r\n");
        check(format!("1;{}\r\na", "e".repeat(1024)).as_bytes());
        check(format!("0\r\n{}", "X: y\r\n".repeat(2000)).as_bytes());
    }
}
