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
    if node.child("s", "r").is_none() {
        let text = node.child("s", "t").map(|text| unescape(&text.text));
        return Value::Text(text.unwrap_or_default().into());
    }
    let font = |properties| Rc::new(styles::font(properties, colours));
    let runs = node.children.iter().filter_map(|part| {
        let (text, font) = match part.element.name {
            "t" => (part, None),
            "r" => (part.child("s", "t")?, part.child("s", "rPr").map(font)),
            _ => return None,
        };
        let text = unescape(&text.text).into();
        Some(Run { text, font })
    });
    Value::Rich(runs.collect())
}
