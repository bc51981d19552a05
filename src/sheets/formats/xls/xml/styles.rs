//! Styles of XML Spreadsheet 2003. Each style inherits from its parent, or else from the default style. Reads no
//! cells.

use super::{MAX_STYLES, Named, code_of, is_set};
use crate::{
    containers::xml::{Element, Node},
    shown::style::{
        Align, Down, Edge, Edges, Fill, Font, Format, HorizontalAlignment, Position, Stroke, Style,
        Turn, Underline,
    },
};
use convertd_tree::Colour;
use std::rc::Rc;

/// Styles, with their indices by identifier.
pub(super) struct Styles {
    /// Styles by index.
    pub(super) styles: Vec<Rc<Style>>,
    pub(super) named: Named,
}

impl Styles {
    /// Creates the list with the default style, which the file may redefine.
    pub(super) fn new() -> Self {
        let font = Font {
            name: "Arial".into(),
            size: 10.0,
            ..Font::default()
        };
        let style = Style {
            font: Rc::new(font),
            ..Style::default()
        };
        Self {
            styles: vec![Rc::new(style)],
            named: Named::default(),
        }
    }

    /// Reads the element `Styles`.
    pub(super) fn read(&mut self, node: &Node<'_>) {
        for style in node.all_named("Style").take(MAX_STYLES) {
            let (index, parent) = self.named.add(&style.element);
            let own = Rc::new(changed(&self.styles[parent], style));
            match self.styles.get_mut(index) {
                Some(default) => *default = own,
                None => self.styles.push(own),
            }
        }
    }

    /// Font of the default style, whose digits are the unit of column widths.
    pub(super) fn normal(&self) -> Rc<Font> {
        self.styles
            .first()
            .map(|style| style.font.clone())
            .unwrap_or_default()
    }

    /// Returns whether cells with this style have borders.
    pub(super) fn has_borders(&self, style: u32) -> bool {
        let style = self.styles.get(style as usize);
        style.is_some_and(|style| style.edges.any())
    }
}

/// Applies the elements of a style to a copy of its parent.
fn changed(parent: &Style, node: &Node<'_>) -> Style {
    let mut style = parent.clone();
    for part in &node.children {
        match part.element.name {
            "Font" => style.font = Rc::new(font(&parent.font, part)),
            "Alignment" => style.align = align(part),
            "Borders" => style.edges = edges(part),
            "Interior" => style.fill = fill(part),
            "NumberFormat" => {
                let code = part.attribute("Format").unwrap_or_default();
                style.format = Rc::new(Format::new(code_of(&code)));
            }
            _ => {}
        }
    }
    style
}

/// Finite number in an attribute.
pub(super) fn decimal(element: &Element<'_>, name: &str) -> Option<f32> {
    let number = element.attribute(name)?.trim().parse::<f32>().ok()?;
    number.is_finite().then_some(number)
}

/// Returns an attribute as a colour.
fn colour(node: &Node<'_>, name: &str) -> Option<Colour> {
    Colour::parse(&node.attribute(name)?)
}

/// Reads a font. The name and the size come from the parent style if the element does not state them; its other
/// properties have defaults.
fn font(parent: &Font, node: &Node<'_>) -> Font {
    let name = node.attribute("FontName");
    Font {
        name: name.map_or(parent.name.clone(), |name| (&*name).into()),
        size: decimal(&node.element, "Size")
            .unwrap_or(parent.size)
            .clamp(1.0, 409.0),
        bold: is_set(&node.element, "Bold"),
        italic: is_set(&node.element, "Italic"),
        underline: match node.attribute("Underline").as_deref() {
            Some("Single" | "SingleAccounting") => Underline::Single,
            Some("Double" | "DoubleAccounting") => Underline::Double,
            _ => Underline::None,
        },
        strike: is_set(&node.element, "StrikeThrough"),
        colour: colour(node, "Color"),
        position: match node.attribute("VerticalAlign").as_deref() {
            Some("Superscript") => Position::Superscript,
            Some("Subscript") => Position::Subscript,
            _ => Position::Baseline,
        },
    }
}

/// Reads the alignment of a cell.
fn align(node: &Node<'_>) -> Align {
    let turn = decimal(&node.element, "Rotate").map_or(0, |turn| turn.clamp(-90.0, 90.0) as i16);
    Align {
        across: match node.attribute("Horizontal").as_deref() {
            Some("Left") => HorizontalAlignment::Left,
            Some("Center") => HorizontalAlignment::Centre,
            Some("Right") => HorizontalAlignment::Right,
            Some("Fill") => HorizontalAlignment::Fill,
            Some("Justify") => HorizontalAlignment::Justify,
            Some("CenterAcrossSelection") => HorizontalAlignment::CentreContinuous,
            Some("Distributed" | "JustifyDistributed") => HorizontalAlignment::Distributed,
            _ => HorizontalAlignment::General,
        },
        down: match node.attribute("Vertical").as_deref() {
            Some("Top") => Down::Top,
            Some("Center") => Down::Centre,
            Some("Justify") => Down::Justify,
            Some("Distributed" | "JustifyDistributed") => Down::Distributed,
            _ => Down::Bottom,
        },
        wrap: is_set(&node.element, "WrapText"),
        shrink: is_set(&node.element, "ShrinkToFit"),
        indent: decimal(&node.element, "Indent").map_or(0, |indent| indent.clamp(0.0, 250.0) as u8),
        turn: match (is_set(&node.element, "VerticalText"), turn) {
            (true, _) => Turn::Stacked,
            (false, 0) => Turn::None,
            (false, turn) => Turn::By(turn),
        },
        backwards: node.attribute("ReadingOrder").as_deref() == Some("RightToLeft"),
    }
}

/// Reads the borders of a style.
fn edges(node: &Node<'_>) -> Edges {
    let mut edges = Edges::default();
    for border in node.all_named("Border") {
        let edge = stroke(border).map(|stroke| Edge {
            stroke,
            colour: colour(border, "Color").unwrap_or(Colour(0, 0, 0)),
        });
        match border.attribute("Position").as_deref() {
            Some("Left") => edges.left = edge,
            Some("Right") => edges.right = edge,
            Some("Top") => edges.top = edge,
            Some("Bottom") => edges.bottom = edge,
            Some("DiagonalLeft") => edges.down = edge,
            Some("DiagonalRight") => edges.up = edge,
            _ => {}
        }
    }
    edges
}

/// Line style of a border from its `LineStyle` and its weight, which is 0 to 3.
fn stroke(border: &Node<'_>) -> Option<Stroke> {
    let weight = decimal(&border.element, "Weight").unwrap_or(0.0);
    let is_medium = weight >= 2.0;
    Some(
        match (border.attribute("LineStyle").as_deref()?, is_medium) {
            ("Continuous", _) => match weight {
                weight if weight >= 3.0 => Stroke::Thick,
                weight if weight >= 2.0 => Stroke::Medium,
                weight if weight >= 1.0 => Stroke::Thin,
                _ => Stroke::Hair,
            },
            ("Double", _) => Stroke::Double,
            ("Dot", _) => Stroke::Dotted,
            ("Dash", false) => Stroke::Dashed,
            ("Dash", true) => Stroke::MediumDashed,
            ("DashDot", false) => Stroke::DashDot,
            ("DashDot", true) => Stroke::MediumDashDot,
            ("DashDotDot", false) => Stroke::DashDotDot,
            ("DashDotDot", true) => Stroke::MediumDashDotDot,
            ("SlantDashDot", _) => Stroke::SlantDashDot,
            _ => return None,
        },
    )
}

/// Fill patterns, with their names in SpreadsheetML.
const PATTERNS: [(&str, &str); 6] = [
    ("Gray125", "gray125"),
    ("Gray0625", "gray0625"),
    ("Gray25", "lightGray"),
    ("Gray50", "mediumGray"),
    ("Gray75", "darkGray"),
    ("Solid", "solid"),
];

/// Reads the fill of a style. Patterns become a mixture of their two colours.
fn fill(node: &Node<'_>) -> Option<Fill> {
    let pattern = node.attribute("Pattern")?;
    if &*pattern == "None" {
        return None;
    }
    let known = PATTERNS.iter().find(|(own, _)| *own == pattern);
    // All other patterns are hatched, and count as horizontal lines.
    let name = known.map_or("lightHorizontal", |(_, name)| name);
    let (ground, lines) = (colour(node, "Color"), colour(node, "PatternColor"));
    match name {
        "solid" => Fill::of_pattern(name, ground, lines, false),
        _ => Fill::of_pattern(name, lines, ground, false),
    }
}
