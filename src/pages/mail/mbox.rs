//! Mailboxes (RFC 4155): mails one behind the other, each after a line that begins with `From `. Such lines within a mail have a `>`
//! before them, which is taken away.

use super::{
    header::{Head, next_line},
    message::Message,
    mime,
};
use crate::{
    error::Result,
    job::{Job, Progress, Unit},
};

/// The mails that are read at most.
const MOST: usize = 10_000;

/// Reads all mails. One that is encrypted says so in its place.
pub(super) fn read(job: &Job<'_>, bytes: &[u8]) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    for mail in divided(bytes) {
        job.check()?;
        job.progress(Progress {
            done: messages.len() as u64,
            total: 0,
            unit: Unit::Steps,
        });
        if messages.len() == MOST {
            if let Some(last) = messages.last_mut() {
                let last: &mut Message = last;
                last.remark("The mailbox has more than 10000 mails; the rest is missing.");
            }
            break;
        }
        let plain = unquoted(mail);
        let message = mime::read(job, &plain).or_else(|error| {
            job.check()?;
            let (head, _) = Head::split(&plain);
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
        messages.push(message?);
    }
    Ok(messages)
}

/// The mails between the lines that divide them.
fn divided(bytes: &[u8]) -> Vec<&[u8]> {
    let mut starts = vec![0];
    for at in memchr::memmem::find_iter(bytes, b"\nFrom ") {
        let at = at + 1;
        let (line, behind) = next_line(&bytes[at..]);
        let (next, _) = next_line(behind);
        // A sender and a date; and a head follows.
        let is_line = line.len() > 10 && line.iter().any(u8::is_ascii_digit);
        let is_head = memchr::memchr(b':', next)
            .is_some_and(|colon| !next[..colon].contains(&b' '))
            || next.starts_with(b">From ");
        if is_line && is_head {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| &bytes[*start..end])
        .collect()
}

fn unquoted(mail: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(mail.len());
    let mut rest = mail;
    while !rest.is_empty() {
        let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (line, behind) = rest.split_at(len);
        let quotes = line.iter().take_while(|byte| **byte == b'>').count();
        let is_quoted = quotes > 0 && line[quotes..].starts_with(b"From ");
        out.extend_from_slice(&line[usize::from(is_quoted)..]);
        rest = behind;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::testing::with_job;

    #[test]
    fn a_mailbox_is_divided() {
        let text = b"From a@x Fri Nov 21 09:55:06 1997\nSubject: one\n\nFrom here on\n>From there\n\nFrom b@x Sat Nov 22 09:55:06 1997\nSubject: two\n\nb\n";
        with_job(|job| {
            let mails = read(job, text).unwrap();
            let subjects: Vec<_> = mails.iter().map(|mail| mail.subject.as_str()).collect();
            assert_eq!(subjects, ["one", "two"]);
            assert_eq!(
                mails[0].text.as_deref().map(str::trim),
                Some("From here on\nFrom there")
            );
        });
    }
}
