//! Writes the styles part of a workbook (ECMA-376 part 1, 18.8). Cell formats keep their indices. Reads nothing.

use super::super::write::{HEAD, MAIN};
use crate::{
    ooxml::escaped,
    shown::{
        book::Book,
        style::{
            Align, Down, Edge, Font, HorizontalAlignment, Position, STROKES, Style, Turn, Underline,
        },
    },
};
use convertd_tree::Colour;
use std::{collections::HashMap, fmt::Write as _};

/// A list of elements without duplicates.
#[derive(Default)]
struct Pool {
    /// Index of each element.
    numbers: HashMap<String, usize>,
    /// XML of all elements, in the order of their indices.
    all: String,
}

impl Pool {
    /// Returns the index of an element, which is added if it is new.
    fn number(&mut self, xml: String) -> usize {
        let next = self.numbers.len();
        if let Some(known) = self.numbers.get(&xml) {
            return *known;
        }
        self.all.push_str(&xml);
        self.numbers.insert(xml, next);
        next
    }

    /// Writes the list as an element with this name.
    fn list(&self, name: &str) -> String {
        format!(
            "<{name} count=\"{}\">{}</{name}>",
            self.numbers.len(),
            self.all
        )
    }
}

/// Writes the part.
pub(super) fn part(book: &Book) -> String {
    let (mut fonts, mut fills, mut borders) = (Pool::default(), Pool::default(), Pool::default());
    fonts.number(font(&book.normal, "font", "name"));
    // The first two fills are fixed: Excel ignores other fills at these indices.
    fills.number("<fill><patternFill patternType=\"none\"/></fill>".to_owned());
    fills.number("<fill><patternFill patternType=\"gray125\"/></fill>".to_owned());
    borders.number(border(&Style::default()));
    let mut codes: HashMap<&str, usize> = HashMap::new();
    let mut formats = String::new();
    let mut cells = String::new();
    let default = [std::rc::Rc::new(Style::default())];
    let styles = if book.styles.is_empty() {
        &default[..]
    } else {
        &book.styles[..]
    };
    for style in styles {
        let code = &*style.format.code;
        let is_general = code.eq_ignore_ascii_case("general") || code.is_empty();
        let format = match (style.format.built_in, is_general) {
            (Some(id), _) => id as usize,
            (None, true) => 0,
            (None, false) => {
                let next = 164 + codes.len();
                *codes.entry(code).or_insert_with(|| {
                    let code = escaped(code);
                    let _ = write!(
                        formats,
                        "<numFmt numFmtId=\"{next}\" formatCode=\"{code}\"/>"
                    );
                    next
                })
            }
        };
        let fill = style.fill.map_or(0, |fill| {
            fills.number(format!(
                "<fill><patternFill patternType=\"solid\"><fgColor rgb=\"{}\"/></patternFill></fill>",
                colour(fill.colour)
            ))
        });
        let _ = write!(
            cells,
            "<xf numFmtId=\"{format}\" fontId=\"{}\" fillId=\"{fill}\" borderId=\"{}\" xfId=\"0\" applyNumberFormat=\"1\" applyFont=\"1\" applyFill=\"1\" applyBorder=\"1\"",
            fonts.number(font(&style.font, "font", "name")),
            borders.number(border(style)),
        );
        match align(&style.align) {
            align if align.is_empty() => cells.push_str("/>"),
            align => {
                let _ = write!(cells, " applyAlignment=\"1\"><alignment{align}/></xf>");
            }
        }
    }
    let mut xml = format!("{HEAD}<styleSheet xmlns=\"{MAIN}\">");
    if !codes.is_empty() {
        let _ = write!(
            xml,
            "<numFmts count=\"{}\">{formats}</numFmts>",
            codes.len()
        );
    }
    xml += &fonts.list("fonts");
    xml += &fills.list("fills");
    xml += &borders.list("borders");
    xml += "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>";
    let _ = write!(xml, "<cellXfs count=\"{}\">{cells}</cellXfs>", styles.len());
    xml + "<cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>"
}

/// Returns an opaque colour as eight hexadecimal digits.
fn colour(Colour(red, green, blue): Colour) -> String {
    format!("FF{red:02X}{green:02X}{blue:02X}")
}

/// Writes a font. The names of its elements differ between cells (`font`) and runs (`rPr`).
pub(super) fn font(font: &Font, element: &str, name: &str) -> String {
    let mut xml = format!("<{element}>");
    for (is, tag) in [
        (font.bold, "<b/>"),
        (font.italic, "<i/>"),
        (font.strike, "<strike/>"),
    ] {
        if is {
            xml += tag;
        }
    }
    match font.underline {
        Underline::None => {}
        Underline::Single => xml += "<u/>",
        Underline::Double => xml += "<u val=\"double\"/>",
    }
    match font.position {
        Position::Baseline => {}
        Position::Superscript => xml += "<vertAlign val=\"superscript\"/>",
        Position::Subscript => xml += "<vertAlign val=\"subscript\"/>",
    }
    let _ = write!(xml, "<sz val=\"{}\"/>", font.size);
    if let Some(own) = font.colour {
        let _ = write!(xml, "<color rgb=\"{}\"/>", colour(own));
    }
    let _ = write!(xml, "<{name} val=\"{}\"/></{element}>", escaped(&font.name));
    xml
}

/// Writes the borders of a cell.
fn border(style: &Style) -> String {
    let edges = style.edges;
    let side = |name: &str, edge: Option<Edge>| match edge {
        None => format!("<{name}/>"),
        Some(edge) => {
            let kind = STROKES.iter().find(|(_, stroke)| *stroke == edge.stroke);
            let kind = kind.map_or("thin", |(name, _)| name);
            format!(
                "<{name} style=\"{kind}\"><color rgb=\"{}\"/></{name}>",
                colour(edge.colour)
            )
        }
    };
    let up = if edges.up.is_some() {
        " diagonalUp=\"1\""
    } else {
        ""
    };
    let down = if edges.down.is_some() {
        " diagonalDown=\"1\""
    } else {
        ""
    };
    format!(
        "<border{up}{down}>{}{}{}{}{}</border>",
        side("left", edges.left),
        side("right", edges.right),
        side("top", edges.top),
        side("bottom", edges.bottom),
        side("diagonal", edges.up.or(edges.down)),
    )
}

/// Writes the attributes of a cell's alignment. Empty if all are default.
fn align(align: &Align) -> String {
    let mut xml = String::new();
    let across = match align.across {
        HorizontalAlignment::General => None,
        HorizontalAlignment::Left => Some("left"),
        HorizontalAlignment::Centre => Some("center"),
        HorizontalAlignment::Right => Some("right"),
        HorizontalAlignment::Fill => Some("fill"),
        HorizontalAlignment::Justify => Some("justify"),
        HorizontalAlignment::CentreContinuous => Some("centerContinuous"),
        HorizontalAlignment::Distributed => Some("distributed"),
    };
    let down = match align.down {
        Down::Bottom => None,
        Down::Top => Some("top"),
        Down::Centre => Some("center"),
        Down::Justify => Some("justify"),
        Down::Distributed => Some("distributed"),
    };
    let turn = match align.turn {
        Turn::None => None,
        Turn::Stacked => Some(255),
        Turn::By(degrees) if degrees < 0 => Some(90 - degrees),
        Turn::By(degrees) => Some(degrees),
    };
    let mut attribute = |name: &str, value: &str| {
        let _ = write!(xml, " {name}=\"{value}\"");
    };
    if let Some(across) = across {
        attribute("horizontal", across);
    }
    if let Some(down) = down {
        attribute("vertical", down);
    }
    if let Some(turn) = turn {
        attribute("textRotation", &turn.to_string());
    }
    if align.wrap {
        attribute("wrapText", "1");
    }
    if align.indent > 0 {
        attribute("indent", &align.indent.to_string());
    }
    if align.shrink {
        attribute("shrinkToFit", "1");
    }
    if align.backwards {
        attribute("readingOrder", "2");
    }
    xml
}
