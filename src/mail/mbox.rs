//! Mailboxes (RFC 4155): a sequence of mails, each after a line that begins with `From `. Such lines within a mail
//! begin with an additional `>`, which this module removes.
//!
//! A mailbox may hold the mails of years, so it is read mail by mail. Memory depends only on the largest mail.

use super::{
    message::{MEMORY_PER_BYTE, Message},
    mime,
};
use crate::{
    containers::mime::Head,
    error::{Error, Result},
    job::{Input, Job, Progress, Unit},
};
use std::io::{BufRead, Read};

/// Maximum number of mails that are read.
const MAX: usize = 10_000;
/// Number of bytes of a line that are read before the next check of the job.
const CHUNK_SIZE: u64 = 1 << 20;

/// Reads all mails, and passes each to `visit`. A mail that cannot be read, such as an encrypted one, is
/// replaced by a sentence that says why. Returns whether the mailbox exceeds [`MAX`].
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it contains no mail; those of `visit`,
/// [`Job::check`] and [`Job::lease`].
pub(super) fn each(
    job: &Job<'_>,
    input: &mut dyn Input,
    visit: &mut dyn FnMut(Message) -> Result<()>,
) -> Result<bool> {
    input.rewind().map_err(unreadable)?;
    let mut mails = Mails {
        job,
        input,
        ahead: Vec::new(),
    };
    let lease = job.empty_lease();
    let mut count = 0;
    while let Some(mail) = mails.next()? {
        job.check()?;
        job.progress(Progress {
            done: count as u64,
            total: 0,
            unit: Unit::Steps,
        });
        if count == MAX {
            return Ok(true);
        }
        lease.set(MEMORY_PER_BYTE.saturating_mul(mail.len() as u64))?;
        let plain = unquoted(&mail);
        let (head, _) = Head::split(&plain);
        if head.is_empty() {
            // Two separator lines in a row have no mail between them, so nothing is passed on.
            continue;
        }
        count += 1;
        let message = mime::read_after_head(job, &head, &plain).or_else(|error| {
            job.check()?;
            let text = format!("[{}]", error.message());
            Ok(Message {
                from: head.text("from"),
                to: head.text("to"),
                date: head.text("date"),
                subject: head.text("subject"),
                text: Some(text),
                ..Message::default()
            })
        });
        visit(message?)?;
    }
    match count {
        0 => Err(job.unreadable("it contains no mail")),
        _ => Ok(false),
    }
}

/// Iterates over the mails of a file, in file order.
struct Mails<'m, 'j> {
    job: &'m Job<'j>,
    input: &'m mut dyn Input,
    /// Lines read ahead: the beginning of the next mail.
    ahead: Vec<u8>,
}

impl Mails<'_, '_> {
    /// Returns the next mail; `None` at the end.
    fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let lease = self.job.empty_lease();
        let mut mail = std::mem::take(&mut self.ahead);
        loop {
            let start = mail.len();
            if !self.line(&mut mail)? {
                return Ok(Some(mail).filter(|mail| !mail.is_empty()));
            }
            lease.set(mail.len() as u64)?;
            // A separator line has a sender and a date, and the head of a mail follows it. The first line of `mail`
            // is the separator before this mail, and does not end it.
            let line = &mail[start..];
            let divides = start > 0
                && line.starts_with(b"From ")
                && line.len() > 10
                && line.iter().any(u8::is_ascii_digit);
            if !divides {
                continue;
            }
            let after = mail.len();
            self.line(&mut mail)?;
            let next = &mail[after..];
            let is_head = memchr::memchr(b':', next)
                .is_some_and(|colon| !next[..colon].contains(&b' '))
                || next.starts_with(b">From ");
            if is_head {
                self.ahead = mail.split_off(start);
                return Ok(Some(mail));
            }
        }
    }

    /// Appends the next line with its line end. Returns false at the end of the file.
    fn line(&mut self, out: &mut Vec<u8>) -> Result<bool> {
        let start = out.len();
        loop {
            self.job.check()?;
            let mut piece = (&mut *self.input).take(CHUNK_SIZE);
            let read = piece.read_until(b'\n', out).map_err(unreadable)?;
            if read == 0 || out.ends_with(b"\n") {
                return Ok(out.len() > start);
            }
        }
    }
}

fn unreadable(err: std::io::Error) -> Error {
    Error::storage("the upload could not be read", err)
}

/// Removes one `>` from each escaped `From ` line (the variant "mboxrd").
fn unquoted(mail: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(mail.len());
    let mut rest = mail;
    while !rest.is_empty() {
        let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (line, after) = rest.split_at(len);
        let quotes = line.iter().take_while(|byte| **byte == b'>').count();
        let is_quoted = quotes > 0 && line[quotes..].starts_with(b"From ");
        out.extend_from_slice(&line[usize::from(is_quoted)..]);
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::testing::with_job;
    use std::io::Cursor;

    #[test]
    fn a_mailbox_is_split_into_mails() {
        let text = b"From a@x Fri Nov 21 09:55:06 1997\nSubject: one\n\nFrom here on\n>From there\n\nFrom b@x Sat Nov 22 09:55:06 1997\nSubject: two\n\nb\n";
        with_job(|job| {
            let mut mails = Vec::new();
            let mut keep = |mail| {
                mails.push(mail);
                Ok(())
            };
            assert!(!each(job, &mut Cursor::new(text), &mut keep).unwrap());
            let subjects: Vec<_> = mails.iter().map(|mail| mail.subject.as_str()).collect();
            assert_eq!(subjects, ["one", "two"]);
            assert_eq!(
                mails[0].text.as_deref().map(str::trim),
                Some("From here on\nFrom there")
            );
        });
    }

    #[test]
    fn a_mailbox_without_mails_is_refused() {
        with_job(|job| {
            for text in [
                "From a@x Fri Nov 21 09:55:06 1997\n",
                "From a@x Fri Nov 21 09:55:06 1997\n\nwords\n",
            ] {
                let error = each(job, &mut Cursor::new(text), &mut |_| Ok(())).unwrap_err();
                assert!(error.to_string().contains("it contains no mail"), "{error}");
            }
        });
    }
}
