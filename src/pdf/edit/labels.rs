//! Page labels (ISO 32000-2, 12.4.2) of reordered pages.

use super::{
    store::Store,
    trees,
    value::{Dict, Id, Value},
};

/// Page labels of a file: first page, style, and number of each range.
pub(super) struct Labels(Vec<(usize, Dict)>);

impl Labels {
    pub(super) fn of(store: &mut Store<'_>, source: u32) -> Self {
        let catalog = store.catalog(source);
        let mut ranges = Vec::new();
        for (page, label) in trees::entries(store, catalog.get("PageLabels"), "Nums") {
            let page = page.integer().and_then(|page| usize::try_from(page).ok());
            if let (Some(page), Some(label)) = (page, store.dict(Some(&label))) {
                ranges.push((page, label));
            }
        }
        ranges.sort_by_key(|(page, _)| *page);
        Self(ranges)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Label of a page without its number, and its number. A page before the first range, or of a file without labels,
    /// has its position from 1 as its number.
    fn label(&self, page: usize) -> (Dict, i64) {
        let after = self.0.partition_point(|(from, _)| *from <= page);
        let Some((from, label)) = after.checked_sub(1).and_then(|at| self.0.get(at)) else {
            let mut plain = Dict::default();
            plain.set("S", Value::name("D"));
            return (plain, page as i64 + 1);
        };
        let mut label = label.clone();
        let first = label.remove("St").and_then(|first| first.integer());
        let first = first
            .filter(|first| (1..1 << 31).contains(first))
            .unwrap_or(1);
        label.remove("Type");
        (label, first + (page - from) as i64)
    }
}

/// Labels pages as in their source. `pages` states for each page its file and its number in that file. `None` if no
/// file has labels.
pub(super) fn write(
    store: &mut Store<'_>,
    labels: &[&Labels],
    pages: impl Iterator<Item = (u32, usize)>,
) -> Option<Id> {
    if labels.iter().all(|labels| labels.is_empty()) {
        return None;
    }
    let mut ranges: Vec<(Value, Value)> = Vec::new();
    let mut last: Option<(Dict, i64)> = None;
    for (at, (source, page)) in (0..).zip(pages) {
        let (label, number) = labels[source as usize].label(page);
        let continues = last
            .as_ref()
            .is_some_and(|(before, expected)| *before == label && *expected == number);
        if !continues {
            let mut entry = label.clone();
            if number != 1 {
                entry.set("St", number);
            }
            ranges.push((Value::Integer(at), Value::Dict(entry)));
        }
        last = Some((label, number + 1));
    }
    trees::build(store, ranges, "Nums")
}
