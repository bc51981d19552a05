//! JSON (RFC 8259) as data. Numbers keep all of their digits. Does not resolve references (`$ref`).

use super::{Budget, DEEPEST, Entries, Lost, Node};
use crate::{
    error::Result,
    json::{Fields, Values, parse},
};
use serde_json::value::RawValue;

/// Parses a text.
pub(super) fn read(text: &str, budget: &mut Budget<'_>, lost: &mut Lost) -> Result<Node> {
    let job = budget.job;
    let raw: &RawValue = serde_json::from_str(text).map_err(|err| job.unreadable(err))?;
    node(raw.get(), 0, budget, lost)
}

/// Parses JSON Lines: the values become the items of a list.
pub(super) fn read_lines(text: &str, budget: &mut Budget<'_>, lost: &mut Lost) -> Result<Node> {
    let job = budget.job;
    budget.add(1)?;
    let mut items = Vec::new();
    for raw in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        let raw = raw.map_err(|err| job.unreadable(err))?;
        items.push(node(raw.get(), 1, budget, lost)?);
    }
    Ok(Node::List(items))
}

/// Converts the text of a value, which is known to be valid JSON.
fn node(raw: &str, depth: usize, budget: &mut Budget<'_>, lost: &mut Lost) -> Result<Node> {
    budget.add(1)?;
    if depth > DEEPEST {
        return Err(budget.too_deep());
    }
    let job = budget.job;
    let unreadable = |err: serde_json::Error| job.unreadable(err);
    Ok(match raw.as_bytes().first() {
        Some(b'[') => {
            let mut items = Vec::new();
            let add = &mut |raw: &str| {
                items.push(node(raw, depth + 1, budget, lost)?);
                Ok(())
            };
            parse(raw, Values(add)).map_err(unreadable)??;
            Node::List(items)
        }
        Some(b'{') => {
            let mut entries = Entries::default();
            let add = &mut |name: &str, raw: &str| {
                let node = node(raw, depth + 1, budget, lost)?;
                entries.put(name.to_owned(), node, lost);
                Ok(())
            };
            parse(raw, Fields(add)).map_err(unreadable)??;
            Node::Map(entries.entries)
        }
        _ => scalar(raw).map_err(unreadable)?,
    })
}

/// Converts the text of a value that is neither a list nor a map.
fn scalar(raw: &str) -> serde_json::Result<Node> {
    Ok(match raw.as_bytes().first() {
        Some(b'n') | None => Node::Nothing,
        Some(b't') => Node::Boolean(true),
        Some(b'f') => Node::Boolean(false),
        Some(b'"') => Node::Text(serde_json::from_str(raw)?),
        Some(_) => Node::Number(raw.to_owned()),
    })
}

/// Parses an object of scalar values that this program has written.
pub(crate) fn own(text: &str) -> Node {
    let mut entries = Vec::new();
    let add = &mut |name: &str, raw: &str| {
        entries.push((name.to_owned(), scalar(raw).unwrap_or(Node::Nothing)));
        Ok(())
    };
    // The result is ignored, because a text that this program has written is valid.
    let _ = parse(text, Fields(add));
    Node::Map(entries)
}

/// Writes a value. With an indent, in spaces, each item is on a line of its own.
pub(super) fn write(node: &Node, indent: Option<usize>, lost: &mut Lost, out: &mut String) {
    match node {
        Node::Nothing => out.push_str("null"),
        Node::Boolean(is) => out.push_str(if *is { "true" } else { "false" }),
        Node::Number(digits) => out.push_str(digits),
        Node::Unbounded(_) => {
            lost.unbounded += 1;
            out.push_str("null");
        }
        Node::Text(text) | Node::Moment(text) => string(text, out),
        Node::List(items) => group(['[', ']'], items, indent, out, |item, indent, out| {
            write(item, indent, lost, out);
        }),
        Node::Map(entries) => {
            group(
                ['{', '}'],
                entries,
                indent,
                out,
                |(name, node), indent, out| {
                    string(name, out);
                    out.push_str(if indent.is_some() { ": " } else { ":" });
                    write(node, indent, lost, out);
                },
            );
        }
    }
}

/// Writes JSON Lines: each item of a list on a line. The list may also be the only value of a map. Any other value is
/// the only line.
pub(super) fn write_lines(node: &Node, lost: &mut Lost, out: &mut String) {
    let items = match node {
        Node::List(items) => items.as_slice(),
        Node::Map(entries) => match entries.as_slice() {
            [(_, Node::List(items))] => items.as_slice(),
            _ => std::slice::from_ref(node),
        },
        node => std::slice::from_ref(node),
    };
    for item in items {
        write(item, None, lost, out);
        out.push('\n');
    }
}

/// Writes a list or a map.
fn group<T>(
    [open, close]: [char; 2],
    items: &[T],
    indent: Option<usize>,
    out: &mut String,
    mut write: impl FnMut(&T, Option<usize>, &mut String),
) {
    let line = |indent: Option<usize>, out: &mut String| {
        if let Some(indent) = indent {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
        }
    };
    let inner = indent.map(|indent| indent + 2);
    out.push(open);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        line(inner, out);
        write(item, inner, out);
    }
    if !items.is_empty() {
        line(indent, out);
    }
    out.push(close);
}

/// Writes a text in quotation marks. The result is valid in YAML and TOML, too.
pub(super) fn string(text: &str, out: &mut String) {
    // `serde_json` escapes only the characters that JSON does not permit. TOML also requires U+007F to be escaped, and
    // YAML the other control characters and the byte order mark; YAML 1.1 reads U+2028 and U+2029 as line breaks.
    let quoted = serde_json::to_string(text).unwrap_or_default();
    for sign in quoted.chars() {
        match sign {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(sign)));
            }
            _ => out.push(sign),
        }
    }
}
