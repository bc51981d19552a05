//! Conversion of computed CSS styles to cell styles. Measures nothing.

use crate::{
    format_names::stated_code,
    shown::style::{
        Align, Down, Edge, Edges, Fill, Font, Format, HorizontalAlignment, Stroke, Style,
        Underline, mixed,
    },
};
use convertd_markup::css::{
    fonts::MEDIUM,
    rgba::Rgba,
    style::{
        BOTTOM, Border, LEFT, LineStyle, RIGHT, Size, Style as Css, TOP, Text, TextAlign,
        VerticalAlign,
    },
    tokens::Token,
};
use convertd_tree::Colour;
use std::{collections::HashMap, rc::Rc};

/// Points per pixel.
const POINTS: f32 = 0.75;

/// Properties that an element takes from its ancestors, in addition to inherited ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ancestors {
    /// Font size of the root element in pixels.
    pub(super) root: Option<f32>,
    /// Colour behind the element, if any ancestor has a background.
    pub(super) backdrop: Option<Colour>,
}

impl Ancestors {
    /// Properties for the children of an element with this style.
    pub(super) fn within(self, style: &Css) -> Self {
        let own = style.background.or(style.text.colour);
        Self {
            root: Some(self.root.unwrap_or(style.text.size)),
            backdrop: composited(own, self.backdrop).or(self.backdrop),
        }
    }
}

/// Composites a colour with its backdrop. `None` if the colour is fully transparent.
fn composited(colour: Rgba, backdrop: Option<Colour>) -> Option<Colour> {
    let backdrop = backdrop.unwrap_or(Colour(255, 255, 255));
    (!colour.is_clear()).then(|| mixed(plain(colour), backdrop, colour.alpha))
}

/// Colour without its opacity.
fn plain(colour: Rgba) -> Colour {
    let [red, green, blue] = colour.rgb;
    Colour(red, green, blue)
}

/// Context of a cell's style, in addition to the style of its element.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Properties from the ancestors within the row.
    pub(super) ancestors: Ancestors,
    /// Style of its whole text, if it differs from that of the cell.
    pub(super) text: Option<Rc<Text>>,
    /// Format code.
    pub(super) code: Option<Box<str>>,
    /// Whether its text is wrapped.
    pub(super) wraps: bool,
}

/// Key of cells with equal styles: addresses of the CSS styles, and the rest of the context.
type Key = (usize, usize, Option<(u8, u8, u8)>, Option<Box<str>>, bool);

/// Index of a cell style, with the CSS styles whose addresses are in its key. Keeping them alive prevents their
/// addresses from being reused.
type IndexedStyle = (u32, Rc<Css>, Option<Rc<Text>>);

/// Cell styles so far.
pub(super) struct Looks {
    /// Styles in the order of first use.
    styles: Vec<Rc<Style>>,
    /// Index of the cell style for each key.
    known: HashMap<Key, IndexedStyle>,
}

impl Looks {
    /// Creates a list with the default style.
    pub(super) fn new() -> Self {
        Self {
            styles: vec![Rc::new(Style::default())],
            known: HashMap::new(),
        }
    }

    /// Returns the list, in the order of the indices.
    pub(super) fn into_styles(self) -> Vec<Rc<Style>> {
        self.styles
    }

    /// Returns the index of the style of a cell, which is added if it is new.
    pub(super) fn style(&mut self, css: &Rc<Css>, cell: Cell) -> u32 {
        let address = cell
            .text
            .as_ref()
            .map_or(0, |text| Rc::as_ptr(text) as usize);
        let backdrop = cell
            .ancestors
            .backdrop
            .map(|colour| (colour.0, colour.1, colour.2));
        let own = Rc::as_ptr(css) as usize;
        let key = (own, address, backdrop, cell.code.clone(), cell.wraps);
        if let Some((number, ..)) = self.known.get(&key) {
            return *number;
        }
        let style = Style {
            font: Rc::new(font(cell.text.as_deref().unwrap_or(&css.text))),
            fill: cell
                .ancestors
                .within(css)
                .backdrop
                .map(|colour| Fill { colour }),
            edges: edges(css),
            align: align(css, cell.wraps),
            format: Rc::new(Format::new(cell.code.as_deref().unwrap_or("General"))),
        };
        let number = self.styles.len() as u32;
        self.styles.push(Rc::new(style));
        self.known.insert(key, (number, css.clone(), cell.text));
        number
    }
}

/// Font of a text. Generic families become the usual fonts of workbooks.
pub(super) fn font(text: &Text) -> Font {
    let default = Font::default();
    let first = text.families.split(',').next().unwrap_or_default().trim();
    let name = match first {
        "" => &*default.name,
        "sans-serif" | "system-ui" => "Arial",
        "serif" => "Times New Roman",
        "monospace" => "Courier New",
        name => name,
    };
    let is_unstyled = text.families.is_empty() && text.size == MEDIUM;
    let has = |line: fn(&convertd_markup::css::style::Decoration) -> bool| {
        text.decorations.iter().any(line)
    };
    Font {
        name: name.into(),
        size: match is_unstyled {
            true => default.size,
            // Font sizes in workbooks are multiples of half a point.
            false => ((text.size * POINTS * 2.0).round() / 2.0).clamp(1.0, 409.0),
        },
        bold: text.weight >= 600,
        italic: text.italic,
        underline: match has(|one| one.under) {
            true => Underline::Single,
            false => Underline::None,
        },
        strike: has(|one| one.through),
        colour: (text.colour != Rgba::BLACK).then(|| plain(text.colour)),
        ..default
    }
}

/// Returns whether an element has any border.
pub(super) fn has_borders(css: &Css) -> bool {
    css.border.iter().any(|border| border.width() > 0.0)
}

/// Converts CSS borders to cell borders, by line style and width.
fn edges(css: &Css) -> Edges {
    let edge = |side: usize| {
        let border: &Border = css.border.get(side)?;
        let colour = border.colour.or(css.text.colour);
        let width = border.width();
        if width == 0.0 || colour.is_clear() {
            return None;
        }
        let stroke = match border.style {
            LineStyle::None | LineStyle::Hidden => return None,
            LineStyle::Dotted => Stroke::Dotted,
            LineStyle::Dashed if width >= 2.0 => Stroke::MediumDashed,
            LineStyle::Dashed => Stroke::Dashed,
            LineStyle::Double => Stroke::Double,
            _ if width >= 3.0 => Stroke::Thick,
            _ if width >= 2.0 => Stroke::Medium,
            _ => Stroke::Thin,
        };
        let colour = plain(colour);
        Some(Edge { stroke, colour })
    };
    Edges {
        left: edge(LEFT),
        right: edge(RIGHT),
        top: edge(TOP),
        bottom: edge(BOTTOM),
        ..Edges::default()
    }
}

/// Converts the alignment.
fn align(css: &Css, wraps: bool) -> Align {
    Align {
        across: match css.text.align {
            TextAlign::Start | TextAlign::MatchParent => HorizontalAlignment::General,
            TextAlign::Left | TextAlign::BlockLeft => HorizontalAlignment::Left,
            TextAlign::Right | TextAlign::BlockRight | TextAlign::End => HorizontalAlignment::Right,
            TextAlign::Center | TextAlign::BlockCenter => HorizontalAlignment::Centre,
            TextAlign::Justify => HorizontalAlignment::Justify,
        },
        down: match css.vertical_align {
            VerticalAlign::Top | VerticalAlign::TextTop => Down::Top,
            VerticalAlign::Middle => Down::Centre,
            _ => Down::Bottom,
        },
        wrap: wraps,
        ..Align::default()
    }
}

/// Width or height in pixels, if it is stated and does not depend on the page.
pub(super) fn length(size: &Size) -> Option<f32> {
    let Size::Length(length) = size else {
        return None;
    };
    length.definite(None).filter(|px| *px > 0.0)
}

/// Excel's format code in a style.
pub(super) fn code(css: &Css) -> Option<Box<str>> {
    stated_code(&office_property(css, "mso-number-format")?)
}

/// Returns whether the empty cells after a cell are only omitted rather than merged with it.
pub(super) fn ignores_span(css: &Css) -> bool {
    office_property(css, "mso-ignore").is_some_and(|what| what.contains("colspan"))
}

/// Value of a property of Office (`mso-…`), joined from its tokens. Outside of quotation marks, Office escapes
/// characters that have a meaning in CSS with a backslash, so most of a format code is an identifier.
fn office_property(css: &Css, name: &str) -> Option<String> {
    let tokens = css.text.custom.as_ref()?.0.get(name)?;
    let mut written = String::new();
    for token in tokens.iter() {
        match token {
            Token::Text(text) | Token::Ident(text) => written.push_str(text),
            Token::Number(number) => written.push_str(&number.to_string()),
            Token::Percentage(number) => written.push_str(&format!("{number}%")),
            Token::Dimension(number, unit) => written.push_str(&format!("{number}{unit}")),
            Token::Hash(digits) => written.push_str(&format!("#{digits}")),
            Token::Space => written.push(' '),
            Token::Comma => written.push(','),
            Token::Semicolon => written.push(';'),
            Token::Delim(c) => written.push(*c),
            _ => {}
        }
    }
    Some(written)
}
