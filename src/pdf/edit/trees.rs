//! Name trees and number trees (ISO 32000-2, 7.9.6 and 7.9.7): read as lists, written as trees of one or two levels.

use super::{
    store::Store,
    value::{Dict, Id, Value},
};
use std::collections::HashSet;

/// Limit on the entries and nodes of a tree that are read.
const MAX: usize = 500_000;
/// Number of entries in each leaf that is written.
const ENTRIES_PER_LEAF: usize = 64;

/// All entries of a tree, whose leaves have them under `key` (`Names` or `Nums`), in order. A node that occurs several
/// times, such as one that contains itself, counts once.
pub(super) fn entries(
    store: &mut Store<'_>,
    root: Option<&Value>,
    key: &str,
) -> Vec<(Value, Value)> {
    let mut found = Vec::new();
    let Some(root) = root else {
        return found;
    };
    let mut seen: HashSet<Id> = HashSet::new();
    let mut open = vec![root.clone()];
    let mut nodes = 0;
    while let Some(node) = open.pop() {
        nodes += 1;
        if nodes > MAX || found.len() > MAX {
            break;
        }
        if node.as_ref().is_some_and(|id| !seen.insert(id)) {
            continue;
        }
        let Some(node) = store.dict(Some(&node)) else {
            continue;
        };
        if let Some(pairs) = store.array(node.get(key)) {
            let mut pairs = pairs.into_iter();
            while let (Some(name), Some(value)) = (pairs.next(), pairs.next()) {
                found.push((store.resolve(&name), value));
            }
        }
        if let Some(kids) = store.array(node.get("Kids")) {
            open.extend(kids.into_iter().rev());
        }
    }
    found
}

/// Makes a tree of entries, which must be sorted. `None` without entries.
pub(super) fn build(store: &mut Store<'_>, entries: Vec<(Value, Value)>, key: &str) -> Option<Id> {
    let leaf = |group: &[(Value, Value)]| -> Value {
        let pairs = group
            .iter()
            .flat_map(|(name, value)| [name.clone(), value.clone()]);
        Value::Array(pairs.collect())
    };
    if entries.is_empty() {
        return None;
    }
    let mut root = Dict::default();
    if entries.len() <= ENTRIES_PER_LEAF {
        root.set(key, leaf(&entries));
        return Some(store.add(root));
    }
    let mut kids = Vec::new();
    for group in entries.chunks(ENTRIES_PER_LEAF) {
        let mut node = Dict::default();
        let limits = vec![group[0].0.clone(), group[group.len() - 1].0.clone()];
        node.set("Limits", limits);
        node.set(key, leaf(group));
        kids.push(Value::Ref(store.add(node)));
    }
    root.set("Kids", kids);
    Some(store.add(root))
}
