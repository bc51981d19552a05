//! Appearances for form fields and annotations that have a value but no appearance stream (ISO 32000-2, 12.5.5). Many
//! programs fill in forms without appearance streams, and rely on the viewer to make them. `hayro` draws only
//! appearance streams.
//!
//! The appearances are appended as an incremental update (7.5.6), which is the only way to pass them to `hayro`.
//! Encrypted files are not changed, because the new objects would have to be encrypted as well.

use super::{fields::Field, trailer::Trailer};
use hayro::hayro_syntax::{
    Pdf,
    object::{Array, Dict, Object, ObjectIdentifier, Stream},
};
use memchr::memmem;
use std::{borrow::Cow, io::Write as _};

/// Limit on the annotations that are visited.
const MAX_ANNOTATIONS: usize = 100_000;
/// Limit on the bytes that are appended.
const MAX_APPENDED: usize = 2 << 20;
/// Limit on the decompressed bytes of appearances that are searched for text.
const MAX_SEARCHED: usize = 32 << 20;

/// Limit on the compressed length of an appearance that is searched for text, in bytes. The
/// appearance of an empty field is short.
const MAX_EMPTY: usize = 4096;

/// Number of bytes for which an appearance counts towards [`MAX_SEARCHED`] if it cannot be decompressed.
const DAMAGED: usize = 256 << 10;

/// Limit on the length of an annotation that is copied, in bytes.
const MAX_COPIED: usize = 64 << 10;

/// Number of the first appended object, below the limit of 8 388 607 on object numbers (annex C).
const FIRST: usize = 8_000_000;

/// An incremental update.
pub(super) struct Update {
    /// Bytes to be appended; empty if the file is encrypted.
    pub(super) bytes: Vec<u8>,
    /// Number of fields and annotations that got an appearance.
    pub(super) count: usize,
    /// Whether their texts have characters outside of Windows-1252, which Helvetica may lack.
    pub(super) is_beyond: bool,
}

/// Makes an update with the missing and outdated appearances. `None` if all appearances are there and up to date.
///
/// Each annotation is written again with an additional `AP` entry, followed by its appearance, and
/// at the end a cross-reference section with a trailer that points to the previous one.
pub(super) fn update(pdf: &Pdf, file: &[u8]) -> Option<Update> {
    let root = pdf.xref().root_id();
    let catalog = pdf.xref().get::<Dict<'_>>(root)?;
    let form = catalog.get::<Dict<'_>>("AcroForm");
    // `NeedAppearances` asks viewers to regenerate all appearances (12.7.3).
    let are_outdated = |form: &Dict<'_>| form.get::<bool>("NeedAppearances").unwrap_or(false);
    let are_outdated = form.as_ref().is_some_and(are_outdated);
    let mut update = Update {
        bytes: b"\n".to_vec(),
        count: 0,
        is_beyond: false,
    };
    // Number, generation and offset of each new object.
    let mut places = Vec::new();
    let mut searched = 0;
    let pages = pdf.pages().iter();
    let lists = pages.filter_map(|page| page.raw().get::<Array<'_>>("Annots"));
    // Only indirect objects can be replaced.
    let references = lists.flat_map(|list| list.raw_iter().filter_map(|one| one.as_obj_ref()));
    for reference in references.take(MAX_ANNOTATIONS) {
        if update.bytes.len() > MAX_APPENDED {
            break;
        }
        let (number, generation) = (reference.obj_number, reference.gen_number);
        let id = ObjectIdentifier::new(number, generation);
        let Some(annotation) = pdf.xref().get::<Dict<'_>>(id) else {
            continue;
        };
        // Whether the appearance is missing, or is outdated and without text.
        let is_needed = match annotation.get::<Dict<'_>>("AP") {
            Some(shown) if shown.contains_key("N") => {
                are_outdated
                    && (shown.get::<Stream<'_>>("N"))
                        .is_some_and(|shown| is_without_text(&shown, &mut searched))
            }
            _ => true,
        };
        let own = annotation.data();
        if !is_needed || own.len() > MAX_COPIED {
            continue;
        }
        let field = Field::of(&annotation, form.as_ref());
        let (Some(field), Some(own)) = (field, own.strip_suffix(b">>")) else {
            continue;
        };
        // Writes the annotation again, with an appearance at the end of its dictionary.
        let out = &mut update.bytes;
        let appearance = FIRST + update.count;
        places.push((number as usize, generation, file.len() + out.len()));
        // If a dictionary contains a key twice, hayro uses the last entry.
        let _ = writeln!(out, "{number} {generation} obj");
        out.extend(own);
        let _ = writeln!(out, "\n/AP<</N {appearance} 0 R>>>>\nendobj");
        places.push((appearance, 0, file.len() + out.len()));
        let _ = writeln!(out, "{appearance} 0 obj");
        update.is_beyond |= field.write(out);
        let _ = writeln!(out, "endobj");
        update.count += 1;
    }
    if update.count == 0 {
        return None;
    }
    let trailer = Trailer::of(file);
    if trailer
        .as_ref()
        .map_or_else(|| is_encrypted(pdf), Trailer::is_encrypted)
    {
        update.bytes.clear();
        return Some(update);
    }
    // The cross-reference section has one subsection per object (7.5.4).
    let out = &mut update.bytes;
    let table = file.len() + out.len();
    let _ = writeln!(out, "xref");
    for (number, generation, place) in places {
        let _ = write!(out, "{number} 1\n{place:010} {generation:05} n \n");
    }
    let size = FIRST + update.count;
    let (number, generation) = (root.obj_number, root.gen_number);
    let _ = write!(out, "trailer\n<</Size {size}/Root {number} {generation} R");
    if let Some(trailer) = trailer {
        if let Some(info) = trailer.info() {
            let _ = write!(out, "/Info {info} ");
        }
        let _ = write!(out, "/Prev {} ", trailer.table);
    }
    let _ = writeln!(out, ">>\nstartxref\n{table}\n%%EOF");
    Some(update)
}

/// Returns whether a file without a readable trailer is encrypted: hayro returns decrypted copies of the streams of an
/// encrypted file.
fn is_encrypted(pdf: &Pdf) -> bool {
    let mut streams = pdf.objects().into_iter().filter_map(Object::into_stream);
    streams
        .next()
        .is_some_and(|stream| matches!(stream.raw_data(), Cow::Owned(_)))
}

/// Returns whether an appearance shows no text, like that of an empty field. Returns false for an appearance that is
/// too long or damaged, and beyond [`MAX_SEARCHED`] bytes. Adds the bytes that were searched to `searched`.
fn is_without_text(shown: &Stream<'_>, searched: &mut usize) -> bool {
    if *searched > MAX_SEARCHED || shown.raw_data().len() > MAX_EMPTY {
        return false;
    }
    let Ok(content) = shown.decoded() else {
        *searched += DAMAGED;
        return false;
    };
    *searched += content.len() + 1;
    // All of these operators show text, except `Do`, which may draw a form that shows text.
    ["Tj", "TJ", "Do", "'", "\""]
        .iter()
        .all(|operator| memmem::find(&content, operator.as_bytes()).is_none())
}
