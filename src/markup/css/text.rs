//! Parsing of text properties other than fonts. `declare` maps the names of properties to the functions that parse
//! their values.

use super::{
    background::image_or_none,
    colour::{Paint, colour},
    counter_style::CounterStyle,
    geometry::{shadows, thickness},
    property::{
        Compute, Declaration, Stage, changing, inherited, length, now, number, one, own, px, word,
    },
    style::{
        Decoration, LineStyle, ListStyle, Quotes, TextAlign, VerticalAlign, WhiteSpace, Word,
        WordBreak,
    },
    tokens::Token,
    value::Cursor,
};
use convertd_tree::EmphasisShape;
use std::rc::Rc;

/// Parses `vertical-align` (CSS 2.2, 10.8.1). Percentages stay, because they refer to the line
/// height, which is computed later.
fn vertical_align(cursor: &mut Cursor<'_>) -> Option<Compute<VerticalAlign>> {
    if let Some(word) = cursor.attempt(|cursor| cursor.word()) {
        return now(match word.as_str() {
            "baseline" | "-webkit-baseline-middle" => VerticalAlign::Baseline,
            "sub" => VerticalAlign::Sub,
            "super" => VerticalAlign::Super,
            "top" => VerticalAlign::Top,
            "middle" => VerticalAlign::Middle,
            "bottom" => VerticalAlign::Bottom,
            "text-top" => VerticalAlign::TextTop,
            "text-bottom" => VerticalAlign::TextBottom,
            _ => return None,
        });
    }
    let length = length(cursor)?;
    Some(Box::new(move |apply| VerticalAlign::Length(length(apply))))
}

/// Parses letter or word spacing, in px.
fn spacing(cursor: &mut Cursor<'_>) -> Option<Compute<f32>> {
    if cursor.is_word("normal") {
        return now(0.0);
    }
    px(cursor)
}

/// Parses `list-style-type` (CSS Lists 3): a string, `symbols()`, or the name of a counter
/// style, which need not be defined yet.
fn list_style(cursor: &mut Cursor<'_>) -> Option<Compute<ListStyle>> {
    if let Some(("symbols", inside)) = cursor.attempt(Cursor::function) {
        return now(ListStyle::Own(Rc::new(CounterStyle::of_symbols(inside)?)));
    }
    match cursor.next()? {
        Token::Text(text) => now(ListStyle::Text(text.clone())),
        Token::Ident(word) if word.eq_ignore_ascii_case("none") => now(ListStyle::None),
        Token::Ident(word) => now(ListStyle::Named(word.to_ascii_lowercase().into())),
        _ => None,
    }
}

/// Parses `quotes`: pairs of strings, by level of nesting. `auto` uses those of the language.
fn quotes(cursor: &mut Cursor<'_>) -> Option<Compute<Quotes>> {
    if cursor.is_word("auto") {
        return now(None);
    }
    if cursor.is_word("none") {
        return now(Some(Rc::from([])));
    }
    let mut pairs = Vec::new();
    // Each opening string needs a closing one; otherwise the value is invalid.
    while let (Some(Token::Text(open)), Some(Token::Text(close))) = (cursor.next(), cursor.next()) {
        pairs.push((open.clone(), close.clone()));
        if cursor.is_done() {
            return now(Some(pairs.into()));
        }
    }
    None
}

/// Parses `text-decoration-line`: whether there is an underline, overline and line-through.
pub(super) fn lines(cursor: &mut Cursor<'_>) -> Option<(bool, bool, bool)> {
    if cursor.is_word("none") {
        return Some((false, false, false));
    }
    let (mut under, mut over, mut through) = (false, false, false);
    // Lines may be named in any order; without any line, the value is invalid.
    let mut any = false;
    loop {
        match () {
            () if cursor.is_word("underline") => under = true,
            () if cursor.is_word("overline") => over = true,
            () if cursor.is_word("line-through") => through = true,
            () if cursor.is_word("blink") => {}
            () => return any.then_some((under, over, through)),
        }
        any = true;
    }
}

/// Parses the thickness of a text decoration; percentages refer to the font size.
fn thick_line(cursor: &mut Cursor<'_>) -> Option<Compute<f32>> {
    if let Some(width) = cursor.attempt(thickness) {
        return Some(width);
    }
    let length = length(cursor)?;
    Some(Box::new(move |apply| length(apply).of(apply.context.em)))
}

/// Parses `text-decoration` with its components in any order (CSS Text Decoration 4): lines, style,
/// thickness and colour.
fn decoration(cursor: &mut Cursor<'_>) -> Option<Compute<(Decoration, Option<Paint>)>> {
    // The colour is kept apart: the element's own `color` is not known yet.
    let mut all = Decoration::NONE;
    let (mut paint, mut thick) = (None, None);
    while !cursor.is_done() {
        if let Some((under, over, through)) = lines(cursor) {
            (all.under, all.over, all.through) = (under, over, through);
        } else if cursor.is_word("wavy") {
            all.wavy = true;
        } else if let Some(style) = cursor.attempt(|cursor| LineStyle::of(&cursor.word()?)) {
            all.style = style;
        } else if cursor.is_word("auto") || cursor.is_word("from-font") {
            thick = None;
        } else if let Some(found) = cursor.attempt(thick_line) {
            thick = Some(found);
        } else {
            paint = Some(colour(cursor)?);
        }
    }
    Some(Box::new(move |apply| {
        let mut all = all;
        all.thickness = thick.as_ref().map(|thick| thick(apply));
        (all, paint)
    }))
}

/// Parses `text-wrap` (CSS Text 4, 6): whether lines wrap, combined with how `white-space` treats
/// spaces. Balancing of lines is ignored.
fn wrapping(mut cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let wraps = match cursor.word()?.as_str() {
        "nowrap" => false,
        "wrap" | "auto" | "balance" | "stable" | "pretty" | "initial" => true,
        _ => return None,
    };
    Some(changing(move |style, _| {
        let text = Rc::make_mut(&mut style.text);
        // `white-space` combines the collapsing of spaces and the wrapping of lines. Only the wrapping changes, as far
        // as there is such a combination: `pre-line` without wrapping would need one, and loses its line breaks.
        text.white_space = match (text.white_space, wraps) {
            (WhiteSpace::Normal | WhiteSpace::PreLine, false) => WhiteSpace::Nowrap,
            (WhiteSpace::PreWrap | WhiteSpace::BreakSpaces, false) => WhiteSpace::Pre,
            (WhiteSpace::Nowrap, true) => WhiteSpace::Normal,
            (WhiteSpace::Pre, true) => WhiteSpace::PreWrap,
            (known, _) => known,
        };
    }))
}

/// Parses `line-break`. `anywhere` acts like `word-break: break-all`. The other values concern East Asian punctuation,
/// and have no effect.
fn anywhere(mut cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let word = cursor.word()?;
    if !["auto", "loose", "normal", "strict", "anywhere"].contains(&word.as_str()) {
        return None;
    }
    let anywhere = word == "anywhere";
    Some(changing(move |style, _| {
        if anywhere {
            Rc::make_mut(&mut style.text).word_break = WordBreak::BreakAll;
        }
    }))
}

/// Parses `orphans` or `widows` (CSS Fragmentation 3, 3.3), in lines. More than 1000 lines count as 1000.
fn count(cursor: &mut Cursor<'_>) -> Option<Compute<u16>> {
    let count = cursor.integer().filter(|count| *count > 0)?;
    now(count.min(1000) as u16)
}

/// Parses `text-emphasis-style` (CSS Text Decoration 3, 3.1). The document tree has four shapes: any other filled shape
/// becomes a disc; any other open shape, and each double circle, a circle. A string becomes the shape that looks most
/// like its first character, or a dot.
pub(super) fn emphasis(cursor: &mut Cursor<'_>) -> Option<Option<EmphasisShape>> {
    if cursor.is_word("none") {
        return Some(None);
    }
    if let Some(Token::Text(text)) = cursor.peek().cloned() {
        cursor.next();
        return Some(Some(match text.chars().next()? {
            '\u{25cf}' | '\u{2022}' | '\u{25b2}' => EmphasisShape::Disc,
            '\u{25e6}' | '\u{25cb}' | '\u{25ce}' | '\u{25b3}' => EmphasisShape::Circle,
            '\u{fe45}' | '\u{fe46}' | '\u{3001}' => EmphasisShape::Comma,
            _ => EmphasisShape::Dot,
        }));
    }
    let fill = |cursor: &mut Cursor<'_>| {
        let is_filled = cursor.is_word("filled");
        (is_filled || cursor.is_word("open")).then_some(is_filled)
    };
    let before = fill(cursor);
    let shape = cursor.attempt(|cursor| {
        let word = cursor.word()?;
        matches!(
            &*word,
            "dot" | "circle" | "double-circle" | "triangle" | "sesame"
        )
        .then_some(word)
    });
    let is_filled = match (before, &shape) {
        (Some(is), _) => is,
        (None, Some(_)) => fill(cursor).unwrap_or(true),
        (None, None) => return None,
    };
    Some(Some(match shape.as_deref() {
        Some("dot") if is_filled => EmphasisShape::Dot,
        Some("sesame") if is_filled => EmphasisShape::Comma,
        Some("double-circle") => EmphasisShape::Circle,
        _ if is_filled => EmphasisShape::Disc,
        _ => EmphasisShape::Circle,
    }))
}

/// Parses `hyphenate-limit-chars` (CSS Text 4, 6.3.2): the minimum number of letters in a word, before a hyphen, and
/// after it. `auto` and missing numbers are 5, 2 and 2; but the number before a hyphen is also the default of the one
/// after it.
fn hyphen_limits(cursor: &mut Cursor<'_>) -> Option<Compute<[u8; 3]>> {
    let mut limit = |otherwise: u8| {
        if cursor.is_word("auto") {
            return Some(otherwise);
        }
        let count = cursor.integer()?;
        Some(count.clamp(0, 255) as u8)
    };
    let word = limit(5)?;
    let before = limit(2);
    let after = limit(2).or(before);
    now([word, before.unwrap_or(2), after.unwrap_or(2)])
}

/// Parses the declaration of a text property; `None` if it is unknown or invalid.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        // `currentcolor` as a value of `color` is the parent's colour (CSS Color 4, 9).
        "color" => one(cursor, inherited!(colour), |cursor| {
            let paint = colour(cursor)?;
            Some(Box::new(move |apply| paint.or(apply.parent.text.colour)))
        }),
        // Alignment and indentation of lines.
        "text-align" => one(cursor, inherited!(align), |cursor| {
            // A keyword of the default sheet, for header cells.
            if cursor.is_word("-internal-center") {
                return now(TextAlign::BlockCenter);
            }
            word(cursor)
        }),
        "text-align-last" => one(cursor, inherited!(align_last), |cursor| {
            if cursor.is_word("auto") {
                return now(None);
            }
            now(Some(TextAlign::of(&cursor.word()?)?))
        }),
        "text-indent" => one(cursor, inherited!(indent), length),
        "text-transform" => one(cursor, inherited!(transform), word),
        "white-space" | "white-space-collapse" => one(cursor, inherited!(white_space), |cursor| {
            // Two components of CSS Text 4: treatment of spaces, and wrapping.
            let first = cursor.word()?;
            now(match (first.as_str(), cursor.word().as_deref()) {
                ("preserve", None | Some("wrap")) => WhiteSpace::PreWrap,
                ("preserve", Some("nowrap")) | ("nowrap", Some("preserve")) => WhiteSpace::Pre,
                ("preserve-breaks", None | Some("wrap")) => WhiteSpace::PreLine,
                ("collapse" | "wrap", None) | ("collapse", Some("wrap")) => WhiteSpace::Normal,
                ("collapse", Some("nowrap")) => WhiteSpace::Nowrap,
                (word, None) => WhiteSpace::of(word)?,
                _ => return None,
            })
        }),
        "text-wrap" | "text-wrap-mode" => wrapping(cursor),
        "line-break" => anywhere(cursor),
        "word-break" => one(cursor, inherited!(word_break), word),
        "writing-mode" | "-webkit-writing-mode" => one(cursor, inherited!(writing), word),
        "text-orientation" | "-webkit-text-orientation" => {
            one(cursor, inherited!(orientation), word)
        }
        "overflow-wrap" | "word-wrap" => one(cursor, inherited!(overflow_wrap), word),
        "hyphens" | "-webkit-hyphens" | "-moz-hyphens" | "-ms-hyphens" | "-epub-hyphens" => {
            one(cursor, inherited!(hyphens), word)
        }
        "hyphenate-limit-chars" => one(cursor, inherited!(hyphen_limits), hyphen_limits),
        // Applied before properties of the stage `Other`, because flow-relative sides depend on the direction.
        "direction" => {
            let mut all = one(cursor, inherited!(direction), word)?;
            all.iter_mut().for_each(|one| one.stage = Stage::Font);
            Some(all)
        }
        "unicode-bidi" => one(cursor, own!(unicode_bidi), word),
        // Spacing, and the vertical position of inline boxes.
        "letter-spacing" => one(cursor, inherited!(letter_spacing), spacing),
        "word-spacing" => one(cursor, inherited!(word_spacing), spacing),
        "vertical-align" => one(cursor, own!(vertical_align), vertical_align),
        // Lists and tables.
        "list-style-type" => one(cursor, inherited!(list_style), list_style),
        "list-style-position" => one(cursor, inherited!(list_position), word),
        "list-style-image" => one(cursor, inherited!(list_image), image_or_none),
        "border-collapse" => one(cursor, inherited!(border_collapse), word),
        // A single value applies to both axes. Negative values count as 0; in the specification, they are invalid.
        "border-spacing" => one(cursor, inherited!(border_spacing), |cursor| {
            let across = px(cursor)?;
            let down = px(cursor);
            Some(Box::new(move |apply| {
                let across = across(apply).max(0.0);
                (
                    across,
                    down.as_ref().map_or(across, |down| down(apply).max(0.0)),
                )
            }))
        }),
        "caption-side" => one(cursor, inherited!(caption_side), word),
        "empty-cells" => one(cursor, inherited!(empty_cells), word),
        "text-shadow" => one(cursor, inherited!(shadows), shadows),
        "quotes" => one(cursor, inherited!(quotes), quotes),
        "orphans" => one(cursor, inherited!(orphans), count),
        "widows" => one(cursor, inherited!(widows), count),
        "tab-size" | "-moz-tab-size" => one(cursor, inherited!(tab_size), number),
        _ => decoration_property(name, cursor),
    }
}

/// Parses the declaration of a property of lines and marks at text (CSS Text Decoration 3).
fn decoration_property(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        "text-emphasis-style" | "-webkit-text-emphasis-style" => {
            one(cursor, inherited!(emphasis), |cursor| {
                now(emphasis(cursor)?)
            })
        }
        "text-emphasis-color" | "-webkit-text-emphasis-color" => {
            one(cursor, inherited!(emphasis_colour), |cursor| {
                now(colour(cursor)?)
            })
        }
        "text-emphasis-position" | "-webkit-text-emphasis-position" => {
            one(cursor, inherited!(emphasis_position), |cursor| {
                let side = word(cursor)?;
                // The side in vertical lines, which may follow, is ignored.
                let _ = cursor.is_word("right") || cursor.is_word("left");
                Some(side)
            })
        }
        // The shorthand is parsed twice: one declaration sets the lines, another their colour.
        "text-decoration" | "-webkit-text-decoration" => {
            if let Some(mut all) = one(cursor, own!(decoration), |cursor| {
                let both = decoration(cursor)?;
                Some(Box::new(move |apply| both(apply).0))
            }) {
                all.extend(one(cursor, own!(decoration_colour), |cursor| {
                    let both = decoration(cursor)?;
                    Some(Box::new(move |apply| both(apply).1))
                })?);
                return Some(all);
            }
            None
        }
        "text-decoration-line" => one(cursor, own!(decoration), |cursor| {
            let (under, over, through) = lines(cursor)?;
            now(Decoration {
                under,
                over,
                through,
                ..Decoration::NONE
            })
        }),
        "text-decoration-color" => one(cursor, own!(decoration_colour), |cursor| {
            now(Some(colour(cursor)?))
        }),
        "text-decoration-style" => {
            let wavy = matches!(cursor.peek(), Some(Token::Ident(word)) if word.eq_ignore_ascii_case("wavy"));
            if wavy {
                return one(Cursor::new(&[]), own!(decoration.wavy), |_| now(true));
            }
            one(cursor, own!(decoration.style), word)
        }
        "text-underline-offset" => one(cursor, own!(decoration.offset), |cursor| {
            if cursor.is_word("auto") {
                return now(None);
            }
            let offset = length(cursor)?;
            Some(Box::new(move |apply| {
                Some(offset(apply).of(apply.context.em))
            }))
        }),
        "text-decoration-thickness" => one(cursor, own!(decoration.thickness), |cursor| {
            if cursor.is_word("auto") || cursor.is_word("from-font") {
                return now(None);
            }
            let thick = thick_line(cursor)?;
            Some(Box::new(move |apply| Some(thick(apply))))
        }),
        _ => None,
    }
}
