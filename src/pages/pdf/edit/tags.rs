//! The structure (tags) of pages that are picked or put together (ISO 32000-2, 14.7): elements without content go, the others stay, and every
//! content finds its element again.
//!
//! Content names its element by a key in the tree of parents. Elements are found from there upwards, not from the root downwards, so that a few pages
//! of a long file cost little. The trap is that keys are numbers of one file: where files are put together, they are shifted in pages, annotations and forms.

use super::{
    store::{Object, Store},
    trees,
    value::{Dict, Id, Value},
};
use std::collections::{HashMap, HashSet};

/// The elements of all files together.
const MOST: usize = 2_000_000;
/// How many forms are looked into for keys.
const MOST_FORMS: usize = 100_000;

/// What is gone: pages, and annotations.
pub(super) type Gone = HashSet<Id>;

/// The structure of all pages.
#[derive(Default)]
pub(super) struct Tags {
    kids: Vec<Value>,
    parents: Vec<(Value, Value)>,
    names: Vec<(Value, Value)>,
    roles: Dict,
    classes: Dict,
    spaces: Vec<Value>,
    next: i64,
    /// Files that had no structure.
    pub(super) untagged: usize,
}

impl Tags {
    /// Adds the structure of a file, whose kept pages and their annotations are these. `gone_keys` are the keys of content that is gone.
    pub(super) fn add(
        &mut self,
        store: &mut Store<'_>,
        source: u32,
        pages: &[Id],
        gone: &Gone,
        gone_keys: &HashSet<i64>,
        root: Id,
    ) {
        let catalog = store.catalog(source);
        let Some(tree) = store.dict(catalog.get("StructTreeRoot")) else {
            self.untagged += 1;
            pages.iter().for_each(|page| forget(store, *page));
            return;
        };
        let shift = self.next;
        let mut parents = trees::entries(store, tree.get("ParentTree"), "Nums");
        parents.retain(|(key, _)| key.integer().is_some_and(|key| !gone_keys.contains(&key)));
        let kept = self.kept(store, &parents);
        for id in &kept {
            prune(store, *id, &kept, gone);
        }
        let top = match tree.get("K").map(|kids| store.resolve(kids)) {
            Some(Value::Array(kids)) => kids,
            Some(Value::Dict(_)) => tree.get("K").cloned().into_iter().collect(),
            _ => Vec::new(),
        };
        for kid in top {
            if let Value::Ref(id) = kid
                && kept.contains(&id)
                && let Some(mut element) = store.dict_of(id)
            {
                element.set("P", root);
                if let Some(language) = catalog.get("Lang")
                    && !element.has("Lang")
                {
                    element.set("Lang", language.clone());
                }
                store.set(id, element);
                self.kids.push(kid);
            }
        }
        let mut most = shift;
        for (key, value) in parents {
            let key = key.integer().unwrap_or(0) + shift;
            most = most.max(key + 1);
            self.parents.push((Value::Integer(key), value));
        }
        let next = store.integer(tree.get("ParentTreeNextKey")).unwrap_or(0);
        self.next = most.max(shift.saturating_add(next.clamp(0, 1 << 31)));
        if shift > 0 {
            self::shift(store, pages, shift);
        }
        for (name, element) in trees::entries(store, tree.get("IDTree"), "Names") {
            let is_kept = element.as_ref().is_some_and(|id| kept.contains(&id));
            if is_kept && self.names.iter().all(|(known, _)| *known != name) {
                self.names.push((name, element));
            }
        }
        for (key, all) in [
            ("RoleMap", &mut self.roles),
            ("ClassMap", &mut self.classes),
        ] {
            for (name, value) in store.dict(tree.get(key)).unwrap_or_default().entries() {
                if all.entries().all(|(known, _)| known != name) {
                    all.push(name, value.clone());
                }
            }
        }
        self.spaces
            .extend(store.array(tree.get("Namespaces")).unwrap_or_default());
    }

    /// The elements that these content belongs to, and those around them.
    fn kept(&self, store: &mut Store<'_>, parents: &[(Value, Value)]) -> HashSet<Id> {
        let mut kept = HashSet::new();
        for (_, value) in parents {
            let elements = match store.resolve(value) {
                Value::Array(elements) => elements,
                _ => vec![value.clone()],
            };
            for element in elements {
                let mut next = element.as_ref();
                while let Some(id) = next.filter(|id| kept.len() < MOST && !kept.contains(id)) {
                    let Some(element) = store.dict_of(id).filter(|element| element.has("S")) else {
                        break;
                    };
                    kept.insert(id);
                    next = element.get("P").and_then(Value::as_ref);
                }
            }
        }
        kept
    }

    /// Writes the structure as the object `root`. Returns whether there is any.
    pub(super) fn write(mut self, store: &mut Store<'_>, root: Id) -> bool {
        if self.kids.is_empty() {
            return false;
        }
        self.parents
            .sort_by_key(|(key, _)| key.integer().unwrap_or(0));
        let mut dict = Dict::of_type("StructTreeRoot");
        dict.set("K", self.kids);
        if let Some(parents) = trees::build(store, self.parents, "Nums") {
            dict.set("ParentTree", parents);
        }
        dict.set("ParentTreeNextKey", self.next);
        let bytes = |value: &Value| match value {
            Value::Text(text) => text.clone(),
            _ => Box::default(),
        };
        self.names.sort_by_key(|(name, _)| bytes(name));
        if let Some(names) = trees::build(store, self.names, "Names") {
            dict.set("IDTree", names);
        }
        for (key, all) in [("RoleMap", self.roles), ("ClassMap", self.classes)] {
            if !all.is_empty() {
                dict.set(key, all);
            }
        }
        if !self.spaces.is_empty() {
            dict.set("Namespaces", self.spaces);
        }
        store.set(root, dict);
        true
    }
}

/// Takes out of an element what is gone.
fn prune(store: &mut Store<'_>, id: Id, kept: &HashSet<Id>, gone: &Gone) {
    let Some(mut element) = store.dict_of(id) else {
        return;
    };
    let is_gone = |value: Option<&Value>| {
        value
            .and_then(Value::as_ref)
            .is_some_and(|id| gone.contains(&id))
    };
    let own_is_gone = is_gone(element.get("Pg"));
    let kids = match element.get("K") {
        Some(Value::Ref(kid)) => match &*store.object(*kid) {
            Object::Value(Value::Array(kids)) => kids.clone(),
            _ => vec![Value::Ref(*kid)],
        },
        Some(Value::Array(kids)) => kids.clone(),
        Some(kid) => vec![kid.clone()],
        None => Vec::new(),
    };
    let mut stays = |kid: &Value| match kid {
        Value::Integer(_) => !own_is_gone,
        Value::Ref(id) if kept.contains(id) => true,
        _ => store.dict(Some(kid)).is_some_and(|held| {
            let is_element = held.has("S");
            let page = held.get("Pg").or(element.get("Pg"));
            !is_element && !is_gone(page) && !is_gone(held.get("Obj"))
        }),
    };
    let left: Vec<Value> = kids.iter().filter(|kid| stays(kid)).cloned().collect();
    if own_is_gone {
        element.remove("Pg");
    }
    element.set("K", left);
    let leads_away = |value: &Value| value.as_ref().is_some_and(|id| !kept.contains(&id));
    if let Some(related) = store.array(element.get("Ref"))
        && related.iter().any(leads_away)
    {
        element.remove("Ref");
    }
    store.set(id, element);
}

/// Takes the keys from a page whose file has no structure.
fn forget(store: &mut Store<'_>, page: Id) {
    if let Some(mut dict) = store.dict_of(page)
        && dict.remove("StructParents").is_some()
    {
        store.set(page, dict);
    }
}

/// Adds to the keys of pages, of their annotations, and of the forms that they show.
fn shift(store: &mut Store<'_>, pages: &[Id], by: i64) {
    let mut seen = HashSet::new();
    let mut forms: Vec<Id> = Vec::new();
    for page in pages {
        let Some(mut dict) = store.dict_of(*page) else {
            continue;
        };
        if let Some(key) = store.integer(dict.get("StructParents")) {
            dict.set("StructParents", key + by);
            store.set(*page, dict.clone());
        }
        for annotation in store.array(dict.get("Annots")).unwrap_or_default() {
            if let Value::Ref(id) = annotation
                && seen.insert(id)
                && let Some(mut own) = store.dict_of(id)
                && let Some(key) = store.integer(own.get("StructParent"))
            {
                own.set("StructParent", key + by);
                store.set(id, own);
            }
        }
        forms.extend(shown(store, dict.get("Resources")));
    }
    while let Some(id) = forms.pop() {
        if seen.len() > MOST_FORMS || !seen.insert(id) {
            continue;
        }
        let Object::Stream(mut dict, data) = (*store.object(id)).clone() else {
            continue;
        };
        let mut is_changed = false;
        for key in ["StructParents", "StructParent"] {
            if let Some(own) = store.integer(dict.get(key)) {
                dict.set(key, own + by);
                is_changed = true;
            }
        }
        forms.extend(shown(store, dict.get("Resources")));
        if is_changed {
            store.set(id, Object::Stream(dict, data));
        }
    }
}

/// The forms and pictures among resources.
fn shown(store: &mut Store<'_>, resources: Option<&Value>) -> Vec<Id> {
    let resources = store.dict(resources).unwrap_or_default();
    let objects = store.dict(resources.get("XObject")).unwrap_or_default();
    objects.values().filter_map(Value::as_ref).collect()
}

/// The keys of content on pages, and of their annotations.
pub(super) fn keys(
    store: &mut Store<'_>,
    pages: &[Id],
    annotations: &HashMap<Id, Vec<Id>>,
) -> HashSet<i64> {
    let mut keys = HashSet::new();
    for page in pages {
        let Some(dict) = store.dict_of(*page) else {
            continue;
        };
        keys.extend(store.integer(dict.get("StructParents")));
        let listed = match annotations.get(page) {
            Some(listed) => listed.clone(),
            None => {
                let listed = store.array(dict.get("Annots")).unwrap_or_default();
                listed.iter().filter_map(Value::as_ref).collect()
            }
        };
        for id in listed {
            let own = store.dict_of(id).unwrap_or_default();
            keys.extend(store.integer(own.get("StructParent")));
        }
    }
    keys
}
