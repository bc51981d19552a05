//! Writes an Outlook message as a mail (RFC 5322, RFC 2045). An Outlook message inside another message is attached in
//! this form, because it has no file format of its own.

use super::{date, message::Message};
use base64::{Engine, engine::general_purpose::STANDARD};
use std::fmt::Write;

/// Maximum number of characters of Base64 on a line (RFC 2045, 6.8).
const LINE: usize = 76;

/// Returns the mail with its body and its attachments.
pub(super) fn write(message: &Message) -> Vec<u8> {
    let mut out = String::new();
    let fields = [
        ("From", addresses(&message.from)),
        ("To", addresses(&message.to)),
        ("Cc", addresses(&message.cc)),
        ("Bcc", addresses(&message.bcc)),
        ("Subject", encoded(&message.subject)),
        ("Date", date(message)),
    ];
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name}: {value}\r");
    }
    let boundary = boundary(message);
    let _ = write!(
        out,
        "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"{boundary}\"\r\n\r\n"
    );
    let (kind, body) = match (&message.html, &message.text) {
        (Some(html), _) => ("text/html", html.as_str()),
        (None, text) => ("text/plain", text.as_deref().unwrap_or_default()),
    };
    part(
        &mut out,
        &boundary,
        &format!("{kind}; charset=utf-8"),
        "",
        body.as_bytes(),
    );
    for file in &message.attachments {
        let mut head = format!(
            "Content-Disposition: attachment; filename*=utf-8''{}\r\n",
            percent(&file.name)
        );
        if let Some(id) = &file.content_id {
            // Encoded words are for texts and names, not for identifiers (RFC 2047, section 5).
            let id: String = id.chars().filter(|c| c.is_ascii_graphic()).collect();
            let _ = writeln!(head, "Content-ID: <{id}>\r");
        }
        let kind = match file.media_type.as_str() {
            kind if !kind.is_empty() && kind.chars().all(is_plain) => kind,
            _ => "application/octet-stream",
        };
        part(&mut out, &boundary, kind, &head, &file.bytes);
    }
    let _ = write!(out, "--{boundary}--\r\n");
    out.into_bytes()
}

/// Returns a boundary that no part contains: it has underscores, and Base64 has neither dashes nor underscores.
fn boundary(message: &Message) -> String {
    format!("--_{}_", message.attachments.len() + 1)
}

/// Appends a part of a multipart body, in Base64 with lines of limited length (RFC 2045, 6.8).
fn part(out: &mut String, boundary: &str, kind: &str, head: &str, bytes: &[u8]) {
    let _ = write!(
        out,
        "--{boundary}\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n{head}\r\n"
    );
    let text = STANDARD.encode(bytes);
    for at in (0..text.len()).step_by(LINE) {
        out.push_str(&text[at..text.len().min(at + LINE)]);
        out.push_str("\r\n");
    }
}

/// Returns the date of a message as RFC 5322 defines it (section 3.3). A date that could not be parsed is written
/// unchanged.
fn date(message: &Message) -> String {
    if date::rfc3339(&message.date).is_some() {
        return encoded(&message.date);
    }
    let moment = message.moment.as_deref().and_then(date::rfc5322);
    moment.unwrap_or_else(|| encoded(&message.date))
}

/// Writes a list of mailboxes (RFC 5322, 3.4) from the text that Outlook displays, in which commas or semicolons
/// separate them.
///
/// A decoded name may contain a comma without quotation marks, as in `Roe, Ann <ann@example.org>`. So a comma ends a
/// mailbox only after its address, and a semicolon always.
fn addresses(list: &str) -> String {
    let mut boxes = Vec::new();
    let (mut start, mut has_address, mut is_quoted, mut is_escaped) = (0, false, false, false);
    for (at, c) in list.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            '@' if !is_quoted => has_address = true,
            ',' | ';' if !is_quoted && (has_address || c == ';') => {
                boxes.push(&list[start..at]);
                (start, has_address) = (at + 1, false);
            }
            _ => {}
        }
    }
    boxes.push(&list[start..]);
    let boxes = boxes.into_iter().map(mailbox);
    let boxes: Vec<String> = boxes.filter(|mailbox| !mailbox.is_empty()).collect();
    // Each mailbox is on a line of its own, because a line has at most 998 characters (RFC 5322, 2.1.1).
    boxes.join(",\r\n ")
}

/// Writes one mailbox. Only its name may be an encoded word, never its address (RFC 2047, section 5).
fn mailbox(text: &str) -> String {
    let text = text.trim();
    let clean = |text: &str| text.replace(|c: char| c.is_control() || c == ' ', "");
    match text
        .strip_suffix('>')
        .and_then(|text| text.rsplit_once('<'))
    {
        Some((name, address)) if name.trim().is_empty() => format!("<{}>", clean(address)),
        Some((name, address)) => format!("{} <{}>", phrase(name.trim()), clean(address)),
        None if text.contains('@') && !text.contains(' ') => clean(text),
        // Recipients within Exchange have only a name.
        None => phrase(text),
    }
}

/// Writes the name of a mailbox as atoms, as a quoted string or as encoded words (RFC 5322, 3.2.5).
fn phrase(name: &str) -> String {
    let unquoted = name
        .strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'))
        .map(|name| name.replace("\\\"", "\"").replace("\\\\", "\\"));
    let name = unquoted.as_deref().unwrap_or(name);
    // Characters of an atom (RFC 5322, 3.2.3).
    let is_atom =
        |c: char| c == ' ' || c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
    if name.chars().all(is_plain) && !name.contains("=?") && !name.chars().all(is_atom) {
        return format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    }
    encoded(name)
}

/// Returns whether a header field may contain this character without an encoded word.
fn is_plain(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic()
}

/// Encodes a header value as encoded words of Base64, unless it is plain ASCII (RFC 2047).
fn encoded(value: &str) -> String {
    if value.chars().all(is_plain) && !value.contains("=?") {
        return value.to_owned();
    }
    let characters: Vec<char> = value.chars().filter(|c| !c.is_control()).collect();
    // An encoded word has at most 75 characters (RFC 2047, section 2). Ten characters of at most four bytes become 68.
    let words = characters.chunks(10).map(|chunk| {
        let chunk: String = chunk.iter().collect();
        format!("=?utf-8?B?{}?=", STANDARD.encode(chunk))
    });
    words.collect::<Vec<_>>().join("\r\n ")
}

/// Percent-encodes a file name (RFC 2231, section 4).
fn percent(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => out.push(byte.into()),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{job::testing::with_job, message::Attachment, mime};

    #[test]
    fn addresses_are_never_encoded() {
        #[track_caller]
        fn check(list: &str, expected: &str) {
            assert_eq!(addresses(list), expected, "{list}");
        }
        check("a@x", "a@x");
        check(
            "Ann Roe <a@x>, b@x; <c@x>",
            "Ann Roe <a@x>,\r\n b@x,\r\n <c@x>",
        );
        check("Roe, Ann <a@x>", "\"Roe, Ann\" <a@x>");
        check("\"Roe, \\\"Ann\\\"\" <a@x>", "\"Roe, \\\"Ann\\\"\" <a@x>");
        check(
            "Ä <a@x>, Ö <ö@x>",
            "=?utf-8?B?w4Q=?= <a@x>,\r\n =?utf-8?B?w5Y=?= <ö@x>",
        );
        check("Roe, Ann; Bob", "\"Roe, Ann\",\r\n Bob");
        check("A\r\nX: y <a@x>", "=?utf-8?B?QVg6IHk=?= <a@x>");
        check("", "");
    }

    #[test]
    fn dates_are_written_as_in_rfc_5322() {
        #[track_caller]
        fn check(date: &str, moment: Option<&str>, expected: &str) {
            let message = Message {
                date: date.into(),
                moment: moment.map(str::to_owned),
                ..Message::default()
            };
            assert_eq!(super::date(&message), expected, "{date}");
        }
        let moment = "2024-02-05T15:00:00Z";
        check(moment, Some(moment), "Mon, 05 Feb 2024 15:00:00 +0000");
        check("5 Feb 2024 10:00 EST", Some(moment), "5 Feb 2024 10:00 EST");
        check("", Some(moment), "Mon, 05 Feb 2024 15:00:00 +0000");
        check("soon", None, "soon");
        check("", None, "");
    }

    #[test]
    fn written_mails_can_be_read() {
        let message = Message {
            from: "Ä B <a@example.org>".into(),
            subject: "Täglich \u{1f600}, und lang genug für zwei Wörter".into(),
            date: "Mon, 01 Jan 2024 10:00:00 +0000".into(),
            text: Some("Grüße\n-- \nx".into()),
            attachments: vec![Attachment {
                name: "ä b.bin".into(),
                bytes: (0..=255).collect(),
                ..Attachment::default()
            }],
            ..Message::default()
        };
        let bytes = write(&message);
        let read = with_job(|job| mime::read(job, &bytes).unwrap());
        assert_eq!(read.from, message.from);
        assert_eq!(read.subject, message.subject);
        assert_eq!(read.moment.as_deref(), Some("2024-01-01T10:00:00Z"));
        assert_eq!(
            read.text.as_deref().map(str::trim_end),
            Some("Grüße\n-- \nx")
        );
        assert_eq!(read.attachments[0].name, "ä b.bin");
        assert_eq!(read.attachments[0].bytes, message.attachments[0].bytes);
    }
}
