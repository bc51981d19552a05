//! Values of properties in drawings: validates them and writes them as usvg reads them. The caller adds declarations
//! in the order of the cascade.
//!
//! Each property has a grammar (`Grammar`). The strongest valid value of each property is written;
//! invalid ones are skipped, as CSS demands, and the notes report those that would be seen.

mod grammar;
mod syntax;

use super::transform;
use crate::css::{
    colour::Paint,
    tokens::{Token, trimmed},
    value::{Context, Cursor},
};
pub(super) use grammar::is_property;
use grammar::{
    GEOMETRY,
    Grammar::{self, Across, Address, Both, Colour, Dashes, Down, Number, Part, Path, Plain, Word},
    SHAPES, kind,
};
use resvg::usvg::roxmltree::Node;
use syntax::{address, colour_of, dashes, font_size, length, paint, path, plain, whole};
pub(super) use syntax::{number, text};

/// A declared value.
struct Value {
    /// Tokens of the value.
    tokens: Vec<Token>,
    /// Whether an attribute declares it.
    is_attribute: bool,
    /// Whether custom properties were substituted into it.
    is_made: bool,
}

/// Declarations for an element by property, weakest first. A list is faster than a map here,
/// because an element has few properties.
#[derive(Default)]
pub(super) struct Found {
    all: Vec<(String, Vec<Value>)>,
}

impl Found {
    /// Values of a property, weakest first.
    fn of(&self, name: &str) -> &[Value] {
        let found = self.all.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, values)| values.as_slice())
    }

    /// Adds a declaration. Shorthands are expanded, and aliases renamed.
    pub(super) fn push(
        &mut self,
        name: &str,
        tokens: Vec<Token>,
        is_attribute: bool,
        is_made: bool,
    ) {
        match name {
            // The value of `marker` applies to each of its longhands.
            "marker" => {
                for name in ["marker-start", "marker-mid", "marker-end"] {
                    self.push(name, tokens.clone(), is_attribute, is_made);
                }
                return;
            }
            "font" => {
                for (name, tokens) in font(&tokens).unwrap_or_default() {
                    self.push(name, tokens, is_attribute, is_made);
                }
                return;
            }
            // Aliases. Later code knows only one of the names.
            "background" => return self.push("background-color", tokens, is_attribute, is_made),
            "font-variant-caps" => return self.push("font-variant", tokens, is_attribute, is_made),
            "text-decoration-line" => {
                return self.push("text-decoration", tokens, is_attribute, is_made);
            }
            _ => {}
        }
        let value = Value {
            tokens,
            is_attribute,
            is_made,
        };
        match self.all.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => self.all.push((name.to_owned(), vec![value])),
        }
    }

    /// Removes all declarations of a property whose value became invalid by substitution (CSS
    /// Variables 1, 3.1).
    pub(super) fn unset(&mut self, name: &str) {
        self.all.retain(|(known, _)| known != name);
    }

    /// Font size in px, by the strongest valid declaration.
    pub(super) fn font_size(&self, context: &Context) -> Option<f32> {
        let values = self.of("font-size").iter().rev();
        values
            .filter_map(|value| font_size(Cursor::new(trimmed(&value.tokens)), context))
            .next()
    }

    /// Value of each property as usvg reads it, by its strongest valid declaration. Invalid values
    /// are reported to `unknown`.
    ///
    /// Only losses that change how a drawing looks are reported, and attributes never: usvg judges
    /// those itself.
    pub(super) fn values(
        &self,
        node: Node<'_, '_>,
        context: &Context,
        unknown: &mut dyn FnMut(&str, &str),
    ) -> Vec<(String, String)> {
        let element = node.tag_name().name();
        let mut out = Vec::new();
        for (name, values) in &self.all {
            let Some(kind) = kind(name) else {
                continue;
            };
            let is_geometry = GEOMETRY.contains(&name.as_str());
            // Declarations are in cascade order, so the strongest one is the last.
            for value in values.iter().rev() {
                // As CSS declarations, positions and sizes have an effect only on the elements in [`SHAPES`].
                if is_geometry && !value.is_attribute && !SHAPES.contains(&element) {
                    continue;
                }
                match read(node, name, kind, value, context) {
                    Read::As(text) => {
                        out.push((name.clone(), text));
                        break;
                    }
                    Read::Unset => break,
                    Read::Invalid => {
                        let is_told = matches!(kind, Grammar::Paint | Colour | Address | Dashes);
                        if !value.is_attribute && is_told && name != "background-color" {
                            unknown(name, &text(&value.tokens));
                        }
                        // With `var()`, validity is known too late to fall back on a weaker
                        // declaration.
                        if value.is_made {
                            break;
                        }
                    }
                }
            }
        }
        let strongest = |wanted: &str| {
            let values = self.of(wanted).iter();
            values
                .map(|value| (value.tokens.as_slice(), value.is_attribute))
                .collect::<Vec<_>>()
        };
        transform::values(node, strongest, context, &mut out);
        out
    }
}

/// Result of parsing a value.
enum Read {
    As(String),
    /// Inherited or initial, as if not declared.
    Unset,
    Invalid,
}

/// Parses a value by the grammar of its property, and writes it in the syntax of usvg.
fn read(node: Node<'_, '_>, name: &str, kind: Grammar, value: &Value, context: &Context) -> Read {
    let tokens = trimmed(&value.tokens);
    // Attributes whose syntax is not that of CSS, such as path data, are kept as written.
    let written = node
        .attribute(name)
        .filter(|_| value.is_attribute && !value.is_made);
    if let (Plain | Path, Some(written)) = (kind, written) {
        return Read::As(written.to_owned());
    }
    // CSS-wide keywords (CSS Cascade 5, 7.3).
    if let [Token::Ident(word)] = tokens {
        match word.to_ascii_lowercase().as_str() {
            "inherit" => return Read::As("inherit".to_owned()),
            "unset" | "revert" | "revert-layer" => return Read::Unset,
            "initial" => return initial(name).map_or(Read::Unset, |value| Read::As(value.into())),
            _ => {}
        }
    }
    match (
        made(name, kind, tokens, value.is_attribute, context),
        written,
    ) {
        (Some(made), _) => Read::As(made),
        // usvg judges attributes of other kinds, so they are kept as written.
        (None, Some(written)) if !matches!(kind, Grammar::Paint | Colour | Word(_)) => {
            Read::As(written.to_owned())
        }
        (None, _) => Read::Invalid,
    }
}

/// Returns whether a declaration of a property of SVG is supported.
pub(super) fn is_supported(name: &str, tokens: &[Token], context: &Context) -> bool {
    const WIDE: [&str; 5] = ["inherit", "initial", "unset", "revert", "revert-layer"];
    let name = match name {
        "marker" => "marker-start",
        name => name,
    };
    let is_wide = match trimmed(tokens) {
        [Token::Ident(word)] => WIDE.iter().any(|wide| word.eq_ignore_ascii_case(wide)),
        _ => false,
    };
    kind(name)
        .is_some_and(|kind| is_wide || made(name, kind, trimmed(tokens), false, context).is_some())
}

/// Writes a value in the syntax of usvg. `None` if it is not valid by the grammar of its property.
fn made(
    name: &str,
    kind: Grammar,
    tokens: &[Token],
    is_attribute: bool,
    context: &Context,
) -> Option<String> {
    let cursor = Cursor::new(tokens);
    match kind {
        Grammar::Paint => paint(cursor),
        Colour => whole(cursor, |cursor| {
            colour_of(cursor).map(|paint| match paint {
                Paint::Current => "currentColor".to_owned(),
                Paint::Rgba(colour) => plain(colour),
            })
        }),
        Part => whole(cursor, |cursor| {
            cursor.part().map(|part| number(part.clamp(0.0, 1.0)))
        }),
        Number => whole(cursor, |cursor| cursor.number().map(number)),
        // The font size itself is already computed.
        Across | Down | Both if name == "font-size" => {
            font_size(cursor, context).map(|_| number(context.em))
        }
        Across | Down | Both => length(name, cursor, kind, context, is_attribute),
        Dashes => dashes(cursor, context),
        Word(words) => {
            whole(cursor, |cursor| cursor.word()).filter(|word| words.contains(&word.as_str()))
        }
        Address => whole(cursor, address),
        Path => match cursor.rest() {
            [Token::Ident(word)] if &**word == "none" => Some(String::new()),
            _ => path(cursor),
        },
        Plain => (!tokens.is_empty()).then(|| text(cursor.rest())),
    }
}

/// Initial value of an inherited property, which must be written, or the parent's value would apply. `None` for other
/// properties, which are omitted instead.
fn initial(name: &str) -> Option<&'static str> {
    Some(match name {
        "fill" | "color" => "black",
        "stroke" | "stroke-dasharray" | "marker-start" | "marker-mid" | "marker-end" => "none",
        "fill-opacity" | "stroke-opacity" | "stroke-width" => "1",
        "stroke-linecap" => "butt",
        "stroke-linejoin" => "miter",
        "stroke-miterlimit" => "4",
        "stroke-dashoffset" | "letter-spacing" | "word-spacing" => "0",
        "visibility" => "visible",
        "font-size" => "16",
        "font-weight" | "font-style" | "font-stretch" | "font-variant" => "normal",
        "paint-order" | "white-space" => "normal",
        "font-kerning" | "image-rendering" | "shape-rendering" | "text-rendering" => "auto",
        "color-interpolation" => "sRGB",
        "color-interpolation-filters" => "linearRGB",
        "direction" => "ltr",
        "writing-mode" => "horizontal-tb",
        "text-anchor" => "start",
        "fill-rule" | "clip-rule" => "nonzero",
        _ => return None,
    })
}

/// Expands the `font` shorthand (CSS Fonts 4, 2.7). The line height is ignored: SVG text has no
/// lines.
fn font(tokens: &[Token]) -> Option<Vec<(&'static str, Vec<Token>)>> {
    let mut cursor = Cursor::new(trimmed(tokens));
    let normal = || vec![Token::Ident("normal".into())];
    let mut parts = vec![
        ("font-style", normal()),
        ("font-variant", normal()),
        ("font-weight", normal()),
        ("font-stretch", normal()),
    ];
    // Style, variant, weight and stretch precede the size, in any order.
    loop {
        let token = cursor.peek()?;
        let slot = match token {
            Token::Ident(word) => match word.to_ascii_lowercase().as_str() {
                "normal" => None,
                "italic" | "oblique" => Some(0),
                "small-caps" => Some(1),
                "bold" | "bolder" | "lighter" => Some(2),
                word if word.ends_with("condensed") || word.ends_with("expanded") => Some(3),
                _ => break,
            },
            Token::Number(weight) if *weight >= 1.0 => Some(2),
            _ => break,
        };
        if let Some(slot) = slot {
            parts[slot].1 = vec![token.clone()];
        }
        cursor.next();
    }
    let size = cursor.peek()?.clone();
    match &size {
        // A size that has to be computed is not supported in the shorthand.
        Token::Function(_) => return None,
        _ => cursor.next(),
    };
    parts.push(("font-size", vec![size]));
    // The line height follows the size after a slash.
    if cursor.is_delim('/') {
        cursor.next();
    }
    (!cursor.is_done()).then_some(())?;
    parts.push(("font-family", cursor.rest().to_vec()));
    Some(parts)
}
