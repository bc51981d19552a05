//! Styles of an OpenDocument chart (OpenDocument 1.3, part 3, 16 and 20): properties of its parts, fills, lines and
//! text. Draws nothing.

use super::super::model::{Letters, Shape};
use crate::{
    containers::xml::Node,
    drawing::{Colour, FillStyle, LineStyle, hexadecimal},
};
use convertd_tree::POINT;
use std::collections::HashMap;

/// Max. number of styles. A chart has one or two for each series.
const MAX_STYLES: usize = 8192;

/// Styles of a chart by name.
#[derive(Default)]
pub(super) struct Looks<'n, 'x> {
    styles: HashMap<String, &'n Node<'x>>,
    /// Format codes by the name of their number style.
    formats: HashMap<String, Box<str>>,
}

impl<'n, 'x> Looks<'n, 'x> {
    pub(super) fn read(styles: &'n Node<'x>) -> Self {
        let mut looks = Self::default();
        for style in styles.children.iter().take(MAX_STYLES) {
            let Some(name) = style.attribute("name") else {
                continue;
            };
            match style.element.name {
                "style" => drop(looks.styles.insert(name.into_owned(), style)),
                "number-style" | "percentage-style" | "currency-style" => {
                    looks
                        .formats
                        .extend(code(style).map(|code| (name.into_owned(), code)));
                }
                _ => {}
            }
        }
        looks
    }

    /// Style of an element.
    pub(super) fn of(&self, element: &Node<'_>) -> Look<'n, 'x> {
        let name = element.attribute("style-name");
        let style = name.and_then(|name| self.styles.get(&*name).copied());
        Look { style }
    }

    /// Format code of a style. `None` for the default format.
    pub(super) fn format(&self, look: &Look<'_, '_>) -> Option<Box<str>> {
        let name = look.style?.attribute("data-style-name")?;
        self.formats.get(&*name).cloned()
    }
}

/// Style of an element.
pub(super) struct Look<'n, 'x> {
    style: Option<&'n Node<'x>>,
}

impl Look<'_, '_> {
    /// Value of an attribute in a group of properties.
    fn property(&self, group: &str, name: &str) -> Option<String> {
        let own = self.style?.named(group)?.attribute(name)?;
        Some(own.trim().to_owned())
    }

    /// Chart property as text.
    pub(super) fn word(&self, name: &str) -> Option<String> {
        self.property("chart-properties", name)
    }

    /// Chart property as a boolean.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.word(name).map(|word| word == "true")
    }

    /// Chart property as a number. A percent sign is dropped, so 50% is 50.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        let word = self.word(name)?;
        let number = word.trim_end_matches('%').parse::<f64>().ok()?;
        (number.is_finite() && number.abs() < 1e300).then_some(number)
    }

    /// Fill and line.
    pub(super) fn shape(&self) -> Shape {
        let graphic = |name| self.property("graphic-properties", name);
        let colour = graphic("fill-color").and_then(|text| colour(&text));
        let fill = match graphic("fill").as_deref() {
            Some("none") => Some(FillStyle::None),
            _ => colour.map(FillStyle::Solid),
        };
        Shape {
            fill,
            line: self.line(),
        }
    }

    /// Line style from the graphic properties. `None` if they state neither a colour, nor a width, nor that there is no
    /// line.
    pub(super) fn line(&self) -> Option<LineStyle> {
        let graphic = |name| self.property("graphic-properties", name);
        let colour = graphic("stroke-color").and_then(|text| colour(&text));
        let width = graphic("stroke-width").and_then(|text| points(&text));
        let fill = match graphic("stroke").as_deref() {
            Some("none") => Some(FillStyle::None),
            _ => colour.map(FillStyle::Solid),
        };
        (fill.is_some() || width.is_some()).then(|| LineStyle {
            width: width
                .map(|points| (points * POINT) as i64)
                .filter(|width| *width > 0),
            fill,
            ..LineStyle::default()
        })
    }

    /// Formatting of text.
    pub(super) fn letters(&self) -> Letters {
        let text = |name| self.property("text-properties", name);
        let family = text("font-name").or_else(|| text("font-family"));
        Letters {
            size: text("font-size")
                .and_then(|size| points(&size))
                .filter(|size| (1.0..=400.0).contains(size)),
            bold: text("font-weight").map(|weight| weight == "bold"),
            italic: text("font-style").map(|style| style == "italic"),
            colour: text("color").and_then(|text| colour(&text)),
            font: family.map(|family| {
                let plain = family.trim_matches(['\'', '"']);
                plain.chars().take(100).collect()
            }),
            // OpenDocument measures the rotation anticlockwise, and the model clockwise.
            turn: self.number("rotation-angle").map(|turn| match turn {
                turn if turn > 180.0 => 360.0 - turn,
                turn => -turn,
            }),
        }
    }
}

/// Parses a colour.
fn colour(text: &str) -> Option<Colour> {
    hexadecimal(text.strip_prefix('#')?).map(Colour::plain)
}

/// Parses a length, and returns it in points.
fn points(text: &str) -> Option<f64> {
    let end = text.find(|c: char| c.is_ascii_alphabetic() || c == '%');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = match unit {
        "cm" => 72.0 / 2.54,
        "mm" => 72.0 / 25.4,
        "in" => 72.0,
        "pt" => 1.0,
        _ => return None,
    };
    let length = number.parse::<f64>().ok()? * unit;
    (0.0..=14_400.0).contains(&length).then_some(length)
}

/// Format code of a number style, as far as axes need it. `None` for the default format.
fn code(style: &Node<'_>) -> Option<Box<str>> {
    let mut code = String::new();
    for part in style.children.iter().take(16) {
        match part.element.name {
            "number" => {
                let places = part.attribute("decimal-places");
                let places = places.and_then(|places| places.parse::<usize>().ok());
                let grouped = part.attribute("grouping").as_deref() == Some("true");
                // Without these properties, the default format fits.
                if places.is_none() && !grouped {
                    return None;
                }
                code.push_str(if grouped { "#,##0" } else { "0" });
                let places = places.unwrap_or(0).min(20);
                if places > 0 {
                    code.push('.');
                    code.push_str(&"0".repeat(places));
                }
            }
            "text" | "currency-symbol" => {
                let text = part.text.chars().filter(|c| *c != '"').take(32);
                match part.text.trim() {
                    "" => code.push_str("\" \""),
                    "%" => code.push('%'),
                    _ => code.extend(["\"".to_owned(), text.collect(), "\"".to_owned()]),
                }
            }
            _ => return None,
        }
    }
    (!code.is_empty() && style.all_named("number").next().is_some()).then(|| code.into())
}
