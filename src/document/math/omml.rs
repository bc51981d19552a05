//! Formulas of Word.
use crate::containers::xml::Node;

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
