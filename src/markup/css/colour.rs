//! Colours (CSS Color 4 and 5): names, hexadecimal numbers, and functions. All are converted to
//! sRGB with alpha. Keeps no other colour space: pages and pictures are written in sRGB.

use super::{
    mixing::{Space, mixed},
    rgba::Rgba,
    tokens::Token,
    value::Cursor,
};
use convertd_tree::{Colour, colours};

/// Limit on the nesting of colours in functions such as `color-mix()`, against deep recursion.
const DEEPEST: usize = 8;

/// A specified colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Paint {
    // This variant is kept apart from colours, because the value of `color` is known only later.
    /// `currentcolor`: the value of `color`.
    Current,
    Rgba(Rgba),
}

impl Paint {
    /// Resolves `currentcolor`.
    pub fn or(self, current: Rgba) -> Rgba {
        match self {
            Self::Current => current,
            Self::Rgba(colour) => colour,
        }
    }
}

/// Parses a colour; leaves the cursor in place if it fails.
pub fn colour(cursor: &mut Cursor<'_>) -> Option<Paint> {
    colour_in(cursor, 0)
}

/// Parses a colour at a nesting depth.
fn colour_in(cursor: &mut Cursor<'_>, depth: usize) -> Option<Paint> {
    if depth > DEEPEST {
        return None;
    }
    cursor.attempt(|cursor| match cursor.peek()? {
        Token::Hash(digits) => {
            let digits = digits.clone();
            cursor.next();
            hex(&digits).map(Paint::Rgba)
        }
        Token::Ident(_) => {
            let word = cursor.word()?;
            match word.as_str() {
                "currentcolor" => Some(Paint::Current),
                "transparent" => Some(Paint::Rgba(Rgba::CLEAR)),
                word => named(word).map(Paint::Rgba),
            }
        }
        Token::Function(_) => {
            let (name, mut inside) = cursor.function()?;
            match name {
                "color-mix" => mix(inside, depth).map(Paint::Rgba),
                // The light variant, as on paper.
                "light-dark" => colour_in(&mut inside, depth + 1),
                _ if inside.is_word("from") => relative(name, inside, depth).map(Paint::Rgba),
                _ => function(name, inside).map(Paint::Rgba),
            }
        }
        _ => None,
    })
}

/// Parses `color-mix()` (CSS Color 5, 2). `currentcolor` counts as black, because its value is unknown when colours are
/// parsed.
///
/// Percentages are normalised to a sum of 100 %. If their sum is smaller, the alpha of the result is multiplied by it.
fn mix(inside: Cursor<'_>, depth: usize) -> Option<Rgba> {
    let parts = inside.parts();
    let [mut space, mut one, mut other] = <[Cursor<'_>; 3]>::try_from(parts).ok()?;
    if !space.is_word("in") {
        return None;
    }
    let space = Space::of(&space.word()?)?;
    // A percentage may precede or follow its colour.
    let part = |cursor: &mut Cursor<'_>| -> Option<(Rgba, Option<f32>)> {
        let before = percentage(cursor);
        let colour = colour_in(cursor, depth + 1)?.or(Rgba::BLACK);
        let share = before.or_else(|| percentage(cursor));
        cursor.is_done().then_some((colour, share))
    };
    let ((one, first), (other, second)) = (part(&mut one)?, part(&mut other)?);
    // A missing share is the rest of 100 %.
    let (first, second) = match (first, second) {
        (None, None) => (0.5, 0.5),
        (Some(first), None) => (first, 1.0 - first),
        (None, Some(second)) => (1.0 - second, second),
        (Some(first), Some(second)) => (first, second),
    };
    let sum = first + second;
    if sum <= 0.0 {
        return None;
    }
    let mut whole = mixed(space, one, other, second / sum);
    whole.alpha *= sum.min(1.0);
    Some(whole)
}

/// Parses a percentage as a fraction from 0 to 1.
fn percentage(cursor: &mut Cursor<'_>) -> Option<f32> {
    match cursor.peek() {
        Some(Token::Percentage(percent)) => {
            cursor.next();
            Some((percent / 100.0).clamp(0.0, 1.0))
        }
        _ => None,
    }
}

/// Parses a relative colour such as `rgb(from red r g b / 0.5)` (CSS Color 5, 4). Calculations with
/// components are not supported.
fn relative(name: &str, mut inside: Cursor<'_>, depth: usize) -> Option<Rgba> {
    // The keywords `r`, `g`, `b` and so on stand for the components of the base colour in the space
    // of the function.
    let base = colour_in(&mut inside, depth + 1)?.or(Rgba::BLACK);
    let space = match name {
        "color" => Space::of(&inside.word()?)?,
        name => Space::of(name)?,
    };
    let names = match space {
        Space::Srgb | Space::Linear => ["r", "g", "b"],
        Space::Hsl => ["h", "s", "l"],
        Space::Hwb => ["h", "w", "b"],
        Space::Lab | Space::Oklab => ["l", "a", "b"],
        Space::Lch | Space::Oklch => ["l", "c", "h"],
    };
    // Components of `rgb()` are from 0 to 255, those of `color()` from 0 to 1.
    let scale = match name {
        "rgb" | "rgba" => 255.0,
        _ => 1.0,
    };
    let own = space.parts(base).map(|part| part * scale);
    // A component is a keyword, a number, or a percentage of `whole`.
    let own_or = |cursor: &mut Cursor<'_>, whole: f32| -> Option<f32> {
        if let Some(word) = cursor.attempt(|cursor| cursor.word()) {
            let found = names.iter().position(|name| *name == word);
            return match (found, word.as_str()) {
                (Some(index), _) => Some(own[index]),
                (None, "alpha") => Some(base.alpha),
                (None, "none") => Some(0.0),
                _ => None,
            };
        }
        part(cursor, whole)
    };
    let mut parts = [0.0; 3];
    for (slot, whole) in parts.iter_mut().zip(space.wholes()) {
        *slot = own_or(&mut inside, whole * scale)? / scale;
    }
    let alpha = match inside.is_delim('/') {
        true => own_or(&mut inside, 1.0)?,
        false => base.alpha,
    };
    inside.is_done().then(|| space.colour(parts, alpha))
}

/// Parses three, four, six or eight hexadecimal digits (CSS Color 4, 5.2). A single digit stands
/// for two equal ones: 17 times its value.
pub fn hex(digits: &str) -> Option<Rgba> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    // All digits are ASCII here, so bytes can be indexed.
    let digit = |at: usize| u8::from_str_radix(&digits[at..=at], 16).ok();
    let (parts, alpha) = match digits.len() {
        3 | 4 => {
            let part = |at| digit(at).map(|digit| digit * 17);
            let alpha = if digits.len() == 4 { part(3)? } else { 255 };
            ([part(0)?, part(1)?, part(2)?], alpha)
        }
        6 | 8 => {
            let part = |at| Some(digit(at)? << 4 | digit(at + 1)?);
            let alpha = if digits.len() == 8 { part(6)? } else { 255 };
            ([part(0)?, part(2)?, part(4)?], alpha)
        }
        _ => return None,
    };
    Some(Rgba {
        rgb: parts,
        alpha: f32::from(alpha) / 255.0,
    })
}

/// Parses a component of a colour; `whole` is its value at 100 %. `none` is 0 (CSS Color 4, 4.4); hues may have a unit.
fn part(cursor: &mut Cursor<'_>, whole: f32) -> Option<f32> {
    match cursor.peek()? {
        Token::Percentage(percent) => {
            cursor.next();
            Some(percent / 100.0 * whole)
        }
        Token::Dimension(..) => cursor.angle(),
        Token::Ident(word) if word.eq_ignore_ascii_case("none") => {
            cursor.next();
            Some(0.0)
        }
        _ => cursor.number(),
    }
}

/// Parses a colour function (CSS Color 4, 4.1). The alpha value follows a slash or, in the legacy
/// syntax, a comma.
fn function(name: &str, mut inside: Cursor<'_>) -> Option<Rgba> {
    let (space, scale) = match name {
        "rgb" | "rgba" => (Space::Srgb, 255.0),
        "color" => {
            // The name of the colour space is skipped: all spaces of `color()` are treated as sRGB.
            inside.word()?;
            (Space::Srgb, 1.0)
        }
        "hsl" | "hsla" | "hwb" | "lab" | "lch" | "oklab" | "oklch" => (Space::of(name)?, 1.0),
        _ => return None,
    };
    let [first, second, third] = space.wholes().map(|whole| whole * scale);
    // Three components and the alpha; commas and slashes between them are optional here.
    let mut parts = Vec::new();
    for whole in [first, second, third, 1.0] {
        if inside.is_done() {
            break;
        }
        parts.push(part(&mut inside, whole)?);
        if !inside.is_comma() {
            inside.is_delim('/');
        }
    }
    let [first, second, third, rest @ ..] = parts.as_slice() else {
        return None;
    };
    let parts = [first, second, third].map(|part| part / scale);
    let alpha = rest.first().copied().unwrap_or(1.0);
    Some(space.colour(parts, alpha))
}

/// Named colour, for a name in lower case (CSS Color 4, 6.1).
pub fn named(name: &str) -> Option<Rgba> {
    let Colour(red, green, blue) = colours::named(name)?;
    Some(Rgba::opaque(red, green, blue))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::css::tokens::tokens;

    #[test]
    fn colours_are_read_in_every_notation() {
        #[track_caller]
        fn check(text: &str, expected: Option<[u8; 4]>) {
            let tokens = tokens(text);
            let found = colour(&mut Cursor::new(&tokens)).map(|paint| {
                let colour = paint.or(Rgba::BLACK);
                let [red, green, blue] = colour.rgb;
                [red, green, blue, (colour.alpha * 255.0).round() as u8]
            });
            assert_eq!(found, expected, "{text}");
        }
        check("RebeccaPurple", Some([102, 51, 153, 255]));
        check("#f80c", Some([255, 136, 0, 204]));
        check("rgba(1, 2, 300, .5)", Some([1, 2, 255, 128]));
        check("rgb(0 50% 0 / 100%)", Some([0, 128, 0, 255]));
        check("hsl(120deg 100% 25%)", Some([0, 128, 0, 255]));
        check("oklch(62.8% 0.2577 29.23)", Some([255, 0, 0, 255]));
        check("rgb(1)", None);
        check("#12345", None);
    }
}
