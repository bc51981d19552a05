//! Form fields (ISO 32000-2, 12.7) as text next to their labels. The values of fields are already drawn, so only the
//! state of buttons and the selection of list boxes are read here.
//!
//! A value is in a box of its own, which may be a few points above or below the baseline of its label, and far away
//! from it. The value would therefore become a separate paragraph or column. This module moves the value to the
//! baseline and the end of its label, together with the text after the value in the row. A checkbox becomes a sign for
//! its state. If a table's rule is between label and field, both stay in their cells.

use super::{
    compare::by,
    page_text::{Letter, Letters},
    styles::Style,
};
use crate::read::fields::{self, holder};
use hayro::{
    hayro_syntax::{
        object::{Array, Dict, Name, Rect as PdfRect},
        page::Page,
    },
    kurbo::{Affine, Rect},
};
use std::ops::Range;

/// Limit on the annotations of a page that are read.
const MAX: usize = 2_000;

/// Limit on the number of letters times fields: every letter is compared with every field.
const MAX_PAIRS: usize = 50_000_000;

/// Flag of a choice field that is a combo box (12.7.5.4). A choice field without the flag is a list box, which shows
/// all of its entries.
const COMBO: i32 = 1 << 17;

/// Flag of a button field that is a radio button (12.7.5.2.1).
const RADIO: i32 = 1 << 15;
/// Flag of a button field that is a push button (12.7.5.2.1).
const PUSH: i32 = 1 << 16;

/// Gap between label and field after the move, in multiples of the font size.
const GAP: f32 = 0.6;
/// Gap after a field from which the text after the gap does not move, in multiples of the font size.
const NEAR: f32 = 6.0;

/// Largest distance of a label before a field, in multiples of the font size.
const FAR: f32 = 25.0;
/// Largest distance of a label before a field if another label is above the field, in multiples of the font size.
const CLOSE: f32 = 3.0;

/// Ascent, as a fraction of the font size.
const ASCENT: f32 = 0.7;
/// Descent, as a fraction of the font size.
const DESCENT: f32 = 0.2;

/// Largest distance from the side of a field to a rule of the frame of the field, in points.
const FRAME: f32 = 4.0;

/// A form field on a page.
struct Widget {
    /// Area on the upright page, in points.
    area: Rect,
    /// Sign for the state, if it is a checkbox or radio button.
    sign: Option<&'static str>,
    /// Selected entries, if it is a list box.
    chosen: Vec<String>,
}

/// Moves the fields of a page to their labels.
pub(crate) fn settle(page: &Page<'_>, letters: &mut Letters) {
    let widgets = of(page);
    if widgets.is_empty() || widgets.len().saturating_mul(letters.all.len()) > MAX_PAIRS {
        return;
    }
    // For each letter, the index of the field that contains it.
    let mut fields: Vec<Option<usize>> = letters
        .all
        .iter()
        .map(|letter| field(&widgets, letter))
        .collect();
    // The mark that a button draws is replaced by a sign.
    let is_mark = |field: Option<usize>| field.is_some_and(|field| widgets[field].sign.is_some());
    let lost = unchosen(&widgets, letters, &fields);
    let kept: Vec<bool> = (fields.iter().zip(lost))
        .map(|(field, lost)| !lost && !is_mark(*field))
        .collect();
    let mut at = kept.iter();
    letters.all.retain(|_| at.next() == Some(&true));
    let mut at = kept.iter();
    fields.retain(|_| at.next() == Some(&true));
    for (number, widget) in widgets.iter().enumerate() {
        let Some(sign) = widget.sign else { continue };
        // The sign is as high as the button, but not smaller or larger than usual text.
        let height = (widget.area.height() as f32).clamp(4.0, 14.0);
        let start = letters.text.len() as u32;
        letters.text.push_str(sign);
        letters.all.push(Letter {
            text: start..letters.text.len() as u32,
            x: (widget.area.x0 as f32, widget.area.x1 as f32),
            y: widget.area.y1 as f32 - DESCENT * height,
            size: height,
            angle: 0,
            style: Style::default(),
            link: None,
            spaced: true,
            artifact: false,
            mark: None,
            object: None,
        });
        fields.push(Some(number));
    }
    let levelled = widgets.iter().enumerate();
    let levelled: Vec<bool> = levelled
        .map(|(number, widget)| level(number, widget, letters, &fields))
        .collect();
    close(&widgets, &levelled, letters, &fields);
}

/// Visible fields of a page: text, choice, and buttons other than pushbuttons.
fn of(page: &Page<'_>) -> Vec<Widget> {
    let mut widgets = Vec::new();
    let upright = Affine::new(page.initial_transform(true).as_coeffs());
    let Some(annotations) = page.raw().get::<Array<'_>>("Annots") else {
        return widgets;
    };
    for annotation in annotations.iter::<Dict<'_>>().take(MAX) {
        let name = |dict: &Dict<'_>, key: &str| dict.get::<Name<'_>>(key).map(|name| name.to_vec());
        if name(&annotation, "Subtype").as_deref() != Some(b"Widget")
            || annotation.get::<i32>("F").unwrap_or(0) & fields::UNSEEN != 0
        {
            continue;
        }
        let (Some(area), Some(kind)) =
            (annotation.get::<PdfRect>("Rect"), holder(&annotation, "FT"))
        else {
            continue;
        };
        let flags = holder(&annotation, "Ff")
            .and_then(|field| field.get::<i32>("Ff"))
            .unwrap_or(0);
        let sign = match name(&kind, "FT").as_deref() {
            Some(b"Btn") if flags & PUSH != 0 => continue,
            Some(b"Btn") => {
                // The appearance state of the widget, or else the value of the field.
                let value = || holder(&annotation, "V").and_then(|field| name(&field, "V"));
                let state = name(&annotation, "AS").or_else(value);
                let is_on = state.is_some_and(|state| state != b"Off");
                Some(match (flags & RADIO != 0, is_on) {
                    (true, true) => "(•)",
                    (true, false) => "( )",
                    (false, true) => "☒",
                    (false, false) => "☐",
                })
            }
            Some(b"Tx" | b"Ch") => None,
            _ => continue,
        };
        let is_list = name(&kind, "FT").as_deref() == Some(b"Ch") && flags & COMBO == 0;
        let chosen = match is_list {
            true => fields::chosen_values(&annotation),
            false => Vec::new(),
        };
        let area = Rect::new(area.x0, area.y0, area.x1, area.y1);
        let area = upright.transform_rect_bbox(area);
        if area.is_finite() && area.width() > 1.0 && area.height() > 1.0 {
            widgets.push(Widget { area, sign, chosen });
        }
    }
    widgets
}

/// Returns for each letter whether it belongs to an entry of a list that is not selected. A list is not changed if no
/// entry matches its selected values.
fn unchosen(widgets: &[Widget], letters: &Letters, fields: &[Option<usize>]) -> Vec<bool> {
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let mut lost = vec![false; letters.all.len()];
    let lists = widgets.iter().enumerate();
    for (number, list) in lists.filter(|(_, widget)| !widget.chosen.is_empty()) {
        let chosen: Vec<String> = list.chosen.iter().map(|entry| bare(entry)).collect();
        let own = (0..lost.len()).filter(|at| fields[*at] == Some(number));
        let mut own: Vec<usize> = own.collect();
        own.sort_by(|one, other| {
            let place = |at: usize| (letters.all[at].y, letters.all[at].x.0);
            let ((y, x), (other_y, other_x)) = (place(*one), place(*other));
            y.total_cmp(&other_y).then(x.total_cmp(&other_x))
        });
        // Each line is an entry.
        let entries =
            own.chunk_by(|one, other| (letters.all[*one].y - letters.all[*other].y).abs() < 1.0);
        let is_chosen = |entry: &[usize]| {
            let parts = entry.iter().map(|at| {
                let Range { start, end } = letters.all[*at].text;
                letters
                    .text
                    .get(start as usize..end as usize)
                    .unwrap_or_default()
            });
            chosen.contains(&bare(&parts.collect::<String>()))
        };
        let (kept, left): (Vec<&[usize]>, Vec<&[usize]>) =
            entries.partition(|entry| is_chosen(entry));
        if !kept.is_empty() {
            left.concat().into_iter().for_each(|at| lost[at] = true);
        }
    }
    lost
}

/// Index of the smallest field that contains the centre of an upright letter. `None` for rotated letters.
fn field(widgets: &[Widget], letter: &Letter) -> Option<usize> {
    if letter.angle != 0 {
        return None;
    }
    let (x, y) = (
        0.5 * (letter.x.0 + letter.x.1),
        letter.y - 0.3 * letter.size,
    );
    let inside = widgets
        .iter()
        .enumerate()
        .filter(|(_, widget)| widget.area.contains((f64::from(x), f64::from(y))));
    inside
        .min_by(|(_, one), (_, other)| one.area.area().total_cmp(&other.area.area()))
        .map(|(at, _)| at)
}

/// Returns whether an upright letter is at the height of a field. Artifacts do not count.
fn is_beside(letter: &Letter, area: &Rect) -> bool {
    let (top, bottom) = (
        letter.y - ASCENT * letter.size,
        letter.y + DESCENT * letter.size,
    );
    let overlap = bottom.min(area.y1 as f32) - top.max(area.y0 as f32);
    letter.angle == 0 && !letter.artifact && overlap > 0.4 * (bottom - top)
}

/// Moves the first line of a field to the baseline of its label, which is the nearest text to its left. The label of a
/// button may also be on its right. Returns `false` if no label is close enough.
fn level(number: usize, widget: &Widget, letters: &mut Letters, fields: &[Option<usize>]) -> bool {
    let area = &widget.area;
    let mut nearest: Option<(f32, f32, f32)> = None;
    let mut is_below_label = false;
    for (letter, _) in letters
        .all
        .iter()
        .zip(fields)
        .filter(|(_, field)| field.is_none())
    {
        let middle = 0.5 * (letter.x.0 + letter.x.1);
        // If a label is above the field, text far to the left is unlikely to be another label.
        let above = area.y0 as f32 - letter.y;
        let stands_over = (area.x0 as f32..area.x1 as f32).contains(&middle)
            && (-2.0..letter.size).contains(&above);
        is_below_label |= widget.sign.is_none() && stands_over;
        if !is_beside(letter, area) {
            continue;
        }
        let left = area.x0 as f32 - letter.x.1;
        let right = letter.x.0 - area.x1 as f32;
        let gap = match (left > -2.0, widget.sign.is_some()) {
            (true, _) => left,
            (false, true) => right,
            (false, false) => continue,
        };
        if gap > -2.0 && nearest.is_none_or(|(known, ..)| gap < known) {
            nearest = Some((gap, letter.y, letter.size));
        }
    }
    let most = if is_below_label { CLOSE } else { FAR };
    let nearest = nearest.filter(|(gap, _, size)| *gap < most * size);
    let own = letters
        .all
        .iter()
        .zip(fields)
        .filter(|(_, field)| **field == Some(number));
    // The first line moves to the baseline of the label. The other lines move by the same distance.
    let first = own.map(|(letter, _)| letter.y).min_by(|a, b| by(*a, *b));
    let (Some((_, y, size)), Some(first)) = (nearest, first) else {
        return false;
    };
    for (letter, field) in letters.all.iter_mut().zip(fields) {
        if *field == Some(number) {
            letter.y += y - first;
            if widget.sign.is_some() {
                letter.size = size;
            }
        }
    }
    true
}

/// Closes the gaps before fields that were moved to a label, and small gaps after these fields. Sorts the letters of
/// the rows that contain these fields.
fn close(widgets: &[Widget], levelled: &[bool], letters: &mut Letters, fields: &[Option<usize>]) {
    let mut order: Vec<usize> = (0..letters.all.len()).collect();
    let mut rows: Vec<f32> = Vec::new();
    for (at, letter) in letters.all.iter().enumerate() {
        if fields[at].is_some_and(|field| levelled[field])
            && !rows.iter().any(|row| (row - letter.y).abs() < 0.5)
        {
            rows.push(letter.y);
        }
    }
    for row in rows {
        let is_on_row =
            |letter: &Letter| letter.angle == 0 && !letter.artifact && (letter.y - row).abs() < 0.5;
        let places: Vec<usize> = (0..order.len())
            .filter(|at| is_on_row(&letters.all[order[*at]]))
            .collect();
        let mut own: Vec<usize> = places.iter().map(|at| order[*at]).collect();
        own.sort_by(|a, b| by(letters.all[*a].x.0, letters.all[*b].x.0));
        let mut shift = 0.0;
        for pair in 1..own.len() {
            let (last, next) = (own[pair - 1], own[pair]);
            let size = letters.all[next].size.max(letters.all[last].size);
            // The previous letter has already moved by `shift`, so this is where it ended before.
            let end = letters.all[last].x.1 + shift;
            let gap = letters.all[next].x.0 - end;
            let moves = |at: usize| {
                fields[at].is_some_and(|field| levelled[field]) && fields[next] != fields[last]
            };
            let (begins_field, follows_field) = (moves(next), moves(last));
            // Before a field, every gap is closed. After a field, only a small gap is closed, because distant text may
            // be another column. A gap with a rule in it stays.
            let closes = begins_field && gap > GAP * size
                || follows_field && (GAP * size..NEAR * size).contains(&gap);
            if closes && !is_ruled(widgets, letters, (end, end + gap), row) {
                shift += gap - GAP * size;
            } else if gap > NEAR * size {
                // Distant text does not move.
                shift = 0.0;
            }
            if begins_field || follows_field {
                letters.all[next].spaced = true;
            }
            letters.all[next].x.0 -= shift;
            letters.all[next].x.1 -= shift;
        }
        // Fields are drawn last, so their letters are sorted into the row.
        for (place, letter) in places.into_iter().zip(own) {
            order[place] = letter;
        }
    }
    letters.all = order.iter().map(|at| letters.all[*at].clone()).collect();
}

/// Returns whether a rule other than the frame of a field is between two positions in a row.
fn is_ruled(widgets: &[Widget], letters: &Letters, (from, to): (f32, f32), row: f32) -> bool {
    let is_frame = |at: f32| {
        let is_near = |x: f64| (x as f32 - at).abs() < FRAME;
        let mut beside = widgets.iter().filter(|widget| {
            (widget.area.y0 as f32 - 20.0..widget.area.y1 as f32 + 20.0).contains(&row)
        });
        beside.any(|widget| is_near(widget.area.x0) || is_near(widget.area.x1))
    };
    letters.rules.down.iter().any(|rule| {
        let between = (from..to).contains(&rule.at) && rule.from < row && row < rule.to + 2.0;
        between && !is_frame(rule.at)
    })
}
