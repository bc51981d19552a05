//! Parsing of backgrounds: colours, pictures, gradients and their placement (CSS Backgrounds 3, 2;
//! CSS Images 4, 3). Paints nothing.
//!
//! A background has one colour and a list of layers, each with an image and its placement. Most longhands are lists of
//! values for the layers. The lists may differ in length; the number of images decides how many layers are painted.

use super::{
    colour::{Paint, colour},
    geometry::paint,
    property::{Apply, Compute, Declaration, changing, now, one, own, wide, word},
    rgba::Rgba,
    shapes::{self, centre, point},
    shorthand::all_of,
    style::{
        BackgroundBox, BackgroundSize, Extent, Gradient, GradientShape, Image, Layer, Repeat, Word,
    },
    tokens::{Token, trimmed},
    value::{Cursor, Length, Specified},
};
use std::rc::Rc;

/// Limit on the colour stops of a gradient; further ones are ignored.
const MAX_STOPS: usize = 256;
/// Limit on the layers of a background.
const MAX_LAYERS: usize = 32;

/// Parses `none` or an image.
pub(super) fn image_or_none(cursor: &mut Cursor<'_>) -> Option<Compute<Image>> {
    if cursor.is_word("none") {
        return now(Image::None);
    }
    image(cursor)
}

/// Parses an image: a URL or a gradient.
pub(super) fn image(cursor: &mut Cursor<'_>) -> Option<Compute<Image>> {
    // The tokenizer returns an unquoted URL as one token, and a quoted one as a function.
    match cursor.peek()? {
        Token::Url(url) => {
            cursor.next();
            now(Image::Url(url.clone()))
        }
        Token::Function(_) => {
            let (name, mut inside) = cursor.function()?;
            if name == "url" {
                return match inside.next()? {
                    Token::Text(url) => now(Image::Url(url.clone())),
                    _ => None,
                };
            }
            gradient(name, inside)
        }
        _ => None,
    }
}

/// Parses a gradient function: an optional shape, then colour stops. Old prefixed forms measure
/// angles counterclockwise from the right, and name the start side instead of the end.
fn gradient(name: &str, inside: Cursor<'_>) -> Option<Compute<Image>> {
    let old = name.starts_with("-webkit-") || name.starts_with("-moz-");
    let name = name
        .trim_start_matches("-webkit-")
        .trim_start_matches("-moz-");
    let (repeats, name) = match name.strip_prefix("repeating-") {
        Some(name) => (true, name),
        None => (false, name),
    };
    // The first part may be the shape. A colour space in it is cut off before it is parsed.
    let mut parts = inside.parts();
    let first = parts.first_mut()?;
    let head = without_space(first.rest());
    let mut head = Cursor::new(&head);
    let read: Option<Compute<GradientShape>> = match name {
        "linear-gradient" => linear(&mut head, old)
            .map(|shape| -> Compute<GradientShape> { Box::new(move |_| shape.clone()) }),
        "radial-gradient" => radial(head),
        "conic-gradient" => conic(head),
        _ => return None,
    };
    // The first part has no colour if it has a shape, or a colour space only.
    let has_shape =
        read.is_some() || matches!(first.peek(), Some(Token::Ident(word)) if &**word == "in");
    // Initial shapes: from top to bottom, an ellipse to the farthest corner, or a full turn from the top around the
    // centre (CSS Images 4, 3).
    let shape = read.unwrap_or_else(|| match name {
        "linear-gradient" => Box::new(|_| GradientShape::Angle(180.0)),
        "radial-gradient" => Box::new(|_| GradientShape::Radial {
            circle: false,
            extent: Extent::FarthestCorner,
            at: centre(),
        }),
        _ => Box::new(|_| GradientShape::Conic {
            from: 0.0,
            at: centre(),
        }),
    });
    // A stop has its position before or after the colour; two positions are two stops of one
    // colour.
    let mut stops: Vec<(Option<Specified>, Paint)> = Vec::new();
    for mut part in parts
        .into_iter()
        .skip(usize::from(has_shape))
        .take(MAX_STOPS)
    {
        let before = place(&mut part);
        if before.is_some() && part.is_done() {
            // A position without a colour is an interpolation hint, which is ignored.
            continue;
        }
        let paint = colour(&mut part)?;
        let at = before.or_else(|| place(&mut part));
        let until = place(&mut part);
        if !part.is_done() {
            return None;
        }
        stops.push((at, paint));
        if let Some(until) = until {
            stops.push((Some(until), paint));
        }
    }
    if stops.is_empty() {
        return None;
    }
    Some(Box::new(move |apply: &Apply<'_>| {
        let at = |stop: &Option<Specified>| stop.as_ref().map(|at| at.computed(&apply.context));
        Image::Gradient(Rc::new(Gradient {
            shape: shape(apply),
            stops: stops
                .iter()
                .map(|(stop, paint)| (at(stop), *paint))
                .collect(),
            repeats,
        }))
    }))
}

/// Parses the position of a colour stop: a length, or an angle as a percentage of a full turn (360
/// degrees are 100 %).
fn place(cursor: &mut Cursor<'_>) -> Option<Specified> {
    if let Some(Token::Dimension(..)) = cursor.peek()
        && let Some(degrees) = cursor.angle()
    {
        return Some(Specified::percent(degrees / 3.6));
    }
    cursor.length(false)
}

/// Removes the interpolation colour space and its hue method, which may be before or after the shape (CSS Images 4,
/// 3.1): colours are interpolated in sRGB here.
fn without_space(tokens: &[Token]) -> Vec<Token> {
    let is_in = |token: &Token| matches!(token, Token::Ident(word) if &**word == "in");
    let Some(at) = tokens.iter().position(is_in) else {
        return tokens.to_vec();
    };
    let mut rest = Cursor::new(&tokens[at + 1..]);
    rest.word();
    rest.attempt(|rest| rest.word().filter(|_| rest.is_word("hue")));
    [trimmed(&tokens[..at]), rest.rest()].join(&Token::Space)
}

/// Parses shape, extent and centre of a radial gradient (CSS Images 3, 3.2.1), in any order. `None` if the part holds
/// nothing or anything else: then it has no shape.
fn radial(mut head: Cursor<'_>) -> Option<Compute<GradientShape>> {
    let (mut circle, mut extent, mut at) = (None, None, None);
    if head.is_done() {
        return None;
    }
    while !head.is_done() {
        if head.is_word("at") {
            at = Some(point(&mut head)?);
        } else if head.is_word("circle") {
            circle = Some(true);
        } else if head.is_word("ellipse") {
            circle = Some(false);
        } else {
            extent = Some(head.attempt(shapes::extent)?);
        }
    }
    Some(Box::new(move |apply| {
        let extent = extent
            .as_ref()
            .map_or(Extent::FarthestCorner, |extent| extent(apply));
        // A single length is the radius of a circle, so the keyword may be omitted.
        let single = matches!(extent, Extent::Lengths(_, None));
        GradientShape::Radial {
            circle: circle.unwrap_or(single),
            extent,
            at: at.as_ref().map_or_else(centre, |at| at(apply)),
        }
    }))
}

/// Parses angle and centre of a conic gradient (CSS Images 4, 3.3.1). `None` if the part has neither.
fn conic(mut head: Cursor<'_>) -> Option<Compute<GradientShape>> {
    if head.is_done() {
        return None;
    }
    let (mut from, mut at) = (0.0, None);
    // The grammar demands `from` before `at`; either order is accepted here.
    while !head.is_done() {
        if head.is_word("from") {
            from = head.angle()?;
        } else if head.is_word("at") {
            at = Some(point(&mut head)?);
        } else {
            return None;
        }
    }
    Some(Box::new(move |apply| GradientShape::Conic {
        from,
        at: at.as_ref().map_or_else(centre, |at| at(apply)),
    }))
}

/// Parses angle or side of a linear gradient (CSS Images 3, 3.1.1). The result of a side or corner
/// is a direction, because the angle to a corner depends on the size of the box.
fn linear(first: &mut Cursor<'_>, old: bool) -> Option<GradientShape> {
    if let Some(angle) = first.angle() {
        // Old angles are anticlockwise from the right, others clockwise from the top.
        let angle = if old { 90.0 - angle } else { angle };
        return first.is_done().then_some(GradientShape::Angle(angle));
    }
    first.attempt(|cursor| {
        let to = cursor.is_word("to");
        if !to && !old {
            return None;
        }
        // The side or corner that the keywords name: x to the right, y downwards.
        let (mut x, mut y) = (0.0, 0.0);
        while let Some(word) = cursor.word() {
            match word.as_str() {
                "left" => x = -1.0,
                "right" => x = 1.0,
                "top" => y = -1.0,
                "bottom" => y = 1.0,
                _ => return None,
            }
        }
        // With `to`, the keywords name the side where the gradient ends; without, as in old forms, where it begins.
        let sign = if to { 1.0 } else { -1.0 };
        (x != 0.0 || y != 0.0).then_some(GradientShape::Towards(x * sign, y * sign))
    })
}

/// Parses `background-repeat`: horizontal and vertical (CSS Backgrounds 3, 2.4). A single keyword applies to both axes.
fn repeat(cursor: &mut Cursor<'_>) -> Option<(Repeat, Repeat)> {
    if cursor.is_word("repeat-x") {
        return Some((Repeat::Tile, Repeat::No));
    }
    if cursor.is_word("repeat-y") {
        return Some((Repeat::No, Repeat::Tile));
    }
    let word = |cursor: &mut Cursor<'_>| cursor.attempt(|cursor| Repeat::of(&cursor.word()?));
    let across = word(cursor)?;
    Some((across, word(cursor).unwrap_or(across)))
}

/// Parses a position along one axis (`background-position-x` or `-y`).
fn along(cursor: &mut Cursor<'_>) -> Option<Compute<Length>> {
    let part = |percent: f32| now(Length::percent(percent));
    match cursor.attempt(|cursor| cursor.word()).as_deref() {
        Some("left" | "top") => part(0.0),
        Some("center") => part(50.0),
        Some("right" | "bottom") => part(100.0),
        Some(_) => None,
        None => super::property::length(cursor),
    }
}

/// Parses `background-size` (CSS Backgrounds 3, 2.9). A missing height is `auto`.
fn extent(cursor: &mut Cursor<'_>) -> Option<Compute<BackgroundSize>> {
    // `cover` and `contain` are whole values; `auto` is the size of one side.
    if cursor.is_word("cover") {
        return now(BackgroundSize::Cover);
    }
    if cursor.is_word("contain") {
        return now(BackgroundSize::Contain);
    }
    let one = |cursor: &mut Cursor<'_>| match cursor.is_word("auto") {
        true => Some(None),
        false => cursor.length(false).map(Some),
    };
    let width = one(cursor)?;
    let height = one(cursor).unwrap_or(None);
    Some(Box::new(move |apply| {
        let of = |length: &Option<Specified>| {
            length
                .as_ref()
                .map(|length| length.computed(&apply.context))
        };
        BackgroundSize::Fixed(of(&width), of(&height))
    }))
}

/// Specified values of a layer, before lengths can be computed.
#[derive(Default)]
struct Draft {
    image: Option<Compute<Image>>,
    position: Option<Compute<(Length, Length)>>,
    size: Option<Compute<BackgroundSize>>,
    repeats: Option<(Repeat, Repeat)>,
}

impl Draft {
    /// Layer with computed lengths.
    fn layer(&self, apply: &Apply<'_>) -> Layer {
        // Omitted values are the initial ones.
        let plain = Layer::default();
        Layer {
            image: self
                .image
                .as_ref()
                .map_or(plain.image, |image| image(apply)),
            position: self
                .position
                .as_ref()
                .map_or(plain.position, |position| position(apply)),
            size: self.size.as_ref().map_or(plain.size, |size| size(apply)),
            repeats: self.repeats.unwrap_or(plain.repeats),
        }
    }
}

/// Parses the `background` shorthand (CSS Backgrounds 3, 2.10). Values of a layer may be in any order, so each kind is
/// tried in turn.
fn shorthand(cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    // A CSS-wide keyword such as `inherit` sets the colour and the whole list of layers.
    let longhands = [
        "background-color",
        "background-image",
        "background-clip",
        "background-origin",
    ];
    if wide(&cursor).is_some() {
        return all_of(&longhands, cursor);
    }
    // The grammar allows a colour in the last layer only. Here the last colour of any layer is used, and the
    // declaration stays valid.
    let mut drafts = Vec::new();
    let mut paint = Paint::Rgba(Rgba::CLEAR);
    let (mut origin, mut clip) = (BackgroundBox::Padding, BackgroundBox::Border);
    for mut part in cursor.parts().into_iter().take(MAX_LAYERS) {
        let mut draft = Draft::default();
        if part.is_done() {
            return None;
        }
        let mut boxes = Vec::new();
        while !part.is_done() {
            // Attachment has no effect on paper, and `none` is the initial image, so these keywords are skipped.
            if part.is_word("none")
                || part.is_word("scroll")
                || part.is_word("fixed")
                || part.is_word("local")
            {
                continue;
            }
            if draft.image.is_none()
                && let Some(image) = part.attempt(image)
            {
                draft.image = Some(image);
            } else if draft.repeats.is_none()
                && let Some(repeats) = repeat(&mut part)
            {
                draft.repeats = Some(repeats);
            } else if let Some(found) = part.attempt(|part| BackgroundBox::of(&part.word()?)) {
                boxes.push(found);
            } else if draft.position.is_none()
                && let Some(position) = part.attempt(point)
            {
                draft.position = Some(position);
                // The size follows the position after a slash.
                if part.is_delim('/') {
                    draft.size = Some(extent(&mut part)?);
                }
            } else {
                paint = colour(&mut part)?;
            }
        }
        // Two boxes are origin and clip, in this order; a single one is both.
        let is_origin = |found: &BackgroundBox| *found != BackgroundBox::Text;
        origin = boxes
            .first()
            .copied()
            .filter(is_origin)
            .unwrap_or(BackgroundBox::Padding);
        clip = boxes.last().copied().unwrap_or(BackgroundBox::Border);
        drafts.push(draft);
    }
    // Layers without an image paint nothing.
    let layers = one(Cursor::new(&[]), own!(layers), |_| {
        Some(Box::new(move |apply: &Apply<'_>| {
            let layers = drafts.iter().map(|draft| draft.layer(apply));
            layers.filter(|layer| layer.image != Image::None).collect()
        }))
    })?;
    let nothing = Cursor::new(&[]);
    let origin = one(nothing, own!(background_origin), |_| now(origin))?;
    let clip = one(nothing, own!(background_clip), |_| now(clip))?;
    let paint = one(nothing, own!(background), |_| now(paint))?;
    Some([layers, origin, clip, paint].concat())
}

/// Parses a list of values, one per layer. A shorter list is repeated (CSS Backgrounds 3, 2.1).
fn each<T: Clone + 'static>(
    cursor: Cursor<'_>,
    read: impl Fn(&mut Cursor<'_>) -> Option<Compute<T>>,
    set: fn(&mut Layer, T),
) -> Option<Vec<Declaration>> {
    if wide(&cursor).is_some() {
        return one(cursor, own!(layers), |_| None);
    }
    let mut values = Vec::new();
    for mut part in cursor.parts().into_iter().take(MAX_LAYERS) {
        values.push(read(&mut part)?);
        if !part.is_done() {
            return None;
        }
    }
    // The longhand changes one field of each layer and keeps the others.
    Some(changing(move |style, apply| {
        let mut layers = style.layers.to_vec();
        if layers.is_empty() {
            // Keeps the values for layers that a later declaration adds.
            layers.resize_with(values.len(), Layer::default);
        }
        for (index, layer) in layers.iter_mut().enumerate() {
            set(layer, values[index % values.len()](apply));
        }
        style.layers = layers.into();
    }))
}

/// Parses the declaration of a background property; `None` if it is unknown or invalid.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        "background" => shorthand(cursor),
        "background-color" => one(cursor, own!(background), paint),
        "background-image" => {
            // A CSS-wide keyword replaces all layers.
            if wide(&cursor).is_some() {
                return one(cursor, own!(layers), |_| None);
            }
            // The number of images sets the number of layers. The placement comes from the existing layers, which are
            // repeated if there are fewer of them.
            let mut images = Vec::new();
            for mut part in cursor.parts().into_iter().take(MAX_LAYERS) {
                images.push(image_or_none(&mut part)?);
                if !part.is_done() {
                    return None;
                }
            }
            Some(changing(move |style, apply| {
                let before = style.layers.clone();
                let plain = Layer::default();
                let layer = |(index, image): (usize, &Compute<Image>)| Layer {
                    image: image(apply),
                    ..before
                        .get(index % before.len().max(1))
                        .unwrap_or(&plain)
                        .clone()
                };
                style.layers = images.iter().enumerate().map(layer).collect();
            }))
        }
        // The longhands for position, size and tiling set a field of each layer. Clip and origin have one value for all
        // layers.
        "background-position" => each(cursor, point, |layer, at| layer.position = at),
        "background-position-x" => each(cursor, along, |layer, at| layer.position.0 = at),
        "background-position-y" => each(cursor, along, |layer, at| layer.position.1 = at),
        "background-size" | "-webkit-background-size" => {
            each(cursor, extent, |layer, size| layer.size = size)
        }
        "background-repeat" => each(
            cursor,
            |cursor| now(repeat(cursor)?),
            |layer, repeats| layer.repeats = repeats,
        ),
        "background-clip" | "-webkit-background-clip" => one(cursor, own!(background_clip), word),
        "background-origin" => one(cursor, own!(background_origin), word),
        _ => None,
    }
}
