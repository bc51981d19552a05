//! TOML (1.0) as data, parsed by the crate `toml`. Numbers keep all of their digits, and names keep their order as far
//! as TOML permits: the plain values of a table come before its subtables.

use super::{Budget, Lost, Map, Node, json};
use crate::error::Result;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// Name for a list at the top level, where TOML permits only a table.
const ITEMS: &str = "items";

/// Name for a value of another type at the top level.
const VALUE: &str = "value";

/// Parses a text.
pub(super) fn read(text: &str, budget: &mut Budget<'_>) -> Result<Node> {
    let job = budget.job;
    let table = DeTable::parse(text).map_err(|err| {
        let line = err.span().map_or(1, |span| {
            1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..span.start.min(text.len())]).count()
        });
        job.unreadable(format!("line {line}: {}", err.message()))
    })?;
    map(table.into_inner(), budget)
}

/// Converts a table. The parser sorts the names, but states the position of each, so that the order of the file is
/// restored.
fn map(table: DeTable<'_>, budget: &mut Budget<'_>) -> Result<Node> {
    let mut entries: Vec<_> = table.into_iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    let entries = entries.into_iter().map(|(name, value)| {
        let name = name.into_inner().into_owned();
        Ok((name, node(value, budget)?))
    });
    Ok(Node::Map(entries.collect::<Result<_>>()?))
}

/// Converts a value. The parser limits the nesting.
fn node(value: Spanned<DeValue<'_>>, budget: &mut Budget<'_>) -> Result<Node> {
    budget.add(1)?;
    Ok(match value.into_inner() {
        DeValue::String(text) => Node::Text(text.into_owned()),
        DeValue::Boolean(is) => Node::Boolean(is),
        DeValue::Datetime(moment) => Node::Moment(moment.to_string()),
        DeValue::Integer(number) => {
            let digits = number.as_str();
            let number = i128::from_str_radix(digits, number.radix());
            Node::Number(number.map_or_else(|_| digits.to_owned(), |number| number.to_string()))
        }
        DeValue::Float(number) => {
            let text = number.as_str();
            match text.trim_start_matches(['+', '-']) {
                "inf" if text.starts_with('-') => Node::Unbounded("-.inf"),
                "inf" => Node::Unbounded(".inf"),
                "nan" => Node::Unbounded(".nan"),
                _ => Node::Number(text.trim_start_matches('+').to_owned()),
            }
        }
        DeValue::Array(items) => {
            let items = items.into_iter().map(|item| node(item, budget));
            Node::List(items.collect::<Result<_>>()?)
        }
        DeValue::Table(entries) => map(entries, budget)?,
    })
}

/// Writes a file.
pub(super) fn write(node: &Node, lost: &mut Lost, out: &mut String) {
    match node {
        Node::Map(entries) => table(&mut Vec::new(), entries, lost, out),
        node => {
            let name = if let Node::List(_) = node {
                ITEMS
            } else {
                VALUE
            };
            lost.named = Some(name);
            // The lease is a multiple of the file's size, so it covers this copy, too.
            table(
                &mut Vec::new(),
                &vec![(name.to_owned(), node.clone())],
                lost,
                out,
            );
        }
    }
}

/// Writes a row of a table as an element of an array of tables.
pub(crate) fn row(name: &str, node: &Node, lost: &mut Lost, out: &mut String) {
    let Node::Map(entries) = node else { return };
    out.push_str(&format!("[[{name}]]\n"));
    // Losses are not counted, because an empty cell simply has no entry in its row.
    table(&mut Vec::new(), entries, lost, out);
}

/// Returns whether a value needs a header, such as `[name]` or `[[name]]`.
fn has_header(node: &Node) -> bool {
    match node {
        Node::Map(_) => true,
        Node::List(items) => {
            !items.is_empty() && items.iter().all(|item| matches!(item, Node::Map(_)))
        }
        _ => false,
    }
}

/// Writes the plain values of a table, and then its subtables. `path` holds the names of the enclosing tables and of
/// this one.
fn table<'m>(path: &mut Vec<&'m str>, entries: &'m Map, lost: &mut Lost, out: &mut String) {
    for (name, node) in entries.iter().filter(|(_, node)| !has_header(node)) {
        if *node == Node::Nothing {
            lost.nothing += 1;
            continue;
        }
        key(name, out);
        out.push_str(" = ");
        value(node, lost, out);
        out.push('\n');
    }
    for (name, node) in entries.iter().filter(|(_, node)| has_header(node)) {
        path.push(name);
        match node {
            Node::Map(inner) => {
                // A table that contains only tables needs no header, because the headers of its subtables imply it.
                if inner.is_empty() || inner.iter().any(|(_, node)| !has_header(node)) {
                    header(["[", "]"], path, out);
                }
                table(path, inner, lost, out);
            }
            Node::List(items) => {
                for item in items {
                    if let Node::Map(inner) = item {
                        header(["[[", "]]"], path, out);
                        table(path, inner, lost, out);
                    }
                }
            }
            _ => {}
        }
        path.pop();
    }
}

/// Writes a header, after an empty line unless it is the first line of the file.
fn header([open, close]: [&str; 2], path: &[&str], out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(open);
    for (at, name) in path.iter().enumerate() {
        if at > 0 {
            out.push('.');
        }
        key(name, out);
    }
    out.push_str(close);
    out.push('\n');
}

/// Writes a name, in quotation marks if necessary.
fn key(name: &str, out: &mut String) {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    match !name.is_empty() && name.bytes().all(is_bare) {
        true => out.push_str(name),
        false => json::string(name, out),
    }
}

/// Writes a value in one line.
fn value(node: &Node, lost: &mut Lost, out: &mut String) {
    match node {
        // Callers leave out null values.
        Node::Nothing => {}
        Node::Boolean(is) => out.push_str(if *is { "true" } else { "false" }),
        Node::Number(digits) => {
            let is_whole = !digits.contains(['.', 'e', 'E']);
            let fits = match is_whole {
                true => digits.parse::<i64>().is_ok(),
                false => digits.parse().is_ok_and(f64::is_finite),
            };
            if fits {
                out.push_str(digits);
            } else {
                lost.large += 1;
                json::string(digits, out);
            }
        }
        Node::Unbounded(text) => out.push_str(&text.replace('.', "")),
        Node::Text(text) => json::string(text, out),
        Node::Moment(text) => out.push_str(text),
        Node::List(items) => {
            out.push('[');
            let kept = items.iter().filter(|item| **item != Node::Nothing);
            for (at, item) in kept.enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                value(item, lost, out);
            }
            lost.nothing += items.iter().filter(|item| **item == Node::Nothing).count() as u64;
            out.push(']');
        }
        Node::Map(entries) => {
            out.push('{');
            let kept = entries.iter().filter(|(_, node)| *node != Node::Nothing);
            for (at, (name, node)) in kept.enumerate() {
                out.push_str(if at > 0 { ", " } else { " " });
                key(name, out);
                out.push_str(" = ");
                value(node, lost, out);
            }
            lost.nothing += entries
                .iter()
                .filter(|(_, node)| *node == Node::Nothing)
                .count() as u64;
            out.push_str(if entries.is_empty() { "}" } else { " }" });
        }
    }
}

/// Returns whether a text is a date, a time, or both in the notation of TOML.
pub(super) fn is_moment(text: &str) -> bool {
    let is_near = text.len() >= 8 && text.as_bytes()[..2].iter().all(u8::is_ascii_digit);
    let is_moment = |value: Spanned<DeValue<'_>>| matches!(value.get_ref(), DeValue::Datetime(_));
    is_near && DeValue::parse(text).is_ok_and(is_moment)
}
