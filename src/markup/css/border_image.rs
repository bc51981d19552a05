//! Parsing of border images (CSS Backgrounds 3, 5). Cuts no picture.
//!
//! A border image is cut by four lines into nine slices: the corners keep their shape, the edges and the centre are
//! stretched or tiled. The longhands state where the lines cut (`slice`), how wide the edges are painted (`width`), how
//! far they reach beyond the border box (`outset`), and how edges are filled (`repeat`).

use super::{
    background::image_or_none,
    property::{Apply, Compute, Declaration, changing, now, one, own, spread, wide},
    style::{BorderImage, BorderSide, Image, Slice},
    tokens::Token,
    value::{Cursor, Specified},
};
use std::rc::Rc;

/// Parses one to four values for the sides: top, right, bottom, left.
fn sides<T: Clone>(
    cursor: &mut Cursor<'_>,
    read: impl Fn(&mut Cursor<'_>) -> Option<T>,
) -> Option<[T; 4]> {
    let mut all = Vec::new();
    while all.len() < 4
        && let Some(value) = cursor.attempt(&read)
    {
        all.push(value);
    }
    spread(&all)
}

/// Parses `border-image-slice` (CSS Backgrounds 3, 5.2); the flag is `fill`, which may be before or after the numbers
/// and keeps the centre slice.
fn slice(cursor: &mut Cursor<'_>) -> Option<([Slice; 4], bool)> {
    let mut fill = cursor.is_word("fill");
    let slices = sides(cursor, |cursor| match cursor.next()? {
        Token::Number(number) if *number >= 0.0 => Some(Slice::Pixels(*number)),
        Token::Percentage(percent) if *percent >= 0.0 => Some(Slice::Part(percent / 100.0)),
        _ => None,
    })?;
    fill |= cursor.is_word("fill");
    Some((slices, fill))
}

/// Specified width or outset of a side: `auto`, a multiple of the border width, or a length.
#[derive(Clone)]
enum Side {
    Auto,
    Times(f32),
    Length(Specified),
}

/// Parses a width or outset of one side. Negative values are invalid.
fn side(cursor: &mut Cursor<'_>) -> Option<Side> {
    if cursor.is_word("auto") {
        return Some(Side::Auto);
    }
    if let Some(Token::Number(number)) = cursor.peek() {
        cursor.next();
        return (*number >= 0.0).then_some(Side::Times(*number));
    }
    let length = cursor.length(false)?;
    (!length.is_negative()).then_some(Side::Length(length))
}

/// Parses `border-image-width` or `border-image-outset`.
fn lengths(cursor: &mut Cursor<'_>) -> Option<Compute<[BorderSide; 4]>> {
    let all = sides(cursor, side)?;
    Some(Box::new(move |apply| {
        all.clone().map(|side| match side {
            Side::Auto => BorderSide::Auto,
            Side::Times(times) => BorderSide::Times(times),
            Side::Length(length) => BorderSide::Length(length.computed(&apply.context)),
        })
    }))
}

/// Parses `border-image-repeat`: horizontal and vertical (CSS Backgrounds 3, 5.5). A single keyword applies to both.
fn repeats(cursor: &mut Cursor<'_>) -> Option<(super::style::Fit, super::style::Fit)> {
    use super::style::{Fit, Word};
    let word = |cursor: &mut Cursor<'_>| cursor.attempt(|cursor| Fit::of(&cursor.word()?));
    let first = word(cursor)?;
    let second = word(cursor).unwrap_or(first);
    Some((first, second))
}

/// Parses one longhand to a declaration that leaves the other longhands alone. A CSS-wide keyword, however, sets all of
/// them.
fn part<T: 'static>(
    mut cursor: Cursor<'_>,
    read: impl FnOnce(&mut Cursor<'_>) -> Option<Compute<T>>,
    set: fn(&mut BorderImage, T),
) -> Option<Vec<Declaration>> {
    if wide(&cursor).is_some() {
        return one(cursor, own!(border_image), |_| None);
    }
    let value = read(&mut cursor)?;
    if !cursor.is_done() {
        return None;
    }
    // The record of all longhands is shared between styles, and copied on the first change.
    Some(changing(move |style, apply| {
        set(Rc::make_mut(&mut style.border_image), value(apply));
    }))
}

/// Parses the shorthand `border-image` (CSS Backgrounds 3, 5.6): source, repeat, and
/// `slice / width / outset`, in any order. Longhands that it omits get their initial values.
fn shorthand(mut cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    if wide(&cursor).is_some() || cursor.is_done() {
        return one(cursor, own!(border_image), |_| None);
    }
    let mut source: Option<Compute<Image>> = None;
    // The components may be in any order, but each only once.
    let (mut slices, mut width, mut outset, mut fits) = (None, None, None, None);
    while !cursor.is_done() {
        if slices.is_none()
            && let Some(found) = cursor.attempt(slice)
        {
            slices = Some(found);
            // The width may be missing between two slashes: `30 / / 5px`.
            if cursor.is_delim('/') {
                width = cursor.attempt(lengths);
                if cursor.is_delim('/') {
                    outset = Some(lengths(&mut cursor)?);
                }
            }
        } else if fits.is_none()
            && let Some(found) = repeats(&mut cursor)
        {
            fits = Some(found);
        } else if source.is_none() {
            source = Some(image_or_none(&mut cursor)?);
        } else {
            return None;
        }
    }
    one(Cursor::new(&[]), own!(border_image), |_| {
        Some(Box::new(move |apply: &Apply<'_>| {
            let mut whole = BorderImage::default();
            if let Some(source) = &source {
                whole.source = source(apply);
            }
            if let Some((slices, fill)) = slices {
                (whole.slices, whole.fill) = (slices, fill);
            }
            if let Some(width) = &width {
                whole.width = width(apply);
            }
            if let Some(outset) = &outset {
                whole.outset = outset(apply);
            }
            whole.fits = fits.unwrap_or_default();
            Rc::new(whole)
        }))
    })
}

/// Parses the declaration of a border image property; `None` if it is unknown or invalid.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        "border-image" | "-webkit-border-image" => shorthand(cursor),
        "border-image-source" => part(cursor, image_or_none, |all, source| all.source = source),
        "border-image-slice" => part(
            cursor,
            |cursor| now(slice(cursor)?),
            |all, (slices, fill)| (all.slices, all.fill) = (slices, fill),
        ),
        "border-image-width" => part(cursor, lengths, |all, width| all.width = width),
        "border-image-outset" => part(cursor, lengths, |all, outset| all.outset = outset),
        "border-image-repeat" => part(
            cursor,
            |cursor| now(repeats(cursor)?),
            |all, fits| all.fits = fits,
        ),
        _ => None,
    }
}
