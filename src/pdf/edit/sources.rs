//! Structures of the source files, read once before pages are picked, however many documents are
//! made. A file that is divided into single pages would otherwise be read once for each page. Changes nothing.

use super::{
    forms::Fields,
    labels::Labels,
    leaves, metadata,
    outlines::Outline,
    store::Store,
    tags::Structure,
    targets::{ByPage, Targets},
    value::{Dict, Id},
};
use crate::error::Result;
use std::{cell::OnceCell, collections::HashSet, rc::Rc};

/// Files that documents are made of.
pub(super) struct Sources {
    all: Vec<Source>,
    /// The pages of all files, and the nodes of their page trees.
    pages: Rc<HashSet<Id>>,
    /// The information dictionary of the first file.
    pub(super) info: Dict,
    /// The titles of several files, for outline entries above those of the files.
    pub(super) titles: Vec<String>,
}

/// File that pages are picked from.
pub(super) struct Source {
    /// Its pages, in order; `None` for a page that is not an indirect object.
    pub(super) pages: Vec<Option<Id>>,
    parts: OnceCell<Parts>,
}

/// Structures that belong to the document as a whole.
pub(super) struct Parts {
    pub(super) targets: Targets,
    /// The named destinations on each page.
    pub(super) places: ByPage,
    pub(super) outline: Outline,
    pub(super) labels: Labels,
    pub(super) fields: Fields,
    pub(super) structure: Option<Structure>,
}

impl Sources {
    /// Reads the pages of all files, which have these titles.
    ///
    /// Errors: there is not enough memory, or the job is to end.
    pub(super) fn read(store: &mut Store<'_>, titles: &[String]) -> Result<Self> {
        let mut sources = Vec::new();
        let mut all = HashSet::new();
        for source in 0..store.sources().len() as u32 {
            store.check()?;
            let pages = leaves::ids(store, source);
            let own = pages.iter().flatten().copied().collect();
            // The page tree is rebuilt. A reference to a node of the old tree would keep all pages below it.
            let (nodes, _) = leaves::nodes(store, source, &own);
            all.extend(own);
            all.extend(nodes);
            sources.push(Source {
                pages,
                parts: OnceCell::new(),
            });
        }
        Ok(Self {
            all: sources,
            pages: Rc::new(all),
            info: metadata::info(store),
            titles: titles.to_vec(),
        })
    }

    pub(super) fn len(&self) -> u32 {
        self.all.len() as u32
    }

    /// A file by its number.
    pub(super) fn source(&self, number: u32) -> &Source {
        &self.all[number as usize]
    }

    /// Finds the objects that are dropped if only these pages remain.
    pub(super) fn gone(&self, kept: HashSet<Id>) -> DroppedObjects {
        DroppedObjects {
            pages: self.pages.clone(),
            kept,
            others: HashSet::new(),
        }
    }
}

impl Source {
    /// Reads the structures of the document at first use. The store must not have been changed
    /// before.
    pub(super) fn parts(&self, store: &mut Store<'_>, number: u32) -> &Parts {
        self.parts.get_or_init(|| {
            let before = store.held();
            let targets = Targets::of(store, number, self.pages.clone());
            let parts = Parts {
                places: targets.by_page(store),
                outline: Outline::of(store, number, &targets),
                labels: Labels::of(store, number),
                fields: Fields::of(store, number),
                structure: Structure::of(store, number),
                targets,
            };
            store.keep_since(before);
            parts
        })
    }
}

/// Objects that are dropped, with all references to them.
pub(super) struct DroppedObjects {
    pages: Rc<HashSet<Id>>,
    /// The pages that remain.
    pub(super) kept: HashSet<Id>,
    others: HashSet<Id>,
}

impl DroppedObjects {
    pub(super) fn contains(&self, id: Id) -> bool {
        self.others.contains(&id) || self.pages.contains(&id) && !self.kept.contains(&id)
    }

    /// Adds an object that is not a page.
    pub(super) fn add(&mut self, id: Option<Id>) {
        self.others.extend(id);
    }
}
