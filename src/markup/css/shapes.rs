//! Basic shapes for clipping (CSS Shapes 1, 3), and positions. Draws nothing.

use super::{
    property::{Apply, Compute, Declaration, Wide, changing, now, one, own, spread, wide},
    style::Extent,
    tokens::{Token, trimmed},
    value::{Cursor, Length, Specified},
};
use std::rc::Rc;

/// Limit on the vertices of a polygon.
const MAX_CORNERS: usize = 1000;

/// Shape that a box is clipped to. Lengths refer to its [`ShapeBox`].
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Circle or ellipse.
    Round {
        circle: bool,
        extent: Extent,
        at: (Length, Length),
    },
    /// Inset rectangle with one corner radius.
    Inset {
        sides: [Length; 4],
        radius: Length,
    },
    Polygon(Vec<(Length, Length)>),
}

/// Reference box of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShapeBox {
    Margin,
    #[default]
    Border,
    Padding,
    Content,
}

/// Parses `clip-path` (CSS Masking 1, 5.1): a shape, a reference box, or both. A box alone clips to
/// itself.
pub(super) fn clip_path(cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let named = |token: &Token| {
        let Token::Ident(word) = token else {
            return None;
        };
        Some(match word.to_ascii_lowercase().as_str() {
            "margin-box" => ShapeBox::Margin,
            "border-box" | "stroke-box" | "view-box" => ShapeBox::Border,
            "padding-box" => ShapeBox::Padding,
            "content-box" | "fill-box" => ShapeBox::Content,
            _ => return None,
        })
    };
    // The reference box is before or after the shape.
    let tokens = cursor.rest();
    let (within, rest) = match tokens {
        [first, rest @ ..] if named(first).is_some() => (named(first), rest),
        [rest @ .., last] if named(last).is_some() => (named(last), rest),
        _ => (None, tokens),
    };
    // The box alone is a rectangle without insets.
    let rest = Cursor::new(trimmed(rest));
    let mut all = match rest.is_done() && within.is_some() {
        true => changing(|style, _| {
            style.clip_path = Some(Rc::new(Shape::Inset {
                sides: std::array::from_fn(|_| Length::ZERO),
                radius: Length::ZERO,
            }));
        }),
        false => one(rest, own!(clip_path), shape)?,
    };
    // The reference box is part of the value, and is inherited with it.
    if wide(&cursor) == Some(Wide::Inherit) {
        all.extend(changing(|style, apply| {
            style.clip_box = apply.parent.clip_box
        }));
        return Some(all);
    }
    let within = within.unwrap_or_default();
    all.extend(changing(move |style, _| style.clip_box = within));
    Some(all)
}

/// Parses a shape (CSS Shapes 1, 3.1). References to SVG (`url()`) are not supported.
pub(super) fn shape(cursor: &mut Cursor<'_>) -> Option<Compute<Option<Rc<Shape>>>> {
    if cursor.is_word("none") {
        return now(None);
    }
    let (name, inside) = cursor.function()?;
    let made: Compute<Shape> = match name {
        "circle" => round(inside, true)?,
        "ellipse" => round(inside, false)?,
        "inset" => inset(inside)?,
        "polygon" => polygon(inside)?,
        _ => return None,
    };
    Some(Box::new(move |apply| Some(Rc::new(made(apply)))))
}

/// Parses the size of a circle or ellipse: keywords, or one or two lengths.
pub(super) fn extent(cursor: &mut Cursor<'_>) -> Option<Compute<Extent>> {
    if let Some(word) = cursor.attempt(|cursor| {
        let word = cursor.word()?;
        Some(match word.as_str() {
            "closest-side" => Extent::ClosestSide,
            "closest-corner" => Extent::ClosestCorner,
            "farthest-side" => Extent::FarthestSide,
            "farthest-corner" => Extent::FarthestCorner,
            _ => return None,
        })
    }) {
        return now(word);
    }
    let across = cursor.length(false)?;
    let down = cursor.length(false);
    Some(Box::new(move |apply| {
        let of = |length: &Specified| length.computed(&apply.context);
        Extent::Lengths(of(&across), down.as_ref().map(of))
    }))
}

/// Parses `clip` (CSS Masking 1, 7), in which all edges are offsets from the top left corner.
pub(super) fn rect(cursor: &mut Cursor<'_>) -> Option<Compute<Option<Rc<Shape>>>> {
    if cursor.is_word("auto") {
        return now(None);
    }
    let ("rect", mut inside) = cursor.function()? else {
        return None;
    };
    let mut edges = Vec::new();
    // Commas are all there or all omitted.
    let mut commas = 0;
    // Defaults of `auto`: the edges of the border box.
    for far in [0.0, 100.0, 100.0, 0.0] {
        edges.push(match inside.is_word("auto") {
            true => Specified::percent(far),
            false => inside.length(false)?,
        });
        commas += usize::from(inside.is_comma());
    }
    if !matches!(commas, 0 | 3) {
        return None;
    }
    if !inside.is_done() {
        return None;
    }
    Some(Box::new(move |apply| {
        let edge = |index: usize| edges[index].computed(&apply.context);
        let (top, right, bottom, left) = (edge(0), edge(1), edge(2), edge(3));
        Some(Rc::new(Shape::Polygon(vec![
            (left.clone(), top.clone()),
            (right.clone(), top),
            (right, bottom.clone()),
            (left, bottom),
        ])))
    }))
}

/// Centre of a box.
pub(super) fn centre() -> (Length, Length) {
    (Length::percent(50.0), Length::percent(50.0))
}

/// Parses the arguments of `circle()` or `ellipse()`: a size, and a centre after `at`.
fn round(mut inside: Cursor<'_>, circle: bool) -> Option<Compute<Shape>> {
    let size = inside.attempt(extent);
    let at = match inside.is_word("at") {
        true => Some(point(&mut inside)?),
        false => None,
    };
    // Without a size, the shape extends to the closest side; without a centre, it is in the middle.
    inside.is_done().then(|| -> Compute<Shape> {
        Box::new(move |apply| Shape::Round {
            circle,
            extent: size
                .as_ref()
                .map_or(Extent::ClosestSide, |size| size(apply)),
            at: at.as_ref().map_or_else(centre, |at| at(apply)),
        })
    })
}

/// Parses the arguments of `inset()`: one to four offsets from the edges, as in `margin`.
fn inset(mut inside: Cursor<'_>) -> Option<Compute<Shape>> {
    let mut lengths = Vec::new();
    while lengths.len() < 4
        && let Some(length) = inside.length(false)
    {
        lengths.push(length);
    }
    let sides = spread(&lengths)?;
    // Only a single radius for all corners is supported.
    let radius = match inside.is_word("round") {
        true => Some(inside.length(false)?),
        false => None,
    };
    Some(Box::new(move |apply| {
        let of = |length: &Specified| length.computed(&apply.context);
        Shape::Inset {
            sides: sides.each_ref().map(of),
            radius: radius.as_ref().map_or(Length::ZERO, of),
        }
    }))
}

/// Parses the arguments of `polygon()`; the fill rule is ignored.
fn polygon(inside: Cursor<'_>) -> Option<Compute<Shape>> {
    let mut corners = Vec::new();
    // A keyword in front is the fill rule.
    for (number, mut part) in inside.parts().into_iter().take(MAX_CORNERS).enumerate() {
        if number == 0 && matches!(part.peek(), Some(Token::Ident(_))) {
            part.word();
            continue;
        }
        corners.push((part.length(false)?, part.length(false)?));
    }
    Some(Box::new(move |apply: &Apply<'_>| {
        let corners = corners
            .iter()
            .map(|(x, y)| (x.computed(&apply.context), y.computed(&apply.context)));
        Shape::Polygon(corners.collect())
    }))
}

/// Parses a position (CSS Values 4, 8.3): one to four keywords and lengths, horizontal before
/// vertical.
///
/// With three or four values, a keyword names an edge, and the length after it is the offset from there. With one or
/// two, lengths and `center` are for the axis that no keyword names.
pub(super) fn point(cursor: &mut Cursor<'_>) -> Option<Compute<(Length, Length)>> {
    // Results by axis: horizontal, vertical.
    let mut sides: [Option<Specified>; 2] = [None, None];
    // Edges that keywords name: the axis, and whether it is the right or bottom edge.
    let mut edges: Vec<(usize, bool)> = Vec::new();
    // Values without an axis of their own.
    let mut free: Vec<Specified> = Vec::new();
    let mut last_edge: Option<(usize, bool)> = None;
    for _ in 0..4 {
        if let Some(word) = cursor.attempt(|cursor| {
            let word = cursor.word()?;
            matches!(
                word.as_str(),
                "left" | "right" | "top" | "bottom" | "center"
            )
            .then_some(word)
        }) {
            let edge = match word.as_str() {
                "left" => Some((0, false)),
                "right" => Some((0, true)),
                "top" => Some((1, false)),
                "bottom" => Some((1, true)),
                _ => None,
            };
            last_edge = edge;
            match edge {
                Some(edge) => edges.push(edge),
                None => free.push(Specified::percent(50.0)),
            }
        } else if let Some(length) = cursor.length(false) {
            match last_edge.take() {
                // An offset from the preceding edge, if both axes have an edge or another keyword follows.
                Some((axis, far))
                    if edges.len() >= 2
                        || cursor.peek().is_some_and(|t| matches!(t, Token::Ident(_))) =>
                {
                    sides[axis] = Some(if far {
                        length.counted_from_end()
                    } else {
                        length
                    });
                }
                _ => free.push(length),
            }
        } else {
            break;
        }
    }
    if edges.is_empty() && free.is_empty() {
        return None;
    }
    // A keyword without an offset is the edge itself.
    for (axis, far) in &edges {
        if sides[*axis].is_none() {
            sides[*axis] = Some(Specified::percent(if *far { 100.0 } else { 0.0 }));
        }
    }
    // The remaining values fill the axes that are still free, horizontal first.
    for value in free {
        let axis = usize::from(sides[0].is_some());
        sides[axis].get_or_insert(value);
    }
    let [x, y] = sides.map(|side| side.unwrap_or(Specified::percent(50.0)));
    Some(Box::new(move |apply| {
        (x.computed(&apply.context), y.computed(&apply.context))
    }))
}
