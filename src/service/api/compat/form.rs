//! Forms with several files (RFC 7578). All files go into one file of the store, one after another. Converts nothing.

use super::{item::Item, work};
use crate::{
    api::{
        file_name,
        form::{self, malformed, parts::Parts},
        state::Api,
    },
    error::{Error, Kind, Result, quoted},
    http::{Body, Head},
};
use std::{
    io::{self, Read},
    net::IpAddr,
    ops::Range,
};

/// Media type of a form.
const FORM: &str = "multipart/form-data";
/// Limit on the parts of a form.
const MAX_PARTS: usize = 2000;
/// Limit on the total length of all fields that are not files, in bytes.
const MAX_TEXT: usize = 1 << 20;
/// Limit on the bytes after the end of a form that are read, so that the connection can be used for another request.
const MAX_EPILOGUE: u64 = 64 << 10;

/// Content of a form.
#[derive(Default)]
pub(super) struct Sent {
    /// The fields, in order.
    pub(super) fields: Vec<(String, String)>,
    /// The files, in order.
    pub(super) files: Vec<Part>,
}

/// A file of a form.
pub(super) struct Part {
    /// The name of its field.
    pub(super) field: String,
    /// The file. Its name is the last component of the path that the client sent.
    pub(super) item: Item,
}

impl Sent {
    /// Returns the first value of a field.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let mut values = self.fields.iter().filter(|(known, _)| known == name);
        values.next().map(|(_, value)| value.as_str())
    }

    /// Returns whether there is a field or a file of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.field(name).is_some() || self.files.iter().any(|file| file.field == name)
    }
}

/// Returns whether the request declares a form.
pub(super) fn is_form(head: &Head) -> bool {
    let content_type = head.field("content-type").unwrap_or_default().trim_start();
    let start = content_type.get(..FORM.len()).unwrap_or_default();
    start.eq_ignore_ascii_case(FORM)
}

/// Reads a form. A part without a file name counts as a file if `is_file` accepts the name of its field.
///
/// Errors: those of [`form::receive`].
pub(super) fn receive(
    api: &Api,
    head: &Head,
    client: Option<IpAddr>,
    body: &mut dyn Read,
    is_file: fn(&str) -> bool,
) -> Result<Sent> {
    let boundary = form::boundary(head.field("content-type"))?;
    let sent = read(api, head, client, &mut *body, &boundary, is_file);
    if sent.is_ok() {
        // If a client sends more than this limit, its connection is closed.
        let _ = io::copy(&mut body.take(MAX_EPILOGUE), &mut io::sink());
    }
    sent
}

/// Replaces an error by that of the connection, if the connection is its cause.
pub(super) fn failed(api: &Api, body: &Body<'_>, error: Error) -> Error {
    match body.failure() {
        None => error,
        Some(kind) => form::failure(kind, api.max_upload),
    }
}

/// Reads a form. All files go into one spool, one after another, and each becomes a range of it.
fn read(
    api: &Api,
    head: &Head,
    client: Option<IpAddr>,
    body: impl Read,
    boundary: &str,
    is_file: fn(&str) -> bool,
) -> Result<Sent> {
    let mut spool = work::upload(api, head, client)?;
    let mut parts = Parts::new(body, boundary);
    let mut fields = Vec::new();
    let mut files: Vec<(String, String, Range<u64>)> = Vec::new();
    let (mut text, mut end) = (0, 0);
    let mut count = 0;
    while let Some(part) = parts.next().map_err(malformed)? {
        count += 1;
        if count > MAX_PARTS {
            let text = format!("the form has more than {MAX_PARTS} parts");
            return Err(Error::new(Kind::BadInput, text));
        }
        let name = match part.file_name {
            None if is_file(&part.name) => Some(part.name.clone()),
            name => name,
        };
        let Some(name) = name else {
            let value = value(&mut parts, &part.name, MAX_TEXT - text)?;
            text += value.len();
            fields.push((part.name, value));
            continue;
        };
        let room = api.max_upload - end;
        let len = work::save(&mut parts, &mut spool, room)?
            .ok_or_else(|| form::too_large(api.max_upload))?;
        // For a file input without a file, browsers send an empty part with an empty name (HTML, 4.10.22.4).
        if name.is_empty() && len == 0 {
            continue;
        }
        files.push((part.name, file_name::sanitise(&name), end..end + len));
        end += len;
    }
    let all = Item::uploaded(String::new(), spool)?;
    let part = |(field, name, range)| Part {
        field,
        item: all.part(name, range),
    };
    Ok(Sent {
        fields,
        files: files.into_iter().map(part).collect(),
    })
}

/// Returns the text of a part, which may have at most `room` bytes.
fn value<R: Read>(parts: &mut Parts<R>, name: &str, room: usize) -> Result<String> {
    let mut value = Vec::new();
    match work::save(parts, &mut value, room as u64)? {
        Some(_) => Ok(String::from_utf8_lossy(&value).into_owned()),
        None => {
            let text = format!(
                "the field {} is too long: all fields may have {MAX_TEXT} bytes together",
                quoted(name)
            );
            Err(Error::new(Kind::BadInput, text))
        }
    }
}
