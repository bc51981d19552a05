//! Outlines (ISO 32000-2, 12.3.3). This module reads them as lists, removes the entries for removed pages, and writes
//! the remaining ones. Stops at cycles.

use super::{
    store::Store,
    targets::{Target, Targets},
    value::{Dict, Id, Value},
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Limit on the entries that are read from one outline, and on the remaining entries of all outlines together.
const MAX: usize = 200_000;
/// Limit on the nesting of entries. Deeper ones become siblings of their ancestors at this level.
const MAX_LEVELS: usize = 64;

/// An entry, without its links to other entries.
pub(super) struct Entry {
    level: usize,
    dict: Dict,
    is_open: bool,
    /// Whether the entry leads to a remaining page or out of the file. Other entries remain only if a descendant does.
    is_kept: bool,
}

impl Entry {
    /// The entry for a whole file, which leads to its first page.
    pub(super) fn of_file(title: &str, page: Id) -> Self {
        Self::of_page(title, page, 0)
    }

    /// An entry that leads to a page.
    pub(super) fn of_page(title: &str, page: Id, level: usize) -> Self {
        let mut dict = Dict::default();
        dict.set("Title", Value::text(title));
        dict.set("Dest", vec![Value::Ref(page), Value::name("Fit")]);
        Self {
            level: level.min(MAX_LEVELS),
            dict,
            is_open: true,
            is_kept: true,
        }
    }
}

/// The outline of a file, unfiltered.
#[derive(Default)]
pub(super) struct Outline {
    entries: Vec<StoredEntry>,
    /// Indices of the entries that lead to each page.
    by_page: HashMap<Id, Vec<usize>>,
    /// Indices of the entries with an action other than `GoTo`, such as a URL. They are never removed.
    always: Vec<usize>,
}

/// An entry, and its parent.
struct StoredEntry {
    level: usize,
    dict: Dict,
    is_open: bool,
    parent: Option<usize>,
}

/// An entry, its level, and the number of its page from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OutlineItem {
    pub(super) entry: usize,
    pub(super) level: usize,
    pub(super) page: usize,
}

impl Outline {
    /// Reads the outline of a file.
    pub(super) fn of(store: &mut Store<'_>, source: u32, targets: &Targets) -> Self {
        let mut outline = Self::default();
        let catalog = store.catalog(source);
        let Some(root) = store.dict(catalog.get("Outlines")) else {
            return outline;
        };
        let mut seen: HashSet<Id> = HashSet::new();
        // The next entry at each level.
        let mut open = vec![root.get("First").cloned()];
        while let Some(next) = open.pop() {
            let Some(Value::Ref(id)) = next else {
                continue;
            };
            if outline.entries.len() >= MAX || !seen.insert(id) {
                continue;
            }
            let Some(mut dict) = store.dict_of(id) else {
                continue;
            };
            let level = open.len().min(MAX_LEVELS);
            let after = dict.remove("Next");
            let first = dict.remove("First");
            for key in ["Prev", "Parent", "Last", "SE"] {
                dict.remove(key);
            }
            let count = dict.remove("Count");
            let is_open = store.integer(count.as_ref()).unwrap_or(0) > 0;
            outline.push(store, targets, level, dict, is_open);
            open.push(after);
            open.push(first);
        }
        outline.find_parents();
        outline
    }

    /// Adds an entry. An entry that leads to a page is indexed by that page. An entry with another action is never
    /// removed.
    fn push(
        &mut self,
        store: &mut Store<'_>,
        targets: &Targets,
        level: usize,
        mut dict: Dict,
        is_open: bool,
    ) {
        let at = self.entries.len();
        match targets.of_link(store, &dict) {
            Some(Target::Page(page, place)) => {
                Targets::settle(&mut dict, place);
                self.by_page.entry(page).or_default().push(at);
            }
            // A URL or another action keeps the entry.
            None if dict.has("A") => self.always.push(at),
            // An entry without a known destination remains only as an ancestor of others.
            Some(Target::Unknown) | None => {}
        }
        self.entries.push(StoredEntry {
            level,
            dict,
            is_open,
            parent: None,
        });
    }

    fn find_parents(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.entries.len() {
            let level = self.entries[at].level;
            while open
                .last()
                .is_some_and(|last| self.entries[*last].level >= level)
            {
                open.pop();
            }
            self.entries[at].parent = open.last().copied();
            open.push(at);
        }
    }

    /// The entries that lead to one of these pages, and their ancestors, in the order of the file. An ancestor that
    /// leads nowhere gets the page of its first descendant that leads to one.
    pub(super) fn places(&self, pages: &[Option<Id>]) -> Vec<OutlineItem> {
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, page) in (1..).zip(pages) {
            let entries = page.and_then(|page| self.by_page.get(&page));
            for entry in entries.into_iter().flatten() {
                // A page may occur twice in a file. Its first position counts.
                numbers.entry(*entry).or_insert(number);
            }
        }
        let leading: Vec<(usize, usize)> = numbers.iter().map(|(at, page)| (*at, *page)).collect();
        for (at, page) in leading {
            let mut above = self.entries[at].parent;
            while let Some(at) = above
                && !numbers.contains_key(&at)
            {
                numbers.insert(at, page);
                above = self.entries[at].parent;
            }
        }
        let places = numbers.into_iter().map(|(entry, page)| OutlineItem {
            entry,
            level: self.entries[entry].level,
            page,
        });
        places.collect()
    }

    /// Title of an entry, encoded as a text string (7.9.2.2).
    pub(super) fn title(&self, store: &mut Store<'_>, entry: usize) -> Option<Box<[u8]>> {
        match store.resolve(self.entries[entry].dict.get("Title")?) {
            Value::Text(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Adds the entries that lead to these pages or out of the file, and the ancestors of these entries, up to [`MAX`]
    /// entries in `found`. Increases the nesting of the added entries by `deeper`.
    pub(super) fn pick(&self, pages: &[Id], deeper: usize, found: &mut Vec<Entry>) {
        let leading_here = pages.iter().filter_map(|page| self.by_page.get(page));
        let wanted: BTreeSet<usize> = leading_here
            .flatten()
            .chain(&self.always)
            .copied()
            .collect();
        let mut picked = wanted.clone();
        let mut above: Vec<usize> = wanted.iter().copied().collect();
        while let Some(at) = above.pop() {
            let parent = self.entries[at].parent;
            above.extend(parent.filter(|parent| picked.insert(*parent)));
        }
        for at in picked {
            if found.len() >= MAX {
                break;
            }
            let entry = &self.entries[at];
            found.push(Entry {
                level: entry.level + deeper,
                dict: entry.dict.clone(),
                is_open: entry.is_open,
                is_kept: wanted.contains(&at),
            });
        }
    }
}

/// Writes the entries that are kept, and their ancestors. `None` without kept entries.
pub(super) fn write(store: &mut Store<'_>, mut entries: Vec<Entry>) -> Option<Id> {
    keep_parents(&mut entries);
    entries.retain(|entry| entry.is_kept);
    if entries.is_empty() {
        return None;
    }
    let root = store.next();
    let ids: Vec<Id> = entries.iter().map(|_| store.next()).collect();
    // The parent of each entry.
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(entries.len());
    let mut open: Vec<usize> = Vec::new();
    // The children of each entry.
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    let mut top = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        while open
            .last()
            .is_some_and(|last| entries[*last].level >= entry.level)
        {
            open.pop();
        }
        match open.last() {
            Some(parent) => children[*parent].push(at),
            None => top.push(at),
        }
        parents.push(open.last().copied());
        open.push(at);
    }
    // For each entry, the number of descendants that are visible when it is open.
    let mut seen = vec![0_i64; entries.len()];
    for at in (0..entries.len()).rev() {
        for child in &children[at] {
            seen[at] += 1 + if entries[*child].is_open {
                seen[*child]
            } else {
                0
            };
        }
    }
    let all = top
        .iter()
        .map(|at| 1 + if entries[*at].is_open { seen[*at] } else { 0 })
        .sum::<i64>();
    for (at, entry) in entries.into_iter().enumerate() {
        let mut dict = entry.dict;
        let siblings = parents[at].map_or(&top, |parent| &children[parent]);
        let place = siblings.partition_point(|other| *other < at);
        dict.set("Parent", parents[at].map_or(root, |parent| ids[parent]));
        if place > 0 {
            dict.set("Prev", ids[siblings[place - 1]]);
        }
        if let Some(next) = siblings.get(place + 1) {
            dict.set("Next", ids[*next]);
        }
        if let (Some(first), Some(last)) = (children[at].first(), children[at].last()) {
            dict.set("First", ids[*first]);
            dict.set("Last", ids[*last]);
            dict.set("Count", if entry.is_open { seen[at] } else { -seen[at] });
        }
        store.set(ids[at], dict);
    }
    let mut dict = Dict::of_type("Outlines");
    dict.set("First", ids[top[0]]);
    dict.set("Last", ids[top[top.len() - 1]]);
    dict.set("Count", all);
    store.set(root, dict);
    Some(root)
}

/// If the page of an entry was removed, but a descendant of the entry remains, the entry also remains, without its
/// link.
fn keep_parents(entries: &mut [Entry]) {
    // Levels of kept entries whose parents this loop, from the last entry to the first, has not reached yet.
    let mut waiting: Vec<usize> = Vec::new();
    for entry in entries.iter_mut().rev() {
        let before = waiting.len();
        waiting.retain(|level| *level <= entry.level);
        if waiting.len() < before && !entry.is_kept {
            entry.is_kept = true;
            entry.dict.remove("Dest");
            entry.dict.remove("A");
        }
        if entry.is_kept && waiting.last() != Some(&entry.level) {
            waiting.push(entry.level);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_without_a_page_get_that_of_a_descendant() {
        // For each entry its level, and the page that it leads to.
        #[track_caller]
        fn check(entries: &[(usize, u32)], pages: &[u32], expected: &[(usize, usize)]) {
            let id = |page: u32| Id {
                source: 0,
                number: page,
                generation: 0,
            };
            let mut outline = Outline::default();
            for (at, (level, page)) in entries.iter().enumerate() {
                outline.entries.push(StoredEntry {
                    level: *level,
                    dict: Dict::default(),
                    is_open: false,
                    parent: None,
                });
                outline.by_page.entry(id(*page)).or_default().push(at);
            }
            outline.find_parents();
            let pages: Vec<Option<Id>> = pages.iter().map(|page| Some(id(*page))).collect();
            let places = outline.places(&pages);
            let found: Vec<_> = places.iter().map(|one| (one.entry, one.page)).collect();
            assert_eq!(found, expected);
        }
        check(&[(0, 7), (1, 0)], &[7, 9], &[(0, 1)]);
        check(
            &[(0, 0), (1, 0), (2, 9), (1, 7)],
            &[7, 9],
            &[(0, 2), (1, 2), (2, 2), (3, 1)],
        );
        check(&[(0, 0), (0, 7), (1, 9)], &[9, 7, 9], &[(1, 2), (2, 1)]);
        check(&[(0, 0), (1, 0)], &[7], &[]);
    }

    #[test]
    fn ancestors_of_kept_entries_are_kept() {
        #[track_caller]
        fn check(levels: &[(usize, bool)], expected: &[bool]) {
            let entry = |(level, is_kept): &(usize, bool)| Entry {
                level: *level,
                dict: Dict::default(),
                is_open: false,
                is_kept: *is_kept,
            };
            let mut entries: Vec<Entry> = levels.iter().map(entry).collect();
            keep_parents(&mut entries);
            let kept: Vec<bool> = entries.iter().map(|entry| entry.is_kept).collect();
            assert_eq!(kept, expected);
        }
        check(&[(1, false), (2, true)], &[true, true]);
        check(&[(1, false), (1, true)], &[false, true]);
        check(
            &[(1, false), (2, false), (3, true), (2, true)],
            &[true, true, true, true],
        );
        check(
            &[(1, false), (2, false), (2, true), (1, false), (3, false)],
            &[true, false, true, false, false],
        );
    }
}
