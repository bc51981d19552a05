//! The fields of a form (ISO 32000-2, 12.7) as text at their labels. Reads no value: what a field shows is drawn already, and only a button
//! shows none.
//!
//! A value stands in a box of its own, some points above or below the line of its label and as far away as the form has room for it, so that
//! it would be a paragraph or a column of its own. Here it comes to the line and the end of its label, and what follows it in the row comes
//! along. A box that is ticked, or not, becomes the sign for that. Where a rule of a table stands between a label and its field, both stay
//! in their cells.

use super::{
    compare::by,
    page_text::{Letter, Letters},
    styles::Style,
};
use crate::pdf::read::fields::{self, holder};
use hayro::{
    hayro_syntax::{
        object::{Array, Dict, Name, Rect as PdfRect},
        page::Page,
    },
    kurbo::{Affine, Rect},
};

/// The largest number of fields of a page that are looked at.
const MOST: usize = 2_000;

/// The limit on letters times fields of a page: each is compared with each.
const MOST_PAIRS: usize = 50_000_000;

/// The flags of buttons (12.7.5.2): of several one is chosen, and it only starts something.
const RADIO: i32 = 1 << 15;
const PUSH: i32 = 1 << 16;

/// The width of the gap between a label and its field afterwards, and the widest one behind a field that is closed, as multiples of the
/// size.
const GAP: f32 = 0.6;
const NEAR: f32 = 6.0;

/// The largest distance of a label in front of a field, and of one where the field has another above it, as multiples of the size.
const FAR: f32 = 25.0;
const CLOSE: f32 = 3.0;

/// The ascent and the descent of letters as shares of their size.
const ASCENT: f32 = 0.7;
const DESCENT: f32 = 0.2;

/// The distance within which a rule belongs to the frame of a field, in points.
const FRAME: f32 = 4.0;

/// A field of a page.
struct Widget {
    area: Rect,
    /// The sign for its state, if it is a button.
    sign: Option<&'static str>,
}

/// Brings the fields of a page to their labels.
pub(crate) fn settle(page: &Page<'_>, letters: &mut Letters) {
    let widgets = of(page);
    if widgets.is_empty() || widgets.len().saturating_mul(letters.all.len()) > MOST_PAIRS {
        return;
    }
    // The field that each letter is in.
    let mut fields: Vec<Option<usize>> = letters
        .all
        .iter()
        .map(|letter| field(&widgets, letter))
        .collect();
    // The marks that buttons draw are replaced by signs.
    let is_mark = |field: Option<usize>| field.is_some_and(|field| widgets[field].sign.is_some());
    let mut at = 0;
    letters.all.retain(|_| {
        at += 1;
        !is_mark(fields[at - 1])
    });
    fields.retain(|field| !is_mark(*field));
    for (number, widget) in widgets.iter().enumerate() {
        let Some(sign) = widget.sign else { continue };
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
            thing: None,
        });
        fields.push(Some(number));
    }
    let levelled = widgets.iter().enumerate();
    let levelled: Vec<bool> = levelled
        .map(|(number, widget)| level(number, widget, letters, &fields))
        .collect();
    close(&widgets, &levelled, letters, &fields);
}

fn of(page: &Page<'_>) -> Vec<Widget> {
    let mut widgets = Vec::new();
    let upright = Affine::new(page.initial_transform(true).as_coeffs());
    let Some(annotations) = page.raw().get::<Array<'_>>("Annots") else {
        return widgets;
    };
    for annotation in annotations.iter::<Dict<'_>>().take(MOST) {
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
                // The state of a widget; the value of the field where it does not say one.
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
        let area = Rect::new(area.x0, area.y0, area.x1, area.y1);
        let area = upright.transform_rect_bbox(area);
        if area.is_finite() && area.width() > 1.0 && area.height() > 1.0 {
            widgets.push(Widget { area, sign });
        }
    }
    widgets
}

/// The smallest field that a letter stands in.
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

/// Whether a letter stands beside a field.
fn is_beside(letter: &Letter, area: &Rect) -> bool {
    let (top, bottom) = (
        letter.y - ASCENT * letter.size,
        letter.y + DESCENT * letter.size,
    );
    let overlap = bottom.min(area.y1 as f32) - top.max(area.y0 as f32);
    letter.angle == 0 && !letter.artifact && overlap > 0.4 * (bottom - top)
}

/// Puts the first line of a field on the baseline of its label: the nearest text on its left or, for a button, on either side. False if it
/// has none there, or a label above it.
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

/// Closes the gaps in front of fields and, where they are small, behind them; letters of each row come in their order.
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
        let is_in =
            |letter: &Letter| letter.angle == 0 && !letter.artifact && (letter.y - row).abs() < 0.5;
        let places: Vec<usize> = (0..order.len())
            .filter(|at| is_in(&letters.all[order[*at]]))
            .collect();
        let mut own: Vec<usize> = places.iter().map(|at| order[*at]).collect();
        own.sort_by(|a, b| by(letters.all[*a].x.0, letters.all[*b].x.0));
        let mut shift = 0.0;
        for pair in 1..own.len() {
            let (last, next) = (own[pair - 1], own[pair]);
            let size = letters.all[next].size.max(letters.all[last].size);
            // The last one has moved by this already.
            let end = letters.all[last].x.1 + shift;
            let gap = letters.all[next].x.0 - end;
            let moves = |at: usize| {
                fields[at].is_some_and(|field| levelled[field]) && fields[next] != fields[last]
            };
            let (is_new, is_behind) = (moves(next), moves(last));
            let closes =
                is_new && gap > GAP * size || is_behind && (GAP * size..NEAR * size).contains(&gap);
            if closes && !is_ruled(widgets, letters, (end, end + gap), row) {
                shift += gap - GAP * size;
            } else if gap > NEAR * size {
                shift = 0.0;
            }
            if is_new || is_behind {
                letters.all[next].spaced = true;
            }
            letters.all[next].x.0 -= shift;
            letters.all[next].x.1 -= shift;
        }
        // What is drawn last, as fields are, comes where it belongs in the row.
        for (place, letter) in places.into_iter().zip(own) {
            order[place] = letter;
        }
    }
    letters.all = order.iter().map(|at| letters.all[*at].clone()).collect();
}

/// Whether a rule that is not the frame of a field stands between two places of a row.
fn is_ruled(widgets: &[Widget], letters: &Letters, (from, to): (f32, f32), row: f32) -> bool {
    let is_frame = |at: f32| {
        let near = |x: f64| (x as f32 - at).abs() < FRAME;
        let mut beside = widgets.iter().filter(|widget| {
            (widget.area.y0 as f32 - 20.0..widget.area.y1 as f32 + 20.0).contains(&row)
        });
        beside.any(|widget| near(widget.area.x0) || near(widget.area.x1))
    };
    letters.rules.down.iter().any(|rule| {
        let between = (from..to).contains(&rule.at) && rule.from < row && row < rule.to + 2.0;
        between && !is_frame(rule.at)
    })
}
