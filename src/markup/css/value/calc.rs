//! Sums and products of lengths and numbers, such as `calc()`, `min()` and `clamp()` (CSS Values 4, 10). Resolves no
//! percentages.

use super::super::tokens::Token;
use super::{Context, Length, MAX, Unit, bounded, cursor::Cursor};
use std::rc::Rc;

/// Limit on nested calculations, against deep recursion.
const DEEPEST: usize = 32;
/// Limit on the terms of a calculation, against long sums.
const MAX_TERMS: usize = 1000;

/// A calculation with specified values (CSS Values 4, 10): a tree of operations. Sums and products of plain numbers are
/// computed while they are parsed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Calc {
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

impl Calc {
    /// Parses a number, constant, percentage or dimension.
    pub(super) fn single(token: &Token) -> Option<Self> {
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
    pub(super) fn function(
        cursor: &mut Cursor<'_>,
        depth: usize,
        terms: &mut usize,
    ) -> Option<Self> {
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
    pub(super) fn sum(cursor: &mut Cursor<'_>, depth: usize, terms: &mut usize) -> Option<Self> {
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
    pub(super) fn number(&self) -> Option<f32> {
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
    pub(super) fn is_length(&self) -> bool {
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
    pub(super) fn has_percentage(&self) -> bool {
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
    pub(super) fn computed(&self, context: &Context) -> Length {
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
