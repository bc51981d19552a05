//! The parts of a mail (RFC 2045 to 2049): the body and the attachments. Fetches nothing that a mail refers to, and
//! decrypts nothing.
//!
//! A hostile mail may nest a thousand parts in one another, or have ten thousand parts side by side. So the depth is
//! limited, and the walk counts down the parts that it may still read.

use super::{
    calendar,
    message::{Attachment, Message},
    old_text, report, signed, tnef,
};
use crate::{
    containers::mime::{Head, Valued, decoded_body, in_charset, split_parts},
    error::{Error, Kind, Reason, Result},
    job::Job,
};
use convertd_markup::html::joined;

/// Maximum nesting depth of parts. The limit protects the stack, since the walk is recursive.
const MAX_DEPTH: usize = 40;
/// Maximum number of parts of one mail, over all levels.
const MAX_PARTS: usize = 5_000;

/// Reads one mail.
///
/// Errors: [`Kind::BadInput`] for a mail that is encrypted; those of [`Job::check`].
pub(super) fn read(job: &Job<'_>, bytes: &[u8]) -> Result<Message> {
    read_after_head(job, &Head::split(bytes).0, bytes)
}

/// Reads a mail whose head the caller has already parsed. Errors: those of [`read`].
pub(super) fn read_after_head(job: &Job<'_>, head: &Head, bytes: &[u8]) -> Result<Message> {
    let mut message = message_of_head(head);
    let mut walk = Walk {
        job,
        message: &mut message,
        left: MAX_PARTS,
    };
    walk.part(bytes, 0, false)?;
    Ok(message)
}

/// Builds a message from the head alone: addresses, subject and date. The body is added by [`Walk`].
fn message_of_head(head: &Head) -> Message {
    let mut message = Message {
        is_page: is_saved_page(head),
        from: head.text("from"),
        to: head.text("to"),
        cc: head.text("cc"),
        bcc: head.text("bcc"),
        subject: head.text("subject"),
        date: head.text("date"),
        ..Message::default()
    };
    // `Sender` names the agent that sent the mail (RFC 5322, 3.6.2). It stands in for a missing `From`.
    if message.from.is_empty() {
        message.from = head.text("sender");
    }
    message.moment = super::date::rfc3339(&message.date);
    if head.is_cut() {
        message.remark(
            "The head of the mail exceeds the limits on the number and length of fields: the rest of it is missing.",
        );
    }
    message
}

/// Returns whether a mail is a saved page. The sender of such a mail is the name of a program ("Saved by …"), or
/// the fields of a mail that was sent are missing. Chrome adds a field with the address of the page.
fn is_saved_page(head: &Head) -> bool {
    if head.raw("snapshot-content-location").is_some() {
        return true;
    }
    let from = head.text("from");
    let is_without_sender = || {
        let fields = ["from", "sender", "to", "received", "message-id"];
        let is_related = head.valued("content-type").value == "multipart/related";
        is_related && fields.iter().all(|field| head.raw(field).is_none())
    };
    from.trim_start_matches(['<', '"']).starts_with("Saved by ") || is_without_sender()
}

/// Depth-first walk over the parts of one mail, which collects bodies and attachments in `message`.
struct Walk<'w> {
    job: &'w Job<'w>,
    message: &'w mut Message,
    /// Number of parts that may still be read.
    left: usize,
}

impl Walk<'_> {
    /// Reads a part with its head, and dispatches on its media type. `in_related` is whether the parent is
    /// `multipart/related`, whose parts are the resources of an HTML page (RFC 2387).
    fn part(&mut self, bytes: &[u8], depth: usize, in_related: bool) -> Result<()> {
        self.job.check()?;
        if self.left == 0 || depth > MAX_DEPTH {
            self.message.remark(
                "The mail has too many parts, or too deeply nested ones; the rest is missing.",
            );
            return Ok(());
        }
        self.left -= 1;
        let (head, body) = Head::split(bytes);
        let kind = head.valued("content-type");
        // A part without a media type is plain text (RFC 2045, 5.2).
        let (main, sub) = kind.value.split_once('/').unwrap_or(("text", "plain"));
        match (main, sub) {
            ("multipart", "encrypted") => Err(encrypted("PGP")),
            ("multipart", sub) => {
                if self.message.location.is_empty() {
                    self.message.location = head.location().unwrap_or_default();
                }
                self.parts(body, &kind, sub, depth, in_related)
            }
            ("application", "pkcs7-mime" | "x-pkcs7-mime") => {
                self.read_signed(&head, &kind, body, depth)
            }
            ("application", "pkcs7-signature" | "x-pkcs7-signature" | "pgp-signature") => {
                self.message
                    .remark("The mail is signed; its signature was not checked.");
                Ok(())
            }
            _ => self.read_leaf(&head, &kind, body, in_related),
        }
    }

    /// Reads a multipart body (RFC 2046, section 5.1). Only the first part of a `multipart/signed` mail is read, since
    /// the second is the signature. All versions of `multipart/alternative` are read: the page writer prefers HTML. The
    /// root of a `multipart/related` is read before its files.
    fn parts(
        &mut self,
        body: &[u8],
        kind: &Valued,
        sub: &str,
        depth: usize,
        in_related: bool,
    ) -> Result<()> {
        let Some(boundary) = kind.get("boundary").filter(|boundary| !boundary.is_empty()) else {
            // Without a boundary, nothing divides the body: it is read as plain text.
            return self.read_leaf(&Head::default(), &Valued::default(), body, false);
        };
        // One piece more than the walk may read is split off, so that the walk notices the excess and adds its
        // remark.
        let mut found = split_parts(body, boundary.as_bytes(), self.left + 1);
        if !found.is_closed {
            self.message.remark(
                "A part of the mail ends without its closing boundary. The mail may have been cut off.",
            );
        }
        found.put_root_first(kind);
        // A multipart after the page of a `multipart/related` is one of its frames.
        let is_frame = in_related && self.message.html.is_some();
        if sub == "signed" {
            self.message
                .remark("The mail is signed; its signature was not checked.");
        }
        // The bodies found before this multipart are set aside, so that a nested alternative cannot append to them.
        let before = match is_frame {
            true => (None, None),
            false => (self.message.html.take(), self.message.text.take()),
        };
        for (nth, piece) in found.pieces.into_iter().enumerate() {
            if sub == "signed" && nth > 0 {
                break;
            }
            match sub {
                "digest" => self.mail(piece, depth + 1)?,
                sub => self.part(piece, depth + 1, sub == "related" || is_frame)?,
            }
        }
        // Several bodies in a row, as in `multipart/mixed`, become one.
        self.message.html = join_bodies(before.0, self.message.html.take());
        self.message.text = join_bodies(before.1, self.message.text.take());
        Ok(())
    }

    /// Reads one entry of a digest (RFC 2046, 5.1.5): a mail with its own head, unless the entry declares another media
    /// type.
    fn mail(&mut self, bytes: &[u8], depth: usize) -> Result<()> {
        let (head, body) = Head::split(bytes);
        if !matches!(&*head.valued("content-type").value, "" | "message/rfc822") {
            return self.part(bytes, depth, false);
        }
        let mut inner = message_of_head(&Head::split(body).0);
        let mut walk = Walk {
            job: self.job,
            message: &mut inner,
            left: self.left,
        };
        walk.part(body, depth, false)?;
        self.left = walk.left;
        // Losses are shown once, for the mail as a whole.
        for remark in inner.remarks.drain(..) {
            self.message.remark(&remark);
        }
        self.message.inner.push(inner);
        Ok(())
    }

    /// Reads a mail inside an opaque signature (`application/pkcs7-mime`, RFC 8551, 3.5.2). Enveloped data are
    /// encrypted, and end in an error.
    fn read_signed(&mut self, head: &Head, kind: &Valued, body: &[u8], depth: usize) -> Result<()> {
        if kind
            .get("smime-type")
            .is_some_and(|kind| kind.starts_with("enveloped") || kind.starts_with("auth"))
        {
            return Err(encrypted("S/MIME"));
        }
        let bytes = self.decode_body(head, body);
        match signed::content(&bytes) {
            Some(signed::Signed::Content(content)) => {
                self.message
                    .remark("The mail is signed; its signature was not checked.");
                self.part(&content, depth + 1, false)
            }
            Some(signed::Signed::WithoutContent) => {
                let name = head.valued("content-disposition").get("filename");
                let name = name.or_else(|| kind.get("name"));
                let name = name.unwrap_or_else(|| "smime.p7c".to_owned());
                self.attach(&name, &kind.value, bytes, head);
                Ok(())
            }
            // Other content can only be encrypted, unless it is empty and the mail declares its kind.
            None if kind.get("smime-type").is_none() || !bytes.is_empty() => {
                Err(encrypted("S/MIME"))
            }
            None => Ok(()),
        }
    }

    /// Reads a part that contains no other parts: text of the mail, a resource of its HTML, or an attachment. Text
    /// counts as body, with three exceptions: it is declared an attachment, it has a file name without being declared
    /// inline, or it is a named resource of a page that was already found (such as a style sheet in a saved page).
    fn read_leaf(
        &mut self,
        head: &Head,
        kind: &Valued,
        body: &[u8],
        in_related: bool,
    ) -> Result<()> {
        let disposition = head.valued("content-disposition");
        let name = disposition.get("filename").or_else(|| kind.get("name"));
        let is_text = kind.value.is_empty() || kind.value.starts_with("text/");
        // A file name means an attachment, unless the disposition is `inline`: older programs write no disposition.
        let is_attached =
            disposition.value == "attachment" || (name.is_some() && disposition.value != "inline");
        let bytes = self.decode_body(head, body);
        let is_named = ["content-id", "content-location"]
            .iter()
            .any(|field| head.raw(field).is_some());
        let is_file =
            in_related && is_named && (self.message.html.is_some() || kind.value == "text/css");
        if is_text && !is_attached && !is_file {
            let text = in_charset(&kind.get("charset").unwrap_or_default(), bytes);
            self.read_text(head, kind, text);
            return Ok(());
        }
        // The files of a saved page are text within it, and not files for their own sake.
        let bytes = match is_text && is_file && self.message.is_page {
            true => in_charset(&kind.get("charset").unwrap_or_default(), bytes).into_bytes(),
            false => bytes,
        };
        // Reports and invitations are shown in the page, so that the reader need not open them.
        match kind.value.as_str() {
            "message/delivery-status"
            | "message/global-delivery-status"
            | "message/disposition-notification" => {
                let report = report::page(&bytes);
                let is_one = !report.is_empty();
                self.message.show(report);
                if is_one {
                    // A report that was understood replaces its file. Any other report stays an attachment.
                    return Ok(());
                }
            }
            "text/calendar" | "application/ics" => {
                self.message
                    .show(calendar::page(&String::from_utf8_lossy(&bytes)));
            }
            _ => {}
        }
        let name = name.unwrap_or_default();
        let is_tnef =
            kind.value == "application/ms-tnef" || name.eq_ignore_ascii_case("winmail.dat");
        // A `winmail.dat` is opened: its attachments become attachments of the mail, and its body replaces an empty
        // body.
        if is_tnef && let Some(inner) = tnef::read(self.job, &bytes)? {
            let Message {
                html,
                text,
                attachments,
                ..
            } = inner;
            let found = self.message.text.as_deref().unwrap_or_default();
            if self.message.html.is_none() && found.trim().is_empty() {
                (self.message.html, self.message.text) = (html, text);
            }
            self.message.attachments.extend(attachments);
            return Ok(());
        }
        let media_type = if kind.value.is_empty() {
            "application/octet-stream"
        } else {
            &kind.value
        };
        self.attach(&name, media_type, bytes, head);
        Ok(())
    }

    /// Reads a text of the mail: a body, or an invitation, which is shown and also attached.
    fn read_text(&mut self, head: &Head, kind: &Valued, text: String) {
        match kind.value.as_str() {
            "text/html" if self.message.html.is_none() => {
                if let Some(location) = head.location() {
                    self.message.location = joined(&self.message.location, &location);
                }
                self.message.html = Some(text);
            }
            "text/html" => self.message.html = join_bodies(self.message.html.take(), Some(text)),
            "text/calendar" => {
                self.message.show(calendar::page(&text));
                self.attach("event.ics", &kind.value, text.into_bytes(), head);
            }
            "text/enriched" if self.message.html.is_none() => {
                self.message.html = Some(old_text::enriched(&text));
            }
            "text/enriched" => {}
            _ => {
                let text = unwrap_flowed(text, kind);
                let (text, files) = old_text::files(unsigned(text, self.message));
                for file in files {
                    let kind = "application/octet-stream";
                    self.attach(&file.name, kind, file.bytes, &Head::default());
                }
                self.message.text = join_bodies(self.message.text.take(), Some(text));
            }
        }
    }

    /// Decodes the transfer encoding of a body.
    fn decode_body(&mut self, head: &Head, body: &[u8]) -> Vec<u8> {
        let (bytes, is_valid) = decoded_body(head, body);
        if !is_valid {
            self.message.remark(
                "A part of the mail is damaged: not all of it is valid base64. The valid part was decoded.",
            );
        }
        bytes
    }

    /// Adds an attachment. If it has no name, an attached mail is named after its subject, and any other file is
    /// numbered.
    fn attach(&mut self, name: &str, media_type: &str, bytes: Vec<u8>, head: &Head) {
        let name = match (name, media_type) {
            ("", "message/rfc822") => {
                let (inner, _) = Head::split(&bytes);
                let subject = inner.text("subject");
                format!(
                    "{}.eml",
                    if subject.is_empty() {
                        "message"
                    } else {
                        &subject
                    }
                )
            }
            ("", _) => format!("attachment-{}", self.message.attachments.len() + 1),
            (name, _) => name.to_owned(),
        };
        self.message.attachments.push(Attachment {
            name: super::message::plain_name(&name),
            media_type: media_type.to_owned(),
            content_id: head.content_id(),
            location: head.location(),
            bytes,
            is_shown: false,
        });
    }
}

/// Returns the error for an encrypted mail. `method` names the encryption.
fn encrypted(method: &str) -> Error {
    let text =
        format!("the mail is encrypted ({method}), and can be read only with the recipient's key");
    Error::new(Kind::BadInput, text).because(Reason::Encrypted)
}

/// Joins two optional bodies with a line break.
fn join_bodies(one: Option<String>, other: Option<String>) -> Option<String> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.push('\n');
            one.push_str(&other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

/// Joins the lines of `format=flowed` text (RFC 3676, section 4): a line that ends with a space continues in the next
/// line of the same quote depth. With `delsp=yes`, that space is removed.
///
/// A space after the quote marks is stuffing and is removed. The signature separator `-- ` ends with a space, but
/// never continues.
fn unwrap_flowed(text: String, kind: &Valued) -> String {
    if kind
        .get("format")
        .is_none_or(|format| !format.eq_ignore_ascii_case("flowed"))
    {
        return text;
    }
    let joins = kind
        .get("delsp")
        .is_some_and(|delsp| delsp.eq_ignore_ascii_case("yes"));
    let mut out = String::with_capacity(text.len());
    let mut depth = 0;
    let mut is_open = false;
    for line in text.lines() {
        let own = line.len() - line.trim_start_matches('>').len();
        let (quotes, content) = line.split_at(own);
        let content = content.strip_prefix(' ').unwrap_or(content);
        if is_open && own == depth {
            // The paragraph continues on the same line.
        } else {
            if !out.is_empty() {
                if is_open {
                    out.truncate(out.trim_end_matches(' ').len());
                }
                out.push('\n');
            }
            out.push_str(quotes);
            if own > 0 {
                out.push(' ');
            }
        }
        depth = own;
        is_open = content.ends_with(' ') && content != "-- ";
        out.push_str(if is_open && joins {
            &content[..content.len() - 1]
        } else {
            content
        });
    }
    out
}

/// Removes the armour of inline signatures (cleartext signature framework, RFC 9580, section 7) and undoes its dash
/// escapes. The text before and after a signature stays, such as the footer of a mailing list.
fn unsigned(text: String, message: &mut Message) -> String {
    const BEGIN: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
    const SIGNATURE: &str = "-----BEGIN PGP SIGNATURE-----";
    const END: &str = "-----END PGP SIGNATURE-----";
    if text.contains("-----BEGIN PGP MESSAGE-----") {
        message.remark("A part of the mail is encrypted (PGP), and stays as it is.");
    }
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, signed)) = rest.split_once(BEGIN)
        && let Some((signed, after)) = signed.split_once(SIGNATURE)
    {
        message.remark("The mail is signed; its signature was not checked.");
        out.push_str(before);
        // The armour headers, such as `Hash: SHA256`, end with an empty line.
        let normal = signed.replace("\r\n", "\n");
        let body = normal
            .split_once("\n\n")
            .map_or(normal.as_str(), |(_, body)| body);
        let lines = body
            .lines()
            .map(|line| line.strip_prefix("- ").unwrap_or(line));
        out.push_str(&lines.collect::<Vec<_>>().join("\n"));
        // A signature without an end was cut off.
        rest = after.split_once(END).map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
