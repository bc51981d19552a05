//! Corrects entries of dictionaries that PDF/A forbids or requires (ISO 19005-2, chapter 6), if the visible page stays
//! the same. The walk over all objects is in `archival`; violations that cannot be corrected are in `faults`.

use super::{
    faults::{self, Colours, Faults},
    store::{Object, Store},
    trees,
    value::{Dict, Id, Value},
};
use std::collections::BTreeSet;

/// Permitted actions (6.5.1).
const ACTIONS: [&str; 7] = [
    "GoTo",
    "GoToR",
    "GoToE",
    "Thread",
    "URI",
    "Named",
    "SubmitForm",
];

/// Permitted named actions (6.5.1).
const NAMED_ACTIONS: [&str; 4] = ["NextPage", "PrevPage", "FirstPage", "LastPage"];

/// Permitted blend modes (6.2.10).
const BLENDS: [&str; 17] = [
    "Normal",
    "Compatible",
    "Multiply",
    "Screen",
    "Overlay",
    "Darken",
    "Lighten",
    "ColorDodge",
    "ColorBurn",
    "HardLight",
    "SoftLight",
    "Difference",
    "Exclusion",
    "Hue",
    "Saturation",
    "Color",
    "Luminosity",
];

/// Flag of annotations that are printed (ISO 32000-1, 12.5.3).
const PRINT: i64 = 4;

/// Corrects a catalogue: removes automatic actions, scripts, XFA and entries of other versions, and gives layers
/// configurations that keep them in their initial state. Returns the attached files to which the catalogue refers.
pub(super) fn catalog(store: &mut Store<'_>, catalog: &mut Dict) -> BTreeSet<Id> {
    for key in ["AA", "Requirements", "NeedsRendering", "Perms", "Version"] {
        catalog.remove(key);
    }
    if let Some(mut form) = store.dict(catalog.get("AcroForm")) {
        for key in ["XFA", "NeedAppearances"] {
            form.remove(key);
        }
        catalog.set("AcroForm", form);
    }
    if let Some(mut layers) = store.dict(catalog.get("OCProperties")) {
        let groups = store.array(layers.get("OCGs")).unwrap_or_default();
        let mut names = Names::default();
        if let Some(mut shown) = store.dict(layers.get("D")) {
            configuration(store, &mut shown, &groups, &mut names);
            layers.set("D", shown);
        }
        let others = store.array(layers.get("Configs")).unwrap_or_default();
        let mut mended = Vec::new();
        for other in &others {
            if let Some(mut other) = store.dict(Some(other)) {
                configuration(store, &mut other, &groups, &mut names);
                mended.push(Value::Dict(other));
            }
        }
        if !mended.is_empty() {
            layers.set("Configs", mended);
        }
        catalog.set("OCProperties", layers);
    }
    let Some(mut names) = store.dict(catalog.get("Names")) else {
        return BTreeSet::new();
    };
    for key in ["JavaScript", "AlternatePresentations"] {
        names.remove(key);
    }
    let files = trees::entries(store, names.get("EmbeddedFiles"), "Names");
    catalog.set("Names", names);
    files.iter().filter_map(|(_, file)| file.as_ref()).collect()
}

/// Names of the configurations of layers so far.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
    /// Number of the last name that was made.
    made: usize,
}

impl Names {
    /// Returns a name that no other configuration has, which is `own` if possible.
    fn unique(&mut self, own: Option<String>) -> String {
        let mut name = own.unwrap_or_else(|| "Layers".to_owned());
        while !self.taken.insert(name.clone()) {
            self.made += 1;
            name = format!("Layers {}", self.made);
        }
        name
    }
}

/// Corrects a configuration of layers (6.9): its name must differ from those of all others, it must not change layers
/// automatically (`AS`), and its order, if it has one, must list all layers.
fn configuration(store: &mut Store<'_>, shown: &mut Dict, groups: &[Value], names: &mut Names) {
    shown.remove("AS");
    let own = faults::text_of(store, shown.get("Name"));
    let name = names.unique(own.clone());
    if own.as_ref() != Some(&name) {
        shown.set("Name", Value::text(&name));
    }
    let Some(mut order) = store.array(shown.get("Order")) else {
        return;
    };
    let mut listed = BTreeSet::new();
    let mut open = order.clone();
    while let Some(entry) = open.pop() {
        match entry {
            Value::Ref(id) if listed.insert(id) => {
                if let Value::Array(inner) = store.resolve(&Value::Ref(id)) {
                    open.extend(inner);
                }
            }
            Value::Array(inner) => open.extend(inner),
            _ => {}
        }
    }
    let missing = groups.iter().filter(|group| {
        let id = group.as_ref();
        id.is_some_and(|id| !listed.contains(&id))
    });
    order.extend(missing.cloned());
    shown.set("Order", order);
}

/// Returns whether a dictionary is a file specification of an attached file.
pub(super) fn is_attached(store: &mut Store<'_>, dict: &Dict) -> bool {
    store.dict(dict.get("EF")).is_some()
}

/// Completes the file specification of an attached file (ISO 19005-3, 6.8): its relationship to the document, its name
/// under both keys (`F` and `UF`), and its media type.
fn complete_file_specification(store: &mut Store<'_>, file: &mut Dict) {
    if !file.has("AFRelationship") {
        file.set("AFRelationship", Value::name("Unspecified"));
    }
    for (key, other) in [("F", "UF"), ("UF", "F")] {
        if let (false, Some(name)) = (file.has(key), file.get(other).cloned()) {
            file.set(key, name);
        }
    }
    let embedded = store.dict(file.get("EF")).unwrap_or_default();
    for stream in ["F", "UF"]
        .into_iter()
        .filter_map(|key| embedded.get(key)?.as_ref())
    {
        let Object::Stream(mut dict, data) = (*store.object(stream)).clone() else {
            continue;
        };
        let kind = dict.get("Subtype").map(|kind| store.resolve(kind));
        if !matches!(kind, Some(Value::Name(kind)) if kind.contains(&b'/')) {
            dict.set("Subtype", Value::name("application/octet-stream"));
            store.set(stream, Object::Stream(dict, data));
        }
    }
}

/// Corrects a value with all values inside it, but not the objects to which it refers. The recursion is limited,
/// because hayro limits the nesting of values.
pub(super) fn value(
    store: &mut Store<'_>,
    value: &mut Value,
    colours: Colours,
    faults: &mut Faults,
) {
    match value {
        Value::Dict(dict) => {
            mend_dictionary(store, dict, false);
            within(store, dict, colours, faults);
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|inner| self::mend_inner(store, inner, colours, faults)),
        Value::Name(name) => faults::in_name(name, colours, faults),
        Value::Text(text) => faults::in_text(text, faults),
        Value::Integer(number) => faults::in_number(*number, faults),
        Value::Null | Value::Bool(_) | Value::Real(_) | Value::Ref(_) => {}
    }
}

/// Corrects the dictionary of a stream.
pub(super) fn of_stream(
    store: &mut Store<'_>,
    dict: &mut Dict,
    colours: Colours,
    faults: &mut Faults,
) {
    mend_dictionary(store, dict, true);
    within(store, dict, colours, faults);
}

fn within(store: &mut Store<'_>, dict: &mut Dict, colours: Colours, faults: &mut Faults) {
    faults::in_dict(store, dict, faults);
    for (key, value) in dict.entries_mut() {
        // Skip the default resources of a form: fonts for values that are typed later, which no page uses yet.
        if key != b"DR" {
            mend_inner(store, value, colours, faults);
        }
    }
}

/// Corrects a value inside another one. A file specification becomes an indirect object, so that the document can refer
/// to it.
fn mend_inner(store: &mut Store<'_>, inner: &mut Value, colours: Colours, faults: &mut Faults) {
    value(store, inner, colours, faults);
    if let Value::Dict(dict) = inner
        && is_attached(store, dict)
    {
        *inner = Value::Ref(store.add(dict.clone()));
    }
}

/// Corrects the entries of a dictionary that PDF/A forbids or requires, if the visible page stays the same.
fn mend_dictionary(store: &mut Store<'_>, dict: &mut Dict, is_stream: bool) {
    // Metadata of single objects is removed because it may use any schema, and PDF/A requires a description of each
    // schema (6.6.2.3.1).
    for key in ["AA", "PresSteps", "Metadata"] {
        dict.remove(key);
    }
    actions(store, dict);
    let is_image = store.is_name(dict.get("Subtype"), "Image");
    let is_form = store.is_name(dict.get("Subtype"), "Form");
    if is_stream {
        if is_image || is_form {
            for key in ["Alternates", "OPI", "Interpolate", "Ref", "PS", "Subtype2"] {
                dict.remove(key);
            }
        }
        return;
    }
    graphics_state(store, dict);
    if dict.has("Rect") && dict.has("Subtype") {
        annotation(store, dict);
    }
    if is_attached(store, dict) {
        complete_file_specification(store, dict);
    }
    if store.is_name(dict.get("Type"), "FontDescriptor") {
        // These lists of glyphs are optional and often wrong, so they are removed (6.2.11.4.2).
        dict.remove("CIDSet");
        dict.remove("CharSet");
    }
    if store.is_name(dict.get("Subtype"), "CIDFontType2") && !dict.has("CIDToGIDMap") {
        dict.set("CIDToGIDMap", Value::name("Identity"));
    }
}

/// Removes actions that are not permitted (6.5.1), and the action (`A`) of a form field (6.4.1).
fn actions(store: &mut Store<'_>, dict: &mut Dict) {
    let is_field = store.is_name(dict.get("Subtype"), "Widget") || dict.has("FT") && dict.has("T");
    if is_field {
        dict.remove("A");
    }
    for key in ["A", "PA", "Next", "OpenAction"] {
        match dict.get(key).map(|value| store.resolve(value)) {
            Some(Value::Dict(action)) if !is_allowed(store, &action) => drop(dict.remove(key)),
            // `Next` may be a list of actions. Under `A`, structure elements have lists of attributes, which are kept.
            Some(Value::Array(mut actions)) => {
                let before = actions.len();
                actions.retain(|action| {
                    let action = store.dict(Some(action));
                    action.is_none_or(|action| is_allowed(store, &action))
                });
                if actions.len() < before {
                    dict.set(key, actions);
                }
            }
            _ => {}
        }
    }
}

fn is_allowed(store: &mut Store<'_>, action: &Dict) -> bool {
    let mut name = |key| match action.get(key).map(|name| store.resolve(name)) {
        Some(Value::Name(name)) => Some(String::from_utf8_lossy(&name).into_owned()),
        _ => None,
    };
    match name("S").as_deref() {
        Some("Named") => name("N").is_some_and(|name| NAMED_ACTIONS.contains(&&*name)),
        Some(kind) => ACTIONS.contains(&kind),
        None => true,
    }
}

/// Corrects a graphics state (6.2.5, 6.2.10), which need not state its type. In a resource dictionary, the same keys
/// may be names of resources, so the type of the values decides.
fn graphics_state(store: &mut Store<'_>, dict: &mut Dict) {
    let is_function = |store: &mut Store<'_>, value: Option<&Value>| match value
        .map(|value| store.resolve(value))
    {
        Some(Value::Name(_) | Value::Array(_)) => true,
        _ => store
            .dict(value)
            .is_some_and(|function| function.has("FunctionType")),
    };
    for key in ["TR", "TR2", "HTP"] {
        // A soft mask, which has a group (`G`), may keep its transfer function.
        if dict.has(key) && !dict.has("G") && is_function(store, dict.get(key)) {
            dict.remove(key);
        }
    }
    // Viewers treat an unknown mode as Normal, and use the first known mode of a list.
    let known = match dict.get("BM").map(|mode| store.resolve(mode)) {
        Some(Value::Name(mode)) => vec![Value::Name(mode)],
        Some(Value::Array(modes)) => modes,
        _ => return,
    };
    let known = known
        .into_iter()
        .find(|mode| BLENDS.iter().any(|blend| mode.is_name(blend)));
    dict.set("BM", known.unwrap_or(Value::name("Normal")));
}

/// Corrects an annotation other than a popup (6.3.2, 6.3.3): sets its print flag unless it is hidden, and keeps only
/// its normal appearance.
fn annotation(store: &mut Store<'_>, dict: &mut Dict) {
    if store.is_name(dict.get("Subtype"), "Popup") {
        return;
    }
    let flags = store.integer(dict.get("F")).unwrap_or(0);
    if flags & faults::HIDDEN == 0 {
        dict.set("F", flags | PRINT);
    }
    if let Some(mut appearances) = store.dict(dict.get("AP"))
        && (appearances.has("D") || appearances.has("R"))
    {
        appearances.remove("D");
        appearances.remove("R");
        dict.set("AP", appearances);
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_of_configurations_are_unique() {
        let mut names = Names::default();
        let own = [Some("Layers 1"), None, Some("Layers 1"), None, Some("Plan")];
        let unique = own.map(|own| names.unique(own.map(str::to_owned)));
        assert_eq!(
            unique,
            ["Layers 1", "Layers", "Layers 2", "Layers 3", "Plan"]
        );
    }
}
