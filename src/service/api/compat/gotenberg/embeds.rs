//! Files to attach to the resulting PDFs, from the field `embeds`. Does not attach the files itself: the engine
//! attaches the files of an archive to the PDF in the same archive.

use super::{
    fields::{Fields, go_json},
    refusal::Refusal,
};
use crate::api::compat::{
    item::Item,
    work::{Order, Work},
};
use serde_json::{Map, Value, json};

/// Folder of the files in the archive.
const FOLDER: &str = "embeds";

/// Files to attach.
#[derive(Default)]
pub(super) struct Embeds {
    files: Vec<Item>,
    /// Properties of files by their names: `mimeType` and `relationship`.
    about: Map<String, Value>,
}

/// Reads the files and the field with their properties.
pub(super) fn read(fields: &mut Fields<'_>) -> Embeds {
    const NAME: &str = "embedsMetadata";
    let mut about = Map::new();
    if let Some(text) = fields.text(NAME) {
        match serde_json::from_str(text) {
            Ok(map) => about = map,
            Err(err) => {
                let why = go_json(text).unwrap_or_else(|| err.to_string());
                fields.invalid(NAME, text, &why);
            }
        }
    }
    // If several files have the same name, the last one counts.
    let mut files: Vec<Item> = Vec::new();
    for item in fields.files_in("embeds") {
        files.retain(|known| known.name != item.name);
        files.push(item.clone());
    }
    Embeds { files, about }
}

impl Embeds {
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Attaches the files to a PDF. The options apply to the result.
    pub(super) fn attach(
        &self,
        work: &Work<'_, '_>,
        item: &Item,
        mut options: Vec<(&'static str, String)>,
    ) -> Result<Item, Refusal> {
        let mut named = vec![(format!("file/{}", item.name), item)];
        let mut wanted = Map::new();
        for (number, file) in (1..).zip(&self.files) {
            // Under its own name, a file such as Thumbs.db would be skipped, because operating systems make such
            // files.
            let path = format!("{FOLDER}/{number:05}");
            let about = self.about.get(&file.name).unwrap_or(&Value::Null);
            let relationship = about["relationship"].as_str().unwrap_or("Unspecified");
            let mut own = json!({"name": printable(&file.name), "relationship": relationship});
            if let Some(kind) = about["mimeType"].as_str() {
                own["type"] = printable(kind).into();
            }
            wanted.insert(path.clone(), own);
            named.push((path, file));
        }
        let mut archive = work.pack(&named)?;
        archive.name = "embeds.zip".to_owned();
        options.push(("merge", "true".to_owned()));
        options.push(("attach", Value::Object(wanted).to_string()));
        let order = Order {
            target: "pdf",
            quality: None,
            options: &options,
        };
        let mut made = work.convert(&archive, &order)?.item;
        made.name = item.name.clone();
        Ok(made)
    }
}

/// Returns a text without control characters, which options do not accept.
fn printable(text: &str) -> String {
    text.chars().filter(|sign| !sign.is_control()).collect()
}
