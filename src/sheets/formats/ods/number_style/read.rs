//! Translates number styles to format codes. Formats no values.

use super::{BUILT_IN, CODE, COLOURS, MAX_LENGTH};
use crate::{containers::xml::Node, shown::style::Format};
use std::collections::HashMap;

/// Maximum number of number styles that are read.
const MAX_STYLES: usize = 1 << 14;

/// Number styles of a file, as format codes.
#[derive(Default)]
pub(in crate::formats::ods) struct Codes {
    /// Body of each style, and its maps: condition and name of the other style.
    styles: HashMap<String, (String, Vec<(String, String)>)>,
    /// Index of the built-in format of Excel that a style stands for.
    built_in: HashMap<String, u32>,
}

impl Codes {
    /// Returns whether the name of an element is that of a number style.
    pub(in crate::formats::ods) fn is_style(name: &str) -> bool {
        matches!(
            name,
            "number-style"
                | "percentage-style"
                | "currency-style"
                | "date-style"
                | "time-style"
                | "text-style"
                | "boolean-style"
        )
    }

    /// Adds a number style. A file that this program wrote contains the code itself, or the index of a built-in format;
    /// otherwise the code is put together from the elements.
    pub(in crate::formats::ods) fn add(&mut self, node: &Node<'_>) {
        let name = node.attribute("name").unwrap_or_default().into_owned();
        let kind = node.element.name;
        let built_in = node.attribute(BUILT_IN);
        if let Some(id) = built_in.and_then(|id| id.parse().ok()) {
            if self.built_in.len() < MAX_STYLES {
                self.built_in.insert(name, id);
            }
            return;
        }
        if let Some(code) = node.attribute(CODE).filter(|code| code.len() <= MAX_LENGTH) {
            if self.styles.len() < MAX_STYLES {
                self.styles.insert(name, (code.into_owned(), Vec::new()));
            }
            return;
        }
        let elapsed = node.attribute("truncate-on-overflow").as_deref() == Some("false");
        let mut code = String::new();
        let mut maps = Vec::new();
        // Only the first unit of a duration is in brackets: `[h]:mm:ss`.
        let mut first_clock = true;
        for child in &node.children {
            let attribute = |name: &str| child.attribute(name);
            let count = |name: &str| {
                attribute(name)
                    .and_then(|n| n.parse::<usize>().ok())
                    .unwrap_or(0)
                    .min(30)
            };
            let long = attribute("style").as_deref() == Some("long");
            let twice = |letter: &str| {
                if long {
                    letter.repeat(2)
                } else {
                    letter.to_owned()
                }
            };
            let mut clock = |text: String| {
                let bracket = elapsed && std::mem::take(&mut first_clock);
                if bracket { format!("[{text}]") } else { text }
            };
            match child.element.name {
                "text" => code += &literal(&child.text, kind),
                // Hyphens and closing brackets would end the symbol in a code, so they are left out.
                "currency-symbol" => code += &format!("[${}]", child.text.replace([']', '-'], "")),
                "fill-character" => {
                    code.push('*');
                    code.extend(child.text.chars().next());
                }
                "number" => {
                    let decimals = count("decimal-places");
                    let least = attribute("min-decimal-places")
                        .map_or(decimals, |_| count("min-decimal-places").min(decimals));
                    // A number that is the only element of its style and does not state decimal places has the general
                    // format.
                    if child.attribute("decimal-places").is_none() && node.children.len() == 1 {
                        code += "General";
                        continue;
                    }
                    code += &integer_placeholders(
                        count("min-integer-digits"),
                        attribute("grouping").as_deref() == Some("true"),
                    );
                    code += &fraction(least, decimals);
                    let factor = attribute("display-factor")
                        .and_then(|f| f.parse::<f64>().ok())
                        .unwrap_or(1.0);
                    // A comma after the digits divides by a thousand.
                    let thousands = (factor.max(1.0).log10() / 3.0).round() as usize;
                    code += &",".repeat(thousands.min(6));
                }
                "scientific-number" => {
                    code += &integer_placeholders(count("min-integer-digits"), false);
                    code += &fraction(count("decimal-places"), count("decimal-places"));
                    code += "E+";
                    code += &"0".repeat(count("min-exponent-digits").max(1));
                }
                "fraction" => {
                    let digits = |name| "?".repeat(count(name).max(1));
                    code += &format!(
                        "# {}/{}",
                        digits("min-numerator-digits"),
                        digits("min-denominator-digits")
                    );
                }
                "year" => code += if long { "yyyy" } else { "yy" },
                "month" if attribute("textual").as_deref() == Some("true") => {
                    code += if long { "mmmm" } else { "mmm" };
                }
                "month" => code += &twice("m"),
                "day" => code += &twice("d"),
                "day-of-week" => code += if long { "dddd" } else { "ddd" },
                "hours" => code += &clock(twice("h")),
                "minutes" => code += &clock(twice("m")),
                "seconds" => {
                    code += &clock(twice("s"));
                    let places = count("decimal-places");
                    if places > 0 {
                        code += &format!(".{}", "0".repeat(places));
                    }
                }
                "am-pm" => code += "AM/PM",
                "text-content" => code.push('@'),
                "boolean" => code += "General",
                "text-properties" => {
                    let colour = attribute("color").unwrap_or_default().to_lowercase();
                    if let Some((name, _)) = COLOURS.iter().find(|(_, known)| *known == colour) {
                        code = format!("[{}]{code}", name[..1].to_uppercase() + &name[1..]);
                    }
                }
                "map" => {
                    let condition = attribute("condition").unwrap_or_default();
                    let style = attribute("apply-style-name").unwrap_or_default();
                    maps.push((condition.into_owned(), style.into_owned()));
                }
                _ => {}
            }
        }
        if self.styles.len() < MAX_STYLES {
            self.styles.insert(name, (code, maps));
        }
    }

    /// Number format of a style. An unknown style has the general format.
    pub(in crate::formats::ods) fn format(&self, name: &str) -> Format {
        match self.built_in.get(name) {
            Some(id) => Format::built_in(*id),
            None => Format::new(self.code(name).as_deref().unwrap_or("General")),
        }
    }

    /// Joins the style and the styles that it maps to into a code.
    ///
    /// If the conditions are those that Excel assumes for the sections, they are left out; others are written in
    /// brackets.
    fn code(&self, name: &str) -> Option<String> {
        let (own, maps) = self.styles.get(name)?;
        let default: [&[&str]; 4] = [&[], &[">=0"], &[">0", "<0"], &[">0", "<0", "=0"]];
        let conditions: Vec<&str> = maps
            .iter()
            .map(|(condition, _)| condition.trim_start_matches("value()"))
            .collect();
        let are_usual = default
            .get(maps.len())
            .is_some_and(|default| *default == conditions);
        let mut sections = Vec::new();
        for ((_, style), condition) in maps.iter().take(3).zip(&conditions) {
            let body = self.styles.get(style).map_or("", |(body, _)| body.as_str());
            sections.push(match are_usual {
                true => body.to_owned(),
                false => format!("[{}]{body}", condition.replace("!=", "<>")),
            });
        }
        sections.push(own.clone());
        let code = sections.join(";");
        (!code.is_empty() && code.len() <= MAX_LENGTH).then_some(code)
    }
}

/// Placeholders for the integer digits.
fn integer_placeholders(least: usize, grouped: bool) -> String {
    let digits = "0".repeat(least);
    match (grouped, least) {
        (true, 0..4) => {
            let all = format!("{digits:#>4}");
            format!("{},{}", &all[..1], &all[1..])
        }
        (_, 0) => "#".to_owned(),
        _ => digits,
    }
}

/// Placeholders for the decimal places: at least `least` and at most `most`.
fn fraction(least: usize, most: usize) -> String {
    match most {
        0 => String::new(),
        _ => format!(
            ".{}{}",
            "0".repeat(least),
            "#".repeat(most - least.min(most))
        ),
    }
}

/// Literal text in a code. A text of characters that Excel shows as they are stays unquoted. Any other text is put in
/// quotation marks, and loses its own ones.
fn literal(text: &str, kind: &str) -> String {
    let is_date = matches!(kind, "date-style" | "time-style");
    let plain = text.chars().all(|c| match c {
        ' ' | '-' | '+' | '(' | ')' | ':' | '$' | '€' | '£' | '¥' => true,
        // Characters that have a meaning in codes of other kinds: percentage, fraction, and decimal point.
        '%' => kind == "percentage-style",
        '/' | '.' | ',' => is_date,
        _ => false,
    });
    match plain {
        true => text.to_owned(),
        false => format!("\"{}\"", text.replace('"', "")),
    }
}
