//! Reads presentation MathML. Content MathML (`apply`, `ci`) is reduced to its text.

use super::{
    super::{Math, Style, symbols, tex_write},
    part::MathElement,
};

/// Returns the formula in TeX: a TeX annotation as it is, or else the alternative text `hint` if it contains a
/// backslash, because many programs write TeX there, or else the elements in TeX.
pub(super) fn read(node: &MathElement, hint: Option<&str>) -> String {
    let hint = hint.unwrap_or_default().trim();
    if let Some(tex) = annotation(node) {
        return tex;
    }
    if hint.contains('\\') {
        return hint.to_owned();
    }
    let tex = tex_write::write(&Math::row(fences(parts(node), node)));
    if !tex.is_empty() {
        return tex;
    }
    // None of the elements is known, so fall back to their text, or else to the alternative text.
    let mut words = String::new();
    node.all_text(&mut words);
    let words: Vec<&str> = words.split_whitespace().collect();
    match words.as_slice() {
        [] => hint.to_owned(),
        words => words.join(" "),
    }
}

fn annotation(node: &MathElement) -> Option<String> {
    let semantics = node
        .children
        .iter()
        .find(|child| &*child.name == "semantics")?;
    let tex = semantics.children.iter().find(|child| {
        let encoding = child.attribute("encoding").unwrap_or_default();
        &*child.name == "annotation"
            && ["application/x-tex", "tex", "latex"]
                .iter()
                .any(|known| encoding.eq_ignore_ascii_case(known))
    })?;
    Some(tex.text.trim().to_owned()).filter(|tex| !tex.is_empty())
}

/// Converts the children of an element. Recursive, but the depth was limited when the elements were collected.
fn parts(node: &MathElement) -> Vec<Math> {
    node.children.iter().flat_map(part).collect()
}

/// Converts an element of presentation MathML. An element without a meaning of its own, such as `mrow`, becomes the
/// nodes of its children.
fn part(node: &MathElement) -> Vec<Math> {
    let child = |at| child(node, at);
    let scripts = |below: Option<usize>, above: Option<usize>, limits| Math::Scripts {
        base: child(0),
        below: below.map(child),
        above: above.map(child),
        limits,
    };
    let converted = match &*node.name {
        "mi" => identifier(node),
        "mn" => Math::Number(node.text.trim().to_owned()),
        "mo" => return operator(node.text.trim()),
        "mtext" | "ms" => Math::Text(node.text.clone()),
        "mspace" => {
            let width = node.attribute("width").unwrap_or_default();
            let width = width
                .strip_suffix("em")
                .and_then(|width| width.parse::<f64>().ok());
            Math::Space((width.unwrap_or(0.33) * 18.0).round() as i8)
        }
        "mfrac" => Math::Fraction {
            above: child(0),
            below: child(1),
            line: !node
                .attribute("linethickness")
                .is_some_and(|width| width.starts_with('0')),
        },
        "msqrt" => Math::Root {
            content: Box::new(Math::row(parts(node))),
            degree: None,
        },
        "mroot" => Math::Root {
            content: child(0),
            degree: Some(child(1)),
        },
        "msub" => scripts(Some(1), None, false),
        "msup" => scripts(None, Some(1), false),
        "msubsup" => scripts(Some(1), Some(2), false),
        "munder" => accent(node, false).unwrap_or_else(|| scripts(Some(1), None, true)),
        "mover" => accent(node, true).unwrap_or_else(|| scripts(None, Some(1), true)),
        "munderover" => scripts(Some(1), Some(2), true),
        "mfenced" => Math::Fenced {
            open: node.attribute("open").unwrap_or("(").to_owned(),
            content: Box::new(Math::row(parts(node))),
            close: node.attribute("close").unwrap_or(")").to_owned(),
        },
        "mtable" => table(node),
        "mrow" | "mstyle" | "mpadded" | "math" => return fences(parts(node), node),
        "semantics" => return node.children.first().map(part).unwrap_or_default(),
        "annotation" | "annotation-xml" | "mphantom" | "none" => return Vec::new(),
        _ => return parts(node),
    };
    vec![converted]
}

fn child(node: &MathElement, at: usize) -> Box<Math> {
    let parts = node.children.get(at).map(part);
    Box::new(Math::row(parts.unwrap_or_default()))
}

/// An identifier with its style. A single letter is italic unless the file says otherwise.
fn identifier(node: &MathElement) -> Math {
    let text = node.text.trim();
    let style = match node.attribute("mathvariant") {
        Some("bold" | "bold-italic") => Some(Style::Bold),
        Some("double-struck") => Some(Style::DoubleStruck),
        Some("script") => Some(Style::Script),
        Some("fraktur") => Some(Style::Fraktur),
        Some("sans-serif") => Some(Style::SansSerif),
        Some("monospace") => Some(Style::Monospace),
        Some("normal") if text.chars().count() == 1 && text.is_ascii() => Some(Style::Upright),
        _ => None,
    };
    let name = if text.chars().count() > 1 {
        Math::Identifier(text.to_owned())
    } else {
        Math::row(super::super::characters::of(text))
    };
    match style {
        // If the character itself belongs to a mathematical alphabet, its own style takes precedence.
        Some(style) if !matches!(name, Math::Styled(..)) => Math::Styled(style, Box::new(name)),
        _ => name,
    }
}

/// Converts a base and the script above or below it to an accent. `None` if the script is not a known accent.
fn accent(node: &MathElement, over: bool) -> Option<Math> {
    let script = node.children.get(1).filter(|child| &*child.name == "mo")?;
    let mut signs = script.text.trim().chars();
    let (Some(sign), None) = (signs.next(), signs.next()) else {
        return None;
    };
    symbols::accent_name(sign, true).or(symbols::accent_name(sign, false))?;
    Some(Math::Accent {
        content: child(node, 0),
        sign,
        over,
    })
}

fn table(node: &MathElement) -> Math {
    let rows = node.children.iter().filter(|row| &*row.name == "mtr");
    let cells = |row: &MathElement| {
        let cells = row.children.iter();
        cells.map(|cell| Math::row(parts(cell))).collect()
    };
    Math::Table {
        rows: rows.clone().map(cells).collect(),
        aligned: is_aligned(node, rows),
    }
}

/// Returns whether the columns of a table are right-aligned and left-aligned in turn, as those of equations that are
/// aligned at their relations. The table, its rows or its cells state the alignments of the columns. Alignments after
/// the 64th, or of columns without a cell, do not count, so that a long list is not read again for each row.
fn is_aligned<'p>(node: &MathElement, mut rows: impl Iterator<Item = &'p MathElement>) -> bool {
    const MOST: usize = 64;
    let stated = |part: &'p MathElement| part.attribute("columnalign").unwrap_or_default();
    let of_table: Vec<&str> = node
        .attribute("columnalign")
        .unwrap_or_default()
        .split_ascii_whitespace()
        .take(MOST)
        .collect();
    let row = |row: &'p MathElement| {
        let own: Vec<&str> = match stated(row) {
            "" if of_table.is_empty() => row.children.iter().map(stated).take(MOST).collect(),
            "" => of_table.clone(),
            own => own.split_ascii_whitespace().take(MOST).collect(),
        };
        own.len() > 1
            && own[..own.len().min(row.children.len())]
                .chunks(2)
                .all(|pair| {
                    pair[0] == "right" && pair.get(1).is_none_or(|second| *second == "left")
                })
    };
    rows.all(row)
}

fn operator(text: &str) -> Vec<Math> {
    match text {
        "-" => vec![Math::Operator("−".to_owned())],
        "*" => vec![Math::Operator("∗".to_owned())],
        _ if text.chars().all(|c| matches!(c, '\u{2061}'..='\u{2064}')) => Vec::new(),
        _ if text.chars().count() > 1 && text.chars().all(char::is_alphabetic) => {
            vec![Math::Identifier(text.to_owned())]
        }
        _ => vec![Math::Operator(text.to_owned())],
    }
}

/// Combines a row with an opening and a closing fence into one node. Fences are delimiters that grow with their
/// content.
fn fences(mut parts: Vec<Math>, node: &MathElement) -> Vec<Math> {
    // Programs mark fences either by the attribute `fence` or by `form`.
    let grows = |child: Option<&MathElement>, form: &str| {
        child.is_some_and(|child| {
            &*child.name == "mo"
                && (child.attribute("fence") == Some("true")
                    || child.attribute("form") == Some(form))
        })
    };
    let mut opens = grows(node.children.first(), "prefix");
    let mut closes = grows(node.children.last(), "postfix");
    // The brace of a definition by cases has no closing fence, or an empty one, which is not among the parts. So an
    // empty operator is added as the missing fence.
    let is_table = |part: Option<&Math>| matches!(part, Some(Math::Table { .. }));
    if parts.len() == 2 {
        if opens && is_table(parts.last()) {
            parts.push(Math::Operator(String::new()));
            closes = true;
        } else if closes && is_table(parts.first()) {
            parts.insert(0, Math::Operator(String::new()));
            opens = true;
        }
    }
    let is_fence = |part: Option<&Math>| matches!(part, Some(Math::Operator(_)));
    let is_fenced = parts.len() > 1 && is_fence(parts.first()) && is_fence(parts.last());
    if !(opens && closes && is_fenced) {
        return parts;
    }
    let (Some(Math::Operator(close)), Math::Operator(open)) = (parts.pop(), parts.remove(0)) else {
        return parts;
    };
    vec![Math::Fenced {
        open,
        content: Box::new(Math::row(parts)),
        close,
    }]
}
