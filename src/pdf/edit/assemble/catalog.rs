//! The catalogue of an assembled document: the entries of the whole file, and those of picked or merged pages. Writes no
//! page.

use super::super::{
    archival,
    claims::Claims,
    forms::{Fields, Form},
    labels::{self, Labels},
    layers,
    outlines::{self, Entry},
    sources::Sources,
    store::Store,
    tag_keys,
    tags::{self, Tags},
    targets::{Target, Targets},
    trees,
    value::{Dict, Id, Value},
};
use super::{Picked, SourcePage};
use crate::{error::Result, job::Notes, numbered};
use std::collections::{HashMap, HashSet};

/// Entries taken from the catalogue of the first file.
const FIRST: [&str; 5] = [
    "ViewerPreferences",
    "PageLayout",
    "PageMode",
    "Lang",
    "Extensions",
];
/// Further entries taken from the catalogue if there is only one file.
const SINGLE_FILE_ENTRIES: [&str; 5] = ["Metadata", "OutputIntents", "AF", "MarkInfo", "URI"];

/// Catalogue entries taken from the first of several files if all of them claim the same standard: the metadata names
/// the standard, and the output intents of PDF/A files name the profile of their colours (ISO 19005-2, 6.2.3, 6.6.2).
const ARCHIVAL_KEYS: [&str; 2] = ["Metadata", "OutputIntents"];

/// The catalogue of a document that consists of all pages of one file.
pub(super) fn whole_catalog(store: &mut Store<'_>, notes: &mut Notes) -> Dict {
    let mut catalog = store.catalog(0);
    catalog.remove("Perms");
    catalog.remove("Threads");
    if let Some(form) = store.dict(catalog.get("AcroForm"))
        && store.integer(form.get("SigFlags")).unwrap_or(0) != 0
    {
        let mut unsigned = Form::default();
        let fields = Fields::of(store, 0);
        unsigned.add(store, 0, &fields, &fields.widgets());
        tell_form(&unsigned, notes);
        let mut form = form;
        form.remove("SigFlags");
        catalog.set("AcroForm", form);
    }
    catalog
}

/// The catalogue of a document of picked or merged pages.
pub(super) fn partial_catalog(
    store: &mut Store<'_>,
    sources: &Sources,
    picks: &[SourcePage],
    flat: bool,
    picked: &mut Picked,
    notes: &mut Notes,
) -> Result<Dict> {
    let count = sources.len();
    let is_alone = count == 1;
    let first = store.catalog(0);
    let mut catalog = Dict::default();
    let shared: &[&str] = match is_alone {
        true => &SINGLE_FILE_ENTRIES,
        false => claim_keys(store, count, notes),
    };
    let copied_keys = FIRST.iter().chain(shared);
    for key in copied_keys {
        if let Some(value) = first.get(key) {
            catalog.set(key, value.clone());
        }
    }
    let (mut form, mut tags, mut entries) = (Form::default(), Tags::default(), Vec::new());
    let (mut files, mut places) = (Vec::new(), Vec::new());
    let mut has_scripts = false;
    let root = store.next();
    for source in 0..count {
        store.check()?;
        // Leave out pages that were copied, such as the second occurrence of a page: outlines, fields and tags refer to
        // the original pages.
        let pages = picked.of_source[source as usize].iter().copied();
        let pages: Vec<Id> = pages.filter(|page| page.source == source).collect();
        let parts = sources.source(source).parts(store, source);
        let is_kept = |page: Id| picked.gone.kept.contains(&page);
        if let (Some(title), Some(page)) = (sources.titles.get(source as usize), pages.first()) {
            entries.push(Entry::of_file(title, *page));
        }
        let deeper = usize::from(!sources.titles.is_empty());
        parts.outline.pick(&pages, deeper, &mut entries);
        for page in &pages {
            places.extend(parts.places.get(page).into_iter().flatten().cloned());
        }
        let own = store.catalog(source);
        if is_alone && let Some(opening) = own.get("OpenAction") {
            let opening = opening.clone();
            open_at(store, &parts.targets, &opening, &is_kept, &mut catalog);
        }
        let names = store.dict(own.get("Names")).unwrap_or_default();
        has_scripts |= names.has("JavaScript") || own.has("AA");
        files.extend(trees::entries(store, names.get("EmbeddedFiles"), "Names"));
        if !flat {
            let widgets = annotations(store, &pages);
            form.add(store, source, &parts.fields, &widgets);
        }
        let is_all = !flat && pages.len() == sources.source(source).pages.len();
        let keys = match &parts.structure {
            Some(_) if !is_all => Some(tag_keys::keys(store, &pages)),
            _ => None,
        };
        let structure = parts.structure.as_ref();
        let pages = tags::Pages {
            kept: &pages,
            gone: &picked.gone,
            keys: keys.as_ref(),
        };
        tags.add(store, source, structure, &pages, root);
    }
    if let Some(outline) = outlines::write(store, entries) {
        catalog.set("Outlines", outline);
    }
    names(store, &mut catalog, places, files);
    tell_form(&form, notes);
    if let Some(form) = form.write(store) {
        catalog.set("AcroForm", form);
    }
    let is_untagged = tags.untagged > 0;
    if tags.write(store, root) {
        catalog.set("StructTreeRoot", root);
        let mut marked = Dict::default();
        marked.set("Marked", Value::Bool(!is_untagged));
        catalog.set("MarkInfo", marked);
    } else {
        catalog.remove("MarkInfo");
    }
    let labels: Vec<&Labels> = (0..count)
        .map(|source| &sources.source(source).parts(store, source).labels)
        .collect();
    let numbers = picks.iter().map(|pick| (pick.source, pick.index));
    if let Some(labels) = labels::write(store, &labels, numbers) {
        catalog.set("PageLabels", labels);
    }
    if let Some(layers) = layers::merge(store) {
        catalog.set("OCProperties", layers);
    }
    if has_scripts {
        notes.add("Scripts of the PDF were left out.");
    }
    Ok(catalog)
}

/// The annotations of pages.
fn annotations(store: &mut Store<'_>, pages: &[Id]) -> HashSet<Id> {
    let mut all = HashSet::new();
    for page in pages {
        let dict = store.dict_of(*page).unwrap_or_default();
        let listed = store.array(dict.get("Annots")).unwrap_or_default();
        all.extend(listed.iter().filter_map(Value::as_ref));
    }
    all
}

/// Returns the keys of the first file's catalogue whose entries claim its standard. Empty if the files claim no
/// standard, if their claims or output intents differ, or if they claim PDF/A without an output intent.
fn claim_keys(store: &mut Store<'_>, count: u32, notes: &mut Notes) -> &'static [&'static str] {
    let mut all = Vec::new();
    for source in 0..count {
        let catalog = store.catalog(source);
        let claims = Claims::of(store, &catalog);
        let colours = archival::intent(store, &catalog);
        all.push((claims, colours));
    }
    let Some((claims, colours)) = all
        .first()
        .filter(|(claims, _)| *claims != Claims::default())
    else {
        return &[];
    };
    if all[1..]
        .iter()
        .any(|other| *other != (claims.clone(), *colours))
    {
        notes.add("The files follow different standards for archives or accessibility (PDF/A, PDF/UA), so the result claims none of them.");
        return &[];
    }
    match (claims.is_archive(), colours) {
        (true, Some(_)) => &ARCHIVAL_KEYS,
        (true, None) => &[],
        (false, _) => &ARCHIVAL_KEYS[..1],
    }
}

/// Sets the destination of the open action in `catalog`, if its page remains.
fn open_at(
    store: &mut Store<'_>,
    targets: &Targets,
    opening: &Value,
    is_kept: &dyn Fn(Id) -> bool,
    catalog: &mut Dict,
) {
    let mut link = Dict::default();
    match store.resolve(opening) {
        Value::Dict(action) if action.has("S") => link.set("A", action),
        place => link.set("Dest", place),
    }
    if let Some(Target::Page(page, place)) = targets.of_link(store, &link)
        && is_kept(page)
    {
        catalog.set("OpenAction", place);
    }
}

/// Writes the name trees of destinations and attached files. If two destinations have the same name, the first one
/// counts. Attached files with the same name are renamed.
fn names(
    store: &mut Store<'_>,
    catalog: &mut Dict,
    mut places: Vec<(Box<[u8]>, Value)>,
    files: Vec<(Value, Value)>,
) {
    let mut all = Dict::default();
    places.sort_by(|one, other| one.0.cmp(&other.0));
    places.dedup_by(|one, other| one.0 == other.0);
    let places = places
        .into_iter()
        .map(|(name, place)| (Value::Text(name), place));
    if let Some(tree) = trees::build(store, places.collect(), "Names") {
        all.set("Dests", tree);
    }
    let mut named: HashMap<Box<[u8]>, Value> = HashMap::new();
    for (name, file) in files {
        let Value::Text(name) = name else {
            continue;
        };
        let own = numbered::free(
            |end| [&name[..], end.as_bytes()].concat().into_boxed_slice(),
            |own| !named.contains_key(own),
        );
        named.insert(own, file);
    }
    let mut files: Vec<_> = named.into_iter().collect();
    files.sort_by(|one, other| one.0.cmp(&other.0));
    let files = files
        .into_iter()
        .map(|(name, file)| (Value::Text(name), file));
    if let Some(tree) = trees::build(store, files.collect(), "Names") {
        all.set("EmbeddedFiles", tree);
    }
    if !all.is_empty() {
        catalog.set("Names", all);
    }
}

fn tell_form(form: &Form, notes: &mut Notes) {
    if form.signatures > 0 {
        notes.add("The PDF was signed; its signatures were removed, because they are not valid for a changed file.");
    }
    if form.had_xfa {
        notes.add("The XFA form of the PDF was left out; its ordinary form fields were kept.");
    }
    match form.renamed {
        0 => {}
        1 => notes
            .add("A form field was renamed, because another file has a field of the same name."),
        count => notes.add(format!(
            "{count} form fields were renamed, because other files have fields of the same names."
        )),
    }
}
