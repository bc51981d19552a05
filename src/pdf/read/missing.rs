//! Pages that a file lists but does not contain because its end was cut off, for example by an interrupted download.
//! `hayro` finds the objects that are there, and treats all others as empty (ISO 32000-2, 7.3.10), so such pages would
//! be lost silently. Repairs nothing.

use crate::{error::Result, job::Job};
use hayro::hayro_syntax::{
    Pdf,
    object::{Array, Dict, MaybeRef, ObjRef, Object},
};

/// Marker at the end of a file (7.5.5).
const MARKER: &[u8] = b"%%EOF";
/// Number of bytes at the end of a file that are searched for the marker. Programs append white space, and mail servers
/// a few lines.
const END: usize = 2048;

/// Limit on the depth of the page tree, which may contain itself.
const DEEPEST: usize = 64;
/// Limit on the nodes and content streams that are visited, because many pages may share one long list of contents.
const MAX_NODES: usize = 1_000_000;

/// Completes a sentence that begins with "the file": it says how many pages are missing or lack their content. `None`
/// if the file has the marker at its end, or nothing is missing.
///
/// Errors: the error of the job's deadline.
pub(super) fn pages(job: &Job<'_>, pdf: &Pdf) -> Result<Option<String>> {
    let bytes: &[u8] = pdf.data().as_ref();
    let end = &bytes[bytes.len().saturating_sub(END)..];
    if memchr::memmem::find(end, MARKER).is_some() {
        return Ok(None);
    }
    let xref = pdf.xref();
    let catalog = xref.get::<Dict<'_>>(xref.root_id());
    let root = catalog.and_then(|catalog| catalog.get::<Dict<'_>>("Pages"));
    let (mut missing, mut left) = (0, MAX_NODES);
    if let Some(root) = root {
        // A missing node may contain many pages. The root states the total number of pages.
        let stated = root.get::<u32>("Count").unwrap_or(0) as usize;
        missing = below(job, pdf, &root, DEEPEST, &mut left)?;
        if missing > 0 {
            missing = missing.max(stated.saturating_sub(pdf.pages().len()));
        }
    }
    for page in pdf.pages().iter() {
        job.check()?;
        missing += usize::from(lacks_content(pdf, page.raw(), &mut left));
    }
    Ok(match missing {
        0 => None,
        1 => Some("is cut off: a page, or its content, is missing".to_owned()),
        count => Some(format!(
            "is cut off: {count} pages, or their contents, are missing"
        )),
    })
}

/// Number of references below a node of the page tree whose objects are missing from the file.
fn below(
    job: &Job<'_>,
    pdf: &Pdf,
    node: &Dict<'_>,
    depth: usize,
    left: &mut usize,
) -> Result<usize> {
    let Some(kids) = node.get::<Array<'_>>("Kids").filter(|_| depth > 0) else {
        return Ok(0);
    };
    let mut missing = 0;
    for kid in kids.raw_iter() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        job.check()?;
        let MaybeRef::Ref(id) = kid else {
            continue;
        };
        match pdf.xref().get::<Object<'_>>(id.into()) {
            Some(Object::Dict(kid)) => missing += below(job, pdf, &kid, depth - 1, left)?,
            Some(_) => {}
            None => missing += 1,
        }
    }
    Ok(missing)
}

/// Returns whether a page refers to content that the file does not have. Checks at most `left` content streams.
fn lacks_content(pdf: &Pdf, page: &Dict<'_>, left: &mut usize) -> bool {
    match page.get_raw::<Object<'_>>("Contents") {
        Some(MaybeRef::Ref(id)) if !exists(pdf, id) => true,
        Some(_) => page.get::<Array<'_>>("Contents").is_some_and(|parts| {
            let mut parts = parts.raw_iter().take(*left);
            parts.any(|part| {
                *left -= 1;
                matches!(part, MaybeRef::Ref(id) if !exists(pdf, id))
            })
        }),
        None => false,
    }
}

fn exists(pdf: &Pdf, id: ObjRef) -> bool {
    pdf.xref().get::<Object<'_>>(id.into()).is_some()
}
