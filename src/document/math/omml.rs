//! Formulas of Word.
use crate::containers::xml::{Node, Writer};

/// The formulas.
pub(crate) fn read(node: &Node<'_>) -> Vec<String> {
    fn text(node: &Node<'_>, out: &mut String) {
        out.push_str(&node.text);
        for child in &node.children {
            text(child, out);
        }
    }
    let mut out = String::new();
    text(node, &mut out);
    vec![out]
}

/// Writes a formula. False if it holds what Word has no place for; then nothing is written.
pub(crate) fn write(_: &mut Writer, _: &str, _: bool) -> bool {
    false
}
