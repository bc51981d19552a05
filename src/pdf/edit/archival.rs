//! Converts an existing file to PDF/A (ISO 19005-2 and 19005-3, level B): a walk over all objects corrects the
//! violations that can be corrected, and collects the others. If any remain, the file is not marked as PDF/A. The rules
//! for single dictionaries are in `mend` and `faults`. Embeds no fonts, changes no colours, and draws nothing.

use super::{
    claims::Claims,
    faults::{self, Colours, Faults},
    mend, packet,
    sources::DroppedObjects,
    store::{Data, Object, Store},
    value::{Dict, Id, Value},
};
use crate::{
    error::{Error, Result},
    image::profile_bytes,
    job::Notes,
};
use moxcms::ColorProfile;
use std::{
    collections::{BTreeSet, HashSet},
    rc::Rc,
};

/// Objects between two checks of the job's deadline.
const OBJECTS_PER_CHECK: usize = 256;

/// Makes a document conform to this part of PDF/A, 2 or 3, or names the remaining violations in the notes.
///
/// Errors: there is not enough memory, or the job is to end.
pub(super) fn make(
    store: &mut Store<'_>,
    catalog: Id,
    info: &mut Dict,
    dropped: &DroppedObjects,
    part: &str,
    notes: &mut Notes,
) -> Result<()> {
    let mut own = store.dict_of(catalog).unwrap_or_default();
    let mut faults = Faults::default();
    let components = intent(store, &own);
    let is_accessible = Claims::of(store, &own).accessible.is_some();
    let metadata = own.remove("Metadata");
    let mut files = mend::catalog(store, &mut own);
    store.set(catalog, own);
    let colours = Colours::of(components.unwrap_or(3));
    files.extend(walk(store, catalog, dropped, colours, &mut faults)?);
    let mut own = store.dict_of(catalog).unwrap_or_default();
    if !files.is_empty() {
        let files: Vec<Value> = files.iter().copied().map(Value::Ref).collect();
        own.set("AF", files);
    }
    if !files.is_empty() && part == "2" {
        faults.add("attached files, which PDF/A-3 may have (pdf_a=3)");
    }
    if !faults.is_empty() {
        if let Some(metadata) = metadata {
            own.set("Metadata", metadata);
        }
        store.set(catalog, own);
        notes.add(format!(
            "The PDF could not be made PDF/A, and is not marked as PDF/A: it has {}. All other violations were corrected.",
            faults.list()
        ));
        packet::forget(store, catalog);
        return Ok(());
    }
    if components.is_none() {
        let profile = profile_bytes(ColorProfile::new_srgb())
            .ok_or_else(|| Error::internal("a colour profile could not be made", "sRGB"))?;
        let mut stream = Dict::default();
        stream.set("N", 3);
        let profile = store.add(Object::Stream(stream, Data::Own(Rc::new(profile))));
        let mut intent = Dict::of_type("OutputIntent");
        intent.set("S", Value::name("GTS_PDFA1"));
        intent.set("OutputConditionIdentifier", Value::text("sRGB"));
        intent.set("DestOutputProfile", profile);
        own.set("OutputIntents", vec![Value::Dict(intent)]);
    }
    let metadata = packet::write(store, is_accessible, info, part);
    own.set("Metadata", metadata);
    store.set(catalog, own);
    notes.add(format!(
        "The PDF is now PDF/A-{part}b: scripts and the like were removed, and its colour profile and metadata were adapted."
    ));
    Ok(())
}

/// The number of colour components of the first output intent for PDF/A that has a profile, if there is one.
pub(super) fn intent(store: &mut Store<'_>, catalog: &Dict) -> Option<i64> {
    let intents = store.array(catalog.get("OutputIntents"))?;
    intents.iter().find_map(|intent| {
        let intent = store.dict(Some(intent))?;
        let profile = store.dict(intent.get("DestOutputProfile"))?;
        let is_one = store.is_name(intent.get("S"), "GTS_PDFA1");
        store.integer(profile.get("N")).filter(|_| is_one)
    })
}

/// Corrects all objects that a document refers to, and collects the violations that cannot be corrected. Returns the
/// attached files.
fn walk(
    store: &mut Store<'_>,
    catalog: Id,
    dropped: &DroppedObjects,
    colours: Colours,
    faults: &mut Faults,
) -> Result<BTreeSet<Id>> {
    let (mut files, mut contents) = (BTreeSet::new(), HashSet::new());
    let mut seen = HashSet::from([catalog]);
    let mut open = vec![catalog];
    let mut done = 0;
    while let Some(id) = open.pop() {
        done += 1;
        if done % OBJECTS_PER_CHECK == 0 {
            store.check()?;
        }
        let mended = match (*store.object(id)).clone() {
            Object::Value(mut value) => {
                mend::value(store, &mut value, colours, faults);
                if let Value::Dict(dict) = &value {
                    contents.extend(faults::contents(store, dict));
                    if mend::is_attached(store, dict) {
                        files.insert(id);
                    }
                }
                Object::Value(value)
            }
            Object::Stream(mut dict, data) => {
                let is_content = contents.contains(&id) || faults::draws(store, &dict);
                faults::in_stream(store, id, (&dict, &data), is_content, colours, faults)?;
                mend::of_stream(store, &mut dict, colours, faults);
                unpack_lzw(store, id, dict, data, faults)
            }
        };
        match &mended {
            Object::Value(value) => references(value, &mut open, &mut seen, dropped),
            Object::Stream(dict, _) => dict
                .values()
                .for_each(|value| references(value, &mut open, &mut seen, dropped)),
        }
        store.set(id, mended);
    }
    Ok(files)
}

/// Adds to `open` the objects that a value refers to, except those in `dropped` and those already in `seen`.
fn references(value: &Value, open: &mut Vec<Id>, seen: &mut HashSet<Id>, dropped: &DroppedObjects) {
    match value {
        Value::Ref(id) if !dropped.contains(*id) && seen.insert(*id) => open.push(*id),
        Value::Array(values) => values
            .iter()
            .for_each(|value| references(value, open, seen, dropped)),
        Value::Dict(dict) => dict
            .values()
            .for_each(|value| references(value, open, seen, dropped)),
        _ => {}
    }
}

/// Decodes a stream that uses LZW, a filter that PDF/A does not allow. Other streams stay unchanged.
fn unpack_lzw(
    store: &mut Store<'_>,
    id: Id,
    mut dict: Dict,
    data: Data,
    faults: &mut Faults,
) -> Object {
    let has_lzw = match dict.get("Filter").map(|filter| store.resolve(filter)) {
        Some(Value::Array(filters)) => filters.iter().any(|filter| filter.is_name("LZWDecode")),
        Some(filter) => filter.is_name("LZWDecode"),
        None => false,
    };
    if has_lzw {
        let decoded = store.stream(id).and_then(|stream| {
            let decoded = stream.decoded_data().ok()?;
            Some(decoded.into_owned())
        });
        let Some(decoded) = decoded else {
            faults.add("a damaged stream");
            return Object::Stream(dict, data);
        };
        dict.remove("Filter");
        dict.remove("DecodeParms");
        return Object::Stream(dict, Data::Own(Rc::new(decoded)));
    }
    Object::Stream(dict, data)
}
