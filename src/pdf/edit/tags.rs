//! The structure (tags) of picked or merged pages (ISO 32000-2, 14.7): elements without remaining content are removed,
//! and all remaining content stays connected to its element.
//!
//! Content refers to its element by a key in the parent tree. Elements are found from there upwards, not from the root
//! downwards, so that a few pages of a long file cost little. Keys are unique only within one file, so in a merge they
//! are shifted in pages, annotations and forms.
//!
//! A file that is split into single pages is read only once ([`Structure`]), and each part visits only its own
//! elements.

use super::{
    sources::DroppedObjects,
    store::{Object, Store},
    tag_keys::shift,
    trees,
    value::{Dict, Id, Value},
};
use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap, HashSet},
    rc::Rc,
};

/// Limit on the elements of all files together.
const MAX: usize = 2_000_000;
/// An element with more children than this gets an index ([`WideElement`]), so that not all of its children are
/// searched for each part of a split file.
const WIDE: usize = 64;

/// The structure of an input file.
pub(super) struct Structure {
    tree: Dict,
    /// Parent elements of content, by the key of the content.
    parents: HashMap<i64, Value>,
    /// Entries of `IDTree` by element.
    names: HashMap<Id, Vec<Value>>,
    /// Indices of the elements with many children, made at first use.
    wide: RefCell<HashMap<Id, Rc<WideElement>>>,
}

/// Index of the children of an element with many children.
struct WideElement {
    /// Positions of the children that are elements.
    elements: HashMap<Id, usize>,
    /// Positions of all other children.
    content: Vec<usize>,
}

impl Structure {
    /// The structure of a file. `None` if it has none.
    pub(super) fn of(store: &mut Store<'_>, source: u32) -> Option<Self> {
        let catalog = store.catalog(source);
        let tree = store.dict(catalog.get("StructTreeRoot"))?;
        let parents = trees::entries(store, tree.get("ParentTree"), "Nums");
        let parents = parents
            .into_iter()
            .filter_map(|(key, value)| Some((key.integer()?, value)))
            .collect();
        let mut names: HashMap<Id, Vec<Value>> = HashMap::new();
        for (name, element) in trees::entries(store, tree.get("IDTree"), "Names") {
            if let Some(id) = element.as_ref() {
                names.entry(id).or_default().push(name);
            }
        }
        Some(Self {
            tree,
            parents,
            names,
            wide: RefCell::default(),
        })
    }

    /// The entries of the parent tree with these keys, or all of them, in order.
    fn parents(&self, keys: Option<&HashSet<i64>>) -> Vec<(i64, Value)> {
        let entry = |key: &i64| Some((*key, self.parents.get(key)?.clone()));
        let mut parents: Vec<_> = match keys {
            Some(keys) => keys.iter().filter_map(entry).collect(),
            None => self.parents.keys().filter_map(entry).collect(),
        };
        parents.sort_by_key(|(key, _)| *key);
        parents
    }

    /// Indexes the children of an element: elements and other content separately.
    fn wide(&self, store: &mut Store<'_>, id: Id, kids: &[Value]) -> Rc<WideElement> {
        if let Some(known) = self.wide.borrow().get(&id) {
            return known.clone();
        }
        let mut wide = WideElement {
            elements: HashMap::new(),
            content: Vec::new(),
        };
        for (at, kid) in kids.iter().enumerate() {
            match kid {
                Value::Ref(kid) if is_element(store, *kid) => {
                    wide.elements.insert(*kid, at);
                }
                _ => wide.content.push(at),
            }
        }
        let wide = Rc::new(wide);
        self.wide.borrow_mut().insert(id, wide.clone());
        wide
    }
}

/// The elements that remain, and their nesting.
#[derive(Default)]
struct KeptElements {
    /// All elements that remain.
    all: HashSet<Id>,
    /// The children that remain of each element.
    below: HashMap<Id, Vec<Id>>,
}

fn is_element(store: &mut Store<'_>, id: Id) -> bool {
    matches!(&*store.object(id), Object::Value(Value::Dict(dict)) if dict.has("S"))
}

/// The pages of a file that remain in the result.
pub(super) struct Pages<'p> {
    /// The pages that remain.
    pub(super) kept: &'p [Id],
    /// The objects that are dropped.
    pub(super) gone: &'p DroppedObjects,
    /// The parent-tree keys of the content of these pages; `None` stands for the whole file.
    pub(super) keys: Option<&'p HashSet<i64>>,
}

/// The structure of all pages.
#[derive(Default)]
pub(super) struct Tags {
    /// Top-level elements.
    kids: Vec<Value>,
    /// Entries of `ParentTree`, with shifted keys.
    parents: Vec<(Value, Value)>,
    /// Entries of `IDTree`.
    names: Vec<(Value, Value)>,
    roles: Dict,
    classes: Dict,
    spaces: Vec<Value>,
    /// The lowest key of the parent tree that no file uses.
    next: i64,
    /// Number of files without a structure.
    pub(super) untagged: usize,
}

impl Tags {
    /// Adds the structure of a file below a root. `pages` are the pages of the file that remain.
    pub(super) fn add(
        &mut self,
        store: &mut Store<'_>,
        source: u32,
        structure: Option<&Structure>,
        pages: &Pages<'_>,
        root: Id,
    ) {
        let Pages {
            kept: pages,
            gone,
            keys,
        } = *pages;
        let catalog = store.catalog(source);
        let Some(structure) = structure else {
            self.untagged += 1;
            pages.iter().for_each(|page| forget(store, *page));
            return;
        };
        let tree = &structure.tree;
        let shift = self.next;
        // An element remains if it contains content that remains, directly or in its descendants.
        let parents = structure.parents(keys);
        let kept = self.kept(store, &parents);
        for id in &kept.all {
            prune(store, structure, *id, &kept, gone);
        }
        let kept = kept.all;
        // The remaining top-level elements become children of the new root, and get the language of their file.
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
        // The keys of this file follow those of the files before it.
        let mut most = shift;
        for (key, value) in parents {
            let key = key.saturating_add(shift);
            most = most.max(key + 1);
            self.parents.push((Value::Integer(key), value));
        }
        let next = store.integer(tree.get("ParentTreeNextKey")).unwrap_or(0);
        self.next = most.max(shift.saturating_add(next.clamp(0, 1 << 31)));
        if shift > 0 {
            self::shift(store, pages, shift);
        }
        let ordered: BTreeSet<Id> = match structure.names.is_empty() {
            true => BTreeSet::new(),
            false => kept.iter().copied().collect(),
        };
        for id in ordered {
            for name in structure.names.get(&id).into_iter().flatten() {
                self.names.push((name.clone(), Value::Ref(id)));
            }
        }
        for (key, all) in [
            // If two files define the same name, the first definition counts.
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

    /// The elements in these entries of the parent tree, and all ancestors of these elements.
    fn kept(&self, store: &mut Store<'_>, parents: &[(i64, Value)]) -> KeptElements {
        let mut kept = KeptElements::default();
        for (_, value) in parents {
            let elements = match store.resolve(value) {
                Value::Array(elements) => elements,
                _ => vec![value.clone()],
            };
            for element in elements {
                let mut next = element.as_ref();
                while let Some(id) = next
                    && kept.all.len() < MAX
                    && is_element(store, id)
                    && kept.all.insert(id)
                {
                    next = match &*store.object(id) {
                        Object::Value(Value::Dict(element)) => {
                            element.get("P").and_then(Value::as_ref)
                        }
                        _ => None,
                    };
                    if let Some(above) = next {
                        kept.below.entry(above).or_default().push(id);
                    }
                }
            }
        }
        kept
    }

    /// Writes the structure as the object `root`. Returns false, and writes nothing, if the structure is empty.
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
        // If two elements have the same name, the first counts.
        self.names.dedup_by(|one, other| one.0 == other.0);
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

/// Removes references to removed elements, pages and other objects from an element.
fn prune(
    store: &mut Store<'_>,
    structure: &Structure,
    id: Id,
    kept: &KeptElements,
    gone: &DroppedObjects,
) {
    let object = store.object(id);
    let Object::Value(Value::Dict(before)) = &*object else {
        return;
    };
    let is_dropped = |value: Option<&Value>| {
        value
            .and_then(Value::as_ref)
            .is_some_and(|id| gone.contains(id))
    };
    let page_is_dropped = is_dropped(before.get("Pg"));
    // A list of children that is an object of its own is borrowed instead of copied, because such lists are long.
    let list = match before.get("K") {
        Some(Value::Ref(kid)) => Some(store.object(*kid)),
        _ => None,
    };
    let kids: &[Value] = match (before.get("K"), list.as_deref()) {
        (_, Some(Object::Value(Value::Array(kids)))) | (Some(Value::Array(kids)), _) => kids,
        (Some(kid), _) => std::slice::from_ref(kid),
        (None, _) => &[],
    };
    let wide = (kids.len() > WIDE).then(|| structure.wide(store, id, kids));
    let mut is_kept = |kid: &Value| match kid {
        Value::Integer(_) => !page_is_dropped,
        Value::Ref(id) if kept.all.contains(id) => true,
        _ => store.dict(Some(kid)).is_some_and(|dict| {
            let is_element = dict.has("S");
            let page = dict.get("Pg").or(before.get("Pg"));
            !is_element && !is_dropped(page) && !is_dropped(dict.get("Obj"))
        }),
    };
    let kept_kids: Vec<Value> = if let Some(wide) = wide {
        let elements = kept.below.get(&id).into_iter().flatten();
        let mut places: Vec<usize> = elements
            .filter_map(|kid| wide.elements.get(kid))
            .copied()
            .collect();
        let content = wide.content.iter().copied();
        places.extend(content.filter(|at| is_kept(&kids[*at])));
        places.sort_unstable();
        places.into_iter().map(|at| kids[at].clone()).collect()
    } else {
        kids.iter().filter(|kid| is_kept(kid)).cloned().collect()
    };
    let mut element = Dict::default();
    for (key, value) in before.entries().filter(|(key, _)| *key != b"K") {
        element.push(key, value.clone());
    }
    if page_is_dropped {
        element.remove("Pg");
    }
    element.set("K", kept_kids);
    let leads_away = |value: &Value| value.as_ref().is_some_and(|id| !kept.all.contains(&id));
    if let Some(related) = store.array(element.get("Ref"))
        && related.iter().any(leads_away)
    {
        element.remove("Ref");
    }
    store.set(id, element);
}

/// Removes the key for its content from a page whose file has no structure.
fn forget(store: &mut Store<'_>, page: Id) {
    if let Some(mut dict) = store.dict_of(page)
        && dict.remove("StructParents").is_some()
    {
        store.set(page, dict);
    }
}
