//! Parsing of box properties: display, position, size, borders, columns, flexbox and more. Each
//! function parses one property; `declare` maps names to them. Combines no values.

mod content;

use super::{
    colour::{Paint, colour},
    property::{
        Compute, Declaration, inherited, length, now, number, one, own, positive, px_of,
        unless_none, word,
    },
    shapes::{self, point},
    style::{BOTTOM, Border, Display, LEFT, RIGHT, Shadow, Size, TOP, Word},
    tokens::Token,
    value::{Cursor, Length, Specified},
};
use std::rc::Rc;

/// Parses a size: `auto`, a length, or a keyword for a size by content. Negative lengths are valid
/// only if `negative` is set.
pub(super) fn size(cursor: &mut Cursor<'_>, negative: bool) -> Option<Compute<Size>> {
    if let Some(word) = cursor.attempt(|cursor| cursor.word()) {
        return now(match word.as_str() {
            "auto" | "none" | "content" => Size::Auto,
            "min-content" | "-webkit-min-content" => Size::MinContent,
            "max-content" | "-webkit-max-content" => Size::MaxContent,
            "fit-content" | "-webkit-fit-content" => Size::FitContent,
            // `stretch` is approximated by 100 % of the containing block, without subtracting margins.
            "stretch" | "-webkit-fill-available" => Size::Length(Length::percent(100.0)),
            _ => return None,
        });
    }
    let length = cursor.length(false)?;
    if !negative && length.is_negative() {
        return None;
    }
    Some(Box::new(move |apply| {
        Size::Length(length.computed(&apply.context))
    }))
}

/// Parses a colour.
pub(super) fn paint(cursor: &mut Cursor<'_>) -> Option<Compute<Paint>> {
    now(colour(cursor)?)
}

/// Parses the thickness of a border or outline. Keywords have the widths of browsers, in px; the
/// specification leaves them open (CSS Backgrounds 3, 3.3).
pub(super) fn thickness(cursor: &mut Cursor<'_>) -> Option<Compute<f32>> {
    if let Some(word) = cursor.attempt(|cursor| cursor.word()) {
        return now(match word.as_str() {
            "thin" => 1.0,
            "medium" => 3.0,
            "thick" => 5.0,
            _ => return None,
        });
    }
    let length = cursor.length(false)?;
    (!length.is_negative() && !length.has_percentage()).then(|| px_of(length))
}

/// Parses a value that may be `auto`, `normal` or `none`, all of which become `None`.
fn optional<T: Clone + 'static>(
    cursor: &mut Cursor<'_>,
    read: impl FnOnce(&mut Cursor<'_>) -> Option<Compute<T>>,
) -> Option<Compute<Option<T>>> {
    if cursor.is_word("auto") || cursor.is_word("normal") {
        return now(None);
    }
    unless_none(cursor, read)
}

/// Parses an integer.
fn integer(cursor: &mut Cursor<'_>) -> Option<Compute<i32>> {
    now(cursor.integer()?)
}

/// Parses `display`, in one or two keywords: the outer and the inner display type (CSS Display 3,
/// 2). The legacy keywords are one word, the values of [`Display`].
fn display(cursor: &mut Cursor<'_>) -> Option<Compute<Display>> {
    let mut words = Vec::new();
    while let Some(word) = cursor.word() {
        words.push(word);
    }
    let joined = words.join(" ");
    now(match joined.as_str() {
        "block flow" => Display::Block,
        "block flow-root" => Display::FlowRoot,
        "inline flow-root" => Display::InlineBlock,
        // Prefixed boxes are the flex containers of old browsers.
        "block flex" | "-webkit-box" | "-webkit-flex" => Display::Flex,
        "inline flex" | "-webkit-inline-box" => Display::InlineFlex,
        "block grid" => Display::Grid,
        "inline grid" => Display::InlineGrid,
        "inline flow" | "run-in" | "ruby" => Display::Inline,
        one => Display::of(one)?,
    })
}

/// Parses the horizontal and vertical radius of one corner; a missing vertical one is equal to the
/// horizontal one (CSS Backgrounds 3, 4.1).
fn radius(cursor: &mut Cursor<'_>) -> Option<Compute<(Length, Length)>> {
    let across = positive(cursor)?;
    let down = positive(cursor);
    Some(Box::new(move |apply| {
        let x = across(apply);
        let y = down.as_ref().map_or_else(|| x.clone(), |down| down(apply));
        (x, y)
    }))
}

/// Parses a list of shadows (CSS Backgrounds 3, 6.1): two to four lengths, a colour and `inset`. The lengths are the
/// horizontal and vertical offset, the blur radius and the spread distance.
pub(super) fn shadows(cursor: &mut Cursor<'_>) -> Option<Compute<Rc<[Shadow]>>> {
    if cursor.is_word("none") {
        return now(Rc::from([]));
    }
    // Parts of each shadow in any order; `currentcolor` is the default colour.
    let mut all: Vec<(Vec<Specified>, Paint, bool)> = Vec::new();
    for mut part in cursor.parts() {
        let (mut lengths, mut paint, mut inset) = (Vec::new(), Paint::Current, false);
        while !part.is_done() {
            if part.is_word("inset") {
                inset = true;
            } else if let Some(length) = part.length(false) {
                lengths.push(length);
            } else {
                paint = colour(&mut part)?;
            }
        }
        if !(2..=4).contains(&lengths.len()) {
            return None;
        }
        all.push((lengths, paint, inset));
    }
    *cursor = Cursor::new(&[]);
    Some(Box::new(move |apply| {
        let shadow = |(lengths, colour, inset): &(Vec<Specified>, Paint, bool)| {
            let at = |index: usize| {
                lengths
                    .get(index)
                    .map_or(0.0, |length| length.computed(&apply.context).of(0.0))
            };
            Shadow {
                x: at(0),
                y: at(1),
                blur: at(2).max(0.0),
                spread: at(3),
                colour: *colour,
                inset: *inset,
            }
        };
        all.iter().map(shadow).collect()
    }))
}

/// Parses `aspect-ratio` as width ÷ height (CSS Sizing 4). `auto` beside a ratio, which prefers the
/// natural ratio of a replaced element, is ignored.
fn ratio(cursor: &mut Cursor<'_>) -> Option<Compute<Option<f32>>> {
    let auto = cursor.is_word("auto");
    if auto && cursor.is_done() {
        return now(None);
    }
    let width = cursor.number()?;
    let height = if cursor.is_delim('/') {
        cursor.number()?
    } else {
        1.0
    };
    cursor.is_word("auto");
    // A ratio with a zero is degenerate and behaves as `auto`.
    let ratio = width / height;
    now(Some(ratio).filter(|ratio| ratio.is_finite() && *ratio > 0.0))
}

/// Index of a side, by the end of a property name. Logical sides are those of horizontal
/// left-to-right text; `mirrored` handles others.
fn side(name: &str) -> Option<usize> {
    Some(match name {
        "top" | "block-start" => TOP,
        "right" | "inline-end" => RIGHT,
        "bottom" | "block-end" => BOTTOM,
        "left" | "inline-start" => LEFT,
        _ => return None,
    })
}

/// Declares the element of an array field for a side. Expands to one arm per side, because a lens needs the index as a
/// literal.
macro_rules! sides {
    ($side:expr, $cursor:expr, $field:ident $(. $part:ident)?, $read:expr) => {
        match $side {
            TOP => one($cursor, own!($field[0]$(. $part)?), $read),
            RIGHT => one($cursor, own!($field[1]$(. $part)?), $read),
            BOTTOM => one($cursor, own!($field[2]$(. $part)?), $read),
            _ => one($cursor, own!($field[3]$(. $part)?), $read),
        }
    };
}

/// Parses a property of one side: inset, margin, padding or border. The names are tried in turn,
/// from the plain side (`top`) to `border-top-width`.
fn sided(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    if let Some(side) = side(name) {
        return sides!(side, cursor, inset, |cursor| size(cursor, true));
    }
    if let Some(side) = name.strip_prefix("margin-").and_then(side) {
        return sides!(side, cursor, margin, |cursor| size(cursor, true));
    }
    if let Some(side) = name.strip_prefix("padding-").and_then(side) {
        return sides!(side, cursor, padding, positive);
    }
    if let Some(side) = name.strip_prefix("inset-").and_then(side) {
        return sides!(side, cursor, inset, |cursor| size(cursor, true));
    }
    // `border-top-width` has the side `top` and the part `width`.
    let (name, part) = name.strip_prefix("border-")?.rsplit_once('-')?;
    let side = side(name)?;
    match part {
        "width" => sides!(side, cursor, border.thickness, thickness),
        "style" => sides!(side, cursor, border.style, word),
        "color" => sides!(side, cursor, border.colour, paint),
        _ => None,
    }
}

/// Parses the declaration of a box property; `None` if it is unknown or invalid.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let plain = |cursor: &mut Cursor<'_>| size(cursor, false);
    match name {
        "display" => one(cursor, own!(display), display),
        "position" => {
            if matches!(cursor.peek(), Some(Token::Ident(word)) if &**word == "-webkit-sticky") {
                return None;
            }
            one(cursor, own!(position), word)
        }
        "float" => one(cursor, own!(float), |cursor| {
            if cursor.is_word("inline-start") {
                return now(super::style::Float::Left);
            }
            if cursor.is_word("inline-end") {
                return now(super::style::Float::Right);
            }
            word(cursor)
        }),
        "clear" => one(cursor, own!(clear), word),
        // Sizes. Logical sizes are those of horizontal text here; `mirrored` handles others.
        "box-sizing" | "-webkit-box-sizing" | "-moz-box-sizing" => one(cursor, own!(sizing), word),
        "width" | "inline-size" => one(cursor, own!(width), plain),
        "height" | "block-size" => one(cursor, own!(height), plain),
        "min-width" | "min-inline-size" => one(cursor, own!(min_width), plain),
        "min-height" | "min-block-size" => one(cursor, own!(min_height), plain),
        "max-width" | "max-inline-size" => one(cursor, own!(max_width), plain),
        "max-height" | "max-block-size" => one(cursor, own!(max_height), plain),
        // The two axes are not distinguished: on paper it only matters whether content is clipped.
        "overflow-x" | "overflow-y" => one(cursor, own!(overflow), word),
        "opacity" => one(cursor, own!(opacity), |cursor| {
            now(cursor.part()?.clamp(0.0, 1.0))
        }),
        "z-index" => one(cursor, own!(z_index), |cursor| optional(cursor, integer)),
        "table-layout" => one(cursor, own!(table_layout), word),
        // Form controls.
        "appearance" | "-webkit-appearance" => one(cursor, own!(native), |cursor| {
            now(cursor.word()?.as_str() != "none")
        }),
        "accent-color" => one(cursor, inherited!(accent), |cursor| {
            optional(cursor, |cursor| now(colour(cursor)?))
        }),
        "text-overflow" => one(cursor, own!(text_overflow), word),
        "box-shadow" | "-webkit-box-shadow" => one(cursor, own!(shadows), shadows),
        // Clipping and replaced content.
        "clip" => one(cursor, own!(clip), shapes::rect),
        "-webkit-text-fill-color" => {
            one(cursor, own!(text_fill), |cursor| now(Some(colour(cursor)?)))
        }
        "object-position" => one(cursor, own!(object_position), point),
        // Any other clip path, such as `url()`, clips nothing, and a note reports it.
        "clip-path" | "-webkit-clip-path" => {
            if let Some(all) = shapes::clip_path(cursor) {
                return Some(all);
            }
            one(cursor, own!(unsupported[5]), |cursor| {
                *cursor = Cursor::new(&[]);
                now(true)
            })
        }
        "object-fit" => one(cursor, own!(object_fit), word),
        "aspect-ratio" => one(cursor, own!(aspect_ratio), ratio),
        // Flexible boxes. Alignment is parsed in `grids`.
        "flex-direction" | "-webkit-flex-direction" => one(cursor, own!(flex_direction), word),
        "flex-wrap" | "-webkit-flex-wrap" => one(cursor, own!(flex_wrap), word),
        "flex-grow" => one(cursor, own!(flex_grow), number),
        "flex-shrink" => one(cursor, own!(flex_shrink), number),
        "flex-basis" => one(cursor, own!(flex_basis), plain),
        "order" => one(cursor, own!(order), integer),
        // Corners, clockwise from the top left.
        "border-top-left-radius" | "border-start-start-radius" => {
            one(cursor, own!(radius[0]), radius)
        }
        "border-top-right-radius" | "border-start-end-radius" => {
            one(cursor, own!(radius[1]), radius)
        }
        "border-bottom-right-radius" | "border-end-end-radius" => {
            one(cursor, own!(radius[2]), radius)
        }
        "border-bottom-left-radius" | "border-end-start-radius" => {
            one(cursor, own!(radius[3]), radius)
        }
        "visibility" => one(cursor, inherited!(visibility), word),
        // Effects that would change the picture are marked, so that a note can report them.
        "filter" => one(cursor, own!(unsupported[0]), effect),
        "backdrop-filter" => one(cursor, own!(unsupported[1]), effect),
        "mask" | "mask-image" => one(cursor, own!(unsupported[2]), effect),
        "mix-blend-mode" => one(cursor, own!(unsupported[3]), effect),
        "shape-outside" => one(cursor, own!(unsupported[4]), effect),
        _ => content::declare(name, cursor)
            .or_else(|| outlines(name, cursor))
            .or_else(|| fragmentation(name, cursor))
            .or_else(|| columns(name, cursor))
            .or_else(|| sided(name, cursor)),
    }
}

/// Parses the declaration of a property of outlines (CSS Basic User Interface 4, 3).
fn outlines(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        "outline-width" => one(cursor, own!(outline.thickness), thickness),
        "outline-style" => one(cursor, own!(outline.style), |cursor| {
            if cursor.is_word("auto") {
                return now(super::style::LineStyle::Solid);
            }
            word(cursor)
        }),
        "outline-color" => one(cursor, own!(outline.colour), paint),
        "outline-offset" => one(cursor, own!(outline_offset), super::property::px),
        _ => None,
    }
}

/// Parses the declaration of a property of breaks and named pages (CSS Fragmentation 3; CSS Paged Media 3).
fn fragmentation(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        // The old names of CSS 2 and of columns are aliases (CSS Fragmentation 3, 3.4).
        "break-before" | "page-break-before" | "-webkit-column-break-before" => {
            one(cursor, own!(break_before), word)
        }
        "break-after" | "page-break-after" | "-webkit-column-break-after" => {
            one(cursor, own!(break_after), word)
        }
        "break-inside" | "page-break-inside" | "-webkit-column-break-inside" => {
            one(cursor, own!(break_inside), word)
        }
        "page" => one(cursor, own!(page), |cursor| {
            if cursor.is_word("auto") {
                return now(None);
            }
            match cursor.next()? {
                Token::Ident(name) => now(Some(name.clone())),
                _ => None,
            }
        }),
        _ => None,
    }
}

/// Parses the declaration of a property of columns and gaps (CSS Multi-column Layout 1; CSS Box Alignment 3, 8).
fn columns(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        // `auto` is `None`; the other property then determines the columns.
        "column-count" | "-webkit-column-count" | "-moz-column-count" => {
            one(cursor, own!(column_count), |cursor| {
                optional(cursor, |cursor| {
                    let count = cursor.integer().filter(|count| *count > 0)?;
                    now(count.min(1000) as u16)
                })
            })
        }
        "column-width" | "-webkit-column-width" | "-moz-column-width" => {
            one(cursor, own!(column_width), |cursor| {
                optional(cursor, super::property::px)
            })
        }
        "column-rule-width" => one(cursor, own!(column_rule.thickness), thickness),
        "column-rule-style" => one(cursor, own!(column_rule.style), word),
        "column-rule-color" => one(cursor, own!(column_rule.colour), paint),
        "column-fill" => one(cursor, own!(column_fill_auto), |cursor| {
            let auto = cursor.is_word("auto");
            (auto || cursor.is_word("balance") || cursor.is_word("balance-all"))
                .then(|| now(auto))?
        }),
        "column-span" => one(cursor, own!(column_span), |cursor| {
            let all = cursor.is_word("all");
            (all || cursor.is_word("none")).then(|| now(all))?
        }),
        "row-gap" | "grid-row-gap" => one(cursor, own!(row_gap), |cursor| optional(cursor, length)),
        "column-gap" | "grid-column-gap" | "-webkit-column-gap" | "-moz-column-gap" => {
            one(cursor, own!(column_gap), |cursor| optional(cursor, length))
        }
        _ => None,
    }
}

/// Parses a property whose effect is not supported: whether it has an effect.
fn effect(cursor: &mut Cursor<'_>) -> Option<Compute<bool>> {
    let is_none = ["none", "normal"].iter().any(|word| cursor.is_word(word));
    *cursor = Cursor::new(&[]);
    now(!is_none)
}

/// Parses the three parts of a border in any order (CSS Backgrounds 3, 3.4). Missing ones become
/// initial: `medium`, which is 3 px, no style, and the colour of text.
pub(super) fn border(mut cursor: Cursor<'_>) -> Option<Compute<Border>> {
    // Each part goes to the first component that accepts it and is still free.
    let (mut width, mut style, mut colour_of) = (None, None, None);
    if cursor.is_done() {
        return None;
    }
    while !cursor.is_done() {
        if style.is_none()
            && let Some(found) =
                cursor.attempt(|cursor| super::style::LineStyle::of(&cursor.word()?))
        {
            style = Some(found);
        } else if width.is_none()
            && let Some(found) = cursor.attempt(thickness)
        {
            width = Some(found);
        } else if colour_of.is_none() {
            colour_of = Some(colour(&mut cursor)?);
        } else {
            return None;
        }
    }
    Some(Box::new(move |apply| Border {
        thickness: width.as_ref().map_or(3.0, |width| width(apply)),
        style: style.unwrap_or_default(),
        colour: colour_of.unwrap_or(Paint::Current),
    }))
}
