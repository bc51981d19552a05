//! Schemas of forms and of the data in answers. The schemas of answers describe types that other files of the API
//! serialise with `serde`.

use super::{answers::schema, form};
use serde_json::{Value, json};

/// An identifier in examples.
pub(super) const ID: &str = "a5f0c1de-0b7c-4f0e-9a3b-0123456789ab";

/// All schemas by their names.
pub(super) fn all() -> Value {
    json!({
        "Error": error(),
        "Health": health(),
        "FormatEntry": format_entry(),
        "FormatOption": format_option(),
        "Language": language(),
        "ConvertForm": form::schema(),
        "TargetFormat": form::target_format(),
        "SourceFormat": form::source_format(),
        "ConversionRecord": { "type": "object", "required": RECORD, "properties": record(json!({})) },
        "StatusRecord": {
            "oneOf": [schema("Processing"), schema("Ready"), schema("Expired"), schema("NotFound")],
            "discriminator": { "propertyName": "status", "mapping": {
                "processing": "#/components/schemas/Processing",
                "ready": "#/components/schemas/Ready",
                "expired": "#/components/schemas/Expired",
                "not_found": "#/components/schemas/NotFound",
            } },
        },
        "Processing": processing(),
        "Ready": ready(),
        "Expired": {
            "type": "object",
            "required": ["conversion_id", "status", "expires_at", "download_url"],
            "properties": {
                "conversion_id": id(),
                "status": { "const": "expired", "description": "The file was downloaded or deleted, or its link has expired." },
                "expires_at": time("End of the link's lifetime, even if the file was downloaded before."),
                "download_url": download_url(),
            },
        },
        "NotFound": {
            "type": "object",
            "required": ["conversion_id", "status"],
            "properties": {
                "conversion_id": { "type": "string", "description": "The identifier in the request." },
                "status": { "const": "not_found" },
            },
        },
    })
}

/// Members that every conversion record has.
const RECORD: [&str; 9] = [
    "conversion_id",
    "original_filename",
    "original_format",
    "target_format",
    "file_size",
    "conversion_time",
    "download_url",
    "expires_at",
    "media_type",
];

fn id() -> Value {
    json!({ "type": "string", "format": "uuid", "description": "Identifier of the conversion. Whoever knows it can download the result." })
}

fn time(description: &str) -> Value {
    json!({ "type": "string", "format": "date-time", "description": description })
}

fn download_url() -> Value {
    json!({ "type": "string", "description": "Path of the result on this host, also before the result exists." })
}

/// The schema of an error.
fn error() -> Value {
    json!({
        "type": "object",
        "required": ["success", "message", "error", "timestamp"],
        "properties": {
            "success": { "const": false },
            "message": { "type": "string", "minLength": 1, "description": "Text of the status code." },
            "error": { "type": "string", "minLength": 1, "description": "A sentence with the cause and the remedy." },
            "code": {
                "type": "string",
                "description": "Code of an error that a program can react to, such as password_missing. Codes are stable, sentences are not.",
            },
            "timestamp": time("Time of the answer."),
        },
        "example": {
            "success": false,
            "message": "Bad Request",
            "error": "target_format is \"docm\"; png files can be converted to jpg, gif, webp",
            "timestamp": "2026-11-21T02:00:16Z",
        },
    })
}

/// The schema of the service's state.
fn health() -> Value {
    json!({
        "type": "object",
        "required": ["version", "timestamp", "status"],
        "properties": {
            "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+$" },
            "timestamp": time("Time of the check."),
            "status": { "enum": ["operational", "degraded"], "description": "The message gives the reason for a degraded state." },
            "languages": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Languages that OCR can read, as values of the option language.",
            },
        },
    })
}

fn language() -> Value {
    json!({
        "type": "object",
        "required": ["name", "title", "compiled_in"],
        "properties": {
            "name": { "type": "string", "description": "Value of the option language: the name of the model's file." },
            "title": { "type": "string", "description": "English name; empty for a model that is not part of Tesseract's collection." },
            "code": { "type": "string", "description": "ISO 639-1 code, which is also a value of the option." },
            "compiled_in": { "type": "boolean", "description": "true if the model is part of the program." },
        },
    })
}

/// The schema of a format in the list of formats.
fn format_entry() -> Value {
    let names = |description: &str| json!({ "type": "array", "items": { "type": "string" }, "description": description });
    json!({
        "type": "object",
        "required": [
            "format", "category", "description", "can_convert_to", "can_convert_from", "aliases", "media_type",
        ],
        "properties": {
            "format": { "type": "string", "description": "Name of the format: its usual extension, in lower case." },
            "category": { "enum": ["image", "audio", "document", "spreadsheet", "presentation", "mail", "archive"] },
            "description": { "type": "string" },
            "can_convert_to": names("Formats that files of this format can be converted to."),
            "can_convert_from": names("Formats that can be converted to this format."),
            "aliases": names("Other names of the format, accepted wherever its name is."),
            "media_type": { "type": "string" },
            "quality": { "type": "string", "description": "Effect of low, medium and high on this target." },
            "options": {
                "type": "array",
                "items": schema("FormatOption"),
                "description": "Optional form fields of conversions to this format.",
            },
        },
    })
}

/// The schema of an option in the list of formats.
fn format_option() -> Value {
    json!({
        "type": "object",
        "required": ["name", "description", "type"],
        "properties": {
            "name": { "type": "string" },
            "description": { "type": "string" },
            "type": { "enum": ["integer", "string", "colour", "boolean"] },
            "format": { "const": "password", "description": "Present if the values are passwords." },
            "minimum": { "type": "integer" },
            "maximum": { "type": "integer" },
            "values": { "type": "array", "items": { "type": "string" } },
            "default": { "type": "string" },
            "from": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Source formats that the option applies to; all if absent.",
            },
        },
    })
}

/// The members of a conversion record, extended by `more`.
fn record(more: Value) -> Value {
    let mut members = json!({
        "conversion_id": id(),
        "original_filename": { "type": "string", "minLength": 1 },
        "original_format": { "type": "string", "description": "Format of the uploaded file, detected from its content." },
        "target_format": { "type": "string", "description": "Name of the target format, as requested." },
        "file_size": { "type": "integer", "minimum": 0, "description": "Size of the result in bytes." },
        "conversion_time": { "type": "number", "minimum": 0, "description": "Duration of the conversion in seconds, without waiting time." },
        "download_url": download_url(),
        "expires_at": time("End of the link's lifetime."),
        "media_type": {
            "type": "string",
            "description": "Media type of the result; application/zip for an archive of files in the target format.",
        },
        "notes": {
            "type": "array",
            "items": { "type": "string" },
            "description": "Losses and changes of the conversion, one sentence each.",
        },
    });
    if let (Some(members), Value::Object(more)) = (members.as_object_mut(), more) {
        members.extend(more);
    }
    members
}

/// The schema of a conversion in progress.
fn processing() -> Value {
    json!({
        "type": "object",
        "required": ["conversion_id", "status", "download_url"],
        "properties": {
            "conversion_id": id(),
            "status": { "const": "processing" },
            "download_url": download_url(),
            "progress": {
                "type": "object",
                "required": ["fraction"],
                "properties": {
                    "fraction": { "type": "number", "minimum": 0, "maximum": 1 },
                    "seconds_done": { "type": "number", "minimum": 0 },
                    "seconds_total": { "type": "number", "minimum": 0 },
                },
            },
        },
    })
}

fn ready() -> Value {
    let mut required = RECORD.to_vec();
    required.push("status");
    json!({
        "type": "object",
        "required": required,
        "properties": record(json!({ "status": { "const": "ready" } })),
    })
}

/// A conversion record.
pub(super) fn example() -> Value {
    json!({
        "conversion_id": ID,
        "original_filename": "photo.png",
        "original_format": "png",
        "target_format": "jpg",
        "file_size": 48_213,
        "conversion_time": 0.084,
        "download_url": format!("/api/v1/download/{ID}"),
        "expires_at": "2026-11-21T02:30:16Z",
        "media_type": "image/jpeg",
    })
}
