//! PDF/A of a file that exists (ISO 19005-2 and 19005-3, level B): what can be mended is, in a walk over all objects, and what cannot is
//! named. Then the file does not say that it is PDF/A. Embeds no fonts, changes no colours, and draws nothing.

use super::{
    faults::{self, Colours, Faults},
    packet,
    sources::Gone,
    store::{Data, Object, Store},
    trees,
    value::{Dict, Id, Value},
};
use crate::{
    error::{Error, Result},
    image::profile_bytes,
    job::Notes,
};
use moxcms::ColorProfile;
use std::{collections::HashSet, rc::Rc};

/// After how many objects the job is asked whether it is to go on.
const TOGETHER: usize = 256;

/// Actions that a file for archives may have (6.5.1).
const ACTIONS: [&str; 7] = [
    "GoTo",
    "GoToR",
    "GoToE",
    "Thread",
    "URI",
    "Named",
    "SubmitForm",
];

/// Bits of an annotation's flags (ISO 32000-1, 12.5.3).
const HIDDEN: i64 = 1 | 2 | 32 | 256;
const PRINT: i64 = 4;

/// Makes a document PDF/A of this part, 2 or 3, or says in the notes what is in the way.
///
/// Errors: there is not enough memory, or the job is to end.
pub(super) fn make(
    store: &mut Store<'_>,
    catalog: Id,
    info: &mut Dict,
    gone: &Gone,
    part: &str,
    notes: &mut Notes,
) -> Result<()> {
    let mut own = store.dict_of(catalog).unwrap_or_default();
    let mut faults = Faults::default();
    let components = intent(store, &own);
    let has_files = mend_catalog(store, &mut own);
    store.set(catalog, own.clone());
    let colours = Colours::of(components.unwrap_or(3));
    walk(store, catalog, gone, colours, &mut faults)?;
    if has_files && part == "2" {
        faults.add("attached files, which PDF/A-3 may have (pdf_a=3)");
    }
    if !faults.is_empty() {
        notes.add(format!(
            "The PDF could not become PDF/A, and does not say that it is: it has {}. What could be mended was.",
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
    let metadata = packet::write(store, &own, info, part);
    own.set("Metadata", metadata);
    store.set(catalog, own);
    notes.add(format!(
        "The PDF is written as PDF/A-{part}b: scripts and the like are gone, the profile of its colours and its metadata are as they must be."
    ));
    Ok(())
}

/// The components of the colours that the output intent of a file is for, if it has one.
pub(super) fn intent(store: &mut Store<'_>, catalog: &Dict) -> Option<i64> {
    let intents = store.array(catalog.get("OutputIntents"))?;
    intents.iter().find_map(|intent| {
        let intent = store.dict(Some(intent))?;
        let profile = store.dict(intent.get("DestOutputProfile"))?;
        let is_one = store.is_name(intent.get("S"), "GTS_PDFA1");
        store.integer(profile.get("N")).filter(|_| is_one)
    })
}

/// Takes from a catalogue what acts by itself, and ties attached files to the document. Returns whether there are any.
fn mend_catalog(store: &mut Store<'_>, catalog: &mut Dict) -> bool {
    for key in ["AA", "Requirements", "NeedsRendering", "Perms"] {
        catalog.remove(key);
    }
    if let Some(action) = store.dict(catalog.get("OpenAction"))
        && !is_allowed(store, &action)
    {
        catalog.remove("OpenAction");
    }
    if let Some(mut form) = store.dict(catalog.get("AcroForm")) {
        for key in ["XFA", "NeedAppearances"] {
            form.remove(key);
        }
        catalog.set("AcroForm", form);
    }
    if let Some(mut layers) = store.dict(catalog.get("OCProperties")) {
        if let Some(mut shown) = store.dict(layers.get("D")) {
            shown.remove("AS");
            if !shown.has("Name") {
                shown.set("Name", Value::text("Layers"));
            }
            layers.set("D", shown);
        }
        catalog.set("OCProperties", layers);
    }
    let Some(mut names) = store.dict(catalog.get("Names")) else {
        return false;
    };
    for key in ["JavaScript", "AlternatePresentations"] {
        names.remove(key);
    }
    let files = trees::entries(store, names.get("EmbeddedFiles"), "Names");
    catalog.set("Names", names);
    let tied: Vec<Value> = files
        .iter()
        .filter_map(|(_, file)| tie(store, file.as_ref()?))
        .collect();
    let has_files = !tied.is_empty();
    if has_files {
        catalog.set("AF", tied);
    }
    has_files
}

/// Says what an attached file is to its document (ISO 19005-3, 6.8).
fn tie(store: &mut Store<'_>, id: Id) -> Option<Value> {
    let mut file = store.dict_of(id)?;
    if !file.has("AFRelationship") {
        file.set("AFRelationship", Value::name("Unspecified"));
    }
    for (key, other) in [("F", "UF"), ("UF", "F")] {
        if let (false, Some(name)) = (file.has(key), file.get(other).cloned()) {
            file.set(key, name);
        }
    }
    let embedded = store.dict(file.get("EF")).unwrap_or_default();
    if let Some(stream) = embedded.get("F").and_then(Value::as_ref)
        && let Object::Stream(mut dict, data) = (*store.object(stream)).clone()
        && !dict.has("Subtype")
    {
        dict.set("Subtype", Value::name("application/octet-stream"));
        store.set(stream, Object::Stream(dict, data));
    }
    store.set(id, file);
    Some(Value::Ref(id))
}

fn is_allowed(store: &mut Store<'_>, action: &Dict) -> bool {
    match action.get("S").map(|kind| store.resolve(kind)) {
        Some(Value::Name(kind)) => ACTIONS.iter().any(|known| *known.as_bytes() == *kind),
        _ => true,
    }
}

/// Mends all objects that a document refers to, and collects what cannot be mended.
fn walk(
    store: &mut Store<'_>,
    catalog: Id,
    gone: &Gone,
    colours: Colours,
    faults: &mut Faults,
) -> Result<()> {
    let mut seen = HashSet::from([catalog]);
    let mut open = vec![catalog];
    let mut done = 0;
    while let Some(id) = open.pop() {
        done += 1;
        if done % TOGETHER == 0 {
            store.check()?;
        }
        let mended = match (*store.object(id)).clone() {
            Object::Value(mut value) => {
                mend(store, &mut value, false, colours, faults);
                Object::Value(value)
            }
            Object::Stream(dict, data) => {
                faults::in_stream(store, id, &dict, &data, colours, faults)?;
                let mut value = Value::Dict(dict);
                mend(store, &mut value, true, colours, faults);
                let Value::Dict(dict) = value else { continue };
                unpack_lzw(store, id, dict, data, faults)
            }
        };
        match &mended {
            Object::Value(value) => references(value, &mut open, &mut seen, gone),
            Object::Stream(dict, _) => dict
                .values()
                .for_each(|value| references(value, &mut open, &mut seen, gone)),
        }
        store.set(id, mended);
    }
    Ok(())
}

/// Adds the objects that a value refers to and that were not seen.
fn references(value: &Value, open: &mut Vec<Id>, seen: &mut HashSet<Id>, gone: &Gone) {
    match value {
        Value::Ref(id) if !gone.contains(*id) && seen.insert(*id) => open.push(*id),
        Value::Array(values) => values
            .iter()
            .for_each(|value| references(value, open, seen, gone)),
        Value::Dict(dict) => dict
            .values()
            .for_each(|value| references(value, open, seen, gone)),
        _ => {}
    }
}

/// Mends a value with all that stands in it, but not what it refers to. Values stand in one another no deeper than hayro reads them.
fn mend(
    store: &mut Store<'_>,
    value: &mut Value,
    is_stream: bool,
    colours: Colours,
    faults: &mut Faults,
) {
    match value {
        Value::Dict(dict) => {
            mend_dict(store, dict, is_stream);
            faults::in_dict(store, dict, faults);
            let keys: Vec<String> = dict
                .entries()
                .map(|(key, _)| String::from_utf8_lossy(key).into_owned())
                .collect();
            for key in keys {
                // Fonts for values that somebody will type are not drawn with.
                if key == "DR" {
                    continue;
                }
                if let Some(mut inner) = dict.get(&key).cloned() {
                    mend(store, &mut inner, false, colours, faults);
                    dict.set(&key, inner);
                }
            }
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| mend(store, value, false, colours, faults)),
        Value::Name(name) => faults::in_name(name, colours, faults),
        _ => {}
    }
}

/// Takes from a dictionary what a file for archives may not have, where nothing that is seen goes with it.
fn mend_dict(store: &mut Store<'_>, dict: &mut Dict, is_stream: bool) {
    dict.remove("AA");
    for key in ["A", "Next"] {
        if let Some(action) = store.dict(dict.get(key))
            && !is_allowed(store, &action)
        {
            dict.remove(key);
        }
    }
    let is_image = store.is_name(dict.get("Subtype"), "Image");
    let is_form = store.is_name(dict.get("Subtype"), "Form");
    if is_stream && (is_image || is_form) {
        for key in ["Alternates", "OPI", "Interpolate", "Ref", "PS", "Subtype2"] {
            dict.remove(key);
        }
    }
    for key in ["TR", "TR2", "HTP"] {
        let is_state = store.is_name(dict.get("Type"), "ExtGState");
        if is_state || (!is_stream && key != "TR" && dict.has("Type")) {
            dict.remove(key);
        }
    }
    let is_annotation = dict.has("Rect") && dict.has("Subtype");
    if is_annotation && !store.is_name(dict.get("Subtype"), "Popup") {
        let flags = store.integer(dict.get("F")).unwrap_or(0);
        if flags & HIDDEN == 0 {
            dict.set("F", flags | PRINT);
        }
        if let Some(mut looks) = store.dict(dict.get("AP"))
            && (looks.has("D") || looks.has("R"))
        {
            looks.remove("D");
            looks.remove("R");
            dict.set("AP", looks);
        }
    }
    if store.is_name(dict.get("Subtype"), "CIDFontType2") && !dict.has("CIDToGIDMap") {
        dict.set("CIDToGIDMap", Value::name("Identity"));
    }
}

/// A stream without the filter that was once patented, which PDF/A does not allow.
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
            Some(decoded.to_vec())
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
