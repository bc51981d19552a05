//! Web pages that were saved with their files as one message (MHTML, RFC 2557), inside of other documents. Reads no
//! letters: those are read by the package for mail.

use crate::{
    containers::mime::{Head, decoded_body, in_charset, split_parts},
    error::Result,
    job::Job,
};
use convertd_markup::html::{Related, inline_related};

/// Limit on the nesting of parts, and on their number.
const MAX_DEPTH: usize = 8;
const MAX_PARTS: usize = 5_000;

/// Memory for decoding a message, as a multiple of its size: the parts, and the page with the embedded ones.
const TIMES: u64 = 4;

/// Returns whether a part of a document is a message, by its extension or its first field.
pub(super) fn is_message(extension: &str, bytes: &[u8]) -> bool {
    let begins = |field: &[u8]| {
        let head = bytes.get(..field.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(field))
    };
    matches!(extension, "mht" | "mhtml") || begins(b"MIME-Version:")
}

/// The page in a message, with the files that it refers to. `None` if the message has no page.
pub(super) fn page(job: &Job<'_>, bytes: &[u8]) -> Result<Option<String>> {
    let _lease = job.lease((bytes.len() as u64).saturating_mul(TIMES))?;
    let mut message = Message {
        job,
        page: None,
        files: Vec::new(),
        left: MAX_PARTS,
    };
    message.part(bytes, 0)?;
    let Message {
        page, mut files, ..
    } = message;
    Ok(page.map(|page| inline_related(&page, &mut files).0))
}

/// A message while it is being read.
struct Message<'m> {
    job: &'m Job<'m>,
    /// The first HTML page in it.
    page: Option<String>,
    /// All other parts.
    files: Vec<File>,
    /// Number of parts that may still be read.
    left: usize,
}

/// A part that is not the page.
struct File {
    content_id: Option<String>,
    location: Option<String>,
    media_type: String,
    bytes: Vec<u8>,
}

impl Message<'_> {
    /// Reads a part with its head, and the parts in it. Recursive, but the depth is limited.
    fn part(&mut self, bytes: &[u8], depth: usize) -> Result<()> {
        self.job.check()?;
        if self.left == 0 || depth > MAX_DEPTH {
            return Ok(());
        }
        self.left -= 1;
        let (head, body) = Head::split(bytes);
        let kind = head.valued("content-type");
        if kind.value.starts_with("multipart/") {
            let boundary = kind.get("boundary").unwrap_or_default();
            if !boundary.is_empty() {
                for piece in split_parts(body, boundary.as_bytes(), self.left) {
                    self.part(piece, depth + 1)?;
                }
            }
            return Ok(());
        }
        let (bytes, _) = decoded_body(&head, body);
        if self.page.is_none() && kind.value == "text/html" {
            self.page = Some(in_charset(&kind.get("charset").unwrap_or_default(), bytes));
            return Ok(());
        }
        let bare = |value: &str| value.trim().trim_matches(['<', '>']).to_owned();
        self.files.push(File {
            content_id: head.raw("content-id").map(bare),
            location: head.raw("content-location").map(str::to_owned),
            media_type: kind.value,
            bytes,
        });
        Ok(())
    }
}

impl Related for File {
    fn content_id(&self) -> Option<&str> {
        self.content_id.as_deref()
    }

    fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    fn media_type(&self) -> &str {
        &self.media_type
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
