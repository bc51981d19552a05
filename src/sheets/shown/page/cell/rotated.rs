//! Text of a cell that is rotated, or whose letters stand below one another.

use super::{LEFT, Owner, RIGHT, Room, broken, measure, placed, set, side, with_text, wraps};
use crate::shown::{
    style::{Align, Down, HorizontalAlignment, Style, Turn},
    text::Shown,
};
use convertd_layout::{context::Layout, item::Item};
use convertd_tree::Alignment;

/// Lays out text that is rotated by degrees, counter-clockwise.
pub(super) fn turned(
    layout: &mut Layout<'_>,
    shown: &Shown,
    style: &Style,
    room: &Room,
    owner: Owner,
    degrees: i16,
    items: &mut Vec<Item>,
) {
    let area = room.area;
    let align = &style.align;
    let wraps = wraps(align);
    let (sin, cos) = f32::from(degrees).to_radians().sin_cos();
    let measured = measure(layout, shown, &style.font, wraps, 1.0, owner);
    let width = match wraps && degrees.abs() == 90 {
        true => (area.height - LEFT - RIGHT).max(1.0),
        false => measured.width.max(1.0),
    };
    let across = side(align, shown.kind);
    let lines = broken(layout, measured, width, Alignment::Start, align);
    let height: f32 = lines.iter().map(|line| line.height).sum();
    // Bounding box of the rotated text.
    let box_width = width * cos.abs() + height * sin.abs();
    let box_height = width * sin.abs() + height * cos.abs();
    let x = match across {
        HorizontalAlignment::Right => area.x + area.width - RIGHT - box_width,
        HorizontalAlignment::Left | HorizontalAlignment::Fill
            if align.across != HorizontalAlignment::General =>
        {
            area.x + LEFT
        }
        HorizontalAlignment::Centre
        | HorizontalAlignment::CentreContinuous
        | HorizontalAlignment::Justify
        | HorizontalAlignment::Distributed => area.x + (area.width - box_width) / 2.0,
        _ => area.x + LEFT,
    };
    let y = match align.down {
        Down::Top => area.y + LEFT,
        Down::Centre | Down::Justify | Down::Distributed => {
            area.y + (area.height - box_height) / 2.0
        }
        Down::Bottom => area.y + area.height - box_height - LEFT,
    };
    let (middle_x, middle_y) = (x + box_width / 2.0, y + box_height / 2.0);
    let placed = placed(lines, -width / 2.0, -height / 2.0);
    // The y axis points downwards, so the sine of a counter-clockwise rotation changes its sign.
    let moved = Item::Moved {
        matrix: [cos, -sin, sin, cos, middle_x, middle_y],
        items: placed,
    };
    let fits = box_width <= area.width + 1.0 && box_height <= area.height + 1.0;
    // Only vertical text is cut at the edges of its cell. Text at other angles may reach over its neighbours, as in
    // Excel.
    match fits || degrees.abs() != 90 {
        true => items.push(moved),
        false => items.push(Item::Cut {
            area,
            items: vec![moved],
        }),
    }
}

/// Lays out upright letters below one another: as a wrapped text with a line for each letter.
pub(super) fn stacked(
    layout: &mut Layout<'_>,
    shown: &Shown,
    style: &Style,
    room: &Room,
    owner: Owner,
    items: &mut Vec<Item>,
) {
    let text = shown.text();
    let letters: Vec<String> = text.chars().take(256).map(String::from).collect();
    let column = with_text(shown, letters.join("\n"));
    let upright = Style {
        align: Align {
            turn: Turn::None,
            wrap: true,
            across: match style.align.across {
                HorizontalAlignment::General => HorizontalAlignment::Centre,
                across => across,
            },
            ..style.align
        },
        ..style.clone()
    };
    set(layout, &column, &upright, room, owner, items);
}
