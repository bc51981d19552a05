//! Gives form fields and comments an appearance if they have a value without one (ISO 32000-2, 12.5.5).
//! Programs that fill in forms leave that to the reader, but `hayro` draws only what has an appearance.
//!
//! The appearances are appended to the file as an incremental update (7.5.6), which is the only way to hand them to
//! `hayro`. Encrypted files stay unchanged, because the appended objects would have to be encrypted, too.

use super::{fields::Field, trailer::Trailer};
use hayro::hayro_syntax::{
    Pdf,
    object::{Array, Dict, Object, ObjectIdentifier, Stream},
};
use memchr::memmem;
use std::{borrow::Cow, io::Write as _};

/// The limits on the annotations of a file that are looked at, on the bytes that are appended, and on those of appearances
/// that are searched for text.
const MOST_ANNOTATIONS: usize = 100_000;
const MOST_APPENDED: usize = 2 << 20;
const MOST_SEARCHED: usize = 32 << 20;

/// The longest appearance that is searched for text, in compressed bytes. That of an empty field is short.
const MOST_EMPTY: usize = 4096;

/// Assumed length of an appearance that cannot be decompressed, in bytes.
const DAMAGED: usize = 256 << 10;

/// The longest annotation that is copied, in bytes.
const MOST_COPIED: usize = 64 << 10;

/// The first number of the objects that are appended. The numbers of files end at 8,388,607 (annex C).
const FIRST: usize = 8_000_000;

/// Incremental update to be appended to a file.
pub(super) struct Update {
    /// Nothing if the file is encrypted.
    pub(super) bytes: Vec<u8>,
    /// The number of fields and comments.
    pub(super) count: usize,
    /// Whether there are letters that Helvetica lacks.
    pub(super) is_beyond: bool,
}

/// Writes the appearances that a file lacks. `None` if it lacks none.
pub(super) fn update(pdf: &Pdf, file: &[u8]) -> Option<Update> {
    let root = pdf.xref().root_id();
    let catalog = pdf.xref().get::<Dict<'_>>(root)?;
    let form = catalog.get::<Dict<'_>>("AcroForm");
    // The producer asks readers to draw all fields anew.
    let are_outdated = |form: &Dict<'_>| form.get::<bool>("NeedAppearances").unwrap_or(false);
    let are_outdated = form.as_ref().is_some_and(are_outdated);
    let mut update = Update {
        bytes: b"\n".to_vec(),
        count: 0,
        is_beyond: false,
    };
    // The numbers and generations of objects, and where they are.
    let mut places = Vec::new();
    let mut searched = 0;
    let pages = pdf.pages().iter();
    let lists = pages.filter_map(|page| page.raw().get::<Array<'_>>("Annots"));
    // Only an object of its own can be replaced.
    let references = lists.flat_map(|list| list.raw_iter().filter_map(|one| one.as_obj_ref()));
    for reference in references.take(MOST_ANNOTATIONS) {
        if update.bytes.len() > MOST_APPENDED {
            break;
        }
        let (number, generation) = (reference.obj_number, reference.gen_number);
        let id = ObjectIdentifier::new(number, generation);
        let Some(annotation) = pdf.xref().get::<Dict<'_>>(id) else {
            continue;
        };
        let is_needed = match annotation.get::<Dict<'_>>("AP") {
            Some(shown) if shown.contains_key("N") => {
                are_outdated
                    && (shown.get::<Stream<'_>>("N"))
                        .is_some_and(|shown| is_without_text(&shown, &mut searched))
            }
            _ => true,
        };
        let own = annotation.data();
        if !is_needed || own.len() > MOST_COPIED {
            continue;
        }
        let field = Field::of(&annotation, form.as_ref());
        let (Some(field), Some(own)) = (field, own.strip_suffix(b">>")) else {
            continue;
        };
        let out = &mut update.bytes;
        let look = FIRST + update.count;
        places.push((number as usize, generation, file.len() + out.len()));
        // Of two entries with one key, the last one counts for hayro.
        let _ = writeln!(out, "{number} {generation} obj");
        out.extend(own);
        let _ = writeln!(out, "\n/AP<</N {look} 0 R>>>>\nendobj");
        places.push((look, 0, file.len() + out.len()));
        let _ = writeln!(out, "{look} 0 obj");
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

/// Whether a file without a readable trailer is encrypted: then its streams have to be copied to be read.
fn is_encrypted(pdf: &Pdf) -> bool {
    let mut streams = pdf.objects().into_iter().filter_map(Object::into_stream);
    streams
        .next()
        .is_some_and(|stream| matches!(stream.raw_data(), Cow::Owned(_)))
}

/// Whether an appearance shows no text, as that of an empty field.
fn is_without_text(shown: &Stream<'_>, searched: &mut usize) -> bool {
    if *searched > MOST_SEARCHED || shown.raw_data().len() > MOST_EMPTY {
        return false;
    }
    let Ok(content) = shown.decoded() else {
        *searched += DAMAGED;
        return false;
    };
    *searched += content.len() + 1;
    ["Tj", "TJ", "Do", "'", "\""]
        .iter()
        .all(|operator| memmem::find(&content, operator.as_bytes()).is_none())
}
