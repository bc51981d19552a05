//! `POST` or `PUT /api/v1/convert?to=FORMAT`: the body is the file, and the answer is the result, for `curl -T` and
//! programs without forms. Unless the client accepts JSON, the result is not stored: as soon as the answer is being
//! sent, neither a link nor a file exists, even if the client does not read to the end.
//!
//! The query has the fields of a form: `to`, `quality`, `name`, and each option by its own name or as
//! `option=NAME=VALUE`. Query and form become the same [`Form`], and share all code after that. A `POST` whose body is
//! a form is read as a form, whatever the query contains. If both set the same field, the values must be equal, or the
//! value in the form must be empty.

use super::{
    engine_order::outcome,
    file_name,
    form::{self, Form},
    query,
};
use crate::{
    engine::Finished,
    error::{Error, Kind, Result, quoted},
    format::{self, ARCHIVE_EXTENSION, ARCHIVE_MEDIA_TYPE},
    http::{self, Head, Method, Payload, Piece, Response, Status, Stream},
    job::Quality,
    registry::{self, Terms},
    store::{self, Spool},
};
use std::{
    fs::File,
    io::{self, Read, Write},
    ops::Range,
};

const TARGET: &str = Terms::Form.target();
const QUALITY: &str = Terms::Form.quality();
/// Header field with the notes about losses and changes, as a JSON array of sentences in ASCII.
pub(super) const NOTES: &str = "Conversion-Notes";
/// Limit on the notes in [`NOTES`], in bytes. The sentence that counts the notes beyond the limit is not included.
/// Proxies often have a buffer of 4 KiB for all header fields of an answer.
const MAX_NOTES: usize = 2048;
/// Pseudo field of a request that wants the file and not a record, so that a repeated request for the file differs from
/// one for the record.
pub(super) const ANSWER: (String, String) = (String::new(), String::new());
/// Size of the buffer for reading a body, in bytes.
const CHUNK_SIZE: usize = 64 << 10;

/// Returns whether the query names a target.
pub(super) fn has_target(head: &Head) -> bool {
    query::parameters(head).any(|(name, _)| name == "to")
}

/// Returns whether the body of the request is the file itself, and not a form.
pub(super) fn is_meant(head: &Head) -> bool {
    let content_type = head.field("content-type").unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    let is_form = media_type.eq_ignore_ascii_case("multipart/form-data");
    has_target(head) && (!is_form || head.method == Method::Put)
}

/// Returns whether the client wants the result itself, and not a record with a link: it does not accept
/// `application/json`.
pub(super) fn is_file_wanted(head: &Head) -> bool {
    let mut types = head.fields("accept").flat_map(|value| value.split(','));
    !types.any(|media_type| {
        let name = media_type.split(';').next().unwrap_or_default();
        name.trim().eq_ignore_ascii_case("application/json")
    })
}

/// Reads the query into the form that it corresponds to, still without the file.
///
/// Errors: [`Kind::BadInput`] for an invalid target, quality or `option`, for a field that occurs twice, or if the
/// target is missing. Other unknown parameters are only noted.
pub(super) fn form(head: &Head) -> Result<Form> {
    let form = fields(head)?;
    if form.fields.iter().all(|(name, _)| name != TARGET) {
        let text = "the parameter \"to\" is missing; set it to a format from /api/v1/formats";
        return Err(Error::new(Kind::BadInput, text));
    }
    Ok(form)
}

/// Reads the query, which may lack a target.
fn fields(head: &Head) -> Result<Form> {
    let mut form = Form::default();
    let mut file_name = None;
    for (name, value) in query::parameters(head) {
        let (field, value) = match name.as_str() {
            "to" => {
                registry::target(value.trim(), Terms::Query)?;
                (TARGET.to_owned(), value)
            }
            QUALITY => {
                Quality::parse(QUALITY, value.trim())?;
                (name, value)
            }
            "name" => {
                if file_name.replace(value).is_some() {
                    return Err(query::twice("name"));
                }
                continue;
            }
            "option" => option(&value)?,
            _ if registry::has_option(&name) => (name, value),
            _ => {
                form.note_unknown(name);
                continue;
            }
        };
        if form.fields.iter().any(|(known, _)| *known == field) {
            let shown = if field == TARGET { "to" } else { &field };
            return Err(query::twice(shown));
        }
        form.fields.push((field, value));
    }
    let disposition = head.field("content-disposition").and_then(form::file_name);
    form.file_name = file_name.or(disposition).unwrap_or_default();
    Ok(form)
}

/// Adds the fields of the query to a form. They replace fields of the form with the same names.
///
/// Errors: [`Kind::BadInput`] if form and query contradict each other, and those of [`form()`] except for a missing
/// target.
pub(super) fn with_query(head: &Head, mut sent: Form) -> Result<Form> {
    let asked = fields(head)?;
    for name in asked.unknown {
        sent.note_unknown(name);
    }
    for (name, value) in asked.fields {
        let own = sent.single(&name)?.map(str::trim).unwrap_or_default();
        let is_same = match name == TARGET {
            true => format::normalise(own) == format::normalise(&value),
            false => own == value.trim(),
        };
        if !own.is_empty() && !is_same {
            let asked = if name == TARGET { "to" } else { &name };
            let text = format!(
                "the form has {name}={own:.60}, but the address has {asked}={value:.60}: send only one of them"
            );
            return Err(Error::new(Kind::BadInput, text));
        }
        sent.fields.retain(|(known, _)| *known != name);
        sent.fields.push((name, value));
    }
    Ok(sent)
}

/// The name and the value of `option=NAME=VALUE`.
fn option(text: &str) -> Result<(String, String)> {
    match text.split_once('=') {
        Some((name, value)) if registry::has_option(name) => Ok((name.into(), value.into())),
        Some((name, _)) => {
            let text = format!("option names {}, which no conversion takes", quoted(name));
            Err(Error::new(Kind::BadInput, text))
        }
        None => {
            let text = format!("option is {}; it must be NAME=VALUE", quoted(text));
            Err(Error::new(Kind::BadInput, text))
        }
    }
}

/// Writes the body to `file`. Returns its length in bytes, at least 1 and at most `max`.
pub(super) fn store(body: &mut impl Read, file: &mut impl Write, max: u64) -> Result<u64> {
    let mut len = 0;
    let mut piece = vec![0; CHUNK_SIZE];
    loop {
        let read = match body.read(&mut piece) {
            Ok(read) => read,
            Err(err) => return Err(form::failure(err.kind(), max)),
        };
        if read == 0 {
            break;
        }
        len += read as u64;
        if len > max {
            return Err(form::too_large(max));
        }
        file.write_all(&piece[..read])
            .map_err(|err| Error::storage("the upload could not be stored", err))?;
    }
    match len {
        0 => Err(Error::new(
            Kind::BadInput,
            "the request has no content; its body must be the file",
        )),
        len => Ok(len),
    }
}

/// The answer with the result. The files of the spool may be removed while it is sent, because an open file stays
/// readable.
pub(super) fn file(
    spool: &Spool,
    request: &store::Request,
    finished: &Finished,
) -> Result<Response> {
    let file = spool.open_output()?;
    let len = file
        .metadata()
        .map_err(|err| Error::storage("the result cannot be read", err))?
        .len();
    let (extension, media_type) = match finished.notes.is_archive() {
        true => (ARCHIVE_EXTENSION, ARCHIVE_MEDIA_TYPE),
        false => (request.task.to.as_str(), request.media_type.as_str()),
    };
    let name = file_name::of_result(&request.original_filename, extension);
    let response = Response::new(Status::OK)
        .field("Content-Type", media_type)
        .field("Content-Disposition", file_name::attachment(&name))
        .field("Cache-Control", "no-store")
        .field("X-Content-Type-Options", "nosniff")
        .field("Content-Security-Policy", "sandbox");
    let response = match &outcome(request, finished).notes[..] {
        [] => response,
        notes => response.field(NOTES, in_ascii(notes)),
    };
    Ok(response.payload(stream(file, 0..len)))
}

/// A part of a file as the content of an answer.
pub(super) fn stream(file: File, range: Range<u64>) -> Payload {
    let len = range.end - range.start;
    Payload::Stream(len, Box::new(Sent(Some(Piece::File(file, range)))))
}

/// A result that is being sent. Its delivery is not recorded.
struct Sent(Option<Piece>);

impl Stream for Sent {
    fn next(&mut self) -> io::Result<Option<Piece>> {
        Ok(self.0.take())
    }

    fn completing(&mut self) {}

    fn held_up(&mut self) {}

    fn acknowledged(self: Box<Self>) -> Option<Box<dyn http::Receipt>> {
        None
    }
}

/// Notes as a JSON array in ASCII. If some do not fit, a last sentence states their number.
fn in_ascii(notes: &[String]) -> String {
    let mut texts = Vec::new();
    let mut len = 0;
    for (at, note) in notes.iter().enumerate() {
        let text = quoted_in_ascii(note);
        len += text.len() + 1;
        if len > MAX_NOTES {
            let left = notes.len() - at;
            texts.push(quoted_in_ascii(&format!("There are {left} more notes.")));
            break;
        }
        texts.push(text);
    }
    format!("[{}]", texts.join(","))
}

/// A JSON string (RFC 8259, section 7) without a character beyond ASCII.
fn quoted_in_ascii(text: &str) -> String {
    let mut quoted = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte @ (b' '..=b'~')) if !b"\"\\".contains(&byte) => quoted.push(byte as char),
            _ => quoted.push_str(&format!("\\u{unit:04x}")),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_json_in_ascii() {
        let notes = [
            "One \"note\" \\ of\ntwo.".to_owned(),
            "Ünïcode 😀.".to_owned(),
        ];
        let text = in_ascii(&notes);
        assert!(
            text.bytes().all(|byte| (b' '..=b'~').contains(&byte)),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), notes);
    }

    #[test]
    fn too_many_notes_are_counted() {
        let notes = vec!["A sentence of some length.".to_owned(); 1000];
        let text = in_ascii(&notes);
        assert!(text.len() < MAX_NOTES + 100);
        let sent: Vec<String> = serde_json::from_str(&text).unwrap();
        let left = 1000 - (sent.len() - 1);
        assert_eq!(
            sent.last().unwrap(),
            &format!("There are {left} more notes.")
        );
    }
}
