//! Describes the form of a conversion, generated from the options and pairs of the registry. No option is described by
//! hand.

use crate::{
    api::formats::is_secret,
    format::Format,
    job::{OptionKind, OptionSpec},
    registry,
};
use serde_json::{Map, Value, json};

/// The schema of the form. A schema cannot depend on the format of a file, so the extension `x-conversions` lists the
/// optional fields of each conversion.
pub(super) fn schema() -> Value {
    let mut properties = Map::new();
    properties.insert(
        "file".into(),
        json!({
            "type": "string",
            "format": "binary",
            "contentMediaType": "application/octet-stream",
            "description": "The file, with its name. Its format is detected from the content; the name decides only if the content is ambiguous. Further files are those that a page (html, md, ipynb or svg) in the first one refers to.",
        }),
    );
    properties.insert(
        "target_format".into(),
        json!({
            "type": "string",
            "enum": target_names(),
            "description": "Format of the result: a name or an alias, in upper or lower case.",
        }),
    );
    properties.insert(
        "quality".into(),
        json!({
            "type": "string",
            "pattern": "^(low|medium|high|[1-9][0-9]?|100)$",
            "default": "medium",
            "description": "low, medium or high, or a number from 1 to 100. /api/v1/formats describes its effect on each target.",
        }),
    );
    for &(name, ref specs) in registry::options() {
        // A browser sends an input that was left empty as an empty value, which counts as absent.
        let ways = specs.iter().map(|spec| option(spec));
        let schema = ways.chain([json!({ "const": "" })]).collect::<Vec<_>>();
        let schema = json!({ "anyOf": schema });
        properties.insert(name.into(), schema);
    }
    json!({
        "type": "object",
        "required": ["file", "target_format"],
        "properties": properties,
        "description": "Fields may come in any order, but each only once. Unknown fields are ignored with a note. So are fields that \
                         this conversion does not take, if another conversion would accept their value.",
        "x-conversions": conversions(),
    })
}

/// Names and aliases of all formats that something can be converted to.
pub(super) fn target_names() -> Vec<&'static str> {
    registry::formats()
        .filter(|format| registry::routes_to(format).next().is_some())
        .flat_map(|format| {
            [format.name]
                .into_iter()
                .chain(format.aliases.iter().copied())
        })
        .collect()
}

/// Names and aliases of all formats that can be converted.
pub(super) fn source_names() -> Vec<&'static str> {
    registry::formats()
        .filter(|format| registry::targets_of(format).next().is_some())
        .flat_map(|format| {
            [format.name]
                .into_iter()
                .chain(format.aliases.iter().copied())
        })
        .collect()
}

/// The schema of an option, with its limits and values.
fn option(spec: &OptionSpec) -> Value {
    let mut schema = match &spec.kind {
        OptionKind::Integer(range) if *range.end() == u32::MAX => {
            json!({ "type": "integer", "minimum": range.start() })
        }
        OptionKind::Integer(range) => {
            json!({ "type": "integer", "minimum": range.start(), "maximum": range.end() })
        }
        OptionKind::RangeOr(word) => {
            let number = "[1-9][0-9]{0,8}";
            let pattern = format!("^({number}(-({number})?)?|{word})$");
            json!({ "type": "string", "pattern": pattern })
        }
        OptionKind::OneOf(words) => json!({ "type": "string", "enum": words }),
        OptionKind::Colour => {
            json!({ "type": "string", "pattern": "^(white|black|#?[0-9A-Fa-f]{6})$" })
        }
        OptionKind::Flag => json!({ "type": "string", "enum": ["true", "false"] }),
        OptionKind::Area => {
            let (side, place) = ("[1-9][0-9]{0,8}", "(0|[1-9][0-9]{0,8})");
            let pattern = format!("^{side}x{side}\\+{place}\\+{place}$");
            json!({ "type": "string", "pattern": pattern })
        }
        OptionKind::Time => {
            let pattern = "^([0-9]{1,6}:){0,2}[0-9]{1,6}(\\.[0-9]{1,3})?$";
            json!({ "type": "string", "pattern": pattern })
        }
        OptionKind::Text(most) => {
            json!({ "type": "string", "maxLength": most, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" })
        }
    };
    if is_secret(spec.name) {
        schema["format"] = "password".into();
    }
    schema["description"] = spec.description().into();
    schema
}

/// All pairs of formats with their optional fields. Sources with the same options share an entry.
fn conversions() -> Vec<Value> {
    let mut groups: Vec<(&Format, Vec<&str>, Vec<&str>)> = Vec::new();
    for to in registry::formats() {
        for route in registry::routes_to(to) {
            let options: Vec<_> = route.pair.options.iter().map(|spec| spec.name).collect();
            let from = route.pair.from.name;
            let alike = groups
                .iter_mut()
                .find(|(target, known, _)| *target == to && *known == options);
            match alike {
                Some((_, _, sources)) => sources.push(from),
                None => groups.push((to, options, vec![from])),
            }
        }
    }
    let group = |(to, options, from): (&Format, Vec<&str>, Vec<&str>)| json!({ "to": to.name, "from": from, "options": options });
    groups.into_iter().map(group).collect()
}
