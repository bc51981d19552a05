//! Metadata of a file: the information dictionary (ISO 32000-2, 14.3.3), and the corresponding elements in its XMP.
//! Adds no values of its own.

use super::{
    store::{Data, Object, Store},
    value::{Dict, Id, Value},
};
use crate::{
    coding::{date::Date, escape},
    error::{Error, Kind, Reason, Result},
    job::Notes,
    read::trailer::Trailer,
};
use hayro::hayro_syntax::object::DateTime;
use memchr::memmem;
use serde_json::{Map, Value as Json};
use std::{borrow::Cow, rc::Rc};

/// Limit on the encoded length of an XMP packet, in bytes. Packets of this length or longer are neither read nor
/// changed.
const MAX_XMP: usize = 4 << 20;

/// The information dictionary of the first file.
pub(super) fn info(store: &mut Store<'_>) -> Dict {
    let pdf = store.sources()[0];
    let own = Trailer::of(pdf.data().as_ref()).and_then(|trailer| trailer.info());
    if let Some(own) = own
        && let Some(dict) = store.dict_of(Id::of(0, own.into()))
        // A damaged trailer may refer to another object, which often has a `Type`. The information dictionary has none.
        && !dict.has("Type")
    {
        return dict;
    }
    let about = pdf.metadata();
    let mut dict = Dict::default();
    let texts = [
        ("Title", &about.title),
        ("Author", &about.author),
        ("Subject", &about.subject),
        ("Keywords", &about.keywords),
        ("Creator", &about.creator),
        ("Producer", &about.producer),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            dict.set(key, Value::Text(text.clone()));
        }
    }
    for (key, stated) in [
        ("CreationDate", &about.creation_date),
        ("ModDate", &about.modification_date),
    ] {
        if let Some(stated) = stated {
            dict.set(key, Value::Text(date(stated).pdf().into_bytes().into()));
        }
    }
    dict
}

/// Converts a date that hayro has parsed.
fn date(date: &DateTime) -> Date {
    let parts = [date.month, date.day, date.hour, date.minute, date.second];
    let hours = i16::from(date.utc_offset_hour);
    let minutes = i16::from(date.utc_offset_minute);
    let sign = if hours < 0 { -1 } else { 1 };
    Date::new(date.year, parts, hours * 60 + sign * minutes)
}

/// Known fields of metadata: the name in ExifTool, the key in the information dictionary, the element in XMP, and the
/// kind of list in that element (empty for plain text).
const KNOWN_FIELDS: [(&str, &str, &str, &str); 11] = [
    ("Title", "Title", "dc:title", "Alt"),
    ("Author", "Author", "dc:creator", "Seq"),
    ("Subject", "Subject", "dc:description", "Alt"),
    ("Keywords", "Keywords", "pdf:Keywords", ""),
    ("Creator", "Creator", "xmp:CreatorTool", ""),
    ("Producer", "Producer", "pdf:Producer", ""),
    ("CreateDate", "CreationDate", "xmp:CreateDate", ""),
    ("ModDate", "ModDate", "xmp:ModifyDate", ""),
    ("Trapped", "Trapped", "pdf:Trapped", ""),
    ("Copyright", "Copyright", "dc:rights", "Alt"),
    ("Marked", "Marked", "xmpRights:Marked", ""),
];

/// The names of all fields, and their keys.
pub(super) fn fields() -> impl Iterator<Item = (&'static str, &'static str)> {
    KNOWN_FIELDS.iter().map(|(name, key, ..)| (*name, *key))
}

/// Sets the metadata of a file from a JSON object, whose keys are the names in [`KNOWN_FIELDS`].
///
/// Errors: [`Kind::BadInput`] if the text is not a JSON object, if a value is neither a string, a number, a boolean nor
/// a list of strings, if a value contains control characters, or if the value of a date field is not a date.
pub(super) fn set(
    store: &mut Store<'_>,
    catalog: Id,
    info: &mut Dict,
    text: &str,
    notes: &mut Notes,
) -> Result<()> {
    let refuse =
        |why: String| Error::new(Kind::BadInput, format!("info {why}")).because(Reason::Metadata);
    let map: Map<String, Json> = serde_json::from_str(text)
        .map_err(|err| refuse(format!("must be a JSON object: {err}")))?;
    for (name, value) in &map {
        let Some((_, key, element, list)) = KNOWN_FIELDS.iter().find(|(known, ..)| known == name)
        else {
            let shown: String = name.chars().take(40).collect();
            notes.add(format!(
                "The key {shown:?} was left out, because the metadata of a PDF cannot hold it."
            ));
            continue;
        };
        let value = plain(value)
            .filter(|value| !value.contains(char::is_control))
            .ok_or_else(|| {
                refuse(format!("cannot be written: {name} must be a string, a number, a boolean or a list of strings, without control characters"))
            })?;
        if name.ends_with("Date") {
            let date = Date::parse(&value).ok_or_else(|| {
                refuse(format!(
                    "{name} must be a date such as 2006-09-18T16:27:50-04:00"
                ))
            })?;
            info.set(key, Value::Text(date.pdf().into_bytes().into()));
            in_xmp(store, catalog, element, list, &date.xmp());
            continue;
        }
        let written = match name.as_str() {
            "Trapped" if matches!(value.as_str(), "True" | "False" | "Unknown") => {
                Value::name(&value)
            }
            _ => Value::text(&value),
        };
        info.set(key, written);
        in_xmp(store, catalog, element, list, &value);
    }
    Ok(())
}

/// A value as one text; the values of a list are joined with commas. `None` for null and objects.
fn plain(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(value) => Some(value.to_string()),
        Json::Array(values) => {
            let texts: Option<Vec<String>> = values.iter().map(plain).collect();
            Some(texts?.join(", "))
        }
        Json::Null | Json::Object(_) => None,
    }
}

/// The bytes of an XMP packet. `None` if it is too long or cannot be decoded.
pub(super) fn packet(store: &mut Store<'_>, data: Data) -> Option<Vec<u8>> {
    let source = match data {
        Data::Own(bytes) => return Some(bytes.to_vec()),
        Data::Of(source) => source,
    };
    let stream = store.stream(source)?;
    if stream.raw_data().len() >= MAX_XMP {
        return None;
    }
    stream.decoded_data().ok().map(Cow::into_owned)
}

/// Changes the title in the XMP of a document, if the XMP has a title.
pub(super) fn title(store: &mut Store<'_>, catalog: Id, title: &str) {
    in_xmp(store, catalog, "dc:title", "Alt", title);
}

/// Changes an element in the XMP of a document, if the XMP has this element without attributes.
fn in_xmp(store: &mut Store<'_>, catalog: Id, element: &str, list: &str, text: &str) {
    let Some(Value::Ref(id)) = store
        .dict_of(catalog)
        .and_then(|catalog| catalog.get("Metadata").cloned())
    else {
        return;
    };
    let Object::Stream(mut dict, data) = (*store.object(id)).clone() else {
        return;
    };
    let Some(xmp) = packet(store, data) else {
        return;
    };
    let (open, close) = (format!("<{element}>"), format!("</{element}>"));
    let find = |needle: &str| memmem::find(&xmp, needle.as_bytes());
    let (Some(from), Some(to)) = (find(&open), find(&close)) else {
        return;
    };
    if to < from + open.len() {
        return;
    }
    let own = element_text(list, text);
    let changed = [&xmp[..from + open.len()], own.as_bytes(), &xmp[to..]].concat();
    dict.remove("Filter");
    dict.remove("DecodeParms");
    store.set(id, Object::Stream(dict, Data::Own(Rc::new(changed))));
}

/// An element of XMP with a text.
pub(super) fn element(name: &str, list: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", element_text(list, text))
}

/// Content of an element of XMP, which may be a list.
fn element_text(list: &str, text: &str) -> String {
    let escaped = escape::escaped(text);
    match list {
        "" => escaped,
        "Alt" => format!("<rdf:Alt><rdf:li xml:lang=\"x-default\">{escaped}</rdf:li></rdf:Alt>"),
        list => format!("<rdf:{list}><rdf:li>{escaped}</rdf:li></rdf:{list}>"),
    }
}
