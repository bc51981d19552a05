//! `GET /api/v1/openapi.json`: the interface as an OpenAPI 3.1 document, for programs. Generated once, from the tables
//! that the code itself uses: endpoints, formats, pairs, options. Of the configuration, it contains only the prefix of
//! the paths.
//!
//! The document leaves out `OPTIONS` and the conditional requests of HTTP. Every HTTP client supports them, and
//! generators of clients would make a function for each of them. A `POST` whose body is the file is described only as
//! the equivalent `PUT`: `POST` would have two kinds of answers, and so no return type.
//!
//! The meaning of an answer is not in these tables, so it is written in [`operations`] and [`schemas`]. The tests of
//! the service validate every answer against the document, so that these modules cannot drift from the code.

mod answers;
mod form;
pub(super) mod operations;
mod schemas;

use super::{endpoint::Endpoint, envelope};
use crate::{
    base_path::BasePath,
    http::{Method, Response, Status},
};
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// The member `servers` in the document of a service without a prefix. With a prefix, another text replaces it.
const AT_THE_ROOT: &str = r#""servers":[{"url":"/"}]"#;

/// The document for a client that reaches the service below `prefix`.
pub(super) fn answer(endpoints: &[Endpoint], prefix: &BasePath) -> Response {
    let prefix = prefix.to_string();
    if prefix.is_empty() {
        return envelope::json(Status::OK, body(endpoints));
    }
    // A base path consists of path characters, which need no escaping in JSON.
    let below = format!(r#""servers":[{{"url":"{prefix}"}}]"#);
    let text = String::from_utf8_lossy(body(endpoints)).replacen(AT_THE_ROOT, &below, 1);
    envelope::json(Status::OK, text.into_bytes())
}

/// The document about these endpoints. It is generated once.
pub(super) fn body(endpoints: &[Endpoint]) -> &'static [u8] {
    static BODY: OnceLock<Vec<u8>> = OnceLock::new();
    BODY.get_or_init(|| document(endpoints).to_string().into_bytes())
}

/// The whole document, generated from the endpoints.
fn document(endpoints: &[Endpoint]) -> Value {
    let paths: Map<String, Value> = endpoints
        .iter()
        .filter_map(|endpoint| Some((endpoint.template.to_owned(), path(endpoint)?)))
        .collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "convertd",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Converts files: upload one, name a format, download the result once.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": env!("CARGO_PKG_LICENSE") },
        },
        "servers": [{ "url": "/" }],
        // A key is required only if the operator has set keys.
        "security": [{}, { "bearer": [] }, { "key": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas::all(),
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer" },
                "key": { "type": "apiKey", "in": "header", "name": "X-API-Key" },
            },
        },
    })
}

/// Describes one endpoint. `None` if none of its operations is described, because they are for people.
fn path(endpoint: &Endpoint) -> Option<Value> {
    let mut path = Map::new();
    for known in endpoint.operations {
        let Some(describe) = known.describe else {
            continue;
        };
        let (mut operation, method) = (describe(), known.method);
        answers::add_common(&mut operation, method);
        if method == Method::Get {
            path.insert("head".into(), without_content(&operation));
        }
        path.insert(method.as_str().to_ascii_lowercase(), operation);
    }
    if path.is_empty() {
        return None;
    }
    Some(Value::Object(path))
}

/// Derives the description of `HEAD` from that of `GET`: with another `operationId`, and without the content of each
/// answer.
fn without_content(operation: &Value) -> Value {
    let mut operation = operation.clone();
    if let Some(id) = operation.get_mut("operationId") {
        *id = format!("{}Head", id.as_str().unwrap_or_default()).into();
    }
    let answers = operation["responses"].as_object_mut();
    for answer in answers.into_iter().flat_map(Map::values_mut) {
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("content");
        }
    }
    operation
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{api::routes::ENDPOINTS, registry};

    #[test]
    fn every_endpoint_is_described() {
        let document = document(ENDPOINTS);
        for endpoint in ENDPOINTS {
            for known in endpoint.operations {
                if known.describe.is_none() {
                    continue;
                }
                let method = known.method;
                let path = &document["paths"][endpoint.template];
                let operation = &path[method.as_str().to_ascii_lowercase()];
                let about = format!("{method} {}: {operation}", endpoint.template);
                for member in ["operationId", "summary"] {
                    assert!(operation[member].is_string(), "{member} of {about}");
                }
                let answers = operation["responses"].as_object().unwrap();
                assert!(answers.contains_key("200"), "{about}");
            }
        }
    }

    /// Generators of clients number alternatives, give up on media types that they do not know, and make a type of
    /// each list of words, so that a list in two places becomes two types.
    #[test]
    fn clients_can_be_generated_from_the_description() {
        fn check(value: &Value, place: &str) {
            match value {
                Value::Object(members) => {
                    assert!(!members.contains_key("anyOf"), "{place}");
                    for one in members
                        .get("oneOf")
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten()
                    {
                        assert!(one["$ref"].is_string(), "{place}");
                    }
                    for (name, value) in members {
                        check(value, &format!("{place}/{name}"));
                    }
                }
                Value::Array(values) => values.iter().for_each(|value| check(value, place)),
                _ => {}
            }
        }
        let document = document(ENDPOINTS);
        check(&document, "");
        let fields = &document["components"]["schemas"]["ConvertForm"]["properties"];
        for (name, field) in fields.as_object().unwrap() {
            let has_type = field["type"].is_string() || field["$ref"].is_string();
            assert!(has_type, "{name}: {field}");
        }
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                let content = operation["responses"]["200"]["content"].as_object();
                let known = |name: &String| {
                    name == "application/json"
                        || name == "application/octet-stream"
                        || name.starts_with("text/")
                };
                let is_typed = content.is_none_or(|content| content.keys().any(known));
                assert!(is_typed, "{method} {path}: {content:?}");
            }
        }
    }

    #[test]
    fn the_member_servers_can_be_replaced() {
        assert!(String::from_utf8_lossy(body(ENDPOINTS)).contains(AT_THE_ROOT));
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn check(value: &Value, document: &Value) {
            match value {
                Value::Object(members) => {
                    if let Some(Value::String(to)) = members.get("$ref") {
                        let found = document.pointer(to.trim_start_matches('#'));
                        assert!(found.is_some(), "{to}");
                    }
                    members.values().for_each(|value| check(value, document));
                }
                Value::Array(values) => values.iter().for_each(|value| check(value, document)),
                _ => {}
            }
        }
        let document = document(ENDPOINTS);
        check(&document, &document);
    }

    #[test]
    fn the_description_contains_every_pair_and_option() {
        let document = document(ENDPOINTS);
        let form = &document["components"]["schemas"]["ConvertForm"];
        let groups = form["x-conversions"].as_array().unwrap();
        for route in registry::routes() {
            let pair = route.pair;
            let group = groups.iter().find(|group| {
                let from = group["from"].as_array().unwrap();
                group["to"] == pair.to.name && from.contains(&pair.from.name.into())
            });
            let options = group.expect(pair.to.name)["options"].as_array().unwrap();
            for option in pair.options {
                assert!(options.contains(&option.name.into()));
                assert!(form["properties"][option.name].is_object());
            }
            assert_eq!(options.len(), pair.options.len());
        }
    }
}
