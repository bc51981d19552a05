//! Classifies components: letters, small marks (dots, commas, dashes, accents), specks, boxes of forms, large dark
//! areas, pictures. Joins nothing.
//!
//! Most measures are relative to the x-height, the median height of all components that may be letters. Only a few
//! least sizes are in pixels. The resolution that the file states is not used, because it is often wrong.

use super::{
    area::{Area, median},
    components::{Component, Components, Run},
};

/// Kind of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComponentKind {
    /// A component that is too small to be a letter or sign.
    Speck,
    /// A dot, a comma, a dash, an accent.
    Small,
    /// A letter, or several letters that touch.
    Letter,
    /// A hollow square that can be ticked; with or without a mark in it.
    Box,
    /// A large area full of ink, in which there may be light letters.
    Dark,
    /// A frame or a drawing: large, and hardly any ink in it.
    Frame,
    /// Larger than letters, and neither dark area nor frame.
    Picture,
}

/// The largest height of a letter, in x-heights.
const TALLEST: i32 = 7;
/// The largest width of a word of joined letters, in x-heights.
const WIDEST: i32 = 14;

/// The median height of components that may be letters: about the height of an x. 0 if there are no such components.
pub(crate) fn x_height(list: &[Component]) -> i32 {
    let like_letters = |most: i32| -> Vec<i32> {
        list.iter()
            .map(|component| component.area)
            .filter(|area| (5..=most).contains(&area.height()) && area.width() < 3 * area.height())
            .map(|area| area.height())
            .collect()
    };
    let mut heights = like_letters(200);
    if heights.is_empty() {
        heights = like_letters(i32::MAX);
    }
    median(&mut heights)
}

/// Returns whether most components are specks of noise.
pub(crate) fn is_noisy(list: &[Component]) -> bool {
    /// The least number of specks of a noisy page.
    const LEAST: usize = 1000;
    let specks = list.iter().filter(|component| component.ink <= 3).count();
    specks > LEAST && specks > 3 * (list.len() - specks)
}

/// Classifies a component by its size and its ink. Never returns [`ComponentKind::Box`]; [`form_box`] detects boxes.
pub(crate) fn kind(components: &Components<'_>, index: u32, x_height: i32) -> ComponentKind {
    let Component { area, ink } = components.list[index as usize];
    let (width, height) = (area.width(), area.height());
    let least = (x_height * x_height * 81 / 10_000).max(3);
    if (ink as i32) < least || width <= 2 && height <= 2 {
        return ComponentKind::Speck;
    }
    let full = f64::from(ink) / area.pixels() as f64;
    if full > 0.5
        && height * 10 >= 13 * x_height
        && width >= 3 * x_height
        && width > height
        && is_bar(components, index)
        || full > 0.5 && height >= 4 * x_height && width >= 4 * x_height
    {
        return ComponentKind::Dark;
    }
    if height > TALLEST * x_height || width > WIDEST * x_height {
        return match full < 0.15 {
            true => ComponentKind::Frame,
            false => ComponentKind::Picture,
        };
    }
    match 2 * height >= x_height {
        true => ComponentKind::Letter,
        false => ComponentKind::Small,
    }
}

/// Returns whether a component is a bar with straight edges: near its top and near its bottom, a row is mostly ink.
/// Letters that touch each other, as in blurred or bold print, are as dark as a bar with light text in it, but only a
/// few of these letters reach the top or the bottom edge of the component.
fn is_bar(components: &Components<'_>, index: u32) -> bool {
    let area = components.list[index as usize].area;
    let edge = (area.height() / 8).max(1);
    let full = |mut rows: std::ops::Range<i32>| {
        rows.any(|y| {
            let runs = components.row_between(y, area.left, area.right);
            let own = runs.iter().filter(|run| run.component == index);
            let ink: i32 = own.map(|run| i32::from(run.end - run.start)).sum();
            5 * ink >= 4 * area.width()
        })
    };
    full(area.top..area.top + edge) && full(area.bottom - edge..area.bottom)
}

/// State of a box of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tick {
    Empty,
    Ticked,
    Crossed,
}

/// State of a component that is a box of a form: four straight sides with sharp corners, and little else. `None` for
/// any other component.
pub(crate) fn form_box(components: &Components<'_>, index: u32, x_height: i32) -> Option<Tick> {
    let Component { area, ink } = components.list[index as usize];
    let (width, height) = (area.width(), area.height());
    let (low, high) = (width.min(height), width.max(height));
    let fits = 10 * low >= 9 * x_height && high <= 4 * x_height && 5 * low >= 4 * high && low >= 10;
    if !fits {
        return None;
    }
    let stroke = (low / 6).max(2);
    let runs = |y: i32| {
        components
            .row_between(y, area.left, area.right)
            .iter()
            .filter(move |run| run.component == index)
    };
    let length = |run: &Run| i32::from(run.end - run.start);
    // A box has a row at the top and one at the bottom that are mostly ink, and nearly every row begins and ends with
    // ink.
    let full = |rows: std::ops::Range<i32>| {
        rows.into_iter()
            .any(|y| runs(y).map(length).sum::<i32>() * 20 >= 19 * width)
    };
    if !full(area.top..area.top + stroke) || !full(area.bottom - stroke..area.bottom) {
        return None;
    }
    let mut sides = 0;
    let mut inner = 0;
    for y in area.top..area.bottom {
        let first = runs(y).next().map_or(i32::MAX, |run| i32::from(run.start));
        let last = runs(y).next_back().map_or(0, |run| i32::from(run.end));
        sides += i32::from(first <= area.left + stroke / 2 && last >= area.right - stroke / 2);
        if y >= area.top + stroke && y < area.bottom - stroke {
            inner += components
                .row_between(y, area.left + stroke, area.right - stroke)
                .iter()
                .map(|run| {
                    i32::from(run.end).min(area.right - stroke)
                        - i32::from(run.start).max(area.left + stroke)
                })
                .sum::<i32>();
        }
    }
    if sides * 20 < 19 * height {
        return None;
    }
    let inside = ((width - 2 * stroke) * (height - 2 * stroke)).max(1);
    let share = f64::from(inner) / f64::from(inside);
    match share {
        // An empty box has hardly any ink inside. Characters such as B and 8 have more ink inside, but are narrower
        // than a ticked box.
        _ if share < 0.04 => Some(Tick::Empty),
        _ if width * 10 < 13 * x_height || f64::from(ink) > 0.95 * area.pixels() as f64 => None,
        _ => Some(mark_within(components, area.grown(-stroke, -stroke))),
    }
}

/// Kind of the mark in a box: a cross has at least an eighth of its ink in each quarter of the box, a tick does not.
fn mark_within(components: &Components<'_>, area: Area) -> Tick {
    let (width, height) = (area.width() / 2, area.height() / 2);
    let mut quarters = [0; 4];
    let (middle_x, middle_y) = (area.left + width, area.top + height);
    for y in area.top..area.bottom {
        for run in components.row_between(y, area.left, area.right) {
            let (from, to) = (
                i32::from(run.start).max(area.left),
                i32::from(run.end).min(area.right),
            );
            let row = if y < middle_y { 0 } else { 2 };
            quarters[row] += (to.min(middle_x) - from).max(0);
            quarters[row + 1] += (to - from.max(middle_x)).max(0);
        }
    }
    let total: i32 = quarters.iter().sum();
    match quarters.iter().all(|&ink| ink * 8 >= total) {
        true => Tick::Crossed,
        false => Tick::Ticked,
    }
}
