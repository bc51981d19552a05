//! The list of active formatting elements (HTML, 13.2.4.3): elements that continue after the end of the element in
//! which they began. The adoption agency algorithm (13.2.6.4.7) repairs those that are nested incorrectly.

use super::{Build, DEEPEST, NodeId, element};
use crate::syntax::kinds::{bounds_scope, is_special};

/// The limit on active formatting elements and markers; the earliest is dropped.
pub(super) const MAX_ACTIVE: usize = 256;

/// Limit on elements that are opened again, for each start tag and besides. Pages whose formatting never ends would
/// otherwise make a tree of the square of their length.
const REOPENED: (usize, usize) = (8, 4096);

/// The limit on equal entries in the list of active formatting elements ("Noah's Ark clause").
const ARK: usize = 3;

impl Build {
    /// Adds an element to the list of active formatting elements, which keeps at most three equal ones after its last
    /// marker ("Noah's Ark clause").
    pub(super) fn push_active(&mut self, node: NodeId) {
        let same = |other: &NodeId| {
            let (one, other) = (self.dom.element(node), self.dom.element(*other));
            one.zip(other).is_some_and(|(one, other)| {
                one.name == other.name && one.attributes == other.attributes
            })
        };
        let after = self
            .active
            .iter()
            .rev()
            .take_while(|active| active.is_some());
        let equal: Vec<NodeId> = after.filter_map(|active| *active).filter(same).collect();
        if equal.len() >= ARK
            && let Some(first) = equal.last()
        {
            self.active.retain(|active| *active != Some(*first));
        }
        self.list_active(Some(node));
    }

    /// Adds a marker for an element such as a cell: formatting that begins after the marker ends with this element
    /// (13.2.4.3).
    pub(super) fn mark_active(&mut self) {
        self.list_active(None);
    }

    /// Adds an entry to the list, and keeps the list at its limit.
    fn list_active(&mut self, entry: Option<NodeId>) {
        if self.active.len() >= MAX_ACTIVE {
            self.active.remove(0);
        }
        self.active.push(entry);
    }

    /// Reopens formatting elements that the end of another element has closed (13.2.4.3). Beyond a limit, the remaining
    /// ones are dropped from the list.
    pub(super) fn reconstruct(&mut self) {
        let mut from = self.active.len();
        while from > 0
            && let Some(open) = self.active[from - 1]
            && !self.stack.contains(&open)
        {
            from -= 1;
        }
        for at in from..self.active.len() {
            let Some(old) = self.active[at] else {
                continue;
            };
            let most = self.starts * REOPENED.0 + REOPENED.1;
            if self.stack.len() >= DEEPEST || self.reopened >= most {
                self.active.truncate(at);
                return;
            }
            self.reopened += 1;
            let node = self.copy(old);
            self.place(node);
            self.stack.push(node);
            self.active[at] = Some(node);
        }
    }

    fn copy(&mut self, old: NodeId) -> NodeId {
        let (name, attributes) = match self.dom.element(old) {
            Some(element) => (
                self.dom.names.name(element.name).to_owned(),
                element.attributes.clone(),
            ),
            None => ("span".to_owned(), Vec::new()),
        };
        element(&mut self.dom, &name, attributes)
    }

    /// Ends a formatting element, which may have been nested incorrectly (the "adoption agency algorithm").
    pub(super) fn adopt(&mut self, name: &str) {
        for _ in 0..8 {
            let Some((entry, formatting)) = self.entry(name) else {
                return self.end_any_other(name);
            };
            let Some(at) = self.stack.iter().position(|open| *open == formatting) else {
                self.active.remove(entry);
                return;
            };
            let inner = &self.stack[at + 1..];
            if inner.iter().any(|open| bounds_scope(self.dom.tag(*open))) {
                return;
            }
            let block = inner
                .iter()
                .position(|open| is_special(self.dom.tag(*open)));
            let Some(block) = block.map(|block| at + 1 + block) else {
                self.active.remove(entry);
                return self.pop_to(at);
            };
            self.move_out(at, block, entry, formatting);
        }
    }

    /// The last element of this name after the last marker of the list, preceded by its index in the list.
    fn entry(&self, name: &str) -> Option<(usize, NodeId)> {
        let active = self.active.iter().enumerate().rev();
        let mut after = active.map_while(|(at, open)| Some((at, (*open)?)));
        after.find(|(_, open)| self.dom.tag(*open) == name)
    }

    /// Ends an element by the rule for "any other end tag" (13.2.6.4.7). Ignores the tag if a special element is open
    /// inside of the element.
    pub(super) fn end_any_other(&mut self, name: &str) {
        for at in (1..self.stack.len()).rev() {
            let open = self.dom.tag(self.stack[at]);
            if open == name {
                return self.pop_to(at);
            }
            if is_special(open) {
                return;
            }
        }
    }

    /// Moves the block at index `block` of the stack out of the formatting element at index `at`, and wraps the content
    /// of the block in a copy of that element.
    fn move_out(&mut self, at: usize, block: usize, entry: usize, formatting: NodeId) {
        let furthest = self.stack[block];
        let ancestor = self.stack[at - 1];
        let (last, bookmark) = self.copy_between(at, block, entry);
        let kept = self.stack.clone();
        self.stack.truncate(at);
        if self.current() == ancestor {
            self.place(last);
        } else {
            self.dom.insert(last, ancestor, None);
        }
        self.stack = kept;
        let copy = self.copy(formatting);
        let children: Vec<NodeId> = self.dom.children(furthest).collect();
        for child in children {
            self.dom.insert(child, copy, None);
        }
        self.dom.insert(copy, furthest, None);
        self.active
            .insert(bookmark.min(self.active.len()), Some(copy));
        self.active.retain(|active| *active != Some(formatting));
        self.stack
            .retain(|open| *open != formatting && *open != NodeId::DOCUMENT);
        if let Some(block) = self.stack.iter().position(|open| *open == furthest) {
            self.stack.insert(block + 1, copy);
        }
    }

    /// Copies the formatting elements between the indices `at` and `block` of the stack, at most the three innermost,
    /// and wraps the block in the copies. All other elements between them are removed from the stack. Returns the
    /// outermost copy, and the index in the list of active elements for the copy of the ended element.
    fn copy_between(&mut self, at: usize, block: usize, entry: usize) -> (NodeId, usize) {
        let furthest = self.stack[block];
        let (mut last, mut bookmark) = (furthest, entry);
        for (count, index) in (at + 1..block).rev().enumerate() {
            let node = self.stack[index];
            let listed = self.active.iter().position(|active| *active == Some(node));
            let Some(listed) = listed.filter(|_| count < 3) else {
                if let Some(listed) = listed {
                    self.active.remove(listed);
                    bookmark -= usize::from(listed < bookmark);
                }
                self.stack[index] = NodeId::DOCUMENT;
                continue;
            };
            let copy = self.copy(node);
            self.active[listed] = Some(copy);
            self.stack[index] = copy;
            if last == furthest {
                bookmark = listed + 1;
            }
            self.dom.insert(last, copy, None);
            last = copy;
        }
        (last, bookmark)
    }
}
