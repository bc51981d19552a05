//! Descriptions of the operations of each endpoint. Leaves out answers that every request can get.

use super::{
    super::{
        bundle::MAX_RESULTS, endpoint::Endpoint, idempotency::MAX_KEY, plain_body, status::MAX_WAIT,
    },
    answers::{
        allow, answers, error, error_with, field, fields, optional_field, retry_after, schema,
        success,
    },
    form, schemas,
};
use crate::{http::Status, metrics};
use serde_json::{Value, json};

/// Describes `OPTIONS`, which is the same for every endpoint.
pub(super) fn options(endpoint: &Endpoint) -> Value {
    let answer = json!({
        "description": format!("Possible are {}.", endpoint.allowed()),
        "headers": fields(json!({ "Allow": allow() })),
    });
    let mut operation = json!({
        "operationId": format!("options{}", endpoint.template.replace(['/', '{', '}'], "_")),
        "summary": "What is possible here",
        "security": [],
        "responses": { "204": answer, "default": error("Any error.") },
    });
    if endpoint.template.contains("{conversion_id}") {
        operation["parameters"] = json!([conversion_id()]);
    }
    operation
}

fn conversion_id() -> Value {
    json!({
        "name": "conversion_id",
        "in": "path",
        "required": true,
        "schema": { "type": "string" },
        "description": "The identifier of a conversion. Anything else is of a conversion that does not exist.",
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
        "summary": "Whether the service is well",
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
                "description": "Languages that text of scans and pictures can be recognised in.",
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
            "description": "largest width in pixels: a whole number from 1 to 65535",
            "type": "integer",
            "minimum": 1,
            "maximum": 65_535,
        }],
    }], "languages": [{ "name": "eng", "title": "English", "code": "en", "compiled_in": true }] });
    json!({
        "operationId": "formats",
        "summary": "What can be converted to what, and with which options",
        "parameters": [{
            "name": "from",
            "in": "query",
            "schema": { "type": "string", "enum": form::source_names() },
            "description": "A format or an alias: only what its files can become, with the options that such conversions take.",
        }],
        "responses": answers([(Status::OK, success("Supported formats", &data, &example))]),
    })
}

/// Describes a conversion with a form.
pub(in crate::api) fn convert() -> Value {
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
        "Location": field("Where its status is.", json!({ "type": "string" })),
        "Preference-Applied": field("That it was asked for.", json!({ "const": "respond-async" })),
    }));
    let mut converted = success(
        "File converted",
        &schema("ConversionRecord"),
        &schemas::example(),
    );
    converted["description"] =
        "The record; or, of a file that was the body, the result itself.".into();
    converted["headers"] = fields(json!({
        plain_body::NOTES: optional_field(
            "With the result itself: losses and changes, as a JSON array of sentences in ASCII.",
            json!({ "type": "string" }),
        ),
    }));
    let content = &mut converted["content"];
    // A result can be JSON, too: an array of rows.
    content["application/json"]["schema"] =
        json!({ "oneOf": [content["application/json"]["schema"], { "type": "array" }] });
    content["*/*"] = json!({ "schema": { "type": "string", "format": "binary" } });
    let parameter = |name: &str, schema: Value, description: &str| json!({ "name": name, "in": "query", "schema": schema, "description": description });
    let text = || json!({ "type": "string" });
    json!({
        "operationId": "convert",
        "summary": "Convert a file",
        "description": "A form; or the file alone as the body, with what a form says in its fields as parameters of the address. Then the \
                        answer is the result itself, and nothing is kept, unless application/json is asked for.",
        "parameters": [
            parameter(
                "to",
                json!({ "type": "string", "enum": form::target_names() }),
                "For a file as the body: target_format.",
            ),
            parameter("quality", json!({ "type": "string", "default": "medium" }), "For a file as the body: as in the form."),
            parameter("name", text(), "For a file as the body: its name. Content-Disposition is looked at, too."),
            {
                "name": "option",
                "in": "query",
                "schema": { "type": "array", "items": text() },
                "description": "For a file as the body: NAME=VALUE, an optional field of the form. They can be given by their own names as well.",
            },
            {
                "name": "Prefer",
                "in": "header",
                "schema": { "type": "string" },
                "description": "With respond-async (RFC 7240) the answer comes before the conversion: 202 and a status record.",
                "example": "respond-async",
            },
            {
                "name": "Idempotency-Key",
                "in": "header",
                "schema": { "type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]+$" },
                "description": "A repeat with the same key and the same form gets the same record, for as long as its link works.",
            },
        ],
        "requestBody": {
            "required": true,
            "content": {
                "multipart/form-data": { "schema": schema("ConvertForm") },
                "application/octet-stream": { "schema": { "type": "string", "format": "binary" } },
            },
        },
        "responses": answers([
            (Status::OK, converted),
            (Status::ACCEPTED, accepted),
            (
                Status::BAD_REQUEST,
                error("The form or a field of it cannot be used, or its file cannot be converted."),
            ),
            (Status::PAYLOAD_TOO_LARGE, error("The file is larger than the service takes.")),
            (
                Status::CONFLICT,
                error_with(
                    "The Idempotency-Key was sent with another form, or its first request is under way.",
                    json!({ "Retry-After": retry_after() }),
                ),
            ),
        ]),
    })
}

/// Describes a conversion with the file as the body.
pub(in crate::api) fn convert_bare() -> Value {
    let mut operation = convert();
    operation["operationId"] = "convertFile".into();
    operation["summary"] = "Convert a file that is the body of the request".into();
    operation["parameters"][0]["required"] = true.into();
    if let Some(content) = operation["requestBody"]["content"].as_object_mut() {
        content.remove("multipart/form-data");
    }
    operation
}

/// Describes a download.
pub(in crate::api) fn download() -> Value {
    let content = json!({ "*/*": { "schema": { "type": "string", "format": "binary" } } });
    let text = || json!({ "type": "string" });
    // A preview page in place of the file has only the fields that are always present.
    let about = |field_of_file: fn(&str, Value) -> Value, more: Value| {
        let mut all = json!({
            "Content-Disposition": field_of_file("The file's name (RFC 6266).", text()),
            "Last-Modified": field_of_file("When it was converted.", text()),
            "Expires": field_of_file("When the link stops working.", text()),
            "ETag": field_of_file("A strong entity tag.", text()),
            "Accept-Ranges": field_of_file("Ranges can be asked for.", json!({ "const": "bytes" })),
            "Cache-Control": field("A result is delivered once.", json!({ "const": "no-store" })),
            "X-Content-Type-Options": field("The media type is reliable.", json!({ "const": "nosniff" })),
            "Content-Security-Policy": field("Nothing in it runs.", text()),
        });
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
            all.extend(more);
        }
        fields(all)
    };
    let range = || json!({ "Content-Range": field("Which bytes these are.", text()) });
    let header = |name: &str, description: &str| json!({ "name": name, "in": "header", "schema": text(), "description": description });
    let etag = || json!({ "ETag": field("That of the file.", text()) });
    json!({
        "operationId": "download",
        "summary": "Download a result, once",
        "description": "The file is deleted once every byte of it has been delivered, in one answer or in several.",
        "parameters": [
            conversion_id(),
            header("Range", "Bytes of the file (RFC 9110, section 14.2)."),
            header("If-Range", "An entity tag or a date: the range is only good for that."),
            header("If-Match", "Entity tags."),
            header("If-None-Match", "Entity tags."),
        ],
        "responses": answers([
            (
                Status::OK,
                json!({
                    "description": "The file; for services that look at links in messages before their readers do, a page in its place, and the link lives.",
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
                    "description": "For a browser that fetches ahead, a page in place of the file, and the link lives. Else as everywhere.",
                    "headers": fields(json!({})),
                    "content": {
                        "text/html; charset=utf-8": { "schema": text() },
                        "application/json": { "schema": schema("Error") },
                    },
                }),
            ),
            (
                Status::NOT_MODIFIED,
                json!({ "description": "If-None-Match names it.", "headers": fields(etag()) }),
            ),
            (
                Status::NOT_FOUND,
                error_with(
                    "The file is unknown, not ready yet, or gone. The error says which.",
                    json!({ "Retry-After": retry_after() }),
                ),
            ),
            (Status::PRECONDITION_FAILED, error_with("If-Match does not name it.", etag())),
            (
                Status::RANGE_NOT_SATISFIABLE,
                error_with("The file has none of these bytes.", range()),
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
        "description": "A ZIP archive of the files as they are, under their own names. All of them are deleted once every byte of the archive has been delivered, and none before.",
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
                        "description": "Identifiers of conversions that are ready. One that is named again counts once.",
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
                        "Cache-Control": field("A result is delivered once.", json!({ "const": "no-store" })),
                        "X-Content-Type-Options": field("The media type is reliable.", json!({ "const": "nosniff" })),
                        "Content-Security-Policy": field("Nothing in it runs.", json!({ "const": "sandbox" })),
                    })),
                    "content": { "application/zip": { "schema": { "type": "string", "format": "binary" } } },
                }),
            ),
            (Status::BAD_REQUEST, error("The body is not as it must be.")),
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
                    "If-Match does not name it.",
                    json!({ "ETag": field("That of the file.", json!({ "type": "string" })) }),
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
        "summary": "How far a conversion is",
        "parameters": [conversion_id(), {
            "name": "wait",
            "in": "query",
            "schema": { "type": "integer", "minimum": 0, "maximum": MAX_WAIT, "default": 0 },
            "description": "Seconds for which the answer may be held while the conversion is in progress.",
        }],
        "responses": answers([
            (Status::OK, success("Conversion status", &schema("StatusRecord"), &example)),
            (
                Status::BAD_REQUEST,
                error("The conversion failed for its file, or the parameter cannot be used."),
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
        "summary": "What the service counts, for Prometheus",
        "description": "Not here if the operator has given it an address of its own.",
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
