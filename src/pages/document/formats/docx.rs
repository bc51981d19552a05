//! Word documents that contain other documents (`w:altChunk`): HTML pages, also saved with their files, RTF, Word
//! documents or plain text. Documents inside a contained Word document are not read.

use super::{html, saved_page, txt};
use crate::{
    coding::encoding,
    error::Result,
    job::{Input, Job, Notes},
};
use convertd_tree::{Document, row::Row};
use convertd_words::{docx, rtf};
use std::io::Cursor;

pub(super) static ROW: Row = docx::row(read);

fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    docx::read(job, input, notes, Some(chunk))
}

fn chunk(job: &Job<'_>, name: &str, bytes: Vec<u8>, notes: &mut Notes) -> Result<Option<Document>> {
    let extension = name.rsplit('.').next().unwrap_or_default();
    let extension = extension.to_ascii_lowercase();
    let (row, bytes, _lease) = if saved_page::is_message(&extension, &bytes) {
        match saved_page::page(job, bytes)? {
            Some(page) => {
                page.losses.add_notes(notes);
                (&html::ROW, page.text.into_bytes(), page.lease)
            }
            None => return Ok(None),
        }
    } else {
        match format(&extension, &bytes) {
            // The caller has leased the memory of these bytes.
            Some(row) => (row, bytes, job.empty_lease()),
            None => return Ok(None),
        }
    };
    let job = Job {
        input_len: bytes.len().max(1) as u64,
        from: &row.format,
        ..*job
    };
    let input = &mut Cursor::new(bytes);
    let document = match (row.format == ROW.format, row.read) {
        (true, _) => docx::read(&job, input, notes, None)?,
        (false, Some(read)) => read(&job, input, notes)?,
        (false, None) => return Ok(None),
    };
    Ok(Some(document))
}

/// Recognises the format of a part by its first bytes, or else by its extension. `None` for an unsupported format.
fn format(extension: &str, bytes: &[u8]) -> Option<&'static Row> {
    let is_called = |row: &Row| row.format.is_called(extension);
    let head = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = head.trim_ascii_start();
    let is_text = encoding::is_wide(bytes) || !bytes.contains(&0);
    match () {
        () if bytes.starts_with(b"PK") => Some(&ROW),
        () if head.starts_with(b"{\\rtf") => Some(&rtf::ROW),
        () if is_text && (head.starts_with(b"<") || is_called(&html::ROW)) => Some(&html::ROW),
        () if is_text && is_called(&txt::ROW) => Some(&txt::ROW),
        () => None,
    }
}
