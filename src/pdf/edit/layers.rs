//! Merges the layers (optional content, ISO 32000-2, 8.11) of several files. Does not evaluate layers.

use super::{
    store::Store,
    value::{Dict, Value},
};

/// Lists in the default configuration that are concatenated.
const LISTS: [&str; 6] = ["ON", "OFF", "Order", "Locked", "RBGroups", "AS"];

/// Merges the layers of all files. `None` if no file has layers.
pub(super) fn merge(store: &mut Store<'_>) -> Option<Value> {
    let count = store.sources().len() as u32;
    if count == 1 {
        return store.catalog(0).get("OCProperties").cloned();
    }
    let (mut groups, mut config) = (Vec::new(), Dict::default());
    let mut lists: [Vec<Value>; LISTS.len()] = Default::default();
    for source in 0..count {
        let catalog = store.catalog(source);
        let Some(own) = store.dict(catalog.get("OCProperties")) else {
            continue;
        };
        let layers = store.array(own.get("OCGs")).unwrap_or_default();
        let default = store.dict(own.get("D")).unwrap_or_default();
        // Base states may differ between the files, so the result has the default, `ON`, and the layers that are off by
        // a base state are added to the list `OFF`.
        if store.is_name(default.get("BaseState"), "OFF") {
            let on = store.array(default.get("ON")).unwrap_or_default();
            let off = layers.iter().filter(|layer| !on.contains(layer));
            lists[1].extend(off.cloned());
        }
        for (key, list) in LISTS.iter().zip(&mut lists) {
            list.extend(store.array(default.get(key)).unwrap_or_default());
        }
        groups.extend(layers);
    }
    if groups.is_empty() {
        return None;
    }
    for (key, list) in LISTS.into_iter().zip(lists) {
        if !list.is_empty() {
            config.set(key, list);
        }
    }
    let mut all = Dict::default();
    all.set("OCGs", groups);
    all.set("D", config);
    Some(all.into())
}
