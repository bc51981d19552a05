//! Writes formulas as MathML. Leaves sizes and spacing to the renderer.

use super::super::{Math, Style, parse, symbols};
use crate::containers::xml::Writer;

/// Writes a formula, with its TeX source as an annotation. Returns false, and writes nothing, if `tex` cannot be
/// [parsed](parse).
pub fn write(xml: &mut Writer, tex: &str, display: bool) -> bool {
    let Some(math) = parse(tex) else {
        return false;
    };
    xml.start("math")
        .attribute("xmlns", "http://www.w3.org/1998/Math/MathML");
    if display {
        xml.attribute("display", "block");
    }
    xml.start("semantics").start("mrow");
    write_part(xml, &math, None);
    xml.end();
    xml.start("annotation")
        .attribute("encoding", "application/x-tex")
        .text(tex)
        .end();
    xml.end().end();
    true
}

/// Writes a part of a formula. `style` comes from the parts around it.
fn write_part(xml: &mut Writer, math: &Math, style: Option<Style>) {
    match math {
        Math::Row(parts) => {
            xml.start("mrow");
            parts.iter().for_each(|part| write_part(xml, part, style));
            xml.end();
        }
        Math::Identifier(name) => {
            xml.start("mi");
            if let Some(style) = style {
                xml.attribute("mathvariant", variant(style));
            }
            xml.text(name).end();
        }
        Math::Number(digits) => {
            xml.leaf("mn", digits);
        }
        Math::Operator(sign) => {
            xml.leaf("mo", sign);
        }
        Math::Text(words) => {
            xml.leaf("mtext", words);
        }
        Math::Space(width) => {
            xml.start("mspace")
                .attribute("width", format!("{:.3}em", f64::from(*width) / 18.0))
                .end();
        }
        Math::Fraction { above, below, line } => {
            xml.start("mfrac");
            if !line {
                xml.attribute("linethickness", "0");
            }
            write_part(xml, above, style);
            write_part(xml, below, style);
            xml.end();
        }
        Math::Root { content, degree } => {
            xml.start(if degree.is_some() { "mroot" } else { "msqrt" });
            write_part(xml, content, style);
            if let Some(degree) = degree {
                write_part(xml, degree, style);
            }
            xml.end();
        }
        Math::Scripts {
            base,
            below,
            above,
            limits,
        } => {
            let limits = *limits
                || (base.is_large_operator()
                    && !matches!(&**base, Math::Operator(sign) if symbols::is_integral(sign)));
            xml.start(scripts_element(below.is_some(), above.is_some(), limits));
            write_part(xml, base, style);
            for script in [below, above].into_iter().flatten() {
                write_part(xml, script, style);
            }
            xml.end();
        }
        Math::Accent {
            content,
            sign,
            over,
        } => {
            xml.start(if *over { "mover" } else { "munder" });
            write_part(xml, content, style);
            xml.leaf("mo", sign.encode_utf8(&mut [0; 4])).end();
        }
        Math::Fenced {
            open,
            content,
            close,
        } => write_fenced(xml, open, content, close, style),
        Math::Table {
            rows,
            aligned: false,
        } => table(xml, rows, style, |_| None),
        // Aligned equations meet at their relations.
        Math::Table { rows, .. } => table(xml, rows, style, |column| {
            Some(match column % 2 {
                0 => ("right", "text-align: right; padding-right: 0"),
                _ => ("left", "text-align: left; padding-left: 0"),
            })
        }),
        Math::Styled(style, content) => write_part(xml, content, Some(*style)),
    }
}

/// Value of `mathvariant` (MathML 3, 3.2.2) for a style.
fn variant(style: Style) -> &'static str {
    match style {
        Style::Upright => "normal",
        Style::Bold => "bold",
        Style::Italic => "italic",
        Style::DoubleStruck => "double-struck",
        Style::Script => "script",
        Style::Fraktur => "fraktur",
        Style::SansSerif => "sans-serif",
        Style::Monospace => "monospace",
    }
}

/// Element of a base with scripts. With `limits`, they are directly below and above the base.
fn scripts_element(below: bool, above: bool, limits: bool) -> &'static str {
    match (below, above, limits) {
        (true, true, false) => "msubsup",
        (true, false, false) => "msub",
        (false, _, false) => "msup",
        (true, true, true) => "munderover",
        (true, false, true) => "munder",
        (false, _, true) => "mover",
    }
}

/// Writes content between two fences.
fn write_fenced(xml: &mut Writer, open: &str, content: &Math, close: &str, style: Option<Style>) {
    xml.start("mrow");
    write_fence(xml, open);
    match content {
        // A definition by cases.
        Math::Table { rows, .. } if close.is_empty() => {
            table(xml, rows, style, |_| Some(("left", "text-align: left")));
        }
        content => write_part(xml, content, style),
    }
    write_fence(xml, close);
    xml.end();
}

/// Writes a fence, which stretches to the height of its content.
fn write_fence(xml: &mut Writer, sign: &str) {
    xml.start("mo")
        .attribute("fence", "true")
        .attribute("stretchy", "true")
        .text(sign)
        .end();
}

/// Writes a table. `alignment` returns the alignment of a column, as a value of `columnalign` (MathML 3) and in CSS,
/// because browsers ignore `columnalign` (MathML Core); `None` for centred cells.
fn table(
    xml: &mut Writer,
    rows: &[Vec<Math>],
    style: Option<Style>,
    alignment: impl Fn(usize) -> Option<(&'static str, &'static str)>,
) {
    xml.start("mtable");
    for row in rows {
        xml.start("mtr");
        for (column, cell) in row.iter().enumerate() {
            xml.start("mtd");
            if let Some((name, css)) = alignment(column) {
                xml.attribute("columnalign", name).attribute("style", css);
            }
            write_part(xml, cell, style);
            xml.end();
        }
        xml.end();
    }
    xml.end();
}
