//! `GET /api/v1/formats`. Without `?from=`, the answer is generated once from the registry. With `?from=`, it is
//! generated for each request. This file names no format.

use super::{
    endpoint::Call,
    envelope::{self, success_bytes},
    failures::failure,
    query,
    state::Api,
};
use crate::{
    engine::Language,
    error::{Error, Kind, Result, quoted},
    format::{self, Category, Format},
    http::{Head, Response, Status},
    job::{OptionKind, OptionSpec},
    registry,
};
use serde::{Serialize, Serializer};

const MESSAGE: &str = "Supported formats";

#[derive(Serialize)]
struct Data<'a, E> {
    formats: E,
    /// The languages in which text of scans and pictures can be recognised.
    languages: &'a [Language],
}

/// All formats. Each description is generated while it is written to the answer, because all of them together would
/// take several times the memory of the answer.
struct All;

impl Serialize for All {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(registry::formats().map(|format| entry(format, None)))
    }
}

/// An element of `data.formats`.
#[derive(Serialize)]
struct Entry {
    format: &'static str,
    category: Category,
    description: &'static str,
    can_convert_to: Vec<&'static str>,
    can_convert_from: Vec<&'static str>,
    aliases: &'static [&'static str],
    media_type: &'static str,
    /// Meaning of `low`, `medium` and `high`; only for formats that can be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<&'static str>,
    /// The optional form fields of conversions to this format.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<OptionEntry>,
}

#[derive(Serialize)]
struct OptionEntry {
    name: &'static str,
    /// Effect of the field, and its values.
    description: String,
    #[serde(rename = "type")]
    kind: &'static str,
    /// `password` for values that pages must hide and programs must not store (the `format` of JSON Schema).
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<u32>,
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    values: &'static [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<&'static str>,
    /// Source formats to which the field applies; missing if it applies to all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from: Vec<&'static str>,
}

/// The fields whose values are passwords.
const SECRETS: [&str; 3] = ["encrypt", "owner_password", "password"];

/// Returns whether the values of a field are passwords.
pub(super) fn is_secret(field: &str) -> bool {
    SECRETS.contains(&field)
}

impl OptionEntry {
    /// Describes an option, with the source formats that it applies to.
    fn new(spec: &'static OptionSpec, from: Vec<&'static str>) -> Self {
        let (kind, range, values) = match &spec.kind {
            OptionKind::Integer(range) => ("integer", Some(range), &[][..]),
            OptionKind::RangeOr(_) => ("string", None, &[][..]),
            OptionKind::OneOf(words) => ("string", None, *words),
            OptionKind::Colour => ("colour", None, &[][..]),
            OptionKind::Flag => ("boolean", None, &[][..]),
            OptionKind::Text(_) | OptionKind::Area | OptionKind::Time => ("string", None, &[][..]),
        };
        Self {
            name: spec.name,
            description: spec.description(),
            kind,
            format: is_secret(spec.name).then_some("password"),
            minimum: range.map(|range| *range.start()),
            maximum: range
                .map(|range| *range.end())
                .filter(|max| *max != u32::MAX),
            values,
            default: spec.default,
            from,
        }
    }
}

/// Describes a format. Its quality and options are those of the conversions to it from the format `from`, or from all
/// formats if `from` is `None`.
fn entry(format: &'static Format, from: Option<&Format>) -> Entry {
    let names = |formats: &mut dyn Iterator<Item = &'static Format>| {
        formats.map(|format| format.name).collect()
    };
    let routes = registry::routes_to(format);
    let routes = routes.filter(|route| from.is_none_or(|from| route.pair.from == from));
    let routes: Vec<_> = routes.collect();
    let mut specs: Vec<(&'static OptionSpec, Vec<&'static str>)> = Vec::new();
    for route in &routes {
        for spec in route.pair.options {
            let name = route.pair.from.name;
            let is_same = |known: &OptionSpec| {
                std::ptr::eq(known, *spec)
                    || known.name == spec.name && known.description() == spec.description()
            };
            match specs.iter_mut().find(|(known, _)| is_same(known)) {
                Some((_, sources)) => sources.push(name),
                None => specs.push((spec, vec![name])),
            }
        }
    }
    let options = specs.into_iter().map(|(spec, sources)| {
        let all = sources.len() == routes.len();
        OptionEntry::new(spec, if all { Vec::new() } else { sources })
    });
    Entry {
        format: format.name,
        category: format.category,
        description: format.description,
        can_convert_to: names(&mut registry::targets_of(format)),
        can_convert_from: names(&mut registry::sources_of(format)),
        aliases: format.aliases,
        media_type: format.media_type,
        quality: routes.first().map(|route| route.pair.quality),
        options: options.collect(),
    }
}

/// Returns the answer to a request without a query, which is always the same. `None` if the request has a query.
pub(super) fn known(api: &Api, call: &Call<'_>) -> Option<Response> {
    let is_plain = call.head.query.is_none();
    is_plain.then(|| envelope::json(Status::OK, api.formats))
}

/// Returns the answer to a request with a query. `?from=FORMAT` selects the targets of files in that format, and the
/// options of these conversions. Without `from`, the answer lists all formats.
pub(super) fn answer(api: &Api, call: &Call<'_>) -> Response {
    match from(call.head) {
        Ok(None) => envelope::json(Status::OK, api.formats),
        Ok(Some(from)) => {
            let targets = registry::targets_of(from);
            let formats: Vec<_> = targets.map(|format| entry(format, Some(from))).collect();
            let languages = api.engine.languages();
            let data = Data { formats, languages };
            envelope::success(Status::OK, MESSAGE, data)
        }
        Err(error) => failure(&error, &call.head.request_id),
    }
}

/// The source format that the query asks for, if any.
fn from(head: &Head) -> Result<Option<&'static Format>> {
    let Some(name) = query::parameter(head, "from")? else {
        return Ok(None);
    };
    let can_be_read = |format: &&Format| registry::targets_of(format).next().is_some();
    let found = registry::by_name(&format::normalise(&name)).filter(can_be_read);
    found.map(Some).ok_or_else(|| {
        let possible: Vec<_> = registry::formats()
            .filter(can_be_read)
            .map(|format| format.name)
            .collect();
        let text = format!(
            "from is {}; it must be one of {}",
            quoted(&name),
            possible.join(", ")
        );
        Error::new(Kind::BadInput, text)
    })
}

/// Returns the JSON of the answer without `?from=`. `languages` are those that OCR can read.
pub(super) fn body(languages: &[Language]) -> Vec<u8> {
    let formats = All;
    success_bytes(MESSAGE, Data { formats, languages })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_password_field_is_known() {
        for route in registry::routes() {
            for option in route.pair.options {
                let is_password = option.description().contains("password");
                let is_text = matches!(option.kind, OptionKind::Text(_));
                assert_eq!(
                    is_secret(option.name),
                    is_password && is_text,
                    "{}: {}",
                    option.name,
                    option.description()
                );
            }
        }
    }
}
