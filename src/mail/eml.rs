//! Writes an Outlook message as a mail (RFC 5322, RFC 2045). Messages within an Outlook message are attached so,
//! because they have no file format of their own.

use super::message::Message;
use base64::{Engine, engine::general_purpose::STANDARD};
use std::fmt::Write;

/// Max. characters of Base64 on a line (RFC 2045, 6.8).
const LINE: usize = 76;

/// Returns the mail with its body and its attachments.
pub(super) fn write(message: &Message) -> Vec<u8> {
    let mut out = String::new();
    let date = message.moment.as_deref().unwrap_or_default();
    let fields = [
        ("From", message.from.as_str()),
        ("To", &message.to),
        ("Cc", &message.cc),
        ("Bcc", &message.bcc),
        ("Subject", &message.subject),
        (
            "Date",
            if message.date.is_empty() {
                date
            } else {
                &message.date
            },
        ),
    ];
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name}: {}\r", encoded(value));
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
            let _ = writeln!(head, "Content-ID: <{}>\r", encoded(id));
        }
        let kind = match file.media_type.as_str() {
            "" => "application/octet-stream",
            kind => kind,
        };
        part(&mut out, &boundary, &encoded(kind), &head, &file.bytes);
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

/// Encodes a header value as encoded words of Base64, unless it is plain ASCII (RFC 2047).
fn encoded(value: &str) -> String {
    let is_plain = |c: char| c == ' ' || c.is_ascii_graphic();
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
    fn what_is_written_reads_back() {
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
