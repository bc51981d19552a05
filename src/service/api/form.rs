//! Forms with one file or a few (RFC 7578), streamed to a file in constant memory. Trusts no size, no count and no
//! name.
//!
//! This replaces the crate `multipart`, which is no longer maintained (RUSTSEC-2023-0050). That crate loses names that
//! are sent as `filename*`, cuts names at a `;`, accepts a boundary in the middle of a line, and adds bytes to a file
//! if its buffer ends between CR and LF. A parser in front of it could hide these faults, but then an upload of 100 MiB
//! took 319 ms of processor time; now it takes 160 ms.

mod head;
pub(super) mod parts;

use crate::{
    error::{Error, Kind, Result, quoted},
    http::Body,
    nearest, registry,
};
use head::PartHead;
pub(super) use head::file_name;
use parts::Parts;
use std::io::{self, Read, Write};

/// The maximum number of parts. The first file counts as a part, and further files do not.
const MAX_PARTS: usize = 32;
/// The maximum number of files after the first one.
const MAX_OTHERS: usize = 1000;
/// The maximum length of an unknown field, and of all known fields together except the file, in bytes.
const MAX_FIELD: usize = 64 << 10;
/// The maximum number of unknown fields that the answer names.
const MAX_UNKNOWN: usize = 3;
/// Limit on the bytes after the end of the form that are read, so that the connection can be used for another request.
const MAX_EPILOGUE: u64 = 64 << 10;

/// Limits and fields that the caller expects of a form.
pub(super) struct Expected<'a> {
    /// The maximum length of the file, or of all files together, in bytes.
    pub(super) max_file: u64,
    /// Returns whether a field of this name is used. All other fields are skipped.
    pub(super) is_known: &'a dyn Fn(&str) -> bool,
    /// Checks the name and the value of a known field as soon as it has arrived. An error ends the reading, so that the
    /// client need not send the rest of the form.
    pub(super) check: &'a mut dyn FnMut(&str, &str) -> Result<()>,
}

/// A form whose file has been stored.
#[derive(Debug, Default)]
pub(super) struct Form {
    /// The name of the file as it was sent, unchecked.
    pub(super) file_name: String,
    /// The length of the file in bytes, at least 1.
    pub(super) file_len: u64,
    /// The files after the first one. Their contents follow one another in the stored file.
    pub(super) others: Vec<SentFile>,
    /// The names and values of the other known fields, in order.
    pub(super) fields: Vec<(String, String)>,
    /// The names of the first unknown fields.
    pub(super) unknown: Vec<String>,
}

/// A further file of a form.
#[derive(Debug)]
pub(super) struct SentFile {
    /// The name as it was sent, unchecked.
    pub(super) name: String,
    /// The length in bytes.
    pub(super) len: u64,
}

impl Form {
    /// Records the name of an unknown field, unless it is empty, or [`MAX_UNKNOWN`] names are recorded already.
    pub(super) fn note_unknown(&mut self, name: String) {
        if !name.is_empty() && self.unknown.len() < MAX_UNKNOWN {
            self.unknown.push(name);
        }
    }

    /// Notes about the unknown fields.
    pub(super) fn remarks(&self) -> Vec<String> {
        let sentence = |name: &String| {
            let hint = nearest::hint(name, registry::field_names());
            let end = if hint.is_empty() { "." } else { &hint };
            format!("The field {} is unknown and was ignored{end}", quoted(name))
        };
        self.unknown.iter().map(sentence).collect()
    }

    /// The names of the fields that have a value, but whose name `is_taken` does not accept.
    pub(super) fn idle(&self, is_taken: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter();
        let named = fields.filter(|(_, value)| !value.trim().is_empty());
        named
            .map(|(name, _)| &**name)
            .filter(move |name| !is_taken(name))
    }

    /// The value of a field that may be sent only once.
    ///
    /// Errors: [`Kind::BadInput`] if it was sent more than once.
    pub(super) fn single(&self, name: &str) -> Result<Option<&str>> {
        let mut values = self
            .fields
            .iter()
            .filter(|(field, _)| field == name)
            .map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            (_, Some(_)) => Err(twice(name)),
        }
    }
}

/// The boundary in a `Content-Type` (RFC 2046, section 5.1.1).
///
/// Errors: [`Kind::BadInput`] if this is not `multipart/form-data` with a valid boundary.
pub(super) fn boundary(content_type: Option<&str>) -> Result<String> {
    let wrong = |what: &str| {
        Error::new(
            Kind::BadInput,
            format!("the request must be multipart/form-data with a boundary; {what}"),
        )
    };
    let content_type = content_type.ok_or_else(|| wrong("it has no Content-Type"))?;
    let (media_type, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    let media_type = media_type.trim();
    if !media_type.eq_ignore_ascii_case("multipart/form-data") {
        return Err(wrong(&format!(
            "its Content-Type is {}",
            quoted(media_type)
        )));
    }
    let mut boundaries = head::parameters(parameters).filter(|(name, _)| name == "boundary");
    let boundary = match (boundaries.next(), boundaries.next()) {
        (Some((_, boundary)), None) => boundary,
        (None, _) => return Err(wrong("the boundary is missing")),
        (Some(_), Some(_)) => return Err(wrong("it has two boundaries")),
    };
    let valid = |byte: u8| byte.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(&byte);
    if (1..=70).contains(&boundary.len()) && boundary.bytes().all(valid) {
        Ok(boundary)
    } else {
        Err(wrong(
            "the boundary must have 1 to 70 characters that RFC 2046 allows in it",
        ))
    }
}

/// Reads a form, and writes the content of its fields `file` to `file`.
///
/// Errors: [`Kind::BadInput`] for a malformed form, [`Kind::TooLarge`] if the file is too large, [`Kind::TooSlow`] and
/// [`Kind::Disconnected`] if the client sends too slowly or leaves, storage errors, and those of [`Expected::check`].
pub(super) fn receive(
    body: &mut Body<'_>,
    boundary: &str,
    file: &mut impl Write,
    expected: Expected<'_>,
) -> Result<Form> {
    let max_file = expected.max_file;
    let form = read(&mut *body, boundary, file, expected);
    if form.is_ok() {
        // A client that sends more than `MAX_EPILOGUE` bytes after the form loses its connection. Errors of the body
        // are handled below.
        let _ = io::copy(&mut body.take(MAX_EPILOGUE), &mut io::sink());
    }
    match body.failure() {
        None => form,
        Some(kind) => Err(failure(kind, max_file)),
    }
}

/// The error for a body that could not be read.
pub(super) fn failure(kind: io::ErrorKind, max_file: u64) -> Error {
    match kind {
        io::ErrorKind::TimedOut => Error::new(Kind::TooSlow, "the upload arrives too slowly"),
        io::ErrorKind::InvalidData => Error::new(
            Kind::BadInput,
            "the chunks of the request body are malformed",
        ),
        io::ErrorKind::FileTooLarge => too_large(max_file),
        _ => Error::new(
            Kind::Disconnected,
            "the connection ended before the request body did",
        ),
    }
}

pub(super) fn too_large(max_file: u64) -> Error {
    Error::new(
        Kind::TooLarge,
        format!(
            "the file is larger than {max_file} bytes, the limit of this service (--max-upload)"
        ),
    )
}

/// The error for a field that may be sent only once.
fn twice(name: &str) -> Error {
    Error::new(
        Kind::BadInput,
        format!(
            "the form has the field {} twice; send it once",
            quoted(name)
        ),
    )
}

/// Reads the parts of a form. The file goes to `file` as it arrives, and only fields are kept in memory.
fn read(
    body: impl Read,
    boundary: &str,
    file: &mut impl Write,
    expected: Expected<'_>,
) -> Result<Form> {
    let mut parts = Parts::new(body, boundary);
    let mut form = Form::default();
    let (mut count, mut has_file, mut kept, mut saved) = (0, false, 0, 0);
    while let Some(PartHead { name, file_name }) = parts.next().map_err(malformed)? {
        if name == "file" && std::mem::replace(&mut has_file, true) {
            if form.others.len() == MAX_OTHERS {
                let text = format!("the form has more than {} files", MAX_OTHERS + 1);
                return Err(Error::new(Kind::BadInput, text));
            }
            let name = file_name.unwrap_or_default();
            let len = save(&mut parts, file, (saved, expected.max_file))?;
            saved += len;
            form.others.push(SentFile { name, len });
            continue;
        }
        count += 1;
        if count > MAX_PARTS {
            let text = format!("the form has more than {MAX_PARTS} parts");
            return Err(Error::new(Kind::BadInput, text));
        }
        if name == "file" {
            form.file_name = file_name.unwrap_or_default();
            form.file_len = save(&mut parts, file, (0, expected.max_file))?;
            if form.file_len == 0 {
                let text = "the file in the field \"file\" is empty";
                return Err(Error::new(Kind::BadInput, text));
            }
            saved = form.file_len;
        } else if (expected.is_known)(&name) {
            let value = value(&mut parts, &name, MAX_FIELD - kept)?;
            kept += value.len();
            (expected.check)(&name, &value)?;
            form.fields.push((name, value));
        } else {
            form.note_unknown(name.clone());
            let mut len = 0;
            while let piece @ 1.. = parts.content().map_err(malformed)?.len() {
                len += piece;
                if len > MAX_FIELD {
                    let text = format!(
                        "the field {} is longer than {MAX_FIELD} bytes",
                        quoted(&name)
                    );
                    return Err(Error::new(Kind::BadInput, text));
                }
            }
        }
    }
    if has_file {
        Ok(form)
    } else {
        Err(missing("file"))
    }
}

/// The error for a required field that is missing.
pub(super) fn missing(name: &str) -> Error {
    Error::new(
        Kind::BadInput,
        format!("the field {name:?} is missing from the form"),
    )
}

pub(super) fn malformed(err: io::Error) -> Error {
    let text = match err.kind() {
        io::ErrorKind::UnexpectedEof => "the form ends before its closing boundary".to_owned(),
        _ => format!("the head of a part of the form is malformed: {err}"),
    };
    Error::new(Kind::BadInput, text).caused_by(err)
}

/// Reads the text of a part that is not the file. A text of more than `room` bytes is an error.
fn value<R: Read>(parts: &mut Parts<R>, name: &str, room: usize) -> Result<String> {
    let mut value = Vec::new();
    loop {
        let piece = parts.content().map_err(malformed)?;
        if piece.is_empty() {
            break;
        }
        if value.len() + piece.len() > room {
            let text = format!(
                "the field {} is too long: all fields except the file may have {MAX_FIELD} bytes together",
                quoted(name)
            );
            return Err(Error::new(Kind::BadInput, text));
        }
        value.extend_from_slice(piece);
    }
    String::from_utf8(value).map_err(|_| {
        let text = format!("the field {} is not UTF-8 text", quoted(name));
        Error::new(Kind::BadInput, text)
    })
}

/// Writes the content of a part to `file`, and returns the length of the content in bytes. It is an error if this
/// length and `before`, the length of the earlier files, are more than `max` together.
fn save<R: Read>(
    parts: &mut Parts<R>,
    file: &mut impl Write,
    (before, max): (u64, u64),
) -> Result<u64> {
    let mut len = 0;
    loop {
        let piece = parts.content().map_err(malformed)?;
        if piece.is_empty() {
            break;
        }
        len += piece.len() as u64;
        if before + len > max {
            return Err(too_large(max));
        }
        file.write_all(piece)
            .map_err(|err| Error::storage("the upload could not be stored", err))?;
    }
    Ok(len)
}

#[cfg(test)]
mod tests;
