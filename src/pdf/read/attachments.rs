//! Names of embedded files (ISO 32000-2, 7.11.4), for a note. Opens no file.

use super::text::strings;
use hayro::hayro_syntax::object::{Array, Dict, Object, String as PdfString};

/// Limit on the number of names. The note lists no more.
const MAX: usize = 20;
/// Limit on the depth of the name tree.
const MAX_DEPTH: usize = 8;
/// Limit on the nodes of the name tree that are visited.
const MAX_NODES: usize = 200;

/// The names of embedded files, up to [`MAX`]. `names` is the `Names` dictionary of the catalogue.
pub(super) fn names(names: Option<&Dict<'_>>) -> Vec<String> {
    let mut found = Vec::new();
    let mut nodes = 0;
    if let Some(tree) = names.and_then(|names| names.get::<Dict<'_>>("EmbeddedFiles")) {
        add(&tree, 0, &mut nodes, &mut found);
    }
    found
}

/// Adds the names below a node of the name tree (ISO 32000-2, 7.9.6). A node has an array `Names` with pairs of a key
/// and a file specification, or an array `Kids` with further nodes.
fn add(node: &Dict<'_>, depth: usize, nodes: &mut usize, found: &mut Vec<String>) {
    *nodes += 1;
    if let Some(pairs) = node.get::<Array<'_>>("Names") {
        // Keys and file specifications alternate, so every second item is read.
        let files = pairs.iter::<Object<'_>>().skip(1).step_by(2);
        for file in files.filter_map(Object::into_dict).take(MAX) {
            // `UF` is the name in Unicode, and is preferred. `F` is the name in an older form (7.11.3).
            let mut names = ["UF", "F"]
                .into_iter()
                .filter_map(|key| file.get::<PdfString<'_>>(key));
            let name = names
                .next()
                .map(|name| strings::decode(&name))
                .unwrap_or_default();
            let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
            if !name.is_empty() && found.len() < MAX {
                found.push(name);
            }
        }
    }
    let Some(kids) = node.get::<Array<'_>>("Kids").filter(|_| depth < MAX_DEPTH) else {
        return;
    };
    for kid in kids.iter::<Dict<'_>>() {
        if found.len() >= MAX || *nodes >= MAX_NODES {
            return;
        }
        add(&kid, depth + 1, nodes, found);
    }
}
