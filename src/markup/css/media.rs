//! Evaluation of media queries (Media Queries 4) and `@supports` (CSS Conditional 3). Parses no
//! rules.
//!
//! The medium is paper unless the caller renders a screen: no pointer, no updates, light colours,
//! sRGB.

#[cfg(feature = "svg")]
use super::drawing;
use super::{
    properties,
    tokens::{Token, trimmed},
    value::{Context, Cursor, FontUnits},
};

/// Limit on nested conditions, against deep recursion.
const DEEPEST: usize = 32;

/// Medium of a document.
#[derive(Clone, Copy, Debug)]
pub struct Media {
    /// Whether the medium is `print` instead of `screen`.
    pub print: bool,
    /// Viewport, or page area, in px.
    pub size: (f32, f32),
}

impl Media {
    /// Evaluates a media query list; an empty one is true, and an invalid query false.
    pub fn holds(&self, tokens: &[Token]) -> bool {
        let cursor = Cursor::new(trimmed(tokens));
        cursor.is_done()
            || cursor
                .parts()
                .into_iter()
                .any(|part| self.query(part).unwrap_or(false))
    }

    /// Evaluates a media query list in an attribute.
    pub fn holds_text(&self, text: &str) -> bool {
        self.holds(&super::tokens::tokens(text))
    }

    /// Evaluates one query: an optional medium, then conditions (Media Queries 4, 2). `None` if it
    /// is invalid.
    fn query(&self, mut cursor: Cursor<'_>) -> Option<bool> {
        let negates = cursor.is_word("not");
        // `only` has no meaning. It hid queries from browsers that did not know them.
        cursor.is_word("only");
        // A medium, conditions, or both with `and` between them.
        let mut holds = true;
        if let Some(word) = cursor.attempt(|cursor| cursor.word()) {
            holds = match word.as_str() {
                "all" => true,
                "print" => self.print,
                "screen" => !self.print,
                _ => false,
            };
            if !cursor.is_done() && !cursor.is_word("and") {
                return None;
            }
        }
        if !cursor.is_done() {
            holds &= self.condition(&mut cursor, 0)?;
        }
        cursor.is_done().then_some(holds != negates)
    }

    /// Evaluates a media condition.
    fn condition(&self, cursor: &mut Cursor<'_>, depth: usize) -> Option<bool> {
        combine(cursor, depth, &mut |cursor, depth| {
            let mut inside = cursor.block('(')?;
            // The parenthesis contains either another condition or a feature.
            if matches!(inside.peek(), Some(Token::Open('(')))
                || matches!(inside.peek(), Some(Token::Ident(word)) if word.eq_ignore_ascii_case("not"))
            {
                return self.condition(&mut inside, depth + 1);
            }
            self.feature(inside)
        })
    }

    /// Evaluates a feature: `name: value`, `name < value`, `value < name < value`, or the name
    /// alone.
    fn feature(&self, mut cursor: Cursor<'_>) -> Option<bool> {
        if let Some(Token::Ident(_)) = cursor.peek() {
            let name = cursor.word()?;
            if cursor.is_done() {
                return self.plain(&name);
            }
            if cursor.peek() == Some(&Token::Colon) {
                cursor.next();
                return self.compared(&name, cursor);
            }
            let order = order(&mut cursor)?;
            let value = self.value(&mut cursor)?;
            return Some(order.holds(self.measure(&name)?, value));
        }
        // A comparison that begins with a value; a second value may follow the name.
        let first = self.value(&mut cursor)?;
        let one = order(&mut cursor)?;
        let name = cursor.word()?;
        let own = self.measure(&name)?;
        let mut holds = one.holds(first, own);
        if !cursor.is_done() {
            let other = order(&mut cursor)?;
            holds &= other.holds(own, self.value(&mut cursor)?);
        }
        Some(holds)
    }

    /// Numeric value of a feature: px, a ratio, dots per px, or bits; `None` for others.
    fn measure(&self, name: &str) -> Option<f32> {
        Some(match name {
            "width" | "device-width" => self.size.0,
            "height" | "device-height" => self.size.1,
            "aspect-ratio" | "device-aspect-ratio" => self.size.0 / self.size.1.max(1.0),
            "resolution" | "-webkit-device-pixel-ratio" => 1.0,
            "color" => 8.0,
            "monochrome" | "color-index" | "grid" => 0.0,
            _ => return None,
        })
    }

    /// Parses a value that is comparable with features. Relative lengths refer to initial values,
    /// not to the styles of the document (Media Queries 4, 1.3).
    fn value(&self, cursor: &mut Cursor<'_>) -> Option<f32> {
        let context = Context {
            em: 16.0,
            rem: 16.0,
            font: FontUnits::estimated(16.0),
            rlh: 18.0,
            viewport: self.size,
            zoom: 1.0,
        };
        if let Some(length) = cursor.length(false) {
            return Some(length.computed(&context).of(0.0));
        }
        // Resolutions in dots per px (CSS Values 4, 7.4).
        if let Some(Token::Dimension(number, unit)) = cursor.peek() {
            let times = match &**unit {
                "dppx" | "x" => 1.0,
                "dpi" => 1.0 / 96.0,
                "dpcm" => 2.54 / 96.0,
                _ => return None,
            };
            cursor.next();
            return Some(number * times);
        }
        // An aspect ratio: width / height.
        let number = cursor.number()?;
        if cursor.is_delim('/') {
            return Some(number / cursor.number()?);
        }
        Some(number)
    }

    /// Evaluates `name: value`, with the prefixes `min-` and `max-`. Preferences have the values of
    /// a user agent that prints in light colours.
    fn compared(&self, name: &str, mut cursor: Cursor<'_>) -> Option<bool> {
        // `min-` and `max-` are comparisons in the older syntax.
        let plain = name.trim_start_matches("-webkit-");
        let (order, bare) = match (plain.strip_prefix("min-"), plain.strip_prefix("max-")) {
            (Some(bare), _) => (Order::Most, bare),
            (_, Some(bare)) => (Order::Least, bare),
            _ => (Order::Equal, plain),
        };
        // The pixel ratio of WebKit is a resolution in dots per px.
        let bare = if bare == "device-pixel-ratio" {
            "resolution"
        } else {
            bare
        };
        if let Some(own) = self.measure(bare) {
            let value = self.value(&mut cursor)?;
            return Some(order.holds(own, value));
        }
        let word = cursor.word()?;
        Some(match name {
            // Keywords. A square page is in portrait orientation (Media Queries 4, 4.4).
            "orientation" => {
                word == if self.size.0 > self.size.1 {
                    "landscape"
                } else {
                    "portrait"
                }
            }
            "prefers-color-scheme" => word == "light",
            "prefers-reduced-motion" | "prefers-reduced-transparency" | "prefers-reduced-data" => {
                word == "no-preference"
            }
            "prefers-contrast" => word == "no-preference",
            // Paper has no pointing device.
            "hover" | "any-hover" | "pointer" | "any-pointer" => word == "none",
            "color-gamut" => word == "srgb",
            "forced-colors" | "inverted-colors" | "scripting" => word == "none",
            "update" => word == "none",
            "overflow-block" => word == "paged",
            _ => false,
        })
    }

    /// Evaluates a feature without a value.
    fn plain(&self, name: &str) -> Option<bool> {
        Some(matches!(
            name,
            "width" | "height" | "color" | "aspect-ratio" | "resolution"
        ))
    }
}

/// Comparison operator.
#[derive(Clone, Copy)]
enum Order {
    /// `<`
    Less,
    /// `<=`
    Least,
    /// `=`
    Equal,
    /// `>`
    More,
    /// `>=`
    Most,
}

impl Order {
    /// Evaluates the comparison.
    fn holds(self, one: f32, other: f32) -> bool {
        match self {
            Self::Less => one < other,
            Self::Least => one <= other,
            Self::Equal => one == other,
            Self::More => one > other,
            Self::Most => one >= other,
        }
    }
}

/// Parses a comparison operator; `<=` is two tokens.
fn order(cursor: &mut Cursor<'_>) -> Option<Order> {
    Some(match cursor.next()? {
        Token::Delim('=') => Order::Equal,
        Token::Delim('<') if cursor.is_delim('=') => Order::Least,
        Token::Delim('<') => Order::Less,
        Token::Delim('>') if cursor.is_delim('=') => Order::Most,
        Token::Delim('>') => Order::More,
        _ => return None,
    })
}

/// Evaluates one condition at a nesting depth.
type One<'f> = dyn FnMut(&mut Cursor<'_>, usize) -> Option<bool> + 'f;

/// Evaluates `not`, `and` and `or` between conditions. `and` and `or` must not be mixed without parentheses; mixed ones
/// are evaluated from left to right.
fn combine(cursor: &mut Cursor<'_>, depth: usize, one: &mut One<'_>) -> Option<bool> {
    if depth > DEEPEST {
        return None;
    }
    // `not` applies to a single condition.
    if cursor.is_word("not") {
        return one(cursor, depth).map(|holds| !holds);
    }
    let mut holds = one(cursor, depth)?;
    loop {
        if cursor.is_word("and") {
            holds &= one(cursor, depth)?;
        } else if cursor.is_word("or") {
            holds |= one(cursor, depth)?;
        } else {
            return Some(holds);
        }
    }
}

/// Evaluates the condition of `@supports` (CSS Conditional 3, 6): a declaration is supported if it parses.
/// `selector()` counts as supported, whatever is in it, and no other function does.
pub(crate) fn supports(tokens: &[Token]) -> bool {
    fn condition(cursor: &mut Cursor<'_>, depth: usize) -> Option<bool> {
        combine(cursor, depth, &mut |cursor, depth| {
            if let Some((name, _)) = cursor.function() {
                return Some(name == "selector");
            }
            let inside = cursor.block('(')?;
            let mut declared = inside;
            if let Some(name) = declared.word()
                && declared.peek() == Some(&Token::Colon)
            {
                declared.next();
                let value = declared.rest();
                let is_known = properties::parse(&name, value).is_some();
                // Browsers support the properties of SVG in pages, too.
                #[cfg(feature = "svg")]
                let is_known = is_known || drawing::is_supported(&name, value);
                return Some(is_known);
            }
            // Any other content in parentheses is a nested condition.
            let mut inside = inside;
            condition(&mut inside, depth + 1)
        })
    }
    let mut cursor = Cursor::new(trimmed(tokens));
    condition(&mut cursor, 0).unwrap_or(false)
}
