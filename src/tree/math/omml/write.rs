//! Writes formulas as OMML. A construct that OMML does not have is written as plain characters.

use super::super::{Math, Style, parse, symbols};
use crate::containers::xml::Writer;

/// Writes a formula. Returns false, and writes nothing, if `tex` cannot be [parsed](parse).
pub fn write(xml: &mut Writer, tex: &str, display: bool) -> bool {
    let Some(math) = parse(tex) else {
        return false;
    };
    if display {
        xml.start("m:oMathPara");
    }
    xml.start("m:oMath");
    write_part(xml, &math, None);
    xml.end();
    if display {
        xml.end();
    }
    true
}

/// Writes a part of a formula. `style` comes from the parts around it.
fn write_part(xml: &mut Writer, math: &Math, style: Option<Style>) {
    match math {
        Math::Row(parts) => write_row(xml, parts, style),
        Math::Identifier(name) if name.chars().count() > 1 => {
            write_run(xml, name, Some(Style::Upright), false)
        }
        Math::Identifier(text) | Math::Number(text) | Math::Operator(text) => {
            write_run(xml, text, style, false)
        }
        Math::Text(words) => write_run(xml, words, None, true),
        Math::Space(width) => {
            let space = match width {
                ..=0 => return,
                1..=3 => "\u{2009}",
                4 => "\u{2005}",
                5..=12 => "\u{2004}",
                13..=27 => "\u{2003}",
                28.. => "\u{2003}\u{2003}",
            };
            write_run(xml, space, None, false);
        }
        Math::Fraction { above, below, line } => {
            xml.start("m:f");
            if !line {
                xml.start("m:fPr");
                value(xml, "m:type", "noBar");
                xml.end();
            }
            argument(xml, "m:num", above, style);
            argument(xml, "m:den", below, style);
            xml.end();
        }
        Math::Root { content, degree } => {
            xml.start("m:rad");
            match degree {
                Some(degree) => argument(xml, "m:deg", degree, style),
                None => {
                    xml.start("m:radPr");
                    value(xml, "m:degHide", "1");
                    xml.end().start("m:deg").end();
                }
            }
            argument(xml, "m:e", content, style);
            xml.end();
        }
        Math::Scripts {
            base,
            below,
            above,
            limits,
        } => {
            write_scripts(
                xml,
                base,
                below.as_deref(),
                above.as_deref(),
                *limits,
                style,
            );
        }
        Math::Accent {
            content,
            sign,
            over,
        } => write_accent(xml, content, (*sign, *over), style),
        Math::Fenced {
            open,
            content,
            close,
        } => {
            xml.start("m:d").start("m:dPr");
            value(xml, "m:begChr", open);
            value(xml, "m:endChr", close);
            xml.end();
            argument(xml, "m:e", content, style);
            xml.end();
        }
        Math::Table {
            rows,
            aligned: true,
        } => write_equations(xml, rows, style),
        Math::Table {
            rows,
            aligned: false,
        } => write_matrix(xml, rows, style),
        Math::Styled(style, content) => write_part(xml, content, Some(*style)),
    }
}

/// Writes an accent, a bar, or a brace above or below.
fn write_accent(
    xml: &mut Writer,
    content: &Math,
    (sign, over): (char, bool),
    style: Option<Style>,
) {
    let (name, properties, position) = match sign {
        '\u{203e}' | '_' => ("m:bar", "m:barPr", true),
        '\u{23de}' | '\u{23df}' => ("m:groupChr", "m:groupChrPr", true),
        _ => ("m:acc", "m:accPr", false),
    };
    xml.start(name).start(properties);
    if name != "m:bar" {
        value(xml, "m:chr", combining(sign).encode_utf8(&mut [0; 4]));
    }
    if position {
        value(xml, "m:pos", if over { "top" } else { "bot" });
    }
    xml.end();
    argument(xml, "m:e", content, style);
    xml.end();
}

/// Writes equations one below another, with an ampersand where they are aligned.
fn write_equations(xml: &mut Writer, rows: &[Vec<Math>], style: Option<Style>) {
    xml.start("m:eqArr");
    for row in rows {
        xml.start("m:e");
        for (number, cell) in row.iter().enumerate() {
            if number > 0 {
                write_run(xml, "&", None, false);
            }
            write_part(xml, cell, style);
        }
        xml.end();
    }
    xml.end();
}

fn write_matrix(xml: &mut Writer, rows: &[Vec<Math>], style: Option<Style>) {
    xml.start("m:m");
    for row in rows {
        xml.start("m:mr");
        for cell in row {
            argument(xml, "m:e", cell, style);
        }
        xml.end();
    }
    xml.end();
}

/// Writes nodes side by side. OMML requires the operand of a large operator inside the operator's element. TeX does not
/// mark where the operand ends; here it extends to the next relation.
fn write_row(xml: &mut Writer, parts: &[Math], style: Option<Style>) {
    let mut rest = parts;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let (sign, below, above) = match first {
            Math::Scripts {
                base, below, above, ..
            } if base.is_large_operator() => (&**base, below.as_deref(), above.as_deref()),
            other if other.is_large_operator() => (other, None, None),
            other => {
                write_part(xml, other, style);
                continue;
            }
        };
        let Math::Operator(sign) = sign else { continue };
        xml.start("m:nary").start("m:naryPr");
        value(xml, "m:chr", sign);
        value(
            xml,
            "m:limLoc",
            if symbols::is_integral(sign) {
                "subSup"
            } else {
                "undOvr"
            },
        );
        if below.is_none() {
            value(xml, "m:subHide", "1");
        }
        if above.is_none() {
            value(xml, "m:supHide", "1");
        }
        xml.end();
        let nothing = Math::Row(Vec::new());
        argument(xml, "m:sub", below.unwrap_or(&nothing), style);
        argument(xml, "m:sup", above.unwrap_or(&nothing), style);
        let relation = |part: &Math| matches!(part, Math::Operator(sign) if matches!(sign.as_str(), "=" | "≤" | "≥" | "<" | ">" | "," | "≈" | "≡" | "→"));
        let end = rest.iter().position(relation).unwrap_or(rest.len());
        xml.start("m:e");
        write_row(xml, &rest[..end], style);
        xml.end().end();
        rest = &rest[end..];
    }
}

/// Writes sub- and superscripts. A large operator with its scripts has an element of its own (`m:nary`).
fn write_scripts(
    xml: &mut Writer,
    base: &Math,
    below: Option<&Math>,
    above: Option<&Math>,
    limits: bool,
    style: Option<Style>,
) {
    if base.is_large_operator() {
        let whole = Math::Scripts {
            base: Box::new(base.clone()),
            below: below.map(|below| Box::new(below.clone())),
            above: above.map(|above| Box::new(above.clone())),
            limits,
        };
        return write_row(xml, &[whole], style);
    }
    if limits {
        match (below, above) {
            (Some(below), above) => {
                if above.is_some() {
                    xml.start("m:limUpp").start("m:e");
                }
                xml.start("m:limLow");
                argument(xml, "m:e", base, style);
                argument(xml, "m:lim", below, style);
                xml.end();
                if let Some(above) = above {
                    xml.end();
                    argument(xml, "m:lim", above, style);
                    xml.end();
                }
            }
            (None, Some(above)) => {
                xml.start("m:limUpp");
                argument(xml, "m:e", base, style);
                argument(xml, "m:lim", above, style);
                xml.end();
            }
            (None, None) => write_part(xml, base, style),
        }
        return;
    }
    xml.start(match (below, above) {
        (Some(_), Some(_)) => "m:sSubSup",
        (Some(_), None) => "m:sSub",
        (None, _) => "m:sSup",
    });
    argument(xml, "m:e", base, style);
    if let Some(below) = below {
        argument(xml, "m:sub", below, style);
    }
    if let Some(above) = above {
        argument(xml, "m:sup", above, style);
    }
    xml.end();
}

fn argument(xml: &mut Writer, name: &'static str, math: &Math, style: Option<Style>) {
    xml.start(name);
    write_part(xml, math, style);
    xml.end();
}

/// Writes a run with its style, or, with `words`, as normal text (`m:nor`).
fn write_run(xml: &mut Writer, text: &str, style: Option<Style>, words: bool) {
    xml.start("m:r");
    if words {
        xml.start("m:rPr").start("m:nor").end().end();
    } else if let Some(style) = style {
        let (script, weight) = match style {
            Style::Upright => (None, Some("p")),
            Style::Bold => (None, Some("b")),
            Style::Italic => (None, Some("i")),
            Style::DoubleStruck => (Some("double-struck"), Some("p")),
            Style::Script => (Some("script"), Some("p")),
            Style::Fraktur => (Some("fraktur"), Some("p")),
            Style::SansSerif => (Some("sans-serif"), Some("p")),
            Style::Monospace => (Some("monospace"), Some("p")),
        };
        xml.start("m:rPr");
        if let Some(script) = script {
            value(xml, "m:scr", script);
        }
        if let Some(weight) = weight {
            value(xml, "m:sty", weight);
        }
        xml.end();
    }
    xml.start("m:t")
        .attribute("xml:space", "preserve")
        .text(text)
        .end()
        .end();
}

fn value(xml: &mut Writer, name: &'static str, value: &str) {
    xml.start(name).attribute("m:val", value).end();
}

/// Returns the combining character for an accent, because OMML requires combining characters.
fn combining(sign: char) -> char {
    match sign {
        '^' => '\u{302}',
        '~' => '\u{303}',
        '\u{2d9}' => '\u{307}',
        '\u{a8}' => '\u{308}',
        '\u{b4}' => '\u{301}',
        '`' => '\u{300}',
        '\u{2c7}' => '\u{30c}',
        '\u{2d8}' => '\u{306}',
        '\u{2192}' => '\u{20d7}',
        '\u{2190}' => '\u{20d6}',
        other => other,
    }
}
