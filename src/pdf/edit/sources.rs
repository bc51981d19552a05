//! Structures of the source files. They are read once, before pages are picked, even if several documents are made.
//! Otherwise, a file that is split into single pages would be read once for each page. Changes nothing.

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
    /// The titles of the files, for outline entries above those of the files. Empty if these entries are not wanted.
    pub(super) titles: Vec<String>,
}

/// File that pages are picked from.
pub(super) struct Source {
    /// The pages of the file, in order; `None` for a page that is not an indirect object.
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
            // The page tree is rebuilt. A reference to a node of the old tree would keep all pages below it, so these
            // nodes count as dropped, like removed pages.
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

    /// Returns the set of dropped objects if only these pages remain.
    pub(super) fn gone(&self, kept: HashSet<Id>) -> DroppedObjects {
        DroppedObjects {
            pages: self.pages.clone(),
            kept,
            others: HashSet::new(),
        }
    }
}

impl Source {
    /// Returns the structures of the file, and reads them at the first call. The store must not have been changed
    /// before that call.
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

/// Objects that are dropped. References to them are dropped or become `null`.
pub(super) struct DroppedObjects {
    pages: Rc<HashSet<Id>>,
    /// The pages that remain.
    pub(super) kept: HashSet<Id>,
    /// Dropped objects that are not pages, such as annotations.
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
