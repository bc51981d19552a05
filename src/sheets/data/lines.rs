//! JSON Lines as data: the items of an array become values on lines of their own, and the other way round. Removes the
//! white space between the tokens of a value, and interprets no token.
//!
//! Only one value is in memory at a time, so a file may be as large as one that is read as a table.

use crate::{
    coding::utf8::{Utf8, encoding_of},
    error::Result,
    format::Format,
    job::{Input, Job, Output},
    json::each,
    sheet::{BUFFER, flush},
};
use std::io::BufRead;

/// Returns whether a file is converted value by value.
pub(super) fn is_pair(from: &Format, to: &Format) -> bool {
    matches!(
        (from.name, to.name),
        ("json" | "jsonl", "jsonl") | ("jsonl", "json")
    )
}

/// Converts a file. A JSON file without an array at the top may also be a series of values.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is damaged; a failed write; the job's deadline.
pub(super) fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<()> {
    let encoding = encoding_of(input).map_err(|err| job.unreadable(err))?;
    let mut text = Utf8::new(&mut *input, encoding);
    let is_bare =
        job.from.name == "jsonl" || !is_list(&mut text).map_err(|err| job.unreadable(err))?;
    let to_lines = job.to.name == "jsonl";
    let mut buffer = Vec::new();
    let (mut is_first, mut failed) = (true, None);
    let read = each(text, is_bare, &mut |value| {
        match (to_lines, is_first) {
            (true, _) => {}
            (false, true) => buffer.extend(b"[\n"),
            (false, false) => buffer.extend(b",\n"),
        }
        is_first = false;
        compact(value, &mut buffer);
        if to_lines {
            buffer.push(b'\n');
        }
        let written = job
            .check()
            .and_then(|()| flush(&mut buffer, BUFFER, output));
        written.map_err(|err| failed = Some(err)).is_ok()
    });
    if let Some(err) = failed {
        return Err(err);
    }
    read.map_err(|err| job.unreadable(err))?;
    match (to_lines, is_first) {
        (true, _) => {}
        (false, true) => buffer.extend(b"[]\n"),
        (false, false) => buffer.extend(b"\n]\n"),
    }
    flush(&mut buffer, 1, output)
}

/// Returns whether the first character of a JSON text begins an array, and skips the white space before it.
fn is_list(text: &mut impl BufRead) -> std::io::Result<bool> {
    loop {
        let bytes = text.fill_buf()?;
        let len = bytes.len();
        match bytes.iter().position(|byte| !byte.is_ascii_whitespace()) {
            Some(at) => {
                let is_list = bytes[at] == b'[';
                text.consume(at);
                return Ok(is_list);
            }
            None if len == 0 => return Ok(false),
            None => text.consume(len),
        }
    }
}

/// Appends a valid JSON text without the white space between its tokens.
fn compact(value: &str, out: &mut Vec<u8>) {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for &byte in value.as_bytes() {
        if is_quoted {
            (is_quoted, is_escaped) = match byte {
                _ if is_escaped => (true, false),
                b'\\' => (true, true),
                b'"' => (false, false),
                _ => (true, false),
            };
        } else if byte.is_ascii_whitespace() {
            continue;
        } else {
            is_quoted = byte == b'"';
        }
        out.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_between_tokens_is_dropped() {
        let mut out = Vec::new();
        compact("{ \"a b\" : [ 1 ,\n\"\\\" x\" ] }", &mut out);
        assert_eq!(out, b"{\"a b\":[1,\"\\\" x\"]}");
    }
}
