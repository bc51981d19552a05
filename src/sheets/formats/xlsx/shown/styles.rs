//! Styles part (ECMA-376 part 1, 18.8): fonts, fills, borders, number formats, and cell formats that combine them.
//! Reads no cells.

use super::colours::Colours;
use crate::{
    containers::xml::{Node, Reader},
    error::Result,
    shown::{
        book::{Book, MAX_LIST},
        differential::{Differential, FontChange},
        style::{
            Align, Down, Edge, Edges, Fill, Font, Format, HorizontalAlignment, Position, Stroke,
            Style, Turn, Underline, mixed,
        },
    },
};
use convertd_office::drawing::{self, flag, number};
use convertd_tree::Colour;
use std::{collections::HashMap, rc::Rc};

/// Styles of a workbook.
#[derive(Default)]
pub(super) struct Styles {
    /// Palette and theme.
    pub(super) colours: Colours,
    /// Differential formats of conditional formats and tables, by index.
    pub(super) changes: Vec<Differential>,
}

/// Lists that cell formats refer to by index.
#[derive(Default)]
struct Lists {
    /// Number formats by identifier.
    codes: HashMap<i64, Rc<Format>>,
    /// Fonts of cells.
    fonts: Vec<Rc<Font>>,
    /// Fills of cells. `None` for cells without fill.
    fills: Vec<Option<Fill>>,
    /// Borders of cells.
    edges: Vec<Edges>,
}

/// Reads the part. `xml` is at its beginning. Cell formats go to `book`.
pub(super) fn read(
    xml: &mut Reader<'_>,
    theme: &drawing::Palette,
    book: &mut Book,
) -> Result<Styles> {
    xml.root()?;
    let level = xml.level();
    let mut styles = Styles::default();
    styles.colours.theme = theme.clone();
    // The palette comes last but applies to everything before it, so the part is parsed twice.
    let mut first = xml.clone();
    while let Some(element) = first.next_element(level)? {
        if element.name == "colors" {
            palette(&Node::read(&mut first, element)?, &mut styles.colours);
        }
    }
    let mut lists = Lists::default();
    let mut normal = 0;
    while let Some(element) = xml.next_element(level)? {
        let name = element.name;
        if !matches!(
            name,
            "numFmts" | "fonts" | "fills" | "borders" | "cellStyleXfs" | "cellXfs" | "dxfs"
        ) {
            continue;
        }
        let inner = xml.level();
        let mut count = 0;
        while let Some(element) = xml.next_element(inner)? {
            count += 1;
            if count > MAX_LIST {
                break;
            }
            let node = Node::read(xml, element)?;
            let colours = &styles.colours;
            match name {
                "numFmts" => lists.code(&node),
                "fonts" => lists.fonts.push(Rc::new(font(&node, colours))),
                "fills" => lists.fills.push(fill(&node, colours, false)),
                "borders" => lists.edges.push(edges(&node, colours)),
                "cellStyleXfs" if count == 1 => {
                    normal = number(&node, "fontId").unwrap_or(0);
                }
                "cellXfs" => {
                    let style = lists.style(&node);
                    book.styles.push(Rc::new(style));
                }
                "dxfs" => styles.changes.push(differential(&node, colours)),
                _ => {}
            }
        }
    }
    if let Some(font) = usize::try_from(normal)
        .ok()
        .and_then(|at| lists.fonts.get(at))
    {
        book.normal = font.clone();
    }
    book.palette = styles.colours.palette.clone();
    Ok(styles)
}

/// Reads the indexed colours of a workbook.
fn palette(node: &Node<'_>, colours: &mut Colours) {
    let list = node.child("s", "indexedColors");
    let list = list.into_iter().flat_map(|list| &list.children);
    for (slot, one) in colours.palette.0.iter_mut().zip(list) {
        let rgb = one.attribute("rgb").unwrap_or_default();
        let at = rgb.len().saturating_sub(6);
        let rgb = rgb.get(at..).and_then(drawing::hexadecimal);
        if let Some([red, green, blue]) = rgb {
            *slot = Colour(red, green, blue);
        }
    }
}

impl Lists {
    /// Adds a custom number format.
    fn code(&mut self, node: &Node<'_>) {
        let code = node.attribute("formatCode").unwrap_or_default();
        if let Some(id) = number(node, "numFmtId") {
            self.codes.insert(id, Rc::new(Format::new(&code)));
        }
    }

    /// Number format with this identifier, built-in ones included.
    fn format(&mut self, id: i64) -> Rc<Format> {
        let known = self.codes.entry(id);
        let built_in = || {
            let id = u32::try_from(id).unwrap_or(0);
            Rc::new(Format::built_in(id))
        };
        known.or_insert_with(built_in).clone()
    }

    /// Reads a cell format (18.8.45), which refers to number format, font, fill and border by index.
    fn style(&mut self, node: &Node<'_>) -> Style {
        let index = |name| usize::try_from(number(node, name).unwrap_or(0)).unwrap_or(0);
        let fonts = &self.fonts;
        Style {
            font: fonts
                .get(index("fontId"))
                .or(fonts.first())
                .cloned()
                .unwrap_or_default(),
            fill: self.fills.get(index("fillId")).copied().flatten(),
            edges: self
                .edges
                .get(index("borderId"))
                .copied()
                .unwrap_or_default(),
            align: node.child("s", "alignment").map(align).unwrap_or_default(),
            format: self.format(number(node, "numFmtId").unwrap_or(0)),
        }
    }
}

/// Reads a differential format (`dxf`).
pub(super) fn differential(node: &Node<'_>, colours: &Colours) -> Differential {
    let format = node.child("s", "numFmt").map(|node| {
        let code = node.attribute("formatCode").unwrap_or_default();
        Rc::new(Format::new(&code))
    });
    Differential {
        font: node.child("s", "font").map(|node| FontChange {
            bold: switch(node, "b"),
            italic: switch(node, "i"),
            strike: switch(node, "strike"),
            underline: node.child("s", "u").map(underline),
            colour: node.child("s", "color").and_then(|node| colours.read(node)),
        }),
        fill: node
            .child("s", "fill")
            .and_then(|_| fill(node.child("s", "fill")?, colours, true)),
        edges: node
            .child("s", "border")
            .map(|node| edges(node, colours))
            .unwrap_or_default(),
        format,
    }
}

/// Reads a boolean element such as `<b/>`, which is true unless its value says otherwise.
fn switch(node: &Node<'_>, name: &str) -> Option<bool> {
    let child = node.child("s", name)?;
    Some(flag(child, "val").unwrap_or(true))
}

/// Reads the kind of underline. The accounting variants count as normal ones.
fn underline(node: &Node<'_>) -> Underline {
    match node.attribute("val").as_deref() {
        Some("none") => Underline::None,
        Some("double" | "doubleAccounting") => Underline::Double,
        _ => Underline::Single,
    }
}

/// Reads the font of a cell or of a run.
pub(super) fn font(node: &Node<'_>, colours: &Colours) -> Font {
    let value = |name: &str| node.child("s", name)?.attribute("val");
    let size = value("sz").and_then(|size| size.trim().parse::<f32>().ok());
    let name = value("name").or_else(|| value("rFont"));
    Font {
        name: name.map_or_else(|| "Calibri".into(), |name| name.chars().take(64).collect()),
        size: size
            .filter(|size| size.is_finite())
            .unwrap_or(11.0)
            .clamp(1.0, 409.0),
        bold: switch(node, "b").unwrap_or(false),
        italic: switch(node, "i").unwrap_or(false),
        underline: node.child("s", "u").map(underline).unwrap_or_default(),
        strike: switch(node, "strike").unwrap_or(false),
        colour: node.child("s", "color").and_then(|node| colours.read(node)),
        position: match value("vertAlign").as_deref() {
            Some("superscript") => Position::Superscript,
            Some("subscript") => Position::Subscript,
            _ => Position::Baseline,
        },
    }
}

/// Reads a fill. A gradient becomes the mean of its first and last colour. A solid fill has its colour in the
/// foreground in a cell, and in the background in a differential format (`changes`).
fn fill(node: &Node<'_>, colours: &Colours, changes: bool) -> Option<Fill> {
    if let Some(gradient) = node.child("s", "gradientFill") {
        let stops = gradient.children.iter();
        let mut found = stops.filter_map(|stop| colours.read(stop.child("s", "color")?));
        let (first, last) = (found.next()?, found.next_back());
        let colour = last.map_or(first, |last| mixed(first, last, 0.5));
        return Some(Fill { colour });
    }
    let pattern = node.child("s", "patternFill")?;
    let kind = pattern.attribute("patternType");
    let fore = pattern
        .child("s", "fgColor")
        .and_then(|node| colours.read(node));
    let back = pattern
        .child("s", "bgColor")
        .and_then(|node| colours.read(node));
    let kind = match (&kind, changes) {
        (Some(kind), _) => kind,
        (None, true) => "solid",
        (None, false) => return None,
    };
    Fill::of_pattern(kind, fore, back, changes)
}

/// Reads the borders of a cell (18.8.4). Both diagonals share one line style, with a flag for each direction.
fn edges(node: &Node<'_>, colours: &Colours) -> Edges {
    let edge = |name: &str| {
        let side = node.child("s", name)?;
        let stroke = Stroke::named(&side.attribute("style")?)?;
        let colour = side.child("s", "color").and_then(|node| colours.read(node));
        Some(Edge {
            stroke,
            colour: colour.unwrap_or(Colour(0, 0, 0)),
        })
    };
    let diagonal = |name: &str| edge("diagonal").filter(|_| flag(node, name) == Some(true));
    Edges {
        left: edge("left").or_else(|| edge("start")),
        right: edge("right").or_else(|| edge("end")),
        top: edge("top"),
        bottom: edge("bottom"),
        up: diagonal("diagonalUp"),
        down: diagonal("diagonalDown"),
    }
}

/// Reads the alignment of a cell (18.8.1).
fn align(node: &Node<'_>) -> Align {
    Align {
        across: match node.attribute("horizontal").as_deref() {
            Some("left") => HorizontalAlignment::Left,
            Some("center") => HorizontalAlignment::Centre,
            Some("right") => HorizontalAlignment::Right,
            Some("fill") => HorizontalAlignment::Fill,
            Some("justify") => HorizontalAlignment::Justify,
            Some("centerContinuous") => HorizontalAlignment::CentreContinuous,
            Some("distributed") => HorizontalAlignment::Distributed,
            _ => HorizontalAlignment::General,
        },
        down: match node.attribute("vertical").as_deref() {
            Some("top") => Down::Top,
            Some("center") => Down::Centre,
            Some("justify") => Down::Justify,
            Some("distributed") => Down::Distributed,
            _ => Down::Bottom,
        },
        wrap: flag(node, "wrapText").unwrap_or(false),
        shrink: flag(node, "shrinkToFit").unwrap_or(false),
        indent: number(node, "indent").unwrap_or(0).clamp(0, 250) as u8,
        turn: Turn::of(number(node, "textRotation").unwrap_or(0)),
        backwards: number(node, "readingOrder") == Some(2),
    }
}
