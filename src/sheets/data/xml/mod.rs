//! XML (1.0) as data, by the convention of the Python module `xmltodict`: an element becomes a map, an attribute the
//! name `@attribute` in it, its text the name `#text`, and elements with the same name a list. An element with nothing
//! but text is that text, and an empty one the null value. Prefixes and namespace declarations stay as they are.
//!
//! XML has more than data needs: comments, processing instructions, and the order of text and elements among each
//! other. They are left out with a note. Entities that a file declares are not resolved, so that a few lines cannot
//! become a thousand million characters.

mod name;
mod read;
mod write;

pub(super) use read::read;
pub(crate) use write::{ROWS_END, ROWS_START, row};
pub(super) use write::{length, write};

use super::{Map, Node};

/// Beginning of the name of an attribute.
const ATTRIBUTE: &str = "@";

/// Name of the text of an element that has attributes or elements, too.
const TEXT: &str = "#text";

/// The part of a file that may be a table, and the name of its element if attributes or text around it were left out.
/// An element with exactly one element in it, which has attributes or elements itself, is replaced by that inner
/// element, and a list of elements becomes a list of maps if one of them is a map.
pub(super) fn tabular(mut node: Node) -> (Node, Option<String>) {
    let mut opened = None;
    while let Node::Map(entries) = &mut node {
        let is_own = |name: &str| name.starts_with(ATTRIBUTE) || name == TEXT;
        let mut inner = (0..entries.len()).filter(|at| !is_own(&entries[*at].0));
        let (Some(at), None) = (inner.next(), inner.next()) else {
            break;
        };
        if !matches!(entries[at].1, Node::Map(_)) {
            break;
        }
        let is_reduced = opened.is_some() || entries.len() > 1;
        let (name, inner) = entries.swap_remove(at);
        opened = is_reduced.then_some(name);
        node = inner;
    }
    if let Node::Map(entries) = &mut node {
        entries.iter_mut().for_each(|(_, node)| align(node));
    }
    (node, opened)
}

/// Converts a map to a table of one row, if its values are neither lists nor maps. Such a map may be a list of one
/// element, which XML does not distinguish from a single element.
pub(super) fn as_row(node: Node) -> Node {
    let is_row =
        matches!(&node, Node::Map(entries) if entries.iter().all(|(_, node)| is_scalar(node)));
    match is_row {
        true => Node::List(vec![node]),
        false => node,
    }
}

/// Returns whether a value is neither a list nor a map.
fn is_scalar(node: &Node) -> bool {
    !matches!(node, Node::List(_) | Node::Map(_))
}

/// Makes all items of a list maps if one of them is a map.
fn align(node: &mut Node) {
    let Node::List(items) = node else { return };
    if !items.iter().any(|item| matches!(item, Node::Map(_))) {
        return;
    }
    for item in items {
        match item {
            Node::Map(_) => {}
            Node::Nothing => *item = Node::Map(Map::new()),
            _ => {
                let text = std::mem::replace(item, Node::Nothing);
                *item = Node::Map(vec![(TEXT.to_owned(), text)]);
            }
        }
    }
}
