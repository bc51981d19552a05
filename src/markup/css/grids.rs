//! Parsing of grid and alignment properties (CSS Grid 2; CSS Box Alignment 3). Places nothing.
//!
//! A track list keeps `repeat()`, and line names outside of it, as they are written: how often an automatic repetition
//! fits is known only in layout.

use super::{
    geometry::size,
    property::{Compute, Declaration, now, one, own, wide},
    shorthand::all_of,
    style::{Align, GridFlow, GridLine, Size, Track, Tracks, Word},
    tokens::Token,
    value::{Cursor, Length},
};
use std::rc::Rc;

/// Limit on the tracks of a declaration, which bounds the memory of a grid. Browsers have such a limit, too (CSS Grid
/// 2, "Clamping Overly Large Grids").
const MAX_TRACKS: usize = 1000;
/// Limit on the line numbers and spans of an item, for the same reason.
const FURTHEST: i32 = 1000;

/// A value that is computed together with the style.
type Draft<T> = Box<dyn Fn(&super::property::Apply<'_>) -> T>;

/// Parses a track size (CSS Grid 2, 7.2): a flexible length (`fr`), `minmax()`, `fit-content()`, or
/// a size.
fn track(cursor: &mut Cursor<'_>) -> Option<Draft<Track>> {
    if let Some(Token::Dimension(number, unit)) = cursor.peek()
        && &**unit == "fr"
    {
        let number = number.clamp(0.0, 1e6);
        cursor.next();
        return Some(Box::new(move |_| Track::Fraction(number)));
    }
    if let Some((name, inside)) = cursor.attempt(|cursor| {
        let (name, inside) = cursor.function()?;
        matches!(name, "minmax" | "fit-content").then_some((name, inside))
    }) {
        let mut parts = inside.parts();
        if name == "fit-content" {
            let length = super::property::positive(&mut parts[0])?;
            return Some(Box::new(move |apply| Track::FitContent(length(apply))));
        }
        let [least, most] = parts.as_mut_slice() else {
            return None;
        };
        // Flexible lengths as the minimum are invalid in the specification, and harmless here.
        let (least, most) = (track(least)?, track(most)?);
        return Some(Box::new(move |apply| {
            Track::MinMax(Box::new(least(apply)), Box::new(most(apply)))
        }));
    }
    let size = size(cursor, false)?;
    Some(Box::new(move |apply| Track::Size(size(apply))))
}

/// Parses line names in square brackets (CSS Grid 2, 7.2.2).
fn names(cursor: &mut Cursor<'_>) -> Option<Vec<Rc<str>>> {
    let mut block = cursor.block('[')?;
    let mut names = Vec::new();
    while let Some(Token::Ident(name)) = block.next() {
        names.push(name.clone());
    }
    Some(names)
}

/// Parses a track list, as far as it goes (CSS Grid 2, 7.2). Line names inside `repeat()` are
/// dropped.
fn tracks(cursor: &mut Cursor<'_>) -> Option<Compute<Rc<[Tracks]>>> {
    if cursor.is_word("none") {
        return now(Rc::from([]));
    }
    let mut all: Vec<Draft<Tracks>> = Vec::new();
    while !cursor.is_done() && all.len() < MAX_TRACKS {
        if let Some(names) = names(cursor) {
            all.push(Box::new(move |_| Tracks::Names(names.clone())));
        } else if let Some(mut inside) = cursor.attempt(|cursor| {
            let (name, inside) = cursor.function()?;
            (name == "repeat").then_some(inside)
        }) {
            // Automatic repetition has no count yet; `auto-fit` also collapses empty tracks.
            let fits = inside.is_word("auto-fit");
            let count = match fits || inside.is_word("auto-fill") {
                true => None,
                false => Some(
                    inside
                        .integer()
                        .filter(|count| *count > 0)?
                        .min(MAX_TRACKS as i32) as u16,
                ),
            };
            inside.is_comma();
            let mut within = Vec::new();
            while !inside.is_done() {
                if names(&mut inside).is_none() {
                    within.push(track(&mut inside)?);
                }
            }
            // The number of tracks is limited and not the number of repetitions, because tracks fill the memory.
            if within.is_empty() || within.len() * usize::from(count.unwrap_or(1)) > MAX_TRACKS {
                return None;
            }
            all.push(Box::new(move |apply| {
                Tracks::Repeat(
                    count,
                    fits,
                    within.iter().map(|track| track(apply)).collect(),
                )
            }));
        } else if let Some(track) = cursor.attempt(track) {
            all.push(Box::new(move |apply| Tracks::One(track(apply))));
        } else {
            break;
        }
    }
    if all.is_empty() {
        return None;
    }
    Some(Box::new(move |apply| {
        all.iter().map(|tracks| tracks(apply)).collect()
    }))
}

/// Parses the sizes of implicit tracks, which repeat in this order (CSS Grid 2, 7.6).
fn auto_tracks(cursor: &mut Cursor<'_>) -> Option<Compute<Rc<[Track]>>> {
    let mut all = Vec::new();
    while !cursor.is_done() {
        all.push(track(cursor)?);
    }
    Some(Box::new(move |apply| {
        all.iter().map(|track| track(apply)).collect()
    }))
}

/// Named areas, row by row.
type Areas = Rc<[Vec<Rc<str>>]>;

/// Parses `grid-template-areas` (CSS Grid 2, 7.3): a string for each row, in which each word names
/// the area of a cell.
fn areas(cursor: &mut Cursor<'_>) -> Option<Areas> {
    let mut rows = Vec::new();
    while let Some(Token::Text(row)) = cursor.peek() {
        let row: Vec<Rc<str>> = row.split_ascii_whitespace().map(Into::into).collect();
        rows.push(row);
        cursor.next();
    }
    (!rows.is_empty()).then(|| rows.into())
}

/// Parses the grid line of one side of an item (CSS Grid 2, 8.3): `auto`, a span, a number, or a name with its
/// occurrence. The line number 0 is invalid.
fn line(cursor: &mut Cursor<'_>) -> Option<GridLine> {
    if cursor.is_word("auto") {
        return Some(GridLine::Auto);
    }
    // Line numbers beyond the limit are clamped instead of invalid.
    let clamp = |number: i32| number.clamp(-FURTHEST, FURTHEST) as i16;
    if cursor.is_word("span") {
        let count = cursor.integer().unwrap_or(1);
        return (count > 0).then(|| GridLine::Span(clamp(count) as u16));
    }
    if let Some(number) = cursor.integer() {
        return (number != 0).then(|| GridLine::Line(clamp(number)));
    }
    match cursor.next()? {
        Token::Ident(name) => Some(GridLine::Named(
            name.clone(),
            clamp(cursor.integer().unwrap_or(1)),
        )),
        _ => None,
    }
}

/// Expands to the declaration of one side of an item.
macro_rules! line_of {
    ($cursor:expr, $index:literal) => {
        one($cursor, own!(grid_lines[$index]), |cursor| {
            now(line(cursor)?)
        })
    };
}

/// Parses `grid-row`, `grid-column` or `grid-area`. A missing value is copied from the opposite side if the value there
/// is a name, else `auto` (CSS Grid 2, 8.4). CSS-wide keywords count as `auto`.
fn placed(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    if wide(&cursor).is_some() {
        let sides = [
            "grid-row-start",
            "grid-row-end",
            "grid-column-start",
            "grid-column-end",
        ];
        let own = match name {
            "grid-row" => &sides[..2],
            "grid-column" => &sides[2..],
            _ => &sides[..],
        };
        return all_of(own, cursor);
    }
    let mut rest = cursor;
    let mut parts = vec![line(&mut rest)?];
    while rest.is_delim('/') && parts.len() < 4 {
        parts.push(line(&mut rest)?);
    }
    if !rest.is_done() {
        return None;
    }
    // `from` is the index of the opposite side in the value.
    let or = |index: usize, from: usize| {
        parts
            .get(index)
            .cloned()
            .unwrap_or_else(|| match &parts[from.min(parts.len() - 1)] {
                named @ GridLine::Named(..) => named.clone(),
                _ => GridLine::Auto,
            })
    };
    let nothing = Cursor::new(&[]);
    let set = |index: usize, value: GridLine| match index {
        0 => one(nothing, own!(grid_lines[0]), |_| now(value)),
        1 => one(nothing, own!(grid_lines[1]), |_| now(value)),
        2 => one(nothing, own!(grid_lines[2]), |_| now(value)),
        _ => one(nothing, own!(grid_lines[3]), |_| now(value)),
    };
    Some(match name {
        // Lines are stored as row start, row end, column start, column end.
        "grid-row" => [set(0, or(0, 0))?, set(1, or(1, 0))?].concat(),
        "grid-column" => [set(2, or(0, 0))?, set(3, or(1, 0))?].concat(),
        _ => [
            set(0, or(0, 0))?,
            set(2, or(1, 0))?,
            set(1, or(2, 0))?,
            set(3, or(3, 1))?,
        ]
        .concat(),
    })
}

/// Parses an alignment (CSS Box Alignment 3, 4). Modifiers such as `safe` and `last` are ignored.
fn align(cursor: &mut Cursor<'_>) -> Option<Compute<Align>> {
    for prefix in ["safe", "unsafe", "first", "last", "legacy"] {
        cursor.is_word(prefix);
    }
    now(Align::of(&cursor.word()?)?)
}

/// Parses a `place-` shorthand: both axes, the second like the first if it is missing.
fn pair(cursor: Cursor<'_>, first: &str, second: &str) -> Option<Vec<Declaration>> {
    if wide(&cursor).is_some() {
        return Some([declare(first, cursor)?, declare(second, cursor)?].concat());
    }
    let tokens = cursor.rest();
    // Each axis has one value here, so the first space divides them.
    let split = tokens.iter().position(|token| *token == Token::Space);
    let (one, other) = match split {
        Some(at) => (&tokens[..at], &tokens[at..]),
        None => (tokens, tokens),
    };
    Some(
        [
            declare(first, Cursor::new(one))?,
            declare(second, Cursor::new(other))?,
        ]
        .concat(),
    )
}

/// Parses `grid-template`, and `grid` in the forms that are equal to it (CSS Grid 2, 7.4). With
/// areas, each row is a string followed by its size; without, the value is two track lists with a
/// slash between them.
fn template(mut cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    let nothing = Cursor::new(&[]);
    let (mut names_of, mut rows): (Vec<Vec<Rc<str>>>, Vec<Draft<Tracks>>) =
        (Vec::new(), Vec::new());
    // Only areas are written as strings.
    let has_areas = cursor
        .rest()
        .iter()
        .any(|token| matches!(token, Token::Text(_)));
    if cursor.is_word("none") {
        return Some(
            [
                one(nothing, own!(grid_rows), |_| now(Rc::from([])))?,
                one(nothing, own!(grid_columns), |_| now(Rc::from([])))?,
            ]
            .concat(),
        );
    }
    let row_tracks: Compute<Rc<[Tracks]>> = if has_areas {
        while !cursor.is_done() && cursor.peek() != Some(&Token::Delim('/')) {
            // Names of grid lines before and after a row are dropped.
            names(&mut cursor);
            let Some(Token::Text(row)) = cursor.next() else {
                return None;
            };
            names_of.push(row.split_ascii_whitespace().map(Into::into).collect());
            match cursor.attempt(track) {
                Some(track) => rows.push(Box::new(move |apply| Tracks::One(track(apply)))),
                // A row without a size is `auto`.
                None => rows.push(Box::new(|_| Tracks::One(Track::Size(Size::Auto)))),
            }
            names(&mut cursor);
        }
        Box::new(move |apply| rows.iter().map(|row| row(apply)).collect())
    } else {
        tracks(&mut cursor)?
    };
    let columns: Compute<Rc<[Tracks]>> = match cursor.is_delim('/') {
        true => tracks(&mut cursor)?,
        false => Box::new(|_| Rc::from([])),
    };
    if !cursor.is_done() {
        return None;
    }
    let areas: Areas = names_of.into();
    Some(
        [
            one(nothing, own!(grid_rows), |_| Some(row_tracks))?,
            one(nothing, own!(grid_columns), |_| Some(columns))?,
            one(nothing, own!(grid_areas), |_| now(areas))?,
        ]
        .concat(),
    )
}

/// Parses the declaration of a grid or alignment property; `None` if it is unknown or invalid.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        // Explicit and implicit tracks.
        "grid-template-columns" => one(cursor, own!(grid_columns), tracks),
        "grid-template-rows" => one(cursor, own!(grid_rows), tracks),
        "grid-auto-columns" => one(cursor, own!(grid_auto_columns), auto_tracks),
        "grid-auto-rows" => one(cursor, own!(grid_auto_rows), auto_tracks),
        "grid-auto-flow" => one(cursor, own!(grid_flow), |cursor| {
            let mut words = Vec::new();
            while let Some(word) = cursor.word() {
                words.push(word);
            }
            now(match words.join(" ").as_str() {
                "row" => GridFlow::Row,
                "column" => GridFlow::Column,
                "dense" | "row dense" | "dense row" => GridFlow::Dense,
                "column dense" | "dense column" => GridFlow::ColumnDense,
                _ => return None,
            })
        }),
        "grid-template-areas" => one(cursor, own!(grid_areas), |cursor| {
            if cursor.is_word("none") {
                return now(Rc::from([]));
            }
            now(areas(cursor)?)
        }),
        "grid-template" | "grid" => template(cursor),
        // Grid lines between which items are placed.
        "grid-row-start" => line_of!(cursor, 0),
        "grid-row-end" => line_of!(cursor, 1),
        "grid-column-start" => line_of!(cursor, 2),
        "grid-column-end" => line_of!(cursor, 3),
        "grid-row" | "grid-column" | "grid-area" => placed(name, cursor),
        // Alignment, which flexible boxes use as well.
        "justify-content" | "-webkit-justify-content" => one(cursor, own!(justify_content), align),
        "align-content" => one(cursor, own!(align_content), align),
        "align-items" | "-webkit-align-items" => one(cursor, own!(align_items), align),
        "align-self" | "-webkit-align-self" => one(cursor, own!(align_self), align),
        "justify-items" => one(cursor, own!(justify_items), align),
        "justify-self" => one(cursor, own!(justify_self), align),
        "place-content" => pair(cursor, "align-content", "justify-content"),
        "place-items" => pair(cursor, "align-items", "justify-items"),
        "place-self" => pair(cursor, "align-self", "justify-self"),
        _ => None,
    }
}

/// Used size of a gap in px; `None` (`normal`) is 0.
pub fn gap(gap: Option<&Length>, base: f32) -> f32 {
    gap.map_or(0.0, |gap| gap.of(base).max(0.0))
}
