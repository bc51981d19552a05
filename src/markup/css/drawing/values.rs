//! Values of properties in drawings: validates them and writes them as usvg reads them. The caller adds declarations
//! in the order of the cascade.
//!
//! Each property has a grammar (`Grammar`). The strongest valid value of each property is written;
//! invalid ones are skipped, as CSS demands, and the notes report those that would be seen.

use super::transform;
use crate::css::{
    colour::{Paint, colour},
    rgba::Rgba,
    tokens::{Token, trimmed},
    value::{Context, Cursor},
};
use resvg::usvg::roxmltree::Node;
use std::fmt::Write;

/// Grammar of a property.
#[derive(Clone, Copy, PartialEq)]
enum Grammar {
    /// Paint: a colour, `none`, or the URL of a gradient or pattern.
    Paint,
    Colour,
    /// A number or percentage from 0 to 1.
    Part,
    Number,
    /// Length or percentage, relative to the width of the viewport (SVG 2, 8.9).
    Across,
    /// Length or percentage, relative to the height of the viewport.
    Down,
    /// Length or percentage, relative to the normalized diagonal of the viewport.
    Both,
    /// List of lengths.
    Dashes,
    /// A keyword from this list.
    Word(&'static [&'static str]),
    /// `none` or the URL of an element.
    Address,
    /// Path data.
    Path,
    /// Any value; usvg validates it.
    Plain,
}

use Grammar::{Across, Address, Both, Colour, Dashes, Down, Number, Part, Path, Plain, Word};

/// Properties in alphabetical order, but for the last two, which HTML text and the root element need. Lengths are among
/// them because their attributes may have units that usvg does not know.
const PROPERTIES: [(&str, Grammar); 68] = [
    ("alignment-baseline", Plain),
    ("baseline-shift", Plain),
    ("clip-path", Address),
    ("clip-rule", Word(&["nonzero", "evenodd"])),
    ("color", Colour),
    ("color-interpolation", Plain),
    ("color-interpolation-filters", Plain),
    ("cx", Across),
    ("cy", Down),
    ("d", Path),
    ("direction", Word(&["ltr", "rtl"])),
    ("display", Plain),
    ("dominant-baseline", Plain),
    ("fill", Grammar::Paint),
    ("fill-opacity", Part),
    ("fill-rule", Word(&["nonzero", "evenodd"])),
    ("filter", Plain),
    ("flood-color", Colour),
    ("flood-opacity", Part),
    ("font-family", Plain),
    ("font-kerning", Word(&["auto", "normal", "none"])),
    ("font-size", Both),
    ("font-stretch", Plain),
    ("font-style", Plain),
    ("font-variant", Plain),
    ("font-weight", Plain),
    ("height", Down),
    ("image-rendering", Plain),
    ("isolation", Word(&["auto", "isolate"])),
    ("letter-spacing", Across),
    ("lighting-color", Colour),
    ("marker-end", Address),
    ("marker-mid", Address),
    ("marker-start", Address),
    ("mask", Address),
    ("mask-type", Word(&["luminance", "alpha"])),
    ("mix-blend-mode", Plain),
    ("opacity", Part),
    (
        "overflow",
        Word(&["visible", "hidden", "scroll", "auto", "clip"]),
    ),
    ("paint-order", Plain),
    ("r", Both),
    ("rx", Across),
    ("ry", Down),
    ("shape-rendering", Plain),
    ("stop-color", Colour),
    ("stop-opacity", Part),
    ("stroke", Grammar::Paint),
    ("stroke-dasharray", Dashes),
    ("stroke-dashoffset", Both),
    ("stroke-linecap", Word(&["butt", "round", "square"])),
    (
        "stroke-linejoin",
        Word(&["miter", "miter-clip", "round", "bevel", "arcs"]),
    ),
    ("stroke-miterlimit", Number),
    ("stroke-opacity", Part),
    ("stroke-width", Both),
    ("text-anchor", Word(&["start", "middle", "end"])),
    ("text-decoration", Plain),
    ("text-rendering", Plain),
    ("unicode-bidi", Plain),
    ("vector-effect", Plain),
    ("visibility", Word(&["visible", "hidden", "collapse"])),
    ("white-space", Plain),
    ("width", Across),
    ("word-spacing", Across),
    ("writing-mode", Plain),
    ("x", Across),
    ("y", Down),
    ("background-color", Colour),
    ("max-width", Across),
];

/// Elements whose geometry attributes are properties (SVG 2, 7); on others, the same names are
/// plain attributes.
const SHAPES: [&str; 10] = [
    "svg",
    "rect",
    "circle",
    "ellipse",
    "image",
    "foreignObject",
    "use",
    "path",
    "symbol",
    "mask",
];
/// Geometry properties.
const GEOMETRY: [&str; 10] = [
    "cx", "cy", "d", "height", "r", "rx", "ry", "width", "x", "y",
];
/// Attributes that hold lengths and are not properties.
const LENGTHS: [(&str, Grammar); 9] = [
    ("x1", Across),
    ("x2", Across),
    ("y1", Down),
    ("y2", Down),
    ("fx", Across),
    ("fy", Down),
    ("fr", Both),
    ("markerWidth", Across),
    ("markerHeight", Down),
];

/// System colours, in a light theme (CSS Color 4, 6.2).
const SYSTEM: [(&str, [u8; 3]); 8] = [
    ("canvas", [255; 3]),
    ("canvastext", [0; 3]),
    ("linktext", [0, 0, 238]),
    ("visitedtext", [85, 26, 139]),
    ("buttonface", [240; 3]),
    ("buttontext", [0; 3]),
    ("field", [255; 3]),
    ("fieldtext", [0; 3]),
];

/// Grammar of a property or length attribute; `None` if unknown.
fn kind(name: &str) -> Option<Grammar> {
    let mut all = PROPERTIES.iter().chain(&LENGTHS);
    all.find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

/// Returns whether an attribute is treated as a property.
pub(super) fn is_property(name: &str) -> bool {
    kind(name).is_some() || matches!(name, "transform" | "transform-origin")
}

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
        "stroke" | "stroke-dasharray" => "none",
        "fill-opacity" | "stroke-opacity" | "stroke-width" => "1",
        "visibility" => "visible",
        "font-size" => "16",
        "font-weight" | "font-style" => "normal",
        "text-anchor" => "start",
        "fill-rule" | "clip-rule" => "nonzero",
        _ => return None,
    })
}

/// Parses a value that must extend to the end.
fn whole<T>(mut cursor: Cursor<'_>, read: impl FnOnce(&mut Cursor<'_>) -> Option<T>) -> Option<T> {
    let value = read(&mut cursor)?;
    cursor.is_done().then_some(value)
}

/// Parses a colour, system colours included.
fn colour_of(cursor: &mut Cursor<'_>) -> Option<Paint> {
    if let Some(found) = colour(cursor) {
        return Some(found);
    }
    cursor.attempt(|cursor| {
        let word = cursor.word()?;
        let known = SYSTEM.iter().find(|(name, _)| *name == word);
        known.map(|(_, [red, green, blue])| Paint::Rgba(Rgba::opaque(*red, *green, *blue)))
    })
}

/// Writes a colour for usvg, which reads hexadecimal digits and `rgba()`.
pub(super) fn plain(colour: Rgba) -> String {
    let [red, green, blue] = colour.rgb;
    match colour.alpha {
        alpha if alpha >= 1.0 => format!("#{red:02x}{green:02x}{blue:02x}"),
        alpha => format!("rgba({red},{green},{blue},{})", number(alpha)),
    }
}

/// Parses a paint (SVG 2, 13.2): a URL may have a fallback, for the case that it names nothing.
fn paint(mut cursor: Cursor<'_>) -> Option<String> {
    let cursor = &mut cursor;
    for word in ["none", "context-fill", "context-stroke"] {
        if cursor.is_word(word) {
            return cursor.is_done().then(|| word.to_owned());
        }
    }
    let mut out = String::new();
    if let Some(found) = cursor.attempt(address) {
        out.push_str(&found);
        if cursor.is_done() {
            return Some(out);
        }
        out.push(' ');
        if cursor.is_word("none") {
            out.push_str("none");
            return cursor.is_done().then_some(out);
        }
    }
    match colour_of(cursor)? {
        Paint::Current => out.push_str("currentColor"),
        Paint::Rgba(colour) => out.push_str(&plain(colour)),
    }
    // An ICC colour may follow and is ignored (SVG 1.1, 11.2).
    cursor.attempt(|cursor| cursor.function().filter(|(name, _)| *name == "icc-color"));
    cursor.is_done().then_some(out)
}

/// Parses `none` or the URL of an element.
fn address(cursor: &mut Cursor<'_>) -> Option<String> {
    if cursor.is_word("none") {
        return Some("none".to_owned());
    }
    // usvg reads unquoted URLs. A URL with special characters is written in single quotes, and those within it are
    // escaped.
    let of = |address: &str| {
        let is_plain = !address.contains(['"', '\'', '(', ')', ' ']);
        match is_plain {
            true => format!("url({address})"),
            false => format!("url('{}')", address.replace('\'', "%27")),
        }
    };
    match cursor.peek()? {
        Token::Url(address) => {
            let address = of(address);
            cursor.next();
            Some(address)
        }
        Token::Function(name) if &**name == "url" => {
            let (_, mut inside) = cursor.function()?;
            match inside.next()? {
                Token::Text(address) => Some(of(address)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Parses a length, and writes it as a number of px or a percentage. Percentages mixed with lengths are resolved
/// against the viewport.
fn length(
    name: &str,
    mut cursor: Cursor<'_>,
    kind: Grammar,
    context: &Context,
    is_attribute: bool,
) -> Option<String> {
    if cursor.is_word("auto") || cursor.is_word("normal") {
        let is_known = matches!(name, "rx" | "ry" | "letter-spacing" | "word-spacing");
        return match (cursor.is_done() && is_known, name) {
            (true, "rx" | "ry") => Some("auto".to_owned()),
            (true, _) => Some("normal".to_owned()),
            _ => None,
        };
    }
    // A single number or percentage in an attribute is left to usvg.
    let plain = matches!(cursor.rest(), [Token::Number(_) | Token::Percentage(_)]);
    if is_attribute && plain {
        return None;
    }
    let read = cursor.length(true)?;
    let is_negative = read.is_negative()
        && matches!(
            name,
            "width" | "height" | "r" | "rx" | "ry" | "stroke-width"
        );
    if !cursor.is_done() || is_negative {
        return None;
    }
    // Percentages are kept, because usvg knows their base.
    let read = read.computed(context);
    if let Some(percent) = read.only_percent() {
        return Some(format!("{}%", number(percent)));
    }
    let (width, height) = context.viewport;
    Some(number(match kind {
        Across => read.of(width),
        Down => read.of(height),
        // The normalized diagonal (SVG 2, 8.9).
        _ => read.of(((width * width + height * height) / 2.0).sqrt()),
    }))
}

/// Parses `stroke-dasharray` (SVG 2, 13.5.6): lengths with commas or spaces between them. Negative
/// ones are invalid.
fn dashes(mut cursor: Cursor<'_>, context: &Context) -> Option<String> {
    if cursor.is_word("none") {
        return cursor.is_done().then(|| "none".to_owned());
    }
    let mut all = Vec::new();
    while !cursor.is_done() {
        let read = cursor.length(true)?;
        if read.is_negative() {
            return None;
        }
        let read = read.computed(context);
        all.push(match read.only_percent() {
            Some(percent) => format!("{}%", number(percent)),
            None => number(read.of(0.0)),
        });
        // Commas between dashes are optional.
        cursor.is_comma();
    }
    (!all.is_empty()).then(|| all.join(" "))
}

/// Parses `path()` and returns its path data. The fill rule in front is not part of the data.
fn path(mut cursor: Cursor<'_>) -> Option<String> {
    let (name, mut inside) = cursor.function()?;
    if name != "path" {
        return None;
    }
    if inside.is_word("evenodd") || inside.is_word("nonzero") {
        inside.is_comma();
    }
    match inside.next()? {
        Token::Text(path) => Some(path.to_string()),
        _ => None,
    }
}

/// Parses `font-size`, in px. Keywords have the sizes of browsers for a default of 16 px.
fn font_size(mut cursor: Cursor<'_>, context: &Context) -> Option<f32> {
    const WORDS: [(&str, f32); 8] = [
        ("xx-small", 9.0),
        ("x-small", 10.0),
        ("small", 13.0),
        ("medium", 16.0),
        ("large", 18.0),
        ("x-large", 24.0),
        ("xx-large", 32.0),
        ("xxx-large", 48.0),
    ];
    if let Some(word) = cursor.attempt(Cursor::word) {
        return match word.as_str() {
            // Relative sizes, by the usual factor of 1.2 (CSS Fonts 4, 2.5).
            "smaller" => Some(context.em / 1.2),
            "larger" => Some(context.em * 1.2),
            "inherit" => Some(context.em),
            word => {
                let known = WORDS.iter().find(|(known, _)| *known == word);
                known.map(|(_, size)| *size)
            }
        };
    }
    let length = cursor.length(true)?;
    let is_valid = cursor.is_done() && !length.is_negative();
    is_valid.then(|| length.computed(context).of(context.em))
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

/// Formats a number with at most five decimals. Adding zero turns `-0` into `0`.
pub(super) fn number(number: f32) -> String {
    let rounded = (f64::from(number) * 1e5).round() / 1e5;
    format!("{}", rounded + 0.0)
}

/// Serializes tokens to text that a tokenizer splits in the same way.
pub(super) fn text(tokens: &[Token]) -> String {
    let mut out = String::new();
    for token in tokens {
        // Writing to a text cannot fail.
        let _ = match token {
            Token::Ident(word) => write!(out, "{word}"),
            Token::Function(name) => write!(out, "{name}("),
            Token::At(name) => write!(out, "@{name}"),
            Token::Hash(name) => write!(out, "#{name}"),
            // A text is written between quotation marks that it does not contain. If it contains both kinds, its double
            // ones are dropped.
            Token::Text(text) => match text.contains('\'') {
                true => write!(out, "\"{}\"", text.replace('"', "")),
                false => write!(out, "'{text}'"),
            },
            Token::Url(address) => write!(out, "url({address})"),
            Token::Number(value) => write!(out, "{}", number(*value)),
            Token::Percentage(value) => write!(out, "{}%", number(*value)),
            Token::Dimension(value, unit) => write!(out, "{}{unit}", number(*value)),
            Token::Space => write!(out, " "),
            Token::Colon => write!(out, ":"),
            Token::Semicolon => write!(out, ";"),
            Token::Comma => write!(out, ","),
            Token::Open(bracket) | Token::Close(bracket) => write!(out, "{bracket}"),
            Token::Delim(sign) => write!(out, "{sign}"),
        };
    }
    out
}
