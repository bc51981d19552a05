//! Web pages that were saved with their files as one message (MHTML, RFC 2557), inside of other documents. Does not
//! read e-mails, for which the package for mail is responsible.

use crate::{
    containers::mime::{Head, Valued, decoded_body, in_charset, split_parts},
    error::Result,
    job::{Job, Lease, Tag},
};
use convertd_markup::html::{Related, inline_related, joined};
use convertd_tree::losses::{Loss, Losses};

/// Limit on the nesting of parts.
const MAX_DEPTH: usize = 8;
/// Limit on the number of parts.
const MAX_PARTS: usize = 5_000;

/// Memory for decoding a message, as a multiple of its size: the parts, and the page with the embedded ones.
const TIMES: u64 = 4;

static PARTS: Loss = Loss {
    one: "A saved page within the document has too many parts, or too deeply nested ones; the rest is missing.",
    many: "{} parts of saved pages within the document were left out: they are too many, or too deeply nested.",
};

static DAMAGED: Loss = Loss {
    one: "A part of a saved page within the document is damaged: not all of it is valid base64. The valid part was decoded.",
    many: "{} parts of saved pages within the document are damaged: not all of them is valid base64. The valid parts were decoded.",
};

static PAGES: Loss = Loss {
    one: "A page that belongs to a saved page within the document, such as a frame, was left out.",
    many: "{} pages that belong to saved pages within the document, such as frames, were left out.",
};

static CUT_OFF: Loss = Loss {
    one: "A saved page within the document ends without its closing boundary. It may have been cut off.",
    many: "{} parts of saved pages within the document end without their closing boundary. They may have been cut off.",
};

static REMOTE: Loss = Loss {
    one: "A file on another host that a saved page within the document refers to was not loaded.",
    many: "{} files on other hosts that saved pages within the document refer to were not loaded.",
};

static TOO_MUCH: Loss = Loss {
    one: "A picture of a saved page within the document is missing: its pictures are too large together.",
    many: "{} pictures of saved pages within the document are missing: the pictures of a page are too large together.",
};

/// A page that was saved with its files.
pub(super) struct SavedPage<'j> {
    /// The page with the files that it refers to. It begins with a byte order mark, because the text is decoded
    /// already, whatever the page declares.
    pub(super) text: String,
    /// Content of the message that is not in the page.
    pub(super) losses: Losses,
    /// Lease for the memory of the text.
    pub(super) lease: Lease<'j>,
}

/// Returns whether a part of a document is a message, by its extension or its first field.
pub(super) fn is_message(extension: &str, bytes: &[u8]) -> bool {
    let begins = |field: &[u8]| {
        let head = bytes.get(..field.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(field))
    };
    matches!(extension, "mht" | "mhtml") || begins(b"MIME-Version:")
}

/// Reads the page in a message. `None` if the message has no page.
pub(super) fn page<'j>(job: &Job<'j>, bytes: Vec<u8>) -> Result<Option<SavedPage<'j>>> {
    let lease = job.lease((bytes.len() as u64).saturating_mul(TIMES))?;
    let mut message = Message {
        job,
        page: None,
        location: String::new(),
        files: Vec::new(),
        left: MAX_PARTS,
        losses: Losses::default(),
    };
    message.part(&bytes, 0, false)?;
    drop(bytes);
    let Message {
        page,
        location,
        mut files,
        mut losses,
        ..
    } = message;
    let Some(mut page) = page else {
        return Ok(None);
    };
    page.insert(0, '\u{feff}');
    let (text, not_embedded) = inline_related(&page, &location, &mut files);
    let is_left_out = |file: &&File| file.media_type == "text/html" && !file.is_shown;
    losses.add_many(&PAGES, files.iter().filter(is_left_out).count());
    drop((page, files));
    losses.add_tagged(&REMOTE, not_embedded.remote, Tag::Resource);
    losses.add_many(&TOO_MUCH, not_embedded.too_much);
    lease.set_exactly(text.capacity() as u64)?;
    Ok(Some(SavedPage {
        text,
        losses,
        lease,
    }))
}

/// A message while it is being read.
struct Message<'m, 'j> {
    job: &'m Job<'j>,
    /// The HTML page in the message, joined from one or several parts.
    page: Option<String>,
    /// Address of the page.
    location: String,
    /// All parts that are not the page.
    files: Vec<File>,
    /// Number of parts that may still be read.
    left: usize,
    losses: Losses,
}

/// A part that is not the page.
struct File {
    content_id: Option<String>,
    location: Option<String>,
    media_type: String,
    bytes: Vec<u8>,
    /// Whether the page shows it.
    is_shown: bool,
}

impl Message<'_, '_> {
    /// Reads a part with its head, and the parts in it. `in_related` states whether the part is directly in a
    /// `multipart/related`, whose parts are the files of a page (RFC 2387). Recursive, but the depth is limited.
    fn part(&mut self, bytes: &[u8], depth: usize, in_related: bool) -> Result<()> {
        self.job.check()?;
        if self.left == 0 || depth > MAX_DEPTH {
            self.losses.add(&PARTS);
            return Ok(());
        }
        self.left -= 1;
        let (head, body) = Head::split(bytes);
        let kind = head.valued("content-type");
        if kind.value.starts_with("multipart/") {
            let boundary = kind.get("boundary").unwrap_or_default();
            if !boundary.is_empty() {
                let is_related = kind.value == "multipart/related";
                // A multipart after the page is one of its frames.
                let in_related = is_related || in_related && self.page.is_some();
                // One piece more than may be read, so that the loss of the rest is noticed.
                let mut found = split_parts(body, boundary.as_bytes(), self.left + 1);
                if !found.is_closed {
                    self.losses.add(&CUT_OFF);
                }
                found.put_root_first(&kind);
                if self.location.is_empty() {
                    self.location = head.location().unwrap_or_default();
                }
                for piece in found.pieces {
                    self.part(piece, depth + 1, in_related)?;
                }
            }
            return Ok(());
        }
        let (bytes, is_valid) = decoded_body(&head, body);
        if !is_valid {
            self.losses.add(&DAMAGED);
        }
        if kind.value == "text/html" && self.is_page(&head, in_related) {
            self.add_page(&head, &kind, bytes);
            return Ok(());
        }
        let bytes = match kind.value.as_str() {
            "text/html" | "text/css" => {
                in_charset(&kind.get("charset").unwrap_or_default(), bytes).into_bytes()
            }
            _ => bytes,
        };
        self.files.push(File {
            content_id: head.content_id(),
            location: head.location(),
            media_type: kind.value,
            bytes,
            is_shown: false,
        });
        Ok(())
    }

    /// Returns whether an HTML part is the page or continues it. The first HTML part is the page. A later part
    /// continues it, unless the part is an attachment, or has a name within a `multipart/related`.
    fn is_page(&self, head: &Head, in_related: bool) -> bool {
        let is_named = head.raw("content-id").is_some() || head.raw("content-location").is_some();
        let is_attached = head.valued("content-disposition").value == "attachment";
        self.page.is_none() || !(is_attached || in_related && is_named)
    }

    /// Adds an HTML part to the page.
    fn add_page(&mut self, head: &Head, kind: &Valued, bytes: Vec<u8>) {
        let text = in_charset(&kind.get("charset").unwrap_or_default(), bytes);
        match &mut self.page {
            Some(page) => {
                page.push('\n');
                page.push_str(&text);
            }
            None => {
                if let Some(location) = head.location() {
                    self.location = joined(&self.location, &location);
                }
                self.page = Some(text);
            }
        }
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

    fn show(&mut self) {
        self.is_shown = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Notes, testing::with_job};

    /// A message of these parts, each with its fields.
    fn message(parts: &[&str]) -> Vec<u8> {
        let parts: String = parts.iter().map(|part| format!("--b\n{part}\n")).collect();
        format!("MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n{parts}--b--\n")
            .into_bytes()
    }

    #[track_caller]
    fn check(parts: &[&str], expected: &str, notes: &[&str]) {
        with_job(|job| {
            let page = page(job, message(parts)).unwrap().unwrap();
            assert_eq!(page.text.strip_prefix('\u{feff}'), Some(expected));
            assert_eq!(page.lease.bytes(), page.text.capacity() as u64);
            let mut found = Notes::default();
            page.losses.add_notes(&mut found);
            assert_eq!(found.0, notes);
        });
    }

    #[test]
    fn addresses_are_relative_to_the_page() {
        let page = |address: &str| {
            format!(
                "Content-Type: text/html\nContent-Location: file:///C:/D/doc.htm\n\n<img src=\"{address}\">"
            )
        };
        let picture =
            "Content-Type: image/gif\nContent-Location: file:///C:/D/doc_files/i.gif\n\nx";
        let shown = "<img src=\"data:image/gif;base64,eA==\">";
        check(&[&page("doc_files/i.gif"), picture], shown, &[]);
        check(&[&page("./doc_files/i.gif"), picture], shown, &[]);
        let whole = page("file:///C:/D/doc_files/i.gif");
        check(&[&whole, picture], shown, &[]);
        check(&[&page("i.gif"), picture], "<img src=\"i.gif\">", &[]);
    }

    #[test]
    fn a_page_that_was_cut_off_is_noted() {
        with_job(|job| {
            let whole = message(&["Content-Type: text/html\n\na"]);
            let cut = whole.strip_suffix(b"--b--\n").unwrap().to_vec();
            let page = page(job, cut).unwrap().unwrap();
            assert_eq!(page.text.trim_end(), "\u{feff}a");
            let mut found = Notes::default();
            page.losses.add_notes(&mut found);
            assert_eq!(found.0, [CUT_OFF.one]);
        });
    }

    #[test]
    fn the_root_may_be_nested_and_after_its_files() {
        let sheet = "Content-Type: text/css\nContent-Location: s.css\n\np{}";
        let inner = "Content-Type: multipart/alternative; boundary=c\nContent-Location: https://a.example/x/\n\n\
            --c\nContent-Type: text/plain\n\nplain\n--c\nContent-Type: text/html\nContent-Location: p.htm\n\n\
            <link rel=stylesheet href=https://a.example/x/s.css>\n--c--";
        check(&[sheet, inner], "<style>p{}</style>", &[]);
    }

    #[test]
    fn unnamed_pages_are_joined_and_losses_are_noted() {
        let html = "Content-Type: text/html\n\na";
        check(&[html, html], "a\na", &[]);
        let frame = "Content-Type: text/html\nContent-Location: b.htm\n\nb";
        check(&[html, frame], "a", &[PAGES.one]);
        let damaged = "Content-Type: image/gif\nContent-Transfer-Encoding: base64\n\n!eA==";
        check(&[html, damaged], "a", &[DAMAGED.one]);
        let shown = "Content-Type: text/html\n\n<iframe src='b.htm'></iframe>";
        check(&[shown, frame], "<div>b</div>", &[]);
        let remote = "Content-Type: text/html\n\n<img src=\"https://a.example/b\">";
        check(
            &[remote],
            "<img src=\"https://a.example/b\">",
            &[REMOTE.one],
        );
        check(
            &vec![html; MAX_PARTS],
            &vec!["a"; MAX_PARTS - 1].join("\n"),
            &[PARTS.one],
        );
    }
}
