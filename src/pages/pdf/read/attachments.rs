//! The names of the files that are attached to a PDF (ISO 32000-2, 7.11.4). Opens none of them.

use super::text::strings;
use hayro::hayro_syntax::object::{Array, Dict, Object, String as PdfString};

/// Limits on the names that are read, on the depth of a name tree, and on its nodes.
const MOST: usize = 20;
const MAX_DEPTH: usize = 8;
const MOST_NODES: usize = 200;

/// The names of attached files, or the first ones. `names` is what the catalogue calls so.
pub(super) fn names(names: Option<&Dict<'_>>) -> Vec<String> {
    let mut found = Vec::new();
    let mut nodes = 0;
    if let Some(tree) = names.and_then(|names| names.get::<Dict<'_>>("EmbeddedFiles")) {
        add(&tree, 0, &mut nodes, &mut found);
    }
    found
}

/// Adds those of a node of the name tree (ISO 32000-2, 7.9.6): pairs of a key and a file, or further nodes.
fn add(node: &Dict<'_>, depth: usize, nodes: &mut usize, found: &mut Vec<String>) {
    *nodes += 1;
    if let Some(pairs) = node.get::<Array<'_>>("Names") {
        let files = pairs.iter::<Object<'_>>().skip(1).step_by(2);
        for file in files.filter_map(Object::into_dict).take(MOST) {
            let mut names = ["UF", "F"]
                .into_iter()
                .filter_map(|key| file.get::<PdfString<'_>>(key));
            let name = names
                .next()
                .map(|name| strings::decode(&name))
                .unwrap_or_default();
            let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
            if !name.is_empty() && found.len() < MOST {
                found.push(name);
            }
        }
    }
    let Some(kids) = node.get::<Array<'_>>("Kids").filter(|_| depth < MAX_DEPTH) else {
        return;
    };
    for kid in kids.iter::<Dict<'_>>() {
        if found.len() >= MOST || *nodes >= MOST_NODES {
            return;
        }
        add(&kid, depth + 1, nodes, found);
    }
}
