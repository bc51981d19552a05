//! Destinations of links and outline entries (ISO 32000-2, 12.3.2 and 12.6.4.2), which are explicit or named. Follows
//! no link out of the file.

use super::{
    store::Store,
    trees,
    value::{Dict, Id, Value},
};
use std::collections::HashMap;

/// Named destinations, each with its name and value, by the page that they lead to.
pub(super) type ByPage = HashMap<Id, Vec<(Box<[u8]>, Value)>>;

/// The named destinations of a file, and its pages.
pub(super) struct Targets {
    names: HashMap<Box<[u8]>, Value>,
    pages: Vec<Option<Id>>,
}

/// Target of a destination.
pub(super) enum Target {
    /// A page, with the whole destination array.
    Page(Id, Vec<Value>),
    /// An unknown destination.
    Unknown,
}

impl Targets {
    /// Reads all named destinations of a file.
    pub(super) fn of(store: &mut Store<'_>, source: u32, pages: Vec<Option<Id>>) -> Self {
        let catalog = store.catalog(source);
        let mut names = HashMap::new();
        // PDF 1.1 stores named destinations in a dictionary, later versions in a name tree. If both have a name, the
        // dictionary counts.
        for (name, value) in store
            .dict(catalog.get("Dests"))
            .unwrap_or_default()
            .entries()
        {
            names.insert(name.into(), value.clone());
        }
        let tree = store.dict(catalog.get("Names"));
        let tree = tree.as_ref().and_then(|names| names.get("Dests"));
        for (name, value) in trees::entries(store, tree, "Names") {
            if let Value::Text(name) = name {
                names.entry(name).or_insert(value);
            }
        }
        Self { names, pages }
    }

    /// Target of a `Dest`, or of the `D` of an action.
    pub(super) fn find(&self, store: &mut Store<'_>, value: &Value) -> Target {
        let mut value = store.resolve(value);
        if let Value::Name(name) | Value::Text(name) = &value {
            let Some(named) = self.names.get(name) else {
                return Target::Unknown;
            };
            value = store.resolve(named);
        }
        if let Value::Dict(dict) = &value {
            value = dict
                .get("D")
                .map_or(Value::Null, |inner| store.resolve(inner));
        }
        let Value::Array(mut place) = value else {
            return Target::Unknown;
        };
        let page = match place.first() {
            Some(Value::Ref(page)) => Some(*page),
            // Page numbers are meant for remote destinations, but some writers use them within the file, too.
            Some(Value::Integer(at)) => usize::try_from(*at)
                .ok()
                .and_then(|at| *self.pages.get(at)?),
            _ => None,
        };
        match page {
            Some(page) => {
                place[0] = Value::Ref(page);
                Target::Page(page, place)
            }
            None => Target::Unknown,
        }
    }

    /// Target of a link or an entry of the outline, by its `Dest` or the action `A`. `None` if it has neither, or an
    /// action other than `GoTo`.
    pub(super) fn of_link(&self, store: &mut Store<'_>, link: &Dict) -> Option<Target> {
        if let Some(place) = link.get("Dest") {
            return Some(self.find(store, place));
        }
        let action = store.dict(link.get("A"))?;
        if !store.is_name(action.get("S"), "GoTo") {
            return None;
        }
        Some(self.find(store, action.get("D")?))
    }

    /// Gives a link an explicit destination instead of a name or an action.
    pub(super) fn settle(link: &mut Dict, place: Vec<Value>) {
        link.remove("A");
        link.set("Dest", place);
    }

    /// The named destinations on each page.
    pub(super) fn by_page(&self, store: &mut Store<'_>) -> ByPage {
        let mut pages: HashMap<Id, Vec<_>> = HashMap::new();
        for (name, value) in &self.names {
            if let Target::Page(page, place) = self.find(store, value) {
                let places = pages.entry(page).or_default();
                places.push((name.clone(), Value::Array(place)));
            }
        }
        pages
    }
}
