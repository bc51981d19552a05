//! RESP2, the protocol of Redis and Valkey: requests are arrays of strings, replies have five types
//! (<https://valkey.io/topics/protocol/>). Does not depend on the commands of Redis.
//!
//! This module implements the protocol itself, because the protocol is small. The crate `redis` without its runtimes
//! brings 14 crates and 390 KB, and has a trap: with a read time-out of 300 ms, ten commands in a pipeline waited 3.2 s
//! for a silent server, each for its own time-out.

use std::io::{self, BufRead, Read};

/// The longest string of a reply, in bytes. Pieces of results are far smaller.
const MAX_BULK: usize = 16 << 20;
/// The most elements of an array.
const MAX_ELEMENTS: usize = 4096;
/// The longest line, in bytes.
const MAX_LINE: u64 = 64 << 10;
/// Limit on the nesting of arrays.
const MAX_DEPTH: u32 = 4;

/// A reply of the protocol RESP2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// A simple or a bulk string, which callers need not distinguish.
    Text(Vec<u8>),
    /// A null string or a null array.
    Nothing,
    Number(i64),
    List(Vec<Reply>),
    /// The command was refused, or it failed.
    Error(String),
}

impl Reply {
    /// The reply as text; a number becomes its digits. `None` for anything else.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Text(bytes) => String::from_utf8(bytes.clone()).ok(),
            Self::Number(number) => Some(number.to_string()),
            Self::Nothing | Self::List(_) | Self::Error(_) => None,
        }
    }

    /// The first element of a list, or the whole reply, as [text](Self::text); empty if that fails. In the reply to a
    /// step, this word names the outcome.
    pub(super) fn first_word(&self) -> String {
        match self {
            Self::List(parts) => parts.first().and_then(Self::text),
            Self::Text(_) | Self::Number(_) => self.text(),
            Self::Nothing | Self::Error(_) => None,
        }
        .unwrap_or_default()
    }
}

/// The code at the beginning of an error reply. The code is for programs, and the words after it are for people.
pub(super) fn code(error: &str) -> &str {
    error.split(' ').next().unwrap_or_default()
}

/// Appends a request to `out`.
pub(super) fn encode(words: &[&[u8]], out: &mut Vec<u8>) {
    out.extend(format!("*{}\r\n", words.len()).bytes());
    for word in words {
        out.extend(format!("${}\r\n", word.len()).bytes());
        out.extend_from_slice(word);
        out.extend(b"\r\n");
    }
}

/// Reads one reply.
///
/// Errors: [`io::ErrorKind::InvalidData`] for bytes that are not a reply or exceed a limit; otherwise an error of the
/// stream.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<Reply> {
    read_nested(from, 0)
}

/// Reads one reply that `depth` arrays contain.
fn read_nested(from: &mut impl BufRead, depth: u32) -> io::Result<Reply> {
    let line = read_line(from)?;
    let (kind, rest) = line.split_first().ok_or_else(malformed)?;
    match kind {
        b'+' => Ok(Reply::Text(rest.to_vec())),
        b'-' => Ok(Reply::Error(String::from_utf8_lossy(rest).into_owned())),
        b':' => number(rest).map(Reply::Number),
        b'$' => match length(rest, MAX_BULK)? {
            None => Ok(Reply::Nothing),
            Some(len) => {
                let mut bytes = vec![0; len + 2];
                from.read_exact(&mut bytes)?;
                if !bytes.ends_with(b"\r\n") {
                    return Err(malformed());
                }
                bytes.truncate(len);
                Ok(Reply::Text(bytes))
            }
        },
        b'*' if depth < MAX_DEPTH => match length(rest, MAX_ELEMENTS)? {
            None => Ok(Reply::Nothing),
            Some(len) => (0..len)
                .map(|_| read_nested(from, depth + 1))
                .collect::<io::Result<_>>()
                .map(Reply::List),
        },
        _ => Err(malformed()),
    }
}

/// Reads a line, without its line end.
fn read_line(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    from.take(MAX_LINE).read_until(b'\n', &mut line)?;
    match line.strip_suffix(b"\r\n") {
        Some(text) => Ok(text.to_vec()),
        // The connection was closed in the middle of the line.
        None if !line.ends_with(b"\n") && (line.len() as u64) < MAX_LINE => {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
        None => Err(malformed()),
    }
}

fn number(text: &[u8]) -> io::Result<i64> {
    let text = std::str::from_utf8(text).map_err(|_| malformed())?;
    text.parse().map_err(|_| malformed())
}

/// Parses a length; -1 stands for a null.
fn length(text: &[u8], most: usize) -> io::Result<Option<usize>> {
    match number(text)? {
        -1 => Ok(None),
        len => match usize::try_from(len) {
            Ok(len) if len <= most => Ok(Some(len)),
            Ok(_) | Err(_) => Err(malformed()),
        },
    }
}

fn malformed() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the server there does not speak the protocol of Redis",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_and_nonsense_is_refused() {
        #[track_caller]
        fn check(text: &str, expected: Option<Reply>) {
            let reply = read(&mut text.as_bytes());
            assert_eq!(reply.ok(), expected, "{text:?}");
        }
        let text = |text: &str| Reply::Text(text.into());
        check("+OK\r\n", Some(text("OK")));
        check("-ERR no\r\n", Some(Reply::Error("ERR no".into())));
        check(":-12\r\n", Some(Reply::Number(-12)));
        check("$-1\r\n", Some(Reply::Nothing));
        check("$0\r\n\r\n", Some(text("")));
        check("$4\r\na\r\nb\r\n", Some(text("a\r\nb")));
        let list = Reply::List(vec![Reply::Number(1), text("a"), Reply::List(Vec::new())]);
        check("*3\r\n:1\r\n$1\r\na\r\n*0\r\n", Some(list));
        for nonsense in [
            "",
            "\r\n",
            "OK\r\n",
            "+OK\n",
            "$3\r\nab\r\n",
            "$-2\r\n",
            "$99999999\r\n",
            "*5000\r\n",
            ":1.5\r\n",
            "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
            "HTTP/1.1 400 Bad Request\r\n",
        ] {
            check(nonsense, None);
        }
    }

    #[test]
    fn requests_are_arrays_of_strings() {
        let mut out = Vec::new();
        encode(&[b"HGET", b"k", b"\r\n"], &mut out);
        assert_eq!(out, b"*3\r\n$4\r\nHGET\r\n$1\r\nk\r\n$2\r\n\r\n\r\n");
    }
}
