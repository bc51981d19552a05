//! Declarations, and building blocks for parsing values. Defines no property.
//!
//! A valid declaration becomes a closure that sets a field of a style. A property is a row: a [`Lens`] for the field,
//! and a parser of its value. Values depend on the font size and the parent's style, which are known only when the
//! closure runs, so parsers return closures, too ([`Compute`]).

use super::{
    sides,
    style::{Style, Word},
    tokens::Token,
    value::{Context, Cursor, Length, Specified},
};
use std::{cell::Cell, rc::Rc};

/// Context in which declarations are applied.
pub struct Apply<'a> {
    pub parent: &'a Style,
    /// Bases of relative lengths.
    pub context: Context,
    /// Number of steps so far, to which the substitution of custom properties adds its own.
    pub steps: &'a Cell<u64>,
}

/// Function that changes a style: the effect of a declaration.
type Set = Rc<dyn Fn(&mut Style, &Apply<'_>)>;

/// A valid declaration.
#[derive(Clone)]
pub struct Declaration {
    /// Stage in which the declaration is applied: later stages may depend on its result.
    pub stage: Stage,
    pub important: bool,
    /// Whether the value may depend on font metrics.
    pub measures: bool,
    pub set: Set,
}

/// Stages of applying declarations, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Custom,
    Zoom,
    Font,
    /// `line-height`, which `lh` refers to.
    Line,
    Other,
}

/// Function that computes a value in a context.
pub(super) type Compute<T> = Box<dyn Fn(&Apply<'_>) -> T>;

/// Access to a field of a style.
pub(super) struct Lens<T> {
    pub(super) get: fn(&Style) -> &T,
    pub(super) set: fn(&mut Style, T),
    /// Whether the property inherits.
    pub(super) inherited: bool,
}

/// Lens for an inherited property, a field of `style.text`.
macro_rules! inherited {
    ($field:ident) => {
        $crate::css::property::Lens {
            get: |style: &$crate::css::style::Style| &style.text.$field,
            set: |style: &mut $crate::css::style::Style, value| {
                std::rc::Rc::make_mut(&mut style.text).$field = value
            },
            inherited: true,
        }
    };
}

/// Lens for a property that is not inherited.
macro_rules! own {
    ($($field:tt)+) => {
        $crate::css::property::Lens {
            get: |style: &$crate::css::style::Style| &style.$($field)+,
            set: |style: &mut $crate::css::style::Style, value| style.$($field)+ = value,
            inherited: false,
        }
    };
}

pub(super) use {inherited, own};

/// Parses a flow-relative property (CSS Logical 1): the physical side depends on writing mode and
/// direction, which are known only when the declaration is applied. `declare` handles horizontal
/// left-to-right text; variants for the other modes are parsed in advance.
pub(super) fn mirrored(
    name: &str,
    cursor: Cursor<'_>,
    declare: fn(&str, Cursor<'_>) -> Option<Vec<Declaration>>,
) -> Option<Vec<Declaration>> {
    let own = declare(name, cursor)?;
    // Most names are physical and need no variants.
    if !name.contains("inline") && !name.contains("block") && !name.contains("-start-") {
        return Some(own);
    }
    // Nine other combinations of writing mode and direction may name other physical sides.
    let mut others = Vec::new();
    for (writing, rtl) in sides::others() {
        if let Some(other) = sides::physical(name, writing, rtl) {
            others.push((writing, rtl, declare(&other, cursor)?));
        }
    }
    if others.is_empty() {
        return Some(own);
    }
    // Each variant parses to the same number of declarations, so that they correspond by index.
    let both = |(at, own): (usize, Declaration)| {
        let others: Vec<_> = others
            .iter()
            .filter_map(|(writing, rtl, all)| Some((*writing, *rtl, all.get(at)?.clone())))
            .collect();
        let (stage, important, measures) = (own.stage, own.important, own.measures);
        let set: Set = Rc::new(move |style, apply| {
            let here = (style.text.writing, style.is_rtl());
            let other = others
                .iter()
                .find(|(writing, rtl, _)| (*writing, *rtl) == here);
            match other {
                Some((.., other)) => (other.set)(style, apply),
                None => (own.set)(style, apply),
            }
        });
        Declaration {
            stage,
            important,
            measures,
            set,
        }
    };
    Some(own.into_iter().enumerate().map(both).collect())
}

/// Expands one to four values to four sides. A missing side has the value of the opposite side, and a single value
/// applies to all sides.
pub(super) fn spread<T: Clone>(values: &[T]) -> Option<[T; 4]> {
    let order: [usize; 4] = match values.len() {
        1 => [0, 0, 0, 0],
        2 => [0, 1, 0, 1],
        3 => [0, 1, 2, 1],
        4 => [0, 1, 2, 3],
        _ => return None,
    };
    Some(order.map(|index| values[index].clone()))
}

/// Parses `none` as `None`, or a value.
pub(super) fn unless_none<T: Clone + 'static>(
    cursor: &mut Cursor<'_>,
    read: impl FnOnce(&mut Cursor<'_>) -> Option<Compute<T>>,
) -> Option<Compute<Option<T>>> {
    if cursor.is_word("none") {
        return now(None);
    }
    let value = read(cursor)?;
    Some(Box::new(move |apply| Some(value(apply))))
}

/// Declaration that runs this function.
pub(super) fn changing(set: impl Fn(&mut Style, &Apply<'_>) + 'static) -> Vec<Declaration> {
    vec![Declaration {
        stage: Stage::Other,
        important: false,
        measures: false,
        set: Rc::new(set),
    }]
}

/// Parses a property with one field: a CSS-wide keyword, or a value that extends to the end.
pub(super) fn one<T: Clone + 'static>(
    mut cursor: Cursor<'_>,
    lens: Lens<T>,
    read: impl FnOnce(&mut Cursor<'_>) -> Option<Compute<T>>,
) -> Option<Vec<Declaration>> {
    let Lens {
        get,
        set,
        inherited,
    } = lens;
    // A CSS-wide keyword replaces the value of any property (CSS Cascade 5, 7.3).
    let set: Set = match wide(&cursor) {
        Some(wide) => {
            // `unset` inherits if the property does, and is `initial` otherwise.
            let inherits = wide == Wide::Inherit || inherited && wide == Wide::Unset;
            Rc::new(move |style, apply| {
                let value = match inherits {
                    true => get(apply.parent).clone(),
                    false => get(&Style::default()).clone(),
                };
                set(style, value);
            })
        }
        None => {
            let compute = read(&mut cursor)?;
            if !cursor.is_done() {
                return None;
            }
            Rc::new(move |style, apply| set(style, compute(apply)))
        }
    };
    Some(vec![Declaration {
        stage: Stage::Other,
        important: false,
        measures: false,
        set,
    }])
}

/// CSS-wide keyword (CSS Cascade 5, 7.3).
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Wide {
    Inherit,
    Initial,
    Unset,
}

/// Parses a CSS-wide keyword. `revert` is treated as `unset`, because styles of earlier origins are
/// no longer known when a declaration is applied.
pub(super) fn wide(cursor: &Cursor<'_>) -> Option<Wide> {
    let [Token::Ident(word)] = cursor.rest() else {
        return None;
    };
    match word.to_ascii_lowercase().as_str() {
        "inherit" => Some(Wide::Inherit),
        "initial" => Some(Wide::Initial),
        "unset" | "revert" | "revert-layer" => Some(Wide::Unset),
        _ => None,
    }
}

/// Value that does not depend on the context.
pub(super) fn now<T: Clone + 'static>(value: T) -> Option<Compute<T>> {
    Some(Box::new(move |_| value.clone()))
}

/// Parses a keyword of a type.
pub(super) fn word<T: Word>(cursor: &mut Cursor<'_>) -> Option<Compute<T>> {
    let word = T::of(&cursor.word()?)?;
    now(word)
}

/// Parses a number.
pub(super) fn number(cursor: &mut Cursor<'_>) -> Option<Compute<f32>> {
    now(cursor.number()?)
}

/// Computes a length in px.
pub(super) fn px_of(length: Specified) -> Compute<f32> {
    Box::new(move |apply| length.computed(&apply.context).of(0.0))
}

/// Computes a length that may be a percentage.
pub(super) fn length_of(length: Specified) -> Compute<Length> {
    Box::new(move |apply| length.computed(&apply.context))
}

/// Parses a length without percentage, in px.
pub(super) fn px(cursor: &mut Cursor<'_>) -> Option<Compute<f32>> {
    let length = cursor.length(false)?;
    (!length.has_percentage()).then(|| px_of(length))
}

/// Parses a length or percentage.
pub(super) fn length(cursor: &mut Cursor<'_>) -> Option<Compute<Length>> {
    Some(length_of(cursor.length(false)?))
}

/// Parses a length or percentage that is not negative.
pub(super) fn positive(cursor: &mut Cursor<'_>) -> Option<Compute<Length>> {
    let length = cursor.length(false)?;
    (!length.is_negative()).then(|| length_of(length))
}
