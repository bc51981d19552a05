//! Pictures of a Markdown text: inside it as data URLs, or as files beside it, in one archive with the text. Chooses
//! the names of the files itself, because names in a document are not to be trusted.

use crate::{
    containers::zip::{self, Names, Packing},
    error::Result,
    job::{Job, OptionKind, OptionSpec},
};
use convertd_markup::html;
use convertd_tree::{Document, ResourceId, media};
use std::{cell::RefCell, collections::HashMap, fmt::Write as _};

/// Option that decides whether the document's own pictures are embedded in the text or written to files beside it.
pub(crate) static PICTURES: OptionSpec = OptionSpec {
    name: "pictures",
    kind: OptionKind::OneOf(&["embed", "zip"]),
    default: Some("embed"),
    help: "store pictures inside the text, as data: links (embed), or as files: the result is a zip with the text and a folder of its pictures (zip)",
};

/// Option with the folder of the pictures that are written as files.
pub(crate) static FOLDER: OptionSpec = OptionSpec {
    name: "pictures_folder",
    kind: OptionKind::Text(1000),
    default: Some("media"),
    help: "with pictures=zip: name of the folder for the pictures, as in the links of the text",
};

/// Pictures of a text that is being written.
#[derive(Default)]
pub(super) struct Media {
    /// The folder of the files, percent-encoded, with a slash at its end; may be empty. `None` if the pictures are
    /// inside the text.
    folder: Option<String>,
    /// Maps the index of each resource that the text has shown so far to the number of the picture, which counts from 1
    /// in the order of the text.
    numbers: RefCell<HashMap<usize, usize>>,
}

impl Media {
    /// Chooses the destination of the pictures by the options of the job.
    pub(super) fn of(job: &Job<'_>) -> Self {
        let options = job.options();
        let folder = (options.word(PICTURES.name) == Some("zip")).then(|| {
            let mut folder = String::new();
            encode(options.word(FOLDER.name).unwrap_or("media"), &mut folder);
            if !folder.is_empty() && !folder.ends_with('/') {
                folder.push('/');
            }
            folder
        });
        Self {
            folder,
            ..Self::default()
        }
    }

    /// Returns whether pictures are written as files.
    pub(super) fn is_beside(&self) -> bool {
        self.folder.is_some()
    }

    /// Appends the address of a picture.
    pub(super) fn address(&self, document: &Document, id: ResourceId, out: &mut String) {
        let Some(folder) = &self.folder else {
            return html::data_url(document.resource(id), out);
        };
        let mut numbers = self.numbers.borrow_mut();
        let next = numbers.len() + 1;
        let number = *numbers.entry(id.index()).or_insert(next);
        out.push_str(folder);
        out.push_str(&name(document, id.index(), number));
    }

    /// Adds the pictures that the text shows to the archive with the text, and finishes the archive.
    pub(super) fn finish(
        self,
        job: &Job<'_>,
        document: &Document,
        mut archive: zip::Writer<'_>,
        names: &mut Names,
    ) -> Result<()> {
        let folder = job.options().word(FOLDER.name).unwrap_or("media");
        let mut shown: Vec<(usize, usize)> = self.numbers.into_inner().into_iter().collect();
        shown.sort_unstable_by_key(|(_, number)| *number);
        for (index, number) in shown {
            let resource = &document.resources()[index];
            // `Names` changes a name that would lead out of the folder that the archive is unpacked to.
            let name = names.add(&format!("{folder}/{}", name(document, index, number)));
            let packing = Packing::of_picture(&resource.media_type);
            archive.add(&name, &resource.bytes, packing)?;
        }
        archive.finish()
    }
}

/// The file name of a picture.
fn name(document: &Document, index: usize, number: usize) -> String {
    let kind = media::extension(&document.resources()[index].media_type);
    format!("image{number}.{kind}")
}

/// Appends a path as a part of a URL (RFC 3986, 3.3). Letters of other scripts stay, and backslashes become slashes.
fn encode(path: &str, out: &mut String) {
    for c in path.chars() {
        match c {
            '\\' => out.push('/'),
            c if c.is_alphanumeric() || "/-._~+,;=@&'$!".contains(c) => out.push(c),
            c => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    write!(out, "%{byte:02X}").unwrap_or_default();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_become_parts_of_urls() {
        let check = |path: &str, expected: &str| {
            let mut out = String::new();
            encode(path, &mut out);
            assert_eq!(out, expected);
        };
        check("media", "media");
        check("../my pictures/(ä)", "../my%20pictures/%28ä%29");
        check("a\"b<c>%", "a%22b%3Cc%3E%25");
        check("a\\b", "a/b");
    }
}
