//! The pages of a file, with the attributes that they inherit from the page tree (ISO 32000-2, 7.7.3.4). Does not
//! change pages.

use super::{
    store::Store,
    value::{Dict, Id, Value},
};
use std::collections::HashSet;

/// Entries that a page may inherit.
const INHERITED: [&str; 4] = ["Resources", "MediaBox", "CropBox", "Rotate"];
/// Limit on the nodes of a page tree.
const MAX_NODES: usize = 200_000;
/// Limit on the height of a page tree.
const MAX_LEVELS: usize = 200;

/// The objects of all pages of a file, in order; `None` for a page that is a direct object.
pub(super) fn ids(store: &Store<'_>, source: u32) -> Vec<Option<Id>> {
    let pages = store.sources()[source as usize].pages().iter();
    pages
        .map(|page| page.raw().obj_id().map(|id| Id::of(source, id)))
        .collect()
}

/// The nodes of a file's page tree above its pages (7.7.3.2), and whether a node occurs in the tree again, as in a
/// cycle, or there are too many nodes.
pub(super) fn nodes(
    store: &mut Store<'_>,
    source: u32,
    pages: &HashSet<Id>,
) -> (HashSet<Id>, bool) {
    let mut nodes = HashSet::new();
    let mut has_cycle = false;
    let catalog = store.catalog(source);
    let mut open: Vec<Id> = catalog
        .get("Pages")
        .and_then(Value::as_ref)
        .into_iter()
        .collect();
    while let Some(id) = open.pop() {
        let node = store.dict_of(id).unwrap_or_default();
        let Some(kids) = store.array(node.get("Kids")) else {
            continue;
        };
        if !nodes.insert(id) || nodes.len() > MAX_NODES {
            has_cycle = true;
            continue;
        }
        let below = kids.iter().filter_map(Value::as_ref);
        open.extend(below.filter(|kid| !pages.contains(kid)));
    }
    (nodes, has_cycle)
}

/// The page with this index, with its inherited entries copied into it.
pub(super) fn page(store: &mut Store<'_>, source: u32, index: usize) -> Dict {
    let pdf = store.sources()[source as usize];
    let Some(page) = pdf.pages().get(index) else {
        return Dict::default();
    };
    let own = page.raw().obj_id().map(|id| Id::of(source, id));
    let read = own.and_then(|id| store.dict_of(id));
    let mut dict = read.unwrap_or_else(|| Dict::read(source, page.raw()));
    let mut missing: Vec<&str> = INHERITED.into_iter().filter(|key| !dict.has(key)).collect();
    let mut seen = HashSet::new();
    let mut parent = dict.get("Parent").cloned();
    for _ in 0..MAX_LEVELS {
        if missing.is_empty()
            || parent
                .as_ref()
                .and_then(Value::as_ref)
                .is_some_and(|id| !seen.insert(id))
        {
            break;
        }
        let Some(node) = store.dict(parent.as_ref()) else {
            break;
        };
        missing.retain(|key| match node.get(key) {
            Some(value) => {
                dict.set(key, value.clone());
                false
            }
            None => true,
        });
        parent = node.get("Parent").cloned();
    }
    // The media box is required. If it is missing, use the one that the reader assumed.
    if store
        .array(dict.get("MediaBox"))
        .is_none_or(|sides| sides.len() != 4)
    {
        let area = page.media_box();
        let sides = [area.x0, area.y0, area.x1, area.y1].map(Value::Real);
        dict.set("MediaBox", sides.to_vec());
    }
    if store.dict(dict.get("Resources")).is_none() {
        dict.set("Resources", Dict::default());
    }
    dict.set("Type", Value::name("Page"));
    dict.remove("Parent");
    dict
}

/// Rotation of a page, in degrees clockwise: a multiple of 90 from 0 to 270.
pub(super) fn rotation(store: &mut Store<'_>, page: &Dict) -> i64 {
    let degrees = store.integer(page.get("Rotate")).unwrap_or(0);
    degrees.div_euclid(90).rem_euclid(4) * 90
}

/// The visible part of a page, in its own coordinates: left, bottom, right and top.
pub(super) fn seen(store: &mut Store<'_>, page: &Dict) -> [f64; 4] {
    let mut area = |key| {
        let sides = store.array(page.get(key))?;
        let sides: Vec<f64> = sides
            .iter()
            .filter_map(|side| store.number(Some(side)))
            .collect();
        let [a, b, c, d] = <[f64; 4]>::try_from(sides).ok()?;
        Some([a.min(c), b.min(d), a.max(c), b.max(d)])
    };
    let media = area("MediaBox").unwrap_or([0.0, 0.0, 612.0, 792.0]);
    let Some(crop) = area("CropBox") else {
        return media;
    };
    let both = [
        crop[0].max(media[0]),
        crop[1].max(media[1]),
        crop[2].min(media[2]),
        crop[3].min(media[3]),
    ];
    if both[0] < both[2] && both[1] < both[3] {
        both
    } else {
        media
    }
}
