//! Turns annotations into page content: the appearances of form fields and comments (ISO 32000-2, 12.5.5). Links stay
//! annotations.

use super::{
    overlay::Overlay,
    store::{Object, Store},
    value::{Dict, Value},
};

/// Flags of annotations that are not shown on the screen: Hidden and NoView (12.5.3).
const UNSEEN: i64 = 1 << 1 | 1 << 5;

/// Result of flattening an annotation.
pub(super) enum Flat {
    /// The annotation is a link, and stays.
    Stays,
    /// The annotation is removed. Its appearance is drawn, if it is visible.
    Drawn(Option<Overlay>),
}

pub(super) fn flat(store: &mut Store<'_>, annotation: &Dict) -> Flat {
    if store.is_name(annotation.get("Subtype"), "Link") {
        return Flat::Stays;
    }
    let flags = store.integer(annotation.get("F")).unwrap_or(0);
    if flags & UNSEEN != 0 || store.is_name(annotation.get("Subtype"), "Popup") {
        return Flat::Drawn(None);
    }
    Flat::Drawn(overlay(store, annotation))
}

/// The normal appearance of an annotation in its current state (ISO 32000-2, 12.5.5). `None` if it has none to draw.
fn overlay(store: &mut Store<'_>, annotation: &Dict) -> Option<Overlay> {
    let appearances = store.dict(annotation.get("AP"))?;
    let mut appearance = appearances.get("N")?.clone();
    // If the appearance is a dictionary of states, the current state is used.
    if let Value::Dict(states) = store.resolve(&appearance)
        && !is_stream(store, &appearance)
    {
        let Value::Name(state) = store.resolve(annotation.get("AS")?) else {
            return None;
        };
        appearance = states.get(std::str::from_utf8(&state).ok()?)?.clone();
    }
    let Value::Ref(form) = appearance else {
        return None;
    };
    if !is_stream(store, &appearance) {
        return None;
    }
    let mut dict = store.dict_of(form)?;
    if !dict.has("Subtype") {
        dict.set("Subtype", Value::name("Form"));
        if let Object::Stream(_, data) = (*store.object(form)).clone() {
            store.set(form, Object::Stream(dict.clone(), data));
        }
    }
    let numbers = |store: &mut Store<'_>, value: Option<&Value>| -> Option<Vec<f64>> {
        let values = store.array(value)?;
        let numbers = values.iter().filter_map(|value| store.number(Some(value)));
        Some(numbers.collect())
    };
    let area: [f64; 4] = numbers(store, annotation.get("Rect"))?.try_into().ok()?;
    let own: [f64; 4] = numbers(store, dict.get("BBox"))?.try_into().ok()?;
    let matrix = numbers(store, dict.get("Matrix")).and_then(|matrix| matrix.try_into().ok());
    let [a, b, c, d, e, f] = matrix.unwrap_or([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    // The bounding box of the form, transformed by its matrix.
    let corners = [
        (own[0], own[1]),
        (own[0], own[3]),
        (own[2], own[1]),
        (own[2], own[3]),
    ];
    let corners = corners.map(|(x, y)| (a * x + c * y + e, b * x + d * y + f));
    let least = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
    let most =
        |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (left, bottom) = (least(|at| at.0), least(|at| at.1));
    let (width, height) = (most(|at| at.0) - left, most(|at| at.1) - bottom);
    if width <= 0.0 || height <= 0.0 {
        return None;
    }
    let (x, y) = (area[0].min(area[2]), area[1].min(area[3]));
    let across = (area[2] - area[0]).abs() / width;
    let down = (area[3] - area[1]).abs() / height;
    Some(Overlay {
        form,
        matrix: [across, 0.0, 0.0, down, x - left * across, y - bottom * down],
    })
}

fn is_stream(store: &mut Store<'_>, value: &Value) -> bool {
    let Value::Ref(id) = value else {
        return false;
    };
    matches!(&*store.object(*id), Object::Stream(..))
}
