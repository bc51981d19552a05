//! Shorthand properties, and their expansion to longhands, whose parsers parse the components of values.
//!
//! A shorthand sets all of its longhands; those that its value omits become initial (CSS Cascade 5, 3). Exceptions are
//! `flex` with other defaults, and `list-style: none`, which leaves the position unchanged. CSS-wide keywords apply to
//! each longhand.

use super::{
    geometry::border,
    longhand,
    property::{Apply, Compute, Declaration, mirrored, one, own, spread, wide},
    style::Border,
    tokens::{Token, closing, trimmed},
    value::Cursor,
};
use std::rc::Rc;

/// Parses a component of a shorthand, which may be a shorthand itself.
fn part(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    longhand::declare(name, cursor).or_else(|| declare(name, cursor))
}

/// Parses a value for each of these properties, as a CSS-wide keyword in a shorthand sets all of its longhands.
pub(super) fn all_of(names: &[&str], cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let all = names.iter().map(|name| part(name, cursor));
    all.collect::<Option<Vec<_>>>().map(|all| all.concat())
}

/// Splits a value into components: single tokens, or functions and blocks with their content. Components after the
/// eighth are dropped.
fn values<'t>(cursor: &Cursor<'t>) -> Vec<&'t [Token]> {
    let tokens = cursor.rest();
    let (mut values, mut at) = (Vec::new(), 0);
    while at < tokens.len() && values.len() < 8 {
        if tokens[at] == Token::Space {
            at += 1;
            continue;
        }
        let end = match tokens[at] {
            Token::Function(_) | Token::Open(_) => (closing(tokens, at) + 1).min(tokens.len()),
            _ => at + 1,
        };
        values.push(&tokens[at..end]);
        at = end;
    }
    values
}

/// Parses one to four values for four sides or corners, clockwise from the top or the top left.
fn four(names: [&str; 4], cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let mut all = Vec::new();
    for (name, value) in names.iter().zip(spread(&values(&cursor))?) {
        all.extend(part(name, Cursor::new(value))?);
    }
    Some(all)
}

/// Parses one or two values for two longhands, such as those of start and end.
fn two(names: [&str; 2], cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let values = values(&cursor);
    let (first, second) = match values.as_slice() {
        // A single value applies to both longhands.
        [one] => (*one, *one),
        [one, other] => (*one, *other),
        _ => return None,
    };
    Some(
        [
            part(names[0], Cursor::new(first))?,
            part(names[1], Cursor::new(second))?,
        ]
        .concat(),
    )
}

/// Parses a whole border for these sides, by index.
fn borders(sides: &[usize], cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let mut all = Vec::new();
    for side in sides {
        // `border` parses a copy of the cursor. `one` rejects remaining tokens, so the cursor is moved to the end.
        let read = |cursor: &mut Cursor<'_>| {
            let read = border(*cursor)?;
            *cursor = Cursor::new(&[]);
            Some(read)
        };
        all.extend(match side {
            0 => one(cursor, own!(border[0]), read),
            1 => one(cursor, own!(border[1]), read),
            2 => one(cursor, own!(border[2]), read),
            _ => one(cursor, own!(border[3]), read),
        }?);
    }
    Some(all)
}

/// Parses `border-radius` (CSS Backgrounds 3, 4.1): horizontal radii, and optionally vertical ones
/// after a slash.
fn corners(cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    const NAMES: [&str; 4] = [
        "border-top-left-radius",
        "border-top-right-radius",
        "border-bottom-right-radius",
        "border-bottom-left-radius",
    ];
    let tokens = cursor.rest();
    let Some(slash) = tokens.iter().position(|token| *token == Token::Delim('/')) else {
        return four(NAMES, cursor);
    };
    // Each side of the slash has one to four values; each corner gets one from either side.
    let four = |tokens| spread(&values(&Cursor::new(trimmed(tokens))));
    let (across, down) = (four(&tokens[..slash])?, four(&tokens[slash + 1..])?);
    let mut all = Vec::new();
    for ((name, across), down) in NAMES.iter().zip(across).zip(down) {
        let both = [across, &[Token::Space], down].concat();
        all.extend(part(name, Cursor::new(&both))?);
    }
    Some(all)
}

/// Parses `flex`; omitted components have other defaults than the longhands (CSS Flexbox 1, 7.1):
/// `flex: 2` means `2 1 0`, so that items share the whole space and not only the free one.
fn flex(cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let names = ["flex-grow", "flex-shrink", "flex-basis"];
    if wide(&cursor).is_some() {
        return all_of(&names, cursor);
    }
    // Tokens for the parsers of the longhands.
    let number = |number: f32| [Token::Number(number)];
    let auto = [Token::Ident("auto".into())];
    let zero = [Token::Percentage(0.0)];
    let (mut grow, mut shrink, mut basis): (Option<f32>, Option<f32>, Option<&[Token]>) =
        (None, None, None);
    for value in values(&cursor) {
        match value {
            [Token::Ident(word)] if word.eq_ignore_ascii_case("none") => {
                (grow, shrink, basis) = (Some(0.0), Some(0.0), Some(auto.as_slice()));
            }
            [Token::Ident(word)] if word.eq_ignore_ascii_case("auto") => {
                grow.get_or_insert(1.0);
                basis = Some(auto.as_slice());
            }
            // The first number is `flex-grow`, the second `flex-shrink`, and anything else `flex-basis`.
            [Token::Number(found)] if grow.is_none() => grow = Some(*found),
            [Token::Number(found)] if shrink.is_none() => shrink = Some(*found),
            value => basis = Some(value),
        }
    }
    let (grow, shrink) = (grow.unwrap_or(1.0), shrink.unwrap_or(1.0));
    Some(
        [
            part(names[0], Cursor::new(&number(grow)))?,
            part(names[1], Cursor::new(&number(shrink)))?,
            part(names[2], Cursor::new(basis.unwrap_or(zero.as_slice())))?,
        ]
        .concat(),
    )
}

/// Parses components in any order: each goes to the first property that accepts it and has none yet. Properties without
/// a component become initial.
fn any_order(names: &[&str], cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    if wide(&cursor).is_some() {
        return all_of(names, cursor);
    }
    let mut found: Vec<Option<Vec<Declaration>>> = names.iter().map(|_| None).collect();
    for value in values(&cursor) {
        let free = (0..names.len()).filter(|index| found[*index].is_none());
        let taken = free
            .into_iter()
            .find_map(|index| Some((index, part(names[index], Cursor::new(value))?)));
        let (index, declarations) = taken?;
        found[index] = Some(declarations);
    }
    let initial = [Token::Ident("initial".into())];
    let mut all = Vec::new();
    for (name, declarations) in names.iter().zip(found) {
        all.extend(match declarations {
            Some(declarations) => declarations,
            None => part(name, Cursor::new(&initial))?,
        });
    }
    Some(all)
}

/// Parses `list-style`. `none` sets the type and the image, or the one of them that no other component sets (CSS Lists
/// 3, 3.6).
fn list_style(cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let [position, image, kind] = ["list-style-position", "list-style-image", "list-style-type"];
    let is_none = |value: &&[Token]| matches!(value, [Token::Ident(word)] if word.eq_ignore_ascii_case("none"));
    let (nones, others): (Vec<_>, Vec<_>) = values(&cursor).into_iter().partition(is_none);
    if nones.is_empty() {
        return any_order(&[position, image, kind], cursor);
    }
    let takes = |name: &str, value: &[Token]| part(name, Cursor::new(value)).is_some();
    let has = |name: &str| {
        let mut rest = others.iter().filter(|value| !takes(position, value));
        rest.any(|value| takes(name, value))
    };
    let free: Vec<&str> = [image, kind]
        .into_iter()
        .filter(|name| !has(name))
        .collect();
    if nones.len() > free.len() {
        return None;
    }
    let others = others.join(&Token::Space);
    let mut all = any_order(&[position, image, kind], Cursor::new(&others))?;
    for name in free {
        all.extend(part(name, Cursor::new(nones[0]))?);
    }
    Some(all)
}

/// Parses `text-emphasis`: a style, which may be two words, and a colour before or after it.
fn emphasis(cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let [colour, style] = ["text-emphasis-color", "text-emphasis-style"];
    if wide(&cursor).is_some() {
        return any_order(&[colour, style], cursor);
    }
    let is_colour = |value: &&[Token]| part(colour, Cursor::new(value)).is_some();
    let (colours, styles): (Vec<_>, Vec<_>) = values(&cursor).into_iter().partition(is_colour);
    let or = |values: Vec<&[Token]>, initial: &str| match values.is_empty() {
        true => vec![Token::Ident(initial.into())],
        false => values.join(&Token::Space),
    };
    let mut all = part(colour, Cursor::new(&or(colours, "currentcolor")))?;
    all.extend(part(style, Cursor::new(&or(styles, "none")))?);
    Some(all)
}

/// Parses the declaration of a shorthand; `None` if it is unknown or invalid.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    mirrored(name, cursor, plain)
}

/// Parses a shorthand for horizontal left-to-right text.
fn plain(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        // Four sides.
        "margin" => four(
            ["margin-top", "margin-right", "margin-bottom", "margin-left"],
            cursor,
        ),
        "padding" => four(
            [
                "padding-top",
                "padding-right",
                "padding-bottom",
                "padding-left",
            ],
            cursor,
        ),
        "inset" => four(["top", "right", "bottom", "left"], cursor),
        // Two logical sides. Block sides are top and bottom here; `mirrored` handles other modes.
        "margin-inline" => two(["margin-inline-start", "margin-inline-end"], cursor),
        "margin-block" => two(["margin-top", "margin-bottom"], cursor),
        "padding-inline" => two(["padding-inline-start", "padding-inline-end"], cursor),
        "padding-block" => two(["padding-top", "padding-bottom"], cursor),
        "inset-inline" => two(["inset-inline-start", "inset-inline-end"], cursor),
        "inset-block" => two(["top", "bottom"], cursor),
        "border-radius" | "-webkit-border-radius" | "-moz-border-radius" => corners(cursor),
        // Other shorthands.
        "outline" => any_order(&["outline-style", "outline-width", "outline-color"], cursor),
        "column-rule" => one(cursor, own!(column_rule), |cursor| {
            let read: Compute<Border> = border(*cursor)?;
            *cursor = Cursor::new(&[]);
            Some(read)
        }),
        "overflow" => two(["overflow-x", "overflow-y"], cursor),
        "flex" | "-webkit-flex" => flex(cursor),
        "flex-flow" => any_order(&["flex-direction", "flex-wrap"], cursor),
        "columns" | "-webkit-columns" | "-moz-columns" => {
            any_order(&["column-width", "column-count"], cursor)
        }
        "gap" | "grid-gap" => two(["row-gap", "column-gap"], cursor),
        "list-style" => list_style(cursor),
        "text-emphasis" | "-webkit-text-emphasis" => emphasis(cursor),
        "all" => all(cursor),
        _ => border_sides(name, cursor),
    }
}

/// Parses a shorthand for the border of several sides, or for one component of it (CSS Backgrounds 3, 3.1 to 3.4).
fn border_sides(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        // One component of the border on all sides.
        "border-width" => four(
            [
                "border-top-width",
                "border-right-width",
                "border-bottom-width",
                "border-left-width",
            ],
            cursor,
        ),
        "border-style" => four(
            [
                "border-top-style",
                "border-right-style",
                "border-bottom-style",
                "border-left-style",
            ],
            cursor,
        ),
        "border-color" => four(
            [
                "border-top-color",
                "border-right-color",
                "border-bottom-color",
                "border-left-color",
            ],
            cursor,
        ),
        // One component of the border on two sides.
        "border-inline-width" => two(
            ["border-inline-start-width", "border-inline-end-width"],
            cursor,
        ),
        "border-inline-style" => two(
            ["border-inline-start-style", "border-inline-end-style"],
            cursor,
        ),
        "border-inline-color" => two(
            ["border-inline-start-color", "border-inline-end-color"],
            cursor,
        ),
        "border-block-width" => two(["border-top-width", "border-bottom-width"], cursor),
        "border-block-style" => two(["border-top-style", "border-bottom-style"], cursor),
        "border-block-color" => two(["border-top-color", "border-bottom-color"], cursor),
        // `border` also resets the border image (CSS Backgrounds 3, 3.4).
        "border" => {
            let mut all = borders(&[0, 1, 2, 3], cursor)?;
            let initial = [Token::Ident("initial".into())];
            all.extend(part("border-image", Cursor::new(&initial))?);
            Some(all)
        }
        // All components of the border on some sides.
        "border-top" | "border-block-start" => borders(&[0], cursor),
        "border-right" | "border-inline-end" => borders(&[1], cursor),
        "border-bottom" | "border-block-end" => borders(&[2], cursor),
        "border-left" | "border-inline-start" => borders(&[3], cursor),
        "border-block" => borders(&[0, 2], cursor),
        "border-inline" => borders(&[1, 3], cursor),
        _ => None,
    }
}

/// Parses `all`. It resets all properties in an early stage, so that declarations of later stages take precedence.
fn all(cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let reset = wide(&cursor)?;
    Some(vec![Declaration {
        stage: super::property::Stage::Font,
        important: false,
        measures: false,
        set: Rc::new(move |style, apply: &Apply<'_>| {
            let text = match reset {
                super::property::Wide::Initial => Rc::default(),
                _ => apply.parent.text.clone(),
            };
            *style = super::style::Style {
                text,
                ..Default::default()
            };
        }),
    }])
}
