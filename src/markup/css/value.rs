//! Lengths and numbers: units, percentages and `calc()` (CSS Values 4). Does not depend on properties.
//!
//! A value goes through three forms: tokens, which [`Cursor`] parses; a [`Specified`] value with
//! units; and a computed [`Length`] in px and percent, whose used size needs only the base of
//! percentages. Sums and products are simplified on the way, so nearly all lengths are linear.

use super::tokens::{Token, closing};
use std::rc::Rc;

/// Limit on nested calculations, against deep recursion.
const DEEPEST: usize = 32;
/// Limit on the terms of a calculation, against long sums.
const MAX_TERMS: usize = 1000;

/// Largest length in px. Nothing beyond this distance is visible, and the sum of two such lengths is still exact to a
/// px.
pub const MAX: f32 = 4_000_000.0;

/// Font metrics that units refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FontUnits {
    /// Line height in px.
    pub lh: f32,
    /// Advance of the digit zero, in em.
    pub ch: f32,
    /// x-height, in em.
    pub ex: f32,
}

impl FontUnits {
    /// Estimates for a font of this size in px, where nothing can be measured: half an em, as the
    /// specification says (CSS Values 4, 6.1), and the `normal` line height of common fonts.
    pub fn estimated(size: f32) -> Self {
        Self {
            lh: 1.15 * size,
            ch: 0.5,
            ex: 0.5,
        }
    }
}

/// Bases of relative lengths (CSS Values 4, 6.1), and the zoom, which scales absolute lengths.
///
/// Percentages have no base here, because it differs from property to property.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Font size of the element in px.
    pub em: f32,
    /// Font size of the root element without zoom, in px.
    pub rem: f32,
    /// Metrics of the element's font.
    pub font: FontUnits,
    /// Line height of the root element in px.
    pub rlh: f32,
    /// Width and height of the viewport or page area, in px.
    pub viewport: (f32, f32),
    /// Effective zoom factor.
    pub zoom: f32,
}

/// Position in the tokens of a value. Methods skip white space after the tokens that they consume, and consume nothing
/// if they fail. The exceptions are `number` and `part`, which consume a calculation even if its result has a unit.
#[derive(Clone, Copy)]
pub struct Cursor<'t> {
    rest: &'t [Token],
}

impl<'t> Cursor<'t> {
    /// Starts at the first token that is not white space.
    pub fn new(tokens: &'t [Token]) -> Self {
        let mut cursor = Self { rest: tokens };
        cursor.space();
        cursor
    }

    /// Skips white space.
    pub fn space(&mut self) {
        while let [Token::Space, rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// The next token.
    pub fn peek(&self) -> Option<&'t Token> {
        self.rest.first()
    }

    /// Returns whether all tokens are consumed.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// The remaining tokens.
    pub fn rest(&self) -> &'t [Token] {
        self.rest
    }

    /// Consumes the next token.
    #[allow(clippy::should_implement_trait)] // A cursor is not an iterator.
    pub fn next(&mut self) -> Option<&'t Token> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        self.space();
        Some(first)
    }

    /// Consumes an identifier, returned in lower case.
    pub fn word(&mut self) -> Option<String> {
        let Some(Token::Ident(word)) = self.peek() else {
            return None;
        };
        self.next();
        Some(word.to_ascii_lowercase())
    }

    /// Consumes this identifier. Returns whether it was next.
    pub fn is_word(&mut self, wanted: &str) -> bool {
        let is =
            matches!(self.peek(), Some(Token::Ident(word)) if word.eq_ignore_ascii_case(wanted));
        if is {
            self.next();
        }
        is
    }

    /// Consumes this delimiter. Returns whether it was next.
    pub(crate) fn is_delim(&mut self, wanted: char) -> bool {
        let is = self.peek() == Some(&Token::Delim(wanted));
        if is {
            self.next();
        }
        is
    }

    /// Consumes a comma. Returns whether it was next.
    pub(crate) fn is_comma(&mut self) -> bool {
        let is = self.peek() == Some(&Token::Comma);
        if is {
            self.next();
        }
        is
    }

    /// Consumes a function. Returns its name and arguments.
    pub fn function(&mut self) -> Option<(&'t str, Cursor<'t>)> {
        let Some(Token::Function(name)) = self.peek() else {
            return None;
        };
        let end = closing(self.rest, 0);
        let inside = &self.rest[1..end.max(1)];
        self.rest = self.rest.get(end + 1..).unwrap_or(&[]);
        self.space();
        Some((name, Cursor::new(inside)))
    }

    /// Consumes a block with this opening bracket. Returns its content.
    pub fn block(&mut self, open: char) -> Option<Cursor<'t>> {
        if self.peek() != Some(&Token::Open(open)) {
            return None;
        }
        let end = closing(self.rest, 0);
        let inside = &self.rest[1..end.max(1)];
        self.rest = self.rest.get(end + 1..).unwrap_or(&[]);
        self.space();
        Some(Cursor::new(inside))
    }

    /// Splits the remaining tokens at top-level commas, those outside of brackets.
    pub fn parts(mut self) -> Vec<Cursor<'t>> {
        let mut parts = Vec::new();
        // Brackets are skipped whole, so that commas inside them do not split.
        let (mut at, all) = (0, self.rest);
        let mut from = 0;
        while at < all.len() {
            match &all[at] {
                Token::Comma => {
                    parts.push(Cursor::new(&all[from..at]));
                    from = at + 1;
                }
                Token::Function(_) | Token::Open(_) => at = closing(all, at),
                _ => {}
            }
            at += 1;
        }
        self.rest = &all[from.min(all.len())..];
        self.space();
        parts.push(self);
        parts
    }

    /// Runs a parser, and restores the position if it fails.
    pub fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mut copy = *self;
        let value = read(&mut copy)?;
        *self = copy;
        Some(value)
    }

    /// Consumes a number or a calculation of numbers.
    pub fn number(&mut self) -> Option<f32> {
        if let Some(Token::Number(number)) = self.peek() {
            self.next();
            return Some(*number);
        }
        self.attempt(|cursor| Calc::function(cursor, 0, &mut 0)?.number())
    }

    /// Consumes a number, rounded to an integer.
    pub fn integer(&mut self) -> Option<i32> {
        self.attempt(|cursor| {
            let number = cursor.number()?;
            Some(number.round().clamp(-1e9, 1e9) as i32)
        })
    }

    /// Consumes a number, or a percentage as a fraction.
    pub fn part(&mut self) -> Option<f32> {
        if let Some(Token::Percentage(percent)) = self.peek() {
            self.next();
            return Some(percent / 100.0);
        }
        self.number()
    }

    /// Consumes an angle, returned in degrees.
    pub fn angle(&mut self) -> Option<f32> {
        self.attempt(|cursor| match cursor.next()? {
            Token::Dimension(number, unit) => Some(match &**unit {
                "deg" => *number,
                "grad" => number * 0.9,
                "rad" => number.to_degrees(),
                "turn" => number * 360.0,
                _ => return None,
            }),
            // A bare 0 is an angle, for compatibility with old style sheets.
            Token::Number(number) if *number == 0.0 => Some(0.0),
            _ => None,
        })
    }

    /// Consumes a length or percentage. If `loose` is set, as for attributes of SVG, a number without a unit is a
    /// length in px.
    pub fn length(&mut self, loose: bool) -> Option<Specified> {
        self.attempt(|cursor| {
            // Bare words are not lengths; inside calculations some are constants.
            let calc = match cursor.peek()? {
                Token::Function(_) => Calc::function(cursor, 0, &mut 0)?,
                Token::Ident(_) => return None,
                _ => Calc::single(cursor.next()?)?,
            };
            // A number without a unit is a length only if it is 0.
            match calc {
                Calc::Number(number) if number == 0.0 || loose => {
                    Some(Calc::Length(number, Unit::Px))
                }
                Calc::Number(_) => None,
                calc if calc.is_length() => Some(calc),
                _ => None,
            }
        })
        .map(Specified)
    }
}

/// A unit of length (CSS Values 4, 6).
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    Px,
    /// Absolute unit, as a number of px.
    Times(f32),
    Em,
    Rem,
    Ex,
    Ch,
    Lh,
    Rlh,
    Vw,
    Vh,
    Vmin,
    Vmax,
}

/// Returns whether a value has units that depend on font metrics: only then are fonts measured.
pub(super) fn asks_for_font(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        matches!(token, Token::Dimension(_, unit) if matches!(&**unit, "ex" | "ch" | "lh" | "rlh"))
    })
}

impl Unit {
    /// Unit by name in lower case.
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            // An inch is 96 px (CSS Values 4, 6.2).
            "px" => Self::Px,
            "pt" => Self::Times(4.0 / 3.0),
            "pc" => Self::Times(16.0),
            "in" => Self::Times(96.0),
            "cm" => Self::Times(96.0 / 2.54),
            "mm" => Self::Times(96.0 / 25.4),
            "q" => Self::Times(96.0 / 101.6),
            "em" => Self::Em,
            "rem" => Self::Rem,
            "ex" => Self::Ex,
            "ch" => Self::Ch,
            "lh" => Self::Lh,
            "rlh" => Self::Rlh,
            // On paper the small, large and dynamic viewports are equal. `vi` and `vb` assume horizontal text.
            "vw" | "svw" | "lvw" | "dvw" | "vi" => Self::Vw,
            "vh" | "svh" | "lvh" | "dvh" | "vb" => Self::Vh,
            "vmin" => Self::Vmin,
            "vmax" => Self::Vmax,
            _ => return None,
        })
    }

    /// Converts a number of this unit to px. Zoom applies to absolute lengths and to `rem`; the bases of the other font
    /// units contain it already.
    fn px(self, number: f32, context: &Context) -> f32 {
        let (width, height) = context.viewport;
        let px = match self {
            Self::Px => number * context.zoom,
            Self::Times(times) => number * times * context.zoom,
            Self::Em => number * context.em,
            Self::Rem => number * context.rem * context.zoom,
            Self::Ex => number * context.em * context.font.ex,
            Self::Ch => number * context.em * context.font.ch,
            Self::Lh => number * context.font.lh,
            Self::Rlh => number * context.rlh,
            Self::Vw => number * width / 100.0,
            Self::Vh => number * height / 100.0,
            Self::Vmin => number * width.min(height) / 100.0,
            Self::Vmax => number * width.max(height) / 100.0,
        };
        bounded(px)
    }
}

/// Limits a length to ±[`MAX`]; NaN becomes 0.
pub fn bounded(px: f32) -> f32 {
    if px.is_nan() {
        0.0
    } else {
        px.clamp(-MAX, MAX)
    }
}

/// A calculation with specified values (CSS Values 4, 10): a tree of operations. Sums and products of plain numbers are
/// computed while they are parsed.
#[derive(Clone, Debug, PartialEq)]
enum Calc {
    Number(f32),
    Length(f32, Unit),
    /// Percentage, whose base differs by property.
    Percent(f32),
    Sum(Vec<Calc>),
    /// Product with a number; also negation and division.
    Scaled(f32, Box<Calc>),
    /// `min()`.
    Min(Vec<Calc>),
    /// `max()`; `clamp()` is a maximum of a minimum.
    Max(Vec<Calc>),
}

/// A specified length or percentage.
#[derive(Clone, Debug, PartialEq)]
pub struct Specified(Calc);

impl Specified {
    /// Computes the length in a context.
    pub fn computed(&self, context: &Context) -> Length {
        self.0.computed(context)
    }

    /// Returns whether the value is a single negative length or percentage. False for calculations, whose results are
    /// clamped later.
    pub fn is_negative(&self) -> bool {
        matches!(&self.0, Calc::Length(number, _) | Calc::Percent(number) if *number < 0.0)
    }

    /// Returns whether it contains a percentage.
    pub fn has_percentage(&self) -> bool {
        self.0.has_percentage()
    }

    /// The same offset from the opposite edge: 100 % minus the offset.
    pub(crate) fn counted_from_end(self) -> Self {
        let back = Calc::Scaled(-1.0, Box::new(self.0));
        Self(Calc::Sum(vec![Calc::Percent(100.0), back]))
    }

    /// A percentage.
    pub fn percent(percent: f32) -> Self {
        Self(Calc::Percent(percent))
    }

    /// A length in px.
    pub fn px(px: f32) -> Self {
        Self(Calc::Length(px, Unit::Px))
    }
}

impl Calc {
    /// Parses a number, constant, percentage or dimension.
    fn single(token: &Token) -> Option<Self> {
        Some(match token {
            Token::Number(number) => Self::Number(*number),
            // `infinity`, used for instance as a radius to get round ends, becomes the largest length.
            Token::Ident(word) => Self::Number(match word.to_ascii_lowercase().as_str() {
                "infinity" => MAX,
                "-infinity" => -MAX,
                "pi" => std::f32::consts::PI,
                "e" => std::f32::consts::E,
                _ => return None,
            }),
            Token::Percentage(number) => Self::Percent(*number),
            Token::Dimension(number, unit) => Self::Length(*number, Unit::of(unit)?),
            _ => return None,
        })
    }

    /// Parses `calc()`, `min()`, `max()` or `clamp()` (CSS Values 4, 10.1 and 10.2). `clamp()` is a
    /// maximum of a minimum.
    fn function(cursor: &mut Cursor<'_>, depth: usize, terms: &mut usize) -> Option<Self> {
        if depth > DEEPEST {
            return None;
        }
        let (name, inside) = cursor.function()?;
        // Arguments are sums, with limits shared by the whole calculation.
        let mut all = |inside: Cursor<'_>| -> Option<Vec<Self>> {
            let parts = inside.parts().into_iter();
            parts
                .map(|mut part| Self::sum(&mut part, depth + 1, terms))
                .collect()
        };
        match name {
            "calc" | "-webkit-calc" => {
                let mut inside = inside;
                let sum = Self::sum(&mut inside, depth + 1, terms)?;
                inside.is_done().then_some(sum)
            }
            "min" => Some(Self::Min(all(inside)?)),
            "max" => Some(Self::Max(all(inside)?)),
            "clamp" => {
                let [least, value, most] = <[Self; 3]>::try_from(all(inside)?).ok()?;
                Some(Self::Max(vec![least, Self::Min(vec![value, most])]))
            }
            _ => None,
        }
    }

    /// Parses a sum of products. Subtraction is the sum with a negated term.
    fn sum(cursor: &mut Cursor<'_>, depth: usize, terms: &mut usize) -> Option<Self> {
        let mut parts = vec![Self::product(cursor, depth, terms)?];
        loop {
            *terms += 1;
            if *terms > MAX_TERMS {
                return None;
            }
            if cursor.is_delim('+') {
                parts.push(Self::product(cursor, depth, terms)?);
            } else if cursor.is_delim('-') {
                let part = Self::product(cursor, depth, terms)?;
                parts.push(Self::Scaled(-1.0, Box::new(part)));
            } else {
                break;
            }
        }
        if parts.len() == 1 {
            return parts.pop();
        }
        // A sum of plain numbers is a number, so that it can be a factor.
        if let Some(numbers) = parts.iter().map(Self::number).collect::<Option<Vec<_>>>() {
            return Some(Self::Number(numbers.iter().sum()));
        }
        Some(Self::Sum(parts))
    }

    /// Parses a product; at most one factor may have a unit, and no divisor.
    fn product(cursor: &mut Cursor<'_>, depth: usize, terms: &mut usize) -> Option<Self> {
        let mut product = Self::term(cursor, depth, terms)?;
        loop {
            *terms += 1;
            if *terms > MAX_TERMS {
                return None;
            }
            let (times, other) = if cursor.is_delim('*') {
                (true, Self::term(cursor, depth, terms)?)
            } else if cursor.is_delim('/') {
                (false, Self::term(cursor, depth, terms)?)
            } else {
                return Some(product);
            };
            // Two lengths cannot be multiplied, and nothing can be divided by one.
            product = match (product.number(), other.number(), times) {
                (Some(one), Some(other), true) => Self::Number(one * other),
                (Some(one), Some(other), false) => Self::Number(one / other),
                (None, Some(factor), true) => Self::Scaled(factor, Box::new(product)),
                (None, Some(divisor), false) => Self::Scaled(1.0 / divisor, Box::new(product)),
                (Some(factor), None, true) => Self::Scaled(factor, Box::new(other)),
                _ => return None,
            };
        }
    }

    /// Parses a term: a parenthesized sum, a function or a single value.
    fn term(cursor: &mut Cursor<'_>, depth: usize, terms: &mut usize) -> Option<Self> {
        if depth > DEEPEST {
            return None;
        }
        match cursor.peek()? {
            Token::Open('(') => {
                let mut inside = cursor.block('(')?;
                Self::sum(&mut inside, depth + 1, terms)
            }
            Token::Function(_) => Self::function(cursor, depth + 1, terms),
            _ => Self::single(cursor.next()?),
        }
    }

    /// Value of a calculation without units; `None` if any term has one.
    fn number(&self) -> Option<f32> {
        Some(match self {
            Self::Number(number) => *number,
            Self::Scaled(factor, part) => factor * part.number()?,
            Self::Sum(parts) => {
                let numbers: Option<Vec<f32>> = parts.iter().map(Self::number).collect();
                numbers?.iter().sum()
            }
            Self::Min(parts) => {
                let numbers: Option<Vec<f32>> = parts.iter().map(Self::number).collect();
                numbers?.into_iter().fold(f32::INFINITY, f32::min)
            }
            Self::Max(parts) => {
                let numbers: Option<Vec<f32>> = parts.iter().map(Self::number).collect();
                numbers?.into_iter().fold(f32::NEG_INFINITY, f32::max)
            }
            Self::Length(..) | Self::Percent(_) => return None,
        })
    }

    /// Returns whether all terms are lengths or percentages: numbers must not be added to them.
    fn is_length(&self) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Length(..) | Self::Percent(_) => true,
            Self::Scaled(_, part) => part.is_length(),
            Self::Sum(parts) | Self::Min(parts) | Self::Max(parts) => {
                parts.iter().all(Self::is_length)
            }
        }
    }

    /// Returns whether it contains a percentage.
    fn has_percentage(&self) -> bool {
        match self {
            Self::Number(_) | Self::Length(..) => false,
            Self::Percent(_) => true,
            Self::Scaled(_, part) => part.has_percentage(),
            Self::Sum(parts) | Self::Min(parts) | Self::Max(parts) => {
                parts.iter().any(Self::has_percentage)
            }
        }
    }

    /// Computes the calculation; sums, minima and maxima are simplified where percentages permit.
    ///
    /// A sum of linear terms is linear. A minimum or maximum is known only if no term has a percentage; otherwise it
    /// stays a tree until the base of the percentages is known.
    fn computed(&self, context: &Context) -> Length {
        let all = |parts: &[Self]| {
            parts
                .iter()
                .map(|part| part.computed(context))
                .collect::<Vec<_>>()
        };
        match self {
            Self::Number(number) => Length::px(*number),
            Self::Length(number, unit) => Length::px(unit.px(*number, context)),
            Self::Percent(percent) => Length::percent(*percent),
            Self::Scaled(factor, part) => match part.computed(context) {
                Length::Linear { px, percent } => Length::Linear {
                    px: bounded(px * factor),
                    percent: bounded(percent * factor),
                },
                part => Length::Scaled(*factor, Rc::new(part)),
            },
            Self::Sum(parts) => {
                let parts = all(parts);
                let linear = |part: &Length| match part {
                    Length::Linear { px, percent } => Some((*px, *percent)),
                    _ => None,
                };
                match parts.iter().map(linear).collect::<Option<Vec<_>>>() {
                    Some(parts) => Length::Linear {
                        px: bounded(parts.iter().map(|part| part.0).sum()),
                        percent: bounded(parts.iter().map(|part| part.1).sum()),
                    },
                    None => Length::Sum(parts.into()),
                }
            }
            Self::Min(parts) | Self::Max(parts) => {
                let parts = all(parts);
                let is_min = matches!(self, Self::Min(_));
                let plain = |part: &Length| match part {
                    Length::Linear { px, percent } if *percent == 0.0 => Some(*px),
                    _ => None,
                };
                match parts.iter().map(plain).collect::<Option<Vec<f32>>>() {
                    Some(parts) if is_min => {
                        Length::px(parts.into_iter().fold(f32::INFINITY, f32::min))
                    }
                    Some(parts) => Length::px(parts.into_iter().fold(f32::NEG_INFINITY, f32::max)),
                    None if is_min => Length::Min(parts.into()),
                    None => Length::Max(parts.into()),
                }
            }
        }
    }
}

/// A computed length: px plus percentage, or a calculation with such lengths whose result depends on the base of the
/// percentages.
#[derive(Clone, Debug, PartialEq)]
pub enum Length {
    Linear { px: f32, percent: f32 },
    Scaled(f32, Rc<Length>),
    Sum(Rc<[Length]>),
    Min(Rc<[Length]>),
    Max(Rc<[Length]>),
}

impl Length {
    pub const ZERO: Self = Self::Linear {
        px: 0.0,
        percent: 0.0,
    };

    /// A length in px.
    pub fn px(px: f32) -> Self {
        Self::Linear {
            px: bounded(px),
            percent: 0.0,
        }
    }

    /// A percentage.
    pub fn percent(percent: f32) -> Self {
        Self::Linear {
            px: 0.0,
            percent: bounded(percent),
        }
    }

    /// Used length in px, if 100 % are `base` px.
    pub fn of(&self, base: f32) -> f32 {
        bounded(match self {
            Self::Linear { px, percent } => px + percent / 100.0 * base,
            Self::Scaled(factor, part) => factor * part.of(base),
            Self::Sum(parts) => parts.iter().map(|part| part.of(base)).sum(),
            Self::Min(parts) => parts
                .iter()
                .map(|part| part.of(base))
                .fold(f32::INFINITY, f32::min),
            Self::Max(parts) => parts
                .iter()
                .map(|part| part.of(base))
                .fold(f32::NEG_INFINITY, f32::max),
        })
    }

    /// Returns whether it contains a percentage.
    pub fn has_percentage(&self) -> bool {
        match self {
            Self::Linear { percent, .. } => *percent != 0.0,
            Self::Scaled(_, part) => part.has_percentage(),
            Self::Sum(parts) | Self::Min(parts) | Self::Max(parts) => {
                parts.iter().any(Self::has_percentage)
            }
        }
    }

    /// Used length in px; `None` if it has a percentage but no base.
    pub fn definite(&self, base: Option<f32>) -> Option<f32> {
        match base {
            Some(base) => Some(self.of(base)),
            None if self.has_percentage() => None,
            None => Some(self.of(0.0)),
        }
    }

    /// The percentage, if the value consists only of a percentage other than 0.
    pub fn only_percent(&self) -> Option<f32> {
        match self {
            Self::Linear { px, percent } if *px == 0.0 && *percent != 0.0 => Some(*percent),
            _ => None,
        }
    }
}
