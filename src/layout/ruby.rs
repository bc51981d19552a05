//! Words with a smaller text above them (ruby). A word and the text above it are set as one piece of a line, which is
//! not divided.
//!
//! The text above has half the size, as in Word and in browsers. The narrower of the two is centred on the other.

use super::{
    atoms::Atoms, faces::Faces, formula::Formula, item::Item, lines, shape::Shape, spans::Spans,
    structure::NodeId, text_format::TextFormat,
};
use convertd_tree::Ruby;
use std::rc::Rc;

/// Limit on the characters of a word with ruby. A longer word might not fit on a line. The text above it may have three
/// times as many characters.
const MAX: usize = 24;

/// Size of the text above, relative to the word.
const SMALL: f32 = 0.5;

/// Height of letters above the baseline, in ems. East Asian letters fill the box of `ASCENT` and `DESCENT`.
const ASCENT: f32 = 0.88;

/// Depth of letters below the baseline, in ems.
const DESCENT: f32 = 0.12;

/// Sets a word with the text above it. `None` if one of the texts is too long or contains a line break.
pub(crate) fn set(
    word: &Ruby,
    text_format: &TextFormat,
    node: NodeId,
    faces: &mut Faces<'_>,
) -> Option<Formula> {
    if word.base.chars().count() > MAX || word.above.chars().count() > 3 * MAX {
        return None;
    }
    let mut small = text_format.clone();
    small.size *= SMALL;
    small.underline = false;
    small.emphasis = None;
    // The caller raises the whole piece.
    let mut own = text_format.clone();
    (own.raised, small.raised) = (0.0, 0.0);
    let (mut items, width) = line(&word.base, &own, node, faces)?;
    let (above, above_width) = line(&word.above, &small, node, faces)?;
    let all = width.max(above_width);
    items
        .iter_mut()
        .for_each(|item| item.shift((all - width) / 2.0, 0.0));
    let top = ASCENT * text_format.size;
    let raised = top + DESCENT * small.size;
    items.extend(above.into_iter().map(|mut item| {
        item.shift((all - above_width) / 2.0, -raised);
        item
    }));
    Some(Formula {
        width: all,
        above: top + small.size,
        below: DESCENT * text_format.size,
        items,
        display: false,
    })
}

/// Items of a text on one line, relative to its baseline, and its width in points.
fn line(
    text: &str,
    text_format: &TextFormat,
    node: NodeId,
    faces: &mut Faces<'_>,
) -> Option<(Vec<Item>, f32)> {
    let mut spans = Spans::default();
    spans.push(text, &Rc::new(text_format.clone()), node, None);
    let atoms = Atoms::of(&spans, text_format.direction, faces);
    let width: f32 = atoms.atoms.iter().map(|atom| atom.width).sum();
    // The shape is wider than the text, so that rounding does not break the line.
    let shape = Shape::new(text_format, width + 1.0 + text_format.size);
    let mut lines = lines::set(spans, atoms, &shape, faces).into_iter();
    let (line, None) = (lines.next()?, lines.next()) else {
        return None;
    };
    let mut items = line.items;
    items
        .iter_mut()
        .for_each(|item| item.shift(0.0, -line.baseline));
    Some((items, width))
}
