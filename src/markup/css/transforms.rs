//! Parsing of transform properties to matrices (CSS Transforms 1 and 2). Does not apply the transforms.
//!
//! A list of functions becomes a list of matrices and translations. Translations stay apart,
//! because their percentages refer to the size of the box, which only layout knows.

use super::{
    property::{Apply, Compute, Declaration, length, now, one, own, px, unless_none, word},
    shapes::point,
    space::Space,
    style::Transform,
    tokens::{Token, trimmed},
    value::{Cursor, Length, Specified, bounded},
};
use std::rc::Rc;

/// Axis of the page to the right.
const ACROSS: [f32; 3] = [1.0, 0.0, 0.0];
/// Axis of the page downwards.
const DOWN: [f32; 3] = [0.0, 1.0, 0.0];
/// Axis from the page towards the viewer.
const OUTWARD: [f32; 3] = [0.0, 0.0, 1.0];

/// A specified transform function, before its lengths are computed.
enum TransformFunction {
    Translate(Specified, Specified, Specified),
    Matrix(Space),
    Perspective(Specified),
}

impl TransformFunction {
    /// Computes the lengths of the function, and limits the numbers of a matrix to the range of lengths.
    fn computed(&self, apply: &Apply<'_>) -> Transform {
        let of = |length: &Specified| length.computed(&apply.context);
        match self {
            Self::Translate(x, y, z) => Transform::Translate(of(x), of(y), of(z).of(0.0)),
            Self::Matrix(matrix) => Transform::Matrix(Space(matrix.0.map(bounded))),
            Self::Perspective(distance) => {
                Transform::Matrix(Space::perspective(of(distance).of(0.0)))
            }
        }
    }
}

/// Parses the declaration of a transform property; `None` if it is unknown or invalid.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        "transform" | "-webkit-transform" => one(cursor, own!(transforms), functions),
        "transform-origin" | "-webkit-transform-origin" => {
            one(cursor, own!(transform_origin), origin)
        }
        "perspective" | "-webkit-perspective" => {
            one(cursor, own!(perspective), |cursor| unless_none(cursor, px))
        }
        "perspective-origin" | "-webkit-perspective-origin" => {
            one(cursor, own!(perspective_origin), point)
        }
        "transform-style" | "-webkit-transform-style" => one(cursor, own!(transform_style), word),
        "backface-visibility" | "-webkit-backface-visibility" => one(cursor, own!(backface), word),
        // `translate: x y z`; a missing y or z is 0.
        "translate" => one(cursor, own!(moves[0]), |cursor| {
            unless_none(cursor, |cursor| {
                let (x, y) = (length(cursor)?, length(cursor));
                let z = px(cursor);
                Some(Box::new(move |apply| {
                    let y = y.as_ref().map_or(Length::ZERO, |y| y(apply));
                    Transform::Translate(x(apply), y, z.as_ref().map_or(0.0, |z| z(apply)))
                }))
            })
        }),
        "rotate" => one(cursor, own!(moves[1]), |cursor| {
            unless_none(cursor, rotation)
        }),
        "scale" => one(cursor, own!(moves[2]), |cursor| {
            // `scale: x y z`; a missing y is x, a missing z is 1.
            unless_none(cursor, |cursor| {
                let x = cursor.part()?;
                let y = cursor.attempt(Cursor::part).unwrap_or(x);
                let z = cursor.attempt(Cursor::part).unwrap_or(1.0);
                now(Transform::Matrix(Space::scaled(x, y, z)))
            })
        }),
        _ => None,
    }
}

/// Parses `rotate`: an angle, and optionally an axis before or after the angle.
fn rotation(cursor: &mut Cursor<'_>) -> Option<Compute<Transform>> {
    fn axis(cursor: &mut Cursor<'_>) -> Option<[f32; 3]> {
        for (name, axis) in [("x", ACROSS), ("y", DOWN), ("z", OUTWARD)] {
            if cursor.is_word(name) {
                return Some(axis);
            }
        }
        cursor.attempt(|cursor| Some([cursor.number()?, cursor.number()?, cursor.number()?]))
    }
    // The first number of an axis may be 0, which also is an angle, so the axis is tried first.
    let before = axis(cursor);
    let angle = cursor.angle()?;
    let axis = before.or_else(|| axis(cursor)).unwrap_or(OUTWARD);
    now(Transform::Matrix(Space::turned(axis, angle)))
}

/// Parses `transform-origin`: a position and a depth in px (CSS Transforms 2).
fn origin(cursor: &mut Cursor<'_>) -> Option<Compute<(Length, Length, f32)>> {
    let tokens = cursor.rest();
    let values = tokens
        .iter()
        .filter(|token| **token != Token::Space)
        .count();
    let last = tokens.iter().rposition(|token| *token == Token::Space);
    // Of three values, the last is the depth.
    let (flat, deep) = match last {
        Some(last) if values == 3 => tokens.split_at(last),
        _ => (tokens, &tokens[tokens.len()..]),
    };
    let (mut flat, mut deep) = (Cursor::new(trimmed(flat)), Cursor::new(deep));
    let at = point(&mut flat)?;
    let depth = match deep.is_done() {
        true => None,
        false => Some(px(&mut deep)?),
    };
    if !flat.is_done() || !deep.is_done() {
        return None;
    }
    *cursor = Cursor::new(&[]);
    Some(Box::new(move |apply| {
        let (x, y) = at(apply);
        (x, y, depth.as_ref().map_or(0.0, |depth| depth(apply)))
    }))
}

/// Parses `transform`: a list of functions. Any unknown function makes the whole value invalid.
fn functions(cursor: &mut Cursor<'_>) -> Option<Compute<Rc<[Transform]>>> {
    if cursor.is_word("none") {
        return now(Rc::from([]));
    }
    let mut all = Vec::new();
    while let Some((name, inside)) = cursor.function() {
        let mut args = inside.parts();
        // The parsers of the groups are tried in turn. Each returns `None` for functions of other groups.
        let part = translation(name, &mut args)
            .or_else(|| scaling(name, &mut args))
            .or_else(|| turning(name, &mut args))
            .or_else(|| skewing(name, &mut args))
            .or_else(|| matrix(name, &mut args))?;
        all.push(part);
    }
    (!all.is_empty()).then(|| -> Compute<Rc<[Transform]>> {
        Box::new(move |apply| all.iter().map(|part| part.computed(apply)).collect())
    })
}

/// Parses a translation or perspective function. A missing second offset of `translate()` is 0.
fn translation(name: &str, args: &mut [Cursor<'_>]) -> Option<TransformFunction> {
    let mut at = |index: usize| args.get_mut(index)?.length(false);
    let zero = || Specified::px(0.0);
    Some(match name {
        "translate" | "translatex" => {
            TransformFunction::Translate(at(0)?, at(1).unwrap_or_else(zero), zero())
        }
        "translatey" => TransformFunction::Translate(zero(), at(0)?, zero()),
        "translatez" => TransformFunction::Translate(zero(), zero(), at(0)?),
        "translate3d" => TransformFunction::Translate(at(0)?, at(1)?, at(2)?),
        // `perspective(none)` is the identity.
        "perspective" => match args.first_mut()?.is_word("none") {
            true => TransformFunction::Matrix(Space::SAME),
            false => TransformFunction::Perspective(args.first_mut()?.length(false)?),
        },
        _ => return None,
    })
}

/// Parses a scaling function. A missing second factor of `scale()` is the first one.
fn scaling(name: &str, args: &mut [Cursor<'_>]) -> Option<TransformFunction> {
    let mut at = |index: usize| args.get_mut(index)?.part();
    Some(TransformFunction::Matrix(match name {
        "scale" => {
            let x = at(0)?;
            Space::scaled(x, at(1).unwrap_or(x), 1.0)
        }
        "scalex" => Space::scaled(at(0)?, 1.0, 1.0),
        "scaley" => Space::scaled(1.0, at(0)?, 1.0),
        "scalez" => Space::scaled(1.0, 1.0, at(0)?),
        "scale3d" => Space::scaled(at(0)?, at(1)?, at(2)?),
        _ => return None,
    }))
}

/// Parses a rotation function; only `rotate3d()` names its axis.
fn turning(name: &str, args: &mut [Cursor<'_>]) -> Option<TransformFunction> {
    let axis = match name {
        "rotate" | "rotatez" => OUTWARD,
        "rotatex" => ACROSS,
        "rotatey" => DOWN,
        "rotate3d" => {
            let numbers: Option<Vec<f32>> = args.iter_mut().take(3).map(Cursor::number).collect();
            <[f32; 3]>::try_from(numbers?).ok()?
        }
        _ => return None,
    };
    // The angle is the last argument of all rotation functions.
    let angle = args.last_mut()?.angle()?;
    Some(TransformFunction::Matrix(Space::turned(axis, angle)))
}

/// Parses a skewing function: each axis is sheared by the tangent of its angle.
fn skewing(name: &str, args: &mut [Cursor<'_>]) -> Option<TransformFunction> {
    let mut at = |index: usize| Some(args.get_mut(index)?.angle()?.to_radians().tan());
    let (x, y) = match name {
        "skew" => (at(0)?, at(1).unwrap_or(0.0)),
        "skewx" => (at(0)?, 0.0),
        "skewy" => (0.0, at(0)?),
        _ => return None,
    };
    Some(TransformFunction::Matrix(Space::flat([
        1.0, y, x, 1.0, 0.0, 0.0,
    ])))
}

/// Parses `matrix()` or `matrix3d()`, whose numbers are in column-major order.
fn matrix(name: &str, args: &mut [Cursor<'_>]) -> Option<TransformFunction> {
    let numbers: Option<Vec<f32>> = args.iter_mut().map(Cursor::number).collect();
    Some(TransformFunction::Matrix(match name {
        "matrix" => Space::flat(<[f32; 6]>::try_from(numbers?).ok()?),
        "matrix3d" => Space(<[f32; 16]>::try_from(numbers?).ok()?),
        _ => return None,
    }))
}
