//! Attaches files to a document (ISO 32000-2, 7.11.4), with their relationship to it (14.13), as PDF/A-3 requires.
//! Does not read the contents of the files.

use super::{
    store::{Data, Object, Store},
    trees,
    value::{Dict, Id, Value},
};
use crate::{
    error::{Error, Kind, Result},
    numbered,
};
use serde_json::{Map, Value as Json};
use std::{collections::HashSet, rc::Rc};

/// Relationships of a file to the document (ISO 32000-2, 7.11.3).
const RELATIONSHIPS: [&str; 8] = [
    "Unspecified",
    "Source",
    "Data",
    "Alternative",
    "Supplement",
    "EncryptedPayload",
    "FormData",
    "Schema",
];

/// Media type of a file whose type is not stated.
const UNKNOWN: &str = "application/octet-stream";

/// A file to attach.
pub struct Attachment {
    name: String,
    media_type: String,
    relationship: &'static str,
    bytes: Rc<Vec<u8>>,
}

/// The option that lists the files to attach. It maps the path of a file in the uploaded archive to its properties
/// `name`, `relationship` and `type`.
pub struct Wanted(Map<String, Json>);

impl Wanted {
    /// Parses the option.
    ///
    /// Errors: [`Kind::BadInput`] if the text is not a JSON object.
    pub fn parse(text: &str) -> Result<Self> {
        let map = serde_json::from_str(text).map_err(|err| {
            let text = format!("attach must be a JSON object with the names of files: {err}");
            Error::new(Kind::BadInput, text)
        })?;
        Ok(Self(map))
    }

    /// Returns whether the file at this path is to be attached.
    pub fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// The file at this path with its bytes.
    ///
    /// Errors: [`Kind::BadInput`] for a relationship that PDF does not define.
    pub fn attachment(&self, path: &str, bytes: Vec<u8>) -> Result<Attachment> {
        let about = self.0.get(path).unwrap_or(&Json::Null);
        let stated = about["name"].as_str();
        let name = stated.unwrap_or_else(|| path.rsplit('/').next().unwrap_or(path));
        let stated = about["relationship"].as_str().unwrap_or(RELATIONSHIPS[0]);
        let known = RELATIONSHIPS.iter().find(|known| **known == stated);
        let relationship = known.ok_or_else(|| {
            let shown: String = stated.chars().take(40).collect();
            let list = RELATIONSHIPS.join(", ");
            let text = format!("attach: the relationship of {name:?} is {shown:?}; PDF has {list}");
            Error::new(Kind::BadInput, text)
        })?;
        Ok(Attachment {
            name: name.to_owned(),
            media_type: about["type"].as_str().unwrap_or(UNKNOWN).to_owned(),
            relationship,
            bytes: Rc::new(bytes),
        })
    }

    /// Paths of the files, for a message about one that is missing.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Attaches files to the document with this catalogue. A name that is already taken gets a number.
pub(super) fn add(store: &mut Store<'_>, catalog: Id, attachments: &[Attachment]) {
    if attachments.is_empty() {
        return;
    }
    let mut own = store.dict_of(catalog).unwrap_or_default();
    let mut names = store.dict(own.get("Names")).unwrap_or_default();
    let files = trees::entries(store, names.get("EmbeddedFiles"), "Names");
    let mut files: Vec<(Box<[u8]>, Value)> = files
        .into_iter()
        .filter_map(|(name, file)| match name {
            Value::Text(name) => Some((name, file)),
            _ => None,
        })
        .collect();
    let mut taken: HashSet<Box<[u8]>> = files.iter().map(|(name, _)| name.clone()).collect();
    let mut associated = store.array(own.get("AF")).unwrap_or_default();
    for attachment in attachments {
        let text = |name: &str| match Value::text(name) {
            Value::Text(bytes) => bytes,
            _ => Box::default(),
        };
        let key = numbered::free(
            |end| text(&format!("{}{end}", attachment.name)),
            |key| !taken.contains(key),
        );
        taken.insert(key.clone());
        let file = Value::Ref(specification(store, attachment));
        associated.push(file.clone());
        files.push((key, file));
    }
    files.sort_by(|one, other| one.0.cmp(&other.0));
    let files = files
        .into_iter()
        .map(|(name, file)| (Value::Text(name), file));
    if let Some(tree) = trees::build(store, files.collect(), "Names") {
        names.set("EmbeddedFiles", tree);
    }
    own.set("Names", names);
    own.set("AF", associated);
    store.set(catalog, own);
}

/// The file specification of an attachment, with its stream.
fn specification(store: &mut Store<'_>, attachment: &Attachment) -> Id {
    let mut parameters = Dict::default();
    parameters.set("Size", attachment.bytes.len() as i64);
    let mut stream = Dict::of_type("EmbeddedFile");
    stream.set("Subtype", Value::name(&attachment.media_type));
    stream.set("Params", parameters);
    let stream = store.add(Object::Stream(stream, Data::Own(attachment.bytes.clone())));
    let mut embedded = Dict::default();
    embedded.set("F", stream);
    embedded.set("UF", stream);
    let mut file = Dict::of_type("Filespec");
    file.set("F", Value::text(&attachment.name));
    file.set("UF", Value::text(&attachment.name));
    file.set("EF", embedded);
    file.set("AFRelationship", Value::name(attachment.relationship));
    store.add(file)
}
