//! Describes the form of a conversion, generated from the options and pairs of the registry. No option is described by
//! hand.

use super::answers;
use crate::{
    api::formats::is_secret,
    format::Format,
    job::{OptionKind, OptionSpec},
    registry,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

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
    properties.insert("target_format".into(), answers::schema("TargetFormat"));
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
        properties.insert(name.into(), option(name, specs));
    }
    json!({
        "type": "object",
        "required": ["file", "target_format"],
        "properties": properties,
        "description": "Fields may come in any order, but each only once. An optional field with an empty value counts as absent. Unknown \
                         fields are ignored with a note. So are fields that this conversion does not take, if another conversion would \
                         accept their value.",
        "x-conversions": conversions(),
    })
}

/// A form that can be converted: a picture of one pixel, as text.
pub(super) fn example() -> Value {
    json!({ "file": "P1 1 1 1", "target_format": "png" })
}

/// The schema of target formats. Generators of clients make one type of it for all operations.
pub(super) fn target_format() -> Value {
    json!({
        "type": "string",
        "enum": target_names(),
        "description": "Format of the result: a name or an alias, in upper or lower case.",
    })
}

/// The schema of source formats.
pub(super) fn source_format() -> Value {
    json!({ "type": "string", "enum": source_names() })
}

/// Names and aliases of all formats that something can be converted to.
fn target_names() -> Vec<&'static str> {
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
fn source_names() -> Vec<&'static str> {
    registry::formats()
        .filter(|format| registry::targets_of(format).next().is_some())
        .flat_map(|format| {
            [format.name]
                .into_iter()
                .chain(format.aliases.iter().copied())
        })
        .collect()
}

/// The schema of a field, from its specifications in all conversions. It is a single type rather than a list of
/// alternatives, because generators of clients name alternatives by numbers.
fn option(name: &str, specs: &[&OptionSpec]) -> Value {
    let values = specs.iter().map(|spec| Values::of(&spec.kind));
    let mut schema = values.reduce(Values::or).map_or(json!({}), Values::schema);
    if is_secret(name) {
        schema["format"] = "password".into();
    }
    let descriptions: Vec<_> = specs.iter().map(|spec| spec.description()).collect();
    schema["description"] = descriptions.join("\n\n").into();
    schema
}

/// The values of a field, as far as a JSON schema can describe them.
enum Values {
    /// Whole numbers from the first to the second.
    Number(u32, u32),
    Words(Vec<&'static str>),
    /// Texts that match a regular expression, without its anchors, and have at most this many characters.
    Text(String, Option<usize>),
}

impl Values {
    fn of(kind: &OptionKind) -> Self {
        let pattern = |pattern: &str| Self::Text(pattern.to_owned(), None);
        match kind {
            OptionKind::Integer(range) => Self::Number(*range.start(), *range.end()),
            OptionKind::RangeOr(word) => {
                let number = "[1-9][0-9]{0,8}";
                pattern(&format!("{number}(-({number})?)?|{word}"))
            }
            OptionKind::OneOf(words) => Self::Words(words.to_vec()),
            OptionKind::Colour => pattern("white|black|#?[0-9A-Fa-f]{6}"),
            OptionKind::Flag => Self::Words(vec!["true", "false"]),
            OptionKind::Area => {
                let (side, place) = ("[1-9][0-9]{0,8}", "(0|[1-9][0-9]{0,8})");
                pattern(&format!("{side}x{side}\\+{place}\\+{place}"))
            }
            OptionKind::Time => pattern("([0-9]{1,6}:){0,2}[0-9]{1,6}(\\.[0-9]{1,3})?"),
            OptionKind::Text(most) => {
                Self::Text("[^\\u0000-\\u001f\\u007f-\\u009f]*".into(), Some(*most))
            }
        }
    }

    /// Joins the values that two conversions accept. The result may include values that neither accepts, such as
    /// numbers between their ranges.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Number(least, most), Self::Number(other_least, other_most)) => {
                Self::Number(least.min(other_least), most.max(other_most))
            }
            (Self::Words(mut words), Self::Words(others)) => {
                words.extend(others);
                let mut known = BTreeSet::new();
                words.retain(|word| known.insert(*word));
                Self::Words(words)
            }
            (one, other) => {
                let ((one, most), (other, other_most)) = (one.text(), other.text());
                // The result has a maximum length only if both operands have one.
                let most = most.zip(other_most).map(|(one, other)| one.max(other));
                Self::Text(format!("{one}|{other}"), most)
            }
        }
    }

    /// Returns a regular expression that matches these values, without anchors, and their maximum length in characters.
    fn text(self) -> (String, Option<usize>) {
        match self {
            Self::Number(..) => ("[0-9]{1,10}".into(), None),
            // Nothing is escaped, because words that share a field with other values consist of letters.
            Self::Words(words) => (words.join("|"), None),
            Self::Text(pattern, most) => (pattern, most),
        }
    }

    fn schema(self) -> Value {
        match self {
            Self::Number(least, u32::MAX) => json!({ "type": "integer", "minimum": least }),
            Self::Number(least, most) => {
                json!({ "type": "integer", "minimum": least, "maximum": most })
            }
            Self::Words(words) => json!({ "type": "string", "enum": words }),
            Self::Text(pattern, most) => {
                let mut schema = json!({ "type": "string", "pattern": format!("^({pattern})$") });
                if let Some(most) = most {
                    schema["maxLength"] = most.into();
                }
                schema
            }
        }
    }
}

/// All pairs of formats with their optional fields. Sources with the same target and the same options share an entry.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_any_length_lift_the_limit_of_others() {
        let words = || Values::Words(vec!["auto"]);
        let text = |most| Values::of(&OptionKind::Text(most));
        assert_eq!(words().or(text(2)).schema()["maxLength"], Value::Null);
        assert_eq!(text(2).or(words()).schema()["maxLength"], Value::Null);
        assert_eq!(text(2).or(text(5)).schema()["maxLength"], 5);
    }
}
