//! `GET /api/v1/formats`. Written once from the registry.

use super::envelope::success_bytes;
use crate::{
    format::{Category, Format},
    registry,
};
use serde::Serialize;
use std::sync::OnceLock;

#[derive(Serialize)]
struct Data {
    formats: Vec<Entry>,
}

/// One element of `data.formats`.
#[derive(Serialize)]
struct Entry {
    format: &'static str,
    category: Category,
    description: &'static str,
    can_convert_to: Vec<&'static str>,
    can_convert_from: Vec<&'static str>,
    aliases: &'static [&'static str],
    media_type: &'static str,
    /// What `low`, `medium` and `high` mean, for a format that can be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<&'static str>,
    /// Optional form fields for conversions to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<OptionEntry>,
}

#[derive(Serialize)]
struct OptionEntry {
    name: &'static str,
    description: &'static str,
}

fn entry(format: &'static Format) -> Entry {
    let names = |formats: &mut dyn Iterator<Item = &'static Format>| {
        formats.map(|format| format.name).collect()
    };
    let writer = registry::writer_of(format);
    let options = writer.map_or(&[][..], |writer| writer.options);
    Entry {
        format: format.name,
        category: format.category,
        description: format.description,
        can_convert_to: names(&mut registry::targets_of(format)),
        can_convert_from: names(&mut registry::sources_of(format)),
        aliases: format.aliases,
        media_type: format.media_type,
        quality: writer.map(|writer| (writer.quality)(format)),
        options: options
            .iter()
            .map(|option| OptionEntry {
                name: option.name,
                description: option.help,
            })
            .collect(),
    }
}

/// The whole answer.
pub(super) fn body() -> &'static [u8] {
    static BODY: OnceLock<Vec<u8>> = OnceLock::new();
    BODY.get_or_init(|| {
        let formats = registry::formats().map(entry).collect();
        success_bytes("Supported formats", Data { formats })
    })
}
