//! Schemas of the data in answers. Each schema is that of a type that is written with `serde` elsewhere in this module's parent.

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
        "ConversionRecord": { "type": "object", "required": RECORD, "properties": record(json!({})) },
        "StatusRecord": {
            "oneOf": [schema("Processing"), schema("Ready"), schema("Expired"), schema("NotFound")],
        },
        "Processing": processing(),
        "Ready": ready(),
        "Expired": {
            "type": "object",
            "required": ["conversion_id", "status", "expires_at", "download_url"],
            "properties": {
                "conversion_id": id(),
                "status": { "const": "expired", "description": "The file was downloaded or deleted, or its time was up." },
                "expires_at": time("When the link stops working, whether or not the file was downloaded before."),
                "download_url": download_url(),
            },
        },
        "NotFound": {
            "type": "object",
            "required": ["conversion_id", "status"],
            "properties": {
                "conversion_id": { "type": "string", "description": "What was asked for." },
                "status": { "const": "not_found" },
            },
        },
    })
}

/// The members that a conversion record always has.
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
    json!({ "type": "string", "format": "uuid", "description": "Knowing it is the right to download the result." })
}

fn time(description: &str) -> Value {
    json!({ "type": "string", "format": "date-time", "description": description })
}

fn download_url() -> Value {
    json!({ "type": "string", "description": "Where the result is, or will be, relative to the host." })
}

/// The schema of an error.
fn error() -> Value {
    json!({
        "type": "object",
        "required": ["success", "message", "error", "timestamp"],
        "properties": {
            "success": { "const": false },
            "message": { "type": "string", "minLength": 1, "description": "The words of the status code." },
            "error": { "type": "string", "minLength": 1, "description": "One sentence with the cause and the remedy." },
            "code": {
                "type": "string",
                "description": "Fault that a program may do something about, such as password_missing. Sentences change, codes do not.",
            },
            "timestamp": time("When it was answered."),
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
            "timestamp": time("When it was checked."),
            "status": { "enum": ["operational", "degraded"], "description": "The message says why it is degraded." },
            "languages": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Languages that text of scans can be recognised in, as the option language takes them.",
            },
        },
    })
}

fn language() -> Value {
    json!({
        "type": "object",
        "required": ["name", "title", "compiled_in"],
        "properties": {
            "name": { "type": "string", "description": "What the option language takes: the name of its model's file." },
            "title": { "type": "string", "description": "English name; empty for a model that is not one of Tesseract's." },
            "code": { "type": "string", "description": "Code of ISO 639-1, which the option takes as well." },
            "compiled_in": { "type": "boolean", "description": "Whether its model is part of the program." },
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
            "format": { "type": "string", "description": "Its name: the usual extension, in lower case." },
            "category": { "enum": ["image", "audio", "document", "spreadsheet", "presentation", "mail", "archive"] },
            "description": { "type": "string" },
            "can_convert_to": names("What files of this format can become."),
            "can_convert_from": names("What can become this format."),
            "aliases": names("Other names for it, which can be used wherever a name can."),
            "media_type": { "type": "string" },
            "quality": { "type": "string", "description": "What low, medium and high mean for this target." },
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
            "format": { "const": "password", "description": "Its values are passwords." },
            "minimum": { "type": "integer" },
            "maximum": { "type": "integer" },
            "values": { "type": "array", "items": { "type": "string" } },
            "default": { "type": "string" },
            "from": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Of which sources it counts; of all if it is missing.",
            },
        },
    })
}

/// The members of a conversion record, extended by `more`.
fn record(more: Value) -> Value {
    let mut members = json!({
        "conversion_id": id(),
        "original_filename": { "type": "string", "minLength": 1 },
        "original_format": { "type": "string", "description": "What the content of the file is." },
        "target_format": { "type": "string", "description": "The name that was asked for." },
        "file_size": { "type": "integer", "minimum": 0, "description": "Bytes of the result." },
        "conversion_time": { "type": "number", "minimum": 0, "description": "Seconds of the conversion alone." },
        "download_url": download_url(),
        "expires_at": time("When the link stops working."),
        "media_type": {
            "type": "string",
            "description": "Of the result: application/zip for an archive of files in the target format.",
        },
        "notes": {
            "type": "array",
            "items": { "type": "string" },
            "description": "What was lost or changed on the way, a sentence each.",
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
