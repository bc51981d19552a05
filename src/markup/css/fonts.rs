//! Parsing of font properties (CSS Fonts 4, 2). Selects no font.
//!
//! Font size and family are applied before all other properties but `zoom` and custom properties, because lengths in
//! `em` and `ex` depend on them.

use super::{
    property::{Compute, Declaration, Stage, Wide, inherited, now, one, wide, word},
    shorthand::all_of,
    style::{FontVariant, LineHeight, Style},
    tokens::Token,
    value::{Context, Cursor, Specified},
};
use std::rc::Rc;

/// Default font size of normal text, in px, as in all browsers.
pub const MEDIUM: f32 = 16.0;
/// Default font size of `monospace` text, in px, as in all browsers.
pub(crate) const MONOSPACE: f32 = 13.0;

/// Limit on font sizes in px, as in browsers.
const LARGEST: f32 = 10_000.0;

/// A specified font size. Keywords, and sizes relative to them, stay independent of the default size ("plain"), which
/// differs for monospace text.
#[derive(Clone)]
enum Size {
    /// Size of a keyword, in px for a default of 16 px.
    Word(f32),
    /// Factor to the parent's size.
    Times(f32),
    Length(Specified),
}

impl Size {
    /// Parses a font size; keywords have the sizes of browsers.
    fn read(cursor: &mut Cursor<'_>) -> Option<Self> {
        if let Some(word) = cursor.attempt(|cursor| cursor.word()) {
            // Absolute keywords are px at a medium size of 16, as in browsers; relative ones are
            // factors (CSS Fonts 4, 2.5).
            return Some(match word.as_str() {
                "xx-small" => Self::Word(9.0),
                "x-small" => Self::Word(10.0),
                "small" => Self::Word(13.0),
                "medium" => Self::Word(MEDIUM),
                "large" => Self::Word(18.0),
                "x-large" => Self::Word(24.0),
                "xx-large" => Self::Word(32.0),
                "xxx-large" | "-webkit-xxx-large" => Self::Word(48.0),
                "smaller" => Self::Times(1.0 / 1.2),
                "larger" => Self::Times(1.2),
                _ => return None,
            });
        }
        let length = cursor.length(false)?;
        (!length.is_negative()).then_some(Self::Length(length))
    }

    /// Sets the computed size in px, and whether it derives from the default size.
    fn set(&self, style: &mut Style, parent: &Style, context: &Context) {
        // The parent's size contains the parent's zoom; this element's own zoom comes on top.
        let zoom = style.zoom;
        // Percentages and `em` refer to the parent's size (CSS Fonts 4, 2.5).
        let text = Rc::make_mut(&mut style.text);
        let before = parent.text.size * zoom;
        let context = Context {
            em: before,
            ..*context
        };
        (text.size, text.plain_size) = match self {
            // The cascade expects a plain size to have the same default as the parent's.
            Self::Word(size) => {
                let default = match is_monospace(parent) {
                    true => MONOSPACE,
                    false => MEDIUM,
                };
                (*size * context.zoom * default / MEDIUM, true)
            }
            Self::Times(times) => (before * times, parent.text.plain_size),
            Self::Length(length) => {
                let relative = length.computed(&context).of(before);
                // A length still derives from the default size if it is relative to a parent's size that does. It is
                // relative if it changes when the parent's size is doubled.
                let doubled = Context {
                    em: 2.0 * before,
                    ..context
                };
                let follows = length.computed(&doubled).of(2.0 * before) != relative;
                (relative, follows && parent.text.plain_size)
            }
        };
        text.size = text.size.clamp(0.0, LARGEST);
    }
}

/// Returns whether the default size of text is that of monospace text: the font family is `monospace` alone.
pub(super) fn is_monospace(style: &Style) -> bool {
    style.text.families.eq_ignore_ascii_case("monospace")
}

/// Parses `font-family` to names joined by commas. Unquoted names may have several words (CSS Fonts
/// 4, 2.1); a comma within a name becomes a space.
fn families(cursor: &mut Cursor<'_>) -> Option<Rc<str>> {
    let mut names = Vec::new();
    for mut part in cursor.parts() {
        let mut words: Vec<String> = Vec::new();
        while let Some(token) = part.next() {
            match token {
                Token::Text(text) => words.push(text.to_string()),
                Token::Ident(word) => words.push(word.to_string()),
                _ => return None,
            }
        }
        if words.is_empty() {
            return None;
        }
        names.push(words.join(" ").replace(',', " "));
    }
    // The list extends to the end of the value.
    *cursor = Cursor::new(&[]);
    Some(names.join(",").into())
}

/// Parses `font-weight`, 1 to 1000.
fn weight(cursor: &mut Cursor<'_>) -> Option<Compute<u16>> {
    if let Some(number) = cursor.number() {
        return (1.0..=1000.0)
            .contains(&number)
            .then(|| now(number as u16))?;
    }
    let bolder = match cursor.word()?.as_str() {
        "normal" => return now(400),
        "bold" => return now(700),
        "bolder" => true,
        "lighter" => false,
        _ => return None,
    };
    // Relative weights (CSS Fonts 4, 2.2.1).
    Some(Box::new(move |apply| {
        match (bolder, apply.parent.text.weight) {
            (true, ..350) => 400,
            (true, 350..550) => 700,
            (true, before) => before.max(900),
            (false, before @ ..100) => before,
            (false, 100..550) => 100,
            (false, 550..750) => 400,
            (false, _) => 700,
        }
    }))
}

/// Parses `font-style`; an angle after `oblique` is ignored.
fn italic(cursor: &mut Cursor<'_>) -> Option<Compute<bool>> {
    let word = cursor.word()?;
    let slanted = match word.as_str() {
        "normal" => false,
        "italic" => true,
        "oblique" => {
            // Faces have a single slant, so the angle changes nothing.
            cursor.angle();
            true
        }
        _ => return None,
    };
    now(slanted)
}

/// Parses `line-height` (CSS 2.2, 10.8.1). A number is inherited as a number, so that it scales with the font size of
/// descendants; a length is inherited as px.
fn line_height(cursor: &mut Cursor<'_>) -> Option<Compute<LineHeight>> {
    if cursor.is_word("normal") {
        return now(LineHeight::Normal);
    }
    if let Some(times) = cursor.number() {
        return (times >= 0.0).then(|| now(LineHeight::Times(times)))?;
    }
    let length = cursor.length(false)?;
    if length.is_negative() {
        return None;
    }
    // Percentages refer to the font size.
    Some(Box::new(move |apply| {
        LineHeight::Px(length.computed(&apply.context).of(apply.context.em))
    }))
}

/// Parses `font-size` to declarations of the font stage.
fn size(cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let mut cursor = cursor;
    let size = match wide(&cursor) {
        Some(Wide::Initial) => Size::Word(MEDIUM),
        Some(Wide::Inherit | Wide::Unset) => Size::Times(1.0),
        None => Size::read(&mut cursor)?,
    };
    (cursor.is_done() || wide(&cursor).is_some()).then(|| {
        move_to_font_stage(vec![Declaration {
            stage: Stage::Font,
            important: false,
            measures: false,
            set: Rc::new(move |style, apply| size.set(style, apply.parent, &apply.context)),
        }])
    })
}

/// Moves declarations to the font stage.
fn move_to_font_stage(mut all: Vec<Declaration>) -> Vec<Declaration> {
    all.iter_mut().for_each(|one| one.stage = Stage::Font);
    all
}

/// Moves declarations to the line height stage.
fn of_lines(mut all: Vec<Declaration>) -> Vec<Declaration> {
    all.iter_mut().for_each(|one| one.stage = Stage::Line);
    all
}

/// Parses the `font` shorthand (CSS Fonts 4, 2.7): up to four keywords in any order, the size with
/// an optional line height, and the families. Properties that it omits get their initial values.
fn font(mut cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    if wide(&cursor).is_some() {
        let names = [
            "font-style",
            "font-variant",
            "font-weight",
            "font-size",
            "line-height",
            "font-family",
        ];
        return all_of(&names, cursor);
    }
    // Names of system fonts: all become the default sans-serif font of 10 pt.
    let mut only = cursor;
    if let Some(word) = only.word()
        && only.is_done()
        && matches!(
            word.as_str(),
            "caption" | "icon" | "menu" | "message-box" | "small-caption" | "status-bar"
        )
    {
        return font(Cursor::new(&[
            Token::Dimension(13.333_333, "px".into()),
            Token::Ident("sans-serif".into()),
        ]));
    }
    // Each property begins with its initial value, and is replaced when its keyword is found.
    let normal = [Token::Ident("normal".into())];
    let initial = |name: &str| declare(name, Cursor::new(&normal));
    let mut style = initial("font-style")?;
    let mut variant = initial("font-variant")?;
    let mut weight_of = initial("font-weight")?;
    let mut height = initial("line-height")?;
    // At most four keywords; the first other token begins the size.
    for _ in 0..4 {
        if cursor.is_word("normal") {
            continue;
        }
        let token = cursor.rest();
        let here = &token[..1.min(token.len())];
        if let Some(found) = one(Cursor::new(here), inherited!(italic), italic) {
            style = found;
        } else if let Some(found) = one(Cursor::new(here), inherited!(variant), word::<FontVariant>)
        {
            variant = found;
        } else if let Some(found) = one(Cursor::new(here), inherited!(weight), weight) {
            weight_of = found;
        } else if matches!(here, [Token::Ident(word)] if word.contains("condensed") || word.contains("expanded"))
        {
            // `font-stretch` is not supported.
        } else {
            break;
        }
        cursor.next();
    }
    // The tokens of the size are cut out, so that `size` can make a declaration of them alone.
    let before = cursor.rest();
    Size::read(&mut cursor)?;
    let sized = &before[..before.len() - cursor.rest().len()];
    let sized = size(Cursor::new(super::tokens::trimmed(sized)))?;
    if cursor.is_delim('/') {
        let read = line_height(&mut cursor)?;
        height = one(Cursor::new(&[]), inherited!(line_height), |_| Some(read)).map(of_lines)?;
    }
    let family = one(cursor, inherited!(families), |cursor| {
        now(families(cursor)?)
    })?;
    Some(
        [
            style,
            variant,
            weight_of,
            sized,
            height,
            move_to_font_stage(family),
        ]
        .concat(),
    )
}

/// Parses the declaration of a font property; `None` if it is unknown or invalid.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        "font" => font(cursor),
        "font-family" => one(cursor, inherited!(families), |cursor| {
            now(families(cursor)?)
        })
        .map(move_to_font_stage),
        "font-size" => size(cursor),
        "font-weight" => one(cursor, inherited!(weight), weight),
        "font-style" => one(cursor, inherited!(italic), italic),
        "font-variant" | "font-variant-caps" => one(cursor, inherited!(variant), word),
        "line-height" => one(cursor, inherited!(line_height), line_height).map(of_lines),
        // Accepted without effect: the bundled fonts have one width.
        "font-stretch" => Some(Vec::new()),
        _ => None,
    }
}
