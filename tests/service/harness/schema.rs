//! Checks answers against the OpenAPI document of the program: status, header fields, media type, and each member of
//! the JSON. The check is stricter than clients should be: a member that the document does not describe is an error,
//! because somebody forgot to describe it.

use super::client::Answer;
use serde_json::Value;
use std::sync::OnceLock;

/// Beginnings of the paths of drop-in services, whose errors have formats of their own.
const OTHERS: [&str; 5] = [
    "/documentintelligence/",
    "/formrecognizer/",
    "/process",
    "/v1/",
    "/v1alpha/",
];

fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        serde_json::from_slice(convertd::api::openapi_json()).expect("the document is JSON")
    })
}

/// Fails if the document does not describe this answer to this request.
#[track_caller]
pub(crate) fn check(method: &str, target: &str, answer: &Answer) {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    // The base path is not a part of the description.
    let path = &path[path.find("/api/v1/").unwrap_or(0)..];
    // The document leaves conditional requests to the HTTP standard. It describes a request whose body is the file only
    // with PUT.
    if answer.status == 304 {
        return;
    }
    let is_file = path.ends_with("/convert") && target.contains(['?', '&']);
    if method == "POST" && is_file && conforms("PUT", path, answer).is_ok() {
        return;
    }
    if let Err(what) = conforms(method, path, answer) {
        panic!("{method} {path} is not as described: {what}\n{answer:?}");
    }
}

/// The description of an operation. `None` if the document contains no such operation.
fn operation(method: &str, path: &str) -> Option<&'static Value> {
    let matches = |template: &str| {
        let (mut wanted, mut found) = (template.split('/'), path.split('/'));
        loop {
            match (wanted.next(), found.next()) {
                (None, None) => return true,
                (Some(wanted), Some(found)) if wanted.starts_with('{') || wanted == found => {}
                _ => return false,
            }
        }
    };
    let paths = document()["paths"].as_object()?;
    let (_, operations) = paths.iter().find(|(template, _)| matches(template))?;
    operations.get(method.to_ascii_lowercase())
}

fn conforms(method: &str, path: &str, answer: &Answer) -> Result<(), String> {
    let Some(operation) = operation(method, path) else {
        // Clients of a drop-in service get errors in the format of that service.
        if OTHERS.iter().any(|prefix| path.starts_with(prefix)) {
            return Ok(());
        }
        // The path is that of the page for people, or is unknown, or does not have this method. Any error is right
        // then.
        let is_json = answer.field("content-type") == Some("application/json");
        return match answer.status >= 400 && is_json && !answer.body.is_empty() {
            true => is_json_of(
                answer,
                &serde_json::json!({ "$ref": "#/components/schemas/Error" }),
            ),
            false => Ok(()),
        };
    };
    let answers = &operation["responses"];
    let described = answers
        .get(answer.status.to_string())
        .or_else(|| answers.get("default").filter(|_| answer.status >= 400))
        .ok_or_else(|| format!("there is no answer {}", answer.status))?;
    for (name, field) in described["headers"].as_object().into_iter().flatten() {
        let name = name.to_ascii_lowercase();
        let value = answer.fields.iter().find(|(field, _)| *field == name);
        match value {
            Some((_, value)) => valid(&value.as_str().into(), &field["schema"])
                .map_err(|what| format!("{name}: {what}"))?,
            None if field["required"] == true => return Err(format!("{name} is missing")),
            None => {}
        }
    }
    if answer.body.is_empty() {
        return Ok(());
    }
    let content = described["content"].as_object().ok_or("it has content")?;
    let media_type = answer.field("content-type").unwrap_or_default();
    let found = content.get(media_type).or_else(|| content.get("*/*"));
    let schema = &found.ok_or_else(|| format!("it is {media_type}"))?["schema"];
    if media_type == "application/json" && content.contains_key(media_type) {
        is_json_of(answer, schema)
    } else {
        Ok(())
    }
}

fn is_json_of(answer: &Answer, schema: &Value) -> Result<(), String> {
    let value = serde_json::from_slice(&answer.body).map_err(|err| err.to_string())?;
    valid(&value, schema)
}

/// Checks a value against a schema (JSON Schema 2020-12). Supports only the keywords that the document uses.
pub(crate) fn valid(value: &Value, schema: &Value) -> Result<(), String> {
    if let Some(to) = schema["$ref"].as_str() {
        let found = document().pointer(to.trim_start_matches('#'));
        return valid(value, found.ok_or_else(|| format!("{to} leads nowhere"))?);
    }
    let of_type = match schema["type"].as_str() {
        None => true,
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some(other) => return Err(format!("the type {other} is not known here")),
    };
    let wrong = |what: &str| Err(format!("{value} is not {what} of {schema}"));
    if !of_type {
        return wrong("of the type");
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return wrong("the value");
    }
    // The document uses `not` only for objects that must not have certain members.
    let unwanted = schema["not"]["required"].as_array();
    let has = |name: &Value| name.as_str().is_some_and(|name| value.get(name).is_some());
    if unwanted.is_some_and(|names| names.iter().all(has)) {
        return wrong("something else than what is excluded");
    }
    let words = schema["enum"].as_array();
    if words.is_some_and(|words| !words.contains(value)) {
        return wrong("a value");
    }
    let below = |name: &str| schema[name].as_f64().zip(value.as_f64());
    if below("minimum").is_some_and(|(least, value)| value < least)
        || below("maximum").is_some_and(|(most, value)| value > most)
    {
        return wrong("in the range");
    }
    if let Some(text) = value.as_str() {
        let least = schema["minLength"].as_u64().unwrap_or(0);
        let formatted = match schema["format"].as_str() {
            Some("uuid") => text.parse::<convertd::id::ConversionId>().is_ok(),
            Some("date-time") => text.len() == 20 && text.ends_with('Z'),
            _ => true,
        };
        if (text.chars().count() as u64) < least || !formatted {
            return wrong("a text");
        }
    }
    for item in value.as_array().into_iter().flatten() {
        valid(item, &schema["items"])?;
    }
    if let Some(alternatives) = schema["oneOf"].as_array() {
        let fitting = alternatives.iter().filter(|one| valid(value, one).is_ok());
        if fitting.count() != 1 {
            return wrong("exactly one");
        }
    }
    if let (Some(members), Some(described)) = (value.as_object(), schema["properties"].as_object())
    {
        for name in schema["required"].as_array().into_iter().flatten() {
            if !name.as_str().is_some_and(|name| members.contains_key(name)) {
                return Err(format!("{name} is missing from {value}"));
            }
        }
        for (name, member) in members {
            let schema = described
                .get(name)
                .ok_or_else(|| format!("{name} is not described; it is {member}"))?;
            valid(member, schema).map_err(|what| format!("{name}: {what}"))?;
        }
    }
    Ok(())
}
