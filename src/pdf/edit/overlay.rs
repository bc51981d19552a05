//! Content drawn over or under that of pages: page numbers, stamps, watermarks, and annotations that become page
//! content (ISO 32000-2, 12.5.5). Does not change the existing content.
//!
//! A page may leave its graphics state in any condition, so its own content is put between `q` and `Q`. [`draw`] adds
//! only form XObjects with resources of their own, so the resources of the page get nothing but the names of these
//! XObjects.

use super::{
    leaves,
    store::{Data, Object, Store},
    value::{Dict, Id, Value},
};
use std::{fmt::Write as _, rc::Rc};

/// A form, and the matrix by which it is drawn.
pub(super) struct Overlay {
    pub(super) form: Id,
    pub(super) matrix: [f64; 6],
}

/// Returns the matrix from the coordinates of the page as shown (upright, with the lower left corner as the origin) to
/// the user space of the page; and the width and height of the page as shown.
pub(super) fn upright(store: &mut Store<'_>, page: &Dict) -> ([f64; 6], f64, f64) {
    let [left, bottom, right, top] = leaves::seen(store, page);
    let (width, height) = (right - left, top - bottom);
    match leaves::rotation(store, page) {
        90 => ([0.0, 1.0, -1.0, 0.0, right, bottom], height, width),
        180 => ([-1.0, 0.0, 0.0, -1.0, right, top], width, height),
        270 => ([0.0, -1.0, 1.0, 0.0, left, top], height, width),
        _ => ([1.0, 0.0, 0.0, 1.0, left, bottom], width, height),
    }
}

/// Draws forms under and over the content of a page.
pub(super) fn draw(store: &mut Store<'_>, page: Id, below: &[Overlay], above: &[Overlay]) {
    if below.is_empty() && above.is_empty() {
        return;
    }
    let Some(mut dict) = store.dict_of(page) else {
        return;
    };
    let mut resources = store.dict(dict.get("Resources")).unwrap_or_default();
    let mut objects = store.dict(resources.get("XObject")).unwrap_or_default();
    let before = format!("{}q\n", artifacts(&mut objects, below));
    let after = format!("Q\n{}", artifacts(&mut objects, above));
    resources.set("XObject", objects);
    dict.set("Resources", resources);
    wrap(store, &mut dict, &before, &after);
    store.set(page, dict);
}

/// Adds content before and after the content of a page.
pub(super) fn wrap(store: &mut Store<'_>, page: &mut Dict, before: &str, after: &str) {
    let mut all = vec![Value::Ref(stream(store, Dict::default(), before))];
    all.extend(contents(store, page));
    all.push(Value::Ref(stream(store, Dict::default(), after)));
    page.set("Contents", all);
}

/// The content streams of a page.
pub(super) fn contents(store: &mut Store<'_>, page: &Dict) -> Vec<Value> {
    let Some(contents) = page.get("Contents") else {
        return Vec::new();
    };
    match (store.resolve(contents), contents) {
        (Value::Array(parts), _) => parts,
        (_, Value::Ref(_)) => vec![contents.clone()],
        _ => Vec::new(),
    }
}

/// Adds form XObjects to the resources of a page. Returns the content that draws them as artifacts (ISO 32000-2,
/// 14.8.2.2).
fn artifacts(objects: &mut Dict, overlays: &[Overlay]) -> String {
    if overlays.is_empty() {
        return String::new();
    }
    let mut content = String::from("/Artifact BMC\n");
    let mut number = 0;
    for overlay in overlays {
        let name = loop {
            number += 1;
            let name = format!("Over{number}");
            if !objects.has(&name) {
                break name;
            }
        };
        objects.set(&name, overlay.form);
        let [a, b, c, d, e, f] = overlay.matrix.map(rounded);
        let _ = writeln!(content, "q {a} {b} {c} {d} {e} {f} cm /{name} Do Q");
    }
    content.push_str("EMC\n");
    content
}

/// Adds a stream.
pub(super) fn stream(store: &mut Store<'_>, dict: Dict, content: &str) -> Id {
    let data = Data::Own(Rc::new(content.as_bytes().to_vec()));
    store.add(Object::Stream(dict, data))
}

/// Rounds a number to five decimals for a content stream, in which numbers have no exponents.
fn rounded(number: f64) -> f64 {
    (number * 1e5).round() / 1e5
}

/// Product of two matrices: the transform `first`, followed by `then`.
pub(super) fn times(first: [f64; 6], then: [f64; 6]) -> [f64; 6] {
    let [a, b, c, d, e, f] = first;
    let [g, h, i, j, k, l] = then;
    [
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + l,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_are_multiplied_in_order() {
        let moved = [1.0, 0.0, 0.0, 1.0, 3.0, 4.0];
        let turned = [0.0, 1.0, -1.0, 0.0, 0.0, 0.0];
        assert_eq!(times(moved, turned), [0.0, 1.0, -1.0, 0.0, -4.0, 3.0]);
    }
}
