//! Layout of the text of a cell: aligned, wrapped, rotated, shrunk, or running over into empty neighbours. Depends
//! neither on pages nor on other cells.

mod rotated;

use crate::shown::{
    book::Run,
    measure,
    style::{Align, Down, Font, HorizontalAlignment, Style, Turn},
    text::{Kind, Shown, narrow},
};
use convertd_layout::{
    atoms::Atoms,
    context::Layout,
    item::{Area, Item},
    lines::{self, Line},
    shape::Shape,
    spans::Spans,
    structure::NodeId,
    text_format::TextFormat,
};
use convertd_tree::{Alignment, Direction};
use rotated::{stacked, turned};
use std::rc::Rc;

/// Padding on the left, in points: two pixels, and one for the grid line.
pub(super) const LEFT: f32 = 2.25;
/// Padding on the right, in points: two pixels.
const RIGHT: f32 = 1.5;
/// Padding below the text, in points.
const BELOW: f32 = 0.75;

/// Maximum number of characters of a cell that are laid out, the limit of Excel.
const MAX_CHARACTERS: usize = 32_767;

/// Lower bound of the mean width of characters, in ems. It bounds the number of characters that are visible in a
/// given width. Characters beyond are neither measured nor laid out, because a text of 32,767 characters would
/// otherwise be laid out on each of the pages that it runs over.
const NARROWEST: f32 = 0.05;

/// Number of characters that are always laid out, in addition to those that the lower bound allows for.
const ALWAYS: usize = 256;

/// Room for the text of a cell, in points.
pub(super) struct Room {
    /// Area of the cell, or of the merged range that it belongs to.
    pub(super) area: Area,
    /// Width of the empty cells on the left.
    pub(super) before: f32,
    /// Width of the empty cells on the right.
    pub(super) after: f32,
}

impl Room {
    /// Room of a cell without empty neighbours.
    pub(super) fn of(area: Area) -> Self {
        Self {
            area,
            before: 0.0,
            after: 0.0,
        }
    }
}

/// Structure element and link that a text belongs to.
#[derive(Clone, Copy)]
pub(super) struct Owner {
    /// Structure element of the cell.
    pub(super) node: NodeId,
    /// Index of the link.
    pub(super) link: Option<usize>,
}

impl Owner {
    /// Owner of text that is not part of the document structure.
    pub(super) fn artifact() -> Self {
        Self {
            node: NodeId::DOCUMENT,
            link: None,
        }
    }
}

/// A text that has been measured, but not broken into lines.
struct Measured {
    /// Runs of the text with their formatting.
    spans: Spans,
    /// Parts between which lines may break.
    atoms: Atoms,
    /// Text properties of the cell itself, which empty lines take their height from.
    look: TextFormat,
    /// Width of the longest line, in points.
    width: f32,
}

/// Horizontal alignment of a text; "general" is resolved by the type of the value.
pub(super) fn side(align: &Align, kind: Kind) -> HorizontalAlignment {
    match (align.across, kind) {
        (HorizontalAlignment::General, Kind::Text) if align.backwards => HorizontalAlignment::Right,
        (HorizontalAlignment::General, Kind::Text) => HorizontalAlignment::Left,
        (HorizontalAlignment::General, Kind::Number(_)) => HorizontalAlignment::Right,
        (HorizontalAlignment::General, Kind::Word) => HorizontalAlignment::Centre,
        (across, _) => across,
    }
}

/// Returns whether text is wrapped at the width of its cell.
pub(super) fn wraps(align: &Align) -> bool {
    align.wrap
        || matches!(
            align.across,
            HorizontalAlignment::Justify | HorizontalAlignment::Distributed
        )
        || matches!(align.down, Down::Justify | Down::Distributed)
}

/// Lays out the text of a cell and adds it to `items`.
///
/// Text that is too wide and not wrapped is treated as in Excel: shrunk if the style says so; a number is shortened or
/// becomes `###`; other text runs over into empty neighbours and is cut at full ones.
pub(super) fn set(
    layout: &mut Layout<'_>,
    shown: &Shown,
    style: &Style,
    room: &Room,
    owner: Owner,
    items: &mut Vec<Item>,
) {
    let align = &style.align;
    let across = side(align, shown.kind);
    let wraps = wraps(align);
    let area = room.area;
    if area.width <= 0.0 || area.height <= 0.0 {
        return;
    }
    if let Turn::By(degrees) = align.turn {
        return turned(layout, shown, style, room, owner, degrees, items);
    }
    if align.turn == Turn::Stacked {
        return stacked(layout, shown, style, room, owner, items);
    }
    let indent = indent(layout, style, across);
    let inner = (area.width - LEFT - RIGHT - indent).max(1.0);
    let number = matches!(shown.kind, Kind::Number(_));
    let is_open = !wraps && !number && !align.shrink && across == HorizontalAlignment::Left;
    let most = match is_open {
        true => seen_at_most(&style.font, area.width + room.after),
        false => MAX_CHARACTERS,
    };
    let mut measured = measure_some(layout, shown, (&style.font, most), wraps, 1.0, owner);
    // Tolerance of about a pixel, because substitute fonts are a little wider.
    let slack = 1.0;
    if align.shrink && !wraps && measured.width > inner {
        let scale = (inner / measured.width).max(0.1);
        measured = measure(layout, shown, &style.font, wraps, scale, owner);
    } else if number && !wraps && measured.width > inner + slack {
        let text = fitting(layout, shown, &style.font, inner + slack);
        measured = measure(layout, &text, &style.font, false, 1.0, owner);
    } else if let Some((at, character)) = shown.fill
        && measured.width < inner
    {
        let text = filled(
            layout,
            shown,
            &style.font,
            at,
            character,
            inner - measured.width,
        );
        measured = measure(layout, &text, &style.font, false, 1.0, owner);
    } else if across == HorizontalAlignment::Fill && measured.width > 0.0 {
        let times = ((inner / measured.width) as usize).clamp(1, 255);
        let text = repeated(shown, times);
        measured = measure(layout, &text, &style.font, false, 1.0, owner);
    }
    let width = if wraps {
        inner
    } else {
        measured.width.max(1.0)
    };
    let left = match across {
        _ if wraps => {
            area.x
                + LEFT
                + if across == HorizontalAlignment::Right {
                    0.0
                } else {
                    indent
                }
        }
        HorizontalAlignment::Right => area.x + area.width - RIGHT - indent - width,
        HorizontalAlignment::Centre | HorizontalAlignment::CentreContinuous => {
            area.x + (area.width - width) / 2.0
        }
        _ => area.x + LEFT + indent,
    };
    let natural = measured.width;
    let lines = broken(layout, measured, width, alignment(across), align);
    let height: f32 = lines.iter().map(|line| line.height).sum();
    let top = top(align.down, area, height, lines.len());
    // Visible area of the text: the cell, and its empty neighbours unless the text is wrapped, repeated or a number.
    let runs = !wraps && !number && across != HorizontalAlignment::Fill;
    let (before, after) = if runs {
        (room.before, room.after)
    } else {
        (0.0, 0.0)
    };
    let seen = Area {
        x: area.x - before,
        width: area.width + before + after,
        ..area
    };
    let is_cut = !wraps && (left < seen.x - 0.1 || left + natural > seen.x + seen.width + 0.1)
        || lines.len() > 1 && (top < area.y - 1.0 || top + height > area.y + area.height + 1.0);
    let placed = placed(lines, left, top);
    match is_cut {
        true => items.push(Item::Cut {
            area: seen,
            items: placed,
        }),
        false => items.extend(placed),
    }
}

/// Places lines below one another. `left` and `top` are the corner of the first one, in points.
fn placed(lines: Vec<Line>, left: f32, top: f32) -> Vec<Item> {
    let mut y = top;
    let mut items = Vec::new();
    for line in lines {
        for mut item in line.items {
            item.shift(left, y);
            items.push(item);
        }
        y += line.height;
    }
    items
}

/// Alignment of the layout package for a horizontal alignment.
fn alignment(across: HorizontalAlignment) -> Alignment {
    match across {
        HorizontalAlignment::Right => Alignment::End,
        HorizontalAlignment::Centre | HorizontalAlignment::CentreContinuous => Alignment::Centre,
        HorizontalAlignment::Justify | HorizontalAlignment::Distributed => Alignment::Justify,
        HorizontalAlignment::General | HorizontalAlignment::Left | HorizontalAlignment::Fill => {
            Alignment::Start
        }
    }
}

/// Top of a text in a cell, by its vertical alignment.
fn top(down: Down, area: Area, height: f32, lines: usize) -> f32 {
    let left = area.height - height;
    // If several lines are too high together, the first lines stay visible; a single line is cut at both sides.
    if left < 0.0 && lines > 1 {
        return area.y;
    }
    match down {
        Down::Top | Down::Justify | Down::Distributed => area.y + BELOW.min(left.max(0.0)),
        Down::Centre => area.y + left / 2.0,
        Down::Bottom if left < BELOW => area.y + left / 2.0,
        Down::Bottom => area.y + left - BELOW,
    }
}

/// Indentation of a text in points. A step is as wide as three spaces, about a digit and two pixels.
fn indent(layout: &mut Layout<'_>, style: &Style, across: HorizontalAlignment) -> f32 {
    if style.align.indent == 0
        || !matches!(
            across,
            HorizontalAlignment::Left
                | HorizontalAlignment::Right
                | HorizontalAlignment::Distributed
        )
    {
        return 0.0;
    }
    let digit = measure::digit_width(&style.font, &mut layout.faces);
    f32::from(style.align.indent) * (digit + 2.0) * 0.75
}

/// Upper bound of the number of characters that are visible in a width.
fn seen_at_most(font: &Font, width: f32) -> usize {
    let letters = (width.max(0.0) / (font.size * NARROWEST).max(0.01)) as usize;
    letters.saturating_add(ALWAYS).min(MAX_CHARACTERS)
}

/// Measures a text whose font sizes are multiplied by `scale`.
fn measure(
    layout: &mut Layout<'_>,
    shown: &Shown,
    own: &Rc<Font>,
    wraps: bool,
    scale: f32,
    owner: Owner,
) -> Measured {
    measure_some(layout, shown, (own, MAX_CHARACTERS), wraps, scale, owner)
}

/// Measures at most `most` characters of a text.
fn measure_some(
    layout: &mut Layout<'_>,
    shown: &Shown,
    (own, most): (&Rc<Font>, usize),
    wraps: bool,
    scale: f32,
    owner: Owner,
) -> Measured {
    let mut spans = Spans::default();
    let mut left = most;
    let plain = measure::look(own, &mut layout.faces);
    for run in &shown.runs {
        let mut look = match (&run.font, shown.colour) {
            (None, None) => plain.clone(),
            _ => measure::look(&shown.font(run, own), &mut layout.faces),
        };
        look.size *= scale;
        let look = Rc::new(look);
        let text = match run.text.char_indices().nth(left) {
            Some((end, _)) => &run.text[..end],
            None => &*run.text,
        };
        left -= text.chars().count();
        for (number, line) in text.split('\n').enumerate() {
            // A cell without wrapping is a single line: its line ends are dropped.
            if number > 0 && wraps {
                spans.line_break(&look, owner.node);
            }
            spans.push(line.trim_end_matches('\r'), &look, owner.node, owner.link);
        }
    }
    let direction = None::<Direction>;
    let atoms = Atoms::of(&spans, direction, &mut layout.faces);
    let (_, width) = lines::extent(&atoms);
    Measured {
        spans,
        atoms,
        look: plain,
        width,
    }
}

/// Breaks text into lines of a given width.
fn broken(
    layout: &mut Layout<'_>,
    measured: Measured,
    width: f32,
    alignment: Alignment,
    align: &Align,
) -> Vec<Line> {
    // In text from right to left, start and end change sides.
    let alignment = match (alignment, align.backwards || measured.atoms.backwards) {
        (Alignment::Start, true) => Alignment::End,
        (Alignment::End, true) => Alignment::Start,
        (alignment, _) => alignment,
    };
    let shape = Shape {
        alignment,
        ..Shape::new(&measured.look, width)
    };
    lines::set(measured.spans, measured.atoms, &shape, &mut layout.faces)
}

/// Width of a text on one line, in points. Measures only as many characters as may be visible in a width of `most`
/// points.
pub(super) fn width(layout: &mut Layout<'_>, shown: &Shown, style: &Style, most: f32) -> f32 {
    let letters = seen_at_most(&style.font, most);
    let owner = Owner::artifact();
    measure_some(layout, shown, (&style.font, letters), false, 1.0, owner).width
}

/// Number of lines of a text in a cell of this width, in points.
pub(super) fn line_count(
    layout: &mut Layout<'_>,
    shown: &Shown,
    style: &Style,
    width: f32,
) -> usize {
    let owner = Owner::artifact();
    let measured = measure(layout, shown, &style.font, true, 1.0, owner);
    let across = side(&style.align, shown.kind);
    let width = width - LEFT - RIGHT - indent(layout, style, across);
    broken(
        layout,
        measured,
        width.max(1.0),
        Alignment::Start,
        &style.align,
    )
    .len()
}

/// The same cell with another text.
fn with_text(shown: &Shown, text: String) -> Shown {
    Shown {
        runs: vec![Run {
            text: text.into(),
            font: None,
        }],
        fill: None,
        colour: shown.colour,
        kind: shown.kind,
    }
}

/// Text of a number in a cell that is too narrow for it.
fn fitting(layout: &mut Layout<'_>, shown: &Shown, font: &Font, width: f32) -> Shown {
    let digit = digit(layout, font);
    let characters = (width / digit.max(0.5)) as usize;
    with_text(shown, narrow(shown.kind, characters))
}

/// Width of a digit in points. Measured at 100 points, because at the font's own size it would be rounded to whole
/// pixels.
fn digit(layout: &mut Layout<'_>, font: &Font) -> f32 {
    let large = Font {
        size: 100.0,
        ..font.clone()
    };
    measure::digit_width(&large, &mut layout.faces) * 0.75 * font.size / 100.0
}

/// Repeats the fill character of a number format (`*` in its code) until the text is as wide as the cell.
fn filled(
    layout: &mut Layout<'_>,
    shown: &Shown,
    font: &Rc<Font>,
    at: usize,
    character: char,
    room: f32,
) -> Shown {
    let owner = Owner::artifact();
    // The width of ten characters between bars is measured, because trailing spaces have no width.
    let ten = with_text(shown, format!("|{}|", character.to_string().repeat(10)));
    let none = with_text(shown, "||".to_owned());
    let width = measure(layout, &ten, font, false, 1.0, owner).width
        - measure(layout, &none, font, false, 1.0, owner).width;
    let times = (10.0 * room / width.max(1.0)) as usize;
    let mut text = shown.text();
    let at = text.floor_char_boundary(at);
    text.insert_str(at, &character.to_string().repeat(times.min(1000)));
    with_text(shown, text)
}

/// Repeats a text for the alignment "fill".
fn repeated(shown: &Shown, times: usize) -> Shown {
    with_text(shown, shown.text().repeat(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_visible_part_of_a_long_text_is_set() {
        let font = Font {
            size: 10.0,
            ..Font::default()
        };
        assert_eq!(seen_at_most(&font, 500.0), 1000 + ALWAYS);
        assert_eq!(seen_at_most(&font, -1.0), ALWAYS);
        assert_eq!(seen_at_most(&font, f32::INFINITY), MAX_CHARACTERS);
    }
}
