//! Document outline (ISO 32000-1, 12.3.3), which viewers show as bookmarks: entries are linked as siblings, parents and
//! children by their levels.

use super::file::{File, small};
use pdf_writer::{Finish as _, Ref, TextStr};

/// An entry of an outline.
#[derive(Clone, Copy, Debug)]
pub struct OutlineEntry<'t> {
    /// Level of the entry: 1 for the top of the hierarchy, and larger numbers below.
    pub level: u8,
    /// The text that viewers show.
    pub title: &'t str,
    /// Its destination: a page, and the height on the page in points, measured from its lower edge. Without a height,
    /// the destination is the whole page. `None` if the entry leads nowhere.
    pub target: Option<(Ref, Option<f32>)>,
}

/// Writes the outline with these entries, in the order of the document. `None` without entries.
pub fn outline(file: &mut File<'_>, entries: &[OutlineEntry<'_>]) -> Option<Ref> {
    if entries.is_empty() {
        return None;
    }
    let root = file.next();
    let refs: Vec<Ref> = entries.iter().map(|_| file.next()).collect();
    // The parent of each entry is the nearest entry before it with a smaller level number. `open` is the path to the
    // current entry.
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(entries.len());
    let mut open: Vec<usize> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        while open
            .last()
            .is_some_and(|last| entries[*last].level >= entry.level)
        {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(at);
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    let mut top = Vec::new();
    for (at, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(at),
            None => top.push(at),
        }
    }
    let mut write = |siblings: &[usize], parent: Ref| {
        for (nth, at) in siblings.iter().enumerate() {
            let entry = &entries[*at];
            small(file, refs[*at], |object| {
                let mut item: pdf_writer::writers::OutlineItem<'_> = object.start();
                item.title(TextStr(entry.title)).parent(parent);
                if nth > 0 {
                    item.prev(refs[siblings[nth - 1]]);
                }
                if let Some(next) = siblings.get(nth + 1) {
                    item.next(refs[*next]);
                }
                if let [first, ..] = children[*at].as_slice() {
                    let last = children[*at][children[*at].len() - 1];
                    item.first(refs[*first]).last(refs[last]);
                    // A negative count means that the item is closed.
                    item.count(-(children[*at].len() as i32));
                }
                match entry.target {
                    Some((page, Some(y))) => item.dest().page(page).xyz(0.0, y, None),
                    Some((page, None)) => item.dest().page(page).fit(),
                    None => {}
                }
            });
        }
    };
    write(&top, root);
    for (at, below) in children.iter().enumerate() {
        write(below, refs[at]);
    }
    small(file, root, |object| {
        let mut outline: pdf_writer::writers::Outline<'_> = object.start();
        outline
            .first(refs[top[0]])
            .last(refs[top[top.len() - 1]])
            .count(top.len() as i32);
        outline.finish();
    });
    Some(root)
}
