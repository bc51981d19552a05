//! Whether media queries (Media Queries 4) and `@supports` hold. Reads no rule.

use super::{
    properties,
    tokens::{Token, trimmed},
    value::{Context, Cursor, FontUnits},
};

/// Limit on the nesting of conditions.
const DEEPEST: usize = 32;

/// Medium that a page is shown on.
#[derive(Clone, Copy, Debug)]
pub struct Media {
    /// Paper, and not a screen.
    pub print: bool,
    /// Size of the page's content, or of the window, in px.
    pub size: (f32, f32),
}

impl Media {
    /// Whether a list of queries holds; an empty one does.
    pub fn holds(&self, tokens: &[Token]) -> bool {
        let cursor = Cursor::new(trimmed(tokens));
        cursor.is_done()
            || cursor
                .parts()
                .into_iter()
                .any(|part| self.query(part).unwrap_or(false))
    }

    /// Whether queries hold that stand in an attribute.
    pub fn holds_text(&self, text: &str) -> bool {
        self.holds(&super::tokens::tokens(text))
    }

    fn query(&self, mut cursor: Cursor<'_>) -> Option<bool> {
        let negates = cursor.is_word("not");
        cursor.is_word("only");
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

    fn condition(&self, cursor: &mut Cursor<'_>, depth: usize) -> Option<bool> {
        combine(cursor, depth, &mut |cursor, depth| {
            let mut inside = cursor.block('(')?;
            if matches!(inside.peek(), Some(Token::Open('(')))
                || matches!(inside.peek(), Some(Token::Ident(word)) if word.eq_ignore_ascii_case("not"))
            {
                return self.condition(&mut inside, depth + 1);
            }
            self.feature(inside)
        })
    }

    /// `name: value`, `name < value`, `value < name < value`, or the name alone.
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

    fn value(&self, cursor: &mut Cursor<'_>) -> Option<f32> {
        let context = Context {
            em: 16.0,
            rem: 16.0,
            font: FontUnits::usual(16.0),
            rlh: 18.0,
            viewport: self.size,
            zoom: 1.0,
        };
        if let Some(length) = cursor.length(false) {
            return Some(length.computed(&context).of(0.0));
        }
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
        let number = cursor.number()?;
        if cursor.is_delim('/') {
            return Some(number / cursor.number()?);
        }
        Some(number)
    }

    fn compared(&self, name: &str, mut cursor: Cursor<'_>) -> Option<bool> {
        let plain = name.trim_start_matches("-webkit-");
        let (order, bare) = match (plain.strip_prefix("min-"), plain.strip_prefix("max-")) {
            (Some(bare), _) => (Order::Most, bare),
            (_, Some(bare)) => (Order::Least, bare),
            _ => (Order::Equal, plain),
        };
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
            "hover" | "any-hover" | "pointer" | "any-pointer" => word == "none",
            "color-gamut" => word == "srgb",
            "forced-colors" | "inverted-colors" | "scripting" => word == "none",
            "update" => word == "none",
            "overflow-block" => word == "paged",
            _ => false,
        })
    }

    fn plain(&self, name: &str) -> Option<bool> {
        Some(matches!(
            name,
            "width" | "height" | "color" | "aspect-ratio" | "resolution"
        ))
    }
}

#[derive(Clone, Copy)]
enum Order {
    Less,
    Least,
    Equal,
    More,
    Most,
}

impl Order {
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

type One<'f> = dyn FnMut(&mut Cursor<'_>, usize) -> Option<bool> + 'f;

/// `not`, `and` and `or` between conditions.
fn combine(cursor: &mut Cursor<'_>, depth: usize, one: &mut One<'_>) -> Option<bool> {
    if depth > DEEPEST {
        return None;
    }
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

/// Whether a condition of `@supports` holds.
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
                return Some(properties::parse(&name, declared.rest()).is_some());
            }
            let mut inside = inside;
            condition(&mut inside, depth + 1)
        })
    }
    let mut cursor = Cursor::new(trimmed(tokens));
    condition(&mut cursor, 0).unwrap_or(false)
}
