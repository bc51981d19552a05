//! Colours (CSS Color 4 and 5): names, hexadecimal numbers, and functions. All are converted to
//! sRGB with alpha. Keeps no other colour space: pages and pictures are written in sRGB.

use super::{
    mixing::{Space, mixed},
    rgba::Rgba,
    tokens::Token,
    value::Cursor,
};

/// Limit on the nesting of colours in `color-mix()` and relative colours, against deep recursion.
const DEEPEST: usize = 8;

/// A specified colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Paint {
    // Kept apart from colours, because the value of `color` is known only later.
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

/// Parses `color-mix()` (CSS Color 5, 2). `currentcolor` counts as black, because it is unknown
/// when colours are parsed.
///
/// Percentages are normalised to a sum of 100 %; a smaller sum makes the result translucent
/// by that share.
fn mix(inside: Cursor<'_>, depth: usize) -> Option<Rgba> {
    let parts = inside.parts();
    let [mut space, mut one, mut other] = <[Cursor<'_>; 3]>::try_from(parts).ok()?;
    if !space.is_word("in") {
        return None;
    }
    let space = Space::of(&space.word()?)?;
    // A percentage may stand before or after its colour.
    let part = |cursor: &mut Cursor<'_>| -> Option<(Rgba, Option<f32>)> {
        let before = percentage(cursor);
        let colour = colour_in(cursor, depth + 1)?.or(Rgba::BLACK);
        let share = before.or_else(|| percentage(cursor));
        cursor.is_done().then_some((colour, share))
    };
    let ((one, first), (other, second)) = (part(&mut one)?, part(&mut other)?);
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
    // `rgb()` counts components from 0 to 255, `color()` from 0 to 1.
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
    // All digits are ASCII here, so that bytes can be indexed.
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

/// Parses a component of a colour; `whole` is its value at 100 %. `none` counts as 0 (CSS Color 4,
/// 4.4); hues may have a unit.
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
            // Wide-gamut spaces are treated as sRGB.
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
    let found = NAMES.binary_search_by(|(known, _)| known.cmp(&name)).ok()?;
    // The number has the form 0x00rrggbb.
    let [_, red, green, blue] = NAMES[found].1.to_be_bytes();
    Some(Rgba::opaque(red, green, blue))
}

/// Named colours in alphabetical order, for binary search.
static NAMES: [(&str, u32); 148] = [
    ("aliceblue", 0xf0f8ff),
    ("antiquewhite", 0xfaebd7),
    ("aqua", 0x00ffff),
    ("aquamarine", 0x7fffd4),
    ("azure", 0xf0ffff),
    ("beige", 0xf5f5dc),
    ("bisque", 0xffe4c4),
    ("black", 0x000000),
    ("blanchedalmond", 0xffebcd),
    ("blue", 0x0000ff),
    ("blueviolet", 0x8a2be2),
    ("brown", 0xa52a2a),
    ("burlywood", 0xdeb887),
    ("cadetblue", 0x5f9ea0),
    ("chartreuse", 0x7fff00),
    ("chocolate", 0xd2691e),
    ("coral", 0xff7f50),
    ("cornflowerblue", 0x6495ed),
    ("cornsilk", 0xfff8dc),
    ("crimson", 0xdc143c),
    ("cyan", 0x00ffff),
    ("darkblue", 0x00008b),
    ("darkcyan", 0x008b8b),
    ("darkgoldenrod", 0xb8860b),
    ("darkgray", 0xa9a9a9),
    ("darkgreen", 0x006400),
    ("darkgrey", 0xa9a9a9),
    ("darkkhaki", 0xbdb76b),
    ("darkmagenta", 0x8b008b),
    ("darkolivegreen", 0x556b2f),
    ("darkorange", 0xff8c00),
    ("darkorchid", 0x9932cc),
    ("darkred", 0x8b0000),
    ("darksalmon", 0xe9967a),
    ("darkseagreen", 0x8fbc8f),
    ("darkslateblue", 0x483d8b),
    ("darkslategray", 0x2f4f4f),
    ("darkslategrey", 0x2f4f4f),
    ("darkturquoise", 0x00ced1),
    ("darkviolet", 0x9400d3),
    ("deeppink", 0xff1493),
    ("deepskyblue", 0x00bfff),
    ("dimgray", 0x696969),
    ("dimgrey", 0x696969),
    ("dodgerblue", 0x1e90ff),
    ("firebrick", 0xb22222),
    ("floralwhite", 0xfffaf0),
    ("forestgreen", 0x228b22),
    ("fuchsia", 0xff00ff),
    ("gainsboro", 0xdcdcdc),
    ("ghostwhite", 0xf8f8ff),
    ("gold", 0xffd700),
    ("goldenrod", 0xdaa520),
    ("gray", 0x808080),
    ("green", 0x008000),
    ("greenyellow", 0xadff2f),
    ("grey", 0x808080),
    ("honeydew", 0xf0fff0),
    ("hotpink", 0xff69b4),
    ("indianred", 0xcd5c5c),
    ("indigo", 0x4b0082),
    ("ivory", 0xfffff0),
    ("khaki", 0xf0e68c),
    ("lavender", 0xe6e6fa),
    ("lavenderblush", 0xfff0f5),
    ("lawngreen", 0x7cfc00),
    ("lemonchiffon", 0xfffacd),
    ("lightblue", 0xadd8e6),
    ("lightcoral", 0xf08080),
    ("lightcyan", 0xe0ffff),
    ("lightgoldenrodyellow", 0xfafad2),
    ("lightgray", 0xd3d3d3),
    ("lightgreen", 0x90ee90),
    ("lightgrey", 0xd3d3d3),
    ("lightpink", 0xffb6c1),
    ("lightsalmon", 0xffa07a),
    ("lightseagreen", 0x20b2aa),
    ("lightskyblue", 0x87cefa),
    ("lightslategray", 0x778899),
    ("lightslategrey", 0x778899),
    ("lightsteelblue", 0xb0c4de),
    ("lightyellow", 0xffffe0),
    ("lime", 0x00ff00),
    ("limegreen", 0x32cd32),
    ("linen", 0xfaf0e6),
    ("magenta", 0xff00ff),
    ("maroon", 0x800000),
    ("mediumaquamarine", 0x66cdaa),
    ("mediumblue", 0x0000cd),
    ("mediumorchid", 0xba55d3),
    ("mediumpurple", 0x9370db),
    ("mediumseagreen", 0x3cb371),
    ("mediumslateblue", 0x7b68ee),
    ("mediumspringgreen", 0x00fa9a),
    ("mediumturquoise", 0x48d1cc),
    ("mediumvioletred", 0xc71585),
    ("midnightblue", 0x191970),
    ("mintcream", 0xf5fffa),
    ("mistyrose", 0xffe4e1),
    ("moccasin", 0xffe4b5),
    ("navajowhite", 0xffdead),
    ("navy", 0x000080),
    ("oldlace", 0xfdf5e6),
    ("olive", 0x808000),
    ("olivedrab", 0x6b8e23),
    ("orange", 0xffa500),
    ("orangered", 0xff4500),
    ("orchid", 0xda70d6),
    ("palegoldenrod", 0xeee8aa),
    ("palegreen", 0x98fb98),
    ("paleturquoise", 0xafeeee),
    ("palevioletred", 0xdb7093),
    ("papayawhip", 0xffefd5),
    ("peachpuff", 0xffdab9),
    ("peru", 0xcd853f),
    ("pink", 0xffc0cb),
    ("plum", 0xdda0dd),
    ("powderblue", 0xb0e0e6),
    ("purple", 0x800080),
    ("rebeccapurple", 0x663399),
    ("red", 0xff0000),
    ("rosybrown", 0xbc8f8f),
    ("royalblue", 0x4169e1),
    ("saddlebrown", 0x8b4513),
    ("salmon", 0xfa8072),
    ("sandybrown", 0xf4a460),
    ("seagreen", 0x2e8b57),
    ("seashell", 0xfff5ee),
    ("sienna", 0xa0522d),
    ("silver", 0xc0c0c0),
    ("skyblue", 0x87ceeb),
    ("slateblue", 0x6a5acd),
    ("slategray", 0x708090),
    ("slategrey", 0x708090),
    ("snow", 0xfffafa),
    ("springgreen", 0x00ff7f),
    ("steelblue", 0x4682b4),
    ("tan", 0xd2b48c),
    ("teal", 0x008080),
    ("thistle", 0xd8bfd8),
    ("tomato", 0xff6347),
    ("turquoise", 0x40e0d0),
    ("violet", 0xee82ee),
    ("wheat", 0xf5deb3),
    ("white", 0xffffff),
    ("whitesmoke", 0xf5f5f5),
    ("yellow", 0xffff00),
    ("yellowgreen", 0x9acd32),
];

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
        assert!(NAMES.is_sorted());
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
