//! Office documents in a single XML file. They are converted to packages, so that readers of packages can read them.
//!
//! ```text
//! opc         "Word XML Document" and "PowerPoint XML Presentation": the parts of a package, one after another
//! word2003    "Word 2003 XML Document": an older vocabulary, which is translated
//! ```
//! The package is held in memory. Its length counts towards the job's memory while the reader works with it.

mod names;
mod opc;
mod word2003;

use super::locked;
use crate::{
    containers::{
        bytes,
        xml::{self, Reader, decode_owned},
        zip,
    },
    error::Result,
    job::{Input, Job, read_head},
};
use std::io::Cursor;

/// Number of bytes at the beginning of a file in which its type is searched.
const HEAD_LEN: usize = 16 << 10;

/// Memory for making the package, as a multiple of the file's length. It covers the file, the package, and parts that
/// are being written. A translated tag may be three times as long as the original, and the buffer that holds it twice
/// as long as the tag.
const TIMES: u64 = 10;

/// Returns whether a file is a text document in a single XML file. `head` is the beginning of the file.
pub fn is_document(head: &[u8], input: &mut dyn Input) -> bool {
    has(head, input, word2003::NAMESPACE, "")
        || has(head, input, opc::NAMESPACE, "\"/word/") && !is_presentation(head, input)
}

/// Returns whether a file is a presentation in a single XML file. `head` is the beginning of the file.
pub fn is_presentation(head: &[u8], input: &mut dyn Input) -> bool {
    has(head, input, opc::NAMESPACE, "\"/ppt/")
}

/// Returns whether a file is a package of any Office program in a single XML file, by its beginning.
pub fn is_package(head: &[u8]) -> bool {
    xml::begins(head) && memchr::memmem::find(head, opc::NAMESPACE.as_bytes()).is_some()
}

/// Returns whether a file is XML, and its beginning contains both `namespace` and `part`.
fn has(head: &[u8], input: &mut dyn Input, namespace: &str, part: &str) -> bool {
    let finds = |head: &[u8], text: &str| memchr::memmem::find(head, text.as_bytes()).is_some();
    xml::begins(head)
        && read_head(input, HEAD_LEN)
            .is_ok_and(|head| finds(&head, namespace) && finds(&head, part))
}

/// Calls `work` with the package, and with a job whose input has the length of the package. Documents and presentations
/// in a single XML file are converted first, and encrypted packages are decrypted first.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the file is damaged; those of [`locked::with_unlocked`]; and
/// those of `work`.
pub fn with_package<T>(
    job: &Job<'_>,
    input: &mut dyn Input,
    work: impl FnOnce(&Job<'_>, &mut dyn Input) -> Result<T>,
) -> Result<T> {
    let head = read_head(input, HEAD_LEN).map_err(|err| job.unreadable(err))?;
    let is_flat = matches!(job.from.name, "docx" | "pptx") && xml::begins(&head);
    if !is_flat {
        return locked::with_unlocked(job, input, work);
    }
    let lease = job.lease(job.input_len.saturating_mul(TIMES))?;
    let file = bytes::up_to(input, job.input_len).map_err(|err| job.unreadable(err))?;
    let package = packed(job, &decode_owned(file))?;
    lease.set_exactly(package.len() as u64)?;
    let job = Job {
        input_len: package.len() as u64,
        ..*job
    };
    work(&job, &mut Cursor::new(package))
}

/// Converts an XML file to a package.
fn packed(job: &Job<'_>, text: &str) -> Result<Vec<u8>> {
    let mut package = Cursor::new(Vec::new());
    let mut zip = zip::Writer::new(job, &mut package);
    let mut xml = Reader::new(job, text, word2003::NAMESPACES);
    match xml.root()?.name {
        "wordDocument" => word2003::pack(xml, &mut zip)?,
        _ => opc::pack(job, text, &mut zip)?,
    }
    zip.finish()?;
    Ok(package.into_inner())
}
