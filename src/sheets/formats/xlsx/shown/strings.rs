//! Shared strings with their fonts (ECMA-376 part 1, 18.4). Reads no cells.

use super::{colours::Colours, styles};
use crate::{
    containers::xml::{Node, Reader},
    error::Result,
    ooxml::unescape,
    shown::book::{Run, Value},
};
use std::rc::Rc;

/// Reads the part. `xml` is at its beginning.
pub(super) fn read(xml: &mut Reader<'_>, colours: &Colours) -> Result<Vec<Value>> {
    xml.root()?;
    let level = xml.level();
    let mut strings = Vec::new();
    while let Some(element) = xml.next_element(level)? {
        if element.name == "si" {
            let node = Node::read(xml, element)?;
            strings.push(string(&node, colours));
        }
    }
    Ok(strings)
}

/// Reads a string, plain or in several runs. Phonetic text is skipped.
pub(super) fn string(node: &Node<'_>, colours: &Colours) -> Value {
    let text = |node: &Node<'_>| {
        let text = node
            .child("s", "t")
            .map(|text| unescape(&text.text).into_owned());
        text.unwrap_or_default()
    };
    let runs = node.children.iter().filter(|child| child.is("s", "r"));
    let runs: Rc<[Run]> = runs
        .map(|run| Run {
            text: text(run).into(),
            font: run
                .child("s", "rPr")
                .map(|properties| Rc::new(styles::font(properties, colours))),
        })
        .collect();
    let plain = text(node);
    match runs.is_empty() {
        true => Value::Text(plain.into()),
        false => Value::Rich(runs),
    }
}
