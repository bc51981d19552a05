//! Errors of codecs about damaged pictures, in words that can be understood without the source code of the codecs. Uses
//! the text of an error rather than its type, because most codecs state the reason only in the text.

use std::borrow::Cow;

/// Texts of codecs for a file that is cut short.
const ENDS: [&str; 4] = [
    "failed to fill whole buffer",
    "unexpected end of file",
    "Unexpected End of File",
    "unexpected EOF",
];

/// Beginnings of texts of codecs for invalid data: from the PNG codec, from the TIFF codec, and from the AV1 decoder,
/// which reports the error code `EINVAL`.
const DAMAGED: [&str; 3] = [
    "Corrupt deflate stream",
    "corrupt deflate stream",
    "Invalid argument",
];

/// Prefixes that codecs put before the reason, sometimes several times.
const PREFIXES: [&str; 3] = ["Format error decoding ", "format error: ", "invalid: "];

/// Length in bytes to which a list of numbers is cut. A list is only cut if more bytes than this follow its `[`, up to
/// the end of the text.
const LONGEST_LIST: usize = 24;

/// Returns the reason for a failure, as the end of a sentence that begins with "the file is not a readable png: ".
pub(crate) fn explain(message: &str) -> Cow<'_, str> {
    let mut message = message.trim_end_matches('.');
    if ENDS.iter().any(|end| message.contains(end)) {
        return "it ends before the picture does".into();
    }
    if DAMAGED.iter().any(|damaged| message.starts_with(damaged)) {
        return "its compressed data is damaged".into();
    }
    while let Some((prefix, rest)) = PREFIXES
        .iter()
        .find_map(|prefix| Some((*prefix, message.strip_prefix(prefix)?)))
    {
        // The sentence already names the format, so the format after "decoding" is dropped.
        message = match rest.split_once(": ") {
            Some((_, rest)) if prefix.ends_with("decoding ") => rest,
            _ => rest,
        };
    }
    let message = without_types(message);
    match message.split_once(" while decoding ") {
        Some((before, chunk)) if before.starts_with("CRC error") => {
            let name = chunk.trim_end_matches(" chunk");
            format!("the checksum of its chunk {name} is wrong").into()
        }
        _ => shortened(message),
    }
}

/// Replaces the debug output of the first PNG chunk type, such as `ChunkType { type: IDAT, critical: true, … }`, by its
/// four letters.
fn without_types(message: &str) -> Cow<'_, str> {
    let parts = message.split_once("ChunkType { type: ");
    let Some((before, (name, rest))) =
        parts.and_then(|(before, rest)| Some((before, rest.split_once(", ")?)))
    else {
        return message.into();
    };
    let after = rest.split_once('}').map_or("", |(_, after)| after);
    format!("{before}{name}{after}").into()
}

/// Shortens the first list of numbers if it is long: see [`LONGEST_LIST`].
fn shortened(message: Cow<'_, str>) -> Cow<'_, str> {
    let list = message
        .split_once('[')
        .filter(|(_, list)| list.len() > LONGEST_LIST);
    let Some((before, list)) = list else {
        return message;
    };
    let (shown, after) = (
        &list[..list.floor_char_boundary(LONGEST_LIST)],
        list.split_once(']').map_or("", |(_, after)| after),
    );
    let shown = shown.rsplit_once(',').map_or(shown, |(shown, _)| shown);
    format!("{before}[{shown}, …]{after}").into()
}

#[cfg(test)]
mod tests {
    #[test]
    fn reasons_are_in_plain_words() {
        #[track_caller]
        fn check(message: &str, reason: &str) {
            assert_eq!(super::explain(message), reason);
        }
        check("its header is damaged", "its header is damaged");
        check(
            "CRC error: expected 0x1 have 0x2 while decoding ChunkType { type: IDAT, critical: true, safecopy: false } chunk.",
            "the checksum of its chunk IDAT is wrong",
        );
        check(
            "Chunk length wrong: ChunkType { type: fcTL, critical: false }",
            "Chunk length wrong: fcTL",
        );
        check(
            "Corrupt deflate stream. BadZlibHeader",
            "its compressed data is damaged",
        );
        check("Invalid argument", "its compressed data is damaged");
        check(
            "failed to fill whole buffer",
            "it ends before the picture does",
        );
        check(
            "Format error decoding `.\"jxl\"`: Format error decoding `.\"jxl\"`: frame error: invalid code",
            "frame error: invalid code",
        );
        check(
            "Format error decoding Qoi: invalid image dimensions: 1x0",
            "invalid image dimensions: 1x0",
        );
        check("format error: required tag missing", "required tag missing");
        check(
            "bits of [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] here",
            "bits of [1, 1, 1, 1, 1, 1, 1, 1, …] here",
        );
        check("ChunkType { type: ", "ChunkType { type: ");
        check("Format error decoding ", "");
    }
}
