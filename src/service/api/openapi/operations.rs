//! Descriptions of the operations of each endpoint. The answers that every request can get are in
//! `answers::add_common`.

use super::{
    super::{bundle::MAX_RESULTS, idempotency::MAX_KEY, plain_body, status::MAX_WAIT},
    answers::{
        answers, error, error_with, field, fields, file, links, optional_field, retry_after,
        schema, success,
    },
    form, schemas,
};
use crate::{http::Status, metrics};
use serde_json::{Value, json};

/// The parameter with the identifier in a path.
fn conversion_id() -> Value {
    json!({
        "name": "conversion_id",
        "in": "path",
        "required": true,
        "schema": { "type": "string" },
        "description": "Identifier of a conversion. Any other text counts as an unknown conversion.",
        "example": schemas::ID,
    })
}

/// Describes the health of the service.
pub(in crate::api) fn health() -> Value {
    let mut answer = success(
        "Service is operational",
        &schema("Health"),
        &json!({ "version": "1.0", "timestamp": "2026-11-21T02:00:16Z", "status": "operational" }),
    );
    let content = &mut answer["content"]["application/json"];
    content["schema"]["required"] = json!(["success", "message", "data", "timestamp"]);
    content["schema"]["properties"]["timestamp"] =
        json!({ "type": "string", "format": "date-time" });
    content["example"]["timestamp"] = json!("2026-11-21T02:00:16Z");
    json!({
        "operationId": "health",
        "summary": "State of the service",
        "security": [],
        "responses": answers([(Status::OK, answer)]),
    })
}

/// Describes the list of formats.
pub(in crate::api) fn formats() -> Value {
    let data = json!({
        "type": "object",
        "required": ["formats", "languages"],
        "properties": {
            "formats": { "type": "array", "items": schema("FormatEntry") },
            "languages": {
                "type": "array",
                "items": schema("Language"),
                "description": "Languages that OCR can read in scans and pictures.",
            },
        },
    });
    let example = json!({ "formats": [{
        "format": "jpg",
        "category": "image",
        "description": "JPEG image",
        "can_convert_to": ["png"],
        "can_convert_from": ["png"],
        "aliases": ["jpeg"],
        "media_type": "image/jpeg",
        "quality": "60, 82 or 92 of 100",
        "options": [{
            "name": "width",
            "description": "width of the result in pixels: a whole number from 1 to 65535",
            "type": "integer",
            "minimum": 1,
            "maximum": 65_535,
        }],
    }], "languages": [{ "name": "eng", "title": "English", "code": "en", "compiled_in": true }] });
    json!({
        "operationId": "formats",
        "summary": "All formats, their conversions and options",
        "parameters": [{
            "name": "from",
            "in": "query",
            "schema": schema("SourceFormat"),
            "description": "A format or an alias. The answer then lists only the targets of its files, with the options of these conversions.",
        }],
        "responses": answers([(Status::OK, success("Supported formats", &data, &example))]),
    })
}

/// Describes a conversion with a form.
pub(in crate::api) fn convert() -> Value {
    let mut converted = success(
        "File converted",
        &schema("ConversionRecord"),
        &schemas::example(),
    );
    converted["description"] = "The record of the conversion.".into();
    converted["links"] = links();
    json!({
        "operationId": "convert",
        "summary": "Convert a file",
        "description": "The file can also be the body of a POST, with the parameters and the answers of PUT.",
        "parameters": preferences(),
        "requestBody": {
            "required": true,
            "content": { "multipart/form-data": { "schema": schema("ConvertForm"), "example": form::example() } },
        },
        "responses": conversion(converted),
    })
}

/// Describes a conversion with the file as the body.
pub(in crate::api) fn convert_bare() -> Value {
    let converted = json!({
        "description": "The result itself. With Accept: application/json, and for a repeated Idempotency-Key, it is the record that POST answers with.",
        "headers": fields(json!({
            plain_body::NOTES: optional_field(
                "Losses and changes, as a JSON array of sentences in ASCII.",
                json!({ "type": "string" }),
            ),
        })),
        "content": file("*/*"),
    });
    let parameter = |name: &str, schema: Value, description: &str| json!({ "name": name, "in": "query", "schema": schema, "description": description });
    let text = || json!({ "type": "string" });
    let mut parameters = vec![
        parameter(
            "to",
            schema("TargetFormat"),
            "The target format, like target_format in the form.",
        ),
        parameter(
            "quality",
            json!({ "type": "string", "default": "medium" }),
            "The quality, as in the form.",
        ),
        parameter(
            "name",
            text(),
            "Name of the file. Content-Disposition can give it, too.",
        ),
        parameter(
            "option",
            json!({ "type": "array", "items": text() }),
            "An optional field of the form, as NAME=VALUE. Such fields can also be parameters with their own names.",
        ),
    ];
    parameters[0]["required"] = true.into();
    parameters.extend(preferences());
    json!({
        "operationId": "convertFile",
        "summary": "Convert a file that is the body of the request",
        "description": "The fields of the form are parameters of the address. The answer is the result itself, and nothing is stored, unless the request accepts application/json.",
        "parameters": parameters,
        "requestBody": {
            "required": true,
            "content": { "application/octet-stream": { "schema": { "type": "string", "format": "binary" } } },
        },
        "responses": conversion(converted),
    })
}

/// Header fields of a request for a conversion.
fn preferences() -> Vec<Value> {
    vec![
        json!({
            "name": "Prefer",
            "in": "header",
            "schema": { "type": "string" },
            "description": "With respond-async (RFC 7240), the answer is sent before the conversion ends: 202 and a status record.",
            "example": "respond-async",
        }),
        json!({
            "name": "Idempotency-Key",
            "in": "header",
            "schema": { "type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]+$" },
            "description": "A repeated request with the same key and the same form gets the same record, as long as its link works.",
        }),
    ]
}

/// The answers to a request for a conversion. `converted` is the answer 200.
fn conversion(converted: Value) -> Value {
    let mut accepted = success(
        "Conversion accepted",
        &schema("Processing"),
        &json!({
            "conversion_id": schemas::ID,
            "status": "processing",
            "download_url": format!("/api/v1/download/{}", schemas::ID),
        }),
    );
    accepted["headers"] = fields(json!({
        "Location": field("Address of its status.", json!({ "type": "string" })),
        "Preference-Applied": field("Present if the request asked for it.", json!({ "const": "respond-async" })),
    }));
    accepted["links"] = links();
    answers([
        (Status::OK, converted),
        (Status::ACCEPTED, accepted),
        (
            Status::BAD_REQUEST,
            error("The form or one of its fields is invalid, or its file cannot be converted."),
        ),
        (
            Status::PAYLOAD_TOO_LARGE,
            error("The file is larger than the limit of the service."),
        ),
        (
            Status::CONFLICT,
            error_with(
                "The Idempotency-Key was sent with another form, or its first request is under way.",
                json!({ "Retry-After": retry_after() }),
            ),
        ),
    ])
}

/// Describes a download.
pub(in crate::api) fn download() -> Value {
    let content = file("*/*");
    let text = || json!({ "type": "string" });
    // A preview page, which replaces the file for some clients, has only the last three of these fields. The
    // description of its status therefore passes `optional_field` for the others.
    let about = |field_of_file: fn(&str, Value) -> Value, more: Value| {
        let mut all = json!({
            "Content-Disposition": field_of_file("The file's name (RFC 6266).", text()),
            "Last-Modified": field_of_file("Time of the conversion.", text()),
            "Expires": field_of_file("End of the link's lifetime.", text()),
            "ETag": field_of_file("A strong entity tag.", text()),
            "Accept-Ranges": field_of_file("The file can be requested in ranges.", json!({ "const": "bytes" })),
            "Cache-Control": field("Results must not be cached, because each is delivered once.", json!({ "const": "no-store" })),
            "X-Content-Type-Options": field("Browsers must trust the media type.", json!({ "const": "nosniff" })),
            "Content-Security-Policy": field("Scripts in the file must not run.", text()),
        });
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
            all.extend(more);
        }
        fields(all)
    };
    let range =
        || json!({ "Content-Range": field("Position of these bytes in the file.", text()) });
    let header = |name: &str, description: &str| json!({ "name": name, "in": "header", "schema": text(), "description": description });
    let etag = || json!({ "ETag": field("Entity tag of the file.", text()) });
    json!({
        "operationId": "download",
        "summary": "Download a result, once",
        "description": "The file is deleted as soon as all its bytes have been delivered, in one answer or in several.",
        "parameters": [
            conversion_id(),
            header("Range", "Bytes of the file (RFC 9110, section 14.2)."),
            header("If-Range", "An entity tag or a date; the range applies only if it still matches the file."),
            header("If-Match", "Entity tags."),
        ],
        "responses": answers([
            (
                Status::OK,
                json!({
                    "description": "The file. Services that preview links in messages get a page instead, and the link stays valid.",
                    "headers": about(optional_field, json!({})),
                    "content": content,
                }),
            ),
            (
                Status::PARTIAL_CONTENT,
                json!({ "description": "A part of the file.", "headers": about(field, range()), "content": content }),
            ),
            (
                Status::FORBIDDEN,
                json!({
                    "description": "A browser that prefetches the link gets this page instead of the file, and the link stays valid. Other causes are the same as for every request.",
                    "headers": fields(json!({})),
                    "content": {
                        "text/html; charset=utf-8": { "schema": text() },
                        "application/json": { "schema": schema("Error") },
                    },
                }),
            ),
            (
                Status::NOT_FOUND,
                error_with(
                    "The conversion is unknown, still in progress, or its file is gone. The error says which.",
                    json!({ "Retry-After": retry_after() }),
                ),
            ),
            (Status::PRECONDITION_FAILED, error_with("If-Match does not name the entity tag of the file.", etag())),
            (
                Status::RANGE_NOT_SATISFIABLE,
                error_with("The requested range is outside the file.", range()),
            ),
        ]),
    })
}

/// Describes a download of several results as an archive.
pub(in crate::api) fn bundle() -> Value {
    let text = || json!({ "type": "string" });
    json!({
        "operationId": "bundle",
        "summary": "Download several results as one archive, once",
        "description": "The answer is a ZIP archive of the unchanged files, under their own names. All files are deleted as soon as the whole archive has been delivered, and none of them before.",
        "requestBody": {
            "required": true,
            "content": { "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["conversion_ids"],
                    "properties": { "conversion_ids": {
                        "type": "array",
                        "items": text(),
                        "minItems": 1,
                        "maxItems": MAX_RESULTS,
                        "description": "Identifiers of finished conversions. Duplicates are ignored.",
                    } },
                },
                "example": { "conversion_ids": [schemas::ID] },
            } },
        },
        "responses": answers([
            (
                Status::OK,
                json!({
                    "description": "The archive.",
                    "headers": fields(json!({
                        "Content-Disposition": field("The archive's name (RFC 6266).", text()),
                        "Cache-Control": field("Results must not be cached, because each is delivered once.", json!({ "const": "no-store" })),
                        "X-Content-Type-Options": field("Browsers must trust the media type.", json!({ "const": "nosniff" })),
                        "Content-Security-Policy": field("Scripts in the file must not run.", json!({ "const": "sandbox" })),
                    })),
                    "content": file("application/zip"),
                }),
            ),
            (Status::BAD_REQUEST, error("The body is invalid.")),
            (
                Status::NOT_FOUND,
                error_with(
                    "One of the results is not available: the error names it, and nothing was downloaded.",
                    json!({ "Retry-After": retry_after() }),
                ),
            ),
            (Status::PAYLOAD_TOO_LARGE, error("The body is too long.")),
        ]),
    })
}

/// Describes the deletion of a result.
pub(in crate::api) fn delete() -> Value {
    let example = json!({
        "conversion_id": schemas::ID,
        "status": "expired",
        "expires_at": "2026-11-21T02:30:16Z",
        "download_url": format!("/api/v1/download/{}", schemas::ID),
    });
    json!({
        "operationId": "delete",
        "summary": "Delete a result without downloading it",
        "parameters": [conversion_id()],
        "responses": answers([
            (Status::OK, success("File deleted", &schema("Expired"), &example)),
            (
                Status::CONFLICT,
                error_with(
                    "The conversion is in progress, or a client is downloading its file.",
                    json!({ "Retry-After": retry_after() }),
                ),
            ),
            (
                Status::PRECONDITION_FAILED,
                error_with(
                    "If-Match does not name the entity tag of the file.",
                    json!({ "ETag": field("Entity tag of the file.", json!({ "type": "string" })) }),
                ),
            ),
        ]),
    })
}

/// Describes the status of a conversion.
pub(in crate::api) fn status() -> Value {
    let mut example = schemas::example();
    example["status"] = "ready".into();
    json!({
        "operationId": "status",
        "summary": "State and progress of a conversion",
        "parameters": [conversion_id(), {
            "name": "wait",
            "in": "query",
            "schema": { "type": "integer", "minimum": 0, "maximum": MAX_WAIT, "default": 0 },
            "description": "Seconds that the service may wait for the end of the conversion before it answers.",
        }],
        "responses": answers([
            (Status::OK, success("Conversion status", &schema("StatusRecord"), &example)),
            (
                Status::BAD_REQUEST,
                error("The conversion failed because of its file, or the parameter is invalid."),
            ),
            (
                Status::PAYLOAD_TOO_LARGE,
                error("The conversion failed: its result would be too large."),
            ),
        ]),
    })
}

/// Describes this document itself.
pub(in crate::api) fn openapi() -> Value {
    json!({
        "operationId": "openapi",
        "summary": "This document",
        "responses": answers([(
            Status::OK,
            json!({
                "description": "This document.",
                "headers": fields(json!({})),
                "content": { "application/json": { "schema": { "type": "object" } } },
            }),
        )]),
    })
}

/// Describes the metrics.
pub(in crate::api) fn metrics() -> Value {
    json!({
        "operationId": "metrics",
        "summary": "Metrics of the service, for Prometheus",
        "description": "Absent if the operator has set a separate address for metrics (--admin-listen).",
        "responses": answers([(
            Status::OK,
            json!({
                "description": "Metrics in the text format, version 0.0.4.",
                "headers": fields(json!({})),
                "content": { metrics::Text::MEDIA_TYPE: { "schema": { "type": "string" } } },
            }),
        )]),
    })
}
