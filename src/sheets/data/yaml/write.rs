//! Writes block style: lists with a dash before each item, and maps with a name in each line. Texts of several lines
//! become literal blocks if possible. Never writes an alias or a tag.

use super::scalar;
use crate::data::Node;

/// Writes a file.
pub(crate) fn write(node: &Node, out: &mut String) {
    match is_block(node) {
        true => block(node, 0, false, out),
        false => value(node, 0, out),
    }
}

/// Writes an item of a list that is the whole file.
pub(crate) fn item(node: &Node, out: &mut String) {
    out.push('-');
    inner(node, 0, out);
}

/// Returns whether a value takes lines of its own.
fn is_block(node: &Node) -> bool {
    match node {
        Node::List(items) => !items.is_empty(),
        Node::Map(entries) => !entries.is_empty(),
        _ => false,
    }
}

/// Writes the lines of a list or map. The first line is not indented if it follows the dash of an item (`is_behind`).
fn block(node: &Node, indent: usize, mut is_behind: bool, out: &mut String) {
    let mut begin = |out: &mut String| {
        if !std::mem::take(&mut is_behind) {
            out.extend(std::iter::repeat_n(' ', indent));
        }
    };
    match node {
        Node::List(items) => {
            for node in items {
                begin(out);
                out.push('-');
                inner(node, indent, out);
            }
        }
        Node::Map(entries) => {
            for (name, node) in entries {
                begin(out);
                scalar::string(name, out);
                out.push(':');
                if is_block(node) {
                    out.push('\n');
                    block(node, indent + 2, false, out);
                } else {
                    out.push(' ');
                    value(node, indent, out);
                }
            }
        }
        _ => {}
    }
}

/// Writes an item after its dash.
fn inner(node: &Node, indent: usize, out: &mut String) {
    out.push(' ');
    if is_block(node) {
        block(node, indent + 2, true, out);
    } else {
        value(node, indent, out);
    }
}

/// Writes a value after a colon or dash, with the end of the line.
fn value(node: &Node, indent: usize, out: &mut String) {
    match node {
        Node::List(_) => out.push_str("[]"),
        Node::Map(_) => out.push_str("{}"),
        Node::Text(text) if is_literal(text) => return literal(text, indent + 2, out),
        node => scalar::write(node, out),
    }
    out.push('\n');
}

/// Returns whether a text can be a literal block: several lines of printable characters, which do not begin with a
/// space or line end.
fn is_literal(text: &str) -> bool {
    let is_printed = |sign: char| {
        let is_other = matches!(sign, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}'..='\u{ffff}');
        sign == '\n' || sign >= ' ' && !is_other
    };
    text.contains('\n') && !text.starts_with([' ', '\n']) && text.chars().all(is_printed)
}

/// Writes a literal block (8.1.2). The chomping indicator in its header states how many line ends follow the text.
fn literal(text: &str, indent: usize, out: &mut String) {
    let lines = text.strip_suffix('\n');
    out.push_str(match lines {
        None => "|-\n",
        Some(lines) if lines.ends_with('\n') => "|+\n",
        Some(_) => "|\n",
    });
    for line in lines.unwrap_or(text).split('\n') {
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(line);
        }
        out.push('\n');
    }
}
