//! Writes an element for each value, on lines of its own. Writes no document type declaration.

use super::{
    ATTRIBUTE, TEXT, is_scalar,
    name::{self, Prefixes},
};
use crate::{
    coding::escape,
    data::{Lost, Node},
};

/// Beginning of a file.
const START: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// Beginning of a file with the rows of a table.
pub(crate) const ROWS_START: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rows>\n";

/// End of a file with the rows of a table.
pub(crate) const ROWS_END: &str = "</rows>\n";

/// Name of the element for each row of a table.
const ROW: &str = "row";

/// Name of a root element that the data do not name.
const ROOT: &str = "root";

/// Name of an element for an item of a list without a name: one at the top, or in another list.
const ITEM: &str = "item";

/// Writes a file.
pub(crate) fn write(node: &Node, lost: &mut Lost, out: &mut String) {
    let mut write = Writer {
        lost,
        prefixes: Prefixes::default(),
        out,
    };
    write.out.push_str(START);
    match root(node) {
        Some((name, node)) => write.element(name, node, 0),
        None => {
            write.lost.rooted = true;
            write.element(ROOT, node, 0);
        }
    }
}

/// Writes a row of a table.
pub(crate) fn row(node: &Node, lost: &mut Lost, out: &mut String) {
    let mut write = Writer {
        lost,
        prefixes: Prefixes::default(),
        out,
    };
    write.element(ROW, node, 1);
}

/// Upper bound of the length of a written file, in bytes, if no character is escaped. The name of a list is repeated
/// for each of its items, so the written file can be much longer than the file that was read.
pub(crate) fn length(node: &Node) -> u64 {
    let (name, node) = root(node).unwrap_or((ROOT, node));
    (START.len() as u64).saturating_add(element_length(name, node, 0))
}

/// The root element, if the data consist of one.
fn root(node: &Node) -> Option<(&str, &Node)> {
    match node {
        Node::Map(entries) => match entries.as_slice() {
            [(_, Node::List(_))] => None,
            [(name, node)] if attribute(name).is_none() && name != TEXT => Some((name, node)),
            _ => None,
        },
        _ => None,
    }
}

/// Name of the attribute that a name in a map stands for.
fn attribute(name: &str) -> Option<&str> {
    name.strip_prefix(ATTRIBUTE)
}

/// Upper bound of the length of an element with its indentation.
fn element_length(name: &str, node: &Node, level: u64) -> u64 {
    let inner: u64 = match node {
        Node::Nothing => 0,
        Node::Boolean(_) | Node::Unbounded(_) => 5,
        Node::Number(text) | Node::Text(text) | Node::Moment(text) => text.len() as u64,
        Node::List(items) => lengths(ITEM, items, level),
        Node::Map(entries) => {
            let lengths = entries.iter().map(|(name, node)| match node {
                Node::List(items) => lengths(name, items, level),
                node => element_length(name, node, level + 1),
            });
            lengths.fold(0, u64::saturating_add)
        }
    };
    let tags = 2 * name.len() as u64 + 16 + 4 * level;
    tags.saturating_add(inner)
}

/// Upper bound of the length of elements with the same name.
fn lengths(name: &str, nodes: &[Node], level: u64) -> u64 {
    let lengths = nodes.iter();
    let lengths = lengths.map(|node| element_length(name, node, level + 1));
    lengths.fold(0, u64::saturating_add)
}

/// State of the writer.
struct Writer<'n, 'o> {
    lost: &'o mut Lost,
    prefixes: Prefixes<'n>,
    out: &'o mut String,
}

impl<'n> Writer<'n, '_> {
    /// Writes an element with its content.
    fn element(&mut self, name: &str, node: &'n Node, level: usize) {
        declared(node).for_each(|prefix| self.prefixes.add(prefix));
        let valid = name::valid(name, &self.prefixes);
        self.lost.renamed |= valid != name;
        self.indent(level);
        self.out.push('<');
        self.out.push_str(&valid);
        let mut text = None;
        let mut inner: Vec<(&str, &'n [Node])> = Vec::new();
        match node {
            Node::Map(entries) => {
                self.lost.empty |= entries.is_empty();
                for (name, node) in entries {
                    match (self.attribute(name, node), node) {
                        (Some(name), node) => self.attribute_value(name, node),
                        (None, node) if name == TEXT && is_scalar(node) => text = Some(node),
                        (None, Node::List(items)) => {
                            self.lost.empty |= items.is_empty();
                            inner.push((name, items));
                        }
                        (None, node) => inner.push((name, std::slice::from_ref(node))),
                    }
                }
            }
            Node::List(items) => {
                self.lost.empty |= items.is_empty();
                inner.push((ITEM, items));
            }
            node => text = Some(node),
        }
        let text = text.map_or_else(String::new, |node| self.text(node));
        let has_elements = inner.iter().any(|(_, nodes)| !nodes.is_empty());
        if text.is_empty() && !has_elements {
            self.out.push_str("/>\n");
        } else {
            self.out.push('>');
            escape::text(&text, self.out);
            if has_elements {
                self.out.push('\n');
                for (name, nodes) in inner {
                    for node in nodes {
                        self.element(name, node, level + 1);
                    }
                }
                self.indent(level);
            }
            self.out.push_str("</");
            self.out.push_str(&valid);
            self.out.push_str(">\n");
        }
        declared(node).for_each(|prefix| self.prefixes.remove(prefix));
    }

    /// Writes the indentation of a line.
    fn indent(&mut self, level: usize) {
        self.out.extend(std::iter::repeat_n("  ", level));
    }

    /// Name of the attribute that an entry of a map becomes. `None` if it becomes an element or the text.
    fn attribute(&self, name: &'n str, node: &Node) -> Option<&'n str> {
        let name = attribute(name).filter(|_| is_scalar(node))?;
        let is_valid = declares(name, node).is_some() || name::is_valid(name, &self.prefixes);
        is_valid.then_some(name)
    }

    /// Writes an attribute.
    fn attribute_value(&mut self, name: &str, node: &Node) {
        let value = self.text(node);
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        escape::attribute(&value, self.out);
        self.out.push('"');
    }

    /// Text of a value that is neither a list nor a map.
    fn text(&mut self, node: &Node) -> String {
        let text = match node {
            Node::Nothing | Node::List(_) | Node::Map(_) => return String::new(),
            Node::Text(text) => {
                self.lost.empty |= text.is_empty();
                self.lost.characters |= text.contains(escape::is_forbidden);
                return text.clone();
            }
            Node::Boolean(true) => "true",
            Node::Boolean(false) => "false",
            Node::Number(digits) => digits,
            // As in XML Schema (part 2, 3.3.5).
            Node::Unbounded(".inf") => "INF",
            Node::Unbounded("-.inf") => "-INF",
            Node::Unbounded(_) => "NaN",
            Node::Moment(text) => text,
        };
        self.lost.typed = true;
        text.to_owned()
    }
}

/// Prefixes that an element declares for itself and the elements in it.
fn declared(node: &Node) -> impl Iterator<Item = &str> {
    let entries = match node {
        Node::Map(entries) => entries.as_slice(),
        _ => &[],
    };
    let scalars = entries.iter().filter(|(_, node)| is_scalar(node));
    scalars.filter_map(|(name, node)| declares(attribute(name)?, node))
}

/// Prefix that an attribute declares.
fn declares<'n>(name: &'n str, node: &Node) -> Option<&'n str> {
    let value = match node {
        Node::Text(text) | Node::Number(text) | Node::Moment(text) => text,
        // The texts of these values are neither empty nor reserved namespaces.
        Node::Boolean(_) | Node::Unbounded(_) => "value",
        Node::Nothing | Node::List(_) | Node::Map(_) => "",
    };
    name::declared(name, value)
}
