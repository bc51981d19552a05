//! Puts pages of one or several files into one document, with everything that belongs to them. Renders nothing.
//!
//! If a document consists of all pages of one file in their order, and annotations are not flattened, it has the
//! catalogue of that file. Otherwise a new catalogue is built from the entries of the files that concern the kept
//! pages. No reference to a removed page may remain: it would bring back that page, and with it its whole file.

mod catalog;

use super::{
    flatten::{self, Flat},
    leaves, overlay,
    sources::{DroppedObjects, Sources},
    store::Store,
    targets::{Target, Targets},
    value::{Dict, Id, Value},
};
use crate::{error::Result, job::Notes};
use catalog::{partial_catalog, whole_catalog};
use std::collections::HashSet;

/// Pages below one node of the page tree.
const PAGES_PER_NODE: usize = 64;

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
        for mut annotation in annotations {
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
                        match annotation {
                            Value::Ref(id) => store.set(id, own),
                            _ => annotation = Value::Dict(own),
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
