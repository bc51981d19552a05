//! Descriptions of answers: envelopes, header fields, errors. Describes no endpoint.

use crate::http::{Method, Status};
use serde_json::{Map, Value, json};

/// A reference to a schema.
pub(super) fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// A header field that is always present.
pub(super) fn field(description: &str, schema: Value) -> Value {
    json!({ "description": description, "required": true, "schema": schema })
}

/// A header field that may be missing.
pub(super) fn optional_field(description: &str, schema: Value) -> Value {
    json!({ "description": description, "schema": schema })
}

/// Returns the header fields of an answer: `more`, and those that all answers have.
pub(super) fn fields(more: Value) -> Value {
    let mut all = json!({
        "X-Request-Id": field(
            "Identifier of the request, also found in the log. A valid one from the request is kept.",
            json!({ "type": "string" }),
        ),
    });
    if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
        all.extend(more);
    }
    all
}

/// An answer with an envelope around `data`.
pub(super) fn success(description: &str, data: &Value, example: &Value) -> Value {
    let envelope = json!({
        "type": "object",
        "required": ["success", "message", "data"],
        "properties": {
            "success": { "const": true },
            "message": { "type": "string", "minLength": 1 },
            "data": data,
        },
    });
    let example = json!({ "success": true, "message": description, "data": example });
    json!({
        "description": description,
        "headers": fields(json!({})),
        "content": { "application/json": { "schema": envelope, "example": example } },
    })
}

/// An error answer.
pub(super) fn error(description: &str) -> Value {
    error_with(description, json!({}))
}

/// An error answer with further header fields.
pub(super) fn error_with(description: &str, more: Value) -> Value {
    json!({
        "description": description,
        "headers": fields(more),
        "content": { "application/json": { "schema": schema("Error") } },
    })
}

/// The field `Retry-After`: seconds after which the same request may succeed.
pub(super) fn retry_after() -> Value {
    optional_field(
        "Seconds after which the same request may succeed.",
        json!({ "type": "string", "pattern": "^[0-9]+$" }),
    )
}

/// Adds the answers that any operation with this method may give. An answer that the operation describes itself stays
/// as it is.
pub(super) fn add_common(operation: &mut Value, method: Method) {
    let Some(answers) = operation["responses"].as_object_mut() else {
        return;
    };
    let mut add = |status: Status, answer: Value| {
        let code = status.code().to_string();
        answers.entry(code).or_insert(answer);
    };
    add(
        Status::BAD_REQUEST,
        error("The request is malformed, or a parameter is invalid."),
    );
    add(
        Status::UNAUTHORIZED,
        error_with(
            "The service requires an API key, and the request has none, or a wrong one.",
            json!({ "WWW-Authenticate": field("The scheme.", json!({ "const": "Bearer" })) }),
        ),
    );
    add(
        Status::FORBIDDEN,
        error(
            "The service listens on a loopback address only, and the request used a foreign host name or came from a web page of another site.",
        ),
    );
    add(
        Status::NOT_FOUND,
        error("This address does not exist, or no longer exists."),
    );
    add(
        Status::REQUEST_TIMEOUT,
        error("The request did not arrive in time."),
    );
    if matches!(method, Method::Post | Method::Put) {
        add(
            Status::PAYLOAD_TOO_LARGE,
            error("The request, or its file, is too large."),
        );
    }
    add(Status::URI_TOO_LONG, error("The address is too long."));
    add(
        Status::EXPECTATION_FAILED,
        error("The field Expect has a value other than 100-continue."),
    );
    add(
        Status::HEADER_FIELDS_TOO_LARGE,
        error("There are too many header fields, or they are too long."),
    );
    add(
        Status::INTERNAL_SERVER_ERROR,
        error("The service failed; its log has the cause under the request's identifier."),
    );
    add(
        Status::SERVICE_UNAVAILABLE,
        error_with(
            "The service is too busy, or is shutting down.",
            json!({ "Retry-After": retry_after() }),
        ),
    );
    add(
        Status::INSUFFICIENT_STORAGE,
        error_with(
            "The service's disk is full.",
            json!({ "Retry-After": retry_after() }),
        ),
    );
    let other = error_with(
        "Any other error, such as 405 for a method that is not allowed here.",
        json!({ "Allow": optional_field("With 405.", json!({ "type": "string" })) }),
    );
    answers.insert("default".into(), other);
}

/// The content of an answer that is a file. Generators of clients recognise bytes only by the media type
/// `octet-stream`, so the document lists it beside `media_type`. The entry for `media_type` has no schema, because the
/// file may be JSON.
pub(super) fn file(media_type: &str) -> Value {
    json!({
        media_type: {},
        "application/octet-stream": { "schema": { "type": "string", "format": "binary" } },
    })
}

/// Links from a record to the operations on its conversion.
pub(super) fn links() -> Value {
    let id = "$response.body#/data/conversion_id";
    let about = |operation: &str| json!({ "operationId": operation, "parameters": { "conversion_id": id } });
    json!({
        "status": about("status"),
        "download": about("download"),
        "delete": about("delete"),
        "bundle": { "operationId": "bundle", "requestBody": { "conversion_ids": [id] } },
    })
}

/// Answers by their status.
pub(super) fn answers<const N: usize>(answers: [(Status, Value); N]) -> Value {
    let answers = answers.map(|(status, answer)| (status.code().to_string(), answer));
    Value::Object(Map::from_iter(answers))
}
