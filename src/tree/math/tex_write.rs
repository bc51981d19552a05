//! Writes formulas as TeX. A space after each command keeps a letter that follows from becoming part of its name. Adds
//! no line breaks.

use super::{Math, Style, symbols};

/// The formula in TeX.
pub(super) fn write(math: &Math) -> String {
    let mut out = String::new();
    part(math, &mut out);
    out.trim().to_owned()
}

/// Writes a part of a formula in TeX.
fn part(math: &Math, out: &mut String) {
    match math {
        Math::Row(parts) => parts.iter().for_each(|child| part(child, out)),
        Math::Identifier(name) => identifier(name, out),
        Math::Number(digits) => out.push_str(digits),
        Math::Operator(sign) => operator(sign, out),
        Math::Text(words) => {
            out.push_str("\\text{");
            out.push_str(&words.replace(['\\', '{', '}', '$'], ""));
            out.push('}');
        }
        Math::Space(width) => command(
            match width {
                ..0 => "!",
                0 => return,
                1..=3 => ",",
                4 => ":",
                5 => ";",
                6..=12 => " ",
                13..=27 => "quad",
                28.. => "qquad",
            },
            out,
        ),
        Math::Fraction {
            above,
            below,
            line: true,
        } => {
            out.push_str("\\frac");
            group(above, out);
            group(below, out);
        }
        Math::Fraction {
            above,
            below,
            line: false,
        } => {
            out.push_str("\\genfrac{}{}{0pt}{}");
            group(above, out);
            group(below, out);
        }
        Math::Root { content, degree } => {
            out.push_str("\\sqrt");
            if let Some(degree) = degree {
                out.push('[');
                part(degree, out);
                out.push(']');
            }
            group(content, out);
        }
        Math::Scripts {
            base,
            below,
            above,
            limits,
        } => scripts(base, below.as_deref(), above.as_deref(), *limits, out),
        Math::Accent {
            content,
            sign,
            over,
        } => accent(content, *sign, *over, out),
        Math::Fenced {
            open,
            content,
            close,
        } => fenced(open, content, close, out),
        Math::Table { rows, aligned } => {
            table(if *aligned { "aligned" } else { "matrix" }, rows, out)
        }
        Math::Styled(style, content) => {
            command(
                match style {
                    Style::Upright => "mathrm",
                    Style::Bold => "mathbf",
                    Style::Italic => "mathit",
                    Style::DoubleStruck => "mathbb",
                    Style::Script => "mathcal",
                    Style::Fraktur => "mathfrak",
                    Style::SansSerif => "mathsf",
                    Style::Monospace => "mathtt",
                },
                out,
            );
            while out.ends_with(' ') {
                out.pop();
            }
            group(content, out);
        }
    }
}

/// Writes content with a sign over or under it.
fn accent(content: &Math, sign: char, over: bool, out: &mut String) {
    match symbols::accent_name(sign, over) {
        Some(name) => {
            let wide = matches!(content, Math::Row(parts) if parts.len() > 1);
            let name = match name {
                "hat" if wide => "widehat",
                "tilde" if wide => "widetilde",
                "vec" if wide => "overrightarrow",
                name => name,
            };
            out.push('\\');
            out.push_str(name);
        }
        None => {
            out.push_str(if over { "\\overset{" } else { "\\underset{" });
            operator(&sign.to_string(), out);
            out.push('}');
        }
    }
    group(content, out);
}

/// Writes a name: a function or a known symbol as a command, and any other name of several letters as `\operatorname`.
fn identifier(name: &str, out: &mut String) {
    let mut letters = name.chars();
    let (first, more) = (letters.next(), letters.next().is_some());
    if symbols::FUNCTIONS.contains(&name) {
        command(name, out);
    } else if let Some(known) = symbols::name_of(name) {
        command(known, out);
    } else if more && first.is_some() {
        out.push_str("\\operatorname{");
        out.push_str(&name.replace(['\\', '{', '}'], ""));
        out.push('}');
    } else {
        out.push_str(name);
    }
}

/// Writes an operator: itself, or the command for its character.
fn operator(sign: &str, out: &mut String) {
    match sign {
        "−" => out.push('-'),
        "∗" => out.push('*'),
        "mod" => command("bmod", out),
        ":" | "|" | "[" | "]" => out.push_str(sign),
        _ if sign.chars().all(|c| c == '′') && !sign.is_empty() => {
            for _ in sign.chars() {
                command("prime", out);
            }
        }
        _ => match symbols::name_of(sign) {
            Some(name) => command(name, out),
            None => match sign.strip_suffix('\u{338}') {
                Some(rest) => {
                    out.push_str("\\not");
                    operator(rest, out);
                }
                None => out.push_str(&sign.replace('\\', "\\backslash ")),
            },
        },
    }
}

/// Writes a command. A name of letters is followed by a space, so that the next letter does not become part of the
/// name.
fn command(name: &str, out: &mut String) {
    out.push('\\');
    out.push_str(name);
    if name.ends_with(|c: char| c.is_ascii_alphabetic()) {
        out.push(' ');
    }
}

/// Writes a formula in braces.
fn group(math: &Math, out: &mut String) {
    out.push('{');
    let start = out.len();
    part(math, out);
    let end = out.trim_end().len().max(start);
    // Keeps the space of a control space (`\ `).
    if !out[..end].ends_with('\\') {
        out.truncate(end);
    }
    out.push('}');
}

/// Writes sub- and superscripts, with `limits` directly below and above the base.
fn scripts(
    base: &Math,
    below: Option<&Math>,
    above: Option<&Math>,
    limits: bool,
    out: &mut String,
) {
    let function = match base {
        Math::Identifier(name) => symbols::FUNCTIONS.contains(&name.as_str()),
        _ => false,
    };
    let brace = matches!(
        base,
        Math::Accent {
            sign: '\u{23de}' | '\u{23df}',
            ..
        }
    );
    // TeX sets scripts as limits only for functions, braces and large operators. Other bases need commands that set the
    // scripts above and below.
    if limits && !function && !brace && !base.is_large_operator() {
        let sides = [("\\overset", above), ("\\underset", below)];
        let mut open = 0;
        for (name, script) in sides {
            if let Some(script) = script {
                out.push_str(name);
                group(script, out);
                out.push('{');
                open += 1;
            }
        }
        part(base, out);
        out.extend(std::iter::repeat_n('}', open));
        return;
    }
    match base {
        Math::Identifier(_)
        | Math::Number(_)
        | Math::Operator(_)
        | Math::Accent { .. }
        | Math::Fenced { .. } => part(base, out),
        Math::Row(parts) if parts.is_empty() => out.push_str("{}"),
        base => group(base, out),
    }
    // A script needs no space after a command such as `\alpha`.
    while out.ends_with(' ') && !out.ends_with("\\ ") {
        out.pop();
    }
    if let Some(below) = below {
        out.push('_');
        group(below, out);
    }
    if let Some(above) = above {
        match above {
            Math::Operator(primes) if !primes.is_empty() && primes.chars().all(|c| c == '′') => {
                out.extend(primes.chars().map(|_| '\''));
            }
            above => {
                out.push('^');
                group(above, out);
            }
        }
    }
}

/// Writes content between delimiters. A table in parentheses, brackets, braces or bars becomes a matrix environment, a
/// table after a single brace `cases`, and a fraction in parentheses without a bar `\binom`.
fn fenced(open: &str, content: &Math, close: &str, out: &mut String) {
    if let Math::Table {
        rows,
        aligned: false,
    } = content
    {
        let name = match (open, close) {
            ("(", ")") => Some("pmatrix"),
            ("[", "]") => Some("bmatrix"),
            ("{", "}") => Some("Bmatrix"),
            ("|", "|") => Some("vmatrix"),
            ("‖", "‖") => Some("Vmatrix"),
            ("{", "") => Some("cases"),
            _ => None,
        };
        if let Some(name) = name {
            return table(name, rows, out);
        }
    }
    if let Math::Fraction {
        above,
        below,
        line: false,
    } = content
        && (open, close) == ("(", ")")
    {
        out.push_str("\\binom");
        group(above, out);
        return group(below, out);
    }
    out.push_str("\\left");
    delimiter(open, out);
    part(content, out);
    out.push_str("\\right");
    delimiter(close, out);
}

fn delimiter(sign: &str, out: &mut String) {
    match sign {
        "" => out.push('.'),
        "(" | ")" | "[" | "]" | "|" | "/" => out.push_str(sign),
        _ => match symbols::name_of(sign) {
            Some(name) => {
                out.push('\\');
                out.push_str(name);
            }
            None => out.push_str(sign),
        },
    }
    out.push(' ');
}

fn table(name: &str, rows: &[Vec<Math>], out: &mut String) {
    out.push_str("\\begin{");
    out.push_str(name);
    out.push_str("} ");
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            out.push_str(" \\\\ ");
        }
        for (number, cell) in row.iter().enumerate() {
            if number > 0 {
                out.push_str(" & ");
            }
            part(cell, out);
        }
    }
    out.push_str(" \\end{");
    out.push_str(name);
    out.push('}');
}
