//! Reads OMML formulas. Ignores fonts and sizes.

use super::super::{MAX_DEPTH, Math, Style, characters, symbols, tex_write};
use crate::{
    containers::xml::{Element, Node, Reader},
    error::Result,
};
use std::borrow::Cow;

/// The limit on the tags of a formula, where each element has a start tag and an end tag. A larger formula is read as
/// text.
const MAX_PARTS: usize = 50_000;

/// The formulas of an `m:oMath` or `m:oMathPara`, in TeX. The element has to be the innermost open element of `xml`.
pub fn read<'a>(xml: &mut Reader<'a>, element: Element<'a>) -> Result<Vec<String>> {
    if !is_small(&mut xml.clone())? {
        return Ok(vec![tex_write::write(&Math::Text(xml.text()?))]);
    }
    Ok(formulas(&Node::read(xml, element)?))
}

/// The formulas of an element that has been parsed into a node, in TeX.
pub fn formulas(node: &Node<'_>) -> Vec<String> {
    let whole = |node: &Node<'_>| tex_write::write(&Math::row(parts(node, 0)));
    if node.is("m", "oMathPara") {
        let formulas = node.children.iter().filter(|child| child.is("m", "oMath"));
        return formulas.map(whole).collect();
    }
    vec![whole(node)]
}

/// Returns whether the innermost element is small enough to be read as a whole.
fn is_small(xml: &mut Reader<'_>) -> Result<bool> {
    let outer = xml.level();
    let mut depth = 0;
    for _ in 0..MAX_PARTS {
        match xml.next_element(outer + depth)? {
            Some(_) => depth += 1,
            None if depth == 0 => return Ok(true),
            None => depth -= 1,
        }
    }
    Ok(false)
}

fn parts(node: &Node<'_>, depth: usize) -> Vec<Math> {
    // Content that is too deep becomes text.
    if depth > MAX_DEPTH {
        let mut text = String::new();
        all_text(node, &mut text);
        return vec![Math::Text(text)];
    }
    node.children
        .iter()
        .flat_map(|child| part(child, depth + 1))
        .collect()
}

fn all_text(node: &Node<'_>, out: &mut String) {
    out.push_str(&node.text);
    node.children.iter().for_each(|child| all_text(child, out));
}

fn part(node: &Node<'_>, depth: usize) -> Vec<Math> {
    if node.element.space == "m" {
        return MathElement { node, depth }.read();
    }
    // WordprocessingML inside of a formula: runs and tracked changes. Deleted text is left out, and inserted text is
    // read.
    match node.element.name {
        "del" | "moveFrom" | "rPr" | "ctrlPr" => Vec::new(),
        "t" => characters::of(&node.text),
        _ => parts(node, depth),
    }
}

/// An element of a formula.
struct MathElement<'n> {
    node: &'n Node<'n>,
    depth: usize,
}

impl<'n> MathElement<'n> {
    fn content(&self, name: &str) -> Math {
        let child = self.node.child("m", name);
        Math::row(child.map_or_else(Vec::new, |child| parts(child, self.depth)))
    }

    fn boxed(&self, name: &str) -> Box<Math> {
        Box::new(self.content(name))
    }

    /// The value of a property. The properties are in a child whose name ends with `Pr`, such as `m:fPr` in a fraction.
    fn property(&self, name: &str) -> Option<Cow<'n, str>> {
        let mut children = self.node.children.iter();
        let group = children.find(|child| child.element.name.ends_with("Pr"))?;
        let found = group.child("m", name)?;
        Some(found.attribute("val").unwrap_or_default())
    }

    fn is_set(&self, name: &str) -> bool {
        let value = self.property(name);
        value.is_some_and(|value| !matches!(&*value, "0" | "off" | "false"))
    }

    /// The value of a property as text, or `default` if the property is not stated.
    fn text(&self, name: &str, default: &'static str) -> String {
        self.property(name).unwrap_or(default.into()).into_owned()
    }

    /// The character of an accent, or `default` if it is not stated.
    fn sign(&self, default: char) -> char {
        let sign = self.property("chr");
        sign.and_then(|sign| sign.chars().next()).unwrap_or(default)
    }

    fn is_on_top(&self) -> bool {
        self.property("pos").as_deref() == Some("top")
    }

    /// Converts an element of Office's math markup (ECMA-376 part 1, 22.1).
    fn read(&self) -> Vec<Math> {
        let (content, boxed) = (|name| self.content(name), |name| self.boxed(name));
        let converted = match self.node.element.name {
            "r" => return run(self.node),
            "f" => self.fraction(),
            "rad" => Math::Root {
                content: boxed("e"),
                degree: (self.node.child("m", "deg"))
                    .filter(|degree| !self.is_set("degHide") && !degree.children.is_empty())
                    .map(|_| boxed("deg")),
            },
            "sSup" => scripts(content("e"), None, Some(boxed("sup")), false),
            "sSub" => scripts(content("e"), Some(boxed("sub")), None, false),
            "sSubSup" => scripts(content("e"), Some(boxed("sub")), Some(boxed("sup")), false),
            "sPre" => {
                let none = Math::Row(Vec::new());
                let before = scripts(none, Some(boxed("sub")), Some(boxed("sup")), false);
                Math::Row(vec![before, content("e")])
            }
            "nary" => {
                let sign = Math::Operator(self.text("chr", "∫"));
                let below = Some(boxed("sub")).filter(|_| !self.is_set("subHide"));
                let above = Some(boxed("sup")).filter(|_| !self.is_set("supHide"));
                return vec![scripts(sign, below, above, false), content("e")];
            }
            "limLow" => scripts(content("e"), Some(boxed("lim")), None, true),
            "limUpp" => scripts(content("e"), None, Some(boxed("lim")), true),
            "func" => return vec![name_of_function(content("fName")), content("e")],
            "acc" => Math::Accent {
                content: boxed("e"),
                sign: self.sign('\u{302}'),
                over: true,
            },
            "bar" => {
                let over = self.is_on_top();
                Math::Accent {
                    content: boxed("e"),
                    sign: if over { '\u{203e}' } else { '_' },
                    over,
                }
            }
            "groupChr" => Math::Accent {
                content: boxed("e"),
                sign: self.sign('\u{23df}'),
                over: self.is_on_top(),
            },
            "d" => self.fenced(),
            "m" => self.matrix(),
            "eqArr" => self.equations(),
            name if name.ends_with("Pr") => return Vec::new(),
            _ => return parts(self.node, self.depth),
        };
        vec![converted]
    }

    fn fraction(&self) -> Math {
        match self.property("type").as_deref() {
            Some("lin" | "skw") => Math::Row(vec![
                self.content("num"),
                Math::Operator("/".to_owned()),
                self.content("den"),
            ]),
            kind => Math::Fraction {
                above: self.boxed("num"),
                below: self.boxed("den"),
                line: kind != Some("noBar"),
            },
        }
    }

    fn fenced(&self) -> Math {
        let separator = self.text("sepChr", "|");
        let mut inner = Vec::new();
        for (number, child) in children(self.node, "e").enumerate() {
            if number > 0 {
                inner.push(Math::Operator(separator.clone()));
            }
            inner.extend(parts(child, self.depth));
        }
        Math::Fenced {
            open: self.text("begChr", "("),
            content: Box::new(Math::row(inner)),
            close: self.text("endChr", ")"),
        }
    }

    fn matrix(&self) -> Math {
        let cells = |row| {
            let cells = children(row, "e");
            cells
                .map(|cell| Math::row(parts(cell, self.depth + 1)))
                .collect()
        };
        Math::Table {
            rows: children(self.node, "mr").map(cells).collect(),
            aligned: false,
        }
    }

    fn equations(&self) -> Math {
        let cells = |row| {
            // An ampersand in the text marks the alignment points of the equations.
            let mut cells = vec![Vec::new()];
            for part in parts(row, self.depth + 1) {
                if matches!(&part, Math::Operator(sign) | Math::Identifier(sign) if sign == "&") {
                    cells.push(Vec::new());
                } else if let Some(cell) = cells.last_mut() {
                    cell.push(part);
                }
            }
            cells.into_iter().map(Math::row).collect()
        };
        Math::Table {
            rows: children(self.node, "e").map(cells).collect(),
            aligned: true,
        }
    }
}

/// The children of this name.
fn children<'n>(node: &'n Node<'n>, name: &str) -> impl Iterator<Item = &'n Node<'n>> {
    let children = node.children.iter();
    children.filter(move |child| child.is("m", name))
}

/// Joins the letters of a known function name into one identifier. Word marks such letters as upright, and they are
/// then one identifier already. Other programs may not mark them, but they are not a product of variables there either.
fn name_of_function(math: Math) -> Math {
    match math {
        Math::Scripts {
            base,
            below,
            above,
            limits,
        } => scripts(name_of_function(*base), below, above, limits),
        Math::Row(parts) => {
            let letters = parts.iter().map(|part| match part {
                Math::Identifier(letter) => Some(letter.as_str()),
                _ => None,
            });
            match letters.collect::<Option<String>>() {
                Some(name) if symbols::FUNCTIONS.contains(&name.as_str()) => Math::Identifier(name),
                _ => Math::Row(parts),
            }
        }
        other => other,
    }
}

fn scripts(base: Math, below: Option<Box<Math>>, above: Option<Box<Math>>, limits: bool) -> Math {
    Math::Scripts {
        base: Box::new(base),
        below,
        above,
        limits,
    }
}

/// Converts a run, whose text is divided into identifiers, numbers and operators.
fn run(node: &Node<'_>) -> Vec<Math> {
    let mut text = String::new();
    for child in &node.children {
        if child.element.name == "t" {
            text.push_str(&child.text);
        }
    }
    let properties = node.child("m", "rPr");
    let property = |name: &str| {
        let found = properties?.child("m", name)?;
        Some(found.attribute("val").unwrap_or_default())
    };
    if property("nor").is_some() {
        return vec![Math::Text(text)];
    }
    let plain = property("sty").as_deref() == Some("p");
    let letters = text.trim();
    if plain && letters.chars().count() > 1 && letters.chars().all(char::is_alphabetic) {
        return vec![Math::Identifier(letters.to_owned())];
    }
    let style = match (property("scr").as_deref(), property("sty").as_deref()) {
        (Some("double-struck"), _) => Some(Style::DoubleStruck),
        (Some("script"), _) => Some(Style::Script),
        (Some("fraktur"), _) => Some(Style::Fraktur),
        (Some("sans-serif"), _) => Some(Style::SansSerif),
        (Some("monospace"), _) => Some(Style::Monospace),
        (_, Some("b" | "bi")) => Some(Style::Bold),
        (_, Some("p"))
            if letters.chars().all(|c| c.is_ascii_alphabetic()) && !letters.is_empty() =>
        {
            Some(Style::Upright)
        }
        _ => None,
    };
    let parts = characters::of(&text);
    match style {
        Some(style) => vec![Math::Styled(style, Box::new(Math::row(parts)))],
        None => parts,
    }
}
