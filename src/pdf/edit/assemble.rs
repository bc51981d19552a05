//! Puts pages of one or several files into one document, with everything that belongs to them. Renders nothing.
//!
//! If a document consists of all pages of one file in their order, and annotations are not flattened, it has the
//! catalogue of that file. Otherwise a new catalogue is built from the entries of the files that concern the kept
//! pages. No reference to a removed page may remain: it would bring back that page, and with it its whole file.

use super::{
    archival,
    claims::Claims,
    flatten::{self, Flat},
    forms::{Fields, Form},
    labels::{self, Labels},
    layers, leaves,
    outlines::{self, Entry},
    overlay,
    sources::{DroppedObjects, Sources},
    store::Store,
    tags::{self, Tags},
    targets::{Target, Targets},
    trees,
    value::{Dict, Id, Value},
};
use crate::{error::Result, job::Notes, numbered};
use std::collections::{HashMap, HashSet};

/// Pages below one node of the page tree.
const PAGES_PER_NODE: usize = 64;
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

/// A page of one of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SourcePage {
    /// Number of the file, from 0.
    pub(super) source: u32,
    /// Number of the page in its file, from 0.
    pub(super) index: usize,
}

/// The assembled document.
pub(super) struct Assembly {
    pub(super) catalog: Id,
    pub(super) pages: Vec<Id>,
    pub(super) gone: DroppedObjects,
}

/// The picked pages of all files.
struct Picked {
    pages: Vec<Id>,
    /// The picked pages, by file.
    of_source: Vec<Vec<Id>>,
    gone: DroppedObjects,
    lost_links: usize,
    lost_widgets: usize,
}

/// Assembles pages into a document. If `flat`, form fields and comments become part of the page content.
///
/// Errors: there is not enough memory, or the job is to end.
pub(super) fn assemble(
    store: &mut Store<'_>,
    sources: &Sources,
    picks: &[SourcePage],
    flat: bool,
    notes: &mut Notes,
) -> Result<Assembly> {
    let is_whole = sources.len() == 1
        && !flat
        && picks.len() == sources.source(0).pages.len()
        && picks.iter().enumerate().all(|(at, pick)| pick.index == at);
    if !is_whole {
        for source in 0..sources.len() {
            store.check()?;
            sources.source(source).parts(store, source);
        }
    }
    let mut picked = pick(store, sources, picks)?;
    let mut catalog = if is_whole {
        whole_catalog(store, notes)
    } else {
        for source in 0..sources.len() {
            links(store, sources, source, flat, &mut picked)?;
        }
        partial_catalog(store, sources, picks, flat, &mut picked, notes)?
    };
    add_notes(&picked, notes);
    catalog.set("Type", Value::name("Catalog"));
    let tree = page_tree(store, &picked.pages);
    catalog.set("Pages", tree);
    Ok(Assembly {
        catalog: store.add(catalog),
        pages: picked.pages,
        gone: picked.gone,
    })
}

/// Gives each picked page an object of its own.
fn pick(store: &mut Store<'_>, sources: &Sources, picks: &[SourcePage]) -> Result<Picked> {
    let mut pages = Vec::with_capacity(picks.len());
    let mut kept = HashSet::new();
    let mut of_source = vec![Vec::new(); sources.len() as usize];
    let mut lost_widgets = 0;
    for pick in picks {
        store.check()?;
        let mut dict = leaves::page(store, pick.source, pick.index);
        // An article thread may lead through removed pages, so the page loses its part of the thread (`B`).
        dict.remove("B");
        let own = sources.source(pick.source).pages.get(pick.index);
        let own = own.copied().flatten();
        let id = match own {
            Some(id) if kept.insert(id) => id,
            Some(_) => {
                let id = store.next();
                lost_widgets += prepare_repeated(store, &mut dict, id);
                kept.insert(id);
                id
            }
            None => {
                let id = store.next();
                kept.insert(id);
                id
            }
        };
        store.set(id, dict);
        of_source[pick.source as usize].push(id);
        pages.push(id);
    }
    Ok(Picked {
        pages,
        of_source,
        gone: sources.gone(kept),
        lost_links: 0,
        lost_widgets,
    })
}

/// Prepares a page that already occurs in the document. Removes its key for structure elements, which belong to the
/// first occurrence, and its widgets, which would share the fields of the first occurrence. Returns the number of
/// annotations that the page loses: widgets, popups and unreadable ones.
fn prepare_repeated(store: &mut Store<'_>, dict: &mut Dict, page: Id) -> usize {
    dict.remove("StructParents");
    let Some(annotations) = store.array(dict.get("Annots")) else {
        return 0;
    };
    let before = annotations.len();
    let mut copies = Vec::new();
    for annotation in annotations {
        let Some(mut own) = store.dict(Some(&annotation)) else {
            continue;
        };
        let is = |store: &mut Store<'_>, kind| store.is_name(own.get("Subtype"), kind);
        if is(store, "Widget") || is(store, "Popup") {
            continue;
        }
        own.remove("StructParent");
        own.remove("Popup");
        if own.has("P") {
            own.set("P", page);
        }
        copies.push(Value::Ref(store.add(own)));
    }
    let lost = before - copies.len();
    dict.set("Annots", copies);
    lost
}

/// The catalogue of a document that consists of all pages of one file.
fn whole_catalog(store: &mut Store<'_>, notes: &mut Notes) -> Dict {
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

/// Removes links to removed pages, and gives links to kept pages explicit destinations instead of names. If `flat`,
/// other annotations become page content.
fn links(
    store: &mut Store<'_>,
    sources: &Sources,
    source: u32,
    flat: bool,
    picked: &mut Picked,
) -> Result<()> {
    let targets = &sources.source(source).parts(store, source).targets;
    for page in picked.of_source[source as usize].clone() {
        store.check()?;
        let Some(mut dict) = store.dict_of(page) else {
            continue;
        };
        let Some(annotations) = store.array(dict.get("Annots")) else {
            continue;
        };
        let mut left = Vec::with_capacity(annotations.len());
        let mut overlays = Vec::new();
        for annotation in annotations {
            let Some(mut own) = store.dict(Some(&annotation)) else {
                continue;
            };
            if flat && let Flat::Drawn(overlay) = flatten::flat(store, &own) {
                overlays.extend(overlay);
                picked.gone.add(annotation.as_ref());
                continue;
            }
            if store.is_name(own.get("Subtype"), "Link") {
                match targets.of_link(store, &own) {
                    Some(Target::Page(to, place)) if picked.gone.kept.contains(&to) => {
                        Targets::settle(&mut own, place);
                        if let Value::Ref(id) = annotation {
                            store.set(id, own);
                        }
                    }
                    Some(Target::Page(..)) => {
                        picked.lost_links += 1;
                        picked.gone.add(annotation.as_ref());
                        continue;
                    }
                    Some(Target::Unknown) | None => {}
                }
            }
            left.push(annotation);
        }
        dict.set("Annots", left);
        store.set(page, dict);
        overlay::draw(store, page, &[], &overlays);
    }
    Ok(())
}

/// The catalogue of a document of picked or merged pages.
fn partial_catalog(
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
            Some(_) if !is_all => Some(tags::keys(store, &pages)),
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

/// Writes a page tree: a root with the pages, or a root with nodes of [`PAGES_PER_NODE`] pages each if there are more.
/// Returns the root.
fn page_tree(store: &mut Store<'_>, pages: &[Id]) -> Id {
    let root = store.next();
    let mut kids = Vec::new();
    for group in pages.chunks(PAGES_PER_NODE) {
        let node = if pages.len() <= PAGES_PER_NODE {
            root
        } else {
            store.next()
        };
        for page in group {
            if let Some(mut dict) = store.dict_of(*page) {
                dict.set("Parent", node);
                store.set(*page, dict);
            }
        }
        if node != root {
            let mut dict = Dict::of_type("Pages");
            dict.set("Parent", root);
            dict.set("Count", group.len() as i64);
            dict.set(
                "Kids",
                group.iter().copied().map(Value::Ref).collect::<Vec<_>>(),
            );
            store.set(node, dict);
            kids.push(Value::Ref(node));
        }
    }
    let mut dict = Dict::of_type("Pages");
    dict.set("Count", pages.len() as i64);
    if kids.is_empty() {
        kids = pages.iter().copied().map(Value::Ref).collect();
    }
    dict.set("Kids", kids);
    store.set(root, dict);
    root
}

fn add_notes(picked: &Picked, notes: &mut Notes) {
    match picked.lost_links {
        0 => {}
        1 => notes.add("A link to a page that is not in the result was left out."),
        count => notes.add(format!(
            "{count} links to pages that are not in the result were left out."
        )),
    }
    if picked.lost_widgets > 0 {
        notes
            .add("A page that occurs twice in the PDF has form fields only where it occurs first.");
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
